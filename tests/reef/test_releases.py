"""Which tree and playbook a step goes on from, told from what Reef keeps with its releases: no service is needed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.artifact.artifact import encode_artifact_ref
from tests.reef.host import Chain, Host, entry, reference

from ace.adapters.reef.releases import KEY, MethodState, start

SEED = [entry("seed")]
PARENTS = [entry("of the parent")]
ONE = {
    "next_number": 2,
    "bullets": [
        {"id": "ace-00001", "section": "Others", "content": "x", "helpful": 0, "harmful": 0, "step": 1}
    ],
}


def trained(scenario: str, playbook: object = ONE) -> dict[str, Any]:
    """The commit of a step that published."""
    return {
        "operation": "training",
        "scenario": scenario,
        "scenario_step": 1,
        "base_artifact": encode_artifact_ref(reference("seed")),
        "algorithm_state": {"entries": PARENTS, KEY: MethodState(playbook, "seed").write(), "steps": 1},
    }


def fork() -> Chain:
    """A scenario that was begun from a release of `parent`."""
    begun = {
        "operation": "creation",
        "scenario_step": 0,
        "base_artifact": encode_artifact_ref(reference("old")),
    }
    return Chain({"old": trained("parent"), "child": begun})


def rolled_back(target: Mapping[str, Any]) -> Chain:
    """A scenario that was rolled back to the release `target`."""
    back = {"operation": "rollback", "rollback_target_release_id": "target"}
    return Chain({"target": target, "back": back})


def test_a_fork_goes_on_from_its_parent() -> None:
    """With tree and playbook, as long as it has no state of its own."""
    begin = start({"entries": SEED}, fork(), SEED)
    reason = "begun from release old of scenario parent"
    assert (begin.state["entries"], begin.kept) == (
        PARENTS,
        MethodState(ONE, "child", restore_reason=reason, lineage=1),
    )


@pytest.mark.parametrize(("playbook", "bullets"), [(ONE, ONE["bullets"]), (None, [])])
def test_a_rollback_uses_no_id_twice(playbook: object, bullets: object) -> None:
    """The number goes on where the last known playbook was: the log, which says so too, may be lost."""
    state = {"entries": SEED, KEY: MethodState({"next_number": 7, "bullets": []}, "later").write()}
    begin = start(state, rolled_back(trained("s", playbook)), SEED)
    assert begin.kept.playbook == {"next_number": 7, "bullets": bullets}


def test_a_rollback_lowers_no_number() -> None:
    """Where the restored playbook is further, or nothing else is known, it stays as it is."""
    assert start({}, rolled_back(trained("s")), SEED).kept.playbook == ONE
    assert start({}, rolled_back(trained("s", None)), SEED).kept.playbook is None


@pytest.mark.parametrize("value", [None, "x", [], {"playbook": 1, "release": 2, "proposed": None}])
def test_a_state_that_is_no_state_of_ours(value: object) -> None:
    """Is read as far as it is one: what is wrong with a playbook, the method says."""
    kept = MethodState.read({KEY: value})
    assert kept is None or kept == MethodState(1)


def test_a_fork_outlives_a_release_that_cannot_be_read(tmp_path: Path) -> None:
    """Nothing is kept of a step that could not begin: the next one still knows that the scenario is a fork."""
    host = Host(tmp_path / "root", seed=SEED)
    host.backend.releases = host.releases = fork()
    host.releases.broken = True
    for _ in range(3):
        with pytest.raises(Exception, match="cannot be read"):
            host.prepare()
    host.step()
    assert KEY not in host.state
    host.releases.broken = False
    host.step()
    assert host.text.startswith("of the parent")
    assert host.kept["playbook"]["bullets"][0]["content"] == "x"
    assert host.restored() == ["begun from release old of scenario parent"]


def test_a_persons_proposal_may_take_a_forks_first_step(tmp_path: Path) -> None:
    """The parent's tree is there, and the next step says where the playbook is from."""
    host = Host(tmp_path / "root", seed=SEED)
    host.backend.releases = host.releases = fork()
    host.suggest("- Theirs.\n")
    host.step()
    assert [text in host.text for text in ("of the parent", "- Theirs.")] == [True, True]
    host.step()
    assert host.restored() == ["begun from release old of scenario parent"]
    assert [bullet["id"] for bullet in host.kept["playbook"]["bullets"]] == ["ace-00001", "ace-00002"]
