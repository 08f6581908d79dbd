"""`ace relearn`: let a host read runs again. It keeps them; here is only said which ones."""

from __future__ import annotations

from argparse import Namespace
from contextlib import suppress
from pathlib import Path

from ace.adapters.cli.output import tell
from ace.adapters.store.backlog import Backlog, Waiting
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.scenarios import cut_root, scenario_root, scenarios
from ace.domain.errors import AceError, LogError
from ace.domain.summary import plural
from ace.events.types import RunRead, RunSkipped

__all__ = ["run"]

_SHORTEST = 6
"""The fewest characters of an id that stand for all of it."""


def run(options: Namespace) -> int:
    """Put the runs into the scenario's backlog. Takes no lock: the service may be reading it."""
    root = _root(options)
    backlog = Backlog(root)
    waiting = {entry.waiting.run: entry.waiting for entry in backlog.entries()}
    known = set(waiting) | _in_the_log(FolderBook(root, (), owner="host"))
    runs = [_whole(given, known) for given in dict.fromkeys(options.runs)]
    asked = []
    for one in runs:
        before = waiting.get(one, Waiting(one))
        asked.append(Waiting(one, before.calls, before.report, "asked for with ace relearn", again=True))
    for lost in backlog.add(asked):
        tell(f"{lost.run} fell out of the backlog: too many runs wait")
    unknown = [one for one in runs if one not in known]
    for one in unknown:
        tell(f"{one} is not in the log: if Reef has no such run, the next step's summary says so")
    tell(
        f"{plural(len(runs), 'run')} of scenario {options.scenario} will be read by the next step, which comes with the next "
        "report; its summary says what came of it."
    )
    return 0


def _root(options: Namespace) -> Path:
    if options.scenario is None:
        raise AceError(
            "name the scenario with --scenario; in a folder of your own, `ace learn --again` reads runs again"
        )
    if options.work is None:
        raise AceError("--scenario goes with --work, the work folder of the deployment")
    root = cut_root(options.work, options.scenario) or scenario_root(options.work, options.scenario)
    if not root.is_dir():
        others = ", ".join(scenarios(options.work)) or "none"
        raise AceError(
            f"there is no scenario {options.scenario} in {options.work}: name one with a playbook ({others})"
        )
    return root


def _in_the_log(folder: FolderBook) -> set[str]:
    """The runs that the log speaks of, as far as it can be read: Reef has them, whatever became of the log."""
    known: set[str] = set()
    with suppress(LogError):
        for record in folder.log.records():
            known.update(event.trace for event in record.events if isinstance(event, RunRead | RunSkipped))
    return known


def _whole(given: str, known: set[str]) -> str:
    """The id that is meant: this one, or the one that begins so. Raises `AceError` if several do."""
    if given in known or len(given) < _SHORTEST:
        return given
    found = sorted(run for run in known if run.startswith(given))
    if len(found) > 1:
        raise AceError(
            f"{len(found)} runs begin with {given}, {found[0]} and {found[1]} among them: give more of the id"
        )
    return found[0] if found else given
