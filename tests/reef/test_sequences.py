"""Any sequence of steps, rejections, rollbacks and promotions: what a step goes on from is what was served, no id is used
twice, and nothing that was gone back from comes back.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from tests.reef.host import Host, sample
from tests.reef.upstream import curation

pytestmark = pytest.mark.slow

OPERATIONS = st.tuples(
    st.sampled_from(["publish", "publish", "reject", "nothing", "roll back", "promote", "reload"]),
    st.integers(0, 9),
)


@dataclass
class Release:
    """What a release holds, by the numbers of its lessons; the step that made it and the line of steps that was in."""

    lessons: tuple[int, ...] = ()
    steps: int = 0
    line: int = 0


@dataclass
class Model:
    """What has to be so. `lessons` are those of the playbook; `served` is the release that is served."""

    releases: dict[str, Release] = field(default_factory=lambda: {"seed": Release()})
    served: Release = field(default_factory=Release)
    lessons: tuple[int, ...] = ()
    line: int = 0

    def restore(self, target: str, made: str, *, promoted: bool) -> None:
        """A release was made with what the target holds."""
        release = self.releases[target]
        goes_on = promoted and release.steps > self.served.steps and release.line == self.line
        if not goes_on:
            self.lessons = release.lessons
            self.line += 1
        self.releases[made] = self.served = Release(release.lessons, release.steps, self.line)


def lesson(number: int) -> str:
    """A lesson like no other."""
    return f"Lesson number {number} is like no other."


@pytest.mark.parametrize("publish", ["auto", "review"])
@given(operations=st.lists(OPERATIONS, min_size=3, max_size=9))
@example([("publish", 0), ("publish", 0), ("publish", 0), ("roll back", 1), ("promote", 2), ("nothing", 0)])
@example([("publish", 0), ("publish", 0), ("roll back", 0), ("promote", 1), ("publish", 0)])
@settings(max_examples=25, deadline=None)
def test_a_step_goes_on_from_what_is_served(publish: str, operations: list[tuple[str, int]]) -> None:
    """Given any sequence, then after each step playbook and tree hold exactly the lessons that they have to."""
    with tempfile.TemporaryDirectory() as folder:
        _check(Host(Path(folder) / "root", publish=publish), operations, waits=publish == "review")


def _check(host: Host, operations: list[tuple[str, int]], *, waits: bool) -> None:
    model = Model()
    ids: dict[str, str] = {}
    for number, (operation, choice) in enumerate(operations):
        if operation in ("roll back", "promote"):
            target = list(model.releases)[choice % len(model.releases)]
            made = (host.roll_back if operation == "roll back" else host.promote)(target)
            model.restore(target, made, promoted=operation == "promote")
        elif operation == "reload":
            host.reload()
        else:
            _step(host, model, number, operation, waits=waits)
            bullets = host.kept["playbook"]["bullets"]
            assert [bullet["content"] for bullet in bullets] == [lesson(one) for one in model.lessons]
            assert all(
                ids.setdefault(bullet["id"], bullet["content"]) == bullet["content"] for bullet in bullets
            )
            gone = set(range(number + 1)) - set(model.lessons)
            assert not [one for one in gone if lesson(one) in host.text]


def _step(host: Host, model: Model, number: int, operation: str, *, waits: bool) -> None:
    learned = () if operation == "nothing" else (number,)
    before = set(host.releases.commits)
    host.curator = lambda _: curation(*map(lesson, learned))
    host.step(sample(f"run-{number}"), publish=operation != "reject")
    model.lessons += learned
    for made in set(host.releases.commits) - before:
        release = Release(model.lessons, host.state["steps"], model.line)
        model.releases[made] = release
        model.served = model.served if waits else release
        assert all(lesson(one) in host.text for one in model.lessons)
