"""Lines of the log: bytes to `StepRecord` and back, and telling a newer format from a broken line.

One encoder and one decoder serve every call: building a decoder for each line costs about twenty times the decoding.
"""

from __future__ import annotations

import msgspec

from ace.events.types import FORMAT_VERSION, StepRecord

__all__ = ["DamagedLineError", "NewerFormatError", "decode_record", "encode_record"]

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


def decode_record(line: bytes | memoryview) -> StepRecord:
    """Read one line of the log, with or without its line break.

    Raises `NewerFormatError` if its version is newer than ours, `DamagedLineError` if it is no step record.
    """
    try:
        record = _decoder.decode(line)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise _explain(line, error) from None
    if record.v != FORMAT_VERSION:
        raise _version_error(record.v)
    return record


def _explain(line: bytes | memoryview, error: Exception) -> ValueError:
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
