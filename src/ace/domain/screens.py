"""What must not enter a playbook, and what must not leave a trace: screens and redaction.

A screen is a function from a text to a reason or None; `refusal` asks them in the order of `SCREENS`. To widen one,
add a row to its table: a `_Shape` for a credential, a pattern for an override, a range for hidden characters.

Each text is looked at three ways, since what a model reads is not what a pattern reads: *raw*, as it came; *plain*,
with compatibility forms (full width, ligatures) and invisible characters folded away; and *folded*, plain without
case. All patterns run in linear time: no unbounded repetition is followed by anything that it could have matched
itself. `needles` are lower-case strings of which one must be there before a pattern is tried at all, which makes a
clean megabyte cost a few string searches.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

__all__ = ["PLACEHOLDER", "SCREENS", "Views", "excerpt", "redact", "refusal", "valid"]

PLACEHOLDER = "[redacted credential]"
"""What stands where credential-shaped text was."""


class Views(NamedTuple):
    """One text as the screens see it."""

    raw: str
    plain: str
    folded: str

    @classmethod
    def of(cls, text: str) -> Views:
        """Fold width, invisible characters and white space (`plain`), then case (`folded`)."""
        plain = " ".join(text.split())
        if not plain.isascii():
            plain = unicodedata.normalize("NFKC", "".join(char for char in plain if not _invisible(char)))
        return cls(text, plain, plain.casefold())


# --- valid Unicode ----------------------------------------------------------------------------------------------


_SURROGATE = re.compile("[\ud800-\udfff]")


def valid(text: str) -> str:
    """The text with every lone surrogate replaced by U+FFFD, so that it can be written as UTF-8."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _invalid(views: Views) -> str | None:
    if not views.raw.isascii() and _SURROGATE.search(views.raw):
        return "text that is not valid Unicode"
    return None


# --- hidden characters ------------------------------------------------------------------------------------------

_ZWNJ, _ZWJ = "\u200c", "\u200d"
_FILLERS = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
)  # letters and marks that show nothing
_SHOWN_FORMATS = frozenset(
    "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"
)
_ASCII_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1b\x7f]")


def _variation(char: str) -> bool:
    return (
        "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or "\u180b" <= char <= "\u180f"
    )


def _invisible(char: str) -> bool:
    if char.isascii() or _pictograph(char):
        return False
    if char in _FILLERS or _variation(char):
        return True
    return (
        unicodedata.category(char) in ("Cf", "Cc", "Cn", "Co")
        and char not in _SHOWN_FORMATS
        and not char.isspace()
    )


def _joins_script(char: str) -> bool:
    """Whether the character belongs to a script that shapes its letters by joiners (Arabic to Khmer, Mongolian)."""
    return "\u0600" <= char <= "\u18af" and unicodedata.category(char)[0] in "LM"


def _pictograph(char: str) -> bool:
    """Whether the character is in a block of emoji, which may be newer than the Unicode tables of this Python."""
    return "\U0001f000" <= char <= "\U0001faff"


def _emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk") or char in "\ufe0f\u2194" or _pictograph(char)


def _needed(text: str, at: int) -> bool:
    """Whether the invisible character at `at` is one that the characters around it need to be shown right."""
    char = text[at]
    before = text[at - 1] if at else ""
    after = text[at + 1] if at + 1 < len(text) else ""
    if not before:
        return False
    if char in "\ufe0e\ufe0f":
        # The sign for information counts as a letter, the wavy dash as a dash; both are emoji.
        return before in "#*0123456789\u2139\u3030" or unicodedata.category(before) in (
            "So",
            "Sm",
            "Po",
            "Ps",
            "Pe",
        )
    if char not in (_ZWNJ, _ZWJ):
        return False
    if _joins_script(before):
        # Behind a virama (class 9) a joiner chooses the letter's form at a word's end, too.
        return unicodedata.combining(before) == 9 or (bool(after) and _joins_script(after))
    return char == _ZWJ and bool(after) and _emoji(before) and _emoji(after)


