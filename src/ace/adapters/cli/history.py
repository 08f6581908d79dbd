"""`ace verify`, `ace replay`, `ace rebuild` and `ace adopt`: what the log says, and the two ways out where the files say otherwise."""

from __future__ import annotations

from argparse import Namespace

from ace.adapters.cli.decide import adopt_from_block
from ace.adapters.cli.folder import folder_of, remember, tell_replaced
from ace.adapters.cli.output import tell
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.learning import Verification, adopt, rebuild, verify

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Run the command of that name."""
    folder = folder_of(options)
    if options.command == "adopt" and options.from_block is not None:
        return adopt_from_block(options, folder)
    if options.command == "adopt" and (options.dry_run or options.yes or options.reason):
        raise AceError("--reason, --dry-run and --yes go with --from-block: leave them out, or add that")
    match options.command:
        case "replay" | "verify":
            return _verify(folder, thorough=options.command == "verify")
        case "rebuild" if options.dry_run:
            return _would_rebuild(folder, take_block=options.take_block)
        case "rebuild":
            _rebuild(folder, take_block=options.take_block)
        case _:
            _adopt(folder, take_block=options.take_block)
    remember(folder, options.rules)
    return 0


def _verify(folder: FolderBook, *, thorough: bool) -> int:
    found = verify(folder, thorough=thorough)
    if not found.is_logged:
        print("There is no log yet: the next `ace learn`, or `ace adopt`, takes playbook.json as it is.")
        return 1
    for line in found.differences:
        tell(line)
    if found.differences and folder.owner == "host":
        print("\nThe files differ from the log. They are the host's: its next step restores them.")
    elif found.differences and folder.is_shared:
        print(
            "\nThis differs from the log: `ace book rebuild` (for the book's owner) restores it, and `ace pull` the block here."
        )
    elif found.differences:
        print(
            "\nplaybook.json or the block differs from the log: `ace rebuild` restores both from the log, `ace adopt` accepts playbook.json."
        )
    _tell_records(folder, found)
    if not found.agrees:
        return 1
    bullets = plural(len(found.playbook.bullets), "bullet")
    checked = "chain, ids, counts, records, snapshot and block" if thorough else "chain, snapshot and block"
    print(f"{plural(found.lines, 'line')}, {bullets}: {checked} are as the log says.")
    return 0


def _tell_records(folder: FolderBook, found: Verification) -> None:
    for path in found.changed:
        tell(
            f"{path} was changed after the step: put a good copy in its place, or remove the record's folder (no step needs it)."
        )
    if found.gone:
        depth = len((folder.root / "steps").parts)
        folders = {path.parts[depth] for path in found.gone}
        tell(
            f"{plural(len(found.gone), 'file')} of the records of {plural(len(folders), 'step')} are not here: records are one "
            "machine's own, and no step needs them."
        )


def _would_rebuild(folder: FolderBook, *, take_block: bool) -> int:
    would = rebuild(folder, take_block=take_block, write=False)
    for line in would.differences:
        tell(line)
    if would.differences:
        print("\nNothing was done: this is what `ace rebuild` would change.")
    else:
        print("Nothing was done: the files are what the log says already.")
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
