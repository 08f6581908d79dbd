"""Where a host with many scenarios keeps each one's playbook: a folder for each, under one work folder."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

__all__ = ["scenario_root"]


def scenario_root(work: Path, scenario: str) -> Path:
    """The root of a scenario's playbook: `<work>/harness/<scenario>/harness`.

    A name that is no plain one is quoted, as in an address, so that no scenario leaves the work folder or meets another.
    """
    name = quote(scenario, safe="")
    return work / "harness" / (name if name.strip(".") else name.replace(".", "%2E")) / "harness"