def _hidden(views: Views) -> str | None:
    text = views.raw
    if _ASCII_CONTROL.search(text):
        return "hidden characters (control character)"
    if text.isascii():
        return None
    if any(_invisible(char) and not _needed(text, at) for at, char in enumerate(text)):
        return "hidden characters"
    return None


# --- marker lines -----------------------------------------------------------------------------------------------

_MARKER = re.compile(r"ace ?: ?playbook ?: ?(?:begin|end)")


def _marker(views: Views) -> str | None:
    return "a marker line of the block" if _MARKER.search(views.folded) else None


# --- credentials ------------------------------------------------------------------------------------------------


class _Shape(NamedTuple):
    """A credential's shape. If the pattern has a group `secret`, that is the credential, else the whole match."""

    name: str
    needles: tuple[str, ...]
    pattern: str


_KEYWORD = (
    r"(?:pass(?:word|wd|phrase|code)|pwd|secret|token|(?<!\[redacted )credentials?"
    r"|(?:api|access|auth|account|private|encryption|signing|secret|master|service)[_-]?key(?:[_-]?(?:id|base))?)"
)
_SEPARATOR = r"""\\?["'`]?\]?\s{0,40}(?::=|=>|:|={1,3})\s{0,40}"""
_QUOTE = r"""\\?["'`]"""
_WORD_END = r"(?![A-Za-z0-9])"
_WORD_START = r"(?<![A-Za-z0-9])"
_BARE = r"A-Za-z0-9_+/.~!?$@#%^&*=-"
"""What a secret without quotes may be made of, as a character class."""
_BARE_SECRET = (
    # A letter and a digit, six characters at least, and no call or look-up. What is longer than 512 is taken as it is.
    rf"(?=[^\s0-9\"'`]{{0,200}}[0-9])(?=[^\sA-Za-z\"'`]{{0,200}}[A-Za-z])[{_BARE}]{{6,512}}+(?![(\[{{])[{_BARE}]*"
)
_EXPRESSION = (
    r"(?:os|self|this|env|process|settings|config|cfg|conf|secrets|vars?|args|kwargs|opts|options|params|request|response|ctx"
    r"|context|session|app|user|data|payload)\."
)
"""How code begins that reads a secret from somewhere."""

