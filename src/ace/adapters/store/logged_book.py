"""What every book in a folder has: a lock, a log with its index, the snapshot, and the records of the steps.

<root>/lock                    held for the whole of a step
<root>/history/events.jsonl    the log
<root>/state/playbook.json     the snapshot
<root>/steps/<record>/         the records, if the host has no place of its own for them
<root>/cache/                  the index: what can be made again from the log, and pending replies; one machine's own
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import override

from ace.adapters.store.files import lock, replace, write_new
from ace.adapters.store.index import opened
from ace.adapters.store.knowledge import Knowledge
from ace.adapters.store.log import ChainedLog, Log
from ace.adapters.store.snapshot import SNAPSHOT
from ace.adapters.store.step_record import retell
from ace.domain.chain import LogTail
from ace.domain.playbook import Playbook, dump
from ace.domain.screens import SCREENS, Screen
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past
from ace.events.types import StepRecord
from ace.ports import Book

__all__ = ["LoggedBook"]


class LoggedBook(Book):
    """The part of a book that its log and its records are."""

    def __init__(self, root: Path, holder: str) -> None:
        """`holder` is what a second writer is told of the first."""
        self.root = root
        self.screens: Sequence[Screen] = SCREENS  # those of the settings, once these are known
        self.history = root / "history"
        self.cache = root / "cache"
        self.snapshot = root / "state" / SNAPSHOT
        self.wait_s = 0.0
        self.log: ChainedLog = Log(self.history)
        self._holder = holder
        self._steps = root / "steps"
        self._record_dir = self._steps
        self._index: Knowledge | None = None
        self._held = ExitStack()

    def index(self, *, in_memory: bool = False) -> AbstractContextManager[Knowledge]:
        """What the log says of runs and texts. `in_memory` writes nothing."""
        return opened(Log(self.history), self.cache, in_memory=in_memory)

    def locked(self, command: str, name: str = "lock") -> AbstractContextManager[None]:
        """The folder, held by a command that is not a step. Raises `LockedError`, once `wait_s` seconds have passed."""
        return lock(self.root / name, f"process {os.getpid()} ({command})", wait_s=self.wait_s)

    @override
    @contextmanager
    def hold(self) -> Iterator[None]:
        with self.locked(self._holder), ExitStack() as held:
            self._held = held
            try:
                yield
            finally:
                self._index = None

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        return self.log.append(record)

    @override
    def keep(self, playbook: Playbook) -> None:
        replace(self.snapshot, dump(playbook))

    @override
    def write(self, name: str, data: bytes) -> None:
        write_new(self._record_dir / name, data)

    @override
    def past(self, trace: Trace) -> Past:
        return self._opened_index().past(trace)

    @override
    def withdrawn(self) -> Collection[str]:
        return self._opened_index().withdrawn()

    @override
    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        self._opened_index().remember(failed, time=time, model=model)

    @override
    def forget(self, trace: Trace) -> None:
        self._opened_index().forget(trace)

    def _opened_index(self) -> Knowledge:
        """The index, opened once for a step."""
        if self._index is None:
            self._index = self._held.enter_context(self.index())
        return self._index

    def _tail(self) -> LogTail | None:
        """The end of the log. What its last step had left untold is told now."""
        tail = self.log.last()
        if tail is not None:
            retell(self._steps, tail.record)
        return tail
