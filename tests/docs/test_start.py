"""The pages that start with an agent, tried as a new user would: in an empty home folder with sessions of that agent, command by
command as they are there. What is replaced: the agent's own command, or the endpoint, answers from a script.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.loopback import Loopback, Reply, role_of, text
from tests.adapters.recordings import SESSIONS, Asked, Work
from tests.docs.pages import ROOT, blocks

pytestmark = pytest.mark.slow

LESSON = "Run `make check` before you say that it is done."
CURATION = json.dumps(
    {"operations": [{"type": "ADD", "section": "Strategies and insights", "content": LESSON}]}
)
REFLECTION = json.dumps(
    {"error_analysis": "It said done too early.", "key_insight": LESSON, "bullet_tags": []}
)
SESSION = [
    Asked(
        ("Fix the failing test.",),
        (Work("I run it.", "bash", {"command": "make"}, "make: error 2", failed=True),),
    ),
    Asked(("no, run make check first.",), reply="It passes now."),
]
ANSWERS = f"""#!{sys.executable}
import sys
prompt = sys.stdin.read()
print({CURATION!r} if '"operations"' in prompt else {REFLECTION!r})
"""
"""An agent's command that reads a prompt and prints a reply."""

WHERE = {
    "claude-code": ".claude/projects/-project/s.jsonl",
    "codex": ".codex/sessions/2026/12/02/rollout-s.jsonl",
    "pi": ".pi/agent/sessions/--project--/s.jsonl",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """An empty home folder with a project, and a folder of programs of its own."""
    (tmp_path / "src/your-project").mkdir(parents=True)
    (tmp_path / "src/your-agent").mkdir()
    programs = tmp_path / ".local/bin"
    programs.mkdir(parents=True)
    for name in ("claude", "codex"):
        (programs / name).write_text(ANSWERS)
        (programs / name).chmod(0o755)
    (programs / "ace").symlink_to(Path(sys.executable).with_name("ace"))
    for name in ("uv", "crontab"):  # what installs, and what opens an editor
        (programs / name).write_text("#!/bin/sh\n")
        (programs / name).chmod(0o755)
    return tmp_path


def typed(page: str, folder: str) -> str:
    """The commands of a page, in their order, and the configuration that it shows."""
    lines = ["set -e", f"mkdir -p ~/src/{folder}; cd ~/src/{folder}"]
    for block in blocks((ROOT / "docs" / page).read_text()):
        if block.kind == "bash":
            lines.append(block.code)
        elif block.kind == "toml" and "[model]" in block.code:
            tomllib.loads(block.code)
            lines.append(f"cat >> .ace/config.toml <<'END'\n{block.code}END")
    return "\n".join(lines)


def tried(home: Path, script: str, **environ: str) -> str:
    """What the commands print; they may not fail."""
    path = os.pathsep.join([str(home / ".local/bin"), os.environ["PATH"]])
    done = subprocess.run(
        ["/bin/bash", "-c", script],
        env={
            "HOME": str(home),
            "PATH": path,
            "XDG_STATE_HOME": str(home / "state"),
            "SSL_CERT_FILE": "",
            **environ,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def keep_session(home: Path, tool: str) -> None:
    """Keep a session of the tool as it does, held in the project two hours ago."""
    form = next(form for form in SESSIONS if form.name == tool)
    project = str(home / "src/your-project")
    path = home / WHERE[tool]
    path.parent.mkdir(parents=True)
    rows = [json.loads(line) for line in form.render(SESSION).splitlines()]
    for row in rows:
        holder = row["payload"] if tool == "codex" and isinstance(row.get("payload"), dict) else row
        if tool == "claude-code" or "cwd" in holder:
            holder["cwd"] = project
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    then = time.time() - 7200
    os.utime(path, (then, then))


@pytest.mark.parametrize(
    ("tool", "page", "rules"),
    [
        ("claude-code", "start-claude-code.md", "CLAUDE.md"),
        ("codex", "start-codex.md", "AGENTS.md"),
    ],
)
def test_an_agent_with_a_command(home: Path, tool: str, page: str, rules: str) -> None:
    """Given sessions of an agent, when a page is followed, then a lesson was in the file that the agent reads, and is removed again."""
    keep_session(home, tool)
    script = typed(page, "your-project").replace("ace remove 1", f"cat {rules}; ace remove --yes 1")
    told = tried(home, script)
    assert f"[ace-00001] helpful=0 harmful=0 :: {LESSON}" in told
    assert LESSON not in (home / "src/your-project" / rules).read_text()
    log = (home / "src/your-project/.ace/history/events.jsonl").read_text()
    assert "make check first" in log


def answer(body: dict[str, Any], _: int) -> Reply:
    """A reply of the endpoint."""
    return text(REFLECTION if role_of(body) == "reflector" else CURATION)


def test_pi_with_an_endpoint(home: Path) -> None:
    """Given sessions of pi, when its page is followed, then the same holds."""
    keep_session(home, "pi")
    with Loopback(answer) as server:
        script = typed("start-pi.md", "your-project").replace("http://localhost:8000/v1", server.base_url)
        script = script.replace("ace remove 1", "cat AGENTS.md; ace remove --yes 1")
        assert f":: {LESSON}" in tried(home, script)


def test_a_loop_of_ones_own(home: Path) -> None:
    """Given a program that records its runs as its page shows, then a lesson is in the file that it reads."""
    page = list(blocks((ROOT / "docs/start-your-own-loop.md").read_text()))
    record, read, learn = (block.code for block in page if block.kind == "python")
    folder = home / "src/your-agent"
    messages = [{"role": "user", "content": "Fix it."}, {"role": "assistant", "content": "Done."}]
    calls = f"record('run-1', {messages!r}, score=0)\nrecord('run-2', {messages[:1] + messages[1:]!r})\n"
    subprocess.run([sys.executable, "-c", record + calls], cwd=folder, check=True)
    with Loopback(answer) as server:
        script = typed("start-your-own-loop.md", "your-agent").replace(
            "http://localhost:8000/v1", server.base_url
        )
        tried(home, script)
        program = learn.replace("http://localhost:8000/v1", server.base_url)
        done = subprocess.run(
            [sys.executable, "-c", f"{program}\n{read}\nprint(system)"],
            cwd=folder,
            env={**os.environ, "HOME": str(home)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert LESSON in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("at", "tool", "rules"),
    [(0, "claude-code", "CLAUDE.md"), (1, "codex", "AGENTS.md"), (2, "pi", "AGENTS.md"), (3, "", "rules.md")],
)
def test_the_readme_alone(home: Path, at: int, tool: str, rules: str) -> None:
    """Given the four lines that the README has for an agent, when they are typed, then a lesson is in the file that it reads."""
    section = (
        (ROOT / "README.md")
        .read_text()
        .partition("## Start with your agent")[2]
        .partition("## How it works")[0]
    )
    code = [block.code for block in blocks(section) if block.kind == "bash"][at]
    project = home / "src/your-project"
    if tool:
        keep_session(home, tool)
    else:
        run = {
            "id": "r",
            "messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}],
        }
        (project / "runs.jsonl").write_text(json.dumps(run))
    with Loopback(answer) as server:
        script = f"set -e; cd ~/src/your-project\n{code.replace('http://localhost:8000/v1', server.base_url)}"
        tried(home, script, OPENAI_BASE_URL=server.base_url)
    assert LESSON in (project / rules).read_text()
