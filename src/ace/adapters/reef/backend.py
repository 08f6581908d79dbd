"""Reef's backend of one scenario, which in addition carries the playbook in the algorithm state, and lets nothing stop
the scenario.

Reef hands out a batch again when a step raises, without end. Here a failure that may pass is raised `RETRIES` times for a
batch: no model call got through, a file could not be written, the served release could not be read, a scorer raised.
Then, and at once if the failure is of another kind, the batch is passed over: state and tree stay, and the notes name each
run. Nor does a step go on from a release that cannot be read, whoever proposes: that could publish what was rolled back.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from reef.core.evaluation import EvaluationResult, SelectionDecision, UpdateCandidate
from reef.evaluation.harness import EVALUATION_SIDES
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.types import TrainingBatch, TrainStepResult, TrajectoryItem, trajectories

from ace.adapters.reef.attempts import Attempts
from ace.adapters.reef.begun import BegunWith
from ace.adapters.reef.entries import Entry, block_of
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import KEY, ReleaseError, Releases, Start, start, tree_of
from ace.adapters.reef.report import failure_report, unevaluated
from ace.adapters.reef.samples import names, read_samples
from ace.domain.errors import AceError, EndpointError, LockedError, StepError
from ace.domain.screens import redact

__all__ = ["ACEBackend"]

_log: Final = logging.getLogger(__name__)

_MAY_PASS: Final = (StepError, EndpointError, LockedError, ReleaseError, OSError)

_LONGEST: Final = 1000
"""Of a reason: that of a remote worker may hold its whole traceback, and it stands in the commit."""


class ACEBackend(CordisBackend):
    """`proposer` is this scenario's own. `releases` is set once the scenario's surface is known."""

    def __init__(self, *, proposer: ACEProposer, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "propose": proposer})
        self._proposer = proposer
        self._records = Path(kwargs["step_record_dir"])
        self._begun_with = BegunWith(self._records.parent / "seed.json", kwargs["seed"])
        self._steps = Attempts(self._records.parent / "attempts.json")
        self._evaluations = Attempts(self._records.parent / "evaluations.json")
        self._batch: tuple[str, ...] = ()
        self._number = 1
        self.releases = Releases()

    def prepare_step(
        self, batch: TrainingBatch, state: Mapping[str, Any], scenario_step: int
    ) -> PreparedStep:
        """Prepare a step from the tree and the playbook of the release that is served, and keep the playbook after it.
        Raises what may pass; what does not, and what did not pass in time, becomes a step that passes the batch over.
        """
        samples = trajectories(batch)
        self._batch = names(samples)
        self._number = int(state.get("steps", 0)) + 1
        seed = self._begin_with(state)
        begin: Start | None = None
        try:
            begin = start(state, self.releases, seed)
            prepared = self._prepared(begin, batch, scenario_step)
        except Exception as error:
            if isinstance(error, _MAY_PASS) and self._steps.failed(self._batch):
                raise
            prepared = self._passed_over(error, samples, state, begin)
        self._steps.over()
        return prepared

    def _prepared(self, begin: Start, batch: TrainingBatch, scenario_step: int) -> PreparedStep:
        self._proposer.begin(begin.kept, self._number, self._record)
        prepared = super().prepare_step(batch, begin.state, scenario_step)
        return replace(prepared, state={**prepared.state, KEY: self._proposer.kept.write()})

    def _passed_over(
        self,
        error: Exception,
        samples: tuple[TrajectoryItem, ...],
        state: Mapping[str, Any],
        begin: Start | None,
    ) -> PreparedStep:
        """A step that comes to nothing. If it could not begin, what is kept stays unread: an unread state must not look
        like a playbook that is known to be empty.
        """
        folder = self._folder(begun=begin is not None)
        _log.error("the batch is passed over (record %s): %s", folder, _told(error))
        if begin is not None:
            state = {**begin.state, KEY: self._proposer.kept.write()}
        notes = failure_report(self._number, error, folder, *read_samples(samples))
        metrics = {
            "steps": self._number,
            "traces": len(samples),
            "step_record": str(folder),
            "proposal_notes": notes,
            "skipped": notes["reason"],
        }
        return PreparedStep.skipped(state={**state, "steps": self._number}, metrics=metrics)

    def settle_step(self, prepared: PreparedStep, decision: SelectionDecision) -> TrainStepResult:
        """Settle as Reef does. A re-check that puts back what was served before turns down what was proposed last."""
        result = super().settle_step(prepared, decision)
        if not (prepared.metrics.get("recheck") and decision.selected):
            return result
        kept = replace(self._proposer.kept, instead=block_of(result.state["entries"]))
        return replace(result, state={**result.state, KEY: kept.write()})

    def shipped_content_update(
        self, state: Mapping[str, Any], published_tree: Path
    ) -> TrainStepResult | None:
        """Publish what Reef ships anew, as Reef does it, in the tree that is served: not in one that waits for a review."""
        seed = self._begin_with(state)
        try:
            begin = start(state, self.releases, seed)
            served = self.releases.served()
            entries = begin.state["entries"] if served is None else tree_of(served, self.releases, seed)
        except Exception as error:  # noqa: BLE001 - whatever Reef's storage raises: a scenario must load without it
            _log.error("what Reef ships is not brought up to date: %s", _told(error))
            return None
        brought = {**begin.state, "entries": entries, KEY: begin.kept.write()}
        return super().shipped_content_update(brought, published_tree)

    def _begin_with(self, state: Mapping[str, Any]) -> list[Entry]:
        """What the scenario began with, which is written down before there is anything else to know of it."""
        if KEY not in state:
            self._begun_with.keep()
        return self._begun_with.entries()

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
            result = self._unevaluated(error)
        self._evaluations.over()
        return result

    def _unevaluated(self, error: Exception) -> EvaluationResult:
        reason = redact(f"{type(error).__name__}: {error}")[:_LONGEST]
        _log.error("the evaluation failed, and the candidate is not published: %s", reason)
        unevaluated(self._number, self._record(), reason)
        return EvaluationResult("none", "1", {"evaluation_sides": [], "evaluation_error": reason})

    def _folder(self, *, begun: bool) -> Path:
        """The record's folder of a step that failed, made if Reef had not come so far. If it cannot be made, nothing is
        written there, and the notes hold the same.
        """
        claimed = self.failed_step_metrics().get("step_record") if begun else None
        try:
            return Path(claimed or self._claim_step_dir(self._number))
        except OSError:
            return self._records / str(self._number)

    def _record(self) -> Path | None:
        progress = self.step_progress
        return None if progress is None or progress.step_record is None else Path(progress.step_record)


def _told(error: Exception) -> str:
    """The error for the service's log. A bug comes with where it happened: as text, since what logging makes of an
    exception itself is not redacted.
    """
    expected = isinstance(error, AceError | OSError)
    return redact(str(error) if expected else "".join(traceback.format_exception(error)).rstrip())
