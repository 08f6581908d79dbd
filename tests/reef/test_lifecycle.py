"""A service that ends and starts again, with scenarios in every state, and deployments of other shapes.

One service is stopped, killed and started with another configuration. What a scenario was doing meanwhile is a test's.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.adapters.loopback import status
from tests.reef.service import Client, Service, configuration, deployed, until
from tests.reef.upstream import Script, curation, reflection

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."
WRONG = "A lesson that is wrong."
RULES = {"id": "rules", "name": "rules", "config": {"text": "# Rules"}}


def kinds(client: Client) -> list[str]:
    """The types of all events in the log, in order."""
    return [event["type"] for line in client.log_lines() for event in line["events"]]


def replayed(client: Client) -> str:
    """What `ace replay` says of the scenario."""
    return client.look("replay").splitlines()[-1]


# --- one service, which ends and starts again -------------------------------------------------------------------------


class Deployment:
    """A service whose models answer each run as it was said when the run was made: Reef brings a batch again when it likes."""

    def __init__(self, service: Service, script: Script) -> None:
        self.service = service
        self._replies: dict[str, tuple[str, str]] = {}
        self._held = ""
        self._came, self._gate = threading.Event(), threading.Event()
        script.reflector = lambda prompt: self._replies[self._task_in(prompt)][0]
        script.curator = self._curate

    def _task_in(self, prompt: str) -> str:
        return next(task for task in self._replies if task in prompt)

    def _curate(self, prompt: str) -> str:
        task = self._task_in(prompt)
        if task == self._held:
            self._came.set()
            assert self._gate.wait(60)
        return self._replies[task][1]

    def learned(self, scenario: str, *lessons: str, release: str | None = None) -> tuple[Client, str]:
        """A new scenario that has learned these, one a step, and the release of the first."""
        client = self.service.client(scenario, release=release)
        releases = [self.learn(client, lesson) for lesson in lessons]
        return client, releases[0] if releases else ""

    def learn(self, client: Client, lesson: str, *tags: tuple[str, str]) -> str:
        """A step with these tags and this lesson; its release."""
        done = len(client.commits())
        self.run(client, lesson, *tags)
        return str(client.step(done + 1)["artifact_ref"]["release_id"])

    def run(self, client: Client, lesson: str, *tags: tuple[str, str]) -> str:
        """A run of which these tags and this lesson are to come; its task."""
        task = f"[{client.scenario}, {len(self._replies)}]"
        self._replies[task] = reflection(*tags), curation(lesson)
        client.run(task)
        return task

    def hold(self, client: Client, lesson: str) -> threading.Event:
        """Let the scenario be in the middle of a step, which goes on once the event is set."""
        self._came.clear()
        self._gate.clear()
        self._held = f"[{client.scenario}, {len(self._replies)}]"
        self.run(client, lesson)
        assert self._came.wait(60)
        return self._gate

    def roll_back(self, client: Client, release: str) -> None:
        """Roll the scenario back."""
        path = f"/reef/scenarios/{client.scenario}/rollback"
        code, answer, _ = self.service.request("POST", path, {"release_id": release})
        assert code == 200, answer


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """The service. Each fixture below leaves it running."""
    folder = tmp_path_factory.mktemp("lifecycle")
    with deployed(folder, configuration({"seed": [RULES]})) as (service, script):
        yield Deployment(service, script)


class Restarted(NamedTuple):
    """Scenarios that saw a stop and a start: one that learned, one that was rolled back, one that was in the middle of a step."""

    straight: Client
    back: Client
    under_way: Client


@pytest.fixture(scope="module")
def restarted(deployment: Deployment) -> Restarted:
    """Reef waits for a step that is under way when it is ended, and does not keep what came of it."""
    service = deployment.service
    straight, _ = deployment.learned("straight", FIRST)
    back, good = deployment.learned("back", FIRST, WRONG)
    deployment.roll_back(back, good)
    under_way, _ = deployment.learned("under-way", FIRST)
    gate = deployment.hold(under_way, SECOND)
    ending = threading.Thread(target=service.stop)
    ending.start()
    try:
        until(lambda: not service.answers(), "the service to end")
    finally:
        gate.set()
        ending.join(60)
    service.start()
    return Restarted(straight, back, under_way)


def test_a_restart_is_no_rollback(deployment: Deployment, restarted: Restarted) -> None:
    """A scenario goes on where it was."""
    client = restarted.straight
    deployment.learn(client, SECOND, ("ace-00001", "helpful"))
    assert client.served().bullets == [
        f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
        f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
    ]
    assert "PlaybookRestored" not in kinds(client)


def test_a_restart_hides_no_rollback(deployment: Deployment, restarted: Restarted) -> None:
    """A scenario that was rolled back before the restart goes on from there."""
    client = restarted.back
    deployment.learn(client, SECOND, ("ace-00001", "helpful"))
    assert client.served().bullets == [
        f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
        f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
    ]
    assert kinds(client).count("PlaybookRestored") == 1


def test_a_service_that_is_ended_during_a_step_learns_from_the_batch_once(restarted: Restarted) -> None:
    """Reef brings the batch again: the log says so."""
    client = restarted.under_way
    client.chat("something else")  # Reef looks at what waits when something comes
    client.step(2)
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
        f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
    ]
    assert kinds(client)[2:] == ["BulletAdded", "RunRead", "PlaybookRestored", "BulletAdded", "RunRead"]
    assert replayed(client) == "4 lines, 2 bullets: chain, snapshot and block are as the log says."


class Killed(NamedTuple):
    """Scenarios that saw the service killed: one while a model was asked, one between the log and Reef's commit."""

    in_call: Client
    in_push: Client


