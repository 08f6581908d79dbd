"""The evidence beside a lesson's counts: the runs that had it in force and those that had not, its tasks, age and last use."""

from __future__ import annotations

from fractions import Fraction

import msgspec
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.given import SECTION, bullet
from tests.domain.strategies import playbooks, records

from ace.domain.decide import refine
from ace.domain.evidence import Evidence, Moment, Runs, evidence_in, near_cap
from ace.domain.playbook import Draft, Playbook, fold_records, key_of
from ace.domain.rules_block import block, digest_in
from ace.domain.settings import ACESettings
from ace.domain.waiting import folds_of
from ace.events.types import (
    BulletAdded,
    Event,
    Outcome,
    PlaybookRestored,
    Removed,
    Reworded,
    RunRead,
    StepRecord,
    TagCounted,
)

EMPTY = digest_in(block(Playbook(), ()).encode())


def line(seq: int, *events: Event, block: str = "", outcome: Outcome = "committed") -> StepRecord:
    """A line of the log with these events; `block` names the block after it."""
    return StepRecord(
        v=2,
        seq=seq,
        prev="",
        step=seq,
        record="",
        outcome=outcome,
        sections=(SECTION,),
        next_number=1,
        playbook="",
        block=block,
        served="",
        events=events,
        time=f"day {seq}",
    )


def read(trace: str, score: float | None = None, *, had: str = "", task: str = "", of: int = 0) -> RunRead:
    """A run that was read."""
    return RunRead(trace, score, "Do it.", "", "used", task_digest=task or trace, of=of, had=had)


def added(number: int, content: str) -> BulletAdded:
    """An ADD that became the bullet of this number."""
    return BulletAdded("a", 0, f"ace-{number:05d}", SECTION, content, 1)


def evidence(identifier: str, *log: StepRecord) -> Evidence:
    """What this log holds about one lesson."""
    return evidence_in(log).lessons[identifier]


def test_runs_with_and_without_a_lesson() -> None:
    """A run had the lessons of the block that it was given, whichever step reads it; of others nothing is known."""
    found = evidence_in(
        [
            line(1, added(1, "Look."), block="b1"),
            line(2, added(2, "Think."), read("x", 1.0, had="b1"), block="b2"),
            line(3, read("y", 0.5, had="b2"), read("z", had="b2"), read("w", 0.25, had="b1"), block="b2"),
            line(4, read("of old", 0.0), read("of another playbook", 0.0, had="b9"), block="b2"),
            line(5, read("before any", 0.0, had=EMPTY), block="b2"),
        ]
    )
    assert (found.runs, found.known) == (7, 5)
    assert found.lessons["ace-00001"].had == Runs(4, 3, (1 + 0.5 + 0.25) / 3)
    assert found.lessons["ace-00001"].lacked == Runs(1, 1, 0.0)
    assert found.lessons["ace-00002"].had == Runs(2, 1, 0.5)
    assert found.lessons["ace-00002"].lacked == Runs(3, 3, (1 + 0.25) / 3)


def test_other_words_are_another_lesson() -> None:
    """A run that had the lesson before it was reworded neither had it nor lacked it; case and blanks are no other words."""
    found = evidence(
        "ace-00001",
        line(1, added(1, "Look."), block="b1"),
        line(2, Reworded("ace-00001", "Look.", "Look twice.", "person", ""), block="b2"),
        line(3, Reworded("ace-00001", "Look twice.", "look  twice.", "person", ""), block="b3"),
        line(4, read("x", 1.0, had="b1"), read("y", 0.0, had="b2"), read("z", 0.5, had="b3"), block="b3"),
    )
    assert (found.had, found.lacked, found.reworded) == (Runs(2, 2, 0.25), Runs(), 1)


def test_a_lesson_that_left_and_came_back() -> None:
    """It was in force over two stretches, of which its age is the sum; it came first with the first."""
    found = evidence(
        "ace-00001",
        line(1, added(1, "Look."), block="b1"),
        line(2, Removed("ace-00001", SECTION, "Look.", 0, 0, "person", "no"), block="b2"),
        line(3, read("x", 1.0, had="b1"), read("y", 0.0, had="b2"), block="b2"),
        line(4, PlaybookRestored("reverted 2", 2, (bullet(1, "Look."),)), block="b1"),
        line(5, block="b1"),
    )
    assert (found.had, found.lacked) == (Runs(1, 1, 1.0), Runs(1, 1, 0.0))
    assert (found.since, found.age) == (Moment(1, 1, "day 1"), 2)


