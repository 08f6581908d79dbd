"""One pass of the method over a step's traces, without I/O: a generator that yields model calls and takes replies.

The generator yields a *batch* of calls, a tuple, and takes a tuple of replies in the same order. It returns a `StepOutcome`. The
same code runs under any host, under the command line and in a test that answers by hand. The runs are read in groups of
`reflections_at_once`, one after the other:

    one Reflector's call a run -> replies -> all tags counted, run by run
    -> one Curator's call a run, each shown the playbook with those tags -> replies -> bullets added, run by run
    -> next group … -> refine

With groups of one, which is the default, every run sees the playbook as the run before left it. What comes of a batch depends on
its replies alone, not on the order in which they came.

Whatever a reply holds, no exception leaves for it: it becomes an event. What is asked about a run follows from its past
(see `unread`): both roles, the Curator alone, or nobody.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Generator, Iterator, Mapping, Sequence
from copy import copy
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final, Literal, NamedTuple

import msgspec

from ace.domain.decide import add_bullet, count_tag, refine
from ace.domain.had import had_in
from ace.domain.patience import Patience
from ace.domain.playbook import Draft, Playbook
from ace.domain.replies import (
    REFLECTION_SCHEMA,
    Curation,
    Reflection,
    UnusableReplyError,
    curation_schema,
    read_curation,
    read_reflection,
)
from ace.domain.rules_block import Line
from ace.domain.screens import safe_excerpt
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace, is_run, task_of
from ace.domain.transcript import clip, fence, outcome, sanitize, task_text, transcript
from ace.domain.unread import TRIES, Past, identities
from ace.events.types import (
    BulletAdded,
    CurationUse,
    DuplicateRejected,
    Event,
    Identity,
    RunRead,
    RunSkipped,
    SkipReason,
    TagCounted,
)

__all__ = [
    "REFLECTION_LIMIT",
    "Batch",
    "CallFailed",
    "Decision",
    "FailedCall",
    "ModelCall",
    "Replies",
    "Reply",
    "Role",
    "StepOutcome",
    "Stopped",
    "decide_again",
    "run_step",
    "whole_number",
]

type Role = Literal["reflector", "curator"]

REFLECTION_LIMIT: Final = 16_000
"""The most characters of a reflection that the Curator is shown, and that the log keeps where it is to be asked again."""

DEFAULTS: Final = ACESettings()
NOTHING: Final[Mapping[str, Line]] = {}

_PART_LIMIT: Final = 8_000
_REASON_LIMIT: Final = 400


class ModelCall(msgspec.Struct, frozen=True, kw_only=True):
    """A question that a step has: who asks, about which trace, and the parts that fill the role's prompt.

    `run` counts the runs of the step from 1. The parts are redacted, and text that is data is fenced. `schema` is the JSON schema
    of the reply, the same for all calls of a role with the same settings.
    """

    role: Role
    run: int
    trace: str
    parts: Mapping[str, str]
    schema: Mapping[str, Any]


class CallFailed(msgspec.Struct, frozen=True):
    """Takes the place of a reply, if the call did not get through.

    `is_permanent` says that every further call would fail too: the step makes none. `too_long` says that the prompt is longer than
    the model takes.
    """

    reason: str
    is_permanent: bool = False
    too_long: bool = False


type Reply = str | CallFailed
type Batch = tuple[ModelCall, ...]
type Replies = tuple[Reply, ...]


class Stopped(msgspec.Struct, frozen=True):
    """Why a step made no further calls: every one would fail (`is_permanent`), or nothing usable came of the first ones."""

    reason: str
    is_permanent: bool


class FailedCall(msgspec.Struct, frozen=True):
    """A call that brought no reply: to which trace it belongs, why, and how many characters of the trace it showed."""

    identities: tuple[Identity, ...]
    reason: str
    shown: int
    too_long: bool


class Decision(msgspec.Struct, frozen=True):
    """What a step took for granted, should it have to be decided again because another step came first (`decide_again`).

    `shown` are the ids of the playbook that it began with, `pasts` what was known of its runs, `patience` the state of
    its command then, `instructions` what each role was asked with. `replies` are the models', by role and number of the run. `added`
    says which id each operation got, by the number of its run and its place in the reply.
    """

    shown: frozenset[str]
    pasts: tuple[Past, ...]
    patience: Patience
    instructions: Mapping[Role, str] = {}
    replies: Mapping[tuple[Role, int], Reply] = {}
    added: Mapping[tuple[int, int], str] = {}


class StepOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a step: all its events in order, and the playbook after them.

    `asked` and `answered` count model calls; a step of which no call was answered failed as a whole. `failed_calls` are the
    ones that were not, but for those that would have failed for any run. `stopped` says why calls were left out, if any.
    `decision` is what `decide_again` needs.
    """

    events: tuple[Event, ...]
    playbook: Playbook
    asked: int
    answered: int
    decision: Decision
    failed_calls: tuple[FailedCall, ...] = ()
    stopped: Stopped | None = None

    @property
    def failed(self) -> bool:
        """Whether calls were made and none got through."""
        return self.asked > 0 and self.answered == 0


