"""A trace as the text that the Reflector reads: shown, redacted, clipped and fenced, in this order.

Redaction comes before clipping, or the cut could leave half a credential that no shape knows any more.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from ace.domain.screens import redact, replace_surrogates
from ace.domain.trace import Trace, Turn, task_of

__all__ = ["clip", "fence", "sanitize", "task_text", "transcript"]

TRAJECTORY_LIMIT: Final = 30_000
CONTEXT_LIMIT: Final = 6_000
TASK_LIMIT: Final = 4_000
FEEDBACK_LIMIT: Final = 4_000
"""Limits in characters of what one prompt shows of a trace; the first is what `max_trace_characters` sets."""


_DATA_URI = re.compile(
    r"data:(?P<type>[\w.+-]{1,80}/[\w.+-]{1,80})?(?:;[\w.=-]{1,80}){0,5};base64,(?P<data>[A-Za-z0-9+/=_-]{100,}+)"
)


def without_data(text: str) -> str:
    """The text with each data URI inside of it shortened to what it holds and how much of it: to a model it says nothing."""
    return _DATA_URI.sub(
        lambda uri: f"[data: {uri['type'] or 'no type'}, {len(uri['data']):,} characters]", text
    )


def sanitize(text: str) -> str:
    """The text as a model or a file may see it: valid Unicode, credentials redacted."""
    return redact(replace_surrogates(text))


def clip(text: str, limit: int) -> str:
    """The start and the end of a text of more than `limit` characters, with a line between that says how much was left
    out; at most `limit` characters in all.
    """
    if len(text) <= limit:
        return text
    # The note's own length depends on the count in it; its longest form is reserved.
    room = limit - len(_note(len(text)))
    head, tail = room - room // 2, room // 2
    return text[:head] + _note(len(text) - room) + text[len(text) - tail :]


def _note(count: int) -> str:
    return f"\n[… {count:,} characters left out …]\n"


def fence(label: str, text: str) -> str:
    """The text between two lines that it cannot contain, marked as data.

    The fence's name is derived from the text, so that the same input gives the same prompt and no text can close its
    own fence.
    """
    name = f"{label}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
    while name in text:
        name = f"{label}-{hashlib.sha256((name + text).encode()).hexdigest()[:12]}"
    return f"<{name}>\n{text}\n</{name}>"


def task_text(trace: Trace) -> str:
    """The task, redacted and clipped."""
    return clip(sanitize(without_data(task_of(trace))), TASK_LIMIT)


def transcript(trace: Trace, limit: int = TRAJECTORY_LIMIT) -> str:
    """What the Reflector sees of a trace: its messages, tool calls and results without system and developer messages,
    then score, feedback and failure where it has them, and what the user said next.

    A trace without a trajectory shows its task and its reply. `limit` is the most characters of the trajectory; all else
    stands outside of it.
    """
    parts = []
    if trace.context:
        earlier = clip(sanitize(without_data("\n\n".join(_shown(trace.context)))), CONTEXT_LIMIT)
        parts.append(f"Earlier in this session (background, not to be judged):\n{earlier}\n\nThe run:")
    parts.append(clip(sanitize(without_data("\n\n".join(_shown(_trajectory(trace))))), limit))
    parts.extend(_judgement(trace))
    return "\n\n".join(parts)


def _trajectory(trace: Trace) -> tuple[Turn, ...]:
    """The turns, with a given task before them and a given reply behind them where they do not hold these."""
    texts = {turn.text for turn in trace.turns}
    task = () if trace.task in texts or not trace.task else (Turn("user", trace.task),)
    reply = () if trace.reply in texts or not trace.reply else (Turn("assistant", trace.reply),)
    return *task, *trace.turns, *reply


def _judgement(trace: Trace) -> Iterator[str]:
    if trace.score is not None:
        yield f"Score: {trace.score:.15g}"
    if trace.feedback:
        yield f"Feedback: {clip(sanitize(trace.feedback), FEEDBACK_LIMIT)}"
    if trace.failure:
        yield f"Failure: {clip(sanitize(trace.failure), FEEDBACK_LIMIT)}"
    if trace.next_message:
        yield f"What the user said next (often a new request): {clip(sanitize(trace.next_message), FEEDBACK_LIMIT)}"


def _shown(turns: Iterable[Turn]) -> Iterator[str]:
    names = {call.id: call.name for turn in turns for call in turn.calls if call.id}
    for turn in turns:
        if turn.role == "tool":
            yield _result(turn, names)
        elif turn.role in ("user", "assistant"):
            if turn.text:
                yield f"[{turn.role}]\n{turn.text}"
            for call in turn.calls:
                yield f"[assistant calls {call.name}]\n{call.arguments}"


def _result(turn: Turn, names: dict[str, str]) -> str:
    name = turn.name or names.get(turn.call_id, "tool")
    flag = ", which failed" if turn.failed else ""
    return f"[result of {name}{flag}]\n{turn.text}"
