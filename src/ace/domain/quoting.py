"""The turns of a run that a reflection speaks of: found in the prompt that a step's record keeps, by the words in common.

A word that few turns have says more than one that all have. It is a guess, and shown as what it is.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Final

__all__ = ["turns_about"]

_FENCED = re.compile(
    r"^<(?P<fence>trace-[0-9a-f]+)>\n(?P<text>.*?)\n?^</(?P=fence)>", re.DOTALL | re.MULTILINE
)
_TURN = re.compile(r"\n\n(?=\[(?:user|assistant|result|tool|developer|system)\b[^\]\n]*\]\n)")
_WORD = re.compile(r"[^\W_][\w./-]*[^\W_]|[^\W_]")

_LEAST_WORDS: Final = 2
_SHOWN: Final = 240
"""Characters of a turn."""


def turns_about(prompt: str, text: str, limit: int = 2) -> tuple[str, ...]:
    """At most `limit` turns of the run in a Reflector's prompt that have most in common with the text, in their order, each cut to
    the lines around what they have in common. None, if the prompt shows no turns or none has anything in common.
    """
    fenced = [found["text"] for found in _FENCED.finditer(prompt)]
    turns = _TURN.split(f"\n\n{fenced[-1]}")[1:] if fenced else []
    turns = [turn for turn in turns if not turn.startswith("[user]")]  # what was asked, the log says
    words = [_words(turn) for turn in turns]
    frequency = Counter(word for one in words for word in one)
    wanted = _words(text)
    shares = [sum(1 / frequency[word] for word in one & wanted) for one in words]
    fit = [at for at, one in enumerate(words) if len(one & wanted) >= _LEAST_WORDS]
    best = sorted(fit, key=lambda at: -shares[at])[:limit]
    return tuple(_cut(turns[at], wanted, frequency) for at in sorted(best))


def _words(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORD.findall(text.casefold()) if len(word) > 3)


def _cut(turn: str, wanted: frozenset[str], frequency: Counter[str]) -> str:
    """The turn's head, and as many of its lines as fit, from the one that says most."""
    head, _, body = turn.partition("\n")
    lines = body.splitlines() or [""]
    says = [sum(1 / frequency[word] for word in _words(line) & wanted if word in frequency) for line in lines]
    start = says.index(max(says))
    shown = "\n".join(lines[start:])
    if len(shown) > _SHOWN:
        shown = shown[: _SHOWN - 1].rstrip() + "…"
    return f"{head}\n{'…' + chr(10) if start else ''}{shown.rstrip()}"
