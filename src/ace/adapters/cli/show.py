"""`ace show`: the playbook, as it is or was, as a table or JSON; story.py tells the story of one lesson or run."""

from __future__ import annotations

import shutil
import sys
import textwrap
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from ace.adapters.cli.evidence import Weighed, print_evidence, weighed_at
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import playbooks_at
from ace.adapters.cli.output import tell, told_waiting, visible
from ace.adapters.cli.story import print_run, print_story
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.standing import Mark, Standing, read_standing
from ace.domain.errors import AceError
from ace.domain.playbook import Bullet, Playbook, id_named
from ace.domain.screens import acting_kind
from ace.domain.similar import pairs_alike
from ace.domain.summary import plural
from ace.domain.waiting import Waiting

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print the playbook, or one bullet's story. Reads without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    _see_that_one_thing_is_asked(options)
    bullet = options.bullet and id_named(options.bullet)
    if options.run is not None:
        return print_run(folder, options.run, as_json=options.json, width=_width())
    if bullet and not (options.similar or options.evidence):
        return print_story(folder, bullet, as_json=options.json, width=_width())
    weighed = weighed_at(folder, options.at or "now") if options.evidence and not options.similar else None
    playbook = _playbook(options, folder, weighed)
    if options.similar:
        wanted = [one for one in playbook.bullets if _wanted(one, options)]
        return _print_similar(wanted, bullet, as_json=options.json)
    bullets = _sorted(
        [b for b in playbook.bullets if _wanted(b, options)], options.sort, reverse=options.reverse
    )
    if weighed is not None:
        ids = [bullet] if bullet else [b.id for b in bullets]
        return print_evidence(folder, weighed, ids, as_json=options.json)
    return _print_playbook(options, folder, bullets, len(playbook.bullets))


def _playbook(options: Namespace, folder: FolderBook, weighed: Weighed | None) -> Playbook:
    """The playbook that is asked for: as it is, or as it was."""
    if options.at is None:
        return folder.playbook()
    if weighed is not None:
        return weighed.playbook
    return playbooks_at(folder.log.verified(), (options.at,))[0].playbook


def _print_playbook(options: Namespace, folder: FolderBook, bullets: Sequence[Bullet], total: int) -> int:
    """Print these bullets, of so many in all; in a host's folder, and while something waits for a review, also the state of each."""
    standing = read_standing(folder.root) if folder.owner == "host" and options.at is None else None
    left = folder.waiting() if options.at is None else Waiting()
    marks = {} if standing is None else {one.id: standing.mark(one.id) for one in bullets}
    if left:
        waits = {one.id for one in left.lessons}
        marks = {one.id: "waiting" if one.id in waits else "served" for one in bullets}
    if options.json:
        rows = [{**msgspec.structs.asdict(one), **_marked(marks, one), **_acts(one)} for one in bullets]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    for line in _table(bullets, marks):
        tell(line)
    print(f"{len(bullets)} of {plural(total, 'bullet')}.")
    if standing is not None:
        for line in _told_standing(standing, marks):
            tell(line)
    if told := told_waiting(left):
        tell(f"Not in the rules yet: {told}.")
    return 0


def _marked(marks: Mapping[str, Mark], bullet: Bullet) -> dict[str, Mark]:
    """The field with the state of a lesson: a host's, or any while something waits for a review."""
    return {"stands": marks[bullet.id]} if bullet.id in marks else {}


def _acts(bullet: Bullet) -> dict[str, str]:
    """The field of a lesson that acts, as today's screens see it, also where it came in before them."""
    kind = acting_kind(bullet.content)
    return {"acts": kind} if kind else {}


def _told_standing(standing: Standing, marks: Mapping[str, Mark]) -> Iterator[str]:
    release = f" in release {standing.release[:12]}" if standing.release else ""
    counts = Counter(marks.values())
    yield (
        f"Served{release}: {counts['served']}. Waiting: {counts['waiting']}. Rejected: {counts['rejected']}"
        + (f" ({standing.reason})." if counts["rejected"] and standing.reason else ".")
    )


def _see_that_one_thing_is_asked(options: Namespace) -> None:
    """Raises `AceError` for options that do not go together."""
    asked = {"ID": options.bullet, "--run": options.run, "--at": options.at}
    given = [name for name, value in asked.items() if value is not None]
    if len(given) > 1:
        raise AceError(f"{given[0]} and {given[1]} are two questions: leave one out")


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


def _table(bullets: Sequence[Bullet], marks: Mapping[str, Mark]) -> Iterator[str]:
    width = _width()
    sections = max(map(len, ["section", *(bullet.section for bullet in bullets)])) if width >= _WIDE else 0
    head = f"{'id':<10}  {'+':>3}  {'-':>3}  {'step':>5}  " + (f"{'stands':<8}  " if marks else "")
    head += f"{'section':<{sections}}  " if sections else ""
    yield f"{head}lesson"
    for bullet in bullets:
        start = f"{bullet.id:<10}  {bullet.helpful:>3}  {bullet.harmful:>3}  {bullet.step:>5}  "
        start += f"{marks[bullet.id]:<8}  " if marks else ""
        start += f"{bullet.section:<{sections}}  " if sections else ""
        text = bullet.content if sections else f"{bullet.content} ({bullet.section})"
        text += "".join(f" [acts: {kind}]" for kind in _acts(bullet).values())
        lines = textwrap.wrap(text, max(24, width - len(head))) or [""]
        yield start + lines[0]
        yield from (" " * len(head) + line for line in lines[1:])


def _print_similar(bullets: Sequence[Bullet], bullet: str | None, *, as_json: bool) -> int:
    """Print the pairs of bullets that are alike, of one bullet where it is named. A person decides what to do about them."""
    texts = {one.id: one.content for one in bullets}
    if bullet is not None and bullet not in texts:
        raise AceError(
            f"the playbook has no bullet {bullet}, or another option leaves it out: `ace show` lists them"
        )
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
