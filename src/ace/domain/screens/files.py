"""Secrets in files that hold nothing else, and in tables: `.netrc`, `.pgpass`, JSON web keys, Secrets of Kubernetes, CSV, Markdown."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator

from ace.domain.screens.names import named_kind
from ace.domain.screens.values import is_secret, passes_for

__all__ = ["file_secrets"]

_PGPASS = re.compile(
    r"(?<![\w.*-])[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,64}:[\w.*@-]{1,64}:(?P<value>[^\s:\"'\\]{4,200})(?![^\s\"'\\])"
)
_NETRC = re.compile(
    r"\b(?:machine|login|default)\s{1,10}\S{1,200}(?:\s{1,10}(?:login|account)\s{1,10}\S{1,200}){0,2}\s{1,10}password\s{1,10}[\"']?(?P<value>[^\s\"']{3,200})"
)
_NETRC_WORDS = ("machine", "login", "default")
_WEB_KEY = re.compile(r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,4}:\s{0,4}\"(?P<value>[A-Za-z0-9_-]{16,})\"")
_KUBERNETES = re.compile(r"[\"']?kind[\"']?\s{0,4}:\s{0,4}[\"']?secret(?:list)?[\"']?(?![a-z])")
_DATA = re.compile(r"(?m)^([ \t]{0,20})[\"']?(?:string)?data[\"']?\s{0,4}:\s{0,4}\{?[ \t]{0,20}\n")
_ENTRY = re.compile(
    r"[ \t]{0,40}(?:#[^\n]{0,200}|[\"']?[\w./-]{1,100}[\"']?\s{0,2}:[ \t]{0,8}(?:[|>][+-]?[ \t]{0,4}\n[ \t]{1,40})?[\"']?(?P<value>[^\s\"']{4,20000})[\"']?,?)?[ \t]{0,8}(?:\n|$)"
)


def file_secrets(  # noqa: C901 - each kind of file has its sign
    text: str, lower: str, words: frozenset[str], names: list[tuple[int, int]]
) -> Iterator[tuple[int, int, str]]:
    """Where secrets are in such files. `lower` is the text in lower case, place for place, `words` are its words and `names` its
    keywords.
    """
    if _PORT.search(text):
        for match in _PGPASS.finditer(text):
            # Behind the port of a database anything is one; else it may be a place that a compiler names.
            if passes_for(match["value"], "password", "given" if _DATABASE.search(match[0]) else "said"):
                yield *match.span("value"), "password in a file"
    if "password" in words and not words.isdisjoint(_NETRC_WORDS):
        for match in _NETRC.finditer(text):
            if is_secret(match["value"]):
                yield *match.span("value"), "password in a file"
    if "kty" in words:
        for match in _WEB_KEY.finditer(text):
            yield *match.span("value"), "private key"
    if "kind" in words:
        yield from _kubernetes(text, lower)
    if "values" in words and "insert" in words:
        yield from _inserts(text, lower)
    if names and "\n" in text:
        yield from _tables(text, names)


_INSERT = re.compile(
    r"\((?P<names>[\w\s,\"`\[\].]{3,400})\)\s{0,20}(?:output [^\n]{1,80}\s{1,20})?values\s{0,20}(?=\()"
)
_TUPLE = re.compile(
    r"\s{0,20},?\s{0,20}\((?P<values>(?:[^()'\"\n]|'(?:[^'\n]|''){0,400}'|\"[^\"\n]{0,400}\"|\([^()\n]{0,80}\)){1,4000})\)"
)
_FIELD = re.compile(
    r"\s{0,8}(?:[NE]?'(?P<value>(?:[^'\n]|''){0,400})'|\"(?P<other>[^\"\n]{0,400})\"|[^,'\"]{0,400})\s{0,8}(?:,|\Z)"
)


def _inserts(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """The values of an INSERT in the columns that name a secret."""
    for found in _INSERT.finditer(lower):
        kinds = [named_kind(name.strip(' \n\t"`[]')) for name in text[slice(*found.span("names"))].split(",")]
        at = found.end()
        while any(kinds) and (row := _TUPLE.match(text, at)):
            at, field = row.end(), row.start("values")
            for kind in kinds:
                one = _FIELD.match(text, field, row.end("values"))
                if one is None or one.end() == field:
                    break
                field = one.end()
                group = "value" if one["value"] is not None else "other"
                if kind and one[group] and passes_for(one[group], kind, "quoted"):
                    yield *one.span(group), f"{kind} in a table"


_PORT = re.compile(r":(?:\d{4,5}|\*):")
_DATABASE = re.compile(r":(?:543[0-9]|6432|\*):")


def _kubernetes(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """The values below `data:` and `stringData:` of a Secret."""
    if not _KUBERNETES.search(lower):
        return
    for data in _DATA.finditer(lower):
        at, indent = data.end(), len(data[1])
        while (entry := _ENTRY.match(text, at)) and entry.end() > at:
            depth = len(entry[0]) - len(entry[0].lstrip(" \t"))
            if entry["value"] is None and entry[0].strip():
                break
            if entry["value"] and depth <= indent and "{" not in lower[data.start() : data.end()]:
                break
            if entry["value"] and is_secret(entry["value"]) and len(entry["value"]) >= 6:
                yield *entry.span("value"), "value of a Secret"
            at = entry.end()


_ROWS = 200
_HEADING = re.compile(r"[\w.-]{1,50}(?: [\w.-]{1,50})?")
_MARKS = ("|", ",", "\t", ";")
_RULE = re.compile(
    r"(?:[^\w\n]{0,8}(?:[\w./-]{1,80}:)?(?:[ \t]{0,8}\d{1,6}[:|→\t ])?){0,2}[^\w\n]{0,16}?[-+=]{3}"
)
"""How the line below a heading begins that is a rule."""


def _tables(text: str, words: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """The cells below a heading that names a secret, in CSV and in tables of Markdown and databases."""
    done = -1
    for at, _ in words:
        if at < done:
            continue
        start, done = text.rfind("\n", max(0, at - 300), at) + 1, text.find("\n", at, at + 300)
        if done < 0:
            done = at + 300
            continue
        line = text[start:done]
        mark = next((mark for mark in _MARKS if mark in line), None)
        # The line below has as many cells, or is the rule of a table.
        if (
            mark is None
            or len(line) > 400
            or text.count(mark, done, text.find("\n", done + 1) + 1 or len(text)) != line.count(mark)
        ) and (mark != "|" or not _RULE.match(text, done + 1)):
            continue
        cells = [cell.strip(" \t\"'*`\r") for cell in line.split(mark)]
        kinds = [named_kind(cell) if _HEADING.fullmatch(cell) else None for cell in cells]
        if any(kinds) and all(len(cell.split()) <= 4 and "=" not in cell for cell in cells):
            # A row is not a heading of the rows below it, or a table would be read once for each of its rows.
            done = yield from _cells(text, done + 1, mark, kinds)


def _cells(
    text: str, at: int, mark: str, kinds: list[str | None]
) -> Generator[tuple[int, int, str], None, int]:
    """The cells that are secrets; returns where the table ends."""
    for _ in range(_ROWS):
        end = text.find("\n", at)
        end = len(text) if end < 0 else end
        row = text[at:end]
        cells = row.split(mark)
        if len(cells) == len(kinds):
            start = at
            for cell, kind in zip(cells, kinds, strict=True):
                value = cell.strip(" \t\r\"'`")
                if kind and value and passes_for(value, kind, "said"):
                    begin = start + cell.index(value)
                    yield begin, begin + len(value), f"{kind} in a table"
                start += len(cell) + 1
        elif not row or not (set(row) <= set("-+|: =\r") or _RULE.match(row)):
            break
        if end == len(text):
            break
        at = end + 1
    return at
