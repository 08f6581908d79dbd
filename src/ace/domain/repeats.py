"""What a transcript shows once is not shown again: a file that was read twice, the result of a call that was made twice, the
system's text repeated in a message. A mark takes its place.

Texts are taken by lines. Four lines in a row that were shown before are looked up, and from there it goes on as long as the
lines are the same; a line that is long by itself is looked up alone. What is short is shown again: it costs less than it tells.
Lines are the same in a text and in the JSON that holds it, and whatever ends them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["Shown"]

_LINES: Final = 4
_LEAST: Final = 400
"""Characters from which on a repetition is left out."""

_BREAK = re.compile(r"(\r?\n|(?:\\r)?\\n)")  # also as JSON writes it


def _key(line: str) -> str:
    """What is compared of a line: as JSON writes a text, so are quote marks, tabs and backslashes in it."""
    return _ESCAPED.sub(lambda found: _AS_TEXT.get(found[0], found[0]), line).rstrip()


_ESCAPED = re.compile(r"\\[\"t\\]")
_AS_TEXT: Final = {'\\"': '"', "\\t": "\t", "\\\\": "\\"}


class Shown:
    """The lines that a transcript has shown so far, to begin with those of the system's messages, which it does not show."""

    def __init__(self, hidden: Iterable[str] = ()) -> None:
        self._lines: list[str | None] = []
        self._places: dict[tuple[str | None, ...], int] = {}
        for text in hidden:
            self._remember([_key(line) for line in _BREAK.split(text)[::2]])
        self._hidden = len(self._lines)

    def without_repeats(self, text: str) -> str:
        """The text with a mark in place of each part that was shown before; from now on this text was shown, too."""
        pieces = _BREAK.split(text)
        lines, breaks = pieces[::2], [*pieces[1::2], ""]
        keys = [_key(line) for line in lines]
        parts: list[str] = []
        fresh: list[str] = []
        at = 0
        while at < len(lines):
            place = self._find(keys, at)
            count = 0 if place is None else self._common(keys, at, place)
            end = at + count
            length = sum(map(len, lines[at:end])) + sum(map(len, breaks[at : end - 1]))
            if place is None or length < _LEAST:
                parts.append(lines[at] + breaks[at])
                fresh.append(keys[at])
                at += 1
                continue
            parts.append(_mark(length, of_system=place < self._hidden) + breaks[end - 1])
            at = end
            # What comes before a mark and what comes behind it were not shown together.
            self._remember(fresh)
            fresh = []
        self._remember(fresh)
        return "".join(parts)

    def _remember(self, lines: list[str]) -> None:
        start = len(self._lines)
        self._lines += [*lines, None]
        for at, line in enumerate(lines, start):
            self._places.setdefault(tuple(self._lines[at : at + _LINES]), at)
            if len(line) >= _LEAST:
                self._places.setdefault((line,), at)

    def _find(self, lines: list[str], at: int) -> int | None:
        """Where these lines were shown: the next four of them, the last ones of a text, or the next one if it is long."""
        found = lines[at : at + _LINES]
        place = self._places.get(tuple(found) if len(found) == _LINES else (*found, None))
        if place is None and len(lines[at]) >= _LEAST:
            place = self._places.get((lines[at],))
        return place

    def _common(self, lines: list[str], at: int, place: int) -> int:
        """How many lines from there on are the same as from the other place on."""
        count = 0
        while at + count < len(lines) and self._lines[place + count] == lines[at + count]:
            count += 1
        return count


def _mark(length: int, *, of_system: bool) -> str:
    where = "of the system's message" if of_system else "as shown above"
    return f"[… {length:,} characters {where} …]"
