"""Where agents keep their sessions, and which of them are a project's."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.recordings import SESSIONS, Asked

from ace.adapters.traces.collection import Collection
from ace.adapters.traces.tools import TOOLS, Tool, sessions_of
from ace.domain.errors import TraceError
from ace.domain.trace import task_of

FORMS = {form.name: form for form in SESSIONS}


def recorded(tool: str, task: str, folder: Path) -> bytes:
    """A session of one turn, held in this folder."""
    data = FORMS[tool].render([Asked((task,))])
    if tool == "gemini":
        return data
    first, _, rest = data.partition(b"\n")
    value: dict[str, Any] = json.loads(first)
    match tool:
        case "codex":
            value["payload"]["cwd"] = str(folder)
        case "opencode":
            value = json.loads(data)
            value["info"]["directory"] = str(folder)
            return json.dumps(value).encode()
        case _:
            value["cwd"] = str(folder)
    return json.dumps(value).encode() + b"\n" + rest


def at(tool: str, home: Path, project: Path, name: str) -> Path:
    """Where the tool would keep a session of this project."""
    encoded = re.sub(r"[^A-Za-z0-9]", "-", str(project))
    digest = hashlib.sha256(str(project).encode()).hexdigest()
    path = {
        "claude-code": home / ".claude/projects" / encoded / f"{name}.jsonl",
        "codex": home / ".codex/sessions/2026/03/01" / f"rollout-{name}.jsonl",
        "gemini": home / ".gemini/tmp" / digest / "chats" / f"session-{name}.json",
        "opencode": home / ".local/share/opencode/storage/session/abc" / f"{name}.json",
        "pi": home / ".pi/agent/sessions" / f"--{encoded}--" / f"{name}.jsonl",
    }[tool]
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


@pytest.fixture
def put(tmp_path: Path) -> Callable[..., Path]:
    """Puts a session of a project where the tool keeps it, below a home folder."""

    def put_session(tool: str, task: str, project: Path, home: Path = tmp_path / "home") -> Path:
        path = at(tool, home, project, task.strip(".").lower())
        path.write_bytes(recorded(tool, task, project))
        return path

    return put_session


def tasks(tool: Tool, project: Path, **environ: Any) -> list[str]:
    """The tasks of the project's sessions."""
    found = Collection(sessions_of(tool, project, {name: str(value) for name, value in environ.items()}))
    return sorted(task_of(trace) for _, trace in found.listed())


every_tool = pytest.mark.parametrize("tool", TOOLS)


@every_tool
def test_the_sessions_of_a_project(tool: Tool, tmp_path: Path, put: Callable[..., Path]) -> None:
    """Given sessions of two projects, then those of the one that is meant are found, and of folders below it where that is told."""
    project, home = tmp_path / "my.project", tmp_path / "home"
    put(tool, "Mine.", project)
    put(tool, "Another's.", tmp_path / "my.project-2")
    below = [] if tool == "gemini" else [put(tool, "Below.", project / "src")]
    expected = ["Below.", "Mine."] if below else ["Mine."]
    assert tasks(tool, project, HOME=home) == expected
    link = tmp_path / "link"
    link.symlink_to(project)
    project.mkdir()
    if tool != "claude-code":
        assert tasks(tool, link, HOME=home) == expected
    with pytest.raises(TraceError, match=r"none was held in .*elsewhere: name another folder with --project"):
        tasks(tool, tmp_path / "elsewhere", HOME=home)
    with pytest.raises(TraceError, match=f"there is no session of {tool} in"):
        tasks(tool, project, HOME=tmp_path / "nobody")


@every_tool
def test_the_variables_that_a_tool_honours(tool: Tool, tmp_path: Path, put: Callable[..., Path]) -> None:
    """Given the tool's own variable, then its folder is taken, and not the one in the home folder."""
    project = tmp_path / "project"
    put(tool, "In the home.", project)
    other = tmp_path / "other"
    put(tool, "Elsewhere.", project, other)
    variables: dict[str, tuple[str, Path]] = {
        "claude-code": ("CLAUDE_CONFIG_DIR", other / ".claude"),
        "codex": ("CODEX_HOME", other / ".codex"),
        "gemini": ("GEMINI_CLI_HOME", other),
        "opencode": ("XDG_DATA_HOME", other / ".local/share"),
        "pi": ("PI_CODING_AGENT_DIR", other / ".pi/agent"),
    }
    name, value = variables[tool]
    assert tasks(tool, project, HOME=tmp_path / "home", **{name: value}) == ["Elsewhere."]
    if tool == "pi":
        flat = {"PI_CODING_AGENT_SESSION_DIR": other / ".pi/agent/sessions"}
        assert tasks(tool, project, HOME=tmp_path / "home", **flat) == ["Elsewhere."]


def test_gemini_projects_by_name(tmp_path: Path) -> None:
    """Given a folder that is named after the project, then the file in it, or the list of projects, says whose it is."""
    tmp = tmp_path / ".gemini" / "tmp"
    for name in ("mine", "mine-1", "other"):
        (tmp / name / "chats").mkdir(parents=True)
        (tmp / name / "chats" / "session-1.json").write_bytes(recorded("gemini", f"Of {name}.", tmp_path))
    (tmp / "mine" / ".project_root").write_text(str(tmp_path / "mine"))
    (tmp / "other" / ".project_root").write_text(str(tmp_path / "other"))
    known = {"projects": {str(tmp_path / "mine" / "web"): "mine-1"}}
    (tmp_path / ".gemini" / "projects.json").write_text(json.dumps(known))
    assert len(sessions_of("gemini", tmp_path / "mine", {"HOME": str(tmp_path)})) == 2


def test_a_session_that_does_not_say_where_it_was_held(tmp_path: Path) -> None:
    """Given a session of Claude Code without a folder, then the name of its own folder tells."""
    project = tmp_path / "project"
    path = at("claude-code", tmp_path, project, "one")
    rows = [json.loads(line) for line in FORMS["claude-code"].render([Asked(("Mine.",))]).splitlines()]
    path.write_text("".join(json.dumps({**row, "cwd": None}) + "\n" for row in rows))
    assert tasks("claude-code", project, HOME=tmp_path) == ["Mine."]


def test_the_last_changed_comes_last(tmp_path: Path, put: Callable[..., Path]) -> None:
    """Given files changed at other times than their names say, then they come in the order of their changes."""
    for age, task in enumerate(("C.", "A.", "B.")):
        path = put("pi", task, tmp_path / "project")
        os.utime(path, (age, age))
    found = sessions_of("pi", tmp_path / "project", {"HOME": str(tmp_path / "home")})
    assert [source.path.stem for source in found] == ["c", "a", "b"]
