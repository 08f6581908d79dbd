"""What Reef takes of its own settings without a word, and what then goes wrong when a step has been paid for, or never
comes to light. Each check raises `ACEConfigError`.
"""

from __future__ import annotations

import logging
import shutil
from collections.abc import Iterable, Mapping
from typing import Final

from reef.harness.tree.nodes import NODE_KINDS

from ace.adapters.reef.section import (
    ACEConfigError,
    Object,
    as_object,
    as_section,
    as_texts,
    hint,
    see_finite,
    see_known,
)

__all__ = ["check_models", "check_settings", "check_tasks", "warn_of_keys"]

_log: Final = logging.getLogger(__name__)

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


def check_settings(section: Object) -> None:
    """See that what a deployment says under `evolution`, beside its models, can be meant."""
    for key in ("floor_score", "episode_timeout_s"):
        see_finite(key, section.get(key))
    _check_prompts(section.get("tasks") or ())
    executor = section.get("executor", "local")
    _check_binary(section.get("binary"), executor)
    _check_sandbox(section.get("sandbox"), executor)
    _check_review_kinds(section.get("review_kinds") or ())


def check_models(value: object) -> tuple[str, ...]:
    """See that each model can be asked; return their names."""
    models = as_section("evolution.models", value)
    for name, model in models.items():
        _check_model(f"models.{name}", as_object(f"evolution.models.{name}", model))
    return tuple(map(str, models))


def _check_model(where: str, model: Object) -> None:
    see_known(f"evolution.{where}", model, _MODEL_KEYS)
    see_finite(f"{where}.timeout_s", model.get("timeout_s"))
    url = model.get("url")
    if isinstance(url, str) and not url.strip().casefold().startswith(("http://", "https://")):
        raise ACEConfigError(f"evolution.{where}.url must begin with http:// or https://, and is {url!r}")
    if model.get("api_key") is not None and model.get("api_key_env") is not None:
        raise ACEConfigError(f"evolution.{where} has an api_key and an api_key_env: give one of them")


def warn_of_keys(models: object, environ: Mapping[str, str]) -> None:
    """Say in the log which variable that is to hold a model's key is not there: Reef then asks without one, which not
    every endpoint minds.
    """
    for name, model in as_section("evolution.models", models).items():
        variable = model.get("api_key_env")
        if isinstance(variable, str) and not environ.get(variable, "").strip():
            _log.warning(
                "evolution.models.%s.api_key_env names %s, and there is no such variable: its calls have no key",
                name,
                variable,
            )


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


def _check_prompts(value: object) -> None:
    """Reef makes a text of whatever a task is."""
    for task in as_texts("tasks", value):
        if not task.strip():
            raise ACEConfigError("evolution.tasks holds a task without a text")


def _check_binary(value: object, executor: object) -> None:
    """Reef starts with a binary that is not there, and every run of the agent fails then. (That of e2b is elsewhere.)"""
    if isinstance(value, str) and executor != "e2b" and shutil.which(value) is None:
        raise ACEConfigError(f"evolution.binary: there is no program {value}")


def _check_sandbox(value: object, executor: object) -> None:
    sandbox = as_section("evolution.sandbox", value)
    see_known("evolution.sandbox", sandbox, _SANDBOX_KEYS)
    limits = as_section("evolution.sandbox.limits", sandbox.get("limits"))
    see_known("evolution.sandbox.limits", limits, _LIMIT_KEYS)
    for key, limit in limits.items():
        # A text of digits is what a variable of the environment gives.
        if isinstance(limit, bool) or not str(limit).isdecimal():
            raise ACEConfigError(
                f"evolution.sandbox.limits.{key} must be a whole number of at least 0, not {limit!r}"
            )
    as_texts("sandbox.egress_hosts", sandbox.get("egress_hosts") or ())
    if sandbox and executor == "local":
        raise ACEConfigError(
            "evolution.sandbox is read with evolution.executor: sandbox or e2b alone, and the executor is local"
        )


def _check_review_kinds(value: object) -> None:
    """Reef takes a kind that it does not have, and then does not review the one that was meant."""
    for kind in as_texts("review_kinds", value):
        if kind not in NODE_KINDS:
            raise ACEConfigError(
                f"evolution.review_kinds names {kind!r}, and there is no such kind of entry: "
                f"there are {', '.join(NODE_KINDS)}{hint(kind, NODE_KINDS)}"
            )
