"""A fleet of workers on one book, killed and cut off from their server at random: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import importlib.util
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.fleet import CLAIM_S, names
from tests.adapters.hosting import curation, reflection
from tests.adapters.loopback import Loopback, Reply, text
from tests.adapters.postgres import PostgresServer, missing
from tests.reef.conftest import needs

if importlib.util.find_spec("psycopg") is None and os.environ.get("CI") != "true":
    pytest.skip("psycopg is not installed", allow_module_level=True)

from ace.adapters.store.postgres.book import PostgresBook
from ace.domain.playbook import Playbook, digest, fold_records, parse_playbook
from ace.events.types import BulletAdded, RunRead
from ace.reconciling import verify

ROOT = Path(__file__).parents[2]


class Fleet:
    """Workers that are started again when they end before all is read; what they paid for is counted by the model's server."""

    def __init__(self, server: PostgresServer, folder: Path, *, workers: int, runs: int, seed: int) -> None:
        self.server, self.folder, self.runs = server, folder, runs
        self.address = server.book("fleet")
        self.random = random.Random(seed)  # noqa: S311 - the same each time
        self.paid: Counter[tuple[str, str]] = Counter()
        self.kills = self.crashes = 0
        self._slots: list[subprocess.Popen[bytes] | None] = [None] * workers
        self._lock = threading.Lock()

    def answer(self, body: dict[str, Any], _: int) -> Reply:
        """A lesson for each run, after a while."""
        with self._lock:
            self.paid[body["trace"], body["role"]] += 1
            pause = self.random.uniform(0, 0.02)
        threading.Event().wait(pause)
        return text(
            reflection() if body["role"] == "reflector" else curation(f"What {body['trace']} teaches.")
        )

    def start(self, slot: int, model: str) -> None:
        """Begin a worker."""
        with (self.folder / f"{slot}.errors").open("ab") as errors:
            self._slots[slot] = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "tests.adapters.fleet",
                    self.address,
                    self.folder / f"{slot}",
                    model,
                    str(self.runs),
                ],
                cwd=ROOT,
                env={**os.environ, "PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"},
                stderr=errors,
            )

    def disturb(self, restarts: int, kills: int) -> None:
        """Run until all workers ended by themselves; kill workers and restart the server in between."""
        events = ["restart"] * restarts + ["kill"] * kills
        self.random.shuffle(events)
        deadline = time.monotonic() + 240
        with Loopback(self.answer) as loopback:
            for slot in range(len(self._slots)):
                self.start(slot, loopback.base_url)
            left = self.runs // (len(events) + 1)
            done = 0
            while any(worker is not None for worker in self._slots):
                assert time.monotonic() < deadline, self.read()
                time.sleep(0.02)
                if events and len(self.paid) // 2 > done + left:
                    done = len(self.paid) // 2
                    self.event(events.pop())
                for slot, worker in enumerate(self._slots):
                    status = None if worker is None else worker.poll()
                    if status == 0:
                        self._slots[slot] = None
                    elif status is not None:
                        assert status == -signal.SIGKILL, (self.folder / f"{slot}.errors").read_text()
                        self.start(slot, loopback.base_url)
        assert not events

    def event(self, name: str) -> None:
        """Kill a worker, or restart the server."""
        if name == "restart":
            mode = self.random.choice(["fast", "immediate"])
            self.crashes += mode == "immediate"
            self.server.restart(mode)  # type: ignore[arg-type]
            return
        alive = [worker for worker in self._slots if worker is not None and worker.poll() is None]
        if alive:
            self.kills += 1
            self.random.choice(alive).send_signal(signal.SIGKILL)

    def read(self) -> list[str]:
        """The runs that the log says were read."""
        return [
            event.trace
            for record in self.book().log.verified()
            for event in record.events
            if isinstance(event, RunRead)
        ]

    def book(self) -> PostgresBook:
        """The book, looked at by another process."""
        return PostgresBook(self.folder / "look", self.address, claim_s=CLAIM_S)

    def conflicts(self) -> int:
        """How many steps that are in the log were decided again, as their records say."""
        return sum(
            "decided again" in path.read_text() for path in self.folder.glob("*/steps/*/output/summary.md")
        )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "runs", "restarts", "kills"), [(3, 30, 1, 2), pytest.param(8, 400, 4, 12, id="a fleet")]
)
def test_a_fleet_under_kills_and_restarts(
    tmp_path: Path,
    record_property: Callable[[str, object], None],
    workers: int,
    runs: int,
    restarts: int,
    kills: int,
) -> None:
    """Given workers that are given the same runs, a model that takes its time, kills of workers and restarts of the server, then each
    run is read once, head and snapshot are what a replay from scratch comes to, and what was paid for twice is what a kill lost.
    """
    needs(missing())
    with PostgresServer() as server:
        fleet = Fleet(server, tmp_path, workers=workers, runs=runs, seed=7)
        fleet.disturb(restarts, kills)
        assert sorted(fleet.read()) == names(runs)
        book = fleet.book()
        records = list(book.log.verified())
        folded = fold_records(Playbook(), records)
        assert digest(folded) == records[-1].playbook
        assert book.playbook() == folded
        [(seq, kept)] = server.sql("SELECT seq, playbook FROM ace.snapshots")
        assert parse_playbook(kept, "the snapshot") == fold_records(Playbook(), records[:seq])
        ids = [event.id for record in records for event in record.events if isinstance(event, BulletAdded)]
        assert len(ids) == len(set(ids))
        assert verify(book).differences == ()
        again = sum(count - 1 for (_, role), count in fleet.paid.items() if role == "reflector")
        # A worker that is killed loses the step under way; a crash of the server may lose the claims of a moment.
        assert again <= fleet.kills + workers * fleet.crashes
        assert fleet.conflicts() > 0
        record_property("decided again", fleet.conflicts())
        record_property("paid for twice", again)
        for _ in range(1000):  # those of a worker that was killed hold for a while
            if not book.shelf.workers():
                break
            time.sleep(0.01)
        assert book.shelf.workers() == {}
