"""The only module that imports the `openai` SDK: a prompt goes out, a body or a `Failure` comes back.

Retries are the SDK's: a lost connection, 408, 409, 429 and 5xx are tried again after 0.5, 1, 2, 4 s (up to 8), or
after what `Retry-After` asks for (up to 120 s). Two things are ours. *A time-out is for a whole reply*: the HTTP
library's own starts again with every piece, so a server that sends a blank now and then would hold a step for ever.
*A late reply is not asked for again*: it would be as late, and is billed each time.

The body is handed on unread. The SDK builds its typed objects without looking (`choices` may be None, or text), so
`answers` reads the JSON with its own eyes.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any, cast

import httpx2
import openai

from ace.adapters.models.failures import Failure

__all__ = ["Client", "is_as_safe"]

CONNECT_S = 10.0
"""The most seconds to wait for a connection, apart from the time-out of the reply."""


class Client:
    """One endpoint. May be used by several threads at once; `close` ends its connections."""

    def __init__(
        self,
        *,
        base_url: str,
        query: str,
        headers: Mapping[str, str],
        api_key: str,
        timeout_s: float,
        retries: int,
    ) -> None:
        self._sdk = openai.OpenAI(
            base_url=base_url,
            default_headers=dict(headers),
            api_key=api_key,
            max_retries=retries,
            timeout=openai.Timeout(timeout_s, connect=CONNECT_S),
            http_client=_WholeReplyClient(timeout_s, base_url=base_url, query=query, private=list(headers)),
        )
        self.close = self._sdk.close

    def ask(self, *, model: str, prompt: str, more: Mapping[str, Any]) -> bytes | Failure:
        """Send one user message, with `more` keys in the request's body; return the body of the endpoint's 2xx answer.
        Raises nothing.
        """
        try:
            answer = self._sdk.chat.completions.with_raw_response.create(
                model=model,
                messages=[{"role": "user", "content": prompt}],
                extra_body=dict(more),
            )
        except openai.APIConnectionError as error:
            return _lost(error)
        except openai.APIStatusError as error:
            return _status(error)
        except Exception as error:  # noqa: BLE001 - a body or header of any shape may trip SDK and HTTP library anywhere
            return Failure(kind="invalid_response", message=type(error).__name__)
        return answer.http_response.content


# --- failures -------------------------------------------------------------------------------------------------------

_NO_CONNECTION = (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError, httpx2.UnsupportedProtocol)


def _lost(error: openai.APIConnectionError) -> Failure:
    cause = error.__cause__
    message = str(cause) or type(cause).__name__
    if isinstance(cause, _NO_CONNECTION):
        return Failure(kind="unreachable", message=message)
    if isinstance(error, openai.APITimeoutError):
        return Failure(kind="timed_out")
    return Failure(kind="connection_lost", message=message)


def _status(error: openai.APIStatusError) -> Failure:
    body = _unwrapped(error.body)
    held = body if isinstance(body, dict) else {}
    code = " ".join(value for key in ("code", "type", "status") if isinstance(value := held.get(key), str))
    told = _told(body) if isinstance(body, dict) else body
    message = told if isinstance(told, str) else error.response.text
    if lengths := [f"{key} {held[key]}" for key in _LENGTHS if type(held.get(key)) is int]:
        message = f"{message} ({', '.join(lengths)})"
    if message.lstrip().startswith("<"):
        # Of a page nothing is believed, except the words that 413 is known by: a proxy says so in a page alone.
        said = _TOO_LARGE.search(message) if error.status_code == 413 else None
        message = f"an HTML page: {said[0]}" if said else "an HTML page"
    return Failure(kind="status", status=error.status_code, code=code, message=message)


_TOO_LARGE = re.compile(r"(?:request entity|request body|payload|content) too large", re.IGNORECASE)

_LENGTHS = ("n_prompt_tokens", "n_ctx")
"""Where llama.cpp says how long the prompt was, and how long it may be."""


def _unwrapped(body: object) -> object:
    """The body of an error without the list around it, which Gemini sends; of all others the SDK has unwrapped `{"error": …}`."""
    if not isinstance(body, list) or len(body) != 1 or not isinstance(body[0], dict):
        return body
    inner = body[0].get("error")
    return inner if isinstance(inner, dict) else body[0]


def _told(body: dict[str, object]) -> object:
    """What the body of an error says, in the key and the shape that the server likes."""
    told = next((body[key] for key in ("message", "detail", "error", "msg") if body.get(key)), None)
    return _rows(told) or told if isinstance(told, list) else told


def _rows(rows: list[object]) -> str:
    """The words of FastAPI's rows. Each repeats its `input`, which may be the whole prompt: that is none of the words."""
    return "; ".join(
        ": ".join(filter(None, (_place(row.get("loc")), row["msg"])))
        for row in rows
        if isinstance(row, dict) and isinstance(row.get("msg"), str)
    )


def _place(loc: object) -> str:
    return ".".join(map(str, loc)) if isinstance(loc, list) else ""


# --- time -----------------------------------------------------------------------------------------------------------


class _WholeReplyClient(openai.DefaultHttpxClient):
    """The SDK's HTTP client, with a time-out for the whole of a reply, and a query that stays as it is: the SDK's own takes it
    apart. Headers of secrets (`private`) are not sent on to another server; of the key the library sees to that.

    It raises the SDK's own time-out error, which the SDK passes on instead of trying again.
    """

    def __init__(self, seconds: float, *, base_url: str, query: str, private: list[str]) -> None:
        super().__init__(event_hooks={"request": [self._keep_private]})
        self._seconds = seconds
        self._query = query.encode("ascii")
        self._server = httpx2.URL(base_url)
        self._private = private

    def _keep_private(self, request: httpx2.Request) -> None:
        """Take the headers of secrets from a request that a redirect sends to another server."""
        if not is_as_safe(request.url, self._server):
            for name in self._private:
                request.headers.pop(name, None)

    def send(self, request: httpx2.Request, **options: Any) -> httpx2.Response:
        if self._query:
            request.url = request.url.copy_with(query=self._query)
        deadline = time.monotonic() + self._seconds
        try:
            response = super().send(request, **options | {"stream": True})
            _read(response, deadline)
        except httpx2.ReadTimeout as error:
            raise openai.APITimeoutError(request=request) from error
        return response


def is_as_safe(url: httpx2.URL, server: httpx2.URL) -> bool:
    """Whether a secret that is for the server may go to the URL: to itself, or to its https where it was asked by http."""
    if url.host != server.host:
        return False
    is_upgrade = (server.scheme, url.scheme) == ("http", "https") and server.port is None and url.port is None
    return is_upgrade or (url.scheme, url.port) == (server.scheme, server.port)


def _read(response: httpx2.Response, deadline: float) -> None:
    response.stream = _Until(deadline, response)
    try:
        response.read()
    finally:
        response.close()


class _Until(httpx2.SyncByteStream):
    """The body of a response, up to a moment of `time.monotonic`."""

    def __init__(self, deadline: float, response: httpx2.Response) -> None:
        self._deadline = deadline
        self._request = response.request
        self._stream = cast(httpx2.SyncByteStream, response.stream)

    def __iter__(self) -> Iterator[bytes]:
        for piece in self._stream:
            if time.monotonic() > self._deadline:
                raise httpx2.ReadTimeout("the reply is not whole in time", request=self._request)
            yield piece

    def close(self) -> None:
        self._stream.close()
