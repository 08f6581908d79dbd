"""Which work folder a command is about: the one that is named, or the `.ace` of the project; and what is to be said of it."""

from __future__ import annotations

import os
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from ace.adapters.cli.output import say
from ace.adapters.store.config import Config, project_of, read_config, remember_rules, why_not_inside
from ace.adapters.store.folder_book import FolderBook, once
from ace.adapters.store.scenarios import cut_root, scenario_root, scenarios, see_ours
from ace.adapters.store.trust import home_folder
from ace.domain.errors import AceError, ConfigError

__all__ = [
    "WORK",
    "address_of",
    "command_on",
    "find_work",
    "folder_of",
    "new_folder",
    "remember",
    "root_of",
    "tell_includes",
    "tell_replaced",
]

WORK = ".ace"


def tell_replaced(foreign: Mapping[Path, str]) -> None:
    """Show the blocks of another playbook that `--take-block` has replaced."""
    for path, text in foreign.items():
        say(f"The block in {path} was another playbook's, and is replaced:")
        for line in text.splitlines():
            say(f"  {line}")


def tell_includes(folder: FolderBook) -> None:
    """Tell where a rules file includes another."""
    for path, included in folder.includes():
        say(f"{path} includes {included}, and both carry the block: name one of them alone.")


# --- where it is ----------------------------------------------------------------------------------------------------


def find_work(start: Path) -> Path | None:
    """The `.ace` of the project that this folder is in, looked for upwards: up to the home folder, another file system, or
    a folder of another user. Raises `AceError` for one that is a link, which can come with a clone.
    """
    here = Path(os.path.abspath(start))
    device, user, home = here.stat().st_dev, os.geteuid(), home_folder()
    for folder in (here, *here.parents):
        info, work = folder.stat(), folder / WORK
        if info.st_dev != device or info.st_uid != user:
            return None
        if work.is_symlink():
            raise AceError(f"{work} is a symbolic link: name the folder with --work")
        if work.is_dir() and work.stat().st_uid == user:
            return work
        if home is not None and os.path.realpath(folder) == os.path.realpath(home):
            return None
    return None


def command_on(folder: FolderBook, words: str) -> str:
    """A command on this playbook as it can be typed here: with the option that names the playbook, unless `ace` finds it by itself."""
    found = None
    with suppress(AceError, OSError):
        found = find_work(Path.cwd())
    is_found = found is not None and not folder.is_shared and found.samefile(folder.root)
    return f"`ace {words}`" if is_found else f"`ace {words} {folder.told_options()}`"


def root_of(options: Namespace) -> Path:
    """The work folder that the options name, or that is found from the current folder upwards. Raises `AceError`."""
    root: Path | None = options.work or find_work(Path.cwd())
    if root is not None:
        return root
    here = Path.cwd()
    other = next(
        (folder / WORK for folder in (here, *here.parents) if (folder / WORK / "config.toml").exists()), None
    )
    if other is not None:
        raise AceError(
            f"{other} is used only if --work names it: it is above your home folder, on another file system, or another user's"
        )
    raise AceError(
        f"there is no {WORK} in {here} or above it: `ace init` makes one here, or name a folder with --work"
    )


def _rules(config: Config, root: Path, given: Sequence[Path]) -> list[Path]:
    """The rules files that count: those of the options, or those of the configuration, or the folder's own."""
    if given:
        return list(given)
    if config.names_rules:
        return config.rules
    own, project = root / "rules.md", project_of(root)
    flaw = why_not_inside(own, project) if own.is_symlink() else None
    # Who names a folder of another name, without a configuration, made it; a project's own folder may be a clone's.
    may_be_cloned = root.name == WORK or not config.trusted
    if flaw is not None and (may_be_cloned or ".git" in Path(os.path.realpath(own)).parts):
        raise AceError(
            f"{own} leads to {os.path.realpath(own)}: if you want the block there, give --rules {shlex.quote(os.path.realpath(own))}"
        )
    return []


def new_folder(options: Namespace) -> tuple[FolderBook, Config]:
    """The folder that `ace learn` is to work in, which may be new, and its configuration."""
    root = root_of(options)
    config = _config(root)
    rules = _rules(config, root, options.rules)
    folder = _book(root, rules, address_of(options, config), options.scenario)
    folder.screens = config.screens
    return folder, config


