"""`ace learn`: steps over the runs that the log has not read yet, telling what each of them found."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from pathlib import Path

from ace.adapters.ace import ACE
from ace.adapters.cli.asked import check_of, configured, goes_to, model_name, model_of, settings_of
from ace.adapters.cli.choosing import Files, Unread, first, read_files, unread
from ace.adapters.cli.cost import NO_END, print_cost, print_unknown_keys
from ace.adapters.cli.folder import new_folder, remember, tell_includes, tell_replaced
from ace.adapters.cli.host import Host
from ace.adapters.cli.metered import Metered
from ace.adapters.cli.telling import amiss, found, print_diff, progress, say, tell
from ace.adapters.files import lock, read_bytes
from ace.adapters.folder import Folder
from ace.adapters.index import opened
from ace.adapters.method import Model, StepResult
from ace.domain.errors import AceError, EndpointError, StepError
from ace.domain.patience import Patience
from ace.domain.rules import block_in
from ace.domain.settings import ACESettings
from ace.domain.summary import count, plural, sentence
from ace.domain.trace import Trace, is_run
from ace.domain.unread import TRIES, identity
from ace.events.types import Event, Identity, RunRead, RunSkipped, StepRecord

__all__ = ["learn", "run"]

_GIVE_UP_AFTER = 3
"""How many steps may fail, or be refused, one after the other before the rest is left."""


def run(options: Namespace) -> int:
    """Run the command; see its help for the exit status."""
    folder, config = new_folder(options)
    settings, options = settings_of(options, config), configured(options, config)
    check = check_of(options)
    if not options.traces:
        raise AceError(
            f"there is nothing to learn from: name files of recorded runs, or `traces` in {config.path}"
        )
    _see_no_traces(folder, options.traces)
    files = read_files(options.traces, options.format)
    if options.dry_run:
        tell_replaced(folder.see_blocks(take=options.take_block, write=False))
        with opened(folder.log, folder.cache, in_memory=True) as index:
            left = unread(index, files.traces, settings, model_name(options), again=options.again)
        print_cost(folder, settings, first(left, options.limit), goes_to(options))
        print_unknown_keys(files.unknown_keys)
        return _told_amiss(files)
    model = Metered(model_of(options), options.max_tokens_total)
    tell_includes(folder)
    learner = _Learner(
        folder,
        ACE(settings),
        Host(model, check, options.check_from),
        model,
        goes_to=goes_to(options),
        verbose=options.verbose,
    )
    with _alone(folder):
        tell_replaced(folder.see_blocks(take=options.take_block))
        remember(folder, options.rules)
        status = learner.learn(files.traces, options.runs_per_step, again=options.again, limit=options.limit)
    return _told_amiss(files) or status


def _told_amiss(files: Files) -> int:
    """Print what of the files could not be read; returns the exit status that says so."""
    for told in files.unreadable:
        tell(f"Not read: {told}.")
    if files.flaws:
        tell(f"Not read: {plural(files.flaws, 'place')} in the files, named at the beginning.")
    return 1 if files.unreadable or files.flaws else 0


def learn(folder: Folder, settings: ACESettings, model: Model, traces: Sequence[Trace]) -> int:
    """Step over the traces, one run a step; print progress and the outcome. Returns the command's exit status."""
    metered = Metered(model)
    learner = _Learner(folder, ACE(settings), Host(metered), metered)
    with _alone(folder):
        return learner.learn(traces, 1, again=False, limit=None)


def _alone(folder: Folder) -> AbstractContextManager[None]:
    """A step has a lock of its own; this one keeps a second command from learning the same runs in between."""
    return lock(folder.root / "learn.lock", f"process {os.getpid()} (ace learn)")


def _see_no_traces(folder: Folder, traces: Sequence[Path]) -> None:
    """See that no rules file is named as traces. Raises `AceError`."""
    named = {path.resolve() for path in traces}
    for path in folder.rules:
        if path.resolve() in named:
            raise AceError(f"{path} is named as traces and as rules: name the file that the agent reads")


