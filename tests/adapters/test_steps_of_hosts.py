"""What a host may hand to a step, and what its models may do: nothing of it breaks the log or leaves by another error."""

from __future__ import annotations

import hashlib
import json
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.adapters.hosting import Host, Place, curation, lessons, reflection, run, scripted

from ace import ACE, Completion, EndpointError, StepError, ToolCall, Trace, Turn
from ace.adapters.store.log import Log
from ace.domain.errors import CallError, LogError, SettingsError
from ace.domain.patience import Patience
from ace.events.codec import decode_record
from ace.events.types import Bullet, PlaybookRestored, RunRead, RunSkipped, StepRecord
from ace.ports import Request


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """An empty folder with rules."""
    return Place(tmp_path / "work", rules=b"# Rules\n")


# --- values ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "score",
    [1.0, 1, True, np.float64(1.0), np.float32(1.0), np.int64(1), np.True_, Decimal(1), Fraction(1)],
)
def test_a_score_of_any_number_is_a_float(place: Place, score: Any) -> None:
    """Given a number of any library, then it is a float, and the log holds 1.0."""
    trace = run("a", score=score)
    assert type(trace.score) is float
    ACE().step(place.context([trace]), Host(lessons()))
    (read,) = [event for event in place.events() if isinstance(event, RunRead)]
    assert (read.score, type(read.score)) == (1.0, float)


@pytest.mark.parametrize(
    "score", ["1", b"1", 10**400, float("nan"), float("inf"), np.nan, Decimal("NaN"), [1], 1j, object()]
)
def test_a_score_that_is_no_number_makes_no_trace(score: Any) -> None:
    """Given anything else, then there is no trace: it never reaches a line of the log."""
    with pytest.raises(ValueError, match="score is not a finite number"):
        run("a", score=score)


@pytest.mark.parametrize(
    "values",
    [
        {"id": 7},
        {"id": "a", "turns": ["oops"]},
        {"id": "a", "turns": "oops"},
        {"id": "a", "turns": Turn("user")},
        {"id": "a", "context": [None]},
        {"id": "a", "task": None},
        {"id": "a", "feedback": {"a": 1}},
        {"id": "a", "aliases": ["b"]},
        {"id": "a", "aliases": [("b", 1)]},
        {"id": "a", "had": "not a digest"},
    ],
)
def test_a_value_of_another_type_makes_no_trace(values: dict[str, Any]) -> None:
    """Given a value that is not what the field says, then the error says so at once."""
    with pytest.raises(ValueError, match=r"^\w+ (is|are) not"):
        Trace(**values)


def test_lists_become_tuples() -> None:
    """Given lists where tuples are kept, then they are taken."""
    turns: Any = [Turn("user", "x"), Turn("assistant", "", [ToolCall("look")])]  # type: ignore[arg-type]
    trace = Trace(id="a", turns=turns, aliases=[("b", "x")])  # type: ignore[arg-type]
    assert (type(trace.turns), type(trace.turns[1].calls), trace.aliases) == (tuple, tuple, (("b", "x"),))
    with pytest.raises(ValueError, match="text is not a text"):
        Turn("user", None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="arguments is not a text"):
        ToolCall("look", {"a": 1})  # type: ignore[arg-type]


@pytest.mark.parametrize("number", [True, 1.5, "7", 2**63, [1], np.float64(1.0)])
def test_a_step_s_number_is_checked_where_it_comes_in(place: Place, number: Any) -> None:
    """Given a number that is none, then no context is made."""
    with pytest.raises(ValueError, match="not a whole number"):
        place.context([run("a")], step=number)
    assert place.context([run("a")], step=np.int64(7)).step == 7


