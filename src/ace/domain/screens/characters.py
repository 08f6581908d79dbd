"""Characters that do not show what they are: hidden ones, and halves of characters.

A new kind of hidden character is a row in `_FILLERS` or a range in `_variation`; what a script or an emoji needs to be
shown right is said in `_needed`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

__all__ = ["JOINERS", "hidden", "invisible", "malformed", "piled", "replace_surrogates"]

_SURROGATE = re.compile("[\ud800-\udfff]")


def replace_surrogates(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD, so that it can be written as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def malformed(text: str) -> str | None:
    """The screen for text that is not valid Unicode."""
    if not text.isascii() and _SURROGATE.search(text):
        return "text that is not valid Unicode"
    return None


JOINERS = _ZWNJ, _ZWJ = "\u200c", "\u200d"
"""The zero-width non-joiner and joiner."""

_FILLERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
)  # letters and marks that show nothing
_SHOWN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")


def _variation(char: str) -> bool:
    return (
        "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"
    )


@lru_cache(maxsize=4_096)
def invisible(char: str) -> bool:
    """Whether the character shows nothing of its own."""
    if char.isascii() or _pictograph(char):
        return False
    if char in _FILLERS or _variation(char):
        return True
    return (
        unicodedata.category(char) in ("Cf", "Cc", "Cn", "Co")
        and char not in _SHOWN_FORMATS
        and not char.isspace()
    )


def _joins_script(char: str) -> bool:
    """Whether the character belongs to a script that shapes its letters by joiners (Arabic to Khmer, Mongolian)."""
    return "\u0600" <= char <= "\u18af" and unicodedata.category(char)[0] in "LM"


def _pictograph(char: str) -> bool:
    """Whether the character is in a block of emoji, which may be newer than the Unicode tables of this Python."""
    return "\U0001f000" <= char <= "\U0001faff"


def _emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char in "\ufe0f\u2194" or _pictograph(char)


def _needed(text: str, at: int) -> bool:
    """Whether the invisible character at `at` is one that the characters around it need to be shown right."""
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if not before:
        return False
    if char in "\ufe0e\ufe0f":
        # The sign for information counts as a letter, the wavy dash as a dash; both are emoji.
        return before in "#*0123456789\u2139\u3030" or unicodedata.category(before) in (
            "So",
            "Sm",
            "Po",
            "Ps",
            "Pe",
        )
    if char not in (_ZWNJ, _ZWJ):
        return False
    if _joins_script(before):
        # Behind a virama (class 9) a joiner chooses the letter's form at a word's end, too.
        return unicodedata.combining(before) == 9 or (bool(after) and _joins_script(after))
    return char == _ZWJ and bool(after) and _emoji(before) and _emoji(after)


_MOST_MARKS = 30
"""Combining marks in a row: no script has more (Unicode's stream-safe text format, UAX 15)."""


def piled(text: str) -> bool:
    """Whether more combining marks follow each other than any script has. Bringing those to a normal form takes a time that grows
    with the square of their number.
    """
    if len(text) <= _MOST_MARKS or text.isascii():
        return False
    row = 0
    for char in text:
        row = row + 1 if char > "\u02ff" and unicodedata.combining(char) else 0
        if row > _MOST_MARKS:
            return True
    return False


def hidden(text: str) -> str | None:
    """The screen for hidden characters."""
    ascii_alone = text.isascii()
    if ascii_alone and text.isprintable():
        return None
    if _ASCII_CONTROL.search(text):
        return "hidden characters (control character)"
    if ascii_alone:
        return None
    if any(invisible(char) and not _needed(text, at) for at, char in enumerate(text)):
        return "hidden characters"
    return None
