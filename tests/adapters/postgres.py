"""A PostgreSQL server of this machine's binaries, for tests: started in a temporary folder, listening on a socket alone.

    with PostgresServer() as server:
        address = server.book("tests")      # tables and book are there
        server.restart("immediate")

Where there are no binaries the tests skip and say so; under `CI=true` they fail instead. The server refuses to run as root: then
it runs as `postgres`, or as `nobody`.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from glob import glob
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import quote

__all__ = ["PostgresServer", "missing"]

type Mode = Literal["smart", "fast", "immediate"]


def _binary(name: str) -> str | None:
    found = sorted(glob(f"/usr/lib/postgresql/*/bin/{name}"), key=lambda path: int(path.split("/")[4]))
    return shutil.which(name) or (found[-1] if found else None)


def missing() -> str | None:
    """What the tests need and this machine lacks."""
    if importlib.util.find_spec("psycopg") is None:
        return "psycopg is not installed: pip install '.[dev]'"
    if not (_binary("initdb") and _binary("pg_ctl")):
        return "there is no PostgreSQL server on this machine: apt-get install postgresql"
    return None


def _other_user() -> str | None:
    """The user that the server runs as, if it may not be this one."""
    if os.geteuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


class PostgresServer:
    """A server, with the settings given: what is on its disk survives its processes, and no power cut. Its folder is made in `disk`."""

    def __init__(self, disk: Path | None = None, **settings: str) -> None:
        self._user = _other_user()
        # The path of a socket must be short.
        folder = tempfile.gettempdir() if len(tempfile.gettempdir()) < 60 else "/tmp"  # noqa: S108 - a name of its own is made in it
        self._home = Path(tempfile.mkdtemp(prefix="ace-pg-", dir=disk or folder))
        if self._user:
            shutil.chown(self._home, self._user)
        self.data = self._home / "data"
        self._settings = {
            "listen_addresses": "",
            "unix_socket_directories": str(self._home),
            "max_connections": "60",
            "shared_buffers": "16MB",
            "fsync": "off",
            **settings,
        }

    def __enter__(self) -> Self:
        """Make the cluster and start it."""
        try:
            self._run(
                "initdb",
                "--auth=trust",
                "--username=ace",
                "--no-sync",
                "--encoding=UTF8",
                "-D",
                str(self.data),
            )
            lines = [f"{name} = '{value}'\n" for name, value in self._settings.items()]
            with (self.data / "postgresql.conf").open("a") as file:
                file.writelines(lines)
            self.start()
        except BaseException:
            shutil.rmtree(self._home)
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Stop it, and leave nothing behind."""
        self.stop("immediate")
        shutil.rmtree(self._home)

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        self._run("pg_ctl", "start", "--wait", "-D", str(self.data), "-l", str(self._home / "log"))

    def stop(self, mode: Mode = "fast") -> None:
        """Stop it; `immediate` is as good as a crash."""
        self._run("pg_ctl", "stop", "--wait", "-m", mode, "-D", str(self.data), check=False)

    def runs(self) -> bool:
        """Whether it is there."""
        binary = _binary("pg_ctl")
        assert binary is not None
        command = [binary, "status", "-D", str(self.data)]
        return (
            subprocess.run(command, user=self._user, cwd="/", capture_output=True, check=False).returncode
            == 0
        )

    def restart(self, mode: Mode = "fast") -> None:
        """Stop and start it."""
        self.stop(mode)
        self.start()

    def address(self, scenario: str = "default", *, user: str = "ace", database: str = "postgres") -> str:
        """The address of a book, which may not be there."""
        host = quote(str(self._home), safe="")
        return f"postgresql://{user}@/{database}?host={host}&scenario={quote(scenario)}"

    def book(self, scenario: str, settings: Mapping[str, Any] | None = None, base_rules: bytes = b"") -> str:
        """The address of a book that was made."""
        from ace.adapters.store.postgres.address import parse_address  # noqa: PLC0415 - it may not be there
        from ace.adapters.store.postgres.schema import BookSettings, make_book, shared_of  # noqa: PLC0415
        from ace.domain.settings import parse_settings  # noqa: PLC0415

        address = self.address(scenario)
        values = shared_of(parse_settings(settings or {}))
        assert make_book(parse_address(address), BookSettings(values, base_rules))
        return address

    def sql(self, statement: str, *values: object, database: str = "postgres") -> list[tuple[Any, ...]]:
        """The rows of a statement of the owner's."""
        import psycopg  # noqa: PLC0415 - it may not be there

        address = self.address(database=database).partition("&scenario")[0]
        with psycopg.connect(address, autocommit=True) as connection:
            cursor = connection.execute(statement, values)
            return cursor.fetchall() if cursor.description else []

    def _run(self, name: str, *arguments: str, check: bool = True) -> None:
        binary = _binary(name)
        assert binary is not None
        done = subprocess.run(
            [binary, *arguments],
            user=self._user,
            cwd=self._home,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE if check else subprocess.DEVNULL,
            check=False,
            timeout=60,
        )
        assert not check or done.returncode == 0, done.stderr.decode()
