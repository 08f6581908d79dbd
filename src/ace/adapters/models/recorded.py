"""Calls kept and calls replayed: `CallRecorder` writes down what a model answers, `RecordedModel` answers so again.

A reply belongs to a role, a trace and an occurrence: the second time that the Reflector is asked about a trace gets the
second usable reply recorded for that. (Where none is usable, failures and unusable replies are played as they came.) The
prompt does not choose the reply, but a prompt that differs is told: then the replay shows what the recorded model said to
something else.
"""

from __future__ import annotations

import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import zip_longest

from ace.adapters.models.asking import announce
from ace.adapters.models.calls import RecordedCall, Usage
from ace.domain.errors import CallError, EndpointError
from ace.domain.replies import UnusableReplyError, read_curation, read_reflection
from ace.domain.screens import redact, replace_surrogates, safe_excerpt
from ace.ports import Completion, Model, Request
from ace.ports import Usage as StepUsage

__all__ = ["CallRecorder", "RecordedModel"]


# --- keeping --------------------------------------------------------------------------------------------------------


class CallRecorder:
    """A model that keeps each call of another one, redacted. Several threads may ask at once."""

    def __init__(self, model: Model, on_call: Callable[[RecordedCall], None] = lambda _: None) -> None:
        """`on_call` hears of each call when it has ended."""
        self._model = model
        self._on_call = on_call
        self._lock = threading.Lock()
        self._begun = 0
        self._announced: dict[tuple[str, int], int] = {}
        self._ended: dict[int, RecordedCall] = {}

    @property
    def calls(self) -> list[RecordedCall]:
        """The calls that have ended, in the order in which they were announced or, without that, begun."""
        with self._lock:
            return [call for _, call in sorted(self._ended.items())]

    def announce(self, requests: Sequence[Request]) -> None:
        """Let the calls of a batch be kept in this order, whichever of them ends first."""
        announce(self._model, requests)
        with self._lock:
            for request in requests:
                self._announced[request.role, request.run] = self._next()

    def complete(self, request: Request) -> Completion:
        """The other model's reply, or its `CallError`, unchanged."""
        with self._lock:
            announced = self._announced.pop((request.role, request.run), None)
            place = self._next() if announced is None else announced
        start = time.perf_counter()
        try:
            completion = self._model.complete(request)
        except CallError as error:
            self._keep(place, _kept(request, start, error=error))
            raise
        self._keep(place, _kept(request, start, completion=completion))
        return completion

    def _next(self) -> int:
        self._begun += 1
        return self._begun

    def _keep(self, place: int, call: RecordedCall) -> None:
        with self._lock:
            self._ended[place] = call
        self._on_call(call)

    def usage(self) -> StepUsage:
        """What the calls came to."""
        calls = self.calls
        told = [call.usage for call in calls if call.usage is not None]
        return StepUsage(
            calls=len(calls),
            failed=sum(call.error is not None for call in calls),
            input_tokens=sum(usage.input_tokens or 0 for usage in told),
            output_tokens=sum(usage.output_tokens or 0 for usage in told),
            seconds=round(sum(call.seconds or 0.0 for call in calls), 3),
        )


def _kept(
    request: Request, start: float, *, completion: Completion | None = None, error: CallError | None = None
) -> RecordedCall:
    said = completion or error
    return RecordedCall(
        role=request.role,
        run=request.run,
        trace=redact(request.trace),
        prompt=redact(request.prompt),
        reply=None if completion is None else redact(completion.text),
        model="" if completion is None else redact(completion.model),
        usage=_usage(completion),
        seconds=round(time.perf_counter() - start, 3),
        error=None if error is None else redact(str(error)),
        finish_reason="" if said is None else safe_excerpt(said.finish_reason, 40),
        found="" if said is None else safe_excerpt(said.found, 40),
    )


def _usage(completion: Completion | None) -> Usage | None:
    if completion is None or (completion.input_tokens is None and completion.output_tokens is None):
        return None
    return Usage(input_tokens=completion.input_tokens, output_tokens=completion.output_tokens)


# --- replaying ------------------------------------------------------------------------------------------------------


