"""Processes killed with SIGKILL while they learn, at every file operation and at random: nothing finished is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, lessons, run
from tests.adapters.nursery import DECISIONS, TEXT, decide

from ace.adapters.cli import main
from ace.adapters.store.folder_book import FolderBook
from ace.deciding import waiting
from ace.domain.errors import StateError
from ace.events.types import PlaybookRestored, TagCounted
from ace.method import ACE

ROOT = Path(__file__).parents[2]


def killed(mode: str, folder: Path) -> list[Place]:
    """The folders that the killed processes left."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.adapters.nursery", mode, str(folder)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr.decode()
    return [Place(path) for path in sorted(folder.iterdir()) if path.is_dir()]


def verify(place: Place) -> None:
    """Check what a kill left, and the next step and what that leaves."""
    finished = Path(f"{place.root}.finished").read_text().split()
    read = place.runs_read()
    assert [name for name in read if name in finished] == finished
    assert place.rules.read_bytes().startswith(TEXT)
    ACE().step(place.context([run("last")]), Host(lessons()))
    assert place.agrees()
    assert place.contents() == [f"What {name} teaches." for name in [*read, "last"]]
    assert len(place.ids_given()) == len(set(place.ids_given()))
    assert sorted(place.kept()) == ["history/events.jsonl", "rules.md", "state/playbook.json"]


@pytest.mark.slow
@pytest.mark.parametrize(("mode", "least"), [("points", 40), ("halves", 6)])
def test_killed_at_every_point(tmp_path: Path, mode: str, least: int) -> None:
    """Before each operation of two steps, and in the middle of each write: at most the step under way is missing."""
    *places, whole = killed(mode, tmp_path)
    assert len(places) >= least
    assert whole.runs_read() == ["r0", "r1", "r2"]
    for place in places:
        finished = Path(f"{place.root}.finished").read_text().split()
        assert len(finished) <= len(place.runs_read()) - 1 <= len(finished) + 1
        verify(place)


@pytest.mark.slow
def test_killed_while_steps_wait_for_a_review(tmp_path: Path) -> None:
    """Before each operation: the rules show what they showed, at most the step under way is missing, and what it left waits."""
    *places, whole = killed("review", tmp_path)
    assert len(places) >= 30
    for place in places:
        finished = len(Path(f"{place.root}.finished").read_text().split())
        assert finished <= len(place.runs_read()) - 1 <= finished + 1
        assert place.rules.read_bytes() == whole.rules.read_bytes()
        read = place.runs_read()
        assert [one.content for one in waiting(FolderBook(place.root)).lessons] == [
            f"What {name} teaches." for name in read[1:]
        ]
        ACE().step(place.context([run("last")], review=True), Host(lessons()))
        assert place.agrees()
        assert place.rules.read_bytes() == whole.rules.read_bytes()
        assert place.contents() == [f"What {name} teaches." for name in [*read, "last"]]


@pytest.mark.slow
def test_killed_at_random_times(tmp_path: Path) -> None:
    """Twenty-five kills in one folder: every step that had ended is there, and at most one more for each kill."""
    (place,) = killed("times", tmp_path)
    finished = Path(f"{place.root}.finished").read_text().split()
    assert 10 < len(finished) <= len(place.runs_read()) <= len(finished) + 25
    verify(place)


@pytest.mark.slow
def test_killed_while_a_playbook_is_adopted(tmp_path: Path) -> None:
    """Before each operation: either nothing was taken yet, and adopting again takes it, or the next start heals; the bullet
    that a screen took out is in no file that is read.
    """
    for place in killed("adopt", tmp_path):
        if not any(isinstance(event, PlaybookRestored) for event in place.events()):
            with pytest.raises(StateError, match="ace adopt"):
                ACE().step(place.context([run("last")]), Host(lessons()))
            assert main(["adopt", "--work", str(place.root)]) == 0
        ACE().step(place.context([run("last")]), Host(lessons()))
        assert place.agrees()
        assert place.contents() == ["What a person says.", "What last teaches."]
        assert place.ids_given()[-1] == "ace-00004"
        assert sum(isinstance(event, PlaybookRestored) for event in place.events()) == 1


@pytest.mark.slow
def test_killed_while_files_are_rebuilt(tmp_path: Path) -> None:
    """Before each operation: rebuilding again ends it, and no id is given twice."""
    for place in killed("rebuild", tmp_path):
        assert main(["rebuild", "--work", str(place.root)]) == 0
        assert place.agrees()
        ACE().step(place.context([run("last")]), Host(lessons()))
        assert place.contents() == ["What r0 teaches.", "What last teaches."]
        assert place.ids_given() == ["ace-00001", "ace-00003"]
        assert place.agrees()


@pytest.mark.slow
def test_killed_while_the_curator_alone_is_asked(tmp_path: Path) -> None:
    """Before each operation: the tags have counted once, and the bullet comes once, by this step or by the next one."""
    for place in killed("curator", tmp_path):
        host = Host(lessons())
        ACE().step(place.context([run("r1"), run("last")]), host)
        assert [one.role for one in host.requests if one.trace == "r1"] in ([], ["curator"])
        assert place.contents() == ["What r0 teaches.", "What r1 teaches.", "What last teaches."]
        assert place.playbook().bullets[0].helpful == 1
        assert sum(isinstance(event, TagCounted) for event in place.events()) == 1
        assert place.agrees()


@pytest.mark.slow
@pytest.mark.parametrize("scene", DECISIONS)
def test_killed_while_a_person_decides(tmp_path: Path, scene: str) -> None:
    """Before each operation: the decision is a line of the log as a whole or not at all, and then it can be made; the next step
    goes on from there, and no id is given twice.
    """
    *places, whole = killed(scene, tmp_path)
    assert len(places) >= 10
    lines, contents = len(whole.records()), whole.contents()
    begun = lines - (2 if scene == "import" else 1)
    for place in places:
        assert begun <= len(place.records()) <= lines
        if len(place.records()) < lines:
            assert decide(scene, place) == 0
        ACE().step(place.context([run("last")]), Host(lessons()))
        assert place.agrees()
        assert place.contents() == [*contents, "What last teaches."]
        assert place.records()[:lines][-1].events == whole.records()[-1].events
        assert len(place.ids_given()) == len(set(place.ids_given()))
