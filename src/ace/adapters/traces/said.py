"""What an object of a recording says, also where a later version of its tool says it under another key, or as another type.

    said(part, "input")         what is under the first of these keys; if none of them is there, all that is under keys that nobody reads
    listed(record, "steps")     the list under a key; what is there and is none is an error that names the key
    object_in(record, "state")  the object under a key, likewise
    unread(message, read)       the keys beside those that are read under which there is a text
    as_text(value)              a text as it is, and no text for any other value

So a text that is not where it should be is shown with the name of its key, or the loss is told: nothing is lost silently.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject

__all__ = ["as_text", "has_text", "listed", "object_in", "said", "unread"]

_ABOUT = frozenset(
    (
        "agent",
        "annotations",
        "api",
        "audio",
        "cache_control",
        "callID",
        "call_id",
        "caller",
        "cost",
        "created",
        "created_at",
        "createdAt",
        "durationMs",
        "duration_ms",
        "encrypted_content",
        "executionMode",
        "extra",
        "finishReason",
        "finish_reason",
        "format",
        "id",
        "index",
        "isError",
        "is_error",
        "kind",
        "messageID",
        "metrics",
        "message_id",
        "message_type",
        "metadata",
        "mime",
        "mimeType",
        "mime_type",
        "model",
        "modelInfo",
        "model_fingerprint",
        "model_id",
        "name",
        "namespace",
        "parentID",
        "parentId",
        "parent_id",
        "provider",
        "providerMetadata",
        "providerOptions",
        "provider_specific_fields",
        "reasoning",
        "reasoning_content",
        "reasoning_details",
        "reasoning_effort",
        "response_metadata",
        "role",
        "sessionID",
        "sessionId",
        "session_id",
        "signature",
        "source",
        "state",
        "status",
        "stopReason",
        "stop_reason",
        "thinking",
        "thinking_blocks",
        "thought_signature",
        "thoughtSignature",
        "time",
        "timestamp",
        "tokens",
        "toolCallId",
        "toolName",
        "tool_call_id",
        "tool_call_ids",
        "tool_use_id",
        "ts",
        "type",
        "usage",
        "usage_metadata",
        "uuid",
        "version",
    )
)
"""Keys that tell something about a message or a part of one, and nothing of what it says."""


def said(part: JsonObject, *keys: str, beside: Container[str] = ()) -> Any:
    """What is under the first of the keys that holds something; None if one of them is there, and none does. Where none of them is
    there: what is under keys that say something (not those `beside`), an object with their names, or None.
    """
    is_there = False
    for key in keys:
        if key in part:
            is_there = True
            if part[key] is not None:
                return part[key]
    if is_there:
        return None
    return {
        key: value
        for key, value in part.items()
        if key not in _ABOUT and key not in beside and has_text(value)
    } or None


def listed(holder: JsonObject, key: str) -> list[Any]:
    """The list under a key, an empty one if there is nothing. Raises `TraceError` for any other value."""
    value = holder.get(key)
    if value is None or value == "":
        return []
    if not isinstance(value, list):
        raise TraceError(f"its {key} is not a list")
    return value


def object_in(holder: JsonObject, key: str) -> JsonObject:
    """The object under a key, an empty one if there is nothing. Raises `TraceError` for any other value."""
    value = holder.get(key)
    if value is None or value == "":
        return {}
    if not isinstance(value, dict):
        raise TraceError(f"its {key} is not an object")
    return value


def unread(holder: JsonObject, read: Container[str]) -> Iterator[str]:
    """The keys under which there is a text that nobody reads; `read` are those that are read, beside those that say nothing."""
    for key, value in holder.items():
        if key not in read and key not in _ABOUT and has_text(value):
            yield key


def has_text(value: object) -> bool:
    """Whether there is a text in a value."""
    todo = [value]
    while todo:
        item = todo.pop()
        if isinstance(item, str):
            if item and not item.isspace():
                return True
        elif isinstance(item, list):
            todo.extend(item)
        elif isinstance(item, dict):
            todo.extend(each for key, each in item.items() if key not in _ABOUT)
    return False


def as_text(value: object) -> str:
    """The value if it is a text; no text for any other."""
    return value if isinstance(value, str) else ""
