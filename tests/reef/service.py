"""A real `reef serve`, started on a free port of 127.0.0.1 in a folder of its own, and a client that talks to it.

Nothing here knows the method's code: the service is driven over HTTP, as its users drive it, and its files are read.
Every wait has a condition and a deadline.
"""

from __future__ import annotations

import http.client
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
import urllib.parse
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from email.message import Message
from pathlib import Path
from typing import Any, Self

from tests.reef.upstream import Script, upstream

__all__ = ["REPOSITORY", "Client", "Release", "Service", "configuration", "deployed", "free_port", "until"]

REPOSITORY = Path(__file__).resolve().parents[2]
ACE = "from ace.adapters.cli import main; raise SystemExit(main())"
BEGIN, END = "<!-- ace:playbook:begin -->", "<!-- ace:playbook:end -->"

_GIT = {
    "GIT_CONFIG_COUNT": "2",
    "GIT_CONFIG_KEY_0": "maintenance.auto",
    "GIT_CONFIG_VALUE_0": "false",
    "GIT_CONFIG_KEY_1": "gc.auto",
    "GIT_CONFIG_VALUE_1": "0",
}
"""Reef runs git a hundred times a step, and each time git would see whether a repository that lives for seconds needs upkeep."""


def until[T](condition: Callable[[], T | None], what: str, seconds: float = 40) -> T:
    """The first value of the condition that is true, asked again and again until the deadline."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.05)
    raise AssertionError(f"waited {seconds} seconds for {what}")


def free_port() -> int:
    """A port that nobody listens on at this moment."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def configuration(evolution: Mapping[str, Any], **sections: Any) -> dict[str, Any]:
    """A deployment file with this `evolution`, one report a step; `sections` take the place of others."""
    folders = ("agent-record-dir", "artifact-repository", "artifact-work-dir", "artifact-cache-dir")
    return {
        "reef": {"host": "127.0.0.1", "port": "${PORT:?}", "run-dir": "run"},
        "inference": {"upstream-url": "${REEF_UPSTREAM_URL:?}", "upstream-model": "${REEF_UPSTREAM_MODEL:?}"},
        "recipe": {
            "implementation": "ace.adapters.reef:ACERecipe",
            "config": {"evolution": {"work_dir": "work", **evolution}},
        },
        "pipeline": {"task2batch": {"config": {"batch_size": 1}}},
        "storage": {folder: f"store/{folder}" for folder in folders},
        **sections,
    }


