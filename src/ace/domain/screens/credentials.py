"""Credentials: to refuse a text that has one, and to redact a text that may.

A credential is looked for in each layer of a text (`layers.py`), by these means:

    vendors.py    tokens that show by their shape who issued them
    services.py   keys without a shape, behind the name of the service that issued them
    keys.py       private keys
    named.py      what follows a name (`names.py`): assignments, options, tags, cells
    web.py        headers, cookies, addresses
    commands.py   options without a name
    files.py      files of passwords, and tables
    sentences.py  what people tell each other

Each gives spans; what is found in an inner layer covers all of the text that it was made of. Every pattern runs in linear time: no
unbounded repetition is followed by anything that it could have matched itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ace.domain.screens.commands import COMMAND_STEMS, command_secrets
from ace.domain.screens.files import file_secrets
from ace.domain.screens.gates import Stems, marks_of, places, runs_of, words_of
from ace.domain.screens.keys import private_keys
from ace.domain.screens.layers import layers
from ace.domain.screens.named import named_secrets
from ace.domain.screens.names import KEYWORD_STEMS, keywords
from ace.domain.screens.sentences import FOREIGN_STEMS, TOLD_MARKS, TOLD_STEMS, foreign_secrets, told_secrets
from ace.domain.screens.services import NEAR_STEMS, service_keys
from ace.domain.screens.values import PLACEHOLDER
from ace.domain.screens.vendors import MARK_STEMS, marked_tokens, vendor_tokens
from ace.domain.screens.views import Views
from ace.domain.screens.web import ADDRESS_MARKS, HEADER_STEMS, address_secrets, header_secrets

__all__ = ["PLACEHOLDER", "Credential", "Redacted", "credential", "find_credentials", "placeholder", "redact"]


class Credential(NamedTuple):
    """A part of a text that looks like a credential: `text[start:end]`, and of which kind it is."""

    start: int
    end: int
    kind: str


def find_credentials(text: str) -> list[Credential]:
    """What looks like a credential, in order; parts that touch or lie in each other are one, named as the first of them."""
    found = sorted(_found(text), key=lambda one: (one.start, -one.end))
    merged: list[Credential] = []
    for one in found:
        if merged and one.start < merged[-1].end:
            if one.end > merged[-1].end:
                merged[-1] = merged[-1]._replace(end=one.end)
        else:
            merged.append(one)
    return merged


def _found(text: str, views: Views | None = None) -> Iterator[Credential]:
    """What looks like a credential in the text, in each of its layers; `views` are those of the text if they are known."""
    for layer in layers(text, views):
        if layer.units:
            # Only what was taken off and its surroundings have not been looked at.
            for start, end in _around(layer.text, layer.changed):
                part = layer.text[start:end]
                for one in _found_in(part, _lower(part), marks_of(part), runs_of(part), None):
                    yield Credential(*layer.back(start + one[0], start + one[1]), one[2])
        else:
            words = None if views is None else views.words
            for one in _found_in(text, _lower(text), layer.marks, layer.runs, words):
                yield Credential(*one)


_KEYWORDS, _TOLD, _FOREIGN, _NEAR, _HEADER = (1 << at for at in range(5))
_STEMS = Stems(
    (
        *(KEYWORD_STEMS, TOLD_STEMS, FOREIGN_STEMS, NEAR_STEMS, HEADER_STEMS),
        *((stem,) for stem in (*MARK_STEMS, *COMMAND_STEMS)),
    )
)
"""What a text is asked once, so that most of the means are spared."""
_FIRST_MARK, _FIRST_COMMAND = 5, 5 + len(MARK_STEMS)
_SIGNS = tuple(
    (next(mark for mark in "$|<~]/=-.:" if mark in sign), sign)
    for sign in dict.fromkeys((*MARK_STEMS, *COMMAND_STEMS))
    if not sign.strip(" ").isalnum()
)
"""Stems that no word holds, behind the rarest mark of each."""


def _found_in(
    text: str, lower: str, marks: frozenset[str], runs: Sequence[str], known: frozenset[str] | None
) -> Iterator[tuple[int, int, str]]:
    """What looks like a credential in this layer, or a part of it: in lower case, its marks, its runs, and its words if they are known."""
    words = words_of(lower) if known is None else known
    if signs := [sign for mark, sign in _SIGNS if mark in marks and sign in lower]:
        words = words.union(signs)
    met = _STEMS.met(words)
    names = keywords(lower) if met & _KEYWORDS else []
    if runs:
        yield from vendor_tokens(text, runs)
        yield from marked_tokens(text, places(met >> _FIRST_MARK & (1 << len(MARK_STEMS)) - 1))
        if met & _NEAR and not marks.isdisjoint(_DIGITS):
            yield from service_keys(text, lower, runs)
        yield from private_keys(text)
    if names:
        yield from named_secrets(text, names)
    if met & _HEADER:
        yield from header_secrets(text, lower)
    if not marks.isdisjoint(ADDRESS_MARKS):
        yield from address_secrets(text, lower)
    if (commands := met >> _FIRST_COMMAND) or "-" in marks:
        yield from command_secrets(text, lower, places(commands))
    yield from file_secrets(text, lower, words, names)
    if met & _TOLD and not marks.isdisjoint(TOLD_MARKS):
        yield from told_secrets(text, lower)
    if met & _FOREIGN or not lower.isascii():
        yield from foreign_secrets(text, lower)


_DIGITS = "0123456789"
_REACH = 400
"""Characters around a place that belong to it: a name, what parts it from its value, and most values."""
_FAR = 4_000


def _around(text: str, places: Sequence[int]) -> list[tuple[int, int]]:
    """The parts of the text around these places, in whole lines where lines are not too long."""
    parts: list[tuple[int, int]] = []
    for place in places:
        if parts and place + _REACH <= parts[-1][1]:
            continue
        low, high = max(0, place - _REACH), place + _REACH
        start = max(text.rfind("\n", max(0, low - _FAR), low) + 1, low - _FAR, 0)
        end = text.find("\n", high, high + _FAR)
        end = min(len(text), high + _FAR) if end < 0 else end + 1
        if parts and start <= parts[-1][1]:
            parts[-1] = parts[-1][0], max(end, parts[-1][1])
        else:
            parts.append((start, end))
    return parts


def _lower(text: str) -> str:
    lower = text.lower()
    # A few capitals become two characters; the places have to stay the same.
    return (
        lower
        if len(lower) == len(text)
        else "".join(low if len(low := char.lower()) == 1 else char for char in text)
    )


def credential(views: Views) -> str | None:
    """The screen for the shape of a credential."""
    text = views.raw.strip()
    for read in (text, views.plain) if views.plain != text else (text,):
        for one in _found(read, views if text.isascii() else None):
            return f"the shape of a credential ({one.kind})"
    return None


class Redacted(str):
    """A text that was put together from redacted ones, part by part: `redact` gives it back as it is. A prompt holds a run's
    whole transcript, and looking through that a second time would cost more than all the rest of a step.
    """

    __slots__ = ()


def redact(text: str) -> str:
    """The text with every credential-shaped part replaced by `PLACEHOLDER`. Redacting twice changes nothing more."""
    if isinstance(text, Redacted):
        return text
    found = find_credentials(text)
    # A replacement makes an edge, at which the neighbour may show its shape; a chain of these is not followed without end.
    for _ in range(4):
        if not found:
            break
        pieces: list[str] = []
        edges: list[int] = []
        done = length = 0
        for start, end, _kind in found:
            # A dump is replaced line by line: what follows stays on a line of its own.
            stop = end - 1 if text.endswith("\n", start + 1, end) else end
            pieces += (text[done:start], PLACEHOLDER)
            length += start - done
            edges.append(length)
            length += len(PLACEHOLDER)
            done = stop
        text = "".join((*pieces, text[done:]))
        found = [
            Credential(start + one.start, start + one.end, one.kind)
            for start, end in _around(text, edges)
            for one in find_credentials(text[start:end])
        ]
    return text


def placeholder(views: Views) -> str | None:
    """The screen for the placeholder: what it stands for is unknown, and no lesson."""
    return "the redaction placeholder" if PLACEHOLDER in views.folded else None
