"""`ace learn`: steps over the runs that the log has not read yet, telling what each of them found."""

from __future__ import annotations

import difflib
import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from ace.adapters.ace import ACE
from ace.adapters.cli.folder import Folder, Host
from ace.adapters.files import lock, read_bytes
from ace.adapters.log import Log
from ace.adapters.method import Model
from ace.adapters.models import RecordedModel, endpoint, load_calls
from ace.adapters.prompts import fill
from ace.adapters.state import SNAPSHOT, read_snapshot
from ace.adapters.traces import read_traces
from ace.domain.errors import AceError, SettingsError, StepError
from ace.domain.playbook import Playbook
from ace.domain.rules import find_block
from ace.domain.settings import ACESettings, parse_settings
from ace.domain.step import run_step
from ace.domain.summary import count, sentence, tell
from ace.domain.trace import Trace, is_run
from ace.events.types import Event, RunRead, RunSkipped, StepRecord

__all__ = ["learn", "run"]

_GIVE_UP_AFTER = 3
"""How many steps may fail one after the other before the rest is left: the endpoint is down."""


def run(options: Namespace) -> int:
    """Run the command; see its help for the exit status."""
    settings = parse_settings(dict(map(_assignment, options.set)))
    folder = Folder(options.work, options.rules)
    traces = _read(options.traces, options.format)
    if options.dry_run:
        return _dry_run(folder, settings, traces, again=options.again)
    model = _model(options)
    return learn(
        folder,
        settings,
        Host(model, options.check),
        traces,
        runs_per_step=options.runs_per_step,
        again=options.again,
        verbose=options.verbose,
    )


def learn(
    folder: Folder,
    settings: ACESettings,
    host: Host,
    traces: Sequence[Trace],
    *,
    runs_per_step: int = 1,
    again: bool = False,
    verbose: bool = False,
) -> int:
    """Step over the traces, print progress and the outcome. Returns the command's exit status."""
    # A step has a lock of its own; this one keeps a second command from learning the same runs in between.
    with lock(folder.root / "learn.lock", f"process {os.getpid()} (ace learn)"):
        method = ACE(settings)
        if method.settle(folder.context("settle"), host):
            _say("The folder was put in order first: snapshot and block are as the log has them.")
        before = _block(folder)
        fresh = _fresh(folder.log, traces, again=again)
        tally = _steps(folder, method, host, fresh, runs_per_step, verbose=verbose)
    _say("")
    _conclude(folder, tally, before)
    return 1 if tally.failed or tally.untried or tally.refused else 0


class _Tally:
    """What the steps of one command came to: the events of those that count, and the runs that are left."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.failed: list[str] = []
        self.refused: list[str] = []
        self.untried: list[str] = []


def _steps(
    folder: Folder, method: ACE, host: Host, traces: Sequence[Trace], runs_per_step: int, *, verbose: bool
) -> _Tally:
    tally = _Tally()
    total = sum(map(is_run, traces))
    done = in_a_row = 0
    batches = list(_batches(traces, runs_per_step))
    for index, batch in enumerate(batches):
        runs = [trace.id for trace in batch if is_run(trace)]
        head = _progress(done, len(runs), total, runs)
        done += len(runs)
        try:
            result = method.step(folder.context(folder.next_record(), batch), host)
        except StepError as error:
            _say(f"{head}: failed. {error}")
            tally.failed += runs
            in_a_row += 1
            if in_a_row == _GIVE_UP_AFTER and index + 1 < len(batches):
                tally.untried = [
                    trace.id for later in batches[index + 1 :] for trace in later if is_run(trace)
                ]
                _say(f"{in_a_row} steps failed one after the other: the rest is left for later.")
                break
            continue
        in_a_row = 0
        _say(f"{head}: {_found(result.record)}")
        if verbose:
            _print_notes(result.record)
        if result.outcome == "refused":
            tally.refused += runs
        else:
            tally.events += result.record.events
            tally.failed += _unreached(result.record.events)
    return tally


def _unreached(events: Iterable[Event]) -> list[str]:
    """The runs of a step for which the Reflector's call failed: those are still to be read."""
    return [
        event.trace for event in events if isinstance(event, RunSkipped) and event.reason == "failed call"
    ]


def _progress(done: int, runs: int, total: int, ids: Sequence[str]) -> str:
    span = f"{done + 1}" if runs <= 1 else f"{done + 1}-{done + runs}"
    shown = ids[0] if ids else "no run"
    more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
    return f"[run {span} of {total}] {shown}{more}" if ids else "[no run]"


def _found(record: StepRecord) -> str:
    if record.outcome == "refused":
        return f"refused by the check: {record.reason}"
    return sentence(count(record.events)) + "".join(f" ({told})" for told in _amiss(record.events))


def _amiss(events: Iterable[Event]) -> Iterator[str]:
    """What a person should know of the runs that taught less than they could have."""
    for event in events:
        if isinstance(event, RunSkipped) and event.reason != "middle of a run":
            yield f"skipped {tell(event)}"
        elif isinstance(event, RunRead) and event.curation != "used":
            yield f"no bullets from {event.trace}: the Curator's {event.curation}, {event.reason}"


