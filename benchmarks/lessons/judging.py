"""Blind sheets for a judge, and the table that is computed from what judges wrote.

A sheet holds the lessons of all sets, each set under a letter that a seed chose, its lessons in an order that the seed chose, without
ids, counts and sections. Its key says which letter is which set, and stays away from the judge. A judgement is JSON:

    {"model": "who judged", "sheet": "<SHA-256 of the sheet>",
     "lessons": {"A1": "true" | "partly" | "false", …},
     "contradictions": {"A": [["A1", "A4"], …]},
     "prevented": {"A": {"<failed run>": 0 | 0.5 | 1, …}},
     "worse": {"A": {"<successful run>": 0 | 0.5 | 1, …}}}

What a judgement lacks is a missing cell: it is told, and no figure is made of it.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from statistics import median
from typing import Literal, NamedTuple

import msgspec

__all__ = ["Judgement", "Key", "Plan", "sheet_of", "table"]

type Verdict = Literal["true", "partly", "false"]
type Extent = Literal[0, 1] | float


class Plan(msgspec.Struct, frozen=True):
    """Which runs are learned from, and on which failed and successful ones the lessons are judged."""

    learn: tuple[str, ...]
    failed: tuple[str, ...]
    succeeded: tuple[str, ...]


class Key(msgspec.Struct, frozen=True):
    """What a sheet's letters stand for: the set of each, and the texts in the order of their numbers. `sheet` is its SHA-256."""

    seed: int
    sheet: str
    sets: dict[str, str]
    lessons: dict[str, list[str]]


class Judgement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one judge said of one sheet."""

    model: str
    sheet: str
    lessons: dict[str, Verdict] = {}
    contradictions: dict[str, list[tuple[str, str]]] = {}
    prevented: dict[str, dict[str, float]] = {}
    worse: dict[str, dict[str, float]] = {}
    notes: str = ""


def sheet_of(sets: Mapping[str, Sequence[str]], seed: int) -> tuple[str, Key]:
    """The sheet of these sets' lessons for a seed, and its key."""
    order = random.Random(seed)
    names = sorted(sets)
    order.shuffle(names)
    letters = {chr(ord("A") + at): name for at, name in enumerate(names)}
    lines = ["# Lessons to be judged", ""]
    texts: dict[str, list[str]] = {}
    for letter, name in letters.items():
        texts[letter] = sorted(sets[name])
        order.shuffle(texts[letter])
        lines += [
            f"## Set {letter}",
            "",
            *(f"- {letter}{at}: {text}" for at, text in enumerate(texts[letter], 1)),
            "",
        ]
    sheet = "\n".join(lines)
    return sheet, Key(seed, hashlib.sha256(sheet.encode()).hexdigest(), letters, texts)


class _Column(NamedTuple):
    """One set in one judgement."""

    judgement: Judgement
    letter: str
    texts: Sequence[str]

    def verdicts(self, *kinds: Verdict) -> float | None:
        """How many lessons were found so; None if one was not judged."""
        given = [self.judgement.lessons.get(f"{self.letter}{at}") for at in range(1, len(self.texts) + 1)]
        return None if None in given else sum(one in kinds for one in given)

    def contradictions(self) -> float | None:
        found = self.judgement.contradictions.get(self.letter)
        return None if found is None else len(found)

    def extent(self, said: Mapping[str, Mapping[str, float]], runs: Sequence[str]) -> float | None:
        """The sum over the runs; None if one was not judged."""
        given = [said.get(self.letter, {}).get(run) for run in runs]
        known = [one for one in given if one is not None]
        return sum(known) if len(known) == len(given) else None


def table(sets: Mapping[str, Sequence[str]], judged: Sequence[tuple[Key, Judgement]], plan: Plan) -> str:
    """The table as Markdown: the median of the judgements, and in brackets what each of them said, in their order."""
    columns = {name: _columns(name, judged) for name in sets}
    rows: list[tuple[str, Callable[[_Column], float | None]]] = [
        ("true", lambda column: column.verdicts("true")),
        ("partly true", lambda column: column.verdicts("partly")),
        ("false or harmful", lambda column: column.verdicts("false")),
        ("contradictions inside", lambda column: column.contradictions()),
        (
            f"failed runs plausibly prevented, of {len(plan.failed)}",
            lambda column: column.extent(column.judgement.prevented, plan.failed),
        ),
        ("prevented per 1,000 characters", lambda column: _per_1000(column, plan)),
        (
            f"successful runs plausibly made worse, of {len(plan.succeeded)}",
            lambda column: column.extent(column.judgement.worse, plan.succeeded),
        ),
    ]
    lines = [
        "| | " + " | ".join(sets) + " |",
        "| --- |" + " --- |" * len(sets),
        "| lessons; characters | "
        + " | ".join(f"{len(texts)}; {sum(map(len, texts)):,}" for texts in sets.values())
        + " |",
    ]
    for title, figure in rows:
        lines.append(f"| {title} | " + " | ".join(_cell(columns[name], figure) for name in sets) + " |")
    return "\n".join(lines) + "\n"


def _columns(name: str, judged: Sequence[tuple[Key, Judgement]]) -> list[_Column]:
    found = []
    for key, judgement in judged:
        if judgement.sheet != key.sheet:
            raise SystemExit(f"the judgement of {judgement.model} is of another sheet than seed {key.seed}'s")
        found += [
            _Column(judgement, letter, key.lessons[letter])
            for letter, named in key.sets.items()
            if named == name
        ]
    return found


def _per_1000(column: _Column, plan: Plan) -> float | None:
    prevented = column.extent(column.judgement.prevented, plan.failed)
    characters = sum(map(len, column.texts))
    return None if prevented is None or not characters else 1000 * prevented / characters


def _cell(columns: Sequence[_Column], figure: Callable[[_Column], float | None]) -> str:
    values = [figure(column) for column in columns]
    known = [value for value in values if value is not None]
    if not known:
        return "missing"
    told = ", ".join("missing" if value is None else _number(value) for value in values)
    return f"{_number(median(known))} ({told})"


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
