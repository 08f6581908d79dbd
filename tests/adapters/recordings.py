"""Sessions as each tool writes them, made from one description: what the user asked, what was done, what was replied."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

type Json = dict[str, Any]

DATA = base64.b64encode(bytes(300)).decode()
"""The data of an image of 300 bytes."""


@dataclass(frozen=True)
class Image:
    """An image of 300 bytes."""


@dataclass(frozen=True)
class Odd:
    """A part of a kind that nobody knows."""

    kind: str
    text: str


type Part = str | Image | Odd


@dataclass(frozen=True)
class Work:
    """One message of the assistant's that calls a tool, and what came of it."""

    says: str
    name: str
    arguments: Json
    result: str
    failed: bool = False


@dataclass(frozen=True)
class Asked:
    """A turn of the user's: its parts, the work, and the reply."""

    parts: tuple[Part, ...]
    work: tuple[Work, ...] = ()
    reply: str = "Done."
    injected: str = ""


@dataclass(frozen=True)
class Format:
    """How a tool records. `whole`: a file is one run. `shows`: the kinds of parts that the format can hold."""

    name: str
    render: Callable[[list[Asked]], bytes]
    whole: bool = False
    images: bool = True
    odd: bool = True
    injects: Callable[[str], str] | None = None
    ids: bool = False
    flags: bool = True


def lines(rows: Iterator[Json] | list[Json]) -> bytes:
    """JSON Lines."""
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def _reminder(text: str) -> str:
    return f"<system-reminder>\n{text}\n</system-reminder>\n"


# --- blocks ---------------------------------------------------------------------------------------------------------


def _anthropic(parts: tuple[Part, ...]) -> list[Json]:
    found: list[Json] = []
    for part in parts:
        match part:
            case str():
                found.append({"type": "text", "text": part})
            case Image():
                found.append(
                    {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": DATA}}
                )
            case Odd():
                found.append({"type": part.kind, "note": {"text": part.text}})
    return found


def _openai(parts: tuple[Part, ...]) -> list[Json]:
    found: list[Json] = []
    for part in parts:
        match part:
            case str():
                found.append({"type": "text", "text": part})
            case Image():
                found.append({"type": "image_url", "image_url": {"url": f"data:image/png;base64,{DATA}"}})
            case Odd():
                found.append({"type": part.kind, "note": {"text": part.text}})
    return found


def _responses(parts: tuple[Part, ...]) -> list[Json]:
    found: list[Json] = []
    for part in parts:
        match part:
            case str():
                found.append({"type": "input_text", "text": part})
            case Image():
                found.append({"type": "input_image", "image_url": f"data:image/png;base64,{DATA}"})
            case Odd():
                found.append({"type": part.kind, "note": {"text": part.text}})
    return found


def _gemini(parts: tuple[Part, ...]) -> list[Json]:
    found: list[Json] = []
    for part in parts:
        match part:
            case str():
                found.append({"text": part})
            case Image():
                found.append({"inlineData": {"mimeType": "image/png", "data": DATA}})
            case Odd():
                found.append({part.kind: {"text": part.text}})
    return found


def _anthropic_messages(asked: list[Asked], calls: Iterator[int]) -> Iterator[Json]:
    for turn in asked:
        yield {"role": "user", "content": _anthropic(turn.parts)}
        for work in turn.work:
            call = f"toolu_{next(calls)}"
            text = [{"type": "text", "text": work.says}] if work.says else []
            use = {"type": "tool_use", "id": call, "name": work.name, "input": work.arguments}
            yield {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, *text, use]}
            result = {
                "type": "tool_result",
                "tool_use_id": call,
                "content": work.result,
                "is_error": work.failed,
            }
            yield {"role": "user", "content": [result]}
        yield {"role": "assistant", "content": [{"type": "text", "text": turn.reply}]}


# --- sessions of tools ----------------------------------------------------------------------------------------------


