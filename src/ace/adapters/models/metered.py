"""What the model calls of many steps came to: calls, tokens and seconds, and an end to them where a budget was given."""

from __future__ import annotations

import time

from ace.adapters.models.asking import name_of
from ace.domain.errors import EndpointError
from ace.domain.summary import plural
from ace.ports import Completion, Model, Request

__all__ = ["Metered"]


class Metered:
    """A model that counts. `budget` is the most tokens, of prompts and replies together, after which no call is begun."""

    def __init__(self, model: Model, budget: int | None = None) -> None:
        self.model = name_of(model, "served")
        self._model = model
        self._budget = budget
        self.calls = self.input_tokens = self.output_tokens = 0
        self.untold = 0
        self.seconds = 0.0

    def complete(self, request: Request) -> Completion:
        """The model's reply. Raises what the model raises, and `EndpointError` once the budget is spent."""
        if self.is_spent:
            raise EndpointError(f"the budget of {self._budget:,} tokens (--max-tokens-total) is spent")
        start = time.perf_counter()
        self.calls += 1
        try:
            completion = self._model.complete(request)
        finally:
            self.seconds += time.perf_counter() - start
        if completion.input_tokens is None or completion.output_tokens is None:
            self.untold += 1
        self.input_tokens += completion.input_tokens or 0
        self.output_tokens += completion.output_tokens or 0
        return completion

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self._budget is not None and self.input_tokens + self.output_tokens >= self._budget

    def told(self) -> str:
        """`6 calls, 12,345 + 678 tokens, 34 s`: tokens of the prompts and of the replies, as far as the endpoint tells."""
        tokens = (
            f", {self.input_tokens:,} + {self.output_tokens:,} tokens"
            if self.input_tokens or self.output_tokens
            else ""
        )
        untold = f" ({_replies(self.untold)} without a count)" if self.untold and tokens else ""
        return f"{plural(self.calls, 'call')}{tokens}{untold}, {self.seconds:.0f} s"


def _replies(number: int) -> str:
    return "1 reply" if number == 1 else f"{number} replies"
