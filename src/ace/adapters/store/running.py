"""Whether a host is in the middle of a step, and since when: for people who look, while it is under way.

A file in the scenario's folder is locked by the kernel as long as the step goes on, however that ends; what it says is true as long.
The step's own lock is another one, so that looking never gets into its way.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.store.files import open_file

__all__ = ["Running", "Sign", "under_way"]

_NAME: Final = "running.json"


class Running(msgspec.Struct, frozen=True):
    """A step that is under way: its number, since when (RFC 3339, UTC), how many runs it reads, and what it is about."""

    step: int
    since: str
    runs: int
    phase: str


class Sign:
    """The sign of one host for one scenario. Raises nothing: a step must not fail because nobody can look at it."""

    def __init__(self, cache: Path) -> None:
        self._path = cache / _NAME
        self._descriptor: int | None = None

    @property
    def is_shown(self) -> bool:
        """Whether something goes on."""
        return self._descriptor is not None

    def show(self, running: Running) -> None:
        """Say that this goes on, from now until `hide`."""
        with suppress(OSError):
            if self._descriptor is None:
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o666)
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, msgspec.json.encode(running), 0)

    def hide(self) -> None:
        """Say that nothing goes on."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with suppress(OSError):
                # Not by closing alone: a process that another thread is just starting has the descriptor too, for a moment.
                fcntl.flock(descriptor, fcntl.LOCK_UN)
            with suppress(OSError):
                os.close(descriptor)


def under_way(cache: Path) -> Running | None:
    """The step that is under way, or None."""
    with suppress(OSError, ValueError, msgspec.MsgspecError), open_file(cache / _NAME) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return msgspec.json.decode(file.read(10_000), type=Running)
    return None
