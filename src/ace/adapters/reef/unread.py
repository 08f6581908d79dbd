"""Which runs a step reads: those that Reef brings, with the score that was reported last, and those that wait for their turn.

Reef 0.1.3 hands each run out once, whatever becomes of it. So a run of which nothing came stays in a backlog in the scenario's
folder (`store.backlog`), and the next steps read it.

    a run of the batch, or of the backlog                       then
    was read, is damaged, is not a whole run, was given twice   it is done
    another worker of a shared book reads it at this moment     it waits, until the log says that it was read
    its call failed, or its reply was not usable                it waits; after `MOST_TRIES` steps it is passed over, after
                                                                `MOST_DELAYS` where the endpoint is why
    the Curator was not reached, or not understood              it waits, for the Curator alone (likewise)
    Reef refused the tree                                       it waits (likewise)
    the step failed as a whole, or asked the method nothing     it waits

The backlog keeps the names of Reef's records alone; the run is made of these again when its turn comes. A later report on the
same calls corrects the score of a run that is still to be read; on others it comes too late, and that is told.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple, Protocol

import msgspec
from reef.artifact.artifact import ArtifactRef
from reef.core.records_types import AgentRecord, RequestType
from reef.record2record import ReportContext
from reef.record2record.reports import report_score
from reef.storage.records import StoredRecord
from reef.train.types import TrajectoryItem

from ace.adapters.reef.calls import read_call
from ace.adapters.reef.samples import HAD, NEXT, calls_of, names, next_message, read_samples, records_of
from ace.adapters.reef.stages import recorded_run, reported_run
from ace.adapters.store.backlog import MOST_DELAYS, MOST_TRIES, Backlog, Entry, Waiting
from ace.domain.screens import redact, safe_excerpt
from ace.domain.trace import Trace
from ace.domain.unread import TRIES
from ace.events.types import RunRead, RunSkipped
from ace.ports import StepResult

__all__ = ["AT_ONCE", "Reading", "Records", "Told", "Unread"]

AT_ONCE: Final = 16
"""How many runs of the backlog one step reads at the most: a step that is ended or killed has to be made again."""

_PAGE: Final = 256

_LAST: Final = 3
_NEXT_CALLS: Final = 16
"""Of the calls of a run, and of those behind it, so many are looked at for what the user said next."""

_MOST_AHEAD: Final = 1000
"""Of reports that were counted before Reef came to them: it comes to each of them, unless its record is gone."""


class Records(Protocol):
    """What is needed of Reef's store of records."""

    def get(self, scenario: str, agent_record_id: str) -> AgentRecord | None:
        """The record of that name."""
        ...

    def get_for_audit(self, scenario: str, agent_record_id: str) -> StoredRecord | None:
        """The record with its place among all."""
        ...

    def audit_page(
        self,
        scenario: str,
        *,
        after_sequence: int = 0,
        limit: int = 256,
        request_type: RequestType | None = None,
    ) -> tuple[StoredRecord, ...]:
        """The records behind a place, in order."""
        ...


class Told(NamedTuple):
    """What is told of a run beside the step's events."""

    event: Literal["Waiting", "PassedOver", "Corrected", "TooLate"]
    run: str
    reason: str


@dataclass
class Reading:
    """The runs of one step. `brought` are those that Reef brought, `taken` those of the backlog; `samples` are both, as the step is
    to read them. `told` grows as the step goes on. `done` are names of entries that the backlog no longer needs once the step is
    committed, and `ahead` the reports that were counted before Reef came to them.
    """

    brought: tuple[TrajectoryItem, ...]
    taken: tuple[Entry, ...] = ()
    samples: tuple[TrajectoryItem, ...] = ()
    limit: int = 0
    told: list[Told] = field(default_factory=list)
    done: list[str] = field(default_factory=list)
    ahead: list[str] = field(default_factory=list)

    @property
    def asked_for(self) -> frozenset[str]:
        """The ids of runs that a person wants to be read again, whatever the log says of them."""
        return frozenset(_as_traced(entry.waiting.run) for entry in self.taken if entry.waiting.again)


