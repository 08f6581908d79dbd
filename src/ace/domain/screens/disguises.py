"""Texts whose words are in disguise, as a model reads them."""

from __future__ import annotations

from collections.abc import Iterator

from ace.domain.screens.views import Views

__all__ = ["readings"]


def readings(views: Views) -> Iterator[tuple[str, str]]:
    """What the text reads as where words are in disguise: the disguise, and the folded text without it."""
    del views
    yield from ()
