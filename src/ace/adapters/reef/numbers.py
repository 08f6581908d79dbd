"""ACE's numbers of a step, for Reef's commit of it: each a number under a name of its own, as Reef's experiment trackers take them."""

from __future__ import annotations

from typing import Final

import msgspec

from ace.domain.summary import count
from ace.ports import StepResult

__all__ = ["numbers"]

_PREFIX: Final = "ace/"


def numbers(result: StepResult | None, waiting: int) -> dict[str, int | float]:
    """Of a step that came to this, or to nothing; `waiting` runs are still to be read after it."""
    found: dict[str, int | float] = {"waiting": waiting}
    if result is not None:
        usage = msgspec.structs.asdict(result.usage)
        found |= msgspec.structs.asdict(count(result.record.events))
        found |= {"bullets": len(result.playbook.bullets), "failed_calls": usage.pop("failed")}
        found |= {name: round(value, 3) for name, value in usage.items()}
    return {f"{_PREFIX}{name}": value for name, value in found.items()}
