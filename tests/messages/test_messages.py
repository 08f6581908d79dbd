"""What the commands say, all of it in one table: each message is provoked, and read as a whole in the snapshot beside this file."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from tests.messages.playing import play
from tests.messages.sites import Reached, Site, reaching, sites
from tests.messages.table import ROWS

_DATABASE = "needs a database: tests/adapters/test_postgres.py provokes it"
_NETWORK = "needs an endpoint, or the openai package: tests/adapters/test_models_live.py provokes it"
_RACE = "a file is exchanged between two system calls of one step"
_OURS = "an error in a program of ours would lead there, and no input of a user's"

NOT_PROVOKED: Mapping[str, str] = {
    **dict.fromkeys(
        (
            "adapters/cli/book.py: ",
            "adapters/store/postgres/",
            "adapters/cli/history.py: \nThis differs from the log: `ace book rebuild`",
            "adapters/cli/learn.py: Other workers were reading: ",
        ),
        _DATABASE,
    ),
    **dict.fromkeys(
        (
            "adapters/models/failures.py: the prompt of {} characters is too long",
            "adapters/models/live.py: a live endpoint needs the openai package",
            "adapters/models/live.py: the proxy in {} is a SOCKS proxy",
            "adapters/models/live.py: no HTTP client",
            "adapters/models/failures.py: <told>",
            "method.py: <told>",
        ),
        _NETWORK,
    ),
    **dict.fromkeys(
        (
            "adapters/store/folder_book.py: {} leads to another file than a moment ago",
            "adapters/store/rules_files.py: {} leads to another file than when the step began",
            "deciding.py: the lessons that this is about have changed",
            "adapters/cli/review.py: a lesson that this is about does not wait any more",
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
            "learning.py: {} does not hold the block",
            "adapters/traces/messages.py: <flaws[0][1]>",
            "method.py: <NO_REVIEW>",
            "ports.py: <NO_REVIEW>",
        ),
        _OURS,
    ),
    **dict.fromkeys(
        ("adapters/cli/ordering.py: ", "domain/orders.py: "),
        "needs a Reef service: tests/reef/test_orders.py provokes it",
    ),
    "adapters/store/scenarios.py: {} holds the scenarios of a deployment": "the command asks for --scenario first",
    "adapters/models/recorded.py: <call.error>": "repeats what an endpoint said when the call was recorded",
    "adapters/cli/pull.py: Not taken: {}.": "needs a log with a lesson that today's screens refuse: tests/adapters/test_modes.py",
    "pulling.py: {} holds a block that is not of the log {}": "tests/adapters/test_postgres.py provokes it",
}
"""The beginnings of messages that no row provokes, and why. The list holds none that one does."""


@pytest.fixture(scope="module")
def reached(tmp_path_factory: pytest.TempPathFactory) -> list[Reached]:
    """What all rows of the table came to, without the places of this machine."""
    home = tmp_path_factory.mktemp("messages") / "home"
    with reaching() as found:
        for row in ROWS:
            play(row, home)
    return [Reached(one.module, one.line, _placeless(one.text, home)) for one in found]


def _placeless(text: str, home: Path) -> str:
    text = (
        text.replace(str(home / "project"), "/project")
        .replace(str(home), "/home")
        .replace(str(home.parent), "/")
    )
    text = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", text)
    return re.sub(r"\b\d{4}-\d\d-\d\dT?[\d:]*Z?", "<time>", text)


@pytest.fixture(scope="module")
def messages(reached: list[Reached]) -> dict[Site, list[str]]:
    """The places where messages are made, each with the texts that it made, in order and each once."""
    places = defaultdict(list)
    for site in sites():
        places[site.module].append(site)
    found: dict[Site, dict[str, None]] = {site: {} for sites_ in places.values() for site in sites_}
    for one in reached:
        around = [site for site in places[one.module] if site.first <= one.line <= site.last]
        if around:
            found[max(around)][one.text] = None  # the innermost
    return {site: list(texts) for site, texts in found.items()}


def test_every_message_is_provoked(messages: dict[Site, list[str]]) -> None:
    """Given all places where a message is made, then a row provokes it, or the list says why none does."""
    silent = {site.named for site, texts in messages.items() if not texts}
    told = {site.named for site, texts in messages.items() if texts} - silent
    assert not [name for name in sorted(silent) if not name.startswith(tuple(NOT_PROVOKED))]
    single = [start for start in NOT_PROVOKED if not start.endswith(("/", ": "))]
    assert not [start for start in single if any(name.startswith(start) for name in told)]
    assert not [start for start in NOT_PROVOKED if not any(name.startswith(start) for name in silent)]


def test_the_messages(messages: dict[Site, list[str]], snapshot: SnapshotAssertion) -> None:
    """Given the table, then these are the messages, by the module that makes them: to be read as a whole."""
    lines = defaultdict(list)
    for site, texts in messages.items():
        if texts:
            lines[site.module].append(texts[0])
    assert (
        "\n\n".join(
            "\n".join([f"## {module}", *sorted(dict.fromkeys(text.strip() for text in texts))])
            for module, texts in sorted(lines.items())
        )
        == snapshot
    )


def test_no_message_tells_what_only_python_means(reached: list[Reached]) -> None:
    """Given what users hand in, nested as deep as can be, then no message names the interpreter's limit, nor repeats all of it."""
    assert not [one for one in reached if "recursion" in one.text]
    assert not [one for one in reached if "[" * 300 in one.text]


def test_an_error_is_short(messages: dict[Site, list[str]]) -> None:
    """Given the errors that a command ends with, then each is at most two sentences, without what it quotes and the way out of a log
    that is damaged.
    """
    long = [
        text
        for site, texts in messages.items()
        if not site.module.startswith("adapters/cli/") or site.words[:1].islower()
        for text in texts
        if len(re.findall(r"[.?!] (?=[A-Z`])", text.partition(" Put a good copy")[0])) > 1
    ]
    assert not long