def run_step(
    playbook: Playbook,
    traces: Sequence[Trace],
    settings: ACESettings = DEFAULTS,
    *,
    rules_lines: Mapping[str, Line] = NOTHING,
    step: int = 1,
    pasts: Sequence[Past] = (),
    withdrawn: Collection[str] = frozenset(),
    screen: Callable[[str], str | None] | None = None,
    patience: Patience | None = None,
    instructions: Mapping[Role, str] = MappingProxyType({}),
) -> Generator[Batch, Replies, StepOutcome]:
    """Reflect on each run of `traces`, curate, and refine the playbook.

    `rules_lines` holds the lines of the rules files around the block (`Rules.lines`), `step` is the number that new bullets
    carry. `pasts` says of each trace what was made of it before (without any, nothing was). `withdrawn` holds the keys
    (`playbook.key_of`) of texts that a person took out and that do not come back. `screen` is the host's own: a function of a
    bullet's line that says why the host refuses it, or None; what it raises leaves this generator. `patience` is shared by
    the steps of one command. `instructions` are the words of each role's prompt without its parts: a reply that only repeats them is
    unusable, and none of them becomes a bullet.

    Raises `ValueError` for a step number that is not a whole number, and for replies other than a tuple of one reply a call.
    """
    pasts = tuple(pasts) or (Past(),) * len(traces)
    patience = patience or Patience()
    shown = frozenset(bullet.id for bullet in playbook.bullets)
    first = Decision(shown, pasts, copy(patience), instructions)
    work = _StepState(playbook, settings, rules_lines, whole_number(step), withdrawn, screen, patience, first)
    return (yield from work.over(traces, pasts))


def decide_again(
    first: Decision,
    playbook: Playbook,
    traces: Sequence[Trace],
    settings: ACESettings = DEFAULTS,
    *,
    rules_lines: Mapping[str, Line] = NOTHING,
    step: int = 1,
    pasts: Sequence[Past] = (),
    withdrawn: Collection[str] = frozenset(),
    screen: Callable[[str], str | None] | None = None,
) -> StepOutcome:
    """Decide a step on another playbook, the one that another step left, from the replies that it has. No model is asked. The
    other arguments are those of `run_step`, as they are now.

        an id in a reply                        now means
        of a bullet that the prompt showed      itself; nothing, if the bullet is gone
        that this step had given                the number that its bullet got now, or the bullet that made it a duplicate;
                                                nothing, if it did not come in this time
        any other, also one that was given by   nothing: the tag is ignored
          the other step

    A run that the other step has read meanwhile is passed over.
    """
    pasts = tuple(pasts) or first.pasts
    work = _StepState(
        playbook, settings, rules_lines, whole_number(step), withdrawn, screen, copy(first.patience), first
    )
    work.ids = {identifier: identifier for identifier in first.shown}
    deciding = work.over(traces, pasts)
    # The first time it stopped before this one; what stopped it is not asked this time.
    left = CallFailed("the endpoint was not asked any more", is_permanent=True)
    try:
        batch = next(deciding)
        while True:
            batch = deciding.send(tuple([first.replies.get((call.role, call.run), left) for call in batch]))
    except StopIteration as stop:
        outcome: StepOutcome = stop.value
        return outcome


def whole_number(value: Any) -> int:
    """A step's number as an `int`. Raises `ValueError` for anything else, a bool and a number in a text included, and for one
    that a line of the log cannot hold.
    """
    if not isinstance(value, bool):
        try:
            number = operator.index(value)
        except TypeError:
            pass
        else:
            if -(2**63) <= number < 2**63:
                return number
    raise ValueError(f"the step's number is not a whole number: {safe_excerpt(repr(value), 40)}")


class _Run(msgspec.Struct):
    """A run of a group: its number in the step, and what has come of it so far.

    `reflection` and `insight` are what the Curator is shown, and the log keeps; of a run that is not to be curated, `skipped` says why.
    """

    number: int
    trace: Trace
    past: Past
    reflection: str = ""
    insight: str = ""
    skipped: RunSkipped | None = None


