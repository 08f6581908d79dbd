"""What speaks for a lesson: the runs that had it in force beside those that had not, and from how many tasks its tags come.

All of it is computed from the log's records, and none of it is proof: runs with and without a lesson differ in more than the
lesson (the tasks, the agent, the other lessons of that day).

**Which lessons a run had in force.** `RunRead.had` is the digest of the block that the run was given, and `StepRecord.block`
the digest of the block after a line. The first line that names a digest is the one after which that block was in the
rules: what the fold up to there holds, was in force.

    line  playbook after it   block          a run with had = b2 had ace-00001 as "Look twice." and ace-00002;
    1     1 "Look."           b1             one with had = b1 had ace-00001 in other words, and lacked ace-00002;
    2     1 "Look twice.", 2  b2             of one with had = "" or a digest of no line, nothing is known
    3     1 "Look twice."     b3

While lessons wait for a review (`waiting`), the block shows what was accepted, and that was in force.

So a lesson was in force over stretches of lines, and the runs that had it are those of the lines in these stretches: sums up
to each line answer that for a lesson in a few subtractions, however long the log is.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

import msgspec

from ace.domain.lives import Lives, Stand, note
from ace.domain.playbook import Playbook, key_of
from ace.domain.rules_block import block, digest_in
from ace.domain.waiting import shown, shown_after
from ace.events.types import RunRead, StepRecord, TagCounted

__all__ = ["NO_PROOF", "Evidence", "Gathering", "LogEvidence", "Moment", "Runs", "evidence_in", "near_cap"]

NO_PROOF: Final = (
    "This proves nothing: runs with and without a lesson differ in more than the lesson. "
    "Of runs that are not counted, it is not known which lessons they had."
)


class Runs(msgspec.Struct, frozen=True, gc=False):
    """Some runs: how many, how many of them have a score, and the mean of those scores (None without any)."""

    count: int = 0
    scored: int = 0
    mean: float | None = None


class Moment(msgspec.Struct, frozen=True, gc=False):
    """A line of the log: `at` is its place, from 1; `time` is empty in lines of 0.1.0."""

    at: int
    seq: int
    time: str


class Evidence(msgspec.Struct, frozen=True, kw_only=True, gc=False):
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


def evidence_in(records: Iterable[StepRecord]) -> LogEvidence:
    """The evidence in the log with these records, which are read once."""
    gathering = Gathering()
    for record in records:
        gathering.take(record)
    return gathering.evidence()


class Gathering:
    """Evidence, gathered line by line. A run that was read again is counted as it was first read; what a refused step holds did
    not happen.
    """

    def __init__(self) -> None:
        self.lives = Lives()
        # What the rules showed, by the lines from which on they did: that of the lives, as long as nothing ever waited.
        self._shown = self.lives.stands
        self._accepted: Playbook | None = None
        self._moments: list[Moment] = []
        # The first line after which each block was in the rules; before any, the block without bullets.
        self._lines = {digest_in(block(Playbook(), ()).encode()): 0}
        self._seen: set[tuple[str, str]] = set()
        # The scores of the runs, by the digest of the block that they had.
        self._scores: dict[str, list[float | None]] = {}
        self._tags: dict[str, list[tuple[int, str]]] = {}

    @property
    def accepted(self) -> Playbook | None:
        """What the rules show while something waits for a review, else None."""
        return self._accepted

    def take(self, record: StepRecord) -> list[str]:
        """Take in the next line; the ids of the lessons that it changed."""
        changed = self._take_up(record)
        at = self.lives.lines
        self._moments.append(Moment(at, record.seq, record.time))
        self._lines.setdefault(record.block, at)
        tasks: dict[str, str] = {}
        for event in record.applied:
            if type(event) is RunRead:
                tasks[event.trace] = event.task_digest or event.task
                run = event.trace, event.task_digest
                if event.of == 0 and run not in self._seen:
                    self._seen.add(run)
                    if event.had:
                        self._scores.setdefault(event.had, []).append(event.score)
        for event in record.applied:
            if type(event) is TagCounted and event.tag != "neutral":
                task = tasks.get(event.trace, event.trace)
                self._tags.setdefault(event.bullet, []).append((at, task))
        return changed

    def _take_up(self, record: StepRecord) -> list[str]:
        """What a line makes of the lessons, and of those that the rules show."""
        waited, is_committed = self._accepted, record.outcome == "committed"
        before = waited
        if is_committed and record.accepted and waited is None:
            before = shown(self.lives.playbook().bullets)
            if self._shown is self.lives.stands:
                self._shown = {name: list(stands) for name, stands in self.lives.stands.items()}
        changed = self.lives.take(record)
        if not is_committed or self._shown is self.lives.stands:
            return changed
        self._accepted = None
        if record.accepted and before is not None:
            self._accepted = shown_after(before, record.events, self.lives.bullet)
        if waited is None and self._accepted is None:
            now = {name: self.lives.bullet(name) for name in changed}
        else:
            after = self._accepted or self.lives.playbook()
            now = {one.id: None for one in (() if before is None else before.bullets)}
            now |= {one.id: one for one in after.bullets}
        for name, bullet in now.items():
            note(self._shown, self.lives.lines, name, bullet)
        return changed

    def evidence(self) -> LogEvidence:
        """What the lines so far hold."""
        sums = self._sums()
        known = sums[-1]
        lessons: dict[str, Evidence] = {}
        for identifier, stands in self.lives.stands.items():
            words = next(one.bullet.content for one in reversed(stands) if one.bullet is not None)
            key = key_of(words)
            age = sum(
                stop - one.at for one, stop in _stretches(stands, self.lives.lines) if one.bullet is not None
            )
            had, reworded = _Sum(), _Sum()
            for one, stop in _stretches(self._shown.get(identifier, ()), None):
                if one.bullet is None:
                    continue
                these = sums[-1 if stop is None else stop].minus(sums[one.at])
                if one.bullet.content == words or key_of(one.bullet.content) == key:
                    had = had.plus(these)
                else:
                    reworded = reworded.plus(these)
            tags = self._tags.get(identifier, ())
            lessons[identifier] = Evidence(
                id=identifier,
                had=had.told(),
                lacked=known.minus(had).minus(reworded).told(),
                reworded=reworded.runs,
                tags=len(tags),
                tasks=len({task for _, task in tags}),
                age=age,
                since=self._moments[stands[0].at - 1],
                used=self._moments[tags[-1][0] - 1] if tags else None,
            )
        return LogEvidence(len(self._seen), known.runs, lessons)

    def _sums(self) -> list[_Sum]:
        """The runs that had the block of a line before this one, by the lines from 0 on; the last are all."""
        of_line = [_Sum()] * (self.lives.lines + 1)
        for digest, scores in self._scores.items():
            line = self._lines.get(digest)
            if line is not None:
                numbers = [float(score).as_integer_ratio() for score in scores if score is not None]
                total = sum(top * (_UNIT // bottom) for top, bottom in numbers)
                of_line[line] = of_line[line].plus(_Sum(len(scores), len(numbers), total))
        return [_Sum(), *accumulate(of_line, _Sum.plus)]


def _stretches[T](stands: Sequence[Stand], last: T) -> Iterator[tuple[Stand, int | T]]:
    """Each state, and the line at which the next one begins; `last` for the last one."""
    return zip(stands, (*(one.at for one in stands[1:]), last), strict=False)


def near_cap(playbook: Playbook, max_bullets: int) -> tuple[str, ...]:
    """The ids of the lessons that would leave the playbook if a tenth of `max_bullets` came in at once, the next one to go first (see
    `decide.refine`); none while there is more room than that.
    """
    excess = len(playbook.bullets) + max(1, max_bullets // 10) - max_bullets
    worst = heapq.nsmallest(max(0, excess), playbook.bullets, key=lambda one: one.helpful - one.harmful)
    return tuple(bullet.id for bullet in worst)
