"""Which lessons are tried in a candidate, and what came of it: what a playbook holds beyond what is served.

A candidate that the evaluation rejects leaves its lessons in the playbook, and the next one carries them. So one bad lesson
can keep all later ones from being served. With `drop_after_rejections: N` that ends after N rejections in a row:

    playbook               1  2  3  4     lesson 1 is served; 2, 3 and 4 came in three steps, and were rejected together
    the next candidates    1  2           2 is tried alone: rejected, so it is removed from the playbook
                           1     3        3 is tried alone: passed, and served
                           1     3  4     so is 4, and nothing is left to be tried

A lesson is tried with the others of its step. Counts, and lessons that were pruned or removed, are those of the playbook in
each candidate. Candidates that bring no lesson, and those that could not be evaluated, say nothing of lessons: they count as no
rejection.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple, get_args

from reef.core.evaluation import SelectionDecision

from ace.domain.playbook import Playbook
from ace.domain.screens import redact, safe_excerpt
from ace.events.types import Bullet, Removed

__all__ = [
    "NOT_TRIED",
    "Candidate",
    "Outcome",
    "Trial",
    "Verdict",
    "candidate",
    "reason_of",
    "scores_of",
    "was_evaluated",
]

type Outcome = Literal["accepted", "waits for review", "rejected", "not evaluated", "taken back"]

_OUTCOMES: Final[tuple[str, ...]] = get_args(Outcome.__value__)


@dataclass(frozen=True)
class Verdict:
    """What became of a step's candidate: `lessons` are the ids of those that it brought beyond what was served."""

    step: int
    outcome: Outcome
    reason: str
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True)
class Trial:
    """What is kept of candidates from step to step.

    `unserved`: the ids of the playbook's lessons that are in no tree that was accepted. `alone`: those of them that the last
    candidate tried alone; empty if it brought all. `rejections`: how many candidates with lessons were rejected, one after the
    other. `dropped`: the ids of lessons that are to be removed, since they were rejected alone. `verdict`: the last one,
    as long as there is something to say of it.
    """

    unserved: tuple[str, ...] = ()
    alone: tuple[str, ...] = ()
    rejections: int = 0
    dropped: tuple[str, ...] = ()
    verdict: Verdict | None = None

    @classmethod
    def read(cls, stored: object) -> Trial:
        """What `write` made. What is none counts as nothing."""
        if not isinstance(stored, Mapping):
            return NOT_TRIED
        return cls(
            _texts(stored.get("unserved")),
            _texts(stored.get("alone")),
            _whole(stored.get("rejections")),
            _texts(stored.get("dropped")),
            _verdict(stored.get("verdict")),
        )

    def write(self) -> dict[str, object]:
        """This as JSON. The names are a format: commits of years ago are read by them."""
        verdict = self.verdict
        return {
            "unserved": list(self.unserved),
            "alone": list(self.alone),
            "rejections": self.rejections,
            "dropped": list(self.dropped),
            "verdict": None if verdict is None else {**vars(verdict), "lessons": list(verdict.lessons)},
        }

    @property
    def carried(self) -> tuple[str, ...]:
        """The lessons that are not served and go on waiting."""
        return tuple(one for one in self.unserved if one not in self.dropped)

    def removals(self, playbook: Playbook) -> tuple[Removed, ...]:
        """The events by which the dropped lessons leave the playbook."""
        reason = "tried alone and rejected"
        if self.verdict is not None:
            reason = f"{reason} in step {self.verdict.step}: {self.verdict.reason}"
        return tuple(
            Removed(one.id, one.section, one.content, one.helpful, one.harmful, "host", reason)
            for one in playbook.bullets
            if one.id in self.dropped
        )

    def settled(self, verdict: Verdict, playbook: Iterable[str], served: Iterable[str]) -> Trial:
        """What is kept after this verdict, where these are the ids of the playbook's lessons, and of those in the tree."""
        shown = frozenset(served)
        unserved = tuple(one for one in playbook if one not in shown)
        rejections, dropped = self.rejections, self.dropped
        if verdict.outcome == "rejected" and verdict.lessons:
            rejections += 1
            if self.alone:
                dropped = verdict.lessons
        if not set(unserved) - set(dropped):
            rejections = 0
        told = verdict if unserved or verdict.outcome != "accepted" else None
        return Trial(unserved, (), rejections, dropped, told)

    def passed_by(self, playbook: Iterable[str]) -> Trial:
        """What is kept after a step without a candidate."""
        there = set(playbook)
        return replace(self, unserved=tuple(one for one in self.unserved if one in there), alone=())