class _Asking(NamedTuple):
    """What is asked about a run: the parts of the prompt that are its own, and how many characters of the run they show."""

    run: _Run
    parts: Mapping[str, str]
    shown: int


class _StepState:
    """The state of a step while it runs."""

    def __init__(
        self,
        playbook: Playbook,
        settings: ACESettings,
        rules_lines: Mapping[str, Line],
        step: int,
        withdrawn: Collection[str],
        screen: Callable[[str], str | None] | None,
        patience: Patience,
        first: Decision,
    ) -> None:
        self.draft = Draft(playbook)
        self.settings = settings
        self.rules_lines = rules_lines
        self.step = step
        self.withdrawn = withdrawn
        self.screen = screen
        self.patience = patience
        self.first = first
        # One role may hand on what another one was told.
        self.told = "\n".join(first.instructions.values())
        self.ids: dict[str, str] | None = None
        self.replies: dict[tuple[Role, int], Reply] = {}
        self.added: dict[tuple[int, int], str] = {}
        self.schemas = {"reflector": REFLECTION_SCHEMA, "curator": curation_schema(settings.sections)}
        self.events: list[Event] = []
        self.failed_calls: list[FailedCall] = []
        self.stopped: Stopped | None = None
        self.unusable: list[tuple[int, Past]] = []
        self.vain = ""
        self.given: set[Identity] = set()
        self.group: list[_Run | RunSkipped] = []
        self.runs = self.asked = self.answered = 0

    def over(self, traces: Sequence[Trace], pasts: Sequence[Past]) -> Generator[Batch, Replies, StepOutcome]:
        limit = self.settings.max_traces_per_step or len(traces)
        for trace, before, past in zip(traces, self.first.pasts, pasts, strict=True):
            if (why := before.settled(trace)) is not None and is_run(trace):
                self.skip(trace, "given twice", why)
            elif not is_run(trace):
                self.skip(trace, "middle of a run")
            elif self.was_given(trace):
                self.skip(trace, "given twice", "another trace of this step is the same run")
            elif self.runs == limit:
                self.skip(trace, "over the limit", f"max_traces_per_step is {limit}")
            elif past.settled(trace) is not None or _waits_for(past) != _waits_for(before):
                self.runs += 1  # it was asked about: its number and its place under the limit are used
                self.skip(trace, "given twice", f"line {past.read} of the log has read it meanwhile")
            elif self.stopped is not None:
                self.skip(trace, "failed call", _not_asked(self.stopped))
            else:
                self.runs += 1
                self.group.append(_Run(self.runs, trace, past))
            # By its number: so a group ends with the same run when the step is decided again.
            if self.runs % self.settings.reflections_at_once == 0:
                yield from self.read()
        yield from self.read()
        return self.outcome()

    def outcome(self) -> StepOutcome:
        self._number_attempts()
        self.emit(refine(self.draft, self.settings))
        return StepOutcome(
            events=tuple(self.events),
            playbook=self.draft.freeze(),
            asked=self.asked,
            answered=self.answered,
            decision=msgspec.structs.replace(self.first, replies=self.replies, added=self.added),
            failed_calls=tuple(self.failed_calls),
            stopped=self.stopped,
        )

    def emit(self, events: Sequence[Event]) -> None:
        self.draft.apply(events)
        self.events.extend(events)

    def skip(self, trace: Trace, reason: SkipReason, detail: str = "") -> None:
        event = _skipped(trace, reason, detail)
        if self.group:
            self.group.append(event)  # it is told in its place, when the runs before it are read
        else:
            self.emit((event,))

    def was_given(self, trace: Trace) -> bool:
        """Whether an earlier trace of this step is the same run; from now on this one is such, too."""
        names = set(identities(trace))
        twice = not names.isdisjoint(self.given)
        self.given |= names
        return twice

    def read(self) -> Generator[Batch, Replies, None]:
        """Read the runs of the group, and tell in order what became of each."""
        group, self.group = self.group, []
        runs = [one for one in group if isinstance(one, _Run)]
        yield from self._reflect([run for run in runs if run.past.pending is None])
        for run in runs:
            if run.past.pending is not None:  # its tags were counted by an earlier step
                run.reflection, run.insight = sanitize(run.past.pending.reflection), run.past.pending.insight
        replies = yield from self._curations([run for run in runs if run.skipped is None])
        for one in group:
            if isinstance(one, RunSkipped):
                self.emit((one,))
            elif one.skipped is not None:
                if one.skipped.reason == "unusable reply":
                    self.unusable.append((len(self.events), one.past))
                self.emit((one.skipped,))
            else:
                self._curate(one, replies[one.number])
        self._see_patience()

    def _reflect(self, runs: Sequence[_Run]) -> Generator[Batch, Replies, None]:
        """Ask the Reflector about these runs at once, and count its tags."""
        known = [(row.added_as.id, row.added_as.content) for row in self.draft.rows.values()]
        asked = []
        for run in runs:
            text = transcript(run.trace, self.settings.max_trace_characters)
            parts = {"trace": f"{outcome(run.trace, known)}\n\n{text}"}
            asked.append(_Asking(run, parts, len(text)))
        replies = yield from self._ask("reflector", asked)
        for one, reply in zip(asked, replies, strict=True):
            run = one.run
            if isinstance(reply, CallFailed):
                self._failed(one, reply)
                run.skipped = _skipped(run.trace, "failed call", safe_excerpt(reply.reason, _REASON_LIMIT))
                continue
            try:
                reflection = read_reflection(reply, self.told)
            except UnusableReplyError as error:
                self._in_vain(str(error))
                run.skipped = _skipped(run.trace, "unusable reply", str(error))
                continue
            self.patience.usable()
            self._count(run.trace, reflection)
            run.reflection = clip(_reflection_text(reflection), REFLECTION_LIMIT)
            run.insight = safe_excerpt(reflection.key_insight)
        self._see_patience()

    def _curations(self, runs: Sequence[_Run]) -> Generator[Batch, Replies, Mapping[int, Reply | None]]:
        """Ask the Curator about these runs at once. The replies by the runs' numbers; None stands for what is not asked any more."""
        if self.stopped is not None:
            return dict.fromkeys((run.number for run in runs), None)
        asked = []
        for run in runs:
            parts = {
                "reflection": fence("reflection", run.reflection),
                "task": fence("task", task_text(run.trace)),
            }
            asked.append(_Asking(run, parts, len(run.reflection)))
        replies = yield from self._ask("curator", asked)
        for one, reply in zip(asked, replies, strict=True):
            if isinstance(reply, CallFailed):
                self._failed(one, reply)
        return {one.run.number: reply for one, reply in zip(asked, replies, strict=True)}

    def _curate(self, run: _Run, reply: Reply | None) -> None:
        """Add the Curator's bullets, and tell that the run was read."""
        use, reason = self._used(run, reply)
        pending = run.past.pending
        if pending is None:
            kept = "" if use == "used" else run.reflection
            self.emit((_read(run.trace, run.insight, use, reason, reflection=kept),))
            return
        if use == "unusable reply" and pending.unusable + 1 >= TRIES:
            reason = f"{reason}; after {TRIES} such replies it is not asked again"
        self.emit((_read(run.trace, run.insight, use, reason, of=pending.of),))

    def _used(self, run: _Run, reply: Reply | None) -> tuple[CurationUse, str]:
        """What becomes of the Curator's reply, and why, if it is not used."""
        if reply is None:
            return "failed call", _not_asked(self.stopped)
        if isinstance(reply, CallFailed):
            return "failed call", safe_excerpt(reply.reason, _REASON_LIMIT)
        try:
            curation = read_curation(reply)
        except UnusableReplyError as error:
            self._in_vain(str(error))
            return "unusable reply", str(error)
        self.patience.usable()
        self._add(run, curation)
        return "used", ""

    def _number_attempts(self) -> None:
        """An unusable reply counts if the model is known to give usable ones: by an earlier step, or anywhere in this one."""
        if not self.patience.heard:
            return
        for place, past in self.unusable:
            event = self.events[place]
            attempt = past.unusable + 1
            if isinstance(event, RunSkipped):
                given_up = f"; after {TRIES} such replies the run is passed over" if attempt >= TRIES else ""
                self.events[place] = msgspec.structs.replace(
                    event, attempt=attempt, detail=f"{event.detail}{given_up}"
                )

    def _in_vain(self, reason: str) -> None:
        self.patience.in_vain()
        self.vain = reason

    def _see_patience(self) -> None:
        """Stop, if it is time to. This is seen when all replies of a batch are: a usable one may come behind others."""
        if self.stopped is None and self.vain and self.patience.is_spent:
            self.stopped = Stopped(
                f"{self.patience.in_a_row} calls in a row brought nothing usable, and none before them did; the last: {self.vain}",
                is_permanent=False,
            )

    def _count(self, trace: Trace, reflection: Reflection) -> None:
        counted: set[str] = set()
        for position, item in enumerate(reflection.tags):
            event = count_tag(self.draft, counted, trace.id, position, item, self.ids)
            if isinstance(event, TagCounted):
                counted.add(event.bullet)
            self.emit((event,))

    def _add(self, run: _Run, curation: Curation) -> None:
        for position, item in enumerate(curation.operations):
            event = add_bullet(
                self.draft,
                self.settings,
                self.rules_lines,
                trace=run.trace.id,
                position=position,
                step=self.step,
                item=item,
                withdrawn=self.withdrawn,
                screen=self.screen,
                instructions=self.told,
            )
            self.emit((event,))
            if isinstance(event, BulletAdded):
                self.added[run.number, position] = event.id
            given = self.first.added.get((run.number, position))
            if (
                self.ids is not None
                and given is not None
                and isinstance(event, BulletAdded | DuplicateRejected)
            ):
                self.ids[given] = event.id if isinstance(event, BulletAdded) else event.bullet

    def _ask(self, role: Role, asked: Sequence[_Asking]) -> Generator[Batch, Replies, Replies]:
        """Ask all of these at once."""
        if not asked:
            return ()
        filled = {
            "sections": "\n".join(f"- {section}" for section in self.settings.sections),
            "playbook": fence("playbook", "\n".join(self._bullets())),
        }
        batch = tuple(
            [
                ModelCall(
                    role=role,
                    run=run.number,
                    trace=run.trace.id,
                    parts={**filled, **parts},
                    schema=self.schemas[role],
                )
                for run, parts, _ in asked
            ]
        )
        self.asked += len(batch)
        replies = _checked((yield batch), len(batch))
        for call, reply in zip(batch, replies, strict=True):
            self.replies[role, call.run] = reply
            self.answered += not isinstance(reply, CallFailed)
        return replies

    def _failed(self, asked: _Asking, reply: CallFailed) -> None:
        """Note a call that brought no reply."""
        reason = safe_excerpt(reply.reason, _REASON_LIMIT)
        if reply.is_permanent:
            self.stopped = self.stopped or Stopped(reason, is_permanent=True)
            return
        self.failed_calls.append(FailedCall(identities(asked.run.trace), reason, asked.shown, reply.too_long))
        if not reply.too_long:
            self._in_vain(reason)

    def _bullets(self) -> Iterator[str]:
        if not self.draft.rows:
            yield "(no bullets yet)"
        for row in self.draft.rows.values():
            bullet = row.added_as
            text = _redacted(f"{bullet.section} :: {bullet.content}")
            yield f"[{bullet.id}] helpful={row.helpful} harmful={row.harmful} :: {text}"


