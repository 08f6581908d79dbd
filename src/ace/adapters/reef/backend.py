"""Reef's backend of one scenario, which in addition carries the playbook in the algorithm state, and lets nothing stop
the scenario.

Reef 0.1.3 hands out a batch again when a step raises, without end, and the scenario does nothing else meanwhile.

    may pass     no model call got through, a file could not    raised, so that Reef brings the batch again, `MOST_RETRIES`
                 be written, the folder was in use, the         times; then its runs wait
                 served release could not be read
    will not     everything else: a marker, a damaged           its runs wait at once
                 playbook, a bug
    evaluation   a scorer raised                                raised likewise; then the candidate is not published

Runs that wait lie in the backlog, and the next step reads them (see `unread`). Where that cannot be written either, as on a full
disk, Reef keeps the batch and brings it again until it can; no model is asked meanwhile. State and tree stay as they are, and the
notes name each run. Nor does a step go on from a release that cannot be read, whoever proposes: that could publish what was
rolled back.
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
from reef.core.records_types import AgentRecord
from reef.evaluation.harness import EVALUATION_SIDES
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.cordis_backend.proposals import ProposalInbox
from reef.train.types import TrainingBatch, TrainStepResult, trajectories

from ace.adapters.reef.decisions import Decisions, edit_in, events_of
from ace.adapters.reef.display import Display, Settled
from ace.adapters.reef.host_book import playbook_of
from ace.adapters.reef.inbox import Inbox, WaitingOrder
from ace.adapters.reef.initial_seed import InitialSeed
from ace.adapters.reef.notes import failed_notes, reason_of_failure, unread_notes, verdict_notes
from ace.adapters.reef.numbers import numbers
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import (
    KEY,
    MethodState,
    ReleaseError,
    Releases,
    Start,
    proposal_of,
    start,
    state_of,
    tree_of,
)
from ace.adapters.reef.retries import MOST_RETRIES, Retries
from ace.adapters.reef.rules_entry import FILE, Entry, block_of, lessons_in
from ace.adapters.reef.samples import names, read_samples
from ace.adapters.reef.trials import Outcome, Verdict, reason_of, scores_of, was_evaluated
from ace.adapters.reef.unread import Reading, Records, Unread
from ace.adapters.store.backlog import Backlog
from ace.adapters.store.files import read_bytes
from ace.adapters.store.retention import NO_LIMIT, Keep
from ace.adapters.store.retention import Records as StepRecords
from ace.adapters.store.running import Running, Sign
from ace.adapters.store.snapshot import read_snapshot
from ace.domain.errors import AceError, EndpointError, LockedError, StepError
from ace.domain.orders import Order
from ace.domain.playbook import Playbook
from ace.domain.rules_block import lines_outside
from ace.domain.screens import redact
from ace.method import now

__all__ = ["ACEBackend"]

_log: Final = logging.getLogger(__name__)

_MAY_PASS: Final = (StepError, EndpointError, LockedError, ReleaseError, OSError)

_LONGEST: Final = 1000
"""Of a reason: that of a remote worker may hold its whole traceback, and it is kept in the commit."""


class ACEBackend(CordisBackend):
    """`proposer` is this scenario's own, `records` holds what Reef recorded of it, and `operator_token` is the secret by which an order
    is told; empty: none is taken. `releases` is set once the scenario's surface is known.
    """

    def __init__(
        self,
        *,
        proposer: ACEProposer,
        scenario: str,
        records: Records | None,
        keep_steps: Keep = NO_LIMIT,
        operator_token: str = "",
        **kwargs: Any,
    ) -> None:
        super().__init__(**{**kwargs, "propose": proposer})
        self._book = proposer.book
        self._settings = proposer.method.settings
        self._unread = Unread(scenario, records, Backlog(self._book.root), self._block_in)
        self._blocks: dict[str, str] = {}
        self._orders: list[WaitingOrder] = []
        reefs = super().proposals
        self.inbox = Inbox(
            self._book.root / "proposals" if reefs is None else reefs.directory,
            1 if reefs is None else reefs.max_pending,
            scenario=scenario,
            secret=operator_token,
            look=self._look,
        )
        self._initial_seed = InitialSeed(self._book.root / "seed.json", kwargs["seed"])
        self._steps = Retries(self._book.root / "attempts.json")
        self._evaluations = Retries(self._book.root / "evaluations.json")
        self._batch: tuple[str, ...] = ()
        self._number = 1
        self._display = Display(self._book)
        self._sign = Sign(self._book.cache)
        self._since = ""
        self._records_kept = StepRecords(self._book.root / "steps", keep_steps)
        self._settled: Settled | None = None
        self.releases = Releases()

    def prepare_step(
        self, batch: TrainingBatch, state: Mapping[str, Any], scenario_step: int
    ) -> PreparedStep:
        """Prepare a step from the tree and the playbook of the release that is served, and keep the playbook after it.
        Raises what may pass; what does not, and what did not pass in time, becomes a step whose runs wait.
        """
        samples = trajectories(batch)
        self._batch = names(samples)
        self._number = int(state.get("steps", 0)) + 1
        seed = self._begin_with(state)
        begin: Start | None = None
        reading = Reading(samples)
        failures = self._steps.count(self._batch)
        try:
            if failures > MOST_RETRIES:
                self._unread.see_room()  # or the models would be asked for nothing, time after time
            begin = start(state, self.releases, seed)
            self._book.begin(begin.kept, self._number, self._record)
            self._book.decide(self._decisions(begin))
            reading = self._unread.gather(
                samples,
                done=begin.kept.done,
                ahead=begin.kept.ahead,
                limit=self._settings.max_traces_per_step,
                is_retry=failures > 0,
            )
            self._book.asked_for = reading.asked_for
            self._show("asking the models", len(reading.samples))
            prepared = super().prepare_step(replace(batch, items=reading.samples), begin.state, scenario_step)
            if self._book.result is None:
                self._unread.put_away(reading, f"Reef asked the method nothing ({_instead(prepared)})")
            else:
                self._unread.settle(reading, self._book.result, self._book.delayed, self._book.elsewhere)
            kept = self._kept_after(reading)
            self._leave_orders(prepared)
            if prepared.candidate is None:
                kept = replace(kept, trial=kept.trial.passed_by(kept.lessons()))
            told = numbers(self._book.result, len(self._unread) - len(reading.done))
            prepared = replace(
                prepared,
                state={**prepared.state, KEY: kept.write()},
                metrics={**self._told_of(reading, {**prepared.metrics, **told}), **self._told_orders()},
            )
            if prepared.candidate is None:
                self._sign.hide()
        except Exception as error:
            self._sign.hide()
            others_may_be_why = self._is_bug(error) and bool(reading.taken)
            if others_may_be_why:
                self._unread.tried_in_vain(reading, _told(error).splitlines()[-1])
            if (others_may_be_why or isinstance(error, _MAY_PASS)) and self._steps.failed(self._batch):
                self.inbox.untake()
                raise
            try:
                self._unread.put_away(
                    reading, str(error), is_try=self._is_bug(error) and not others_may_be_why
                )
            except OSError as full:
                self._steps.failed(self._batch)
                self.inbox.untake()
                _log.error("the runs cannot be put away (%s): Reef keeps them", full)
                raise error from None
            if not self._book.is_logged:
                self._refuse_orders(f"the step failed: {reason_of_failure(error)}")
            prepared = self._passed_over(error, reading, state, begin)
        self._steps.over()
        return prepared

    def _is_bug(self, error: Exception) -> bool:
        """Whether this came out of the method's own work on the runs, so that one of them may be why."""
        return self._book.was_asked and not isinstance(error, AceError | OSError)

    def _block_in(self, release: ArtifactRef) -> str:
        """The digest of the block in a release; empty if that cannot be read."""
        if release.release_id not in self._blocks:
            try:
                tree = tree_of(release, self.releases, self._initial_seed.entries())
            except Exception:  # noqa: BLE001 - whatever Reef's storage raises: a run can do without it
                return ""
            self._blocks[release.release_id] = block_of(tree) or ""
        return self._blocks[release.release_id]

    def _kept_after(self, reading: Reading) -> MethodState:
        self._book.state = replace(self._book.state, done=tuple(reading.done), ahead=tuple(reading.ahead))
        return self._book.state

    def _told_of(self, reading: Reading, metrics: Mapping[str, Any]) -> dict[str, Any]:
        """The step's metrics, with what is told of the runs that it did not read."""
        if not reading.told:
            return dict(metrics)
        record = metrics.get("step_record")
        notes = metrics.get("proposal_notes", {"outcome": "not asked"})
        told = unread_notes(self._number, notes, None if record is None else Path(record), reading.told)
        return {**metrics, "proposal_notes": told}

    def late(self, report: AgentRecord) -> None:
        """Take note of a report on calls that Reef has handed out already."""
        self._unread.late(report)

    def _decisions(self, begin: Start) -> Decisions:
        """What is to be decided before the step. A change of the block that a person promoted and that cannot be taken up is said in
        the service's log, and put back.
        """
        kept = begin.kept
        self._orders = self.inbox.take()
        edit: list[Order] = []
        if kept.adopt and not self._book.is_shared:
            state = state_of(kept.adopt, self.releases)
            behind = MethodState.read(state) or MethodState()
            proposal = proposal_of(self.releases.commit(kept.adopt))
            try:
                edit = edit_in(
                    state.get("entries", ()),
                    playbook_of(behind.playbook) or Playbook(),
                    behind.trial,
                    proposal,
                    self._settings,
                )
            except AceError as error:
                _log.warning(
                    "the change of the block in release %s is not taken up: %s", kept.adopt, _told(error)
                )
        return Decisions(kept.trial, self._orders, kept.ordered, edit, self._settings)

    def _told_orders(self) -> dict[str, Any]:
        """What became of the orders that the step took, for the commit: by this whoever gave one knows."""
        if not (self._book.is_logged and self._orders):
            return {}
        return {"orders": {one.id: self._book.refused.get(one.id, "done") for one in self._orders}}

    def _leave_orders(self, prepared: PreparedStep) -> None:
        """What becomes of orders in a step in which the method was not asked: they wait for the next one, or are refused if that
        would go the same way, as with a spent budget of steps.
        """
        if self._book.is_logged:
            return
        if prepared.candidate is None and "proposal" not in prepared.metrics and self._book.result is None:
            self._refuse_orders(str(prepared.metrics.get("skipped")))
        self.inbox.untake()

    def _refuse_orders(self, reason: str) -> None:
        for one in self._orders:
            self.inbox.file(one.id, reason)
        self._orders = []

    def _look(self, order: Order) -> None:
        """See that an order can be done as things are, by the copies in the scenario's folder. Raises `AceError`."""
        if self._book.is_shared:
            raise AceError(
                "the lessons of this scenario are in a shared book: give the command with `--book ADDRESS` in place of `--reef`"
            )
        root = self._book.root
        playbook = read_snapshot(self._book.snapshot) or Playbook()
        lines = lines_outside(read_bytes(root / FILE) or b"")
        events_of(order, playbook, lines, self._settings, 0)

    @property
    def proposals(self) -> ProposalInbox:
        """The inbox of this scenario."""
        return self.inbox

    def _passed_over(
        self, error: Exception, reading: Reading, state: Mapping[str, Any], begin: Start | None
    ) -> PreparedStep:
        """A step that comes to nothing. If it could not begin, what is kept stays unread: an unread state must not look
        like a playbook that is known to be empty.
        """
        claimed = None
        if begin is not None:
            claimed = self.failed_step_metrics().get("step_record")
            state = {**begin.state, KEY: self._kept_after(reading).write()}
        try:
            record = Path(claimed or self._claim_step_dir(self._number))
        except OSError:  # nothing is written there then, and the notes hold the same
            record = self._book.root / "steps" / str(self._number)
        _log.error("the runs of the step wait (record %s): %s", record, _told(error))
        notes = failed_notes(self._number, error, record, read_samples(reading.brought)[1])
        metrics = {
            "steps": self._number,
            "traces": len(reading.brought),
            "step_record": str(record),
            "proposal_notes": notes,
            "skipped": notes["reason"],
            **numbers(None, len(self._unread) - len(reading.done)),
        }
        return PreparedStep.skipped(
            state={**state, "steps": self._number}, metrics=self._told_of(reading, metrics)
        )

    def settle_step(self, prepared: PreparedStep, decision: SelectionDecision) -> TrainStepResult:
        """Settle as Reef does, and keep and tell what became of the candidate. A re-check that puts back what was served before
        rejects what was proposed last. A person's proposal says nothing of the playbook's lessons.
        """
        result = super().settle_step(prepared, decision)
        self._sign.hide()
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
        """The step is durable: say in the scenario's folder what is served since, and let the backlog forget what was read."""
        super().commit_applied(state)
        kept = MethodState.read(state) or MethodState()
        self._unread.committed(kept.done)
        if gone := self._records_kept.prune():
            _log.info("%d records of steps are no longer kept, %s to %s", len(gone), gone[0], gone[-1])
        if self._book.is_logged:
            for one in self._orders:
                self.inbox.file(one.id, self._book.refused.get(one.id))
        self._orders = []
        settled, self._settled = self._settled, None
        if settled is not None:
            self._display.settled(settled, state["entries"], kept)

    def abort_step(self, prepared: PreparedStep) -> None:
        """End a step whose evaluation failed, as Reef does."""
        self._sign.hide()
        super().abort_step(prepared)

    def _show(self, phase: str, runs: int) -> None:
        """Let people see what goes on."""
        self._since = self._since if self._sign.is_shown else now()
        self._sign.show(Running(self._number, self._since, runs, phase))

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
        """Publish again what Reef ships, in the tree that is served. Reef 0.1.3 takes the tree of the last state: that one may
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
        self._show("evaluating", len(self._batch))
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


def _instead(prepared: PreparedStep) -> str:
    """What a step was about in which Reef asked the method nothing."""
    if "proposal" in prepared.metrics:
        return "somebody's proposal took the step"
    return (
        "it was a re-check" if prepared.metrics.get("recheck") else str(prepared.metrics.get("skipped", ""))
    )


def _told(error: Exception) -> str:
    """The error for the service's log. A bug comes with where it happened: as text, since what logging makes of an
    exception itself is not redacted.
    """
    expected = isinstance(error, AceError | OSError)
    return redact(str(error) if expected else "".join(traceback.format_exception(error)).rstrip())
