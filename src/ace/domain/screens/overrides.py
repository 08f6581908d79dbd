"""Instruction overrides: texts that tell an agent to drop its instructions, or that pose as a turn of the conversation.

To add one, add a row of needles and a pattern to `_OVERRIDES` or `_TEMPLATES`. Patterns must run in linear time.
"""

from __future__ import annotations

import re
from functools import cache

from ace.domain.screens.views import Views, contains_any

__all__ = ["override"]

# Patterns of words are matched against `_bare` text, in which only words, commas and the ends of sentences are left.
# What is warned against ("never ignore the rules above") is a lesson, hence the look-behinds.

_NOT = (
    r"(?<!do not )(?<!dont )(?<!must not )(?<!mustnt )(?<!should not )(?<!shouldnt )(?<!cannot )(?<!never )(?<!without )"
    r"(?<!avoid )(?<!instead of )(?<!rather than )"
)
_FOLLOW = (
    r"(?:(?:(?:do|need|should|must|shall) not|cannot|dont|neednt|shouldnt|mustnt|never|no longer|stop|cease|quit)"
    r"(?: (?:have|need|bound|obliged|required) to)? "
    r"(?:follow|obey|respect|heed|comply with|adhere to|following|obeying|respecting|heeding|complying with|adhering to))"
)
_DROP = (
    rf"{_NOT}(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?|overrid(?:e|es|ing)|bypass(?:es|ing)?"
    rf"|dismiss(?:es|ing)?|neglect|pay no attention to|throw (?:out|away)|{_FOLLOW})"
)
_SHED = rf"{_NOT}(?:skip|drop|discard|abandon|cancel|delete|erase|revoke|unlearn|(?:put|set|leave) aside)"
_FILL = r"(?: (?:all|any|each|every|one|of|the|your|its|my|our|their|these|those|this|that|other|and|or|whatever|users?)){0,7}"
_FORMER = r"(?:previous(?:ly)?|prior|earlier|preceding|foregoing|above|former|existing|original|initial|system|developer|safety)"
_RULES = r"(?:instruct\w{0,8}|rules?|prompts?|directives?|guidelines?|guidance|guardrails?|polic(?:y|ies)|constraints?)"
_WORDS = r"(?:messages?|commands?|directions?)"
_BETWEEN = (
    # Rules of tools are no rules of the agent.
    r"(?: (?!(?:\w{0,4}lint(?:er|ers|ing)?|ruff|css|style|format(?:ter|ting)?|build|make|firewall|routing|rate|type)\b)\w+){0,2}"
)
_SAID = r"(?: (?:that|which|you|i|we|were|was|have|been|has|had|are|is|came|come|given|said|written|stated|got|received)){0,6}"
_ENDS = r"(?= ?(?:$|[.,;:!?]|and\b|now\b))"

_DROP_NEEDLES = (
    "ignor", "disregard", "forget", "overrid", "bypass", "dismiss", "neglect", "follow", "obey", "respect", "heed",
    "comply", "adher", "attention to", "throw",
)  # fmt: skip
_SHED_NEEDLES = (
    "skip", "drop", "discard", "abandon", "cancel", "delete", "erase", "revoke", "unlearn", "aside",
)  # fmt: skip

_REST = (
    # What may stand behind a verb of `_DROP`, an alternative a line.
    rf"(?:{_FILL} {_FORMER}{_BETWEEN} {_RULES}\b"
    rf"|{_FILL} {_FORMER}(?: (?:system|developer|users?))? {_WORDS}\b"
    rf"|{_FILL} (?:{_RULES}|{_WORDS}){_SAID} (?:above|so far|told|earlier|previously|before{_ENDS}|in your system"
    r"|in the system (?:prompt|message)|given(?! (?:in|inside|within|through|via|by)\b)"
    r"|given by (?:the |your )?(?:system|developer|user|operator)"
    r"|from (?:the |your )?(?:system|developer|user|operator)\b(?! (?:that|which|who|if|unless)\b))"
    rf"| (?:everything|anything|all|what|whatever)(?: of)?(?: the| your)?{_SAID} (?:told|learned|(?:above|before|so far){_ENDS})"
    r"| (?:everything|anything|all|what|whatever)(?: the| your)? (?:system|developer|operator)(?: (?:prompt|message))?"
    r" (?:said|says|told|tells|wrote|wants)"
    rf"| (?:all|any)(?: of)?(?: (?:the|your|these|those|my|our))? {_RULES}\b"
    rf"| your (?:own )?{_RULES}\b)"
)

