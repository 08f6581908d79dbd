"""Rules over classes of words: a text is looked up word by word, and becomes a short sequence of letters, one a word.

A table of classes says of each word what it can be (`drop`, `rule`, `your` …; a word may be of several classes), a table of
phrases names what is used often, and a rule says which of them follow each other. Rules and phrases are written alike:

    drop        a word of the class `drop`
    TOLD        the phrase of that name
    ~3          at most three words, none of which ends the sentence, denies, or names a tool
    +9          at most nine words and marks, whatever they are
    any         a word of any class, or of none
    'mode'      this word
    . , :       the end of a sentence or part of one (`.` stands for `!`, `?` and `;`, too), a comma, a colon
    ^ $         where a part of a sentence begins, and where it ends
    ? * {1,3}   behind any of these: at most once, at most eight times, that often
    a | b       either, within brackets `( )`, as well
    !( ) =( )   what must not, and what must follow; `<!x` a class that must not be in front

So a rule becomes a pattern over letters, a dozen times as short as one over characters. Repetitions have an end, so that time is
linear. A rule is only tried where the text has a word of each class that the rule cannot do without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import product
from math import prod
from operator import or_

from ace.domain.screens.gates import GROUPS, Fields, compiled, places
from ace.domain.screens.views import Views

__all__ = ["Grammar"]

_TOKEN = re.compile(r"\.?[^\s,:;!?.]+(?:[.:!?]+[^\s,:;!?.]+)*|[.,:;!?]")
_NOTATION = re.compile(r"[~+]\d+|\{\d+(?:,\d+)?\}|<!'?\w+'?|[!=]\(|'?\w+'?|\S")
_LITERAL = re.compile(r"'\w+'")
_MARKS = {".": ".", "!": ".", "?": ".", ";": ".", ",": ",", ":": ":"}
_PLACES = {"any": "[^.,:]", "^": "(?<![^.,:])", "$": "(?![^.,:])", ".": r"\.", ",": ",", ":": ":"}
_BRACKETS = {"(": "(?:", "!(": "(?!", "=(": "(?="}
_MANY = "{0,8}"
_OTHER, _FIRST = "w", 0x4E00


def _forms(word: str) -> Iterator[str]:
    """`rule/s` has a plural; `ignore~` is inflected as a verb, and `drop~~` with its last letter twice."""
    stem, *endings = word.split("/")
    if not stem.endswith("~"):
        yield stem
        yield from (stem + ending for ending in endings)
        return
    twice, stem = stem.endswith("~~"), stem.rstrip("~")
    yield stem
    if stem.endswith("e"):
        yield from (f"{stem}s", f"{stem}d", f"{stem[:-1]}ing")
    elif stem.endswith("y") and stem[-2] not in "aeo":
        yield from (f"{stem[:-1]}ies", f"{stem[:-1]}ied", f"{stem}ing")
    else:
        last = stem + stem[-1] * twice
        yield from (
            stem + ("es" if stem.endswith(("s", "sh", "ch", "x")) else "s"),
            f"{last}ed",
            f"{last}ing",
        )


type _Ways = list[frozenset[str]]
"""The ways in which a rule, or a part of one, is met: of each the classes of which it needs a word."""

_MOST_WAYS = 512
_EVERYWHERE, _SELDOM = 31, 1_000
"""The rank of the last word that is met everywhere, and that of a word that is in no list of common ones."""


class _Opened:
    """Which rules a text may meet. Ways that begin with the same class are a row of `Fields`, which needs that class, one of the next, and
    one of the third. Behind its fields the number of a word has the bits of its classes, for the few rows that are left.
    """

    def __init__(self, ways: Iterable[tuple[int, Sequence[str]]]) -> None:
        """The ways in which the rules are met: the place of the rule in the table, and the classes, the rarest first."""
        rows: dict[tuple[int, str, int], list[Sequence[str]]] = {}
        for at, way in ways:
            rows.setdefault((at, way[0], len(way)), []).append(way)
        self._fields = Fields([list(zip(*several, strict=True)) for several in rows.values()])
        self.always = self._fields.always
        self._bits = dict[str, int]()
        self._rows = [
            (at, [sum(map(self._bit, way)) for way in several]) for (at, _, _), several in rows.items()
        ]

    def _bit(self, name: str) -> int:
        return self._bits.setdefault(name, 1 << len(self._bits) + self._fields.size)

    def of(self, names: Iterable[str]) -> int:
        """The number of these classes."""
        return reduce(or_, (self._fields.of.get(name, 0) | self._bits.get(name, 0) for name in names), 0)

    def met(self, there: int) -> list[int]:
        """The rules, in the order of the table, of a way of which each class is among these."""
        found = self._fields.met(there)
        if not found:
            return []
        met = {
            at
            for at, ways in map(self._rows.__getitem__, places(found))
            if any(there & needed == needed for needed in ways)
        }
        return sorted(met)


class _Letters(dict[str, str]):
    """The letter of each word, and those of the marks behind it. What is not in the tables is remembered, up to a limit."""

    def __init__(self, letters: Mapping[str, str], name: str) -> None:
        super().__init__(letters)
        self._name, self._room = name, 32_768

    def __missing__(self, word: str) -> str:
        found = "".join(
            self.get(part) or (self._name if "." in part or "/" in part else _OTHER)
            for part in _TOKEN.findall(word)
        )
        if self._room and len(word) < 24:
            self._room -= 1
            self[word] = found
        return found


class Grammar:
    """The tables, put together: classes of words, phrases, and the rules of each kind."""

    def __init__(
        self,
        classes: Mapping[str, str],
        phrases: Mapping[str, str],
        kinds: Mapping[str, Sequence[str]],
        common: str,
    ) -> None:
        """`common` are words that ordinary texts hold, the commonest first: the first of them open no rule, the others seldom."""
        rules = [(kind, rule) for kind, several in kinds.items() for rule in several]
        written = " ".join([*phrases.values(), *(rule for _, rule in rules)])
        classes = {**classes, **{quoted: quoted.strip("'") for quoted in _LITERAL.findall(written)}}
        words = {
            name: [form for word in text.split() for form in _forms(word)] for name, text in classes.items()
        }
        of: dict[str, set[str]] = {}
        for name, forms in words.items():
            for word in forms:
                of.setdefault(word, set()).add(name)
        self.words = frozenset(of)

        combined = sorted({tuple(sorted(names)) for names in of.values()})
        letters = {names: chr(_FIRST + at) for at, names in enumerate(combined)}
        self._class = dict.fromkeys(classes, "")
        for name, letter in ((name, letter) for names, letter in letters.items() for name in names):
            self._class[name] += letter
        self._letters = _Letters(
            {word: letters[tuple(sorted(names))] for word, names in of.items()} | _MARKS, letters[("tool",)]
        )
        rank = {word: at + 1 for at, word in enumerate(common.split())}
        # How often a class is met, by the law of Zipf; the classes of the commonest words are met everywhere.
        self._often = {
            name: sum(1 / rank.get(form, _SELDOM) for form in forms)
            for name, forms in words.items()
            if name != "tool" and all(rank.get(form, _SELDOM) > _EVERYWHERE for form in forms)
        }
        self._phrases, self._parsed = phrases, dict[str, tuple[str, _Ways]]()
        self._gap = f"[^.:{self._class['deny']}{self._class['tool']}]"

        self._rules: list[tuple[str, str]] = []
        ways: list[tuple[int, list[str]]] = []
        for at, (kind, rule) in enumerate(rules):
            pattern, several = self._parse(rule)
            self._rules.append((kind, pattern))
            if not all(several):
                raise ValueError(f"nothing but common words: {rule}")
            ways += [(at, sorted(way, key=self._often.__getitem__)[:GROUPS]) for way in several]
        self._opened = _Opened(ways)
        held_by = {names: self._opened.of(names) for names in combined}
        self._known: dict[str, int] = {}
        for word, names in of.items():
            if held := held_by[tuple(sorted(names))]:
                # In the words of a text, as `Views` has them, `agents.md` is two, and so may be `don't` and `user's`.
                split = word.endswith("nt") or (word.endswith("s") and f"'{word}'" in names)
                for one in {word, word.rpartition(".")[2], word[:-1] if split else word}:
                    self._known[one] = self._known.get(one, 0) | held

    def found(self, views: Views) -> Iterator[tuple[str, int, int]]:
        """The kind of each rule that is met, in the order of the table, with the place in the bare text."""
        known, there = self._known, self._opened.always
        for word in known.keys() & views.words:
            there |= known[word]
        opened = self._opened.met(there)
        if not opened:
            return
        sequence = "".join(map(self._letters.__getitem__, views.bare.split()))
        places: list[re.Match[str]] = []
        for at in opened:
            kind, pattern = self._rules[at]
            for match in compiled(pattern).finditer(sequence):
                places = places or list(_TOKEN.finditer(views.bare))
                yield kind, places[match.start()].start(), places[match.end() - 1].end()

    # --- the notation -------------------------------------------------------------------------------------------------

    def _parse(self, rule: str) -> tuple[str, _Ways]:
        pieces = _NOTATION.findall(rule)[::-1]
        parsed = self._either(pieces)
        if pieces:
            raise ValueError(f"not a rule: {rule}")
        return parsed

    def _either(self, pieces: list[str]) -> tuple[str, _Ways]:
        """Alternatives, up to a bracket or the end."""
        patterns, ways = list[str](), list[frozenset[str]]()
        while not patterns or (pieces and pieces[-1] == "|" and pieces.pop()):
            pattern, more = self._row(pieces)
            patterns.append(pattern)
            ways += more
        return f"(?:{'|'.join(patterns)})" if len(patterns) > 1 else patterns[0], _fewest(ways)

    def _row(self, pieces: list[str]) -> tuple[str, _Ways]:
        """What follows each other, up to a `|`, a `)` or the end."""
        pattern, ways = "", [frozenset[str]()]
        while pieces and pieces[-1] not in "|)":
            one, more = self._one(pieces.pop(), pieces)
            if pieces and (pieces[-1] in "?*" or pieces[-1][0] == "{"):
                often = pieces.pop()
                one = f"(?:{one}){_MANY if often == '*' else often}"
                more = more if often[0] == "{" and often[1] != "0" else []
            pattern += one
            if more and len(ways) * len(more) <= _MOST_WAYS:
                ways = _fewest([first | second for first, second in product(ways, more)])
            elif more:
                ways = min(ways, more, key=self._rarity)
        return pattern, ways

    def _rarity(self, ways: _Ways) -> float:
        """How often a sentence has what one of these ways needs: the less, the better do they open a rule."""
        return sum(prod(self._often[name] for name in way) for way in ways)

    def _one(self, piece: str, pieces: list[str]) -> tuple[str, _Ways]:
        if piece in _BRACKETS:
            pattern, ways = self._either(pieces)
            if not pieces or pieces.pop() != ")":
                raise ValueError("a bracket is open")
            return f"{_BRACKETS[piece]}{pattern})", ways if piece == "(" else []
        if piece in self._phrases:
            if piece not in self._parsed:
                self._parsed[piece] = self._parse(self._phrases[piece])
            pattern, ways = self._parsed[piece]
            return f"(?:{pattern})", ways
        if piece in self._class:
            return f"[{self._class[piece]}]", [frozenset((piece,))] if piece in self._often else []
        if piece[0] in "~+":
            return f"{self._gap if piece[0] == '~' else '.'}{{0,{piece[1:]}}}?", []
        if piece[:2] == "<!":
            return f"(?<![{self._class[piece[2:]]}])", []
        if piece not in _PLACES:
            raise ValueError(f"no class: {piece}")
        return _PLACES[piece], []


def _fewest(ways: _Ways) -> _Ways:
    """The ways without those that need more than another one."""
    kept, shorter = list[frozenset[str]](), 0
    for way in sorted(set(ways), key=len):
        if kept and len(kept[-1]) < len(way):
            shorter = len(kept)
        if not any(other <= way for other in kept[:shorter]):
            kept.append(way)
    return kept
