"""Learning from runs, as one function of a folder: it prints nothing, and its result is a struct.

    learn(folder, …)    steps over the runs that the log has not read yet; `Learning` is the same, step by step
    dry_run(folder, …)  what that would do and cost

`Learning` holds the folder's lock until it ends.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from itertools import chain, islice
from pathlib import Path
from types import TracebackType
from typing import Literal, Self

import msgspec

from ace.adapters.models import load_calls
from ace.adapters.models.asking import request_of
from ace.adapters.models.metered import CHARACTERS_A_TOKEN, Metered
from ace.adapters.models.pending import Remembered, asked_as
from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import Claimed, FolderBook
from ace.adapters.store.pending import PendingReplies
from ace.adapters.store.scenarios import see_ours
from ace.domain.errors import (
    EndpointError,
    StepError,
    TraceError,
)
from ace.domain.patience import Patience
from ace.domain.playbook import (
    Playbook,
)
from ace.domain.rules_block import block_in
from ace.domain.screens import PLACEHOLDER
from ace.domain.settings import ACESettings
from ace.domain.step import ModelCall, run_step
from ace.domain.trace import Trace, is_run
from ace.domain.unread import TRIES, Past, Place, Unread, first, identity, known_by, unread
from ace.events.types import (
    Event,
    Identity,
    RunRead,
    RunSkipped,
    StepRecord,
)
from ace.method import ACE, Check
from ace.observing import log_note
from ace.ports import Model, StepContext, StepResult, Traces

__all__ = ["GIVE_UP_AFTER", "Learning", "Plan", "PlannedRun", "Report", "StepDone", "dry_run", "learn"]


# --- learn ------------------------------------------------------------------------------------------------------------

type GaveUp = Literal["", "unreachable", "nothing usable", "refused", "failed", "budget"]

GIVE_UP_AFTER = 3
"""How many steps may fail, or be refused, one after the other before the rest is left."""


class StepDone(msgspec.Struct, frozen=True, kw_only=True):
    """A step that ended: the ids of its runs, after `before` of `total` runs. `record` is its line of the log, None if it failed
    as a whole for the reason `error`; `remarks` are sentences about what has no event.
    """

    runs: tuple[str, ...]
    before: int
    total: int
    record: StepRecord | None = None
    error: str = ""
    remarks: tuple[str, ...] = ()


class Report(msgspec.Struct, frozen=True, kw_only=True):
    """What learning came to. `events` are those of the committed steps.

    What the same call, given again, can do: `failed` and `refused` (by the check) are runs of steps and calls that came to
    nothing, `untried` were not asked about, of `unusable` a reply was not understood, and of `pending` the Curator is still to
    be asked. It can do nothing for `too_long` (for this model) and `endless` (calls in the middle of a run of which no whole one
    was seen). `later` counts the runs that the limit left; `elsewhere` are those that other workers of a shared book were reading.
    `read` says whether any run was read, of `runs` that there were.

    `gave_up` says why the rest was left: the endpoint is `unreachable`, `nothing usable` came, steps were `refused` or `failed`
    one after the other, or the `budget` of tokens is spent. `error` is the endpoint's in the first case. `block_before` and
    `block_after` are the first rules file's. `reused` counts the replies that an interrupted command had left; they are none of the
    `calls`. `seconds` is how long any call was under way.
    """

    events: tuple[Event, ...]
    runs: int
    failed: tuple[str, ...]
    refused: tuple[str, ...]
    untried: tuple[str, ...]
    unusable: tuple[str, ...]
    pending: tuple[str, ...]
    too_long: tuple[str, ...]
    endless: tuple[str, ...]
    later: int
    elsewhere: tuple[str, ...]
    gave_up: GaveUp
    error: str
    block_before: str
    block_after: str
    reused: int
    calls: int
    input_tokens: int
    output_tokens: int
    seconds: float

    @property
    def read(self) -> bool:
        """Whether any run was read."""
        return any(isinstance(event, RunRead) for event in self.events)

    @property
    def is_done(self) -> bool:
        """Whether nothing is left that the same call could do, and something was read if there was something to read."""
        left = (self.failed, self.refused, self.untried, self.unusable, self.pending)
        return not any(left) and (self.read or bool(self.elsewhere) or not self.runs)


class Learning:
    """Steps over the runs that the log has not read yet, one after the other; entering it takes the folder.

        with Learning(folder, traces, model=model) as learning:
            for step in learning:
                print(step.runs)
        report = learning.report()

    Entering sees that no rules file holds the block of another playbook (`replaced`, if `take_block` says to), puts back what was
    changed in the block by hand (`edited`: the lines of diffs), does what a killed step left undone (`put_in_order`), and chooses the
    runs: `runs` counts them, and `passed_over` those that the log has read. Traces other than a list are gone through once for that,
    and those that were chosen are read when it is their turn.

    `check` may refuse the rules files before they are written. A step gets `runs_per_step` runs (as many as are asked about at
    once, if it is not given), at most `limit` runs are read, and no call is begun once prompts and replies came to `max_tokens`;
    with either, the runs come first that teach most (`ace.domain.triage`). With `again` runs that were read are read again. With
    `review` what the steps learn is kept out of the rules until a person accepts it (see `ace.accept`); while something waits for
    that, it is in any case. With `log_events` the steps tell what happens through the process's own structlog (see `ace.observing`).

    Replies of a step that was interrupted are kept in the folder (`waiting`), and used by a later command that asks the same model
    the same (`reused`), except with `again`. That needs a model that has an `asked_as`, a text for all that its replies depend on.

    Entering and the steps raise `AceError`s that name what a person has to fix, and `LockedError` while another process
    learns; an endpoint that fails for good ends the steps, and the report says so.
    """

    def __init__(
        self,
        folder: FolderBook,
        traces: Sequence[Trace] | Traces,
        *,
        model: Model,
        settings: ACESettings | None = None,
        check: Check | None = None,
        runs_per_step: int | None = None,
        again: bool = False,
        limit: int | None = None,
        max_tokens: int | None = None,
        take_block: bool = False,
        review: bool = False,
        log_events: bool = False,
    ) -> None:
        self.folder = folder
        self.method = ACE(settings, log_events=log_events)
        folder.screens = self.method.settings.screens
        self.model = Metered(model, max_tokens)
        self.patience = Patience()
        self.replaced: Mapping[Path, str] = {}
        self.edited: Mapping[Path, tuple[str, ...]] = {}
        self.put_in_order = False
        self.passed_over = 0
        self.runs = 0
        self._traces = traces if isinstance(traces, Traces) else _Held(traces)
        self._pending = PendingReplies(folder.cache)
        self._remembered = Remembered(self.model, self._pending, "" if again else asked_as(model))
        self._services = _Services(self._remembered, check)
        self._runs_per_step = runs_per_step or self.method.settings.reflections_at_once
        self._again = again
        self._limit = limit
        self._triaged = limit is not None or max_tokens is not None
        self._take_block = take_block
        self._review = review
        self._left: list[Unread] = []
        self._begun: list[Trace] = []
        self._later = 0
        self._before = ""
        self._events: list[Event] = []
        self._failed: list[Identity] = []
        self._refused: list[str] = []
        self._untried: list[str] = []
        self._elsewhere: list[str] = []
        self._gave_up: GaveUp = ""
        self._error = ""
        self._held = ExitStack()

    def __enter__(self) -> Self:
        """Take the folder and choose the runs."""
        see_ours(self.folder, "learn")
        # A step has a lock of its own; this one keeps a second command from learning the same runs in between.
        self._held.enter_context(self.folder.locked("ace learn", "learn.lock"))
        try:
            self.replaced = self.folder.see_blocks(take=self._take_block)
            self._before = self._block()
            self.edited = self._edits()
            self.put_in_order = self.method.settle(StepContext(book=self.folder), self._services)
            with self.folder.index() as index:
                left, self.passed_over = unread(
                    index.ahead(self._traces.listed()),
                    index.past,
                    index.tried,
                    self.method.settings,
                    self.model.model,
                    again=self._again,
                    triaged=self._triaged,
                )
        except BaseException:
            self._held.close()
            raise
        if self.passed_over and self.method.log_events:
            log_note("PassedOver", runs=self.passed_over)
        self._left = first(left, self._limit)
        self.runs = sum(one.is_run for one in self._left)
        self._later = sum(one.is_run for one in left) - self.runs
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Leave the folder to others."""
        try:
            self.folder.flush()
        finally:
            self._held.close()

    def __iter__(self) -> Iterator[StepDone]:
        """Make the steps; each comes when it has ended."""
        # No more runs than a step reads.
        most = min(self._runs_per_step, self.method.settings.max_traces_per_step or self._runs_per_step)
        batches = list(_batches(self._left, most))
        ids = [tuple(one.id for one in batch if one.is_run) for batch in batches]
        total, before, in_a_row, refusals = sum(map(len, ids)), 0, 0, 0
        found = self._traces.read([one.place for one in self._left])
        ahead = list(islice(found, len(batches[0]))) if batches else []
        for index, places in enumerate(batches):
            batch = self._taken(places, ahead)
            # One step ahead: a shared book claims its runs along with the line of this one.
            ahead = list(islice(found, len(batches[index + 1]))) if index + 1 < len(batches) else []
            if not batch:
                before += len(ids[index])
                continue
            result: StepResult | None = None
            runs = ids[index]
            self._pending.begin_step()
            try:
                with self.folder.claimed(batch, again=self._again, then=[*filter(None, ahead)]) as claimed:
                    batch = self._claimed(claimed)
                    runs = tuple(trace.id for trace in batch if is_run(trace))
                    if batch:
                        result = self.method.step(
                            StepContext(
                                book=self.folder,
                                traces=batch,
                                again=self._again,
                                review=self._review,
                                patience=self.patience,
                            ),
                            self._services,
                        )
            except EndpointError as error:
                self._untried += chain(*ids[index:])
                self._error = str(error)
                self._gave_up = "unreachable"
                return
            except StepError as error:
                self._failed += [identity(trace) for trace in batch if is_run(trace)]
                in_a_row += 1
                yield StepDone(runs=runs, before=before, total=total, error=str(error))
            if result is not None:
                self._pending.end_step()
                self._keep(result, runs)
                in_a_row, refusals = 0, refusals + 1 if result.outcome == "refused" else 0
                yield StepDone(
                    runs=runs, before=before, total=total, record=result.record, remarks=result.remarks
                )
            before += len(ids[index])
            self._gave_up = self._verdict(result, in_a_row, refusals, is_last=before == total)
            if self._gave_up:
                self._untried += chain(*ids[index + 1 :])
                return

    def _taken(self, batch: Sequence[Unread], found: Sequence[Trace | None]) -> list[Trace]:
        """The traces of a batch; a run that is not where it was is one that was not tried."""
        taken: list[Trace] = []
        for one, trace in zip(batch, found, strict=False):
            if trace is not None:
                taken.append(trace)
            elif one.is_run:
                self._untried.append(one.id)
        self._begun += map(known_by, filter(is_run, taken))
        return taken

    def _claimed(self, claimed: Claimed) -> list[Trace]:
        """What of a batch is read here and now: of a shared book, other workers may read some of it, or have."""
        self._elsewhere += [trace.id for trace in claimed.elsewhere if is_run(trace)]
        self.passed_over += len(claimed.read)
        self.runs -= sum(map(is_run, claimed.read))
        return list(claimed.traces)

    def _verdict(self, result: StepResult | None, in_a_row: int, refusals: int, *, is_last: bool) -> GaveUp:
        """Why no further step is made after this one, if none is."""
        stopped = None if result is None else result.stopped
        if stopped is not None and stopped.is_permanent and not self.model.is_spent:
            self._error = stopped.reason
            return "unreachable"
        if self.model.is_spent and not is_last:
            return "budget"
        if self.patience.is_spent:
            return "nothing usable"
        if GIVE_UP_AFTER in (in_a_row, refusals) and not is_last:
            return "refused" if refusals else "failed"
        return ""

    def _keep(self, result: StepResult, runs: Sequence[str]) -> None:
        if result.outcome == "refused":
            self._refused += runs
            return
        self._events += result.record.events
        # The runs for which the Reflector's call failed are still to be read.
        self._failed += [
            (event.trace, event.task_digest)
            for event in result.record.events
            if isinstance(event, RunSkipped) and event.reason == "failed call"
        ]

    def report(self) -> Report:
        """What came of the steps so far."""
        self.folder.flush()
        with self.folder.index() as index:
            tried = {identity(trace): index.tried(trace) for trace in self._begun}
            pasts = {identity(trace): index.past(trace) for trace in self._begun}
        pending = [run for run, past in pasts.items() if past.pending is not None]
        too_long = {run for run in (*self._failed, *pending) if (last := tried.get(run)) and last.too_long}
        read = {event.trace for event in self._events if isinstance(event, RunRead)}
        skipped = [event for event in self._events if isinstance(event, RunSkipped)]
        return Report(
            events=tuple(self._events),
            runs=self.runs,
            failed=tuple(run[0] for run in self._failed if run not in too_long),
            refused=tuple(self._refused),
            untried=tuple(self._untried),
            unusable=tuple(
                one.trace for one in skipped if one.reason == "unusable reply" and one.attempt < TRIES
            ),
            pending=tuple(run[0] for run in pending if run not in too_long),
            too_long=tuple(run for run, _ in sorted(too_long)),
            endless=tuple(
                one.trace for one in skipped if one.reason == "middle of a run" and one.trace not in read
            ),
            later=self._later,
            elsewhere=tuple(self._elsewhere),
            gave_up=self._gave_up,
            error=self._error,
            block_before=self._before,
            block_after=self._block(),
            reused=self.reused,
            calls=self.model.calls,
            input_tokens=self.model.input_tokens,
            output_tokens=self.model.output_tokens,
            seconds=self.model.seconds,
        )

    @property
    def reused(self) -> int:
        """How many replies of an interrupted command were used in place of calls."""
        return self._remembered.taken

    @property
    def waiting(self) -> int:
        """How many replies of a step that did not end are kept for a later command."""
        return self._pending.of_step

    def _edits(self) -> Mapping[Path, tuple[str, ...]]:
        found = self.folder.edits(self.folder.in_rules())
        return {path: lines for path, lines in found.items() if path not in self.replaced}

    def _block(self) -> str:
        return block_in(read_bytes(self.folder.rules_files[0]) or b"").decode(errors="replace")


