"""`ace status`: where a playbook stands, on one screen, without a model."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from ace.adapters.cli.folder import Folder, folder_of
from ace.adapters.cli.telling import tell
from ace.adapters.files import read_bytes
from ace.adapters.index import opened
from ace.adapters.state import SNAPSHOT, read_snapshot
from ace.domain.errors import MarkerError
from ace.domain.playbook import Playbook
from ace.domain.rules import digest_in
from ace.domain.summary import count, plural, sentence
from ace.domain.unread import TRIES, pasts_in
from ace.events.types import StepRecord

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print the state of the folder. Reads without a lock: a step may be under way."""
    folder = folder_of(options)
    for title, told in list(_lines(folder)):
        tell(f"{title:<9} {told}")
    return 0


def _lines(folder: Folder) -> Iterator[tuple[str, str]]:
    playbook = read_snapshot(folder.state / SNAPSHOT) or Playbook()
    yield "folder", str(folder.root)
    yield (
        "playbook",
        f"{plural(len(playbook.bullets), 'bullet')}, the next one is number {playbook.next_number}",
    )
    records = list(folder.log.verified())
    last = records[-1] if records else None
    for path in folder.rules:
        yield "rules", _rules(path, last)
    yield "log", f"{plural(len(records), 'line')}, each as it was written"
    pasts = pasts_in(records)
    read = sum(bool(past.read) for past in pasts.values())
    given_up = sum(past.unusable >= TRIES for past in pasts.values())
    yield (
        "runs",
        f"{read} read" + (f", {given_up} passed over after {TRIES} unusable replies" if given_up else ""),
    )
    if last is not None:
        when = f"{last.time}, " if last.time else ""
        yield "last", f"line {last.seq}: {when}{last.outcome}. {sentence(count(last.events))}"
    pending = {run for run, past in pasts.items() if past.pending is not None}
    done = {run for run, past in pasts.items() if past.read or past.unusable >= TRIES}
    with opened(folder.log, folder.cache, in_memory=True) as index:
        tried = index.tried_runs() | {run for run, past in pasts.items() if past.tried}
    yield "waits", _waiting(len(pending), len(tried - done))


def _rules(path: Path, last: StepRecord | None) -> str:
    data = read_bytes(path)
    if data is None:
        return (
            f"{path} is not there yet"
            if last is None
            else f"{path} is not there: `ace rebuild` makes its block again"
        )
    try:
        found = digest_in(data)
    except MarkerError as error:
        return f"{path}: {error}"
    if last is None:
        return str(path)
    if found == last.block:
        return f"{path}, with the block that the log ends with"
    return f"{path}: its block is not the one that the log ends with"


def _waiting(curators: int, tried: int) -> str:
    told = [
        f"the Curator of {plural(curators, 'run')}" if curators else "",
        f"{plural(tried, 'run')} that could not be read" if tried else "",
    ]
    waits = ", ".join(filter(None, told))
    return f"{waits}: give `ace learn` the same files again" if waits else "nothing that this folder knows of"
