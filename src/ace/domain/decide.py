"""The rules that turn replies into events. Each function looks at the draft and returns what happens; none changes it.

A step applies each event to the draft before it decides the next one, so that every decision sees the ones before it.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, Final
from unicodedata import category

from ace.domain.playbook import Draft, Row, bullet_id, key_of
from ace.domain.rules_block import Line, bullet_line, line_key
from ace.domain.screens import LONGEST_LESSON, refusal, safe_excerpt
from ace.domain.settings import ACESettings, section_key
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

__all__ = ["add_bullet", "clean", "count_tag", "refine"]

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


_MARKS = re.compile(r"(?:[-*•]\s+)++")
_COPIED_PREFIX = re.compile(
    rf"(?:(?:{_MARKS.pattern})?(?:\[ace-\d{{5,18}}\]|ace-\d{{5,18}})\s*"
    r"(?:helpful=\d{1,18}\s+harmful=\d{1,18}\s*)?+::\s*)++",
    re.IGNORECASE,
)
# What may stand before a sentence without being part of it, taken widely: for comparing and screening, not for storing.
_ANY_MARKS = re.compile(
    r"(?:[-*+•]\s+(?:\[[ x]\]\s+)?|\d{1,3}[.)]\s+|(?:\[ace-\d{5,18}\]|ace-\d{5,18}(?=\s*(?:helpful=|::)))"
    r"(?:\s*helpful=\d{1,18}\s+harmful=\d{1,18})?(?:\s*::?)?\s*)+",
    re.IGNORECASE,
)
_NO_TEXT = frozenset({"n/a", "na", "none", "null", "nil", "nothing", "tbd", "todo"})


def clean(content: str) -> str:
    """The content as one trimmed line, without a copied `[ace-00012] helpful=3 harmful=0 ::` prefix, and without a list marker
    before what begins a sentence. Nothing that may be the sentence itself is taken away: `* matches any sequence`,
    `404. That page`, `[ace-00012] was wrong` and `[ace-00012] helpful=3 harmful=0 was pruned too early` stay.
    """
    line = " ".join(content.split())
    prefix = _COPIED_PREFIX.match(line)
    line = line[prefix.end() :] if prefix else line
    marks = _MARKS.match(line)
    return line[marks.end() :] if marks and _begins_a_sentence(line[marks.end() :][:1]) else line


def _begins_a_sentence(letter: str) -> bool:
    """Whether it is an upper-case letter, or one of a script that has no case."""
    return letter.isalpha() and not letter.islower()


def _bare(line: str) -> str:
    """The line without any mark in front that may be one, a number included."""
    # With a blank behind it, a mark without a text is one, too.
    marks = _ANY_MARKS.match(f"{line} ")
    return line[marks.end() :] if marks else line


def _is_no_text(line: str) -> bool:
    """Whether nothing is said: nothing but punctuation behind its marks, or a word that stands for nothing."""
    bare = _bare(line)
    return (
        all(category(char)[0] in "PZ" or char in "+`^=<>|~$" for char in bare)
        or bare.strip(" .").casefold() in _NO_TEXT
    )


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
) -> BulletAdded | DuplicateRejected | Refused | OperationIgnored:
    """Decide about one operation of a curation: ignored, refused, a duplicate, or a new bullet, in this order.

    `rules_lines` holds the lines of the rules files around the block, as `rules_block.lines_outside` returns them; `withdrawn` the
    keys of texts that do not come back; `screen` is the host's own, a function of the bullet's line in the block.
    """
    fields = item if isinstance(item, dict) else {}
    if (flaw := _not_an_add(fields, settings)) is not None:
        return OperationIgnored(trace, position, flaw)
    content = clean(fields["content"])
    # As it came, too; but blanks that are folded away do not make it too long.
    given = fields["content"] if len(fields["content"]) <= LONGEST_LESSON else content
    bare = _bare(content)
    # A mark in front must not hide what only counts at the start.
    looks = dict.fromkeys((given, content, bare))
    reason = next((found for look in looks if (found := refusal(look)) is not None), None)
    identifier, key = bullet_id(draft.next_number), key_of(content)
    if reason is None and screen is not None and screen(bullet_line(identifier, 0, 0, content)) is not None:
        reason = "the host's screen"
    if reason is None and (key in withdrawn or key_of(bare) in withdrawn):
        reason = "a person took this text out"
    if reason is not None:
        return Refused(trace, position, reason)
    bullet = draft.bullet_with(key) or draft.bullet_with(key_of(bare))
    if bullet is not None:
        return DuplicateRejected(trace, position, bullet, 0)
    if (line := rules_lines.get(line_key(content))) is not None:
        return DuplicateRejected(trace, position, "", line.number, line.file)
    section = _configured(settings, fields["section"]) or ""
    return BulletAdded(trace, position, identifier, section, content, step)


def _not_an_add(fields: Mapping[str, Any], settings: ACESettings) -> str | None:
    kind, section, content = (fields.get(key) for key in ("type", "section", "content"))
    if not isinstance(kind, str):
        return "malformed: it has no type"
    if kind.strip().casefold() != "add":
        return f"type {safe_excerpt(kind, 20)} is not ADD"
    if not isinstance(section, str):
        return "malformed: it has no section"
    if _configured(settings, section) is None:
        return f"section {safe_excerpt(section, 40)} is not configured"
    if not isinstance(content, str) or _is_no_text(clean(content)):
        return "it has no text"
    return None


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
