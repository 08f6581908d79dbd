"""`config.toml` in the work folder: what would otherwise have to be said each time.

    rules = ["AGENTS.md"]           the files that get the block
    traces = ["logs/*.jsonl"]       the recorded runs that `ace learn` reads
    check = "make check-rules"      a command that may refuse the new rules
    runs_per_step = 1
    [model]                         base_url, name, api_key_env, timeout, max_tokens, temperature, schema
    [model.body]                    more keys of the request's body
    [model.headers]                 a header's name = the environment variable with its value
    [settings]                      the playbook's settings, as with --set

Paths are relative to the *project*: the folder that holds the work folder if that one is called `.ace`, else the work folder
itself.

The file can come with a clone, from anybody. Until the user trusts it (see `trust`), only this counts: settings that are the
playbook's own, and rules files inside of the project. Whatever else it says is an error for the command that needs it, and
never a default in its place.
"""

from __future__ import annotations

import difflib
import json
import math
import os
import stat
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ace.adapters.files import replace
from ace.adapters.trust import is_trusted, trust
from ace.domain.errors import ConfigError
from ace.domain.screens import excerpt

__all__ = [
    "NAME",
    "Config",
    "ModelConfig",
    "project_of",
    "read_config",
    "remember_rules",
    "why_not_inside",
    "write_config",
]

NAME = "config.toml"

_MOST_BYTES = 1_000_000
_NEEDS_TRUST = ("model", "book", "acting_lessons")
"""Settings that are not the playbook's own: whom it asks, where it is kept, and what it may make the agent do."""


class ModelConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The endpoint and the model. `headers` maps a header's name to the environment variable with its value."""

    base_url: str | None = None
    name: str | None = None
    api_key_env: str | None = None
    timeout: float | None = None
    max_tokens: int | None = None
    temperature: float | None = None
    schema: Literal["auto", "on", "off"] | None = None
    body: dict[str, Any] = {}
    headers: dict[str, str] = {}


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    rules: list[str] | None = None
    traces: list[str] | None = None
    check: str | None = None
    runs_per_step: int | None = None
    model: ModelConfig = ModelConfig()
    settings: dict[str, Any] = {}


class Config:
    """What the file says. A missing file says nothing, and needs no trust."""

    def __init__(self, path: Path, data: bytes | None) -> None:
        self.path = path
        self.data = data
        self.trusted = data is None or is_trusted(path, data)
        self._file = _File() if data is None else _parsed(path, data)

    @property
    def runs_per_step(self) -> int | None:
        """How many runs make a step."""
        return self._needed("runs_per_step", self._file.runs_per_step, "--runs-per-step")

    @property
    def check(self) -> str | None:
        """The command that may refuse the new rules."""
        return self._needed("check", self._file.check, "--check")

    @property
    def traces(self) -> list[Path]:
        """The files of recorded runs that the patterns find, in order. Raises `ConfigError` for a pattern that finds none."""
        patterns = self._needed("traces", self._file.traces, "the files of recorded runs")
        found: list[Path] = []
        for pattern in patterns or ():
            paths = _matching(project_of(self.path.parent), pattern)
            if not paths:
                raise ConfigError(f"{self.path}: traces: {pattern} finds no file")
            found += [path for path in paths if path not in found]
        return found

    @property
    def settings(self) -> dict[str, Any]:
        """The playbook's settings."""
        for key in _NEEDS_TRUST:
            if key in self._file.settings:
                self._needed(f"settings.{key}", self._file.settings[key], "")
        return self._file.settings

    def model(self, key: str, option: str) -> Any:
        """What the file says of the model under this key; None or nothing if it says nothing."""
        return self._needed(f"model.{key}", getattr(self._file.model, key), option)

    def names(self, key: str) -> bool:
        """Whether the file says anything of the model under this key, which may need trust to be used."""
        return bool(getattr(self._file.model, key))

    @property
    def names_rules(self) -> bool:
        """Whether the file names rules files."""
        return bool(self._file.rules)

    @property
    def rules(self) -> list[Path]:
        """The rules files. Raises `ConfigError` for one that needs trust."""
        for path in self._rules:
            if not self.trusted and (flaw := why_not_inside(path, project_of(self.path.parent))):
                raise self._untrusted(f"it names the rules file {path}, which {flaw}", "--rules")
        return self._rules

    @property
    def _rules(self) -> list[Path]:
        project = project_of(self.path.parent)
        return [project / Path(name).expanduser() for name in self._file.rules or ()]

    @property
    def only_by_trust(self) -> list[str]:
        """What the file says that counts only if it is trusted."""
        project = project_of(self.path.parent)
        told = [f"write the block into {path}" for path in self._rules if why_not_inside(path, project)]
        if self._file.traces:
            told.append(f"read the runs in {', '.join(self._file.traces)}")
        if self._file.check:
            told.append(f"run the command {self._file.check!r}")
        if self._file.model.base_url:
            told.append(f"send runs to {self._file.model.base_url!r}")
        if variables := [*filter(None, [self._file.model.api_key_env]), *self._file.model.headers.values()]:
            told.append(f"send what the environment has in {', '.join(variables)}")
        return told

    def _needed[T](self, key: str, value: T, option: str) -> T:
        if value not in (None, {}) and not self.trusted:
            raise self._untrusted(f"it sets {key}", option)
        return value

    def _untrusted(self, what: str, option: str) -> ConfigError:
        instead = f", or give {option}" if option else ""
        return ConfigError(
            f"{self.path} is not trusted, and {what}: look at it and say `ace trust --work {self.path.parent}`{instead}"
        )


