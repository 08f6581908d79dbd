"""`ace diff`: two playbooks of the log compared, as lessons and as the block."""

from __future__ import annotations

import difflib
import sys
from argparse import Namespace

import msgspec

from ace.adapters.cli.decide import told_changes
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.moments import playbooks_at
from ace.adapters.cli.output import tell
from ace.domain.changes import changes
from ace.domain.rules_block import block

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print what differs. Reads without a lock: a step may be under way."""
    log = folder_of(options, rules=False).log
    one, other = playbooks_at(log.verified(), (options.one, options.other))
    found = changes(one.playbook, other.playbook)
    if options.json:
        rows = [{"id": c.id, "kind": c.kind, "before": c.before, "after": c.after} for c in found]
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")
        return 0
    tell(f"From line {one.seq} to line {other.seq}:")
    for line in told_changes(found):
        tell(line)
    old, new = (block(at.shown, at.sections).splitlines() for at in (one, other))
    names = f"the block at line {one.seq}", f"the block at line {other.seq}"
    lines = list(difflib.unified_diff(old, new, *names, lineterm=""))
    if lines:
        print()
    for line in lines:
        tell(line)
    return 0
