"""Calls kept and replayed: the recorder, the file `calls.json`, and the model that answers from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.hosting import Host, Place, lessons

from ace.adapters.models import CallRecorder, RecordedCall, RecordedModel, Usage, encode, load_calls
from ace.adapters.models.prompts import fill
from ace.domain.errors import CallError, EndpointError, TraceError
from ace.domain.screens import Redacted, credentials
from ace.domain.screens.credentials import Credential
from ace.domain.screens.views import Views
from ace.domain.trace import Trace, Turn
from ace.method import ACE
from ace.ports import Completion, Request

SECRET = "ghp_" + "a" * 36
type Role = Literal["reflector", "curator"]


def ask(trace: str = "t1", role: Role = "reflector", prompt: str = "p", run: int = 1) -> Request:
    """A request; the schema does not matter here."""
    return Request(role=role, run=run, trace=trace, prompt=prompt, schema={})


def call(
    reply: str | None = "r", *, trace: str = "t1", role: Role = "reflector", **more: str
) -> RecordedCall:
    """A recorded call as a demo has it."""
    return RecordedCall(
        role=role, trace=trace, reply=reply, prompt=more.get("prompt"), error=more.get("error")
    )


class Scripted:
    """A model of a function."""

    def __init__(self, answer: Callable[[Request], str]) -> None:
        self._answer = answer

    def complete(self, request: Request) -> Completion:
        """The function's text, with a model's name and tokens."""
        return Completion(text=self._answer(request), model="m-1", input_tokens=3, output_tokens=4)


def failing(error: Exception) -> Scripted:
    """A model that always fails."""

    def answer(_request: Request) -> str:
        raise error

    return Scripted(answer)


# --- the recorder -----------------------------------------------------------------------------------------------------


def test_a_kept_call() -> None:
    """Everything about a call is kept, and the reply is handed on as it came."""
    recorder = CallRecorder(Scripted(lambda request: f"re: {request.prompt}"))
    completion = recorder.complete(ask(prompt="why?", run=3))
    assert completion == Completion(text="re: why?", model="m-1", input_tokens=3, output_tokens=4)
    (kept,) = recorder.calls
    assert kept.seconds is not None
    assert kept.seconds >= 0
    assert kept == RecordedCall(
        role="reflector",
        run=3,
        trace="t1",
        prompt="why?",
        reply="re: why?",
        model="m-1",
        usage=Usage(input_tokens=3, output_tokens=4),
        seconds=kept.seconds,
    )


@pytest.mark.parametrize("error", [CallError("no reply within 1 s"), EndpointError("wrong key")])
def test_a_kept_failure(error: CallError) -> None:
    """A failed call is kept with its error, which is raised on unchanged."""
    recorder = CallRecorder(failing(error))
    with pytest.raises(CallError) as caught:
        recorder.complete(ask())
    assert caught.value is error
    assert (recorder.calls[0].error, recorder.calls[0].reply) == (str(error), None)


def test_no_usage() -> None:
    """A model that tells no tokens leaves `usage` null."""

    class Silent:
        def complete(self, _request: Request) -> Completion:
            return Completion(text="x")

    recorder = CallRecorder(Silent())
    recorder.complete(ask())
    assert recorder.calls[0].usage is None


def test_secrets_are_not_kept() -> None:
    """A credential in prompt, reply or error is in no record; the caller still sees what the model said."""
    recorder = CallRecorder(Scripted(lambda _request: f"use {SECRET}"))
    assert SECRET in recorder.complete(ask(prompt=f"saw {SECRET}")).text
    broken = CallRecorder(failing(CallError(f"bad {SECRET}")))
    with pytest.raises(CallError):
        broken.complete(ask(trace=SECRET))
    content = encode([*recorder.calls, *broken.calls]).decode()
    assert SECRET not in content
    assert content.count("[redacted credential]") == 4


# --- the file ---------------------------------------------------------------------------------------------------------


def test_the_file() -> None:
    """Indented by two, keys in a fixed order, text as itself, one line break at the end."""
    kept = RecordedCall(role="curator", trace="tä", reply='{"a": 1}', usage=Usage(input_tokens=1))
    assert encode([kept]).decode() == (
        '[\n  {\n    "role": "curator",\n    "run": 0,\n    "trace": "tä",\n    "prompt": null,\n'
        '    "reply": "{\\"a\\": 1}",\n    "model": "",\n'
        '    "usage": {\n      "input_tokens": 1,\n      "output_tokens": null\n    },\n'
        '    "seconds": null,\n    "error": null,\n    "finish_reason": "",\n    "found": ""\n  }\n]\n'
    )
    assert encode([]) == b"[]\n"


def test_a_prompt_of_plain_ascii() -> None:
    """A prompt that was put together from redacted parts is written like any other text, with and without letters beyond ASCII."""
    for prompt in ("Plain.", "Größe."):
        (row,) = json.loads(
            encode([RecordedCall(role="curator", trace="t", prompt=Redacted(prompt), reply="{}")])
        )
        assert row["prompt"] == prompt


def test_lone_surrogates() -> None:
    """Half a character is written as U+FFFD; it must not cost the record of the whole step."""
    kept = RecordedCall(role="curator", trace="t\ud83d", prompt="p\udc00", reply="r\ud83d🦊", error="e\ud800")
    row = json.loads(encode([kept]))[0]
    assert (row["trace"], row["prompt"], row["reply"], row["error"]) == (
        "t\ufffd",
        "p\ufffd",
        "r\ufffd🦊",
        "e\ufffd",
    )


@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), st.text(), st.text()), max_size=6))
def test_what_was_kept_is_replayed(calls: list[tuple[str, str, str]]) -> None:
    """Recorder, file and replay give the same replies to the same questions, without a difference."""
    texts = iter([text for _, _, text in calls])
    recorder = CallRecorder(Scripted(lambda _request: next(texts)))
    live = [recorder.complete(ask(trace, prompt=prompt)) for trace, prompt, _ in calls]
    rows = json.loads(encode(recorder.calls))
    replay = RecordedModel(
        [RecordedCall(**row | {"usage": Usage(**row["usage"])}) for row in rows], strict=True
    )
    assert [replay.complete(ask(trace, prompt=prompt)) for trace, prompt, _ in calls] == live


def test_round_trip_through_a_file(tmp_path: Path) -> None:
    """What is written is what is read, a failure included."""
    calls = [
        call("r1"),
        call(None, error="no reply within 1 s"),
        call("r\n2\u2028", role="curator", prompt="p\r\n"),
    ]
    file = tmp_path / "calls.json"
    file.write_bytes(encode(calls))
    assert load_calls(file) == tuple(calls)


def test_a_file_written_by_hand(tmp_path: Path) -> None:
    """A demo's replies have three keys; others, a byte order mark and a null beside do not matter."""
    file = tmp_path / "replies.json"
    rows = [
        {"role": "reflector", "trace": "t1", "reply": "r"},
        {"role": "curator", "trace": "t1", "error": "late", "reply": None, "note": 5},
    ]
    file.write_text("\ufeff" + json.dumps(rows), encoding="utf-8")
    assert load_calls(file) == (call("r"), call(None, role="curator", error="late"))


