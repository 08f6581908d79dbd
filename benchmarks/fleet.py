"""A shared book: steps a second at the head against what its server can commit, and a replay against a bare COPY.

    python benchmarks/fleet.py [--quick]        with `.[postgres]` installed, and PostgreSQL's server

The server runs on this machine, with `fsync` on and its usual settings. Each worker is a process with a work folder of its own, and
learns from runs of its own, as `ace learn --book` does: claim, two prompts, record, line, block. Its model answers at once, so that
nothing is measured but the book; a playbook of 100 bullets is at its cap, and a run brings two tags and two new bullets.

    floor                 INSERT … COMMIT of the same lines into a bare table, one after the other on one connection
    a line                a step that is decided: encoded and checked, what follows from it, its append; then also with the claims on
                          the next step's runs, which is the book's part of a step. What is left of a worker's step is the method's
                          and the files': prompts, replies, screens, render, record, rules
    time lost             of all workers' time that in which a step that was not the first is decided again: from the refused
                          append, that included, to the next one
    bytes and queries     a step's, as the worker sends and gets them
    replay                decode and fold of the lines from the database; its floor is COPY of the same rows, thrown away

Table, limits, exit status and `--quick` are as in `run.py`.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, override

sys.path.append(str(Path(__file__).resolve().parents[1]))

import msgspec
import psycopg
from tests.adapters.postgres import PostgresServer

import floor
from ace.adapters.store.postgres.book import PostgresBook
from ace.adapters.store.postgres.server import Server
from ace.domain.chain import LogTail, next_line
from ace.domain.errors import SeqTakenError
from ace.domain.playbook import Playbook, bullet_id, dump, fold_records
from ace.domain.trace import Trace
from ace.domain.unread import identities
from ace.events.codec import decode_record
from ace.events.types import Bullet, BulletAdded, RunRead, StepRecord, TagCounted
from ace.learning import learn
from ace.ports import Completion, Request
from run import Row, log_lines, medians, ratio, table

TEXTS = floor.lessons(5_000)


# --- a worker ---------------------------------------------------------------------------------------------------------


class _Model:
    """Answers after so many seconds: two tags, two lessons that nobody else has."""

    def __init__(self, name: str, pause_s: float) -> None:
        self._name, self._pause_s, self._number = name, pause_s, 0

    def complete(self, request: Request) -> Completion:
        if self._pause_s:  # to sleep for no time is to let pass whoever else has work
            time.sleep(self._pause_s)
        if request.role == "reflector":
            tags = [
                {"id": line[1:10], "tag": "helpful"}
                for line in request.prompt.splitlines()
                if line[:5] == "[ace-"
            ]
            return Completion(text=json.dumps({"key_insight": "Look.", "bullet_tags": tags[:2]}))
        self._number += 1
        adds = [
            {
                "type": "ADD",
                "section": "Others",
                "content": f"{TEXTS[self._number * 2 + more]} ({request.trace})",
            }
            for more in range(2)
        ]
        return Completion(text=json.dumps({"operations": adds}))


class _Watched(PostgresBook):
    """Measures what is lost to deciding again."""

    lost_s = 0.0
    conflicts = 0
    _refused_at = 0.0

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        began = time.perf_counter()
        if self._refused_at:
            self.lost_s += began - self._refused_at
            self._refused_at = 0.0
        try:
            return super().append(record)
        except SeqTakenError:
            self.conflicts += 1
            self._refused_at = began
            raise


def worker(address: str, work: str, name: str, runs: int, runs_per_step: int, pause_s: float) -> None:
    """Learn when told to on standard input; print what it took."""
    book = _Watched(Path(work), address)
    queries = [0, 0]
    rows, run = book.shelf.server.rows, book.shelf.server.run

    def counted(statement: str, *values: object, **named: object) -> list[tuple[Any, ...]]:
        found = rows(statement, *values, **named)
        queries[1] += _size(values) + _size(named.values()) + sum(_size(row) for row in found)
        return found

    def counting(ask: Any) -> Any:
        queries[0] += 1
        return run(ask)

    append_and_claim = book.shelf._append_and_claim

    def sized(connection: Any, values: dict[str, Any], seq: int) -> Any:
        done = append_and_claim(connection, values, seq)
        queries[1] += _size(values.values()) + _size(done[1].lines)
        return done

    book.shelf._append_and_claim = sized  # type: ignore[method-assign]
    book.shelf.server.rows = counted  # type: ignore[method-assign]
    book.shelf.server.run = counting  # type: ignore[method-assign, assignment]
    model = _Model(name, pause_s)
    learn(book, [Trace(id=f"{name}-warm", task="Fix the bug.", reply="Done.")], model=model)
    traces = [Trace(id=f"{name}-{n}", task="Fix the bug.", reply="Done.") for n in range(runs)]
    print("ready", flush=True)
    sys.stdin.readline()
    queries[:] = [0, 0]
    book.lost_s, book.conflicts = 0.0, 0
    began = time.perf_counter()
    report = learn(book, traces, model=model, runs_per_step=runs_per_step)
    took = time.perf_counter() - began
    assert report.is_done
    print(json.dumps([took, book.lost_s, book.conflicts, *queries]), flush=True)


def _size(values: Any) -> int:
    return sum(len(value) if isinstance(value, bytes | str) else 8 for value in values)


def fleet(
    address: str, folder: Path, workers: int, steps: int, runs_per_step: int = 1, pause_s: float = 0.0
) -> dict[str, float]:
    """What a fleet of so many workers comes to, each with its share of the steps."""
    each = max(1, steps // workers)
    processes = []
    for number in range(workers):
        name = f"w{time.time_ns():x}{number}"
        arguments = [address, folder / name, name, each * runs_per_step, runs_per_step, pause_s]
        processes.append(
            subprocess.Popen(
                [sys.executable, __file__, "--worker", *map(str, arguments)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        )
    for process in processes:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
    began = time.perf_counter()
    for process in processes:
        assert process.stdin
        process.stdin.write("\n")
        process.stdin.flush()
    told = [json.loads(process.communicate()[0]) for process in processes]
    took = time.perf_counter() - began
    done = each * workers
    return {
        "rate": done / took,
        "lost": sum(one[1] for one in told) / sum(one[0] for one in told),
        "conflicts": sum(one[2] for one in told) / done,
        "queries": sum(one[3] for one in told) / done,
        "bytes": sum(one[4] for one in told) / done,
    }


# --- rows -------------------------------------------------------------------------------------------------------------


def bare_rate(server: PostgresServer, lines: list[bytes], name: str) -> float:
    """How many of these lines a second one connection commits into a bare table."""
    server.sql("CREATE TABLE IF NOT EXISTS bare (name text, seq bigint, line bytea, PRIMARY KEY (name, seq))")
    with psycopg.connect(server.address().partition("&scenario")[0], autocommit=True) as connection:
        began = time.perf_counter()
        for seq, line in enumerate(lines):
            connection.execute("INSERT INTO bare VALUES (%s, %s, %s)", (name, seq, line))
        return len(lines) / (time.perf_counter() - began)


def line_rate(book: PostgresBook, records: list[StepRecord], name: str, *, claims: bool) -> float:
    """How many lines a second one worker adds that are decided: those of the records, each about a run of its own; if it `claims`, with
    the claim on the next one.
    """
    shelf, total = book.shelf, 0.0
    runs = [
        Trace(id=f"{name}-{number}", task="Fix the bug.", reply="Done.") for number in range(len(records) + 1)
    ]
    shelf.catch_up()
    list(shelf.ahead(enumerate(runs)))  # as a command does at its start, many at once
    for number, record in enumerate(records):
        (about,) = identities(runs[number])
        events = tuple(
            msgspec.structs.replace(one, trace=about[0], task_digest=about[1])
            if isinstance(one, RunRead)
            else msgspec.structs.replace(one, trace=about[0])
            if isinstance(one, BulletAdded | TagCounted)
            else one
            for one in record.events
        )
        line = next_line(
            shelf.tail,
            Playbook(),
            events,
            sections=record.sections,
            block=record.block,
            served=record.served,
            time=record.time,
            records=record.records,
        )
        began = time.perf_counter()
        if claims:
            with book.claimed([runs[number]], then=[runs[number + 1]]):
                book.append(line)
        else:
            book.append(line)
        total += time.perf_counter() - began
    shelf.let_go()
    return len(records) / total


def steps_rows(server: PostgresServer, folder: Path, steps: int) -> Iterator[Row]:
    def book(name: str) -> str:
        address = server.book(name)
        bullets = tuple(Bullet(bullet_id(n), "Others", TEXTS[-n], 1, 0, 1) for n in range(1, 101))
        server.sql("INSERT INTO ace.snapshots VALUES (%s, 0, %s, NULL)", name, dump(Playbook(101, bullets)))
        return address

    fleet(book("warm"), folder, 1, steps // 4)
    warm = server.sql("SELECT line FROM ace.lines WHERE scenario = 'warm' AND seq > 1")
    lines = [line for (line,) in warm] * 4
    records = [decode_record(line) for line in lines]
    bare: list[float] = []
    added: list[float] = []
    claiming: list[float] = []
    found: dict[int, list[dict[str, float]]] = {1: [], 4: [], 16: []}
    for turn in range(1 if steps < 100 else 3):
        bare.append(bare_rate(server, lines, f"t{turn}"))
        for rates, name in ((added, f"lines-{turn}"), (claiming, f"claims-{turn}")):
            to = PostgresBook(folder / name, book(name))
            rates.append(line_rate(to, records, name, claims=rates is claiming))
        for workers, all_of in found.items():
            all_of.append(fleet(book(f"b{turn}-{workers}"), folder, workers, steps))
    base, line, claimed = map(statistics.median, (bare, added, claiming))
    yield ratio(
        "lines a second that one worker adds, once they are decided / bare rate",
        line / base,
        0.5,
        f"{line:.0f} lines a second, bare INSERT … COMMIT {base:.0f}",
        least=True,
    )
    told = f"{claimed / base:.2f} ({claimed:.0f} lines a second)"
    yield Row("the same, with the claims on the next step's runs / bare rate", told, "reported", None)
    for workers, all_of in found.items():
        one = sorted(all_of, key=lambda told: told["rate"])[len(all_of) // 2]
        told = f"{one['rate']:.0f} steps a second, bare INSERT … COMMIT {base:.0f}"
        if workers == 1:
            yield ratio("steps a second at 1 worker / bare rate", one["rate"] / base, 0.5, told, least=True)
            step = 1e3 / one["rate"]
            parts = f"{step:.1f} ms: the book's part {1e3 / claimed:.1f}, the method and its files {step - 1e3 / claimed:.1f}"
            yield Row("where a step's time goes, 1 worker", parts, "reported", None)
            yield Row(
                "queries and bytes a step", f"{one['queries']:.1f}, {one['bytes']:,.0f}", "reported", None
            )
        else:
            yield Row(
                f"steps a second at {workers} workers / bare rate",
                f"{one['rate'] / base:.2f} ({told})",
                "reported",
                None,
            )
            lost = f"{one['lost']:.0%} ({one['conflicts']:.2f} conflicts a step)"
            yield Row(f"time lost to deciding again, {workers} workers", lost, "reported", None)
    slow = fleet(book("slow"), folder, 16, min(steps, 160), pause_s=0.5)
    yield Row(
        "16 workers whose model takes 0.5 s a call",
        f"{slow['rate']:.1f} steps a second; {slow['lost']:.1%} of the time lost, {slow['conflicts']:.2f} conflicts a step",
        "reported",
        None,
    )
    for batch in (8, 32):
        one = fleet(book(f"batch-{batch}"), folder, 4, max(8, steps // batch * 2), runs_per_step=batch)
        yield Row(
            f"4 workers, {batch} runs a step",
            f"{one['rate']:.0f} steps, {one['rate'] * batch:.0f} runs a second; {one['bytes'] / batch:,.0f} bytes a run",
            "reported",
            None,
        )


def replay_rows(server: PostgresServer, folder: Path, lines: int) -> Iterator[Row]:
    book = PostgresBook(folder / "replay", server.book("replay"))
    scenario = book.address.scenario
    with (
        psycopg.connect(book.address.conninfo) as connection,
        connection.cursor().copy("COPY ace.lines (scenario, seq, line, block, restores) FROM STDIN") as copy,
    ):
        for seq, line in enumerate(log_lines(lines), 1):
            copy.write_row((scenario, seq, line, "", False))
    reading = Server(book.address)

    def bare() -> None:
        with (
            reading.apart() as apart,
            apart.cursor().copy(
                "COPY (SELECT line FROM ace.lines WHERE scenario = %s ORDER BY seq) TO STDOUT (FORMAT BINARY)",
                (scenario,),
            ) as copy,
        ):
            for _ in copy:
                pass

    def replay() -> None:
        fold_records(Playbook(), book.log.records())

    def verified() -> None:
        fold_records(Playbook(), book.log.verified())

    base, ours, checked = medians(bare, replay, verified, repeats=3)
    yield ratio(
        "replay: COPY / decode + fold from the database",
        base / ours,
        0.5,
        f"{lines:,} lines in {ours:.2f} s, {lines * 10 / ours:,.0f} events a second; COPY {base:.2f} s",
        least=True,
    )
    yield Row(
        "replay from the database with the chain verified",
        f"{base / checked:.2f} ({checked:.2f} s)",
        "reported",
        None,
    )
    reading.close()
    book.close()


def main() -> int:
    """Print the table."""
    if sys.argv[1:2] == ["--worker"]:
        address, work, name, runs, runs_per_step, pause_s = sys.argv[2:]
        worker(address, work, name, int(runs), int(runs_per_step), float(pause_s))
        return 0
    quick = "--quick" in sys.argv
    with (
        PostgresServer(fsync="on", shared_buffers="128MB", max_connections="100") as server,
        tempfile.TemporaryDirectory() as name,
    ):
        return table(
            (
                replay_rows(server, Path(name), 10_000 if quick else 100_000),
                steps_rows(server, Path(name), 80 if quick else 320),
            )
        )


if __name__ == "__main__":
    sys.exit(main())
