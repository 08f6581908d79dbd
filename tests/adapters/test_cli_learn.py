"""`ace learn`: which runs it reads, what it tells, how it ends, and what the next command takes up."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.adapters.commands import CALLS, RUNS, SCRIPT, ace, fails, succeeds
from tests.adapters.hosting import P1, Host, Place, Script, bullet, curation, lessons, reflection, scripted

from ace.adapters.cli import learn as learn_module
from ace.domain.errors import CallError
from ace.domain.playbook import Playbook
from ace.events.types import RunSkipped
from ace.ports import Request

DEMO = [json.loads(line)["id"] for line in RUNS.read_text().splitlines()]
MIDDLE = "demo-05-call-3"
UNUSABLE = "demo-09-leaking-tags"
LEFT = 1
"""How the demo's command ends: one of its replies is unusable, and that run is left to be read."""
READ = [name for name in DEMO if name not in (MIDDLE, UNUSABLE)]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A work folder with rules that a person wrote."""
    return Place(tmp_path / "work", rules=b"# Rules\n\n- Be kind.\n")


def demo(place: Place, *more: object) -> list[object]:
    """The command that learns the demo's runs from their recorded replies."""
    return ["learn", RUNS, "--work", place.root, "--rules", place.rules, "--replies", CALLS, *more]


type Scripting = Callable[[Script], Host]


@pytest.fixture
def scripting(monkeypatch: pytest.MonkeyPatch) -> Scripting:
    """Puts a scripted model in the place of the endpoint."""

    def put(script: Script) -> Host:
        host = Host(script)
        monkeypatch.setattr(learn_module, "model_of", lambda _: host)
        return host

    return put


