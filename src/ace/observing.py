"""What happens, told as it happens through the process's own structlog: whoever runs this configures where it goes.

    ModelCall       a call that ended: role, run, seconds, tokens, outcome; no word of prompt or reply
    <event type>    an event of a step that is in the log, with step, run and outcome; it holds excerpts of the run
    Step            the step itself, with its counts
    Remark          a sentence about a step that has no event, such as a prompt that the server cut
    …               what is told of runs that no step has: passed over, a line that cannot be read, a failed evaluation

structlog takes longer to import than a short command takes, so it is loaded when there is something to tell.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Literal

import msgspec

from ace.adapters.models import RecordedCall
from ace.adapters.store.notes import tell_events
from ace.domain.summary import shown_events
from ace.events.types import Event, StepRecord

__all__ = ["LogFormat", "log_call", "log_failure", "log_note", "log_step", "to_error_stream"]

type LogFormat = Literal["json", "console"]


def log_step(record: StepRecord, remarks: Sequence[str] = ()) -> None:
    """Tell a step that is in the log. Raises nothing, as all of these: whoever listens must not end a step that was paid for."""
    with suppress(Exception):
        tell_events(_logger(step=record.step), record.outcome, record.reason, shown_events(record), remarks)


def log_failure(step: int, reason: str, events: Sequence[Event]) -> None:
    """Tell a step that failed as a whole."""
    with suppress(Exception):
        tell_events(_logger(step=step), "failed", reason, events)


def log_call(step: int, call: RecordedCall) -> None:
    """Tell a model call that ended."""
    tokens = {} if call.usage is None else msgspec.structs.asdict(call.usage)
    with suppress(Exception):
        log = _logger(
            step=step, role=call.role, run=call.trace, seconds=call.seconds, model=call.model, **tokens
        )
        if call.error is None:
            log.info("ModelCall", outcome="answered")
        else:
            log.warning("ModelCall", outcome="failed", reason=call.error)


def log_note(event: str, **fields: Any) -> None:
    """Tell what has no event."""
    with suppress(Exception):
        _logger(**fields).warning(event)


def _logger(**fields: Any) -> Any:
    import structlog  # noqa: PLC0415 - see above

    return structlog.get_logger("ace").bind(**fields)


def to_error_stream(kind: LogFormat) -> None:
    """Configure structlog for this process: one line each to the error stream, with the time in UTC, as JSON or in columns."""
    import structlog  # noqa: PLC0415 - see above

    renderer: Any = (
        structlog.processors.JSONRenderer(serializer=_json)
        if kind == "json"
        else structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), pad_event_to=18)
    )
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
            renderer,
        ],
        wrapper_class=structlog.BoundLogger,
        logger_factory=_to_stderr,
        cache_logger_on_first_use=False,
    )


def _to_stderr(*_: Any) -> Any:
    import structlog  # noqa: PLC0415 - see above

    return structlog.PrintLogger(sys.stderr)  # the one of this moment: a caller may have replaced it


def _json(value: Any, **_: Any) -> str:
    return msgspec.json.encode(value).decode()
