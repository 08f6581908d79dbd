"""The events of a step and the line of the log that holds them.

Only data lives here. Names and fields are the file format of `history/events.jsonl`: a field may be added with a
default, none is ever renamed, retyped or removed. An unknown field in an event is passed over (a newer writer may
add one); `Bullet` is the exception, since dropping part of a bullet would change the playbook. In a line, a field of an
event that has its default is left out.

Versions: `v` of a line is the lowest version whose readers get the line right.

    1   0.1.0
    2   a line that holds a `Removed`, `Reworded` or `Forgotten`, or a run that was given twice. A reader of version 1 would
        fold a wrong playbook, or not know the word, so it has to stop there

A new field with a default leaves `v` as it is; a new kind of event, or a new value of `RunSkipped.reason`,
`RunRead.curation` or `StepRecord.outcome`, needs a new one.

Accounting: every trace of a step ends in one `RunRead` or `RunSkipped`, every tag of a used reflection in one
`TagCounted` or `TagIgnored`, every operation of a used curation in one `BulletAdded`, `DuplicateRejected`,
`Refused` or `OperationIgnored`. `item` is the position of the tag or operation in its reply, from 0. In sizes: added -
pruned - capped - removed (by anyone but a screen) is the difference of the playbook's, where nothing was restored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

import msgspec

__all__ = [
    "FORMAT_VERSION",
    "Accepted",
    "Bullet",
    "BulletAdded",
    "Capped",
    "CurationUse",
    "DuplicateRejected",
    "Event",
    "Forgotten",
    "Identity",
    "OperationIgnored",
    "Outcome",
    "PlaybookRestored",
    "Pruned",
    "Refused",
    "Removed",
    "Remover",
    "Reworded",
    "RulesRestored",
    "RunRead",
    "RunSkipped",
    "SkipReason",
    "StepRecord",
    "Tag",
    "TagCounted",
    "TagIgnored",
    "version_of",
]

FORMAT_VERSION = 2
"""The newest version of the log's lines that this package reads, and the highest that it writes."""

type Tag = Literal["helpful", "harmful", "neutral"]
type Outcome = Literal["committed", "refused"]
type SkipReason = Literal["middle of a run", "over the limit", "unusable reply", "failed call", "given twice"]
type CurationUse = Literal["used", "unusable reply", "failed call"]
type Remover = Literal["person", "host", "screen"]
type Identity = tuple[str, str]
"""What a run is known by: an id, and the SHA-256 of its task in hex."""


