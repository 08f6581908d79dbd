"""The work folder and its configuration: found, written, trusted or not, and never a way out of the project."""

from __future__ import annotations

import io
import json
import os
import tomllib
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.commands import ace, environ, fails, finish, name_no_model, start, succeeds
from tests.adapters.failing import Operation, intercepted
from tests.adapters.hosting import curation, reflection
from tests.adapters.loopback import Loopback, Reply, role_of, text

from ace.adapters.cli.folder import find_work
from ace.adapters.store import trust
from ace.adapters.store.config import read_config, remember_rules, write_config
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import Log
from ace.domain.errors import AceError, ConfigError
from ace.domain.rules_block import BEGIN, END
from ace.events.codec import encode_record, sealed
from ace.events.types import DuplicateRejected

FOREIGN = f"# Agents\n\n{BEGIN}\n- [ace-00001] helpful=0 harmful=0 :: Of another.\n{END}\n"


def answer(body: dict[str, Any], _: int) -> Reply:
    """A lesson of each run that names it."""
    prompt = body["messages"][0]["content"]
    name = next((task for task in ("first", "second", "third") if f"Do the {task} task" in prompt), "other")
    return text(reflection() if role_of(body) == "reflector" else curation(f"What the {name} run teaches."))


@pytest.fixture
def server() -> Iterator[Loopback]:
    """An endpoint that always answers well."""
    with Loopback(answer) as server:
        yield server


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in somebody's home, and the current folder."""
    home = tmp_path / "home"
    project = home / "src" / "project"
    (project / ".git" / "hooks").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / ".state"))
    name_no_model(monkeypatch)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    (home / ".bashrc").write_text("export A=1\n")
    monkeypatch.chdir(project)
    return project


