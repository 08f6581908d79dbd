"""An endpoint that answers in a random mode each time, and the commands that people give until it is healthy.

    play(random.Random(7), Path("somewhere"))      one folder, one to eight runs, some troubled commands, then healthy ones

Whatever the endpoint did, at the end each run was read once and counted once, or was passed over after three counted
unusable replies and was named so; and no command ended with 0 while something was left.
"""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.adapters.commands import outcome
from tests.adapters.hosting import P1, Place, curation, reflection
from tests.adapters.loopback import Drop, Loopback, Raw, Reply, completion, status, text

from ace.events.types import BulletAdded, RunRead, RunSkipped, TagCounted

__all__ = ["MODES", "play"]

TASKS = [f"Do task {number} of the day." for number in range(8)]


_TOO_LONG = re.compile(r"^Too long for this model: (.*?)\. They are", re.MULTILINE)


def _ended(reason: str, content: object, **message: object) -> Raw:
    body = completion(content, **message)
    body["choices"][0]["finish_reason"] = reason
    return Raw(json.dumps(body).encode())


def _good(role: str, name: str) -> str:
    return reflection(("ace-00001", "helpful")) if role == "reflector" else curation(f"What {name} teaches.")


type Mode = Callable[[str], Reply]
"""From a good reply to what comes in its place."""

