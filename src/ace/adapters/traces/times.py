"""Times as recordings hold them, as RFC 3339 in UTC."""

from __future__ import annotations

from datetime import UTC, datetime

__all__ = ["from_milliseconds"]


def from_milliseconds(value: object) -> str:
    """The time of a number of milliseconds since 1970; empty for what is none."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        return ""
    try:
        return (
            datetime.fromtimestamp(value / 1000, UTC)
            .isoformat(timespec="milliseconds")
            .replace("+00:00", "Z")
        )
    except (OverflowError, ValueError, OSError):
        return ""
