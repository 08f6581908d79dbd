"""`ace show`: the playbook as a table or JSON, and the story of one bullet."""

from __future__ import annotations

import shutil
import sys
import textwrap
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence

import msgspec

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell, visible
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.playbook import Bullet
from ace.domain.similar import pairs_alike
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
    RunRead,
    StepRecord,
    TagCounted,
)

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print the playbook, or one bullet's story. Reads without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    bullet = options.bullet and options.bullet.strip("[]").casefold()
    if bullet and not options.similar:
        return _print_story(folder, bullet, as_json=options.json)
    playbook = folder.playbook()
    if options.similar:
        wanted = [one for one in playbook.bullets if _wanted(one, options)]
        return _print_similar(wanted, bullet, as_json=options.json)
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


def _width() -> int:
    return max(40, shutil.get_terminal_size((_WIDE, 24)).columns)


def _table(bullets: Sequence[Bullet]) -> Iterator[str]:
    width = _width()
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


def _print_similar(bullets: Sequence[Bullet], bullet: str | None, *, as_json: bool) -> int:
    """Print the pairs of bullets that are alike, of one bullet where it is named. A person decides what to do about them."""
    texts = {one.id: one.content for one in bullets}
    if bullet is not None and bullet not in texts:
        raise AceError(f"the playbook has no bullet {bullet}, or another option leaves it out")
    pairs = [pair for pair in pairs_alike(list(texts.items())) if bullet is None or bullet in pair[:2]]
    if as_json:
        rows = [pair._asdict() for pair in pairs]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    for pair in pairs:
        tell(f"{pair.one} and {pair.other} have {pair.share:.0%} of their words in common:")
        for name in pair[:2]:
            line = visible(f"[{name}] {texts[name]}")
            print(textwrap.fill(line, _width(), initial_indent="  ", subsequent_indent="    "))
    print(f"{plural(len(pairs), 'pair')} alike, of {plural(len(bullets), 'bullet')}.")
    return 0


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
    if evidence := _evidence(story):
        print(evidence)
    return 0


def _evidence(story: Sequence[tuple[StepRecord, Event]]) -> str:
    """From how many different tasks the tags of a bullet come: runs of one task confirm each other's lesson."""
    tagged = [
        (record, event) for record, event in story if isinstance(event, TagCounted) and event.tag != "neutral"
    ]
    tasks = {_task_of(record, event.trace) for record, event in tagged}
    return f"{plural(len(tagged), 'tag')}, from runs of {plural(len(tasks), 'task')}." if tagged else ""


def _task_of(record: StepRecord, trace: str) -> str:
    """What tells the tagged run's task from others: its digest, or the excerpt that lines of 0.1.0 have alone."""
    runs = (event for event in record.events if isinstance(event, RunRead) and event.trace == trace)
    return next((run.task_digest or run.task for run in runs), trace)


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
