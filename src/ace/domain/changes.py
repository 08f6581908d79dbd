"""What is different between two playbooks, lesson by lesson."""

from __future__ import annotations

from typing import Literal

import msgspec

from ace.domain.playbook import Playbook
from ace.events.types import Bullet

__all__ = ["Change", "changes"]


class Change(msgspec.Struct, frozen=True):
    """A lesson that is not the same in two playbooks. `before` is None for one that came, `after` for one that went."""

    id: str
    before: Bullet | None
    after: Bullet | None

    @property
    def kind(self) -> Literal["added", "removed", "reworded", "counted"]:
        """What happened to it; `counted` if the counts alone (or the section) are others."""
        if self.before is None or self.after is None:
            return "added" if self.before is None else "removed"
        return "counted" if self.before.content == self.after.content else "reworded"


def changes(before: Playbook, after: Playbook) -> tuple[Change, ...]:
    """The lessons that differ, by number."""
    old, new = ({one.id: one for one in playbook.bullets} for playbook in (before, after))
    ids = sorted(old.keys() | new.keys(), key=lambda name: (len(name), name))
    pairs = ((name, old.get(name), new.get(name)) for name in ids)
    return tuple(Change(name, one, other) for name, one, other in pairs if one != other)
