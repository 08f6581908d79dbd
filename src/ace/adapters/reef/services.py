"""What the method may ask of Reef during a step: a model by its name, whether a tree is admitted, and whether a lesson is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from email.message import Message
from threading import Lock
from typing import Final
from urllib.error import HTTPError, URLError

from reef.harness.episodes.model_binding import ModelBinding, ModelBindingError, ModelBindings, usage_of
from reef.harness.tree.nodes import secret_shaped

from ace.adapters.models.asking import described
from ace.adapters.models.failures import Failure, is_permanent, says_too_long
from ace.adapters.reef.rules_entry import FILE
from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.screens import redact
from ace.ports import Completion, Request

__all__ = ["MOST_WAITED_S", "ReefServices"]

_REFUSED: Final = frozenset({401, 404, 405})
"""Status codes that mean every call will fail: a bad key, an unknown model, a wrong address. 403 is excluded: some gateways use it
to reject a single prompt.
"""

_RATE_LIMITED: Final = 429
_OF_THE_MOMENT: Final = frozenset({408, 409, 425, _RATE_LIMITED})
_WAITS_S: Final = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""The pauses before a call that met a rate limit is made again, where the endpoint does not say how long: they outlast a minute."""

MOST_WAITED_S: Final = 120.0
"""The most seconds that a step waits for rate limits, all its calls together. Reef waits for a step when it is ended."""


