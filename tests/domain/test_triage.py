"""Which of many runs teach most."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import traces

from ace.domain.settings import ACESettings
from ace.domain.trace import ToolCall, Trace, Turn
from ace.domain.triage import Signs, in_order, signs_of, why
from ace.domain.unread import Past, first, unread
from ace.domain.wordings import corrects, failure_in

type Steps = list[tuple[str, str, bool]]
"""What was called, what came of it, and whether the tool flagged it as failed."""


def run(task: str = "Add a flag.", steps: Steps | None = None, **more: object) -> Trace:
    """A run of these steps."""
    turns = [Turn("user", task)]
    for number, (command, result, failed) in enumerate(steps or []):
        turns.append(Turn("assistant", "", (ToolCall("bash", command, str(number)),)))
        turns.append(Turn("tool", result, call_id=str(number), failed=failed))
    given = {"id": task, "turns": (*turns, Turn("assistant", "Done.")), **more}
    return Trace(**given)  # type: ignore[arg-type]


def ids(*runs: Trace, limit: int | None = None) -> list[str]:
    """The runs as they are to be read."""
    left, _ = unread(
        enumerate(runs), lambda _: Past(), lambda _: None, ACESettings(), "m", again=False, triaged=True
    )
    return [one.id for one in first(left, limit)]


# What a run shows


@pytest.mark.parametrize(
    "text",
    [
        "no, use pnpm here",
        "No! The other file.",
        "remember: never commit to main",
        "Actually, that should go into utils.py",
        "that's not what I asked for",
        "You forgot the changelog.",
        "don't edit generated files",
        "please always run the linter first",
        "wrong directory",
        "I told you to use uv instead of pip",
        "we never push to main here",
        "Stop. Use the staging database.",
        "nein, nimm die andere Datei",
        "non, utilise pnpm",
        "不对, 应该用 pnpm",
        "нет, используй pnpm",
        "In the future, ask me before you delete anything.",
    ],
)
def test_corrections(text: str) -> None:
    """What a person says who corrects, in any language that is met often."""
    assert corrects(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thanks, looks good.",
        "Now the changelog, please.",
        "No problem, go on.",
        "no need, thanks",
        "never mind",
        "Great! Can you add a test for it?",
        "continue",
        "Add a --json flag to the list command.",
        "Nothing else, commit it.",
        "Note that the API returns UTC. Show local times.",
        "ok",
        "Notify the users by mail.",
    ],
)
def test_what_is_no_correction(text: str) -> None:
    """What a person says who goes on."""
    assert not corrects(text)


@pytest.mark.parametrize(
    ("text", "failed", "kind"),
    [
        ("bash: pnpm: command not found", False, "not found"),
        ("ModuleNotFoundError: No module named 'yaml'", True, "not found"),
        ("fatal: could not read: Permission denied (publickey)", True, "refused"),
        ("The user doesn't want to proceed with this tool use.", True, "refused"),
        ("cat: src/x.py: No such file or directory", True, "wrong path"),
        ("=== 2 failed, 14 passed in 3.1s ===", True, "failing tests"),
        ("x\n" * 2000 + "2 failed, 3 passed", True, "failing tests"),
        ("Command timed out after 120s", True, "out of time"),
        ("exit 1", True, "other"),
        ("", True, "other"),
        ("14 passed", False, ""),
        ("0 failed, 14 passed", False, ""),
        ("line\n" * 500 + "raise PermissionError('permission denied')\n" + "line\n" * 500, False, ""),
    ],
)
def test_failures_by_class(text: str, failed: bool, kind: str) -> None:  # noqa: FBT001 - a row of the table
    """How a tool says why it failed; what stands in the middle of an output that is no failure is none."""
    assert failure_in(Turn("tool", text, failed=failed)) == kind


def test_retries_and_loops() -> None:
    """Given the same call with the same result three times, then it is a loop; a failed tool that is called again is a retry."""
    again = signs_of(run(steps=[("make", "error", True)] * 3))
    assert (again.retries, again.loops, again.failed) == (2, 2, (("other", 3),))
    assert signs_of(run(steps=[("cat a", "x", False)] * 4)).loops == 2
    assert signs_of(run(steps=[("cat a", "x", False), ("ls", "a", False)] * 4)).loops == 0
    varied = [("npm run build --prod", "error", True), ("npm run build --all", "ok", False)]
    assert signs_of(run(steps=varied)).retries == 1
    assert signs_of(run(steps=[varied[0], ("ls", "a", False)])).retries == 0
    assert signs_of(run(steps=[("make", "ok", False), ("make", "ok 2", False)])).retries == 0


def test_interruptions() -> None:
    """Given a word of the user's while the agent worked, then it was interrupted, and perhaps corrected."""
    turns = (
        Turn("user", "Fix it."),
        Turn("assistant", "", (ToolCall("bash", "rm", "1"),)),
        Turn("user", "[Request interrupted by user]"),
        Turn("user", "no, use git rm"),
        Turn("assistant", "Done."),
    )
    signs = signs_of(Trace(id="x", turns=turns))
    assert (signs.interruptions, signs.corrections) == (2, 1)


