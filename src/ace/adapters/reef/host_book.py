"""The book of one scenario: what Reef holds in its state and its tree, beside the log in the scenario's folder.

    <root>/history, steps, lock, cache      as under the command line, never in a commit
    <root>/rules.md, state/playbook.json    copies of what Reef holds, for people to look at; no step reads them
    <root>/*.json                           the backend's: what the scenario began with, and how often a batch failed

A step goes so, and nobody else changes what the book holds:

    backend    begin       what Reef keeps for us, and the step's number and record
    proposer   bring_tree  the tree's rules, beside the playbook that is kept
    method     step        takes both from here, and puts both here
    proposer   ended       what is to be kept after it
    backend    state       goes into Reef's state
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence, Set
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final, override

import msgspec
from reef.harness.adapters.descriptor import AdapterDescriptor

from ace.adapters.reef.decisions import Decisions, put_back
from ace.adapters.reef.releases import MethodState
from ace.adapters.reef.rules_entry import FILE, Admission, Entry, block_of, rules_text
from ace.adapters.reef.trials import NOT_TRIED, candidate
from ace.adapters.store.folder_book import Claimed
from ace.adapters.store.host_book import HostBook
from ace.adapters.store.left import next_number_left, note_left, removed_by_persons, see_log, set_aside
from ace.adapters.store.log import WAY_OUT, Log
from ace.domain.chain import LogTail
from ace.domain.errors import LogError, NewerLogError
from ace.domain.opening import OpenState
from ace.domain.playbook import Playbook, canonical, fold, parse_playbook
from ace.domain.rules_block import digest_in
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace
from ace.domain.unread import Past
from ace.events.types import Event, Removed, StepRecord
from ace.ports import StepResult

__all__ = ["KEPT_BY_REEF", "ScenarioBook", "playbook_of"]

_log: Final = logging.getLogger(__name__)

KEPT_BY_REEF: Final = "the state that Reef keeps"
"""Why a playbook was restored, where nothing more is known: a commit failed, or the log is gone."""


class ScenarioBook(HostBook):
    """A scenario's book, by the scenario's name, its folder, and the adapter of its agent."""

    is_shared = False

    def __init__(self, scenario: str, root: Path, descriptor: AdapterDescriptor) -> None:
        super().__init__(root, files={FILE: None}, scenario=scenario)
        self._file = Log(self.history)
        self.admission = Admission(descriptor)
        self.state = MethodState()
        self.number = 1
        self._drop_after = 0
        self._accepted: frozenset[str] = frozenset()
        self._alone: tuple[str, ...] = ()
        self.result: StepResult | None = None
        self.was_asked = False
        self.asked_for: frozenset[str] = frozenset()
        self.delayed: Set[str] = frozenset()
        self.elsewhere: Set[str] = frozenset()
        self.log_told = ""
        self._decisions = Decisions(NOT_TRIED)
        self.refused: dict[str, str] = {}
        self.is_logged = False
        self.foreign: list[str] = []
        self._record_of_reef: Callable[[], Path | None] = lambda: None
        self._block: str | None = None

    def begin(self, state: MethodState, number: int, record: Callable[[], Path | None]) -> None:
        """Say what the next step starts from, its number, and how to ask for its record's folder once there is one. From then on
        `was_asked` says whether Reef has asked the method in this step, `result` what came of it, and `log_told` what there is to tell
        of a log that is not what the last step left.
        """
        self.state, self.number, self._record_of_reef = state, number, record
        self.result, self.was_asked, self.log_told = None, False, ""
        self.decide(Decisions(state.trial, last=state.ordered))

    def decide(self, decisions: Decisions) -> None:
        """Say what is decided about lessons, to be logged before the step. By `refused` the book then says what could not be done, and
        by `is_logged` whether the rest is in the log; by `foreign`, what the step puts back of a block that somebody changed.
        """
        self._decisions, self.refused, self.is_logged = decisions, {}, False

    def bring_tree(self, entries: Sequence[Entry], drop_after: int = 0) -> None:
        """Take in the tree, and after how many rejections lessons are tried step by step. Raises `StateError` for a kept
        playbook that is none, `MarkerError` for an entry that is not rules.
        """
        self.was_asked = True
        rules = rules_text(entries)
        self._block, self._drop_after, self._alone = block_of(entries), drop_after, ()
        self.bring(
            {FILE: None if rules is None else rules.encode()},
            playbook_of(self.state.playbook),
            restore_reason=self.state.restore_reason or KEPT_BY_REEF,
            rejected=self.state.rejected(self._block),
            record_dir=self._record_of_reef() or self.root / "steps" / str(self.number),
        )

    @override
    def open(self) -> OpenState:
        try:
            self.log_told = self.log_told or see_log(self._file, self.cache)
            state = super().open()
        except NewerLogError:
            raise
        except LogError as error:
            withdrawn = self._set_log_aside(error)
            state = super().open()
            state = msgspec.structs.replace(state, screened=(*state.screened, *withdrawn))
        return self.with_trial(state)

    def settings_for(self, own: ACESettings) -> ACESettings:
        """The settings that count for a deployment with these."""
        return own

    def with_trial(self, state: OpenState) -> OpenState:
        """The state, of which is known from now on what is served."""
        unserved = self.state.trial.unserved
        self._accepted = frozenset(one.id for one in state.playbook.bullets if one.id not in unserved)
        self.foreign = []
        if self._block not in (self.state.proposed, self.state.rejected_beside):
            decided = fold(state.playbook, state.decided)
            self.foreign = put_back(self.files[FILE] or b"", decided, unserved)
        return state

    def _set_log_aside(self, error: LogError) -> list[Removed]:
        """Go on with what Reef keeps, which is right, in a new log; no id is given twice. Returns the lessons that persons
        have taken out: they do not come back.
        """
        aside = set_aside(self._file)
        reason = str(error).removesuffix(WAY_OUT).rstrip()
        self.log_told = f"The log is damaged, and was set aside as {aside.name}: {reason} A new log begins, with the state that Reef keeps."
        _log.error("scenario's %s", self.log_told)
        brought = self._playbook or Playbook()
        number = max(brought.next_number, next_number_left(self.cache))
        self._playbook = Playbook(number, brought.bullets)
        self._restore_reason = f"{KEPT_BY_REEF}, since the log was damaged ({aside.name})"
        here = {bullet.id for bullet in brought.bullets}
        return [removed for removed in removed_by_persons(aside) if removed.id not in here]

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        tail = super().append(record)
        if tail is not None:
            note_left(self._file, self.cache, tail)
        return tail

    @override
    def decisions(self, playbook: Playbook) -> tuple[Event, ...]:
        rules = self.files[FILE] or b""
        events, self.refused = self._decisions.made(playbook, rules, self.number)
        return events

    @override
    def keep(self, playbook: Playbook) -> None:
        super().keep(playbook)
        self.is_logged = True

    @override
    def shown(self, playbook: Playbook) -> Playbook:
        tried = candidate(playbook, self._accepted, self.state.trial, self._drop_after)
        self._alone = tried.alone
        return tried.playbook

    def claimed(self, traces: Sequence[Trace]) -> AbstractContextManager[Claimed]:
        """Of these runs, those that no other worker reads at this moment: of a book that is this host's alone, all."""
        return nullcontext(Claimed(tuple(traces)))

    @override
    def past(self, trace: Trace) -> Past:
        """As for every host, but that nothing counts of a run that a person asked for once more (`asked_for`)."""
        return Past() if trace.id in self.asked_for else super().past(trace)

    def ended(self, result: StepResult | None) -> None:
        """Keep what came of the step. If no model answered, that is what the log says since: where the playbook is from, and what
        was decided about its lessons.
        """
        playbook = self.playbook if result is None else result.playbook
        there = {one.id for one in playbook.bullets} if playbook is not None else ()
        trial = self.state.trial
        dropped = tuple(one for one in trial.dropped if one in there)
        trial = replace(trial, dropped=dropped, alone=self._alone)
        self.state = replace(self.state, restore_reason="", trial=trial)
        if self.is_logged:
            self.state = replace(self.state, ordered=self._decisions.latest(), adopt="")
        if playbook is not None:
            # Decoded JSON, lists included: Reef compares a state with what it reads back of its commits.
            self.state = replace(self.state, playbook=msgspec.json.decode(canonical(playbook)))
        self.result = result
        if result is not None and result.changed:
            self.state = replace(self.state, proposed=digest_in(result.rules), rejected_beside=self._block)


def playbook_of(kept: object) -> Playbook | None:
    """The playbook that Reef keeps, None if there is none yet. Raises `StateError` for what is none."""
    return (
        None
        if kept is None
        else parse_playbook(msgspec.json.encode(kept), "the playbook.json that Reef keeps")
    )
