"""A whole log, out of a folder into a shared book, and out of a shared book into a folder: byte by byte the same."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any, Final

import msgspec

from ace.adapters.store.files import replace
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import NAME, Log
from ace.adapters.store.postgres.address import Address
from ace.adapters.store.postgres.book import PostgresBook
from ace.adapters.store.postgres.server import Server
from ace.adapters.store.postgres.shelf import SNAPSHOT_INTO, Beside, beside, text_digest, text_kept
from ace.adapters.store.snapshot import ACCEPTED, SNAPSHOT
from ace.domain.chain import line_digest
from ace.domain.errors import AceError, BookError
from ace.domain.playbook import digest, dump
from ace.domain.rules_block import block, splice
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.waiting import Folds
from ace.events.types import StepRecord

__all__ = ["Transferred", "export_book", "import_book"]


class Transferred(msgspec.Struct, frozen=True):
    """So many lines went over, the last of which has this digest; there are so many bullets after it. `sha256` is that of the
    file with the log.
    """

    lines: int
    last: str
    bullets: int
    sha256: str = ""


def export_book(book: PostgresBook, root: Path) -> Transferred:
    """Write a shared book into a folder: log, playbook, and a rules.md with the book's base rules and the block. Raises `AceError` if
    the folder holds a playbook already, and `LogError` for a log that does not continue line by line.
    """
    folder = FolderBook(root)
    if folder.is_there():
        raise AceError(f"{root} holds a playbook already: name a new folder")
    path = folder.history / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary, folds, last, whole = path.with_name(f".{NAME}.tmp"), Folds(), "", hashlib.sha256()
    record: StepRecord | None = None
    with temporary.open("wb") as file:
        for line, record in book.log.verified_lines():
            file.write(line + b"\n")
            whole.update(line + b"\n")
            folds.take(record)
            last = line_digest(line)
        file.flush()
        os.fsync(file.fileno())
    playbook = folds.head.freeze()
    if record is not None and digest(playbook) != record.playbook:
        raise AceError(
            f"{book.address.told} does not fold to what its last line names: `ace verify` finds the line"
        )
    state = folder.snapshot.parent
    state.mkdir(parents=True, exist_ok=True)
    if folds.accepted is not None:
        replace(state / ACCEPTED, dump(folds.accepted))
    replace(state / SNAPSHOT, dump(playbook))
    sections = DEFAULT_SECTIONS if record is None else record.sections
    replace(root / "rules.md", splice(book.settings().base_rules, block(folds.shown, sections)))
    temporary.replace(path)
    return Transferred(0 if record is None else record.seq, last, len(playbook.bullets), whole.hexdigest())


def import_book(address: Address, folder: FolderBook) -> Transferred:
    """Put the log of a folder into a shared book, which was made and has no line yet. A folder with a playbook and no log brings
    that: the book's first step logs it. Raises `BookError` for a book with other lines, `LogError` for a damaged log.
    """
    with folder.locked("ace book import"):
        state = folder.look()  # raises if log and playbook do not agree
        log = Log(folder.history)
        last = log.last()
        server = Server(address)
        try:
            has = server.rows(
                "SELECT (SELECT count(*) FROM ace.books WHERE scenario = %s), max(seq) FROM ace.lines WHERE scenario = %s",
                address.scenario,
                address.scenario,
            )[0]
            if not has[0]:
                raise BookError(f"there is no book {address.told} yet: `ace book init` makes it")
            if has[1] is not None:
                raise BookError(
                    f"{address.told} has {has[1]} lines already: a log is imported into a book without any (name another scenario)"
                )
            if last is None:
                server.do(SNAPSHOT_INTO, address.scenario, 0, dump(state.playbook), None)
                return Transferred(0, "", len(state.playbook.bullets))
            return _put(server, address, log)
        finally:
            server.close()


def _put(server: Server, address: Address, log: Log) -> Transferred:
    folds, last = Folds(), ""
    record: StepRecord | None = None
    withdrawn: dict[str, bool] = {}
    runs: list[tuple[str, str, int]] = []
    with server.apart() as connection, connection.transaction():
        with connection.cursor().copy(_LINES) as copy:
            for line, record in log.verified_lines():
                also: Beside = beside(record)
                copy.write_row((address.scenario, record.seq, line, also.block, also.restores))
                runs += [(name, task, record.seq) for name, task in also.runs]
                withdrawn.update(dict.fromkeys(also.withdrawn, True))
                withdrawn.update(dict.fromkeys(also.back, False))
                folds.take(record)
                last = line_digest(line)
        with connection.cursor().copy(_RUNS) as copy:
            for name, task, seq in runs:
                copy.write_row((address.scenario, name, task, seq))
        with connection.cursor().copy(_WITHDRAWN) as copy:
            for key in (key for key, is_withdrawn in withdrawn.items() if is_withdrawn):
                copy.write_row((address.scenario, text_digest(key), text_kept(key)))
        playbook, shown = folds.head.freeze(), folds.accepted
        seq = 0 if record is None else record.seq
        connection.execute(
            _AS_IT_IS, (address.scenario, seq, dump(playbook), None if shown is None else dump(shown))
        )
    return Transferred(seq, last, len(playbook.bullets))


_LINES: Final[Any] = "COPY ace.lines (scenario, seq, line, block, restores) FROM STDIN"
_RUNS: Final[Any] = "COPY ace.runs (scenario, name, task, seq) FROM STDIN"
_WITHDRAWN: Final[Any] = "COPY ace.withdrawn (scenario, digest, key) FROM STDIN"
_AS_IT_IS: Final[Any] = SNAPSHOT_INTO
