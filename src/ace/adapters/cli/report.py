"""`ace report`: the whole history as one HTML page."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.evidence import cap_of
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell
from ace.adapters.store.files import read_bytes, replace
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.reporting import report

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Write the page, and tell where it is. Reads the log without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    path: Path = _default(folder) if options.output is None else options.output
    if str(path) != "-":
        _see_no_other_file(path)
    page = report(folder, max_bullets=cap_of(folder))
    if str(path) == "-":
        sys.stdout.buffer.write(page)
        return 0
    if options.output is None:
        path.parent.mkdir(exist_ok=True)
    replace(path, page)
    tell(f"The report is in {path.absolute()}")
    if options.open:
        import webbrowser  # noqa: PLC0415 - rarely asked for

        if not webbrowser.open(path.absolute().as_uri()):
            tell("No browser was found: open that file in one.")
            return 1
    return 0


def _default(folder: FolderBook) -> Path:
    """Where the page goes that nobody names a place for: it holds excerpts of runs, and can be made again from the log, as all that
    is in a folder's cache. A host's folder is the host's.
    """
    if folder.owner == "host" or not folder.root.is_dir():
        return Path("ace-report.html")
    return folder.cache / "report.html"


def _see_no_other_file(path: Path) -> None:
    """A report replaces a report, and nothing else. Raises `AceError`."""
    if path.is_dir():
        raise AceError(f"{path} is a folder: name a file for the report")
    found = read_bytes(path)
    if found and not found.startswith(b"<!doctype html>"):
        raise AceError(f"{path} is there already and is not a report: name another file with -o")
