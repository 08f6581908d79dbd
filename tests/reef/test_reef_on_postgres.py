"""Reef with its records in PostgreSQL, on a real server: two scenarios, restarts and kills of the service and of the database."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from tests.adapters.postgres import PostgresServer
from tests.reef.service import Client, Service, configuration, deployed, until
from tests.reef.upstream import Script, curation, reflection

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

RULES = {"id": "rules", "name": "rules", "config": {"text": "# Rules"}}


@pytest.fixture(scope="module")
def deployment(
    tmp_path_factory: pytest.TempPathFactory, postgres: PostgresServer
) -> Iterator[tuple[Service, Script]]:
    """A service that keeps its records there; commits and releases lie in its folder, as always."""
    config = configuration({"seed": [RULES]})
    url = postgres.address().partition("&scenario")[0]
    config["storage"] |= {"record-backend": "postgres", "record-database-url": url}
    with deployed(tmp_path_factory.mktemp("on-postgres"), config) as (service, script):
        yield service, script


@pytest.fixture(scope="module")
def scenarios(deployment: tuple[Service, Script]) -> tuple[Client, Client]:
    """Two scenarios that have learned a lesson each."""
    service, script = deployment
    clients = service.client("left"), service.client("right")
    for client in clients:
        script.curator = curation(f"Lesson 1 of {client.scenario}.")
        client.learn()
    return clients


def lessons(client: Client) -> list[str]:
    """What is served."""
    return [bullet.partition(" :: ")[2] for bullet in client.served().bullets]


def learned(client: Client, count: int) -> list[str]:
    """So many lessons."""
    return [f"Lesson {number} of {client.scenario}." for number in range(1, count + 1)]


def runs(client: Client) -> list[str]:
    """The runs that the log has read."""
    return [e["trace"] for line in client.log_lines() for e in line["events"] if e["type"] == "RunRead"]


def test_two_scenarios_learn_apart_and_runs_are_read_again(
    deployment: tuple[Service, Script], scenarios: tuple[Client, Client], postgres: PostgresServer
) -> None:
    """The records are in the database: a score that is reported again, and a run that is asked for, are found there."""
    script = deployment[1]
    script.curator = curation()
    for client in scenarios:
        assert lessons(client) == learned(client, 1)
    left = scenarios[0]
    (run,) = runs(left)
    left.report(run, score=0.25)
    left.look("relearn", run)
    told = left.learn()["metrics"]["proposal_notes"]
    assert told["too late"] == [run]
    scores = [e["score"] for e in left.log_lines()[-1]["events"] if e["type"] == "RunRead"]
    assert scores == [1.0, 0.25]
    kept = postgres.sql("SELECT count(*) FROM reef_records.agent_record WHERE scenario = 'left'")
    assert kept[0][0] >= 5


def test_a_restart_goes_on_where_it_was(
    deployment: tuple[Service, Script], scenarios: tuple[Client, Client], postgres: PostgresServer
) -> None:
    """Of the service, and of the database under it."""
    service, script = deployment
    service.stop()
    postgres.restart()
    service.start()
    for client in scenarios:
        script.curator = curation(f"Lesson 2 of {client.scenario}.")
        client.learn()
        assert lessons(client) == learned(client, 2)
        assert not any(e["type"] == "PlaybookRestored" for line in client.log_lines() for e in line["events"])


def test_a_kill_of_the_service_loses_no_run_and_reads_none_twice(
    deployment: tuple[Service, Script], scenarios: tuple[Client, Client]
) -> None:
    """In the middle of a step: Reef brings the batch again. The other scenario's run waits for its turn."""
    service, script = deployment
    left, right = scenarios
    gate, came = threading.Event(), threading.Event()

    def curator(prompt: str) -> str:
        if "of the left" not in prompt:
            return curation("Lesson 3 of right.")
        came.set()
        return curation("Lesson 3 of left.") if gate.wait(60) else "the test gave up"

    script.curator = curator
    held = left.run("A task of the left.")
    assert came.wait(60)
    service.kill()
    gate.set()
    service.start()
    left.chat("something else")
    until(lambda: held in runs(left), "the run to be read")
    right.learn("A task of the right.")
    until(lambda: lessons(left) == learned(left, 3), "the lesson of the left to be served")
    until(lambda: lessons(right) == learned(right, 3), "the lesson of the right to be served")
    assert runs(left).count(held) == 1


def test_a_kill_of_the_database_loses_no_run(
    deployment: tuple[Service, Script], scenarios: tuple[Client, Client], postgres: PostgresServer
) -> None:
    """While a model is asked; what was accepted before is there, and the step is kept or made again."""
    script = deployment[1]
    left, right = scenarios
    gate, came = threading.Event(), threading.Event()

    def curator(_: str) -> str:
        came.set()
        return curation("Lesson 4 of left.") if gate.wait(60) else "the test gave up"

    script.reflector, script.curator = reflection(), curator
    held = left.run()
    assert came.wait(60)
    postgres.restart("immediate")
    gate.set()
    until(lambda: runs(left) and runs(left)[-1] == held, "the run to be read")
    until(lambda: lessons(left) == learned(left, 4), "the lesson to be served")
    script.curator = curation("Lesson 4 of right.")
    right.learn()
    assert lessons(right) == learned(right, 4)