class _Learner:
    """The steps of one command: the events of those that count, and the runs that are left. `goes_to` is the host that runs
    are sent to, empty if they are sent nowhere.
    """

    def __init__(
        self,
        folder: Folder,
        method: ACE,
        host: Host,
        model: Metered,
        *,
        goes_to: str = "",
        verbose: bool = False,
    ) -> None:
        self.folder = folder
        self.method = method
        self.host = host
        self.model = model
        self.goes_to = goes_to
        self.verbose = verbose
        self.patience = Patience()
        self.traces: list[Trace] = []
        self.events: list[Event] = []
        self.failed: list[Identity] = []
        self.refused: list[str] = []
        self.untried: list[str] = []

    def learn(self, traces: Sequence[Trace], runs_per_step: int, *, again: bool, limit: int | None) -> int:
        before = self._block()
        if self.method.settle(self.folder.context("settle"), self.host):
            say("The folder was put in order first: snapshot and block are as the log has them.")
        with opened(self.folder.log, self.folder.cache) as index:
            left = unread(index, traces, self.method.settings, self.host.model_name, again=again)
        later = sum(is_run(one.trace) for one in left)
        left = first(left, limit)
        later -= sum(is_run(one.trace) for one in left)
        self.traces = [one.trace for one in left if is_run(one.trace)]
        if self.goes_to and self.traces and self.folder.log.last() is None:
            say(f"{plural(len(self.traces), 'run')} of yours will be sent to {self.goes_to}.")
        try:
            self._steps(list(_batches(left, self._most(runs_per_step))), again=again)
        except BaseException:
            # Whatever ends the command: what the finished steps did is told before.
            if self.events:
                self._conclude(before)
            raise
        say("")
        left_over = self._conclude(before)
        if later:
            print(f"Left for later by --limit: {plural(later, 'run')}.")
        read = any(isinstance(event, RunRead) for event in self.events)
        return 1 if left_over or (self.traces and not read) else 0

    def _most(self, runs_per_step: int) -> int:
        """How many runs a step gets: no more than it reads."""
        return min(runs_per_step, self.method.settings.max_traces_per_step or runs_per_step)

    def _steps(self, batches: Sequence[Sequence[Trace]], *, again: bool) -> None:
        ids = [[trace.id for trace in batch if is_run(trace)] for batch in batches]
        total = sum(map(len, ids))
        done = in_a_row = refusals = 0
        for index, batch in enumerate(batches):
            head = progress(done, total, ids[index])
            done += len(ids[index])
            context = self.folder.context(
                self.folder.next_record(), batch, again=again, patience=self.patience
            )
            try:
                result = self.method.step(context, self.host)
            except StepError as error:
                say(f"{head}: failed. {error}")
                self.failed += [identity(trace) for trace in batch if is_run(trace)]
                in_a_row += 1
            else:
                say(f"{head}: {found(result.record)}")
                for remark in result.remarks:
                    say(f"{head}: {remark}.")
                self._keep(result, ids[index])
                in_a_row = 0
                refusals = refusals + 1 if result.outcome == "refused" else 0
                if result.stopped is not None and result.stopped.lasting and not self.model.is_spent:
                    self.untried = list(chain(*ids[index + 1 :]))
                    raise EndpointError(result.stopped.reason)
            if self.model.is_spent and done < total:
                self.untried = list(chain(*ids[index + 1 :]))
                say("The budget of tokens (--max-tokens-total) is spent: the rest is left for later.")
                return
            if self.patience.is_spent or (_GIVE_UP_AFTER in (in_a_row, refusals) and done < total):
                self.untried = list(chain(*ids[index + 1 :]))
                say(_given_up(self.patience, refusals, self.folder.root))
                return

    def _keep(self, result: StepResult, runs: Sequence[str]) -> None:
        if self.verbose:
            _print_notes(result.record)
        if result.outcome == "refused":
            self.refused += runs
            return
        self.events += result.record.events
        # The runs for which the Reflector's call failed are still to be read.
        self.failed += [
            (event.trace, event.task_digest)
            for event in result.record.events
            if isinstance(event, RunSkipped) and event.reason == "failed call"
        ]

    def _without_an_end(self) -> list[str]:
        """The traces without score and reply of which no whole run was seen."""
        runs = {event.trace for event in self.events if isinstance(event, RunRead)}
        skipped = (event for event in self.events if isinstance(event, RunSkipped))
        return [
            event.trace for event in skipped if event.reason == "middle of a run" and event.trace not in runs
        ]

    def _left(self) -> tuple[dict[str, list[str]], list[str]]:
        """The runs of which the same command can do what is left, by what that is; and those that are too long for the model."""
        with opened(self.folder.log, self.folder.cache) as index:
            tried = {identity(trace): index.tried(trace) for trace in self.traces}
            pasts = {identity(trace): index.past(trace) for trace in self.traces}
        pending = [run for run, past in pasts.items() if past.pending is not None]
        too_long = {run for run in (*self.failed, *pending) if (last := tried.get(run)) and last.too_long}
        unusable = [
            event.trace
            for event in self.events
            if isinstance(event, RunSkipped) and event.reason == "unusable reply" and event.attempt < TRIES
        ]
        left = {
            "Failed": [run[0] for run in self.failed if run not in too_long],
            "Refused by the check": self.refused,
            "Not tried": self.untried,
            "Not understood": unusable,
            "Read, with the Curator still to be asked": [run[0] for run in pending if run not in too_long],
        }
        return left, [run for run, _ in sorted(too_long)]

    def _conclude(self, before: str) -> bool:
        """Print what came of the command; returns whether anything is left to be done by the next one."""
        print(sentence(count(self.events)) + ".")
        for told in amiss(self.events):
            print(f"  {told}")
        if middle := self._without_an_end():
            print(f"Passed over: {', '.join(middle)}. {NO_END}")
        left, too_long = self._left()
        for title, ids in left.items():
            if ids:
                print(f"{title}, and can be tried again with the same command: {', '.join(ids)}.")
        if too_long:
            print(
                f"Too long for this model: {', '.join(too_long)}. They are passed over until less of them would be shown "
                "(--set max_trace_characters=…) or another model is named."
            )
        if self.model.calls:
            print(f"Asked: {self.model.told()}.")
        root = self.folder.root
        print_diff(before, self._block(), self.folder.rules[0])
        tell(
            f"Rules: {self.folder.told_rules()}   records: {root / 'steps'}   `ace show --work {shlex.quote(str(root))}` shows the playbook."
        )
        return any(left.values())

    def _block(self) -> str:
        return block_in(read_bytes(self.folder.rules[0]) or b"").decode(errors="replace")


def _print_notes(record: StepRecord) -> None:
    from ace.adapters.notes import print_notes  # noqa: PLC0415 - the console renderer is slow to import

    print_notes(record)


def _given_up(patience: Patience, refusals: int, root: Path) -> str:
    """Why the rest of the runs is left for later."""
    if patience.is_spent:
        return (
            f"Stopped: the first {patience.in_a_row} calls brought nothing usable. What was not asked is left for later; "
            f"calls.json under {root / 'steps'} holds what came. A model that does not keep to the asked JSON may do so with "
            "--schema on, or it is too small for this."
        )
    if refusals:
        return f"The check refused {refusals} steps one after the other: the rest is left for later."
    return f"{_GIVE_UP_AFTER} steps failed one after the other: the rest is left for later."


def _batches(unread: Sequence[Unread], runs_per_step: int) -> Iterator[list[Trace]]:
    """The traces in steps of so many runs; a call in the middle of a run goes along with the run behind it."""
    batch: list[Trace] = []
    runs = 0
    for trace, _ in unread:
        batch.append(trace)
        runs += is_run(trace)
        if runs == runs_per_step:
            yield batch
            batch, runs = [], 0
    if batch:
        yield batch
