"""What the tests of the Reef host need: Reef itself, git-lfs and, for the agent, Node and a way to its registry.

Where one of them is missing the tests skip and say so; under `CI=true` they fail instead, or nobody would notice that
they no longer run.
"""

from __future__ import annotations

import fcntl
import importlib.util
import os
import shutil
import subprocess
import sys

import pytest


def reef_is_installed() -> bool:
    """Whether Reef can be imported; under `CI=true` it has to be, and the import then says why it cannot."""
    return found() or os.environ.get("CI") == "true"


def found() -> bool:
    """Whether Reef is installed."""
    spec = importlib.util.find_spec("reef")
    # This folder is not a package, and looks like a part of one.
    return spec is not None and spec.origin is not None


def needs(reason: str | None) -> None:
    """Skip for this reason, or fail where the tests have to run."""
    if reason is None:
        return
    if os.environ.get("CI") == "true":
        pytest.fail(f"under CI=true nothing may be missing: {reason}")
    pytest.skip(reason)


def missing() -> str | None:
    """What a service needs and this machine lacks."""
    if not found():
        return "reef-infra is not installed: pip install '.[reef]'"
    for tool in ("git", "git-lfs"):
        if shutil.which(tool) is None:
            return f"{tool} is not installed, and Reef keeps its releases with it"
    return None


def missing_node() -> str | None:
    """Why the pi agent cannot run, as far as Node is concerned."""
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return "node and npm are not installed, and the pi agent needs them"
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    major, minor = (int(part) for part in version.removeprefix("v").split(".")[:2])
    return None if (major, minor) >= (22, 19) else f"node is {version}, and the pi agent needs 22.19 or newer"


@pytest.fixture(scope="session")
def reef() -> None:
    """Reef can be started."""
    needs(missing())


@pytest.fixture(scope="session")
def pi(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The pi agent, installed once in a folder of this session: the variables by which Reef finds it."""
    needs(missing() or missing_node())
    base = tmp_path_factory.getbasetemp()
    # All workers have one session, and the first of them installs.
    session = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    prefix = os.environ.get("ACE_TEST_HARNESS_PREFIX") or str(session / "harness")
    code = (
        "from reef.harness.adapters import get_adapter\n"
        "from reef.harness.episodes.vendor_install import resolve_binary\n"
        "print(resolve_binary(get_adapter('pi')))"
    )
    found = {"REEF_HARNESS_PREFIX": prefix, "NODE_COMPILE_CACHE": str(session / "node-compile-cache")}
    with (session / "harness.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, **found},
            capture_output=True,
            text=True,
            check=False,
        )
    needs(None if done.returncode == 0 else f"the pi agent cannot be installed: {done.stderr.strip()[-300:]}")
    return found
