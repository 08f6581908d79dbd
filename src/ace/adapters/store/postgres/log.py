"""The log of a shared book, as a stream of lines."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import Any, Final, override

import psycopg

from ace.adapters.store.log import ChainedLog
from ace.adapters.store.postgres.server import Server
from ace.domain.chain import LogTail
from ace.events.types import StepRecord

__all__ = ["PostgresLog"]

_TRIES: Final = 5
"""How often reading goes on after a connection was lost in the middle of it, without a line in between."""


class PostgresLog(ChainedLog):
    """The lines in the database. `append` is the shelf's, which knows what is kept beside a line."""

    def __init__(self, server: Server, append: Callable[[StepRecord], LogTail]) -> None:
        self.name = server.address.told
        self._server = server
        self._append = append

    @override
    def append(self, record: StepRecord) -> LogTail:
        return self._append(record)

    @override
    def holds_block(self, digest: str) -> bool:
        rows = self._server.rows(
            "SELECT EXISTS (SELECT FROM ace.lines WHERE scenario = %s AND block = %s)",
            self._server.address.scenario,
            digest,
        )
        return bool(rows[0][0])

    @override
    def _ends(self) -> list[bytes]:
        rows = self._server.rows(
            "SELECT line FROM ace.lines WHERE scenario = %s ORDER BY seq DESC LIMIT 2",
            self._server.address.scenario,
        )
        return [bytes(line) for (line,) in reversed(rows)]

    @override
    def _lines(self, start: int = 0) -> Generator[bytes]:
        """The lines behind the one with this number, through COPY, on a connection of their own: nobody waits for who reads all."""
        left = _TRIES
        while True:
            with self._server.apart() as connection:
                try:
                    values = {"scenario": self._server.address.scenario, "start": start, "some": _SOME}
                    with connection.cursor().copy(_ALL, values) as copy:
                        for data in copy:
                            for lines in _values_in(bytes(data)):
                                for line in lines.split(b"\n"):
                                    yield line
                                    start, left = start + 1, _TRIES
                except psycopg.OperationalError:
                    left -= 1
                    if not left:
                        raise
                else:
                    return


_SIGNATURE: Final = b"PGCOPY\n\xff\r\n\0"
_HEADER: Final = 19
"""Bytes: the signature, the flags, and the length of an extension that is missing."""


def _values_in(data: bytes) -> Iterator[bytes]:
    """The one column of the rows in a message of a binary COPY (PostgreSQL's manual, "COPY", "Binary Format"): psycopg's own way looks
    each value's type up, and takes three times as long.
    """
    at = _HEADER if data.startswith(_SIGNATURE) else 0
    while at < len(data) and data[at : at + 2] != b"\xff\xff":
        end = at + 6 + int.from_bytes(data[at + 2 : at + 6])
        yield data[at + 6 : end]
        at = end


_SOME: Final = 16
"""Lines that come as one row: each row costs a message, and a turn of the loop that waits for it."""

_ALL: Final[Any] = """
COPY (
    SELECT coalesce((
        SELECT string_agg(part.line, '\\x0a'::bytea) FROM (
            SELECT line FROM ace.lines WHERE scenario = %(scenario)s AND seq >= first AND seq < first + %(some)s ORDER BY seq
        ) AS part
    ), ''::bytea)
    FROM generate_series(
        %(start)s::bigint + 1, (SELECT max(seq) FROM ace.lines WHERE scenario = %(scenario)s), %(some)s
    ) AS first
) TO STDOUT (FORMAT BINARY)
"""
