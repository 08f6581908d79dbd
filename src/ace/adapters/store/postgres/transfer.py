"""A whole log, out of a folder into a shared book, and out of a shared book into a folder, byte by byte the same; and what is
kept beside the lines of a book made again from them.
"""

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
from ace.adapters.store.postgres.server import Connection, Server
from ace.adapters.store.postgres.shelf import SNAPSHOT_INTO, Beside, beside, text_digest, text_kept
from ace.adapters.store.snapshot import ACCEPTED, SNAPSHOT
from ace.domain.chain import line_digest
from ace.domain.errors import AceError, BookError
from ace.domain.playbook import digest, dump
from ace.domain.rules_block import block, splice
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.summary import plural
from ace.domain.waiting import Folds
from ace.events.types import StepRecord

__all__ = ["Transferred", "export_book", "flaws_beside", "import_book", "rebuild_book"]


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
    base_rules = book.settings().base_rules  # a book that is not there ends it before anything is written
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
    replace(root / "rules.md", splice(base_rules, block(folds.shown, sections)))
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
    made = _Made(address)
    with server.apart() as connection, connection.transaction():
        with connection.cursor().copy(_LINES) as copy:
            for line, record in log.verified_lines():
                also = made.take(line, record)
                copy.write_row((address.scenario, record.seq, line, also.block, also.restores))
        made.write(connection)
    return made.told()


class _Made:
    """What is kept beside the lines of a log, made from them one after the other."""

    def __init__(self, address: Address) -> None:
        self._scenario = address.scenario
        self.folds, self.seq, self.last = Folds(), 0, ""
        self.runs: list[tuple[str, str, int]] = []
        self._withdrawn: dict[str, bool] = {}

    def take(self, line: bytes, record: StepRecord) -> Beside:
        """Take in the next line; returns what is kept beside it."""
        also = beside(record)
        self.runs += [(name, task, record.seq) for name, task in also.runs]
        self._withdrawn.update(dict.fromkeys(also.withdrawn, True))
        self._withdrawn.update(dict.fromkeys(also.back, False))
        self.folds.take(record)
        self.seq, self.last = record.seq, line_digest(line)
        return also

    @property
    def withdrawn(self) -> list[str]:
        """The keys of the texts that do not come back."""
        return [key for key, is_withdrawn in self._withdrawn.items() if is_withdrawn]

    def snapshot(self) -> tuple[bytes, bytes | None]:
        """The playbook, and what the rules show of it while something waits, as the table has them."""
        shown = self.folds.accepted
        return dump(self.folds.head.freeze()), None if shown is None else dump(shown)

    def write(self, connection: Connection[tuple[Any, ...]]) -> None:
        """Put all of it into its tables, which have nothing of the book."""
        with connection.cursor().copy(_RUNS) as copy:
            for name, task, seq in self.runs:
                copy.write_row((self._scenario, name, task, seq))
        with connection.cursor().copy(_WITHDRAWN) as copy:
            for key in self.withdrawn:
                copy.write_row((self._scenario, text_digest(key), text_kept(key)))
        connection.execute(_AS_IT_IS, (self._scenario, self.seq, *self.snapshot()))

    def told(self) -> Transferred:
        """How much that was."""
        return Transferred(self.seq, self.last, len(self.folds.head.freeze().bullets))


# --- what can be made again ---------------------------------------------------------------------------------------------


def rebuild_book(book: PostgresBook) -> Transferred:
    """Restore what is kept beside the lines from them: snapshot, runs, withdrawn texts. Nobody adds a line meanwhile. Raises
    `BookError` for a user who is not the owner, and `LogError` for a damaged log.
    """
    made, scenario = _Made(book.address), book.address.scenario
    with book.shelf.server.apart() as connection, connection.transaction():
        connection.execute("LOCK TABLE ace.lines IN SHARE MODE")
        for line, record in book.log.verified_lines():
            made.take(line, record)
        connection.execute("DELETE FROM ace.snapshots WHERE scenario = %s", (scenario,))
        connection.execute("DELETE FROM ace.runs WHERE scenario = %s", (scenario,))
        connection.execute("DELETE FROM ace.withdrawn WHERE scenario = %s", (scenario,))
        if made.seq:
            made.write(connection)
    return made.told()


def flaws_beside(book: PostgresBook) -> list[str]:
    """What of that is not what the lines say, as sentences. Others may add lines meanwhile."""
    server, scenario = book.shelf.server, book.address.scenario
    kept = server.rows(
        "SELECT seq, playbook, accepted FROM ace.snapshots WHERE scenario = %s AND seq > 0", scenario
    )
    made, told = _Made(book.address), list[str]()
    for line, record in book.log.verified_lines():
        made.take(line, record)
        if kept and kept[0][0] == record.seq and kept[0][1:] != made.snapshot():
            told.append(f"the snapshot is not the playbook after line {record.seq}, as the log has it")
    rows = server.rows(
        "SELECT name, task, seq FROM ace.runs WHERE scenario = %s AND seq <= %s", scenario, made.seq
    )
    if wrong := set(rows) ^ set(made.runs):
        told.append(f"what the log says of runs is kept otherwise in {plural(len(wrong), 'row')}")
    rows = server.rows("SELECT key FROM ace.withdrawn WHERE scenario = %s", scenario)
    keys = {text_kept(key) for key in made.withdrawn}
    # A line that came since may have changed them.
    if {bytes(key) for (key,) in rows} != keys and book.shelf.head()[0] == made.seq:
        told.append("the texts that do not come back are others than the log says")
    return told


_LINES: Final[Any] = "COPY ace.lines (scenario, seq, line, block, restores) FROM STDIN"
_RUNS: Final[Any] = "COPY ace.runs (scenario, name, task, seq) FROM STDIN"
_WITHDRAWN: Final[Any] = "COPY ace.withdrawn (scenario, digest, key) FROM STDIN"
_AS_IT_IS: Final[Any] = SNAPSHOT_INTO
