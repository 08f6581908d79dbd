"""The shared book of a step: what all machines have in the database, beside what is this machine's own in the work folder.

    the book's           log, playbook, settings, base rules, which runs are read, claims, failed calls
    this machine's       the rules files that get the block, the records of its steps, configuration and caches

Nobody is kept away while models are asked. A step that is not the first with its number is decided again on what the other one
left, from the replies that it has (`ace.method`). Rules files are replaced by the processes of a machine in turn, and never by an
older block than they have.
"""

from __future__ import annotations

import os
import secrets
import shlex
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, override

from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import Claimed, FolderBook
from ace.adapters.store.knowledge import Knowledge
from ace.adapters.store.logged_book import LoggedBook
from ace.adapters.store.postgres.address import Address, parse_address
from ace.adapters.store.postgres.note import Note, Placed
from ace.adapters.store.postgres.schema import BookSettings
from ace.adapters.store.postgres.shelf import Shelf
from ace.adapters.store.rules_files import RulesFiles
from ace.adapters.store.step_record import free_folder, retell
from ace.adapters.store.trust import own_name
from ace.domain.chain import LogTail
from ace.domain.errors import MarkerError
from ace.domain.opening import OpenState
from ace.domain.playbook import Playbook
from ace.domain.rules_block import Candidate, Line, Rules, digest_in, lines_outside
from ace.domain.screens import SCREENS, Screen
from ace.domain.settings import ACESettings
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past
from ace.events.types import StepRecord

__all__ = ["OnShelf", "PostgresBook", "worker_name"]

_BASE_RULES = "the book's rules"
"""What `DuplicateRejected.file` calls the rules that a book has for all machines."""


_LATER_S = 1.0
"""How long a block may be left for later, in seconds, while steps follow each other."""


def worker_name(folder: Path | None = None) -> str:
    """A name for this process that no other has: claims and records of steps are told apart by it. If only one process at a time works
    in the folder, the name is that folder's: whoever comes after a process that was killed takes up its claims.
    """
    host = "".join(letter for letter in socket.gethostname()[:40] if letter.isascii() and letter.isalnum())
    own = f"{os.getpid()}-{secrets.token_hex(4)}"
    if folder is not None:
        with suppress(OSError):
            own = own_name(folder)
    return f"{host or 'host'}-{own}"


class OnShelf(LoggedBook):
    """The part of a shared book that is the same whoever holds it: what of it is in the database. Set `shelf` and `log`."""

    shelf: Shelf

    def settings(self) -> BookSettings:
        """What the book decides by. Raises `BookError`."""
        return self.shelf.settings()

    def base_lines(self) -> dict[str, Line]:
        """The lines that make a duplicate, on all machines the same."""
        return lines_outside(self.settings().base_rules, _BASE_RULES)

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        return self.shelf.append(record)

    @override
    def keep(self, playbook: Playbook) -> None:
        self.shelf.keep()

    @override
    def keep_accepted(self, accepted: Playbook | None) -> None:
        """The shelf keeps it beside the snapshot."""

    @override
    def past(self, trace: Trace) -> Past:
        return self.shelf.past(trace)

    @override
    def withdrawn(self) -> frozenset[str]:
        return self.shelf.withdrawn()

    @override
    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        self.shelf.remember(failed, time=time, model=model)

    @override
    def forget(self, trace: Trace) -> None:
        self.shelf.forget(trace)

    @override
    @contextmanager
    def index(self, *, in_memory: bool = False) -> Iterator[Knowledge]:
        self.shelf.catch_up()
        yield self.shelf


