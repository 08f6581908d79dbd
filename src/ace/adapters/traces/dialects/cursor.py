"""Messages of Cursor's transcripts: `{"role", "message": {"content"}}`. The user's words are between tags, `<user_query>`, behind files and
rules that were attached.
"""

from __future__ import annotations

import re
from typing import Any

from ace.domain.trace import JsonObject

__all__ = ["flat", "has_query", "translated"]


_QUERY = re.compile(r"\s*<user_query>\s*(.*?)\s*</user_query>\s*", re.DOTALL)


def flat(message: JsonObject) -> JsonObject:
    """The message with its role beside its content; what is not of this dialect, as it is."""
    inner = message.get("message")
    if "role" in message and "content" not in message and isinstance(inner, dict) and "content" in inner:
        return {**inner, "role": message["role"]}
    return message


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    said = flat(message)
    if said is message or said["role"] != "user" or not has_query(message):
        return None
    content = said["content"]
    asked: list[Any] = []
    beside: list[str] = []
    for block in content if isinstance(content, list) else [content]:
        text = block.get("text") if isinstance(block, dict) else block
        if not isinstance(text, str) or not _QUERY.search(text):
            asked.append(block)
            continue
        rest = _QUERY.sub("\n", text).strip()
        beside += [rest] * bool(rest)
        asked += [{"type": "text", "text": query} for query in _QUERY.findall(text)]
    told = [{"role": "system", "content": "\n".join(beside)}] if beside else []
    return [*told, {**said, "content": asked}]


def has_query(message: JsonObject) -> bool:
    """Whether the user's words are between tags."""
    content = flat(message).get("content")
    blocks = content if isinstance(content, list) else [content]
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    return any(isinstance(text, str) and "<user_query>" in text and _QUERY.search(text) for text in texts)
