"""Where a host with many scenarios keeps each one's playbook: a folder for each, under one work folder."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Final, Protocol
from urllib.parse import quote, unquote

from ace.domain.errors import AceError

__all__ = ["cut_root", "is_scenario", "scenario_root", "scenarios", "see_ours"]

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


class _Owned(Protocol):
    """A folder, and whose it is."""

    @property
    def root(self) -> Path: ...
    @property
    def owner(self) -> str: ...


def see_ours(folder: _Owned, command: str) -> None:
    """Raises `AceError` for a host's folder, with the way that works for a command that writes: what it wrote would be put back by
    the host's next step.
    """
    if folder.owner == "host" or is_scenario(folder.root):
        raise AceError(
            f"{folder.root} is a host's, which brings its playbook along and puts back what is changed here. {_way(command)}"
        )
    if found := scenarios(folder.root):
        raise AceError(
            f"{folder.root} holds the scenarios of a deployment ({', '.join(found)}), which a host writes. {_way(command)}"
        )


def _way(command: str) -> str:
    """What does in a host what this command does in a folder of one's own."""
    match command:
        case "remove" | "reword" | "add":
            return (
                f"To do it in the service, say `ace {command} … --reef URL --scenario NAME`; to go on from an earlier playbook, roll "
                "the scenario back (docs/reef.md)"
            )
        case "adopt --from-block":
            return "To change a lesson in the service, say `ace reword ID TEXT --reef URL --scenario NAME` (docs/reef.md)"
        case "learn":
            return "To learn from recorded runs there, import them into the service (docs/reef.md)"
        case "revert" | "rewind":
            return (
                "Roll the scenario back to a release that was right (docs/reef.md): the host's next step goes on from there; "
                "or take single lessons out with `ace remove ID --reef URL --scenario NAME`"
            )
        case _:
            return (
                "The files here are copies, which the next step writes again from the playbook that the host keeps; to go back to "
                "another, roll the scenario back (docs/reef.md)"
            )
