"""`OpenAIModel`: any OpenAI-compatible endpoint as the method's `Model`.

Every call asks for the reply's JSON schema, unless told otherwise. Many servers do not know `response_format`, and a few
never end a reply that has to fit one: such a call is made once more without, and from then on, if that one succeeds, all
are. The temperature is left unset unless it is given, since some models refuse it.
"""

from __future__ import annotations

import json
import sys
import weakref
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, get_args

import msgspec

from ace.adapters.models.address import Address
from ace.adapters.models.answers import read
from ace.adapters.models.failures import (
    Failure,
    error_of,
    is_too_long,
    may_mean_schema,
    names_schema,
    says_limit_too_large,
)
from ace.adapters.models.proxies import is_socks, named, proxy_in_use, proxy_variables
from ace.domain.errors import EndpointError, SettingsError
from ace.domain.screens import PLACEHOLDER, redact, replace_surrogates
from ace.ports import Completion, Request

if TYPE_CHECKING:
    from ace.adapters.models.sdk import Client

__all__ = ["DEFAULT_BASE_URL", "OpenAIModel", "SchemaUse"]

DEFAULT_BASE_URL = "https://api.openai.com/v1"
"""The SDK's own default, given to it outright: left to itself it would read a base URL from the process's environment."""

type SchemaUse = Literal["auto", "on", "off"]

NO_KEY = "none"
"""What a server that needs no key is sent: the SDK insists on one."""

SECRET_LENGTH = 16
"""From this length on, a key is also taken out of replies and the URL. A shorter one ("ollama", "lm-studio") may be a plain word."""

SHORTEST_SECRET = 4
"""Of headers and address, anything shorter is not a secret, and would leave an error full of holes."""

_ANSWERED = frozenset({"refusal", "cut", "padded", "filtered", "ended", "elsewhere"})
"""The kinds of failure in which the endpoint knew key and model, and a model answered."""


