"""How others write chat messages, brought to the shape of OpenAI and Anthropic, one module a dialect.

    responses    items of OpenAI's Responses API: `{"type": "function_call", …}`
    gemini       contents of Google's Gemini API: `{"role": "model", "parts": […]}`
    langchain    messages of LangChain: `{"type": "human", …}`, also as `dumpd` and `messages_to_dict` write them
    bedrock      messages of AWS Bedrock Converse: `{"role": "user", "content": [{"toolResult": …}]}`
    ai_sdk       messages of the Vercel AI SDK, of a UI or of a model
    goose        messages of Goose: `{"type": "toolRequest", "toolCall": {"status", "value"}}` in the content
    cursor       messages of Cursor's transcripts, the role outside of the message

Each has a function `translated(message)`: the messages that say the same, or None if the message is not of this dialect. What a
translation does not know it hands on as a block with its name as the type, so that it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ace.adapters.traces.dialects import ai_sdk, bedrock, cursor, gemini, goose, langchain, responses

__all__ = ["canonical"]

_DIALECTS = (responses, gemini, langchain, bedrock, ai_sdk, goose)


def canonical(message: Any) -> Sequence[Any]:
    """The message in the shape that `messages` reads; what is of no dialect comes back as it is."""
    if isinstance(message, dict):
        found: Sequence[Any] | None = cursor.translated(message)
        if found is not None:
            return found
        message = cursor.flat(message)
        for dialect in _DIALECTS:
            translated: Sequence[Any] | None = dialect.translated(message)
            if translated is not None:
                return translated
    return (message,)
