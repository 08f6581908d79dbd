"""The `evolution` section of a deployment: what of it is the method's, what is Reef's, and what is neither.

Reef passes over a key that it does not know; here every key is known or an error that names it. The founding layout is
taken (`method`, `evaluation.policy`, `models`, `seed`), and translated into the section that Reef's recipe reads.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from reef.harness.adapters import get_adapter
from reef.harness.adapters.descriptor import DescriptorError

from ace.adapters.reef.oversights import check_models, check_settings
from ace.adapters.reef.policy import UNUSED
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.section import ACEConfigError, Object, as_object, as_section, hint, see_known
from ace.adapters.reef.seed import SeedError, check_seed, read_seed
from ace.domain.errors import SettingsError
from ace.domain.settings import parse_settings
from ace.method import ACE

__all__ = ["Plan", "check_entries", "plan"]


@dataclass(frozen=True)
class Plan:
    """What a deployment asks for: the method, the folder of its files, and the section for Reef's recipe."""

    method: ACE
    work_dir: Path
    section: dict[str, Any]


_OURS: Final = ("method", "evaluation", "models", "seed", "work_dir")

_REEFS: Final = (
    "adapter",
    "client_models",
    "max_model_calls_per_step",
    "max_pending_proposals",
    "max_steps",
    "model_metadata",
    "on_stale",
    "proposals_dir",
    "publish",
    "requests",
    "review_kinds",
    "version_check",
)

_EPISODES: Final = (
    "binary",
    "episode_repeats",
    "episode_timeout_s",
    "evaluate",
    "executor",
    "forbid_residue",
    "max_failure_streak",
    "max_promoted_per_client",
    "max_promoted_tasks",
    "max_rejected_history",
    "promote",
    "promote_failures",
    "sandbox",
    "task_manifest",
    "tasks",
    "tasks_root",
)
"""What an evaluation that runs episodes takes."""

_POLICIES: Final[Mapping[str, tuple[str, ...]]] = {
    "none": (),
    "floor": (*_EPISODES, "floor_score"),
    "compare": (*_EPISODES, "min_win_margin", "recheck_every"),
}

_ELSEWHERE: Final = {
    "propose": "evolution.method names what proposes",
    "selection": "evolution.evaluation.policy names what selects",
    "step_record_dir": "records lie under evolution.work_dir",
    "proposer_agent": "the method asks models, it runs no agent",
}


def plan(evolution: object) -> Plan:
    """Read the section. Raises `ACEConfigError`."""
    section = as_object("evolution", evolution)
    policy = _policy(section.get("evaluation"))
    _see_known(section, policy)
    models = check_models(section.get("models"))
    check_settings(section)
    method = _method(section.get("method"), models)
    work_dir = _work_dir(section.get("work_dir"))
    return Plan(method, work_dir, _for_reef(section, policy, method, work_dir))


def check_entries(entries: Iterable[object], adapter: object) -> None:
    """See that a scenario can begin with these entries, references resolved. Raises `ACEConfigError`."""
    try:
        check_seed([entry for entry in entries if isinstance(entry, Mapping)], get_adapter(str(adapter)))
    except (SeedError, DescriptorError) as error:
        raise ACEConfigError(str(error)) from None


def _for_reef(section: Object, policy: str, method: ACE, work_dir: Path) -> dict[str, Any]:
    """The section as Reef's recipe reads it."""
    reefs = {key: value for key, value in section.items() if key not in _OURS}
    try:
        seed = read_seed(section.get("seed"))
    except SeedError as error:
        raise ACEConfigError(str(error)) from None
    selection = {"floor": {"selection": "floor"}, "compare": {"selection": "score_comparison"}}
    return {
        # The method reads no rejected proposals, and each would stand in every commit with the whole of its rules.
        "max_rejected_history": 0,
        "proposals_dir": str(work_dir / "proposals"),
        **reefs,
        **selection.get(policy, UNUSED),
        "models": section.get("models") or {},
        "propose": ACEProposer(method),
        "seed": seed,
    }


# --- one key after the other ----------------------------------------------------------------------------------------


def _policy(value: object) -> str:
    evaluation = as_section("evolution.evaluation", value)
    see_known("evolution.evaluation", evaluation, ("policy",))
    policy = evaluation.get("policy", "none")
    # YAML reads an unquoted `none` as a text, `null` and `~` as nothing.
    if not isinstance(policy, str) or policy not in _POLICIES:
        raise ACEConfigError(
            f"evolution.evaluation.policy must be one of {', '.join(_POLICIES)}, not {policy!r}"
        )
    return policy


def _method(value: object, models: tuple[str, ...]) -> ACE:
    section = as_section("evolution.method", value)
    see_known("evolution.method", section, ("module", "config"))
    kind = _method_class(section.get("module", "ace:ACE"))
    try:
        method = kind(parse_settings(as_section("evolution.method.config", section.get("config"))))
    except SettingsError as error:
        raise ACEConfigError(f"evolution.method.config: {error}") from None
    model = method.settings.model
    if model not in ("served", *models):
        raise ACEConfigError(
            f"evolution.method.config.model names {model!r}, and there is no such model: "
            f"there are {', '.join(('served', *models))}{hint(model, ('served', *models))}"
        )
    return method


def _method_class(reference: object) -> type[ACE]:
    module, _, name = str(reference).partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ACEConfigError(f"evolution.method.module {reference!r} cannot be imported: {error}") from None
    if not isinstance(found, type) or not issubclass(found, ACE):
        raise ACEConfigError(f"evolution.method.module {reference!r} is not ace:ACE nor made from it")
    return found


def _work_dir(value: object) -> Path:
    value = ".reef" if value is None else value
    if not isinstance(value, str) or not value.strip():
        raise ACEConfigError(f"evolution.work_dir must be a folder, not {value!r}")
    folder = Path(value).expanduser().resolve()
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise ACEConfigError(f"evolution.work_dir is {folder}, and nothing can be written in {there}")
    return folder


def _see_known(section: Object, policy: str) -> None:
    """See that the policy has a meaning for each key, and that none stands where it is not read."""
    known = (*_OURS, *_REEFS, *_POLICIES[policy])
    for key in section:
        if key in _ELSEWHERE:
            raise ACEConfigError(f"evolution.{key} is not read: {_ELSEWHERE[key]}")
        if key not in known and any(key in keys for keys in _POLICIES.values()):
            raise ACEConfigError(
                f"evolution.{key} has no meaning under evolution.evaluation.policy: {policy}"
            )
    see_known("evolution", section, known)
