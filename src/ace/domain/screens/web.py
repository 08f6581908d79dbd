"""Secrets in what goes over the network: headers, cookies, addresses and their queries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.domain.screens.values import is_mixed, is_random, is_secret, passes_for, reads_as_words, turns

__all__ = ["ADDRESS_MARKS", "HEADER_STEMS", "address_secrets", "header_secrets"]

HEADER_STEMS = ("authorization", "bearer", "basic", "cookie", "input")
"""What a word of a text holds in which `header_secrets` finds anything."""
ADDRESS_MARKS = "/=@"
"""Of these a text holds one in which `address_secrets` finds anything."""

# Matched against text in lower case.
_AUTHORIZATION = re.compile(
    r"authorization\b[\"'`]?\]?[ \t]{0,40}(?:=>|[:=,])[ \t]{0,40}(?:f|b|u)?[\"'`]?[ \t]{0,40}"
    r"(?P<scheme>[a-z][a-z0-9-]{1,24}[ \t]{1,40})?(?P<value>[^\n\"'`<>]{1,2048})"
)
_BEARER = re.compile(
    r"\b(?:bearer(?:[ \t]{1,40}|[ \t]{0,8}\r?\n[ \t]{1,40})|basic[ \t]{1,8}(?=[a-z0-9+/]{12,400}=))[\"'`]?(?P<value>[a-z0-9._~+/=:|-]{12,2048})"
)
_COOKIE = re.compile(r"cookie2?\b[\"'`]?[ \t]{0,8}[:=][ \t]{0,8}[\"'`]?(?P<value>[^\n\"'`]{1,4096})")
_QUERY = re.compile(
    r"[?&;](?:amp;)?(?P<name>key|sig|signature|code|token|auth|secret|credential|access|api|apikey|hmac|jwt|ticket|private_token|appid|app_id"
    r"|x-amz-signature|x-amz-security-token|x-goog-signature|awsaccesskeyid)=(?P<value>[a-z0-9_%.~+/=-]{12,2048})"
)
# Matched against the text itself.
_PARAMETER = re.compile(r"[\w.%!#$&*+^|~-]{1,80}=[\"']?(?P<value>[^\"',;\s]{12,2048})")
_USER = re.compile(r"://(?P<user>[^\s/:@\"'`<>\\]{0,256}):(?P<value>[^\s/\"'`<>\\]{1,512})@")
_ALONE = re.compile(r"://(?P<value>[A-Za-z0-9_%~-]{12,512})(?::x-oauth-basic)?@[\w.-]+")
_ACCOUNT = re.compile(
    r":(?<=\w:)(?P<value>[^\s/:@\"'`<>\\(){}]{6,100})@(?:(?:tcp|udp|unix)\(|[\w.-]{1,100}(?P<place>:\d{2,5}|/)?(?![\w.@]))"
)
"""The same of an address without a scheme, as drivers of databases and proxies take it."""
_ODD_USER = re.compile(r"://[^\s/:@\"'`]{1,256}:(?P<rest>[^\s\"'`]{8,512}+)")
"""What may be a password that has a mark in it which ends most addresses, and what follows it."""
_PORT = re.compile(r"\d{1,5}/")
_ENDS_ADDRESS = frozenset("/<>\\")
_MAILED = re.compile(
    r"/(?:reset[-_/]?password|password[-_/]?reset|verify(?:[-_/]e?mail)?|confirm(?:[-_/]e?mail)?|magic[-_/]?link|invit(?:e|ations?)|login[-_/]?link|(?:web)?hooks?(?:/[\w-]{1,60}){0,4}?)/(?P<value>[A-Za-z0-9_-]{20,512})"
)
"""An address that signs in whoever has it, as it is mailed."""
_PARAMETRIC = ("digest", "oauth", "hawk", "mac")
_CODES = ("code", "ticket", "access", "api", "appid", "app_id", "auth", "credential")
"""Parameters of an address whose value may also be a digest or an id, all of hexadecimal digits."""


def header_secrets(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Where secrets are in headers and forms. `lower` is the text in lower case, place for place."""
    if "authorization" in lower or "bearer" in lower or "basic " in lower:
        yield from _authorizations(text, lower)
    if "<input" in lower:
        yield from _inputs(text, lower)
    if "cookie" in lower:
        for match in _COOKIE.finditer(lower):
            yield from _parameters(text, *match.span("value"), "cookie")


