"""Plays a set of prompts on recorded runs: the step that the product takes, one run at a time, and what it learned.

Replies come from a file (the format of `calls.json`, which names the model of each reply) or from an endpoint; what an endpoint
says is written to such a file. Where a file lacks the next reply, the prompt is written beside it and the play stops there: so a
model that no endpoint serves can be asked by hand.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ace.adapters.models import CallRecorder, OpenAIModel, encode, load_calls
from ace.adapters.models.calls import RecordedCall
from ace.adapters.traces import read_traces
from ace.domain.errors import CallError
from ace.domain.playbook import Playbook
from ace.domain.settings import ACESettings
from ace.domain.step import CallFailed, ModelCall, Replies, Reply, run_step
from ace.domain.trace import Trace
from ace.events.types import BulletAdded, Event, RunRead
from ace.ports import Completion, Model, Request
from lessons.sets import PromptSet

__all__ = ["MissingReplyError", "Played", "play", "runs_of"]


class Played(msgspec.Struct, frozen=True):
    """What came of a set: the lessons that are left, which models replied, how many runs were read, and which replies lack."""

    set: str
    models: tuple[str, ...]
    lessons: tuple[tuple[str, str], ...]
    read: int
    runs: int
    added: int
    missing: str = ""


class MissingReplyError(Exception):
    """The file of replies has no answer to this call."""


class FiledModel:
    """Answers from the file of replies, and keeps the first prompt that has no answer."""

    def __init__(self, file: Path) -> None:
        calls = load_calls(file) if file.exists() else ()
        self._calls: dict[tuple[str, str], RecordedCall] = {(call.role, call.trace): call for call in calls}
        self._file = file
        self.models = tuple(sorted({call.model for call in calls if call.model}))

    def complete(self, request: Request) -> Completion:
        """The reply in the file. Raises `MissingReplyError`, and leaves the prompt beside the file."""
        call = self._calls.get((request.role, request.trace))
        if call is None or call.reply is None:
            asked = self._file.with_name("next-prompt.md")
            asked.parent.mkdir(parents=True, exist_ok=True)
            asked.write_text(request.prompt, encoding="utf-8")
            raise MissingReplyError(
                f"no reply of the {request.role} for {request.trace}: its prompt is in {asked}"
            )
        return Completion(text=call.reply, model=call.model)


def runs_of(file: Path, wanted: Sequence[str]) -> list[Trace]:
    """The wanted runs of a file, in the wanted order."""
    found = {trace.id: trace for trace in read_traces(file).traces}
    missing = [name for name in wanted if name not in found]
    if missing:
        raise SystemExit(f"{file} has no run {', '.join(missing)}")
    return [found[name] for name in wanted]


def play(
    name: str, prompts: PromptSet, runs: Sequence[Trace], replies: Path, endpoint: str, model: str
) -> Played:
    """Learn from the runs, in order, from an empty playbook."""
    filed = FiledModel(replies)
    asked = CallRecorder(OpenAIModel(model, base_url=endpoint)) if endpoint else None
    playbook, events, missing = Playbook(), list[Event](), ""
    settings = ACESettings()
    for number, trace in enumerate(runs, 1):
        step = run_step(playbook, [trace], settings, step=number, instructions=prompts.instructions())
        try:
            batch = next(step)
            while True:
                batch = step.send(_answers(batch, asked or filed, prompts, settings, number, len(runs)))
        except StopIteration as stop:
            playbook = stop.value.playbook
            events += stop.value.events
        except MissingReplyError as error:
            missing = str(error)
            break
    if asked is not None:
        replies.parent.mkdir(parents=True, exist_ok=True)
        replies.write_bytes(encode(asked.calls))
    return Played(
        set=name,
        models=filed.models if asked is None else (model,),
        lessons=tuple((bullet.section, bullet.content) for bullet in playbook.bullets),
        read=sum(isinstance(event, RunRead) and event.curation == "used" for event in events),
        runs=len(runs),
        added=sum(isinstance(event, BulletAdded) for event in events),
        missing=missing,
    )


def _answers(
    batch: tuple[ModelCall, ...], model: Model, prompts: PromptSet, settings: ACESettings, run: int, runs: int
) -> Replies:
    replies: list[Reply] = []
    for call in batch:
        request = Request(
            role=call.role,
            run=run,
            trace=call.trace,
            prompt=prompts.prompt(call, run, runs),
            schema=call.schema,
        )
        try:
            text = model.complete(request).text
        except CallError as error:
            replies.append(CallFailed(str(error)))
        else:
            replies.append(prompts.reply(call.role, text, settings.sections))
    return tuple(replies)


def written(played: Played) -> str:
    """The outcome as JSON, to be kept beside the replies."""
    rows: dict[str, Any] = msgspec.to_builtins(played)
    return json.dumps(rows, ensure_ascii=False, indent=1) + "\n"
