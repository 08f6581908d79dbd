"""What a step tells Reef, for the page and the commit of the step: its summary and its notes, as in the step's record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ace.adapters.files import read_bytes, write_new
from ace.adapters.notes import failure_notes, step_notes
from ace.adapters.reef.samples import Unreadable
from ace.domain.errors import AceError
from ace.domain.screens import redact
from ace.domain.summary import failure_summary, summary
from ace.events.types import StepRecord

__all__ = ["failure_report", "report"]


def report(record: StepRecord, unreadable: Sequence[Unreadable]) -> dict[str, Any]:
    """Of a step that is in the log."""
    return {
        "outcome": record.outcome,
        "summary": summary(record),
        "notes": _objects(step_notes(record)),
        **_damaged(unreadable),
    }


def failure_report(
    number: int, error: Exception, folder: Path, traces: Sequence[str], unreadable: Sequence[Unreadable]
) -> dict[str, Any]:
    """Of a step that failed and whose batch is passed over. What the step's record lacks is written."""
    said = str(error) if isinstance(error, AceError | OSError) else f"{type(error).__name__}: {error}"
    reason = redact(said)
    told = failure_summary(number, reason, ())
    with suppress(OSError):  # The record may be what failed; Reef's notes hold the same.
        _complete(folder / "output" / "notes.jsonl", failure_notes(number, reason, ()))
        told = (read_bytes(folder / "output" / "summary.md") or told.encode()).decode()
        write_new(folder / "output" / "summary.md", (told + _passed_over(traces)).encode())
    return {
        "outcome": "failed",
        "reason": reason,
        "summary": told + _passed_over(traces),
        "passed over": list(traces),
        **_damaged(unreadable),
    }


def _passed_over(traces: Sequence[str]) -> str:
    listed = "".join(f"- {trace}\n" for trace in traces)
    return f"\n## Passed over\n\nReef does not bring these runs again:\n\n{listed}" if traces else ""


def _damaged(unreadable: Sequence[Unreadable]) -> dict[str, Any]:
    """The samples that gave no trace, for which the method has no events."""
    return (
        {"unreadable": [{"run": one.trace, "reason": one.reason} for one in unreadable]} if unreadable else {}
    )


def _complete(path: Path, data: bytes) -> None:
    if read_bytes(path) is None:
        write_new(path, data)


def _objects(lines: bytes) -> list[Any]:
    return [json.loads(line) for line in lines.splitlines()]
