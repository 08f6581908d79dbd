"""Steps of the method inside a real `reef serve`, seen from outside: chat, report, commit, harness, files."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.adapters.loopback import Drop, Raw, status
from tests.reef.service import BEGIN, END, Client, Service, configuration, deployed, until
from tests.reef.upstream import Script, curation, reflection, stream, tool_stream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

SEED = "# House rules\r\n\r\n- Say what you did.\r\n"
FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."
OPERATOR = "the-operators-own-secret"


@pytest.fixture(scope="module")
def _deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, Script]]:
    folder = tmp_path_factory.mktemp("shared")
    (folder / "seed").mkdir()
    (folder / "seed" / "rules.md").write_bytes(SEED.encode())
    with deployed(
        folder, configuration({"seed": "seed"}), environ={"ACE_OPERATOR_TOKEN": OPERATOR}
    ) as deployment:
        yield deployment


@pytest.fixture
def shared(_deployment: tuple[Service, Script]) -> Service:
    """A service that publishes without an evaluation. All tests share it, each with scenarios of its own."""
    return _deployment[0]


@pytest.fixture
def script(_deployment: tuple[Service, Script]) -> Script:
    """The script of its upstream, as it is at first."""
    _deployment[1].reset()
    return _deployment[1]


def notes(commit: dict[str, object]) -> dict[str, object]:
    """What the method told Reef about the step."""
    metrics = commit["metrics"]
    assert isinstance(metrics, dict)
    found = metrics["proposal_notes"]
    assert isinstance(found, dict)
    return found


def run_ids(client: Client) -> list[str]:
    """The runs that the log has read, in order."""
    return [e["trace"] for line in client.log_lines() for e in line["events"] if e["type"] == "RunRead"]


class TestFirstSteps:
    """From nothing to a playbook that the agent reads."""

    def test_a_report_becomes_a_bullet_in_the_agents_rules(self, shared: Service, script: Script) -> None:
        """The block comes behind the seed, which is kept to the byte; the step is recorded whole."""
        client = shared.client("first-step")
        script.curator = curation(FIRST)
        commit = client.learn("Fix the bug.", feedback={"tests": "1 failed, then 0"})
        served = client.served()
        assert served["release_id"] == commit["artifact_ref"]["release_id"]
        # Published without running a task.
        metrics = commit["metrics"]
        assert (metrics["published"], metrics["evaluation_sides"]) == (True, [])
        assert not (client.folder / "steps" / "1" / "episodes").exists()
        assert served.rules.startswith(SEED)
        assert served.bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        record = client.folder / "steps" / "1"
        calls = json.loads((record / "calls.json").read_bytes())
        assert [call["prompt"] for call in calls] == script.prompts("reflector") + script.prompts("curator")
        # Reef joins the texts of all rules with line breaks of its own at the end.
        assert (record / "harness" / "rules.md").read_bytes().decode().rstrip() == served.rules.rstrip()
        assert json.loads((record / "state" / "playbook.json").read_bytes())["next_number"] == 2
        summary = (record / "output" / "summary.md").read_text()
        assert FIRST in summary
        assert notes(commit)["summary"] == summary
        assert (record / "output" / "notes.jsonl").read_text().count("\n") == len(notes(commit)["notes"])  # type: ignore[arg-type]

    def test_the_reflector_sees_task_reply_score_and_feedback_and_no_rules(
        self, shared: Service, script: Script
    ) -> None:
        """An object as feedback is shown as JSON."""
        client = shared.client("what-is-seen")
        record = client.said(
            [{"role": "system", "content": "SYSTEM-TEXT"}, {"role": "user", "content": "TASK-TEXT"}]
        )
        client.report(record, score=0.25, feedback={"why": "too slow"})
        client.step(1)
        (prompt,) = script.prompts("reflector")
        assert "TASK-TEXT" in prompt
        assert "Done." in prompt
        assert "Score: 0.25" in prompt
        assert re.search(r'Feedback on the run:\n<feedback-\w+>\n{"why":"too slow"}\n', prompt)
        assert "SYSTEM-TEXT" not in prompt

    def test_a_second_step_counts_what_helped(self, shared: Service, script: Script) -> None:
        """The counts change in place and the new bullet takes the next id."""
        client = shared.client("counts")
        script.curator = curation(FIRST)
        client.learn()
        script.reflector, script.curator = reflection(("ace-00001", "helpful")), curation(SECOND)
        client.learn()
        assert client.served().bullets == [
            f"[ace-00001] helpful=1 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
        ]
        assert [line["seq"] for line in client.log_lines()] == [1, 2]
        assert (client.folder / "steps" / "2").is_dir()

    def test_nothing_changed_publishes_nothing(self, shared: Service, script: Script) -> None:
        """A step without a lesson is committed without a release."""
        client = shared.client("nothing-new")
        script.curator = curation(FIRST)
        client.learn()
        before = client.served()["release_id"]
        commit = client.learn()  # the same lesson again
        assert client.served()["release_id"] == before
        assert commit["artifact_ref"]["release_id"] == before
        assert "duplicates 1" in str(notes(commit)["summary"])


class TestFailures:
    """Nothing blocks a scenario for good."""

    @pytest.mark.parametrize(
        ("role", "told"), [("reflector", "unusable reply"), ("curator", "the Curator's unusable reply")]
    )
    def test_a_reply_that_is_no_json_is_named(
        self, shared: Service, script: Script, role: str, told: str
    ) -> None:
        """The step is committed, changes nothing, and the next one learns."""
        client = shared.client(f"bad-json-of-the-{role}")
        setattr(script, role, "I would rather not say.")
        assert told in str(notes(client.learn())["summary"])
        script.reflector, script.curator = reflection(), curation(FIRST)
        client.learn()
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]

    def test_a_dead_upstream_is_tried_again_three_times_and_then_its_run_waits(
        self, shared: Service, script: Script
    ) -> None:
        """Reef brings the batch again at each new record; the last failure is committed and names the run. The next step that
        can reads it.
        """
        client = shared.client("dead-upstream")
        script.reflector = status(503, "overloaded")
        run = client.run("Fix the bug.")
        for attempt in range(1, 4):
            self._asked(script, attempt)
            assert client.commits() == []
            client.chat("something else")
        told = notes(client.step(1))
        assert told["outcome"] == "failed"
        assert told["waiting"] == [run]
        assert "503" in str(told["reason"])
        assert len(script.prompts("reflector")) == 4
        assert run in (client.folder / "steps" / "1-4" / "output" / "summary.md").read_text()
        script.reflector, script.curator = reflection(), curation(FIRST)
        other = client.learn()["metrics"]
        assert len(client.served().bullets) == 1
        assert run_ids(client)[-1] == run
        assert other["traces"] == 2

    def test_a_night_of_errors_loses_no_run(self, shared: Service, script: Script) -> None:
        """Forty reports while every call fails: each run is read in the morning, once, and none of them before."""
        client = shared.client("night")
        script.reflector = status(500, "down")
        runs = [client.run(f"Task {number}.") for number in range(40)]

        def waits() -> bool:
            client.chat("something else")  # a failed step is tried again at the next record
            return any("waiting" in notes(commit) for commit in client.commits())

        until(waits, "the first runs to wait")
        assert run_ids(client) == []
        script.reflector = reflection()
        runs.append(client.run("In the morning."))
        until(lambda: len(run_ids(client)) >= len(runs), "every run to be read", 120)
        assert sorted(run_ids(client)) == sorted(runs)

    @staticmethod
    def _asked(script: Script, times: int) -> None:
        until(lambda: len(script.prompts("reflector")) >= times, f"call {times} of the Reflector")

    def test_an_upstream_that_comes_back_loses_nothing(self, shared: Service, script: Script) -> None:
        """The batch of the failed step is learned from at the next record."""
        client = shared.client("upstream-comes-back")
        script.reflector = Drop()
        client.run("Fix the bug.")
        until(lambda: script.prompts("reflector"), "the first attempt")
        script.reflector, script.curator = reflection(), curation(FIRST)
        client.chat("something else")
        client.step(1)
        assert len(client.served().bullets) == 1
        assert len(client.log_lines()) == 1

    def test_an_endpoint_that_refuses_every_call_is_asked_once_a_try(
        self, shared: Service, script: Script
    ) -> None:
        """A person may fix the key or the model's name meanwhile; after three tries more the runs wait."""
        client = shared.client("misnamed")
        script.reflector = status(404, "no such model")
        runs = [client.run("Fix the bug.")]
        for attempt in range(1, 4):
            self._asked(script, attempt)
            assert client.commits() == []
            client.chat("something else")
        told = notes(client.step(1))
        assert (told["outcome"], told["waiting"]) == ("failed", runs)
        assert "no such model" in str(told["reason"])
        assert len(script.prompts("reflector")) == 4

    def test_a_rate_limit_is_waited_out(self, shared: Service, script: Script) -> None:
        """The call is made again in the same step."""
        client = shared.client("rate-limit")
        limited = status(429, "slow down")
        script.reflector = lambda _: limited if len(script.prompts("reflector")) < 3 else reflection()
        client.learn()
        assert len(script.prompts("reflector")) == 3
        assert len(run_ids(client)) == 1

    def test_a_score_that_is_reported_again_counts_unless_the_run_was_read(
        self, shared: Service, script: Script
    ) -> None:
        """The last one; on a run that was read it comes too late, and the next step says so."""
        client = shared.client("corrected")
        script.reflector = status(503, "overloaded")
        run = client.run("Fix the bug.", score=0.0)
        until(lambda: script.prompts("reflector"), "the first try")
        client.report(run, score=1.0, feedback="CORRECTED")
        script.reflector = reflection()
        client.chat("something else")
        assert notes(client.step(1))["corrected"] == [run]
        (read,) = [e for e in client.log_lines()[0]["events"] if e["type"] == "RunRead"]
        assert (read["trace"], read["score"]) == (run, 1.0)
        assert "CORRECTED" in script.prompts("reflector")[-1]
        client.report(run, score=0.5)
        assert notes(client.learn())["too late"] == [run]
        assert "too late" not in notes(client.learn())
        assert run_ids(client).count(run) == 1

    @pytest.mark.usefixtures("script")
    def test_a_person_can_let_a_run_be_read_again(self, shared: Service) -> None:
        """By its id or the beginning of it, from Reef's records, with the score that was reported last."""
        client = shared.client("again")
        client.learn()
        (run,) = run_ids(client)
        client.report(run, score=0.0)
        assert "will be read by the next step" in client.look("relearn", run[:12])
        assert f"the oldest, {run}" in client.look("status")
        other = client.learn()["metrics"]
        assert (other["traces"], run_ids(client)[2]) == (2, run)
        scores = [e["score"] for e in client.log_lines()[-1]["events"] if e["type"] == "RunRead"]
        assert scores == [1.0, 0.0]

    def test_a_step_that_is_under_way_is_seen(self, shared: Service, script: Script) -> None:
        """Since when, and what it is about; when it is over, that none is. ACE's numbers are in Reef's commit."""
        client = shared.client("seen")
        client.learn()
        gate = threading.Event()
        script.curator = lambda _: curation(FIRST) if gate.wait(30) else "the test gave up"
        client.run()
        until(lambda: script.prompts("curator")[1:], "the step to be under way")
        status = client.look("status")
        gate.set()
        assert re.search(r"number 2 is under way since 20\S+Z, with 1 run: asking the models", status)
        metrics = client.step(2)["metrics"]
        assert "none is under way" in client.look("status")
        assert {
            name: metrics[f"ace/{name}"] for name in ("read", "added", "bullets", "calls", "waiting")
        } == {
            "read": 1,
            "added": 1,
            "bullets": 1,
            "calls": 2,
            "waiting": 0,
        }

    @pytest.mark.usefixtures("script")
    def test_a_second_service_on_the_same_work_folder_is_refused(
        self, shared: Service, tmp_path: Path
    ) -> None:
        """It ends with one sentence; the first goes on."""
        config = configuration({"work_dir": str(shared.folder / "work")})
        log = Service(tmp_path, config, "http://127.0.0.1:9").refused()
        assert re.search(r"evolution\.work_dir: \S+/work is in use by process \d+", log)
        assert "Traceback" not in log
        shared.client("still-there").learn()

    def test_a_damaged_log_is_set_aside(self, shared: Service, script: Script) -> None:
        """Also where its end is sound: the step goes on with what Reef keeps, and says so."""
        client = shared.client("damaged-log")
        script.curator = curation(FIRST)
        client.learn()
        script.curator = curation(SECOND)
        client.learn()
        client.learn()
        log = client.folder / "history" / "events.jsonl"
        log.write_bytes(log.read_bytes().replace(b"committed", b"commixxed", 1))
        script.curator = curation("A third lesson.")
        told = notes(client.learn())
        assert "set aside as events.damaged-1.jsonl" in str(told["summary"])
        assert [bullet[:11] for bullet in client.served().bullets] == [
            "[ace-00001]",
            "[ace-00002]",
            "[ace-00003]",
        ]
        assert len(client.log_lines()) == 2
        assert "2 lines, 3 bullets: chain, snapshot and block are as the log says" in client.look("replay")

    def test_a_full_disk_loses_no_run(self, shared: Service, script: Script) -> None:
        """It fills while a model is asked: neither the step nor Reef can write any more, until there is room."""
        client = shared.client("disk-full")
        gate = threading.Event()
        script.curator = lambda _: curation(FIRST) if gate.wait(30) else "the test gave up"
        run = client.run()
        until(lambda: script.prompts("curator"), "the step to be under way")
        with shared.full_disk():
            gate.set()
            until(
                lambda: "disk-full" in str(shared.request("GET", "/reef/status")[1]["error"]),
                "the step to fail",
            )
            assert client.log_lines() == []
        client.chat("something else")
        client.step(1)
        assert run_ids(client) == [run]
        assert len(client.served().bullets) == 1

    def test_a_commit_that_fails_loses_nothing(self, shared: Service, script: Script) -> None:
        """The step is in the log and Reef did not keep it: Reef is right, the log says so, and the batch comes again."""
        client = shared.client("failed-commit")
        hook, gate = shared.folder / "store/artifact-repository/hooks/pre-receive", threading.Event()
        script.curator = lambda _: curation(FIRST) if gate.wait(30) else "the test gave up"
        client.run()
        until(lambda: script.prompts("curator"), "the step to be under way")
        hook.parent.mkdir(exist_ok=True)
        hook.write_text("#!/bin/sh\nexit 1\n")  # git refuses every push from here on
        hook.chmod(0o755)
        try:
            gate.set()
            until(
                lambda: client.scenario in str(shared.request("GET", "/reef/status")[1]["error"]),
                "the commit to fail",
            )
            assert client.commits() == []
        finally:
            hook.unlink()
        client.chat("something else")
        client.step(1)
        kinds = [event["type"] for line in client.log_lines() for event in line["events"]]
        # Reef may have tried more than once before the hook was gone; each try uses up an id, and says so.
        again = kinds.count("PlaybookRestored")
        assert again >= 1
        assert kinds == ["BulletAdded", "RunRead", *["PlaybookRestored", "BulletAdded", "RunRead"] * again]
        assert client.served().bullets == [f"[ace-{again + 1:05d}] helpful=0 harmful=0 :: {FIRST}"]

    def test_a_report_that_names_no_call_is_passed_over(self, shared: Service, script: Script) -> None:
        """Reef takes it, and by itself could do no further step of the scenario."""
        client = shared.client("empty-report")
        script.curator = curation(FIRST)
        client.report()
        client.learn()
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]

    @pytest.mark.parametrize("function", [None, {"name": "f", "arguments": '{"n": ' + "7" * 5000 + "}"}])
    def test_a_call_that_reef_cannot_take_apart_stops_nothing(
        self, shared: Service, script: Script, function: object
    ) -> None:
        """Nor does it in what comes after it: by itself, Reef could do no further step of the scenario."""
        client = shared.client(f"odd-call-{type(function).__name__}")
        said = {"role": "assistant", "content": None, "tool_calls": [{"id": "c", "function": function}]}
        result = {"role": "tool", "tool_call_id": "c", "content": "seen"}
        client.report(client.said([{"role": "user", "content": "ODD"}, said, result]))
        assert notes(client.step(1))["outcome"] == "committed"
        assert any("77777" in prompt for prompt in script.prompts("reflector")) == (function is not None)
        script.curator = curation(FIRST)
        client.learn()
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]

    def test_a_lesson_that_reef_refuses_costs_itself_alone(self, shared: Service, script: Script) -> None:
        """Reef takes `sk-` and what follows for a key, also within a word; the summary says so, and the others are served."""
        client = shared.client("refused")
        script.curator = curation("Prefer a disk-based-cache-of-results.", FIRST)
        commit = client.learn()
        assert notes(commit)["outcome"] == "committed"
        assert "the host's screen" in str(notes(commit)["summary"])
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert [line["outcome"] for line in client.log_lines()] == ["committed"]