@pytest.fixture(scope="module")
def killed(deployment: Deployment) -> Killed:
    """At the second place the step is in the log, and Reef was about to keep its release."""
    service = deployment.service
    in_call, _ = deployment.learned("in-call", FIRST)
    in_push, _ = deployment.learned("in-push")
    hook, reached = service.folder / "store/artifact-repository/hooks/pre-receive", service.folder / "reached"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\ntouch '{reached}'\nsleep 600\n")  # what Reef pushes waits here
    hook.chmod(0o755)
    deployment.run(in_push, FIRST)
    until(reached.exists, "Reef to keep the release")
    assert kinds(in_push) == ["BulletAdded", "RunRead"]
    gate = deployment.hold(in_call, SECOND)
    service.kill()
    gate.set()
    hook.unlink()
    service.start()
    return Killed(in_call, in_push)


def test_a_service_killed_during_a_step_learns_from_the_batch_once(killed: Killed) -> None:
    """The step that was under way left nothing behind but its record's folder; the batch is brought again."""
    client = killed.in_call
    client.chat("something else")
    client.step(2)
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
        f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
    ]
    assert kinds(client).count("RunRead") == 2
    assert len(client.commits()) == 2
    assert (client.folder / "steps" / "2-2" / "calls.json").exists()


def test_a_service_killed_between_the_log_and_the_commit_learns_from_the_batch_once(killed: Killed) -> None:
    """Reef is right, and the batch comes again."""
    client = killed.in_push
    client.chat("something else")
    client.step(1)
    assert client.served().bullets == [f"[ace-00002] helpful=0 harmful=0 :: {FIRST}"]
    assert kinds(client) == ["BulletAdded", "RunRead", "PlaybookRestored", "BulletAdded", "RunRead"]
    assert len(client.commits()) == 1
    assert replayed(client) == "3 lines, 1 bullet: chain, snapshot and block are as the log says."


def test_a_restart_with_more_of_reefs_own_entries_keeps_what_is_served(deployment: Deployment) -> None:
    """Reef then publishes its entries at once, before any step: after a rollback, and in a scenario begun from another's."""
    service = deployment.service
    client, good = deployment.learned("rolled-back", FIRST, WRONG)
    deployment.roll_back(client, good)
    child, _ = deployment.learned("child", release=good)
    service.stop()
    service.config.write_text(json.dumps(configuration({"seed": [RULES], "requests": True})))
    service.start()
    for scenario, number in ((client, 3), (child, 2)):
        assert scenario.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        deployment.learn(scenario, SECOND)
        assert scenario.served().bullets[1:] == [f"[ace-{number:05d}] helpful=0 harmful=0 :: {SECOND}"]
        assert kinds(scenario).count("PlaybookRestored") == 1