class ReefServices:
    """`Services` by Reef, for one step. `answered` says whether any model call of the step was, and `waited` how many seconds were
    spent waiting for rate limits. `delayed` are the ids of the runs of which a call failed, and the endpoint was why.
    """

    def __init__(
        self,
        models: ModelBindings,
        check: Callable[[str | None], str | None],
        *,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._models = models
        self._check = check
        self._sleep = sleep
        self._lock = Lock()
        self._waits: list[float] = []
        self.answered = False
        self.delayed: set[str] = set()
        self.waited = 0.0

    def model(self, name: str) -> _Model:
        """The model of that name. Raises `EndpointError` if there is none."""
        try:
            return _Model(self._models[name], self, name)
        except KeyError:
            raise EndpointError(f"there is no model {name} under evolution.models") from None

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """Whether Reef admits the tree with this `rules.md`: None, or the reason why not."""
        data = files.get(FILE)
        return self._check(None if data is None else data.decode())

    def screen(self, line: str) -> str | None:
        """Why Reef would refuse a tree with this line in its rules, or None. Reef 0.1.3 takes `sk-` inside of a word for a key. Asked for each lesson, so that one of them does not cost the step."""
        return "Reef takes a part of it for a credential" if secret_shaped(line) else None

    def wait(self, seconds: float) -> bool:
        """Wait, unless the step would have waited for too long then. Returns whether. Calls that wait at the same time count once."""
        with self._lock:
            more = max(0.0, seconds - max(self._waits, default=0.0))
            if self.waited + more > MOST_WAITED_S:
                return False
            self.waited += more
            self._waits.append(seconds)
        try:
            self._sleep(seconds)
        finally:
            with self._lock:
                self._waits.remove(seconds)
        return True


class _Model:
    """A binding of Reef's as a `Model`. Reef gives a call its time-out, its place in the step's budget and a record."""

    def __init__(self, binding: ModelBinding, services: ReefServices, name: str) -> None:
        self._binding = binding
        self._name = name
        self._services = services
        self._answered_before: bool | None = None

    def announce(self, requests: Sequence[Request]) -> None:  # noqa: ARG002 - the port's
        """Treat the calls of a batch alike, by whether a call before them was answered."""
        self._answered_before = self._services.answered

    def complete(self, request: Request) -> Completion:
        """Return the reply. Raises `CallError` and nothing else: `TooLongError` where the prompt is too long for the model, and
        `EndpointError` if every call would fail so; once a call of the step was answered, that cannot be said any more.
        """
        binding = _apart(self._binding)
        try:
            text = self._past_rate_limits(binding, request.prompt)
        except ModelBindingError as error:
            if _may_pass(error):
                self._services.delayed.add(request.trace)
            if _is_timeout(error):
                raise CallError(self._too_late()) from None
            # Reef 0.1.3 cuts the message; what the endpoint said is whole in the detail.
            raise self._failed(str(error), f"{error} {error.detail}", error.status) from None
        except Exception as error:  # noqa: BLE001 - Reef 0.1.3: a malformed answer makes the client raise anything
            # A spent budget is a plain RuntimeError, and some say nothing at all (`KeyError: 'choices'`): the class helps.
            if _is_spent_budget(error):
                raise EndpointError(redact(described(error))) from None
            self._services.delayed.add(request.trace)
            raise self._failed(described(error), str(error)) from None
        self._services.answered = True
        usage = usage_of(binding.last_response()) or {}
        return Completion(
            text=text,
            model=binding.model,
            input_tokens=usage.get("input_tokens"),
            output_tokens=usage.get("output_tokens"),
        )

    def _past_rate_limits(self, binding: ModelBinding, prompt: str) -> str:
        """The reply, asked for again after each rate limit that passes in time. Raises as Reef's client does. Reef counts each try
        as a call of the step's budget.
        """
        for pause in _WAITS_S:
            try:
                return binding.chat([{"role": "user", "content": prompt}])
            except ModelBindingError as error:
                words = f"{error} {error.detail}"
                failure = Failure(kind="status", status=error.status or 0, message=words)
                lasts = is_permanent(failure, endpoint_answered=True) or says_too_long(words)
                if (
                    error.status != _RATE_LIMITED
                    or lasts
                    or not self._services.wait(_asked_for(error, pause))
                ):
                    raise
        return binding.chat([{"role": "user", "content": prompt}])

    def _too_late(self) -> str:
        """Which time-out it was, and where it is set."""
        key = "inference.timeout_s" if self._name == "served" else f"evolution.models.{self._name}.timeout_s"
        return f"no reply within {self._binding.timeout_s:g} s ({key} in the deployment)"

    def _failed(self, told: str, said: str, status: int | None = None) -> CallError:
        """The error for a failed call, in the words `told`; `said` is all that the other side said, kept nowhere."""
        if says_too_long(said):
            return TooLongError(redact(told))
        before = self._answered_before
        refused = status in _REFUSED and not (self._services.answered if before is None else before)
        return (EndpointError if refused else CallError)(redact(told))


def _may_pass(error: ModelBindingError) -> bool:
    """Whether the endpoint, and not this prompt, is why: no connection, a time-out, a rate limit, an error of the server's."""
    status = error.status
    return (status is None or status >= 500 or status in _OF_THE_MOMENT) and not says_too_long(
        f"{error} {error.detail}"
    )


def _is_spent_budget(error: Exception) -> bool:
    """Whether the step may make no more calls (`max_model_calls_per_step`): then no run has been tried without success."""
    return type(error) is RuntimeError and "model call budget" in str(error)


def _is_timeout(error: ModelBindingError) -> bool:
    cause = error.__cause__
    return isinstance(cause.reason if isinstance(cause, URLError) else cause, TimeoutError)


def _asked_for(error: ModelBindingError, pause: float) -> float:
    """The seconds that an endpoint asks to wait (`Retry-After`, RFC 9110; `retry-after-ms`), or the pause where it asks for none."""
    # Reef 0.1.3 keeps no headers; the error that they came with is behind its own.
    headers = error.__cause__.headers if isinstance(error.__cause__, HTTPError) else Message()
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            seconds = float(headers[name]) * unit
        except (TypeError, ValueError):  # none, or a date: endpoints that limit rates send seconds
            continue
        if 0 <= seconds < float("inf"):
            return seconds
    return pause


def _apart(binding: ModelBinding) -> ModelBinding:
    """A copy for one call: a binding of Reef 0.1.3 keeps what its last call was answered, and several calls may be under way. The
    one of a step wraps another, which is copied, too; budget and record of the step stay shared.
    """
    own = copy(binding)
    inner = getattr(own, "_inner", None)
    if isinstance(inner, ModelBinding):
        object.__setattr__(own, "_inner", copy(inner))
    return own
