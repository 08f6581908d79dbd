"""The real pi agent, installed by Reef's own route into a home of its own: run, report, update, run again."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.loopback import Reply
from tests.reef.service import BEGIN, END, Service, configuration, deployed
from tests.reef.upstream import curation, prompt_of, reflection, stream, system_of, tool_stream

pytestmark = pytest.mark.slow

LESSON = "Print the file before you say what is in it."


class Home:
    """Somebody's computer, where pi is installed for one scenario of a service."""

    def __init__(self, folder: Path, service: Service, scenario: str, environ: dict[str, str]) -> None:
        self.work = folder / "project"
        self.work.mkdir(parents=True)
        self._environ = {
            **{key: value for key, value in os.environ.items() if not key.startswith("REEF_")},
            **environ,
            "HOME": str(folder),
            "REEF_PYTHON": sys.executable,
            "NO_PROXY": "127.0.0.1",
        }

        status, script, _ = service.request(
            "GET", "/reef/harness/install?adapter=pi", headers={"x-reef-scenario": scenario}
        )
        assert status == 200, script
        self.call("sh", "-c", script)
        self.pi = str(folder / ".local" / "bin" / "reef-pi")

    def call(self, *command: str) -> str:
        """Run a command in the project's folder; what it said."""
        done = subprocess.run(
            command,
            cwd=self.work,
            env=self._environ,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, f"{command[:2]}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout + done.stderr


def agent(body: dict[str, Any]) -> Reply:
    """A model that has its agent read a file, and then says what is in it."""
    if "SEEN-BY-TOOL" in prompt_of(body):
        return stream("It says: SEEN-BY-TOOL")
    return tool_stream("bash", {"command": "cat note.txt"})


def test_pi_reads_its_own_lessons(pi: dict[str, str], tmp_path: Path) -> None:
    """A run with a real tool call becomes a lesson, and the next run has the block in its system prompt, word for word."""
    seed = [{"id": "rules", "name": "rules", "config": {"text": "# Rules\n"}}]
    with deployed(tmp_path / "service", configuration({"seed": seed})) as (service, script):
        client = service.client("with-pi")
        home = Home(tmp_path / "home", service, client.scenario, pi)
        (home.work / "note.txt").write_text("SEEN-BY-TOOL\n")
        script.agent, script.reflector, script.curator = agent, reflection(), curation(LESSON)
        assert "It says" in home.call(home.pi, "-p", "What does note.txt say?")
        home.call(home.pi, "report", "--score", "1", "--feedback", "right at once")
        client.step(1)
        (prompt,) = script.prompts("reflector")
        for text in (
            "What does note.txt say?",
            "[assistant calls bash]",
            "[result of bash]",
            "\nright at once\n</feedback-",
        ):
            assert prompt.count(text) == 1, text
        assert prompt.count("It says: SEEN-BY-TOOL") == 1
        assert client.served().bullets == [f"[ace-00001] helpful=0 harmful=0 :: {LESSON}"]
        home.call(home.pi, "update")
        asked = len(script.asked)
        home.call(home.pi, "-p", "And again: what does note.txt say?")
        rules = client.served().rules
        block = rules[rules.index(BEGIN) : rules.index(END) + len(END)]
        assert block.replace("\r\n", "\n") in system_of(script.asked[asked][1]).replace("\r\n", "\n")
