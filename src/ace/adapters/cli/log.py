"""`ace log`: the lines of the log with their events, newest first."""

from __future__ import annotations

import os
import pydoc
import sys
from argparse import Namespace
from collections.abc import Iterator

import msgspec

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import since, told_time, utc_of
from ace.adapters.cli.output import outcome_line, tell, visible
from ace.adapters.store.standing import Release, read_releases
from ace.domain.playbook import id_named
from ace.domain.stories import readings_of, story_of
from ace.domain.summary import plural, shown_events
from ace.domain.summary import tell as sentence_of
from ace.events.types import Event, OperationIgnored, Refused, StepRecord

__all__ = ["run"]

type Entry = tuple[StepRecord, tuple[Event, ...]]


def run(options: Namespace) -> int:
    """Print the lines that are asked for. Reads without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    records = list(folder.log.verified())
    entries = list(_entries(records, options))[::-1]
    releases: dict[int, list[Release]] = {}
    for release in read_releases(folder.root) if folder.owner == "host" else ():
        releases.setdefault(release.seq, []).append(release)
    if options.json:
        rows = [_row(record, events, releases.get(record.seq, [])) for record, events in entries]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    if not entries:
        tell(f"No such line, of {plural(len(records), 'line')} of the log.")
        return 0
    told = (
        [*_told(record, events), *map(_told_release, releases.get(record.seq, ()))]
        for record, events in entries
    )
    _page("\n\n".join("\n".join(map(visible, lines)) for lines in told))
    return 0


def _entries(records: list[StepRecord], options: Namespace) -> Iterator[Entry]:
    """The lines that all options let through, each with the events that they ask for."""
    moment = None if options.since is None else utc_of(options.since)
    life: dict[int, list[Event]] = {}
    if options.bullet is not None:
        for chapter in story_of(records, id_named(options.bullet)).chapters:
            life.setdefault(chapter.seq, []).append(chapter.event)
    narrows = options.bullet is not None or options.run is not None or options.refused
    for record in records:
        if options.seq not in (None, record.seq) or (moment is not None and not since(record, moment)):
            continue
        events = shown_events(record)
        if options.bullet is not None:
            events = tuple(life.get(record.seq, ()))
        if options.run is not None:
            names = {reading.run.trace for reading in readings_of([record], options.run)}
            events = tuple(event for event in events if getattr(event, "trace", None) in names)
        if options.refused and record.outcome != "refused":
            events = tuple(event for event in events if isinstance(event, Refused | OperationIgnored))
        if events or not narrows:
            yield record, events


def _told(record: StepRecord, events: tuple[Event, ...]) -> Iterator[str]:
    when = f", {told_time(record.time)}" if record.time else ""
    kept = f", record steps/{record.record}" if record.record else ""
    yield f"line {record.seq}{when}, step {record.step}{kept}"
    if record.outcome == "refused" or record.record:
        yield f"    {outcome_line(record)}"
    if record.outcome == "committed" and record.reason:
        yield f"    why: {record.reason}"
    for event in events:
        yield f"    {sentence_of(event)}"


def _told_release(release: Release) -> str:
    """What the host made of the step's candidate, or did behind it."""
    when = f"{told_time(release.time)}, " if release.time else ""
    named = f": release {release.release[:12]}" if release.release else ""
    why = f" ({release.reason})" if release.reason else ""
    lessons = f", with {', '.join(release.lessons)}" if release.lessons else ""
    return f"    {when}{release.outcome}{named}{lessons}{why}"


def _row(record: StepRecord, events: tuple[Event, ...], releases: list[Release]) -> dict[str, object]:
    return {
        "seq": record.seq,
        "time": record.time,
        "step": record.step,
        "record": record.record,
        "outcome": record.outcome,
        "reason": record.reason,
        "events": events,
        **({"releases": releases} if releases else {}),
    }


def _page(text: str) -> None:
    """A terminal gets a page at a time; a text that fits on its screen is just printed."""
    if not sys.stdout.isatty():
        print(text)
        return
    os.environ.setdefault("LESS", "FRX")
    pydoc.pager(text + "\n")
