"""The `evolution` section of a deployment: what of it is the method's, what is Reef's, and what is neither.

The founding layout is taken (`method`, `evaluation.policy`, `models`, a seed folder) and translated into the section that
Reef's recipe reads. Each section is a struct, and its fields are the known keys. A field has a type where Reef
silently accepts a value that cannot work, and the fault would show after a step has been paid for, or never;
a field of the type `Any` is checked by Reef itself, or stands for a section that is read on its own. The tests compare the
keys with those that the installed Reef reads.

    plan            reads the section before Reef does; the recipe then gives Reef what `Plan.section` holds
    check_entries   look at what Reef made of it
    check_tasks
    warn_of_keys
"""

from __future__ import annotations

import difflib
import importlib.util
import logging
import math
import os
import re
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, Literal, get_type_hints

import msgspec
from msgspec import Meta
from reef.core.errors import DeployConfigError
from reef.harness.adapters import get_adapter
from reef.harness.adapters.descriptor import AdapterDescriptor, DescriptorError
from reef.harness.tree.mutations import Mutation, MutationError, admit_mutations
from reef.harness.tree.nodes import NODE_KINDS
from reef.recipe.errors import RecipeConfigError

from ace.adapters.reef.policy import UNUSED
from ace.adapters.reef.rules_entry import ENTRY, FILE, Entry, check_markers, rules_text
from ace.adapters.store.postgres.address import parse_address
from ace.adapters.store.retention import Keep
from ace.domain.errors import ConfigError, MarkerError, SettingsError
from ace.domain.orders import LEAST_SECRET, VARIABLE
from ace.domain.rules_block import find_block
from ace.domain.screens import redact
from ace.domain.settings import ACESettings, parse_settings, shown
from ace.method import ACE

__all__ = ["ACEConfigError", "Plan", "check_entries", "check_tasks", "operator_token", "plan", "warn_of_keys"]

_log: Final = logging.getLogger(__name__)


class ACEConfigError(RecipeConfigError, DeployConfigError):
    """A deployment says something that cannot be; the sentence names the key. `reef serve` prints it and ends."""


@dataclass(frozen=True)
class Plan:
    """What a deployment asks for: the method, the folder of its files, and the section for Reef's recipe, which lacks the
    proposer.
    """

    method: ACE
    work_dir: Path
    keep_steps: Keep
    section: dict[str, Any]


# --- the keys -------------------------------------------------------------------------------------------------------
#
# A description ends the sentence "evolution.key must be …".

_Keys = Annotated[dict[Any, Any] | None, Meta(description="a section of keys")]
# Reef 0.1.3: one text is a list of its letters, and any object is made into a text.
_Texts = Annotated[list[str] | None, Meta(description="a list of texts")]
# Reef 0.1.3: NaN and `true` are numbers, and no score is ever at least the one, no time as long as the other. A text is
# what a variable of the environment gives; where a number cannot be one, Reef says so.
_Finite = Annotated[float, Meta(ge=-sys.float_info.max, le=sys.float_info.max)]
_Number = Annotated[_Finite | str | None, Meta(description="a finite number")]
# Reef 0.1.3: a limit below 0 is accepted, and one that is not a number ends the start with a traceback.
_Limit = Annotated[
    Annotated[int, Meta(ge=0)] | Annotated[str, Meta(pattern=r"^\d+\Z")],
    Meta(description="a whole number of at least 0"),
]


class _Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A section, empty if it is left out. What `__post_init__` raises goes on from the section's name."""


class _Method(_Section, frozen=True):
    module: Annotated[str, Meta(description="a class as module:name")] = "ace:ACE"
    config: _Keys = None


class _Evaluation(_Section, frozen=True):
    # YAML reads an unquoted `none` as a text, `null` and `~` as nothing.
    policy: Annotated[
        Literal["none", "floor", "compare"], Meta(description="one of none, floor, compare")
    ] = "none"


