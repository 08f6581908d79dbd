"""A scenario as Reef drives it, without a service: Reef's own backend and its state, releases that are kept in memory."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from reef.artifact.artifact import ArtifactRef
from reef.core.batches import TrainDataItem, TrainingBatch
from reef.core.errors import ReefError
from reef.core.evaluation import EvaluationResult, SelectionDecision
from reef.core.records_types import AgentRecord, RequestType
from reef.core.trajectories import make_trajectory
from reef.harness.adapters import get_adapter
from reef.harness.adapters.descriptor import AdapterDescriptor
from reef.harness.episodes.model_binding import ModelBinding, ModelBindings
from reef.storage.records import StoredRecord
from reef.train.backend import PreparedStep
from reef.train.types import TrajectoryItem
from tests.reef.upstream import curation, reflection

from ace.adapters.reef.backend import ACEBackend
from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.policy import NoScorer
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import KEY, Releases
from ace.domain.settings import ACESettings
from ace.method import ACE

__all__ = [
    "FIRST",
    "SECOND",
    "Answer",
    "Chain",
    "Host",
    "entry",
    "raising",
    "reference",
    "sample",
    "sample_again",
    "well",
]

FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."

type Answer = Callable[[str], str]


class Scripted(ModelBinding):
    """A binding that answers by a function."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("http://127.0.0.1:9", "m")
        object.__setattr__(self, "answer", answer)  # bindings are frozen

    def chat(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        """Answer, or raise as Reef's client does."""
        answer: Answer = vars(self)["answer"]
        return answer(str(messages[0]["content"]))


class Chain(Releases):
    """The releases of a scenario with their commits; the last that does not wait for a review is served, unless they
    cannot be read.
    """

    def __init__(self, commits: Mapping[str, Mapping[str, Any]]) -> None:
        super().__init__()
        self.commits = dict(commits)
        self.broken = False
        self.waiting: set[str] = set()
        self.parents: dict[str, str] = {}

    def add(self, **commit: Any) -> str:
        """Publish a release with this commit; its name."""
        name = f"release-{len(self.commits)}"
        self.parents[name] = self._head()
        self.commits[name] = commit
        return name

    def newest(self) -> str:
        """The name of the last, also of one that waits."""
        return list(self.commits)[-1]

    def served(self) -> ArtifactRef:
        """The last, without those that wait."""
        if self.broken:
            raise ReefError("gone")
        return self.ref(self._head())

    def ref(self, name: str) -> ArtifactRef:
        """The release of that name."""
        return reference(name, self.parents.get(name))

    def _head(self) -> str:
        return [name for name in self.commits if name not in self.waiting][-1]

    def commit(self, release: ArtifactRef | str) -> Mapping[str, Any]:
        """What was kept with it."""
        return self.commits[release if isinstance(release, str) else release.release_id]


def reference(name: str, parent: str | None = None) -> ArtifactRef:
    """A release of that name."""
    return ArtifactRef(release_id=name, content_id=f"content:{name}", parent_release_id=parent)


class Records:
    """Reef's records: the calls behind samples, and the reports on them."""

    def __init__(self) -> None:
        self.stored: list[AgentRecord] = []

    def keep(self, item: TrainDataItem) -> None:
        """The records of a sample, unless they are there."""
        if not isinstance(item, TrajectoryItem):
            return
        calls = [
            AgentRecord.create(
                scenario="s",
                request_type=RequestType.INFERENCE,
                payload=one["payload"],
                agent_record_id=one["agent_record_id"],
            )
            for one in item.metadata["records"]
        ]
        names = [call.agent_record_id for call in calls]
        for call in calls:
            self.add(call)
        for report in item.source_agent_record_ids:
            if report not in names:
                self.report(*names, score=item.metadata["reward"], name=report)

    def came_with(self, call: str, release: ArtifactRef) -> None:
        """Let the client of a call have had that release."""
        self.stored = [
            replace(one, artifact_ref=release) if one.agent_record_id == call else one for one in self.stored
        ]

    def report(self, *calls: str, score: float, name: str, feedback: object = None) -> AgentRecord:
        """A report on calls."""
        payload = {"score": score, "references": list(calls), **({"feedback": feedback} if feedback else {})}
        report = AgentRecord.create(
            scenario="s", request_type=RequestType.REPORT, payload=payload, agent_record_id=name
        )
        self.add(report)
        return report

    def add(self, record: AgentRecord) -> None:
        """A record, unless it is there."""
        if self.get("s", record.agent_record_id) is None:
            self.stored.append(record)

    def get(self, _: str, agent_record_id: str) -> AgentRecord | None:
        """The record of that name."""
        return next((one for one in self.stored if one.agent_record_id == agent_record_id), None)

    def get_for_audit(self, _: str, agent_record_id: str) -> StoredRecord | None:
        """With its place."""
        found = [place for place, one in enumerate(self.stored, 1) if one.agent_record_id == agent_record_id]
        return StoredRecord(found[0], self.stored[found[0] - 1]) if found else None

    def audit_page(
        self,
        _: str,
        *,
        after_sequence: int = 0,
        limit: int = 256,
        request_type: RequestType | None = None,
    ) -> tuple[StoredRecord, ...]:
        """Those behind a place."""
        behind = list(enumerate(self.stored, 1))[after_sequence:]
        return tuple(
            StoredRecord(place, one) for place, one in behind if request_type in (None, one.request_type)
        )[:limit]


class Host:
    """A scenario: what its models answer, what Reef keeps of it and what is served."""

    def __init__(
        self,
        root: Path,
        settings: ACESettings | None = None,
        *,
        seed: Sequence[Mapping[str, Any]] | None = None,
        **reefs: Any,
    ) -> None:
        self.root = root
        self.curator: Answer = lambda _: curation(FIRST)
        self.reflector: Answer = well
        self._settings = settings
        self._reefs = {"seed": (entry("# Rules\n"),) if seed is None else tuple(seed), **reefs}
        self.records = Records()
        self.backend = self._make()
        self.state: dict[str, Any] = dict(self.backend.initial_state())
        self.releases = Chain({"seed": {}})  # Reef keeps no tree with it
        self.backend.releases = self.releases
        self._batches = 0

    def _make(self) -> ACEBackend:
        descriptor = get_adapter("pi")
        return ACEBackend(
            proposer=ACEProposer(ACE(self._settings)).of(self._book(descriptor)),
            scenario="s",
            records=self.records,
            descriptor=descriptor,
            score_episode=NoScorer(),
            tasks=("(no task is run)",),
            models=ModelBindings(Scripted(self._answer)),
            binary=sys.executable,
            proposals_dir=self.root / "proposals",
            step_record_dir=self.root / "steps",
            **self._reefs,
        )

    def _book(self, descriptor: AdapterDescriptor) -> ScenarioBook:
        return ScenarioBook("s", self.root, descriptor)

    def reload(self, **reefs: Any) -> None:
        """As after a failure, or a restart with these settings: Reef makes the backend again, and brings the last state."""
        self._reefs.update(reefs)
        self.backend = self._make()
        self.backend.releases = self.releases

    def prepare(self, *samples: TrajectoryItem) -> PreparedStep:
        """Prepare a step; nothing of it is kept before `commit`."""
        self._batches += 1
        batch = TrainingBatch(f"batch-{self._batches}", samples or (sample("r1"),))
        for one in batch.items:
            self.records.keep(one)
        return self.backend.prepare_step(batch, self.state, self._batches)

    def prepare_nothing(self) -> PreparedStep:
        """Prepare a step of a batch without a run."""
        self._batches += 1
        return self.backend.prepare_step(
            TrainingBatch(f"batch-{self._batches}", ()), self.state, self._batches
        )

    def commit(self, prepared: PreparedStep, *, publish: bool = True) -> dict[str, Any]:
        """Keep the state, and publish the tree if it is to change; the commit's metrics."""
        if prepared.candidate is None:
            self.state, metrics = dict(prepared.state), dict(prepared.metrics)
        else:
            evaluation = EvaluationResult("test", "1", {"evaluation_sides": []})
            decision = SelectionDecision(publish, "test", "as the test says", evaluation)
            result = self.backend.settle_step(prepared, decision)
            self.state, metrics = dict(result.state), dict(result.metrics)
            if publish:
                name = self.releases.add(operation="training", algorithm_state=self.state, metrics=metrics)
                if result.pending:
                    self.releases.waiting.add(name)
        # Reef compares both with what it reads back of its commits, to tell whether one is on record.
        assert json.loads(json.dumps([self.state, metrics])) == [self.state, metrics]
        self.backend.commit_applied(self.state)
        return metrics

    def step(self, *samples: TrajectoryItem, publish: bool = True) -> dict[str, Any]:
        """A whole step; the commit's metrics."""
        return self.commit(self.prepare(*samples), publish=publish)

    def two(self) -> str:
        """Two releases, the second of them with a second lesson, and no lesson more; the name of the first."""
        self.step()
        first = self.releases.newest()
        self.curator = lambda _: curation(SECOND)
        self.step()
        self.curator = lambda _: curation()
        return first

    def roll_back(self, release: str) -> str:
        """As Reef does it: another release with the content of that one, and the state as it was last; its name."""
        return self._restore(release, "rollback")

    def promote(self, release: str) -> str:
        """As Reef does it, which asks nothing of the release: it need not have waited for a review; its name."""
        return self._restore(release, "promote")

    def _restore(self, release: str, operation: str) -> str:
        return self.releases.add(
            operation=operation, rollback_target_release_id=release, algorithm_state=self.state
        )

    def ship(self, text: str, tree: Path) -> None:
        """As at a start with a Reef that ships an entry with that text, which the served files in `tree` lack."""
        shipped = {"id": "reef-requests", "name": "rules", "config": {"text": text}}
        self.reload(seed=[*self._reefs["seed"], shipped])
        result = self.backend.shipped_content_update(self.state, tree)
        assert result is not None
        self.state = dict(result.state)
        self.releases.add(operation="training", algorithm_state=self.state)
        self.backend.commit_applied(self.state)

    def suggest(self, text: str) -> None:
        """A person proposes to add an entry with that text; the next step takes it."""
        self._propose("create", "theirs", {"name": "rules", "config": {"text": text}})

    def edit(self, text: str) -> None:
        """A person proposes that text as the one of the entry `rules`; the next step takes it."""
        self._propose("update", "rules", {"config": {"text": text}})

    def _propose(self, op: str, identity: str, options: Mapping[str, Any]) -> None:
        change = {"op": op, "id": identity, "options": options}
        inbox = self.backend.proposals
        assert inbox.submit(inbox.new_id(), {"mutations": [change]}) is None

    def bring(self, *entries: Mapping[str, Any]) -> None:
        """Let the tree be another one, whoever made it so."""
        self.state = {**self.state, "entries": list(entries)}

    @property
    def text(self) -> str:
        """All rules of the tree."""
        return "\n".join(str(one["config"]["text"]) for one in self.state["entries"])

    @property
    def kept(self) -> dict[str, Any]:
        """What Reef keeps for the method."""
        kept: dict[str, Any] = self.state[KEY]
        return kept

    def lines(self) -> list[dict[str, Any]]:
        """The log."""
        path = self.root / "history" / "events.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []

    def restored(self) -> list[str]:
        """The reasons for which a playbook was restored."""
        events = [event for line in self.lines() for event in line["events"]]
        return [event["reason"] for event in events if event["type"] == "PlaybookRestored"]

    def _answer(self, prompt: str) -> str:
        return self.reflector(prompt) if prompt.startswith("You are the Reflector") else self.curator(prompt)


def entry(text: str, identity: str = "rules", **config: Any) -> dict[str, Any]:
    """An entry of rules."""
    return {"id": identity, "name": "rules", "config": {"text": text, **config}}


def sample(name: str, task: str = "Do it.") -> TrajectoryItem:
    """One run with a score."""
    payload = {
        "model": "m",
        "messages": [{"role": "user", "content": task}],
        "response": {"choices": [{"message": {"role": "assistant", "content": "Done."}}]},
    }
    record = AgentRecord.create(
        scenario="s", request_type=RequestType.INFERENCE, payload=payload, agent_record_id=name
    )
    made = make_trajectory([record], 1.0)
    return replace(made, source_agent_record_ids=(name, f"report-on-{name}"))


def sample_again(item: TrajectoryItem, score: float, report: str) -> TrajectoryItem:
    """The same run with another report."""
    calls = item.source_agent_record_ids[:-1]
    return replace(item.with_metadata(reward=score), source_agent_record_ids=(*calls, report))


def well(_: str) -> str:
    """A Reflector that finds nothing to tag."""
    return reflection()


def raising(error: Exception) -> Answer:
    """A model that raises."""

    def answer(_: str) -> str:
        raise error

    return answer
