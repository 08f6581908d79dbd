"""Chat messages, as OpenAI and Anthropic write them, into turns. Pure: no file, no format, no identity.

A turn's text is what the run said or did: reasoning blocks are left out, tool calls and tool results become calls and turns of
their own. A block other than text is named in its place: `[block: image/png, 1,024 bytes]`. What an unknown block says follows
its name, each line marked:

    [block: citation]
    | the text in it
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import msgspec

from ace.adapters.traces.dialects import canonical
from ace.adapters.traces.lines import compact_json, without_lone_surrogates
from ace.adapters.traces.said import as_text, said, unread
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn, TurnRole, placeholder

__all__ = [
    "READ",
    "Message",
    "argument_text",
    "block_text",
    "content_text",
    "content_turns",
    "readable_turns_of",
    "text_of_record",
    "turns_of",
    "turns_of_message",
    "turns_of_record",
]


_ROLES: dict[object, TurnRole] = {
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
_SERVER_CALLS = frozenset({"server_tool_use", "mcp_tool_use"})
_RESULT = "tool_result"


def turns_of(messages: Sequence[object]) -> tuple[Turn, ...]:
    """Return the turns of chat messages (decoded JSON), in order.

    A message gives one turn; a user message with `tool_result` blocks gives a `tool` turn for each of them, then one
    for the rest, if there is any. An assistant's message is split at the result of a tool in it, which the endpoint ran
    itself. Lone surrogates become U+FFFD. Raises `TraceError` naming the first message that is not an object, has an unknown
    role, or calls tools in a shape that is none.
    """
    return tuple(turn for number, message in enumerate(messages, 1) for turn in _numbered(number, message))


def readable_turns_of(messages: Sequence[object]) -> tuple[tuple[Turn, ...], list[tuple[int, str]]]:
    """Return the turns of chat messages, and what is amiss with those that could not be read, by their number. A placeholder takes the place of
    each of these, so that nothing seems to follow what it did not. Raises `TraceError` if there is a message and none of them
    can be read.
    """
    turns: list[Turn] = []
    flaws: list[tuple[int, str]] = []
    for number, message in enumerate(messages, 1):
        try:
            turns.extend(_numbered(number, message))
        except TraceError as error:
            flaws.append((number, str(error)))
            role = message.get("role") if isinstance(message, dict) else None
            turns.append(
                Turn("user" if role == "user" else "assistant", placeholder("message that could not be read"))
            )
    if messages and len(flaws) == len(messages):
        raise TraceError(flaws[0][1])
    return tuple(turns), flaws


def _numbered(number: int, message: object) -> tuple[Turn, ...]:
    try:
        return tuple(
            turn for each in canonical(without_lone_surrogates(message)) for turn in turns_of_message(each)
        )
    except TraceError as error:
        raise TraceError(f"message {number}: {error}") from None


class _Block(msgspec.Struct, tag_field="type", gc=False):
    pass


class _Text(_Block, tag="text", gc=False):
    text: str


class _Thinking(_Block, tag="thinking", gc=False):
    pass


class _ToolUse(_Block, tag="tool_use", kw_only=True, gc=False):
    id: str = ""
    name: str = ""
    input: Any


class _ToolCall(_Block, tag="toolCall", kw_only=True, gc=False):
    id: str = ""
    name: str = ""
    arguments: Any


class _Result(_Block, tag="tool_result", kw_only=True, gc=False):
    tool_use_id: str = ""
    name: str = ""
    content: Any
    is_error: Any = None


class Message(msgspec.Struct, gc=False):
    """A message as a record holds it (`lines.Rows`): its content is where it should be, and of blocks that most are of."""

    content: str | list[_Text | _Thinking | _ToolUse | _ToolCall | _Result]
    role: Any = None
    tool_calls: Any = None
    function_call: Any = None
    refusal: Any = None


def turns_of_record(role: TurnRole, message: Message) -> Sequence[Turn]:
    """The turns of a record's message, one at least. Raises `TraceError` as `turns_of` does."""
    content = message.content
    if message.tool_calls is message.function_call is message.refusal is None:
        if type(content) is str:
            return (Turn(role, content),)
        if len(content) == 1 and (turn := _turn_of_block(role, content[0])):
            return (turn,)
    beside = {key: value for key in _SAYS[1:] if (value := getattr(message, key)) is not None}
    return _chat_turns(role, {"content": msgspec.to_builtins(content), **beside})


def text_of_record(content: Any) -> str:
    """The text of a record's content."""
    if type(content) is list and len(content) == 1 and type(content[0]) is _Text:
        text: str = content[0].text
        return text
    return content_text(msgspec.to_builtins(content))


