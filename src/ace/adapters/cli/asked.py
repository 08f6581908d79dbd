"""What the options of `ace learn` ask for: the settings, and the model that answers."""

from __future__ import annotations

import json
import os
import shlex
from argparse import Namespace
from urllib.parse import urlsplit

from ace.adapters.cli.telling import say
from ace.adapters.method import Model
from ace.adapters.models import RecordedModel, endpoint, load_calls
from ace.adapters.models.options import named_model, named_url
from ace.domain.errors import AceError, SettingsError
from ace.domain.settings import ACESettings, parse_settings

__all__ = ["check_of", "goes_to", "model_name", "model_of", "settings_of"]


def settings_of(options: Namespace) -> ACESettings:
    """The settings given with `--set`. Raises `SettingsError`."""
    settings = parse_settings(dict(map(_assignment, options.set)))
    if settings.model != "served":
        raise SettingsError(
            f"the command line has no model called {settings.model!r}: name it with --model instead"
        )
    return settings


def check_of(options: Namespace) -> str | None:
    """The command given with `--check`. Raises `AceError` if it is none."""
    command: str | None = options.check
    if command is not None and not _words(command):
        raise AceError(f"--check takes a command, and {command!r} is none: leave it out, or give one")
    return command


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:  # an open quote
        return []


def _assignment(text: str) -> tuple[str, object]:
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise SettingsError(f"--set takes KEY=VALUE, such as max_bullets=50, not {text!r}")
    try:
        return key.strip(), json.loads(value)
    except (ValueError, RecursionError):
        return key.strip(), value


def model_name(options: Namespace) -> str:
    """What the model is called that the options and the environment name; `served` if none is."""
    given = named_model(options.model, os.environ)
    return "served" if given is None or options.replies is not None else given


def goes_to(options: Namespace) -> str:
    """The host that runs would be sent to; empty if they are sent nowhere."""
    if options.replies is not None:
        return ""
    return urlsplit(named_url(options.base_url, os.environ)).hostname or ""


def model_of(options: Namespace) -> Model:
    """The live endpoint, or recorded replies. Raises `AceError` for options that do not go together."""
    live = {
        "--base-url": options.base_url,
        "--model": options.model,
        "--api-key-env": options.api_key_env,
        "--max-tokens": options.max_tokens,
        "--temperature": options.temperature,
        "--body": options.body,
        "--header": options.header,
        "--schema": options.schema,
        "--timeout": options.timeout,
    }
    if options.replies is None:
        if options.strict:
            raise AceError("--strict goes with --replies: leave one out or add the other")
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
    if given := [name for name, value in live.items() if value not in (None, [])]:
        raise AceError(f"--replies answers in place of a model: leave out {given[0]}, or leave out --replies")
    return RecordedModel(load_calls(options.replies), strict=options.strict, on_difference=say)
