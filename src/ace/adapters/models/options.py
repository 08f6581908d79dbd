"""Which endpoint, model and key: options first, then the environment. No call is made here."""

from __future__ import annotations

import math
from collections.abc import Mapping
from urllib.parse import urlsplit

from ace.adapters.models.live import OpenAIModel
from ace.domain.errors import EndpointError, SettingsError

__all__ = ["endpoint"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
"""The SDK's own default, given to it outright: left to itself it would read a base URL from the process's environment."""


def endpoint(
    base_url: str | None,
    model: str | None,
    api_key_env: str | None,
    environ: Mapping[str, str],
    *,
    timeout_s: float = 120.0,
    retries: int = 4,
) -> OpenAIModel:
    """The model that options and environment name. An empty value counts as none.

    - base URL: `base_url`, else `OPENAI_BASE_URL`, else `REEF_UPSTREAM_URL`, else OpenAI's;
    - model: `model`, else `OPENAI_MODEL`, else `REEF_UPSTREAM_MODEL`;
    - key: the variable that `api_key_env` names, else `OPENAI_API_KEY`, else none if a base URL is given.

    `timeout_s` (seconds) and `retries` are `OpenAIModel`'s. Raises `EndpointError` with what to give, and
    `SettingsError` for an impossible number.
    """
    _possible(timeout_s, retries)
    url = _first(base_url, environ.get("OPENAI_BASE_URL"), environ.get("REEF_UPSTREAM_URL"))
    name = _first(model, environ.get("OPENAI_MODEL"), environ.get("REEF_UPSTREAM_MODEL"))
    if name is None:
        raise EndpointError("no model is named: give --model, or set OPENAI_MODEL or REEF_UPSTREAM_MODEL")
    return OpenAIModel(
        base_url=_checked(url or DEFAULT_BASE_URL),
        model=name,
        api_key=_key(api_key_env, environ, needed=url is None),
        timeout_s=timeout_s,
        retries=retries,
    )


def _first(*values: str | None) -> str | None:
    return next((value.strip() for value in values if value and value.strip()), None)


def _possible(timeout_s: float, retries: int) -> None:
    if not (math.isfinite(timeout_s) and timeout_s > 0):
        raise SettingsError(f"the time-out is {timeout_s}: give a number of seconds above 0")
    if retries < 0:
        raise SettingsError(f"the number of retries is {retries}: give 0 or more")


def _checked(url: str) -> str:
    """The URL, if something can be sent there: without `http://` every retry would be spent before that shows."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise EndpointError(
            "the base URL is no http:// or https:// address: give one like http://localhost:8000/v1"
        )
    return url


def _key(option: str | None, environ: Mapping[str, str], *, needed: bool) -> str | None:
    variable = option or "OPENAI_API_KEY"
    key = _first(environ.get(variable))
    if option and not option.isidentifier():
        # Most likely the key itself: it is not repeated.
        raise EndpointError(
            "the option for the key takes the name of an environment variable, such as OPENAI_API_KEY"
        )
    if key is None and option:
        raise EndpointError(f"the environment variable {option}, named for the key, is not set")
    if key is None and needed:
        raise EndpointError(
            "no key and no base URL: set OPENAI_API_KEY, or give --base-url for a server that needs no key"
        )
    if key is not None and not (key.isascii() and key.isprintable()):
        raise EndpointError(f"the key in {variable} holds characters that no key has: set it again")
    return key
