"""What a run is known by, and what the log says of it: whether it was read, is still to be read, or was given up.

A run's *identity* is its id together with the SHA-256 of its task: one id may come again with another task. The task is
taken as it was recorded, before any redaction, so that no change of a screen changes who a run is. A trace may have
aliases, other identities of the same run; it is known if one of them is in the log.

    the log says of the run                                  then
    nothing, or a failed call, or over the limit             it is to be read
    RunRead, and the Curator's reply was used                it was read
    RunRead, not used, and the reflection was kept           the Curator alone is to be asked, about that reflection
        … and three of the Curator's replies were unusable   it was read: the Curator is not asked again
    RunRead, not used, in a line of 0.1.0                    it was read: that version kept no reflection
    RunSkipped: an unusable reply, which counted             it is to be read, after three such it is given up
    RunSkipped: an unusable reply, in a line of 0.1.0        it is given up: that version asked once
    RunSkipped: middle of a run                              it is to be read once it is whole

A step that the host's check refused says nothing of its runs.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from ace.domain.screens import PLACEHOLDER, replace_surrogates, safe_excerpt
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace, is_run, short_digest, task_of
from ace.domain.transcript import transcript
from ace.domain.triage import Signs, in_order, signs_of
from ace.events.types import Identity, RunRead, RunSkipped, StepRecord

__all__ = [
    "TRIES",
    "Past",
    "Pending",
    "Place",
    "Said",
    "Tried",
    "Unread",
    "compared",
    "first",
    "id_digest",
    "identities",
    "identity",
    "known_by",
    "names_in",
    "past_of",
    "pasts_in",
    "said_in",
    "task_digest",
    "unread",
]

TRIES = 3
"""How many unusable replies to one question end the asking."""


class Said(NamedTuple):
    """What one line of the log says of one run: the line's `seq` and `time`, and the event."""

    seq: int
    time: str
    event: RunRead | RunSkipped


class Pending(msgspec.Struct, frozen=True):
    """A reflection that the Curator has yet to use: the `seq` of the line that keeps it, its excerpt, what the Curator is to
    be shown, and how many of the Curator's replies to it were unusable.
    """

    of: int
    insight: str
    reflection: str
    unusable: int


class Past(msgspec.Struct, frozen=True):
    """What the log says of a run.

    `read` is the `seq` of the last line in which it was reflected on, 0 if there is none; `pending` what is then left to be
    done. `unusable` counts the Reflector's unusable replies. `tried` is the time of the last line that tells of a failed try, `seen_in_part` says that a call in the middle of the run was there.
    """

    read: int = 0
    pending: Pending | None = None
    unusable: int = 0
    tried: str = ""
    seen_in_part: bool = False

    def settled(self, trace: Trace) -> str | None:
        """Why there is nothing left to be read of the trace, or None if there is."""
        if self.unusable >= TRIES:
            return "given up after unusable replies"
        if self.read and self.pending is None:
            return f"line {self.read} of the log has read it"
        if self.seen_in_part and not is_run(trace):
            return "seen already, in the middle of a run"
        return None


# --- identity -------------------------------------------------------------------------------------------------------


def task_digest(task: str) -> str:
    """The SHA-256 of a task in hex; lone surrogates count as U+FFFD."""
    return hashlib.sha256(replace_surrogates(task).encode()).hexdigest()


def identity(trace: Trace) -> Identity:
    """The id and the task's digest, as events hold them."""
    return trace.id, task_digest(task_of(trace))


def identities(trace: Trace) -> tuple[Identity, ...]:
    """All identities of a trace, its own first."""
    return identity(trace), *((name, task_digest(task)) for name, task in trace.aliases)


def known_by(trace: Trace) -> Trace:
    """The trace without what was said in it but the task: enough to be known by."""
    return Trace(id=trace.id, task=task_of(trace), aliases=trace.aliases)


_KEPT_DIGEST = re.compile(r"(?:.* )?#([0-9a-f]{12})", re.DOTALL)


