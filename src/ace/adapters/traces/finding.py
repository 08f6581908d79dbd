"""Which files a name means: a file, a folder with all below it that may hold sessions, a pattern, or `-` for standard input."""

from __future__ import annotations

import atexit
import glob
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from ace.adapters.traces.reading import Format
from ace.domain.errors import TraceError

__all__ = ["Source", "files_below", "is_pattern", "sources"]

_ENDINGS = (".jsonl", ".json", ".ndjson", ".traj")
_PASSED_BY = frozenset({".git", ".ace", ".venv", "node_modules", "__pycache__"})
"""Folders in which no agent keeps sessions, and which hold many files of JSON."""


class Source(NamedTuple):
    """A file that may hold recorded sessions.

    `named` says that the user named this very file: its last turn is taken as it is, and that it cannot be read is an error. Of a
    file that holds the sessions of many projects those count that were held `within` this folder. `told` is what it is called, if
    not by its path.
    """

    path: Path
    named: bool = False
    format: Format | None = None
    within: Path | None = None
    told: str = ""


def sources(names: Iterable[Path], format: Format | None, *, by_hand: bool) -> list[Source]:  # noqa: A002 -- the word users know
    """The files that the names mean, each once, in order. `by_hand` says that the user gave the names, and no configuration.

    Raises `TraceError` for a folder or a pattern in which there is none.
    """
    found: dict[str, Source] = {}
    for name in names:
        for source in _meant(name, format, by_hand=by_hand):
            key = os.path.realpath(source.path)
            if key not in found or source.named:
                found[key] = source
    return list(found.values())


def is_pattern(name: Path) -> bool:
    """Whether a name is a pattern of names, and no file that is there."""
    return glob.has_magic(str(name)) and not os.path.lexists(name)


def _meant(name: Path, format: Format | None, *, by_hand: bool) -> Iterator[Source]:  # noqa: A002 -- as above
    if str(name) == "-":
        yield Source(_standard_input(), named=True, format=format, told="standard input")
    elif is_pattern(name):
        matches = [Path(path) for path in sorted(glob.glob(str(name), recursive=True, include_hidden=True))]
        if not matches:
            raise TraceError(f"{name} finds no file: name files or folders of recorded runs")
        for path in matches:
            if path.is_dir():
                yield from (Source(each, format=format) for each in files_below(path))
            else:
                yield Source(path, format=format)
    elif name.is_dir():
        below = list(files_below(name))
        if not below:
            raise TraceError(
                f"{name} holds no file that could be a session ({', '.join(_ENDINGS)}, also with .gz): name another folder"
            )
        yield from (Source(path, format=format) for path in below)
    else:
        yield Source(name, named=by_hand, format=format)


def files_below(folder: Path) -> Iterator[Path]:
    """The files in a folder, and below it, that may hold sessions, sorted; links to folders are not followed."""
    for path, folders, files in os.walk(folder):
        here = Path(path)
        folders[:] = sorted(name for name in folders if name not in _PASSED_BY)
        if here.name == "storage" and "session" in folders:
            folders[:] = ["session"]  # opencode's: beside it lie the messages and their parts, each a file
        yield from (here / name for name in sorted(files) if _may_hold_sessions(name))


def _may_hold_sessions(name: str) -> bool:
    name = name.casefold()
    if name.endswith(".compaction.json"):
        return False  # Cline's, for the model: the same session, shortened, beside the session
    return name.removesuffix(".gz").endswith(_ENDINGS) or (
        name.startswith("opencode") and name.endswith(".db")
    )


def _standard_input() -> Path:
    """A copy of what comes in, which is read more than once; it is gone when the process ends."""
    descriptor, name = tempfile.mkstemp(prefix="ace-", suffix=".jsonl")
    path = Path(name)
    atexit.register(path.unlink, missing_ok=True)
    with open(descriptor, "wb") as copy:
        shutil.copyfileobj(sys.stdin.buffer, copy)
    return path
