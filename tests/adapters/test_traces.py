"""Files of recorded runs: what is recognised, read, named and refused. Messages and pi have tests of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ace.adapters.traces import FORMATS, Format, Reading, Unreadable, read_traces
from ace.adapters.traces.lines import compact_json
from ace.domain.errors import TraceError
from ace.domain.trace import ToolCall, Trace, Turn, is_run, reply_of, task_of
from ace.domain.unread import identity

DATA = Path(__file__).parent / "data"
SECRET = "hunter2"  # noqa: S105 -- what no reason may quote

type Write = Callable[[bytes], Path]


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Return a function that writes bytes to a file and returns its path; each call overwrites the last."""
    path = tmp_path_factory.mktemp("traces") / "runs.jsonl"

    def write_bytes(data: bytes) -> Path:
        path.write_bytes(data)
        return path

    return write_bytes


def _lines(*values: object) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


def _chat(reply: str = "Done.", **more: object) -> dict[str, object]:
    messages = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": reply}]
    return {"messages": messages, **more}


def _reasons(reading: Reading) -> list[tuple[int, str]]:
    return [(unreadable.line, unreadable.reason) for unreadable in reading.unreadable]


# Formats


def test_runs_of_a_tool_calling_agent() -> None:
    """Given OpenAI messages with scores, then each line is a trace with its task, calls, score and feedback."""
    reading = read_traces(DATA / "shop-runs.jsonl")
    first, second, third = reading.traces
    assert (reading.format, reading.unreadable) == ("openai", ())
    assert [trace.id for trace in reading.traces] == ["shop-1", "shop-2", "shop-3"]
    assert [trace.score for trace in reading.traces] == [1.0, 0.0, None]
    assert task_of(first) == "Where is my order 4711?"
    assert reply_of(first) == "It was shipped; it should arrive on Friday."
    assert second.turns[2].calls == (ToolCall("cancel_order", '{"order": 12,', "call_1"),)
    assert second.feedback == '{"expected":"cancelled","found":"open"}'
    assert reply_of(second) == ""
    assert is_run(second)
    assert third.turns[3] == Turn("tool", "timeout", call_id="toolu_1", failed=True)


def test_our_own_schema(write: Write) -> None:
    """Given traces as msgspec writes them, then they come back equal, with unknown keys and nulls passed over."""
    traces = (
        Trace(id="a", turns=(Turn("user", "x"), Turn("assistant", "y", (ToolCall("f"),))), score=0.5),
        Trace(
            id="b", task="t", reply="r", feedback="f", failure="crashed", context=(Turn("user", "before"),)
        ),
        Trace(id="d", reply="r", aliases=(("x", "t"),), next_message="Thanks.", time="t", had="0f" * 32),
    )
    newer = b'{"id":"c","reply":"r","score":null,"feedback":null,"mood":"good"}'
    reading = read_traces(write(b"\n".join([*map(msgspec.json.encode, traces), newer])))
    assert reading == Reading((*traces, Trace(id="c", reply="r")), (), "ace", (), {"mood": 1})


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"turns": [{"role": "user", "text": "t"}]}, "ace"),
        ({"task": "t"}, "ace"),
        ({"reply": "r"}, "ace"),
        ({"task": "t", "reply": "r", "steps": [{"action": "ls"}]}, "ace"),
        ({"task": "t", "score": 1, "suite": "nightly"}, "ace"),
        ({"turns": [], "task": "t", "messages": []}, "ace"),
        ({"messages": []}, "openai"),
        ({"task": "t", "messages": []}, "openai"),
        ({"type": "session", "id": "s"}, "pi"),
        ({"type": "message", "message": {"role": "user", "content": "x"}}, "pi"),
    ],
)
def test_the_first_object_tells_the_format(write: Write, value: object, expected: str) -> None:
    """Given a first object of a known format, behind lines that are none, then its keys say which the file has."""
    reading = read_traces(write(b"{broken\n" + _lines({"comment": "a header"}, value)))
    assert reading.format == expected
    assert [flaw.line for flaw in reading.unreadable] == [1, 2]


