"""Sessions of the pi agent: which exchanges give a run, under which id, with which context."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.adapters.traces import Reading, read_traces
from ace.domain.trace import ToolCall, Turn, reply_of, task_of
from ace.domain.unread import identities

DATA = Path(__file__).parent / "data"

type Entry = dict[str, object]

SESSION: Entry = {"type": "session", "id": "s"}


def _message(role: str, text: str, **more: object) -> Entry:
    return {"type": "message", "message": {"role": role, "content": [{"type": "text", "text": text}], **more}}


def _user(text: str) -> Entry:
    return _message("user", text)


def _reply(text: str, stop: str = "stop") -> Entry:
    return _message("assistant", text, stopReason=stop)


def _work() -> list[Entry]:
    call = {"type": "toolCall", "id": "t", "name": "bash", "arguments": {"command": "ls"}}
    return [
        {"type": "message", "message": {"role": "assistant", "content": [call], "stopReason": "toolUse"}},
        _message("toolResult", "a.py", toolCallId="t", toolName="bash", isError=False),
    ]


def _tree(entry: Entry, entry_id: str, parent: str | None) -> Entry:
    return entry | {"id": entry_id, "parentId": parent}


def _read(folder: Path, *entries: Entry) -> Reading:
    path = folder / "session.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries), encoding="utf-8")
    return read_traces(path, "pi")


def _runs(reading: Reading) -> list[tuple[str, str, str]]:
    return [(trace.id, task_of(trace), reply_of(trace)) for trace in reading.traces]


def test_a_session_is_one_run_an_answered_exchange() -> None:
    """Given a command, work, an abort, a reply and an error, then the two answered exchanges are runs, numbered."""
    reading = read_traces(DATA / "coding-session.jsonl")
    assert (reading.format, reading.unreadable) == ("pi", ())
    assert _runs(reading) == [
        ("5e551011#2", "Fix the failing test.", "The test lies in tests/. Fixed."),
        ("5e551011#3", "Now write the changelog.", "The changelog is written."),
    ]
    # What 0.1.0 called the second, which took the two messages of the user's for two turns.
    assert ("5e551011#4", "continue") in reading.traces[1].aliases


def test_a_run_holds_its_own_exchange_in_full() -> None:
    """Given work with a failed tool, then calls, results and error flag are turns, and reasoning is left out."""
    first = read_traces(DATA / "coding-session.jsonl").traces[0]
    assert first.context == ()
    assert first.turns == (
        Turn("user", "Fix the failing test."),
        Turn("assistant", "I will read it.", (ToolCall("read", '{"path":"test_a.py"}', "t1"),)),
        Turn("tool", "no such file", call_id="t1", name="read", failed=True),
        Turn("assistant", "", (ToolCall("bash", '{"command":"ls"}', "t2"),)),
        Turn("tool", "tests", call_id="t2", name="bash"),
        Turn("assistant", "The test lies in tests/. Fixed."),
    )


def test_context_is_what_was_asked_and_replied_before() -> None:
    """Given earlier exchanges, then context holds their user messages, aborted ones' too, and their final replies."""
    second = read_traces(DATA / "coding-session.jsonl").traces[1]
    assert second.context == (
        Turn("user", "Fix the failing test."),
        Turn("assistant", "The test lies in tests/. Fixed."),
    )
    assert [turn.text for turn in second.turns if turn.role == "user"] == [
        "Now write the changelog.",
        "continue",
    ]


def test_context_is_limited(tmp_path: Path) -> None:
    """Given a long session, then context is its last twenty turns, the newest last."""
    exchanges = [entry for number in range(15) for entry in (_user(f"q{number}"), _reply(f"a{number}"))]
    last = _read(tmp_path, SESSION, *exchanges).traces[-1]
    assert [turn.text for turn in last.context] == [
        f"{who}{number}" for number in range(4, 14) for who in "qa"
    ]


@pytest.mark.parametrize(
    ("stop", "why"),
    [
        ("aborted", "a turn that was interrupted"),
        ("error", "a turn that ended in a failed model call"),
        ("toolUse", "a turn without a reply"),
    ],
)
def test_an_exchange_that_did_not_end_in_a_reply_is_no_run(tmp_path: Path, stop: str, why: str) -> None:
    """Given a last message that was aborted, failed or goes on, then there is no run, whatever its text, and it is counted."""
    reading = _read(tmp_path, SESSION, _user("a"), *_work(), _reply("I will", stop))
    assert reading == Reading((), (), "pi", passed_over={why: 1})


@pytest.mark.parametrize("stop", ["aborted", "error"])
def test_what_follows_an_interruption_joins_it(tmp_path: Path, stop: str) -> None:
    """Given a turn that was interrupted or failed, then what the user says next belongs to it, and 0.1.0's name is an alias."""
    reading = _read(tmp_path, SESSION, _user("a"), _reply("I", stop), _work()[1], _user("b"), _reply("c"))
    assert _runs(reading) == [("s#1", "a", "c")]
    assert reading.traces[0].aliases == (("s#2", "b"),)


