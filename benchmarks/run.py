"""Prints every figure beside its limit, both measured in this run: `python benchmarks/run.py [--quick]`.

A figure is a ratio against a floor or against itself at another size, so that it means the same on another machine.
Times are medians of interleaved repetitions. Exit status 1 if a limit is not met. `--quick` takes a tenth of the log.
"""

from __future__ import annotations

import gc
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import NamedTuple, override

import msgspec

import floor
from ace.adapters.cli import main as command
from ace.adapters.store.files import append_line
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.index import opened
from ace.adapters.store.log import Log
from ace.adapters.store.snapshot import SNAPSHOT, read_snapshot
from ace.domain.chain import line_digest, next_line
from ace.domain.decide import add_bullet, count_tag, refine
from ace.domain.evidence import evidence_in
from ace.domain.opening import open_own, restoration
from ace.domain.playbook import (
    Draft,
    FoldDigest,
    Playbook,
    bullet_id,
    dump,
    fold_records,
    key_of,
    parse_playbook,
)
from ace.domain.replies import UnusableReplyError, read_curation
from ace.domain.rules_block import block, digest_in, lines_outside, splice
from ace.domain.screens import redact
from ace.domain.settings import ACESettings
from ace.domain.step import StepOutcome, run_step
from ace.domain.stories import story_of
from ace.domain.trace import Trace, Turn
from ace.domain.transcript import transcript
from ace.domain.undo import reverting
from ace.domain.unread import task_digest
from ace.events.codec import encode_record, sealed
from ace.events.types import (
    Bullet,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    RunRead,
    StepRecord,
    TagCounted,
    version_of,
)
from ace.learning import Learning
from ace.method import ACE
from ace.ports import Completion, Request, StepContext
from ace.reconciling import rebuild
from ace.reporting import report

DIGEST = task_digest("Make the tests pass.")
NO_BLOCK = digest_in(b"")


class Row(NamedTuple):
    """A line of the table; `met` is None where the figure has no limit."""

    work: str
    figure: str
    limit: str
    met: bool | None


def medians(*works: Callable[[], object], repeats: int = 9) -> list[float]:
    """The median seconds of each work, the works taking turns so that a busy machine slows all of them."""
    times: list[list[float]] = [[] for _ in works]
    gc.collect()
    for _ in range(repeats):
        for work, taken in zip(works, times, strict=True):
            start = time.perf_counter()
            work()
            taken.append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


def ratio(work: str, value: float, limit: float, told: str, *, least: bool = False) -> Row:
    sign = "≥" if least else "≤"
    return Row(work, f"{value:.2f} ({told})", f"{sign} {limit}", value >= limit if least else value <= limit)


# --- the log --------------------------------------------------------------------------------------------------------


def log_lines(lines: int) -> Iterator[bytes]:
    """A log of steps with ten events each: four tags, three ADDs of which one is a duplicate, a run read, and two bullets
    that leave, in a playbook that the cap keeps at two hundred.
    """
    texts = floor.lessons(997)
    previous, number = "", 1
    fold, digests = Draft(Playbook()), FoldDigest()
    for seq in range(1, lines + 1):
        live = max(1, number - 200)
        tagged = [f"ace-{live + at * 7:05d}" for at in range(4)]
        events: list[Event] = [
            *(
                TagCounted(f"run-{seq}", at, one, "helpful")
                for at, one in enumerate(tagged)
                if fold.bullet(one)
            ),
            BulletAdded(f"run-{seq}", 0, f"ace-{number:05d}", floor.SECTIONS[seq % 4], texts[seq % 997], seq),
            BulletAdded(
                f"run-{seq}", 1, f"ace-{number + 1:05d}", floor.SECTIONS[0], texts[(seq + 5) % 997], seq
            ),
            DuplicateRejected(f"run-{seq}", 2, f"ace-{number:05d}", 0),
            RunRead(
                f"run-{seq}",
                1.0,
                "Make the tests pass.",
                "Run the failing test first.",
                "used",
                task_digest=DIGEST,
            ),
            TagCounted(f"run-{seq}b", 0, f"ace-{live:05d}", "neutral"),
            RunRead(
                f"run-{seq}b",
                None,
                "Rename the option.",
                "Search before replacing.",
                "used",
                task_digest=DIGEST,
            ),
        ]
        fold.apply(events)
        if number > 200:  # the cap takes as many as are added
            oldest = [fold.bullet(f"ace-{number - 200 + more:05d}") for more in range(2)]
            events[8:10] = [
                Capped(one.id, one.section, one.content, one.helpful, one.harmful) for one in oldest if one
            ]
            fold.apply(events[8:10])
        number += 2
        record = StepRecord(
            v=version_of(events),
            seq=seq,
            prev=previous,
            step=seq,
            record=f"{seq:05d}",
            outcome="committed",
            sections=floor.SECTIONS,
            next_number=number,
            playbook=digests.of(fold),
            block=NO_BLOCK,
            served=NO_BLOCK,
            events=tuple(events),
            time="2026-12-02T10:00:00.000Z",
            records={"calls.json": DIGEST, "harness/rules.md": DIGEST, "state/playbook.json": DIGEST},
        )
        line = encode_record(sealed(record))
        previous = line_digest(line)
        yield line


