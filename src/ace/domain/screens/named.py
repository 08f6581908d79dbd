"""Secrets that have no shape of their own, and follow a name that says what they are.

    name    x what parts it from the value x how the value is written
    DB_PASSWORD, apiKey, "auth-token", clave, --passphrase, <password>, | token |, `password is`
    = := => : == , | > is lautet    or a blank, behind an option
    "quoted", bare, or on the next line of a block

What a name says is told by `names.py`, and what its value has to look like by `values.py`: behind a password it may be any word, behind a
key it has to look generated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ace.domain.screens.layers import LINE_BREAK
from ace.domain.screens.names import Kind, named_kind
from ace.domain.screens.values import PLACEHOLDER, is_random, is_secret, passes_for, reads_as_words, turns

__all__ = ["named_secrets"]

_IN_PLACEHOLDER = PLACEHOLDER.index("cred")
_REST = re.compile(r"[A-Za-z0-9_]{0,40}(?:[.-][A-Za-z0-9_]{1,40}){0,4}")
_LINK = re.compile(
    r"(?P<close>[\"'`\u2019\u201d]?(?::protected|:\"[\w\\]{1,60}\":private)?\]?\)?(?:\*\*|__)?)[ \t]{0,40}"
    r"(?:(?P<typed>(?::[ \t]{0,4}(?:&(?:'[a-z]{1,10} )?)?[A-Za-z_][\w.<>\[\]|?, ]{0,40}?|[ \t]{1,4}(?:\*?[Ss]tring|str|\[\]byte|&(?:'static )?str|text))[ \t]{0,2}=(?![=>])[ \t]{0,40})"
    rf"|(?P<beside>(?:,?|:?[ \t]{{0,4}}\{{)(?:{LINE_BREAK}|\s{{0,40}})(?:-\s{{1,4}})?"
    r"(?:[\"']?[A-Za-z]\w{0,30}[\"']?[ \t]{0,4}[:=][ \t]{0,4}(?:\"[^\"\n]{0,120}\"|\w{1,30})[ \t]{0,2},?"
    rf"(?:{LINE_BREAK}|[ \t]{{1,40}})){{0,4}}"
    r"[\"']?(?:[Vv](?:alue|ALUE)|default|example)[\"']?[ \t]{0,4}[:=][ \t]{0,40})"
    r"|(?P<host>:[ \t]{0,2}\{\s{0,40}[\"'][\w.:/-]{3,80}[\"'][ \t]{0,4}:[ \t]{0,4})(?=[\"'])"
    rf"|(?P<serial>;s:\d{{1,4}}:|=>(?:{LINE_BREAK}|[ \t]{{0,20}})string\(\d{{1,4}}\)[ ])(?=\")"
    rf"|(?P<below>:{LINE_BREAK}(?:`{{3}}\w{{0,10}}{LINE_BREAK}|{LINE_BREAK})?)(?=[^\s:`]{{8,128}}[ \t]{{0,4}}(?:[\r\n]|\Z))"
    # An announcement and, alone on a line below it, what is announced.
    rf"|(?P<announced>(?<=[ \t])[^\n:]{{1,80}}:{LINE_BREAK}{LINE_BREAK}?)(?=[^\s:`\"']{{8,128}}[ \t]{{0,4}}(?:[\r\n]|\Z))"
    r"|(?P<form>(?:;[^\n]{0,80})?\r?\n\r?\n)(?=\S{4,256}[ \t]{0,4}(?:\r?\n-|\Z))"
    # What is put into the field of this name; what a program falls back to; the next line of a client or a debugger.
    r"|(?P<filled>[\"'`]?\)?\.(?:fill|type|send_?[kK]eys|set_?[vV]alue|enter_?[tT]ext|press_?[sS]equentially)\([ \t]{0,4}|,[ \t]{0,4}:?with(?:[ \t]{0,2}=>|:)[ \t]{0,4})(?=[\"'`])"
    r"|(?P<fallback>(?:(?<=[ \t])(?:\?\?|\|\||or)[ \t]{1,4}|\|[ \t]{0,4}default\())(?=[\"'`])"
    r"|(?P<listed>\r?\n[ \t]{0,4}(?:\d{1,4}\)|\$\d{1,4} =(?: 0x[0-9a-f]{1,16})?) )(?=\")"
    # A prompt that shows what the variable holds.
    rf"|(?P<echoed>[\"']?\]?{LINE_BREAK}(?:Out ?\[\d{{1,4}}\]:[ \t]{{0,4}})?)(?=[\"'][^\s\"']{{8,128}}[\"'](?!\w))"
    r"|(?P<plist></key>\s{0,40}<string>)"
    # What is given may come below, as a block of YAML or a heredoc, and behind a tag or an anchor.
    r"|(?P<assign>:=|=>|==?=?|\?=|\|\|=|→|->|:(?!:)|::(?=[ \t]{0,4}[\"']|[ \t]))(?:\*\*|__|</\w{1,10}>)?"
    rf"(?:[ \t]{{0,4}}(?:[|>][+-]?|<<[-~]?[\"']?[A-Z]\w{{0,20}}[\"']?){LINE_BREAK}|[ \t]{{0,80}}(?:(?:!!?[a-z][\w-]{{1,20}}|&[a-z]\w{{0,30}}|0x[0-9a-fA-F]{{2,16}})[ \t]{{1,4}}@?(?=\S))?(?:[\"'`]{{1,3}}\r?\n(?=[^\s\"'`]{{6,256}}\s{{0,4}}[\"'`]))?)"
    r"|(?P<cell>[|│┃║])[ \t]{0,80}"
    r"|(?P<html>(?:</\w{1,10}>\s{0,40}){1,2}:?[ \t]{0,4}(?:<(?:td|dd|code|span|p|b|kbd|pre|strong|samp)\b[^<>\n]{0,80}>[ \t]{0,8}){0,2})(?=[^<\s])"
    r"|(?P<reg>(?<=[ \t])REG_(?:EXPAND_)?SZ[ \t]{1,8})"
    r"|(?P<comma>,)[ \t]{0,40}(?=[\"'`])"
    r"|(?P<xml>(?:[\w:-]{1,40}=[\"'][^\"'<>\n]{0,80}[\"'][ \t]{0,2}){0,3}>(?:\s{0,40}<[Vv]alue>|<!\[CDATA\[)?)(?=[^<\s])"
    r"|(?P<call>(?:::(?:from|new))?\([ \t]{0,4})(?=[\"'`])"
    r"|(?P<says>(?<=[ \t])(?:(?:is generated |was set )?(?:for|of|on) (?:the )?[\"']?[\w.@:/-]{1,60}?[\"']?(?: [a-z-]{1,20}){0,2}?(?: user| account)?(?: \([^()\n]{0,60}\))?(?=[ :=]) ?)?(?:currently |now )?"
    r"(?:is|was|are|to|ist|lautet|est|es|è|é|jest|är|er|:|=|[\u2013\u2014-])(?: now| still)?(?: (?:set|reset|changed|updated) to)?(?:[ \t]{0,2}:)?[ \t]{1,4}|(?<=[ \t])\((?=[\w.+/=-]{16,200}\)))"
    r"|(?P<blank>(?<=[ \t])(?:[0-9] )?))"
)
_OPEN = re.compile(
    r"(?:(?:new )?[A-Za-z_.]{0,30}(?:[Ss]ecret|[Pp]assword|SecretStr|String|str|b|bytes|Some)\(\s{0,4}|[(\[]\s{0,40})?[rbfuLN@]{0,2}(?=[\"'`\u201c\u201e\u2018\xab])"
)
_QUOTED = re.compile(
    r"\"\"\"\s{0,20}((?:[^\"\n\\]|\\.|\"(?!\"\")){1,4000})\s{0,20}\"\"\"|'''\s{0,20}((?:[^'\n]|'(?!'')){1,4000})\s{0,20}'''|\"((?:[^\"\\\n]|\\.){1,4000}+)\"|'((?:[^'\\\n]|\\.){1,4000}+)'|`((?:[^`\\\n]|\\.){1,4000}+)`|[\u201c\u201e\xab]\s?([^\n\u201c\u201d\xbb]{1,400})[\u201c\u201d\xbb]|\u2018([^\n\u2018\u2019]{1,400})\u2019",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)")
_BARE = re.compile(r"[\w+/.~!?$@#%^&*=:-]{1,256}")
_WHOLE = re.compile(r"[^\s\"'`<>]{1,256}")
_HELD = re.compile(r"(?:\{\+?|\[-)(?P<value>[^\s{}\[\]<>\"'`]{12,128}?)(?:\+?\}|-\])")
"""A value in the brackets of a connection string or a diff of words."""
_ODD = re.compile(
    r"[\w+/.~!?$@#%^&*=:-]{1,64}[|\\{\[(\U0001f300-\U0001faff][^\s\"'`<>]{2,128}(?<![.,:;!?)}\]])"
)
_CHANGED = re.compile(
    r"[\"']?(?: ?[-=]> ?|-\]\{\+)[\"']?(?P<value>(?<=[\"'])[^\"'\n]{1,256}(?=[\"'])|(?<=\{\+)[^\s{}]{1,256}(?=\+\}))"
)
"""The new value behind the old one, in a plan or a diff of words."""
_ITEM = re.compile(
    rf"[\"']?(?:\s{{0,4}},\s{{0,40}}(?=[\"'])|{LINE_BREAK}(?<=- ))[\"']?(?P<value>[^\s\"',\]]{{1,400}})"
)
"""What follows a value in a list, and the next one."""
_OLD = re.compile(r"\"[^\"\n]{0,256}(?=\")|\[-[^\]\n]{0,256}?(?=-\]\{\+)")
_JUDGED = 256
_MORE = re.compile(r"[\w+/.~!?$@#%^&*=:-]*")
"""A value is judged by its first 256 characters, and goes as a whole."""
_READS = re.compile(
    r"_{0,2}(?:get|read|load|fetch|find|lookup|require|has|is|check|validate|verify|assert|expect|env|delete|remove|hash|decode|parse)",
    re.IGNORECASE,
)
"""How a function is called that takes the name of a secret, or the secret to look at it."""
_COMPLAINT = re.compile(
    r"(?:unexpected|invalid|illegal|unknown|bad|expected|duplicate|missing|unterminated|unrecognized|stray|next|current|last|previous) \Z",
    re.IGNORECASE,
)
"""What a parser says of its own tokens and keys."""
_TAIL = ".,:;!?。、\uff0c"
_BEYOND = re.compile(
    r"(?:[,;)(&|](?=[A-Za-z]{0,20}[0-9])(?=[0-9]{0,20}[A-Za-z])[A-Za-z0-9]{4,64}(?![\w=:(.]))+"
)
_PARAMETER_END = re.compile("[&#;]")
_DOTTED = re.compile(r"!?&?[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+\??")


_TOLD = {"bare pass": "password", "list": "token"}
"""What a person is told of the kinds that say how a value is judged."""


class _Name(NamedTuple):
    start: int
    end: int
    kind: Kind
    before: str
    """The character in front of it."""
    loud: bool
    """Whether the name is one of an environment: capitals alone."""


def named_secrets(text: str, words: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Where secrets follow a name in the text, and of which kind. `words` are the keywords of the text."""
    done = 0
    for at, behind in words:
        # The word in the placeholder names nothing.
        if at < done or text.startswith(PLACEHOLDER, max(0, at - _IN_PLACEHOLDER)):
            continue
        rest = _REST.match(text, behind)
        end = rest.end() if rest else behind
        link = _LINK.match(text, end)
        name = _name(text, at, end) if link else None
        if not link or not name or _is_talk(text, name, link):
            continue
        kind = f"{_TOLD.get(name.kind, name.kind)} behind a name"
        span = _value(text, name, link)
        if span:
            yield *span, kind
            done = span[1]
            while name.kind == "list" and (item := _ITEM.match(text, done)):
                done = item.end("value")
                if passes_for(item["value"], "list", "quoted"):
                    yield *item.span("value"), kind
        old = done if span else (was.end() if (was := _OLD.match(text, link.end())) else None)
        if (
            old is not None
            and (new := _CHANGED.match(text, old))
            and passes_for(new["value"], name.kind, "quoted")
        ):
            yield *new.span("value"), kind
            done = new.end()


