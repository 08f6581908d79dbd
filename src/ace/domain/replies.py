"""Reading the models' replies: which JSON object in a reply counts, and what its items are.

A reply is text in which, besides the asked object, prose, code fences and a finished reasoning part may be. The
reader walks over it once by position:

    it comes to                                  and goes on behind
    a reasoning tag in quote marks               the tag: it is spoken of
    an opening reasoning tag                     the tag that closes it, those in it counted, or the end: of unfinished reasoning
                                                 nothing counts
    a closing one alone                          the tag: a chat template opened it, so all before it was reasoning
    `{` or `[` that begins JSON and is whole     it; the objects that are found so are the candidates, an array is none
    `{` or `[` that begins JSON and is broken    where it is closed again, braces in strings aside: all in it is inside
    any other `[`                                the bracket; if it is closed later, the candidates since then were inside
    any other `{`                                the brace: it is prose

Of the candidates the last one that fits counts. An object within an array or within something broken is a part, not the answer: a
draft, an example, one operation of several. What is cut off is never closed, so nothing behind it counts either.

    [{"operations": []}]                         unusable: inside of an array
    {answer: {"operations": []}}                 unusable: inside of a broken object
    [oops, {"operations": []}]                   unusable: the bracket is closed behind it
    half-open: [0, 1) {"operations": []}         used: this bracket begins no JSON and is never closed
    {"a": oops} {"operations": []}               used: the draft is closed before it

Each character is decoded at most once and scanned at most twice. A decoding error counts the lines before it, so a reply may
hold only so many broken objects; with that, the time is linear.

Nothing is repaired: half a sentence must not become a lesson. An object whose texts are the prompt's own, its placeholders or
its sentences, is not an answer: where there is no other, the reply is unusable, and no tag in it counts.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from ace.domain.content import is_key, is_placeholder, repeats
from ace.domain.trace import JsonObject

__all__ = [
    "MAX_REPLY",
    "REFLECTION_SCHEMA",
    "Curation",
    "Reflection",
    "UnusableReplyError",
    "curation_schema",
    "read_curation",
    "read_reflection",
]

MAX_REPLY: Final = 1_000_000
"""The longest reply that is read, in characters."""
MOST_TAGS: Final = 20
MOST_OPERATIONS: Final = 5
"""How many tags and operations the schemas allow. A reply with more, from an endpoint that takes no schema, is read all the same."""
MAX_BROKEN: Final = 1_000
"""The most broken objects that are passed over in one reply."""


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
            "maxItems": MOST_TAGS,
            "items": _closed(
                {
                    "id": {"type": "string"},
                    "tag": {"type": "string", "enum": ["helpful", "harmful", "neutral"]},
                }
            ),
        },
    }
)
"""The JSON schema of the Reflector's reply. It is the same for all calls; which ids there are is checked where tags are counted."""


def curation_schema(sections: Sequence[str]) -> Mapping[str, Any]:
    """The JSON schema of the Curator's reply in a deployment with these sections."""
    return _closed(
        {
            "operations": {
                "type": "array",
                "maxItems": MOST_OPERATIONS,
                "items": _closed(
                    {
                        "type": {"type": "string", "enum": ["ADD"]},
                        "section": {"type": "string", "enum": list(sections)},
                        "content": {"type": "string"},
                    }
                ),
            },
        }
    )


def read_reflection(reply: str, instructions: str = "") -> Reflection:
    """The Reflector's reply: at least one of its keys, each of its type; null is a missing key, and so is a text that repeats
    `instructions`, the words that the model was asked with, or is a key itself. Raises `UnusableReplyError`, also where no text
    is of the model's own.
    """

    def is_copy(found: JsonObject) -> bool:
        texts = [found[key] for key in _TEXTS if found.get(key)]
        return bool(texts) and all(_is_copied(text, instructions) for text in texts)

    found = _last_fitting(reply, _is_reflection, is_copy, "error_analysis, key_insight or bullet_tags")
    analysis, insight = (
        "" if is_key(text) or _is_copied(text, instructions) else text
        for text in (found.get(key) or "" for key in _TEXTS)
    )
    return Reflection(analysis, insight, tuple(found.get("bullet_tags") or ()))


def read_curation(reply: str) -> Curation:
    """The Curator's reply: `operations` is there, a list or null, which is none. Raises `UnusableReplyError`, also where all of
    the operations are the prompt's example.
    """

    def is_copy(found: JsonObject) -> bool:
        operations = found["operations"] or ()
        return bool(operations) and all(map(_is_example, operations))

    found = _last_fitting(reply, _is_curation, is_copy, "a list of operations")
    return Curation(tuple(found["operations"] or ()))


