"""`floor` and `compare`: real runs of the pi agent decide whether a new playbook is published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.reef.service import REPOSITORY, Client, Service, configuration, deployed, until
from tests.reef.upstream import Script, curation, reflection, system_of

pytestmark = pytest.mark.slow

GOOD = "Read the failing test before the code."
BETTER = "Answer with the word that is asked for."
ALSO = "Read the word once more before you answer."
BAD = "Answer in verse."

TASK = {
    "evaluate": {"module": "examples.scorer:LastLine", "config": {"answers": {"word": "yes"}}},
    "tasks": ["[word] Say yes, alone on the last line of your reply."],
}

OPERATOR = "the-operators-own-secret"

BROKEN = """
from reef.evaluation.harness import EpisodeScorer

class Broken(EpisodeScorer):
    def score(self, task, result):
        raise ValueError("no such task")
"""


def agent(does: Callable[[str], bool]) -> Callable[[dict[str, Any]], Any]:
    """An agent's model that does the task if its rules are so."""
    return lambda body: "Well,\nyes" if does(system_of(body)) else "Well,\nno"


def with_examples(folder: Path) -> Path:
    """A folder where a service finds the examples' scorer."""
    (folder / "examples").symlink_to(REPOSITORY / "examples")
    return folder


def restored(client: Client) -> list[str]:
    """The reasons for which a playbook was restored."""
    events = [event for line in client.log_lines() for event in line["events"]]
    return [event["reason"] for event in events if event["type"] == "PlaybookRestored"]


@pytest.fixture(scope="module")
def comparing(
    pi: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Service, Script]]:
    """A service that compares, and compares again every second step once there is something to put back."""
    seed = [{"id": "rules", "name": "rules", "config": {"text": "# Rules"}}]
    evolution = {"evaluation": {"policy": "compare"}, "recheck_every": 2, "seed": seed, **TASK}
    folder = with_examples(tmp_path_factory.mktemp("comparing"))
    with deployed(folder, configuration(evolution), environ=pi) as (service, script):
        yield service, script


def test_compare_rejects_what_is_no_better_and_the_next_candidate_carries_it(
    comparing: tuple[Service, Script],
) -> None:
    """A rejected block is not proposed again as it is, also after a restart; with one more bullet it wins."""
    service, script = comparing
    script.agent, script.curator = agent(lambda rules: BETTER in rules), curation(GOOD)
    client = service.client("carried")
    rejected = client.learn()["metrics"]
    assert (rejected["selected"], rejected["wins"], rejected["losses"]) == (False, 0, 0)
    # The rules of the folder are those that were proposed: this is the host's to repair.
    assert "1 line, 1 bullet: chain, snapshot and block are as the log says." in client.look("replay")
    service.stop()
    service.start()
    script.curator = curation()
    assert client.learn()["metrics"]["skipped"] == "no proposal"
    script.curator = curation(BETTER)
    accepted = client.learn()["metrics"]
    assert (accepted["selected"], accepted["wins"]) == (True, 1)
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {GOOD}",
        f"[ace-00002] helpful=0 harmful=0 :: {BETTER}",
    ]
    assert restored(client) == []


def test_a_recheck_that_puts_the_old_rules_back_is_no_rollback(comparing: tuple[Service, Script]) -> None:
    """What was taken back is kept, is not proposed again as it is, and is carried by the next candidate."""
    service, script = comparing
    script.agent, script.curator = agent(lambda rules: BETTER in rules), curation(BETTER)
    client = service.client("checked-again")
    assert client.learn()["metrics"]["selected"] is True
    script.agent = agent(lambda rules: BETTER not in rules or GOOD in rules)  # the model has changed
    assert client.learn()["metrics"]["rolled_back"] is True
    assert client.served().bullets == []
    script.curator = curation()
    assert client.learn()["metrics"]["skipped"] == "no proposal"
    script.agent = agent(lambda rules: GOOD in rules)
    script.curator = curation(GOOD)
    assert client.learn()["metrics"]["selected"] is True
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {BETTER}",
        f"[ace-00002] helpful=0 harmful=0 :: {GOOD}",
    ]
    assert restored(client) == []


@pytest.fixture(scope="module")
def flooring(
    pi: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Service, Script]]:
    """A service with a floor, which tries lessons step by step after three rejections."""
    method = {"config": {"prune_margin": 1, "drop_after_rejections": 3}}
    config = configuration({"evaluation": {"policy": "floor"}, "floor_score": 1.0, "method": method, **TASK})
    environ = {**pi, "ACE_OPERATOR_TOKEN": OPERATOR}
    with deployed(with_examples(tmp_path_factory.mktemp("flooring")), config, environ=environ) as deployment:
        yield deployment


