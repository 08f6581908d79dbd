"""What speaks for a lesson: the runs that had it in force beside those that had not, and from how many tasks its tags come.

All of it is computed from the log's records, and none of it is proof: runs with and without a lesson differ in more than the
lesson (the tasks, the agent, the other lessons of that day).

**Which lessons a run had in force.** `RunRead.had` is the digest of the block that the run was given, and `StepRecord.block`
the digest of the block after a line. The first line that names a digest is the one after which that block stood: what the
fold up to there holds, was in force.

    line  playbook after it   block          a run with had = b2 had ace-00001 as "Look twice." and ace-00002;
    1     1 "Look."           b1             one with had = b1 had ace-00001 in other words, and lacked ace-00002;
    2     1 "Look twice.", 2  b2             of one with had = "" or a digest of no line, nothing is known
    3     1 "Look twice."     b3

So a lesson was in force over stretches of lines, and the runs that had it are those of the lines in these stretches: sums up
to each line answer that for a lesson in one subtraction, however long the log is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from ace.domain.playbook import Playbook, key_of
from ace.domain.rules_block import block, digest_in
from ace.events.types import (
    BulletAdded,
    Capped,
    PlaybookRestored,
    Pruned,
    Removed,
    Reworded,
    RunRead,
    StepRecord,
    TagCounted,
)

__all__ = ["NO_PROOF", "Evidence", "LogEvidence", "Moment", "Runs", "evidence_in", "near_cap", "task_of"]

NO_PROOF: Final = (
    "This is no proof: runs with and without a lesson differ in more than the lesson. "
    "Of runs that are not counted, it is not known which lessons they had."
)


class Runs(msgspec.Struct, frozen=True):
    """Some runs: how many, how many of them have a score, and the mean of those scores (None without any)."""

    count: int = 0
    scored: int = 0
    mean: float | None = None


class Moment(msgspec.Struct, frozen=True):
    """A line of the log: `at` is its place, from 1; `time` is empty in lines of 0.1.0."""

    at: int
    seq: int
    time: str


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """What the log holds for and against one lesson, as it is worded now or, once it is gone, as it last was.

    `had` are the runs that had it in force, `lacked` those that had not, and `reworded` counts those that had it in other words.
    `tags` counts the tags (helpful or harmful) and `tasks` the different tasks of their runs: runs of one task confirm each
    other's lesson. `age` is the number of steps that it was, or has been, in the playbook; `since` is the line that brought it
    first, and `used` the last one in which a run tagged it.
    """

    id: str
    had: Runs
    lacked: Runs
    reworded: int
    tags: int
    tasks: int
    age: int
    since: Moment
    used: Moment | None


class LogEvidence(msgspec.Struct, frozen=True):
    """The evidence of every lesson that the log knows, in the order in which they came. Of `runs` that were read, it is known of
    `known` which lessons they had in force.
    """

    runs: int
    known: int
    lessons: dict[str, Evidence]


class _Stretch(msgspec.Struct, gc=False):
    """The lines after which a lesson stood in one wording: from `start` up to `stop`, 0 while it still does."""

    content: str
    start: int
    stop: int = 0


class _Life(msgspec.Struct):
    since: Moment
    stretches: list[_Stretch]
    tags: int = 0
    tasks: set[str] = msgspec.field(default_factory=set)
    used: Moment | None = None


class _Lives:
    """The lives of all lessons, in the order in which they came, and those of the lessons that are there now."""

    def __init__(self) -> None:
        self.all: dict[str, _Life] = {}
        self.here: dict[str, _Life] = {}

    def begin(self, identifier: str, content: str, moment: Moment) -> None:
        """From this line on the lesson stands in these words."""
        life = self.all.setdefault(identifier, _Life(moment, []))
        if identifier not in self.here or life.stretches[-1].content != content:
            self.end(identifier, moment.at)
            life.stretches.append(_Stretch(content, moment.at))
            self.here[identifier] = life

    def end(self, identifier: str, at: int) -> None:
        """From this line on it is gone."""
        life = self.here.pop(identifier, None)
        if life is not None:
            life.stretches[-1].stop = at


class _Sum(NamedTuple):
    """Runs in a form that can be subtracted: scores are summed in units of the smallest float, which is exact."""

    runs: int = 0
    scored: int = 0
    total: int = 0

    def plus(self, other: _Sum) -> _Sum:
        return _Sum(self.runs + other.runs, self.scored + other.scored, self.total + other.total)

    def minus(self, other: _Sum) -> _Sum:
        return _Sum(self.runs - other.runs, self.scored - other.scored, self.total - other.total)

    def told(self) -> Runs:
        return Runs(self.runs, self.scored, self.total / (self.scored * _UNIT) if self.scored else None)


_UNIT: Final = 2**1074


def evidence_in(records: Iterable[StepRecord]) -> LogEvidence:  # noqa: C901, PLR0912 - one branch for each event type
    """The evidence in the log with these records, which are read once. A run that was read again is counted as it was first read;
    what a refused step holds did not happen.
    """
    lives = _Lives()
    # The first line after which each block stood; before any, the block without bullets.
    lines = {digest_in(block(Playbook(), ()).encode()): 0}
    scores: dict[str, list[float | None]] = {}  # of the runs, by the digest of the block that they had
    seen: set[tuple[str, str]] = set()
    at = 0
    for at, record in enumerate(records, 1):
        moment = Moment(at, record.seq, record.time)
        runs: dict[str, RunRead] = {}
        for event in record.applied:
            if type(event) is RunRead:
                runs[event.trace] = event
                run = event.trace, event.task_digest
                if event.of == 0 and run not in seen:
                    seen.add(run)
                    if event.had:
                        scores.setdefault(event.had, []).append(event.score)
        for event in record.applied:
            if type(event) is TagCounted:
                life = lives.here.get(event.bullet)
                if life is not None and event.tag != "neutral":
                    life.tags += 1
                    life.tasks.add(task_of(event.trace, runs.get(event.trace)))
                    life.used = moment
            elif type(event) is BulletAdded:
                lives.begin(event.id, event.content, moment)
            elif type(event) is Reworded:
                if event.id in lives.here:
                    lives.begin(event.id, event.after, moment)
            elif type(event) is Pruned or type(event) is Capped:
                lives.end(event.id, at)
            elif type(event) is Removed:
                if event.by != "screen":
                    lives.end(event.id, at)
            elif type(event) is PlaybookRestored:
                for gone in lives.here.keys() - {bullet.id for bullet in event.bullets}:
                    lives.end(gone, at)
                for bullet in event.bullets:
                    lives.begin(bullet.id, bullet.content, moment)
        lines.setdefault(record.block, at)
    return _told(lives.all, lines, scores, len(seen), at)


def task_of(trace: str, run: RunRead | None) -> str:
    """What tells a run's task from others: its digest, or the excerpt that lines of 0.1.0 have alone, or else the run's id."""
    return trace if run is None else run.task_digest or run.task


def _told(
    lives: dict[str, _Life],
    lines: dict[str, int],
    scores: dict[str, list[float | None]],
    runs: int,
    last: int,
) -> LogEvidence:
    of_line = [_Sum()] * (last + 1)
    for digest, found in scores.items():
        line = lines.get(digest)
        if line is not None:
            numbers = [score for score in found if score is not None]
            total = sum(
                top * (_UNIT // bottom)
                for top, bottom in (float(number).as_integer_ratio() for number in numbers)
            )
            of_line[line] = of_line[line].plus(_Sum(len(found), len(numbers), total))
    before = [_Sum(), *accumulate(of_line, _Sum.plus)]
    """The runs of all lines before this one."""
    known = before[-1]
    lessons: dict[str, Evidence] = {}
    for identifier, life in lives.items():
        key, age = key_of(life.stretches[-1].content), 0
        had = reworded = _Sum()
        for stretch in life.stretches:
            stop = stretch.stop or last + 1
            age += (stretch.stop or last) - stretch.start
            these = before[stop].minus(before[stretch.start])
            if stretch is life.stretches[-1] or key_of(stretch.content) == key:
                had = had.plus(these)
            else:
                reworded = reworded.plus(these)
        lessons[identifier] = Evidence(
            id=identifier,
            had=had.told(),
            lacked=known.minus(had).minus(reworded).told(),
            reworded=reworded.runs,
            tags=life.tags,
            tasks=len(life.tasks),
            age=age,
            since=life.since,
            used=life.used,
        )
    return LogEvidence(runs, known.runs, lessons)


def near_cap(playbook: Playbook, max_bullets: int) -> tuple[str, ...]:
    """The ids of the lessons that would leave the playbook if a tenth of `max_bullets` came in anew, the next one to go first (see
    `decide.refine`); none while there is more room than that.
    """
    excess = len(playbook.bullets) + max(1, max_bullets // 10) - max_bullets
    worst = heapq.nsmallest(max(0, excess), playbook.bullets, key=lambda one: one.helpful - one.harmful)
    return tuple(bullet.id for bullet in worst)
