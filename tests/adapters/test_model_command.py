"""A command as the model: what it is given, what its output and its end mean, and that nothing of it is left behind."""

from __future__ import annotations

import json
import os
import select
import shlex
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.commands import ace
from tests.adapters.hosting import Place, curation, reflection
from tests.domain.fakes import CREDENTIALS

from ace.adapters.cli import main
from ace.adapters.models import CommandModel
from ace.adapters.store.trust import trust
from ace.domain.errors import CallError, EndpointError, SettingsError, TooLongError
from ace.ports import Request

REQUEST = Request(
    role="reflector", run=1, trace="a", prompt="Why? {} $HOME `id` é\n", schema={"type": "object"}
)


def python(code: str, *arguments: str) -> str:
    """A command that runs this code."""
    return shlex.join([sys.executable, "-c", code, *arguments])


def asked(command: str, **more: Any) -> str:
    """The reply of a command."""
    with CommandModel(command, **more) as model:
        return model.complete(REQUEST).text


# --- what it is given -------------------------------------------------------------------------------------------------


def test_the_prompt_goes_in_and_the_reply_comes_out() -> None:
    """Given a command that prints what it reads, then the reply is the prompt, to the byte."""
    with CommandModel("cat") as model:
        completion = model.complete(REQUEST)
    assert completion.text == REQUEST.prompt
    assert completion.model == "cat"
    assert (completion.input_tokens, completion.output_tokens) == (None, None)


def test_there_is_no_shell() -> None:
    """Given words that a shell would act on, then they are words."""
    assert asked("echo '$HOME' '|' a\\ b ; rm") == "$HOME | a b ; rm\n"


def test_it_runs_in_an_empty_folder_that_goes_with_it() -> None:
    """Given a command that looks around and leaves a file, then it finds nothing, knows that it is run by `ace`, and all is gone."""
    code = (
        "import os, json; before = os.listdir('.'); open('left', 'w').write('x');"
        "print(json.dumps([before, os.getcwd(), os.environ['PWD'], os.environ['ACE_RUNNING'], os.getpgrp() == os.getpid()]))"
    )
    before, folder, pwd, running, leads = json.loads(asked(python(code)))
    assert (before, running, leads) == ([], "1", True)
    assert os.path.realpath(pwd) == folder
    assert not Path(folder).exists()


def test_the_schema_of_the_reply_is_there_for_the_asking() -> None:
    """Given `{schema}` and `{schema_file}` as words, then they are the schema and a file with it."""
    code = "import sys, pathlib; print(sys.argv[1], pathlib.Path(sys.argv[2]).read_text(), sys.argv[3])"
    told = asked(python(code, "{schema}", "{schema_file}", "a{schema}"))
    assert told == '{"type": "object"} {"type": "object"} a{schema}\n'


