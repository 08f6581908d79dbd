"""What the commands say, all of it in one table: each message is provoked, and read as a whole in the snapshot beside this file."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.messages.reading import as_read, by_site, provoked, too_long
from tests.messages.sites import Reached, Site
from tests.messages.table import ROWS

_RACE = "a file is exchanged between two system calls of one step, or a person decides between two questions"
_OURS = "an error in a program of ours would lead there, and no input of a user's"

NEEDS_A_DATABASE = (
    "adapters/cli/book.py: ",
    "adapters/store/postgres/",
    "adapters/cli/history.py: \nThis differs from the log: `ace book rebuild`",
    "adapters/cli/learn.py: Other workers were reading: ",
    "deciding.py: the lessons that this is about have changed",
)
"""The beginnings of messages that `test_messages_shared` provokes."""

NOT_PROVOKED: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "adapters/cli/review.py: a lesson that this is about does not wait any more",
            "adapters/store/folder_book.py: {} leads to another file than a moment ago",
            "adapters/store/rules_files.py: {} leads to another file than when the step began",
            "method.py: the host's check refuses {} with the playbook's block in it",
        ),
        _RACE,
    ),
    **dict.fromkeys(
        (
            "adapters/store/log.py: {} says that it is line {}. {}",
            "adapters/store/log.py: {}: the step cannot be written as a line",
            "adapters/traces/messages.py: its content is in {}, which is not known here",
            "domain/chain.py: the step cannot be written as a line of the log",
            "reconciling.py: {} does not hold the block",
            "adapters/traces/messages.py: <flaws[0][1]>",
            "method.py: <NO_REVIEW>",
            "ports.py: <NO_REVIEW>",
        ),
        _OURS,
    ),
    "adapters/store/scenarios.py: {} holds the scenarios of a deployment": "the command asks for --scenario first",
}
"""The beginnings of messages that no row provokes, and why. The list holds none that one does."""


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> list[Reached]:
    """What all rows of the table came to."""
    return provoked(ROWS, tmp_path_factory.mktemp("messages") / "home")


@pytest.fixture(scope="module")
def messages(reached: list[Reached]) -> dict[Site, list[str]]:
    """The places where messages are made, each with the texts that it made."""
    return by_site(reached)


def test_every_message_is_provoked(messages: dict[Site, list[str]]) -> None:
    """Given all places where a message is made, then a row provokes it, or a list says why none does."""
    silent = {site.named for site, texts in messages.items() if not texts}
    told = {site.named for site, texts in messages.items() if texts} - silent
    assert not [name for name in sorted(silent) if not name.startswith((*NOT_PROVOKED, *NEEDS_A_DATABASE))]
    assert not [start for start in NOT_PROVOKED if any(name.startswith(start) for name in told)]
    listed = (*NOT_PROVOKED, *NEEDS_A_DATABASE)
    assert not [start for start in listed if not any(name.startswith(start) for name in silent)]


def test_the_messages(messages: dict[Site, list[str]], snapshot: SnapshotAssertion) -> None:
    """Given the table, then these are the messages, by the module that makes them: to be read as a whole."""
    assert as_read(messages) == snapshot


def test_no_message_tells_what_only_python_means(reached: list[Reached]) -> None:
    """Given what users hand in, nested as deep as can be, then no message names the interpreter's limit, nor repeats all of it."""
    assert not [one for one in reached if "recursion" in one.text]
    assert not [one for one in reached if "[" * 300 in one.text]


def test_an_error_is_short(messages: dict[Site, list[str]]) -> None:
    """Given the errors that a command ends with, then each is at most two sentences, without what it quotes and the way out of a log
    that is damaged.
    """
    assert not too_long(messages)
