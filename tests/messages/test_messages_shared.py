"""What is said of a shared book, provoked on a database server: with the other rows, no place where a message is made is left."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.adapters.postgres import PostgresServer
from tests.messages.reading import as_read, by_site, provoked, too_long
from tests.messages.shared import rows
from tests.messages.sites import Site
from tests.messages.table import ROWS
from tests.messages.test_messages import NEEDS_A_DATABASE, NOT_PROVOKED

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def messages(postgres: PostgresServer, tmp_path_factory: pytest.TempPathFactory) -> dict[Site, list[str]]:
    """The places of messages that need a server, each with the texts that it made."""
    reached = provoked(rows(postgres), tmp_path_factory.mktemp("messages") / "home")
    return {
        site: texts for site, texts in by_site(reached).items() if site.named.startswith(NEEDS_A_DATABASE)
    }


def test_every_message_is_provoked(messages: dict[Site, list[str]], tmp_path: Path) -> None:
    """Given the places that the table without a server leaves silent, then a row here provokes each."""
    without = by_site(provoked(ROWS, tmp_path / "home"))
    silent = {site.named for site, texts in messages.items() if not texts and not without[site]}
    assert not [name for name in sorted(silent) if not name.startswith(tuple(NOT_PROVOKED))]


def test_the_messages(messages: dict[Site, list[str]], snapshot: SnapshotAssertion) -> None:
    """Given these rows, then these are the messages, by the module that makes them."""
    assert as_read(messages) == snapshot


def test_an_error_is_short(messages: dict[Site, list[str]]) -> None:
    """Given the errors, then each is at most two sentences."""
    assert not too_long(messages)