def claude_code(asked: list[Asked], session: str = "5e55", first: int = 1, more: Json | None = None) -> bytes:
    """A session of Claude Code."""
    number, calls = count(first), count(first)
    parent: str | None = None
    rows: list[Json] = [{"type": "summary", "summary": "A title", "leafUuid": "x"}]

    def row(kind: str, message: Json, **others: Any) -> None:
        nonlocal parent
        identifier = f"uuid-{next(number)}"
        rows.append(
            {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": "/w",
                "sessionId": session,
                "version": "2.1.0",
                "type": kind,
                "message": message,
                "uuid": identifier,
                "timestamp": f"2026-03-01T10:00:{len(rows) % 60:02d}.000Z",
                **others,
                **(more or {}),
            }
        )
        parent = identifier

    for turn in asked:
        parts = turn.parts if not turn.injected else (_reminder(turn.injected), *turn.parts)
        row("user", {"role": "user", "content": _anthropic(parts)})
        for work in turn.work:
            place = next(calls)
            call, message = f"toolu_{place}", f"msg_{place}"
            # Each block of a message is a record of its own.
            if work.says:
                row(
                    "assistant",
                    {"id": message, "role": "assistant", "content": [{"type": "text", "text": work.says}]},
                )
            use = {"type": "tool_use", "id": call, "name": work.name, "input": work.arguments}
            row("assistant", {"id": message, "role": "assistant", "content": [use]})
            result = {
                "type": "tool_result",
                "tool_use_id": call,
                "content": work.result,
                "is_error": work.failed,
            }
            row("user", {"role": "user", "content": [result]}, toolUseResult={"stdout": work.result})
        row(
            "assistant",
            {
                "id": f"msg_{next(calls)}",
                "role": "assistant",
                "content": [{"type": "text", "text": turn.reply}],
            },
        )
    rows.append({"type": "file-history-snapshot", "messageId": "x", "snapshot": {}})
    return lines(rows)


def codex(asked: list[Asked], session: str = "0199-5e55", *, turn_ids: bool = True) -> bytes:
    """A rollout of Codex, with events that repeat what items say."""
    calls = count(1)
    rows: list[Json] = [
        {
            "type": "session_meta",
            "payload": {"id": session, "cwd": "/w", "cli_version": "0.99.0", "source": "cli"},
        },
        _item(
            {
                "type": "message",
                "role": "developer",
                "content": [{"type": "input_text", "text": "<permissions instructions>x"}],
            }
        ),
        _item(
            {
                "type": "message",
                "role": "user",
                "content": [
                    {
                        "type": "input_text",
                        "text": "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nBe kind.\n</INSTRUCTIONS>",
                    },
                    {
                        "type": "input_text",
                        "text": "<environment_context>\n  <cwd>/w</cwd>\n</environment_context>",
                    },
                ],
            }
        ),
    ]
    for number, turn in enumerate(asked, 1):
        turn_id = f"{session}-0000-turn-{number:08d}"
        if turn_ids:
            rows.append(_event("task_started", turn_id=turn_id))
            rows.append({"type": "turn_context", "payload": {"turn_id": turn_id, "cwd": "/w", "model": "m"}})
        content = _responses(turn.parts)
        if turn.injected:
            content.insert(
                0,
                {"type": "input_text", "text": f"<environment_context>{turn.injected}</environment_context>"},
            )
        rows.append(_item({"type": "message", "role": "user", "content": content}))
        texts = [part for part in turn.parts if isinstance(part, str)]
        if len(texts) == len(turn.parts):
            rows.append(_event("user_message", message="\n".join(texts), images=[]))
        for work in turn.work:
            call = f"call_{next(calls)}"
            if work.says:
                rows.append(_event("agent_message", message=work.says))
                rows.append(
                    _item(
                        {
                            "type": "message",
                            "role": "assistant",
                            "content": [{"type": "output_text", "text": work.says}],
                        }
                    )
                )
            rows.append(_item({"type": "reasoning", "summary": [], "encrypted_content": "AAAA"}))
            arguments = json.dumps(work.arguments)
            rows.append(
                _item({"type": "function_call", "name": work.name, "arguments": arguments, "call_id": call})
            )
            output = json.dumps(
                {"output": work.result, "metadata": {"exit_code": int(work.failed), "duration_seconds": 0.1}}
            )
            rows.append(_item({"type": "function_call_output", "call_id": call, "output": output}))
            rows.append(_event("token_count", info=None))
        rows.append(_event("agent_message", message=turn.reply))
        rows.append(
            _item(
                {
                    "type": "message",
                    "role": "assistant",
                    "content": [{"type": "output_text", "text": turn.reply}],
                }
            )
        )
        rows.append(_event("task_complete", turn_id=turn_id, last_agent_message=turn.reply))
    return lines(
        [{"timestamp": f"2026-03-01T10:{n // 60:02d}:{n % 60:02d}.000Z", **row} for n, row in enumerate(rows)]
    )


def codex_whole(asked: list[Asked]) -> bytes:
    """A rollout of the oldest versions: one object, the session beside its items."""
    rows = [json.loads(line) for line in codex(asked).splitlines()]
    items = [row["payload"] for row in rows if row["type"] == "response_item"]
    return json.dumps({"session": {"id": "0199-5e55", "instructions": ""}, "items": items}, indent=1).encode()


def _item(payload: Json) -> Json:
    return {"type": "response_item", "payload": payload}


def _event(kind: str, **payload: Any) -> Json:
    return {"type": "event_msg", "payload": {"type": kind, **payload}}


