"""The block in `rules.md`: how it is rendered, found and put in its place, to the byte.

Files are bytes here. Only a whole line that is a marker (outer blanks aside) counts as one; a marker inside a sentence
is text. Every byte outside of the block stays as it is, whatever its encoding and line ends.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from ace.domain.errors import MarkerError
from ace.domain.playbook import Playbook, key_of

__all__ = [
    "BEGIN",
    "END",
    "Candidate",
    "Line",
    "Rules",
    "block",
    "block_in",
    "bullet_line",
    "bullets_in",
    "digest_in",
    "find_block",
    "line_key",
    "lines_outside",
    "splice",
]

BEGIN: Final = "<!-- ace:playbook:begin -->"
END: Final = "<!-- ace:playbook:end -->"

_INTRODUCTION: Final = (
    "Lessons from earlier sessions: use the ones that fit your task. "
    "The counts say how often a review found a lesson helpful or harmful."
)
_EMPTY: Final = f"{BEGIN}\n{END}"
"""The block of a playbook without bullets."""

_BOM: Final = b"\xef\xbb\xbf"
_LINE = re.compile(rb"[^\r\n]*")
_UTF_16 = re.compile(rb"\xff\xfe[^\0]\0|\xfe\xff\0[^\0]")
_BREAK = re.compile(rb"\r\n|\n|\r")
_MARKER = re.compile(rb"(?P<marker><!-- ace:playbook:(?P<kind>begin|end) -->)[ \t\f\v]*(?=[\r\n]|\Z)")
"""A marker at the end of a line. Each step looks for it several times: what begins with the literal is found without a look at each line."""


def bullet_line(identifier: str, helpful: int, harmful: int, content: str) -> str:
    """A bullet as the block has it."""
    return f"- [{identifier}] helpful={helpful} harmful={harmful} :: {content}"


def block(playbook: Playbook, sections: tuple[str, ...]) -> str:
    """Render the block, marker lines included, with LF and without a last line break.

    Sections come in the given order, then those that are no longer configured in order of first use; a section
    without bullets is left out. A playbook without bullets is its two marker lines.
    """
    by_section: dict[str, list[str]] = {section: [] for section in sections}
    for bullet in playbook.bullets:
        line = bullet_line(bullet.id, bullet.helpful, bullet.harmful, bullet.content)
        lines = by_section.get(bullet.section)
        if lines is None:
            lines = by_section[bullet.section] = []
        lines.append(line)
    parts = [f"### {section}\n\n" + "\n".join(lines) + "\n" for section, lines in by_section.items() if lines]
    if not parts:
        return _EMPTY
    return f"{BEGIN}\n## Playbook\n\n{_INTRODUCTION}\n\n" + "\n".join(parts) + END


_BULLET_LINE = re.compile(r"^- \[(ace-\d{5,18})\] helpful=\d+ harmful=\d+ :: ", re.MULTILINE)


def bullets_in(text: str) -> list[str]:
    """The ids of the bullets that a block (see `block`) shows, in its order."""
    return _BULLET_LINE.findall(text)


class Span(NamedTuple):
    """Where a block is: from the first byte of its begin marker to the byte behind its end marker."""

    start: int
    end: int


def find_block(data: bytes) -> Span | None:
    """Where the block is in a rules file, or None if there is none.

    Raises `MarkerError` naming the lines, if the markers are anything but one begin followed by one end, and for a file
    in UTF-16, in which none could be told.
    """
    if _UTF_16.match(data):
        raise MarkerError("the rules file is in UTF-16: save it as UTF-8")
    markers = [marker for marker in _MARKER.finditer(data) if _begins_line(data, marker.start())]
    if not markers:
        return None
    kinds = [marker["kind"] for marker in markers]
    if kinds != [b"begin", b"end"]:
        raise MarkerError(_malformed(data, markers))
    return Span(markers[0].start("marker"), markers[1].end("marker"))


def _begins_line(data: bytes, at: int) -> bool:
    """Whether nothing but blanks comes before this byte in its line."""
    start = max(data.rfind(b"\n", 0, at), data.rfind(b"\r", 0, at)) + 1
    before = data[start:at] if start else data[:at].removeprefix(_BOM)
    return not before.strip(b" \t\f\v")


def _malformed(data: bytes, markers: list[re.Match[bytes]]) -> str:
    places = ", ".join(
        f"{m['kind'].decode()} on line {_line_number(data, m.start('marker'))}" for m in markers
    )
    return (
        f"the markers of the playbook's block must be one begin line followed by one end line, and there is {places}: "
        "put the missing one back, or remove those that are too many"
    )


def _line_number(data: bytes, at: int) -> int:
    return len(_BREAK.findall(data, 0, at)) + 1


def splice(data: bytes, text: str) -> bytes:
    """The rules file with the block `text` (see `block`) in place of its block, or at its end if it has none.

    The block takes the file's first line end. A block without bullets is put only where there is one already. Raises
    `MarkerError`.
    """
    return _spliced(data, find_block(data), text)


def _spliced(data: bytes, span: Span | None, text: str) -> bytes:
    newline = _newline(data)
    encoded = text.encode().replace(b"\n", newline)
    if span is not None:
        return data[: span.start] + encoded + data[span.end :]
    if text == _EMPTY:
        return data
    return data + _gap(data, newline) + encoded + newline


def _newline(data: bytes) -> bytes:
    found = _BREAK.search(data)
    return found[0] if found else b"\n"


def _gap(data: bytes, newline: bytes) -> bytes:
    """What has to come between the file's last byte and a block that is separated by one blank line."""
    if not data.removeprefix(_BOM):
        return b""
    breaks = 0
    while breaks < 2 and data.endswith(newline):
        data = data[: -len(newline)]
        breaks += 1
        if not data.removeprefix(_BOM):
            return b""
    if breaks == 0 and data.endswith((b"\n", b"\r")) and not (data.endswith(b"\r") and newline == b"\n"):
        breaks = 1  # the last line ends differently from the first (and a CR becomes no CRLF by our LF)
    return newline * (2 - breaks)


