"""Sessions of GitHub Copilot's command line: `~/.copilot/session-state/<session>/events.jsonl`. (Older ones, in
`history-session-state`, are records of chat messages.)

An event is `{"type", "data", "id", "timestamp", "parentId"}`. A message of the assistant's holds its calls; their results are events of
their own. What a sub-agent says and does names the call that it works for, and is seen as that call's result.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ace.adapters.traces.exchanges import Entry, Found, Session, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, content_text
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.said import as_text, listed, said
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["read", "recognises"]


_KINDS = re.compile(r"(?:session|user|assistant|tool|hook|subagent|system|skill|permission)\.\w+|abort")
_QUIET = re.compile(
    r"session\.\w+|assistant\.(?:turn_\w+|intent|usage|reasoning\w*|\w+_delta)|hook\.\w+|subagent\.\w+|skill\.\w+|permission\.\w+"
    r"|tool\.(?:execution_(?:start|progress|partial_result)|user_requested)|pending_\w+\.\w+"
)
"""Events that say nothing which no message or result says."""

_SYSTEM = frozenset({"system.message", "system.notification", "session.info", "session.warning"})
_OF_MESSAGE = frozenset(
    {
        "content",
        "toolRequests",
        "transformedContent",
        "attachments",
        "interactionId",
        "messageId",
        "turnId",
        "requestId",
        "apiCallId",
        "clientRequestId",
        "serviceRequestId",
        "parentToolCallId",
        "phase",
        "reasoningText",
        "reasoningOpaque",
        "encryptedContent",
    }
)


def recognises(value: JsonObject) -> bool:
    """Whether an object is an event of such a session."""
    kind = value.get("type")
    return (
        isinstance(kind, str) and isinstance(value.get("data"), dict) and _KINDS.fullmatch(kind) is not None
    )


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message. A file may hold several sessions, one after the other."""
    session = Session(notes)
    closed = False
    for row in rows:
        try:
            kind, data = _event(row.value)
            if kind == "session.start":
                yield from session.end(closed=closed)
                session = Session(notes, data.get("sessionId"))
            closed = kind == "session.shutdown"
            if data.get("parentToolCallId") is None:
                yield from session.add(_entry(row, kind, data, notes))
        except TraceError as error:
            notes.flaw(row.line, str(error))
    yield from session.end(closed=closed)


def _event(value: JsonObject) -> tuple[str, JsonObject]:
    kind, data = value.get("type"), value.get("data")
    if not isinstance(kind, str):
        raise TraceError("an event without a type")
    if isinstance(data, dict):
        return kind, data
    if _KINDS.fullmatch(kind):
        raise TraceError("its data is not an object")
    return kind, {}


def _entry(row: Row, kind: str, data: JsonObject, notes: Notes) -> Entry:
    identifier, time = row.value.get("id"), row.value.get("timestamp")
    entry = Entry(row.line, time=time if isinstance(time, str) else "")
    if kind == "user.message":
        kept, taken = without_tags(content_text(said(data, "content", beside=_OF_MESSAGE)))
        turns = [Turn("system", taken)] * bool(taken) + [Turn("user", kept)] * bool(kept)
        entry = replace(entry, turns=turns, name=identifier if kept and isinstance(identifier, str) else "")
    elif kind == "assistant.message":
        notes.unread(data, _OF_MESSAGE)
        text = content_text(said(data, "content", beside=_OF_MESSAGE))
        turn = Turn("assistant", text, tuple(map(_call, listed(data, "toolRequests"))))
        entry = replace(entry, turns=(turn,) if text or turn.calls else (), stop=stop_of((turn,)))
    elif kind == "tool.execution_complete":
        entry = replace(entry, turns=(_result(data),))
    elif kind == "abort":
        entry = replace(entry, stop="aborted")
    elif kind == "session.error":
        entry = replace(entry, stop="failed", failure=as_text(data.get("message")) or "an error")
    elif kind in _SYSTEM:
        told = content_text(said(data, "content", "message"))
        entry = replace(entry, turns=(Turn("system", told),) if told else ())
    elif not _QUIET.fullmatch(kind):
        notes.unknown_kind(kind)
    return entry


def _call(request: Any) -> ToolCall:
    if not isinstance(request, dict):
        raise TraceError("a tool request is not an object")
    given = said(request, "arguments", beside=("intentionSummary", "toolTitle"))
    return ToolCall(as_text(request.get("name")), argument_text(given), as_text(request.get("toolCallId")))


def _result(data: JsonObject) -> Turn:
    """A call's result, or its error: the text that the model got, and not the longer one that was shown."""
    error = data.get("error")
    result = data.get("result", error) if data.get("success") is not False or error is None else error
    if isinstance(result, dict):
        result = said(result, "content", "message", "detailedContent")
    elif result is None:
        result = said(
            data, "result", "error", beside=("interactionId", "turnId", "toolTelemetry", "parentToolCallId")
        )
    failed = data.get("success") is False or bool(error)
    return Turn(
        "tool",
        content_text(result),
        call_id=as_text(data.get("toolCallId")),
        name=as_text(data.get("toolName")),
        failed=failed,
    )
