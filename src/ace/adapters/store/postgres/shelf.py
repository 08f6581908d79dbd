"""One book in the database, as one process knows it: where its log ends, and what the log says of runs and texts.

    catch_up   the lines that others have added since: one query, each line read once by each process
    append     one statement, one commit: the line if its number is free and the line before it is the one that was seen,
               and with it what can be asked of the log without reading it; the claims on its runs end with it, and those on the
               runs of the next step are taken in the same round trip. Who was not first
               waits for a turn (an advisory lock, for moments): or many workers would decide again and again
    keep       the snapshot, now and then, without waiting for the disk: it can be made again

What the process knows it keeps: playbook, end of the log, withdrawn texts, and what was said of the runs that it asked about. All
of that is one fold of the log, which goes on with each line that comes.

A connection may be lost while a line is added. Then it is not known whether the line is there: the same statement is given again,
and if the number is taken by then, the line under it is compared with ours, byte by byte.
"""

from __future__ import annotations

import hashlib
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final
from weakref import ReferenceType, finalize, ref

import msgspec

from ace.adapters.store.postgres.address import Address
from ace.adapters.store.postgres.log import PostgresLog
from ace.adapters.store.postgres.note import Note
from ace.adapters.store.postgres.schema import BookSettings, no_book
from ace.adapters.store.postgres.server import Connection, LockNotAvailable, Server
from ace.domain.chain import LogTail, line_digest
from ace.domain.errors import AceError, BookError, LogError, SeqTakenError, StateError
from ace.domain.opening import OpenState, open_own
from ace.domain.playbook import Draft, Playbook, digest, dump, parse_playbook
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import (
    Past,
    Said,
    Tried,
    compared,
    identities,
    names_in,
    past_of,
    said_in,
)
from ace.domain.waiting import Folds
from ace.domain.withdrawn import withdrawals
from ace.events.types import Identity, PlaybookRestored, StepRecord

__all__ = ["SNAPSHOT_INTO", "Beside", "Shelf", "beside", "text_digest", "text_kept"]

_FAR: Final = 256
"""So many lines behind, a process starts over from the snapshot instead of reading each of them."""

_SNAPSHOT_EVERY: Final = 8
"""Lines: whoever opens the book reads the snapshot and fewer lines than that."""

_AT_ONCE: Final = 500
"""Traces that are looked up in one query."""

_CLAIM_S: Final = 120.0

_TURN_MS: Final = 2_000
"""How long to wait for a turn at being decided again: whoever has it may be gone without the server knowing."""


class Beside(msgspec.Struct, frozen=True):
    """What is kept beside a line, so that it can be asked for without reading the log: the block that it ends with, whether it
    restores a playbook, the runs that it speaks of, and the keys of texts that it withdraws and gives back.
    """

    block: str
    restores: bool
    runs: tuple[Identity, ...]
    withdrawn: tuple[str, ...]
    back: tuple[str, ...]


class _Claimed(msgspec.Struct, frozen=True):
    """What came of a claim on the runs with these names: the names that were got, and the lines behind line `seq` at that moment."""

    wanted: frozenset[Identity]
    got: frozenset[Identity]
    seq: int
    lines: tuple[bytes, ...]


_TASK = re.compile(r"[0-9a-f]{64}|", re.ASCII)


def beside(record: StepRecord) -> Beside:
    """What follows from a line."""
    names = {name for said in said_in(record) for name in names_in(said.event) if _TASK.fullmatch(name[1])}
    keys = dict(withdrawals(record))
    return Beside(
        block=record.block if record.outcome == "committed" else "",
        restores=any(isinstance(event, PlaybookRestored) for event in record.applied),
        runs=tuple(sorted(names)),
        withdrawn=tuple(key for key, is_withdrawn in keys.items() if is_withdrawn),
        back=tuple(key for key, is_withdrawn in keys.items() if not is_withdrawn),
    )


