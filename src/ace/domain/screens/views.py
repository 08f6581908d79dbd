"""The three ways in which the screens look at a text, since what a model reads is not what a pattern reads."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property

from ace.domain.screens.characters import invisible
from ace.domain.screens.clauses import bare
from ace.domain.screens.gates import marks_of, runs_of, words_of

__all__ = ["Views", "contains_any"]


_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]")


def _shown(match: re.Match[str]) -> str:
    return "" if invisible(match[0]) else match[0]


class Views:
    """One text as it came (`raw`), without compatibility forms and invisible characters (`plain`), and that without
    case (`folded`); and what several screens ask of the last: its `words`, its `marks`, and the text without them (`bare`).
    """

    def __init__(self, raw: str, plain: str, folded: str) -> None:
        self.raw, self.plain, self.folded = raw, plain, folded

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the folded text."""
        return words_of(self.folded)

    @cached_property
    def marks(self) -> frozenset[str]:
        """The characters of the folded text that are neither letters of ASCII nor white space."""
        return marks_of(self.folded)

    @cached_property
    def runs(self) -> list[str]:
        """The runs of the text, as it came, that may be a token or base64."""
        return runs_of(self.raw)

    @cached_property
    def bare(self) -> str:
        """The folded text as the screens of wordings read it (`clauses.bare`)."""
        return bare(self.folded)

    @classmethod
    def of(cls, text: str) -> Views:
        """Fold width, invisible characters and white space (`plain`), then case (`folded`)."""
        if text.isascii() and text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
            return cls(text, text, text.lower())
        plain = " ".join(text.split())
        if not plain.isascii():
            plain = unicodedata.normalize("NFKC", _BEYOND_ASCII.sub(_shown, plain))
        return cls(text, plain, plain.casefold())


def contains_any(text: str, needles: tuple[str, ...]) -> bool:
    """Whether one of the needles is in the text: asked before a pattern is tried, since it costs next to nothing."""
    for needle in needles:  # noqa: SIM110 - a generator for any() costs more than the searches
        if needle in text:
            return True
    return False
