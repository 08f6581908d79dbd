"""Chat messages into turns: what OpenAI's and Anthropic's shapes become, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.adapters.traces import turns_of
from ace.domain.errors import TraceError
from ace.domain.trace import ToolCall, Trace, Turn, reply_of, task_of


def _function(arguments: object) -> dict[str, object]:
    return {"id": "c1", "type": "function", "function": {"name": "look", "arguments": arguments}}


@pytest.mark.parametrize("role", ["system", "developer", "user", "assistant"])
def test_roles_are_kept(role: str) -> None:
    """Given a plain message of each role, then it is one turn of that role."""
    assert turns_of([{"role": role, "content": "text"}]) == (Turn(role, "text"),)  # type: ignore[arg-type]


def test_a_tool_message_is_the_result_of_its_call() -> None:
    """Given a tool message and a legacy function message, then both are tool turns with what they say of the call."""
    assert turns_of(
        [
            {"role": "tool", "content": "42", "tool_call_id": "c1", "name": "look"},
            {"role": "function", "content": [{"type": "text", "text": "43"}], "name": "look"},
        ]
    ) == (Turn("tool", "42", call_id="c1", name="look"), Turn("tool", "43", name="look"))


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        ('{"a": 1}', '{"a": 1}'),
        ("not { json", "not { json"),
        ({"a": [1, "é"]}, '{"a":[1,"é"]}'),
        ("", ""),
        (None, ""),
        (2**70, str(2**70)),
    ],
)
def test_arguments_of_a_call(arguments: object, shown: str) -> None:
    """Given `content: null` with a call, then the text is empty, never "None", and text arguments are verbatim."""
    (turn,) = turns_of([{"role": "assistant", "content": None, "tool_calls": [_function(arguments)]}])
    assert turn == Turn("assistant", "", (ToolCall("look", shown, "c1"),))


@pytest.mark.parametrize(
    "message",
    [
        {"function_call": {"name": "look", "arguments": "x"}},
        {"tool_calls": [{"type": "custom", "custom": {"name": "look", "input": "x"}}]},
        {"tool_calls": [{"name": "look", "arguments": "x"}]},
        {"content": [{"type": "tool_use", "name": "look", "input": "x"}]},
    ],
)
def test_other_shapes_of_a_call(message: dict[str, object]) -> None:
    """Given a legacy, custom, flat or Anthropic call, then it is a call like any other."""
    assert turns_of([{"role": "assistant"} | message]) == (Turn("assistant", "", (ToolCall("look", "x"),)),)


def test_blocks_of_an_assistant() -> None:
    """Given text, reasoning and a tool_use block, then the text is readable and the call is a call."""
    content = [
        {"type": "thinking", "thinking": "secret thought"},
        {"type": "text", "text": "First."},
        {"type": "redacted_thinking", "data": "xyz"},
        {"type": "text", "text": ""},
        {"type": "output_text", "text": "Second."},
        "Third.",
        {"text": "Fourth."},
        {"type": "tool_use", "id": "t1", "name": "read", "input": {"path": "a b"}},
    ]
    (turn,) = turns_of([{"role": "assistant", "content": content}])
    assert turn == Turn(
        "assistant", "First.\nSecond.\nThird.\nFourth.", (ToolCall("read", '{"path":"a b"}', "t1"),)
    )


@pytest.mark.parametrize(
    ("block", "named"),
    [
        ({"type": "image", "source": {"data": "AAAA"}}, "[block: image, 3 bytes]"),
        ({"type": "image", "source": {"url": "https://x.test/a.png"}}, "[block: image]"),
        (
            {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "A" * 4000}},
            "[block: image_url, 3,000 bytes]",
        ),
        ({"type": "document", "mime_type": "application/pdf", "data": "A" * 8}, "[block: document, 6 bytes]"),
        (
            {"type": "document", "source": {"type": "text", "data": "ABCD"}, "title": "T"},
            "[block: document]\n| ABCD\n| T",
        ),
        ({"type": "verdict", "id": "x", "body": {"why": "a\nb", "n": 1}}, "[block: verdict]\n| a\n| b"),
        ({"type": "input_audio", "input_audio": {}}, "[block: input_audio]"),
        ({"type": "text", "text": None}, "[block: text]"),
        ({"type": 5}, "[block: unknown]"),
        ({}, "[block: unknown]"),
        (5, "[block: unknown]"),
        ({"type": "tool_use", "name": "f", "input": {}}, "[block: tool_use]\n| f"),
    ],
)
def test_other_blocks_are_named_in_place(block: object, named: str) -> None:
    """Given a block in a user message other than text, then its type takes its place."""
    (turn,) = turns_of([{"role": "user", "content": ["before", block, "after"]}])
    assert turn == Turn("user", f"before\n{named}\nafter")


def test_tool_results_inside_a_user_message() -> None:
    """Given tool_result blocks beside text, then they are tool turns with their error flag, and the text follows."""
    content = [
        {"type": "tool_result", "tool_use_id": "t1", "content": "fine"},
        {"type": "text", "text": "And now?"},
        {
            "type": "tool_result",
            "tool_use_id": "t2",
            "is_error": True,
            "content": [{"type": "text", "text": "no"}, {"type": "image"}],
        },
    ]
    assert turns_of([{"role": "user", "content": content}]) == (
        Turn("tool", "fine", call_id="t1"),
        Turn("tool", "no\n[block: image]", call_id="t2", failed=True),
        Turn("user", "And now?"),
    )


def test_tool_results_alone_are_no_user_message() -> None:
    """Given a user message of tool results alone, then it is not mistaken for the task."""
    turns = turns_of(
        [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": None}]}]
    )
    assert turns == (Turn("tool", call_id="t"),)
    assert task_of(Trace(id="a", turns=turns)) == ""


@pytest.mark.parametrize(
    "message",
    [{"content": None, "refusal": "No."}, {"content": [{"type": "refusal", "refusal": "No."}]}],
)
def test_a_refusal_is_the_reply(message: dict[str, object]) -> None:
    """Given a refusal beside or inside the content, then it is what the assistant said."""
    assert reply_of(Trace(id="a", turns=turns_of([{"role": "assistant"} | message]))) == "No."


@pytest.mark.parametrize("flag", [False, None, "true", 1, 0])
def test_only_true_is_an_error_flag(flag: object) -> None:
    """Given anything but `true` as the error flag, then the tool did not fail."""
    (turn,) = turns_of([{"role": "tool", "content": "x", "is_error": flag}])
    assert not turn.failed


def test_content_that_is_an_object_is_shown_as_json() -> None:
    """Given a tool result that was recorded as an object, then it is shown as compact JSON."""
    assert turns_of([{"role": "tool", "content": {"a": 1}}]) == (Turn("tool", '{"a":1}'),)


def test_a_message_without_content_is_an_empty_turn() -> None:
    """Given a message without content and calls, then it is still a turn: something was sent."""
    assert turns_of([{"role": "assistant"}, {"role": "user", "content": []}]) == (
        Turn("assistant"),
        Turn("user"),
    )


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("hunter2", "not an object"),
        ({"content": "hunter2"}, "its role is not one of system, developer, user, assistant, tool, function"),
        ({"role": "hunter2"}, "its role is not one of system, developer, user, assistant, tool, function"),
        ({"role": ["user"]}, "its role is not one of system, developer, user, assistant, tool, function"),
        ({"role": "assistant", "tool_calls": {"hunter2": 1}}, "its tool_calls are not a list"),
        ({"role": "assistant", "tool_calls": ["hunter2"]}, "a tool call is not an object"),
        ({"role": "assistant", "tool_calls": [{"function": "hunter2"}]}, "a tool call is not an object"),
        ({"role": "assistant", "function_call": "hunter2"}, "a tool call is not an object"),
        ({"role": "user", "content": object()}, "holds a value that is not JSON"),
    ],
)
def test_a_malformed_message_is_named_by_its_number(message: object, reason: str) -> None:
    """Given a message of no known shape, then the error says which one and why, and quotes nothing of it."""
    with pytest.raises(TraceError) as caught:
        turns_of([{"role": "user", "content": "fine"}, message])
    assert str(caught.value) == f"message 2: {reason}"


@given(st.text(st.characters(exclude_categories=())))
def test_lone_surrogates_are_replaced(text: str) -> None:
    """Given any text of a host, then the turn's text can be written, and is the same where it could be before."""
    (turn,) = turns_of(({"role": "user", "content": text},))
    assert turn.text.encode().decode() == turn.text
    assert turn.text == text or any(0xD800 <= ord(character) <= 0xDFFF for character in text)


