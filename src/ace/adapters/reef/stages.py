"""Reef's stages from records to samples, except that nothing which a client sends stops a scenario.

Reef 0.1.3 accepts a report that names no call, and a call with arguments that it cannot take apart (a number of 5,000
digits, `"function": null`), and then raises whenever it reads its records: no step of the scenario is possible any more,
also after a restart. Here such a report ends without having been learned from, and such a call becomes a sample all the same:
traces are read from what was recorded, not from the steps that Reef makes of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, runtime_checkable

from reef.core.plugins import Plugin, PluginReference
from reef.core.records_types import AgentRecord, RequestType
from reef.core.reports import ReportValidationError
from reef.core.trajectories import make_trajectory
from reef.record2record import (
    InferenceRecord2Record,
    Record2Record,
    RecordSet,
    ReportContext,
    ReportRecord2Record,
    SingleRecordSet,
)
from reef.record2record.reports import ReportSet
from reef.record2task import TaskResult
from reef.record2task.reports import SkippedReport
from reef.train.cordis_backend.processor import InferenceTasks, TraceTasks
from reef.train.pipeline import PipelineConfig
from reef.train.trainer import Trainer
from reef.train.types import TrajectoryItem

__all__ = [
    "RecordedRuns",
    "ReportedRuns",
    "Reports",
    "TakesOrders",
    "WatchfulTrainer",
    "guarded",
    "recorded_run",
    "reported_run",
]

_log: Final = logging.getLogger(__name__)


@runtime_checkable
class HearsLateReports(Protocol):
    """What may be told of them."""

    def late(self, report: AgentRecord) -> None:
        """Take note of a report on calls that Reef has handed out already."""
        ...


class WatchfulTrainer(Trainer):
    """Reef's trainer, which tells its backend of the reports that it passes over, since their calls were handed out before."""

    def ingest_retained(self, item: AgentRecord) -> None:
        """Take in one record, as Reef does."""
        known = self.consumed_record_ids
        is_late = item.agent_record_id not in known and any(call in known for call in item.references)
        super().ingest_retained(item)
        backend = self.candidate_backend
        if item.request_type is RequestType.REPORT and is_late and isinstance(backend, HearsLateReports):
            backend.late(item)


class TakesOrders(Record2Record):
    """A stage that fills a batch at once where an operator's order waits: nobody should have to wait for the next run. `orders` says
    whether one waits, and `sets` is how many sets a batch has; both are the recipe's to set.
    """

    orders: Callable[[], bool] = staticmethod(lambda: False)
    sets: int = 1

    def poll(self, now: float) -> None:
        """Look whether an order waits; a batch that is full without it takes it along."""
        super().poll(now)
        missing = self.sets - len(self.pool)
        if missing > 0 and self.orders():
            for number in range(missing):
                self.pool.put(self.empty(number))

    def empty(self, number: int) -> RecordSet:
        """A set without a record."""
        return _NoRecord(set_id=(_ORDER, number), arrival_index=self.pool.next_arrival_index())


_ORDER: Final = "an operator's order"


@dataclass(frozen=True, kw_only=True)
class _NoRecord(RecordSet):
    def record_ids(self) -> tuple[str, ...]:
        return ()

    def formed_set_ids(self) -> tuple[Hashable, ...]:
        return ()


class Calls(TakesOrders, InferenceRecord2Record):
    """Every recorded call is a set."""


class Reports(TakesOrders, ReportRecord2Record):
    """Every report that can be used is one run."""

    def empty(self, number: int) -> RecordSet:
        """A set without a report: this stage's pool holds no others."""
        return ReportSet(set_id=(_ORDER, number), arrival_index=self.pool.next_arrival_index(), entries=())

    def ingest(self, record: AgentRecord) -> None:
        """Take in one record. Raises as Reef's own does, but not for a report."""
        try:
            super().ingest(record)
        except ReportValidationError as error:
            if record.request_type is not RequestType.REPORT or record.scenario != self.scenario:
                raise
            _log.warning(
                "report %s of scenario %s is passed over: %s", record.agent_record_id, self.scenario, error
            )
            self.end_report(record)


class ReportedRuns(TraceTasks):
    """The calls of one report as one sample."""

    def make_sample(self, context: ReportContext) -> TrajectoryItem | SkippedReport:
        """The sample, as Reef makes it or as it was recorded; an unusable report is skipped."""
        try:
            return super().make_sample(context)
        except Exception as error:  # noqa: BLE001 - whatever it is, it would come again at each new record
            return self._as_recorded(context, error)

    def _as_recorded(self, context: ReportContext, error: Exception) -> TrajectoryItem | SkippedReport:
        try:
            feedback = context.report.payload.get("feedback")
            return _as_recorded(context.inferences, context.require_score(), feedback)
        except Exception:  # noqa: BLE001 - as above
            _log.warning("report %s is passed over: %s", context.report.agent_record_id, error)
            return SkippedReport(type(error).__name__)


class RecordedRuns(InferenceTasks):
    """One recorded call as one sample without a score."""

    def make_tasks(self, record_set: RecordSet) -> TaskResult:
        """The sample, as Reef makes it or as it was recorded."""
        if not isinstance(record_set, SingleRecordSet):
            return super().make_tasks(record_set)
        return TaskResult.ready((recorded_run(record_set.record),))


def _as_recorded(
    records: Sequence[AgentRecord],
    reward: float | None = None,
    feedback: str | Mapping[str, Any] | None = None,
) -> TrajectoryItem:
    """A sample in which the calls are as they were recorded, with no steps made of them."""
    empty = make_trajectory([replace(record, payload={}) for record in records], reward, feedback)
    kept = [
        {**one, "payload": dict(record.payload)}
        for one, record in zip(empty.metadata["records"], records, strict=True)
    ]
    return empty.with_metadata(records=kept)


def reported_run(context: ReportContext) -> TrajectoryItem | None:
    """The calls of one report as one sample, as a stage makes it; None if the report is unusable."""
    sample = ReportedRuns().make_sample(context)
    if isinstance(sample, SkippedReport):
        return None
    return replace(sample, source_agent_record_ids=(*context.references, context.report.agent_record_id))


def recorded_run(record: AgentRecord) -> TrajectoryItem:
    """One recorded call as one sample without a score, as a stage makes it."""
    try:
        return make_trajectory((record,))
    except Exception:  # noqa: BLE001 - as above
        return _as_recorded((record,))


_OURS: Final[Mapping[type[Plugin], type[Plugin]]] = {
    ReportRecord2Record: Reports,
    InferenceRecord2Record: Calls,
    TraceTasks: ReportedRuns,
    InferenceTasks: RecordedRuns,
}


def guarded(stages: PipelineConfig) -> PipelineConfig:
    """The stages of a deployment, with ours for those of Reef that do the same."""
    return replace(
        stages,
        record2record=_ours(stages.record2record),
        record2task=_ours(stages.record2task),
    )


def _ours(stage: PluginReference) -> PluginReference:
    return replace(stage, plugin_class=_OURS.get(stage.plugin_class, stage.plugin_class))
