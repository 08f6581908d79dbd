"""What can be done with a playbook, each as one function of a folder: it prints nothing, and its result is a struct.

    verify(folder)      does the log fold to what snapshot and block say?
    rebuild(folder)     snapshot and block again, from the log
    adopt(folder)       the snapshot as it is, recorded in the log

All of them take a `Folder`. Those that write hold the folder's lock.
"""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from pathlib import Path

import msgspec

from ace.adapters.ace import now
from ace.adapters.files import lock, read_bytes, replace
from ace.adapters.folder import Folder
from ace.adapters.log import MEND, Last, next_line
from ace.adapters.rulesfiles import RulesFiles
from ace.adapters.state import SNAPSHOT, from_outside, read_snapshot, restoration
from ace.domain.errors import AceError, LogError, StateError
from ace.domain.playbook import Playbook, bullet_id, bullet_number, canonical, digest, dump, fold_records
from ace.domain.rules import block, block_in, digest_in, find_block, splice
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.withdrawn import ADOPTED
from ace.events.types import Bullet, BulletAdded, Event, PlaybookRestored, Removed, Reworded, StepRecord

__all__ = ["Adopted", "Rebuilt", "Verification", "adopt", "rebuild", "verify"]


# --- verify -----------------------------------------------------------------------------------------------------------


class Verification(msgspec.Struct, frozen=True):
    """Whether the files are what the log says. `lines` counts the log's; `differences` are the lines of unified diffs, from
    what the log says to what was found, and none where all agree. `is_logged` is False for a snapshot without a log.
    """

    playbook: Playbook
    lines: int
    differences: tuple[str, ...] = ()
    is_logged: bool = True

    @property
    def agrees(self) -> bool:
        """Whether log, snapshot and block say the same."""
        return self.is_logged and not self.differences


def verify(folder: Folder) -> Verification:
    """Fold the log from its first line, check that each line continues the one before it, and compare the result with snapshot
    and block. Of a host's folder the block may be the one that the host serves. Takes no lock and changes nothing.

    Raises `LogError` for a damaged log, `StateError` for a damaged snapshot, and `MarkerError`.
    """
    playbook, last, lines = _folded(folder)
    if last is None and read_snapshot(folder.state / SNAPSHOT) is not None:
        return Verification(playbook, 0, is_logged=False)
    differences = _snapshot_differences(folder, playbook)
    if not (folder.owner == "host" and _is_served(folder, last)):
        differences += _block_differences(folder, playbook, last)
    return Verification(playbook, lines, tuple(differences))


def _is_served(folder: Folder, last: StepRecord | None) -> bool:
    """Whether the block is one that a host may serve: it may have turned the last candidate down, or be yet to publish it."""
    return last is not None and digest_in(read_bytes(folder.rules[0]) or b"") in (last.block, last.served)


def _folded(folder: Folder) -> tuple[Playbook, StepRecord | None, int]:
    """The playbook that the log folds to, its last record and how many there are. Raises `LogError`."""
    last: StepRecord | None = None

    def watched() -> Iterator[StepRecord]:
        nonlocal last
        for record in folder.log.verified():
            last = record
            yield record

    playbook = fold_records(Playbook(), watched())
    if last is not None and digest(playbook) != last.playbook:
        raise LogError(
            f"{folder.log.path} does not fold to the playbook that its line {last.seq} names: a line of it was written by "
            f"other rules or changed. {MEND}"
        )
    return playbook, last, 0 if last is None else last.seq


def _snapshot_differences(folder: Folder, playbook: Playbook) -> list[str]:
    path = folder.state / SNAPSHOT
    found = read_snapshot(path) or Playbook()
    if canonical(found) == canonical(playbook):
        return []
    return _diff(dump(playbook).decode(), dump(found).decode(), "the log", str(path))


def _block_differences(folder: Folder, playbook: Playbook, last: StepRecord | None) -> list[str]:
    told: list[str] = []
    for path in folder.rules:
        data = read_bytes(path) or b""
        expected = splice(data, block(playbook, last.sections if last is not None else DEFAULT_SECTIONS))
        wanted, found = (block_in(text).decode(errors="replace") for text in (expected, data))
        if wanted != found:
            told += _diff(wanted, found, "the log", f"{path} (name another with --rules)")
    return told


def _diff(log: str, file: str, one: str, other: str) -> list[str]:
    return list(difflib.unified_diff(log.splitlines(), file.splitlines(), one, other, lineterm="", n=1))


# --- rebuild ----------------------------------------------------------------------------------------------------------


class Rebuilt(msgspec.Struct, frozen=True):
    """What was made again from so many lines of the log. `replaced` are the blocks of another playbook that had to go."""

    playbook: Playbook
    lines: int
    replaced: Mapping[Path, str]


def rebuild(folder: Folder, *, take_block: bool = False) -> Rebuilt:
    """Make snapshot and block again from the log; a changed snapshot is lost. Where the log was put back from a copy that is
    older than the files, no id is given twice.

    With `take_block`, the block of another playbook is replaced. Raises `AceError` for one without that, and where there is no
    log, `LogError` for a damaged one, `LockedError`, `MarkerError` and `OSError`.
    """
    _see_that_rules_are_here(folder)
    with _locked(folder, "rebuild"):
        replaced = folder.see_blocks(take=take_block)
        playbook, last, lines = _folded(folder)
        if last is None:
            raise AceError(
                f"{folder.log.path} has no lines, so there is nothing to rebuild from: use `ace adopt`"
            )
        _see_markers(folder)
        used = _next_unused(folder, playbook)
        if used > playbook.next_number:
            # The log was put back from a copy that is older than the files: what was given since is not given again.
            playbook = Playbook(used, playbook.bullets)
            folder.log.append(_line(folder, playbook, folder.log.last(), (restoration("rebuilt", playbook),)))
        replace(folder.state / SNAPSHOT, dump(playbook))
        _place(folder, playbook, last)
    return Rebuilt(playbook, lines, replaced)


