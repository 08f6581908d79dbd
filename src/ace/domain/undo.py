"""What a person can take back: the log without one step, and the playbook as it was at a line.

`reverted 12` is a line whose playbook is the fold of the log without line 12; `rewound to 9` one whose playbook is that
after line 9. Both are `PlaybookRestored`, so that a reader that knows neither word folds them right.

A step cannot be taken out from before a restoration, which replaced the playbook as a whole. A line `reverted 12` is none:
it counts as the log without line 12, so that steps can be reverted one after the other, in any order, and a reversal, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ace.domain.errors import AceError
from ace.domain.playbook import Draft, Playbook, fold_records, key_of
from ace.domain.waiting import Folds, shown
from ace.domain.withdrawn import reverted, rewound, withdrawals
from ace.events.types import (
    Accepted,
    Bullet,
    BulletAdded,
    Capped,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    RulesRestored,
    StepRecord,
    TagCounted,
)

__all__ = ["Undone", "playbook_at", "reverting", "rewinding"]


class Undone(NamedTuple):
    """The playbook once something is taken back, what the rules show of it then (None: all of it), and the events that make the
    log say so.
    """

    playbook: Playbook
    accepted: Playbook | None
    events: tuple[Event, ...]


class _Lines:
    """What some lines come to: both folds, and the keys of the texts that do not come back after them."""

    def __init__(self) -> None:
        self.folds = Folds()
        self.withdrawn: set[str] = set()

    def copy(self) -> _Lines:
        """What the lines so far come to, of which later lines change nothing."""
        copied = _Lines()
        copied.folds.head = Draft(self.folds.head.freeze())
        copied.folds.accepted = self.folds.accepted
        copied.withdrawn = set(self.withdrawn)
        return copied

    def take(self, record: StepRecord) -> None:
        self.folds.take(record)
        for key, is_withdrawn in withdrawals(record):
            (self.withdrawn.add if is_withdrawn else self.withdrawn.discard)(key)

    def take_later(self, record: StepRecord) -> None:
        """Take in a line from behind one that is left out. Where it left nothing waiting, it may have done so because the other one
        had accepted what waited: that goes on waiting, unless this line accepts it, too.
        """
        folds, waited = self.folds, set[str]()
        if folds.accepted is not None:
            waited = set(folds.head.rows) - {one.id for one in folds.accepted.bullets}
        self.take(record)
        if folds.accepted is None and waited and _restores(record) is None:
            waited -= {event.id for event in record.applied if isinstance(event, Accepted)}
            folds.accepted = shown(one for one in folds.head.freeze().bullets if one.id not in waited)


class _Read(_Lines):
    """The whole log, read once: also what the lines but `seq` come to (`without`), what the log says of line `seq`, of the last line
    that replaced the playbook as a whole (a reversal does not), and which lines behind that one reverse which others.
    """

    def __init__(self, records: Iterable[StepRecord], seq: int) -> None:
        super().__init__()
        self.last = 0
        self.record: StepRecord | None = None
        self.since, self.restored = 0, ""
        self.reversals: dict[int, int] = {}
        self.without = self.copy()
        for record in records:
            if record.seq == seq:
                self.record, self.without = record, self.copy()
            elif self.record is not None:
                self.without.take_later(record)
            self.take(record)
            self.last = record.seq
            reason = _restores(record)
            if reason is None:
                continue
            if (target := _reverted(reason)) is not None:
                self.reversals[record.seq] = target
            else:
                self.since, self.restored, self.reversals = record.seq, reason, {}


def playbook_at(records: Iterable[StepRecord], seq: int) -> Playbook:
    """The playbook after line `seq` of the log; before its first line, 0, it was empty."""
    return fold_records(Playbook(), (record for record in records if record.seq <= seq))


def rewinding(records: Iterable[StepRecord], seq: int) -> Undone:
    """The playbook as it was after line `seq`; no id is given twice. The records, all of the log, are read once. Raises
    `AceError` for a line that is not there, or is the last one.
    """
    then = _Lines()

    def passed_on() -> Iterator[StepRecord]:
        for record in records:
            if record.seq <= seq:
                then.take(record)
            yield record

    now = _Read(passed_on(), seq)
    if not 0 <= seq <= now.last:
        raise AceError(_no_line(seq, now.last))
    if seq == now.last:
        raise AceError(f"line {seq} is the log's last one, so there is nothing to rewind")
    return _undone(rewound(seq), now, then)


def reverting(records: Iterable[StepRecord], seq: int) -> Undone:
    """The fold of the log without line `seq`, in which later events about bullets that are not there have no effect; no id is
    given twice. The records, all of the log, are read once; and again if a line behind `seq` reverts another one: what that
    restored holds what line `seq` did, and which lines it leaves out is known at the end of the log.

    Raises `AceError` where that is not defined: for a line that is not there, changed no bullet, is reverted already, or
    restored a playbook or comes before one that did.
    """
    now = _Read(records, seq)
    record = now.record
    if record is None:
        raise AceError(_no_line(seq, now.last))
    if record.outcome == "refused":
        raise AceError(
            f"line {seq} was refused by the check: it changed nothing, so there is nothing to revert"
        )
    if not any(map(_changes, record.events)):
        raise AceError(f"line {seq} changed no lesson, so there is nothing to revert")
    if seq <= now.since:
        raise AceError(_behind(seq, now.since, now.restored))
    left_out = _left_out(now.reversals)
    if seq in left_out:
        by = left_out[seq]
        raise AceError(f"line {seq} is reverted already, by line {by}: `ace revert {by}` takes that back")
    if max(now.reversals, default=0) <= seq:
        return _undone(reverted(seq), now, now.without)
    # A line may be reverted by one that is itself left out now.
    without = {seq, *now.reversals, *_left_out({one: of for one, of in now.reversals.items() if one != seq})}
    without = {one for one in without if one > now.since}
    first, then = min(without), _Lines()
    for record in records:
        if record.seq not in without:
            (then.take if record.seq < first else then.take_later)(record)
    return _undone(reverted(seq), now, then)


def _undone(reason: str, now: _Lines, then: _Lines) -> Undone:
    """What is undone, if `now` is what the lines come to, and `then` is what they are to come to."""
    draft, current = then.folds.head, now.folds.head
    playbook = Playbook(max(draft.next_number, current.next_number), draft.freeze().bullets)
    # A text that a person had taken out, and that was let in again by what is undone now, is taken out again.
    there = {key_of(row.added_as.content) for row in draft.rows.values()}
    again = [one for one in current.freeze().bullets if key_of(one.content) in then.withdrawn - there]
    events: list[Event] = [PlaybookRestored(reason, playbook.next_number, playbook.bullets)]
    events += [_away(one, draft, reason) for one in again]
    accepted = then.folds.accepted
    if accepted is not None and accepted.bullets == playbook.bullets:
        accepted = None
    if accepted is not None:
        events.append(RulesRestored(accepted.bullets))
    return Undone(playbook, accepted, tuple(events))


def _away(one: Bullet, draft: Draft, reason: str) -> Event:
    """The event by which this lesson's text does not come back. It changes nothing in the playbook of the draft."""
    row = draft.rows.get(one.id)
    if row is not None:
        return Reworded(one.id, one.content, row.added_as.content, "person", reason)
    return Removed(one.id, one.section, one.content, one.helpful, one.harmful, by="person", reason=reason)


