"""The `evolution` section of a deployment: what of it is the method's, what is Reef's, and what is neither.

Reef passes over a key that it does not know; here every key is known or an error that names it. The founding layout is
taken (`method`, `evaluation.policy`, `models`, `seed`), and translated into the section that Reef's recipe reads.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from reef.core.errors import DeployConfigError
from reef.harness.adapters import get_adapter
from reef.harness.adapters.descriptor import DescriptorError
from reef.harness.tree.nodes import NODE_KINDS
from reef.recipe.errors import RecipeConfigError

from ace.adapters.ace import ACE
from ace.adapters.reef.policy import UNUSED
from ace.adapters.reef.proposer import ACEProposer
from ace.adapters.reef.seed import SeedError, check_seed, read_seed
from ace.domain.errors import SettingsError
from ace.domain.settings import parse_settings

__all__ = ["ACEConfigError", "Plan", "check_entries", "check_tasks", "plan"]

type _Object = Mapping[str, Any]


class ACEConfigError(RecipeConfigError, DeployConfigError):
    """A deployment says something that cannot be; the sentence names the key. `reef serve` prints it and ends."""


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

_SANDBOX_KEYS: Final = (
    "e2b_api_key",
    "e2b_api_key_env",
    "e2b_template",
    "egress_hosts",
    "env_from",
    "forward_ports",
    "limits",
)
_LIMIT_KEYS: Final = ("cpu_seconds", "file_bytes", "memory_bytes", "processes")

_MODEL_KEYS: Final = ("url", "model", "api", "api_key", "api_key_env", "timeout_s", "metadata")


def plan(evolution: object) -> Plan:
    """Read the section. Raises `ACEConfigError`."""
    section = _object("evolution", evolution)
    policy = _policy(section.get("evaluation", {}))
    _known("evolution", section, (*_OURS, *_REEFS, *_POLICIES[policy]), policy)
    models = _models(section.get("models"))
    _sandbox(section.get("sandbox"), section.get("executor", "local"))
    _review_kinds(section.get("review_kinds", ()))
    _number("floor_score", section.get("floor_score"))
    method = _method(section.get("method", {}), models)
    work_dir = _work_dir(section.get("work_dir", ".reef"))
    return Plan(method, work_dir, _for_reef(section, policy, method, work_dir))


def _number(key: str, value: object) -> None:
    """Reef takes NaN for a number, and no score is ever at least that."""
    if isinstance(value, float) and not math.isfinite(value):
        raise ACEConfigError(f"evolution.{key} must be a finite number, not {value!r}")


def check_entries(entries: Iterable[object], adapter: object) -> None:
    """See that a scenario can begin with these entries, references resolved. Raises `ACEConfigError`."""
    try:
        check_seed([entry for entry in entries if isinstance(entry, Mapping)], get_adapter(str(adapter)))
    except (SeedError, DescriptorError) as error:
        raise ACEConfigError(str(error)) from None


def check_tasks(scorer: object, tasks: Iterable[str]) -> None:
    """Let a scorer that has a method `check_task` say at the start which task it cannot score, by a `ValueError`, and not
    when a step has been paid for. Raises `ACEConfigError`.
    """
    check = getattr(scorer, "check_task", None)
    if not callable(check):
        return
    for task in tasks:
        try:
            check(task)
        except ValueError as error:
            raise ACEConfigError(f"evolution.evaluate: {error}") from None


def _for_reef(section: _Object, policy: str, method: ACE, work_dir: Path) -> dict[str, Any]:
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
    evaluation = _object("evolution.evaluation", value)
    _known("evolution.evaluation", evaluation, ("policy",))
    policy = evaluation.get("policy", "none")
    # YAML reads an unquoted `none` as a text, `null` and `~` as nothing.
    if not isinstance(policy, str) or policy not in _POLICIES:
        raise ACEConfigError(
            f"evolution.evaluation.policy must be one of {', '.join(_POLICIES)}, not {policy!r}"
        )
    return policy


def _models(value: object) -> tuple[str, ...]:
    models = _object("evolution.models", value or {})
    for name, model in models.items():
        _known(f"evolution.models.{name}", _object(f"evolution.models.{name}", model), _MODEL_KEYS)
    return tuple(map(str, models))


def _sandbox(value: object, executor: object) -> None:
    sandbox = _object("evolution.sandbox", value or {})
    _known("evolution.sandbox", sandbox, _SANDBOX_KEYS)
    limits = _object("evolution.sandbox.limits", sandbox.get("limits") or {})
    _known("evolution.sandbox.limits", limits, _LIMIT_KEYS)
    for key, limit in limits.items():
        if isinstance(limit, bool) or not isinstance(limit, int) or limit < 0:
            raise ACEConfigError(
                f"evolution.sandbox.limits.{key} must be a whole number of at least 0, not {limit!r}"
            )
    _texts("sandbox.egress_hosts", sandbox.get("egress_hosts") or ())
    if sandbox and executor == "local":
        raise ACEConfigError(
            "evolution.sandbox is read with evolution.executor: sandbox or e2b alone, and the executor is local"
        )


def _review_kinds(value: object) -> None:
    """Reef reviews a kind that it does not have never, and so not the one that was meant."""
    for kind in _texts("review_kinds", value):
        if kind not in NODE_KINDS:
            raise ACEConfigError(
                f"evolution.review_kinds names {kind!r}, and there is no such kind of entry: "
                f"there are {', '.join(NODE_KINDS)}{_hint(kind, NODE_KINDS)}"
            )


def _texts(key: str, value: object) -> Sequence[str]:
    if (
        isinstance(value, str)
        or not isinstance(value, Sequence)
        or not all(isinstance(text, str) for text in value)
    ):
        raise ACEConfigError(f"evolution.{key} must be a list of texts, not {value!r}")
    return value


def _method(value: object, models: tuple[str, ...]) -> ACE:
    section = _object("evolution.method", value)
    _known("evolution.method", section, ("module", "config"))
    kind = _method_class(section.get("module", "ace:ACE"))
    try:
        method = kind(parse_settings(_object("evolution.method.config", section.get("config") or {})))
    except SettingsError as error:
        raise ACEConfigError(f"evolution.method.config: {error}") from None
    model = method.settings.model
    if model not in ("served", *models):
        raise ACEConfigError(
            f"evolution.method.config.model names {model!r}, and there is no such model: "
            f"there are {', '.join(('served', *models))}{_hint(model, ('served', *models))}"
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
    if not isinstance(value, str) or not value.strip():
        raise ACEConfigError(f"evolution.work_dir must be a folder, not {value!r}")
    return Path(value).expanduser().resolve()


def _object(where: str, value: object) -> _Object:
    if not isinstance(value, Mapping):
        raise ACEConfigError(f"{where} must be a section of keys, not {value!r}")
    return value


def _known(where: str, section: _Object, known: tuple[str, ...], policy: str | None = None) -> None:
    for key in section:
        if key in known:
            continue
        if where == "evolution" and key in _ELSEWHERE:
            raise ACEConfigError(f"evolution.{key} is not read: {_ELSEWHERE[key]}")
        if policy is not None and any(key in keys for keys in _POLICIES.values()):
            raise ACEConfigError(f"{where}.{key} has no meaning under evolution.evaluation.policy: {policy}")
        raise ACEConfigError(
            f"there is no key {where}.{key}{_hint(str(key), known) or f': there are {", ".join(known)}'}"
        )


def _hint(key: str, known: Iterable[str]) -> str:
    close = difflib.get_close_matches(key, known, n=1)
    return f": did you mean {close[0]}?" if close else ""
