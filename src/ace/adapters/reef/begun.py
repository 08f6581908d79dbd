"""The entries that a scenario began with, which a rollback to its beginning goes back to.

Reef keeps a tree with every step, and none with the release that everything begins with: of that it has the agent's files
alone. The deployment's seed may be another one by then. So the seed of the scenario's first step is kept in its folder; if
that is lost, the seed of today has to do.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ace.adapters.reef.entries import Entry
from ace.adapters.store.files import read_bytes, replace

__all__ = ["BegunWith"]


class BegunWith:
    """The scenario's first seed in `path`, and the deployment's of today."""

    def __init__(self, path: Path, seed: Sequence[Entry]) -> None:
        self._path = path
        self._seed: list[Entry] = [dict(entry) for entry in seed]

    def keep(self) -> None:
        """Write down the seed of today unless one is kept. Raises nothing: it may never be asked for."""
        with suppress(OSError, TypeError, ValueError):
            if read_bytes(self._path) is None:
                replace(self._path, json.dumps(self._seed).encode())

    def entries(self) -> list[Entry]:
        """What the scenario began with, as far as that is known."""
        try:
            kept = json.loads(read_bytes(self._path) or b"null")
        except (OSError, ValueError):
            kept = None
        return (
            kept if isinstance(kept, list) and all(isinstance(entry, dict) for entry in kept) else self._seed
        )
