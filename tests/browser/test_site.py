"""The documentation in a real browser: each page in both themes, on a wide screen and on a phone's, is readable and whole.

Continuous integration has built the site and names it with `ACE_SITE`; elsewhere it is built as the README says, if there is uv.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import pytest
from tests.docs.pages import PAGES, ROOT
from tests.reef.conftest import needs

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.slow

_BUILD = (
    *("uvx", "--quiet", "--python", sys.executable, "-c", "constraints.txt", "--with-editable", ".[docs]"),
    *("--from", "mkdocs", "mkdocs", "build", "--quiet", "--site-dir"),
)

SEEN = """() => {
    const root = document.documentElement
    const wide = [...document.querySelectorAll('.md-content *, .md-header *')].filter((one) => {
        // What scrolls in a box of its own, or is hidden beside the page, widens nothing.
        for (let box = one; box !== root; box = box.parentElement) {
            const style = getComputedStyle(box)
            if (box !== one && /auto|scroll|hidden|clip/.test(style.overflowX)) return false
            if (style.position === 'fixed' || style.display === 'none') return false
        }
        return one.getBoundingClientRect().right > root.clientWidth + 1
    })
    const shade = (color) => color.match(/[0-9.]+/g).slice(0, 3).reduce((sum, part) => sum + Number(part), 0)
    return {
        overflow: Math.max(root.scrollWidth, document.body.scrollWidth) - root.clientWidth,
        wide: wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 200)),
        broken: [...document.images].filter((one) => !one.complete || !one.naturalWidth).map((one) => one.src),
        dark: shade(getComputedStyle(document.body).backgroundColor) < shade(getComputedStyle(document.body).color),
        title: document.querySelector('.md-content h1')?.innerText ?? '',
    }
}"""
"""What a page shows as it is: how much wider than the window it is and what makes it so, images that are not there, its theme."""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Nothing is written to the tests' output."""

    def end_headers(self) -> None:
        """What all pages share is asked for once."""
        self.send_header("Cache-Control", "max-age=600")
        super().end_headers()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list[str]]]:
    """The address of the site, and the paths of its pages."""
    folder = Path(os.environ.get("ACE_SITE", ""))
    if "ACE_SITE" not in os.environ:
        needs(
            None if shutil.which("uvx") else "there is no uv, and the site is built with it: pip install uv"
        )
        folder = tmp_path_factory.mktemp("site")
        # The tests' own setting, under which no client reads certificates, is not for uv.
        environ = {name: value for name, value in os.environ.items() if not name.startswith("SSL_CERT_")}
        done = subprocess.run(
            [*_BUILD, str(folder)],
            cwd=ROOT,
            env={**environ, "UV_SYSTEM_CERTS": "1", "NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )
        needs(f"the site cannot be built: {done.stderr[-500:]}" if done.returncode else None)
    pages = [str(path.relative_to(folder).parent) for path in sorted(folder.rglob("index.html"))]
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=folder)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}", pages
        server.shutdown()


def test_each_page_on_each_screen(browser: Browser, site: tuple[str, list[str]]) -> None:
    """Given a page of the site, then in either theme, at 1280 and at 400 pixels, it is not wider than the window, no image is broken,
    the browser complains of nothing, and nothing is loaded from elsewhere.
    """
    address, pages = site
    assert len(pages) > len(PAGES) - 2, "each page of the repository is a page of the site"
    wrong: list[str] = []
    first, second = "light", "dark"
    tab = browser.new_page(color_scheme="light")

    def note(what: str, *, when: bool = True) -> None:
        if when:
            wrong.append(f"{tab.url}: {what}")

    tab.on("console", lambda said: note(said.text, when=said.type == "error"))
    tab.on("pageerror", lambda error: note(str(error)))
    tab.on("response", lambda got: note(f"{got.url} has status {got.status}", when=got.status >= 400))
    own = (f"{address}/", "data:", "blob:")
    tab.on("request", lambda asked: note(f"loads {asked.url}", when=not asked.url.startswith(own)))
    # Boxes are measured where they end, not on their way there.
    tab.add_init_script(
        "addEventListener('DOMContentLoaded', () => document.head.append("
        "Object.assign(document.createElement('style'), {textContent: '* { transition: none !important }'})))"
    )
    for page in pages:
        tab.goto(f"{address}/{page}/")
        for theme in (first, second):
            for width in (1280, 400):
                tab.set_viewport_size({"width": width, "height": 900})
                seen = tab.evaluate(SEEN)
                if seen["overflow"] > 0 or seen["wide"] or seen["broken"] or not seen["title"]:
                    wrong.append(f"{page}, {theme}, {width} pixels: {seen}")
                if seen["dark"] != (theme == "dark"):
                    wrong.append(f"{page}: the theme is not {theme}")
            if theme == first:
                tab.evaluate("document.querySelector('label[for^=__palette]:not([hidden])').click()")
        first, second = second, first  # the next page begins as this one was left
    tab.close()
    assert not wrong, "\n".join(wrong)
