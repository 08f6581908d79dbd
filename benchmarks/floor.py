"""The floor: what one step, one rendering and one encoding cost with nothing but dicts, sets and json.

No screens, no events, no log, no files: what no implementation in Python can do without. `run.py` measures the package
on the same operations in the same run.
"""

from __future__ import annotations

import random
from typing import Any

SECTIONS = ("Strategies and insights", "Code and commands", "Common mistakes to avoid", "Others")
_WORDS = [
    "read",
    "test",
    "edit",
    "run",
    "shell",
    "error",
    "retry",
    "path",
    "parse",
    "value",
    "list",
    "order",
    "token",
    "cache",
    "query",
    "limit",
    "page",
    "login",
    "date",
    "zone",
    "sort",
    "merge",
    "commit",
    "branch",
    "build",
    "import",
    "module",
    "fixture",
    "assert",
    "mock",
    "schema",
    "index",
    "cursor",
    "batch",
    "flag",
    "default",
]

type State = dict[str, Any]


def lessons(count: int) -> list[str]:
    """Distinct lessons of about 90 characters, the same ones at each call."""
    rng = random.Random(11)
    return [
        " ".join(rng.choice(_WORDS) for _ in range(14)) + f" in case {number}." for number in range(count)
    ]


def state(size: int) -> State:
    """A playbook of that many bullets, at its cap."""
    bullets = [
        {
            "id": f"ace-{number:05d}",
            "section": SECTIONS[number % 4],
            "content": text,
            "helpful": 1,
            "harmful": 0,
            "step": 0,
        }
        for number, text in enumerate(lessons(size), 1)
    ]
    return {"next_number": size + 1, "bullets": bullets}


def _key(text: str) -> str:
    return " ".join(text.split()).casefold()


def step(playbook: State, tagged: list[str], additions: list[str], cap: int) -> None:
    """Count the tags, add what is new, prune at a margin of 2, cap."""
    by_id = {bullet["id"]: bullet for bullet in playbook["bullets"]}
    known = {_key(bullet["content"]) for bullet in playbook["bullets"]}
    for identifier in tagged:
        by_id[identifier]["helpful"] += 1
    for text in additions:
        if (key := _key(text)) not in known:
            known.add(key)
            number = playbook["next_number"]
            playbook["next_number"] = number + 1
            playbook["bullets"].append(
                {
                    "id": f"ace-{number:05d}",
                    "section": SECTIONS[0],
                    "content": text,
                    "helpful": 0,
                    "harmful": 0,
                    "step": 1,
                }
            )
    kept = [bullet for bullet in playbook["bullets"] if bullet["harmful"] - bullet["helpful"] < 2]
    excess = len(kept) - cap
    if excess > 0:
        order = sorted(range(len(kept)), key=lambda at: (kept[at]["helpful"] - kept[at]["harmful"], at))
        gone = set(order[:excess])
        kept = [bullet for at, bullet in enumerate(kept) if at not in gone]
    playbook["bullets"] = kept


def render(playbook: State) -> str:
    """A bare join by section."""
    lines = ["## Playbook", ""]
    for section in SECTIONS:
        lines += [f"### {section}", ""]
        lines += [
            f"- [{b['id']}] helpful={b['helpful']} harmful={b['harmful']} :: {b['content']}"
            for b in playbook["bullets"]
            if b["section"] == section
        ]
    return "\n".join(lines)
