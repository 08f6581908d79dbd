"""Reef's backend of one scenario, which in addition carries the playbook in the algorithm state.

It also sees to it that an evaluation cannot stop the scenario: Reef hands out a batch again when a step raises, and a
scorer that raises for a task would do so for ever, at two model calls a run each time.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from reef.core.errors import ReefError
from reef.core.evaluation import EvaluationResult, UpdateCandidate
from reef.evaluation.harness import EVALUATION_SIDES
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.types import TrainingBatch, trajectories

from ace.adapters.reef.attempts import Attempts
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import KEY, Kept, Releases, Start, start
from ace.adapters.reef.report import unevaluated
from ace.adapters.reef.samples import names
from ace.domain.screens import redact

__all__ = ["ACEBackend"]

_log: Final = logging.getLogger(__name__)

_LONGEST: Final = 1000
"""Of a reason: that of a remote worker may hold its whole traceback, and it stands in the commit."""


class ACEBackend(CordisBackend):
    """`proposer` is this scenario's own. `releases` is set once the scenario's surface is known."""

    def __init__(self, *, proposer: ACEProposer, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "propose": proposer})
        self._proposer = proposer
        self._first = tuple(kwargs["seed"])
        self._evaluations = Attempts(Path(kwargs["step_record_dir"]).parent / "evaluations.json")
        self._batch: tuple[str, ...] = ()
        self._number = 1
        self.releases = Releases()

    def prepare_step(
        self, batch: TrainingBatch, state: Mapping[str, Any], scenario_step: int
    ) -> PreparedStep:
        """Prepare a step from the tree and the playbook of the release that is served, and keep the playbook after it."""
        begin = self._start(state)
        self._batch = names(trajectories(batch))
        self._number = int(state.get("steps", 0)) + 1
        self._proposer.begin(begin, self._number, self._record)
        entries = [dict(entry) for entry in begin.entries]
        prepared = super().prepare_step(batch, {**state, "entries": entries}, scenario_step)
        if begin.failure and KEY not in state:
            # Nothing is known yet, and that must not look like a playbook that is known to be empty: the scenario may
            # have been begun from a release of another one.
            return prepared
        kept = Kept(self._proposer.playbook, begin.kept.release, self._proposer.proposed)
        return replace(prepared, state={**prepared.state, KEY: kept.write()})

    def evaluate(
        self, candidate: UpdateCandidate, *, sides: Sequence[str] = EVALUATION_SIDES
    ) -> EvaluationResult:
        """Run the tasks as Reef does. What raises is tried again with the batch, `RETRIES` times; then the result holds
        no score, which neither policy selects, and says why.
        """
        try:
            result = super().evaluate(candidate, sides=sides)
        except Exception as error:
            if self._evaluations.failed(self._batch):
                raise
            result = self._failed(error)
        self._evaluations.over()
        return result

    def _failed(self, error: Exception) -> EvaluationResult:
        reason = redact(f"{type(error).__name__}: {error}")[:_LONGEST]
        _log.error("the evaluation failed, and the candidate is not published: %s", reason)
        unevaluated(self._number, self._record(), reason)
        return EvaluationResult("none", "1", {"evaluation_sides": [], "evaluation_error": reason})

    def _start(self, state: Mapping[str, Any]) -> Start:
        try:
            return start(state, self.releases, self._first)
        except (ReefError, OSError, ValueError) as error:
            # The step must not raise for it, again and again: the proposer passes the batch over and says why.
            entries = tuple(state.get("entries", self._first))
            return Start(
                entries, Kept.read(state) or Kept(), failure=f"the served release cannot be read: {error}"
            )

    def _record(self) -> Path | None:
        progress = self.step_progress
        return None if progress is None or progress.step_record is None else Path(progress.step_record)
