"""Sessions of opencode, in each place where it keeps them or writes them to:

    storage/session/<project>/<session>.json   until version 1.1: the session; its messages and their parts are files beside it
    opencode.db                                 since: SQLite, tables session, message and part
    opencode export                             one object `{"info", "messages": [{"info", "parts"}]}`
    opencode run --format json                  one event a line: `{"type": "text" | "tool_use" | …, "sessionID", "part"}`

A message is one call of the model. Parts that are synthetic were put in by opencode. A fork gets new ids, so that it is told by
what was said.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
from msgspec.structs import replace

from ace.adapters.traces.exchanges import Entry, Found, Session, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, block_text, content_text
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.places import is_within
from ace.adapters.traces.said import as_text, listed, object_in, said
from ace.adapters.traces.times import from_milliseconds
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["is_database", "read", "recognises", "rows_of_database"]


_MAGIC = b"SQLite format 3\0"
_EVENTS = frozenset({"step_start", "step_finish", "text", "tool_use", "reasoning", "error", "user"})
_QUIET_PARTS = frozenset({"reasoning", "step-start", "step-finish", "snapshot", "patch", "retry", "agent"})
_ENDED = frozenset({"completed", "error"})
_OF_TOOL = frozenset({"tool", "state", "metadata"})
_OF_STATE = frozenset({"input", "output", "error", "title", "raw", "attachments"})


def is_database(head: bytes) -> bool:
    """Whether a file that begins so is opencode's database."""
    return head.startswith(_MAGIC)


def recognises(value: JsonObject) -> bool:
    """Whether an object is of this format."""
    info = value.get("info")
    if isinstance(info, dict) and isinstance(value.get("messages"), list):
        return "id" in info or "time" in info
    kind = value.get("type")
    if isinstance(value.get("sessionID"), str) and isinstance(kind, str) and kind in _EVENTS:
        return True
    return _is_session(value)