def gemini(asked: list[Asked], *, in_lines: bool = False) -> bytes:
    """A session of Gemini CLI, as one object or as lines."""
    number, calls = count(1), count(1)
    messages: list[Json] = []
    for turn in asked:
        parts = _gemini(turn.parts)
        if turn.injected:
            messages.append(
                {
                    "id": f"i{next(number)}",
                    "type": "user",
                    "content": f"<session_context>{turn.injected}</session_context>",
                }
            )
        messages.append(
            {
                "id": f"u{next(number)}",
                "timestamp": "2026-03-01T10:00:00.000Z",
                "type": "user",
                "content": parts,
            }
        )
        for work in turn.work:
            call = f"{work.name}-{next(calls)}"
            answer = {"error": work.result} if work.failed else {"output": work.result}
            done = {
                "id": call,
                "name": work.name,
                "args": work.arguments,
                "status": "error" if work.failed else "success",
                "result": [{"functionResponse": {"id": call, "name": work.name, "response": answer}}],
                "resultDisplay": work.result,
            }
            identifier = f"g{next(number)}"
            if in_lines:  # first without the result, then again with it
                messages.append({"id": identifier, "type": "gemini", "content": work.says, "toolCalls": []})
            messages.append(
                {
                    "id": identifier,
                    "type": "gemini",
                    "content": work.says,
                    "toolCalls": [done],
                    "thoughts": [],
                }
            )
        messages.append(
            {"id": f"g{next(number)}", "type": "gemini", "content": turn.reply, "tokens": {"total": 9}}
        )
    head = {
        "sessionId": "5e55",
        "projectHash": "ab",
        "startTime": "2026-03-01T10:00:00.000Z",
        "lastUpdated": "x",
    }
    if in_lines:
        return lines([head, *messages, {"$set": {"lastUpdated": "y"}}])
    return json.dumps({**head, "messages": messages}, indent=2).encode()


def opencode(asked: list[Asked]) -> bytes:
    """A session as `opencode export` writes it."""
    number, calls = count(1), count(1)
    messages: list[Json] = []

    def message(role: str, parts: list[Json], **info: Any) -> None:
        place = next(number)
        messages.append(
            {
                "info": {
                    "id": f"msg_{place:04d}",
                    "role": role,
                    "time": {"created": 1772359200000 + place},
                    **info,
                },
                "parts": parts,
            }
        )

    for turn in asked:
        parts: list[Json] = []
        for part in turn.parts:
            match part:
                case str():
                    parts.append({"type": "text", "text": part})
                case Image():
                    parts.append(
                        {
                            "type": "file",
                            "mime": "image/png",
                            "filename": "a.png",
                            "url": f"data:image/png;base64,{DATA}",
                        }
                    )
                case Odd():
                    parts.append({"type": part.kind, "note": {"text": part.text}})
        if turn.injected:
            parts.append({"type": "text", "text": turn.injected, "synthetic": True})
        message("user", parts)
        for work in turn.work:
            state: Json = {"status": "error" if work.failed else "completed", "input": work.arguments}
            state["error" if work.failed else "output"] = work.result
            text = [{"type": "text", "text": work.says}] if work.says else []
            tool = {"type": "tool", "callID": f"c{next(calls)}", "tool": work.name, "state": state}
            message(
                "assistant",
                [{"type": "step-start"}, *text, tool, {"type": "step-finish", "reason": "tool-calls"}],
                finish="tool-calls",
            )
        message(
            "assistant",
            [{"type": "reasoning", "text": "hm"}, {"type": "text", "text": turn.reply}],
            finish="stop",
        )
    return json.dumps(
        {"info": {"id": "ses_1", "directory": "/w", "time": {"created": 1}}, "messages": messages}
    ).encode()


def droid(asked: list[Asked]) -> bytes:
    """A session of Factory's Droid."""
    rows: list[Json] = [{"type": "session_start", "id": "5e55", "title": "t", "cwd": "/w"}]
    for number, message in enumerate(_anthropic_messages(asked, count(1)), 1):
        rows.append(
            {
                "type": "message",
                "id": f"m{number}",
                "timestamp": "2026-03-01T10:00:00.000Z",
                "message": message,
            }
        )
    injected = iter([turn.injected for turn in asked])
    for row in rows[1:]:
        content = row["message"]["content"]
        if (
            row["message"]["role"] == "user"
            and content
            and content[0]["type"] != "tool_result"
            and (text := next(injected))
        ):
            content.insert(0, {"type": "text", "text": _reminder(text)})
    return lines(rows)


