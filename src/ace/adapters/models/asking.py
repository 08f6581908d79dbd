"""Asks a model what a step wants to know: the generator's calls go out as prompts, the replies come back in order.

The calls of a batch are made at the same time, each in a thread of its own, since the port of models is synchronous. The threads
are daemons: Ctrl-C ends the waiting at once, and the process does not stay for replies that nobody takes any more.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import suppress
from contextvars import copy_context
from queue import SimpleQueue
from threading import Thread

from ace.adapters.models.prompts import fill
from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.step import Batch, CallFailed, ModelCall, Replies, Reply, StepOutcome
from ace.domain.transcript import sanitize
from ace.ports import Announced, Completion, Model, Request

__all__ = ["Guarded", "announce", "described", "drive", "name_of", "request_of"]


class Guarded:
    """A host's model whose every failure is a `CallError`: whatever it raises or returns, one call costs one call."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def complete(self, request: Request) -> Completion:
        """The model's reply. Raises `CallError` and nothing else, but for what ends the process."""
        try:
            completion: object = self._model.complete(request)
        except CallError:
            raise
        except Exception as error:  # noqa: BLE001 - a host's model may raise anything
            raise CallError(sanitize(described(error))) from None
        if not isinstance(completion, Completion):
            raise CallError(f"the host's model returned no completion but a {type(completion).__name__}")
        text: object = completion.text
        if not isinstance(text, str):
            raise CallError(f"the host's model returned no text but a {type(text).__name__}")
        # What else it tells is kept if it is what it is said to be: no call is lost for it.
        return Completion(
            text=text,
            model=_text(completion.model),
            input_tokens=_count(completion.input_tokens),
            output_tokens=_count(completion.output_tokens),
            finish_reason=_text(completion.finish_reason),
            found=_text(completion.found),
        )

    def announce(self, requests: Sequence[Request]) -> None:
        """Tell the model which calls are made next, if it wants to know. Raises nothing: each of them fails on its own."""
        with suppress(Exception):
            announce(self._model, requests)


def announce(model: Model, requests: Sequence[Request]) -> None:
    """Tell a model which calls are made next, all at once, if it has an ear for that."""
    if isinstance(model, Announced):
        model.announce(requests)


def described(error: Exception) -> str:
    """An exception of somebody else's code in words: its class, and what it says, if it says anything."""
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def name_of(model: object, otherwise: str) -> str:
    """What a model is called where it runs, for those that have a `model` to say so."""
    name = getattr(model, "model", None)
    return name if isinstance(name, str) and name else otherwise


def drive(step: Generator[Batch, Replies, StepOutcome], model: Model) -> StepOutcome:
    """Run a step (`run_step`) to its end: ask the model for each batch of calls, those of one batch at the same time. A call that
    fails becomes a `CallFailed`; the step itself makes no more calls once one says that all would fail.
    """
    guarded = Guarded(model)
    try:
        batch = next(step)
        while True:
            batch = step.send(_replies([request_of(call) for call in batch], guarded))
    except StopIteration as stop:
        outcome: StepOutcome = stop.value
        return outcome


def request_of(call: ModelCall) -> Request:
    """What a model is asked in a call: the role's prompt with the call's parts in it, and the schema of the reply."""
    return Request(
        role=call.role,
        run=call.run,
        trace=call.trace,
        prompt=fill(call.role, call.parts),
        schema=call.schema,
    )


def _replies(requests: Sequence[Request], model: Guarded) -> Replies:
    model.announce(requests)
    if len(requests) == 1:
        return (_reply(requests[0], model),)
    ended: SimpleQueue[tuple[int, Reply | BaseException]] = SimpleQueue()

    def ask(place: int, request: Request) -> None:
        try:
            ended.put((place, _reply(request, model)))
        except BaseException as error:  # noqa: BLE001 - it ends the process, and is raised where that is waited for
            ended.put((place, error))

    for place, request in enumerate(requests):
        Thread(target=copy_context().run, args=(ask, place, request), daemon=True).start()
    replies: dict[int, Reply] = {}
    while len(replies) < len(requests):
        place, reply = ended.get()
        if isinstance(reply, BaseException):
            raise reply
        replies[place] = reply
    return tuple([replies[place] for place in range(len(requests))])


def _reply(request: Request, model: Model) -> Reply:
    try:
        return model.complete(request).text
    except CallError as error:
        return CallFailed(
            sanitize(str(error)),
            is_permanent=isinstance(error, EndpointError),
            too_long=isinstance(error, TooLongError),
        )
