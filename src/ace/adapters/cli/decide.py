"""What a person decides about lessons: shown first, asked on a terminal, done, and how to take it back."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterator

from ace.adapters.cli.asking import ended_before, see_that_somebody_is_asked, written
from ace.adapters.cli.check import command_check
from ace.adapters.cli.folder import command_on, folder_of, remember
from ace.adapters.cli.output import tell, told_edits, told_waiting
from ace.adapters.store.config import project_of, read_config
from ace.adapters.store.folder_book import FolderBook
from ace.deciding import (
    Decision,
    accept,
    add,
    adopt_block,
    carry_out,
    remove,
    revert,
    rewind,
    reword,
)
from ace.domain.changes import Change, changes
from ace.domain.playbook import id_named
from ace.domain.summary import plural
from ace.domain.waiting import waiting_in
from ace.method import Check

__all__ = [
    "adopt_from_block",
    "check_of",
    "decide",
    "run",
    "told_changes",
]


def run(options: Namespace) -> int:
    """Run the command of that name."""
    if getattr(options, "reef", None) is not None:
        from ace.adapters.cli import ordering  # noqa: PLC0415 - what speaks HTTP is slow to import

        return ordering.run(options)
    folder = folder_of(options)
    again = (lambda: _decision(options, folder)) if folder.is_shared else None
    return decide(options, folder, _decision(options, folder), again=again)


def adopt_from_block(options: Namespace, folder: FolderBook) -> int:
    """`ace adopt --from-block FILE`."""
    decision = adopt_block(folder, options.from_block, why=options.reason or "")
    return decide(options, folder, decision)


def _decision(options: Namespace, folder: FolderBook) -> Decision:
    why = options.reason or ""
    match options.command:
        case "remove":
            return remove(folder, options.bullets, why=why)
        case "accept":
            return accept(folder, options.bullets or None, leave=options.leave, why=why)
        case "reword":
            options.text = _reworded(options, folder)
            return reword(folder, options.bullet, options.text, why=why)
        case "add":
            options.text = written("add", "", options.text)
            return add(folder, options.text, section=options.section, why=why)
        case "revert":
            return revert(folder, options.seq, why=why)
        case _:
            return rewind(folder, options.seq, why=why)


def decide(
    options: Namespace,
    folder: FolderBook,
    decision: Decision,
    *,
    again: Callable[[], Decision] | None = None,
) -> int:
    """Show what a decision comes to, ask if somebody is there, and do it; returns the exit status. Raises `AceError`."""
    check = check_of(options, folder)
    see_that_somebody_is_asked(options)
    for line in _told(decision):
        tell(line)
    for remark in decision.passed_over:
        tell(f"Not taken up: {remark}.")
    if decision.command != "adopt --from-block":
        for line in told_edits(decision.edited):
            tell(line)
    if (status := ended_before(options, "done")) is not None:
        return status
    done = carry_out(folder, decision, check=check, again=again)
    remember(folder, options.rules)
    bullets = plural(len(done.playbook.bullets), "bullet")
    tell(f"Done, as line {done.record.seq} of the log: {bullets}. The block is in {folder.told_rules()}.")
    if left := told_waiting(waiting_in(decision.after, decision.shown)):
        tell(f"{left[:1].upper()}{left[1:]}.")
    back = f"rewind {decision.seq}" if decision.command == "rewind" else f"revert {done.record.seq}"
    if decision.events:  # what has none was accepted in a line that changes no lesson
        tell(f"{command_on(folder, back)} takes it back.")
    return 0


def check_of(options: Namespace, folder: FolderBook) -> Check | None:
    """The command that may refuse the rules: the one that is given, or the configuration's. Raises as `read_config` does."""
    command, where = options.check, None
    if command is None:
        config = read_config(folder.root)
        command, where = config.check, project_of(folder.root)
    return None if command is None else command_check(command, where)


def _told(decision: Decision) -> Iterator[str]:
    """What is different in the playbook; and in the rules, where that is not the same since lessons wait for a review."""
    of_playbook = changes(decision.before, decision.after)
    of_rules = changes(decision.shown_before, decision.shown)
    if of_playbook == of_rules:
        yield from told_changes(of_playbook)
        return
    yield "In the rules:"
    yield from told_changes(of_rules)
    others = tuple(one for one in of_playbook if one not in of_rules)
    if others:
        yield "In the playbook, of which the rules do not show all:"
        yield from told_changes(others)


_MARKS = {"added": "+", "removed": "-", "reworded": "~", "counted": "="}


def told_changes(found: tuple[Change, ...]) -> Iterator[str]:
    """What is different, a line or two for each lesson."""
    for change in found:
        one = change.after or change.before
        if one is None:
            continue
        yield f"{_MARKS[change.kind]} [{one.id}] helpful={one.helpful} harmful={one.harmful} :: {one.content}"
        before = change.before
        if change.kind == "reworded" and before is not None:
            yield f"    before: {before.content}"
        if change.kind == "counted" and before is not None:
            yield f"    before: helpful={before.helpful} harmful={before.harmful}"
    if not found:
        yield "No lesson changes."


def _reworded(options: Namespace, folder: FolderBook) -> str:
    identifier = id_named(options.bullet)
    found = next((one.content for one in folder.playbook().bullets if one.id == identifier), None)
    # `reword` says what is wrong with an id that is not there.
    return "" if found is None else written("reword", found, options.text)
