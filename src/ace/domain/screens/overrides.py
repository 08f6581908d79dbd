"""The screen for instruction overrides: texts that tell an agent to drop what it was told, or to obey somebody else.

A text is asked in English, then in other languages, then in each reading of it without a disguise. What it poses as a turn of
the conversation is another screen's (`turns.py`), except in disguise.
"""

from __future__ import annotations

from ace.domain.screens.disguises import undisguised
from ace.domain.screens.english import english
from ace.domain.screens.languages import foreign
from ace.domain.screens.views import Views

__all__ = ["override"]


def override(views: Views) -> str | None:
    """The screen for instruction overrides."""
    kind = _told(views)
    if kind is not None:
        return f"an instruction override ({kind})"
    for disguise, text in undisguised(views):
        if kind := _told(Views(text, text, text)):
            return f"an instruction override ({kind}, {disguise})"
    return None


def _told(views: Views) -> str | None:
    kind = english(views)
    if kind is None and (abroad := foreign(views)) is not None and not abroad.acts:
        kind = abroad.told
    return kind
