"""One step of the method, outside Reef, behind Reef's interface, and in a real `reef serve`: what the method costs, and
what Reef does, each with no history and with 100,000 lines of it.

    python benchmarks/hosted.py [--quick] [--before COMMIT]        with `.[reef]` installed, and git-lfs

    outside Reef              `ACE.step` in a folder of its own; its check admits everything
    behind Reef's interface   `ACEProposer.propose` with Reef's samples, bindings and admission of the tree
    in the service            from the report, over HTTP, until Reef's commit of a new release (policy none)

All three take the same steps: a playbook of 100 bullets, at its cap, one run, five tags, three new bullets. The model is
a script and takes no time; in the service it is an HTTP server on loopback. A history of n lines was written by
`run.py`, and its last line agrees with the playbook at the start; "no history" is that of the measured steps alone. In
the service Reef's log of commits is as long, by copies of a commit that changed nothing; its releases, its records of
calls and its record folders are those of the measured steps.

`--before` takes the same step behind Reef's interface with the code of that commit, too, in turns with today's, each in a process of its
own: what the method costs now may be at most 0.9 of that.

Reef's share is what the service takes beyond the step behind Reef's interface: its transport, also to the model, its
queue, its own record and the release. Table, limits, exit status and `--quick` are as in `run.py`.
"""

from __future__ import annotations

import io
import json
import re
import shutil
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count, islice
from pathlib import Path
from typing import Any

import msgspec

# The service and its scripted model are those of the tests.
sys.path.append(str(Path(__file__).resolve().parents[1]))

from reef.core.records_types import AgentRecord, RequestType
from reef.core.trajectories import make_trajectory
from reef.harness.adapters import get_adapter
from reef.harness.episodes.model_binding import ModelBinding, ModelBindings
from tests.reef.service import Client, Service, configuration
from tests.reef.upstream import Script, curation, reflection, upstream

import floor
from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.releases import MethodState
from ace.adapters.store.files import tail_lines
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import Log
from ace.adapters.store.scenarios import scenario_root
from ace.adapters.store.snapshot import SNAPSHOT
from ace.domain.playbook import Playbook, digest, dump
from ace.domain.trace import Trace
from ace.events.codec import decode_record, sealed
from ace.events.types import BulletAdded, Capped, RunRead, TagCounted
from ace.method import ACE
from ace.ports import Completion, Request, StepContext
from run import Row, medians, ratio, table, write_log

SIZE = 100
RULES = "# House rules\n\n- Say what you did.\n"
TASK, REPLY = "Make the tests pass.", "Done."


class Answers:
    """Both roles. The next Curator adds `additions` lessons that there were not before; times are when each was asked."""

    def __init__(self) -> None:
        self.additions = SIZE
        self.reflector_asked = self.curator_asked = 0.0
        self._lessons = iter(floor.lessons(10_000))

    def reflect(self, prompt: str) -> str:
        """The first five bullets that are shown helped."""
        self.reflector_asked = time.perf_counter()
        shown = re.finditer(r"\[(ace-[0-9]+)\]", prompt)
        return reflection(*((match[1], "helpful") for match in islice(shown, 5)))

    def curate(self, _: str) -> str:
        """New lessons, three from the second time on."""
        self.curator_asked = time.perf_counter()
        reply = curation(*islice(self._lessons, self.additions))
        self.additions = 3
        return reply

    def answer(self, prompt: str) -> str:
        """Whichever of the two is asked."""
        return self.reflect(prompt) if prompt.startswith("You are the Reflector.") else self.curate(prompt)


