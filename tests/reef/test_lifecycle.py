"""A service that ends and starts again, and deployments of other shapes: each test has a service of its own."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from tests.reef.service import Client, Service, configuration, until
from tests.reef.upstream import Script, curation, reflection, upstream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."


def kinds(client: Client) -> list[str]:
    """The types of all events in the log, in order."""
    return [event["type"] for line in client.log_lines() for event in line["events"]]


def test_a_restart_in_the_middle_is_no_rollback(tmp_path: Path) -> None:
    """Counts and ids go on, and nothing was restored."""
    script = Script(curator=curation(FIRST))
    with upstream(script) as up, Service(tmp_path, configuration({}), up.base_url) as service:
        client = service.client("one")
        client.learn()
        service.stop()
        service.start()
        script.reflector, script.curator = reflection(("ace-00001", "helpful")), curation(SECOND)
        client.learn()
        assert client.served().bullets == [
            f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
        ]
        assert "PlaybookRestored" not in kinds(client)


def test_a_service_killed_during_a_step_learns_from_the_batch_once(tmp_path: Path) -> None:
    """The step that was under way left nothing behind but its record's folder; the batch is brought again."""
    script = Script(curator=curation(FIRST))
    gate = threading.Event()
    try:
        with upstream(script) as up, Service(tmp_path, configuration({}), up.base_url) as service:
            client = service.client("one")
            client.learn()
            script.curator = lambda _: curation(SECOND) if gate.wait(60) else ""
            client.run("the second run")
            until(lambda: len(script.prompts("curator")) == 2, "the step to be under way")
            service.kill()
            gate.set()
            service.start()
            client.chat("something else")  # Reef looks at what waits when something comes
            client.step(2)
            assert client.served().bullets == [
                f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
                f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
            ]
            assert kinds(client).count("RunRead") == 2
            assert len(client.commits()) == 2
            assert (client.folder / "steps" / "2-2" / "calls.json").exists()
    finally:
        gate.set()


def test_traffic_without_reports(tmp_path: Path) -> None:
    """A call that ends on a tool is in the middle of a run and costs nothing; the one that ends the run is read."""
    stages = {
        "record2record": {"module": "reef.record2record:InferenceRecord2Record"},
        "record2task": {"module": "reef.train.cordis_backend:InferenceTasks"},
        "task2batch": {"config": {"batch_size": 1}},
    }
    script = Script(curator=curation(FIRST))
    with (
        upstream(script) as up,
        Service(tmp_path, configuration({}, pipeline=stages), up.base_url) as service,
    ):
        client = service.client("one")
        client.chat("Fix the bug.")
        client.step(1)
        (prompt,) = script.prompts("reflector")
        assert "Fix the bug." in prompt
        assert "Score:" not in prompt
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]


@pytest.mark.parametrize(
    ("evolution", "told"),
    [
        ({"methd": {}}, "there is no key evolution.methd: did you mean method?"),
        ({"seed": [{"id": "rules", "name": "rules", "config": {"text": "sk-" + "a" * 20}}]}, "Reef refuses it"),
    ],
    ids=["misspelt", "refused seed"],
)
def test_a_wrong_deployment_ends_with_one_sentence(tmp_path: Path, evolution: dict[str, Any], told: str) -> None:
    """What is wrong stands in the service's log, without a traceback."""
    log = Service(tmp_path, configuration(evolution), "http://127.0.0.1:9").refused()
    assert told in log
    assert "Traceback" not in log
