"""Other parsers find the same in the same sessions."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.slow
def test_others_count_the_same() -> None:
    """Given made sessions of Claude Code and Codex, then every parser that is here counts what is counted here."""
    if find_spec("harbor") is None and "CI" not in os.environ:
        pytest.skip("harbor, which comes with the extra `dev`, is not installed")
    command = [sys.executable, str(BENCHMARKS / "second_opinion.py")]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "opinions agree" in done.stdout
