"""The work folder of a playbook, and the command line as the host of steps in it."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path

from ace.adapters.asking import name_of
from ace.adapters.log import Log, next_seq
from ace.adapters.method import Material, Model, StepContext
from ace.adapters.scenarios import cut_root, scenario_root, scenarios
from ace.domain.errors import AceError, EndpointError
from ace.domain.patience import Patience
from ace.domain.trace import Trace

__all__ = ["Folder", "Host", "folder_of"]


class Folder:
    """Where the files of one playbook are. `rules` is the file with the block, wherever the user keeps it. Raises
    `AceError` if the root is no folder; it may be missing.
    """

    def __init__(self, root: Path, rules: Path | None = None) -> None:
        if root.exists() and not root.is_dir():
            raise AceError(f"{root} is a file: name a folder for the playbook")
        if rules is not None:
            _admit_rules(root, rules)
        self.root = root
        self.rules = rules if rules is not None else root / "rules.md"
        self.state = root / "state"
        self.history = root / "history"
        self.cache = root / "cache"
        self.log = Log(self.history)

    def context(
        self,
        record: str,
        traces: Sequence[Trace] = (),
        *,
        again: bool = False,
        patience: Patience | None = None,
    ) -> StepContext:
        """A step's context whose record is kept under this name; a name that is taken gets a number behind it."""
        return StepContext(
            scenario="command line",
            step=None,
            tree=self.rules.parent,
            rules=self.rules.name,
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


def _free(steps: Path, name: str) -> Path:
    path, number = steps / name, 1
    while path.exists():
        number += 1
        path = steps / f"{name}-{number}"
    return path


def _admit_rules(root: Path, rules: Path) -> None:
    """See that the rules file is not one of the folder's own. Raises `AceError`."""
    if rules.is_dir():
        raise AceError(f"{rules} is a folder: name the rules file in it")
    real, own = rules.resolve(), root.resolve()
    taken = [own / name for name in ("state", "history", "steps", "cache", "lock", "learn.lock")]
    if any(real == path or path in real.parents for path in taken):
        raise AceError(f"{rules} is one of the playbook's own files: name the file that the agent reads")


def folder_of(options: Namespace) -> Folder:
    """The folder that the options name. Raises `AceError` if no playbook is there."""
    root: Path = options.work
    if options.scenario is not None:
        root = cut_root(root, options.scenario) or scenario_root(root, options.scenario)
    folder = Folder(root, getattr(options, "rules", None))
    if not (folder.log.path.exists() or folder.state.exists()):
        raise AceError(_no_playbook(options.work.absolute(), options.scenario))
    return folder


def _no_playbook(work: Path, scenario: str | None) -> str:
    """What to do about it: the folder may be a deployment's, the scenario another one or without a step yet."""
    found = scenarios(work)
    if scenario is None and found:
        return f"{work} holds the scenarios of a deployment: name one with --scenario ({', '.join(found)})"
    if scenario is None:
        return f"there is no playbook in {work}: name the folder that `ace learn --work` wrote"
    if found:
        return f"scenario {scenario} had no step in {work}; there is a playbook of {', '.join(found)}"
    return (
        f"there is no playbook of a scenario in {work}: name the deployment's `work_dir`, which is relative to the "
        "folder in which the service was started"
    )


class Host:
    """What a step may ask of the command line: its one model, and the check that the user named, if any."""

    def __init__(self, model: Model | None = None, check: str | None = None) -> None:
        self._model = model
        self._check = check

    @property
    def model_name(self) -> str:
        """What the model is called where it runs, for models that know it."""
        return name_of(self._model, "served")

    def model(self, name: str) -> Model:
        """The model of the command line, which is called `served`."""
        if name != "served" or self._model is None:
            raise EndpointError(
                f"the command line has no model called {name!r}: leave `model` at `served`, use --model"
            )
        return self._model

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """Run the user's command on the candidate; its first line of output is the reason of a refusal. Where there is no
        file yet, it gets an empty one: a command that refuses even that would refuse every step.
        """
        if self._check is None:
            return None
        files = files or {"rules.md": b""}
        with tempfile.TemporaryDirectory() as folder:
            paths = [Path(folder) / name for name in files]
            for path, data in zip(paths, files.values(), strict=True):
                path.write_bytes(data)
            return _verdict(self._check, paths)


def _verdict(command: str, paths: Sequence[Path]) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, run as the user
            [*shlex.split(command), *map(str, paths)], capture_output=True, check=False
        )
    except (OSError, ValueError) as error:
        raise AceError(
            f"the check {command!r} cannot be run ({error}): mend it, or leave out --check"
        ) from None
    if done.returncode == 0:
        return None
    told = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    return told[0] if told else f"{command} ended with status {done.returncode}"
