"""`ace status`: the state of a playbook on one screen, without a model."""

from __future__ import annotations

import shutil
import sys
import textwrap
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import told_time
from ace.adapters.cli.output import tell, told_waiting
from ace.adapters.store.backlog import Backlog, Entry
from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.running import Running, under_way
from ace.adapters.store.scenarios import is_scenario
from ace.domain.errors import MarkerError, StateError
from ace.domain.rules_block import digest_in
from ace.domain.summary import count, plural, sentence
from ace.domain.summary import tell as sentence_of
from ace.domain.unread import TRIES, names_in, pasts_in
from ace.domain.waiting import Waiting
from ace.events.types import Event, RunRead, StepRecord

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print the state of the folder. Reads without a lock: a step may be under way."""
    folder = folder_of(options)
    # A file, or another command, gets each line whole.
    width = max(40, shutil.get_terminal_size().columns) if sys.stdout.isatty() else 10_000
    for title, told in list(_lines(folder)):
        first, *more = textwrap.wrap(told, width - 10, break_long_words=False, break_on_hyphens=False)
        tell(f"{title:<9} {first}")
        for line in more:
            tell(f"{'':<9} {line}")
    return 0


def _lines(folder: FolderBook) -> Iterator[tuple[str, str]]:
    playbook = folder.playbook()
    yield "folder", folder.told_place()
    yield (
        "playbook",
        f"{plural(len(playbook.bullets), 'bullet')}, the next one is number {playbook.next_number}",
    )
    if told := told_waiting(_waits(folder)):
        yield "review", told
    records = list(folder.log.verified())
    last = records[-1] if records else None
    is_hosted = is_scenario(folder.root)
    for path in folder.rules_files:
        yield "rules", _rules(folder, path, last)
    yield "log", f"{plural(len(records), 'line')}, each as it was written"
    pasts = pasts_in(records)
    read = sum(bool(past.read) for past in pasts.values())
    given_up = sum(past.unusable >= TRIES for past in pasts.values())
    yield (
        "runs",
        f"{read} read" + (f", {given_up} passed over after {TRIES} unusable replies" if given_up else ""),
    )
    if last is not None:
        when = f"{told_time(last.time)}, " if last.time else ""
        # What a person decided has no record: it is told event by event.
        came = f"{last.outcome}. {sentence(count(last.events))}" if last.record else _decided(last.events)
        yield "last", f"line {last.seq}: {when}{came}"
    if is_hosted:
        running = under_way(folder.cache)
        yield "step", "none is under way" if running is None else _running(running)
        yield "waits", _waiting_in_a_host(Backlog(folder.root).entries())
        return
    pending = sum(past.pending is not None for past in pasts.values())
    done = {run for run, past in pasts.items() if past.read or past.unusable >= TRIES}
    with folder.index(in_memory=True) as index:
        failed = [(names, too_long) for names, too_long in index.tried_runs() if names.isdisjoint(done)]
    named = {name for names, _ in failed for name in names}
    tried = sum(not too_long for _, too_long in failed)
    tried += sum(bool(past.tried) and run not in done | named for run, past in pasts.items())
    refused = {
        names_in(event)[0]
        for record in records
        if record.outcome == "refused"
        for event in record.events
        if isinstance(event, RunRead)
    }
    yield (
        "waits",
        _waiting(pending, tried, len(refused - done - named), sum(too_long for _, too_long in failed)),
    )


def _waits(folder: FolderBook) -> Waiting:
    """What waits for a review; of files that do not agree `ace verify` tells."""
    try:
        return folder.waiting()
    except StateError:
        return Waiting()


def _decided(events: Sequence[Event]) -> str:
    more = f", and {len(events) - 1} more (`ace log`)" if len(events) > 1 else ""
    return f"{sentence_of(events[0])}{more}" if events else "nothing changed"


def _rules(folder: FolderBook, path: Path, last: StepRecord | None) -> str:
    data = read_bytes(path)
    if data is None and not folder.is_shared:
        return (
            f"{path} is not there yet"
            if last is None or last.block == digest_in(b"")
            else f"{path} is not there: `ace rebuild` makes its block again"
        )
    try:
        found = digest_in(data or b"")
    except MarkerError as error:
        return f"{path}: {error}"
    if last is None:
        return str(path)
    if found == last.block:
        return f"{path}, with the block that the log ends with"
    if folder.is_shared and folder.may_serve(found, last):
        return (
            f"{path} does not have the block yet: `ace pull` renders it"
            if found == digest_in(b"")
            else f"{path}, with an earlier block of the book: `ace pull` renders the last one"
        )
    return f"{path}: its block is not the one that the log ends with (`ace verify` shows how it differs)"


def _running(running: Running) -> str:
    runs = plural(running.runs, "run")
    return f"number {running.step} is under way since {running.since}, with {runs}: {running.phase}"


def _waiting_in_a_host(entries: Sequence[Entry]) -> str:
    if not entries:
        return "nothing that this folder knows of"
    runs, oldest = plural(len(entries), "run"), entries[0].waiting
    return f"{runs} for the next step that can read them; the oldest, {oldest.run}, since {oldest.since}: {oldest.reason}"


def _waiting(curators: int, tried: int, refused: int, too_long: int) -> str:
    again = [
        f"the Curator of {plural(curators, 'run')}" if curators else "",
        f"{plural(tried, 'run')} that could not be read" if tried else "",
        f"{plural(refused, 'run')} that the check refused" if refused else "",
    ]
    waits = ", ".join(filter(None, again))
    told = [f"{waits}: give `ace learn` the same files again"] if waits else []
    if too_long:
        told.append(
            f"{plural(too_long, 'run')} too long for the model: show less of each (--set max_trace_characters=…), or name another "
            "model"
        )
    return "; ".join(told) or "nothing that this folder knows of"