class Service:
    """The service in `folder`, from the `with` on. `restart` and `kill` leave its files as they are."""

    def __init__(
        self,
        folder: Path,
        config: Mapping[str, Any] | Path,
        upstream: str,
        *,
        environ: Mapping[str, str] | None = None,
    ) -> None:
        self.folder = folder
        self.upstream = upstream
        self.port = free_port()
        self.config = config if isinstance(config, Path) else folder / "reef.yaml"
        folder.mkdir(parents=True, exist_ok=True)
        if not isinstance(config, Path):
            self.config.write_text(json.dumps(config))  # JSON is YAML
        # A file of somebody else's says a port of its own.
        self._arguments = ("--reef.port", str(self.port)) if isinstance(config, Path) else ()
        self.headers = {"content-type": "application/json"}
        # What Reef leaves in the temporary folder when it is killed lies with the rest.
        temporary = (folder / "tmp").absolute()
        temporary.mkdir(exist_ok=True)
        self._environ = {
            **os.environ,
            **_GIT,
            "TMPDIR": str(temporary),
            "PORT": str(self.port),
            "REEF_UPSTREAM_URL": upstream.removesuffix("/v1"),
            "REEF_UPSTREAM_MODEL": "scripted",
            "NO_PROXY": "127.0.0.1",
            "no_proxy": "127.0.0.1",
            **(environ or {}),
        }
        self._process: subprocess.Popen[bytes] | None = None
        self._base: str | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        # Not `stop`: Reef takes seconds to end, and nobody needs what it leaves behind.
        if self._process is not None:
            self.kill()

    def client(self, scenario: str, *, release: str | None = None) -> Client:
        """Somebody who uses a new scenario: begun from the seed, or from a release."""
        body = {"name": scenario, "release_id": release or self.base()}
        status, answer, _ = self.request("POST", "/reef/scenarios", body)
        assert status in (200, 201), answer
        return Client(self, scenario)

    def base(self) -> str:
        """The release that everything begins with: the one before the first scenario's first."""
        if self._base is None:
            first = Client(self, "first")
            first.chat()
            _, answer, _ = self.request("GET", "/reef/scenarios/first/releases")
            self._base = str(answer["releases"][-1]["parent_release_id"])
        return self._base

    def start(self) -> None:
        """Start, and wait until the service answers."""
        self._process = self._launch()
        until(self._healthy, "the service to answer", 90)

    def refused(self) -> str:
        """Start with a configuration that is wrong: what the service says before it ends."""
        self._process = self._launch()
        until(
            lambda: self._process is not None and self._process.poll() is not None, "the service to end", 90
        )
        self._process = None
        return self.log()

    def stop(self) -> None:
        """End the service as a person does."""
        if self._process is not None:
            self._process.terminate()
            self._process.wait(60)
            self._process = None

    def kill(self) -> None:
        """End the service and all that it started, at once (kill -9)."""
        assert self._process is not None
        for process in [*_descendants(self._process.pid), self._process.pid]:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        self._process.wait(20)
        self._process = None

    @contextmanager
    def full_disk(self) -> Iterator[None]:
        """A time in which no process of the service can write to a file, as on a full disk."""
        assert self._process is not None
        processes = [self._process.pid, *_descendants(self._process.pid)]
        limits = {process: resource.prlimit(process, resource.RLIMIT_FSIZE) for process in processes}
        for process, (_, hard) in limits.items():
            resource.prlimit(process, resource.RLIMIT_FSIZE, (0, hard))
        try:
            yield
        finally:
            for process, limit in limits.items():
                with suppress(ProcessLookupError):
                    resource.prlimit(process, resource.RLIMIT_FSIZE, limit)

    def log(self) -> str:
        """What the service has written to its logs."""
        logs = [self.folder / "launcher.log", *sorted(self.folder.rglob("run/**/*.log"))]
        return "\n".join(path.read_text(errors="replace") for path in logs if path.is_file())

    def answers(self) -> bool:
        """Whether it is there."""
        try:
            return self.request("GET", "/healthz")[0] == 200
        except OSError:
            return False

    def request(
        self, method: str, path: str, body: object = None, headers: Mapping[str, str] | None = None
    ) -> tuple[int, Any, Message]:
        """One request: the status, the body (JSON where it is JSON), the headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            data = None if body is None else json.dumps(body).encode()
            connection.request(method, path, data, {**self.headers, **(headers or {})})
            response = connection.getresponse()
            read = response.read()
        finally:
            connection.close()
        kind = response.headers.get("content-type", "")
        return response.status, json.loads(read) if "json" in kind else read.decode(), response.headers

    def _launch(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-c", "from reef.cli import main; main()", "serve", "-c", str(self.config)]
        with (self.folder / "launcher.log").open("ab") as log:
            return subprocess.Popen(
                [*command, *self._arguments],
                cwd=self.folder,
                env=self._environ,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def _healthy(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, f"the service ended:\n{self.log()[-4000:]}"
        return self.answers()


@contextmanager
def deployed(
    folder: Path, config: Mapping[str, Any] | Path, *, environ: Mapping[str, str] | None = None
) -> Iterator[tuple[Service, Script]]:
    """A service with an upstream of its own, and the script of that."""
    script = Script()
    with upstream(script) as up, Service(folder, config, up.base_url, environ=environ) as service:
        yield service, script


class Release(dict[str, Any]):
    """The harness that is served: `release_id`, `files` and what else Reef tells of it."""

    @property
    def rules(self) -> str:
        """The file that the agent reads; empty if there is none."""
        return next((text for path, text in self["files"].items() if path.endswith("AGENTS.md")), "")

    @property
    def bullets(self) -> list[str]:
        """The lines of the block's bullets, without the list mark."""
        block = self.rules.partition(BEGIN)[2].partition(END)[0]
        return [line.removeprefix("- ") for line in block.splitlines() if line.startswith("- [")]


