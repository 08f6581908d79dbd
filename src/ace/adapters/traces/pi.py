"""Sessions of the pi agent: `~/.pi/agent/sessions/--<project>--/<time>_<id>.jsonl`, and what `pi --mode json` prints: its events tell a
message as it grows, and again at the end of a turn and of the run; `message_end` has it whole, once.

A slash command is not a task, and an aborted or failed message of the assistant's no reply. Entries of newer files form a tree (`id`,
`parentId`). A session that was copied from another holds the other's entries as they were: a run of both has one alias in both.

Of the entries `session` and `message` are read, and of the messages those of roles user, assistant and toolResult. Summaries,
what extensions put in and shell commands of the user's own are kept as turns of the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from ace.adapters.traces.exchanges import Entry, Found, Session, Stop, stop_of
from ace.adapters.traces.lines import Row, record_of
from ace.adapters.traces.messages import (
    Message,
    content_text,
    text_of_record,
    turns_of_message,
    turns_of_record,
)
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.said import said
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, Turn

__all__ = ["Record", "is_command", "read", "recognises"]


# A path such as /etc/hosts goes on with a second slash; a command does not, and is one line.
_COMMAND = re.compile(r"/[\w:.-]*(?:[ \t].*)?")
_STOPS: dict[str, Stop] = {"toolUse": "calls", "aborted": "aborted", "error": "failed"}
_QUIET = frozenset(
    (
        "branch_summary",
        "compaction",
        "custom",
        "custom_message",
        "label",
        "model_change",
        "session_info",
        "thinking_level_change",
    )
)
_MESSAGES = frozenset({"message", "message_end"})
_EVENTS = re.compile(
    r"(?:agent|turn)_(?:start|end)|message_(?:start|update)|tool_execution_\w+|(?:auto_)?(?:compaction|retry)_(?:start|end)|queue_update"
)
"""Events that say nothing which no `message_end` says."""


class _Message(Message, rename="camel", gc=False):
    timestamp: Any = None
    stop_reason: Any = None
    error_message: Any = None
    tool_call_id: Any = None
    tool_name: Any = None
    is_error: Any = None
    command: Any = None
    output: Any = None
    summary: Any = None


class Record(msgspec.Struct, rename="camel", gc=False):
    """What is read of an entry."""

    type: Any = None
    id: Any = None
    parent_id: Any = ""
    timestamp: Any = None
    message: _Message | str | int | float | bool | list[Any] | None = None
    summary: Any = None
    content: Any = None


def is_command(text: str) -> bool:
    """Whether the user typed a slash command, which is not a task."""
    return _COMMAND.fullmatch(text.strip()) is not None


def recognises(value: JsonObject) -> bool:
    """Whether an entry is of this format."""
    kind = value.get("type")
    return kind in ("session", "agent_start") or (
        kind in ("message", "message_start", "message_end") and "message" in value
    )


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message. A file may hold several sessions, one after the other."""
    session = Session(notes)
    for row in rows:
        try:
            record = row.value
            if type(record) is not Record:
                record = record_of(Record, record)
            if record.type == "session":
                yield from session.end()
                session = Session(notes, record.id)
            elif found := session.add(_entry(row.line, record, notes)):
                yield from found
        except TraceError as error:
            notes.flaw(row.line, str(error))
    yield from session.end()


def _entry(line: int, entry: Record, notes: Notes) -> Entry:
    kind, identifier, parent, time = entry.type, entry.id, entry.parent_id, entry.timestamp
    if type(kind) is not str:
        raise TraceError("an entry without a type")
    stop: Stop = ""
    failure, command = "", False
    aliases: tuple[str, ...] = ()
    if kind in _MESSAGES:
        given: Any = entry.message
        fits = type(given) is _Message
        if not fits and not isinstance(given, dict):
            raise TraceError("its message is not an object")
        message: _Message = given if fits else record_of(_Message, {"content": _elsewhere(given), **given})
        turns = _turns(message, given)
        if message.role == "assistant":
            stop = _stop(message, turns)
            if stop == "failed" and isinstance(message.error_message, str):
                failure = message.error_message
        elif message.role == "user":
            aliases, command = _names(entry, message), bool(turns) and is_command(turns[0].text)
    else:
        if _EVENTS.fullmatch(kind):
            return Entry(line)
        if kind not in _QUIET:
            notes.unknown_kind(kind)
        summary = entry.summary or entry.content
        turns = (Turn("system", content_text(summary)),) if summary else ()
    return Entry(
        line,
        turns,
        identifier if type(identifier) is str else "",
        parent if type(parent) is str or parent is None else "",
        stop,
        time if type(time) is str else "",
        failure,
        "",
        aliases,
        command,
    )


def _names(entry: Record, message: _Message) -> tuple[str, ...]:
    """What an entry is called in every session that holds it: its id and when it was said, as far as they are there. A fork
    copies both; without a time it has no name, since ids of entries are short.
    """
    when = message.timestamp or entry.timestamp
    if not isinstance(when, str | int | float):
        return ()
    return (f"pi-entry {entry.id if isinstance(entry.id, str) else ''}@{when}",)


def _turns(message: _Message, given: Any) -> Sequence[Turn]:
    """What a message says; `given` is the mapping that it was, if it does not fit."""
    role = message.role
    if role == "toolResult":
        call, name = message.tool_call_id, message.tool_name
        return (
            Turn(
                "tool",
                text_of_record(message.content),
                call_id=call if isinstance(call, str) else "",
                name=name if isinstance(name, str) else "",
                failed=message.is_error is True,
            ),
        )
    if role in ("user", "assistant"):
        return turns_of_record(role, message) if given is message else turns_of_message(given)
    if not isinstance(role, str):
        raise TraceError("its message has no role")
    told = filter(None, (message.command, message.output, message.summary, message.content))
    text = "\n".join(map(text_of_record, told))
    return (Turn("system", text),) if text else ()


def _elsewhere(message: JsonObject) -> Any:
    """What a message says that has no content; of the roles that are read a result, the others have their own keys."""
    known = ("details", "command", "output", "summary", "errorMessage")
    return said(message, "content", beside=known) if message.get("role") == "toolResult" else ""


def _stop(message: _Message, turns: Sequence[Turn]) -> Stop:
    """Why the assistant stopped; files of old do not always say."""
    reason = message.stop_reason
    if isinstance(reason, str) and reason:
        return _STOPS.get(reason, "reply")
    return stop_of(turns) or "reply"
