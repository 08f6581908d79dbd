"""What a host implements, and what it gets: the ports between the method and everything around it.

A *host* serves agents, records their runs and keeps their rules; a *method* turns runs into better rules. The host calls
`Method.step` with a `StepContext` (what there is) and `Services` (what the method may ask for), and gets a `StepResult`.

    Services   what a step may ask of the host: a model by its name, and whether a tree is admitted
    Model      one question to a language model
    Traces     recorded runs that are too many to be held at once
    Book       where one playbook is kept: log, state, rules and records. A step speaks with it in values, and knows no path

What a method promises: a step that raises `StepError` has learned nothing, and its traces can be tried again (what an
earlier, killed step left undone may have been done by then, and a playbook that the host brought may have been logged).
`LockedError` passes once the other step is over, `EndpointError` once the endpoint answers; any other `AceError` names
something that a person has to fix (a damaged file, malformed markers). A step that returns is in the log, also when the
check refused its tree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Any, Protocol, runtime_checkable

import msgspec

from ace.domain.chain import LogTail
from ace.domain.errors import StepError
from ace.domain.opening import OpenState
from ace.domain.patience import Patience
from ace.domain.playbook import Playbook
from ace.domain.rules_block import Candidate, Rules
from ace.domain.step import FailedCall, Role, Stopped, whole_number
from ace.domain.trace import Trace
from ace.domain.unread import Past, Place
from ace.events.types import Event, Outcome, PlaybookRestored, Removed, StepRecord

__all__ = [
    "NO_REVIEW",
    "Announced",
    "Book",
    "Completion",
    "Method",
    "Model",
    "Request",
    "Screens",
    "Services",
    "StepContext",
    "StepResult",
    "Traces",
    "Usage",
]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a model.

    `role` and `trace` say who asks about which trace; `run` counts the runs of the step from 1. `prompt` is the whole
    text to send, credentials redacted. `schema` is the JSON schema of the reply (draft 2020-12, all keys required).
    """

    role: Role
    run: int
    trace: str
    prompt: str
    schema: Mapping[str, Any]


class Completion(msgspec.Struct, frozen=True, kw_only=True):
    """A model's reply; the token counts are None where the endpoint does not tell them.

    `finish_reason` is how the endpoint says that the reply ended, and `found` where in its answer the text was found
    (`content`, `content parts`, `tool call`); both may be empty.
    """

    text: str
    model: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    finish_reason: str = ""
    found: str = ""


class Model(Protocol):
    """A language model behind whatever transport the host has."""

    def complete(self, request: Request) -> Completion:
        """Return the reply.

        Raises `CallError` if this call failed (the run is read another time), `TooLongError` if the prompt is longer than
        the model takes, and `EndpointError` if every call would fail (no more are made). Time-outs and retries are the
        model's own. Any other exception counts as a failed call.

        If the setting `reflections_at_once` is more than 1, several threads call this at the same time.
        """
        ...


@runtime_checkable
class Traces(Protocol):
    """Recorded runs that are too many to be held at once: all are gone through to choose, and those that were chosen are read
    again. In memory a list of traces does.
    """

    def listed(self) -> Iterator[tuple[Place, Trace]]:
        """Every trace once, each with its place, by which it can be read again."""
        ...

    def read(self, places: Sequence[Place]) -> Iterator[Trace | None]:
        """The traces of these places, in this order; None for one that is not there any more."""
        ...


@runtime_checkable
class Announced(Protocol):
    """What a `Model` may have as well: it hears of all calls of a batch, in the order of the runs, before the first of them begins.
    So what it decides about them need not depend on which thread comes first.
    """

    def announce(self, requests: Sequence[Request]) -> None:
        """These are asked next, all at once. Raises nothing."""
        ...


