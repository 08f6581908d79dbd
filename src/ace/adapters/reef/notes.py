"""What Reef is told of a step, for its page and its commit of the step: the summary and the notes of the step's record.

The method writes both from the events of the step's line. What is not in that line is added here, to the record as well:
what was restored or decided before the step, samples that are damaged, runs that wait or are passed over, scores that were
reported again, and what the evaluation said: in the summary of the step itself and, as long as lessons are not served, in those
that follow.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from ace.adapters.reef.samples import UnreadableSample
from ace.adapters.reef.trials import NOT_TRIED, Outcome, Trial, Verdict
from ace.adapters.reef.unread import Told
from ace.adapters.store.files import read_bytes, write_new
from ace.adapters.store.notes import failure_notes, step_notes
from ace.domain.errors import AceError
from ace.domain.screens import redact
from ace.domain.summary import failure_summary, summary, tell
from ace.events.types import Event
from ace.ports import StepResult

__all__ = ["failed_notes", "proposal_notes", "reason_of_failure", "unread_notes", "verdict_notes"]


class _Told(NamedTuple):
    """A section for the summary, and lines for the notes."""

    section: str = ""
    notes: tuple[str, ...] = ()

    def added_to(self, told: Mapping[str, Any]) -> dict[str, Any]:
        """What Reef is told of the step, with this."""
        return {
            **told,
            "summary": told.get("summary", "") + self.section,
            "notes": [*told.get("notes", ()), *map(json.loads, self.notes)],
        }


class Before(NamedTuple):
    """What a step began with: which lessons were not served, what there is to tell of the log that it found, what could not be
    decided, by its proposal, and what of the block is put back.
    """

    trial: Trial = NOT_TRIED
    log_told: str = ""
    refused: Mapping[str, str] = {}
    foreign: Sequence[str] = ()


def proposal_notes(
    result: StepResult, record: Path, unreadable: Sequence[UnreadableSample], before: Before
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
    decided = _Told(
        _section("Decided before the step", "", map(tell, result.decided)),
        tuple(_event_note(step, event) for event in result.decided),
    )
    found = _Told()
    if before.log_told:
        found = _Told(
            f"\n## The log\n\n{before.log_told}\n", (_note(step, "LogChanged", reason=before.log_told),)
        )
    refused = _Told(
        _section("Not done", "", (f"{name}: {why}" for name, why in before.refused.items())),
        tuple(_note(step, "OrderRefused", id=name, reason=why) for name, why in before.refused.items()),
    )
    put_back = _Told(
        _section("Put back", _EDITED, before.foreign),
        tuple(_note(step, "PutBack", text=line) for line in before.foreign),
    )
    told = before_notes(step, before.trial)
    others = (found, restored, decided, refused, put_back, told, _damaged(step, unreadable))
    _append(record, *others)
    return {
        "outcome": result.record.outcome,
        "summary": summary(result.record, result.remarks) + "".join(one.section for one in others),
        "notes": [
            *map(json.loads, step_notes(result.record, result.remarks).splitlines()),
            *(json.loads(note) for one in others for note in one.notes),
        ],
        **reason,
        **_listed(unreadable),
    }


def reason_of_failure(error: Exception) -> str:
    """Why a step failed, as notes and orders say it; of a bug with its kind."""
    return redact(str(error) if isinstance(error, AceError | OSError) else f"{type(error).__name__}: {error}")


def failed_notes(
    step: int, error: Exception, record: Path, unreadable: Sequence[UnreadableSample]
) -> dict[str, Any]:
    """Of a step that failed and is not tried again. What the step's record lacks is written."""
    reason = reason_of_failure(error)
    told = failure_summary(step, reason, ())
    with suppress(OSError):  # The record may be what failed; Reef's notes hold the same.
        notes = record / "output" / "notes.jsonl"
        if read_bytes(notes) is None:
            write_new(notes, failure_notes(step, reason, ()))
        told = (read_bytes(record / "output" / "summary.md") or told.encode()).decode(errors="replace")
        write_new(record / "output" / "summary.md", told.encode())
    damaged = _damaged(step, unreadable)
    _append(record, damaged)
    return {
        "outcome": "failed",
        "reason": reason,
        "summary": told + damaged.section,
        **_listed(unreadable),
    }


def verdict_notes(verdict: Verdict, trial: Trial, scores: Sequence[str], record: Path | None) -> _Told:
    """What became of a step's candidate, and what is kept since; it is added to the step's record, if there is one."""
    told = _Told(
        f"\n## {_TITLES[verdict.outcome]}\n\n{_sentences(trial, verdict)}\n"
        + ("" if verdict.outcome == "accepted" or not scores else "\n" + _list(scores)),
        (
            _note(
                verdict.step,
                "Verdict",
                level="info" if verdict.outcome == "accepted" else "warning",
                verdict=verdict.outcome,
                reason=verdict.reason,
                lessons=list(verdict.lessons),
                carried=list(trial.carried),
                dropped=list(trial.dropped),
            ),
        ),
    )
    if record is not None:
        _append(record, told)
    return told


