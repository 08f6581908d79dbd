"""`OpenAIModel` against a real server on this machine: what is sent, what comes back, what every fault becomes."""

from __future__ import annotations

import gc
import json
import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import httpx2
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.adapters.models import CallRecorder, OpenAIModel, RecordedModel, encode, endpoint, load_calls
from ace.adapters.models.answers import read
from ace.adapters.models.failures import error_of, says_too_long
from ace.adapters.models.sdk import is_as_safe
from ace.domain.errors import CallError, EndpointError, SettingsError, TooLongError
from ace.ports import Completion, Model, Request

if TYPE_CHECKING:
    from tests.adapters.loopback import (
        Answer,
        Drop,
        Hang,
        Loopback,
        Raw,
        Reply,
        Trickle,
        completion,
        role_of,
        status,
        text,
        without_schema,
    )
else:
    # pytest puts this folder on the path; mypy knows the file by its place in the repository.
    from loopback import (
        Drop,
        Hang,
        Loopback,
        Raw,
        Trickle,
        completion,
        role_of,
        status,
        text,
        without_schema,
    )

KEY = "local-" + "k" * 30
SECRET = "ghp_" + "a" * 36
SCHEMA = {"type": "object", "properties": {}, "required": [], "additionalProperties": False}
REQUEST = Request(role="reflector", run=1, trace="t1", prompt="What happened?", schema=SCHEMA)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause before a retry, no proxy between test and server, none of the process's own settings."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.delenv(name, raising=False)


@contextmanager
def served(
    answer: Answer | Reply, *, timeout_s: float = 30.0, retries: int = 2, key: str = KEY, **options: Any
) -> Iterator[tuple[OpenAIModel, Loopback]]:
    """A model and the server that it asks; a reply instead of a function is given to every request."""
    given_answer: Answer = answer if callable(answer) else lambda _body, _n: answer
    with Loopback(given_answer) as server:
        environ = server.environ(key=key)
        with endpoint(None, None, None, environ, timeout_s=timeout_s, retries=retries, **options) as model:
            yield model, server


def failure(answer: Answer | Reply, **options: Any) -> CallError:
    """The error of the first call."""
    with served(answer, **options) as (model, _), pytest.raises(CallError) as caught:
        model.complete(REQUEST)
    return caught.value


def raw(body: object, **changes: Any) -> Raw:
    """An answer of 200 with this JSON."""
    return Raw(json.dumps(body).encode(), **changes)


# --- what is sent and read --------------------------------------------------------------------------------------------


def test_a_call() -> None:
    """One user message, the schema and the key go out; text, the served model's name and the tokens come back."""
    with served(text("Hello.")) as (model, server):
        reply = model.complete(REQUEST)
    assert reply == Completion(
        text="Hello.",
        model="loopback-2026",
        input_tokens=11,
        output_tokens=7,
        finish_reason="stop",
        found="content",
    )
    assert server.paths == ["/v1/chat/completions"]
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert server.bodies == [
        {
            "model": "loopback",
            "messages": [{"role": "user", "content": "What happened?"}],
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "reflector", "schema": SCHEMA, "strict": True},
            },
        }
    ]
    assert role_of(server.bodies[0]) == "reflector"
    assert server.prompts == ["What happened?"]


def test_a_prompt_of_any_text() -> None:
    """Line breaks, emoji and NUL arrive as they are; a lone surrogate, which no UTF-8 holds, arrives as U+FFFD."""
    with served(text("ok")) as (model, server):
        model.complete(Request(role="curator", run=1, trace="t", prompt="a\r\n🦊\x00\ud83d{}", schema=SCHEMA))
    assert server.prompts == ["a\r\n🦊\x00\ufffd{}"]


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"usage": None}, Completion(text="x", model="loopback-2026")),
        ({"usage": "many"}, Completion(text="x", model="loopback-2026")),
        (
            {"usage": {"prompt_tokens": 3, "completion_tokens": -1}},
            Completion(text="x", model="loopback-2026", input_tokens=3),
        ),
        ({"usage": {"prompt_tokens": True}}, Completion(text="x", model="loopback-2026")),
        ({"usage": None, "model": None}, Completion(text="x", model="loopback")),
        ({"usage": None, "model": 5}, Completion(text="x", model="loopback")),
    ],
)
def test_what_the_endpoint_does_not_tell(changes: dict[str, Any], expected: Completion) -> None:
    """Token counts that are missing or no counts are None; without a model's name it is the one asked for."""
    with served(raw(completion("x") | changes)) as (model, _):
        assert model.complete(REQUEST) == msgspec.structs.replace(
            expected, finish_reason="stop", found="content"
        )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (None, ""),
        ("", ""),
        ('{"a": "caf\u00e9 \ud83d"}', '{"a": "caf\u00e9 \ud83d"}'),
        (
            [
                {"type": "thinking", "thinking": "hm"},
                {"type": "text", "text": "a"},
                {"type": "text", "text": "b"},
            ],
            "ab",
        ),
        (
            ["a", {"type": "text", "text": 5}, {"type": "output_text", "text": "b"}, {"type": "image"}, 7],
            "ab",
        ),
        ({"type": "text", "text": "a"}, "a"),
    ],
)
def test_content_of_any_kind(content: object, expected: str) -> None:
    """No content is an empty text, parts are put together, and text is handed on as it came."""
    with served(raw(completion(content))) as (model, _):
        assert model.complete(REQUEST).text == expected


def ended(reason: object, content: object = '{"operations": []}', **message: object) -> dict[str, Any]:
    """A completion that the endpoint says ended so."""
    body = completion(content, **message)
    body["choices"][0]["finish_reason"] = reason
    return body


@pytest.mark.parametrize(
    "reason",
    [
        "stop",
        "tool_calls",
        "eos",
        "eos_token",
        "stop_token",
        "end_turn",
        "COMPLETE",
        "STOP",
        "",
        None,
        5,
        "weird",
    ],
)
def test_an_end_that_is_good(reason: object) -> None:
    """Given an end that is good, missing, or no word known here, then the text is the reply, and the word is kept."""
    with served(raw(ended(reason))) as (model, _):
        reply = model.complete(REQUEST)
    assert reply.text == '{"operations": []}'
    assert reply.finish_reason == (reason if isinstance(reason, str) else "")


@pytest.mark.parametrize("content", ['{"operations": []}', '{"operations": [', "", None])
@pytest.mark.parametrize(
    ("reason", "told"),
    [
        *(
            (reason, "cut off at the token limit")
            for reason in ("length", "MAX_TOKENS", "model_length", "token_limit", "ERROR_LIMIT")
        ),
        *(
            (reason, "cut off at the end of the model's context")
            for reason in ("model_context_window_exceeded", "max_context")
        ),
        *(
            (reason, "a filter of the endpoint")
            for reason in (
                "content_filter",
                "SAFETY",
                "RECITATION",
                "PROHIBITED_CONTENT",
                "sensitive",
                "unsafe",
            )
        ),
        *(
            (reason, "says that the reply failed")
            for reason in (
                "error",
                "abort",
                "cancelled",
                "MALFORMED_FUNCTION_CALL",
                "UNEXPECTED_TOOL_CALL",
                "network_error",
                "insufficient_system_resource",
                "repetition",
                "pause_turn",
                "OTHER",
                "LANGUAGE",
                "unload",
            )
        ),
    ],
)
def test_an_end_that_is_none(reason: str, told: str, content: object) -> None:
    """Given a reply that the endpoint marks as unfinished, filtered or failed, then the call failed, whatever text came."""
    error = failure(raw(ended(reason, content)), schema="off")
    assert type(error) is CallError
    assert told in str(error)
    assert error.finish_reason == reason
    assert error.found == ("content" if content else "")