_SHAPES = (
    _Shape(
        "private key",
        ("private key",),
        r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
        r"(?:(?:[^-]|-(?!----))*+-----END (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----|(?:[A-Za-z0-9+/=\s]|\\[nr])*)",
    ),
    _Shape("PuTTY private key", ("putty-user-key-file",), r"PuTTY-User-Key-File-\d: (?:[^\n\"\\]|\\[^\n\"])*(?:\n[^\n]+)*"),
    _Shape(
        "AWS access key",
        ("akia", "asia", "abia", "acca"),
        _WORD_START + r"(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}" + _WORD_END,
    ),
    _Shape("GitHub token", ("ghp_", "gho_", "ghu_", "ghs_", "ghr_"), r"gh[pousr]_[A-Za-z0-9]{30,}"),
    _Shape("GitHub token", ("github_pat_",), r"github_pat_[A-Za-z0-9_]{22,}"),
    _Shape("GitLab token", ("glpat-", "gldt-", "glrt-", "glcbt-"), r"gl(?:pat|dt|rt|cbt)-[A-Za-z0-9_-]{20,}"),
    _Shape("Slack token", ("xox", "xapp-"), r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}"),
    _Shape(
        "Slack webhook", ("hooks.slack.com",), r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"
    ),
    _Shape(
        "API key",
        ("sk-",),
        _WORD_START + r"sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,}",
    ),
    _Shape("Stripe key", ("k_live_", "k_test_", "whsec_"), r"(?:[spr]k_(?:live|test)|whsec)_[A-Za-z0-9]{16,}"),
    _Shape("Google API key", ("aiza",), r"AIza[A-Za-z0-9_-]{35}"),
    _Shape("Google OAuth token", ("ya29.", "gocspx-"), r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_-]{20,}"),
    _Shape("npm token", ("npm_",), r"npm_[A-Za-z0-9]{36}"),
    _Shape("PyPI token", ("pypi-ageichlwas5vcmc",), r"pypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{20,}"),
    _Shape("Hugging Face token", ("hf_",), _WORD_START + r"hf_[A-Za-z0-9]{30,}"),
    _Shape("Groq key", ("gsk_",), r"gsk_[A-Za-z0-9]{40,}"),
    _Shape("xAI key", ("xai-",), r"xai-[A-Za-z0-9]{40,}"),
    _Shape("Replicate token", ("r8_",), _WORD_START + r"r8_[A-Za-z0-9]{37,}"),
    _Shape("SendGrid key", ("sg.",), _WORD_START + r"SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    _Shape("Twilio key", ("sk", "ac"), _WORD_START + r"(?:SK|AC)[0-9a-f]{32}" + _WORD_END),
    _Shape("DigitalOcean token", ("_v1_",), r"do[opr]_v1_[a-f0-9]{64}"),
    _Shape("Databricks token", ("dapi",), _WORD_START + r"dapi[a-f0-9]{32}"),
    _Shape("Shopify token", ("shpat_", "shpca_", "shppa_", "shpss_"), r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    _Shape("Vault token", ("hvs.", "hvb."), _WORD_START + r"hv[sb]\.[A-Za-z0-9_-]{24,}"),
    _Shape("Linear key", ("lin_api_",), r"lin_api_[A-Za-z0-9]{32,}"),
    _Shape("Telegram bot token", (":aa",), r"(?<![0-9A-Za-z])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}"),
    _Shape("Azure storage key", ("accountkey=",), r"(?i:AccountKey)=(?P<secret>[A-Za-z0-9+/]{40,}={0,2})"),
    _Shape("age key", ("age-secret-key-",), r"(?i:AGE-SECRET-KEY-1)[A-Za-z0-9]{50,}"),
    _Shape("JSON web token", ("eyj",), r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    _Shape(
        "authorization header",
        ("bearer", "basic", "token"),
        r"(?i:authorization\b\\?[\"'`]?\s{0,40}[:=]\s{0,40}\\?[\"'`]?(?:bearer|basic|token|digest)\s{1,40})"
        r"(?P<secret>(?=[A-Za-z._~+/-]{0,200}[0-9=]|[A-Za-z._~+/-]{0,200}[a-z][A-Z])[A-Za-z0-9._~+/=-]{8,})",
    ),
    _Shape(
        "bearer token",
        ("bearer",),
        r"(?i:\bbearer\s{1,40})(?P<secret>(?=[A-Za-z._~+/-]{0,200}[0-9])[A-Za-z0-9._~+/=-]{20,})",
    ),
    _Shape(
        "password in a URL",
        ("://",),
        r"://[^\s/:@\"'`<>\\]{0,256}:(?P<secret>(?!\$|<|\{|%[({A-Za-z]|\*|\.\.\.|x{3,}@|(?i:pass|password|passwd|pwd|pw|secret"
        r"|token)@|\[redacted)[^\s/@\"`<>\\]{1,512})@",
    ),
    _Shape(
        "password in an assignment",
        ("pass", "pwd"),
        r"(?i:pass(?:word|wd|phrase|code)|pwd)" + _SEPARATOR + _QUOTE +
        r"(?P<secret>(?!\$|<|\{|\*|\.\.\.|(?i:x{3,}|your|my|the|a|new|old|some|pass|password|passwd|pwd|secret|string|str|null|none"
        r"|true|false|text|hidden|redacted|placeholder|required|value)[\s_\"'`\\<-])[^\s\"'`\\]{4,}+)" + _QUOTE,
    ),
    _Shape(
        "secret in an assignment",
        ("pass", "pwd", "secret", "key", "token", "credential"),
        r"(?i:" + _KEYWORD + r")" + _SEPARATOR + _QUOTE +
        r"(?P<secret>(?!\$|<|\{)(?=[^\s\"'`\\0-9]{0,200}[0-9])[^\s\"'`\\]{8,}+)" + _QUOTE,
    ),
    _Shape(
        "secret in an assignment",
        ("pass", "pwd", "secret", "key", "token", "credential"),
        r"(?i:" + _KEYWORD + r"|\bpass)" + _SEPARATOR + r"(?P<secret>(?!\$|" + _EXPRESSION + r")" + _BARE_SECRET + r")",
    ),
    _Shape(
        "secret in an option",
        ("--pass", "--token", "--api", "--secret"),
        r"--(?:password|passwd|token|api[_-]key|secret)(?:=|\s{1,40})(?P<secret>(?!\$)" + _BARE_SECRET + r")",
    ),
    _Shape(
        "secret in an option",
        ("-u", "--user"),
        r"(?<![\w-])(?:-u|--user)(?:=|\s{1,40})[\"']?[^\s:\"'$<{]{1,64}:(?P<secret>(?![$/~.])" + _BARE_SECRET + r")",
    ),
)  # fmt: skip


@cache
def _shapes() -> tuple[tuple[str, tuple[str, ...], re.Pattern[str]], ...]:
    # Compiled at first use: `import ace` and `ace --help` need none of them.
    return tuple((shape.name, shape.needles, re.compile(shape.pattern)) for shape in _SHAPES)


def _tried(text: str) -> Iterator[tuple[str, re.Pattern[str]]]:
    lower = text.lower()
    for name, needles, pattern in _shapes():
        if _holds(lower, needles):
            yield name, pattern


def _holds(text: str, needles: tuple[str, ...]) -> bool:
    for needle in needles:  # noqa: SIM110 - a generator for any() costs more than the searches
        if needle in text:
            return True
    return False


def _credential(views: Views) -> str | None:
    for text in dict.fromkeys((views.raw, views.plain)):
        for name, pattern in _tried(text):
            if pattern.search(text):
                return f"the shape of a credential ({name})"
    return None


def redact(text: str) -> str:
    """The text with every credential-shaped part replaced by `PLACEHOLDER`. Redacting twice changes nothing more."""
    # A replacement makes an edge, at which the neighbour may show its shape; a chain of these is not followed without end.
    for _ in range(4):
        before = text
        for _, pattern in _tried(before):
            text = pattern.sub(_replacement, text)
        if text == before:
            break
    return text


def _replacement(match: re.Match[str]) -> str:
    if "secret" not in match.re.groupindex:
        return PLACEHOLDER
    start, end = match.span("secret")
    whole = match.string
    return whole[match.start() : start] + PLACEHOLDER + whole[end : match.end()]


def _placeholder(views: Views) -> str | None:
    return "the redaction placeholder" if PLACEHOLDER in views.folded else None


# --- instruction overrides --------------------------------------------------------------------------------------

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


def _override(views: Views) -> str | None:
    text, bare = views.folded, ""
    for needles, pattern in _compiled(_OVERRIDES):
        if _holds(text, needles):
            bare = bare or _bare(text)
            if pattern.search(bare):
                return "an instruction override"
    if any(_holds(text, needles) and pattern.search(text) for needles, pattern in _compiled(_TEMPLATES)):
        return "an instruction override"
    return None


# --- asking them all --------------------------------------------------------------------------------------------

type Screen = Callable[[Views], str | None]

SCREENS: tuple[Screen, ...] = (_invalid, _hidden, _marker, _credential, _placeholder, _override)
"""Every screen, in the order in which they are asked."""


def refusal(text: str) -> str | None:
    """Why the text must not become a bullet, or None. The reason holds nothing of the text."""
    views = Views.of(text)
    return next((reason for screen in SCREENS if (reason := screen(views)) is not None), None)


def excerpt(text: str, limit: int = 200) -> str:
    """The start of the text on one line, fit to be kept in events and notes.

    At most `limit` characters, an ellipsis included. Credentials are redacted; a start that another screen refuses is
    withheld, and the reason stands in its place.
    """
    shown = " ".join(redact(valid(text)).split())
    if len(shown) > limit:
        # A joiner at the end would join nothing any more.
        shown = shown[: limit - 1].rstrip(f" {_ZWNJ}{_ZWJ}") + "…"
    views = Views.of(shown)
    for screen in (_hidden, _marker, _credential, _override):
        if reason := screen(views):
            return f"[withheld: {reason}]"
    return shown
