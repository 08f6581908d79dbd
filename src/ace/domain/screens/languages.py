"""Instruction overrides in other languages than English."""

from __future__ import annotations

__all__ = ["foreign"]


def foreign(text: str) -> str | None:
    """The kind of override that the folded text is in one of the languages known, or None."""
    del text
    return None
