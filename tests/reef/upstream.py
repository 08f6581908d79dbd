"""A scripted model behind Reef: it answers the agent, the Reflector and the Curator, and keeps what it was asked.

The script is an object that a test changes while the service runs. What a part of it answers is a text, a `Reply` of
the loopback server's, or a function: of the prompt for the method's two roles, of the whole request for the agent.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.adapters.loopback import Loopback, Raw, Reply, text

__all__ = [
    "Script",
    "curation",
    "prompt_of",
    "reflection",
    "role_of",
    "stream",
    "system_of",
    "tool_stream",
    "upstream",
]

type Role = Literal["agent", "reflector", "curator"]
type Answer = str | Reply | Callable[[str], str | Reply]
type AgentAnswer = str | Reply | Callable[[dict[str, Any]], str | Reply]


def reflection(*tags: tuple[str, str], insight: str = "Look before you leap.") -> str:
    """A Reflector's reply."""
    tagged = [{"id": identity, "tag": tag} for identity, tag in tags]
    return json.dumps({"error_analysis": "None.", "key_insight": insight, "bullet_tags": tagged})


def curation(*lessons: str, section: str = "Others") -> str:
    """A Curator's reply that adds these lessons."""
    return json.dumps(
        {"operations": [{"type": "ADD", "section": section, "content": one} for one in lessons]}
    )


@dataclass
class Script:
    """What each role is answered; `asked` holds each request with its role, in order."""

    agent: AgentAnswer = "Done."
    reflector: Answer = field(default_factory=reflection)
    curator: Answer = field(default_factory=curation)
    asked: list[tuple[Role, dict[str, Any]]] = field(default_factory=list)

    def answer(self, body: dict[str, Any], n: int) -> Reply:  # noqa: ARG002 - as the loopback server asks
        """The reply to one request."""
        role = role_of(body)
        self.asked.append((role, body))
        said = getattr(self, role)
        if callable(said):
            said = said(body if role == "agent" else prompt_of(body))
        if isinstance(said, str):
            return stream(said) if body.get("stream") else text(said)
        reply: Reply = said
        return reply

    def reset(self) -> None:
        """Back to what it was at first; the object stays the one that the server knows."""
        vars(self).update(vars(Script()))

    def prompts(self, role: Role) -> list[str]:
        """What a role was asked so far."""
        return [prompt_of(body) for asked, body in self.asked if asked == role]


def prompt_of(body: dict[str, Any]) -> str:
    """The text of the last message of a request."""
    content = body["messages"][-1].get("content")
    return content if isinstance(content, str) else json.dumps(content)


def system_of(body: dict[str, Any]) -> str:
    """The system prompt of a request; empty if it has none."""
    first = body["messages"][0]
    content = first["content"] if first["role"] in ("system", "developer") else ""
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def role_of(body: dict[str, Any]) -> Role:
    """Who asks, by the first words of the method's prompts."""
    prompt = prompt_of(body)
    if prompt.startswith("You are the Reflector."):
        return "reflector"
    return "curator" if prompt.startswith("You are the Curator.") else "agent"


def upstream(script: Script) -> Loopback:
    """The server that answers by the script."""
    return Loopback(script.answer)


def stream(content: str) -> Raw:
    """A streamed completion of two pieces of text."""
    half = len(content) // 2
    return _events({"content": content[:half]}, {"content": content[half:]}, finish="stop")


def tool_stream(name: str, arguments: dict[str, Any], identity: str = "call_1") -> Raw:
    """A streamed completion that calls a tool, its arguments in two pieces."""
    encoded = json.dumps(arguments)
    first = {
        "index": 0,
        "id": identity,
        "type": "function",
        "function": {"name": name, "arguments": encoded[:3]},
    }
    second = {"index": 0, "function": {"arguments": encoded[3:]}}
    return _events({"tool_calls": [first]}, {"tool_calls": [second]}, finish="tool_calls")


def _events(*deltas: dict[str, Any], finish: str) -> Raw:
    chunk = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "loopback-2026"}
    choices: list[dict[str, Any]] = [{"index": 0, "delta": delta, "finish_reason": None} for delta in deltas]
    choices[0]["delta"] = {"role": "assistant", **choices[0]["delta"]}
    choices.append({"index": 0, "delta": {}, "finish_reason": finish})
    lines = [f"data: {json.dumps({**chunk, 'choices': [choice]})}\n\n" for choice in choices]
    return Raw("".join([*lines, "data: [DONE]\n\n"]).encode(), content_type="text/event-stream")
