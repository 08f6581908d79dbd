"""What a host serves of a playbook, and what became of the releases: written by the host for people who look at the folder.

<root>/served.json               now: which lessons are served, which the evaluation rejected, and why
<root>/history/releases.jsonl    in order: what became of each candidate, and each rollback and promotion

No step reads either: the host knows better. So what is damaged in them is passed over, and a lost line costs a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal

import msgspec

from ace.adapters.store.files import append_line, open_file, read_bytes, replace

__all__ = ["Mark", "Release", "Standing", "note_release", "read_releases", "read_standing", "write_standing"]

type Mark = Literal["served", "waiting", "rejected"]

_SERVED: Final = "served.json"
_RELEASES: Final = Path("history") / "releases.jsonl"


class Standing(msgspec.Struct, frozen=True, kw_only=True):
    """Which lessons are served, by their ids, in which release; and those that the evaluation rejected last, with the reason.
    Any other lesson of the playbook waits: for its turn, for a review, or for a candidate.
    """

    release: str = ""
    served: tuple[str, ...] = ()
    rejected: tuple[str, ...] = ()
    reason: str = ""

    def mark(self, identifier: str) -> Mark:
        """The state of the lesson."""
        if identifier in self.served:
            return "served"
        return "rejected" if identifier in self.rejected else "waiting"


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the candidate of a step, or a rollback or promotion. `seq` is the line of the log behind which it happened,
    `record` the folder of the step's record; `release` is empty where nothing was published, or its name is not known yet.
    """

    time: str
    seq: int
    record: str
    outcome: str
    reason: str = ""
    release: str = ""
    lessons: tuple[str, ...] = ()


def read_standing(root: Path) -> Standing | None:
    """What is served now; None where no host has said so. Raises `OSError` for a file that cannot be read."""
    try:
        return msgspec.json.decode(read_bytes(root / _SERVED) or b"", type=Standing)
    except (msgspec.MsgspecError, ValueError):
        return None


def write_standing(root: Path, standing: Standing) -> None:
    """Say what is served now. Raises `OSError`."""
    replace(root / _SERVED, msgspec.json.format(msgspec.json.encode(standing), indent=1) + b"\n")


def note_release(root: Path, release: Release) -> None:
    """Add a line to the history of releases. Raises `OSError`."""
    append_line(root / _RELEASES, msgspec.json.encode(release))


def read_releases(root: Path) -> Iterator[Release]:
    """The history of releases, oldest first. Raises `OSError`, but not for a folder without one."""
    try:
        file = open_file(root / _RELEASES)
    except FileNotFoundError:
        return
    with file:
        for line in file:
            try:
                yield msgspec.json.decode(line, type=Release)
            except (msgspec.MsgspecError, ValueError):
                continue
