"""The command line as a whole: help for a newcomer, and errors that are one sentence each."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.adapters.commands import (
    CALLS,
    RUNS,
    SCRIPT,
    ace,
    assert_sentence,
    environ,
    fails,
    finish,
    name_no_model,
    someone_else,
    start,
    succeeds,
)
from tests.adapters.failing import Module
from tests.adapters.hosting import Host, Place, curation, lessons, record, reflection, run, scripted

from ace.adapters.cli import main
from ace.adapters.store import files
from ace.adapters.store.files import lock
from ace.domain.chain import line_digest
from ace.events.codec import encode_record
from ace.method import ACE

COMMANDS = ("init", "learn", "status", "show", "replay", "rebuild", "adopt", "screen", "trust", "demo")
HISTORY = ("show", "replay", "rebuild", "adopt")


@pytest.fixture(autouse=True)
def _plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal of a known width, and no model in the environment."""
    monkeypatch.setenv("COLUMNS", "100")
    name_no_model(monkeypatch)


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder in which three steps were made."""
    place = Place(tmp_path / "work", rules=b"# Rules\n")
    for name in ("r1", "r2", "r3"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    return place


def learning(place: Place) -> list[object]:
    """A command that learns the demo's runs here."""
    return ["learn", RUNS, "--work", place.root, "--replies", CALLS]


# --- help -----------------------------------------------------------------------------------------------------------


def test_help_says_what_a_newcomer_needs(capsys: pytest.CaptureFixture[str]) -> None:
    """What it does, every command, the first three things to try, and what lies in a work folder."""
    told = succeeds(capsys, "--help")
    assert "recorded runs into a short playbook" in told
    for command in COMMANDS:
        assert f"\n    {command} " in told
    for first in ("ace demo", "ace init", "ace learn runs.jsonl", "ace show"):
        assert first in told
    assert "history/events.jsonl" in told


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It says in a sentence what the command does, and fits a terminal."""
    told = succeeds(capsys, command, "--help")
    assert told.startswith(f"usage: ace {command}")
    assert max(map(len, told.splitlines())) <= 120
    assert "--work DIR" in told


def test_the_help_of_learn_names_settings_environment_and_exit_status(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What a script needs too."""
    told = succeeds(capsys, "learn", "--help")
    for word in (
        "OPENAI_BASE_URL",
        "REEF_UPSTREAM_MODEL",
        "max_bullets=100",
        "prune_margin=2",
        "130",
        "sessions of coding agents",
    ):
        assert word in told


def test_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    """Name and number."""
    name, number = succeeds(capsys, "--version").split()
    assert (name, number.count(".")) == ("ace", 2)


