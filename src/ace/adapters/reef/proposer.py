"""One step of the method behind Reef's interface: samples in, a change of the tree and notes out.

The files of a scenario lie in one folder, as under the command line: `state/`, `history/`, `steps/` and `lock`, and
`rules.md`, the working copy of the entry `rules`. What Reef brings is put there before the step, and what came of
it is taken from the step's result.

No exception leaves for a reason that will not go away, since Reef would hand out the same batch for ever. A batch in
which no model call got through, whose files could not be written or whose release could not be read is tried again by
Reef, `RETRIES` times; every other failure passes the batch over, and the notes name its traces.
"""

from __future__ import annotations

import logging
import os
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec
from reef.harness.adapters.descriptor import AdapterDescriptor
from reef.harness.episodes.model_binding import ModelBindings
from reef.train.cordis_backend.manifest import FailureManifest
from reef.train.cordis_backend.strategies import AgentHost, Proposer, StepProposal
from reef.train.types import TrajectoryItem

from ace.adapters.ace import ACE
from ace.adapters.files import lock, read_bytes, replace
from ace.adapters.method import Material, StepContext, StepResult
from ace.adapters.reef import entries as tree
from ace.adapters.reef.attempts import Attempts
from ace.adapters.reef.releases import Kept, Start
from ace.adapters.reef.report import failure_report, report
from ace.adapters.reef.samples import Unreadable, read_samples
from ace.adapters.reef.services import ReefServices
from ace.adapters.state import SNAPSHOT
from ace.domain.errors import AceError, EndpointError, LockedError, StateError, StepError
from ace.domain.rules import digest_in
from ace.domain.screens import redact
from ace.domain.trace import Trace

__all__ = ["ACEProposer", "Place"]

_log: Final = logging.getLogger(__name__)


@dataclass(frozen=True)
class Place:
    """A scenario by its name, its folder and the adapter of its agent."""

    scenario: str
    root: Path
    descriptor: AdapterDescriptor


class ACEProposer(Proposer):
    """The proposer of a deployment; `at` gives each scenario its own.

    The scenario's backend calls `begin` before Reef calls `propose`, and reads `playbook` after it.
    """

    def __init__(self, method: ACE, place: Place | None = None) -> None:
        self.method = method
        self.playbook: object = None
        self.proposed = ""
        self._place = place
        self._attempts = None if place is None else Attempts(place.root / "attempts.json")
        self._start = Start((), Kept())
        self._number = 1
        self._record: Callable[[], Path | None] = _no_record

    @property
    def reads_requests(self) -> bool:
        """A training request is taken: the step learns from the traces that come with it."""
        return True

    def at(self, place: Place) -> ACEProposer:
        """The proposer of one scenario."""
        return ACEProposer(self.method, place)

    def begin(self, begin: Start, number: int, record: Callable[[], Path | None]) -> None:
        """Say what the next step starts from, its number, and how to ask for its record's folder once there is one."""
        self._start, self._number, self._record = begin, number, record
        self.playbook, self.proposed = begin.kept.playbook, begin.kept.proposed

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
        """Learn from the samples. The notes say what came of it; without a change there are notes alone."""
        if self._place is None or self._attempts is None:
            raise RuntimeError("this proposer belongs to no scenario")
        traces, unreadable = read_samples(samples)
        services = ReefServices(models, partial(tree.refusal, entries, descriptor=self._place.descriptor))
        step = _Step(self._place, self._attempts, self._start, self._number, self._record())
        request = "\n".join(str(request.get("text", "")) for request in requests) or None
        try:
            result = step.run(self.method, services, Material(traces=traces, request=request), entries)
            proposal = step.done(result, entries, unreadable)
        except Exception as error:  # noqa: BLE001 - whatever it is, Reef must not hand out the batch for ever
            return step.failed(error, services, traces, unreadable)
        self.playbook = msgspec.to_builtins(result.playbook)
        if result.changed:
            self.proposed = digest_in(result.rules)
        return proposal


class _Step:
    """One step in the folder of its scenario."""

    def __init__(
        self, place: Place, attempts: Attempts, begin: Start, number: int, record: Path | None
    ) -> None:
        self._place = place
        self._attempts = attempts
        self._start = begin
        self._number = number
        self._folder = place.root / "steps" / str(number) if record is None else record

    def run(
        self, method: ACE, services: ReefServices, material: Material, entries: Sequence[tree.Entry]
    ) -> StepResult:
        if self._start.failure:
            raise StateError(self._start.failure)
        tree.check_markers(entries)
        root = self._place.root
        self._bring(tree.rules_text(entries))
        context = StepContext(
            scenario=self._place.scenario,
            step=self._number,
            tree=root,
            state=root / "state",
            history=root / "history",
            record=self._folder,
            material=material,
            owner="host",
            origin=self._start.origin,
            rejected=self._start.kept.proposed,
        )
        return method.step(context, services)

    def _bring(self, rules: str | None) -> None:
        """Write what Reef brings. Raises `LockedError` if the folder is in use, and then writes nothing.

        The method takes the lock anew for its step. Another process that takes it in between finds what Reef brought;
        whatever it makes of that, the step then begins with.
        """
        root = self._place.root
        with lock(root / "lock", f"process {os.getpid()} (scenario {self._place.scenario})"):
            _put(root / tree.FILE, _encoded(rules))
            _put(root / "state" / SNAPSHOT, _snapshot(self._start.kept.playbook))

    def done(
        self, result: StepResult, entries: Sequence[tree.Entry], unreadable: Sequence[Unreadable]
    ) -> StepProposal:
        self._attempts.over()
        changes = (tree.mutation(entries, result.rules.decode()),) if result.changed else ()
        return StepProposal(changes, report(result.record, self._folder, unreadable))

    def failed(
        self,
        error: Exception,
        services: ReefServices,
        traces: Sequence[Trace],
        unreadable: Sequence[Unreadable],
    ) -> StepProposal:
        names = [trace.id for trace in traces]
        if self._worth_another_try(error, services) and self._attempts.failed(names):
            raise error
        self._attempts.over()
        _log.error(
            "scenario %s, step %s: the batch is passed over: %s",
            self._place.scenario,
            self._number,
            _told(error),
        )
        return StepProposal((), failure_report(self._number, error, self._folder, names, unreadable))

    def _worth_another_try(self, error: Exception, services: ReefServices) -> bool:
        """Whether the same batch may have more luck another time."""
        if self._start.failure or isinstance(error, OSError | LockedError):
            return True
        return isinstance(error, StepError | EndpointError) and services.silent


def _told(error: Exception) -> str:
    """The error for the service's log. A bug comes with where it happened: as text, since what logging makes of an
    exception itself is not redacted.
    """
    expected = isinstance(error, AceError | OSError)
    return redact(str(error) if expected else "".join(traceback.format_exception(error)).rstrip())


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    elif read_bytes(path) != data:
        replace(path, data)
    path.parent.mkdir(parents=True, exist_ok=True)


def _encoded(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def _snapshot(playbook: object) -> bytes | None:
    """The file's bytes as the method writes them, so that a state that has not changed is not written again."""
    return None if playbook is None else msgspec.json.format(msgspec.json.encode(playbook), indent=1) + b"\n"


def _no_record() -> Path | None:
    return None
