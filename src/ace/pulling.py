"""The block of a shared book into this machine's rules files, from the book's head and through this machine's screens.

pull(book)              from the database; one query if nothing has changed, so that an agent can be started through it each time
pull_log(folder, log)   from a whole log that was brought here otherwise, for a machine that has no way to the database
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import ChainedLog
from ace.domain.errors import AceError, LogError
from ace.domain.opening import from_outside
from ace.domain.playbook import Playbook, digest
from ace.domain.rules_block import BEGIN, END, block, block_in, digest_in
from ace.domain.screens import Screen
from ace.domain.waiting import Folds
from ace.events.types import Removed
from ace.method import place_block

if TYPE_CHECKING:  # psycopg is an extra
    from ace.adapters.store.postgres.book import PostgresBook

__all__ = ["Pulled", "pull", "pull_log"]


class Pulled(msgspec.Struct, frozen=True, kw_only=True):
    """What the rules files show now: the block after line `seq` (0: there is none yet, and they were left alone). `is_new` says
    whether a file was changed. `screened` are the bullets that the screens keep out here, without their texts. `edited` is what
    was changed in a block by hand and is put back (lines of diffs by file), `replaced` the blocks of another playbook that had to
    go.
    """

    seq: int
    bullets: int = 0
    is_new: bool = False
    screened: tuple[Removed, ...] = ()
    edited: Mapping[Path, tuple[str, ...]] = {}
    replaced: Mapping[Path, str] = {}


def pull(book: PostgresBook, *, take_block: bool = False) -> Pulled:
    """Render the book's head. With `take_block` the block of another playbook is replaced.

    Raises `BookError`, `LogError`, `MarkerError`, `OSError`, and `AceError` for the block of another playbook.
    """
    if (seq := book.current()) is not None:
        return Pulled(seq=seq)
    replaced, state = book.see_blocks(take=take_block), book.look()
    if state.tail is None:
        return Pulled(seq=0, replaced=replaced)
    edited = {path: lines for path, lines in book.edits(state.shown).items() if path not in replaced}
    record = state.tail.record
    pulled = _render(book, state.shown, record.sections, record.seq, book.own_screens)
    book.note_placed()
    return msgspec.structs.replace(pulled, edited=edited, replaced=replaced)


def pull_log(folder: FolderBook, log: ChainedLog, *, take_block: bool = False) -> Pulled:
    """Render what a log folds to from a log that is not this folder's. Raises as `pull` does, and `AceError` for a folder that has a
    playbook of its own.
    """
    if folder.log.last() is not None:
        raise AceError(
            f"{folder.root} has a playbook of its own, and a log that is pulled would take its place in the rules: name another folder "
            "with --work"
        )
    folds, last = Folds(), None
    for last in log.verified():
        folds.take(last)
    if last is None:
        raise LogError(f"{log.name} has no lines: name the address of a log with steps")
    if digest(folds.head.freeze()) != last.playbook:
        raise LogError(
            f"{log.name} does not fold to the playbook that its last line names: ask whoever exported it for a good copy"
        )
    replaced: dict[Path, str] = {}
    with folder.locked("ace pull"), folder.index() as index:
        for path in folder.rules_files:
            data = read_bytes(path) or b""
            text = block_in(data).decode(errors="replace")
            is_empty = not text.replace(BEGIN, "").replace(END, "").strip()
            if is_empty or index.knows_file(path) or log.holds_block(digest_in(data)):
                continue
            if not take_block:
                raise AceError(
                    f"{path} holds a block that is not of the log {log.name}: take it out of the file, or give --take-block to have it "
                    "replaced"
                )
            replaced[path] = text
        pulled = _render(folder, folds.shown, last.sections, last.seq, folder.screens)
        for path in folder.rules_files:
            index.know_file(path)
    return msgspec.structs.replace(pulled, replaced=replaced)


def _render(
    folder: FolderBook, shown: Playbook, sections: tuple[str, ...], seq: int, screens: Sequence[Screen]
) -> Pulled:
    kept, screened = from_outside(shown, screens)
    rules = folder.rules()
    placed = place_block(folder, rules.with_block(block(kept, sections)))
    return Pulled(seq=seq, bullets=len(kept.bullets), is_new=placed.files != rules.files, screened=screened)
