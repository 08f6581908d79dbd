"""Who is right about the playbook at the start of a step: the snapshot or the log.

    found                                                       then
    neither                                                     an empty playbook
    ours, a snapshot, no log                                    the log begins with `PlaybookRestored(imported)`
    snapshot = the last line's playbook                         go on; the last line alone was read
    the same, once ids and screens had their say                killed while it was taken in: written as the log has it
    ours, snapshot = the playbook before the last line          killed between append and write: made from the log
    ours, snapshot = neither                                    `StateError`: `ace adopt` or `ace rebuild`
    the host's, and not the last line's playbook                the host is right: `PlaybookRestored(<restore_reason>)`

"Ours" is a folder that no one else writes. A missing snapshot counts as an empty playbook. What comes from outside, from a
file without a log or from a host, passes the screens. What the log holds is not screened again, also when screens widen.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from ace.domain.chain import LogTail
from ace.domain.errors import StateError
from ace.domain.playbook import Playbook, digest, fold
from ace.domain.screens import SCREENS, Screen, refusal
from ace.events.types import Bullet, Event, PlaybookRestored, Removed

__all__ = ["OpenState", "from_outside", "open_brought", "open_own", "restoration"]


class OpenState(msgspec.Struct, frozen=True):
    """What a step goes on from: the playbook, and the end of the log. `restored` has to be logged before the step, and behind it
    `screened`: the bullets that the screens took out of what came in. If `stale`, the snapshot does not hold this playbook yet.
    `decided` is what the host brings of decisions about single lessons; it is to be logged next, and the playbook is the one
    before it.
    `accepted` is what the rules show of it while something waits for a review, else None (see `waiting`).
    """

    playbook: Playbook
    tail: LogTail | None = None
    restored: PlaybookRestored | None = None
    screened: tuple[Removed, ...] = ()
    stale: bool = False
    decided: tuple[Event, ...] = ()
    accepted: Playbook | None = None

    @property
    def shown(self) -> Playbook:
        """What the rules show."""
        return self.playbook if self.accepted is None else self.accepted


def open_own(
    found: Playbook | None, tail: LogTail | None, snapshot: str, screens: Sequence[Screen] = SCREENS
) -> OpenState:
    """What to go on from where nobody else writes the snapshot; `snapshot` is what an error calls it. Raises `StateError`."""
    playbook = found or Playbook()
    if tail is None:
        return (
            OpenState(playbook) if found is None else _brought(playbook, playbook, None, "imported", screens)
        )
    if digest(playbook) == tail.record.playbook:
        return OpenState(playbook, tail)
    taken_in = _taken_in(playbook, tail, "", screens)
    if digest(taken_in.playbook) == tail.record.playbook:
        return msgspec.structs.replace(taken_in, restored=None, screened=())
    before = digest(Playbook()) if tail.before is None else tail.before.playbook
    if digest(playbook) == before and tail.record.outcome == "committed":
        folded = fold(playbook, tail.record.events)
        if digest(folded) == tail.record.playbook:
            return OpenState(folded, tail, stale=True)
    raise StateError(
        f"{snapshot} is not the playbook that the log ends with (line {tail.record.seq}): it was changed or put back from "
        "outside. Run `ace adopt` to go on from the file as it is, or `ace rebuild` to make it again from the log (with "
        "the --rules of `ace learn`, if you gave it)"
    )


def open_brought(
    found: Playbook | None, tail: LogTail | None, restore_reason: str, screens: Sequence[Screen] = SCREENS
) -> OpenState:
    """What to go on from where a host brings the state, and is right; `restore_reason` says for the log where another one is from."""
    playbook = found or Playbook()
    if tail is None:
        return (
            OpenState(playbook)
            if found is None
            else _brought(playbook, playbook, None, restore_reason, screens)
        )
    taken_in = _taken_in(playbook, tail, restore_reason, screens)
    if digest(taken_in.playbook) == tail.record.playbook:
        return msgspec.structs.replace(taken_in, restored=None, screened=())
    return taken_in


def _taken_in(found: Playbook, tail: LogTail, restore_reason: str, screens: Sequence[Screen]) -> OpenState:
    """What is let in of a playbook beside this log. The log's ids are used up, whatever the snapshot says; and a playbook that
    the log ends with is not screened again.
    """
    raised = Playbook(max(found.next_number, tail.record.next_number), found.bullets)
    if digest(raised) == tail.record.playbook:
        return OpenState(raised, tail, stale=raised != found)
    return _brought(raised, found, tail, restore_reason, screens)


def _brought(
    playbook: Playbook, found: Playbook, tail: LogTail | None, reason: str, screens: Sequence[Screen]
) -> OpenState:
    kept, screened = from_outside(playbook, screens)
    return OpenState(kept, tail, restoration(reason, kept), screened, stale=kept != found)


def from_outside(
    playbook: Playbook, screens: Sequence[Screen] = SCREENS
) -> tuple[Playbook, tuple[Removed, ...]]:
    """What is let in of a playbook from a file or a host: the bullets that pass the screens, and the events that tell of the
    others, without their texts.
    """
    kept: list[Bullet] = []
    screened: list[Removed] = []
    for bullet in playbook.bullets:
        of_section = refusal(bullet.section)
        reason = refusal(bullet.content, screens) or of_section
        if reason is None:
            kept.append(bullet)
        else:
            section = "" if of_section else bullet.section
            screened.append(
                Removed(bullet.id, section, "", bullet.helpful, bullet.harmful, by="screen", reason=reason)
            )
    return Playbook(playbook.next_number, tuple(kept)), tuple(screened)


def restoration(reason: str, playbook: Playbook) -> PlaybookRestored:
    """The event that makes the log hold exactly this playbook from here on."""
    return PlaybookRestored(reason, playbook.next_number, playbook.bullets)