@lru_cache(maxsize=20_000)
def _redacted(bullet: str) -> str:
    """A bullet as a prompt shows it: what the log holds is not screened again when screens widen. Every prompt shows them all."""
    return sanitize(bullet)


def _checked(replies: object, count: int) -> Replies:
    if not isinstance(replies, tuple) or len(replies) != count:
        raise ValueError(
            f"a batch of {count} takes a tuple of {count}, one reply a call: send(({'reply, ' * count}))"
        )
    if wrong := [reply for reply in replies if not isinstance(reply, str | CallFailed)]:
        raise ValueError(f"a reply is a text or a CallFailed, not a {type(wrong[0]).__name__}")
    return replies


def _waits_for(past: Past) -> int:
    """The line whose reflection the Curator is to be asked about, 0 if there is none."""
    return 0 if past.pending is None else past.pending.of


def _not_asked(stopped: Stopped | None) -> str:
    return f"not asked: {safe_excerpt(stopped.reason)}" if stopped else "not asked"


def _skipped(trace: Trace, reason: SkipReason, detail: str) -> RunSkipped:
    (_, digest), *aliases = identities(trace)
    return RunSkipped(trace.id, reason, detail, digest, tuple(aliases))


def _reflection_text(reflection: Reflection) -> str:
    analysis, insight = (
        clip(sanitize(text), _PART_LIMIT) for text in (reflection.error_analysis, reflection.key_insight)
    )
    return sanitize(f"Error analysis: {analysis}\n\nKey insight: {insight}")


def _read(
    trace: Trace, insight: str, use: CurationUse, reason: str, *, reflection: str = "", of: int = 0
) -> RunRead:
    (_, digest), *aliases = identities(trace)
    return RunRead(
        trace.id,
        trace.score,
        safe_excerpt(task_of(trace)),
        insight,
        use,
        reason,
        task_digest=digest,
        aliases=tuple(aliases),
        reflection=reflection,
        of=of,
        had=had_in(trace),
    )