_CHANGING = (BulletAdded, Pruned, Capped, Reworded, Accepted, PlaybookRestored)


def _changes(event: Event) -> bool:
    if isinstance(event, TagCounted):
        return event.tag != "neutral"
    return isinstance(event, _CHANGING) or (isinstance(event, Removed) and event.by != "screen")


_REVERTED = re.compile(r"reverted ([1-9]\d{0,17})")


def _restores(record: StepRecord) -> str | None:
    """The reason for which this line replaces the playbook, or None."""
    reasons = (event.reason for event in record.applied if isinstance(event, PlaybookRestored))
    return next(reasons, None)


def _reverted(reason: str) -> int | None:
    """The line that a restoration for this reason reverts, or None."""
    found = _REVERTED.fullmatch(reason)
    return int(found[1]) if found else None


def _left_out(reversals: Mapping[int, int]) -> dict[int, int]:
    """The lines that are reverted, each with the line that does it. The newest are looked at first: a reversal that is reverted
    itself says nothing any more.
    """
    found: dict[int, int] = {}
    for seq in sorted(reversals, reverse=True):
        if seq not in found:
            found.setdefault(reversals[seq], seq)
    return found


def _no_line(seq: int, last: int) -> str:
    return f"the log has no line {seq}: it has {last}, and `ace log` lists them"


def _behind(seq: int, since: int, reason: str) -> str:
    whole = f"line {since} replaced the playbook as a whole ({reason})"
    back = f"`ace rewind {seq - 1}` makes it again what it was before line {seq}, without all that came since"
    if seq == since:
        return f"{whole}, and cannot be taken out of what came after it: {back}"
    return f"{whole}, so that line {seq} cannot be taken out from before it: {back}; `ace remove` takes out single lessons"
