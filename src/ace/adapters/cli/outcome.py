"""What `ace learn` came to, as one JSON object: see docs/models.md."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from ace.adapters.traces.collection import Collection
from ace.domain.summary import count
from ace.events.types import BulletAdded
from ace.learning import Plan, Report

__all__ = ["as_json", "of_files", "of_plan", "of_report"]

_LEFT = ("failed", "refused", "untried", "unusable", "pending", "too_long", "elsewhere")


def of_report(report: Report, passed_over: int) -> dict[str, Any]:
    """What was read and learned, what is left and why, and what it cost."""
    return {
        "runs": report.runs,
        "passed_over": passed_over,
        "counts": {
            key: number for key, number in msgspec.structs.asdict(count(report.events)).items() if number
        },
        "added": [
            {"id": event.id, "section": event.section, "content": event.content}
            for event in report.events
            if isinstance(event, BulletAdded)
        ],
        "left": {name: list(runs) for name in _LEFT if (runs := getattr(report, name))},
        "middle_of_a_run": list(report.endless),
        "later": report.later,
        "gave_up": report.gave_up,
        "block_changed": report.block_before != report.block_after,
        "calls": report.calls,
        "reused": report.reused,
        "input_tokens": report.input_tokens,
        "output_tokens": report.output_tokens,
        "seconds": round(report.seconds, 3),
    }


def of_plan(plan: Plan, goes_to: str) -> dict[str, Any]:
    """What would be read, and what that would cost."""
    return {
        "dry_run": True,
        "runs": [msgspec.structs.asdict(run) for run in plan.runs],
        "passed_over": plan.passed_over,
        "middle_of_a_run": plan.middle,
        "later": plan.later,
        "calls": plan.calls,
        "characters": plan.characters,
        "tokens": plan.tokens,
        "goes_to": goes_to,
    }


def of_files(collection: Collection) -> dict[str, Any]:
    """What of the files could not be read."""
    unread = [file.error for file in collection.files if file.error and file.source.named]
    flaws = [
        f"{flaw.file}, line {flaw.line}: {flaw.reason}"
        for file in collection.files
        for flaw in (*file.unreadable, *file.left_out)
        if not flaw.repeated
    ]
    return {"not_read": [*unread, *flaws]}


def as_json(outcome: dict[str, Any]) -> str:
    """The object on one line, as ASCII: a path may be no text in UTF-8."""
    return json.dumps(outcome)