class _Learned(NamedTuple):
    """What the calls so far told of the endpoint: whether it answers, for which roles it took a schema, whether it refuses schemas."""

    proven: bool
    schemas_taken: frozenset[str]
    schema_refused: bool


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint; several threads may call `complete` at once.

    `api_key` None suits servers that need none. `timeout_s` is for one whole reply; a late one is not asked for again.
    `retries` is how often a lost connection, 429 or 5xx is tried again, with the SDK's growing pauses: 4 of them outlast a
    minute's rate limit that names its `Retry-After`, and cost at most about 8 s where none is named. `max_tokens` is the most
    tokens of a reply, reasoning included. `body` holds more keys of the request's body, `headers` more of its headers, whose
    values are taken for secrets. `schema` says whether a reply's JSON schema is asked for: `auto` until the endpoint refuses it.

    Raises `EndpointError` without the `openai` package, and `SettingsError` for a value that cannot be. Use it in a `with`,
    or call `close`.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = DEFAULT_BASE_URL,
        api_key: str | None = None,
        timeout_s: float = 120.0,
        retries: int = 4,
        max_tokens: int | None = None,
        temperature: float | None = None,
        body: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
        schema: SchemaUse = "auto",
    ) -> None:
        if schema not in get_args(SchemaUse.__value__):
            raise SettingsError(f"schema must be auto, on or off, not {schema!r}")
        if taken := [key for key in ("model", "messages", "stream") if key in (body or {})]:
            raise SettingsError(f"body may not set {taken[0]}: the method does that")
        self.model = model
        self._timeout_s = timeout_s
        address = Address.of(base_url)
        self._key = api_key
        secrets = {api_key or "", *(headers or {}).values(), *address.secrets}
        # The longest first: a shorter one may be a part of it.
        self._secrets = sorted(
            (text for text in secrets if len(text) >= SHORTEST_SECRET), key=len, reverse=True
        )
        self.url = redact(self._hide_long(address.shown))
        self._client = _client(
            base_url=address.url,
            query=address.query,
            headers=headers or {},
            api_key=api_key or NO_KEY,
            timeout_s=timeout_s,
            retries=retries,
        )
        self._finalizer = weakref.finalize(self, self._client.close)
        self._more = dict(body or {})
        if temperature is not None:
            self._more["temperature"] = temperature
        self._max_tokens = max_tokens
        self._schema_use: SchemaUse = schema
        # Threads need no lock for these: each is only ever changed one way.
        self._limit_name = "max_tokens"
        self._proven = False
        self._schemas_taken: frozenset[str] = frozenset()
        self._schema_refused = schema == "off"
        self._before: _Learned | None = None

    @property
    def asked_as(self) -> str:
        """Endpoint, model and options: who has the same text here is asked the same. Not for showing: a body may hold anything."""
        options = (self.url, self.model, self._more, self._max_tokens, self._schema_use)
        return json.dumps(options, sort_keys=True, default=str)

    def __repr__(self) -> str:
        return f"OpenAIModel(url={self.url!r}, model={self.model!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the connections. A call after that is a `CallError`."""
        self._finalizer()

    @property
    def asks_with_schema(self) -> bool:
        """Whether the next call asks for the reply's schema: False once the endpoint has refused that."""
        return not self._schema_refused

    def announce(self, requests: Sequence[Request]) -> None:  # noqa: ARG002 - the port's
        """Treat the calls of a batch alike, by what was known of the endpoint before: else the order of their ends would count."""
        self._before = self._learned

    @property
    def _learned(self) -> _Learned:
        return _Learned(self._proven, self._schemas_taken, self._schema_refused)

    @property
    def _known(self) -> _Learned:
        return self._before or self._learned

    def complete(self, request: Request) -> Completion:
        """The reply to `request.prompt`. Raises `CallError`, or `EndpointError` if every call would fail."""
        reply = self._reply(request)
        if isinstance(reply, Failure):
            # Raised here, outside of any `except`: the SDK's errors hold the request and so the key.
            raise error_of(
                msgspec.structs.replace(
                    reply,
                    message=self._hide(reply.message) + self._by_proxy(reply),
                    finish=self._hide(reply.finish),
                ),
                url=self.url,
                model=self.model,
                timeout_s=self._timeout_s,
                endpoint_answered=self._known.proven,
                prompt_characters=len(request.prompt),
            )
        return reply

    def _by_proxy(self, failure: Failure) -> str:
        """What is to be said of the proxy that the call went through, where no connection came about."""
        is_of_proxy = failure.kind in ("unreachable", "connection_lost") or failure.status == 407
        proxy = proxy_in_use(self.url) if is_of_proxy else ""
        return f" (by the proxy that {proxy} names)" if proxy else ""

    def _reply(self, request: Request) -> Completion | Failure:
        if self._known.schema_refused:
            return self._ask(request, schema=False)
        reply = self._ask(request, schema=True)
        if not isinstance(reply, Failure):
            self._schemas_taken |= {request.role}
            return reply
        if self._schema_use == "on" or not self._may_be_the_schema(reply, request.role):
            return reply
        without = self._ask(request, schema=False)
        if isinstance(without, Failure):
            # Where that fails too, the schema was not to blame. The second failure tells more of an endpoint that refuses the
            # schema, and where a model answered.
            tells_more = without.kind in _ANSWERED or is_too_long(without)
            return without if names_schema(reply) or (reply.kind == "status" and tells_more) else reply
        self._schema_refused = True
        return without

    def _may_be_the_schema(self, failure: Failure, role: str) -> bool:
        """Whether to ask once more without the schema. Once a call of this role got through with it, only an endpoint that
        names the schema, or that does not end a reply, is taken to refuse it.
        """
        if failure.kind == "padded" or names_schema(failure):
            return True
        return may_mean_schema(failure) and role not in self._known.schemas_taken

    def _ask(self, request: Request, *, schema: bool) -> Completion | Failure:
        reply = self._sent(request, schema=schema)
        if (
            isinstance(reply, Failure)
            and self._limit_name == "max_tokens"
            and _wants_another_limit(reply, self._max_tokens)
        ):
            renamed = self._sent(request, schema=schema, limit_name="max_completion_tokens")
            if not isinstance(renamed, Failure):
                self._limit_name = "max_completion_tokens"
            reply = renamed
        if not isinstance(reply, Failure):
            self._proven = True
            return self._without_secrets(reply)
        if reply.kind in _ANSWERED:
            self._proven = True
        return reply

    def _sent(self, request: Request, *, schema: bool, limit_name: str = "") -> Completion | Failure:
        more = dict(self._more)
        if self._max_tokens is not None:
            more[limit_name or self._limit_name] = self._max_tokens
        if schema:
            more["response_format"] = _response_format(request)
        body = self._client.ask(model=self.model, prompt=replace_surrogates(request.prompt), more=more)
        reply = body if isinstance(body, Failure) else read(body)
        if isinstance(reply, Failure) and reply.kind == "padded" and not schema:
            return msgspec.structs.replace(reply, kind="cut")  # no schema is to blame
        return reply

    def _without_secrets(self, reply: Completion) -> Completion:
        text, model = self._hide_long(reply.text), self._hide_long(reply.model or self.model)
        return msgspec.structs.replace(reply, text=text, model=model)

    def _hide_long(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, PLACEHOLDER) if len(secret) >= SECRET_LENGTH else text
        return text

    def _hide(self, text: str) -> str:
        """What an endpoint says in an error, without any secret: there a plain word less does no harm."""
        for secret in (*self._secrets, self._key):
            text = text.replace(secret, PLACEHOLDER) if secret else text
        return text


