"""A folder that 0.1.0 wrote: read, replayed, learned on, and its runs known.

`data/log-0.1.0` was made by that version: a playbook that was imported, runs that were read, one whose Curator was not
reached and one whose Curator was not understood, an unusable reply, a call in the middle of a run, a run without an id, a
task with a credential and one that was withheld, a step that the check refused, bullets that were pruned and capped, and a
playbook that was adopted.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from tests.adapters.commands import ace, succeeds
from tests.adapters.hosting import Host, Place, lessons

from ace.adapters.cli import learn as learn_module
from ace.adapters.store.log import Log
from ace.domain.playbook import Playbook, digest, fold_records
from ace.events.codec import decode_record, encode_record
from ace.events.types import RunRead, RunSkipped

OLD = Path(__file__).parent / "data" / "log-0.1.0"
TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """The folder as that version left it."""
    place = Place(tmp_path / "work")
    for name, path in (
        ("events.jsonl", place.log.path),
        ("playbook.json", place.snapshot),
        ("AGENTS.md", place.rules),
    ):
        path.parent.mkdir(exist_ok=True)
        shutil.copyfile(OLD / name, path)
    return place


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """The runs that it was given, with the credential in one of them."""
    path = tmp_path / "runs.jsonl"
    path.write_text((OLD / "runs.jsonl").read_text().replace("@TOKEN@", TOKEN))
    return path


def test_every_line_is_read_and_written_as_it_was(place: Place) -> None:
    """Given the old log, then each line decodes, its chain holds, and what is read of it encodes to the same values."""
    records = place.records()
    assert [record.seq for record in records] == list(range(1, 12))
    for line, record in zip(place.log.path.read_bytes().splitlines(), records, strict=True):
        assert (record.v, record.time, record.sum, record.records) == (1, "", "", {})
        assert decode_record(encode_record(record)) == record
        assert all(
            json.loads(line)[key] == value
            for key, value in json.loads(encode_record(record)).items()
            if key in ("seq", "prev", "playbook", "block", "served", "sections")
        )


def test_it_replays(place: Place) -> None:
    """Given the old folder, then log, snapshot and block agree, and every line folds to the playbook that it names."""
    assert place.agrees()
    for upto in range(1, 12):
        records = list(Log(place.history).records())[:upto]
        assert digest(fold_records(Playbook(), records)) == records[-1].playbook


def test_its_runs_are_known(
    place: Place, runs: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given the same runs again, then what 0.1.0 counted as read is not read again, also where it had no id or its task was
    redacted or withheld; the refused run, and the whole of the run that ended early, are.
    """
    host = Host(lessons())
    monkeypatch.setattr(learn_module, "model_of", lambda _: host)
    whole = {
        "id": "mon-5",
        "messages": [
            {"role": "user", "content": "Start the server."},
            {"role": "assistant", "content": "It runs."},
        ],
    }
    with runs.open("a") as file:
        file.write(json.dumps(whole) + "\n")
    assert ace("learn", runs, "--work", place.root) == 0
    assert "9 of 11 traces are passed over" in capsys.readouterr().err
    assert [request.trace for request in host.requests if request.role == "reflector"] == ["mon-8", "mon-5"]
    assert place.records()[-1].v == 1
    assert place.agrees()


def test_another_task_under_an_old_id_is_read(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given the ids of that day with other tasks, then they are other runs, but for the one of which 0.1.0 wrote no task."""
    host = Host(lessons())
    monkeypatch.setattr(learn_module, "model_of", lambda _: host)
    path = tmp_path / "tuesday.jsonl"
    rows = [{"id": f"mon-{n}", "task": f"Task {n} of Tuesday.", "reply": "Done."} for n in (1, 3, 4, 6, 9)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ace("learn", path, "--work", place.root) == 0
    assert place.runs_read()[-4:] == ["mon-1", "mon-3", "mon-6", "mon-9"]


def test_it_is_learned_on(place: Place, runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given one more step, then ids go on, the new line continues the old chain, and it has what the old ones lack."""
    monkeypatch.setattr(learn_module, "model_of", lambda _: Host(lessons()))
    before = place.log.path.read_bytes()
    ace("learn", runs, "--work", place.root)
    assert place.log.path.read_bytes().startswith(before)
    *_, old, new = place.records()
    assert (old.seq, new.seq, new.next_number) == (11, 12, old.next_number + 1)
    assert new.time.endswith("Z")
    assert len(new.sum) == 64
    assert set(new.records) == {"calls.json", "harness/rules.md", "state/playbook.json"}
    (read,) = [event for event in new.events if isinstance(event, RunRead)]
    assert len(read.task_digest) == 64


def test_its_stories_are_told(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Given bullets of then, then `ace show` tells where they came from and what became of them."""
    table = succeeds(capsys, "show", "--work", place.root)
    for identifier in [line.split()[0] for line in table.splitlines() if line.startswith("ace-")]:
        assert "line " in succeeds(capsys, "show", identifier, "--work", place.root)
    assert "pruned at helpful=0 harmful=2" in succeeds(capsys, "show", "ace-00003", "--work", place.root)


def test_what_the_old_version_is_told_of_a_new_line(place: Place) -> None:
    """Given what 0.1.0 checks, then a line with a new kind of event has a version that it refuses, and others have its own."""
    kinds = {type(event) for record in place.records() for event in record.events}
    assert {RunRead, RunSkipped} <= kinds
    assert all(record.v == 1 for record in place.records())
