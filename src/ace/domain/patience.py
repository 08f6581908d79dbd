"""How long a command goes on with a model of which nothing was usable yet.

    calls so far                                          then
    some reply was usable                                 go on: what is unusable is the run's own matter
    none was, and the last three brought nothing usable   stop: the rest would be paid for nothing

A prompt that is too long for the model says nothing of the others, and is not counted.
"""

from __future__ import annotations

from typing import Final

import msgspec

__all__ = ["LIMIT", "Patience"]

LIMIT: Final = 3
"""How many calls in a row may bring nothing usable before any did."""


class Patience(msgspec.Struct):
    """One for each command, or for a step on its own: the calls of all its steps count together."""

    heard: bool = False
    in_a_row: int = 0

    def usable(self) -> None:
        """A reply was usable."""
        self.heard = True

    def in_vain(self) -> None:
        """A call brought no reply, or an unusable one."""
        self.in_a_row += 1

    @property
    def is_spent(self) -> bool:
        """Whether to stop. Never once a reply was usable."""
        return not self.heard and self.in_a_row >= LIMIT
