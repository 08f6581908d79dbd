"""Our own calls, which an agent that serves as the model records as sessions: they are never runs.

Whoever learns from such sessions learns from its own prompts, and counts its own words.
"""

from __future__ import annotations

from functools import cache

from ace.adapters.shipped import shipped

__all__ = ["is_own_prompt"]

_TOLD = 60  # characters; a prompt's later sentences change from version to version


@cache
def _beginnings() -> tuple[str, ...]:
    return tuple(
        " ".join(path.read_text(encoding="utf-8").split())[:_TOLD]
        for path in sorted(shipped("prompts").glob("*.md"))
    )


def is_own_prompt(text: str) -> bool:
    """Whether a text is one of `prompts/*.md`, filled."""
    return " ".join(text[: 4 * _TOLD].split()).startswith(_beginnings())
