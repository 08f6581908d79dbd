"""What a transcript has shown is not shown again."""

from __future__ import annotations

import json
import re
from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from ace.domain.repeats import Shown

_texts = st.lists(
    st.lists(st.sampled_from(["", "a", "b", "x" * 150, "y" * 500]), max_size=12).map("\n".join), max_size=6
)
_MARK = re.compile(r"\[… ([\d,]+) characters (?:as shown above|of the system's message) …\]")


@given(_texts, _texts)
def test_nothing_is_lost(hidden: list[str], texts: list[str]) -> None:
    """Given any texts, then what a mark stands for was shown or hidden before, in one piece, and all else is there."""
    shown = Shown(hidden)
    before = list(hidden)
    for text in texts:
        told = shown.without_repeats(text)
        at = 0
        for piece in re.split(r"(\[… .*? …\])", told):
            mark = _MARK.fullmatch(piece)
            length = int(mark[1].replace(",", "")) if mark else len(piece)
            if mark:
                assert length >= 400
                assert any(text[at : at + length] in earlier for earlier in [*before, text[:at]])
            else:
                assert text[at : at + length] == piece
            at += length
        assert at == len(text)
        before.append(text)


def test_a_long_line_is_known_by_itself() -> None:
    """Given the same long JSON twice within other lines, then it is shown once."""
    shown = Shown()
    data = '{"rows": [' + ", ".join(map(str, range(200))) + "]}"
    assert shown.without_repeats(f"first\n{data}") == f"first\n{data}"
    assert (
        shown.without_repeats(f"second\n{data}\nend")
        == f"second\n[… {len(data):,} characters as shown above …]\nend"
    )


def test_a_document_is_known_in_json_and_with_other_line_ends() -> None:
    """Given a document and the same with CRLF, or within the JSON of a call or a result, in any order, then it is shown once."""
    text = "\n".join(f'{number}\tsay("line {number} of a long document")' for number in range(40))
    forms = [
        text,
        text.replace("\n", "\r\n"),
        json.dumps({"path": "a.txt", "content": text}),
        json.dumps([text]),
    ]
    for first, second in permutations(forms, 2):
        shown = Shown()
        assert shown.without_repeats(first) == first
        told = shown.without_repeats(second)
        assert len(told) < 200
        assert len(_MARK.findall(told)) == 1
        assert told.startswith((second[:10], "[…"))


def test_other_lines_are_other_lines() -> None:
    """Given lines that differ in their indent or in a figure, then both are shown."""
    text = "\n".join(f"    {number}: the same words" for number in range(40))
    shown = Shown([text])
    for other in (text.replace("    ", "  "), text.replace(": ", "0: ")):
        assert shown.without_repeats(other) == other


def test_short_repetitions_are_shown() -> None:
    """Given what is short, then it is shown again."""
    shown = Shown(["a\nb\nc\nd\ne"])
    assert [shown.without_repeats("a\nb\nc\nd") for _ in range(3)] == ["a\nb\nc\nd"] * 3


def test_a_text_with_many_equal_lines() -> None:
    """Given a hundred thousand equal lines, then it ends soon: each line is looked at a bounded number of times."""
    shown = Shown()
    text = "\n" * 100_000
    assert len(shown.without_repeats(text)) <= len(text)
    assert shown.without_repeats(text) == f"[… {100_000:,} characters as shown above …]"
