"""The tables of shared books, and the books in them: made, brought up to date, set and looked at by whoever owns them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

import msgspec

from ace.adapters.store.postgres.address import Address
from ace.adapters.store.postgres.server import VERSION, Server
from ace.domain.errors import BookError
from ace.domain.settings import ACESettings, parse_settings

__all__ = ["SHARED", "BookSettings", "make_book", "no_book", "set_book", "shared_of", "upgrade"]

SHARED: Final = tuple(
    key
    for key in ("sections", "max_bullets", "prune_margin", "acting_lessons")
    if key in ACESettings.__struct_fields__
)
"""The settings by which is decided what a playbook becomes: they are the book's. The others say what a worker asks and shows."""

_LOCK: Final = 0x61CE
"""Of the migrations: two that are begun at once come one after the other."""


class BookSettings(msgspec.Struct, frozen=True):
    """What a book decides by: the values of the shared settings, the rules whose lines make a duplicate, and how often either was
    changed.
    """

    values: Mapping[str, Any]
    base_rules: bytes
    revision: int = 1

    def settings(self, own: Mapping[str, Any]) -> ACESettings:
        """The settings of a worker whose own are these. Raises `BookError` for one that is the book's, and has another value
        there.
        """
        given, shared = parse_settings(own), self.shared
        for key in own:
            said = _plain(getattr(given, key))
            if key in SHARED and said != shared[key]:
                raise BookError(
                    f"this book decides by {key}={_told(shared[key])}, and here it is set to {_told(said)}: leave it out here, or "
                    f"change it for all workers with `ace book set --set {key}=…`"
                )
        return parse_settings({**own, **shared})

    @property
    def shared(self) -> dict[str, Any]:
        """The value of each shared setting; one that was not there when the book was made has its default."""
        return shared_of(parse_settings(self.values))


def shared_of(settings: ACESettings) -> dict[str, Any]:
    """The values of the settings that are a book's."""
    return {key: _plain(getattr(settings, key)) for key in SHARED}


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _told(value: object) -> str:
    return msgspec.json.encode(value).decode()


# --- books ----------------------------------------------------------------------------------------------------------


def make_book(address: Address, settings: BookSettings) -> bool:
    """Make the tables where they are not there, and the book. Returns whether it was made: not if one of this name is there,
    which stays as it is. Raises `BookError`.
    """
    server = Server(address, checked=False)
    try:
        _migrate(server)
        rows = server.rows(
            "INSERT INTO ace.books (scenario, settings, base_rules) VALUES (%s, %s, %s) ON CONFLICT DO NOTHING RETURNING 1",
            address.scenario,
            _told(settings.values),
            settings.base_rules,
        )
        return bool(rows)
    finally:
        server.close()


def set_book(address: Address, values: Mapping[str, Any], base_rules: bytes | None = None) -> BookSettings:
    """Give the book other settings, of which those in `values` are changed, or other base rules. Workers that began with the
    earlier ones are refused at their next append. Raises `BookError` and `SettingsError`.
    """
    server = Server(address)
    try:
        rows = server.rows(
            "SELECT settings, base_rules, revision FROM ace.books WHERE scenario = %s", address.scenario
        )
        if not rows:
            raise no_book(address)
        before = BookSettings(msgspec.json.decode(rows[0][0]), bytes(rows[0][1]), rows[0][2])
        if odd := [key for key in values if key in ACESettings.__struct_fields__ and key not in SHARED]:
            raise BookError(f"{odd[0]} is each worker's own setting: a book has {', '.join(SHARED)}")
        after = shared_of(parse_settings({**before.values, **values}))
        rules = before.base_rules if base_rules is None else base_rules
        done = server.rows(
            "UPDATE ace.books SET settings = %s, base_rules = %s, revision = revision + 1 "
            "WHERE scenario = %s AND revision = %s RETURNING revision",
            _told(after),
            rules,
            address.scenario,
            before.revision,
        )
        if not done:
            raise BookError("somebody else has set the book at this moment: look at it, and set it again")
        return BookSettings(after, rules, done[0][0])
    finally:
        server.close()


def no_book(address: Address) -> BookError:
    """The error for a book that nobody made."""
    return BookError(f"there is no book {address.told} yet: `ace book init` makes it")


# --- migrations -------------------------------------------------------------------------------------------------------


def upgrade(address: Address) -> int:
    """Bring the tables up to date; returns how many migrations that took. Raises `BookError`, also where there is no table."""
    server = Server(address, checked=False)
    try:
        rows = server.rows("SELECT to_regclass('ace.migrations') IS NOT NULL")
        if not rows[0][0]:
            raise no_book(address)
        return _migrate(server)
    finally:
        server.close()


def _migrate(server: Server) -> int:
    with server.apart() as connection, connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (_LOCK,))
        connection.execute("CREATE SCHEMA IF NOT EXISTS ace")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS ace.migrations "
            "(version integer PRIMARY KEY, name text NOT NULL, made_at timestamptz NOT NULL DEFAULT now())"
        )
        row = connection.execute("SELECT coalesce(max(version), 0) FROM ace.migrations").fetchone()
        found = row[0] if row else 0
        if found > VERSION:
            raise BookError(f"the tables of {server.address.told} were made by a newer ace: update ace here")
        done = 0
        for number, name, statements in _migrations():
            if number > found:
                connection.execute(statements)
                connection.execute(
                    "INSERT INTO ace.migrations (version, name) VALUES (%s, %s)", (number, name)
                )
                done += 1
        connection.execute((files(__package__) / "roles.sql").read_bytes())
        return done


def _migrations() -> Iterator[tuple[int, str, bytes]]:
    """The migrations in order: number, name, statements."""
    for path in sorted((files(__package__) / "migrations").iterdir(), key=lambda path: path.name):
        if path.name.endswith(".sql"):
            yield int(path.name.partition("-")[0]), path.name.removesuffix(".sql"), path.read_bytes()
