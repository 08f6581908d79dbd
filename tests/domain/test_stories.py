"""The life of a lesson: what the chapters say of it, and that they end where the fold ends."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.domain.given import SECTION, bullet
from tests.domain.strategies import records

from ace.domain.playbook import Playbook, fold_records
from ace.domain.stories import Story, readings_of, story_of
from ace.events.types import (
    BulletAdded,
    DuplicateRejected,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
)


def line(seq: int, *events: Event, outcome: Any = "committed", reason: str = "") -> StepRecord:
    """A line of the log with these events."""
    return StepRecord(
        v=2,
        seq=seq,
        prev="",
        step=seq,
        record=f"{seq:05d}",
        outcome=outcome,
        sections=(SECTION,),
        next_number=1,
        playbook="",
        block="",
        served="",
        events=events,
        reason=reason,
        time=f"2026-12-0{seq}T08:00:00.000Z",
    )


def read(trace: str, task: str = "Do it.", **more: Any) -> RunRead:
    """A run that was read."""
    return RunRead(trace, 1.0, task, f"Insight of {trace}.", "used", **more)


TAUGHT = line(1, read("a"), BulletAdded("a", 0, "ace-00001", SECTION, "Look first.", 1))
LIFE = [
    TAUGHT,
    line(
        2,
        TagCounted("b", 0, "ace-00001", "helpful"),
        read("b", task_digest="1"),
        TagCounted("c", 0, "ace-00001", "harmful"),
        read("c", task_digest="2"),
        DuplicateRejected("c", 1, "ace-00001", 0),
    ),
    line(3, Reworded("ace-00001", "Look first.", "Look twice.", "person", "clearer"), reason="clearer"),
    line(4, TagCounted("d", 0, "ace-00001", "helpful"), read("d", task_digest="1")),
    line(5, Removed("ace-00001", SECTION, "Look twice.", 2, 1, "person", "wrong"), reason="wrong"),
]


def test_the_life_of_a_lesson() -> None:
    """Each chapter names its line, its run and what the lesson is after it."""
    story = story_of(LIFE, "ace-00001")
    assert [(one.seq, type(one.event), one.run and one.run.trace) for one in story.chapters] == [
        (1, BulletAdded, "a"),
        (2, TagCounted, "b"),
        (2, TagCounted, "c"),
        (2, DuplicateRejected, "c"),
        (3, Reworded, None),
        (4, TagCounted, "d"),
        (5, Removed, None),
    ]
    assert not story.is_there
    assert story.lesson == bullet(1, "Look twice.", helpful=2, harmful=1)
    assert [one.why for one in story.chapters][-1] == "wrong"


def test_tags_of_one_task_are_one_witness() -> None:
    """Three tags from runs of two tasks."""
    story = story_of(LIFE, "ace-00001")
    assert len(story.tags) == 3
    assert story.tasks == 2


def test_a_lesson_that_the_log_does_not_know() -> None:
    """It has no chapter and no text."""
    assert story_of(LIFE, "ace-00002") == Story("ace-00002", ())
    assert story_of(LIFE, "ace-00002").lesson is None


def test_a_restoration_is_a_chapter_if_it_changes_the_lesson() -> None:
    """One that leaves it as it is, is not about it; one that takes it away, or brings it back, is."""
    same = line(2, PlaybookRestored("adopted", 2, (bullet(1, "Look first."),)))
    gone = line(3, PlaybookRestored("rewound to 0", 2, ()))
    back = line(4, PlaybookRestored("reverted 3", 2, (bullet(1, "Look first.", helpful=1),)))
    story = story_of([TAUGHT, same, gone, back], "ace-00001")
    assert [one.seq for one in story.chapters] == [1, 3, 4]
    assert story.is_there


def test_a_refused_step_is_in_no_story() -> None:
    """What the check refused did not happen."""
    refused = line(2, Pruned("ace-00001", SECTION, "Look first.", 0, 2), outcome="refused", reason="no")
    assert len(story_of([TAUGHT, refused], "ace-00001").chapters) == 1


@given(st.lists(records, max_size=4))
def test_a_story_ends_where_the_fold_ends(log: list[StepRecord]) -> None:
    """For every log, and every lesson that it speaks of."""
    playbook = {one.id: one for one in fold_records(Playbook(), log).bullets}
    named = {
        identifier
        for record in log
        for event in record.events
        for identifier in (getattr(event, "id", None), getattr(event, "bullet", None), *playbook)
        if identifier is not None
    }
    for identifier in named:
        story = story_of(log, identifier)
        now = story.chapters[-1].after if story.chapters else None
        assert now == playbook.get(identifier)
        assert story.is_there == (identifier in playbook)


# --- runs -----------------------------------------------------------------------------------------------------------


def test_what_a_run_taught() -> None:
    """Its lines, each with the events that came of it, and of no other run."""
    (reading,) = readings_of(LIFE, "c")
    assert reading.seq == 2
    assert reading.run == read("c", task_digest="2")
    assert [type(one) for one in reading.events] == [TagCounted, DuplicateRejected]


def test_a_run_by_its_alias_and_a_run_that_was_skipped() -> None:
    """An alias names the same run; what was tried without success is told, too, and what the check refused."""
    first = line(1, RunSkipped("a", "failed call", "time-out"))
    second = line(2, read("a", aliases=(("old-a", ""),)), outcome="refused", reason="no")
    assert [(one.seq, one.outcome) for one in readings_of([first, second], "a")] == [
        (1, "committed"),
        (2, "refused"),
    ]
    assert [one.seq for one in readings_of([first, second], "old-a")] == [2]
    assert not list(readings_of(LIFE, "z"))
