"""An index of the log: what it says of a run, and which texts do not come back, without reading all of it.

    cache/index-….sqlite covered     where the last line that is indexed lies, its `seq` and its digest
                         runs        identity → the lines that speak of the run
                         withdrawn   keys of texts that a person took out
                         tried       identity → the last failed call of a run that is still to be read
                         rules_files the rules files that were used with this log, by their real path

All but the last two is made from the log, and made again whenever the log is not the one that was indexed: another line where
the last one was, or fewer lines. So the file can be deleted at any time; it is one machine's own. `tried` is not in the
log, since a step of which no call got through leaves no line in it: if it is lost, the order in which runs are tried starts
over. If `rules_files` is lost, a block that was changed by hand has to be taken again. A file that is damaged is made again.

The index lags behind the log and catches up when it is opened, so that a kill at any point leaves nothing to repair:

    log     1  2  3  4  5  6  7        covered: line 5, its place and its digest
    index   ───────────────►           opened: line 5 is still there, so 6 and 7 are read, and nothing before them

    log     1  2  3  4' 5' 6'          another line in that place, or a shorter log: it was put back from elsewhere,
    index   ───────────────►           and the index is made again from line 1
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, Self

import msgspec

from ace.adapters.store.log import Log
from ace.adapters.store.trust import own_name
from ace.domain.chain import line_digest
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past, Said, Tried, compared, identities, names_in, past_of, said_in
from ace.domain.withdrawn import withdrawals
from ace.events.types import Identity, PlaybookRestored, StepRecord

__all__ = ["Index", "opened"]

_VERSION: Final = 3
"""Of the tables: a file of another version is made again."""

_TABLES: Final = """
CREATE TABLE covered (start INTEGER NOT NULL, stop INTEGER NOT NULL, seq INTEGER NOT NULL, digest TEXT NOT NULL,
    restored INTEGER NOT NULL);
CREATE TABLE runs (name TEXT NOT NULL, task TEXT NOT NULL, start INTEGER NOT NULL, PRIMARY KEY (name, task, start))
    WITHOUT ROWID;
