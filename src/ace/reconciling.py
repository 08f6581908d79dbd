"""Whether the log and the files agree, and how they do again, each as one function of a folder: it prints nothing, and its result is a
struct.

    verify(folder)      does the log fold to what snapshot and block say?
    rebuild(folder)     snapshot and block again, from the log
    adopt(folder)       the snapshot as it is, recorded in the log

Those that write hold the folder's lock.
"""

from __future__ import annotations

import difflib
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Set
from contextlib import AbstractContextManager, nullcontext, suppress
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.store.files import read_bytes, replace
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import WAY_OUT
from ace.adapters.store.scenarios import see_ours
from ace.adapters.store.snapshot import SNAPSHOT, read_snapshot
from ace.domain.chain import LogTail, next_line
from ace.domain.consistency import apply_checked
from ace.domain.errors import (
    AceError,
    ChangedError,
    LogError,
    StateError,
)
from ace.domain.opening import from_outside, restoration
from ace.domain.playbook import (
    FoldDigest,
    Playbook,
    bullet_id,
    bullet_number,
    canonical,
    digest,
    dump,
    fold_records,
)
from ace.domain.rules_block import Candidate, block, block_in, digest_in, find_block, splice
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.waiting import Folds, accepted_digest, shown
from ace.domain.withdrawn import ADOPTED
from ace.events.types import (
    Bullet,
    BulletAdded,
    Event,
    PlaybookRestored,
    Removed,
    Reworded,
    RulesRestored,
    StepRecord,
)
from ace.method import Check, admitted, now, place_block

__all__ = ["Adopted", "Rebuilt", "Verification", "adopt", "rebuild", "verify"]


# --- verify -----------------------------------------------------------------------------------------------------------


class Verification(msgspec.Struct, frozen=True):
    """Whether the files are what the log says. `lines` counts the log's; `differences` are the lines of unified diffs, from
    what the log says to what was found, and none where all agree. `is_logged` is False for a snapshot without a log. Of the
    records' files, `gone` are not there any more, which is not an error, and `changed` differ from the log.
    """

    playbook: Playbook
    lines: int
    differences: tuple[str, ...] = ()
    is_logged: bool = True
    gone: tuple[Path, ...] = ()
    changed: tuple[Path, ...] = ()

    @property
    def agrees(self) -> bool:
        """Whether log, snapshot, block and records say the same."""
        return self.is_logged and not self.differences and not self.changed


def verify(folder: FolderBook, *, thorough: bool = True) -> Verification:
    """Fold the log from its first line, check that each line continues the one before it, and compare the result with snapshot
    and block. Of a host's folder the block may be the one that the host serves. If `thorough`, each event has to fit what came
    before it (ids, counts, texts), and the records of the steps are compared with their digests, too. Takes no lock and changes
    nothing.

    Raises `LogError` for a damaged log, which names the first line that is, `StateError` for a damaged snapshot, and
    `MarkerError`.
    """
    folds, last = Folds(), None
    gone: list[Path] = []
    changed: list[Path] = []
    for last, flaw in _folding(folder, folds):
        if thorough and flaw is not None:
            raise LogError(
                f"{folder.log.name}, line {last.seq} does not fit what came before it: {flaw}. {WAY_OUT}"
            )
        if thorough:
            _compare_record(folder, last, gone, changed)
    playbook, lines = folds.head.freeze(), 0 if last is None else last.seq
    if last is None and folder.kept_playbook() is not None:
        return Verification(playbook, 0, is_logged=False)
    # Of a shared book others may have moved the head since; it is a fold that was compared with its line.
    differences = [] if folder.is_shared else _snapshot_differences(folder, playbook, folds.accepted)
    differences += folder.flaws_beside() if thorough else []
    if last is None or not folder.may_serve(digest_in(read_bytes(folder.rules_files[0]) or b""), last):
        differences += _block_differences(folder, folds.shown, last)
    return Verification(playbook, lines, tuple(differences), gone=tuple(gone), changed=tuple(changed))


def _compare_record(folder: FolderBook, line: StepRecord, gone: list[Path], changed: list[Path]) -> None:
    """Note the files of a step's record that are gone, and those that are not what its line says. A record is looked for right
    here alone: a log may come from anywhere.
    """
    record = folder.root / "steps" / line.record
    if not line.records or record.name != line.record or record.is_symlink():
        return
    if not record.is_dir():
        gone += [record / name for name in line.records]
        return
    for name, wanted in line.records.items():
        path = record / name
        if ".." in path.parts or not path.is_file():
            gone.append(path)
        elif hashlib.sha256(path.read_bytes()).hexdigest() != wanted:
            changed.append(path)


