"""Rollouts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

A record is `{"timestamp", "type", "payload"}`; before version 0.32 the payload was the whole line, behind a first line with `instructions`.
The oldest are one object, `{"session", "items"}`. What was said is in `response_item` records, items of the Responses API, and again in `event_msg` records: an event is used
only where no item says the same. Messages of role `user` are also the environment, `AGENTS.md`, skills and the like.

    session_meta       the session, and whether it is a sub-agent's; a fork holds its parent's, too
    turn_context,      the id of the turn, the same in a fork
    task_started
    compacted          a summary; the history that it replaces was there before
    thread_rolled_back the user went back a few turns
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from ace.adapters.traces.dialects import responses
from ace.adapters.traces.exchanges import Entry, Found, Place, Session, Stop, stop_of
from ace.adapters.traces.lines import Row, record_of
from ace.adapters.traces.messages import argument_text, content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.said import as_text, said
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["Record", "read", "recognises"]


_RECORDS = frozenset(
    {"session_meta", "response_item", "event_msg", "turn_context", "compacted", "world_state"}
)
_QUIET = ("world_state", "inter_agent_communication", "inter_agent_communication_metadata")
_INJECTED = (
    "# AGENTS.md instructions",
    "# CLAUDE.md instructions",
    "<environment_context>",
    "<user_instructions>",
    "<INSTRUCTIONS>",
    "Another language model started to solve this problem",
)
_REQUEST = "## My request for Codex:"
_OF_ITEM = frozenset({"action", "author", "recipient", "phase", "internal_chat_message_metadata_passthrough"})
_EXIT = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)")
_QUIET_EVENTS = re.compile(
    r"token_count|turn_(?:started|complete|diff|moderation_metadata)|task_(?:started|complete)|agent_reasoning\w*|\w+_(?:begin|end|delta|started|completed"
    r"|updated|update|connected|disconnected|applied|request|response)|stream_error|warning|\w+_warning|\w+_notice|item_\w+|entered_review_mode"
    r"|exited_review_mode|context_compacted|session_configured|raw_response_\w+|view_image_tool_call|terminal_interaction|shutdown_complete|thread_\w+"
    r"|guardian_\w+|mcp_\w+|realtime_\w+|model_\w+|sub_agent_activity|safety_buffering|collab_\w+|hook_\w+|plan_\w+|background_event"
    r"|request_\w+|user_turn|override_turn_context|conversation_path|compacted|undo_\w+|skills_\w+"
)
"""Events that say nothing which no item says."""


class _Message(msgspec.Struct, tag_field="type", tag="message", gc=False):
    role: Any
    content: Any


class _Call(msgspec.Struct, tag_field="type", tag="function_call", gc=False):
    arguments: Any
    name: Any = None
    call_id: Any = None


class _CustomCall(msgspec.Struct, tag_field="type", tag="custom_tool_call", gc=False):
    input: Any
    name: Any = None
    call_id: Any = None


class _Result(msgspec.Struct, tag_field="type", tag="function_call_output", gc=False):
    output: Any
    call_id: Any = None
    name: Any = None
    status: Any = None


class _CustomResult(_Result, tag="custom_tool_call_output", gc=False):
    pass


class _Reasoning(msgspec.Struct, tag_field="type", tag="reasoning", gc=False):
    pass


class _Tokens(msgspec.Struct, tag_field="type", tag="token_count", gc=False):
    pass


class _Told(msgspec.Struct, tag_field="type", tag="agent_message", gc=False):
    message: str


class _Asked(msgspec.Struct, tag_field="type", tag="user_message", gc=False):
    message: str


class _Started(msgspec.Struct, tag_field="type", tag="task_started", gc=False):
    turn_id: Any = None


class Record(msgspec.Struct, gc=False):
    """A record of the kinds that most are of; any other comes as a mapping."""

    type: Literal["response_item", "event_msg"]
    payload: (
        _Message
        | _Call
        | _CustomCall
        | _Result
        | _CustomResult
        | _Reasoning
        | _Tokens
        | _Told
        | _Asked
        | _Started
    )
    timestamp: str = ""


def recognises(value: JsonObject) -> bool:
    """Whether a record is of this format."""
    kind = value.get("type")
    if isinstance(kind, str) and kind in _RECORDS:
        return isinstance(value.get("payload"), dict)
    return (
        _is_whole(value)
        or value.get("record_type") == "state"
        or ("instructions" in value and "timestamp" in value and "id" in value)
    )


def _is_whole(value: JsonObject) -> bool:
    return isinstance(value.get("session"), dict) and isinstance(value.get("items"), list)


def _records(value: Any) -> Sequence[Any]:
    """The records of an object; a rollout of the oldest versions has all of its records in one."""
    if isinstance(value, dict) and _is_whole(value):
        return [{"record_type": "state", **value["session"]}, *value["items"]]
    return [value]


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message."""
    session = _Reader(notes)
    for row in rows:
        value = row.value
        for each in (value,) if type(value) is Record else _records(value):
            try:
                if type(each) is Record:
                    take = _MET[type(each.payload)]
                    if take is None:
                        continue
                    found = take(session, row.line, each.payload, each.timestamp)
                else:
                    found = session.take(row.line, each)
                if found:
                    yield from found
            except TraceError as error:
                notes.flaw(row.line, str(error))
            if session.is_sub_agent:
                notes.passed_over("a sub-agent's session")
                return
    yield from session.end()


