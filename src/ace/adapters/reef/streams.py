"""A streamed reply, as Reef keeps it (the bytes of its events), back into one message. Pure.

Reef itself joins only streams of text; the reply of a stream that calls tools, or that broke off, is in its events
alone. The events of three APIs are read: Chat Completions, Messages and Responses.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["streamed_message"]

type _Object = Mapping[str, Any]


def streamed_message(body: str) -> dict[str, Any]:
    """The assistant message (in the shape of Chat Completions) that the events in `body` tell, as far as they go.

    Events that are none of the known ones, and lines that are no JSON, are passed over.
    """
    reply = _Reply()
    for event in _events(body):
        reply.take(event)
    return reply.message()


def _events(body: str) -> Iterator[_Object]:
    for line in body.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        if not line.startswith("data:"):
            continue
        try:
            event = json.loads(line.removeprefix("data:"))
        except (ValueError, RecursionError):
            continue  # `[DONE]`, or the half of an event
        if isinstance(event, dict):
            yield event


class _Reply:
    """A private draft. `calls` maps an index within the reply to the call that stands there."""

    def __init__(self) -> None:
        self.text: list[str] = []
        self.calls: dict[object, dict[str, str]] = {}

    def take(self, event: _Object) -> None:
        choices = event.get("choices")
        if isinstance(choices, list):
            self._take_choices(choices)
        elif event.get("type") == "content_block_start":
            self._start_block(event.get("index"), _object(event.get("content_block")))
        elif event.get("type") == "content_block_delta":
            self._extend_block(event.get("index"), _object(event.get("delta")))
        elif event.get("type") == "response.output_text.delta":
            self.text.append(_string(event.get("delta")))
        elif event.get("type") == "response.output_item.done":
            self._take_item(event.get("output_index"), _object(event.get("item")))

    def message(self) -> dict[str, Any]:
        calls = [
            {"id": call["id"], "function": {"name": call["name"], "arguments": call["arguments"]}}
            for call in self.calls.values()
        ]
        return {
            "role": "assistant",
            "content": "".join(self.text),
            **({"tool_calls": calls} if calls else {}),
        }

    def _take_choices(self, choices: list[object]) -> None:
        for choice in map(_object, choices[:1]):
            delta = _object(choice.get("delta"))
            self.text.append(_string(delta.get("content")))
            for call in map(_object, delta.get("tool_calls") or ()):
                function = _object(call.get("function"))
                self._extend_call(
                    call.get("index"), call.get("id"), function.get("name"), function.get("arguments")
                )

    def _start_block(self, index: object, block: _Object) -> None:
        if block.get("type") == "tool_use":
            self._extend_call(index, block.get("id"), block.get("name"), "")
        else:
            self.text.append(_string(block.get("text")))

    def _extend_block(self, index: object, delta: _Object) -> None:
        if delta.get("type") == "input_json_delta":
            self._extend_call(index, "", "", delta.get("partial_json"))
        else:
            self.text.append(_string(delta.get("text")))

    def _take_item(self, index: object, item: _Object) -> None:
        if item.get("type") == "function_call":
            self._extend_call(index, item.get("call_id"), item.get("name"), item.get("arguments"))

    def _extend_call(self, index: object, identity: object, name: object, arguments: object) -> None:
        call = self.calls.setdefault(index, {"id": "", "name": "", "arguments": ""})
        call["id"] = call["id"] or _string(identity)
        call["name"] = call["name"] or _string(name)
        call["arguments"] += _string(arguments)


def _object(value: object) -> _Object:
    return value if isinstance(value, Mapping) else {}


def _string(value: object) -> str:
    return value if isinstance(value, str) else ""
