"""What of a session is a run: one exchange, that is what the user asked and all that follows up to a reply.

A reader of sessions hands over entries, one a record, in the order of the file, and gets each run as soon as it is whole:

    a message of the user      opens an exchange, unless the one that it continues still waits for its reply: then it was queued,
                               sent to steer, or followed an interruption or a failed call, and joins it
    all else                   belongs to the exchange that it continues
    the next exchange opens    the one before is whole: a run if it ended in a reply
    the session ends           the last one is a run if it ended in a reply; it is `open` unless the format says that the session
                               is over

Entries may form a tree (`id`, `parent`): a user may go back and try again. Every branch was really run, so every branch gives
its runs, in the order of the file; the background of a run is that of its own branch.

Exchanges are numbered as 0.1.0 numbered them, also those that are not runs, and those that it took apart behind an interruption
(`asked`): so a run keeps its name when the session grows, and a log of that version knows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

import msgspec

from ace.adapters.traces.ids import with_id
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.own import is_own_prompt
from ace.domain.trace import Trace, Turn, is_run, reply_in

__all__ = ["CONTEXT_TURNS", "Entry", "Found", "Place", "Session", "Stop", "stop_of"]

CONTEXT_TURNS = 20
"""Context says what "continue" or "the other one" refers to. Ten exchanges do; a whole session would dwarf the run."""

type Found = tuple[int, Trace]
type Stop = Literal["", "reply", "calls", "aborted", "failed"]

_PASSED_OVER = {
    "": "a turn without a reply",
    "calls": "a turn without a reply",
    "aborted": "a turn that was interrupted",
    "failed": "a turn that ended in a failed model call",
    "reply": "a turn whose reply holds no text",
}


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One record of a session.

    `id` and `parent` place it in the tree: no parent is the entry before, None the root. `stop` is what it says of the state
    of the exchange. If it opens an exchange, `name` is what the run is called, the same in every copy of the session. `aliases` are
    other such names; of an exchange's entries the first that has some counts. `was` is what earlier versions took for the user's words,
    if that is not what they are: the run is known by it, too, and a number that it took stays taken. A `command` opens an exchange that is not a run. What
    has the `key` of the entry before, and is of the same role, goes on with its last turn.
    """

    line: int
    turns: Sequence[Turn] = ()
    id: str = ""
    parent: str | None = ""
    stop: Stop = ""
    time: str = ""
    failure: str = ""
    name: str = ""
    aliases: tuple[str, ...] = ()
    command: bool = False
    key: str = ""
    was: str = ""


def stop_of(turns: Sequence[Turn]) -> Stop:
    """The state of an exchange after these turns of the assistant's, by the calls in them."""
    last = turns[-1] if turns else None
    if last is None or last.role != "assistant":
        return ""
    return "calls" if last.calls else "reply" if last.text.strip() else ""


@dataclass(slots=True, eq=False)
class _Exchange:
    """`before` is what the exchange continues, as background; `asked` each number and task that 0.1.0 saw in it."""

    line: int
    before: tuple[Turn, ...]
    command: bool
    asked: list[tuple[int, str]]
    name: str
    aliases: list[str] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    stop: Stop = ""
    time: str = ""
    failure: str = ""
    is_over: bool = False
    was: str = ""
    said: tuple[Turn, ...] = ()

    @property
    def waits(self) -> bool:
        return not self.command and self.stop != "reply"

    def move_on(self, entry: Entry) -> None:
        """Take over what an entry says of the state of the exchange."""
        if self.stop == "failed" and entry.stop in ("calls", "reply"):
            self.failure = ""  # the agent tried again by itself, and got over it
        self.stop = entry.stop or self.stop
        if entry.failure:
            self.failure = "\n".join(filter(None, (self.failure, entry.failure)))

    def background(self) -> tuple[Turn, ...]:
        """What later exchanges need to know of this one and those before: the user's messages and the replies, without the work."""
        if not self.is_over:
            self.said = self._said()
        return self.said

    def _said(self) -> tuple[Turn, ...]:
        if self.command:
            return self.before
        asked = [turn for turn in self.turns if turn.role == "user"]
        reply = reply_in(self.turns) if self.stop == "reply" else ""
        if reply.strip():
            asked.append(Turn("assistant", reply))
        return (*self.before, *asked)[-CONTEXT_TURNS:]


