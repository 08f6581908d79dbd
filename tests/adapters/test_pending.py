"""Replies of a step that was interrupted: they are used once, by a command that asks the same, and by no other."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.adapters.commands import ace
from tests.adapters.hosting import Host, Place, Script, curation, lessons, reflection, run, scripted
from tests.domain.fakes import CREDENTIALS

import ace.adapters.cli.learn as learn_module
from ace.adapters.models import OpenAIModel
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.settings import ACESettings
from ace.learning import Learning, Report, learn
from ace.ports import Request


class Known(Host):
    """A model that says who is asked."""

    def __init__(self, script: Script, asked_as: str = "the model") -> None:
        super().__init__(script)
        self.asked_as = asked_as


class _Stop(BaseException):
    """Ends a command, as Ctrl-C does."""


def stopped_at(name: str, role: str, script: Script | None = None) -> Script:
    """A script that ends the command at this run's call."""
    answer = script or lessons()

    def answered(request: Request) -> str:
        if (request.trace, request.role) == (name, role):
            raise _Stop
        return answer(request)

    return answered


def interrupted(place: Place, script: Script, *names: str) -> Learning:
    """A command of one step that is interrupted."""
    learning = Learning(
        FolderBook(place.root),
        [run(name, task=f"Do {name[:4]}.") for name in names],
        model=Known(script),
        runs_per_step=len(names),
    )
    with learning, pytest.raises(_Stop):
        list(learning)
    return learning


def again(
    place: Place, *names: str, asked_as: str = "the model", script: Script | None = None, **more: object
) -> tuple[Report, list[tuple[str, str]]]:
    """The same command once more, and what it asked."""
    host = Known(script or lessons(), asked_as)
    report = learn(
        FolderBook(place.root),
        [run(name, task=f"Do {name[:4]}.") for name in names],
        model=host,
        runs_per_step=len(names),
        **more,  # type: ignore[arg-type]
    )
    return report, [(request.trace, request.role) for request in host.requests]


def kept(place: Place) -> list[Path]:
    """The files of the pending replies."""
    return sorted((place.root / "cache" / "pending").glob("*"))


def test_what_was_paid_for_is_used_by_the_next_command(tmp_path: Path) -> None:
    """Given a step that is interrupted at its third run, then the next command asks from there on, and learns the same as one that
    was not interrupted; its line recorded, no reply is left.
    """
    place, other = Place(tmp_path / "one"), Place(tmp_path / "other")
    learning = interrupted(place, stopped_at("c", "curator"), "a", "b", "c")
    assert learning.waiting == len(kept(place)) == 5
    report, asked = again(place, "a", "b", "c")
    assert asked == [("c", "curator")]
    assert (report.reused, report.calls) == (5, 1)
    assert kept(place) == []
    again(other, "a", "b", "c")
    assert place.playbook() == other.playbook()
    assert place.events() == other.events()
    assert place.agrees()


def test_a_batch_that_is_interrupted_keeps_what_is_whole(tmp_path: Path) -> None:
    """Given several runs at once, then what had come of the batch is not asked again."""
    place = Place(tmp_path)
    settings = ACESettings(reflections_at_once=3)
    learning = Learning(
        FolderBook(place.root),
        [run(name, task=f"Do {name}.") for name in "abc"],
        model=Known(stopped_at("b", "curator")),
        settings=settings,
    )
    with learning, pytest.raises(_Stop):
        list(learning)
    whole = len(kept(place))
    assert whole >= 3
    report, asked = again(place, "a", "b", "c", settings=settings)
    assert report.reused >= whole
    assert {role for _, role in asked} == {"curator"}
    assert ("b", "curator") in asked


@pytest.mark.parametrize(
    ("more", "reused"),
    [
        ({"asked_as": "another model"}, 0),
        ({"asked_as": ""}, 0),
        ({"again": True}, 0),
        ({"settings": ACESettings(sections=("Tips",))}, 1),  # which the Curator alone is told
    ],
)
def test_another_question_is_asked(tmp_path: Path, more: dict[str, object], reused: int) -> None:
    """Given something else that the reply depends on, then the model is asked, and nothing is told of earlier replies."""
    place = Place(tmp_path)
    interrupted(place, stopped_at("b", "reflector"), "a", "b")
    report, asked = again(place, "a", "b", script=scripted(reflection(), curation()), **more)  # type: ignore[arg-type]
    assert (report.reused, len(asked)) == (reused, 4 - reused)


def test_a_model_that_does_not_say_who_is_asked_leaves_nothing(tmp_path: Path) -> None:
    """Given such a model, or --again, then no reply is kept."""
    for number, (asked_as, flag) in enumerate([("", False), ("the model", True)]):
        place = Place(tmp_path / str(number))
        learning = Learning(
            FolderBook(place.root),
            [run("a", task="Do a.")],
            model=Known(stopped_at("a", "curator"), asked_as),
            again=flag,
        )
        with learning, pytest.raises(_Stop):
            list(learning)
        assert kept(place) == []


