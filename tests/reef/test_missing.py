"""What the tests of the Reef host need and a machine lacks: they skip and say so, and fail where they have to run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from tests.reef import conftest


def test_on_a_users_machine_the_tests_skip_with_the_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has to install what they do not use."""
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="git-lfs is not installed"):
        conftest.needs("git-lfs is not installed")


def test_in_ci_nothing_may_be_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or nobody would notice that the tests no longer run."""
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="nothing may be missing: git-lfs is not installed"):
        conftest.needs("git-lfs is not installed")


@pytest.mark.parametrize("variable", ["", "true"])
def test_what_is_there_is_no_reason(monkeypatch: pytest.MonkeyPatch, variable: str) -> None:
    """The tests run."""
    monkeypatch.setenv("CI", variable)
    conftest.needs(None)


@pytest.mark.parametrize(
    ("version", "told"),
    [
        ("v20.20.2", "node is v20.20.2, and the pi agent needs 22.19 or newer"),
        ("v22.18.9", "22.19 or newer"),
        ("v22.19.0", None),
        ("v24.0.0", None),
    ],
)
def test_an_old_node_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, told: str | None
) -> None:
    """By the version that is there and the one that is needed."""
    for tool in ("node", "npm"):
        (tmp_path / tool).write_text(f"#!/bin/sh\necho {version}\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    reason = conftest.missing_node()
    assert reason is None if told is None else told in str(reason)


def test_a_missing_tool_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine that has git alone."""
    if not conftest.found():
        pytest.skip("reef-infra is not installed, and is named first")
    git = shutil.which("git")
    assert git is not None
    (tmp_path / "git").symlink_to(git)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "git-lfs is not installed" in str(conftest.missing())
    assert "node and npm are not installed" in str(conftest.missing_node())


def test_without_reef_it_is_reef_that_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """And how to get it."""
    monkeypatch.setattr(conftest, "found", lambda: False)
    assert "pip install '.[reef]'" in str(conftest.missing())
