"""What a run is known by, and what the log says of it."""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS
from tests.domain.given import run
from tests.domain.strategies import odd_texts, traces

from ace.domain.screens import PLACEHOLDER, safe_excerpt
from ace.domain.trace import Trace, Turn, is_run, task_of
from ace.domain.unread import TRIES, Past, Said, id_digest, identities, identity, past_of, task_digest
from ace.events.types import RunRead, RunSkipped

RUN = run("a", task="Fix the test.")
DIGEST = hashlib.sha256(b"Fix the test.").hexdigest()


def read(
    curation: Literal["used", "unusable reply", "failed call"] = "used", *, of: int = 0, **more: Any
) -> RunRead:
    """The run was reflected on; a reflection that was not used is kept."""
    kept = {"reflection": "It went so."} if curation != "used" and not of else {}
    return RunRead("a", None, "", "Look first.", curation, of=of, **{"task_digest": DIGEST, **kept, **more})


def unusable(attempt: int, **more: Any) -> RunSkipped:
    """The Reflector's reply held no answer."""
    return RunSkipped("a", "unusable reply", attempt=attempt, **{"task_digest": DIGEST, **more})


def past(*events: RunRead | RunSkipped, trace: Trace = RUN) -> Past:
    """What lines 1, 2, 3, … of a log say of the run."""
    return past_of(trace, [Said(seq, f"t{seq}", event) for seq, event in enumerate(events, 1)])


# --- who a run is ---------------------------------------------------------------------------------------------------


def test_a_run_is_its_id_and_its_whole_task() -> None:
    """Given two tasks that begin alike, under one id, then they are two runs; the task is taken unredacted."""
    one, other = (run("a", task="x" * 223 + end) for end in "ab")
    assert identity(one) != identity(other)
    assert identity(RUN) == ("a", DIGEST)
    secret = run("a", task=CREDENTIALS["GitHub token"])
    assert identity(secret)[1] == hashlib.sha256(secret.task.encode()).hexdigest()


def test_aliases_are_identities_of_the_same_run() -> None:
    """Given a trace with aliases, then a line under one of them speaks of this run, and so does one that names it so."""
    copied = Trace(id="fork#1", task="Fix the test.", reply="r", aliases=(("a", "Fix the test."),))
    assert identities(copied) == (("fork#1", DIGEST), ("a", DIGEST))
    assert past(read(), trace=copied).read == 1
    assert past(RunRead("other", None, "", "", "used", aliases=(("a", DIGEST),), task_digest="x")).read == 1
    assert past(read(), trace=run("b", task="Fix the test.")) == Past()


@given(odd_texts)
def test_an_id_compares_the_same_however_it_was_kept(given_id: str) -> None:
    """Given any id, then what a trace keeps of it is compared as the id itself is."""
    assert id_digest(run(given_id).id) == id_digest(given_id)


@given(traces)
def test_any_trace_has_identities(trace: Trace) -> None:
    """Given any trace, lone surrogates included, then it has identities, and a line with one of them is about it."""
    name, digest = identity(trace)
    event = RunRead(name, None, "", "", "used", task_digest=digest)
    assert past(event, trace=trace).read == 1


# --- what is left to be read ----------------------------------------------------------------------------------------


def test_a_run_of_which_nothing_is_known_is_to_be_read() -> None:
    """Given lines about other runs, then there is something left."""
    others = (
        RunRead("b", None, "", "", "used", task_digest=DIGEST),
        RunRead("a", None, "", "", "used", task_digest="1"),
    )
    assert past(*others) == Past()
    assert past(*others).settled(RUN) is None


def test_a_run_that_was_read_is_settled() -> None:
    """Given a line that read the run, then nothing is left, and the line is named."""
    assert past(read()).settled(RUN) == "line 1 of the log has read it"


@pytest.mark.parametrize("use", ["failed call", "unusable reply"])
def test_the_curator_alone_is_left(use: Any) -> None:
    """Given a reflection that the Curator did not use, then the Curator alone is to be asked, with what it was to be shown."""
    found = past(read(use))
    assert found.settled(RUN) is None
    assert found.pending is not None
    assert (found.pending.of, found.pending.insight, found.pending.reflection) == (
        1,
        "Look first.",
        "It went so.",
    )
    assert past(read(use), read(of=1)).settled(RUN) is not None
    assert past(read(use), read("failed call", of=1)).pending == found.pending


@pytest.mark.parametrize(
    ("uses", "left"),
    [
        (["unusable reply"] * 2, True),
        (["unusable reply"] * 3, False),
        (["failed call", "unusable reply", "unusable reply"], True),
        (["failed call", "unusable reply", "failed call", "unusable reply", "unusable reply"], False),
        (["failed call"] * 9, True),
    ],
)
def test_three_unusable_replies_to_one_reflection_end_the_asking(uses: list[Any], *, left: bool) -> None:
    """Given what became of a reflection so far, then the Curator is asked again unless three replies were unusable."""
    first, *later = uses
    found = past(read(first), *(read(use, of=1) for use in later))
    assert (found.pending is not None) == left
    assert (found.settled(RUN) is None) == left