def _is_session(value: JsonObject) -> bool:
    """Whether an object is a session, whose messages are in files beside it."""
    if not isinstance(value.get("id"), str) or not isinstance(value.get("time"), dict):
        return False
    return "projectID" in value or ("title" in value and ("directory" in value or "version" in value))


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its session, or of its first event."""
    events: list[Row] = []
    for row in rows:
        value = row.value
        try:
            if isinstance(value.get("type"), str) and "messages" not in value and not _is_session(value):
                events.append(row)
            elif isinstance(value.get("messages"), list):
                yield from _session(row.line, value.get("info"), value["messages"], notes)
            elif _is_session(value):
                yield from _session(row.line, value, _beside(notes.path, str(value["id"]), notes), notes)
            else:
                notes.flaw(row.line, "neither a session nor an event of one")
        except TraceError as error:
            notes.flaw(row.line, str(error))
    if events:
        yield from _of_events(events, notes)


# --- where the messages are -----------------------------------------------------------------------------------------


def _beside(path: Path, session: str, notes: Notes) -> Iterator[JsonObject]:
    """The messages of a session whose file is at `path`, from the files beside it. Until version 0.6 all of them lay below
    `storage/session`, and the parts of a session in a folder of its own.
    """
    session = Path(session).name
    for storage in list(path.resolve().parents)[:4]:
        folder = storage / "message" / session
        if folder.is_dir():
            break
    else:
        notes.left_out(1, "its messages are not beside it")
        return
    found = [
        (file, info) for file in sorted(folder.glob("*.json")) if (info := _json(file, notes)) is not None
    ]
    for file, info in sorted(found, key=lambda each: _created(each[1])):
        names = dict.fromkeys((Path(str(info.get("id") or file.stem)).name, file.stem))
        folders = [storage / "part" / below / name for name in names for below in ("", session)]
        files = next((held for each in folders if (held := sorted(each.glob("*.json")))), [])
        parts = [part for each in files if (part := _json(each, notes)) is not None]
        if not files:
            flat = [
                part
                for each in sorted((storage / "part").glob("*.json"))
                if (part := _json(each, notes)) is not None
            ]
            parts = [part for part in flat if part.get("messageID") in names]
        yield {"info": info, "parts": parts}


def _created(info: JsonObject) -> float:
    time = info.get("time")
    created = time.get("created") if isinstance(time, dict) else None
    return created if isinstance(created, int | float) else 0


def _json(path: Path, notes: Notes) -> Any:
    try:
        value = msgspec.json.decode(path.read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        notes.left_out(1, f"{path.parent.name}/{path.name} beside it cannot be read")
        return None
    return value if isinstance(value, dict) else None


def rows_of_database(path: Path, within: Path | None = None) -> Iterator[Row]:
    """Yield each session of a database, if it was held within this folder, as what `opencode export` writes. Raises `TraceError`
    if it is none of opencode's.
    """
    address = f"file:{quote(str(path.resolve()))}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as base:
            sessions = base.execute(
                "SELECT id, parent_id, directory, time_updated FROM session ORDER BY time_created, id"
            ).fetchall()
            for number, (session, parent, directory, updated) in enumerate(sessions, 1):
                if within is not None and not is_within(directory, within):
                    continue
                info = {
                    "id": session,
                    "parentID": parent,
                    "directory": directory,
                    "time": {"updated": updated},
                }
                yield Row(number, {"info": info, "messages": list(_messages(base, session))})
    except sqlite3.Error:
        raise TraceError(
            f"{path} is not a database of opencode's, or is damaged: name a session's file"
        ) from None


def _messages(base: sqlite3.Connection, session: str) -> Iterator[JsonObject]:
    query = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id"
    for message, data in base.execute(query, (session,)).fetchall():
        parts = base.execute(
            "SELECT id, data FROM part WHERE message_id = ? ORDER BY id", (message,)
        ).fetchall()
        yield {"info": _row(message, data), "parts": [_row(part, inner) for part, inner in parts]}


def _row(identifier: str, data: Any) -> JsonObject:
    try:
        value = msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, TypeError):
        value = {}
    return {**(value if isinstance(value, dict) else {}), "id": identifier}


# --- a session ------------------------------------------------------------------------------------------------------


def _session(line: int, info: Any, messages: Any, notes: Notes) -> Iterator[Found]:
    info = info if isinstance(info, dict) else {}
    if info.get("parentID"):
        notes.passed_over("a sub-agent's session")
        return
    session = Session(notes, info.get("id"), by_digest=True)
    for number, message in enumerate(messages, 1):
        try:
            yield from session.add(_entry(line, message))
        except TraceError as error:
            notes.left_out(line, f"message {number}: {error}")
    yield from session.end()


def _entry(line: int, message: Any) -> Entry:
    if not isinstance(message, dict):
        raise TraceError("not an object")
    info = message.get("info", message)
    if not isinstance(info, dict):
        raise TraceError("its info is not an object")
    parts = listed(message, "parts")
    if "info" in message and (elsewhere := said(message, "parts", beside=("info",))) and not parts:
        parts = [elsewhere]
    role, name = info.get("role"), info.get("id")
    time = info.get("time")
    time = from_milliseconds(time.get("completed") or time.get("created")) if isinstance(time, dict) else ""
    placed = Entry(line, time=time, name=name if isinstance(name, str) else "")
    if role == "user":
        return replace(placed, turns=tuple(_asked(parts)))
    if role != "assistant":
        raise TraceError("its role is not one of user, assistant")
    turns = tuple(_answered(parts))
    if info.get("summary") is True:
        return replace(placed, turns=tuple(Turn("system", turn.text) for turn in turns), name="")
    error = info.get("error")
    if isinstance(error, dict):
        if error.get("name") == "MessageAbortedError":
            return replace(placed, turns=turns, stop="aborted", name="")
        return replace(placed, turns=turns, stop="failed", name="", failure=_told(error))
    stop = stop_of([turn for turn in turns if turn.role == "assistant"])
    if stop == "calls" and turns[-1].role == "tool" and info.get("finish") == "stop":
        stop = "reply"
    return replace(placed, turns=turns, stop=stop, name="")


def _told(error: JsonObject) -> str:
    data = error.get("data")
    message = data.get("message") if isinstance(data, dict) else error.get("message")
    return message if isinstance(message, str) and message else str(error.get("name") or "an error")


def _asked(parts: list[Any]) -> Iterator[Turn]:
    texts: list[str] = []
    for part in parts:
        kind = _kind(part)
        if kind == "text" and (part.get("synthetic") is True or part.get("ignored") is True):
            yield Turn("system", content_text(said(part, "text")))
        elif kind == "text":
            texts.append(content_text(said(part, "text")))
        elif kind == "compaction":
            yield Turn("system", "[compaction]")
        elif kind not in _QUIET_PARTS:
            texts.append(_shown(part))
    if texts:
        yield Turn("user", "\n".join(texts))


def _answered(parts: list[Any]) -> Iterator[Turn]:
    """The turns of one message: what was said, with the calls, then the results; text behind a result is a turn of its own."""
    texts: list[str] = []
    calls: list[ToolCall] = []
    results: list[Turn] = []
    for part in parts:
        kind = _kind(part)
        if kind == "tool":
            call, result = _tool(part)
            calls.append(call)
            results += result
        elif kind == "compaction" or kind in _QUIET_PARTS:
            continue
        else:
            if calls:
                yield Turn("assistant", "\n".join(texts), tuple(calls))
                yield from results
                texts, calls, results = [], [], []
            texts.append(content_text(said(part, "text")) if kind == "text" else _shown(part))
    if texts or calls:
        yield Turn("assistant", "\n".join(texts), tuple(calls))
    yield from results


def _kind(part: Any) -> str:
    return as_text(part.get("type")) if isinstance(part, dict) else ""


def _tool(part: JsonObject) -> tuple[ToolCall, list[Turn]]:
    state = object_in(part, "state")
    name, call_id = as_text(part.get("tool")), as_text(part.get("callID") or part.get("id"))
    given = (
        said(state, "input", beside=_OF_STATE) if "state" in part else said(part, "state", beside=_OF_TOOL)
    )
    call = ToolCall(name, argument_text(given), call_id)
    if as_text(state.get("status")) not in _ENDED and "output" not in state and "error" not in state:
        return call, []
    failed = state.get("status") == "error" or bool(state.get("error"))
    keys = ("error", "output") if failed and state.get("error") else ("output",)
    texts = [content_text(said(state, *keys, beside=_OF_STATE))]
    texts += map(_shown, listed(state, "attachments"))
    metadata = state.get("metadata")
    code = metadata.get("exit") if isinstance(metadata, dict) else None
    return call, [
        Turn(
            "tool",
            "\n".join(filter(None, texts)),
            call_id=call_id,
            name=name,
            failed=failed or code not in (None, 0),
        )
    ]


def _shown(part: Any) -> str:
    if isinstance(part, dict) and part.get("type") == "file":
        media = part.get("mime")
        kind = media if isinstance(media, str) and media else "file"
        return block_text(
            {
                "type": kind.partition("/")[0] if "/" in kind else "file",
                "mime": kind,
                **{k: part[k] for k in ("filename", "url") if k in part},
            }
        )
    return block_text(part)


def _of_events(events: list[Row], notes: Notes) -> Iterator[Found]:
    """The run of what `opencode run --format json` printed."""
    session = Session(notes, events[0].value.get("sessionID"), headless=True)
    parts: list[Any] = []
    for row in [*events, Row(events[-1].line, {"type": "step_finish"})]:
        kind, part = row.value.get("type"), row.value.get("part")
        if kind in ("text", "tool_use", "reasoning"):
            parts.append(part)
        elif kind == "user":
            yield from session.add(
                Entry(row.line, tuple(_asked([part or {"type": "text", "text": row.value.get("text")}])))
            )
        elif kind == "error":
            error = row.value.get("error")
            told = _told(error) if isinstance(error, dict) else "an error"
            yield from session.add(Entry(row.line, stop="failed", failure=told))
        elif kind in ("step_start", "step_finish"):
            turns, parts = tuple(_answered(parts)), []
            spoken = [turn for turn in turns if turn.role == "assistant"]
            if turns:
                yield from session.add(Entry(row.line, turns, stop=stop_of(spoken)))
        else:
            notes.unknown_kind(kind)
    yield from session.end(closed=True)
