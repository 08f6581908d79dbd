"""What `ace learn` is asked for: by its options, else by the environment, else by the configuration."""

from __future__ import annotations

import json
import os
import shlex
from argparse import Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from ace.adapters.cli.folder import WORK
from ace.adapters.cli.moments import seconds_of, utc_of
from ace.adapters.cli.output import say
from ace.adapters.models import CommandModel, RecordedModel, endpoint, load_calls
from ace.adapters.models.command import DEFAULT_TIMEOUT_S
from ace.adapters.models.options import named_model, named_url
from ace.adapters.store.config import Config, project_of
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError, ConfigError, SettingsError
from ace.domain.screens import redact
from ace.domain.settings import ACESettings
from ace.ports import Model

__all__ = [
    "assignment",
    "check_of",
    "configured",
    "goes_to",
    "model_name",
    "model_of",
    "settings_of",
    "take_sessions",
]


def configured(options: Namespace, config: Config) -> Namespace:
    """The options with what the configuration says where they and the environment say nothing. Raises `ConfigError` for what
    it may not say untrusted.
    """
    given = Namespace(**vars(options))
    take_sessions(given, config)
    given.check, given.check_from = options.check, None
    if options.check is None:
        given.check, given.check_from = config.check, project_of(config.path.parent)
    given.runs_per_step = options.runs_per_step or config.runs_per_step
    given.review = options.review or config.review
    given.command_from = None
    if options.replies is None and not _configure_command(given, config):
        _configure_model(given, config)
    return given


def take_sessions(given: Namespace, config: Config) -> None:
    """Where the runs are, and which of them count: what the options name, else what the configuration does. `named` says that it
    was the options; what the configuration says of its own sessions does not count for these.
    """
    given.named = bool(given.traces or given.tools)
    if not given.named:
        given.traces, given.tools = config.traces, config.tools
        try:
            if given.settle is None and config.settle is not None:
                given.settle = seconds_of(config.settle)
            if given.since is None and config.since is not None:
                utc_of(config.since)
                given.since = config.since
        except ConfigError:
            raise
        except AceError as error:
            raise ConfigError(f"{config.path}: {error}") from None
    if given.project is None:
        given.project = config.path.parent.parent if config.path.parent.name == WORK else Path.cwd()


_COMMAND = "ACE_MODEL_COMMAND"
_ENDPOINT = ("OPENAI_BASE_URL", "REEF_UPSTREAM_URL", "OPENAI_MODEL", "REEF_UPSTREAM_MODEL")
"""The variables that name an endpoint or its model."""


def _configure_command(given: Namespace, config: Config) -> bool:
    """Whether a command is the model: by the option, else by the environment, else by the configuration. An endpoint that is named
    in an earlier one of these beats a command in a later one.
    """
    if given.model_command is not None:
        return True
    if given.base_url is not None or given.model is not None:
        return False
    if command := _set(_COMMAND):
        given.model_command = command
        return True
    if config.says("command") is None:
        return False
    if named := next(filter(_set, _ENDPOINT), None):
        say(f"The variable {named} names an endpoint, and beats the command in {config.path}.")
        return False
    given.model_command = config.model("command", "--model-command")
    given.command_from = project_of(config.path.parent)
    if given.timeout is None:
        given.timeout = config.model("timeout", "--timeout")
    return True


def _configure_model(given: Namespace, config: Config) -> None:
    url = given.base_url or _set("OPENAI_BASE_URL") or _set("REEF_UPSTREAM_URL")
    # A secret that the file names is for the address that it names, and goes to no other one.
    elsewhere = bool(url) and url.rstrip("/") != (config.says("base_url") or "").rstrip("/")
    if not url:
        given.base_url = config.model("base_url", "--base-url")
    if given.model is None and not (_set("OPENAI_MODEL") or _set("REEF_UPSTREAM_MODEL")):
        given.model = config.model("name", "--model")
    if elsewhere and config.trusted:
        if config.says("headers") or config.says("api_key_env"):
            say(f"The keys and headers that {config.path} names are not sent: they are for its own base_url.")
    else:
        given.header = _merged(given.header, config.model("headers", "--header"), fold=str.casefold)
        if given.api_key_env is None:
            given.api_key_env = config.model("api_key_env", "--api-key-env")
    for key in ("timeout", "max_tokens", "temperature", "schema"):
        if getattr(given, key) is None:
            setattr(given, key, config.model(key, f"--{key.replace('_', '-')}"))
    body = {key: json.dumps(value) for key, value in config.model("body", "--body").items()}
    given.body = _merged(given.body, body, fold=str)


