"""What a reader has to say of a file beside its runs. Nothing in it quotes what a line holds: it may be a secret."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from pathlib import Path

from ace.adapters.traces.lines import Flaw
from ace.adapters.traces.said import unread
from ace.domain.trace import JsonObject

__all__ = ["Notes"]


class Notes:
    """Filled while the file at `path` is read.

    `unreadable` are lines that gave nothing, `parts` what of a line was left out though it gave something, `passed` counts what
    was read and is not a run, by the reason, and `unknown` the kinds of records, or keys, that nobody reads.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.unreadable: list[Flaw] = []
        self.parts: list[Flaw] = []
        self.passed = Counter[str]()
        self.unknown = Counter[str]()

    def flaw(self, line: int, reason: str) -> None:
        """A line could not be read."""
        self.unreadable.append(Flaw(line, reason))

    def left_out(self, line: int, reason: str) -> None:
        """A part of a line could not be read, or belongs to nothing."""
        self.parts.append(Flaw(line, reason))

    def passed_over(self, reason: str) -> None:
        """Something is not a run."""
        self.passed[reason] += 1

    def unread(self, holder: JsonObject, read: Container[str]) -> None:
        """Count the keys beside those that are read under which there is a text."""
        for key in unread(holder, read):
            self.unknown_kind(key)

    def unknown_kind(self, kind: object) -> None:
        """A record is of a kind, or something is under a key, that nobody reads; its name is kept if it is one."""
        named = (
            isinstance(kind, str)
            and len(kind) <= 60
            and kind.replace("-", "_").replace(".", "_").isidentifier()
        )
        self.unknown[kind if named and isinstance(kind, str) else "(no name)"] += 1
