"""The snapshot, `state/playbook.json`: the playbook that the log ends with, so that no step has to fold the log. While something
waits for a review, what the rules show of it lies beside it, in `accepted.json`.
"""

from __future__ import annotations

from pathlib import Path

from ace.adapters.store.files import read_bytes
from ace.domain.playbook import Playbook, parse_playbook

__all__ = ["ACCEPTED", "SNAPSHOT", "read_snapshot"]

SNAPSHOT = "playbook.json"
ACCEPTED = "accepted.json"


def read_snapshot(path: Path) -> Playbook | None:
    """The playbook in the snapshot, or None if there is no file. Raises `StateError` if it is damaged."""
    data = read_bytes(path)
    return None if data is None else parse_playbook(data, str(path))
