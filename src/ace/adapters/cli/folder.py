"""The work folder of a playbook: where it is, which files carry its block, and a context for steps in it."""

from __future__ import annotations

import os
import re
import shlex
from argparse import Namespace
from collections.abc import Iterator, Sequence
from pathlib import Path

from ace.adapters.cli.telling import say
from ace.adapters.config import Config, project_of, read_config, remember_rules, why_not_inside
from ace.adapters.files import read_bytes
from ace.adapters.index import Index, opened
from ace.adapters.log import Log, next_seq
from ace.adapters.method import Material, StepContext
from ace.adapters.scenarios import cut_root, scenario_root, scenarios
from ace.adapters.state import SNAPSHOT, read_snapshot
from ace.adapters.trust import home_folder
from ace.domain.errors import AceError, ConfigError, MarkerError
from ace.domain.patience import Patience
from ace.domain.playbook import Playbook
from ace.domain.rules import BEGIN, END, block_in, bullet_line, digest_in
from ace.domain.trace import Trace

__all__ = ["WORK", "Folder", "find_work", "folder_of", "new_folder", "remember", "root_of"]

WORK = ".ace"
_OWN = ("state", "history", "steps", "cache", "lock", "learn.lock", "config.toml", ".gitignore")
"""What lies in the folder, beside a `rules.md` that may be a link to where the agent reads it."""


class Folder:
    """Where the files of one playbook are. `rules` are the files with the block, wherever the user keeps them; two names of
    one file count once. Raises `AceError` if the root is no folder, or leads elsewhere; it may be missing.
    """

    def __init__(self, root: Path, rules: Sequence[Path] = ()) -> None:
        if root.exists() and not root.is_dir():
            raise AceError(f"{root} is a file: name a folder for the playbook")
        _see_own_files(root)
        self.root = root
        self.rules = _once(rules) or [root / "rules.md"]
        self._real = [Path(os.path.realpath(path)) for path in self.rules]
        for path in self.rules:
            _admit_rules(root, path)
        self.state = root / "state"
        self.history = root / "history"
        self.cache = root / "cache"
        self.log = Log(self.history)

    @property
    def names(self) -> dict[str, Path]:
        """The rules files, by their real paths and the names that a step's record and the check know them by: each file's own,
        with a number in front where it is another's, too. Raises `AceError` for one that leads elsewhere by now.
        """
        names: dict[str, Path] = {}
        for path, real in zip(self.rules, self._real, strict=True):
            if Path(os.path.realpath(path)) != real:
                raise AceError(f"{path} leads to another file than a moment ago: run the command again")
            name, number = real.name, 1
            while name in names:
                number += 1
                name = f"{number}-{real.name}"
            names[name] = real
        return names

    def context(
        self,
        record: str,
        traces: Sequence[Trace] = (),
        *,
        again: bool = False,
        patience: Patience | None = None,
    ) -> StepContext:
        """A step's context whose record is kept under this name; a name that is taken gets a number behind it."""
        (_, path), *more = self.names.items()
        return StepContext(
            scenario="command line",
            step=None,
            tree=path.parent,
            rules=path.name,
            copies=dict(more),
            state=self.state,
            history=self.history,
            record=_free(self.root / "steps", record),
            material=Material(traces=traces),
            again=again,
            patience=patience or Patience(),
        )

    def next_record(self) -> str:
        """The name of the next step's record: the number that its line in the log will have."""
        return f"{next_seq(self.log.last()):05d}"

    def told_rules(self) -> str:
        """The rules files, for a sentence."""
        return " and ".join(map(str, self.rules))

    # --- whose block is it? ---------------------------------------------------------------------------------------------

    def see_blocks(self, *, take: bool = False, write: bool = True) -> None:
        """See that no file holds the block of another playbook: at the first use of a file, its block has to stand in our log.
        With `take`, a block that does not is shown, and left to be replaced. Raises `AceError`; without `write` nothing is
        noted.
        """
        with opened(self.log, self.cache, in_memory=not write) as index:
            for path in self.rules:
                if foreign := self._foreign(path, index):
                    if not take:
                        raise AceError(
                            f"{path} holds a block that is not of the playbook in {self.root}: take the block out of the file, "
                            "name the playbook's own folder with --work, or give --take-block to have it replaced (its "
                            "lessons are not taken up)"
                        )
                    say(f"The block in {path} was another playbook's, and is replaced:")
                    for line in foreign.splitlines():
                        say(f"  {line}")
                if write:
                    index.know_file(path)

    def _foreign(self, path: Path, index: Index) -> str:
        """The block of another playbook, or no text. Raises `MarkerError`, which names the file."""
        data = read_bytes(path) or b""
        try:
            text = block_in(data).decode(errors="replace")
        except MarkerError as error:
            raise MarkerError(f"{path}: {error}") from None
        if not text.replace(BEGIN, "").replace(END, "").strip() or index.knows_file(path):
            return ""
        found, last = digest_in(data), self.log.last()
        if last is None:
            return "" if self._is_rendered(text) else text
        if found == last.record.block or self._is_own(path):
            return ""
        ours = any(line.block == found and line.outcome == "committed" for line in self.log.verified())
        return "" if ours else text

    def _is_rendered(self, text: str) -> bool:
        """Whether the block shows our snapshot's bullets and nothing else: its log was moved away."""
        playbook = read_snapshot(self.state / SNAPSHOT) or Playbook()
        ours = {bullet_line(one.id, one.helpful, one.harmful, one.content) for one in playbook.bullets}
        shown = {line for line in text.splitlines() if line.startswith("- ")}
        return bool(shown) and shown <= ours

    def _is_own(self, path: Path) -> bool:
        """Whether the file is the one that lies in the folder itself, and is no link to another."""
        return os.path.realpath(path) == os.path.join(os.path.realpath(self.root), "rules.md")

    def tell_includes(self) -> None:
        """Tell where a rules file includes another: an agent that follows that reads the block twice."""
        for path, included in _includes(self.rules):
            say(f"{path} includes {included}, and both carry the block: name one of them alone.")