def _folding(folder: FolderBook, folds: Folds) -> Iterator[tuple[StepRecord, str | None]]:
    """The lines of the log, each taken into the folds, which have to come to what it names; and what of it does not fit what came
    before it. Raises `LogError` for the first line that names others.
    """
    digests = FoldDigest()
    for record in folder.log.verified():
        flaw = folds.take_by(record, apply_checked)
        yield record, flaw
        if digests.of(folds.head) != record.playbook:
            raise LogError(
                f"{folder.log.name} does not fold to the playbook that its line {record.seq} names: that line was written by other "
                f"rules or changed. {WAY_OUT}"
            )
        if (
            record.outcome == "committed"
            and folds.accepted is not None
            and digest(folds.accepted) != record.accepted
        ):
            raise LogError(
                f"{folder.log.name} does not fold to what its line {record.seq} says that the rules show: that line was written by "
                f"other rules or changed. {WAY_OUT}"
            )


def _folded(folder: FolderBook) -> tuple[Folds, StepRecord | None]:
    """Both folds of the log, and its last record. Raises `LogError`."""
    folds, last = Folds(), None
    for record, _ in _folding(folder, folds):
        last = record
    return folds, last


def _snapshot_differences(folder: FolderBook, playbook: Playbook, accepted: Playbook | None) -> list[str]:
    snapshots = [(playbook, folder.playbook(), folder.told_snapshot())]
    if accepted is not None and not folder.is_shared:  # of a shared one, the file is a copy that may be old
        snapshots.append((accepted, folder.kept_accepted() or Playbook(), folder.told_accepted()))
    return [
        line
        for wanted, found, name in snapshots
        if canonical(found) != canonical(wanted)
        for line in _diff(dump(wanted).decode(), dump(found).decode(), "the log", name)
    ]


def _block_differences(folder: FolderBook, shown: Playbook, last: StepRecord | None) -> list[str]:
    told: list[str] = []
    for path in folder.rules_files:
        data = read_bytes(path) or b""
        expected = splice(data, block(shown, last.sections if last is not None else DEFAULT_SECTIONS))
        wanted, found = (block_in(text).decode(errors="replace") for text in (expected, data))
        if wanted != found:
            told += _diff(wanted, found, "the log", f"{path} (name another with --rules)")
    return told


def _diff(log: str, file: str, one: str, other: str) -> list[str]:
    return list(difflib.unified_diff(log.splitlines(), file.splitlines(), one, other, lineterm="", n=1))


# --- rebuild ----------------------------------------------------------------------------------------------------------


class Rebuilt(msgspec.Struct, frozen=True):
    """What was made again from so many lines of the log. `replaced` are the blocks of another playbook that had to go, and
    `differences` the lines of unified diffs, from the files as they were to what they are now. `kept` is where the snapshot of
    before is, if it was another one.
    """

    playbook: Playbook
    lines: int
    replaced: Mapping[Path, str]
    differences: tuple[str, ...] = ()
    kept: Path | None = None


def rebuild(
    folder: FolderBook,
    *,
    take_block: bool = False,
    check: Check | None = None,
    write: bool = True,
    seen: Rebuilt | None = None,
) -> Rebuilt:
    """Make snapshot and block again from the log; a snapshot that was another one is put aside, into the folder's cache. Without
    `write` this says what would be, takes no lock and writes nothing; `seen` is what it said then. Where the log was put back from a
    copy that is older than the files, no id is given twice.

    With `take_block`, the block of another playbook is replaced; `check` may refuse the rules files before anything is written.
    Raises `AceError` for one without that, for a check that refuses, and where there is no log, `ChangedError` if it would be
    another thing by now than what was `seen`, `LogError` for a damaged log, `LockedError`, `MarkerError` and `OSError`.
    """
    _see_that_it_is_no_shared_book(folder, "rebuild")
    _see_that_rules_are_here(folder)
    with _locked(folder, "rebuild") if write else nullcontext():
        replaced = folder.see_blocks(take=take_block, write=write)
        folds, last = _folded(folder)
        if last is None:
            raise AceError(
                f"{folder.log.name} has no lines, so there is nothing to rebuild from: use `ace adopt`"
            )
        folded, found = folds.head.freeze(), read_bytes(folder.snapshot)
        playbook = Playbook(_next_unused(folder, folded), folded.bullets)
        is_other = found is not None and found != dump(playbook)
        rebuilt = Rebuilt(
            playbook,
            last.seq,
            replaced,
            _rebuilt_differences(folder, playbook, folds.shown, last),
            folder.cache / REPLACED if is_other else None,
        )
        candidate = _admitted(folder, folds.shown, last, check)
        if not write:
            return rebuilt
        _see_that_it_is_as_seen(rebuilt, seen)
        if rebuilt.kept is not None and found is not None:
            rebuilt.kept.parent.mkdir(parents=True, exist_ok=True)
            replace(rebuilt.kept, found)
        if playbook.next_number > folded.next_number:
            # The log was put back from a copy that is older than the files: what was given since is not given again.
            events = (restoration("rebuilt", playbook),)
            folder.log.append(_line(folder, playbook, folds.shown, folder.log.last(), events))
        folder.keep(playbook)
        folder.keep_accepted(folds.accepted)
        place_block(folder, candidate, check, is_admitted=True)
    return rebuilt


