"""Contents of Google's Gemini API: `{"role": "user" | "model" | "function", "parts": [{"text"}, {"functionCall"}, …]}`.

Calls have ids in newer recordings; in older ones a response belongs to the call of its name.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ace.adapters.traces.said import said
from ace.domain.trace import JsonObject

__all__ = ["messages_of_parts", "translated"]


_ROLES = {"model": "assistant", "user": "user", "function": "user", "system": "system", "tool": "user"}


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    parts, role = message.get("parts"), message.get("role", "user")
    if not isinstance(parts, list) or "content" in message or not isinstance(role, str) or role not in _ROLES:
        return None
    if not all(isinstance(part, str) or (isinstance(part, dict) and "type" not in part) for part in parts):
        return None  # parts of the AI SDK have a type
    return list(messages_of_parts(_ROLES[role], parts))


def messages_of_parts(role: str, parts: Any) -> Iterator[JsonObject]:
    """The messages that a list of parts is (a single part, or a text, too), in their order."""
    content: list[Any] = []
    for part in parts if isinstance(parts, list) else [parts]:
        if isinstance(part, dict) and (response := _get(part, "functionResponse", "function_response")):
            content.append(
                {
                    "type": "tool_result",
                    "tool_use_id": response.get("id") or response.get("name"),
                    "name": response.get("name"),
                    **_answer(said(response, "response")),
                }
            )
        elif isinstance(part, dict) and (
            result := _get(part, "codeExecutionResult", "code_execution_result")
        ):
            failed = result.get("outcome") not in (None, "OUTCOME_OK", "OUTCOME_UNSPECIFIED")
            content.append(
                {
                    "type": "tool_result",
                    "name": "code_execution",
                    "content": result.get("output"),
                    "is_error": failed,
                }
            )
        else:
            content.append(_block(part))
    if role == "assistant":
        yield from _in_order(content)
    else:
        yield {"role": role, "content": content}


def _in_order(content: list[Any]) -> Iterator[JsonObject]:
    """An assistant's blocks, with the results of code that the endpoint ran in their places."""
    before: list[Any] = []
    for block in content:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            if before:
                yield {"role": "assistant", "content": before}
                before = []
            yield {"role": "tool", **block}
        else:
            before.append(block)
    if before or not content:
        yield {"role": "assistant", "content": before}


def _block(part: Any) -> Any:
    if not isinstance(part, dict):
        return part if isinstance(part, str) else {"type": "unknown", "value": part}
    if part.get("thought") is True or isinstance(part.get("thought"), str):
        return {"type": "thinking"}
    if isinstance(part.get("text"), str):
        return {"type": "text", "text": part["text"]}
    return _call(part) or _data(part) or _unknown(part)


def _call(part: JsonObject) -> JsonObject | None:
    if call := _get(part, "functionCall", "function_call"):
        name = call.get("name")
        return {"type": "tool_use", "id": call.get("id") or name, "name": name, "input": said(call, "args")}
    if code := _get(part, "executableCode", "executable_code"):
        return {"type": "tool_use", "name": "code_execution", "input": code.get("code")}
    return None


def _data(part: JsonObject) -> JsonObject | None:
    if data := _get(part, "inlineData", "inline_data"):
        kind = _get_text(data, "mimeType", "mime_type").partition("/")[0] or "data"
        return {"type": kind, **data}
    if file := _get(part, "fileData", "file_data"):
        return {"type": "file", **file}
    return None


def _unknown(part: JsonObject) -> JsonObject:
    if "type" in part:
        return part
    kind = next((key for key in part if key != "thoughtSignature"), "unknown")
    return {"type": kind, **part}


def _answer(response: Any) -> JsonObject:
    """What a function answered: by convention under `output`, or under `error` if it failed."""
    if isinstance(response, dict):
        if response.get("error"):
            return {"content": response["error"], "is_error": True}
        for key in ("output", "result", "content"):
            if set(response) == {key}:
                return {"content": response[key]}
    return {"content": response}


def _get(part: JsonObject, *names: str) -> JsonObject | None:
    return next((part[name] for name in names if isinstance(part.get(name), dict)), None)


def _get_text(part: JsonObject, *names: str) -> str:
    return next((part[name] for name in names if isinstance(part.get(name), str)), "")
