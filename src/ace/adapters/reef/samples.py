"""What Reef recorded, into a trace: the calls of one report, or one call of unscored traffic.

A sample is read from the requests and responses that Reef kept (`recorded_payloads`), not from the steps that Reef 0.1.3
derived from them: where a client sends a reply back in other words than it came (every client that streams does), those
steps hold the reply twice, or once empty.

    call 1   request: user                                reply: assistant calls a tool
    call 2   request: user, assistant, tool               reply: assistant calls a tool
    call 3   request: user, assistant, tool, assistant…   reply: assistant says something
    trace    the request of call 3 and its reply

A call continues an earlier one if its request begins with the earlier one's request and goes on; what the client sent
back in between is what was said, and a reply that it left out is put back. The same request again continues
one that failed or has no reply. A client may also change what it sent before (a note that it takes out again, the result of
a tool that it cuts): where it sent back a reply as it came, what stood before that is kept as it was first. System messages
are left out of all this: they hold the agent's rules, the playbook included.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple

import msgspec
from reef.core.trajectories import exchange_messages, recorded_payloads, source_record_id
from reef.train.types import TrajectoryItem

from ace.adapters.reef.streams import Streamed, read_stream
from ace.adapters.traces import turns_of
from ace.adapters.traces.lines import compact_json, without_lone_surrogates
from ace.domain.errors import TraceError
from ace.domain.had import had_in
from ace.domain.trace import Trace, Turn

__all__ = ["UnreadableSample", "names", "read_samples", "trace_of"]

type _Object = Mapping[str, Any]

_RULES: Final = ("system", "developer")

_CALLS: Final = ("function_call", "custom_tool_call", "local_shell_call")
"""Items of the Responses API; with `_output` behind it, what came of one."""


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
        _json.cache_clear()


def _trace_of(sample: TrajectoryItem) -> Trace:
    metadata = sample.metadata
    calls = [_Call.read(payload) for payload in _in_order(recorded_payloads(sample), metadata.get("records"))]
    turns = _joined(calls)
    # The task is what was asked first: the run of an agent that was called on the way may stand before it.
    task, reply = (_asked(calls[0].said), "") if turns else _task_and_reply(sample)
    return Trace(
        id=source_record_id(sample),
        turns=turns,
        task=task,
        reply=reply,
        score=_score(metadata.get("reward")),
        feedback=_text(metadata.get("feedback")),
        failure="\n".join(dict.fromkeys(call.failure for call in calls if call.failure)),
        had=next((call.had for call in calls if call.had), ""),
    )


def _asked(said: Sequence[Turn]) -> str:
    return next((turn.text for turn in said if turn.role == "user"), "")


def _in_order(payloads: Sequence[_Object], records: object) -> list[_Object]:
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


# --- calls ----------------------------------------------------------------------------------------------------------


@dataclass
class _Call:
    """One recorded call. After joining, `said` holds what the client sent back, up to the last request. `had` is the digest of
    the playbook's block that the agent was given with it.
    """

    said: tuple[Turn, ...]
    reply: tuple[Turn, ...]
    failure: str = ""
    had: str = ""
    turns: tuple[Turn, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.turns = self.said + self.reply

    @classmethod
    def read(cls, payload: _Object) -> _Call:
        request, responses = exchange_messages(payload)
        response = payload.get("response")
        response = response if isinstance(response, Mapping) else {}
        streamed = _streamed(response)
        if isinstance(streamed, Streamed):
            responses = [streamed.message]
        elif streamed is not None:
            responses = exchange_messages({"response": streamed})[1]
            response = {**response, **streamed}
        reply = tuple(turn for turn in _turns(responses) if turn.text or turn.calls)
        return cls(_turns(request), reply, _failure(response, streamed), _had(payload, request))

    def after(self, earlier: _Call) -> _Continued | None:
        """The call with what was said and replied before it, if it continues the earlier one."""
        before = len(earlier.said)
        if earlier.said and _same(self.said[:before], earlier.said):
            if len(self.said) == before:
                again = earlier.failure or not earlier.reply
                return _Continued((1, before), self) if again else None
            if _same(self.said[: len(earlier.turns)], earlier.turns):
                return _Continued((2, len(earlier.turns)), self)
            left_out = earlier.reply and self.said[before].role != "assistant"
            return _Continued((1, before), self._with(earlier, before) if left_out else self)
        place = _place(earlier.reply[-1:], self.said)
        if place is not None and (earlier.reply[-1].calls or self.said[:1] == earlier.said[:1]):
            return _Continued((0, place), self._with(earlier, place + 1))
        return None

    def _with(self, earlier: _Call, place: int) -> _Call:
        return _Call(earlier.turns + self.said[place:], self.reply, self.failure, self.had)


class _Continued(NamedTuple):
    """A call with an earlier one before it. `fit` says how well they go together: the reply came back as it was, the
    request goes on without it, or the reply stands somewhere in what was said; and over how many turns.
    """

    fit: tuple[int, int]
    call: _Call


def _place(turn: tuple[Turn, ...], said: Sequence[Turn]) -> int | None:
    """The last place at which this turn was said."""
    places = reversed(range(len(said)))
    return next((place for place in places if turn and _same(said[place : place + 1], turn)), None)


def _same(left: Sequence[Turn], right: Sequence[Turn]) -> bool:
    return len(left) == len(right) and all(map(_is_same, left, right))


def _is_same(one: Turn, other: Turn) -> bool:
    """Whether the turns are the same. A client may write the arguments of a tool's call in its own way."""
    if not one.calls or one.text != other.text or len(one.calls) != len(other.calls):
        return one == other
    return one == other or _compact(one) == _compact(other)


