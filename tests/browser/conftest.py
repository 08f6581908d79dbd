"""What the tests in a browser need: the system's chromium, and playwright, which drives it.

Where one of them is missing the tests skip and say so; under `CI=true` they fail instead, or nobody would notice that they no
longer run.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.reef.conftest import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def chromium() -> str | None:
    """The path of the browser, if there is one."""
    return next(filter(None, map(shutil.which, _NAMES)), None)


def missing() -> str | None:
    """What a browser test needs and this machine lacks."""
    if importlib.util.find_spec("playwright") is None:
        return "playwright is not installed: pip install '.[dev]'"
    if chromium() is None:
        return "no chromium is installed, and the report is looked at in one: apt-get install chromium"
    return None


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """The browser, started once for a module: while its driver lives no other event loop can run."""
    needs(missing())
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - it may not be there

    with sync_playwright() as driver:
        # Root, as CI is, has no sandbox; the pages are this repository's own.
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        options.append("--disable-dev-shm-usage")  # in a container it may be too small
        browser = driver.chromium.launch(executable_path=chromium(), args=options)
        yield browser
        browser.close()
