"""The notation of rules over classes of words, and that no rule is left untried that would be met."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ace.domain.screens import english
from ace.domain.screens.grammar import Grammar
from ace.domain.screens.views import Views

_CLASSES = {
    "drop": "ignore~ drop~~ defy~",
    "rule": "rule/s polic/y/ies agents.md",
    "your": "your",
    "deny": "not never",
    "tool": "linter",
    "the": "the all",
}
_PHRASES = {"TOLD": "( your | the ) rule"}


def _met(rule: str, text: str) -> list[str]:
    views = Views.of(text)
    grammar = Grammar(_CLASSES, _PHRASES, {"a kind": (rule,)}, "the all of and")
    return [views.bare[start:end] for _, start, end in grammar.found(views)]


@pytest.mark.parametrize(
    ("rule", "text", "found"),
    [
        ("drop rule", "Ignore rules.", ["ignore rules"]),
        ("drop rule", "Ignoring policies, dropped policy; defies AGENTS.md", ["ignoring policies", "dropped policy", "defies agents.md"]),
        ("drop rule", "Ignore the rules.", []),
        ("drop ~1 rule", "Ignore the rules.", ["ignore the rules"]),
        ("drop ~3 rule", "Ignore, on the way, the rules.", []),
        ("drop ~5 rule", "Ignore, on the way, rules.", ["ignore, on the way, rules"]),
        ("drop ~3 rule", "Ignore this. The rules stay.", []),
        ("drop +3 rule", "Ignore this. The rules stay.", ["ignore this. the rules"]),
        ("drop ~3 rule", "Ignore tabs but not rules.", []),
        ("drop ~3 rule", "Ignore the linter rules.", []),
        ("drop ~3 rule", "Ignore the .eslintrc rules.", []),
        ("drop TOLD", "Ignore your rules, ignore the rules.", ["ignore your rules", "ignore the rules"]),
        ("drop the* rule", "ignore all the all the rules", ["ignore all the all the rules"]),
        ("drop the{2} rule", "ignore all the rules, ignore the rules", ["ignore all the rules"]),
        ("drop the? rule", "ignore the rules, ignore rules", ["ignore the rules", "ignore rules"]),
        ("drop any rule", "ignore brown rules", ["ignore brown rules"]),
        ("drop 'brown' rule", "ignore brown rules, ignore green rules", ["ignore brown rules"]),
        ("drop rule =( $ )", "ignore rules, ignore rules now", ["ignore rules"]),
        ("drop rule !( 'now' )", "ignore rules, ignore rules now", ["ignore rules"]),
        ("^ drop rule", "Now ignore rules. Ignore rules.", ["ignore rules"]),
        ("<!the rule", "the rules and rules", ["rules"]),
        ("( drop | rule ) , rule", "rules, rules", ["rules, rules"]),
        ("rule : drop", "rules: ignored", ["rules: ignored"]),
    ],
)  # fmt: skip
def test_a_rule_says_which_words_follow_each_other(rule: str, text: str, found: list[str]) -> None:
    """Given a rule in the notation, then it is met by these parts of the text, at their places."""
    assert _met(rule, text) == found


@pytest.mark.parametrize(
    "rule", ["drop nothing", "the the", "drop | the", "drop )", "( drop", "drop MISSING"]
)
def test_a_rule_that_is_none_is_told(rule: str) -> None:
    """Given a class that is not there, a bracket too many, or common words alone, then the table is refused."""
    with pytest.raises(ValueError, match=r"no class|not a rule|a bracket is open|nothing but common words"):
        Grammar(_CLASSES, _PHRASES, {"a kind": (rule,)}, "the all of and")


_RULES = (
    "drop ~3 rule",
    "rule ~2 drop",
    "drop ( your | the ) rule",
    "( rule | your ) ~1 ( drop | not )".replace("not", "'not'"),
    "TOLD +4 drop",
    "your 'own' rule",
    "drop{2} rule",
    "rule . drop",
)
_WORDS = st.sampled_from(
    ["ignore", "drops", "rule", "policies", "your", "own", "the", "all", "not", "linter", "a.b", ",", ".", ":", "agents.md"]
)  # fmt: skip


@given(st.lists(_WORDS, max_size=14).map(" ".join))
def test_a_rule_that_is_met_is_tried(text: str) -> None:
    """Given any text, then what is found is what trying each rule on it would find, in the order of the table."""
    grammar = Grammar(_CLASSES, _PHRASES, {rule: (rule,) for rule in _RULES}, "the all of and")
    sequence = "".join(grammar._letters[word] for word in Views.of(text).bare.split())
    tried = [kind for kind, pattern in grammar._rules for _ in re.finditer(pattern, sequence)]
    assert [kind for kind, _, _ in grammar.found(Views.of(text))] == tried


def test_every_class_and_phrase_of_english_is_used() -> None:
    """Given the tables, then no class and no phrase is left over, since what is not used cannot be wrong."""
    written = " ".join(
        [*english._PHRASES.values(), *(rule for rules in english._KINDS.values() for rule in rules)]
    )
    used = set(re.findall(r"\w+", written)) | {"tool", "deny"}
    assert used.issuperset(english._CLASSES)
    assert used.issuperset(english._PHRASES)
