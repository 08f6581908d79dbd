"""Running the `ace` command in tests: in this process, or as the console script that pip installed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import pytest

from ace.adapters.cli import main
from ace.adapters.shipped import shipped

__all__ = [
    "CALLS",
    "RUNS",
    "SCRIPT",
    "ace",
    "environ",
    "fails",
    "finish",
    "name_no_model",
    "outcome",
    "someone_else",
    "start",
    "succeeds",
]

_OF_A_MODEL = (
    "OPENAI_BASE_URL",
    "OPENAI_MODEL",
    "OPENAI_API_KEY",
    "REEF_UPSTREAM_URL",
    "REEF_UPSTREAM_MODEL",
)

SCRIPT = Path(sys.executable).parent / "ace"
RUNS = shipped("examples/demo") / "runs.jsonl"
CALLS = shipped("examples/demo") / "calls.json"


# --- in this process ------------------------------------------------------------------------------------------------


def ace(*arguments: object) -> int:
    """The command's exit status."""
    try:
        return main([str(argument) for argument in arguments])
    except SystemExit as end:
        return int(end.code or 0)


def outcome(arguments: Sequence[object], variables: Mapping[str, str]) -> tuple[int, str, str]:
    """Exit status, output and errors of the command with these variables on top; the SDK tries again without a pause."""
    out, err = io.StringIO(), io.StringIO()
    with (
        patch.dict(os.environ, variables),
        patch("openai._base_client.INITIAL_RETRY_DELAY", 0.0),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        status = ace(*arguments)
    return status, out.getvalue(), err.getvalue()


def succeeds(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """What the command prints; it succeeds."""
    capsys.readouterr()
    status = ace(*arguments)
    out, err = capsys.readouterr()
    assert status == 0, err
    return out


def fails(capsys: pytest.CaptureFixture[str], *arguments: object, status: int = 2) -> str:
    """The one sentence that the command ends with; it prints nothing else."""
    capsys.readouterr()
    assert ace(*arguments) == status
    out, err = capsys.readouterr()
    assert_sentence(err)
    assert out == ""
    return err


def assert_sentence(text: str) -> None:
    """One line that begins with the command's name, and no traceback."""
    assert text.startswith("ace: ")
    assert text.endswith("\n")
    assert text.count("\n") == 1
    assert "Traceback" not in text


@contextmanager
def someone_else() -> Iterator[None]:
    """Be a user who may not do everything: root may write wherever it likes."""
    if os.geteuid() != 0:
        yield
        return
    try:
        os.seteuid(65534)
    except OSError:
        pytest.skip("this root may not be anyone else")
    try:
        yield
    finally:
        os.seteuid(0)


def name_no_model(monkeypatch: pytest.MonkeyPatch) -> None:
    """Take what names a model out of this process's environment."""
    for name in _OF_A_MODEL:
        monkeypatch.delenv(name, raising=False)


# --- as a process of its own ------------------------------------------------------------------------------------------


def environ(**more: str) -> dict[str, str]:
    """This process's environment without what names a model, and with `more`."""
    return {**{name: value for name, value in os.environ.items() if name not in _OF_A_MODEL}, **more}


def start(arguments: Sequence[object], env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
    """The console script, under way."""
    return subprocess.Popen(
        [str(SCRIPT), *map(str, arguments)],
        env=environ() if env is None else env,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    """Wait for the end: exit status, output, errors."""
    out, err = process.communicate(timeout=60)
    return process.returncode, out, err
