"""How often a batch failed. Reef 0.1.3 hands out a batch again when a step raises, without end: the end is here.

The count is in a file, since neither Reef's algorithm state (nothing was committed) nor this process (it may have been
restarted because of the failure) keeps it. It is in memory as well: a disk that takes no file must not make it endless.
There it outlives the object, since Reef makes all of a scenario again after a failure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.store.files import read_bytes, replace

__all__ = ["MOST_RETRIES", "Retries"]

MOST_RETRIES: Final = 3
"""A batch whose failure may pass is tried this many times again, then its runs wait."""


class _Count(msgspec.Struct, frozen=True):
    """What the file holds: the digest of the batch's run ids, and how often it failed."""

    batch: str = ""
    failures: int = 0


_IN_MEMORY: Final[dict[Path, _Count]] = {}
"""By the path of the file. One scenario is one thread's."""


class Retries:
    """Counts the failures of the batch that failed last. Raises nothing, whatever becomes of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    def failed(self, runs: Iterable[str]) -> bool:
        """Count a failure of the batch of these runs. Returns whether it may be tried again."""
        runs = tuple(runs)
        failures = 1 + self.count(runs)
        _IN_MEMORY[self._path] = count = _Count(_digest(runs), failures)
        with suppress(OSError):
            replace(self._path, msgspec.json.encode(count))
        return failures <= MOST_RETRIES

    def count(self, runs: Iterable[str]) -> int:
        """How often the batch of these runs has failed."""
        batch = _digest(runs)
        return max(count.failures if count.batch == batch else 0 for count in self._counts())

    def _counts(self) -> tuple[_Count, _Count]:
        return _IN_MEMORY.get(self._path, _Count()), self._read()

    def over(self) -> None:
        """Forget the count: the batch was learned from, or put away."""
        _IN_MEMORY.pop(self._path, None)
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _read(self) -> _Count:
        try:
            return msgspec.json.decode(read_bytes(self._path) or b"", type=_Count)
        except (OSError, ValueError, msgspec.MsgspecError):
            return _Count()


def _digest(runs: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(runs).encode(errors="replace")).hexdigest()
