"""The screen for instruction overrides: texts that tell an agent to drop what it was told, or to obey somebody else."""

from __future__ import annotations

from ace.domain.screens.english import english
from ace.domain.screens.languages import foreign
from ace.domain.screens.views import Views

__all__ = ["override"]


def override(views: Views) -> str | None:
    """The screen for instruction overrides."""
    kind = english(views)
    if kind is None and (abroad := foreign(views)) is not None and not abroad.acts:
        kind = abroad.told
    return None if kind is None else f"an instruction override ({kind})"
