"""Who is right about the playbook at the start of a step: the snapshot `state/playbook.json` or the log.

    found                                                       then
    neither                                                     an empty playbook
    ours, a snapshot, no log                                    the log begins with `PlaybookRestored(imported)`
    snapshot = the last line's playbook                         go on; the last line alone was read
    the same, once ids and screens had their say                killed while it was taken in: written as the log has it
    ours, snapshot = the playbook before the last line          killed between append and write: made from the log
    ours, snapshot = neither                                    `StateError`: `ace adopt` or `ace rebuild`
    the host's, and not the last line's playbook                the host is right: `PlaybookRestored(<origin>)`

"Ours" is a folder that no one else writes. A missing snapshot counts as an empty playbook. What comes from outside, from a
file without a log or from a host, passes the screens. What the log holds is not screened again, also when screens widen.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from ace.adapters.files import read_bytes
from ace.adapters.log import Last
from ace.adapters.method import StateOwner
from ace.domain.errors import StateError
from ace.domain.playbook import Playbook, digest, fold, parse_playbook
from ace.domain.screens import refusal
from ace.events.types import Bullet, PlaybookRestored, Removed

__all__ = ["SNAPSHOT", "Opened", "from_outside", "open_state", "read_snapshot", "restoration"]

SNAPSHOT = "playbook.json"


class Opened(msgspec.Struct, frozen=True):
    """The playbook to go on from. `restored` has to be logged before the step, and behind it `screened`: the bullets that the
    screens took out of what came in. If `stale`, the snapshot does not hold this playbook yet.
    """

    playbook: Playbook
    restored: PlaybookRestored | None = None
    screened: tuple[Removed, ...] = ()
    stale: bool = False


def read_snapshot(path: Path) -> Playbook | None:
    """The playbook in the snapshot, or None if there is no file. Raises `StateError` if it is damaged."""
    data = read_bytes(path)
    return None if data is None else parse_playbook(data, str(path))


def open_state(path: Path, last: Last | None, owner: StateOwner, origin: str) -> Opened:
    """Decide which playbook a step starts from, by the table above. Raises `StateError`; writes nothing."""
    found = read_snapshot(path)
    snapshot = found or Playbook()
    if last is None:
        reason = "imported" if owner == "folder" else origin
        return Opened(snapshot) if found is None else _brought(snapshot, snapshot, reason)
    if owner == "folder" and digest(snapshot) == last.record.playbook:
        return Opened(snapshot)
    # The log's ids are used up, whatever the snapshot says.
    raised = Playbook(max(snapshot.next_number, last.record.next_number), snapshot.bullets)
    if digest(raised) == last.record.playbook:
        return Opened(raised, stale=raised != snapshot)
    brought = _brought(raised, snapshot, origin)
    if digest(brought.playbook) == last.record.playbook:
        # What was brought then, and came in without what the screens took out.
        return Opened(brought.playbook, stale=True)
    return brought if owner == "host" else _recovered(path, snapshot, last)


def from_outside(playbook: Playbook) -> tuple[Playbook, tuple[Removed, ...]]:
    """What is let in of a playbook from a file or a host: the bullets that pass the screens, and the events that tell of the
    others, without their texts.
    """
    kept: list[Bullet] = []
    screened: list[Removed] = []
    for bullet in playbook.bullets:
        of_section = refusal(bullet.section)
        reason = refusal(bullet.content) or of_section
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


def _brought(playbook: Playbook, snapshot: Playbook, reason: str) -> Opened:
    kept, screened = from_outside(playbook)
    return Opened(kept, restoration(reason, kept), screened, stale=kept != snapshot)


def _recovered(path: Path, snapshot: Playbook, last: Last) -> Opened:
    before = digest(Playbook()) if last.before is None else last.before.playbook
    if digest(snapshot) == before and last.record.outcome == "committed":
        playbook = fold(snapshot, last.record.events)
        if digest(playbook) == last.record.playbook:
            return Opened(playbook, stale=True)
    raise StateError(
        f"{path} is not the playbook that the log ends with (line {last.record.seq}): it was changed or put back from "
        "outside. Run `ace adopt` to go on from the file as it is, or `ace rebuild` to make it again from the log (with "
        "the --rules of `ace learn`, if you gave it)"
    )
