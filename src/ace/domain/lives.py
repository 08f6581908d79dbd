"""What each lesson was after each line of a log: the fold, kept as the lines in which it changed a lesson.

    ace-00001   (1, "Look." +0 -0)  (4, "Look." +1 -0)  (9, None)

After line 4, and up to line 8, the lesson was found helpful once; since line 9 it is gone. So a playbook of any moment is a
look-up, and nothing is folded twice.
"""

from __future__ import annotations

from typing import NamedTuple

from ace.domain.playbook import Bullet, Draft, Playbook
from ace.events.types import (
    BulletAdded,
    Capped,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    StepRecord,
    TagCounted,
)

__all__ = ["Lives", "Stand", "note"]


class Stand(NamedTuple):
    """From the line at this place on, from 1, the lesson is this one; None: it is gone."""

    at: int
    bullet: Bullet | None


class Lives:
    """The states of every lesson that a log knows, oldest first, by the lessons' ids in the order in which they came."""

    def __init__(self) -> None:
        self.lines = 0
        self.stands: dict[str, list[Stand]] = {}
        self._draft = Draft(Playbook())

    @property
    def size(self) -> int:
        """How many lessons there are after the lines so far."""
        return len(self._draft.rows)

    def playbook(self) -> Playbook:
        """The playbook after the lines so far."""
        return self._draft.freeze()

    def bullet(self, identifier: str) -> Bullet | None:
        """The lesson with this id after the lines so far, or None."""
        return self._draft.bullet(identifier)

    def take(self, record: StepRecord) -> list[str]:
        """Take in the next line; the ids of the lessons that it changed."""
        self.lines += 1
        touched: dict[str, None] = {}
        before: list[str] | None = None
        for event in record.applied:
            if type(event) is TagCounted:
                touched[event.bullet] = None
            elif isinstance(event, BulletAdded | Pruned | Capped | Removed | Reworded):
                touched[event.id] = None
            elif type(event) is PlaybookRestored:
                before = list(self._draft.rows) if before is None else before
                touched.update(dict.fromkeys(bullet.id for bullet in event.bullets))
        touched.update(dict.fromkeys(before or ()))
        self._draft.apply(record.applied)
        return [identifier for identifier in touched if self._note(identifier)]

    def _note(self, identifier: str) -> bool:
        return note(self.stands, self.lines, identifier, self._draft.bullet(identifier))


def note(stands: dict[str, list[Stand]], at: int, identifier: str, now: Bullet | None) -> bool:
    """Note what a lesson is from line `at` on; returns whether it is another than before."""
    known = stands.get(identifier)
    if known is None:
        if now is not None:
            stands[identifier] = [Stand(at, now)]
        return now is not None
    if known[-1].bullet == now:
        return False
    known.append(Stand(at, now))
    return True