class TestModels:
    """Which model the method asks."""

    def test_a_scenario_with_a_model_of_its_own_is_asked_there(self, shared: Service, script: Script) -> None:
        """Reef lets a person give one scenario another model, also between two steps."""
        client = shared.client("own-model")
        client.learn()
        url = shared.upstream.removesuffix("/v1")
        path = f"/reef/scenarios/{client.scenario}/update"
        status, answer, _ = shared.request("POST", path, {"model": {"url": url, "model": "another"}})
        assert status == 200, answer
        script.curator = curation(FIRST)
        client.learn()
        assert [body["model"] for role, body in script.asked if role != "agent"] == ["scripted"] * 2 + [
            "another"
        ] * 2
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]


class TestClients:
    """What clients send, as the Reflector sees it."""

    def test_a_streamed_session_with_tools_is_one_run_without_double_steps(
        self, shared: Service, script: Script
    ) -> None:
        """As pi works: every reply streamed, the tool's call sent back in other words, one report for all calls."""
        client = shared.client("streamed")
        script.agent = tool_stream("bash", {"command": "pytest -q"})
        asked = [{"role": "system", "content": "RULES"}, {"role": "user", "content": "TASK-TEXT"}]
        first = client.said(asked, stream=True)
        call = {
            "id": "call_1",
            "type": "function",
            "function": {"name": "bash", "arguments": '{"command":"pytest -q"}'},
        }
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
        result = {"role": "tool", "tool_call_id": "call_1", "content": "1 failed"}
        script.agent = stream("All is well.")
        second = client.said([*asked, said, result], stream=True)
        client.report(first, second)
        client.step(1)
        (prompt,) = script.prompts("reflector")
        for text in ("TASK-TEXT", "[assistant calls bash]", "[result of bash]", "1 failed", "All is well."):
            assert prompt.count(text) == 1, text
        assert "RULES" not in prompt

    def test_a_report_on_the_second_turn_is_about_the_second_question(
        self, shared: Service, script: Script
    ) -> None:
        """The first is background, the title that the client asked for does not belong to it, and the release tells which lessons were in
        force.
        """
        client = shared.client("second-turn")
        script.curator = curation(FIRST)
        client.learn()
        earlier = [{"role": "user", "content": "QUESTION-1"}, {"role": "assistant", "content": "ANSWER-1"}]
        run = client.said([*earlier, {"role": "user", "content": "QUESTION-2"}])
        script.agent = "TITLE-1"
        title = client.said([{"role": "user", "content": "Write a title for this conversation: QUESTION-2"}])
        client.report(run, title)
        client.step(2)
        (read,) = [e for e in client.log_lines()[-1]["events"] if e["type"] == "RunRead"]
        assert (read["task"], read["had"]) == ("QUESTION-2", client.log_lines()[0]["block"])
        prompt = script.prompts("reflector")[-1]
        assert "TITLE-1" not in prompt
        assert prompt.index("QUESTION-1") < prompt.index("ANSWER-1") < prompt.rindex("QUESTION-2")

    def test_what_the_user_said_next_is_told_where_it_is_recorded(
        self, shared: Service, script: Script
    ) -> None:
        """A report on the first turn comes when the second is there already, with calls of another conversation in between."""
        client = shared.client("said-next")
        first = [{"role": "user", "content": "QUESTION-1"}]
        run = client.said(first)
        client.chat("ANOTHER-CONVERSATION")
        client.said(
            [*first, {"role": "assistant", "content": "Done."}, {"role": "user", "content": "NO-UNDO-IT"}]
        )
        client.report(run, score=0.0)
        client.step(1)
        (prompt,) = script.prompts("reflector")
        assert re.search(r"What the user said next.*:\n<next-\w+>\nNO-UNDO-IT\n</next-", prompt)
        assert "ANOTHER-CONVERSATION" not in prompt

    def test_a_broken_stream_is_told(self, shared: Service, script: Script) -> None:
        """What came through is shown, and that it broke off."""
        client = shared.client("broken-stream")
        whole = stream("Half of a reply, and more.").body
        last = whole.rindex(b"data: {")  # the event that says the reply is at its end
        script.agent = Raw(whole[:last], content_type="text/event-stream")
        body = {"model": "scripted", "messages": [{"role": "user", "content": "Do it."}], "stream": True}
        client.post("/v1/chat/completions", body)
        record = until(lambda: self._records(client), "the record of the broken call")[0]
        client.report(record, score=0.0)
        client.step(1)
        (prompt,) = script.prompts("reflector")
        assert "Half of a reply, and more." in prompt
        assert re.search(r"<failure-\w+>\nThe reply broke off", prompt)

    def test_an_anthropic_client(self, shared: Service, script: Script) -> None:
        """Blocks of content, tools among them, and a system text beside the messages."""
        client = shared.client("anthropic")
        reply = {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "scripted",
            "content": [{"type": "text", "text": "It is done."}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }
        script.agent = Raw(json.dumps(reply).encode())
        messages = [
            {"role": "user", "content": [{"type": "text", "text": "TASK-TEXT"}]},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"at": "it"}}],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t1", "content": "SEEN"}]},
        ]
        body = {"model": "scripted", "max_tokens": 9, "system": "RULES", "messages": messages}
        code, answer, headers = client.post("/v1/messages", body)
        assert code == 200, answer
        client.report(str(headers["x-reef-agent-record-id"]))
        client.step(1)
        (prompt,) = script.prompts("reflector")
        for text in ("TASK-TEXT", "[assistant calls look]", "[result of look]", "SEEN", "It is done."):
            assert prompt.count(text) == 1, text
        assert "RULES" not in prompt

    @staticmethod
    def _records(client: Client) -> list[str]:
        _, answer, _ = client.service.request("GET", f"/reef/scenarios/{client.scenario}/records")
        return [record["agent_record_id"] for record in answer["records"]]


