"""An evaluation that raises, without a service: tried again three times, then the candidate is not published."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.evaluation import CandidateSelector, EvaluationResult, UpdateCandidate
from reef.evaluation.harness import FloorPlugin, ScoreComparisonPlugin
from reef.harness.adapters import get_adapter
from reef.train.cordis_backend.backend import CordisBackend

from ace.adapters.ace import ACE
from ace.adapters.reef.backend import ACEBackend
from ace.adapters.reef.proposer import ACEProposer, Place

CANDIDATE = UpdateCandidate("c")
SCORED = EvaluationResult("e", "1", {"candidate_scores": (1.0,), "current_scores": (0.0,)})


def raising(_: CordisBackend, candidate: UpdateCandidate, *, sides: Sequence[str]) -> EvaluationResult:
    """An evaluation whose scorer raises."""
    raise ValueError(f"no answer for {candidate.candidate_id} with {len(sides)} sides, sk-{'a1B2' * 6}")


@pytest.fixture
def backend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ACEBackend:
    """A backend without Reef's own parts."""
    monkeypatch.setattr(CordisBackend, "__init__", lambda *_, **__: None)
    monkeypatch.setattr(CordisBackend, "step_progress", None)
    monkeypatch.setattr(CordisBackend, "evaluate", raising)
    proposer = ACEProposer(ACE()).at(Place("s", tmp_path, get_adapter("pi")))
    return ACEBackend(proposer=proposer, seed=[], step_record_dir=tmp_path / "steps")


def exhausted(backend: ACEBackend) -> EvaluationResult:
    """The result, after three tries that raised."""
    for _ in range(3):
        with pytest.raises(ValueError, match="no answer for c"):
            backend.evaluate(CANDIDATE)
    return backend.evaluate(CANDIDATE)


@pytest.mark.parametrize("policy", [FloorPlugin, ScoreComparisonPlugin])
def test_what_raises_again_and_again_is_not_selected(
    backend: ACEBackend, policy: type[FloorPlugin | ScoreComparisonPlugin]
) -> None:
    """By neither policy; the metrics of the commit say why, without a secret."""
    result = exhausted(backend)
    chooser: CandidateSelector = policy(backend)
    assert chooser.decide(CANDIDATE, result).selected is False
    assert "ValueError: no answer for c" in result.metrics["evaluation_error"]
    assert "a1B2" not in result.metrics["evaluation_error"]


def test_the_next_failure_is_counted_anew(backend: ACEBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an evaluation that was given up, and after one that succeeded."""
    exhausted(backend)
    with monkeypatch.context() as well:
        with pytest.raises(ValueError, match="no answer"):
            backend.evaluate(CANDIDATE)
        well.setattr(CordisBackend, "evaluate", lambda *_, **__: SCORED)
        assert backend.evaluate(CANDIDATE) is SCORED
    exhausted(backend)


def test_a_count_that_cannot_be_written_blocks_nothing(backend: ACEBackend, tmp_path: Path) -> None:
    """It is in memory as well."""
    (tmp_path / "evaluations.json").mkdir()
    assert "evaluation_error" in exhausted(backend).metrics
