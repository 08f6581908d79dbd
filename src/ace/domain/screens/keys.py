"""Private keys as files hold them, in whatever wraps the file: line numbers, quotes of a mail or a diff, strings of a program, one line.

A key is a run of *pieces* of base64 behind a line that begins it, before a line that ends it, or both; between the pieces is what a
viewer or a language puts between lines. Either end may be missing, since tools cut what they show. A beginning without a piece behind it is
talk about keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["private_keys"]

_BEGIN = re.compile(
    r"-{2,5} ?BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{2,5}|PuTTY-User-Key-File-\d:[^\n]{0,60}"
)
_END = re.compile(r"-{2,5} ?END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)? ?-{2,5}")
_PIECE = re.compile(
    # Line breaks and what is put in front of a line: marks, a number, a file and a number; then base64.
    r"(?:[^A-Za-z0-9+/=\n]{0,12}\n){0,4}"
    r"(?:[\w./-]{1,100}[:-]\d{1,6}[:-]|[^A-Za-z0-9+/=\n]{0,40}(?:\d{1,6}(?:[^A-Za-z0-9+/=\n]{1,12}|\t))?|[A-Za-z]{1,8}[^A-Za-z0-9+/=\n]{1,8})"
    r"[A-Za-z0-9+/]{16,}={0,2}"
)
_HEADER = re.compile(
    r"(?:[^A-Za-z0-9+/=\n]{0,12}\n){0,3}[^A-Za-z0-9\n]{0,40}(?:\d{1,6}[^A-Za-z0-9\n]{1,12})?[A-Z][A-Za-z0-9-]{2,24}: ?[^\n]{0,200}"
)
_LAST = re.compile(
    r"[^A-Za-z0-9+/=]{0,40}(?:\d{1,6}[^A-Za-z0-9+/=\n]{1,12})?(?:[A-Za-z0-9+/]{1,15}={0,2}|=[A-Za-z0-9+/]{4})(?![A-Za-z0-9])"
)
_SHORT = re.compile(
    r"[^A-Za-z0-9+/=\n;,.]{0,4}\n[\s>#+|\"'0-9:-]{0,12}(?=[a-z+/]{0,14}[A-Z0-9])[A-Za-z0-9+/]{1,15}"
)
_TO_END = re.compile(
    r"[^A-Za-z0-9+/=]{0,60}?(?:(?:[\w./-]{1,100}[:-])?\d{1,6}[^A-Za-z0-9\n]{1,12}?)?(?=-{2,5} ?END )"
)
_LINE = re.compile(r"[^\n]{0,100}?(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{16,}={0,2}[^A-Za-z0-9+/=\n]{0,12}")
_LAST_LINE = re.compile(r"[^\n]{0,60}?[A-Za-z0-9+/]{1,15}={0,2}[^A-Za-z0-9+/=\n]{0,12}")
_CUT_LINE = re.compile(r"(?=[A-Za-z+/]{0,15}[0-9])[A-Za-z0-9+/]{1,15}={0,2}")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/= "
_RUN = re.compile(r"[A-Za-z0-9+/]{24,}")
_START = re.compile(
    # How the base64 of a private key begins: of OpenSSH, and the version and the algorithm of PKCS #1 and #8.
    r"(?<![A-Za-z0-9+/])(?:b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,}|MII[A-Za-z0-9]{2,3}[A-Za-z0-9+/]{0,2}IBA(?:AK|DAN)[A-Za-z0-9+/]{20,})"
)
_BYTES = re.compile(r"(?<=\[)\s{0,8}\d{1,3}(?:\s{0,4},\s{0,8}\d{1,3}){63}(?=\s{0,8}\])")
"""A pair of Ed25519 keys as the wallets of Solana keep it."""
_MOST = 400
"""Pieces of one key, which makes RSA keys of 16,384 bits in lines of 40 characters."""


def private_keys(text: str) -> Iterator[tuple[int, int, str]]:  # noqa: C901 - each way to keep a key has its sign
    """Where private keys are in the text, whole or cut."""
    done = 0
    if "PRIVATE KEY" in text or "PuTTY" in text:
        for begin in _BEGIN.finditer(text):
            if begin.start() >= done:
                done = _pieces_behind(text, begin.end())
                if done > begin.end():
                    yield begin.start(), done, "private key"
        for closing in _END.finditer(text):
            first = _lines_before(text, closing.start(), done)
            if first < closing.start() and closing.start() >= done:
                yield first, closing.end(), "private key"
    if text.count(",") >= 63:
        for match in _BYTES.finditer(text):
            values = match[0].split(",")
            if len(set(values)) > 32 and all(int(value) < 256 for value in values):
                yield *match.span(), "private key"
    if "IBA" in text or "b3BlbnNzaC1r" in text:
        for start in _START.finditer(text):
            yield start.start(), _pieces_behind(text, start.end()), "private key"


def _pieces_behind(text: str, at: int) -> int:
    """Where the key ends that goes on at this place: behind its last piece, or the line that ends it."""
    begun = at
    for _ in range(_MOST):
        match = _PIECE.match(text, at) or (_HEADER.match(text, at) if text[at - 1] != "=" else None)
        if match is None:
            break
        at = match.end()
    if at == begun:
        short = _LAST.match(text, at)
        return short.end() if short and _closed(text, short.end()) else at
    last = _LAST.match(text, at)
    if last and (closed := _closed(text, last.end())):
        return closed
    if last and (checked := _LAST.match(text, last.end())) and (closed := _closed(text, checked.end())):
        return closed
    if last and (last[0].endswith("=") or (_SHORT.fullmatch(last[0]) and _ends_here(text, last.end()))):
        return last.end()
    return _closed(text, at) or at


def _closed(text: str, at: int) -> int | None:
    gap = _TO_END.match(text, at)
    end = _END.match(text, gap.end()) if gap else None
    return end.end() if end else None


def _ends_here(text: str, at: int) -> bool:
    return not text[at : at + 1].strip("\n\"'") and "\n" not in text[max(0, at - 1) : at]


def _lines_before(text: str, at: int, floor: int) -> int:
    """Where the lines begin that are a key and come before the line that ends it, or that line's place if there are none."""
    last = start = max(floor, text.rfind("\n", floor, at) + 1)
    # All of it may be on one line.
    begin = len(text[start:at].rstrip(_LETTERS)) + start
    if run := _RUN.search(text, begin, at):
        return run.start()
    whole = 0
    while start > floor and whole < _MOST:
        begin = text.rfind("\n", floor, start - 1) + 1
        line = text[begin : start - 1]
        if _LINE.fullmatch(line):
            whole += 1
        elif not (start == last and _LAST_LINE.fullmatch(line)) and not (
            begin == 0 and _CUT_LINE.fullmatch(line)
        ):
            break
        start = begin
    return start if whole else at