class History:
    """A log of that many lines, to be copied to where a playbook is to have it; its last line agrees with `playbook`."""

    def __init__(self, folder: Path, lines: int) -> None:
        self.lines = lines
        self.playbook = Playbook()
        self._folder = folder
        if lines:
            log = write_log(folder, lines - 1)
            last = log.last()
            assert last is not None
            self.playbook = Playbook(last.record.next_number, ())
            end = {"seq": lines, "prev": last.digest, "playbook": digest(self.playbook), "events": ()}
            log.append(sealed(msgspec.structs.replace(last.record, **end)))

    def place(self, root: Path) -> None:
        """Make the root of a playbook with this history."""
        root.mkdir(parents=True)
        if self.lines:
            shutil.copytree(self._folder, root / "history")

    def check(self, root: Path, steps: int, *, before: int = 0) -> None:
        """See that the steps there went on from this history, the first of them with an empty playbook, which it filled;
        `before` them came so many that changed nothing.
        """
        path = Log(root / "history").path
        first, *others = [decode_record(line) for line in tail_lines(path, steps + 1)]
        assert first.seq == self.lines + before + 1, first
        filled = [type(event) for event in first.events if not isinstance(event, RunRead)]
        assert filled == [BulletAdded] * SIZE, first
        assert len(others) == steps
        for record in others:
            kinds = [type(event) for event in record.events]
            assert [kinds.count(kind) for kind in (TagCounted, BulletAdded, Capped)] == [5, 3, 3], record


# --- without a service ----------------------------------------------------------------------------------------------


class Outside:
    """A playbook in a folder, and the services of a host that has none."""

    def __init__(self, root: Path, history: History) -> None:
        history.place(root)
        (root / "rules.md").write_text(RULES)
        if history.lines:
            (root / "state").mkdir()
            (root / "state" / SNAPSHOT).write_bytes(dump(history.playbook))
        self._book = FolderBook(root)
        self._method = ACE()
        self._answers = Answers()
        self._numbers = count(1)

    def model(self, _: str) -> Outside:
        """There is one."""
        return self

    def complete(self, request: Request) -> Completion:
        """Answer by the script."""
        return Completion(text=self._answers.answer(request.prompt))

    def check(self, _: Mapping[str, bytes]) -> None:
        """Admit everything."""

    def step(self) -> None:
        """One step of the method."""
        number = next(self._numbers)
        trace = Trace(id=f"bench-{number}", task=TASK, reply=REPLY, score=1.0)
        context = StepContext(book=self._book, traces=(trace,))
        assert self._method.step(context, self).changed