_INCLUDE = re.compile(rb"(?<![\w`@])@([\w./~-]+)")


def _includes(paths: Sequence[Path]) -> Iterator[tuple[Path, Path]]:
    real = {Path(os.path.realpath(path)): path for path in paths}
    for path in paths if len(paths) > 1 else ():
        for found in dict.fromkeys(_INCLUDE.findall(read_bytes(path) or b"")):
            name = Path(os.path.expanduser(os.fsdecode(found.rstrip(b"."))))
            other = real.get(Path(os.path.realpath(path.parent / name)))
            if other is not None and other != path:
                yield path, other


def _once(paths: Sequence[Path]) -> list[Path]:
    """The paths, of several names of one file the first."""
    kept: dict[object, Path] = {}
    for path in paths:
        real = os.path.realpath(path)
        try:
            info = os.stat(real)
        except OSError:
            kept.setdefault(real, path)
        else:
            # A hard link is a file of its own as soon as one of the two is replaced; another spelling is none.
            kept.setdefault((info.st_dev, info.st_ino) if info.st_nlink == 1 else real, path)
    return list(kept.values())


def _free(steps: Path, name: str) -> Path:
    path, number = steps / name, 1
    while os.path.lexists(path):
        number += 1
        path = steps / f"{name}-{number}"
    return path


def _admit_rules(root: Path, rules: Path) -> None:
    """See that the rules file is not one of the folder's own. Raises `AceError`."""
    if rules.is_dir():
        raise AceError(f"{rules} is a folder: name the rules file in it")
    real, own = Path(os.path.realpath(rules)), Path(os.path.realpath(root))
    if any(real == path or path in real.parents for path in (own / name for name in _OWN)):
        raise AceError(f"{rules} is one of the playbook's own files: name the file that the agent reads")


def _see_own_files(root: Path) -> None:
    """See that none of the folder's own files is a link: it could lead out of the folder, or to another file in it, and can come
    with a clone. Raises `AceError`.
    """
    inner = [path for name in ("state", "history", "cache") for path in _links(root / name)]
    for path in [root / name for name in _OWN] + inner:
        if path.is_symlink():
            raise AceError(
                f"{path} is a link, to {os.path.realpath(path)}: put the file itself there (the folder as a whole may be a link, "
                "if --work names it)"
            )


def _links(folder: Path) -> list[Path]:
    try:
        return [Path(entry) for entry in os.scandir(folder) if entry.is_symlink()]
    except OSError:
        return []


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
            f"{other} is not taken without being named: it is above your home folder, on another file system, or another "
            "user's. Name it with --work"
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
    return [own]


def new_folder(options: Namespace) -> tuple[Folder, Config]:
    """The folder that `ace learn` is to work in, which may be new, and its configuration."""
    root = root_of(options)
    config = _config(root)
    return Folder(root, _rules(config, root, options.rules)), config


def remember(folder: Folder, given: Sequence[Path]) -> None:
    """Let the next command find the rules files that were named; tell of those that this command leaves behind."""
    if not given:
        return
    config = read_config(folder.root)  # as it is now: what was read before the lock may be old
    project = project_of(folder.root)
    try:
        if not config.knows_rules:
            remember_rules(config, folder.rules)
            return
        named = _once([*folder.rules, *config.rules])
    except ConfigError as error:
        say(str(error))
        return
    left = named[len(folder.rules) :]
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


def folder_of(options: Namespace, *, rules: bool = True) -> Folder:
    """The folder that the options name; with the rules files, if the command needs them. Raises `AceError` if no playbook is
    there.
    """
    if options.scenario is not None:
        work = _named(options)
        folder = Folder(
            cut_root(work, options.scenario) or scenario_root(work, options.scenario), options.rules
        )
    else:
        work = root_of(options)
        folder = Folder(work, _rules(_config(work), work, options.rules) if rules else ())
    if not (folder.log.path.exists() or folder.state.exists()):
        raise AceError(_no_playbook(Path(os.path.abspath(work)), options.scenario))
    return folder


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