def pi(asked: list[Asked]) -> bytes:
    """A session of pi."""
    calls, number = count(1), count(1)
    rows: list[Json] = [{"type": "session", "version": 3, "id": "5e55", "cwd": "/w"}]

    def row(message: Json) -> None:
        place = next(number)
        rows.append(
            {
                "type": "message",
                "id": f"{place:08x}",
                "parentId": f"{place - 1:08x}" if place > 1 else None,
                "timestamp": f"2026-03-01T10:00:{place % 60:02d}.000Z",
                "message": {"timestamp": 1772359200000 + place, **message},
            }
        )

    for turn in asked:
        content: list[Json] = []
        for part in turn.parts:
            match part:
                case str():
                    content.append({"type": "text", "text": part})
                case Image():
                    content.append({"type": "image", "data": DATA, "mimeType": "image/png"})
                case Odd():
                    content.append({"type": part.kind, "note": {"text": part.text}})
        row({"role": "user", "content": content})
        for work in turn.work:
            call = f"t{next(calls)}"
            text = [{"type": "text", "text": work.says}] if work.says else []
            use = {"type": "toolCall", "id": call, "name": work.name, "arguments": work.arguments}
            row(
                {
                    "role": "assistant",
                    "content": [{"type": "thinking", "thinking": "hm"}, *text, use],
                    "stopReason": "toolUse",
                }
            )
            result = [{"type": "text", "text": work.result}]
            row(
                {
                    "role": "toolResult",
                    "toolCallId": call,
                    "toolName": work.name,
                    "content": result,
                    "isError": work.failed,
                }
            )
        row({"role": "assistant", "content": [{"type": "text", "text": turn.reply}], "stopReason": "stop"})
    return lines(rows)


def pi_events(asked: list[Asked]) -> bytes:
    """What `pi --mode json` prints: each message as it begins, grows and ends, and all of them again at the end."""
    said = [json.loads(line)["message"] for line in pi(asked).splitlines()[1:]]
    rows: list[Json] = [{"type": "session", "version": 3, "id": "5e55", "cwd": "/w"}, {"type": "agent_start"}]
    for message in said:
        grown = {**message, "content": message["content"][:1]}
        rows += [{"type": "turn_start"}, {"type": "message_start", "message": grown}]
        rows += [{"type": "message_update", "message": grown}, {"type": "message_end", "message": message}]
        rows += [{"type": "tool_execution_end", "result": {"content": message["content"]}}]
        rows += [{"type": "turn_end", "message": message, "toolResults": []}]
    return lines([*rows, {"type": "agent_end", "messages": said}])


def cline(asked: list[Asked]) -> bytes:
    """A task of Cline, with native calls."""
    messages = list(_anthropic_messages(asked, count(1)))
    first = True
    turns = iter(asked)
    for message in messages:
        content = message["content"]
        if message["role"] != "user" or (content and content[0]["type"] == "tool_result"):
            continue
        turn = next(turns)
        tag = "task" if first else "feedback"
        first = False
        for block in content:
            if block["type"] == "text":
                block["text"] = f"<{tag}>\n{block['text']}\n</{tag}>"
        content.append(
            {"type": "text", "text": f"<environment_details>\n{turn.injected or 'x'}\n</environment_details>"}
        )
    return json.dumps(messages).encode()


def copilot(asked: list[Asked]) -> bytes:
    """A session of GitHub Copilot's command line."""
    calls, number = count(1), count(1)
    rows: list[Json] = []

    def event(kind: str, **data: Any) -> None:
        place = next(number)
        rows.append(
            {
                "type": kind,
                "data": data,
                "id": f"e{place}",
                "timestamp": f"2026-03-01T10:00:{place % 60:02d}.000Z",
                "parentId": f"e{place - 1}" if place > 1 else None,
            }
        )

    event("session.start", sessionId="5e55", context={"cwd": "/w"})
    for turn in asked:
        if turn.injected:
            event("system.message", content=turn.injected, role="system")
        text = "\n".join(part for part in turn.parts if isinstance(part, str))
        event("user.message", content=text, transformedContent=f"<now>x</now>\n{text}", attachments=[])
        event("assistant.turn_start", turnId="0")
        for work in turn.work:
            call = f"call_{next(calls)}"
            request = {"toolCallId": call, "name": work.name, "arguments": work.arguments, "type": "function"}
            event("assistant.message", messageId="m", content=work.says, toolRequests=[request])
            event("tool.execution_start", toolCallId=call, toolName=work.name, arguments=work.arguments)
            done = (
                {"error": {"message": work.result}} if work.failed else {"result": {"content": work.result}}
            )
            event("tool.execution_complete", toolCallId=call, success=not work.failed, **done)
        event("assistant.message", messageId="m", content=turn.reply, toolRequests=[])
        event("assistant.turn_end", turnId="0")
    return lines(rows)


def claude_code_whole(asked: list[Asked]) -> bytes:
    """A session of Claude Code that was brought from the web: all records in one object, without their places."""
    rows = [json.loads(line) for line in claude_code(asked).splitlines()]
    kept = ("type", "timestamp", "message", "uuid")
    held = [{key: row[key] for key in kept if key in row} for row in rows if "message" in row]
    return json.dumps({"loglines": held}).encode()