def test_an_unknown_format_is_refused(write: Write) -> None:
    """Given no object of a known format, then the error names the first one's line and the formats there are."""
    with pytest.raises(
        TraceError,
        match=r"runs\.jsonl, line 2, is in no format known here\. It looks like an object with the keys `type`, `message`, "
        r"and the nearest that is read is claude-code: ",
    ):
        read_traces(write(b"\n" + _lines({"type": "user", "message": {}}, {"comment": 1})))


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"display": "fix it", "pastedContents": {}, "timestamp": 1}, "Claude Code's list of prompts"),
        ({"conversations": [{"from": "human", "value": "x"}]}, "ShareGPT conversations"),
        ({"instance_id": "a__b-1", "model_patch": "diff"}, "predictions of SWE-bench"),
        ({"question": "x", "answer": "y"}, "`question`, `answer`, and the nearest that is read is ace:"),
        (
            {"task": "t", "steps": [{"action": "ls"}], "success": True},
            "the keys `task`, `steps`, `success`, and the",
        ),
        ({"task": {"id": 7}, "score": 1}, "the keys `task`, `score`, and the nearest that is read is"),
        ({"task": "t", "model": "m"}, "the keys `task`, `model`, and the nearest that is read is ace:"),
        (
            {"task": "t", "score": 1, "log": [{"x": "y"}]},
            "the keys `task`, `score`, `log`, and the nearest that is",
        ),
        (
            {"turns": [{"role": "user", "content": "x"}]},
            "the keys `turns`, and the nearest that is read is openai:",
        ),
        (
            {"type": "result", "subtype": "success", "session_id": "s", "result": "x"},
            "stream-json prints all of it",
        ),
        ({"id": "m", "sessionID": "s", "role": "user"}, "a message of opencode's"),
        ({"id": "p", "messageID": "m", "type": "text", "text": "x"}, "a part of a message of opencode's"),
        ({"title": "t", "mapping": {}}, "an export of ChatGPT"),
        ({"hunter2 ": 1}, "It looks like an object, and the nearest that is read is openai:"),
        ({}, "an object without keys"),
    ],
)
def test_what_is_not_read_is_told_as_what_it_looks_like(write: Write, value: object, told: str) -> None:
    """Given something that is not a session, then the error says what it is, and what to name or to make of it."""
    with pytest.raises(TraceError, match=re.escape(told)) as caught:
        read_traces(write(_lines(value)))
    assert SECRET not in str(caught.value)


@pytest.mark.parametrize(
    ("head", "told"),
    [(b"PK\x03\x04..", "a zip archive"), (b"# Notes\n", "Markdown"), (b"---\na: 1\n", "YAML")],
)
def test_what_holds_no_json_is_told_as_what_it_looks_like(write: Write, head: bytes, told: str) -> None:
    """Given a file of another kind, then the error says which."""
    with pytest.raises(TraceError, match=told):
        read_traces(write(head))


def test_a_named_format_is_not_guessed(write: Write) -> None:
    """Given a named format, then the first object need not tell it, and lines that do not fit are named."""
    reading = read_traces(write(_lines({"type": "session"}, _chat(id="a"))), "openai")
    assert [trace.id for trace in reading.traces] == ["a"]
    assert _reasons(reading) == [(1, "neither a message nor a record of messages")]


@pytest.mark.parametrize("name", FORMATS)
def test_a_wrongly_named_format_is_refused(write: Write, name: Format) -> None:
    """Given a format of which no line is, then the error says so with the first line's reason."""
    with pytest.raises(TraceError, match=rf"nothing to be read as {name} \(line 1: "):
        read_traces(write(_lines({"type": 1, "score": "x"})), name)


# Files that are none


def test_paths_that_lead_nowhere(tmp_path: Path) -> None:
    """Given no file, a folder, a path through a file or no path at all, then the error says what to name instead."""
    (tmp_path / "file").write_bytes(b"")
    for path, reason in [
        (tmp_path / "none", "does not exist"),
        (tmp_path, "is a folder"),
        (tmp_path / "file" / "below", "cannot be read"),
        (Path("nul\0"), "impossible path"),
    ]:
        with pytest.raises(TraceError, match=reason):
            read_traces(path)


@pytest.mark.parametrize(
    "data", [b"", b"\n \r\n", b"\xef\xbb\xbf", b"text\n", b"[]", b"7", b"\xff\xfe", b"[1, 2]"]
)
def test_files_that_hold_nothing(write: Write, data: bytes) -> None:
    """Given a file without one object, then it is refused rather than read as no runs."""
    with pytest.raises(TraceError, match="holds nothing to be read as JSON"):
        read_traces(write(data))


