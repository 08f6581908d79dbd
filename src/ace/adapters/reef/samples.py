"""What Reef recorded, into a trace: the calls of one report, or one call of unscored traffic.

A sample is read from the requests and responses that Reef kept (`recorded_payloads`), not from the steps that Reef 0.1.3
derived from them: where a client sends a reply back in other words than it came (every client that streams does), those
steps hold the reply twice, or once empty. System messages are left out: they hold the agent's rules, the playbook included.

A report's calls are those of a conversation, of agents that were called on the way, and side calls (see `threads`). Side calls are
left out; what other agents did comes before the conversation, one after the other.

The run begins at the last message of a user in the request of the first call: what comes before it is what earlier runs said, and
is shown as such. So of a session of which each call is a sample, each turn counts once:

    request 1   system  user A                                          run 1: A a
    request 2   system  user A  a  user B                               run 2: B b, behind A a as its background
    request 3   system  user A  a  user B  b  call c  result  …         the same run: its call went on

    a report    the calls of the conversation, joined      ┐
                an agent that was called on the way        ├─ one trace; side calls (titles, checks) are left out
                another one                                ┘
    traffic     one call: a run if it ends in a reply, else the middle of one
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from reef.core.trajectories import recorded_payloads, source_record_id
from reef.train.types import TrajectoryItem

from ace.adapters.reef.calls import Call, as_text, read_call
from ace.adapters.reef.threads import forget_arguments, joined, without_side_calls
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, Trace, Turn

__all__ = [
    "HAD",
    "NEXT",
    "UnreadableSample",
    "calls_of",
    "names",
    "next_message",
    "read_samples",
    "records_of",
    "trace_of",
]


HAD: Final = "ace_had"
"""In a sample's metadata: the digest of the block in the release of its first call, where that is known."""

NEXT: Final = "ace_next"
"""In a sample's metadata: what the user said after the run, where a later call is recorded already."""


@dataclass(frozen=True)
class UnreadableSample:
    """A sample that gave no trace. The reason quotes nothing of it."""

    trace: str
    reason: str


def read_samples(samples: Iterable[TrajectoryItem]) -> tuple[list[Trace], list[UnreadableSample]]:
    """The traces of the samples in order, and the samples that are damaged."""
    traces: list[Trace] = []
    unreadable: list[UnreadableSample] = []
    for position, sample in enumerate(samples, 1):
        try:
            traces.append(trace_of(sample))
        except TraceError as error:
            unreadable.append(UnreadableSample(_name(sample, position), str(error)))
    return traces, unreadable


def names(samples: Iterable[TrajectoryItem]) -> tuple[str, ...]:
    """What the samples are called, damaged ones included."""
    return tuple(_name(sample, position) for position, sample in enumerate(samples, 1))


def trace_of(sample: TrajectoryItem) -> Trace:
    """The trace of one sample. Raises `TraceError` if the sample is damaged."""
    try:
        return _trace_of(sample)
    except TraceError:
        raise
    except Exception as error:  # noqa: BLE001 - one damaged sample must not stop the scenario, however it is damaged
        raise TraceError(f"damaged: {type(error).__name__}") from None
    finally:
        forget_arguments()


def _trace_of(sample: TrajectoryItem) -> Trace:
    metadata = sample.metadata
    calls = [read_call(payload) for payload in _in_order(recorded_payloads(sample), metadata.get("records"))]
    threads = without_side_calls(joined(calls))
    # The one that began first: the run of an agent that was called on the way may come first.
    run = min(threads, key=lambda thread: thread.began)
    start = _begin(run.first.said)
    turns = tuple(chain.from_iterable(one.turns[start:] if one is run else one.turns for one in threads))
    task, reply = (_asked(run.turns[start:]), "") if turns else _task_and_reply(sample)
    failures = [call.failure for call in calls if call.failure and any(call in one.calls for one in threads)]
    return Trace(
        id=source_record_id(sample),
        turns=turns,
        context=run.turns[:start],
        task=task,
        reply=reply,
        score=_score(metadata.get("reward")),
        feedback=as_text(metadata.get("feedback")),
        failure="\n".join(dict.fromkeys(failures)),
        next_message=as_text(metadata.get(NEXT)),
        had=next((call.had for call in calls if call.had), as_text(metadata.get(HAD))),
    )


def _begin(said: Sequence[Turn]) -> int:
    """Where the last message of a user is; at the beginning, if there is none."""
    return next((at for at in reversed(range(len(said))) if said[at].role == "user"), 0)


def _asked(said: Sequence[Turn]) -> str:
    return next((turn.text for turn in said if turn.role == "user"), "")


def next_message(run: Call, said: Sequence[Turn]) -> str:
    """What the user said after the run with this last call, by what a later call sent; empty if that one belongs to another conversation,
    or if the user had not said anything by then.
    """
    before, after = said[: len(run.said)], said[len(run.said) :]
    if not after or after[0].role != "assistant" or tuple(before) != run.said:
        return ""
    return _asked(after)


def calls_of(sample: TrajectoryItem) -> list[str]:
    """The names of the records of its calls, in the order of time; none where that is not told."""
    found = records_of(sample)
    return [name for one in _in_order(found, found) if (name := as_text(one.get("agent_record_id")))]


def records_of(sample: TrajectoryItem) -> list[JsonObject]:
    """What a sample holds of Reef's records, in the order in which the report names them; nothing, if it is damaged."""
    try:
        records = sample.metadata.get("records")
    except ValueError:
        return []
    return [one for one in records if isinstance(one, Mapping)] if isinstance(records, list) else []


def _in_order(payloads: Sequence[JsonObject], records: object) -> list[JsonObject]:
    """The calls in the order of time: a report may name them in any."""
    times = [record.get("created_at") for record in records] if isinstance(records, list) else []
    if len(times) != len(payloads) or not all(isinstance(time, int | float) for time in times):
        return list(payloads)
    return [payloads[place] for place in sorted(range(len(payloads)), key=times.__getitem__)]


def _name(sample: TrajectoryItem, position: int) -> str:
    try:
        return source_record_id(sample) or f"sample {position}"
    except Exception:  # noqa: BLE001 - as above
        return f"sample {position}"


# --- what a report says ---------------------------------------------------------------------------------------------


def _score(reward: object) -> float | None:
    if reward is None:
        return None
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        raise TraceError("its score is not a number")
    return float(reward)


def _task_and_reply(sample: TrajectoryItem) -> tuple[str, str]:
    """What stands in for a trajectory: the first text of a user and the last of the agent among Reef's steps."""
    steps = [step for step in sample.trajectory["steps"] if isinstance(step, Mapping)]
    asked = [as_text(step.get("message")) for step in steps if step.get("source") == "user"]
    said = [as_text(step.get("message")) for step in steps if step.get("source") == "agent"]
    named = sample.metadata.get("task")
    task = asked[0] if asked else as_text(named.get("name")) if isinstance(named, Mapping) else ""
    return task, said[-1] if said else ""
