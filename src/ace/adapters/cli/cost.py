"""`ace learn --dry-run`: which runs would be read, and what that would cost. Asks nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from ace.adapters.cli.folder import Folder
from ace.adapters.prompts import fill
from ace.adapters.state import SNAPSHOT, read_snapshot
from ace.domain.playbook import Playbook
from ace.domain.settings import ACESettings
from ace.domain.step import run_step
from ace.domain.summary import plural
from ace.domain.trace import Trace, is_run

__all__ = ["print_cost"]


def print_cost(folder: Folder, settings: ACESettings, traces: Sequence[Trace]) -> None:
    """List the runs among the traces with their calls and the characters of their prompts."""
    playbook = read_snapshot(folder.state / SNAPSHOT) or Playbook()
    runs = [trace for trace in traces if is_run(trace)]
    total = 0
    for trace in runs:
        characters = _prompt_characters(playbook, settings, trace)
        total += characters
        score = "no score" if trace.score is None else f"score {trace.score:.15g}"
        print(f"{trace.id}  {score}  2 calls, about {characters:,} characters")
    middle = len(traces) - len(runs)
    told = f", {plural(middle, 'call')} in the middle of a run passed over" if middle else ""
    print(
        f"{plural(len(runs), 'run')}, {2 * len(runs)} model calls, about {total:,} characters of prompts{told}. Nothing was asked."
    )


def _prompt_characters(playbook: Playbook, settings: ACESettings, trace: Trace) -> int:
    """The characters of both prompts, the reflection in the second counted as nothing."""
    step = run_step(playbook, [trace], settings, outside={}, step=0)
    (first,) = next(step)
    (second,) = step.send(('{"key_insight": ""}',))
    return len(fill(first.role, first.parts)) + len(fill(second.role, second.parts))