class Shelf:
    """A book, by its address; `worker` is the name under which this process claims runs, `note` what this machine has of the book,
    and `claim_s` how long a claim holds, in seconds, that is not renewed. Threads may share it. Raises `BookError`, `LogError`.
    """

    def __init__(self, address: Address, worker: str, note: Note, *, claim_s: float = _CLAIM_S) -> None:
        self.address = address
        self.worker = worker
        self.note = note
        self.claim_s = claim_s
        self.server = Server(address)
        self.log = PostgresLog(self.server, self.append)
        self._lock = threading.RLock()
        self._settings: BookSettings | None = None
        self._folds = Folds()
        self._tail: LogTail | None = None
        self._brought: Playbook | None = None
        self._withdrawn: set[str] | None = None
        self._asked: dict[Identity, set[int]] = {}
        self._said: dict[int, tuple[Said, ...]] = {}
        self._tried: dict[Identity, Tried] = {}
        self._claims: list[Identity] = []
        self._next: frozenset[Identity] = frozenset()
        self._ahead: _Claimed | None = None
        self._renews = False
        self._is_fresh = False
        self._has_turn = False

    # --- the head -----------------------------------------------------------------------------------------------------

    @property
    def seq(self) -> int:
        """The number of the last line that this process knows, 0 if there is none."""
        return 0 if self._tail is None else self._tail.record.seq

    @property
    def accepted(self) -> Playbook | None:
        """What the rules show while something waits for a review, else None, as far as this process knows."""
        return self._folds.accepted

    @property
    def tail(self) -> LogTail | None:
        """The end of the log, as far as this process knows it."""
        return self._tail

    def head(self) -> tuple[int, str]:
        """The number and the digest of the last line in the database; 0 and no text if there is none."""
        rows = self.server.look(
            "SELECT seq, encode(sha256(line), 'hex') FROM ace.lines WHERE scenario = %s ORDER BY seq DESC LIMIT 1",
            self.address.scenario,
        )
        return (rows[0][0], rows[0][1]) if rows else (0, "")

    def has_line(self, seq: int, digest: str) -> bool:
        """Whether the log has a line of this number and digest."""
        rows = self.server.rows(
            "SELECT 1 FROM ace.lines WHERE scenario = %s AND seq = %s AND encode(sha256(line), 'hex') = %s",
            self.address.scenario,
            seq,
            digest,
        )
        return bool(rows)

    def settings(self) -> BookSettings:
        """What the book decides by, as it was when this process first asked. Raises `BookError` if there is no such book."""
        with self._lock:
            if self._settings is None:
                return self._load()
            return self._settings

    def is_there(self) -> bool:
        """Whether somebody has made this book."""
        return bool(self.server.rows("SELECT 1 FROM ace.books WHERE scenario = %s", self.address.scenario))

    def state(self) -> OpenState:
        """What a step goes on from: the head as it is now, or was a moment ago when the step's runs were claimed."""
        with self._lock:
            if not self._is_fresh:
                self.catch_up()
            self._is_fresh = False
            if self._tail is None:
                return open_own(self._brought, None, self.address.told)
            return OpenState(self._folds.head.freeze(), self._tail, accepted=self._folds.accepted)

    def catch_up(self) -> None:
        """Take in the lines that the log has got since. Raises `LogError` if they do not continue those that are known."""
        with self._lock:
            self.settings()
            lines = self._lines_behind(self.seq)
            if len(lines) > _FAR:
                self._load()
                lines = self._lines_behind(self.seq)
            self._take(lines)
            while len(lines) > _FAR:  # of a log whose snapshot is old, or damaged
                lines = self._lines_behind(self.seq)
                self._take(lines)

    def _lines_behind(self, seq: int) -> list[bytes]:
        rows = self.server.rows(_BEHIND, self.address.scenario, seq, _FAR + 1)
        return [bytes(line) for (line,) in rows]

    def _load(self) -> BookSettings:
        """Begin with the snapshot, and forget what was known before. Returns what the book decides by."""
        rows = self.server.rows(
            "SELECT b.settings, b.base_rules, b.revision, s.seq, s.playbook, s.accepted FROM ace.books b "
            "LEFT JOIN ace.snapshots s USING (scenario) WHERE b.scenario = %s",
            self.address.scenario,
        )
        if not rows:
            raise no_book(self.address)
        settings, rules, revision, seq, kept, accepted = rows[0]
        if self._settings is None:
            self._settings = BookSettings(msgspec.json.decode(settings), bytes(rules), revision)
        try:
            found, shown = (
                None if data is None else parse_playbook(bytes(data), f"the snapshot of {self.address.told}")
                for data in (kept, accepted)
            )
        except StateError:
            if not seq:  # it was brought, and is in no log
                raise
            found, shown, seq = None, None, 0
        self._brought = found if not seq else None
        self._begin(found or Playbook(), shown, seq or 0)
        return self._settings

    def _begin(self, playbook: Playbook, accepted: Playbook | None, seq: int) -> None:
        self._folds, self._tail, self._withdrawn = Folds(), None, None
        self._folds.head, self._folds.accepted = Draft(playbook), accepted
        self._asked, self._said, self._tried = {}, {}, {}
        if seq:
            rows = self.server.rows(
                "SELECT line FROM ace.lines WHERE scenario = %s AND seq BETWEEN %s AND %s ORDER BY seq",
                self.address.scenario,
                seq - 1,
                seq,
            )
            self._tail = self.log.tail_of([bytes(line) for (line,) in rows])
            if self._tail is None or self._tail.record.seq != seq:
                raise self._shorter()
            self._see_that_it_folds(self._tail.record)

    def _take(self, lines: Sequence[bytes]) -> None:
        """Go on with these lines, each checked to continue the one before it."""
        if not lines:
            return
        before = "" if self._tail is None else self._tail.digest
        for line, record in self.log.checked(lines, self.seq + 1, before):
            self._folds.take(record)
            self._tail = LogTail(record, line_digest(line), None if self._tail is None else self._tail.record)
            self._hear(record)
        self._see_that_it_folds(record)

    def _hear(self, record: StepRecord) -> None:
        """Take in what a new line says of runs and texts that were asked about."""
        if self._withdrawn is not None:
            for key, is_withdrawn in withdrawals(record):
                (self._withdrawn.add if is_withdrawn else self._withdrawn.discard)(key)
        said = tuple(said_in(record))
        names = {name for one in said for name in names_in(one.event)}
        for name in names & self._asked.keys():
            self._asked[name].add(record.seq)
            self._said[record.seq] = said

    def _see_that_it_folds(self, wanted: StepRecord) -> None:
        """The head's playbook is the one that its line names. A snapshot that is wrong is made again from the whole log."""
        if _is_named(self._folds, wanted):
            return
        folds = Folds()
        for record in self.log.verified():
            folds.take(record)
            if record.seq == wanted.seq:
                break
        if not _is_named(folds, wanted):
            raise LogError(
                f"{self.address.told} does not fold to the playbook that its line {wanted.seq} names: `ace verify --book …` finds "
                "the first line that does not"
            )
        self._folds = folds

    def _shorter(self) -> LogError:
        return LogError(
            f"the log of {self.address.told} is another one than a moment ago, or shorter: if it was put back from a backup, run the "
            "command again"
        )

    # --- the append ---------------------------------------------------------------------------------------------------

    def append(self, record: StepRecord) -> LogTail:
        """Add a line behind the last one that is known. Raises `SeqTakenError` if another one is there, `BookError` if what the book
        decides by was changed since this process asked.
        """
        with self._lock:
            line, revision = self.log.encoded(record), self.settings().revision
            if record.seq != self.seq + 1:
                raise self._taken(record)
            values = self._values(record, line, revision)
            lost = self.server.lost
            if self._next:
                is_there, self._ahead = self.server.run(
                    lambda connection: self._append_and_claim(connection, values, record.seq)
                )
            else:
                is_there = self.server.rows(_APPEND, **values)[0][0]
            if not is_there:
                self._see_why(record, line, revision, was_lost=self.server.lost > lost)
            self._claims = []
            self._end_turn()
            self._folds.take(record)
            self._tail = LogTail(record, line_digest(line), None if self._tail is None else self._tail.record)
            self._hear(record)
            return self._tail

    def _append_and_claim(
        self, connection: Connection[tuple[Any, ...]], values: dict[str, Any], seq: int
    ) -> tuple[int, _Claimed]:
        """How many lines were added, one or none; and what came of a claim on the runs that are read next."""
        with connection.pipeline():
            # A transaction of its own, since a line waits for the disk and claims do not. `Pipeline.sync` would end one, too, but it
            # waits for the answers.
            connection.execute("BEGIN")
            added = connection.execute(_APPEND, values)
            connection.execute("COMMIT")
            claimed = self._claim_and_look(connection, self._next, seq)
            (count,) = added.fetchone() or (0,)
            return count, claimed()

    def _values(self, record: StepRecord, line: bytes, revision: int) -> dict[str, Any]:
        also = beside(record)
        return {
            "scenario": self.address.scenario,
            "revision": revision,
            "seq": record.seq,
            "prev": record.prev,
            "line": line,
            "block": also.block,
            "restores": also.restores,
            "names": [name for name, _ in also.runs],
            "tasks": [task for _, task in also.runs],
            "digests": [text_digest(key) for key in also.withdrawn],
            "keys": [text_kept(key) for key in also.withdrawn],
            "back": [text_digest(key) for key in also.back],
            "worker": self.worker,
        }

    def _see_why(self, record: StepRecord, line: bytes, revision: int, *, was_lost: bool) -> None:
        """Raise why a line was not added, unless it was, by the statement whose connection was lost."""
        rows = self.server.rows(
            "SELECT b.revision, l.line FROM ace.books b LEFT JOIN ace.lines l ON l.scenario = b.scenario AND l.seq = %s "
            "WHERE b.scenario = %s",
            record.seq,
            self.address.scenario,
        )
        if not rows:
            raise no_book(self.address)
        found_revision, found = rows[0]
        if found is not None:
            if was_lost and bytes(found) == line:
                return
            raise self._taken(record)
        if found_revision != revision:
            raise BookError(
                f"what {self.address.told} decides by was changed meanwhile (`ace book show`): run the command again"
            )
        raise self._shorter()

    def _taken(self, record: StepRecord) -> SeqTakenError:
        if self._claims and not self._has_turn:
            self.renew()  # nobody else does while this waits
            self._has_turn = self.server.run(self._wait_for_turn)
        return SeqTakenError(
            f"line {record.seq} of {self.address.told} is another step's, which was first: give the command again"
        )

    def _wait_for_turn(self, connection: Connection[tuple[Any, ...]]) -> bool:
        """Wait until nobody else who lost the race is being decided again, for moments; whether it is our turn then. A step is decided
        again at most once or twice so, however many workers there are; who gets no turn tries without one.
        """
        turn_ms = min(_TURN_MS, self.claim_s * 1000 / 3)
        try:
            connection.execute(_TURN, (f"{turn_ms:.0f}ms", self.address.scenario))
        except LockNotAvailable:
            return False
        return True

    def _end_turn(self) -> None:
        if self._has_turn:
            self._has_turn = False
            self.server.do(
                "SELECT pg_advisory_unlock(hashtextextended('ace ' || %s, 0))", self.address.scenario
            )

    def keep(self) -> None:
        """Keep the snapshot, if it is its turn."""
        with self._lock:
            if self.seq and self.seq % _SNAPSHOT_EVERY == 0:
                playbook, accepted = dump(self._folds.head.freeze()), self._folds.accepted
                shown = None if accepted is None else dump(accepted)
                self.server.do(SNAPSHOT_INTO, self.address.scenario, self.seq, playbook, shown)

    # --- runs and texts -----------------------------------------------------------------------------------------------

    @property
    def restored(self) -> int:
        """The `seq` of the last line that restored a playbook, 0 if there is none."""
        rows = self.server.rows(
            "SELECT coalesce(max(seq), 0) FROM ace.lines WHERE scenario = %s AND restores",
            self.address.scenario,
        )
        return int(rows[0][0])

    def ahead[P](self, traces: Iterable[tuple[P, Trace]]) -> Iterator[tuple[P, Trace]]:
        """The same traces, looked up many at once."""
        found = iter(traces)
        while some := list(islice(found, _AT_ONCE)):
            with self._lock:
                self._look_up([trace for _, trace in some])
            yield from some

    def past(self, trace: Trace) -> Past:
        """What the log says of a run, up to the last line that this process knows."""
        with self._lock:
            names = compared(identities(trace))
            if any(name not in self._asked for name in names):
                self._look_up([trace])
            seqs = {seq for name in _with_old(names) for seq in self._asked.get(name, ())}
            return past_of(trace, (said for seq in sorted(seqs) for said in self._said[seq]))

    def _look_up(self, traces: Sequence[Trace]) -> None:
        names = {name for trace in traces for name in _with_old(compared(identities(trace)))}
        new = sorted(names - self._asked.keys())
        if not new:
            return
        given = [name for name, _ in new], [task for _, task in new]
        hits = self.server.rows(
            "SELECT r.name, r.task, r.seq FROM ace.runs r JOIN unnest(%s::text[], %s::text[]) AS wanted(name, task) "
            "USING (name, task) WHERE r.scenario = %s",
            *given,
            self.address.scenario,
        )
        seqs = sorted({seq for _, _, seq in hits} - self._said.keys())
        lines = seqs and self.server.rows(
            "SELECT line FROM ace.lines WHERE scenario = %s AND seq = ANY(%s)", self.address.scenario, seqs
        )
        for record in self.log.decoded(bytes(line) for (line,) in lines):
            self._said[record.seq] = tuple(said_in(record))
        self._asked.update((name, set()) for name in new)
        for name, task, seq in hits:
            self._asked[name, task].add(seq)
        tried = self.server.rows(
            "SELECT t.name, t.task, t.time, t.reason, t.too_long, t.shown, t.model FROM ace.tried t "
            "JOIN unnest(%s::text[], %s::text[]) AS wanted(name, task) USING (name, task) WHERE t.scenario = %s",
            *given,
            self.address.scenario,
        )
        for name, task, *rest in tried:
            self._tried[name, task] = Tried(*rest)

    def withdrawn(self) -> frozenset[str]:
        """The keys of the texts that do not come back."""
        with self._lock:
            if self._withdrawn is None:
                rows = self.server.rows(
                    "SELECT key FROM ace.withdrawn WHERE scenario = %s", self.address.scenario
                )
                self._withdrawn = {_decoded(key) for (key,) in rows}
            return frozenset(self._withdrawn)

    # --- files of this machine ----------------------------------------------------------------------------------------

    def knows_file(self, path: Path) -> bool:
        """Whether this rules file was used with this book."""
        return os.path.realpath(path) in self.note.files()

    def know_file(self, path: Path) -> None:
        """Note that this rules file is used with this book."""
        real = os.path.realpath(path)
        if real not in self.note.files():
            with self.note.turn():
                placed = self.note.read()
                self.note.write(msgspec.structs.replace(placed, files=(*placed.files, real)))

    # --- failed calls -------------------------------------------------------------------------------------------------

    def tried(self, trace: Trace) -> Tried | None:
        """The last failed call of a run, if one is remembered."""
        with self._lock:
            names = compared(identities(trace))
            if any(name not in self._asked for name in names):
                self._look_up([trace])
            return next((self._tried[name] for name in names if name in self._tried), None)

    def tried_runs(self) -> list[tuple[set[Identity], bool]]:
        """The runs whose last call failed: each by all of its names, as they are compared, and whether it was too long."""
        runs: dict[str, tuple[set[Identity], bool]] = {}
        rows = self.server.rows(
            "SELECT name, task, first, too_long FROM ace.tried WHERE scenario = %s", self.address.scenario
        )
        for name, task, first, too_long in rows:
            runs.setdefault(first, (set(), too_long))[0].add((name, task))
        return list(runs.values())

    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Remember a failed call, in place of an earlier one of the same run. Raises nothing: it may be lost."""
        names = sorted(set(compared(failed.identities)))
        if not names:
            return
        tried = Tried(time, failed.reason, failed.too_long, failed.shown, model)
        with self._lock, suppress(AceError):
            self._tried.update((name, tried) for name in names)
            first = " ".join(compared(failed.identities)[0])
            self.server.do(
                _REMEMBER,
                self.address.scenario,
                first,
                *msgspec.structs.astuple(tried),
                [name for name, _ in names],
                [task for _, task in names],
            )

    def forget(self, trace: Trace) -> None:
        """Forget the failed calls of a run: it was read. Raises nothing."""
        with self._lock, suppress(AceError):
            names = compared(identities(trace))
            if any(self._tried.pop(name, None) is not None for name in names):
                self.server.do(
                    "DELETE FROM ace.tried WHERE scenario = %s AND (name, task) IN "
                    "(SELECT * FROM unnest(%s::text[], %s::text[]))",
                    self.address.scenario,
                    [name for name, _ in names],
                    [task for _, task in names],
                )

    def workers(self) -> dict[str, int]:
        """The workers that have claims now, and how many names of runs each."""
        rows = self.server.rows(
            f"SELECT worker, count(*) FROM ace.claims c WHERE scenario = %(scenario)s AND NOT {_HAS_ENDED} GROUP BY worker",  # noqa: S608 - of constants
            scenario=self.address.scenario,
            claim_s=self.claim_s,
        )
        return dict(rows)

    # --- claims -------------------------------------------------------------------------------------------------------

    @contextmanager
    def claimed(self, traces: Sequence[Trace], then: Sequence[Trace] = ()) -> Iterator[list[Trace]]:
        """Those of the traces on which nobody else has a claim now; the lines by which earlier claims on them ended are known then. The
        claims are renewed for the time of the block; they end with the append of a line, or with the block. Those on the traces that
        come `then` are taken with that append, and hold until they are claimed, or `let_go`.
        """
        taken = self._claim(traces)
        self._next = _names(then)
        self._see_that_claims_are_renewed()
        try:
            yield taken
        finally:
            self._next = frozenset()
            with suppress(AceError):
                self._end_turn()
                self._release(self._claims)

    def renew(self) -> None:
        """Let the claims of this process hold on."""
        with self._lock:  # or a claim could come back that an append has just ended
            if claims := [*self._claims, *(() if self._ahead is None else self._ahead.got)]:
                self.server.rows(_CLAIM, **self._claim_values(claims))

    def let_go(self) -> None:
        """Let go of runs that were claimed ahead. Raises nothing: they end by themselves."""
        with self._lock, suppress(AceError):
            ahead, self._ahead = self._ahead, None
            self._release(() if ahead is None else sorted(ahead.got))

    def _see_that_claims_are_renewed(self) -> None:
        if self._renews:
            return
        self._renews, is_gone = True, threading.Event()
        finalize(self, is_gone.set)
        threading.Thread(
            target=_renew, args=(ref(self), is_gone, self.claim_s / 3), name="ace-claims", daemon=True
        ).start()

    def _claim(self, traces: Sequence[Trace]) -> list[Trace]:
        wanted = _names(traces)
        with self._lock:
            self.settings()
            ahead, self._ahead = self._ahead, None
            if ahead is None or ahead.wanted != wanted:
                self._release(() if ahead is None else sorted(ahead.got - wanted))
                ahead = self.server.run(lambda connection: self._claim_now(connection, wanted))
            if ahead.seq != self.seq or len(ahead.lines) > _FAR:
                self.catch_up()
            else:
                self._take(ahead.lines)
            self._is_fresh = True
        taken: list[Trace] = []
        kept: set[Identity] = set()
        for trace in traces:
            names = compared(identities(trace))
            if ahead.got.issuperset(names):
                taken.append(trace)
                kept.update(names)
        self._claims = sorted(kept)
        if left := ahead.got - kept:  # of a run of which another alias is somebody else's
            self._release(sorted(left))
        return taken

    def _claim_now(self, connection: Connection[tuple[Any, ...]], names: frozenset[Identity]) -> _Claimed:
        with connection.pipeline():
            return self._claim_and_look(connection, names, self.seq)()

    def _claim_and_look(
        self, connection: Connection[tuple[Any, ...]], names: frozenset[Identity], seq: int
    ) -> Callable[[], _Claimed]:
        """Claim these names, and ask for the lines behind this one. Both questions go at once, in a pipeline; the second one is answered by
        what there is after the first. Returns what waits for the answers.
        """
        claimed = connection.execute(_CLAIM, self._claim_values(names))
        behind = connection.execute(_BEHIND, (self.address.scenario, seq, _FAR + 1))
        return lambda: _Claimed(
            names, frozenset(claimed.fetchall()), seq, tuple(bytes(line) for (line,) in behind.fetchall())
        )

    def _claim_values(self, names: Iterable[Identity]) -> dict[str, object]:
        ordered = sorted(names)
        return {
            "scenario": self.address.scenario,
            "worker": self.worker,
            "claim_s": self.claim_s,
            "names": [name for name, _ in ordered],
            "tasks": [task for _, task in ordered],
        }

    def _release(self, names: Sequence[Identity]) -> None:
        if names:
            self.server.do(
                "DELETE FROM ace.claims WHERE scenario = %s AND worker = %s AND (name, task) IN "
                "(SELECT * FROM unnest(%s::text[], %s::text[]))",
                self.address.scenario,
                self.worker,
                [name for name, _ in names],
                [task for _, task in names],
            )


def _renew(shelf: ReferenceType[Shelf], is_gone: threading.Event, every_s: float) -> None:
    """Renew a shelf's claims in the background, three times before they would end. If the server cannot be reached they end, and
    what another worker then reads of it is passed over at our append.
    """
    while not is_gone.wait(every_s):
        there = shelf()
        if there is not None:
            with suppress(AceError):
                there.renew()
        del there


def _names(traces: Iterable[Trace]) -> frozenset[Identity]:
    """All names of these runs, as they are compared."""
    return frozenset(name for trace in traces for name in compared(identities(trace)))


def _is_named(folds: Folds, line: StepRecord) -> bool:
    """Whether these are the folds that the line names."""
    shown = "" if folds.accepted is None else digest(folds.accepted)
    return digest(folds.head.freeze()) == line.playbook and shown == line.accepted


def _with_old(names: Sequence[Identity]) -> list[Identity]:
    """The names, and as the lines of 0.1.0 have them, without a digest of the task."""
    return [*names, *{(name, "") for name, _ in names}]


def text_kept(key: str) -> bytes:
    """A withdrawn text's key as the table has it."""
    return key.encode("utf-8", "surrogatepass")


