"""What is taken back: the log without a step, in any order, and the playbook as it was."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.given import SECTION, bullet

from ace.domain.changes import changes
from ace.domain.consistency import apply_checked
from ace.domain.errors import AceError
from ace.domain.playbook import Draft, Playbook, bullet_id, fold_records, id_named, key_of
from ace.domain.undo import playbook_at, reverting, rewinding
from ace.domain.withdrawn import withdrawals
from ace.events.types import (
    Bullet,
    BulletAdded,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    RunRead,
    StepRecord,
    TagCounted,
)


def line(seq: int, *events: Event, outcome: Any = "committed") -> StepRecord:
    """A line of the log with these events."""
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
        block="",
        served="",
        events=events,
    )


def taught(number: int, text: str = "", by: Any = "") -> BulletAdded:
    """A lesson that came in."""
    text = text or f"Lesson {number}."
    return BulletAdded("" if by else "a", 0, bullet_id(number), SECTION, text, 1, by=by)


def removed(one: Bullet) -> Removed:
    """A lesson that a person took out."""
    return Removed(one.id, one.section, one.content, one.helpful, one.harmful, "person", "wrong")


def with_line(log: Sequence[StepRecord], events: Sequence[Event]) -> list[StepRecord]:
    """The log with one more line."""
    return [*log, line(len(log) + 1, *events)]


def withdrawn(log: Sequence[StepRecord]) -> set[str]:
    """The keys of the texts that do not come back."""
    keys: set[str] = set()
    for record in log:
        for key, is_withdrawn in withdrawals(record):
            (keys.add if is_withdrawn else keys.discard)(key)
    return keys


@st.composite
def histories(draw: st.DrawFn) -> list[StepRecord]:
    """A log as steps and people write one: each event is about a lesson that is there, and a few steps change nothing."""
    log: list[StepRecord] = []
    number = 0
    for seq in range(1, draw(st.integers(1, 7)) + 1):
        events: list[Event] = [RunRead(f"r{seq}", None, "task", "insight", "used")]
        for _ in range(draw(st.integers(0, 3))):
            there = fold_records(Playbook(), [*log, line(seq, *events)]).bullets
            kind = draw(st.sampled_from(["add", "tag", "prune", "remove", "reword", "person"]))
            if kind in ("add", "person"):
                number += 1
                text = f"Text {draw(st.integers(1, 4))}."
                away = kind == "add" and key_of(text) in withdrawn([*log, line(seq, *events)])
                if not away and not any(one.content == text for one in there):
                    events.append(taught(number, text, "person" if kind == "person" else ""))
            elif there:
                one = draw(st.sampled_from(there))
                kinds: dict[str, Event] = {
                    "tag": TagCounted("r", 0, one.id, draw(st.sampled_from(["helpful", "harmful"]))),
                    "prune": Pruned(one.id, one.section, one.content, one.helpful, one.harmful),
                    "remove": removed(one),
                    "reword": Reworded(one.id, one.content, f"{one.content}!", "person", ""),
                }
                events.append(kinds[kind])
        log.append(line(seq, *events, outcome=draw(st.sampled_from(["committed"] * 5 + ["refused"]))))
    return log


def can_be_reverted(log: Sequence[StepRecord]) -> list[int]:
    """The lines for which it is defined."""
    found = []
    for record in log:
        try:
            reverting(log, record.seq)
        except AceError:
            continue
        found.append(record.seq)
    return found


@given(histories())
def test_revert_is_the_fold_without_the_step(log: list[StepRecord]) -> None:
    """For every history and every step of it that changed a lesson; no id is given twice, and the log says the same."""
    for seq in can_be_reverted(log):
        undone = reverting(log, seq)
        without = fold_records(Playbook(), [one for one in log if one.seq != seq])
        assert undone.playbook.bullets == without.bullets
        assert undone.playbook.next_number == fold_records(Playbook(), log).next_number
        assert fold_records(Playbook(), with_line(log, undone.events)) == undone.playbook


@given(histories(), st.randoms(use_true_random=False))
def test_reverts_follow_each_other_in_any_order(log: list[StepRecord], dice: random.Random) -> None:
    """Whatever is reverted, and reverted back, in whatever order: the end is the fold without what is reverted then."""
    steps = can_be_reverted(log)
    by: dict[int, int] = {}
    begun = list(log)
    for _ in range(6):
        if not steps:
            return
        seq = dice.choice(steps)
        if seq in by:
            with pytest.raises(AceError, match="reverted already"):
                reverting(log, seq)
        log = with_line(log, reverting(log, by.get(seq, seq)).events)
        if by.pop(seq, None) is None:
            by[seq] = len(log)
        wanted = fold_records(Playbook(), [one for one in begun if one.seq not in by])
        assert fold_records(Playbook(), log).bullets == wanted.bullets


class Counted:
    """A log that counts how often it is read."""

    def __init__(self, log: Sequence[StepRecord]) -> None:
        self.log = log
        self.readings = 0

    def __iter__(self) -> Iterator[StepRecord]:
        self.readings += 1
        return iter(self.log)


@given(histories(), st.randoms(use_true_random=False))
def test_a_revert_reads_the_log_once(log: list[StepRecord], dice: random.Random) -> None:
    """Unless a line behind the one that is reverted reverts another: then twice, with the same end."""
    for _ in range(4):
        for seq in can_be_reverted(log):
            counted = Counted(log)
            undone = reverting(counted, seq)
            behind = any(reverts(one) and one.seq > seq for one in log)
            assert counted.readings == 1 + behind
            if not behind:
                without = fold_records(Playbook(), [one for one in log if one.seq != seq])
                assert undone.playbook.bullets == without.bullets
        if steps := can_be_reverted(log):
            log = with_line(log, reverting(log, dice.choice(steps)).events)


def reverts(record: StepRecord) -> bool:
    """Whether the line reverts another one."""
    return any(isinstance(one, PlaybookRestored) and "reverted" in one.reason for one in record.events)


@given(histories())
def test_rewind_is_the_fold_at_the_step(log: list[StepRecord]) -> None:
    """For every history and every line of it but the last, before the first one included."""
    for seq in range(len(log)):
        undone = rewinding(log, seq)
        assert undone.playbook.bullets == fold_records(Playbook(), log[:seq]).bullets
        assert undone.playbook.bullets == playbook_at(log, seq).bullets
        assert undone.playbook.next_number == fold_records(Playbook(), log).next_number
        assert fold_records(Playbook(), with_line(log, undone.events)) == undone.playbook


@given(histories())
def test_a_removed_text_stays_away(log: list[StepRecord]) -> None:
    """After a revert or a rewind, a text is either in the playbook or, if what is left of the log has a person take it out, still
    withdrawn; what is in the playbook is not.
    """
    undos = [(reverting(log, seq), [o for o in log if o.seq != seq]) for seq in can_be_reverted(log)]
    undos += [(rewinding(log, seq), log[:seq]) for seq in range(len(log))]
    for undone, left in undos:
        after = withdrawn(with_line(log, undone.events))
        there = {key_of(one.content) for one in undone.playbook.bullets}
        now = {key_of(one.content) for one in fold_records(Playbook(), log).bullets}
        assert not after & there
        assert (withdrawn(log) | (withdrawn(left) & now)) - there <= after


@given(histories())
def test_what_is_taken_back_fits_what_came_before(log: list[StepRecord]) -> None:
    """A log of steps and of decisions has nothing in it that cannot have been."""
    undos = [reverting(log, seq) for seq in can_be_reverted(log)]
    undos += [rewinding(log, seq) for seq in range(len(log))]
    for undone in undos:
        whole = with_line(log, undone.events)
        numbers = [fold_records(Playbook(), whole[: at + 1]).next_number for at in range(len(whole))]
        draft = Draft(Playbook())
        for one, number in zip(whole, numbers, strict=True):
            assert apply_checked(draft, msgspec.structs.replace(one, next_number=number)) is None


# --- where it is not defined ----------------------------------------------------------------------------------------

RESTORED = [
    line(1, taught(1)),
    line(2, TagCounted("r", 0, "ace-00001", "neutral")),
    line(3, PlaybookRestored("adopted", 3, (bullet(1), bullet(2)))),
    line(4, taught(3)),
    line(5, Pruned("ace-00003", SECTION, "Lesson 3.", 0, 2), outcome="refused"),
]


@pytest.mark.parametrize(
    ("seq", "told"),
    [
        (0, "the log has no line 0: it has 5"),
        (6, "the log has no line 6: it has 5"),
        (1, r"line 3 replaced the playbook as a whole \(adopted\).*`ace rewind 0`.*`ace remove`"),
        (3, r"line 3 replaced the playbook as a whole \(adopted\).*`ace rewind 2`"),
        (5, "refused by the check"),
        (2, "changed no lesson"),
    ],
)
def test_a_revert_that_is_not_defined(seq: int, told: str) -> None:
    """It says why, and what can be done instead."""
    with pytest.raises(AceError, match=told):
        reverting(RESTORED, seq)


def test_a_revert_behind_a_restoration() -> None:
    """What came since it can be reverted."""
    assert reverting(RESTORED, 4).playbook == Playbook(4, (bullet(1), bullet(2)))


def test_a_revert_across_a_rewind_is_not_defined() -> None:
    """A rewind replaces the playbook as a whole."""
    log = with_line(RESTORED, rewinding(RESTORED, 3).events)
    with pytest.raises(AceError, match=r"line 6 replaced the playbook as a whole \(rewound to 3\)"):
        reverting(log, 4)


@pytest.mark.parametrize(("seq", "told"), [(5, "last one"), (9, "the log has no line 9")])
def test_a_rewind_to_nowhere(seq: int, told: str) -> None:
    """To the last line there is nothing to do, and a line that is not there is none."""
    with pytest.raises(AceError, match=told):
        rewinding(RESTORED, seq)


def test_reverting_what_let_a_removed_text_in_again() -> None:
    """A person removed a text and added it again: once that is reverted, the text is away as before."""
    log = [
        line(1, taught(1)),
        line(2, removed(bullet(1))),
        line(3, taught(2, "Lesson 1.", "person")),
    ]
    assert not withdrawn(log)
    assert withdrawn(with_line(log, reverting(log, 3).events)) == {"lesson 1."}


# --- differences ----------------------------------------------------------------------------------------------------


def test_the_changes_between_two_playbooks() -> None:
    """By number, each with what happened to it; what is equal is left out."""
    before = Playbook(100_001, (bullet(1), bullet(2), bullet(3), bullet(4)))
    after = Playbook(100_001, (bullet(1), bullet(2, helpful=1), bullet(3, "Other."), bullet(100_000)))
    assert [(one.id, one.kind) for one in changes(before, after)] == [
        ("ace-00002", "counted"),
        ("ace-00003", "reworded"),
        ("ace-00004", "removed"),
        ("ace-100000", "added"),
    ]


@pytest.mark.parametrize("name", ["12", "ace-12", "ACE-00012", "[ace-00012]", " ace-00012 ", "0012"])
def test_the_ways_to_name_a_lesson(name: str) -> None:
    """A number is enough."""
    assert id_named(name) == "ace-00012"


@pytest.mark.parametrize("name", ["", "ace-", "twelve", "9" * 30, "\u0661\u0662"])
def test_what_names_no_lesson(name: str) -> None:
    """It stays what it is, and no lesson has it."""
    assert id_named(name) == name
