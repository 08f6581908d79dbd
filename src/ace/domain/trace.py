"""What one recorded run carries, and what of it the method reads: task, reply, and whether it is a run at all."""

from __future__ import annotations

import hashlib
import math
from typing import Literal

import msgspec

from ace.domain.screens import excerpt

__all__ = ["Role", "ToolCall", "Trace", "Turn", "is_run", "reply_of", "task_of"]

type Role = Literal["system", "developer", "user", "assistant", "tool"]


class ToolCall(msgspec.Struct, frozen=True):
    """A tool that the assistant called. `arguments` is the text as recorded, usually JSON, shown as it stands."""

    name: str
    arguments: str = ""
    id: str = ""


class Turn(msgspec.Struct, frozen=True, omit_defaults=True):
    """One message. A `tool` turn is the result of the call `call_id`; `failed` is the tool's own error flag."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    failed: bool = False


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one recorded model call, or one report's calls together, carries.

    `turns` is the trajectory. `context` holds earlier turns of the same session, of which the run is not judged.
    `task` and `reply` stand in where there is no trajectory (a run of an offline step); where there is one they are
    found in it, unless given. `score` is a finite number, `feedback` and `failure` are texts; each may be missing. `id` is
    kept as one clean line of at most 200 characters, since it stands in every event and note; one that is not gets a
    digest behind its excerpt.
    """

    id: str
    turns: tuple[Turn, ...] = ()
    context: tuple[Turn, ...] = ()
    task: str = ""
    reply: str = ""
    score: float | None = None
    feedback: str = ""
    failure: str = ""

    def __post_init__(self) -> None:
        """Make the id fit to be kept, and distinct all the same. Raises `ValueError` for a score that is not finite."""
        if self.score is not None and not math.isfinite(self.score):
            raise ValueError("score is not a finite number")
        shown = excerpt(self.id, 200)
        if shown != self.id:
            digest = hashlib.sha256(self.id.encode(errors="surrogatepass")).hexdigest()[:12]
            kept = f"{excerpt(self.id, 150)} #{digest}".strip()
            # An excerpt that ends on `--token` would make a secret of the digest.
            msgspec.structs.force_setattr(self, "id", kept if excerpt(kept, 200) == kept else f"#{digest}")


def task_of(trace: Trace) -> str:
    """The text of the first user message, or the given task; empty if there is neither."""
    if trace.task:
        return trace.task
    return next((turn.text for turn in trace.turns if turn.role == "user"), "")


def reply_of(trace: Trace) -> str:
    """The text of the last assistant message if that message calls no tool, or the given reply; else empty."""
    if trace.reply:
        return trace.reply
    last = next((turn for turn in reversed(trace.turns) if turn.role == "assistant"), None)
    return last.text if last is not None and not last.calls else ""


def is_run(trace: Trace) -> bool:
    """Whether the trace has a score or a reply. One with neither is a call in the middle of a run."""
    return trace.score is not None or bool(reply_of(trace).strip())
