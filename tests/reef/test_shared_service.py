"""Two Reef services for one agent, with one playbook in a database: kills of either, restarts of the database under both."""

from __future__ import annotations

import random
import re
import threading
from pathlib import Path

import pytest
from tests.adapters.postgres import PostgresServer, missing
from tests.reef.conftest import needs
from tests.reef.service import Client, Service, configuration, until
from tests.reef.upstream import Script, curation, upstream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

RULES = {"id": "rules", "name": "rules", "config": {"text": "# Rules"}}
RUNS = 4
"""Of each host."""


def test_two_hosts_under_kills_and_restarts(tmp_path: Path) -> None:
    """Given two services that learn at the same time, each killed in the middle of a step, and the database restarted and crashed, then
    each run of both is in the one log once, fold and snapshot agree, and both serve the head with their next step.
    """
    needs(missing())
    from ace.adapters.store.postgres.book import PostgresBook  # noqa: PLC0415 - psycopg may not be there
    from ace.domain.playbook import Playbook, digest, fold_records, parse_playbook  # noqa: PLC0415
    from ace.events.types import BulletAdded, RunRead  # noqa: PLC0415
    from ace.reconciling import verify  # noqa: PLC0415

    dice = random.Random(11)  # noqa: S311 - the same each time
    script, asked = Script(), threading.Event()

    def curator(prompt: str) -> str:
        asked.set()
        threading.Event().wait(dice.uniform(0, 0.3))
        return curation(f"Lesson of {re.findall(r'Task ([xy]-[0-9]+)', prompt)[-1]}.")

    script.curator = curator
    with PostgresServer() as postgres, upstream(script) as up:
        address = postgres.book("agent")
        config = configuration({"seed": [RULES], "method": {"config": {"book": address}}})
        book = PostgresBook(tmp_path / "look", address)

        def read() -> list[str]:
            lines = book.log.verified()
            return [event.trace for line in lines for event in line.events if isinstance(event, RunRead)]

        services = [Service(tmp_path / name, config, up.base_url) for name in "xy"]
        with services[0], services[1]:
            clients: list[Client] = [service.client("agent") for service in services]
            runs: list[str] = []
            for number in range(RUNS):
                for name, client in zip("xy", clients, strict=True):
                    runs.append(client.run(f"Task {name}-{number}."))
                if number in (1, 3):  # in the middle of a step
                    asked.clear()
                    assert asked.wait(60)
                    services[number % 4 // 2].kill()
                    services[number % 4 // 2].start()
                if number in (2, 3):
                    postgres.restart("fast" if number == 2 else "immediate")
            for client in clients:  # a service that was killed begins a scenario when somebody uses it
                client.chat("Something else.")
            until(lambda: set(runs) <= set(read()), "each run to be read", seconds=60)
            for client in clients:
                # Each has served the head once it has made a step on it.
                client.learn("Task x-99.")
                until(lambda client=client: len(client.served().bullets) > 2 * RUNS, "the head to be served")  # type: ignore[misc]
        found = read()
        assert sorted(run for run in found if run in runs) == sorted(runs)
        assert len(found) == len(set(found))
        records = list(book.log.verified())
        folded = fold_records(Playbook(), records)
        assert digest(folded) == records[-1].playbook
        assert book.playbook() == folded
        [(seq, kept)] = postgres.sql("SELECT seq, playbook FROM ace.snapshots")
        assert parse_playbook(kept, "the snapshot") == fold_records(Playbook(), records[:seq])
        ids = [event.id for record in records for event in record.events if isinstance(event, BulletAdded)]
        assert len(ids) == len(set(ids))
        lessons = {f"Lesson of {name}-{number}." for name in "xy" for number in range(RUNS)}
        assert lessons <= {bullet.content for bullet in folded.bullets}
        assert verify(book).agrees
