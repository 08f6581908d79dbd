"""Reading the models' replies: which JSON object in a reply counts, and what its items are.

A reply is text in which, besides the asked object, prose, code fences and a finished reasoning part may stand. The
reader walks over it once by position. At a reasoning tag, unless it stands in quote marks, it jumps over the reasoning; at a
`{` it asks a JSON decoder for the object that begins there, and goes on behind it. Where decoding fails it goes on from the place of the failure,
and until the braces opened there are closed again, what it finds is inside of the broken object and no answer; a
truncated one has no rest. Each character is thereby decoded once. A decoding error counts the lines before it, so a reply may hold only so many broken
objects; with both, the time is linear. Of the objects found, the last one that fits counts.

Nothing is repaired: half a sentence must not become a lesson.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

__all__ = [
    "CURATION_SCHEMA",
    "MAX_REPLY",
    "REFLECTION_SCHEMA",
    "Curation",
    "Reflection",
    "UnusableReplyError",
]
__all__ += ["read_curation", "read_reflection"]

MAX_REPLY: Final = 1_000_000
"""The longest reply that is read, in characters."""
MAX_BROKEN: Final = 1_000
"""The most broken objects that are passed over in one reply."""


type _Object = Mapping[str, Any]


class UnusableReplyError(ValueError):
    """The reply does not hold the asked JSON; the message says why and quotes nothing of it."""


class Reflection(msgspec.Struct, frozen=True):
    """What the Reflector said. `tags` holds the items as they came, checked one by one where they are counted."""

    error_analysis: str
    key_insight: str
    tags: tuple[Any, ...]


class Curation(msgspec.Struct, frozen=True):
    """What the Curator said: the operations as they came, checked one by one where they are applied."""

    operations: tuple[Any, ...]


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


REFLECTION_SCHEMA: Final[Mapping[str, Any]] = _closed(
    {
        "error_analysis": {"type": "string"},
        "key_insight": {"type": "string"},
        "bullet_tags": {
            "type": "array",
            "items": _closed(
                {
                    "id": {"type": "string"},
                    "tag": {"type": "string", "enum": ["helpful", "harmful", "neutral"]},
                }
            ),
        },
    }
)
CURATION_SCHEMA: Final[Mapping[str, Any]] = _closed(
    {
        "operations": {
            "type": "array",
            "items": _closed(
                {
                    "type": {"type": "string", "enum": ["ADD"]},
                    "section": {"type": "string"},
                    "content": {"type": "string"},
                }
            ),
        },
    }
)


def read_reflection(reply: str) -> Reflection:
    """The Reflector's reply: at least one of its keys, each of its type. Raises `UnusableReplyError`."""
    found = _last_fitting(reply, _is_reflection, "error_analysis, key_insight or bullet_tags")
    return Reflection(
        found.get("error_analysis", ""),
        found.get("key_insight", ""),
        tuple(found.get("bullet_tags", ())),
    )


def read_curation(reply: str) -> Curation:
    """The Curator's reply: `operations` is there and a list. Raises `UnusableReplyError`."""
    found = _last_fitting(reply, _is_curation, "a list of operations")
    return Curation(tuple(found["operations"]))


_REFLECTION_KEYS: Final = {"error_analysis": str, "key_insight": str, "bullet_tags": list}


def _is_reflection(found: _Object) -> bool:
    given = [key for key in _REFLECTION_KEYS if key in found]
    return bool(given) and all(isinstance(found[key], _REFLECTION_KEYS[key]) for key in given)


def _is_curation(found: _Object) -> bool:
    return isinstance(found.get("operations"), list)


# A model may break lines inside strings (strict=False). Numbers are never asked for: float() takes any number of
# digits, where int() raises for more than 4,300.
_decoder = json.JSONDecoder(strict=False, parse_int=float)
_STOP = re.compile(r"""\{(?=\s*["}])|<(/?)(think(?:ing)?|reasoning|thought)>""", re.IGNORECASE)
_EMPTY = re.compile(r"(?:\s|`|~|\bjson\b)*", re.IGNORECASE)


def _last_fitting(reply: str, fits: Callable[[_Object], bool], wanted: str) -> _Object:
    if len(reply) > MAX_REPLY:
        raise UnusableReplyError(f"the reply is longer than {MAX_REPLY:,} characters")
    objects, answer = _objects(reply)
    fitting = next((found for found in reversed(objects) if fits(found)), None)
    if fitting is not None:
        return fitting
    if objects:
        raise UnusableReplyError(f"no JSON object in the reply holds {wanted}")
    if _EMPTY.fullmatch(answer):
        raise UnusableReplyError("empty reply")
    raise UnusableReplyError("the reply holds no complete JSON object")


def _objects(reply: str) -> tuple[list[_Object], str]:
    """The complete top-level objects outside of reasoning, and the text outside of reasoning."""
    objects: list[_Object] = []
    answer: list[str] = []
    at = broken = inside = 0
    while (stop := _STOP.search(reply, at)) is not None:
        start = stop.start()
        answer.append(reply[at:start])
        inside = inside and _depth(inside, reply, at, start)
        if stop[0] == "{":
            at, found = _decode(reply, start)
            answer.append(reply[start:at])
            if found is None:
                broken, inside = broken + 1, _depth(inside, reply, start, at)
            elif not inside:
                objects.append(found)
            if broken > MAX_BROKEN:
                raise UnusableReplyError(f"the reply holds more than {MAX_BROKEN:,} broken JSON objects")
        elif _is_quoted(reply, stop):
            answer.append(stop[0])
            at = stop.end()
        elif stop[1]:
            # A closing tag alone: the chat template opened the reasoning, and all before it was part of it.
            objects.clear()
            answer.clear()
            at, inside = stop.end(), 0
        else:
            end = _closing(stop[2]).search(reply, stop.end())
            at = end.end() if end else len(reply)
    answer.append(reply[at:])
    return objects, "".join(answer)


def _is_quoted(reply: str, tag: re.Match[str]) -> bool:
    """Whether the tag is spoken of, and opens or closes nothing: the same quote mark stands on both sides of it."""
    mark = reply[max(0, tag.start() - 1) : tag.start()]
    return mark in ("`", "'", '"') and reply.startswith(mark, tag.end())


def _depth(before: int, text: str, start: int, end: int) -> int:
    """How many braces of a broken object are open at `end`, if `before` were at `start`."""
    return max(0, before + text.count("{", start, end) - text.count("}", start, end))


def _closing(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}>", re.IGNORECASE)


def _decode(reply: str, start: int) -> tuple[int, _Object | None]:
    """Decode the object at `start`; return where to go on, and the object or None if it is broken."""
    try:
        found, end = _decoder.raw_decode(reply, start)
    except json.JSONDecodeError as error:
        # An unterminated string reaches to the end of the reply: the object was cut off, and nothing is behind it.
        return (
            len(reply) if error.msg.startswith("Unterminated string") else max(error.pos, start + 1)
        ), None
    except RecursionError:
        raise UnusableReplyError("the reply's JSON is nested too deeply") from None
    return end, found
