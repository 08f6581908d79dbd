"""Items of OpenAI's Responses API (`input` and `output` of a response).

A tool that the endpoint ran itself (web search, code interpreter, MCP, …) is one item with its result: that is a call and
a result. Reasoning says nothing of the run.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ace.adapters.traces.said import said
from ace.domain.trace import JsonObject

__all__ = ["is_item", "translated"]


_NOTHING = frozenset(
    {
        "reasoning",
        "item_reference",
        "compaction",
        "compaction_summary",
        "context_compaction",
        "mcp_list_tools",
    }
)
_RESULT_KEYS = ("output", "outputs", "results", "result", "tools", "error")
_TELLS = frozenset(
    {"type", "id", "call_id", "status", "name", "namespace", "server_label", "approval_request_id", "caller"}
)


def is_item(message: JsonObject) -> bool:
    """Whether this is an item other than a message."""
    kind = message.get("type")
    return (
        isinstance(kind, str)
        and "role" not in message
        and (
            kind in _NOTHING or kind.endswith(("_call", "_output", "_approval_request", "_approval_response"))
        )
    )


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    return list(_messages(message, message["type"])) if is_item(message) else None


def _messages(item: JsonObject, kind: str) -> Iterator[JsonObject]:
    if kind in _NOTHING:
        return
    call_id = item.get("call_id") or item.get("id")
    if kind.endswith("_output"):
        yield {
            "role": "tool",
            "tool_call_id": call_id,
            "name": item.get("name"),
            "content": _content(said(item, "output", "tools", "result", beside=_TELLS)),
            "is_error": _has_failed(item),
        }
        return
    if not kind.endswith("_call"):
        yield {"role": "assistant", "content": [item]}
        return
    given = next(
        (item[key] for key in ("arguments", "input", "action", "code", "queries") if key in item), None
    )
    if given is None:
        given = {
            key: value for key, value in item.items() if key not in _TELLS and key not in _RESULT_KEYS
        } or ""
    yield {
        "role": "assistant",
        "content": None,
        "tool_calls": [{"id": call_id, "function": {"name": item.get("name") or kind, "arguments": given}}],
    }
    results = {key: item[key] for key in _RESULT_KEYS if item.get(key)}
    if results:
        content = next(iter(results.values())) if len(results) == 1 else dict(results)
        if kind == "image_generation_call":
            content = [{"type": "image", "data": item.get("result")}]
        yield {
            "role": "tool",
            "tool_call_id": call_id,
            "content": _content(content),
            "is_error": "error" in results,
        }


def _content(output: Any) -> Any:
    """Output that is an object with a content inside, as older agents wrote it, is that content."""
    if isinstance(output, dict) and "content" in output and "type" not in output:
        return output["content"]
    return output


def _has_failed(item: JsonObject) -> bool:
    output = item.get("output")
    told = isinstance(output, dict) and output.get("success") is False
    return told or item.get("status") in ("failed", "incomplete")