def test_a_relative_program_is_found_from_where_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given `./model`, then it is the one in the folder that the command was named in."""
    program = tmp_path / "model"
    program.write_text("#!/bin/sh\necho here\n")
    program.chmod(0o755)
    assert asked("./model", folder=tmp_path) == "here\n"
    monkeypatch.chdir(tmp_path)
    assert asked("./model") == "here\n"
    monkeypatch.setenv("HOME", str(tmp_path))
    assert asked("~/model") == "here\n"


# --- what its end means -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("import sys; sys.exit(3)", "ended with status 3: it said nothing"),
        ("import sys; print('a draft'); sys.exit('no  such\\nmodel')", "ended with status 1: no such model"),
        ("import sys; print('Please log in'); sys.exit(1)", "ended with status 1: Please log in"),
        ("import os; os.kill(os.getpid(), 9)", "was ended by signal 9: it said nothing"),
        ("import sys; sys.exit('\\x1b[31mbad\\x1b[0m key')", "ended with status 1: bad key"),
        ("import sys; sys.exit('x' * 9000 + ' the end')", "the end"),
    ],
)
def test_another_status_is_a_failed_call(code: str, told: str) -> None:
    """Given a command that fails, then the call failed, and the reason is what it said last."""
    with pytest.raises(CallError) as raised:
        asked(python(code))
    assert type(raised.value) is CallError
    assert told in str(raised.value)
    assert len(str(raised.value)) < 400


def test_no_credential_is_in_the_reason() -> None:
    """Given a command that prints its key when it fails, also at the cut, then the reason has none of it."""
    key = CREDENTIALS["OpenAI key"]
    for behind in (0, 260, 290):
        with pytest.raises(CallError) as raised:
            asked(python(f"import sys; sys.exit({key!r} + ' ' + 'y' * {behind})"))
        assert key[10:30] not in str(raised.value)


def test_a_prompt_that_is_too_long_is_told_apart() -> None:
    """Given words that say so, then no other call with this prompt is made."""
    with pytest.raises(TooLongError):
        asked(python("import sys; sys.exit('Error: prompt is too long: 9000 tokens > 4096 maximum')"))


def test_a_command_that_takes_too_long_is_killed_with_all_that_it_started(tmp_path: Path) -> None:
    """Given a command that waits, and a child of it that does, then both are killed when the time is over."""
    code = (
        "import os, signal, pathlib; child = os.fork();"
        f"child and pathlib.Path({str(tmp_path / 'pids')!r}).write_text(f'{{os.getpid()}} {{child}}');"
        "signal.pause()"
    )
    with pytest.raises(CallError, match=r"no reply within 0.5 s, and was killed"):
        asked(python(code), timeout_s=0.5)
    for pid in map(int, (tmp_path / "pids").read_text().split()):
        assert _is_gone(pid)


def _is_gone(pid: int) -> bool:
    """Whether the process ends: a kill takes a moment to arrive, and only its parent is told."""
    try:
        process = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        ending = select.poll()
        ending.register(process, select.POLLIN)
        return bool(ending.poll(30_000))
    finally:
        os.close(process)


def test_a_command_that_never_stops_printing_is_killed() -> None:
    """Given a command that prints without end, then the call failed before it filled the disk."""
    with pytest.raises(CallError, match="printed more than"):
        asked("yes")


@pytest.mark.parametrize("command", ["no-such-program-here", "/", "./no/such/program"])
def test_a_command_that_cannot_be_run_fails_for_good(command: str) -> None:
    """Given an unknown program, then every call would fail so."""
    with pytest.raises(EndpointError, match="cannot be run"):
        asked(command)


@pytest.mark.parametrize("command", ["", "  ", "'open", '""'])
def test_what_is_no_command(command: str) -> None:
    """Given nothing to run, then that is an error at start."""
    with pytest.raises(SettingsError):
        CommandModel(command)


def test_close_kills_what_is_running(tmp_path: Path) -> None:
    """Given calls that are under way in threads, when the model is closed, then they end as failed calls, and no more is begun."""
    fifo = tmp_path / "begun"
    os.mkfifo(fifo)
    model = CommandModel(
        python(
            "import os, signal, sys; open(sys.argv[1], 'w').write(f'{os.getpid()} '); signal.pause()",
            str(fifo),
        )
    )
    errors: list[str] = []

    def call() -> None:
        try:
            model.complete(REQUEST)
        except CallError as error:
            errors.append(str(error))

    threads = [threading.Thread(target=call) for _ in range(2)]
    for thread in threads:
        thread.start()
    pids: list[int] = []
    while len(pids) < 2:
        pids += map(int, fifo.read_text().split())
    model.close()
    for thread in threads:
        thread.join(timeout=30)
    assert all(map(_is_gone, pids))
    assert errors == [f"the model command was ended by signal {signal.SIGKILL}: it said nothing"] * 2
    with pytest.raises(CallError, match="not run any more"):
        model.complete(REQUEST)


# --- in `ace learn` ---------------------------------------------------------------------------------------------------


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with runs, in which the commands are given, and a model."""
    (tmp_path / "runs.jsonl").write_text(
        "".join(f'{{"id": "{name}", "task": "Do {name}.", "reply": "Done."}}\n' for name in ("r1", "r2"))
    )
    replies = json.dumps([reflection(), curation("Look first, then act.")])
    (tmp_path / "model").write_text(
        f"#!{sys.executable}\nimport sys, json\n"
        f"replies = json.loads({replies!r})\n"
        "print('Well:', replies['operations' in sys.stdin.read()])\n"
    )
    (tmp_path / "model").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    return tmp_path


WORK = ("--work", "book")


