"""The calls of one report, as the conversations that they belong to. Pure.

    call 1   request: user                                reply: assistant calls a tool
    call 2   request: user, assistant, tool               reply: assistant calls a tool
    call 3   request: user, assistant, tool, assistant…   reply: assistant says something
    thread   the request of call 3 and its reply

A call continues an earlier one if its request begins with the earlier one's request and goes on; what the client sent
back in between is what was said, and a reply that it left out is put back. The same request again, with the same
rules, continues one that failed or has no reply. A client may also change what it sent before (a note that it takes out again, the result of
a tool that it cuts): where it sent back a reply as it came, what came before that is kept as it was first.

A call that continues none begins a thread of its own: a run of another agent, or a side call, by which a client finds a title or sees
whether the topic is a new one. A side call is one alone, calls no tool, has a short reply, and

    offers no tools, where other calls of the report do     or     asks for what names a conversation
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final, NamedTuple

import msgspec

from ace.adapters.reef.calls import Call
from ace.adapters.traces.lines import compact_json
from ace.domain.trace import Turn

__all__ = ["Thread", "forget_arguments", "joined", "without_side_calls"]


@dataclass(frozen=True)
class Thread:
    """One conversation: its calls in order, with the place of the first among all, and all that was said, each turn once."""

    began: int
    calls: tuple[Call, ...]
    turns: tuple[Turn, ...]

    @property
    def first(self) -> Call:
        """The call that began it."""
        return self.calls[0]


def joined(calls: Sequence[Call]) -> list[Thread]:
    """The threads of these calls, the one that went on last at the end."""
    threads: list[_Growing] = []
    for place, call in enumerate(calls):
        if not call.reply and not call.failure and any(_is_within(call, one.last) for one in threads):
            continue  # a count of tokens, say
        found = [(after, one) for one in reversed(threads) if (after := _after(call, one.last)) is not None]
        if found:
            after, one = max(found, key=lambda pair: pair[0].fit)
            threads.remove(one)
            threads.append(_Growing(one.began, (*one.calls, call), after.call))
        else:
            threads.append(_Growing(place, (call,), call))
    return [Thread(one.began, one.calls, one.last.turns) for one in threads]


class _Growing(NamedTuple):
    """A thread so far. `last` is its last call, in which `said` holds what the client sent back up to the last request."""

    began: int
    calls: tuple[Call, ...]
    last: Call


def _after(call: Call, earlier: Call) -> _Continued | None:
    """The call with what was said and replied before it, if it continues the earlier one."""
    before = len(earlier.said)
    if earlier.said and _same(call.said[:before], earlier.said):
        if len(call.said) == before:
            again = (earlier.failure or not earlier.reply) and call.rules == earlier.rules
            return _Continued((1, before), call) if again else None
        if _same(call.said[: len(earlier.turns)], earlier.turns):
            return _Continued((2, len(earlier.turns)), call)
        left_out = earlier.reply and call.said[before].role != "assistant"
        return _Continued((1, before), _with(call, earlier, before) if left_out else call)
    place = _place(earlier.reply[-1:], call.said)
    if place is not None and (earlier.reply[-1].calls or call.said[:1] == earlier.said[:1]):
        return _Continued((0, place), _with(call, earlier, place + 1))
    return None


def _with(call: Call, earlier: Call, place: int) -> Call:
    return replace(call, said=earlier.turns + call.said[place:])


class _Continued(NamedTuple):
    """A call with an earlier one before it. `fit` says how well they go together: the reply came back as it was, the
    request goes on without it, or the reply is somewhere in what was said; and over how many turns.
    """

    fit: tuple[int, int]
    call: Call


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


def forget_arguments() -> None:
    """Forget the arguments that were compared: they are those of one report."""
    _json.cache_clear()


def _is_within(call: Call, thread: Call) -> bool:
    return _same(thread.turns[: len(call.said)], call.said)


# --- side calls -----------------------------------------------------------------------------------------------------

_SHORT: Final = 400
"""The most characters of a side call's reply."""

_LAST: Final = 2_000
"""Where a request is long, it says at its beginning or its end what it asks for: so many characters of each are looked at."""

_NAME = r"titles?|topics?|tags|slug|branch names?|follow[- ]?up (?:questions|prompts|suggestions)|headline|summary line"
_OF = r"conversations?|chats?|sessions?|threads?|dialog(?:ue)?s?|discussions?|(?:first |user'?s? )?messages?"
_NAMING = re.compile(
    rf"\b(?:{_NAME})\b[^.?!]{{0,120}}\b(?:{_OF})\b|\b(?:{_OF})\b[^.?!]{{0,120}}\b(?:{_NAME})\b", re.IGNORECASE
)


def without_side_calls(threads: Sequence[Thread]) -> Sequence[Thread]:
    """The threads that are part of what the report is about; all, if none would be left."""
    offer_tools = any(call.offers_tools for thread in threads for call in thread.calls)
    return [thread for thread in threads if not _is_side_call(thread, offer_tools=offer_tools)] or threads


def _is_side_call(thread: Thread, *, offer_tools: bool) -> bool:
    call, *more = thread.calls
    if more or call.offers_tools or any(turn.calls or turn.role == "tool" for turn in call.turns):
        return False
    if sum(len(turn.text) for turn in call.reply) > _SHORT:
        return False
    asked = [turn.text for turn in (*call.rules, *call.said[-1:])]
    return offer_tools or any(
        _NAMING.search(part) for text in asked for part in (text[:_LAST], text[-_LAST:])
    )
