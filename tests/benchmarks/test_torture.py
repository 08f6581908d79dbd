"""Killing at random moments: it kills, and it would see what is lost or half done."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, lessons, run

from ace.adapters.cli import main
from ace.domain.playbook import Playbook
from ace.method import ACE
from torture import Before, BrokenError, Ring, torture


@pytest.mark.slow
def test_a_few_kills(tmp_path: Path) -> None:
    """Given commands that are killed, then nothing is lost and nothing half done."""
    counts = torture(tmp_path / "ring", 12, 3)
    assert counts["all"] == 12


def _shorter(place: Place) -> None:
    place.log.path.write_bytes(place.log.path.read_bytes().splitlines(keepends=True)[0])


def _around(place: Place) -> None:
    place.rules.write_bytes(place.rules.read_bytes() + b"x\n")


def _block(place: Place) -> None:
    place.rules.write_bytes(place.rules.read_bytes().replace(b"Read it", b"Rea"))


def _snapshot(place: Place) -> None:
    place.put(Playbook(9))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_shorter, "a line of before is not there"),
        (_around, "the text around the block"),
        (_block, "the block of no line"),
        (_snapshot, "neither of the last two lines"),
    ],
)
def test_what_it_would_see(tmp_path: Path, damage: Callable[[Place], None], told: str) -> None:
    """Given a folder in which something is not as a command may leave it, then it is named."""
    ring = Ring(tmp_path / "ring", random.Random(1))  # noqa: S311 - no secret
    place = Place(ring.root)
    words = ["add", "Read it 3 times.", "--yes", "--work", str(ring.root)]
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert main(words) == 0
    before = Before(ring.folder)
    assert not ring.check(before, "add", words, "")
    damage(place)
    with pytest.raises(BrokenError, match=told):
        ring.check(before, "add", words, "")


def test_a_step_that_was_told_has_to_be_there(tmp_path: Path) -> None:
    """Given a command that told of a line, and no such line, then it is lost."""
    ring = Ring(tmp_path / "ring", random.Random(1))  # noqa: S311 - no secret
    ACE().step(Place(ring.root).context([run("r1")]), Host(lessons()))
    with pytest.raises(BrokenError, match="1 steps were told"):
        ring.check(Before(ring.folder), "add", [], "Done, as line 2 of the log: 2 bullets.")
