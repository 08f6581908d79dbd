"""One recorded call: what the client sent, what the model replied, and what became of it. Pure.

Requests and replies of three APIs (Chat Completions, Messages, Responses) are read, whole or as the events of a stream.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from reef.core.trajectories import exchange_messages

from ace.adapters.reef.streams import Streamed, read_stream
from ace.adapters.traces import turns_of
from ace.adapters.traces.lines import compact_json, without_lone_surrogates
from ace.domain.had import had_in
from ace.domain.trace import JsonObject, Trace, Turn

__all__ = ["Call", "as_text", "read_call"]


_RULES: Final = ("system", "developer")

_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
"""Items of the Responses API; with `_output` behind it, what came of one."""


@dataclass(frozen=True)
class Call:
    """One call. `said` is what the client sent, without system messages, which are in `rules`; `reply` is what came back. `failure`
    says why it failed, `had` is the digest of the playbook's block that the agent was given with it, and `offers_tools` whether the
    model could have called any.
    """

    said: tuple[Turn, ...]
    reply: tuple[Turn, ...]
    failure: str = ""
    had: str = ""
    rules: tuple[Turn, ...] = ()
    offers_tools: bool = False
    turns: tuple[Turn, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Put request and reply together."""
        object.__setattr__(self, "turns", self.said + self.reply)


def read_call(payload: JsonObject) -> Call:
    """Read what Reef keeps of one call."""
    request, responses = exchange_messages(payload)
    response = payload.get("response")
    response = response if isinstance(response, Mapping) else {}
    streamed = _streamed(response)
    if isinstance(streamed, Streamed):
        responses = [streamed.message]
    elif streamed is not None:
        responses = exchange_messages({"response": streamed})[1]
        response = {**response, **streamed}
    reply = tuple(turn for turn in _turns(responses) if turn.text or turn.calls)
    rules = _rules(payload, request)
    return Call(
        _turns(request),
        reply,
        failure=_failure(response, streamed),
        had=had_in(Trace(id="rules", turns=rules)),
        rules=rules,
        offers_tools=bool(payload.get("tools") or payload.get("functions")),
    )


def _turns(messages: Iterable[JsonObject]) -> tuple[Turn, ...]:
    chat = [message for message in map(_as_chat, messages) if message is not None]
    return tuple(turn for turn in turns_of(chat) if turn.role not in _RULES)


def _rules(payload: JsonObject, messages: Iterable[JsonObject]) -> tuple[Turn, ...]:
    """What the agent was told: in messages, or beside them, as Messages and Responses have it."""
    rules = [message for message in messages if message.get("role") in _RULES]
    beside = [
        {"role": "system", "content": payload[key]} for key in ("system", "instructions") if key in payload
    ]
    return tuple(turns_of([*rules, *beside]))


def _as_chat(message: JsonObject) -> JsonObject | None:
    """The message as a chat message; None for what says nothing. The items of the Responses API are brought to it."""
    kind = message.get("type")
    if kind in _CALLS:
        said = next((message[key] for key in ("arguments", "input", "action") if key in message), "")
        called = {"name": message.get("name") or kind, "arguments": said}
        return {"role": "assistant", "tool_calls": [{"id": message.get("call_id"), "function": called}]}
    if isinstance(kind, str) and kind.removesuffix("_output") in _CALLS:
        return {"role": "tool", "tool_call_id": message.get("call_id"), "content": message.get("output")}
    return message if "role" in message else None  # what is left without a role is reasoning


# --- replies --------------------------------------------------------------------------------------------------------


def _streamed(response: JsonObject) -> Streamed | JsonObject | None:
    """What was streamed; the object, if the endpoint answered a request for a stream with one; None without a stream."""
    body = response.get("body")
    if isinstance(encoded := response.get("body_base64"), str):
        # Reef's form of bytes that are not text, such as half a letter at the end.
        body = base64.b64decode(encoded).decode(errors="replace")
    if response.get("stream") is not True or not isinstance(body, str):
        return None
    with suppress(ValueError, RecursionError):
        if isinstance(whole := json.loads(body), dict):
            return whole
    return read_stream(body)


def _failure(response: JsonObject, streamed: Streamed | JsonObject | None) -> str:
    """Why the call failed, as far as the response tells: an error, an HTTP status, a stream that did not end."""
    delivery = response.get("stream_delivery", response)
    if not isinstance(delivery, Mapping):
        return ""
    status = delivery.get("status")
    if isinstance(status, int) and status >= 400:
        return f"The model's endpoint answered with HTTP status {status}."
    told = streamed if isinstance(streamed, Streamed) else Streamed({})
    if told.error:
        return f"The reply broke off: {told.error}"
    if told.finished:
        return ""  # what became of the stream then does not matter
    if error := delivery.get("error") or response.get("error"):
        return f"The reply broke off: {as_text(error)}"
    return "The reply broke off." if delivery.get("complete") is False else ""


def as_text(value: object) -> str:
    """A value of JSON as text: an object becomes JSON."""
    clean = without_lone_surrogates(value)
    if clean is None or isinstance(clean, str):
        return clean or ""
    return compact_json(clean)
