"""The life of a lesson, and what a run taught, as the log tells them: pure views of records.

    story_of(records, "ace-00012")   who taught it, its tags with their runs, the duplicates that it absorbed, who removed or
                                     reworded it and why; one chapter for each
    readings_of(records, "run-7")    what became of a run, line by line

What a refused step holds did not happen, and is in no story.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

import msgspec

from ace.domain.playbook import Playbook, evolve
from ace.domain.unread import id_digest, names_in
from ace.events.types import (
    Accepted,
    Bullet,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    Removed,
    Reworded,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)

__all__ = ["Chapter", "Life", "Reading", "Story", "readings_of", "stories_of", "story_of"]


class Chapter(msgspec.Struct, frozen=True, kw_only=True):
    """One thing that happened to a lesson.

    `seq`, `step`, `record` and `time` are the line's that tells it (`record` and `time` may be empty), and `why` is what a
    person gave as the reason of that line. `run` is the run that the event came from, as the line tells it, if one is.
    `after` is the lesson after the event, None once it is gone.
    """

    seq: int
    step: int
    record: str
    time: str
    why: str
    event: Event
    run: RunRead | None
    after: Bullet | None


class Story(msgspec.Struct, frozen=True):
    """The life of the lesson `id`, oldest chapter first. Without chapters the log does not know it."""

    id: str
    chapters: tuple[Chapter, ...]

    @property
    def is_there(self) -> bool:
        """Whether the playbook holds the lesson now."""
        return bool(self.chapters) and self.chapters[-1].after is not None

    @property
    def lesson(self) -> Bullet | None:
        """The lesson as it is or, once it is gone, as it last was; None if the log does not know it."""
        lived = (one.after for one in reversed(self.chapters) if one.after is not None)
        return next(lived, None)

    @property
    def tags(self) -> tuple[Chapter, ...]:
        """The chapters in which a run found the lesson helpful or harmful."""
        return tuple(
            one for one in self.chapters if isinstance(one.event, TagCounted) and one.event.tag != "neutral"
        )

    @property
    def tasks(self) -> int:
        """From how many different tasks the tags come: runs of one task confirm each other's lesson."""
        return len({_task_of(one) for one in self.tags})


def _task_of(chapter: Chapter) -> str:
    """What tells the run's task from others: its digest, or the excerpt that lines of 0.1.0 have alone."""
    if chapter.run is not None:
        return chapter.run.task_digest or chapter.run.task
    return chapter.event.trace if isinstance(chapter.event, TagCounted) else ""


def story_of(records: Iterable[StepRecord], identifier: str) -> Story:
    """The life of a bullet, also of one that is no longer there."""
    life = Life(identifier)
    return Story(identifier, tuple(chapter for record in records for chapter in life.take(record)))


def stories_of(records: Iterable[StepRecord], identifiers: Iterable[str]) -> dict[str, Story]:
    """The lives of these bullets; the records are read once."""
    wanted = tuple(dict.fromkeys(identifiers))
    about = [record for record in records if any(map(_may_be_about(frozenset(wanted)), record.applied))]
    return {identifier: story_of(about, identifier) for identifier in wanted}


def _may_be_about(identifiers: frozenset[str]) -> Callable[[Event], bool]:
    def may(event: Event) -> bool:
        named = getattr(event, "id", "") or getattr(event, "bullet", "")
        return named in identifiers or isinstance(event, PlaybookRestored)

    return may


class Life:
    """The life of a bullet, while the log goes by."""

    def __init__(self, identifier: str) -> None:
        self._id = identifier
        self._lesson: Bullet | None = None

    def take(self, record: StepRecord) -> Iterator[Chapter]:
        """What the next line tells of it."""
        runs: Mapping[str, RunRead] | None = None
        for event in record.applied:
            if not _is_about(event, self._id, self._lesson):
                continue
            self._lesson = _after(self._lesson, event, self._id)
            if runs is None:  # few lines are about one lesson
                runs = {one.trace: one for one in record.events if isinstance(one, RunRead)}
            yield Chapter(
                seq=record.seq,
                step=record.step,
                record=record.record,
                time=record.time,
                why=record.reason,
                event=event,
                run=runs.get(getattr(event, "trace", "")),
                after=self._lesson,
            )


def _is_about(event: Event, identifier: str, lesson: Bullet | None) -> bool:
    match event:
        case TagCounted() | DuplicateRejected():
            return event.bullet == identifier
        case BulletAdded() | Pruned() | Capped() | Removed() | Reworded() | Accepted():
            return event.id == identifier
        case PlaybookRestored():
            # One that leaves the lesson as it is, does not belong to its life.
            return _after(lesson, event, identifier) != lesson
        case _:
            return False


def _after(lesson: Bullet | None, event: Event, identifier: str) -> Bullet | None:
    """The lesson after an event: what the fold makes of a playbook that holds no other."""
    playbook = evolve(Playbook(bullets=() if lesson is None else (lesson,)), event)
    return next((one for one in playbook.bullets if one.id == identifier), None)


# --- runs -----------------------------------------------------------------------------------------------------------


class Reading(msgspec.Struct, frozen=True, kw_only=True):
    """What one line of the log says of a run: the run as it was read or skipped, and the events that came of it, in order.
    `outcome` is the line's: what a refused step decided did not take effect.
    """

    seq: int
    step: int
    record: str
    time: str
    outcome: str
    run: RunRead | RunSkipped
    events: tuple[Event, ...]


def readings_of(records: Iterable[StepRecord], run: str) -> Iterator[Reading]:
    """What became of the run with this id, or with this alias, oldest first. Two runs may have one id and different tasks: both
    are told.
    """
    wanted = id_digest(run)
    for record in records:
        for said in record.events:
            if not isinstance(said, RunRead | RunSkipped):
                continue
            if all(name != wanted for name, _ in names_in(said)):
                continue
            came = tuple(
                event for event in record.events if isinstance(event, _OF_A_RUN) and event.trace == said.trace
            )
            yield Reading(
                seq=record.seq,
                step=record.step,
                record=record.record,
                time=record.time,
                outcome=record.outcome,
                run=said,
                events=came,
            )


_OF_A_RUN = (TagCounted, TagIgnored, BulletAdded, DuplicateRejected, Refused, OperationIgnored)
