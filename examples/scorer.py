"""A scorer for small tasks with one right answer: is it alone on the last line of the reply?

    evaluate:
      module: examples.scorer:LastLine
      config:
        answers: {product: "391"}
    tasks:
      - "[product] What is 17 * 23? Put the number alone on the last line of your reply."

A task begins with its name in brackets, and `answers` holds the right answer of each name. A name without an answer is an
error at the start of the service.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Self

from reef.core.plugins import PluginConfigError
from reef.evaluation.harness import EpisodeScorer
from reef.harness.episodes.run import EpisodeResult
from reef.harness.episodes.trajectory import final_assistant_text

__all__ = ["LastLine"]

_NAME = re.compile(r"\[([\w-]+)\]")


class LastLine(EpisodeScorer):
    """1 for a right answer, 0.25 for one that is in the reply but not alone on its last line, else 0."""

    def __init__(self, answers: Mapping[str, str]) -> None:
        self.answers = dict(answers)

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Self:
        """Build the scorer from its `answers`. Raises `PluginConfigError` if there are none, or something else."""
        answers = config.get("answers")
        if set(config) != {"answers"} or not isinstance(answers, Mapping) or not answers:
            raise PluginConfigError("LastLine takes answers, a text for each task's name, and nothing else")
        return cls({str(name): str(answer) for name, answer in answers.items()})

    def check_task(self, task: str) -> None:
        """See that the task can be scored: asked at the start. Raises `ValueError` as `score` does."""
        self._answer(task)

    def score(self, task: str, result: EpisodeResult) -> float:
        """Score one episode. Raises `ValueError` for a task without a name that `answers` has."""
        answer = self._answer(task)
        lines = (final_assistant_text(result.trajectory) or "").strip().splitlines()
        if lines and lines[-1].strip() == answer:
            return 1.0
        return 0.25 if any(answer in line for line in lines) else 0.0

    def _answer(self, task: str) -> str:
        named = _NAME.match(task)
        if named is None or named[1] not in self.answers:
            raise ValueError(f"no answer is known for the task {task[:60]!r}")
        return self.answers[named[1]]