def test_several_files_and_folders(tmp_path: Path) -> None:
    """A folder of step records gives their calls in the order of the steps, several paths theirs one after another."""
    for name in ("10", "9", "7-2", "7", "note"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "calls.json").write_bytes(encode([call(name)]))
    (tmp_path / "11").mkdir()
    assert [one.reply for one in load_calls(tmp_path)] == ["7", "7-2", "9", "10", "note"]
    assert [one.reply for one in load_calls(tmp_path / "9", tmp_path / "7" / "calls.json")] == ["9", "7"]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "line 1, column 1, is not JSON"),
        (b'[{"role": "reflector",\n "trace": ', "line 2, column 11, is not JSON"),
        (b"\xff[]", r"is not UTF-8 \(byte 1\)"),
        (b"[" * 200_000, "too deep"),
        (b"9" * 5_000, "a number is too long"),
        (b"{}", "not a list of recorded calls"),
        (b'[{"role": "reflector", "trace": "t", "reply": "r"}, 5]', "call 2: Expected `object`, got `int`"),
        (
            b'[{"role": "judge", "trace": "t", "reply": "r"}]',
            r"call 1: Invalid enum value 'judge' - at `\$.role`",
        ),
        (b'[{"role": "curator", "reply": "r"}]', "call 1: Object missing required field `trace`"),
        (b'[{"role": "curator", "trace": "t", "reply": 5}]', r"call 1: .* - at `\$.reply`"),
        (b'[{"role": "curator", "trace": "t"}]', "call 1: neither a reply nor an error"),
        (
            b'[{"role": "curator", "trace": "t", "reply": "", "error": "e"}]',
            "call 1: both a reply and an error",
        ),
    ],
)
def test_a_damaged_file(tmp_path: Path, content: bytes, told: str) -> None:
    """A damaged file is an error that names file and place."""
    file = tmp_path / "calls.json"
    file.write_bytes(content)
    with pytest.raises(TraceError, match=told) as caught:
        load_calls(file)
    assert str(caught.value).startswith(str(file))


