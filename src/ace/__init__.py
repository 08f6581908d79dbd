"""Agentic Context Engineering: an agent's own runs become a short, trusted playbook of lessons.

`ACE` is the method and `ACESettings` its settings; a host implements `Services` and calls `ACE.step`. `run_step`,
`evolve` and `fold` are the pure core, `StepRecord` and the events are the format of the log. Names are loaded when they
are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ace.adapters.ace import ACE
    from ace.adapters.log import Log
    from ace.adapters.method import (
        Completion,
        Material,
        Method,
        Model,
        Request,
        Services,
        StepContext,
        StepResult,
    )
    from ace.domain.errors import (
        AceError,
        CallError,
        EndpointError,
        LockedError,
        LogError,
        MarkerError,
        SettingsError,
        StateError,
        StepError,
        TooLongError,
        TraceError,
    )
    from ace.domain.playbook import Bullet, Playbook, evolve, fold
    from ace.domain.settings import ACESettings
    from ace.domain.step import run_step
    from ace.domain.trace import ToolCall, Trace, Turn
    from ace.events.types import (
        BulletAdded,
        Capped,
        DuplicateRejected,
        Event,
        Forgotten,
        OperationIgnored,
        PlaybookRestored,
        Pruned,
        Refused,
        Removed,
        Reworded,
        RunRead,
        RunSkipped,
        StepRecord,
        TagCounted,
        TagIgnored,
    )

__all__ = [
    "ACE",
    "ACESettings",
    "AceError",
    "Bullet",
    "BulletAdded",
    "CallError",
    "Capped",
    "Completion",
    "DuplicateRejected",
    "EndpointError",
    "Event",
    "Forgotten",
    "LockedError",
    "Log",
    "LogError",
    "MarkerError",
    "Material",
    "Method",
    "Model",
    "OperationIgnored",
    "Playbook",
    "PlaybookRestored",
    "Pruned",
    "Refused",
    "Removed",
    "Request",
    "Reworded",
    "RunRead",
    "RunSkipped",
    "Services",
    "SettingsError",
    "StateError",
    "StepContext",
    "StepError",
    "StepRecord",
    "StepResult",
    "TagCounted",
    "TagIgnored",
    "TooLongError",
    "ToolCall",
    "Trace",
    "TraceError",
    "Turn",
    "evolve",
    "fold",
    "run_step",
]

_HOMES = {
    "ace.adapters.ace": ("ACE",),
    "ace.adapters.log": ("Log",),
    "ace.adapters.method": (
        "Completion",
        "Material",
        "Method",
        "Model",
        "Request",
        "Services",
        "StepContext",
        "StepResult",
    ),
    "ace.domain.playbook": ("Bullet", "Playbook", "evolve", "fold"),
    "ace.domain.settings": ("ACESettings",),
    "ace.domain.step": ("run_step",),
    "ace.domain.trace": ("ToolCall", "Trace", "Turn"),
}


if not TYPE_CHECKING:
    # Not for type checkers: to them every name would be there, a misspelt one too.

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'ace' has no attribute {name!r}")
        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            home = "ace.domain.errors" if name.endswith("Error") else "ace.events.types"
        return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
