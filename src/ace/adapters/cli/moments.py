"""How a person names a line of the log: by its number, by a time, by how long ago, or `now`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from ace.domain.errors import AceError
from ace.events.types import StepRecord

__all__ = ["line_meant", "since", "told_time", "utc_of"]

_AGO = re.compile(r"(\d{1,6})\s*([smhdw])")
_UNITS = {"s": "seconds", "m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


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
            f"{text[:40]!r} is no time: say 7d, 12h or 30m for so long ago, 2026-12-01, or 2026-12-01T08:30"
        ) from None


def since(record: StepRecord, moment: datetime) -> bool:
    """Whether a line is from this moment on; one of 0.1.0 has no time, and is not."""
    try:
        return bool(record.time) and datetime.fromisoformat(record.time) >= moment
    except (ValueError, TypeError):
        return False


def line_meant(records: Sequence[StepRecord], text: str) -> int:
    """The `seq` of the line that is meant: its number, the last one before a time, or `now`. Raises `AceError`."""
    if text == "now":
        return len(records)
    if text.isascii() and text.isdigit() and len(text) <= 18:
        if int(text) > len(records):
            raise AceError(
                f"the log has no line {int(text)}: it has {len(records)}, and `ace log` lists them"
            )
        return int(text)
    moment = utc_of(text)
    before = [record.seq for record in records if record.time and not since(record, moment)]
    if not before and records and not records[0].time:
        raise AceError(
            "the lines of the log before that have no time: name one by its number (`ace log` lists them)"
        )
    return max(before, default=0)


def told_time(record_time: str) -> str:
    """A line's time for a person, to the second, in UTC."""
    return re.sub(r"\.\d+Z$", "Z", record_time).replace("T", " ")