REPLACED: Final = "replaced-playbook.json"
"""The snapshot in whose place another one was made, in a folder's cache: the last one."""


def _rebuilt_differences(
    folder: FolderBook, playbook: Playbook, shown: Playbook, last: StepRecord
) -> tuple[str, ...]:
    """What is made again, from what is there; a snapshot that cannot be read counts as its text."""
    path = folder.snapshot
    found = (read_bytes(path) or b"").decode(errors="replace")
    told = _diff(found, dump(playbook).decode(), str(path), "the log")
    for rules in folder.rules_files:
        data = read_bytes(rules) or b""
        wanted = splice(data, block(shown, last.sections))
        old, new = (block_in(text).decode(errors="replace") for text in (data, wanted))
        told += _diff(old, new, str(rules), "the log")
    return tuple(told)


_ID_IN_TEXT = re.compile(rb"\[(ace-\d{5,18})\]")


def _next_unused(folder: FolderBook, playbook: Playbook) -> int:
    """The first number of which nothing here says that it was given: neither the log, nor the snapshot, nor the block, nor
    the playbooks that are kept with the steps.
    """
    numbers = [playbook.next_number]
    for path in (folder.snapshot, *folder.root.glob(f"steps/*/state/{SNAPSHOT}")):
        with suppress(StateError):
            numbers.append((read_snapshot(path) or Playbook()).next_number)
    ids = [
        found
        for path in folder.rules_files
        for found in _ID_IN_TEXT.findall(block_in(read_bytes(path) or b""))
    ]
    numbers += [(bullet_number(identifier.decode()) or 0) + 1 for identifier in ids]
    return max(numbers)


# --- adopt ------------------------------------------------------------------------------------------------------------


class Adopted(msgspec.Struct, frozen=True):
    """What was taken in. `screened` are the bullets that were not, without their texts; `was_known` says that the log ended with
    this playbook already, and `replaced` are the blocks of another playbook that had to go. `before` is the playbook after line
    `seq`, with which the log ended (0: there was none).
    """

    playbook: Playbook
    screened: tuple[Removed, ...]
    was_known: bool
    replaced: Mapping[Path, str]
    before: Playbook = Playbook()
    seq: int = 0


def adopt(
    folder: FolderBook,
    *,
    take_block: bool = False,
    check: Check | None = None,
    write: bool = True,
    seen: Adopted | None = None,
) -> Adopted:
    """Take the snapshot as it is: the log records it as `PlaybookRestored`, and the block is rendered from it. A bullet that the
    screens refuse stays out. Ids that were used once are not used again. Without `write` this says what would be, takes no lock
    and writes nothing; `seen` is what it said then.

    Raises as `rebuild` does, and `StateError` for a snapshot that is none.
    """
    _see_that_it_is_no_shared_book(folder, "adopt")
    path = folder.snapshot
    _see_that_rules_are_here(folder)
    with _locked(folder, "adopt") if write else nullcontext():
        replaced = folder.see_blocks(take=take_block, write=write)
        found = read_snapshot(path)
        if found is None:
            raise AceError(f"{path} does not exist, so there is nothing to adopt: use `ace rebuild`")
        found, screened = from_outside(found, folder.screens)
        last, texts = folder.log.last(), dict[str, set[str]]()
        before = fold_records(Playbook(), _noting(folder.log.verified(), texts))
        _see_that_ids_are_not_reused(found, before, texts, 1 if last is None else last.record.next_number)
        used = 1 if last is None else last.record.next_number
        playbook = Playbook(max(found.next_number, used), found.bullets)
        was_known = last is not None and digest(playbook) == last.record.playbook
        accepted = folder.accepted(last)
        if accepted is not None and not was_known:
            accepted = _still_accepted(before, accepted, playbook)
        shows = accepted or playbook
        candidate = _admitted(folder, shows, None if last is None else last.record, check)
        seq = 0 if last is None else last.record.seq
        adopted = Adopted(playbook, screened, was_known, replaced, before, seq)
        if not write:
            return adopted
        _see_that_it_is_as_seen(adopted, seen)
        if not was_known:
            events: tuple[Event, ...] = (restoration(ADOPTED, playbook), *screened)
            if accepted is not None:
                events += (RulesRestored(accepted.bullets),)
            folder.log.append(_line(folder, playbook, shows, last, events))
        folder.keep(playbook)
        folder.keep_accepted(accepted)
        place_block(folder, candidate, check, is_admitted=True)
    return adopted


