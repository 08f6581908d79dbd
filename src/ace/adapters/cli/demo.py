"""`ace demo`: the whole of it on runs and replies that the package ships."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.learn import steps
from ace.adapters.models import RecordedModel, load_calls
from ace.adapters.shipped import shipped
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.traces import read_traces
from ace.domain.errors import AceError
from ace.learning import Learning

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Learn from the shipped runs in a new folder, starting from the shipped base rules."""
    root = options.work or Path(tempfile.mkdtemp(prefix="ace-demo-"))
    folder = FolderBook(root)
    if root.exists() and any(root.iterdir()):
        raise AceError(f"{root} is not empty: name a new folder for the demo")
    root.mkdir(parents=True, exist_ok=True)
    folder.rules_files[0].write_bytes((shipped("examples/seed") / "rules.md").read_bytes())
    demo = shipped("examples/demo")
    traces = read_traces(demo / "runs.jsonl").traces
    # One of the replies is unusable on purpose, and that its run is left to be read does not make the demo fail.
    with Learning(folder, traces, model=RecordedModel(load_calls(demo / "calls.json"))) as learning:
        status = steps(learning)
    return 0 if status == 1 else status
