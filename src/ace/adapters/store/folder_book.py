"""The book in a work folder of its own: which files are its own, and which carry its block."""

from __future__ import annotations

import difflib
import os
import shlex
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Literal, override

import msgspec

from ace.adapters.store.files import read_bytes, remove, replace
from ace.adapters.store.knowledge import Knowledge
from ace.adapters.store.log import WAY_OUT, Log
from ace.adapters.store.logged_book import LoggedBook
from ace.adapters.store.rules_files import RulesFiles, included_by
from ace.adapters.store.snapshot import ACCEPTED, read_snapshot
from ace.adapters.store.step_record import free_folder
from ace.domain.chain import LogTail
from ace.domain.errors import AceError, LogError, MarkerError, StateError
from ace.domain.opening import OpenState, open_own
from ace.domain.playbook import Playbook, digest, dump
from ace.domain.rules_block import BEGIN, END, Candidate, Rules, block, block_in, bullet_line, digest_in
from ace.domain.settings import ACESettings, parse_settings
from ace.domain.trace import Trace
from ace.domain.waiting import Waiting, folds_of, waiting_in
from ace.events.types import StepRecord

__all__ = ["Claimed", "FolderBook", "StateOwner", "once"]

type StateOwner = Literal["folder", "host"]

_OWN = ("state", "history", "steps", "cache", "lock", "learn.lock", "config.toml", ".gitignore")
"""What lies in the folder, beside a `rules.md` that may be a link to where the agent reads it."""


class Claimed(msgspec.Struct, frozen=True):
    """The runs that a step is to read: `traces` in their order. Of those that were asked for, `elsewhere` are read by another
    worker at this moment, and `read` were read meanwhile.
    """

    traces: tuple[Trace, ...]
    elsewhere: tuple[Trace, ...] = ()
    read: tuple[Trace, ...] = ()


