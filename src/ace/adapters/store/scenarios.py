"""Where a host with many scenarios keeps each one's playbook: a folder for each, under one work folder."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote

__all__ = ["cut_root", "is_scenario", "scenario_root", "scenarios"]

_LONGEST: Final = 200
"""A file system takes a name of 255 bytes, and whoever archives the folder may add to it."""

_CUT: Final = 120


def scenario_root(work: Path, scenario: str) -> Path:
    """The root of a scenario's playbook: `<work>/harness/<scenario>/harness`.

    A name that is not plain is quoted, as in an address, so that no scenario leaves the work folder or meets another.
    What is long then is cut: `=`, which is in no quoted name, and a digest take the place of the rest.
    """
    name = quote(scenario, safe="")
    if len(name) > _LONGEST:
        name = f"{name[:_CUT]}={hashlib.sha256(name.encode()).hexdigest()[:32]}"
    return work / "harness" / (name if name.strip(".") else name.replace(".", "%2E")) / "harness"


def cut_root(work: Path, name: str) -> Path | None:
    """The root of the scenario that `scenarios` names so because its name was cut; None if there is none."""
    root = work / "harness" / quote(name, safe="=") / "harness"
    return root if "=" in name and root.is_dir() else None


def is_scenario(root: Path) -> bool:
    """Whether a folder lies where the root of a scenario's playbook does."""
    folders = Path(os.path.realpath(root)).parts
    return len(folders) > 3 and folders[-1] == folders[-3] == "harness"


def scenarios(work: Path) -> list[str]:
    """The names of the scenarios in a work folder of which there was a step. Of a name that was cut, what is left."""
    found = (work / "harness").glob("*/harness/history/events.jsonl")
    return sorted(unquote(path.parents[2].name) for path in found)
