"""Prompts that a server cut silently: it counted fewer tokens than the prompt can have.

A server whose context is smaller than the prompt may drop the prompt's start, and with it the instructions, and answer all
the same. What tells it is the number of prompt tokens that it reports:

    more than 6 characters a token                     no text of these prompts comes to that (3 to 4.5 are usual)
    more than 4, and as many tokens as a context has   4,096 or 8,192, say, where the prompt was cut by a little
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ace.adapters.models.calls import RecordedCall

__all__ = ["cut_prompts"]

_SURE: Final = 6
_LIKELY: Final = 4
_SHORT: Final = 2_000
"""Characters of a prompt below which nothing can be told."""


def cut_prompts(calls: Iterable[RecordedCall]) -> Iterator[str]:
    """A sentence for each call whose prompt seems to have been cut by the server."""
    for call in calls:
        tokens = call.usage.input_tokens if call.usage else None
        if not tokens or call.prompt is None or call.error is not None:
            continue
        # A run of blanks may be one token.
        characters = len(" ".join(call.prompt.split()))
        sure = characters > _SURE * tokens
        likely = characters > _LIKELY * tokens and min(tokens % 1024, -tokens % 1024) <= 1
        if characters >= _SHORT and (sure or likely):
            yield (
                f"the server seems to have cut the {call.role}'s prompt for {call.trace}: it counted {tokens:,} tokens in "
                f"{len(call.prompt):,} characters. Give the model a larger context (`num_ctx` in Ollama), or show less of a "
                "run: max_trace_characters"
            )