def runs(path: Path, *names: str) -> Path:
    """A file of small runs."""
    rows = [
        {
            "id": name,
            "messages": [
                {"role": "user", "content": f"Do the {name} task."},
                {"role": "assistant", "content": "Done."},
            ],
        }
        for name in names
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def asking(server: Loopback) -> tuple[str, ...]:
    """The options that name the endpoint."""
    return "--base-url", server.base_url, "--model", "m"


def cloned(project: Path, config: str) -> Path:
    """A configuration that came with the project."""
    work = project / ".ace"
    work.mkdir()
    (work / "config.toml").write_text(config)
    return work


def files(root: Path) -> dict[str, bytes]:
    """Every file below this folder."""
    return {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }


# --- the folder is found, and knows its rules files -------------------------------------------------------------------


def test_init_learn_and_show_without_naming_anything(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a project with AGENTS.md, then after `ace init` each command knows folder and rules file, also further down."""
    (project / "AGENTS.md").write_text("# Agents\n")
    told = succeeds(capsys, "init")
    assert "The block of lessons will be put into AGENTS.md" in told
    runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", "runs.jsonl", *asking(server))
    assert "What the first run teaches." in (project / "AGENTS.md").read_text()
    below = project / "src" / "deep"
    below.mkdir(parents=True)
    monkeypatch.chdir(below)
    assert "What the first run teaches." in succeeds(capsys, "show")
    assert str(project / "AGENTS.md") in succeeds(capsys, "status")
    succeeds(capsys, "replay")
    (project / "AGENTS.md").write_text("# Agents\n\nMore.\n")
    assert ace("replay") == 1
    succeeds(capsys, "rebuild", "--rules", project / "AGENTS.md")
    succeeds(capsys, "replay")
    assert not (project / ".ace" / "rules.md").exists()


@pytest.mark.parametrize(
    ("here", "chosen"),
    [
        ([], ["AGENTS.md"]),
        (["CLAUDE.md"], ["CLAUDE.md"]),
        (["CLAUDE.md", "AGENTS.md"], ["AGENTS.md", "CLAUDE.md"]),
        ([".github/copilot-instructions.md"], [".github/copilot-instructions.md"]),
        ([".ace/rules.md", "AGENTS.md"], [".ace/rules.md"]),
    ],
)
def test_init_chooses_the_files_that_are_there(project: Path, here: list[str], chosen: list[str]) -> None:
    """Given files that agents read, then those are chosen; a playbook that had its own file keeps it."""
    for name in here:
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text("x\n")
    assert ace("init") == 0
    config = (project / ".ace" / "config.toml").read_text()
    assert tomllib.loads(config) == {"rules": chosen}
    # What it shows as examples is what it takes.
    examples = "".join(line.removeprefix("# ") for line in config.splitlines(keepends=True)[8:])
    (project / ".ace" / "config.toml").write_text(
        "\n".join(line for line in examples.splitlines() if "=" in line or line.startswith("["))
    )
    assert read_config(project / ".ace").says("headers")


@pytest.mark.parametrize(
    ("here", "tools", "chosen"),
    [
        ([], ["codex"], ["AGENTS.md"]),
        ([], ["claude-code"], ["CLAUDE.md"]),
        (["AGENTS.md"], ["claude-code"], ["AGENTS.md", "CLAUDE.md"]),
        (["CLAUDE.md"], ["claude-code", "pi"], ["CLAUDE.md"]),
        ([], ["pi", "opencode", "gemini"], ["AGENTS.md", "GEMINI.md"]),
    ],
)
def test_init_for_an_agent(project: Path, here: list[str], tools: list[str], chosen: list[str]) -> None:
    """Given an agent, then its sessions are read, and a file that it reads gets the block, whatever files are there."""
    for name in here:
        (project / name).write_text("x\n")
    assert ace("init", *(word for tool in tools for word in ("--from", tool))) == 0
    config = tomllib.loads((project / ".ace" / "config.toml").read_text())
    assert config == {"rules": chosen, "from": tools}


def test_init_does_not_touch_what_is_there(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a configuration, or a `.gitignore`, then neither is written over; a second folder further down is told."""
    (project / ".ace").mkdir()
    (project / ".ace" / ".gitignore").write_text("mine\n")
    succeeds(capsys, "init")
    assert (project / ".ace" / ".gitignore").read_text() == "mine\n"
    before = files(project)
    assert "is there already" in fails(capsys, "init")
    assert files(project) == before
    (project / "part").mkdir()
    os.chdir(project / "part")
    assert "another work folder above" in succeeds(capsys, "init")


def test_what_a_team_shares_and_what_not(project: Path, server: Loopback) -> None:
    """Given a project under git, then configuration, log and playbook are the team's; caches, locks and records are not."""
    (project / "AGENTS.md").write_text("")
    assert ace("init") == 0
    assert ace("learn", runs(project / "runs.jsonl", "first"), *asking(server)) == 0
    ignored = [
        line.strip("/")
        for line in (project / ".ace" / ".gitignore").read_text().splitlines()
        if not line.startswith("#")
    ]
    here = {path.name for path in (project / ".ace").iterdir()}
    assert here - set(ignored) == {".gitignore", "config.toml", "history", "state"}


def test_no_folder_is_made_where_none_was_asked_for(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given no folder and no `--work`, then the sentence names both ways, and nothing is written."""
    runs(project / "runs.jsonl", "first")
    before = files(project)
    for command in (
        ("learn", "runs.jsonl"),
        ("show",),
        ("status",),
        ("replay",),
        ("rebuild",),
        ("adopt",),
        ("trust",),
    ):
        told = fails(capsys, *command)
        assert "ace init" in told
        assert "--work" in told
    assert files(project) == before


def test_how_far_up_is_looked(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given folders above, then one above the home folder, or behind a folder of somebody else, is not found."""
    home = project.parent.parent
    (home.parent / ".ace").mkdir()
    assert find_work(project) is None
    assert find_work(home.parent) == home.parent / ".ace"
    (home / ".ace").mkdir()
    assert find_work(project) == home / ".ace"
    (project.parent / ".ace").mkdir()
    assert find_work(project) == project.parent / ".ace"
    somebody = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert find_work(project) is None


def test_another_file_system_ends_the_search(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a folder on another file system, then what lies above it is not found."""
    (project.parent / ".ace").mkdir()
    real = Path.stat

    def stat(path: Path, **named: Any) -> os.stat_result:
        found = real(path, **named)
        return os.stat_result((*found[:2], found[2] + (path == project.parent), *found[3:]))

    monkeypatch.setattr(Path, "stat", stat)
    assert find_work(project) is None


def test_a_new_folder_remembers_its_rules_file(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `--rules A.md` once, then the next command writes A.md; with B.md, B.md alone, and says how to keep both."""
    Path("A.md").write_text("A\n")
    Path("B.md").write_text("B\n")
    traces = runs(project / "runs.jsonl", "first", "second")
    learn = ("learn", traces, "--work", "w", *asking(server), "--limit", 1)
    succeeds(capsys, *learn, "--rules", "A.md")
    succeeds(capsys, *learn)
    assert "What the second run teaches." in Path("A.md").read_text()
    assert not Path("w/rules.md").exists()
    before = Path("A.md").read_bytes()
    runs(traces, "third")
    assert ace(*learn, "--rules", "B.md") == 0
    told = capsys.readouterr().err
    assert "A.md is left as it is: this command writes B.md alone" in told
    assert 'rules = ["../B.md", "../A.md"] in w/config.toml' in told
    assert Path("A.md").read_bytes() == before
    assert "What the third run teaches." in Path("B.md").read_text()
    runs(traces, "other")
    succeeds(capsys, *learn)
    assert "What the third run teaches." in Path("A.md").read_text()


def test_dry_run_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a new folder and `--dry-run`, then there is no folder afterwards, and no configuration."""
    Path("A.md").write_text("A\n")
    traces = runs(project / "runs.jsonl", "first")
    before = files(project)
    succeeds(
        capsys, "learn", traces, "--work", "w", "--rules", "A.md", "--dry-run", "--base-url", "http://a/v1"
    )
    assert files(project) == before


def test_traces_of_the_configuration(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `traces` with a pattern, then `ace learn` alone reads what it finds; one that finds nothing is named."""
    work = write_config(project / ".ace", [project / "AGENTS.md"]).path.parent
    text = (work / "config.toml").read_text().replace("# traces", "traces")
    (work / "config.toml").write_text(text)
    succeeds(capsys, "trust")
    assert "logs/*.jsonl finds no file" in fails(capsys, "learn", *asking(server))
    (project / "logs").mkdir()
    runs(project / "logs" / "2.jsonl", "second")
    runs(project / "logs" / "1.jsonl", "first")
    succeeds(capsys, "learn", *asking(server))
    assert [one.record for one in Log(work / "history").records()] == ["00001", "00002"]
    assert "What the first run" in (project / "AGENTS.md").read_text()
    runs(project / "other.jsonl", "third")
    succeeds(capsys, "learn", "other.jsonl", *asking(server))
    assert "What the third run" in (project / "AGENTS.md").read_text()


# --- who beats whom -----------------------------------------------------------------------------------------------


def test_an_option_beats_the_environment_and_that_the_file(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a model named in all three places, then the nearest one is asked; what one does not say, the next does."""
    write_config(project / ".ace", [project / "AGENTS.md"])
    path = project / ".ace" / "config.toml"
    path.write_text(
        f'{path.read_text()}\n[model]\nbase_url = "{server.base_url}"\nname = "filed"\nmax_tokens = 77\n'
        '[model.body]\nseed = 3\ntop_k = 5\n[settings]\nmax_bullets = 50\nsections = ["Others", "Filed"]\n'
    )
    succeeds(capsys, "trust")
    traces = runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", traces)
    body = server.bodies[0]
    assert (body["model"], body["max_tokens"], body["seed"], body["top_k"]) == ("filed", 77, 3, 5)
    assert "- Others\n- Filed" in server.bodies[1]["messages"][0]["content"]
    monkeypatch.setenv("OPENAI_MODEL", "of the environment")
    runs(traces, "second")
    succeeds(capsys, "learn", traces, "--body", "seed=9", "--set", 'sections=["Others"]')
    body = server.bodies[2]
    assert (body["model"], body["seed"], body["top_k"]) == ("of the environment", 9, 5)
    assert "- Filed" not in server.bodies[3]["messages"][0]["content"]
    runs(traces, "third")
    succeeds(capsys, "learn", traces, "--model", "given", "--max-tokens", 5)
    assert (server.bodies[4]["model"], server.bodies[4]["max_tokens"]) == ("given", 5)


@pytest.mark.parametrize("by", ["option", "environment"])
def test_a_secret_of_the_file_goes_to_no_other_address(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, by: str
) -> None:
    """Given keys and headers for the file's endpoint, then another endpoint that is named by hand gets none of them."""
    write_config(project / ".ace", [project / "AGENTS.md"])
    path = project / ".ace" / "config.toml"
    path.write_text(
        f'{path.read_text()}\n[model]\nbase_url = "http://mine.example/v1"\nname = "m"\napi_key_env = "MINE"\n'
        '[model.headers]\napi-key = "MINE"\n'
    )
    assert ace("trust") == 0
    monkeypatch.setenv("MINE", "a-secret-of-mine")
    if by == "environment":
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    given = ("--base-url", server.base_url) if by == "option" else ()
    assert ace("learn", runs(project / "runs.jsonl", "first"), *given) == 0
    assert "a-secret-of-mine" not in json.dumps(server.headers)


# --- a configuration of somebody else -----------------------------------------------------------------------------

HOSTILE: dict[str, str] = {
    "a file above the project": 'rules = ["../../.bashrc"]',
    "a file by its whole path": 'rules = ["{home}/.bashrc"]',
    "a file of the home folder": 'rules = ["~/.bashrc"]',
    "a hook": 'rules = [".git/hooks/post-commit"]',
    "a hook, spelt otherwise": 'rules = ["x/../.GIT/hooks/post-commit"]',
    "a file of the folder": 'rules = [".ace/steps.md"]',
    "a link out": 'rules = ["out.md"]',
    "a link in a folder": 'rules = ["outdir/.bashrc"]',
    "one of two": 'rules = ["AGENTS.md", "../../.bashrc"]',
    "an endpoint": '[model]\nbase_url = "{server}"',
    "a model": '[model]\nname = "dear"',
    "a check": 'check = "touch {home}/checked"',
    "a header with another secret": '[model.headers]\nx = "AWS_SECRET"',
    "a key of another service": '[model]\napi_key_env = "AWS_SECRET"',
    "a body": '[model.body]\nmetadata = "x"',
    "a temperature": "[model]\ntemperature = 2.0",
    "a time-out": "[model]\ntimeout = 1",
    "a limit": "[model]\nmax_tokens = 1",
    "a schema": '[model]\nschema = "off"',
    "traces of its own": 'traces = ["runs.jsonl"]',
    "steps": "runs_per_step = 100",
    "a setting of the host": '[settings]\nmodel = "other"',
    "a shared book": '[settings]\nbook = "postgresql://evil/db"',
    "acting lessons": "[settings]\nacting_lessons = true",
}


@pytest.mark.parametrize("hostile", HOSTILE.values(), ids=HOSTILE)
def test_what_a_clone_may_not_say(
    project: Path,
    server: Loopback,
    hostile: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Given a clone whose configuration reaches out, then `ace learn` stops, names `ace trust`, asks nobody, writes nothing."""
    home = project.parent.parent
    monkeypatch.setenv("AWS_SECRET", "a-secret-of-mine")
    (project / "out.md").symlink_to(home / ".bashrc")
    (project / "outdir").symlink_to(home)
    (project / "AGENTS.md").write_text("# Agents\n")
    monkeypatch.setenv("OPENAI_API_KEY", "another-secret")
    if "base_url" not in hostile:
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    if "name" not in hostile:
        monkeypatch.setenv("OPENAI_MODEL", "m")
    cloned(project, hostile.replace("{home}", str(home)).replace("{server}", server.base_url))
    traces = runs(project / "runs.jsonl", "first")
    before = files(home)
    given = () if "traces" in hostile else (traces,)
    told = fails(capsys, "learn", *given)
    assert "ace trust" in told
    assert server.bodies == []
    assert files(home) == before


def test_what_a_clone_may_say(project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a clone that names rules files inside of it and the playbook's settings, then they count without trust."""
    cloned(project, 'rules = ["docs/AGENTS.md"]\n[settings]\nsections = ["Only"]\nmax_bullets = 3\n')
    (project / "docs").mkdir()
    (project / "docs" / "AGENTS.md").write_text("# Agents\n")
    succeeds(capsys, "learn", runs(project / "runs.jsonl", "first"), *asking(server))
    assert BEGIN not in (project / "docs" / "AGENTS.md").read_text()  # the lesson's section is not configured
    assert "- Only" in server.bodies[1]["messages"][0]["content"]


def test_an_option_in_place_of_what_is_not_trusted(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given options for all that a clone may not say, then they count, and the file is as little trusted as before."""
    cloned(
        project,
        'rules = ["../../.bashrc"]\ncheck = "false"\n[model]\nbase_url = "http://evil/v1"\nname = "evil"\n',
    )
    traces = runs(project / "runs.jsonl", "first")
    given = (traces, *asking(server), "--check", "true")
    assert "ace trust" in fails(capsys, "learn", *given)
    assert ace("learn", *given, "--rules", "AGENTS.md") == 0
    assert "What the first run" in (project / "AGENTS.md").read_text()
    assert not read_config(project / ".ace").trusted
    for command in ("status", "replay", "rebuild", "adopt"):
        assert "ace trust" in fails(capsys, command)
    succeeds(capsys, "show")


def test_recorded_replies_need_no_endpoint(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given `--replies`, then what a clone says of the model is not needed, and nobody is asked."""
    cloned(project, 'rules = ["AGENTS.md"]\n[model]\nbase_url = "http://evil/v1"\n')
    (project / "calls.json").write_text("[]")
    assert ace("learn", runs(project / "r.jsonl", "a"), "--replies", "calls.json") == 1
    told = capsys.readouterr().err
    assert "no recorded reply" in told
    assert "trust" not in told


# --- trust --------------------------------------------------------------------------------------------------------


def test_trust_shows_the_file_and_what_it_does(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a clone's configuration, then `ace trust` shows it, escapes included, and names each thing that reaches out."""
    cloned(
        project,
        'rules = ["../../.bashrc"]\ncheck = "make evil"  # \x7f\n[model]\nbase_url = "http://evil/v1"\n'
        '[model.headers]\nx = "AWS_SECRET"\n',
    )
    (project / ".ace" / "config.toml").write_bytes(
        (project / ".ace" / "config.toml").read_bytes().replace(b"\x7f", "\u202e".encode())
    )
    told = succeeds(capsys, "trust")
    for part in ('check = "make evil"', "\\u202e", "write the block into", "run the command 'make evil'",
                 "send runs to 'http://evil/v1'", "AWS_SECRET"):  # fmt: skip
        assert part in told
    assert read_config(project / ".ace").trusted


def test_trust_ends_with_the_next_change(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a trusted file, then a change by anybody else ends that, and so do a copy elsewhere, and `--revoke`."""
    work = cloned(project, 'check = "true"\n')
    succeeds(capsys, "trust")
    assert read_config(work).trusted
    copy = project / "copy"
    copy.mkdir()
    (copy / "config.toml").write_bytes((work / "config.toml").read_bytes())
    assert not read_config(copy).trusted
    (work / "config.toml").write_text('check = "evil"\n')
    assert not read_config(work).trusted
    succeeds(capsys, "trust")
    assert "no longer trusted" in succeeds(capsys, "trust", "--revoke")
    assert not read_config(work).trusted
    assert "was not trusted" in succeeds(capsys, "trust", "--revoke")


def test_what_our_commands_write(project: Path) -> None:
    """Given a new file, then it is trusted as written; one that was trusted stays so when rules are added; another does not
    become so.
    """
    work = project / ".ace"
    assert write_config(work, [project / "AGENTS.md"]).trusted
    assert read_config(work).trusted
    (work / "config.toml").write_text("# mine\n[settings]\nmax_bullets = 3\n")
    assert not remember_rules(read_config(work), [project / "A.md"]).trusted
    text = (work / "config.toml").read_text()
    assert tomllib.loads(text) == {"rules": ["A.md"], "settings": {"max_bullets": 3}}
    assert "# mine" in text
    (work / "config.toml").write_text('check = "true"\n')
    trust.trust(work / "config.toml", (work / "config.toml").read_bytes())
    assert remember_rules(read_config(work), [project / "A.md"]).trusted
    assert read_config(work).trusted


def test_what_was_looked_at_is_what_is_used(project: Path) -> None:
    """Given a file that changes after it was read, then neither trust nor use is of the new content."""
    work = cloned(project, 'check = "true"\n')
    config = read_config(work)
    (work / "config.toml").write_text('check = "evil"\n')
    assert config.data is not None
    trust.trust(config.path, config.data)
    assert not read_config(work).trusted
    with pytest.raises(ConfigError, match="ace trust"):
        assert read_config(work).check


def test_a_state_folder_that_cannot_be_written(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given no place for what is trusted, then the command says so, and learning goes on."""
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/none")
    given = ("learn", runs(project / "r.jsonl", "first"), "--work", "w", "--rules", "A.md", *asking(server))
    assert ace(*given) == 0
    assert "XDG_STATE_HOME" in capsys.readouterr().err
    assert "XDG_STATE_HOME" in fails(capsys, "init")
    assert not read_config(Path("w")).trusted


@given(
    st.lists(
        st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1), max_size=3
    )
)
def test_any_name_of_a_file_is_written_and_read(names: list[str]) -> None:
    """Given any names of files, then the line that is written is TOML, and says them."""
    from ace.adapters.store.config import _toml  # noqa: PLC0415 - what cannot be seen from outside for each name

    assert tomllib.loads(f"rules = {_toml(Path('c'), names)}") == {"rules": names}


def test_a_name_that_is_no_text(project: Path) -> None:
    """Given a file whose name no TOML can hold, then that is an error that says what helps."""
    with pytest.raises(ConfigError, match="--rules each time"):
        write_config(project / ".ace", [project / os.fsdecode(b"\xff.md")])
    assert not (project / ".ace" / "config.toml").exists()


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("rules = 'AGENTS.md'", "rules: expected"),
        ("rule = []", "no key rule: did you mean rules?"),
        ("[model]\nbase = 1", "no key model.base: did you mean model.base_url?"),
        ("[endpoint]\n", "no key endpoint: there are rules"),
        ("[model]\ntimeout = 'x'", "model.timeout: expected"),
        ("[model]\ntimeout = nan", "model.timeout must be a number"),
        ("[model]\nmax_tokens = 0", "at least 1"),
        ("runs_per_step = true", "runs_per_step: expected"),
        ("[model]\nschema = 'maybe'", "model.schema"),
        ("[model.body]\nx = 2026-01-01", "such as a date"),
        ("[model.body]\nx = nan", "such as a date or nan"),
        ("[model.headers]\n'a=b' = 'X'", "the name of a key"),
        ("rules = ['']", "rules must hold paths"),
        ("rules = [", "is not TOML"),
        ("x = " + "[" * 50_000, "nested too deeply"),
        ("\xff", "is not TOML"),
        ("a = 1\n" * 300_000, "longer than"),
        ("[settings]\n" + "x." * 10_000 + "x = 1", "line 2 has more than 200 dots"),
        ("[model.body]\n" + "x." * 190 + "x = " + "[" * 400 + "]" * 400, "config.toml"),
        ("[model]\ntimeout = 0", "more than 0 seconds"),
        ("[model]\nbase_url = ' '", "model.base_url is empty"),
        ("[model.headers]\nA = 'x'\na = 'y'", "one header twice"),
        ("[settings]\nmax_bulets = 3", "did you mean max_bullets?"),
        ("rules = ['~nosuchuser/x']", "names a user who does not exist"),
    ],
)
def test_a_configuration_that_cannot_be_used(
    project: Path, config: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a wrong configuration, then one sentence names file and key; nothing is guessed."""
    work = cloned(project, "")
    (work / "config.toml").write_bytes(config.encode("latin-1"))
    Path("runs.jsonl").touch()
    sentence = fails(capsys, "learn", "runs.jsonl")
    assert told in sentence
    assert "config.toml" in sentence


@pytest.mark.parametrize("what", ["link", "device", "pipe", "folder"])
def test_a_configuration_that_is_no_file(
    project: Path, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given something else in its place, then that is said at once, and nothing waits."""
    path = cloned(project, "") / "config.toml"
    path.unlink()
    match what:
        case "link":
            path.symlink_to(project.parent.parent / ".bashrc")
        case "device":
            path.symlink_to("/dev/zero")
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    assert "config.toml" in fails(capsys, "status")


# --- links in the folder ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["lock", "learn.lock", "history", "history/events.jsonl", "state", "state/playbook.json", "steps",
             "cache", "cache/index.sqlite-wal", ".gitignore"],
)  # fmt: skip
def test_a_link_out_of_the_folder(
    project: Path, server: Loopback, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a clone in which one of the folder's own files leads elsewhere, then no command follows it."""
    home = project.parent.parent
    path = cloned(project, 'rules = ["AGENTS.md"]\n') / name
    path.parent.mkdir(exist_ok=True)
    path.symlink_to(home if name in ("history", "state", "steps", "cache") else home / ".bashrc")
    traces = runs(project / "runs.jsonl", "first")
    before = files(home)
    for command in (
        ("learn", traces, *asking(server)),
        ("status",),
        ("replay",),
        ("rebuild",),
        ("adopt",),
        ("show",),
    ):
        assert "put the file itself there" in fails(capsys, *command)
    assert files(home) == before


@pytest.mark.parametrize(
    "how", ["a name above", "a whole path", "a link", "a link inside", "a linked summary"]
)
def test_the_record_that_a_log_names(project: Path, server: Loopback, how: str) -> None:
    """Given a log whose last step names a record elsewhere, or a record that is a link, then nothing is written there."""
    (project / "AGENTS.md").write_text("")
    assert ace("init") == 0
    assert ace("learn", runs(project / "runs.jsonl", "first"), *asking(server)) == 0
    work, target = project / ".ace", project.parent / "target"
    (target / "output").mkdir(parents=True)
    (target / "output" / "summary.md").write_text("mine")
    log = Log(work / "history")
    (line,) = log.records()
    name = {"a name above": "../../../target", "a whole path": str(target)}.get(how, "00001")
    log.path.write_bytes(encode_record(sealed(msgspec.structs.replace(line, record=name))) + b"\n")
    record = work / "steps" / "00001"
    if how == "a link":
        record.rename(work / "steps" / "old")
        record.symlink_to(target)
    elif how == "a link inside":
        (record / "output").rename(record / "old")
        (record / "output").symlink_to(target / "output")
    elif how == "a linked summary":
        (record / "output" / "notes.jsonl").unlink()
        (record / "output" / "summary.md").unlink()
        (record / "output" / "summary.md").symlink_to(target / "output" / "summary.md")
    before = files(target)
    assert ace("learn", runs(project / "runs.jsonl", "second"), *asking(server)) == 0
    assert files(target) == before


def test_a_rules_file_of_the_folder_that_leads_out(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `rules.md` as a link out of the project, then it is followed only if the user names it."""
    home = project.parent.parent
    work = project / ".ace"
    work.mkdir()
    (work / "rules.md").symlink_to(home / ".bashrc")
    given = ("learn", runs(project / "runs.jsonl", "first"), *asking(server))
    before = (home / ".bashrc").read_bytes()
    assert f"give --rules {home / '.bashrc'}" in fails(capsys, *given)
    assert (home / ".bashrc").read_bytes() == before
    assert ace(*given, "--rules", work / "rules.md") == 0
    assert (home / ".bashrc").read_bytes().startswith(before)
    assert (work / "rules.md").is_symlink()


def test_a_folder_that_is_a_link(project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
    """Given `.ace` as a link to another playbook, then only `--work` follows it."""
    other = project.parent / "other" / ".ace"
    other.mkdir(parents=True)
    (project / ".ace").symlink_to(other)
    given = ("learn", runs(project / "runs.jsonl", "first"), *asking(server))
    assert "is a symbolic link: name the folder with --work" in fails(capsys, *given)
    assert list(other.iterdir()) == []
    assert ace(*given, "--work", other) == 0


# --- a block of another playbook ------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["option", "configuration", "own file"])
def test_the_block_of_another_playbook(
    project: Path, server: Loopback, by: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a file with a block that is not in this log, then it is refused before any call; `--take-block` shows and
    replaces it, and its lessons are not taken up.
    """
    path = Path("w/rules.md" if by == "own file" else "A.md")
    path.parent.mkdir(exist_ok=True)
    path.write_text(FOREIGN)
    if by == "configuration":
        write_config(Path("w"), [path])
    more = ("--rules", path) if by == "option" else ()
    given = ("learn", runs(project / "runs.jsonl", "first"), "--work", "w", *asking(server), *more)
    told = fails(capsys, *given)
    assert "--take-block" in told
    assert "name the playbook's own folder" in told
    assert "--take-block" in fails(capsys, *given, "--dry-run")
    assert server.bodies == []
    assert path.read_text() == FOREIGN
    assert not Path("w/history").exists()
    assert ace(*given, "--take-block") == 0
    assert "Of another." in capsys.readouterr().err
    assert "Of another." not in path.read_text()
    assert "What the first run teaches." in path.read_text()
    assert "Of another." not in server.bodies[0]["messages"][0]["content"]


def test_our_own_block_of_an_earlier_day(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a new file with a block that the log named once, or with an empty one, then it is ours."""
    traces = runs(project / "runs.jsonl", "first")
    given = ("learn", traces, "--work", "w", *asking(server))
    succeeds(capsys, *given, "--rules", "A.md")
    Path("B.md").write_bytes(Path("A.md").read_bytes())
    Path("C.md").write_text(f"# C\n{BEGIN}\n{END}\n# D\n")
    runs(traces, "second")
    succeeds(capsys, *given)
    for number, name in enumerate(("B.md", "C.md")):
        runs(traces, f"third {number}")
        succeeds(capsys, *given, "--rules", name)
        assert "What the second run teaches." in Path(name).read_text()
    assert Path("C.md").read_text().endswith(f"{END}\n# D\n")


def test_a_block_that_was_changed_by_hand_is_ours_where_the_file_is_known(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a file that was used before, then an edit of its block is put back without more words; elsewhere it is not ours."""
    traces = runs(project / "runs.jsonl", "first")
    given = ("learn", traces, "--work", "w", *asking(server))
    succeeds(capsys, *given, "--rules", "A.md")
    Path("A.md").write_text(Path("A.md").read_text().replace("teaches", "taught"))
    Path("B.md").write_bytes(Path("A.md").read_bytes())
    runs(traces, "second")
    assert "--take-block" in fails(capsys, *given, "--rules", "B.md")
    succeeds(capsys, *given)
    assert "taught" not in Path("A.md").read_text()


@pytest.mark.parametrize("command", ["rebuild", "adopt"])
def test_the_ways_out_take_no_foreign_block_either(
    project: Path, server: Loopback, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `ace rebuild --rules` or `ace adopt --rules` and a foreign block, then it stays without `--take-block`."""
    succeeds(capsys, "learn", runs(project / "r.jsonl", "first"), "--work", "w", *asking(server))
    Path("B.md").write_text(FOREIGN)
    assert "--take-block" in fails(capsys, command, "--work", "w", "--rules", "B.md")
    assert Path("B.md").read_text() == FOREIGN
    succeeds(capsys, command, "--work", "w", "--rules", "B.md", "--take-block")
    assert "What the first run" in Path("B.md").read_text()


# --- several rules files --------------------------------------------------------------------------------------------


@pytest.fixture
def two(project: Path) -> tuple[Path, Path]:
    """Two rules files in the configuration, one of them with a line of its own."""
    first, second = project / "AGENTS.md", project / "docs" / "AGENTS.md"
    second.parent.mkdir()
    first.write_text("# One\n")
    second.write_text("# Two\n\nWhat the second run teaches.\n")
    write_config(project / ".ace", [first, second])
    return first, second


def test_both_files_carry_the_block(project: Path, server: Loopback, two: tuple[Path, Path]) -> None:
    """Given two rules files, then both get the block; a line of either makes a duplicate, which names the file; the check
    and the step's record have both.
    """
    seen = project / "seen"
    traces = runs(project / "runs.jsonl", "first", "second")
    check = f"sh -c 'cat \"$@\" >> {seen}' sh"
    assert ace("learn", traces, *asking(server), "--check", check) == 0
    for path in two:
        assert "What the first run teaches." in path.read_text()
    assert two[1].read_text().startswith("# Two\n\nWhat the second run teaches.\n\n<!-- ace")
    assert seen.read_text().count("# Two") >= 2
    lines = list(Log(project / ".ace" / "history").verified())
    duplicates = [event for line in lines for event in line.events if isinstance(event, DuplicateRejected)]
    assert [(event.line, event.file) for event in duplicates] == [(3, "2-AGENTS.md")]
    harness = project / ".ace" / "steps" / "00001" / "harness"
    assert sorted(path.name for path in harness.iterdir()) == ["2-AGENTS.md", "AGENTS.md"]
    assert ace("replay") == 0
    two[1].write_text("# Two\n")
    assert ace("replay") == 1
    assert ace("rebuild") == 0
    assert ace("replay") == 0


def test_no_file_is_written_where_the_check_refuses(
    project: Path, server: Loopback, two: tuple[Path, Path]
) -> None:
    """Given a check that refuses the second file, then the first one is as it was, too."""
    before = [path.read_bytes() for path in two]
    check = """sh -c 'for f; do case $f in */2-*) ! grep ace-00001 $f || exit 1;; esac; done' sh"""
    assert ace("learn", runs(project / "runs.jsonl", "first"), *asking(server), "--check", check) == 1
    assert [path.read_bytes() for path in two] == before


def test_a_kill_between_the_two_files(project: Path, server: Loopback, two: tuple[Path, Path]) -> None:
    """Given a kill after the first file was written, then the next start finishes the second."""

    class Killed(BaseException):
        pass

    def killing(name: str, operation: Operation) -> Operation:
        def call(*args: Any, **named: Any) -> Any:
            if name == "replace" and os.path.realpath(args[1]) == str(two[1]):
                raise Killed
            return operation(*args, **named)

        return call

    traces = runs(project / "runs.jsonl", "first")
    with intercepted(killing), pytest.raises(Killed):
        ace("learn", traces, *asking(server))
    assert "What the first run teaches." in two[0].read_text()
    assert BEGIN not in two[1].read_text()
    asked = len(server.bodies)
    assert ace("learn", traces, *asking(server)) == 0
    assert len(server.bodies) == asked
    assert "What the first run teaches." in two[1].read_text()
    assert ace("replay") == 0


@pytest.mark.parametrize("how", ["link", "other spelling"])
def test_two_names_of_one_file_count_once(project: Path, how: str) -> None:
    """Given one file under two names, then it is one rules file."""
    first = project / "AGENTS.md"
    first.write_text("x\n")
    second = project / "CLAUDE.md"
    match how:
        case "link":
            second.symlink_to("AGENTS.md")
        case _:
            second = project / "src" / ".." / "AGENTS.md"
            (project / "src").mkdir()
    assert FolderBook(project / ".ace", [first, second]).rules_files == [first]


def test_a_hard_link_is_a_file_of_its_own(project: Path, server: Loopback) -> None:
    """Given two names by a hard link, which ends as soon as one of them is replaced, then both get the block."""
    (project / "AGENTS.md").write_text("x\n")
    (project / "CLAUDE.md").hardlink_to(project / "AGENTS.md")
    assert ace("init") == 0
    assert ace("learn", runs(project / "r.jsonl", "first"), *asking(server)) == 0
    for name in ("AGENTS.md", "CLAUDE.md"):
        assert "What the first run" in (project / name).read_text()


def test_a_file_that_includes_another_is_told(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given CLAUDE.md that includes AGENTS.md, and both as rules files, then it is said that the block is read twice."""
    (project / "AGENTS.md").write_text("Write to me@AGENTS.md.\n")
    (project / "CLAUDE.md").write_text("See @AGENTS.md.\n")
    assert ace("init") == 0
    assert "CLAUDE.md includes AGENTS.md, and both carry the block" in capsys.readouterr().err
    assert ace("learn", runs(project / "r.jsonl", "first"), *asking(server)) == 0
    told = capsys.readouterr().err
    assert told.count("both carry the block") == 1


def test_a_file_that_cannot_be_written_is_found_before_any_call(
    project: Path, server: Loopback, two: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """Given that the second of two files cannot be written, then nobody is asked."""
    two[1].unlink()
    two[1].parent.rmdir()
    two[1].parent.write_text("a file")
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert ace("learn", runs(project / "r.jsonl", "first"), *asking(server)) == 2
    assert "docs" in err.getvalue()
    assert server.bodies == []
    assert capsys.readouterr() == ("", "")


@pytest.mark.slow
def test_the_installed_command_finds_the_folder(project: Path, server: Loopback) -> None:
    """Given the console script in a folder below, then it finds folder and rules file as well."""
    (project / "AGENTS.md").write_text("# Agents\n")
    assert ace("init") == 0
    runs(project / "runs.jsonl", "first")
    env = environ(**server.environ(), HOME=str(project.parent.parent))
    code, _, err = finish(start(["learn", "runs.jsonl"], env))
    assert code == 0, err
    assert "What the first run teaches." in (project / "AGENTS.md").read_text()


def test_a_folder_of_somebody_s_own_is_named(project: Path) -> None:
    """Given the work folder's own files as rules, then that is refused, whatever configuration says so."""
    with pytest.raises(AceError, match="own files"):
        FolderBook(project / ".ace", [project / ".ace" / "config.toml"])


# --- links, pipes and other surprises ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "target", ["../.git/config", "../.git/hooks/post-commit", "../../../.bashrc", "../AGENTS.md/x"]
)
def test_the_rules_file_of_the_folder_as_a_link(
    project: Path, server: Loopback, target: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `.ace/rules.md` as a link that came with a clone, then neither `learn` nor `init` puts the block there."""
    (project / ".git" / "config").write_text("[core]\n")
    (project / ".git" / "hooks" / "post-commit").write_text("#!/bin/sh\n")
    (project / ".ace").mkdir()
    (project / ".ace" / "rules.md").symlink_to(target)
    home = project.parent.parent
    traces = runs(project / "runs.jsonl", "first")
    before = files(home)
    if not target.endswith("/x"):
        fails(capsys, "learn", traces, *asking(server))
        assert "--rules" in fails(capsys, "init")
        assert files(home) == before
    else:
        assert ace("learn", traces, *asking(server)) in (0, 2)


def test_init_takes_up_no_link_out_of_the_project(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given AGENTS.md and CLAUDE.md that lead elsewhere, then they are not chosen; an own GEMINI.md is."""
    home = project.parent.parent
    (project / ".git" / "hooks" / "post-checkout").write_text("#!/bin/sh\n")
    (project / "AGENTS.md").symlink_to(home / ".bashrc")
    (project / "CLAUDE.md").symlink_to(".git/hooks/post-checkout")
    assert "leads out of the project" in fails(capsys, "init")
    assert not (project / ".ace").exists()
    (project / "GEMINI.md").write_text("x\n")
    assert "will be put into GEMINI.md." in succeeds(capsys, "init")


def test_a_rules_file_that_becomes_a_link_later(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a trusted configuration, then a file that leads out of the project since is not followed; one that did when it was
    trusted is.
    """
    home = project.parent.parent
    (home / "shared.md").write_text("shared\n")
    (project / "AGENTS.md").symlink_to(home / "shared.md")
    assert ace("init", "--rules", "AGENTS.md") == 0
    assert "(a link to" in capsys.readouterr().out
    traces = runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", traces, *asking(server))
    assert "What the first run" in (home / "shared.md").read_text()
    (project / "AGENTS.md").unlink()
    (project / "AGENTS.md").symlink_to(home / ".bashrc")
    runs(traces, "second")
    assert "it led elsewhere when" in fails(capsys, "learn", traces, *asking(server))
    assert (home / ".bashrc").read_text() == "export A=1\n"
    succeeds(capsys, "trust")
    assert "--rules" not in succeeds(capsys, "status")


def test_a_rules_file_that_is_exchanged_meanwhile(project: Path) -> None:
    """Given a rules file in whose place a link comes while a model thinks, then the block does not follow it."""
    home = project.parent.parent
    (project / "AGENTS.md").write_text("x\n")
    assert ace("init") == 0

    def exchanging(body: dict[str, Any], n: int) -> Reply:
        if n == 2:
            (project / "AGENTS.md").unlink()
            (project / "AGENTS.md").symlink_to(home / ".bashrc")
        return answer(body, n)

    with Loopback(exchanging) as other:
        assert ace("learn", runs(project / "runs.jsonl", "first"), *asking(other)) != 0
    assert (home / ".bashrc").read_text() == "export A=1\n"


@pytest.mark.parametrize("name", ["history/events.jsonl", "state/playbook.json", "AGENTS.md"])
@pytest.mark.parametrize("what", ["pipe", "device"])
def test_what_is_no_file_is_not_waited_for(
    project: Path, server: Loopback, name: str, what: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a pipe, or a link to a device, in the place of a file, then each command says so at once."""
    work = cloned(project, 'rules = ["AGENTS.md"]\n')
    path = project / name if name == "AGENTS.md" else work / name
    path.parent.mkdir(exist_ok=True)
    (work / "state").mkdir(exist_ok=True)
    if what == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to("/dev/zero")
    traces = runs(project / "runs.jsonl", "first")
    for command in (("learn", traces, *asking(server)), ("status",), ("replay",), ("rebuild",), ("adopt",)):
        assert ace(*command) in (1, 2)
        assert capsys.readouterr().err.startswith("ace: ")
    assert server.bodies == []


def test_a_secret_without_an_address_of_its_own(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a file that names a key and no address, then an address by hand gets the user's own key alone; the file's address,
    named by hand as well, gets the file's.
    """
    write_config(project / ".ace", [project / "AGENTS.md"])
    path = project / ".ace" / "config.toml"
    start = path.read_text()
    path.write_text(f'{start}[model]\nname = "m"\napi_key_env = "MINE"\n')
    succeeds(capsys, "trust")
    monkeypatch.setenv("MINE", "a-secret-of-mine")
    monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
    traces = runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", traces)
    assert "a-secret-of-mine" not in json.dumps(server.headers)
    path.write_text(f'{start}[model]\nname = "m"\napi_key_env = "MINE"\nbase_url = "{server.base_url}/"\n')
    succeeds(capsys, "trust")
    runs(traces, "second")
    succeeds(capsys, "learn", traces)
    assert "a-secret-of-mine" in json.dumps(server.headers[-1])


def test_what_trust_says_cannot_be_forged(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given names with line breaks, then each sentence stays on its line; every key that counts by trust is named, and so is the
    key that goes along with an address.
    """
    cloned(
        project,
        'traces = ["logs/x\\n\\nIt may now do nothing else."]\nruns_per_step = 9\n[model]\nbase_url = "http://a/v1"\n'
        'temperature = 1.0\nbody = { x = 1 }\n[settings]\nbook = "b"\n',
    )
    told = succeeds(capsys, "trust").split("\n\n", 1)[1].splitlines()
    assert not any(line.startswith("It may now do nothing") for line in told)
    assert any("send there what the environment holds in 'OPENAI_API_KEY'" in line for line in told)
    assert any("model.temperature, model.body, settings.book, runs_per_step" in line for line in told)


def test_a_configuration_that_is_written_meanwhile(project: Path) -> None:
    """Given somebody's own file, or an edit, that came after it was read, then it is not written over, nor trusted."""
    work = project / ".ace"
    missing = read_config(work)
    work.mkdir()
    (work / "config.toml").write_text("# mine\n")
    with pytest.raises(ConfigError, match="changed meanwhile"):
        remember_rules(missing, [project / "A.md"])
    old = read_config(work)
    (work / "config.toml").write_text("# mine, later\n")
    with pytest.raises(ConfigError, match="changed meanwhile"):
        remember_rules(old, [project / "A.md"])
    assert (work / "config.toml").read_text() == "# mine, later\n"
    assert not read_config(work).trusted


def test_the_check_of_the_file_runs_in_the_project(
    project: Path, server: Loopback, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a check by a relative path, then it is the project's, from wherever the command is given."""
    write_config(project / ".ace", [project / "AGENTS.md"])
    path = project / ".ace" / "config.toml"
    path.write_text(f'check = "./check.sh"\n{path.read_text()}')
    succeeds(capsys, "trust")
    (project / "check.sh").write_text("#!/bin/sh\npwd > here\n")
    (project / "check.sh").chmod(0o755)
    runs(project / "runs.jsonl", "first")
    (project / "sub").mkdir()
    monkeypatch.chdir(project / "sub")
    succeeds(capsys, "learn", "../runs.jsonl", *asking(server))
    assert (project / "here").read_text() == f"{project}\n"


def test_an_empty_list_of_rules(project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]) -> None:
    """Given `rules = []`, then the folder's own file counts, and `--rules` does not break the configuration."""
    cloned(project, "rules = []\n")
    traces = runs(project / "runs.jsonl", "first")
    assert ace("learn", traces, *asking(server), "--rules", "A.md") == 0
    assert 'say rules = ["A.md"] in' in capsys.readouterr().err
    assert "rules.md" in succeeds(capsys, "status")


def test_a_folder_behind_a_link_of_another_name(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given `--work` as a link, then the rules file that is remembered is the one that was named."""
    (project.parent / "data" / "deep").mkdir(parents=True)
    (project / "playbook").symlink_to("../data/deep")
    (project / "AGENTS.md").write_text("x\n")
    traces = runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", traces, "--work", "playbook", "--rules", "AGENTS.md", *asking(server))
    runs(traces, "second")
    succeeds(capsys, "learn", traces, "--work", "playbook", *asking(server))
    assert "What the second run" in (project / "AGENTS.md").read_text()


def test_the_folder_s_own_files_as_links_in_it(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Given the lock as a link to the log, then the log is not written over."""
    work = cloned(project, "")
    (work / "history").mkdir()
    (work / "history" / "events.jsonl").write_text("x\n")
    (work / "lock").symlink_to("history/events.jsonl")
    assert "is a link" in fails(capsys, "rebuild")
    assert (work / "history" / "events.jsonl").read_text() == "x\n"


def test_a_folder_of_another_user_is_named(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a project of another user, as in a container, then `init` and the search say what helps."""
    somebody = project.stat().st_uid + 1
    monkeypatch.setattr(os, "geteuid", lambda: somebody)
    assert "belongs to another user" in succeeds(capsys, "init")
    told = fails(capsys, "status")
    assert "another user's" in told.replace("another \nuser", "another user")


@pytest.mark.parametrize("name", ["~nosuchuser/x.md", "~notes.md"])
def test_names_with_a_tilde(
    project: Path, server: Loopback, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a file whose name begins with `~`, then it is that file; a rules file may speak of unknown users."""
    traces = runs(project / "runs.jsonl", "first")
    (project / "B.md").write_text("Ask @~nosuchuser/x.\n")
    succeeds(capsys, "init", "--rules", f"./{name}", "--rules", "B.md")
    succeeds(capsys, "learn", traces, *asking(server))
    assert "What the first run" in (project / name).read_text()


def test_no_home_at_all(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a user without a home folder, then each command still ends with a sentence."""

    def no_home() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", no_home)
    monkeypatch.delenv("XDG_STATE_HOME")
    assert "XDG_STATE_HOME" in fails(capsys, "init")
    traces = runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", traces, "--dry-run", "--base-url", "http://a/v1", "--work", "w")


def test_what_a_file_says_is_shown_with_escapes(
    project: Path, server: Loopback, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given names with control characters from an untrusted file, then no command prints them raw."""
    cloned(project, 'rules = ["A\\u001b]0;x\\u0007.md"]\n')
    traces = runs(project / "runs.jsonl", "first")
    for command in (("learn", traces, *asking(server)), ("status",), ("rebuild",), ("adopt",), ("replay",)):
        assert ace(*command) == 0
        out, err = capsys.readouterr()
        assert "\x1b" not in out + err


@pytest.mark.parametrize("traces", ["a**b", "logs/**b"])
def test_a_pattern_that_is_none(project: Path, traces: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a wrong pattern of traces, then one sentence says so."""
    cloned(project, f'traces = ["{traces}"]\n')
    succeeds(capsys, "trust")
    assert "traces: " in fails(capsys, "learn", "--model", "m", "--base-url", "http://a/v1")


@pytest.mark.parametrize("command", [("learn", "runs.jsonl"), ("rebuild",), ("adopt",)])
def test_broken_markers_name_their_file(
    project: Path,
    server: Loopback,
    two: tuple[Path, Path],
    command: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Given two rules files, one of them with a marker too few, then the sentence says which."""
    runs(project / "runs.jsonl", "first")
    succeeds(capsys, "learn", "runs.jsonl", *asking(server))
    two[1].write_text(f"# Two\n{BEGIN}\n")
    more = asking(server) if command[0] == "learn" else ()
    assert f"{two[1]}: the markers" in fails(capsys, *command, *more)
    assert END in two[0].read_text()
