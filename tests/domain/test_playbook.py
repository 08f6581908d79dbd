"""The playbook: how events change it, and how its snapshot is written, read and found damaged."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.given import P1, SECTION, bullet, playbook
from tests.domain.strategies import events, playbooks, records

from ace.domain.errors import StateError
from ace.domain.playbook import (
    Bullet,
    Draft,
    Playbook,
    bullet_id,
    bullet_number,
    canonical,
    digest,
    dump,
    evolve,
    fold,
    fold_records,
    key_of,
    parse_playbook,
)
from ace.events.types import (
    Accepted,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
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

ORIGIN = "work/state/playbook.json"


# --- events ---------------------------------------------------------------------------------------------------------

TWO = playbook(bullet(1), bullet(2, helpful=1, harmful=1))


@pytest.mark.parametrize(
    ("event", "after"),
    [
        (TagCounted("a", 0, "ace-00002", "helpful"), playbook(bullet(1), bullet(2, helpful=2, harmful=1))),
        (TagCounted("a", 0, "ace-00002", "harmful"), playbook(bullet(1), bullet(2, helpful=1, harmful=2))),
        (TagCounted("a", 0, "ace-00002", "neutral"), TWO),
        (TagCounted("a", 0, "ace-00009", "helpful"), TWO),
        (BulletAdded("a", 0, "ace-00003", SECTION, "Lesson 3.", 1), playbook(*TWO.bullets, bullet(3))),
        (
            BulletAdded("a", 0, "ace-00007", SECTION, "Lesson 7.", 1),
            playbook(*TWO.bullets, bullet(7), next_number=8),
        ),
        (Pruned("ace-00001", SECTION, "Lesson 1.", 0, 0), playbook(TWO.bullets[1])),
        (Capped("ace-00002", SECTION, "Lesson 2.", 1, 1), playbook(TWO.bullets[0], next_number=3)),
        (Pruned("ace-00009", SECTION, "Lesson 9.", 0, 0), TWO),
        (PlaybookRestored("imported", 9, (bullet(4),)), playbook(bullet(4), next_number=9)),
        (PlaybookRestored("rolled back", 3, ()), playbook(next_number=3)),
        (TagIgnored("a", 0, "ace-00001", "unknown tag"), TWO),
        (DuplicateRejected("a", 0, "ace-00001", 0), TWO),
        (Refused("a", 0, "hidden characters"), TWO),
        (OperationIgnored("a", 0, "it has no text"), TWO),
        (RunRead("a", 1.0, "task", "insight", "used"), TWO),
        (RunSkipped("a", "failed call"), TWO),
        (
            Removed("ace-00001", SECTION, "Lesson 1.", 0, 0, "person", "wrong"),
            playbook(TWO.bullets[1]),
        ),
        (
            Removed("ace-00002", SECTION, "", 1, 1, "host", "rejected"),
            playbook(TWO.bullets[0], next_number=3),
        ),
        (Removed("ace-00001", SECTION, "", 0, 0, "screen", "hidden characters"), TWO),
        (Removed("ace-00009", SECTION, "x", 0, 0, "person", "wrong"), TWO),
        (
            Reworded("ace-00002", "Lesson 2.", "Look twice.", "person", "unclear"),
            playbook(bullet(1), bullet(2, "Look twice.", helpful=1, harmful=1)),
        ),
        (Reworded("ace-00009", "a", "b", "host", "unclear"), TWO),
        (Forgotten(7, "asked for"), TWO),
        (Accepted("ace-00001", "Lesson 1."), TWO),
        (RulesRestored(()), TWO),
        (
            BulletAdded("", 0, "ace-00003", SECTION, "Lesson 3.", 1, "person"),
            playbook(*TWO.bullets, bullet(3)),
        ),
    ],
)
def test_what_an_event_changes(event: Event, after: Playbook) -> None:
    """Given a playbook of two, then each event changes just what it tells, and the playbook before stays as it was."""
    before = canonical(TWO)
    assert evolve(TWO, event) == after
    assert canonical(TWO) == before


def test_no_rule_lives_in_evolve() -> None:
    """Given events that no rule would let through, then they are applied as they are."""
    twice = [BulletAdded("a", 0, "ace-00001", "Nowhere", "", 1), BulletAdded("a", 1, "ace-00002", "", "", 1)]
    vote = [TagCounted("a", 0, "ace-00001", "harmful")] * 5
    assert fold(Playbook(), [*twice, *vote]).bullets == (
        Bullet("ace-00001", "Nowhere", "", 0, 5, 1),
        Bullet("ace-00002", "", "", 0, 0, 1),
    )


@given(playbooks(), st.lists(events, max_size=15))
def test_fold_is_repeated_evolve(before: Playbook, happened: list[Event]) -> None:
    """Given any events, with ids that are none or used already too, then folding them is evolving by one after another."""
    after = before
    for event in happened:
        after = evolve(after, event)
    assert fold(before, happened) == after
    draft = Draft(before)
    for event in happened:
        draft.apply([event])
    assert draft.freeze() == after


@given(playbooks(), st.lists(events, max_size=15))
def test_a_bullet_is_found_by_its_text_at_any_time(before: Playbook, happened: list[Event]) -> None:
    """Given any events, then the index of texts, built at the start or only at the end, finds the same bullets."""
    early, late = Draft(before), Draft(before)
    early.bullet_with("")
    for event in happened:
        early.apply([event])
    late.apply(happened)
    for row in late.freeze().bullets:
        found = late.bullet_with(key_of(row.content))
        assert found is not None
        assert early.bullet_with(key_of(row.content)) is not None
    assert early.bullet_with("no bullet says this") is late.bullet_with("no bullet says this") is None


@given(playbooks(), st.lists(records, max_size=4))
def test_events_of_refused_steps_are_passed_over(before: Playbook, steps: list[StepRecord]) -> None:
    """Given steps of which some were refused, then only the events of the committed ones are folded."""
    committed = [event for step in steps if step.outcome == "committed" for event in step.events]
    assert fold_records(before, steps) == fold(before, committed)


# --- ids and keys ---------------------------------------------------------------------------------------------------


@given(st.integers(1, 10**18 - 1))
def test_an_id_is_its_number_in_five_digits_at_least(number: int) -> None:
    """Given a number, then its id has five digits or more, and leads back to it."""
    identifier = bullet_id(number)
    assert identifier == f"ace-{str(number).zfill(5)}"
    assert bullet_number(identifier) == number


NO_IDS = (
    "", "ace-", "ace-1", "ace-0001", "ace-00000", "ace-000001", "ace-012345", "ACE-00001", "ace-00001 ", "xace-00001",
    "ace-+0001", "ace-1_000", "ace-\u0661\u0661\u0661\u0661\u0661", "ace-00001\n", "ace-" + "9" * 19,
)  # fmt: skip


@pytest.mark.parametrize("identifier", NO_IDS)
def test_what_is_no_id_has_no_number(identifier: str) -> None:
    """Given a text that no bullet could have as its id, then it has no number."""
    assert bullet_number(identifier) is None


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("Run  it", " run\nIT ", True),
        ("Straße", "STRASSE", True),
        ("é", "e\u0301", True),
        ("x²", "x2", False),
        ("ﬁle", "file", True),  # casefold resolves the ligature
        ("a b", "ab", False),
        ("don't", "don\u2019t", False),
    ],
)
def test_what_two_texts_have_in_common(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    """Given two texts, then their keys are equal if they differ in case, blanks and composition alone."""
    assert (key_of(one) == key_of(other)) is same


# --- the snapshot ---------------------------------------------------------------------------------------------------


def test_the_snapshot_has_exactly_these_keys_in_this_order() -> None:
    """Given a playbook, then its file holds next_number and bullets, and each bullet its six keys, in this order."""
    stored = json.loads(dump(P1))
    assert list(stored) == ["next_number", "bullets"]
    assert list(stored["bullets"][0]) == ["id", "section", "content", "helpful", "harmful", "step"]
    assert dump(P1).endswith(b"}\n")
    assert stored == json.loads(canonical(P1))


@given(playbooks())
def test_a_snapshot_is_read_back_equal(before: Playbook) -> None:
    """Given any playbook, then its file is read back equal, with a byte order mark too, and has the same digest."""
    for data in (dump(before), b"\xef\xbb\xbf" + dump(before), canonical(before)):
        after = parse_playbook(data, ORIGIN)
        assert after == before
        assert digest(after) == digest(before)


def test_bullets_are_put_in_the_order_of_their_numbers() -> None:
    """Given a file whose bullets are in another order, then they are read by number, not by text."""
    shuffled = Playbook(100_001, (bullet(100_000), bullet(2), bullet(99_999), bullet(1)))
    numbers = [bullet_number(b.id) for b in parse_playbook(dump(shuffled), ORIGIN).bullets]
    assert numbers == [1, 2, 99_999, 100_000]


def test_two_playbooks_differ_in_their_digest() -> None:
    """Given playbooks that differ in one count or in the next number, then their digests differ."""
    others = [playbook(*P1.bullets, next_number=3), evolve(P1, TagCounted("a", 0, "ace-00001", "helpful"))]
    assert len({digest(each) for each in [P1, *others]}) == 3


def _stored(**changed: Any) -> dict[str, Any]:
    """The file of a playbook of one bullet, with some of the bullet's keys changed."""
    whole = {"id": "ace-00001", "section": "S", "content": "c", "helpful": 0, "harmful": 0, "step": 1}
    return {"next_number": 2, "bullets": [whole | changed]}


