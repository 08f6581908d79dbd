"""Sessions of the pi agent: `~/.pi/agent/sessions/--<project>--/<time>_<id>.jsonl`.

A slash command is not a task, and an aborted or failed message of the assistant's no reply. Entries of newer files form a tree (`id`,
`parentId`). A session that was copied from another holds the other's entries as they were: a run of both has one alias in both.

Of the entries `session` and `message` are read, and of the messages those of roles user, assistant and toolResult. Summaries,
what extensions put in and shell commands of the user's own are kept as turns of the system.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.adapters.traces.exchanges import Entry, Found, Session, Stop, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, Turn

__all__ = ["is_command", "read", "recognises"]


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


def is_command(text: str) -> bool:
    """Whether the user typed a slash command, which is not a task."""
    return _COMMAND.fullmatch(text.strip()) is not None


def recognises(value: JsonObject) -> bool:
    """Whether an entry is of this format."""
    return value.get("type") == "session" or (value.get("type") == "message" and "message" in value)


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message. A file may hold several sessions, one after the other."""
    session = Session(notes)
    for row in rows:
        try:
            if row.value.get("type") == "session":
                yield from session.end()
                session = Session(notes, row.value.get("id"))
            else:
                yield from session.add(_entry(row.line, row.value, notes))
        except TraceError as error:
            notes.flaw(row.line, str(error))
    yield from session.end()


def _entry(line: int, entry: JsonObject, notes: Notes) -> Entry:
    kind, identifier, parent, time = (
        entry.get("type"),
        entry.get("id"),
        entry.get("parentId", ""),
        entry.get("timestamp"),
    )
    if not isinstance(kind, str):
        raise TraceError("an entry without a type")
    stop: Stop = ""
    failure, command = "", False
    aliases: tuple[str, ...] = ()
    if kind == "message":
        message = entry.get("message")
        if not isinstance(message, dict):
            raise TraceError("its message is not an object")
        turns = _turns(message)
        if message.get("role") == "assistant":
            stop = _stop(message, turns)
            told = message.get("errorMessage")
            failure = told if stop == "failed" and isinstance(told, str) else ""
        elif message.get("role") == "user":
            aliases, command = _names(entry, message), bool(turns) and is_command(turns[0].text)
    else:
        if kind not in _QUIET:
            notes.unknown_kind(kind)
        summary = entry.get("summary") or entry.get("content")
        turns = (Turn("system", content_text(summary)),) if summary else ()
    return Entry(
        line,
        turns,
        identifier if isinstance(identifier, str) else "",
        parent if isinstance(parent, str) or parent is None else "",
        stop,
        time if isinstance(time, str) else "",
        failure,
        "",
        aliases,
        command,
    )


def _names(entry: JsonObject, message: JsonObject) -> tuple[str, ...]:
    """What an entry is called in every session that holds it: its id and when it was said, as far as they are there. A fork
    copies both; without a time it has no name, since ids of entries are short.
    """
    said = message.get("timestamp") or entry.get("timestamp")
    if not isinstance(said, str | int | float):
        return ()
    name = entry.get("id")
    return (f"pi-entry {name if isinstance(name, str) else ''}@{said}",)


def _turns(message: JsonObject) -> tuple[Turn, ...]:
    role = message.get("role")
    if role == "toolResult":
        call, name = message.get("toolCallId"), message.get("toolName")
        return (
            Turn(
                "tool",
                content_text(message.get("content")),
                call_id=call if isinstance(call, str) else "",
                name=name if isinstance(name, str) else "",
                failed=message.get("isError") is True,
            ),
        )
    if role in ("user", "assistant"):
        return turns_of_message(message)
    said = [message[key] for key in ("command", "output", "summary", "content") if message.get(key)]
    return (Turn("system", "\n".join(map(content_text, said))),) if said else ()


def _stop(message: JsonObject, turns: tuple[Turn, ...]) -> Stop:
    """Why the assistant stopped; files of old do not always say."""
    reason = message.get("stopReason")
    if isinstance(reason, str) and reason:
        return _STOPS.get(reason, "reply")
    return stop_of(turns) or "reply"
