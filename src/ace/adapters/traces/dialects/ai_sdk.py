"""Messages of the Vercel AI SDK: of a model (`{"type": "tool-call", "toolCallId", "toolName", "input" or "args"}` in the content) and
of a UI (`parts`, in which a tool's call and result are one part; `toolInvocations` before version 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ace.adapters.traces.said import said
from ace.domain.trace import JsonObject

__all__ = ["translated"]


_MODEL_BLOCKS = frozenset(
    {"tool-call", "tool-result", "tool-error", "tool-approval-request", "tool-approval-response"}
)
_NOTHING = frozenset({"step-start", "step-finish", "start-step", "finish-step", "reasoning"})

_OF_TOOLS = frozenset(
    (
        "input",
        "rawInput",
        "args",
        "output",
        "errorText",
        "result",
        "title",
        "approval",
        "step",
        "callProviderMetadata",
        "resultProviderMetadata",
    )
)


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    if "role" not in message:
        return None
    parts, content = message.get("parts"), message.get("content")
    if isinstance(parts, list) and parts and all(isinstance(part, dict) and "type" in part for part in parts):
        return list(_in_order(message["role"], [block for part in parts for block in _of_ui(part)]))
    if isinstance(message.get("toolInvocations"), list):
        calls = [block for each in message["toolInvocations"] for block in _invocation(each)]
        return list(_in_order(message["role"], [*calls, *([content] if content else [])]))
    if isinstance(content, list) and any(_kind(block) in _MODEL_BLOCKS for block in content):
        return list(_in_order(message["role"], [_of_model(block) for block in content]))
    return None


def _kind(block: Any) -> str:
    kind = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else ""


def _in_order(role: Any, blocks: list[Any]) -> Iterator[JsonObject]:
    """Blocks with results between what was said before and after them."""
    before: list[Any] = []
    for block in blocks:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            if before:
                yield {"role": role, "content": before}
                before = []
            yield {
                "role": "tool",
                "tool_call_id": block.get("tool_use_id"),
                "name": block.get("name"),
                "content": block.get("content"),
                "is_error": block.get("is_error"),
            }
        else:
            before.append(block)
    if before or not blocks:
        yield {"role": role, "content": before}


def _of_model(block: Any) -> Any:
    if not isinstance(block, dict):
        return block
    match block.get("type"):
        case "tool-call":
            return {
                "type": "tool_use",
                "id": block.get("toolCallId"),
                "name": block.get("toolName"),
                "input": said(block, "input", "args"),
            }
        case "tool-result":
            content, failed = _output(said(block, "output", "result"))
            return _result(block, content, failed=failed or block.get("isError") is True)
        case "tool-error":
            return _result(block, said(block, "error"), failed=True)
        case _:
            return block


def _result(block: JsonObject, content: Any, *, failed: bool) -> JsonObject:
    return {
        "type": "tool_result",
        "tool_use_id": block.get("toolCallId"),
        "name": block.get("toolName"),
        "content": content,
        "is_error": failed,
    }


def _output(output: Any) -> tuple[Any, bool]:
    """The content of a result and whether it is an error; since version 5 the output says what it is."""
    if isinstance(output, dict) and isinstance(output.get("type"), str) and "value" in output:
        return output["value"], output["type"].startswith("error")
    if isinstance(output, dict) and output.get("type") == "execution-denied":
        return output.get("reason") or "denied", True
    return output, False


def _of_ui(part: JsonObject) -> Iterator[Any]:
    kind = _kind(part)
    if kind in _NOTHING:
        return
    if kind == "tool-invocation":
        yield from _invocation(part.get("toolInvocation"))
    elif (kind == "dynamic-tool" or kind.startswith("tool-")) and "toolCallId" in part:
        name = part.get("toolName") or kind.removeprefix("tool-")
        given = said(part, "input", "rawInput", beside=_OF_TOOLS)
        yield {"type": "tool_use", "id": part.get("toolCallId"), "name": name, "input": given}
        state = part.get("state")
        failed = state in ("output-error", "output-denied") or bool(part.get("errorText"))
        content = (part.get("errorText") if failed else None) or said(part, "output", beside=_OF_TOOLS)
        if failed or state == "output-available" or "output" in part or content:
            yield _result({**part, "toolName": name}, content, failed=failed)
    else:
        yield part


def _invocation(each: Any) -> Iterator[Any]:
    if not isinstance(each, dict):
        yield {"type": "tool-invocation", "value": each}
        return
    yield {
        "type": "tool_use",
        "id": each.get("toolCallId"),
        "name": each.get("toolName"),
        "input": said(each, "args", beside=_OF_TOOLS),
    }
    if "result" in each or each.get("state") == "result":
        yield _result(each, said(each, "result", beside=_OF_TOOLS), failed=each.get("state") == "error")
