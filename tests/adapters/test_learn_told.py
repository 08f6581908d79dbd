"""How `ace learn` tells what it does: a line on a terminal, nothing to cron, JSON to a program; and waiting for a folder."""

from __future__ import annotations

import io
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.commands import ace
from tests.adapters.hosting import Host, Place, Script, lessons

import ace.adapters.cli.learn as learn_module
from ace.adapters.cli import live
from ace.adapters.store.files import lock
from ace.domain.errors import CallError, EndpointError, LockedError
from ace.ports import Request

type Scripting = Callable[[Script], Host]


@pytest.fixture
def scripting(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Scripting:
    """Puts a scripted model in the place of the endpoint; three runs lie in the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "runs.jsonl").write_text(
        "".join(f'{{"id": "r{number}", "task": "Do {number}.", "reply": "Done."}}\n' for number in (1, 2, 3))
    )

    def put(script: Script) -> Host:
        host = Host(script)
        monkeypatch.setattr(learn_module, "model_of", lambda _: host)
        return host

    return put


LEARN = ("learn", "runs.jsonl", "--work", "book")


def second_fails(request: Request) -> str:
    """A model that does not answer about the second run."""
    if request.trace == "r2":
        raise CallError("the server is asleep")
    return lessons()(request)


# --- --quiet ----------------------------------------------------------------------------------------------------------


def test_quiet_says_nothing_where_all_is_well(
    scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given runs that are read, and the command once more, then cron has nothing to send, but where runs go the first time."""
    scripting(lessons())
    assert ace(*LEARN, "--quiet") == 0
    assert capsys.readouterr() == ("", "3 runs of yours will be sent to api.openai.com.\n")
    assert ace(*LEARN, "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_quiet_says_what_is_left_over(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a run that failed, then the outcome is told as without the option, and no progress."""
    scripting(second_fails)
    assert ace(*LEARN, "--quiet") == 1
    out, err = capsys.readouterr()
    assert out.startswith("2 runs read; 2 added.\n")
    assert "Failed, and can be tried again with the same command: r2." in out
    assert "[run" not in err


def test_quiet_says_errors(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an endpoint that is down, then the sentence is told."""

    def down(_request: Request) -> str:
        raise EndpointError("HTTP 401")

    scripting(down)
    assert ace(*LEARN, "--quiet") == 2
    assert "ace: HTTP 401" in capsys.readouterr().err


@pytest.mark.parametrize(
    "more", [["--quiet", "--verbose"], ["--json", "--verbose"], ["--wait", "-1"], ["--wait", "nan"]]
)
def test_what_does_not_go_together(scripting: Scripting, more: list[str]) -> None:
    """Given options that contradict each other, or no time to wait, then that is an error."""
    host = scripting(lessons())
    assert ace(*LEARN, *more) == 2
    assert host.requests == []


# --- --json -----------------------------------------------------------------------------------------------------------


def outcome(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The one object on standard output."""
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    found: dict[str, Any] = json.loads(out)
    return found


def test_the_outcome_as_json(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a run that failed among others, then one object says what was read and added, what is left, and the status."""
    scripting(second_fails)
    assert ace(*LEARN, "--json") == 1
    told = outcome(capsys)
    assert told["status"] == 1
    assert (told["runs"], told["passed_over"], told["later"]) == (3, 0, 0)
    assert told["counts"] == {"read": 2, "added": 2}
    assert [bullet["content"] for bullet in told["added"]] == ["What r1 teaches.", "What r3 teaches."]
    assert told["left"] == {"failed": ["r2"]}
    assert (told["calls"], told["reused"], told["block_changed"], told["gave_up"]) == (5, 0, True, "")
    assert told["not_read"] == []
    scripting(lessons())
    assert ace(*LEARN, "--json", "--quiet") == 0
    told = outcome(capsys)
    assert (told["status"], told["runs"], told["passed_over"], told["left"]) == (0, 1, 2, {})


def test_an_error_as_json(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an endpoint that fails for good after the first run, then the object has the error beside what was learned."""

    def down(request: Request) -> str:
        if request.trace == "r2":
            raise EndpointError("HTTP 401")
        return lessons()(request)

    scripting(down)
    assert ace(*LEARN, "--json") == 2
    told = outcome(capsys)
    assert (told["status"], told["error"], told["gave_up"]) == (2, "HTTP 401", "unreachable")
    assert told["counts"] == {"read": 1, "added": 1}
    assert told["left"] == {"untried": ["r2", "r3"]}
    assert ace("learn", "runs.jsonl", "--work", "book", "--set", "max_bullets=x", "--json") == 2
    told = outcome(capsys)
    assert (set(told), told["status"]) == ({"status", "error"}, 2)


def test_ctrl_c_as_json(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given Ctrl-C, then the object says so, and what was learned before."""

    def stopped(request: Request) -> str:
        if request.trace == "r2":
            raise KeyboardInterrupt
        return lessons()(request)

    scripting(stopped)
    assert ace(*LEARN, "--json") == 130
    told = outcome(capsys)
    assert (told["status"], told["counts"]) == (130, {"read": 1, "added": 1})


def test_a_dry_run_as_json(scripting: Scripting, capsys: pytest.CaptureFixture[str]) -> None:
    """Given --dry-run, then the plan is the object."""
    host = scripting(lessons())
    assert ace(*LEARN, "--dry-run", "--json") == 0
    told = outcome(capsys)
    assert (told["dry_run"], told["calls"], told["goes_to"]) == (True, 6, "api.openai.com")
    assert [run["run"] for run in told["runs"]] == ["r1", "r2", "r3"]
    assert told["tokens"] > 100
    assert host.requests == []


def test_what_could_not_be_read_as_json(
    scripting: Scripting, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a line that is none, then the object names it, and the status is 1."""
    scripting(lessons())
    with (tmp_path / "runs.jsonl").open("a") as file:
        file.write("{\n")
    assert ace(*LEARN, "--json") == 1
    told = outcome(capsys)
    assert [told["status"], len(told["not_read"])] == [1, 1]
    assert "line 4" in told["not_read"][0]


# --- a job that is ended ----------------------------------------------------------------------------------------------


def test_a_job_that_is_ended_keeps_what_is_whole(
    scripting: Scripting, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given SIGTERM in the middle, as `timeout` sends it, then what the steps before learned is told and kept, and the handler that
    was there is there again.
    """

    def ended(request: Request) -> str:
        if request.trace == "r2":
            os.kill(os.getpid(), signal.SIGTERM)
        return lessons()(request)

    before = signal.getsignal(signal.SIGTERM)
    scripting(ended)
    assert ace(*LEARN) == 128 + signal.SIGTERM
    assert capsys.readouterr().out.startswith("1 run read; 1 added.\n")
    assert Place(tmp_path / "book").runs_read() == ["r1"]
    assert signal.getsignal(signal.SIGTERM) == before


# --- --wait -----------------------------------------------------------------------------------------------------------


def test_a_folder_in_use_is_waited_for(
    scripting: Scripting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a folder that another command holds: without --wait that is an error at once; with it the command goes on as soon as
    the folder is free; and when the time is over it is the same error.
    """
    scripting(lessons())
    path = tmp_path / "book" / "learn.lock"
    slept: list[float] = []
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds
        if len(slept) == 3 and not is_kept:
            held.__exit__(None, None, None)

    monkeypatch.setattr(time, "sleep", sleep)
    is_kept = True
    held = lock(path, "another command")
    held.__enter__()
    assert ace(*LEARN) == 2
    assert slept == []
    assert "is in use by another command" in capsys.readouterr().err
    assert ace(*LEARN, "--wait", "1") == 2
    assert sum(slept) == pytest.approx(1)
    slept.clear()
    is_kept = False
    assert ace(*LEARN, "--wait", "60") == 0
    assert len(slept) == 3
    with lock(path, "one"), pytest.raises(LockedError), lock(path, "two"):
        pass


# --- the line on a terminal -------------------------------------------------------------------------------------------


class Terminal(io.StringIO):
    """An error stream that is a terminal."""

    def isatty(self) -> bool:
        """Yes."""
        return True


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_a_line_shows_how_far_it_is(
    scripting: Scripting, monkeypatch: pytest.MonkeyPatch, more: list[str]
) -> None:
    """Given a terminal, then a line is there from the first call on, and the lines of progress are above it."""
    terminal = Terminal()
    seen: list[str] = []
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)

    def answer(request: Request) -> str:
        seen.append(terminal.getvalue())
        return lessons()(request)

    scripting(answer)
    assert ace(*LEARN, *more) == 0
    assert "0 of 3 runs |" in seen[0]
    text = terminal.getvalue()
    assert "2 of 3 runs |" in text
    assert " left" in text
    # A line of progress begins where the line at the bottom was taken away.
    assert "\r[run 2 of 3] r2: 1 run read; 1 added\n" in text
    assert not text.rpartition("\r")[2].strip()  # and it is gone in the end


@pytest.mark.parametrize(
    ("more", "term"),
    [(["--quiet"], "xterm"), (["--verbose"], "xterm"), (["--log-format", "json"], "xterm"), ([], "dumb")],
)
def test_where_no_line_is_shown(
    scripting: Scripting, monkeypatch: pytest.MonkeyPatch, more: list[str], term: str
) -> None:
    """Given an option that says otherwise, or a terminal that cannot, then there is no line."""
    terminal = Terminal()
    monkeypatch.setenv("TERM", term)
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr("ace.adapters.cli.output._as_log_lines", False)
    scripting(lessons())
    assert ace(*LEARN, *more) == 0
    assert "\r" not in terminal.getvalue()


def test_without_its_package_there_is_no_line(scripting: Scripting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given an installation without the extra, then progress is told as in a pipe."""
    terminal = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setitem(sys.modules, "tqdm", None)
    scripting(lessons())
    assert ace(*LEARN) == 0
    assert "\r" not in terminal.getvalue()
    assert "[run 3 of 3]" in terminal.getvalue()


class _Meter:
    """What is told of calls."""

    def __init__(self, calls: int, under_way: int, tokens: int) -> None:
        self.calls, self.under_way, self.input_tokens, self.output_tokens = calls, under_way, tokens, 0


@pytest.mark.parametrize(
    ("meter", "seconds", "told"),
    [
        (_Meter(1, 1, 0), 3.2, "1 call under way, 0:03"),
        (_Meter(10, 2, 12345), 80.0, "2 calls under way, 12,345 tokens, 1:20, about 2:00 left"),
        (_Meter(2, 0, 10), 4000.0, "10 tokens, 1:06:40, about 10:00:00 left"),
        (_Meter(20, 0, 10), 60.0, "10 tokens, 1:00"),
    ],
)
def test_the_words_of_the_line(meter: _Meter, seconds: float, told: str) -> None:
    """Given ten runs, then calls, tokens, time and the time left are told, as far as they are known."""

    class Under:
        model, runs, reused = meter, 10, 0

    assert live.told(Under(), seconds) == told  # type: ignore[arg-type]