# --- one run a file -------------------------------------------------------------------------------------------------


def swe_agent(asked: list[Asked]) -> bytes:
    """A trajectory of SWE-agent, with function calls."""
    history: list[Json] = [
        {"role": "system", "content": "You are …", "agent": "main", "message_type": "system_prompt"}
    ]
    calls = count(1)
    for turn in asked:
        history.append(
            {"role": "user", "content": _openai(turn.parts), "agent": "main", "message_type": "observation"}
        )
        for work in turn.work:
            call = f"call_{next(calls)}"
            function = {"name": work.name, "arguments": json.dumps(work.arguments)}
            history.append(
                {
                    "role": "assistant",
                    "content": work.says,
                    "thought": work.says,
                    "action": "x",
                    "agent": "main",
                    "tool_calls": [{"id": call, "type": "function", "function": function}],
                    "message_type": "action",
                }
            )
            history.append(
                {
                    "role": "tool",
                    "content": work.result,
                    "agent": "main",
                    "message_type": "observation",
                    "tool_call_ids": [call],
                }
            )
        history.append(
            {"role": "assistant", "content": turn.reply, "agent": "main", "message_type": "action"}
        )
    return json.dumps(
        {"environment": "e", "trajectory": [], "history": history, "info": {"exit_status": "submitted"}}
    ).encode()


def mini_swe_agent(asked: list[Asked]) -> bytes:
    """A trajectory of mini-SWE-agent."""
    messages: list[Json] = [{"role": "system", "content": "You are …"}]
    calls = count(1)
    for turn in asked:
        messages.append({"role": "user", "content": _openai(turn.parts)})
        for work in turn.work:
            call = f"call_{next(calls)}"
            function = {"name": work.name, "arguments": json.dumps(work.arguments)}
            extra = {
                "actions": [{"command": "x"}],
                "response": {"choices": [{"message": {"content": work.says}}]},
            }
            calls_made = [{"id": call, "type": "function", "function": function}]
            messages.append(
                {"role": "assistant", "content": work.says, "tool_calls": calls_made, "extra": extra}
            )
            messages.append(
                {
                    "role": "tool",
                    "tool_call_id": call,
                    "content": work.result,
                    "extra": {"returncode": int(work.failed)},
                }
            )
        messages.append({"role": "assistant", "content": turn.reply})
    messages.append({"role": "exit", "content": "", "extra": {"exit_status": "Submitted", "submission": ""}})
    info = {"exit_status": "Submitted", "submission": "", "mini_version": "2.0.0"}
    return json.dumps(
        {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}, indent=2
    ).encode()


def openhands(asked: list[Asked]) -> bytes:
    """Events of OpenHands, version 0."""
    number = count(1)
    events: list[Json] = [{"id": 0, "source": "agent", "action": "system", "args": {"content": "You are …"}}]
    for turn in asked:
        text = "\n".join(part for part in turn.parts if isinstance(part, str))
        events.append(
            {
                "id": next(number),
                "source": "user",
                "action": "message",
                "message": text,
                "args": {"content": text},
            }
        )
        events.append(
            {
                "id": next(number),
                "source": "user",
                "action": "recall",
                "message": "Retrieving",
                "args": {"query": "q"},
            }
        )
        for work in turn.work:
            place = next(number)
            metadata = {"function_name": work.name, "tool_call_id": f"t{place}", "model_response": {}}
            args = {**work.arguments, "thought": work.says, "blocking": False}
            events.append(
                {
                    "id": place,
                    "source": "agent",
                    "action": "run",
                    "tool_call_metadata": metadata,
                    "args": args,
                    "message": "Running",
                }
            )
            extras = {"metadata": {"exit_code": int(work.failed)}}
            events.append(
                {
                    "id": next(number),
                    "source": "agent",
                    "cause": place,
                    "observation": "run",
                    "content": work.result,
                    "extras": extras,
                    "tool_call_metadata": metadata,
                    "message": "Command executed",
                }
            )
        args = {"final_thought": turn.reply, "outputs": {}, "thought": ""}
        events.append(
            {"id": next(number), "source": "agent", "action": "finish", "message": "All done", "args": args}
        )
    return json.dumps(events).encode()


