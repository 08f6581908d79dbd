"""What all tests share: how hypothesis runs, and what is not waited for. Examples are the same in CI on every run, and no
test has a deadline.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
from collections.abc import Iterator

import pytest
from hypothesis import settings
from tests.adapters.postgres import PostgresServer, missing
from tests.reef.conftest import needs

_STATE = tempfile.TemporaryDirectory(prefix="ace-tests-")

settings.register_profile("ace", deadline=None, derandomize=bool(os.environ.get("CI")))
settings.load_profile("ace")


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A database server, started once for all tests of a process that need one."""
    needs(missing())
    with PostgresServer() as server:
        yield server


def pytest_configure(config: pytest.Config) -> None:
    """Let Ctrl-C reach the commands that tests start: a shell's background job ignores it, and so would they."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    # Which configurations are trusted is kept for the user, and tests must neither see nor change that.
    os.environ["XDG_STATE_HOME"] = _STATE.name
    # Every server that a test asks is on this machine and speaks plain HTTP: no client loads the system's certificates,
    # which would take most of its time.
    os.environ["SSL_CERT_FILE"], os.environ["SSL_CERT_DIR"] = "", _STATE.name
    # No power fails while a test runs, and tests of what is synced look at the calls: nothing waits for the disk.
    os.fsync = os.fstat  # type: ignore[assignment]
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") or sys.dont_write_bytecode:
        _keep_bytecode(str(config.cache.mkdir("bytecode")) if hasattr(config, "cache") else _STATE.name)


def _keep_bytecode(folder: str) -> None:
    """Keep bytecode after all, though not beside the sources: dozens of processes import the same thousand modules."""
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first where workers take one file after the other: the quick ones fill the end evenly."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    _STATE.cleanup()
