"""How long a host's records of steps are kept: the newest so many, for so many days, so many megabytes together.

A step's record holds prompts and replies in full and is the largest part of what a deployment writes. The log, the playbook and the
scenario's other files are never touched; what is gone with a record is what `ace show ID` quotes of a run, and its calls.
"""

from __future__ import annotations

import os
import re
import shutil
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["NO_LIMIT", "Keep", "Records"]

_RECORD: Final = re.compile(r"\d+(-\d+)?")
"""The name of a step's record, with its try."""

_DAY_S: Final = 86_400.0


@dataclass(frozen=True)
class Keep:
    """What is kept; 0 means no limit. The newest record is kept in any case."""

    count: int = 0
    days: int = 0
    megabytes: int = 0


NO_LIMIT: Final = Keep()


class _Record(NamedTuple):
    time: float
    name: str


class Records:
    """The records in a folder. What is in one does not change once its step is over, so that each is measured once."""

    def __init__(self, folder: Path, keep: Keep) -> None:
        self._folder = folder
        self._keep = keep
        self._sizes: dict[_Record, int] = {}

    def prune(self, now: float | None = None) -> list[str]:
        """Remove the records that are not to be kept. Returns their names, oldest first. Raises nothing: what cannot be removed is
        tried again the next time.
        """
        if self._keep == NO_LIMIT:
            return []
        found = self._found()
        gone = found[self._kept(found, time.time() if now is None else now) :][::-1]
        for record in gone:
            shutil.rmtree(self._folder / record.name, ignore_errors=True)
        return [record.name for record in gone]

    def _kept(self, newest_first: list[_Record], now: float) -> int:
        """How many of them are kept."""
        count, days, megabytes = self._keep.count, self._keep.days, self._keep.megabytes
        size = 0
        for at, record in enumerate(newest_first):
            if megabytes:
                size += self._size(record)
            too_many = bool(count) and at >= count
            too_old = bool(days) and now - record.time > days * _DAY_S
            too_large = bool(megabytes) and size > megabytes * 1_000_000
            if at and (too_many or too_old or too_large):
                return at
        return len(newest_first)

    def _found(self) -> list[_Record]:
        try:
            with os.scandir(self._folder) as entries:
                found = [
                    _Record(entry.stat().st_mtime, entry.name)
                    for entry in entries
                    if _RECORD.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
                ]
        except OSError:
            return []
        self._sizes = {record: self._sizes[record] for record in found if record in self._sizes}
        return sorted(found, reverse=True)

    def _size(self, record: _Record) -> int:
        if record not in self._sizes:
            size = 0
            for folder, _, files in os.walk(self._folder / record.name):
                for name in files:
                    with suppress(OSError):
                        size += os.lstat(os.path.join(folder, name)).st_size
            self._sizes[record] = size
        return self._sizes[record]
