"""What a file looks like that is in no format known here, and what it comes nearest to: told instead of a bare refusal.

Of a file's content only the names of keys are told, as far as they are names: values may be secrets.
"""

from __future__ import annotations

from typing import NamedTuple

from ace.domain.trace import JsonObject

__all__ = ["looks_like", "nearest"]


class _Kind(NamedTuple):
    """Something that is met often and is not a session: keys that tell it, what it is, and what to name instead."""

    keys: frozenset[str]
    what: str
    instead: str


_KINDS = (
    _Kind(
        frozenset({"display", "pastedContents"}),
        "Claude Code's list of prompts",
        "the sessions are in ~/.claude/projects (claude-code)",
    ),
    _Kind(
        frozenset({"session_id", "ts", "text"}),
        "Codex's list of prompts",
        "the sessions are in ~/.codex/sessions (codex)",
    ),
    _Kind(
        frozenset({"sessionId", "messageId", "message"}),
        "Gemini CLI's log of prompts",
        "the sessions are in ~/.gemini/tmp/<project>/chats (gemini)",
    ),
    _Kind(
        frozenset({"role", "trace", "reply"}),
        "the calls.json of a step of ace's",
        "its own calls are never runs; --replies answers from them",
    ),
    _Kind(
        frozenset({"ts", "say"}),
        "Cline's ui_messages.json",
        "api_conversation_history.json beside it is read (cline)",
    ),
    _Kind(
        frozenset({"ts", "ask"}),
        "Cline's ui_messages.json",
        "api_conversation_history.json beside it is read (cline)",
    ),
    _Kind(
        frozenset({"type", "thread_id"}),
        "what `codex exec --json` prints, which has no task",
        "the session is in ~/.codex/sessions (codex)",
    ),
    _Kind(
        frozenset({"requesterUsername", "requests"}),
        "an exported chat of GitHub Copilot",
        'give each request and response as {"messages": [{"role", "content"}, …]} (openai)',
    ),
    _Kind(
        frozenset({"type", "subtype", "session_id", "result"}),
        "what `claude -p --output-format json` prints, the end of a session alone",
        "stream-json prints all of it, and the session is in ~/.claude/projects (claude-code)",
    ),
    _Kind(
        frozenset({"id", "sessionID", "role"}),
        "a message of opencode's, which lies apart from its session",
        "name the folder storage/session, or a session's file in it (opencode)",
    ),
    _Kind(
        frozenset({"id", "messageID", "type"}),
        "a part of a message of opencode's",
        "name the folder storage/session, or a session's file in it (opencode)",
    ),
    _Kind(
        frozenset({"composerId", "fullConversationHeadersOnly"}),
        "a chat from Cursor's database",
        "the transcripts are in ~/.cursor/projects/<project>/agent-transcripts (openai)",
    ),
    _Kind(
        frozenset({"mapping", "title"}),
        "an export of ChatGPT",
        'follow the mapping of each conversation, and give it as {"messages": [{"role", "content"}, …]} (openai)',
    ),
    _Kind(
        frozenset({"chat_messages"}),
        "an export of claude.ai",
        'give each conversation as {"messages": [{"role", "content"}, …]} (openai)',
    ),
    _Kind(
        frozenset({"sessionId", "workspaceDirectory", "history"}),
        "a session of Continue",
        'give the messages in its history as {"messages": [{"role", "content"}, …]} (openai)',
    ),
    _Kind(
        frozenset({"conversations"}),
        "ShareGPT conversations",
        'give each as {"messages": [{"role", "content"}, …]} (openai)',
    ),
    _Kind(
        frozenset({"prompt", "completion"}),
        "prompts with completions",
        'give each as {"task", "reply"} (ace)',
    ),
    _Kind(
        frozenset({"prompt", "chosen"}), "preference pairs", 'give each as {"task", "reply", "score"} (ace)'
    ),
    _Kind(
        frozenset({"instruction", "output"}),
        "instructions with outputs",
        'give each as {"task", "reply"} (ace)',
    ),
    _Kind(
        frozenset({"instance_id", "model_patch"}),
        "predictions of SWE-bench",
        "the .traj files beside them are read (swe-agent)",
    ),
    _Kind(frozenset({"resourceSpans"}), "OpenTelemetry spans", "export the messages of each run (openai)"),
    _Kind(
        frozenset({"traceId", "spanId"}), "OpenTelemetry spans", "export the messages of each run (openai)"
    ),
    _Kind(frozenset({"role"}), "a message without content", "a message has a role and a content (openai)"),
)

_NEAR: dict[str, frozenset[str]] = {
    'openai: {"messages": [{"role", "content"}, …], "score"}': frozenset(
        (
            "id",
            "messages",
            "score",
            "feedback",
            "failure",
            "role",
            "content",
            "tool_calls",
            "conversation",
            "history",
            "chat",
            "dialog",
            "turns",
        )
    ),
    'ace: {"task", "reply", "score"}': frozenset(
        (
            "task",
            "reply",
            "question",
            "answer",
            "response",
            "prompt",
            "completion",
            "score",
            "feedback",
            "input",
            "output",
            "result",
        )
    ),
    'claude-code: one record a line, {"type", "uuid", "message"}': frozenset(
        ("type", "uuid", "message", "sessionId", "parentUuid", "cwd", "version", "timestamp")
    ),
    'codex: one record a line, {"timestamp", "type", "payload"}': frozenset({"timestamp", "payload", "type"}),
    'atif: {"schema_version", "steps"}': frozenset(
        {"schema_version", "steps", "agent", "trajectory", "session_id"}
    ),
    'openhands: a list of events {"id", "source", "action" or "observation"}': frozenset(
        ("source", "action", "observation", "args", "extras", "cause", "event", "events")
    ),
}


def nearest(value: JsonObject) -> str:
    """Sentences: what an object looks like, and the nearest shape that is read."""
    for kind in _KINDS:
        if kind.keys <= value.keys():
            return f"It looks like {kind.what}: {kind.instead}."
    keys = [key for key in value if len(key) <= 40 and key.replace("-", "_").replace(".", "_").isidentifier()]
    told = ", ".join(f"`{key}`" for key in keys[:6]) + (", …" if len(value) > len(keys[:6]) else "")
    shape, shared = max(_NEAR.items(), key=lambda item: len(item[1] & value.keys()))
    near = shape if shared & value.keys() else next(iter(_NEAR))
    seen = (
        f"an object with the keys {told}" if keys else "an object without keys" if not value else "an object"
    )
    return (
        f"It looks like {seen}, and the nearest that is read is {near}: convert the file, or name its format."
    )


_BEGINNINGS = (
    (b"PK\x03\x04", "a zip archive: unpack it"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it"),
    (b"\xfd7zXZ", "compressed with xz: unpack it"),
    (b"PAR1", "Parquet: export it as JSON Lines"),
    (b"%PDF", "a PDF"),
    (b"#", "Markdown or a configuration"),
    (b"---", "YAML or Markdown"),
    (b"<", "HTML or XML"),
)


def looks_like(head: bytes) -> str:
    """What a file that holds no JSON looks like by its first bytes, as the end of a sentence; empty if it cannot be told."""
    return next((f"; it looks like {what}" for start, what in _BEGINNINGS if head.startswith(start)), "")
