"""The protocol between a host and a method. Whoever writes a host needs to read only this.

A *host* serves agents, records their runs and keeps their rules; a *method* turns runs into better rules. The host
calls `Method.step` with a `StepContext` (what there is) and `Services` (what the method may ask for), and gets a
`StepResult`. One step at a time for one playbook: the method takes a lock beside the log for the whole of it.

The files of a playbook, under one root:

    <state>/playbook.json      the snapshot of the playbook
    <history>/events.jsonl     the log, one line a step; `<history>/../lock` is held during a step
    <record>/                  the record of this step: `calls.json`, `output/summary.md`, `output/notes.jsonl`,
                               the new tree in `harness/` and the new playbook in `state/playbook.json`
    <history>/../cache/        what can be made again from the log; one machine's own
    <tree>/<rules>             the file that the agent reads; the method owns one block in it and no other byte

What a method promises: a step that raises `StepError` has learned nothing, and its traces can be tried again (what an
earlier, killed step left undone may have been done by then, and a playbook that the host brought may have been logged).
`LockedError` passes once the other step is over, `EndpointError` once the endpoint answers; any other `AceError` names
something that a person has to mend (a damaged file, malformed markers). A step that returns is in the log, also when the
check refused its tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, Protocol, runtime_checkable

import msgspec

from ace.domain.patience import Patience
from ace.domain.playbook import Playbook
from ace.domain.step import Stopped, whole_number
from ace.domain.trace import Trace
from ace.events.types import Outcome, PlaybookRestored, Removed, StepRecord

__all__ = [
    "Completion",
    "Material",
    "Method",
    "Model",
    "Request",
    "Screens",
    "Services",
    "StateOwner",
    "StepContext",
    "StepResult",
]

type StateOwner = Literal["folder", "host"]


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One question to a model.

    `role` and `trace` say who asks about which trace; `run` counts the runs of the step from 1. `prompt` is the whole
    text to send, credentials redacted. `schema` is the JSON schema of the reply (draft 2020-12, all keys required).
    """

    role: Literal["reflector", "curator"]
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
        """
        ...


@runtime_checkable
class Screens(Protocol):
    """What a host's `Services` may have as well: a screen of its own for single lessons."""

    def screen(self, line: str) -> str | None:
        """Why the host will not have a bullet whose line in the block is this one, or None.

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
        """Whether the host admits a tree in which `files` (by path within the tree) stand so: None, or the reason
        why not. Called with the unchanged files before the first model call and with the candidate after the last.
        """
        ...


class Material(msgspec.Struct, frozen=True, kw_only=True):
    """What the step may learn from. `request` is the text of a training request: neither model ever reads it.

    Raises `ValueError` for what is no trace.
    """

    traces: Sequence[Trace] = ()
    request: str | None = None

    def __post_init__(self) -> None:
        """Bring the traces to a tuple."""
        traces: tuple[object, ...] = tuple(self.traces)
        for trace in traces:
            if not isinstance(trace, Trace):
                told = f"traces holds a {type(trace).__name__}, which is no Trace"
                raise ValueError(told)  # noqa: TRY004 - one error for all that a host may not hand over
        msgspec.structs.force_setattr(self, "traces", traces)


class StepContext(msgspec.Struct, frozen=True, kw_only=True):
    """What there is at the start of a step.

    `step` is the host's number of it, a whole number; None lets the log's next `seq` be the number. `rules` names the file in `tree`
    that holds the block, and `copies` other files that carry it, too, each by the name that the check and the record know it by;
    the log speaks of the block in `rules`. `history` is None where the host keeps no log: then the snapshot alone is the state.
    `owner` says who is right about the state: `folder`, if it lies here and only here, or `host`, if the host brings
    the state and may have rolled it back, restored or replaced it; `origin` then says why, for the log. `rejected` is the
    digest (`rules.digest_in`) of the block that the host turned down last and has not replaced since, if there is one: a
    step that changes no bullet does not propose it again. `record` is a folder that holds no record yet.

    A run that the log has read is not read again, unless `again` says so; a host decides itself what it gives again: there
    only a run that stands twice in one step is passed over. `patience` is shared by the steps of one command, so that a model
    of which nothing is usable is not asked for each run. `time` is now (RFC 3339, UTC), for the log; None means the clock's.

    Raises `ValueError` for a step number, or a time, that is none, and for a copy's name that is no name of its own.
    """

    scenario: str
    step: int | None
    tree: Path
    state: Path
    history: Path | None
    record: Path
    material: Material
    owner: StateOwner = "folder"
    origin: str = "host"
    rejected: str = ""
    rules: str = "rules.md"
    copies: Mapping[str, Path] = msgspec.field(default_factory=dict)
    again: bool = False
    patience: Patience = msgspec.field(default_factory=Patience)
    time: str | None = None

    def __post_init__(self) -> None:
        """See that number and time of the step, and the names of further rules files, are such."""
        for name in self.copies:
            if name == self.rules or name in ("", ".", "..") or "/" in name:
                raise ValueError(f"copies: {name!r} is not a name of its own for a further rules file")
        if self.step is not None:
            msgspec.structs.force_setattr(self, "step", whole_number(self.step))
        if self.time is not None:
            _see_time(self.time)

    @property
    def output(self) -> Path:
        """The folder for what people read of the step: `summary.md` and `notes.jsonl`."""
        return self.record / "output"


def _see_time(value: object) -> None:
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise ValueError("the step's time is not a text as RFC 3339 has it, such as 2026-12-02T10:00:00Z")


class StepResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a step came to.

    `record` is the step's line of the log. `restored` says that the host had brought another playbook than the log ends
    with, and stands in the log before that line. `playbook` is the playbook after it, and `rules` the whole of the rules
    file after it (both as before, if the check refused). `changed` says whether the tree is to be published. `screened` are
    the bullets that did not come in with what was restored. `remarks` are sentences about what has no event, such as a
    prompt that the server cut. `stopped` says why calls were left out, if any were.
    """

    outcome: Outcome
    record: StepRecord
    playbook: Playbook
    rules: bytes
    changed: bool
    restored: PlaybookRestored | None = None
    screened: tuple[Removed, ...] = ()
    remarks: tuple[str, ...] = ()
    stopped: Stopped | None = None


class Method(Protocol):
    """Turns recorded runs into better rules, one step at a time."""

    def step(self, context: StepContext, services: Services) -> StepResult:
        """Learn from `context.material`. Raises `StepError` if nothing came of it, other `AceError`s as named above."""
        ...
