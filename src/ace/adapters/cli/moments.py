"""How a person names a line of the log: by its number, by a time, by how long ago, or `now`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ace.domain.errors import AceError
from ace.domain.playbook import Playbook
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.waiting import Folds
from ace.events.types import StepRecord

__all__ = ["At", "playbooks_at", "seconds_of", "since", "told_time", "utc_of"]

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def seconds_of(text: str) -> float:
    """Seconds, from `90`, `90s`, `30m`, `1h`, `7d` or `2w`. Raises `AceError`."""
    if text.isascii() and text.isdigit() and len(text) <= 9:
        return float(text)
    if found := _AGO.fullmatch(text):
        return timedelta(**{_UNITS[found[2]]: int(found[1])}).total_seconds()
    raise AceError(f"{text[:40]!r} is not a length of time: say 30m, 1h, 2d, or 0")


def utc_of(text: str) -> datetime:
    """The time that is meant: `7d`, `12h` or `30m` ago, a date, or a date and a time (the computer's time zone, without one).
    Raises `AceError`.
    """
    if found := _AGO.fullmatch(text.strip()):
        return datetime.now(UTC) - timedelta(**{_UNITS[found[2]]: int(found[1])})
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise AceError(
            f"{text[:40]!r} is not a time: say 7d, 12h or 30m for so long ago, or a date such as 2026-12-01 or 2026-12-01T08:30"
        ) from None


def since(record: StepRecord, moment: datetime) -> bool:
    """Whether a line is from this moment on; one of 0.1.0 has no time, and is not."""
    try:
        return bool(record.time) and datetime.fromisoformat(record.time) >= moment
    except (ValueError, TypeError):
        return False


class At(NamedTuple):
    """The playbook after line `seq` of the log (0: before its first), what the rules showed of it, and the sections of that line."""

    seq: int
    playbook: Playbook
    shown: Playbook
    sections: tuple[str, ...]


def playbooks_at(records: Iterable[StepRecord], texts: Sequence[str]) -> list[At]:
    """The playbook at each line that is meant: by its number, a time (the last line before it), or `now`. The records are read once.
    Raises `AceError`.
    """
    meant = [_Meant(text) for text in texts]
    folds, last = Folds(), None
    for record in records:
        for one in meant:
            one.leave(record, folds, last)
        folds.take(record)
        last = record
    return [one.found(folds, last) for one in meant]


class _Meant:
    """A line that is meant, while the log goes by: the playbook is kept when the last line that can be it has gone by."""

    def __init__(self, text: str) -> None:
        self._is_now = text == "now"
        is_number = text.isascii() and text.isdigit() and len(text) <= 18
        self._number = int(text) if is_number else None
        self._moment = None if self._is_now or is_number else utc_of(text)
        self._at: At | None = At(0, Playbook(), Playbook(), DEFAULT_SECTIONS)
        self._has_times = True

    def _may_be(self, record: StepRecord) -> bool:
        if self._moment is not None:
            return bool(record.time) and not since(record, self._moment)
        return self._is_now or record.seq == self._number

    def leave(self, record: StepRecord, folds: Folds, last: StepRecord | None) -> None:
        """The next line comes: if it is not the one that is meant, and the last one may be, that one is kept."""
        if last is None:
            self._has_times = bool(record.time)
        may_be = self._may_be(record)
        if last is not None and not may_be and self._at is None:
            self._at = _at(folds, last)
        if may_be:
            self._at = None

    def found(self, folds: Folds, last: StepRecord | None) -> At:
        """What was meant, once all lines have gone by. Raises `AceError` if there is no such line."""
        if last is not None and self._at is None:
            self._at = _at(folds, last)
        at = self._at or At(0, Playbook(), Playbook(), DEFAULT_SECTIONS)
        number, lines = self._number or 0, 0 if last is None else last.seq
        if number > lines:
            raise AceError(f"the log has no line {number}: it has {lines}, and `ace log` lists them")
        if self._moment is not None and not at.seq and not self._has_times:
            raise AceError(
                "the lines of the log before that have no time: name one by its number (`ace log` lists them)"
            )
        return at


def _at(folds: Folds, line: StepRecord) -> At:
    return At(line.seq, folds.head.freeze(), folds.shown, line.sections)


def told_time(record_time: str) -> str:
    """A line's time for a person, to the second, in UTC."""
    return re.sub(r"\.\d+Z$", "Z", record_time).replace("T", " ")
