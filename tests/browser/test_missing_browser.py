"""The reason names what the tests in a browser need and a machine lacks; `tests/reef/test_missing.py` holds what follows of it."""

from __future__ import annotations

import importlib.util
import shutil

import pytest
from tests.browser import conftest


def test_without_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a machine without chromium, then the reason names it, and a way to it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: object())
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert (conftest.missing() or "").startswith("no chromium is installed")
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")
    assert conftest.missing() is None


def test_without_its_driver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given an environment without playwright, then the reason names it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    assert (conftest.missing() or "").startswith("playwright is not installed")
