"""`ace learn`: options in, steps over the runs that the log has not read yet, and what came of them out."""

from __future__ import annotations

import shlex
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ace.adapters.cli.asked import check_of, configured, goes_to, model_name, model_of, settings_of
from ace.adapters.cli.check import command_check
from ace.adapters.cli.choosing import Files, read_files
from ace.adapters.cli.cost import NO_END, print_cost, print_unknown_keys
from ace.adapters.cli.folder import new_folder, remember, tell_includes, tell_replaced
from ace.adapters.cli.telling import amiss, found, print_diff, progress, say, tell
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.index import opened
from ace.domain.errors import AceError, EndpointError
from ace.domain.summary import count, plural, sentence
from ace.learning import GIVE_UP_AFTER, Learning, Report, StepDone, first, unread

__all__ = ["run", "steps"]


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
            left, passed = unread(index, files.traces, settings, model_name(options), again=options.again)
        _tell_passed_over(passed, len(files.traces))
        print_cost(folder, settings, first(left, options.limit), goes_to(options))
        print_unknown_keys(files.unknown_keys)
        return _told_amiss(files)
    model = model_of(options)
    tell_includes(folder)
    learning = Learning(
        folder,
        files.traces,
        model=model,
        settings=settings,
        check=None if check is None else command_check(check, options.check_from),
        runs_per_step=options.runs_per_step,
        again=options.again,
        limit=options.limit,
        max_tokens=options.max_tokens_total,
        take_block=options.take_block,
    )
    with learning:
        remember(folder, options.rules)
        _tell_passed_over(learning.passed_over, len(files.traces))
        status = steps(learning, goes_to=goes_to(options), verbose=options.verbose)
    return _told_amiss(files) or status


def steps(learning: Learning, *, goes_to: str = "", verbose: bool = False) -> int:
    """Make the steps of what was begun, tell progress and outcome, and return the exit status. `goes_to` is the host that runs are
    sent to, empty if they are sent nowhere.
    """
    _tell_begin(learning, goes_to)
    try:
        for done in learning:
            _tell_step(done, verbose=verbose)
    except BaseException:
        # Whatever ends the command: what the finished steps did is told before.
        _conclude_if_any(learning.report(), learning)
        raise
    report = learning.report()
    if report.gave_up == "unreachable":
        _conclude_if_any(report, learning)
        raise EndpointError(report.error)
    if report.gave_up:
        say(_given_up(report, learning))
    say("")
    _conclude(report, learning)
    if report.later:
        print(f"Left for later by --limit: {plural(report.later, 'run')}.")
    return 0 if report.is_done else 1


def _tell_begin(learning: Learning, goes_to: str) -> None:
    tell_replaced(learning.replaced)
    if learning.put_in_order:
        say("The folder was put in order first: snapshot and block are as the log has them.")
    if goes_to and learning.traces and learning.folder.log.last() is None:
        say(f"{plural(len(learning.traces), 'run')} of yours will be sent to {goes_to}.")


def _tell_step(done: StepDone, *, verbose: bool) -> None:
    head = progress(done.before, done.total, done.runs)
    if done.record is None:
        say(f"{head}: failed. {done.error}")
        return
    say(f"{head}: {found(done.record)}")
    for remark in done.remarks:
        say(f"{head}: {remark}.")
    if verbose:
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
            f"{passed} of {total} traces are passed over: the log has read them already (--again reads them anew)."
        )


def _told_amiss(files: Files) -> int:
    """Print what of the files could not be read; returns the exit status that says so."""
    for told in files.unreadable:
        tell(f"Not read: {told}.")
    if files.flaws:
        tell(f"Not read: {plural(files.flaws, 'place')} in the files, named at the beginning.")
    return 1 if files.unreadable or files.flaws else 0


def _conclude(report: Report, learning: Learning) -> None:
    """Print what came of the command."""
    print(sentence(count(report.events)) + ".")
    for told in amiss(report.events):
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
    if report.calls:
        print(f"Asked: {learning.model.told()}.")
    folder = learning.folder
    print_diff(report.block_before, report.block_after, folder.rules_files[0])
    tell(
        f"Rules: {folder.told_rules()}   records: {folder.root / 'steps'}   "
        f"`ace show --work {shlex.quote(str(folder.root))}` shows the playbook."
    )


def _given_up(report: Report, learning: Learning) -> str:
    """Why the rest of the runs is left for later."""
    match report.gave_up:
        case "budget":
            return "The budget of tokens (--max-tokens-total) is spent: the rest is left for later."
        case "nothing usable":
            return (
                f"Stopped: the first {learning.patience.in_a_row} calls brought nothing usable. What was not asked is left for "
                f"later; calls.json under {learning.folder.root / 'steps'} holds what came. A model that does not keep to the "
                "asked JSON may do so with --schema on, or it is too small for this."
            )
        case "refused":
            return f"The check refused {GIVE_UP_AFTER} steps one after the other: the rest is left for later."
        case _:
            return f"{GIVE_UP_AFTER} steps failed one after the other: the rest is left for later."
