"""Which endpoint, model and key: options first, then the environment. No call is made here.

An error names the option or the variable that the value came from.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ace.adapters.models.live import DEFAULT_BASE_URL, OpenAIModel, SchemaUse
from ace.domain.errors import EndpointError, SettingsError
from ace.domain.screens import replace_surrogates

__all__ = ["endpoint", "named_model", "named_url"]

_TAKEN = ("model", "messages", "stream", "response_format")
"""Keys of the request's body that are the method's own."""

_OPTIONS = {
    "max_tokens": "--max-tokens",
    "max_completion_tokens": "--max-tokens",
    "temperature": "--temperature",
}
"""Keys of the request's body that have an option of their own."""

_FRAMING = ("content-length", "transfer-encoding")
"""Headers that say where the request ends."""


class _Given(NamedTuple):
    """A value and where it came from, an option or a variable."""

    value: str
    source: str


def endpoint(
    base_url: str | None,
    model: str | None,
    api_key_env: str | None,
    environ: Mapping[str, str],
    *,
    timeout_s: float = 120.0,
    retries: int = 4,
    max_tokens: int | None = None,
    temperature: float | None = None,
    body: Sequence[str] = (),
    headers: Sequence[str] = (),
    schema: SchemaUse = "auto",
) -> OpenAIModel:
    """The model that options and environment name. An empty value counts as none.

    - base URL: `base_url`, else `OPENAI_BASE_URL`, else `REEF_UPSTREAM_URL`, else OpenAI's;
    - model: `model`, else `OPENAI_MODEL`, else `REEF_UPSTREAM_MODEL`;
    - key: the variable that `api_key_env` names, else `OPENAI_API_KEY`, else none if a base URL is given.

    `body` holds `KEY=JSON` and `headers` `NAME=VARIABLE`; all else is `OpenAIModel`'s. Raises `EndpointError` with what to
    give, and `SettingsError` for an impossible value.
    """
    if not (math.isfinite(timeout_s) and timeout_s > 0):
        raise SettingsError(f"--timeout must be a number of seconds above 0, not {timeout_s}")
    if retries < 0:
        raise SettingsError(f"the number of retries must be 0 or more, not {retries}")
    if max_tokens is not None and max_tokens < 1:
        raise SettingsError(f"--max-tokens must be a whole number of at least 1, not {max_tokens}")
    if temperature is not None and not (math.isfinite(temperature) and temperature >= 0):
        raise SettingsError(f"--temperature must be a number of at least 0, not {temperature}")
    url = _given_url(base_url, environ)
    name = named_model(model, environ)
    if name is None:
        raise EndpointError(
            "no model is named: give --model, or set OPENAI_MODEL or REEF_UPSTREAM_MODEL, or `name` under [model] in config.toml"
        )
    keys = _each_once("--body", map(_body_key, body), same=str)
    given = {"--max-tokens": max_tokens, "--temperature": temperature}
    for key in keys:
        if given.get(_OPTIONS.get(key, "")) is not None:
            raise SettingsError(f"--body sets {key}, and so does {_OPTIONS[key]}: leave one out")
    sent = _each_once("--header", (_header(text, environ) for text in headers), same=str.casefold)
    return OpenAIModel(
        name,
        base_url=DEFAULT_BASE_URL if url is None else _checked(url),
        api_key=_key(api_key_env, environ, needed=url is None and not sent),
        timeout_s=timeout_s,
        retries=retries,
        max_tokens=max_tokens,
        temperature=temperature,
        body=keys,
        headers=sent,
        schema=schema,
    )


def named_model(option: str | None, environ: Mapping[str, str]) -> str | None:
    """The model's name: the option, else `OPENAI_MODEL`, else `REEF_UPSTREAM_MODEL`; None if there is none."""
    given = _first(("--model", option), *_of(environ, "OPENAI_MODEL", "REEF_UPSTREAM_MODEL"))
    return None if given is None else given.value


def named_url(option: str | None, environ: Mapping[str, str]) -> str:
    """The base URL: the option, else `OPENAI_BASE_URL`, else `REEF_UPSTREAM_URL`, else OpenAI's. It is not checked."""
    given = _given_url(option, environ)
    return DEFAULT_BASE_URL if given is None else given.value