@pytest.mark.parametrize("key", ["reasoning_content", "reasoning", "thinking"])
def test_a_reply_that_is_all_reasoning(key: str) -> None:
    """Given reasoning alone, cut off or not, then it is not a reply; where the text was is told, and what helps."""
    cut = failure(raw(ended("length", None, **{key: "Let me think"})), schema="off")
    assert "cut off at the token limit (all of it reasoning)" in str(cut)
    assert "--max-tokens" in str(cut)
    whole = failure(raw(ended("stop", "", **{key: '{"operations": []}'})))
    assert f"the reply has no text, all of it is in {key}" in str(whole)
    assert "--body" in str(whole)
    assert (cut.found, whole.found) == (key, key)


@pytest.mark.parametrize(
    ("content", "message", "usage"),
    [
        ([{"type": "thinking", "thinking": "Let me"}], {}, {}),
        ([{"type": "reasoning", "text": "Let me"}, {"type": "text", "text": " "}], {}, {}),
        ("", {"reasoning_details": [{"type": "reasoning.text", "text": "Let me"}]}, {}),
        ("", {}, {"completion_tokens_details": {"reasoning_tokens": 800}}),
        ("<think>\nLet me", {}, {}),
    ],
)
def test_reasoning_in_other_places(content: object, message: dict[str, Any], usage: dict[str, Any]) -> None:
    """Given a cut reply of reasoning alone, in parts, counted only, or in an open tag, then that is told; and reasoning that
    came where a whole reply should be is not a reply.
    """
    body = ended("length", content, **message)
    body["usage"] |= usage
    assert "cut off at the token limit (all of it reasoning)" in str(failure(raw(body), schema="off"))
    if message or isinstance(content, list):
        whole = failure(raw(ended("stop", content, **message)), schema="off")
        assert whole.found in ("reasoning parts", "reasoning_details")
        assert "the reply has no text" in str(whole)


@pytest.mark.parametrize(
    "details",
    [None, 5, [], {"reasoning_tokens": "many"}, {"reasoning_tokens": 0}, {"reasoning_tokens": True}],
)
def test_a_count_of_reasoning_that_is_none(details: object) -> None:
    """Given a cut reply without text, and no count of reasoning, then none is told."""
    body = ended("length", "")
    body["usage"]["completion_tokens_details"] = details
    told = str(failure(raw(body), schema="off"))
    assert "cut off at the token limit" in told
    assert "all of it reasoning" not in told
    assert "--max-tokens" in told
    assert "--body" in told


@pytest.mark.parametrize(
    "message",
    [
        {
            "tool_calls": [
                {"id": "1", "type": "function", "function": {"name": "reply", "arguments": '{"a": 1}'}}
            ]
        },
        {"tool_calls": [{"function": {"arguments": {"a": 1}}}]},
        {
            "tool_calls": [{}, None, {"function": {"arguments": " "}}],
            "function_call": {"arguments": '{"a": 1}'},
        },
    ],
)
@pytest.mark.parametrize("content", [None, "", "  "])
def test_a_reply_in_a_tool_call(message: dict[str, Any], content: object) -> None:
    """Given no content and the asked JSON as the arguments of a tool call, then that is the reply."""
    with served(raw(ended("tool_calls", content, **message))) as (model, _):
        reply = model.complete(REQUEST)
    assert (json.loads(reply.text), reply.found) == ({"a": 1}, "tool call")


def test_content_comes_before_a_tool_call() -> None:
    """Given both, then the content is the reply."""
    calls = [{"function": {"arguments": '{"b": 2}'}}]
    with served(raw(ended("stop", '{"a": 1}', tool_calls=calls))) as (model, _):
        assert model.complete(REQUEST).text == '{"a": 1}'


@pytest.mark.parametrize("content", [" " * 4_000, '{"operations": []}' + "\n" * 4_000, "\n" * 20])
def test_a_schema_mode_that_does_not_end(content: str) -> None:
    """Given a server that pads a reply with blanks to its limit where it has to fit a schema, then it is asked once more
    without one, and so from then on.
    """

    def answer(body: dict[str, Any], _n: int) -> Reply:
        return raw(ended("length", content)) if "response_format" in body else text("good")

    with served(answer) as (model, server):
        assert [model.complete(REQUEST).text for _ in range(2)] == ["good", "good"]
        assert not model.asks_with_schema
    assert ["response_format" in body for body in server.bodies] == [True, False, False]
    error = failure(raw(ended("length", content)))
    assert "padded with blanks" in str(error)
    assert "--schema off" in str(error)
    # Without a schema it is a reply that was cut off, like another.
    unasked = failure(raw(ended("length", content)), schema="off")
    assert "--schema" not in str(unasked)
    assert "--max-tokens" in str(unasked)


@pytest.mark.parametrize(
    ("second", "told"),
    [
        (raw(ended("length", '{"operations": [')), "cut off at the token limit"),
        (raw(ended("stop", "", reasoning="hm")), "all of it is in reasoning"),
        (raw(completion(None, refusal="No.")), "the model refused: No."),
        (status(400, "prompt is too long: 5000 tokens > 4097 maximum"), "is too long for the model"),
    ],
)
def test_what_came_without_the_schema_is_told(second: Reply, told: str) -> None:
    """Given a bare 400 to the schema and, without it, an answer that is not a reply, then the answer is what is told; the schema
    is not given up for it.
    """
    with served(without_schema(lambda _body, _n: second, status(400, "bad request"))) as (model, server):
        with pytest.raises(CallError, match=told):
            model.complete(REQUEST)
        assert model.asks_with_schema
    assert len(server.bodies) == 2


def test_a_cut_reply_is_not_asked_for_again() -> None:
    """Given a reply that was cut off in its text, then the schema is not to blame: nothing is asked twice."""
    with served(raw(ended("length", '{"operations": ['))) as (model, server), pytest.raises(CallError):
        model.complete(REQUEST)
    assert len(server.bodies) == 1


def test_json_of_another_content_type() -> None:
    """A completion is one whatever its content type says, also with a byte order mark."""
    answer = Raw(
        b"\xef\xbb\xbf" + json.dumps(completion("x")).encode(), content_type="text/plain; charset=odd"
    )
    with served(answer) as (model, _):
        assert model.complete(REQUEST).text == "x"


# --- the schema -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "refusal",
    [
        status(400, "'response_format' of type 'json_schema' is not supported"),
        status(400, "bad request"),
        status(422, "extra fields not permitted"),
        status(404, "No endpoints found that support the requested parameters"),
        status(501, "json_schema: not implemented"),
        status(500, "Structured output is not supported by this backend"),
        Raw(b'{"detail": [{"loc": ["body", "response_format"], "msg": "unexpected"}]}', status=422),
        Raw(b"<html>Bad request</html>", status=400, content_type="text/html"),
        raw({"error": {"message": "response_format is not supported", "code": 400}}),
    ],
)
def test_an_endpoint_without_schema(refusal: Reply) -> None:
    """Refused, it is asked again without the schema, and with it never more."""
    with served(without_schema(lambda _body, n: text(f"reply {n}"), refusal), retries=0) as (model, server):
        before = model.asks_with_schema
        texts = [model.complete(REQUEST).text for _ in range(3)]
        after = model.asks_with_schema
    assert (before, after) == (True, False)
    assert texts == ["reply 2", "reply 3", "reply 4"]
    assert ["response_format" in body for body in server.bodies] == [True, False, False, False]


def test_a_bad_request_that_is_not_about_the_schema() -> None:
    """A 400 with and without the schema says nothing against it: the next call asks with it again."""

    def answer(_body: dict[str, Any], n: int) -> Reply:
        return status(400, "bad thing") if n < 3 else text("x")

    with served(answer) as (model, server):
        with pytest.raises(CallError, match="answered 400 for the model loopback: bad thing"):
            model.complete(REQUEST)
        assert model.complete(REQUEST).text == "x"
    assert ["response_format" in body for body in server.bodies] == [True, False, True]


