"""Which of many runs teach most, told without a model: thousands lie there on the first day, and each costs two calls.

    a low score          the lower, of the scores that there are, the better
    a correction         what the user said in the run or after it: "no, use …", "remember: …"
    a failed command     by class: not found, refused, a wrong path, failing tests, out of time, others
    a retry, a loop      a call once more right after it failed, the same or a little changed; the same call that fails in the same
                         way again and again, or that is made again at once with the same result
    an interruption      the user stepped in while the agent worked
    the rest             the newest first

Each sign has a weight, and what nearly every run shows weighs less: a project whose runs all have a failing test learns little from
that. The words are looked for where they stand, at the beginning of a message or the ends of an output; nothing is read in full.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence

import msgspec

from ace.domain.trace import Trace, Turn

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
    last: tuple[str, str, str] | None = None
    works = False
    for turn in trace.turns:
        match turn.role:
            case "user":
                is_mark = turn.text.startswith("[Request interrupted by user")
                interruptions += works
                corrections += works and not is_mark and corrects(turn.text)
            case "system":
                interruptions += "<turn_aborted>" in turn.text
            case "assistant":
                works = True
                for call in turn.calls:
                    calls[call.id] = call.name, call.arguments
                    retries += failing is not None and _is_alike(failing, calls[call.id])
                    failing = None
            case "tool":
                call_made = calls.get(turn.call_id, (turn.name, ""))
                if kind := failure_in(turn):
                    failures[kind] += 1
                    failing = call_made
                done = (*call_made, turn.text[:_HEAD])
                # To look at something again, after other work, is no loop; to fail again is.
                made[done] += bool(kind) or done == last
                last = done
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
    """Whether a call is the other one once more, the same or a little changed."""
    (name, arguments), (other_name, others) = call, other
    least = min(len(arguments), len(others))
    same = next((at for at in range(least) if arguments[at] != others[at]), least)
    return name == other_name and same >= least * 0.6


_HEAD = 600
_TAIL = 1500
"""Characters of an output in which it says how it ended."""

_CLASSES = (
    (
        "not found",
        re.compile(
            r"command not found|: not found\b|not recognized as|no module named|modulenotfounderror|cannot find module|"
            r"executable file not found|no such command|unknown (?:command|option|flag|tool)|unrecognized (?:argument|option)|"
            r"no such (?:tool|option|service|target|remote)|missing script|could not find a version"
        ),
    ),
    (
        "refused",
        re.compile(
            r"permission denied|not permitted|access (?:is )?denied|forbidden|unauthorized|connection refused|"
            r"(?:user )?(?:rejected|denied|declined)|doesn't want to (?:proceed|take)|not allowed|read-only file system|"
            r"blocked by|protected branch|authentication failed|requires approval"
        ),
    ),
    (
        "wrong path",
        re.compile(
            r"no such file|enoent|cannot access|filenotfounderror|file not found|does not exist|not a directory|is a directory|"
            r"cannot find the (?:path|file)|outside (?:of )?the (?:workspace|project|repository)|pathspec"
        ),
    ),
    (
        "failing tests",
        re.compile(
            r"\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|(?:^|\n)\s*(?:failed|fail)\b|assertionerror|--- fail|"
            r"test(?:s|suite)? failed|failures?: [1-9]|tests?:.{0,40}failed"
        ),
    ),
    ("out of time", re.compile(r"timed? ?out|deadline exceeded")),
)


def failure_in(turn: Turn) -> str:
    """The class of a tool's failure; empty if there is none. One that the tool did not flag has to say so at one of its ends."""
    text = turn.text
    if not turn.failed and len(text) > _HEAD:
        text = text[: _HEAD // 3] + "\n" + text[-_HEAD:]
    elif len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    text = text.casefold()
    found = next((name for name, words in _CLASSES if words.search(text)), "")
    return found or ("other" if turn.failed else "")


_OPENING = re.compile(
    r"\W*(?:(?:ok|okay|hm+|hey|sorry|but|and|well|please|oh|ah|uh)\b\W*)*"
    r"(?:no(?!\s+(?:problem|worries|need|rush|issues?|thanks|idea|more|longer|other|changes?|further|comments?|one)\b)|nope|nah|wrong|"
    r"stop|wait|actually|not (?:like )?(?:that|this|what|there|here|the)|don'?t|do not|never(?!\s?mind)|always|"
    r"that(?:'?s| is| was)(?: still)? (?:not|wrong|incorrect|the wrong)|this is (?:not|wrong|incorrect)|undo|revert (?:that|this|it|your)|"
    r"you (?:forgot|broke|missed|ignored|misread|misunderstood|should(?:n'?t| not)? have|were (?:supposed|meant) to|can(?:'?t|not)|must|"
    r"did ?n(?:'?t|ot))|why did you|"
    r"nein|falsch|nicht|halt|stopp|non|pas |faux|arrête|não|errado|falso|sbagliato|incorrecto|нет|не |стоп|неверно|"
    r"不对|不是|不要|别|错|停|違|いや|だめ|ちが|아니|틀렸)(?:\b|(?=\W)|(?<=[^\x00-\x7f]))",
    re.IGNORECASE,
)
_WORDS = re.compile(
    r"\bremember\b(?!ed)|\bfrom now on\b|\bnext time\b|\bin (?:the )?future\b|\bfor (?:the )?(?:record|next time)\b|\bkeep in mind\b|"
    r"\bi (?:already )?(?:told|asked|said)\b|\bas i (?:said|told)\b|\binstead(?: of)?\b|\brather than\b|\bshould(?:n'?t| not) have\b|"
    r"\byou (?:forgot|broke|missed|ignored|misunderstood|should have|were supposed)\b|\bthat(?:'?s| is| was) (?:wrong|not (?:what|how|right))\b|"
    r"\bnot what i\b|\bwe (?:always|never|don'?t)\b|\b(?:always|never) (?:use|run|do|add|commit|edit|touch|write|call|push|change)\b|"
    r"\bmake sure (?:to|you)\b|\buse [^\n.]{1,60}\bnot\b|\bstop \w+ing\b|"
    r"\b(?:merke? dir|denk dran|künftig|in zukunft|statt(?:dessen)?|souviens|rappelle|à l'avenir|plutôt|au lieu|recuerda|en vez de|"
    r"lembre|em vez de|ricorda(?:ti)?|invece|d'ora in poi)\b|запомни|вместо|в следующий раз|记住|以后|下次|而不是|應該|应该用|覚えて|じゃなくて|次回|"
    r"기억해|대신",
    re.IGNORECASE,
)


def corrects(text: str) -> bool:
    """Whether a message of the user's corrects the agent, or tells it what to keep in mind."""
    head = text[:1000]
    return bool(_OPENING.match(head) or _WORDS.search(head))


# --- which comes first ----------------------------------------------------------------------------------------------

_WEIGHTS = {
    "correction": 90.0,
    "broken": 60.0,
    "loop": 50.0,
    "interruption": 45.0,
    "not found": 40.0,
    "refused": 40.0,
    "wrong path": 32.0,
    "failing tests": 25.0,
    "out of time": 25.0,
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
    """How low a score is among the others, from 0 to 1; the upper half is not low. Where all are alike, none at all is."""
    if score is None:
        return 0.0
    if most == least:
        return 1.0 if score <= 0 else 0.0
    low = most / (most - least) - score / (most - least)  # no difference of two large numbers
    return low if low >= 0.5 else 0.0


def why(signs: Signs) -> str:
    """What a run shows, in words."""
    told = [f"score {signs.score:.6g}" if signs.score is not None else ""]
    told += ["ended in a failure"] * signs.broken + ["has feedback"] * signs.judged
    told.append(_times("corrected by the user", signs.corrections))
    told += [
        _times(
            "failing tests"
            if name == "failing tests"
            else f"command {name}"
            if name != "other"
            else "failed command",
            count,
        )
        for name, count in signs.failed
    ]
    told += [
        _times("retry", signs.retries),
        _times("loop", signs.loops),
        _times("interrupted", signs.interruptions),
    ]
    return ", ".join(filter(None, told)) or "nothing stands out: by its time"


def _times(what: str, count: int) -> str:
    return "" if not count else what if count == 1 else f"{what} x{count}"