def _name(text: str, at: int, end: int) -> _Name | None:
    start, floor = at, max(0, at - 64)
    while start > floor and (text[start - 1].isalnum() or text[start - 1] in "_.-"):
        start -= 1
    name = text[start:end].lstrip("-.")
    start = end - len(name)
    kind = named_kind(name)
    if kind is None or (kind != "password" and _COMPLAINT.search(text, max(0, start - 16), start)):
        return None
    return _Name(start, end, kind, text[start - 1] if start else "\n", loud=name.isupper())


def _is_talk(text: str, name: _Name, link: re.Match[str]) -> bool:
    """Whether what looks like a name and its link is something else: a verb, a call that reads a secret, a word of a sentence."""
    how = link.lastgroup
    if name.kind == "bare pass" and name.before != "-":
        # The verb, and the result of a test, unless its value is in quotes, behind `=`, or generated.
        loose = text[link.end("close") : link.end()].strip() == ":" and not link["close"]
        if how not in ("assign", "beside", "xml", "plist", "reg", "serial") or (
            loose and not _is_random_next(text, link.end() + text.startswith(('"', "'"), link.end()))
        ):
            return True
    floor = max(0, name.start - 80)
    if how == "blank":
        line = text[text.rfind("\n", 0, name.start) + 1 : name.start].strip()
        return not (
            name.before == "-"
            or name.loud
            or name.kind in ("token", "password")
            or line in ("", "set", "export", "env")
        )
    if how == "xml":
        return name.before not in "<:" and text.rfind("<", floor, name.start) <= text.rfind(
            ">", floor, name.start
        )
    if how == "call":
        return _READS.match(text, name.start) is not None
    if how == "comma":
        return not link["close"] and not _is_random_next(text, link.end() + 1)
    # The first cell of a row is one of a list that goes down, as the rows of a record are shown.
    row = max(floor, text.rfind("\n", floor, name.start))
    return (
        how == "cell"
        and _BARS.isdisjoint(text[row : name.start])
        and not _ROW.search(text, max(0, row - 120), row + 1)
    )