def test_a_bad_request_after_the_schema_was_taken() -> None:
    """Once the endpoint has taken the schema, a bare 400 is about the call: it is not tried a second time."""

    def answer(_body: dict[str, Any], n: int) -> Reply:
        return text("x") if n == 1 else status(400, "bad thing")

    with served(answer) as (model, server):
        model.complete(REQUEST)
        with pytest.raises(CallError, match="bad thing"):
            model.complete(REQUEST)
        assert model.asks_with_schema
    assert len(server.bodies) == 2


def test_many_threads_find_out_at_once() -> None:
    """Eight first calls at the same time, all refused, all answered, and each asked with the schema once at most."""
    together = threading.Barrier(8)

    def answer(body: dict[str, Any], _n: int) -> Reply:
        if "response_format" not in body:
            return text(body["messages"][0]["content"])
        together.wait(timeout=30)
        return status(400, "response_format is not supported")

    requests = [
        Request(role="curator", run=n, trace=f"t{n}", prompt=f"prompt {n}", schema=SCHEMA) for n in range(8)
    ]
    with served(answer) as (model, server), ThreadPoolExecutor(8) as pool:
        texts = [reply.text for reply in pool.map(model.complete, requests)]
        assert model.complete(REQUEST).text == REQUEST.prompt
    assert texts == [f"prompt {n}" for n in range(8)]
    assert sum("response_format" in body for body in server.bodies) == 8
    assert len(server.bodies) == 17


# --- tried again ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [status(429, "slow down"), status(500, "oops"), status(503, "busy"), Drop(), Drop(in_body=True)],
)
def test_a_passing_fault(fault: Reply) -> None:
    """What the SDK tries again: rate limits, faults of the server, and connections cut at any point."""
    with served(lambda _body, n: fault if n < 3 else text("at last")) as (model, server):
        assert model.complete(REQUEST).text == "at last"
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (status(429, "slow down"), "answered 429 for the model loopback: slow down"),
        (status(500, "oops"), "answered 500 for the model loopback: oops"),
        (Drop(), "broke before the reply was whole: "),
        (Drop(in_body=True), "broke before the reply was whole: "),
    ],
)
def test_a_lasting_fault(fault: Reply, told: str) -> None:
    """After the retries, such a fault fails this call alone."""
    with served(fault, retries=1) as (model, server), pytest.raises(CallError, match=told) as caught:
        model.complete(REQUEST)
    assert type(caught.value) is CallError
    # A bare 500 may also mean the schema: it is asked once more without.
    without = sum("response_format" not in body for body in server.bodies)
    assert (len(server.bodies) - without, without > 0) == (2, "500" in told)


@pytest.mark.parametrize("slow", [Hang(), Trickle()])
def test_a_slow_reply(slow: Reply) -> None:
    """A reply that is not whole in time fails the call, also if it never quite stops; it is not asked for again."""
    arrived = threading.Event()

    def answer(_body: dict[str, Any], _n: int) -> Reply:
        arrived.set()
        return slow

    with served(answer, timeout_s=0.05) as (model, server):
        with pytest.raises(CallError) as caught:
            model.complete(REQUEST)
        assert arrived.wait(timeout=30)
    assert type(caught.value) is CallError
    assert str(caught.value) == "no reply within 0.05 s"
    assert len(server.bodies) == 1


# --- what fails every call --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fault", "advice"),
    [
        (status(401, "Incorrect API key provided"), "check the key"),
        (status(402, "Insufficient Balance"), "the account has no credit left"),
        (status(403, "Country not supported"), "the key may not use this model"),
        (status(404, "The model `loopback` does not exist"), "check the model's name and the base URL"),
        (Raw(b"<h1>Not Found</h1>", status=404), "check the model's name and the base URL"),
        (
            status(400, "API key not valid. Please pass a valid API key."),
            "check the model's name and the key",
        ),
        (status(400, "loopback is not a valid model ID"), "check the model's name and the key"),
        (status(429, "You exceeded it", error_code="insufficient_quota"), "the account's quota is spent"),
    ],
)
def test_a_wrong_setup(fault: Reply, advice: str) -> None:
    """A key, a bad model or account stops the step, and the sentence says what to look at."""
    error = failure(fault)
    assert isinstance(error, EndpointError)
    assert str(error).endswith(f"({advice})")


def test_no_server() -> None:
    """An address at which nobody listens is a misnamed endpoint."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # Bound, not listening: the port refuses, and nobody else gets it.
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/v1"
        with endpoint(url, "m", None, {}, retries=1) as model, pytest.raises(EndpointError) as caught:
            model.complete(REQUEST)
    assert str(caught.value).startswith(f"no connection to {url}: ")
    assert str(caught.value).endswith("(check the base URL, and that the server runs)")


def test_a_server_that_went_away() -> None:
    """Once a call has got through, an address that refuses is the call's misfortune."""
    with Loopback(lambda _body, _n: text("x")) as server:
        model = endpoint(server.base_url, "m", None, {}, retries=0)
        assert model.complete(REQUEST).text == "x"
    with model, pytest.raises(CallError, match="no connection to") as caught:
        model.complete(REQUEST)
    assert type(caught.value) is CallError


@pytest.mark.parametrize(
    ("code", "message", "kind"),
    [
        (401, "revoked", EndpointError),
        (429, "insufficient_quota", EndpointError),
        (403, "not for this prompt", CallError),
        (404, "no backend is free", CallError),
        (400, "the model was not found", CallError),
    ],
)
def test_a_fault_after_a_success(code: int, message: str, kind: type[CallError]) -> None:
    """A call that got through proves model and address, so the same words are less grave after it."""
    with served(lambda _body, n: text("x") if n == 1 else status(code, message)) as (model, _):
        model.complete(REQUEST)
        with pytest.raises(CallError) as caught:
            model.complete(REQUEST)
    assert type(caught.value) is kind


def test_a_filter_that_refuses_a_prompt() -> None:
    """A gateway's filter refuses one prompt with 403, be it the first one: the next may pass."""
    error = failure(status(403, "Your input was flagged by moderation"))
    assert type(error) is CallError


# --- refusals and odd bodies ------------------------------------------------------------------------------------------


def _filtered() -> dict[str, Any]:
    body = completion(None)
    body["choices"][0]["finish_reason"] = "content_filter"
    return body


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (completion(None, refusal="I cannot help with that."), "the model refused: I cannot help with that."),
        (completion("half", refusal="No."), "the model refused: No."),
        (_filtered(), "a filter of the endpoint ended the reply (content_filter)"),
    ],
)
def test_a_refusal(body: dict[str, Any], told: str) -> None:
    """A model that declines fails this call, with its own words."""
    error = failure(raw(body))
    assert type(error) is CallError
    assert str(error) == told


ODD_BODIES = [
    (b"", "an empty body"),
    (b"   ", "an empty body"),
    (b"<!DOCTYPE html><title>Login</title>", "an HTML page; check the base URL"),
    (b"data: {}\n\n", "an event stream"),
    (b"ok", "no JSON"),
    (b'{"choices": [', "no JSON"),
    (b"\xff\xfe\x00", "no JSON"),
    (b"[" * 200_000, "no JSON"),
    (b"9" * 5_000, "no JSON"),
    (b"null", "JSON, but no object"),
    (b'"text"', "JSON, but no object"),
    (b"[]", "JSON, but no object"),
    (b"{}", "no choices"),
    (b'{"choices": null}', "no choices"),
    (b'{"choices": []}', "no choices"),
    (b'{"choices": {}}', "no choices"),
    (b'{"choices": ["x"]}', "no choices"),
    (b'{"choices": [{}]}', "a choice without a message"),
    (b'{"choices": [{"message": null}]}', "a choice without a message"),
    (b'{"choices": [{"message": {"content": 5}}]}', "content that is no text"),
    (b'{"choices": [{"message": {"content": {"a": 1}}}]}', "content that is no text"),
]


