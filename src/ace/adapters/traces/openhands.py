"""Events of OpenHands: a list of them, one a line, or in `history` of a line of an evaluation's `output.jsonl`; one run a file or line.

    version 0    {"id", "source", "action": "run", "args", "tool_call_metadata"} and {"observation": "run", "cause", "content"}
    version 1    {"kind": "ActionEvent" | "ObservationEvent" | "MessageEvent" | …, "source", "action" or "observation"}

An action of the agent's is a call, with its thought as the text; a message or `finish` is what it said. The agent's own steps
(recall, state changes, condensation) are kept as turns of the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ace.adapters.traces.exchanges import Found
from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import Row, compact_json
from ace.adapters.traces.messages import argument_text, content_text
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.records import is_own, score_of
from ace.adapters.traces.said import as_text, object_in, said
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Trace, Turn

__all__ = ["read", "recognises"]


_SILENT = frozenset(
    {
        "recall",
        "change_agent_state",
        "agent_state_changed",
        "condensation",
        "condensation_request",
        "null",
        "system",
        "start_project",
    }
)
_SPOKEN = frozenset({"message", "finish", "reject"})
_SPEECH = ("final_thought", "content", "outputs")
_TELLS = frozenset(
    {
        "thought",
        "blocking",
        "is_input",
        "hidden",
        "confirmation_state",
        "keep_prompt",
        "security_risk",
        "kind",
        "is_static",
    }
)
_ENVELOPE = frozenset(
    {
        "id",
        "timestamp",
        "source",
        "action",
        "message",
        "tool_call_metadata",
        "llm_metrics",
        "action_risk",
        "cause",
    }
)
_OF_SPEECH = _TELLS | {"content", "outputs", "task_completed", "wait_for_response", "image_urls", "file_urls"}
_OF_OBSERVATION = _ENVELOPE | {"observation", "extras", "success"}
_OF_EVENT = frozenset(
    {
        "action",
        "tool_name",
        "tool_call",
        "llm_response_id",
        "security_risk",
        "responses_reasoning_item",
        "critic_result",
        "activated_skills",
        "extended_content",
        "sender",
        "action_id",
    }
)
_OF_CALL = frozenset({"title", "tool_kind", "raw_input"})
_OF_SEEN = frozenset({"command", "path", "exit_code"})
_KINDS = re.compile(
    r"SystemPromptEvent|PauseEvent|InterruptEvent|Condensation\w*|Conversation\w*Event|TokenEvent|LLMCompletionLogEvent"
    r"|StreamingDeltaEvent|HookExecutionEvent|\w*Update"
)
"""Kinds of events that are neither said nor done by anybody."""
_ERRORS = frozenset({"error", "user_rejected"})


def recognises(value: JsonObject) -> bool:
    """Whether an object is an event of a run, or a line that holds such events."""
    if _is_event(value):
        return True
    for key in ("history", "trajectory", "events"):
        events = value.get(key)
        if isinstance(events, list) and events:
            first = events[0][0] if isinstance(events[0], list) and events[0] else events[0]
            if isinstance(first, dict) and _is_event(first):
                return True
    return False


def _is_event(value: JsonObject) -> bool:
    kind = value.get("kind")
    if isinstance(kind, str) and "source" in value:
        return kind.endswith(("Event", "Update", "Condensation"))
    told = isinstance(value.get("action"), str) or isinstance(value.get("observation"), str)
    return told and any(key in value for key in ("source", "args", "extras", "thought", "wait_for_response"))


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the run of each line that holds events, or the one run of a file whose lines are events."""
    bare: list[JsonObject] = []
    first = 0
    for row in rows:
        events = next(
            (
                row.value[key]
                for key in ("history", "trajectory", "events")
                if isinstance(row.value.get(key), list)
            ),
            None,
        )
        if events is not None:
            yield from _run(row.line, row.value, _flat(events), notes)
        elif _is_event(row.value):
            first = first or row.line
            bare.append(row.value)
        else:
            notes.flaw(row.line, "no event of a run")
    if bare:
        yield from _run(first, {}, bare, notes)


def _flat(events: Iterable[Any]) -> Iterator[Any]:
    """Older lines hold pairs of an action and its observation."""
    for event in events:
        yield from event if isinstance(event, list) else (event,)