def test_equal_questions_have_a_reply_each(tmp_path: Path) -> None:
    """Given two runs with the same prompt, then the second is not answered by the first one's reply, but by its own."""
    place = Place(tmp_path)
    insights = iter(["One.", "Two."])
    script = scripted(lambda _: reflection(insight=next(insights)), curation())
    traces = ("same", "same-2")

    def stopping(request: Request) -> str:
        if request.role == "curator" and request.trace == "same-2":
            raise _Stop
        return script(request)

    interrupted(place, stopping, *traces)
    report, asked = again(place, *traces, script=script)
    assert report.reused == 3
    assert asked == [("same-2", "curator")]
    assert [event.insight for event in report.events if hasattr(event, "insight")] == ["One.", "Two."]


def test_no_clone_brings_replies_along(tmp_path: Path) -> None:
    """Given the pending replies of another folder, as they could come with a clone, then they are not used."""
    place, clone = Place(tmp_path / "one"), Place(tmp_path / "clone")
    interrupted(place, stopped_at("b", "reflector"), "a", "b")
    shutil.copytree(place.root / "cache" / "pending", clone.root / "cache" / "pending")
    report, asked = again(clone, "a", "b")
    assert (report.reused, len(asked)) == (0, 4)


def test_a_torn_reply_is_asked_for_anew(tmp_path: Path) -> None:
    """Given a file that a kill left half written, then the model is asked, and the file goes with the others."""
    place = Place(tmp_path)
    interrupted(place, stopped_at("b", "reflector"), "a", "b")
    for path in kept(place):
        path.write_bytes(path.read_bytes()[:20])
    report, asked = again(place, "a", "b")
    assert (report.reused, len(asked), kept(place)) == (0, 4, [])


def test_what_nobody_asked_for_in_a_week_goes(tmp_path: Path) -> None:
    """Given replies that no later command asked for, then they are removed after a week, and younger ones are not."""
    place = Place(tmp_path)
    interrupted(place, stopped_at("b", "reflector"), "a", "b")
    old, young = kept(place)
    long_ago = time.time() - 8 * 86_400
    os.utime(old, (long_ago, long_ago))
    again(place, "x")
    assert kept(place) == [young]


def test_a_step_that_failed_keeps_its_replies(tmp_path: Path) -> None:
    """Given a step that could not be appended to the log, then its replies are there for the next command."""
    place = Place(tmp_path)
    interrupted(place, stopped_at("a", "curator"), "a")

    class Full(FolderBook):
        def append(self, record: object) -> None:
            raise AceError(f"no room for {record is not None}")

    with pytest.raises(AceError, match="no room"):
        learn(Full(place.root), [run("a", task="Do a.")], model=Known(lessons()))
    report, asked = again(place, "a")
    assert (report.reused, asked) == (2, [])


def test_no_credential_is_kept(tmp_path: Path) -> None:
    """Given a reply with a credential, then the file has none."""
    place, key = Place(tmp_path), CREDENTIALS["GitHub token"]
    script = scripted(reflection(insight=f"The token is {key}."), curation())
    interrupted(place, stopped_at("a", "curator", script), "a")
    (path,) = kept(place)
    assert key.encode() not in path.read_bytes()
    assert b"[redacted credential]" in path.read_bytes()


def test_the_command_tells_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given Ctrl-C in the middle of a step, then the command says how many replies are kept, and the next one that they were used."""
    place = Place(tmp_path)
    traces = tmp_path / "runs.jsonl"
    traces.write_text(
        "".join(f'{{"id": "{name}", "task": "Do it.", "reply": "Done."}}\n' for name in ("r1", "r2"))
    )

    def put(script: Script) -> Host:
        host = Known(script)
        monkeypatch.setattr(learn_module, "model_of", lambda _: host)
        return host

    def stopped(request: Request) -> str:
        if (request.trace, request.role) == ("r2", "curator"):
            raise KeyboardInterrupt
        return lessons()(request)

    command = ("learn", traces, "--work", place.root, "--runs-per-step", "2")
    put(stopped)
    assert ace(*command) == 130
    assert "Of the step that did not end, 3 replies are kept: the same command uses them." in (
        capsys.readouterr().err
    )
    host = put(lessons())
    assert ace(*command) == 0
    out = capsys.readouterr().out
    assert "Not asked again: 3 replies are there from a command that was interrupted." in out
    assert len(host.requests) == 1


def test_a_live_model_says_who_is_asked() -> None:
    """Given two endpoints, then they are the same one to ask if address, model and options are."""
    make: Callable[..., OpenAIModel] = OpenAIModel
    base = {"base_url": "http://localhost:1/v1"}
    same = [make("m", **base), make("m", **base, timeout_s=3.0, retries=0)]
    others = [
        make("n", **base),
        make("m", base_url="http://localhost:2/v1"),
        make("m", **base, temperature=0.5),
        make("m", **base, max_tokens=10),
        make("m", **base, body={"seed": 1}),
        make("m", **base, schema="off"),
    ]
    assert len({model.asked_as for model in same}) == 1
    assert len({model.asked_as for model in (*same, *others)}) == 7
    for model in (*same, *others):
        model.close()
