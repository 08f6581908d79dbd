"""The three ways in which the screens look at a text, since what a model reads is not what a pattern reads."""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from ace.domain.screens.characters import invisible

__all__ = ["Views", "contains_any"]


class Views(NamedTuple):
    """One text as it came (`raw`), without compatibility forms and invisible characters (`plain`), and that without
    case (`folded`).
    """

    raw: str
    plain: str
    folded: str

    @classmethod
    def of(cls, text: str) -> Views:
        """Fold width, invisible characters and white space (`plain`), then case (`folded`)."""
        plain = " ".join(text.split())
        if not plain.isascii():
            plain = unicodedata.normalize("NFKC", "".join(char for char in plain if not invisible(char)))
        return cls(text, plain, plain.casefold())


def contains_any(text: str, needles: tuple[str, ...]) -> bool:
    """Whether one of the needles is in the text: asked before a pattern is tried, since it costs next to nothing."""
    for needle in needles:  # noqa: SIM110 - a generator for any() costs more than the searches
        if needle in text:
            return True
    return False
