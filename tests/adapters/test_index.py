"""The index of the log: made from it, behind it at most, and never trusted more than it."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.hosting import Host, Place, curation, lessons, reflection, run, scripted
from tests.domain.strategies import events

from ace.adapters.store.index import Index, opened
from ace.adapters.store.log import Log
from ace.domain.chain import next_line
from ace.domain.errors import LogError
from ace.domain.playbook import Playbook, key_of
from ace.domain.step import FailedCall
from ace.domain.unread import identities, past_of, said_in
from ace.domain.withdrawn import withdrawals
from ace.events.types import (
    BulletAdded,
    Event,
    PlaybookRestored,
    Removed,
    Reworded,
    RunRead,
    RunSkipped,
)
from ace.method import ACE


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder in which three runs were read."""
    place = Place(tmp_path / "work", rules=b"# Rules\n")
    for name in ("r1", "r2", "r3"):
        learn(place, name)
    return place


def learn(place: Place, *names: str) -> None:
    """One step over runs of these names."""
    ACE().step(place.context([run(name) for name in names]), Host(lessons()))


def append(log: Log, *happened: Event) -> None:
    """One more line with these events."""
    line = next_line(
        log.last(),
        Playbook(),
        happened,
        sections=("Others",),
        block="b",
        served="s",
        time="2026-12-02T10:00:00Z",
    )
    log.append(line)


def read_runs(place: Place, *names: str) -> list[int]:
    """The lines in which these runs were read, by the index."""
    with opened(place.log, place.root / "cache") as index:
        return [index.past(run(name)).read for name in names]


# --- what it answers ------------------------------------------------------------------------------------------------


@given(st.lists(st.lists(events, max_size=4), max_size=6), st.booleans())
def test_it_says_what_the_whole_log_says(
    tmp_path_factory: pytest.TempPathFactory,
    steps: list[list[Event]],
    each: bool,  # noqa: FBT001
) -> None:
    """Given any log, read line by line or at once, then the index answers for each run as a reading of all of it does."""
    root = tmp_path_factory.mktemp("index")
    log = Log(root / "history")
    for happened in steps:
        append(log, *happened)
        if each:
            with opened(log, root / "cache"):
                pass
    records = list(log.records())
    said = [one for record in records for one in said_in(record)]
    with opened(log, root / "cache") as index:
        for _, _, event in said:
            trace = run(event.trace, aliases=tuple((name, "Do it.") for name, _ in event.aliases))
            assert index.past(trace) == past_of(trace, said)
        gone: dict[str, bool] = {}
        for record in records:
            gone.update(withdrawals(record))
        assert index.withdrawn() == {key for key, is_gone in gone.items() if is_gone}
        restored = [r.seq for r in records if any(isinstance(e, PlaybookRestored) for e in r.events)]
        assert index.restored == (restored[-1] if restored else 0)


def test_texts_come_back_when_a_person_says_so(place: Place) -> None:
    """Given texts that a person removed and reworded away, then they are withdrawn until a person adds them; what the method
    or a host took out is not.
    """

    def withdrawn() -> frozenset[str]:
        with opened(place.log, place.root / "cache") as index:
            return index.withdrawn()

    append(place.log, Removed("ace-00001", "Others", "What  R1 teaches.", 0, 0, "person", "wrong"))
    append(place.log, Reworded("ace-00002", "What r2 teaches.", "Better.", "person", "unclear"))
    append(place.log, Removed("ace-00003", "Others", "What r3 teaches.", 0, 0, "host", "rejected"))
    assert withdrawn() == {key_of("What r1 teaches."), key_of("What r2 teaches.")}
    append(place.log, BulletAdded("", 0, "ace-00004", "Others", "What r1 teaches.", 9, "person"))
    assert withdrawn() == {key_of("What r2 teaches.")}


def test_a_withdrawn_text_does_not_come_back_by_a_step(place: Place) -> None:
    """Given a text that a person removed, when a Curator brings it again, then it is refused in these words alone."""
    state = place.playbook()
    kept = Playbook(state.next_number, state.bullets[1:])
    removed = Removed("ace-00001", "Others", "What r1 teaches.", 0, 0, "person", "wrong")
    last = place.log.last()
    assert last is not None
    line = next_line(
        last,
        kept,
        (removed,),
        sections=last.record.sections,
        block=last.record.block,
        served=last.record.block,
        time="t",
    )
    place.log.append(line)
    place.put(kept)
    script = scripted(reflection(), curation("what r1 TEACHES.", "What r1 teaches us."))
    result = ACE().step(place.context([run("r4")]), Host(script))
    assert [type(event).__name__ for event in result.record.events] == ["Refused", "BulletAdded", "RunRead"]


