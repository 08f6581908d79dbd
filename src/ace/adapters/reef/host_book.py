"""The playbook of one scenario, between Reef, which holds it in its state, and the method, which reads it from a folder.

    <root>/rules.md             the working copy of the entry `rules`
    <root>/state/playbook.json  the working copy of the playbook that Reef's state keeps
    <root>/history, steps, lock, cache      as under the command line: the method's own, never in a commit
    <root>/*.json               the backend's: what the scenario began with, and how often a batch failed

A step goes so, and nobody else changes what the book holds:

    backend    begin    what Reef keeps for us, and the step's number and record
    proposer   bring    both working copies are written; what the method starts from
    method     step
    proposer   keep     what is to be kept after it, taken from the step's result
    backend    state    goes into Reef's state
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import msgspec
from reef.harness.adapters.descriptor import AdapterDescriptor

from ace.adapters import files
from ace.adapters.method import Material, StepContext, StepResult
from ace.adapters.reef.releases import MethodState
from ace.adapters.reef.rules_entry import FILE, Entry, block_of, rules_text
from ace.adapters.state import SNAPSHOT
from ace.domain.playbook import dump
from ace.domain.rules import digest_in

__all__ = ["KEPT_BY_REEF", "HostBook"]

KEPT_BY_REEF: Final = "the state that Reef keeps"
"""Why a playbook was restored, where nothing more is known: a commit failed, or the log is gone."""


class HostBook:
    """A scenario's playbook, by the scenario's name, its folder, and the adapter of its agent."""

    def __init__(self, scenario: str, root: Path, descriptor: AdapterDescriptor) -> None:
        self.scenario = scenario
        self.root = root
        self.descriptor = descriptor
        self.state = MethodState()
        self._number = 1
        self._record: Callable[[], Path | None] = lambda: None

    def begin(self, state: MethodState, number: int, record: Callable[[], Path | None]) -> None:
        """Say what the next step starts from, its number, and how to ask for its record's folder once there is one."""
        self.state, self._number, self._record = state, number, record

    def bring(self, entries: Sequence[Entry], material: Material) -> StepContext:
        """Write the working copies. Raises `LockedError` if the folder is in use, and then writes nothing.

        The method takes the lock anew for its step. Another process that takes it in between finds what Reef brought;
        whatever it makes of that, the step then begins with.
        """
        context = StepContext(
            scenario=self.scenario,
            step=self._number,
            tree=self.root,
            rules=FILE,
            state=self.root / "state",
            history=self.root / "history",
            record=self._record() or self.root / "steps" / str(self._number),
            material=material,
            owner="host",
            origin=self.state.restore_reason or KEPT_BY_REEF,
            rejected=self.state.rejected(block_of(entries)),
        )
        rules, playbook = rules_text(entries), self.state.playbook
        # As the method writes it, so that a state that has not changed is not written again.
        snapshot = None if playbook is None else msgspec.json.format(msgspec.json.encode(playbook), indent=1)
        with files.lock(self.root / "lock", f"process {os.getpid()} (scenario {self.scenario})"):
            _put(context.tree / context.rules, None if rules is None else rules.encode())
            _put(context.state / SNAPSHOT, None if snapshot is None else snapshot + b"\n")
        return context

    def keep(self, result: StepResult, entries: Sequence[Entry]) -> None:
        """Keep what came of the step that began with these entries."""
        # Decoded JSON, lists included: Reef compares a state with what it reads back of its commits.
        playbook = msgspec.json.decode(dump(result.playbook))
        self.state = replace(self.state, playbook=playbook, restore_reason="")
        if result.changed:
            self.state = replace(
                self.state, proposed=digest_in(result.rules), rejected_beside=block_of(entries)
            )

    def keep_failed(self) -> None:
        """Keep what came of a step in which no model answered: by then the log says where the playbook is from."""
        self.state = replace(self.state, restore_reason="")


def _put(path: Path, data: bytes | None) -> None:
    if data is None:
        path.unlink(missing_ok=True)
    elif files.read_bytes(path) != data:
        files.replace(path, data)
    path.parent.mkdir(parents=True, exist_ok=True)
