"""`ace log`: the lines of the log with their events, newest first."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterator, Sequence
from contextlib import suppress
from tempfile import TemporaryFile
from typing import BinaryIO

import msgspec

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import since, told_time, utc_of
from ace.adapters.cli.output import outcome_line, tell, visible
from ace.adapters.store.standing import Release, read_releases
from ace.domain.playbook import id_named
from ace.domain.stories import Life, readings_of
from ace.domain.summary import plural, shown_events
from ace.domain.summary import tell as sentence_of
from ace.events.types import Event, OperationIgnored, Refused, StepRecord

__all__ = ["run"]

type Entry = tuple[StepRecord, tuple[Event, ...]]


def run(options: Namespace) -> int:
    """Print the lines that are asked for. Reads without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    entries = _Entries(options)
    releases: dict[int, list[Release]] = {}
    for release in read_releases(folder.root) if folder.owner == "host" else ():
        releases.setdefault(release.seq, []).append(release)
    shown = _json_text if options.json else _text
    with TemporaryFile() as kept:  # newest first, and yet the log is read once, and not held
        places: list[tuple[int, int]] = []
        for record in folder.log.verified():
            if (entry := entries.entry(record)) is not None:
                data = shown(*entry, releases.get(record.seq, [])).encode(errors="surrogatepass")
                places.append((kept.tell(), len(data)))
                kept.write(data)
        pieces = _newest_first(kept, places)
        if options.json:
            _print_json(pieces)
        elif places:
            _page(pieces)
        else:
            tell(f"Nothing found in the {plural(entries.lines, 'line')} of the log.")
    return 0


def _newest_first(kept: BinaryIO, places: Sequence[tuple[int, int]]) -> Iterator[str]:
    for start, size in reversed(places):
        kept.seek(start)
        yield kept.read(size).decode(errors="surrogatepass")


class _Entries:
    """The lines that all options let through, each with the events that they ask for, while the log goes by."""

    def __init__(self, options: Namespace) -> None:
        self.lines = 0
        self._options = options
        self._moment = None if options.since is None else utc_of(options.since)
        self._life = None if options.bullet is None else Life(id_named(options.bullet))
        self._narrows = options.bullet is not None or options.run is not None or options.refused

    def entry(self, record: StepRecord) -> Entry | None:
        """The next line and its events, or None."""
        options, events = self._options, shown_events(record)
        self.lines += 1
        if self._life is not None:
            events = tuple(chapter.event for chapter in self._life.take(record))
        if options.seq not in (None, record.seq):
            return None
        if self._moment is not None and not since(record, self._moment):
            return None
        if options.run is not None:
            names = {reading.run.trace for reading in readings_of([record], options.run)}
            events = tuple(event for event in events if getattr(event, "trace", None) in names)
        if options.refused and record.outcome != "refused":
            events = tuple(event for event in events if isinstance(event, Refused | OperationIgnored))
        return (record, events) if events or not self._narrows else None


def _text(record: StepRecord, events: tuple[Event, ...], releases: list[Release]) -> str:
    return "\n".join(map(visible, [*_told(record, events), *map(_told_release, releases)]))


def _json_text(record: StepRecord, events: tuple[Event, ...], releases: list[Release]) -> str:
    row = msgspec.json.format(msgspec.json.encode(_row(record, events, releases)), indent=2).decode()
    return textwrap.indent(row, "  ")


def _print_json(rows: Iterator[str]) -> None:
    """An array, row by row."""
    first = next(rows, None)
    if first is None:
        print("[]")
        return
    print(f"[\n{first}", end="")
    for row in rows:
        print(f",\n{row}", end="")
    print("\n]")


def _told(record: StepRecord, events: tuple[Event, ...]) -> Iterator[str]:
    when = f", {told_time(record.time)}" if record.time else ""
    kept = f", record steps/{record.record}" if record.record else ""
    yield f"line {record.seq}{when}, step {record.step}{kept}"
    if record.outcome == "refused" or record.record:
        yield f"    {outcome_line(record)}"
    if record.outcome == "committed" and record.reason:
        yield f"    why: {record.reason}"
    if record.outcome == "committed" and record.accepted:
        yield "    something waits for a review after it"
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
        **({"waits": True} if record.accepted else {}),
        **({"releases": releases} if releases else {}),
    }


def _page(pieces: Iterator[str]) -> None:
    """Print them with a blank line between; a terminal gets a page at a time, and no more is made than is looked at."""
    pager = _pager() if sys.stdout.isatty() else None
    if pager is None:
        for number, piece in enumerate(pieces):
            print(f"\n{piece}" if number else piece)
        return
    os.environ.setdefault("LESS", "FRX")
    with subprocess.Popen(pager, stdin=subprocess.PIPE, text=True, errors="backslashreplace") as process:  # noqa: S603 - the user's own
        # Whoever has seen enough ends the pager; that is not an error.
        with suppress(BrokenPipeError, KeyboardInterrupt):
            for number, piece in enumerate(pieces):
                print(f"\n{piece}" if number else piece, file=process.stdin)
        with suppress(BrokenPipeError):
            process.communicate()


def _pager() -> list[str] | None:
    """The command that shows a page at a time, if there is one."""
    words = shlex.split(os.environ.get("PAGER") or "less")
    return words if words and shutil.which(words[0]) else None
