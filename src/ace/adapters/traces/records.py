"""The formats in which one object, or one file, is one run: our own, and chat messages with what was found out about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

import msgspec

from ace.adapters.traces.dialects import cursor, langchain, responses
from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import Row, compact_json
from ace.adapters.traces.messages import READ, readable_turns_of
from ace.adapters.traces.messages_0_1_0 import turns_of_0_1_0
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.own import is_own_prompt
from ace.adapters.traces.said import listed
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Trace, Turn, finite, task_of

__all__ = ["chat_trace", "is_ace", "is_chat", "is_message", "is_own", "read_ace", "read_chat", "score_of"]

type Found = tuple[int, Trace]

_KEYS = frozenset({"id", "score", "feedback", "failure"})
"""Keys of a run that both formats know, beside what was said in it."""

_FOUND_OUT = _KEYS - {"id"}


def is_own(turns: Sequence[Turn]) -> bool:
    """Whether the first message, of whom ever, is one of our own prompts: such a run is none."""
    first: dict[str, str] = {}
    for turn in turns:
        first.setdefault(turn.role, turn.text)
    return any(is_own_prompt(first.get(role, "")) for role in ("system", "developer", "user"))


# --- our own schema -------------------------------------------------------------------------------------------------


def is_ace(value: JsonObject) -> bool:
    """Whether an object is in our own schema, and no model call of a step's record."""
    turns = value.get("turns")
    if isinstance(turns, list):
        return not turns or not isinstance(turns[0], dict) or _is_turn(turns[0])
    if "messages" in value or ("reply" in value and "role" in value and "trace" in value):
        return False
    given = [value[key] for key in ("task", "reply") if value.get(key) is not None]
    if not given or not all(isinstance(text, str) for text in given):
        return False
    others = [item for key, item in value.items() if key not in Trace.__struct_fields__]
    if "reply" in value:
        return True
    # Others have a `task`, too: of such an object all must be ours, or it was found out how the run ended, and no record of it lies beside.
    return not others or (
        any(key in value for key in _FOUND_OUT) and not any(isinstance(item, list | dict) for item in others)
    )


def _is_turn(value: JsonObject) -> bool:
    return "role" in value and "content" not in value and "message" not in value


