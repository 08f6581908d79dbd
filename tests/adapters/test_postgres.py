"""A book in a database: races, claims, what it decides by, lost connections, who may do what, and logs that go in and out."""

from __future__ import annotations

import hashlib
import importlib.util
import io
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import pytest
from tests.adapters.commands import CALLS, RUNS, ace, fails, succeeds
from tests.adapters.hosting import Host, Script, bullet, curation, lessons, reflection, run, scripted
from tests.adapters.postgres import PostgresServer

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed", allow_module_level=True)

import psycopg

from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.postgres import shelf as shelf_module
from ace.adapters.store.postgres.address import parse_address
from ace.adapters.store.postgres.book import PostgresBook
from ace.adapters.store.postgres.schema import set_book, upgrade
from ace.adapters.store.postgres.server import Server
from ace.adapters.store.postgres.transfer import export_book, import_book, rebuild_book
from ace.deciding import accept, carry_out, remove, reword, waiting
from ace.domain.chain import line_digest
from ace.domain.errors import AceError, BookError, ChangedError, ConfigError, LogError
from ace.domain.playbook import Playbook, digest, fold_records
from ace.domain.rules_block import block_in
from ace.domain.trace import Trace
from ace.events.codec import encode_record
from ace.events.types import BulletAdded, DuplicateRejected, RunRead
from ace.learning import Learning, Report, learn
from ace.method import ACE
from ace.ports import Completion, Request, StepContext
from ace.pulling import pull, pull_log
from ace.reconciling import verify

# A server is started first.
pytestmark = pytest.mark.slow

RULES = b"# Rules\n"


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    """A new book."""
    return postgres.book(str(tmp_path))


class Machine:
    """A work folder and its rules file, on a machine of its own."""

    def __init__(self, root: Path, address: str) -> None:
        self.root, self.address = root, address
        root.mkdir(parents=True)
        self.rules = root / "AGENTS.md"
        self.rules.write_bytes(RULES)

    def book(self, **more: Any) -> PostgresBook:
        """The book, opened by a new process."""
        return PostgresBook(self.root, self.address, [self.rules], **more)

    def step(self, *names: str, script: Script | None = None, book: PostgresBook | None = None) -> Any:
        """A step over these runs."""
        context = StepContext(book=book or self.book(), traces=[run(name) for name in names])
        return ACE().step(context, Host(script or lessons()))


class Scripted:
    """A model that answers by a script, and counts what it was asked."""

    def __init__(self, script: Script) -> None:
        self.script = script
        self.asked: Counter[tuple[str, str]] = Counter()

    def complete(self, request: Request) -> Completion:
        """The script's answer."""
        self.asked[request.trace, request.role] += 1
        return Completion(text=self.script(request), model="scripted")


@pytest.fixture
def machines(tmp_path: Path, address: str) -> Callable[[int], list[Machine]]:
    """So many machines that share a book."""
    return lambda count: [Machine(tmp_path / f"machine-{number}", address) for number in range(count)]


@pytest.fixture
def machine(machines: Callable[[int], list[Machine]]) -> Machine:
    """One of them."""
    return machines(1)[0]


def see_that_it_is_whole(book: PostgresBook) -> list[str]:
    """Chain, fold and head say the same, and each run was read once; returns the runs."""
    records, before = list(book.log.verified()), ""
    for number, record in enumerate(records, 1):
        assert (record.seq, record.prev) == (number, before)
        before = line_digest(encode_record(record))
    folded = fold_records(Playbook(), records)
    assert digest(folded) == records[-1].playbook
    assert book.playbook() == folded
    read = [event.trace for record in records for event in record.events if isinstance(event, RunRead)]
    assert len(read) == len(set(read))
    ids = [one.id for record in records for one in record.events if isinstance(one, BulletAdded)]
    assert len(ids) == len(set(ids))
    assert verify(book).agrees
    return read


# --- races ----------------------------------------------------------------------------------------------------------


def test_who_lost_the_race_is_decided_again_without_another_call(machines: Any) -> None:
    """Given another machine's step in the middle of ours, then ours takes the next number, and the record says so."""
    here, there = machines(2)
    others = [lambda: there.step("other"), lambda: there.step("another")]

    def answer(request: Request) -> str:
        if request.role == "curator" and others:
            others.pop()()
            others and others.pop()()
        return lessons()(request)

    host = Host(answer)
    result = ACE().step(StepContext(book=here.book(), traces=[run("mine")]), host)
    assert [request.role for request in host.requests] == ["reflector", "curator"]
    assert result.record.seq == 3
    assert result.remarks == ("decided again: 2 other lines of the log came first",)
    assert b"What other teaches." in here.rules.read_bytes()
    assert see_that_it_is_whole(here.book()) == ["another", "other", "mine"]


def test_workers_at_once_read_each_run_once(machines: Any) -> None:
    """Given workers that are given the same runs at the same time, then each run is asked about and read once, and nothing waits."""
    traces = [run(f"run-{number}") for number in range(24)]
    model, reports = Scripted(lessons()), list[Report]()

    def work(machine: Machine) -> None:
        reports.append(learn(machine.book(), traces, model=model, runs_per_step=2))

    places = machines(4)
    threads = [threading.Thread(target=work, args=(machine,)) for machine in places]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(reports) == 4
    assert sorted(see_that_it_is_whole(places[0].book())) == sorted(trace.id for trace in traces)
    assert set(model.asked.values()) == {1}
    assert places[0].book().shelf.workers() == {}


