"""Does each event of a log fit what came before it? A log can be sound as a chain, and still tell of what cannot have been."""

from __future__ import annotations

from ace.domain.playbook import Draft, Row, bullet_number
from ace.events.types import (
    Accepted,
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

__all__ = ["apply_checked"]


def apply_checked(draft: Draft, record: StepRecord) -> str | None:
    """Apply a line's events to the draft, and say what of them does not fit, as a sentence's end: an id that was given before, a
    bullet that is not there or has other counts or another text than the event says, a next number that is not the fold's.
    """
    flaw: str | None = None
    restored = False
    for event in record.applied:
        restored = restored or isinstance(event, PlaybookRestored)
        # Behind a restoration, a removal tells of texts that were not let in, and changes nothing.
        if flaw is None and not (restored and isinstance(event, Removed | Reworded)):
            flaw = _misfit(draft, event)
        draft.apply((event,))
    if flaw is None and record.next_number != draft.next_number:
        return f"the next bullet's number is {draft.next_number}, not {record.next_number}"
    return flaw


def _misfit(draft: Draft, event: Event) -> str | None:
    match event:
        case BulletAdded():
            number = bullet_number(event.id)
            if number is None or number < draft.next_number:
                return f"{event.id} is not an id, or was given before"
        case PlaybookRestored():
            if event.next_number < draft.next_number:
                return f"the restored playbook would give ids from {event.next_number} on a second time"
        case TagCounted():
            return (
                None if event.bullet in draft.rows else f"a tag counts for {event.bullet}, which is not there"
            )
        case Pruned() | Capped() | Removed():
            return _unlike(draft.rows.get(event.id), event)
        case Reworded(id=name, before=text) | Accepted(id=name, content=text):
            row = draft.rows.get(name)
            if row is None or row.added_as.content != text:
                did = "reworded from" if isinstance(event, Reworded) else "accepted with"
                return f"{name} is {did} a text that it does not have"
    return None


def _unlike(row: Row | None, event: Pruned | Capped | Removed) -> str | None:
    if row is None:
        return f"{event.id} is taken out, and was not there"
    if (row.helpful, row.harmful) != (event.helpful, event.harmful):
        return (
            f"{event.id} had helpful={row.helpful} harmful={row.harmful}, and is taken out with other counts"
        )
    if row.added_as.content != event.content:
        return f"{event.id} is taken out with a text that it does not have"
    return None
