"""What happens goes through the process's own structlog, if a host asks for it, and to the error stream as `ace learn` is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from structlog.testing import LogCapture
from tests.adapters.commands import ace
from tests.adapters.hosting import Host, Place, lessons, run

from ace import ACE, CallError, Completion, Request, StepError
from ace.adapters.cli import output
from ace.learning import learn


@pytest.fixture(autouse=True)
def _own_configuration(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Each test has structlog, and the command's way of telling, to itself."""
    monkeypatch.setattr(output, "_as_log_lines", False)
    yield
    structlog.reset_defaults()


@pytest.fixture
def heard() -> LogCapture:
    """What the host's structlog is told."""
    capture = LogCapture()
    structlog.configure(processors=[capture])
    return capture


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder."""
    return Place(tmp_path / "work", rules=b"# Rules\n")


class Costly(Host):
    """A host whose model tells its tokens, and fails at some runs."""

    def complete(self, request: Request) -> Completion:
        """The script's answer with a price, or none."""
        if request.trace == "bad":
            raise CallError("time-out")
        text = super().complete(request).text
        return Completion(text=text, model="m", input_tokens=2000, output_tokens=3)


def test_nothing_is_told_unasked(place: Place, heard: LogCapture) -> None:
    """Given a host that does not ask, then its pipeline gets no excerpt of a run, nor anything else."""
    ACE().step(place.context([run("a")]), Host(lessons()))
    assert heard.entries == []


def test_events_and_calls_of_a_committed_step(place: Place, heard: LogCapture) -> None:
    """Given a host that asks, then it hears each call when it has ended, and the events once the step is in the log."""
    ACE(log_events=True).step(place.context([run("bad"), run("a")], step=7), Costly(lessons()))
    assert [entry["event"] for entry in heard.entries] == [
        "ModelCall",
        "ModelCall",
        "ModelCall",
        "RunSkipped",
        "BulletAdded",
        "RunRead",
        "Step",
    ]
    assert all(entry["step"] == 7 for entry in heard.entries)
    failed, answered = heard.entries[0], heard.entries[1]
    assert (failed["outcome"], failed["reason"], failed["log_level"]) == ("failed", "time-out", "warning")
    assert (answered["role"], answered["run"], answered["input_tokens"], answered["output_tokens"]) == (
        "reflector",
        "a",
        2000,
        3,
    )
    assert answered["seconds"] >= 0
    assert not {"prompt", "reply"} & set(answered)
    assert heard.entries[4]["content"] == "What a teaches."


def test_a_step_that_failed_and_one_that_was_refused(place: Place, heard: LogCapture) -> None:
    """Given a step of which no call got through, and one that the check refuses, then both are told with the reason."""
    with pytest.raises(StepError):
        ACE(log_events=True).step(place.context([run("bad")]), Costly(lessons()))
    assert (heard.entries[-1]["event"], heard.entries[-1]["outcome"]) == ("Step", "failed")
    refusing = Host(lessons(), lambda files: "no" if b"teaches" in files["rules.md"] else None)
    ACE(log_events=True).step(place.context([run("a")]), refusing)
    assert (heard.entries[-1]["outcome"], heard.entries[-1]["reason"]) == ("refused", "no")


def test_who_listens_and_fails_costs_nothing(place: Place) -> None:
    """Given a pipeline that raises, then the step is whole all the same."""

    def broken(*_: Any) -> Any:
        raise ZeroDivisionError

    structlog.configure(processors=[broken])
    assert ACE(log_events=True).step(place.context([run("a")]), Host(lessons())).changed
    assert place.agrees()


def test_runs_that_are_passed_over_are_told(place: Place, heard: LogCapture) -> None:
    """Given runs that the log has read, then that is told the same way."""
    from ace import Folder  # noqa: PLC0415 - the public name

    learn(Folder(place.root), [run("a")], model=Host(lessons()))
    learn(Folder(place.root), [run("a"), run("b")], model=Host(lessons()), log_events=True)
    assert heard.entries[0] == {"event": "PassedOver", "runs": 1, "log_level": "warning"}


def runs_file(folder: Path, name: str) -> Path:
    """A file with one run."""
    path = folder / "runs.jsonl"
    path.write_text(json.dumps({"id": name, "task": "Do it.", "reply": "Done."}) + "\n")
    return path


REPLIES = [
    {"role": "reflector", "trace": "r1", "reply": '{"key_insight": "Look."}'},
    {
        "role": "curator",
        "trace": "r1",
        "reply": '{"operations": [{"type": "ADD", "section": "Others", "content": "Look first."}]}',
    },
]


def test_the_command_sends_json_lines(
    tmp_path: Path, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `--log-format json`, then the error stream holds JSON lines and nothing else, each with its time; what no step has
    is among them, and the outcome is on the other stream as ever.
    """
    (tmp_path / "calls.json").write_text(json.dumps(REPLIES))
    traces = runs_file(tmp_path, "r1")
    traces.write_text(traces.read_text() + "{broken\n")
    given = ("learn", traces, "--work", place.root, "--replies", tmp_path / "calls.json", "--log-format")
    assert ace(*given, "json") == 1
    out, err = capsys.readouterr()
    lines = [json.loads(line) for line in err.splitlines()]
    assert [line["event"] for line in lines] == [
        "Note",
        "ModelCall",
        "ModelCall",
        "BulletAdded",
        "RunRead",
        "Step",
    ]
    assert "is passed over" in lines[0]["text"]
    assert all(line["time"].endswith("Z") and line["level"] for line in lines)
    assert [line.get("step") for line in lines] == [None, 1, 1, 1, 1, 1]
    assert "1 run read; 1 added." in out


def test_the_command_sends_lines_for_people(
    tmp_path: Path, place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `--log-format console`, then the same is in columns."""
    (tmp_path / "calls.json").write_text(json.dumps(REPLIES))
    traces = runs_file(tmp_path, "r1")
    given = ("learn", traces, "--work", place.root, "--replies", tmp_path / "calls.json", "--log-format")
    assert ace(*given, "console") == 0
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 5
    assert "RunRead" in err
    assert "run=r1" in err
