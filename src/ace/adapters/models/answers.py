"""Reading the body of an endpoint's 2xx answer: bytes in, a completion or a `Failure` out. Nothing is taken for granted.

A proxy, a login page or a wrong address may answer 200 as well, and servers differ in what they leave out.

    the endpoint says                                            then
    an error, in the body or in the choice, whatever text came   the call failed
    that the reply ended at a limit, a filter or an error        the call failed, whatever text came
    text as content, or as parts of content                      that is the reply
    no content, and a tool call                                  its arguments are the reply
    no content, and reasoning                                    the call failed: a draft is not a reply
    none of it                                                   an empty reply
"""

from __future__ import annotations

import json
import re
from typing import Any

import msgspec

from ace.adapters.models.failures import Failure, Kind
from ace.ports import Completion

__all__ = ["read"]

_REASONING = ("reasoning_content", "reasoning", "thinking", "reasoning_text", "reasoning_details")
_TEXT_PARTS = ("text", "output_text", None)
_REASONING_PART = re.compile(r"reason|think")
_OPEN_REASONING = re.compile(r"\s*<(think|thinking|reasoning)>(?!.*</\1>)", re.DOTALL | re.IGNORECASE)
_PADDING = 100
"""So many blanks behind a reply that ended at its limit, or nothing but blanks, are a schema mode that does not end."""

_GOOD_ENDS = frozenset(
    {
        *("", "stop", "stop_sequence", "stop_token", "eos", "eos_token", "end_turn", "end_of_turn"),
        *("tool_calls", "function_call", "tool_use", "complete", "completed"),
    }
)
# Words of OpenAI, Azure, Gemini, Anthropic, Bedrock, Cohere, DeepSeek, Zhipu, vLLM, Ollama, and their like.
_BAD_ENDS: tuple[tuple[Kind, re.Pattern[str]], ...] = (
    ("cut", re.compile(r"length|token|limit|trunc|incomplete|context|^max")),
    (
        "filtered",
        re.compile(
            r"filter|safety|recitation|block|prohibit|spii|refus|policy|moderat|guardrail|sensitive|unsafe|toxic"
        ),
    ),
    (
        "ended",
        re.compile(
            r"error|abort|cancel|fail|malform|time.?out|interrupt|overload|exhaust|insufficient|unexpected|repetit|pause"
            r"|disconnect|shut.?down|preempt|unavailable|^(?:un)?load$|^other$|^language$"
        ),
    ),
)


