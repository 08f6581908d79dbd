"""Which runs a command reads: those in the files that the log has not read already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from ace.adapters.cli.telling import say
from ace.adapters.log import Log
from ace.adapters.traces import read_traces
from ace.domain.trace import Trace
from ace.events.types import RunRead, RunSkipped

__all__ = ["fresh", "read_already", "read_files"]


def read_files(paths: Iterable[Path], named: str | None) -> list[Trace]:
    """The traces of all files, each id once; what is passed over is said. Raises `TraceError`."""
    traces: dict[str, Trace] = {}
    for path in paths:
        reading = read_traces(path, named)  # type: ignore[arg-type]  # the parser admits the formats alone
        for flaw in reading.unreadable:
            say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        for trace in reading.traces:
            if trace.id in traces:
                say(f"{path}: run {trace.id} is passed over: a file before it has a run of that id")
            else:
                traces[trace.id] = trace
    return list(traces.values())


def read_already(log: Log) -> set[str]:
    """The ids of traces that need not be read again. A run whose Reflector was not reached, or that was over a limit,
    and all runs of a refused step, are still to be read.
    """
    return {
        event.trace
        for record in log.records()
        if record.outcome == "committed"
        for event in record.events
        if isinstance(event, RunRead)
        or (isinstance(event, RunSkipped) and event.reason in ("middle of a run", "unusable reply"))
    }


def fresh(log: Log, traces: Sequence[Trace], *, again: bool) -> list[Trace]:
    """The traces that the log has not read, or, with `again`, all of them."""
    known = set() if again else read_already(log)
    unread = [trace for trace in traces if trace.id not in known]
    passed = len(traces) - len(unread)
    if passed:
        say(
            f"{passed} of {len(traces)} traces are passed over: the log has read them already (--again reads them anew)."
        )
    return unread
