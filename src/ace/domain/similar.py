"""Which lessons say nearly the same, by their words alone: no model is asked, and the same playbook gives the same answer.

Two lessons are alike when they share nearly half of all the words that either of them uses (Jaccard's index), words that
any lesson may have left out. Such pairs are told and never merged: a wrong merge would lose a lesson, and a pair of
opposites (`the oldest`, `the newest`) shares most of its words, too. How often the measure is right is measured by
`benchmarks/lessons/similar.py`.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple
from unicodedata import normalize

from ace.domain.screens import piled

__all__ = ["ALIKE", "Alike", "alike_to", "pairs_alike", "share"]

ALIKE: Final = 0.45
"""The least share of common words from which on two lessons count as alike."""

_LEAST_PART: Final = ALIKE / (1 + ALIKE)
"""The same share, of the sum of both sizes."""

_FEWEST: Final = 5
"""Words. Of shorter texts a share says nothing: `Run the tests.` and `Run the linter.` have half of their words in common."""

_COMMON_WORDS = """
a all also always an and any are as at be been before but by can did do does each every for from had
has have how if in instead into is it its just must never no not of on one only or other over own
rather same should so some such than that the their them then there these they this those through to
too until up use used uses using was were what when where which while who will with without you your
"""
_COMMON: Final = frozenset(_COMMON_WORDS.split())
_WORD = re.compile(r"\w+")
# Scripts that set no space between words: there two neighbouring characters stand for a word.
_UNSPACED = re.compile(
    r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua000-\ua4cf\uf900-\ufaff]{2,}"
)


class _Words(NamedTuple):
    """The words of a lesson; the same as bits, one of 512 for each word, which are quickly compared; and how many words fell on
    the bit of another one.
    """

    words: frozenset[str]
    bits: int
    lost: int


@lru_cache(maxsize=20_000)
def _words(text: str) -> _Words:
    plain = (text if piled(text) else normalize("NFC", text)).casefold()
    words = frozenset(word for found in _WORD.findall(plain) for word in _parts(found) if word not in _COMMON)
    bits = 0
    for word in words:
        bits |= 1 << zlib.crc32(word.encode(errors="replace")) % 512
    return _Words(words, bits, len(words) - bits.bit_count())


def _parts(word: str) -> Iterator[str]:
    if word.isascii():
        # One word in singular and plural, as far as that can be seen.
        yield word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
        return
    at = 0
    for run in _UNSPACED.finditer(word):
        if run.start() > at:
            yield word[at : run.start()]
        yield from (word[place : place + 2] for place in range(run.start(), run.end() - 1))
        at = run.end()
    if at < len(word):
        yield word[at:]


def share(one: str, other: str) -> float:
    """The share of words that two texts have in common, of all that either has: from 0 to 1; 0 where one has too few."""
    return _share(_words(one), _words(other))


def _share(one: _Words, other: _Words) -> float:
    first, second = len(one.words), len(other.words)
    if first < _FEWEST or second < _FEWEST:
        return 0.0
    common = len(one.words & other.words)
    return common / (first + second - common)


def _may_be_alike(one: _Words, other: _Words) -> bool:
    """A quick look at the bits: no more words can be common than bits are, and those that fell on one bit."""
    most = (one.bits & other.bits).bit_count() + min(one.lost, other.lost)
    return most >= _LEAST_PART * (len(one.words) + len(other.words))


def alike_to(text: str, lessons: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of those lessons, given as pairs of id and text, that are alike to the text, the most alike first."""
    own = _words(text)
    near = [(name, words) for name, lesson in lessons if _may_be_alike(own, words := _words(lesson))]
    found = [(share, name) for name, words in near if (share := _share(own, words)) >= ALIKE]
    return tuple(name for _, name in sorted(found, key=lambda pair: -pair[0]))


class Alike(NamedTuple):
    """Two lessons of a playbook, by their ids, and the share of words that they have in common."""

    one: str
    other: str
    share: float


def pairs_alike(lessons: Sequence[tuple[str, str]]) -> list[Alike]:
    """All pairs of lessons, given as pairs of id and text, that are alike; the most alike first."""
    counted = [(name, _words(lesson)) for name, lesson in lessons]
    found = [
        Alike(one, other, share)
        for (one, first), (other, second) in combinations(counted, 2)
        if _may_be_alike(first, second) and (share := _share(first, second)) >= ALIKE
    ]
    return sorted(found, key=lambda pair: -pair.share)