# --- the file -------------------------------------------------------------------------------------------------------


def truncated(path: Path) -> None:
    """Half of the file."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def garbled(path: Path) -> None:
    """Its pages are something else."""
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(bytes(data))


def of_another_version(path: Path) -> None:
    """Its tables are of another time."""
    connection = sqlite3.connect(path)
    connection.executescript("DROP TABLE runs; CREATE TABLE runs (x); PRAGMA user_version = 99;")
    connection.close()


DAMAGES: list[Callable[[Path], object]] = [
    Path.unlink,
    truncated,
    garbled,
    of_another_version,
    lambda path: path.write_bytes(b""),
    lambda path: path.write_bytes(b"no database at all, but long enough to look at " * 200),
]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("in_memory", [False, True])
def test_a_file_that_is_lost_or_damaged_is_made_again(
    place: Place, damage: Callable[[Path], object], *, in_memory: bool
) -> None:
    """Given any damage, then the answers are those of the log, and the next command finds a whole file, unless it only looks."""
    path = next((place.root / "cache").glob("index-*.sqlite"))
    damage(path)
    found = path.read_bytes() if path.exists() else None
    with opened(place.log, place.root / "cache", in_memory=in_memory) as index:
        assert [index.past(run(name)).read for name in ("r1", "r2", "r3", "r4")] == [1, 2, 3, 0]
    if in_memory:
        assert (path.read_bytes() if path.exists() else None) == found
    else:
        assert read_runs(place, "r1", "r3") == [1, 3]


def test_a_folder_that_takes_no_file(place: Place) -> None:
    """Given a file where the folder should be, then the log itself is read."""
    cache = place.root / "elsewhere"
    cache.write_bytes(b"")
    with opened(place.log, cache) as index:
        assert index.past(run("r2")).read == 2
        index.remember(FailedCall(identities(run("r9")), "x", 1, too_long=False), time="t", model="m")
    assert cache.read_bytes() == b""


@pytest.mark.parametrize("keep", [0, 1, 2])
def test_a_log_that_got_shorter_or_is_another_one(place: Place, tmp_path: Path, keep: int) -> None:
    """Given a log that was put back, cut or exchanged, then the index is made from the one that is there."""
    other = Place(tmp_path / "other", rules=b"")
    for name in ("x1", "x2", "x3", "x4"):
        learn(other, name)
    read_runs(place, "r1")
    lines = place.log.path.read_bytes().splitlines(keepends=True)
    place.log.path.write_bytes(b"".join(lines[:keep]))
    assert read_runs(place, "r1", "r2", "r3") == [n if n <= keep else 0 for n in (1, 2, 3)]
    place.log.path.write_bytes(other.log.path.read_bytes())
    assert read_runs(place, "r1", "x1", "x4") == [0, 1, 4]
    place.log.path.unlink()
    assert read_runs(place, "r1", "x1") == [0, 0]


def test_a_torn_line_is_not_taken_in(place: Place) -> None:
    """Given a step that was torn, then the index ends before it, and takes in what is put in its place."""
    with place.log.path.open("ab") as file:
        file.write(b'{"v":1,"seq":4')
    assert read_runs(place, "r3") == [3]
    learn(place, "r4")
    assert read_runs(place, "r3", "r4") == [3, 4]


def test_damage_behind_what_is_indexed_is_an_error_of_the_log(place: Place) -> None:
    """Given a line that cannot be read, then that is said of the log, and not taken for a damaged index."""
    read_runs(place, "r1")
    with place.log.path.open("ab") as file:
        file.write(b"no line\n")
    with pytest.raises(LogError, match="line 4 is damaged"):
        read_runs(place, "r1")


def test_only_new_lines_are_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given an index that is up to date, then opening it decodes no line, however many there are."""
    read_runs(place, "r1")
    decoded: list[int] = []
    lines_from = Log.lines_from

    def watched(log: Log, start: int, number: int, before: str) -> object:
        for one in lines_from(log, start, number, before):
            decoded.append(one[2].seq)
            yield one

    monkeypatch.setattr(Log, "lines_from", watched)
    read_runs(place, "r1")
    assert decoded == []
    learn(place, "r4")
    decoded.clear()
    read_runs(place, "r4")
    assert decoded == [4]


