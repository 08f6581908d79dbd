"""`ace sessions`, and which runs `ace learn` takes of folders and of agents' own sessions."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import msgspec
import pytest
from tests.adapters.commands import ace, fails, succeeds
from tests.adapters.hosting import Host, lessons
from tests.adapters.recordings import SESSIONS, Asked, Work

from ace.adapters.cli import learn as learn_module
from ace.listing import Survey

CLAUDE = next(form for form in SESSIONS if form.name == "claude-code")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in a made home folder; commands run in it."""
    home = tmp_path / "home"
    project = home / "project"
    project.mkdir(parents=True)
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "GEMINI_CLI_HOME", "XDG_DATA_HOME", "OPENCODE_DB"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(project)
    return project


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Host:
    """A scripted model in the place of the endpoint."""
    host = Host(lessons())
    monkeypatch.setattr(learn_module, "model_of", lambda _: host)
    return host


def session(path: Path, *asked: Asked, rested: float = 7200.0, cwd: Path | None = None) -> Path:
    """A session of Claude Code that was last changed so many seconds ago, held in this folder."""
    rows = [json.loads(line) for line in CLAUDE.render(list(asked)).splitlines()]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps({**row, "cwd": str(cwd)} if cwd else row) + "\n" for row in rows))
    then = time.time() - rested
    os.utime(path, (then, then))
    return path


ONE, TWO = Asked(("Fix the test.",)), Asked(("no, use pnpm.",))
FAILED = Asked(
    ("Build it.",), (Work("", "bash", {"command": "yarn"}, "yarn: command not found", failed=True),)
)


# Open turns


