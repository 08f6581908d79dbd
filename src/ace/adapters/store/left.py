"""Whether a log is what the last step left, by size, time and inode; and what there is to tell of one that is not.

A step reads the end of its log alone. So a change in the middle of it, or a copy that was put in its place, would not be seen for
long. `note_left` writes down what the file looked like behind the append, and `see_log` reads the whole log if it looks otherwise.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import msgspec

from ace.adapters.store.files import open_file, read_bytes, write_new
from ace.adapters.store.log import Log
from ace.domain.chain import LogTail, line_digest
from ace.domain.playbook import key_of
from ace.domain.summary import plural
from ace.domain.withdrawn import withdrawals
from ace.events.codec import DamagedLineError, NewerFormatError, decode_record, is_whole
from ace.events.types import Removed, StepRecord

__all__ = ["next_number_left", "note_left", "removed_by_persons", "see_log", "set_aside"]

_NAME: Final = "log-left.json"


class _Left(msgspec.Struct, frozen=True):
    """What a step left: how the file looked, and number, digest and next id of its last line."""

    size: int
    time: int
    inode: int
    seq: int
    digest: str
    next_number: int


def note_left(log: Log, cache: Path, tail: LogTail) -> None:
    """Write down how the log looks whose end this is. Not synced: without it, the log is read once more."""
    try:
        info = os.stat(log.path)
        left = _Left(
            info.st_size,
            info.st_mtime_ns,
            info.st_ino,
            tail.record.seq,
            tail.digest,
            tail.record.next_number,
        )
        write_new(cache / _NAME, msgspec.json.encode(left))
    except OSError:  # the step is in the log all the same
        return


def see_log(log: Log, cache: Path) -> str:
    """What there is to tell of a log that is not as the last step left it, as a sentence; empty if it is, or if nobody knows. Raises
    `LogError` for a damaged line, wherever it is.
    """
    left = _read(cache)
    try:
        info = os.stat(log.path)
    except FileNotFoundError:
        return (
            "" if left is None else f"The log is gone: it had {plural(left.seq, 'line')}. A new one begins."
        )
    if left is not None and (info.st_size, info.st_mtime_ns, info.st_ino) == (
        left.size,
        left.time,
        left.inode,
    ):
        return ""
    lines, is_same = 0, False
    for _, line, record in log.lines_from(0, 1, ""):
        lines = record.seq
        is_same = is_same or (left is not None and lines == left.seq and line_digest(line) == left.digest)
    if left is None:
        return ""
    had, has = plural(left.seq, "line"), plural(lines, "line")
    if not is_same:
        return (
            f"The log is another one than the last step left: it had {had}, and now has {has}, each of which continues the one "
            "before it."
        )
    if lines > left.seq:
        return f"The log has {plural(lines - left.seq, 'line')} more than the last step left, and each continues the one before it."
    return f"The log was touched since the last step, or put back: all of its {has} are as they were written."


def next_number_left(cache: Path) -> int:
    """The number of the next bullet's id after what the last step left; 1 if nobody knows."""
    left = _read(cache)
    return 1 if left is None else left.next_number


def set_aside(log: Log) -> Path:
    """Move a damaged log out of the way, beside its place. Returns where it is. Raises `OSError`."""
    number = 1
    while (aside := log.path.with_name(f"events.damaged-{number}.jsonl")).exists():
        number += 1
    os.rename(log.path, aside)
    return aside


def removed_by_persons(path: Path) -> tuple[Removed, ...]:
    """The lessons that persons took out for good, by those lines of a damaged log that are as they were written, each by its own sum.
    Raises `OSError`.
    """
    found: dict[str, Removed] = {}
    with open_file(path) as file:
        for line in file:
            try:
                record = decode_record(line)
            except (NewerFormatError, DamagedLineError):
                continue
            if is_whole(line.removesuffix(b"\n"), record):
                _follow(found, record)
    return tuple(found.values())


def _follow(found: dict[str, Removed], record: StepRecord) -> None:
    """What is withdrawn after a line, by the keys of the texts."""
    for event in record.applied:
        if isinstance(event, Removed) and event.by == "person":
            found[key_of(event.content)] = event
        else:
            for key, is_withdrawn in withdrawals(msgspec.structs.replace(record, events=(event,))):
                if not is_withdrawn:
                    found.pop(key, None)


def _read(cache: Path) -> _Left | None:
    try:
        return msgspec.json.decode(read_bytes(cache / _NAME) or b"", type=_Left)
    except (OSError, ValueError, msgspec.MsgspecError):
        return None