class _Model(_Section, frozen=True):
    url: Any = None
    model: Any = None
    api: Any = None
    api_key: Any = None
    api_key_env: Any = None
    timeout_s: _Number = None
    metadata: Any = None

    def __post_init__(self) -> None:
        # Reef 0.1.3: any text is an address, and of two keys the one in the file is taken.
        if isinstance(self.url, str) and not self.url.strip().casefold().startswith(("http://", "https://")):
            raise ValueError(f".url must begin with http:// or https://, and is {redact(repr(self.url))}")
        if isinstance(self.timeout_s, str) and _is_endless(self.timeout_s):
            raise ValueError(f".timeout_s must be a finite number, not {self.timeout_s!r}")
        if self.api_key is not None and self.api_key_env is not None:
            raise ValueError(" has an api_key and an api_key_env: give one of them")


def _is_endless(number: str) -> bool:
    try:
        return not math.isfinite(float(number))
    except ValueError:
        return False  # it is not a number at all: Reef says so


class _KeepSteps(_Section, frozen=True):
    """Of records of steps; 0 means no limit."""

    count: _Limit = 0
    days: _Limit = 0
    megabytes: _Limit = 0


class _Limits(_Section, frozen=True):
    cpu_seconds: _Limit = 0
    file_bytes: _Limit = 0
    memory_bytes: _Limit = 0
    processes: _Limit = 0


class _Sandbox(_Section, frozen=True):
    e2b_api_key: Any = None
    e2b_api_key_env: Any = None
    e2b_template: Any = None
    egress_hosts: _Texts = None
    env_from: Any = None
    forward_ports: Any = None
    limits: _Keys = None


class _Ours(_Section, frozen=True):
    """The founding layout's keys. Reef does not read them, or gets them translated."""

    method: Any = None
    evaluation: Any = None
    models: _Keys = None
    seed: Any = None
    work_dir: Annotated[str | None, Meta(description="a folder")] = None
    keep_steps: _Keys = None


class _Evolution(_Ours, frozen=True):
    """What every policy takes, and all that `none` takes. From here on the keys are Reef's, passed on as they are."""

    adapter: Any = None
    client_models: Any = None
    max_model_calls_per_step: Any = None
    max_pending_proposals: Any = None
    max_steps: Any = None
    model_metadata: Any = None
    on_stale: Any = None
    proposals_dir: Any = None
    publish: Any = None
    requests: Any = None
    review_kinds: _Texts = None
    version_check: Any = None

    def __post_init__(self) -> None:
        # Reef 0.1.3: an unknown kind is taken, and the one that was meant is published without a review.
        for kind in self.review_kinds or ():
            if kind not in NODE_KINDS:
                raise ValueError(
                    f".review_kinds names {kind!r}, and there is no such kind of entry: "
                    f"there are {', '.join(NODE_KINDS)}{_hint(kind, NODE_KINDS)}"
                )


class _Episodes(_Evolution, frozen=True):
    """What an evaluation that runs the agent takes."""

    binary: Any = None
    episode_repeats: Any = None
    episode_timeout_s: _Number = None
    evaluate: Any = None
    executor: Any = "local"
    forbid_residue: Any = None
    max_failure_streak: Any = None
    max_promoted_per_client: Any = None
    max_promoted_tasks: Any = None
    max_rejected_history: Any = None
    promote: Any = None
    promote_failures: Any = None
    sandbox: _Keys = None
    task_manifest: Any = None
    tasks: _Texts = None
    tasks_root: Any = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not all(task.strip() for task in self.tasks or ()):
            raise ValueError(".tasks holds a task without a text")
        # Reef 0.1.3: starts with a binary that is not there, and every run of the agent fails then. That of e2b is not here.
        if isinstance(self.binary, str) and self.executor != "e2b" and shutil.which(self.binary) is None:
            raise ValueError(f".binary: there is no program {self.binary}")


class _Floor(_Episodes, frozen=True):
    floor_score: _Number = None


class _Compare(_Episodes, frozen=True):
    min_win_margin: Any = None
    recheck_every: Any = None


_POLICIES: Final[Mapping[str, tuple[type[_Evolution], Mapping[str, Any]]]] = {
    "none": (_Evolution, UNUSED),
    "floor": (_Floor, {"selection": "floor"}),
    "compare": (_Compare, {"selection": "score_comparison"}),
}
"""The keys that a policy has, and what makes it the policy in Reef's section."""

