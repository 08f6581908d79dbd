"""Chat messages, as OpenAI and Anthropic write them, into turns. Pure: no file, no format, no identity.

A turn's text is what the run said or did: reasoning blocks are left out, blocks that are no text are named in place
(`[block: image]`), tool calls and tool results become calls and turns of their own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ace.adapters.traces.lines import compact_json, without_lone_surrogates
from ace.domain.errors import TraceError
from ace.domain.trace import Role, ToolCall, Turn, placeholder

__all__ = ["readable_turns_of", "turns_of", "turns_of_message"]

type _Object = Mapping[str, object]

_ROLES: dict[object, Role] = {
    "system": "system",
    "developer": "developer",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",  # before tools there were functions
}
_LONGEST_KIND = 40
_TEXT_KEYS = {"text": "text", "input_text": "text", "output_text": "text", "refusal": "refusal"}
_REASONING = frozenset({"thinking", "redacted_thinking", "reasoning"})
_CALLS = frozenset({"tool_use", "toolCall"})  # Anthropic's name and pi's
_RESULTS = frozenset({"tool_result"})


def turns_of(messages: Sequence[object]) -> tuple[Turn, ...]:
    """Return the turns of chat messages (decoded JSON), in order.

    A message gives one turn; a user message with `tool_result` blocks gives a `tool` turn for each of them, then one
    for the rest, if there is any. Lone surrogates become U+FFFD. Raises `TraceError` naming the first message that is
    not an object, has an unknown role, or calls tools in a shape that is none.
    """
    return tuple(turn for number, message in enumerate(messages, 1) for turn in _numbered(number, message))


def readable_turns_of(messages: Sequence[object]) -> tuple[tuple[Turn, ...], list[str]]:
    """Return the turns of chat messages, and what is amiss with those that could not be read. A placeholder stands in the place
    of each of these, so that nothing seems to follow what it did not. Raises `TraceError` if there is a message and none of them
    can be read.
    """
    turns: list[Turn] = []
    flaws: list[str] = []
    for number, message in enumerate(messages, 1):
        try:
            turns.extend(_numbered(number, message))
        except TraceError as error:
            flaws.append(str(error))
            role = message.get("role") if isinstance(message, Mapping) else None
            turns.append(
                Turn("user" if role == "user" else "assistant", placeholder("message that could not be read"))
            )
    if messages and len(flaws) == len(messages):
        raise TraceError(flaws[0])
    return tuple(turns), flaws


def _numbered(number: int, message: object) -> tuple[Turn, ...]:
    try:
        return turns_of_message(without_lone_surrogates(message))
    except TraceError as error:
        raise TraceError(f"message {number}: {error}") from None


def turns_of_message(message: object) -> tuple[Turn, ...]:
    """Return the turns of one message, free of lone surrogates. Raises `TraceError` as `turns_of` does."""
    if not isinstance(message, Mapping):
        raise TraceError("not an object")
    role = message.get("role")
    if not isinstance(role, str) or role not in _ROLES:
        raise TraceError("its role is not one of " + ", ".join(str(role) for role in _ROLES))
    if unknown := _unknown_content(message):
        raise TraceError(f"its content is in {unknown}, which is not known here")
    if _ROLES[role] == "tool":
        return (_tool_turn(message, message.get("tool_call_id")),)
    return tuple(_chat_turns(_ROLES[role], message))


_SAYS = ("content", "tool_calls", "function_call", "refusal")
_TELLS = frozenset(
    (
        "role",
        "name",
        "id",
        "type",
        "tool_call_id",
        "toolCallId",
        "toolName",
        "isError",
        "is_error",
        "timestamp",
        "model",
        "usage",
        "stopReason",
        "api",
        "provider",
        "status",
        "metadata",
        "annotations",
        "audio",
    )
)
"""Keys that say something about a message, and nothing of what it says."""


def _unknown_content(message: _Object) -> str:
    """The key of a message in which its content may be, if it is in none that is known; empty if that is not so."""
    if any(key in message for key in _SAYS):
        return ""
    unknown = [
        key
        for key, value in message.items()
        if value and key not in _TELLS and isinstance(value, str | list | dict)
    ]
    return f"`{unknown[0][:40]}`" if unknown and unknown[0].isidentifier() else "a key" if unknown else ""


def _chat_turns(role: Role, message: _Object) -> Iterator[Turn]:
    blocks = _blocks(message.get("content"))
    results = _of_kinds(_RESULTS, blocks)
    yield from (_tool_turn(block, block.get("tool_use_id")) for block in results)
    calls = tuple(_calls(message, blocks)) if role == "assistant" else ()
    told_apart = _RESULTS | _CALLS if role == "assistant" else _RESULTS
    text = _text(block for block in blocks if _kind(block) not in told_apart)
    text = text or _string(message.get("refusal"))
    if text or calls or not results:
        yield Turn(role, text, calls)


def _tool_turn(result: _Object, call_id: object) -> Turn:
    """Return the turn of a tool's result: a message of role `tool`, or a `tool_result` block."""
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


def _of_kinds(kinds: frozenset[str], blocks: list[object]) -> list[_Object]:
    return [block for block in blocks if isinstance(block, Mapping) and _kind(block) in kinds]


def _kind(block: object) -> str:
    """Return the block's type; plain text and a block without a type that holds text count as `text`."""
    if isinstance(block, str):
        return "text"
    if not isinstance(block, Mapping):
        return "unknown"
    kind = block.get("type", "text" if "text" in block else None)
    return " ".join(kind.split())[:_LONGEST_KIND] if isinstance(kind, str) else "unknown"


def _text(blocks: Iterable[object]) -> str:
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


def _calls(message: _Object, blocks: list[object]) -> Iterator[ToolCall]:
    yield from (_call(block, block) for block in _of_kinds(_CALLS, blocks))
    tool_calls = message.get("tool_calls") or []
    if not isinstance(tool_calls, list):
        raise TraceError("its tool_calls are not a list")
    yield from map(_tool_call, tool_calls)
    if message.get("function_call") is not None:
        yield _call(message, message["function_call"])


def _tool_call(call: object) -> ToolCall:
    if not isinstance(call, Mapping):
        raise TraceError("a tool call is not an object")
    return _call(call, call.get("function") or call.get("custom") or call)


def _call(outer: _Object, called: object) -> ToolCall:
    """Return the call: `outer` holds its id, `called` its name and arguments (`input`, as some name them)."""
    if not isinstance(called, Mapping):
        raise TraceError("a tool call is not an object")
    return ToolCall(
        name=_string(called.get("name")),
        arguments=_arguments(called.get("arguments", called.get("input"))),
        id=_string(outer.get("id")),
    )


def _arguments(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else compact_json(value)


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
