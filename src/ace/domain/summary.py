"""What a step did, in counts and sentences, computed from its events alone.

Nothing here looks at a playbook, a reply or a file, so that the summary of a step can be made again from the log at any
time. Events hold neither refused text nor credentials, so a summary does not either.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from ace.events.types import (
    Accepted,
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    Forgotten,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    Removed,
    Reworded,
    RulesRestored,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)

__all__ = ["Counts", "count", "failure_summary", "plural", "sentence", "shown_events", "summary", "tell"]


class Counts(msgspec.Struct, frozen=True):
    """How often what happened in a step.

    `read` counts reflections, and `curated_later` the runs whose reflection an earlier step had made. `removed` leaves out
    what a screen took out of a playbook from outside, which `screened` counts.
    """

    read: int = 0
    curated_later: int = 0
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
    removed: int = 0
    screened: int = 0
    reworded: int = 0
    accepted: int = 0
    forgotten: int = 0
    restored: int = 0
    rules_restored: int = 0


_FIELDS: dict[type, str] = {
    RunSkipped: "skipped",
    TagIgnored: "tags_ignored",
    BulletAdded: "added",
    DuplicateRejected: "duplicates",
    Refused: "refused",
    OperationIgnored: "ignored",
    Pruned: "pruned",
    Capped: "capped",
    Reworded: "reworded",
    Accepted: "accepted",
    Forgotten: "forgotten",
    PlaybookRestored: "restored",
    RulesRestored: "rules_restored",
}


def count(events: Iterable[Event]) -> Counts:
    """Count the events by what they tell."""
    counts = dict.fromkeys(Counts.__struct_fields__, 0)
    for event in events:
        counts[_field(event)] += 1
    return Counts(**counts)


def _field(event: Event) -> str:
    match event:
        case TagCounted():
            return event.tag
        case RunRead():
            return "curated_later" if event.of else "read"
        case Removed():
            return "screened" if event.by == "screen" else "removed"
        case _:
            return _FIELDS[type(event)]


def sentence(counts: Counts) -> str:
    """One line for a terminal: `2 runs read, 1 trace skipped; 3 added, 1 duplicate, …`; what is zero is left out."""
    skipped = f", {plural(counts.skipped, 'trace')} skipped" if counts.skipped else ""
    later = f", {plural(counts.curated_later, 'run')} curated later" if counts.curated_later else ""
    runs = f"{plural(counts.read, 'run')} read{later}{skipped}"
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
        (counts.removed, "removed"),
        (counts.reworded, "reworded"),
        (counts.accepted, "accepted"),
        (counts.screened, "screened out"),
    ]
    told = ", ".join(f"{number} {word}" for number, word in changes if number)
    return f"{runs}; {told or 'nothing new'}"


def summary(record: StepRecord, remarks: Sequence[str] = ()) -> str:
    """The step as Markdown for a person, as `output/summary.md` holds it. `remarks` are what has no event."""
    lines = [f"# Step {record.step}: {record.outcome}", ""]
    if record.outcome == "refused":
        lines += [f"The host's check refused the new tree: {record.reason}", ""]
        lines += ["State and rules stay as they were; none of what follows took effect.", ""]
    noticed = ["", "## Noticed", "", *(f"- {remark}" for remark in remarks)] if remarks else []
    if record.accepted:
        lines += [
            "Something of the playbook waits for a review (`ace review`): the rules do not show it yet.",
            "",
        ]
    return "\n".join([*lines, *_body(shown_events(record)), *noticed]) + "\n"


def shown_events(record: StepRecord) -> tuple[Event, ...]:
    """The events of a step as they are shown. The ids of bullets that a refused step would have added were not given, and a
    later step gives them to others: such a bullet is called `new-1`, `new-2`, ….
    """
    if record.outcome == "committed":
        return record.events
    added = [event.id for event in record.events if isinstance(event, BulletAdded)]
    names = {identifier: f"new-{number}" for number, identifier in enumerate(added, 1)}
    return tuple(_renamed(event, names) for event in record.events)


def _renamed(event: Event, names: Mapping[str, str]) -> Event:
    match event:
        case BulletAdded():
            alike = tuple(names.get(other, other) for other in event.similar)
            return msgspec.structs.replace(event, id=names[event.id], similar=alike)
        case Pruned() | Capped() if event.id in names:
            return msgspec.structs.replace(event, id=names[event.id])
        case TagCounted() | TagIgnored() | DuplicateRejected() if event.bullet in names:
            return msgspec.structs.replace(event, bullet=names[event.bullet])
        case _:
            return event


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
    later = f", {counts.curated_later} curated later" if counts.curated_later else ""
    yield f"{plural(counts.read, 'run')} read{later}, {counts.skipped} skipped."
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
    removed = f", removed {counts.removed}" if counts.removed else ""
    yield "| tags | operations | removed |"
    yield "| --- | --- | --- |"
    yield (
        f"| helpful {counts.helpful}, harmful {counts.harmful}, neutral {counts.neutral}, ignored {counts.tags_ignored}"
        f" | added {counts.added}, duplicates {counts.duplicates}, refused {counts.refused}, ignored {counts.ignored}"
        f" | pruned {counts.pruned}, capped {counts.capped}{removed} |"
    )


_CHAPTERS: tuple[tuple[str, tuple[type, ...]], ...] = (
    ("Restored", (PlaybookRestored, RulesRestored)),
    ("Accepted", (Accepted,)),
    ("Added", (BulletAdded,)),
    ("Reworded", (Reworded,)),
    ("Removed", (Pruned, Capped, Removed)),
    ("Refused", (Refused,)),
    ("Duplicates", (DuplicateRejected,)),
    ("Ignored", (OperationIgnored, TagIgnored)),
    ("Runs", (RunRead,)),
    ("Skipped", (RunSkipped,)),
    ("Forgotten", (Forgotten,)),
)


def tell(event: Event) -> str:  # noqa: C901, PLR0911, PLR0912 - one sentence for each event type
    """One event as a sentence."""
    match event:
        case BulletAdded():
            return _told_bullet(event)
        case DuplicateRejected():
            said = event.bullet or f"line {event.line} of {event.file or 'the rules'}"
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
        case Removed():
            text = f": {event.content}" if event.content else ""
            return f"[{event.id}] removed by {_WHO[event.by]}{_because(event.reason)}{text}"
        case Reworded():
            return f"[{event.id}] reworded by {_WHO[event.by]}{_because(event.reason)}: {event.before} → {event.after}"
        case Accepted():
            return f"[{event.id}] accepted by a person: {event.content}"
        case Forgotten():
            return f"the texts before line {event.first_seq} were taken out of the log: {event.reason}"
        case PlaybookRestored():
            return f"{event.reason}: the playbook is now {plural(len(event.bullets), 'bullet')}"
        case RulesRestored():
            return f"the rules show {plural(len(event.bullets), 'bullet')}, and the rest waits for a review"


_WHO = {"person": "a person", "host": "the host", "screen": "a screen"}


def _because(reason: str) -> str:
    return f" ({reason})" if reason else ""


def _told_bullet(event: BulletAdded) -> str:
    source = f"from {event.trace}" if event.trace else "by a person"
    marked = f"; marked: {event.marked}" if event.marked else ""
    similar = f"; similar to {', '.join(event.similar)}" if event.similar else ""
    return f"[{event.id}] {event.content} ({event.section}; {source}{marked}{similar})"


def _told_run(event: RunRead) -> str:
    score = "no score" if event.score is None else f"score {event.score:.15g}"
    insight = event.insight or "no insight"
    curation = (
        "" if event.curation == "used" else f" No bullets: the Curator's {event.curation} ({event.reason})."
    )
    later = f" The reflection is that of line {event.of}." if event.of else ""
    return f"{event.trace} ({score}): {event.task or 'no task'} → {insight}{later}{curation}"


def plural(number: int, word: str) -> str:
    """`1 run`, `2 runs`."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