def _decoded(key: bytes) -> str:
    return bytes(key).decode("utf-8", "surrogatepass")


def text_digest(key: str) -> bytes:
    """What the table finds a withdrawn text's key by."""
    # A text may be longer than what an index takes.
    return hashlib.sha256(text_kept(key)).digest()


# --- statements -------------------------------------------------------------------------------------------------------

_APPEND: Final = """
WITH new AS (
    INSERT INTO ace.lines (scenario, seq, line, block, restores)
    SELECT b.scenario, %(seq)s, %(line)s, %(block)s, %(restores)s FROM ace.books b
    WHERE b.scenario = %(scenario)s AND b.revision = %(revision)s AND CASE
        WHEN %(seq)s = 1 THEN %(prev)s = ''
        ELSE EXISTS (SELECT FROM ace.lines l WHERE l.scenario = b.scenario AND l.seq = %(seq)s - 1
            AND encode(sha256(l.line), 'hex') = %(prev)s)
        END
    ON CONFLICT (scenario, seq) DO NOTHING
    RETURNING scenario, seq
), runs AS (
    INSERT INTO ace.runs (scenario, name, task, seq)
    SELECT new.scenario, said.name, said.task, new.seq
    FROM new, unnest(%(names)s::text[], %(tasks)s::text[]) AS said(name, task)
    ON CONFLICT DO NOTHING
), withdrawn AS (
    INSERT INTO ace.withdrawn (scenario, digest, key)
    SELECT new.scenario, gone.digest, gone.key
    FROM new, unnest(%(digests)s::bytea[], %(keys)s::bytea[]) AS gone(digest, key)
    ON CONFLICT DO NOTHING
), back AS (
    DELETE FROM ace.withdrawn w USING new WHERE w.scenario = new.scenario AND w.digest = ANY(%(back)s::bytea[])
), claims AS (
    DELETE FROM ace.claims c USING new WHERE c.scenario = new.scenario AND c.worker = %(worker)s
)
SELECT count(*) FROM new
"""

