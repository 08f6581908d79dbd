"""Rollouts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

A record is `{"timestamp", "type", "payload"}`; before version 0.32 the payload was the whole line, behind a first line with `instructions`.
What was said is in `response_item` records, items of the Responses API, and again in `event_msg` records: an event is used
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ace.adapters.traces.dialects import responses
from ace.adapters.traces.exchanges import Entry, Found, Place, Session, Stop, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import argument_text, content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["read", "recognises"]


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
_EXIT = re.compile(r"(?:^|\n)(?:Process exited with code|Exit code:) (-?\d+)")
_QUIET_EVENTS = re.compile(
    r"token_count|turn_(?:started|complete|diff|moderation_metadata)|task_(?:started|complete)|agent_reasoning\w*|\w+_(?:begin|end|delta|started|completed"
    r"|updated|update|connected|disconnected|applied|request|response)|stream_error|warning|\w+_warning|\w+_notice|item_\w+|entered_review_mode"
    r"|exited_review_mode|context_compacted|session_configured|raw_response_\w+|view_image_tool_call|terminal_interaction|shutdown_complete|thread_\w+"
    r"|guardian_\w+|mcp_\w+|realtime_\w+|model_\w+|sub_agent_activity|safety_buffering|collab_\w+|hook_\w+|plan_\w+|background_event"
    r"|request_\w+|user_turn|override_turn_context|conversation_path|compacted|undo_\w+|skills_\w+"
)
"""Events that say nothing which no item says."""


def recognises(value: JsonObject) -> bool:
    """Whether a record is of this format."""
    kind = value.get("type")
    if isinstance(kind, str) and kind in _RECORDS:
        return isinstance(value.get("payload"), dict)
    return value.get("record_type") == "state" or (
        "instructions" in value and "timestamp" in value and "id" in value
    )


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the line of its first message."""
    session = _Reader(notes)
    for row in rows:
        try:
            yield from session.take(row.line, row.value)
        except TraceError as error:
            notes.flaw(row.line, str(error))
        if session.is_sub_agent:
            notes.passed_over("a sub-agent's session")
            return
    yield from session.end()