def read(body: bytes) -> Completion | Failure:
    """The completion that the body holds; its `model` is "" where the endpoint does not name one. Raises nothing."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return Failure(kind="invalid_response", message=_looks_like(body))
    if not isinstance(answer, dict):
        return Failure(kind="invalid_response", message="JSON, but no object")
    if failure := _told_error(answer):
        return failure
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return Failure(kind="invalid_response", message="no choices")
    return _told_error(choices[0]) or _completion(answer, choices[0])


def _looks_like(body: bytes) -> str:
    start = body.lstrip()[:5].lower()
    if not start:
        return "an empty body"
    if start.startswith(b"<"):
        return "an HTML page; check the base URL"
    return "an event stream" if start == b"data:" else "no JSON"


def _told_error(holder: dict[str, Any]) -> Failure | None:
    """An error inside a 200, as routers report that the server behind them failed."""
    error = holder.get("error")
    if not error:
        return None
    told = error if isinstance(error, dict) else {"message": error}
    code, message = told.get("code"), told.get("message")
    if isinstance(code, str) and re.fullmatch(r"[45]\d\d", code):
        code = int(code)
    return Failure(
        kind="status",
        status=code if type(code) is int and 400 <= code < 600 else 200,
        code=" ".join(word for word in (code, told.get("type"), told.get("status")) if isinstance(word, str)),
        message=message if isinstance(message, str) else "",
    )


def _completion(answer: dict[str, Any], choice: dict[str, Any]) -> Completion | Failure:
    message = choice.get("message")
    if not isinstance(message, dict):
        return Failure(kind="invalid_response", message="a choice without a message")
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return Failure(kind="refusal", message=refusal)
    content = _content(message.get("content"))
    if content is None:
        return Failure(kind="invalid_response", message="content that is no text")
    text, found = content
    if not text.strip() and (arguments := _arguments(message)):
        text, found = arguments, "tool call"
    reasoning = _reasoning(message)
    model, used = answer.get("model"), answer.get("usage")
    finish = choice.get("finish_reason")
    finish = finish.strip() if isinstance(finish, str) else ""
    if failure := _bad_end(finish, text, found, reasoning):
        unseen = not text.strip() and not reasoning and _has_reasoned(used)
        return msgspec.structs.replace(failure, message="counted only") if unseen else failure
    if not text.strip() and reasoning:
        return Failure(kind="elsewhere", message=reasoning, finish=finish, found=reasoning)
    return Completion(
        text=text,
        model=model if isinstance(model, str) else "",
        input_tokens=_count(used, "prompt_tokens"),
        output_tokens=_count(used, "completion_tokens"),
        finish_reason=finish,
        found=found if text else "",
    )


def _bad_end(finish: str, text: str, found: str, reasoning: str) -> Failure | None:
    """The failure that an end of this name is, if it is none; one that is not known here counts as a good end."""
    name = finish.casefold()
    kind = (
        None if name in _GOOD_ENDS else next((kind for kind, words in _BAD_ENDS if words.search(name)), None)
    )
    if kind is None:
        return None
    stripped = text.rstrip()
    blanks = len(text) - len(stripped)
    padded = kind == "cut" and (blanks >= _PADDING or (not stripped and blanks > 0 and not reasoning))
    of_reasoning = reasoning if not stripped else "in the content" if _OPEN_REASONING.match(stripped) else ""
    return Failure(
        kind="padded" if padded else kind,
        message=of_reasoning,
        finish=finish,
        found=found if stripped else reasoning,
    )


def _reasoning(message: dict[str, Any]) -> str:
    """Where in the message there is reasoning; empty if there is none."""
    content = message.get("content")
    parts = content if isinstance(content, list) else []
    if any(isinstance(part, dict) and _REASONING_PART.search(str(part.get("type"))) for part in parts):
        return "reasoning parts"
    return next((key for key in _REASONING if _says_something(message.get(key))), "")


def _has_reasoned(used: object) -> bool:
    """Whether the endpoint counts tokens of a reasoning that it does not show, as OpenAI does."""
    details = used.get("completion_tokens_details") if isinstance(used, dict) else None
    return bool(_count(details, "reasoning_tokens"))


def _content(content: object) -> tuple[str, str] | None:
    """The text of a message's content and where it was; None for what is not content. Some servers send a list of parts, of
    which reasoning is none of ours.
    """
    if content is None or isinstance(content, str):
        return content or "", "content"
    parts = [content] if isinstance(content, dict) and isinstance(content.get("text"), str) else content
    if not isinstance(parts, list):
        return None
    texts = [
        part if isinstance(part, str) else part.get("text")
        for part in parts
        if isinstance(part, str) or (isinstance(part, dict) and part.get("type") in _TEXT_PARTS)
    ]
    return "".join(text for text in texts if isinstance(text, str)), "content parts"


def _arguments(message: dict[str, Any]) -> str:
    """The arguments of the first tool call that has some: servers that emulate a schema with a tool put the reply there."""
    calls = message.get("tool_calls")
    called = (
        [call.get("function") for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    )
    for function in (*called, message.get("function_call")):
        arguments = function.get("arguments") if isinstance(function, dict) else None
        if isinstance(arguments, dict) and arguments:
            return json.dumps(arguments)
        if isinstance(arguments, str) and arguments.strip():
            return arguments
    return ""


def _says_something(value: object) -> bool:
    return bool(value.strip()) if isinstance(value, str) else bool(value)


def _count(used: object, key: str) -> int | None:
    count = used.get(key) if isinstance(used, dict) else None
    return count if type(count) is int and count >= 0 else None
