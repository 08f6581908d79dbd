"""What a block that somebody changed by hand says: its lessons, and the lines that are none."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from ace.domain.playbook import Playbook, bullet_id
from ace.domain.rules_block import block
from ace.events.types import Bullet

__all__ = ["Shown", "lessons_in", "prose_in"]


class Shown(msgspec.Struct, frozen=True):
    """A lesson as a block shows it: the line of the block, from 1, its id (empty without one), its text and its section."""

    number: int
    id: str
    text: str
    section: str


_BULLET = re.compile(
    r"\s*[-*+•]\s+(?:\[(?P<id>ace-\d{5,18})\](?:\s*helpful=\d+\s+harmful=\d+)?\s*(?:::)?\s*)?(?P<text>.*)"
)
_HEADING = re.compile(r"\s*###\s+(?P<title>.*?)\s*")


def lessons_in(text: str) -> Iterator[Shown]:
    """The lessons of a block, in its order."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.fullmatch(line):
            section = heading["title"]
        elif (found := _BULLET.fullmatch(line)) and (found["text"].strip() or found["id"]):
            yield Shown(number, found["id"] or "", found["text"].strip(), section)


def prose_in(text: str) -> Iterator[int]:
    """The numbers of the lines that are neither a lesson nor what every block holds."""
    frame = {line for line in block(_ONE_BULLET, ()).splitlines() if not line.startswith(("-", "###"))}
    for number, line in enumerate(text.splitlines(), 1):
        known = line.strip() in frame or _HEADING.fullmatch(line) or _BULLET.fullmatch(line)
        if line.strip() and not known:
            yield number


_ONE_BULLET = Playbook(2, (Bullet(bullet_id(1), "A section", "A lesson.", 0, 0, 1),))
