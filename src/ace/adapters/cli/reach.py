"""Whether an agent reads the file that carries the block, and as far as the block.

    claude-code  every CLAUDE.md and CLAUDE.local.md, .claude/CLAUDE.md and .claude/rules/, and what they include with @
    codex        AGENTS.override.md, else AGENTS.md; of all of them together the first 32 KiB (`project_doc_max_bytes`)
    gemini       every GEMINI.md, and what it includes with @
    opencode     AGENTS.md, else CLAUDE.md
    pi           AGENTS.md, else CLAUDE.md

An agent may be configured to read others: so all of this is told, and stops nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ace.adapters.store.files import read_bytes
from ace.adapters.store.rules_files import included_by
from ace.domain.rules_block import find_block

__all__ = ["is_read_by", "out_of_reach", "read_first"]

CODEX_READS = 32 * 1024
"""Bytes."""


class _Reads(NamedTuple):
    """The names of the files that an agent reads in a folder: each of them, or the first that is there."""

    names: tuple[str, ...]
    all: bool = False
    includes: bool = False


_READS = {
    "claude-code": _Reads(("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"), all=True, includes=True),
    "codex": _Reads(("AGENTS.override.md", "AGENTS.md")),
    "gemini": _Reads(("GEMINI.md",), all=True, includes=True),
    "opencode": _Reads(("AGENTS.md", "CLAUDE.md")),
    "pi": _Reads(("AGENTS.md", "CLAUDE.md")),
}


def read_first(tool: str) -> str:
    """The name of the rules file that the tool's own documentation names."""
    return next(name for name in _READS[tool].names if "override" not in name)


def is_read_by(tool: str, path: Path) -> bool:
    """Whether the tool reads this rules file."""
    return _is_read(_READS[tool], path)


def out_of_reach(tools: Sequence[str], rules: Sequence[Path]) -> Iterator[str]:
    """A sentence for each tool that reads none of these rules files, and for each file of which Codex does not read the block."""
    for tool in dict.fromkeys(tools):
        reads = _READS.get(tool)
        if reads is None or any(_is_read(reads, path) for path in rules):
            continue
        how = f", or put a line @{rules[0].name} into it" if reads.includes else ""
        yield (
            f"{tool} reads {(' and ' if reads.all else ', else ').join(reads.names)}, and the block is in "
            f"{' and '.join(map(str, rules))}: name a file that it reads with --rules{how}."
        )
    for path in rules:
        if path.name not in _READS["codex"].names:
            continue
        data = read_bytes(path) or b""
        found = find_block(data)
        if found is not None and found.end > CODEX_READS:
            yield (
                f"Codex reads the first 32 KiB of {path}, and the block ends behind {found.end // 1024} KiB: move the block further up, or "
                "raise project_doc_max_bytes in the config.toml of Codex."
            )


def _is_read(reads: _Reads, path: Path) -> bool:
    real = os.path.realpath(path)
    if reads.includes and ".claude/rules" in real and "CLAUDE.md" in reads.names:
        return True
    for folder in Path(os.path.abspath(path)).parents[:2]:
        for name in reads.names:
            there = folder / name
            if not there.is_file() and os.path.realpath(there) != real:  # ours may be still to be written
                continue
            if os.path.realpath(there) == real or (reads.includes and path in included_by(there, [path])):
                return True
            if not reads.all:
                break
    return False
