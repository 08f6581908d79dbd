"""What lies in Reef's state and in a scenario's folder goes on being read as 0.1.0 wrote it, and is written so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.evaluation import UpdateCandidate
from reef.harness.episodes.model_binding import ModelBindingError
from reef.train.cordis_backend.backend import CordisBackend
from tests.reef.host import FIRST, SECOND, Host, entry, raising
from tests.reef.upstream import curation

from ace.adapters.reef.releases import KEY, MethodState

STATES: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parent / "data" / "states-0.1.0.json").read_bytes()
)
"""Reef's states. `rejected`: after the second proposal was rejected. `restored`: after a rollback, and a step that a person's
proposal took, so that the log does not know of the rollback yet.
"""

SEED_FILE = b'[{"id": "rules", "name": "rules", "config": {"text": "# Rules\\n"}}]'

THREE_FAILURES = b'{"batch":"82f3e9c695dc6b8d1b11818d5701919e286de8d47f7c3eb3100c485f79e57828","failures":3}'
"""Of the batch with the one run `r1`."""


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A scenario with a folder, before any step."""
    (tmp_path / "root").mkdir()
    return Host(tmp_path / "root", seed=(entry("# The seed of today\n"),))


@pytest.mark.parametrize("name", STATES)
def test_a_state_is_written_as_it_was_read(name: str) -> None:
    """To the key, whatever its attributes are called by now."""
    kept = MethodState.read(STATES[name])
    assert kept is not None
    assert json.dumps(kept.write()) == json.dumps(STATES[name][KEY])


@given(
    st.builds(
        MethodState,
        playbook=st.none() | st.dictionaries(st.text(), st.integers()),
        release=st.none() | st.text(),
        proposed=st.text(),
        rejected_beside=st.none() | st.text(),
        restore_reason=st.text(),
        lineage=st.integers(),
    )
)
def test_any_state_comes_back(kept: MethodState) -> None:
    """Through Reef's JSON."""
    assert MethodState.read(json.loads(json.dumps({KEY: kept.write()}))) == kept


def test_a_block_that_was_rejected_is_not_proposed_again(host: Host) -> None:
    """`proposed` and `instead` say so; a step that changes a bullet proposes it with that change."""
    host.state = STATES["rejected"]
    host.curator = lambda _: curation()
    assert host.step()["skipped"] == "no proposal"
    host.curator = lambda _: curation("A third one.")
    host.step()
    assert [text in host.text for text in (FIRST, SECOND, "[ace-00003]")] == [True, True, True]


def test_a_restored_playbook_says_where_it_is_from(host: Host) -> None:
    """`origin` says so until the log does; `line` counts on, and no id is used twice."""
    host.state = STATES["restored"]
    host.curator = lambda _: curation(SECOND)
    host.step()
    assert host.restored() == ["rolled back to release release-1"]
    assert (host.kept["origin"], host.kept["line"]) == ("", 1)
    assert [bullet["id"] for bullet in host.kept["playbook"]["bullets"]] == ["ace-00001", "ace-00003"]
    host.roll_back("seed")
    host.step()
    assert host.kept["line"] == 2


def test_the_release_of_a_state_tells_which_rollbacks_count(host: Host) -> None:
    """`release` is the one that a rollback made: it is not followed a second time."""
    host.state = STATES["restored"]
    for _ in range(2):
        host.releases.add(operation="training", algorithm_state=STATES["rejected"])
    assert host.roll_back("release-1") == host.state[KEY]["release"]
    host.step()
    assert host.kept["line"] == 1


def test_a_rollback_to_the_beginning_reads_its_seed(host: Host) -> None:
    """From `seed.json`, in which it is written as before."""
    (host.root / "seed.json").write_bytes(SEED_FILE)
    host.step()
    host.roll_back("seed")
    host.step()
    assert host.text.startswith("# Rules\n")
    other = Host(host.root.parent / "other")
    other.step()
    assert (other.root / "seed.json").read_bytes() == SEED_FILE


def test_a_batch_that_failed_three_times_is_passed_over(host: Host) -> None:
    """`attempts.json` counts, across a restart and an update."""
    (host.root / "attempts.json").write_bytes(THREE_FAILURES)
    host.reflector = raising(ModelBindingError("overloaded", status=503))
    assert host.step()["proposal_notes"]["waiting"] == ["r1"]
    assert not (host.root / "attempts.json").exists()
    for _ in range(3):
        with pytest.raises(Exception, match="overloaded"):
            host.prepare()
    assert (host.root / "attempts.json").read_bytes() == THREE_FAILURES


def test_an_evaluation_that_failed_three_times_is_given_up(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`evaluations.json` counts likewise."""
    host.prepare()
    (host.root / "evaluations.json").write_bytes(THREE_FAILURES)
    monkeypatch.setattr(CordisBackend, "evaluate", lambda *_, **__: 1 / 0)
    result = host.backend.evaluate(UpdateCandidate("c"))
    assert result.metrics["evaluation_error"] == "ZeroDivisionError: division by zero"