def address_secrets(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Where secrets are in addresses. `lower` is the text in lower case, place for place."""
    if "@" in text:
        for match in _ACCOUNT.finditer(text):
            value = match["value"]
            sure = match["place"] or match[0].endswith("(") or is_mixed(value)
            if sure and turns(value) >= 3 and is_secret(value) and not reads_as_words(value):
                yield *match.span("value"), "password in a URL"
    if "://" in text:
        yield from _addresses(text)
        for match in _MAILED.finditer(text):
            if is_random(match["value"]) and is_secret(match["value"]):
                yield *match.span("value"), "token in a URL"
    if "=" in text and ("?" in text or "&" in text or ";" in text):
        for match in _QUERY.finditer(lower):
            value = text[slice(*match.span("value"))]
            hexadecimal = match["name"] in _CODES and set(value) <= set("0123456789abcdef-")
            signed = match["name"] in ("sig", "signature") and len(value) >= 32 and not reads_as_words(value)
            if (is_random(value) or signed) and is_secret(value) and not hexadecimal:
                yield *match.span("value"), "token in a URL"


def _authorizations(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    for match in _AUTHORIZATION.finditer(lower):
        start, end = match.span("value")
        value = text[start:end].split(" ", 1)[0].rstrip("\t,;)}]\\.")
        if _PARAMETER.match(value[:-2]) or (match["scheme"] or "").strip() in _PARAMETRIC:
            line = text.find("\n", start, start + 2_000)
            yield from _parameters(text, start, line if line >= 0 else start + 2_000, "authorization header")
        elif len(value) >= 8 and _is_credential(value):
            yield start, start + len(value), "authorization header"
    for match in _BEARER.finditer(lower):
        start, end = match.span("value")
        value = text[start:end].rstrip(".:")
        if len(value) >= 16 and any(map(str.isdigit, value)) and _is_credential(value):
            yield start, start + len(value), "bearer token"


_INPUT = re.compile(r"<input\b[^<>]{1,600}")
_INPUT_NAME = re.compile(r"(?:name|id|type)=[\"']?[\w.\[\]-]{0,40}?(?P<kind>pass|token|secret|api_?key)")
_INPUT_VALUE = re.compile(r"\bvalue=[\"'](?P<value>[^\"'\n]{4,512})")


def _inputs(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """What the fields of a form hold, in whatever order its attributes are."""
    for match in _INPUT.finditer(lower):
        name, value = _INPUT_NAME.search(match[0]), _INPUT_VALUE.search(match[0])
        if name and value:
            start, end = (match.start() + at for at in value.span("value"))
            kind = "password" if name["kind"] == "pass" else "token"
            if passes_for(text[start:end], kind, "said"):
                yield start, end, f"{kind} behind a name"


def _is_credential(value: str) -> bool:
    return is_secret(value) and (value.endswith("=") or not reads_as_words(value))


def _parameters(text: str, start: int, end: int, kind: str) -> Iterator[tuple[int, int, str]]:
    """Values of parameters: which of them are secret depends on the scheme and the site, so what is generated goes."""
    for match in _PARAMETER.finditer(text, start, end):
        if is_random(match["value"]) and is_secret(match["value"]):
            yield *match.span("value"), kind


def _addresses(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _USER.finditer(text):
        user, value = match["user"], match["value"]
        # A default is the same as its user, as in postgres:postgres@localhost.
        if is_secret(value) and value[0] not in "@#" and (value.lower() != user.lower() or is_random(value)):
            yield *match.span("value"), "password in a URL"
            if len(user) >= 20 and is_random(user):
                yield *match.span("user"), "token in a URL"
    for match in _ODD_USER.finditer(text):
        value = match["rest"].rpartition("@")[0]
        chars = "".join(filter(str.isalnum, value))
        if _PORT.match(value) or len(chars) < 8 or turns(chars) < 4 or _ENDS_ADDRESS.isdisjoint(value):
            continue
        if is_secret(value):
            yield match.start("rest"), match.start("rest") + len(value), "password in a URL"
    for match in _ALONE.finditer(text):
        if is_random(match["value"]) and is_secret(match["value"]):
            yield *match.span("value"), "token in a URL"
