"""Sessions of Factory's Droid: `~/.factory/sessions/<project>/<session>.jsonl`, and what `droid exec -o stream-json` prints.

session_start, message, …, session_end             the store: messages as Anthropic writes them, with `id` and `parentId`
system, message, tool_call, tool_result, completion what exec prints
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from ace.adapters.traces.exchanges import Entry, Found, Session, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.said import as_text, said
from ace.adapters.traces.tags import without_tags
from ace.adapters.traces.times import from_milliseconds
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["read", "recognises"]


_QUIET = frozenset(
    ("system", "todo_state", "compaction_state", "session_title", "settings", "reasoning", "mission_state")
)
_FAILED = re.compile(r"Error: (?:Command failed|Tool execution)|.{0,40}\(exit code: [1-9]")
_OF_TOOL = frozenset({"toolId", "messageId"})
_SUB_AGENT = "# Task Tool Invocation"


def recognises(value: JsonObject) -> bool:
    """Whether a record is of this format."""
    kind = value.get("type")
    if kind == "session_start":
        return "id" in value or "cwd" in value
    session = "session_id" in value or "sessionId" in value
    match kind:
        case "system":
            return session and "message" not in value and "id" in value and "uuid" not in value
        case "message":
            return session and "text" in value
        case "tool_call" | "tool_result":
            return session and ("toolName" in value or "toolId" in value or "isError" in value)
        case "completion":
            return "finalText" in value
    return False


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message."""
    session = Session(notes)
    closed = False
    for row in rows:
        kind = row.value.get("type")
        try:
            if kind == "session_start":
                yield from session.end(closed=closed)
                session, closed = Session(notes, row.value.get("id")), False
                if _is_sub_agent(row.value):
                    notes.passed_over("a sub-agent's session")
                    return
            else:
                kind = _kind(row.value)
                given = row.value.get("session_id") or row.value.get("sessionId")
                session.name = session.name or (given if isinstance(given, str) else "")
                closed = closed or kind in ("session_end", "completion")
                if kind == "completion" and session.waits and as_text(row.value.get("finalText")):
                    final = Turn("assistant", as_text(row.value.get("finalText")))
                    yield from session.add(Entry(row.line, (final,), stop="reply"))
                yield from session.add(_entry(row.line, row.value, kind, notes))
        except TraceError as error:
            notes.flaw(row.line, str(error))
    yield from session.end(closed=closed)


def _kind(value: JsonObject) -> str:
    kind = value.get("type")
    if not isinstance(kind, str):
        raise TraceError("a record without a type")
    return kind


def _is_sub_agent(start: JsonObject) -> bool:
    title = start.get("title")
    return bool(start.get("callingSessionId")) or (isinstance(title, str) and title.startswith(_SUB_AGENT))


def _entry(line: int, value: JsonObject, kind: str, notes: Notes) -> Entry:
    identifier, parent, time = value.get("id"), value.get("parentId", ""), value.get("timestamp")
    placed = Entry(
        line,
        id=identifier if isinstance(identifier, str) else "",
        parent=parent if isinstance(parent, str) or parent is None else "",
        time=time if isinstance(time, str) else from_milliseconds(time),
    )
    if kind == "message":
        return _message(placed, value)
    if kind == "tool_call":
        call = ToolCall(
            as_text(value.get("toolName") or value.get("toolId")),
            argument_text(said(value, "parameters", "input", beside=_OF_TOOL)),
            as_text(value.get("toolCallId") or value.get("id")),
        )
        return replace(placed, id="", turns=(Turn("assistant", "", (call,)),), stop="calls")
    if kind == "tool_result":
        content = said(value, "value", "result", "content", "error", beside=_OF_TOOL)
        text = content_text(content)
        code = content.get("exitCode") if isinstance(content, dict) else None
        failed = value.get("isError") is True or bool(value.get("error")) or code not in (None, 0)
        turn = Turn("tool", text, call_id=as_text(value.get("toolCallId") or value.get("id")), failed=failed)
        return replace(placed, id="", turns=(turn,))
    if kind == "error":
        return replace(placed, id="", stop="failed", failure=as_text(value.get("message")) or "an error")
    if kind not in _QUIET and kind not in ("completion", "session_end"):
        notes.unknown_kind(kind)
    return placed


def _message(placed: Entry, value: JsonObject) -> Entry:
    message = value.get("message", value)
    if not isinstance(message, dict):
        raise TraceError("its message is not an object")
    if "text" in message and "content" not in message:
        message = {**message, "content": message["text"]}
    spoken = turns_of_message(message)
    hidden = message.get("visibility") == "llm_only" or value.get("visibility") == "llm_only"
    turns: list[Turn] = []
    for turn in spoken:
        if turn.role != "user":
            failed = turn.failed or (turn.role == "tool" and _FAILED.match(turn.text) is not None)
            turns.append(msgspec.structs.replace(turn, failed=failed) if failed else turn)
            continue
        kept, taken = ("", turn.text) if hidden else without_tags(turn.text)
        turns += [Turn("system", taken)] * bool(taken) + [Turn("user", kept)] * bool(kept)
    if message.get("role") == "assistant":
        shown = [turn for turn in turns if turn.text or turn.calls]
        return replace(placed, turns=shown, stop=stop_of(shown))
    asks = any(turn.role == "user" for turn in turns)
    return replace(placed, turns=turns, name=placed.id if asks else "")