def runs_file(tmp_path: Path, *names: str, name: str = "runs.jsonl") -> Path:
    """A file of small runs."""
    rows = [
        {
            "id": one,
            "messages": [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": "Done."}],
        }
        for one in names
    ]
    path = tmp_path / name
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


# --- from recorded replies ------------------------------------------------------------------------------------------


def test_learning_the_demo(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Progress goes to the error stream, the outcome to the output, and the block into the rules."""
    assert ace(*demo(place)) == LEFT
    out, err = capsys.readouterr()
    assert "[run 3 of 14] demo-03-page-count: 1 run read; 2 added\n" in err
    assert err.count("[run ") == 14
    first, second, *_ = out.splitlines()
    assert first.startswith("13 runs read, 2 traces skipped; 15 added, 1 duplicate, 1 refused, 1 ignored")
    assert second == f"  skipped {UNUSABLE}: unusable reply (the reply holds no complete JSON object)"
    assert f"Not understood, and can be tried again with the same command: {UNUSABLE}.\n" in out
    assert "+- [ace-00001]" in out
    assert f"`ace show --work {place.root}`" in out
    assert place.rules.read_bytes().startswith(b"# Rules\n\n- Be kind.\n\n<!-- ace:playbook:begin -->\n")
    assert place.runs_read() == READ
    assert place.agrees()


def test_every_trace_is_accounted_for(place: Place) -> None:
    """In the log each of them ends in one event of its own."""
    ace(*demo(place))
    skipped = [event.trace for event in place.events() if isinstance(event, RunSkipped)]
    assert skipped == [MIDDLE, UNUSABLE]
    assert sorted([*place.runs_read(), *skipped]) == sorted(DEMO)


def test_33d_the_same_command_twice(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """CASES 33d: the second passes over what the log has read, says so, asks nothing and changes nothing."""
    runs = tmp_path / "runs.jsonl"
    runs.write_text(
        "".join(line for line in RUNS.read_text().splitlines(keepends=True) if UNUSABLE not in line)
    )
    assert ace("learn", runs, "--work", place.root, "--replies", CALLS) == 0
    before = place.files()
    empty = tmp_path / "calls.json"
    empty.write_text("[]")
    capsys.readouterr()
    assert ace("learn", runs, "--work", place.root, "--replies", empty) == 0
    out, err = capsys.readouterr()
    assert err.splitlines()[0] == (
        "14 of 14 traces are passed over: the log has them already (--again reads them again)."
    )
    assert out.splitlines()[0] == "0 runs read; nothing new."
    assert "is unchanged." in out
    assert place.files() == before


def test_a_file_that_grew(place: Place, tmp_path: Path, scripting: Scripting) -> None:
    """The runs that came since are read, and those alone."""
    host = scripting(lessons())
    traces = runs_file(tmp_path, "r1", "r2")
    assert ace("learn", traces, "--work", place.root) == 0
    runs_file(tmp_path, "r1", "r2", "r3")
    assert ace("learn", traces, "--work", place.root) == 0
    assert [request.trace for request in host.requests] == ["r1", "r1", "r2", "r2", "r3", "r3"]
    assert place.contents() == ["What r1 teaches.", "What r2 teaches.", "What r3 teaches."]


def test_again_reads_them_anew(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Tags are counted once more; what the playbook says already is a duplicate."""
    ace(*demo(place))
    bullets = len(place.playbook().bullets)
    capsys.readouterr()
    assert ace(*demo(place, "--again")) == LEFT
    out = capsys.readouterr().out
    assert out.startswith("13 runs read, 2 traces skipped; ")
    # One bullet that was pruned comes back, under a number of its own.
    assert len(place.playbook().bullets) - bullets <= 1
    assert place.runs_read() == [*READ, *READ]
    assert len(place.ids_given()) == len(set(place.ids_given()))
    assert place.agrees()


def test_several_runs_a_step(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Fourteen runs in steps of three are five steps; a call in the middle goes along with the run behind it."""
    assert ace(*demo(place, "--runs-per-step", 3)) == LEFT
    err = capsys.readouterr().err
    assert "[run 4-6 of 14] demo-04-add-tests and 2 more: 3 runs read, 1 trace skipped; " in err
    assert err.count("[run ") == 5
    assert [one.seq for one in place.records()] == [1, 2, 3, 4, 5]
    assert place.runs_read() == READ
    assert place.agrees()


def test_more_runs_a_step_than_there_are(place: Place) -> None:
    """All of them are one step."""
    assert ace(*demo(place, "--runs-per-step", 1000)) == LEFT
    assert len(place.records()) == 1
    assert place.runs_read() == READ


def test_a_replay_of_recorded_steps_is_the_same(place: Place, tmp_path: Path) -> None:
    """The records of one folder are the replies of another: strictly the same prompts, and the same playbook."""
    ace(*demo(place))
    other = Place(tmp_path / "other", rules=b"# Rules\n\n- Be kind.\n")
    steps = place.root / "steps"
    assert ace("learn", RUNS, "--work", other.root, "--replies", steps, "--strict") == LEFT
    assert other.snapshot.read_bytes() == place.snapshot.read_bytes()
    assert other.rules.read_bytes() == place.rules.read_bytes()


def test_strict_stops_where_a_prompt_differs(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The sentence says where; without `--strict` the command prints it, and learning goes on."""
    ace(*demo(place))
    steps = place.root / "steps"
    other = Place(tmp_path / "other", rules=b"# Rules\n\n- Be kind.\n")
    capsys.readouterr()
    given = ["learn", RUNS, "--work", other.root, "--replies", steps, "--set", "max_trace_characters=1000"]
    assert ace(*given, "--strict") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[-1].startswith(
        "ace: the reflector's prompt for trace demo-01-rename-function is not the recorded one: line "
    )
    assert other.records() == []
    assert ace(*given) == LEFT
    out, err = capsys.readouterr()
    assert "the reflector's prompt for trace demo-01-rename-function is not the recorded one" in err
    assert "runs read" in out.splitlines()[0]


# --- a dry run ------------------------------------------------------------------------------------------------------


def test_a_dry_run_asks_nothing_and_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It needs no model, lists each run with its score and cost, and does not even make the folder."""
    for name in ("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    out = succeeds(capsys, "learn", RUNS, "--work", tmp_path / "work", "--dry-run")
    *runs, total, middle, tokens = out.splitlines()
    assert tokens.startswith("They would be sent to api.openai.com. About ")
    assert tokens.endswith(
        "tokens of prompts, at 3.5 characters a token (a guess: English text has 3 to 4.5)."
    )
    assert middle.startswith("No score, and no reply at the end: that is the middle of a run.")
    assert [line.split()[0] for line in runs] == [name for name in DEMO if name != MIDDLE]
    assert runs[0].startswith("demo-01-rename-function  score 1  2 calls, about ")
    assert "  no score  2 calls" in out
    assert total.startswith("14 runs, 28 model calls, about ")
    assert total.endswith(", 1 call in the middle of a run passed over. Nothing was asked.")
    assert list(tmp_path.iterdir()) == []


def test_a_dry_run_over_a_folder(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """It passes over what the log has read, names what is left, and changes no byte, the index included."""
    ace(*demo(place))
    index = next((place.root / "cache").glob("index-*.sqlite"))
    before, kept = place.files(), index.read_bytes()
    out = succeeds(capsys, "learn", RUNS, "--work", place.root, "--dry-run")
    assert [line.split()[0] for line in out.splitlines()] == [UNUSABLE, "1", "They"]
    out = succeeds(capsys, "learn", RUNS, "--work", place.root, "--dry-run", "--again")
    assert out.count("2 calls, about") == 14
    assert (place.files(), index.read_bytes()) == (before, kept)


def test_a_dry_runs_characters_are_those_of_the_prompts(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """But for the reflection in the second, which no one knows yet, and what the runs before add to the playbook."""
    traces = runs_file(tmp_path, "r1")
    told = succeeds(capsys, "learn", traces, "--work", place.root, "--dry-run")
    about = int(told.split("about ")[1].split()[0].replace(",", ""))
    host = scripting(scripted(reflection(insight="", analysis=""), curation()))
    ace("learn", traces, "--work", place.root)
    assert about == sum(len(request.prompt) for request in host.requests)


# --- what fails -----------------------------------------------------------------------------------------------------


def failing(*names: str, role: str = "reflector") -> Script:
    """Learns, but for calls of this role about these runs."""

    def answer(request: Request) -> str:
        if request.trace in names and request.role == role:
            raise CallError("the server is asleep")
        return lessons()(request)

    return answer


def test_a_run_that_fails_is_told_and_tried_again(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1, its id in the output, and the same command takes it up."""
    traces = runs_file(tmp_path, "r1", "r2", "r3")
    scripting(failing("r2"))
    assert ace("learn", traces, "--work", place.root) == 1
    out, err = capsys.readouterr()
    assert "[run 2 of 3] r2: failed. No model call got through, of 1: the server is asleep" in err
    assert "Failed, and can be tried again with the same command: r2.\n" in out
    scripting(lessons())
    assert ace("learn", traces, "--work", place.root) == 0
    assert place.runs_read() == ["r1", "r3", "r2"]
    assert place.agrees()


def test_a_run_that_fails_among_others_of_its_step(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """The step counts, and still the command says what is left, and ends with 1."""
    traces = runs_file(tmp_path, "r1", "r2", "r3")
    scripting(failing("r2"))
    assert ace("learn", traces, "--work", place.root, "--runs-per-step", 3) == 1
    out, _ = capsys.readouterr()
    assert "  skipped r2: failed call (the server is asleep)\n" in out
    assert "Failed, and can be tried again with the same command: r2.\n" in out
    scripting(lessons())
    assert ace("learn", traces, "--work", place.root) == 0
    assert place.runs_read() == ["r1", "r3", "r2"]


@pytest.mark.parametrize("reply", ["failed call, the server is asleep", "unusable reply, empty reply"])
def test_a_curator_that_gives_nothing_is_told(
    place: Place, tmp_path: Path, scripting: Scripting, reply: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command says that no bullet came of the run, and the same command asks the Curator alone; the tags count once."""
    place.put(P1)
    failed = failing("r1", role="curator")
    voted = reflection(("ace-00001", "helpful"))
    scripting(scripted(voted, "") if reply.startswith("unusable") else failed)
    traces = runs_file(tmp_path, "r1")
    assert ace("learn", traces, "--work", place.root) == 1
    out, err = capsys.readouterr()
    for told in (out, err):
        assert f"no bullets from r1: the Curator's {reply}" in told
    assert (
        "Read, with the Curator still to be asked, and can be tried again with the same command: r1.\n" in out
    )
    counted = place.playbook().bullets[0].helpful
    host = scripting(lessons())
    assert "1 run, 1 model call, about" in succeeds(
        capsys, "learn", traces, "--work", place.root, "--dry-run"
    )
    assert succeeds(capsys, "learn", traces, "--work", place.root).startswith(
        "0 runs read, 1 run curated later; 1 added."
    )
    assert [request.role for request in host.requests] == ["curator"]
    assert place.playbook().bullets[0].helpful == counted
    assert place.contents() == [P1.bullets[0].content, "What r1 teaches."]
    assert ace("learn", traces, "--work", place.root) == 0
    assert len(host.requests) == 1
    assert place.agrees()


def test_an_endpoint_that_is_down_is_given_up(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """After three steps in a row; the rest is named as not tried, and all of them can be learned later."""
    names = [f"r{number}" for number in range(1, 8)]
    traces = runs_file(tmp_path, *names)
    host = scripting(failing(*names[1:]))
    assert ace("learn", traces, "--work", place.root) == 1
    out, err = capsys.readouterr()
    assert len(host.requests) == 5
    assert "3 steps failed one after the other: the rest is left for later." in err
    assert "Failed, and can be tried again with the same command: r2, r3, r4.\n" in out
    assert "Not tried, and can be tried again with the same command: r5, r6, r7.\n" in out
    scripting(lessons())
    assert ace("learn", traces, "--work", place.root) == 0
    assert place.runs_read() == [
        "r1",
        "r5",
        "r6",
        "r7",
        "r2",
        "r3",
        "r4",
    ]  # those tried without success come last


def test_nothing_is_given_up_where_nothing_is_left(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three failures at the end leave no rest."""
    scripting(failing("r2", "r3", "r4"))
    assert ace("learn", runs_file(tmp_path, "r1", "r2", "r3", "r4"), "--work", place.root) == 1
    out, err = capsys.readouterr()
    assert "the rest is left" not in err
    assert "Not tried" not in out


def test_failures_with_success_between_are_not_given_up(
    place: Place, tmp_path: Path, scripting: Scripting
) -> None:
    """Only those one after the other count."""
    names = [f"r{number}" for number in range(1, 9)]
    scripting(failing("r1", "r2", "r4", "r5", "r7", "r8"))
    assert ace("learn", runs_file(tmp_path, *names), "--work", place.root) == 1
    assert place.runs_read() == ["r3", "r6"]


def test_the_records_of_failed_steps_stay(place: Place, tmp_path: Path, scripting: Scripting) -> None:
    """A later step of the same number does not write over what was asked and paid for."""
    traces = runs_file(tmp_path, "r1")
    scripting(failing("r1"))
    for _ in range(2):
        assert ace("learn", traces, "--work", place.root) == 1
    scripting(lessons())
    assert ace("learn", traces, "--work", place.root) == 0
    assert sorted(path.name for path in (place.root / "steps").iterdir()) == ["00001", "00001-2", "00001-3"]
    assert [one.record for one in place.records()] == ["00001-3"]


def test_ctrl_c_keeps_what_was_finished(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 130, one sentence; what the steps before learned is there, and the same command goes on."""
    traces = runs_file(tmp_path, "r1", "r2", "r3", "r4")

    def stopped(request: Request) -> str:
        if request.trace == "r3" and request.role == "curator":
            raise KeyboardInterrupt
        return lessons()(request)

    scripting(stopped)
    assert ace("learn", traces, "--work", place.root) == 130
    out, err = capsys.readouterr()
    assert out.startswith("2 runs read; 2 added.\n")
    assert err.splitlines()[-1] == (
        "Stopped. What the finished steps learned is kept; the same command goes on from there."
    )
    assert place.runs_read() == ["r1", "r2"]
    assert place.agrees()
    # The Reflector's call was paid for, and is kept.
    calls = json.loads((place.root / "steps" / "00003" / "calls.json").read_bytes())
    assert [(call["role"], call["trace"]) for call in calls] == [("reflector", "r3")]
    scripting(lessons())
    capsys.readouterr()
    assert ace("learn", traces, "--work", place.root) == 0
    assert "2 of 4 traces are passed over" in capsys.readouterr().err
    assert place.runs_read() == ["r1", "r2", "r3", "r4"]


# --- the check ------------------------------------------------------------------------------------------------------


def check_command(tmp_path: Path, code: str) -> str:
    """A command that runs this Python code; `data` is the content of the rules file that it gets."""
    script = tmp_path / "check.py"
    script.write_text(f"import pathlib, sys\ndata = pathlib.Path(sys.argv[-1]).read_bytes()\n{code}\n")
    return f"{sys.executable} {script}"


def test_a_check_that_refuses(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """The reason is told, nothing is changed by that step, its run is named, and the exit status is 1."""
    check = check_command(
        tmp_path, "if b'r2' in data:\n    print('no r2 here')\n    print('more')\n    sys.exit(3)"
    )
    traces = runs_file(tmp_path, "r1", "r2", "r3")
    scripting(lessons())
    assert ace("learn", traces, "--work", place.root, "--check", check) == 1
    out, err = capsys.readouterr()
    assert "[run 2 of 3] r2: refused by the check: no r2 here\n" in err
    assert "Refused by the check, and can be tried again with the same command: r2.\n" in out
    assert "2 runs read; 2 added." in out
    assert place.contents() == ["What r1 teaches.", "What r3 teaches."]
    assert place.agrees()
    assert ace("learn", traces, "--work", place.root) == 0
    assert place.contents() == ["What r1 teaches.", "What r3 teaches.", "What r2 teaches."]
    assert place.agrees()


def test_a_check_that_says_nothing(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its exit status is the reason."""
    scripting(lessons())
    check = check_command(tmp_path, "sys.exit(7 if b'teaches' in data else 0)")
    assert ace("learn", runs_file(tmp_path, "r1"), "--work", place.root, "--check", check) == 1
    assert "ended with status 7" in capsys.readouterr().err


def test_a_check_that_admits_everything(place: Place, tmp_path: Path, scripting: Scripting) -> None:
    """It gets a file of the rules' own name."""
    scripting(lessons())
    check = check_command(tmp_path, "assert sys.argv[-1].endswith('rules.md')")
    assert ace("learn", runs_file(tmp_path, "r1"), "--work", place.root, "--check", check) == 0
    assert place.contents() == ["What r1 teaches."]


def test_a_check_that_refuses_the_rules_as_they_are(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """That is an error before any model is asked."""
    host = scripting(lessons())
    check = check_command(tmp_path, "sys.exit('unkind' if b'kind' in data else 0)")
    told = fails(capsys, "learn", runs_file(tmp_path, "r1"), "--work", place.root, "--check", check)
    assert "refuses the tree as it is, before anything was learned: unkind" in told
    assert host.requests == []
    assert place.records() == []


# --- files and settings -----------------------------------------------------------------------------------------------


def test_what_cannot_be_read_is_named_and_passed_over(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lines with their numbers, and a run whose id a file before it had."""
    scripting(lessons())
    one = runs_file(tmp_path, "r1", "r2")
    with one.open("a") as file:
        file.write("{broken\n")
    two = runs_file(tmp_path, "r2", "r3", name="two.jsonl")
    # The second file has the same run r2, the run r1 recorded otherwise, and another run of that id.
    with two.open("a") as file:
        for task in ("Do it.", "Do more."):
            messages = [{"role": "user", "content": task}, {"role": "assistant", "content": "Other."}]
            file.write(json.dumps({"id": "r1", "messages": messages}) + "\n")
    assert ace("learn", one, two, "--work", place.root) == 1
    out, err = capsys.readouterr()
    assert "Not read: 1 place in the files, named at the beginning." in out
    assert f"{one}, line 3 is passed over: " in err
    assert f"{two}: run r1 is passed over: a file before it has the same run, recorded otherwise" in err
    assert "run r2 is passed over" not in err
    assert place.runs_read() == ["r1", "r2", "r3", "r1"]


def test_files_that_cannot_be_read_cost_themselves_alone(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """An empty file and one of another tool among three: the others are read, each is named, and the status is 1."""
    scripting(lessons())
    empty, other = tmp_path / "empty.jsonl", tmp_path / "other.jsonl"
    empty.write_bytes(b"")
    other.write_text('{"kind": "span", "data": 1}\n')
    one, two = runs_file(tmp_path, "r1", name="one.jsonl"), runs_file(tmp_path, "r2", name="two.jsonl")
    assert ace("learn", one, empty, other, two, "--work", place.root, "--dry-run") == 1
    capsys.readouterr()
    assert ace("learn", one, empty, other, two, "--work", place.root) == 1
    out, err = capsys.readouterr()
    assert place.runs_read() == ["r1", "r2"]
    for path in (empty, other):
        assert f"{path}" in err
        assert f"Not read: {path}" in out
    assert "Traceback" not in err
    fails(capsys, "learn", empty, other, "--work", place.root)


def test_a_run_that_ends_in_a_tool_call(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without a score it is passed over, which is said once, with what would have it read; with one it is read."""
    scripting(lessons())
    submit = {
        "role": "assistant",
        "tool_calls": [{"id": "1", "function": {"name": "submit", "arguments": "{}"}}],
    }
    run = {"id": "r1", "messages": [{"role": "user", "content": "Do it."}, submit], "reward": 1}
    path = tmp_path / "submit.jsonl"
    path.write_text(json.dumps(run) + "\n")
    given = ["learn", path, "--work", place.root]
    assert "not known here, and not read: reward (1)." in succeeds(capsys, *given, "--dry-run")
    out = succeeds(capsys, *given)
    assert "Passed over: r1. No score, and no reply at the end" in out
    assert "With a score, a run is read however it ends." in out
    assert "Passed over" not in succeeds(capsys, *given)
    path.write_text(json.dumps({**run, "score": 1}) + "\n")
    assert succeeds(capsys, *given).startswith("1 run read")


def test_rules_that_lie_elsewhere(
    tmp_path: Path, scripting: Scripting, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--rules` with a relative path names the file that gets the block, and replay need not be told again."""
    scripting(lessons())
    monkeypatch.chdir(tmp_path)
    Path("AGENTS.md").write_text("# Agents\n")
    traces = runs_file(tmp_path, "r1")
    out = succeeds(capsys, "learn", traces.name, "--work", "work", "--rules", "AGENTS.md")
    assert "What changed in the block of AGENTS.md" in out
    assert Path("AGENTS.md").read_text().startswith("# Agents\n\n<!-- ace:playbook:begin -->")
    assert not Path("work/rules.md").exists()
    succeeds(capsys, "replay", "--work", "work")
    assert ace("replay", "--work", "work", "--rules", "work/rules.md") == 1


@pytest.mark.parametrize("name", ["state/playbook.json", "history/events.jsonl", "lock", "steps/rules.md"])
def test_the_rules_are_none_of_the_folder_s_own_files(
    place: Place, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A block in the snapshot or the log would be the end of them."""
    given = ["learn", runs_file(tmp_path, "r1"), "--work", place.root, "--replies", CALLS]
    assert "own files" in fails(capsys, *given, "--rules", place.root / name)
    assert not (place.root / name).exists()


def test_settings_from_the_command_line(place: Place, tmp_path: Path, scripting: Scripting) -> None:
    """JSON values and plain words; several at once."""
    host = scripting(scripted(reflection(), json.dumps({"operations": []})))
    given = ["--set", 'sections=["Tests", "Docs"]', "--set", "max_bullets=1", "--set", "model=served"]
    place.put(Playbook(3, (bullet(1, "One."), bullet(2, "Two.", helpful=1))))
    assert ace("learn", runs_file(tmp_path, "r1"), "--work", place.root, *given) == 0
    assert "- Tests\n- Docs" in host.requests[1].prompt
    assert place.contents() == ["Two."]
    assert place.agrees()


def test_a_step_gets_no_more_runs_than_it_reads(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """None is over the limit, and each is read by the one command."""
    scripting(lessons())
    traces = runs_file(tmp_path, "r1", "r2", "r3")
    given = ["learn", traces, "--work", place.root, "--runs-per-step", 3, "--set", "max_traces_per_step=1"]
    assert succeeds(capsys, *given).startswith("3 runs read; 3 added.")
    assert place.runs_read() == ["r1", "r2", "r3"]


def test_a_run_of_which_the_log_saw_a_call_is_read_once_it_is_whole(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """A session recorded too early ends on a call; the whole of it, under the same id, is a run."""
    scripting(lessons())
    traces = tmp_path / "early.jsonl"
    early = [{"role": "user", "text": "Do it."}, {"role": "assistant", "calls": [{"name": "shell"}]}]
    traces.write_text(json.dumps({"id": "r1", "turns": early}) + "\n")
    succeeds(capsys, "learn", traces, "--work", place.root)
    assert place.runs_read() == []
    assert ace("learn", traces, "--work", place.root) == 0
    assert "1 of 1 traces are passed over" in capsys.readouterr().err
    traces.write_text(
        json.dumps({"id": "r1", "turns": [*early, {"role": "assistant", "text": "Done."}]}) + "\n"
    )
    succeeds(capsys, "learn", traces, "--work", place.root)
    assert place.runs_read() == ["r1"]


def test_another_run_under_a_known_id_is_read(place: Place, tmp_path: Path, scripting: Scripting) -> None:
    """Numbered runs of another day have the ids of the day before, and their tasks may begin alike."""
    scripting(lessons())
    traces = tmp_path / "day.jsonl"
    for task in (f"{'x' * 223} on Monday", f"{'x' * 223} on Tuesday"):
        traces.write_text(json.dumps({"id": "1", "task": task, "reply": "Done."}) + "\n")
        assert ace("learn", traces, "--work", place.root) == 0
    assert place.runs_read() == ["1", "1"]


def test_verbose_shows_every_event(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """On the error stream, as it is decided."""
    scripting(lessons())
    assert ace("learn", runs_file(tmp_path, "r1"), "--work", place.root, "--verbose") == 0
    err = capsys.readouterr().err
    for word in ("BulletAdded", "RunRead", "outcome=committed", "ace-00001"):
        assert word in err


def test_a_playbook_that_was_there_is_learned_on(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """CASES 33b by the command."""
    scripting(lessons())
    place.put(P1)
    assert ace("learn", runs_file(tmp_path, "r1"), "--work", place.root) == 0
    assert "put in order first" in capsys.readouterr().err
    assert place.contents() == [P1.bullets[0].content, "What r1 teaches."]
    assert place.agrees()


def test_what_a_killed_command_left_is_put_in_order_first(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """And said; a folder in order is not spoken of."""
    scripting(lessons())
    traces = runs_file(tmp_path, "r1")
    ace("learn", traces, "--work", place.root)
    old = place.snapshot.read_bytes(), place.rules.read_bytes()
    runs_file(tmp_path, "r1", "r2")
    ace("learn", traces, "--work", place.root)
    assert "put in order" not in capsys.readouterr().err
    place.snapshot.write_bytes(old[0])
    place.rules.write_bytes(old[1])
    assert ace("learn", traces, "--work", place.root) == 0
    assert "The folder was put in order first" in capsys.readouterr().err
    assert place.contents() == ["What r1 teaches.", "What r2 teaches."]
    assert place.agrees()


def test_a_snapshot_that_was_changed_stops_the_command(
    place: Place, tmp_path: Path, scripting: Scripting, capsys: pytest.CaptureFixture[str]
) -> None:
    """CASES 33a by the command: one sentence with both ways out, and no question to any model."""
    host = scripting(lessons())
    traces = runs_file(tmp_path, "r1")
    ace("learn", traces, "--work", place.root)
    place.snapshot.write_bytes(place.snapshot.read_bytes().replace(b"What", b"That"))
    asked = len(host.requests)
    told = fails(capsys, "learn", runs_file(tmp_path, "r2"), "--work", place.root)
    assert "`ace adopt`" in told
    assert "`ace rebuild`" in told
    assert len(host.requests) == asked


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_progress_that_no_one_can_read_ends_nothing(place: Place, unbuffered: str) -> None:
    """Calls are paid for, and what they teach is kept whether or not someone watches."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [SCRIPT, *map(str, demo(place))],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=subprocess.PIPE,
            stderr=full,
            check=False,
        )
    assert done.returncode == LEFT
    assert len(place.records()) == 14


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
def test_a_help_text_that_cannot_be_written_is_an_error() -> None:
    """As any output is."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [SCRIPT, "learn", "--help"],
            env={**os.environ, "PYTHONUNBUFFERED": ""},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("ace: the output: No space left on device")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["show", "--work", "nowhere"], ["show", "--bogus"]])
def test_an_error_that_no_one_can_read_keeps_its_status(arguments: list[str]) -> None:
    """Whoever looks at the status knows at least that."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [SCRIPT, *arguments], env={**os.environ, "PYTHONUNBUFFERED": ""}, stderr=full, check=False
        )
    assert done.returncode == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("arguments", [["show", "--json"], ["show"], ["replay"]])
def test_an_outcome_that_cannot_be_written_is_an_error(place: Place, arguments: list[str]) -> None:
    """A full disk behind `>` must not look like success, nor like a defect of the command."""
    assert ace(*demo(place)) == LEFT
    rules = ["--rules", str(place.rules)] if arguments == ["replay"] else []
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [SCRIPT, *arguments, "--work", str(place.root), *rules],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr.startswith("ace: the output: No space left on device")
    assert len(done.stderr.splitlines()) == 1
