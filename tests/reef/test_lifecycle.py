"""A service that ends and starts again, and deployments of other shapes: each test has a service of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.adapters.loopback import status
from tests.reef.service import Client, Service, configuration, until
from tests.reef.upstream import Script, curation, reflection, tool_stream, upstream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."


def kinds(client: Client) -> list[str]:
    """The types of all events in the log, in order."""
    return [event["type"] for line in client.log_lines() for event in line["events"]]


def replayed(client: Client) -> str:
    """What `ace replay` says of the scenario."""
    return client.look("replay").splitlines()[-1]


def test_a_restart_is_no_rollback_and_hides_none(tmp_path: Path) -> None:
    """One scenario goes on where it was; the other was rolled back before the restart, and goes on from there."""
    script = Script(curator=curation(FIRST))
    with upstream(script) as up, Service(tmp_path, configuration({}), up.base_url) as service:
        straight, back = service.client("straight"), service.client("back")
        straight.learn()
        good = back.learn()["artifact_ref"]["release_id"]
        script.curator = curation("A lesson that is wrong.")
        back.learn()
        service.request("POST", "/reef/scenarios/back/rollback", {"release_id": good})
        service.stop()
        service.start()
        script.reflector, script.curator = reflection(("ace-00001", "helpful")), curation(SECOND)
        straight.learn()
        assert straight.served().bullets == [
            f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
        ]
        assert "PlaybookRestored" not in kinds(straight)
        back.learn()
        assert back.served().bullets == [
            f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
            f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
        ]
        assert kinds(back).count("PlaybookRestored") == 1


def test_a_restart_with_more_of_reefs_own_entries_keeps_what_is_served(tmp_path: Path) -> None:
    """Reef then publishes its entries at once, before any step: after a rollback, and in a scenario begun from another's."""
    script = Script(curator=curation(FIRST))
    seed = {"id": "rules", "name": "rules", "config": {"text": "# Rules"}}
    config = configuration({"seed": [seed]})
    with upstream(script) as up, Service(tmp_path, config, up.base_url) as service:
        client = service.client("one")
        good = client.learn()["artifact_ref"]["release_id"]
        script.curator = curation("A lesson that is wrong.")
        client.learn()
        service.request("POST", "/reef/scenarios/one/rollback", {"release_id": good})
        child = service.client("child", release=good)
        service.stop()
        service.config.write_text(json.dumps(configuration({"seed": [seed], "requests": True})))
        service.start()
        script.curator = curation(SECOND)
        for scenario, number in ((client, 3), (child, 2)):
            assert scenario.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
            scenario.learn()
            assert scenario.served().bullets[1:] == [f"[ace-{number:05d}] helpful=0 harmful=0 :: {SECOND}"]
            assert kinds(scenario).count("PlaybookRestored") == 1


@contextmanager
def second_step_under_way(folder: Path) -> Iterator[tuple[Service, Client, threading.Event]]:
    """A service whose scenario did one step and is in the middle of the next, which goes on once the event is set."""
    script = Script(curator=curation(FIRST))
    gate = threading.Event()
    try:
        with upstream(script) as up, Service(folder, configuration({}), up.base_url) as service:
            client = service.client("one")
            client.learn()
            script.curator = lambda _: curation(SECOND) if gate.wait(60) else ""
            client.run("the second run")
            until(lambda: len(script.prompts("curator")) == 2, "the step to be under way")
            yield service, client, gate
    finally:
        gate.set()


def test_a_service_killed_during_a_step_learns_from_the_batch_once(tmp_path: Path) -> None:
    """The step that was under way left nothing behind but its record's folder; the batch is brought again."""
    with second_step_under_way(tmp_path) as (service, client, gate):
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


def test_a_service_that_is_ended_during_a_step_learns_from_the_batch_once(tmp_path: Path) -> None:
    """Reef waits for the step, does not keep what came of it, and brings the batch again: the log says so."""
    with second_step_under_way(tmp_path) as (service, client, gate):
        ending = threading.Thread(target=service.stop)
        ending.start()
        try:
            until(lambda: not service.answers(), "the service to end")
        finally:
            gate.set()
            ending.join(60)
        service.start()
        client.chat("something else")
        client.step(2)
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
        ]
        assert kinds(client)[2:] == ["BulletAdded", "RunRead", "PlaybookRestored", "BulletAdded", "RunRead"]
        assert replayed(client) == "4 lines, 2 bullets: chain, snapshot and block are as the log says."


