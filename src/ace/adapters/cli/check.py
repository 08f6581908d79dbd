"""`--check`: a command of the user's that may refuse the new rules files."""

from __future__ import annotations

import shlex
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ace.domain.errors import AceError

__all__ = ["command_check"]


def command_check(command: str, folder: Path | None) -> Callable[[Mapping[str, bytes]], str | None]:
    """A check that runs the command, in this folder (the current one, without), on files with the candidate's contents; its first
    line of output is the reason of a refusal. Where there is no file yet, it gets an empty one: a command that refuses even that
    would refuse every step. Raises `AceError` if the command cannot be run.
    """

    def check(files: Mapping[str, bytes]) -> str | None:
        with tempfile.TemporaryDirectory() as temporary:
            paths = [Path(temporary) / name for name in files or ("rules.md",)]
            for path in paths:
                path.write_bytes(files.get(path.name, b""))
            return _verdict(command, paths, folder)

    return check


def _verdict(command: str, paths: Sequence[Path], folder: Path | None) -> str | None:
    try:
        done = subprocess.run(  # noqa: S603 - the user's own command, run as the user
            [*shlex.split(command), *map(str, paths)], capture_output=True, check=False, cwd=folder
        )
    except (OSError, ValueError) as error:
        raise AceError(
            f"the check {command!r} cannot be run ({error}): fix the command, or leave out --check"
        ) from None
    if done.returncode == 0:
        return None
    told = (done.stdout + done.stderr).decode(errors="replace").strip().splitlines()
    return told[0] if told else f"{command} ended with status {done.returncode}"
