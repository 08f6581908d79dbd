"""Processes that are killed while they learn: `python -m tests.adapters.nursery points|halves|times FOLDER`.

This process forks one child after the other, which cost a few milliseconds each. A child learns in a folder and writes
the name of each run that it has finished to the file `<folder>.finished`; SIGKILL ends it

    points   right before its n-th file operation, for every n until it gets through, in a folder for each n
    halves   in the middle of its n-th write: half of the bytes are on the disk
    times    wherever it is by the time that its parent has heard of a random number of operations: 25 kills one after
             the other in one folder
"""

from __future__ import annotations

import os
import random
import signal
import sys
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from tests.adapters.failing import Operation, intercepted
from tests.adapters.hosting import Host, Place, lessons, run

from ace.adapters.ace import ACE

TEXT = b"# Rules\n\nBe kind.\n"
READERS = ("pread", "lseek", "read_bytes", "close")
"""Operations that leave nothing behind: a kill before one of them is one before the next."""


def main(mode: str, root: Path) -> None:
    """Kill until a child gets through."""
    if mode == "times":
        _times(root)
        return
    for n in count(1):
        place = Place(root / f"{n:03d}", rules=TEXT)
        status = _child(partial(_victim, place, _killer(n, halves=mode == "halves")))
        if status == 0:
            break
        assert status == -signal.SIGKILL, status


def _times(root: Path) -> None:
    place = Place(root / "times", rules=TEXT)
    dice = random.Random(20)  # noqa: S311 - the same kills each time
    for n in range(25):
        heard, told = os.pipe()
        names = (f"r{n}-{step}" for step in count())
        process = os.fork()
        if process == 0:
            _end(partial(_learn, place, names, _teller(told)))
        os.close(told)
        for _ in range(dice.randrange(1, 250)):
            os.read(heard, 1)
        os.kill(process, signal.SIGKILL)
        assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == -signal.SIGKILL
        os.close(heard)


def _child(work: Callable[[], None]) -> int:
    """Run `work` in a process of its own; returns its status."""
    process = os.fork()
    if process == 0:
        _end(work)
    return os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])


def _end(work: Callable[[], None]) -> None:
    status = 1
    try:
        work()
        status = 0
    finally:
        os._exit(status)


def _victim(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    _learn(place, ["r0"], lambda _, operation: operation)
    _learn(place, ["r1", "r2"], wrap)


def _learn(place: Place, names: Iterable[str], wrap: Callable[[str, Operation], Operation]) -> None:
    finished = os.open(f"{place.root}.finished", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for name in names:
        with intercepted(wrap):
            ACE().step(place.context([run(name)]), Host(lessons()))
        os.write(finished, f"{name}\n".encode())


def _killer(at: int, *, halves: bool) -> Callable[[str, Operation], Operation]:
    seen = count(1)

    def wrap(name: str, operation: Operation) -> Operation:
        def call(*args: Any, **named: Any) -> Any:
            counts = name == "write" if halves else name not in READERS
            if counts and next(seen) == at:
                if halves:
                    descriptor, data = args
                    os.write(descriptor, data[: len(data) // 2])
                os.kill(os.getpid(), signal.SIGKILL)
            return operation(*args, **named)

        return call

    return wrap


def _teller(told: int) -> Callable[[str, Operation], Operation]:
    def wrap(_: str, operation: Operation) -> Operation:
        def call(*args: Any, **named: Any) -> Any:
            os.write(told, b".")
            return operation(*args, **named)

        return call

    return wrap


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