# --- what is wrong with the command line ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "required: COMMAND"),
        (["lern"], "lern"),
        (["learn", "--work", "{new}"], "there is nothing to learn from"),
        (["learn", RUNS, "--work", "{new}", "--modle", "x"], "--modle"),
        (["learn", RUNS, "--work", "{new}"], "no model is named: give --model"),
        (["learn", RUNS, "--work", "{new}", "--model", "m"], "OPENAI_API_KEY"),
        (["learn", RUNS, "--work", "{new}", "--model", "m", "--base-url", "localhost:1"], "http://"),
        (["learn", RUNS, "--work", "{new}", "--model", "m", "--api-key-env", "NOPE"], "NOPE"),
        (["learn", RUNS, "--work", "{new}", "--model", "m", "--base-url", "http://x", "--timeout", "0"], "--timeout must be"),
        (["learn", RUNS, "--work", "{new}", "--timeout", "soon"], "--timeout"),
        (["learn", "missing.jsonl", "--work", "{new}", "--replies", CALLS], "missing.jsonl does not exist"),
        (["learn", "docs", "--work", "{new}", "--replies", CALLS], "docs holds no file that could be a session"),
        (["learn", "none/*.jsonl", "--work", "{new}", "--replies", CALLS], "none/*.jsonl finds no file"),
        (["learn", RUNS.with_name("README.md"), "--work", "{new}", "--replies", CALLS], "README.md"),
        (["learn", RUNS, "--work", "{new}", "--replies", "missing.json"], "missing.json"),
        (["learn", RUNS, "--work", "{new}", "--replies", RUNS], "runs.jsonl"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--model", "m"], "leave out --model"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--base-url", "http://x"], "leave out --base-url"),
        (["learn", RUNS, "--work", "{new}", "--strict"], "--strict goes with --replies"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--format", "csv"], "--format"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--format", "pi"], "runs.jsonl"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--runs-per-step", "0"], "at least 1"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--runs-per-step", "1.5"], "whole number"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bullets"], "KEY=VALUE"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "=5"], "KEY=VALUE"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bulets=5"], "did you mean max_bullets?"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bullets=many"], "max_bullets must be"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bullets=0"], "not 0"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bullets=true"], "not True"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "prune_margin=NaN"], "not nan"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "sections=Others"], "sections must be a list"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "sections=" + "[" * 60_000], "sections"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "max_bullets=" + "9" * 5_000], "max_bullets"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--set", "model=big"], "no model called 'big'"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--check", "/nowhere/check"], "cannot be run"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--check", "'"], "--check must be a command"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--check", " "], "--check must be a command"),
        (["learn", RUNS, "--work", "{new}", "--replies", CALLS, "--rules", RUNS], "named as traces and as rules"),
        (["show", "--work", "{new}", "--sort", "age"], "--sort"),
        *(([command, "--work", "{new}"], "there is no playbook in") for command in HISTORY),
        *(([command, "--work", "{new}", "--scenario", "s"], "name the deployment's `work_dir`") for command in ("show", "replay")),
        # What a host keeps is the host's to put right.
        *(([command, "--work", "{new}", "--scenario", "s"], "--scenario") for command in ("rebuild", "adopt")),
        *(([command, "--work", RUNS], "is a file: name a folder") for command in (*HISTORY, "demo")),
        (["learn", RUNS, "--work", RUNS, "--replies", CALLS], "is a file: name a folder"),
        (["learn", RUNS, "--work", RUNS / "work", "--replies", CALLS], "runs.jsonl/work"),
    ],
)  # fmt: skip
def test_a_wrong_command_line_is_one_sentence(
    arguments: list[object], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what to do, exit status 2, no traceback."""
    new = tmp_path / "new"
    given = [new if argument == "{new}" else argument for argument in arguments]
    assert told in fails(capsys, *given)
    assert not (new / "history").exists()


# --- what is wrong with the folder ------------------------------------------------------------------------------------


def _damage_snapshot(place: Place) -> str:
    place.snapshot.write_bytes(place.snapshot.read_bytes()[:50])
    return str(place.snapshot)


def _newer_snapshot(place: Place) -> str:
    place.snapshot.write_bytes(place.snapshot.read_bytes().replace(b'"step"', b'"weight": 1, "step"'))
    return "newer"


def _damage_log(place: Place) -> str:
    data = place.log.path.read_bytes()
    place.log.path.write_bytes(data[:-20] + b"\n")
    return str(place.log.path)


def _newer_log(place: Place) -> str:
    last = place.records()[-1]
    with place.log.path.open("ab") as file:
        file.write(encode_record(record(4, last, v=3)) + b"\n")
    return "newer ace"


@pytest.mark.parametrize(
    ("damage", "commands"),
    [
        (_damage_snapshot, ("learn", "show", "replay", "adopt")),
        (_newer_snapshot, ("learn", "show", "replay", "adopt")),
        (_damage_log, ("learn", "show ace-00001", "replay", "rebuild", "adopt")),
        (_newer_log, ("learn", "show ace-00001", "replay", "rebuild", "adopt")),
    ],
)
def test_damage_is_one_sentence_and_stays(
    place: Place,
    damage: Callable[[Place], str],
    commands: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Every command that reads the file says so, and writes nothing."""
    told = damage(place)
    before = place.files()
    for command in commands:
        name, *more = command.split()
        arguments = learning(place) if name == "learn" else [name, *more, "--work", place.root]
        assert told in fails(capsys, *arguments)
        assert place.files() == before


def test_malformed_markers_are_one_sentence(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Each command that would write or compare the block names the lines; none writes anything."""
    place.rules.write_bytes(place.rules.read_bytes() + b"<!-- ace:playbook:begin -->\n")
    before = place.files()
    for arguments in (
        learning(place),
        ["replay", "--work", place.root],
        ["rebuild", "--work", place.root],
        ["adopt", "--work", place.root],
    ):
        assert "begin on line 3, end on line 13, begin on line 14" in fails(capsys, *arguments)
        assert place.files() == before


def test_a_changed_snapshot_is_not_adopted_while_the_markers_are_malformed(
    place: Place, capsys: pytest.CaptureFixture[str]
) -> None:
    """Adopting and rebuilding wait for the markers: neither log nor snapshot is written before."""
    place.snapshot.write_bytes(place.snapshot.read_bytes().replace(b"What r3", b"What I say r3"))
    place.rules.write_bytes(place.rules.read_bytes() + b"<!-- ace:playbook:begin -->\n")
    before = place.files()
    for command in ("adopt", "rebuild"):
        fails(capsys, command, "--work", place.root)
        assert place.files() == before


@pytest.mark.parametrize("name", ["lock", "learn.lock"])
def test_a_locked_folder_says_who_holds_it(
    place: Place, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Writers are refused at once; readers need no lock."""
    before = place.files()
    with lock(place.root / name, "process 4711 (ace learn)"):
        told = fails(capsys, *learning(place))
        assert "in use by process 4711 (ace learn)" in told
        for command in ("rebuild", "adopt") if name == "lock" else ():
            assert "process 4711" in fails(capsys, command, "--work", place.root)
        for command in ("show", "replay"):
            succeeds(capsys, command, "--work", place.root)
    assert place.files() == before


def test_a_folder_in_the_place_of_the_rules(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence names it."""
    place.rules.unlink()
    place.rules.mkdir()
    for arguments in (learning(place), *([name, "--work", place.root] for name in HISTORY[1:])):
        told = fails(capsys, *arguments)
        assert f"ace: {place.rules} is a folder: name the rules file in it" in told


@pytest.fixture
def reachable() -> Iterator[Path]:
    """A folder that every user can reach."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


def test_a_folder_that_cannot_be_written(reachable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence names the file that could not be made, and says that nothing is lost."""
    place = Place(reachable / "work", rules=b"# Rules\n")
    ACE().step(place.context([run("r1")]), Host(lessons()))
    for name in ("show", "replay", "rebuild"):
        succeeds(capsys, name, "--work", place.root)  # Loads what another user may not be able to.
    for path in (place.root / "learn.lock", place.root / "lock"):
        path.unlink(missing_ok=True)
    ace(*learning(Place(reachable / "other")))
    place.root.chmod(0o555)
    before = place.files()
    with someone_else():
        told = fails(capsys, *learning(place))
        assert f"ace: {place.root}/learn.lock: Permission denied. What is in the log is kept" in told
        assert "Permission denied" in fails(capsys, "rebuild", "--work", place.root)
        succeeds(capsys, "show", "--work", place.root)
        succeeds(capsys, "replay", "--work", place.root)
    assert place.files() == before
    place.root.chmod(0o755)


@pytest.mark.parametrize("part", [".", "state", "history", "rules.md"])
def test_a_folder_that_cannot_be_read(reachable: Path, part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It is not taken for an empty one."""
    place = Place(reachable / "work", rules=b"# Rules\n")
    ACE().step(place.context([run("r1")]), Host(lessons()))
    for name in ("show", "replay"):
        succeeds(capsys, name, "--work", place.root)
    (place.root / part).chmod(0)
    with someone_else():
        assert "Permission denied" in fails(capsys, "replay", "--work", place.root)
        if part in (".", "state"):
            assert "Permission denied" in fails(capsys, "show", "--work", place.root)
    (place.root / part).chmod(0o755)


def test_traces_that_cannot_be_read(reachable: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence names the file."""
    traces = reachable / "runs.jsonl"
    traces.write_bytes(RUNS.read_bytes())
    succeeds(capsys, "learn", traces, "--work", reachable / "work", "--dry-run")
    traces.chmod(0)
    with someone_else():
        told = fails(capsys, "learn", traces, "--work", reachable / "work", "--dry-run")
    assert f"{traces} cannot be read (Permission denied)" in told


def test_a_full_disk_in_the_middle(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence names the file; what was finished is kept, and the same command goes on from there."""
    lines = place.log.path.read_bytes().count(b"\n")

    def write(descriptor: int, data: bytes) -> int:
        if (
            os.readlink(f"/proc/self/fd/{descriptor}").endswith("events.jsonl")
            and len(place.records()) == lines + 4
        ):
            raise OSError(28, "No space left on device")
        return os.write(descriptor, data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "os", Module(os, write=write))
        assert ace(*learning(place)) == 2
    *progress, told = capsys.readouterr().err.splitlines()
    assert len(progress) == 4
    assert told == (
        f"ace: {place.log.path}: No space left on device. What is in the log is kept: fix this, then run the command again"
    )
    assert len(place.records()) == lines + 4
    assert place.agrees()
    assert ace(*learning(place)) == 1  # one of the demo's replies is unusable
    assert len(place.runs_read()) == 3 + 13


# --- terminals and pipes ----------------------------------------------------------------------------------------------


def test_a_reader_that_goes_away(place: Place) -> None:
    """`ace show | head` is not an error, and says nothing of it."""
    many = scripted(reflection(), curation(*(f"Lesson {number} {'x' * 1000}." for number in range(90))))
    ACE().step(place.context([run("r4")]), Host(many))
    process = start(["show", "--work", place.root])
    assert process.stdout is not None
    process.stdout.read(10)
    process.stdout.close()
    assert process.stderr is not None
    told = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=60), told) == (0, "")


def test_a_terminal_that_lacks_characters(place: Place) -> None:
    """They are escaped; a lesson in any script is not a reason to fail."""
    odd = scripted(reflection(), curation("Grüße an 日本 \U0001f642."))
    ACE().step(place.context([run("r4")]), Host(odd))
    env = environ(PYTHONIOENCODING="ascii", COLUMNS="200")
    status, out, err = finish(start(["show", "--work", place.root], env))
    assert (status, err) == (0, "")
    assert "Gr\\xfc\\xdfe an \\u65e5\\u672c \\U0001f642." in out


def test_the_console_script_fails_as_the_function_does(tmp_path: Path) -> None:
    """Status 2 and the sentence, in a process of its own."""
    status, out, err = finish(start(["show", "--work", tmp_path / "nothing"]))
    assert (status, out) == (2, "")
    assert_sentence(err)


def test_the_console_script_gives_help(tmp_path: Path) -> None:
    """`ace --help`, from any folder."""
    done = subprocess.run([SCRIPT, "--help"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "ace demo" in done.stdout


def test_a_bug_is_not_told_as_a_users_mistake(monkeypatch: pytest.MonkeyPatch, place: Place) -> None:
    """What is neither an error of ours nor of the system comes with its traceback."""

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ace.adapters.store.folder_book.read_snapshot", broken)
    with pytest.raises(ZeroDivisionError):
        main(["show", "--work", str(place.root)])


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="counts what /proc/self/fd lists")
def test_an_output_that_fails_leaves_nothing_open(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], place: Place
) -> None:
    """Given a host that runs commands in its own process, and output that cannot be written, then no descriptor is left."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")  # as a write to a stream tells it: without a name

    monkeypatch.setattr("ace.adapters.store.folder_book.read_snapshot", full)
    for stream in (sys.stdout, io.StringIO()):  # one with a descriptor, one without
        monkeypatch.setattr("sys.stdout", stream)
        before = len(os.listdir("/proc/self/fd"))
        assert [main(["show", "--work", str(place.root)]) for _ in range(3)] == [2, 2, 2]
        assert len(os.listdir("/proc/self/fd")) == before
    assert "the output: No space left on device" in capfd.readouterr().err


def test_a_chain_by_hand_is_a_chain(place: Place) -> None:
    """What the tests of damage rely on: the digest of a line is that of its record."""
    lines = place.log.path.read_bytes().splitlines()
    assert [line_digest(encode_record(one)) for one in place.records()] == [
        line_digest(line) for line in lines
    ]
    assert json.loads(lines[1])["prev"] == line_digest(lines[0])


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_fits_into_80_columns(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No line of any help is cut or wrapped by a terminal of the usual width."""
    monkeypatch.setenv("COLUMNS", "80")
    out = succeeds(capsys, *filter(None, [command]), "--help")
    assert [line for line in out.splitlines() if len(line) > 80] == []