@pytest.mark.parametrize("stop", ["stop", "length"])
def test_an_exchange_that_was_retried_counts_by_its_end(tmp_path: Path, stop: str) -> None:
    """Given an error that the agent got over, then the exchange has a reply, also one that was cut off."""
    reading = _read(tmp_path, SESSION, _user("a"), _reply("", "error"), _reply("b", stop))
    assert _runs(reading) == [("s#1", "a", "b")]


def test_without_a_stop_reason_the_calls_decide(tmp_path: Path) -> None:
    """Given messages without stop reason, then one that calls no tool is the reply."""
    call = {"role": "assistant", "content": [{"type": "toolCall", "name": "ls"}]}
    entries: list[Entry] = [_user("a"), {"type": "message", "message": call}, _message("assistant", "b")]
    assert _runs(_read(tmp_path, SESSION, *entries, _user("c"))) == [("s#1", "a", "b")]


@pytest.mark.parametrize("text", ["/", "/mode", "/theme dark", " /skill:x \n", "/the"])
def test_a_slash_command_is_no_task(tmp_path: Path, text: str) -> None:
    """Given a slash command, even one with a reply, then it is not a run, is counted, and the next task is its own."""
    answered = _read(tmp_path, SESSION, _user(text), _reply("what?"), _user("a"), _reply("b"))
    unanswered = _read(tmp_path, SESSION, _user(text), _user("a"), _reply("b"))
    assert _runs(answered) == _runs(unanswered) == [("s#2", "a", "b")]
    assert answered.traces[0].context == ()


@pytest.mark.parametrize("text", ["/etc/hosts is wrong", "/mode\nis what I typed", "no, /mode"])
def test_a_path_or_a_sentence_is_no_command(tmp_path: Path, text: str) -> None:
    """Given a path, several lines or a slash inside a sentence, then it is a task."""
    assert _runs(_read(tmp_path, SESSION, _user(text), _reply("b"))) == [("s#1", text, "b")]


def test_messages_sent_while_the_agent_works_belong_to_the_exchange(tmp_path: Path) -> None:
    """Given messages queued before the reply, then they and all work are one run; later ones are the next."""
    reading = _read(
        tmp_path,
        SESSION,
        _user("a"),
        _user("b"),
        *_work(),
        _user("c"),
        *_work(),
        _reply("d"),
        _user("e"),
        _reply("f"),
    )
    assert _runs(reading) == [("s#1", "a", "d"), ("s#2", "e", "f")]
    assert [turn.role for turn in reading.traces[0].turns].count("user") == 3
    assert [turn.text for turn in reading.traces[1].context] == ["a", "b", "c", "d"]


def test_entries_and_messages_of_other_kinds_are_passed_over(tmp_path: Path) -> None:
    """Given compactions, shell commands of the user's, and work before any user message, then none is a turn."""
    others: list[Entry] = [
        {"type": "compaction", "summary": "x"},
        _message("bashExecution", "x"),
        {"type": "new"},
    ]
    reading = _read(tmp_path, SESSION, *_work(), _reply("x"), _user("a"), *others, _reply("b"))
    assert reading.unreadable == ()
    assert [turn.text for turn in reading.traces[0].turns if turn.role != "system"] == ["a", "b"]
    assert reading.unknown_keys == {"new": 1}


def test_damaged_entries_are_named(tmp_path: Path) -> None:
    """Given entries of no known shape, then they are named by line, and the exchange around them is read."""
    damaged: list[Entry] = [
        {"type": "message"},
        {"type": "message", "message": {"role": "assistant", "tool_calls": 5}},
        {"id": "x"},
    ]
    reading = _read(tmp_path, SESSION, _user("a"), *damaged, _reply("b"))
    assert [(unreadable.line, unreadable.reason) for unreadable in reading.unreadable] == [
        (3, "its message is not an object"),
        (4, "its tool_calls are not a list"),
        (5, "an entry without a type"),
    ]
    assert _runs(reading) == [("s#1", "a", "b")]


@pytest.mark.parametrize("header", [[], [{"type": "session"}], [{"type": "session", "id": "a\nb"}]])
def test_without_a_session_id_runs_are_called_by_their_content(tmp_path: Path, header: list[Entry]) -> None:
    """Given no session entry, or one without a usable id, then runs have digests for ids."""
    (trace,) = _read(tmp_path, *header, _user("a"), _reply("b")).traces
    assert trace.id.startswith("sha256-")


def test_several_sessions_in_one_file(tmp_path: Path) -> None:
    """Given sessions one after the other, then each counts from one and has its own context; a copy is named."""
    exchange = [_user("a"), _reply("b")]
    other: Entry = {"type": "session", "id": "t"}
    reading = _read(tmp_path, SESSION, *exchange, other, *exchange, SESSION, *exchange)
    assert [(trace.id, trace.context) for trace in reading.traces] == [("s#1", ()), ("t#1", ())]
    assert [(unreadable.line, unreadable.reason) for unreadable in reading.unreadable] == [
        (8, "the same run as line 2")
    ]