def _is_example(operation: object) -> bool:
    return isinstance(operation, dict) and all(
        isinstance(text := operation.get(key), str) and is_placeholder(text) for key in ("section", "content")
    )


def _is_copied(text: object, instructions: str) -> bool:
    return isinstance(text, str) and (is_placeholder(text) or repeats(text, instructions))


_TEXTS: Final = ("error_analysis", "key_insight")
_REFLECTION_KEYS: Final = {"error_analysis": str, "key_insight": str, "bullet_tags": list}


def _is_reflection(found: JsonObject) -> bool:
    given = [key for key in _REFLECTION_KEYS if found.get(key) is not None]
    return bool(given) and all(isinstance(found[key], _REFLECTION_KEYS[key]) for key in given)


def _is_curation(found: JsonObject) -> bool:
    return "operations" in found and isinstance(found["operations"], list | None)


# A model may break lines inside strings (strict=False). Numbers are never asked for: float() takes any number of
# digits, where int() raises for more than 4,300.
_decoder = json.JSONDecoder(strict=False, parse_int=float)
_NAMES = r"(?:think(?:ing)?|reasoning|thought)"
_TAG = rf"<(?P<closes>/?)(?P<name>{_NAMES})>"
_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+'  # without the quote that ends it
# `{` and `[` appear in prose too: `{x}`, `[see below]`, `[ace-00012]`, `[[`. A brace begins an object if the object is empty or
# its first key follows; with a key that lacks its quotes, or a comment, it begins one that is broken: `{answer: …}`.
_OBJECT = r"""\{(?=\s*+["}])"""
_LOOSE = r"""\{(?=\s*+(?:(?:'[^'"\n]{1,100}+'|[a-z_$][\w$-]{0,99}+)\s*+:|/[/*]))"""
# A bracket begins an array if an object follows, or an end, a string, or another whole value and what can follow one.
# `[0, n)` is an interval.
_SCALAR = r"(?:-?(?:\d++(?:\.\d++)?(?:e[-+]?\d++)?|Infinity)|NaN|true|false|null)"
_INTERVAL = r'(?:[^\[\](){}"\n]|\([^\[\](){}"\n]{0,40}\)){1,80}+\)'
_ARRAY = (
    rf"\[(?!{_INTERVAL})"
    rf'(?=\s*+(?:\]|(?:\[\s*+){{0,8}}+(?:{_OBJECT}|{_LOOSE}|{_STRING}"|(?:{_SCALAR}|\])\s*+[,\]])))'
)
_STOP = re.compile(
    rf"(?P<json>{_OBJECT}|{_ARRAY})|(?P<loose>{_LOOSE})|[\[\]]|{_TAG}", re.IGNORECASE | re.DOTALL
)
# A string may end with the reply, also right behind a backslash. If it did not match there, each quote within it would be tried
# as the start of a string, and each try would go to the end.
_TOKEN = re.compile(rf'(?P<string>{_STRING}(?:"|\\?\Z))|[{{}}\[\]]|{_TAG}', re.IGNORECASE | re.DOTALL)
_REASONING = re.compile(_TAG, re.IGNORECASE)
# A server that ends the reasoning at its budget does it anywhere, also in the middle of a draft's string. The quote that seems to
# end that string is then the answer's first. No string of valid JSON holds a line break as it is.
_ABANDONED = re.compile(rf'</{_NAMES}>[ \t]*+\r?+\n\s*+(?:[`~]{{3,}}+\w*+\s*+)?+\{{\s*+"\Z', re.IGNORECASE)
_EMPTY = re.compile(r"(?:\s|`|~|\bjson\b)*", re.IGNORECASE)


def _last_fitting(
    reply: str, fits: Callable[[JsonObject], bool], is_copy: Callable[[JsonObject], bool], wanted: str
) -> JsonObject:
    if len(reply) > MAX_REPLY:
        raise UnusableReplyError(f"the reply is longer than {MAX_REPLY:,} characters")
    objects, answer = _objects(reply)
    fitting = [found for found in objects if fits(found)]
    answer_of_its_own = next((found for found in reversed(fitting) if not is_copy(found)), None)
    if answer_of_its_own is not None:
        return answer_of_its_own
    if fitting:
        raise UnusableReplyError("the reply only repeats the prompt")
    if objects:
        raise UnusableReplyError(f"no JSON object in the reply holds {wanted}")
    if _EMPTY.fullmatch(answer):
        raise UnusableReplyError("empty reply")
    raise UnusableReplyError("the reply holds no complete JSON object")


