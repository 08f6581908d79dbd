"""What each lesson was after each line: for every log the same as what the fold says."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import records

from ace.domain.lives import Lives
from ace.domain.playbook import Playbook, fold_records
from ace.events.types import StepRecord


@given(st.lists(records, max_size=6))
def test_stands_are_what_the_fold_says(log: list[StepRecord]) -> None:
    """After every line, the entries up to it name the bullets that the fold holds, and none repeats the one before it."""
    lives = Lives()
    for place, record in enumerate(log, 1):
        before = {name: list(stands) for name, stands in lives.stands.items()}
        changed = lives.take(record)
        playbook = fold_records(Playbook(), log[:place])
        now = {name: stands[-1].bullet for name, stands in lives.stands.items()}
        assert {name for name, one in now.items() if one is not None} == {one.id for one in playbook.bullets}
        assert all(now[one.id] == one for one in playbook.bullets)
        assert {name for name, stands in lives.stands.items() if stands != before.get(name)} == set(changed)
        assert lives.size == len(playbook.bullets)
        assert lives.playbook() == playbook
    for stands in lives.stands.values():
        assert all(one.bullet != other.bullet for one, other in pairwise(stands))
        assert stands[0].bullet is not None