def test_tags_of_one_task_are_one_witness() -> None:
    """Three tags, two tasks; a neutral tag is none, and what was tagged last was used last."""
    found = evidence(
        "ace-00001",
        line(1, added(1, "Look.")),
        line(2, TagCounted("x", 0, "ace-00001", "helpful"), read("x", task="t")),
        line(3, TagCounted("y", 0, "ace-00001", "harmful"), read("y", task="t")),
        line(4, TagCounted("z", 0, "ace-00001", "helpful"), read("z", task="u")),
        line(5, TagCounted("w", 0, "ace-00001", "neutral"), read("w", task="v")),
    )
    assert (found.tags, found.tasks, found.used, found.age) == (3, 2, Moment(4, 4, "day 4"), 4)


def test_each_run_counts_once() -> None:
    """Read again, or curated later, it is the same run; what a refused step read did not happen."""
    found = evidence_in(
        [
            line(1, added(1, "Look."), block="b1"),
            line(2, read("x", 1.0, had="b1"), block="b1", outcome="refused"),
            line(3, read("x", 0.5, had="b1"), block="b1"),
            line(4, read("x", 0.0, had="b1"), read("x", 0.0, had="b1", of=3), block="b1"),
        ]
    )
    assert (found.runs, found.known, found.lessons["ace-00001"].had) == (1, 1, Runs(1, 1, 0.5))


def test_while_lessons_wait_the_block_is_the_one_before() -> None:
    """The playbook may be ahead of the block: what was there then is what was there when that block first was."""
    found = evidence(
        "ace-00001",
        line(1, added(1, "Look."), block=EMPTY),
        line(2, read("x", 1.0, had=EMPTY), block=EMPTY),
        line(3, read("y", 1.0, had="b3"), block="b3"),
    )
    assert (found.had.count, found.lacked.count) == (1, 1)


@given(st.lists(records, max_size=5), st.data())
def test_every_run_is_counted_where_the_fold_says(log: list[StepRecord], data: st.DataObject) -> None:
    """For every log and every lesson: the runs that had it are those whose block was there after a line whose fold holds it,
    as far as the rules show it.
    """
    digests = [data.draw(st.sampled_from(["b1", "b2", "b3"])) for _ in log]
    runs = [
        read(str(number), score, had=data.draw(st.sampled_from([*digests, "", "none"])))
        for number, score in enumerate(data.draw(st.lists(st.floats(allow_nan=False, allow_infinity=False))))
    ]
    log = [
        *(without_runs(record, digest) for record, digest in zip(log, digests, strict=True)),
        line(9, *runs, block="last"),
    ]
    playbooks = [folds_of(log[: digests.index(run.had) + 1]).shown for run in runs if run.had in digests]
    scores = [run.score or 0.0 for run in runs if run.had in digests]
    found = evidence_in(log)
    here = {one.id: one.content for one in fold_records(Playbook(), log).bullets}
    for identifier, content in here.items():
        had = [
            score
            for score, playbook in zip(scores, playbooks, strict=True)
            if any(
                one.id == identifier and key_of(one.content) == key_of(content) for one in playbook.bullets
            )
        ]
        lesson = found.lessons[identifier]
        mean = float(sum(map(Fraction, had), Fraction()) / len(had)) if had else None
        assert lesson.had == Runs(len(had), len(had), mean)
        assert lesson.had.count + lesson.lacked.count + lesson.reworded == found.known == len(scores)


def without_runs(record: StepRecord, block: str) -> StepRecord:
    """The line without the runs that it reads, and with this block."""
    events = tuple(event for event in record.events if not isinstance(event, RunRead))
    return msgspec.structs.replace(record, events=events, block=block)


@given(playbooks(), st.integers(1, 12))
def test_near_the_cap_is_what_the_cap_takes_next(here: Playbook, cap: int) -> None:
    """With a tenth of the cap of better lessons on top, what is capped are those that were named."""
    better = tuple(bullet(200_000 + number, helpful=99) for number in range(max(1, cap // 10)))
    named = near_cap(here, cap)
    draft = Draft(Playbook(200_100, here.bullets + better))
    capped = refine(draft, ACESettings(max_bullets=cap, prune_margin=99))
    assert [event.id for event in capped][: len(named)] == list(named)
    assert len(named) == min(len(here.bullets), len(capped))
