"""Where a session was held: the folder that its file names."""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from ace.adapters.traces.lines import Rows, unpacked
from ace.domain.errors import TraceError

__all__ = ["is_within", "place_of"]

_LOOKED_AT = 50
"""Records: the first tells it, or one of the first that was written by the agent."""


def is_within(place: object, folder: Path) -> bool:
    """Whether a recorded folder is this one or below it, by the names as they are or by their real paths."""
    if not isinstance(place, str) or not place or "\0" in place:
        return False
    return Path(place).is_relative_to(os.path.abspath(folder)) or Path(
        os.path.realpath(place)
    ).is_relative_to(os.path.realpath(folder))


def place_of(path: Path) -> str:
    """The folder in which a file's session was held, by its first records; empty if they do not say."""
    try:
        with path.open("rb") as file:
            for row in islice(Rows(unpacked(file)), _LOOKED_AT):
                if place := next(_named(row.value), ""):
                    return place
    except (OSError, TraceError):
        pass
    return ""


def _named(value: Any) -> Iterator[str]:
    for holder in (value, value.get("payload"), value.get("info")):
        if isinstance(holder, dict):
            yield from (
                found for key in ("cwd", "directory") if isinstance(found := holder.get(key), str) and found
            )
