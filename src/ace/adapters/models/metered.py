"""What the model calls of many steps came to: calls, tokens and seconds, and an end to them where a budget was given."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence

from ace.adapters.models.asking import announce, name_of
from ace.domain.errors import EndpointError
from ace.domain.summary import plural
from ace.ports import Completion, Model, Request

__all__ = ["CHARACTERS_A_TOKEN", "Metered"]

CHARACTERS_A_TOKEN = 3.5
"""Characters a token, where nothing is known: English text has 3 to 4.5."""


class Metered:
    """A model that counts; several threads may ask at once. `budget` is the most tokens, of prompts and replies together, after
    which no call is begun. The calls of a batch begin together: if there is a budget left for one, there is for all of them.
    Where a model does not tell its tokens, as a command does not, the budget is charged for what the characters come to, roughly.

    `seconds` is how long any call was under way.
    """

    def __init__(self, model: Model, budget: int | None = None) -> None:
        self.model = name_of(model, "served")
        self._model = model
        self._budget = budget
        self._lock = threading.Lock()
        self._granted = 0
        self._since = 0.0
        self.under_way = 0
        self.calls = self.input_tokens = self.output_tokens = 0
        self.untold = 0
        self._charged = 0.0
        self.seconds = 0.0

    def announce(self, requests: Sequence[Request]) -> None:
        """Let these begin, whatever the first of them come to, if the budget is not spent yet."""
        with self._lock:
            self._granted = 0 if self.is_spent else len(requests)
        if self._granted:
            announce(self._model, requests)

    def complete(self, request: Request) -> Completion:
        """The model's reply. Raises what the model raises, and `EndpointError` once the budget is spent."""
        self._begin()
        try:
            completion = self._model.complete(request)
        except BaseException:
            self._end(request, None)
            raise
        self._end(request, completion)
        return completion

    def _begin(self) -> None:
        with self._lock:
            if self._granted:
                self._granted -= 1
            elif self.is_spent:
                raise EndpointError(f"the budget of {self._budget:,} tokens (--max-tokens-total) is spent")
            if not self.under_way:
                self._since = time.perf_counter()
            self.under_way += 1
            self.calls += 1

    def _end(self, request: Request, completion: Completion | None) -> None:
        with self._lock:
            self.under_way -= 1
            if not self.under_way:
                self.seconds += time.perf_counter() - self._since
            if completion is None:
                return
            if completion.input_tokens is None or completion.output_tokens is None:
                self.untold += 1
            sides = ((completion.input_tokens, request.prompt), (completion.output_tokens, completion.text))
            for told, text in sides:
                self._charged += len(text) / CHARACTERS_A_TOKEN if told is None else told
            self.input_tokens += completion.input_tokens or 0
            self.output_tokens += completion.output_tokens or 0

    @property
    def is_spent(self) -> bool:
        """Whether the budget is used up."""
        return self._budget is not None and self._charged >= self._budget

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
