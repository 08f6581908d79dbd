"""From records to samples: nothing that a client sends stops a scenario, and nothing of it is lost."""

from __future__ import annotations

from typing import Any

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.records_types import AgentRecord, RequestType
from reef.record2record import ReportRecord2Record, SingleRecordSet
from reef.train.cordis_backend.processor import InferenceTasks, TraceTasks

from ace.adapters.reef import ACERecipe
from ace.adapters.reef.samples import read_samples
from ace.adapters.reef.stages import RecordedRuns, ReportedRuns, Reports
from ace.domain.trace import task_of

USER = {"role": "user", "content": "Fix the bug."}


def called(function: object) -> list[dict[str, Any]]:
    """A conversation in which a tool was called in this way."""
    said = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": function}]}
    return [USER, said, {"role": "tool", "tool_call_id": "c", "content": "seen"}]


def record(messages: object, name: str = "r1", **payload: Any) -> AgentRecord:
    """A recorded call whose reply says that it is done."""
    response = {"choices": [{"message": {"role": "assistant", "content": "Done."}}]}
    return AgentRecord.create(
        scenario="s",
        request_type=RequestType.INFERENCE,
        payload={"model": "m", "messages": messages, "response": response, **payload},
        agent_record_id=name,
    )


def of(call: AgentRecord) -> SingleRecordSet:
    """The set of this one record."""
    return SingleRecordSet(set_id=call.agent_record_id, arrival_index=1, record=call)


@pytest.mark.parametrize(
    "arguments",
    ['{"n": ' + "7" * 5000 + "}", "[" * 100_000],
    ids=["a long number", "deeply nested"],
)
def test_arguments_that_reef_cannot_take_apart_are_read_as_they_are(arguments: str) -> None:
    """The call becomes a sample, and a trace with all that was said."""
    call = record(called({"name": "f", "arguments": arguments}))
    (sample,) = RecordedRuns().make_tasks(of(call)).tasks
    ((trace,), unreadable) = read_samples([sample])
    assert unreadable == []
    assert [turn.role for turn in trace.turns] == ["user", "assistant", "tool", "assistant"]
    assert trace.turns[1].calls[0].arguments == arguments
    assert trace.id == "r1"


@pytest.mark.parametrize("function", [None, [], 1], ids=str)
def test_a_call_that_is_none_stops_nothing(function: object) -> None:
    """Reef raises for it; here it is a call without a name, or the sample is named as damaged."""
    with pytest.raises(AttributeError):
        InferenceTasks().make_tasks(of(record(called(function))))
    (sample,) = RecordedRuns().make_tasks(of(record(called(function)))).tasks
    traces, unreadable = read_samples([sample])
    assert [one.trace for one in unreadable] == (["r1"] if function == 1 else [])
    assert [task_of(trace) for trace in traces] == ([] if function == 1 else ["Fix the bug."])


def test_what_is_sound_is_reefs_own() -> None:
    """The same sample as without us."""
    call = of(record([USER]))
    assert RecordedRuns().make_tasks(call).tasks == InferenceTasks().make_tasks(call).tasks


@pytest.mark.parametrize(
    ("pipeline", "stages"),
    [
        (None, (Reports, ReportedRuns)),
        ({"task2batch": {"config": {"batch_size": 1}}}, (Reports, ReportedRuns)),
        (
            {
                "record2record": {"module": "reef.record2record:ReportRecord2Record"},
                "record2task": {"module": "reef.train.cordis_backend:TraceTasks"},
            },
            (Reports, ReportedRuns),
        ),
        ({"record2task": {"module": "reef.train.cordis_backend:InferenceTasks"}}, (Reports, RecordedRuns)),
        (
            {"record2task": {"module": "reef.record2task:NoTasks"}},
            (Reports, None),
        ),
    ],
    ids=["none", "batches", "named", "traffic", "another"],
)
def test_stages_of_reef_are_replaced_by_ours(pipeline: Any, stages: tuple[type, type | None]) -> None:
    """By whatever name they come; one that does something else stays."""
    config = {"evolution": {}} if pipeline is None else {"evolution": {}, "pipeline": pipeline}
    made = ACERecipe.from_environment({}, config=config)
    found = made.pipeline_stages or made.pipeline_spec()
    classes = [getattr(stage, "plugin_class", stage) for stage in (found.record2record, found.record2task)]
    assert classes[0] is stages[0]
    assert classes[1] is stages[1] if stages[1] else not issubclass(classes[1], TraceTasks | InferenceTasks)
    assert issubclass(Reports, ReportRecord2Record)
