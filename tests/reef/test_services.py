"""What the method asks of Reef, asked alone: the screen of a lesson, and what becomes of whatever Reef's client raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import Message
from functools import partial
from http.client import IncompleteRead
from json import JSONDecodeError
from threading import Barrier
from typing import Any, override
from urllib.error import HTTPError, URLError

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.harness.adapters import get_adapter
from reef.harness.episodes.model_binding import ModelBinding, ModelBindingError, ModelBindings
from reef.harness.tree.mutations import admit_mutations
from reef.train.cordis_backend.backend import _budgeted_bindings, _StepCalls
from tests.domain.fakes import CREDENTIALS, ORDINARY
from tests.domain.strategies import odd_texts
from tests.reef.host import Answer, Scripted, entry, raising

from ace.adapters.models.asking import announce
from ace.adapters.reef.rules_entry import Admission
from ace.adapters.reef.services import MOST_WAITED_S, ReefServices
from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.rules_block import BEGIN, END, bullet_line
from ace.ports import Request

INSIDE_A_WORD = "Keep the task-specific-configuration-of-results out of the repository."
"""Reef takes `sk-` and sixteen letters for a key, also in the middle of a word."""


def _services(answer: Answer = lambda _: "Done.") -> ReefServices:
    return ReefServices(ModelBindings(Scripted(answer)), lambda _: None)


def _line(lesson: str) -> str:
    return bullet_line("ace-00012", 0, 0, lesson)


class TestScreen:
    """Whether Reef would have a lesson."""

    def test_a_key_inside_of_a_word_is_refused_as_reef_refuses_it(self) -> None:
        """Given a word with `sk-` and sixteen letters in it, then there is a reason, and it quotes nothing."""
        reason = _services().screen(_line(INSIDE_A_WORD))
        assert reason
        assert "specific" not in reason
        assert _services().screen(_line("Keep task-specific results out of the repository.")) is None

    def test_ordinary_lessons_pass(self) -> None:
        """Given the lessons that our own screens have to let through, then Reef's lets them through, too."""
        assert [lesson for lesson in ORDINARY if _services().screen(_line(lesson))] == []

    @pytest.mark.parametrize("name", ["OpenAI key", "GitHub token", "Slack bot token", "AWS access key"])
    def test_a_credential_is_refused(self, name: str) -> None:
        """Given a credential of a kind that Reef knows, then there is a reason without it."""
        reason = _services().screen(_line(f"Log in with {CREDENTIALS[name]} first."))
        assert reason
        assert CREDENTIALS[name] not in reason

    @pytest.mark.parametrize("lesson", [INSIDE_A_WORD, *CREDENTIALS.values(), *ORDINARY[:20]])
    def test_the_screen_says_what_reefs_admission_says(self, lesson: str) -> None:
        """Given a lesson in a block of others, then Reef refuses the tree exactly if the screen refuses the line.

        Else one lesson would still cost the whole step.
        """
        line = _line(" ".join(lesson.split()))
        rules = "\n".join(("# Rules", BEGIN, _line(ORDINARY[0]), line, _line(ORDINARY[1]), END, ""))
        admitted = partial(Admission(get_adapter("pi")).refusal, [entry("# Rules\n")])
        assert (admitted(rules) is None) == (_services().screen(line) is None)

    def test_a_tree_that_was_admitted_is_not_admitted_once_more(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Given the tree with which a step ended, then the next one begins without rendering it again; any other tree is looked at, also
        one of which only another entry is not the same.
        """
        asked: list[int] = []

        def counted(*given: Any) -> Any:
            asked.append(1)
            return admit_mutations(*given)

        monkeypatch.setattr("ace.adapters.reef.rules_entry.admit_mutations", counted)
        admission = Admission(get_adapter("pi"))
        assert admission.refusal([entry("# Rules\n")], "# Rules\n") is None
        assert admission.refusal([entry("# Rules\n")], "# New\n") is None
        assert admission.refusal([entry("# New\n")], "# New\n") is None
        assert admission.refusal([entry("# New\n")], None) is None
        assert len(asked) == 2
        others = [entry("# New\n"), entry("", "other")]
        admission.refusal(others, None)
        assert len(asked) == 3
        assert admission.refusal([entry("# New\n")], _line(INSIDE_A_WORD))
        assert len(asked) == 4
        assert admission.refusal([entry("# New\n")], None) is None
        assert len(asked) == 5

    @given(odd_texts | st.text(st.sampled_from("sk-AIgho_xb0 \n\ud800"), max_size=60))
    def test_any_text_has_an_answer_and_the_same_each_time(self, text: str) -> None:
        """Given any text, also one that is not valid Unicode, then nothing is raised and nothing is kept."""
        services = _services()
        assert services.screen(text) == services.screen(text) == _services().screen(text)


REQUEST = Request(role="reflector", run=1, trace="a", prompt="?", schema={})


class _Counted(ModelBinding):
    """A binding that tells of each call the tokens that its prompt names, once all of them have begun."""

    def __init__(self, calls: int) -> None:
        super().__init__("http://127.0.0.1:9", "m")
        object.__setattr__(self, "all_begun", Barrier(calls))

    @override
    def chat(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        barrier: Barrier = vars(self)["all_begun"]
        tokens = int(messages[0]["content"])
        object.__setattr__(self, "_last_response", {"usage": {"prompt_tokens": tokens}})
        barrier.wait(timeout=30)
        return str(tokens)


class TestAtOnce:
    """Several calls of one binding."""

    @pytest.mark.parametrize("budgeted", [False, True])
    def test_each_call_has_its_own_tokens(self, *, budgeted: bool) -> None:
        """Given calls that are under way together, then each tells the tokens of its own answer."""
        record: list[dict[str, Any]] = []
        bindings = ModelBindings(_Counted(4))
        if budgeted:
            bindings = _budgeted_bindings(bindings, _StepCalls(0, record))
        model = ReefServices(bindings, lambda _: None).model("served")
        requests = [msgspec.structs.replace(REQUEST, prompt=str(tokens)) for tokens in range(1, 5)]
        with ThreadPoolExecutor(4) as pool:
            completions = list(pool.map(model.complete, requests))
        assert [(one.text, one.input_tokens) for one in completions] == [(str(n), n) for n in range(1, 5)]
        assert sorted(one["response"]["usage"]["prompt_tokens"] for one in record) == (
            [1, 2, 3, 4] if budgeted else []
        )

    def test_a_refusal_beside_an_answer_is_the_endpoints(self) -> None:
        """Given a batch of which one call is refused after another was answered, then it counts as the first calls of a step do:
        not the order of the ends decides.
        """

        def answer(prompt: str) -> str:
            if prompt == "?":
                raise ModelBindingError("no", status=401)
            return "Done."

        model = _services(answer).model("served")
        other = msgspec.structs.replace(REQUEST, prompt="!")
        announce(model, [other, REQUEST])
        assert model.complete(other).text == "Done."
        with pytest.raises(EndpointError):
            model.complete(REQUEST)


class TestFailedCalls:
    """What Reef's client raises."""

    @pytest.mark.parametrize(
        "error",
        [
            *(RuntimeError("budget spent"), RecursionError(), KeyError("choices"), IndexError("0")),
            *(TimeoutError("timed out"), ConnectionResetError(), IncompleteRead(b""), OverflowError("inf")),
            *(JSONDecodeError("Expecting value", "", 0), AssertionError(), AttributeError("get"), EOFError()),
            UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
        ],
    )
    def test_an_exception_of_any_class_is_a_failed_call_that_names_it(self, error: Exception) -> None:
        """Given anything that a client may raise, then the call failed, no more, and the error says class and words."""
        with pytest.raises(CallError) as raised:
            _services(raising(error)).model("served").complete(REQUEST)
        assert type(raised.value) is CallError
        assert str(raised.value).startswith(type(error).__name__)
        assert str(error) in str(raised.value)

    def test_what_ends_the_process_ends_it(self) -> None:
        """Given an interrupt, then it is not a failed call."""

        def interrupted(_: str) -> str:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            _services(interrupted).model("served").complete(REQUEST)

    @pytest.mark.parametrize(
        "error",
        [
            ModelBindingError("answered 400: maximum context length is 4096 tokens", status=400),
            ModelBindingError("answered 400: …", status=400, detail="x" * 400 + " prompt is too long"),
            ModelBindingError("answered 404: the prompt is too long", status=404),
            RuntimeError("prompt is too long: 9000 tokens > 4096 maximum"),
        ],
    )
    def test_a_prompt_that_is_too_long(self, error: Exception) -> None:
        """Given words that say so, whoever says them and also behind the start of a long answer, then it is told apart."""
        with pytest.raises(TooLongError):
            _services(raising(error)).model("served").complete(REQUEST)

    def test_a_refusal_is_the_endpoints_until_a_call_was_answered(self) -> None:
        """Given 401, then every call would fail so; after an answer in the same step it is this call alone."""
        replies: list[Exception | str] = [ModelBindingError("no", status=401), "Done."] * 2

        def answer(_: str) -> str:
            reply = replies.pop(0)
            if isinstance(reply, Exception):
                raise reply
            return reply

        model = _services(answer).model("served")
        with pytest.raises(EndpointError, match=r"^no$"):
            model.complete(REQUEST)
        assert model.complete(REQUEST).text == "Done."
        with pytest.raises(CallError, match=r"^no$") as raised:
            model.complete(REQUEST)
        assert type(raised.value) is CallError

    @pytest.mark.parametrize(
        ("name", "key"), [("served", "inference.timeout_s"), ("big", "evolution.models.big.timeout_s")]
    )
    @pytest.mark.parametrize("cause", [TimeoutError("timed out"), URLError(TimeoutError("timed out"))])
    def test_a_time_out_says_how_long_it_was_and_where_it_is_set(
        self, name: str, key: str, cause: Exception
    ) -> None:
        """As Reef's client raises it: the time-out is behind its own error."""
        error = ModelBindingError("model endpoint unreachable: timed out")
        error.__cause__ = cause
        binding = Scripted(raising(error))
        services = ReefServices(ModelBindings(binding, {"big": binding}), lambda _: None)
        with pytest.raises(CallError, match=f"no reply within 600 s \\({key} in the deployment\\)"):
            services.model(name).complete(REQUEST)

    def test_no_secret_is_in_the_error(self) -> None:
        """Given a client that quotes the key, whatever it raises, then the error does not."""
        key = CREDENTIALS["OpenAI key"]
        for error in (ValueError(f"bad header {key}"), ModelBindingError(f"{key} is too long", detail=key)):
            with pytest.raises(CallError) as raised:
                _services(raising(error)).model("served").complete(REQUEST)
            assert key not in str(raised.value)
            assert raised.value.__cause__ is None


class TestRateLimits:
    """An endpoint that wants to be asked later."""

    @staticmethod
    def limited(headers: dict[str, str] | None = None, said: str = "slow down") -> ModelBindingError:
        """As Reef's client raises it: the headers are behind the error that it wraps."""
        told = Message()
        for name, value in (headers or {}).items():
            told[name] = value
        error = ModelBindingError(f"answered 429: {said}", status=429, detail=said)
        if headers is not None:
            error.__cause__ = HTTPError("http://127.0.0.1", 429, said, told, None)
        return error

    @staticmethod
    def model(*replies: Exception | str) -> tuple[Callable[[], str], list[float]]:
        """A function that asks a model which answers so, one after the other, and the seconds that were waited."""
        left, waited = list(replies), list[float]()

        def answer(_: str) -> str:
            reply = left.pop(0)
            if isinstance(reply, Exception):
                raise reply
            return reply

        bindings = ModelBindings(Scripted(answer))
        model = ReefServices(bindings, lambda _: None, sleep=waited.append).model("served")
        return lambda: model.complete(REQUEST).text, waited

    def test_it_is_waited_out_with_growing_pauses(self) -> None:
        """Where the endpoint does not say how long: until a limit of a minute has passed."""
        ask, waited = self.model(*[self.limited()] * 7, "Done.")
        assert ask() == "Done."
        assert waited == [0.5, 1, 2, 4, 8, 16, 32]

    def test_after_the_last_pause_the_call_has_failed(self) -> None:
        """With what the endpoint said."""
        ask, waited = self.model(*[self.limited()] * 8)
        with pytest.raises(CallError, match="slow down"):
            ask()
        assert len(waited) == 7

    @pytest.mark.parametrize(
        ("headers", "seconds"),
        [
            ({"Retry-After": "20"}, 20),
            ({"retry-after-ms": "250", "Retry-After": "20"}, 0.25),
            *(({"Retry-After": odd}, 0.5) for odd in ("-1", "nan", "inf", "soon", "")),
        ],
    )
    def test_the_endpoint_says_how_long(self, headers: dict[str, str], seconds: float) -> None:
        """In seconds or milliseconds; what is not a time is none."""
        ask, waited = self.model(self.limited(headers), "Done.")
        assert ask() == "Done."
        assert waited == [seconds]

    def test_a_step_waits_no_longer_than_a_host_can_bear(self) -> None:
        """All its calls together: a minute's limit twice, and no more."""
        minute = self.limited({"Retry-After": str(MOST_WAITED_S / 2)})
        ask, waited = self.model(minute, "One.", minute, "Two.", minute)
        assert [ask(), ask()] == ["One.", "Two."]
        with pytest.raises(CallError, match="slow down"):
            ask()
        assert sum(waited) == MOST_WAITED_S

    @pytest.mark.parametrize(
        "error",
        [
            limited(said="You exceeded your current quota"),
            limited(said="Request too large for the model"),
            ModelBindingError("overloaded", status=503),
        ],
    )
    def test_what_does_not_pass_with_time_is_not_waited_for(self, error: Exception) -> None:
        """A quota that is spent, a prompt that never fits, and any other status."""
        ask, waited = self.model(error)
        with pytest.raises(CallError):
            ask()
        assert waited == []
