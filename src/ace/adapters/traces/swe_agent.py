"""Trajectories of SWE-agent (`.traj`) and mini-SWE-agent (`.traj.json`): one run a file.

SWE-agent keeps `history`, the messages, beside `trajectory`, the same as steps: the steps are read only where there is no history. What
came of a command is a message of role `user` or `tool`. Demonstrations do not belong to the run. A run that submitted has its
submission as its reply; one that ended otherwise has its exit status as its failure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from ace.adapters.traces.exchanges import Found
from ace.adapters.traces.ids import with_id
from ace.adapters.traces.lines import Row
from ace.adapters.traces.messages import READ, content_text, turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.records import is_own, score_of
from ace.adapters.traces.said import listed, said
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Trace, Turn

__all__ = ["is_mini", "read", "read_mini", "recognises"]


_OF_RUN = frozenset(
    {"history", "trajectory", "messages", "info", "environment", "replay_config", "trajectory_format"}
)
_OF_MESSAGE = READ | {"thought", "action", "is_demo", "tags", "demo_path"}
_OF_STEP = frozenset({"action", "thought", "response", "query", "messages", "execution_time"})


def recognises(value: JsonObject) -> bool:
    """Whether an object is a trajectory of SWE-agent."""
    if isinstance(value.get("trajectory"), list) and (
        "history" in value or "environment" in value or _is_step(value["trajectory"])
    ):
        return True
    history = value.get("history")
    first = history[0] if isinstance(history, list) and history else None
    return isinstance(first, dict) and "role" in first and ("agent" in first or "message_type" in first)


def is_mini(value: JsonObject) -> bool:
    """Whether an object is a trajectory of mini-SWE-agent."""
    form, info = value.get("trajectory_format"), value.get("info")
    if isinstance(form, str) and form.startswith("mini-swe-agent"):
        return True
    return (
        "messages" in value and isinstance(info, dict) and ("exit_status" in info or "mini_version" in info)
    )


def _is_step(steps: list[Any]) -> bool:
    return bool(steps) and isinstance(steps[0], dict) and "action" in steps[0] and "observation" in steps[0]


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the run of each trajectory of SWE-agent."""
    yield from _read(rows, notes, _turns_of_history)


def read_mini(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield the run of each trajectory of mini-SWE-agent."""
    yield from _read(rows, notes, _turns_of_mini)


def _read(rows: Iterator[Row], notes: Notes, convert: Any) -> Iterator[Found]:
    for row in rows:
        notes.unread(row.value, _OF_RUN)
        try:
            turns = tuple(convert(row.value, row.line, notes))
            if is_own(turns):
                notes.passed_over("a call of ace itself")
            else:
                yield row.line, _trace(row, turns, notes)
        except TraceError as error:
            notes.flaw(row.line, str(error))


def _trace(row: Row, turns: tuple[Turn, ...], notes: Notes) -> Trace:
    info = row.value.get("info")
    info = info if isinstance(info, dict) else {}
    status, submission = info.get("exit_status"), info.get("submission")
    given = next(
        (
            each[key]
            for each in (row.value, info)
            for key in ("score", "reward", "resolved", "success")
            if each.get(key) is not None
        ),
        None,
    )
    score, flaws = score_of(given)
    for flaw in flaws:
        notes.left_out(row.line, flaw)
    submitted = isinstance(status, str) and status.lower().startswith("submitted")
    named = next(
        (name for key in ("instance_id", "id") if isinstance(name := row.value.get(key), str | int)), None
    )
    return with_id(
        Trace(
            id="",
            turns=turns,
            reply=submission if isinstance(submission, str) else "",
            score=score,
            failure="" if submitted or not isinstance(status, str) else status,
        ),
        named,
    )


def _turns_of_history(value: JsonObject, line: int, notes: Notes) -> Iterator[Turn]:
    history = listed(value, "history")
    if not history:
        yield from _turns_of_steps(value.get("trajectory"))
        return
    kept = _folded(
        message.get(key) for message in history if isinstance(message, dict) for key in ("content", "thought")
    )
    for step in listed(value, "trajectory"):
        if isinstance(step, dict) and _folded([step.get("response")]) not in kept:
            notes.passed_over("a step that the history does not hold")
    acted = False
    for number, message in enumerate(history, 1):
        try:
            turns = turns_of_message(_as_chat(message))
            notes.unread(message, _OF_MESSAGE)
        except TraceError as error:
            notes.left_out(line, f"message {number}: {error}")
            continue
        for turn in turns:
            if message.get("is_demo") or message.get("message_type") in ("demonstration", "system_prompt"):
                yield Turn("system", turn.text)
            elif turn.role == "user" and acted:
                yield Turn("tool", turn.text)
            else:
                acted = acted or turn.role == "assistant"
                yield turn


def _folded(texts: Iterable[Any]) -> str:
    return " ".join(" ".join(text.split()) for text in texts if isinstance(text, str))


def _as_chat(message: Any) -> JsonObject:
    """The message with the id of its call where the shape of chat has it."""
    if not isinstance(message, dict):
        raise TraceError("not an object")
    ids = message.get("tool_call_ids")
    if message.get("role") == "tool" and isinstance(ids, list) and ids:
        return {**message, "tool_call_id": ids[0]}
    return message


def _turns_of_steps(steps: Any) -> Iterator[Turn]:
    if not isinstance(steps, list):
        raise TraceError("it has neither a history nor a trajectory")
    for step in steps:
        if not isinstance(step, dict):
            raise TraceError("a step is not an object")
        thought = step.get("thought") or step.get("response")
        action = step.get("action")
        calls = (ToolCall("action", action),) if isinstance(action, str) and action.strip() else ()
        yield Turn("assistant", content_text(thought), calls)
        seen = said(step, "observation", beside=_OF_STEP)
        if seen is not None:
            yield Turn("tool", content_text(seen))


def _turns_of_mini(value: JsonObject, line: int, notes: Notes) -> Iterator[Turn]:
    messages = value.get("messages")
    if not isinstance(messages, list):
        raise TraceError("messages is not a list")
    acted = False
    for number, message in enumerate(messages, 1):
        if not isinstance(message, dict):
            notes.left_out(line, f"message {number}: not an object")
            continue
        extra = message.get("extra")
        extra = extra if isinstance(extra, dict) else {}
        role = message.get("role")
        if role == "exit" or "exit_status" in extra:
            text = content_text(message.get("content"))
            if text and text != extra.get("submission"):
                yield Turn("system", text)
            continue
        try:
            turns = turns_of_message(message)
            notes.unread(message, _OF_MESSAGE)
        except TraceError as error:
            notes.left_out(line, f"message {number}: {error}")
            continue
        code = extra.get("returncode")
        for turn in turns:
            if turn.role in ("user", "tool") and acted:
                yield Turn(
                    "tool",
                    turn.text,
                    call_id=turn.call_id,
                    name=turn.name,
                    failed=turn.failed or _has_failed(code, turn.text),
                )
            else:
                acted = acted or turn.role == "assistant"
                yield turn


def _has_failed(code: Any, text: str) -> bool:
    if isinstance(code, int):
        return code != 0
    return text.startswith("<returncode>") and not text.startswith("<returncode>0<")