def _set(variable: str) -> str:
    return os.environ.get(variable, "").strip()


def _merged(texts: Sequence[str], more: Mapping[str, str], *, fold: Callable[[str], str]) -> list[str]:
    """KEY=VALUE texts, and those of the configuration whose key is not among them."""
    keys = {fold(text.partition("=")[0].strip()) for text in texts}
    return [*texts, *(f"{key}={value}" for key, value in more.items() if fold(key.strip()) not in keys)]


def settings_of(options: Namespace, config: Config, folder: FolderBook) -> ACESettings:
    """The settings: those given with `--set`, else those of the configuration; a shared book has its own. Raises `SettingsError`,
    and `BookError` for one that differs from the book's.
    """
    given = dict(map(assignment, options.set))
    if "book" in given:
        raise SettingsError("the shared book is named with --book, not with --set")
    own = {key: value for key, value in config.settings.items() if key != "book"}
    settings = folder.settings_for({**own, **given})
    if settings.model != "served":
        raise SettingsError(
            f"the command line has no model called {settings.model!r}: name it with --model instead"
        )
    return settings


def check_of(options: Namespace) -> str | None:
    """The command given with `--check`. Raises `AceError` if it is none."""
    command: str | None = options.check
    if command is not None and not _words(command):
        raise AceError(f"--check must be a command, not {command!r}: give one, or leave it out")
    return command


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote
        return []


def assignment(text: str) -> tuple[str, object]:
    """The key and the value that `--set` gives. Raises `SettingsError`."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise SettingsError(f"--set takes KEY=VALUE, such as max_bullets=50, not {text!r}")
    try:
        return key.strip(), json.loads(value)
    except ValueError:
        return key.strip(), value
    except RecursionError:
        raise SettingsError(f"--set {key.strip()} is nested too deeply: write its value flatter") from None


def model_name(options: Namespace) -> str:
    """What the model is called that the options and the environment name; `served` if none is."""
    if options.replies is not None:
        return "served"
    if options.model_command is not None:
        return redact(options.model_command)
    return named_model(options.model, os.environ) or "served"


def goes_to(options: Namespace) -> str:
    """The host, or the command, that runs would be sent to; empty if they are sent nowhere."""
    if options.replies is not None:
        return ""
    if options.model_command is not None:
        return f"the command {next(iter(_words(options.model_command)), '')}"
    return urlsplit(named_url(options.base_url, os.environ)).hostname or ""


def model_of(options: Namespace) -> Model:
    """The live endpoint, the command, or recorded replies. Raises `AceError` for options that do not go together."""
    of_endpoint = {
        "--base-url": options.base_url,
        "--model": options.model,
        "--api-key-env": options.api_key_env,
        "--max-tokens": options.max_tokens,
        "--temperature": options.temperature,
        "--body": options.body,
        "--header": options.header,
        "--schema": options.schema,
    }
    given = [name for name, value in of_endpoint.items() if value not in (None, [])]
    if options.replies is None and options.strict:
        raise AceError("--strict goes with --replies: leave one out or add the other")
    if options.replies is None and options.model_command is not None:
        if given:
            raise AceError(
                f"{given[0]} is for an endpoint, and a command is the model (--model-command, {_COMMAND}): leave one out. A command "
                "takes its model and options in its own words, and {schema} among them for the reply's schema"
            )
        return CommandModel(
            options.model_command,
            timeout_s=DEFAULT_TIMEOUT_S if options.timeout is None else options.timeout,
            folder=options.command_from,
        )
    if options.replies is None:
        return endpoint(
            options.base_url,
            options.model,
            options.api_key_env,
            os.environ,
            timeout_s=120.0 if options.timeout is None else options.timeout,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
            body=options.body,
            headers=options.header,
            schema=options.schema or "auto",
        )
    if options.timeout is not None:
        given.append("--timeout")
    if options.model_command is not None:
        given.append("--model-command")
    if given:
        raise AceError(f"--replies answers in place of a model: leave out {given[0]}, or leave out --replies")
    return RecordedModel(load_calls(options.replies), strict=options.strict, on_difference=say)
