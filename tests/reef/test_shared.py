"""Several hosts on one shared book: its head is right, whatever state a host brings, and a run is read once."""

from __future__ import annotations

import importlib.util
import os
import threading
from pathlib import Path

import pytest
from tests.adapters.postgres import PostgresServer
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)
if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed", allow_module_level=True)

from reef.harness.adapters.descriptor import AdapterDescriptor
from tests.reef.host import FIRST, SECOND, Host, sample
from tests.reef.upstream import curation

from ace.adapters.reef.config import ACEConfigError, plan
from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.samples import read_samples
from ace.adapters.reef.shared_book import SharedScenarioBook
from ace.adapters.store.backlog import Backlog
from ace.adapters.store.postgres.book import PostgresBook
from ace.domain.errors import BookError
from ace.domain.playbook import Playbook, fold_records
from ace.domain.settings import ACESettings
from ace.events.types import BulletAdded, RunRead


class Sharing(Host):
    """A host whose scenario's playbook is in a database."""

    address: str

    def _book(self, descriptor: AdapterDescriptor) -> ScenarioBook:
        return SharedScenarioBook("s", self.root, descriptor, self.address)


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    """A new book."""
    return postgres.book(str(tmp_path), {"max_bullets": 60})


@pytest.fixture
def hosts(address: str, tmp_path: Path) -> tuple[Host, Host]:
    """Two deployments with it."""

    class Two(Sharing):
        pass

    Two.address = address
    return Two(tmp_path / "one"), Two(tmp_path / "two")


def book(address: str, tmp_path: Path) -> PostgresBook:
    """The book, looked at."""
    return PostgresBook(tmp_path / "look", address)


def lessons(host: Host) -> list[str]:
    """What the served rules say."""
    return [line.rpartition(":: ")[2] for line in host.text.splitlines() if line.startswith("- [")]


def waiting(host: Host) -> list[str]:
    """The runs that are still to be read."""
    return [one.waiting.run for one in Backlog(host.root).entries()]


def test_what_one_host_learns_the_other_serves_with_its_next_step(
    hosts: tuple[Host, Host], address: str, tmp_path: Path
) -> None:
    """Given two hosts that learn in turn, then each serves the head with its own step, and the log is one."""
    one, two = hosts
    one.step(sample("a"))
    two.curator = lambda _: curation(SECOND)
    two.step(sample("b"))
    assert lessons(two) == [FIRST, SECOND]
    assert lessons(one) == [FIRST]
    one.curator = lambda _: curation()
    one.step(sample("c"))
    assert lessons(one) == [FIRST, SECOND]
    records = list(book(address, tmp_path).log.verified())
    assert [event.trace for record in records for event in record.events if isinstance(event, RunRead)] == [
        "a",
        "b",
        "c",
    ]
    assert book(address, tmp_path).playbook() == fold_records(Playbook(), records)


def test_a_run_that_another_host_has_read_is_not_read_again(
    hosts: tuple[Host, Host], address: str, tmp_path: Path
) -> None:
    """Given the same run in both, then the second one asks no model for it, and the lesson is served there, too."""
    one, two = hosts
    one.step(sample("a"))
    two.step(sample("a"))
    read = [
        event.trace
        for record in book(address, tmp_path).log.verified()
        for event in record.events
        if isinstance(event, RunRead)
    ]
    assert read == ["a"]
    assert lessons(two) == [FIRST]


def test_the_head_is_right_whatever_a_host_brings(
    hosts: tuple[Host, Host], address: str, tmp_path: Path
) -> None:
    """Given a rollback, a restart and a commit that failed, then they take no lesson from the book."""
    one, two = hosts
    before = one.releases.newest()
    one.step(sample("a"))
    one.roll_back(before)
    two.curator = lambda _: curation(SECOND)
    two.step(sample("b"))
    one.prepare(sample("c"))  # nothing of it is kept
    one.reload()
    one.step(sample("d"))
    assert lessons(one) == [FIRST, SECOND]
    ids = [
        event.id
        for record in book(address, tmp_path).log.verified()
        for event in record.events
        if isinstance(event, BulletAdded)
    ]
    assert len(ids) == len(set(ids))


def test_a_run_that_another_host_reads_now_waits(
    hosts: tuple[Host, Host], address: str, tmp_path: Path
) -> None:
    """Given one run in both at the same moment, then the second host asks no model for it and keeps it; once the log says that it was
    read, it is done, and if the first host came to nothing, the second one reads it.
    """
    one, two = hosts
    asked: list[str] = []

    def never(_: str) -> str:
        asked.append("two")
        return curation(SECOND)

    def answer(_: str) -> str:
        if not asked:
            asked.append("one")
            two.curator = never
            two.step(sample("a"))
            assert waiting(two) == ["a"]
        return curation()

    one.curator = answer
    one.step(sample("a"))
    assert asked == ["one"]
    two.curator = lambda _: curation(SECOND)
    two.step(sample("b"))
    assert waiting(two) == []
    records = book(address, tmp_path).log.verified()
    read = [event.trace for record in records for event in record.events if isinstance(event, RunRead)]
    assert read == ["a", "b"]

    with book(address, tmp_path).claimed(read_samples([sample("c")])[0], again=True):
        two.step(sample("c"))  # a worker that is killed then
    assert waiting(two) == ["c"]
    two.step(sample("d"))
    assert waiting(two) == []


def test_two_hosts_at_once(hosts: tuple[Host, Host], address: str, tmp_path: Path) -> None:
    """Given two hosts that step at the same time, then each run is read once, and no lesson is lost."""
    errors: list[BaseException] = []

    def work(host: Host, name: str) -> None:
        try:
            for number in range(8):
                host.curator = lambda _, number=number: curation(f"What {name}-{number} teaches us.")  # type: ignore[misc]
                host.step(sample(f"{name}-{number}"))
        except BaseException as error:  # noqa: BLE001 - of a thread
            errors.append(error)

    threads = [
        threading.Thread(target=work, args=(host, name)) for host, name in zip(hosts, "xy", strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    records = list(book(address, tmp_path).log.verified())
    read = [event.trace for record in records for event in record.events if isinstance(event, RunRead)]
    assert sorted(read) == sorted(f"{name}-{number}" for name in "xy" for number in range(8))
    playbook = book(address, tmp_path).playbook()
    assert playbook == fold_records(Playbook(), records)
    assert len(playbook.bullets) == 16


def test_the_book_decides_in_a_host_too(hosts: tuple[Host, Host], tmp_path: Path) -> None:
    """Given a deployment with other settings than the book's, then its step says so, and the runs wait."""

    class Other(Sharing):
        address = type(hosts[0]).address  # type: ignore[attr-defined]

    assert hosts[0].backend._book.settings_for(ACESettings()).max_bullets == 60
    other = Other(tmp_path / "other", ACESettings(max_bullets=7))
    with pytest.raises(BookError, match="decides by max_bullets=60"):
        other.backend._book.settings_for(ACESettings(max_bullets=7))
    metrics = other.step(sample("a"))
    assert "max_bullets=60" in str(metrics)


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"book": "postgresql://me:hush@db/ace"}, "config.book: the book's address holds a password"),
        ({"book": "mysql://db/ace"}, "config.book: this is not the address of a shared book"),
    ],
)
def test_a_book_in_the_configuration(config: dict[str, object], said: str) -> None:
    """Given an address that cannot be used, then the service does not start with it, and no secret is told."""
    with pytest.raises(ACEConfigError, match=said) as error:
        plan({"method": {"config": config}})
    assert "hush" not in str(error.value)