CREATE TABLE withdrawn (key TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tried (name TEXT NOT NULL, task TEXT NOT NULL, time TEXT NOT NULL, reason TEXT NOT NULL,
    too_long INTEGER NOT NULL, shown INTEGER NOT NULL, model TEXT NOT NULL, first TEXT NOT NULL, PRIMARY KEY (name, task))
    WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS rules_files (path BLOB PRIMARY KEY) WITHOUT ROWID;
"""


class _Covered(msgspec.Struct, frozen=True):
    """The last line that is indexed: where it begins and where the next one will, its number and digest, and the number of
    the last line that restored a playbook.
    """

    start: int = 0
    stop: int = 0
    seq: int = 0
    digest: str = ""
    restored: int = 0


@contextmanager
def opened(log: Log, cache: Path, *, in_memory: bool = False) -> Iterator[Index]:
    """The index of a log, brought up to date. `in_memory` leaves the file in `cache` as it is, and writes nothing.

    A file that is damaged is made again; where none can be written, the whole log is read instead. Raises `LogError` for a
    damaged log, and `OSError` for one that cannot be read.
    """
    path = _path(cache, make=not in_memory)
    ways: list[Callable[[], sqlite3.Connection]] = []
    if path is not None:
        ways = [partial(_copied, path)] if in_memory else [partial(_filed, path), partial(_anew, path)]
    index = _index(log, ways)
    try:
        yield index
    finally:
        index.close()


def _index(log: Log, ways: Iterable[Callable[[], sqlite3.Connection]]) -> Index:
    """An index by the first of these ways that works; the last resort needs no file."""
    for connect in ways:
        try:
            index = Index(log, connect())
        except (sqlite3.Error, OSError):
            continue
        try:
            return index.catch_up()
        except sqlite3.Error:
            index.close()
        except BaseException:  # of the log, which no other way would read better
            index.close()
            raise
    return Index(log, _with_tables(sqlite3.connect(":memory:"))).catch_up()


class Index:
    """Answers from the tables. `opened` makes one."""

    def __init__(self, log: Log, connection: sqlite3.Connection) -> None:
        self._log = log
        self._db = connection
        self._covered = _Covered()

    @property
    def restored(self) -> int:
        """The `seq` of the last line that restored a playbook, 0 if there is none."""
        return self._covered.restored

    def catch_up(self) -> Self:
        """Take in the lines that the log has got since."""
        row = self._db.execute("SELECT start, stop, seq, digest, restored FROM covered").fetchone()
        self._covered = _Covered(*row) if row else _Covered()
        if row and not self._log.has_line(self._covered.start, self._covered.stop, self._covered.digest):
            self._covered = _Covered()
            self._db.executescript("DELETE FROM covered; DELETE FROM runs; DELETE FROM withdrawn;")
        before = covered = self._covered
        for start, line, record in self._log.lines_from(covered.stop, covered.seq + 1, covered.digest):
            covered = self._take(covered, start, line, record)
        if covered != before:
            self._db.execute("DELETE FROM covered")
            self._db.execute("INSERT INTO covered VALUES (?, ?, ?, ?, ?)", msgspec.structs.astuple(covered))
            self._covered = covered
        self._db.commit()
        return self

    def _take(self, covered: _Covered, start: int, line: bytes, record: StepRecord) -> _Covered:
        for _, _, event in said_in(record):
            rows = [(name, task, start) for name, task in names_in(event)]
            self._db.executemany("INSERT OR IGNORE INTO runs VALUES (?, ?, ?)", rows)
        for key, is_withdrawn in withdrawals(record):
            statement = (
                "INSERT OR IGNORE INTO withdrawn VALUES (?)"
                if is_withdrawn
                else "DELETE FROM withdrawn WHERE key = ?"
            )
            self._db.execute(statement, (key,))
        was_restored = any(isinstance(event, PlaybookRestored) for event in record.events)
        return _Covered(
            start,
            start + len(line) + 1,
            record.seq,
            line_digest(line),
            record.seq if was_restored else covered.restored,
        )

    def ahead[P](self, traces: Iterable[tuple[P, Trace]]) -> Iterable[tuple[P, Trace]]:
        """The same traces: nothing is gained by looking up many at once."""
        return traces

    def past(self, trace: Trace) -> Past:
        """What the log says of a run."""
        starts: set[int] = set()
        for name, task in compared(identities(trace)):
            # The lines of 0.1.0 have no digest of the task.
            found = self._db.execute(
                "SELECT start FROM runs WHERE name = ? AND task IN (?, '')", (name, task)
            )
            starts.update(start for (start,) in found)
        return past_of(trace, self._said(sorted(starts)))

    def _said(self, starts: list[int]) -> Iterator[Said]:
        for start in starts:
            yield from said_in(self._log.record_at(start))

    def withdrawn(self) -> frozenset[str]:
        """The keys of the texts that do not come back."""
        return frozenset(key for (key,) in self._db.execute("SELECT key FROM withdrawn"))

    def tried(self, trace: Trace) -> Tried | None:
        """The last failed call of a run, if one is remembered."""
        for name, task in compared(identities(trace)):
            row = self._db.execute(
                "SELECT time, reason, too_long, shown, model FROM tried WHERE name = ? AND task = ?",
                (name, task),
            ).fetchone()
            if row is not None:
                return Tried(row[0], row[1], bool(row[2]), row[3], row[4])
        return None

    def tried_runs(self) -> list[tuple[set[Identity], bool]]:
        """The runs whose last call failed: each by all of its names, as they are compared, and whether it was too long."""
        runs: dict[str, tuple[set[Identity], bool]] = {}
        for name, task, first, too_long in self._db.execute("SELECT name, task, first, too_long FROM tried"):
            runs.setdefault(first, (set(), bool(too_long)))[0].add((name, task))
        return list(runs.values())

    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Remember a failed call, in place of an earlier one of the same run. Raises nothing: it may be lost, and what the
        other calls of its step brought must not be.
        """
        names = compared(failed.identities)
        rest = (time, failed.reason, failed.too_long, failed.shown, model, " ".join(names[0]))
        rows = [(name, task, *rest) for name, task in names]
        with suppress(sqlite3.Error), self._db:
            self._db.executemany("INSERT OR REPLACE INTO tried VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)

    def forget(self, trace: Trace) -> None:
        """Forget the failed calls of a run: it was read. Raises nothing."""
        with suppress(sqlite3.Error), self._db:
            self._db.executemany("DELETE FROM tried WHERE name = ? AND task = ?", compared(identities(trace)))

    def knows_file(self, path: Path) -> bool:
        """Whether this rules file was used with this log."""
        rows = self._db.execute("SELECT 1 FROM rules_files WHERE path = ?", (_real(path),))
        return rows.fetchone() is not None

    def know_file(self, path: Path) -> None:
        """Note that this rules file is used with this log. Raises nothing: it may be lost."""
        with suppress(sqlite3.Error), self._db:
            self._db.execute("INSERT OR IGNORE INTO rules_files VALUES (?)", (_real(path),))

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()


def _real(path: Path) -> bytes:
    return os.fsencode(os.path.realpath(path))


def _path(cache: Path, *, make: bool) -> Path | None:
    """The file, by a name that no clone can know: a database that somebody else made is never opened, since its schema and its
    journal could make SQLite do anything. None where the user has no folder to keep the name's secret in.
    """
    try:
        return cache / f"index-{own_name(cache, make=make)}.sqlite"
    except OSError:
        return None


# --- the file -------------------------------------------------------------------------------------------------------


def _filed(path: Path) -> sqlite3.Connection:
    path.parent.mkdir(parents=True, exist_ok=True)
    return _with_tables(sqlite3.connect(path))


def _anew(path: Path) -> sqlite3.Connection:
    """Empty tables, in place of a file that cannot be used."""
    for left in (path, path.with_name(f"{path.name}-journal")):
        left.unlink(missing_ok=True)
    return _filed(path)


def _copied(path: Path) -> sqlite3.Connection:
    """A copy of the file in memory."""
    memory = sqlite3.connect(":memory:")
    if path.is_file():
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as file:
            file.backup(memory)
    return _with_tables(memory)


def _with_tables(connection: sqlite3.Connection) -> sqlite3.Connection:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version != _VERSION:
        drops = "".join(f"DROP TABLE IF EXISTS {name};" for name in ("covered", "runs", "withdrawn", "tried"))
        connection.executescript(f"BEGIN; {drops} {_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
    return connection
