"""The runs of a scenario that are still to be read: a host will not bring them again by itself.

    <root>/backlog/<number>.json    one run each, in the order in which they came

A file holds no word of the run but the names under which the host keeps it: whoever reads the run asks the host for it then.
So nothing of a transcript lies here, and each file is small. One process may add runs while another one reads them.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from itertools import accumulate, islice
from pathlib import Path
from typing import Final, NamedTuple

import msgspec

from ace.adapters.store.files import read_bytes, replace

__all__ = ["MOST_BYTES", "MOST_DELAYS", "MOST_RUNS", "MOST_TRIES", "Backlog", "Entry", "Waiting"]

MOST_RUNS: Final = 1000
MOST_BYTES: Final = 16_000_000
"""Of more the oldest fall out."""

MOST_TRIES: Final = 3
"""A run that so many steps tried without success, although their other calls got through, is not tried again."""

MOST_DELAYS: Final = 30
"""Nor is one of which so many steps could make no call, although others got through: the endpoint was why, or so it said."""


class Waiting(msgspec.Struct, frozen=True, omit_defaults=True):
    """A run that is still to be read.

    `run` is its id. `calls` are the host's names of its calls, in order, and `report` that of the report on them; both may be
    missing, and the host looks for them then. `reason` says why it waits, `tries` how many steps tried it without success, `delays` how many could make no call of it, and `again`
    that a person asked for it.
    """

    run: str
    calls: tuple[str, ...] = ()
    report: str = ""
    reason: str = ""
    since: str = ""
    tries: int = 0
    delays: int = 0
    again: bool = False


class Entry(NamedTuple):
    """A run that waits, and the name of its file, by which it can be dropped."""

    name: str
    waiting: Waiting


class Backlog:
    """The runs that wait under one root. Raises `OSError` for what cannot be read or written; a file that is damaged counts as none."""

    def __init__(self, root: Path) -> None:
        self._folder = root / "backlog"
        self._known: dict[str, Waiting | None] = {}

    def entries(self) -> list[Entry]:
        """The runs, oldest first; of a run that is there twice, what was said of it last."""
        names = self._names()
        self._known = {name: self._known[name] for name in names if name in self._known}
        last: dict[str, Entry] = {}
        for name in names:
            if name not in self._known:
                self._known[name] = self._read(name)
            if (waiting := self._known[name]) is not None:
                last[waiting.run] = Entry(name, waiting)
        return sorted(last.values())

    def add(self, runs: Iterable[Waiting]) -> list[Waiting]:
        """Add runs, each replacing what is there of the same run. Returns those that fell out, since there are too many."""
        before = self.entries()
        for waiting in runs:
            kept = waiting if waiting.since else msgspec.structs.replace(waiting, since=_now())
            self._write(self._free_name(), kept)
            self.drop(entry.name for entry in before if entry.waiting.run == waiting.run)
        return self._bound()

    def change(self, entry: Entry, **changes: object) -> Entry:
        """Say something else of a run, which keeps its place."""
        waiting = msgspec.structs.replace(entry.waiting, **changes)
        self._write(entry.name, waiting)
        return Entry(entry.name, waiting)

    def drop(self, names: Iterable[str]) -> None:
        """Take runs out, by the names of their files. Raises nothing: what stays is read once more."""
        for name in names:
            with suppress(OSError):
                self._path(name).unlink(missing_ok=True)

    def see_room(self) -> None:
        """See that a run could be added. Raises `OSError` if not."""
        probe = self._folder / f".probe{_SUFFIX}"
        replace(probe, b" " * 512)
        probe.unlink(missing_ok=True)

    def _names(self) -> list[str]:
        try:
            return sorted(path.stem for path in self._folder.iterdir() if _is_entry(path))
        except FileNotFoundError:
            return []

    def _path(self, name: str) -> Path:
        return self._folder / f"{Path(name).name}{_SUFFIX}"

    def _read(self, name: str) -> Waiting | None:
        try:
            return msgspec.json.decode(read_bytes(self._path(name)) or b"", type=Waiting)
        except (ValueError, msgspec.MsgspecError):
            return None

    def _write(self, name: str, waiting: Waiting) -> None:
        replace(self._path(name), msgspec.json.encode(waiting))
        self._known[name] = waiting

    def _free_name(self) -> str:
        """A name behind all others, and that no earlier run had: the state of a host may still speak of that one."""
        names = self._names()
        after = int(names[-1]) + 1 if names else 0
        return f"{max(after, time.time_ns()):020d}"

    def _bound(self) -> list[Waiting]:
        """Take out the oldest of too many. Returns them."""
        newest_first = self.entries()[::-1]
        sizes = accumulate(len(msgspec.json.encode(entry.waiting)) for entry in newest_first)
        fits = sum(size <= MOST_BYTES for size in islice(sizes, MOST_RUNS))
        out = newest_first[fits:][::-1]
        self.drop(entry.name for entry in out)
        return [entry.waiting for entry in out]


_SUFFIX: Final = ".json"


def _is_entry(path: Path) -> bool:
    return path.suffix == _SUFFIX and path.stem.isdecimal()


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