class TestReleases:
    """Which playbook a step goes on from."""

    def test_after_a_rollback_the_next_step_goes_on_from_what_is_served(
        self, shared: Service, script: Script
    ) -> None:
        """The rolled-back bullet is not published again, and its id is not used again."""
        client = shared.client("rollback")
        script.curator = curation(FIRST)
        good = client.learn()["artifact_ref"]["release_id"]
        script.curator = curation("A lesson that is wrong.")
        client.learn()
        assert len(client.served().bullets) == 2
        path = f"/reef/scenarios/{client.scenario}/rollback"
        assert shared.request("POST", path, {"release_id": good})[0] == 200
        assert len(client.served().bullets) == 1
        script.curator = curation(SECOND)
        client.learn()
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
        ]
        (restored,) = [
            e for line in client.log_lines() for e in line["events"] if e["type"] == "PlaybookRestored"
        ]
        assert restored["reason"] == f"rolled back to release {good[:12]}"
        # It counts once: the step after it goes on from the step before it.
        script.reflector, script.curator = reflection(("ace-00003", "helpful")), curation()
        client.learn()
        assert client.served().bullets[1] == f"[ace-00003] helpful=1 harmful=0 :: {SECOND}"

    def test_promoting_an_older_release_is_a_rollback(self, shared: Service, script: Script) -> None:
        """Reef promotes any release, also one that never waited."""
        client = shared.client("promoted")
        script.curator = curation(FIRST)
        good = client.learn()["artifact_ref"]["release_id"]
        script.curator = curation("A lesson that is wrong.")
        client.learn()
        path = f"/reef/scenarios/{client.scenario}/promote"
        assert shared.request("POST", path, {"release_id": good})[0] == 200
        script.curator = curation(SECOND)
        client.learn()
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00003] helpful=0 harmful=0 :: {SECOND}",
        ]

    def test_a_rollback_to_the_beginning_begins_with_the_seed(self, shared: Service, script: Script) -> None:
        """No bullet is left, and ids go on counting."""
        client = shared.client("rollback-to-seed")
        client.chat()
        seed = client.served()["release_id"]
        script.curator = curation(FIRST)
        client.learn()
        shared.request("POST", f"/reef/scenarios/{client.scenario}/rollback", {"release_id": seed})
        script.curator = curation(SECOND)
        client.learn()
        assert client.served().bullets == [f"[ace-00002] helpful=0 harmful=0 :: {SECOND}"]
        assert client.served().rules.startswith(SEED)

    def test_a_scenario_begun_from_anothers_release_goes_on_with_its_playbook(
        self, shared: Service, script: Script
    ) -> None:
        """Tree, bullets and ids are carried over, and the new scenario's log says from where."""
        parent = shared.client("parent")
        script.curator = curation(FIRST)
        release = parent.learn()["artifact_ref"]["release_id"]
        child = shared.client("child", release=release)
        script.curator = curation(SECOND)
        child.learn()
        assert child.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {SECOND}",
        ]
        first = child.log_lines()[0]["events"][0]
        assert first["reason"] == f"begun from release {release[:12]} of scenario parent"
        assert len(parent.served().bullets) == 1

    def test_a_deleted_scenario_leaves_nothing_to_its_namesake(self, shared: Service, script: Script) -> None:
        """Reef archives the method's folder with its own, so that the next one of the name starts from nothing."""
        script.curator = curation(FIRST)
        client = shared.client("twice")
        client.learn()
        assert shared.request("DELETE", "/reef/scenarios/twice")[0] == 200
        assert not client.folder.exists()
        again = shared.client("twice")
        again.learn()
        assert again.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert len(again.log_lines()) == 1

    def test_two_scenarios_at_once_do_not_meet(self, shared: Service, script: Script) -> None:
        """Each has its folder, its log and its ids. Each step waits for one of the other to be under way."""
        left, right = shared.client("left"), shared.client("right")
        both = threading.Barrier(2, timeout=30)

        def curator(prompt: str) -> str:
            both.wait()
            return curation(FIRST if "LEFT" in prompt else SECOND)

        script.curator = curator
        for _ in range(3):
            left.run("LEFT task")
            right.run("RIGHT task")
        left.step(3)
        right.step(3)
        assert left.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert right.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {SECOND}"]
        assert len(left.log_lines()) == len(right.log_lines()) == 3

    def test_a_block_that_a_person_edited_is_replaced(self, shared: Service, script: Script) -> None:
        """A proposal of theirs changes the entry; the text around the block is kept, the block is the playbook's."""
        client = shared.client("edited")
        script.curator = curation(FIRST)
        client.learn()
        edited = client.served().rules.rstrip("\n").replace(FIRST, "Edited by hand.") + "\n- My own line.\n"
        change = {"op": "update", "id": "rules", "options": {"config": {"text": edited}}}
        body = {
            "mutations": [change],
            "session": "s",
            "release_id": client.served()["release_id"],
            "reason": "why",
        }
        code, answer, _ = client.post("/reef/harness/proposals", body)
        assert code == 200, answer
        client.learn()  # this step takes the proposal
        assert "Edited by hand." in client.served().rules
        script.curator = curation()
        told = str(notes(client.learn())["summary"])
        assert "Edited by hand." in told[told.index("## Put back") :]
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert "- My own line." in client.served().rules


