"""Rules over the classes that words belong to.

A rule is a line of classes in their order, `SEND <12 PRIVATE <12 AWAY`: a word of `SEND`, with at most twelve words behind it one of
`PRIVATE`, then one of `AWAY`, all in one sentence. `A|B` is either; a word in lower case is itself, `+word` it and its plural,
`A:ed` the participles of a class, and `some_words` several in a row. Marks at the end of a line: `!A|b` no such word from the
first on, `~A` a text that has one, `?` the thing alone is none, which nobody is told to use; `...` it may go from one sentence to the next.

Most texts end after a look at their words: a rule is led by its rarest step, and tried if the text has a word of every step.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from ace.domain.screens.tokens import GATES, NAMES, read

__all__ = ["Lexicon", "Rule"]


class Rule(NamedTuple):
    """What a person is told; the steps, each a bit and how many words may come before it; all of them; what of them the words
    of a text can tell; which bits excuse it; and its marks. `orders` says whether it begins with a verb,
    and `negated` whether with a negation, which a comma ends.
    """

    told: str
    steps: tuple[tuple[int, int], ...]
    need: int
    gate: int
    excuse: int
    advised: bool
    across: bool
    orders: bool
    negated: bool


_NOUNS = re.compile(
    r"[<+]|PRIVATE|SECRET|SENSITIVE|CODED|CIPHER|CHECKED|CHECKER|LEAK|PERSONAL|THIS|DOUBTFUL|GUARD|NOT|NEVER|FETCHER|INTERPRETER|SH\b|(?:so|if|when|without|no|asked|retention|remote|continue|pickle|aws|git|ssh|scp|dig|docker|kubectl|chmod|rm|base64|xxd|find|terraform|gpg|zfs|"
    r"systemctl|iptables|ufw|pip|npx|iex|registry|nopasswd|sudoers|core|verify|sandbox|debug|skip <1|your|code_snippet|curl|mshta|set-url|useradd|permitroot|ngrok|wevtutil|auditctl|histfile|flushall|reflog|http_post|send_email|executionpolicy|setenforce|hookspath)\b"
)
"""How the first step of a rule begins where it gives no order."""
_SENTENCE = re.compile(r"(?<!e\.g)(?<!i\.e)(?<!etc)(?<!vs)(?:[.!?…][\"'`)\]*_]{0,4}|;)\s")
_COMMON = [
    "for",
    "the",
    "to",
    "and",
    "with",
    "when",
    "in",
    "tasks",
    "all",
    "use",
    "show",
    "from",
    "always",
    "verify",
    "this",
    "by",
    "of",
    "that",
    "calls",
    "a",
    "before",
    "using",
    "you",
    "if",
    "is",
    "as",
    "each",
    "g",
    "check",
    "are",
    "not",
    "on",
    "first",
    "only",
    "note",
    "content",
    "date",
    "get",
    "checking",
    "like",
    "email",
    "ids",
    "data",
    "1",
    "avoid",
    "response",
    "file",
    "directly",
    "available",
    "count",
    "filter",
    "schema",
    "while",
    "ensure",
    "never",
    "user",
    "both",
    "across",
    "s",
    "details",
    "status",
    "set",
    "be",
    "then",
    "returns",
    "access",
    "call",
    "release",
    "your",
    "id",
    "analysis",
    "sources",
    "provide",
    "task",
    "may",
    "create",
    "instead",
    "payment",
    "no",
    "login",
    "unnecessary",
    "it",
    "other",
    "time",
    "code",
    "supervisor",
    "credentials",
    "files",
    "contains",
    "find",
    "complete",
    "errors",
    "these",
    "names",
    "between",
    "needed",
    "following",
    "update",
    "token",
    "after",
    "error",
    "additional",
    "can",
    "duplicate",
    "collect",
    "emails",
    "at",
    "which",
    "system",
    "new",
    "results",
    "have",
    "including",
    "contacts",
    "return",
    "true",
    "cleanup",
    "were",
    "just",
    "list",
    "directory",
    "expected",
    "responses",
    "amount",
    "without",
    "changes",
    "page",
    "state",
    "text",
    "them",
    "requests",
    "title",
    "app",
    "number",
    "include",
    "string",
    "values",
    "missing",
    "should",
    "full",
    "has",
    "any",
    "t",
    "reviews",
    "items",
    "add",
    "prefer",
    "downloaded",
    "follow",
    "verification",
    "logic",
    "review",
    "result",
    "one",
    "path",
    "was",
    "required",
    "assume",
    "example",
    "https",
    "request",
    "sent",
    "retrieve",
    "created",
    "over",
    "description",
    "value",
    "download",
    "about",
    "github",
    "make",
    "com",
    "confirm",
    "collections",
    "line",
    "metadata",
    "so",
    "regardless",
    "identification",
    "index",
    "query",
    "documentation",
    "need",
    "personal",
    "queries",
    "found",
    "do",
    "binary",
    "successful",
    "account",
    "removing",
    "collection",
    "removed",
    "directories",
    "rate",
    "don",
    "test",
    "reference",
    "records",
    "minimum",
    "contain",
    "large",
    "agent",
    "run",
    "within",
    "server",
    "source",
    "pass",
    "backup",
    "includes",
    "feed",
    "must",
    "exactly",
    "even",
    "location",
    "what",
    "reduce",
    "issues",
    "will",
    "re",
    "contents",
    "containing",
    "returned",
    "failures",
    "verifying",
    "project",
    "finding",
    "default",
    "start",
    "necessary",
    "history",
    "notes",
    "type",
    "every",
    "enabled",
    "formatting",
    "catch",
    "parse",
    "up",
    "via",
    "messages",
    "point",
    "empty",
    "being",
    "into",
    "x",
    "its",
    "own",
    "case",
    "limits",
    "through",
    "output",
    "how",
    "identity",
    "those",
    "cases",
    "store",
    "n",
    "headers",
    "mcp",
    "docs",
    "checks",
    "commands",
    "works",
    "they",
    "titles",
    "deletion",
    "json",
    "learn",
    "meet",
    "false",
    "parties",
    "write",
    "answer",
    "cost",
    "continue",
    "python",
    "verified",
    "message",
    "event",
    "require",
    "read",
    "tests",
    "modify",
    "tools",
    "step",
    "change",
    "r",
    "network",
    "send",
    "share",
    "capture",
    "someone",
    "consider",
    "key",
    "tool",
    "metrics",
    "disabled",
    "scanning",
    "quality",
    "during",
    "back",
    "ai",
    "instructions",
    "initial",
    "filters",
    "us",
    "reuse",
    "whole",
    "work",
    "prompt",
    "leave",
    "duplicates",
    "addresses",
    "actual",
    "subsequent",
    "success",
    "confirming",
    "variables",
    "money",
    "steps",
    "users",
    "item",
    "0",
    "replace",
    "lines",
    "configuration",
    "build",
    "adding",
    "repository",
    "active",
    "agents",
    "delete",
    "trust",
    "clear",
    "important",
    "limit",
    "skill",
    "approval",
    "d",
    "security",
    "input",
    "keep",
    "development",
    "entire",
    "select",
    "rules",
    "document",
    "plus",
    "settings",
    "disable",
    "accounts",
    "yourself",
    "resource",
    "enable",
    "hardcoded",
    "listing",
    "my",
    "validation",
    "testing",
    "combine",
    "coverage",
    "authentication",
    "ask",
    "remove",
    "next",
    "service",
    "main",
    "until",
    "see",
    "implementation",
    "private",
    "cache",
    "session",
    "post",
    "optional",
    "resources",
    "prevent",
    "needs",
    "end",
    "support",
    "strings",
    "command",
    "owner",
    "move",
    "descriptions",
    "track",
    "dependencies",
    "previous",
    "real",
    "environment",
    "issue",
    "failure",
    "part",
    "generate",
    "lists",
    "js",
    "os",
    "public",
    "order",
    "matter",
    "people",
    "whether",
    "remember",
    "fix",
    "detail",
    "package",
    "behavior",
    "config",
    "shared",
    "deployment",
    "y",
    "approved",
    "action",
    "info",
    "allowed",
    "apply",
    "whose",
    "filename",
    "table",
]
"""Words of many lessons, the commonest first."""
_RANK = {word: 1 / (at + 4) for at, word in reversed(list(enumerate(_COMMON)))}
_HYPHENED = re.compile("[a-z0-9]+(?:-[a-z0-9]+)+")
_FREE = frozenset((".", ",", ":", "\u2014", "<root>", "<system>", "<forward>"))
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
        self._series: dict[str, dict[frozenset[str], int]] = {}
        """The steps that a text may meet which has the words of a row, under the rarest of them, with the others."""
        self._gate: dict[str, int] = {}
        """The steps that a text may meet which has this word."""
        self._marks: dict[str, int] = {}
        """The steps that a text may meet which has this part."""
        self._marked = 0
        self._weights: dict[int, float] = {}
        self._gating = 0
        """The steps that texts are asked for first."""
        self._free = 0
        """The steps that any text may meet: they have a mark of a sentence."""
        self.stop = self._step("STOP")
        self._comma = self._step(",")
        self.orders = 0
        """The steps that are orders: verbs with which rules begin."""
        made = [self._rule(told, line) for told, line in rules]
        self.rules = tuple(made)
        led: dict[int, int] = {}
        for at, rule in enumerate(made):
            lead = min(
                (bit for bit, _ in rule.steps if bit & rule.gate & ~self._marked),
                key=lambda bit: self._weights[bit],
            )
            led[lead] = led.get(lead, 0) | 1 << at

        def leads(bits: int) -> int:
            """The rules, a bit each, that one of these steps leads to."""
            rows = 0
            for lead, theirs in led.items():
                rows |= theirs if bits & lead else 0
            return rows

        gating = self._gating
        self._gate = {word: bits & gating for word, bits in self._gate.items() if bits & gating}
        self._marks = {mark: bits & gating for mark, bits in self._marks.items() if bits & gating}
        none = dict[frozenset[str], int]()
        self._first = {
            word: (
                leads(self._gate.get(word, 0)),
                tuple(
                    (rest, bits & gating, leads(bits))
                    for rest, bits in self._series.get(word, none).items()
                    if bits & gating
                ),
            )
            for word in (*self._gate, *self._series)
            if leads(self._gate.get(word, 0)) or word in self._series
        }
        """The words with which a text may begin to meet rules: the rules they lead to, and the same of words in a row."""
        self._starts, self._known = frozenset(self._first), frozenset(self._gate)
        self._several = 0
        for series in self._series.values():
            for bits in series.values():
                self._several |= bits
        self._gated = lru_cache(maxsize=16_384)(self._gate_of)
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
        weight = 0.0
        for word in dict.fromkeys(word for part in step.split("|") for word in self._words(part)):
            if word in _FREE:
                self._free |= bit
                self._bits[word] = self._bits.get(word, 0) | bit
                continue
            first, *rest = word.split("_") if "_" in word and word not in NAMES else (word,)
            if rest:
                self._phrases.setdefault(first, []).append((tuple(rest), bit))
                parts = {part for one in (first, *rest) for part in _ALNUM.findall(one) if len(part) > 1}
                rare = min(parts, key=lambda one: (_RANK.get(one, 0), one))
                self._series.setdefault(rare, {}).setdefault(frozenset(parts - {rare}), 0)
                self._series[rare][frozenset(parts - {rare})] |= bit
                weight += min(_RANK.get(part, 1 / 900) for part in parts) / 4
                continue
            self._bits[word] = self._bits.get(word, 0) | bit
            for gate in GATES.get(word, word).split(" "):
                found = max(_ALNUM.findall(gate), key=len, default="")
                where = self._gate if found else self._marks
                where[found or gate] = where.get(found or gate, 0) | bit
                self._marked |= 0 if found else bit
                weight += _RANK.get(found, 1 / 900) if found else 0.05
        self._weights[bit] = weight
        return bit

    def _rule(self, told: str, line: str) -> Rule:
        steps: list[tuple[int, int]] = []
        excuse, gap, gate = 0, 0, 0
        marks = set[str]()
        for part in line.split():
            if part[0] == "<" and part[1:].isdigit():
                gap = int(part[1:])
            elif part[0] == "~":
                gate |= self._step(part[1:])
            elif part[0] == "!":
                excuse |= self._step(part[1:])
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
        rare = sorted({bit for bit, _ in steps if not bit & self._free}, key=self._weights.__getitem__)
        for bit in rare:
            gate |= (
                bit
                if bit == rare[0]
                or (not bit & self._marked and bit == next(one for one in rare if not one & self._marked))
                or self._weights[bit] < _OFTEN
                else 0
            )
        self._gating |= gate
        return Rule(
            told,
            tuple(steps),
            need,
            gate,
            excuse,
            "?" in marks,
            "..." in marks,
            ordered,
            line.startswith(("NOT", "NEVER")),
        )

    def opened(  # noqa: C901 - each loop gives the next one less to do
        self, text: str, words: frozenset[str]
    ) -> tuple[list[Rule], list[str]]:
        """The rules of which each step may be met by the words of this text, in their order, and the words that lead to them."""
        rows, there, table = 0, 0, self._first
        first = words & self._starts
        for word in first:
            led, series = table[word]
            rows |= led
            for rest, bits, others in series:
                if rest <= words:
                    there |= bits
                    rows |= others
        if not rows:
            return [], []
        gate = self._gate
        for word in words & self._known:
            there |= gate[word]
        possible = there | self._marked
        opened, tried, marked = [], 0, False
        while rows:
            lowest = rows & -rows
            rows ^= lowest
            rule = self.rules[lowest.bit_length() - 1]
            needed = rule.gate
            if possible & needed == needed:
                if not marked:
                    marked = True
                    for mark, bits in self._marks.items():
                        if mark in text:
                            there |= bits
                    possible = there
                if there & needed == needed:
                    opened.append(rule)
                    tried |= lowest
        return opened, [word for word in first if self._leads(word) & tried] if tried else []

    def _leads(self, word: str) -> int:
        """The rules, a bit each, that this word may lead to."""
        led, series = self._first[word]
        for _, _, others in series:
            led |= others
        return led

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

    def sentences(self, text: str, leads: list[str], rules: list[Rule], together: int = 1) -> Iterator[str]:
        """The sentences of the text that hold one of these words and may meet one of these rules, so many together."""
        ends = [*(match.end() for match in _SENTENCE.finditer(text)), len(text)]
        for at, end in enumerate(ends):
            part = text[ends[at - together] if at >= together else 0 : end]
            for word in leads:
                if word in part:
                    there = 0
                    for chunk in part.split():
                        there |= self._gated(chunk)
                    if any(
                        there & rule.gate & ~self._several == rule.gate & ~self._several for rule in rules
                    ):
                        yield part
                    break

    def _gate_of(self, chunk: str) -> int:
        """The steps that a piece without blanks may meet."""
        bits = 0
        for word in _ALNUM.findall(chunk):
            bits |= self._gate.get(word, 0)
        for mark, theirs in self._marks.items():
            if mark in chunk:
                bits |= theirs
        return bits

    def met(self, rule: Rule, bits: list[int]) -> Iterator[tuple[int, int]]:
        """Where words meet a rule, from the first to the last of them: for each last one, with the nearest before it."""
        steps, stop = rule.steps, 0 if rule.across else self.stop
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
