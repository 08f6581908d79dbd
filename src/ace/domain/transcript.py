"""A trace as the text that the Reflector reads: shown, shortened, redacted, clipped and fenced, in this order.

Redaction comes before clipping, or the cut could leave half a credential that no shape knows any more. What is known of the run
from outside of it (its score, say) is told in words of our own and comes before the fences, where no run can put it.

    Score: 0                              outcome(): a number, a yes or no, a date, ids of the playbook
    A failure is recorded: no
    <background-1a…> … </background-1a…>  transcript(): what was said before the run
    <trace-2b…> … </trace-2b…>            the run itself
    <feedback-3c…> … </feedback-3c…>      words of others about the run, each in a fence of its own
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator
from typing import Final

from ace.domain.encoded import without_data
from ace.domain.had import block_had, bullets_had
from ace.domain.playbook import Playbook
from ace.domain.repeats import Shown
from ace.domain.rules_block import block, digest_in
from ace.domain.screens import redact, replace_surrogates
from ace.domain.trace import Trace, Turn

__all__ = ["clip", "fence", "outcome", "sanitize", "task_text", "transcript"]

TRAJECTORY_LIMIT: Final = 30_000
CONTEXT_LIMIT: Final = 6_000
TASK_LIMIT: Final = 4_000
FEEDBACK_LIMIT: Final = 4_000
"""Limits in characters of what one prompt shows of a trace; the first is what `max_trace_characters` sets."""


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
    """What the Curator is shown as the task, redacted and clipped: the given task, or what the user said up to the agent's first
    call of a tool, and beyond it as long as that may be a greeting. Identity and excerpts in the log are of the first message
    alone (`trace.task_of`).
    """
    return clip(sanitize(without_data(_request(trace))), TASK_LIMIT)


def _request(trace: Trace) -> str:
    if trace.task:
        return trace.task
    said: list[str] = []
    for turn in trace.turns:
        if turn.calls and sum(map(len, said)) > _LONGEST_GREETING:
            break
        if turn.role == "user" and turn.text.strip():
            said.append(turn.text)
    return "\n\n".join(said)


_LONGEST_GREETING: Final = 20
"""Characters. An agent may look something up before the user has said what it is about."""


def outcome(trace: Trace, bullets: Iterable[tuple[str, str]] = ()) -> str:
    """What is known of a run from outside of it, one fact a line: its score, whether a failure is recorded, when it was, and
    which of the playbook's bullets, given as pairs of id and text, it had in force.
    """
    lines = [
        f"Score: {'none' if trace.score is None else f'{trace.score:.15g}'}",
        f"A failure is recorded: {'yes' if trace.failure else 'no'}",
    ]
    if (day := _DATE.match(trace.time)) is not None:
        lines.append(f"Date: {day[0]}")
    lines.append(f"Bullets that the agent had before it: {_told_had(trace, bullets)}")
    return "\n".join(lines)


_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _told_had(trace: Trace, bullets: Iterable[tuple[str, str]]) -> str:
    if held := block_had(trace):
        return ", ".join(bullets_had(held, bullets)) or "none of those in the playbook now"
    if trace.had in _WITHOUT_BULLETS:
        return "none of those in the playbook now"
    return "some of this playbook, which ones is not known" if trace.had else "not known"


_WITHOUT_BULLETS: Final = frozenset((digest_in(b""), digest_in(block(Playbook(), ()).encode())))
"""What `had` is where the rules held no block, or one without bullets."""


def transcript(trace: Trace, limit: int = TRAJECTORY_LIMIT) -> str:
    """What the Reflector sees of a trace, each part in a fence of its own: what was said before the run, its messages, tool calls
    and results without system and developer messages, then the words of feedback, of a failure and of the user's next message.

    A trace without a trajectory shows its task and its reply. `limit` is the most characters of the trajectory; all else has
    limits of its own.
    """
    parts = []
    if trace.context:
        earlier = _text(trace, trace.context, CONTEXT_LIMIT)
        parts.append(
            f"Earlier in this session (background, not to be judged):\n{fence('background', earlier)}"
        )
    parts.append(f"The run:\n{fence('trace', _text(trace, _trajectory(trace), limit))}")
    said = (
        ("Feedback on the run:", "feedback", trace.feedback),
        ("The failure as it was recorded:", "failure", trace.failure),
        ("What the user said next (often a new request):", "next", trace.next_message),
    )
    for title, label, text in said:
        if text:
            parts.append(f"{title}\n{fence(label, clip(sanitize(without_data(text)), FEEDBACK_LIMIT))}")
    return "\n\n".join(parts)


def _text(trace: Trace, turns: Iterable[Turn], limit: int) -> str:
    """The turns as text. What was shown before in it, or is in a message of the system's, is not shown again."""
    hidden = (turn.text for turn in (*trace.context, *trace.turns) if turn.role in ("system", "developer"))
    shown = Shown(map(without_data, hidden))
    return clip(sanitize("\n\n".join(_shown(turns, shown))), limit)


def _trajectory(trace: Trace) -> tuple[Turn, ...]:
    """The turns, with a given task before them and a given reply behind them where they do not hold these."""
    texts = {turn.text for turn in trace.turns}
    task = () if trace.task in texts or not trace.task else (Turn("user", trace.task),)
    reply = () if trace.reply in texts or not trace.reply else (Turn("assistant", trace.reply),)
    return *task, *trace.turns, *reply


def _shown(turns: Iterable[Turn], shown: Shown) -> Iterator[str]:
    turns = tuple(turns)
    names = {call.id: call.name for turn in turns for call in turn.calls if call.id}
    for turn in turns:
        if turn.role in ("system", "developer"):
            continue
        text = shown.without_repeats(without_data(turn.text))
        if turn.role == "tool":
            flag = ", which failed" if turn.failed else ""
            empty = "" if text.strip() else ": empty"
            head = f"[result of {turn.name or names.get(turn.call_id, 'tool')}{flag}{empty}]"
            yield head if empty else f"{head}\n{text}"
            continue
        if text:
            yield f"[{turn.role}]\n{text}"
        for call in turn.calls:
            yield f"[assistant calls {call.name}]\n{shown.without_repeats(without_data(call.arguments))}"
