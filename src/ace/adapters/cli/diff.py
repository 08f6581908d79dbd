"""`ace diff`: two playbooks of the log compared, as lessons and as the block."""

from __future__ import annotations

import difflib
import sys
from argparse import Namespace
from collections.abc import Sequence

import msgspec

from ace.adapters.cli.decide import told_changes
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import line_meant
from ace.adapters.cli.output import tell
from ace.domain.changes import changes
from ace.domain.rules_block import block
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.undo import playbook_at
from ace.events.types import StepRecord

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print what differs. Reads without a lock: a step may be under way."""
    records = list(folder_of(options, rules=False).log.verified())
    one, other = (line_meant(records, text) for text in (options.one, options.other))
    before, after = (playbook_at(records, seq) for seq in (one, other))
    found = changes(before, after)
    if options.json:
        rows = [{"id": c.id, "kind": c.kind, "before": c.before, "after": c.after} for c in found]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    tell(f"From line {one} to line {other}:")
    for line in told_changes(found):
        tell(line)
    old = block(before, _sections(records, one)).splitlines()
    new = block(after, _sections(records, other)).splitlines()
    names = f"the block at line {one}", f"the block at line {other}"
    lines = list(difflib.unified_diff(old, new, *names, lineterm=""))
    if lines:
        print()
    for line in lines:
        tell(line)
    return 0


def _sections(records: Sequence[StepRecord], seq: int) -> tuple[str, ...]:
    return records[seq - 1].sections if seq else DEFAULT_SECTIONS
