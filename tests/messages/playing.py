"""Playing a row of the table in this process, each in a project and a home folder of its own."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from unittest.mock import patch

from tests.adapters.commands import ace
from tests.messages.table import BASES, Row

from ace.domain.errors import AceError

_NAMED_BY_USERS = (
    "OPENAI_",
    "REEF_",
    "ACE_",
    "XDG_",
    "VISUAL",
    "EDITOR",
    "CLAUDE_",
    "CODEX_",
    "PI_",
    "HTTP",
    "ALL_PROXY",
)


class _Text(io.TextIOWrapper):
    """A stream of this process; of a person's terminal, if it says so."""

    def __init__(self, text: str = "", *, is_terminal: bool = False) -> None:
        super().__init__(io.BytesIO(text.encode()), encoding="utf-8", write_through=True)
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def play(row: Row, home: Path) -> None:
    """Play a row in `home`, which is made for it and removed: always at the same place, since a playbook knows its rules files by
    their paths.
    """
    project = home / "project"
    project.mkdir(parents=True)
    try:
        with _alone(home):
            _begin(row, home)
            with _in(project):
                _played(row)
    finally:
        shutil.rmtree(home)


def _begin(row: Row, home: Path) -> None:
    """Put into the project what the row begins with; a base is made once."""
    if row.base:
        made = home.with_name(f"base-{row.base}")
        if not made.exists():
            _begin(BASES[row.base], home)
            with _in(home / "project"):
                _played(BASES[row.base])
            shutil.copytree(home, made, symlinks=True)
        else:
            shutil.copytree(made, home, dirs_exist_ok=True, symlinks=True)
    with _in(home / "project"), redirect_stdout(_Text()), redirect_stderr(_Text()):
        for name, text in row.files.items():
            path = Path(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode() if isinstance(text, str) else text)
        if row.before is not None:
            row.before()


def _played(row: Row) -> None:
    is_terminal = row.typed is not None
    with (
        patch.dict(os.environ, row.env),
        patch.object(sys, "stdin", _Text(row.typed or "", is_terminal=is_terminal)),
        redirect_stdout(_Text(is_terminal=is_terminal)),
        redirect_stderr(_Text()),
        row.meanwhile(),
    ):
        for command in (row.commands,) if isinstance(row.commands, str) else row.commands:
            if callable(command):
                with suppress(AceError):
                    command()
                continue
            for line in command.splitlines():
                ace(*shlex.split(line)[1:])


@contextmanager
def _in(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


@contextmanager
def _alone(home: Path) -> Iterator[None]:
    kept: Mapping[str, str] = {
        name: value for name, value in os.environ.items() if not name.upper().startswith(_NAMED_BY_USERS)
    }
    with patch.dict(
        os.environ, {**kept, "HOME": str(home), "XDG_STATE_HOME": str(home / "state")}, clear=True
    ):
        yield
