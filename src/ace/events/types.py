"""The events of a step and the line of the log that holds them.

Only data lives here. Names and fields are the file format of `history/events.jsonl`: a field may be added with a
default, none is ever renamed, retyped or removed. An unknown field in an event is passed over (a newer writer may
add one); `Bullet` is the exception, since dropping part of a bullet would change the playbook.

Accounting: every trace of a step ends in one `RunRead` or `RunSkipped`, every tag of a used reflection in one
`TagCounted` or `TagIgnored`, every operation of a used curation in one `BulletAdded`, `DuplicateRejected`,
`Refused` or `OperationIgnored`. `item` is the position of the tag or operation in its reply, from 0.
"""

from __future__ import annotations

from typing import Literal

import msgspec

__all__ = [
    "FORMAT_VERSION",
    "Bullet",
    "BulletAdded",
    "Capped",
    "Curation",
    "DuplicateRejected",
    "Event",
    "OperationIgnored",
    "Outcome",
    "PlaybookRestored",
    "Pruned",
    "Refused",
    "RunRead",
    "RunSkipped",
    "SkipReason",
    "StepRecord",
    "Tag",
    "TagCounted",
    "TagIgnored",
]

FORMAT_VERSION = 1
"""The version of the log's lines that this package writes, and the newest that it reads."""

type Tag = Literal["helpful", "harmful", "neutral"]
type Outcome = Literal["committed", "refused"]
type SkipReason = Literal["middle of a run", "over the limit", "unusable reply", "failed call"]
type Curation = Literal["used", "unusable reply", "failed call"]


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


class _Event(msgspec.Struct, frozen=True, tag=True, gc=False):
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
    """An ADD became the bullet `id`."""

    trace: str
    item: int
    id: str
    section: str
    content: str
    step: int


class DuplicateRejected(_Event, frozen=True, gc=False):
    """An ADD said what bullet `bullet`, or line `line` (from 1) of `rules.md` outside the block, says already.

    Exactly one is given: `bullet` is empty for a line, `line` is 0 for a bullet.
    """

    trace: str
    item: int
    bullet: str
    line: int


class Refused(_Event, frozen=True, gc=False):
    """An ADD failed a screen. Only the reason is kept: neither the text nor anything derived from it."""

    trace: str
    item: int
    reason: str


class OperationIgnored(_Event, frozen=True, gc=False):
    """An operation was no ADD to a configured section with a text."""

    trace: str
    item: int
    reason: str


class RunRead(_Event, frozen=True, gc=False):
    """A run was reflected on. `task` and `insight` are excerpts; `curation` says whether the Curator's reply was
    used, and `reason` why not (empty when it was).
    """

    trace: str
    score: float | None
    task: str
    insight: str
    curation: Curation
    reason: str = ""


class RunSkipped(_Event, frozen=True, gc=False):
    """A trace taught nothing. `detail` says more than `reason`, and may be empty."""

    trace: str
    reason: SkipReason
    detail: str = ""


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


class PlaybookRestored(_Event, frozen=True):
    """The playbook was replaced from outside the log: the state is now exactly this one."""

    reason: str
    next_number: int
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
    | PlaybookRestored
)


class StepRecord(msgspec.Struct, frozen=True, kw_only=True):
    """One line of the log: one step.

    `seq` is the line's number, from 1. `prev` is the SHA-256 of the line before it without its line break (empty
    for the first). `step` is the host's number of the step and `record` the name of the folder with its record
    (empty where there is none). `playbook` is the SHA-256 of the canonical playbook after the step, `block` that of
    the block after it and `served` that of the block found when the step began; both blocks are taken with LF line
    ends, so that a checkout that converts line ends is no edit. After a `refused` step (the host's check said no,
    for `reason`), state and block are what they were, and `fold` passes its events over.
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
