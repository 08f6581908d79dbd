"""A model whose replies outlive the command: what was asked before and recorded by no step is answered from what was kept.

the same model, options, prompt and schema, asked by an earlier command     its reply, at no cost
anything else                                                               the model is asked, and its reply is kept
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from threading import Lock
from typing import Protocol

import msgspec

from ace.adapters.models.asking import announce, name_of
from ace.domain.screens import redact, replace_surrogates
from ace.ports import Completion, Model, Request

__all__ = ["Kept", "Remembered", "asked_as"]


class Kept(Protocol):
    """Where replies are kept, by what was asked."""

    def take(self, question: bytes) -> bytes | None:
        """What an earlier command kept for this question, once; None if there is nothing. Raises nothing."""
        ...

    def keep(self, question: bytes, reply: bytes) -> None:
        """Keep a reply. Raises nothing."""
        ...


def asked_as(model: object) -> str:
    """What two models that reply alike have in common, for those that have an `asked_as` to say so; empty for others, whose replies
    are not kept.
    """
    told = getattr(model, "asked_as", "")
    return told if isinstance(told, str) else ""


class Remembered:
    """A model that is asked only what no earlier command has asked and kept. `asked_as` says who is asked (see there); without it
    every call goes through, and nothing is kept. `taken` counts the replies that were there.
    """

    def __init__(self, model: Model, kept: Kept, asked_as: str) -> None:
        self.model = name_of(model, "served")
        self._model = model
        self._kept = kept
        self._asked_as = asked_as
        self._lock = Lock()
        self._found: dict[tuple[str, int], Completion] = {}
        self.taken = 0

    def announce(self, requests: Sequence[Request]) -> None:
        """Take what there is for these, in their order; the model hears of the others."""
        for request in requests if self._asked_as else ():
            if found := self._take(request):
                self._found[request.role, request.run] = found
        if left := [one for one in requests if (one.role, one.run) not in self._found]:
            announce(self._model, left)

    def complete(self, request: Request) -> Completion:
        """The reply that was kept, or the model's. Raises what the model raises."""
        with self._lock:
            found = self._found.pop((request.role, request.run), None)
        if found is not None:
            return found
        completion = self._model.complete(request)
        if not self._asked_as:
            return completion
        kept = msgspec.structs.replace(
            completion, **{name: _writable(getattr(completion, name)) for name in _TEXTS}
        )
        self._kept.keep(self._question(request), msgspec.json.encode(kept))
        return completion

    def _take(self, request: Request) -> Completion | None:
        data = self._kept.take(self._question(request))
        if data is None:
            return None
        try:
            found = msgspec.json.decode(data, type=Completion)
        except msgspec.DecodeError:  # it was torn by a kill
            return None
        self.taken += 1
        return found

    def _question(self, request: Request) -> bytes:
        parts = (self._asked_as, request.role, str(replace_surrogates(request.prompt)))
        told = msgspec.json.encode((*parts, dict(request.schema)), order="sorted")
        return hashlib.sha256(told).digest()


_TEXTS = ("text", "model", "finish_reason", "found")


def _writable(text: str) -> str:
    """As `calls.json` keeps it."""
    return str(replace_surrogates(redact(text)))
