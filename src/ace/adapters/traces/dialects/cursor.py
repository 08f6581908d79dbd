"""Messages of Cursor's transcripts: `{"role", "message": {"content"}}`. The user's words are between tags, `<user_query>`, behind files and
rules that were attached.
"""

from __future__ import annotations

import re
from typing import Any

from ace.adapters.traces.tags import apart
from ace.domain.trace import JsonObject

__all__ = ["flat", "translated"]


_QUERY = re.compile(r"<(user_query)>")


def flat(message: JsonObject) -> JsonObject:
    """The message with its role beside its content; what is not of this dialect, as it is."""
    inner = message.get("message")
    if "role" in message and "content" not in message and isinstance(inner, dict) and "content" in inner:
        return {**inner, "role": message["role"]}
    return message


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    said = flat(message)
    if said is message or said["role"] != "user":
        return None
    content = said["content"]
    asked: list[Any] = []
    beside: list[str] = []
    is_tagged = False
    for block in content if isinstance(content, list) else [content]:
        text = block.get("text") if isinstance(block, dict) else block
        around, queries = apart(text, _QUERY) if isinstance(text, str) else ([], [])
        if not queries:
            asked.append(block)
            continue
        is_tagged = True
        rest = "\n".join(piece.strip() for piece in around).strip()
        beside += [rest] * bool(rest)
        asked += [{"type": "text", "text": query.inner.strip()} for query in queries]
    if not is_tagged:
        return None
    told = [{"role": "system", "content": "\n".join(beside)}] if beside else []
    return [*told, {**said, "content": asked}]
