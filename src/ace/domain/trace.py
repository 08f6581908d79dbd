"""What one recorded run carries, and what of it the method reads: task, reply, and whether it is a run at all.

Whatever makes a trace, its values are checked here and brought to their type, once: behind this door a score is a finite
`float`, an id one clean line, and a text a `str`.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal, get_args

import msgspec

from ace.domain.screens import safe_excerpt

__all__ = [
    "JsonObject",
    "ToolCall",
    "Trace",
    "Turn",
    "TurnRole",
    "finite",
    "is_run",
    "placeholder",
    "reply_in",
    "reply_of",
    "short_digest",
    "task_of",
]

type JsonObject = Mapping[str, Any]
"""An object of JSON, as it was decoded."""

type TurnRole = Literal["system", "developer", "user", "assistant", "tool"]

_ROLES = frozenset(get_args(TurnRole.__value__))
_DIGEST = re.compile(r"(?:[0-9a-f]{64})?")


class ToolCall(msgspec.Struct, frozen=True, gc=False):
    """A tool that the assistant called. `arguments` is the text as recorded, usually JSON, shown as it is."""

    name: str
    arguments: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        """Raises `ValueError` for a value other than text."""
        if not type(self.name) is type(self.arguments) is type(self.id) is str:
            _see_texts(self, "name", "arguments", "id")


_CALL: frozenset[Any] = frozenset({ToolCall})


class Turn(msgspec.Struct, frozen=True, omit_defaults=True, gc=False):
    """One message. A `tool` turn is the result of the call `call_id`; `failed` is the tool's own error flag."""

    role: TurnRole
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    name: str = ""
    failed: bool = False

    def __post_init__(self) -> None:
        """Raises `ValueError` for a role that is none, and for a value of another type."""
        if _is_plain(self):
            return
        if self.role not in _ROLES:
            raise ValueError("role is not one of " + ", ".join(sorted(_ROLES)))
        _see_texts(self, "text", "call_id", "name")
        _make_tuple(self, "calls", ToolCall)
        if not isinstance(self.failed, bool):
            raise ValueError("failed is neither True nor False")  # noqa: TRY004 - as below


def _is_plain(turn: Any) -> bool:
    """Whether a turn is what most of the millions in a folder of sessions are: of the types that it should have."""
    return (
        type(turn.text) is type(turn.call_id) is type(turn.name) is type(turn.role) is str
        and turn.role in _ROLES
        and type(turn.calls) is tuple
        and (not turn.calls or _CALL.issuperset(map(type, turn.calls)))
        and type(turn.failed) is bool
    )


class Trace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """What one recorded model call, or one report's calls together, carries.

    `turns` is the trajectory. `context` holds earlier turns of the same session, of which the run is not judged.
    `task` and `reply` are used where there is no trajectory (a run of an offline step); where there is one they are
    found in it, unless given. `score` is a finite number, `feedback` and `failure` are texts; each may be missing. `id` is
    kept as one clean line of at most 200 characters, since it is in every event and note; one that is not gets a
    digest behind its excerpt.

    `aliases` are other names of the same run, each an id and the task as it was seen under that id: what an older version
    called it, or the session that it was copied from. `next_message` is what the user said after the run, `time` when the
    run ended (RFC 3339), and `had` the digest of the playbook's block that the agent read in it (`rules_block.digest_in`).

    Raises `ValueError` for a value that cannot be brought to its type: a score that is not a finite number, say.
    """

    id: str
    turns: tuple[Turn, ...] = ()
    context: tuple[Turn, ...] = ()
    task: str = ""
    reply: str = ""
    score: float | None = None
    feedback: str = ""
    failure: str = ""
    aliases: tuple[tuple[str, str], ...] = ()
    next_message: str = ""
    time: str = ""
    had: str = ""
    open: bool = False

    def __post_init__(self) -> None:
        """Bring every value to its type. Raises `ValueError` where that cannot be done."""
        _see_texts(self, "id", "task", "reply", "feedback", "failure", "next_message", "time", "had")
        if not isinstance(self.open, bool):
            raise ValueError("open is neither True nor False")  # noqa: TRY004 - as above
        _make_tuple(self, "turns", Turn)
        _make_tuple(self, "context", Turn)
        if self.had and not _DIGEST.fullmatch(self.had):
            raise ValueError("had is not the SHA-256 of a block in hex")
        if self.score is not None:
            msgspec.structs.force_setattr(self, "score", finite(self.score))
        msgspec.structs.force_setattr(self, "id", _clean_id(self.id))
        if self.aliases != ():
            msgspec.structs.force_setattr(
                self, "aliases", tuple(map(_alias, _items("aliases", self.aliases)))
            )