class FolderBook(LoggedBook):
    """Where the files of one playbook are. `rules` are the files with the block, wherever the user keeps them (none: the
    folder's own `rules.md`); two names of one file count once. `owner` is who writes the folder: its user, or a host, whose
    folder can be looked at.

    Raises `AceError` if the root is not a folder, or one of its own files is a link; it may be missing.
    """

    is_ours = True
    is_shared = False
    rejected = ""

    def __init__(
        self, root: str | Path, rules: str | Path | Sequence[str | Path] = (), *, owner: StateOwner = "folder"
    ) -> None:
        root = Path(root)
        rules = [rules] if isinstance(rules, str | Path) else rules
        if root.exists() and not root.is_dir():
            raise AceError(f"{root} is a file: name a folder for the playbook")
        _see_own_files(root)
        super().__init__(root, "command line")
        self.owner: StateOwner = owner
        self.rules_are_named = bool(rules)
        self.rules_files = once(list(map(Path, rules))) or [root / "rules.md"]
        self._real = [Path(os.path.realpath(path)) for path in self.rules_files]
        for path in self.rules_files:
            _admit_rules(root, path)
        self._files = RulesFiles(self.names)

    @property
    def names(self) -> dict[str, Path]:
        """The rules files, by their real paths and the names that a step's record and the check know them by: each file's own,
        with a number in front where it is another's, too. Raises `AceError` for one that leads elsewhere by now.
        """
        names: dict[str, Path] = {}
        for path, real in zip(self.rules_files, self._real, strict=True):
            if Path(os.path.realpath(path)) != real:
                raise AceError(f"{path} leads to another file than a moment ago: run the command again")
            name, number = real.name, 1
            while name in names:
                number += 1
                name = f"{number}-{real.name}"
            names[name] = real
        return names

    # --- the book of a step ------------------------------------------------------------------------------------------

    @override
    @contextmanager
    def hold(self) -> Iterator[None]:
        with super().hold():
            # Links may have been changed since the last step.
            self._files = RulesFiles(self.names)
            yield

    @override
    def open(self) -> OpenState:
        state = open_own(self.kept_playbook(), self._tail(), self.told_snapshot(), self.screens)
        self._files.see_writable()
        accepted = self.accepted(state.tail)
        self._mend_accepted(accepted)
        return msgspec.structs.replace(state, accepted=accepted)

    def look(self) -> OpenState:
        """What a step would go on from, looked at alone. Raises `StateError` and `LogError`."""
        state = open_own(self.kept_playbook(), self.log.last(), self.told_snapshot(), self.screens)
        return msgspec.structs.replace(state, accepted=self.accepted(state.tail))

    @override
    def rules(self) -> Rules:
        return self._files.read()

    @override
    def unchanged(self, rules: Rules) -> bool:
        return self._files.unchanged(rules)

    @override
    def place(self, candidate: Candidate) -> bool:
        return self._files.place(candidate)

    @override
    def keep_accepted(self, accepted: Playbook | None) -> None:
        if accepted is None:
            remove(self._accepted)
        else:
            replace(self._accepted, dump(accepted))

    @override
    def begin_record(self, seq: int) -> str:
        self._record_dir = free_folder(self.root / "steps", f"{seq:05d}")
        return self._record_dir.name

    # --- its files ---------------------------------------------------------------------------------------------------

    def playbook(self) -> Playbook:
        """The playbook in the snapshot; an empty one where there is none. Raises `StateError` if it is damaged."""
        return self.kept_playbook() or Playbook()

    def kept_playbook(self) -> Playbook | None:
        """The playbook in the snapshot, or None where there is none. Raises `StateError` if it is damaged."""
        return read_snapshot(self.snapshot)

    def is_there(self) -> bool:
        """Whether a playbook was ever here."""
        return Log(self.history).path.exists() or self.snapshot.parent.exists()

    def told_snapshot(self) -> str:
        """Where the snapshot is, for a sentence."""
        return str(self.snapshot)

    def flaws_beside(self) -> list[str]:
        """What of that which can be made again from the log is not what it says, beside the snapshot: in a folder nothing is kept."""
        return []

    def flush(self) -> None:
        """Put into the rules files what was left for later. Of a folder nothing is."""

    def told_place(self) -> str:
        """Where the playbook is, for a sentence."""
        return str(self.root)

    def told_options(self) -> str:
        """The options of a command that name this playbook."""
        return f"--work {shlex.quote(str(self.root))}"

    def settings_for(self, own: Mapping[str, Any]) -> ACESettings:
        """The settings that count for whoever sets these. Raises `SettingsError`."""
        return parse_settings(own)

    def claimed(
        self,
        traces: Sequence[Trace],
        *,
        again: bool = False,  # noqa: ARG002 - a folder has one writer
        then: Sequence[Trace] = (),  # noqa: ARG002
    ) -> AbstractContextManager[Claimed]:
        """Of these runs, those that nobody else reads now, nor has read (unless they are to be read `again`): what a step is to
        read. `then` are those of the step that comes next, if it is known. Of a folder, which has one writer, all.
        """
        return nullcontext(Claimed(tuple(traces)))

    def accepted(self, tail: LogTail | None) -> Playbook | None:
        """What the rules show while something waits for a review after the end of the log, else None. Where the file does not hold
        it, the log is folded. Raises `LogError` if that does not come to what its last line names.
        """
        wanted = "" if tail is None else tail.record.accepted
        if not wanted:
            return None
        with suppress(StateError):
            found = self.kept_accepted()
            if found is not None and digest(found) == wanted:
                return found
        folded = folds_of(self.log.verified()).accepted
        if folded is None or digest(folded) != wanted:
            raise LogError(
                f"{self.log.name} does not fold to what its last line says that the rules show: that line was written by "
                f"other rules or changed. {WAY_OUT}"
            )
        return folded

    def _mend_accepted(self, accepted: Playbook | None) -> None:
        """Write what a kill left unwritten beside the snapshot."""
        with suppress(StateError):
            if self.kept_accepted() == accepted:
                return
        self.keep_accepted(accepted)

    def in_rules(self) -> Playbook:
        """What the rules show: the playbook in the snapshot, or what of it was accepted. Raises as `playbook` and `accepted` do."""
        return self.accepted(self.log.last()) or self.playbook()

    def waiting(self) -> Waiting:
        """What of the playbook in the snapshot waits for a review. Raises as `in_rules` does."""
        return waiting_in(self.playbook(), self.accepted(self.log.last()))

    def kept_accepted(self) -> Playbook | None:
        """What the file beside the snapshot says that the rules show. Raises `StateError` if it is damaged."""
        return read_snapshot(self._accepted)

    def told_accepted(self) -> str:
        """Where that file is, for a sentence."""
        return str(self._accepted)

    @property
    def _accepted(self) -> Path:
        return self.snapshot.with_name(ACCEPTED)

    @override
    def told_rules(self) -> str:
        """The rules files, for a sentence."""
        return " and ".join(map(str, self.rules_files))

    # --- whose block is it? ---------------------------------------------------------------------------------------------

    def see_blocks(self, *, take: bool = False, write: bool = True) -> dict[Path, str]:
        """See that no file holds the block of another playbook: at the first use of a file, its block has to be in our log.
        Raises `AceError` for one that does not; with `take` those blocks are returned, by their files, and may be replaced.
        Without `write` nothing is noted.
        """
        foreign: dict[Path, str] = {}
        with self.index(in_memory=not write) as index:
            for path in self.rules_files:
                if text := self._foreign(path, index):
                    foreign[path] = text
                    if not take:
                        raise AceError(
                            f"{path} holds a block that is not of the playbook in {self.root}: take the block out of the file, "
                            "name the playbook's own folder with --work, or give --take-block to have it replaced (its "
                            "lessons are not taken up)"
                        )
                if write:
                    index.know_file(path)
        return foreign

    def edits(self, shown: Playbook) -> dict[Path, tuple[str, ...]]:
        """What was changed by hand in the blocks since the log's last line, after which the rules are to show this: the lines of
        diffs by file. A step puts the block back.
        """
        tail, edited = self.log.last(), dict[Path, tuple[str, ...]]()
        if tail is None:
            return edited
        wanted = block(shown, tail.record.sections).splitlines()
        for path in self.rules_files:
            data = read_bytes(path) or b""
            if self._is_served(digest_in(data), tail.record):
                continue
            found = block_in(data).decode(errors="replace").splitlines()
            lines = difflib.unified_diff(wanted, found, "the log", str(path), lineterm="", n=0)
            if found and (told := tuple(line for line in lines if not line.startswith("@@"))):
                edited[path] = told
        return edited

    def may_serve(self, digest: str, last: StepRecord) -> bool:
        """Whether a rules file may hold the block of this digest though the log ends with this line: a host may have rejected
        the last candidate, or not published it yet.
        """
        return self.owner == "host" and digest in (last.block, last.served)

    def _is_served(self, digest: str, last: StepRecord) -> bool:
        """Whether a block is not an edit: one that the last step found was left by a kill."""
        return digest in (last.block, last.served)

    def _foreign(self, path: Path, index: Knowledge) -> str:
        """The block of another playbook, or no text. Raises `MarkerError`, which names the file."""
        data = read_bytes(path) or b""
        try:
            text = block_in(data).decode(errors="replace")
        except MarkerError as error:
            raise MarkerError(f"{path}: {error}") from None
        if not text.replace(BEGIN, "").replace(END, "").strip() or index.knows_file(path):
            return ""
        found, last = digest_in(data), self.log.last()
        if last is None:
            return "" if self._is_rendered(text) else text
        if found == last.record.block or self._is_own(path):
            return ""
        return "" if self.log.holds_block(found) else text

    def _is_rendered(self, text: str) -> bool:
        """Whether the block shows our snapshot's bullets and nothing else: its log was moved away."""
        ours = {bullet_line(one.id, one.helpful, one.harmful, one.content) for one in self.playbook().bullets}
        shown = {line for line in text.splitlines() if line.startswith("- ")}
        return bool(shown) and shown <= ours

    def _is_own(self, path: Path) -> bool:
        """Whether the file is the one that lies in the folder itself, and is not a link to another."""
        return os.path.realpath(path) == os.path.join(os.path.realpath(self.root), "rules.md")

    def includes(self) -> list[tuple[Path, Path]]:
        """The rules files that include another one: an agent that follows that reads the block twice."""
        files = self.rules_files
        return [(path, other) for path in files for other in included_by(path, files) if len(files) > 1]