def project_of(work: Path) -> Path:
    """The folder that a configuration's paths are relative to."""
    whole = Path(os.path.abspath(work))
    return whole.parent if whole.name == ".ace" else whole


def why_not_inside(path: Path, project: Path) -> str | None:
    """Why a file may not be written for a configuration that nobody vouches for, or None. Links are resolved."""
    real, home = Path(os.path.realpath(path)), Path(os.path.realpath(project))
    if not real.is_relative_to(home):
        return f"is outside of {project}"
    # Some file systems take `.GIT` for `.git`.
    inner = [part.casefold() for part in real.relative_to(home).parts]
    own = next((name for name in (".git", ".ace") if name in inner), None)
    return None if own is None else f"is inside of {own}"


# --- reading --------------------------------------------------------------------------------------------------------


def read_config(work: Path) -> Config:
    """The configuration of a work folder. Raises `ConfigError` for one that cannot be used, and `OSError`."""
    path = work / NAME
    try:
        # A link may lead to a device that never ends, and a pipe would wait.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except FileNotFoundError:
        return Config(path, None)
    except OSError:
        if path.is_symlink():
            raise ConfigError(f"{path} is a symbolic link: put the file itself in its place") from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ConfigError(f"{path} is no file")
    with open(descriptor, "rb") as file:
        data = file.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} is longer than {_MOST_BYTES:,} bytes")
    return Config(path, data)


def _parsed(path: Path, data: bytes) -> _File:
    try:
        table = tomllib.loads(data.decode())
    except (ValueError, RecursionError) as error:
        raise ConfigError(f"{path} is not TOML in UTF-8: {excerpt(str(error))}") from None
    for struct, keys, where in ((_File, table, ""), (ModelConfig, table.get("model"), "model.")):
        for key in keys if isinstance(keys, dict) else ():
            if key not in struct.__struct_fields__:
                raise ConfigError(f"{path}: {_unknown(where, key, struct.__struct_fields__)}")
    try:
        file = msgspec.convert(table, _File, strict=True)
    except msgspec.ValidationError as error:
        what, _, where = str(error).partition(" - at `$.")
        raise ConfigError(f"{path}: {where.rstrip('`') or 'it'}: {what[:1].lower()}{what[1:]}") from None
    _see_values(path, file)
    return file


def _unknown(where: str, key: str, known: Iterable[str]) -> str:
    names = list(known)
    close = difflib.get_close_matches(key, names, n=1)
    return f"there is no key {where}{excerpt(key, 40)}: " + (
        f"did you mean {where}{close[0]}?"
        if close
        else f"there are {', '.join(where + name for name in names)}"
    )


