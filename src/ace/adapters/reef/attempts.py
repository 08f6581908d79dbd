"""How often a batch was tried in vain. Reef hands out a batch again when a step raises, without end: the end is here.

The count is in a file, since neither Reef's algorithm state (nothing was committed) nor this process (it may have been
restarted because of the failure) keeps it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.files import read_bytes, replace

__all__ = ["RETRIES", "Attempts"]

RETRIES: Final = 3
"""A batch in which no call got through is tried this many times again, then it is passed over."""


class _Count(msgspec.Struct):
    batch: str
    failures: int


class Attempts:
    """The failures of the batch that failed last, in `path`. Raises `OSError`."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def failed(self, traces: Iterable[str]) -> bool:
        """Count a failure of the batch of these traces. Returns whether it may be tried again."""
        batch = hashlib.sha256("\n".join(traces).encode(errors="replace")).hexdigest()
        failures = self._failures(batch) + 1
        replace(self._path, msgspec.json.encode(_Count(batch, failures)))
        return failures <= RETRIES

    def over(self) -> None:
        """Forget the count: the batch was learned from, or passed over."""
        self._path.unlink(missing_ok=True)

    def _failures(self, batch: str) -> int:
        try:
            count = msgspec.json.decode(read_bytes(self._path) or b"", type=_Count)
        except msgspec.DecodeError:
            return 0
        return count.failures if count.batch == batch else 0
