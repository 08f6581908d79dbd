"""The book of a host that keeps state and rules itself: it brings both as values, and takes from here what came of a step.

The log lies in a folder; it is what the host does not bring. Beside it lie copies of the playbook and of the rules, so that the
commands that look at a host's folder show what the host has. No step reads them, so they are not synced: a step waits for the disk once, at
the append.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import override

import msgspec

from ace.adapters.store.files import read_bytes, replace_copy
from ace.adapters.store.logged_book import LoggedBook
from ace.adapters.store.step_record import free_folder, see_free
from ace.domain.opening import OpenState, open_brought
from ace.domain.playbook import Playbook, digest, dump, fold
from ace.domain.rules_block import Candidate, Rules
from ace.domain.trace import Trace
from ace.domain.unread import TRIES, Past
from ace.events.types import Event

__all__ = ["HostBook"]


class HostBook(LoggedBook):
    """A host's playbook; `playbook` and the `files` with the rules are what the host brings. After a step `files` holds what the
    host may publish.

    `playbook` is None before the first step. `files` holds bytes by name, None for a file that is not there; the first carries
    the block that the log names. `restore_reason` says for the log where the playbook is from, if it is not the one that the log ends
    with: a rollback, a failed commit, a fork. `rejected` is the digest of the block that the host rejected last and has not replaced
    since, if there is one. `record_dir` is the folder for the record of the next step, which holds none yet; without one
    the step gets a folder under `root`.
    """

    is_ours = False
    rejected = ""

    def __init__(
        self,
        root: str | Path,
        *,
        files: Mapping[str, bytes | None],
        playbook: Playbook | None = None,
        scenario: str = "host",
        restore_reason: str = "host",
        rejected: str = "",
        record_dir: Path | None = None,
    ) -> None:
        super().__init__(Path(root), f"scenario {scenario}")
        self.bring(files, playbook, restore_reason=restore_reason, rejected=rejected, record_dir=record_dir)

    def bring(
        self,
        files: Mapping[str, bytes | None],
        playbook: Playbook | None,
        *,
        restore_reason: str = "host",
        rejected: str = "",
        record_dir: Path | None = None,
    ) -> None:
        """Bring what the host has now, for the next step of a book that is used for many."""
        self.files = dict(files)
        self.rejected = rejected
        self._playbook = playbook
        self._restore_reason = restore_reason
        self._names_record = record_dir is None
        self._record_dir = record_dir or self.root / "steps"
        self._steps = self.root / "steps" if record_dir is None else record_dir.parent

    @property
    def playbook(self) -> Playbook | None:
        """The playbook as it was brought or, once a step or what was brought is in the log, as that says."""
        return self._playbook

    @property
    def record_dir(self) -> Path:
        """The folder of the step's record."""
        return self._record_dir

    @override
    def told_rules(self) -> str:
        return " and ".join(self.files)

    @override
    def open(self) -> OpenState:
        self._copy_rules()
        tail, brought = self._tail(), self._playbook or Playbook()
        decided = self.decisions(brought)
        if decided and tail is not None and tail.record.events == decided:
            after = fold(brought, decided)
            if digest(after) == tail.record.playbook:  # a step that failed behind it had logged it
                return OpenState(after, tail, stale=True)
        state = open_brought(self._playbook, tail, self._restore_reason, self.screens)
        return msgspec.structs.replace(state, decided=self.decisions(state.playbook))

    def decisions(self, playbook: Playbook) -> tuple[Event, ...]:  # noqa: ARG002 - for books that bring some
        """What is decided about lessons of this playbook outside of any step, and has to be logged before the next."""
        return ()

    @override
    def rules(self) -> Rules:
        return Rules(self.files)

    @override
    def unchanged(self, rules: Rules) -> bool:
        return True

    @override
    def past(self, trace: Trace) -> Past:
        """A host decides what it gives again: of a run that it brings again, only what is left to be done counts, and that only if
        its tags are in the playbook that the host brings.
        """
        past = super().past(trace)
        restored = self._opened_index().restored
        if past.unusable >= TRIES or (past.pending is not None and past.pending.of > restored):
            return past
        return Past(unusable=past.unusable)

    @override
    def begin_record(self, seq: int) -> str:
        if self._names_record:
            self._record_dir = free_folder(self._steps, f"{seq:05d}")
        see_free(self._record_dir)
        return self._record_dir.name

    @override
    def keep(self, playbook: Playbook) -> None:
        replace_copy(self.snapshot, dump(playbook))
        self._playbook = playbook

    @override
    def place(self, candidate: Candidate) -> bool:
        self.files |= candidate.changed
        self._copy_rules()
        return True

    def _copy_rules(self) -> None:
        for name, data in self.files.items():
            path = self.root / name
            if data is None:
                path.unlink(missing_ok=True)
            elif read_bytes(path) != data:
                replace_copy(path, data)