def openhands_1(asked: list[Asked]) -> bytes:
    """Events of OpenHands, version 1, one a line."""
    number = count(1)
    rows: list[Json] = [
        {
            "kind": "SystemPromptEvent",
            "source": "agent",
            "system_prompt": {"type": "text", "text": "You are …"},
        }
    ]
    for turn in asked:
        rows.append(
            {
                "kind": "MessageEvent",
                "source": "user",
                "llm_message": {"role": "user", "content": _anthropic(turn.parts)},
            }
        )
        for work in turn.work:
            call = f"t{next(number)}"
            rows.append(
                {
                    "kind": "ActionEvent",
                    "source": "agent",
                    "thought": [{"type": "text", "text": work.says}] if work.says else [],
                    "action": {"kind": "TerminalAction", **work.arguments},
                    "tool_name": work.name,
                    "tool_call_id": call,
                    "tool_call": {"id": call, "name": work.name, "arguments": json.dumps(work.arguments)},
                }
            )
            seen = {
                "kind": "TerminalObservation",
                "content": [{"type": "text", "text": work.result}],
                "is_error": work.failed,
            }
            rows.append(
                {
                    "kind": "ObservationEvent",
                    "source": "environment",
                    "observation": seen,
                    "tool_name": work.name,
                    "tool_call_id": call,
                }
            )
        rows.append(
            {
                "kind": "ActionEvent",
                "source": "agent",
                "tool_name": "finish",
                "action": {"kind": "FinishAction", "message": turn.reply},
            }
        )
    return lines(rows)


def atif(asked: list[Asked]) -> bytes:
    """A trajectory in ATIF."""
    steps: list[Json] = [{"step_id": 1, "source": "system", "message": "You are …"}]
    calls = count(1)
    for turn in asked:
        message = [
            {"type": "text", "text": part}
            if isinstance(part, str)
            else {"type": part.kind, "note": {"text": part.text}}
            for part in turn.parts
            if not isinstance(part, Image)
        ]
        steps.append({"step_id": len(steps) + 1, "source": "user", "message": message})
        for work in turn.work:
            call = f"c{next(calls)}"
            result = {"source_call_id": call, "content": work.result, "extra": {"is_error": work.failed}}
            steps.append(
                {
                    "step_id": len(steps) + 1,
                    "source": "agent",
                    "message": work.says,
                    "reasoning_content": "hm",
                    "tool_calls": [
                        {"tool_call_id": call, "function_name": work.name, "arguments": work.arguments}
                    ],
                    "observation": {"results": [result]},
                }
            )
        steps.append({"step_id": len(steps) + 1, "source": "agent", "message": turn.reply})
    head = {"schema_version": "ATIF-v1.7", "session_id": "5e55", "agent": {"name": "a", "version": "1"}}
    return json.dumps({**head, "steps": steps}).encode()


# --- chat -----------------------------------------------------------------------------------------------------------


def _openai_messages(asked: list[Asked]) -> Iterator[Json]:
    calls = count(1)
    for turn in asked:
        yield {"role": "user", "content": _openai(turn.parts)}
        for work in turn.work:
            call = f"call_{next(calls)}"
            function = {"name": work.name, "arguments": json.dumps(work.arguments)}
            yield {
                "role": "assistant",
                "content": work.says or None,
                "tool_calls": [{"id": call, "type": "function", "function": function}],
            }
            yield {"role": "tool", "tool_call_id": call, "content": work.result, "is_error": work.failed}
        yield {"role": "assistant", "content": turn.reply}


def openai_records(asked: list[Asked]) -> bytes:
    """A record of OpenAI's messages."""
    return lines([{"id": "r1", "messages": list(_openai_messages(asked)), "score": 1}])


def tau_bench(asked: list[Asked]) -> bytes:
    """A file of tau-bench's: an array of simulations."""
    said = list(_openai_messages(asked))
    return json.dumps([{"task_id": 3, "reward": 1.0, "info": {}, "traj": said, "trial": 0}]).encode()


def openai_array(asked: list[Asked]) -> bytes:
    """A bare array of messages."""
    return json.dumps(list(_openai_messages(asked)), indent=1).encode()


def openai_lines(asked: list[Asked]) -> bytes:
    """One message a line."""
    return lines(_openai_messages(asked))


def anthropic_record(asked: list[Asked]) -> bytes:
    """A record of Anthropic's messages."""
    return lines([{"system": "You are …", "messages": list(_anthropic_messages(asked, count(1)))}])


def responses_items(asked: list[Asked]) -> bytes:
    """Input and output of OpenAI's Responses API."""
    items: list[Json] = []
    calls = count(1)
    for turn in asked:
        items.append({"type": "message", "role": "user", "content": _responses(turn.parts)})
        for work in turn.work:
            call = f"call_{next(calls)}"
            items.append({"type": "reasoning", "summary": []})
            if work.says:
                items.append(
                    {
                        "type": "message",
                        "role": "assistant",
                        "content": [{"type": "output_text", "text": work.says, "annotations": []}],
                    }
                )
            items.append(
                {
                    "type": "function_call",
                    "call_id": call,
                    "name": work.name,
                    "arguments": json.dumps(work.arguments),
                }
            )
            status = "failed" if work.failed else "completed"
            items.append(
                {"type": "function_call_output", "call_id": call, "output": work.result, "status": status}
            )
        items.append(
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": turn.reply}]}
        )
    return json.dumps({"id": "resp_1", "input": items[:-1], "output": items[-1:]}).encode()


