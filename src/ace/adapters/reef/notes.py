"""What Reef is told of a step, for its page and its commit of the step: the summary and the notes of the step's record.

The method writes both from the events of the step's line. What is not in that line is added here, to the record as well:
what was restored before the step, samples that are damaged, runs that are passed over, an evaluation that failed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ace.adapters.reef.samples import UnreadableSample
from ace.adapters.store.files import read_bytes, write_new
from ace.adapters.store.notes import failure_notes, step_notes
from ace.domain.errors import AceError
from ace.domain.screens import redact
from ace.domain.summary import failure_summary, summary, tell
from ace.domain.trace import Trace
from ace.events.types import Event
from ace.ports import StepResult

__all__ = ["failed_notes", "note_failed_evaluation", "proposal_notes"]


class _Told(NamedTuple):
    """A section for the summary, and lines for the notes."""

    section: str = ""
    notes: tuple[str, ...] = ()


def proposal_notes(
    result: StepResult, record: Path, unreadable: Sequence[UnreadableSample]
) -> dict[str, Any]:
    """Of a step that is in the log, with its record in this folder."""
    step = result.record.step
    restored, reason = _Told(), {}
    if result.restored is not None:
        reason = {"restored": result.restored.reason}
        removed = [
            _note(step, "Removed", id=event.id, by=event.by, reason=event.reason) for event in result.screened
        ]
        events: tuple[Event, ...] = (result.restored, *result.screened)
        restored = _Told(
            _section("Restored before the step", "", map(tell, events)),
            (_note(step, "PlaybookRestored", reason=result.restored.reason), *removed),
        )
    damaged = _damaged(step, unreadable)
    _append(record, restored, damaged)
    return {
        "outcome": result.record.outcome,
        "summary": summary(result.record, result.remarks) + restored.section + damaged.section,
        "notes": [json.loads(line) for line in step_notes(result.record, result.remarks).splitlines()],
        **reason,
        **_listed(unreadable),
    }


def failed_notes(
    step: int, error: Exception, record: Path, traces: Sequence[Trace], unreadable: Sequence[UnreadableSample]
) -> dict[str, Any]:
    """Of a step that failed and whose batch is passed over. What the step's record lacks is written."""
    runs = [trace.id for trace in traces]
    said = str(error) if isinstance(error, AceError | OSError) else f"{type(error).__name__}: {error}"
    reason = redact(said)
    told = failure_summary(step, reason, ())
    with suppress(OSError):  # The record may be what failed; Reef's notes hold the same.
        notes = record / "output" / "notes.jsonl"
        if read_bytes(notes) is None:
            write_new(notes, failure_notes(step, reason, ()))
        told = (read_bytes(record / "output" / "summary.md") or told.encode()).decode(errors="replace")
        write_new(record / "output" / "summary.md", told.encode())
    passed_over = _Told(
        _section("Passed over", "Reef does not bring these runs again:", runs),
        tuple(_note(step, "PassedOver", run=run) for run in runs),
    )
    damaged = _damaged(step, unreadable)
    _append(record, passed_over, damaged)
    return {
        "outcome": "failed",
        "reason": reason,
        "summary": told + passed_over.section + damaged.section,
        "passed over": runs,
        **_listed(unreadable),
    }


def note_failed_evaluation(step: int, record: Path, reason: str) -> None:
    """Add to a step's record that its candidate could not be evaluated."""
    section = f"\n## Not published\n\nThe evaluation failed, time after time: {reason}\n"
    _append(record, _Told(section, (_note(step, "EvaluationFailed", reason=reason),)))


def _damaged(step: int, unreadable: Sequence[UnreadableSample]) -> _Told:
    """The samples that gave no trace, for which the method has no events."""
    return _Told(
        _section(
            "Unreadable",
            "Of these runs there is no trace:",
            [f"{one.trace}: {one.reason}" for one in unreadable],
        ),
        tuple(_note(step, "Unreadable", run=one.trace, reason=one.reason) for one in unreadable),
    )


def _listed(unreadable: Sequence[UnreadableSample]) -> dict[str, Any]:
    runs = [{"run": one.trace, "reason": one.reason} for one in unreadable]
    return {"unreadable": runs} if runs else {}


def _section(title: str, sentence: str, lines: Iterable[str]) -> str:
    listed = "".join(f"- {line}\n" for line in lines)
    before = f"{sentence}\n\n" if sentence else ""
    return f"\n## {title}\n\n{before}{listed}" if listed else ""


def _note(step: int, event: str, **fields: str) -> str:
    """A line as those of the method's notes are."""
    return json.dumps({"step": step, **fields, "event": event, "level": "warning"}) + "\n"


def _append(record: Path, *added: _Told) -> None:
    """Add to the summary and the notes of a record. Reef's notes hold the same: a record that fails loses nothing."""
    section = "".join(told.section for told in added)
    notes = "".join(note for told in added for note in told.notes)
    with suppress(OSError):
        for name, text in (("summary.md", section), ("notes.jsonl", notes)):
            path = record / "output" / name
            if text:
                write_new(path, (read_bytes(path) or b"") + text.encode(errors="replace"))
