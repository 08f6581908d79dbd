"""A connection to the server that comes back when it is lost, and what the server's errors mean for a person.

lost in the middle of a command   connected again, for a minute at the most, and the command given again: so each command
                                  has to be one that may be given twice
refused at the first connection   said at once
any other error                   a `BookError` with a sentence, and no secret in it
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final
from weakref import finalize

from ace.adapters.store.postgres.address import Address
from ace.domain.errors import BookError
from ace.domain.screens import safe_excerpt

try:
    import psycopg
    from psycopg import Connection
    from psycopg.conninfo import conninfo_to_dict, make_conninfo
    from psycopg.errors import LockNotAvailable
except ImportError as error:
    raise BookError(f"a shared book needs psycopg ({error}): pip install 'ace-lessons[postgres]'") from None

__all__ = ["VERSION", "Connection", "LockNotAvailable", "Server"]

VERSION: Final = 1
"""Of the tables that this ace works with: the number of the last migration."""

_WAIT_S: Final = 60.0
_FIRST_PAUSE_S: Final = 0.05
_LONGEST_PAUSE_S: Final = 2.0

_DEFAULTS: Final = {
    "application_name": "ace",
    "connect_timeout": "10",
    # A connection whose other end is gone is found out in about half a minute, and not in hours.
    "keepalives_idle": "15",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "30000",
}


class Server:
    """The server of a book, one command at a time; threads may share it. Without `checked` the tables may be of any version, or
    not there. `wait_s` is how long a lost connection is waited for, in seconds.
    """

    def __init__(self, address: Address, *, checked: bool = True, wait_s: float = _WAIT_S) -> None:
        self.address = address
        self.wait_s = wait_s
        self.lost = 0
        self._checked = checked
        self._lock = threading.RLock()
        self._connection: Connection[tuple[Any, ...]] | None = None
        self._was_connected = self._is_seen = False
        self._lost_at = 0.0
        self._let_go: Callable[[], object] = lambda: None

    def run[T](self, work: Callable[[Connection[tuple[Any, ...]]], T], *, looks: bool = False) -> T:
        """What the work comes to, which is given a connection in autocommit mode, and is done again if that is lost. Raises
        `BookError`, and what the work raises of its own. `lost` counts the connections that were. Before the first work on a
        connection the tables' version is asked for, but of one that only `looks`.
        """
        with self._lock:
            pause = _FIRST_PAUSE_S
            while True:
                try:
                    done = work(self._connected(looks=looks))
                except psycopg.Error as error:
                    if not self._is_lost(error):
                        self._roll_back()
                        raise self.told(error) from None
                    # Who has waited once without success does not wait again, for each question that a command still has.
                    self._lost_at = self._lost_at or time.monotonic()
                    if time.monotonic() - self._lost_at > self.wait_s:
                        raise self.told(error) from None
                else:
                    self._lost_at = 0.0
                    return done
                time.sleep(pause)
                pause = min(2 * pause, _LONGEST_PAUSE_S)

    def rows(self, statement: str, *values: object, **named: object) -> list[tuple[Any, ...]]:
        """The rows of one statement, which may be given twice; its values are in order, or named. Raises `BookError`."""
        return self.run(lambda connection: connection.execute(_text(statement), named or values).fetchall())

    def look(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """The rows of one statement that every version of the tables takes. Raises `BookError`."""
        return self.run(
            lambda connection: connection.execute(_text(statement), values).fetchall(), looks=True
        )

    def do(self, statement: str, *values: object) -> None:
        """One statement without rows, which may be given twice. Raises `BookError`."""
        self.run(lambda connection: connection.execute(_text(statement), values))

    @contextmanager
    def apart(self) -> Iterator[Connection[tuple[Any, ...]]]:
        """A connection of its own, for what takes long and must not keep others waiting. Raises `BookError`."""
        connection = self.run(lambda _: self._connect())
        try:
            yield connection
        except psycopg.Error as error:
            raise self.told(error) from None
        finally:
            connection.close()

    def close(self) -> None:
        """Let go of the connection; the next command makes another."""
        with self._lock:
            if self._connection is not None:
                with suppress(psycopg.Error):
                    self._let_go()
                self._connection = None

    def _roll_back(self) -> None:
        """Leave no failed transaction open."""
        if self._connection is not None:
            with suppress(psycopg.Error):
                self._connection.rollback()

    def _connected(self, *, looks: bool) -> Connection[tuple[Any, ...]]:
        connection = self._connection
        if connection is None:
            self._connection = connection = self._connect()
            self._let_go = finalize(self, connection.close)
            self._was_connected, self._is_seen = True, not self._checked
        if not (looks or self._is_seen):
            self._see_version(connection)
            self._is_seen = True
        return connection

    def _connect(self) -> Connection[tuple[Any, ...]]:
        given = conninfo_to_dict(self.address.conninfo)
        more = {key: value for key, value in _DEFAULTS.items() if key not in given}
        try:
            return psycopg.connect(make_conninfo(self.address.conninfo, **more), autocommit=True)
        except psycopg.OperationalError as error:
            raise _NotConnectedError(str(error)) from None

    def _see_version(self, connection: Connection[tuple[Any, ...]]) -> None:
        try:
            row = connection.execute("SELECT max(version) FROM ace.migrations").fetchone()
        except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
            row = None
        found = row[0] if row else None
        if found == VERSION:
            return
        if found is None:
            raise BookError(
                f"there is no book in the database of {self.address.told} yet: `ace book init` makes one"
            )
        if found > VERSION:
            raise BookError(f"the tables of {self.address.told} were made by a newer ace: update ace here")
        raise BookError(
            f"the tables of {self.address.told} are older than this ace: whoever owns them runs `ace book upgrade`"
        )

    def _is_lost(self, error: psycopg.Error) -> bool:
        """Whether the connection is gone and worth another; at the very first one, only while the server is starting."""
        if isinstance(error, _NotConnectedError):
            return self._was_connected or "the database system is" in str(error)
        connection, state = self._connection, error.sqlstate or ""
        # An error that the server did not tell is the connection's own: a pipeline that is cut off leaves one that is not closed yet.
        again = connection is not None and (
            connection.closed or state.startswith("08") or state in _GOING_DOWN or _is_untold(error)
        )
        if again:
            self.lost += 1
            self.close()
        return again

    def told(self, error: psycopg.Error) -> BookError:
        """The error as a sentence."""
        said = " ".join(str(error).split())
        if secret := os.environ.get("PGPASSWORD", ""):
            said = said.replace(secret, "…")
        said, state, where = safe_excerpt(said, 300), error.sqlstate or "", self.address.told
        if state == "53100":
            return BookError(
                f"the server of {where} has no room left on its disk ({said}). Nothing of what is in the log is lost: run the "
                "command again once there is room"
            )
        if state == "42501":
            return BookError(
                f"{where} does not let this user do that ({said}). Whoever looks needs the role ace_reader, whoever learns or "
                "decides ace_writer: GRANT ace_writer TO …"
            )
        if state == "25006":
            return BookError(
                f"the server of {where} takes no changes ({said}): name the primary, not a standby"
            )
        if state in ("42P01", "3F000"):
            return BookError(f"there is no book in the database of {where} yet: `ace book init` makes one")
        if _is_untold(error):
            return BookError(
                f"the server of {where} cannot be reached ({said}). What is in the log is kept: run the command again once it can"
            )
        return BookError(f"{where}: {said}")


def _is_untold(error: psycopg.Error) -> bool:
    """Whether the error comes from this end of the connection."""
    return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError) and not error.sqlstate


class _NotConnectedError(psycopg.OperationalError):
    """No connection came about."""


def _text(statement: str) -> Any:
    """Statements are ours, each written out in this package; values go beside them."""
    return statement


_GOING_DOWN: Final = ("57P01", "57P02", "57P03", "57P05")
