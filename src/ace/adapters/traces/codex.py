"""Rollouts of Codex: `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`.

A record is `{"timestamp", "type", "payload"}`; before version 0.32 the payload stood alone, behind a first line with `instructions`.
What was said stands in `response_item` records, items of the Responses API, and again in `event_msg` records: an event is used
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
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from ace.adapters.traces.dialects import responses
from ace.adapters.traces.exchanges import Entry, Found, Place, Session, stop_of
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import Turn

__all__ = ["read", "recognises"]

type _Object = Mapping[str, Any]

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


def recognises(value: _Object) -> bool:
    """Whether a record is of this format."""
    kind = value.get("type")
    if isinstance(kind, str) and kind in _RECORDS:
        return isinstance(value.get("payload"), Mapping)
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
        self._events: list[tuple[Entry, str]] = []
        self._said: set[tuple[str, str]] = set()
        self._places: list[Place] = []
        self.is_sub_agent = False

    def take(self, line: int, value: _Object) -> Iterator[Found]:
        kind, payload = value.get("type"), value.get("payload")
        time = value.get("timestamp")
        time = time if isinstance(time, str) else ""
        if not isinstance(payload, Mapping):
            yield from self._bare(line, kind, value, time)
        elif kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            self._begin(payload.get("turn_id"))
        elif kind == "response_item":
            yield from self._item(line, payload, time)
        elif kind == "event_msg":
            yield from self._event(line, payload, time)
        elif kind == "compacted":
            summary = payload.get("message")
            turn = Turn("system", summary if isinstance(summary, str) else "")
            yield from self._add(Entry(line, (turn,), time=time))
        elif kind not in _QUIET:
            self._notes.unknown_kind(kind)

    def _bare(self, line: int, kind: object, value: _Object, time: str) -> Iterator[Found]:
        """A record of old, which has no payload but is one."""
        if isinstance(kind, str) and (kind == "message" or responses.is_item(value)):
            yield from self._item(line, value, time)
        elif "instructions" in value or value.get("record_type") == "state":
            self._meta(value)
        elif not isinstance(kind, str):
            raise TraceError("a record without a type")
        elif kind in _RECORDS:
            raise TraceError("its payload is not an object")
        else:
            self._notes.unknown_kind(kind)

    def end(self) -> Iterator[Found]:
        yield from self._flush()
        yield from self._session.end()

    def _meta(self, meta: _Object) -> None:
        if self._met:
            return  # a fork holds its parent's
        self._met = True
        name = meta.get("id") or meta.get("session_id")
        self._session.name = name if isinstance(name, str) else ""
        source = meta.get("source")
        self.is_sub_agent = (
            isinstance(source, Mapping) and ("subagent" in source or "sub_agent" in source)
        ) or meta.get("thread_source") == "subagent"

    def _begin(self, turn: object) -> None:
        # Ids of older versions are small numbers, which come again in every session.
        if isinstance(turn, str) and len(turn) >= 16:
            self._turn = turn
            self._session.name_exchange(turn)

    def _item(self, line: int, item: _Object, time: str) -> Iterator[Found]:
        kind = item.get("type", "message")
        if kind == "message":
            yield from self._message(line, item, time)
            return
        if kind == "agent_message":
            item = {"role": "user", "content": item.get("content")}
            yield from self._add(Entry(line, (Turn("system", turns_of_message(item)[0].text),), time=time))
            return
        for message in responses.translated(item) or [{"role": "assistant", "content": [item]}]:
            for turn in turns_of_message(message):
                shown = _with_output(turn) if turn.role == "tool" else turn
                yield from self._add(Entry(line, (shown,), stop=stop_of((shown,)), time=time))

    def _message(self, line: int, item: _Object, time: str) -> Iterator[Found]:
        (turn,) = turns_of_message(item)[-1:] or (None,)
        if turn is None:
            return
        if turn.role == "assistant":
            yield from self._say(
                Entry(line, (turn,), stop=stop_of((turn,)), time=time), "assistant", turn.text
            )
            return
        if turn.role != "user":
            yield from self._add(Entry(line, (Turn("system", turn.text),), time=time))
            return
        asked: list[str] = []
        taken: list[str] = []
        for part in _parts(item.get("content")):
            text = turns_of_message({"role": "user", "content": [part]})[0].text
            if text.lstrip().startswith(_INJECTED):
                taken.append(text)
                continue
            kept, inner = without_tags(text)
            asked += [kept] * bool(kept)
            taken += [inner] * bool(inner)
        turns = [Turn("system", text) for text in taken]
        interrupted = any("<turn_aborted>" in text for text in taken)
        if asked:
            turns.append(Turn("user", "\n".join(asked)))
        entry = Entry(line, turns, stop="aborted" if interrupted and not asked else "", time=time)
        if asked:
            yield from self._say(entry, "user", "\n".join(asked))
        else:
            yield from self._add(entry)

    def _event(self, line: int, event: _Object, time: str) -> Iterator[Found]:
        kind = event.get("type")
        text = event.get("message")
        if kind in ("task_started", "turn_started"):
            self._begin(event.get("turn_id"))
        elif kind == "user_message" and isinstance(text, str):
            kept, _ = ("", "") if text.lstrip().startswith(_INJECTED) else without_tags(text)
            if kept and ("user", _key(kept)) not in self._said:
                self._events.append((Entry(line, (Turn("user", kept),), time=time), _key(kept)))
        elif kind == "agent_message" and isinstance(text, str):
            if text.strip() and ("assistant", _key(text)) not in self._said:
                self._events.append(
                    (Entry(line, (Turn("assistant", text),), stop="reply", time=time), _key(text))
                )
        elif kind == "turn_aborted":
            yield from self._flush()
            yield from self._session.add(Entry(line, stop="aborted", time=time))
        elif kind == "error":
            yield from self._flush()
            yield from self._session.add(
                Entry(line, stop="failed", time=time, failure=text if isinstance(text, str) else "an error")
            )
        elif kind == "thread_rolled_back":
            yield from self._flush()
            turns = event.get("num_turns")
            self._go_back(turns if isinstance(turns, int) else 1)
        elif not (isinstance(kind, str) and _QUIET_EVENTS.fullmatch(kind)):
            self._notes.unknown_kind(kind)

    def _say(self, entry: Entry, role: str, text: str) -> Iterator[Found]:
        """Take what an item says; an event that told the same is done with."""
        key = _key(text)
        self._events = [each for each in self._events if (each[0].turns[0].role, each[1]) != (role, key)]
        if role == "user":
            yield from self._flush()
            if not self._session.waits:
                self._said.clear()
        self._said.add((role, key))
        yield from self._add(entry)

    def _flush(self) -> Iterator[Found]:
        events, self._events = self._events, []
        for entry, _ in events:
            yield from self._add(entry)

    def _add(self, entry: Entry) -> Iterator[Found]:
        asks = any(turn.role == "user" for turn in entry.turns)
        if asks and not self._session.waits:
            self._places.append(self._session.place)
            entry = entry._replace(name=self._turn)
        yield from self._session.add(entry)

    def _go_back(self, turns: int) -> None:
        """Go on behind the exchange before the last `turns` ones."""
        turns = min(turns, len(self._places))
        if turns > 0:
            self._session.place = self._places[-turns]
            del self._places[-turns:]


def _key(text: str) -> str:
    return " ".join(text.split())


def _parts(content: Any) -> list[Any]:
    return content if isinstance(content, list) else [content]


def _with_output(turn: Turn) -> Turn:
    """A tool's result as the tool gave it: older versions wrapped output and exit code into JSON."""
    text, code = turn.text, None
    if text.startswith("{"):
        with suppress(ValueError, RecursionError):
            wrapped = json.loads(text)
            if isinstance(wrapped, dict) and isinstance(wrapped.get("output"), str):
                text = wrapped["output"]
                metadata = wrapped.get("metadata")
                code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    if code is None and (found := _EXIT.search(text[:400])):
        code = int(found[1])
    return Turn(
        "tool", text, call_id=turn.call_id, name=turn.name, failed=turn.failed or code not in (None, 0)
    )
