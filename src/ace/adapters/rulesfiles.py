"""The files that carry the block while a step runs: a person may save one at any moment, and the host has a say in what
they may hold.

What is read and proposed is a value, the *contents*: bytes by name. The first file is the one that the step reads its lines
from first, and whose block the log names; the others carry the same block.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Protocol

from ace.adapters.files import read_bytes, replace_if, see_writable
from ace.domain.errors import AceError, StepError
from ace.domain.rules import Line, digest_in, find_block, lines_outside, splice
from ace.domain.screens import excerpt

__all__ = ["Contents", "RulesFiles"]

type Contents = dict[str, bytes]

_TRIES: Final = 5
"""How often a candidate is made anew because a file was saved meanwhile."""


class _Check(Protocol):
    def __call__(self, files: Mapping[str, bytes]) -> str | None: ...


class RulesFiles:
    """The files by the names that the check and the step's record know them by; a missing one reads as empty. All methods
    raise `OSError`, and those that look for the block `MarkerError`.
    """

    def __init__(self, paths: Mapping[str, Path], check: _Check) -> None:
        self._paths = dict(paths)
        self._first = next(iter(self._paths))
        self._check = check
        self._admitted: Contents | None = None
        self._real = {name: os.path.realpath(path) for name, path in self._paths.items()}

    def read(self) -> Contents:
        """The files' bytes. Raises `AceError` if a link in the way of one leads elsewhere since the step began."""
        for name, path in self._paths.items():
            if os.path.realpath(path) != self._real[name]:
                raise AceError(
                    f"{path} leads to another file than when the step began: look at it, and run the command again"
                )
        return {name: read_bytes(path) or b"" for name, path in self._paths.items()}

    def first(self, contents: Contents) -> bytes:
        """The bytes of the first file."""
        return contents[self._first]

    def digest(self, contents: Contents) -> str:
        """The digest of the block in the first file, as the log names it."""
        return digest_in(self.first(contents))

    def outside(self, contents: Contents) -> dict[str, Line]:
        """The lines around the block, of all files; of equal lines the first counts."""
        lines: dict[str, Line] = {}
        for name, data in contents.items():
            for key, line in lines_outside(data, "" if name == self._first else name).items():
                lines.setdefault(key, line)
        return lines

    def check_unchanged(self) -> None:
        """See that the files can be written, that the markers are sound, and that the host admits the tree as it is. Raises
        `StepError` if it does not.
        """
        found: Contents = {}
        for name, path in self._paths.items():
            data = read_bytes(path)
            see_writable(path)
            find_block(data or b"")
            if data is not None:
                found[name] = data
        if reason := self._objection(found):
            raise StepError(
                f"the host's check refuses the tree as it is, before anything was learned: {reason}"
            )

    def candidate(self, block: str) -> Contents:
        """The files with this block in them, as they are at this moment."""
        return _spliced(self.read(), block)

    def refusal(self, block: str) -> str | None:
        """Why the host refuses the files with this block in them, or None. Raises `StepError` if they never rest."""
        for _ in range(_TRIES):
            contents = self.read()
            candidate = _spliced(contents, block)
            reason = self._objection(candidate)
            if self.read() == contents:
                self._admitted = candidate if reason is None else None
                return reason
        raise StepError(
            f"{self._named()} keeps being changed while the step ends: try again when it is at rest"
        )

    def place(self, block: str) -> None:
        """Put the block into the files; a text that was saved around it since the host admitted it is checked and kept. No
        file is written before all of them are checked.

        Raises `AceError` if the host refuses that text, and no `StepError`, since the step may be in the log by now; the
        block is then put there at the next start.
        """
        for _ in range(_TRIES):
            contents = self.read()
            candidate = _spliced(contents, block)
            if candidate == contents:
                return
            if candidate != self._admitted and (reason := self._objection(candidate)):
                raise AceError(
                    f"the host's check refuses {self._named()} with the playbook's block in it, which is put there as soon as "
                    f"the check admits it: {reason}"
                )
            changed = [name for name in contents if candidate[name] != contents[name]]
            if all(replace_if(self._paths[name], contents[name], candidate[name]) for name in changed):
                return
        raise AceError(f"{self._named()} keeps being changed: its block is put there at the next start")

    def _named(self) -> str:
        return " or ".join(map(str, self._paths.values()))

    def _objection(self, contents: Contents) -> str | None:
        """What the host has against these contents, on one line that may be kept, or None."""
        reason = self._check(contents)
        return None if reason is None else excerpt(str(reason), 500) or "no reason given"


def _spliced(contents: Contents, block: str) -> Contents:
    return {name: splice(data, block) for name, data in contents.items()}
