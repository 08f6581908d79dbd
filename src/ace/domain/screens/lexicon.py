"""Rules over the classes that words belong to.

A rule is a line of classes in their order, `SEND <12 PRIVATE <12 AWAY`: a word of `SEND`, with at most twelve words behind it one of
`PRIVATE`, then one of `AWAY`, all in one sentence. `A|B` is either; a word in lower case is itself, `+word` it and its plural,
`A:ed` the participles of a class, and `some_words` several in a row. Marks at the end of a line: `!A|b` no such word from the
first on, `/A|b` no such word between two steps, `~A` a text that has one, `?` the thing alone is none, which nobody is told to use; `...` it may go from one sentence to the next.

Most texts end after a look at their words: a rule is led by its rarest step, and tried if the text has a word of every step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ace.domain.screens.gates import GROUPS, Fields, places, words_of
from ace.domain.screens.tokens import GATES, NAMES, read
from ace.domain.screens.views import contains_any

__all__ = ["Lexicon", "Rule"]


class Gate(NamedTuple):
    """What a text has that may meet a step: one of these words; all of a series of them, filed under its rarest; or one of these parts."""

    words: frozenset[str]
    firsts: frozenset[str]
    series: Mapping[str, tuple[frozenset[str], ...]]
    marks: tuple[str, ...]


class Rule(NamedTuple):
    """What a person is told; the steps, each a bit and how many words may come before it; all of them; what a text has that may
    meet its rarer steps, the rarest, which leads to it, at last; which bits excuse it, which break it off; and its marks. `orders` says whether it begins with a verb,
    and `negated` whether with a negation, which a comma ends.
    """

    told: str
    steps: tuple[tuple[int, int], ...]
    need: int
    gates: tuple[int, ...]
    excuse: int
    breaks: int
    advised: bool
    across: bool
    orders: bool
    negated: bool


_NOUNS = re.compile(
    r"[<+]|ALL|USER|summary|whoever|behind|PRIVATE|SECRET|SENSITIVE|CODED|CIPHER|CHECKED|CHECKER|LEAK|PERSONAL|THIS|DOUBTFUL|GUARD|NOT|NEVER|FETCHER|INTERPRETER|SH\b|(?:so|if|in <|when|whenever|policy|base_url|last_words|gh|ttyd|png|without|no|asked|retention|remote|continue|pickle|aws|git|ssh|scp|dig|docker|kubectl|chmod|rm|base64|xxd|find|terraform|gpg|zfs|"
    r"systemctl|iptables|ufw|pip|npx|iex|registry|nopasswd|sudoers|core|verify|sandbox|debug|skip <1|your|code_snippet|curl|mshta|set-url|useradd|permitroot|ngrok|wevtutil|auditctl|histfile|flushall|reflog|http_post|send_email|executionpolicy|setenforce|hookspath)\b"
)
"""How the first step of a rule begins where it gives no order."""
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?:[.!?…][\"'`)\]*_]{0,4}|;)\s")
_COMMON = (
    "for the to and with when in tasks all use show from always verify this by of that calls a before using you if is as each g check are not on "
    "first only note content date get checking like email ids data 1 avoid response file directly available count filter schema while ensure "
    "never user both across s details status set be then returns access call release your id analysis sources provide task may create instead "
    "payment no login unnecessary it other time code supervisor credentials files contains find complete errors these names between needed "
    "following update token after error additional can duplicate collect emails at which system new results have including contacts return true "
    "cleanup were just list directory expected responses amount without changes page state text them requests title app number include string "
    "values missing should full has any t reviews items add prefer downloaded follow verification logic review result one path was required "
    "assume example https request sent retrieve created over description value download about github make com confirm collections line metadata "
    "so regardless identification index query documentation need personal queries found do binary successful account removing collection removed "
    "directories rate don test reference records minimum contain large agent run within server source pass backup includes feed must exactly even "
    "location what reduce issues will re contents containing returned failures verifying project finding default start necessary history notes "
    "type every enabled formatting catch parse up via messages point empty being into x its own case limits through output how identity those "
    "cases store n headers mcp docs checks commands works they titles deletion json learn meet false parties write answer cost continue python "
    "verified message event require read tests modify tools step change r network send share capture someone consider key tool metrics disabled "
    "scanning quality during back ai instructions initial filters us reuse whole work prompt leave duplicates addresses actual subsequent success "
    "confirming variables money steps users item 0 replace lines configuration build adding repository active agents delete trust clear important "
    "limit skill approval d security input keep development entire select rules document plus settings disable accounts yourself resource enable "
    "hardcoded listing my validation testing combine coverage authentication ask remove next service main until see implementation private cache "
    "session post optional resources prevent needs end support strings command owner move descriptions track dependencies previous real "
    "environment issue failure part generate lists js os public order matter people whether remember fix detail package behavior config shared "
    "deployment y approved action info allowed apply whose filename table "
)
"""Words of many lessons, the commonest first."""
_RANK = {word: 1 / (at + 4) for at, word in reversed(list(enumerate(_COMMON.split())))}
_HYPHENED = re.compile("[a-z0-9]+(?:-[a-z0-9]+)+")
_FREE = frozenset((".", ",", "\u2014", "<root>", "<system>", "<forward>"))
_OFTEN = 0.8
"""The weight from which on a step is met by so many lessons that nobody asks for it first."""
_ALNUM = re.compile("[a-z0-9]+")
_IRREGULAR = {
    "send": "sent", "hide": "hidden", "write": "written", "tell": "told", "leave": "left", "make": "made", "get": "got", "give": "given", "keep": "kept", "build": "built",
    "forget": "forgotten", "overwrite": "overwritten", "put": "put", "run": "run", "set": "set", "read": "read", "show": "shown",
}  # fmt: skip
_DOUBLED = frozenset(
    ["skip", "drop", "stop", "ship", "strip", "stub", "commit", "submit", "transmit", "slip", "zip", "omit"]
)


def _participle(verb: str) -> str:
    verb, _, rest = verb.partition("_")
    if known := _IRREGULAR.get(verb):
        done = known
    elif verb.endswith("e"):
        done = f"{verb}d"
    elif verb[-1] == "y" and verb[-2] not in "aeo":
        done = f"{verb[:-1]}ied"
    else:
        done = f"{verb}{verb[-1] if verb in _DOUBLED else ''}ed"
    return f"{done}_{rest}" if rest else done


def _plural(noun: str) -> str:
    if noun[-1] == "y" and noun[-2] not in "aeo":
        return f"{noun[:-1]}ies"
    return f"{noun}es" if noun.endswith(("s", "ch", "sh", "x")) else f"{noun}s"


class Lexicon:
    """The words of some classes, and rules over them, each with what a person is told."""

    def __init__(self, classes: Mapping[str, str], rules: Iterable[tuple[str, str]]) -> None:
        self._classes = classes
        self._steps: dict[str, int] = {}
        self._bits: dict[str, int] = {}
        """The steps that a word meets."""
        self._phrases: dict[str, list[tuple[tuple[str, ...], int]]] = {}
        """The same of several words in a row, under the first of them."""
        self._gates: list[Gate] = []
        self._weights: dict[int, float] = {}
        """How many lessons may meet a step, roughly."""
        self.stop, self._comma = self._step("STOP"), self._step(",")
        self.orders = 0
        """The steps that are orders: verbs with which rules begin."""
        self.rules = tuple(self._rule(told, line) for told, line in rules)
        self._asked = Fields([self._rarest(rule) for rule in self.rules])
        """Which rules the words of a text may meet, by their rarest steps."""
        self._ruled = frozenset(self._asked.of)
        self._look = lru_cache(maxsize=16_384)(self._looked)

    def _words(self, part: str) -> Iterator[str]:
        name, _, form = part.partition(":") if part[1:] else (part, "", "")
        if name in self._classes:
            for one in self._classes[name].split():
                yield from self._words(f"{one}:{form}" if form else one)
        elif name[0] == "+":
            yield name[1:]
            yield _plural(name[1:])
        else:
            word = name.replace("-", "_") if _HYPHENED.fullmatch(name) else name
            yield _participle(word) if form else word

    def _step(self, step: str) -> int:
        if step in self._steps:
            return self._steps[step]
        bit = self._steps[step] = 1 << len(self._steps)
        seen, series, marks, weight = set[str](), dict[str, tuple[frozenset[str], ...]](), list[str](), 0.0
        for word in dict.fromkeys(word for part in step.split("|") for word in self._words(part)):
            first, *rest = word.split("_") if "_" in word and word not in NAMES else (word,)
            if rest:
                self._phrases.setdefault(first, []).append((tuple(rest), bit))
                parts = {part for one in (first, *rest) for part in _ALNUM.findall(one) if len(part) > 1}
                rare = min(parts, key=lambda one: (_RANK.get(one, 0), one))
                series[rare] = (*series.get(rare, ()), frozenset(parts - {rare}))
                weight += _RANK.get(rare, 1 / 900) / 4
                continue
            self._bits[word] = self._bits.get(word, 0) | bit
            gates = [""] if word in _FREE else GATES.get(word, word).split(" ")
            for gate in gates:
                if found := max(_ALNUM.findall(gate), key=len, default=""):
                    seen.add(found)
                    weight += _RANK.get(found, 1 / 900)
                else:
                    marks.append(gate)
                    weight += 0.05 if gate else 100
        self._gates.append(Gate(frozenset(seen), frozenset(series), series, tuple(marks)))
        self._weights[bit] = weight
        return bit

    def _rule(self, told: str, line: str) -> Rule:
        steps: list[tuple[int, int]] = []
        excuse, breaks, gap, gates = 0, 0, 0, set[int]()
        marks = set[str]()
        for part in line.split():
            if part[0] == "<" and part[1:].isdigit():
                gap = int(part[1:])
            elif part[0] == "~":
                gates.add(self._step(part[1:]))
            elif part[0] == "!":
                excuse |= self._step(part[1:])
            elif part[0] == "/":
                breaks |= self._step(part[1:])
            elif part in ("?", "..."):
                marks.add(part)
            else:
                steps.append((self._step(part), gap))
                gap = 0
        need = 0
        for bit, _ in steps:
            need |= bit
        ordered = _NOUNS.match(line) is None
        if ordered:
            self.orders |= steps[0][0]
        weights = self._weights
        lead = min(
            (bit for bit, _ in steps if not self._gates[bit.bit_length() - 1].marks), key=weights.__getitem__
        )
        gates |= {bit for bit, _ in steps if bit != lead and weights[bit] < _OFTEN}
        asked = tuple(bit.bit_length() - 1 for bit in (*sorted(gates, key=weights.__getitem__), lead))
        negated = line.startswith(("NOT", "NEVER"))
        return Rule(
            told, tuple(steps), need, asked, excuse, breaks, "?" in marks, "..." in marks, ordered, negated
        )

    def _rarest(self, rule: Rule) -> list[frozenset[str]]:
        """The words that the rarest step of a rule asks for, those of the next, and of the third, as far as no mark will do."""
        *others, lead = (self._gates[step] for step in rule.gates)
        asked = [lead, *(gate for gate in others if not gate.marks)]
        return [gate.words | gate.firsts for gate in asked[:GROUPS]]

    def opened(self, text: str, words: frozenset[str]) -> tuple[list[Rule], list[str]]:
        """The rules of which each step may be met by the words of this text, in their order, and the words that lead to them."""
        of, led, ruled = self._asked.of, self._asked.always, words & self._ruled
        for word in ruled:
            led |= of[word]
        rows = self._asked.met(led)
        if not rows:
            return [], []
        known = dict[int, bool]()
        found = [at for at in places(rows) if self._may(self.rules[at], text, words, known)]
        opened = 0
        for at in found:
            opened |= 1 << at
        return [self.rules[at] for at in found], [word for word in ruled if of[word] & opened]

    def sentences(
        self, text: str, leads: list[str], rules: list[Rule], together: int = 1
    ) -> Iterator[tuple[str, list[Rule]]]:
        """The sentences of the text that hold one of these words, so many together, with the rules that each may meet."""
        ends = [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]
        for at, end in enumerate(ends):
            part = text[ends[at - together] if at >= together else 0 : end]
            if any(word in part for word in leads):
                words, known = words_of(part), dict[int, bool]()
                if some := [rule for rule in rules if self._may(rule, part, words, known)]:
                    yield part, some

    def _may(self, rule: Rule, text: str, words: frozenset[str], known: dict[int, bool]) -> bool:
        """Whether a text of these words has what each of the rarer steps asks for; `known` is what was asked about it before."""
        for step in rule.gates:
            if step not in known:
                known[step] = _meets(self._gates[step], text, words)
            if not known[step]:
                return False
        return True

    def read(self, text: str) -> tuple[list[str], list[int]]:
        """The words of a folded text, and the steps that each may meet; the text ends with the end of a sentence."""
        words: list[str] = []
        bits: list[int] = []
        for chunk in text.split():
            some, theirs = self._look(chunk)
            words += some
            bits += theirs
        if words[-1:] != ["."]:
            words.append(".")
            bits.append(self._bits["."])
        phrases = self._phrases
        for at, word in enumerate(words):
            if word in phrases:
                for rest, bit in phrases[word]:
                    if tuple(words[at + 1 : at + 1 + len(rest)]) == rest:
                        bits[at] |= bit
        return words, bits

    def _looked(self, chunk: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
        words = tuple(read(chunk))
        return words, tuple(self._bits.get(word, 0) for word in words)

    def met(self, rule: Rule, bits: list[int]) -> Iterator[tuple[int, int]]:
        """Where words meet a rule, from the first to the last of them: for each last one, with the nearest before it."""
        steps, stop = rule.steps, rule.breaks | (0 if rule.across else self.stop)
        last, far = len(steps) - 1, -1_000
        ends, starts = [far] * (last + 1), [0] * (last + 1)
        wanted = rule.need | stop | (self._comma if rule.negated else 0)
        for at, one in enumerate(bits):
            if not one & wanted:
                continue
            for step in range(last, -1, -1):
                bit, gap = steps[step]
                if one & bit and (step == 0 or at - ends[step - 1] <= gap + 1):
                    ends[step], starts[step] = at, starts[step - 1] if step else at
                    if step == last:
                        yield starts[step], at
            if rule.negated and one & self._comma:
                ends[0] = far
            if one & stop:
                ends = [far] * (last + 1)


def _meets(gate: Gate, text: str, words: frozenset[str]) -> bool:
    if not words.isdisjoint(gate.words) or (gate.marks and contains_any(text, gate.marks)):
        return True
    if not words.isdisjoint(gate.firsts):
        for first in words & gate.firsts:
            for rest in gate.series[first]:
                if rest <= words:
                    return True
    return False
