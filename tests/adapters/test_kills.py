"""Processes killed with SIGKILL while they learn, at every file operation and at random: nothing finished is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, lessons, run
from tests.adapters.nursery import TEXT

from ace.adapters.ace import ACE

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
        assert len(finished) <= len(place.runs_read()) <= len(finished) + 1
        verify(place)


@pytest.mark.slow
def test_killed_at_random_times(tmp_path: Path) -> None:
    """Twenty-five kills in one folder: every step that had ended is there, and at most one more for each kill."""
    (place,) = killed("times", tmp_path)
    finished = Path(f"{place.root}.finished").read_text().split()
    assert 10 < len(finished) <= len(place.runs_read()) <= len(finished) + 25
    verify(place)
