"""Which rows of a table of patterns a text may match, told by its words: asked once a text, however many rows there are.

A pattern that looks for a wording costs more than everything around it, and most texts hold one of its words but not the
others. A row says what it needs, word for word: of each of its groups the text must hold one word. A row that needs no
word is always tried.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

__all__ = ["Gate", "words_of"]

_WORD = re.compile(r"[a-z0-9]+")


def words_of(folded: str) -> frozenset[str]:
    """The words of a folded text: letters and digits of ASCII, so that `don't` is two."""
    return frozenset(_WORD.findall(folded))


class Gate:
    """The needs of each row of a table: groups of words, each a text with blanks between the words."""

    def __init__(self, needs: Sequence[Sequence[str]]) -> None:
        """Give each group of each row a bit, and each word the bits of its groups."""
        bits: dict[str, int] = {}
        self._rows: list[int] = []
        bit = 1
        for groups in needs:
            row = 0
            for group in groups:
                for word in group.split():
                    bits[word] = bits.get(word, 0) | bit
                row |= bit
                bit <<= 1
            self._rows.append(row)
        self._bits, self._known = bits, frozenset(bits)

    def opened(self, words: frozenset[str]) -> Iterator[int]:
        """The rows, by their place in the table, of whose groups each has a word here."""
        there = self.there(words)
        for at, row in enumerate(self._rows):
            if there & row == row:
                yield at

    def there(self, words: frozenset[str]) -> int:
        """The groups, one a bit, that have a word here."""
        there, bits = 0, self._bits
        for word in words & self._known:
            there |= bits[word]
        return there

    def opens(self, at: int, there: int) -> bool:
        """Whether each group of this row is among those."""
        return there & self._rows[at] == self._rows[at]