class RecordedModel:
    """A model that answers from recorded calls; several threads may ask at once.

    A recorded error, and a reply that is not there, are a `CallError`. A prompt that differs from the recorded one is
    a sentence in `differences` and for `on_difference`; with `strict` it is an `EndpointError` as well.
    """

    def __init__(
        self,
        calls: Iterable[RecordedCall],
        *,
        strict: bool = False,
        on_difference: Callable[[str], None] | None = None,
    ) -> None:
        self._calls: Mapping[tuple[str, str], list[RecordedCall]] = defaultdict(list)
        for call in calls:
            self._calls[call.role, _as_kept(call.trace)].append(call)
        self._calls = {key: _good_ones(found) for key, found in self._calls.items()}
        self._asked: Counter[tuple[str, str]] = Counter()
        self._announced: dict[tuple[str, str, int], int] = {}
        self._lock = threading.Lock()
        self._strict = strict
        self._on_difference = on_difference
        self.differences: list[str] = []

    def complete(self, request: Request) -> Completion:
        """The recorded reply. Raises `CallError` for a recorded error or none, `EndpointError` as said above."""
        call = self._next(request)
        self._compare(call, request)
        if call.error is not None:
            raise CallError(call.error, finish_reason=call.finish_reason, found=call.found)
        used = call.usage or Usage()
        return Completion(
            text=call.reply or "",
            model=call.model,
            input_tokens=used.input_tokens,
            output_tokens=used.output_tokens,
            finish_reason=call.finish_reason,
            found=call.found,
        )

    def announce(self, requests: Sequence[Request]) -> None:
        """Let two runs of a batch with one name get their replies in the order of the runs."""
        with self._lock:
            for request in requests:
                key = (request.role, _as_kept(request.trace))
                self._announced[*key, request.run] = self._asked[key]
                self._asked[key] += 1

    def _next(self, request: Request) -> RecordedCall:
        key = (request.role, _as_kept(request.trace))
        calls = self._calls.get(key, [])
        with self._lock:
            announced = self._announced.pop((*key, request.run), None)
            turn = self._asked[key] if announced is None else announced
            self._asked[key] += announced is None
        if turn < len(calls):
            return calls[turn]
        times = f" for question {turn + 1}, only for {len(calls)}" if calls else ""
        raise CallError(f"no recorded reply for the {request.role} of trace {key[1]}{times}")

    def _compare(self, call: RecordedCall, request: Request) -> None:
        if call.prompt is None or (place := _difference(call.prompt, request.prompt)) is None:
            return
        told = f"the {call.role}'s prompt for trace {call.trace} is not the recorded one: {place}"
        self.differences.append(told)
        if self._on_difference is not None:
            self._on_difference(told)
        if self._strict:
            raise EndpointError(told)


_READERS: Mapping[str, Callable[[str], object]] = {"reflector": read_reflection, "curator": read_curation}


def _good_ones(calls: list[RecordedCall]) -> list[RecordedCall]:
    """Of a question that was asked again because the first answer was unusable, the usable answers; else all of them."""
    return [call for call in calls if call.reply is not None and _is_usable(call.role, call.reply)] or calls


def _is_usable(role: str, reply: str) -> bool:
    try:
        _READERS[role](reply)
    except UnusableReplyError:
        return False
    return True


def _as_kept(text: str) -> str:
    """The text as recorder and file keep it, so that a live one compares with a recorded one."""
    return replace_surrogates(redact(text))


def _difference(recorded: str, asked: str) -> str | None:
    """Where two prompts first differ, with a short excerpt of each."""
    before, after = _as_kept(recorded), _as_kept(asked)
    if before == after:
        return None
    lines = enumerate(zip_longest(before.split("\n"), after.split("\n")), 1)
    number, (old, new) = next((number, pair) for number, pair in lines if pair[0] != pair[1])
    column = next((at for at, pair in enumerate(zip_longest(old or "", new or "")) if pair[0] != pair[1]), 0)
    return f"line {number} was {_quoted(old, column)} and is {_quoted(new, column)}"


def _quoted(line: str | None, column: int) -> str:
    """Up to 60 characters of the line, from a little before the column on."""
    return "missing" if line is None else f'"{safe_excerpt(line[max(0, column - 20) :], 60)}"'
