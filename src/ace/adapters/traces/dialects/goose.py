"""Messages of Goose: Anthropic's shape, with blocks `toolRequest` and `toolResponse`, whose call and result say whether they succeeded:
`{"status": "success", "value"}` or `{"status": "error", "error"}`; in older sessions `{"Ok": …}` or `{"Err": …}`.
"""

from __future__ import annotations

from typing import Any

from ace.adapters.traces.said import said
from ace.domain.trace import JsonObject

__all__ = ["translated"]


_BLOCKS = frozenset({"toolRequest", "toolResponse", "frontendToolRequest"})
_NOTHING = frozenset({"redactedThinking", "systemNotification", "toolConfirmationRequest", "actionRequired"})
_OWN = _BLOCKS | _NOTHING


def translated(message: JsonObject) -> list[JsonObject] | None:
    """See `dialects`."""
    content, role = message.get("content"), message.get("role")
    if (
        not isinstance(role, str)
        or not isinstance(content, list)
        or all(_kind(block) not in _OWN for block in content)
    ):
        return None
    blocks = [_block(block) for block in content if _kind(block) not in _NOTHING]
    return [{"role": role.lower(), "content": blocks}]


def _kind(block: Any) -> str:
    kind = block.get("type") if isinstance(block, dict) else None
    return kind if isinstance(kind, str) else ""


def _block(block: Any) -> Any:
    if _kind(block) not in _BLOCKS:
        return block
    if block["type"] == "toolResponse":
        value, failed = _outcome(said(block, "toolResult", "tool_result"))
        if isinstance(value, dict):
            failed = failed or value.get("isError") is True
            value = said(value, "content")
        return {"type": "tool_result", "tool_use_id": block.get("id"), "content": value, "is_error": failed}
    value, _ = _outcome(block.get("toolCall", block.get("tool_call", block)))
    called = value if isinstance(value, dict) else {"arguments": value}
    return {
        "type": "tool_use",
        "id": block.get("id"),
        "name": called.get("name"),
        "input": said(called, "arguments"),
    }


def _outcome(told: Any) -> tuple[Any, bool]:
    if isinstance(told, dict):
        if "Err" in told or told.get("status") == "error":
            return said(told, "Err", "error", "value"), True
        if "Ok" in told or told.get("status") == "success":
            return said(told, "Ok", "value"), False
    return told, False
