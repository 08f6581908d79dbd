"""Which texts do not come back: those that a person removed or reworded away, until a person adds them.

A text that the method itself took out (pruned, over the cap) may come back, with new counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.domain.playbook import key_of
from ace.events.types import BulletAdded, PlaybookRestored, Removed, Reworded, StepRecord

__all__ = ["ADOPTED", "reverted", "rewound", "withdrawals"]

ADOPTED = "adopted"
"""The reason of a restoration by which a person takes a whole playbook."""


def reverted(seq: int) -> str:
    """The reason of a restoration by which a person takes the step of line `seq` back."""
    return f"reverted {seq}"


def rewound(seq: int) -> str:
    """The reason of a restoration by which a person goes back to the playbook after line `seq`."""
    return f"rewound to {seq}"


_BY_A_PERSON = re.compile(r"adopted|reverted \d+|rewound to \d+", re.ASCII)


def withdrawals(record: StepRecord) -> Iterator[tuple[str, bool]]:
    """What a line of the log says of texts, in order: the key of a text (`playbook.key_of`), and whether it is withdrawn
    from then on.
    """
    for event in record.applied:
        match event:
            case Removed(by="person"):
                yield key_of(event.content), True
            case Reworded(by="person"):
                yield key_of(event.before), True
                yield key_of(event.after), False
            case BulletAdded(by="person"):
                yield key_of(event.content), False
            case PlaybookRestored() if _BY_A_PERSON.fullmatch(event.reason):
                yield from ((key_of(bullet.content), False) for bullet in event.bullets)
