"""Turns of phrase that make a reader read twice, looked for in everything that people read: pages, prompts, messages, comments."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest
from tests.docs.pages import PAGES, ROOT

BANNED = {
    r"\b(?:stands?|stood)\b(?! (?:in )?(?:for|out)\b)": "is, holds, lies; say what it does",
    r"(?<!there )(?<!there's )\b(?:is|are|was|were) no\b(?! (?:longer|more|less|fewer|later|earlier|other|such)\b)": "is not a …",
    r"\banew\b": "again, from scratch",
    r"\bmend(?:s|ed|ing)?\b": "fix, repair",
    r"\bturn(?:s|ed|ing)? (?:[\w']+ ){0,4}down\b": "reject",
    r"\bthose (?:that )?there are\b": "lists them",
    r"\bof no use\b": "does not help",
    r"\bwithout a word\b(?! (?:in front|before|behind))": "silently",
    r"\b(?:is|are) said[.;,)]|, and said\b": "is reported, `ace` tells you",
    r"\bthat there (?:is|are)\b(?! (?:no|not yet|nothing|one|an?)\b)": "known; unknown",
    r"\bwill not have\b": "refuses",
    r"\bin vain\b": "without success",
    r"\b(?:is|are) not what the log says\b": "differs from the log",
    r"\bas (?:it|they) stands?\b": "as it is",
    r"\b(?:has|have) (?:it|them|that) not\b": "does not have",
    r"\b(?:thereof|wherein|whence|whither|hence|lest|thus)\b": "plain words",
}
"""A turn, and what to write in its place."""

KEPT = (
    # Reasons in events, and a field of the report's data, are a file format.
    "that is no text",
    "content that is no text",
    "the lessons' `stands`",
    "or null: stands are sorted by place",
    # The words of the prompts were measured (benchmarks/lessons): others would have to be measured again.
    "as it stands in the playbook, and `tag`",
    "## The playbook as it stands",
    "It stands alone and names no other bullet",
    "A guess is no lesson",
    "the agent reports success is no evidence",
    "what a bullet says is no reason for a tag",
    # Names, the standard's word, and words that are looked for.
    "reigns stands ranks",
    "stand-in",
)
"""What stays, and why. The turn is passed over where it is a part of one of these."""

TEXTS = (
    *PAGES,
    ROOT / "CHANGELOG.md",
    ROOT / "mkdocs.yml",
    ROOT / "pyproject.toml",
    *sorted((ROOT / "prompts").glob("*.md")),
    *sorted((ROOT / "examples").rglob("*.md")),
    *sorted((ROOT / "examples").rglob("*.yaml")),
    *sorted((ROOT / "report").glob("page.*")),
)
PROGRAMS = tuple(
    sorted(
        path
        for folder in ("src", "docs", "benchmarks", "examples", "tests")
        for path in (ROOT / folder).rglob("*.py")
    )
)


def _prose(path: Path) -> Iterator[tuple[int, str]]:
    """What people read of a file, with the line on which it begins."""
    text = path.read_text()
    if path.suffix == ".py":
        yield from _comments(text)
        yield from (_docstrings if path.is_relative_to(ROOT / "tests") else _texts)(text)
    elif path.suffix in (".js", ".css"):
        for match in re.finditer(r"/\*.*?\*/|^\s*//[^\n]*", text, re.DOTALL | re.MULTILINE):
            yield text.count("\n", 0, match.start()) + 1, match[0]
    else:
        yield 1, text


def _comments(program: str) -> Iterator[tuple[int, str]]:
    """The comments of a program, those on lines that follow each other as one."""
    found: list[tuple[int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(program).readline):
        if token.type == tokenize.COMMENT:
            if found and token.start[0] != found[0][0] + len(found):
                yield found[0][0], "\n".join(text for _, text in found)
                found = []
            found.append((token.start[0], token.string.lstrip("# ")))
    if found:
        yield found[0][0], "\n".join(text for _, text in found)


def _texts(program: str) -> Iterator[tuple[int, str]]:
    """Docstrings and messages of a program: its texts, but for names, patterns and lists of words."""
    parts: set[int] = set()
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.JoinedStr):
            parts.update(map(id, node.values))
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else "x" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts:
            text = node.value
        else:
            continue
        is_list = re.fullmatch(r" ?[a-z]+(?: [a-z]+){15,} ?", text)
        if " " in text and not is_list and not re.search(r"\w\|\w|\(\?", text):
            yield node.lineno, text


def _docstrings(program: str) -> Iterator[tuple[int, str]]:
    """The docstrings of a test: its other texts are what the tested code is given."""
    for node in ast.walk(ast.parse(program)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            first = node.body[0] if node.body else None
            if isinstance(first, ast.Expr) and ast.get_docstring(node) is not None:
                yield first.lineno, ast.literal_eval(first.value)


def _found(prose: Iterator[tuple[int, str]]) -> Iterator[str]:
    """Each banned turn in it, as `line: …what surrounds it… (what to write)`."""
    for line, text in prose:
        flat = " ".join(text.split())  # a turn may go on in the next line
        for turn, instead in BANNED.items():
            for match in re.finditer(turn, flat, re.IGNORECASE):
                around = flat[max(0, match.start() - 60) : match.end() + 60]
                if not any(match[0] in kept and kept in around for kept in KEPT):
                    words = len(flat[: match.start()].split())
                    begins = next(islice(re.finditer(r"\S+", text), words, None)).start()
                    yield f"{line + text.count(chr(10), 0, begins)}: …{around}… ({instead})"


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(ROOT))) for path in TEXTS])
def test_a_page_reads_plainly(path: Path) -> None:
    """Given a page, then it has none of the turns."""
    assert not list(_found(_prose(path)))


@pytest.mark.parametrize(
    "package", sorted({path.parent for path in PROGRAMS}), ids=lambda path: str(path.relative_to(ROOT))
)
def test_a_package_reads_plainly(package: Path) -> None:
    """Given the programs of a package, then neither comments nor docstrings nor messages have one."""
    found = [
        f"{path.relative_to(ROOT)}:{told}"
        for path in PROGRAMS
        if path.parent == package
        for told in _found(_prose(path))
    ]
    assert not found, "\n".join(found)
