"""The log, `history/events.jsonl`: one line is one step, each holding the digest of the line before it.

The append is the moment at which a step exists. A last line without its line break is a torn step: readers pass it
over and the next append removes it. Any other damaged line is an error that names it. Readers need no lock.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import override

from ace.adapters.store.files import append_line, open_file, tail_lines
from ace.domain.chain import LogTail, line_digest, next_seq, tail_after
from ace.domain.errors import LogError, NewerLogError, SeqTakenError
from ace.domain.playbook import Playbook, fold_records
from ace.events.codec import (
    DamagedLineError,
    NewerFormatError,
    decode_record,
    decode_records,
    encode_record,
    is_whole,
)
from ace.events.types import StepRecord

__all__ = ["NAME", "WAY_OUT", "ChainedLog", "Log"]

NAME = "events.jsonl"


class ChainedLog(ABC):
    """A log, wherever its lines are: each continues the line before it. `name` is what errors call it.

    Raises `LogError` for what is damaged, and what the place of the lines raises.
    """

    name: str

    @abstractmethod
    def append(self, record: StepRecord) -> LogTail:
        """Add the record as the last line; from here on the step exists. Returns the end of the log.

        Raises `SeqTakenError` if the log does not end right before it, and `LogError` for one that no reader could read.
        """

    @abstractmethod
    def holds_block(self, digest: str) -> bool:
        """Whether a committed step ended with the block of this digest."""

    @abstractmethod
    def _ends(self) -> list[bytes]:
        """The last two lines, oldest first, or fewer."""

    @abstractmethod
    def _lines(self, start: int = 0) -> Generator[bytes]:
        """The lines in order, from an offset on; with or without their breaks, as long as it is the same for all."""

    def last(self) -> LogTail | None:
        """The end of the log, read from the end: the cost does not grow with its length."""
        return self.tail_of(self._ends())

    def tail_of(self, lines: list[bytes]) -> LogTail | None:
        """The end of a log that ends with these two lines, or one, or none."""
        if not lines:
            return None
        record = self._decode(lines[-1], None)
        before = self._decode(lines[-2], record.seq - 1) if len(lines) == 2 else None
        if before is None and record.seq != 1:
            raise LogError(f"{self._place(1)} says that it is line {record.seq}. {WAY_OUT}")
        if before is not None and record.prev != line_digest(lines[-2]):
            raise self._broken(record.seq)
        if not is_whole(lines[-1], record):
            raise self._changed(record.seq)
        return LogTail(record, line_digest(lines[-1]), before)

    def playbook(self) -> Playbook:
        """The playbook that the log folds to, its chain verified."""
        return fold_records(Playbook(), self.verified())

    def records(self) -> Iterator[StepRecord]:
        """Every step in order. The numbering is checked, the chain of digests is not."""
        number = 0
        try:
            for record in decode_records(self._lines()):
                number += 1
                if record.seq != number:
                    raise self._misnumbered(number, record)
                yield record
        except (NewerFormatError, DamagedLineError) as error:
            raise self._unreadable(number + 1, error) from None

    def verified(self) -> Iterator[StepRecord]:
        """Every step in order, each checked to continue the line before it."""
        return (record for _, record in self.verified_lines())

    def verified_lines(self) -> Iterator[tuple[bytes, StepRecord]]:
        """Every line in order, without its break, and its record; each checked to continue the line before it."""
        with closing(self._lines()) as lines:
            yield from self.checked(lines, 1, "")

    def checked(self, lines: Iterable[bytes], number: int, before: str) -> Iterator[tuple[bytes, StepRecord]]:
        """Lines, without their breaks, and their records; the first has this number and follows a line of the digest `before`.
        Each is checked to continue the line before it.
        """
        for line in lines:
            record = self._decode(line, number)
            if record.prev != before:
                raise self._broken(number)
            bare = line.removesuffix(b"\n")
            if not is_whole(bare, record):
                raise self._changed(number)
            yield bare, record
            number, before = number + 1, line_digest(bare)

    def decoded(self, lines: Iterable[bytes]) -> Iterator[StepRecord]:
        """The records of single lines."""
        return map(self._alone, lines)

    def encoded(self, record: StepRecord) -> bytes:
        """The record as a line. Raises `LogError` for one that no reader could read."""
        try:
            line = encode_record(record)
            found = decode_record(line)
        except (ValueError, TypeError, OverflowError, RecursionError) as error:
            raise LogError(f"{self.name}: the step cannot be written as a line ({error})") from None
        if found != record:
            raise LogError(
                f"{self.name}: the step cannot be written as a line (it reads back as another one)"
            )
        return line

    def _decode(self, line: bytes, number: int | None) -> StepRecord:
        """The record in a line that is to have this number, where one is known."""
        try:
            record = decode_record(line)
        except (NewerFormatError, DamagedLineError) as error:
            raise self._unreadable(number, error) from None
        if number is not None and record.seq != number:
            raise self._misnumbered(number, record)
        return record

    def _alone(self, line: bytes) -> StepRecord:
        """The record in a line from somewhere in the log. One that cannot be read is called by the number that it gives itself."""
        try:
            return decode_record(line)
        except (NewerFormatError, DamagedLineError) as error:
            said = _SAYS_ITS_NUMBER.match(line)
            raise self._unreadable(int(said[1]) if said else 0, error) from None

    def _unreadable(self, number: int | None, error: ValueError) -> LogError:
        if isinstance(error, NewerFormatError):
            return NewerLogError(f"{self._place(number)}: written by a newer ace ({error})")
        return LogError(f"{self._place(number)} is damaged ({error}). {WAY_OUT}")

    def _misnumbered(self, number: int, record: StepRecord) -> LogError:
        return LogError(f"{self._place(number)} says that it is line {record.seq}. {WAY_OUT}")

    def _place(self, number: int | None) -> str:
        if not number:
            return f"{self.name}, " + ("the last line" if number is None else "one of the lines")
        return f"{self.name}, line {number}"

    def _broken(self, seq: int) -> LogError:
        return LogError(
            f"{self.name}, line {seq} does not continue line {seq - 1}: one of them was changed after it was written. {WAY_OUT}"
        )

    def _changed(self, seq: int) -> LogError:
        return LogError(
            f"{self.name}, line {seq} was changed after it was written: its digest does not fit. {WAY_OUT}"
        )


class Log(ChainedLog):
    """The log in a history folder. Raises `LogError` for what is damaged, `OSError` for what cannot be read."""

    def __init__(self, history: str | Path) -> None:
        self.path = Path(history) / NAME
        self.name = str(self.path)

    @override
    def append(self, record: StepRecord) -> LogTail:
        line = self.encoded(record)
        tail = self.last()
        if record.seq != next_seq(tail):
            raise SeqTakenError(
                f"{self.path} goes on with line {next_seq(tail)}, and not with line {record.seq}: another step was first"
            )
        append_line(self.path, line)
        return tail_after(tail, record)

    @override
    def holds_block(self, digest: str) -> bool:
        return any(line.block == digest and line.outcome == "committed" for line in self.verified())

    def has_line(self, start: int, stop: int, digest: str) -> bool:
        """Whether the whole line between these offsets, its break included, is the one with this digest."""
        try:
            with open_file(self.path) as file:
                file.seek(start)
                line = file.read(stop - start)
        except FileNotFoundError:
            return False
        return line[-1:] == b"\n" and line_digest(line[:-1]) == digest

    def lines_from(self, start: int, number: int, before: str) -> Iterator[tuple[int, bytes, StepRecord]]:
        """The whole lines from this offset on, the first of which has this number and follows a line of the digest `before`:
        offset, line without its break, record. Each is checked to continue the line before it.
        """
        with closing(self._lines(start)) as lines:
            for line, record in self.checked(lines, number, before):
                yield start, line, record
                start += len(line) + 1

    def record_at(self, start: int) -> StepRecord:
        """The record of the line that begins at this offset."""
        return self._alone(next(self._lines(start), b""))

    @override
    def _ends(self) -> list[bytes]:
        return tail_lines(self.path, 2)

    @override
    def _lines(self, start: int = 0) -> Generator[bytes]:
        """The whole lines from an offset on, with their breaks. Only LF ends a line: JSON text may hold any other break."""
        try:
            file = open_file(self.path)
        except FileNotFoundError:
            return
        with file:
            file.seek(start)
            for line in file:
                if line[-1] == _LINE_FEED:
                    yield line


_LINE_FEED = 10
_SAYS_ITS_NUMBER = re.compile(rb'\{"v":\d{1,9},"seq":(\d{1,18}),')
WAY_OUT = (
    "Nothing was changed: put a good copy of the log in its place, or, without one, move its folder away (`ace adopt`, or a "
    "host's next step, goes on with the playbook as it is, in a new log)"
)
