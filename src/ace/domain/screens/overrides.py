"""The screen for instruction overrides: texts that tell an agent to drop what it was told, or to obey somebody else.

A text is asked in English, then in other languages, then in each reading of it without a disguise. What it poses as a turn of
the conversation is another screen's (`turns.py`), except in disguise.
"""

from __future__ import annotations

from ace.domain.screens.disguises import ENCODED, SPLIT, undisguised
from ace.domain.screens.english import ORDERS, english
from ace.domain.screens.languages import foreign
from ace.domain.screens.views import Views

__all__ = ["override"]


def override(views: Views) -> str | None:
    """The screen for instruction overrides."""
    kind = english(views) or _abroad(views)
    if kind is not None:
        return f"an instruction override ({kind})"
    for disguise, text in undisguised(views):
        read = Views(text, text, text)
        # Other languages are read without accents and look-alikes as it is; what was encoded may be in any.
        kind = english(read) or (_abroad(read) if disguise == ENCODED else None)
        # Letters cut into words by guess make up a word of a request now and then.
        if kind is not None and (disguise != SPLIT or kind in ORDERS):
            return f"an instruction override ({kind}, {disguise})"
    return None


def _abroad(views: Views) -> str | None:
    found = foreign(views)
    return None if found is None or found.acts else found.told