def gemini_contents(asked: list[Asked]) -> bytes:
    """Contents of the Gemini API."""
    contents: list[Json] = []
    for turn in asked:
        contents.append({"role": "user", "parts": _gemini(turn.parts)})
        for work in turn.work:
            says = [{"text": work.says}] if work.says else []
            thought = {"text": "hm", "thought": True}
            contents.append(
                {
                    "role": "model",
                    "parts": [thought, *says, {"functionCall": {"name": work.name, "args": work.arguments}}],
                }
            )
            answer = {"error": work.result} if work.failed else {"output": work.result}
            contents.append(
                {"role": "user", "parts": [{"functionResponse": {"name": work.name, "response": answer}}]}
            )
        contents.append({"role": "model", "parts": [{"text": turn.reply}]})
    return json.dumps({"contents": contents}).encode()


def langchain(asked: list[Asked], *, dumped: bool = False) -> bytes:
    """Messages of LangChain."""
    names = {"human": "HumanMessage", "ai": "AIMessage", "tool": "ToolMessage"}
    calls = count(1)
    messages: list[Json] = []
    for turn in asked:
        messages.append({"type": "human", "content": _openai(turn.parts)})
        for work in turn.work:
            call = f"call_{next(calls)}"
            made = {"name": work.name, "args": work.arguments, "id": call, "type": "tool_call"}
            messages.append(
                {"type": "ai", "content": work.says, "tool_calls": [made], "additional_kwargs": {}}
            )
            status = "error" if work.failed else "success"
            messages.append(
                {
                    "type": "tool",
                    "content": work.result,
                    "tool_call_id": call,
                    "name": work.name,
                    "status": status,
                }
            )
        messages.append({"type": "ai", "content": turn.reply, "tool_calls": []})
    if dumped:
        messages = [
            {
                "lc": 1,
                "type": "constructor",
                "id": ["langchain", "schema", "messages", names[message["type"]]],
                "kwargs": message,
            }
            for message in messages
        ]
    return json.dumps(messages).encode()


def bedrock(asked: list[Asked]) -> bytes:
    """Messages of Bedrock Converse."""
    messages: list[Json] = []
    calls = count(1)
    for turn in asked:
        content: list[Json] = []
        for part in turn.parts:
            match part:
                case str():
                    content.append({"text": part})
                case Image():
                    content.append({"image": {"format": "png", "source": {"bytes": DATA}}})
                case Odd():
                    content.append({"guardContent": {"text": part.text}})
        messages.append({"role": "user", "content": content})
        for work in turn.work:
            call = f"tooluse_{next(calls)}"
            says = [{"text": work.says}] if work.says else []
            messages.append(
                {
                    "role": "assistant",
                    "content": [
                        *says,
                        {"toolUse": {"toolUseId": call, "name": work.name, "input": work.arguments}},
                    ],
                }
            )
            status = "error" if work.failed else "success"
            result = {"toolUseId": call, "content": [{"text": work.result}], "status": status}
            messages.append({"role": "user", "content": [{"toolResult": result}]})
        messages.append({"role": "assistant", "content": [{"text": turn.reply}]})
    return json.dumps({"modelId": "m", "messages": messages, "system": [{"text": "You are …"}]}).encode()


def ai_sdk_model(asked: list[Asked]) -> bytes:
    """Messages of the Vercel AI SDK, of a model."""
    messages: list[Json] = []
    calls = count(1)
    for turn in asked:
        messages.append({"role": "user", "content": _openai(turn.parts)})
        for work in turn.work:
            call = f"c{next(calls)}"
            says = [{"type": "text", "text": work.says}] if work.says else []
            made = {"type": "tool-call", "toolCallId": call, "toolName": work.name, "input": work.arguments}
            messages.append(
                {"role": "assistant", "content": [{"type": "reasoning", "text": "hm"}, *says, made]}
            )
            output = {"type": "error-text" if work.failed else "text", "value": work.result}
            result = {"type": "tool-result", "toolCallId": call, "toolName": work.name, "output": output}
            messages.append({"role": "tool", "content": [result]})
        messages.append({"role": "assistant", "content": turn.reply})
    return json.dumps({"messages": messages}).encode()


