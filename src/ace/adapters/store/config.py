"""`config.toml` in the work folder: what would otherwise have to be said each time.

    rules = ["AGENTS.md"]           the files that get the block
    book = "postgresql://db/ace"    the shared book, if there is one
    traces = ["logs/*.jsonl"]       the recorded runs that `ace learn` reads: files, folders, patterns
    from = ["claude-code"]          the agents whose own sessions of this project it reads
    since = "30d"                   of these, the runs from then on
    settle = "1h"                   for how long a session rests until its last turn counts
    check = "make check-rules"      a command that may refuse the new rules
    runs_per_step = 1
    review = true                   what is learned waits until `ace accept`
    [model]                         base_url, name, api_key_env, timeout, max_tokens, temperature, schema; or command, timeout
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
import shlex
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from ace.adapters.store.files import open_file, replace, replace_if
from ace.adapters.store.trust import trust, trusted
from ace.domain.errors import ConfigError, SettingsError
from ace.domain.screens import SCREENS, Screen, safe_excerpt
from ace.domain.settings import parse_settings

__all__ = [
    "NAME",
    "Config",
    "keep_trust",
    "project_of",
    "read_config",
    "remember_rules",
    "why_not_inside",
    "write_config",
]

NAME = "config.toml"

_MOST_BYTES = 64_000
_MOST_DOTS = 200
"""On one line: a key of so many parts is as many tables inside of each other, and time and memory grow with their square."""
_NEEDS_TRUST = ("model", "book", "acting_lessons")
"""Settings that are not the playbook's own: whom it asks, where it is kept, and what it may make the agent do."""