def finite(value: Any) -> float:
    """The number as a float: `True`, a `Decimal` and the numbers of other libraries too. Raises `ValueError` for anything
    else, a number in a text included, and for one that no float can hold.
    """
    if not isinstance(value, str | bytes | bytearray):
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            pass
        else:
            if math.isfinite(number):
                return number
    raise ValueError("score is not a finite number")


# What most ids are: a UUID or a digest, or a short word with a number. No screen refuses these, and the screens take longer
# than all else that is done to a run.
_PLAIN_ID = re.compile(
    r"(?:claude-message |sha256-)?[0-9a-f]{1,16}(?:-[0-9a-f]{1,12}){0,5}(?:#\d{1,9})?"
    r"|[A-Za-z]{0,8}[-_]?[0-9]{1,9}(?:#\d{1,9})?"
    r"|pi-entry [0-9a-f]{0,16}@[0-9TZ:.-]{1,30}"
)


def _clean_id(given: str) -> str:
    """An id that is fit to be kept, and distinct all the same."""
    if not given or _PLAIN_ID.fullmatch(given) or safe_excerpt(given, 200) == given:
        return given
    digest = short_digest(given)
    kept = f"{safe_excerpt(given, 150)} #{digest}".strip()
    # An excerpt that ends on `--token` would make a secret of the digest.
    return kept if safe_excerpt(kept, 200) == kept else f"#{digest}"


def short_digest(identifier: str) -> str:
    """12 hex digits of an id's SHA-256: they stand for an id that cannot be kept as it is."""
    return hashlib.sha256(identifier.encode(errors="surrogatepass")).hexdigest()[:12]


def _alias(pair: Any) -> tuple[str, str]:
    match pair:
        case (str() as identifier, str() as task):
            return _clean_id(identifier), task
    raise ValueError("aliases are not pairs of an id and a task")


def _see_texts(struct: msgspec.Struct, *names: str) -> None:
    for name in names:
        if not isinstance(getattr(struct, name), str):
            raise ValueError(f"{name} is not a text")  # noqa: TRY004 - one error for all that a trace may not hold


def _items(name: str, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise ValueError(f"{name} is not a list")  # noqa: TRY004 - as above
    return tuple(value)


def _make_tuple(struct: msgspec.Struct, name: str, kind: type) -> None:
    items = getattr(struct, name)
    if type(items) is tuple and {kind}.issuperset(map(type, items)):
        return
    items = _items(name, items)
    if not all(isinstance(item, kind) for item in items):
        raise ValueError(f"{name} is not a list of {kind.__name__}")
    msgspec.structs.force_setattr(struct, name, items)


def task_of(trace: Trace) -> str:
    """The text of the first user message, or the given task; empty if there is neither."""
    if trace.task:
        return trace.task
    return next((turn.text for turn in trace.turns if turn.role == "user"), "")


_PLACEHOLDERS = re.compile(r"(?:\s*\[(?:block: [^\]\n]{1,40}|message that could not be read)\])+\s*")


def placeholder(what: str) -> str:
    """The placeholder in a turn for content other than text; `what` is `block: …` or `message that could not be read`."""
    return f"[{what}]"


def reply_of(trace: Trace) -> str:
    """The text of the last assistant message if that message calls no tool, or the given reply; else empty. Placeholders for
    content other than text are not a reply.
    """
    return trace.reply or reply_in(trace.turns)


def reply_in(turns: Sequence[Turn]) -> str:
    """The reply that turns end in; see `reply_of`."""
    for last in reversed(turns):
        if last.role == "assistant":
            return "" if last.calls or _PLACEHOLDERS.fullmatch(last.text) else last.text
    return ""


def is_run(trace: Trace) -> bool:
    """Whether the trace has a score or a reply. One with neither is a call in the middle of a run."""
    return trace.score is not None or bool(reply_of(trace).strip())