@pytest.mark.parametrize("content_type", ["application/json", "text/html", "text/event-stream"])
def test_an_odd_body(content_type: str) -> None:
    """A 200 that holds no completion fails the call and nothing else, whatever it holds."""
    with served(lambda _body, n: Raw(ODD_BODIES[n - 1][0], content_type=content_type)) as (model, _):
        for body, told in ODD_BODIES:
            with pytest.raises(CallError) as caught:
                model.complete(REQUEST)
            assert type(caught.value) is CallError, body[:80]
            assert str(caught.value).endswith(f"answered with no completion: {told}"), body[:80]


def test_an_odd_body_of_an_error() -> None:
    """The same bodies under an error's status."""
    with served(lambda _body, n: Raw(ODD_BODIES[n - 1][0], status=500), retries=0, schema="off") as (
        model,
        _,
    ):
        for body, _told in ODD_BODIES:
            with pytest.raises(CallError, match="answered 500 for the model loopback: ") as caught:
                model.complete(REQUEST)
            assert type(caught.value) is CallError, body[:80]


@pytest.mark.parametrize(
    "body",
    [
        {"error": "out of memory"},
        {"error": {"message": "out of memory"}},
        {"message": "out of memory", "code": {"odd": 1}, "type": [1]},
        {"detail": "out of memory"},
        {"detail": [{"msg": "out of memory"}]},
        {"error": {"message": {"text": "out of memory"}}},
        {"odd": "out of memory"},
        ["out of memory"],
        "out of memory",
    ],
)
def test_an_error_of_any_shape(body: object) -> None:
    """Servers word their errors in many shapes; the words arrive."""
    assert "out of memory" in str(failure(raw(body, status=500), retries=0))


@pytest.mark.parametrize(
    ("body", "kind", "told"),
    [
        ({"error": {"message": "upstream is down", "code": 502}}, CallError, "answered 502"),
        ({"error": {"message": "No auth", "code": 401}}, EndpointError, "answered 401"),
        ({"error": {"message": "No auth", "code": "401"}}, EndpointError, "answered 401"),
        ({"error": {"message": "No.", "type": "insufficient_quota"}}, EndpointError, "quota is spent"),
        ({"error": {"message": "No.", "code": "9" * 5_000}}, CallError, "answered 200"),
        (
            {"error": {"message": "No.", "code": "context_length_exceeded"}},
            TooLongError,
            "too long for the model",
        ),
        (ended("stop") | {"error": {"message": "upstream is down", "code": 502}}, CallError, "answered 502"),
        ({"error": "upstream is down"}, CallError, "answered 200 for the model loopback: upstream is down"),
        (
            {"error": {"message": 5, "code": "odd"}},
            CallError,
            "answered 200 for the model loopback: no reason given",
        ),
        (
            {"choices": [{"error": {"message": "cut", "code": 502}, "message": {"content": ""}}]},
            CallError,
            "502",
        ),
        ({"choices": [{"error": {"message": "cut", "code": 502}}]}, CallError, "answered 502"),
    ],
)
def test_an_error_inside_a_200(body: object, kind: type[CallError], told: str) -> None:
    """Routers report the failure of the server behind them inside an answer of 200."""
    error = failure(raw(body))
    assert type(error) is kind
    assert told in str(error)


def test_broken_headers() -> None:
    """An answer whose encoding is not what it says, or that redirects for ever, fails the call alone."""
    assert type(failure(Raw(b"x", headers={"content-encoding": "gzip"}))) is CallError
    assert type(failure(Raw(b"", status=307, headers={"location": "/v1/chat/completions"}))) is CallError
    assert type(failure(Raw(b"", status=304))) is CallError


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(
                    ["choices", "message", "content", "refusal", "error", "code", "usage", "model"]
                )
                | st.text(),
                inner,
                max_size=4,
            )
        ),
        max_leaves=20,
    )
)
@settings(max_examples=3 * settings().max_examples)
def test_reading_never_raises(body: object) -> None:
    """No JSON whatever makes the reading of an answer raise."""
    read(json.dumps(body).encode())


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["", " ", "length", "text", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "type",
                    "text",
                    "function",
                    "arguments",
                    "message",
                    "code",
                    "prompt_tokens",
                    "completion_tokens",
                ]
            ),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(
    st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(
            ("content", "reasoning", "reasoning_details", "refusal", "tool_calls", "function_call"), ANYTHING
        ),
    ),
    st.fixed_dictionaries({}, optional=dict.fromkeys(("usage", "error", "model"), ANYTHING)),
    st.fixed_dictionaries({}, optional=dict.fromkeys(("finish_reason", "error"), ANYTHING)),
    st.lists(ANYTHING, max_size=2),
)
@settings(max_examples=3 * settings().max_examples)
def test_reading_a_completion_of_any_shape(
    message: dict[str, Any], answer: dict[str, Any], choice: dict[str, Any], others: list[Any]
) -> None:
    """Given a completion in which anything may be anywhere, then it is a reply or a failure of one sentence, and its record
    can be written.
    """
    body = {"choices": [{"message": message} | choice, *others]} | answer
    reply = read(json.dumps(body).encode())

    class Played:
        def complete(self, _request: Request) -> Completion:
            if isinstance(reply, Completion):
                return reply
            raise error_of(reply, url="http://a/v1", model="m", timeout_s=1, endpoint_answered=False)

    recorder = CallRecorder(Played())
    told = outcome(recorder, REQUEST)
    assert isinstance(told, Completion) or (told and "\n" not in told)
    json.loads(encode(recorder.calls))


def test_nothing_but_a_call_error_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception from deep inside the SDK, holding the key, becomes a `CallError` without it."""

    def burst(*_args: object, **_options: object) -> None:
        raise TypeError(KEY)

    with served(text("x")) as (model, _):
        monkeypatch.setattr("openai.OpenAI._send_request", burst)
        with pytest.raises(CallError, match="answered with no completion: TypeError") as caught:
            model.complete(REQUEST)
    assert caught.value.__context__ is None


def test_a_model_that_nobody_closes() -> None:
    """A model that is let go of ends its connections itself; an open one would be a ResourceWarning here."""
    with Loopback(lambda _body, _n: text("x")) as server:
        model = endpoint(server.base_url, "m", None, {})
        model.complete(REQUEST)
        client = model._client._sdk
        del model
        gc.collect()
        assert client.is_closed()


def test_closed() -> None:
    """A call after the end is an error like another, and a second end does nothing."""
    with served(text("x")) as (model, _):
        model.close()
        model.close()
        with pytest.raises(CallError, match="RuntimeError"):
            model.complete(REQUEST)


# --- secrets ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [400, 401, 404, 429, 500])
def test_an_error_that_repeats_secrets(code: int) -> None:
    """A server's message is one short line without key and credential, also where the cut would run through them."""
    message = f"{'x' * 150}\nbad key {KEY} and {SECRET} {'y' * 300}"
    error = failure(status(code, message), retries=0)
    shown = (
        "".join(traceback.format_exception(error))
        + repr(error)
        + repr(error.__cause__)
        + repr(error.__context__)
    )
    assert KEY[:12] not in shown
    assert SECRET[:12] not in shown
    assert "[redacted credential]" in str(error)
    assert "\n" not in str(error)
    assert "y" * 201 not in str(error)


def test_the_key_in_a_reply() -> None:
    """A server that echoes the key into a reply does not get it into any record; a short one may be a plain word."""
    with served(text(f"Bearer {KEY}")) as (model, _):
        assert model.complete(REQUEST).text == "Bearer [redacted credential]"
    with served(text("Start ollama first."), key="ollama") as (model, _):
        assert model.complete(REQUEST).text == "Start ollama first."


