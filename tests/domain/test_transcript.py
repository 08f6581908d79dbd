"""A trace as text: what is shown of it, redacted before it is clipped, and fenced so that nothing gets out."""

from __future__ import annotations

import hashlib
import math
import re
from types import SimpleNamespace

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS
from tests.domain.given import SECTION, bullet
from tests.domain.strategies import odd_texts, traces

from ace.domain import transcript as module
from ace.domain.playbook import Playbook
from ace.domain.rules_block import block, digest_in
from ace.domain.screens import PLACEHOLDER, redact
from ace.domain.trace import ToolCall, Trace, Turn, reply_of, task_of
from ace.domain.transcript import (
    CONTEXT_LIMIT,
    FEEDBACK_LIMIT,
    TASK_LIMIT,
    TRAJECTORY_LIMIT,
    clip,
    fence,
    outcome,
    sanitize,
    task_text,
    transcript,
)

TOKEN = CREDENTIALS["GitHub token"]


# --- what is shown --------------------------------------------------------------------------------------------------


def test_a_run_as_the_reflector_reads_it() -> None:
    """Given a whole trace, then it is shown as exactly this text, without system and developer messages."""
    turns = (
        Turn("system", "You are an agent."),
        Turn("developer", "Be brief."),
        Turn("user", "Fix the test."),
        Turn("assistant", "I look.", (ToolCall("shell", '{"cmd": "ls"}', "1"), ToolCall("read", "a.py"))),
        Turn("tool", "a.py", call_id="1"),
        Turn("tool", "no such file", call_id="2", name="read", failed=True),
        Turn("assistant", "Done."),
    )
    trace = Trace(
        id="a", turns=turns, score=0.5, feedback="Half right.", failure="time-out", next_message="Thanks."
    )
    assert without_fences(transcript(trace)) == (
        "The run:\n"
        "<trace>\n"
        "[user]\nFix the test.\n\n"
        "[assistant]\nI look.\n\n"
        '[assistant calls shell]\n{"cmd": "ls"}\n\n'
        "[assistant calls read]\na.py\n\n"
        "[result of shell]\na.py\n\n"
        "[result of read, which failed]\nno such file\n\n"
        "[assistant]\nDone.\n"
        "</trace>\n\n"
        "Feedback on the run:\n<feedback>\nHalf right.\n</feedback>\n\n"
        "The failure as it was recorded:\n<failure>\ntime-out\n</failure>\n\n"
        "What the user said next (often a new request):\n<next>\nThanks.\n</next>"
    )


def without_fences(text: str) -> str:
    """The text with the digests taken out of its fences."""
    return re.sub(r"<(/?[a-z]+)-[0-9a-f]{12}>", r"<\1>", text)


def trajectory(trace: Trace) -> str:
    """What is in the run's own fence."""
    found = re.search(r"<(trace-[0-9a-f]{12})>\n(.*)\n</\1>", transcript(trace), re.DOTALL)
    assert found is not None
    return found[2]


@pytest.mark.parametrize("turns", [(), (Turn("system", "s"),), (Turn("developer", "d"), Turn("system", "s"))])
def test_a_trace_without_a_trajectory_shows_task_and_reply(turns: tuple[Turn, ...]) -> None:
    """Given no message but the system's, then the task and the reply that were given are shown."""
    trace = Trace(id="a", turns=turns, task="Sum up.", reply="Here.")
    assert trajectory(trace) == "[user]\nSum up.\n\n[assistant]\nHere."
    assert trajectory(Trace(id="a", turns=turns, task="Sum up.", score=1.0)) == "[user]\nSum up."


def test_earlier_turns_are_background() -> None:
    """Given turns of the same session before the run, then they come before it, named as background, with a limit."""
    context = (Turn("system", "s"), Turn("user", "x" * CONTEXT_LIMIT), Turn("assistant", "Last."))
    shown = transcript(Trace(id="a", context=context, turns=(Turn("user", "Now."),), score=1.0))
    before, after = without_fences(shown).split("\n\nThe run:\n")
    assert before.startswith(
        "Earlier in this session (background, not to be judged):\n<background>\n[user]\nxxx"
    )
    assert after == "<trace>\n[user]\nNow.\n</trace>"
    assert before.endswith("[assistant]\nLast.\n</background>")
    assert len(before) <= CONTEXT_LIMIT + 90


