"""`floor` and `compare`: real runs of the pi agent decide whether a new playbook is published."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.reef.service import REPOSITORY, Client, Service, configuration, deployed, until
from tests.reef.upstream import Script, curation, reflection, system_of

pytestmark = pytest.mark.slow

GOOD = "Read the task twice."
BETTER = "Answer with the word that is asked for."
BAD = "Answer in verse."

TASK = {
    "evaluate": {"module": "examples.scorer:LastLine", "config": {"answers": {"word": "yes"}}},
    "tasks": ["[word] Say yes, alone on the last line of your reply."],
}

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
    # The rules of the folder are those that were proposed: this is the host's to mend.
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


def test_floor_publishes_what_still_does_the_tasks(tmp_path: Path, pi: dict[str, str]) -> None:
    """A lesson that breaks a task is rejected; once it is pruned, the playbook is published again."""
    method = {"config": {"prune_margin": 1}}
    config = configuration({"evaluation": {"policy": "floor"}, "floor_score": 1.0, "method": method, **TASK})
    with deployed(with_examples(tmp_path), config, environ=pi) as (service, script):
        client = Client(service, "one")
        script.agent, script.curator = agent(lambda rules: BAD not in rules), curation(GOOD)
        assert client.learn()["metrics"]["selected"] is True
        script.curator = curation(BAD)
        assert client.learn()["metrics"]["selected"] is False
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {GOOD}"]
        script.reflector, script.curator = reflection(("ace-00002", "harmful")), curation(BETTER)
        assert client.learn()["metrics"]["selected"] is True
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {GOOD}",
            f"[ace-00003] helpful=0 harmful=0 :: {BETTER}",
        ]
        assert restored(client) == []


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