@pytest.mark.parametrize(
    "echo",
    [
        "bad header hunter-2-x",
        "cannot POST /v1/chat/completions?v=1&key=k%2By-9&v=2",
        "cannot POST /v1/chat/completions?v=1&key=k+y-9&v=2",
        "the key k+y-9 is not valid",
        "user me:pass" + "word@host",
    ],
)
def test_an_error_that_repeats_short_secrets(echo: str) -> None:
    """Given secrets that are too short to be taken out of replies, in a header, the query and the address, then no error shows
    them.
    """
    with Loopback(lambda _body, _n: status(400, echo)) as server:
        url = server.base_url.replace("://", "://me:pass" + "word@") + "?v=1&key=k%2By-9&v=2"
        with (
            endpoint(url, "m", None, {"AZ": "hunter-2-x"}, headers=["api-key=AZ"], schema="off") as model,
            pytest.raises(CallError) as caught,
        ):
            model.complete(REQUEST)
    told = str(caught.value)
    assert "[redacted credential]" in told
    for secret in ("hunter", "y-9", "password"):
        assert secret not in told


def test_a_version_in_the_query_is_shown() -> None:
    """Given a query whose values are not secrets by name or length, then an error about them can be read."""
    with (
        Loopback(lambda _body, _n: status(400, "api-version 2026-01-01 is not known")) as server,
        endpoint(server.base_url + "?api-version=2026-01-01", "m", None, {}, schema="off") as model,
        pytest.raises(CallError, match="api-version 2026-01-01 is not known"),
    ):
        model.complete(REQUEST)


def test_a_redirect_takes_no_secret_elsewhere() -> None:
    """Given an endpoint that sends the call on to another server, then neither key nor headers go along."""
    with Loopback(lambda _body, _n: text("x")) as other:
        moved = Raw(b"", status=307, headers={"location": f"{other.base_url}/chat/completions"})
        with (
            Loopback(lambda _body, _n: moved) as server,
            endpoint(server.base_url, "m", "K", {"K": KEY, "AZ": SECRET}, headers=["api-key=AZ"]) as model,
        ):
            model.complete(REQUEST)
    assert server.headers[0]["api-key"] == SECRET
    assert not {"api-key", "authorization"} & other.headers[0].keys()


@pytest.mark.parametrize(
    ("asked", "sent_on_to", "is_safe"),
    [
        ("http://a/v1", "http://a/v2", True),
        ("http://a/v1", "https://a/v1", True),
        ("https://a/v1", "http://a/v1", False),
        ("http://a:81/v1", "https://a:82/v1", False),
        ("http://a/v1", "http://a:81/v1", False),
        ("https://a/v1", "https://a.b/v1", False),
    ],
)
def test_where_a_secret_may_go(asked: str, sent_on_to: str, *, is_safe: bool) -> None:
    """To the same server, or to its https where it was asked by http; never from https to http."""
    assert is_as_safe(httpx2.URL(sent_on_to), httpx2.URL(asked)) is is_safe


def test_repr_and_url_hide_secrets() -> None:
    """Neither the key nor a password or query of the base URL is shown."""
    url = "http://user:pass" + "word@127.0.0.1:9/v1?key=hidden"
    with endpoint(url, "m", "MY_KEY", {"MY_KEY": KEY}) as model:
        assert repr(model) == "OpenAIModel(url='http://127.0.0.1:9/v1', model='m')"
    for secret in (KEY, SECRET):
        with endpoint(f"http://a/{secret}/v1", "m", "MY_KEY", {"MY_KEY": KEY}) as model:
            assert model.url == "http://a/[redacted credential]/v1"


# --- options and environment ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("base_url", "environ", "expected"),
    [
        ("http://a/v1", {"OPENAI_BASE_URL": "http://b/v1"}, "http://a/v1"),
        (None, {"OPENAI_BASE_URL": "http://b/v1/", "REEF_UPSTREAM_URL": "http://c/v1"}, "http://b/v1"),
        (None, {"OPENAI_BASE_URL": " ", "REEF_UPSTREAM_URL": "http://c/v1"}, "http://c/v1"),
        (None, {"OPENAI_API_KEY": KEY}, "https://api.openai.com/v1"),
    ],
)
def test_the_base_url(
    base_url: str | None, environ: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The option, then the two variables, then OpenAI; never a variable that is not in `environ`."""
    monkeypatch.setenv("OPENAI_BASE_URL", "http://elsewhere/v1")
    with endpoint(base_url, "m", None, environ) as model:
        assert model.url == expected
        assert str(model._client._sdk.base_url).rstrip("/") == expected


@pytest.mark.parametrize(
    ("option", "environ", "expected"),
    [
        ("a", {"OPENAI_MODEL": "b"}, "a"),
        (None, {"OPENAI_MODEL": "b", "REEF_UPSTREAM_MODEL": "c"}, "b"),
        ("", {"OPENAI_MODEL": "", "REEF_UPSTREAM_MODEL": "c"}, "c"),
    ],
)
def test_the_model(option: str | None, environ: dict[str, str], expected: str) -> None:
    """The option, then the two variables."""
    with endpoint("http://a/v1", option, None, environ) as model:
        assert model.model == expected


@pytest.mark.parametrize(
    ("option", "environ", "sent"),
    [
        ("MY_KEY", {"MY_KEY": " mine\n", "OPENAI_API_KEY": "other"}, "Bearer mine"),
        (None, {"OPENAI_API_KEY": "other"}, "Bearer other"),
        (None, {}, "Bearer none"),
    ],
)
def test_the_key(
    option: str | None, environ: dict[str, str], sent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The named variable, then `OPENAI_API_KEY`, then none for a server of one's own."""
    monkeypatch.setenv("OPENAI_API_KEY", "of the process")
    with (
        Loopback(lambda _body, _n: text("x")) as server,
        endpoint(server.base_url, "m", option, environ) as model,
    ):
        model.complete(REQUEST)
    assert server.headers[0]["authorization"] == sent


@pytest.mark.parametrize(
    ("arguments", "environ", "told"),
    [
        (("http://a/v1", None, None), {}, "give --model, or set OPENAI_MODEL or REEF_UPSTREAM_MODEL"),
        ((None, "m", None), {}, "set OPENAI_API_KEY, or give --base-url"),
        (
            ("http://a/v1", "m", "MY_KEY"),
            {"OPENAI_API_KEY": "x"},
            "variable MY_KEY, named by --api-key-env, is not set",
        ),
        (("http://a/v1", "m", "MY_KEY"), {"MY_KEY": "kéy"}, "the key in MY_KEY holds characters"),
        (("http://a/v1", "m", "MY_KEY"), {"MY_KEY": "a\nb"}, "the key in MY_KEY holds characters"),
        (
            ("http://a/v1", "m", "sk-" + "a" * 40),
            {},
            "--api-key-env takes the name of an environment variable",
        ),
        (("localhost:8000/v1", "m", None), {}, "--base-url must start with http:// or https://"),
        (("http://", "m", None), {}, "--base-url must start with http:// or https://"),
        (("http://a:99999/v1", "m", None), {}, "--base-url must start with http:// or https://"),
        ((None, "m", None), {"OPENAI_BASE_URL": "http://[::1/v1"}, "OPENAI_BASE_URL must start with http://"),
        (("http://a\x00b/v1", "m", None), {}, "no HTTP client \\(InvalidURL\\)"),
    ],
)
def test_options_that_lead_nowhere(
    arguments: tuple[str | None, str | None, str | None], environ: dict[str, str], told: str
) -> None:
    """What is missing or wrong is said before any call, and without the key."""
    with pytest.raises(EndpointError, match=told) as caught:
        endpoint(*arguments, environ)
    assert "aaaa" not in str(caught.value)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"timeout_s": 0}, "--timeout must be a number of seconds above 0, not 0"),
        ({"timeout_s": float("nan")}, "--timeout must be a number of seconds above 0, not nan"),
        ({"timeout_s": float("inf")}, "--timeout must be a number of seconds above 0, not inf"),
        ({"retries": -1}, "the number of retries must be 0 or more, not -1"),
        ({"max_tokens": 0}, "--max-tokens must be a whole number of at least 1, not 0"),
        ({"temperature": -0.5}, "--temperature must be a number of at least 0, not -0.5"),
        ({"temperature": float("nan")}, "--temperature must be"),
        ({"body": ["no equals"]}, "--body takes KEY=JSON"),
        ({"body": ["=1"]}, "--body takes KEY=JSON"),
        ({"body": ["messages=[]"]}, "--body may not set messages"),
        ({"body": ["stream=true"]}, "--body may not set stream"),
        ({"body": ["response_format={}"]}, "--body may not set response_format"),
        ({"body": ["a=1", " a =2"]}, "--body sets a twice"),
        ({"body": ["a=" + "[" * 100_000]}, "--body a is nested too deeply"),
        ({"body": ["max_tokens=1"], "max_tokens": 2}, "--body sets max_tokens, and so does --max-tokens"),
        (
            {"body": ["max_completion_tokens=1"], "max_tokens": 2},
            "--body sets max_completion_tokens, and so does",
        ),
        (
            {"body": ["temperature=1"], "temperature": 0.5},
            "--body sets temperature, and so does --temperature",
        ),
        ({"headers": ["x-key=HOME_OF_IT", "X-Key=HOME_OF_IT"]}, "--header sets X-Key twice"),
        ({"headers": ["Content-Length=HOME_OF_IT"]}, "--header may not set Content-Length"),
        ({"headers": ["transfer-encoding=HOME_OF_IT"]}, "--header may not set transfer-encoding"),
        ({"headers": ["x-key"]}, "--header takes NAME=VARIABLE"),
        ({"headers": ["x-key=s k"]}, "--header takes NAME=VARIABLE"),
        ({"headers": ["x key=KEY"]}, "--header takes NAME=VARIABLE"),
    ],
)
def test_impossible_numbers(options: dict[str, Any], told: str) -> None:
    """What no value of an option can be is an error that names the option."""
    with pytest.raises(SettingsError, match=told):
        endpoint("http://a/v1", "m", None, {"HOME_OF_IT": "value"}, **options)