def _without(key: str) -> dict[str, Any]:
    stored = _stored()
    del stored["bullets"][0][key]
    return stored


@pytest.mark.parametrize(
    ("stored", "said"),
    [
        (_stored(id="ace-1"), r"`id` is not .* at `\$\.bullets\[0\]`"),
        (_stored(id="ace-00000"), r"`id` is not"),
        (_stored(id=1), r"Expected `str`, got `int` - at `\$\.bullets\[0\]\.id`"),
        (_stored(id="ace-00002"), r"`next_number` 2 is not above ace-00002"),
        (_stored(id="ace-00003"), r"`next_number` 2 is not above ace-00003"),
        (_stored(helpful=-1), "a negative count"),
        (_stored(harmful=-1), "a negative count"),
        (_stored(helpful="1"), "Expected `int`, got `str`"),
        (_stored(helpful=True), "Expected `int`, got `bool`"),
        (_stored(harmful=1.5), "Expected `int`, got `float`"),
        (_stored(step=None), "Expected `int`, got `null`"),
        (_stored(content=""), "`content` is not one line"),
        (_stored(content=" c"), "`content` is not one line"),
        (_stored(content="a\nb"), "`content` is not one line"),
        (_stored(content="a\u2028b"), "`content` is not one line"),
        (_stored(content=None), "Expected `str`, got `null`"),
        (_stored(section=""), "`section` is not one line"),
        (_stored(section="A\nB"), "`section` is not one line"),
        (_without("step"), "missing required field `step`"),
        (_without("content"), "missing required field `content`"),
        (_stored() | {"next_number": 1}, "`next_number` 1 is not above ace-00001"),
        (_stored() | {"next_number": "2"}, "Expected `int`, got `str`"),
        ({"next_number": 0, "bullets": []}, "`next_number` 0 cannot be a bullet's number"),
        ({"next_number": -3, "bullets": []}, "`next_number` -3 cannot be a bullet's number"),
        ({"next_number": 10**18, "bullets": []}, "cannot be a bullet's number"),
        ({"next_number": 2, "bullets": [*_stored()["bullets"], *_stored()["bullets"]]}, "two bullets have the id ace-00001"),
        ({"next_number": 2, "bullets": {}}, r"Expected `array`, got `object` - at `\$\.bullets`"),
        ({"next_number": 2, "bullets": [None]}, r"at `\$\.bullets\[0\]`"),
    ],
)  # fmt: skip
def test_damage_is_named_with_its_place(stored: object, said: str) -> None:
    """Given a file of the wrong shape, then the error names file, flaw and place, and that nothing was changed."""
    with pytest.raises(StateError, match=said) as raised:
        parse_playbook(json.dumps(stored).encode(), ORIGIN)
    assert str(raised.value).startswith(f"{ORIGIN} is damaged: ")
    assert "Nothing was changed" in str(raised.value)


