"""How a person names a line of the log: by its number, by a time, by how long ago, or `now`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from ace.domain.errors import AceError
from ace.domain.playbook import Playbook
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.waiting import Folds
from ace.events.types import StepRecord

__all__ = ["At", "kept_at", "playbooks_at", "seconds_of", "since", "told_time", "utc_of"]

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
    folds = Folds()
    return kept_at(records, texts, folds.take, lambda line: _at(folds, line))


def kept_at[T](
    records: Iterable[StepRecord],
    texts: Sequence[str],
    take: Callable[[StepRecord], object],
    keep: Callable[[StepRecord | None], T],
) -> list[T]:
    """What `keep` says at each line that is meant (None: before the first), while `take` takes in one line after the other. The
    records are read once, to their end, so that damage in any of them is found. Raises `AceError`.
    """
    meant, last = [_Meant(text, keep) for text in texts], None
    for record in records:
        for one in meant:
            one.leave(record, last)
        if any(one.is_sought for one in meant):
            take(record)
        last = record
    return [one.found(last) for one in meant]


class _Meant[T]:
    """A line that is meant, while the log goes by: when the last line that can be it has gone by, what there is to keep is kept. By a
    time that may happen more than once, since clocks are put back.
    """

    def __init__(self, text: str, keep: Callable[[StepRecord | None], T]) -> None:
        self._keep = keep
        self._is_now = text == "now"
        is_number = text.isascii() and text.isdigit() and len(text) <= 18
        self._number = int(text) if is_number else None
        self._moment = None if self._is_now or is_number else utc_of(text)
        self._may_be_last = False
        self._kept, self._seq = keep(None), 0
        self._has_times = True
        self.is_sought = True

    def _may_be(self, record: StepRecord) -> bool:
        if self._moment is not None:
            return bool(record.time) and not since(record, self._moment)
        return self._is_now or record.seq == self._number

    def leave(self, record: StepRecord, last: StepRecord | None) -> None:
        """The next line comes: if it is not the one that is meant, and the last one may be, that one is kept."""
        if last is None:
            self._has_times = bool(record.time)
        may_be = self._may_be(record)
        if self._may_be_last and not may_be and last is not None:
            self._kept, self._seq = self._keep(last), last.seq
        self._may_be_last = may_be
        self.is_sought = self._number is None or record.seq <= self._number

    def found(self, last: StepRecord | None) -> T:
        """What was meant, once all lines have gone by. Raises `AceError` if there is no such line."""
        number, lines = self._number or 0, 0 if last is None else last.seq
        if number > lines:
            raise AceError(f"the log has no line {number}: it has {lines}, and `ace log` lists them")
        if self._may_be_last and last is not None:
            self._kept, self._seq = self._keep(last), last.seq
        if self._moment is not None and not self._seq and not self._has_times:
            raise AceError(
                "the lines of the log before that have no time: name one by its number (`ace log` lists them)"
            )
        return self._kept


def _at(folds: Folds, line: StepRecord | None) -> At:
    if line is None:
        return At(0, Playbook(), Playbook(), DEFAULT_SECTIONS)
    return At(line.seq, folds.head.freeze(), folds.shown, line.sections)


def told_time(record_time: str) -> str:
    """A line's time for a person, to the second, in UTC."""
    return re.sub(r"\.\d+Z$", "Z", record_time).replace("T", " ")