class _Reader:
    """`_events` are what events told and no item has said yet; `_said` what items said in the exchange under way."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._session = Session(notes, by_digest=True)
        self._met = False
        self._turn = ""
        self._events: list[Entry] = []
        self._said: list[Turn] = []
        self._places: list[Place] = []
        self.is_sub_agent = False

    def take(self, line: int, value: JsonObject) -> Iterable[Found]:
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
            found = self._add(Entry(line, (Turn("system", _text(payload.get("message"))),), time=time))
        elif kind not in _QUIET:
            self._notes.unknown_kind(kind)
        return found

    def _bare(self, line: int, kind: object, value: JsonObject, time: str) -> Iterable[Found]:
        """A record of old, which has no payload but is one."""
        if isinstance(kind, str) and (kind == "message" or responses.is_item(value)):
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
        if isinstance(turn, str) and len(turn) >= 16:
            self._turn = turn
            self._session.name_exchange(turn)

    def _item(self, line: int, item: JsonObject, time: str) -> Iterable[Found]:
        kind = item.get("type", "message")
        if kind == "message":
            return self._message(line, item, time)
        if kind in ("function_call", "custom_tool_call"):
            said = item.get("arguments", item.get("input"))
            call = ToolCall(_text(item.get("name")), argument_text(said), _text(item.get("call_id")))
            return self._session.add(Entry(line, (Turn("assistant", "", (call,)),), stop="calls", time=time))
        if kind in ("function_call_output", "custom_tool_call_output"):
            shown = _with_output(_text(item.get("call_id")), _text(item.get("name")), item)
            return self._session.add(Entry(line, (shown,), time=time))
        if kind == "agent_message":  # of another agent's
            return self._add(Entry(line, (Turn("system", content_text(item.get("content"))),), time=time))
        found: list[Found] = []
        for message in responses.translated(item) or [{"role": "assistant", "content": [item]}]:
            for turn in turns_of_message(message):
                found += self._add(Entry(line, (turn,), stop=stop_of((turn,)), time=time))
        return found

    def _message(self, line: int, item: JsonObject, time: str) -> Iterable[Found]:
        role = item.get("role")
        if role == "user":
            return self._asked(line, item, time)
        (turn,) = turns_of_message(item)[-1:]
        if role != "assistant":
            return self._add(Entry(line, (Turn("system", turn.text),), time=time))
        self._told(lambda event: event.text == turn.text)
        self._said.append(turn)
        return self._session.add(Entry(line, (turn,), stop=stop_of((turn,)), time=time))

    def _asked(self, line: int, item: JsonObject, time: str) -> Iterable[Found]:
        asked: list[str] = []
        turns: list[Turn] = []
        for part in _parts(item.get("content")):
            text = content_text([part])
            kept, taken = ("", text) if text.lstrip().startswith(_INJECTED) else without_tags(text)
            if taken:
                turns.append(Turn("system", taken))
            if kept:
                asked.append(kept)
        if not asked:
            interrupted = any("<turn_aborted>" in turn.text for turn in turns)
            return self._add(Entry(line, turns, stop="aborted" if interrupted else "", time=time))
        turn = Turn("user", "\n".join(asked))
        self._told(lambda event: event.role == "user" and event.text.strip() in turn.text)
        found = [*self._flush()]
        if not self._session.waits:
            self._said.clear()
        self._said.append(turn)
        return [*found, *self._add(Entry(line, [*turns, turn], time=time))]

    def _told(self, same: Callable[[Turn], bool]) -> None:
        """What an item says: an event that told the same is done with."""
        self._events = [event for event in self._events if not same(event.turns[0])]

    def _event(self, line: int, event: JsonObject, time: str) -> Iterable[Found]:
        kind, text = _text(event.get("type")), _text(event.get("message"))
        if kind in ("task_started", "turn_started"):
            self._begin(event.get("turn_id"))
        elif kind in ("agent_message", "user_message"):
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
            if text.strip() and not any(
                said.role == "assistant" and said.text == text for said in self._said
            ):
                self._events.append(Entry(line, (Turn("assistant", text),), stop="reply", time=time))
            return
        kept = "" if text.lstrip().startswith(_INJECTED) else without_tags(text)[0].strip()
        if kept and not any(said.role == "user" and kept in said.text for said in self._said):
            self._events.append(Entry(line, (Turn("user", kept),), time=time))

    def _flush(self) -> Iterator[Found]:
        events, self._events = self._events, []
        for entry in events:
            yield from self._add(entry)

    def _add(self, entry: Entry) -> Iterable[Found]:
        asks = any(turn.role == "user" for turn in entry.turns)
        if asks and not self._session.waits:
            self._places.append(self._session.place)
            entry = entry._replace(name=self._turn)
        return self._session.add(entry)

    def _go_back(self, turns: int) -> None:
        """Go on behind the exchange before the last `turns` ones."""
        turns = min(turns, len(self._places))
        if turns > 0:
            self._session.place = self._places[-turns]
            del self._places[-turns:]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _parts(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _with_output(call: str, name: str, item: JsonObject) -> Turn:
    """A tool's result as the tool gave it: older versions wrapped output and exit code into JSON, or into an object."""
    output, code = item.get("output"), None
    failed = item.get("status") in ("failed", "incomplete")
    if isinstance(output, dict) and "content" in output and "type" not in output:
        failed = failed or output.get("success") is False
        output = output["content"]
    text = content_text(output)
    if text.startswith("{"):
        with suppress(ValueError, RecursionError):
            wrapped = json.loads(text)
            if isinstance(wrapped, dict) and isinstance(wrapped.get("output"), str):
                text = wrapped["output"]
                metadata = wrapped.get("metadata")
                code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    if code is None and (found := _EXIT.search(text[:400])):
        code = int(found[1])
    return Turn("tool", text, call_id=call, name=name, failed=failed or code not in (None, 0))
