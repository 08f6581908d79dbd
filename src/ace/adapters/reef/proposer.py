"""One step of the method behind Reef's interface: samples in, a change of the tree and notes out.

What the step raises leaves as it is: the backend knows what becomes of the batch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any

from reef.harness.episodes.model_binding import ModelBindings
from reef.train.cordis_backend.manifest import FailureManifest
from reef.train.cordis_backend.strategies import AgentHost, Proposer, StepProposal
from reef.train.types import TrajectoryItem

from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.notes import Before, proposal_notes
from ace.adapters.reef.rules_entry import check_markers, mutation
from ace.adapters.reef.samples import read_samples
from ace.adapters.reef.services import ReefServices
from ace.domain.errors import EndpointError, StepError
from ace.method import ACE
from ace.ports import StepContext

__all__ = ["ACEProposer"]


class ACEProposer(Proposer):
    """The proposer of a deployment has no book; `of` gives each scenario its own."""

    def __init__(self, method: ACE, book: ScenarioBook | None = None) -> None:
        self.method = method
        self._book = book

    @property
    def reads_requests(self) -> bool:
        """A training request is taken: the step learns from the traces that come with it."""
        return True

    @property
    def book(self) -> ScenarioBook:
        """The scenario's playbook."""
        if self._book is None:
            raise RuntimeError("this proposer belongs to no scenario")
        return self._book

    def of(self, book: ScenarioBook) -> ACEProposer:
        """The proposer of one scenario."""
        return ACEProposer(self.method, book)

    def _method(self) -> ACE:
        """The method by the settings that count: a shared book has some of its own."""
        method = copy(self.method)
        method.settings = self.book.settings_for(method.settings)
        return method

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
        traces, unreadable = read_samples(samples)
        request = "\n".join(str(request.get("text", "")) for request in requests) or None
        check_markers(entries)
        book = self.book
        book.screens = self.method.settings.screens
        book.bring_tree(entries, self.method.settings.drop_after_rejections)
        services = ReefServices(models, partial(book.admission.refusal, entries))
        book.delayed = services.delayed
        try:
            with book.claimed(traces) as claimed:
                book.elsewhere = frozenset(one.id for one in claimed.elsewhere)
                context = StepContext(book=book, traces=claimed.traces, request=request, step=book.number)
                result = self._method().step(context, services)
        except (StepError, EndpointError):
            book.ended(None)
            raise
        before = Before(book.state.trial, book.log_told, book.refused, book.foreign)
        book.ended(result)
        changes = (mutation(entries, result.rules.decode()),) if result.changed else ()
        return StepProposal(changes, proposal_notes(result, book.record_dir, unreadable, before))
