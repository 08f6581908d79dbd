"""Which of many runs teach most, told without a model: thousands lie there on the first day, and each costs two calls.

    a low score          below the middle of 0 to 1, or of the scores in the files if these go beyond
    a correction         what the user said in the run or after it: "no, use …", "remember: …"
    a failed command     by class: not found, refused, a wrong path, failing tests, an edit that did not fit, out of time, others
    a retry, a loop      a call once more right after it failed, the same or a little changed; the same call that fails in the same
                         way again and again, or that is made again at once with the same result
    an interruption      the user stepped in while the agent worked
    the rest             the newest first

Each sign has a weight, and what nearly every run shows weighs less: a project whose runs all have a failing test learns little from
that. The words by which a failure and a correction are known are in `wordings`.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from ace.domain.trace import Trace
from ace.domain.wordings import HEAD, SHORT, corrects, failure_in

__all__ = ["Signs", "in_order", "signs_of", "why"]


class Signs(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a run shows of what it could teach. `failed` counts failed commands by class; `loops` the calls that were made again
    with the same result; `broken` says that the run itself ended in a failure, `judged` that it came with feedback.
    """

    score: float | None = None
    time: str = ""
    corrections: int = 0
    failed: tuple[tuple[str, int], ...] = ()
    retries: int = 0
    loops: int = 0
    interruptions: int = 0
    broken: bool = False
    judged: bool = False


# --- what a run shows -----------------------------------------------------------------------------------------------


def signs_of(trace: Trace) -> Signs:
    """What this run shows."""
    corrections = interruptions = retries = 0
    failures = Counter[str]()
    calls: dict[str, tuple[str, str]] = {}
    failing: tuple[str, str] | None = None
    made = Counter[tuple[str, str, str]]()
    last: tuple[tuple[str, str], str] | None = None
    works = False
    for turn in trace.turns:
        role = turn.role
        if role == "tool":
            call_made = calls.get(turn.call_id) or (turn.name, "")
            kind = failure_in(turn) if turn.failed or len(turn.text) <= SHORT else ""
            if kind:
                failures[kind] += 1
                failing = call_made
            done = call_made, turn.text[:HEAD]
            # To look at something again, after other work, is not a loop; to fail again is.
            if kind or done == last:
                made[*call_made, done[1]] += 1
            last = done
        elif role == "assistant":
            works = True
            for call in turn.calls:
                calls[call.id] = call.name, call.arguments
                retries += failing is not None and _is_alike(failing, calls[call.id])
                failing = None
        elif role == "user":
            is_mark = turn.text.startswith("[Request interrupted by user")
            interruptions += works
            corrections += works and not is_mark and corrects(turn.text)
        elif role == "system":
            interruptions += "<turn_aborted>" in turn.text
    loops = sum(times - 1 for times in made.values() if times > 1)
    return Signs(
        trace.score,
        trace.time,
        corrections + corrects(trace.next_message),
        tuple(failures.most_common()),
        retries,
        loops,
        interruptions,
        bool(trace.failure),
        bool(trace.feedback),
    )


def _is_alike(call: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether a call is the other one once more, the same or a little changed: most of it begins alike."""
    (name, arguments), (other_name, others) = call, other
    most = math.ceil(min(len(arguments), len(others)) * 0.6)
    return name == other_name and arguments[:most] == others[:most]


# --- which comes first ----------------------------------------------------------------------------------------------

_WEIGHTS = {
    "correction": 90.0,
    "broken": 60.0,
    "loop": 50.0,
    "interruption": 45.0,
    "not found": 40.0,
    "refused": 40.0,
    "wrong path": 38.0,
    "failing tests": 25.0,
    "out of time": 34.0,
    "edit": 34.0,
    "judged": 25.0,
    "retry": 20.0,
    "other": 12.0,
}
_LOW_SCORE = 120.0
_MANY = 20
"""Runs from which on it is counted how common a sign is."""


def in_order(signs: Sequence[Signs]) -> list[int]:
    """The positions of the runs, in the order in which they are to be read."""
    shares = _shares(signs)
    scores = [one.score for one in signs if one.score is not None]
    span = (min(scores), max(scores)) if scores else (0.0, 0.0)
    points = [_points(one, shares, span) for one in signs]
    newest = sorted(range(len(signs)), key=lambda at: signs[at].time, reverse=True)
    return sorted(newest, key=lambda at: -points[at])


def _shown(signs: Signs) -> Iterator[tuple[str, int]]:
    """Each sign that a run shows, and how often."""
    counts = (
        ("correction", signs.corrections),
        ("broken", signs.broken),
        ("loop", signs.loops),
        ("interruption", signs.interruptions),
        ("judged", signs.judged),
        ("retry", signs.retries),
        *signs.failed,
    )
    return ((name, int(count)) for name, count in counts if count)


def _shares(signs: Sequence[Signs]) -> dict[str, float]:
    """What each sign weighs by how rare it is: 1 where one run in twenty shows it, less where more do."""
    if len(signs) < _MANY:
        return {}
    common = Counter(name for one in signs for name, _ in _shown(one))
    return {
        name: min(1.0, max(0.2, math.log(len(signs) / count) / math.log(_MANY)))
        for name, count in common.items()
    }


def _points(signs: Signs, shares: dict[str, float], span: tuple[float, float]) -> float:
    points = _LOW_SCORE * _lowness(signs.score, *span)
    for name, count in _shown(signs):
        points += _WEIGHTS[name] * shares.get(name, 1.0) * (1 + math.log2(count) / 5)
    return points


def _lowness(score: float | None, least: float, most: float) -> float:
    """How low a score is, from 0 to 1; the upper half is not low. Scores are mostly from 0 to 1, and then this is their scale, however
    close to each other they are; else it is theirs.
    """
    if score is None:
        return 0.0
    least, most = min(0.0, least), max(1.0, most)
    low = most / (most - least) - score / (most - least)  # no difference of two large numbers
    return low if low >= 0.5 else 0.0


_TOLD = {"failing tests": "failing tests", "edit": "edit that did not fit", "other": "failed command"}


def why(signs: Signs) -> str:
    """What a run shows, in words."""
    told = [f"score {signs.score:.6g}" if signs.score is not None else ""]
    told += ["ended in a failure"] * signs.broken + ["has feedback"] * signs.judged
    told.append(_times("corrected by the user", signs.corrections))
    told += [_times(_TOLD.get(name, f"command {name}"), count) for name, count in signs.failed]
    told += [
        _times("retry", signs.retries),
        _times("loop", signs.loops),
        _times("interrupted", signs.interruptions),
    ]
    return ", ".join(filter(None, told)) or "nothing stands out: by its time"


def _times(what: str, count: int) -> str:
    return "" if not count else what if count == 1 else f"{what} x{count}"
