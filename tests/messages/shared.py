"""Commands that provoke what is said of a shared book: rows of the table that need a database server."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace
from tests.adapters.commands import ace as command
from tests.adapters.postgres import PostgresServer
from tests.messages.table import LEARN, Row, agreeing, replacing, run, write

from ace.adapters.models.recorded import RecordedModel
from ace.adapters.store.postgres import schema
from ace.adapters.store.postgres.address import parse_address
from ace.adapters.store.postgres.book import PostgresBook
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace
from ace.events.codec import decode_record, encode_record, sealed
from ace.ports import Completion, Request

__all__ = ["rows"]

_MORE = "ace learn more.jsonl --replies calls.json"


def rows(server: PostgresServer) -> Iterator[Row]:
    """The rows, each with books and databases of its own on this server."""
    databases, books = count(), count()

    def database() -> str:
        name = f"messages{next(databases)}"
        server.sql(f"CREATE DATABASE {name}")
        return name

    def sql(name: str, statement: str) -> Callable[[], object]:
        return lambda: server.sql(statement, database=name)

    def book() -> str:
        return server.book(f"messages{next(books)}", base_rules=b"# Rules\n")

    # Made, looked at, set, brought up to date.
    name = database()
    new = server.address("tests", database=name)
    yield Row(
        f"ace book show --book {new}\nace book init --book {new}\nace book init --book {new}\n"
        f"ace book set --book {new} --set max_bullets=5\nace book upgrade --book {new}\nace book show --book {new}\n"
        f"ace book set --book {server.address('nobody', database=name)} --set max_bullets=5\n"
        f"ace learn runs.jsonl --replies calls.json --book {new} --set max_bullets=3 --work w --rules AGENTS.md",
        base="runs",
    )
    yield Row((lambda: schema.set_book(parse_address(new), {"reflections_at_once": 2}),))
    yield Row(
        f"ace book set --book {new} --set max_bullets=6",
        meanwhile=replacing(
            "ace.adapters.store.postgres.schema.parse_settings",
            lambda values: (
                server.sql("UPDATE ace.books SET revision = revision + 1", database=name),
                ACESettings(**values),
            )[1],
        ),
    )
    yield Row(
        (
            sql(name, "UPDATE ace.migrations SET version = 99"),
            f"ace book show --book {new}\nace book upgrade --book {new}",
            sql(name, "UPDATE ace.migrations SET version = 0"),
            f"ace book show --book {new}",
            sql(name, "UPDATE ace.migrations SET version = 1"),
            sql(name, "ALTER TABLE ace.books RENAME TO kept"),
            f"ace book show --book {new}",
        )
    )

    # Whom the server does not let.
    one = book()
    server.sql("CREATE ROLE messages_nobody LOGIN")
    yield Row(f"ace book show --book {server.address('messages0', user='messages_nobody')}")
    standby = one + "&options=-c%20default_transaction_read_only%3Don"
    yield Row(
        f"ace learn runs.jsonl --replies calls.json --book {standby} --work w --rules AGENTS.md", base="runs"
    )
    full = database()
    small = server.address("tests", database=full)
    yield Row(
        (
            f"ace book init --book {small}",
            sql(
                full,
                "CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION "
                "'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$",
            ),
            sql(full, "CREATE TRIGGER no_room BEFORE INSERT ON ace.lines EXECUTE FUNCTION full_disk()"),
            f"ace learn runs.jsonl --replies calls.json --book {small} --work w --rules AGENTS.md",
        ),
        base="runs",
    )

    # A log that goes in, and out again.
    one, other = book(), book()
    yield Row(
        f"ace book import .ace --book {one}\nace book import .ace --book {one}\nace book rebuild --book {one}\n"
        f"ace book export out --book {one}\nace book export out --book {one}\n"
        f"ace book import .ace --book {server.address('nobody')}",
        base="learned",
    )
    yield Row(
        f"ace book import own --book {other}",
        before=write("own/state/playbook.json", '{"next_number":3,"bullets":[]}'),
    )

    # Learned on, by several.
    one, two, three = book(), book(), book()
    more = {"more.jsonl": run("r3") + run("r4")}

    def learn(address: str) -> str:
        return f"{LEARN} --book {address} --work w --rules AGENTS.md"

    yield Row(learn(one), base="runs", meanwhile=lambda: _read_elsewhere(one))
    yield Row(
        f"{learn(one)}\n{_MORE} --book {one} --work w",
        more,
        "runs",
        meanwhile=lambda: _at_call(5, lambda: schema.set_book(parse_address(one), {"max_bullets": 50})),
    )
    yield Row(
        f"{learn(two)}\n{_MORE} --book {two} --work w",
        more,
        "runs",
        meanwhile=lambda: _at_call(
            5, lambda: server.sql("DELETE FROM ace.lines WHERE scenario = %s", _name(two))
        ),
    )
    yield Row(learn(three), base="runs", meanwhile=lambda: _at_call(2, lambda: _add(three)))
    yield Row(
        f"ace remove 2 --reason x --book {three} --work w",
        typed="",
        meanwhile=agreeing(
            f"ace reword 2 'Read r1 to its end before you change it.' --yes --book {three} --work v"
        ),
    )

    # What somebody changed behind its back.
    yield Row(
        (
            lambda: server.sql("DELETE FROM ace.runs WHERE scenario = %s", _name(three)),
            f"ace verify --book {three} --work w",
            lambda: _alter(server, _name(three)),
            f"ace show --book {three} --work v\nace book export out --book {three}",
        )
    )


def _name(address: str) -> str:
    return parse_address(address).scenario


def _alter(server: PostgresServer, scenario: str) -> None:
    """Let the last line name another playbook, with a digest that fits."""
    server.sql("DELETE FROM ace.snapshots WHERE scenario = %s", scenario)
    *_, (seq, line) = server.sql("SELECT seq, line FROM ace.lines WHERE scenario = %s ORDER BY seq", scenario)
    forged = encode_record(sealed(replace(decode_record(bytes(line)), playbook="0" * 64)))
    server.sql("UPDATE ace.lines SET line = %s WHERE scenario = %s AND seq = %s", forged, scenario, seq)


def _add(address: str) -> None:
    """Somebody else's lesson."""
    text = "Run make check before you say that it is done."
    command("add", text, "--yes", "--book", address, "--work", "v", "--rules", "R.md")


@contextmanager
def _read_elsewhere(address: str) -> Iterator[None]:
    """Another worker reads the first run."""
    other = PostgresBook(Path("elsewhere"), parse_address(address))
    with other.claimed([Trace(id="r1", task="Do r1.", reply="Done.")]):
        yield
    other.close()


@contextmanager
def _at_call(number: int, act: Callable[[], object]) -> Iterator[None]:
    """Something happens while the model is asked for the call of this number."""
    complete, asked = RecordedModel.complete, count(1)

    def completed(self: RecordedModel, request: Request) -> Completion:
        if next(asked) == number:
            act()
        return complete(self, request)

    with patch.object(RecordedModel, "complete", completed):
        yield
