"""What terminals, JSON writers, file viewers and encoders make of a text, undone one layer at a time.

A secret in a transcript has often been written by several programs, one inside of the other: JSON in JSON, coloured, percent-encoded,
dumped. `layers` gives the text as it came and then, as long as something changes, the text with one more encoding taken
off. Quotes keep their nesting: `{\\"a\\": \\"x\\\\\\"y\\"}` is first `{"a": "x\\"y"}`, so that a pattern that knows about escaped
quotes finds the end of a value in each layer.

Each layer maps its places back to the text as it came. What was taken off counts as a whole: a span that touches a part of
an escape covers all of it, so that nothing half is left. To add an encoding, add a row to `_DECODERS`.
"""

from __future__ import annotations

import re
import unicodedata
from binascii import Error, a2b_base64
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import accumulate, chain
from typing import NamedTuple

from ace.domain.screens.characters import invisible
from ace.domain.screens.gates import marks_of, runs_of
from ace.domain.screens.views import Views, contains_any

__all__ = ["LINE_BREAK", "Layer", "layers"]

_MARK = "[^\\w\\n\"'`{}<]"
LINE_BREAK = rf"(?:[ \t\r]{{0,8}}\n(?:{_MARK}{{0,8}}(?:[\w./-]{{1,80}}:\d{{1,6}}:|\d{{1,6}}(?=[\s:|│→]))){{0,2}}{_MARK}{{0,8}}[ \t]{{0,40}})"
"""A pattern: the end of a line, and what diffs, mails, viewers and searches put in front of the next one."""

_MOST = 6
"""Layers looked at: JSON in JSON in JSON within a coloured terminal."""


_SHORTEST_BASE64 = 24