def id_digest(identifier: str) -> str:
    """What a run's id is compared by. An id that could not be kept as it was has a digest of what it was behind its excerpt
    (see `Trace`): that digest, or the same digest of an id that was kept. So an id is the same before and after a screen
    learns to refuse it.
    """
    kept = _KEPT_DIGEST.fullmatch(identifier)
    return kept[1] if kept else short_digest(identifier)


def compared(names: Iterable[Identity]) -> list[Identity]:
    """Identities as they are compared: `id_digest` in place of the id."""
    return [(id_digest(name), digest) for name, digest in names]


def names_in(event: RunRead | RunSkipped) -> list[Identity]:
    """What an event calls its run, as it is compared; the task's digest is empty in lines of 0.1.0."""
    return compared([(event.trace, event.task_digest), *event.aliases])


# --- what the log says ----------------------------------------------------------------------------------------------


def said_in(record: StepRecord) -> Iterator[Said]:
    """What a line says of runs."""
    for event in record.applied:
        if isinstance(event, RunRead | RunSkipped):
            yield Said(record.seq, record.time, event)


def past_of(trace: Trace, said: Iterable[Said]) -> Past:
    """What lines of the log say of this trace, in their order; what they say of others is passed over."""
    own = _Names(trace)
    past = Past()
    for one in said:
        if own.are_of(one.event):
            past = _after(past, one)
    return past


def pasts_in(records: Iterable[StepRecord]) -> dict[Identity, Past]:
    """What a log says of each run in it, by the identity under which the run is first spoken of."""
    pasts: dict[Identity, Past] = {}
    first: dict[Identity, Identity] = {}
    for record in records:
        for said in said_in(record):
            names = names_in(said.event)
            known = next((first[name] for name in names if name in first), names[0])
            first.update(dict.fromkeys(names, known))
            pasts[known] = _after(pasts.get(known, Past()), said)
    return pasts


def _after(past: Past, said: Said) -> Past:
    if isinstance(said.event, RunRead):
        return _after_read(past, said.seq, said.time, said.event)
    return _after_skip(past, said.time, said.event)


def _after_read(past: Past, seq: int, time: str, event: RunRead) -> Past:
    if event.of == 0:
        pending = None
        if event.curation != "used" and event.reflection:
            pending = Pending(seq, event.insight, event.reflection, int(event.curation == "unusable reply"))
        return Past(read=seq, pending=pending, tried=time if pending else "")
    pending = past.pending
    if event.curation == "used" or pending is None or pending.of != event.of:
        return msgspec.structs.replace(past, pending=None if event.curation == "used" else pending)
    if event.curation == "unusable reply":
        pending = msgspec.structs.replace(pending, unusable=pending.unusable + 1)
    left = None if pending.unusable >= TRIES else pending
    return msgspec.structs.replace(past, pending=left, tried=time)


def _after_skip(past: Past, time: str, event: RunSkipped) -> Past:
    match event.reason:
        case "unusable reply":
            # 0.1.0 asked once, and wrote no digest.
            unusable = event.attempt if event.task_digest else TRIES
            return msgspec.structs.replace(past, unusable=unusable or past.unusable, tried=time)
        case "failed call":
            return msgspec.structs.replace(past, tried=time)
        case "middle of a run":
            return msgspec.structs.replace(past, seen_in_part=True)
        case _:
            return past


class _Names:
    """What a trace is called, to be compared with what events say."""

    def __init__(self, trace: Trace) -> None:
        self._pairs = set(compared(identities(trace)))
        self._tasks: dict[str, list[str]] = {}
        for name, task in ((trace.id, task_of(trace)), *trace.aliases):
            self._tasks.setdefault(id_digest(name), []).append(task)

    def are_of(self, event: RunRead | RunSkipped) -> bool:
        if event.task_digest:
            return not self._pairs.isdisjoint(names_in(event))
        tasks = self._tasks.get(id_digest(event.trace), ())
        if isinstance(event, RunSkipped):
            return bool(tasks)
        return any(_is_excerpt_of_0_1_0(event.task, task) for task in tasks)


