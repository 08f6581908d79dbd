"""Kills commands that write, at random moments, and looks at what they leave: `python benchmarks/torture.py [--kills N]`.

One process forks a child for each command: `ace learn`, with and without a review, `accept`, `remove`, `reword`, `add`, `adopt` of a
playbook.json and of a block that were changed by hand, `revert`, `rewind`, `rebuild`. SIGKILL ends the child after a random part of
the time that the command takes or, as often, a random moment after the log has grown. Then

    no whole step is lost    the log begins with the lines of before, and holds each step that the child had told as done
    no half step is visible  every line is whole; the snapshot is the playbook of the last line or of the one before; the rules hold
                             the block of a line, and every other byte of before
    it goes on               putting the folder in order, or the same command again, ends in what `ace verify` finds right, and no
                             id is given twice

What the kernel was given outlives a killed process, synced or not: no power fails here. Exit status 1 and the folder's name at the
first thing that is not so; `--seed` repeats the commands, not the moments.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Final, NoReturn

from ace.adapters.cli import main as command
from ace.adapters.shipped import shipped
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.snapshot import read_snapshot
from ace.deciding import waiting
from ace.domain.errors import StateError, StepError
from ace.domain.playbook import Playbook, digest, dump
from ace.domain.rules_block import digest_in, find_block
from ace.events.types import Bullet, BulletAdded, StepRecord
from ace.method import ACE
from ace.ports import StepContext
from ace.reconciling import verify

DEMO: Final = shipped("examples/demo")
TEXT: Final = b"# Rules\n\nBe kind.\n"
LINES: Final = 40
"""Of a log, before the next folder: each kill reads the whole of it."""

WRITING: Final = (
    *("learn", "learn", "learn", "learn --review", "learn --review"),
    *("accept", "accept some", "remove", "reword", "add", "adopt", "adopt --from-block"),
    *("revert", "rewind", "rebuild"),
)


class BrokenError(Exception):
    """Something is not as it has to be."""


class Before:
    """A folder as it was when a command began."""

    def __init__(self, folder: FolderBook) -> None:
        # A kill may leave part of a line, where it crosses a page of memory: it does not count as a step, and the next one removes it.
        self.log = _whole_lines(_bytes(_log(folder)))
        self.rules = _around(_bytes(folder.rules_files[0]))
        self.lines = sum(1 for _ in folder.log.verified())


class Ring:
    """A folder, the commands that are killed in it, and what they have to leave."""

    def __init__(self, root: Path, dice: random.Random) -> None:
        self.root = root
        self.dice = dice
        self.number = 0
        root.mkdir(parents=True)
        (root / "rules.md").write_bytes(TEXT)
        self.learn = ["learn", "--replies", DEMO / "calls.json", DEMO / "runs.jsonl"]

    @property
    def folder(self) -> FolderBook:
        """The folder, as it is now."""
        return FolderBook(self.root)

    def choose(self) -> tuple[str, list[str]]:
        """A command that can do something here, by its name and its words; what it needs is made ready."""
        folder = self.folder
        bullets, lines = folder.playbook().bullets, len(list(folder.log.verified()))
        name = self.dice.choice(WRITING)
        if not bullets:
            name = name if name.startswith("learn") else "add"
        waits = waiting(folder).lessons if bullets else ()
        if name.startswith("accept") and not waits:
            name = "learn --review"
        self.number += 1
        one = self.dice.choice(bullets).id if bullets else ""
        words: Mapping[str, Sequence[object]] = {
            "learn": (*self.learn, "--again", "--limit", 2),
            "learn --review": (*self.learn, "--again", "--limit", 2, "--review"),
            "accept": ("accept", "--yes"),
            "accept some": (
                "accept",
                waits[0].id if waits else "",
                "--yes",
                *(["--leave"] * (self.number % 2)),
            ),
            "remove": ("remove", one, "--reason", "wrong", "--yes"),
            "reword": ("reword", one, f"Look at it {self.number} times.", "--yes"),
            "add": ("add", f"Read it {self.number} times.", "--yes"),
            "adopt": ("adopt",),
            "adopt --from-block": ("adopt", "--from-block", self.root / "rules.md", "--yes"),
            "revert": ("revert", max(1, lines - self.dice.randrange(4)), "--yes"),
            "rewind": ("rewind", max(0, lines - 1 - self.dice.randrange(4)), "--yes"),
            "rebuild": ("rebuild",),
        }
        self.prepare(name, bullets)
        return name, [*map(str, words[name]), "--work", str(self.root)]

    def prepare(self, name: str, bullets: tuple[Bullet, ...]) -> None:
        """Change by hand what the command takes up, or makes again."""
        folder = self.folder
        if name == "adopt":
            playbook = folder.playbook()
            mine = Bullet(f"ace-{playbook.next_number:05d}", "Others", f"Mine {self.number}.", 0, 0, 1)
            folder.snapshot.write_bytes(dump(Playbook(playbook.next_number + 1, (*bullets[1:], mine))))
        elif name == "adopt --from-block":
            data = _bytes(self.root / "rules.md")
            changed = re.sub(rb"( :: .*)", rb"\1 Then look.", data, count=1)
            (self.root / "rules.md").write_bytes(changed)
        elif name == "rebuild":
            folder.snapshot.write_bytes(dump(Playbook(folder.playbook().next_number, bullets[1:])))

    # --- what a kill leaves ---------------------------------------------------------------------------------------

    def check(self, before: Before, name: str, words: Sequence[str], told: str) -> bool:
        """See that nothing is lost and nothing half done, and that it goes on. Returns whether the command had got to its line."""
        folder = self.folder
        log = _bytes(_log(folder))
        _see(log.startswith(before.log), "a line of before is not there any more")
        records = list(folder.log.verified())  # raises for a line that is not whole
        whole = len(records) - before.lines
        _see(whole >= _done(told), f"{_done(told)} steps were told as done, and {whole} lines came")
        _see(
            _around(_bytes(folder.rules_files[0])) == before.rules, "the text around the block is another one"
        )
        if name not in ("adopt", "rebuild", "adopt --from-block"):
            self.see_files(records)
        self.go_on(name, words)
        found = verify(self.folder)
        _see(found.agrees, f"it does not come right: {[*found.differences, *map(str, found.changed)]}")
        given = [
            event.id
            for one in self.folder.log.verified()
            for event in one.applied
            if isinstance(event, BulletAdded)
        ]
        _see(len(given) == len(set(given)), "an id was given twice")
        return whole > 0

    def see_files(self, records: Sequence[StepRecord]) -> None:
        """The files are those of a line, though perhaps not of the last one."""
        blocks = {digest_in(b""), *(one.block for one in records)}
        _see(digest_in(_bytes(self.root / "rules.md")) in blocks, "the rules hold the block of no line")
        snapshot = read_snapshot(self.folder.snapshot) or Playbook()
        known = {one.playbook for one in records[-2:]} | ({digest(Playbook())} if len(records) < 2 else set())
        _see(digest(snapshot) in known, "the snapshot is the playbook of neither of the last two lines")

    def go_on(self, name: str, words: Sequence[str]) -> None:
        """Put the folder in order, as the next command does; what a person had changed by hand is taken up by the same command."""
        try:
            ACE().settle(StepContext(book=self.folder), _Nobody())
        except StateError:
            _see(name in ("adopt", "rebuild"), "the next step cannot begin")
            _see(_run(words) == 0, "the command cannot be given again")


class _Nobody:
    def model(self, name: str) -> NoReturn:
        raise StepError(f"no model {name} is needed to put a folder in order")

    def check(self, files: Mapping[str, bytes]) -> None:
        del files


def _see(holds: bool, otherwise: str) -> None:  # noqa: FBT001 - an assertion
    if not holds:
        raise BrokenError(otherwise)


def _log(folder: FolderBook) -> Path:
    return folder.history / "events.jsonl"


def _bytes(path: Path) -> bytes:
    return path.read_bytes() if path.exists() else b""


def _whole_lines(log: bytes) -> bytes:
    return log[: log.rfind(b"\n") + 1]


def _around(rules: bytes) -> bytes:
    span = find_block(rules)
    return rules.strip() if span is None else (rules[: span.start] + rules[span.end :]).strip()


_STEP = re.compile(r"^\[run .*\] .*: (?!failed)", re.MULTILINE)
_DECIDED = re.compile(r"^(?:Done, as line \d+|Adopted )", re.MULTILINE)


def _done(told: str) -> int:
    """How many lines the command had told as written."""
    return len(_STEP.findall(told)) + len(_DECIDED.findall(told))


# --- killing --------------------------------------------------------------------------------------------------------


def _run(words: Sequence[str]) -> int:
    """The command in a child that lives; returns its status."""
    _, status, _ = _child(words, None)
    return status


def _child(words: Sequence[str], seconds: float | None, log: Path | None = None) -> tuple[float, int, str]:
    """The command in a process of its own, killed after so many seconds (from when this log has grown, if one is given); how long it
    took, its status (negative: killed), and what it told.
    """
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    size = 0 if log is None else _size(log)
    start = time.perf_counter()
    process = os.fork()
    if process == 0:
        _become(words, writing)
    os.close(writing)
    if seconds is not None:
        while log is not None and _size(log) == size and not _has_ended(process):
            time.sleep(0.0002)
        time.sleep(seconds)
        os.kill(process, signal.SIGKILL)
    _, ended = os.waitpid(process, 0)
    taken = time.perf_counter() - start
    with os.fdopen(reading, "rb") as file:
        told = (file.read() or b"").decode(errors="replace")
    return taken, os.waitstatus_to_exitcode(ended), told


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _has_ended(process: int) -> bool:
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _become(words: Sequence[str], told: int) -> NoReturn:
    status = 1
    try:
        for descriptor in (1, 2):
            os.dup2(told, descriptor)
        # What is told is told at once, or a kill would hide what was done.
        sys.stdout = os.fdopen(1, "w", buffering=1)
        sys.stderr = os.fdopen(2, "w", buffering=1)
        status = command(words)
    finally:
        os._exit(status)


def torture(work: Path, kills: int, seed: int) -> Counter[str]:
    """So many kills. Returns how many there were by command, and how many of them came behind the append (`command, behind`).
    Raises `BrokenError`.
    """
    dice = random.Random(seed)
    took: dict[str, float] = {}
    counts: Counter[str] = Counter()
    ring, folders = Ring(work / "0", dice), 0
    while counts["all"] < kills:
        if len(list(ring.folder.log.verified())) >= LINES:
            shutil.rmtree(ring.root)
            folders += 1
            ring = Ring(work / str(folders), dice)
        name, words = ring.choose()
        before = Before(ring.folder)
        known = took.get(name)
        if known is None:
            taken, status, told = _child(words, None)
        elif dice.random() < 0.5:
            taken, status, told = _child(words, dice.uniform(0, known * 1.05))
        else:
            taken, status, told = _child(words, dice.uniform(0, known * 0.05), _log(ring.folder))
        if status >= 0:  # it lived
            if status == 0:
                took[name] = taken if known is None else 0.8 * known + 0.2 * taken
            counts["lived"] += 1
        else:
            counts["all"] += 1
            counts[name] += 1
            if counts["all"] % 1_000 == 0:
                print(f"{counts['all']:,} kills", file=sys.stderr, flush=True)
        try:
            behind = ring.check(before, name, words, told)
        except BrokenError as broken:
            raise BrokenError(
                f"after `ace {' '.join(words)}` ({name}), status {status}: {broken}. Told: {told[-300:]}"
            ) from None
        if status < 0:
            counts[f"{name}, behind"] += behind
    return counts


def main() -> int:
    """Kill, and print what came of it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=10_000, help="how many (default: 10,000)")
    parser.add_argument("--seed", type=int, default=0, help="of the commands (default: 0)")
    options = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108 - a folder of a random name in it
    for module in ("learn", "decide", "history", "review"):  # or each child would import them again
        import_module(f"ace.adapters.cli.{module}")
    import_module("structlog")
    work = Path(tempfile.mkdtemp(prefix="ace-torture-", dir=memory))
    os.environ["XDG_STATE_HOME"] = str(work / "state")
    start = time.perf_counter()
    try:
        counts = torture(work, options.kills, options.seed)
    except Exception as error:  # noqa: BLE001 - whatever it is, the folder tells more
        print(f"{type(error).__name__}: {error}\nThe folder is left in {work}.")
        return 1
    shutil.rmtree(work)
    rows = [
        {"command": name, "kills": counts[name], "behind the append": counts[f"{name}, behind"]}
        for name in dict.fromkeys(WRITING)
    ]
    for row in rows:
        print(json.dumps(row))
    minutes = (time.perf_counter() - start) / 60
    print(
        f"{counts['all']:,} kills, {counts['lived']:,} commands that lived, {minutes:.1f} minutes: nothing lost, nothing half."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
