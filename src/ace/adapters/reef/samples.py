"""What Reef recorded, into a trace: the calls of one report, or one call of unscored traffic.

A sample is read from the requests and responses that Reef kept (`recorded_payloads`), not from the steps that Reef
derived from them: where a client sends a reply back in other words than it came (every client that streams does), those
steps hold the reply twice, or once empty.

    call 1   request: user                                reply: assistant calls a tool
    call 2   request: user, assistant, tool               reply: assistant calls a tool
    call 3   request: user, assistant, tool, assistant…   reply: assistant says something
    trace    the request of call 3 and its reply

A call continues an earlier one if its request begins with the earlier one's request and goes on; what the client sent
back in between is what was said. The same request again continues one that failed or has no reply. System messages are left out of all this: they hold the agent's rules, the playbook included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reef.core.trajectories import exchange_messages, recorded_payloads, source_record_id
from reef.train.types import TrajectoryItem

from ace.adapters.reef.streams import streamed_message
from ace.adapters.traces import turns_of
from ace.adapters.traces.lines import compact_json, without_lone_surrogates
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, Turn

__all__ = ["Unreadable", "names", "read_samples", "trace_of"]

type _Object = Mapping[str, Any]

_RULES: Final = ("system", "developer")


@dataclass(frozen=True)
class Unreadable:
    """A sample that gave no trace. The reason quotes nothing of it."""

    trace: str
    reason: str


def read_samples(samples: Iterable[TrajectoryItem]) -> tuple[list[Trace], list[Unreadable]]:
    """The traces of the samples in order, and the samples that are damaged."""
    traces: list[Trace] = []
    unreadable: list[Unreadable] = []
    for position, sample in enumerate(samples, 1):
        try:
            traces.append(trace_of(sample))
        except TraceError as error:
            unreadable.append(Unreadable(_name(sample, position), str(error)))
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


def _trace_of(sample: TrajectoryItem) -> Trace:
    calls = [_Call.read(payload) for payload in recorded_payloads(sample)]
    metadata = sample.metadata
    turns = _joined(calls)
    task, reply = ("", "") if turns else _task_and_reply(sample)
    return Trace(
        id=source_record_id(sample),
        turns=turns,
        task=task,
        reply=reply,
        score=_score(metadata.get("reward")),
        feedback=_text(metadata.get("feedback")),
        failure="\n".join(dict.fromkeys(call.failure for call in calls if call.failure)),
    )


def _name(sample: TrajectoryItem, position: int) -> str:
    try:
        return source_record_id(sample) or f"sample {position}"
    except Exception:  # noqa: BLE001 - as above
        return f"sample {position}"


# --- calls ----------------------------------------------------------------------------------------------------------


@dataclass
class _Call:
    """One recorded call. After joining, `said` holds what the client sent back, up to the last request."""

    said: tuple[Turn, ...]
    reply: tuple[Turn, ...]
    failure: str = ""
    turns: tuple[Turn, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.turns = self.said + self.reply

    @classmethod
    def read(cls, payload: _Object) -> _Call:
        request, responses = exchange_messages(payload)
        response = payload.get("response")
        response = response if isinstance(response, Mapping) else {}
        streamed = _streamed(response)
        said = _turns(request)
        reply = _turns(responses if streamed is None else [streamed])
        return cls(said, tuple(turn for turn in reply if turn.text or turn.calls), _failure(response))


def _joined(calls: Sequence[_Call]) -> tuple[Turn, ...]:
    """The turns of all calls; a call that continues an earlier one takes its place, at the end."""
    threads: list[_Call] = []
    for call in calls:
        earlier = _earlier(call, threads)
        if earlier is not None:
            threads.remove(earlier)
        threads.append(call)
    return tuple(turn for thread in threads for turn in thread.turns)


def _earlier(call: _Call, threads: Sequence[_Call]) -> _Call | None:
    """The last thread that the call continues, but rather one whose reply it sent back as it came."""
    found = [thread for thread in reversed(threads) if _continues(call, thread)]
    return next((thread for thread in found if call.said[: len(thread.turns)] == thread.turns), None) or next(
        iter(found), None
    )


def _continues(call: _Call, earlier: _Call) -> bool:
    begins = bool(earlier.said) and call.said[: len(earlier.said)] == earlier.said
    return begins and (len(call.said) > len(earlier.said) or bool(earlier.failure) or not earlier.reply)


def _turns(messages: Iterable[_Object]) -> tuple[Turn, ...]:
    chat = [message for message in map(_as_chat, messages) if message is not None]
    return tuple(turn for turn in turns_of(chat) if turn.role not in _RULES)


def _as_chat(message: _Object) -> _Object | None:
    """The message as a chat message; None for what says nothing. The items of the Responses API are brought to it."""
    kind = message.get("type")
    if kind == "function_call":
        called = {"name": message.get("name"), "arguments": message.get("arguments")}
        return {"role": "assistant", "tool_calls": [{"id": message.get("call_id"), "function": called}]}
    if kind == "function_call_output":
        return {"role": "tool", "tool_call_id": message.get("call_id"), "content": message.get("output")}
    return message if "role" in message else None  # what is left without a role is reasoning


# --- replies --------------------------------------------------------------------------------------------------------


def _streamed(response: _Object) -> dict[str, Any] | None:
    body = response.get("body")
    if response.get("stream") is not True or not isinstance(body, str):
        return None
    return streamed_message(body)


def _failure(response: _Object) -> str:
    """Why the call failed, as far as the response tells: an error, an HTTP status, a stream that did not end."""
    delivery = response.get("stream_delivery", response)
    if not isinstance(delivery, Mapping):
        return ""
    status = delivery.get("status")
    if isinstance(status, int) and status >= 400:
        return f"The model's endpoint answered with HTTP status {status}."
    if error := delivery.get("error") or response.get("error"):
        return f"The reply broke off: {_text(error)}"
    return "The reply broke off." if delivery.get("complete") is False else ""


# --- what a report says ---------------------------------------------------------------------------------------------


def _score(reward: object) -> float | None:
    if reward is None:
        return None
    if isinstance(reward, bool) or not isinstance(reward, int | float):
        raise TraceError("its score is not a number")
    return float(reward)


def _text(value: object) -> str:
    """Feedback as text: an object becomes JSON."""
    clean = without_lone_surrogates(value)
    if clean is None or isinstance(clean, str):
        return clean or ""
    return compact_json(clean)


def _task_and_reply(sample: TrajectoryItem) -> tuple[str, str]:
    """What stands in for a trajectory: the first text of a user and the last of the agent among Reef's steps."""
    steps = [step for step in sample.trajectory["steps"] if isinstance(step, Mapping)]
    asked = [_text(step.get("message")) for step in steps if step.get("source") == "user"]
    said = [_text(step.get("message")) for step in steps if step.get("source") == "agent"]
    named = sample.metadata.get("task")
    task = asked[0] if asked else _text(named.get("name")) if isinstance(named, Mapping) else ""
    return task, said[-1] if said else ""
