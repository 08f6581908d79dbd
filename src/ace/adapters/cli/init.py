"""`ace init`: a work folder in the project, with a configuration to be edited."""

from __future__ import annotations

import os
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.folder import WORK, Folder, find_work
from ace.adapters.config import NAME, project_of, write_config
from ace.domain.errors import AceError

__all__ = ["run"]

_KNOWN = ("AGENTS.md", "CLAUDE.md", "GEMINI.md", ".github/copilot-instructions.md")
"""What coding agents read in a project."""


def run(options: Namespace) -> int:
    """Write `config.toml` and `.gitignore`; the rules files are those that are named, or those that are there."""
    root: Path = options.work or Path(WORK)
    path = root / NAME
    if os.path.lexists(path):
        raise AceError(f"{path} is there already: edit it")
    rules = options.rules or _found(root)
    folder = Folder(root, rules)
    above = None if options.work is not None else find_work(Path.cwd())
    write_config(root, folder.rules)
    print(f"Wrote {path}. The block of lessons will be put into {folder.told_rules()}.")
    if above is not None:
        print(f"There is another one above, {above}: commands in this folder use this one from now on.")
    folder.tell_includes()
    print(
        "Name model and endpoint in it, or in the environment, and say `ace learn` with files of recorded runs."
    )
    return 0


def _found(root: Path) -> list[Path]:
    """The rules files that are there; the folder's own, or a new AGENTS.md, where none is."""
    project = Path(os.path.relpath(project_of(root)))
    own = root / "rules.md"
    if project_of(root) == Path(os.path.abspath(root)) or own.exists():
        return [own]
    here = [project / name for name in _KNOWN if (project / name).is_file()]
    return here or [project / "AGENTS.md"]
