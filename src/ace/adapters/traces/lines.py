"""Bytes of a file into numbered JSON objects, one at a time. Nothing here knows what an object means.

Files are split at the byte `\\n` alone: `str.splitlines` would also break at U+2028, U+0085 and others, which appear
unescaped inside JSON strings. A file of JSON Lines is never held as a whole; one that is a single JSON value has to be.
"""

from __future__ import annotations

import gzip
import json
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from io import BufferedReader
from itertools import chain, count, islice
from typing import IO, Any, NamedTuple, cast

import msgspec

from ace.domain.errors import TraceError

__all__ = [
    "Flaw",
    "Row",
    "Rows",
    "compact_json",
    "record_of",
    "unpacked",
    "without_lone_surrogates",
]

_BOM = b"\xef\xbb\xbf"
_GZIP = b"\x1f\x8b"
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_decoder = msgspec.json.Decoder()
_ALIKE = frozenset({str, bool, type(None)})


class Row(msgspec.Struct, frozen=True, gc=False):
    """One object and its line, from 1; in a file that is one JSON array, its position in the array. The object is a mapping, or a
    record of the file's format (`Rows`).
    """

    line: int
    value: Any


class Flaw(NamedTuple):
    """A line that could not be read, and why. The reason quotes nothing of the line."""

    line: int
    reason: str


def unpacked(file: IO[bytes]) -> IO[bytes]:
    """The file, or what it holds if it is gzip; told by its first bytes."""
    head = file.peek(2)[:2] if hasattr(file, "peek") else b""
    return cast("IO[bytes]", gzip.open(file)) if head == _GZIP else file


class Rows:
    """The objects of JSON Lines, of one JSON array, or of one object over several lines: once through them.

    A BOM, CRLF and blank lines are tolerated. Every other line is either a row or one of the `flaws`; `count` counts the rows. A line
    that is an array of objects, one message each, is a row `{"messages": …}`.

    Lines are decoded into mappings; after `use`, into the struct of a format's records. Such a struct has the fields that are read:
    the rest of a line, half of it in some formats, is passed over without being made. A line that does not fit still comes as a mapping.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.flaws: list[Flaw] = []
        self.count = 0
        self._file = file
        self._decode: Callable[[bytes], Any] = _decoder.decode
        self._kind: type = dict

    def use(self, record: type[msgspec.Struct]) -> None:
        """From now on, lines that fit are records."""
        self._decode = msgspec.json.Decoder(record).decode
        self._kind = record

    def __iter__(self) -> Iterator[Row]:
        lines = _lines(self._file)
        head: list[tuple[int, bytes | Flaw]] = []
        for number, line in lines:
            head.append((number, line))
            filled = [each for _, each in head if isinstance(each, Flaw) or each.strip()]
            if filled and (len(filled) == 2 or _is_object(filled[0])):
                break
        filled = [each for _, each in head if isinstance(each, Flaw) or each.strip()]
        if not filled:
            return
        if _are_lines(filled):
            yield from self._of_lines(chain(head, lines))
            return
        numbered = [*head, *lines]
        whole = _whole(b"".join(line for _, line in numbered if isinstance(line, bytes)))
        if whole is None:
            yield from self._of_lines(numbered)
            return
        del numbered, head
        for position, item in enumerate(whole, 1):
            yield from self._of_value(position, item)

    def _of_lines(self, lines: Iterable[tuple[int, bytes | Flaw]]) -> Iterator[Row]:
        for number, line in lines:
            if isinstance(line, Flaw):
                self.flaws.append(line)
                continue
            try:
                value = self._decode(line)
            except (msgspec.DecodeError, RecursionError):
                if line.isspace():
                    continue
                try:
                    value = _decode(line)
                except TraceError as error:
                    self.flaws.append(Flaw(number, str(error)))
                    continue
            if type(value) is self._kind:
                self.count += 1
                yield Row(number, value)
            else:
                yield from self._of_value(number, value)

    def _of_value(self, number: int, value: object) -> Iterator[Row]:
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
            value = {"messages": value}
        if isinstance(value, dict):
            self.count += 1
            yield Row(number, value)
        else:
            self.flaws.append(Flaw(number, "not a JSON object"))


def record_of[Record: msgspec.Struct](kind: type[Record], value: Any) -> Record:
    """The record of a mapping that did not fit: its values are what they are, of any type."""
    names = zip(kind.__struct_fields__, kind.__struct_encode_fields__, strict=True)
    return kind(**{name: value[key] for name, key in names if key in value})


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | Flaw]]:
    """The lines as they are, numbered; without a BOM."""
    if isinstance(file, BufferedReader):
        numbered = enumerate(file, 1)
        first = [(number, line.removeprefix(_BOM)) for number, line in islice(numbered, 1)]
        return chain(first, numbered)
    return _unpacked_lines(file)


def _unpacked_lines(file: IO[bytes]) -> Iterator[tuple[int, bytes | Flaw]]:
    numbers = count(1)
    lines = zip(file, numbers, strict=False)
    try:
        for line, number in lines:
            yield number, line.removeprefix(_BOM)
            break
        for line, number in lines:
            yield number, line
    except (EOFError, zlib.error, gzip.BadGzipFile):
        damaged = next(numbers)
        yield damaged, Flaw(damaged, "the compressed data is damaged, or ends early")


def _is_object(line: bytes | Flaw) -> bool:
    if isinstance(line, Flaw):
        return True
    try:
        return isinstance(_decode(line), dict)
    except TraceError:
        return False


def _are_lines(head: list[bytes | Flaw]) -> bool:
    """Whether a file that begins so is JSON Lines: an object is the first line, or the second behind one that is damaged. Behind
    a bare bracket it may be the last of an array.
    """
    first, *others = head
    if _is_object(first):
        return True
    bare = isinstance(first, bytes) and first.strip() == b"["
    return not bare and not _is_json(first) and any(map(_is_object, others))


def _is_json(line: bytes | Flaw) -> bool:
    try:
        return isinstance(line, bytes) and _decode(line) is not None
    except TraceError:
        return False


def _whole(data: bytes) -> list[object] | None:
    """The objects of a file that is one JSON value; None if it is none."""
    try:
        value = _decode(data)
    except TraceError:
        return None
    return value if isinstance(value, list) else [value]


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

    stdlib's, because msgspec refuses integers beyond 64 bits and lone surrogates, which recordings may hold, and writes floats
    otherwise. Where both write the same, msgspec is used: most calls have a few texts for arguments.
    """
    if type(value) is dict and _ALIKE.issuperset(map(type, value.values())):
        with suppress(UnicodeEncodeError, TypeError):
            return msgspec.json.encode(value).decode()
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    except RecursionError:
        raise TraceError("nested too deeply") from None
    except (TypeError, ValueError):
        raise TraceError("holds a value that is not JSON") from None
