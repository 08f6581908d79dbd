"""What `ace learn` tells a person: progress and flaws on standard error, the outcome on standard output."""

from __future__ import annotations

import difflib
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

from ace.domain.summary import count, plural, sentence
from ace.domain.summary import tell as sentence_of
from ace.domain.waiting import Waiting
from ace.events.types import Event, RunRead, RunSkipped, StepRecord

__all__ = [
    "above",
    "outcome_line",
    "print_diff",
    "problems",
    "progress",
    "say",
    "tell",
    "told_edits",
    "told_waiting",
    "visible",
]


_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    """The text with its control characters as escapes: a terminal would obey them, wherever they came from."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), text)


def tell(text: str) -> None:
    """Print something that may hold words from outside."""
    print(visible(text))


_as_log_lines = False


def say_as_log_lines() -> None:
    """Let what is told while it happens go through structlog, too: the error stream then holds nothing but log lines."""
    global _as_log_lines  # noqa: PLW0603 - one process has one error stream
    _as_log_lines = True


_around: Callable[[], AbstractContextManager[object]] = nullcontext


@contextmanager
def above(around: Callable[[], AbstractContextManager[object]]) -> Iterator[None]:
    """Tell what happens above a line that stays at the bottom: each message is printed inside of this context."""
    global _around  # noqa: PLW0603 - one process has one error stream
    _around = around
    try:
        yield
    finally:
        _around = nullcontext


def say(text: str) -> None:
    """Tell something while it happens. That no one listens any more must not end a command that pays for calls."""
    if _as_log_lines:
        from ace.observing import log_note  # noqa: PLC0415 - structlog is slow to import

        log_note("Note", text=text)
        return
    with suppress(OSError), _around():
        print(visible(text), file=sys.stderr, flush=True)


def progress(done: int, total: int, ids: Sequence[str]) -> str:
    """`[run 3 of 14] run-3`: the runs that a step is about, after so many that are done."""
    if not ids:
        return "[no run]"
    span = f"{done + 1}" if len(ids) == 1 else f"{done + 1}-{done + len(ids)}"
    more = f" and {len(ids) - 1} more" if len(ids) > 1 else ""
    return f"[run {span} of {total}] {ids[0]}{more}"


def outcome_line(record: StepRecord) -> str:
    """What came of a step, on one line."""
    if record.outcome == "refused":
        return f"refused by the check: {record.reason}"
    return sentence(count(record.events)) + "".join(f" ({told})" for told in problems(record.events))


def problems(events: Iterable[Event]) -> Iterator[str]:
    """What a person should know of the runs that taught less than they could have."""
    for event in events:
        if isinstance(event, RunSkipped) and event.reason != "middle of a run":
            yield f"skipped {sentence_of(event)}"
        elif isinstance(event, RunRead) and event.curation != "used":
            yield f"no bullets from {event.trace}: the Curator's {event.curation}, {event.reason}"


def told_edits(edited: Mapping[Path, Sequence[str]]) -> Iterator[str]:
    """What was changed in a block by hand and is put back, and how it could be kept."""
    for path, lines in edited.items():
        yield f"The block in {path} was changed by hand. The log's is put back, and this is lost:"
        yield from (f"  {line}" for line in lines)
        yield (
            f"`ace remove`, `ace reword` and `ace add` change lessons; `ace adopt --from-block {shlex.quote(str(path))}` takes up "
            "what you changed in a block, if you say it before another command that writes."
        )


def print_diff(before: str, after: str, rules: Path) -> None:
    """What changed in the block of the rules file."""
    if before == after:
        tell(f"The block in {rules} is unchanged.")
        return
    tell(f"\nWhat changed in the block of {rules}:\n")
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=1):
        if not line.startswith(("---", "+++", "@@")):
            tell(line)
    print()


def told_waiting(left: Waiting) -> str:
    """What waits for a review, as a sentence without its end; nothing if nothing does."""
    parts = [
        plural(len(left.lessons), "lesson") if left.lessons else "",
        f"{plural(len(left.leaving), 'lesson')} that would leave the rules" if left.leaving else "",
        f"the counts of {plural(left.counted, 'lesson')}" if left.counted else "",
    ]
    *rest, last = [one for one in parts if one] or [""]
    told = f"{', '.join(rest)} and {last}" if rest else last
    if not told:
        return ""
    waits = "waits" if len(left.lessons) + len(left.leaving) == 1 and not left.counted else "wait"
    return f"{told} {waits} for a review: `ace review`, or `ace accept`"
