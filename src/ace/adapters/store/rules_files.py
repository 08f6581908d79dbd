"""The files that carry the block, on the disk: a person may save one at any moment."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ace.adapters.store.files import read_bytes, replace_if, see_writable
from ace.domain.errors import AceError
from ace.domain.rules_block import Candidate, Line, Rules

__all__ = ["RulesFiles", "included_by"]

type _Stamp = tuple[int, ...] | None


class RulesFiles:
    """The files by the names that the host's check and the step's record know them by. All methods raise `OSError`."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = dict(paths)
        self._real = {name: os.path.realpath(path) for name, path in self._paths.items()}
        self._stamps: dict[int, list[_Stamp]] = {}

    def read(self, base_lines: Mapping[str, Line] | None = None) -> Rules:
        """The files as they are now, with these lines around the block if they are not their own. Raises `MarkerError`, and `AceError` if a link in the way of one leads elsewhere since the
        step began.
        """
        for name, path in self._paths.items():
            if os.path.realpath(path) != self._real[name]:
                raise AceError(
                    f"{path} leads to another file than when the step began: look at it, and run the command again"
                )
        stamps = self._stamped()
        rules = Rules({name: read_bytes(path) for name, path in self._paths.items()}, base_lines)
        self._stamps = {id(rules): stamps}
        return rules

    def unchanged(self, rules: Rules) -> bool:
        """Whether the files look as they did when these rules were read, the last that were."""
        return self._stamps.get(id(rules)) == self._stamped()

    def see_writable(self) -> None:
        """See that each file could be replaced. Raises `OSError` if it could not."""
        for path in self._paths.values():
            see_writable(path)

    def place(self, candidate: Candidate) -> bool:
        """Replace the files that the candidate changes, unless one of them is no longer what it was made from."""
        return all(
            replace_if(self._paths[name], candidate.base.files[name], data)
            for name, data in candidate.changed.items()
        )

    def __str__(self) -> str:
        return " or ".join(map(str, self._paths.values()))

    def _stamped(self) -> list[_Stamp]:
        return [_stamp(path) for path in self._paths.values()]


def _stamp(path: Path) -> _Stamp:
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns


_INCLUDE = re.compile(rb"(?<![\w`@])@([\w./~-]+)")


def included_by(path: Path, others: Sequence[Path]) -> list[Path]:
    """Which of the other files this one includes, as Claude Code and Gemini CLI have it: `@` and a path."""
    real = {os.path.realpath(other): other for other in others}
    named = (
        os.path.expanduser(os.fsdecode(one.rstrip(b"."))) for one in _INCLUDE.findall(read_bytes(path) or b"")
    )
    found = dict.fromkeys(os.path.realpath(path.parent / name) for name in named)
    return [real[one] for one in found if one in real and real[one] != path]
