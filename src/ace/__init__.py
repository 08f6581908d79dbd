"""Agentic Context Engineering: an agent's own runs become a short, trusted playbook of lessons.

`ACE` is the method and `ACESettings` its settings; a host implements `Services` and calls `ACE.step`. `Folder` is a playbook's
folder: `learn` makes steps in it, `verify`, `rebuild` and `adopt` look after it, and `remove`, `reword`, `add`, `adopt_block`,
`revert`, `rewind` and `accept` are what a person decides, done by `carry_out`; `waiting` is what is to be accepted; `report` makes a page of it. `run_step`,
`evolve` and `fold` are the pure core, `StepRecord` and the events are the format of the log. Names are loaded when they
are first used, so that importing the package costs next to nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ace.adapters.models import CommandModel, OpenAIModel
    from ace.adapters.models.asking import drive, request_of
    from ace.adapters.store.folder_book import FolderBook as Folder
    from ace.adapters.store.host_book import HostBook
    from ace.adapters.store.log import Log
    from ace.adapters.traces import read_traces
    from ace.deciding import (
        Decided,
        Decision,
        accept,
        add,
        adopt_block,
        carry_out,
        remove,
        revert,
        rewind,
        reword,
        waiting,
    )
    from ace.domain.errors import (
        AceError,
        BookError,
        CallError,
        ChangedError,
        ConfigError,
        EndpointError,
        LockedError,
        LogError,
        MarkerError,
        SeqTakenError,
        SettingsError,
        StateError,
        StepError,
        TooLongError,
        TraceError,
    )
    from ace.domain.playbook import Bullet, Playbook, evolve, fold
    from ace.domain.settings import ACESettings
    from ace.domain.step import CallFailed, ModelCall, StepOutcome, run_step
    from ace.domain.trace import ToolCall, Trace, Turn
    from ace.domain.waiting import Waiting
    from ace.events.types import (
        Accepted,
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
        RulesRestored,
        RunRead,
        RunSkipped,
        StepRecord,
        TagCounted,
        TagIgnored,
    )
    from ace.learning import Learning, Plan, PlannedRun, Report, StepDone, dry_run, learn
    from ace.method import ACE
    from ace.ports import (
        Book,
        Completion,
        Method,
        Model,
        Request,
        Services,
        StepContext,
        StepResult,
        Usage,
    )
    from ace.reconciling import Adopted, Rebuilt, Verification, adopt, rebuild, verify
    from ace.reporting import report

__all__ = [
    "ACE",
    "ACESettings",
    "Accepted",
    "AceError",
    "Adopted",
    "Book",
    "BookError",
    "Bullet",
    "BulletAdded",
    "CallError",
    "CallFailed",
    "Capped",
    "ChangedError",
    "CommandModel",
    "Completion",
    "ConfigError",
    "Decided",
    "Decision",
    "DuplicateRejected",
    "EndpointError",
    "Event",
    "Folder",
    "Forgotten",
    "HostBook",
    "Learning",
    "LockedError",
    "Log",
    "LogError",
    "MarkerError",
    "Method",
    "Model",
    "ModelCall",
    "OpenAIModel",
    "OperationIgnored",
    "Plan",
    "PlannedRun",
    "Playbook",
    "PlaybookRestored",
    "Pruned",
    "Rebuilt",
    "Refused",
    "Removed",
    "Report",
    "Request",
    "Reworded",
    "RulesRestored",
    "RunRead",
    "RunSkipped",
    "SeqTakenError",
    "Services",
    "SettingsError",
    "StateError",
    "StepContext",
    "StepDone",
    "StepError",
    "StepOutcome",
    "StepRecord",
    "StepResult",
    "TagCounted",
    "TagIgnored",
    "TooLongError",
    "ToolCall",
    "Trace",
    "TraceError",
    "Turn",
    "Usage",
    "Verification",
    "Waiting",
    "accept",
    "add",
    "adopt",
    "adopt_block",
    "carry_out",
    "drive",
    "dry_run",
    "evolve",
    "fold",
    "learn",
    "read_traces",
    "rebuild",
    "remove",
    "report",
    "request_of",
    "revert",
    "rewind",
    "reword",
    "run_step",
    "verify",
    "waiting",
]

_HOMES = {
    "ace.method": ("ACE",),
    "ace.adapters.store.folder_book": ("FolderBook",),
    "ace.adapters.store.host_book": ("HostBook",),
    "ace.adapters.store.log": ("Log",),
    "ace.ports": (
        "Book",
        "Completion",
        "Method",
        "Model",
        "Request",
        "Services",
        "StepContext",
        "StepResult",
        "Usage",
    ),
    "ace.adapters.models": ("CommandModel", "OpenAIModel"),
    "ace.adapters.models.asking": ("drive", "request_of"),
    "ace.adapters.traces": ("read_traces",),
    "ace.domain.playbook": ("Bullet", "Playbook", "evolve", "fold"),
    "ace.deciding": (
        "Decided",
        "Decision",
        "accept",
        "add",
        "carry_out",
        "remove",
        "revert",
        "reword",
        "rewind",
        "adopt_block",
        "waiting",
    ),
    "ace.domain.waiting": ("Waiting",),
    "ace.domain.settings": ("ACESettings",),
    "ace.domain.step": ("CallFailed", "ModelCall", "StepOutcome", "run_step"),
    "ace.domain.trace": ("ToolCall", "Trace", "Turn"),
    "ace.reporting": ("report",),
    "ace.learning": ("Learning", "Plan", "PlannedRun", "Report", "StepDone", "dry_run", "learn"),
    "ace.reconciling": ("Adopted", "Rebuilt", "Verification", "adopt", "rebuild", "verify"),
}


if not TYPE_CHECKING:
    # Not for type checkers: to them every name would be there, a misspelt one too.

    def __getattr__(name: str) -> Any:
        if name not in __all__:
            raise AttributeError(f"module 'ace' has no attribute {name!r}")
        name = "FolderBook" if name == "Folder" else name
        home = next((module for module, names in _HOMES.items() if name in names), None)
        if home is None:
            home = "ace.domain.errors" if name.endswith("Error") else "ace.events.types"
        return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return sorted(__all__)
