"""What a book knows of runs and texts without reading its log: asked of an index, whatever keeps it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Protocol

from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past, Tried
from ace.events.types import Identity

__all__ = ["Knowledge"]


class Knowledge(Protocol):
    """What the log says of a run, which texts do not come back, and what is remembered beside the log."""

    @property
    def restored(self) -> int:
        """The `seq` of the last line that restored a playbook, 0 if there is none."""
        ...

    def ahead[P](self, traces: Iterable[tuple[P, Trace]]) -> Iterable[tuple[P, Trace]]:
        """The same traces, for whoever asks about each of them: many may be looked up at once."""
        ...

    def past(self, trace: Trace) -> Past:
        """What the log says of a run."""
        ...

    def withdrawn(self) -> Collection[str]:
        """The keys of the texts that do not come back."""
        ...

    def tried(self, trace: Trace) -> Tried | None:
        """The last failed call of a run, if one is remembered."""
        ...

    def tried_runs(self) -> list[tuple[set[Identity], bool]]:
        """The runs whose last call failed: each by all of its names, as they are compared, and whether it was too long."""
        ...

    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Remember a failed call, in place of an earlier one of the same run. Raises nothing: it may be lost."""
        ...

    def forget(self, trace: Trace) -> None:
        """Forget the failed calls of a run: it was read. Raises nothing."""
        ...

    def knows_file(self, path: Path) -> bool:
        """Whether this rules file was used with this log."""
        ...

    def know_file(self, path: Path) -> None:
        """Note that this rules file is used with this log. Raises nothing: it may be lost."""
        ...