def test_a_service_killed_between_the_log_and_the_commit_learns_from_the_batch_once(tmp_path: Path) -> None:
    """The step is in the log, and Reef was about to keep its release: Reef is right, and the batch comes again."""
    script = Script(curator=curation(FIRST))
    with upstream(script) as up, Service(tmp_path, configuration({}), up.base_url) as service:
        client = service.client("one")
        hook, reached = tmp_path / "store/artifact-repository/hooks/pre-receive", tmp_path / "reached"
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\ntouch '{reached}'\nsleep 600\n")  # what Reef pushes waits here
        hook.chmod(0o755)
        client.run()
        until(reached.exists, "Reef to keep the release")
        assert kinds(client) == ["BulletAdded", "RunRead"]
        service.kill()
        hook.unlink()
        service.start()
        client.chat("something else")
        client.step(1)
        assert client.served().bullets == [f"[ace-00002] helpful=0 harmful=0 :: {FIRST}"]
        assert kinds(client) == ["BulletAdded", "RunRead", "PlaybookRestored", "BulletAdded", "RunRead"]
        assert len(client.commits()) == 1
        assert replayed(client) == "3 lines, 1 bullet: chain, snapshot and block are as the log says."


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
        script.agent = tool_stream("bash", {"command": "ls"})
        asked = [{"role": "user", "content": "Fix the bug."}]
        client.said(asked, stream=True)
        assert "middle of a run" in client.step(1)["metrics"]["proposal_notes"]["summary"]
        script.agent = "It is fixed."
        call = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
        client.said([*asked, said, {"role": "tool", "tool_call_id": "call_1", "content": "a.txt"}])
        client.step(2)
        (prompt,) = [prompt for prompt in script.prompts("reflector") if "Fix the bug." in prompt]
        assert "Score:" not in prompt
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]


def test_a_training_request_learns_from_the_traces_that_come_with_it(tmp_path: Path) -> None:
    """In hybrid mode it takes those that wait; its own text reaches no model and no rule."""
    script = Script(curator=curation(FIRST))
    config = configuration({}, pipeline={"task2batch": {"config": {"batch_size": 2}}})
    config["recipe"]["config"]["training-mode"] = "hybrid"
    with upstream(script) as up, Service(tmp_path, config, up.base_url) as service:
        client = service.client("one")
        run = client.run("Fix the bug.")  # half a batch, which waits
        body = {"text": "REQUEST-TEXT: always answer in verse", "session": "s", "release_id": "r"}
        code, answer, _ = client.post("/reef/train", body)
        assert code == 200, answer
        assert client.step(1)["metrics"]["training_request"]["text"] == body["text"]
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert [e["trace"] for e in client.log_lines()[0]["events"] if e["type"] == "RunRead"] == [run]
        assert not any(
            "REQUEST-TEXT" in prompt for prompt in script.prompts("reflector") + script.prompts("curator")
        )
        assert "REQUEST-TEXT" not in client.served().rules
        client.post("/reef/train", {**body, "text": "Another one, alone."})  # with no trace at all
        assert client.step(2)["metrics"]["proposal_notes"]["outcome"] == "committed"


def test_a_training_request_while_no_model_answers_loses_no_run(tmp_path: Path) -> None:
    """Reef ends the request and gives its runs back; the next batch takes them."""
    script = Script(reflector=status(503, "overloaded"), curator=curation(FIRST))
    config = configuration({}, pipeline={"task2batch": {"config": {"batch_size": 2}}})
    config["recipe"]["config"]["training-mode"] = "hybrid"
    with upstream(script) as up, Service(tmp_path, config, up.base_url) as service:
        client = service.client("one")
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
    """Under `publish: review` what is served waits, the playbook goes on, and a promotion is no rollback."""
    script = Script(curator=curation(FIRST))
    seed = {"id": "rules", "name": "rules", "config": {"text": "# Rules"}}
    config = configuration({"publish": "review", "seed": [seed]})
    with upstream(script) as up, Service(tmp_path, config, up.base_url) as service:
        client = service.client("one")
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


def test_a_service_with_a_token_learns(tmp_path: Path) -> None:
    """Without the token nobody gets in; the method's own calls, which go through the service, have it."""
    script = Script(curator=curation(FIRST))
    config = configuration({})
    config["reef"]["token"] = "not-a-secret"  # noqa: S105 - it is one of a test
    with upstream(script) as up, Service(tmp_path, config, up.base_url) as service:
        assert service.request("GET", "/reef/scenarios")[0] == 401
        service.headers["authorization"] = "Bearer not-a-secret"
        client = service.client("one")
        client.learn()
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]


def test_a_wrong_deployment_ends_with_one_sentence(tmp_path: Path) -> None:
    """What is wrong stands in the service's log, without a traceback. (What can be wrong: see the settings' tests.)"""
    entry = {"id": "rules", "name": "rules", "config": {"text": "sk-" + "a" * 20}}
    log = Service(tmp_path, configuration({"seed": [entry]}), "http://127.0.0.1:9").refused()
    assert "evolution.seed: Reef refuses it" in log
    assert "Traceback" not in log
