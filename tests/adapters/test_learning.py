"""What a library user can do with a playbook's folder: the commands decide nothing that these do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.hosting import Host, Place, Script, bullet, curation, lessons, reflection, run
from tests.adapters.loopback import Loopback, Reply, role_of, text

import ace
from ace.domain.errors import AceError, CallError, EndpointError, LockedError
from ace.domain.playbook import Playbook
from ace.domain.rules_block import BEGIN, END
from ace.method import ACE

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder in which two steps were made."""
    place = Place(tmp_path / "work", rules=b"# Rules\n")
    for name in ("r1", "r2"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    return place


def test_verify(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an orderly folder, then log, snapshot and block agree; a changed block is a difference. Nothing is printed."""
    folder = ace.Folder(str(place.root))
    found = ace.verify(folder)
    assert (found.agrees, found.lines, len(found.playbook.bullets)) == (True, 2, 2)
    place.rules.write_bytes(place.rules.read_bytes().replace(b"What r1 teaches.", b"What r1 taught."))
    found = ace.verify(folder)
    assert not found.agrees
    assert any(line.startswith("+") and "What r1 taught." in line for line in found.differences)
    assert capsys.readouterr() == ("", "")


def test_verify_without_a_log(tmp_path: Path) -> None:
    """Given a snapshot alone, then nothing agrees yet; given nothing at all, then everything does."""
    assert ace.verify(ace.Folder(tmp_path / "none")).agrees
    place = Place(tmp_path / "work", playbook=Playbook(2, (bullet(1, "One."),)))
    assert not ace.verify(ace.Folder(place.root)).agrees


def test_rebuild(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a lost snapshot and a changed block, then both are as the log has them."""
    before = place.kept()
    place.snapshot.unlink()
    place.rules.write_bytes(place.rules.read_bytes().replace(b"What r1 teaches.", b"What r1 taught."))
    made = ace.rebuild(ace.Folder(place.root))
    assert (made.lines, made.replaced, made.playbook) == (2, {}, place.playbook())
    assert place.kept() == before
    assert capsys.readouterr() == ("", "")


def test_adopt(place: Place) -> None:
    """Given a snapshot that was changed by hand, then it is taken, without what the screens refuse; the second time it is known."""
    place.put(Playbook(5, (bullet(1, "Reworded."), bullet(3, f"Use {SECRET}."), bullet(4, "New."))))
    taken = ace.adopt(ace.Folder(place.root))
    assert [one.content for one in taken.playbook.bullets] == ["Reworded.", "New."]
    assert [event.id for event in taken.screened] == ["ace-00003"]
    assert not taken.was_known
    assert ace.adopt(ace.Folder(place.root)).was_known
    assert SECRET.encode() not in place.log.path.read_bytes()


def test_the_block_of_another_playbook(place: Place, tmp_path: Path) -> None:
    """Given a rules file with a foreign block, then it stays, unless it is to be taken; then it is told."""
    other = tmp_path / "AGENTS.md"
    foreign = f"{BEGIN}\n- [ace-00001] helpful=0 harmful=0 :: Of another.\n{END}\n"
    other.write_text(foreign)
    folder = ace.Folder(place.root, [other])
    for mend in (ace.rebuild, ace.adopt):
        with pytest.raises(AceError, match="--take-block"):
            mend(folder)
        assert other.read_text() == foreign
    assert "Of another." in ace.rebuild(folder, take_block=True).replaced[other]
    assert "What r2 teaches." in other.read_text()


def test_a_rules_file_that_is_known_is_made_again(place: Place, tmp_path: Path) -> None:
    """Given a named rules file that lost its block, then it gets it again; where none is named, another one must not be made."""
    folder = ace.Folder(place.root, [tmp_path / "AGENTS.md"])
    ace.rebuild(folder)
    assert "What r1 teaches." in (tmp_path / "AGENTS.md").read_text()
    place.rules.unlink()
    with pytest.raises(AceError, match="does not hold the block"):
        ace.rebuild(ace.Folder(place.root))


def test_one_writer(place: Place) -> None:
    """Given a step under way, then neither repairs anything meanwhile."""

    def meanwhile(_request: object) -> str:
        for mend in (ace.rebuild, ace.adopt):
            with pytest.raises(LockedError):
                mend(ace.Folder(place.root))
        return ""

    ACE().step(place.context([run("r3")]), Host(meanwhile))
    assert place.agrees()


# --- learn ------------------------------------------------------------------------------------------------------------


def no_model(_request: object) -> str:
    """An endpoint that fails for good."""
    raise EndpointError("no such model")


def no_reply(_request: object) -> str:
    """An endpoint that fails once more."""
    raise CallError("no reply")


def test_learn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given runs and a model, then each is read once, the rules file gets the block, and the report says so; nothing is printed."""
    rules = tmp_path / "AGENTS.md"
    folder = ace.Folder(tmp_path / "w", [rules])
    traces = [run("r1"), run("r2")]
    report = ace.learn(folder, traces, model=Host(lessons()))
    assert (report.read, report.is_done, report.runs, report.calls) == (True, True, 2, 4)
    assert "What r2 teaches." in report.block_after
    assert "What r2 teaches." in rules.read_text()
    host = Host(lessons())
    again = ace.learn(folder, traces, model=host)
    assert (again.is_done, again.read, again.runs, host.requests) == (True, False, 0, [])
    assert ace.verify(folder).agrees
    assert capsys.readouterr() == ("", "")


def test_step_by_step(tmp_path: Path) -> None:
    """Given the same as an iterator, then each step comes when it has ended; what was left is told, and left to be read."""
    folder = ace.Folder(tmp_path / "w")
    traces = [run("r1"), run("r2"), run("r3")]
    with ace.Learning(folder, traces, model=Host(lessons()), limit=2) as learning:
        steps = iter(learning)
        assert next(steps).runs == ("r1",)
        with pytest.raises(LockedError), ace.Learning(folder, traces, model=Host(lessons())):
            pass
        assert [(step.runs, step.before, step.total) for step in steps] == [(("r2",), 1, 2)]
    assert learning.report().later == 1
    with ace.Learning(folder, traces, model=Host(lessons())) as learning:
        assert learning.passed_over == 2
        assert [step.runs for step in learning] == [("r3",)]


@pytest.mark.parametrize(
    ("script", "gave_up", "left"),
    [
        (no_model, "unreachable", {"untried": ("r1", "r2", "r3", "r4")}),
        (no_reply, "nothing usable", {"failed": ("r1", "r2", "r3"), "untried": ("r4",)}),
        (lambda _request: "prose", "nothing usable", {"unusable": ("r1", "r2", "r3"), "untried": ("r4",)}),
    ],
)
def test_what_is_left(tmp_path: Path, script: Script, gave_up: str, left: dict[str, tuple[str, ...]]) -> None:
    """Given an endpoint of which nothing is usable, then the report says why it gave up and which runs are left, as they are."""
    traces = [run(f"r{number}") for number in range(1, 5)]
    report = ace.learn(ace.Folder(tmp_path / "w"), traces, model=Host(script))
    assert (report.gave_up, report.is_done) == (gave_up, False)
    names = ("failed", "refused", "untried", "unusable", "pending", "too_long")
    assert {name: getattr(report, name) for name in names if getattr(report, name)} == left
    assert ace.learn(ace.Folder(tmp_path / "w"), traces, model=Host(lessons())).is_done


def test_a_check_and_a_budget(tmp_path: Path) -> None:
    """Given a check that refuses, then nothing is written; given no tokens to spend, then nothing more is asked."""
    folder = ace.Folder(tmp_path / "w")
    traces = [run("r1"), run("r2")]
    report = ace.learn(
        folder,
        traces,
        model=Host(lessons()),
        check=lambda files: "no" if b"ace-00001" in str(files).encode() else None,
    )
    assert (report.refused, report.is_done) == (("r1", "r2"), False)
    assert not (tmp_path / "w" / "rules.md").exists()

    class Counted(Host):
        def complete(self, request: ace.Request) -> ace.Completion:
            told = super().complete(request)
            return ace.Completion(text=told.text, input_tokens=900, output_tokens=100)

    report = ace.learn(folder, traces, model=Counted(lessons()), max_tokens=2000)
    assert (report.gave_up, report.untried, report.input_tokens) == ("budget", ("r2",), 1800)


def test_the_example_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given the program that the README shows, then it learns."""
    readme = (Path(__file__).parents[2] / "README.md").read_text()
    program = readme.split("## From a program")[1].split("```python\n")[1].split("```")[0]

    def answer(body: dict[str, Any], _: int) -> Reply:
        return text(reflection() if role_of(body) == "reflector" else curation("Look at the fixture."))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    messages = [{"role": "user", "content": "Fix it."}, {"role": "assistant", "content": "Done."}]
    Path("runs.jsonl").write_text(json.dumps({"id": "run-1", "messages": messages}) + "\n")
    with Loopback(answer) as server:
        exec(program.replace("http://localhost:8000/v1", server.base_url), {})  # noqa: S102 - our own README
    assert "Look at the fixture." in Path("AGENTS.md").read_text()


def test_a_rules_file_may_be_named_alone(tmp_path: Path) -> None:
    """Given one path, as a text or not, then it is the rules file, and not each of its letters."""
    path = tmp_path / "AGENTS.md"
    assert ace.Folder(tmp_path / "a", rules=str(path)).rules_files == [path]
    assert ace.Folder(tmp_path / "a", rules=path).rules_files == [path]
    (tmp_path / "runs.jsonl").write_text('{"id": "r", "task": "x", "reply": "y"}\n')
    assert [trace.id for trace in ace.read_traces(str(tmp_path / "runs.jsonl")).traces] == ["r"]
