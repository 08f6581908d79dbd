"""What a run is called: the id it came with, or the digest of what was said in it.

A run has to be called the same whenever it is read again, whatever was found out about it since: so the digest is of the
turns up to the reply, not of score, feedback, failure or background. 0.1.0 took it of all of that; what it would have called
the run is an alias, so that a log of that version knows it.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import msgspec

from ace.domain.trace import task_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ace.domain.trace import Trace, Turn

__all__ = ["with_id"]

_LONGEST = 200  # characters; ids are written into notes, one a line


def with_id(
    trace: Trace,
    given: object,
    *names: str,
    aliases: tuple[tuple[str, str], ...] = (),
    by_digest: bool = False,
    old: Trace | None = None,
) -> Trace:
    """Return the trace under the given id if that is usable: one line of visible text or an integer; else a digest.

    `names` are other ids of the same run, and `aliases` those that came with it, each with its task. `by_digest` makes the digest
    one of them: a copy of the run under another id has the same. `old` is the trace as 0.1.0 read it, if that differs.
    """
    text = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
    task = task_of(trace)
    others = [(name, task) for name in names]
    if not _is_usable(text):
        text = _digest(_said(trace))
        old = old or trace
        others.insert(0, (_digest(_all_of(old)), task_of(old)))
    elif by_digest:
        others.append((_digest(_said(trace)), task))
    return msgspec.structs.replace(trace, id=text, aliases=(*aliases, *others))


def _is_usable(text: str) -> bool:
    # `isprintable` is false for control and format characters, for surrogates and for every line break.
    return 0 < len(text) <= _LONGEST and text.isprintable() and text == text.strip()


def _digest(content: Any) -> str:
    canonical = msgspec.json.encode(content, order="sorted")
    return "sha256-" + hashlib.sha256(canonical).hexdigest()[:16]


def _said(trace: Trace) -> Any:
    return [trace.task, _up_to_the_reply(trace.turns), trace.reply]


def _up_to_the_reply(turns: Sequence[Turn]) -> Sequence[Turn]:
    places = (at for at in range(len(turns), 0, -1) if turns[at - 1].role == "assistant")
    last = next(places, 0)
    return turns[:last] if last and not turns[last - 1].calls else turns


def _all_of(trace: Trace) -> Any:
    """What 0.1.0 took the digest of: all that it knew of a trace but the id."""
    content = msgspec.to_builtins(trace)
    return {name: content[name] for name in _OF_0_1_0 if name in content}


_OF_0_1_0 = ("turns", "context", "task", "reply", "score", "feedback", "failure")