@given(traces)
def test_any_run_shows_something_or_nothing(trace: Trace) -> None:
    """Whatever a run holds, its signs can be told."""
    assert why(signs_of(trace))


# Which comes first


def test_the_order() -> None:
    """Given one run of each kind, then those that teach most come first, and the rest by time."""
    runs = {
        "plain, old": run(time="2026-01-01T00:00:00Z"),
        "plain, new": run(time="2026-02-01T00:00:00Z"),
        "untimed": run(),
        "other failure": run(steps=[("grep x", "", True)]),
        "tests": run(steps=[("pytest", "3 failed", True)]),
        "not found": run(steps=[("pnpm", "pnpm: command not found", True)]),
        "corrected": run(next_message="no, use pnpm"),
        "high": run(score=1.0),
        "low": run(score=0.0),
    }
    assert ids(
        *(
            Trace(id=name, turns=one.turns, score=one.score, time=one.time, next_message=one.next_message)
            for name, one in runs.items()
        )
    ) == [
        "low",
        "corrected",
        "not found",
        "tests",
        "other failure",
        "plain, new",
        "plain, old",
        "untimed",
        "high",
    ]


def test_a_call_in_the_middle_goes_with_its_run() -> None:
    """Given calls in the middle of runs, then each stays before the run behind it."""
    middle = Trace(id="middle", turns=(Turn("user", "x"), Turn("assistant", "", (ToolCall("a"),))))
    late = run("late", score=0.0)
    assert ids(run("early", score=1.0), middle, late, middle) == ["middle", "late", "early", "middle"]
    assert ids(run("early", score=1.0), middle, late, limit=1) == ["middle", "late"]


@given(st.lists(st.builds(Signs, score=st.none() | st.floats(-1e308, 1e308), retries=st.integers(0, 9))))
def test_every_run_has_its_place(signs: list[Signs]) -> None:
    """Given any runs, then the order holds each once, and runs that are alike keep theirs."""
    assert sorted(in_order(signs)) == list(range(len(signs)))
    assert in_order([Signs()] * len(signs)) == list(range(len(signs)))


# Planted lessons

COMMANDS = (
    "ls -la",
    "cat src/app.py",
    "git status",
    "rg TODO",
    "pytest -q",
    "make build",
    "git diff",
    "python -m app",
)
OUTPUTS = (
    "ok",
    "12 passed in 0.3s",
    "src/app.py\nsrc/util.py",
    "nothing to commit",
    "Built in 2.1 s",
    "def main():\n    pass",
)
FOLLOWS = (
    "",
    "",
    "Thanks!",
    "Now add a test for it.",
    "Great, commit that.",
    "Next: the changelog.",
    "Can you also update the docs?",
    "Looks good. What about Windows?",
    "ok, continue",
    "Please open a pull request.",
)


def ordinary(chance: random.Random, name: str) -> Trace:
    """A run in which all goes as it mostly does: now and then a command fails and the agent gets over it."""
    steps: Steps = [
        (chance.choice(COMMANDS), chance.choice(OUTPUTS), False) for _ in range(chance.randint(1, 12))
    ]
    if chance.random() < 0.35:
        noise = chance.choice(["1 failed, 8 passed", "exit code 1", "SyntaxError: invalid syntax", ""])
        steps.insert(chance.randrange(len(steps) + 1), (chance.choice(COMMANDS), noise, True))
    return run(
        name,
        steps,
        next_message=chance.choice(FOLLOWS),
        time=f"2026-01-{chance.randint(1, 28):02d}T10:00:00Z",
    )


