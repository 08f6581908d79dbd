"""Several model calls at once: whatever order they end in, the step, its record and its figures are the same."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, override

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.books import Shelf
from tests.adapters.hosting import (
    P1,
    Host,
    Place,
    Script,
    curation,
    lessons,
    reflection,
    run,
    scripted,
)

from ace.adapters.models import CallRecorder, RecordedCall, RecordedModel, load_calls
from ace.adapters.models.asking import drive
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import CallError
from ace.domain.settings import ACESettings
from ace.domain.step import StepOutcome, run_step
from ace.events.types import RunRead, RunSkipped, TagCounted
from ace.learning import Learning, learn
from ace.method import ACE
from ace.ports import Completion, Model, Request, StepContext


class InOrder:
    """A model whose calls of a batch have all begun before one ends; then they end one by one, those of `first` before others."""

    def __init__(self, script: Script, first: Sequence[int] = ()) -> None:
        self._script = script
        self._first = list(first)
        self._turn = threading.Condition()
        self._waiting: list[Request] = []
        self._to_begin = 0
        self.sizes: list[int] = []

    def announce(self, requests: Sequence[Request]) -> None:
        """The calls of the next batch."""
        self.sizes.append(len(requests))
        self._to_begin = len(requests)
        order = {run: place for place, run in enumerate(self._first)}
        self._waiting = sorted(requests, key=lambda request: order.get(request.run, len(order)))

    def complete(self, request: Request) -> Completion:
        """The script's answer, when it is this call's turn."""
        with self._turn:
            self._to_begin -= 1
            self._turn.notify_all()
            assert self._turn.wait_for(
                lambda: self._to_begin == 0 and self._waiting[0] is request, timeout=30
            )
        try:
            return Completion(text=self._script(request), model="scripted", input_tokens=10, output_tokens=1)
        finally:
            with self._turn:
                self._waiting.pop(0)
                self._turn.notify_all()


def some_fail(request: Request) -> str:
    """Runs whose name says what comes of them."""
    if request.trace.startswith(f"no-{request.role}"):
        raise CallError(f"HTTP 500 for {request.trace}")
    if request.trace.startswith("odd"):
        return "no JSON"
    if request.role == "reflector":
        return reflection(("ace-00001", "helpful"), ("ace-00002", "harmful"))
    return curation(f"What {request.trace} teaches.", "What each of them teaches.")


def taken(names: Sequence[str], at_once: int, model: Model) -> tuple[StepOutcome, list[RecordedCall]]:
    """A step over these runs, and the calls as they are kept, without their times."""
    recorder = CallRecorder(model)
    step = run_step(P1, [run(name) for name in names], ACESettings(reflections_at_once=at_once))
    outcome = drive(step, recorder)
    return outcome, recorder.calls


NAMES = st.lists(
    st.sampled_from(["a", "b", "c", "d", "no-reflector", "no-curator", "odd"]),
    min_size=1,
    max_size=7,
    unique=True,
)


@given(NAMES, st.integers(1, 5), st.permutations(range(1, 8)))
def test_any_order_in_which_calls_end_gives_the_same(
    names: list[str], at_once: int, order: list[int]
) -> None:
    """Given batches whose calls end in any order, then events, playbook and the record of the calls are those of calls that
    end in the order of the runs.
    """
    outcome, calls = taken(names, at_once, InOrder(some_fail, order))
    plain, plain_calls = taken(names, at_once, InOrder(some_fail))
    assert outcome == plain
    assert [(call.role, call.run, call.trace, call.prompt, call.reply, call.error) for call in calls] == [
        (call.role, call.run, call.trace, call.prompt, call.reply, call.error) for call in plain_calls
    ]


def test_one_run_at_a_time_needs_no_thread() -> None:
    """Given the default, then each call is made where the step is driven."""
    threads = set()

    def answer(request: Request) -> str:
        threads.add(threading.current_thread())
        return lessons()(request)

    taken(["a", "b"], 1, Host(answer))
    assert threads == {threading.current_thread()}


class _Gone(BaseException):
    """Ends a process."""


def test_what_ends_the_process_is_raised_where_the_batch_is_waited_for(tmp_path: Path) -> None:
    """Given a batch of which one call raises what ends the process, then that is raised, nothing is in the log, and the calls that
    ended before are kept in the record.
    """
    place = Place(tmp_path)

    def answer(request: Request) -> str:
        if request.trace == "c":
            raise _Gone
        return reflection()

    host = InOrder(answer, [1, 2, 3])
    with pytest.raises(_Gone):
        ACE(ACESettings(reflections_at_once=3)).step(
            place.context([run(name) for name in "abc"]), _Serving(host)
        )
    assert place.log.last() is None
    (calls,) = (place.root / "steps").glob("*/calls.json")
    assert [call.trace for call in load_calls(calls)] == ["a", "b"]


class _Serving:
    """Services with this model."""

    def __init__(self, model: Model) -> None:
        self._model = model

    def model(self, name: str) -> Model:
        """The model."""
        assert name == "served"
        return self._model

    def check(self, files: Any) -> str | None:  # noqa: ARG002 - the protocol's
        """Admit everything."""
        return None


def test_a_step_that_lost_the_race_is_decided_again_in_its_groups() -> None:
    """Given a group whose first run another step has read meanwhile, then the groups stay as they were: a tag of the third run
    goes to the bullet that the second one added, under its new number.
    """
    shelf = Shelf(b"# Rules\n")
    begun: list[str] = []

    def answer(request: Request) -> str:
        if request.role == "curator" and not begun:
            begun.append("other")
            ACE().step(StepContext(book=shelf.book(), traces=[run("a"), run("x")]), Host(lessons()))
        if request.role == "reflector":
            return reflection(*([("ace-00002", "helpful")] if request.trace == "c" else []))
        return curation(f"What {request.trace} teaches.")

    traces = [run(name) for name in "abcd"]
    method = ACE(ACESettings(reflections_at_once=2))
    result = method.step(StepContext(book=shelf.book(), traces=traces), _Serving(InOrder(answer)))
    fates = [event for event in result.record.events if isinstance(event, RunRead | RunSkipped)]
    assert [event.trace for event in fates] == ["a", "b", "c", "d"]
    assert isinstance(fates[0], RunSkipped)
    assert [one.content for one in result.playbook.bullets] == [f"What {name} teaches." for name in "axbcd"]
    (counted,) = [event for event in result.record.events if isinstance(event, TagCounted)]
    assert (counted.trace, counted.bullet) == ("c", "ace-00003")


# --- what wraps a model -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("at_once", [1, 4])
def test_a_budget_holds_for_whole_batches(tmp_path: Path, at_once: int) -> None:
    """Given calls of 11 tokens and a budget of 40, then no batch begins after it is spent, and none is begun in part."""
    place = Place(tmp_path)
    model = InOrder(scripted(reflection(), curation()), [4, 3, 2, 1])
    report = learn(
        FolderBook(place.root),
        [run(name) for name in "abcdefgh"],
        model=model,
        settings=ACESettings(reflections_at_once=at_once),
        max_tokens=40,
    )
    assert report.gave_up == "budget"
    assert model.sizes == ([1] * 4 if at_once == 1 else [4])
    assert (report.calls, report.input_tokens + report.output_tokens) == (4, 44)


def test_recorded_replies_of_one_name_come_in_the_order_of_the_runs() -> None:
    """Given two runs with one id in a batch, then each gets its own reply, whichever thread comes first."""
    calls = [
        RecordedCall(role="reflector", trace="a", reply=reflection(insight=insight))
        for insight in ("One.", "Two.")
    ] + [RecordedCall(role="curator", trace="a", reply=curation())] * 2
    step = run_step(P1, [run("a", task="One."), run("a", task="Two.")], ACESettings(reflections_at_once=2))
    model = RecordedModel(calls)

    class Announcing(InOrder):
        @override
        def announce(self, requests: Sequence[Request]) -> None:
            super().announce(requests)
            model.announce(requests)

    late = Announcing(lambda request: model.complete(request).text, [2, 1])
    outcome = drive(step, late)
    assert [event.insight for event in outcome.events if isinstance(event, RunRead)] == ["One.", "Two."]


# --- the command's steps ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("runs_per_step", "sizes"), [(None, [3, 3, 1, 1]), (2, [2, 2, 2, 2]), (4, [3, 3, 1, 1])]
)
def test_a_step_has_as_many_runs_as_are_asked_about_at_once(
    tmp_path: Path, runs_per_step: int | None, sizes: list[int]
) -> None:
    """Given four runs, three at once, then a step has three runs unless it is told otherwise, and a batch no more than a step."""
    place, model = Place(tmp_path), InOrder(lessons())
    with Learning(
        FolderBook(place.root),
        [run(name) for name in "abcd"],
        model=model,
        settings=ACESettings(reflections_at_once=3),
        runs_per_step=runs_per_step,
    ) as learning:
        steps = [step.runs for step in learning]
    assert model.sizes == sizes
    assert [len(runs) for runs in steps] == {None: [3, 1], 2: [2, 2], 4: [4]}[runs_per_step]
