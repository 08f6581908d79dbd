"""Sessions of Gemini CLI: `~/.gemini/tmp/<project>/chats/session-*.json` and, since version 0.30, `.jsonl`.

One object holds the session and its `messages`; in JSON Lines the first line holds the session, and each other a message (written
again under its id when it grows), a change of the session (`$set`), or a way back (`$rewindTo`). A message of type `gemini` holds
calls together with their results.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from ace.adapters.traces.dialects.gemini import messages_of_parts
from ace.adapters.traces.exchanges import Entry, Found, Session, Stop, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.pi import is_command
from ace.adapters.traces.said import listed, said
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["read", "recognises"]


_INJECTED = ("This is the Gemini CLI. We are setting up the context", "<session_context>", "<state_snapshot>")
_EXIT = re.compile(r"(?:^|\n)Exit Code: *(?!0\b)-?\d")
_CANCELLED = ("Request cancelled", "User cancelled", "Operation cancelled")
_TOLD = frozenset({"info", "warning", "error"})
_OF_SESSION = frozenset(
    {
        "sessionId",
        "projectHash",
        "startTime",
        "lastUpdated",
        "summary",
        "memoryScratchpad",
        "directories",
        "messages",
    }
)
_OF_MESSAGE = frozenset({"content", "parts", "displayContent", "toolCalls", "thoughts"})
_OF_CALL = frozenset(
    {"args", "result", "resultDisplay", "displayName", "description", "renderOutputAsMarkdown", "agentId"}
)


def recognises(value: JsonObject) -> bool:
    """Whether an object is of this format."""
    if (
        "sessionId" in value
        and ("projectHash" in value or "startTime" in value)
        and "chatMessages" not in value
    ):
        return True
    messages = value.get("messages")
    first = messages[0] if isinstance(messages, list) and messages else None
    return (
        "sessionId" in value and isinstance(first, dict) and first.get("type") in ("user", "gemini", "info")
    )


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message. A session is held as a whole: its messages are written again."""
    info: dict[str, Any] = {}
    messages: dict[object, tuple[int, JsonObject]] = {}
    for row in rows:
        value = row.value
        if isinstance(value.get("$rewindTo"), str):
            _rewind(messages, value["$rewindTo"])
        elif isinstance(value.get("$set"), dict):
            if isinstance(value["$set"].get("messages"), list):
                messages.clear()
                _take(row.line, value["$set"]["messages"], messages, notes)
            info |= value["$set"]
        elif "sessionId" in value and "type" not in value:
            try:
                held = listed(value, "messages")
            except TraceError as error:
                notes.flaw(row.line, str(error))
                continue
            if held and messages:
                yield from _session(info, messages, notes)  # several sessions in one file
                messages = {}
            _take(row.line, held, messages, notes)
            notes.unread(value, _OF_SESSION)
            info |= value
        elif isinstance(value.get("type"), str) and any(
            key in value for key in ("content", "parts", "toolCalls")
        ):
            _take(row.line, [value], messages, notes)
        else:
            notes.flaw(row.line, "neither a session nor a message of one")
    yield from _session(info, messages, notes)


def _take(line: int, given: list[Any], messages: dict[object, tuple[int, JsonObject]], notes: Notes) -> None:
    for number, message in enumerate(given, 1):
        if not isinstance(message, dict):
            notes.left_out(line, f"message {number}: not an object")
            continue
        identifier = message.get("id")
        key = identifier if isinstance(identifier, str) else (line, number)
        first = messages.get(key, (line, message))[0]
        messages[key] = first, message


def _rewind(messages: dict[object, tuple[int, JsonObject]], to: str) -> None:
    keys = list(messages)
    for key in keys[keys.index(to) if to in messages else 0 :]:
        del messages[key]