_ELSEWHERE: Final = {
    "propose": "evolution.method names what proposes",
    "selection": "evolution.evaluation.policy names what selects",
    "step_record_dir": "records lie under evolution.work_dir",
    "proposer_agent": "the method asks models, it runs no agent",
}

_ENTRY_KEYS: Final = ("id", "name", "config", "group", "disabled", "inject", "intercept", "isolate")
"""What Reef's loader reads of an entry."""

_CONFIG_KEYS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("text",),
    "agent_command": ("name", "text"),
    "skill": ("name", "text"),
    "code_extension": ("name", "code"),
    "config": ("target", "data"),
    "native_tool": ("name", "description", "parameters", "capabilities", "code"),
    "native_hook": ("name", "event", "code"),
}
"""What Reef reads of an entry's config, by its kind. The kinds that are not here refuse other keys themselves."""


# --- reading --------------------------------------------------------------------------------------------------------


def plan(evolution: object) -> Plan:
    """Read the section. Raises `ACEConfigError`."""
    section = _mapping("evolution", evolution)
    policy = _read(_Evaluation, "evolution.evaluation", section.get("evaluation")).policy
    keys, selection = _POLICIES[policy]
    for key in section:
        if key in _ELSEWHERE:
            raise ACEConfigError(f"evolution.{key} is not read: {_ELSEWHERE[key]}")
        if key not in keys.__struct_fields__ and any(
            key in others.__struct_fields__ for others, _ in _POLICIES.values()
        ):
            raise ACEConfigError(
                f"evolution.{key} has no meaning under evolution.evaluation.policy: {policy}"
            )
    read = _read(keys, "evolution", section)
    models = read.models or {}
    for name, model in models.items():
        where = f"evolution.models.{name}"
        _read(_Model, where, _mapping(where, model))
    if isinstance(read, _Episodes):
        sandbox = _read(_Sandbox, "evolution.sandbox", read.sandbox)
        _read(_Limits, "evolution.sandbox.limits", sandbox.limits)
        if read.sandbox and read.executor == "local":  # Reef 0.1.3: passes over a sandbox that is not used
            raise ACEConfigError(
                "evolution.sandbox is read with evolution.executor: sandbox or e2b alone, and the executor is local"
            )
    method = _method(_read(_Method, "evolution.method", read.method), tuple(map(str, models)))
    if policy == "none" and method.settings.drop_after_rejections:
        raise ACEConfigError(
            "evolution.method.config.drop_after_rejections has no meaning under evolution.evaluation.policy: none, which "
            "rejects nothing"
        )
    work_dir = _work_dir(".reef" if read.work_dir is None else read.work_dir)
    reefs = {
        # The method reads no rejected proposals, and each would be in every commit with the whole of its rules.
        "max_rejected_history": 0,
        "proposals_dir": str(work_dir / "proposals"),
        **{key: value for key, value in section.items() if key not in _Ours.__struct_fields__},
        **selection,
        "models": models,
        "seed": _seed(read.seed),
    }
    keep = _read(_KeepSteps, "evolution.keep_steps", read.keep_steps)
    return Plan(method, work_dir, Keep(int(keep.count), int(keep.days), int(keep.megabytes)), reefs)


def _read[S: _Section](section: type[S], where: str, value: object) -> S:
    """The section at this place; what is wrong is one sentence that names the key and its value."""
    given = {} if value is None else _mapping(where, value)
    for key in given:  # Reef 0.1.3: passes over a key that it does not know
        if key not in section.__struct_fields__:
            known = section.__struct_fields__
            told = _hint(str(key), known) or f": there are {', '.join(known)}"
            raise ACEConfigError(f"there is no key {where}.{key}{told}")
    try:
        return msgspec.convert(dict(given), section)
    except UnicodeEncodeError:
        raise ACEConfigError(f"{where} holds a text that is not valid Unicode") from None
    except msgspec.ValidationError as error:
        if error.__cause__ is not None:  # of `__post_init__`
            raise ACEConfigError(f"{where}{error.__cause__}") from None
        (key,) = re.findall(r"`\$\.(\w+)[^`]*`$", str(error))
        (meaning,) = get_type_hints(section, include_extras=True)[key].__metadata__
        raise ACEConfigError(
            f"{where}.{key} must be {meaning.description}, not {shown(given[key])}"
        ) from None


