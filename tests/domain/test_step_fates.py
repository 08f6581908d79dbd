"""What becomes of runs whose calls fail, whose replies are unusable, or that were seen before."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from tests.domain.given import (
    P1,
    SECTION,
    STEP,
    add,
    curation,
    reflection,
    run,
    tag,
    take_step,
    was_read,
    was_skipped,
)

from ace.domain.patience import LIMIT, Patience
from ace.domain.playbook import key_of
from ace.domain.settings import ACESettings
from ace.domain.step import REFLECTION_LIMIT, CallFailed, Reply, Stopped, run_step
from ace.domain.trace import Trace, Turn
from ace.domain.unread import Past, Pending
from ace.events.types import BulletAdded, DuplicateRejected, Refused, RunRead, RunSkipped, TagCounted

NO_JSON = "the reply holds no complete JSON object"
PENDING = Past(read=4, pending=Pending(of=4, insight="Look first.", reflection="It went so.", unusable=0))


def heard() -> Patience:
    """Of a command in which some reply was usable already."""
    patience = Patience()
    patience.usable()
    return patience


# --- the Curator alone ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("reply", "use"), [(CallFailed("HTTP 500"), "failed call"), ("Sure!", "unusable reply")]
)
def test_a_reflection_that_was_not_used_is_kept(reply: Reply, use: Any) -> None:
    """Given a Curator that fails, then tags count and the event keeps what it was to be shown, word for word."""
    taken = take_step(P1, [run()], [reflection(tag(1)), reply])
    (_, event) = taken.events
    assert isinstance(event, RunRead)
    assert event.curation == use
    assert event.reflection in taken.calls[1].parts["reflection"]
    assert event.reflection.endswith("Key insight: Read the test first.")


def test_a_reflection_that_is_kept_has_a_limit() -> None:
    """Given a very long reflection, then what is shown and kept is its start and its end."""
    long = reflection(analysis="x" * 50_000, insight="y" * 50_000)
    taken = take_step(P1, [run()], [long, CallFailed("HTTP 500")])
    (event,) = taken.events
    assert isinstance(event, RunRead)
    assert REFLECTION_LIMIT - 100 < len(event.reflection) <= REFLECTION_LIMIT
    assert event.reflection in taken.calls[1].parts["reflection"]
    assert (event.reflection.count("x") > 7_000, event.reflection.count("y") > 7_000) == (True, True)


def test_the_curator_alone_is_asked_again() -> None:
    """Given a run whose Curator is still to be asked, then no Reflector is, no tag counts again, and the line is named."""
    taken = take_step(P1, [run()], [curation(add("Run the tests."))], pasts=[PENDING])
    assert [call.role for call in taken.calls] == ["curator"]
    assert "It went so." in taken.calls[0].parts["reflection"]
    assert taken.events == (
        BulletAdded("a", 0, "ace-00002", SECTION, "Run the tests.", STEP),
        was_read(insight="Look first.", of=4),
    )


def test_the_last_unusable_reply_of_the_curator_says_so() -> None:
    """Given two unusable replies of the Curator before, then the third is told to be the last."""
    spent = Past(read=4, pending=Pending(of=4, insight="i", reflection="r", unusable=2))
    (event,) = take_step(P1, [run()], ["no JSON"], pasts=[spent]).events
    assert isinstance(event, RunRead)
    assert (event.curation, event.of, event.reflection) == ("unusable reply", 4, "")
    assert event.reason == f"{NO_JSON}; after 3 such replies it is not asked again"


# --- seen before ----------------------------------------------------------------------------------------------------


def test_what_is_settled_is_not_asked_about() -> None:
    """Given runs of the past that are settled, then no call is made, and each is told to be given twice, with why."""
    pasts = [Past(read=9), Past(unusable=3)]
    taken = take_step(P1, [run("a"), run("b")], [], pasts=pasts)
    assert taken.calls == ()
    assert taken.events == (
        was_skipped("a", "given twice", "line 9 of the log has read it"),
        was_skipped("b", "given twice", "given up after unusable replies"),
    )


def test_a_run_that_stands_twice_in_a_step_is_read_once() -> None:
    """Given the same run twice, by id and task or by an alias, and another task under that id, then two runs are read."""
    alias = Trace(id="copy", task=run().task, reply="Done.", aliases=(("a", run().task),))
    given_traces = [run("a"), run("a", reply="Other."), alias, run("a", task="Another task.")]
    taken = take_step(P1, given_traces, [reflection(), curation()] * 2)
    told = [
        (event.trace, type(event).__name__, getattr(event, "reason", ""))
        for event in taken.events
        if isinstance(event, RunRead | RunSkipped)
    ]
    assert told == [
        ("a", "RunRead", ""),
        ("a", "RunSkipped", "given twice"),
        ("copy", "RunSkipped", "given twice"),
        ("a", "RunRead", ""),
    ]


def test_a_call_in_the_middle_does_not_take_the_place_of_its_run() -> None:
    """Given a call in the middle and the whole run under one id, then the run is read."""
    middle = Trace(id="a", turns=(Turn("user", run().task),))
    taken = take_step(P1, [middle, run("a")], [reflection(), curation()])
    assert taken.events == (was_skipped("a", "middle of a run"), was_read("a"))


# --- unusable replies -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("replies", "attempts"),
    [
        (["no", reflection(), curation()], [1]),
        ([reflection(), curation(), "no"], [1]),
        (["no", "no"], [0, 0]),
        (["no", reflection(), "no", "no"], [1, 1]),
    ],
)
def test_an_unusable_reply_counts_where_the_model_is_known_to_give_usable_ones(
    replies: list[Reply], attempts: list[int]
) -> None:
    """Given unusable replies, then they count if any reply of the step, before or behind, was usable."""
    names = "abcd"[
        : sum(1 for reply in replies if reply != curation())
        - (replies[1:2] == [reflection()] and len(replies) == 4)
    ]
    taken = take_step(P1, [run(name) for name in names], replies)
    found = [event.attempt for event in taken.events if isinstance(event, RunSkipped)]
    assert found == attempts


def test_an_unusable_reply_counts_in_a_command_that_heard_a_usable_one() -> None:
    """Given an earlier step of the command with a usable reply, then this step's unusable one counts, on top of the past."""
    taken = take_step(P1, [run()], ["no"], pasts=[Past(unusable=1)], patience=heard())
    assert taken.events == (was_skipped("a", "unusable reply", NO_JSON, attempt=2),)
    (event,) = take_step(P1, [run()], ["no"], pasts=[Past(unusable=2)], patience=heard()).events
    assert event == was_skipped(
        "a", "unusable reply", f"{NO_JSON}; after 3 such replies the run is passed over", attempt=3
    )


