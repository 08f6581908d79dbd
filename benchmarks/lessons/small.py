"""Small real models: whether their replies can be used, what of them passes the checks, and whether anything was copied.

Asks an endpoint that serves a small model (with a JSON schema, so that a reply has the asked shape) about recorded runs, and counts.
The lessons of such a model are worth nothing: this measures format, accounting and the guards against copies. Replies that were
written to a file are measured again without an endpoint, when the guards have changed.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ace.adapters.models import CallRecorder
from ace.adapters.models.asking import drive
from ace.adapters.models.calls import RecordedCall
from ace.adapters.models.prompts import instructions
from ace.domain.content import is_placeholder, repeats
from ace.domain.errors import CallError
from ace.domain.playbook import Bullet, Playbook
from ace.domain.settings import ACESettings
from ace.domain.step import run_step
from ace.domain.trace import Trace
from ace.events.types import BulletAdded, Event, OperationIgnored, RunRead, RunSkipped, TagCounted, TagIgnored
from ace.ports import Completion, Model, Request

__all__ = ["ask", "told", "with_lengths"]

_LONGEST: Mapping[str, int] = {"error_analysis": 600, "key_insight": 300, "content": 300, "id": 16}
"""Characters of each text, where an endpoint takes `maxLength`: a small model ends few texts by itself."""

START = Playbook(
    4,
    (
        Bullet(
            "ace-00001", "Code and commands", "Quote file names in shell loops; some hold spaces.", 1, 0, 1
        ),
        Bullet(
            "ace-00002", "Strategies and insights", "Read the failing test before the first edit.", 2, 0, 1
        ),
        Bullet("ace-00003", "Others", "Tell the user which files were left as they were.", 0, 0, 1),
    ),
)
"""A playbook to be tagged: counts that a model copies from an example would show on it."""


def with_lengths(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema with `maxLength` for each text."""
    wider = copy.deepcopy(dict(schema))
    pending: list[dict[str, Any]] = [wider]
    while pending:
        part = pending.pop()
        for name, value in part.get("properties", {}).items():
            if value.get("type") == "string" and name in _LONGEST and "enum" not in value:
                value["maxLength"] = _LONGEST[name]
            pending.append(value)
        if "items" in part:
            pending.append(part["items"])
    return wider


class _Limited:
    """A model that is asked at most so many times, with lengths in the schema if wanted."""

    def __init__(self, model: Model, calls: int, *, lengths: bool) -> None:
        self._model = model
        self._left = calls
        self._lengths = lengths

    def complete(self, request: Request) -> Completion:
        """The model's reply. Raises `CallError` when no call is left."""
        if self.spent:
            raise CallError("no call is left")
        self._left -= 1
        schema = with_lengths(request.schema) if self._lengths else request.schema
        return self._model.complete(
            Request(
                role=request.role, run=request.run, trace=request.trace, prompt=request.prompt, schema=schema
            )
        )

    @property
    def spent(self) -> bool:
        return self._left <= 0


def ask(
    model: Model, runs: Sequence[Trace], calls: int, characters: int, *, lengths: bool
) -> tuple[list[RecordedCall], list[Event]]:
    """Ask about the runs, one step each, until the calls are spent; every step begins with the same playbook."""
    limited = _Limited(model, calls, lengths=lengths)
    recorder = CallRecorder(limited)
    events: list[Event] = []
    for number, trace in enumerate(runs, 1):
        if limited.spent:
            break
        step = run_step(
            START,
            [trace],
            ACESettings(max_trace_characters=characters),
            step=number,
            instructions=instructions(),
        )
        events += drive(step, recorder).events
    unasked = ("no call is left", "no recorded reply")
    return [call for call in recorder.calls if not (call.error or "").startswith(unasked)], events


def told(model: str, calls: Sequence[RecordedCall], events: Sequence[Event]) -> str:
    """A row of the table: calls and how many replies were used, and what of them passed."""
    said = instructions()
    kinds = Counter(type(event) for event in events)
    unusable = sum(isinstance(event, RunSkipped) and event.reason == "unusable reply" for event in events)
    unusable += sum(isinstance(event, RunRead) and event.curation == "unusable reply" for event in events)
    failed = sum(call.error is not None for call in calls)
    used = len(calls) - failed - unusable
    added = [event for event in events if isinstance(event, BulletAdded)]
    copied = sum(
        is_placeholder(event.content) or any(repeats(event.content, one) for one in said.values())
        for event in added
    )
    ignored = Counter(event.reason for event in events if isinstance(event, OperationIgnored))
    kept_out = ignored["it repeats the prompt"] + ignored["it has no text"]
    share = f"{used / len(calls):.0%}" if calls else "none"
    return (
        f"| {model} | {len(calls)} | {used} ({share}) | {failed} | {unusable} | {len(added)} | {copied} | {kept_out} "
        f"| {kinds[TagCounted]} | {kinds[TagIgnored]} |"
    )


HEAD = (
    "| model | calls | used | cut off or failed | unusable | bullets | of them copied | copies kept out | tags counted | tags "
    "ignored |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
)
