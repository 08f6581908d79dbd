"""How others write chat messages, brought to the shape of OpenAI and Anthropic, one module a dialect.

    responses    items of OpenAI's Responses API: `{"type": "function_call", …}`
    gemini       contents of Google's Gemini API: `{"role": "model", "parts": […]}`
    langchain    messages of LangChain: `{"type": "human", …}`, also as `dumpd` and `messages_to_dict` write them
    bedrock      messages of AWS Bedrock Converse: `{"role": "user", "content": [{"toolResult": …}]}`
    ai_sdk       messages of the Vercel AI SDK, of a UI or of a model

Each has a function `translated(message)`: the messages that say the same, or None if the message is not of this dialect. What a
translation does not know it hands on as a block with its name as the type, so that it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ace.adapters.traces.dialects import ai_sdk, bedrock, gemini, langchain, responses

__all__ = ["canonical"]

_DIALECTS = (responses, gemini, langchain, bedrock, ai_sdk)


def canonical(message: Any) -> Sequence[Any]:
    """The message in the shape that `messages` reads; what is of no dialect comes back as it is."""
    if isinstance(message, dict):
        inner = message.get("message")
        if "role" in message and "content" not in message and isinstance(inner, dict) and "content" in inner:
            message = {**inner, "role": message["role"]}  # Cursor keeps the role outside
        for dialect in _DIALECTS:
            translated: Sequence[Any] | None = dialect.translated(message)
            if translated is not None:
                return translated
    return (message,)