def _given_url(option: str | None, environ: Mapping[str, str]) -> _Given | None:
    return _first(("--base-url", option), *_of(environ, "OPENAI_BASE_URL", "REEF_UPSTREAM_URL"))


def _of(environ: Mapping[str, str], *names: str) -> list[tuple[str, str | None]]:
    return [(name, environ.get(name)) for name in names]


def _first(*values: tuple[str, str | None]) -> _Given | None:
    return next((_Given(value.strip(), source) for source, value in values if value and value.strip()), None)


def _checked(url: _Given) -> str:
    """The URL, if something can be sent there: without `http://` every retry would be spent before that shows."""
    try:
        parts = urlsplit(url.value)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise EndpointError(
            f"{url.source} must start with http:// or https://, for example http://localhost:8000/v1"
        )
    return url.value


def _body_key(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    key = key.strip()
    if not equals or not key:
        raise SettingsError(
            "--body takes KEY=JSON, such as chat_template_kwargs='{\"enable_thinking\": false}': one of them has no KEY="
        )
    if key in _TAKEN:
        raise SettingsError(f"--body may not set {key}: that is the method's own")
    try:
        return key, _json_or_text(replace_surrogates(value))
    except RecursionError:
        raise SettingsError(f"--body {key} is nested too deeply: write its value flatter") from None


def _json_or_text(text: str) -> Any:
    """The value of the text if it is JSON that can be sent as such; else the text."""
    try:
        value = json.loads(text, parse_constant=_no_json, parse_float=_finite)
        # An escape may stand for half a character, which no request can hold.
        return json.loads(replace_surrogates(json.dumps(value, ensure_ascii=False)))
    except ValueError:
        return text


def _no_json(constant: str) -> float:
    raise ValueError(f"{constant} is Python's, and no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number that no float holds")
    return number


def _each_once[T](option: str, pairs: Iterable[tuple[str, T]], *, same: Callable[[str], str]) -> dict[str, T]:
    """The pairs by name. A name that comes twice is an error: neither value can be known to be the one that is meant."""
    named: dict[str, T] = {}
    for name, value in pairs:
        if same(name) in map(same, named):
            raise SettingsError(f"{option} sets {name} twice: leave one out")
        named[name] = value
    return named


def _header(text: str, environ: Mapping[str, str]) -> tuple[str, str]:
    name, equals, variable = (part.strip() for part in text.partition("="))
    if not equals or not name or not variable.isidentifier() or not _is_header_name(name):
        # The value may be the secret itself: it is not repeated.
        raise SettingsError(
            "--header takes NAME=VARIABLE, a header's name and the environment variable with its value, such as "
            "api-key=AZURE_API_KEY"
        )
    if name.casefold() in _FRAMING:
        raise SettingsError(f"--header may not set {name}: that follows from the request")
    value = environ.get(variable, "").strip()
    if not value:
        raise EndpointError(f"the environment variable {variable}, named by --header {name}, is not set")
    if not (value.isascii() and value.isprintable()):
        raise EndpointError(f"the value in {variable} holds characters that no header has: set it again")
    return name, value


def _is_header_name(name: str) -> bool:
    return name.isascii() and all(char.isalnum() or char in "!#$%&'*+-.^_`|~" for char in name)


def _key(option: str | None, environ: Mapping[str, str], *, needed: bool) -> str | None:
    variable = option or "OPENAI_API_KEY"
    key = environ.get(variable, "").strip() or None
    if option and not option.isidentifier():
        # Most likely the key itself: it is not repeated.
        raise EndpointError("--api-key-env takes the name of an environment variable, such as OPENAI_API_KEY")
    if key is None and option:
        raise EndpointError(f"the environment variable {option}, named by --api-key-env, is not set")
    if key is None and needed:
        raise EndpointError(
            "no key and no base URL: set OPENAI_API_KEY, or give --base-url for a server that needs no key"
        )
    if key is not None and not (key.isascii() and key.isprintable()):
        raise EndpointError(f"the key in {variable} holds characters that no key has: set it again")
    return key