def test_floor_publishes_what_still_does_the_tasks(flooring: tuple[Service, Script]) -> None:
    """A lesson that breaks a task is rejected; once it is pruned, the playbook is published again."""
    service, script = flooring
    client = service.client("pruned")
    script.agent, script.curator = agent(lambda rules: BAD not in rules), curation(GOOD)
    assert client.learn()["metrics"]["selected"] is True
    script.curator = curation(BAD)
    rejected = client.learn()["metrics"]
    assert rejected["selected"] is False
    assert "Rejected: missed the floor on 1 of 1 tasks." in rejected["proposal_notes"]["summary"]
    assert "[word] Say yes, alone on the last line of your reply.: 0" in rejected["proposal_notes"]["summary"]
    assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {GOOD}"]
    script.reflector, script.curator = reflection(("ace-00002", "harmful")), curation(BETTER)
    assert client.learn()["metrics"]["selected"] is True
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {GOOD}",
        f"[ace-00003] helpful=0 harmful=0 :: {BETTER}",
    ]
    assert restored(client) == []
    script.reset()


def test_a_bad_lesson_between_good_ones_is_dropped_and_named(flooring: tuple[Service, Script]) -> None:
    """Three rejections one after the other; then each step's lessons are tried alone, and both good ones are served."""
    service, script = flooring
    client = service.client("dropped")
    script.agent, script.curator = agent(lambda rules: BAD not in rules), curation(GOOD)
    assert client.learn()["metrics"]["selected"] is True
    rejections = []
    for lesson in (BAD, BETTER, ALSO):
        script.curator = curation(lesson)
        rejections.append(client.learn()["metrics"])
        assert rejections[-1]["selected"] is False
    assert (
        "carried along by the next candidate: ace-00002, ace-00003, ace-00004"
        in rejections[-1]["proposal_notes"]["summary"]
    )
    assert client.look("show").count("rejected ") == 3
    script.curator = curation()
    told = client.learn()["metrics"]  # the bad one alone
    assert told["selected"] is False
    assert "removed by the next step: ace-00002" in told["proposal_notes"]["summary"]
    told = client.learn()["metrics"]
    assert told["selected"] is True
    assert (
        f"[ace-00002] removed by the host (tried alone and rejected in step 5: missed the floor on 1 of 1 tasks): {BAD}"
        in (told["proposal_notes"]["summary"])
    )
    assert client.learn()["metrics"]["selected"] is True
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {GOOD}",
        f"[ace-00003] helpful=0 harmful=0 :: {BETTER}",
        f"[ace-00004] helpful=0 harmful=0 :: {ALSO}",
    ]
    assert restored(client) == []
    shown = client.look("show")
    assert (shown.count(" served "), "Waiting: 0. Rejected: 0." in shown) == (3, True)
    assert client.look("log").count("rejected, with ace-00002") == 4
    assert "snapshot and block are as the log says" in client.look("replay")
    script.reset()


def test_an_operator_removes_the_lesson_that_blocks(flooring: tuple[Service, Script]) -> None:
    """Then what comes later is served at once; and an order is evaluated like any other change, which the command says."""
    service, script = flooring
    client = service.client("ordered")
    script.agent, script.curator = agent(lambda rules: BAD not in rules), curation(GOOD)
    assert client.learn()["metrics"]["selected"] is True
    script.curator = curation(BAD)
    assert client.learn()["metrics"]["selected"] is False
    assert "What is served stays as it is." in client.order("remove", "2", "--reason", "no verse")
    script.curator = curation(BETTER)
    assert client.learn()["metrics"]["selected"] is True
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {GOOD}",
        f"[ace-00003] helpful=0 harmful=0 :: {BETTER}",
    ]
    assert "and not served yet: the evaluation rejected the new rules" in client.order("reword", "1", BAD)
    assert GOOD in client.served().rules
    assert "is served" in client.order("reword", "1", ALSO)
    assert client.served().bullets == [
        f"[ace-00001] helpful=0 harmful=0 :: {ALSO}",
        f"[ace-00003] helpful=0 harmful=0 :: {BETTER}",
    ]
    assert restored(client) == []
    script.reset()


@pytest.mark.usefixtures("reef")
def test_a_scorer_that_raises_does_not_stop_the_scenario(tmp_path: Path) -> None:
    """It is tried again three times; then the candidate is not published, and commit and record say why. (By either policy:
    see the backend's tests.)
    """
    (with_examples(tmp_path) / "broken.py").write_text(BROKEN)
    # The agent does nothing, which is enough for a scorer that raises.
    evolution = {
        **TASK,
        "evaluation": {"policy": "compare"},
        "evaluate": "broken:Broken",
        "binary": "/bin/true",
    }
    with deployed(tmp_path, configuration(evolution)) as (service, script):
        client = Client(service, "one")
        script.curator = curation(GOOD)
        client.run()
        for attempt in range(1, 4):
            _evaluated(client, attempt)
            assert client.commits() == []
            client.chat("something else")
        metrics = client.step(1)["metrics"]
        assert metrics["selected"] is False
        assert "ValueError: no such task" in metrics["evaluation_error"]
        assert "## Not published" in (client.folder / "steps/1-4/output/summary.md").read_text()
        assert len(script.prompts("reflector")) == 4
        script.curator = curation()
        assert client.learn()["metrics"]["skipped"] == "no proposal"


def _evaluated(client: Client, times: int) -> None:
    """Wait until the evaluation has failed so often."""
    count = client.folder / "evaluations.json"
    until(lambda: count.exists() and f'"failures":{times}' in count.read_text(), f"failure {times}")