def _turn_of_block(role: TurnRole, block: Any) -> Turn | None:
    """The turn of a message that is one block, as most are; None if that takes a closer look."""
    kind = type(block)
    if kind is _Text:
        return Turn(role, block.text)
    if kind is _Result:
        failed = block.is_error is True or _tells_failure(block.content)
        return Turn("tool", content_text(block.content), (), block.tool_use_id, block.name, failed)
    if kind is _Thinking:
        return Turn(role)
    if role != "assistant":
        return None
    given = block.input if kind is _ToolUse else block.arguments
    return Turn(role, "", (ToolCall(block.name, argument_text(given), block.id),))


def turns_of_message(message: object) -> tuple[Turn, ...]:
    """Return the turns of one message, free of lone surrogates. Raises `TraceError` as `turns_of` does."""
    if not isinstance(message, dict):
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
READ = frozenset((*_SAYS, "text"))
"""Keys of a message that are read."""


def _unknown_content(message: JsonObject) -> str:
    """The key of a message in which its content may be, if it is in none that is known; empty if that is not so."""
    if any(key in message for key in _SAYS) or isinstance(message.get("text"), str):
        return ""
    key = next(unread(message, ()), "")
    return f"`{key[:40]}`" if key.isidentifier() else "a key" if key else ""


def _chat_turns(role: TurnRole, message: JsonObject) -> Sequence[Turn]:
    beside = role == "assistant" and ("tool_calls" in message or "function_call" in message)
    calls = tuple(_outer_calls(message)) if beside else ()
    return content_turns(
        role, said(message, "content", "text", beside=_SAYS), calls, as_text(message.get("refusal"))
    )


def content_turns(
    role: TurnRole, content: object, outer: tuple[ToolCall, ...] = (), refusal: str = ""
) -> Sequence[Turn]:
    """The turns of a message of this role, one at least; `outer` are the calls beside its content."""
    if type(content) is str:
        return (Turn(role, content or refusal, outer),)
    turns: list[Turn] = []
    texts: list[str] = []
    calls: list[ToolCall] = []
    for block in _blocks(content):
        kind = _kind(block)
        if kind == "text":
            texts.append(_plain(block, kind))
        elif kind in _REASONING:
            continue
        elif isinstance(block, dict) and _is_result(kind, block):
            if role == "assistant" and (texts or calls):
                # The endpoint ran the tool itself: what was said behind it was said knowing the result.
                turns.append(Turn(role, _joined(texts), tuple(calls)))
                texts, calls = [], []
            turns.append(_tool_turn(block, block.get("tool_use_id", block.get("toolUseID"))))
        elif role == "assistant" and isinstance(block, dict) and (kind in _CALLS or kind in _SERVER_CALLS):
            calls.append(_call(block, block))
        else:
            texts.append(block_text(block))
    text = _joined(texts) or refusal
    if text or calls or outer or not turns:
        turns.append(Turn(role, text, (*calls, *outer)))
    return turns


def _is_result(kind: str, block: JsonObject) -> bool:
    return kind == _RESULT or (kind.endswith("_tool_result") and "tool_use_id" in block)


def _tool_turn(result: JsonObject, call_id: object) -> Turn:
    """Return the turn of a tool's result: a message of role `tool`, or a `tool_result` block."""
    ran = result.get("run")  # Amp's results say how the call went
    content = said(ran, "result", "error") if isinstance(ran, dict) else said(result, "content", "text")
    return Turn(
        role="tool",
        text=content_text(content),
        call_id=as_text(call_id),
        name=as_text(result.get("name")),
        failed=result.get("is_error") is True
        or _tells_failure(content)
        or (isinstance(ran, dict) and ran.get("status") in ("error", "cancelled", "rejected-by-user")),
    )


def _tells_failure(content: object) -> bool:
    """Whether the result of a server's tool says that it failed."""
    if not isinstance(content, dict):
        return False
    kind = content.get("type")
    return (isinstance(kind, str) and kind.endswith("_error")) or content.get("return_code", 0) not in (
        0,
        None,
    )


def _blocks(content: object) -> list[object]:
    if content is None:
        return []
    if isinstance(content, list):
        return content
    if isinstance(content, str) or (isinstance(content, dict) and isinstance(content.get("type"), str)):
        return [content]
    return [compact_json(content)]


def _kind(block: object) -> str:
    """Return the block's type; plain text and a block without a type that holds text count as `text`."""
    if type(block) is dict and block.get("type") == "text":
        return "text"
    if isinstance(block, str):
        return "text"
    if not isinstance(block, dict):
        return "unknown"
    kind = block.get("type", "text" if "text" in block else None)
    if not isinstance(kind, str):
        return "unknown"
    return kind if kind == "text" else " ".join(kind.split())[:_LONGEST_KIND]


def content_text(content: object) -> str:
    """The text of a message's content: a text, a list of blocks, or any JSON."""
    if type(content) is str:
        return content
    if type(content) is list and len(content) == 1 and type(block := content[0]) is dict:
        text = block.get("text")
        if type(text) is str and block.get("type") in ("text", "output_text", "input_text"):
            return text
    return _joined(
        _plain(block, kind) if (kind := _kind(block)) == "text" else block_text(block)
        for block in _blocks(content)
        if _kind(block) not in _REASONING
    )


