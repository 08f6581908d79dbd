"""What agents put into the user's messages between tags: reminders, echoes of commands, the environment, memory files.

It was not said by the user: it is taken out of a message's text, and kept apart. Where it is the user's words that are between tags,
`apart` finds these.
"""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Tagged", "apart", "without_tags"]

_NAMES = (
    "system-reminder",
    "system-notification",
    "system_reminder",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "command-args",
    "command-contents",
    "bash-input",
    "bash-stdout",
    "bash-stderr",
    "user-prompt-submit-hook",
    "user-memory-input",
    "task-notification",
    "new-diagnostics",
    "ide_opened_file",
    "ide_selection",
    "ide_diagnostics",
    "environment_context",
    "environment_details",
    "user_instructions",
    "user_shell_command",
    "permissions instructions",
    "collaboration_mode",
    "personality_spec",
    "model_switch",
    "skills_instructions",
    "apps_instructions",
    "plugins_instructions",
    "subagent_notification",
    "turn_aborted",
    "skill",
    "INSTRUCTIONS",
    "session_context",
    "EXTREMELY_IMPORTANT",
    "SYSTEM_NOTICE",
    "hook_context",
    "hook_prompt",
    "loaded_context",
    "realtime_conversation",
    "recommended_plugins",
    "agent_message_board_notification",
    "tool_context",
    "pinned_notes",
    "qwen:user-prompt-submit-context",
)
_OPENED = re.compile(rf"<({'|'.join(re.escape(name) for name in _NAMES)})(?:\s[^<>]{{0,500}})?>")


class Tagged(NamedTuple):
    """A pair of tags: all of it, its name, and what is between the two."""

    whole: str
    name: str
    inner: str


def apart(text: str, opening: re.Pattern[str]) -> tuple[list[str], list[Tagged]]:
    """The pieces of a text around pairs of tags, one more than there are pairs, and the pairs. A pair goes from what `opening` matches, whose
    first group is the name, to the next tag that closes this name; what is in it is not looked at again.
    """
    kept: list[str] = []
    pairs: list[Tagged] = []
    at = 0
    unclosed: set[str] = set()  # looked for once: a text full of opening tags must not cost its square
    for opened in opening.finditer(text) if "</" in text else ():
        name = opened[1]
        if opened.start() < at or name in unclosed:
            continue
        closing = f"</{name}>"
        found = text.find(closing, opened.end())
        if found < 0:
            unclosed.add(name)
            continue
        kept.append(text[at : opened.start()])
        at = found + len(closing)
        pairs.append(Tagged(text[opened.start() : at], name, text[opened.end() : found]))
    return [*kept, text[at:]], pairs


def without_tags(text: str) -> tuple[str, str]:
    """Return what the user said of a text, and what was injected, both trimmed where something was taken out."""
    kept, taken = apart(text, _OPENED)
    return ("".join(kept).strip(), "\n".join(pair.whole for pair in taken)) if taken else (text, "")
