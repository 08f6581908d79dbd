"""Prints what other parsers find in the same sessions: `uvx --with cc-session-core python benchmarks/second_opinion.py`.

Sessions of Claude Code and Codex are made as in `sessions.py`, plain and with what happens beside plain turns (a sub-agent, compaction,
an error, an image, an interruption); calls, their results, failed results and the characters of what user and assistant said are
counted here, by harbor's converters to ATIF (harbor comes with the extra `dev`), and by cc-session-core where it is installed. All have
to agree but in what `EXPLAINED` explains, to the character. Exit status 1 where they do not, or nobody else could be asked.
"""

from __future__ import annotations

import importlib.util
import os
import random
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

import sessions
from ace.adapters.traces import Recording


class Counts(NamedTuple):
    """What a session holds."""

    calls: int
    results: int
    failed: int
    characters: int


def ours(path: Path) -> Counts:
    turns = [turn for trace in Recording(path) for turn in trace.turns]
    results = [turn for turn in turns if turn.role == "tool"]
    return Counts(
        sum(len(turn.calls) for turn in turns),
        len(results),
        sum(turn.failed for turn in results),
        sum(_length(turn.text) for turn in turns if turn.role in ("user", "assistant")),
    )


def _length(text: str) -> int:
    """Without white space: parsers join parts of a message each in their own way."""
    return sum(map(len, text.split()))


def harbors(tool: str, path: Path) -> Counts:
    """By way of ATIF, whose steps are read here as any consumer would."""
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # or importing it asks the network
    module, name = {"claude-code": ("claude_code", "ClaudeCode"), "codex": ("codex", "Codex")}[tool]
    agent: Any = getattr(import_module(f"harbor.agents.installed.{module}"), name)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        shutil.copy(path, folder)
        trajectory = agent(logs_dir=folder, model_name="m/m")._convert_events_to_trajectory(folder)
    steps = [step.model_dump() for step in trajectory.steps]
    results = [each for step in steps for each in (step.get("observation") or {}).get("results", [])]
    return Counts(
        sum(len(step.get("tool_calls") or ()) for step in steps),
        len(results),
        sum(bool((each.get("extra") or {}).get("tool_result_is_error")) for each in results),
        sum(_length(str(step.get("message") or "")) for step in steps if step["source"] in ("user", "agent")),
    )


def cores(tool: str, path: Path) -> Counts:
    """By cc-session-core's timeline."""
    core: Any = import_module("cc_session_core")

    session = (core.CodexSession if tool == "codex" else core.Session).load(path)
    parts = [(entry, part) for entry in session.timeline() for part in entry.parts]
    results = [part for _, part in parts if isinstance(part, core.ToolResultPart)]
    return Counts(
        sum(isinstance(part, core.ToolUsePart) for _, part in parts),
        len(results),
        sum(bool(part.is_error) for part in results),
        sum(_length(part.text) for _, part in parts if isinstance(part, core.TextPart)),
    )


def opinions(tool: str, path: Path) -> Iterator[tuple[str, Counts]]:
    if importlib.util.find_spec("harbor") is not None:
        yield "harbor", harbors(tool, path)
    if importlib.util.find_spec("cc_session_core") is not None:
        yield "cc-session-core", cores(tool, path)


# --- what happens in sessions beside plain turns --------------------------------------------------------------------

type Json = dict[str, Any]
type Case = Callable[[list[Json]], list[Json]]
"""Puts something that happens into a plain session, behind its first call's result."""


def _last_of(rows: list[Json]) -> Json:
    return next(
        row for row in rows if row.get("type") == "user" and isinstance(row["message"]["content"], list)
    )


def _claude(*records: Json) -> Case:
    def put(rows: list[Json]) -> list[Json]:
        at = rows.index(_last_of(rows))
        parent, after = rows[at], rows[at + 1 :]
        inserted: list[Json] = []
        for number, record in enumerate(records):
            common = {key: parent[key] for key in ("sessionId", "timestamp", "cwd", "version", "isSidechain")}
            above = (inserted or [parent])[-1]["uuid"]
            inserted.append({**common, "uuid": f"put-{number}", "parentUuid": above, **record})
        main = [row for row in inserted if not row["isSidechain"]]
        return [
            *rows[: at + 1],
            *inserted,
            {**after[0], "parentUuid": (main or [parent])[-1]["uuid"]},
            *after[1:],
        ]

    return put


def _codex(*payloads: Json) -> Case:
    def put(rows: list[Json]) -> list[Json]:
        at = next(
            number for number, row in enumerate(rows) if row["payload"].get("type") == "function_call_output"
        )
        return [
            *rows[: at + 1],
            *({"timestamp": rows[at]["timestamp"], **row} for row in payloads),
            *rows[at + 1 :],
        ]

    return put


def _user(content: Any, **more: Any) -> Json:
    return {"type": "user", "message": {"role": "user", "content": content}, **more}


def _says(text: str, **more: Any) -> Json:
    content = [{"type": "text", "text": text}]
    return {
        "type": "assistant",
        "message": {"role": "assistant", "model": "m", "id": f"m-{text}", "content": content},
        **more,
    }