def read_ace(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the trace of each object in our own schema; unknown keys and null values count as missing."""
    known = frozenset(Trace.__struct_fields__)
    for row in rows:
        notes.unknown.update(key for key in row.value if key not in known)
        try:
            trace = _ace_trace(row, notes)
            for turn in listed(row.value, "turns"):
                notes.unread(turn, Turn.__struct_fields__)
                for call in listed(turn, "calls"):
                    notes.unread(call, ToolCall.__struct_fields__)
        except TraceError as error:
            notes.flaw(row.line, str(error))
        else:
            yield row.line, trace


def _ace_trace(row: Row, notes: Notes) -> Trace:
    given = {key: item for key, item in row.value.items() if item is not None}
    score, flaws = score_of(given.get("score"))
    try:
        trace = msgspec.convert(given | {"id": "", "score": score}, Trace)
    except msgspec.ValidationError as error:
        # The place alone: the sentence in front of it may quote the value.
        place = str(error).rpartition(" - at ")[2].strip("`")
        raise TraceError(f"the value at {place} does not fit") from None
    if not (trace.turns or trace.task or trace.reply):
        raise TraceError("it has neither turns nor a task or reply")
    for flaw in flaws:
        notes.left_out(row.line, flaw)
    return with_id(trace, given.get("id"), aliases=trace.aliases)


# --- chat messages --------------------------------------------------------------------------------------------------

_MESSAGE_KEYS = (
    "content",
    "text",
    "parts",
    "tool_calls",
    "function_call",
    "toolInvocations",
    "refusal",
    "kwargs",
    "data",
)
_ROLES = frozenset({"system", "developer", "user", "assistant", "tool", "function", "model"})
_LANGCHAIN = frozenset(
    {
        "human",
        "ai",
        "user",
        "assistant",
        "system",
        "tool",
        "function",
        "chat",
        "HumanMessage",
        "AIMessage",
        "AIMessageChunk",
        "SystemMessage",
        "ToolMessage",
        "tool_result",
    }
)


def is_message(value: JsonObject) -> bool:
    """Whether an object is a chat message of any dialect."""
    role, kind = value.get("role"), value.get("type")
    if isinstance(role, str) and role in _ROLES:
        return any(key in value for key in _MESSAGE_KEYS) or _is_nested(value)
    if "kwargs" in value and "lc" in value:
        return True
    if (
        isinstance(kind, str)
        and kind in _LANGCHAIN
        and ("content" in value or isinstance(value.get("data"), dict))
    ):
        return True
    return responses.is_item(value) and kind not in ("tool_call", "tool_result")


def _is_nested(value: JsonObject) -> bool:
    message = value.get("message")
    return isinstance(message, dict) and "content" in message


_MANY = ("messages", "contents", "traj", "conversation", "chatMessages", "input", "output")
"""Keys under which a record holds its messages: chat, Gemini's contents, a simulation of tau-bench, a session of Goose, an older one of
Copilot's, the input and output of a response.
"""


_HEADER = frozenset({"working_dir", "message_count"})
"""Keys of the first line of a session of Goose's, which says nothing of what was said."""

_NEITHER = "neither a message nor a record of messages"


def is_chat(value: JsonObject) -> bool:
    """Whether an object is a record of chat messages."""
    return "messages" in value or any(_are_messages(value.get(key)) for key in _MANY)


def _are_messages(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and isinstance(value[0], dict) and is_message(value[0])


def read_chat(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the trace of each record `{"id", "messages", "score", "feedback", "failure"}`, of which all but the messages may be
    missing; a row that is a message itself belongs, with those that follow, to one run.

    Feedback other than text becomes compact JSON.
    """
    is_of_records = False
    for row in rows:
        if row.value.keys() >= _HEADER:
            continue
        is_of_records = is_of_records or is_chat(row.value)
        if not is_of_records and is_message(row.value):
            yield from _bare([row, *rows], notes)
            return
        yield from _chat_row(row.line, row.value, notes)


def _bare(rows: Sequence[Row], notes: Notes) -> Iterator[Found]:
    """The run of a file that is a list of messages, or one message a line. What is wrong is told of the line."""
    kept = [row for row in rows if is_message(row.value)]
    for row in rows:
        if not is_message(row.value):
            notes.flaw(row.line, _NEITHER)
    yield from _chat_row(
        kept[0].line, {"messages": [row.value for row in kept]}, notes, [row.line for row in kept]
    )


def _chat_row(line: int, value: JsonObject, notes: Notes, lines: Sequence[int] = ()) -> Iterator[Found]:
    known = _BESIDE | {"reward"} if "traj" in value else _BESIDE
    notes.unknown.update(key for key in value if key not in _KEYS and key not in _MANY and key not in known)
    try:
        yield line, chat_trace(line, value, notes, lines)
    except TraceError as error:
        notes.flaw(line, str(error))
    except _OwnPrompt:
        notes.passed_over("a call of ace itself")


class _OwnPrompt(Exception):  # noqa: N818 - it is not an error
    pass


_OF_MESSAGE = READ | langchain.READ | {"message", "parts", "toolInvocations"}
_BESIDE = frozenset(
    {"system", "systemInstruction", "system_instruction", "instructions", "response", "choices"}
)
"""Instructions that some records hold beside the messages, which are not shown, and the answer of a completion, which is."""


def chat_trace(line: int, value: JsonObject, notes: Notes, lines: Sequence[int] = ()) -> Trace:
    """The trace of a record of chat messages. Raises `TraceError` if no message can be read, or a key does not fit."""
    asked, answered = _messages(value), _completion(value)
    messages = [*asked, *answered]
    turns, flaws = readable_turns_of(messages)
    for message in messages:
        if isinstance(message, dict) and not responses.is_item(message):
            body = langchain.body_of(message)
            notes.unread(body if isinstance(body, dict) else message, _OF_MESSAGE)
    if is_own(turns):
        raise _OwnPrompt
    score, dropped = score_of(value.get("reward" if "traj" in value else "score"))
    trace = Trace(
        id="",
        turns=turns,
        score=score,
        feedback=_feedback(value.get("feedback")),
        failure=_failure(value.get("failure")),
    )
    old = turns_of_0_1_0(asked)
    as_it_was = msgspec.structs.replace(trace, turns=old) if old is not None and old != turns else None
    for number, flaw in flaws:
        notes.left_out(lines[number - 1] if number <= len(lines) else line, flaw)
    for flaw in dropped:
        notes.left_out(line, flaw)
    aliases: tuple[tuple[str, str], ...] = ()
    if answered or any(isinstance(message, dict) and cursor.translated(message) for message in asked):
        # Without the answer, or with the tags around the user's words, the run has another digest, and another task.
        tagged = [cursor.flat(message) if isinstance(message, dict) else message for message in asked]
        known = with_id(msgspec.structs.replace(trace, turns=readable_turns_of(tagged)[0]), value.get("id"))
        aliases = ((known.id, task_of(known)),)
    return with_id(trace, value.get("id"), aliases=aliases, old=as_it_was)


def _messages(value: JsonObject) -> list[Any]:
    if "messages" in value:
        found: list[Any] = []
        if not isinstance(value["messages"], list):
            raise TraceError("messages is not a list")
        found += value["messages"]
        output = value.get("output")
        if isinstance(output, dict) and isinstance(output.get("message"), dict):
            found.append(output["message"])  # what Bedrock answered
        return found
    if isinstance(value.get("contents"), list):
        return [*_list(value["contents"]), *_candidate(value.get("candidates"))]
    for key in ("traj", "conversation", "chatMessages"):
        if isinstance(value.get(key), list):
            return list(value[key])
    given = value.get("input")
    asked = (
        [{"role": "user", "content": given}] if isinstance(given, str) and given else listed(value, "input")
    )
    answered = listed(value, "output")
    if not asked and not answered:
        raise TraceError(_NEITHER)
    return [*asked, *answered]


def _completion(value: JsonObject) -> list[Any]:
    """The message that a chat completion answered, if it is not the last of those beside it."""
    last = next(iter(_list(value.get("messages"))[-1:]), None)
    for holder in (value.get("response"), value):
        choices = _list(holder.get("choices")) if isinstance(holder, dict) else []
        first = next(iter(choices), None)
        answer = first.get("message") if isinstance(first, dict) else None
        if isinstance(last, dict) and isinstance(answer, dict):
            is_there = last.get("role") == "assistant" and last.get("content") == answer.get("content")
            return [] if is_there else [answer]
    return []


def _candidate(candidates: Any) -> list[Any]:
    first = next(iter(_list(candidates)), None)
    content = first.get("content") if isinstance(first, dict) else None
    return [content] if isinstance(content, dict) else []


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


# --- what was found out ---------------------------------------------------------------------------------------------


def score_of(value: object) -> tuple[float | None, list[str]]:
    """The score, `true` being 1 and `false` 0; what is not a finite number is dropped and reported."""
    if value is None:
        return None, []
    if isinstance(value, int | float):
        with suppress(ValueError):
            return finite(value), []
    return None, ["score is not a finite number: it is left out"]


def _feedback(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else compact_json(value)


def _failure(value: object) -> str:
    if value is None:
        return ""
    if not isinstance(value, str):
        raise TraceError("failure is not a string")
    return value
