"""What a person can take back: the log without one step, and the playbook as it was at a line.

`reverted 12` is a line whose playbook is the fold of the log without line 12; `rewound to 9` one whose playbook is that
after line 9. Both are `PlaybookRestored`, so that a reader that knows neither word folds them right.

A step cannot be taken out from before a restoration, which replaced the playbook as a whole. A line `reverted 12` is none:
it counts as the log without line 12, so that steps can be reverted one after the other, in any order, and a reversal, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ace.domain.errors import AceError
from ace.domain.playbook import Draft, Playbook, key_of
from ace.domain.withdrawn import reverted, rewound, withdrawals
from ace.events.types import (
    Bullet,
    BulletAdded,
    Capped,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    StepRecord,
    TagCounted,
)

__all__ = ["Undone", "playbook_at", "reverting", "rewinding"]


class Undone(NamedTuple):
    """The playbook once something is taken back, and the events that make the log say so."""

    playbook: Playbook
    events: tuple[Event, ...]


def playbook_at(records: Iterable[StepRecord], seq: int) -> Playbook:
    """The playbook after line `seq` of the log; before its first line, 0, it was empty."""
    return _kept(record for record in records if record.seq <= seq)[0].freeze()


def rewinding(records: Sequence[StepRecord], seq: int) -> Undone:
    """The playbook as it was after line `seq`; no id is given twice. Raises `AceError` for a line that is not there, or is the
    last one.
    """
    last = len(records)
    if seq > last:
        raise AceError(_no_line(seq, last))
    if seq == last:
        raise AceError(f"line {seq} is the log's last one, so there is nothing to rewind")
    return _undone(rewound(seq), records, records[:seq])


def reverting(records: Sequence[StepRecord], seq: int) -> Undone:
    """The fold of the log without line `seq`, in which later events about bullets that are not there have no effect; no id is
    given twice.

    Raises `AceError` where that is not defined: for a line that is not there, changed no bullet, is reverted already, or
    restored a playbook or stands before one that did.
    """
    if not 1 <= seq <= len(records):
        raise AceError(_no_line(seq, len(records)))
    record = records[seq - 1]
    if record.outcome == "refused":
        raise AceError(
            f"line {seq} was refused by the check: it changed nothing, so there is nothing to revert"
        )
    if not any(map(_changes, record.events)):
        raise AceError(f"line {seq} changed no lesson, so there is nothing to revert")
    since = _last_restoration(records)
    if seq <= since:
        raise AceError(_behind(seq, since, records[since - 1]))
    left_out = _reverted_in(records[since:])
    if seq in left_out:
        by = left_out[seq]
        raise AceError(f"line {seq} is reverted already, by line {by}: `ace revert {by}` takes that back")
    # A line may be reverted by one that is itself left out now.
    without = _reverted_in([one for one in records[since:] if one.seq != seq])
    kept = [
        one
        for one in records
        if one.seq <= since or (one.seq != seq and one.seq not in without and _reverts(one) is None)
    ]
    return _undone(reverted(seq), records, kept)


def _undone(reason: str, records: Sequence[StepRecord], kept: Iterable[StepRecord]) -> Undone:
    now, _ = _kept(records)
    draft, withdrawn = _kept(kept)
    playbook = Playbook(max(draft.next_number, now.next_number), draft.freeze().bullets)
    # A text that a person had taken out, and that was let in again by what is undone now, is taken out again.
    there = {key_of(row.added_as.content) for row in draft.rows.values()}
    again = [one for one in now.freeze().bullets if key_of(one.content) in withdrawn - there]
    away = tuple(_away(one, draft, reason) for one in again)
    return Undone(playbook, (PlaybookRestored(reason, playbook.next_number, playbook.bullets), *away))


def _away(one: Bullet, draft: Draft, reason: str) -> Event:
    """The event by which this lesson's text does not come back. It changes nothing in the playbook of the draft."""
    row = draft.rows.get(one.id)
    if row is not None:
        return Reworded(one.id, one.content, row.added_as.content, "person", reason)
    return Removed(one.id, one.section, one.content, one.helpful, one.harmful, by="person", reason=reason)


def _kept(records: Iterable[StepRecord]) -> tuple[Draft, set[str]]:
    """What these lines fold to, and the keys of the texts that do not come back after them."""
    draft, keys = Draft(Playbook()), set[str]()
    for record in records:
        draft.apply(record.applied)
        for key, is_withdrawn in withdrawals(record):
            (keys.add if is_withdrawn else keys.discard)(key)
    return draft, keys


_CHANGING = (BulletAdded, Pruned, Capped, Reworded, PlaybookRestored)


def _changes(event: Event) -> bool:
    if isinstance(event, TagCounted):
        return event.tag != "neutral"
    return isinstance(event, _CHANGING) or (isinstance(event, Removed) and event.by != "screen")


_REVERTED = re.compile(r"reverted ([1-9]\d{0,17})")


def _reverts(record: StepRecord) -> int | None:
    """The line that this one reverts, or None."""
    for event in record.applied:
        if isinstance(event, PlaybookRestored) and (found := _REVERTED.fullmatch(event.reason)):
            return int(found[1])
    return None


def _last_restoration(records: Sequence[StepRecord]) -> int:
    """The `seq` of the last line that replaced the playbook as a whole, 0 if there is none; a reversal does not."""
    restoring = (
        record.seq
        for record in reversed(records)
        if any(isinstance(event, PlaybookRestored) for event in record.applied) and _reverts(record) is None
    )
    return next(restoring, 0)


def _reverted_in(records: Sequence[StepRecord]) -> dict[int, int]:
    """The lines that are reverted, each with the line that does it. The newest are looked at first: a reversal that is reverted
    itself says nothing any more.
    """
    found: dict[int, int] = {}
    for record in reversed(records):
        target = _reverts(record)
        if target is not None and record.seq not in found:
            found.setdefault(target, record.seq)
    return found


def _no_line(seq: int, last: int) -> str:
    return f"the log has no line {seq}: it has {last}, and `ace log` lists them"


def _behind(seq: int, since: int, record: StepRecord) -> str:
    reason = next(event.reason for event in record.events if isinstance(event, PlaybookRestored))
    whole = f"line {since} replaced the playbook as a whole ({reason})"
    back = f"`ace rewind {seq - 1}` makes it again what it was before line {seq}, without all that came since"
    if seq == since:
        return f"{whole}, and cannot be taken out of what came after it: {back}"
    return f"{whole}, so that line {seq} cannot be taken out from before it: {back}; `ace remove` takes out single lessons"
