"""Reading the body of an endpoint's 2xx answer: bytes in, a completion or a `Failure` out. Nothing is taken for granted.

A proxy, a login page or a wrong address may answer 200 as well, and servers differ in what they leave out.
"""

from __future__ import annotations

import json
from typing import Any

from ace.adapters.method import Completion
from ace.adapters.models.failures import Failure

__all__ = ["read"]


def read(body: bytes) -> Completion | Failure:
    """The completion that the body holds; its `model` is "" where the endpoint does not name one. Raises nothing."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return Failure(kind="odd", message=_looks_like(body))
    if not isinstance(answer, dict):
        return Failure(kind="odd", message="JSON, but no object")
    choices = answer.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        return _told_error(answer) or Failure(kind="odd", message="no choices")
    return _completion(answer, choices[0])


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
    return Failure(
        kind="status",
        status=code if type(code) is int and 400 <= code < 600 else 200,
        code=code if isinstance(code, str) else "",
        message=message if isinstance(message, str) else "",
    )


def _completion(answer: dict[str, Any], choice: dict[str, Any]) -> Completion | Failure:
    message = choice.get("message")
    if not isinstance(message, dict):
        return _told_error(choice) or Failure(kind="odd", message="a choice without a message")
    text = _text(message.get("content"))
    if text is None:
        return Failure(kind="odd", message="content that is no text")
    if refusal := _refusal(message, choice):
        return Failure(kind="refusal", message=refusal)
    if not text and (failure := _told_error(choice)):
        return failure
    model = answer.get("model")
    used = answer.get("usage")
    return Completion(
        text=text,
        model=model if isinstance(model, str) else "",
        input_tokens=_count(used, "prompt_tokens"),
        output_tokens=_count(used, "completion_tokens"),
    )


def _refusal(message: dict[str, Any], choice: dict[str, Any]) -> str | None:
    refusal = message.get("refusal")
    if isinstance(refusal, str) and refusal.strip():
        return refusal
    filtered = choice.get("finish_reason") == "content_filter" and not message.get("content")
    return "content filter" if filtered else None


def _text(content: object) -> str | None:
    """The text of a message, "" for none; some servers send a list of parts, of which reasoning is none of ours."""
    if content is None or isinstance(content, str):
        return content or ""
    if not isinstance(content, list):
        return None
    texts = [part.get("text") for part in content if isinstance(part, dict) and part.get("type") == "text"]
    return "".join(text for text in texts if isinstance(text, str))


def _count(used: object, key: str) -> int | None:
    count = used.get(key) if isinstance(used, dict) else None
    return count if type(count) is int and count >= 0 else None
