"""Lines of the log: bytes to `StepRecord` and back, and telling a newer format from a broken line.

A line of the second version holds its own digest, `sum`. It is taken of the bytes of the line, so that a reader can check
it who does not know every field in it.

One encoder and one decoder serve every call: building a decoder for each line costs about twenty times the decoding.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

import msgspec

from ace.events.types import FORMAT_VERSION, StepRecord

__all__ = [
    "DamagedLineError",
    "NewerFormatError",
    "decode_record",
    "decode_records",
    "encode_record",
    "flaw_in",
    "is_whole",
    "sealed",
]

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(StepRecord)


class DamagedLineError(ValueError):
    """The line is not a step record."""


class NewerFormatError(ValueError):
    """The line was written by a newer version of this package."""


class _Head(msgspec.Struct):
    v: int


_head_decoder = msgspec.json.Decoder(_Head)


def flaw_in(error: Exception) -> str:
    """What a decoder's error says of the text; of a depth Python tells its own limit, which says nothing of that."""
    return "nested too deeply" if isinstance(error, RecursionError) else str(error)


def encode_record(record: StepRecord) -> bytes:
    """Return the record as one line of UTF-8 JSON, without a line break."""
    return _encoder.encode(record)


def sealed(record: StepRecord) -> StepRecord:
    """The record with its `sum`. Raises what `encode_record` raises for values that JSON cannot hold."""
    line = _encoder.encode(msgspec.structs.replace(record, sum=""))
    return msgspec.structs.replace(record, sum=hashlib.sha256(line).hexdigest())


def is_whole(line: bytes, record: StepRecord) -> bool:
    """Whether the line, without its break, is as it was written, by its own `sum`; a line of 0.1.0 has neither that nor a time."""
    if not record.sum:
        return not record.time
    emptied = line.replace(b'"sum":"%b"' % record.sum.encode(), b'"sum":""', 1)
    return hashlib.sha256(emptied).hexdigest() == record.sum


def decode_record(line: bytes) -> StepRecord:
    """Read one line of the log, with or without its line break.

    Raises `NewerFormatError` if its version is newer than ours, `DamagedLineError` if it is not a step record.
    """
    return next(decode_records((line,)))


def decode_records(lines: Iterable[bytes]) -> Iterator[StepRecord]:
    """Read many lines as `decode_record` reads one, without a call for each: for a replay."""
    decode = _decoder.decode
    for line in lines:
        try:
            record = decode(line)
        except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
            raise _explain(line, error) from None
        if not 1 <= record.v <= FORMAT_VERSION:
            raise _version_error(record.v)
        yield record


def _explain(line: bytes, error: Exception) -> ValueError:
    try:
        head = _head_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return DamagedLineError(flaw_in(error))
    return DamagedLineError(flaw_in(error)) if 1 <= head.v <= FORMAT_VERSION else _version_error(head.v)


def _version_error(version: int) -> ValueError:
    if version > FORMAT_VERSION:
        return NewerFormatError(
            f"format version {version}, and this ace reads up to {FORMAT_VERSION}: update ace"
        )
    return DamagedLineError(f"there is no format version {version}")
