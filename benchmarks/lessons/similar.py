"""How often "alike" is right, on a file of lessons, one a line: pairs that a person labelled, by how alike they were found.

A label says whether a reader would make one lesson of the two. `sample` draws pairs to be labelled, evenly from shares above and
below the limit; `figures` computes what of the pairs named is right, and what part of the right pairs is named, weighed by how many
pairs there are of each share.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations

import msgspec

from ace.domain.similar import ALIKE, share

__all__ = ["Label", "figures", "sample"]

STRATA = ((0.8, 1.01), (0.6, 0.8), (ALIKE, 0.6), (0.35, ALIKE), (0.25, 0.35))
"""Shares from and below which pairs are counted together."""


class Label(msgspec.Struct, frozen=True):
    """Two lines of the file, from 1, and whether a reader would make one lesson of them."""

    a: int
    b: int
    alike: bool


def _by_stratum(lessons: Sequence[str]) -> list[list[tuple[int, int]]]:
    found: list[list[tuple[int, int]]] = [[] for _ in STRATA]
    for (a, one), (b, other) in combinations(enumerate(lessons, 1), 2):
        value = share(one, other)
        for pairs, (least, below) in zip(found, STRATA, strict=True):
            if least <= value < below:
                pairs.append((a, b))
    return found


def sample(lessons: Sequence[str], each: int, seed: int) -> str:
    """Pairs to be labelled, as a text to read."""
    chosen = random.Random(seed)
    parts = []
    for pairs in _by_stratum(lessons):
        for a, b in sorted(chosen.sample(pairs, min(each, len(pairs)))):
            parts.append(f"{a} {b}\n  {lessons[a - 1]}\n  {lessons[b - 1]}")
    return "\n".join(parts)


def figures(lessons: Sequence[str], labels: Sequence[Label]) -> str:
    """The table, and what follows from it."""
    lines = ["| share of words | pairs | labelled | of these one lesson |", "| --- | --- | --- | --- |"]
    right = named = missed = 0.0
    for pairs, (least, below) in zip(_by_stratum(lessons), STRATA, strict=True):
        known = [label for label in labels if (label.a, label.b) in set(pairs)]
        alike = sum(label.alike for label in known)
        lines.append(f"| {least:g} to {min(below, 1):g} | {len(pairs)} | {len(known)} | {alike} |")
        part = len(pairs) * alike / len(known) if known else 0.0
        if least >= ALIKE:
            named += len(pairs)
            right += part
        else:
            missed += part
    told = f"Of {named:.0f} pairs named, about {right / named:.0%} are one lesson; "
    told += f"of the pairs that are and share a quarter of their words, about {right / (right + missed):.0%} are named."
    return "\n".join([*lines, "", told]) + "\n"