class Client:
    """A scenario, used over HTTP."""

    def __init__(self, service: Service, scenario: str) -> None:
        self.service = service
        self.scenario = scenario

    @property
    def folder(self) -> Path:
        """Where the method keeps this scenario's files."""
        name = urllib.parse.quote(self.scenario, safe="")
        return self.service.folder / "work" / "harness" / name / "harness"

    def post(self, path: str, body: object) -> tuple[int, Any, Message]:
        """One request in the name of the scenario."""
        return self.service.request("POST", path, body, {"x-reef-scenario": self.scenario})

    def chat(self, task: str = "Do it.", **more: Any) -> str:
        """Talk to the model; the call's record, to report on."""
        return self.said([{"role": "user", "content": task}], **more)

    def said(self, messages: list[dict[str, Any]], **more: Any) -> str:
        """Send a conversation; the call's record."""
        body = {"model": "scripted", "messages": messages, **more}
        status, answer, headers = self.post("/v1/chat/completions", body)
        assert status == 200, answer
        return headers.get("x-reef-agent-record-id") or _receipt(answer)

    def report(self, *records: str, score: float = 1.0, feedback: object = None) -> None:
        """Report on calls."""
        body = {"score": score, "references": list(records), **({"feedback": feedback} if feedback else {})}
        status, answer, _ = self.post("/reef/report", body)
        assert status == 200, answer

    def run(self, task: str = "Do it.", *, score: float = 1.0, feedback: object = None) -> str:
        """One run and its report; the call's record."""
        record = self.chat(task)
        self.report(record, score=score, feedback=feedback)
        return record

    def commits(self) -> list[dict[str, Any]]:
        """Reef's commits of the scenario, oldest first."""
        path = f"/reef/scenarios/{urllib.parse.quote(self.scenario, safe='')}/commits?limit=100"
        status, answer, _ = self.service.request("GET", path)
        return list(answer["commits"]) if status == 200 else []

    def step(self, number: int) -> dict[str, Any]:
        """Wait for a step's commit."""
        try:
            return until(
                lambda: next((one for one in self.commits() if one["step"] == number), None), f"step {number}"
            )
        except AssertionError as late:
            late.add_note(f"the end of the service's log:\n{self.service.log()[-6000:]}")
            raise

    def learn(self, task: str = "Do it.", *, score: float = 1.0, feedback: object = None) -> dict[str, Any]:
        """One run, its report, and the commit of the step that comes of it."""
        done = len(self.commits())
        self.run(task, score=score, feedback=feedback)
        return self.step(done + 1)

    def served(self) -> Release:
        """The harness that is served now."""

        def asked() -> tuple[int, Any] | None:
            status, answer, _ = self.service.request(
                "GET", "/reef/harness", headers={"x-reef-scenario": self.scenario}
            )
            # While Reef publishes, a second fetch of its own may take the first one's FETCH_HEAD away for a moment.
            return None if status == 500 and "FETCH_HEAD" in str(answer) else (status, answer)

        status, answer = until(asked, "Reef to find its release")
        assert status == 200, answer
        return Release(answer)

    def look(self, command: str, *more: str) -> str:
        """What a command of `ace` prints of the scenario."""
        where = ["--work", str(self.service.folder / "work"), "--scenario", self.scenario]
        done = subprocess.run(
            [sys.executable, "-c", ACE, command, *more, *where],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def order(self, command: str, *more: str, by: str = "the-operators-own-secret", status: int = 0) -> str:
        """What a command of `ace` says that decides about a lesson in the service, and ends with this status."""
        where = ["--reef", f"http://127.0.0.1:{self.service.port}", "--scenario", self.scenario, "--yes"]
        done = subprocess.run(
            [sys.executable, "-c", ACE, command, *more, *where],
            env={**os.environ, "ACE_OPERATOR_TOKEN": by, "REEF_TOKEN": ""},
            capture_output=True,
            text=True,
            timeout=150,
            check=False,
        )
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    def log_lines(self) -> list[dict[str, Any]]:
        """The method's log."""
        path = self.folder / "history" / "events.jsonl"
        return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def _receipt(stream: str) -> str:
    """The record that the last events of a stream name."""
    for line in stream.splitlines():
        if '"agent_record_id"' in line:
            return str(json.loads(line.removeprefix("data:"))["reef"]["agent_record_id"])
    raise AssertionError(f"no record in {stream!r}")


def _descendants(process: int) -> Iterator[int]:
    """The processes that a process started, and those that they started. Each of its threads may have started some."""
    for children in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in map(int, children.read_text().split()):
                yield from _descendants(child)
                yield child
