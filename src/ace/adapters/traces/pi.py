"""Sessions of the pi agent: one run for each exchange, that is what the user asked and all that follows up to a reply.

A user message opens an exchange, unless the one under way still waits for its reply: then it was queued or sent to
steer, and joins it. An exchange whose last assistant message was aborted or failed has no reply, and a slash command
is no task: neither gives a run. Both are counted all the same, so that a run keeps its id when the session grows.

Entries of newer files form a tree (`id`, `parentId`): a user may go back and try again. Every branch was really run,
so every branch gives its runs, numbered in the order of lines; the context of a run is that of its own branch. A session
that was copied from another holds the other's entries as they were: a run of both has one alias in both.

Of the entries only `session` and `message` are read, and of the messages those of roles user, assistant and
toolResult. Compactions, changes of model, shell commands of the user's own and the like are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import Flaw, Row
from ace.adapters.traces.messages import turns_of_message
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, Turn, is_run, reply_of

__all__ = ["CONTEXT_TURNS", "pi_traces"]

CONTEXT_TURNS = 20
"""Context says what "continue" or "the other one" refers to. Ten exchanges do; a whole session would dwarf the run."""

# A path such as /etc/hosts goes on with a second slash; a command does not, and is one line.
_COMMAND = re.compile(r"/[\w:.-]*(?:[ \t].*)?")
_UNDER_WAY = frozenset({"", "toolUse"})
_NO_REPLY = _UNDER_WAY | {"aborted", "error"}

type _Object = Mapping[str, object]


def pi_traces(rows: Iterable[Row]) -> tuple[list[tuple[int, Trace]], list[Flaw]]:
    """Return each run with the line of its first user message, and the entries that could not be read."""
    sessions = [_Session(None)]
    flaws: list[Flaw] = []
    for row in rows:
        if row.value.get("type") == "session":
            sessions.append(_Session(row.value.get("id")))
            continue
        try:
            sessions[-1].add(row.line, row.value)
        except TraceError as error:
            flaws.append(Flaw(row.line, str(error)))
    return [run for session in sessions for run in session.runs()], flaws


@dataclass(slots=True, eq=False)
class _Exchange:
    """`before` is the exchange that it continues; `stop` the stop reason of its last assistant message so far. `asked_as` is
    what its first entry is called, the same in a session that this one was copied from or was copied to.
    """

    line: int
    number: int
    before: _Exchange | None
    asked_as: tuple[str, ...]
    turns: list[Turn] = field(default_factory=list)
    stop: str = ""

    @property
    def is_command(self) -> bool:
        return _COMMAND.fullmatch(self.turns[0].text.strip()) is not None

    @property
    def waits(self) -> bool:
        return not self.is_command and self.stop in _UNDER_WAY

    @property
    def is_answered(self) -> bool:
        return not self.is_command and self.stop not in _NO_REPLY

    def trace(self) -> Trace:
        return Trace(id="", turns=tuple(self.turns), context=self._context())

    def _context(self) -> tuple[Turn, ...]:
        newest_first: list[Turn] = []
        earlier = self.before
        while earlier is not None and len(newest_first) < CONTEXT_TURNS:
            newest_first.extend(reversed(earlier.gist()))
            earlier = earlier.before
        return tuple(reversed(newest_first[:CONTEXT_TURNS]))

    def gist(self) -> list[Turn]:
        """What later exchanges need to know of this one: the user's messages and the reply, without the work."""
        if self.is_command:
            return []
        reply = reply_of(Trace(id="", turns=tuple(self.turns))) if self.is_answered else ""
        asked = [turn for turn in self.turns if turn.role == "user"]
        return [*asked, Turn("assistant", reply)] if reply.strip() else asked


class _Session:
    """A private draft, filled entry by entry. `_owners` tells to which exchange the entry of an id belongs."""

    def __init__(self, session_id: object) -> None:
        self._id = session_id if isinstance(session_id, str) and session_id else None
        self._exchanges: list[_Exchange] = []
        self._owners: dict[object, _Exchange | None] = {}
        self._last: _Exchange | None = None

    def add(self, line: int, entry: _Object) -> None:
        if not isinstance(entry.get("type"), str):
            raise TraceError("an entry without a type")
        position = self._position(entry)
        if entry["type"] == "message":
            position = self._take(line, entry, entry.get("message"), position)
        self._last = position
        if isinstance(entry.get("id"), str):
            self._owners[entry["id"]] = position

    def runs(self) -> Iterator[tuple[int, Trace]]:
        for exchange in filter(lambda exchange: exchange.is_answered, self._exchanges):
            trace = exchange.trace()
            if is_run(trace):
                name = self._id and f"{self._id}#{exchange.number}"
                yield exchange.line, with_id(trace, name, *exchange.asked_as)

    def _position(self, entry: _Object) -> _Exchange | None:
        """Return the exchange that the entry continues: its parent's, or the last one if it does not say."""
        parent = entry.get("parentId", "")
        if parent is None:
            return None
        return self._owners.get(parent, self._last) if isinstance(parent, str) else self._last

    def _take(
        self, line: int, entry: _Object, message: object, position: _Exchange | None
    ) -> _Exchange | None:
        if not isinstance(message, Mapping):
            raise TraceError("its message is not an object")
        turns = _turns(message)
        if message.get("role") == "user" and not (position and position.waits):
            position = self._open(line, _entry_name(entry, message), position)
        if position is not None:
            position.turns.extend(turns)
            position.stop = _stop(message, turns) or position.stop
        return position

    def _open(self, line: int, asked_as: tuple[str, ...], before: _Exchange | None) -> _Exchange:
        exchange = _Exchange(line, len(self._exchanges) + 1, before, asked_as)
        self._exchanges.append(exchange)
        return exchange


def _entry_name(entry: _Object, message: _Object) -> tuple[str, ...]:
    """What an entry is called in every session that holds it: its id and when it was said, as far as they are there. A fork
    copies both; without a time it has no name, since ids of entries are short.
    """
    said = message.get("timestamp") or entry.get("timestamp")
    if not isinstance(said, str | int | float):
        return ()
    name = entry.get("id")
    return (f"pi-entry {name if isinstance(name, str) else ''}@{said}",)


def _turns(message: _Object) -> tuple[Turn, ...]:
    role = message.get("role")
    if role == "toolResult":
        return turns_of_message(_as_tool_message(message))
    return turns_of_message(message) if role in ("user", "assistant") else ()


def _as_tool_message(message: _Object) -> _Object:
    return {
        "role": "tool",
        "tool_call_id": message.get("toolCallId"),
        "name": message.get("toolName"),
        "is_error": message.get("isError"),
        "content": message.get("content"),
    }


def _stop(message: _Object, turns: tuple[Turn, ...]) -> str:
    """Return why the assistant stopped; empty if this is no message of the assistant's."""
    if message.get("role") != "assistant":
        return ""
    reason = message.get("stopReason")
    if isinstance(reason, str) and reason:
        return reason
    return "toolUse" if any(turn.calls for turn in turns) else "stop"
