"""Prints how fast and in how much memory folders of sessions are listed: `python benchmarks/sessions.py [--quick]`.

Listing is what `ace sessions` does: every run with its score, length, open turns, and its place in the triage; no model is called.
Its floor is a bare msgspec decode of the same lines, timed in turns in the same run. Memory is what a process of its own takes at
most above what it takes before the first file, for a folder and for one ten times as large: it must not grow with the folder. It is
measured for the list, and for `ace learn` up to its first question: all gone through, the first twenty chosen and read again. Exit
status 1 if a limit is not met.

The sessions are made here, in the shapes of Claude Code, Codex and pi, with outputs of tools as long as they are met.
"""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from ace.adapters.store.folder_book import FolderBook
from ace.adapters.traces.collection import Collection
from ace.adapters.traces.finding import Source
from ace.learning import dry_run
from ace.listing import survey

type Json = dict[str, Any]

SPEED = 0.25
"""Least speed of a listing, as a part of the decode's."""

MEMORY = 100.0
"""Most MiB above the longest run."""


# --- sessions -------------------------------------------------------------------------------------------------------

WORDS = [
    "the",
    "test",
    "fails",
    "because",
    "path",
    "is",
    "not",
    "found",
    "in",
    "module",
    "setup",
    "of",
    "parser",
    "when",
    "cache",
    "was",
    "read",
    "before",
    "lock",
]


COUNTS = {
    "input_tokens": 20311,
    "cached_input_tokens": 19968,
    "output_tokens": 211,
    "reasoning_output_tokens": 64,
    "total_tokens": 20522,
}
TOKENS = {"total_token_usage": COUNTS, "last_token_usage": COUNTS, "model_context_window": 272000}
WINDOW = {"used_percent": 1.0, "window_minutes": 300, "resets_at": 1772377200}
RATES = {"limit_id": "codex", "primary": WINDOW, "secondary": WINDOW, "credits": None, "plan_type": "pro"}
COST = {"input": 0.0012, "output": 0.0031, "cacheRead": 0.0022, "cacheWrite": 0.0, "total": 0.0065}
USAGE = {"input": 311, "output": 211, "cacheRead": 19968, "cacheWrite": 0, "totalTokens": 20490, "cost": COST}
POLICY = {
    "type": "workspace-write",
    "writable_roots": ["/home/user/.cache"],
    "network_access": False,
    "exclude_slash_tmp": False,
}
"""What real files hold beside what was said: none of it is read, all of it is decoded."""


