"""ATIF, the Agent Trajectory Interchange Format of Harbor (versions 1.0 to 1.8): `{"schema_version": "ATIF-v1.…", "steps": […]}`.

A step of the agent holds a message, calls, and what was observed of them. Steps copied from an earlier trajectory are background;
a sub-agent's trajectory is shown as its result in the parent's, and is not a run of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ace.adapters.traces.exchanges import CONTEXT_TURNS, Found
from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, content_text
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.records import is_own, score_of
from ace.adapters.traces.said import as_text, listed, object_in, said
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Trace, Turn

__all__ = ["read", "recognises"]


_OF_STEP = frozenset(
    {"message", "tool_calls", "observation", "metrics", "step_id", "model_name", "reasoning_effort"}
)
_OF_CALL = frozenset({"function_name"})
_OF_RESULT = frozenset({"source_call_id", "subagent_trajectory_ref"})
_REWARDS = ("score", "reward", "resolved", "success")


def recognises(value: JsonObject) -> bool:
    """Whether an object is of this format."""
    version = value.get("schema_version")
    if isinstance(version, str) and version.upper().startswith("ATIF"):
        return True
    steps = value.get("steps")
    first = steps[0] if isinstance(steps, list) and steps else None
    return isinstance(first, dict) and "source" in first and "message" in first


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the run of each trajectory."""
    for row in rows:
        try:
            yield from _run(row, notes)
        except TraceError as error:
            notes.flaw(row.line, str(error))


def _run(row: Row, notes: Notes) -> Iterator[Found]:
    steps = row.value.get("steps")
    if not isinstance(steps, list):
        raise TraceError("steps is not a list")
    turns: list[Turn] = []
    context: list[Turn] = []
    time = ""
    for number, step in enumerate(steps, 1):
        try:
            (context if _is_copied(step) else turns).extend(_turns(step, notes))
        except TraceError as error:
            notes.left_out(row.line, f"step {number}: {error}")
            continue
        time = step["timestamp"] if isinstance(step.get("timestamp"), str) else time
    if not turns and context:
        turns, context = context, []
    if is_own(turns):
        notes.passed_over("a call of ace itself")
        return
    subs = row.value.get("subagent_trajectories")
    for _ in subs if isinstance(subs, list) else ():
        notes.passed_over("a sub-agent's session")
    score, flaws = score_of(_score(row.value))
    for flaw in flaws:
        notes.left_out(row.line, flaw)
    shown = [turn for turn in context if turn.role in ("user", "assistant")][-CONTEXT_TURNS:]
    trace = Trace(id="", turns=tuple(turns), context=tuple(shown), score=score, time=time)
    name = next(
        (row.value[key] for key in ("trajectory_id", "session_id") if isinstance(row.value.get(key), str)),
        None,
    )
    yield row.line, with_id(trace, name, by_digest=True)


def _is_copied(step: Any) -> bool:
    return isinstance(step, dict) and step.get("is_copied_context") is True


def _score(value: JsonObject) -> Any:
    extra, metrics = value.get("extra"), value.get("final_metrics")
    inner = metrics.get("extra") if isinstance(metrics, dict) else None
    places = [place for place in (value, extra, metrics, inner) if isinstance(place, dict)]
    return next((place[key] for place in places for key in _REWARDS if place.get(key) is not None), None)


def _turns(step: Any, notes: Notes) -> Iterator[Turn]:
    if not isinstance(step, dict):
        raise TraceError("not an object")
    notes.unread(step, _OF_STEP)
    source, text = step.get("source"), content_text(said(step, "message", beside=_OF_STEP))
    if source in ("user", "system"):
        yield Turn("user" if source == "user" else "system", text)
    elif source in ("agent", "assistant"):
        yield Turn("assistant", text, tuple(map(_call, listed(step, "tool_calls"))))
    else:
        raise TraceError("its source is not one of user, agent, system")
    yield from _observed(step)


def _call(call: Any) -> ToolCall:
    if not isinstance(call, dict):
        raise TraceError("a tool call is not an object")
    return ToolCall(
        as_text(call.get("function_name")),
        argument_text(said(call, "arguments", beside=_OF_CALL)),
        as_text(call.get("tool_call_id")),
    )


def _observed(step: JsonObject) -> Iterator[Turn]:
    observation = object_in(step, "observation")
    if "results" not in observation and (elsewhere := said(observation, "results")):
        yield Turn("tool", content_text(elsewhere))
    for result in listed(observation, "results"):
        if not isinstance(result, dict):
            raise TraceError("a result is not an object")
        extra = result.get("extra")
        extra = extra if isinstance(extra, dict) else {}
        failed = bool(
            extra.get("is_error") or extra.get("tool_result_is_error") or extra.get("error")
        ) or extra.get("exit_code") not in (None, 0)
        content = said(result, "content", beside=_OF_RESULT)
        refs = result.get("subagent_trajectory_ref")
        if content is None and refs:
            content = [{"type": "subagent_trajectory", "value": refs}]
        yield Turn(
            "tool", content_text(content), call_id=as_text(result.get("source_call_id")), failed=failed
        )
