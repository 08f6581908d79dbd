"""The shapes of credentials: to refuse a text that has one, and to redact a text that may.

To add a shape, add a row to `_SHAPES`. `needles` are lower-case strings of which one must be there before the pattern is
tried, which makes a clean megabyte cost a few string searches. A pattern must run in linear time: no unbounded repetition
is followed by anything that it could have matched itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from ace.domain.screens.views import Views, contains_any

__all__ = ["PLACEHOLDER", "Redacted", "credential", "placeholder", "redact"]

PLACEHOLDER = "[redacted credential]"
"""What stands where credential-shaped text was."""


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
        if contains_any(lower, needles):
            yield name, pattern


def credential(views: Views) -> str | None:
    """The screen for the shape of a credential."""
    for text in dict.fromkeys((views.raw, views.plain)):
        for name, pattern in _tried(text):
            if pattern.search(text):
                return f"the shape of a credential ({name})"
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


def placeholder(views: Views) -> str | None:
    """The screen for the placeholder: what it stands for is unknown, and no lesson."""
    return "the redaction placeholder" if PLACEHOLDER in views.folded else None
