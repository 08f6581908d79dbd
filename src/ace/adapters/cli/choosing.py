"""The runs in the files that a command names; what is passed over or left out is said."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from ace.adapters.cli.output import say
from ace.adapters.traces import Format, Reading, read_traces
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, is_run
from ace.domain.unread import identities
from ace.events.types import Identity

__all__ = ["Files", "read_files"]


class Files(NamedTuple):
    """What the files hold: the traces, each run once; the files of which nothing could be read; how many lines, and parts of
    runs, could not; and the keys at the top of runs that nobody reads, with how often they are there.
    """

    traces: list[Trace]
    unreadable: list[str]
    flaws: int
    unknown_keys: Counter[str]


def read_files(paths: Iterable[Path], named: Format | None) -> Files:
    """Read all files; what is passed over or left out is said. Raises `TraceError` if none of them can be read."""
    traces: list[Trace] = []
    runs: dict[Identity, Trace] = {}
    readings, unreadable = _readings(paths, named)
    for path, reading in readings:
        for trace in reading.traces:
            names = identities(trace) if is_run(trace) else ()
            earlier = next((runs[name] for name in names if name in runs), None)
            if earlier is None:
                traces.append(trace)
                runs.update(dict.fromkeys(names, trace))
            elif earlier.turns != trace.turns or earlier.score != trace.score:
                say(
                    f"{path}: run {trace.id} is passed over: a file before it has the same run, recorded otherwise."
                )
    unknown_keys = Counter[str]()
    for _, reading in readings:
        unknown_keys.update(reading.unknown_keys)
    flaws = sum(
        sum(not flaw.repeated for flaw in (*reading.unreadable, *reading.left_out)) for _, reading in readings
    )
    return Files(traces, unreadable, flaws, unknown_keys)


def _readings(paths: Iterable[Path], named: Format | None) -> tuple[list[tuple[Path, Reading]], list[str]]:
    """What each file holds, and what is to be said of those that hold nothing that can be read."""
    readings: list[tuple[Path, Reading]] = []
    errors: list[TraceError] = []
    for path in paths:
        try:
            reading = read_traces(path, named)
        except TraceError as error:
            errors.append(error)
            continue
        readings.append((path, reading))
        for flaw in reading.unreadable:
            say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        for flaw in reading.left_out:
            say(f"{flaw.file}, line {flaw.line}: {flaw.reason}")
        if not any(map(is_run, reading.traces)):
            say(f"{path} holds no run: nothing in it has a score or ends in a reply")
    if errors and not readings:
        raise errors[0]
    for told in map(str, errors):
        say(f"{told}. The other files are read.")
    return readings, list(map(str, errors))