def write_log(folder: Path, lines: int) -> Log:
    log = Log(folder)
    folder.mkdir(parents=True)
    with log.path.open("wb") as file:
        for line in log_lines(lines):
            file.write(line + b"\n")
    return log


def replay_rows(folder: Path, lines: int) -> Iterator[Row]:
    log = write_log(folder / "history", lines)
    decoder = msgspec.json.Decoder(StepRecord)

    def raw() -> None:
        with log.path.open("rb") as file:
            for line in file:
                decoder.decode(line)

    def replay() -> Playbook:
        return fold_records(Playbook(), log.records())

    def verified() -> Playbook:
        return fold_records(Playbook(), log.verified())

    base, ours, checked = medians(raw, replay, verified, repeats=3)
    events = lines * 10
    told = f"{events:,} events in {ours:.2f} s, {events / ours:,.0f} a second; raw decode {base:.2f} s"
    yield ratio("replay: raw decode / decode + fold", base / ours, 0.6, told, least=True)
    yield Row("replay with the chain verified", f"{base / checked:.2f} ({checked:.2f} s)", "reported", None)
    yield from memory_rows(log)
    yield from looking_back_rows(log, raw, lines)


def looking_back_rows(log: Log, raw: Callable[[], None], lines: int) -> Iterator[Row]:
    """What reads the log once to look back: each beside the raw decode of the same lines."""

    def story() -> None:
        story_of(log.verified(), "ace-00100")

    def reverted() -> None:
        reverting(log.verified(), lines - 1)

    base, *found = medians(raw, story, reverted, repeats=3)
    names = ("the life of a lesson", "revert of a line")
    for name, took in zip(names, found, strict=True):
        yield ratio(
            f"{name}: raw decode / chain, decode, answer", base / took, 0.1, f"{took:.2f} s", least=True
        )


def commands_rows(folder: Path) -> Iterator[Row]:
    """The commands that look back, each as a whole, what they print included. They read the log once; the limit is the fraction of
    its raw decode that they may take.
    """
    root, lines = folder / "looked-at", 10_000
    log = write_log(root / "history", lines)
    rebuild(FolderBook(root))
    works: list[tuple[str, float, list[str]]] = [
        ("`ace log`, 110,000 lines of it", 0.05, ["log"]),
        ("`ace log --bullet`", 0.15, ["log", "--bullet", "ace-00100"]),
        ("`ace log --run --json`", 0.15, ["log", "--run", "run-77", "--json"]),
        ("`ace show ID`", 0.15, ["show", "ace-00100"]),
        ("`ace show --at`", 0.15, ["show", "--at", "5000"]),
        ("`ace diff`", 0.15, ["diff", "100", "5000"]),
        ("`ace show --at --evidence`", 0.03, ["show", "--at", "2026-12-03", "--evidence"]),
        ("`ace revert --dry-run`, of the last line but one", 0.12, ["revert", str(lines - 1), "--dry-run"]),
        ("`ace revert --dry-run`, of an early line", 0.1, ["revert", "2", "--dry-run"]),
        ("`ace rewind --dry-run`", 0.1, ["rewind", str(lines - 1), "--dry-run"]),
        ("`ace verify`, each line's playbook compared with the fold", 0.025, ["verify"]),
        ("`ace replay`", 0.03, ["replay"]),
    ]
    decoder = msgspec.json.Decoder(StepRecord)

    def raw() -> None:
        with log.path.open("rb") as file:
            for line in file:
                decoder.decode(line)

    def looks(words: list[str]) -> None:
        assert command_of(root, *words) == 0

    base, *found = medians(raw, *[partial(looks, words) for _, _, words in works], repeats=3)
    for (name, limit, _), took in zip(works, found, strict=True):
        yield ratio(f"{name}: raw decode / the command", base / took, limit, f"{took:.2f} s", least=True)