def test_no_file(tmp_path: Path) -> None:
    """A path that leads nowhere and a folder without records are errors that name it."""
    with pytest.raises(TraceError, match=r"nowhere cannot be read \(No such file"):
        load_calls(tmp_path / "nowhere")
    with pytest.raises(TraceError, match=r"holds no calls\.json"):
        load_calls(tmp_path)


# --- the replay -------------------------------------------------------------------------------------------------------


def test_role_trace_and_occurrence() -> None:
    """The n-th question of a role about a trace gets the n-th reply recorded for that, whatever came between."""
    model = RecordedModel([call("1"), call("c", role="curator"), call("2"), call("x", trace="t2")])
    asked = [ask(), ask("t2"), ask(role="curator"), ask()]
    assert [model.complete(request).text for request in asked] == ["1", "x", "c", "2"]


def test_no_recorded_reply() -> None:
    """A question that was not recorded fails this call; one asked too often says how often it was recorded."""
    model = RecordedModel([call("1")])
    with pytest.raises(CallError, match=r"^no recorded reply for the curator of trace t1$"):
        model.complete(ask(role="curator"))
    model.complete(ask())
    with pytest.raises(CallError, match="for the reflector of trace t1 for question 2, only for 1") as caught:
        model.complete(ask())
    assert type(caught.value) is CallError


def test_a_recorded_failure() -> None:
    """A recorded failure fails again with the same words, in its turn."""
    model = RecordedModel([call(None, error="the model refused: no"), call("2")])
    with pytest.raises(CallError, match=r"^the model refused: no$"):
        model.complete(ask())
    assert model.complete(ask()).text == "2"


def test_a_prompt_that_differs() -> None:
    """It is told with role, trace, line and a short excerpt from where it differs; the reply is given all the same."""
    told: list[str] = []
    long = "x" * 500
    model = RecordedModel([call("r", prompt=f"one\n{long}old{long}\nthree")], on_difference=told.append)
    assert model.complete(ask(prompt=f"one\n{long}new{long}\nthree")).text == "r"
    assert model.differences == told
    (sentence,) = told
    assert sentence.startswith("the reflector's prompt for trace t1 is not the recorded one: line 2 was ")
    assert '"xxxxxxxxxxxxxxxxxxxxoldxxx' in sentence
    assert '"xxxxxxxxxxxxxxxxxxxxnewxxx' in sentence
    assert len(sentence) < 250


def test_a_prompt_that_is_longer() -> None:
    """Lines that were not there are called missing."""
    model = RecordedModel([call("r", prompt="one")])
    model.complete(ask(prompt="one\n\ntwo"))
    assert model.differences[0].endswith('line 2 was missing and is ""')