# --- an end of the calls --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", ["no JSON", CallFailed("cut off at the token limit")])
def test_three_calls_in_vain_before_any_usable_reply_end_the_step(reply: Reply) -> None:
    """Given a model that gives nothing usable, then three calls are made for eight runs, and the rest is to be read."""
    taken = take_step(P1, [run(str(number)) for number in range(8)], [reply] * LIMIT)
    assert len(taken.calls) == LIMIT
    assert taken.outcome.stopped is not None
    assert not taken.outcome.stopped.is_permanent
    rest = taken.events[LIMIT:]
    assert [event.reason for event in rest if isinstance(event, RunSkipped)] == ["failed call"] * 5
    assert all(isinstance(event, RunSkipped) and event.detail.startswith("not asked: ") for event in rest)


def test_once_a_reply_was_usable_nothing_ends_the_step() -> None:
    """Given one usable reply, then every run behind it is asked about, however many replies are not."""
    replies: list[Reply] = ["no", "no", reflection(), curation(), *["no"] * 6]
    taken = take_step(P1, [run(str(number)) for number in range(9)], replies)
    assert taken.outcome.stopped is None
    assert sum(isinstance(event, RunSkipped) for event in taken.events) == 8


def test_the_calls_of_a_command_count_together() -> None:
    """Given steps of one run each, then the third without success is the last of the command."""
    patience = Patience()
    for name in "ab":
        take_step(P1, [run(name)], ["no"], patience=patience)
        assert not patience.is_spent
    take_step(P1, [run("c"), run("d")], ["no"], patience=patience)
    assert patience.is_spent


def test_a_prompt_that_is_too_long_says_nothing_of_the_others() -> None:
    """Given many runs that are too long for the model, then the others are asked about, and each failure is known as such."""
    long = CallFailed("the prompt is too long", too_long=True)
    taken = take_step(P1, [run(name) for name in "abcde"], [long, long, long, long, reflection(), curation()])
    assert taken.outcome.stopped is None
    assert [failed.too_long for failed in taken.outcome.failed_calls] == [True] * 4
    assert all(failed.shown > 0 for failed in taken.outcome.failed_calls)