def test_no_line_is_written_that_cannot_be_read(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a record that no reader would take, then nothing is appended."""
    ACE().step(place.context([run("a")]), Host(lessons()))
    before = place.log.path.read_bytes()
    (record,) = place.records()
    odd: list[dict[str, Any]] = [
        {"seq": 1.5},
        {"step": "7"},
        {"v": 3},
        {"outcome": "maybe"},
        {"events": (PlaybookRestored("x", 1, (Bullet("a", "b", "c", 1.5, 0, 1),)),)},  # type: ignore[arg-type]
        {"events": (RunRead("a", float("nan"), "", "", "used"),)},
        {"reason": "\ud800"},
    ]
    for change in odd:
        with pytest.raises(LogError, match="cannot be written as a line"):
            Log(place.history).append(
                StepRecord(**{name: getattr(record, name) for name in StepRecord.__struct_fields__} | change)
            )
    assert place.log.path.read_bytes() == before
    monkeypatch.undo()


@pytest.mark.parametrize("time", ["today", "", 7, "2026-12-02T10:00:00", datetime(2026, 12, 2, tzinfo=UTC)])
def test_a_step_s_time_is_checked_where_it_comes_in(place: Place, time: Any) -> None:
    """Given a time that is none, or of no zone, then no context is made."""
    with pytest.raises(ValueError, match="RFC 3339"):
        place.context([run("a")], time=time)


def test_traces_and_settings_are_checked_where_they_come_in(place: Place) -> None:
    """Given what is not a trace, or settings that are a mapping, then that is said at once; any iterable of traces will do."""
    with pytest.raises(ValueError, match="traces holds a dict"):
        place.context([{"id": "a"}])  # type: ignore[list-item]
    with pytest.raises(SettingsError, match="must be ACESettings, not a dict"):
        ACE({"max_bullets": 5})  # type: ignore[arg-type]
    traces: Any = (run(name) for name in "ab")
    ACE().step(place.context(traces), Host(lessons()))
    assert place.runs_read() == ["a", "b"]


# --- models ---------------------------------------------------------------------------------------------------------


class _Odd(Host):
    """A host whose model returns or raises what it likes about one run."""

    def __init__(self, odd: Any, about: str = "bad") -> None:
        super().__init__(lessons())
        self.odd, self.about = odd, about

    def complete(self, request: Request) -> Completion:
        if request.trace != self.about:
            return super().complete(request)
        if isinstance(self.odd, BaseException):
            raise self.odd
        return self.odd  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("odd", "told"),
    [
        (TimeoutError(), "TimeoutError"),
        (TimeoutError("after 30 s"), "TimeoutError: after 30 s"),
        (ZeroDivisionError("oops"), "ZeroDivisionError: oops"),
        (StopIteration(), "StopIteration"),
        (None, "returned no completion but a NoneType"),
        ("{}", "returned no completion but a str"),
        (Completion(text=None), "returned no text but a NoneType"),  # type: ignore[arg-type]
        (Completion(text=b"{}"), "returned no text but a bytes"),  # type: ignore[arg-type]
        (RuntimeError("gh" + "p_" + "a1" * 18), "RuntimeError: [redacted credential]"),
    ],
)
def test_whatever_a_host_s_model_does_is_a_failed_call(place: Place, odd: Any, told: str) -> None:
    """Given an exception or a value of another type, then that call failed, the class is named, and the others are read."""
    result = ACE().step(place.context([run("bad"), run("good")]), _Odd(odd))
    (skipped,) = [event for event in result.record.events if isinstance(event, RunSkipped)]
    assert (skipped.trace, skipped.reason) == ("bad", "failed call")
    assert told in skipped.detail
    assert place.runs_read() == ["good"]
    calls = json.loads((place.root / "steps" / "00001" / "calls.json").read_bytes())
    assert told in calls[0]["error"]
    assert place.agrees()


def test_what_a_completion_tells_beside_its_text_costs_nothing(place: Place) -> None:
    """Given a completion whose other values are of other types, then the reply is read, and they are left out."""
    odd: Any = {"model": None, "input_tokens": "12", "output_tokens": True, "finish_reason": 5, "found": b"x"}
    good = Completion(text=json.dumps({"key_insight": "Look."}), **odd)
    result = ACE().step(place.context([run("bad")]), _Odd(good, "bad"))
    assert [type(event).__name__ for event in result.record.events][-1] == "RunRead"
    call = json.loads((place.root / "steps" / "00001" / "calls.json").read_bytes())[0]
    assert (call["model"], call["usage"], call["finish_reason"], call["found"]) == ("", None, "", "")


def test_a_host_without_the_model_is_an_error_of_the_endpoint(place: Place) -> None:
    """Given a host that raises for the model's name, then the step ends with that, and the class is named."""

    class Without(Host):
        def model(self, name: str) -> Host:
            raise KeyError(name)

    with pytest.raises(EndpointError, match="the host gives no model served \\(KeyError: 'served'\\)"):
        ACE().step(place.context([run("a")]), Without(lessons()))


def test_what_ends_the_process_is_no_failed_call(place: Place) -> None:
    """Given Ctrl-C in a model, then the step ends, and nothing is kept but the calls."""
    with pytest.raises(KeyboardInterrupt):
        ACE().step(place.context([run("bad")]), _Odd(KeyboardInterrupt()))
    assert place.records() == []


def test_an_endpoint_that_fails_for_good_in_the_middle(place: Place) -> None:
    """Given an error that every call would have, after some got through, then the step is kept and says why it stopped."""
    result = ACE().step(
        place.context([run("one"), run("bad"), run("two")]), _Odd(EndpointError("no credit left"))
    )
    assert result.stopped is not None
    assert (result.stopped.is_permanent, result.stopped.reason) == (True, "no credit left")
    assert place.runs_read() == ["one"]
    with pytest.raises(EndpointError, match="no credit left"):
        ACE().step(place.context([run("bad"), run("two")]), _Odd(EndpointError("no credit left")))


# --- what a step keeps ----------------------------------------------------------------------------------------------


def test_a_line_names_what_its_record_held(place: Place) -> None:
    """Given a step, then its line holds the time and the digests of calls, tree and playbook, and its own."""
    record = ACE().step(place.context([run("a")], time="2026-12-02T10:00:00Z"), Host(lessons())).record
    folder = place.root / "steps" / record.record
    assert record.time == "2026-12-02T10:00:00Z"
    assert list(record.records) == ["calls.json", "harness/rules.md", "state/playbook.json"]
    for name, digest in record.records.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest
    assert decode_record(place.log.path.read_bytes()) == record
    assert place.log.last() is not None


def test_a_changed_last_line_is_found(place: Place) -> None:
    """Given a last line of which a letter was changed, then no step goes on from it: no line behind it is needed to tell."""
    ACE().step(place.context([run("a")]), Host(lessons()))
    place.log.path.write_bytes(place.log.path.read_bytes().replace(b"What a", b"That a"))
    with pytest.raises(LogError, match="line 1 was changed after it was written"):
        ACE().step(place.context([run("b")]), Host(lessons()))


@pytest.mark.parametrize(
    "name", ["calls.json", "output/summary.md", "harness/rules.md", "state/playbook.json"]
)
def test_the_record_of_another_step_is_not_overwritten(place: Place, name: str) -> None:
    """Given a folder that holds any part of a record, then the step ends before the first call, and the file stays."""
    record = place.next_record()
    context = place.context([run("a")])
    (record / name).parent.mkdir(parents=True)
    (record / name).write_text("of another step")
    host = Host(lessons())
    with pytest.raises(StepError, match="is there already"):
        ACE().step(context, host)
    assert host.requests == []
    assert (record / name).read_text() == "of another step"


def test_a_folder_that_holds_something_else_is_no_record(place: Place) -> None:
    """Given a folder that a host made and wrote files of its own into, then the step takes it."""
    record = place.next_record()
    context = place.context([run("a")])
    record.mkdir(parents=True)
    (record / "proposer.json").write_text("{}")
    ACE().step(context, Host(lessons()))
    assert place.runs_read() == ["a"]


# --- read once ------------------------------------------------------------------------------------------------------


def test_in_a_folder_of_our_own_a_run_is_read_once(place: Place) -> None:
    """Given the same run to a later step, then it is named with the line that read it, unless it is asked for again."""
    ACE().step(place.context([run("a")]), Host(lessons()))
    host = Host(lessons())
    result = ACE().step(place.context([run("a"), run("b")]), host)
    (skipped,) = [event for event in result.record.events if isinstance(event, RunSkipped)]
    assert (skipped.trace, skipped.reason, skipped.detail) == (
        "a",
        "given twice",
        "line 1 of the log has read it",
    )
    assert result.record.v == 2
    assert {request.trace for request in host.requests} == {"b"}
    ACE().step(place.context([run("a")], again=True), Host(lessons()))
    assert place.runs_read() == ["a", "b", "a"]


def test_a_host_decides_what_it_gives_again(place: Place) -> None:
    """Given a host, then a run of an earlier step is read again; one that comes twice in one step is not."""
    ACE().step(place.context([run("a")], owner="host"), Host(lessons()))
    host = Host(lessons())
    ACE().step(place.context([run("a"), run("a")], owner="host"), host)
    assert [request.role for request in host.requests] == ["reflector", "curator"]
    assert place.runs_read() == ["a", "a"]


def test_a_host_that_lost_the_tags_reads_the_run_anew(place: Place) -> None:
    """Given a Curator that was not reached, and a host that goes back to before that step, then both roles are asked."""
    ACE().step(place.context([run("a")], owner="host"), Host(lessons()))
    before = place.snapshot.read_bytes()

    def curator(_: Request) -> str:
        raise CallError("time-out")

    script = scripted(reflection(("ace-00001", "helpful")), curator)
    ACE().step(place.context([run("b")], owner="host"), Host(script))
    place.snapshot.write_bytes(before)
    host = Host(scripted(reflection(("ace-00001", "helpful")), curation("What b teaches.")))
    ACE().step(place.context([run("b")], owner="host", origin="failed commit"), host)
    assert [request.role for request in host.requests] == ["reflector", "curator"]
    assert place.playbook().bullets[0].helpful == 1


def test_a_host_without_a_log_reads_all_that_it_gives(place: Place) -> None:
    """Given no history, then nothing is known of any run, and no cache is written."""
    for _ in range(2):
        host = Host(lessons())
        ACE().step(place.context([run("a")], history=False), host)
        assert len(host.requests) == 2
    assert not (place.root / "cache").exists()


def test_steps_of_one_command_share_their_patience(place: Place) -> None:
    """Given three steps without success, then the fourth makes no call."""
    patience = Patience()
    for name in "abc":
        ACE().step(place.context([run(name)], patience=patience), Host(scripted("hm", "hm")))
    assert patience.is_spent
    assert [event.attempt for event in place.events() if isinstance(event, RunSkipped)] == [0, 0, 0]