def _see_values(path: Path, file: _File) -> None:
    for key, names in (("rules", file.rules), ("traces", file.traces)):
        if names is not None and not all(name.strip() and "\0" not in name for name in names):
            raise ConfigError(f"{path}: {key}: each is the path of a file")
    for key, value in (
        ("runs_per_step", file.runs_per_step),
        ("model.max_tokens", file.model.max_tokens),
    ):
        if value is not None and value < 1:
            raise ConfigError(f"{path}: {key} must be a whole number of at least 1, not {value}")
    for key, number in (("timeout", file.model.timeout), ("temperature", file.model.temperature)):
        if number is not None and not math.isfinite(number):
            raise ConfigError(f"{path}: model.{key} must be a number, not {number}")
    try:
        json.dumps(file.model.body, allow_nan=False)
    except (TypeError, ValueError):
        raise ConfigError(
            f"{path}: model.body holds a value that JSON has not, such as a date or nan"
        ) from None
    if odd := [key for key in (*file.model.body, *file.model.headers) if not key.strip() or "=" in key]:
        raise ConfigError(f"{path}: {excerpt(odd[0], 40)!r} is no name of a key or header")


def _matching(project: Path, pattern: str) -> list[Path]:
    path = Path(pattern).expanduser()
    root = Path(path.anchor) if path.is_absolute() else project
    relative = path.relative_to(path.anchor) if path.is_absolute() else path
    if not any(sign in pattern for sign in "*?["):
        return [root / relative]
    # Sorted, so that files that are named by their time are read in its order.
    return sorted(found for found in root.glob(str(relative)) if found.is_file())


# --- writing --------------------------------------------------------------------------------------------------------

_TEMPLATE = """\
# What `ace` would otherwise have to be told each time. Paths are relative to {project}.
# An option beats an environment variable, and that beats this file.
# Who gets this file with a clone looks at it once, and says `ace trust`.

# The files that your agent reads: each gets the block of lessons.
rules = {rules}

# The recorded runs that `ace learn` reads if it is given none.
# traces = ["logs/*.jsonl"]

# A command that gets the new rules file as its last argument; a non-zero exit status refuses it.
# check = "make check-rules"

# runs_per_step = 1

# [model]
# base_url = "http://localhost:8000/v1"
# name = "qwen3-8b"
# api_key_env = "OPENAI_API_KEY"
# max_tokens = 8000

# [model.body]
# chat_template_kwargs = {{ enable_thinking = false }}

# [model.headers]
# api-key = "AZURE_API_KEY"

# [settings]
# max_bullets = 100
"""

_IGNORED = """\
# One machine's own: caches, locks, and the records of steps, which hold what was said in the runs.
# config.toml, history/ and state/ are for everyone who works on the project.
/cache/
/steps/
/lock
/learn.lock
.*.tmp
"""


def write_config(work: Path, rules: Sequence[Path]) -> Config:
    """Write a new configuration, which is trusted as it is written, and a `.gitignore` beside it. Raises `OSError`, and
    `ConfigError` for a path that no such file can hold.
    """
    path = work / NAME
    told = (
        "the folder that holds this one" if project_of(work) != Path(os.path.abspath(work)) else "this folder"
    )
    data = _TEMPLATE.format(project=told, rules=_toml(path, _names(work, rules))).encode()
    replace(path, data)
    if not os.path.lexists(work / ".gitignore"):
        replace(work / ".gitignore", _IGNORED.encode())
    _trust(path, data)
    return Config(path, data)


def remember_rules(config: Config, rules: Sequence[Path]) -> Config:
    """Add rules files to a configuration that names none. A trusted one stays so; one that is not does not become so."""
    if config.data is None:
        return write_config(config.path.parent, rules)
    line = f"rules = {_toml(config.path, _names(config.path.parent, rules))}\n"
    # A key in front is at the top of the file, whatever tables stand in it.
    data = line.encode() + config.data
    replace(config.path, data)
    if config.trusted:
        _trust(config.path, data)
    return Config(config.path, data)


def _trust(path: Path, data: bytes) -> None:
    try:
        trust(path, data)
    except OSError as error:
        raise ConfigError(
            f"{path} is written, but that it is trusted cannot be kept ({error.filename}: {error.strerror}): set "
            "XDG_STATE_HOME to a folder of yours, and say `ace trust`"
        ) from None


def _names(work: Path, rules: Sequence[Path]) -> list[str]:
    project = project_of(work)
    return [os.path.relpath(os.path.abspath(path), project) for path in rules]


def _toml(path: Path, names: Sequence[str]) -> str:
    """The names as a TOML array. JSON's strings are TOML's, but for one control character."""
    try:
        text = json.dumps(list(names), ensure_ascii=False).replace("\x7f", "\\u007f")
        text.encode()
    except UnicodeEncodeError:
        raise ConfigError(
            f"{path} cannot name a file whose name is no text: give it with --rules each time"
        ) from None
    return text