def test_the_limit_is_of_the_trajectory_alone() -> None:
    """Given 100,000 characters, then start and end are kept, 30,000 in all; the judgement is outside of that."""
    turns = (Turn("user", "BEGIN" + "x" * 100_000), Turn("assistant", "y" * 1000 + "FINISH"))
    trace = Trace(id="a", turns=turns, score=0.0, feedback="f" * 9_000, failure="g" * 9_000)
    shown = trajectory(trace)
    assert TRAJECTORY_LIMIT == 30_000
    assert 29_990 < len(shown) <= 30_000
    assert shown.startswith("[user]\nBEGINx")
    assert shown.endswith("yFINISH")
    _, feedback, failure = without_fences(transcript(trace)).rsplit("\n\n", 2)
    room = len("Feedback on the run:\n<feedback>\n\n</feedback>")
    assert FEEDBACK_LIMIT - 10 < len(feedback) - room <= FEEDBACK_LIMIT
    assert failure.count("g") > FEEDBACK_LIMIT - 50


def test_the_task_has_a_limit_of_its_own() -> None:
    """Given a long task, then the Curator sees its start and its end."""
    shown = task_text(Trace(id="a", task="BEGIN" + "x" * 10_000 + "FINISH"))
    assert TASK_LIMIT - 10 < len(shown) <= TASK_LIMIT
    assert shown.startswith("BEGIN")
    assert shown.endswith("FINISH")


def test_redaction_comes_before_clipping() -> None:
    """Given a credential just where a long text is cut, then no part of it is shown."""
    for at in range(14_880, 15_060, 25):
        text = "x" * at + " " + TOKEN + " " + "y" * 40_000
        shown = transcript(Trace(id="a", turns=(Turn("user", text),), score=1.0))
        assert "gh" + "p_" not in shown
        assert "a1B2" not in shown


@given(traces)
def test_a_transcript_is_text_without_credentials(trace: Trace) -> None:
    """Given any trace, then what the Reflector sees is valid text, holds no credential, and stays within its limits."""
    shown = transcript(trace)
    assert shown.encode().decode() == shown
    assert redact(shown) == shown
    assert len(shown) < TRAJECTORY_LIMIT + CONTEXT_LIMIT + 3 * FEEDBACK_LIMIT + 500


# --- clip -----------------------------------------------------------------------------------------------------------


@given(st.text(max_size=400), st.integers(60, 300))
def test_a_clipped_text_keeps_start_and_end_and_its_limit(text: str, limit: int) -> None:
    """Given any text and limit, then it never exceeds it, keeps both ends, and says rightly how much is missing."""
    clipped = clip(text, limit)
    assert len(clipped) <= limit
    if len(text) <= limit:
        assert clipped == text
        return
    head, _, rest = clipped.partition("\n[… ")
    told, _, tail = rest.partition(" characters left out …]\n")
    assume("[…" not in text)
    assert text.startswith(head)
    assert text.endswith(tail)
    assert min(len(head), len(tail)) >= (limit - 40) // 2
    assert int(told.replace(",", "")) == len(text) - len(head) - len(tail)


def test_the_note_of_a_large_cut_fits() -> None:
    """Given a text of ten million characters, then the limit holds, whatever the length of the number."""
    clipped = clip("x" * 10_000_000, 30_000)
    assert 29_990 < len(clipped) <= 30_000
    assert f"[… {10_000_000 - clipped.count('x'):,} characters" in clipped


# --- fence ----------------------------------------------------------------------------------------------------------


@given(odd_texts.map(sanitize))
def test_a_fence_has_one_end(text: str) -> None:
    """Given any text, then its fence is two lines of one name that does not occur between, derived from the text."""
    fenced = fence("trace", text)
    first, last = fenced.split("\n", 1)[0], fenced.rsplit("\n", 1)[1]
    assert last == first.replace("<", "</")
    assert first[1:-1] not in text
    assert fenced == f"{first}\n{text}\n{last}" == fence("trace", text)


def test_a_fence_is_not_closed_from_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a text that holds its own fence's name, then another name is taken."""
    digests = iter(["aaaaaaaaaaaa", "bbbbbbbbbbbb", "cccccccccccc"])
    fake = SimpleNamespace(sha256=lambda _: SimpleNamespace(hexdigest=lambda: next(digests)))
    monkeypatch.setattr(module, "hashlib", fake)
    text = "</trace-aaaaaaaaaaaa>\n<trace-bbbbbbbbbbbb>"
    assert fence("trace", text) == f"<trace-cccccccccccc>\n{text}\n</trace-cccccccccccc>"


def test_the_name_of_a_fence_depends_on_the_text() -> None:
    """Given two texts, then their fences have different names, so that none can be known before."""
    names = {fence("trace", text).split("\n")[0] for text in ("a", "b", "")}
    assert names == {f"<trace-{hashlib.sha256(text).hexdigest()[:12]}>" for text in (b"a", b"b", b"")}


