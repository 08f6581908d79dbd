"""Who is right about the playbook at the start of a step: the snapshot `state/playbook.json` or the log.

    found                                                       then
    neither                                                     an empty playbook
    ours, a snapshot, no log                                    the log begins with `PlaybookRestored(imported)`
    snapshot = the last line's playbook                         go on; the last line alone was read
    ours, snapshot = the playbook before the last line          killed between append and write: made from the log
    ours, snapshot = neither                                    `StateError`: `ace adopt` or `ace rebuild`
    the host's, and not the last line's playbook                the host is right: `PlaybookRestored(<origin>)`

"Ours" is a folder that no one else writes. A missing snapshot counts as an empty playbook.
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
from ace.events.types import PlaybookRestored

__all__ = ["SNAPSHOT", "Opened", "open_state", "read_snapshot", "restoration", "screen_bullets"]

SNAPSHOT = "playbook.json"


class Opened(msgspec.Struct, frozen=True):
    """The playbook to go on from. `restored` has to be logged before the step; if `stale`, the snapshot does not hold
    this playbook yet.
    """

    playbook: Playbook
    restored: PlaybookRestored | None = None
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
        return _imported(path, snapshot, reason) if found is not None else Opened(snapshot)
    if owner == "host":
        # The log's ids are used up, whatever the host went back to.
        raised = _raised(snapshot, last.record.next_number)
        same = digest(raised) == last.record.playbook
        return Opened(raised, None if same else restoration(origin, raised), stale=raised != snapshot)
    if digest(snapshot) == last.record.playbook:
        return Opened(snapshot)
    return _recovered(path, snapshot, last)


def restoration(reason: str, playbook: Playbook) -> PlaybookRestored:
    """The event that makes the log hold exactly this playbook from here on."""
    return PlaybookRestored(reason, playbook.next_number, playbook.bullets)


def _imported(path: Path, playbook: Playbook, reason: str) -> Opened:
    screen_bullets(path, playbook)
    return Opened(playbook, restoration(reason, playbook))


def screen_bullets(path: Path, playbook: Playbook) -> None:
    """Refuse a playbook from outside whose bullets would not have come through the screens. Raises `StateError`."""
    for bullet in playbook.bullets:
        if reason := refusal(bullet.content) or refusal(bullet.section):
            raise StateError(f"{path}: {bullet.id} holds {reason}: remove it from the file, then try again")


def _raised(playbook: Playbook, next_number: int) -> Playbook:
    return Playbook(max(playbook.next_number, next_number), playbook.bullets)


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