def _run(line: int, record: JsonObject, events: Iterable[Any], notes: Notes) -> Iterator[Found]:
    turns: list[Turn] = []
    failure = record.get("error")
    asked = False
    events = list(events)
    grown = {event.get("tool_call_id"): number for number, event in enumerate(events, 1) if _is_grown(event)}
    for number, event in enumerate(events, 1):
        if _is_grown(event) and grown[event.get("tool_call_id")] != number:
            continue  # it is there again, with more of it
        if isinstance(event, dict) and event.get("kind") == "ConversationErrorEvent":
            failure = failure or as_text(event.get("detail")) or as_text(event.get("code"))
        try:
            found = list(_turns(event, notes, asked=asked))
            asked = asked or any(turn.role == "user" for turn in found)
            turns += found
        except TraceError as error:
            notes.left_out(line, f"event {number}: {error}")
    if is_own(turns):
        notes.passed_over("a call of ace itself")
        return
    score, flaws = score_of(_score(record))
    for flaw in flaws:
        notes.left_out(line, flaw)
    if not any(turn.role == "user" for turn in turns) and isinstance(record.get("instruction"), str):
        turns.insert(0, Turn("user", record["instruction"]))
    trace = Trace(id="", turns=tuple(turns), score=score, failure=failure if isinstance(failure, str) else "")
    name = next(
        (record[key] for key in ("instance_id", "id", "task_id") if isinstance(record.get(key), str | int)),
        None,
    )
    yield line, with_id(trace, name)


def _is_grown(event: Any) -> bool:
    """Whether an event tells a call of an agent that was asked over ACP, which is told again as it goes on."""
    return (
        isinstance(event, dict)
        and event.get("kind") == "ACPToolCallEvent"
        and isinstance(event.get("tool_call_id"), str)
    )


def _score(record: JsonObject) -> Any:
    """`resolved` of an evaluation's report, or a score beside the events."""
    result, report = record.get("test_result"), record.get("report")
    inner = result.get("report") if isinstance(result, dict) else None
    for place in (record, report, inner, result):
        if isinstance(place, dict):
            for key in ("score", "reward", "resolved", "success"):
                if isinstance(place.get(key), bool | int | float):
                    return place[key]
    return None


def _turns(event: Any, notes: Notes, *, asked: bool) -> Iterator[Turn]:
    """The turns of an event; in old recordings, which do not say whose it is, the first message is the user's."""
    if not isinstance(event, dict):
        raise TraceError("not an object")
    kind = event.get("kind")
    if isinstance(kind, str) and "source" in event:
        yield from _turns_1(event, kind, notes)
    elif "observation" in event:
        yield from _observed(event, as_text(event["observation"]))
    elif "action" in event:
        by_user = event.get("source", "agent" if asked else "user") == "user"
        yield from _acted(event, as_text(event["action"]), by_user=by_user)
    else:
        raise TraceError("neither an action nor an observation")


def _acted(event: JsonObject, action: str, *, by_user: bool) -> Iterator[Turn]:
    args = event.get("args")
    args = args if isinstance(args, dict) else {key: event[key] for key in event if key not in _ENVELOPE}
    thought = content_text(args.get("thought")) if args.get("thought") else ""
    text = content_text(args["content"] if "content" in args else event.get("message"))
    if action in _SILENT or not action:
        yield Turn("system", text)
    elif by_user and action == "message" and (text or "content" in args):
        yield Turn("user", text)
    elif action in _SPOKEN:
        elsewhere = None if any(map(args.get, _SPEECH)) else said(args, *_SPEECH[:1], beside=_OF_SPEECH)
        if elsewhere:
            text = content_text(elsewhere)
        final = args.get("final_thought") or (text if action == "message" else "")
        outputs = args.get("outputs")
        told = compact_json(outputs) if outputs and not final else ""
        yield Turn(
            "assistant",
            "\n".join(filter(None, (thought, content_text(final) if final else "", told))) or text,
        )
    else:
        metadata = event.get("tool_call_metadata")
        metadata = metadata if isinstance(metadata, dict) else {}
        given = {key: value for key, value in args.items() if key not in _TELLS}
        name = as_text(metadata.get("function_name")) or action
        yield Turn(
            "assistant",
            thought,
            (ToolCall(name, compact_json(given), as_text(metadata.get("tool_call_id"))),),
        )