def test_a_new_reflection_takes_the_place_of_the_one_before() -> None:
    """Given a run that was read again, then what was left of the first reflection is left no more."""
    assert past(read("failed call"), read()).settled(RUN) is not None
    again = past(read("failed call"), read("failed call", reflection="Newer."))
    assert again.pending is not None
    assert (again.pending.of, again.pending.reflection) == (2, "Newer.")


def test_an_unusable_reply_counts_if_it_says_so() -> None:
    """Given unusable replies, then those that did not count leave no mark, and the third that did ends the asking."""
    assert past(unusable(0), unusable(0), unusable(0), unusable(0)).settled(RUN) is None
    assert past(unusable(1), unusable(0), unusable(2)).unusable == 2
    assert past(unusable(1), unusable(2), unusable(TRIES)).settled(RUN) == "given up after unusable replies"
    assert past(unusable(1), unusable(2), read()).unusable == 0


def test_failed_calls_and_limits_leave_a_run_to_be_read() -> None:
    """Given a failed call or a limit, then the run is to be read; of a failure, the time is known."""
    found = past(
        RunSkipped("a", "over the limit", task_digest=DIGEST),
        RunSkipped("a", "failed call", task_digest=DIGEST),
    )
    assert found.settled(RUN) is None
    assert found.tried == "t2"
    assert past(RunSkipped("a", "over the limit", task_digest=DIGEST)).tried == ""


def test_a_call_in_the_middle_is_known_until_the_run_is_whole() -> None:
    """Given a call in the middle of a run, then it is not looked at again, and the whole run is."""
    middle = Trace(id="a", turns=(Turn("user", "Fix the test."),))
    assert not is_run(middle)
    found = past(RunSkipped("a", "middle of a run", task_digest=DIGEST))
    assert found.settled(middle) is not None
    assert found.settled(RUN) is None


# --- lines of 0.1.0 -------------------------------------------------------------------------------------------------


def old(task: str, curation: Any = "used") -> RunRead:
    """A line as 0.1.0 wrote it: an excerpt of the task, and no digest."""
    return RunRead("a", None, task, "i", curation)


@pytest.mark.parametrize(
    "task",
    [
        "Fix the test.",
        "  Fix\n the\u2028test.",
        "x" * 500,
        f"Log in with {CREDENTIALS['GitHub token']} and stop.",
        "",
    ],
)
def test_a_line_of_0_1_0_is_compared_by_its_excerpt(task: str) -> None:
    """Given a run that 0.1.0 read, then it is known by id and excerpt, and another task under that id is not."""
    trace = run("a", task=task) if task else Trace(id="a", reply="r")
    assert past(old(safe_excerpt(task)), trace=trace).settled(trace) is not None
    assert past(old(safe_excerpt("Another task.")), trace=trace) == Past()
    assert past(old(safe_excerpt(task)), trace=run("b", task=task or "x")) == Past()


@pytest.mark.parametrize("use", ["failed call", "unusable reply"])
def test_0_1_0_kept_no_reflection(use: Any) -> None:
    """Given a line of 0.1.0 whose Curator was not reached, then the run counts as read, as it did then."""
    assert past(old("Fix the test.", use)).settled(RUN) is not None


def test_0_1_0_asked_once() -> None:
    """Given an unusable reply in a line of 0.1.0, then the run is not asked about again, whatever its task."""
    assert past(RunSkipped("a", "unusable reply")).settled(RUN) is not None
    assert past(RunSkipped("b", "unusable reply")).settled(RUN) is None


@pytest.mark.parametrize(
    ("kept", "task", "same"),
    [
        (f"Log in with {PLACEHOLDER} and stop.", "Log in  with the-key-of-then and stop.", True),
        (f"Log in with {PLACEHOLDER} and stop.", "Log in with the-key-of-then and go.", False),
        (f"Log in with {PLACEHOLDER}", "Log in with it", True),
        (f"{PLACEHOLDER} is the key", "abc is the key", True),
        (f"{PLACEHOLDER} is the key", "abc is the key of the door", False),
        (f"{PLACEHOLDER} and {PLACEHOLDER}", "one and two", True),
        (f"{PLACEHOLDER} and {PLACEHOLDER}", "one or two", False),
        ("Send it to [redacted cre…", "Send it to the-key, please, and then go on with the rest", True),
        ("Send it…", "Sent it", False),
        ("a", "ab", False),
    ],
)
def test_screens_that_see_more_do_not_make_a_known_run_unknown(kept: str, task: str, *, same: bool) -> None:
    """Given an excerpt of other screens than today's, then a task fits it where what was left of it fits."""
    assert (past(old(kept), trace=run("a", task=task)).read == 1) == same


@given(odd_texts.filter(bool))
def test_every_excerpt_fits_its_own_task(task: str) -> None:
    """Given any task, then a line of 0.1.0 about it is recognised."""
    trace = run("a", task=task)
    assert past(old(safe_excerpt(task_of(trace))), trace=trace).read == 1


@given(st.text())
def test_a_digest_is_of_valid_text(task: str) -> None:
    """Given any text, then its digest is 64 hexadecimal digits."""
    assert len(task_digest(task)) == 64
