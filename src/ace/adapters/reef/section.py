"""Reading a section of a deployment by hand: what is wrong is one sentence that names the key and its value."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reef.core.errors import DeployConfigError
from reef.recipe.errors import RecipeConfigError

__all__ = [
    "ACEConfigError",
    "Object",
    "as_object",
    "as_section",
    "as_texts",
    "hint",
    "see_finite",
    "see_known",
]

type Object = Mapping[str, Any]


class ACEConfigError(RecipeConfigError, DeployConfigError):
    """A deployment says something that cannot be; the sentence names the key. `reef serve` prints it and ends."""


def as_section(where: str, value: object) -> Object:
    """A section that may be left out, or empty."""
    return {} if value is None else as_object(where, value)


def as_object(where: str, value: object) -> Object:
    """A section. Raises `ACEConfigError`, as the others here do."""
    if not isinstance(value, Mapping):
        raise ACEConfigError(f"{where} must be a section of keys, not {value!r}")
    return value


def as_texts(key: str, value: object) -> Sequence[str]:
    """A list of texts, which one text is not."""
    if (
        isinstance(value, str)
        or not isinstance(value, Sequence)
        or not all(isinstance(text, str) for text in value)
    ):
        raise ACEConfigError(f"evolution.{key} must be a list of texts, not {value!r}")
    return value


def see_finite(key: str, value: object) -> None:
    """Reef takes NaN and `true` for numbers, and no score is ever at least the one, no time as long as the other."""
    if isinstance(value, bool) or (isinstance(value, float) and not math.isfinite(value)):
        raise ACEConfigError(f"evolution.{key} must be a finite number, not {value!r}")


def see_known(where: str, section: Object, known: Sequence[str]) -> None:
    """See that no key of the section is unknown."""
    for key in section:
        if key not in known:
            told = hint(str(key), known) or f": there are {', '.join(known)}"
            raise ACEConfigError(f"there is no key {where}.{key}{told}")


def hint(key: str, known: Iterable[str]) -> str:
    """The known key that was meant, as the end of a sentence; empty if none is close."""
    close = difflib.get_close_matches(key, known, n=1)
    return f": did you mean {close[0]}?" if close else ""