def _print_notes(record: StepRecord) -> None:
    from ace.adapters.notes import print_notes  # noqa: PLC0415 - the console renderer is slow to import

    print_notes(record)


def _batches(traces: Sequence[Trace], runs_per_step: int) -> Iterator[list[Trace]]:
    """The traces in steps of so many runs; a call in the middle of a run goes along with the run behind it."""
    batch: list[Trace] = []
    runs = 0
    for trace in traces:
        batch.append(trace)
        runs += is_run(trace)
        if runs == runs_per_step:
            yield batch
            batch, runs = [], 0
    if batch:
        yield batch


# --- which runs ----------------------------------------------------------------------------------------------------


def _read(paths: Iterable[Path], named: str | None) -> list[Trace]:
    traces: dict[str, Trace] = {}
    for path in paths:
        reading = read_traces(path, named)  # type: ignore[arg-type]  # the parser admits the formats alone
        for flaw in reading.unreadable:
            _say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        for trace in reading.traces:
            if trace.id in traces:
                _say(f"{path}: run {trace.id} is passed over: a file before it has a run of that id")
            else:
                traces[trace.id] = trace
    return list(traces.values())


def read_already(log: Log) -> set[str]:
    """The ids of traces that need not be read again. A run whose Reflector was not reached, or that was over a limit,
    and all runs of a refused step, are still to be read.
    """
    return {
        event.trace
        for record in log.records()
        if record.outcome == "committed"
        for event in record.events
        if isinstance(event, RunRead)
        or (isinstance(event, RunSkipped) and event.reason in ("middle of a run", "unusable reply"))
    }


def _fresh(log: Log, traces: Sequence[Trace], *, again: bool) -> list[Trace]:
    known = set() if again else read_already(log)
    fresh = [trace for trace in traces if trace.id not in known]
    passed = len(traces) - len(fresh)
    if passed:
        _say(
            f"{passed} of {len(traces)} traces are passed over: the log has read them already (--again reads them anew)."
        )
    return fresh


# --- settings and model ---------------------------------------------------------------------------------------------


def _assignment(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise SettingsError(f"--set takes KEY=VALUE, such as max_bullets=50, not {text!r}")
    try:
        return key.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return key.strip(), value


def _model(options: Namespace) -> Model:
    live = {"--base-url": options.base_url, "--model": options.model, "--api-key-env": options.api_key_env}
    if options.replies is None:
        if options.strict:
            raise AceError("--strict goes with --replies: leave one out or add the other")
        return endpoint(
            options.base_url, options.model, options.api_key_env, os.environ, timeout_s=options.timeout
        )
    if given := [name for name, value in live.items() if value is not None]:
        raise AceError(f"--replies answers in place of a model: leave out {given[0]}, or leave out --replies")
    return RecordedModel(load_calls(options.replies), strict=options.strict, on_difference=_say)


# --- what it would cost ---------------------------------------------------------------------------------------------


def _dry_run(folder: Folder, settings: ACESettings, traces: Sequence[Trace], *, again: bool) -> int:
    fresh = _fresh(folder.log, traces, again=again)
    runs = [trace for trace in fresh if is_run(trace)]
    total = 0
    for trace in runs:
        characters = _prompt_characters(folder, settings, trace)
        total += characters
        score = "no score" if trace.score is None else f"score {trace.score:g}"
        print(f"{trace.id}  {score}  2 calls, about {characters:,} characters")
    middle = len(fresh) - len(runs)
    told = f", {middle} calls in the middle of a run passed over" if middle else ""
    print(
        f"{len(runs)} runs, {2 * len(runs)} model calls, about {total:,} characters of prompts{told}. Nothing was asked."
    )
    return 0


def _prompt_characters(folder: Folder, settings: ACESettings, trace: Trace) -> int:
    """The characters of both prompts, the reflection in the second counted as nothing."""
    playbook = read_snapshot(folder.state / SNAPSHOT) or Playbook()
    step = run_step(playbook, [trace], settings, outside={}, step=0)
    (first,) = next(step)
    (second,) = step.send(('{"key_insight": ""}',))
    return len(fill(first.role, first.parts)) + len(fill(second.role, second.parts))


# --- telling --------------------------------------------------------------------------------------------------------


def _conclude(folder: Folder, tally: _Tally, before: str) -> None:
    counts = count(tally.events)
    print(sentence(counts).capitalize() + ".")
    for told in _amiss(tally.events):
        print(f"  {told}")
    left = (("Failed", tally.failed), ("Refused by the check", tally.refused), ("Not tried", tally.untried))
    for title, ids in left:
        if ids:
            print(f"{title}, and can be tried again with the same command: {', '.join(ids)}.")
    _print_diff(before, _block(folder), folder.rules)
    print(
        f"Rules: {folder.rules}   records: {folder.root / 'steps'}   `ace show --work {folder.root}` shows the playbook."
    )


def _print_diff(before: str, after: str, rules: Path) -> None:
    if before == after:
        print(f"The block in {rules} is unchanged.")
        return
    print(f"\nWhat changed in the block of {rules}:\n")
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            print(line)
    print()


def _block(folder: Folder) -> str:
    data = read_bytes(folder.rules) or b""
    span = find_block(data)
    return "" if span is None else data[span.start : span.end].decode(errors="replace")


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
