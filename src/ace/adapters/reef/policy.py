"""`evaluation.policy: none`: a candidate that Reef admits is published without running a task.

Reef 0.1.3 demands tasks, a scorer and an agent's binary of every deployment, also when nothing runs; here are stand-ins.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Self

from reef.core.evaluation import CandidateEvaluator, EvaluationResult, UpdateCandidate
from reef.core.plugins import PluginConfigError
from reef.evaluation.evaluators import AlwaysSelectMixin, SelectionPlugin
from reef.evaluation.harness import EpisodeScorer
from reef.harness.episodes.run import EpisodeResult

__all__ = ["UNUSED", "NoEvaluation", "NoScorer"]


class NoEvaluation(AlwaysSelectMixin, SelectionPlugin):
    """Selects every candidate; no side of it was evaluated."""

    @classmethod
    def from_config(cls, config: Mapping[str, Any], *, candidate_backend: CandidateEvaluator) -> Self:  # noqa: ARG003
        """Build the plugin. Raises `PluginConfigError` for any configuration."""
        if config:
            raise PluginConfigError("the policy none takes no config")
        return cls()

    def evaluate(self, candidate: UpdateCandidate) -> EvaluationResult:  # noqa: ARG002
        """Measure nothing."""
        return EvaluationResult("none", "1", {"evaluation_sides": []})


class NoScorer(EpisodeScorer):
    """Never asked."""

    def score(self, task: str, result: EpisodeResult) -> float:  # noqa: ARG002
        """Nought; see the class."""
        return 0.0


UNUSED: Mapping[str, Any] = {
    "selection": f"{__name__}:NoEvaluation",
    "evaluate": f"{__name__}:NoScorer",
    "tasks": ["(no task is run)"],
    "binary": sys.executable,  # Any file that can be executed keeps Reef from installing the agent.
}
