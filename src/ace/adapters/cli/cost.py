"""`ace learn --dry-run`: which runs would be read, and what that would cost. Asks nothing and writes nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress

from ace.adapters.cli.telling import tell
from ace.adapters.folder import Folder
from ace.adapters.models import load_calls
from ace.adapters.prompts import fill
from ace.adapters.state import SNAPSHOT, read_snapshot
from ace.domain.errors import TraceError
from ace.domain.playbook import Playbook
from ace.domain.screens import PLACEHOLDER, excerpt
from ace.domain.settings import ACESettings
from ace.domain.step import run_step
from ace.domain.summary import plural
from ace.domain.trace import is_run
from ace.learning import Unread

__all__ = ["NO_END", "print_cost", "print_unknown_keys"]


NO_END = "No score, and no reply at the end: that is the middle of a run. With a score, a run is read however it ends."
"""Of traces that are passed over so: an agent may end every run with a call of a tool (`submit`), and has no reply then."""


def print_cost(folder: Folder, settings: ACESettings, unread: Sequence[Unread], goes_to: str) -> None:
    """List the runs among the traces with their calls and the characters of their prompts; then what that comes to in tokens,
    and where it would be sent.
    """
    playbook = read_snapshot(folder.state / SNAPSHOT) or Playbook()
    runs = [one for one in unread if is_run(one.trace)]
    calls = total = 0
    widest = min(40, max((len(one.trace.id) for one in runs), default=0))
    for one in runs:
        prompts, hidden = _prompts(playbook, settings, one)
        characters = sum(map(len, prompts))
        calls, total = calls + len(prompts), total + characters
        score = "no score" if one.trace.score is None else f"score {one.trace.score:.15g}"
        asked = plural(len(prompts), "call")
        redacted = f", {plural(hidden, 'credential')} redacted" if hidden else ""
        tell(f"{one.trace.id:<{widest}}  {score}  {asked}, about {characters:,} characters{redacted}")
    middle = len(unread) - len(runs)
    told = f", {plural(middle, 'call')} in the middle of a run passed over" if middle else ""
    print(
        f"{plural(len(runs), 'run')}, {plural(calls, 'model call')}, about {total:,} characters of prompts{told}. "
        "Nothing was asked."
    )
    if middle:
        print(NO_END)
    if runs:
        per_token, how = _characters_a_token(folder)
        where = f"They would be sent to {goes_to}. " if goes_to else ""
        print(
            f"{where}About {total / per_token:,.0f} tokens of prompts, at {per_token:.1f} characters a token ({how})."
        )


_GUESS = 3.5
_LOOKED_AT = 20
"""Of the records of steps, the newest."""


def _characters_a_token(folder: Folder) -> tuple[float, str]:
    """How many characters of a prompt make a token, and how that is known: from this folder's calls, or a guess."""
    characters = tokens = 0
    paths = sorted((folder.root / "steps").glob("*/calls.json"), key=lambda path: path.stat().st_mtime)
    for path in paths[-_LOOKED_AT:]:
        with suppress(TraceError):
            for call in load_calls(path):
                if call.prompt and call.usage and call.usage.input_tokens:
                    characters, tokens = characters + len(call.prompt), tokens + call.usage.input_tokens
    if not tokens:
        return _GUESS, "a guess: English text has 3 to 4.5"
    return characters / tokens, "as in the earlier calls of this folder"


def print_unknown_keys(keys: Mapping[str, int]) -> None:
    """Name the keys at the top of runs that nobody reads: a score may be called otherwise there."""
    if keys:
        told = ", ".join(f"{excerpt(key, 40)} ({number})" for key, number in sorted(keys.items()))
        print(
            f"Keys of the runs that nobody reads: {told}. A score is read from `score`, feedback from `feedback`."
        )


def _prompts(playbook: Playbook, settings: ACESettings, one: Unread) -> tuple[list[str], int]:
    """The prompts that reading the run would take, the reflection in the second counted as nothing; and how many credentials are
    redacted in the first.
    """
    step = run_step(playbook, [one.trace], settings, outside={}, step=0, pasts=[one.past])
    prompts: list[str] = []
    hidden = 0
    try:
        (call,) = next(step)
        hidden = sum(part.count(PLACEHOLDER) for part in call.parts.values())
        while True:
            prompts.append(fill(call.role, call.parts))
            (call,) = step.send(('{"key_insight": "", "operations": []}',))
    except StopIteration:
        return prompts, hidden