SNAPSHOT_INTO: Final = """
WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO ace.snapshots AS s (scenario, seq, playbook, accepted) SELECT %s, %s, %s, %s FROM lazily
ON CONFLICT (scenario) DO UPDATE SET seq = excluded.seq, playbook = excluded.playbook, accepted = excluded.accepted
    WHERE s.seq < excluded.seq
"""

_TURN: Final = """
SELECT set_config('lock_timeout', %s, true), pg_advisory_lock(hashtextextended('ace ' || %s, 0))
"""

_BEHIND: Final = "SELECT line FROM ace.lines WHERE scenario = %s AND seq > %s ORDER BY seq LIMIT %s"

_HAS_ENDED: Final = """(c.expires_at < clock_timestamp() AND (c.expires_at >= pg_postmaster_start_time()
    OR pg_postmaster_start_time() + make_interval(secs => %(claim_s)s) < clock_timestamp()))
"""
# Nobody could renew a claim while the server was down: those that ended then hold once more.

_CLAIM: Final = f"""
WITH lazily AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true))
INSERT INTO ace.claims AS c (scenario, name, task, worker, expires_at)
SELECT %(scenario)s, wanted.name, wanted.task, %(worker)s, clock_timestamp() + make_interval(secs => %(claim_s)s)
FROM lazily, unnest(%(names)s::text[], %(tasks)s::text[]) AS wanted(name, task)
ORDER BY wanted.name, wanted.task
ON CONFLICT (scenario, name, task) DO UPDATE SET worker = excluded.worker, expires_at = excluded.expires_at
    WHERE c.worker = excluded.worker OR {_HAS_ENDED}
RETURNING name, task
"""  # noqa: S608 - of constants
# Without waiting for the disk: a claim that a crash of the server takes is taken again when it is renewed.

_REMEMBER: Final = """
INSERT INTO ace.tried AS t (scenario, first, time, reason, too_long, shown, model, name, task)
SELECT given.*, wanted.name, wanted.task
FROM (SELECT %s::text, %s::text, %s::text, %s::text, %s::boolean, %s::bigint, %s::text) AS given,
    unnest(%s::text[], %s::text[]) AS wanted(name, task)
ORDER BY wanted.name, wanted.task
ON CONFLICT (scenario, name, task) DO UPDATE SET first = excluded.first, time = excluded.time, reason = excluded.reason,
    too_long = excluded.too_long, shown = excluded.shown, model = excluded.model
"""