class _Reader:
    """`_events` are what events told and no item has said yet; `_asks` and `_answers` what items said in the exchange under
    way. An event may be on the other side of the user's message than its item: `_early` counts the events from which on they belong to
    the turn that has begun, and `_unheard` is what items said in the exchange before and no event has told. `_given` is what a user said of which the item
    was not there yet.
    """

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._session = Session(notes, by_digest=True)
        self._met = False
        self._turn = ""
        self._events: list[Entry] = []
        self._asks: list[str] = []
        self._answers: set[str] = set()
        self._unheard: set[str] = set()
        self._given: set[str] = set()
        self._begun: object = None
        self._early: int | None = None
        self._places: list[Place] = []
        self.is_sub_agent = False

    def take(self, line: int, value: Any) -> Iterable[Found]:
        if not isinstance(value, dict):
            raise TraceError("an item is not an object")
        kind, payload, time = value.get("type"), value.get("payload"), value.get("timestamp")
        if not isinstance(time, str):
            time = ""
        found: Iterable[Found] = ()
        if not isinstance(payload, dict):
            found = self._bare(line, kind, value, time)
        elif kind == "response_item":
            found = self._item(line, payload, time)
        elif kind == "event_msg":
            found = self._event(line, payload, time)
        elif kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self._begin(payload.get("turn_id"))
        elif kind == "compacted":
            summary = content_text(said(payload, "message", beside=("replacement_history",)))
            found = self._add(Entry(line, (Turn("system", summary),), time=time))
        elif kind not in _QUIET:
            self._notes.unknown_kind(kind)
        return found

    def _meet(self, line: int, item: _Message, time: str) -> Iterable[Found]:
        """Take a message in a record of a kind that is met often."""
        if item.role == "user":
            return self._asked(line, item.content, time)
        if item.role == "assistant":
            return self._answered(line, Turn("assistant", content_text(item.content)), time)
        return self._item(line, {"role": item.role, "content": item.content}, time)

    def _bare(self, line: int, kind: object, value: JsonObject, time: str) -> Iterable[Found]:
        """A record of old, which has no payload but is one."""
        if (kind is None and "role" in value) or (
            isinstance(kind, str) and (kind == "message" or responses.is_item(value))
        ):
            return self._item(line, value, time)
        if "instructions" in value or value.get("record_type") == "state":
            self._meta(value)
        elif not isinstance(kind, str):
            raise TraceError("a record without a type")
        elif kind in _RECORDS:
            raise TraceError("its payload is not an object")
        else:
            self._notes.unknown_kind(kind)
        return ()

    def end(self) -> Iterator[Found]:
        yield from self._flush()
        yield from self._session.end()

    def _meta(self, meta: JsonObject) -> None:
        if self._met:
            return  # a fork holds its parent's
        self._met = True
        name = meta.get("id") or meta.get("session_id")
        self._session.name = name if isinstance(name, str) else ""
        source = meta.get("source")
        self.is_sub_agent = (
            isinstance(source, dict) and ("subagent" in source or "sub_agent" in source)
        ) or meta.get("thread_source") == "subagent"

    def _begin(self, turn: object) -> None:
        # Ids of older versions are small numbers, which come again in every session.
        if turn != self._begun:
            self._begun, self._early = turn, len(self._events)
        if isinstance(turn, str) and len(turn) >= 16:
            self._turn = turn
            self._session.name_exchange(turn)

    def _item(self, line: int, item: JsonObject, time: str) -> Iterable[Found]:
        kind = item.get("type", "message")
        if kind == "message":
            return self._message(line, item, time)
        if kind in ("function_call", "custom_tool_call"):
            given = said(item, "arguments", "input", beside=_OF_ITEM)
            return self._call(line, record_of(_Call, {**item, "arguments": given}), time)
        if kind in ("function_call_output", "custom_tool_call_output", "local_shell_call_output"):
            output = said(item, "output", beside=_OF_ITEM)
            return self._result(line, record_of(_Result, {**item, "output": output}), time)
        if kind == "agent_message":  # of another agent's
            content = content_text(said(item, "content", beside=_OF_ITEM))
            return self._add(Entry(line, (Turn("system", content),), time=time))
        found: list[Found] = []
        translated = responses.translated(item)
        for message in [{"role": "assistant", "content": [item]}] if translated is None else translated:
            for turn in turns_of_message(message):
                self._told(partial(_quotes, turn.text))
                found += self._add(Entry(line, (turn,), stop=stop_of((turn,)), time=time))
        return found

    def _call(self, line: int, item: _Call | _CustomCall, time: str) -> Iterable[Found]:
        given = item.arguments if isinstance(item, _Call) else item.input
        call = ToolCall(as_text(item.name), argument_text(given), as_text(item.call_id))
        before = self._catch_up() if self._events else ()
        found = self._session.add(Entry(line, (Turn("assistant", "", (call,)),), "", "", "calls", time))
        return (*before, *found) if before else found

    def _result(self, line: int, item: _Result, time: str) -> Iterable[Found]:
        return self._session.add(Entry(line, (_with_output(item),), "", "", "", time))

    def _message(self, line: int, item: JsonObject, time: str) -> Iterable[Found]:
        role = item.get("role")
        turn = turns_of_message(item)[-1]  # also of the user's: it raises for a content that nobody can read
        if role == "user":
            return self._asked(line, item.get("content"), time)
        if role != "assistant":
            return self._add(Entry(line, (Turn("system", turn.text),), time=time))
        return self._answered(line, turn, time)

    def _answered(self, line: int, turn: Turn, time: str) -> Iterable[Found]:
        found: list[Found] = []
        is_told = False
        if self._events:
            is_told = self._told(partial(_repeats, turn.text))
            found += self._catch_up()
        if not is_told:
            self._unheard.add(turn.text)
        self._answers.add(turn.text)
        found += self._session.add(Entry(line, (turn,), stop=stop_of((turn,)), time=time))
        return found

    def _asked(self, line: int, content: Any, time: str) -> Iterable[Found]:
        asked: list[str] = []
        turns: list[Turn] = []
        for part in _parts(content):
            text = content_text([part])
            kept, taken = _request_in(text)
            if taken:
                turns.append(Turn("system", taken))
            if kept:
                asked.append(kept)
        if not asked:
            interrupted = any("<turn_aborted>" in turn.text for turn in turns)
            return self._add(Entry(line, turns, stop="aborted" if interrupted else "", time=time))
        turn = Turn("user", "\n".join(asked))
        self._told(lambda event: event.role == "user" and event.text.strip() in turn.text)
        if turn.text in self._given:
            self._given.remove(turn.text)
            return self._add(Entry(line, turns, time=time))
        found = [*self._flush(None if self._session.waits else self._early)]
        return [*found, *self._add(Entry(line, [*turns, turn], time=time))]

    def _catch_up(self) -> list[Found]:
        """Give out what events told up to a message of the user's: what the assistant says or does comes after it."""
        numbered = enumerate(self._events, 1)
        last = max((number for number, event in numbered if event.turns[0].role == "user"), default=0)
        asked = [event.turns[0].text for event in self._events[:last]]
        self._given.update(asked)
        return [*self._flush(last)] if last else []

    def _told(self, same: Callable[[Turn], bool]) -> bool:
        """What an item says: an event that told the same is done with. Returns whether there was one."""
        told = [same(event.turns[0]) for event in self._events]
        if self._early is not None:
            self._early -= sum(told[: self._early])
        self._events = [event for event, is_told in zip(self._events, told, strict=True) if not is_told]
        return any(told)

    def _event(self, line: int, event: JsonObject, time: str) -> Iterable[Found]:
        kind, text = as_text(event.get("type")), as_text(event.get("message"))
        if kind in ("task_started", "turn_started"):
            self._begin(event.get("turn_id"))
        elif kind in ("agent_message", "user_message"):
            if not isinstance(event.get("message"), str):
                raise TraceError("its message is not a text")
            self._hear(line, kind, text, time)
        elif kind in ("turn_aborted", "error"):
            stop: Stop = "failed" if kind == "error" else "aborted"
            failure = (text or "an error") if kind == "error" else ""
            return [*self._flush(), *self._session.add(Entry(line, stop=stop, time=time, failure=failure))]
        elif kind == "thread_rolled_back":
            found = list(self._flush())
            turns = event.get("num_turns")
            self._go_back(turns if isinstance(turns, int) else 1)
            return found
        elif kind != "token_count" and not _QUIET_EVENTS.fullmatch(kind):
            self._notes.unknown_kind(kind)
        return ()

    def _hear(self, line: int, kind: str, text: str, time: str) -> None:
        """Keep what an event tells, unless an item said it."""
        if kind == "agent_message":
            if text in self._unheard:
                self._unheard.remove(text)
            elif text not in self._answers and text.strip():
                self._events.append(Entry(line, (Turn("assistant", text),), stop="reply", time=time))
            return
        kept = _request_in(text)[0].strip()
        if kept and not any(kept in asked for asked in self._asks):
            self._events.append(Entry(line, (Turn("user", kept),), time=time))

    def _tell(self, line: int, event: _Told, time: str) -> Iterable[Found]:
        self._hear(line, "agent_message", event.message, time)
        return ()

    def _ask(self, line: int, event: _Asked, time: str) -> Iterable[Found]:
        self._hear(line, "user_message", event.message, time)
        return ()

    def _start(self, _: int, event: _Started, __: str) -> Iterable[Found]:
        self._begin(event.turn_id)
        return ()

    def _flush(self, before: int | None = None) -> Iterator[Found]:
        """Give out what events told and no item did: all of them, or those before this number."""
        events, self._events = self._events[:before], self._events[before:] if before is not None else []
        self._early = None
        for entry in events:
            yield from self._add(entry)

    def _add(self, entry: Entry) -> Iterable[Found]:
        asked = [turn.text for turn in entry.turns if turn.role == "user"]
        if asked and not self._session.waits:
            self._places.append(self._session.place)
            entry = replace(entry, name=self._turn)
            self._asks.clear()
            self._unheard &= self._answers
            self._answers.clear()
        self._asks += asked
        return self._session.add(entry)

    def _go_back(self, turns: int) -> None:
        """Go on behind the exchange before the last `turns` ones."""
        turns = min(turns, len(self._places))
        if turns > 0:
            self._session.place = self._places[-turns]
            del self._places[-turns:]