NOT_TRIED: Final = Trial()


class Candidate(NamedTuple):
    """What of a playbook is proposed, and the ids of the lessons that are tried alone in it; none if all are."""

    playbook: Playbook
    alone: tuple[str, ...]


def candidate(playbook: Playbook, accepted: frozenset[str], trial: Trial, drop_after: int) -> Candidate:
    """What is to be proposed of this playbook, of which the tree has the lessons `accepted` by now."""
    waiting = [one for one in playbook.bullets if one.id not in accepted]
    if not waiting or not drop_after or trial.rejections < drop_after:
        return Candidate(playbook, ())
    oldest = min(one.step for one in waiting)
    alone = tuple(one.id for one in waiting if one.step == oldest)
    kept: list[Bullet] = [one for one in playbook.bullets if one.id in accepted or one.id in alone]
    return Candidate(Playbook(playbook.next_number, tuple(kept)), alone)


# --- what Reef says of it -------------------------------------------------------------------------------------------


def was_evaluated(decision: SelectionDecision) -> bool:
    """Whether this is more than the policy that evaluates nothing and selects everything."""
    return not (decision.selected and decision.evaluation.metrics.get("evaluation_sides") == [])


def reason_of(decision: SelectionDecision) -> str:
    """Why the evaluation decided so, as the end of a sentence."""
    error = decision.evaluation.metrics.get("evaluation_error")
    if isinstance(error, str):
        return f"the evaluation failed: {error}"
    if not was_evaluated(decision):
        return "nothing is evaluated here"
    found = decision.metrics
    if {"wins", "losses", "ties"} <= found.keys():
        margin = found.get("min_win_margin")
        needed = f"by more than {margin} " if margin else ""
        return (
            f"it won {found['wins']}, lost {found['losses']} and tied {found['ties']} of the tasks, and has to win more "
            f"than it loses {needed}to be published (a tie: no difference in score)"
            if not decision.selected
            else f"it won {found['wins']}, lost {found['losses']} and tied {found['ties']} of the tasks"
        )
    return safe_excerpt(decision.reason.removeprefix("candidate "), 500)


_MOST_TASKS: Final = 20


def scores_of(decision: SelectionDecision) -> list[str]:
    """A line for each task that the candidate was tried on, as far as Reef tells: the score, also that of what is served, and
    why the agent failed.
    """
    metrics = decision.evaluation.metrics
    episodes = metrics.get("candidate_episodes")
    others = metrics.get("current_scores")
    told: list[str] = []
    for at, episode in enumerate(episodes if isinstance(episodes, Sequence) else ()):
        if not isinstance(episode, Mapping) or at == _MOST_TASKS:
            break
        before = f", and {_score(others[at])} as it is served" if _has(others, at) else ""
        failure = episode.get("failure")
        why = f" ({safe_excerpt(str(failure), 200)})" if failure else ""
        told.append(
            f"{safe_excerpt(str(episode.get('task')), 80)}: {_score(episode.get('score'))}{before}{why}"
        )
    return told


def _has(scores: object, at: int) -> bool:
    return isinstance(scores, Sequence) and at < len(scores)


def _score(value: Any) -> str:
    return f"{value:.6g}" if isinstance(value, int | float) else "no score"


# --- what Reef's state holds ------------------------------------------------------------------------------------


def _verdict(stored: object) -> Verdict | None:
    if not isinstance(stored, Mapping) or stored.get("outcome") not in _OUTCOMES:
        return None
    reason = stored.get("reason")
    return Verdict(
        _whole(stored.get("step")),
        stored["outcome"],
        redact(reason) if isinstance(reason, str) else "",
        _texts(stored.get("lessons")),
    )


def _texts(stored: object) -> tuple[str, ...]:
    items = stored if isinstance(stored, list | tuple) else ()
    return tuple(item for item in items if isinstance(item, str))


def _whole(stored: object) -> int:
    return stored if type(stored) is int and stored >= 0 else 0