@pytest.mark.parametrize("at", range(1, 12))
def test_a_kill_while_it_is_written(place: Place, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    """Given a process that ends at any statement, then the file is whole or made again, and the answers are right."""
    learn(place, "r4")  # one line that the index lacks
    statements = 0

    class Dying(sqlite3.Connection):
        def execute(self, *given_sql: object) -> sqlite3.Cursor:
            nonlocal statements
            statements += 1
            if statements == at:
                raise KeyboardInterrupt
            return super().execute(*given_sql)  # type: ignore[arg-type]

    connect = sqlite3.connect
    with monkeypatch.context() as patch:
        patch.setattr(
            sqlite3,
            "connect",
            lambda *given_args, **more: connect(*given_args, factory=Dying, **more),
        )
        with contextlib.suppress(KeyboardInterrupt):
            read_runs(place, "r4")
    assert read_runs(place, "r1", "r2", "r3", "r4") == [1, 2, 3, 4]


# --- what was tried -------------------------------------------------------------------------------------------------


def test_what_was_tried_is_remembered_until_it_is_read(place: Place) -> None:
    """Given a failed call, then its last try is known, also after the index was made again from another log, until the run is
    read.
    """
    failed = FailedCall(identities(run("r9")), "too long", 1234, too_long=True)
    with opened(place.log, place.root / "cache") as index:
        assert index.tried(run("r9")) is None
        index.remember(failed, time="t1", model="small")
        index.remember(failed, time="t2", model="large")
    place.log.path.write_bytes(place.log.path.read_bytes().splitlines(keepends=True)[0])
    with opened(place.log, place.root / "cache") as index:
        tried = index.tried(run("r9"))
        assert tried is not None
        assert (tried.time, tried.model, tried.shown, tried.too_long) == ("t2", "large", 1234, True)
        assert index.tried(run("r9", task="Another task.")) is None
        index.forget(run("r9"))
        assert index.tried(run("r9")) is None


def test_an_index_can_be_asked_about_any_event(place: Place) -> None:
    """Given lines of 0.1.0 and of now under one id, then both are looked at."""
    append(
        place.log,
        RunRead("old", None, "Do it.", "i", "used"),
        RunSkipped("old", "failed call", task_digest="x"),
    )
    assert read_runs(place, "old") == [4]
    assert isinstance(Index, type)


def test_an_index_that_came_with_a_clone_is_not_opened(place: Place, tmp_path: Path) -> None:
    """Given a database that somebody else made, under any name but the secret one, then it is not even looked at: its journal
    could make SQLite delete any file, and its views could answer anything.
    """
    before = place.runs_read()
    learn(place, "r8")
    (mine,) = (place.root / "cache").glob("index-*.sqlite")
    cloned = Place(tmp_path / "cloned")
    shutil.copytree(place.root, cloned.root, dirs_exist_ok=True)
    (cloned.root / "cache" / mine.name).write_bytes(b"poison")
    (cloned.root / "cache" / f"{mine.name}-journal").write_bytes(b"poison")
    learn(cloned, "r9")
    assert (cloned.root / "cache" / mine.name).read_bytes() == b"poison"
    assert (cloned.root / "cache" / f"{mine.name}-journal").read_bytes() == b"poison"
    assert cloned.runs_read() == [*before, "r8", "r9"]


@pytest.mark.parametrize("home", ["/dev/null/none", "none"])
def test_without_a_place_for_the_name_the_log_is_read(
    place: Place, home: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given no state folder that can be written, then nothing is lost: the whole log is read instead."""
    before = place.runs_read()
    monkeypatch.setenv("XDG_STATE_HOME", home)
    monkeypatch.setenv("HOME", "/dev/null")
    learn(place, "r8")
    learn(place, "r8", "r9")
    assert place.runs_read() == [*before, "r8", "r9"]
    assert not Path(".local").exists()