def test_learning_with_a_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a command, then runs are read with it; the first time it is said to which command they go."""
    assert ace("learn", "runs.jsonl", *WORK, "--model-command", "./model") == 0
    out, err = capsys.readouterr()
    assert "2 runs of yours will be sent to the command ./model." in err
    assert "2 runs read; 1 added, 1 duplicate" in out
    assert "Asked: 4 calls, " in out
    calls = json.loads((project / "book" / "steps" / "00001" / "calls.json").read_bytes())
    assert {call["model"] for call in calls} == {"./model"}
    assert Place(project / "book").contents() == ["Look first, then act."]


@pytest.mark.usefixtures("project")
def test_a_budget_holds_for_a_command_too(capsys: pytest.CaptureFixture[str]) -> None:
    """Given a command, which tells no tokens, and a small budget, then it is spent by what the characters come to."""
    arguments = ("--model-command", "./model", "--max-tokens-total", "100")
    assert ace("learn", "runs.jsonl", *WORK, *arguments) == 1
    assert "The budget of tokens (--max-tokens-total) is spent" in capsys.readouterr().err


def test_a_dry_run_names_the_command(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given --dry-run, then nothing is run, and the command is named."""
    assert project.exists()
    assert ace("learn", "runs.jsonl", *WORK, "--dry-run", "--model-command", "no-such-program -x") == 0
    assert "They would be sent to the command no-such-program." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "variables", "told"),
    [
        (["--model-command", "./model", "--schema", "on"], {}, "--schema is for an endpoint"),
        (["--model-command", "./model", "--model", "m"], {}, "--model is for an endpoint"),
        (["--temperature", "0"], {"ACE_MODEL_COMMAND": "./model"}, "--temperature is for an endpoint"),
        (["--model-command", "./model", "--replies", "x"], {}, "--replies answers in place of a model"),
        (["--model-command", "'open"], {}, "cannot be split into words"),
        (["--model-command", "./model", "--timeout", "0"], {}, "--timeout must be a number of seconds"),
        (["--model-command", "a", "--model-command", "b"], {}, "--model-command is given twice"),
    ],
)
def test_what_does_not_go_together(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    variables: dict[str, str],
    told: str,
) -> None:
    """Given options of an endpoint beside a command, then that is an error before any call."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ace("learn", "runs.jsonl", *WORK, *arguments) == 2
    assert told in capsys.readouterr().err
    assert not (project / "book" / "steps").exists()


def test_a_flag_beats_a_variable_beats_the_file(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a command in each of the three, then the flag's is run, without it the variable's, and without that the file's, which
    counts only if it is trusted; an endpoint that is named before a command beats it.
    """
    book = project / "book"
    book.mkdir()
    config = book / "config.toml"
    config.write_text('[model]\ncommand = "./no-such-file"\n')
    plan = ("learn", "runs.jsonl", *WORK, "--dry-run")

    def told(*more: str) -> str:
        assert ace(*plan, *more) == 0
        return next(line for line in capsys.readouterr().out.splitlines() if "would be sent" in line)

    assert ace(*plan) == 2
    assert "is not trusted, and it sets model.command" in capsys.readouterr().err
    trust(config, config.read_bytes())
    assert "the command ./no-such-file." in told()
    monkeypatch.setenv("ACE_MODEL_COMMAND", "./of-the-variable")
    assert "the command ./of-the-variable." in told()
    assert "the command ./of-the-flag." in told("--model-command", "./of-the-flag")
    assert "sent to localhost." in told("--base-url", "http://localhost:1/v1")
    monkeypatch.delenv("ACE_MODEL_COMMAND")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere:1/v1")
    assert ace(*plan) == 0
    out, err = capsys.readouterr()
    assert "sent to elsewhere." in out
    assert "The variable OPENAI_BASE_URL names an endpoint, and beats the command in" in err


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('command = " "', "model.command is empty"),
        ('command = "x"\nbase_url = "http://localhost:1"', "leave out model.base_url, or the command"),
        ('command = "x"\nschema = "on"', "leave out model.schema, or the command"),
        ("command = 3", "model.command"),
    ],
)
def test_a_file_that_says_too_much(
    project: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    """Given a command beside an endpoint's keys in config.toml, then that is an error that names the key."""
    (project / "book").mkdir()
    (project / "book" / "config.toml").write_text(f"[model]\n{text}\n")
    assert ace("learn", "runs.jsonl", *WORK) == 2
    assert told in capsys.readouterr().err


def test_a_command_of_the_file_is_found_from_the_project(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `./model` in the configuration, then it is the one in the project, wherever the command is given; `ace trust` shows it."""
    assert ace("init", "--rules", "AGENTS.md") == 0
    config = project / ".ace" / "config.toml"
    config.write_text(config.read_text() + '\n[model]\ncommand = "./model"\ntimeout = 60\n')
    assert ace("trust") == 0
    assert "give runs to the command './model'" in capsys.readouterr().out
    (project / "below").mkdir()
    monkeypatch.chdir(project / "below")
    assert ace("learn", "../runs.jsonl") == 0
    assert "Look first, then act." in (project / "AGENTS.md").read_text()


def test_a_command_inside_of_a_command_does_nothing(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given ACE_RUNNING=1, as an agent's hook has it, then `ace learn` ends at once with 0, whatever it was given."""
    monkeypatch.setenv("ACE_RUNNING", "1")
    assert main(["learn", "missing.jsonl"]) == 0
    assert "nothing is done" in capsys.readouterr().err
    assert not (project / "book").exists()
    assert main(["show", "--work", "book"]) == 2  # other commands look at it all the same


def test_a_program_that_is_not_there_ends_the_command(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a command that cannot be run, then no second call is made, and the status is 2."""
    assert ace("learn", "runs.jsonl", *WORK, "--model-command", "no-such-program") == 2
    assert "'no-such-program' cannot be run (No such file or directory)" in capsys.readouterr().err
    assert not (project / "book" / "history").exists()