def _still_accepted(before: Playbook, accepted: Playbook, adopted: Playbook) -> Playbook | None:
    """What the rules show once a person took this playbook, while lessons waited: what they showed, as it is now, and what the person
    wrote; a lesson that waited goes on waiting. None if that is all.
    """
    there, old = {one.id for one in before.bullets}, {one.id for one in accepted.bullets}
    rows = {one.id: one for one in accepted.bullets if one.id not in there}  # they wait to leave
    rows |= {one.id: one for one in adopted.bullets if one.id in old or one.id not in there}
    shows = shown(rows.values())
    return None if shows.bullets == adopted.bullets else shows


def _see_that_ids_are_not_reused(
    found: Playbook, before: Playbook, texts: Mapping[str, Set[str]], unused: int
) -> None:
    """An id names one lesson for good. A bullet that is there may be reworded, and one that left may come back as it was;
    any other has to have a number that was never given: `unused`, or a later one. Raises `AceError`.
    """
    here = {bullet.id for bullet in before.bullets}
    for bullet in found.bullets:
        fresh = (bullet_number(bullet.id) or 0) >= unused
        if not (fresh or bullet.id in here or bullet.content in texts.get(bullet.id, ())):
            raise AceError(
                f"{bullet.id} was the id of another lesson, or of none: give this one a number that was never given, "
                f"from {bullet_id(unused)} on"
            )


def _noting(records: Iterable[StepRecord], texts: dict[str, set[str]]) -> Iterator[StepRecord]:
    """The records as they are; on the way each text that an id ever had is added to `texts`."""
    for record in records:
        yield record
        for event in record.applied:
            for bullet in event.bullets if isinstance(event, PlaybookRestored) else (event,):
                if isinstance(bullet, Bullet | BulletAdded):
                    texts.setdefault(bullet.id, set()).add(bullet.content)
                elif isinstance(bullet, Reworded):
                    texts.setdefault(bullet.id, set()).add(bullet.after)


# --- what they share -----------------------------------------------------------------------------------------------------


def _locked(folder: FolderBook, command: str) -> AbstractContextManager[None]:
    see_ours(folder, command)
    return folder.locked(f"ace {command}", "lock")


def _see_that_it_is_no_shared_book(folder: FolderBook, command: str) -> None:
    """Raises `AceError` for a book that others write, too: its playbook is what its log says, and nobody's file."""
    if folder.is_shared:
        raise AceError(
            f"`ace {command}` is for a playbook in a folder: a shared book is what its log says. `ace pull` renders its block here, "
            "and `ace adopt --from-block` takes up what you changed in a block"
        )


def _see_that_rules_are_here(folder: FolderBook) -> None:
    """Raises `AceError` if the block was put into a file elsewhere, which nobody names: that one must not be left as it is."""
    if folder.rules_are_named:
        return
    last = folder.log.last()
    if last is None or last.record.block == digest_in(b""):
        return
    if all(find_block(read_bytes(path) or b"") is None for path in folder.rules_files):
        raise AceError(
            f"{folder.told_rules()} does not hold the block: name the file that does, or is to, with --rules"
        )


def _see_that_it_is_as_seen(now_: object, seen: object) -> None:
    """Raises `ChangedError` if a person was shown something else."""
    if seen is not None and now_ != seen:
        raise ChangedError(
            "the files have changed since you looked at them, and nothing was done: give the command again"
        )


def _admitted(folder: FolderBook, shows: Playbook, last: StepRecord | None, check: Check | None) -> Candidate:
    """The rules files that show this playbook. Raises `MarkerError`, and `AceError` if the check refuses them."""
    text = block(shows, DEFAULT_SECTIONS if last is None else last.sections)
    return admitted(folder.rules().with_block(text), check)


def _line(
    folder: FolderBook, playbook: Playbook, shows: Playbook, last: LogTail | None, events: tuple[Event, ...]
) -> StepRecord:
    """The line of a command that makes the playbook this one, of which the rules show that much."""
    data = read_bytes(folder.rules_files[0]) or b""
    sections = DEFAULT_SECTIONS if last is None else last.record.sections
    return next_line(
        last,
        playbook,
        events,
        sections=sections,
        block=digest_in(splice(data, block(shows, sections))),
        served=digest_in(data),
        time=now(),
        accepted=accepted_digest(playbook, shows),
    )
