"""The rules that turn replies into events. Each function looks at the draft and returns what happens; none changes it.

A step applies each event to the draft before it decides the next one, so that every decision sees the ones before it.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from ace.domain.content import bare, clean, is_key, is_placeholder, repeats, says_nothing
from ace.domain.playbook import Draft, Row, bullet_id, key_of
from ace.domain.rules_block import Line, bullet_line, line_key
from ace.domain.screens import LONGEST_LESSON, acting_kind, refusal, safe_excerpt
from ace.domain.settings import ACESettings, section_key
from ace.domain.similar import alike_to
from ace.events.types import (
    BulletAdded,
    Capped,
    DuplicateRejected,
    OperationIgnored,
    Pruned,
    Refused,
    Tag,
    TagCounted,
    TagIgnored,
)

__all__ = ["add_bullet", "count_tag", "refine"]

_TAGS: Final[Mapping[str, Tag]] = {"helpful": "helpful", "harmful": "harmful", "neutral": "neutral"}


def count_tag(
    draft: Draft,
    counted: Collection[str],
    trace: str,
    position: int,
    item: Any,
    ids: Mapping[str, str] | None = None,
) -> TagCounted | TagIgnored:
    """Decide about one tag of a reflection. `counted` holds the bullets that this run has tagged already; `ids` says which
    bullets the ids in it stand for, where that is not themselves (an id that is not there stands for none).

    Outer blanks, case and copied brackets do not matter.
    """
    fields = item if isinstance(item, dict) else {}
    bullet = fields.get("id")
    if not isinstance(bullet, str):
        return TagIgnored(trace, position, "", "malformed: it has no id")
    named, bullet = bullet, bullet.strip().strip("[]").strip().casefold()
    if ids is not None:
        bullet = ids.get(bullet, "")
    value = fields.get("tag")
    tag = _TAGS.get(value.strip().casefold()) if isinstance(value, str) else None
    if bullet not in draft.rows:
        # An id that is none may be any text at all, so it is shown as an excerpt, which is screened; as it came, since
        # the shapes of credentials know case.
        return TagIgnored(trace, position, safe_excerpt(named, 20), "unknown id")
    if tag is None:
        return TagIgnored(trace, position, bullet, f"unknown tag {safe_excerpt(_spelled(value), 20)}")
    if bullet in counted:
        return TagIgnored(trace, position, bullet, "repeated in one reply")
    return TagCounted(trace, position, bullet, tag)


def _spelled(value: Any) -> str:
    match value:
        case str():
            return f'"{value}"'
        case True | False | None:
            return {True: "true", False: "false", None: "null"}[value]
        case _:
            return "that is no text"


def add_bullet(
    draft: Draft,
    settings: ACESettings,
    rules_lines: Mapping[str, Line],
    *,
    trace: str,
    position: int,
    step: int,
    item: Any,
    withdrawn: Collection[str] = frozenset(),
    screen: Callable[[str], str | None] | None = None,
    instructions: str = "",
) -> BulletAdded | DuplicateRejected | Refused | OperationIgnored:
    """Decide about one operation of a curation: ignored, refused, a duplicate, or a new bullet, in this order.

    `rules_lines` holds the lines of the rules files around the block, as `rules_block.lines_outside` returns them; `withdrawn` the
    keys of texts that do not come back; `screen` is the host's own, a function of the bullet's line in the block; `instructions` are
    the words that the Curator was asked with, none of which is a lesson.
    """
    fields = item if isinstance(item, dict) else {}
    if (flaw := _not_an_add(fields, settings, instructions)) is not None:
        return OperationIgnored(trace, position, flaw)
    content = clean(fields["content"])
    # As it came, too; but blanks that are folded away do not make it too long.
    given = fields["content"] if len(fields["content"]) <= LONGEST_LESSON else content
    without_marks = bare(content)
    # A mark in front must not hide what only counts at the start.
    looks = dict.fromkeys((given, content, without_marks))
    reason = next((found for look in looks if (found := refusal(look, settings.screens)) is not None), None)
    identifier, key = bullet_id(draft.next_number), key_of(content)
    if reason is None and screen is not None and screen(bullet_line(identifier, 0, 0, content)) is not None:
        reason = "the host's screen"
    if reason is None and (key in withdrawn or key_of(without_marks) in withdrawn):
        reason = "a person took this text out"
    if reason is not None:
        return Refused(trace, position, reason)
    bullet = draft.bullet_with(key) or draft.bullet_with(key_of(without_marks))
    if bullet is not None:
        return DuplicateRejected(trace, position, bullet, 0)
    if (line := rules_lines.get(line_key(content))) is not None:
        return DuplicateRejected(trace, position, "", line.number, line.file)
    section = _configured(settings, fields["section"]) or ""
    similar = alike_to(content, ((row.added_as.id, row.added_as.content) for row in draft.rows.values()))
    marked = acting_kind(content) if settings.acting_lessons == "mark" else ""
    return BulletAdded(trace, position, identifier, section, content, step, marked=marked, similar=similar)


def _not_an_add(fields: Mapping[str, Any], settings: ACESettings, instructions: str) -> str | None:
    kind, section, content = (fields.get(key) for key in ("type", "section", "content"))
    if not isinstance(kind, str):
        return "malformed: it has no type"
    if kind.strip().casefold() != "add":
        return f"type {safe_excerpt(kind, 20)} is not ADD"
    if not isinstance(section, str):
        return "malformed: it has no section"
    if _configured(settings, section) is None:
        return f"section {safe_excerpt(section, 40)} is not configured"
    line = clean(content) if isinstance(content, str) else ""
    if says_nothing(line):
        return "it has no text"
    # A model that knows no lesson writes the title of a section twice, or the name of the key.
    named = is_key(line) or _configured(settings, line) is not None
    return "it repeats the prompt" if named or is_placeholder(line) or repeats(line, instructions) else None


def _configured(settings: ACESettings, given: str) -> str | None:
    wanted = section_key(given)
    return next((section for section in settings.sections if section_key(section) == wanted), None)


def refine(draft: Draft, settings: ACESettings) -> tuple[Pruned | Capped, ...]:
    """Decide what leaves the playbook after the last run: first by `prune_margin`, then by `max_bullets`."""
    kept: list[Row] = []
    pruned: list[Row] = []
    for row in draft.rows.values():
        (pruned if row.harmful - row.helpful >= settings.prune_margin else kept).append(row)
    # Rows come by number and nsmallest is stable, so that of equals the oldest goes first.
    excess = max(0, len(kept) - settings.max_bullets)
    worst = heapq.nsmallest(excess, kept, key=lambda row: row.helpful - row.harmful)
    return tuple([_removed(Pruned, row) for row in pruned] + [_removed(Capped, row) for row in worst])


def _removed[T: (Pruned, Capped)](event: type[T], row: Row) -> T:
    return event(row.added_as.id, row.added_as.section, row.added_as.content, row.helpful, row.harmful)
