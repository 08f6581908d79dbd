"""Messages of AWS Bedrock's Converse API: the key of a content block says what it is, such as `text`, `toolUse`, `toolResult`."""

from __future__ import annotations

from typing import Any

from ace.adapters.traces.lines import compact_json
from ace.adapters.traces.said import said
from ace.domain.trace import JsonObject

__all__ = ["translated"]


_BLOCKS = frozenset(
    (
        "text",
        "image",
        "document",
        "video",
        "audio",
        "toolUse",
        "toolResult",
        "guardContent",
        "cachePoint",
        "reasoningContent",
        "citationsContent",
        "searchResult",
    )
)


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    content = message.get("content")
    if not isinstance(content, list) or not content or "role" not in message:
        return None
    if not all(isinstance(block, dict) and "type" not in block and _BLOCKS & set(block) for block in content):
        return None
    if all(set(block) == {"text"} for block in content):
        return None  # texts are texts
    return [{"role": message["role"], "content": [each for block in content for each in _blocks(block)]}]


def _blocks(block: JsonObject) -> list[Any]:
    return [each for key, value in block.items() if (each := _block(key, value)) is not None]


def _block(key: str, value: Any) -> Any:
    match key:
        case "text":
            block: Any = {"type": "text", "text": value}
        case "cachePoint":
            block = None
        case "reasoningContent":
            block = {"type": "thinking"}
        case "toolUse" if isinstance(value, dict):
            block = {
                "type": "tool_use",
                "id": value.get("toolUseId"),
                "name": value.get("name"),
                "input": said(value, "input", beside=("toolUseId",)),
            }
        case "toolResult" if isinstance(value, dict):
            inner = said(value, "content", beside=("toolUseId",))
            block = {
                "type": "tool_result",
                "tool_use_id": value.get("toolUseId"),
                "content": [_inner(each) for each in inner] if isinstance(inner, list) else inner,
                "is_error": value.get("status") == "error",
            }
        case _ if isinstance(value, dict):
            kind = value.get("format")
            media = {"media_type": f"{key}/{kind}"} if isinstance(kind, str) else {}
            block = {"type": key, **value, **media}
        case _:
            block = {"type": key, "value": value}
    return block


def _inner(block: Any) -> Any:
    if isinstance(block, dict) and set(block) == {"json"}:
        return {"type": "text", "text": compact_json(block["json"])}
    if isinstance(block, dict) and len(block) == 1:
        return _block(*next(iter(block.items())))
    return block