def _wants_another_limit(failure: Failure, max_tokens: int | None) -> bool:
    """Whether the endpoint wants the limit by its newer name, as OpenAI's reasoning models do."""
    if max_tokens is None or failure.kind != "status" or says_limit_too_large(failure.message):
        return False
    return "max_completion_tokens" in failure.message


def _client(
    *,
    base_url: str,
    query: str,
    headers: Mapping[str, str],
    api_key: str,
    timeout_s: float,
    retries: int,
) -> Client:
    try:
        from ace.adapters.models.sdk import Client  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise EndpointError(f"a live endpoint needs the openai package: {_how_to_install()}") from None
    try:
        return Client(
            base_url=base_url,
            query=query,
            headers=headers,
            api_key=api_key,
            timeout_s=timeout_s,
            retries=retries,
        )
    except Exception as error:  # noqa: BLE001 - the HTTP library reads proxies and certificates from the environment
        # The message may hold a proxy's password: only what it says of the missing package is taken.
        kind = "socksio" if isinstance(error, ImportError) and "socks" in str(error) else type(error).__name__
    names = proxy_variables()
    if kind == "socksio":
        socks = " and ".join(named(name) for name in names if is_socks(name))
        raise EndpointError(
            f"the proxy in {socks} is a SOCKS proxy, and the package for it is not installed: pip install socksio, "
            "or unset the variable"
        )
    proxies = " and ".join(map(named, names)) or "proxy and certificates"
    raise EndpointError(f"no HTTP client ({kind}): check the base URL and the settings of {proxies}")


def _how_to_install() -> str:
    """How the package for endpoints is brought along, by the way in which this process was started."""
    parts = Path(sys.prefix).parts
    if ("uv", "tools") in pairwise(parts):
        return "uv tool install -p '>=3.12' '.[openai]', in the checkout"
    if any(part.startswith(("archive-v", "environments-v")) for part in parts):
        return "start ace with uvx -p '>=3.12' -c constraints.txt --from '.[openai]' ace, in the checkout"  # it runs in uv's cache
    return "pip install '.[openai]', in the checkout"


def _response_format(request: Request) -> dict[str, Any]:
    schema = {"name": request.role, "schema": dict(request.schema), "strict": True}
    return {"type": "json_schema", "json_schema": schema}
