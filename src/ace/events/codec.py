"""Lines of the log: bytes to `StepRecord` and back, and telling a newer format from a broken line.

One encoder and one decoder serve every call: building a decoder for each line costs about twenty times the decoding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from ace.events.types import FORMAT_VERSION, StepRecord

__all__ = ["DamagedLineError", "NewerFormatError", "decode_record", "decode_records", "encode_record"]

_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(StepRecord)


class DamagedLineError(ValueError):
    """The line is not a step record."""


class NewerFormatError(ValueError):
    """The line was written by a newer version of this package."""


class _Head(msgspec.Struct):
    v: int


_head_decoder = msgspec.json.Decoder(_Head)


def encode_record(record: StepRecord) -> bytes:
    """Return the record as one line of UTF-8 JSON, without a line break."""
    return _encoder.encode(record)


def decode_record(line: bytes) -> StepRecord:
    """Read one line of the log, with or without its line break.

    Raises `NewerFormatError` if its version is newer than ours, `DamagedLineError` if it is no step record.
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
        if record.v != FORMAT_VERSION:
            raise _version_error(record.v)
        yield record


def _explain(line: bytes, error: Exception) -> ValueError:
    try:
        head = _head_decoder.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return DamagedLineError(str(error))
    return DamagedLineError(str(error)) if head.v == FORMAT_VERSION else _version_error(head.v)


def _version_error(version: int) -> ValueError:
    if version > FORMAT_VERSION:
        return NewerFormatError(
            f"format version {version}, and this ace reads up to {FORMAT_VERSION}: update ace"
        )
    return DamagedLineError(f"there is no format version {version}")
