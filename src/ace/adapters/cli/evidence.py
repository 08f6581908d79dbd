"""`ace show --evidence`: what speaks for lessons, beside their counts, and why that proves nothing."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import msgspec

from ace.adapters.cli.folder import command_on
from ace.adapters.cli.moments import kept_at
from ace.adapters.cli.output import tell, visible
from ace.adapters.store.config import read_config
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.evidence import NO_PROOF, Evidence, Gathering, LogEvidence, Runs, near_cap
from ace.domain.lives import Stand
from ace.domain.playbook import Playbook
from ace.domain.settings import ACESettings
from ace.domain.summary import plural
from ace.events.types import StepRecord

__all__ = ["Weighed", "cap_of", "print_evidence", "weighed_at"]


def cap_of(folder: FolderBook) -> int:
    """The most bullets that the folder's configuration keeps; of a host's folder it is not known, and the default is taken."""
    if folder.owner == "host":
        return ACESettings().max_bullets
    if folder.is_shared:
        return folder.settings_for({}).max_bullets
    return read_config(folder.root).max_bullets


class Weighed(NamedTuple):
    """What the log holds for and against its lessons by a line, and the playbook after it: beside the evidence, what each lesson says
    or, once it is gone, last said, the place of those that the cap would take next, and
    that cap.
    """

    playbook: Playbook
    found: LogEvidence
    words: Mapping[str, str]
    near: Mapping[str, int]
    cap: int


def weighed_at(folder: FolderBook, at: str) -> Weighed:
    """The evidence as of the line that is meant: see `moments.playbooks_at`. The log is read once. Raises `AceError`."""
    weighing = _Weighing(cap_of(folder))
    kept_at(folder.log.verified(), (at,), weighing.take, weighing.keep)
    return weighing.weighed()


class _Weighing:
    """Gathers evidence, of which what there was at the last `keep` is wanted. Where clocks differ, lines before and behind a time come
    in turns, and weighing all lessons at each of them would take hours: so lines behind a `keep` are held back first, and twice
    as many the next time.
    """

    def __init__(self, cap: int) -> None:
        self._cap = cap
        self._gathering = Gathering()
        self._held: list[StepRecord] | None = None
        self._most = 500
        self._weighed: Weighed | None = None

    def take(self, record: StepRecord) -> None:
        """Take in the next line."""
        if self._held is None:
            self._gathering.take(record)
            return
        self._held.append(record)
        if len(self._held) > self._most:
            self._weighed = self._weigh()
            self._most *= 2
            self._release()

    def keep(self, _: StepRecord | None) -> None:
        """What there is now, may be what is wanted."""
        self._release()
        self._held, self._weighed = [], None

    def _release(self) -> None:
        for record in self._held or ():
            self._gathering.take(record)
        self._held = None

    def weighed(self) -> Weighed:
        """What there was at the last `keep`."""
        return self._weighed or self._weigh()

    def _weigh(self) -> Weighed:
        playbook = self._gathering.lives.playbook()
        return Weighed(
            playbook,
            self._gathering.evidence(),
            {name: _words(stands) for name, stands in self._gathering.lives.stands.items()},
            {name: place for place, name in enumerate(near_cap(playbook, self._cap), 1)},
            self._cap,
        )


def print_evidence(folder: FolderBook, weighed: Weighed, ids: Sequence[str], *, as_json: bool) -> int:
    """Print the evidence for these bullets, in this order. Raises `AceError` for one that the log does not know by then."""
    found, near, cap = weighed.found, weighed.near, weighed.cap
    for identifier in ids:
        if identifier not in found.lessons:
            raise AceError(f"the log has no bullet {identifier}: {command_on(folder, 'show')} lists them")
    if as_json:
        lessons = [
            {
                **msgspec.to_builtins(found.lessons[name]),
                "content": weighed.words[name],
                "near_cap": near.get(name, 0),
            }
            for name in ids
        ]
        told = {"runs": found.runs, "known": found.known, "no_proof": NO_PROOF, "lessons": lessons}
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
        return 0
    width = max(40, shutil.get_terminal_size((110, 24)).columns)
    for name in ids:
        words = visible(f"[{name}] {weighed.words[name]}")
        print(textwrap.fill(words, width, subsequent_indent="  "))
        for line in _lines(found.lessons[name], known=found.known, near=near.get(name, 0), cap=cap):
            tell(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="    "))
    print(
        f"Of {plural(found.runs, 'run')} read, it is known of {found.known} which lessons they had. {NO_PROOF}"
    )
    return 0


def _words(stands: Sequence[Stand]) -> str:
    return next(one.bullet.content for one in reversed(stands) if one.bullet is not None)


def _lines(evidence: Evidence, *, known: int, near: int, cap: int) -> Iterator[str]:
    if known:
        yield f"had it: {_runs(evidence.had)}; had it not: {_runs(evidence.lacked)}"
    if evidence.reworded:
        yield f"had it in other words, and counted in neither: {plural(evidence.reworded, 'run')}"
    tagged = "never tagged" if evidence.used is None else ""
    if evidence.used is not None:
        tasks = f"{plural(evidence.tags, 'tag')}, from runs of {plural(evidence.tasks, 'task')}"
        tagged = f"{tasks}, last in line {evidence.used.seq}{_when(evidence.used.time)}"
    since = f"since line {evidence.since.seq}{_when(evidence.since.time)}"
    yield f"{tagged}; in the playbook for {plural(evidence.age, 'step')}, {since}"
    if near:
        yield f"near the cap: number {near} of those that leave first, once {cap} are reached"


def _runs(runs: Runs) -> str:
    if runs.mean is None:
        return f"{plural(runs.count, 'run')}, none with a score" if runs.count else "no run"
    return f"{plural(runs.count, 'run')}, mean score {runs.mean:.3g} of {runs.scored}"


def _when(time: str) -> str:
    return f" ({time[:16]})" if time else ""
