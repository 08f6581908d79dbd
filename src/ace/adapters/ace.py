"""The method: one step from what the host brings to what is kept, in the order that a crash cannot break.

    lock → state, markers, check of the unchanged tree → what a killed step left undone is done
    → model calls → check of the candidate → record → append to the log (the step now exists) → snapshot → rules → notes

Whatever fails before the append leaves everything as it was; whatever fails after it is made good at the next start.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ace.adapters.asking import Guarded, answer, name_of
from ace.adapters.files import lock, replace, write_new
from ace.adapters.index import Index, opened
from ace.adapters.log import Last, Log, next_line, next_seq
from ace.adapters.method import Model, Screens, Services, StepContext, StepResult
from ace.adapters.models import CallRecorder, encode
from ace.adapters.models.cut import cut_prompts
from ace.adapters.notes import failure_notes, step_notes
from ace.adapters.rulesfiles import Contents, RulesFiles
from ace.adapters.state import SNAPSHOT, Opened, open_state
from ace.domain.errors import AceError, EndpointError, SettingsError, StepError
from ace.domain.playbook import Playbook, dump
from ace.domain.rules import block, digest_in
from ace.domain.settings import ACESettings
from ace.domain.step import StepOutcome, run_step
from ace.domain.summary import failure_summary, summary
from ace.domain.trace import Trace
from ace.domain.transcript import safe
from ace.domain.unread import TRIES, Past, identity
from ace.events.types import Event, RunRead, RunSkipped, StepRecord

__all__ = ["ACE", "now"]


_CALLS = "calls.json"
_TREE = "harness"
_STATE = "state"
_OF_A_RECORD = (_CALLS, _TREE, _STATE, "output")
"""What a step writes into the folder of its record."""


class ACE:
    """Agentic Context Engineering (arXiv 2510.04618) as a method: see `ace.adapters.method` for the protocol."""

    def __init__(self, settings: ACESettings | None = None) -> None:
        """Raises `SettingsError` for settings that are none: a mapping is made into some by `parse_settings`."""
        given: object = ACESettings() if settings is None else settings
        if not isinstance(given, ACESettings):
            raise SettingsError(f"the settings must be ACESettings, not a {type(given).__name__}")
        self.settings = given

    def step(self, context: StepContext, services: Services) -> StepResult:
        """Learn from the context's traces.

        Raises `StepError` if the step failed as a whole and learned nothing, `EndpointError` if in addition every other
        step would fail the same way, `LockedError` if another step is under way, `MarkerError`, `StateError` or
        `LogError` for what a person has to mend, and `OSError`. When the endpoint fails for good after some call got through,
        what got through is kept, and the result says why it stopped.
        """
        with _lock(context):
            return _Step(self.settings, context, services).run()

    def settle(self, context: StepContext, services: Services) -> bool:
        """Do what a killed step left undone, without a step, so that log, snapshot and block agree. Returns whether
        there was anything to do. Raises as `step` does.
        """
        with _lock(context):
            return _Step(self.settings, context, services).settle()


def now() -> str:
    """This moment in UTC, as RFC 3339 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _lock(context: StepContext) -> AbstractContextManager[None]:
    root = (context.history or context.state).parent
    return lock(root / "lock", f"process {os.getpid()} (scenario {context.scenario})")


@contextmanager
def _index(context: StepContext, log: Log | None) -> Iterator[Index | None]:
    """What the log says of runs and texts; None where the host keeps no log."""
    if log is None or context.history is None:
        yield None
        return
    with opened(log, context.history.parent / "cache") as index:
        yield index


class _Asked(msgspec.Struct, frozen=True):
    """What came of the calls: the step's outcome, the record of the calls, and what is to be said of them."""

    outcome: StepOutcome
    calls: bytes
    remarks: tuple[str, ...]


