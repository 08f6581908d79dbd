"""`ace init`: a work folder in the project, with a configuration to be edited."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from ace.adapters.cli.folder import WORK, find_work, tell_includes
from ace.adapters.cli.output import tell
from ace.adapters.cli.reach import is_read_by, out_of_reach, read_first
from ace.adapters.store.config import NAME, project_of, why_not_inside, write_config
from ace.adapters.store.folder_book import FolderBook
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
    if options.work is None and root.is_symlink():
        raise AceError(f"{root} is a symbolic link: name the folder with --work")
    above = find_work(Path.cwd().parent) if options.work is None else None
    folder = FolderBook(root, options.rules or _found(root, options.tools))
    write_config(root, folder.rules_files, options.tools)
    tell(
        f"Wrote {path}. The block of lessons will be put into {' and '.join(map(_led, folder.rules_files))}."
    )
    if above is not None:
        tell(
            f"There is another work folder above, {above}: commands in this folder use this one from now on."
        )
    if options.work is None and find_work(Path.cwd()) is None:
        tell(f"This folder belongs to another user: commands find it with --work {root} alone.")
    tell_includes(folder)
    for told in out_of_reach(options.tools, folder.rules_files):
        tell(told)
    print(
        "Next: `ace sessions` lists what there is to learn from. Then name a model, in the environment or in config.toml, and say "
        "`ace learn`."
        if options.tools
        else "Next: name a model, in the environment or in config.toml, and say `ace learn` with files of recorded runs."
    )
    return 0


def _led(path: Path) -> str:
    return f"{path} (a link to {os.path.realpath(path)})" if path.is_symlink() else str(path)


def _found(root: Path, tools: Sequence[str]) -> list[Path]:
    """The rules files that are there; the folder's own, or a new AGENTS.md, where none is. For a tool that reads none of them, also
    the one that it reads. A link that leads out of the project
    can come with a clone, and is not taken up. Raises `AceError` for such a link in the folder's own place.
    """
    project = project_of(root)
    own = root / "rules.md"
    if project == Path(os.path.realpath(root)) or own.exists():
        if own.is_symlink():
            raise AceError(
                f"{own} is a link to {os.path.realpath(own)}: name the file that your agent reads with --rules"
            )
        return [own]
    near = Path(os.path.relpath(project))
    here = [
        near / name
        for name in _KNOWN
        if (project / name).is_file() and not why_not_inside(project / name, project)
    ]
    needed = [read_first(tool) for tool in tools if not any(is_read_by(tool, path) for path in here)]
    for name in needed if here or tools else ["AGENTS.md"]:
        if os.path.lexists(project / name):
            raise AceError(
                f"{near / name} leads out of the project: name the file that your agent reads with --rules"
            )
        here.append(near / name)
    return list(dict.fromkeys(here))