def command_of(root: Path, *words: str) -> int:
    """The exit status of a command in this process; what it prints is thrown away."""
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return command([*words, "--work", str(root)])


# The peak since the program was started: getrusage's would still be that of the process that forked it.
_PEAK = "\nprint(next(line for line in open('/proc/self/status') if line.startswith('VmHWM')).split()[1])"
_REPLAY = """
import sys
from pathlib import Path
from ace.adapters.store.log import Log
from ace.domain.playbook import Playbook, fold_records
fold_records(Playbook(), Log(Path(sys.argv[1])).records())
"""


def memory_rows(log: Log) -> Iterator[Row]:
    bare, replay = _peak("", log), _peak(_REPLAY, log)
    told = f"{replay - bare:.1f} MiB above a bare interpreter's {bare:.1f}"
    yield Row("memory of that replay", told, "≤ 30 MiB", replay - bare <= 30)


def _peak(code: str, log: Log) -> float:
    """The most memory that a process running the code held at once, in MiB."""
    command = [sys.executable, "-c", code + _PEAK, str(log.path.parent)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout) / 1024


def start_rows(folder: Path, lines: int) -> Iterator[Row]:
    """What a step and what a command begin with does not depend on the length of the log."""
    works: dict[str, list[Callable[[], object]]] = {}
    for name, count in (("short", 10), ("long", lines)):
        root = folder / name
        log = write_log(root / "history", count)
        last = log.last()
        assert last is not None
        state = root / "state" / SNAPSHOT
        state.parent.mkdir()
        hundred = parse_playbook(json.dumps(floor.state(100)).encode(), "floor")
        playbook = Playbook(max(101, last.record.next_number), hundred.bullets)
        state.write_bytes(dump(playbook))
        events = (restoration("adopted", playbook),)
        log.append(
            next_line(
                last, playbook, events, sections=floor.SECTIONS, block=NO_BLOCK, served=NO_BLOCK, time=""
            )
        )
        _choose(log, root)  # makes the index, once
        book, command_of_it = FolderBook(root), partial(command_of, root)
        at_start: dict[str, Callable[[], object]] = {
            "load state": partial(_load, log, state),
            "which of 100 runs are unread": partial(_choose, log, root),
            "start of `ace learn` with 100 runs": partial(_begin, book),
            "`ace show`": partial(command_of_it, "show"),
            "a whole step": partial(_step, book),
        }
        for work, done in at_start.items():
            works.setdefault(work, []).append(done)
    for work, (after_few, after_many) in works.items():
        short, long = medians(after_few, after_many, repeats=51)
        told = f"{short * 1e3:.2f} ms after 11 lines, {long * 1e3:.2f} ms after {lines + 1:,}"
        yield ratio(f"{work}: long log / short log", long / short, 1.5, told)


def _begin(book: FolderBook) -> None:
    with Learning(book, RUNS, model=_AtOnce()) as learning:
        assert learning.runs == 90


def _step(book: FolderBook) -> None:
    ACE().step(
        StepContext(book=book, traces=[Trace(id="again", task="Fix the bug.", reply="Done.")], again=True),
        _AtOnce(),
    )


RUNS = [
    Trace(id=f"run-{number}", task="Make the tests pass.", reply="Done.")
    for number in (*range(1, 11), *range(-90, 0))
]
"""Ten that the log has read, and ninety that it has not."""


