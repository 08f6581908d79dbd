"""What must not enter a playbook, and what must not leave a trace: screens and redaction.

A screen is a function from a text to a reason or None; `refusal` asks them in the order of `SCREENS`. None of them quotes
the text. Each kind has a module with a table of its own, which is where to widen it:

    acting.py        lessons that act: what they would do to a machine, data or trust; lexicon.py is the notation of
                     its rules, tokens.py says what a word is, and shapes.py knows what no rule over words can say
    characters.py    hidden characters, invalid Unicode
    credentials.py   credentials, and `redact`; it names the modules that know what one looks like
    gates.py         which rows of a table a text may match, told by its words
    layers.py        the text as it came, and with one encoding after the other taken off
    overrides.py     instruction overrides: english.py, languages.py and disguises.py know them; grammar.py is
                     the notation of English, and clauses.py says what is a warning against one
    turns.py         texts that pose as a turn of the conversation
    views.py         the text as it came, and as it is once width, invisible characters and case are folded
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ace.domain.screens.acting import ACTS, acting, acts
from ace.domain.screens.characters import JOINERS, hidden, malformed, piled, replace_surrogates
from ace.domain.screens.credentials import (
    PLACEHOLDER,
    Credential,
    Redacted,
    credential,
    find_credentials,
    placeholder,
    redact,
)
from ace.domain.screens.overrides import override
from ace.domain.screens.turns import turn
from ace.domain.screens.views import Views

__all__ = [
    "ACTS",
    "LONGEST_LESSON",
    "MARKING_SCREENS",
    "PLACEHOLDER",
    "SCREENS",
    "Credential",
    "Redacted",
    "Screen",
    "Views",
    "acting_kind",
    "find_credentials",
    "piled",
    "redact",
    "refusal",
    "replace_surrogates",
    "safe_excerpt",
]

type Screen = Callable[[Views], str | None]

_MARKER = re.compile(r"ace ?: ?playbook ?: ?(?:begin|end)")


def _marker(views: Views) -> str | None:
    return "a marker line of the block" if _MARKER.search(views.folded) else None


def _malformed(views: Views) -> str | None:
    return malformed(views.raw)


def _hidden(views: Views) -> str | None:
    return hidden(views.raw)


MARKING_SCREENS: tuple[Screen, ...] = (_malformed, _hidden, _marker, credential, placeholder, override, turn)
"""The screens of a playbook in which lessons that act are marked, in the order in which they are asked."""

SCREENS: tuple[Screen, ...] = (*MARKING_SCREENS, acts)
"""Every screen, in the order in which they are asked."""


LONGEST_LESSON = 2_000
"""Characters of a lesson. An agent reads each of them every day."""


def refusal(text: str, screens: Sequence[Screen] = SCREENS) -> str | None:
    """Why the text must not become a bullet, or None: the first reason of these screens, which holds nothing of the text."""
    if len(text) > LONGEST_LESSON:
        return f"longer than {LONGEST_LESSON:,} characters"
    if piled(text):
        return "hidden characters (combining marks)"
    views = Views.of(text)
    for screen in screens:
        if (reason := screen(views)) is not None:
            return reason
    return None


def acting_kind(text: str) -> str:
    """The kind of lesson that acts, as `BulletAdded.marked` keeps it; no text for any other."""
    return acting(Views.of(text)) or ""


def safe_excerpt(text: str, limit: int = 200) -> str:
    """The start of the text on one line, fit to be kept in events and notes.

    At most `limit` characters, an ellipsis included. Credentials are redacted; a start that another screen refuses is
    withheld, and the reason takes its place.
    """
    shown = " ".join(redact(replace_surrogates(text)).split())
    if len(shown) > limit:
        # A joiner at the end would join nothing any more.
        shown = shown[: limit - 1].rstrip(" " + "".join(JOINERS)) + "…"
    if piled(shown):
        return "[withheld: hidden characters]"
    views = Views.of(shown)
    for screen in (_hidden, _marker, credential):
        if reason := screen(views):
            return f"[withheld: {reason}]"
    # Without its kind: this text may be a run's id in a log, and no wider screen may change that.
    return "[withheld: an instruction override]" if override(views) or turn(views) else shown
