"""Prints what other parsers find in the same sessions: `uvx --with cc-session-core python benchmarks/second_opinion.py`.

Sessions of Claude Code and Codex are made as in `sessions.py`; calls, their results, failed results and the characters of what user
and assistant said are counted here, by harbor's converters to ATIF (harbor comes with the extra `dev`), and by cc-session-core where
it is installed. All have to agree but in one thing: Codex tells a command's failure by the exit code in its output, and neither of
the others looks for it there. Exit status 1 where they do not agree, or nobody else could be asked.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import sessions
from ace.adapters.traces import Recording


class Counts(NamedTuple):
    """What a session holds."""

    calls: int
    results: int
    failed: int
    characters: int


def ours(path: Path) -> Counts:
    turns = [turn for trace in Recording(path) for turn in trace.turns]
    results = [turn for turn in turns if turn.role == "tool"]
    return Counts(
        sum(len(turn.calls) for turn in turns),
        len(results),
        sum(turn.failed for turn in results),
        sum(_length(turn.text) for turn in turns if turn.role in ("user", "assistant")),
    )


def _length(text: str) -> int:
    """Without white space: parsers join parts of a message each in their own way."""
    return sum(map(len, text.split()))


def harbors(tool: str, path: Path) -> Counts:
    """By way of ATIF, whose steps are read here as any consumer would."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or importing it asks the network
    module, name = {"claude-code": ("claude_code", "ClaudeCode"), "codex": ("codex", "Codex")}[tool]
    agent: Any = getattr(import_module(f"harbor.agents.installed.{module}"), name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(path, folder)
        trajectory = agent(logs_dir=folder, model_name="m/m")._convert_events_to_trajectory(folder)
    steps = [step.model_dump() for step in trajectory.steps]
    results = [each for step in steps for each in (step.get("observation") or {}).get("results", [])]
    return Counts(
        sum(len(step.get("tool_calls") or ()) for step in steps),
        len(results),
        sum(bool((each.get("extra") or {}).get("tool_result_is_error")) for each in results),
        sum(_length(str(step.get("message") or "")) for step in steps if step["source"] in ("user", "agent")),
    )


def cores(tool: str, path: Path) -> Counts:
    """By cc-session-core's timeline."""
    core: Any = import_module("cc_session_core")

    session = (core.CodexSession if tool == "codex" else core.Session).load(path)
    parts = [(entry, part) for entry in session.timeline() for part in entry.parts]
    results = [part for _, part in parts if isinstance(part, core.ToolResultPart)]
    return Counts(
        sum(isinstance(part, core.ToolUsePart) for _, part in parts),
        len(results),
        sum(bool(part.is_error) for part in results),
        sum(_length(part.text) for _, part in parts if isinstance(part, core.TextPart)),
    )


def opinions(tool: str, path: Path) -> Iterator[tuple[str, Counts]]:
    if importlib.util.find_spec("harbor") is not None:
        yield "harbor", harbors(tool, path)
    if importlib.util.find_spec("cc_session_core") is not None:
        yield "cc-session-core", cores(tool, path)


EXPLAINED = {"codex": {"failed": 0}}
"""What the others count otherwise, and why is told above."""


def main() -> int:
    asked = differs = 0
    with tempfile.TemporaryDirectory() as name:
        for tool in ("claude-code", "codex"):
            for seed in range(3):
                path = Path(name) / f"{tool}-{seed}.jsonl"
                rows = sessions.TOOLS[tool](random.Random(seed), 20, f"{seed:04d}")
                path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
                own = ours(path)
                print(f"{tool} {seed}: {own}")
                for who, theirs in opinions(tool, path):
                    agrees = theirs == own._replace(**EXPLAINED.get(tool, {}))
                    print(f"    {who}: {theirs}   {'agrees' if agrees else 'DIFFERS'}")
                    asked += 1
                    differs += not agrees
    print(f"{asked - differs} of {asked} opinions agree")
    return 1 if differs or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