class Unread:
    """The unread runs of a scenario. `records` is None where there is no store of them: then nothing can wait for long."""

    def __init__(
        self,
        scenario: str,
        records: Records | None,
        backlog: Backlog,
        block_in: Callable[[ArtifactRef], str] = lambda _: "",
    ) -> None:
        """`block_in` gives the digest of the playbook's block in a release, or no text if that is not known."""
        self._scenario = scenario
        self._records = records
        self._backlog = backlog
        self._block_in = block_in
        self._late: list[AgentRecord] = []

    def late(self, report: AgentRecord) -> None:
        """Take note of a report on calls that Reef has handed out already."""
        self._late.append(report)

    def see_room(self) -> None:
        """See that runs can be put away. Raises `OSError` if not."""
        self._backlog.see_room()

    def __len__(self) -> int:
        """How many runs wait."""
        return len(self._backlog.entries())

    # --- before the step ---------------------------------------------------------------------------------------------

    def gather(
        self,
        brought: Sequence[TrajectoryItem],
        *,
        done: Iterable[str],
        ahead: Collection[str],
        limit: int,
        is_retry: bool,
    ) -> Reading:
        """The runs for the next step. `done` and `ahead` are what the last committed step left (see `Reading`); `limit` is how many
        runs a step reads, 0 for all. A run that was tried without success is not brought with a batch that is tried again.
        """
        self._backlog.drop(done)
        reports = {_report_of(sample) for sample in brought}
        # Reef may hold several reports on the same calls; the last was counted with the first that came.
        brought = _once([sample for sample in brought if _report_of(sample) not in ahead])
        reading = Reading(tuple(brought), limit=limit)
        self._tell_late(reading, ahead)
        of_the_batch = set(names(brought))
        entries = [entry for entry in self._backlog.entries() if entry.waiting.run not in of_the_batch]
        for entry in entries:
            if entry.waiting.tries >= MOST_TRIES:
                self._give_up(entry, reading)
        entries = [entry for entry in entries if entry.waiting.tries < (1 if is_retry else MOST_TRIES)]
        room = _room(limit, len(brought), is_retry=is_retry)
        latest = self._latest_reports(brought, entries[:room])
        first = [self._corrected(sample, latest, reading) for sample in brought]
        waited = []
        for entry in entries[:room]:
            sample = self._recalled(entry, latest, reading)
            if sample is not None:
                waited.append(sample)
        at = min(len(first), max(0, limit - len(waited))) if limit else len(first)
        reading.ahead = [report for report in reading.ahead if report not in reports][-_MOST_AHEAD:]
        reading.brought = tuple(first)
        reading.samples = tuple(map(self._completed, (*first[:at], *waited, *first[at:])))
        return reading

    def _completed(self, sample: TrajectoryItem) -> TrajectoryItem:
        """The sample, with the lessons that were in force by the release that the client had in its first call, and with what the user
        said next, as far as either is recorded.
        """
        calls = calls_of(sample)
        first = self._record(calls[0]) if calls else None
        if first is None:
            return sample
        found = {} if first.artifact_ref is None else {HAD: self._block_in(first.artifact_ref)}
        try:
            said = self._said_next(calls)
        except Exception:  # noqa: BLE001 - a record may be damaged in any way, and a run can do without what came later
            said = ""
        if said:
            found[NEXT] = said
        return sample.with_metadata(**found) if found else sample

    def _said_next(self, calls: Sequence[str]) -> str:
        """What the user said after the run with these calls, by the few calls that were recorded next. The last of them may be one beside
        the conversation: the longest of the last counts.
        """
        assert self._records is not None  # noqa: S101 - the run's calls are its records
        stored = [self._records.get_for_audit(self._scenario, name) for name in calls[-_LAST:]]
        ended = [(read_call(one.item.payload), one.sequence) for one in stored if one is not None]
        if not ended:
            return ""
        last, _ = max(ended, key=lambda one: len(one[0].turns))
        page = self._records.audit_page(
            self._scenario,
            after_sequence=max(place for _, place in ended),
            limit=_NEXT_CALLS,
            request_type=RequestType.INFERENCE,
        )
        texts = (next_message(last, read_call(one.item.payload).said) for one in page)
        return next(filter(None, texts), "")

    def _recalled(
        self, entry: Entry, latest: Mapping[frozenset[str], AgentRecord], reading: Reading
    ) -> TrajectoryItem | None:
        """The run of an entry, made of Reef's records; None, and told, if they are gone."""
        waiting = entry.waiting if entry.waiting.calls else self._found(entry.waiting)
        report = latest.get(frozenset(waiting.calls))
        if report is not None and waiting.report and report.agent_record_id != waiting.report:
            entry = self._backlog.change(entry, report=report.agent_record_id)
            waiting = _named(waiting, waiting.calls, report.agent_record_id)
            reading.told.append(_correction(waiting.run, report))
            reading.ahead.append(report.agent_record_id)
        sample = self._sample(waiting)
        if sample is None:
            self._backlog.drop([entry.name])
            reading.told.append(
                Told("PassedOver", waiting.run, "Reef has no such run, or no longer its records")
            )
            return None
        reading.taken += (Entry(entry.name, waiting),)
        return sample

    def _sample(self, waiting: Waiting) -> TrajectoryItem | None:
        calls = [self._record(name) for name in waiting.calls]
        if not calls or not all(calls):
            return None
        present = tuple(call for call in calls if call is not None)
        if not waiting.report:
            return recorded_run(present[0])
        report = self._record(waiting.report)
        if report is None:
            return None
        return reported_run(ReportContext(report, report_score(report), present))

    def _found(self, waiting: Waiting) -> Waiting:
        """The run with its calls and its last report, which nobody named."""
        if self._records is None:
            return waiting
        found = waiting
        for report in self._reports(0):
            if waiting.run in report.references:
                found = _named(waiting, report.references, report.agent_record_id)
        record = self._record(waiting.run)
        if found is waiting and record is not None and record.request_type is RequestType.INFERENCE:
            found = _named(waiting, (waiting.run,), "")
        return found

    # --- scores that are reported again ------------------------------------------------------------------------------

    def _latest_reports(
        self, brought: Iterable[TrajectoryItem], entries: Iterable[Entry]
    ) -> dict[frozenset[str], AgentRecord]:
        """The last report on each set of calls, of those that came after the first report here."""
        known = [_report_of(sample) for sample in brought] + [entry.waiting.report for entry in entries]
        if self._records is None:
            return {}
        stored = (self._records.get_for_audit(self._scenario, report) for report in known if report)
        places = [one.sequence for one in stored if one is not None]
        if not places:
            return {}
        later = self._reports(min(places))
        return {frozenset(report.references): report for report in later if report_score(report) is not None}

    def _corrected(
        self, sample: TrajectoryItem, latest: Mapping[frozenset[str], AgentRecord], reading: Reading
    ) -> TrajectoryItem:
        known, calls = _report_of(sample), _calls_of(sample)
        report = latest.get(frozenset(calls))
        if not known or report is None or report.agent_record_id == known:
            return sample
        reading.told.append(_correction(names([sample])[0], report))
        reading.ahead.append(report.agent_record_id)
        told = sample.with_metadata(reward=report_score(report), feedback=report.payload.get("feedback"))
        return replace(told, source_agent_record_ids=(*calls, report.agent_record_id))

    def _tell_late(self, reading: Reading, ahead: Collection[str]) -> None:
        """See which runs the reports were about that Reef passed over, since their calls were handed out before."""
        reading.ahead += [name for name in ahead if name not in {one.agent_record_id for one in self._late}]
        entries = {frozenset(entry.waiting.calls): entry for entry in self._backlog.entries()}
        for report in self._late:
            run = report.references[-1] if report.references else report.agent_record_id
            entry = entries.get(frozenset(report.references))
            if report.agent_record_id in ahead:
                continue
            if entry is not None and report_score(report) is not None:
                self._backlog.change(entry, report=report.agent_record_id)
                reading.told.append(_correction(entry.waiting.run, report))
            elif entry is None or entry.waiting.report != report.agent_record_id:
                reading.told.append(
                    Told("TooLate", run, "reported again after it was read: this score does not count")
                )
        self._late.clear()

    def _reports(self, after: int) -> Iterable[AgentRecord]:
        assert self._records is not None  # noqa: S101 - those who ask have looked
        while page := self._records.audit_page(
            self._scenario, after_sequence=after, limit=_PAGE, request_type=RequestType.REPORT
        ):
            yield from (one.item for one in page)
            after = page[-1].sequence

    def _record(self, name: str) -> AgentRecord | None:
        return None if self._records is None else self._records.get(self._scenario, name)

    # --- after the step ----------------------------------------------------------------------------------------------

    def settle(
        self,
        reading: Reading,
        result: StepResult,
        delayed: Set[str] = frozenset(),
        elsewhere: Set[str] = frozenset(),
    ) -> None:
        """Put away what is still to be read after a step; the endpoint was why calls of the runs `delayed` failed, and other workers of a
        shared book were reading the runs `elsewhere`. Raises `OSError`.
        """
        said: dict[str, RunRead | RunSkipped] = {}
        for event in result.record.events:
            if isinstance(event, RunRead | RunSkipped):
                said.setdefault(event.trace, event)  # what is there once more was given twice

        def left(run: str) -> _Why | None:
            name = _as_traced(run)
            if name in elsewhere and name not in said:
                return _Why("another worker of the shared book reads it")
            return _why_unread(said.get(name), result, delayed)

        new: list[Waiting] = []
        of_the_batch: set[str] = set()
        for at, (run, sample) in enumerate(zip(names(reading.brought), reading.brought, strict=True)):
            why = left(run)
            if why is not None and not (why.is_limit and reading.limit and at >= reading.limit):
                new.append(self._waiting(run, sample, why))
            else:
                of_the_batch.add(run)
        for entry in reading.taken:
            why = left(entry.waiting.run)
            if why is None:
                reading.done.append(entry.name)
            else:
                self._tried(entry, why, reading)
        # What a commit that failed had put away, and was brought again.
        reading.done += [entry.name for entry in self._backlog.entries() if entry.waiting.run in of_the_batch]
        self._add(new, reading)

    def put_away(self, reading: Reading, reason: str, *, is_try: bool = False) -> None:
        """Let what Reef brought wait, since the step came to nothing. Raises `OSError`."""
        why = _Why(safe_excerpt(redact(reason), 200), tries=int(is_try))
        damaged = {one.trace for one in read_samples(reading.brought)[1]}
        runs = zip(names(reading.brought), reading.brought, strict=True)
        self._add([self._waiting(run, sample, why) for run, sample in runs if run not in damaged], reading)

    def tried_in_vain(self, reading: Reading, reason: str) -> None:
        """Count a try of the runs that waited: one of them may be why the step, which will be tried again, failed. Raises `OSError`."""
        for entry in reading.taken:
            told = safe_excerpt(redact(reason), 200)
            self._backlog.change(entry, tries=entry.waiting.tries + 1, reason=told)

    def committed(self, done: Iterable[str]) -> None:
        """Forget what a step that is committed has read."""
        self._backlog.drop(done)

    def _waiting(self, run: str, sample: TrajectoryItem, why: _Why) -> Waiting:
        return Waiting(
            run, _calls_of(sample), _report_of(sample), why.reason, tries=why.tries, delays=why.delays
        )

    def _add(self, runs: Sequence[Waiting], reading: Reading) -> None:
        lost = [waiting for waiting in runs if self._records is None or not waiting.calls]
        kept = [waiting for waiting in runs if waiting not in lost]
        out = self._backlog.add(kept) if kept else []
        reading.told += [Told("Waiting", one.run, one.reason) for one in kept if one not in out]
        reading.told += [
            Told("PassedOver", one.run, f"it has no records of Reef's: {one.reason}") for one in lost
        ]
        reading.told += [
            Told("PassedOver", one.run, "too many runs wait, and it was the oldest") for one in out
        ]

    def _tried(self, entry: Entry, why: _Why, reading: Reading) -> None:
        tries, delays = entry.waiting.tries + why.tries, entry.waiting.delays + why.delays
        entry = self._backlog.change(entry, tries=tries, delays=delays, reason=why.reason)
        if tries >= MOST_TRIES or delays >= MOST_DELAYS:
            self._give_up(entry, reading)
        else:
            reading.told.append(Told("Waiting", entry.waiting.run, why.reason))

    def _give_up(self, entry: Entry, reading: Reading) -> None:
        waiting = entry.waiting
        reading.done.append(entry.name)
        reading.told.append(
            Told("PassedOver", waiting.run, f"{waiting.reason}, after {waiting.tries + waiting.delays} tries")
        )


