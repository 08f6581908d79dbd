"""The book of one scenario in a database that other hosts and workers write, too.

Its head is right, whatever state Reef brings: a rollback in one host, a failed commit, or a restart changes what this host serves
until its next step, and takes no lesson from the others (`ace rewind --book` does). A run that the log has read is not read again, and
one that another host or worker reads at this moment waits.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import override

from reef.harness.adapters.descriptor import AdapterDescriptor

from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.store.folder_book import Claimed
from ace.adapters.store.postgres.address import parse_address
from ace.adapters.store.postgres.book import OnShelf, worker_name
from ace.adapters.store.postgres.note import Note
from ace.adapters.store.postgres.shelf import Shelf
from ace.domain.chain import LogTail
from ace.domain.opening import OpenState
from ace.domain.playbook import Playbook
from ace.domain.rules_block import Rules
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace
from ace.domain.unread import Past
from ace.events.types import StepRecord

__all__ = ["SharedScenarioBook"]


class SharedScenarioBook(OnShelf, ScenarioBook):
    """A scenario's book at an address, by the scenario's name if the address names none. Raises `ConfigError` for an address that
    cannot be used.
    """

    is_shared = True

    def __init__(self, scenario: str, root: Path, descriptor: AdapterDescriptor, address: str) -> None:
        super().__init__(scenario, root, descriptor)
        parsed = parse_address(address, default=scenario)
        self.shelf = Shelf(parsed, worker_name(root), Note(self.cache, parsed))
        self.log = self.shelf.log

    @override
    def settings_for(self, own: ACESettings) -> ACESettings:
        return self.settings().settings(own.changed())

    @override
    def open(self) -> OpenState:
        self._copy_rules()
        state = self.shelf.state()
        self._playbook = state.playbook
        return self.with_trial(state)

    @override
    def rules(self) -> Rules:
        return Rules(self.files, self.base_lines())

    @override
    def append(self, record: StepRecord) -> LogTail | None:
        return self.shelf.append(record)

    @override
    def keep(self, playbook: Playbook) -> None:
        self.shelf.keep()
        self._playbook = playbook

    @override
    @contextmanager
    def claimed(self, traces: Sequence[Trace]) -> Iterator[Claimed]:
        with self.shelf.claimed(traces) as free:
            yield Claimed(tuple(free), elsewhere=tuple(one for one in traces if one not in free))

    @override
    def past(self, trace: Trace) -> Past:
        return Past() if trace.id in self.asked_for else self.shelf.past(trace)
