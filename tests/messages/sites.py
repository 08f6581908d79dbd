"""Where a message is made, in the source, and which of these places a command reached.

A message is a text of several words that an error of ours is made of, or that a command prints.
"""

from __future__ import annotations

import ast
import builtins
import re
import sys
from argparse import ArgumentTypeError
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any
from unittest.mock import patch

import msgspec

import ace
from ace.domain import errors
from ace.domain.errors import AceError

SOURCE = Path(ace.__file__).parent
_ERRORS = frozenset({*errors.__all__, "ArgumentTypeError"})
_TOLD = frozenset({"print", "say", "tell", "_tell"})
_TELLERS = tuple(str(SOURCE / "adapters/cli" / name) for name in ("output.py", "__init__.py"))


class Site(msgspec.Struct, frozen=True, order=True):
    """A place in a module where a message is made. `words` is its text, with `{}` for what is put in."""

    module: str
    first: int
    last: int
    words: str

    @property
    def named(self) -> str:
        """The module and the words, whatever line they are on."""
        return f"{self.module}: {self.words}"


class Reached(msgspec.Struct, frozen=True):
    """A message that was made: the module, the line, and the text."""

    module: str
    line: int
    text: str


def sites() -> Iterator[Site]:
    """Every place, but for Reef's package, whose texts Reef shows."""
    for path in sorted(SOURCE.rglob("*.py")):
        module = str(path.relative_to(SOURCE))
        if module.startswith("adapters/reef/"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and _name(node.func) in _ERRORS | _TOLD:
                words = " | ".join(filter(None, map(_words, node.args)))
                is_put_together = _name(node.func) in _ERRORS and not words and node.args
                if is_put_together:
                    words = f"<{ast.unparse(node.args[0])}>"
                if is_put_together or len(re.findall(r"[A-Za-z]{2,}", words.replace("{}", " "))) > 1:
                    yield Site(module, node.lineno, node.end_lineno or node.lineno, words)


def _name(function: ast.expr) -> str:
    match function:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="argparse"), attr=name):
            return name
        case _:
            return ""


def _words(node: ast.expr) -> str:
    """The literal words of an argument; of a choice, those of each branch."""
    match node:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr():
            return "".join(part.value if isinstance(part, ast.Constant) else "{}" for part in node.values)  # type: ignore[misc]
        case ast.IfExp():
            return f"{_words(node.body)} | {_words(node.orelse)}"
        case ast.BinOp():
            return _words(node.left) + _words(node.right)
        case ast.Call(func=ast.Attribute(value=value)):
            return _words(value)
        case _:
            return ""


@contextmanager
def reaching() -> Iterator[list[Reached]]:
    """Collect the messages that are made meanwhile."""
    found: list[Reached] = []

    def keep(frame: FrameType | None, text: str) -> None:
        while frame is not None and (
            (frame.f_code.co_filename in _TELLERS and frame.f_code.co_name in _TOLD)
            or (frame.f_code.co_name == "__init__" and frame.f_code.co_filename == errors.__file__)
        ):
            frame = frame.f_back
        if frame is not None and frame.f_code.co_filename.startswith(str(SOURCE)):
            module = str(Path(frame.f_code.co_filename).relative_to(SOURCE))
            found.append(Reached(module, frame.f_lineno, text))

    printed = builtins.print

    def print_and_keep(*values: object, **options: Any) -> None:
        keep(sys._getframe(1), " ".join(map(str, values)))
        printed(*values, **options)

    def made(self: Exception, *arguments: object) -> None:
        keep(sys._getframe(1), " ".join(map(str, arguments)))
        Exception.__init__(self, *arguments)

    with (
        patch.object(builtins, "print", print_and_keep),
        patch.object(AceError, "__init__", made),
        patch.object(ArgumentTypeError, "__init__", made),
    ):
        yield found
