"""Recorded sessions in many files, as one."""

from __future__ import annotations

import gzip
import io
import json
import os
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.recordings import SESSIONS, Asked

from ace.adapters.traces import collection as collection_module
from ace.adapters.traces.collection import Collection
from ace.adapters.traces.finding import Source, sources
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, task_of

CLAUDE = next(form for form in SESSIONS if form.name == "claude-code")
PI = next(form for form in SESSIONS if form.name == "pi")
HOUR = 3600.0


def write(path: Path, *tasks: str, form: Any = CLAUDE, rested: float = 0.0) -> Path:
    """A session in which this was asked, one after the other."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(form.render([Asked((task,), reply=f"{task} Done.") for task in tasks]))
    os.utime(path, (rested, rested))
    return path


def found(*paths: Path, by_hand: bool = True, **more: Any) -> list[tuple[str, str]]:
    """The task of each trace, and its state."""
    gathered = Collection(sources(paths, None, by_hand=by_hand), **more)
    return [(task_of(one.trace), one.state) for one in gathered]


# Which files a name means


def test_names_mean_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a file, a folder, a pattern and standard input, then each means its files, once, in order; a file that was named is known
    as such.
    """
    one, two = (
        write(tmp_path / "b" / "one.jsonl", "One."),
        write(tmp_path / "a" / "deep" / "two.jsonl", "Two."),
    )
    packed = tmp_path / "a" / "three.jsonl.gz"
    packed.write_bytes(gzip.compress(CLAUDE.render([Asked(("Three.",))])))
    for other in ("a/notes.md", "a/node_modules/x.json", "a/.git/x.json"):
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text("{}")
    assert [source.path for source in sources([tmp_path], None, by_hand=True)] == [packed, two, one]
    assert sources([one, tmp_path / "b"], None, by_hand=True) == [Source(one, named=True)]
    assert sources([tmp_path / "b", one], None, by_hand=True) == [Source(one, named=True)]
    assert sources([one], None, by_hand=False) == [Source(one)]
    assert [each.path for each in sources([tmp_path / "**" / "*.jsonl"], None, by_hand=True)] == [two, one]
    assert [each.path for each in sources([tmp_path / "[ab]"], None, by_hand=True)] == [packed, two, one]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(CLAUDE.render([Asked(("Four.",))]))))
    (piped,) = sources([Path("-")], None, by_hand=True)
    assert (piped.named, piped.told) == (True, "standard input")
    assert [task_of(each.trace) for each in Collection([piped])] == ["Four."]


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    """Given a file of that very name, then it is meant, and no pattern."""
    odd = write(tmp_path / "a[1].jsonl", "One.")
    assert sources([odd], None, by_hand=True) == [Source(odd, named=True)]


@pytest.mark.parametrize("name", ["none/*.jsonl", "empty"])
def test_a_name_that_means_nothing(tmp_path: Path, name: str) -> None:
    """Given a folder or a pattern in which there is no session, then the error says so."""
    (tmp_path / "empty").mkdir()
    with pytest.raises(TraceError, match=r"finds no file|holds no file that could be a session"):
        sources([tmp_path / name], None, by_hand=True)


def test_what_is_no_session_in_a_folder(tmp_path: Path) -> None:
    """Given a folder with other files, then they are told with what they look like, and the sessions are read; without any session
    that is an error.
    """
    (tmp_path / "package.json").write_text('{"name": "x", "version": "1"}')
    with pytest.raises(
        TraceError, match=r"package\.json, line 1, is in no format known here\. It looks like"
    ):
        found(tmp_path)
    write(tmp_path / "s.jsonl", "One.")
    gathered = Collection(sources([tmp_path], None, by_hand=True))
    assert [task_of(trace) for _, trace in gathered.listed()] == ["One."]
    assert [bool(file.error) for file in gathered.files] == [True, False]


def test_our_own_calls_are_no_runs(tmp_path: Path) -> None:
    """Given the record of a step's model calls, then it is told as that."""
    calls = [{"role": "reflector", "trace": "r1", "prompt": "p", "reply": "{}"}]
    (tmp_path / "calls.json").write_text(json.dumps(calls))
    with pytest.raises(TraceError, match="its own calls are never runs"):
        found(tmp_path / "calls.json")


# Once


def test_a_copied_history_counts_once(tmp_path: Path) -> None:
    """Given a session that was resumed in another file, then what both hold is one run."""
    write(tmp_path / "1.jsonl", "One.", "Two.")
    write(tmp_path / "2.jsonl", "One.", "Two.", "Three.")
    assert found(tmp_path) == [
        ("One.", "run"),
        ("Two.", "run"),
        ("One.", "a copy"),
        ("Two.", "a copy"),
        ("Three.", "run"),
    ]


def test_of_two_copies_the_one_counts_that_goes_on(tmp_path: Path) -> None:
    """Given a copy in which the last turn is still open, and one in which another follows, then it is read once."""
    write(tmp_path / "1.jsonl", "One.", "Two.", rested=2 * HOUR)
    write(tmp_path / "2.jsonl", "One.", "Two.", "Three.", rested=2 * HOUR)
    states = found(tmp_path, rested=HOUR)
    assert states == [
        ("One.", "run"),
        ("Two.", "open"),
        ("One.", "a copy"),
        ("Two.", "run"),
        ("Three.", "open"),
    ]


# Open turns