def test_a_branch_has_the_context_of_its_own_branch(tmp_path: Path) -> None:
    """Given a user who went back and tried again, then both branches are runs, and neither is the other's context."""
    reading = _read(
        tmp_path,
        SESSION,
        _tree(_user("root"), "1", None),
        _tree(_reply("r"), "2", "1"),
        _tree({"type": "model_change"}, "3", "2"),
        _tree(_user("left"), "4", "3"),
        _tree(_reply("l"), "5", "4"),
        _tree(_user("right"), "6", "3"),
        _tree(_reply("x"), "7", "6"),
        _tree(_user("afresh"), "8", None),
        _tree(_reply("y"), "9", "8"),
        _tree(_user("left again"), "10", "5"),
        _tree(_reply("z"), "11", "unknown"),
    )
    assert [
        (trace.id, task_of(trace), [turn.text for turn in trace.context]) for trace in reading.traces
    ] == [
        ("s#1", "root", []),
        ("s#2", "left", ["root", "r"]),
        ("s#3", "right", ["root", "r"]),
        ("s#4", "afresh", []),
        ("s#5", "left again", ["root", "r", "left", "l"]),
    ]


STEPS = st.sampled_from(["user", "/mode", "work", "stop", "aborted", "error"])


def _entries(steps: list[str]) -> list[Entry]:
    entries: list[Entry] = []
    for number, step in enumerate(steps):
        if step == "work":
            entries.extend(_work())
        elif step in {"user", "/mode"}:
            entries.append(_user(f"task {number}" if step == "user" else step))
        else:
            entries.append(_reply(f"reply {number}", step))
    return entries


@given(earlier=st.lists(STEPS), later=st.lists(STEPS))
@settings(deadline=None)
def test_a_session_that_grew_keeps_its_runs(
    tmp_path_factory: pytest.TempPathFactory, earlier: list[str], later: list[str]
) -> None:
    """Given a session read twice, with more at its end the second time, then every run that was over is the same one.

    The last exchange may have been under way, so it alone may differ, and an id never comes to mean another task.
    """
    folder = tmp_path_factory.getbasetemp()
    before = _read(folder, SESSION, *_entries(earlier)).traces
    after = _read(folder, SESSION, *_entries([*earlier, *later])).traces
    assert before[:-1] == after[: len(before[:-1])]
    tasks = {trace.id: task_of(trace) for trace in after}
    assert all(tasks.get(trace.id, task_of(trace)) == task_of(trace) for trace in before)


@given(steps=st.lists(STEPS))
@settings(deadline=None)
def test_no_exchange_is_in_two_runs(tmp_path_factory: pytest.TempPathFactory, steps: list[str]) -> None:
    """Given any session, then runs share no message, each begins with the user, and each ends in a reply."""
    runs = _read(tmp_path_factory.getbasetemp(), SESSION, *_entries(steps)).traces
    said = [
        turn.text
        for trace in runs
        for turn in trace.turns
        if turn.role in {"user", "assistant"} and not turn.calls
    ]
    assert len([text for text in said if text != "/mode"]) == len({text for text in said if text != "/mode"})
    assert all(trace.turns[0].role == "user" and reply_of(trace).startswith("reply ") for trace in runs)


def _stamped(entries: list[Any], offset: int = 0) -> list[Any]:
    """The entries with ids and times, as newer files have them."""
    return [
        {**entry, "id": f"{number + offset:08x}", "timestamp": f"2026-03-01T10:{number + offset:02d}:00.000Z"}
        for number, entry in enumerate(entries)
    ]


@pytest.mark.parametrize(
    "stamp", [_stamped, lambda entries: [{**e, "timestamp": f"t{n}"} for n, e in enumerate(entries)]]
)
def test_a_fork_holds_the_runs_of_its_parent(tmp_path: Path, stamp: Any) -> None:
    """Given a session and a copy of it that goes on, then the copied exchanges are the same runs, and the new one is not."""
    entries = stamp(_entries(["user", "stop", "user", "stop"]))
    more = _stamped(_entries(["user", "stop"]), 30)
    parent = _read(tmp_path, SESSION, *entries).traces
    fork = _read(tmp_path, {**SESSION, "id": "fork", "parentSession": "x.jsonl"}, *entries, *more).traces
    assert [
        bool(set(identities(one)) & set(identities(other))) for one, other in zip(parent, fork, strict=False)
    ] == [True, True]
    assert {one.id for one in parent}.isdisjoint(one.id for one in fork)
    assert not {name for one in parent for name in identities(one)} & set(identities(fork[2]))


def test_the_same_words_at_another_time_are_another_run(tmp_path: Path) -> None:
    """Given "go on" twice in one session, then these are two runs."""
    entries = _stamped([_user("go on"), _reply("a", "stop"), _user("go on"), _reply("b", "stop")])
    one, other = _read(tmp_path, SESSION, *entries).traces
    assert set(identities(one)).isdisjoint(identities(other))
