"""`OpenAIModel`: any OpenAI-compatible endpoint as the method's `Model`.

Every call asks for the reply's JSON schema. Many servers do not know `response_format`: one that refuses it is asked
again without, and not asked with it any more. The temperature is left unset, since some models refuse it.
"""

from __future__ import annotations

import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlsplit

import msgspec

from ace.adapters.method import Completion, Request
from ace.adapters.models.answers import read
from ace.adapters.models.failures import Failure, error_of, may_mean_schema, names_schema
from ace.domain.errors import EndpointError
from ace.domain.screens import PLACEHOLDER, redact, valid

if TYPE_CHECKING:
    from ace.adapters.models.sdk import Client

__all__ = ["OpenAIModel"]

NO_KEY = "none"
"""What a server that needs no key is sent: the SDK insists on one."""

SECRET_LENGTH = 16
"""From this length on, a key is also taken out of replies and the URL. A shorter one ("ollama", "lm-studio") may be a plain word."""


class OpenAIModel:
    """A model behind an OpenAI-compatible endpoint; several threads may call `complete` at once.

    `timeout_s` is for one whole reply; a late one is not asked for again. `retries` is how often a lost connection,
    429 or 5xx is tried again, with the SDK's growing pauses: 4 of them outlast a minute's rate limit that names its
    `Retry-After`, and cost at most about 8 s where none is named. `api_key` None suits servers that need none.

    Raises `EndpointError` without the `openai` package. Use it in a `with`, or call `close`.
    """

    def __init__(
        self, *, base_url: str, model: str, api_key: str | None, timeout_s: float = 120.0, retries: int = 4
    ) -> None:
        self.model = model
        self._timeout_s = timeout_s
        self._key = api_key
        self.url = redact(self._hide_long(_shown(base_url)))
        self._client = _client(
            base_url=base_url, api_key=api_key or NO_KEY, timeout_s=timeout_s, retries=retries
        )
        self._finalizer = weakref.finalize(self, self._client.close)
        # Threads need no lock for these: they are only ever set to True.
        self._proven = False
        self._schema_taken = False
        self._schema_refused = False

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

    def complete(self, request: Request) -> Completion:
        """The reply to `request.prompt`. Raises `CallError`, or `EndpointError` if every call would fail."""
        reply = self._reply(request)
        if isinstance(reply, Failure):
            # Raised here, outside of any `except`: the SDK's errors hold the request and so the key.
            raise error_of(
                msgspec.structs.replace(reply, message=self._hide(reply.message)),
                url=self.url,
                model=self.model,
                timeout_s=self._timeout_s,
                proven=self._proven,
            )
        return reply

    def _reply(self, request: Request) -> Completion | Failure:
        if self._schema_refused:
            return self._ask(request, schema=False)
        reply = self._ask(request, schema=True)
        if not isinstance(reply, Failure):
            self._schema_taken = True
            return reply
        if not (names_schema(reply) or (may_mean_schema(reply) and not self._schema_taken)):
            return reply
        reply = self._ask(request, schema=False)
        if not isinstance(reply, Failure):
            self._schema_refused = True
        return reply

    def _ask(self, request: Request, *, schema: bool) -> Completion | Failure:
        body = self._client.ask(
            model=self.model,
            prompt=valid(request.prompt),
            response_format=_response_format(request) if schema else None,
        )
        reply = body if isinstance(body, Failure) else read(body)
        if not isinstance(reply, Failure):
            self._proven = True
            return self._without_key(reply)
        if reply.kind == "refusal":
            self._proven = True
        return reply

    def _without_key(self, reply: Completion) -> Completion:
        text, model = self._hide_long(reply.text), self._hide_long(reply.model or self.model)
        return msgspec.structs.replace(reply, text=text, model=model)

    def _hide_long(self, text: str) -> str:
        return self._hide(text) if len(self._key or "") >= SECRET_LENGTH else text

    def _hide(self, text: str) -> str:
        return text.replace(self._key, PLACEHOLDER) if self._key else text


def _client(*, base_url: str, api_key: str, timeout_s: float, retries: int) -> Client:
    try:
        from ace.adapters.models.sdk import Client  # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        raise EndpointError(
            "a live endpoint needs the openai package: pip install 'ace-playbook[openai]'"
        ) from None
    try:
        return Client(base_url=base_url, api_key=api_key, timeout_s=timeout_s, retries=retries)
    except Exception as error:  # noqa: BLE001 - the HTTP library reads proxies and certificates from the environment
        kind = type(error).__name__  # The message may hold a proxy's password.
    raise EndpointError(
        f"no HTTP client ({kind}): check the base URL and the settings of proxy and certificates"
    )


def _shown(url: str) -> str:
    """The URL for people: without a user's name, password or query, which may be secrets."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}".rstrip("/")


def _response_format(request: Request) -> dict[str, Any]:
    schema = {"name": request.role, "schema": dict(request.schema), "strict": True}
    return {"type": "json_schema", "json_schema": schema}
