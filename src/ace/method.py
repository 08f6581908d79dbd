"""The method: one step from what a book holds to what it is to hold, in the order that a crash cannot break.

    hold → state, markers, check of the unchanged tree → what a killed step left undone is done
    → model calls → check of the candidate → record → append to the log (the step now exists) → snapshot → rules → notes

Whatever fails before the append leaves everything as it was; whatever fails after it is made good at the next start. A book
with many writers may say at the append that another step came first. Then the step is decided again on what that one left,
from the replies that it has, and checked and appended again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from typing import Final, NoReturn

import msgspec

from ace.adapters.models import CallRecorder, RecordedCall, encode
from ace.adapters.models.asking import Guarded, drive, name_of
from ace.adapters.models.cut import cut_prompts
from ace.adapters.models.prompts import instructions
from ace.adapters.store.notes import failure_notes, step_notes
from ace.adapters.store.snapshot import SNAPSHOT
from ace.adapters.store.step_record import CALLS, NOTES, SUMMARY
from ace.domain.chain import LogTail, next_line, next_seq
from ace.domain.errors import AceError, EndpointError, SeqTakenError, SettingsError, StepError
from ace.domain.opening import OpenState
from ace.domain.playbook import Playbook, dump, fold
from ace.domain.rules_block import Candidate, Rules, block
from ace.domain.screens import safe_excerpt
from ace.domain.settings import ACESettings
from ace.domain.step import StepOutcome, decide_again, run_step
from ace.domain.summary import failure_summary, plural, summary
from ace.domain.transcript import sanitize
from ace.domain.unread import Past, identity
from ace.domain.waiting import accepted_digest, shown
from ace.events.types import Event, RunRead, RunSkipped, StepRecord
from ace.observing import log_call, log_failure, log_step
from ace.ports import NO_REVIEW, Book, Model, Screens, Services, StepContext, StepResult, Usage

__all__ = ["ACE", "Check", "admitted", "now", "place_block"]

type Check = Callable[[Mapping[str, bytes]], str | None]
"""Why the host refuses the rules files, by name, or None."""

_TRIES: Final = 5
"""How often a candidate is made again because a file was saved meanwhile."""

_TREE: Final = "harness"
_STATE: Final = "state"


class ACE:
    """Agentic Context Engineering (arXiv 2510.04618) as a method: see `ace.ports` for the protocol."""

    def __init__(self, settings: ACESettings | None = None, *, log_events: bool = False) -> None:
        """With `log_events`, each event of a step that is in the log, each model call, and what has no event goes through the
        process's own structlog, too; events hold excerpts of runs.

        Raises `SettingsError` for settings that are none: a mapping is made into some by `parse_settings`.
        """
        given: object = ACESettings() if settings is None else settings
        if not isinstance(given, ACESettings):
            raise SettingsError(f"the settings must be ACESettings, not a {type(given).__name__}")
        self.settings = given
        self.log_events = log_events

    def step(self, context: StepContext, services: Services) -> StepResult:
        """Learn from the context's traces.

        Raises `StepError` if the step failed as a whole and learned nothing, `EndpointError` if in addition every other
        step would fail the same way, `LockedError` if another step is under way, `MarkerError`, `StateError` or
        `LogError` for what a person has to fix, and `OSError`. When the endpoint fails for good after some call got through,
        what got through is kept, and the result says why it stopped.
        """
        with context.book.hold():
            return _Step(self, context, services).run()

    def settle(self, context: StepContext, services: Services) -> bool:
        """Do what a killed step left undone, without a step, so that log, snapshot and block agree. Returns whether
        there was anything to do. Raises as `step` does.
        """
        with context.book.hold():
            return _Step(self, context, services).settle()


def now() -> str:
    """This moment in UTC, as RFC 3339 has it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class _Asked(msgspec.Struct, frozen=True):
    """What came of the calls: the step's outcome, the record of the calls, and what is to be said of them."""

    outcome: StepOutcome
    calls: bytes
    usage: Usage
    remarks: tuple[str, ...]


class _Decided(msgspec.Struct, frozen=True):
    """What is to be written: the playbook after the step, the rules to it, whether the tree changes (`proposed`), and why the
    host's check refused it, if it did. `accepted` is what the rules show if something waits for a review then.
    """

    playbook: Playbook
    candidate: Candidate
    proposed: bool
    refused: str | None
    accepted: Playbook | None