def test_a_file_name_that_is_no_unicode(tmp_path: Path) -> None:
    """Given a file name that is not UTF-8, then the reading that names the file can be written all the same."""
    path = tmp_path / "runs\udcff.jsonl"
    path.write_bytes(_lines(_chat(), 7))
    reading = read_traces(path)
    assert msgspec.json.decode(msgspec.json.encode(reading), type=Reading) == reading
    assert reading.unreadable[0].file == str(tmp_path / "runs?.jsonl")


def test_an_unknown_format_name(write: Write) -> None:
    """Given the name of no format, as a command line may pass it on, then the error lists the names."""
    with pytest.raises(
        TraceError, match=r"there is no format 'xml' of traces: name claude-code, codex, .*, ace or openai"
    ):
        read_traces(write(_lines(_chat())), "xml")  # type: ignore[arg-type]


# Lines


def test_bom_crlf_and_blank_lines(write: Write) -> None:
    """Given a file from another system, then BOM, CRLF and blank lines are tolerated and lines keep their numbers."""
    data = (
        b"\xef\xbb\xbf\r\n"
        + _lines(_chat(id="a")).replace(b"\n", b"\r\n")
        + b" \t\r\n{\r\n"
        + _lines(_chat(id="b"))
    )
    reading = read_traces(write(data))
    assert [trace.id for trace in reading.traces] == ["a", "b"]
    assert _reasons(reading) == [(4, "not valid JSON")]


def test_only_a_newline_ends_a_line(write: Write) -> None:
    """Given line breaks of Unicode inside a string, then the line is one line and the text is kept."""
    text = "a\u2028b\u2029c\u0085d"
    data = json.dumps(_chat(text), ensure_ascii=False).encode()
    assert reply_of(read_traces(write(data)).traces[0]) == text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b'{"messages": [', "not valid JSON"),
        (b'{"messages": "\xff"}', "not valid UTF-8"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"score": ' + b"1" * 5000 + b"}", "not valid JSON"),
        (b"[1]", "not a JSON object"),
        (b'"text"', "not a JSON object"),
    ],
)
def test_a_line_that_is_no_object_is_named(write: Write, line: bytes, reason: str) -> None:
    """Given one such line between others, then the others are read and it is named with its number."""
    path = write(_lines(_chat(id="a")) + line + b"\n" + _lines(_chat(id="b")))
    reading = read_traces(path)
    assert [trace.id for trace in reading.traces] == ["a", "b"]
    assert reading.unreadable == (Unreadable(str(path), 2, reason),)


def test_an_array_or_a_single_object_over_several_lines(write: Write) -> None:
    """Given a pretty-printed array or object instead of lines, then its objects are read, numbered by position."""
    array = json.dumps([_chat(id="a"), 7, _chat(id="b")], indent=2).encode()
    reading = read_traces(write(array))
    assert [trace.id for trace in reading.traces] == ["a", "b"]
    assert _reasons(reading) == [(2, "not a JSON object")]
    single = json.dumps(_chat(id="c"), indent=2).encode()
    assert [trace.id for trace in read_traces(write(single)).traces] == ["c"]


def test_an_array_with_one_object_a_line(write: Write) -> None:
    """Given an array whose last element happens to be a whole line, then every element is read, not that one alone."""
    data = b"[\n" + json.dumps(_chat(id="a")).encode() + b",\n" + _lines(_chat(id="b")) + b"]\n"
    assert [trace.id for trace in read_traces(write(data)).traces] == ["a", "b"]


@pytest.mark.parametrize("cut", ["\ud83d", "a\ud83d b", "\ude00\ud83d"])
def test_lone_surrogates_are_replaced(write: Write, cut: str) -> None:
    """Given strings cut inside a surrogate pair, then U+FFFD stands for the half and the trace can be written."""
    value = _chat("whole \U0001f600 " + cut, feedback={cut: cut}, id="id" + cut)
    trace = read_traces(write(_lines(value))).traces[0]
    mended = cut.replace("\ud83d", "\ufffd").replace("\ude00", "\ufffd")
    assert reply_of(trace) == "whole \U0001f600 " + mended
    assert trace.feedback == json.dumps({mended: mended}, ensure_ascii=False).replace(": ", ":")
    assert trace.id == "id" + mended
    assert msgspec.json.decode(msgspec.json.encode(trace), type=Trace) == trace


# Scores, feedback, failures


