"""What the method may ask of Reef during a step: a model by its name, whether a tree is admitted, and whether a lesson is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from reef.harness.episodes.model_binding import ModelBinding, ModelBindingError, ModelBindings, usage_of
from reef.harness.tree.nodes import secret_shaped

from ace.adapters.models.asking import described
from ace.adapters.models.failures import says_too_long
from ace.adapters.reef.rules_entry import FILE
from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.screens import redact
from ace.ports import Completion, Request

__all__ = ["ReefServices"]

_REFUSED: Final = frozenset({401, 404, 405})
"""Statuses of an endpoint that answers every call so: a bad key, a model or an address that there is not. Not 403, with
which some answer a prompt that they will not have, and the next one not.
"""


class ReefServices:
    """`Services` by Reef. `answered` says whether any model call of the step was."""

    def __init__(self, models: ModelBindings, check: Callable[[str | None], str | None]) -> None:
        self._models = models
        self._check = check
        self.answered = False

    def model(self, name: str) -> _Model:
        """The model of that name. Raises `EndpointError` if there is none."""
        try:
            return _Model(self._models[name], self)
        except KeyError:
            raise EndpointError(f"there is no model {name} under evolution.models") from None

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """Whether Reef admits the tree with this `rules.md`: None, or the reason why not."""
        data = files.get(FILE)
        return self._check(None if data is None else data.decode())

    def screen(self, line: str) -> str | None:
        """Why Reef would refuse a tree with this line in its rules, or None. Reef 0.1.3 takes `sk-` inside of a word for a key. Asked for each lesson, so that one of them does not cost the step."""
        return "Reef takes a part of it for a credential" if secret_shaped(line) else None


class _Model:
    """A binding of Reef's as a `Model`. Reef gives a call its time-out, its place in the step's budget and a record."""

    def __init__(self, binding: ModelBinding, services: ReefServices) -> None:
        self._binding = binding
        self._services = services

    def complete(self, request: Request) -> Completion:
        """Return the reply. Raises `CallError` and nothing else: `TooLongError` where the prompt is too long for the model, and
        `EndpointError` if every call would fail so; once a call of the step was answered, that cannot be said any more.
        """
        try:
            text = self._binding.chat([{"role": "user", "content": request.prompt}])
        except ModelBindingError as error:
            # Reef 0.1.3 cuts the message; what the endpoint said stands whole in the detail.
            raise self._failed(str(error), f"{error} {error.detail}", error.status) from None
        except Exception as error:  # noqa: BLE001 - Reef 0.1.3: a malformed answer makes the client raise anything
            # A spent budget is a plain RuntimeError, and some say nothing at all (`KeyError: 'choices'`): the class helps.
            raise self._failed(described(error), str(error)) from None
        self._services.answered = True
        usage = usage_of(self._binding.last_response()) or {}
        return Completion(
            text=text,
            model=self._binding.model,
            input_tokens=usage.get("input_tokens"),
            output_tokens=usage.get("output_tokens"),
        )

    def _failed(self, told: str, said: str, status: int | None = None) -> CallError:
        """The error for a failed call, in the words `told`; `said` is all that the other side said, kept nowhere."""
        if says_too_long(said):
            return TooLongError(redact(told))
        refused = status in _REFUSED and not self._services.answered
        return (EndpointError if refused else CallError)(redact(told))