type Place = _Exchange | None


class Session:
    """A private draft of one session, filled entry by entry.

    `by_digest`: copies have ids of their own, and are told by what was said. `headless`: what the user asked is not recorded.

    `_owners` tells to which exchange the entry of an id belongs. `is_linked` says that the session's entries name their parents: in
    one that does not, no parent is not the root.
    """

    def __init__(
        self, notes: Notes, name: object = "", *, by_digest: bool = False, headless: bool = False
    ) -> None:
        self.name = name if isinstance(name, str) else ""
        self._notes = notes
        self._by_digest = by_digest
        self._headless = headless
        self._owners: dict[str, _Exchange | None] = {}
        self._current: _Exchange | None = None
        self._last: _Exchange | None = None
        self._waiting: list[_Exchange] = []
        self._count = 0
        self._key = ""
        self._is_own: bool | None = None
        self._is_linked = False

    @property
    def waits(self) -> bool:
        """Whether something was asked, and its reply is not there."""
        return self._last is not None and self._last.waits

    @property
    def place(self) -> Place:
        """Where the next entry goes on that does not name its parent. It can be set to where it was before."""
        return self._last

    @place.setter
    def place(self, place: Place) -> None:
        self._last = place

    @property
    def has_alias(self) -> bool:
        """Whether the exchange under way has a name beside its own."""
        return self._last is not None and bool(self._last.aliases)

    def has(self, identifier: str) -> bool:
        """Whether an entry of this id was there."""
        return identifier in self._owners

    def add(self, entry: Entry) -> Iterable[Found]:
        """Take an entry; return the run that it ends by opening the next, if it does."""
        asks = False
        for turn in entry.turns:
            if turn.role == "user":
                asks = entry.stop != "aborted"
        if entry.was and not asks and not self.waits:
            self._count += 1
        position = self._position(entry, asks=asks) if asks or entry.parent else self._last
        found: Iterable[Found] = ()
        if asks or entry.command or position is None or position.is_over:
            found, position = self._placed(entry, position, asks=asks)
        elif entry.turns:
            self._extend(position, entry)
        if position is not None and not position.is_over:
            if entry.stop or entry.failure:
                position.move_on(entry)
            position.time = entry.time or position.time
        self._last = position
        if entry.id:
            self._owners[entry.id] = position
        return found

    def _placed(
        self, entry: Entry, position: _Exchange | None, *, asks: bool
    ) -> tuple[Iterable[Found], _Exchange | None]:
        """Where an entry belongs that may open an exchange, and the run that it ends by that."""
        found: Iterable[Found] = ()
        if entry.command and position is not None and position.stop in ("aborted", "failed"):
            self._count += 1  # what was interrupted goes on behind it
        elif asks and (position is None or not position.waits):
            found = self._give_out(entry, position)
            position = self._opened(entry, position)
        elif position is not None:
            self._join(position, entry, asks=asks)
        elif entry.turns and self._headless:
            position = self._opened(entry, None)
        elif any(turn.role != "system" for turn in entry.turns):
            self._notes.passed_over("a message before anything was asked")
        return found, position

    def name_exchange(self, name: str) -> None:
        """Call the exchange under way so, if it has no name yet."""
        if self._last is not None and self._last.waits and not self._last.name:
            self._last.name = name

    def end(self, *, closed: bool = False) -> Iterator[Found]:
        """The session's last run; `closed` says that nothing can follow."""
        current, self._current = self._current, None
        if current is not None:
            if current.stop == "reply" and not current.command:
                yield from self._run(current, "", is_open=not closed)
            elif current not in self._waiting:
                self._waiting.append(current)
        for exchange in self._waiting:
            if not exchange.command and not exchange.is_over:
                self._notes.passed_over(_PASSED_OVER[exchange.stop])
        self._waiting.clear()

    def _position(self, entry: Entry, *, asks: bool) -> _Exchange | None:
        """The exchange that the entry continues: its parent's, or the last one if it does not say."""
        if entry.parent:
            self._is_linked = True
            return self._owners.get(entry.parent, self._last)
        return None if asks and entry.parent is None and self._is_linked else self._last

    def _opened(self, entry: Entry, before: _Exchange | None) -> _Exchange:
        self._count += 1
        text = _text_of(entry)
        if self._is_own is None and not entry.command:
            self._is_own = is_own_prompt(text)
        exchange = _Exchange(
            entry.line,
            before.background() if before else (),
            entry.command,
            [(self._count, text)],
            entry.name,
        )
        exchange.was = entry.was
        self._key = ""
        self._current = exchange
        self._extend(exchange, entry)
        return exchange

    def _join(self, exchange: _Exchange, entry: Entry, *, asks: bool) -> None:
        if exchange.is_over:
            if any(turn.role != "system" for turn in entry.turns):
                self._notes.left_out(entry.line, "it belongs to a turn that was over: it is left out")
            return
        if asks and exchange.stop in ("aborted", "failed"):
            self._count += 1
            exchange.asked.append((self._count, _text_of(entry)))
            exchange.stop = ""
        if entry.turns:
            self._extend(exchange, entry)

    def _extend(self, exchange: _Exchange, entry: Entry) -> None:
        turns = entry.turns
        if entry.key and entry.key == self._key and exchange.turns and turns:
            last, first = exchange.turns[-1], turns[0]
            if last.role == first.role:
                text = "\n".join(filter(None, (last.text, first.text)))
                exchange.turns[-1] = Turn(last.role, text, (*last.calls, *first.calls))
                turns = turns[1:]
        exchange.turns.extend(turns)
        exchange.aliases = exchange.aliases or list(entry.aliases)
        self._key = entry.key

    def _give_out(self, entry: Entry, position: _Exchange | None) -> Iterable[Found]:
        """The exchange before, which is whole now."""
        current, self._current = self._current, None
        if current is None:
            return ()
        if current.stop == "reply" and not current.command:
            follows = position is current and not entry.command
            return tuple(self._run(current, _text_of(entry) if follows else "", is_open=False))
        if current.waits:
            self._waiting.append(current)  # it was left: another branch goes on
        return ()

    def _run(self, exchange: _Exchange, next_message: str, *, is_open: bool) -> Iterator[Found]:
        exchange.background()
        exchange.is_over = True
        turns, exchange.turns = tuple(exchange.turns), []
        if self._is_own:
            self._notes.passed_over("a call of ace itself")
            return
        trace = Trace(
            id="",
            turns=turns,
            context=exchange.before,
            failure=exchange.failure,
            next_message=next_message,
            time=exchange.time,
            open=is_open,
        )
        if not is_run(trace):
            self._notes.passed_over(_PASSED_OVER["reply"])
            return
        numbered: list[tuple[str, str]] = []
        if self.name and not exchange.name:
            numbered = [(f"{self.name}#{number}", task) for number, task in exchange.asked]
        given = exchange.name or (numbered.pop(0)[0] if numbered else None)
        if exchange.was and given:
            numbered.append((given, exchange.was))
        yield (
            exchange.line,
            with_id(
                trace,
                given,
                *exchange.aliases,
                aliases=tuple(numbered),
                by_digest=self._by_digest and not exchange.name,
            ),
        )


def _text_of(entry: Entry) -> str:
    return "\n".join(turn.text for turn in entry.turns if turn.role == "user")
