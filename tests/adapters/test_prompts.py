"""The two prompts as they are shipped: what they may hold, and what a model that repeats them brings about."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, curation, reflection, run, scripted

from ace.adapters.models.prompts import instructions
from ace.adapters.shipped import shipped
from ace.domain.step import Role
from ace.domain.trace import Trace, Turn
from ace.events.types import OperationIgnored, RunRead, RunSkipped
from ace.method import ACE
from ace.ports import Request

ROLES: tuple[Role, ...] = ("reflector", "curator")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty playbook."""
    return Place(tmp_path / "work", rules=b"# Rules\n")


@pytest.mark.parametrize("role", ROLES)
def test_a_prompt_holds_nothing_that_can_be_copied(role: Role) -> None:
    """At most 6,000 characters, no bullet's id, and in the JSON of its examples nothing but placeholders."""
    text = instructions()[role]
    assert len(text) <= 6_000
    assert not re.search(r"\bace-\d", text)
    for example in re.findall(r"\{.*\}", text):
        assert example == '{"operations": []}'
    assert not re.search(r'["\s](?:…|\.\.\.)["\s]|<\w+ [\w ]+>', text)


@pytest.mark.parametrize("role", ROLES)
def test_the_run_comes_last(role: Role) -> None:
    """Sections and playbook come before what differs from run to run, and nothing of the prompt comes behind it."""
    text = (shipped("prompts") / f"{role}.md").read_text()
    places = re.findall(r"\{\{(\w+)\}\}", text)
    assert (
        places
        == {"reflector": ["playbook", "trace"], "curator": ["sections", "playbook", "reflection", "task"]}[
            role
        ]
    )
    assert text.endswith(f"{{{{{places[-1]}}}}}\n")


def test_the_bytes_before_the_run_are_equal(place: Place) -> None:
    """For all calls of a role on one playbook, whatever the run: with and without a score, a failure, a background."""
    host = Host(scripted(reflection(), curation()))
    runs = [
        run("r1", score=0.0),
        run("r2", "Something else.", failure="time-out", feedback="Bad.", time="2026-11-30T10:00:00Z"),
        Trace(id="r3", context=(Turn("user", "x"),), turns=(Turn("user", "y"), Turn("assistant", "z"))),
    ]
    ACE().step(place.context(runs), host)
    for role, ends in (("reflector", "## The run\n\n"), ("curator", "## The Reflector's findings\n\n")):
        prompts = [request.prompt for request in host.requests if request.role == role]
        starts = {prompt[: prompt.index(ends) + len(ends)] for prompt in prompts}
        assert (len(prompts), len(starts)) == (3, 1)


def test_a_model_that_repeats_the_prompt_teaches_nothing(place: Place) -> None:
    """A reply with a sentence of the prompt is unusable for the Reflector; the Curator's lesson of it is ignored."""
    told = instructions()
    sentence = max(re.split(r"(?<=\.)\s", " ".join(told["curator"].split())), key=len)
    copied = max(re.split(r"(?<=\.)\s", " ".join(told["reflector"].split())), key=len)

    def script(request: Request) -> str:
        if request.role == "curator":
            return curation(sentence)
        return reflection(insight=copied, analysis="…") if request.trace == "r1" else reflection()

    result = ACE().step(place.context([run("r1", "One."), run("r2", "Two.")]), Host(script))
    first, second, third = result.record.events
    assert isinstance(first, RunSkipped)
    assert first.detail == "the reply only repeats the prompt"
    assert second == OperationIgnored("r2", 0, "it repeats the prompt")
    assert isinstance(third, RunRead)
    assert place.contents() == []