class _Binding(ModelBinding):  # type: ignore[misc]  # Reef ships no types
    """Reef's way to a model, which leads to a script."""

    def __init__(self, answers: Answers) -> None:
        super().__init__("http://127.0.0.1:9", "scripted")
        object.__setattr__(self, "answers", answers)  # bindings are frozen

    def chat(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        """Answer by the script."""
        answers: Answers = vars(self)["answers"]
        return answers.answer(str(messages[0]["content"]))


class Behind:
    """The proposer of a scenario, driven as Reef drives it: the state and the tree come back with the next step."""

    def __init__(self, root: Path, history: History) -> None:
        history.place(root)
        self._book = ScenarioBook("s", root, get_adapter("pi"))
        self._proposer = ACEProposer(ACE()).of(self._book)
        self._models = ModelBindings(_Binding(Answers()))
        self._book.state = MethodState(msgspec.to_builtins(history.playbook) if history.lines else None)
        self._entries = (_entry(RULES),)
        self._numbers = count(1)

    def step(self) -> None:
        """One step behind the interface."""
        number = next(self._numbers)
        self._book.begin(self._book.state, number, lambda: None)
        proposal = self._proposer.propose((), (_sample(number),), self._models, entries=self._entries)
        assert proposal.mutations, proposal.notes
        self._entries = (_entry(proposal.mutations[0].options["config"]["text"]),)


def _entry(text: str) -> dict[str, Any]:
    return {"id": "rules", "name": "rules", "config": {"text": text}}


def _sample(number: int) -> Any:
    payload = {
        "model": "scripted",
        "messages": [{"role": "user", "content": TASK}],
        "response": {"choices": [{"message": {"role": "assistant", "content": REPLY}}]},
    }
    record = AgentRecord.create(
        scenario="s", request_type=RequestType.INFERENCE, payload=payload, agent_record_id=f"run-{number}"
    )
    return make_trajectory([record], 1.0)


def method_rows(
    folder: Path, histories: Sequence[History], taken: dict[int, float], repeats: int
) -> Iterator[Row]:
    """The step without a service. `taken` gets the seconds behind Reef's interface, by the lines of history."""
    hosts: list[Outside | Behind] = []
    roots = []
    for kind in (Outside, Behind):
        for history in histories:
            roots.append((folder / f"{kind.__name__}-{history.lines}", history))
            hosts.append(kind(*roots[-1]))
    for host in hosts:
        host.step()  # fills the playbook
    times = medians(*(host.step for host in hosts), repeats=repeats)
    for root, history in roots:
        history.check(root, repeats)
    taken.update(zip((history.lines for history in histories), times[2:], strict=True))
    yield _long_to_short("step outside Reef", times[:2], histories)
    yield _long_to_short("step behind Reef's interface", times[2:], histories)


def _long_to_short(work: str, times: Sequence[float], histories: Sequence[History]) -> Row:
    told = ", ".join(
        f"{seconds * 1e3:.2f} ms after {history.lines:,} lines"
        for seconds, history in zip(times, histories, strict=True)
    )
    return ratio(f"{work}: long history / none", times[1] / times[0], 1.5, told)


# --- with other code -------------------------------------------------------------------------------------------------

_ROOT = Path(__file__).resolve().parents[1]

_STEPPING = """
import sys, tempfile
from pathlib import Path
tree = Path(sys.argv[1])
sys.path[:0] = [str(tree / name) for name in ("src", "benchmarks", ".")]
import ace, hosted
assert Path(ace.__file__).is_relative_to(tree), ace.__file__
with tempfile.TemporaryDirectory() as name:
    folder = Path(name)
    host = hosted.Behind(folder / "host", hosted.History(folder / "history", 0))
    host.step()
    print("filled", flush=True)
    for _ in sys.stdin:
        host.step()
        print("done", flush=True)
"""


class Stepping:
    """A process that takes the step behind Reef's interface by the code of one tree, whenever it is told to."""

    def __init__(self, tree: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", _STEPPING, str(tree)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._hear("filled")

    def step(self) -> None:
        """One step."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        self._hear("done")

    def end(self) -> None:
        """Let it end."""
        self._process.communicate()

    def _hear(self, word: str) -> None:
        assert self._process.stdout is not None
        if self._process.stdout.readline().strip() != word:
            raise SystemExit("the step of another tree failed: see above")


def before_rows(folder: Path, commit: str, repeats: int) -> Iterator[Row]:
    """The step behind Reef's interface, by today's code and by that of a commit."""
    git = shutil.which("git") or "git"
    archived = subprocess.run([git, "archive", commit], cwd=_ROOT, check=False, capture_output=True)
    if archived.returncode != 0:
        raise SystemExit(f"--before {commit}: {archived.stderr.decode().strip()}")
    with tarfile.open(fileobj=io.BytesIO(archived.stdout)) as tree:
        tree.extractall(folder, filter="data")
    trees = [Stepping(folder), Stepping(_ROOT)]
    for _ in range(10):
        for stepping in trees:
            stepping.step()
    before, now = medians(*(stepping.step for stepping in trees), repeats=repeats)
    for stepping in trees:
        stepping.end()
    told = f"{now * 1e3:.2f} ms now, {before * 1e3:.2f} ms then"
    yield ratio(f"step behind Reef's interface: now / {commit[:12]}", now / before, 0.9, told)


# --- in the service -------------------------------------------------------------------------------------------------


class Times:
    """Where the time of a step in the service went, in seconds: to the Reflector's call, to the Curator's, to the commit."""

    def __init__(self) -> None:
        self.before: list[float] = []
        self.between: list[float] = []
        self.after: list[float] = []
        self.whole: list[float] = []


def service_rows(
    folder: Path, histories: Sequence[History], taken: Mapping[int, float], repeats: int
) -> Iterator[Row]:
    """From report to commit, the scenarios of both histories taking turns in one service."""
    answers = Answers()
    script = Script(agent=REPLY, reflector=answers.reflect, curator=answers.curate)
    folder.mkdir()
    evolution = {"seed": [_entry(RULES)], "evaluation": {"policy": "none"}}
    for history in histories:
        history.place(scenario_root(folder / "work", f"after-{history.lines}"))
    with upstream(script) as server, Service(folder, configuration(evolution), server.base_url) as service:
        clients = [service.client(f"after-{history.lines}") for history in histories]
        for client in clients:
            answers.additions = 0
            client.learn()
        service.stop()
        logs = [
            _lengthened(folder, client.scenario, history.lines)
            for client, history in zip(clients, histories, strict=True)
        ]
        service.start()
        times = [Times() for _ in clients]
        for client, log in zip(clients, logs, strict=True):
            answers.additions = SIZE
            _step(client, log, answers, Times())
        for _ in range(repeats):
            for client, log, each in zip(clients, logs, times, strict=True):
                _step(client, log, answers, each)
        for client, history in zip(clients, histories, strict=True):
            history.check(client.folder, repeats, before=1)
    for history, each in zip(histories, times, strict=True):
        before, between, after, whole = map(statistics.median, vars(each).values())
        told = f"{before * 1e3:.0f} to the first call, {between * 1e3:.0f} to the second, {after * 1e3:.0f} to the commit"
        where = f"after {history.lines:,} lines"
        yield Row(f"report to commit, {where}", f"{whole * 1e3:.0f} ms ({told})", "reported", None)
        method = taken[history.lines]
        told = f"{(whole - method) * 1e3:.0f} ms of {whole * 1e3:.0f}; the method's {method * 1e3:.2f}"
        yield Row(f"Reef's share of it, {where}", f"{1 - method / whole:.1%} ({told})", "reported", None)


def _lengthened(folder: Path, scenario: str, steps: int) -> Path:
    """Reef's log of the scenario's commits, made so long by copies of its last one, which changed nothing."""
    (log,) = (path for path in folder.glob("store/**/*.commits.jsonl") if f'"{scenario}"' in path.read_text())
    commit = json.loads(log.read_bytes().splitlines()[-1])
    assert commit["metrics"]["skipped"] == "no proposal"
    del commit["metrics"]
    with log.open("a") as lines:
        for step in range(commit["step"] + 1, steps + 1):
            commit["step"] = commit["algorithm_state"]["steps"] = step
            lines.write(json.dumps(commit) + "\n")
    return log


def _step(client: Client, log: Path, answers: Answers, times: Times) -> None:
    """One run, its report and the commit of the release that comes of it."""
    record = client.chat(TASK)
    size = log.stat().st_size
    start = time.perf_counter()
    client.report(record)
    # Asking the service would cost it time, the more the longer its log is.
    deadline = start + 120
    while log.stat().st_size == size:
        if time.perf_counter() > deadline:
            raise SystemExit(
                f"no commit within two minutes of a report; the service says:\n{client.service.log()[-4000:]}"
            )
        time.sleep(0.002)
    end = time.perf_counter()
    with log.open("rb") as lines:
        lines.seek(size)
        assert json.loads(lines.read())["metrics"]["published"] is True
    times.before.append(answers.reflector_asked - start)
    times.between.append(answers.curator_asked - answers.reflector_asked)
    times.after.append(end - answers.curator_asked)
    times.whole.append(end - start)


def main() -> int:
    for tool in ("git", "git-lfs"):
        if shutil.which(tool) is None:
            sys.exit(f"{tool} is not installed, and Reef keeps its releases with it")
    lines = 10_000 if "--quick" in sys.argv else 100_000
    commit = sys.argv[sys.argv.index("--before") + 1] if "--before" in sys.argv[:-1] else ""
    taken: dict[int, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        histories = [History(folder / f"history-{number}", number) for number in (0, lines)]
        return table(
            (
                *((before_rows(folder / "before", commit, 151),) if commit else ()),
                method_rows(folder, histories, taken, 101),
                service_rows(folder / "service", histories, taken, 9),
            )
        )


if __name__ == "__main__":
    sys.exit(main())