class _Step:
    """One step, while its book is held."""

    def __init__(self, method: ACE, context: StepContext, services: Services) -> None:
        self.settings = method.settings
        self.log_events = method.log_events
        self.context = context
        self.services = services
        self.book: Book = context.book

    def run(self) -> StepResult:
        state, head, rules = self.begin()
        if self.context.review and not self.book.is_ours:
            raise StepError(NO_REVIEW)
        record_name = self.book.begin_record(next_seq(head.tail))
        if head.tail is not None and self.book.is_ours and _was_killed(head.tail, rules):
            rules = self.put_back(head.shown, head.tail, rules)
        asked = self.ask(head, rules)
        first, outcome, remarks, found = next_seq(head.tail), asked.outcome, asked.remarks, rules
        try:
            while True:
                decided = self.decide(head, outcome)
                line = self.line(head.tail, decided, outcome.events, found, record_name, asked.calls)
                try:
                    self.book.append(line)  # from here on the step exists
                    break
                except SeqTakenError:
                    head, found, outcome = self.decide_again(asked.outcome)
            if others := line.seq - first:
                remarks = (*remarks, f"decided again: {plural(others, 'other line')} of the log came first")
        except (AceError, OSError) as error:
            with suppress(OSError):
                self.tell_failure(self.number(head.tail), str(error), outcome.events)
            raise
        rules = self.write(line, head, decided, remarks)
        return StepResult(
            outcome=line.outcome,
            record=line,
            playbook=decided.playbook,
            rules=rules.first,
            changed=decided.proposed and rules.files != found.files,
            restored=state.restored,
            screened=state.screened,
            decided=state.decided,
            remarks=remarks,
            stopped=outcome.stopped,
            usage=asked.usage,
        )

    def settle(self) -> bool:
        """Do what a killed step left undone; return whether there was anything."""
        state, head, rules = self.begin()
        placed = rules
        if head.tail is not None and self.book.is_ours:
            placed = self.put_back(head.shown, head.tail, rules)
        logged = state.restored is not None and head.tail is not None
        return state.stale or logged or placed.files != rules.files

    # --- before the calls --------------------------------------------------------------------------------------------

    def begin(self) -> tuple[OpenState, OpenState, Rules]:
        """What the book holds, as it was found and once what was brought from outside is logged; and the rules beside it."""
        while True:
            state = self.book.open()
            rules = self.admitted()
            with suppress(SeqTakenError):  # another step has logged it meanwhile: look again
                return state, self.logged(state, rules), rules

    def admitted(self) -> Rules:
        """The rules as they are. Raises `MarkerError`, and `StepError` if the host does not admit them."""
        rules = self.book.rules()
        if reason := _objection(self.services.check, rules.present):
            raise StepError(
                f"the host's check refuses the tree as it is, before anything was learned: {reason}"
            )
        return rules

    def logged(self, state: OpenState, rules: Rules) -> OpenState:
        """The state once a restored playbook and the host's decisions are logged, and a snapshot that lags behind the log is
        written.
        """
        playbook, tail = state.playbook, state.tail
        if state.restored is not None:
            tail = self.brought(tail, playbook, (state.restored, *state.screened), rules)
        if state.decided:
            playbook = fold(playbook, state.decided)
            tail = self.brought(tail, playbook, state.decided, rules)
        if state.stale or state.decided:
            self.book.keep(playbook)
        return msgspec.structs.replace(state, playbook=playbook, tail=tail)

    def brought(
        self, tail: LogTail | None, playbook: Playbook, events: tuple[Event, ...], rules: Rules
    ) -> LogTail | None:
        """Log what the host brings, as a line of its own: after it the playbook is this one. Returns the end of the log."""
        text = block(self.book.shown(playbook), self.settings.sections)
        line = next_line(
            tail,
            playbook,
            events,
            step=self.context.step,
            sections=self.settings.sections,
            block=rules.with_block(text).digest,
            served=rules.digests[0],
            time=self.now(),
        )
        return self.book.append(line)

    def put_back(self, shown: Playbook, tail: LogTail, rules: Rules) -> Rules:
        """Put the block there with which the log's last step ended."""
        text = block(shown, tail.record.sections)
        return place_block(self.book, rules.with_block(text), self.services.check)

    # --- the calls ---------------------------------------------------------------------------------------------------

    def ask(self, head: OpenState, rules: Rules) -> _Asked:
        traces, number = self.context.traces, self.number(head.tail)
        step = run_step(
            head.playbook,
            traces,
            self.settings,
            rules_lines=rules.lines(),
            step=number,
            pasts=self.pasts(),
            withdrawn=self.book.withdrawn(),
            screen=self.screen,
            patience=self.context.patience,
            instructions=instructions(),
        )
        model = self.model()
        recorder = CallRecorder(Guarded(model), partial(log_call, number) if self.log_events else _unheard)
        calls = b""
        try:
            outcome = drive(step, recorder)
        finally:
            # Also when the step fails or is interrupted: these calls were paid for.
            if recorder.calls:
                calls = encode(recorder.calls)
                self.book.write(CALLS, calls)
        self.remember(outcome, name_of(model, self.settings.model))
        if outcome.failed:
            self.fail(outcome, number)
        return _Asked(outcome, calls, recorder.usage(), tuple(cut_prompts(recorder.calls)))

    def model(self) -> Model:
        """The model that the settings name. Raises `EndpointError` if the host gives none, however it says so."""
        try:
            return self.services.model(self.settings.model)
        except AceError:
            raise
        except Exception as error:  # noqa: BLE001 - a host may raise anything
            told = sanitize(
                f"the host gives no model {self.settings.model} ({type(error).__name__}: {error})"
            )
            raise EndpointError(told) from None

    @property
    def screen(self) -> Callable[[str], str | None] | None:
        """The host's own screen for single lessons, if it has one."""
        return self.services.screen if isinstance(self.services, Screens) else None

    def pasts(self) -> list[Past]:
        """What the step is to know of what was made of each run before."""
        if self.context.again:
            return [Past()] * len(self.context.traces)
        return [self.book.past(trace) for trace in self.context.traces]

    def remember(self, outcome: StepOutcome, model: str) -> None:
        """Note which runs were tried without success, so that others come before them the next time."""
        for failed in outcome.failed_calls:
            self.book.remember(failed, time=self.now(), model=model)
        read = {
            (event.trace, event.task_digest)
            for event in outcome.events
            if isinstance(event, RunRead) and event.curation == "used"
        }
        for trace in self.context.traces:
            if identity(trace) in read:
                self.book.forget(trace)

    def fail(self, outcome: StepOutcome, number: int) -> NoReturn:
        """No call got through: the step fails as a whole, and so would the next one, if every call fails like that."""
        if outcome.stopped is not None and outcome.stopped.is_permanent:
            self.tell_failure(number, outcome.stopped.reason, outcome.events)
            raise EndpointError(outcome.stopped.reason)
        reason = _no_call_got_through(outcome)
        self.tell_failure(number, reason, outcome.events)
        again = (
            ""
            if all(failed.too_long for failed in outcome.failed_calls)
            else "; the same runs can be tried again"
        )
        raise StepError(f"{reason}. Nothing was changed{again}")

    # --- what is to be written ---------------------------------------------------------------------------------------

    def decide(self, head: OpenState, outcome: StepOutcome) -> _Decided:
        """The playbook and the rules after the step, and the host's verdict, which is of the very bytes that are written, or will be
        once what the step learned is accepted.
        """
        before, text = head.playbook, block(self.book.shown(outcome.playbook), self.settings.sections)
        waits = head.accepted is not None or (
            self.context.review and before.bullets != outcome.playbook.bullets
        )
        accepted = shown(head.shown.bullets) if waits else None
        for _ in range(_TRIES):
            rules = self.book.rules()
            candidate = wanted = rules.with_block(text)
            if accepted is not None:
                candidate = rules.with_block(block(accepted, self.settings.sections))
            if not self.proposes(before, outcome.playbook, wanted):
                return _Decided(outcome.playbook, candidate, candidate is not wanted, None, accepted)
            reason = _objection(self.services.check, wanted.files)
            if self.book.unchanged(rules):
                playbook = outcome.playbook if reason is None else before
                return _Decided(playbook, candidate, reason is None, reason, accepted)
        raise StepError(
            f"{self.book.told_rules()} keeps being changed while the step ends: try again when it is at rest"
        )

    def proposes(self, before: Playbook, after: Playbook, candidate: Candidate) -> bool:
        """Whether the tree is to change. A host may have rejected the block that the state holds: unless a bullet
        changed since, it is not proposed again. Any other block in the tree is replaced, also one edited by hand.
        """
        if not candidate.changed:
            return False
        return before.bullets != after.bullets or candidate.digest != self.book.rejected

    def line(
        self,
        tail: LogTail | None,
        decided: _Decided,
        events: tuple[Event, ...],
        found: Rules,
        record_name: str,
        calls: bytes,
    ) -> StepRecord:
        """The step's line of the log. What it names by its digest is written into the record."""
        sections, block_after = self.settings.sections, decided.candidate.digest
        tree = decided.candidate.files
        if decided.refused is not None:
            tree, block_after = decided.candidate.base.files, found.digests[0]
            if tail is not None:
                # The block in the rules was rendered with the sections of then, and is to be found right with them.
                sections = tail.record.sections
        held = {f"{_TREE}/{name}": data for name, data in tree.items()}
        held[f"{_STATE}/{SNAPSHOT}"] = dump(decided.playbook)
        for name, data in held.items():
            self.book.write(name, data)
        if calls:
            held = {CALLS: calls, **held}
        return next_line(
            tail,
            decided.playbook,
            events,
            step=self.context.step,
            record=record_name,
            reason=decided.refused,
            sections=sections,
            block=block_after,
            served=found.digests[0],
            time=self.now(),
            records={name: hashlib.sha256(data).hexdigest() for name, data in held.items()},
            accepted=accepted_digest(decided.playbook, decided.accepted),
        )

    def decide_again(self, first: StepOutcome) -> tuple[OpenState, Rules, StepOutcome]:
        """Another step has our number: what it left, and what this one comes to on that."""
        _, state, rules = self.begin()
        outcome = decide_again(
            first.decision,
            state.playbook,
            self.context.traces,
            self.settings,
            rules_lines=rules.lines(),
            step=self.number(state.tail),
            pasts=self.pasts(),
            withdrawn=self.book.withdrawn(),
            screen=self.screen,
        )
        return state, rules, outcome

    # --- behind the append -------------------------------------------------------------------------------------------

    def write(self, line: StepRecord, head: OpenState, decided: _Decided, remarks: tuple[str, ...]) -> Rules:
        """Write what the next start could make again from the log: snapshot, rules, summary and notes. Returns the rules as they
        are now.
        """
        if line.outcome == "committed":
            self.book.keep(decided.playbook)
            if line.accepted or head.accepted is not None:
                self.book.keep_accepted(decided.accepted if line.accepted else None)
        try:
            if not decided.proposed:
                return decided.candidate.base
            return place_block(self.book, decided.candidate, self.services.check, is_admitted=True)
        finally:
            # Also if the rules have to wait: the step is in the log.
            self.tell(summary(line, remarks), step_notes(line, remarks))
            if self.log_events:
                log_step(line, remarks)

    def tell_failure(self, number: int, reason: str, events: tuple[Event, ...]) -> None:
        if self.log_events:
            log_failure(number, reason, events)
        self.tell(failure_summary(number, reason, events), failure_notes(number, reason, events))

    def tell(self, text: str, notes: bytes) -> None:
        self.book.write(SUMMARY, text.encode())
        self.book.write(NOTES, notes)

    def now(self) -> str:
        return now() if self.context.time is None else self.context.time

    def number(self, tail: LogTail | None) -> int:
        return next_seq(tail) if self.context.step is None else self.context.step