def _choose(log: Log, root: Path) -> None:
    with opened(log, root / "cache") as index:
        left = [trace for trace in RUNS if index.past(trace).settled(trace) is None]
    assert len(left) == 90


def _load(log: Log, state: Path) -> None:
    open_own(read_snapshot(state), log.last(), str(state))


def report_rows(folder: Path) -> Iterator[Row]:
    """The page of 10,000 steps, its log verified on the way: 100,000 events, 20,000 lessons with story and evidence."""
    root = folder / "reported"
    log = write_log(root / "history", 10_000)
    book, decoder = FolderBook(root), msgspec.json.Decoder(StepRecord)

    def raw() -> None:
        with log.path.open("rb") as file:
            for line in file:
                decoder.decode(line)

    base, gathered, whole = medians(raw, lambda: evidence_in(log.verified()), lambda: report(book), repeats=5)
    yield ratio(
        "evidence of 10,000 steps / raw decode", gathered / base, 20.0, f"{gathered:.2f} s, {base:.2f} s"
    )
    size = len(report(book)) / log.path.stat().st_size
    told = f"{whole:.2f} s, raw decode {base:.2f} s; the page is {size:.2f} times as long as the log"
    yield ratio("report of 10,000 steps / raw decode", whole / base, 40.0, told)


def append_rows(folder: Path) -> Iterator[Row]:
    line = next(log_lines(1))
    ours, bare = folder / "ours.jsonl", folder / "bare.jsonl"

    def raw() -> None:
        with bare.open("ab", buffering=0) as file:
            file.write(line + b"\n")
            os.fsync(file.fileno())

    raw()
    append_line(ours, line)
    base, append = medians(raw, partial(append_line, ours, line), repeats=101)
    told = f"{append * 1e6:.0f} µs, bare {base * 1e6:.0f} µs"
    yield ratio("durable append of a step / one write and one fsync", append / base, 2.0, told)


# --- one step -------------------------------------------------------------------------------------------------------


def step_rows() -> Iterator[Row]:
    per_bullet = []
    for size in (100, 1_000, 10_000):
        ours, base, whole = _step_times(size)
        per_bullet.append(ours / size)
        told = f"{ours * 1e3:.2f} ms, floor {base * 1e3:.2f} ms; with both prompts {whole * 1e3:.2f} ms"
        yield (
            ratio(f"step at {size:,} bullets / floor", ours / base, 2.0, told)
            if size == 100
            else Row(f"step at {size:,} bullets / floor", f"{ours / base:.2f} ({told})", "reported", None)
        )
    told = f"{per_bullet[1] * 1e6:.2f} µs a bullet at 1,000, {per_bullet[2] * 1e6:.2f} at 10,000"
    yield ratio("step, per bullet: 10,000 / 1,000", per_bullet[2] / per_bullet[1], 1.6, told)