def test_open_turns_are_told_and_left(project: Path, model: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a session that was changed just now, then its last turn waits. A first command that finds nothing else ends with 1, and
    so does no later one, which says nothing with --quiet. The turn is read with --settle 0, or once its file is named.
    """
    path = session(project / "logs" / "s.jsonl", ONE, rested=5)
    assert ace("learn", "logs", "--rules", "AGENTS.md", "--work", ".ace") == 1
    out, _ = capsys.readouterr()
    assert "Nothing was read: 1 turn is still open" in out
    assert "--settle 0" in out
    assert model.requests == []
    session(path, ONE, TWO, rested=5)
    assert ace("learn", "logs") == 0
    out, err = capsys.readouterr()
    assert out.startswith("1 run read")
    assert "1 turn still open" in err
    assert ace("learn", "logs") == 0, "all that can be read was read"
    out, err = capsys.readouterr()
    assert "1 turn still open" in err
    assert "Nothing was read" not in out
    assert ace("learn", "logs", "--quiet") == 0
    assert capsys.readouterr() == ("", "")
    assert ace("learn", path) == 0
    assert capsys.readouterr().out.startswith("1 run read")
    session(path, ONE, TWO, FAILED, rested=5)
    assert ace("learn", "logs", "--settle", "0") == 0
    assert capsys.readouterr().out.startswith("1 run read")
    assert ace("learn", "logs", "--settle", "0") == 0
    assert "nothing new" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["soon", "-1", "1y", "", "h", "1.5h"])
def test_a_length_of_time_that_is_none(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be a length of time is an error."""
    assert "is not a length of time" in fails(capsys, "learn", "x", f"--settle={text}")


# Where runs come from


def test_the_sessions_that_an_agent_keeps(
    project: Path, model: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given sessions of this project and of another, then `--from` takes this project's, from the project of the folder."""
    kept = Path(os.environ["HOME"]) / ".claude" / "projects"
    session(kept / "a" / "1.jsonl", ONE, cwd=project / "src")
    session(kept / "b" / "2.jsonl", TWO, cwd=project.parent / "other")
    (project / "src").mkdir()
    succeeds(capsys, "init")
    os.chdir(project / "src")
    assert ace("learn", "--from", "claude-code") == 0
    assert "1 run read" in capsys.readouterr().out
    told = fails(capsys, "learn", "--from", "codex")
    assert "there is no session of codex in" in told
    assert ace("learn", "--from", "claude-code", "--project", "../../other") == 0
    assert "1 run read" in capsys.readouterr().out
    assert ace("learn", "--from", "claude-code", "--from", "codex") == 0
    assert "there is no session of codex in" in capsys.readouterr().err
    assert len(model.requests) == 4


def test_the_configuration_names_an_agent(
    project: Path, model: Host, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `from` in config.toml, then it counts once the file is trusted; options beat it."""
    session(Path(os.environ["HOME"]) / ".claude/projects/a/1.jsonl", ONE, cwd=project)
    succeeds(capsys, "init")
    config = project / ".ace" / "config.toml"
    config.write_text('from = ["claude-code"]\n' + config.read_text())
    for command in ("learn", "sessions"):
        assert "it sets from: look at it and say `ace trust" in fails(capsys, command)
    assert model.requests == []
    assert "read this project's sessions of 'claude-code'" in succeeds(capsys, "trust")
    assert "1 run, 1 unread" in succeeds(capsys, "sessions")
    assert ace("learn") == 0
    assert "1 run read" in capsys.readouterr().out
    config.write_text(config.read_text().replace("claude-code", "claude", 1))
    succeeds(capsys, "trust")
    assert "there is no tool 'claude' whose sessions are found: name claude-code, codex" in fails(
        capsys, "learn"
    )


@pytest.mark.usefixtures("model")
def test_since(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a time, then only what ended later is read."""
    rows = [
        {"task": "Old.", "reply": "Done.", "time": "2020-01-01T00:00:00Z"},
        {"task": "New.", "reply": "Done.", "time": "2020-03-01T00:00:00Z"},
    ]
    (project / "runs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert ace("learn", "runs.jsonl", "--work", "w", "--since", "2020-02-01") == 0
    assert "1 run read" in capsys.readouterr().out
    assert "is not a time" in fails(capsys, "learn", "runs.jsonl", "--work", "w", "--since", "lately")


@pytest.mark.usefixtures("model")
def test_what_is_no_session_in_a_folder(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given other files beside the sessions, then they are counted, and the command ends well."""
    session(project / "logs" / "s.jsonl", ONE)
    (project / "logs" / "package.json").write_text('{"name": "x"}')
    assert ace("learn", "logs", "--work", "w") == 0
    out, err = capsys.readouterr()
    assert "1 file in the folders is not a session, such as logs/package.json" in err
    assert "Not read" not in out
    assert "no session: logs/package.json, line 1, is in no format known here. It looks like" in succeeds(
        capsys, "sessions", "logs", "--work", "w"
    )


@pytest.mark.usefixtures("model")
def test_the_runs_that_teach_most_come_first(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a limit, then the run with a failed command and the corrected one come first, and the rest is counted."""
    session(project / "s.jsonl", Asked(("Plain.",)), FAILED, TWO, Asked(("More.",)))
    first = succeeds(capsys, "learn", "s.jsonl", "--work", "w", "--limit", "1", "--dry-run")
    listed = json.loads(succeeds(capsys, "sessions", "s.jsonl", "--work", "w", "--json"))["runs"]
    assert first.split()[0] == listed[0]["run"]
    assert listed[0]["why"] == "corrected by the user, command not found"
    assert ace("learn", "s.jsonl", "--work", "w", "--limit", "1") == 0
    assert "Left for later by --limit: 3 runs." in capsys.readouterr().out
    again = json.loads(succeeds(capsys, "sessions", "s.jsonl", "--work", "w", "--json"))["runs"]
    assert [(run["run"], run["state"]) for run in again] == [
        *((run["run"], "unread") for run in listed[1:]),
        (listed[0]["run"], "read"),
    ]


# The list


def test_the_list(project: Path, model: Host, capsys: pytest.CaptureFixture[str]) -> None:
    """Given sessions and a file of scored runs, then each has a line, with what is passed over, and the unread runs are in order."""
    session(project / "logs" / "a.jsonl", ONE, FAILED)
    session(project / "logs" / "b.jsonl", ONE, FAILED, TWO, rested=3)
    rows = [{"id": f"r{score}", "task": "x", "reply": "y", "score": score, "odd": 1} for score in (0, 1)]
    (project / "logs" / "c.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    out = succeeds(capsys, "sessions", "logs")
    lines = out.splitlines()
    assert lines[0].startswith("claude-code ")
    assert "2 runs, 2 unread" in lines[0]
    assert "0 runs, 1 open" in lines[1]
    assert "passed over: a run that an earlier file holds (2 times)" in lines[2]
    assert lines[3].startswith("ace ")
    assert "scores 0 to 1" in lines[3]
    assert "not known: odd (2 times)" in lines[4]
    assert "Unread, in the order in which --limit takes them:" in out
    assert "score 0" in next(line for line in lines if line.startswith(" 1 "))
    assert lines[-1].startswith("3 files with 4 runs, 4 unread. 1 turn still open")
    assert "There is no playbook here that has read any." in lines[-1]
    assert "and 3 more (--runs 0 lists all)" in succeeds(capsys, "sessions", "logs", "--runs", "1")
    assert not (project / ".ace").exists()
    assert model.requests == []


def test_the_list_as_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given `--json`, then all of it is one object, in the shape of `ace.listing.Survey`."""
    session(project / "a.jsonl", ONE, FAILED)
    found = msgspec.json.decode(succeeds(capsys, "sessions", "a.jsonl", "--json"), type=Survey)
    assert [(each.tool, each.runs, each.unread) for each in found.sessions] == [("claude-code", 2, 2)]
    assert sum(run.characters for run in found.runs) == found.sessions[0].characters
    assert [run.place for run in found.runs] == [1, 2]


@pytest.mark.usefixtures("project")
def test_nothing_to_list(capsys: pytest.CaptureFixture[str]) -> None:
    """Given no name at all, or one of nothing, then the command says so."""
    assert "name files or folders of sessions, or an agent with --from" in fails(capsys, "sessions")
    assert "missing.jsonl does not exist" in fails(capsys, "sessions", "missing.jsonl")


def test_a_name_from_outside_is_visible(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an id that a terminal would obey, then it is shown as an escape."""
    row = {"id": "x\x1b[2J", "task": "x", "reply": "y"}
    (project / "c.jsonl").write_text(json.dumps(row) + "\n")
    assert "\x1b" not in succeeds(capsys, "sessions", "c.jsonl")


# What the configuration says


def test_since_and_settle_can_be_configured(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given `since` and `settle` in the configuration, then they count for the sessions that it names; an option beats them, and for
    files that are named they do not count.
    """
    session(project / "logs/fresh.jsonl", ONE, TWO, rested=60)
    (project / ".ace").mkdir()
    config = project / ".ace/config.toml"
    config.write_text('traces = ["logs"]\nsettle = "30s"\nsince = "2020-01-01"\n')
    assert "settle" in fails(capsys, "sessions")
    succeeds(capsys, "trust")
    assert "2 runs, 2 unread" in succeeds(capsys, "sessions")
    assert "1 run, 1 unread" in succeeds(capsys, "sessions", "--settle", "1h")
    assert "1 run, 1 unread" in succeeds(capsys, "sessions", "logs")
    config.write_text('traces = ["logs"]\nsettle = 0\nsince = "2099-01-01"\n')
    succeeds(capsys, "trust")
    assert "a file that was last changed before then" in succeeds(capsys, "sessions")


@pytest.mark.parametrize("line", ['settle = "soon"', 'since = "soon"', "settle = -1", "settle = 1.5"])
def test_what_cannot_be_a_time_is_an_error(
    project: Path, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a time that cannot be one, then the error names the file."""
    (project / ".ace").mkdir()
    (project / ".ace/config.toml").write_text(f'traces = ["logs"]\n{line}\n')
    if line != "settle = 1.5":  # which is none of its values
        succeeds(capsys, "trust")
    assert "config.toml" in fails(capsys, "sessions")