_BARS = frozenset("|│┃║")
_ROW = re.compile(
    r"^[^\w\n]{0,12}(?:(?:[\w./-]{1,80}:)?\d{1,6}[^\w\n]{1,4})?[\w.-]{1,40}[ \t]{0,40}[|│┃║][^\n|│┃║]{0,80}\n|^-\[ RECORD [^\n]{0,60}\n",
    re.MULTILINE,
)


def _is_random_next(text: str, at: int) -> bool:
    value = _BARE.match(text, at)
    return value is not None and is_random(value[0])


def _value(  # noqa: C901, PLR0911 - each way to write a value gives its own span
    text: str, name: _Name, link: re.Match[str]
) -> tuple[int, int] | None:
    """The span of the value behind the name, if it passes for a secret."""
    how, at = link.lastgroup, link.end()
    option = name.before == "-"
    # What follows the name in quotes in a call may be a default: generated, it is a secret.
    said = (
        how == "call"
        or (how == "comma" and name.kind != "token")
        or (how in ("says", "blank") and not option)
        or how in ("below", "html", "announced", "form", "filled", "fallback", "echoed")
        or (how == "beside" and link[0].rstrip(" \t:=\"'").endswith(("default", "example")))
    )
    opened = _OPEN.match(text, at)
    if opened and (quoted := _QUOTED.match(text, opened.end())):
        value, span = quoted[quoted.lastindex or 0], quoted.span(quoted.lastindex or 0)
        if "\\" in value:
            # An escape is one character of the value.
            value = _ESCAPE.sub("~", value)
        return span if passes_for(value, name.kind, "said" if said else "quoted") else None
    if how in ("comma", "call", "fallback", "filled", "listed", "echoed"):
        return None
    # A quotation that does not end was cut off.
    at = opened.end() + 1 if opened else at
    if how == "assign" and (held := _HELD.match(text, at)):
        return held.span("value") if is_random(held["value"]) and is_secret(held["value"]) else None
    if how == "announced" and not ((alone := _BARE.match(text, at)) and _is_mixed(alone[0])):
        return None
    whole = name.loud and how == "assign" and text[at - 1] == "=" and name.before in "\n \t;"
    match = (_WHOLE if whole or how == "xml" else _BARE).match(text, at)
    if match is None:
        return None
    value = match[0]
    if name.before in "?&" and how == "assign":
        value = _PARAMETER_END.split(value, maxsplit=1)[0]
    value = value.rstrip(_TAIL)
    if name.kind == "password" and how == "assign" and not whole and (odd := _ODD.match(text, at)):
        # Marks that end a value in most languages, within one that no language has.
        chars = "".join(filter(str.isalnum, odd[0]))
        if len(chars) >= 10 and turns(chars) >= 4 and is_secret(odd[0]):
            return odd.span()
    if not whole and _is_expression(text, at, value):
        return None
    given = whole or (option and how == "assign") or text[name.start : name.end] == "PIN"
    if not value or not passes_for(value, name.kind, "given" if given else "said" if said else "bare"):
        return None
    end = at + len(value) if len(match[0]) < _JUDGED else _end_of(text, at + len(value))
    # A mark that ends most values is within some.
    more = _BEYOND.match(text, end) if name.kind == "password" else None
    return at, more.end() if more and not reads_as_words(more[0]) else end


def _is_mixed(value: str) -> bool:
    return turns("".join(filter(str.isalnum, value))) >= 3 and not reads_as_words(value)


def _is_expression(text: str, at: int, value: str) -> bool:
    """Whether a bare value is an address (a password in it is found as such), a call, or an attribute."""
    return (
        "://" in value
        or text.startswith(("(", "[", "{"), at + len(value))
        or (_DOTTED.fullmatch(value) is not None and reads_as_words(value))
    )


def _end_of(text: str, at: int) -> int:
    more = _MORE.match(text, at)
    return more.end() if more else at