def ai_sdk_ui(asked: list[Asked]) -> bytes:
    """Messages of the Vercel AI SDK, of a UI: all of the assistant's turn is one message."""
    messages: list[Json] = []
    calls = count(1)
    for turn in asked:
        parts: list[Json] = []
        for part in turn.parts:
            match part:
                case str():
                    parts.append({"type": "text", "text": part})
                case Image():
                    parts.append(
                        {"type": "file", "mediaType": "image/png", "url": f"data:image/png;base64,{DATA}"}
                    )
                case Odd():
                    parts.append({"type": f"data-{part.kind}", "data": {"text": part.text}})
        messages.append({"id": "u", "role": "user", "parts": parts})
        said: list[Json] = []
        for work in turn.work:
            said.append({"type": "step-start"})
            said += [{"type": "text", "text": work.says, "state": "done"}] if work.says else []
            tool = {"type": f"tool-{work.name}", "toolCallId": f"c{next(calls)}", "input": work.arguments}
            done = (
                {"state": "output-error", "errorText": work.result}
                if work.failed
                else {"state": "output-available", "output": work.result}
            )
            said.append({**tool, **done})
        said.append({"type": "text", "text": turn.reply})
        messages.append({"id": "a", "role": "assistant", "parts": said})
    return json.dumps(messages).encode()


def cursor(asked: list[Asked]) -> bytes:
    """A transcript of Cursor's, one message a line."""
    rows: list[Json] = []
    for message in _anthropic_messages(asked, count(1)):
        for block in message["content"]:
            if message["role"] == "user" and block["type"] == "text":
                block["text"] = f"<user_query>\n{block['text']}\n</user_query>"
        rows.append({"role": message["role"], "message": {"content": message["content"]}})
    return lines(rows)


def goose(asked: list[Asked]) -> bytes:
    """A session of Goose."""
    messages: list[Json] = []
    for message in _anthropic_messages(asked, count(1)):
        content: list[Json] = []
        for block in message["content"]:
            match block["type"]:
                case "tool_use":
                    call = {"name": block["name"], "arguments": block["input"]}
                    told = {"status": "success", "value": call}
                    content.append({"type": "toolRequest", "id": block["id"], "toolCall": told})
                case "tool_result":
                    value = {
                        "content": [{"type": "text", "text": block["content"]}],
                        "isError": block["is_error"],
                    }
                    told = {"status": "success", "value": value}
                    content.append({"type": "toolResponse", "id": block["tool_use_id"], "toolResult": told})
                case _:
                    content.append(block)
        messages.append({"role": message["role"], "created": 1772359200, "content": content})
    return json.dumps({"id": "20260301_1", "working_dir": "/w", "conversation": messages}).encode()


def ace(asked: list[Asked]) -> bytes:
    """Our own schema."""
    turns: list[Json] = []
    calls = count(1)
    for turn in asked:
        turns.append(
            {"role": "user", "text": "\n".join(part for part in turn.parts if isinstance(part, str))}
        )
        for work in turn.work:
            call = f"c{next(calls)}"
            made = {"name": work.name, "arguments": json.dumps(work.arguments), "id": call}
            turns.append({"role": "assistant", "text": work.says, "calls": [made]})
            turns.append({"role": "tool", "text": work.result, "call_id": call, "failed": work.failed})
        turns.append({"role": "assistant", "text": turn.reply})
    return lines([{"id": "a1", "turns": turns}])


SESSIONS: tuple[Format, ...] = (
    Format("claude-code", claude_code_whole, ids=True, injects=_reminder),
    Format("claude-code", claude_code, ids=True, injects=_reminder),
    Format("codex", codex, ids=True, injects=str),
    Format("gemini", gemini, ids=True, injects=str),
    Format("gemini", lambda asked: gemini(asked, in_lines=True), ids=True, injects=str),
    Format("opencode", opencode, ids=True, injects=str),
    Format("droid", droid, ids=True, injects=_reminder),
    Format("pi", pi),
    Format("pi", pi_events),
    Format("cline", cline, injects=str),
    Format("copilot", copilot, ids=True, injects=str, images=False, odd=False),
)
"""Formats of which a file holds several runs."""

RECORDS: tuple[Format, ...] = (
    Format("swe-agent", swe_agent, whole=True, flags=False),
    Format("mini-swe-agent", mini_swe_agent, whole=True),
    Format("openhands", openhands, whole=True, images=False, odd=False),
    Format("openhands", openhands_1, whole=True),
    Format("atif", atif, whole=True, images=False),
    Format("openai", openai_records, whole=True),
    Format("openai", tau_bench, whole=True),
    Format("openai", openai_array, whole=True),
    Format("openai", openai_lines, whole=True),
    Format("openai", anthropic_record, whole=True),
    Format("openai", responses_items, whole=True),
    Format("openai", gemini_contents, whole=True),
    Format("openai", langchain, whole=True),
    Format("openai", lambda asked: langchain(asked, dumped=True), whole=True),
    Format("openai", bedrock, whole=True),
    Format("openai", ai_sdk_model, whole=True),
    Format("openai", ai_sdk_ui, whole=True),
    Format("openai", cursor, whole=True),
    Format("openai", goose, whole=True),
    Format("ace", ace, whole=True, images=False, odd=False),
)
"""Formats of which a file, or a line, is one run."""
