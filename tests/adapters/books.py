"""A book in memory, with many writers, and books that count or die: for the contract of all books.

shelf = Shelf(rules=b"# Rules\\n")
ACE().step(StepContext(book=shelf.book(), traces=[run("a")]), Host(lessons()))
assert shelf.playbook == fold_records(Playbook(), shelf.records)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any, override

from ace.domain.chain import LogTail, next_seq, tail_after
from ace.domain.errors import SeqTakenError
from ace.domain.opening import OpenState, open_own
from ace.domain.playbook import Playbook
from ace.domain.rules_block import Candidate, Rules
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past, past_of, said_in
from ace.domain.withdrawn import withdrawals
from ace.events.types import StepRecord
from ace.ports import Book

__all__ = ["Counting", "Killed", "MemoryBook", "Mortal", "Shelf"]


class Shelf:
    """What the writers of one playbook share."""

    def __init__(self, rules: bytes | None = None, playbook: Playbook | None = None) -> None:
        self.records: list[StepRecord] = []
        self.playbook = playbook
        self.kept_at = 0
        self.files: dict[str, bytes | None] = {"rules.md": rules}
        self.written: dict[str, bytes] = {}

    def book(self) -> MemoryBook:
        """A book for one more writer."""
        return MemoryBook(self)

    def tail(self) -> LogTail | None:
        """The end of the log."""
        tail: LogTail | None = None
        for record in self.records[-2:]:
            tail = tail_after(tail, record)
        return tail


class MemoryBook(Book):
    """A writer's book: nobody is kept away, and who is first has the number."""

    is_ours = True
    rejected = ""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self._seq = 0
        self._record = ""

    @override
    def told_rules(self) -> str:
        return "rules.md"

    @override
    def hold(self) -> AbstractContextManager[None]:
        return nullcontext()

    @override
    def open(self) -> OpenState:
        tail = self.shelf.tail()
        self._seq = 0 if tail is None else tail.record.seq
        return open_own(self.shelf.playbook, tail, "the snapshot")

    @override
    def rules(self) -> Rules:
        return Rules(self.shelf.files)

    @override
    def unchanged(self, rules: Rules) -> bool:
        return rules.files == self.rules().files

    @override
    def past(self, trace: Trace) -> Past:
        return past_of(trace, (said for record in self.shelf.records for said in said_in(record)))

    @override
    def withdrawn(self) -> frozenset[str]:
        keys: set[str] = set()
        for record in self.shelf.records:
            for key, is_withdrawn in withdrawals(record):
                (keys.add if is_withdrawn else keys.discard)(key)
        return frozenset(keys)

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        if record.seq != next_seq(self.shelf.tail()):
            raise SeqTakenError(f"line {record.seq} is there")
        self.shelf.records.append(record)
        self._seq = record.seq
        return self.shelf.tail()

    @override
    def keep(self, playbook: Playbook) -> None:
        if self._seq >= self.shelf.kept_at:  # another writer may be ahead
            self.shelf.playbook, self.shelf.kept_at = playbook, self._seq

    @override
    def place(self, candidate: Candidate) -> bool:
        if not self.unchanged(candidate.base):
            return False
        self.shelf.files |= candidate.changed
        return True

    @override
    def begin_record(self, seq: int) -> str:
        self._record = f"{seq:05d}-{id(self)}"
        return self._record

    @override
    def write(self, name: str, data: bytes) -> None:
        self.shelf.written[f"{self._record}/{name}"] = data

    @override
    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Nothing is kept."""

    @override
    def forget(self, trace: Trace) -> None:
        """Nothing is kept."""


class _Around:
    """A book of which each call is seen."""

    def __init__(self, book: Book) -> None:
        self._book = book

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._book, name)
        return self._seen(name, value) if callable(value) else value

    def _seen(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        raise NotImplementedError


class Counting(_Around):
    """A book that counts what is asked of it."""

    def __init__(self, book: Book) -> None:
        super().__init__(book)
        self.calls: Counter[str] = Counter()

    def _seen(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        self.calls[name] += 1
        return call


class Killed(BaseException):
    """The process is gone."""


class Mortal(_Around):
    """A book whose process is killed right before, or right after, its n-th change."""

    CHANGES = ("append", "keep", "place", "begin_record", "write")

    def __init__(self, book: Book, dies_at: int, *, after: bool) -> None:
        super().__init__(book)
        self._left = dies_at
        self._after = after
        self.is_dead = False

    def _seen(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def change(*given: Any, **named: Any) -> Any:
            if self.is_dead:
                raise Killed
            if name not in self.CHANGES:
                return call(*given, **named)
            self._left -= 1
            self.is_dead = self._left == 0
            if self.is_dead and not self._after:
                raise Killed
            done = call(*given, **named)
            if self.is_dead:
                raise Killed
            return done

        return change


def deaths(most: int = 12) -> Iterator[tuple[int, bool]]:
    """Where a process may be killed: the number of the change, and whether behind it."""
    return ((at, after) for at in range(1, most + 1) for after in (False, True))
