"""What holds of every step, whatever the models reply: all of it is accounted for, and nothing raises."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.fakes import ORDINARY
from tests.domain.given import curation, reflection, run
from tests.domain.strategies import odd_texts, operations, playbooks, replies, tags, traces

from ace.domain.content import clean
from ace.domain.playbook import Playbook, bullet_number, dump, fold, key_of, parse_playbook
from ace.domain.replies import UnusableReplyError, read_curation, read_reflection
from ace.domain.rules_block import Line, block, find_block, splice
from ace.domain.screens import redact, refusal
from ace.domain.settings import DEFAULT_SECTIONS, ACESettings
from ace.domain.step import CallFailed, ModelCall, Reply, StepOutcome, run_step
from ace.domain.summary import count, sentence, tell
from ace.domain.trace import Trace
from ace.domain.unread import Past, Pending
from ace.events.types import (
    BulletAdded,
    DuplicateRejected,
    OperationIgnored,
    Refused,
    RunRead,
    RunSkipped,
    TagCounted,
    TagIgnored,
    version_of,
)

_TAG_EVENTS = (TagCounted, TagIgnored)
_OPERATION_EVENTS = (BulletAdded, DuplicateRejected, Refused, OperationIgnored)

pasts = st.builds(
    Past,
    read=st.integers(0, 3),
    pending=st.none()
    | st.builds(Pending, st.just(3), st.just("Look."), st.just("It went so."), st.integers(0, 2)),
    unusable=st.integers(0, 3),
)
"""What the log may say of a run."""

settings_of_steps = st.builds(
    ACESettings,
    max_bullets=st.integers(1, 12),
    prune_margin=st.integers(1, 3),
    max_traces_per_step=st.integers(0, 3),
    reflections_at_once=st.integers(1, 4),
)


def _drive(
    before: Playbook, given_traces: Sequence[Trace], data: st.DataObject, chosen: ACESettings
) -> tuple[StepOutcome, list[tuple[ModelCall, Reply]]]:
    """Take a step whose replies are drawn as they are asked for."""
    asked: list[tuple[ModelCall, Reply]] = []
    generator = run_step(
        before,
        given_traces,
        chosen,
        rules_lines={"keep commits small.": Line(3)},
        step=5,
        pasts=data.draw(st.lists(pasts, min_size=len(given_traces), max_size=len(given_traces))),
        withdrawn=data.draw(st.sets(st.sampled_from(ORDINARY), max_size=3)),
        screen=data.draw(st.sampled_from([None, lambda line: "no" if "e" in line[40:] else None])),
    )
    try:
        batch = next(generator)
        while True:
            assert 0 < len(batch) <= chosen.reflections_at_once
            assert len({call.role for call in batch}) == 1
            given_replies = tuple([data.draw(replies()) for _ in batch])
            asked.extend(zip(batch, given_replies, strict=True))
            batch = generator.send(given_replies)
    except StopIteration as stop:
        return stop.value, asked


def _asked_tags(asked: Sequence[tuple[ModelCall, Reply]]) -> int:
    total = 0
    for call, reply in asked:
        if call.role == "reflector" and not isinstance(reply, CallFailed):
            try:
                total += len(read_reflection(reply).tags)
            except UnusableReplyError:
                continue
    return total


def _asked_operations(asked: Sequence[tuple[ModelCall, Reply]]) -> int:
    total = 0
    for call, reply in asked:
        if call.role == "curator" and not isinstance(reply, CallFailed):
            try:
                total += len(read_curation(reply).operations)
            except UnusableReplyError:
                continue
    return total


@given(playbooks(), st.lists(traces, max_size=4), settings_of_steps, st.data())
def test_everything_is_accounted_for(
    before: Playbook, given_traces: list[Trace], chosen: ACESettings, data: st.DataObject
) -> None:
    """Given any replies, then every trace, tag and operation ends in one event, and the counts are what changed."""
    outcome, asked = _drive(before, given_traces, data, chosen)
    events = outcome.events
    assert [e.trace for e in events if isinstance(e, RunRead | RunSkipped)] == [t.id for t in given_traces]
    assert sum(isinstance(event, _TAG_EVENTS) for event in events) == _asked_tags(asked)
    assert sum(isinstance(event, _OPERATION_EVENTS) for event in events) == _asked_operations(asked)
    counts = count(events)
    assert counts.added - counts.pruned - counts.capped == len(outcome.playbook.bullets) - len(before.bullets)
    assert outcome.playbook == fold(before, events)
    assert len(outcome.playbook.bullets) <= chosen.max_bullets
    assert (outcome.asked, outcome.answered) == (
        len(asked),
        sum(not isinstance(reply, CallFailed) for _, reply in asked),
    )
    assert outcome.failed == (bool(asked) and outcome.answered == 0)
    # Tags come of reflections alone: a run whose Curator alone is asked has had its own.
    later = {event.trace for event in events if isinstance(event, RunRead) and event.of}
    first = {event.trace for event in events if isinstance(event, RunRead) and not event.of}
    assert {event.trace for event in events if isinstance(event, TagCounted | TagIgnored)} <= first | (
        later & first
    )
    assert version_of(events) == (
        2 if any(getattr(event, "reason", "") == "given twice" for event in events) else 1
    )


@given(playbooks(), st.lists(traces, max_size=3), settings_of_steps, st.data())
def test_what_comes_of_a_step_can_be_kept(
    before: Playbook, given_traces: list[Trace], chosen: ACESettings, data: st.DataObject
) -> None:
    """Given any replies, then state and events can be written and read, and every prompt is text without credentials."""
    outcome, asked = _drive(before, given_traces, data, chosen)
    assert parse_playbook(dump(outcome.playbook), "state/playbook.json") == outcome.playbook
    assert msgspec.json.encode(outcome.events)
    for call, _ in asked:
        for text in call.parts.values():
            assert redact(text) == text
            assert text.encode().decode() == text
    for event in outcome.events:
        assert len(tell(event).splitlines()) == 1
        for name, text in msgspec.structs.asdict(event).items():
            if isinstance(text, str):
                assert len(text.splitlines()) <= 1 or name == "reflection"
                assert redact(text) == text
    assert len(sentence(count(outcome.events)).splitlines()) == 1


@given(st.lists(tags, max_size=6), playbooks())
def test_each_item_is_told_at_its_place(items: list[Any], before: Playbook) -> None:
    """Given a list of any items, then item after item ends in one event that names its position; no bullet counts twice."""
    generator = run_step(before, [run()], ACESettings(), rules_lines={}, step=1)
    next(generator)
    generator.send((json.dumps({"bullet_tags": items}),))
    outcome = _finish(generator, '{"operations": []}')
    told = [event for event in outcome.events if isinstance(event, _TAG_EVENTS)]
    assert [event.item for event in told] == list(range(len(items)))
    votes = Counter(event.bullet for event in told if isinstance(event, TagCounted))
    assert all(times == 1 for times in votes.values())


@given(st.lists(operations, max_size=6), playbooks())
def test_each_operation_is_told_at_its_place(items: list[Any], before: Playbook) -> None:
    """Given any operations, then each ends in one event at its position, and what is added passes every screen."""
    generator = run_step(before, [run()], ACESettings(max_bullets=50), rules_lines={}, step=1)
    next(generator)
    generator.send((reflection(),))
    outcome = _finish(generator, json.dumps({"operations": items}))
    told = [event for event in outcome.events if isinstance(event, _OPERATION_EVENTS)]
    assert [event.item for event in told] == list(range(len(items)))
    for event in told:
        if isinstance(event, BulletAdded):
            assert refusal(event.content) is None
            assert event.section in DEFAULT_SECTIONS


def _finish(generator: Any, reply: Reply) -> StepOutcome:
    try:
        generator.send((reply,))
    except StopIteration as stop:
        outcome: StepOutcome = stop.value
        return outcome
    raise AssertionError("the step asks for more")


@given(st.lists(odd_texts, min_size=1, max_size=6))
def test_an_added_bullet_is_one_physical_line_of_the_file(contents: list[str]) -> None:
    """Given any contents, then each one added is one line of the block, which is found again where it was put."""
    generator = run_step(Playbook(), [run()], ACESettings(), rules_lines={}, step=1)
    next(generator)
    generator.send((reflection(),))
    operations_of_all = [{"type": "ADD", "section": "Others", "content": content} for content in contents]
    after = _finish(generator, curation(*operations_of_all)).playbook
    text = block(after, DEFAULT_SECTIONS)
    shown = [line for line in text.splitlines() if line.startswith("- [ace-")]
    assert shown == [f"- [{b.id}] helpful=0 harmful=0 :: {b.content}" for b in after.bullets]
    assert len(text.splitlines()) == (2 if not shown else 8 + len(shown))
    data = splice(b"# Rules\n", text)
    span = find_block(data)
    assert (span is None) == (not shown)
    if span is not None:
        assert data[span.start : span.end].decode() == text


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.sampled_from(["helpful", "harmful"]), st.booleans()), max_size=12
    )
)
def test_ids_never_repeat_over_many_steps(plan: list[tuple[int, str, bool]]) -> None:
    """Given many steps that add, prune, cap and empty the playbook, then no number is ever given twice."""
    state, given_ids, added = Playbook(), list[str](), 0
    for number, (adds, vote, empties) in enumerate(plan):
        voted = [{"id": b.id, "tag": vote} for b in state.bullets]
        generator = run_step(
            state, [run()], ACESettings(max_bullets=3, prune_margin=1), rules_lines={}, step=number
        )
        next(generator)
        generator.send((reflection(*voted),))
        contents = [f"Lesson {added + at} of its own." for at in range(adds)]
        added += adds
        outcome = _finish(
            generator, curation(*({"type": "ADD", "section": "Others", "content": c} for c in contents))
        )
        given_ids += [event.id for event in outcome.events if isinstance(event, BulletAdded)]
        state = Playbook(outcome.playbook.next_number) if empties else outcome.playbook
        # A restart reads the state from its file.
        state = parse_playbook(dump(state), "state/playbook.json")
    numbers = [bullet_number(identifier) for identifier in given_ids]
    assert numbers == list(range(1, added + 1))
    assert state.next_number == added + 1


_spellings = st.sampled_from(
    [
        lambda text: text,
        str.upper,
        lambda text: f"  - {text}\n",
        lambda text: text.replace(" ", "\n\t "),
        lambda text: f"[ace-00003] helpful=1 harmful=0 :: {text}",
        lambda text: f"3. {text}",
    ]
)


@given(st.lists(st.tuples(st.sampled_from(ORDINARY), _spellings), min_size=1, max_size=4), st.data())
def test_a_removed_text_stays_away_under_any_replies(
    asked: list[tuple[str, Callable[[str], str]]], data: st.DataObject
) -> None:
    """Given replies that ask for a removed text in any spelling, among any others, then no bullet gets it."""
    gone = frozenset(key_of(clean(text)) for text, _ in asked)
    rows = [{"type": "ADD", "section": DEFAULT_SECTIONS[0], "content": spell(text)} for text, spell in asked]
    rows += data.draw(st.lists(operations, max_size=3))
    step = run_step(Playbook(), [Trace(id="a", task="Do it.", reply="Done.")], ACESettings(), withdrawn=gone)
    next(step)
    step.send((json.dumps({"key_insight": "Look.", "bullet_tags": []}),))
    with pytest.raises(StopIteration) as ended:
        step.send((json.dumps({"operations": rows}),))
    outcome: StepOutcome = ended.value.value
    assert not gone & {key_of(one.content) for one in outcome.playbook.bullets}
    assert sum(isinstance(event, Refused) for event in outcome.events) >= len(asked)