def test_what_got_through_is_kept_when_the_endpoint_fails_for_good() -> None:
    """Given spent quota at the fifth call of six runs, then two runs are whole, no more calls are made, the rest is left."""
    spent = CallFailed("the account's quota is spent", is_permanent=True)
    replies: list[Reply] = [
        reflection(tag(1)),
        curation(),
        reflection(),
        curation(add("Run the tests.")),
        spent,
    ]
    taken = take_step(P1, [run(name) for name in "abcdef"], replies)
    assert taken.outcome.stopped == Stopped("the account's quota is spent", is_permanent=True)
    assert not taken.outcome.failed
    assert [event.trace for event in taken.events if isinstance(event, RunRead)] == ["a", "b"]
    left = [event for event in taken.events if isinstance(event, RunSkipped)]
    assert [(event.trace, event.reason) for event in left] == [(name, "failed call") for name in "cdef"]
    assert taken.outcome.failed_calls == ()


def test_an_endpoint_that_fails_for_good_at_the_curator_keeps_the_tags() -> None:
    """Given spent quota at the Curator's call, then the tags count and the Curator is to be asked later."""
    taken = take_step(
        P1, [run("a"), run("b")], [reflection(tag(1)), CallFailed("no credit", is_permanent=True)]
    )
    assert taken.events[0] == TagCounted("a", 0, "ace-00001", "helpful")
    assert taken.events[1] == was_read("a", "failed call", "no credit")


# --- screens of others ----------------------------------------------------------------------------------------------


def screened(before: Any, contents: Sequence[str], **more: Any) -> list[Any]:
    """The events of a curation with these contents."""
    taken = take_step(before, [run()], [reflection(), curation(*map(add, contents))], **more)
    return [event for event in taken.events if not isinstance(event, RunRead)]


def test_the_hosts_own_screen_costs_one_lesson() -> None:
    """Given a host's screen, then it sees the line as it will be in the block, and what it refuses costs itself alone."""
    seen: list[str] = []

    def screen(line: str) -> str | None:
        seen.append(line)
        return "never mind why" if "task-specific" in line else None

    told = screened(
        P1, ["Keep the task-specific configuration.", "Run the tests.", "<|im_start|>"], screen=screen
    )
    assert told == [
        Refused("a", 0, "the host's screen"),
        BulletAdded("a", 1, "ace-00002", SECTION, "Run the tests.", STEP),
        Refused("a", 2, "an instruction override (a token of a chat template)"),
    ]
    assert seen == [
        "- [ace-00002] helpful=0 harmful=0 :: Keep the task-specific configuration.",
        "- [ace-00002] helpful=0 harmful=0 :: Run the tests.",
    ]


def test_a_host_s_screen_that_raises_ends_the_step() -> None:
    """Given a screen that fails, then the step ends with its error, and there is no outcome."""

    def screen(_: str) -> str | None:
        raise RuntimeError("the screen is broken")

    with pytest.raises(RuntimeError, match="the screen is broken"):
        screened(P1, ["Run the tests."], screen=screen)


def test_a_text_that_a_person_took_out_does_not_come_back() -> None:
    """Given a withdrawn text, then an ADD of it is refused in these words, whatever case and blanks; others are not."""
    gone = {key_of("Run the tests twice.")}
    told = screened(
        P1, ["run  the TESTS twice.", "Run the tests three times.", P1.bullets[0].content], withdrawn=gone
    )
    assert told == [
        Refused("a", 0, "a person took this text out"),
        BulletAdded("a", 1, "ace-00002", SECTION, "Run the tests three times.", STEP),
        DuplicateRejected("a", 2, "ace-00001", 0),
    ]


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [True, 1.5, "7", None, 2**63, b"1"])
def test_a_step_s_number_is_a_whole_number(number: Any) -> None:
    """Given anything else, then the step does not begin."""
    generator = run_step(P1, [run()], ACESettings(), rules_lines={}, step=number)
    with pytest.raises(ValueError, match="not a whole number"):
        next(generator)


def test_the_limit_of_what_is_shown_is_a_setting() -> None:
    """Given a limit of 1,000 characters, then a long trajectory is shown so far, its start and its end."""
    long = Trace(id="a", turns=(Turn("user", "first " + "x" * 9_000 + " last"), Turn("assistant", "Done.")))
    taken = take_step(
        P1, [long], [reflection(), curation()], settings=ACESettings(max_trace_characters=1_000)
    )
    shown = taken.calls[0].parts["trace"]
    assert len(shown) < 1_200
    assert "first" in shown
    assert "Done." in shown
