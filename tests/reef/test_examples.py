"""Every deployment among the examples starts as its first lines say, from the repository's root, and learns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.reef.service import REPOSITORY, Client, Service, deployed, until
from tests.reef.upstream import Script, curation, prompt_of, system_of, tool_stream

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("reef")]

FIRST = "Read the failing test before you edit the code."
COUNT = "Count with a tool, never by eye: print the text and let the shell count."


@contextmanager
def example(
    name: str, folder: Path, environ: Mapping[str, str] | None = None
) -> Iterator[tuple[Service, Script]]:
    """The deployment of that name. What it writes is relative to where it starts: a folder that has the examples as the
    repository has.
    """
    (folder / "examples").symlink_to(REPOSITORY / "examples")
    with deployed(folder, Path("examples") / f"{name}.yaml", environ=environ) as (service, script):
        yield service, script


def assert_learned(client: Client, step: int = 1) -> None:
    """The seed's rules are served with pi's look at versions, and the step's record lies where the file says."""
    served = client.served()
    assert served.rules.startswith((REPOSITORY / "examples/seed/rules.md").read_text().strip())
    assert any("version_check" in path or "version-check" in path for path in served["files"]), served[
        "files"
    ]
    pattern = f".reef/**/harness/{client.scenario}/harness/steps/{step}/calls.json"
    assert len(until(lambda: list(client.service.folder.glob(pattern)), "the record")) == 1


def test_there_are_examples() -> None:
    """Those that the documents name. Each has a test here."""
    examples = (REPOSITORY / "examples").glob("*.yaml")
    assert sorted(path.stem for path in examples) == ["compare", "floor", "serve", "traffic"]


@pytest.mark.parametrize("name", ["compare", "floor"])
def test_examples_that_evaluate(name: str, pi: dict[str, str], tmp_path: Path) -> None:
    """A step without a candidate runs no task."""
    with example(name, tmp_path, pi) as (service, script):
        client = Client(service, "one")
        script.curator = curation()
        client.learn("Fix the bug.")
        assert_learned(client)
        assert client.served().bullets == []


def test_compare_publishes_a_lesson_that_wins_a_task(pi: dict[str, str], tmp_path: Path) -> None:
    """The agent fails to count without the lesson, computes right with either rules, and never finds the bytes: one win, two ties. With
    ties alone nothing is published, which the step says.
    """

    def agent(body: dict[str, Any]) -> str:
        task = prompt_of(body)
        if "[letters]" in task:
            return "I count.\n" + ("11" if COUNT in system_of(body) else "10")
        return "I compute.\n4517729617" if "[product]" in task else "I count.\n10"

    with example("compare", tmp_path, pi) as (service, script):
        client = Client(service, "one")
        script.agent, script.curator = agent, curation(FIRST)
        tied = client.learn("Fix the bug.")["metrics"]
        assert (tied["selected"], tied["wins"], tied["losses"], tied["ties"]) == (False, 0, 0, 3)
        assert "tied 3 of the tasks" in tied["proposal_notes"]["summary"]
        assert client.served().bullets == []
        script.curator = curation(COUNT)
        won = client.learn("Count the words.")["metrics"]
        assert (won["selected"], won["wins"], won["losses"], won["ties"]) == (True, 1, 0, 2)
        assert client.served().bullets == [
            f"[ace-00001] helpful=0 harmful=0 :: {FIRST}",
            f"[ace-00002] helpful=0 harmful=0 :: {COUNT}",
        ]


def test_the_example_with_a_token(tmp_path: Path) -> None:
    """Without the token nobody gets in; the method's own calls, which go through the service, have it."""
    with example("serve", tmp_path, {"REEF_TOKEN": "not-a-secret"}) as (service, script):
        assert service.request("GET", "/reef/scenarios")[0] == 401
        service.headers["authorization"] = "Bearer not-a-secret"
        client = Client(service, "one")
        script.curator = curation(FIRST)
        client.learn("Fix the bug.")
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert_learned(client)


def test_the_example_without_reports(tmp_path: Path) -> None:
    """A call that ends on a tool is in the middle of a run and costs nothing; the one that ends the run is read. An operator's order
    is done without one.
    """
    secret = {"ACE_OPERATOR_TOKEN": "the-operators-own-secret"}
    with example("traffic", tmp_path, secret) as (service, script):
        client = Client(service, "one")
        script.curator = curation(FIRST)
        script.agent = tool_stream("bash", {"command": "ls"})
        asked = [{"role": "user", "content": "Fix the bug."}]
        client.said(asked, stream=True)
        assert "middle of a run" in client.step(1)["metrics"]["proposal_notes"]["summary"]
        assert script.prompts("reflector") == []
        script.agent = "It is fixed."
        call = {"id": "call_1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
        said = {"role": "assistant", "content": None, "tool_calls": [call]}
        client.said([*asked, said, {"role": "tool", "tool_call_id": "call_1", "content": "a.txt"}])
        client.step(2)
        (prompt,) = script.prompts("reflector")
        assert "Fix the bug." in prompt
        assert "Score: none" in prompt
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {FIRST}"]
        assert_learned(client, step=2)
        assert "Done, in step 3" in client.order("remove", "1", "--reason", "not so")
        assert client.served().bullets == []
