"""A small, real, OpenAI-compatible server on 127.0.0.1, for tests. What it answers, a function of the test says.

    def answer(body: dict[str, Any], n: int) -> Reply:        # n = 1 for the first request, 2 for the second, …
        return text('{"operations": []}')

    with Loopback(answer) as server:
        ... server.base_url ...                               # "http://127.0.0.1:<port>/v1"
        ... subprocess.run(..., env={**os.environ, **server.environ()}) ...
        assert server.bodies[0]["model"] == "loopback"

Replies: `text` is a completion, `status` an error, `Raw` any bytes, `Drop` cuts the connection, `Hang` says nothing and
`Trickle` sends blanks without end, both until `server.release()` or the end of the `with`. `without_schema` wraps an
`answer` into one of a server that knows no `response_format`. `role_of` tells Reflector and Curator apart.

Each request has its own connection, so that no thread waits for a client that went away. An exception in `answer` is
raised again at the end of the `with`.
"""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

__all__ = [
    "SOON",
    "Answer",
    "Drop",
    "Hang",
    "Loopback",
    "Raw",
    "Reply",
    "Trickle",
    "completion",
    "role_of",
    "status",
    "text",
    "without_schema",
]

SOON = {"retry-after-ms": "1"}
"""A header that makes the SDK try again after a millisecond."""


@dataclass(frozen=True)
class Raw:
    """These bytes, whatever they are."""

    body: bytes
    status: int = 200
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Drop:
    """The connection is cut: before anything is sent, or in the middle of the body."""

    in_body: bool = False


@dataclass(frozen=True)
class Hang:
    """No answer until the release, then the connection is cut."""


@dataclass(frozen=True)
class Trickle:
    """The head of an answer, then a blank every few milliseconds, and never an end."""


type Reply = Raw | Drop | Hang | Trickle
type Answer = Callable[[dict[str, Any], int], Reply]


def completion(content: object, **message: object) -> dict[str, Any]:
    """The body of a completion, to be changed at will; `message` adds keys to the message (`refusal`)."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": "loopback-2026",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": content, **message},
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
    }


def text(content: str) -> Raw:
    """A completion with this text, the model `loopback-2026` and 11 + 7 tokens."""
    return Raw(json.dumps(completion(content)).encode())


def status(
    code: int, message: str, *, error_code: str | None = None, headers: Mapping[str, str] = SOON
) -> Raw:
    """An error in OpenAI's shape; where the SDK tries again, it does so soon."""
    error = {"message": message, "type": "error", "param": None, "code": error_code}
    return Raw(json.dumps({"error": error}).encode(), status=code, headers=headers)


def without_schema(answer: Answer, refusal: Reply | None = None) -> Answer:
    """`answer`, by a server that refuses every request with a `response_format`."""
    refused = refusal or status(400, "'response_format' of type 'json_schema' is not supported")
    return lambda body, n: refused if "response_format" in body else answer(body, n)


def role_of(body: dict[str, Any]) -> str:
    """`reflector` or `curator`: the name of the schema that the request asks for, "" if it asks for none."""
    name = body.get("response_format", {}).get("json_schema", {}).get("name", "")
    return str(name)


class Loopback:
    """The server, from the `with` on. `bodies`, `headers` and `paths` are the requests', in order of arrival."""

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
        self._lock = threading.Lock()
        self._released = threading.Event()
        self._errors: list[Exception] = []
        self._server = _Server(("127.0.0.1", 0), _Handler)
        self._server.loopback = self
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.002})
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []

    @property
    def base_url(self) -> str:
        """What `--base-url` or `OPENAI_BASE_URL` is to be."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def prompts(self) -> list[str]:
        """The text of each request's first message."""
        return [body["messages"][0]["content"] for body in self.bodies]

    def environ(self, *, model: str = "loopback", key: str | None = None) -> dict[str, str]:
        """The variables that make a process use this server, proxies put aside."""
        variables = {"OPENAI_BASE_URL": self.base_url, "OPENAI_MODEL": model, "NO_PROXY": "127.0.0.1"}
        return variables if key is None else {**variables, "OPENAI_API_KEY": key}

    def release(self) -> None:
        """End every `Hang` and `Trickle`, those to come too."""
        self._released.set()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()
        self._server.shutdown()
        self._server.server_close()  # Waits for the threads of all requests.
        self._thread.join()
        if self._errors and error is None:
            raise self._errors[0]

    def _reply(self, body: dict[str, Any], headers: dict[str, str], path: str) -> Reply:
        with self._lock:
            self.bodies.append(body)
            self.headers.append(headers)
            self.paths.append(path)
            n = len(self.bodies)
        try:
            return self._answer(body, n)
        except Exception as error:  # noqa: BLE001 - an assertion in `answer` is to fail the test, not a thread
            self._errors.append(error)
            return Drop()


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    loopback: Loopback


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30  # A client that opens a connection and says nothing must not hold the end of a test.

    def do_POST(self) -> None:
        loopback = self._loopback()
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reply = loopback._reply(
            body, {name.lower(): value for name, value in self.headers.items()}, self.path
        )
        self.close_connection = True
        with suppress(BrokenPipeError, ConnectionResetError):  # The client had its time-out.
            self._send(reply, loopback._released)

    def _loopback(self) -> Loopback:
        server: socketserver.BaseServer = self.server
        assert isinstance(server, _Server)
        return server.loopback

    def _send(self, reply: Reply, released: threading.Event) -> None:
        match reply:
            case Raw():
                self._head(reply, length=len(reply.body))
                self.wfile.write(reply.body)
            case Drop(in_body=True):
                self._head(Raw(b""), length=100)
                self.wfile.write(b"{")
            case Drop():
                pass
            case Hang():
                released.wait()
            case Trickle():
                self._head(Raw(b""), length=1_000_000)
                while not released.wait(0.005):
                    self.wfile.write(b" ")

    def _head(self, reply: Raw, *, length: int) -> None:
        self.send_response(reply.status)
        self.send_header("content-type", reply.content_type)
        self.send_header("content-length", str(length))
        self.send_header("connection", "close")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the name is the base class's
        """Say nothing."""