@pytest.mark.parametrize("score", ['"1"', "NaN", "-Infinity", "1e999", "[]", "[1]", "{}", "1" + "0" * 400])
@pytest.mark.parametrize(
    "rest", ['"messages": [{"role": "assistant", "content": "Done."}]', '"task": "t", "reply": "r"']
)
def test_a_score_that_is_no_number_costs_itself_alone(write: Write, score: str, rest: str) -> None:
    """Given a score that is not a finite number, in either format, then it is left out and named, and the run is read."""
    reading = read_traces(write(f'{{"id": "a", {rest}, "score": {score}}}\n'.encode()))
    (trace,) = reading.traces
    assert trace.score is None
    assert is_run(trace)
    assert [(flaw.line, flaw.reason) for flaw in reading.left_out] == [
        (1, "score is not a finite number: it is left out")
    ]


def test_one_message_that_cannot_be_read_costs_itself_alone(write: Write) -> None:
    """Given a run of many messages with an unknown role, content under an unknown key and an odd call, then each is named, a
    placeholder takes its place, and the run is read.
    """
    odd: list[Any] = [
        {"role": "narrator", "content": "Meanwhile"},
        {"role": "assistant", "speech": "Hm."},
        {"role": "assistant", "tool_calls": "ls"},
        "not an object",
    ]
    messages = [{"role": "user", "content": "Do it."}, *odd, {"role": "assistant", "content": "Done."}]
    reading = read_traces(write(_lines({"id": "a", "messages": messages})))
    (trace,) = reading.traces
    assert (task_of(trace), reply_of(trace)) == ("Do it.", "Done.")
    assert [turn.text for turn in trace.turns][1:-1] == ["[message that could not be read]"] * 4
    assert [flaw.reason for flaw in reading.left_out] == [
        "message 2: its role is not one of system, developer, user, assistant, tool, function",
        "message 3: its content is in `speech`, which is not known here",
        "message 4: its tool_calls are not a list",
        "message 5: not an object",
    ]


def test_a_run_of_which_no_message_can_be_read_is_none(write: Write) -> None:
    """Given messages whose content is under a key that nobody knows, then the line is named: there is no empty transcript."""
    unknown = {
        "messages": [{"role": "user", "speech": ["x"]}, {"role": "model", "speech": ["y"]}],
        "score": 1,
    }
    reading = read_traces(write(_lines({"task": "t", "messages": [], "id": "b"}, unknown)))
    assert [trace.id for trace in reading.traces] == ["b"]
    assert _reasons(reading) == [(2, "message 1: its content is in `speech`, which is not known here")]


@pytest.mark.parametrize(
    "content", [[{"type": "image"}], [{"type": "image"}, {"type": "audio"}], [{"type": "a" * 900}]]
)
def test_a_placeholder_is_no_reply(write: Write, content: object) -> None:
    """Given a last message of blocks other than text, then the run has no reply, and the block's type is kept short."""
    messages = [{"role": "user", "content": "Draw."}, {"role": "assistant", "content": content}]
    (trace,) = read_traces(write(_lines({"messages": messages}))).traces
    assert reply_of(trace) == ""
    assert not is_run(trace)
    assert all(len(line) < 60 for line in trace.turns[-1].text.splitlines())


def test_keys_that_nobody_reads_are_counted(write: Write) -> None:
    """Given keys at the top of runs that are none of the format's, then they are counted."""
    lines = _lines(_chat("x", reward=1, model="m"), _chat("y", reward=0), _chat("z", score=1))
    assert read_traces(write(lines)).unknown_keys == {"reward": 2, "model": 1}


@pytest.mark.parametrize(
    ("score", "expected"),
    [(0, 0.0), (0.0, 0.0), (1, 1.0), (-2.5, -2.5), (None, None), (True, 1.0), (False, 0.0)],
)
def test_score_zero_is_a_score(write: Write, score: object, expected: float | None) -> None:
    """Given a score or null, then zero stays apart from none, and an integer becomes a float."""
    trace = read_traces(write(_lines({"messages": [], "score": score}))).traces[0]
    assert trace.score == expected
    assert is_run(trace) is (expected is not None)


@pytest.mark.parametrize(
    ("feedback", "expected"),
    [
        ("as it is\n", "as it is\n"),
        (None, ""),
        ({"a": [1, "é"]}, '{"a":[1,"é"]}'),
        ([1], "[1]"),
        (False, "false"),
    ],
)
def test_feedback_is_text(write: Write, feedback: object, expected: str) -> None:
    """Given feedback of any shape, then text is kept and everything else is compact JSON."""
    assert read_traces(write(_lines(_chat(feedback=feedback)))).traces[0].feedback == expected


