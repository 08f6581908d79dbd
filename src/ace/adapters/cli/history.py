"""`ace verify`, `ace replay`, `ace rebuild` and `ace adopt`: what the log says, and the two ways out where the files say otherwise."""

from __future__ import annotations

import shlex
from argparse import Namespace

from ace.adapters.cli.asking import agreed, is_terminal
from ace.adapters.cli.decide import adopt_from_block, check_of, told_changes
from ace.adapters.cli.folder import command_on, folder_of, remember, tell_replaced
from ace.adapters.cli.output import tell
from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.domain.changes import changes
from ace.domain.errors import AceError
from ace.domain.rules_block import block_in
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.reconciling import Verification, adopt, rebuild, verify

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Run the command of that name."""
    folder = folder_of(options)
    match options.command:
        case "replay" | "verify":
            return _verify(folder, thorough=options.command == "verify")
        case "rebuild":
            status = _rebuild(options, folder)
        case _ if options.from_block is not None:
            return adopt_from_block(options, folder)
        case _:
            status = _adopt(options, folder)
    if status == 0 and not options.dry_run:
        remember(folder, options.rules)
    return status


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
            "\nplaybook.json or the block differs from the log: `ace rebuild` restores both from the log, `ace adopt` accepts playbook.json, "
            "and `ace adopt --from-block FILE` what was changed in the block of FILE."
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


def _rebuild(options: Namespace, folder: FolderBook) -> int:
    check = check_of(options, folder)
    would = rebuild(folder, take_block=options.take_block, check=check, write=False)
    for line in would.differences:
        tell(line)
    for path in folder.rules_files:
        if f"--- {path}" in would.differences and block_in(read_bytes(path) or b""):
            tell(
                f"What the block in {path} says otherwise is lost by that: `ace adopt --from-block {shlex.quote(str(path))}` takes it "
                "up, in place of `ace rebuild`."
            )
    if options.dry_run:
        if would.differences:
            print("\nNothing was done: this is what `ace rebuild` would change.")
        else:
            print("Nothing was done: the files agree with the log already.")
        return 0
    if would.differences and _is_declined(options):
        return 1
    made = rebuild(folder, take_block=options.take_block, check=check, seen=would)
    tell_replaced(made.replaced)
    bullets = plural(len(made.playbook.bullets), "bullet")
    tell(
        f"Made again from {plural(made.lines, 'line')} of the log: {bullets}. The block is in {folder.told_rules()}."
    )
    if made.kept is not None:
        tell(
            f"The playbook.json of before is kept as {made.kept}: to take it back, put it in the place of {folder.snapshot} and "
            "say `ace adopt`."
        )
    return 0


def _adopt(options: Namespace, folder: FolderBook) -> int:
    if options.reason:
        raise AceError("--reason goes with --from-block: leave it out, or add that")
    check = check_of(options, folder)
    would = adopt(folder, take_block=options.take_block, check=check, write=False)
    for line in told_changes(changes(would.before, would.playbook)) if not would.was_known else ():
        tell(line)
    if options.dry_run:
        for event in would.screened:
            tell(f"Not taken: {sentence_of(event)}.")
        print("Nothing was done: this is what `ace adopt` would do.")
        return 0
    if not would.was_known and _is_declined(options):
        return 1
    taken = adopt(folder, take_block=options.take_block, check=check, seen=would)
    tell_replaced(taken.replaced)
    if taken.was_known:
        print("The log ends with this playbook already.")
    for event in taken.screened:
        tell(f"Not taken: {sentence_of(event)}.")
    tell(
        f"Adopted {folder.snapshot}: {plural(len(taken.playbook.bullets), 'bullet')}, the next one is number "
        f"{taken.playbook.next_number}. The block is in {folder.told_rules()}."
    )
    if not taken.was_known:
        tell(f"{command_on(folder, f'rewind {taken.seq}')} takes it back.")
    return 0


def _is_declined(options: Namespace) -> bool:
    """Whether a person at the terminal says no. Where nobody can be asked, what the command says counts: it repairs."""
    if options.yes or not is_terminal() or agreed():
        return False
    print("Nothing was done.")
    return True
