"""The whole log as one value that a page can show: every step with its runs, every lesson with its story and evidence.

It holds sentences and numbers, and no rule has to be known to show it: what the playbook was after any step is a look-up in the
lessons' `stands`. Lists that are long are arrays in JSON (`array_like`), in the order of their fields.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec

from ace.domain.evidence import NO_PROOF, Evidence, Gathering, near_cap
from ace.domain.lives import Stand
from ace.domain.summary import count, sentence, shown_events, tell
from ace.domain.waiting import waiting_in
from ace.events.types import (
    Accepted,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Forgotten,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    Removed,
    Reworded,
    RulesRestored,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)

__all__ = [
    "Happened",
    "LessonView",
    "Overview",
    "RunView",
    "SkippedView",
    "StandView",
    "StepView",
    "overview_of",
]


class RunView(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run that was read; `flaw` says why it brought no bullets, where its Curator's reply was not used. `again`: its Curator alone
    was asked, since an earlier line had read it.
    """

    id: str
    score: float | None
    task: str
    insight: str
    flaw: str
    again: bool = False


class SkippedView(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A trace that was passed over, and why."""

    id: str
    reason: str


class Happened(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """An event: what kind it is of, the sentence, the run that it came of and the lesson that it is about, if there are such."""

    kind: str
    text: str
    run: str
    lesson: str


class StepView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A line of the log. `size` is the number of lessons after it, and `waits` says whether something waits for a review then."""

    seq: int
    step: int
    time: str
    record: str
    outcome: str
    reason: str
    told: str
    size: int
    waits: bool
    runs: tuple[RunView, ...]
    skipped: tuple[SkippedView, ...]
    events: tuple[Happened, ...]


class StandView(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """From step `at` on (its place, from 1) the lesson has these counts and this one of its wordings; -1: it is gone."""

    at: int
    helpful: int
    harmful: int
    wording: int


class LessonView(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A lesson. `wordings` are pairs of text and section; `story` are pairs of a step's place, from 1, and an event's in it, from
    0. `near_cap` is its place among those that the cap would take next, 0 if it is none of them. `marked` is the kind of a lesson that
    acts. `waits` says what of it waits for a review: to come `in`to the rules, to go `out` of them, or nothing.
    """

    id: str
    wordings: tuple[tuple[str, str], ...]
    stands: tuple[StandView, ...]
    story: tuple[tuple[int, int], ...]
    evidence: Evidence
    near_cap: int
    marked: str
    waits: str


class Overview(msgspec.Struct, frozen=True, kw_only=True):
    """The log as of `made` (RFC 3339). `runs` were read, and of `known` of them it is known which lessons they had in force."""

    name: str
    made: str
    max_bullets: int
    sections: tuple[str, ...]
    no_proof: str
    runs: int
    known: int
    steps: tuple[StepView, ...]
    lessons: tuple[LessonView, ...]


def overview_of(records: Iterable[StepRecord], *, name: str, made: str, max_bullets: int) -> Overview:
    """The log with these records, which are read once."""
    gathering = Gathering()
    steps: list[StepView] = []
    stories: dict[str, list[tuple[int, int]]] = {}
    sections: tuple[str, ...] = ()
    marked: dict[str, str] = {}
    for at, record in enumerate(records, 1):
        changed, sections = gathering.take(record), record.sections
        step = _step(record, gathering.lives.size)
        steps.append(step)
        marked |= {one.id: one.marked for one in record.events if type(one) is BulletAdded and one.marked}
        for position, (kind, _, _, lesson) in enumerate(map(msgspec.structs.astuple, step.events)):
            if record.outcome == "committed" and kind not in ("ignored", "tag ignored"):
                # A restoration is a chapter of those that it changed.
                for identifier in changed if kind == "restored" else (lesson,):
                    stories.setdefault(identifier, []).append((at, position))
    found, lives = gathering.evidence(), gathering.lives
    left = waiting_in(lives.playbook(), gathering.accepted)
    waits = dict.fromkeys((one.id for one in left.lessons), "in")
    waits |= dict.fromkeys((one.id for one in left.leaving), "out")
    near = {identifier: place for place, identifier in enumerate(near_cap(lives.playbook(), max_bullets), 1)}
    return Overview(
        name=name,
        made=made,
        max_bullets=max_bullets,
        sections=sections,
        no_proof=NO_PROOF,
        runs=found.runs,
        known=found.known,
        steps=tuple(steps),
        lessons=tuple(
            _lesson(
                found.lessons[identifier],
                stands,
                stories.get(identifier, ()),
                near.get(identifier, 0),
                marked.get(identifier, ""),
                waits.get(identifier, ""),
            )
            for identifier, stands in lives.stands.items()
        ),
    )


# What kind an event is of, and which of its fields names the lesson that it is about.
_KINDS: Final[dict[type, tuple[str, str]]] = {
    TagCounted: ("tag", "bullet"),
    TagIgnored: ("tag ignored", "bullet"),
    BulletAdded: ("added", "id"),
    DuplicateRejected: ("duplicate", "bullet"),
    Refused: ("refused", ""),
    OperationIgnored: ("ignored", ""),
    Pruned: ("removed", "id"),
    Capped: ("removed", "id"),
    Removed: ("removed", "id"),
    Reworded: ("reworded", "id"),
    Accepted: ("accepted", "id"),
    Forgotten: ("forgotten", ""),
    PlaybookRestored: ("restored", ""),
    RulesRestored: ("rules", ""),
}


def _step(record: StepRecord, size: int) -> StepView:
    runs: list[RunView] = []
    skipped: list[SkippedView] = []
    events: list[Happened] = []
    for event in shown_events(record):
        if type(event) is RunRead:
            runs.append(_run(event))
        elif type(event) is RunSkipped:
            skipped.append(_skipped(event))
        else:
            kind, field = _KINDS[type(event)]
            lesson = getattr(event, field) if field else ""
            events.append(Happened(kind, tell(event), getattr(event, "trace", ""), lesson))
    return StepView(
        seq=record.seq,
        step=record.step,
        time=record.time,
        record=record.record,
        outcome=record.outcome,
        reason=record.reason,
        told=sentence(count(record.events)),
        size=size,
        waits=bool(record.accepted),
        runs=tuple(runs),
        skipped=tuple(skipped),
        events=tuple(events),
    )


def _run(event: RunRead) -> RunView:
    flaw = "" if event.curation == "used" else f"The Curator's {event.curation}: {event.reason}"
    return RunView(event.trace, event.score, event.task, event.insight, flaw, event.of > 0)


def _skipped(event: RunSkipped) -> SkippedView:
    return SkippedView(event.trace, event.reason + (f" ({event.detail})" if event.detail else ""))


def _lesson(
    evidence: Evidence,
    stands: list[Stand],
    story: Iterable[tuple[int, int]],
    near_cap: int,
    marked: str,
    waits: str,
) -> LessonView:
    wordings: dict[tuple[str, str], int] = {}
    views: list[StandView] = []
    for at, bullet in stands:
        if bullet is None:
            views.append(StandView(at, 0, 0, -1))
        else:
            wording = wordings.setdefault((bullet.content, bullet.section), len(wordings))
            views.append(StandView(at, bullet.helpful, bullet.harmful, wording))
    return LessonView(
        id=evidence.id,
        wordings=tuple(wordings),
        stands=tuple(views),
        story=tuple(story),
        evidence=evidence,
        near_cap=near_cap,
        marked=marked,
        waits=waits,
    )