# --- other deployments ------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def _hybrid(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Script]]:
    config = configuration({}, pipeline={"task2batch": {"config": {"batch_size": 2}}})
    config["recipe"]["config"]["training-mode"] = "hybrid"
    with deployed(tmp_path_factory.mktemp("hybrid"), config) as (service, script):
        yield service, script


@pytest.fixture
def hybrid(_hybrid: tuple[Service, Script]) -> tuple[Service, Script]:
    """A service that learns from two runs a step, or from what waits when it is asked to; the script is as at first."""
    _hybrid[1].reset()
    return _hybrid


def test_a_training_request_learns_from_the_traces_that_come_with_it(hybrid: tuple[Service, Script]) -> None:
    """It takes those that wait; its own text reaches no model and no rule."""
    service, script = hybrid
    client = service.client("asked")
    script.curator = curation(FIRST)
    run = client.run("Fix the bug.")  # half a batch, which waits
    body = {"text": "REQUEST-TEXT: always answer in verse", "session": "s", "release_id": "r"}
    code, answer, _ = client.post("/reef/train", body)
    assert code == 200, answer
    assert client.step(1)["metrics"]["training_request"]["text"] == body["text"]
    assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
    assert [e["trace"] for e in client.log_lines()[0]["events"] if e["type"] == "RunRead"] == [run]
    prompts = script.prompts("reflector") + script.prompts("curator")
    assert not any("REQUEST-TEXT" in prompt for prompt in prompts)
    assert "REQUEST-TEXT" not in client.served().rules
    client.post("/reef/train", {**body, "text": "Another one, alone."})  # with no trace at all
    assert client.step(2)["metrics"]["proposal_notes"]["outcome"] == "committed"


def test_a_training_request_while_no_model_answers_loses_no_run(hybrid: tuple[Service, Script]) -> None:
    """Reef ends the request and gives its runs back; the next batch takes them."""
    service, script = hybrid
    client = service.client("unanswered")
    script.reflector, script.curator = status(503, "overloaded"), curation(FIRST)
    first = client.run("Fix the bug.")
    client.post("/reef/train", {"text": "Learn now.", "session": "s", "release_id": "r"})
    metrics = client.step(1)["metrics"]
    assert metrics["skipped"] == "instruction failed"
    assert "overloaded" in metrics["error"]
    script.reflector = reflection()
    second = client.run("Fix another.")
    client.step(2)
    assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
    read = [event["trace"] for event in client.log_lines()[0]["events"] if event["type"] == "RunRead"]
    assert sorted(read) == sorted([first, second])


def test_releases_that_a_person_has_to_promote(tmp_path: Path) -> None:
    """Under `publish: review` what is served waits, the playbook goes on, and a promotion is not a rollback."""
    with deployed(tmp_path, configuration({"publish": "review", "seed": [RULES]})) as (service, script):
        client = Client(service, "one")
        script.curator = curation(FIRST)
        waiting = client.learn()["artifact_ref"]["release_id"]
        assert client.served().bullets == []
        script.curator = curation(SECOND)
        client.learn()
        path = "/reef/scenarios/one/promote"
        code, answer, _ = service.request("POST", path, {"release_id": waiting})
        assert code == 200, answer
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        script.reflector, script.curator = reflection(("ace-00002", "helpful")), curation()
        newest = client.learn()["artifact_ref"]["release_id"]
        service.request("POST", path, {"release_id": newest})
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=1 harmful=0 :: {SECOND}",
        ]
        assert "PlaybookRestored" not in kinds(client)


def test_a_wrong_deployment_ends_with_one_sentence(tmp_path: Path) -> None:
    """What is wrong is in the service's log, without a traceback. (What can be wrong: see the settings' tests.)"""
    entry = {"id": "rules", "name": "rules", "config": {"text": "sk-" + "a" * 20}}
    log = Service(tmp_path, configuration({"seed": [entry]}), "http://127.0.0.1:9").refused()
    assert "evolution.seed: Reef refuses it" in log
    assert "Traceback" not in log
