"""Which rows of a table of patterns a text may match, told by its words: asked once a text, however many rows there are.

A pattern that looks for something costs more than everything around it, and most texts hold one of its words but not the
others. A row says what it needs, word for word: of each of its groups the text must hold one word. A row that needs no
word is always tried.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache

__all__ = [
    "GROUPS",
    "SHORTEST_RUN",
    "Fields",
    "Gate",
    "Stems",
    "compiled",
    "marks_of",
    "places",
    "runs_of",
    "words_of",
]

_WORD = re.compile(r"[a-z0-9]+")
_ASCII = "".join(map(chr, range(128)))
_BLANKED = "".join(char if char.isalnum() else " " for char in _ASCII).encode() + bytes(128)
_LETTERS = "".join(char for char in _ASCII if char.isalpha() or char.isspace())


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """The pattern of a row. It is compiled when a text first opens the row: all together take a third of a second."""
    return re.compile(pattern)


def words_of(folded: str) -> frozenset[str]:
    """The words of a folded text: letters and digits of ASCII, so that `don't` is two."""
    if folded.isascii():
        # Bytes are translated in a tenth of the time of a text.
        return frozenset(folded.encode().translate(_BLANKED).decode().split())
    return frozenset(_WORD.findall(folded))


def marks_of(text: str) -> frozenset[str]:
    """The characters of a text that are neither letters of ASCII nor its white space."""
    if text.isascii():
        return frozenset(text.encode().translate(None, _LETTERS.encode()).decode())
    return frozenset(text).difference(_LETTERS)


SHORTEST_RUN = 14
"""Characters of the shortest run without a blank that is looked at for a key, a token or base64."""
_RUN = re.compile(f" ([^ ]{{{SHORTEST_RUN},}})")


def runs_of(text: str) -> list[str]:
    """What a text holds without a blank in it that is long enough for a key, a token or base64, in order."""
    if text.isprintable():  # so that a space is its only white space
        return _RUN.findall(f" {text}")
    return [run for run in text.split() if len(run) >= SHORTEST_RUN]


def places(bits: int) -> Iterator[int]:
    """The places of the bits that are set, the lowest first."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


class Gate:
    """The needs of each row of a table: groups of words, each a text with blanks between the words."""

    def __init__(self, needs: Sequence[Sequence[str]]) -> None:
        """Give each group of each row a bit, and each word the bits of its groups. The last group of a row, the rarest, leads to it."""
        bits: dict[str, int] = {}
        self._rows: list[int] = []
        self._led: dict[int, int] = {}
        bit = 1
        for at, groups in enumerate(needs):
            row = 0
            for group in groups:
                for word in group.split():
                    bits[word] = bits.get(word, 0) | bit
                row |= bit
                bit <<= 1
            self._rows.append(row)
            if groups:
                self._led[bit >> 1] = at
        self._leads = sum(self._led)
        self._always = [at for at, groups in enumerate(needs) if not groups]
        self._bits, self._known = bits, frozenset(bits)

    def opened(self, words: frozenset[str]) -> list[int]:
        """The rows, by their place in the table, of whose groups each has a word here."""
        there = self.there(words)
        opened, leads = list(self._always), there & self._leads
        while leads:
            lead = leads & -leads
            leads ^= lead
            at = self._led[lead]
            row = self._rows[at]
            if there & row == row:
                opened.append(at)
        opened.sort()
        return opened

    def there(self, words: frozenset[str]) -> int:
        """The groups, one a bit, that have a word here."""
        there, bits = 0, self._bits
        for word in words & self._known:
            there |= bits[word]
        return there

    def parts(self, words: frozenset[str], rows: Sequence[int], parts: Sequence[str]) -> list[int]:
        """For each of these parts of a text of these words the groups of these rows that may have a word in it: also one that is a
        part of another word there.
        """
        if len(parts) == 1:
            return [-1]
        needed = 0
        for at in rows:
            needed |= self._rows[at]
        held = [(word, bits) for word in words & self._known if (bits := self._bits[word] & needed)]
        there = [0] * len(parts)
        for word, bits in held:
            for at, part in enumerate(parts):
                if word in part:
                    there[at] |= bits
        return there

    def opens(self, at: int, there: int) -> bool:
        """Whether each group of this row is among those."""
        return there & self._rows[at] == self._rows[at]


GROUPS = 3
"""How many groups of words `Fields` asks for."""


class Fields:
    """Rows that need a word of each of at most `GROUPS` groups, told by one number for each word: it holds a field for each group, with a bit for each
    row. `of` has the number of each word, `always` that of a text without words, and `size` how many bits they have.
    """

    def __init__(self, rows: Sequence[Sequence[Iterable[str]]]) -> None:
        self._rows, self.size = len(rows), GROUPS * len(rows)
        self.of, self.always = dict[str, int](), 0
        for row, groups in enumerate(rows):
            for field in range(GROUPS):
                bit = 1 << row + field * self._rows
                for word in groups[field] if field < len(groups) else ():
                    self.of[word] = self.of.get(word, 0) | bit
                self.always |= bit if field >= len(groups) else 0

    def met(self, there: int) -> int:
        """The rows, a bit each, of whose groups each has a word among those of this number."""
        rows = self._rows
        return there & there >> rows & there >> 2 * rows & (1 << rows) - 1


_REMEMBERED = 16_384
"""Words of which it is remembered what they hold."""


class Stems:
    """Rows that need no whole word but a part of one, as `passw`; a stem that begins with a blank needs a word that begins so.
    What a word holds is remembered, since texts share their words.
    """

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        """Give each row a bit, and each stem the bits of its rows."""
        bits: dict[str, int] = {}
        for at, stems in enumerate(rows):
            for stem in stems:
                bits[stem] = bits.get(stem, 0) | 1 << at
        # A stem brings those that it holds: at each place the longest one is found.
        self._bits = {
            stem: sum({1 << at for other in bits if other in stem for at in places(bits[other])})
            for stem in bits
        }
        rests: defaultdict[str, list[str]] = defaultdict(list)
        for stem in sorted(bits, key=len, reverse=True):
            rests[stem[0]].append(re.escape(stem[1:]))
        pattern = "|".join(f"{re.escape(first)}(?:{'|'.join(rest)})" for first, rest in rests.items())
        self._stem = re.compile(f"(?=({pattern}))")
        self._held = lru_cache(maxsize=_REMEMBERED)(self._look)
        self._without = set[str]()

    def _look(self, word: str) -> int:
        bits = 0
        for stem in self._stem.findall(f" {word}"):
            bits |= self._bits[stem]
        return bits

    def met(self, words: frozenset[str]) -> int:
        """The rows of which a stem is held by one of the words: a bit each, the first row's the lowest."""
        bits = 0
        for word in words - self._without:
            if held := self._held(word):
                bits |= held
                continue
            if len(self._without) >= _REMEMBERED:
                self._without.clear()
            self._without.add(word)
        return bits
