"""Which of many runs teach most, told without a model: thousands lie there on the first day, and each costs two calls.

    a low score          the lower, of the scores that there are, the better
    a correction         what the user said in the run or after it: "no, use …", "remember: …"
    a failed command     by class: not found, refused, a wrong path, failing tests, out of time, others
    a retry, a loop      a call once more right after it failed, the same or a little changed; the same call that fails in the same
                         way again and again, or that is made again at once with the same result
    an interruption      the user stepped in while the agent worked
    the rest             the newest first

Each sign has a weight, and what nearly every run shows weighs less: a project whose runs all have a failing test learns little from
that. The words are looked for in their places, at the beginning of a message or the ends of an output; nothing is read in full.
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
                # To look at something again, after other work, is not a loop; to fail again is.
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
    """Whether a call is the other one once more, the same or a little changed: most of it begins alike."""
    (name, arguments), (other_name, others) = call, other
    most = math.ceil(min(len(arguments), len(others)) * 0.6)
    return name == other_name and arguments[:most] == others[:most]


_HEAD = 400
_TAIL = 600
"""Characters of a failed output in which it says why."""
_SHORT = 400
"""Characters of an output that may tell of a failure though the tool did not flag it: what is longer is what was asked for."""

# Words, and no regular expression: these are looked for in every output of every run, and this takes a tenth of the time.
_CLASSES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        "not found",
        (
            *(
                "command not found",
                ": not found",
                "not recognized as",
                "no module named",
                "modulenotfounderror",
            ),
            *(
                "cannot find module",
                "executable file not found",
                "no such command",
                "no such tool",
                "no such option",
            ),
            *(
                "no such service",
                "no such target",
                "no such remote",
                "unknown command",
                "unknown option",
                "unknown flag",
            ),
            *(
                "unknown tool",
                "unrecognized argument",
                "unrecognized option",
                "missing script",
                "could not find a version",
            ),
        ),
    ),
    (
        "refused",
        (
            *(
                "permission denied",
                "not permitted",
                "access denied",
                "access is denied",
                "forbidden",
                "unauthorized",
            ),
            *(
                "connection refused",
                "user rejected",
                "user denied",
                "user declined",
                "doesn't want to proceed",
            ),
            *(
                "doesn't want to take",
                "not allowed",
                "read-only file system",
                "protected branch",
                "authentication failed",
            ),
            *("requires approval", "[remote rejected]", "rejected by"),
        ),
    ),
    (
        "wrong path",
        (
            *(
                "no such file",
                "enoent",
                "cannot access",
                "filenotfounderror",
                "file not found",
                "does not exist",
            ),
            *(
                "not a directory",
                "is a directory",
                "cannot find the path",
                "cannot find the file",
                "outside the workspace",
            ),
            *("outside of the workspace", "outside the project", "outside of the project", "pathspec"),
        ),
    ),
)
_LATE = ("timed out", "timeout", "time out", "deadline exceeded")

_FAIL = re.compile(r"fail(?P<end>ed|ing|ures?)?\b(?P<count>: [1-9])?")
_COUNTED = re.compile(r"(?:\b[1-9]\d* (?:tests? )?|tests? |test suite |tests?:[^\n]{0,40})$")
_FIRST = re.compile(r"(?:^|\n)[^\S\n]*(?:[-=#*✗✘]+ )?$")


def failure_in(turn: Turn) -> str:
    """The class of a tool's failure; empty if there is none. One that the tool did not flag has to be short."""
    text = turn.text
    if not turn.failed and len(text) > _SHORT:
        return ""
    if len(text) > _HEAD + _TAIL:
        text = text[:_HEAD] + "\n" + text[-_TAIL:]
    text = text.casefold()
    for name, words in _CLASSES:
        for word in words:
            if word in text:
                return name
    if "assertionerror" in text or _has_failing_tests(text):
        return "failing tests"
    if any(word in text for word in _LATE):
        return "out of time"
    return "other" if turn.failed else ""


def _has_failing_tests(text: str) -> bool:
    """Whether there is a count of failures, or a line begins with such a verdict."""
    return any(
        found["count"]
        or (found["end"] and _COUNTED.search(text[max(0, found.start() - 50) : found.start()]))
        or (found["end"] in (None, "ed") and _FIRST.search(text[max(0, found.start() - 20) : found.start()]))
        for found in _FAIL.finditer(text)
    )


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
_SAID = (
    *(
        " remember ",
        " remember:",
        " remember,",
        " from now on",
        " next time",
        " in future",
        " in the future",
        " for the record",
    ),
    *(
        " keep in mind",
        " i told you",
        " i asked ",
        " i said ",
        " already told",
        " as i said",
        " as i told",
        " instead",
        " rather than",
    ),
    *(
        "should have",
        "shouldn't have",
        "should not have",
        " you forgot",
        " you broke",
        " you missed",
        " you ignored",
    ),
    *(
        " you misunderstood",
        " were supposed",
        "that's wrong",
        "that is wrong",
        "that was wrong",
        "not what i",
        "that's not how",
    ),
    *("that is not how", " we always ", " we never ", " we don't ", " make sure to ", " make sure you "),
    *(
        f" {often} {act} "
        for often in ("always", "never")
        for act in ("use", "run", "do", "add", "commit", "edit", "touch", "write")
    ),
    *(
        f" {often} {act} "
        for often in ("always", "never")
        for act in ("call", "push", "change", "delete", "log", "put", "make")
    ),
    *(
        "merk dir",
        "merke dir",
        " denk dran",
        " künftig",
        "in zukunft",
        " statt ",
        "stattdessen",
        " souviens",
        " rappelle",
    ),
    *(
        "à l'avenir",
        " plutôt",
        " au lieu",
        "recuerda",
        " en vez de",
        " lembre",
        " em vez de",
        " ricorda",
        " invece",
        "d'ora in poi",
    ),
    *(
        "запомни",
        "вместо",
        "в следующий раз",
        "记住",
        "以后",
        "下次",
        "而不是",
        "應該",
        "应该用",
        "覚えて",
        "じゃなくて",
        "次回",
        "기억해",
        "대신",
    ),
)
_USE_NOT = re.compile(r" use [^.]{1,60}[, ]not ")


def corrects(text: str) -> bool:
    """Whether a message of the user's corrects the agent, or tells it what to keep in mind."""
    if not text:
        return False
    head = text[:1000]
    if _OPENING.match(head):
        return True
    said = f" {' '.join(head.split())} ".casefold()
    return any(words in said for words in _SAID) or _USE_NOT.search(said) is not None


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