class PostgresBook(OnShelf, FolderBook):
    """The book at an address, with the work folder of this machine, which may be missing, and its rules files. `claim_s` is how
    long a claim on a run holds that is not renewed, in seconds.

    Nothing is asked of the server before the first use. Raises as `FolderBook` does, and `ConfigError` for the address.
    """

    is_shared = True

    def __init__(
        self,
        root: str | Path,
        address: str | Address,
        rules: str | Path | Sequence[str | Path] = (),
        *,
        claim_s: float = 120.0,
    ) -> None:
        super().__init__(root, rules)
        self.address = parse_address(address) if isinstance(address, str) else address
        note = Note(self.cache, self.address)
        self.shelf = Shelf(self.address, worker_name(), note, claim_s=claim_s)
        self.log = self.shelf.log
        self._late: Candidate | None = None
        self._is_followed = False
        self._placed_at = 0.0
        self.own_screens: Sequence[Screen] = SCREENS
        self._is_writable = False

    @property
    def screens(self) -> Sequence[Screen]:
        """The screens that a lesson has to pass to come into the book. Those of this machine alone (`own_screens`, which setting this
        sets) say what comes out of it into the rules here.
        """
        return self.settings_for({}).screens

    @screens.setter
    def screens(self, screens: Sequence[Screen]) -> None:
        self.own_screens = screens

    @override
    def settings_for(self, own: Mapping[str, Any]) -> ACESettings:
        return self.settings().settings(own)

    def close(self) -> None:
        """Let go of the server."""
        self.shelf.server.close()

    # --- the book of a step ------------------------------------------------------------------------------------------

    @override
    @contextmanager
    def hold(self) -> Iterator[None]:
        # Links may have been changed since the last step.
        self._files = RulesFiles(self.names)
        yield

    @override
    def locked(self, command: str, name: str = "lock") -> AbstractContextManager[None]:
        """Nobody is kept away."""
        return nullcontext()

    @override
    def open(self) -> OpenState:
        state = self.look()
        if state.tail is not None:
            retell(self._steps, state.tail.record)
        if not self._is_writable:
            self._files.see_writable()
            self._is_writable = True
        return state

    @override
    def look(self) -> OpenState:
        return self.shelf.state()

    @override
    def rules(self) -> Rules:
        return self._files.read(self.base_lines())

    @override
    def place(self, candidate: Candidate) -> bool:
        """Replace the rules files, unless another process of this machine has put a newer block there already. Where step follows step
        within moments, this is left for later (`flush`): a disk takes longer for it than a database for the line.
        """
        self._late = candidate
        if self._is_followed and time.monotonic() - self._placed_at < _LATER_S:
            return True
        return self._place(candidate)

    @override
    def flaws_beside(self) -> list[str]:
        from ace.adapters.store.postgres.transfer import flaws_beside  # noqa: PLC0415 - it is made of this

        return flaws_beside(self)

    @override
    def flush(self) -> None:
        """Put into the rules files what was left for later. If somebody has saved one since, the next start puts it there. Runs that were
        claimed ahead are let go.
        """
        self.shelf.let_go()
        if self._late is not None:
            self._place(self._late)

    def _place(self, candidate: Candidate) -> bool:
        self._late, self._placed_at = None, time.monotonic()
        note, tail = self.shelf.note, self.shelf.tail
        with note.turn():
            placed, seq = note.read(), self.shelf.seq
            if placed.seq > seq and self.shelf.has_line(placed.seq, placed.line):
                return True
            if not self._files.place(candidate):
                return False
            line = "" if tail is None else tail.digest
            note.write(Placed(seq, line, candidate.digest, placed.files))
        return True

    def current(self) -> int | None:
        """The number of the book's last line, if the rules files of this machine show just that; else None. Asks one query."""
        placed = self.shelf.note.read()
        if not placed.seq or self.shelf.head() != (placed.seq, placed.line):
            return None
        try:
            blocks = {digest_in(read_bytes(path) or b"") for path in self.rules_files}
        except MarkerError:
            return None
        return placed.seq if blocks == {placed.block} else None

    def note_placed(self) -> None:
        """Note that the rules files show the head as this process knows it."""
        note, tail = self.shelf.note, self.shelf.tail
        with note.turn():
            placed = note.read()
            if tail is not None and tail.record.seq >= placed.seq:
                shown = digest_in(read_bytes(self.rules_files[0]) or b"")
                note.write(Placed(tail.record.seq, tail.digest, shown, placed.files))

    @override
    def begin_record(self, seq: int) -> str:
        self._record_dir = free_folder(self._steps, f"{seq:05d}-{self.shelf.worker}")
        return self._record_dir.name

    @override
    @contextmanager
    def claimed(
        self, traces: Sequence[Trace], *, again: bool = False, then: Sequence[Trace] = ()
    ) -> Iterator[Claimed]:
        """Of these runs, those that no other worker reads at this moment, nor has read. Raises `BookError`."""
        with self.shelf.claimed(traces, then) as free:
            read = [one for one in free if not again and self.shelf.past(one).settled(one) is not None]
            self._is_followed = True
            try:
                yield Claimed(
                    traces=tuple(one for one in free if one not in read),
                    elsewhere=tuple(one for one in traces if one not in free),
                    read=tuple(read),
                )
            finally:
                self._is_followed = False

    # --- what a use case asks ----------------------------------------------------------------------------------------

    @override
    def kept_playbook(self) -> Playbook | None:
        state = self.look()
        return None if state.tail is None and state.restored is None else state.playbook

    @override
    def accepted(self, tail: LogTail | None) -> Playbook | None:
        self.shelf.catch_up()
        return self.shelf.accepted

    @override
    def kept_accepted(self) -> Playbook | None:
        return self.accepted(None)

    @override
    def told_accepted(self) -> str:
        return self.address.told

    @override
    def is_there(self) -> bool:
        return self.shelf.is_there()

    @override
    def told_snapshot(self) -> str:
        return self.address.told

    @override
    def told_place(self) -> str:
        return self.address.told

    @override
    def told_options(self) -> str:
        return f"--book {shlex.quote(self.address.text)}"

    @override
    def may_serve(self, digest: str, last: StepRecord) -> bool:
        """A machine's block may be any that the book had, or none yet: `ace pull` renders the last one."""
        return digest == digest_in(b"") or self.log.holds_block(digest)

    @override
    def _is_served(self, digest: str, last: StepRecord) -> bool:
        return super()._is_served(digest, last) or self.log.holds_block(digest)