def learn(
    folder: FolderBook,
    traces: Sequence[Trace] | Traces,
    *,
    model: Model,
    settings: ACESettings | None = None,
    check: Check | None = None,
    runs_per_step: int | None = None,
    again: bool = False,
    limit: int | None = None,
    max_tokens: int | None = None,
    take_block: bool = False,
    review: bool = False,
    log_events: bool = False,
) -> Report:
    """Learn from the runs that the log has not read yet: `Learning` from its begin to its end, with the same arguments and
    errors.
    """
    with Learning(
        folder,
        traces,
        model=model,
        settings=settings,
        check=check,
        runs_per_step=runs_per_step,
        again=again,
        limit=limit,
        max_tokens=max_tokens,
        take_block=take_block,
        review=review,
        log_events=log_events,
    ) as learning:
        for _ in learning:
            pass
        return learning.report()


class _Services:
    """What a step may ask of a folder's user: the one model, which is called `served`, and the check, if there is one."""

    def __init__(self, model: Model, check: Check | None) -> None:
        self._model = model
        self._check = check

    def model(self, name: str) -> Model:
        """The folder's one model. Raises `EndpointError` for any other name."""
        if name != "served":
            raise EndpointError(
                f"there is no model called {name!r} here: leave the setting `model` at `served`"
            )
        return self._model

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """The check's verdict; without one, everything is admitted."""
        return None if self._check is None else self._check(files)