_OVERRIDES = (
    # Needles are looked for in folded text, the pattern in bare text.
    (_DROP_NEEDLES, rf"\b{_DROP}{_REST}"),
    (
        _SHED_NEEDLES,
        rf"\b{_SHED}{_FILL} (?:previous|prior|earlier|above|preceding|foregoing|former|system) (?:instructions?|directives?|prompts?)\b",
    ),
    (
        ("instruct", "rules", "guidelines", "prompt"),
        (
            rf"\b(?:(?:all|any)(?: of)?(?: the| your)? {_FORMER}|your(?: {_FORMER})?) {_RULES} (?:(?:are|is|were|have been|has been)"
            r" (?:now |hereby |all )?(?:void|cancell?ed|revoked|suspended|lifted|overridden|superseded)|no longer (?:apply|applies|hold))\b"
        ),
    ),
    (
        ("now",),
        (
            r"\byou are now (?:dan\b|unrestricted|jailbroken|uncensored|free (?:of|from)"
            r"|in (?:developer|debug|god|admin|dan|jailbreak|unrestricted) mode)"
        ),
    ),
    (
        ("now",),
        (
            r"\bfrom now on,? you (?:(?:will|must|should|shall) (?:act|behave|pretend|ignore|obey|only obey|be an?\b)"
            r"|are (?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|different|free)\b)"
        ),
    ),
    (
        ("system", "developer"),
        r"\b(?:new|updated|revised|real|actual) (?:system|developer) (?:instructions?|prompt|rules|message)\b ?[:=]",
    ),
    (
        ("as if", "as though", "as an", "pretend", "imagine", "role"),
        (
            r"\b(?:act|behave|respond|proceed|pretend|imagine|role ?play)"
            r"(?: (?:that|to|be|as|as if|as though|like|if|though|you|there|it|it|an?|ai|assistant|model|had|have|has|are|were|is)){1,8}"
            r" (?:no|not bound by|free of|free from|without)(?: \w+){0,2} (?:rules|restrictions|instructions|limits|limitations|guidelines"
            r"|policies|filters|guardrails)"
        ),
    ),
    (
        ("system", "developer"),
        (
            rf"\b{_NOT}(?:reveal|print|show|repeat|output|leak|expose|disclose|dump)"
            r"(?: (?:me|us|out|back|the|your|its|full|entire|whole|hidden|initial|original|exact|verbatim)){0,6}"
            r" (?:system|developer) (?:prompt|message|instructions?)\b"
        ),
    ),
    (
        ("overrid", "supersede", "replace", "precedence"),
        (
            r"\b(?:this|these|the following|my)(?: \w+){0,2} (?:overrides?|supersedes?|replaces?|takes? precedence over)"
            r"(?: (?:all|any|every|the|your|other)){0,4} (?:previous|prior|earlier|other|existing|system|developer|above)"
            rf"\b{_BETWEEN} (?:{_RULES}|{_WORDS})\b"
        ),
    ),
    (("system", "developer"), r"^(?:system|developer)(?: (?:prompt|message|instructions?))? ?: "),
)

_TEMPLATES = (
    # The tokens of chat templates, matched against folded text. A full-width bar is folded to `|` by then.
    (("<|",), r"<\|[\w▁]{1,40}\|>"),
    (("inst]", "sys>>", "_of_turn>"), r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>"),
    (
        ("<system", "</system", "<developer", "</developer", "<assistant", "</assistant"),
        r"</?(?:system|developer|assistant)(?:[-_](?:prompt|message|reminder|instructions?))?>",
    ),
    (("##",), r"#{2,4} ?(?:system|developer|human|assistant)(?: (?:prompt|message|instructions?))? ?:"),
)

_MARKS = str.maketrans(
    # Gone: emphasis, quotes (also U+2018 to U+201D, U+00AB, U+00BB) and brackets. A space: `_` and dashes (U+2010 to U+2014).
    dict.fromkeys("*`'\"~()[]{}\u2018\u2019\u201c\u201d\xab\xbb")
    | dict.fromkeys("_-\u2010\u2011\u2012\u2013\u2014", " ")
)


def _bare(folded: str) -> str:
    """The text without emphasis, quotes and brackets, and with single spaces for `_` and dashes."""
    return " ".join(folded.translate(_MARKS).split())


@cache
def _compiled(
    table: tuple[tuple[tuple[str, ...], str], ...],
) -> tuple[tuple[tuple[str, ...], re.Pattern[str]], ...]:
    return tuple((needles, re.compile(pattern)) for needles, pattern in table)


def override(views: Views) -> str | None:
    """The screen for instruction overrides."""
    text, bare = views.folded, ""
    for needles, pattern in _compiled(_OVERRIDES):
        if contains_any(text, needles):
            bare = bare or _bare(text)
            if pattern.search(bare):
                return "an instruction override"
    if any(
        contains_any(text, needles) and pattern.search(text) for needles, pattern in _compiled(_TEMPLATES)
    ):
        return "an instruction override"
    return None
