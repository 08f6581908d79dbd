"""`ace report`: the whole history as one HTML page."""

from __future__ import annotations

import sys
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.evidence import cap_of
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell
from ace.adapters.store.files import read_bytes, replace
from ace.domain.errors import AceError
from ace.reporting import report

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Write the page, and tell where it is. Reads the log without a lock: a step may be under way."""
    folder = folder_of(options, rules=False)
    path: Path = options.output
    if str(path) != "-":
        _see_no_other_file(path)
    page = report(folder, max_bullets=cap_of(folder))
    if str(path) == "-":
        sys.stdout.buffer.write(page)
        return 0
    replace(path, page)
    tell(f"The report is in {path.absolute()}")
    if options.open:
        import webbrowser  # noqa: PLC0415 - rarely asked for

        if not webbrowser.open(path.absolute().as_uri()):
            tell("No browser was found: open that file in one.")
            return 1
    return 0


def _see_no_other_file(path: Path) -> None:
    """A report replaces a report, and nothing else. Raises `AceError`."""
    if path.is_dir():
        raise AceError(f"{path} is a folder: name a file for the report")
    found = read_bytes(path)
    if found and not found.startswith(b"<!doctype html>"):
        raise AceError(f"{path} is there already and is not a report: name another file with -o")
