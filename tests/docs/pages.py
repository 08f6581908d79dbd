"""The pages that a person reads, and what is in them: blocks of code, commands, links."""

from __future__ import annotations

import os
import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import msgspec

ROOT = Path(__file__).parents[2]
PAGES = (
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    *sorted(path for path in (ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "docs/decisions").glob("*.md")),
    ROOT / "benchmarks/lessons/README.md",
)
COMMANDS = ROOT / "docs/commands.md"

_BLOCK = re.compile(r"(?ms)^(?P<indent>[ \t]*)```(?P<kind>[a-z]*)[^\n]*\n(?P<code>.*?)^(?P=indent)```[ \t]*$")
_SHELL = ("bash", "sh", "console")


class Block(msgspec.Struct, frozen=True):
    """A fenced block of code: the line of the page on which it begins, what kind it says it is, and its text."""

    line: int
    kind: str
    code: str


def blocks(text: str) -> Iterator[Block]:
    """The fenced blocks of a page."""
    for match in _BLOCK.finditer(text):
        yield Block(text.count("\n", 0, match.start()) + 1, match["kind"], match["code"])


def ace_commands(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each `ace …` command in the shell's blocks of a page: its line, and the arguments behind `ace`."""
    for block in blocks(text):
        if block.kind not in _SHELL:
            continue
        code = block.code.replace("\\\n", "  ")
        for offset, line in enumerate(code.splitlines()):
            try:
                words = shlex.split(line.lstrip("$ "), comments=True)
            except ValueError:
                continue  # a line of a document that the shell is given
            for arguments in _commands(words):
                yield block.line + 1 + offset, arguments


def _commands(words: list[str]) -> Iterator[list[str]]:
    """What follows each `ace` that begins a command of the line, up to where another command begins."""
    begins = True
    for at, word in enumerate(words):
        if word == "ace" and (begins or words[:1] == ["uvx"]):
            rest = words[at + 1 :]
            ends = [
                n for n, one in enumerate(rest) if one in ("|", "&&", "||", ";", ">", ">>", "2>", "<", "&")
            ]
            yield [one.rstrip(";") for one in rest[: min(ends, default=len(rest))]]
        begins = word in (
            "|",
            "&&",
            "||",
            ";",
            "if",
            "then",
            "while",
            "until",
            "do",
            "!",
            "$",
            "exec",
            "time",
        ) or (begins and re.fullmatch(r"[A-Z_]+=.*", word) is not None)


def commands_page(parser: ArgumentParser) -> str:
    """The page of all commands, as the parser has them."""
    subcommands = next(action for action in parser._actions if isinstance(action, _SubParsersAction))
    with patch.dict(os.environ, {"COLUMNS": "82", "NO_COLOR": "1"}):
        parts = [
            "# Commands",
            "",
            "What `ace COMMAND --help` says of each. This page is made from the parser.",
            "",
            *_as_text(parser.format_help()),
        ]
        for name, command in subcommands.choices.items():
            parts += ["", f"## ace {name}", "", *_as_text(command.format_help())]
    return "\n".join(parts) + "\n"


def _as_text(text: str) -> list[str]:
    return ["```text", *(line.rstrip() for line in text.strip("\n").splitlines()), "```"]