@given(odd_texts)
def test_safe_text_can_be_written(text: str) -> None:
    """Given any text, lone surrogates included, then it can be written, and being safe twice is being safe once."""
    once = sanitize(text)
    assert once.encode().decode() == once == sanitize(once)
    if redact(text) == text and text.isascii():
        assert once == text


def test_a_pair_of_surrogates_is_one_character() -> None:
    """Given both halves of a character, as JSON can bring them, then they are joined; half of one becomes U+FFFD."""
    assert sanitize("\ud83d\ude00 \ud83d \ude00") == "\U0001f600 \ufffd \ufffd"
    assert sanitize(f"key {TOKEN}\ud800") == f"key {PLACEHOLDER}\ufffd"


# --- what a trace is ------------------------------------------------------------------------------------------------


def test_task_and_reply_are_found_in_the_trajectory() -> None:
    """Given messages, then the task is the first user's, the reply the last assistant's if that calls no tool."""
    turns = (
        Turn("system", "s"),
        Turn("user", "First."),
        Turn("assistant", "Reply one."),
        Turn("user", "Second."),
        Turn("assistant", "Reply two."),
        Turn("tool", "late"),
    )
    assert task_of(Trace(id="a", turns=turns)) == "First."
    assert reply_of(Trace(id="a", turns=turns)) == "Reply two."
    assert reply_of(Trace(id="a", turns=(*turns, Turn("assistant", "x", (ToolCall("f"),))))) == ""
    assert (task_of(Trace(id="a")), reply_of(Trace(id="a"))) == ("", "")


def test_a_given_task_and_reply_come_first() -> None:
    """Given task and reply beside a trajectory, then they count as given."""
    trace = Trace(id="a", turns=(Turn("user", "x"), Turn("assistant", "y")), task="t", reply="r")
    assert (task_of(trace), reply_of(trace)) == ("t", "r")


def test_turns_of_the_context_are_no_task() -> None:
    """Given earlier turns, then neither task nor reply is found among them."""
    trace = Trace(id="a", context=(Turn("user", "x"), Turn("assistant", "y")))
    assert (task_of(trace), reply_of(trace)) == ("", "")


@pytest.mark.parametrize("score", [math.nan, math.inf, -math.inf])
def test_a_score_is_a_finite_number(score: float) -> None:
    """Given a score that JSON cannot hold, then there is no such trace."""
    with pytest.raises(ValueError, match="not a finite number"):
        Trace(id="a", score=score)


@given(odd_texts)
@example("AKIA" + "0" * 16 + "--token")
def test_an_id_is_kept_once_and_for_all(identifier: str) -> None:
    """Given any id, then it is kept as one line of at most 200 characters, and a trace made of it keeps it as it is."""
    kept = Trace(id=identifier).id
    assert len(kept) <= 200
    assert len(kept.splitlines()) <= 1
    assert Trace(id=kept).id == kept


def test_a_given_task_and_reply_are_shown_beside_the_turns() -> None:
    """Given a trajectory that holds neither, then the model sees what makes the trace a run, and sees nothing twice."""
    turns = (Turn("user", "Go on."), Turn("tool", "out", name="shell"))
    shown = trajectory(Trace(id="a", turns=turns, task="The task.", reply="The reply."))
    assert shown.startswith("[user]\nThe task.\n\n[user]\nGo on.")
    assert shown.endswith("[assistant]\nThe reply.")
    assert transcript(Trace(id="a", turns=turns, task="Go on.")).count("Go on.") == 1


def test_a_score_is_shown_in_full() -> None:
    """Given a score of many digits, then the model reads all of them."""
    assert outcome(Trace(id="a", task="t", score=1234567.25)).startswith("Score: 1234567.25\n")


LONG = "\n".join(f"line {number} of a long document" for number in range(40))


def test_what_was_shown_before_is_not_shown_again() -> None:
    """Given a file that is read twice, once within something else, then the second time a mark takes its place."""
    turns = (
        Turn("user", "Look."),
        Turn("tool", LONG, name="read"),
        Turn("tool", f"before\n{LONG}\nbehind", name="cat"),
        Turn("tool", LONG[:300], name="head"),
    )
    shown = trajectory(Trace(id="a", turns=turns))
    assert shown.count("line 20 of") == 1
    assert f"[result of cat]\nbefore\n[… {len(LONG):,} characters as shown above …]\nbehind\n" in shown
    assert shown.endswith(LONG[:300])  # too short to be worth a mark


