"""Which runs a command reads: those in the files that the log has not read already."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec

from ace.adapters.cli.telling import say
from ace.adapters.log import Log
from ace.adapters.traces import Format, read_traces
from ace.domain.screens import excerpt
from ace.domain.trace import Trace, is_run, task_of
from ace.events.types import RunRead, RunSkipped

__all__ = ["fresh", "read_already", "read_files"]


def read_files(paths: Iterable[Path], named: Format | None) -> list[Trace]:
    """The traces of all files, each id once; what is passed over is said. Raises `TraceError`."""
    traces: dict[str, Trace] = {}
    for path in paths:
        reading = read_traces(path, named)
        for flaw in reading.unreadable:
            say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        if not any(map(is_run, reading.traces)):
            say(f"{path} holds no run: nothing in it has a score or ends in a reply")
        for trace in reading.traces:
            if traces.setdefault(trace.id, trace) != trace:
                say(
                    f"{path}: run {trace.id} is passed over: a file before it has another run of that id. Rename one"
                )
    return list(traces.values())


class _Known(msgspec.Struct, frozen=True):
    """What the log has read: runs by id to the excerpts of their tasks, and ids of which no task is known."""

    tasks: dict[str, set[str]]
    unusable: set[str]
    middle: set[str]

    def holds(self, trace: Trace) -> bool:
        if trace.id in self.unusable or (trace.id in self.middle and not is_run(trace)):
            return True
        return excerpt(task_of(trace)) in self.tasks.get(trace.id, ())

    def renamed(self, trace: Trace) -> bool:
        """Whether another run of that id was read."""
        return trace.id in self.tasks and not self.holds(trace)


def read_already(log: Log) -> _Known:
    """What need not be read again. A run whose Reflector was not reached, or that was over a limit, and all runs of a
    refused step, are still to be read; so is the rest of a run of which only a call in the middle was seen.
    """
    known = _Known({}, set(), set())
    for record in log.records():
        for event in record.events if record.outcome == "committed" else ():
            if isinstance(event, RunRead):
                known.tasks.setdefault(event.trace, set()).add(event.task)
            elif isinstance(event, RunSkipped) and event.reason == "unusable reply":
                known.unusable.add(event.trace)
            elif isinstance(event, RunSkipped) and event.reason == "middle of a run":
                known.middle.add(event.trace)
    return known


def fresh(log: Log, traces: Sequence[Trace], *, again: bool) -> list[Trace]:
    """The traces that the log has not read, or, with `again`, all of them."""
    if again:
        return list(traces)
    known = read_already(log)
    unread = [trace for trace in traces if not known.holds(trace)]
    for trace in filter(known.renamed, unread):
        say(f"run {trace.id} is read, though the log has read a run of that id: that one had another task.")
    if passed := len(traces) - len(unread):
        say(
            f"{passed} of {len(traces)} traces are passed over: the log has read them already (--again reads them anew)."
        )
    return unread
