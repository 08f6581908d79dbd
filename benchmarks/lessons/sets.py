"""Sets of prompts: how each is filled from the parts of a step's call, and how its replies are read.

A set is a folder with `reflector.md` and `curator.md` (ours, of any version), or a checkout of ace-agent/ace, whose prompts are
read from its source and never run. Their reflector replies with other keys, and their curator makes sections up: both are brought
to the shape that a step reads, and nothing of their text is kept here.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from ace.domain.replies import UnusableReplyError, read_curation
from ace.domain.step import ModelCall, Role

__all__ = ["AuthorsSet", "FolderSet", "PromptSet", "open_set"]

ROLES: tuple[Role, ...] = ("reflector", "curator")
_PLACE = re.compile(r"\{\{(\w+)\}\}")


class FolderSet:
    """Two Markdown files with `{{part}}` where a part of the call is filled in."""

    def __init__(self, folder: Path) -> None:
        self._texts = {role: (folder / f"{role}.md").read_text(encoding="utf-8") for role in ROLES}

    def instructions(self) -> Mapping[Role, str]:
        """The words of each prompt without its parts."""
        return {role: _PLACE.sub("", text) for role, text in self._texts.items()}

    def prompt(self, call: ModelCall, _: int, __: int) -> str:
        """The prompt for a call."""
        return _PLACE.sub(lambda place: call.parts[place[1]], self._texts[call.role])

    def reply(self, _: Role, text: str, __: Sequence[str]) -> str:
        """The reply as a step reads it."""
        return text


class AuthorsSet:
    """The prompts of a checkout of ace-agent/ace, those for runs without correct answers."""

    def __init__(self, checkout: Path) -> None:
        folder = checkout / "ace" / "prompts"
        self._texts: dict[Role, str] = {
            role: _constant(folder / f"{role}.py", f"{role.upper()}_PROMPT_NO_GT") for role in ROLES
        }

    def instructions(self) -> Mapping[Role, str]:
        """The words of each prompt; the places are in them."""
        return self._texts

    def prompt(self, call: ModelCall, run: int, runs: int) -> str:
        """The prompt for a call. The run's outcome is where their prompt has the environment's feedback."""
        parts = call.parts
        if call.role == "reflector":
            outcome, _, trace = parts["trace"].partition("\n\n")
            told = "(in the trace)"
            return self._texts["reflector"].format(told, trace, told, outcome, parts["playbook"])
        stats = f"The sections are:\n{parts['sections']}"
        return self._texts["curator"].format(
            token_budget=80_000,
            current_step=run,
            total_samples=runs,
            playbook_stats=stats,
            recent_reflection=parts["reflection"],
            current_playbook=parts["playbook"],
            question_context=parts["task"],
        )

    def reply(self, role: Role, text: str, sections: Sequence[str]) -> str:
        """The reply in the shape that a step reads; one that cannot be read is left as it is."""
        if role == "reflector":
            found = _last_object(text)
            keys = ("error_identification", "root_cause_analysis", "correct_approach")
            analysis = " ".join(str(found[key]) for key in keys if found.get(key))
            return json.dumps({"error_analysis": analysis, **found}) if found else text
        try:
            operations = read_curation(text).operations
        except UnusableReplyError:
            return text
        known = {re.sub(r"[\s_]+", " ", section).casefold(): section for section in sections}
        return json.dumps({"operations": [_placed(one, known, sections[-1]) for one in operations]})


type PromptSet = FolderSet | AuthorsSet


def open_set(path: Path) -> PromptSet:
    """The set at a path: a checkout if it looks like one, else a folder of ours."""
    return AuthorsSet(path) if (path / "ace" / "prompts").is_dir() else FolderSet(path)


def _constant(file: Path, name: str) -> str:
    for node in ast.parse(file.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in node.targets
        ):
            value = ast.literal_eval(node.value)
            if isinstance(value, str):
                return value
    raise SystemExit(f"{file}: there is no text called {name}")


def _last_object(text: str) -> dict[str, object]:
    start = text.find("{")
    try:
        found = json.JSONDecoder(strict=False).raw_decode(text, start)[0] if start >= 0 else None
    except json.JSONDecodeError:
        return {}
    return found if isinstance(found, dict) else {}


def _placed(operation: object, known: Mapping[str, str], otherwise: str) -> object:
    if not isinstance(operation, dict) or not isinstance(operation.get("section"), str):
        return operation
    section = known.get(re.sub(r"[\s_]+", " ", operation["section"]).casefold(), otherwise)
    return {**operation, "section": section}
