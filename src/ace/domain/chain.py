"""The chain that the lines of a log are: each holds the digest of the one before it, and the playbook as it is after it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import msgspec

from ace.domain.errors import LogError
from ace.domain.playbook import Playbook, digest
from ace.events.codec import encode_record, sealed
from ace.events.types import Event, StepRecord, version_of

__all__ = ["LogTail", "line_digest", "next_line", "next_seq", "tail_after"]


def line_digest(line: bytes) -> str:
    """The SHA-256 of a line without its line break, in hex: the next line's `prev`."""
    return hashlib.sha256(line).hexdigest()


class LogTail(msgspec.Struct, frozen=True):
    """The end of a log: its last line, as record and as digest, and the record before that, if there is one."""

    record: StepRecord
    digest: str
    before: StepRecord | None


def tail_after(tail: LogTail | None, record: StepRecord) -> LogTail:
    """The end of the log once this record follows that end."""
    return LogTail(record, line_digest(encode_record(record)), None if tail is None else tail.record)


def next_seq(tail: LogTail | None) -> int:
    """The number of the line that comes next."""
    return 1 if tail is None else tail.record.seq + 1


def next_line(
    tail: LogTail | None,
    playbook: Playbook,
    events: tuple[Event, ...],
    *,
    step: int | None = None,
    record: str = "",
    reason: str | None = None,
    sections: tuple[str, ...],
    block: str,
    served: str,
    time: str,
    records: Mapping[str, str] | None = None,
    why: str = "",
    accepted: str = "",
) -> StepRecord:
    """The line that continues the log: after it the playbook is this one. A reason makes it a refused step; `why` is what a person
    gives as the reason of a decision. Without the host's number of the step, `seq` is its number. `time` is now, `records` the
    digests of what the step's record holds, and `accepted` that of what the rules show while something waits for a review.

    Raises `LogError` for a value that no line can hold.
    """
    seq = next_seq(tail)
    line = StepRecord(
        v=2 if accepted else version_of(events),
        seq=seq,
        prev="" if tail is None else tail.digest,
        step=seq if step is None else step,
        record=record,
        outcome="committed" if reason is None else "refused",
        sections=sections,
        next_number=playbook.next_number,
        playbook=digest(playbook),
        block=block,
        served=served,
        events=events,
        reason=reason or why,
        time=time,
        records=dict(records or {}),
        accepted=accepted,
    )
    try:
        return sealed(line)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:
        raise LogError(f"the step cannot be written as a line of the log ({error})") from None
