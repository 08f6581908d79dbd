"""Tasks of Cline, and of Roo Code, which came from it: `…/tasks/<id>/api_conversation_history.json`, a list of Anthropic's
messages; and sessions of Cline's command line, `~/.cline/data/sessions/<id>/<id>.messages.json`.

The user's words are between tags (`<task>`, `<feedback>`, `<answer>`, `<user_message>`), beside `<environment_details>`. Tools
are called as blocks, or as XML in the assistant's text, whose results the next message of the user holds. An `attempt_completion`
ends a turn: its `result` is the reply; `ask_followup_question` and `plan_mode_respond` hand over to the user, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import replace

from ace.adapters.traces.exchanges import Entry, Found, Session, Stop
from ace.adapters.traces.lines import Row, compact_json
from ace.adapters.traces.messages import turns_of_message
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.said import has_text
from ace.adapters.traces.tags import apart, without_tags
from ace.adapters.traces.times import from_milliseconds
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, ToolCall, Turn

__all__ = ["read", "recognises"]


_TELLS = re.compile(r"<(?:task|feedback|user_message|environment_details)>")
_SAID = re.compile(r"<(task|feedback|answer|user_message|user_input)>")
_INJECTED = (
    "[TASK RESUMPTION]",
    "[ERROR] You did not use a tool",
    "# task_progress",
    "# TODO LIST",
    "# Todo List",
    "New instructions for task continuation",
    "Context summary:\n",
    "(The user did not provide a new message",
)
_RESULT = re.compile(r"\[([\w-]+)(?: for '.*?')?\] Result:", re.DOTALL)
_FAILED = re.compile(
    r"The tool execution failed|\{\"status\":\"(?:error|denied)\"|<error>|Error executing|The user denied this operation|Command failed with exit code [1-9]"
)
_ANSWER = re.compile(r"\s*<(?:user_message|feedback|answer)>")
_HANDS_OVER = {
    "attempt_completion": "result",
    "ask_followup_question": "question",
    "plan_mode_respond": "response",
    "plan_mode_response": "response",
}
_XML_CALL = re.compile(r"<([a-z]+(?:_[a-z]+)+)>")
_XML_TOOLS = frozenset(
    (
        "execute_command",
        "read_file",
        "write_to_file",
        "replace_in_file",
        "apply_diff",
        "insert_content",
        "search_and_replace",
        "search_files",
        "list_files",
        "list_code_definition_names",
        "browser_action",
        "use_mcp_tool",
        "access_mcp_resource",
        "load_mcp_documentation",
        "new_task",
        "switch_mode",
        "fetch_instructions",
        "web_fetch",
        "update_todo_list",
        *_HANDS_OVER,
    )
)


def recognises(value: JsonObject) -> bool:
    """Whether an object is of this format: a session, or the first message of a task."""
    if isinstance(value.get("messages"), list) and "sessionId" in value and "updated_at" in value:
        return True
    content = value.get("content")
    if value.get("role") != "user" or content is None:
        return False
    blocks = content if isinstance(content, list) else [content]
    texts = [block.get("text") if isinstance(block, dict) else block for block in blocks]
    return any(isinstance(text, str) and _TELLS.search(text) for text in texts)


def read(rows: Iterator[Row], notes: Notes) -> Iterator[Found]:
    """Yield each run with the place of its first message."""
    session: Session | None = None
    for row in rows:
        value = row.value
        if isinstance(value.get("messages"), list):
            whole = Session(notes, value.get("sessionId"))
            for number, message in enumerate(value["messages"], 1):
                try:
                    yield from whole.add(_entry(row.line, message))
                except TraceError as error:
                    notes.left_out(row.line, f"message {number}: {error}")
            yield from whole.end()
            continue
        session = session or Session(notes, notes.path.resolve().parent.name, by_digest=True)
        try:
            yield from session.add(_entry(row.line, value))
        except TraceError as error:
            notes.flaw(row.line, str(error))
    if session is not None:
        yield from session.end()


def _entry(line: int, message: Any) -> Entry:
    if not isinstance(message, dict):
        raise TraceError("not an object")
    identifier = message.get("id")
    placed = Entry(line, time=from_milliseconds(message.get("ts")))
    if message.get("type") == "reasoning":
        return placed
    turns = turns_of_message(_plain(message))
    if message.get("role") == "assistant":
        shown, stop = _answered([turn for turn in turns if turn.text or turn.calls])
        return replace(placed, turns=shown, stop=stop)
    blocks = message.get("content")
    said = [turn for turn in turns if turn.role != "user"]
    before: list[str] = []
    for block in blocks if isinstance(blocks, list) else [blocks]:
        kind = block.get("type") if isinstance(block, dict) else "text"
        if kind not in ("tool_result", "tool_use"):
            parts = turns_of_message(_plain({"role": "user", "content": [block]}))
            asked, was = _asked("\n".join(turn.text for turn in parts))
            said += asked
            before += [was] * bool(was)
    said = [shown for turn in said for shown in _answers(turn)]
    words = [turn.text for turn in said if turn.role == "user"]
    asks = bool(words)
    if len(words) > 1:
        said = [*(turn for turn in said if turn.role != "user"), Turn("user", "\n".join(words))]
    was = "\n".join(before)
    if message.get("isSummary") is True or message.get("isTruncationMarker") is True:
        # Roo's own words about what was condensed or cut: nobody asked anything.
        return replace(placed, turns=[Turn("system", turn.text) for turn in said], was=was)
    return replace(
        placed,
        turns=said,
        name=identifier if asks and isinstance(identifier, str) else "",
        was="" if was == "\n".join(words) else was,
    )


def _plain(message: JsonObject) -> JsonObject:
    """The message without files that were mentioned, but for their names, since what is in them was not said; and without signatures."""
    content = message.get("content")
    if not isinstance(content, list):
        return message
    blocks = [
        {"type": "file", "path": block.get("path")} if _kind(block) == "file" else block
        for block in content
        if _kind(block) != "thoughtSignature"
    ]
    return {**message, "content": blocks}


def _kind(block: Any) -> Any:
    return block.get("type") if isinstance(block, dict) else "text"


def _answers(turn: Turn) -> list[Turn]:
    """The turns of a result: one that begins with a tag is the user's own words, an answer or feedback to what was attempted."""
    if turn.role != "tool" or not turn.text:
        return [turn]
    around, tagged = apart(turn.text, _SAID) if _ANSWER.match(turn.text) else ([], [])
    words = [pair.inner.strip() for pair in tagged]
    rest = "".join(around).strip() if words else turn.text
    failed = turn.failed or bool(_FAILED.match(rest))
    left = [msgspec.structs.replace(turn, text=rest, failed=failed)] * bool(rest)
    return [*left, *(Turn("user", said) for said in words if not said.startswith(_INJECTED))]