def _is_excerpt_of_0_1_0(kept: str, task: str) -> bool:
    """Whether 0.1.0 may have made this excerpt of this task.

    It folded white space, put a placeholder where its screens saw a credential, cut at 200 characters, and withheld what
    its other screens refused. The screens of today see more: so a task is compared with what was left of it.
    """
    if kept == safe_excerpt(task):
        return True
    text, at = " ".join(replace_surrogates(task).split()), 0
    cut = kept.endswith("…")
    *pieces, last = _without_half_a_placeholder(kept[:-1] if cut else kept, cut=cut).split(PLACEHOLDER)
    for number, piece in enumerate(pieces):
        found = text.find(piece, at)
        if found < 0 or (number == 0 and found > 0):
            return False
        at = found + len(piece)
    if not pieces:
        return text.startswith(last) if cut else text == last
    return last in text[at:] if cut else text[at:].endswith(last)


def _without_half_a_placeholder(head: str, *, cut: bool) -> str:
    """The cut may have gone through a placeholder."""
    halves = (PLACEHOLDER[:length] for length in range(len(PLACEHOLDER) - 1, 0, -1))
    half = next((half for half in halves if cut and head.endswith(half)), "")
    return head.removesuffix(half)


# --- which runs are to be read ----------------------------------------------------------------------------------------


class Tried(msgspec.Struct, frozen=True):
    """The last failed call of a run: when, why, whether the prompt was too long, how many characters of the run it showed,
    and to which model.
    """

    time: str
    reason: str
    too_long: bool
    shown: int
    model: str


type Place = Hashable
"""Where a trace is, for whoever gave it: traces may be too many to be held at once."""


class Unread(NamedTuple):
    """A trace of which there is something left to be read: where it is, what it is called, whether it is a run, when it was last
    tried without success (empty: never), and, if the runs that teach most are to come first, what it shows of that.
    """

    place: Place
    id: str
    is_run: bool
    tried: str
    signs: Signs | None = None


def unread(
    traces: Iterable[tuple[Place, Trace]],
    past_of: Callable[[Trace], Past],
    tried_of: Callable[[Trace], Tried | None],
    settings: ACESettings,
    model: str,
    *,
    again: bool,
    triaged: bool = False,
) -> tuple[list[Unread], int]:
    """The traces of which something is left to be read, or, with `again`, all of them; and how many the log has read.

    They come in the order in which they were given, or, `triaged`, the runs first that teach most. Runs that were tried without success come last, the one whose last try is the longest ago first: so none of them keeps others
    from being read. A run that was too long for this model is left out until fewer of its characters would be shown.
    """
    found: list[Unread] = []
    passed = 0
    for place, trace in traces:
        signs = signs_of(trace) if triaged and is_run(trace) else None
        if again:
            found.append(Unread(place, trace.id, is_run(trace), "", signs))
            continue
        past, tried = past_of(trace), tried_of(trace)
        if past.settled(trace) is not None:
            passed += 1
        elif tried is None or not _is_too_long_still(tried, trace, past, settings, model):
            last = max(past.tried, tried.time if tried else "")
            found.append(Unread(place, trace.id, is_run(trace), last, signs))
    ordered = _those_that_teach_most_first(found) if triaged else found
    return sorted(ordered, key=lambda one: one.tried), passed


def _those_that_teach_most_first(found: Sequence[Unread]) -> list[Unread]:
    """The same, ordered; a call in the middle of a run stays before the run behind it, and behind the last run at the end."""
    groups: list[list[Unread]] = [[]]
    for one in found:
        groups[-1].append(one)
        if one.is_run:
            groups.append([])
    *runs, rest = groups
    order = in_order([signs for group in runs if (signs := group[-1].signs) is not None])
    return [one for at in order for one in runs[at]] + rest


def first(unread: Sequence[Unread], limit: int | None) -> list[Unread]:
    """The first so many runs, with what goes along with them; all, without a limit."""
    chosen: list[Unread] = []
    runs = 0
    for one in unread:
        if one.is_run and runs == limit:
            break
        chosen.append(one)
        runs += one.is_run
    return chosen


def _is_too_long_still(tried: Tried, trace: Trace, past: Past, settings: ACESettings, model: str) -> bool:
    if not tried.too_long or tried.model != model:
        return False
    if past.pending is not None:
        return len(past.pending.reflection) >= tried.shown
    return len(transcript(trace, settings.max_trace_characters)) >= tried.shown
