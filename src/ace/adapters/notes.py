"""What a step tells: one record an event in `output/notes.jsonl`, and `output/summary.md` for a person.

Both are computed from the step's events. structlog renders the notes, as JSON lines for machines and in columns for a
terminal; it is imported here, so that only commands that tell notes load it.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from typing import Any, Final, TextIO

import msgspec
import structlog

from ace.domain.summary import count
from ace.events.types import Event, OperationIgnored, Refused, RunRead, RunSkipped, StepRecord, TagIgnored

__all__ = ["failure_notes", "print_notes", "step_notes"]

_WARNINGS: Final = (Refused, OperationIgnored, TagIgnored)


def step_notes(record: StepRecord) -> bytes:
    """The notes of a step in the log, as JSON lines: each event with its step, run and outcome, then the step itself."""
    return _lines(record.step, record.outcome, record.reason, record.events)


def failure_notes(step: int, reason: str, events: Sequence[Event]) -> bytes:
    """The notes of a step that failed as a whole, as JSON lines."""
    return _lines(step, "failed", reason, events)


def print_notes(record: StepRecord, stream: TextIO | None = None) -> None:
    """Show the notes of a step on a terminal (by default the error stream), one line a record."""
    stream = sys.stderr if stream is None else stream
    renderer = structlog.dev.ConsoleRenderer(colors=stream.isatty(), pad_event_to=18)
    _render(stream, renderer, record.step, record.outcome, record.reason, record.events)


def _lines(step: int, outcome: str, reason: str, events: Sequence[Event]) -> bytes:
    stream = io.StringIO()
    renderer = structlog.processors.JSONRenderer(serializer=_json)
    _render(stream, renderer, step, outcome, reason, events)
    return stream.getvalue().encode()


def _json(value: Any, **_: Any) -> str:
    return msgspec.json.encode(value).decode()


def _render(
    stream: TextIO,
    renderer: structlog.typing.Processor,
    step: int,
    outcome: str,
    reason: str,
    events: Sequence[Event],
) -> None:
    log = structlog.wrap_logger(
        structlog.PrintLogger(stream),
        processors=[structlog.processors.add_log_level, renderer],
        wrapper_class=structlog.BoundLogger,
        cache_logger_on_first_use=False,
    ).bind(step=step)
    for event in events:
        tell = log.warning if _is_amiss(event) else log.info
        tell(type(event).__name__, outcome=outcome, **dict(_fields(event)))
    tell = log.info if outcome == "committed" else log.error
    counts = {name: value for name, value in msgspec.structs.asdict(count(events)).items() if value}
    tell("Step", outcome=outcome, **({"reason": reason} if reason else {}), **counts)


def _is_amiss(event: Event) -> bool:
    """Whether something came to nothing that was meant to come to something."""
    if isinstance(event, RunSkipped):
        return event.reason != "middle of a run"
    return isinstance(event, _WARNINGS) or (isinstance(event, RunRead) and event.curation != "used")


def _fields(event: Event) -> Iterator[tuple[str, Any]]:
    """The event's fields under the names of notes: its trace is the `run`, and a step's own number stays the step."""
    for name, value in msgspec.to_builtins(event).items():
        if name not in ("type", "step"):
            yield "run" if name == "trace" else name, value