class _Model(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The endpoint and the model, or a command in their place. `headers` maps a header's name to the environment variable with its
    value.
    """

    command: str | None = None
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
    book: str | None = None
    traces: list[str] | None = None
    tools: list[str] | None = msgspec.field(default=None, name="from")
    since: str | None = None
    settle: str | int | None = None
    check: str | None = None
    runs_per_step: int | None = None
    review: bool = False
    model: _Model = _Model()
    settings: dict[str, Any] = {}


class Config:
    """What the file says. A missing file says nothing, and needs no trust."""

    def __init__(self, path: Path, data: bytes | None) -> None:
        self.path = path
        self.data = data
        kept = None if data is None else trusted(path, data)
        self.trusted = data is None or kept is not None
        self._outside = () if kept is None else kept.rules_lines
        try:
            self._file = _File() if data is None else _parsed(path, data)
        except RecursionError:
            raise ConfigError(
                f"{path} holds a value that is nested too deeply: write it with fewer brackets"
            ) from None

    @property
    def runs_per_step(self) -> int | None:
        """How many runs make a step."""
        return self._needed("runs_per_step", self._file.runs_per_step, "--runs-per-step")

    @property
    def review(self) -> bool:
        """Whether what is learned waits for a review."""
        return bool(self._needed("review", self._file.review or None, "--review"))

    @property
    def check(self) -> str | None:
        """The command that may refuse the new rules."""
        return self._needed("check", self._file.check, "--check")

    @property
    def traces(self) -> list[Path]:
        """The files and folders of recorded runs that the patterns find, in order. Raises `ConfigError` for a pattern that finds none."""
        patterns = self._needed("traces", self._file.traces, "the files of recorded runs")
        found: list[Path] = []
        for pattern in patterns or ():
            paths = _matching(self.path, self._project, pattern)
            if not paths:
                raise ConfigError(f"{self.path}: traces: {pattern} finds no file: change it, or leave it out")
            found += [path for path in paths if path not in found]
        return found

    @property
    def tools(self) -> list[str]:
        """The agents whose own sessions are read."""
        return self._needed("from", self._file.tools, "--from") or []

    @property
    def since(self) -> str | None:
        """From when on runs count, as `--since` has it."""
        return self._needed("since", self._file.since, "--since")

    @property
    def settle(self) -> str | None:
        """For how long a session rests until its last turn counts, as `--settle` has it."""
        given = self._needed("settle", self._file.settle, "--settle")
        return None if given is None else str(given)

    @property
    def settings(self) -> dict[str, Any]:
        """The playbook's settings."""
        for key in _NEEDS_TRUST:
            if key in self._file.settings:
                self._needed(f"settings.{key}", self._file.settings[key], "")
        return self._file.settings

    @property
    def book(self) -> str:
        """The address of the shared book; empty if there is none. The key is at the top, or among the settings as in a host."""
        own = self._needed("book", self._file.book, "--book")
        return str(own or self._needed("settings.book", self._file.settings.get("book"), "--book") or "")

    @property
    def screens(self) -> tuple[Screen, ...]:
        """The screens that a lesson has to pass; without trust, all of them."""
        given = self._file.settings
        known = {key: given[key] for key in ("acting_lessons",) if key in given}
        return parse_settings(known).screens if self.trusted else SCREENS

    @property
    def max_bullets(self) -> int:
        """The most bullets that the playbook keeps; it counts without trust, too."""
        return parse_settings(_harmless(self._file)).max_bullets

    def model(self, key: str, option: str) -> Any:
        """What the file says of the model under this key; None or nothing if it says nothing."""
        return self._needed(f"model.{key}", self.says(key), option)

    def says(self, key: str) -> Any:
        """What the file says of the model under this key, to be looked at alone: using it may need trust."""
        return getattr(self._file.model, key)

    @property
    def knows_rules(self) -> bool:
        """Whether the file has the key `rules`, be it empty."""
        return self._file.rules is not None

    @property
    def names_rules(self) -> bool:
        """Whether the key `rules` holds at least one path."""
        return bool(self._file.rules)

    @property
    def rules(self) -> list[Path]:
        """The rules files. Raises `ConfigError` for one that needs trust, or that leads elsewhere than when it was trusted."""
        paths = self._rules()
        for path in paths:
            flaw = why_not_inside(path, self._project)
            if flaw and not self.trusted:
                raise self._untrusted(f"it names the rules file {path}, which {flaw}", "--rules")
            if flaw and os.path.realpath(path) not in self._outside:
                raise ConfigError(
                    f"the rules file {path} {flaw}: it led elsewhere when {self.path} was trusted. If you want the block "
                    f"there, say {self._trusting()}, or give --rules"
                )
        return paths

    @property
    def rules_lines(self) -> list[str]:
        """Where the rules files lead that are not inside of the project."""
        return [os.path.realpath(path) for path in self._rules() if why_not_inside(path, self._project)]

    @property
    def only_by_trust(self) -> list[str]:
        """What the file says that counts only if it is trusted, each on one line."""
        model, told = self._file.model, [f"write the block into {path!r}" for path in self.rules_lines]
        if self._file.traces:
            told.append(f"read the runs in {_quoted(self._file.traces)}")
        if self._file.tools:
            told.append(f"read this project's sessions of {_quoted(self._file.tools)}")
        if self._file.book:
            told.append(f"keep the playbook in {self._file.book!r}")
        if self._file.check is not None:
            told.append(f"run the command {self._file.check!r}")
        if model.command is not None:
            told.append(f"give runs to the command {model.command!r}")
        if model.base_url is not None:
            told.append(f"send runs to {model.base_url!r}")
        variables = [
            model.api_key_env or ("OPENAI_API_KEY" if model.base_url else ""),
            *model.headers.values(),
        ]
        if any(variables):
            told.append(f"send there what the environment holds in {_quoted(filter(None, variables))}")
        others = [
            f"model.{key}"
            for key in ("name", "timeout", "max_tokens", "temperature", "schema", "body")
            if self.says(key)
        ]
        others += [f"settings.{key}" for key in _NEEDS_TRUST if key in self._file.settings]
        others += [
            key for key in ("since", "settle", "runs_per_step") if getattr(self._file, key) is not None
        ]
        others += ["review"] if self._file.review else []
        return [*told, f"set {', '.join(others)} as it says"] if others else told

    @property
    def _project(self) -> Path:
        return project_of(self.path.parent)

    def _rules(self) -> list[Path]:
        return [self._project / _expanded(self.path, name) for name in self._file.rules or ()]

    def _trusting(self) -> str:
        return f"`ace trust --work {shlex.quote(str(self.path.parent))}`"

    def _needed[T](self, key: str, value: T, option: str) -> T:
        if value not in (None, {}) and not self.trusted:
            raise self._untrusted(f"it sets {key}", option)
        return value

    def _untrusted(self, what: str, option: str) -> ConfigError:
        instead = f", or give {option}" if option else ""
        return ConfigError(
            f"{self.path} is not trusted, and {what}: look at it and say {self._trusting()}{instead}"
        )


def project_of(work: Path) -> Path:
    """The folder that a configuration's paths are relative to, by its real path."""
    real = Path(os.path.realpath(work))
    return real.parent if real.name == ".ace" else real


def _expanded(config: Path, name: str) -> Path:
    try:
        # `./~name` is a file of that name.
        return Path(name).expanduser() if name.startswith("~") else Path(name)
    except RuntimeError:
        raise ConfigError(
            f"{config}: {name!r} names a user who does not exist or has no home folder: write the path out"
        ) from None


def _quoted(texts: Iterable[str]) -> str:
    return ", ".join(map(repr, texts))


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
    if path.is_symlink():
        raise ConfigError(f"{path} is a symbolic link: put the file itself in its place")
    try:
        with open_file(path) as file:
            data = file.read(_MOST_BYTES + 1)
    except FileNotFoundError:
        return Config(path, None)
    if len(data) > _MOST_BYTES:
        raise ConfigError(f"{path} is longer than {_MOST_BYTES:,} bytes: shorten it")
    return Config(path, data)


def _parsed(path: Path, data: bytes) -> _File:
    for number, line in enumerate(data.split(b"\n"), 1):
        if line.count(b".") > _MOST_DOTS:
            raise ConfigError(f"{path}, line {number} has more than {_MOST_DOTS} dots: shorten it")
    try:
        table = tomllib.loads(data.decode("utf-8-sig"))
    except ValueError as error:
        raise ConfigError(
            f"{path} is not TOML in UTF-8 ({safe_excerpt(str(error))}): fix that line"
        ) from None
    for struct, keys, where in ((_File, table, ""), (_Model, table.get("model"), "model.")):
        for key in keys if isinstance(keys, dict) else ():
            if key not in struct.__struct_encode_fields__:
                raise ConfigError(f"{path}: {_unknown(where, key, struct.__struct_encode_fields__)}")
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
    return f"there is no key {where}{safe_excerpt(key, 40)}: " + (
        f"did you mean {where}{close[0]}?"
        if close
        else f"there are {', '.join(where + name for name in names)}"
    )


def _see_values(path: Path, file: _File) -> None:
    for key, names in (("rules", file.rules), ("traces", file.traces)):
        if names is not None and not all(name.strip() and "\0" not in name for name in names):
            raise ConfigError(f"{path}: {key} must hold paths of files, and none of them is empty")
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
        parse_settings(_harmless(file))
    except SettingsError as error:
        raise ConfigError(f"{path}: {error}") from None
    _see_model(path, file.model)


def _harmless(file: _File) -> dict[str, Any]:
    """The settings that need no trust."""
    return {key: value for key, value in file.settings.items() if key not in _NEEDS_TRUST}


def _see_model(path: Path, model: _Model) -> None:
    if model.command is not None:
        told = (key for key in _Model.__struct_fields__ if key not in ("command", "timeout"))
        if other := next((key for key in told if getattr(model, key) not in (None, {})), None):
            raise ConfigError(
                f"{path}: model.command is in the place of an endpoint: leave out model.{other}, or the command"
            )
        if not model.command.strip():
            raise ConfigError(f"{path}: model.command is empty: name a program, or leave it out")
    try:
        json.dumps(model.body, allow_nan=False)
    except (TypeError, ValueError):
        raise ConfigError(
            f"{path}: model.body holds a value that JSON cannot hold, such as a date or nan: write it as a text"
        ) from None
    if model.timeout is not None and model.timeout <= 0:
        raise ConfigError(f"{path}: model.timeout must be more than 0 seconds, not {model.timeout}")
    if model.base_url is not None and not model.base_url.strip():
        raise ConfigError(f"{path}: model.base_url is empty: name the endpoint, or leave it out")
    if len({name.casefold() for name in model.headers}) < len(model.headers):
        raise ConfigError(f"{path}: model.headers names one header twice: leave one out")
    if odd := [key for key in (*model.body, *model.headers) if not key.strip() or "=" in key]:
        raise ConfigError(
            f"{path}: {safe_excerpt(odd[0], 40)!r} cannot be the name of a key or header: write another"
        )


def _matching(config: Path, project: Path, pattern: str) -> list[Path]:
    path = project / _expanded(config, pattern)
    if not any(sign in pattern for sign in "*?["):
        return [path]
    try:
        # Sorted, so that files that are named by their time are read in its order.
        return sorted(
            found
            for found in Path(path.anchor).glob(str(path.relative_to(path.anchor)))
            if found.is_file() or found.is_dir()
        )
    except (ValueError, NotImplementedError):
        raise ConfigError(
            f"{config}: traces: {pattern!r} must be a pattern of files, such as logs/*.jsonl"
        ) from None


# --- writing --------------------------------------------------------------------------------------------------------

_TEMPLATE = """\
# What `ace` would otherwise have to be told each time. Paths are relative to {project}.
# An option beats an environment variable, and that beats this file.
# After an edit, yours or somebody else's, look at this file and say `ace trust`.

# The files that your agent reads: each gets the block of lessons.
rules = {rules}

# The recorded runs that `ace learn` reads if it is given none.
# traces = ["logs/*.jsonl"]

# Or the sessions of this project that an agent keeps itself: claude-code, codex, gemini, opencode, pi.
{sessions}
# Of these, the runs from then on; and for how long a session rests until its last turn counts.
# since = "30d"
# settle = "1h"

# A command that gets the new rules file as its last argument; a non-zero exit status refuses it.
# check = "make check-rules"

# runs_per_step = 1

# Look at lessons before your agent does: what is learned waits until you say `ace review` or `ace accept`.
# review = true

# The model: an endpoint. Or, under [model] alone, `command`: it reads the prompt on its standard input and prints the reply.
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


def write_config(work: Path, rules: Sequence[Path], tools: Sequence[str] = ()) -> Config:
    """Write a new configuration, which is trusted as it is written, and a `.gitignore` beside it; `tools` are the agents whose own
    sessions are read. Raises `OSError`, and `ConfigError` for a path that no such file can hold, and if there is one by now.
    """
    path = work / NAME
    told = (
        "this folder"
        if project_of(work) == Path(os.path.realpath(work))
        else "the folder that holds this one"
    )
    sessions = f"from = {_toml(path, tools)}" if tools else '# from = ["claude-code"]'
    data = _TEMPLATE.format(project=told, rules=_toml(path, _names(work, rules)), sessions=sessions).encode()
    if not os.path.lexists(work / ".gitignore"):
        replace(work / ".gitignore", _IGNORED.encode())
    return _written(path, b"", data, is_trusted=True)


def remember_rules(config: Config, rules: Sequence[Path]) -> Config:
    """Add rules files to a configuration that has no key for them. A trusted one stays so; one that is not does not become so.
    Raises as `write_config` does.
    """
    if config.data is None:
        return write_config(config.path.parent, rules)
    line = f"rules = {_toml(config.path, _names(config.path.parent, rules))}\n"
    # A key in front is at the top of the file, whatever tables it has.
    return _written(config.path, config.data, line.encode() + config.data, is_trusted=config.trusted)


def _written(path: Path, before: bytes, data: bytes, *, is_trusted: bool) -> Config:
    new = Config(path, data)  # what cannot be read again is not written
    if not replace_if(path, before, data):
        raise ConfigError(f"{path} was changed meanwhile, and is left as it is: run the command again")
    if is_trusted:
        keep_trust(new)
    return Config(path, data)


def keep_trust(config: Config) -> None:
    """Trust a configuration as it was read. Raises `ConfigError` if that cannot be kept."""
    try:
        trust(config.path, config.data or b"", config.rules_lines)
    except OSError as error:
        raise ConfigError(
            f"the trust in {config.path} cannot be saved ({error.filename}: {error.strerror}): set XDG_STATE_HOME to a "
            "folder of yours, and say `ace trust`"
        ) from None


def _names(work: Path, rules: Sequence[Path]) -> list[str]:
    project = project_of(work)
    names = [
        os.path.relpath(os.path.join(os.path.realpath(path.parent), path.name), project) for path in rules
    ]
    return [f"./{name}" if name.startswith("~") else name for name in names]


def _toml(path: Path, names: Sequence[str]) -> str:
    """The names as a TOML array. JSON's strings are TOML's, but for one control character."""
    try:
        text = json.dumps(list(names), ensure_ascii=False).replace("\x7f", "\\u007f")
        text.encode()
    except UnicodeEncodeError:
        raise ConfigError(
            f"{path} cannot name a file whose name is not UTF-8: give it with --rules each time"
        ) from None
    return text
