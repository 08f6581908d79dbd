"""How often a batch was tried in vain. Reef hands out a batch again when a step raises, without end: the end is here.

The count is in a file, since neither Reef's algorithm state (nothing was committed) nor this process (it may have been
restarted because of the failure) keeps it. It is in memory as well: a disk that takes no file must not make it endless.
There it outlives the object, since Reef makes all of a scenario anew after a failure.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.store.files import read_bytes, replace

__all__ = ["RETRIES", "Attempts"]

RETRIES: Final = 3
"""A batch whose failure may pass is tried this many times again, then it is passed over."""


class _Count(msgspec.Struct):
    batch: str
    failures: int

    def of(self, batch: str) -> int:
        return self.failures if self.batch == batch else 0


_NONE: Final = _Count("", 0)

_IN_MEMORY: Final[dict[Path, _Count]] = {}
"""By the path of the file. One scenario is one thread's."""


class Attempts:
    """The failures of the batch that failed last, in `path` and in memory. Raises nothing, whatever becomes of the file."""

    def __init__(self, path: Path) -> None:
        self._path = path.absolute()

    def failed(self, traces: Iterable[str]) -> bool:
        """Count a failure of the batch of these traces. Returns whether it may be tried again."""
        batch = hashlib.sha256("\n".join(traces).encode(errors="replace")).hexdigest()
        failures = max(self._remembered().of(batch), self._written().of(batch)) + 1
        _IN_MEMORY[self._path] = count = _Count(batch, failures)
        with suppress(OSError):
            replace(self._path, msgspec.json.encode(count))
        return failures <= RETRIES

    def over(self) -> None:
        """Forget the count: the batch was learned from, or passed over."""
        _IN_MEMORY.pop(self._path, None)
        with suppress(OSError):
            self._path.unlink(missing_ok=True)

    def _remembered(self) -> _Count:
        return _IN_MEMORY.get(self._path, _NONE)

    def _written(self) -> _Count:
        try:
            return msgspec.json.decode(read_bytes(self._path) or b"", type=_Count)
        except (OSError, ValueError, msgspec.MsgspecError):
            return _NONE