MODES: Mapping[str, Mode] = {
    "good": text,
    "in a fence": lambda good: text(f"Sure!\n```json\n{good}\n```"),
    "in a tool call": lambda good: _ended(
        "tool_calls", None, tool_calls=[{"function": {"name": "reply", "arguments": good}}]
    ),
    "in parts": lambda good: _ended("stop", [{"type": "output_text", "text": good}]),
    "cut off, and whole": lambda good: _ended("length", good),
    "cut off": lambda good: _ended("length", good[:9]),
    "cut off in reasoning": lambda _: _ended("length", None, reasoning_content="Let me think about it"),
    "padded": lambda good: _ended("length", good + " " * 500),
    "filtered": lambda good: _ended("content_filter", good),
    "all in reasoning": lambda good: _ended("stop", "", reasoning_content=good),
    "empty": lambda _: text(""),
    "no content": lambda _: _ended("stop", None),
    "prose": lambda _: text("The run went well."),
    "half a reply": lambda good: text(good[: len(good) // 2]),
    "in an array": lambda good: text(f"[{good}]"),
    "an error beside it": lambda good: Raw(
        json.dumps({**completion(good), "error": {"message": "upstream failed", "code": 502}}).encode()
    ),
    "refused": lambda _: _ended("stop", None, refusal="I cannot do that."),
    "a page": lambda _: Raw(b"<html>Sign in</html>", content_type="text/html"),
    "400": lambda _: status(400, "bad request"),
    "401": lambda _: status(401, "Incorrect API key provided"),
    "403, a page": lambda _: Raw(b"<html>Attention required</html>", status=403),
    "404": lambda _: status(404, "no such model"),
    "429": lambda _: status(429, "slow down"),
    "no quota": lambda _: status(429, "You exceeded your current quota", error_code="insufficient_quota"),
    "500": lambda _: status(500, "oops"),
    "503": lambda _: status(503, "overloaded"),
    "too long": lambda _: status(
        400, "This model's maximum context length is 4097 tokens, and you sent 5000"
    ),
    "dropped": lambda _: Drop(),
    "dropped in its body": lambda _: Drop(in_body=True),
}
"""What endpoints were seen to answer."""


class _Endpoint:
    """Answers in a mode that the dice choose, as long as it is troubled; most often well, so that steps get on."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice
        self.troubled = True
        self.played: Counter[str] = Counter()

    def __call__(self, body: dict[str, Any], _: int) -> Reply:
        prompt = body["messages"][0]["content"]
        role = "reflector" if prompt.startswith("You are the Reflector") else "curator"
        name = next(f"r{number}" for number, task in enumerate(TASKS) if task in prompt)
        mode = self.dice.choice([*MODES, *["good"] * 12]) if self.troubled else "good"
        self.played[mode] += 1
        return MODES[mode](_good(role, name))


def play(dice: random.Random, root: Path) -> tuple[int, Counter[str]]:
    """Play one folder to its end. Returns how many commands it took, and how often each mode was answered. Raises
    `AssertionError` where something was lost, counted twice, or ended with a status that is not true.
    """
    place = Place(root / "work", rules=b"# Rules\n", playbook=P1)
    names = [f"r{number}" for number in range(dice.randint(1, 8))]
    traces = root / "runs.jsonl"
    rows = [{"id": name, "task": TASKS[int(name[1:])], "reply": "Done."} for name in names]
    traces.write_text("".join(json.dumps(row) + "\n" for row in rows))
    endpoint = _Endpoint(dice)
    told: list[str] = []
    commands = 0
    with Loopback(endpoint) as server:
        # What was too long for a model is for another one to be read.
        for model in (*["small"] * dice.randint(1, 4), *["large"] * 8):
            endpoint.troubled = model == "small"
            commands += 1
            code, output = _learn(place, server, traces, model, dice.choice([1, 1, 2, 5]))
            told.append(output)
            left = _left(place, names)
            _see_that_the_status_is_true(place, code, left, told)
            if not endpoint.troubled and not left:
                break
        asked = len(server.bodies)
        assert _learn(place, server, traces, "large", 1)[0] == 0
        assert len(server.bodies) == asked, "a run that was read was asked about again"
    _see_that_all_is_counted_once(place, names, "\n".join(told))
    return commands + 1, endpoint.played


def _learn(place: Place, server: Loopback, traces: Path, model: str, size: int) -> tuple[int, str]:
    arguments = ["learn", str(traces), "--work", str(place.root), "--runs-per-step", str(size)]
    code, out, err = outcome(arguments, server.environ(model=model))
    return code, out + err


def _left(place: Place, names: list[str]) -> set[str]:
    """The runs of which something is left to be done, by the log alone."""
    events = place.events() if place.log.path.exists() else []
    done: set[str] = set()
    unusable: Counter[str] = Counter()
    for event in events:
        if isinstance(event, RunRead) and event.curation == "used":
            done.add(event.trace)
        elif isinstance(event, RunRead) and event.curation == "unusable reply":
            unusable[event.trace] += 1
        elif isinstance(event, RunSkipped) and event.attempt == 3:
            done.add(event.trace)
    return {name for name in names if name not in done and unusable[name] < 3}


def _see_that_the_status_is_true(place: Place, code: int, left: set[str], told: list[str]) -> None:
    named = _TOO_LONG.findall("\n".join(told))  # told once: this command or one before
    too_long = {name for names in named for name in names.split(", ")}
    assert code in (0, 1, 2), told[-1]
    if code == 0:
        assert left <= too_long, told[-1]
    assert place.agrees()


def _see_that_all_is_counted_once(place: Place, names: list[str], told: str) -> None:
    events = place.events()
    first = Counter(e.trace for e in events if isinstance(e, RunRead) and e.of == 0)
    used = Counter(e.trace for e in events if isinstance(e, RunRead) and e.curation == "used")
    tags = Counter(e.trace for e in events if isinstance(e, TagCounted))
    added = Counter(e.trace for e in events if isinstance(e, BulletAdded))
    given_up = {e.trace for e in events if isinstance(e, RunSkipped) and e.attempt == 3}
    for name in names:
        if name in given_up:
            assert (first[name], tags[name], added[name]) == (0, 0, 0)
            assert f"skipped {name}: unusable reply" in told
            assert "after 3 such replies the run is passed over" in told
        else:
            assert (first[name], tags[name]) == (1, 1), name
            assert used[name] == added[name] <= 1, name
            assert used[name] or f"no bullets from {name}: " in told
    assert place.playbook().bullets[0].helpful == P1.bullets[0].helpful + len(names) - len(given_up)
    assert len(place.contents()) == 1 + sum(added.values())
