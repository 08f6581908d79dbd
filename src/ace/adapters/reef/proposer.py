"""One step of the method behind Reef's interface: samples in, a change of the tree and notes out.

The log of a scenario lies in a folder, as under the command line, with copies of the playbook and of the entry `rules` for
people to look at. What Reef brings goes to the step as values, and what came of it is taken from the step's result. What
the step raises leaves as it is: the backend knows what becomes of the batch.
"""

from __future__ import annotations

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

from ace.adapters.reef import entries as tree
from ace.adapters.reef.releases import Kept
from ace.adapters.reef.report import report
from ace.adapters.reef.samples import read_samples
from ace.adapters.reef.services import ReefServices
from ace.adapters.store.host_book import HostBook
from ace.domain.errors import EndpointError, StepError
from ace.domain.playbook import Playbook, dump, parse_playbook
from ace.domain.rules import digest_in
from ace.method import ACE
from ace.ports import StepContext

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
        tree.check_markers(entries)
        block = tree.block_of(entries)
        book = self._book(self._place, tree.rules_text(entries), block)
        context = StepContext(
            book=book,
            traces=traces,
            request="\n".join(str(request.get("text", "")) for request in requests) or None,
            step=self._number,
        )
        services = ReefServices(models, partial(tree.refusal, entries, descriptor=self._place.descriptor))
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
        return StepProposal(changes, report(result, book.record, unreadable))

    def _book(self, place: Place, rules: str | None, block: str | None) -> HostBook:
        """The book of this step: what Reef brings, beside the log in the scenario's folder."""
        return HostBook(
            place.root,
            scenario=place.scenario,
            files={tree.FILE: None if rules is None else rules.encode()},
            playbook=_playbook(self.kept.playbook),
            origin=self.kept.origin or KEPT,
            rejected=self.kept.rejected(block),
            record=self._record() or place.root / "steps" / str(self._number),
        )


def _playbook(kept: object) -> Playbook | None:
    return (
        None
        if kept is None
        else parse_playbook(msgspec.json.encode(kept), "the playbook.json that Reef keeps")
    )


def _no_record() -> Path | None:
    return None