_MET: dict[type, Callable[[_Reader, int, Any, str], Iterable[Found]] | None] = {
    _Message: _Reader._meet,
    _Call: _Reader._call,
    _CustomCall: _Reader._call,
    _Result: _Reader._result,
    _CustomResult: _Reader._result,
    _Told: _Reader._tell,
    _Asked: _Reader._ask,
    _Started: _Reader._start,
    _Reasoning: None,
    _Tokens: None,
}


def _repeats(text: str, event: Turn) -> bool:
    """Whether an item's text is what an event told."""
    return text == event.text or _quotes(text, event)


def _quotes(text: str, event: Turn) -> bool:
    """Whether an item's text has what an event told in a part of an unknown kind."""
    return "[block: " in text and "\n".join(f"| {line}" for line in event.text.splitlines()) in text


def _request_in(text: str) -> tuple[str, str]:
    """What the user said of a text, and what was injected. An editor puts its open files before the user's words, behind a heading."""
    if text.lstrip().startswith(_INJECTED):
        return "", text
    before, heading, request = text.partition(_REQUEST)
    if not heading:
        return without_tags(text)
    kept, taken = without_tags(request)
    return kept.strip(), "\n".join(filter(None, (before.strip(), taken)))


def _parts(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _with_output(item: _Result) -> Turn:
    """A tool's result as the tool gave it: older versions wrapped output and exit code into JSON, or into an object."""
    output, code = item.output, None
    failed = item.status in ("failed", "incomplete")
    if isinstance(output, dict) and "content" in output and "type" not in output:
        failed = failed or output.get("success") is False
        output = output["content"]
    text = output if type(output) is str else content_text(output)
    if text.startswith("{"):
        with suppress(ValueError, RecursionError):
            wrapped = json.loads(text)
            if isinstance(wrapped, dict) and isinstance(wrapped.get("output"), str):
                text = wrapped["output"]
                metadata = wrapped.get("metadata")
                code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    if code is None and "code" in (head := text[:400]) and (found := _EXIT.search(head)):
        code = int(found[1])
    failed = failed or code not in (None, 0)
    return Turn("tool", text, call_id=as_text(item.call_id), name=as_text(item.name), failed=failed)
