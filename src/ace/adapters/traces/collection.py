"""Recorded sessions in many files, as one: each run once, whichever of them hold it, and no more of them in memory than one run.

All is gone through once, and what is chosen then is read again. What is kept of a run in between is its place.

    a copy      a run that a file before it holds, too; of two copies the one counts behind which something follows
    open        the last turn of a session that may go on: it is not a run yet, unless the file was named or has rested
    older       a run from before the time that was asked for
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from typing import Literal, NamedTuple

from ace.adapters.traces.finding import Source
from ace.adapters.traces.reading import Recording, Unreadable, content_mark
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, is_run
from ace.domain.unread import Place, identities
from ace.events.types import Identity

__all__ = ["Collection", "File", "Found", "Spot", "State", "length_of"]

_AT_ONCE = 4_000_000
"""Characters of chosen runs that are read ahead, so that a file is not gone through once for each of its runs."""

type State = Literal["run", "middle of a run", "open", "a copy", "older"]


class Spot(NamedTuple):
    """Where a trace is: the number of its file, its position in it, what it is known by, and its length in characters."""

    file: int
    position: int
    name: int
    length: int


class Found(NamedTuple):
    """A trace, where it is, and its state."""

    spot: Spot
    trace: Trace
    state: State


@dataclass(slots=True)
class File:
    """What a file holds: its format, when it was last changed (seconds since 1970), how many of its traces are in which state, what
    is not a run and why, the keys and kinds that nobody reads, and what could not be read. `error` says why nothing of it could.
    """

    source: Source
    format: str = ""
    changed: float = 0.0
    states: Counter[State] = field(default_factory=Counter)
    passed_over: Counter[str] = field(default_factory=Counter)
    unknown_keys: Counter[str] = field(default_factory=Counter)
    unreadable: tuple[Unreadable, ...] = ()
    left_out: tuple[Unreadable, ...] = ()
    otherwise: list[str] = field(default_factory=list)
    error: str = ""

    @property
    def told(self) -> str:
        """What the file is called."""
        return self.source.told or str(self.source.path)


class Collection:
    """The traces of many files (`ace.ports.Traces`).

    A file that was last changed after `rested` (seconds since 1970) may go on, so that its last turn is open; runs from before
    `since` are left. `files` tells what each file holds once all was gone through.
    """

    def __init__(
        self, sources: Sequence[Source], *, rested: float = float("inf"), since: float | None = None
    ) -> None:
        self.sources = sources
        self.files: list[File] = []
        self._rested = rested
        self._since = since

    def __iter__(self) -> Iterator[Found]:
        """Go through all traces. Raises `TraceError` at the end if not one of the files could be read."""
        self.files = []
        seen: dict[int, int] = {}
        for number, source in enumerate(self.sources):
            file = File(source, changed=_changed(source))
            self.files.append(file)
            if self._since is not None and 0 < file.changed < self._since:
                file.passed_over["a file that was last changed before then"] += 1
                continue
            try:
                yield from self._found(number, file, seen)
            except TraceError as error:
                file.error = str(error)
        errors = [file.error for file in self.files if file.error]
        if errors and len(errors) == len(self.files):
            more = f" The other {len(errors) - 1} files could not be read either." if len(errors) > 1 else ""
            raise TraceError(errors[0] + more)

    @property
    def count(self) -> int:
        """The traces of which something can be learned."""
        return sum(file.states["run"] + file.states["middle of a run"] for file in self.files)

    @property
    def open_turns(self) -> int:
        """How many turns may go on: the last ones of sessions that have not rested."""
        return sum(file.states["open"] for file in self.files)

    def listed(self) -> Iterator[tuple[Place, Trace]]:
        """The traces of which something can be learned, each with its place."""
        for spot, trace, state in self:
            if state in ("run", "middle of a run"):
                yield spot, trace

    def read(self, places: Sequence[Place]) -> Iterator[Trace | None]:
        """The traces of these places, in this order; None for one that is not there any more."""
        shelf = _Shelf(self.sources)
        for window in _windows([place for place in places if isinstance(place, Spot)]):
            yield from shelf.read(window)

    def _found(self, number: int, file: File, seen: dict[int, int]) -> Iterator[Found]:
        recording = _recording(file.source)
        try:
            with closing(iter(recording)) as traces:
                for position, trace in enumerate(traces):
                    names, whole = identities(trace), is_run(trace)
                    state = self._state(file, trace, names, seen) if whole else "middle of a run"
                    file.states[state] += 1
                    spot = Spot(number, position, hash((names[0], whole)), length_of(trace))
                    yield Found(spot, trace, state)
        finally:
            file.format = recording.format if recording.is_recognised else ""
            file.passed_over, file.unknown_keys = recording.notes.passed, recording.notes.unknown
            file.unreadable, file.left_out = recording.unreadable(), recording.left_out()

    def _state(self, file: File, trace: Trace, named: Sequence[Identity], seen: dict[int, int]) -> State:
        if trace.open and not self._has_rested(file, trace):
            return "open"
        names, content = list(map(hash, named)), hash((content_mark(trace), trace.score))
        earlier = next((seen[name] for name in names if name in seen), None)
        if earlier is not None:
            if earlier != content:
                file.otherwise.append(trace.id)
            return "a copy"
        if self._since is not None and (seconds(trace.time) or file.changed) < self._since:
            return "older"
        seen.update(dict.fromkeys(names, content))
        return "run"

    def _has_rested(self, file: File, trace: Trace) -> bool:
        if file.source.named:
            return True
        # A database holds many sessions, and changes with each of them.
        last = seconds(trace.time) if file.source.path.suffix == ".db" else None
        return (last or file.changed) <= self._rested


def seconds(time: str) -> float | None:
    """Seconds since 1970 of a time as RFC 3339 has it, in UTC if it does not say; None for what is none."""
    try:
        found = datetime.fromisoformat(time)
    except ValueError:
        return None
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def length_of(trace: Trace) -> int:
    """The characters of what was said and done."""
    length = len(trace.task) + len(trace.reply)
    for turn in trace.turns:
        length += len(turn.text)
        for call in turn.calls:
            length += len(call.arguments)
    return length


def _recording(source: Source) -> Recording:
    return Recording(source.path, source.format, told=source.told, within=source.within)


def _changed(source: Source) -> float:
    try:
        return source.path.stat().st_mtime
    except (OSError, ValueError):
        return 0.0


def _name(trace: Trace) -> int:
    return hash((identities(trace)[0], is_run(trace)))


# --- reading again --------------------------------------------------------------------------------------------------


def _windows(spots: Sequence[Spot]) -> Iterator[list[Spot]]:
    """The spots in parts that can be held at once."""
    window: list[Spot] = []
    characters = 0
    for spot in spots:
        if window and characters + spot.length > _AT_ONCE:
            yield window
            window, characters = [], 0
        window.append(spot)
        characters += spot.length
    if window:
        yield window


class _Shelf:
    """Reads traces again, and goes on in a file where it was, if it can."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = sources
        self._file = -1
        self._position = 0
        self._traces: Iterator[Trace] = iter(())

    def read(self, window: Sequence[Spot]) -> Iterator[Trace | None]:
        found: dict[Spot, Trace] = {}
        by_file = sorted(window, key=lambda spot: (spot.file != self._file, spot.file, spot.position))
        for file, spots in groupby(by_file, key=lambda spot: spot.file):
            self._take(file, list(spots), found)
        for spot in window:
            yield found.pop(spot, None)

    def _take(self, file: int, spots: list[Spot], found: dict[Spot, Trace]) -> None:
        if file != self._file or self._position > spots[0].position:
            self._file, self._position, self._traces = file, 0, iter(_recording(self._sources[file]))
        wanted = {spot.name: spot for spot in spots}
        try:
            while wanted and (trace := next(self._traces, None)) is not None:
                self._position += 1
                spot = wanted.pop(_name(trace), None)
                if spot is not None:
                    found[spot] = trace
        except TraceError:  # it could be read before: it is not there any more
            self._file = -1
