"""Reef's backend of one scenario, which in addition carries the playbook in the algorithm state, and lets nothing stop
the scenario.

Reef 0.1.3 hands out a batch again when a step raises, without end, and the scenario does nothing else meanwhile.

    may pass     no model call got through, a file could not    raised, so that Reef brings the batch again, `MOST_RETRIES`
                 be written, the folder was in use, the         times; then passed over
                 served release could not be read
    will not     everything else: a marker, a damaged           passed over at once
                 playbook, a bug
    evaluation   a scorer raised                                raised likewise; then the candidate is not published

Of a batch that is passed over, state and tree stay, and the notes name each run. Nor does a step go on from a release that
cannot be read, whoever proposes: that could publish what was rolled back.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from reef.artifact.artifact import ArtifactRef
from reef.core.evaluation import EvaluationResult, SelectionDecision, UpdateCandidate
from reef.evaluation.harness import EVALUATION_SIDES
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.types import TrainingBatch, TrainStepResult, TrajectoryItem, trajectories

from ace.adapters.reef.display import Display, Settled
from ace.adapters.reef.initial_seed import InitialSeed
from ace.adapters.reef.notes import failed_notes, verdict_notes
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import KEY, MethodState, ReleaseError, Releases, Start, start, tree_of
from ace.adapters.reef.retries import Retries
from ace.adapters.reef.rules_entry import Entry, block_of, lessons_in
from ace.adapters.reef.samples import names, read_samples
from ace.adapters.reef.trials import Outcome, Verdict, reason_of, scores_of, was_evaluated
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
        self._book = proposer.book
        self._initial_seed = InitialSeed(self._book.root / "seed.json", kwargs["seed"])
        self._steps = Retries(self._book.root / "attempts.json")
        self._evaluations = Retries(self._book.root / "evaluations.json")
        self._batch: tuple[str, ...] = ()
        self._number = 1
        self._display = Display(self._book)
        self._settled: Settled | None = None
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
            self._book.begin(begin.kept, self._number, self._record)
            prepared = super().prepare_step(batch, begin.state, scenario_step)
            kept = self._book.state
            if prepared.candidate is None:
                kept = replace(kept, trial=kept.trial.passed_by(kept.lessons()))
            prepared = replace(prepared, state={**prepared.state, KEY: kept.write()})
        except Exception as error:
            if isinstance(error, _MAY_PASS) and self._steps.failed(self._batch):
                raise
            prepared = self._passed_over(error, samples, state, begin)
        self._steps.over()
        return prepared

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
        claimed = None
        if begin is not None:
            claimed = self.failed_step_metrics().get("step_record")
            state = {**begin.state, KEY: self._book.state.write()}
        try:
            record = Path(claimed or self._claim_step_dir(self._number))
        except OSError:  # nothing is written there then, and the notes hold the same
            record = self._book.root / "steps" / str(self._number)
        _log.error("the batch is passed over (record %s): %s", record, _told(error))
        notes = failed_notes(self._number, error, record, *read_samples(samples))
        metrics = {
            "steps": self._number,
            "traces": len(samples),
            "step_record": str(record),
            "proposal_notes": notes,
            "skipped": notes["reason"],
        }
        return PreparedStep.skipped(state={**state, "steps": self._number}, metrics=metrics)

    def settle_step(self, prepared: PreparedStep, decision: SelectionDecision) -> TrainStepResult:
        """Settle as Reef does, and keep and tell what became of the candidate. A re-check that puts back what was served before
        rejects what was proposed last. A person's proposal says nothing of the playbook's lessons.
        """
        result = super().settle_step(prepared, decision)
        recheck = bool(prepared.metrics.get("recheck"))
        if "proposal" in prepared.metrics or (recheck and not decision.selected):
            return result
        kept = self._book.state
        if recheck:
            kept = replace(kept, rejected_beside=block_of(result.state["entries"]))
        candidate = self._candidate_from(prepared)
        more, less = map(lessons_in, (candidate.candidate_entries, candidate.current_entries))
        if recheck:
            more, less = less, more
        verdict = Verdict(
            self._number,
            _outcome(decision, recheck=recheck, waits=result.pending),
            reason_of(decision),
            tuple(one for one in more if one not in less),
        )
        trial = kept.trial.settled(verdict, kept.lessons(), lessons_in(result.state["entries"]))
        state = {**result.state, KEY: replace(kept, trial=trial).write()}
        metrics = dict(result.metrics)
        record = metrics.get("step_record")
        if was_evaluated(decision) or result.pending:
            told = verdict_notes(
                verdict, trial, scores_of(decision), None if record is None else Path(record)
            )
            metrics["proposal_notes"] = told.added_to(metrics.get("proposal_notes", {}))
        self._settled = Settled(verdict, Path(record).name if record else "")
        return replace(result, state=state, metrics=metrics)

    def commit_applied(self, state: Mapping[str, Any]) -> None:
        """The step is durable: say in the scenario's folder what is served since."""
        super().commit_applied(state)
        settled, self._settled = self._settled, None
        if settled is not None:
            self._display.settled(settled, state["entries"], MethodState.read(state) or MethodState())

    def _activated(self, release: ArtifactRef) -> None:
        """A release is served from now on: one that was rolled back to or promoted is told as well."""
        self._display.activated(release, self._releases, self._initial_seed.entries())

    @property
    def releases(self) -> Releases:
        """The scenario's releases."""
        return self._releases

    @releases.setter
    def releases(self, releases: Releases) -> None:
        self._releases = releases
        releases.on_activation = self._activated

    def shipped_content_update(
        self, state: Mapping[str, Any], published_tree: Path
    ) -> TrainStepResult | None:
        """Publish what Reef ships anew, in the tree that is served. Reef 0.1.3 takes the tree of the last state: that one may
        wait for a review, or have been rolled back.
        """
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
            self._initial_seed.keep()
        return self._initial_seed.entries()

    def evaluate(
        self, candidate: UpdateCandidate, *, sides: Sequence[str] = EVALUATION_SIDES
    ) -> EvaluationResult:
        """Run the tasks as Reef does. What raises is tried again with the batch, `MOST_RETRIES` times; then the result holds
        no score, which neither policy selects, and says why.
        """
        try:
            result = super().evaluate(candidate, sides=sides)
        except Exception as error:
            if self._evaluations.failed(self._batch):
                raise
            reason = redact(f"{type(error).__name__}: {error}")[:_LONGEST]
            _log.error("the evaluation failed, and the candidate is not published: %s", reason)
            result = EvaluationResult("none", "1", {"evaluation_sides": [], "evaluation_error": reason})
        self._evaluations.over()
        return result

    def _record(self) -> Path | None:
        progress = self.step_progress
        return None if progress is None or progress.step_record is None else Path(progress.step_record)


def _outcome(decision: SelectionDecision, *, recheck: bool, waits: bool) -> Outcome:
    if recheck:
        return "taken back"
    if decision.selected:
        return "waits for review" if waits else "accepted"
    return "not evaluated" if "evaluation_error" in decision.evaluation.metrics else "rejected"


def _told(error: Exception) -> str:
    """The error for the service's log. A bug comes with where it happened: as text, since what logging makes of an
    exception itself is not redacted.
    """
    expected = isinstance(error, AceError | OSError)
    return redact(str(error) if expected else "".join(traceback.format_exception(error)).rstrip())
