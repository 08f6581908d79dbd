"""The method: one step from what the host brings to what is kept, in the order that a crash cannot break.

    lock → state, markers, check of the unchanged tree → what a killed step left undone is done
    → model calls → check of the candidate → record → append to the log (the step now exists) → snapshot → rules → notes

Whatever fails before the append leaves everything as it was; whatever fails after it is made good at the next start.
"""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from ace.adapters.asking import answer
from ace.adapters.files import lock, replace, write_new
from ace.adapters.log import Last, Log, next_line, next_seq
from ace.adapters.method import Services, StepContext, StepResult
from ace.adapters.models import CallRecorder, encode
from ace.adapters.notes import failure_notes, step_notes
from ace.adapters.rulesfile import RulesFile
from ace.adapters.state import SNAPSHOT, Opened, open_state
from ace.domain.errors import AceError, EndpointError, StepError
from ace.domain.playbook import Playbook, dump
from ace.domain.rules import block, digest_in, lines_outside
from ace.domain.settings import ACESettings
from ace.domain.step import StepOutcome, run_step
from ace.domain.summary import failure_summary, summary
from ace.events.types import Event, RunSkipped, StepRecord

__all__ = ["ACE"]


class ACE:
    """Agentic Context Engineering (arXiv 2510.04618) as a method: see `ace.adapters.method` for the protocol."""

    def __init__(self, settings: ACESettings | None = None) -> None:
        self.settings = settings or ACESettings()

    def step(self, context: StepContext, services: Services) -> StepResult:
        """Learn from the context's traces.

        Raises `StepError` if the step failed as a whole and learned nothing, `EndpointError` if in addition every other
        step would fail the same way, `LockedError` if another step is under way, `MarkerError`, `StateError` or
        `LogError` for what a person has to mend, and `OSError`.
        """
        with _lock(context):
            return _Step(self.settings, context, services).run()

    def settle(self, context: StepContext, services: Services) -> bool:
        """Do what a killed step left undone, without a step, so that log, snapshot and block agree. Returns whether
        there was anything to do. Raises as `step` does.
        """
        with _lock(context):
            return _Step(self.settings, context, services).settle()


def _lock(context: StepContext) -> AbstractContextManager[None]:
    root = (context.history or context.state).parent
    return lock(root / "lock", f"process {os.getpid()} (scenario {context.scenario})")


