"""The two prompts: `prompts/reflector.md` and `prompts/curator.md`, loaded once and filled.

`{{name}}` in a prompt's file is a place to fill. What is filled in is inserted verbatim and never looked at again: no
character in it means anything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from ace.adapters.shipped import shipped
from ace.domain.screens import Redacted
from ace.domain.step import Role

__all__ = ["fill", "instructions"]

_PLACE = re.compile(r"\{\{(\w+)\}\}")


@cache
def _pieces(role: Role) -> tuple[str, ...]:
    """The prompt split at its places: text, name, text, name, … text."""
    return tuple(_PLACE.split((shipped("prompts") / f"{role}.md").read_text(encoding="utf-8")))


def fill(role: Role, parts: Mapping[str, str]) -> str:
    """The role's prompt with each part in its place, redacted as the parts are. Raises `KeyError` for a place that no part fills."""
    return Redacted(
        "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(_pieces(role)))
    )


def instructions() -> Mapping[Role, str]:
    """The words of each role's prompt without its parts: what a reply may not repeat in place of an answer."""
    roles: tuple[Role, ...] = ("reflector", "curator")
    return {role: "\n".join(_pieces(role)[::2]) for role in roles}
