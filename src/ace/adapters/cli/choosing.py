"""Which runs a command reads: those in the files that the log has not read already, and which of them come first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ace.adapters.cli.telling import say
from ace.adapters.index import Index, Tried
from ace.adapters.traces import Format, read_traces
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace, is_run
from ace.domain.transcript import fence, transcript
from ace.domain.unread import Past, identities
from ace.events.types import Identity

__all__ = ["Unread", "read_files", "unread"]


class Unread(NamedTuple):
    """A trace of which there is something left to be read, and what the log says of it."""

    trace: Trace
    past: Past


def read_files(paths: Iterable[Path], named: Format | None) -> list[Trace]:
    """The traces of all files, each run once; what is passed over is said. Raises `TraceError`."""
    traces: list[Trace] = []
    runs: dict[Identity, Trace] = {}
    for path in paths:
        reading = read_traces(path, named)
        for flaw in reading.unreadable:
            say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        if not any(map(is_run, reading.traces)):
            say(f"{path} holds no run: nothing in it has a score or ends in a reply")
        for trace in reading.traces:
            names = identities(trace) if is_run(trace) else ()
            earlier = next((runs[name] for name in names if name in runs), None)
            runs.update(dict.fromkeys(names, trace) if earlier is None else {})
            if earlier is None:
                traces.append(trace)
            elif earlier.turns != trace.turns or earlier.score != trace.score:
                say(
                    f"{path}: run {trace.id} is passed over: a file before it has the same run, recorded otherwise."
                )
    return traces


def unread(
    index: Index, traces: Sequence[Trace], settings: ACESettings, model: str, *, again: bool
) -> list[Unread]:
    """The traces of which something is left to be read, or, with `again`, all of them.

    Runs that were tried in vain come last, the one whose last try is the longest ago first: so none of them keeps others
    from being read. A run that was too long for this model is left out until fewer of its characters would be shown.
    """
    if again:
        return [Unread(trace, Past()) for trace in traces]
    found: list[tuple[str, Unread]] = []
    passed = 0
    for trace in traces:
        past, tried = index.past(trace), index.tried(trace)
        if past.settled(trace) is not None:
            passed += 1
        elif tried is None or not _is_too_long_still(tried, trace, past, settings, model):
            found.append((max(past.tried, tried.time if tried else ""), Unread(trace, past)))
    if passed:
        say(
            f"{passed} of {len(traces)} traces are passed over: the log has read them already (--again reads them anew)."
        )
    return [one for _, one in sorted(found, key=lambda timed: timed[0])]


def _is_too_long_still(tried: Tried, trace: Trace, past: Past, settings: ACESettings, model: str) -> bool:
    if not tried.too_long or tried.model != model:
        return False
    if past.pending is not None:
        return len(past.pending.reflection) >= tried.shown
    return len(fence("trace", transcript(trace, settings.max_trace_characters))) >= tried.shown
