"""How the public types are used, for mypy: it checks this file with all others, and the tests run what it shows."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Literal, assert_never, assert_type

import pytest

import ace
from ace.domain.step import Batch, CallFailed, ModelCall, Replies, Reply, StepOutcome
from ace.domain.summary import Counts, count


def _answered(call: ModelCall) -> Reply:
    """Answer as a model would."""
    assert_type(call.role, Literal["reflector", "curator"])
    assert_type(call.parts, Mapping[str, str])
    if call.role == "curator":
        return '{"operations": [{"type": "ADD", "section": "Others", "content": "Run the tests."}]}'
    return '{"key_insight": "The tests were not run."}' if call.trace != "b" else CallFailed("time-out")


def _taken(step: Generator[Batch, Replies, StepOutcome]) -> StepOutcome:
    """Drive a step to its end."""
    try:
        batch = next(step)
        while True:
            assert_type(batch, tuple[ModelCall, ...])
            batch = step.send(tuple([_answered(call) for call in batch]))
    except StopIteration as stop:
        outcome: StepOutcome = stop.value
        return outcome


def _told(event: ace.Event) -> str:  # noqa: C901, PLR0911, PLR0912 - one line for each event type
    """Tell an event; mypy sees that no type of the union is left out."""
    match event:
        case ace.TagCounted():
            assert_type(event.tag, Literal["helpful", "harmful", "neutral"])
            return event.tag
        case ace.BulletAdded():
            assert_type(event.step, int)
            return event.id
        case ace.DuplicateRejected():
            return event.bullet or str(event.line)
        case ace.TagIgnored() | ace.OperationIgnored() | ace.Refused():
            return event.reason
        case ace.Pruned() | ace.Capped():
            return f"{event.helpful} {event.harmful}"
        case ace.Removed():
            assert_type(event.by, Literal["person", "host", "screen"])
            return event.reason
        case ace.Reworded() | ace.Forgotten():
            return event.reason
        case ace.RunRead():
            assert_type(event.score, float | None)
            assert_type(event.curation, Literal["used", "unusable reply", "failed call"])
            return event.insight
        case ace.RunSkipped():
            return event.reason
        case ace.PlaybookRestored():
            assert_type(event.bullets, tuple[ace.Bullet, ...])
            return event.reason
        case ace.RulesRestored():
            assert_type(event.bullets, tuple[ace.Bullet, ...])
            return "restored"
        case ace.Accepted():
            return event.content
        case _:
            assert_never(event)


def test_a_step_by_hand() -> None:
    """Given traces and settings, when a step is driven by hand, then every value has the type that it is said to have."""
    settings = ace.ACESettings(sections=("Others",), max_bullets=10)
    traces = (
        ace.Trace(id="a", turns=(ace.Turn("assistant", "Done."),)),
        ace.Trace(id="b", task="t", reply="r"),
    )
    outcome = _taken(ace.run_step(ace.Playbook(), traces, settings, rules_lines={}, step=1))
    assert_type(outcome.events, tuple[ace.Event, ...])
    assert_type(outcome.playbook, ace.Playbook)
    assert_type(outcome.failed, bool)
    assert_type(count(outcome.events), Counts)
    assert [_told(event) for event in outcome.events] == [
        "ace-00001",
        "The tests were not run.",
        "failed call",
    ]


def test_folding_by_hand() -> None:
    """Given events, then `fold` and `evolve` take and return the types that they are said to."""
    added = ace.BulletAdded("a", 0, "ace-00001", "Others", "Run the tests.", 1)
    after = ace.evolve(ace.Playbook(), added)
    assert_type(after, ace.Playbook)
    assert_type(after.bullets, tuple[ace.Bullet, ...])
    assert_type(ace.fold(after, [ace.TagCounted("b", 0, "ace-00001", "helpful")]), ace.Playbook)
    assert after == ace.fold(ace.Playbook(), (event for event in [added]))


def test_what_mypy_must_refuse() -> None:
    """Given calls with wrong types, then mypy refuses each: an ignore that is not needed is an error of its own."""
    ace.TagCounted("a", 0, "ace-00001", "good")  # type: ignore[arg-type]
    ace.RunSkipped("a", "boredom")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="role is not one of"):
        ace.Turn("robot")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        ace.Trace("a")  # type: ignore[call-arg]
    with pytest.raises(AttributeError):
        ace.Playbook().next_number = 5  # type: ignore[misc]


def test_a_misspelt_name_is_an_error() -> None:
    """Given a name that is not public, then mypy refuses it, as Python does: nothing of the package is hidden from it."""
    with pytest.raises(AttributeError, match="has no attribute 'Playbok'"):
        _ = ace.Playbok  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="has no attribute 'run_steps'"):
        _ = ace.run_steps  # type: ignore[attr-defined]
    assert_type(ace.Playbook().next_number, int)


def test_errors_form_one_tree() -> None:
    """Given the errors, then one clause catches them all, and an endpoint's error is a call's."""
    kinds = (
        ace.SettingsError,
        ace.MarkerError,
        ace.StateError,
        ace.LogError,
        ace.LockedError,
        ace.TraceError,
    )
    assert all(issubclass(kind, ace.AceError) for kind in (*kinds, ace.StepError, ace.CallError))
    assert issubclass(ace.EndpointError, ace.CallError)
