"""What a step tells Reef, for the page and the commit of the step: its summary and its notes, as in the step's record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from ace.adapters.reef.samples import Unreadable
from ace.adapters.store.files import read_bytes, write_new
from ace.adapters.store.notes import failure_notes, step_notes
from ace.domain.errors import AceError
from ace.domain.screens import redact
from ace.domain.summary import failure_summary, summary, tell
from ace.domain.trace import Trace
from ace.events.types import Event
from ace.ports import StepResult

__all__ = ["failure_report", "report", "unevaluated"]


def report(result: StepResult, folder: Path, unreadable: Sequence[Unreadable]) -> dict[str, Any]:
    """Of a step that is in the log. What is not in its line is added to the step's record."""
    record = result.record
    added = _restored_section(result) + _damaged_section(unreadable)
    notes = _restored_notes(result) + _damaged_notes(record.step, unreadable)
    _append(folder, added, notes)
    return {
        "outcome": record.outcome,
        "summary": summary(record, result.remarks) + added,
        "notes": _objects(step_notes(record, result.remarks)),
        **({"restored": result.restored.reason} if result.restored else {}),
        **_damaged(unreadable),
    }


def unevaluated(number: int, folder: Path | None, reason: str) -> None:
    """Add to a step's record that its candidate could not be evaluated."""
    if folder is not None:
        told = f"\n## Not published\n\nThe evaluation failed, time after time: {reason}\n"
        _append(folder, told, [_note(number, "EvaluationFailed", reason=reason)])


def failure_report(
    number: int, error: Exception, folder: Path, traces: Sequence[Trace], unreadable: Sequence[Unreadable]
) -> dict[str, Any]:
    """Of a step that failed and whose batch is passed over. What the step's record lacks is written."""
    runs = [trace.id for trace in traces]
    said = str(error) if isinstance(error, AceError | OSError) else f"{type(error).__name__}: {error}"
    reason = redact(said)
    told = failure_summary(number, reason, ())
    with suppress(OSError):  # The record may be what failed; Reef's notes hold the same.
        _complete(folder / "output" / "notes.jsonl", failure_notes(number, reason, ()))
        told = (read_bytes(folder / "output" / "summary.md") or told.encode()).decode(errors="replace")
        write_new(folder / "output" / "summary.md", told.encode())
    added = _passed_over(runs) + _damaged_section(unreadable)
    over = [_note(number, "PassedOver", run=run) for run in runs]
    _append(folder, added, [*over, *_damaged_notes(number, unreadable)])
    return {
        "outcome": "failed",
        "reason": reason,
        "summary": told + added,
        "passed over": runs,
        **_damaged(unreadable),
    }


def _passed_over(runs: Sequence[str]) -> str:
    listed = "".join(f"- {run}\n" for run in runs)
    return f"\n## Passed over\n\nReef does not bring these runs again:\n\n{listed}" if runs else ""


def _restored_section(result: StepResult) -> str:
    if result.restored is None:
        return ""
    events: tuple[Event, ...] = (result.restored, *result.screened)
    told = "".join(f"- {tell(event)}\n" for event in events)
    return f"\n## Restored before the step\n\n{told}"


def _restored_notes(result: StepResult) -> list[str]:
    if result.restored is None:
        return []
    number = result.record.step
    screened = [
        _note(number, "Removed", id=event.id, by=event.by, reason=event.reason) for event in result.screened
    ]
    return [_note(number, "PlaybookRestored", reason=result.restored.reason), *screened]


def _damaged_section(unreadable: Sequence[Unreadable]) -> str:
    listed = "".join(f"- {one.trace}: {one.reason}\n" for one in unreadable)
    return f"\n## Unreadable\n\nOf these runs there is no trace:\n\n{listed}" if unreadable else ""


def _damaged_notes(number: int, unreadable: Sequence[Unreadable]) -> list[str]:
    return [_note(number, "Unreadable", run=one.trace, reason=one.reason) for one in unreadable]


def _damaged(unreadable: Sequence[Unreadable]) -> dict[str, Any]:
    """The samples that gave no trace, for which the method has no events."""
    return (
        {"unreadable": [{"run": one.trace, "reason": one.reason} for one in unreadable]} if unreadable else {}
    )


def _note(number: int, event: str, **fields: str) -> str:
    """A line as those of the method's notes are."""
    return json.dumps({"step": number, **fields, "event": event, "level": "warning"}) + "\n"


def _append(folder: Path, section: str, notes: Sequence[str]) -> None:
    """Add to the summary and the notes of a record. Reef's notes hold the same: a record that fails loses nothing."""
    with suppress(OSError):
        for name, text in (("summary.md", section), ("notes.jsonl", "".join(notes))):
            path = folder / "output" / name
            if text:
                write_new(path, (read_bytes(path) or b"") + text.encode(errors="replace"))


def _complete(path: Path, data: bytes) -> None:
    if read_bytes(path) is None:
        write_new(path, data)


def _objects(lines: bytes) -> list[Any]:
    return [json.loads(line) for line in lines.splitlines()]