def _observed(event: JsonObject, observation: str) -> Iterator[Turn]:
    text = content_text(said(event, "content", beside=_OF_OBSERVATION))
    if observation in _SILENT:
        yield Turn("system", text)
        return
    extras = event.get("extras")
    extras = extras if isinstance(extras, dict) else {}
    inner = extras.get("metadata")
    code = inner.get("exit_code") if isinstance(inner, dict) else extras.get("exit_code")
    metadata = event.get("tool_call_metadata")
    metadata = metadata if isinstance(metadata, dict) else {}
    failed = (
        observation in _ERRORS
        or event.get("success") is False
        or extras.get("success") is False
        or extras.get("error") is True
    )
    yield Turn(
        "tool",
        text,
        call_id=as_text(metadata.get("tool_call_id")),
        name=as_text(metadata.get("function_name")) or observation,
        failed=failed or (isinstance(code, int) and code not in (0, -1)),
    )


def _turns_1(event: JsonObject, kind: str, notes: Notes) -> Iterator[Turn]:
    """The turns of an event of version 1."""
    if kind == "MessageEvent":
        if "llm_message" in event:
            content = said(object_in(event, "llm_message"), "content", beside=("tool_calls",))
        else:
            content = said(event, "content", beside=_OF_EVENT)
        yield Turn("user" if event.get("source") == "user" else "assistant", content_text(content))
    elif kind == "ActionEvent":
        action = object_in(event, "action")
        thought = content_text(said(event, "thought", beside=_OF_EVENT))
        elsewhere = said(event, "action", beside=_OF_EVENT | {"thought"})
        name, call_id = as_text(event.get("tool_name")), as_text(event.get("tool_call_id"))
        if name == "finish" or action.get("kind") == "FinishAction":
            spoken = said(action, "message") if action else elsewhere
            yield Turn("assistant", "\n".join(filter(None, (thought, content_text(spoken)))))
            return
        call = event.get("tool_call")
        given = call.get("arguments") if isinstance(call, dict) else None
        if not isinstance(given, str):
            done = {key: value for key, value in action.items() if key != "kind"}
            given = compact_json(done if action else elsewhere or {})
        yield Turn("assistant", thought, (ToolCall(name, given, call_id),))
    elif kind == "ACPToolCallEvent":
        yield from _called(event)
    elif kind in ("ObservationEvent", "AgentErrorEvent", "UserRejectObservation"):
        yield from _seen(event, kind)
    else:
        if not _KINDS.fullmatch(kind):
            notes.unknown_kind(kind)
        yield Turn("system", content_text(event.get("system_prompt") or event.get("error") or ""))


def _called(event: JsonObject) -> Iterator[Turn]:
    """A call of another agent's, with its result if it has ended."""
    name, call_id, status = (as_text(event.get(key)) for key in ("title", "tool_call_id", "status"))
    yield Turn("assistant", "", (ToolCall(name, argument_text(event.get("raw_input")), call_id),))
    text = content_text(event.get("raw_output") or said(event, "content", "raw_output", beside=_OF_CALL))
    failed = event.get("is_error") is True or status == "failed"
    if text or failed or status == "completed":
        yield Turn("tool", text, call_id=call_id, name=name, failed=failed)


def _seen(event: JsonObject, kind: str) -> Iterator[Turn]:
    """What came of an action, but for the end of the run."""
    seen = object_in(event, "observation")
    if seen:
        text = said(seen, "content", "output", beside=_OF_SEEN)
    else:
        text = said(event, "error", "rejection_reason", beside=_OF_EVENT)
    name = as_text(event.get("tool_name"))
    if name == "finish":
        return
    failed = (
        kind != "ObservationEvent"
        or seen.get("is_error") is True
        or seen.get("exit_code") not in (None, 0, -1)
    )
    yield Turn(
        "tool", content_text(text), call_id=as_text(event.get("tool_call_id")), name=name, failed=failed
    )
