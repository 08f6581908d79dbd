"""Builds what a step is given, and takes the step by hand: replies come from a list, in the order of the calls.

taken = take_step(P1, [run("a")], [reflection(tag(1)), curation(add("Run the tests."))])
assert taken.events == (TagCounted("a", 0, "ace-00001", "helpful"), BulletAdded(...), was_read("a"))
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ace.domain.playbook import Bullet, Playbook, bullet_id, bullet_number
from ace.domain.rules_block import lines_outside
from ace.domain.settings import DEFAULT_SECTIONS, ACESettings
from ace.domain.step import ModelCall, Reply, StepOutcome, run_step
from ace.domain.trace import Trace
from ace.domain.unread import task_digest
from ace.events.types import CurationUse, Event, RunRead, RunSkipped, SkipReason

__all__ = [
    "P1",
    "SECTION",
    "STEP",
    "Taken",
    "add",
    "bullet",
    "curate",
    "curation",
    "playbook",
    "reflection",
    "run",
    "tag",
    "take_step",
    "was_read",
    "was_skipped",
]

SECTION: Final = DEFAULT_SECTIONS[0]
STEP: Final = 7
"""The number of each step taken here."""

_TASK: Final = "Fix the failing test."
_INSIGHT: Final = "Read the test first."
_ANALYSIS: Final = "The test was right."


def bullet(
    number: int,
    content: str = "",
    *,
    helpful: int = 0,
    harmful: int = 0,
    section: str = SECTION,
    step: int = 1,
) -> Bullet:
    """A bullet by its number; without a content it is some lesson of its own."""
    return Bullet(bullet_id(number), section, content or f"Lesson {number}.", helpful, harmful, step)


def playbook(*bullets: Bullet, next_number: int = 0) -> Playbook:
    """A playbook whose next number is one above the highest, unless given."""
    highest = max((bullet_number(bullet.id) or 0 for bullet in bullets), default=0)
    return Playbook(next_number or highest + 1, bullets)


P1: Final = playbook(bullet(1, "Read the failing test before you edit the code.", helpful=2))


def run(identifier: str = "a", *, task: str = _TASK, reply: str = "Done.", **more: Any) -> Trace:
    """A run of an offline step; everything else of a trace can be given."""
    return Trace(id=identifier, task=task, reply=reply, **more)


def tag(number: int, value: Any = "helpful") -> dict[str, Any]:
    """A tag of a reflection."""
    return {"id": bullet_id(number), "tag": value}


def reflection(*tags: Any, insight: str = _INSIGHT, analysis: str = _ANALYSIS) -> str:
    """A Reflector's reply."""
    return json.dumps({"error_analysis": analysis, "key_insight": insight, "bullet_tags": tags})


def add(content: Any, section: Any = SECTION, kind: Any = "ADD") -> dict[str, Any]:
    """An operation of a curation."""
    return {"type": kind, "section": section, "content": content}


def curation(*operations: Any) -> str:
    """A Curator's reply."""
    return json.dumps({"operations": operations})


def was_read(
    trace: str = "a",
    use: CurationUse = "used",
    reason: str = "",
    *,
    score: float | None = None,
    task: str = _TASK,
    whole_task: str = "",
    insight: str = _INSIGHT,
    of: int = 0,
) -> RunRead:
    """The event of a run made by `run` and reflected on by `reflection`; `task` is the excerpt of `whole_task`."""
    shown = "" if use == "used" else f"Error analysis: {_ANALYSIS}\n\nKey insight: {insight}"
    return RunRead(
        trace, score, task, insight, use, reason, task_digest(whole_task or task), reflection=shown, of=of
    )


def was_skipped(
    trace: str, reason: SkipReason, detail: str = "", *, task: str = _TASK, attempt: int = 0
) -> RunSkipped:
    """The event of a run made by `run` that taught nothing."""
    return RunSkipped(trace, reason, detail, task_digest(task), attempt=attempt)


class Taken(NamedTuple):
    """A step that was taken: what came of it, and the calls that it made."""

    outcome: StepOutcome
    calls: tuple[ModelCall, ...]

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, in order."""
        return self.outcome.events

    @property
    def playbook(self) -> Playbook:
        """The playbook after the step."""
        return self.outcome.playbook

    @property
    def contents(self) -> list[str]:
        """The texts of the playbook after the step."""
        return [bullet.content for bullet in self.playbook.bullets]


def take_step(
    before: Playbook,
    traces: Sequence[Trace],
    replies: Sequence[Reply],
    *,
    settings: ACESettings | None = None,
    rules: bytes = b"",
    step: int = STEP,
    **more: Any,
) -> Taken:
    """Take a step that gets these replies. Each has to be asked for, and none more. `more` is for `run_step`."""
    waiting = list(replies)
    calls: list[ModelCall] = []
    generator = run_step(
        before, traces, settings or ACESettings(), rules_lines=lines_outside(rules), step=step, **more
    )
    try:
        batch = next(generator)
        while True:
            calls.extend(batch)
            batch = generator.send(tuple([waiting.pop(0) for _ in batch]))
    except StopIteration as stop:
        if waiting:
            raise AssertionError(f"{len(waiting)} replies were not asked for") from None
        return Taken(stop.value, tuple(calls))


def curate(
    before: Playbook, *operations: Any, settings: ACESettings | None = None, rules: bytes = b""
) -> Taken:
    """Take a step of one run `a` without tags, whose Curator asks for these operations."""
    return take_step(before, [run()], [reflection(), curation(*operations)], settings=settings, rules=rules)
