"""Which playbook a run had in force: the block in a system or developer message of the run, if there is one.

Where a message was recorded the block is in it as the agent read it. Without one nothing is known: rules can reach an agent in
other ways, too.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from ace.domain.errors import MarkerError
from ace.domain.playbook import key_of
from ace.domain.rules_block import BEGIN, block_in
from ace.domain.trace import Trace

__all__ = ["block_had", "bullets_had", "had_in"]

_BULLET = re.compile(r"- \[(ace-\d{5,18})\] helpful=\d+ harmful=\d+ :: (.*)")


def block_had(trace: Trace) -> str:
    """The block that a system or developer message of the run holds, with LF line ends; empty if none holds one."""
    for turn in (*trace.context, *trace.turns):
        if turn.role in ("system", "developer") and BEGIN in turn.text:
            try:
                found = block_in(turn.text.encode(errors="replace"))
            except MarkerError:
                continue
            if found:
                return found.decode()
    return ""


def had_in(trace: Trace) -> str:
    """The digest of the block that the run had in force (`rules_block.digest_in`), as the trace or a message of it tells; else empty."""
    if trace.had:
        return trace.had
    block = block_had(trace)
    return hashlib.sha256(block.encode()).hexdigest() if block else ""


def bullets_had(block: str, bullets: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    """The ids of those bullets, given as pairs of id and text, that a block holds in these words."""
    held = {(identifier, key_of(text)) for identifier, text in _BULLET.findall(block)}
    return tuple(identifier for identifier, text in bullets if (identifier, key_of(text)) in held)
