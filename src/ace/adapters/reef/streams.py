"""A streamed reply, as Reef keeps it (the bytes of its events), back into one message. Pure.

Reef 0.1.3 itself joins only streams of text; the reply of a stream that calls tools, or that broke off, is in its events
alone. The events of three APIs are read:

    Chat Completions   choices[0].delta           pieces of text, and of calls by their `index`
    Messages           content_block_start        a block begins: a text, or a call with its name
                       content_block_delta        a piece of it, by the block's `index`
    Responses          response.….delta           a piece of text, or of a call by its `output_index`
                       response.output_item.…     an item begun, and later the whole of it: the whole counts

A piece belongs to the call at its index. Some endpoints give parallel calls one index, or none: a new id is a new call.

    the stream                                    the reply
    ends with the API's own end                   is finished, whatever became of the connection then
    breaks off, also within an event              is what came until then, not finished
    holds an error                                is what came until then, with what the error says
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ace.domain.trace import JsonObject

__all__ = ["Streamed", "read_stream"]


@dataclass(frozen=True)
class Streamed:
    """The assistant message (in the shape of Chat Completions) that the events tell, as far as they go.

    `finished` says that the reply came to its end, whatever became of the stream after it; `error` is what an event of the
    stream says went wrong.
    """

    message: dict[str, Any]
    finished: bool = False
    error: str = ""


def read_stream(body: str) -> Streamed:
    """Read the events in `body`. Those that are none of the known ones, and lines that are not JSON, are passed over."""
    reply = _Reply()
    for event in _events(body):
        reply.take(event)
    return Streamed(reply.message(), reply.finished, reply.error)


def _events(body: str) -> Iterator[JsonObject]:
    for line in body.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line.removeprefix("data:"))
        except (ValueError, RecursionError):
            continue  # `[DONE]`, or the half of an event
        if isinstance(event, dict):
            yield event


_FINISHED = frozenset({"stop", "tool_calls", "function_call", "length", "content_filter"})

_TEXTS = frozenset({"response.output_text.delta", "response.refusal.delta"})


class _Reply:
    """A private draft. `calls` holds the calls in order; `at` maps an index within the reply to the last one there."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.calls: list[dict[str, str]] = []
        self.at: dict[int | str | None, dict[str, str]] = {}
        self.finished = False
        self.error = ""

    def take(self, event: JsonObject) -> None:
        failed = event.get("error") or (event if event.get("type") == "error" else None)
        self.error = self.error or _told(failed)
        choices = event.get("choices")
        if isinstance(choices, list):
            self._take_choices(choices)
        elif event.get("type") in _TEXTS:
            self.text.append(_string(event.get("delta")))
        else:
            self._take_typed(event.get("type"), event)

    def message(self) -> dict[str, Any]:
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in self.calls
        ]
        return {
            "role": "assistant",
            "content": "".join(self.text),
            **({"tool_calls": calls} if calls else {}),
        }

    def _take_choices(self, choices: list[object]) -> None:
        """The first choice; its index is 0, or not told."""
        for choice in map(_object, choices):
            if choice.get("index") not in (0, None):
                continue
            delta = _object(choice.get("delta")) or _object(choice.get("message")) or choice
            said = (_string(delta.get(key)) for key in ("content", "refusal", "text"))
            self.text.append("".join(said))
            calls = delta.get("tool_calls")
            for call in map(_object, calls if isinstance(calls, list) else ()):
                self._extend_call(call.get("index"), call.get("id"), _object(call.get("function")))
            if isinstance(delta.get("function_call"), Mapping):  # before tools there were functions
                self._extend_call("function", "", delta["function_call"])
            self.finished = self.finished or choice.get("finish_reason") in _FINISHED

    def _take_typed(self, kind: object, event: JsonObject) -> None:
        match kind:
            case "content_block_start":
                self._start_block(event.get("index"), _object(event.get("content_block")))
            case "content_block_delta":
                self._extend_block(event.get("index"), _object(event.get("delta")))
            case "response.output_item.added" | "response.output_item.done":
                self._take_item(event.get("output_index"), _object(event.get("item")))
            case "response.function_call_arguments.delta" | "response.custom_tool_call_input.delta":
                self._extend_call(event.get("output_index"), "", {"arguments": event.get("delta")})
            case "message_stop" | "response.completed" | "response.incomplete":
                self.finished = True
            case "response.failed":
                self.error = self.error or _told(_object(event.get("response")).get("error"))

    def _start_block(self, index: object, block: JsonObject) -> None:
        if block.get("type") in ("tool_use", "server_tool_use"):
            given = block.get("input")
            arguments = json.dumps(given, ensure_ascii=False) if given else ""
            self._extend_call(index, block.get("id"), {"name": block.get("name"), "arguments": arguments})
        else:
            self.text.append(_string(block.get("text")))

    def _extend_block(self, index: object, delta: JsonObject) -> None:
        if delta.get("type") == "input_json_delta":
            self._extend_call(index, "", {"arguments": delta.get("partial_json")})
        else:
            self.text.append(_string(delta.get("text")))

    def _take_item(self, index: object, item: JsonObject) -> None:
        """An item of the Responses API: begun, and later whole, with what came in between."""
        kind = item.get("type")
        if kind in ("function_call", "custom_tool_call", "local_shell_call"):
            action = json.dumps(item["action"], ensure_ascii=False) if item.get("action") else ""
            whole = _string(item.get("arguments")) or _string(item.get("input")) or action
            call = self._extend_call(index, item.get("call_id"), {"name": item.get("name") or kind})
            call["arguments"] = whole or call["arguments"]
        elif kind == "message" and not "".join(self.text):
            parts = item.get("content")
            for part in map(_object, parts if isinstance(parts, list) else ()):
                self.text.append(_string(part.get("text")) or _string(part.get("refusal")))

    def _extend_call(self, index: object, identity: object, function: JsonObject) -> dict[str, str]:
        """Extend the call at this index. Some endpoints give parallel calls one index, or none: a new id is a new call."""
        index = index if isinstance(index, int | str) else None
        call = self.at.get(index)
        if call is None or (_string(identity) and call["id"] and identity != call["id"]):
            call = self.at[index] = {"id": "", "name": "", "arguments": ""}
            self.calls.append(call)
        call["id"] = call["id"] or _string(identity)
        call["name"] = call["name"] or _string(function.get("name"))
        call["arguments"] += _string(function.get("arguments"))
        return call


def _told(error: object) -> str:
    """What an error says: a text, or an object with a message."""
    if isinstance(error, Mapping):
        return _string(error.get("message")) or _string(error.get("type")) or "an error"
    return _string(error)


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