@runtime_checkable
class Screens(Protocol):
    """What a host's `Services` may have as well: a screen of its own for single lessons."""

    def screen(self, line: str) -> str | None:
        """Why the host refuses a bullet whose line in the block is this one, or None.

        Total, pure and fast: it is asked once for each lesson that the other screens let through, and a lesson that it
        refuses costs itself alone, where `check` costs the whole step. What it raises ends the step before anything is
        written.
        """
        ...


class Services(Protocol):
    """What a method may ask of its host during a step."""

    def model(self, name: str) -> Model:
        """The model of that name; `served` is the one that serves the agent. Raises `EndpointError` if unknown."""
        ...

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """Whether the host admits a tree in which `files` (by path within the tree) are these: None, or the reason
        why not. Called with the unchanged files before the first model call and with the candidate after the last.
        """
        ...


NO_REVIEW = "this book keeps nothing back for a review: its host decides what is published (in Reef, `publish: review`)"


class Book(Protocol):
    """Where one playbook is kept. A step of the method goes through these in this order:

        hold          keep other writers away, if this book has one writer at a time
        open          playbook and end of the log; what the log's last step left undone is known
        begin_record  a place for what is kept of this step
        rules         as they are now; markers and the host's check are seen to
        append, keep  a playbook that was brought from outside is logged, and what the host brings of decisions
        past, withdrawn   what the log says of the runs and texts; then the models are asked
        shown, rules  what of the playbook is to be in the rules, and these as they are right before they are replaced
        write         calls, tree and playbook, into the record
        append        from here on the step exists; whoever was first has the number, see below
        keep, place   what follows from the log: snapshot and block
        write         summary and notes

    Several writers: a book that keeps nobody away raises `SeqTakenError` from `append` when another step has the number.
    Then the step is decided again on the new head, from the replies that it has, and appended with the next number.

    Every method may raise `OSError`, or an `AceError` that says what to fix.
    """

    @property
    def is_ours(self) -> bool:
        """Whether nobody else writes state and rules: then a block that a killed step left undone is put there again."""
        ...

    @property
    def rejected(self) -> str:
        """The digest (`Rules.digests`) of the block that the host rejected last and has not replaced since, or no text: a
        step that changes no bullet does not propose it again.
        """
        ...

    def told_rules(self) -> str:
        """The rules files, for a sentence."""
        ...

    def hold(self) -> AbstractContextManager[None]:
        """Keep other writers away for the time of a step. Raises `LockedError` at once if one is under way."""
        ...

    def open(self) -> OpenState:
        """The playbook to go on from, and the end of the log. Raises `StateError` and `LogError`, and an error if the rules
        could not be written in the end. The playbook is not changed by it.
        """
        ...

    def rules(self) -> Rules:
        """The rules files as they are at this moment. Raises `MarkerError`."""
        ...

    def unchanged(self, rules: Rules) -> bool:
        """Whether nobody has saved a rules file since these were read, as far as can be told without reading them."""
        ...

    def past(self, trace: Trace) -> Past:
        """What a step is to know of what was made of the run before."""
        ...

    def withdrawn(self) -> Collection[str]:
        """The keys (`playbook.key_of`) of texts that a person took out, and that do not come back."""
        ...

    def shown(self, playbook: Playbook) -> Playbook:
        """What of the playbook the rules are to show: all of it, unless a host serves a part and lets the rest wait."""
        return playbook

    def append(self, record: StepRecord) -> LogTail | None:
        """Add the line to the log; returns its end, None where no log is kept. Raises `SeqTakenError` if another line has this
        number by now, `LogError` for a line that no reader could read; then nothing was added.
        """
        ...

    def keep(self, playbook: Playbook) -> None:
        """Keep the playbook that the log ends with."""
        ...

    def keep_accepted(self, accepted: Playbook | None) -> None:  # noqa: ARG002 - a book of our own keeps it
        """Keep what the rules show while something waits for a review, None once nothing does. Asked only of a book that brought
        such a playbook (`OpenState.accepted`), or whose step is to wait (`StepContext.review`): one that knows of no review
        raises `StepError`.
        """
        raise StepError(NO_REVIEW)

    def place(self, candidate: Candidate) -> bool:
        """Replace the rules files by these. Returns whether: not if one of them is no longer what the candidate was made
        from, which is seen right before it is replaced.
        """
        ...

    def begin_record(self, seq: int) -> str:
        """Choose the place of the step's record; returns its name, for the log. Raises `StepError` if one is there already."""
        ...

    def write(self, name: str, data: bytes) -> None:
        """Write a file of the step's record, such as `calls.json` or `output/notes.jsonl`."""
        ...

    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Remember that a run was tried without success, so that others come before it. Raises nothing: it may be lost."""
        ...

    def forget(self, trace: Trace) -> None:
        """Forget the failed calls of a run: it was read. Raises nothing."""
        ...


class StepContext(msgspec.Struct, frozen=True, kw_only=True):
    """What a step is given: the book, and what there is to learn from.

    `step` is the host's number of it, a whole number; None lets the log's next `seq` be the number. `request` is the text of a
    training request: neither model ever reads it. A run that the log has read is not read again, unless `again` says so; a host
    decides itself what it gives again: there only a run that is twice in one step is passed over. `patience` is shared by
    the steps of one command, so that a model of which nothing is usable is not asked for each run. `time` is now (RFC 3339,
    UTC), for the log; None means the clock's. With `review`, what the step makes of the playbook is kept out of the rules until a
    person accepts it, in a book that is nobody else's (`Book.is_ours`); while something waits, every step's does.

    Raises `ValueError` for what is not a trace, and for a step number, or a time, that is none.
    """

    book: Book
    traces: Sequence[Trace] = ()
    request: str | None = None
    step: int | None = None
    again: bool = False
    review: bool = False
    patience: Patience = msgspec.field(default_factory=Patience)
    time: str | None = None

    def __post_init__(self) -> None:
        """Bring the traces to a tuple, and see that number and time of the step are such."""
        traces: tuple[object, ...] = tuple(self.traces)
        for trace in traces:
            if not isinstance(trace, Trace):
                told = f"traces holds a {type(trace).__name__}, which is not a Trace"
                raise ValueError(told)  # noqa: TRY004 - one error for all that a host may not hand over
        msgspec.structs.force_setattr(self, "traces", traces)
        if self.step is not None:
            msgspec.structs.force_setattr(self, "step", whole_number(self.step))
        if self.time is not None:
            _see_time(self.time)


def _see_time(value: object) -> None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError("the step's time is not a text as RFC 3339 has it, such as 2026-12-02T10:00:00Z")


class Usage(msgspec.Struct, frozen=True, kw_only=True):
    """What a step's model calls came to: how many, how many of them `failed`, the tokens of the prompts and of the replies as far
    as the endpoint tells them, and the seconds.
    """

    calls: int = 0
    failed: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a step came to.

    `record` is the step's line of the log. `restored` says that the host had brought another playbook than the log ends
    with, and is in the log before that line. `playbook` is the playbook after it, and `rules` the whole of the rules
    file after it (both as before, if the check refused). `changed` says whether the tree is to be published. `screened` are
    the bullets that did not come in with what was restored. `remarks` are sentences about what has no event, such as a
    prompt that the server cut. `decided` is what the host had brought of decisions, in the log before that line. `stopped` says why calls were left out, if any were. `usage` is what the calls came to.
    """

    outcome: Outcome
    record: StepRecord
    playbook: Playbook
    rules: bytes
    changed: bool
    restored: PlaybookRestored | None = None
    screened: tuple[Removed, ...] = ()
    decided: tuple[Event, ...] = ()
    remarks: tuple[str, ...] = ()
    stopped: Stopped | None = None
    usage: Usage = Usage()


class Method(Protocol):
    """Turns recorded runs into better rules, one step at a time."""

    def step(self, context: StepContext, services: Services) -> StepResult:
        """Learn from `context.traces`. Raises `StepError` if nothing came of it, other `AceError`s as named above."""
        ...
