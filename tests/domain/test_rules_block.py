"""The block in the rules file: rendered, found, and put in its place to the byte."""

from __future__ import annotations

import hashlib

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.domain.given import P1, bullet, playbook
from tests.domain.strategies import playbooks

from ace.domain.errors import MarkerError
from ace.domain.playbook import Playbook, evolve
from ace.domain.rules_block import BEGIN, END, block, digest_in, find_block, lines_outside, splice
from ace.domain.settings import DEFAULT_SECTIONS
from ace.events.types import TagCounted

EMPTY = f"{BEGIN}\n{END}"
TEXT = block(P1, DEFAULT_SECTIONS)
BOM = b"\xef\xbb\xbf"


# --- rendering ------------------------------------------------------------------------------------------------------


def test_a_block_as_the_agent_reads_it() -> None:
    """Given one bullet, then the block is exactly this text."""
    assert TEXT == (
        "<!-- ace:playbook:begin -->\n"
        "## Playbook\n"
        "\n"
        "Lessons from earlier sessions: use the ones that fit your task. "
        "The counts say how often a review found a lesson helpful or harmful.\n"
        "\n"
        "### Strategies and insights\n"
        "\n"
        "- [ace-00001] helpful=2 harmful=0 :: Read the failing test before you edit the code.\n"
        "<!-- ace:playbook:end -->"
    )


def test_sections_stand_in_configured_order_then_in_order_of_first_use() -> None:
    """Given bullets of configured, empty and former sections, then that is their order, and bullets go by number."""
    bullets = (
        bullet(1, section="Second former"),
        bullet(2, section="B"),
        bullet(3, section="First former"),
        bullet(4, section="A"),
        bullet(5, section="Second former"),
        bullet(6, section="B"),
    )
    lines = block(playbook(*bullets), ("A", "Empty", "B")).splitlines()
    assert [line for line in lines if line.startswith("### ")] == [
        "### A",
        "### B",
        "### Second former",
        "### First former",
    ]
    ids = [line.removeprefix("- [")[:9] for line in lines if line.startswith("- ")]
    assert ids == [f"ace-0000{number}" for number in (4, 2, 6, 1, 5, 3)]


def test_an_empty_playbook_is_its_two_marker_lines() -> None:
    """Given no bullets, then the block is its markers, whatever the next number and the sections."""
    assert block(Playbook(), DEFAULT_SECTIONS) == block(playbook(next_number=9), ()) == EMPTY


def test_each_change_of_a_bullet_shows() -> None:
    """Given a count that changes, then the block and its digest change."""
    after = block(evolve(P1, TagCounted("a", 0, "ace-00001", "harmful")), DEFAULT_SECTIONS)
    assert "helpful=2 harmful=1" in after
    assert digest_in(after.encode()) != digest_in(TEXT.encode()) == hashlib.sha256(TEXT.encode()).hexdigest()


# --- where it goes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "before"),
    [
        (b"", b""),
        (b"\n", b"\n"),
        (b"\n\n", b"\n\n"),
        (BOM, BOM),
        (BOM + b"\n", BOM + b"\n"),
        (b"A", b"A\n\n"),
        (b"A\n", b"A\n\n"),
        (b"A\n\n", b"A\n\n"),
        (b"A\n\n\n", b"A\n\n\n"),
        (b"A\r\nB", b"A\r\nB\r\n\r\n"),
        (b"A\r\n", b"A\r\n\r\n"),
        (b"A\r\n\r\n", b"A\r\n\r\n"),
        (b"A\rB", b"A\rB\r\r"),
        (b"A\r", b"A\r\r"),
        (b"A\r\nB\n", b"A\r\nB\n\r\n"),
        (b"A\nB\r\n", b"A\nB\r\n\n"),
        (b"A\rB\n", b"A\rB\n\r"),
        (b"A\nB\r", b"A\nB\r\n\n"),
        (b"\xff\xfe\x00", b"\xff\xfe\x00\n\n"),
    ],
)
def test_a_first_block_goes_to_the_end_after_one_blank_line(data: bytes, before: bytes) -> None:
    """Given a file without a block, then it gets one after one blank line, with the file's first line end."""
    first = next((end for end in (b"\r\n", b"\n", b"\r") if end in data.split(b"B")[0]), b"\n")
    assert splice(data, TEXT) == before + TEXT.encode().replace(b"\n", first) + first