class _Step:
    """One step under the lock."""

    def __init__(self, settings: ACESettings, context: StepContext, services: Services) -> None:
        self.settings = settings
        self.context = context
        self.services = services
        self.snapshot = context.state / SNAPSHOT
        self.rules = RulesFile(context.tree, context.rules, services.check)
        self.log = None if context.history is None else Log(context.history)

    def run(self) -> StepResult:
        opened, last = self.begin()
        if last is not None and self.context.owner == "folder" and self._was_killed(last):
            self.place(opened, last)
        tree = self.rules.read()
        outcome = self._ask(opened.playbook, tree, self._number(last))
        try:
            record, kept, proposed = self._decide(opened.playbook, outcome, digest_in(tree), last)
            self._append(record, kept)
        except (AceError, OSError) as error:
            with suppress(OSError):
                self._tell_failure(self._number(last), str(error), outcome.events)
            raise
        self._write(record, kept, proposed=proposed)
        rules = self.rules.read()
        return StepResult(
            outcome=record.outcome,
            record=record,
            playbook=kept,
            rules=rules,
            changed=proposed and rules != tree,
            restored=opened.restored,
        )

    def settle(self) -> bool:
        """Do what a killed step left undone; return whether there was anything."""
        before = self.rules.read()
        opened, last = self.begin()
        if last is not None and self.context.owner == "folder":
            self.place(opened, last)
        logged = self.log is not None and opened.restored is not None
        return opened.stale or logged or self.rules.read() != before

    def begin(self) -> tuple[Opened, Last | None]:
        """State, markers and the check of the unchanged tree; then, all three being good, a restored playbook is logged
        and a snapshot that lags behind the log is written.
        """
        last = self.log.last() if self.log is not None else None
        opened = open_state(self.snapshot, last, self.context.owner, self.context.origin)
        self.rules.check_unchanged()
        if self.log is not None and opened.restored is not None:
            served = digest_in(self.rules.read())
            self.log.append(self._record(last, opened.playbook, (opened.restored,), served, folder=""))
            last = self.log.last()
        if opened.stale:
            replace(self.snapshot, dump(opened.playbook))
        if last is not None:
            self._tell_again(last.record)
        return opened, last

    def place(self, opened: Opened, last: Last) -> None:
        self.rules.place(block(opened.playbook, last.record.sections))

    def _was_killed(self, last: Last) -> bool:
        """Whether the block is still the one that the last step began with, though it ended with another."""
        return digest_in(self.rules.read()) == last.record.served != last.record.block

    def _ask(self, playbook: Playbook, tree: bytes, number: int) -> StepOutcome:
        traces = self.context.material.traces
        step = run_step(playbook, traces, self.settings, outside=lines_outside(tree), step=number)
        recorder = CallRecorder(self.services.model(self.settings.model))
        try:
            outcome = answer(step, recorder)
        except EndpointError as error:
            self._tell_failure(number, str(error), ())
            raise
        finally:
            # Also when the step fails or is interrupted: these calls were paid for.
            if recorder.calls:
                write_new(self.context.record / "calls.json", encode(recorder.calls))
        if outcome.failed:
            reason = _no_call_got_through(outcome)
            self._tell_failure(number, reason, outcome.events)
            raise StepError(f"{reason}. Nothing was changed; the same runs can be tried again")
        return outcome

    def _proposes(self, before: Playbook, after: Playbook) -> bool:
        """Whether the tree is to change. A host may have turned down the block that the state holds: unless a bullet
        changed since, it is not proposed again. Any other block in the tree is replaced, also one edited by hand.
        """
        candidate = self.rules.candidate(self._block(after))
        if candidate == self.rules.read():
            return False
        return before.bullets != after.bullets or digest_in(candidate) != self.context.rejected

    def _decide(
        self, before: Playbook, outcome: StepOutcome, served: str, last: Last | None
    ) -> tuple[StepRecord, Playbook, bool]:
        """The step's line, the playbook after it, and whether the tree changes: what the host's check makes of it."""
        proposed = self._proposes(before, outcome.playbook)
        reason = self.rules.refusal(self._block(outcome.playbook)) if proposed else None
        kept = outcome.playbook if reason is None else before
        record = self._record(last, kept, outcome.events, served, reason=reason)
        return record, kept, proposed and reason is None

    def _append(self, record: StepRecord, playbook: Playbook) -> None:
        """Write what the record keeps, then append the line: from here on the step exists."""
        refused = record.outcome == "refused"
        rules = self.rules.read() if refused else self.rules.candidate(self._block(playbook))
        write_new(self.context.record / "harness" / self.context.rules, rules)
        write_new(self.context.record / "state" / SNAPSHOT, dump(playbook))
        if self.log is not None:
            self.log.append(record)

    def _write(self, record: StepRecord, playbook: Playbook, *, proposed: bool) -> None:
        """Write what the next start could make again from the log: snapshot, rules, summary and notes."""
        if record.outcome == "committed":
            replace(self.snapshot, dump(playbook))
        try:
            if proposed:
                self.rules.place(self._block(playbook))
        finally:
            # Also if the rules have to wait: the step is in the log.
            self._tell(summary(record), step_notes(record))

    def _record(
        self,
        last: Last | None,
        playbook: Playbook,
        events: tuple[Event, ...],
        served: str,
        *,
        folder: str | None = None,
        reason: str | None = None,
    ) -> StepRecord:
        sections, block_after = self.settings.sections, served
        if reason is None:
            block_after = digest_in(self.rules.candidate(self._block(playbook)))
        elif last is not None:
            # The block that stands was rendered with the sections of then, and is to be found right with them.
            sections = last.record.sections
        return next_line(
            last,
            playbook,
            events,
            step=self.context.step,
            record=self.context.record.name if folder is None else folder,
            reason=reason,
            sections=sections,
            block=block_after,
            served=served,
        )

    def _number(self, last: Last | None) -> int:
        return next_seq(last) if self.context.step is None else self.context.step

    def _block(self, playbook: Playbook) -> str:
        return block(playbook, self.settings.sections)

    def _tell_failure(self, number: int, reason: str, events: tuple[Event, ...]) -> None:
        self._tell(failure_summary(number, reason, events), failure_notes(number, reason, events))

    def _tell(self, text: str, notes: bytes) -> None:
        _write_told(self.context.output, text, notes)

    def _tell_again(self, record: StepRecord) -> None:
        """Write the last step's summary and notes if it was killed before it had: they follow from its line."""
        folder = self.context.record.parent / record.record
        if record.record and folder.is_dir() and not (folder / "output" / "notes.jsonl").exists():
            _write_told(folder / "output", summary(record), step_notes(record))


def _write_told(folder: Path, text: str, notes: bytes) -> None:
    write_new(folder / "summary.md", text.encode())
    write_new(folder / "notes.jsonl", notes)


def _no_call_got_through(outcome: StepOutcome) -> str:
    reasons = [event.detail for event in outcome.events if isinstance(event, RunSkipped) and event.detail]
    return (
        f"No model call got through, of {outcome.asked}: {reasons[0] if reasons else 'no reason was given'}"
    )