def text(chance: random.Random, length: int) -> str:
    return " ".join(chance.choices(WORDS, k=max(1, length // 6)))


def claude_code(chance: random.Random, turns: int, session: str) -> Iterator[Json]:
    number = count(1)
    parent: str | None = None
    for _ in range(turns):
        for kind, content, more in _turn(chance):
            identifier = f"{session}-{next(number):08d}-0000-0000-000000000000"
            message: Json = {"role": kind, "content": content}
            if kind == "assistant":
                usage = {
                    "input_tokens": 3,
                    "cache_read_input_tokens": 20000,
                    "output_tokens": 200,
                    "service_tier": "standard",
                }
                message |= {
                    "id": f"msg_{identifier}",
                    "model": "m",
                    "type": "message",
                    "usage": usage,
                    "stop_reason": None,
                }
            yield {
                "parentUuid": parent,
                "isSidechain": False,
                "userType": "external",
                "cwd": "/home/user/project",
                "sessionId": session,
                "version": "2.1.0",
                "gitBranch": "main",
                "type": kind,
                "message": message,
                "uuid": identifier,
                "timestamp": "2026-03-01T10:00:00.000Z",
                **more,
            }
            parent = identifier


def _turn(chance: random.Random) -> Iterator[tuple[str, Any, Json]]:
    yield "user", text(chance, 200), {}
    for call in range(chance.randint(3, 12)):
        use = {
            "type": "tool_use",
            "id": f"toolu_{call}_{chance.random()}",
            "name": "Bash",
            "input": {"command": text(chance, 80)},
        }
        if call % 3 == 0:
            yield (
                "assistant",
                [{"type": "thinking", "thinking": text(chance, 400), "signature": "A" * 400}],
                {},
            )
            yield "assistant", [{"type": "text", "text": text(chance, 150)}], {}
        yield "assistant", [use], {}
        output = text(chance, int(chance.paretovariate(0.9) * 300) % 30_000)
        result = {
            "type": "tool_result",
            "tool_use_id": use["id"],
            "content": output,
            "is_error": call % 7 == 0,
        }
        yield "user", [result], {"toolUseResult": {"stdout": output, "stderr": "", "interrupted": False}}
    yield "assistant", [{"type": "text", "text": text(chance, 800)}], {}


def codex(chance: random.Random, turns: int, session: str) -> Iterator[Json]:
    def record(kind: str, **payload: Any) -> Json:
        return {"timestamp": "2026-03-01T10:00:00.000Z", "type": kind, "payload": payload}

    yield record(
        "session_meta",
        id=session,
        cwd="/home/user/project",
        cli_version="0.99.0",
        source="cli",
        base_instructions={"text": text(chance, 12_000)},
    )
    for turn in range(turns):
        turn_id = f"{session}-{turn:08d}"
        yield record("event_msg", type="task_started", turn_id=turn_id)
        yield record(
            "turn_context",
            turn_id=turn_id,
            cwd="/home/user/project",
            model="m",
            approval_policy="never",
            sandbox_policy=POLICY,
            user_instructions=text(chance, 900),
        )
        for kind, content, _ in _turn(chance):
            for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                if block["type"] == "text":
                    part = {"type": "input_text" if kind == "user" else "output_text", "text": block["text"]}
                    yield record("response_item", type="message", role=kind, content=[part])
                    yield record(
                        "event_msg",
                        type="user_message" if kind == "user" else "agent_message",
                        message=block["text"],
                    )
                elif block["type"] == "thinking":
                    yield record(
                        "response_item",
                        type="reasoning",
                        summary=[],
                        encrypted_content=block["signature"] * 3,
                    )
                elif block["type"] == "tool_use":
                    said = {
                        "name": "exec_command",
                        "arguments": json.dumps(block["input"]),
                        "call_id": block["id"],
                    }
                    yield record("response_item", type="function_call", **said)
                else:
                    said = {
                        "call_id": block["tool_use_id"],
                        "output": f"Process exited with code {int(block['is_error'])}\nOutput:\n{block['content']}",
                    }
                    yield record("response_item", type="function_call_output", **said)
                    yield record(
                        "event_msg",
                        type="token_count",
                        info=TOKENS,
                        rate_limits=RATES,
                    )


def pi(chance: random.Random, turns: int, session: str) -> Iterator[Json]:
    yield {"type": "session", "version": 3, "id": session, "cwd": "/home/user/project"}
    number = count(1)
    for _ in range(turns):
        for kind, content, _ in _turn(chance):
            for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
                message: Json = {
                    "role": kind,
                    "content": [block],
                    "timestamp": 1772359200000,
                    "stopReason": "stop",
                }
                if kind == "assistant":
                    message |= {
                        "api": "anthropic-messages",
                        "provider": "anthropic",
                        "model": "m",
                        "usage": USAGE,
                    }
                if block["type"] == "tool_use":
                    use = {"type": "toolCall", "id": block["id"], "name": "bash", "arguments": block["input"]}
                    message |= {"content": [use], "stopReason": "toolUse"}
                elif block["type"] == "tool_result":
                    said = [{"type": "text", "text": block["content"]}]
                    message = {
                        "role": "toolResult",
                        "toolCallId": block["tool_use_id"],
                        "toolName": "bash",
                        "content": said,
                    }
                place = next(number)
                place_of = {"id": f"{place:08x}", "parentId": f"{place - 1:08x}" if place > 1 else None}
                yield {
                    "type": "message",
                    **place_of,
                    "timestamp": "2026-03-01T10:00:00.000Z",
                    "message": message,
                }


TOOLS: dict[str, Callable[[random.Random, int, str], Iterator[Json]]] = {
    "claude-code": claude_code,
    "codex": codex,
    "pi": pi,
}


def make(folder: Path, tool: str, megabytes: float, seed: int) -> list[Path]:
    """Files of sessions of a few MB each, this many in all."""
    chance, left, files = random.Random(seed), megabytes * 2**20, list[Path]()
    while left > 0:
        path = folder / f"{tool}-{seed}-{len(files):04d}.jsonl"
        with path.open("wb") as file:
            for row in TOOLS[tool](chance, 60, f"{seed:04d}{len(files):04d}"):
                file.write(msgspec.json.encode(row) + b"\n")
        left -= path.stat().st_size
        files.append(path)
    return files


# --- speed ----------------------------------------------------------------------------------------------------------


def decode(files: list[Path]) -> int:
    decoder = msgspec.json.Decoder()
    rows = 0
    for path in files:
        with path.open("rb") as file:
            for line in file:
                decoder.decode(line)
                rows += 1
    return rows


def gathered(files: list[Path]) -> Collection:
    return Collection([Source(path) for path in files], rested=time.time())


def listing(files: list[Path]) -> tuple[int, int]:
    """How many runs there are, and the characters of the longest."""
    runs = survey(gathered(files), None).runs
    return len(runs), max(run.characters for run in runs)


def choosing(files: list[Path]) -> tuple[int, int]:
    """What learning does before its first question, with a limit of twenty runs; and again the longest of all."""
    with tempfile.TemporaryDirectory() as name:
        plan = dry_run(FolderBook(Path(name) / "w"), gathered(files), limit=20)
    return len(plan.runs), max(spot.length for spot, _, _ in gathered(files))


def speed(tool: str, folder: Path, megabytes: float) -> bool:
    files = make(folder, tool, megabytes, 1)
    size = sum(path.stat().st_size for path in files) / 2**20
    taken: dict[str, list[float]] = {"decode": [], "listing": []}
    for _ in range(5):
        for name, work in (("decode", decode), ("listing", listing)):
            start = time.process_time()  # others may be at work on the machine
            work(files)
            taken[name].append(time.process_time() - start)
    floor, own = (sorted(taken[name])[2] for name in ("decode", "listing"))
    runs, _ = listing(files)
    told = f"{size / own:.0f} MiB/s, decode {size / floor:.0f} MiB/s; {runs} runs in {size:.0f} MiB"
    print(f"listing of {tool}: {floor / own:.2f} of the decode's speed ({told})   ≥ {SPEED}")
    return bool(floor / own >= SPEED)


# --- memory ---------------------------------------------------------------------------------------------------------


WORK = {"list": listing, "choosing twenty": choosing}


def memory(folder: Path, megabytes: float) -> Iterator[bool]:
    """In a process of its own: what the work takes at most, for a folder and for one ten times as large."""
    sizes = (megabytes / 10, megabytes)
    for size in sizes:
        below = folder / f"{size:.0f}"
        below.mkdir()
        for seed, tool in enumerate(TOOLS):
            make(below, tool, size / len(TOOLS), seed)
    for name in WORK:
        peaks = []
        for size in sizes:
            command = [sys.executable, __file__, "--peak", name, str(folder / f"{size:.0f}")]
            out = subprocess.run(command, check=True, capture_output=True, text=True)
            peaks.append(json.loads(out.stdout))
        (small, _, _), (large, longest, total) = peaks
        above = large - longest
        print(
            f"memory of the {name}: {above:.0f} MiB above the longest run, {small:.0f} MiB with a tenth ({total:.0f} MiB of sessions)   ≤ {MEMORY:.0f}"
        )
        yield bool(above <= MEMORY)


def peak(name: str, folder: Path) -> None:
    before = _most()
    files = sorted(folder.iterdir())
    _, longest = WORK[name](files)
    total = sum(path.stat().st_size for path in files)
    print(json.dumps([(_most() - before) / 1024, longest / 2**20, total / 2**20]))


def _most() -> int:
    """The most KiB that this process has had: `getrusage` would count what its parent had when it started it."""
    try:
        status = Path("/proc/self/status").read_text(encoding="utf-8")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return int(status.partition("VmHWM:")[2].split()[0])


def main() -> int:
    if "--peak" in sys.argv:
        peak(sys.argv[-2], Path(sys.argv[-1]))
        return 0
    quick = "--quick" in sys.argv
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        met = [speed(tool, folder, 6 if quick else 30) for tool in TOOLS]
        met += memory(folder, 60 if quick else 600)
    return 0 if all(met) else 1


if __name__ == "__main__":
    sys.exit(main())
