"""What a step did, in counts and sentences, computed from its events alone.

Nothing here looks at a playbook, a reply or a file, so that the summary of a step can be made again from the log at any
time. Events hold neither refused text nor credentials; hence a summary does not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from ace.events.types import (
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)

__all__ = ["Counts", "count", "failure_summary", "plural", "sentence", "summary", "tell"]


class Counts(msgspec.Struct, frozen=True):
    """How often what happened in a step."""

    read: int = 0
    skipped: int = 0
    helpful: int = 0
    harmful: int = 0
    neutral: int = 0
    tags_ignored: int = 0
    added: int = 0
    duplicates: int = 0
    refused: int = 0
    ignored: int = 0
    pruned: int = 0
    capped: int = 0
    restored: int = 0


_FIELDS: dict[type, str] = {
    RunRead: "read",
    RunSkipped: "skipped",
    TagIgnored: "tags_ignored",
    BulletAdded: "added",
    DuplicateRejected: "duplicates",
    Refused: "refused",
    OperationIgnored: "ignored",
    Pruned: "pruned",
    Capped: "capped",
    PlaybookRestored: "restored",
}


def count(events: Iterable[Event]) -> Counts:
    """Count the events by what they tell."""
    counts = dict.fromkeys(Counts.__struct_fields__, 0)
    for event in events:
        counts[event.tag if isinstance(event, TagCounted) else _FIELDS[type(event)]] += 1
    return Counts(**counts)


def sentence(counts: Counts) -> str:
    """One line for a terminal: `2 runs read, 1 trace skipped; 3 added, 1 duplicate, …`; what is zero is left out."""
    skipped = f", {plural(counts.skipped, 'trace')} skipped" if counts.skipped else ""
    runs = f"{plural(counts.read, 'run')} read{skipped}"
    changes = [
        (counts.added, "added"),
        (counts.duplicates, "duplicate" if counts.duplicates == 1 else "duplicates"),
        (counts.refused, "refused"),
        (counts.ignored, "ignored"),
        (
            counts.helpful + counts.harmful,
            "tag counted" if counts.helpful + counts.harmful == 1 else "tags counted",
        ),
        (counts.pruned, "pruned"),
        (counts.capped, "capped"),
    ]
    told = ", ".join(f"{number} {word}" for number, word in changes if number)
    return f"{runs}; {told or 'nothing new'}"


def summary(record: StepRecord) -> str:
    """The step as Markdown for a person, as `output/summary.md` holds it."""
    lines = [f"# Step {record.step}: {record.outcome}", ""]
    if record.outcome == "refused":
        lines += [f"The host's check refused the new tree: {record.reason}", ""]
        lines += ["State and rules stay as they were; none of what follows took effect.", ""]
    return "\n".join([*lines, *_body(record.events)]) + "\n"


def failure_summary(step: int, reason: str, events: Sequence[Event]) -> str:
    """A step that failed as a whole, as Markdown. It is in no log, and its traces can be tried again."""
    lines = [
        f"# Step {step}: failed",
        "",
        reason,
        "",
        "Nothing was changed; the same traces can be tried again.",
        "",
    ]
    return "\n".join([*lines, *_body(events)]) + "\n"


def _body(events: Sequence[Event]) -> Iterator[str]:
    counts = count(events)
    yield f"{plural(counts.read, 'run')} read, {counts.skipped} skipped."
    yield ""
    yield from _table(counts)
    for title, kinds in _CHAPTERS:
        told = [tell(event) for event in events if isinstance(event, kinds)]
        if told:
            yield ""
            yield f"## {title}"
            yield ""
            yield from (f"- {text}" for text in told)


def _table(counts: Counts) -> Iterator[str]:
    yield "| tags | operations | removed |"
    yield "| --- | --- | --- |"
    yield (
        f"| helpful {counts.helpful}, harmful {counts.harmful}, neutral {counts.neutral}, ignored {counts.tags_ignored}"
        f" | added {counts.added}, duplicates {counts.duplicates}, refused {counts.refused}, ignored {counts.ignored}"
        f" | pruned {counts.pruned}, capped {counts.capped} |"
    )


_CHAPTERS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("Restored", (PlaybookRestored,)),
    ("Added", (BulletAdded,)),
    ("Removed", (Pruned, Capped)),
    ("Refused", (Refused,)),
    ("Duplicates", (DuplicateRejected,)),
    ("Ignored", (OperationIgnored, TagIgnored)),
    ("Runs", (RunRead,)),
    ("Skipped", (RunSkipped,)),
)


def tell(event: Event) -> str:  # noqa: C901, PLR0911 - one sentence for each event type
    """One event as a sentence."""
    match event:
        case BulletAdded():
            return f"[{event.id}] {event.content} ({event.section}; from {event.trace})"
        case DuplicateRejected():
            said = event.bullet or f"line {event.line} of the rules"
            return f"operation {event.item + 1} of {event.trace}: {said} says it already"
        case Refused():
            return f"operation {event.item + 1} of {event.trace}: {event.reason}"
        case OperationIgnored():
            return f"operation {event.item + 1} of {event.trace}: {event.reason}"
        case TagCounted():
            return f"[{event.bullet}] {event.tag} for {event.trace}"
        case TagIgnored():
            return f"tag {event.item + 1} of {event.trace}: {event.reason}" + (
                f" ({event.bullet})" if event.bullet else ""
            )
        case RunRead():
            return _told_run(event)
        case RunSkipped():
            return f"{event.trace}: {event.reason}" + (f" ({event.detail})" if event.detail else "")
        case Pruned():
            return f"[{event.id}] pruned at helpful={event.helpful} harmful={event.harmful}: {event.content}"
        case Capped():
            return f"[{event.id}] over the cap at helpful={event.helpful} harmful={event.harmful}: {event.content}"
        case PlaybookRestored():
            return f"{event.reason}: the playbook is now {plural(len(event.bullets), 'bullet')}"


def _told_run(event: RunRead) -> str:
    score = "no score" if event.score is None else f"score {event.score:.15g}"
    insight = event.insight or "no insight"
    curation = (
        "" if event.curation == "used" else f" No bullets: the Curator's {event.curation} ({event.reason})."
    )
    return f"{event.trace} ({score}): {event.task or 'no task'} → {insight}{curation}"


def plural(number: int, word: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
