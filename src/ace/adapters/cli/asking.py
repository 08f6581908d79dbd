"""Asking a person: a yes or no, and a text, for which an editor may open."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.output import tell
from ace.domain.errors import AceError

__all__ = ["agreed", "ended_before", "is_terminal", "see_that_somebody_is_asked", "written"]


def is_terminal() -> bool:
    """Whether somebody is there to be asked."""
    return bool(sys.stdin and sys.stdin.isatty())


def agreed() -> bool:
    """Whether the person at the terminal says yes. What is neither a yes nor a no is asked again: it may end an hour of review."""
    while True:
        try:
            said = input("Do this? [y/N] ").strip().casefold()
        except EOFError:
            return False
        if said in ("y", "yes", "n", "no", ""):
            return said in ("y", "yes")


def see_that_somebody_is_asked(options: Namespace) -> None:
    """Raises `AceError` if nobody is there, and the options do not say what to do then."""
    if not (options.dry_run or options.yes or is_terminal()):
        raise AceError(
            "there is no terminal to ask on: give --yes to do this, or --dry-run to look at it alone. Nothing was changed"
        )


def ended_before(options: Namespace, what: str) -> int | None:
    """The exit status, once it was shown what a command would do, if that is all: with `--dry-run`, or for a person who says no, who
    is told that nothing was done, or sent. None if it is to be.
    """
    if options.dry_run:
        print(f"Nothing was {what}: this is what it would do.")
        return 0
    if not options.yes and not agreed():
        print(f"Nothing was {what}.")
        return 1
    return None


def written(command: str, before: str, given: str | None = None) -> str:
    """The text that is given, or that a person writes in an editor. Raises `AceError` if there is neither."""
    if given is not None:
        return given
    if not is_terminal():
        raise AceError(f"give the text: `ace {command} … TEXT`. Nothing was changed")
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not editor:
        if before:
            tell(f"Now: {before}")
        try:
            return input("Text: ")
        except EOFError:
            raise AceError("no text was given. Nothing was changed") from None
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "lesson.txt"
        path.write_text(before + "\n", encoding="utf-8")
        try:
            done = subprocess.run([*shlex.split(editor), str(path)], check=False)  # noqa: S603 - the user's own editor
        except (OSError, ValueError) as error:
            raise AceError(
                f"the editor {editor!r} cannot be started ({error}): give the text as TEXT"
            ) from None
        if done.returncode != 0:
            raise AceError(f"the editor {editor!r} ended with status {done.returncode}. Nothing was changed")
        return path.read_text(encoding="utf-8", errors="replace")
