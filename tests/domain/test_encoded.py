"""Data written as text is shortened to what it holds and how much of it."""

from __future__ import annotations

import base64
import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import odd_texts

from ace.domain.encoded import without_data
from ace.domain.trace import Trace, Turn
from ace.domain.transcript import task_text, transcript

BYTES = hashlib.shake_256(b"x").digest(900)
DATA = base64.b64encode(BYTES).decode()
FORMS = {
    "one line": DATA,
    "for addresses": base64.urlsafe_b64encode(BYTES).decode(),
    "slashes as PHP writes them": DATA.replace("/", "\\/"),
    "of a text": base64.b64encode(b"Some words, again and again. " * 40).decode().rstrip("="),
    "of zeros": base64.b64encode(b"BM6" + b"\0" * 300 + BYTES).decode(),
}
JOINTS = ["\n", "\r\n", "\\n", "\\r\\n", "\n    ", "\n> ", '",\n  "', '", "', '" +\n "']


def lines(joint: str, width: int) -> str:
    """The data in lines of this width, without what is left for a last one."""
    return joint.join(DATA[at : at + width] for at in range(0, len(DATA) - width, width))


@pytest.mark.parametrize("form", FORMS)
def test_base64_inside_of_text_is_shortened(form: str) -> None:
    """Given base64 in any alphabet, then its length takes its place."""
    data = FORMS[form]
    assert (
        without_data(f'It is "{data}", I think.') == f'It is "[base64, {len(data):,} characters]", I think.'
    )


@pytest.mark.parametrize("joint", JOINTS)
@pytest.mark.parametrize("width", [40, 57, 64, 76, 128])
def test_base64_in_lines_is_shortened(joint: str, width: int) -> None:
    """Given base64 that is wrapped, within JSON, a quotation or code, too, then its length takes its place."""
    body = lines(joint, width)
    assert (
        without_data(f'It is "{body}"\nThe end.') == f'It is "[base64, {len(body):,} characters]"\nThe end.'
    )


def test_base64_in_numbered_lines_is_shortened() -> None:
    """Given a file of base64 as a tool shows it, each line with its number, then its length takes its place."""
    numbered = "\n".join(f"{at:6}\t{line}" for at, line in enumerate(lines("\n", 76).split("\n"), 1))
    assert re.fullmatch(r" {5}1\t\[base64, 1,\d{3} characters\]", without_data(numbered))


@pytest.mark.parametrize(
    "text",
    [
        "x" * 400,
        "deadbeef01" * 40,
        "/usr/local/lib/python/site/packages/" * 10,
        "src/components/FooBarBaz/QuxQuux2/IndexPage/" * 6,
        "\n".join(["shouldReturnAnErrorWhenTheUserIsMissingInV2"] * 9),
        "\n".join(["A line of words that is as wide as one of base64 would be, more or less"] * 9),
        "\n".join(["abcdefghijABCDEFGHIJ0123456789" * 2] * 8),
        "data: none, text, and so on " * 20,
        "data:text/plain,hello",
        "data:text/plain;base64,SGVsbG8=",
    ],
)
def test_what_only_looks_like_data_stays(text: str) -> None:
    """Given a long run of letters that is a rule, hex, a path, names or prose, or a short address, then it is shown."""
    assert without_data(text) == text


@pytest.mark.parametrize(
    ("head", "data"),
    [
        ("data:image/png;base64,", DATA),
        ("DATA:image/png;BASE64,", DATA),
        ("data:image/png;base64,", FORMS["for addresses"]),
        ("data:image/png;base64,", FORMS["slashes as PHP writes them"]),
        ("data:image/png;base64,", DATA.replace("+", "%2B").replace("/", "%2F")),
        ("data:image/png;base64,", lines("\n", 76)),
        ('data:image/png;charset="utf-8";base64,', DATA),
        ("data:image/png,", "%3Csvg%20xmlns=%22http" * 20),
        ("data:image/png;charset=utf-8,", "%3Ch1%3EHello%2C%20" * 20),
        (
            "data:image/png;utf8,",
            '<svg xmlns="http://www.w3.org/2000/svg">' + "<path d='M1 2'/>" * 20 + "</svg>",
        ),
    ],
)
def test_a_data_uri_is_shortened(head: str, data: str) -> None:
    """Given a data URI of any coding, then its type and length take its place."""
    told = without_data(f'{{"url": "{head}{data}"}}')
    assert told == f'{{"url": "[data: image/png, {len(data):,} characters]"}}'


def test_data_is_shortened_wherever_a_model_reads_it() -> None:
    """Given an image in a message, a tool's result, feedback or the task, then no prompt holds it."""
    uri = "data:image/png;base64," + "iVBORw0KGgo" * 4_000
    turns = (
        Turn("user", f"Look at {uri} please."),
        Turn("tool", f'{{"url": "{uri}"}}'),
        Turn("assistant", "A cat."),
    )
    trace = Trace(id="a", turns=turns, feedback=uri, failure=uri, next_message=uri)
    shown = transcript(trace)
    assert shown.count("[data: image/png, 44,000 characters]") == 5
    assert len(shown) < 800
    assert "Look at [data: image/png, 44,000 characters] please." in task_text(trace)


@given(
    st.lists(odd_texts | st.sampled_from([DATA, "data:", ";base64,", "<svg>", "</svg>", '"', "\n"])).map(
        "".join
    )
)
def test_all_else_stays(text: str) -> None:
    """Given any text, then what surrounds the data is there, in its order, and nothing is longer than it was."""
    told = without_data(text)
    at = 0
    for piece in re.split(r"\[(?:data: [^,\]]*|base64), [\d,]+ characters\]", told):
        at = text.index(piece, at) + len(piece)
    assert len(told) <= len(text)