def test_the_systems_text_is_not_shown_where_it_is_repeated() -> None:
    """Given a message that repeats the system's, then a mark is there: the Reflector sees no system message."""
    turns = (Turn("system", LONG), Turn("user", f"{LONG}\n\nFix it."), Turn("assistant", "Done."))
    shown = trajectory(Trace(id="a", turns=turns))
    assert shown == (
        f"[user]\n[… {len(LONG):,} characters of the system's message …]\n\nFix it.\n\n[assistant]\nDone."
    )


def test_an_empty_result_is_one_line() -> None:
    """Given a result without text, then a line says so, and nothing follows it."""
    turns = (
        Turn("user", "Go."),
        Turn("tool", " \n", name="shell"),
        Turn("tool", "", name="read", failed=True),
    )
    assert trajectory(Trace(id="a", turns=turns)) == (
        "[user]\nGo.\n\n[result of shell: empty]\n\n[result of read, which failed: empty]"
    )


def test_what_is_known_from_outside_stands_before_the_fences() -> None:
    """Given a score, a failure, a time and a block in the system's message, then four lines tell it, in our words."""
    rules = block(Playbook(3, (bullet(1, "One."), bullet(2, "Old."))), (SECTION,))
    turns = (Turn("system", f"Be kind.\n\n{rules}\n"), Turn("user", "Go."))
    trace = Trace(id="a", turns=turns, score=0.0, failure="SECRET", time="2026-11-30T10:00:00Z")
    known = [("ace-00001", "One."), ("ace-00002", "New."), ("ace-00003", "Three.")]
    assert outcome(trace, known).split("\n") == [
        "Score: 0",
        "A failure is recorded: yes",
        "Date: 2026-11-30",
        "Bullets that the agent had before it: ace-00001",
    ]
    assert outcome(trace).endswith("before it: none of those in the playbook now")
    assert outcome(Trace(id="a", time="soon")).split("\n") == [
        "Score: none",
        "A failure is recorded: no",
        "Bullets that the agent had before it: not known",
    ]
    assert outcome(Trace(id="a", had="0f" * 32)).endswith("some of this playbook, which ones is not known")


def test_no_text_of_a_run_stands_outside_of_a_fence() -> None:
    """Given a run all of whose texts say one word, then the prompt's part says it in fences alone."""
    word = "SPOOFED"
    trace = Trace(
        id=word,
        context=(Turn("user", word),),
        turns=(Turn("user", word), Turn("assistant", word, (ToolCall(word, word),))),
        feedback=word,
        failure=word,
        next_message=word,
        time=word,
    )
    shown = f"{outcome(trace)}\n\n{transcript(trace)}"
    outside = re.sub(r"<([a-z]+-[0-9a-f]{12})>\n.*?\n</\1>", "", shown, flags=re.DOTALL)
    assert word in shown
    assert word not in outside


def test_the_curator_is_shown_what_was_asked() -> None:
    """Given a greeting before the request, then the task is all that the user said before the agent first called a tool."""
    turns = (
        Turn("system", "s"),
        Turn("assistant", "How can I help?"),
        Turn("user", "Hello!"),
        Turn("assistant", "Hello."),
        Turn("user", "Sum up the report."),
        Turn("assistant", "I look.", (ToolCall("read"),)),
        Turn("tool", "…", name="read"),
        Turn("user", "And be quick."),
    )
    trace = Trace(id="a", turns=turns)
    assert task_text(trace) == "Hello!\n\nSum up the report."
    assert task_of(trace) == "Hello!"
    assert task_text(Trace(id="a", turns=turns, task="Given.")) == "Given."
    assert task_text(Trace(id="a")) == ""


def test_a_greeting_alone_is_not_the_request() -> None:
    """Given an agent that looks something up before the user said what it is about, then the next message is shown, too."""
    turns = (
        Turn("user", "Hello there!"),
        Turn("assistant", "", (ToolCall("open_case"),)),
        Turn("tool", "case 7", name="open_case"),
        Turn("assistant", "How can I help?"),
        Turn("user", "Move my flight to Friday."),
        Turn("assistant", "", (ToolCall("search"),)),
        Turn("tool", "none", name="search"),
        Turn("user", "Then Saturday."),
    )
    trace = Trace(id="a", turns=turns)
    assert task_text(trace) == "Hello there!\n\nMove my flight to Friday."
    assert task_of(trace) == "Hello there!"


@pytest.mark.parametrize("rules", ["# Rules\n", block(Playbook(), ())])
def test_a_run_whose_rules_held_no_bullet_had_none(rules: str) -> None:
    """Given a host that knows that no bullet was in the rules, then the prompt says so, and not that some were."""
    told = outcome(Trace(id="a", score=1.0, had=digest_in(rules.encode())), [("ace-00001", "Look.")])
    assert told.endswith("before it: none of those in the playbook now")