type Plant = Callable[[random.Random, Trace], Trace]


def _with(trace: Trace, *turns: Turn, **more: object) -> Trace:
    """The run with more turns before its reply."""
    *before, reply = trace.turns
    return msgspec.structs.replace(trace, turns=(*before, *turns, reply), **more)


def _failing(*texts: str) -> Plant:
    def plant(chance: random.Random, trace: Trace) -> Trace:
        turns: list[Turn] = []
        for number in range(chance.randint(1, 2)):
            call = f"p{number}"
            turns.append(Turn("assistant", "", (ToolCall("bash", f"try {number}", call),)))
            turns.append(Turn("tool", chance.choice(texts), call_id=call, failed=chance.random() < 0.8))
        return _with(trace, *turns)

    return plant


def _looping(chance: random.Random, trace: Trace) -> Trace:
    turns: list[Turn] = []
    for number in range(chance.randint(3, 6)):
        turns.append(Turn("assistant", "", (ToolCall("edit", "a.py", f"l{number}"),)))
        turns.append(Turn("tool", "String to replace was not unique.", call_id=f"l{number}", failed=True))
    return _with(trace, *turns)


def _says(*texts: str) -> Plant:
    return lambda chance, trace: _with(trace, next_message=chance.choice(texts))


def _steps_in(*texts: str) -> Plant:
    return lambda chance, trace: _with(
        trace, Turn("assistant", "", (ToolCall("bash", "x", "i"),)), Turn("user", chance.choice(texts))
    )


PLANTS: dict[str, Plant] = {
    "score": lambda chance, trace: _with(trace, score=chance.choice([0.0, 0.1, 0.25])),
    "correction": _says(
        "no, use uv and not pip",
        "remember: migrations are never edited by hand",
        "That's the wrong branch, we work on develop",
        "you should have run the formatter",
        "don't touch vendor/",
        "I said British spelling",
        "Never log tokens.",
    ),
    "command": _failing(
        "zsh: command not found: yarn",
        "Error: Cannot find module 'left-pad'",
        'npm error Missing script: "lint"',
    ),
    "refused": _failing(
        "remote: Permission to org/repo denied: permission denied", "sudo: not allowed", "403 Forbidden"
    ),
    "path": _failing(
        "ENOENT: no such file or directory, open 'conf.yml'",
        "error: pathspec 'mian' did not match any file(s)",
    ),
    "loop": _looping,
    "interruption": _steps_in(
        "[Request interrupted by user]", "wait, the tests first", "the config lies in infra/, look there"
    ),
    "failure": lambda chance, trace: _with(
        trace, failure=chance.choice(["API Error: 529", "context length exceeded"])
    ),
}


def test_planted_lessons_come_first() -> None:
    """Given generated runs, a tenth of them with a planted lesson, then nine tenths of these stand in the first tenth."""
    shares: list[float] = []
    found = {name: [0, 0] for name in PLANTS}
    for seed in range(5):
        chance = random.Random(seed)  # noqa: S311 - runs, no secret
        runs: list[Trace] = []
        planted: dict[str, str] = {}
        for number in range(400):
            trace = ordinary(chance, f"run {number}")
            if number % 10 == 3:
                name = list(PLANTS)[(number // 10) % len(PLANTS)]
                planted[trace.id], trace = name, PLANTS[name](chance, trace)
            elif chance.random() < 0.5:
                trace = _with(trace, score=chance.choice([0.8, 0.9, 1.0]))
            runs.append(trace)
        chance.shuffle(runs)
        head = ids(*runs, limit=len(runs) // 10)
        shares.append(sum(one in planted for one in head) / len(planted))
        for one, name in planted.items():
            found[name][0] += one in head
            found[name][1] += 1
    assert sum(shares) / len(shares) >= 0.9, found
    assert min(shares) >= 0.85, found