def _objects(reply: str) -> tuple[list[JsonObject], str]:
    """The complete top-level objects outside of reasoning, and the text outside of reasoning."""
    objects: list[JsonObject] = []
    answer: list[str] = []
    # For each bracket that is open in the prose, how many objects were found before it.
    before: list[int] = []
    at = broken = 0
    while (stop := _STOP.search(reply, at)) is not None:
        start = stop.start()
        answer.append(reply[at:start])
        at = stop.end()
        if stop["name"] and not _is_quoted(reply, stop):
            if stop["closes"]:
                objects.clear()
                answer.clear()
                before.clear()
            else:
                at = _end_of_reasoning(reply, stop)
            continue
        if stop["json"]:
            at, found = _decode(reply, start)
            broken += found is None
            if broken > MAX_BROKEN:
                raise UnusableReplyError(f"the reply holds more than {MAX_BROKEN:,} broken JSON objects")
            if isinstance(found, dict):
                objects.append(found)
        elif stop["loose"]:
            at = _end_of_broken(reply, start)
        elif stop[0] == "[":
            before.append(len(objects))
        elif stop[0] == "]" and before:
            del objects[before.pop() :]
        answer.append(reply[start:at])
    answer.append(reply[at:])
    return objects, "".join(answer)


def _is_quoted(reply: str, tag: re.Match[str]) -> bool:
    """Whether the tag is spoken of, and opens or closes nothing: the same quote mark is on both sides of it."""
    mark = reply[max(0, tag.start() - 1) : tag.start()]
    return mark in ("`", "'", '"') and reply.startswith(mark, tag.end())


def _decode(reply: str, start: int) -> tuple[int, object]:
    """Decode the object or array at `start`; return where to go on, and what it is, or None if it is broken."""
    try:
        found, end = _decoder.raw_decode(reply, start)
    except json.JSONDecodeError:
        return _end_of_broken(reply, start), None
    except RecursionError:
        raise UnusableReplyError("the reply's JSON is nested too deeply") from None
    return end, found


def _end_of_reasoning(reply: str, opening: re.Match[str]) -> int:
    """Where the reasoning that this tag opens ends: behind the tag that closes it, or at the end of the reply.

    Reasoning within it has its own end. A closing tag ends what was opened since its opening one, too; one that nothing
    opened is text.
    """
    opened = [opening["name"].lower()]
    left = Counter(opened)
    at = opening.end()
    while opened and (tag := _REASONING.search(reply, at)) is not None:
        at, name = tag.end(), tag["name"].lower()
        if _is_quoted(reply, tag):
            continue
        if not tag["closes"]:
            opened.append(name)
            left[name] += 1
        elif left[name]:
            last = ""
            while last != name:
                last = opened.pop()
                left[last] -= 1
    return len(reply) if opened else at


def _end_of_broken(reply: str, start: int) -> int:
    """Where the broken object or array at `start` ends: behind the bracket that closes it, at a closing reasoning tag that
    nothing in it opened, or at the end of the reply. A brace closes the brackets that were left open in it; a bracket closes no
    brace.
    """
    opened: list[str] = []
    braces = 0
    at = start
    while (token := _TOKEN.search(reply, at)) is not None:
        at = token.end()
        match token[0]:
            case "{" | "[" as bracket:
                opened.append(bracket)
                braces += bracket == "{"
            case "}" if braces:
                braces -= 1
                while opened.pop() != "{":
                    pass
            case "]" if opened and opened[-1] == "[":
                opened.pop()
            case _ if (end := _end_of_outer_reasoning(reply, token)) is not None:
                return end
            case _ if token["name"] and not token["closes"] and not _is_quoted(reply, token):
                at = _end_of_reasoning(reply, token)
        if not opened:
            return at
    return len(reply)


def _end_of_outer_reasoning(reply: str, token: re.Match[str]) -> int | None:
    """Where a closing reasoning tag begins, if the token is one or is a string that was left unfinished at one."""
    if token["string"]:
        tag = _ABANDONED.search(token["string"])
        return token.start() + tag.start() if tag else None
    return token.start() if token["closes"] and not _is_quoted(reply, token) else None
