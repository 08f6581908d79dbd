"""One pass of the method over a step's traces, without I/O: a generator that yields model calls and takes replies.

The generator yields a *batch* of calls, a tuple, and takes a tuple of replies in the same order; here each batch is
one call, since every run is to see the playbook as the run before left it. It returns a `StepOutcome`. The same code
runs under any host, under the command line and in a test that answers by hand:

    reflector's call -> reply -> tags counted -> curator's call -> reply -> bullets added -> next run … -> refine

Whatever a reply holds, no exception leaves for it: it becomes an event.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Literal

import msgspec

from ace.domain.decide import add_bullet, count_tag, refine
from ace.domain.playbook import Draft, Playbook
from ace.domain.replies import (
    CURATION_SCHEMA,
    REFLECTION_SCHEMA,
    Curation,
    Reflection,
    UnusableReplyError,
    read_curation,
    read_reflection,
)
from ace.domain.screens import excerpt
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace, is_run, task_of
from ace.domain.transcript import fence, safe, task_text, transcript
from ace.events.types import Curation as CurationUse
from ace.events.types import Event, RunRead, RunSkipped, SkipReason, TagCounted

__all__ = [
    "SCHEMAS",
    "Batch",
    "CallFailed",
    "ModelCall",
    "Replies",
    "Reply",
    "Role",
    "StepOutcome",
    "run_step",
]

type Role = Literal["reflector", "curator"]

SCHEMAS: Mapping[Role, Mapping[str, Any]] = {"reflector": REFLECTION_SCHEMA, "curator": CURATION_SCHEMA}
"""The JSON schema of each role's reply."""


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a step has: who asks, about which trace, and the parts that fill the role's prompt.

    `run` counts the runs of the step from 1. The parts are redacted, and text that is data is fenced.
    """

    role: Role
    run: int
    trace: str
    parts: Mapping[str, str]


class CallFailed(msgspec.Struct, frozen=True):
    """Stands where a reply would, if the call did not get through."""

    reason: str


type Reply = str | CallFailed
type Batch = tuple[ModelCall, ...]
type Replies = tuple[Reply, ...]


class StepOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a step: all its events in order, and the playbook after them. `asked` and `answered` count model
    calls; a step of which no call was answered failed as a whole.
    """

    events: tuple[Event, ...]
    playbook: Playbook
    asked: int
    answered: int

    @property
    def failed(self) -> bool:
        """Whether calls were made and none got through."""
        return self.asked > 0 and self.answered == 0


def run_step(
    playbook: Playbook,
    traces: Sequence[Trace],
    settings: ACESettings,
    *,
    outside: Mapping[str, int],
    step: int,
) -> Generator[Batch, Replies, StepOutcome]:
    """Reflect on each run of `traces`, curate, and refine the playbook.

    `outside` holds the lines of the rules file around the block (`rules.lines_outside`), `step` is the number that
    new bullets carry.
    """
    work = _Step(playbook, settings, outside, step)
    limit = settings.max_traces_per_step or len(traces)
    for trace in traces:
        if not is_run(trace):
            work.skip(trace, "middle of a run")
        elif work.runs == limit:
            work.skip(trace, "over the limit", f"max_traces_per_step is {limit}")
        else:
            yield from work.read(trace)
    work.emit(refine(work.draft, settings))
    return StepOutcome(
        events=tuple(work.events),
        playbook=work.draft.freeze(),
        asked=work.asked,
        answered=work.answered,
    )


class _Step:
    """The state of a step while it runs."""

    def __init__(
        self, playbook: Playbook, settings: ACESettings, outside: Mapping[str, int], step: int
    ) -> None:
        self.draft = Draft(playbook)
        self.settings = settings
        self.outside = outside
        self.step = step
        self.events: list[Event] = []
        self.runs = self.asked = self.answered = 0

    def emit(self, events: Sequence[Event]) -> None:
        self.draft.apply(events)
        self.events.extend(events)

    def skip(self, trace: Trace, reason: SkipReason, detail: str = "") -> None:
        self.emit((RunSkipped(trace.id, reason, detail),))

    def read(self, trace: Trace) -> Generator[Batch, Replies, None]:
        self.runs += 1
        reply = yield from self._ask("reflector", trace, {"trace": fence("trace", transcript(trace))})
        if isinstance(reply, CallFailed):
            self.skip(trace, "failed call", excerpt(reply.reason))
            return
        try:
            reflection = read_reflection(reply)
        except UnusableReplyError as error:
            self.skip(trace, "unusable reply", str(error))
            return
        self._count(trace, reflection)
        use, reason = yield from self._curate(trace, reflection)
        self.emit((_read(trace, reflection, use, reason),))

    def _count(self, trace: Trace, reflection: Reflection) -> None:
        counted: set[str] = set()
        for position, item in enumerate(reflection.tags):
            event = count_tag(self.draft, counted, trace.id, position, item)
            if isinstance(event, TagCounted):
                counted.add(event.bullet)
            self.emit((event,))

    def _curate(
        self, trace: Trace, reflection: Reflection
    ) -> Generator[Batch, Replies, tuple[CurationUse, str]]:
        parts = {
            "reflection": fence("reflection", _reflection_text(reflection)),
            "task": fence("task", task_text(trace)),
        }
        reply = yield from self._ask("curator", trace, parts)
        if isinstance(reply, CallFailed):
            return "failed call", excerpt(reply.reason)
        try:
            curation = read_curation(reply)
        except UnusableReplyError as error:
            return "unusable reply", str(error)
        self._add(trace, curation)
        return "used", ""

    def _add(self, trace: Trace, curation: Curation) -> None:
        for position, item in enumerate(curation.operations):
            event = add_bullet(
                self.draft,
                self.settings,
                self.outside,
                trace=trace.id,
                position=position,
                step=self.step,
                item=item,
            )
            self.emit((event,))

    def _ask(self, role: Role, trace: Trace, parts: Mapping[str, str]) -> Generator[Batch, Replies, Reply]:
        shown = {
            "sections": "\n".join(f"- {section}" for section in self.settings.sections),
            "playbook": fence("playbook", "\n".join(self._bullets())),
        }
        call = ModelCall(role=role, run=self.runs, trace=trace.id, parts={**shown, **parts})
        self.asked += 1
        (reply,) = yield (call,)
        self.answered += not isinstance(reply, CallFailed)
        return reply

    def _bullets(self) -> Iterator[str]:
        if not self.draft.rows:
            yield "(no bullets yet)"
        for row in self.draft.rows.values():
            bullet = row.origin
            yield f"[{bullet.id}] helpful={row.helpful} harmful={row.harmful} :: {bullet.section} :: {bullet.content}"


def _reflection_text(reflection: Reflection) -> str:
    return safe(f"Error analysis: {reflection.error_analysis}\n\nKey insight: {reflection.key_insight}")


def _read(trace: Trace, reflection: Reflection, use: CurationUse, reason: str) -> RunRead:
    return RunRead(
        trace.id, trace.score, excerpt(task_of(trace)), excerpt(reflection.key_insight), use, reason
    )