class _Step:
    """One step under the lock."""

    def __init__(self, settings: ACESettings, context: StepContext, services: Services) -> None:
        self.settings = settings
        self.context = context
        self.services = services
        self.snapshot = context.state / SNAPSHOT
        self.rules = RulesFiles(
            {context.rules: context.tree / context.rules, **context.copies}, services.check
        )
        self.log = None if context.history is None else Log(context.history)

    def run(self) -> StepResult:
        self._see_no_record()
        opened, last = self.begin()
        if last is not None and self.context.owner == "folder" and self._was_killed(last):
            self.place(opened, last)
        tree = self.rules.read()
        with _index(self.context, self.log) as index:
            asked = self._ask(opened.playbook, tree, self._number(last), index)
        outcome = asked.outcome
        try:
            kept, reason, proposed = self._decide(opened.playbook, outcome)
            records = self._write_record(asked.calls, kept, refused=reason is not None)
            record = self._record(
                last, kept, outcome.events, self.rules.digest(tree), reason=reason, records=records
            )
            if self.log is not None:
                self.log.append(record)  # from here on the step exists
        except (AceError, OSError) as error:
            with suppress(OSError):
                self._tell_failure(self._number(last), str(error), outcome.events)
            raise
        self._write(record, kept, proposed=proposed, remarks=asked.remarks)
        rules = self.rules.read()
        return StepResult(
            outcome=record.outcome,
            record=record,
            playbook=kept,
            rules=self.rules.first(rules),
            changed=proposed and rules != tree,
            restored=opened.restored,
            screened=opened.screened,
            remarks=asked.remarks,
            stopped=outcome.stopped,
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
            served = self.rules.digest(self.rules.read())
            events: tuple[Event, ...] = (opened.restored, *opened.screened)
            self.log.append(self._record(last, opened.playbook, events, served, folder=""))
            last = self.log.last()
        if opened.stale:
            replace(self.snapshot, dump(opened.playbook))
        if last is not None:
            self._tell_again(last.record)
        return opened, last

    def place(self, opened: Opened, last: Last) -> None:
        self.rules.place(block(opened.playbook, last.record.sections))

    def _see_no_record(self) -> None:
        """Raises `StepError` if the step's folder holds the record of another step: that one is not overwritten."""
        taken = [name for name in _OF_A_RECORD if (self.context.record / name).exists()]
        if taken:
            raise StepError(
                f"{self.context.record / taken[0]} is there already, from another step: name a new folder for the record"
            )

    def _was_killed(self, last: Last) -> bool:
        """Whether a block is still the one that the last step began with, though it ended with another."""
        blocks = {digest_in(data) for data in self.rules.read().values()}
        return last.record.served != last.record.block and last.record.served in blocks

    def _ask(self, playbook: Playbook, tree: Contents, number: int, index: Index | None) -> _Asked:
        traces = self.context.material.traces
        step = run_step(
            playbook,
            traces,
            self.settings,
            outside=self.rules.outside(tree),
            step=number,
            pasts=[self._past(trace, index) for trace in traces],
            withdrawn=frozenset() if index is None else index.withdrawn(),
            screen=self.services.screen if isinstance(self.services, Screens) else None,
            patience=self.context.patience,
        )
        model = self._model()
        recorder = CallRecorder(Guarded(model))
        calls = b""
        try:
            outcome = answer(step, recorder)
        finally:
            # Also when the step fails or is interrupted: these calls were paid for.
            if recorder.calls:
                calls = encode(recorder.calls)
                write_new(self.context.record / _CALLS, calls)
        if index is not None:
            self._remember(outcome, index, name_of(model, self.settings.model))
        if outcome.failed:
            self._fail(outcome, number)
        return _Asked(outcome, calls, tuple(cut_prompts(recorder.calls)))

    def _model(self) -> Model:
        """The model that the settings name. Raises `EndpointError` if the host gives none, however it says so."""
        try:
            return self.services.model(self.settings.model)
        except AceError:
            raise
        except Exception as error:  # noqa: BLE001 - a host may raise anything
            told = safe(f"the host gives no model {self.settings.model} ({type(error).__name__}: {error})")
            raise EndpointError(told) from None

    def _past(self, trace: Trace, index: Index | None) -> Past:
        """What the step is to know of what was made of the run before. A host decides what it gives again: of a run that it
        brings anew, only what is left to be done counts, and that only if its tags are in the playbook that the host brings.
        """
        if index is None or self.context.again:
            return Past()
        past = index.past(trace)
        if self.context.owner == "folder" or past.unusable >= TRIES:
            return past
        if past.pending is not None and past.pending.of > index.restored:
            return past
        return Past(unusable=past.unusable)

    def _remember(self, outcome: StepOutcome, index: Index, model: str) -> None:
        """Note which runs were tried in vain, so that others come before them the next time."""
        for failed in outcome.failed_calls:
            index.remember(failed, time=self._now(), model=model)
        read = {
            (event.trace, event.task_digest)
            for event in outcome.events
            if isinstance(event, RunRead) and event.curation == "used"
        }
        for trace in self.context.material.traces:
            if identity(trace) in read:
                index.forget(trace)

    def _fail(self, outcome: StepOutcome, number: int) -> None:
        """No call got through: the step fails as a whole, and so would the next one, if every call fails like that."""
        if outcome.stopped is not None and outcome.stopped.lasting:
            self._tell_failure(number, outcome.stopped.reason, outcome.events)
            raise EndpointError(outcome.stopped.reason)
        reason = _no_call_got_through(outcome)
        self._tell_failure(number, reason, outcome.events)
        again = (
            ""
            if all(failed.too_long for failed in outcome.failed_calls)
            else "; the same runs can be tried again"
        )
        raise StepError(f"{reason}. Nothing was changed{again}")

    def _proposes(self, before: Playbook, after: Playbook) -> bool:
        """Whether the tree is to change. A host may have turned down the block that the state holds: unless a bullet
        changed since, it is not proposed again. Any other block in the tree is replaced, also one edited by hand.
        """
        candidate = self.rules.candidate(self._block(after))
        if candidate == self.rules.read():
            return False
        return before.bullets != after.bullets or self.rules.digest(candidate) != self.context.rejected

    def _decide(self, before: Playbook, outcome: StepOutcome) -> tuple[Playbook, str | None, bool]:
        """The playbook after the step, why the host's check refused it, if it did, and whether the tree changes."""
        proposed = self._proposes(before, outcome.playbook)
        reason = self.rules.refusal(self._block(outcome.playbook)) if proposed else None
        return outcome.playbook if reason is None else before, reason, proposed and reason is None

    def _write_record(self, calls: bytes, playbook: Playbook, *, refused: bool) -> dict[str, str]:
        """Write what the record keeps of the step; returns the digests of all that it holds by then."""
        rules = self.rules.read() if refused else self.rules.candidate(self._block(playbook))
        held = {f"{_TREE}/{name}": data for name, data in rules.items()}
        held[f"{_STATE}/{SNAPSHOT}"] = dump(playbook)
        for name, data in held.items():
            write_new(self.context.record / name, data)
        if calls:
            held = {_CALLS: calls, **held}
        return {name: hashlib.sha256(data).hexdigest() for name, data in held.items()}

    def _write(
        self, record: StepRecord, playbook: Playbook, *, proposed: bool, remarks: tuple[str, ...]
    ) -> None:
        """Write what the next start could make again from the log: snapshot, rules, summary and notes."""
        if record.outcome == "committed":
            replace(self.snapshot, dump(playbook))
        try:
            if proposed:
                self.rules.place(self._block(playbook))
        finally:
            # Also if the rules have to wait: the step is in the log.
            self._tell(summary(record, remarks), step_notes(record, remarks))

    def _record(
        self,
        last: Last | None,
        playbook: Playbook,
        events: tuple[Event, ...],
        served: str,
        *,
        folder: str | None = None,
        reason: str | None = None,
        records: dict[str, str] | None = None,
    ) -> StepRecord:
        sections, block_after = self.settings.sections, served
        if reason is None:
            block_after = self.rules.digest(self.rules.candidate(self._block(playbook)))
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
            time=self._now(),
            records=records,
        )

    def _now(self) -> str:
        return now() if self.context.time is None else self.context.time

    def _number(self, last: Last | None) -> int:
        return next_seq(last) if self.context.step is None else self.context.step

    def _block(self, playbook: Playbook) -> str:
        return block(playbook, self.settings.sections)

    def _tell_failure(self, number: int, reason: str, events: tuple[Event, ...]) -> None:
        self._tell(failure_summary(number, reason, events), failure_notes(number, reason, events))

    def _tell(self, text: str, notes: bytes) -> None:
        _write_told(self.context.output, text, notes)

    def _tell_again(self, record: StepRecord) -> None:
        """Write the last step's summary and notes if it was killed before it had: they follow from its line. A log can come
        from anywhere, and so can a link in place of the record: nothing is written but beside this step's record.
        """
        folder = self.context.record.parent / record.record
        output = folder / "output"
        linked = any(path.is_symlink() for path in (folder, output, output / "summary.md"))
        if (
            record.record != folder.name
            or linked
            or not folder.is_dir()
            or os.path.lexists(output / "notes.jsonl")
        ):
            return
        _write_told(output, summary(record), step_notes(record))


def _write_told(folder: Path, text: str, notes: bytes) -> None:
    write_new(folder / "summary.md", text.encode())
    write_new(folder / "notes.jsonl", notes)


def _no_call_got_through(outcome: StepOutcome) -> str:
    reasons = [event.detail for event in outcome.events if isinstance(event, RunSkipped) and event.detail]
    return (
        f"No model call got through, of {outcome.asked}: {reasons[0] if reasons else 'no reason was given'}"
    )
