"""One step of the method behind Reef's interface: samples in, a change of the tree and notes out.

The files of a scenario lie in one folder, as under the command line: `state/`, `history/`, `steps/` and `lock`, and
`rules.md`, the working copy of the entry `rules`. What Reef brings is put there before the step, and what came of
it is taken from the step's result. What the step raises leaves as it is: the backend knows what becomes of the batch.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from reef.harness.adapters.descriptor import AdapterDescriptor
from reef.harness.episodes.model_binding import ModelBindings
from reef.train.cordis_backend.manifest import FailureManifest
from reef.train.cordis_backend.strategies import AgentHost, Proposer, StepProposal
from reef.train.types import TrajectoryItem

from ace.adapters import files
from ace.adapters.ace import ACE
from ace.adapters.method import Material, StepContext
from ace.adapters.reef import entries as tree
from ace.adapters.reef.releases import Kept
from ace.adapters.reef.report import report
from ace.adapters.reef.samples import read_samples
from ace.adapters.reef.services import ReefServices
from ace.adapters.state import SNAPSHOT
from ace.domain.errors import EndpointError, StepError
from ace.domain.playbook import dump
from ace.domain.rules import digest_in

__all__ = ["KEPT", "ACEProposer", "Place"]

KEPT: Final = "the state that Reef keeps"
"""Why a playbook was restored, where nothing more is known: a commit failed, or the log is gone."""


@dataclass(frozen=True)
class Place:
    """A scenario by its name, its folder and the adapter of its agent."""

    scenario: str
    root: Path
    descriptor: AdapterDescriptor


class ACEProposer(Proposer):
    """The proposer of a deployment; `at` gives each scenario its own.

    The scenario's backend calls `begin` before Reef calls `propose`, and reads `kept` after it.
    """

    def __init__(self, method: ACE, place: Place | None = None) -> None:
        self.method = method
        self.kept = Kept()
        self._place = place
        self._number = 1
        self._record: Callable[[], Path | None] = _no_record

    @property
    def reads_requests(self) -> bool:
        """A training request is taken: the step learns from the traces that come with it."""
        return True

    def at(self, place: Place) -> ACEProposer:
        """The proposer of one scenario."""
        return ACEProposer(self.method, place)

    def begin(self, kept: Kept, number: int, record: Callable[[], Path | None]) -> None:
        """Say what the next step starts from, its number, and how to ask for its record's folder once there is one."""
        self.kept, self._number, self._record = kept, number, record

    def propose(
        self,
        nodes: tuple[tuple[str, object], ...],  # noqa: ARG002 - these come in Reef's interface
        samples: tuple[TrajectoryItem, ...],
        models: ModelBindings,
        *,
        manifest: FailureManifest | None = None,  # noqa: ARG002
        rejected: Sequence[Mapping[str, Any]] = (),  # noqa: ARG002
        sources: Sequence[Mapping[str, Any]] = (),  # noqa: ARG002
        requests: Sequence[Mapping[str, Any]] = (),
        entries: Sequence[Mapping[str, Any]] = (),
        agent_host: AgentHost | None = None,  # noqa: ARG002
    ) -> StepProposal:
        """Learn from the samples. The notes say what came of it; without a change there are notes alone. Raises as the
        method's step does, and `MarkerError` for markers in another entry.
        """
        if self._place is None:
            raise RuntimeError("this proposer belongs to no scenario")
        traces, unreadable = read_samples(samples)
        request = "\n".join(str(request.get("text", "")) for request in requests) or None
        block = tree.block_of(entries)
        context = self._context(self._place, Material(traces=traces, request=request), block)
        services = ReefServices(models, partial(tree.refusal, entries, descriptor=self._place.descriptor))
        tree.check_markers(entries)
        self._bring(context, tree.rules_text(entries))
        try:
            result = self.method.step(context, services)
        except (StepError, EndpointError):
            # No model answered; by then the log says where the playbook is from.
            self.kept = replace(self.kept, origin="")
            raise
        # Decoded JSON, lists included: Reef compares a state with what it reads back of its commits.
        self.kept = replace(self.kept, playbook=msgspec.json.decode(dump(result.playbook)), origin="")
        if result.changed:
            self.kept = replace(self.kept, proposed=digest_in(result.rules), instead=block)
        changes = (tree.mutation(entries, result.rules.decode()),) if result.changed else ()
        return StepProposal(changes, report(result, context.record, unreadable))

    def _context(self, place: Place, material: Material, block: str | None) -> StepContext:
        return StepContext(
            scenario=place.scenario,
            step=self._number,
            tree=place.root,
            state=place.root / "state",
            history=place.root / "history",
            record=self._record() or place.root / "steps" / str(self._number),
            material=material,
            owner="host",
            origin=self.kept.origin or KEPT,
            rejected=self.kept.rejected(block),
        )

    def _bring(self, context: StepContext, rules: str | None) -> None:
        """Write what Reef brings. Raises `LockedError` if the folder is in use, and then writes nothing.

        The method takes the lock anew for its step. Another process that takes it in between finds what Reef brought;
        whatever it makes of that, the step then begins with.
        """
        with files.lock(context.tree / "lock", f"process {os.getpid()} (scenario {context.scenario})"):
            _put(context.tree / context.rules, None if rules is None else rules.encode())
            _put(context.state / SNAPSHOT, _snapshot(self.kept.playbook))


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    elif files.read_bytes(path) != data:
        files.replace(path, data)
    path.parent.mkdir(parents=True, exist_ok=True)


def _snapshot(playbook: object) -> bytes | None:
    """The file's bytes as the method writes them, so that a state that has not changed is not written again."""
    return None if playbook is None else msgspec.json.format(msgspec.json.encode(playbook), indent=1) + b"\n"


def _no_record() -> Path | None:
    return None
