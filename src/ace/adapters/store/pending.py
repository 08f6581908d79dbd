"""Replies that were paid for and that no line of the log records yet, so that an interrupted command costs none of them.

    cache/pending/<name>-<number>.json     one reply

The name is made of what was asked and of a secret of the user's, so that no clone can bring a reply along. A number tells replies
to equal questions apart. A reply is used once, by a later command, and removed as soon as a line records its step. What nobody
asked for in a week is removed, too. All of this may be lost: then the question is asked again.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections import defaultdict
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock
from typing import Final

from ace.adapters.store.files import read_bytes, write_new
from ace.adapters.store.trust import own_name

__all__ = ["PendingReplies"]

_KEPT_S: Final = 7 * 86_400
_NAME: Final = re.compile(r"([0-9a-f]{32})-(\d{1,6})\.json")


class PendingReplies:
    """The pending replies of a folder, for one command, which holds the folder. Several threads may ask at once. Raises nothing."""

    def __init__(self, cache: Path) -> None:
        self._folder = cache / "pending"
        self._lock = Lock()
        self._secret: str | None = None
        self._earlier: dict[str, list[Path]] | None = None
        self._of_step: list[Path] = []

    def begin_step(self) -> None:
        """What is taken and kept from now on belongs to another step."""
        with self._lock:
            self._of_step = []

    def end_step(self) -> None:
        """Remove what was taken and kept: a line of the log records it."""
        with self._lock:
            for path in self._of_step:
                with suppress(OSError):
                    path.unlink()
            self._of_step = []
            with suppress(OSError):
                self._folder.rmdir()  # if it is empty

    @property
    def of_step(self) -> int:
        """How many replies the step that was begun last has so far, and a later command could use."""
        with self._lock:
            return len(self._of_step)

    def take(self, question: bytes) -> bytes | None:
        """What an earlier command kept for this question, once; None if there is nothing."""
        with self._lock:
            paths = self._found().get(self._name(question), [])
            while paths:
                path = paths.pop(0)
                with suppress(OSError):
                    if (data := read_bytes(path)) is not None:
                        self._of_step.append(path)
                        return data
        return None

    def keep(self, question: bytes, reply: bytes) -> None:
        """Keep a reply for the next command that asks the same."""
        with self._lock, suppress(OSError):
            if name := self._name(question):
                path = next(
                    path
                    for number in count(1)
                    if not (path := self._folder / f"{name}-{number}.json").exists()
                )
                self._of_step.append(path)
                write_new(path, reply)

    def _name(self, question: bytes) -> str:
        """The name of a question's files; empty where the user has no place for a secret, and nothing is kept."""
        if self._secret is None:
            try:
                self._secret = own_name(self._folder)
            except OSError:
                self._secret = ""
        if not self._secret:
            return ""
        return hashlib.sha256(self._secret.encode() + b"\0" + question).hexdigest()[:32]

    def _found(self) -> dict[str, list[Path]]:
        """What earlier commands left, by its names, oldest first."""
        if self._earlier is None:
            self._earlier = defaultdict(list)
            numbered = []
            with suppress(OSError):
                for path in self._folder.iterdir():
                    name = _NAME.fullmatch(path.name)
                    if name is None or path.lstat().st_mtime < time.time() - _KEPT_S:
                        path.unlink()
                    else:
                        numbered.append((int(name[2]), name[1], path))
            for _, key, path in sorted(numbered):
                self._earlier[key].append(path)
        return self._earlier