def _mapping(where: str, value: object) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise ACEConfigError(f"{where} must be a section of keys, not {shown(value)}")
    return value


def _hint(key: str, known: Iterable[str]) -> str:
    """The known key that was meant, as the end of a sentence; empty if none is close."""
    close = difflib.get_close_matches(key, known, n=1)
    return f": did you mean {close[0]}?" if close else ""


def _method(section: _Method, models: tuple[str, ...]) -> ACE:
    module, _, name = section.module.partition(":")
    try:
        kind = getattr(import_module(module), name)
    except Exception as error:  # noqa: BLE001 - whatever a module does when it is imported
        raise ACEConfigError(
            f"evolution.method.module {section.module!r} cannot be imported: {error}"
        ) from None
    if not isinstance(kind, type) or not issubclass(kind, ACE):
        raise ACEConfigError(f"evolution.method.module {section.module!r} is not ace:ACE nor made from it")
    try:
        method = kind(parse_settings(section.config or {}))
    except SettingsError as error:
        raise ACEConfigError(f"evolution.method.config: {error}") from None
    if method.settings.book:
        _see_book(method.settings)
    model, known = method.settings.model, ("served", *models)
    if model not in known:
        raise ACEConfigError(
            f"evolution.method.config.model names {model!r}, and there is no such model: "
            f"there are {', '.join(known)}{_hint(model, known)}"
        )
    return method


def _see_book(settings: ACESettings) -> None:
    """Raises `ACEConfigError` for a shared book that cannot be used."""
    try:
        parse_address(settings.book)
    except ConfigError as error:
        raise ACEConfigError(f"evolution.method.config.book: {error}") from None
    if importlib.util.find_spec("psycopg") is None:
        raise ACEConfigError(
            "evolution.method.config.book: a shared book needs psycopg: pip install 'ace-lessons[postgres]'"
        )
    if settings.drop_after_rejections:
        raise ACEConfigError(
            "evolution.method.config.drop_after_rejections removes lessons that one host rejected, and a shared book is not one "
            "host's: leave it at 0"
        )


def _work_dir(value: str) -> Path:
    if not value.strip():
        raise ACEConfigError(f"evolution.work_dir must be a folder, not {value!r}")
    folder = _folder("work_dir", value)
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise ACEConfigError(f"evolution.work_dir is {folder}, and nothing can be written in {there}")
    return folder


def _folder(key: str, value: str) -> Path:
    """The folder by its whole path, whether or not there is one."""
    try:
        folder = Path(value).expanduser().resolve()
        folder.exists()
    except (
        OSError,
        RuntimeError,
        ValueError,
    ) as error:  # of a path that no file system takes, of an unknown user
        raise ACEConfigError(f"evolution.{key} cannot be the folder {value!r}: {error}") from None
    return folder


# --- the seed -------------------------------------------------------------------------------------------------------