def test_the_last_turn_is_open_until_its_file_has_rested(tmp_path: Path) -> None:
    """Given a file that was changed at an hour, then its last turn counts once that is long enough ago, or if it was named."""
    path = write(tmp_path / "s.jsonl", "One.", "Two.", rested=HOUR)
    assert found(tmp_path, rested=HOUR - 1) == [("One.", "run"), ("Two.", "open")]
    assert found(tmp_path, rested=HOUR) == [("One.", "run"), ("Two.", "run")]
    assert found(path, rested=HOUR - 1) == [("One.", "run"), ("Two.", "run")]
    assert found(path, by_hand=False, rested=HOUR - 1) == [("One.", "run"), ("Two.", "open")]


def test_a_database_rests_by_session(tmp_path: Path) -> None:
    """Given opencode's database, which every session changes, then a session has rested by its own last message."""
    path = tmp_path / "opencode.db"
    with sqlite3.connect(path) as base:
        base.executescript(
            "CREATE TABLE session (id TEXT, parent_id TEXT, directory TEXT, time_created INT, time_updated INT);"
            "CREATE TABLE message (id TEXT, session_id TEXT, time_created INT, data TEXT);"
            "CREATE TABLE part (id TEXT, message_id TEXT, data TEXT);"
        )
        for number, hours in enumerate((1, 3)):
            base.execute("INSERT INTO session VALUES (?, NULL, '/p', ?, ?)", (f"s{number}", number, number))
            for role in ("user", "assistant"):  # ids sort as they were made
                name, time = f"{number}-{len(role)}", {"completed": hours * HOUR * 1000}
                data = json.dumps({"role": role, "time": time})
                base.execute("INSERT INTO message VALUES (?, ?, 0, ?)", (name, f"s{number}", data))
                part = json.dumps({"type": "text", "text": f"{role} {number}"})
                base.execute("INSERT INTO part VALUES (?, ?, ?)", (name, name, part))
    base.close()
    assert found(tmp_path, rested=2 * HOUR) == [("user 0", "run"), ("user 1", "open")]
    inside = [Source(path, within=Path("/p")), Source(path, within=Path("/q"))]
    assert len(list(Collection(inside[:1]))) == 2
    assert list(Collection(inside)) == list(Collection(inside[:1]))


def test_older_runs(tmp_path: Path) -> None:
    """Given a time, then runs from before it are left: by their own time, else by their file's."""
    row = {"task": "x", "reply": "Done."}
    rows = [
        {**row, "task": "Old.", "time": "1970-01-01T01:00:00Z"},
        {**row, "task": "New.", "time": "1970-01-01T03:00:00Z"},
        {**row, "task": "Of the file."},
    ]
    path = tmp_path / "runs.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in rows))
    os.utime(path, (3 * HOUR, 3 * HOUR))
    assert found(path, since=2 * HOUR) == [("Old.", "older"), ("New.", "run"), ("Of the file.", "run")]


# Again


def texts(traces: Any) -> list[str]:
    """The tasks of what was read again."""
    return [task_of(trace) if trace is not None else "" for trace in traces]


@given(
    sizes=st.lists(st.integers(1, 4), min_size=1, max_size=3),
    order=st.randoms(use_true_random=False),
    at_once=st.sampled_from((1, 40, 10_000)),
)
@settings(deadline=None, max_examples=25)
def test_what_is_chosen_is_read_again(
    tmp_path_factory: pytest.TempPathFactory, sizes: list[int], order: Any, at_once: int
) -> None:
    """Given any choice in any order, then these traces come in this order, however few of them may be held at once."""
    folder = tmp_path_factory.mktemp("sessions")
    for number, size in enumerate(sizes):
        write(folder / f"{number}.jsonl", *(f"Task {number}.{each}." for each in range(size)), form=PI)
    gathered = Collection(sources([folder], None, by_hand=True))
    listed = list(gathered.listed())
    assert len(listed) == sum(sizes)
    chosen = order.sample(listed, order.randint(0, len(listed)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(collection_module, "_AT_ONCE", at_once)
        assert list(gathered.read([place for place, _ in chosen])) == [trace for _, trace in chosen]


def test_a_session_that_grew_meanwhile(tmp_path: Path) -> None:
    """Given a file that grew, shrank or went away since it was listed, then what is there still is read, and nothing else."""
    path, other = write(tmp_path / "1.jsonl", "One.", "Two."), write(tmp_path / "2.jsonl", "Three.")
    gathered = Collection(sources([tmp_path], None, by_hand=True))
    places = [place for place, _ in gathered.listed()]
    write(path, "One.", "Two.", "Next.")
    assert texts(gathered.read(places)) == ["One.", "Two.", "Three."]
    write(path, "Another.", "Two.")
    other.unlink()
    assert texts(gathered.read(places)) == ["", "Two.", ""]


def test_a_collection_holds_one_run_at_a_time(tmp_path: Path) -> None:
    """Given a long list, then going through it keeps no trace alive."""
    path = write(tmp_path / "s.jsonl", *(f"Task {number}." for number in range(50)), form=PI)
    before = None
    for spot, trace, _ in Collection(sources([path], None, by_hand=True)):
        assert spot.length > 0
        if before is not None:
            assert sys.getrefcount(before) <= 3  # here, in the call, and in the generator until it goes on
        before = trace
    assert isinstance(before, Trace)
