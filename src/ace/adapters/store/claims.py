"""A folder that one process has for itself for as long as it lives, such as a service its work folder."""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from typing import Final

from ace.adapters.store.files import lock

__all__ = ["claim"]

_CLAIMED: Final[dict[Path, ExitStack]] = {}
"""By the path of the lock. The kernel takes them back when the process ends, however it does."""


def claim(path: Path) -> None:
    """Take the lock `path` until the process ends; once is enough. Raises `LockedError` if another process has it, and `OSError`."""
    path = Path(os.path.realpath(path))
    if path in _CLAIMED:
        return
    held = ExitStack()
    held.enter_context(lock(path, f"process {os.getpid()}"))
    _CLAIMED[path] = held