_ID_IN_TEXT = re.compile(rb"\[(ace-\d{5,18})\]")


def _next_unused(folder: Folder, playbook: Playbook) -> int:
    """The first number of which nothing here says that it was given: neither the log, nor the snapshot, nor the block, nor
    the playbooks that are kept with the steps.
    """
    numbers = [playbook.next_number]
    for path in (folder.state / SNAPSHOT, *folder.root.glob(f"steps/*/state/{SNAPSHOT}")):
        with suppress(StateError):
            numbers.append((read_snapshot(path) or Playbook()).next_number)
    ids = [found for path in folder.rules for found in _ID_IN_TEXT.findall(block_in(read_bytes(path) or b""))]
    numbers += [(bullet_number(identifier.decode()) or 0) + 1 for identifier in ids]
    return max(numbers)


# --- adopt ------------------------------------------------------------------------------------------------------------


class Adopted(msgspec.Struct, frozen=True):
    """What was taken in. `screened` are the bullets that were not, without their texts; `was_known` says that the log ended with
    this playbook already, and `replaced` are the blocks of another playbook that had to go.
    """

    playbook: Playbook
    screened: tuple[Removed, ...]
    was_known: bool
    replaced: Mapping[Path, str]


def adopt(folder: Folder, *, take_block: bool = False) -> Adopted:
    """Take the snapshot as it is: the log records it as `PlaybookRestored`, and the block is rendered from it. A bullet that the
    screens refuse stays out. Ids that were used once are not used again.

    Raises as `rebuild` does, and `StateError` for a snapshot that is none.
    """
    path = folder.state / SNAPSHOT
    _see_that_rules_are_here(folder)
    with _locked(folder, "adopt"):
        replaced = folder.see_blocks(take=take_block)
        found = read_snapshot(path)
        if found is None:
            raise AceError(f"{path} does not exist, so there is nothing to adopt: use `ace rebuild`")
        found, screened = from_outside(found)
        _see_that_ids_are_not_reused(folder, found)
        last = folder.log.last()
        used = 1 if last is None else last.record.next_number
        playbook = Playbook(max(found.next_number, used), found.bullets)
        _see_markers(folder)
        was_known = last is not None and digest(playbook) == last.record.playbook
        if not was_known:
            events: tuple[Event, ...] = (restoration(ADOPTED, playbook), *screened)
            folder.log.append(_line(folder, playbook, last, events))
        replace(path, dump(playbook))
        _place(folder, playbook, None if last is None else last.record)
    return Adopted(playbook, screened, was_known, replaced)


def _see_that_ids_are_not_reused(folder: Folder, found: Playbook) -> None:
    """An id names one lesson for good. A bullet that is there may be reworded, and one that left may come back as it was;
    any other has to have a number that was never given. Raises `AceError`.
    """
    last = folder.log.last()
    known = _texts_by_id(folder)
    here = {bullet.id for bullet in fold_records(Playbook(), folder.log.verified()).bullets}
    for bullet in found.bullets:
        fresh = last is None or (bullet_number(bullet.id) or 0) >= last.record.next_number
        if not (fresh or bullet.id in here or bullet.content in known.get(bullet.id, ())):
            raise AceError(
                f"{bullet.id} was the id of another lesson, or of none: give this one a number that was never given, "
                f"from {bullet_id(last.record.next_number if last is not None else 1)} on"
            )


def _texts_by_id(folder: Folder) -> dict[str, set[str]]:
    texts: dict[str, set[str]] = {}
    for record in folder.log.verified():
        for event in record.events if record.outcome == "committed" else ():
            for bullet in event.bullets if isinstance(event, PlaybookRestored) else (event,):
                if isinstance(bullet, Bullet | BulletAdded):
                    texts.setdefault(bullet.id, set()).add(bullet.content)
                elif isinstance(bullet, Reworded):
                    texts.setdefault(bullet.id, set()).add(bullet.after)
    return texts


# --- what both do -----------------------------------------------------------------------------------------------------


def _locked(folder: Folder, command: str) -> AbstractContextManager[None]:
    return lock(folder.root / "lock", f"process {os.getpid()} (ace {command})")


def _see_that_rules_are_here(folder: Folder) -> None:
    """Raises `AceError` if the block was put into a file elsewhere, which nobody names: that one must not be left as it is."""
    if folder.rules_are_named:
        return
    last = folder.log.last()
    if last is None or last.record.block == digest_in(b""):
        return
    if all(find_block(read_bytes(path) or b"") is None for path in folder.rules):
        raise AceError(
            f"{folder.told_rules()} does not hold the block: name the file that does, or is to, with --rules"
        )


def _see_markers(folder: Folder) -> None:
    """Malformed markers are an error before anything is written."""
    for path in folder.rules:
        find_block(read_bytes(path) or b"")


def _line(folder: Folder, playbook: Playbook, last: Last | None, events: tuple[Event, ...]) -> StepRecord:
    """The line of a command that makes the playbook this one."""
    data = read_bytes(folder.rules[0]) or b""
    sections = DEFAULT_SECTIONS if last is None else last.record.sections
    return next_line(
        last,
        playbook,
        events,
        sections=sections,
        block=digest_in(splice(data, block(playbook, sections))),
        served=digest_in(data),
        time=now(),
    )


def _place(folder: Folder, playbook: Playbook, last: StepRecord | None) -> None:
    sections = DEFAULT_SECTIONS if last is None else last.sections
    RulesFiles(folder.names, lambda _files: None).place(block(playbook, sections))