class TestOrders:
    """What an operator decides about single lessons, by the command."""

    def test_a_lesson_is_reworded_and_removed_by_one_command(self, shared: Service, script: Script) -> None:
        """At once, without a run and without a model; the decision is not undone by the next step."""
        client = shared.client("ordered")
        script.curator = curation(FIRST, SECOND)
        client.learn()
        asked = len(script.asked)
        told = client.order("reword", "1", "Read the test first.", "--reason", "shorter")
        assert "Done, in step 2: release" in told
        told = client.order("remove", "2", "--reason", "not so")
        assert f"- [ace-00002] {SECOND}" in told
        client.order("add", "Say what you did, in one line.", "--section", "others")
        assert len(script.asked) == asked
        now = [
            "[ace-00001] helpful=0 harmful=0 :: Read the test first.",
            "[ace-00003] helpful=0 harmful=0 :: Say what you did, in one line.",
        ]
        assert client.served().bullets == now
        client.learn()  # the Curator brings both texts again
        assert client.served().bullets == now
        assert "snapshot and block are as the log says" in client.look("replay")
        assert "removed by a person (not so)" in client.look("log")

    def test_without_the_secret_nothing_is_done(self, shared: Service, script: Script) -> None:
        """Whoever reaches the service can propose, agents included; an unknown lesson is reported at once."""
        client = shared.client("not-ordered")
        script.curator = curation(FIRST)
        client.learn()
        told = client.order("remove", "1", "--reason", "x", by="another-secret-of-somebody", status=2)
        assert "sealed with another ACE_OPERATOR_TOKEN" in told
        assert "is not set" in client.order("remove", "1", "--reason", "x", by="", status=2)
        assert "no bullet ace-00007" in client.order("remove", "7", "--reason", "x", status=2)
        assert "no scenario" in Client(shared, "nobody").order("remove", "1", "--reason", "x", status=2)
        assert len(client.commits()) == 1
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]


