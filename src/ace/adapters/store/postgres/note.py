"""What this machine has of a shared book: which line its rules files were rendered from, and which files those are.

    cache/book-….json    {"seq": …, "line": …, "block": …, "files": […]}

It may be lost: then the block is rendered once more, and a block that was changed by hand has to be taken again.
"""

from __future__ import annotations

import hashlib
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from ace.adapters.store.files import lock, read_bytes
from ace.adapters.store.postgres.address import Address
from ace.adapters.store.trust import own_name

__all__ = ["Note", "Placed"]


class Placed(msgspec.Struct, frozen=True):
    """The line after which the rules files were rendered, its digest, the digest of the block in them, and the files' real paths."""

    seq: int = 0
    line: str = ""
    block: str = ""
    files: tuple[str, ...] = ()


class Note:
    """The note in a cache folder about the book at an address. Processes of this machine take turns."""

    def __init__(self, cache: Path, address: Address) -> None:
        try:
            # By a name that no clone can know: what came from elsewhere says nothing about files here.
            secret = own_name(cache)
        except OSError:
            secret = ""
        of = hashlib.sha256(f"{secret}{address.told}".encode()).hexdigest()[:24]
        self._path = cache / f"book-{of}.json" if secret else None

    def read(self) -> Placed:
        """The note; an empty one where there is none that can be read."""
        if self._path is None:
            return Placed()
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(read_bytes(self._path) or b"", type=Placed)
        return Placed()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Be alone with the rules files of this machine, as soon as the process that is has ended its turn."""
        if self._path is None:
            yield
            return
        with lock(self._path.with_suffix(".lock"), f"process {os.getpid()}", wait_s=math.inf):
            yield

    def write(self, placed: Placed) -> None:
        """Write the note. Raises nothing: it may be lost."""
        if self._path is not None:
            with suppress(OSError):
                self._path.parent.mkdir(parents=True, exist_ok=True)
                self._path.write_bytes(msgspec.json.encode(placed))

    def files(self) -> tuple[str, ...]:
        """The rules files that were used with this book."""
        return self.read().files
