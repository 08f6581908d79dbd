"""The command line as the host of steps: its one model, and the check that the user named."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from ace.adapters.asking import name_of
from ace.adapters.method import Model
from ace.domain.errors import AceError, EndpointError

__all__ = ["Host"]


class Host:
    """What a step may ask of the command line: its one model, and the check that the user named, if any."""

    def __init__(
        self, model: Model | None = None, check: str | None = None, check_from: Path | None = None
    ) -> None:
        """`check_from` is the folder in which the check runs; the current one, without."""
        self._model = model
        self._check = check
        self._check_from = check_from

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
            return _verdict(self._check, paths, self._check_from)


def _verdict(command: str, paths: Sequence[Path], folder: Path | None) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, run as the user
            [*shlex.split(command), *map(str, paths)], capture_output=True, check=False, cwd=folder
        )
    except (OSError, ValueError) as error:
        raise AceError(
            f"the check {command!r} cannot be run ({error}): mend it, or leave out --check"
        ) from None
    if done.returncode == 0:
        return None
    told = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    return told[0] if told else f"{command} ended with status {done.returncode}"