def test_an_older_block_never_takes_the_place_of_a_newer(machine: Machine) -> None:
    """Given two processes of one machine, of which the first to append is the last to write the rules, then they show the head."""
    slow, late = machine.book(), list[Any]()
    place = slow.place

    def placing(candidate: Any) -> bool:
        if not late:
            late.append(machine.step("b"))
        return place(candidate)

    slow.place = placing  # type: ignore[method-assign]
    machine.step("a", book=slow)
    assert b"What b teaches." in machine.rules.read_bytes()
    see_that_it_is_whole(machine.book())


def test_a_far_head_is_reached_by_the_snapshot(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a process that is far behind, then it goes on from the snapshot, with what the log says of runs and texts."""
    monkeypatch.setattr(shelf_module, "_FAR", 3)
    here, there = machines(2)
    book = here.book()
    here.step("first", book=book)
    carry_out(there.book(), remove(there.book(), ["1"], why="Wrong."))
    for number in range(12):
        there.step(f"run-{number}")
    script = scripted(reflection(), curation("What first teaches.", "Mine."))
    result = here.step("mine", "run-3", script=script, book=book)
    assert [one.content for one in result.playbook.bullets][-1] == "Mine."
    assert "What first teaches." not in [one.content for one in result.playbook.bullets]
    assert len(see_that_it_is_whole(book)) == 14


# --- claims ---------------------------------------------------------------------------------------------------------


def test_a_claimed_run_is_nobody_elses(machines: Any) -> None:
    """Given a worker that reads a run, then another one is not given it, in whatever name, and is told so."""
    here, there = machines(2)
    alias = Trace(id="copy", task="Do it.", reply="Done.", aliases=(("a", "Do it."),))
    with here.book().claimed([run("a")]) as mine:
        assert [one.id for one in mine.traces] == ["a"]
        with there.book().claimed([alias, run("b")]) as claimed:
            assert [one.id for one in claimed.traces] == ["b"]
            assert [one.id for one in claimed.elsewhere] == ["copy"]
        report = learn(there.book(), [run("a")], model=Scripted(lessons()))
        assert (report.elsewhere, report.calls, report.is_done) == (("a",), 0, True)
    with there.book().claimed([run("a")]) as claimed:
        assert [one.id for one in claimed.traces] == ["a"]


def test_a_run_that_was_read_meanwhile_is_passed_over_before_it_is_paid_for(machines: Any) -> None:
    """Given a worker that chose its runs, and another one that read one of them since, then no call is made for that one."""
    here, there = machines(2)
    model = Scripted(lessons())
    with Learning(here.book(), [run("a"), run("b")], model=model) as learning:
        there.step("a")
        done = list(learning)
        report = learning.report()
    assert [one.runs for one in done] == [("b",)]
    assert {name for name, _ in model.asked} == {"b"}
    assert (report.runs, report.is_done, learning.passed_over) == (1, True, 1)
    assert see_that_it_is_whole(here.book()) == ["a", "b"]


def test_a_dead_workers_claims_become_free(postgres: PostgresServer, machines: Any) -> None:
    """Given a claim that nobody renews, then it is free once it expired; given one that is renewed, then it is not."""
    here, there = machines(2)
    dead = here.book()
    assert dead.shelf._claim([run("a")]) != []
    with there.book().claimed([run("a")]) as claimed:
        assert claimed.traces == ()
    postgres.sql("UPDATE ace.claims SET expires_at = now() - interval '1 microsecond'")
    with there.book().claimed([run("a")]) as claimed:
        assert [one.id for one in claimed.traces] == ["a"]
        with here.book().claimed([run("a")]) as again:
            assert again.traces == ()


def test_a_claim_outlives_a_server_that_is_down(machines: Any) -> None:
    """Given a claim that ended while the server was down, when nobody could renew it, then it holds as long again as the server starts."""
    with PostgresServer() as server:
        address = server.book("down")
        here, there = (PostgresBook(machine.root, address) for machine in machines(2))
        assert here.shelf._claim([run("a")]) != []
        server.sql("UPDATE ace.claims SET expires_at = now() - interval '1 microsecond'")
        server.restart()
        assert there.shelf._claim([run("a")]) == []
        assert list(there.shelf.workers()) == [here.shelf.worker]
        there.shelf.claim_s = 0.0
        assert there.shelf.workers() == {}
        assert there.shelf._claim([run("a")]) != []


def test_claims_are_renewed_before_a_turn_is_waited_for(postgres: PostgresServer, machines: Any) -> None:
    """Given a step that lost the race for its line and whose claims are about to end, then they hold on while it waits for its turn."""
    here, there = machines(2)
    book, seen = here.book(), list[dict[str, int]]()

    def answer(request: Request) -> str:
        if request.role == "curator":
            there.step("other")
            postgres.sql("UPDATE ace.claims SET expires_at = clock_timestamp()")
        return lessons()(request)

    def waiting(_: object) -> bool:
        seen.append(there.book().shelf.workers())
        return False

    book.shelf._wait_for_turn = waiting
    with book.claimed([run("mine")]):
        here.step("mine", script=answer, book=book)
    assert [list(workers) for workers in seen] == [[book.shelf.worker]]
    assert see_that_it_is_whole(there.book()) == ["other", "mine"]


def test_a_claim_is_renewed_while_its_worker_works(postgres: PostgresServer, machine: Machine) -> None:
    """Given a claim that holds shortly, then its worker renews it, also when a crash of the server took it."""
    book = machine.book(claim_s=0.15)
    with book.claimed([run("a")]):
        postgres.sql("DELETE FROM ace.claims WHERE scenario = %s", book.address.scenario)
        for _ in range(1000):
            if book.shelf.workers():
                break
            threading.Event().wait(0.01)
        assert list(book.shelf.workers()) == [book.shelf.worker]
    assert book.shelf.workers() == {}


def test_the_append_ends_the_claims(machine: Machine) -> None:
    """Given a step, then its line and the end of its claims are one commit."""
    book = machine.book()
    with book.claimed([run("a")]):
        machine.step("a", book=book)
        assert book.shelf.workers() == {}


# --- what the book decides by ---------------------------------------------------------------------------------------


def test_a_worker_with_other_settings_is_refused(postgres: PostgresServer, tmp_path: Path) -> None:
    """Given settings of the book, then they count where a worker says nothing, and another value is an error that names both."""
    machine = Machine(tmp_path / "machine", postgres.book(str(tmp_path), {"max_bullets": 7}))
    assert machine.book().settings_for({"max_trace_characters": 5000}).max_bullets == 7
    assert machine.book().settings_for({"max_bullets": 7}).max_bullets == 7
    with pytest.raises(
        BookError, match=r"max_bullets=7, and here it is set to 8.*ace book set --set max_bullets"
    ):
        machine.book().settings_for({"max_bullets": 8})


def test_settings_that_change_stop_who_began_with_the_earlier_ones(machine: Machine) -> None:
    """Given a step under way, and settings that change, then it is not appended; a new process has the new ones."""
    book = machine.book()
    machine.step("a", book=book)
    set_book(book.address, {"max_bullets": 1})
    with pytest.raises(BookError, match="decides by was changed meanwhile"):
        machine.step("b", book=book)
    assert machine.book().settings_for({}).max_bullets == 1
    assert see_that_it_is_whole(machine.book()) == ["a"]


def test_the_books_rules_make_the_duplicates(postgres: PostgresServer, tmp_path: Path) -> None:
    """Given rules of the book, then their lines make a duplicate on every machine, and those of a machine on none."""
    machine = Machine(
        tmp_path / "machine", postgres.book(str(tmp_path), base_rules=b"# Base\n\n- Look twice.\n")
    )
    machine.rules.write_bytes(b"- Run the tests.\n")
    script = scripted(reflection(), curation("Look twice.", "Run the tests."))
    result = machine.step("a", script=script)
    (rejected,) = [event for event in result.record.events if isinstance(event, DuplicateRejected)]
    assert (rejected.line, rejected.file) == (3, "the book's rules")
    assert [one.content for one in result.playbook.bullets] == ["Run the tests."]


def test_a_decision_goes_into_the_book(machines: Any) -> None:
    """Given a lesson that a person removes on one machine, then it is gone on the others and does not come back."""
    here, there = machines(2)
    here.step("a")
    carry_out(there.book(), remove(there.book(), ["1"], why="Wrong."))
    result = here.step("b", script=scripted(reflection(), curation("What a teaches.", "New.")))
    assert [one.content for one in result.playbook.bullets] == ["New."]
    see_that_it_is_whole(here.book())


def test_a_decision_is_made_again_on_what_others_left(machines: Any) -> None:
    """Given steps of others between a person's look and the decision, then it is made on what they left; not if the lesson that it is
    about is another one by then.
    """
    here, there = machines(2)
    here.step("a")
    book = there.book()
    seen = remove(book, ["1"], why="Wrong.")
    here.step("b")
    with pytest.raises(ChangedError, match="give the command again"):
        carry_out(book, seen)
    done = carry_out(book, seen, again=lambda: remove(book, ["1"], why="Wrong."))
    assert (done.record.seq, [one.content for one in done.playbook.bullets]) == (3, ["What b teaches."])
    seen = remove(book, ["2"], why="Wrong.")
    carry_out(here.book(), reword(here.book(), "2", "Another text."))
    with pytest.raises(ChangedError, match="have changed since you looked at them"):
        carry_out(book, seen, again=lambda: remove(book, ["2"], why="Wrong."))
    see_that_it_is_whole(here.book())


# --- what goes wrong ------------------------------------------------------------------------------------------------


class Losing:
    """A server whose connection is lost at a statement: before it is given, or once it has been done."""

    def __init__(self, server: Server, postgres: PostgresServer, *, after: bool) -> None:
        self.left, rows = 1, server.rows

        def losing(statement: str, *values: object, **named: object) -> list[tuple[Any, ...]]:
            def work(connection: Any) -> list[tuple[Any, ...]]:
                lost = "INSERT INTO ace.lines" in statement and self.left
                self.left -= bool(lost)
                done: list[tuple[Any, ...]] = []
                if not lost or after:
                    done = connection.execute(statement, named or values).fetchall()
                if lost:
                    (pid,) = connection.execute("SELECT pg_backend_pid()").fetchone()
                    postgres.sql("SELECT pg_terminate_backend(%s)", pid)
                    connection.execute("SELECT 1")
                return done

            return server.run(work)

        server.rows = losing  # type: ignore[method-assign]
        del rows


@pytest.mark.parametrize("after", [False, True])
def test_a_connection_lost_in_the_append(postgres: PostgresServer, machine: Machine, *, after: bool) -> None:
    """Given a connection that is lost right before, or right after the line is added, then it is there once, and is ours."""
    book = machine.book()
    machine.step("a", book=book)
    losing = Losing(book.shelf.server, postgres, after=after)
    result = machine.step("b", book=book)
    assert losing.left == 0
    assert (result.record.seq, result.remarks) == (2, ())
    assert see_that_it_is_whole(machine.book()) == ["a", "b"]


@pytest.mark.parametrize("after", [False, True])
def test_a_connection_lost_where_runs_are_claimed_ahead(
    postgres: PostgresServer, machine: Machine, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    """Given several steps, of which each claims the runs of the next one with its line, then that can be lost, too; no run is paid for
    twice, and no claim is left.
    """
    book, model = machine.book(), Scripted(lessons())
    append, left = book.shelf._append_and_claim, [1]

    def losing(connection: Any, values: dict[str, Any], seq: int) -> Any:
        pid = connection.info.backend_pid
        is_lost = bool(left) and left.pop()
        if is_lost and not after:
            postgres.sql("SELECT pg_terminate_backend(%s)", pid)
        done = append(connection, values, seq)
        if is_lost:
            postgres.sql("SELECT pg_terminate_backend(%s)", pid)
            connection.execute("SELECT 1")
        return done

    monkeypatch.setattr(book.shelf, "_append_and_claim", losing)
    assert learn(book, [run(name) for name in "abcd"], model=model).is_done
    assert not left
    assert see_that_it_is_whole(machine.book()) == ["a", "b", "c", "d"]
    assert set(model.asked.values()) == {1}
    assert not machine.book().shelf.workers()


def test_a_pipeline_that_is_cut_off_is_a_lost_connection(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given an error that no server told, on a connection that is not closed yet, then the command is given again on another one."""
    book, model = machine.book(), Scripted(lessons())
    append, pids = book.shelf._append_and_claim, list[int]()

    def cut_off(connection: Any, values: dict[str, Any], seq: int) -> Any:
        pids.append(connection.info.backend_pid)
        if len(pids) == 1:
            raise psycopg.OperationalError("cannot exit pipeline mode while busy")
        return append(connection, values, seq)

    monkeypatch.setattr(book.shelf, "_append_and_claim", cut_off)
    assert learn(book, [run(name) for name in "abc"], model=model).is_done
    assert pids[0] != pids[1]
    assert see_that_it_is_whole(machine.book()) == ["a", "b", "c"]
    assert set(model.asked.values()) == {1}


def test_runs_claimed_ahead_are_let_go(machines: Any) -> None:
    """Given a command that ends early, then the runs that it had claimed for its next step are free at once."""
    here, there = machines(2)
    traces = [run(name) for name in "abc"]
    with Learning(here.book(), traces, model=Scripted(lessons())) as learning:
        for _ in learning:
            with there.book().claimed(traces) as claimed:
                assert [one.id for one in claimed.elsewhere] == ["b"]
            break
    with there.book().claimed(traces) as claimed:
        assert [one.id for one in claimed.traces] == ["b", "c"]


def test_a_connection_lost_in_an_append_that_another_step_beat(
    postgres: PostgresServer, machines: Any
) -> None:
    """Given in addition another step with that number, then it is not a line of ours, and we are decided again."""
    here, there = machines(2)
    book = here.book()
    here.step("a", book=book)
    Losing(book.shelf.server, postgres, after=False)

    def answer(request: Request) -> str:
        if request.role == "curator":
            there.step("other")
        return lessons()(request)

    assert here.step("b", script=answer, book=book).record.seq == 3
    assert see_that_it_is_whole(here.book()) == ["a", "other", "b"]


@pytest.mark.parametrize("mode", ["fast", "immediate"])
def test_a_restart_in_the_middle_of_a_step(tmp_path: Path, mode: Any) -> None:
    """Given a server that is stopped, or crashes, while a model is asked, then the step goes on when it is back."""
    with PostgresServer() as server:
        machine = Machine(tmp_path / "machine", server.book("b"))
        book = machine.book()

        def answer(request: Request) -> str:
            if request.role == "curator":
                server.restart(mode)
            return lessons()(request)

        machine.step("a", script=answer, book=book)
        list(book.log.verified())
        server.restart(mode)
        assert machine.step("b", book=book).record.seq == 2
        assert see_that_it_is_whole(machine.book()) == ["a", "b"]
        book.close()
        server.stop()
        with pytest.raises(BookError, match="cannot be reached"):
            machine.step("c")


def test_a_server_that_is_not_there_is_said_at_once(tmp_path: Path) -> None:
    """Given no server, then the first command says so, without the secrets of the environment."""
    book = PostgresBook(tmp_path, f"postgresql:///x?host={tmp_path}")
    with pytest.raises(BookError, match=r"cannot be reached \(.*\)\. What is in the log is kept"):
        book.look()


def test_a_full_disk_is_said(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a server without room, then nothing is lost, and the sentence says what to do."""
    book = machine.book()
    machine.step("a", book=book)
    rows = book.shelf.server.rows

    def full(statement: str, *values: object, **named: object) -> Any:
        if "INSERT INTO ace.lines" in statement:
            raise book.shelf.server.told(
                psycopg.errors.DiskFull("could not extend file: No space left on device")
            )
        return rows(statement, *values, **named)

    monkeypatch.setattr(book.shelf.server, "rows", full)
    with pytest.raises(BookError, match="has no room left on its disk"):
        machine.step("b", book=book)
    assert see_that_it_is_whole(machine.book()) == ["a"]
    assert machine.step("b").record.seq == 2


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A disk of 160 MB."""
    if os.geteuid() != 0:
        pytest.skip("only root can mount a small disk")
    disk = Path(tempfile.mkdtemp(prefix="ace-disk-", dir="/tmp"))
    options = "size=160m,mode=755"
    done = subprocess.run(
        [shutil.which("mount") or "mount", "-t", "tmpfs", "-o", options, "tmpfs", disk],
        capture_output=True,
        check=False,
    )
    if done.returncode != 0:
        disk.rmdir()
        pytest.skip(f"no small disk can be mounted here: {done.stderr.decode().strip()}")
    yield disk
    subprocess.run([shutil.which("umount") or "umount", disk], check=True)
    disk.rmdir()


@pytest.mark.slow
def test_a_disk_that_is_full_in_earnest(small_disk: Path, tmp_path: Path) -> None:
    """Given a server whose disk is full, then learning ends with a sentence that says so, and what is in the log is kept; once there is
    room, the same command reads the rest, each run once.
    """
    with PostgresServer(small_disk, min_wal_size="32MB", max_wal_size="32MB") as server:
        machine, model = Machine(tmp_path / "work", server.book("full")), Scripted(lessons())
        traces = [run(f"run-{number:03d}") for number in range(60)]
        with Learning(machine.book(), traces, model=model) as learning:
            steps = iter(learning)
            for _ in range(3):
                next(steps)
            filler = small_disk / "filler"
            with suppress(OSError), filler.open("wb", buffering=0) as file:
                while True:  # what is written of the last piece is what there was room for
                    file.write(b"x" * (1 << 20))
            with pytest.raises(BookError, match=r"no room left on its disk|cannot be reached") as told:
                list(steps)
        filler.unlink()
        if not server.runs():  # no room for its own log is the end of a server
            server.start()
        read = see_that_it_is_whole(machine.book())
        assert 3 <= len(read) < len(traces), told.value
        assert learn(machine.book(), traces, model=model).is_done
        assert see_that_it_is_whole(machine.book()) == [trace.id for trace in traces]
        # The step that found no room is paid for twice, and the one before it, if its line was lost on the way.
        assert sum(model.asked.values()) <= 2 * len(traces) + 4


@pytest.mark.parametrize("kept", [b'{"next_number": 1, "bullets": []}', b"no JSON"])
def test_a_damaged_snapshot_does_not_count(
    postgres: PostgresServer, machine: Machine, monkeypatch: pytest.MonkeyPatch, kept: bytes
) -> None:
    """Given a snapshot that differs from the log, then the log counts, however long it is."""
    monkeypatch.setattr(shelf_module, "_FAR", 2)
    for number in range(9):
        machine.step(f"run-{number}")
    (found,) = postgres.sql(
        "SELECT seq FROM ace.snapshots WHERE scenario = %s", machine.book().address.scenario
    )
    assert found == (8,)
    postgres.sql(
        "UPDATE ace.snapshots SET playbook = %s WHERE scenario = %s",
        kept,
        machine.book().address.scenario,
    )
    assert len(machine.book().playbook().bullets) == 9
    assert machine.step("last").record.seq == 10
    assert verify(machine.book()).differences
    rebuild_book(machine.book())
    see_that_it_is_whole(machine.book())


def test_what_stands_beside_the_log_is_checked_and_made_again(
    postgres: PostgresServer, machine: Machine
) -> None:
    """Given rows that say otherwise than the log, then `verify` names them, and they are made again from it."""
    for number in range(9):
        machine.step(f"run-{number}")
    carry_out(machine.book(), remove(machine.book(), ["1"], why="Wrong."))
    scenario = machine.book().address.scenario

    def beside() -> list[list[Any]]:
        return [
            sorted(postgres.sql("SELECT * FROM ace.runs WHERE scenario = %s", scenario)),
            sorted(postgres.sql("SELECT * FROM ace.withdrawn WHERE scenario = %s", scenario)),
        ]

    before = beside()
    postgres.sql("DELETE FROM ace.runs WHERE scenario = %s AND seq = 3", scenario)
    postgres.sql("DELETE FROM ace.withdrawn WHERE scenario = %s", scenario)
    postgres.sql("UPDATE ace.snapshots SET playbook = %s WHERE scenario = %s", b"{}", scenario)
    found = verify(machine.book())
    assert [told.split(" is ")[0].split(" are ")[0] for told in found.differences] == [
        "the snapshot",
        "what the log says of runs",
        "the texts that do not come back",
    ]
    assert rebuild_book(machine.book()).lines == 10
    see_that_it_is_whole(machine.book())
    assert beside() == before


def test_a_verification_while_others_write(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a step that is added while the log is verified, then nothing is amiss."""
    machine.step("a")
    book = machine.book()
    has = book.may_serve

    def late(digest: str, last: Any) -> bool:
        machine.step("b")
        return has(digest, last)

    monkeypatch.setattr(book, "may_serve", late)
    assert verify(book).agrees


def test_a_changed_line_is_found(postgres: PostgresServer, machine: Machine) -> None:
    """Given a line that its owner changed, then who reads it says which."""
    machine.step("a")
    machine.step("b")
    postgres.sql(
        "UPDATE ace.lines SET line = replace(convert_from(line, 'UTF8'), 'What a', 'What x')::bytea "
        "WHERE scenario = %s AND seq = 1",
        machine.book().address.scenario,
    )
    with pytest.raises(LogError, match="line 1 was changed after it was written"):
        verify(machine.book())


def test_a_log_that_was_put_back_is_another_one(postgres: PostgresServer, machine: Machine) -> None:
    """Given a log that lost its end under a process, then that process stops, and does not try for ever."""
    book = machine.book()
    machine.step("a", book=book)
    machine.step("b", book=book)
    postgres.sql("DELETE FROM ace.lines WHERE scenario = %s AND seq = 2", book.address.scenario)
    with pytest.raises(LogError, match="is another one than a moment ago"):
        machine.step("c", book=book)


# --- who may do what ------------------------------------------------------------------------------------------------


@pytest.fixture
def users(postgres: PostgresServer) -> None:
    """A user of each role."""
    for name in ("reader", "writer"):
        with suppress(psycopg.errors.DuplicateObject):
            postgres.sql(f"CREATE ROLE {name} LOGIN IN ROLE ace_{name}")


@pytest.mark.usefixtures("users")
def test_a_reader_looks_and_a_writer_adds(postgres: PostgresServer, machine: Machine) -> None:
    """Given a reader, then it looks and pulls, and is told what it lacks to learn; a writer learns, and changes no line."""
    scenario = machine.book().address.scenario

    def by(user: str) -> PostgresBook:
        return PostgresBook(machine.root, postgres.address(scenario, user=user), [machine.rules])

    machine.step("a", book=by("writer"))
    assert learn(by("writer"), [run("b")], model=Scripted(lessons())).read
    assert see_that_it_is_whole(by("reader")) == ["a", "b"]
    assert pull(by("reader")).seq == 2
    with pytest.raises(BookError, match="GRANT ace_writer TO"):
        machine.step("c", book=by("reader"))
    for statement in (
        "UPDATE ace.lines SET seq = seq",
        "DELETE FROM ace.lines",
        "UPDATE ace.books SET revision = 9",
    ):
        with (
            psycopg.connect(by("writer").address.conninfo) as connection,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            connection.execute(cast("Any", statement))
    with pytest.raises(BookError, match="does not let this user"):
        set_book(by("writer").address, {"max_bullets": 3})


def test_a_user_without_a_role_is_told_at_once(postgres: PostgresServer, machine: Machine) -> None:
    """Given a user who may log in and nothing else, then the first command says which role is missing."""
    with suppress(psycopg.errors.DuplicateObject):
        postgres.sql("CREATE ROLE nobody LOGIN")
    scenario = machine.book().address.scenario
    for use in (PostgresBook.look, pull):
        with pytest.raises(BookError, match="needs the role ace_reader"):
            use(PostgresBook(machine.root, postgres.address(scenario, user="nobody"), [machine.rules]))


def test_the_version_is_seen_to(tmp_path: Path) -> None:
    """Given tables of another version, or none, then the first command says what to do, and `upgrade` brings them up to date."""
    with PostgresServer() as server:
        machine = Machine(tmp_path / "machine", server.address("b"))
        with pytest.raises(BookError, match="`ace book init` makes one"):
            machine.step("a")
        with pytest.raises(BookError, match="`ace book init` makes"):
            upgrade(machine.book().address)
        server.book("b")
        assert upgrade(machine.book().address) == 0
        machine.step("a")
        server.sql("UPDATE ace.migrations SET version = 99")
        with pytest.raises(BookError, match="made by a newer ace: update ace here"):
            machine.step("b")
        server.sql("UPDATE ace.migrations SET version = 0")
        with pytest.raises(BookError, match="`ace book upgrade`"):
            machine.step("b")


def test_a_book_that_nobody_made(postgres: PostgresServer, tmp_path: Path) -> None:
    """Given tables and no book of that name, then the error says so."""
    postgres.book(str(tmp_path))
    with pytest.raises(BookError, match=r"there is no book .*scenario=other.* yet"):
        PostgresBook(tmp_path, postgres.address("other")).look()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("postgresql://me:hush@db/ace", "holds a password"),
        ("postgresql://db/ace?password=hush", "holds a password"),
        ("https://db/ace", "such as postgresql://"),
        ("postgresql://db/ace?scenario=a&scenario=b", "two scenarios"),
        ("postgresql://db/ace?scenario=%0a", "printable"),
    ],
)
def test_an_address_that_cannot_be_used(text: str, said: str) -> None:
    """Given an address with a secret, or of something else, then that is said without the secret."""
    with pytest.raises(ConfigError, match=said) as error:
        parse_address(text)
    assert "hush" not in str(error.value)


def test_an_address_is_libpqs_but_for_the_scenario() -> None:
    """Given an address, then libpq gets all of it but the scenario, and sentences neither parameters nor secrets."""
    found = parse_address("postgresql://me@a,b:5433/ace?sslmode=verify-full&scenario=my%20tests")
    assert found.conninfo == "postgresql://me@a,b:5433/ace?sslmode=verify-full"
    assert (found.scenario, found.told) == ("my tests", "postgresql://me@a,b:5433/ace?scenario=my%20tests")
    assert parse_address(found.text) == found
    assert parse_address("postgresql:///ace", "x").scenario == "x"


# --- in and out -----------------------------------------------------------------------------------------------------


def test_an_export_of_no_book(postgres: PostgresServer, tmp_path: Path) -> None:
    """Given the address of a book that was never made, then its export is an error, and leaves no folder behind."""
    with pytest.raises(BookError, match="ace book init"):
        export_book(PostgresBook(tmp_path, postgres.address("nobody")), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_out_into_a_folder_and_into_another_book(
    postgres: PostgresServer, machine: Machine, tmp_path: Path
) -> None:
    """Given a book with decisions in it, then its export verifies as a folder, and its import elsewhere has the same lines, goes on
    from them, and knows which runs were read and which texts do not come back.
    """
    for name in "abc":
        machine.step(name)
    carry_out(machine.book(), remove(machine.book(), ["2"], why="Wrong."))
    done = export_book(machine.book(), tmp_path / "out")
    data = (tmp_path / "out/history/events.jsonl").read_bytes()
    assert (done.lines, done.sha256) == (4, hashlib.sha256(data).hexdigest())
    folder = FolderBook(tmp_path / "out")
    assert verify(folder).agrees
    assert list(folder.log.verified()) == list(machine.book().log.verified())

    other = Machine(tmp_path / "other", postgres.book(f"{tmp_path}-2"))
    assert import_book(other.book().address, folder).last == done.last
    assert other.book().shelf.head() == machine.book().shelf.head()
    result = other.step("a", "d", script=scripted(reflection(), curation("What b teaches.", "New.")))
    assert [one.content for one in result.playbook.bullets] == ["What a teaches.", "What c teaches.", "New."]
    assert see_that_it_is_whole(other.book()) == ["a", "b", "c", "d"]
    with pytest.raises(BookError, match="has 5 lines already"):
        import_book(other.book().address, folder)
    with pytest.raises(AceError, match="holds a playbook already"):
        export_book(machine.book(), tmp_path / "out")


def test_a_folder_without_a_log_brings_its_playbook(machine: Machine, tmp_path: Path) -> None:
    """Given a playbook without a log, then the book's first line logs it."""
    folder = FolderBook(tmp_path / "own")
    folder.keep(Playbook(8, (bullet(7, "Look twice."),)))
    import_book(machine.book().address, folder)
    machine.step("a")
    assert [one.id for one in machine.book().playbook().bullets] == ["ace-00007", "ace-00008"]


# --- pull -----------------------------------------------------------------------------------------------------------


def test_pull_asks_one_question_when_nothing_changed(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a book that grew, then a pull renders it once; the next one asks for the head alone, and writes nothing."""
    here, there = machines(2)
    assert pull(there.book()).seq == 0
    here.step("a")
    first = pull(there.book())
    assert (first.seq, first.bullets, first.is_new) == (1, 1, True)
    assert block_in(there.rules.read_bytes()) == block_in(here.rules.read_bytes())
    book, asked = there.book(), list[str]()
    execute = psycopg.Connection.execute

    def counting(connection: Any, statement: Any, *values: Any, **named: Any) -> Any:
        asked.append(statement)
        return execute(connection, statement, *values, **named)

    monkeypatch.setattr(psycopg.Connection, "execute", counting)
    assert not pull(book).is_new
    assert len(asked) == 1
    here.step("b")
    assert pull(there.book()).is_new
    assert there.rules.read_bytes() == here.rules.read_bytes()


def test_pull_puts_an_edited_block_back_and_says_so(machines: Any) -> None:
    """Given a block that was changed by hand, then the pull puts it back, and shows the lines; a foreign one is an error."""
    here, there = machines(2)
    here.step("a")
    pull(there.book())
    there.rules.write_bytes(there.rules.read_bytes().replace(b"What a teaches.", b"What I want."))
    pulled = pull(there.book())
    assert any("What I want." in line for line in pulled.edited[there.rules])
    assert b"What a teaches." in there.rules.read_bytes()
    foreign = Machine(there.root.with_name("foreign"), there.address)
    foreign.rules.write_bytes(there.rules.read_bytes().replace(b"What a teaches.", b"What I want."))
    with pytest.raises(AceError, match="not of the playbook"):
        pull(foreign.book())
    assert pull(foreign.book(), take_block=True).replaced


def test_pull_screens_what_others_wrote(machines: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a lesson that the screens of this machine refuse, then it is not rendered here, and the command says so."""
    here, there = machines(2)
    here.step("a", script=scripted(reflection(), curation("Read first.", "Guess first.")))
    monkeypatch.setattr(
        "ace.domain.opening.refusal", lambda text, *_: "no good" if text == "Guess first." else None
    )
    pulled = pull(there.book())
    assert [one.id for one in pulled.screened] == ["ace-00002"]
    assert b"Read first." in there.rules.read_bytes()
    assert b"Guess first." not in there.rules.read_bytes()
    assert not pull(there.book()).is_new


def test_pull_renders_what_was_accepted(machines: Any, tmp_path: Path) -> None:
    """Given lessons that wait for a review, then neither the book nor an exported log brings them into the rules, until they are
    accepted.
    """
    here, there = machines(2)
    here.step("a")
    context = StepContext(book=here.book(), traces=[run("b")], review=True)
    ACE().step(context, Host(lessons()))
    offline = FolderBook(tmp_path / "offline", [tmp_path / "offline.md"])

    def shown(name: str) -> list[bool]:
        pull(there.book())
        export_book(here.book(), tmp_path / name)
        pull_log(offline, FolderBook(tmp_path / name).log)
        found = [path.read_bytes() for path in (there.rules, tmp_path / "offline.md")]
        assert all(b"What a teaches." in one for one in found)
        return [b"What b teaches." in one for one in found]

    assert shown("waits") == [False, False]
    carry_out(here.book(), accept(here.book()))
    assert shown("accepted") == [True, True]


@pytest.mark.parametrize("other", ["a step", "a removal"])
def test_a_review_of_a_busy_book(
    machines: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], other: str
) -> None:
    """Given another machine's line while a person thinks, then what was said is decided again on it, without another question; if a lesson
    of it is gone by then, the rest is asked about once more.
    """
    here, there = machines(2)
    here.step("a")
    ACE().step(StepContext(book=here.book(), traces=[run("b"), run("c")], review=True), Host(lessons()))
    said, asked = iter(["a", "r", "Not ours.", "y", "y"]), list[str]()

    def person(question: str = "") -> str:
        asked.append(question)
        if question.startswith("Do this?") and len(asked) == 4:
            if other == "a step":
                there.step("d")
            else:
                carry_out(there.book(), remove(there.book(), ["ace-00003"], why="no"))
        return next(said)

    monkeypatch.setattr("builtins.input", person)
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    out = succeeds(capsys, "review", "--book", here.address, "--work", here.root, "--rules", here.rules)
    assert "takes it back" in out
    assert [question[:8] for question in asked[3:]] == ["Do this?"] * (1 if other == "a step" else 2)
    state = here.book().look()
    assert [one.content for one in state.shown.bullets] == ["What a teaches.", "What b teaches."]
    waits = ["What d teaches."] if other == "a step" else []
    assert [one.content for one in waiting(here.book()).lessons] == waits
    see_that_it_is_whole(here.book())


# --- the command line -----------------------------------------------------------------------------------------------


def demo(capsys: pytest.CaptureFixture[str], work: Path) -> str:
    """What learning from the shipped runs prints; one of their replies is unusable, and is left to be tried again."""
    capsys.readouterr()
    assert ace("learn", RUNS, "--replies", CALLS, "--work", work) == 1
    return capsys.readouterr().out


def test_a_fleet_from_nothing(
    postgres: PostgresServer,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Given a database and two machines, then a book is made, learned into, looked at, decided in and pulled, by commands alone."""
    address = postgres.address(f"{tmp_path} fleet")
    base = tmp_path / "base.md"
    base.write_bytes(RULES)
    out = succeeds(capsys, "book", "init", "--book", address, "--set", "max_bullets=50", "--rules", base)
    assert "max_bullets        50" in out
    assert "base rules         1 line that make a duplicate" in out
    assert "stays as it is" in succeeds(capsys, "book", "init", "--book", address)
    monkeypatch.setenv("ACE_BOOK", address)
    here, there = tmp_path / "here", tmp_path / "there"
    told = fails(capsys, "learn", RUNS, "--replies", CALLS, "--work", here, "--set", "max_bullets=51")
    assert "this book decides by max_bullets=50, and here it is set to 51" in told
    out = demo(capsys, here)
    assert "`ace show --book" in out
    assert "added" in out
    out = succeeds(capsys, "show")
    assert "ace-00001" in out
    assert "line 14" in succeeds(capsys, "log")
    assert "14 lines" in succeeds(capsys, "verify", "--work", here)
    assert succeeds(capsys, "status", "--work", here).startswith("folder    postgresql://")
    assert "does not have the block yet: `ace pull`" in succeeds(capsys, "status", "--work", there)
    succeeds(capsys, "pull", "--work", there)
    assert block_in((there / "rules.md").read_bytes()) == block_in((here / "rules.md").read_bytes())
    assert succeeds(capsys, "pull", "--work", there, "--quiet") == ""
    first = next(line.split()[0] for line in succeeds(capsys, "show").splitlines() if line.startswith("ace-"))
    succeeds(capsys, "remove", first, "--reason", "Wrong.", "--yes", "--work", there)
    assert f"[{first}]".encode() not in (there / "rules.md").read_bytes()
    assert "with the block that the log ends with" in succeeds(capsys, "status", "--work", there)
    assert "with an earlier block of the book: `ace pull`" in succeeds(capsys, "status", "--work", here)
    assert "15 lines" in succeeds(capsys, "verify", "--work", there)
    succeeds(capsys, "diff", "14")
    succeeds(capsys, "show", first)
    succeeds(capsys, "show", "--evidence")
    succeeds(capsys, "report", "-o", tmp_path / "report.html")
    assert "is for a playbook in a folder" in fails(capsys, "rebuild", "--work", here)
    succeeds(capsys, "rewind", "0", "--yes", "--work", here)
    succeeds(capsys, "rewind", "15", "--yes", "--work", here)
    assert "workers   0 workers" in succeeds(capsys, "book", "show")
    succeeds(capsys, "book", "set", "--set", "prune_margin=3")
    assert "up to date" in succeeds(capsys, "book", "upgrade")
    out = succeeds(capsys, "book", "export", tmp_path / "out")
    digest = hashlib.sha256((tmp_path / "out/history/events.jsonl").read_bytes()).hexdigest()
    assert digest in out
    assert "17 lines" in succeeds(capsys, "verify", "--book", "", "--work", tmp_path / "out")
    elsewhere = postgres.address(f"{tmp_path} elsewhere")
    succeeds(capsys, "book", "init", "--book", elsewhere)
    assert "17 lines" in succeeds(capsys, "book", "import", tmp_path / "out", "--book", elsewhere)
    assert "17 lines" in succeeds(capsys, "verify", "--book", elsewhere, "--work", here)


def test_the_book_of_a_configuration_counts_if_it_is_trusted(
    postgres: PostgresServer, tmp_path: Path, capsys: pytest.CaptureFixture[str], address: str
) -> None:
    """Given `book` in a configuration that nobody trusts, then commands stop and name `ace trust`, and then it counts."""
    work = tmp_path / "project/.ace"
    work.mkdir(parents=True)
    (work / "config.toml").write_text(f'book = "{address}"\n')
    Machine(tmp_path / "machine", address).step("a")
    assert "ace trust" in fails(capsys, "show", "--work", work)
    assert "What a teaches." in succeeds(capsys, "show", "--work", work, "--book", address)
    assert "keep the playbook in 'postgresql://" in succeeds(capsys, "trust", "--work", work)
    assert "What a teaches." in succeeds(capsys, "show", "--work", work)
    del postgres


def test_a_log_from_an_address(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an exported log on a server and its digest, then it is rendered; another digest, or no https, changes nothing."""
    own = tmp_path / "own"
    demo(capsys, own)
    served, there = own / "history", tmp_path / "there"
    digest = hashlib.sha256((served / "events.jsonl").read_bytes()).hexdigest()
    handler = partial(_Quiet, directory=str(served))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            url = f"http://127.0.0.1:{server.server_port}/events.jsonl"
            assert "give --sha256" in fails(capsys, "pull", url, "--work", there)
            assert "not that of --sha256" in fails(capsys, "pull", url, "--work", there, "--sha256", "0" * 64)
            assert not there.exists()
            out = succeeds(capsys, "pull", url, "--work", there, "--sha256", digest)
            assert "as after line 14" in out
            assert "says already" in succeeds(capsys, "pull", url, "--work", there, "--sha256", digest)
            assert "a playbook of its own" in fails(capsys, "pull", url, "--work", own, "--sha256", digest)
        finally:
            server.shutdown()
            thread.join()
    assert block_in((there / "rules.md").read_bytes()) == block_in((own / "rules.md").read_bytes())
    told = fails(capsys, "pull", "http://example.org/events.jsonl", "--work", there, "--sha256", digest)
    assert "over https alone" in told


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing."""
