"""Asks a model what a step wants to know: the generator's calls go out as prompts, the replies come back in order."""

from __future__ import annotations

from collections.abc import Generator

from ace.adapters.models.prompts import fill
from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.step import Batch, CallFailed, ModelCall, Replies, Reply, StepOutcome
from ace.domain.transcript import sanitize
from ace.ports import Completion, Model, Request

__all__ = ["Guarded", "described", "drive", "name_of", "request_of"]


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
    """Run a step (`run_step`) to its end: ask the model for each call, one after the other. A call that fails becomes a
    `CallFailed`; the step itself makes no more calls once one says that all would fail.
    """
    model = Guarded(model)
    try:
        batch = next(step)
        while True:
            batch = step.send(tuple([_reply(call, model) for call in batch]))
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


def _reply(call: ModelCall, model: Model) -> Reply:
    try:
        return model.complete(request_of(call)).text
    except CallError as error:
        return CallFailed(
            sanitize(str(error)),
            is_permanent=isinstance(error, EndpointError),
            too_long=isinstance(error, TooLongError),
        )