def _seed(value: object) -> list[Any]:
    """The seed as the list that Reef takes: its entries, and references to sequences of entries (`module:name`).

    A text names a folder with a `rules.md`, relative to where `reef serve` is started.
    """
    if value is None:
        return []
    if not isinstance(value, str):
        if not isinstance(value, Sequence):
            raise ACEConfigError("evolution.seed must be a folder, or a list of entries {id, name, config}")
        return list(value)
    if not value.strip():
        raise ACEConfigError("evolution.seed is empty: name a folder, or leave it out")
    folder = _folder("seed", value)
    if not folder.is_dir():
        raise ACEConfigError(f"evolution.seed: there is no folder {value}")
    try:
        names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("."))
        if others := [name for name in names if name != FILE]:
            raise ACEConfigError(
                f"evolution.seed: of {value} only {FILE} is read, and there is also {', '.join(others)}"
            )
        text = (folder / FILE).read_bytes().decode()
    except FileNotFoundError:
        raise ACEConfigError(f"evolution.seed: there is no {FILE} in {value}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ACEConfigError(f"evolution.seed: {FILE} in {value} cannot be read: {error}") from None
    return [{"id": ENTRY, "name": "rules", "config": {"text": text}}]


def check_entries(entries: Iterable[object], adapter: object) -> None:
    """See that a scenario can begin with these entries, references resolved: Reef admits them, and markers appear only where
    the method's block is, which is empty. Raises `ACEConfigError`.
    """
    seed = [entry for entry in entries if isinstance(entry, Mapping)]
    for entry in seed:
        _check_keys(entry)
    try:
        refused = _refused(seed, get_adapter(str(adapter)))
        check_markers(seed)
        rules = (rules_text(seed) or "").encode(errors="replace")
    except DescriptorError as error:
        raise ACEConfigError(str(error)) from None
    except (MutationError, MarkerError) as error:
        raise ACEConfigError(f"evolution.seed: {error}") from None
    except Exception as error:  # noqa: BLE001 - whatever Reef's loader makes of it
        # Reef 0.1.3: an option of the loader's (`isolate: zzz`) is not checked before it is used.
        raise ACEConfigError(
            f"evolution.seed: Reef cannot load it: {type(error).__name__}: {error}"
        ) from None
    if refused:
        raise ACEConfigError(f"evolution.seed: Reef refuses it: {refused}")
    span = find_block(rules)
    if span is not None and any(line.strip() for line in rules[span.start : span.end].splitlines()[1:-1]):
        # A scenario begins with an empty playbook, and its first step would put that playbook's block in the place of this.
        raise ACEConfigError(
            f"evolution.seed: there is text in the playbook's block of the entry `{ENTRY}`, which the first step would "
            "remove: take it out of the block. To begin with what a scenario has learned, name its release when you "
            "make the new one (release_id)"
        )


def _check_keys(entry: Entry) -> None:
    """See that an entry has the keys that it can have. Reef 0.1.3 passes over others, here and in its config."""
    name = f"the entry {entry.get('id')!r}"
    for key in entry:
        if key not in _ENTRY_KEYS:
            raise ACEConfigError(
                f"evolution.seed: {name} has a key {key}, and there are {', '.join(_ENTRY_KEYS)}"
            )
    config = entry.get("config")
    keys = tuple(config) if isinstance(config, Mapping) else ()
    known = _CONFIG_KEYS.get(str(entry.get("name")), keys)
    for key in keys:
        if key not in known:
            raise ACEConfigError(
                f"evolution.seed: the config of {name} has a key {key}, and there is {' and '.join(known)} alone"
            )
    for key in ("id", "name"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise ACEConfigError(f"evolution.seed: the entry {dict(entry)!r} needs a text as {key}")


def _refused(seed: Sequence[Entry], adapter: AdapterDescriptor) -> str | None:
    options = [(entry["id"], {key: entry[key] for key in entry if key != "id"}) for entry in seed]
    return admit_mutations((), [Mutation("create", *each) for each in options], adapter)[1]


# --- what Reef made of it -------------------------------------------------------------------------------------------


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


def operator_token(environ: Mapping[str, str]) -> str:
    """The operator's secret, from the service's environment; empty if there is none. Raises `ACEConfigError` for one that is too
    short.
    """
    token = environ.get(VARIABLE, "").strip()
    if token and len(token) < LEAST_SECRET:
        raise ACEConfigError(
            f"the variable {VARIABLE} holds {len(token)} characters, and an operator's secret needs at least {LEAST_SECRET}: "
            "`openssl rand -hex 32` makes one"
        )
    return token


def warn_of_keys(models: Mapping[str, Mapping[str, Any]], environ: Mapping[str, str]) -> None:
    """Say in the log which variable that is to hold a model's key is not there: Reef 0.1.3 then asks without one, which not
    every endpoint minds.
    """
    for name, model in models.items():
        variable = model.get("api_key_env")
        if isinstance(variable, str) and not environ.get(variable, "").strip():
            _log.warning(
                "evolution.models.%s.api_key_env names %s, and there is no such variable: its calls have no key",
                name,
                variable,
            )