class _Held:
    """Traces that are in memory, by their position."""

    def __init__(self, traces: Sequence[Trace]) -> None:
        self._traces = traces

    def listed(self) -> Iterator[tuple[Place, Trace]]:
        return iter(enumerate(self._traces))

    def read(self, places: Sequence[Place]) -> Iterator[Trace | None]:
        return (self._traces[place] for place in places if isinstance(place, int))


def _batches(unread: Sequence[Unread], runs_per_step: int) -> Iterator[list[Unread]]:
    """The traces in steps of so many runs; a call in the middle of a run goes along with the run behind it."""
    batch: list[Unread] = []
    runs = 0
    for one in unread:
        batch.append(one)
        runs += one.is_run
        if runs == runs_per_step:
            yield batch
            batch, runs = [], 0
    if batch:
        yield batch


# --- dry run ----------------------------------------------------------------------------------------------------------


class PlannedRun(msgspec.Struct, frozen=True):
    """A run that would be read: how many model calls that takes, the characters of their prompts, and how many credentials are
    redacted in them.
    """

    run: str
    score: float | None
    calls: int
    characters: int
    redacted: int


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """What learning would do, and what it would cost.

    `passed_over` counts the traces that the log has read, `middle` those that are not a whole run, and `later` the runs that the
    limit leaves. `characters_a_token` is that of this folder's earlier calls, or a guess where it `is_guessed`. `replaced` are
    the blocks of another playbook that would have to go.
    """

    runs: tuple[PlannedRun, ...]
    passed_over: int
    middle: int
    later: int
    characters_a_token: float
    is_guessed: bool
    replaced: Mapping[Path, str]

    @property
    def calls(self) -> int:
        """The model calls of all runs."""
        return sum(run.calls for run in self.runs)

    @property
    def characters(self) -> int:
        """The characters of all prompts; what the Curator is shown of reflections is not known before, and counts as none."""
        return sum(run.characters for run in self.runs)

    @property
    def tokens(self) -> int:
        """The tokens of all prompts, roughly."""
        return round(self.characters / self.characters_a_token)


