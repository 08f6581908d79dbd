"""What the tests of the Reef host need: Reef itself, git-lfs and, for the agent, Node and a way to its registry.

Where one of them is missing the tests skip and say so; under `CI=true` they fail instead, or nobody would notice that
they no longer run.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.loopback import Loopback
from tests.reef.service import Service, configuration
from tests.reef.upstream import Script, upstream

REPOSITORY = Path(__file__).resolve().parents[2]

SEED = "# House rules\r\n\r\n- Say what you did.\r\n"


def reef_is_installed() -> bool:
    """Whether Reef can be imported; under `CI=true` it has to be, and the import then says why it cannot."""
    return found() or os.environ.get("CI") == "true"


def found() -> bool:
    """Whether Reef is installed."""
    spec = importlib.util.find_spec("reef")
    # This folder is no package, and looks like a part of one.
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
    prefix = os.environ.get("ACE_TEST_HARNESS_PREFIX") or str(tmp_path_factory.mktemp("harness"))
    code = (
        "from reef.harness.adapters import get_adapter\n"
        "from reef.harness.episodes.vendor_install import resolve_binary\n"
        "print(resolve_binary(get_adapter('pi')))"
    )
    environ = {**os.environ, "REEF_HARNESS_PREFIX": prefix}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environ, capture_output=True, text=True, check=False
    )
    needs(None if done.returncode == 0 else f"the pi agent cannot be installed: {done.stderr.strip()[-300:]}")
    return {"REEF_HARNESS_PREFIX": prefix}


@pytest.fixture(scope="session")
def _shared_script() -> Script:
    return Script()


@pytest.fixture(scope="session")
def _shared_upstream(_shared_script: Script) -> Iterator[Loopback]:
    with upstream(_shared_script) as server:
        yield server


@pytest.fixture(scope="session")
def shared(_shared_upstream: Loopback, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service that publishes without an evaluation. Many tests share it, each with scenarios of its own."""
    needs(missing())
    folder = tmp_path_factory.mktemp("shared")
    (folder / "seed").mkdir()
    (folder / "seed" / "rules.md").write_bytes(SEED.encode())
    with Service(folder, configuration({"seed": "seed"}), _shared_upstream.base_url) as service:
        yield service


@pytest.fixture
def script(_shared_script: Script) -> Script:
    """The shared upstream's script, as it is at first."""
    _shared_script.reset()
    return _shared_script