def test_failure_is_text(write: Write) -> None:
    """Given a failure, then it is kept if it is a string, and its line is named if it is not."""
    reading = read_traces(write(_lines(_chat(failure="timeout"), _chat(failure=True))))
    assert [trace.failure for trace in reading.traces] == ["timeout"]
    assert _reasons(reading) == [(2, "failure is not a string")]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ({"turns": [{"role": SECRET}]}, "the value at $.turns[0].role does not fit"),
        ({"turns": [], "task": [SECRET]}, "the value at $.task does not fit"),
        ({"turns": [{"role": "user", SECRET: 1, "text": 5}]}, "the value at $.turns[0].text does not fit"),
        ({"turns": [], "reply": {SECRET: SECRET}}, "the value at $.reply does not fit"),
    ],
)
def test_reasons_quote_nothing(write: Write, line: object, reason: str) -> None:
    """Given a line of ours that does not fit, then the reason names the place and never the value."""
    assert _reasons(read_traces(write(_lines({"task": "t"}, line)))) == [(2, reason)]


def test_a_row_that_holds_no_run_is_named(write: Write) -> None:
    """Given a file of another format named as ours, then no line of it is taken for an empty run."""
    with pytest.raises(TraceError, match="neither turns nor a task or reply"):
        read_traces(write(_lines(_chat(), _chat())), "ace")


# Ids


def test_a_missing_id_is_the_digest_of_the_content(write: Write) -> None:
    """Given runs without an id, then the id depends on the content alone, not on place, key order or unknown keys."""
    one, other = _chat("one"), _chat("other")
    first = read_traces(write(_lines(one, other))).traces
    again = read_traces(write(_lines(dict(reversed(other.items())), one | {"model": "m"}))).traces
    assert [trace.id for trace in first] == [trace.id for trace in reversed(again)]
    assert first[0].id != first[1].id
    assert all(len(trace.id) == len("sha256-") + 16 and trace.id.startswith("sha256-") for trace in first)


def test_the_digest_is_pinned(write: Write) -> None:
    """Given a known run, then its digest is the one it always had, and what 0.1.0 called it is an alias."""
    result = {"role": "tool", "content": "é", "tool_call_id": "c", "name": "look", "is_error": True}
    known = {"messages": [{"role": "user", "content": "Look."}, result], "score": 0.5, "feedback": "no"}
    (trace,) = read_traces(write(_lines(known))).traces
    assert trace.id == "sha256-62d0c21171624d37"
    assert trace.aliases == (("sha256-171848b225dd69b1", "Look."),)


def test_what_was_found_out_since_does_not_change_what_a_run_is_called(write: Write) -> None:
    """Given one run with other scores, feedback and what came after the reply, then it is the same run."""
    messages = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "Done."}]
    thanks = {"role": "user", "content": "Thanks."}
    variants: list[dict[str, Any]] = [
        {"messages": messages},
        {"messages": messages, "score": 1},
        {"messages": messages, "feedback": "good", "failure": "none"},
        {"messages": [*messages, thanks]},
    ]
    names = {read_traces(write(_lines(one))).traces[0].id for one in variants}
    assert len(names) == 1
    other = {"messages": [messages[0], {"role": "assistant", "content": "Not done."}]}
    assert read_traces(write(_lines(other))).traces[0].id not in names


@pytest.mark.parametrize("given_id", ["a", "x" * 200, "Überflug 7/é", 7, "\ufffd"])
def test_a_usable_id_is_kept(write: Write, given_id: object) -> None:
    """Given one line of visible text or an integer, then that is the id."""
    assert read_traces(write(_lines(_chat(id=given_id)))).traces[0].id == str(given_id)


@pytest.mark.parametrize(
    "given_id",
    ["", " ", " a", "x" * 201, "a\nb", "a\0", "a\u2028b", "a\u202eb", None, True, 1.5, ["a"], 10**300],
)
def test_an_unusable_id_gives_way_to_the_digest(write: Write, given_id: object) -> None:
    """Given an id that is too long, invisible, of several lines or no text, then the digest is used."""
    assert read_traces(write(_lines(_chat(id=given_id)))).traces[0].id.startswith("sha256-")