def test_strict() -> None:
    """With `strict` a prompt that differs stops the step, and is told as well."""
    model = RecordedModel([call("r", prompt="a"), call("s", prompt="a")], strict=True)
    assert model.complete(ask(prompt="a")).text == "r"
    with pytest.raises(EndpointError, match=r"reflector's prompt for trace t1 .* line 1 was .a. and is .b."):
        model.complete(ask(prompt="b"))
    assert len(model.differences) == 1


def test_no_difference_without_a_prompt() -> None:
    """Replies written by hand have no prompt to compare; a redacted one equals the live one that it was."""
    model = RecordedModel([call("r"), call("s", prompt="see [redacted credential] \ufffd")], strict=True)
    model.complete(ask(prompt="anything"))
    model.complete(ask(prompt=f"see {SECRET} \ud800"))
    assert model.differences == []


def test_no_secret_in_a_difference() -> None:
    """Excerpts are of redacted text."""
    model = RecordedModel([call("r", prompt=f"a {SECRET}")])
    model.complete(ask(prompt=f"b {SECRET}"))
    assert SECRET[:12] not in model.differences[0]


def test_many_threads() -> None:
    """Each recorded reply is given once, however many ask at the same time."""
    model = RecordedModel([call(str(n)) for n in range(200)])
    with ThreadPoolExecutor(8) as pool:
        texts = list(pool.map(lambda _n: model.complete(ask()).text, range(200)))
    assert sorted(texts, key=int) == [str(n) for n in range(200)]


@pytest.mark.parametrize(
    "first",
    [
        {"error": "time-out"},
        {"reply": "It went well."},
        {"reply": '{"key_insight": "cut'},
        {"reply": ""},
    ],
)
def test_a_question_that_was_asked_again_is_answered_by_the_good_record(first: dict[str, str]) -> None:
    """Given a run that was tried without success and then read, then the reply is the one that was of use; given none, all as it was."""
    good = RecordedCall(role="reflector", trace="a", reply='{"key_insight": "Look."}')
    bad = RecordedCall(role="reflector", trace="a", reply=first.get("reply"), error=first.get("error"))
    request = Request(role="reflector", run=1, trace="a", prompt="p", schema={})
    for calls in ([bad, good], [good, bad]):
        model = RecordedModel(calls)
        assert model.complete(request).text == good.reply
        with pytest.raises(CallError, match="only for 1"):
            model.complete(request)
    alone = RecordedModel([bad])
    if bad.error is not None:
        with pytest.raises(CallError, match="time-out"):
            alone.complete(request)
    else:
        assert alone.complete(request).text == bad.reply


# --- redacted once ------------------------------------------------------------------------------------------------------


def test_a_run_is_looked_through_for_credentials_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a step over a long run, then each text of it is redacted once, and prompt, `calls.json` and notes use that."""
    seen: list[str] = []
    found = credentials._found

    def counted(text: str, views: Views | None = None) -> Iterator[Credential]:
        seen.append(text)
        return found(text, views)

    monkeypatch.setattr(credentials, "_found", counted)
    turns = (Turn("user", "Do it."), Turn("tool", f"middle {'x' * 9_000}"), Turn("assistant", "Done."))
    host, place = Host(lessons()), Place(tmp_path / "work")
    ACE().step(place.context([Trace(id="r1", turns=turns)]), host)
    assert "middle xxx" in host.requests[0].prompt
    assert sum("middle xxx" in text for text in seen) == 1
    assert "middle xxx" in (place.root / "steps" / "00001" / "calls.json").read_text()


def test_a_prompt_that_a_host_made_is_looked_through() -> None:
    """Given a request of somebody else's, then its prompt is redacted like any other text; one of our own stays as it is."""
    recorder = CallRecorder(Scripted(lambda _request: "x"))
    recorder.complete(ask(prompt=f"saw {SECRET}"))
    assert SECRET not in encode(recorder.calls).decode()
    assert type(fill("reflector", dict.fromkeys(("sections", "playbook", "trace"), "a"))) is Redacted
