"""Asks a model what a step wants to know: the generator's calls go out as prompts, the replies come back in order."""

from __future__ import annotations

from collections.abc import Generator

from ace.adapters.method import Model, Request
from ace.adapters.prompts import fill
from ace.domain.errors import CallError, EndpointError
from ace.domain.step import SCHEMAS, Batch, CallFailed, ModelCall, Replies, Reply, StepOutcome
from ace.domain.transcript import safe

__all__ = ["answer"]


def answer(step: Generator[Batch, Replies, StepOutcome], model: Model) -> StepOutcome:
    """Run the step to its end. A call that fails becomes a `CallFailed`; `EndpointError` leaves, since every further
    call would fail too.
    """
    try:
        batch = next(step)
        while True:
            batch = step.send(tuple([_reply(call, model) for call in batch]))
    except StopIteration as stop:
        outcome: StepOutcome = stop.value
        return outcome


def _reply(call: ModelCall, model: Model) -> Reply:
    request = Request(
        role=call.role,
        run=call.run,
        trace=call.trace,
        prompt=fill(call.role, call.parts),
        schema=SCHEMAS[call.role],
    )
    try:
        return model.complete(request).text
    except EndpointError as error:
        raise EndpointError(safe(str(error))) from None
    except CallError as error:
        return CallFailed(safe(str(error)))
