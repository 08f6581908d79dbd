"""`ace learn`: options in, steps over the runs that the log has not read yet, and what came of them out."""

from __future__ import annotations

import signal
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path
from threading import current_thread, main_thread
from typing import Any

from ace.adapters.cli.check import command_check
from ace.adapters.cli.choosing import amiss, collection_of, tell_files, tell_open, unknown_keys
from ace.adapters.cli.folder import command_on, new_folder, remember, tell_includes, tell_replaced
from ace.adapters.cli.live import live_line
from ace.adapters.cli.options import check_of, configured, goes_to, model_name, model_of, settings_of
from ace.adapters.cli.outcome import as_json, of_files, of_plan, of_report
from ace.adapters.cli.output import (
    outcome_line,
    print_diff,
    problems,
    progress,
    say,
    say_as_log_lines,
    tell,
    told_edits,
    told_waiting,
)
from ace.adapters.cli.reach import out_of_reach
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError, EndpointError
from ace.domain.screens import safe_excerpt
from ace.domain.settings import ACESettings
from ace.domain.summary import count, plural, sentence
from ace.learning import GIVE_UP_AFTER, Learning, Plan, Report, StepDone, dry_run
from ace.observing import to_error_stream

__all__ = ["run", "steps"]


def run(options: Namespace) -> int:
    """Run the command; see its help for the exit status. With `--quiet` and `--json` the outcome is kept back, to be told only if
    something is amiss, or as JSON, whatever ends the command.
    """
    if options.json and options.verbose:
        raise AceError("--json and --verbose do not go together: events as they happen are --log-format json")
    outcome: dict[str, Any] = {"status": 2}
    if not (options.quiet or options.json):
        with _ended_by_signals():
            return _run(options, outcome)
    said = StringIO()
    try:
        with _ended_by_signals(), redirect_stdout(said):
            status = outcome["status"] = _run(options, outcome)
    except KeyboardInterrupt:
        outcome["status"] = 130
        raise
    except SystemExit as end:
        outcome["status"] = end.code
        raise
    except Exception as error:
        outcome["error"] = str(error)
        raise
    finally:
        if options.json:
            print(as_json(outcome))
        elif outcome["status"]:
            print(said.getvalue(), end="")
    return status


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """Let what ends a job from outside end it as Ctrl-C does: what is whole is told and kept, and no command is left running."""

    def end(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    if current_thread() is not main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(options: Namespace, outcome: dict[str, Any]) -> int:
    """Run the command, and note in `outcome` what it comes to."""
    if options.log_format is not None:
        to_error_stream(options.log_format)
        say_as_log_lines()
    folder, config = new_folder(options)
    folder.wait_s = options.wait
    settings, options = settings_of(options, config, folder), configured(options, config)
    check = check_of(options)
    _tell_fewer_at_once(settings, options.runs_per_step)
    if not options.traces and not options.tools:
        raise AceError(
            "there is nothing to learn from: name files or folders of recorded runs, or an agent with --from, or `traces` or "
            f"`from` in {config.path}"
        )
    _see_no_traces(folder, options.traces)
    collection = collection_of(options)
    if options.dry_run:
        plan = dry_run(
            folder,
            collection,
            settings=settings,
            model=model_name(options),
            again=options.again,
            limit=options.limit,
            max_tokens=options.max_tokens_total,
            take_block=options.take_block,
        )
        outcome |= of_plan(plan, goes_to(options)) | of_files(collection)
        tell_replaced(plan.replaced)
        tell_files(collection)
        _tell_passed_over(plan.passed_over, collection.count)
        tell_open(collection, is_all=not plan.runs and not plan.passed_over)
        _print_plan(plan, goes_to(options))
        _print_unknown_keys(unknown_keys(collection))
        return amiss(collection)
    model = model_of(options)
    tell_includes(folder)
    learning = Learning(
        folder,
        collection,
        model=model,
        settings=settings,
        check=None if check is None else command_check(check, options.check_from),
        runs_per_step=options.runs_per_step,
        again=options.again,
        limit=options.limit,
        max_tokens=options.max_tokens_total,
        take_block=options.take_block,
        review=options.review,
        log_events=options.log_format is not None,
    )
    with ExitStack() as held:
        if isinstance(model, AbstractContextManager):
            held.enter_context(model)  # it ends its connections, or kills what a command still runs
        held.enter_context(learning)
        held.callback(
            lambda: outcome.update(of_report(learning.report(), learning.passed_over) | of_files(collection))
        )
        remember(folder, options.rules)
        tell_files(collection)
        if options.log_format is None and not options.quiet:
            _tell_passed_over(learning.passed_over, collection.count)
        nothing_else = not learning.runs and not learning.passed_over
        if not options.quiet or nothing_else:
            tell_open(collection, is_all=nothing_else)
        is_shown = not (options.quiet or options.verbose or options.log_format)
        status = steps(
            learning,
            goes_to=goes_to(options),
            tell_step=_teller(options),
            live=live_line(learning) if is_shown else None,
        )
    for told in out_of_reach(options.tools, folder.rules_files):
        say(told)
    if nothing_else and collection.open_turns:
        status = 1
    return amiss(collection) or status


def _tell_fewer_at_once(settings: ACESettings, runs_per_step: int | None) -> None:
    """Tell that fewer runs are asked about at once than was set, since a step has no more."""
    most = {"runs_per_step": runs_per_step, "max_traces_per_step": settings.max_traces_per_step}
    name, runs = min(
        ((name, runs) for name, runs in most.items() if runs), key=lambda one: one[1], default=("", 0)
    )
    if 0 < runs < settings.reflections_at_once:
        say(
            f"reflections_at_once is {settings.reflections_at_once}, and a step has at most {plural(runs, 'run')} ({name}): "
            f"{runs} are asked about at once."
        )


NO_END = "No score, and no reply at the end: that is the middle of a run. With a score, a run is read however it ends."
"""Of traces that are passed over so: an agent may end every run with a call of a tool (`submit`), and has no reply then."""


def _print_plan(plan: Plan, goes_to: str) -> None:
    """List the runs with their calls and the characters of their prompts; then what that comes to, and where it would be sent."""
    widest = min(40, max((len(one.run) for one in plan.runs), default=0))
    for one in plan.runs:
        score = "no score" if one.score is None else f"score {one.score:.15g}"
        redacted = f", {plural(one.redacted, 'credential')} redacted" if one.redacted else ""
        tell(
            f"{one.run:<{widest}}  {score}  {plural(one.calls, 'call')}, about {one.characters:,} characters{redacted}"
        )
    middle = f", {plural(plan.middle, 'call')} in the middle of a run passed over" if plan.middle else ""
    print(
        f"{plural(len(plan.runs), 'run')}, {plural(plan.calls, 'model call')}, about {plan.characters:,} characters of "
        f"prompts{middle}. Nothing was asked."
    )
    if plan.middle:
        print(NO_END)
    if plan.runs:
        how = (
            "a guess: English text has 3 to 4.5"
            if plan.is_guessed
            else "as in the earlier calls of this folder"
        )
        where = f"They would be sent to {goes_to}. " if goes_to else ""
        print(
            f"{where}About {plan.tokens:,} tokens of prompts, at {plan.characters_a_token:.1f} characters a token ({how})."
        )


def _print_unknown_keys(keys: Mapping[str, int]) -> None:
    """Name what of the files nobody reads: a score may be called otherwise there."""
    if keys:
        told = ", ".join(f"{safe_excerpt(key, 40)} ({number})" for key, number in sorted(keys.items()))
        print(
            f"Keys and kinds of records that are not known here, and not read: {told}. A score is read from `score`, feedback from "
            "`feedback`."
        )


def steps(
    learning: Learning,
    *,
    goes_to: str = "",
    tell_step: Callable[[StepDone], None] | None = None,
    live: AbstractContextManager[Callable[[int], None]] | None = None,
) -> int:
    """Make the steps of what was begun, tell progress and outcome, and return the exit status. `goes_to` is the host that runs are
    sent to, empty if they are sent nowhere; `tell_step` tells a step that ended, if not a line of progress is to; `live` shows
    meanwhile how many runs are done.
    """
    tell_step = tell_step or _tell_step
    _tell_begin(learning, goes_to)
    try:
        with live or nullcontext(lambda _: None) as show:
            for done in learning:
                tell_step(done)
                show(done.before + len(done.runs))
    except BaseException:
        # Whatever ends the command: what the finished steps did is told before.
        _conclude_if_any(learning.report(), learning)
        if learning.waiting:
            say(
                f"Of the step that did not end, {_replies(learning.waiting)} kept: the same command uses them."
            )
        raise
    report = learning.report()
    if report.gave_up == "unreachable":
        _conclude_if_any(report, learning)
        raise EndpointError(report.error)
    if report.gave_up:
        say(_given_up(report, learning))
    if tell_step is _tell_step:
        say("")
    _conclude(report, learning)
    if report.later:
        print(f"Left for later by --limit: {plural(report.later, 'run')}.")
    return 0 if report.is_done else 1


def _tell_begin(learning: Learning, goes_to: str) -> None:
    tell_replaced(learning.replaced)
    for line in told_edits(learning.edited):
        say(line)
    if learning.put_in_order:
        say("The folder was put in order first: snapshot and block are as the log has them.")
    if goes_to and learning.runs and learning.folder.log.last() is None:
        say(f"{plural(learning.runs, 'run')} of yours will be sent to {goes_to}.")


def _teller(options: Namespace) -> Callable[[StepDone], None]:
    """How a step that ended is told."""
    if options.log_format is not None or options.quiet:
        return lambda _: None  # its events were, or nothing is to be
    return _tell_step_and_notes if options.verbose else _tell_step


def _tell_step(done: StepDone) -> None:
    head = progress(done.before, done.total, done.runs)
    if done.record is None:
        say(f"{head}: failed. {done.error}")
        return
    say(f"{head}: {outcome_line(done.record)}")
    for remark in done.remarks:
        say(f"{head}: {remark}.")


def _tell_step_and_notes(done: StepDone) -> None:
    _tell_step(done)
    if done.record is not None:
        from ace.adapters.store.notes import print_notes  # noqa: PLC0415 - the console renderer is slow to import

        print_notes(done.record)


def _conclude_if_any(report: Report, learning: Learning) -> None:
    if report.events:
        _conclude(report, learning)


def _see_no_traces(folder: FolderBook, traces: Sequence[Path]) -> None:
    """See that no rules file is named as traces. Raises `AceError`."""
    named = {path.resolve() for path in traces}
    for path in folder.rules_files:
        if path.resolve() in named:
            raise AceError(f"{path} is named as traces and as rules: name the file that the agent reads")


def _tell_passed_over(passed: int, total: int) -> None:
    if passed:
        say(
            f"{passed} of {total} traces are passed over: the log has them already (--again reads them again)."
        )


def _conclude(report: Report, learning: Learning) -> None:
    """Print what came of the command."""
    print(sentence(count(report.events)) + ".")
    for told in problems(report.events):
        tell(f"  {told}")
    if report.endless:
        tell(f"Passed over: {', '.join(report.endless)}. {NO_END}")
    left = {
        "Failed": report.failed,
        "Refused by the check": report.refused,
        "Not tried": report.untried,
        "Not understood": report.unusable,
        "Read, with the Curator still to be asked": report.pending,
    }
    for title, ids in left.items():
        if ids:
            tell(f"{title}, and can be tried again with the same command: {', '.join(ids)}.")
    if report.too_long:
        tell(
            f"Too long for this model: {', '.join(report.too_long)}. They are passed over until less of them would be shown "
            "(--set max_trace_characters=…) or another model is named."
        )
    if report.elsewhere:
        tell(
            f"Other workers were reading: {', '.join(report.elsewhere)}. What they leave, this command reads when it is given again."
        )
    if report.calls:
        print(f"Asked: {learning.model.told()}.")
    if report.reused:
        print(f"Not asked again: {_replies(report.reused)} there from a command that was interrupted.")
    folder = learning.folder
    print_diff(report.block_before, report.block_after, folder.rules_files[0])
    if told := told_waiting(folder.waiting()):
        tell(f"Not in the rules yet: {told}.")
    tell(
        f"Rules: {folder.told_rules()}   records: {folder.root / 'steps'}   "
        f"{command_on(folder, 'show')} shows the playbook."
    )


def _replies(number: int) -> str:
    return "1 reply is" if number == 1 else f"{number} replies are"


def _given_up(report: Report, learning: Learning) -> str:
    """Why the rest of the runs is left for later."""
    match report.gave_up:
        case "budget":
            return "The budget of tokens (--max-tokens-total) is spent: the rest is left for later."
        case "nothing usable":
            return (
                f"Stopped: the first {learning.patience.in_a_row} calls brought nothing usable. What was not asked is left for "
                f"later; calls.json under {learning.folder.root / 'steps'} holds what came. A model that does not keep to the "
                "asked JSON may do so with --schema on ({schema} in a command), or it is too small for this."
            )
        case "refused":
            return f"The check refused {GIVE_UP_AFTER} steps one after the other: the rest is left for later."
        case _:
            return f"{GIVE_UP_AFTER} steps failed one after the other: the rest is left for later."
