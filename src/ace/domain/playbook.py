"""The playbook, and how events change it. No rule lives here: what an event says has happened, is applied.

`Playbook` is the immutable snapshot; `Draft` is its mutable working copy, private to a fold or a step, with the
indexes that make an event cost the same in a playbook of any size. `fold` equals repeated `evolve`.

Bullets are in the order of their numbers; ids are `ace-` and the number in at least five digits.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Final
from unicodedata import normalize

import msgspec

from ace.domain.errors import StateError
from ace.domain.screens import piled
from ace.events.codec import flaw_in
from ace.events.types import (
    Bullet,
    BulletAdded,
    Capped,
    Event,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    StepRecord,
    TagCounted,
)

__all__ = [
    "Bullet",
    "Draft",
    "FoldDigest",
    "Playbook",
    "Row",
    "bullet_id",
    "bullet_number",
    "canonical",
    "digest",
    "dump",
    "evolve",
    "fold",
    "fold_records",
    "id_named",
    "key_of",
    "parse_playbook",
]


class Playbook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The state: the number of the next bullet's id, and the bullets by number."""

    next_number: int = 1
    bullets: tuple[Bullet, ...] = ()


def bullet_id(number: int) -> str:
    """`ace-00012` for 12."""
    return f"ace-{number:05d}"


_ID = re.compile(r"ace-(0\d{4}|[1-9]\d{4,17})", re.ASCII)


def bullet_number(identifier: str) -> int | None:
    """12 for `ace-00012`; None if that is not a bullet's id."""
    match = _ID.fullmatch(identifier)
    return int(match[1]) or None if match else None


def id_named(name: str) -> str:
    """The id that a person means: `ace-00012` for `12`, `ace-12`, `ACE-00012` and `[ace-00012]`; any other text in lower case."""
    name = name.strip().strip("[]").strip().casefold()
    figures = name.removeprefix("ace-")
    is_number = figures.isascii() and figures.isdigit() and len(figures) <= 18
    return bullet_id(int(figures)) if is_number else name


def key_of(text: str) -> str:
    """What two texts have in common when they say the same: compared without case and extra white space.

    NFC, not NFKC: `x²` and `x2` are different lessons. A pile of combining marks, which no bullet has, is left as it is.
    """
    folded = text if text.isascii() or piled(text) else normalize("NFC", text)
    return " ".join(folded.casefold().split())


class Row(msgspec.Struct, gc=False):
    """A bullet in the draft: what it was when it came in, and its counts now. An added bullet is its event."""

    added_as: Bullet | BulletAdded
    helpful: int = 0
    harmful: int = 0


class Draft:
    """A playbook that events are applied to.

    `rows` maps ids to mutable bullets in number order. `bullet_with` finds a bullet by its text in one look-up; that
    index is built at the first question, so that a replay does not pay for it.
    """

    __slots__ = ("_keys", "next_number", "rows")

    def __init__(self, playbook: Playbook) -> None:
        self._restore(playbook.next_number, playbook.bullets)

    def _restore(self, next_number: int, bullets: Iterable[Bullet]) -> None:
        self.next_number = next_number
        self.rows = {bullet.id: Row(bullet, bullet.helpful, bullet.harmful) for bullet in bullets}
        self._keys: dict[str, str] | None = None

    def apply(self, events: Iterable[Event]) -> None:  # noqa: C901, PLR0912 - see below
        """Apply the events in order. Those that tell of no change are passed over.

        One loop, the commonest types first, and no `isinstance`: that asks the structs' metaclass each time. A call for
        each event, or a `match`, would take half of a replay's time.
        """
        rows, keys, next_number = self.rows, self._keys, self.next_number
        for event in events:
            if type(event) is TagCounted:
                row = rows.get(event.bullet)
                if row is not None:
                    if event.tag == "helpful":
                        row.helpful += 1
                    elif event.tag == "harmful":
                        row.harmful += 1
            elif type(event) is BulletAdded:
                identifier = event.id
                rows[identifier] = Row(event)
                try:
                    number = int(identifier[4:])
                except ValueError:  # no id of ours; nothing to count on from
                    number = 0
                if number >= next_number:
                    next_number = number + 1
                if keys is not None:
                    keys[key_of(event.content)] = identifier
            elif type(event) is Pruned or type(event) is Capped:
                rows.pop(event.id, None)
                keys = None
            elif type(event) is Removed:
                # What a screen took out of a playbook from outside never was in this one.
                if event.by != "screen":
                    rows.pop(event.id, None)
                    keys = None
            elif type(event) is Reworded:
                row = rows.get(event.id)
                if row is not None:
                    row.added_as = msgspec.structs.replace(row.added_as, content=event.after)
                    keys = None
            elif type(event) is PlaybookRestored:
                self._restore(event.next_number, event.bullets)
                rows, keys, next_number = self.rows, self._keys, self.next_number
        self._keys, self.next_number = keys, next_number

    def bullet_with(self, key: str) -> str | None:
        """The id of the bullet whose text has this key (see `key_of`), or None."""
        if self._keys is None:
            self._keys = {key_of(row.added_as.content): row.added_as.id for row in self.rows.values()}
        return self._keys.get(key)

    def bullet(self, identifier: str) -> Bullet | None:
        """The bullet with this id as it is now, or None."""
        row = self.rows.get(identifier)
        return None if row is None else _frozen(row)

    def freeze(self) -> Playbook:
        """The playbook as it is now."""
        return Playbook(self.next_number, tuple([_frozen(row) for row in self.rows.values()]))