def address_of(options: Namespace, config: Config | None) -> str:
    """The address of the shared book: that of the options, else of the environment, else of the configuration; empty for none."""
    if options.book is not None:
        return str(options.book)
    if "ACE_BOOK" in os.environ:
        return os.environ["ACE_BOOK"].strip()
    return "" if config is None else config.book


def _book(root: Path, rules: Sequence[Path], address: str, scenario: str | None) -> FolderBook:
    if not address:
        return FolderBook(root, rules)
    from ace.adapters.store.postgres.address import parse_address  # noqa: PLC0415 - psycopg is an extra
    from ace.adapters.store.postgres.book import PostgresBook  # noqa: PLC0415

    return PostgresBook(root, parse_address(address, scenario), rules)


def remember(folder: FolderBook, given: Sequence[Path]) -> None:
    """Let the next command find the rules files that were named; tell of those that this command leaves behind."""
    if not given:
        return
    config = read_config(folder.root)  # as it is now: what was read before the lock may be old
    project = project_of(folder.root)
    try:
        if not config.knows_rules:
            remember_rules(config, folder.rules_files)
            return
        named = once([*folder.rules_files, *config.rules])
    except ConfigError as error:
        say(str(error))
        return
    left = named[len(folder.rules_files) :]
    both = ", ".join(f'"{os.path.relpath(os.path.realpath(path), project)}"' for path in named)
    keep = f"say rules = [{both}] in {config.path}"
    if left:
        names, are, they = " and ".join(map(str, left)), "is", "it is"
        if len(left) > 1:
            are, they = "are", "they are"
        say(
            f"{names} {are} left as {they}: this command writes {folder.told_rules()} alone. To keep all of them, {keep}."
        )
    elif not config.names_rules:
        say(f"For later commands to know {folder.told_rules()}, {keep}.")


def _config(root: Path) -> Config:
    if root.exists() and not root.is_dir():
        raise AceError(f"{root} is a file: name a folder for the playbook")
    return read_config(root)


def folder_of(options: Namespace, *, rules: bool = True) -> FolderBook:
    """The folder that the options name; with the rules files, if the command needs them. Raises `AceError` if no playbook is
    there.
    """
    if options.scenario is not None and not options.book:
        work = _named(options)
        root = cut_root(work, options.scenario) or scenario_root(work, options.scenario)
        folder = FolderBook(root, options.rules, owner="host")
    else:
        # Whoever looks at a shared book needs no folder.
        work = root_of(options) if rules or not _names_book(options) else _some_root(options)
        config = _config(work)
        named = _rules(config, work, options.rules) if rules else ()
        folder = _book(work, named, address_of(options, config), options.scenario)
        folder.screens = config.screens
    if folder.is_shared:
        return folder
    if not folder.is_there():
        if not getattr(options, "hosted", True):
            see_ours(
                folder, options.command
            )  # to name a scenario would not help: the command is for folders of one's own
        raise AceError(_no_playbook(Path(os.path.abspath(work)), options.scenario))
    return folder


def _names_book(options: Namespace) -> bool:
    return bool(os.environ.get("ACE_BOOK", "") if options.book is None else options.book)


def _some_root(options: Namespace) -> Path:
    work: Path | None = options.work
    return work or find_work(Path.cwd()) or Path(WORK)


def _named(options: Namespace) -> Path:
    work: Path | None = options.work
    if work is None:
        raise AceError("--scenario goes with --work, the work folder of the deployment")
    return work


def _no_playbook(work: Path, scenario: str | None) -> str:
    """What to do about it: the folder may be a deployment's, the scenario another one or without a step yet."""
    found = scenarios(work)
    if scenario is None and found:
        return f"{work} holds the scenarios of a deployment: name one with --scenario ({', '.join(found)})"
    if scenario is None:
        return (
            f"there is no playbook in {work} yet: `ace learn` writes it, or name another folder with --work"
        )
    if found:
        return f"scenario {scenario} had no step in {work}; there is a playbook of {', '.join(found)}"
    return (
        f"there is no playbook of a scenario in {work}: name the deployment's `work_dir`, which is relative to the "
        "folder in which the service was started"
    )
