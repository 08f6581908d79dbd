"""What all tests share: how hypothesis runs, and what is not waited for. Examples are the same in CI on every run, no test
has a deadline, and without the slow tests each property is tried on a few examples only.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

if os.environ.pop("PYTHONDONTWRITEBYTECODE", "") or sys.dont_write_bytecode:
    # Bytecode is kept after all, though not beside the sources: dozens of processes import the same thousand modules. Before any of
    # them is imported here, since pytest rewrites those of hypothesis, too.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(
        Path(__file__).parents[1] / ".pytest_cache" / "bytecode"
    )

import pytest
from hypothesis import settings
from tests.adapters.postgres import PostgresServer, missing
from tests.reef.conftest import needs


def _in_memory() -> str | None:
    """A file system in memory with room enough, if there is one: most of the tests' time would be the disk's."""
    memory = Path("/dev/shm")  # noqa: S108 - only folders of random names are made in it
    if not os.access(memory, os.W_OK) or shutil.disk_usage(memory).free < 4 * 1024**3:
        return None
    for left in memory.glob("ace-tests-*-*"):  # of tests that were killed: it would stay in memory
        if not Path(f"/proc/{left.name.split('-')[2]}").exists():
            shutil.rmtree(left, ignore_errors=True)
    return str(memory)


# All that tests write. A worker's is inside of that of the process which started it, by TMPDIR.
_STATE = tempfile.TemporaryDirectory(
    prefix=f"ace-tests-{os.getpid()}-", dir=None if "PYTEST_XDIST_WORKER" in os.environ else _in_memory()
)
Path(_STATE.name).chmod(0o755)  # tests act as another user, who has to get through
os.environ["TMPDIR"] = tempfile.tempdir = _STATE.name

_CI = bool(os.environ.get("CI"))
settings.register_profile("whole", deadline=None, derandomize=_CI)
settings.register_profile("quick", deadline=None, derandomize=_CI, max_examples=12)
settings.load_profile("whole")


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
    if "not slow" in config.getoption("markexpr", ""):
        settings.load_profile("quick")
    # Which configurations are trusted is kept for the user, and tests must neither see nor change that.
    os.environ["XDG_STATE_HOME"] = _STATE.name
    # Every server that a test asks is on this machine and speaks plain HTTP: no client loads the system's certificates,
    # which would take most of its time.
    os.environ["SSL_CERT_FILE"], os.environ["SSL_CERT_DIR"] = "", _STATE.name
    # As at a user's, whose streams are buffered: what is left in one at the end is written then.
    os.environ.pop("PYTHONUNBUFFERED", None)
    # No power fails while a test runs, and tests of what is synced look at the calls: nothing waits for the disk.
    os.fsync = os.fstat  # type: ignore[assignment]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Files with slow tests come first where workers take one file after the other: the quick ones fill the end evenly."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        slow = {item.path for item in items if item.get_closest_marker("slow")}
        items.sort(key=lambda item: item.path not in slow)


def pytest_unconfigure() -> None:
    """Leave nothing behind."""
    _STATE.cleanup()