class _Units(NamedTuple):
    """The places where one decoder changed a text: where each unit starts and ends before and after, in order."""

    before: Sequence[int]
    before_end: Sequence[int]
    after: Sequence[int]
    after_end: Sequence[int]

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text before that became this span of the text after."""
        at = bisect_right(self.after, start) - 1
        if at >= 0 and start < self.after_end[at]:
            first = self.before[at]
        else:
            first = start if at < 0 else self.before_end[at] + start - self.after_end[at]
        at = bisect_right(self.after, end - 1) - 1
        if at >= 0 and end - 1 < self.after_end[at]:
            last = self.before_end[at]
        else:
            last = end if at < 0 else self.before_end[at] + end - self.after_end[at]
        return first, max(first, last)


class Layer(NamedTuple):
    """The text as one more reader would see it. `changed` are the places, in order, where it differs from the layer around it."""

    text: str
    units: tuple[_Units, ...] = ()
    changed: tuple[int, ...] = ()
    marks: frozenset[str] = frozenset()
    """What it holds besides letters of ASCII and white space (`gates.marks_of`)."""
    runs: Sequence[str] = ()
    """What may be a token or base64 in it (`gates.runs_of`)."""

    def back(self, start: int, end: int) -> tuple[int, int]:
        """The span of the text as it came from which this span was made."""
        for units in reversed(self.units):
            start, end = units.back(start, end)
        return start, end


_NAMED = {
    "quot": '"',
    "amp": "&",
    "lt": "<",
    "gt": ">",
    "apos": "'",
    "nbsp": " ",
    "equals": "=",
    "colon": ":",
    "num": "#",
}
_SHORT = {"\\n": "\n", "\\r": "\r", "\\t": "\t", "\\0": "\n", "\\e": "\x1b", '\\"': '"', "\\\\": "\\"}


def _escape(match: re.Match[str]) -> str:
    if (char := _SHORT.get(match[0])) is not None:
        return char
    code = match[1] or match[2] or match[3]
    if code:
        return _char(int(code, 16))
    if match[4]:
        return _char(int(match[4], 8))
    return "" if match[0][1] in "\r\n" else match[0][1]


def _char(code: int) -> str:
    # A NUL parts the variables of a process from each other.
    return "\n" if code == 0 else chr(code) if code < 0x110000 else "\ufffd"


def _entity(match: re.Match[str]) -> str:
    if match[1]:
        return _NAMED[match[1]]
    return _char(int(match[2]) if match[2] else int(match[3], 16))


def _percent(match: re.Match[str]) -> str:
    data = bytes.fromhex(match[0].replace("%", ""))
    try:
        return data.decode()
    except UnicodeDecodeError:
        return match[0] if not data.isascii() else data.decode("ascii")


def _visible(match: re.Match[str]) -> str:
    char = match[0]
    return "" if invisible(char) else unicodedata.normalize("NFKC", char)


def _control(match: re.Match[str]) -> str:
    return "\n" if match[0] == "\0" else ""


def _nothing(_: re.Match[str]) -> str:
    return ""


def _printable(data: bytes) -> bool:
    return data.isascii() and data.decode("ascii").translate(_BLANKS).isprintable()


_URL_SAFE = str.maketrans("-_", "+/")
_HEXADECIMAL = frozenset("0123456789abcdefABCDEF")
_BLANKS = {9: " ", 10: " ", 13: " "}


def _base64(match: re.Match[str]) -> str:
    text = match[0]
    if match.string.startswith(("=", "-", "_"), match.end()):
        return text
    joined = "".join(text.split()).translate(_URL_SAFE)
    try:
        if _HEXADECIMAL.issuperset(joined):
            data = bytes.fromhex(joined[: len(joined) // 2 * 2])
            return data.decode("ascii") if _printable(data) else text
        if not _printable(a2b_base64(joined[:24])):  # most of what looks like base64 is none
            return text
        data = a2b_base64(joined[: len(joined) // 4 * 4])
    except Error:
        return text
    return data.decode("ascii") if _printable(data) else text


def _dumped(match: re.Match[str]) -> str:
    """A line of xxd or `hexdump -C`: the bytes that it shows."""
    data = bytes.fromhex("".join(match[1].split()))
    return data.decode(errors="replace")


def _dumped_by_od(match: re.Match[str]) -> str:
    """A line of `od -c`: four columns a character, of which a blank shows none."""
    cells = [match[1][at : at + 4].strip() or " " for at in range(0, len(match[1]), 4)]
    return "".join(
        chr(int(cell, 8)) if len(cell) == 3 else _SHORT.get(cell, cell) if len(cell) == 2 else cell
        for cell in cells
    )


type _Decoder = tuple[str, tuple[str, ...], str, Callable[[re.Match[str]], str]]

_CONTROL = "\0\x01\x02\x03\x04\x05\x06\x07\x0e\x0f\x7f"
_ASCII_DECODERS: tuple[_Decoder, ...] = (
    # Marks of which one must be there, the same in more characters, the pattern of one unit, and what it stands for.
    (
        "\x1b^",
        ("\x1b", "^["),
        r"(?:\x1b|\^\[)(?:\[[0-?]{0,40}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,500}(?:\x07|\x1b\\)|[()][0AB]|[=>78DEHMNOZc])",
        _nothing,
    ),
    ("\b", ("\b",), r"[^\n]\x08", _nothing),
    (
        _CONTROL,
        tuple(_CONTROL),
        r"[\0-\x07\x0e-\x1a\x7f]",
        _control,
    ),
    (
        # Strings that the code puts together, and lines that go on.
        "\"'",
        ('"', "'"),
        (r"(?:\"[ \t]*+[+.&]?[ \t]*+\\?\r?\n[ \t]*+(?:[+.&][ \t]*+)?[rbuf]?\"|\"[ \t]*+[+.&][ \t]*+[rbuf]?\""
        r"|'[ \t]*+[+.&]?[ \t]*+\\?\r?\n[ \t]*+(?:[+.&][ \t]*+)?[rbuf]?'|'[ \t]*+[+.&][ \t]*+[rbuf]?')"),
        _nothing,
    ),
    (
        "\\",
        ("\\",),
        r"\\(?:u(?:([0-9a-fA-F]{4})|\{([0-9a-fA-F]{1,6})\})|x([0-9a-fA-F]{2})|([0-3][0-7]{2})|\r?\n[ \t]*+|[\\\"'/`&=%$#@!:;,.?*+<>()\[\]{} \-nrt0e])",
        _escape,
    ),
    # Lines that go on, in the shells of Windows.
    ("`^", (" `\n", " ^\n", " `\r\n", " ^\r\n"), r"(?<= )[`^]\r?\n(?:[>+|#] ?|(?:[\w./-]{1,80}:)?[ \t]{0,8}\d{1,6}[:|→\t] ?)?[ \t]*+", _nothing),
    ("&", ("&",), r"&(?:(quot|amp|lt|gt|apos|nbsp|equals|colon|num)|#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6}));", _entity),
    ("%", ("%",), r"(?:%(?:[2-9a-fA-F][0-9a-fA-F]|0[9aAdD]|1[bB]))+", _percent),
    ("=", ("=3d", "=3D", "=\n", "=\r\n"), r"=(?:3[Dd]|\r?\n)", lambda match: "=" if match[0][1] == "3" else ""),
)  # fmt: skip
_WIDE = (
    # Compatibility forms of ASCII (full width, letters of mathematics, in circles) and what shows nothing.
    "[\u00a0\u00ad\u2000-\u200a\u202f\u205f\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2071-\u208e\u2100-\u214f\u2460-\u24ff"
    "\u2800\u3000\u3164\ufe00-\ufe0f\ufe50-\ufe6f\ufeff\uff01-\uffef\U0001d400-\U0001d7ff\U0001f100-\U0001f169\U000e0000-\U000e01ef]"
)


def layers(text: str, views: Views | None = None) -> Iterable[Layer]:
    """The text as it came, then with one encoding after the other taken off. `views` are those of the text if there are any."""
    layer = _layer(text) if views is None else Layer(text, (), (), views.marks, views.runs)
    return (layer,) if _is_plain(layer) else _peeled(layer)


def _peeled(layer: Layer) -> Iterator[Layer]:
    yield layer
    for _ in range(_MOST):
        inner = _taken_off(layer)
        if inner is layer:
            return
        layer = inner
        yield layer


# Two, since a pattern that begins with one certain character is found fastest.
_JOINED = re.compile(r"\"[ \t]*+[+.&]")
_JOINED_SINGLE = re.compile(r"'[ \t]*+[+.&]")


def _is_plain(layer: Layer) -> bool:
    """Whether this is one line of printable ASCII in which no decoder finds anything."""
    text, marks = layer.text, layer.marks
    return (
        text.isascii()
        and text.isprintable()
        and marks.isdisjoint("\\&%")
        and not ("=" in marks and "=3" in text)
        and not ("^" in marks and "^[" in text)
        and not ("0" in marks and "00" in text)
        and not ('"' in marks and _JOINED.search(text))
        and not ("'" in marks and _JOINED_SINGLE.search(text))
        and not _is_packed(layer.runs)
    )


def _taken_off(layer: Layer) -> Layer:
    """The layer with its escapes, colours and entities taken off; if it has none, with its base64 decoded."""
    text, new = layer.text, list[_Units]()
    if _is_plain(layer):
        return layer
    if contains_any(text, ("00: ", "00  ", "000 ")) and (dumped := _undumped(text)):
        # A dump first, and alone: a backslash that it shows at the end of a line escapes nothing.
        return _layer(dumped[0], (*layer.units, *dumped[1]), tuple(dumped[1][0].after))
    for marks, needles, pattern, decode in _decoders():
        # One look at the marks spares most looks at the text; what a decoder brings may be for those behind it.
        if (new or not layer.marks.isdisjoint(marks)) and contains_any(text, needles):
            text, units = _decoded(text, pattern, decode)
            new += units
    if not text.isascii():
        text, units = _decoded(text, _wide(), _visible)
        new += units
    if not new and _is_packed(layer.runs):
        text, units = _decoded(text, _base64_run(), _base64)
        new += units
        if not units and "eyJ" in text:
            text, units = _decoded(text, _base64_json(), _base64)
            new += units
    if not new:
        return layer
    # Where a later decoder changed the length in front of a place, the place is a little off: good enough to look around it.
    changed = tuple(sorted(at for units in new for at in units.after))
    return _layer(text, (*layer.units, *new), changed)


_PACKED = re.compile(r"[A-Za-z0-9+/]{24}|eyJ")


def _is_packed(runs: Sequence[str]) -> bool:
    """Whether one of the runs may be base64."""
    long = [run for run in runs if len(run) >= _SHORTEST_BASE64] if runs else runs
    return bool(long) and _PACKED.search(" ".join(long)) is not None


def _layer(text: str, units: tuple[_Units, ...] = (), changed: tuple[int, ...] = ()) -> Layer:
    return Layer(text, units, changed, marks_of(text), runs_of(text))


def _undumped(text: str) -> tuple[str, list[_Units]] | None:
    for line, decode in ((_dump_line, _dumped), (_od_line, _dumped_by_od)):
        shown, units = _decoded(text, line(), decode)
        if units:
            return shown, units
    return None


def _decoded(
    text: str, pattern: re.Pattern[str], decode: Callable[[re.Match[str]], str]
) -> tuple[str, list[_Units]]:
    matches = list(pattern.finditer(text))
    # What stands for itself, as base64 of nothing that can be read, is not a unit.
    kept = [(*one.span(), piece) for one in matches if (piece := decode(one)) != one[0]]
    if not kept:
        return text, []
    starts, ends, meant = zip(*kept, strict=True)
    lengths = list(map(len, meant))
    shifts = accumulate(
        length + start - end for start, end, length in zip(starts, ends, lengths, strict=True)
    )
    after = [start + shift for start, shift in zip(starts, chain((0,), shifts), strict=False)]
    after_end = [start + length for start, length in zip(after, lengths, strict=True)]
    between = [text[end:start] for end, start in zip(chain((0,), ends), starts, strict=False)]
    joined = "".join(chain.from_iterable(zip(between, meant, strict=True)))
    return joined + text[ends[-1] :], [_Units(starts, ends, after, after_end)]


@cache
def _decoders() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str], Callable[[re.Match[str]], str]], ...]:
    return tuple(
        (marks, needles, re.compile(pattern), decode) for marks, needles, pattern, decode in _ASCII_DECODERS
    )


@cache
def _base64_run() -> re.Pattern[str]:
    # Possessive, and begun where a run begins: what follows a long run may forbid it, and is not asked at each of its characters.
    line = "[A-Za-z0-9+/]{%d,}+(?![_-])"
    return re.compile(rf"(?<![A-Za-z0-9+/]){line % 24}(?:[ \t]*+\n[ \t]*+{line % 20})*+={{0,2}}+")


@cache
def _base64_json() -> re.Pattern[str]:
    """JSON in the alphabet for addresses."""
    return re.compile(r"(?<![A-Za-z0-9+/_-])eyJ[A-Za-z0-9_-]{21,}+={0,2}+")


@cache
def _dump_line() -> re.Pattern[str]:
    return re.compile(
        r"(?m)^[^\n]{0,60}?(?<![0-9a-fA-F])[0-9a-fA-F]{6,16}:?[ \t]{1,3}"
        # In pairs, or one by one with a gap in the middle; two blanks end them, since what is shown may begin like more of them.
        r"((?:[0-9a-fA-F]{4} ){0,7}[0-9a-fA-F]{2}(?:[0-9a-fA-F]{2})?(?=  |[ \t]*$)|(?:[0-9a-fA-F]{2} {1,2}){0,15}[0-9a-fA-F]{2}(?=  |[ \t]*$))"
        r"[ \t]*+\|?[^\n]{0,17}\n?"
    )


@cache
def _od_line() -> re.Pattern[str]:
    return re.compile(r"(?m)^[0-7]{7}((?: {3}[^\s]| {2}\\[0abtnvfr]| [0-7]{3}| {4}){1,16})[ \t]{0,8}\n?")


@cache
def _wide() -> re.Pattern[str]:
    return re.compile(_WIDE)
