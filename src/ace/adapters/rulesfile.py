"""The rules file while a step runs: a person may save it at any moment, and the host has a say in what it may hold."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

from ace.adapters.files import read_bytes, replace_if, see_writable
from ace.domain.errors import AceError, StepError
from ace.domain.rules import find_block, splice
from ace.domain.screens import excerpt

__all__ = ["RulesFile"]

_TRIES: Final = 5
"""How often a candidate is made anew because the file was saved meanwhile."""


class _Check(Protocol):
    def __call__(self, files: Mapping[str, bytes]) -> str | None: ...


class RulesFile:
    """The file `name` in the folder `tree`; a missing one reads as empty. All methods raise `OSError`, and those that
    look for the block `MarkerError`.
    """

    def __init__(self, tree: Path, name: str, check: _Check) -> None:
        self.path = tree / name
        self._name = name
        self._check = check
        self._admitted: bytes | None = None

    def read(self) -> bytes:
        """The file's bytes."""
        return read_bytes(self.path) or b""

    def check_unchanged(self) -> None:
        """See that the file can be written, that the markers are sound, and that the host admits the tree as it is. Raises
        `StepError` if it does not.
        """
        data = read_bytes(self.path)
        see_writable(self.path)
        find_block(data or b"")
        if reason := self._objection(data):
            raise StepError(
                f"the host's check refuses the tree as it is, before anything was learned: {reason}"
            )

    def candidate(self, block: str) -> bytes:
        """The file with this block in it, as the file is at this moment."""
        return splice(self.read(), block)

    def refusal(self, block: str) -> str | None:
        """Why the host refuses the file with this block in it, or None. Raises `StepError` if the file never rests."""
        for _ in range(_TRIES):
            data = self.read()
            candidate = splice(data, block)
            reason = self._objection(candidate)
            if self.read() == data:
                self._admitted = candidate if reason is None else None
                return reason
        raise StepError(f"{self.path} keeps being changed while the step ends: try again when it is at rest")

    def place(self, block: str) -> None:
        """Put the block into the file; a text that was saved around it since the host admitted it is checked and kept.

        Raises `AceError` if the host refuses that text, and no `StepError`, since the step may be in the log by now; the
        block is then put there at the next start.
        """
        for _ in range(_TRIES):
            data = self.read()
            candidate = splice(data, block)
            if candidate == data:
                return
            if candidate != self._admitted and (reason := self._objection(candidate)):
                raise AceError(
                    f"the host's check refuses {self.path} with the playbook's block in it, which is put there as soon as "
                    f"the check admits it: {reason}"
                )
            if replace_if(self.path, data, candidate):
                return
        raise AceError(f"{self.path} keeps being changed: its block is put there at the next start")

    def _objection(self, data: bytes | None) -> str | None:
        """What the host has against this content, on one line that may be kept, or None. A missing file is an empty tree."""
        reason = self._check({} if data is None else {self._name: data})
        return None if reason is None else excerpt(str(reason), 500) or "no reason given"