def _item(**payload: Any) -> Json:
    return {"type": "response_item", "payload": payload}


def _event(**payload: Any) -> Json:
    return {"type": "event_msg", "payload": payload}


_IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "A" * 400}}
_PICTURE = {"type": "input_image", "image_url": "data:image/png;base64," + "A" * 400}
_SUMMARY = "This session is being continued from a previous conversation that ran out of context. It was so."
_CUT = "[Request interrupted by user]"

CASES: dict[str, dict[str, Case]] = {
    "claude-code": {
        "plain": lambda rows: rows,
        "a sub-agent": _claude(
            _user("Look for it.", isSidechain=True, parentUuid=None),
            _says("It is there.", isSidechain=True),
        ),
        "compaction": _claude(
            {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
            _user(_SUMMARY, isCompactSummary=True, isVisibleInTranscriptOnly=True),
        ),
        "an API error": _claude(_says("API Error: 529 Overloaded", isApiErrorMessage=True)),
        "an image": _claude(_user([{"type": "text", "text": "See this."}, _IMAGE])),
        "an interruption": _claude(_user([{"type": "text", "text": _CUT}]), _user("Use the other one.")),
    },
    "codex": {
        "plain": lambda rows: rows,
        "compaction": _codex(
            {"type": "compacted", "payload": {"message": "It was so.", "replacement_history": []}}
        ),
        "an error": _codex(_event(type="error", message="stream disconnected")),
        "an image": _codex(
            _item(
                type="message", role="user", content=[{"type": "input_text", "text": "See this."}, _PICTURE]
            )
        ),
        "an interruption": _codex(
            _event(type="turn_aborted", reason="interrupted"),
            _item(
                type="message",
                role="user",
                content=[{"type": "input_text", "text": "<turn_aborted>It was.</turn_aborted>"}],
            ),
            _item(
                type="message", role="user", content=[{"type": "input_text", "text": "Use the other one."}]
            ),
        ),
    },
}


def _length_of_data(block: Json) -> int:
    return _length(msgspec.json.encode(block).decode())


_PLACED = _length("[block: image/png, 300 bytes]")
EXPLAINED: dict[tuple[str, str, str], tuple[int, str]] = {
    ("claude-code", "a sub-agent", "harbor"): (
        _length("Look for it. It is there."),
        "it has a sub-agent's messages in the parent's session, where only the result of the call is here",
    ),
    ("claude-code", "a sub-agent", "cc-session-core"): (
        _length("It is there."),
        "as before, without the prompt",
    ),
    ("claude-code", "compaction", "harbor"): (_length(_SUMMARY), "it has the summary for the user's words"),
    ("claude-code", "compaction", "cc-session-core"): (_length(_SUMMARY), "as before"),
    ("claude-code", "an API error", "harbor"): (
        _length("API Error: 529 Overloaded"),
        "it has the error for a message of the assistant's; here it is the run's failure",
    ),
    ("claude-code", "an image", "harbor"): (
        _length_of_data(_IMAGE) - _PLACED,
        "it has the data, where its size is here",
    ),
    ("claude-code", "an image", "cc-session-core"): (-_PLACED, "it has nothing in the image's place"),
    ("codex", "an image", "harbor"): (
        -_length("[block: input_image, 300 bytes]"),
        "it has nothing in the image's place",
    ),
    ("codex", "an image", "cc-session-core"): (-_length("[block: input_image, 300 bytes]"), "as before"),
    ("codex", "an interruption", "harbor"): (
        _length("<turn_aborted>It was.</turn_aborted>"),
        "it has the mark of the interruption for the user's words",
    ),
    ("codex", "an interruption", "cc-session-core"): (
        _length("<turn_aborted>It was.</turn_aborted>"),
        "as before",
    ),
}
"""How many characters more the others count, and why. Calls and results have to be the same, and so have failed results in Claude
Code's sessions; in Codex' these are told by the exit code in the output, and neither of the others looks for it there.
"""


def main() -> int:
    asked = differs = 0
    with tempfile.TemporaryDirectory() as name:
        for tool, cases in CASES.items():
            for number, (case, put) in enumerate(cases.items()):
                path = Path(name) / f"{tool}-{number}.jsonl"
                rows = put(list(sessions.TOOLS[tool](random.Random(number), 20, f"{number:04d}")))
                path.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
                own = ours(path)
                print(f"{tool}, {case}: {own}")
                for who, theirs in opinions(tool, path):
                    more, why = EXPLAINED.get((tool, case, who), (0, ""))
                    expected = own._replace(characters=own.characters + more)
                    if tool == "codex":
                        expected = expected._replace(failed=0)
                    agrees = theirs == expected
                    told = (
                        f"agrees{f' but for {more:+} characters: {why}' if why else ''}"
                        if agrees
                        else "DIFFERS"
                    )
                    print(f"    {who}: {theirs}   {told}")
                    asked += 1
                    differs += not agrees
    print(f"{asked - differs} of {asked} opinions agree, or differ as explained")
    return 1 if differs or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
