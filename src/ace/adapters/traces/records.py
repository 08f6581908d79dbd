"""The two formats in which one object is one run: our own, and OpenAI's or Anthropic's messages with a score."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import compact_json
from ace.adapters.traces.messages import turns_of
from ace.domain.errors import TraceError
from ace.domain.trace import Trace

__all__ = ["ace_trace", "openai_trace"]

type _Object = Mapping[str, object]


def ace_trace(value: _Object) -> Trace:
    """Return the trace of an object in our own schema; unknown keys and null values count as missing.

    Raises `TraceError` naming the place that does not fit.
    """
    given = {key: item for key, item in value.items() if item is not None}
    known = given | {"id": "", "score": _score(given.get("score"))}
    try:
        trace = msgspec.convert(known, Trace)
    except msgspec.ValidationError as error:
        # The place alone: the sentence in front of it may quote the value.
        place = str(error).rpartition(" - at ")[2].strip("`")
        raise TraceError(f"the value at {place} does not fit") from None
    if not (trace.turns or trace.task or trace.reply):
        raise TraceError("it has neither turns nor a task or reply")
    return with_id(trace, given.get("id"))


def openai_trace(value: _Object) -> Trace:
    """Return the trace of `{"id", "messages", "score", "feedback", "failure"}`; all but the messages may be missing.

    Feedback that is no text becomes compact JSON. Raises `TraceError` naming the key that does not fit.
    """
    messages = value.get("messages")
    if not isinstance(messages, list):
        raise TraceError("messages is not a list")
    trace = Trace(
        id="",
        turns=turns_of(messages),
        score=_score(value.get("score")),
        feedback=_feedback(value.get("feedback")),
        failure=_failure(value.get("failure")),
    )
    return with_id(trace, value.get("id"))


def _score(value: object) -> float | None:
    if value is None:
        return None
    try:
        # `true` is no number, and an integer may be beyond every float.
        if isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value):
            return float(value)
    except OverflowError:
        pass
    raise TraceError("score is not a finite number")


def _feedback(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else compact_json(value)


def _failure(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TraceError("failure is not a string")
    return value
