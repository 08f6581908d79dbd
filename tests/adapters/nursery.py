"""Processes that are killed while they learn: `python -m tests.adapters.nursery MODE FOLDER`.

This process forks one child after the other, which cost a few milliseconds each. A child learns in a folder and writes
the name of each run that it has finished to the file `<folder>.finished`; SIGKILL ends it

    points   right before its n-th file operation, for every n until it gets through, in a folder for each n
    halves   in the middle of its n-th write: half of the bytes are on the disk
    times    wherever it is by the time that its parent has heard of a random number of operations: 25 kills one after
             the other in one folder
    adopt    as `points`, while `ace adopt` takes an older playbook.json, one bullet of which a screen takes out
    rebuild  as `points`, while `ace rebuild` makes files again from a log that was put back one line shorter
    remove, reword, add, revert, rewind, block, import, accept, …
             as `points`, while a person decides something: `DECISIONS`
    review   as `points`, while two steps are made whose lessons wait for a review
    curator  as `points`, while a step asks the Curator alone about a reflection of an earlier step
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import sys
import tempfile
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

from tests.adapters.failing import Operation, intercepted
from tests.adapters.hosting import Host, Place, bullet, lessons, reflection, run, scripted

from ace.adapters.cli import main as command
from ace.domain.playbook import Playbook
from ace.method import ACE

TEXT = b"# Rules\n\nBe kind.\n"
READERS = ("pread", "lseek", "read_bytes", "close")
"""Operations that leave nothing behind: a kill before one of them is one before the next."""


def main(mode: str, root: Path) -> None:
    """Kill until a child gets through."""
    # What the kernel was given outlives a killed process, synced or not: nothing here waits for the disk.
    os.fsync = os.fstat  # type: ignore[assignment]
    prepare, victim = _SCENES.get(mode, (_taught, _victim))
    with tempfile.TemporaryDirectory() as folder:
        prepared, once = Path(folder) / "prepared", Path(folder) / "once"
        prepare(Place(prepared, rules=TEXT))
        # All of it once in this process: else each child would import and compile again what it needs.
        victim(Place(shutil.copytree(prepared, once)), lambda _, operation: operation)
        if mode == "times":
            _times(root)
            return
        for n in count(1):
            place = Place(shutil.copytree(prepared, root / f"{n:03d}"))
            status = _child(partial(victim, place, _killer(n, halves=mode == "halves")))
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


def older(place: Place) -> None:
    """A snapshot that a person put back and changed."""
    for name in ("r0", "r1", "r2"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    place.put(Playbook(3, (bullet(1, "What a person says."), bullet(2, "zero\u200bwidth"))))


def _adopt(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    with intercepted(wrap):
        assert command(["adopt", "--work", str(place.root)]) == 0


def shorter(place: Place) -> None:
    """A log that was put back one line shorter than the files."""
    for name in ("r0", "r1"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    lines = place.log.path.read_bytes().splitlines(keepends=True)
    place.log.path.write_bytes(b"".join(lines[:-1]))


def _rebuild(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    with intercepted(wrap):
        assert command(["rebuild", "--work", str(place.root)]) == 0


DECISIONS: dict[str, list[str]] = {
    "remove": ["remove", "1", "2", "--reason", "wrong"],
    "reword": ["reword", "1", "Say it plainly."],
    "add": ["add", "Say it plainly."],
    "revert": ["revert", "1"],
    "rewind": ["rewind", "1"],
    "block": ["adopt", "--from-block", "RULES"],
    "import": ["add", "Say it plainly."],
    "accept": ["accept"],
    "accept one": ["accept", "2"],
    "accept one, leave the other": ["accept", "2", "--leave"],
    "remove while others wait": ["remove", "1", "2", "--reason", "wrong"],
    "rewind while others wait": ["rewind", "2"],
    "revert an acceptance": ["revert", "4"],
}
"""What a person decides, by its scene; `RULES` stands for the rules file."""

_WAITING = tuple(scene for scene in DECISIONS if "accept" in scene or "wait" in scene)
"""Scenes in which lessons wait for a review."""


def decided(scene: str, place: Place) -> None:
    """What there is before a person decides: three lessons, one of them edited in the block, or two of them not accepted yet; or a
    snapshot without a log.
    """
    if scene == "import":
        place.put(Playbook(4, (bullet(1, "What r0 teaches."), bullet(3, "zero\u200bwidth"))))
        return
    for name in ("r0", "r1", "r2"):
        waits = scene in _WAITING and name != "r0"
        ACE().step(place.context([run(name)], review=waits), Host(lessons()))
    if scene == "revert an acceptance":
        assert command(["accept", "--yes", "--work", str(place.root)]) == 0
    if scene == "block":
        place.rules.write_bytes(place.rules.read_bytes().replace(b"What r1 teaches.", b"Say it plainly."))


def decide(scene: str, place: Place) -> int:
    """The command; returns its status."""
    words = [str(place.rules) if word == "RULES" else word for word in DECISIONS[scene]]
    return command([*words, "--yes", "--work", str(place.root)])


def _decide(scene: str, place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    with intercepted(wrap):
        assert decide(scene, place) == 0


def _unused(place: Place) -> None:
    """A run whose tags were counted and whose Curator was not understood."""
    ACE().step(place.context([run("r0")]), Host(lessons()))
    script = scripted(reflection(("ace-00001", "helpful")), "no JSON")
    ACE().step(place.context([run("r1")]), Host(script))


def _taught(place: Place) -> None:
    """A lesson that came when nothing waited."""
    ACE().step(place.context([run("r0")]), Host(lessons()))


def _curate(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    with intercepted(wrap):
        ACE().step(place.context([run("r1")]), Host(lessons()))


def _victim(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    _learn(place, ["r1", "r2"], wrap)


def _review(place: Place, wrap: Callable[[str, Operation], Operation]) -> None:
    _learn(place, ["r1", "r2"], wrap, review=True)


def _learn(
    place: Place, names: Iterable[str], wrap: Callable[[str, Operation], Operation], *, review: bool = False
) -> None:
    finished = os.open(f"{place.root}.finished", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for name in names:
        with intercepted(wrap):
            ACE().step(place.context([run(name)], review=review), Host(lessons()))
        os.write(finished, f"{name}\n".encode())


_SCENES: dict[
    str, tuple[Callable[[Place], None], Callable[[Place, Callable[[str, Operation], Operation]], None]]
] = {
    "adopt": (older, _adopt),
    "rebuild": (shorter, _rebuild),
    "curator": (_unused, _curate),
    "review": (_taught, _review),
    **{scene: (partial(decided, scene), partial(_decide, scene)) for scene in DECISIONS},
}


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