def test_an_empty_playbook_makes_no_block_and_keeps_one_that_stands() -> None:
    """Given no bullets, then a file without a block stays as it is, and a block becomes its two marker lines in place."""
    assert splice(b"A\r\n", EMPTY) == b"A\r\n"
    assert splice(b"", EMPTY) == b""
    data = b"A\r\n" + TEXT.replace("\n", "\r\n").encode() + b"\r\nB"
    assert splice(data, EMPTY) == b"A\r\n" + EMPTY.replace("\n", "\r\n").encode() + b"\r\nB"


def test_a_block_that_comes_back_takes_the_same_place() -> None:
    """Given a block emptied and filled again, then the file is what it was."""
    data = splice(b"# Rules", TEXT) + b"More below.\n"
    assert splice(splice(data, EMPTY), TEXT) == data


@pytest.mark.parametrize("around", [(b"", b""), (b"  ", b""), (b"\t", b" \t"), (b"\x0c", b"\x0b")])
@pytest.mark.parametrize("line_break", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("bom", [b"", BOM])
def test_outer_blanks_of_a_marker_line_are_kept(
    around: tuple[bytes, bytes], line_break: bytes, bom: bytes
) -> None:
    """Given markers with blanks around them, first or last in the file, then they are found, and the blanks stay."""
    left, right = around
    data = bom + left + BEGIN.encode() + right + line_break + b"x" + line_break + left + END.encode() + right
    expected = bom + left + TEXT.encode().replace(b"\n", line_break) + right
    assert splice(data, TEXT) == expected
    assert digest_in(expected) == digest_in(TEXT.encode())


def test_a_second_bom_is_text() -> None:
    """Given a byte order mark anywhere but at the start, then a marker behind it is text."""
    assert find_block(b"\n" + BOM + BEGIN.encode()) is None
    assert find_block(BOM + BOM + BEGIN.encode()) is None


def test_the_digest_of_a_block_passes_over_line_ends() -> None:
    """Given the same block with other line ends, then its digest is the same; where there is none it is that of nothing."""
    for line_break in ("\n", "\r\n", "\r"):
        data = f"A\n{TEXT}\nB\n".replace("\n", line_break).encode()
        assert digest_in(data) == digest_in(TEXT.encode())
    assert digest_in(b"A\n") == hashlib.sha256(b"").hexdigest()
    with pytest.raises(MarkerError):
        digest_in(END.encode())


# --- properties -----------------------------------------------------------------------------------------------------

_lines = st.one_of(
    st.sampled_from([b"", b" ", b"# Rules", b"- one", b"\xff\xfe", "é\u2028\x85".encode(), BOM]),
    st.sampled_from(
        [BEGIN.encode(), END.encode(), b" " + BEGIN.encode(), END.encode() + b"\t", b"x" + END.encode()]
    ),
    st.binary(max_size=4),
)
_ends = st.sampled_from([b"\n", b"\r\n", b"\r", b""])


@st.composite
def _files(draw: st.DrawFn) -> bytes:
    """Bytes of a rules file: lines of any kind with any line ends, a BOM or none, markers where they like."""
    lines = draw(st.lists(st.tuples(_lines, _ends), max_size=7))
    return draw(st.sampled_from([b"", BOM])) + b"".join(line + end for line, end in lines)


@st.composite
def _sound_files(draw: st.DrawFn) -> tuple[bytes, bytes]:
    """What comes before and behind the one block of a rules file."""
    text = st.lists(
        st.tuples(st.binary(max_size=6).filter(lambda line: b"ace" not in line), _ends), max_size=5
    )
    before, behind = ([line + end for line, end in draw(text)] for _ in range(2))
    bom, end = draw(st.sampled_from([b"", BOM])), draw(st.sampled_from([b"\n", b"\r\n", b"\r"]))
    return bom + b"".join(before) + (end if before else b""), (end if behind else b"") + b"".join(behind)


@given(_files() | st.binary())
def test_any_bytes_have_a_block_or_none_or_a_marker_error(data: bytes) -> None:
    """Given any bytes, then nothing but `MarkerError` is raised, by any function, and by all or none of them."""
    try:
        span = find_block(data)
    except MarkerError:
        for look in (digest_in, lines_outside, lambda data: splice(data, TEXT)):
            with pytest.raises(MarkerError):
                look(data)
    else:
        assert span is None or data[span.start : span.end].startswith(BEGIN.encode())
        assert all(1 <= line.number <= len(data) + 1 for line in lines_outside(data).values())
        assert find_block(splice(data, TEXT)) is not None


@given(_sound_files(), playbooks(), playbooks())
@example((BOM, b""), P1, P1)
def test_bytes_outside_of_the_block_never_change(
    around: tuple[bytes, bytes], one: Playbook, other: Playbook
) -> None:
    """Given any bytes around a block, then replacing it leaves them, twice is once, and the last block counts."""
    before, behind = around
    data = before + f"{BEGIN}\nold\n{END}".encode() + behind
    texts = [block(each, DEFAULT_SECTIONS) for each in (one, other)]
    for text in texts:
        spliced = splice(data, text)
        assert spliced.startswith(before)
        assert spliced.endswith(behind)
        inside = spliced[len(before) : len(spliced) - len(behind)]
        assert inside.replace(b"\r\n", b"\n").replace(b"\r", b"\n") == text.encode()
        assert splice(spliced, text) == spliced
    assert splice(splice(data, texts[0]), texts[1]) == splice(data, texts[1])


@given(_files(), playbooks())
@example(b"A\nB\r", P1)
def test_a_file_without_a_block_keeps_every_byte_in_front(data: bytes, after: Playbook) -> None:
    """Given any file without a block, then all of it comes before the new one, a blank line between, and twice is once."""
    try:
        if find_block(data) is not None:
            return
    except MarkerError:
        return
    text = block(after, DEFAULT_SECTIONS)
    spliced = splice(data, text)
    assert spliced.startswith(data)
    assert splice(spliced, text) == spliced
    if after.bullets:
        assert digest_in(spliced) == digest_in(text.encode())
        lines = (
            spliced.decode(errors="replace")
            .removeprefix("\ufeff")
            .replace("\r\n", "\n")
            .replace("\r", "\n")
            .split("\n")
        )
        at = lines.index(BEGIN)
        assert not any(lines[:at]) or lines[at - 1] == ""


@given(playbooks(), st.lists(st.sampled_from(["A", "Others", "B"]), unique=True).map(tuple))
def test_every_bullet_is_one_line_of_the_block(before: Playbook, sections: tuple[str, ...]) -> None:
    """Given any playbook and sections, then each bullet is one line, all are there, and the markers are at the ends."""
    lines = block(before, sections).split("\n")
    shown = [line for line in lines if line.startswith("- ")]
    assert sorted(shown) == sorted(
        f"- [{b.id}] helpful={b.helpful} harmful={b.harmful} :: {b.content}" for b in before.bullets
    )
    assert (lines[0], lines[-1]) == (BEGIN, END)


# --- the lines around it --------------------------------------------------------------------------------------------


def test_lines_are_known_by_their_text_and_number() -> None:
    """Given lists, headings, quotes and repeated lines, then each line is known by its text, at its first number."""
    data = BOM + b"# Rules\n\n  * Run  THE tests.\n10) Wait.\n> - quoted\nRun the tests.\n#hash\n\xff\n"
    assert lines_outside(data) == {
        "rules": (1, ""),
        "run the tests.": (3, ""),
        "wait.": (4, ""),
        "quoted": (5, ""),
        "#hash": (7, ""),
        "\ufffd": (8, ""),
    }


def test_lines_of_the_block_are_not_outside() -> None:
    """Given a block, then neither its lines nor its markers are outside of it, and numbers count through."""
    assert lines_outside(f"A\r\n{TEXT}\r\nB".replace("\r\n", "\n").replace("\n", "\r\n").encode()) == {
        "a": (1, ""),
        "b": (11, ""),
    }


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_a_file_in_utf_16_is_an_error(encoding: str) -> None:
    """Given a file in which no marker can be told, then that is said before anything is written into it."""
    mark = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}.get(encoding, b"")
    with pytest.raises(MarkerError, match="UTF-16"):
        find_block(mark + "# Rules\r\n".encode(encoding))
