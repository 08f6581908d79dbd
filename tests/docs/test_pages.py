"""What the pages show is so: commands that the parser takes, programs that run, a page of commands as the parser has them."""

from __future__ import annotations

import ast
import contextlib
import io
import re
import sys
import tomllib
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from tests.docs.pages import COMMANDS, PAGES, ROOT, ace_commands, blocks, commands_page

from ace.adapters.cli.parser import grammar
from ace.events import types

_named = [pytest.param(page, id=str(page.relative_to(ROOT))) for page in PAGES]


@pytest.mark.parametrize("page", _named)
def test_each_command_of_a_page_is_one(page: Path) -> None:
    """Given a page, then the parser takes each `ace` command in its blocks."""
    wrong = []
    for line, arguments in ace_commands(page.read_text()):
        said = io.StringIO()
        try:
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(said):
                grammar().parse_args(arguments)
        except SystemExit as end:
            if end.code:
                wrong.append(f"line {line}: ace {' '.join(arguments)}: {said.getvalue()[-300:]}")
    assert not wrong


@pytest.mark.parametrize("page", _named)
def test_each_block_is_what_it_says(page: Path) -> None:
    """Given a page, then its Python compiles, and its JSON is JSON, also where it is one value a line."""
    for block in blocks(page.read_text()):
        if block.kind == "python":
            ast.parse(block.code)
        elif block.kind == "json" and "…" not in block.code:
            for part in [block.code] if block.code.count("\n{") == 0 else block.code.strip().splitlines():
                msgspec.json.decode(part)


@pytest.mark.parametrize("page", _named)
def test_a_drawing_fits_a_terminal(page: Path) -> None:
    """Given a page, then no drawing of it is wider than 80 columns; the page of commands is made by the parser."""
    for block in blocks(page.read_text()):
        if block.kind in ("", "text") and page != COMMANDS:
            assert max(map(len, block.code.splitlines())) <= 80, f"line {block.line}"


def test_the_commands_that_are_found() -> None:
    """Given a block of the shell, then what begins a command counts, and what is an argument or a comment does not."""
    text = (
        "```bash\nace show  # the table\nA=1 ace learn x.jsonl | tee ace.txt && ace status\n"
        "echo ace show\nuvx --from . ace demo \\\n  --work here\n```\n"
    )
    assert [arguments for _, arguments in ace_commands(text)] == [
        ["show"],
        ["learn", "x.jsonl"],
        ["status"],
        ["demo", "--work", "here"],
    ]


@pytest.mark.skipif(
    sys.version_info[:2] != (3, 12), reason="other versions of Python break the lines of help otherwise"
)
def test_the_page_of_commands_is_what_the_parser_says(request: pytest.FixtureRequest) -> None:
    """Given the parser, then `docs/commands.md` holds the help of each command; `--snapshot-update` writes it again."""
    page = commands_page(grammar())
    if request.config.getoption("update_snapshots"):
        COMMANDS.write_text(page)
    assert COMMANDS.read_text() == page, "run pytest tests/docs --snapshot-update"


def test_the_commands_that_install_find_a_python() -> None:
    """Given the pages and CI, then what uv runs or installs from the checkout asks for the Python that the project asks for: an older
    one may come first on the path.
    """
    least = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["requires-python"]
    commands = [
        (path.name, command)
        for path in (*PAGES, ROOT / "mkdocs.yml", ROOT / ".ci/run")
        for command in re.findall(r"(?m)(?:uvx|uv tool install) -.*$", path.read_text())
    ]
    assert len(commands) > 10
    assert not [one for one in commands if f"-p '{least}'" not in one[1]]
    assert not [one for one in commands if one[1].startswith("uvx") and "-c constraints.txt" not in one[1]]


def test_the_page_of_events_shows_each_event() -> None:
    """Given the page's section of events as JSON, then each kind is there once, and reads as an event."""
    text = (ROOT / "docs/events.md").read_text().partition("## Each event as JSON")[2]
    lines = next(block.code for block in blocks(text) if block.kind == "json").splitlines()
    events = [msgspec.json.decode(line, type=types.Event) for line in lines]
    assert [msgspec.json.encode(event).decode() for event in events] == lines
    assert {type(event) for event in events} == set(get_args(types.Event.__value__))


def test_the_figures_of_the_readme_are_on_the_page_that_they_lead_to() -> None:
    """Given what the README promises, then each figure beside it is on the page that says how it was measured."""
    promises = (ROOT / "README.md").read_text().partition("## What it promises")[2].partition("\n## ")[0]
    links = re.findall(r"\[([^\]]+)\]\(([^)#]+)[^)]*\)", promises)
    assert len(links) == promises.count("\n| ") - 2  # a promise a row, below the head
    for told, target in links:
        page = (ROOT / target).read_text().replace("\n", " ")
        missing = [number for number in re.findall(r"\d[\d,]*", told) if number not in page]
        assert not missing, f"{target} has not the {missing} of: {told}"


@pytest.mark.parametrize("page", [page for page in _named if "docs/decisions/" in str(page.id)])
def test_a_decision_says_context_decision_and_consequences(page: Path) -> None:
    """Given a decision, then it has a title, a date in its name, and the three parts."""
    text = page.read_text()
    assert text.startswith("# ")
    assert [part for part in ("**Context.**", "**Decision.**", "**Consequences.**") if part not in text] == []