def _session(
    info: JsonObject, messages: Mapping[object, tuple[int, JsonObject]], notes: Notes
) -> Iterator[Found]:
    if info.get("kind") == "subagent":
        notes.passed_over("a sub-agent's session")
        return
    session = Session(notes, info.get("sessionId"))
    for line, message in messages.values():
        try:
            yield from session.add(_entry(line, message, notes))
        except TraceError as error:
            notes.left_out(line, str(error))
    yield from session.end()


def _entry(line: int, message: JsonObject, notes: Notes) -> Entry:
    notes.unread(message, _OF_MESSAGE)
    kind, identifier, time = message.get("type"), message.get("id"), message.get("timestamp")
    placed = Entry(line, time=time if isinstance(time, str) else "")
    if kind == "user":
        turns = list(_asked(message))
        words = [turn.text for turn in turns if turn.role == "user"]
        command = bool(words) and (is_command(words[0]) or words[0].strip() == "?")
        name = identifier if isinstance(identifier, str) and words else ""
        return replace(placed, turns=turns, name=name, command=command)
    if kind in ("gemini", "model", "assistant"):
        turns = [*_turns("assistant", said(message, "content", "parts", beside=_OF_MESSAGE))]
        calls, results = _calls(listed(message, "toolCalls"))
        if calls:
            last = turns.pop() if turns else Turn("assistant")
            turns.append(Turn(last.role, last.text, (*last.calls, *calls)))
        return replace(
            placed,
            turns=[*(turn for turn in turns if turn.text or turn.calls), *results],
            stop=stop_of(turns),
        )
    if not isinstance(kind, str) or kind not in _TOLD:
        notes.unknown_kind(kind)
    text = _text(said(message, "content", "parts", beside=_OF_MESSAGE))
    stop: Stop = "failed" if kind == "error" else ""
    if text.startswith(_CANCELLED):
        return replace(placed, turns=(Turn("system", text),), stop="aborted")
    if stop:
        return replace(placed, stop=stop, failure=text)
    return replace(placed, turns=(Turn("system", text),) if text else ())


def _asked(message: JsonObject) -> Iterator[Turn]:
    """What the user said: what was shown to the user, if what the model got holds more, such as files."""
    shown = _text(message.get("displayContent"))
    for turn in _turns("user", said(message, "content", "parts", beside=_OF_MESSAGE)):
        if turn.role != "user" or turn.text.startswith(_INJECTED):
            yield turn if turn.role != "user" else Turn("system", turn.text)
            continue
        kept, taken = without_tags(turn.text)
        if shown and shown != turn.text:
            yield Turn("system", turn.text)
            kept, taken = shown, ""
        if taken:
            yield Turn("system", taken)
        if kept:
            yield Turn("user", kept)


def _turns(role: str, content: Any) -> Iterator[Turn]:
    if content is None:
        return
    for message in messages_of_parts(role, content):
        yield from turns_of_message(message)


def _text(content: Any) -> str:
    return "\n".join(turn.text for turn in _turns("user", content))


def _calls(given: list[Any]) -> tuple[list[ToolCall], list[Turn]]:
    calls: list[ToolCall] = []
    results: list[Turn] = []
    for call in given:
        if not isinstance(call, dict):
            raise TraceError("a tool call is not an object")
        name, call_id = (value if isinstance(value := call.get(key), str) else "" for key in ("name", "id"))
        calls.append(ToolCall(name, argument_text(said(call, "args", beside=_OF_CALL)), call_id))
        failed = call.get("status") in ("error", "cancelled")
        if call.get("result") is not None:
            told = list(_turns("user", call["result"]))
            text = "\n".join(turn.text for turn in told) or content_text(call.get("resultDisplay"))
            failed = failed or any(turn.failed for turn in told) or _EXIT.search(text) is not None
            results.append(Turn("tool", text, call_id=call_id, name=name, failed=failed))
        elif (shown := said(call, "resultDisplay", "result", beside=_OF_CALL)) or failed:
            results.append(Turn("tool", content_text(shown), call_id=call_id, name=name, failed=failed))
    return calls, results
