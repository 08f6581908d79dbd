"""How 0.1.0 read chat messages. Never to be changed: what it called a record without an id is the digest of this.

It knew the blocks of OpenAI and Anthropic that are here, named all others (`[block: image]`), and refused what it did not know.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ace.adapters.traces.lines import compact_json
from ace.domain.trace import JsonObject, ToolCall, Turn, TurnRole, placeholder

__all__ = ["turns_of_0_1_0"]


_ROLES: dict[object, TurnRole] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}
_TEXT_KEYS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_REASONING = frozenset({"thinking", "redacted_thinking", "reasoning"})
_CALLS = frozenset({"tool_use", "toolCall"})


def turns_of_0_1_0(messages: Sequence[object]) -> tuple[Turn, ...] | None:
    """The turns of messages free of lone surrogates, as 0.1.0 made them; None if it refused one of them."""
    turns: list[Turn] = []
    for message in messages:
        role = message.get("role") if isinstance(message, Mapping) else None
        if not isinstance(message, Mapping) or not isinstance(role, str) or role not in _ROLES:
            return None
        if not isinstance(message.get("tool_calls") or [], list):
            return None
        turns.extend(_turns(_ROLES[role], message))
    return tuple(turns)


def _turns(role: TurnRole, message: JsonObject) -> Iterator[Turn]:
    if role == "tool":
        yield _result(message, message.get("tool_call_id"))
        return
    blocks = _blocks(message.get("content"))
    results = [block for block in blocks if isinstance(block, Mapping) and _kind(block) == "tool_result"]
    for block in results:
        yield _result(block, block.get("tool_use_id"))
    calls = tuple(_calls(message, blocks)) if role == "assistant" else ()
    apart = {"tool_result", *(_CALLS if role == "assistant" else ())}
    text = _text([block for block in blocks if _kind(block) not in apart]) or _string(message.get("refusal"))
    if text or calls or not results:
        yield Turn(role, text, calls)


def _result(result: JsonObject, call_id: object) -> Turn:
    return Turn(
        role="tool",
        text=_text(_blocks(result.get("content"))),
        call_id=_string(call_id),
        name=_string(result.get("name")),
        failed=result.get("is_error") is True,
    )


def _blocks(content: object) -> list[object]:
    if content is None:
        return []
    if isinstance(content, list):
        return content
    return [content if isinstance(content, str) else compact_json(content)]


def _kind(block: object) -> str:
    if isinstance(block, str):
        return "text"
    if not isinstance(block, Mapping):
        return "unknown"
    kind = block.get("type", "text" if "text" in block else None)
    return " ".join(kind.split())[:40] if isinstance(kind, str) else "unknown"


def _text(blocks: Sequence[object]) -> str:
    return "\n".join(filter(None, map(_block_text, blocks)))


def _block_text(block: object) -> str:
    if isinstance(block, str):
        return block
    kind = _kind(block)
    if kind in _REASONING:
        return ""
    key = _TEXT_KEYS.get(kind)
    text = block.get(key) if key and isinstance(block, Mapping) else None
    return text if isinstance(text, str) else placeholder(f"block: {kind}")


def _calls(message: JsonObject, blocks: list[object]) -> Iterator[ToolCall]:
    for block in blocks:
        if isinstance(block, Mapping) and _kind(block) in _CALLS:
            yield _call(block, block)
    tool_calls = message.get("tool_calls")
    for call in tool_calls if isinstance(tool_calls, list) else ():
        if isinstance(call, Mapping):
            yield _call(call, call.get("function") or call.get("custom") or call)
    if message.get("function_call") is not None:
        yield _call(message, message["function_call"])


def _call(outer: JsonObject, called: object) -> ToolCall:
    said = called if isinstance(called, Mapping) else {}
    value = said.get("arguments", said.get("input"))
    text = "" if value is None else value if isinstance(value, str) else compact_json(value)
    return ToolCall(name=_string(said.get("name")), arguments=text, id=_string(outer.get("id")))


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