def test_the_block_is_one(shared: Service, script: Script) -> None:
    """Marker lines are there once, whatever a model writes."""
    client = shared.client("one-block")
    script.curator = curation(f"x {END}", f"{BEGIN}", FIRST)
    client.learn()
    rules = client.served().rules
    assert (rules.count(BEGIN), rules.count(END)) == (1, 1)


@pytest.mark.parametrize(
    ("command", "told"),
    [("show", "ace-00001"), ("replay", "1 line, 1 bullet: chain, snapshot and block are as the log says")],
)
def test_the_command_line_looks_into_a_deployment_that_serves(
    shared: Service, script: Script, command: str, told: str
) -> None:
    """By its work folder and the scenario, whatever characters that has in its name."""
    client = shared.client(f"look at {command}")
    script.curator = curation(FIRST)
    client.learn()
    assert told in client.look(command)


@pytest.mark.usefixtures("reef")
def test_two_hundred_reports_at_once(tmp_path: Path) -> None:
    """Each run is read once, twenty a step."""
    config = configuration({}, pipeline={"task2batch": {"config": {"batch_size": 20}}})
    with deployed(tmp_path, config) as (service, _):
        client = service.client("burst")
        runs = [client.chat(f"Task {number}.") for number in range(200)]
        reports = [threading.Thread(target=client.report, args=(run,)) for run in runs]
        for report in reports:
            report.start()
        for report in reports:
            report.join()
        until(lambda: len(run_ids(client)) >= len(runs), "every run to be read", 120)
        assert sorted(run_ids(client)) == sorted(runs)