def dry_run(
    folder: FolderBook,
    traces: Sequence[Trace] | Traces,
    *,
    settings: ACESettings | None = None,
    model: str = "served",
    again: bool = False,
    limit: int | None = None,
    max_tokens: int | None = None,
    take_block: bool = False,
) -> Plan:
    """What `learn` would do with these arguments. `model` is the name of the model: a run that was too long for it would be left
    out. Asks nothing, takes no lock and writes nothing. Raises as `learn` does before its first step.
    """
    settings = settings or ACESettings()
    replaced = folder.see_blocks(take=take_block, write=False)
    source, playbook = traces if isinstance(traces, Traces) else _Held(traces), folder.playbook()
    planned: list[PlannedRun] = []
    with folder.index(in_memory=True) as index:
        left, passed = unread(
            index.ahead(source.listed()),
            index.past,
            index.tried,
            settings,
            model,
            again=again,
            triaged=limit is not None or max_tokens is not None,
        )
        chosen = first(left, limit)
        runs = [one.place for one in chosen if one.is_run]
        for trace in filter(None, source.read(runs)):
            calls = _calls(playbook, settings, trace, Past() if again else index.past(trace))
            characters = sum(len(request_of(call).prompt) for call in calls)
            redacted = sum(part.count(PLACEHOLDER) for part in calls[0].parts.values()) if calls else 0
            planned.append(PlannedRun(trace.id, trace.score, len(calls), characters, redacted))
    measured = _characters_a_token(folder)
    return Plan(
        runs=tuple(planned),
        passed_over=passed,
        middle=len(chosen) - len(runs),
        later=sum(one.is_run for one in left) - len(runs),
        characters_a_token=measured or CHARACTERS_A_TOKEN,
        is_guessed=measured is None,
        replaced=replaced,
    )


def _calls(playbook: Playbook, settings: ACESettings, trace: Trace, past: Past) -> list[ModelCall]:
    """The calls that reading the run would take, the reflection in the second counted as nothing."""
    step = run_step(playbook, [trace], settings, pasts=[past])
    calls: list[ModelCall] = []
    try:
        batch = next(step)
        while True:
            calls += batch
            batch = step.send(('{"key_insight": "", "operations": []}',) * len(batch))
    except StopIteration:
        return calls


_LOOKED_AT = 20
"""Of the records of steps, the newest."""


def _characters_a_token(folder: FolderBook) -> float | None:
    """How many characters of a prompt made a token in this folder's calls, as far as the endpoint told."""
    characters = tokens = 0
    paths = sorted((folder.root / "steps").glob("*/calls.json"), key=lambda path: path.stat().st_mtime)
    for path in paths[-_LOOKED_AT:]:
        with suppress(TraceError):
            for call in load_calls(path):
                if call.prompt and call.usage and call.usage.input_tokens:
                    characters, tokens = characters + len(call.prompt), tokens + call.usage.input_tokens
    return characters / tokens if tokens else None