def _joined(texts: Iterable[str]) -> str:
    if type(texts) is list and len(texts) < 2:
        return texts[0] if texts else ""
    return "\n".join(filter(None, texts))


def _plain(block: object, kind: str) -> str:
    if isinstance(block, str):
        return block
    key = _TEXT_KEYS.get(kind)
    text = block.get(key) if key and isinstance(block, dict) else None
    return text if isinstance(text, str) else _named(block, kind)


# --- blocks other than text ----------------------------------------------------------------------------------------

_MEDIA = re.compile(r"image|audio|video|screenshot", re.IGNORECASE)
_DATA_URI = re.compile(r"data:([\w.+-]+/[\w.+-]+)?[^,]{0,200}?(;base64)?,", re.IGNORECASE)
_BINARY_KEYS = frozenset({"data", "bytes", "file_data", "b64_json", "base64", "partial_image_b64"})
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")
_SAY_NOTHING = frozenset(
    (
        "type",
        "id",
        "call_id",
        "callID",
        "tool_use_id",
        "tool_call_id",
        "toolCallId",
        "sessionID",
        "messageID",
        "signature",
        "thoughtSignature",
        "thought_signature",
        "encrypted_content",
        "encrypted_index",
        "encrypted_stdout",
        "media_type",
        "mediaType",
        "mime_type",
        "mimeType",
        "mime",
        "format",
        "detail",
        "cache_control",
        "role",
        "hash",
        "snapshot",
        "cost",
        "tokens",
        "usage",
    )
)
_MEDIA_TYPES = ("media_type", "mediaType", "mime_type", "mimeType", "mime")


def block_text(block: object) -> str:
    """A block other than plain text: the text under its kind's key, or its name with the size of what it holds, and what it says."""
    kind = _kind(block)
    return _plain(block, kind) if kind in _TEXT_KEYS else _named(block, kind)


def _named(block: object, kind: str) -> str:
    """A block that has no text where its kind has it."""
    size, media, held = _held(block)
    named = kind
    if size:
        named = f"{(media if '/' in media and kind in media.lower() else kind)[:20]}, {size:,} bytes"
    told = placeholder(f"block: {named}")
    texts = [] if _MEDIA.search(kind) else held
    return "\n".join([told, *("| " + line for text in texts for line in text.splitlines())])


def _held(block: object) -> tuple[int, str, list[str]]:
    """How many bytes of data a block holds, of which type, and every text in it, in its order."""
    size, media, texts = 0, "", list[str]()
    todo: list[object] = [block]
    while todo:
        item = todo.pop()
        if isinstance(item, list):
            todo.extend(reversed(item))
        elif isinstance(item, str):
            texts += [item] * bool(item.strip())
        elif isinstance(item, dict):
            media = media or next((as_text(item[key]) for key in _MEDIA_TYPES if key in item), "")
            is_text = item.get("type") == "text"  # then what is under `data` is text, too
            for key, value in reversed(list(item.items())):
                held = 0 if is_text or not isinstance(value, str) else _size_of_data(key, value)
                size += held
                if not held and key not in _SAY_NOTHING:
                    todo.append(value)
    return size, media, texts


def _size_of_data(key: str, value: str) -> int:
    """How many bytes a value of a block holds, if it is data and no text; else 0."""
    uri = _DATA_URI.match(value) if value.startswith(("data:", "DATA:")) else None
    if uri:
        length = len(value) - uri.end()
        return length * 3 // 4 if uri[2] else length
    if key in _BINARY_KEYS and _BASE64.fullmatch(value):
        return len(value.rstrip("=")) * 3 // 4
    return 0


# --- calls ----------------------------------------------------------------------------------------------------------


def _outer_calls(message: JsonObject) -> Iterator[ToolCall]:
    tool_calls = message.get("tool_calls") or []
    if not isinstance(tool_calls, list):
        raise TraceError("its tool_calls are not a list")
    yield from map(_tool_call, tool_calls)
    if message.get("function_call") is not None:
        yield _call(message, message["function_call"])


def _tool_call(call: object) -> ToolCall:
    if not isinstance(call, dict):
        raise TraceError("a tool call is not an object")
    return _call(call, call.get("function") or call.get("custom") or call)


def _call(outer: JsonObject, called: object) -> ToolCall:
    """Return the call: `outer` holds its id, `called` its name and arguments (`input`, as some name them)."""
    if not isinstance(called, dict):
        raise TraceError("a tool call is not an object")
    return ToolCall(
        name=as_text(called.get("name")),
        arguments=argument_text(said(called, "arguments", "input")),
        id=as_text(outer.get("id")),
    )


def argument_text(value: object) -> str:
    """A call's arguments as they are recorded, or as compact JSON."""
    if value is None:
        return ""
    return value if isinstance(value, str) else compact_json(value)
