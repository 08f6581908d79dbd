"""`calls.json`, the record of a step's model calls: a JSON list with one object a call. The format lives here alone.

Only `role`, `trace` and one of `reply` and `error` need to be there, so that replies for a demo can be written by hand.
A key that is not known is passed over.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from ace.domain.errors import TraceError
from ace.domain.screens import replace_surrogates
from ace.events.codec import flaw_in

__all__ = ["RecordedCall", "Usage", "encode", "load_calls"]


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a call cost in tokens; None where the endpoint does not tell."""

    input_tokens: int | None = None
    output_tokens: int | None = None


class RecordedCall(msgspec.Struct, frozen=True, kw_only=True):
    """One call: the request (`role`, `run`, `trace`, `prompt`), and `reply` or, of a failed call, `error`.

    `seconds` is how long the call took, its retries included. `prompt` None means that it was not kept. `finish_reason` is how
    the endpoint said that the reply ended, and `found` where in its answer there was text.
    """

    role: Literal["reflector", "curator"]
    run: int = 0
    trace: str
    prompt: str | None = None
    reply: str | None = None
    model: str = ""
    usage: Usage | None = None
    seconds: float | None = None
    error: str | None = None
    finish_reason: str = ""
    found: str = ""


# --- writing --------------------------------------------------------------------------------------------------------


def encode(calls: Iterable[RecordedCall]) -> bytes:
    """The content of `calls.json`: indented by 2, a line break at the end. Lone surrogates are written as U+FFFD."""
    rows = msgspec.json.encode([_writable(call) for call in calls])
    return msgspec.json.format(rows, indent=2) + b"\n"


def _writable(call: RecordedCall) -> RecordedCall:
    texts = {
        name: getattr(call, name)
        for name in ("trace", "prompt", "reply", "model", "error", "finish_reason", "found")
    }
    # A prompt is a kind of text that msgspec does not write.
    plain = {name: text and str(replace_surrogates(text)) for name, text in texts.items()}
    return msgspec.structs.replace(call, **plain)


# --- reading --------------------------------------------------------------------------------------------------------


def load_calls(*paths: Path) -> tuple[RecordedCall, ...]:
    """The calls in `paths`, in order. Each is such a file, or a folder.

    Of a folder it is its `calls.json`, or, if it has none, that of each folder in it, by name, with numbers in names
    in the order of numbers (`9` before `10`, `7` before `7-2`). Raises `TraceError` with file and place.
    """
    return tuple(call for path in paths for file in _files(path) for call in _load(file))


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    if (path / "calls.json").is_file():
        return [path / "calls.json"]
    files = sorted(path.glob("*/calls.json"), key=lambda file: _natural(file.parent.name))
    if not files:
        raise TraceError(f"{path} holds no calls.json, nor do the folders in it: name the record of a step")
    return files


def _natural(name: str) -> list[tuple[str, int]]:
    return [(text, int(number or 0)) for text, number in re.findall(r"([^0-9]*)([0-9]*)", name)]


def _load(file: Path) -> list[RecordedCall]:
    rows = _json(file)
    if not isinstance(rows, list):
        raise TraceError(f"{file} is not a list of recorded calls: name the calls.json of a step")
    return [_call(file, number, row) for number, row in enumerate(rows, 1)]


def _json(file: Path) -> object:
    # The standard library's decoder, since it names the line, and reads the lone surrogates of a file written elsewhere.
    try:
        return json.loads(file.read_bytes().decode("utf-8-sig"))
    except OSError as error:
        raise TraceError(f"{file} cannot be read ({error.strerror}): name the calls.json of a step") from None
    except json.JSONDecodeError as error:
        raise TraceError(
            f"{file}, line {error.lineno}, column {error.colno}, is not JSON ({error.msg}): name the calls.json of a step"
        ) from None
    except UnicodeDecodeError as error:
        raise TraceError(f"{file} is not UTF-8 (byte {error.start + 1}): save it as UTF-8") from None
    except (ValueError, RecursionError) as error:
        flaw = flaw_in(error) if isinstance(error, RecursionError) else "a number is too long"
        raise TraceError(
            f"{file} is not a list of recorded calls ({flaw}): name the calls.json of a step"
        ) from None


def _call(file: Path, number: int, row: object) -> RecordedCall:
    try:
        call = msgspec.convert(row, type=RecordedCall)
    except msgspec.ValidationError as error:
        raise TraceError(f"{file}: call {number}: {error}") from None
    if (call.reply is None) == (call.error is None):
        both = "neither a reply nor an error" if call.error is None else "both a reply and an error"
        raise TraceError(f"{file}: call {number}: {both}")
    return call
