"""Reef's backend of one scenario, which in addition carries the playbook in the algorithm state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from reef.core.errors import ReefError
from reef.train.backend import PreparedStep
from reef.train.cordis_backend.backend import CordisBackend
from reef.train.types import TrainingBatch

from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import KEY, Kept, Releases, Start, start

__all__ = ["ACEBackend"]


class ACEBackend(CordisBackend):
    """`proposer` is this scenario's own. `releases` is set once the scenario's surface is known."""

    def __init__(self, *, proposer: ACEProposer, **kwargs: Any) -> None:
        super().__init__(**{**kwargs, "propose": proposer})
        self._proposer = proposer
        self._first = tuple(kwargs["seed"])
        self.releases = Releases()

    def prepare_step(
        self, batch: TrainingBatch, state: Mapping[str, Any], scenario_step: int
    ) -> PreparedStep:
        """Prepare a step from the tree and the playbook of the release that is served, and keep the playbook after it."""
        begin = self._start(state)
        self._proposer.begin(begin, int(state.get("steps", 0)) + 1, self._record)
        entries = [dict(entry) for entry in begin.entries]
        prepared = super().prepare_step(batch, {**state, "entries": entries}, scenario_step)
        kept = Kept(self._proposer.playbook, begin.kept.release)
        return replace(prepared, state={**prepared.state, KEY: kept.write()})

    def _start(self, state: Mapping[str, Any]) -> Start:
        try:
            return start(state, self.releases, self._first)
        except (ReefError, OSError, ValueError) as error:
            # The step must not raise for it, again and again: the proposer passes the batch over and says why.
            entries = tuple(state.get("entries", self._first))
            return Start(
                entries, Kept.read(state) or Kept(), failure=f"the served release cannot be read: {error}"
            )

    def _record(self) -> Path | None:
        progress = self.step_progress
        return None if progress is None or progress.step_record is None else Path(progress.step_record)
