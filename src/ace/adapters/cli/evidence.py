"""`ace show --evidence`: what speaks for lessons, beside their counts, and why that proves nothing."""

from __future__ import annotations

import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence

import msgspec

from ace.adapters.cli.output import tell, visible
from ace.adapters.store.config import read_config
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.evidence import NO_PROOF, Evidence, Gathering, Runs, near_cap
from ace.domain.settings import ACESettings
from ace.domain.summary import plural

__all__ = ["cap_of", "print_evidence"]


def cap_of(folder: FolderBook) -> int:
    """The most bullets that the folder's configuration keeps; of a host's folder it is not known, and the default is taken."""
    if folder.owner == "host":
        return ACESettings().max_bullets
    if folder.is_shared:
        return folder.settings_for({}).max_bullets
    return read_config(folder.root).max_bullets


def print_evidence(folder: FolderBook, ids: Sequence[str], *, as_json: bool, up_to: int | None = None) -> int:
    """Print the evidence for these bullets, in this order, as of line `up_to` of the log (None: its last). Raises `AceError` for one
    that the log does not know by then.
    """
    gathering, cap = Gathering(), cap_of(folder)
    for record in folder.log.verified():
        if up_to is None or record.seq <= up_to:  # the rest is read, too: damage in it is found
            gathering.take(record)
    found = gathering.evidence()
    near = {name: place for place, name in enumerate(near_cap(gathering.lives.playbook(), cap), 1)}
    for identifier in ids:
        if identifier not in found.lessons:
            raise AceError(
                f"the log has no bullet {identifier}: `ace show {folder.told_options()}` lists them"
            )
    if as_json:
        lessons = [
            {
                **msgspec.to_builtins(found.lessons[name]),
                "content": _words(gathering, name),
                "near_cap": near.get(name, 0),
            }
            for name in ids
        ]
        told = {"runs": found.runs, "known": found.known, "no_proof": NO_PROOF, "lessons": lessons}
        sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")
        return 0
    width = max(40, shutil.get_terminal_size((110, 24)).columns)
    for name in ids:
        words = visible(f"[{name}] {_words(gathering, name)}")
        print(textwrap.fill(words, width, subsequent_indent="  "))
        for line in _lines(found.lessons[name], known=found.known, near=near.get(name, 0), cap=cap):
            tell(textwrap.fill(line, width, initial_indent="  ", subsequent_indent="    "))
    print(
        f"Of {plural(found.runs, 'run')} read, it is known of {found.known} which lessons they had. {NO_PROOF}"
    )
    return 0


def _words(gathering: Gathering, identifier: str) -> str:
    """What the lesson says or, once it is gone, last said."""
    stands = reversed(gathering.lives.stands[identifier])
    return next(one.bullet.content for one in stands if one.bullet is not None)


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
