"""What is written into a scenario's folder for people who look: which lessons are served, and what became of releases.

It is written when a step is durable, and when a release begins to be served, whoever saw to that. It raises nothing: a step or
a rollback must not fail because nobody can look at it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Final, NamedTuple

from reef.artifact.artifact import ArtifactRef

from ace.adapters.reef.host_book import ScenarioBook
from ace.adapters.reef.releases import MethodState, Releases, tree_of
from ace.adapters.reef.rules_entry import Entry, lessons_in
from ace.adapters.reef.trials import Trial, Verdict
from ace.adapters.store.standing import Release, Standing, note_release, read_standing, write_standing
from ace.method import now

__all__ = ["Display", "Settled"]

_log: Final = logging.getLogger(__name__)

_OPERATIONS: Final = {"rollback": "rolled back", "promote": "promoted"}


class Settled(NamedTuple):
    """A step that is about to be committed: what became of its candidate, and the name of its record's folder."""

    verdict: Verdict
    record: str


class Display:
    """Writes for one scenario."""

    def __init__(self, book: ScenarioBook) -> None:
        self._book = book
        self._release = ""

    def settled(self, step: Settled, entries: Sequence[Entry], kept: MethodState) -> None:
        """A step was committed, and left this tree."""
        verdict, root = step.verdict, self._book.root
        try:
            waits = verdict.outcome == "waits for review"
            before = read_standing(root) or Standing()
            release = self._release or before.release
            served = before.served if waits else tuple(lessons_in(entries))
            write_standing(root, _standing(release, served, kept.trial))
            note_release(
                root,
                Release(
                    time=now(),
                    seq=self._seq(),
                    record=step.record,
                    outcome=verdict.outcome,
                    reason=verdict.reason,
                    release=release if verdict.outcome in ("accepted", "taken back") else "",
                    lessons=verdict.lessons,
                ),
            )
        except Exception as error:  # noqa: BLE001 - see above
            _log.warning("what is served cannot be written into %s: %s", root, error)

    def activated(self, release: ArtifactRef, releases: Releases, seed: Sequence[Entry]) -> None:
        """A release begins to be served."""
        root = self._book.root
        self._release = release.release_id
        try:
            if not (root / "history").is_dir():
                return  # nothing was learned yet
            commit = releases.commit(release)
            operation = _OPERATIONS.get(str(commit.get("operation")))
            before = read_standing(root) or Standing()
            if operation is None or before.release == release.release_id:
                return
            target = str(commit.get("rollback_target_release_id") or "")
            served = tuple(lessons_in(tree_of(release, releases, seed)))
            write_standing(root, Standing(release=release.release_id, served=served))
            note_release(
                root,
                Release(
                    time=now(),
                    seq=self._seq(),
                    record="",
                    outcome=operation,
                    reason=f"{'to ' if operation == 'rolled back' else ''}{target}",
                    release=release.release_id,
                ),
            )
        except Exception as error:  # noqa: BLE001 - see above
            _log.warning("what is served cannot be written into %s: %s", root, error)

    def _seq(self) -> int:
        tail = self._book.log.last()
        return 0 if tail is None else tail.record.seq


def _standing(release: str, served: tuple[str, ...], trial: Trial) -> Standing:
    verdict = trial.verdict
    turned_down = verdict is not None and verdict.outcome in ("rejected", "taken back")
    rejected = [
        one for one in trial.unserved if turned_down and verdict is not None and one in verdict.lessons
    ]
    return Standing(
        release=release,
        served=served,
        rejected=tuple(rejected),
        reason="" if verdict is None else verdict.reason,
    )