def _compact(turn: Turn) -> Turn:
    calls = tuple(msgspec.structs.replace(call, arguments=_json(call.arguments)) for call in turn.calls)
    return msgspec.structs.replace(turn, calls=calls)


@cache
def _json(arguments: str) -> str:
    """Arguments in one way of writing. A session sends the same ones with each of its calls; the cache is for one trace."""
    try:
        return compact_json(json.loads(arguments, parse_int=float))
    except (ValueError, RecursionError):
        return arguments


def _joined(calls: Sequence[_Call]) -> tuple[Turn, ...]:
    """The turns of all calls; a call that continues an earlier one takes its place, at the end."""
    threads: list[_Call] = []
    for call in calls:
        if not call.reply and not call.failure and any(_is_within(call, thread) for thread in threads):
            continue  # a count of tokens, say
        found = [(after, thread) for thread in reversed(threads) if (after := call.after(thread)) is not None]
        if found:
            after, thread = max(found, key=lambda one: one[0].fit)
            threads.remove(thread)
            threads.append(after.call)
        else:
            threads.append(call)
    return tuple(turn for thread in threads for turn in thread.turns)


def _is_within(call: _Call, thread: _Call) -> bool:
    return _same(thread.turns[: len(call.said)], call.said)


def _turns(messages: Iterable[_Object]) -> tuple[Turn, ...]:
    chat = [message for message in map(_as_chat, messages) if message is not None]
    return tuple(turn for turn in turns_of(chat) if turn.role not in _RULES)


def _had(payload: _Object, messages: Iterable[_Object]) -> str:
    """The block among what the agent was told: in messages, or beside them, as Messages and Responses have it."""
    rules = [message for message in messages if message.get("role") in _RULES]
    beside = [
        {"role": "system", "content": payload[key]} for key in ("system", "instructions") if key in payload
    ]
    return had_in(Trace(id="rules", turns=tuple(turns_of([*rules, *beside]))))


def _as_chat(message: _Object) -> _Object | None:
    """The message as a chat message; None for what says nothing. The items of the Responses API are brought to it."""
    kind = message.get("type")
    if kind in _CALLS:
        said = next((message[key] for key in ("arguments", "input", "action") if key in message), "")
        called = {"name": message.get("name") or kind, "arguments": said}
        return {"role": "assistant", "tool_calls": [{"id": message.get("call_id"), "function": called}]}
    if isinstance(kind, str) and kind.removesuffix("_output") in _CALLS:
        return {"role": "tool", "tool_call_id": message.get("call_id"), "content": message.get("output")}
    return message if "role" in message else None  # what is left without a role is reasoning


# --- replies --------------------------------------------------------------------------------------------------------


def _streamed(response: _Object) -> Streamed | _Object | None:
    """What was streamed; the object, if the endpoint answered a request for a stream with one; None without a stream."""
    body = response.get("body")
    if isinstance(encoded := response.get("body_base64"), str):
        # Reef keeps bytes so that are no text, such as half a letter at the end.
        body = base64.b64decode(encoded).decode(errors="replace")
    if response.get("stream") is not True or not isinstance(body, str):
        return None
    with suppress(ValueError, RecursionError):
        if isinstance(whole := json.loads(body), dict):
            return whole
    return read_stream(body)


def _failure(response: _Object, streamed: Streamed | _Object | None) -> str:
    """Why the call failed, as far as the response tells: an error, an HTTP status, a stream that did not end."""
    delivery = response.get("stream_delivery", response)
    if not isinstance(delivery, Mapping):
        return ""
    status = delivery.get("status")
    if isinstance(status, int) and status >= 400:
        return f"The model's endpoint answered with HTTP status {status}."
    told = streamed if isinstance(streamed, Streamed) else Streamed({})
    if told.error:
        return f"The reply broke off: {told.error}"
    if told.finished:
        return ""  # what became of the stream then is no matter
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