class _Why(NamedTuple):
    """Why a run is still to be read; what that counts for, and whether the limit is why."""

    reason: str
    tries: int = 0
    delays: int = 0
    is_limit: bool = False


def _why_unread(event: RunRead | RunSkipped | None, result: StepResult, delayed: Set[str]) -> _Why | None:
    """What there is left to be done of a run, by what the step says of it; None if nothing is."""
    # What was not asked about, since the endpoint failed for others or a budget was spent, was not tried.
    was_delayed = event is not None and event.trace in delayed
    tries, delays = (0, 0) if result.stopped is not None else (int(not was_delayed), int(was_delayed))
    if event is not None and result.outcome == "refused":
        return _Why(f"the new tree was refused: {result.record.reason}", tries=1)
    match event:
        case RunRead(curation=curation) if curation != "used":
            return _Why(f"the Curator's {curation}", tries, delays)
        case RunSkipped(reason="failed call", detail=detail):
            return _Why(f"failed call ({detail})", tries, delays)
        case RunSkipped(reason="unusable reply", attempt=attempt) if attempt < TRIES:
            return _Why("unusable reply", tries=1)
        case RunSkipped(reason="over the limit", detail=detail):
            return _Why(f"no room ({detail})", is_limit=True)
        case _:
            return None  # read, given twice, or damaged: of that there is no event