def _frozen(row: Row) -> Bullet:
    added_as = row.added_as
    return Bullet(added_as.id, added_as.section, added_as.content, row.helpful, row.harmful, added_as.step)


def evolve(playbook: Playbook, event: Event) -> Playbook:
    """The playbook after one event."""
    return fold(playbook, (event,))


def fold(playbook: Playbook, events: Iterable[Event]) -> Playbook:
    """The playbook after the events, applied in order."""
    draft = Draft(playbook)
    draft.apply(events)
    return draft.freeze()


def fold_records(playbook: Playbook, records: Iterable[StepRecord]) -> Playbook:
    """The playbook after the steps, in order; the events of refused steps are passed over."""
    draft = Draft(playbook)
    for record in records:
        draft.apply(record.applied)
    return draft.freeze()


_encoder = msgspec.json.Encoder()


class _Stored(msgspec.Struct, forbid_unknown_fields=True):
    """What the snapshot has to hold. Without defaults: a file that lacks a key is damaged, not an empty playbook."""

    next_number: int
    bullets: tuple[Bullet, ...]


_decoder = msgspec.json.Decoder(_Stored)

_HIGHEST_NUMBER: Final = 10**12
"""Of a playbook that comes in. A step counts on from it, and an id has at most 18 digits."""


def canonical(playbook: Playbook) -> bytes:
    """The playbook as compact UTF-8 JSON with its keys in order: what the log's digests are taken of."""
    return _encoder.encode(playbook)


def digest(playbook: Playbook) -> str:
    """The SHA-256 of the canonical playbook, in hex."""
    return hashlib.sha256(canonical(playbook)).hexdigest()


class FoldDigest:
    """The digest of a fold after each line, at a fraction of what `digest` costs: bullets that did not change since the last one are
    not encoded again.
    """

    def __init__(self) -> None:
        self._encoded: dict[str, tuple[Bullet | BulletAdded, int, int, bytes]] = {}

    def of(self, fold: Draft) -> str:
        """What `digest(fold.freeze())` is."""
        before, now = self._encoded, {}
        for name, row in fold.rows.items():
            one = before.get(name)
            if one is None or one[0] is not row.added_as or one[1:3] != (row.helpful, row.harmful):
                bullet = fold.bullet(name)
                one = (row.added_as, row.helpful, row.harmful, _encoder.encode(bullet))
            now[name] = one
        self._encoded = now
        bullets = b",".join([one[3] for one in now.values()])
        return hashlib.sha256(b'{"next_number":%d,"bullets":[%b]}' % (fold.next_number, bullets)).hexdigest()


def dump(playbook: Playbook) -> bytes:
    """The playbook as `state/playbook.json` holds it: indented, with a last line break."""
    return msgspec.json.format(canonical(playbook), indent=1) + b"\n"


def parse_playbook(data: bytes, source: str) -> Playbook:
    """Read `state/playbook.json`; a UTF-8 BOM is tolerated, bullets are put in the order of their numbers.

    Raises `StateError` that names `source` and the place within it.
    """
    try:
        stored = _decoder.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise StateError(_damage(source, flaw_in(error))) from None
    if not 1 <= stored.next_number <= _HIGHEST_NUMBER:
        raise StateError(_damage(source, f"`next_number` {stored.next_number} cannot be a bullet's number"))
    for index, bullet in enumerate(stored.bullets):
        if flaw := _flaw(bullet, stored.next_number):
            raise StateError(_damage(source, f"{flaw} - at `$.bullets[{index}]`"))
    ordered = tuple(sorted(stored.bullets, key=lambda bullet: bullet_number(bullet.id) or 0))
    for one, other in pairwise(ordered):
        if one.id == other.id:
            raise StateError(_damage(source, f"two bullets have the id {one.id}"))
    return Playbook(stored.next_number, ordered)


def _damage(source: str, what: str) -> str:
    if "unknown field" in what:
        return f"{source} was written by something newer, or by hand: {what}. Update ace, or remove the key"
    if not what.startswith(("two bullets", "`id`", "`next_number`", "`content`", "`section`", "a negative")):
        what = f"it is not the JSON of a playbook: {what}"
    return (
        f"{source} is damaged: {what}. Nothing was changed; put a good copy in its place or, if there is a log, "
        "run `ace rebuild` to make it again from that"
    )


def _flaw(bullet: Bullet, next_number: int) -> str | None:
    number = bullet_number(bullet.id)
    if number is None:
        return "`id` is not `ace-` and at least five digits"
    if number >= next_number:
        return f"`next_number` {next_number} is not above {bullet.id}"
    if min(bullet.helpful, bullet.harmful) < 0:
        return "a negative count"
    if not _one_line(bullet.content):
        return "`content` is not one line of text without outer blanks"
    if not _one_line(bullet.section):
        return "`section` is not one line of text without outer blanks"
    return None


def _one_line(text: str) -> bool:
    return bool(text) and text.strip() == text and len(text.splitlines()) == 1
