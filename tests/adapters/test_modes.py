"""Whatever an endpoint answers, no run is lost and none counts twice."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path

import pytest
from tests.adapters.modes import MODES, play

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("part", range(4))
def test_any_answers_until_the_endpoint_is_healthy(tmp_path: Path, part: int) -> None:
    """Given commands of one to eight runs against an endpoint that answers in a random mode each time, until it is healthy,
    then every run was read once and counted once, or was passed over after three counted unusable replies and named so.
    """
    dice = random.Random(part)  # noqa: S311 - the same answers each time
    played: Counter[str] = Counter()
    commands = folder = 0
    while commands < 50 or len(played) < len(MODES):
        folder += 1
        root = tmp_path / str(folder)
        root.mkdir()
        more, modes = play(dice, root)
        commands, played = commands + more, played + modes