def place_block(
    book: Book, candidate: Candidate, check: Check | None = None, *, is_admitted: bool = False
) -> Rules:
    """Put the candidate's block into the rules files; a text that was saved around it since is checked and kept. Returns the files
    as they are then.

    Raises `AceError` if the host refuses that text, and no `StepError`, since the step may be in the log by now; the block is
    then put there at the next start.
    """
    for _ in range(_TRIES):
        if not candidate.changed:
            return candidate.base
        reason = None if is_admitted else _objection(check, candidate.files)
        if reason is not None:
            raise AceError(
                f"the host's check refuses {book.told_rules()} with the playbook's block in it, which is put there as soon as "
                f"the check admits it: {reason}"
            )
        if book.place(candidate):
            return Rules(candidate.files)
        candidate, is_admitted = book.rules().with_block(candidate.block), False
    raise AceError(f"{book.told_rules()} keeps being changed: its block is put there at the next start")


def admitted(candidate: Candidate, check: Check | None) -> Candidate:
    """The candidate of a command that has written nothing yet. Raises `AceError` if the check refuses it."""
    if candidate.changed and (reason := _objection(check, candidate.files)) is not None:
        raise AceError(f"the check refuses the rules with this: {reason}. Nothing was changed")
    return candidate


def _objection(check: Check | None, files: Mapping[str, bytes]) -> str | None:
    """What the host's check has against these files, on one line that may be kept, or None."""
    reason = None if check is None else check(dict(files))
    return None if reason is None else safe_excerpt(str(reason), 500) or "no reason given"


def _was_killed(tail: LogTail, rules: Rules) -> bool:
    """Whether a block is still the one that the last step began with, though it ended with another."""
    return tail.record.served != tail.record.block and tail.record.served in rules.digests


def _unheard(_: RecordedCall) -> None:
    pass


def _no_call_got_through(outcome: StepOutcome) -> str:
    reasons = [event.detail for event in outcome.events if isinstance(event, RunSkipped) and event.detail]
    return (
        f"No model call got through, of {outcome.asked}: {reasons[0] if reasons else 'no reason was given'}"
    )