def once(paths: Sequence[Path]) -> list[Path]:
    """The paths, of several names of one file the first."""
    kept: dict[object, Path] = {}
    for path in paths:
        real = os.path.realpath(path)
        try:
            info = os.stat(real)
        except OSError:
            kept.setdefault(real, path)
        else:
            # A hard link is a file of its own as soon as one of the two is replaced; another spelling is none.
            kept.setdefault((info.st_dev, info.st_ino) if info.st_nlink == 1 else real, path)
    return list(kept.values())


def _admit_rules(root: Path, rules: Path) -> None:
    """See that the rules file is not one of the folder's own. Raises `AceError`."""
    if rules.is_dir():
        raise AceError(f"{rules} is a folder: name the rules file in it")
    real, own = Path(os.path.realpath(rules)), Path(os.path.realpath(root))
    if real.is_relative_to(own) and {*real.relative_to(own).parts[:1]} & {*_OWN}:
        raise AceError(f"{rules} is one of the playbook's own files: name the file that the agent reads")


def _see_own_files(root: Path) -> None:
    """See that none of the folder's own files is a link: it could lead out of the folder, or to another file in it, and can come
    with a clone. Raises `AceError`.
    """
    inner = [path for name in ("state", "history", "cache") for path in _links(root / name)]
    for path in [root / name for name in _OWN] + inner:
        if path.is_symlink():
            raise AceError(
                f"{path} is a link, to {os.path.realpath(path)}: put the file itself there (the folder as a whole may be a link, "
                "if --work names it)"
            )


def _links(folder: Path) -> list[Path]:
    try:
        return [Path(entry) for entry in os.scandir(folder) if entry.is_symlink()]
    except OSError:
        return []
