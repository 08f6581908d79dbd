"""Messages of LangChain: flat (`{"type": "human", "content": …}`), as `messages_to_dict` writes them (`{"type", "data"}`), and as
`dumpd` does (`{"lc": 1, "id": ["langchain", "schema", "messages", "HumanMessage"], "kwargs": {…}}`).
"""

from __future__ import annotations

from typing import Any

from ace.adapters.traces.said import listed, said
from ace.domain.trace import JsonObject

__all__ = ["READ", "body_of", "translated"]


_ROLES = {
    "human": "user",
    "user": "user",
    "ai": "assistant",
    "assistant": "assistant",
    "system": "system",
    "tool": "tool",
    "tool_result": "tool",
    "function": "tool",
}


READ = frozenset(
    {"content", "tool_calls", "invalid_tool_calls", "tool_call_chunks", "additional_kwargs", "artifact"}
)
"""Keys of a message that are read, or say again what others say."""


def body_of(message: JsonObject) -> Any:
    """What a message says, in whichever way it was written."""
    if "kwargs" in message and isinstance(message.get("id"), list):
        return message["kwargs"]
    if isinstance(message.get("data"), dict) and "content" in message["data"]:
        return message["data"]
    return message


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    kind: Any = message.get("type")
    body = body_of(message)
    if "kwargs" in message and isinstance(message.get("id"), list):
        name = message["id"][-1] if message["id"] else ""
        kind = str(name).removesuffix("Chunk").removesuffix("Message").lower()
    elif body is message and "role" in message:
        return None
    if not isinstance(kind, str) or not isinstance(body, dict) or "content" not in body:
        return None
    kind = kind.removesuffix("MessageChunk").removesuffix("Message").lower()
    if kind in ("chat", "generic"):
        kind = str(body.get("role", "")).lower()
    if kind not in _ROLES:
        return None
    role = _ROLES[kind]
    found: dict[str, Any] = {"role": role, "content": body["content"]}
    if role == "tool":
        found |= {
            "tool_call_id": body.get("tool_call_id"),
            "name": body.get("name"),
            "is_error": body.get("status") == "error",
        }
    if role == "assistant" and (calls := _calls(body)):
        found["tool_calls"] = calls
        # The provider's own blocks of the same calls are in the content, too.
        if isinstance(body["content"], list):
            found["content"] = [block for block in body["content"] if not _is_call(block)]
    return [found]


def _calls(body: JsonObject) -> list[JsonObject]:
    found: list[Any] = [
        {"id": call.get("id"), "name": call.get("name"), "arguments": said(call, "args", "arguments")}
        if isinstance(call, dict)
        else call
        for key in ("tool_calls", "invalid_tool_calls")
        for call in listed(body, key)
    ]
    more = body.get("additional_kwargs")
    if not found and isinstance(more, dict):
        found = _list(more.get("tool_calls"))
        if isinstance(more.get("function_call"), dict):
            found.append(more["function_call"])
    return found


def _list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else []


def _is_call(block: Any) -> bool:
    return isinstance(block, dict) and block.get("type") in (
        "tool_use",
        "function_call",
        "tool_call",
        "input_json_delta",
    )
