"""`ace replay`, `ace rebuild` and `ace adopt`: what the log says, and the two ways out where the files say otherwise."""

from __future__ import annotations

from argparse import Namespace

from ace.adapters.cli.decide import adopt_from_block
from ace.adapters.cli.folder import folder_of, remember, tell_replaced
from ace.adapters.cli.output import tell
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.learning import adopt, rebuild, verify

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Run the command of that name."""
    folder = folder_of(options)
    if options.command == "adopt" and options.from_block is not None:
        return adopt_from_block(options, folder)
    if options.command == "adopt" and (options.dry_run or options.yes or options.reason):
        raise AceError("--reason, --dry-run and --yes go with --from-block: leave them out, or add that")
    match options.command:
        case "replay":
            return _replay(folder)
        case "rebuild":
            _rebuild(folder, take_block=options.take_block)
        case _:
            _adopt(folder, take_block=options.take_block)
    remember(folder, options.rules)
    return 0


def _replay(folder: FolderBook) -> int:
    found = verify(folder)
    if not found.is_logged:
        print("There is no log yet: the next `ace learn`, or `ace adopt`, takes playbook.json as it is.")
        return 1
    for line in found.differences:
        tell(line)
    if found.differences and folder.owner == "host":
        print("\nThe files are not what the log says. They are the host's: its next step puts them right.")
        return 1
    if found.differences:
        print(
            "\nThe files are not what the log says: `ace rebuild` makes them again, `ace adopt` keeps playbook.json."
        )
        return 1
    bullets = plural(len(found.playbook.bullets), "bullet")
    print(f"{plural(found.lines, 'line')}, {bullets}: chain, snapshot and block are as the log says.")
    return 0


def _rebuild(folder: FolderBook, *, take_block: bool) -> None:
    made = rebuild(folder, take_block=take_block)
    tell_replaced(made.replaced)
    bullets = plural(len(made.playbook.bullets), "bullet")
    tell(
        f"Made again from {plural(made.lines, 'line')} of the log: {bullets}. The block is in {folder.told_rules()}."
    )


def _adopt(folder: FolderBook, *, take_block: bool) -> None:
    taken = adopt(folder, take_block=take_block)
    tell_replaced(taken.replaced)
    if taken.was_known:
        print("The log ends with this playbook already.")
    for event in taken.screened:
        tell(f"Not taken: {sentence_of(event)}.")
    tell(
        f"Adopted {folder.snapshot}: {plural(len(taken.playbook.bullets), 'bullet')}, the next one is number "
        f"{taken.playbook.next_number}. The block is in {folder.told_rules()}."
    )
