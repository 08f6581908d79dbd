"""The two formats in which one object is one run: our own, and OpenAI's or Anthropic's messages with a score."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress

import msgspec

from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import compact_json
from ace.adapters.traces.messages import readable_turns_of
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, finite

__all__ = ["KEYS", "Converted", "ace_trace", "openai_trace"]

type _Object = Mapping[str, object]


type Converted = tuple[Trace, list[str]]
"""A trace, and what of it could not be read and is left out."""

KEYS = frozenset({"id", "score", "feedback", "failure"})
"""Keys of a run that both formats know, beside what was said in it."""


def ace_trace(value: _Object) -> Converted:
    """Return the trace of an object in our own schema; unknown keys and null values count as missing.

    Raises `TraceError` naming the place that does not fit.
    """
    given = {key: item for key, item in value.items() if item is not None}
    score, flaws = _score(given.get("score"))
    try:
        trace = msgspec.convert(given | {"id": "", "score": score}, Trace)
    except msgspec.ValidationError as error:
        # The place alone: the sentence in front of it may quote the value.
        place = str(error).rpartition(" - at ")[2].strip("`")
        raise TraceError(f"the value at {place} does not fit") from None
    if not (trace.turns or trace.task or trace.reply):
        raise TraceError("it has neither turns nor a task or reply")
    return with_id(trace, given.get("id"), aliases=trace.aliases), flaws


def openai_trace(value: _Object) -> Converted:
    """Return the trace of `{"id", "messages", "score", "feedback", "failure"}`; all but the messages may be missing.

    Feedback that is no text becomes compact JSON. Raises `TraceError` if no message can be read, or a key does not fit.
    """
    messages = value.get("messages")
    if not isinstance(messages, list):
        raise TraceError("messages is not a list")
    turns, flaws = readable_turns_of(messages)
    score, dropped = _score(value.get("score"))
    trace = Trace(
        id="",
        turns=turns,
        score=score,
        feedback=_feedback(value.get("feedback")),
        failure=_failure(value.get("failure")),
    )
    return with_id(trace, value.get("id")), [*flaws, *dropped]


def _score(value: object) -> tuple[float | None, list[str]]:
    """The score, `true` being 1 and `false` 0; what is no finite number is dropped, and said."""
    if value is None:
        return None, []
    if isinstance(value, int | float):
        with suppress(ValueError):
            return finite(value), []
    return None, ["score is not a finite number: it is left out"]


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
