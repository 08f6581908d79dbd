"""What all tests share: how hypothesis runs. Examples are the same in CI on every run, and no test has a deadline."""

from __future__ import annotations

import os
import signal
import tempfile

from hypothesis import settings

_STATE = tempfile.TemporaryDirectory(prefix="ace-tests-")

settings.register_profile("ace", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ace")


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands that tests start: a shell's background job ignores it, and so would they."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Which configurations are trusted is kept for the user, and tests must neither see nor change that.
    os.environ["XDG_STATE_HOME"] = _STATE.name


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    _STATE.cleanup()
