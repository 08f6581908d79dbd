"""What a step tells: one record an event in `output/notes.jsonl`, and `output/summary.md` for a person.

Both are computed from the step's events. structlog renders the notes, as JSON lines for machines and in columns for a
terminal. It takes longer to import than a short command takes, so it is loaded when there is a note to render.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, TextIO

import msgspec

from ace.domain.summary import count, shown_events
from ace.events.types import (
    Event,
    OperationIgnored,
    Refused,
    Removed,
    RunRead,
    RunSkipped,
    StepRecord,
    TagIgnored,
)

if TYPE_CHECKING:
    import structlog

__all__ = ["failure_notes", "print_notes", "step_notes", "tell_events"]

_WARNINGS: Final = (Refused, OperationIgnored, TagIgnored, Removed)


def step_notes(record: StepRecord, remarks: Sequence[str] = ()) -> bytes:
    """The notes of a step in the log, as JSON lines: each event with its step, run and outcome, then what has no event, then
    the step itself. A field that has nothing to tell is left out.
    """
    return _lines(record.step, record.outcome, record.reason, shown_events(record), remarks)


def failure_notes(step: int, reason: str, events: Sequence[Event]) -> bytes:
    """The notes of a step that failed as a whole, as JSON lines."""
    return _lines(step, "failed", reason, events)


def print_notes(record: StepRecord, stream: TextIO | None = None) -> None:
    """Show the notes of a step on a terminal (by default the error stream), one line a record."""
    import structlog  # noqa: PLC0415 - see above

    stream = sys.stderr if stream is None else stream
    colors = stream.isatty() and not os.environ.get("NO_COLOR")
    renderer = structlog.dev.ConsoleRenderer(colors=colors, pad_event_to=18)
    _render(stream, renderer, record.step, record.outcome, record.reason, shown_events(record))


def _lines(
    step: int, outcome: str, reason: str, events: Sequence[Event], remarks: Sequence[str] = ()
) -> bytes:
    import structlog  # noqa: PLC0415 - see above

    stream = io.StringIO()
    renderer = structlog.processors.JSONRenderer(serializer=_json)
    _render(stream, renderer, step, outcome, reason, events, remarks)
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
    remarks: Sequence[str] = (),
) -> None:
    import structlog  # noqa: PLC0415 - see above

    log = structlog.wrap_logger(
        structlog.PrintLogger(stream),
        processors=[structlog.processors.add_log_level, renderer],
        wrapper_class=structlog.BoundLogger,
        cache_logger_on_first_use=False,
    ).bind(step=step)
    tell_events(log, outcome, reason, events, remarks)


def tell_events(
    log: Any, outcome: str, reason: str, events: Sequence[Event], remarks: Sequence[str] = ()
) -> None:
    """Tell a step to a structlog logger: each event with its run and outcome, then what has no event, then the step itself."""
    for event in events:
        tell = log.warning if _is_amiss(event) else log.info
        tell(type(event).__name__, outcome=outcome, **dict(_fields(event)))
    for remark in remarks:
        log.warning("Remark", outcome=outcome, text=remark)
    tell = log.info if outcome == "committed" else log.error
    counts = {name: value for name, value in msgspec.structs.asdict(count(events)).items() if value}
    tell("Step", outcome=outcome, **({"reason": reason} if reason else {}), **counts)


_IN_THE_LOG_ALONE: Final = frozenset({"type", "step", "task_digest", "aliases", "reflection", "had"})


def _is_amiss(event: Event) -> bool:
    """Whether something came to nothing that was meant to come to something."""
    if isinstance(event, RunSkipped):
        return event.reason != "middle of a run"
    return isinstance(event, _WARNINGS) or (isinstance(event, RunRead) and event.curation != "used")


def _fields(event: Event) -> Iterator[tuple[str, Any]]:
    """The event's fields under the names of notes: its trace is the `run`, and a step's own number stays the step. What only
    a later step needs of a run (digests, a reflection that is kept) is in the log alone.
    """
    for name, value in msgspec.to_builtins(event).items():
        if name not in _IN_THE_LOG_ALONE:
            yield "run" if name == "trace" else name, value
