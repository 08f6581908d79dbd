"""Data written as text: data URIs and base64, which say nothing to a model that reads a run. What they hold and how much of it
takes their place.

Base64 is known by its looks: a long run of its letters, or several lines of them, in which upper case, lower case and digits
change from one letter to the next as often as chance would have it. In words, paths, names and digits in hex they do not.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["without_data"]

# Both alphabets of base64, and a slash as PHP writes it into JSON.
_LETTER = r"(?:[\w+/-]|\\/)"
_BREAK = r"(?:\r?\n|(?:\\r)?\\n)[ \t]*+"  # also as JSON writes it

_PARAMETERS = r'(?:;[\w.+-]{1,80}(?:=(?:\\?"[^"\\\n]{0,80}\\?"|[^\s;,"\\]{0,80}))?){0,5}'
_BODY = rf"(?:[\w+/=-]|\\/|%[0-9A-F]{{2}}|{_BREAK}(?={_LETTER}{{40}}))"
_PERCENT = r"""(?:[^\s"'<>()\\`]|\\/)"""
_SVG = r"\s*+<svg\b[^<]*+(?:<(?!/?svg\b)[^<]*+)*+</svg>"
_DATA_URI = re.compile(
    rf"\bdata:(?P<type>[\w.+-]{{1,80}}\\?/[\w.+-]{{1,80}})?{_PARAMETERS}"
    rf"(?:;base64,(?:{_BREAK})?(?P<base64>{_BODY}{{100,}}+)|,(?P<text>{_SVG}|{_PERCENT}{{100,}}+))",
    re.ASCII | re.IGNORECASE,
)

# What may come between two lines of base64: a line break with an indent, a quotation's mark or a line's number, the marks of a
# list of strings or of a sum of them.
_BETWEEN = r"""["']?[ \t]{0,4}[+.,;)]?[ \t]{0,4}(?:\\?\r?\n|(?:\\r)?\\n|["'],? ?)(?:[ \t>|"']{0,40}|[ \t]{0,8}\d{1,6}[\t:|\u2192] ?)"""
_MORE = r"[\w+/-]*+(?:\\/[\w+/-]*+)*+"
_LINE = rf"{_LETTER}{{40}}{_MORE}"
_BASE64 = re.compile(
    rf"(?<![\w+/-])(?:{_LETTER}{{200}}{_MORE}|{_LINE}(?:{_BETWEEN}{_LINE}){{3,}}+)(?:{_BETWEEN}{_LETTER}{{2,39}}+(?==))?={{0,2}}",
    re.ASCII,
)
_LOOKED_AT: Final = 4_000
_CHANGES: Final = 0.47
_DIGITS: Final = 0.03
"""The least shares of changes between upper case, lower case and digits, and of digits. Of random letters three in five change, and
one in six is a digit; names in camel case change nearly as often, and have fewer digits.
"""


def without_data(text: str) -> str:
    """The text with each data URI, and each long piece of base64, shortened to what it holds and how much of it."""
    return _BASE64.sub(_without_base64, _DATA_URI.sub(_without_uri, text))


def _without_uri(found: re.Match[str]) -> str:
    data = found["base64"] or found["text"]
    return f"[data: {(found['type'] or 'no type').replace('\\', '')}, {len(data):,} characters]"


def _without_base64(found: re.Match[str]) -> str:
    data = found[0]
    return f"[base64, {len(data):,} characters]" if _looks_random(data[:_LOOKED_AT]) else data


def _looks_random(data: str) -> bool:
    letters = [char for char in data if char.isalnum()]
    kinds = ["0" if char.isdigit() else "A" if char.isupper() else "a" for char in letters]
    # A letter that is repeated, as zeros are in base64, tells nothing.
    changes = [kinds[at] != kinds[at - 1] for at in range(1, len(letters)) if letters[at] != letters[at - 1]]
    is_mixed = set(kinds) == {"A", "a", "0"} and kinds.count("0") >= _DIGITS * len(kinds)
    return is_mixed and sum(changes) >= _CHANGES * len(changes)
