"""The programs of `stranger.py` run, and know nothing of the package but its public names."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from tests.typing import stranger

import ace

RUNS = [ace.Trace(id=name, task="Do it.", reply="Done.") for name in ("one", "two", "silent")]


def test_a_stranger_imports_the_package_alone() -> None:
    """Given the program, then nothing in it comes from a module within the package, and no name of it is private."""
    tree = ast.parse(Path(stranger.__file__).read_text())
    froms = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names = {one.name for node in ast.walk(tree) if isinstance(node, ast.Import) for one in node.names}
    used = {
        node.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "ace"
    }
    assert not any(module and module.startswith("ace") for module in froms)
    assert names == {"ace", "json"}
    assert used <= set(ace.__all__)


def test_a_host_of_one_s_own(tmp_path: Path) -> None:
    """Given two steps, one of which its own check refuses, then rules and playbook are the host's, with figures of the calls."""
    service = stranger.Service(tmp_path / "mine", words=["two"])
    first = service.learn(RUNS[:1])
    assert first.changed
    assert b"Lesson of one." in service.rules
    assert (first.usage.calls, first.usage.failed, first.usage.output_tokens) == (2, 0, 18)
    assert first.usage.input_tokens > 0
    refused = service.learn(RUNS[1:2])
    assert (refused.outcome, refused.record.reason) == ("refused", "a bad word: two")
    assert b"Lesson of two." not in service.rules
    assert service.learn(RUNS[2:]).usage.failed == 1
    playbook, taught = stranger.replayed(str(tmp_path / "mine" / "history"))
    assert (playbook, taught) == (service.playbook, ["one"])


def test_a_step_without_files() -> None:
    """Given a model, or a function from prompts to replies, then a step is driven to its outcome."""
    outcome = stranger.driven(ace.Playbook(), RUNS, stranger.Echo())
    assert [bullet.content for bullet in outcome.playbook.bullets] == ["Lesson of one.", "Lesson of two."]
    assert len(outcome.failed_calls) == 1

    def answer(prompt: str) -> str:
        if '"operations"' in prompt:
            raise OSError("no route")
        return '{"key_insight": "Look."}'

    outcome, prompts = stranger.by_hand(RUNS[0], answer)
    assert [type(event) for event in outcome.events] == [ace.RunRead]
    assert len(prompts) == 2


def test_a_folder(tmp_path: Path) -> None:
    """Given a folder, then it is learned in, and what is wrong with a run is told."""
    report = stranger.looked_after(str(tmp_path / "w"), tmp_path / "AGENTS.md", RUNS)
    assert report.pending == ("silent",)
    assert b"Lesson of two." in (tmp_path / "AGENTS.md").read_bytes()


def test_a_reply_that_is_no_tuple_is_told() -> None:
    """Given a reply alone where a tuple is taken, or another value in it, then the error says what to send."""
    for wrong in ('{"key_insight": "x"}', ["{}"], (), ("{}", "{}")):
        step = ace.run_step(ace.Playbook(), RUNS[:1])
        next(step)
        with pytest.raises(ValueError, match="takes a tuple of 1, one reply a call"):
            step.send(wrong)  # type: ignore[arg-type]
    step = ace.run_step(ace.Playbook(), RUNS[:1])
    next(step)
    with pytest.raises(ValueError, match="a reply is a text or a CallFailed, not a int"):
        step.send((1,))  # type: ignore[arg-type]