@pytest.mark.parametrize(
    ("given_value", "sent"),
    [
        ("NaN", "NaN"),
        ("[1, -Infinity]", "[1, -Infinity]"),
        ("1e400", "1e400"),
        ("9" * 5_000, "9" * 5_000),
        ("caf\udce9", "caf\ufffd"),
        ('"\\ud83d"', "\ufffd"),
        ('{"a": ["\\ud83d"]}', {"a": ["\ufffd"]}),
        ("", ""),
        ("a=b", "a=b"),
        ("null", None),
        (" 0.5 ", 0.5),
    ],
)
def test_a_value_of_the_body(given_value: str, sent: object) -> None:
    """Given JSON, then it is sent as that; given anything else, numbers that JSON has not included, then as text."""
    with (
        Loopback(lambda _body, _n: text("x")) as server,
        endpoint(server.base_url, "m", None, {}, body=[f"k={given_value}"]) as model,
    ):
        model.complete(REQUEST)
    assert server.bodies[0]["k"] == sent


def test_a_header_in_place_of_the_key() -> None:
    """Given a header called Authorization, in any case, then it is sent in place of the key."""
    with (
        Loopback(lambda _body, _n: text("x")) as server,
        endpoint(server.base_url, "m", None, {"B": "Basic " + "eDp5"}, headers=["authorization=B"]) as model,
    ):
        model.complete(REQUEST)
    assert server.headers[0]["authorization"] == "Basic " + "eDp5"


def test_a_broken_proxy_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy that the HTTP library cannot use is named as what it is, without the password in it."""
    monkeypatch.setenv("ALL_PROXY", "odd://user:pass" + "word@127.0.0.1:1")
    with pytest.raises(EndpointError, match="check the base URL and the settings of ALL_PROXY") as caught:
        endpoint("http://a/v1", "m", None, {})
    assert "password" not in str(caught.value)
    assert caught.value.__context__ is None


def test_a_socks_proxy_without_its_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """The variable and the package are named, the password is not."""
    monkeypatch.setenv("ALL_PROXY", "socks5://user:pass" + "word@127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(
        EndpointError,
        match=r"the proxy in ALL_PROXY \(socks5://127\.0\.0\.1:1\) is a SOCKS proxy.*pip install socksio",
    ) as caught:
        endpoint("http://a/v1", "m", None, {})
    assert "password" not in str(caught.value)


def test_the_proxy_that_is_a_socks_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given several proxies, then the one that needs the package is named alone."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:2")
    monkeypatch.setenv("ALL_PROXY", "socks5h://127.0.0.1:1")
    monkeypatch.setitem(sys.modules, "socksio", None)
    with pytest.raises(
        EndpointError, match=r"^the proxy in ALL_PROXY \(socks5h://127\.0\.0\.1:1\) is a SOCKS"
    ):
        endpoint("http://a/v1", "m", None, {})


@pytest.mark.parametrize(
    "value", ["http://u:{}@127.0.0.1:port", "http://u:{}@[::1", "://u:{}@x", "socks4://u:{}@x:1"]
)
def test_a_malformed_proxy(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a proxy that is not an address, then its variable is named, and nothing of its password."""
    monkeypatch.setenv("https_proxy", value.format("pass" + "word"))
    with pytest.raises(EndpointError, match="https_proxy") as caught:
        endpoint("http://a/v1", "m", None, {})
    assert "password" not in str(caught.value)


