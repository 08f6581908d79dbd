"""The log as a page shows it: nothing of a step is left out, and each lesson's story is the one that `stories` tells."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.domain.strategies import records
from tests.domain.test_evidence import added, line, read

from ace.domain.overview import Happened, Overview, RunView, SkippedView, StandView, overview_of
from ace.domain.playbook import Playbook, fold_records
from ace.domain.stories import story_of
from ace.domain.summary import tell
from ace.events.types import (
    Accepted,
    Capped,
    PlaybookRestored,
    Refused,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
)


def overview(*log: StepRecord, max_bullets: int = 100) -> Overview:
    """The overview of a log."""
    return overview_of(log, name="project", made="now", max_bullets=max_bullets)


def test_a_step_with_its_runs_and_what_was_passed_over() -> None:
    """Runs, passed-over traces and events are apart, each with its words."""
    (step,) = overview(
        line(
            1,
            added(1, "Look."),
            Refused("a", 1, "a credential"),
            read("a", 0.5),
            RunRead("b", None, "T", "I", "failed call", "time-out"),
            RunSkipped("c", "unusable reply", "no JSON"),
        )
    ).steps
    assert step.runs == (
        RunView("a", 0.5, "Do it.", "", ""),
        RunView("b", None, "T", "I", "The Curator's failed call: time-out"),
    )
    assert step.skipped == (SkippedView("c", "unusable reply (no JSON)"),)
    assert [one.kind for one in step.events] == ["added", "refused"]
    assert step.events[1] == Happened("refused", "operation 2 of a: a credential", "a", "")
    assert (step.size, step.told) == (1, "2 runs read, 1 trace skipped; 1 added, 1 refused")


def test_what_a_refused_step_would_have_added_has_no_id() -> None:
    """Its ids are given to others later: the page calls them new, and links to no lesson."""
    view = overview(line(1, added(1, "Look."), outcome="refused"))
    assert view.steps[0].events[0].lesson == "new-1"
    assert view.lessons == ()


def test_a_lesson_s_stands_and_place_before_the_cap() -> None:
    """Its counts after each step that changed it, and which of the lessons would leave first."""
    view = overview(
        line(1, added(1, "Look."), added(2, "Think.")),
        line(2, TagCounted("a", 0, "ace-00001", "helpful"), read("a")),
        max_bullets=2,
    )
    first, second = view.lessons
    assert first.stands == (StandView(1, 0, 0, 0), StandView(2, 1, 0, 0))
    assert (first.story, first.near_cap, second.near_cap) == (((1, 0), (2, 0)), 0, 1)


def waits(record: StepRecord) -> StepRecord:
    """The line, as one after which something waits for a review."""
    return replace(record, v=2, accepted="0" * 64)


def test_what_waits_for_a_review() -> None:
    """Steps behind which something waits say so; a lesson that the rules do not show yet, and one that they still show, too."""
    first = line(1, added(1, "Look."), added(2, "Think."))
    learned = waits(line(2, added(3, "Ask."), Capped("ace-00001", "Others", "Look.", 0, 0)))
    view = overview(first, learned, waits(line(3, Accepted("ace-00003", "Ask."))))
    assert [step.waits for step in view.steps] == [False, True, True]
    assert {one.id: one.waits for one in view.lessons} == {
        "ace-00001": "out",
        "ace-00002": "",
        "ace-00003": "",
    }
    assert {one.id: one.waits for one in overview(first, learned).lessons}["ace-00003"] == "in"
    view = overview(first, learned, line(3, Accepted("ace-00003", "Ask.")))
    assert not any(one.waits for one in view.lessons)


@given(st.lists(records, max_size=5))
def test_everything_of_the_log_is_there(log: list[StepRecord]) -> None:
    """For every log: each event once, every lesson as the fold has it, every story as `stories` tells it."""
    view = overview(*log)
    for place, (record, step) in enumerate(zip(log, view.steps, strict=True), 1):
        assert len(step.events) + len(step.runs) + len(step.skipped) == len(record.events)
        assert step.size == len(fold_records(Playbook(), log[:place]).bullets)
    here = {one.id: one for one in fold_records(Playbook(), log).bullets}
    assert {one.id for one in view.lessons if one.stands[-1].wording >= 0} == set(here)
    for lesson in view.lessons:
        last = lesson.stands[-1]
        if last.wording >= 0:
            one = here[lesson.id]
            assert lesson.wordings[last.wording] == (one.content, one.section)
            assert (last.helpful, last.harmful) == (one.helpful, one.harmful)
        events = [view.steps[place - 1].events[position] for place, position in lesson.story]
        chapters = [one.event for one in story_of(log, lesson.id).chapters]
        # Which of several restorations in one line changed a lesson, `stories` alone tells.
        told = [tell(event) for event in chapters if not isinstance(event, PlaybookRestored)]
        # An event that is about no lesson has an empty id, which no lesson of a real log has.
        assert lesson.id == "" or [one.text for one in events if one.kind != "restored"] == told