def test_a_text_under_another_key_is_shown() -> None:
    """Given a block of text that has its text under another key, then the block is named, and its text follows."""
    (turn,) = turns_of([{"role": "user", "content": [{"type": "text", "value": "Fix it."}]}])
    assert turn.text == "[block: text]\n| Fix it."


# What is not where it should be


@pytest.mark.parametrize(
    ("message", "turn"),
    [
        ({"role": "user", "text": "Fix it."}, Turn("user", "Fix it.")),
        (
            {
                "role": "assistant",
                "tool_calls": [{"id": "c", "function": {"name": "f", "params": {"a": "b"}}}],
            },
            Turn("assistant", "", (ToolCall("f", '{"params":{"a":"b"}}', "c"),)),
        ),
        (
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "c", "name": "f", "args": {"a": "b"}}],
            },
            Turn("assistant", "", (ToolCall("f", '{"args":{"a":"b"}}', "c"),)),
        ),
        (
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "stdout": "a.py"}]},
            Turn("tool", '{"stdout":"a.py"}', call_id="c"),
        ),
        (
            {"role": "assistant", "body": "Done.", "tool_calls": [{"id": "c", "function": {"name": "f"}}]},
            Turn("assistant", '{"body":"Done."}', (ToolCall("f", "", "c"),)),
        ),
        ({"role": "assistant", "content": None, "usage": {"tier": "standard"}, "id": "m"}, Turn("assistant")),
    ],
)
def test_what_is_under_another_key_is_shown_with_its_name(message: object, turn: Turn) -> None:
    """Given a message, a call or a result that has its text under a key that nobody reads, then that is shown in its place."""
    assert turns_of([message]) == (turn,)