def _step_times(size: int) -> tuple[float, float, float]:
    state = floor.state(size)
    playbook = parse_playbook(json.dumps(state).encode(), "floor")
    settings = ACESettings(max_bullets=size)
    tagged = [bullet.id for bullet in playbook.bullets[:: size // 5]][:5]
    additions = ["Check the exit status first.", "Quote every path.", playbook.bullets[-1].content.upper()]
    rules = b"# Rules\n\n- Be careful.\n"
    rules_lines = lines_outside(rules)

    def ours() -> bytes:
        draft = Draft(playbook)
        events: list[Event] = []
        for at, identifier in enumerate(tagged):
            events.append(count_tag(draft, (), "run", at, {"id": identifier, "tag": "helpful"}))
            draft.apply(events[-1:])
        for at, text in enumerate(additions):
            item = {"type": "ADD", "section": "Others", "content": text}
            events.append(
                add_bullet(draft, settings, rules_lines, trace="run", position=at, step=1, item=item)
            )
            draft.apply(events[-1:])
        draft.apply(refine(draft, settings))
        after = draft.freeze()
        splice(rules, block(after, settings.sections))
        return dump(after)

    def base() -> str:
        work = {"next_number": state["next_number"], "bullets": [dict(bullet) for bullet in state["bullets"]]}
        floor.step(work, tagged, additions, size)
        floor.render(work)
        return json.dumps(work, ensure_ascii=False, indent=1)

    reflection = json.dumps(
        {"key_insight": "x", "bullet_tags": [{"id": i, "tag": "helpful"} for i in tagged]}
    )
    curation = json.dumps(
        {"operations": [{"type": "ADD", "section": "Others", "content": text} for text in additions]}
    )
    trace = Trace(id="run", task="Make the tests pass.", reply="Done.", score=1.0)

    def whole() -> bytes:
        step = run_step(playbook, [trace], settings, rules_lines=rules_lines, step=1)
        next(step)
        step.send((reflection,))
        try:
            step.send((curation,))
        except StopIteration as stop:
            outcome: StepOutcome = stop.value
            splice(rules, block(outcome.playbook, settings.sections))
            return dump(outcome.playbook)
        raise AssertionError("the step asks twice")

    ours_s, base_s, whole_s = medians(ours, base, whole, repeats=201 if size <= 1_000 else 21)
    return ours_s, base_s, whole_s


def duplicate_rows() -> Iterator[Row]:
    taken = []
    for size in (100, 10_000):
        draft = Draft(parse_playbook(json.dumps(floor.state(size)).encode(), "floor"))
        key = key_of(floor.lessons(size)[-1])
        draft.bullet_with(key)
        taken.append(partial(_look_up, draft, key))
    small, large = medians(*taken, repeats=51)
    told = f"{small * 1e6:.0f} ns at 100 bullets, {large * 1e6:.0f} ns at 10,000"
    yield ratio("exact-duplicate test: 10,000 / 100 bullets", large / small, 1.5, told)


def _look_up(draft: Draft, key: str) -> None:
    for _ in range(1_000):
        draft.bullet_with(key)


def render_rows() -> Iterator[Row]:
    per_bullet = []
    for size in (1_000, 10_000):
        state = floor.state(size)
        playbook = parse_playbook(json.dumps(state).encode(), "floor")
        ours, base = medians(partial(block, playbook, floor.SECTIONS), partial(_join, playbook), repeats=51)
        per_bullet.append(ours / size)
        told = f"{ours / size * 1e6:.2f} µs a bullet, join {base / size * 1e6:.2f} µs"
        yield ratio(f"render {size:,} bullets / bare join", ours / base, 2.5, told)


def _join(playbook: Playbook) -> str:
    return "\n".join(
        [f"- [{b.id}] helpful={b.helpful} harmful={b.harmful} :: {b.content}" for b in playbook.bullets]
    )


# --- replies --------------------------------------------------------------------------------------------------------


def reply_rows() -> Iterator[Row]:
    shapes: dict[str, Callable[[int], str]] = {
        '"{" repeated': lambda n: "{" * n,
        "an open fence and spaces": lambda n: "```json" + " " * n,
        "broken objects": lambda n: '{"a"' * (n // 4),
        "nested objects": lambda n: '{"a":' * (n // 5),
        "open reasoning": lambda n: "<think>" * (n // 7),
        "broken arrays": lambda n: '["a",' * (n // 5),
        "arrays that are cut": lambda n: '["a"' * (n // 4),
        "closed objects that are broken": lambda n: (
            '{"a" x}' * min(n // 7, 999) + "x" * (n - 7 * min(n // 7, 999))
        ),
        "broken objects behind the text": lambda n: "\n" * (n - 6_993) + '{"a" x}' * 999,
        "open brackets in prose": lambda n: "[a " * (n // 3),
        "nested reasoning that is closed": lambda n: "<think>" * (n // 15) + "</think>" * (n // 15),
        "strings that hold closing tags": lambda n: '{"a" ' + '"</think>\n{"' * (n // 13),
        "escaped quotes, cut at a backslash": lambda n: '{"a": "' + '\\"' * (n // 2 - 4) + "\\",
        "an unfinished string": lambda n: '{"operations": [{"content": "' + "x" * (n - 30),
    }
    for name, make in shapes.items():
        half, whole = make(499_000), make(998_000)
        short, long = medians(partial(_unusable, half), partial(_unusable, whole), repeats=7)
        # Below a millisecond a doubling says nothing.
        value = long / short if long > 1e-3 else 1.0
        yield ratio(f"unusable reply, {name}: 1 MB / half", value, 2.5, f"{long * 1e3:.1f} ms for 1 MB")


def text_rows() -> Iterator[Row]:
    """Texts that are made to take long, through each door that a text comes in by."""
    shapes: dict[str, Callable[[int], str]] = {
        "combining marks": lambda n: "a" + "\u0301" * n,
        "blanks": lambda n: "a" + " " * n,
        "list marks": lambda n: "- " * (n // 2),
        "copied prefixes": lambda n: "[ace-00001] helpful=1 harmful=0 :: " * (n // 35),
        "data URIs that are cut": lambda n: "data:;a=b;base64," * (n // 17),
        "assignments": lambda n: "password=" * (n // 9),
        "emoji and joiners": lambda n: "\U0001f468\u200d" * (n // 2),
    }
    doors: dict[str, Callable[[str], object]] = {
        "a lesson": _added,
        "a line of the rules": lambda text: lines_outside(text.encode()),
        "a run": lambda text: transcript(Trace(id=text[:400], task=text, reply=text, feedback=text)),
    }
    for door, come_in in doors.items():
        slowest = 0.0, 0.0, ""
        for name, make in shapes.items():
            short, long = medians(partial(come_in, make(100_000)), partial(come_in, make(200_000)), repeats=5)
            slowest = max(slowest, (long / short if long > 1e-3 else 1.0, long, name))
        value, long, name = slowest
        told = f"{name}: {long * 1e3:.1f} ms for 200,000 characters; the worst of {len(shapes)} kinds"
        yield ratio(f"hostile text as {door}: twice as long", value, 2.5, told)


def _added(text: str) -> None:
    item = {"type": "ADD", "section": "Others", "content": text}
    add_bullet(Draft(Playbook()), ACESettings(), {}, trace="a", position=0, step=1, item=item)


def _unusable(reply: str) -> None:
    try:
        read_curation(reply)
    except UnusableReplyError:
        return
    raise AssertionError("the reply was to be unusable")


# --- a whole step ---------------------------------------------------------------------------------------------------


class _AtOnce:
    """A host whose model answers at once."""

    def model(self, _name: str) -> _AtOnce:
        return self

    def check(self, _files: object) -> None:
        return None

    def complete(self, request: Request) -> Completion:
        if request.role == "reflector":
            return Completion(
                text='{"key_insight": "Look.", "bullet_tags": [{"id": "ace-00001", "tag": "helpful"}]}'
            )
        lesson = f"What {request.trace} teaches of the work."
        return Completion(
            text=json.dumps({"operations": [{"type": "ADD", "section": "Others", "content": lesson}]})
        )


def whole_step_rows(folder: Path) -> Iterator[Row]:
    """A step through files: a transcript of 30,000 characters, 100 bullets. The floor looks through the transcript once, and
    writes what a step writes: the calls, and log, snapshot and rules, each with its fsync.
    """
    root = folder / "whole"
    (root / "state").mkdir(parents=True)
    (root / "rules.md").write_text("# Rules\n\nBe kind.\n" * 20)
    texts = floor.lessons(100)
    bullets = tuple(Bullet(bullet_id(n), "Others", text, n % 5, 0, 1) for n, text in enumerate(texts, 1))
    (root / "state" / SNAPSHOT).write_bytes(dump(Playbook(101, bullets)))
    # Each line once: what a transcript has shown it does not show again.
    said = "the quick brown fox runs pytest -q and reads src/module{}.py, then edits line {} of it\n"
    texts_of_turns = ["".join(said.format(turn, line) for line in range(12))[:1000] for turn in range(30)]
    turns = tuple(Turn("assistant" if n % 2 else "tool", text) for n, text in enumerate(texts_of_turns))
    numbers = iter(range(1_000))
    book = FolderBook(root)

    def step() -> None:
        name = f"r{next(numbers)}"
        trace = Trace(id=name, task="Fix the bug.", turns=turns, reply="Done.")
        ACE().step(StepContext(book=book, traces=[trace]), _AtOnce())

    shown = transcript(Trace(id="r", task="Fix the bug.", turns=turns, reply="Done."))
    held = dump(Playbook(101, bullets))

    def floor_() -> None:
        redact(shown)
        name = f"f{next(numbers)}"
        (folder / name).write_bytes((shown * 2).encode())
        for part in ("log", "snapshot", "rules"):
            with (folder / f"{name}-{part}").open("wb") as file:
                file.write(held)
                os.fsync(file.fileno())

    step()
    ours, bare = medians(step, floor_, repeats=21)
    yield ratio(
        "a whole step through files / its floor",
        ours / bare,
        6.0,
        f"{ours * 1e3:.1f} ms, floor {bare * 1e3:.1f} ms",
    )


# --- several runs at once ---------------------------------------------------------------------------------------------


class _Slow(_AtOnce):
    """A host whose model takes a second."""

    @override
    def model(self, _name: str) -> _Slow:
        return self

    @override
    def complete(self, request: Request) -> Completion:
        time.sleep(1)
        return super().complete(request)


def at_once_rows(folder: Path) -> Iterator[Row]:
    """A step of 16 runs, 8 at once. Its floor: four batches of calls that take a second."""
    traces = [Trace(id=f"r{n}", task="Fix the bug.", reply="Done.") for n in range(16)]
    start = time.perf_counter()
    for _ in range(4):
        time.sleep(1)
    slept = time.perf_counter()
    method = ACE(ACESettings(reflections_at_once=8))
    result = method.step(StepContext(book=FolderBook(folder / "at-once"), traces=traces), _Slow())
    end = time.perf_counter()
    assert len(result.playbook.bullets) == 16
    yield ratio(
        "16 runs, 8 at once, a second a call / four seconds' sleep",
        (end - slept) / (slept - start),
        1.5,
        f"{end - slept:.2f} s",
    )


# --- start-up -------------------------------------------------------------------------------------------------------


def start_up_rows() -> Iterator[Row]:
    # As installed: with compiled modules beside the sources.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": tempfile.mkdtemp()}

    def start(code: str) -> None:
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)

    command = "import sys; from ace.adapters.cli import main; main(['--help'])"
    missing = (
        "import sys; from ace.adapters.cli import main; main(['learn', 'missing.jsonl', '--work', 'none'])"
    )
    works = [partial(start, code) for code in ("pass", "import msgspec", "import ace", command, missing)]
    for work in works:
        work()
    bare, peer, ours, help_, error = medians(*works, repeats=21)
    yield ratio("import ace / import msgspec", ours / peer, 1.3, f"{ours * 1e3:.0f} ms, {peer * 1e3:.0f} ms")
    yield ratio(
        "ace --help / a bare interpreter", help_ / bare, 6.0, f"{help_ * 1e3:.0f} ms, {bare * 1e3:.0f} ms"
    )
    yield ratio("ace learn missing.jsonl / ace --help", error / help_, 3.0, f"{error * 1e3:.0f} ms")


def table(parts: Iterable[Iterable[Row]]) -> int:
    """Print the rows as they come; the exit status."""
    met = True
    print("| work | measured | limit | |\n| --- | --- | --- | --- |")
    for rows in parts:
        for row in rows:
            met = met and row.met is not False
            mark = {True: "met", False: "NOT MET", None: ""}[row.met]
            print(f"| {row.work} | {row.figure} | {row.limit} | {mark} |", flush=True)
    return 0 if met else 1


def main() -> int:
    lines = 10_000 if "--quick" in sys.argv else 100_000
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        return table(
            (
                replay_rows(folder, lines),
                step_rows(),
                duplicate_rows(),
                render_rows(),
                start_rows(folder, lines),
                commands_rows(folder),
                report_rows(folder),
                append_rows(folder),
                reply_rows(),
                text_rows(),
                whole_step_rows(folder),
                at_once_rows(folder),
                start_up_rows(),
            )
        )


if __name__ == "__main__":
    sys.exit(main())
