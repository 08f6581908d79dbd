"""`report(folder)`: everything that the log knows, as one HTML page that needs nothing but a browser.

The page is `report/page.html` with the style, the charts, the script and the data in their places. The data is JSON in a data block;
texts of runs and lessons are nowhere else in the page, and the script puts them in as text. The charts are SVG made of numbers, and
need no script. A policy (CSP) lets the browser run this one script, by its digest, and load nothing.
"""

from __future__ import annotations

import base64
import hashlib
import os
import re
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.shipped import shipped
from ace.adapters.store.folder_book import FolderBook
from ace.domain.charts import charts
from ace.domain.overview import Overview, overview_of
from ace.domain.screens import replace_surrogates
from ace.domain.settings import ACESettings
from ace.method import now

__all__ = ["page", "report"]

_CAP: Final = ACESettings().max_bullets
_PLACE: Final = re.compile(r"\{\{(\w+)\}\}")


def report(folder: FolderBook, *, max_bullets: int = _CAP) -> bytes:
    """The folder's log as a self-contained HTML page in UTF-8. `max_bullets` is the cap, to which lessons may be near.

    Reads the log once, without a lock, and asks no model. Raises `LogError` for a damaged log, and `OSError`.
    """
    root = Path(os.path.realpath(folder.root))
    # A project's folder is called `.ace`, and that of a host's scenario lies in one with the scenario's name.
    name = root.parent.name if root.name == ".ace" or folder.owner == "host" else root.name
    return page(
        overview_of(
            folder.log.verified(),
            name=replace_surrogates(name),
            made=now(),
            max_bullets=max_bullets,
        )
    )


def page(overview: Overview) -> bytes:
    """The page that shows an overview."""
    html, style, script = (
        (shipped("report") / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "page.js")
    )
    parts = {
        "policy": f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "base-uri 'none'; form-action 'none'",
        "style": style,
        "charts": charts(overview.steps),
        "script": script,
        # No `<` in the data: nothing in it can end the data block, or begin anything.
        "data": msgspec.json.encode(overview).replace(b"<", b"\\u003c").decode(),
    }
    pieces = _PLACE.split(html)
    return "".join(parts[piece] if index % 2 else piece for index, piece in enumerate(pieces)).encode()


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"
