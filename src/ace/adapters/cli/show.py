"""`ace show`: the playbook as a table or JSON, and the story of one bullet."""

from __future__ import annotations

import shutil
import sys
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence

import msgspec

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.playbook import Bullet
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.events.types import (
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    StepRecord,
    TagCounted,
)

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print the playbook, or one bullet's story. Reads without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    if options.bullet is not None:
        return _print_story(folder, options.bullet.strip("[]").casefold(), as_json=options.json)
    playbook = folder.playbook()
    bullets = _sorted(
        [b for b in playbook.bullets if _wanted(b, options)], options.sort, reverse=options.reverse
    )
    if options.json:
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(bullets), indent=2) + b"\n")
        return 0
    for line in _table(bullets):
        tell(line)
    print(f"{len(bullets)} of {plural(len(playbook.bullets), 'bullet')}.")
    return 0


def _wanted(bullet: Bullet, options: Namespace) -> bool:
    section, text = options.section or "", options.grep or ""
    return section.casefold() in bullet.section.casefold() and text.casefold() in bullet.content.casefold()


_ORDERS: dict[str, Callable[[Bullet], int]] = {
    "balance": lambda bullet: bullet.harmful - bullet.helpful,
    "helpful": lambda bullet: -bullet.helpful,
    "harmful": lambda bullet: -bullet.harmful,
    "step": lambda bullet: bullet.step,
}


def _sorted(bullets: list[Bullet], order: str, *, reverse: bool) -> list[Bullet]:
    """Bullets come by number; the other orders show first what has most of it, and keep that order among equals."""
    ordered = sorted(bullets, key=_ORDERS[order]) if order in _ORDERS else bullets
    return ordered[::-1] if reverse else ordered


_WIDE = 110
"""Columns of a terminal from which on sections get one of their own; below, a lesson would have no room beside it."""


def _table(bullets: Sequence[Bullet]) -> Iterator[str]:
    width = max(40, shutil.get_terminal_size((_WIDE, 24)).columns)
    sections = max(map(len, ["section", *(bullet.section for bullet in bullets)])) if width >= _WIDE else 0
    head = f"{'id':<10}  {'+':>3}  {'-':>3}  {'step':>5}  " + (
        f"{'section':<{sections}}  " if sections else ""
    )
    yield f"{head}lesson"
    for bullet in bullets:
        start = f"{bullet.id:<10}  {bullet.helpful:>3}  {bullet.harmful:>3}  {bullet.step:>5}  "
        start += f"{bullet.section:<{sections}}  " if sections else ""
        text = bullet.content if sections else f"{bullet.content} ({bullet.section})"
        lines = textwrap.wrap(text, max(24, width - len(head))) or [""]
        yield start + lines[0]
        yield from (" " * len(head) + line for line in lines[1:])


def _print_story(folder: FolderBook, bullet: str, *, as_json: bool) -> int:
    story = list(_story(folder, bullet))
    if not story:
        raise AceError(
            f"the log knows no bullet {bullet}: `ace show --work {folder.root}` lists those there are"
        )
    if as_json:
        rows = [{"seq": record.seq, "step": record.step, "event": event} for record, event in story]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    for record, event in story:
        where = f" (record steps/{record.record})" if record.record else ""
        tell(f"line {record.seq}, step {record.step}{where}: {_told(event, bullet)}")
    return 0


def _story(folder: FolderBook, bullet: str) -> Iterator[tuple[StepRecord, Event]]:
    """The events that were about the bullet, a playbook that was restored without it among them."""
    there = False
    for record in folder.log.verified():
        for event in record.applied:
            after = _is_there(event, bullet, there=there)
            if after is not None:
                yield record, event
                there = after


def _is_there(event: Event, bullet: str, *, there: bool) -> bool | None:
    """Whether the bullet is in the playbook after the event; None if the event is not about it."""
    match event:
        case BulletAdded() if event.id == bullet:
            return True
        case TagCounted() | DuplicateRejected() if event.bullet == bullet:
            return there
        case Pruned() | Capped() | Removed() if event.id == bullet:
            return False
        case Reworded() if event.id == bullet:
            return there
        case PlaybookRestored():
            restored = _restored(event, bullet) is not None
            return restored if restored or there else None
        case _:
            return None


def _restored(event: PlaybookRestored, bullet: str) -> Bullet | None:
    return next((one for one in event.bullets if one.id == bullet), None)


def _told(event: Event, bullet: str) -> str:
    if isinstance(event, BulletAdded):
        source = f"from run {event.trace}" if event.trace else "by a person"
        return f"added {source} to {event.section}: {event.content}"
    if isinstance(event, PlaybookRestored):
        one = _restored(event, bullet)
        if one is None:
            return f"{event.reason}: no longer in the playbook"
        return f"{event.reason} with helpful={one.helpful} harmful={one.harmful}: {one.content}"
    return sentence_of(event)
