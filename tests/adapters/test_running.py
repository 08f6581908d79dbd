"""Signs of what goes on: a step that is under way, a folder that a process has for itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ace.adapters.store.claims import claim
from ace.adapters.store.files import lock
from ace.adapters.store.running import Running, Sign, under_way
from ace.domain.errors import LockedError

STEP = Running(7, "2026-12-02T10:00:00Z", 3, "asking the models")


def test_a_step_is_seen_as_long_as_it_goes_on(tmp_path: Path) -> None:
    """With what it is about now; looking changes nothing."""
    sign = Sign(tmp_path)
    assert (under_way(tmp_path), sign.is_shown) == (None, False)
    sign.show(STEP)
    assert under_way(tmp_path) == under_way(tmp_path) == STEP
    later = Running(7, STEP.since, 3, "evaluating")
    sign.show(later)
    assert (under_way(tmp_path), sign.is_shown) == (later, True)
    sign.hide()
    sign.hide()
    assert (under_way(tmp_path), sign.is_shown) == (None, False)


def test_a_step_whose_process_was_killed_is_over(tmp_path: Path) -> None:
    """Whatever is in the file."""
    code = (
        "import os, sys; from pathlib import Path; from ace.adapters.store.running import Running, Sign\n"
        "Sign(Path(sys.argv[1])).show(Running(7, 'since', 3, 'phase')); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", code, tmp_path], check=False)
    assert (tmp_path / "running.json").read_bytes()
    assert under_way(tmp_path) is None


def test_a_sign_that_cannot_be_put_up_stops_nothing(tmp_path: Path) -> None:
    """Nobody sees the step, then."""
    (tmp_path / "file").write_text("no folder")
    sign = Sign(tmp_path / "file")
    sign.show(STEP)
    sign.hide()
    assert under_way(tmp_path / "file") is None


def test_a_claim_is_for_the_life_of_the_process(tmp_path: Path) -> None:
    """Once is enough; another process is refused and told who has it."""
    claim(tmp_path / "service.lock")
    claim(tmp_path / "service.lock")
    code = "import sys; from pathlib import Path; from ace.adapters.store.claims import claim\nclaim(Path(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "service.lock"], capture_output=True, text=True, check=False
    )
    assert "is in use by process" in done.stderr
    with lock(tmp_path / "other.lock", "somebody"), pytest.raises(LockedError, match="somebody"):
        claim(tmp_path / "other.lock")
    claim(tmp_path / "other.lock")
