"""The entries that a scenario began with, which a rollback to its beginning goes back to.

Reef 0.1.3 keeps a tree with every step, and none with the release that everything begins with: of that it has the agent's
files alone. The deployment's seed may be another one by then. So the seed of the scenario's first step is kept in its
folder; if that is lost, the seed of today has to do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ace.adapters.reef.rules_entry import Entry
from ace.adapters.store.files import read_bytes, replace

__all__ = ["InitialSeed"]


class InitialSeed:
    """The scenario's first seed in `path`, and the deployment's of today."""

    def __init__(self, path: Path, today: Sequence[Entry]) -> None:
        self._path = path
        self._today: list[Entry] = [dict(entry) for entry in today]

    def keep(self) -> None:
        """Write down the seed of today unless one is kept. Raises nothing: it may never be asked for."""
        with suppress(OSError, TypeError, ValueError):
            if read_bytes(self._path) is None:
                replace(self._path, json.dumps(self._today).encode())

    def entries(self) -> list[Entry]:
        """What the scenario began with, as far as that is known."""
        try:
            kept = json.loads(read_bytes(self._path) or b"null")
        except (OSError, ValueError):
            return self._today
        if isinstance(kept, list) and all(isinstance(entry, dict) for entry in kept):
            return kept
        return self._today