_EDITED: Final = (
    "Somebody's proposal had changed the playbook's block, which is made from the log: what follows is undone, and the text around the "
    "block is kept. To change a lesson: `ace remove`, `ace reword` or `ace add` with `--reef`."
)

_TITLES: Final[Mapping[Outcome, str]] = {
    "accepted": "Published",
    "waits for review": "Waits for a review",
    "rejected": "Not published",
    "not evaluated": "Not published",
    "taken back": "Taken back",
}


def _sentences(trial: Trial, verdict: Verdict) -> str:
    lessons = ", ".join(verdict.lessons) or "no new lesson"
    match verdict.outcome:
        case "accepted":
            first = f"Accepted ({verdict.reason}). The new rules bring {lessons}."
        case "waits for review":
            first = (
                f"The new rules wait until a person promotes them ({verdict.reason}). They bring {lessons}."
            )
        case "rejected":
            first = f"Rejected: {verdict.reason}. The rejected rules bring {lessons}."
        case "not evaluated":
            first = f"Not evaluated, time after time: {verdict.reason}. This says nothing of what the rules bring: {lessons}."
        case _:
            first = f"A re-check put back the rules of before: {verdict.reason}. Out of them are {lessons}."
    if trial.dropped:
        first += f" Tried alone and rejected, so removed by the next step: {', '.join(trial.dropped)}."
    if trial.carried:
        first += f" Not served, and carried along by the next candidate: {', '.join(trial.carried)}."
    return first


def before_notes(step: int, trial: Trial) -> _Told:
    """Why the lessons are not served that the step found so: the verdict of the candidate before."""
    verdict = trial.verdict
    if verdict is None or not trial.unserved or verdict.outcome == "accepted":
        return _Told()
    sentence = f"Step {verdict.step} was {_WAS[verdict.outcome]}: {verdict.reason}."
    return _Told(
        _section("Not served when this step began", sentence, trial.unserved),
        (
            _note(
                step,
                "NotServed",
                verdict=verdict.outcome,
                of=verdict.step,
                reason=verdict.reason,
                lessons=list(trial.unserved),
            ),
        ),
    )


_WAS: Final[Mapping[Outcome, str]] = {
    "accepted": "accepted",
    "waits for review": "accepted, and waits for a review",
    "rejected": "rejected",
    "not evaluated": "not evaluated",
    "taken back": "taken back",
}


_OF_RUNS: Final[Mapping[str, tuple[str, str, str]]] = {
    "Waiting": ("waiting", "Waiting", "The next step that can reads these runs:"),
    "PassedOver": (
        "passed over",
        "Passed over",
        "These runs are not read, unless `ace relearn` asks for them:",
    ),
    "Corrected": ("corrected", "Reported again", "The last score counts:"),
    "TooLate": (
        "too late",
        "Reported too late",
        "`ace relearn` reads these runs once more, with the last score:",
    ),
}
"""By the event: the key in Reef's notes, and the heading above the runs in the summary."""


def unread_notes(
    step: int, notes: Mapping[str, Any], record: Path | None, told: Sequence[Told]
) -> dict[str, Any]:
    """The notes of a step, with what is told of runs that it did not read, or not with the score that they had."""
    found, added = dict(notes), []
    for event, (key, title, sentence) in _OF_RUNS.items():
        of_it = [one for one in told if one.event == event]
        if not of_it:
            continue
        section = _section(title, sentence, [f"{one.run}: {one.reason}" for one in of_it])
        lines = tuple(_note(step, event, run=one.run, reason=one.reason) for one in of_it)
        added.append(_Told(section, lines))
        found = {**added[-1].added_to(found), key: [one.run for one in of_it]}
    if record is not None:
        _append(record, *added)
    return found


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
    listed = _list(lines)
    before = f"{sentence}\n\n" if sentence else ""
    return f"\n## {title}\n\n{before}{listed}" if listed else ""


def _event_note(step: int, event: Event) -> str:
    fields = msgspec.to_builtins(event)
    return _note(
        step, type(event).__name__, **{name: fields[name] for name in fields if name not in ("type", "step")}
    )


def _list(lines: Iterable[str]) -> str:
    return "".join(f"- {line}\n" for line in lines)


def _note(step: int, event: str, *, level: str = "warning", **fields: object) -> str:
    """A line as those of the method's notes are."""
    return json.dumps({"step": step, **fields, "event": event, "level": level}) + "\n"


def _append(record: Path, *added: _Told) -> None:
    """Add to the summary and the notes of a record. Reef's notes hold the same: a record that fails loses nothing."""
    section = "".join(told.section for told in added)
    notes = "".join(note for told in added for note in told.notes)
    with suppress(OSError):
        for name, text in (("summary.md", section), ("notes.jsonl", notes)):
            path = record / "output" / name
            if text:
                write_new(path, (read_bytes(path) or b"") + text.encode(errors="replace"))
