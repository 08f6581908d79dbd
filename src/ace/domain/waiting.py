"""What waits for a person's review: the playbook holds it, and the rules do not show it yet.

    line  playbook after it   accepted   the rules show
    1     1 "Look."           ""         1                   nothing waits: all of the playbook
    2     1 "Look.", 2        a1         1                   a step whose lessons wait
    3     1 "Look.", 2, 3     a1         1                   the next one: what it learns waits, too
    4     the same            a2         1, 2                a person accepted 2 (`Accepted`)
    5     1 "Look.", 2        ""         1, 2                and took 3 out (`Removed`)

So a log folds twice: to the playbook, and to what the rules show of it. A step changes the playbook, and with it the rules only
if nothing waits after it. What a person decides changes both: a lesson that is removed or reworded, if it is shown; a lesson of
a person's own, and one that was accepted, is shown from then on. A person who goes back to a time at which something waited says
what the rules showed then (`RulesRestored`). Whatever the rules show, a person has accepted, or it was there before anything waited.

While something waits, a line names what the rules show by a digest, `accepted`, as it names the playbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from ace.domain.playbook import Draft, Playbook, bullet_number, digest
from ace.events.types import (
    Accepted,
    Bullet,
    BulletAdded,
    Event,
    Removed,
    Reworded,
    RulesRestored,
    StepRecord,
)

__all__ = ["Folds", "Waiting", "accepted_digest", "folds_of", "shown", "shown_after", "waiting_in"]


def shown(bullets: Iterable[Bullet]) -> Playbook:
    """What the rules show, as a playbook: these bullets by number. Its next number follows from them, since it gives no ids."""
    ordered = tuple(sorted(bullets, key=lambda one: bullet_number(one.id) or 0))
    highest = max((bullet_number(one.id) or 0 for one in ordered), default=0)
    return Playbook(highest + 1, ordered)


def accepted_digest(playbook: Playbook, accepted: Playbook | None) -> str:
    """What a line says as `accepted` after which the rules show that much of the playbook: a digest, or nothing if it is all of it."""
    return "" if accepted is None or accepted.bullets == playbook.bullets else digest(accepted)


def shown_after(
    before: Playbook, events: Iterable[Event], bullet: Callable[[str], Bullet | None]
) -> Playbook:
    """What the rules show after a line with these events behind which something waits, if they showed `before` until then; `bullet`
    finds the bullets of the playbook after the line.
    """
    rows: dict[str, Bullet] | None = None
    for event in events:
        if type(event) not in _DECIDED:
            continue
        rows = {one.id: one for one in before.bullets} if rows is None else rows
        match event:
            case RulesRestored():
                rows = {one.id: one for one in event.bullets}
            case BulletAdded(by="person") | Accepted() if (now := bullet(event.id)) is not None:
                rows[event.id] = now
            case Removed(by="person"):
                rows.pop(event.id, None)
            case Reworded() if event.id in rows:
                rows[event.id] = msgspec.structs.replace(rows[event.id], content=event.after)
            case _:
                pass
    return before if rows is None else shown(rows.values())


_DECIDED: Final = (Accepted, BulletAdded, Removed, Reworded, RulesRestored)


def _apply(draft: Draft, record: StepRecord) -> None:
    draft.apply(record.applied)


class Folds:
    """Both folds of a log, line by line: `head` is the playbook, and `accepted` what the rules show of it while something waits,
    else None.
    """

    def __init__(self) -> None:
        self.head = Draft(Playbook())
        self.accepted: Playbook | None = None

    @property
    def shown(self) -> Playbook:
        """What the rules show."""
        return self.head.freeze() if self.accepted is None else self.accepted

    def take(self, record: StepRecord) -> None:
        """Take in the next line."""
        self.take_by(record, _apply)

    def take_by[T](self, record: StepRecord, apply: Callable[[Draft, StepRecord], T]) -> T:
        """Take in the next line, which `apply` applies to the playbook; returns its result."""
        if record.outcome != "committed":
            return apply(self.head, record)
        if not record.accepted:
            self.accepted = None
            return apply(self.head, record)
        before = shown(self.head.freeze().bullets) if self.accepted is None else self.accepted
        done = apply(self.head, record)
        self.accepted = shown_after(before, record.events, self.head.bullet)
        return done


def folds_of(records: Iterable[StepRecord]) -> Folds:
    """Both folds of these lines."""
    folds = Folds()
    for record in records:
        folds.take(record)
    return folds


class Waiting(msgspec.Struct, frozen=True):
    """What waits for a review, beside what the rules show: lessons that would come into them (`lessons`), lessons that would leave
    them (`leaving`, as the rules show them), and how many others would only get other counts (`counted`).
    """

    lessons: tuple[Bullet, ...] = ()
    leaving: tuple[Bullet, ...] = ()
    counted: int = 0

    def __bool__(self) -> bool:
        """Whether anything waits."""
        return bool(self.lessons or self.leaving or self.counted)


def waiting_in(playbook: Playbook, accepted: Playbook | None) -> Waiting:
    """What of the playbook waits, if the rules show this; nothing for None."""
    if accepted is None:
        return Waiting()
    new, old = ({one.id: one for one in book.bullets} for book in (playbook, accepted))
    return Waiting(
        lessons=tuple(one for one in playbook.bullets if one.id not in old),
        leaving=tuple(one for one in accepted.bullets if one.id not in new),
        counted=sum(one.id in old and old[one.id] != one for one in playbook.bullets),
    )
