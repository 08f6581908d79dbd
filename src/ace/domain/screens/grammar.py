"""Rules over classes of words: a text is looked up word by word, and becomes a short sequence of letters, one a word.

A table of classes says of each word what it can be (`drop`, `rule`, `your` …; a word may be of several classes), a table of
phrases names what is used often, and a rule says which of them follow each other. Rules and phrases are written alike:

    drop        a word of the class `drop`
    TOLD        the phrase of that name
    ~3          at most three words, none of which ends the sentence, denies, or names a tool
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
from itertools import product

from ace.domain.screens.gates import compiled
from ace.domain.screens.views import Views

__all__ = ["Grammar", "Rule"]

type Rule = tuple[str, str]
"""What a person is told, and the rule as it is written above."""

_TOKEN = re.compile(r"\.?[^\s,:;!?.]+(?:[.:!?]+[^\s,:;!?.]+)*|[.,:;!?]")
_NOTATION = re.compile(r"~\d+|\{\d+(?:,\d+)?\}|<!\w+|[!=]\(|'?\w+'?|\S")
_LITERAL = re.compile(r"'\w+'")
_MARKS = {".": ".", "!": ".", "?": ".", ";": ".", ",": ",", ":": ":"}
_PLACES = {"any": "[^.,:]", "^": "(?<![^.,:])", "$": "(?![^.,:])", ".": r"\.", ",": ",", ":": ":"}
_MANY = "{0,8}"
_OTHER, _FIRST = "w", 0x4E00
_VERB = re.compile(r"(~{1,2})$")


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

_MOST_WAYS, _EVERYDAY, _RAREST = 64, 40, 3


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
    """The tables, put together."""

    def __init__(
        self, classes: Mapping[str, str], phrases: Mapping[str, str], rules: Sequence[Rule], common: str
    ) -> None:
        """`common` are words that ordinary texts hold, the commonest first: the first of them open no rule, the others are the last to."""
        written = (*phrases.values(), *(rule for _, rule in rules))
        classes = {
            **classes,
            **{quoted: quoted.strip("'") for rule in written for quoted in _LITERAL.findall(rule)},
        }
        words = {
            name: [form for word in text.split() for form in _forms(word)] for name, text in classes.items()
        }
        of: dict[str, set[str]] = {}
        for name, forms in words.items():
            for word in forms:
                of.setdefault(word, set()).add(name)
        combined = sorted({tuple(sorted(names)) for names in of.values()})
        letters = {names: chr(_FIRST + at) for at, names in enumerate(combined)}
        self._class = {
            name: "".join(letter for names, letter in letters.items() if name in names) for name in classes
        }
        self._letters = _Letters(
            {word: letters[tuple(sorted(names))] for word, names in of.items()} | _MARKS, letters[("tool",)]
        )
        self.words = frozenset(of)
        self._phrases, self._parsed = phrases, dict[str, tuple[str, _Ways]]()
        often = {word: len(common.split()) - at for at, word in enumerate(common.split())}
        everyday = frozenset(common.split()[:_EVERYDAY])
        self._rare = {
            name: sum(often.get(form, 0.1) for form in forms)
            for name, forms in words.items()
            if everyday.isdisjoint(forms)
        }
        self._gap = f"[^.:{self._class['deny']}{self._class['tool']}]"
        parsed = [self._parse(rule) for _, rule in rules]
        self._rules = [(told, pattern) for (told, _), (pattern, _) in zip(rules, parsed, strict=True)]
        ways: list[tuple[int, list[str]]] = []
        for at, (_, several) in enumerate(parsed):
            for way in several:
                if not way:
                    raise ValueError(f"nothing but common words: {rules[at][1]}")
                ways.append((at, sorted(way, key=self._rare.__getitem__)[:_RAREST]))
        used = {name for _, way in ways for name in way}
        self._bits = {name: 1 << at for at, name in enumerate(sorted(used))}
        self._known, leads = dict[str, int](), {way[0] for _, way in ways}
        self._leads = {word.rpartition(".")[2]: 0 for name in leads for word in words[name]}
        for word, names in of.items():
            if mask := self._mask(names):
                # `agents.md` is two words of a text.
                last = word.rpartition(".")[2]
                self._known[last] = self._known.get(last, 0) | mask
                if last in self._leads:
                    self._leads[last] |= self._mask(names & leads)
        self._led: dict[int, list[tuple[int, int]]] = {}
        for at, rarest in ways:
            self._led.setdefault(self._bits[rarest[0]], []).append((self._mask(rarest), at))

    def _mask(self, names: Iterable[str]) -> int:
        return sum(self._bits[name] for name in names if name in self._bits)

    def found(self, views: Views) -> Iterator[tuple[str, int, int]]:
        """What each rule that is met tells, with the place in the bare text."""
        opened = self.opened(views.words)
        if not opened:
            return
        sequence = "".join(map(self._letters.__getitem__, views.bare.split()))
        places: list[re.Match[str]] = []
        for at in opened:
            told, pattern = self._rules[at]
            for match in compiled(pattern).finditer(sequence):
                places = places or list(_TOKEN.finditer(views.bare))
                yield told, places[match.start()].start(), places[match.end() - 1].end()

    def opened(self, words: frozenset[str]) -> list[int]:
        """The rules, by their place in the table, that a text of these words may meet."""
        first = self._leads.keys() & words
        if not first:
            return []
        leads = 0
        for word in first:
            leads |= self._leads[word]
        there, known = 0, self._known
        for word in known.keys() & words:
            there |= known[word]
        opened = set[int]()
        while leads:
            lead = leads & -leads
            leads ^= lead
            for needed, at in self._led[lead]:
                if there & needed == needed:
                    opened.add(at)
        return sorted(opened)

    # --- the notation -------------------------------------------------------------------------------------------------

    def _parse(self, rule: str) -> tuple[str, _Ways]:
        pieces = _NOTATION.findall(rule)[::-1]
        parsed = self._either(pieces)
        if pieces:
            raise ValueError(f"not a rule: {rule}")
        return parsed

    def _either(self, pieces: list[str]) -> tuple[str, _Ways]:
        """Alternatives, up to the bracket that ends them."""
        patterns, ways = list[str](), list[frozenset[str]]()
        while True:
            pattern, more = self._row(pieces)
            patterns.append(pattern)
            ways += more
            if not pieces or pieces.pop() != "|":
                break
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
        """How often a text has what one of these ways needs: the less, the better do they open a rule."""
        return sum(min((self._rare[name] for name in way), default=1e9) for way in ways)

    def _one(self, piece: str, pieces: list[str]) -> tuple[str, _Ways]:
        if piece in ("(", "!(", "=("):
            pattern, ways = self._either(pieces)
            return {"(": f"(?:{pattern})", "!(": f"(?!{pattern})", "=(": f"(?={pattern})"}[
                piece
            ], ways if piece == "(" else []
        if piece[0] == "~":
            return f"{self._gap}{{0,{piece[1:]}}}?", []
        if piece in self._phrases:
            if piece not in self._parsed:
                self._parsed[piece] = self._parse(self._phrases[piece])
            pattern, ways = self._parsed[piece]
            return f"(?:{pattern})", ways
        if piece[:2] == "<!":
            return f"(?<![{self._class[piece[2:]]}])", []
        if piece in self._class:
            return f"[{self._class[piece]}]", [frozenset((piece,))] if piece in self._rare else []
        if piece not in _PLACES:
            raise ValueError(f"no class: {piece}")
        return _PLACES[piece], []


def _fewest(ways: _Ways) -> _Ways:
    """The ways without those that need more than another one."""
    kept = list[frozenset[str]]()
    for way in sorted(set(ways), key=len):
        if not any(other <= way for other in kept):
            kept.append(way)
    return kept