def test_a_repeated_id_is_named(write: Write) -> None:
    """Given an id a second time, then the first run stays, and the second is named, unless it has another task."""
    other = {
        "id": "a",
        "messages": [{"role": "user", "content": "Else."}, {"role": "assistant", "content": "z"}],
    }
    lines = _lines(_chat("x", id="a"), _chat("x", id="a"), _chat("y", id="a"), _chat("x"), _chat("x"), other)
    reading = read_traces(write(lines))
    assert [reply_of(trace) for trace in reading.traces] == ["x", "x", "z"]
    assert _reasons(reading) == [
        (2, "the same run as line 1"),
        (3, "its id and task are those of line 1"),
        (5, "the same run as line 4"),
    ]


# Whatever a file holds

KEYS = re.findall(
    r"\w+",
    """id messages turns task reply score feedback failure context role content text type name input arguments
    tool_calls function function_call tool_use_id tool_call_id is_error refusal calls call_id failed message parentId
    stopReason toolCallId toolName isError""",
)
WORDS = re.findall(
    r"[\w/]+",
    """user assistant tool function system toolResult text tool_use tool_result thinking toolCall image message
    session stop toolUse aborted error /mode""",
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(WORDS)
NAMES = st.sampled_from(KEYS) | st.text(max_size=2)


def _containers(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(values, max_size=4) | st.dictionaries(NAMES, values, max_size=6)


VALUES = st.recursive(SCALARS | st.sampled_from(["\ud83d", "\ude00"]), _containers, max_leaves=25)
MESSAGES = st.lists(
    st.fixed_dictionaries(
        {"role": st.sampled_from(WORDS), "content": VALUES}, optional={"tool_calls": VALUES}
    )
)
RUNS = st.fixed_dictionaries(
    {"messages": MESSAGES | VALUES}, optional={"id": VALUES, "score": VALUES, "feedback": VALUES}
)
TRACES = st.fixed_dictionaries(
    {"turns": MESSAGES | VALUES}, optional={"id": VALUES, "score": VALUES, "context": VALUES}
)
ENTRIES = st.fixed_dictionaries(
    {"type": st.just("message"), "message": MESSAGES.map(lambda messages: messages[0] if messages else None)},
    optional={"id": st.sampled_from("abc"), "parentId": VALUES | st.sampled_from("abc")},
)
OBJECTS = RUNS | TRACES | ENTRIES | VALUES


@given(
    data=st.binary() | st.lists(OBJECTS).map(lambda values: _lines(*values)),
    name=st.sampled_from([None, *FORMATS]),
)
@example(data=b'{"messages":[{"role":["user"]}]}', name=None)
@example(data=b'{"messages":' + b"[" * 3000 + b"]" * 3000 + b"}", name="openai")
@example(data=b'{"messages":[],"feedback":' + b"[" * 3000 + b"]" * 3000 + b"}", name="openai")
@example(data=b'{"messages":[],"feedback":["\\ud83d",' + b"[" * 900 + b"]" * 900 + b"]}", name="openai")
@settings(deadline=None)
def test_no_other_exception(write: Write, data: bytes, name: Format | None) -> None:
    """Given any bytes, or any objects as lines, then there is a reading that can be written, or a `TraceError`."""
    with suppress(TraceError):
        msgspec.json.encode(read_traces(write(data), name))


@given(
    values=st.lists(OBJECTS),
    noise=st.lists(st.binary()),
    start=st.sampled_from([{"messages": []}, {"task": "t"}]),
)
@settings(deadline=None)
def test_every_line_is_a_trace_or_named(
    write: Write, values: list[object], noise: list[bytes], start: dict[str, object]
) -> None:
    """Given any lines where one object is one run, then each that is not blank is a trace or is named, once."""
    data = _lines(start, *values) + b"\n".join(noise)
    reading = read_traces(write(data))
    filled = [number for number, line in enumerate(data.split(b"\n"), 1) if line.strip()]
    named = [unreadable.line for unreadable in reading.unreadable]
    assert len(reading.traces) + len(named) == len(filled)
    assert set(named) <= set(filled)
    assert named == sorted(set(named))
    assert len({(identity(trace), is_run(trace)) for trace in reading.traces}) == len(reading.traces)


@given(
    value=st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=())),
        lambda inner: st.dictionaries(st.text(st.characters(exclude_categories=())), inner) | st.lists(inner),
    )
)
@example(value={"a": "\ud800"})
@example(value={"a": "/\x7f\u2028"})
def test_compact_json_is_written_one_way(value: object) -> None:
    """Given any JSON value, then whichever encoder wrote it, the text is the standard library's."""
    assert compact_json(value) == json.dumps(value, ensure_ascii=False, separators=(",", ":"))
