"""The record of a step: a folder with its calls, its tree, its playbook, and what it tells people."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from ace.adapters.store.files import write_new
from ace.adapters.store.notes import step_notes
from ace.domain.errors import StepError
from ace.domain.summary import summary
from ace.events.types import StepRecord

__all__ = ["CALLS", "NOTES", "SUMMARY", "free_folder", "retell", "see_free"]

CALLS: Final = "calls.json"
SUMMARY: Final = "output/summary.md"
NOTES: Final = "output/notes.jsonl"

_PARTS: Final = (CALLS, "harness", "state", "output")
"""What a step writes into the folder of its record."""


def free_folder(steps: Path, name: str) -> Path:
    """A folder for a record under this name; a name that is taken gets a number behind it."""
    path, number = steps / name, 1
    while os.path.lexists(path):
        number += 1
        path = steps / f"{name}-{number}"
    return path


def see_free(folder: Path) -> None:
    """Raises `StepError` if the folder holds the record of another step: that one is not overwritten."""
    taken = [name for name in _PARTS if (folder / name).exists()]
    if taken:
        raise StepError(
            f"{folder / taken[0]} is there already, from another step: name a new folder for the record"
        )


def retell(steps: Path, record: StepRecord) -> None:
    """Write the summary and notes of a step that was killed before it had: they follow from its line. A log can come from
    anywhere, and so can a link in place of the record: nothing is written but into a folder right here.
    """
    folder = steps / record.record
    linked = any(path.is_symlink() for path in (folder, folder / "output", folder / SUMMARY))
    if record.record != folder.name or linked or not folder.is_dir() or os.path.lexists(folder / NOTES):
        return
    write_new(folder / SUMMARY, summary(record).encode())
    write_new(folder / NOTES, step_notes(record))