class Bullet(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One lesson of a playbook.

    `id` is `ace-` and at least five digits; `content` is one line; `helpful` and `harmful` count the runs whose
    reflection tagged it so; `step` is the number of the step that added it.
    """

    id: str
    section: str
    content: str
    helpful: int
    harmful: int
    step: int


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False, omit_defaults=True):
    """The base of all events; in JSON, `type` holds the class name."""


class TagCounted(_Event, frozen=True, gc=False):
    """A tag of run `trace` counted for a bullet; `neutral` changes no count."""

    trace: str
    item: int
    bullet: str
    tag: Tag


class TagIgnored(_Event, frozen=True, gc=False):
    """A tag had no effect. `bullet` is the id it named, or empty if it named none that can be shown."""

    trace: str
    item: int
    bullet: str
    reason: str


class BulletAdded(_Event, frozen=True, gc=False):
    """An ADD, or a person, made the bullet `id`.

    `by` is empty for an ADD; it is `person`, and `trace` empty, where a person wrote the bullet. `marked` is the kind of an
    acting lesson, else empty. `similar` holds the ids of bullets that say nearly the same.
    """

    trace: str
    item: int
    id: str
    section: str
    content: str
    step: int
    by: Literal["", "person"] = ""
    marked: str = ""
    similar: tuple[str, ...] = ()


class DuplicateRejected(_Event, frozen=True, gc=False):
    """An ADD said what bullet `bullet`, or line `line` (from 1) of `rules.md` outside the block, says already.

    Exactly one is given: `bullet` is empty for a line, `line` is 0 for a bullet. `file` names the rules file of the line
    where there are several.
    """

    trace: str
    item: int
    bullet: str
    line: int
    file: str = ""


class Refused(_Event, frozen=True, gc=False):
    """An ADD failed a screen. Only the reason is kept: neither the text nor anything derived from it."""

    trace: str
    item: int
    reason: str


class OperationIgnored(_Event, frozen=True, gc=False):
    """An operation was not an ADD to a configured section with a text."""

    trace: str
    item: int
    reason: str


class RunRead(_Event, frozen=True, gc=False):
    """A run was reflected on. `task` and `insight` are excerpts; `curation` says whether the Curator's reply was
    used, and `reason` why not (empty when it was).

    `task_digest` is the SHA-256 of the whole task in hex, empty in lines of 0.1.0; with `trace` it is the run's identity,
    and `aliases` are other identities of the same run. Where the Curator's reply was not used, `reflection` keeps what it was
    to be shown, and a later step may ask it alone: that is a second `RunRead` whose `of` is the `seq` of the first one's
    line (0 for a first one). `had` is the digest of the block that the run had in force, where it is known.
    """

    trace: str
    score: float | None
    task: str
    insight: str
    curation: CurationUse
    reason: str = ""
    task_digest: str = ""
    aliases: tuple[Identity, ...] = ()
    reflection: str = ""
    of: int = 0
    had: str = ""


class RunSkipped(_Event, frozen=True, gc=False):
    """A trace taught nothing. `detail` says more than `reason`, and may be empty.

    `task_digest` and `aliases` are as in `RunRead`. `attempt` counts the unusable replies to this run, this one included;
    it is 0 for one that does not count, since no reply of the model was usable by then.
    """

    trace: str
    reason: SkipReason
    detail: str = ""
    task_digest: str = ""
    aliases: tuple[Identity, ...] = ()
    attempt: int = 0


class Pruned(_Event, frozen=True, gc=False):
    """A bullet was removed, since `harmful` exceeded `helpful` by `prune_margin` or more."""

    id: str
    section: str
    content: str
    helpful: int
    harmful: int


class Capped(_Event, frozen=True, gc=False):
    """A bullet was removed, since more than `max_bullets` were there and it had the lowest balance."""

    id: str
    section: str
    content: str
    helpful: int
    harmful: int


class Removed(_Event, frozen=True, gc=False):
    """A bullet was taken out by a `person`, the `host` or a `screen`, for `reason`.

    A screen takes bullets out of a playbook from outside, before it is restored: such an event comes behind the
    `PlaybookRestored`, changes nothing, and has no `content`.
    """

    id: str
    section: str
    content: str
    helpful: int
    harmful: int
    by: Remover
    reason: str


class Reworded(_Event, frozen=True, gc=False):
    """A person or the host gave bullet `id` the text `after` in place of `before`; its counts stay."""

    id: str
    before: str
    after: str
    by: Literal["person", "host"]
    reason: str


class Accepted(_Event, frozen=True, gc=False):
    """A person accepted bullet `id`, which waited for a review with this text: from here on the rules show it."""

    id: str
    content: str


class Forgotten(_Event, frozen=True, gc=False):
    """A person had the texts of the lines before `first_seq` taken out of the log. It changes no bullet."""

    first_seq: int
    reason: str


class PlaybookRestored(_Event, frozen=True):
    """The playbook was replaced from outside the log: the state is now exactly this one."""

    reason: str
    next_number: int
    bullets: tuple[Bullet, ...]


class RulesRestored(_Event, frozen=True):
    """The rules show exactly these bullets, and the rest of the playbook waits for a review: what a decision says that goes back
    to a time at which something waited. It changes no bullet of the playbook.
    """

    bullets: tuple[Bullet, ...]


type Event = (
    TagCounted
    | TagIgnored
    | BulletAdded
    | DuplicateRejected
    | Refused
    | OperationIgnored
    | RunRead
    | RunSkipped
    | Pruned
    | Capped
    | Removed
    | Reworded
    | Accepted
    | Forgotten
    | PlaybookRestored
    | RulesRestored
)


def version_of(events: Iterable[Event]) -> int:
    """The lowest version of a line with these events whose readers get it right."""
    newer = any(
        isinstance(event, Removed | Reworded | Accepted | RulesRestored | Forgotten)
        or (isinstance(event, RunSkipped) and event.reason == "given twice")
        for event in events
    )
    return 2 if newer else 1


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log: one step.

    `seq` is the line's number, from 1. `prev` is the SHA-256 of the line before it without its line break (empty
    for the first). `step` is the host's number of the step and `record` the name of the folder with its record
    (empty where there is none). `playbook` is the SHA-256 of the canonical playbook after the step, `block` that of
    the block after it and `served` that of the block found when the step began; both blocks are taken with LF line
    ends, so that a checkout that converts line ends does not count as an edit. After a `refused` step (the host's check said no,
    for `reason`), state and block are what they were, and `fold` passes its events over. The `reason` of a committed line is
    what a person gave for a decision, and empty in a step's.

    New with the second version, and empty in lines before it: `time` is when the step ended (RFC 3339, UTC), `records`
    maps the paths of what the step's record held before the append (`calls.json`, `harness/…`, `state/…`) to their SHA-256,
    and `sum` is the SHA-256 of this line itself, without its line break and with `sum` empty. `accepted` is empty, or something
    of the playbook waits for a review after the line, and it is the digest of what the rules show (see `domain.waiting`); such
    a line is of the second version, since a reader that does not know the field would show all of the playbook.
    """

    v: int
    seq: int
    prev: str
    step: int
    record: str
    outcome: Outcome
    sections: tuple[str, ...]
    next_number: int
    playbook: str
    block: str
    served: str
    events: tuple[Event, ...]
    reason: str = ""
    time: str = ""
    records: dict[str, str] = {}
    accepted: str = ""
    sum: str = ""

    @property
    def applied(self) -> tuple[Event, ...]:
        """The events that happened: all, or none if the step was refused. What folds a log itself takes these."""
        return self.events if self.outcome == "committed" else ()