def _room(limit: int, brought: int, *, is_retry: bool) -> int:
    """How many runs of the backlog a step has room for. Up to half of a limit is theirs, or they would wait for ever; where the limit
    is one run, a batch that fails beside them is tried again without them.
    """
    if not limit:
        return AT_ONCE
    share = max(limit // 2, 0 if is_retry else 1)
    return min(AT_ONCE, max(limit - brought, share))


def _as_traced(run: str) -> str:
    """A run's id as events have it."""
    return Trace(id=run).id


def _named(waiting: Waiting, calls: tuple[str, ...], report: str) -> Waiting:
    return msgspec.structs.replace(waiting, calls=calls, report=report)


def _once(samples: Sequence[TrajectoryItem]) -> list[TrajectoryItem]:
    """The first of the samples of the same calls, where there are reports on them."""
    first: dict[object, TrajectoryItem] = {}
    for sample in samples:
        calls = frozenset(_calls_of(sample))
        first.setdefault(calls if calls and _report_of(sample) else id(sample), sample)
    return list(first.values())


def _correction(run: str, report: AgentRecord) -> Told:
    return Told("Corrected", run, f"read with the score that was reported last: {report_score(report):g}")


def _calls_of(sample: TrajectoryItem) -> tuple[str, ...]:
    calls = [one.get("agent_record_id") for one in records_of(sample)]
    return tuple(call for call in calls if isinstance(call, str))


def _report_of(sample: TrajectoryItem) -> str:
    """The name of the report behind a sample: Reef names it after the calls; empty if there is none."""
    calls = set(_calls_of(sample))
    return next((name for name in reversed(sample.source_agent_record_ids) if name not in calls), "")
