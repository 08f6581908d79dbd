"""Bytes of a file into numbered JSON objects. Nothing here knows what an object means.

Files are split at the byte `\\n` alone: `str.splitlines` would also break at U+2028, U+0085 and others, which stand
unescaped inside JSON strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import msgspec

from ace.domain.errors import TraceError

__all__ = ["Flaw", "Row", "compact_json", "read_rows", "without_lone_surrogates"]

_BOM = b"\xef\xbb\xbf"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_decoder = msgspec.json.Decoder()


class Row(NamedTuple):
    """One object and its line, from 1; in a file that is one JSON array, its position in the array."""

    line: int
    value: Mapping[str, object]


class Flaw(NamedTuple):
    """A line that could not be read, and why. The reason quotes nothing of the line."""

    line: int
    reason: str


def read_rows(data: bytes) -> tuple[list[Row], list[Flaw]]:
    """Return the objects of JSON Lines, of one JSON array, or of one object over several lines.

    A BOM, CRLF and blank lines are tolerated. Every other line is either a row or a flaw.
    """
    data = data.removeprefix(_BOM)
    lines = [(number, line) for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    whole = _whole(data, lines[0][1]) if lines else None
    return _sorted_out(lines if whole is None else enumerate(whole, 1))


def _whole(data: bytes, first: bytes) -> list[object] | None:
    """Return the objects of a file that is one JSON value; None if it is JSON Lines, where the first line is one."""
    try:
        if isinstance(_decode(first), dict):
            return None
    except TraceError:
        pass  # perhaps the first line of something longer
    try:
        value = _decode(data)
    except TraceError:
        return None
    return value if isinstance(value, list) else [value]


def _sorted_out(items: Iterable[tuple[int, object]]) -> tuple[list[Row], list[Flaw]]:
    rows: list[Row] = []
    flaws: list[Flaw] = []
    for number, item in items:
        try:
            rows.append(Row(number, _object(item)))
        except TraceError as error:
            flaws.append(Flaw(number, str(error)))
    return rows, flaws


def _object(item: object) -> dict[str, object]:
    value = _decode(item) if isinstance(item, bytes) else item
    if not isinstance(value, dict):
        raise TraceError("not a JSON object")
    return value


def _decode(data: bytes) -> object:
    try:
        return _decoder.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return _decode_leniently(data)


def _decode_leniently(data: bytes) -> object:
    """Read what msgspec refuses but recordings hold: half a surrogate pair (JavaScript cuts strings so), NaN."""
    try:
        value = json.loads(data.decode("utf-8", "surrogatepass"))
    except UnicodeDecodeError:
        raise TraceError("not valid UTF-8") from None
    except RecursionError:
        raise TraceError("nested too deeply") from None
    except ValueError:
        raise TraceError("not valid JSON") from None
    return without_lone_surrogates(value)


def without_lone_surrogates(value: object) -> object:
    """Return the JSON value with U+FFFD for each lone surrogate, keys included: such a string cannot be written.

    Mappings come back as dicts, tuples as lists. Raises `TraceError` if the value is nested too deeply.
    """
    try:
        return _mended(value)
    except RecursionError:
        raise TraceError("nested too deeply") from None


def _mended(value: object) -> object:
    if isinstance(value, str):
        return _LONE_SURROGATE.sub("\ufffd", value)
    if isinstance(value, Mapping):
        return {_mended(key): _mended(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_mended(item) for item in value]
    return value


def compact_json(value: object) -> str:
    """Return the value as JSON without blanks. Raises `TraceError` if it cannot be written as JSON.

    stdlib's, because msgspec refuses integers beyond 64 bits, which recordings may hold.
    """
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise TraceError("nested too deeply") from None
    except (TypeError, ValueError):
        raise TraceError("holds a value that is not JSON") from None