def block_in(data: bytes) -> bytes:
    """The block in a rules file with LF line ends; no bytes where there is none. Raises `MarkerError`."""
    return _block_at(data, find_block(data))


def _block_at(data: bytes, span: Span | None) -> bytes:
    return b"" if span is None else _BREAK.sub(b"\n", data[span.start : span.end])


def digest_in(data: bytes) -> str:
    """The SHA-256 of the block in a rules file (see `block_in`), in hex. Raises `MarkerError`."""
    return _digest(block_in(data))


def _digest(block: bytes) -> str:
    return hashlib.sha256(block).hexdigest()


_LINE_MARKS = re.compile(r"\s*(?:(?:[-*+•](?: \[[ xX]\])?|\d{1,9}[.)]|#{1,6}|>)\s+)*")


def line_key(line: str) -> str:
    """What two lines have in common when they say the same: `key_of` their text, list and heading marks aside."""
    return key_of(_LINE_MARKS.sub("", line, count=1))


class Line(NamedTuple):
    """A line of a rules file: its number, from 1, and the file's name, which is empty for the first of several files."""

    number: int
    file: str = ""


def lines_outside(data: bytes, file: str = "") -> dict[str, Line]:
    """The lines of a rules file outside of its block, by their `line_key`. Of equal lines the first counts."""
    return _lines_around(data, find_block(data), file)


def _lines_around(data: bytes, span: Span | None, file: str) -> dict[str, Line]:
    lines = enumerate(_BREAK.split(data.removeprefix(_BOM)), 1)
    first, last = (0, -1) if span is None else (_line_number(data, span.start), _line_number(data, span.end))
    keys: dict[str, Line] = {}
    for number, line in lines:
        text = line.decode(errors="replace")
        key = line_key(text)
        if key and not first <= number <= last:
            keys.setdefault(key, Line(number, file))
    return keys


# --- several files at one moment ------------------------------------------------------------------------------------


class Rules:
    """The rules files as they were read at one moment: bytes by the names that the host's check and the step's record know them
    by, None for a file that is not there. The log speaks of the block in the first of them; the others carry the same block.
    `base_lines` are the lines around the block that count where those of the files are not to: what many machines decide together
    they decide by the same lines.

    Raises `MarkerError` if the markers of one do not form a block.
    """

    def __init__(
        self, files: Mapping[str, bytes | None], base_lines: Mapping[str, Line] | None = None
    ) -> None:
        self._base_lines = base_lines
        self._files = {name: data or b"" for name, data in files.items()}
        self._spans = {name: find_block(data) for name, data in self._files.items()}
        self.present = {name: data for name, data in files.items() if data is not None}

    @property
    def files(self) -> Mapping[str, bytes]:
        """The bytes by name; a file that is not there has none."""
        return self._files

    @property
    def first(self) -> bytes:
        """The bytes of the first file."""
        return next(iter(self._files.values()))

    @property
    def digests(self) -> list[str]:
        """The digest of each file's block, as the log names it, the first file's first."""
        return [_digest(_block_at(data, self._spans[name])) for name, data in self._files.items()]

    def lines(self) -> dict[str, Line]:
        """The lines around the block in all files, by their `line_key`; of equal lines the first counts."""
        if self._base_lines is not None:
            return dict(self._base_lines)
        lines: dict[str, Line] = {}
        for position, (name, data) in enumerate(self._files.items()):
            around = _lines_around(data, self._spans[name], name if position else "")
            lines = {**around, **lines}
        return lines

    def with_block(self, text: str) -> Candidate:
        """The files with this block (see `block`) in them."""
        files = {name: _spliced(data, self._spans[name], text) for name, data in self._files.items()}
        first = next(iter(self._spans.values()))
        # A block without bullets is put only where there is one already.
        stands = first is not None or text != _EMPTY
        return Candidate(self, text, files, _digest(text.encode() if stands else b""))


class Candidate(NamedTuple):
    """Rules files as they are to become: what they were made from, the block, the new bytes by name, and the digest of the first
    file's block.
    """

    base: Rules
    block: str
    files: Mapping[str, bytes]
    digest: str

    @property
    def changed(self) -> dict[str, bytes]:
        """The files that are to be replaced."""
        return {name: data for name, data in self.files.items() if data != self.base.files[name]}
