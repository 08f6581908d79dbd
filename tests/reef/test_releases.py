"""Which tree and playbook a step goes on from, told from what Reef keeps with its releases: no service is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.artifact.artifact import ArtifactRef, encode_artifact_ref
from reef.core.batches import TrainingBatch
from reef.core.errors import ReefError
from reef.harness.adapters import get_adapter
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend

from ace.adapters.ace import ACE
from ace.adapters.reef.backend import ACEBackend
from ace.adapters.reef.proposer import ACEProposer, Place
from ace.adapters.reef.releases import KEY, Kept, Releases, start

SEED = [{"id": "rules", "name": "rules", "config": {"text": "seed"}}]
PARENTS = [{"id": "rules", "name": "rules", "config": {"text": "of the parent"}}]
ONE = {
    "next_number": 2,
    "bullets": [
        {"id": "ace-00001", "section": "Others", "content": "x", "helpful": 0, "harmful": 0, "step": 1}
    ],
}


def reference(name: str) -> ArtifactRef:
    """A release of that name."""
    return ArtifactRef(release_id=name, content_id=f"content:{name}", parent_release_id=None)


class Fixed(Releases):
    """Releases whose commits are given; the first of them is served."""

    def __init__(self, **commits: Mapping[str, Any]) -> None:
        super().__init__()
        self.commits = commits
        self.broken = False

    def served(self) -> ArtifactRef | None:
        """The first, unless it cannot be read."""
        if self.broken:
            raise ReefError("gone")
        return reference(next(iter(self.commits)))

    def commit(self, release: ArtifactRef | str) -> Mapping[str, Any]:
        """What is given."""
        return self.commits.get(release if isinstance(release, str) else release.release_id, {})


def trained(scenario: str, playbook: object = ONE) -> dict[str, Any]:
    """The commit of a step that published."""
    return {
        "operation": "training",
        "scenario": scenario,
        "scenario_step": 1,
        "base_artifact": encode_artifact_ref(reference("seed")),
        "algorithm_state": {"entries": PARENTS, KEY: Kept(playbook, "seed").write()},
    }


def fork() -> Fixed:
    """A scenario that was begun from a release of `parent`."""
    begun = {
        "operation": "creation",
        "scenario_step": 0,
        "base_artifact": encode_artifact_ref(reference("old")),
    }
    return Fixed(child=begun, old=trained("parent"))


def rolled_back(**commits: Mapping[str, Any]) -> Fixed:
    """A scenario that was rolled back to the release `target`."""
    return Fixed(back={"operation": "rollback", "rollback_target_release_id": "target"}, **commits)


def test_a_fork_goes_on_from_its_parent() -> None:
    """With tree and playbook, as long as it has no state of its own."""
    begin = start({"entries": SEED}, fork(), SEED)
    assert (begin.entries, begin.kept) == (tuple(PARENTS), Kept(ONE, "child"))
    assert begin.origin == "begun from release old of scenario parent"


@pytest.mark.parametrize(("playbook", "bullets"), [(ONE, ONE["bullets"]), (None, [])])
def test_a_rollback_uses_no_id_twice(playbook: object, bullets: object) -> None:
    """The number goes on where the last known playbook was: the log, which says so too, may be lost."""
    state = {"entries": SEED, KEY: Kept({"next_number": 7, "bullets": []}, "later").write()}
    begin = start(state, rolled_back(target=trained("s", playbook)), SEED)
    assert begin.kept.playbook == {"next_number": 7, "bullets": bullets}


@pytest.mark.parametrize(("release", "rejected"), [("child", "digest"), ("older", "")])
def test_what_was_proposed_is_rejected_while_its_release_is_served(release: str, rejected: str) -> None:
    """A new release means that the proposal was published, or that something else came of it."""
    state = {"entries": SEED, KEY: Kept(ONE, release, "digest").write()}
    assert start(state, Fixed(child=trained("s")), SEED).kept == Kept(ONE, "child", rejected)


def test_a_rollback_lowers_no_number() -> None:
    """Where the restored playbook is further, or nothing else is known, it stays as it is."""
    assert start({}, rolled_back(target=trained("s")), SEED).kept.playbook == ONE
    assert start({}, rolled_back(target=trained("s", None)), SEED).kept.playbook is None


def test_a_fork_outlives_a_release_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is kept of a step that could not begin: the next one still knows that the scenario is a fork."""
    monkeypatch.setattr(CordisBackend, "__init__", lambda *_, **__: None)
    monkeypatch.setattr(CordisBackend, "prepare_step", _skipping)
    place = Place("s", tmp_path, get_adapter("pi"))
    backend = ACEBackend(proposer=ACEProposer(ACE()).at(place), seed=SEED, step_record_dir=tmp_path / "steps")
    backend.releases = releases = fork()
    releases.broken = True
    batch = TrainingBatch(batch_id="b", items=())
    state = dict(backend.prepare_step(batch, {"entries": SEED}, 1).state)
    assert KEY not in state
    releases.broken = False
    state = dict(backend.prepare_step(batch, state, 2).state)
    assert Kept.read(state) == Kept(ONE, "child")
    releases.broken = True
    state = dict(backend.prepare_step(batch, state, 3).state)
    assert Kept.read(state) == Kept(ONE, "child")


def _skipping(_: CordisBackend, batch: TrainingBatch, state: Mapping[str, Any], step: int) -> PreparedStep:
    del batch
    return PreparedStep.skipped(
        state={**state, "steps": step}, metrics={"skipped": "the proposer is not asked here"}
    )