@pytest.mark.parametrize(
    "stored", [_stored() | {"version": 2}, _stored(colour="red"), _stored() | {"Bullets": []}]
)
def test_a_key_that_is_not_known_was_written_by_something_newer(stored: object) -> None:
    """Given a key too many, then it is not dropped: the error names it and says what may have written it."""
    with pytest.raises(StateError, match=r"was written by something newer, or by hand: .* unknown field"):
        parse_playbook(json.dumps(stored).encode(), ORIGIN)


HOSTILE = (
    b'{"next_number": 2, "bullets": [' + b"[" * 100_000,
    b'{"next_number": ' + b"9" * 5000 + b', "bullets": []}',
    b"\xff" * 10,
    b"\x00",
    dump(P1) + b"x",
    dump(P1) * 2,
    json.dumps(_stored(content="\ud800")).encode(),
)


@pytest.mark.parametrize("data", HOSTILE)
def test_hostile_bytes_are_damage_too(data: bytes) -> None:
    """Given deep nesting, endless numbers, bytes that are not text, or something behind the end, then it is damage."""
    with pytest.raises(StateError, match="is damaged"):
        parse_playbook(data, ORIGIN)


@given(
    st.binary(max_size=60)
    | st.tuples(st.integers(0, 200), st.binary(max_size=3)).map(lambda cut: dump(P1)[: cut[0]] + cut[1])
)
def test_any_bytes_are_a_playbook_or_a_named_error(data: bytes) -> None:
    """Given any bytes, then they are read as a playbook that can be written again, or are a named error."""
    try:
        read = parse_playbook(data, ORIGIN)
    except StateError:
        return
    assert parse_playbook(dump(read), ORIGIN) == read