def test_results_of_amp_say_how_the_call_went() -> None:
    """Given results as Amp keeps them, then the outcome is theirs."""
    content = [
        {"type": "tool_result", "toolUseID": "c1", "run": {"status": "done", "result": "ok"}},
        {
            "type": "tool_result",
            "toolUseID": "c2",
            "run": {"status": "error", "error": {"message": "no such file"}},
        },
    ]
    assert turns_of([{"role": "user", "content": content}]) == (
        Turn("tool", "ok", call_id="c1"),
        Turn("tool", '{"message":"no such file"}', call_id="c2", failed=True),
    )


def test_calls_of_goose_that_failed() -> None:
    """Given outcomes as Goose keeps them, now and before, then a failed one is flagged, and a call that could not be read is shown."""
    asked = [
        {
            "type": "toolRequest",
            "id": "c1",
            "toolCall": {"status": "success", "value": {"name": "f", "arguments": {}}},
        },
        {"type": "toolRequest", "id": "c2", "toolCall": {"Err": "no such tool"}},
    ]
    answered = [
        {"type": "toolResponse", "id": "c1", "toolResult": {"status": "error", "error": "broken"}},
        {"type": "toolResponse", "id": "c2", "toolResult": {"Ok": [{"type": "text", "text": "fine"}]}},
    ]
    assert turns_of([{"role": "assistant", "content": asked}, {"role": "User", "content": answered}]) == (
        Turn("assistant", "", (ToolCall("f", "{}", "c1"), ToolCall("", "no such tool", "c2"))),
        Turn("tool", "broken", call_id="c1", failed=True),
        Turn("tool", "fine", call_id="c2"),
    )