def _asked(text: str) -> tuple[list[Turn], str]:
    """The turns of a user's block: what a tool gave, what was injected, and what the user said; and what versions before took for that."""
    if not text.strip():
        return [], ""
    result = _RESULT.match(text)
    tagged = [pair.inner.strip() for pair in apart(text, _SAID)[1]]
    words = [said for said in tagged if not said.startswith(_INJECTED)]
    if result:
        given = Turn("tool", text, name=result[1], failed=bool(_FAILED.search(text[:2000])))
        return [given, *(Turn("user", said) for said in words)], "\n".join(tagged)
    kept, taken = without_tags(text)
    if words:
        beside = "".join(
            apart(kept, _SAID)[0]
        ).strip()  # what is outside of the tags was not said by the user
        system = "\n".join(filter(None, (taken, beside)))
        return [Turn("system", system)] * bool(system) + [Turn("user", "\n".join(words))], "\n".join(tagged)
    if not kept or kept.lstrip().startswith(_INJECTED):
        return [Turn("system", text)], "\n".join(tagged) or ("" if kept.startswith(_INJECTED[:-1]) else kept)
    return [Turn("system", taken)] * bool(taken) + [Turn("user", kept)], kept


def _without_thinking(text: str) -> str:
    """The text without what the assistant thought, where older versions put it."""
    kept: list[str] = []
    at = 0
    while (begins := text.find("<thinking>", at)) >= 0 and (ends := text.find("</thinking>", begins)) >= 0:
        kept.append(text[at:begins])
        at = ends + len("</thinking>")
    return "".join((*kept, text[at:])).strip() if at else text


def _answered(turns: list[Turn]) -> tuple[list[Turn], Stop]:
    shown: list[Turn] = []
    stop: Stop = ""
    for turn in turns:
        if turn.role != "assistant":
            shown.append(turn)
            continue
        text, calls = _without_thinking(turn.text), list(turn.calls)
        if not calls and "</" in text:
            text, calls = _calls_in(text)
        over = [call for call in calls if call.name in _HANDS_OVER]
        calls = [call for call in calls if call.name not in _HANDS_OVER]
        handed = [_handed_over(call, _HANDS_OVER[call.name]) for call in over]
        replies = [reply for reply, _ in handed]
        shown += [Turn("system", beside) for _, beside in handed if beside]
        if calls:
            shown.append(Turn("assistant", text, tuple(calls)))
            text = ""
        if over or not calls:
            shown.append(Turn("assistant", "\n".join(filter(None, (text, *replies)))))
        stop = "reply" if over or not calls else "calls"
    return shown, stop


def _calls_in(text: str) -> tuple[str, list[ToolCall]]:
    """The text without the calls that are written in it as XML, and these."""
    kept, tagged = apart(text, _XML_CALL)
    calls = [ToolCall(pair.name, pair.inner.strip()) for pair in tagged if pair.name in _XML_TOOLS]
    shown = [*("" if pair.name in _XML_TOOLS else pair.whole for pair in tagged), ""]
    return "".join(chain.from_iterable(zip(kept, shown, strict=True))).strip(), calls


def _handed_over(call: ToolCall, name: str) -> tuple[str, str]:
    """What a call says to the user, with the answers that it offers, and its other arguments."""
    try:
        given = msgspec.json.decode(call.arguments)
    except (msgspec.DecodeError, RecursionError):
        _, tagged = apart(call.arguments, re.compile(f"<({name})>"))
        if not tagged:
            return call.arguments, ""
        return tagged[0].inner.strip(), call.arguments.replace(tagged[0].whole, "").strip()
    if not isinstance(given, dict) or not isinstance(given.get(name), str):
        return call.arguments, ""
    options = _options(given.get("options"))
    rest = {key: value for key, value in given.items() if key != name and not (key == "options" and options)}
    return "\n".join([given[name], *options]), compact_json(rest) if has_text(rest) else ""


def _options(given: Any) -> list[str]:
    """The answers that a question offers; in most versions a list that is written as JSON."""
    if isinstance(given, str):
        try:
            given = msgspec.json.decode(given)
        except (msgspec.DecodeError, RecursionError):
            return []
    return [f"- {option}" for option in given if isinstance(option, str)] if isinstance(given, list) else []