def test_a_proxy_that_wants_a_password(monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a proxy that answers 407, then it is named, by the variable that counts where both spellings are there."""
    with Loopback(lambda _body, _n: status(407, "who are you")) as proxy:
        monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
        monkeypatch.setenv("http_proxy", proxy.base_url.removesuffix("/v1"))
        monkeypatch.setenv("NO_PROXY", "")
        monkeypatch.delenv("no_proxy", raising=False)
        with (
            endpoint("http://model.invalid/v1", "m", None, {}, schema="off") as model,
            pytest.raises(CallError, match=r"answered 407 .*by the proxy that http_proxy \(http://127"),
        ):
            model.complete(REQUEST)


def test_a_dead_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A connection that does not come about names the variable of the proxy that it went through."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setenv("HTTP_PROXY", "http://user:pass" + f"word@127.0.0.1:{taken.getsockname()[1]}")
    monkeypatch.setenv("NO_PROXY", "")
    monkeypatch.delenv("no_proxy", raising=False)
    with (
        endpoint("http://model.invalid/v1", "m", None, {}, retries=0) as model,
        pytest.raises(
            EndpointError, match=r"by the proxy that HTTP_PROXY \(http://127\.0\.0\.1:\d+\) names"
        ) as caught,
    ):
        model.complete(REQUEST)
    assert "password" not in str(caught.value)


@pytest.mark.parametrize(
    ("body", "status_code"),
    [
        ({"error": {"message": "This model's maximum context length is 4097 tokens. However, your messages resulted in 5000 tokens.", "code": "context_length_exceeded"}}, 400),
        ({"object": "error", "message": "This model's maximum context length is 4097 tokens. However, you requested 5000 tokens (4700 in the messages, 300 in the completion). Please reduce the length of the messages or completion."}, 400),
        ({"error": {"code": 400, "message": "the request exceeds the available context size, try increasing it", "type": "exceed_context_size_error", "n_prompt_tokens": 5000, "n_ctx": 4097}}, 400),
        ({"type": "error", "error": {"message": "prompt is too long: 5000 tokens > 4097 maximum"}}, 400),
        ({"error": {"message": "The input token count (5000) exceeds the maximum number of tokens allowed (4097)."}}, 400),
        ({"error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4097. Given: 5000"}, 422),
        ({"detail": "Prompt contains 5000 tokens and is too large for model with 4097 maximum context length"}, 413),
        ({"error": {"message": "Input is too long for requested model. 5000 > 4097"}}, 500),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long(body: object, status_code: int) -> None:
    """Given an endpoint that says so in its words, then it is told as that, with both lengths and the setting that helps, and
    nothing is asked a second time.
    """
    with (
        served(raw(body, status=status_code), retries=0) as (model, server),
        pytest.raises(TooLongError) as caught,
    ):
        model.complete(REQUEST)
    told = str(caught.value)
    assert "5000" in told
    assert "4097" in told
    assert "max_trace_characters" in told
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "words",
    [
        "This model's maximum prompt length is 131072 but the request contains 200000 tokens.",
        "Your input exceeds the context window of this model",
        "Input validation error: `inputs` must have less than 4096 tokens. Given: 5000",
        "Unable to submit request because the input token count is 40000 but the model only supports up to 32768.",
        "the number of input tokens 5000 cannot exceed the total tokens limit 4096 for this model",
        "prompt token count of 5000 exceeds the limit of 4096",
        "Malformed input request: expected maxLength: 200000, actual: 300000",
        "Range of input length should be [1, 30720]",
        "Prompt exceeds max length",
        "Invalid request: Your request exceeded model token limit: 8192",
        "invalid params, context window exceeds limit (2013)",
        "Invalid 'messages[0].content': string too long. Expected a string with maximum length 1048576.",
        "prompt too long; exceeded max context length by 12 tokens",
        "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
        "Requested token count exceeds the model's maximum context length of 4096 tokens",
        "Requested tokens (5000) exceed context window of 4096",
        "the input length exceeds the context length",
        "The decoder prompt (length 5000) is longer than the maximum model length of 4096.",
        "Input tokens exceed the configured limit of 272000 tokens.",
        "Please reduce the length of the messages or completion.",
        (
            "Request too large for gpt-4 on tokens per min (TPM): Limit 10000, Requested 12000. The input or output tokens must "
            "be reduced in order to run successfully."
        ),
        "413 Request Entity Too Large",
        "Payload Too Large",
    ],
)
def test_words_that_say_that_a_prompt_is_too_long(words: str) -> None:
    """Given the words of one of many servers, then they are known, in any case and inside of other words."""
    for said in (words, words.upper(), f"litellm.BadRequestError: OpenAIException - {words}"):
        assert says_too_long(said)


@pytest.mark.parametrize(
    "words",
    [
        "Rate limit reached: too many tokens per minute (TPM): limit 4097",
        "the name is too long ago",
        "maximum number of requests exceeded",
        "model not found",
        "response_format: schema is too complex",
        (
            "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens and "
            "your request has 100 input tokens"
        ),
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens",
        "The maximum tokens you requested exceeds the model limit of 4096",
        "Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000",
        "Rate limit reached for m on tokens per min (TPM): Limit 6000, Used 5900, Requested 700. Try again in 6s",
        "The request took too long to process",
        "Request timed out: it was too long in the queue",
        "",
    ],
)
def test_other_words_do_not_say_that_a_prompt_is_too_long(words: str) -> None:
    """Given limits of other things, then the prompt is not said to be too long."""
    assert not says_too_long(words)


def test_a_page_that_says_that_a_prompt_is_too_long() -> None:
    """Given a proxy's limit, told by a page, then that is the prompt's length too; a 413 that says nothing of it is not."""
    page = Raw(b"<html><h1>413 Request Entity Too Large</h1></html>", status=413, content_type="text/html")
    with (
        served(page) as (model, server),
        pytest.raises(TooLongError, match="an HTML page: Request Entity Too Large"),
    ):
        model.complete(REQUEST)
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    "fault",
    [
        status(413, "too large"),
        Raw(b"<html>No</html>", status=413),
        Raw(b"<p>prompt is too long", status=403),
    ],
)
def test_a_status_does_not_say_that_a_prompt_is_too_long(fault: Reply) -> None:
    """Given 413 without such words, or a page of another status, then the call alone failed."""
    assert type(failure(fault)) is CallError


def test_lengths_behind_many_words() -> None:
    """Given lengths that come behind more words than are shown, then what is shown begins where they do."""
    words = (
        "litellm.ContextWindowExceededError: "
        + "x " * 200
        + "This model's maximum context length is 4097 tokens, not 5000."
    )
    told = str(failure(status(400, words)))
    assert "4097" in told
    assert "5000" in told
    assert len(told) < 400


def test_a_limit_that_is_too_large() -> None:
    """Given an endpoint that rejects the limit of the reply, then the prompt is not to blame, the other name of the limit
    does not help, and the option is named.
    """
    words = "'max_tokens' or 'max_completion_tokens' is too large: 8000. This model's maximum context length is 4096 tokens"
    with (
        served(status(400, words), max_tokens=8000, schema="off") as (model, server),
        pytest.raises(CallError, match="--max-tokens") as caught,
    ):
        model.complete(REQUEST)
    assert type(caught.value) is CallError
    assert len(server.bodies) == 1


def test_an_error_that_repeats_the_prompt() -> None:
    """Given an error of FastAPI's shape, which shows the input again, then only its own words are read and shown."""
    rows = [
        {
            "loc": ["body", "response_format"],
            "msg": "Extra inputs are not permitted",
            "input": "api key prompt is too long",
        }
    ]
    error = failure(raw({"detail": rows}, status=422))
    assert type(error) is CallError
    assert str(error).endswith(
        "answered 422 for the model loopback: body.response_format: Extra inputs are not permitted"
    )


@pytest.mark.parametrize(
    ("body", "status_code", "told"),
    [
        (
            [{"error": {"code": 400, "message": "out of memory", "status": "INTERNAL"}}],
            400,
            ": out of memory",
        ),
        ({"detail": [{"msg": "a"}, {"loc": ["b", 1], "msg": "c"}, 5]}, 422, ": a; b.1: c"),
        ({"detail": [5, None]}, 422, '{"detail": [5, null]}'),
        ([], 500, ": []"),
        ([[{"error": "x"}]], 500, ': [[{"error": "x"}]]'),
    ],
)
def test_errors_in_lists(body: object, status_code: int, told: str) -> None:
    """Given an error in a list, as of Gemini and of FastAPI, then its words arrive as a sentence."""
    assert str(failure(raw(body, status=status_code), retries=0)).endswith(told)


@pytest.mark.parametrize("code", [400, 403, 422, 429, 500, 503])
def test_spent_quota_at_any_time(code: int) -> None:
    """Given the code of spent quota, of whatever status and after good calls, then no more calls are made."""

    def answer(_body: dict[str, Any], n: int) -> Reply:
        return text("x") if n == 1 else status(code, "no", error_code="insufficient_quota")

    with served(answer, retries=0) as (model, _):
        model.complete(REQUEST)
        with pytest.raises(EndpointError, match="the account's quota is spent"):
            model.complete(REQUEST)


@pytest.mark.parametrize(
    ("fault", "kind"),
    [
        (
            raw({"error": {"code": 403, "message": "No.", "status": "PERMISSION_DENIED"}}, status=403),
            EndpointError,
        ),
        (
            raw([{"error": {"code": 403, "message": "No.", "status": "PERMISSION_DENIED"}}], status=403),
            EndpointError,
        ),
        (raw({"error": {"type": "permission_error", "message": "No."}}, status=403), EndpointError),
        (Raw(b"<?xml version='1.0'?><Code>AccessDenied</Code>", status=403), CallError),
        (Raw(b"<html><h1>403 Forbidden</h1>Attention Required</html>", status=403), CallError),
        (status(403, "Forbidden"), CallError),
        (status(403, "Request blocked by policy 7"), CallError),
        (status(403, "You do not have access to this model"), EndpointError),
        (status(403, "Invalid API key"), EndpointError),
        (status(403, "Your credit balance is too low"), EndpointError),
    ],
)
def test_a_403(fault: Reply, kind: type[CallError]) -> None:
    """Given 403 for the first prompt, then every call would fail only if it speaks of key, permission or account."""
    assert type(failure(fault)) is kind


# --- options of the request -------------------------------------------------------------------------------------------


def test_what_can_be_sent_along() -> None:
    """The limit, the temperature, keys of the body as JSON or as text, headers from variables, and no schema."""
    environ = {"AZURE": SECRET}
    with (
        Loopback(lambda _body, _n: text(f"said {SECRET}")) as server,
        endpoint(
            f"{server.base_url}?api-version=2026-01-01&token={SECRET}",
            "m",
            None,
            environ,
            max_tokens=800,
            temperature=0.0,
            body=['chat_template_kwargs={"enable_thinking": false}', "mode=fast", "n=1"],
            headers=["api-key=AZURE"],
            schema="off",
        ) as model,
    ):
        reply = model.complete(REQUEST)
        assert SECRET not in repr(model)
    (body,) = server.bodies
    del body["messages"], body["model"]
    assert body == {
        "max_tokens": 800,
        "temperature": 0.0,
        "chat_template_kwargs": {"enable_thinking": False},
        "mode": "fast",
        "n": 1,
    }
    assert server.headers[0]["api-key"] == SECRET
    assert server.paths == [f"/v1/chat/completions?api-version=2026-01-01&token={SECRET}"]
    assert reply.text == "said [redacted credential]"


@pytest.mark.parametrize(
    "query", ["a=1&a=2", "flag", "sig=a%2Bb%3D&x=", "a[]=1", "q=%C3%A9", "a=1&b", "path=/x:y@z"]
)
def test_a_query_stays_as_it_is(query: str) -> None:
    """Given a query of any shape, then it is at the end of the request's URL, unchanged, and at every try."""
    with (
        Loopback(lambda _body, n: text("x") if n > 1 else status(503, "busy")) as server,
        endpoint(f"{server.base_url}/?{query}", "m", None, {}) as model,
    ):
        model.complete(REQUEST)
    assert server.paths == [f"/v1/chat/completions?{query}"] * 2


def test_a_query_of_other_letters() -> None:
    """Given letters that no URL may have, then they are sent as a URL has them."""
    with (
        Loopback(lambda _body, _n: text("x")) as server,
        endpoint(server.base_url + "?q=é x\udcff", "m", None, {}) as model,
    ):
        model.complete(REQUEST)
    assert server.paths == ["/v1/chat/completions?q=%C3%A9%20x?"]


@pytest.mark.parametrize(
    "tail",
    [
        "/chat/completions",
        "/chat/completions/",
        "/",
        "//",
        "/Chat/Completions",
        "/chat/completions/chat/completions",
    ],
)
def test_a_base_url_with_the_path_of_the_call(tail: str) -> None:
    """The doubled path is never asked for."""
    with (
        Loopback(lambda _body, _n: text("x")) as server,
        endpoint(server.base_url + tail + "?v=1", "m", None, {}) as model,
    ):
        model.complete(REQUEST)
    assert server.paths == ["/v1/chat/completions?v=1"]


def test_a_limit_by_its_newer_name() -> None:
    """An endpoint that wants `max_completion_tokens` is asked once more with that name, and so from then on."""

    def answer(body: dict[str, Any], _n: int) -> Reply:
        if "max_tokens" in body:
            return status(400, "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.")
        return text("x")

    with served(answer, max_tokens=9) as (model, server):
        for _ in range(2):
            model.complete(REQUEST)
        assert model.asks_with_schema
    assert [body.get("max_completion_tokens") for body in server.bodies] == [None, 9, 9]


def test_a_schema_that_has_to_be_there() -> None:
    """With `on`, a refused schema fails the call, and is asked for again."""
    refused = without_schema(lambda _body, _n: text("x"))
    with served(refused, schema="on") as (model, server):
        for _ in range(2):
            with pytest.raises(CallError, match="not supported"):
                model.complete(REQUEST)
    assert all("response_format" in body for body in server.bodies)


@pytest.mark.parametrize("code", [405, 415, 424, 500, 501, 520])
def test_any_status_may_mean_the_schema_once(code: int) -> None:
    """Given a status that says nothing of the schema, then one call without it decides."""
    with served(without_schema(lambda _body, _n: text("x"), status(code, "oops")), retries=0) as (
        model,
        server,
    ):
        assert [model.complete(REQUEST).text for _ in range(2)] == ["x", "x"]
    assert ["response_format" in body for body in server.bodies] == [True, False, False]


@pytest.mark.parametrize("code", [401, 402, 403, 408, 429, 502, 503, 504])
def test_a_status_that_never_means_the_schema(code: int) -> None:
    """Given a status that speaks of something else, then it is not asked without."""
    fault = status(code, "json_schema is not supported")
    with served(fault, retries=0) as (model, server), pytest.raises(CallError):
        model.complete(REQUEST)
    assert len(server.bodies) == 1


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without `openai` the sentence says how to get it; nothing else of this package needs it."""
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "ace.adapters.models.sdk", raising=False)
    monkeypatch.setattr(sys, "prefix", "/home/someone/project/.venv")
    with pytest.raises(EndpointError, match=r"needs the openai package: pip install '\.\[openai\]'"):
        endpoint("http://a/v1", "m", None, {})
    monkeypatch.setattr(sys, "prefix", "/home/someone/.cache/uv/archive-v0/Abc")
    with pytest.raises(
        EndpointError, match=r"start ace with uvx -p '>=3.12' -c constraints.txt --from '\.\[openai\]' ace"
    ):
        endpoint("http://a/v1", "m", None, {})
    monkeypatch.setattr(sys, "prefix", "/home/someone/.local/share/uv/tools/ace-lessons")
    with pytest.raises(EndpointError, match=r"package: uv tool install -p '>=3.12' '\.\[openai\]'"):
        endpoint("http://a/v1", "m", None, {})


# --- kept and replayed ------------------------------------------------------------------------------------------------


def test_a_live_step_is_replayed(tmp_path: Path) -> None:
    """The record of live calls, failures included, answers the same questions in the same way without the server."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        return status(500, f"oops {SECRET}") if n == 2 else text(f"{n}: {body['messages'][0]['content']}")

    requests = [Request(role="curator", run=1, trace="t", prompt=f"p{n}", schema=SCHEMA) for n in range(3)]
    with served(answer, retries=0) as (model, _):
        recorder = CallRecorder(model)
        live = [outcome(recorder, request) for request in requests]
    file = tmp_path / "calls.json"
    file.write_bytes(encode(recorder.calls))
    replay = RecordedModel(load_calls(file), strict=True)
    assert [outcome(replay, request) for request in requests] == live
    assert isinstance(live[1], str)
    assert live[1].endswith("answered 500 for the model loopback: oops [redacted credential]")


def outcome(model: Model, request: Request) -> Completion | str:
    """The reply, or the sentence of the error."""
    try:
        return model.complete(request)
    except CallError as error:
        return str(error)


# --- the server of these tests ------------------------------------------------------------------------------------------


def test_a_faulty_answer_fails_the_test() -> None:
    """An assertion in a test's `answer` is not lost in the server's thread."""

    def answer(_body: dict[str, Any], n: int) -> Reply:
        assert n > 1, "asked for the first time"
        return text("x")

    with pytest.raises(AssertionError, match="asked for the first time"), served(answer) as (model, _):
        assert model.complete(REQUEST).text == "x"
