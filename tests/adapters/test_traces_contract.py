"""What holds for every format: nothing is shown twice, nothing is dropped in silence, and whatever a file holds, it is told."""

from __future__ import annotations

import copy
import gzip
import json
import pickle
import random
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from pathlib import Path
from time import process_time
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.mutating import Mutant, marked, marks_in, mutants, written
from tests.adapters.recordings import RECORDS, SESSIONS, Asked, Format, Image, Odd, Work, lines

from ace.adapters.shipped import shipped
from ace.adapters.traces import Reading, Recording, claude_code, codex, pi, read_traces
from ace.adapters.traces.lines import Rows
from ace.adapters.traces.notes import Notes
from ace.adapters.traces.tags import without_tags
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, is_run, reply_of, task_of
from ace.domain.unread import identities

type Write = Callable[[bytes], Path]

ALL = (*SESSIONS, *RECORDS)


def _names(formats: tuple[Format, ...]) -> list[str]:
    return [f"{number}-{form.name}" for number, form in enumerate(formats)]


every_format = pytest.mark.parametrize("form", ALL, ids=_names(ALL))
every_session = pytest.mark.parametrize("form", SESSIONS, ids=_names(SESSIONS))


@pytest.fixture(scope="session")
def write(tmp_path_factory: pytest.TempPathFactory) -> Write:
    """Return a function that writes bytes to a file and returns its path; each call overwrites the last."""
    path = tmp_path_factory.mktemp("sessions") / "recording.jsonl"

    def write_bytes(data: bytes) -> Path:
        path.write_bytes(data)
        return path

    return write_bytes


WORK = (
    Work("I will look.", "bash", {"command": "ls", "n": 1}, "a.py\nb.py"),
    Work("", "read", {"path": "c.py"}, "no such file: c.py", failed=True),
    Work("Then the other.", "edit", {"path": "a.py", "to": "x = {}"}, "ok"),
)
FIRST = Asked(("Fix the failing test.",), WORK, "The test was wrong. Fixed.")
SECOND = Asked(
    ("Now the changelog, please.",), (Work("", "write", {"path": "CHANGELOG"}, "written"),), "Written."
)


def _told(trace: Trace, *, flags: bool = True) -> list[Any]:
    """All that a trace shows, in its order: texts, calls and results, however the messages are cut."""
    told: list[Any] = []
    for turn in trace.turns:
        if turn.role == "tool":
            told.append(("result", turn.text, turn.failed if flags else None))
            continue
        if turn.role in ("user", "assistant") and turn.text:
            told.append((turn.role, turn.text))
        told += [("call", call.name, json.loads(call.arguments)) for call in turn.calls]
    return told


def _expected(asked: Asked, *, flags: bool = True) -> list[Any]:
    told: list[Any] = [("user", "\n".join(part for part in asked.parts if isinstance(part, str)))]
    for work in asked.work:
        told += [("assistant", work.says)] * bool(work.says)
        told += [("call", work.name, work.arguments), ("result", work.result, work.failed if flags else None)]
    return [*told, ("assistant", asked.reply)]


def _read(write: Write, form: Format, *asked: Asked) -> Reading:
    reading = read_traces(write(form.render(list(asked))))
    assert (reading.format, reading.unreadable, reading.left_out) == (form.name, (), ())
    return reading


# What was said


@every_format
def test_all_is_shown_once_and_in_order(write: Write, form: Format) -> None:
    """Given a turn with texts, calls, results and a failed tool, then each is there once, in its order, flagged as it was."""
    (trace,) = _read(write, form, FIRST).traces
    assert _told(trace, flags=form.flags) == _expected(FIRST, flags=form.flags)
    assert (task_of(trace), reply_of(trace)) == ("Fix the failing test.", "The test was wrong. Fixed.")
    assert is_run(trace)


@every_format
def test_results_belong_to_their_calls(write: Write, form: Format) -> None:
    """Given results, then each names the call that it is of, by id or by the tool's name."""
    (trace,) = _read(write, form, FIRST).traces
    calls = {call.id: call.name for turn in trace.turns for call in turn.calls}
    found = [turn.name or calls.get(turn.call_id) for turn in trace.turns if turn.role == "tool"]
    assert found == [work.name for work in WORK]


@every_format
def test_images_are_placeholders_with_their_size(write: Write, form: Format) -> None:
    """Given an image in what the user says, then its place and size are shown, and its data is not."""
    if not form.images:
        pytest.skip("the format holds no images, or holds them as files of their own")
    (trace,) = _read(write, form, Asked(("What is this?", Image(), "Look closely."))).traces
    task = task_of(trace)
    assert task.startswith("What is this?")
    assert task.endswith("Look closely.")
    assert "300 bytes]" in task
    assert "AAAA" not in str(trace.turns)


@every_format
def test_unknown_parts_are_shown_by_name_with_their_text(write: Write, form: Format) -> None:
    """Given a part of a kind that nobody knows, then its name and its text are in its place."""
    if not form.odd:
        pytest.skip("the format has texts alone")
    (trace,) = _read(write, form, Asked(("Before.", Odd("verdict", "It is\nso."), "After."))).traces
    name = "guardContent" if "guardContent" in task_of(trace) else "verdict"
    assert [line for line in task_of(trace).splitlines() if line.strip()] == [
        "Before.",
        next(line for line in task_of(trace).splitlines() if name in line),
        "| It is",
        "| so.",
        "After.",
    ]


TEXTS = st.text(st.characters(codec="utf-8", categories=("L", "N")), min_size=1, max_size=8)
WORKS = st.builds(
    Work,
    st.one_of(st.just(""), TEXTS),
    st.sampled_from(("bash", "read")),
    st.dictionaries(TEXTS, TEXTS, max_size=2),
    TEXTS,
    st.booleans(),
)
TURNS = st.builds(Asked, st.tuples(TEXTS), st.lists(WORKS, max_size=3).map(tuple), TEXTS)


@every_format
@given(asked=st.lists(TURNS, min_size=1, max_size=3))
@settings(deadline=None, max_examples=8)
def test_whatever_was_said_is_there_once(write: Write, form: Format, asked: list[Asked]) -> None:
    """Given any session, then its runs together show all that was said, once and in order."""
    # A line before each text tells the turns apart, so that two alike are not copies of each other.
    asked = [
        Asked((f"Task {number}: {turn.parts[0]}",), turn.work, turn.reply)
        for number, turn in enumerate(asked, 1)
    ]
    if "swe-agent" in form.name:  # what follows the task are observations
        asked = asked[:1]
    if form.name == "openhands":  # its arguments are beside words of its own
        asked = [
            Asked(
                t.parts,
                tuple(Work(w.says, w.name, {"command": "x"}, w.result, w.failed) for w in t.work),
                t.reply,
            )
            for t in asked
        ]
    traces = _read(write, form, *asked).traces
    assert len(traces) == (1 if form.whole else len(asked))
    told = [each for trace in traces for each in _told(trace, flags=form.flags)]
    assert told == [each for turn in asked for each in _expected(turn, flags=form.flags)]


# What is a run


@every_session
def test_a_session_is_a_run_a_turn(write: Write, form: Format) -> None:
    """Given two turns, then they are two runs, the first with what the user said next, the second open, with its background."""
    first, second = _read(write, form, FIRST, SECOND).traces
    assert (first.next_message, first.open, first.context) == ("Now the changelog, please.", False, ())
    assert (second.next_message, second.open) == ("", True)
    assert [turn.text for turn in second.context] == ["Fix the failing test.", "The test was wrong. Fixed."]
    assert _told(second) == _expected(SECOND)


@every_session
def test_what_was_injected_is_not_the_task(write: Write, form: Format) -> None:
    """Given reminders or an environment beside the user's words, then these alone are the task, and the others are not shown."""
    if form.injects is None:
        pytest.skip("the format keeps what is injected apart")
    asked = Asked(("Fix it.",), injected="The todo list is empty.")
    (trace,) = _read(write, form, asked).traces
    assert task_of(trace) == "Fix it."
    shown = [turn for turn in trace.turns if turn.role != "system"]
    assert "todo list" not in str(shown)


@every_session
def test_a_run_keeps_its_name_when_the_session_grows(write: Write, form: Format) -> None:
    """Given a session read twice, the second time with one more turn, then the runs of the first are known in the second."""
    before = _read(write, form, FIRST).traces
    after = _read(write, form, FIRST, SECOND).traces
    assert set(identities(before[0])) & set(identities(after[0]))
    assert not set(identities(before[0])) & set(identities(after[1]))
    assert before[0].id == after[0].id


@every_format
def test_our_own_calls_are_no_runs(write: Write, form: Format) -> None:
    """Given a session whose first message is one of our prompts, then none of it is a run, and that is told."""
    for prompt in sorted(shipped("prompts").glob("*.md")):
        data = form.render([Asked((prompt.read_text(encoding="utf-8"),)), *([] if form.whole else [SECOND])])
        if form.name == "ace":
            continue  # our own schema is written by who knows what is in it
        reading = read_traces(write(data))
        assert reading.traces == ()
        assert sum(reading.passed_over.values()) == reading.passed_over["a call of ace itself"] > 0


@every_format
def test_a_session_that_is_there_twice_counts_once(write: Write, form: Format) -> None:
    """Given a file of lines that holds a session twice, then no run of it is given twice."""
    data = form.render([FIRST, *([] if form.whole else [SECOND])])
    if not data.endswith(b"}\n") or form.render.__name__ == "openai_lines" or form.name == "openhands":
        pytest.skip("the file is one value, or one run")
    once, twice = read_traces(write(data)).traces, read_traces(write(data + data)).traces
    assert len(twice) == len(once)


@every_format
def test_a_run_has_a_name_and_a_time_that_can_be_written(write: Write, form: Format) -> None:
    """Given any format, then the reading can be written and read again."""
    reading = _read(write, form, FIRST)
    assert msgspec.json.decode(msgspec.json.encode(reading), type=Reading) == reading
    assert all(trace.id for trace in reading.traces)


# Whatever a file holds


@every_format
def test_gzip(write: Write, form: Format) -> None:
    """Given the file compressed, then it is read as it is; cut, it gives what is whole or an error."""
    data = form.render([FIRST])
    packed = gzip.compress(data)
    assert read_traces(write(packed)) == read_traces(write(data))
    for end in range(0, len(packed), 397):
        with suppress(TraceError):
            read_traces(write(packed[:end]))


@every_format
def test_damaged_lines_are_named_and_cost_themselves_alone(write: Write, form: Format) -> None:
    """Given lines of rubbish between the others, then each is named by its number, and the rest is read as it was."""
    data = form.render([FIRST])
    if not data.endswith(b"}\n"):
        pytest.skip("the file is one value")
    rows = data.splitlines()
    rubbish = [b"{broken", b"\xff\xfe", b"7", b'"text"', b'{"a": "hunter2"']
    places = [row for pair in zip(rows, rubbish * len(rows), strict=False) for row in pair]
    reading = read_traces(write(b"\n".join([*places, b""])))
    assert [_told(trace, flags=form.flags) for trace in reading.traces] == [
        _expected(FIRST, flags=form.flags)
    ]
    assert [flaw.line for flaw in reading.unreadable] == list(range(2, 2 * len(rows) + 1, 2))
    assert "hunter2" not in str(reading.unreadable)


@every_session
def test_records_of_unknown_kinds_are_counted(write: Write, form: Format) -> None:
    """Given a record of a kind that nobody knows, then it is counted by its name, and costs nothing."""
    data = form.render([FIRST])
    if not data.endswith(b"}\n"):
        pytest.skip("the file is one value")
    odd = {"type": "verdict-of-later", "uuid": "odd", "timestamp": "t", "payload": {"type": "x"}, "id": "odd"}
    reading = read_traces(write(data + json.dumps(odd).encode() + b"\n"))
    assert len(reading.traces) == 1
    if form.name == "gemini":
        assert [flaw.reason for flaw in reading.unreadable] == ["neither a session nor a message of one"]
    else:
        assert reading.unknown_keys == {"verdict-of-later": 1}


JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1.5,
    "",
    "x",
    [],
    {},
    [None],
    {"type": "x"},
    [[]],
    {"role": ["user"]},
    10**400,
    "\ud83d",
    ["a", {}],
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a value: what holds it, and the key there."""
    found: list[tuple[Any, Any]] = []
    holders = [value]
    for holder in holders:
        for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
            found.append((holder, key))
            if isinstance(item, dict | list):
                holders.append(item)
    return found


def _damaged(pickled: bytes, chance: random.Random) -> list[Any]:
    """The pickled objects with up to three values replaced or gone. To unpickle is the fastest copy."""
    found: list[Any] = pickle.loads(pickled)  # noqa: S301 - our own
    for _ in range(chance.randint(1, 3)):
        holder, key = chance.choice(_places(found))
        if chance.random() < 0.3:
            del holder[key]
        else:
            holder[key] = copy.deepcopy(chance.choice(JUNK))
        if not found:
            break
    return found


@every_format
@pytest.mark.parametrize("times", [25, pytest.param(1000, marks=pytest.mark.slow)])
def test_no_other_exception(write: Write, form: Format, times: int) -> None:
    """Given a recording with any values in it replaced or gone, then there is a reading that can be written, or a `TraceError`."""
    data = form.render([Asked(("Fix.", Image(), Odd("verdict", "x")), WORK, injected="x"), SECOND])
    in_lines = data.endswith(b"}\n")
    rows = [json.loads(line) for line in data.splitlines()] if in_lines else [json.loads(data)]
    pickled, chance = pickle.dumps(rows), random.Random(17)  # noqa: S311 - damage, no secret
    for _ in range(times):
        damaged = _damaged(pickled, chance)
        text = b"\n".join(json.dumps(row).encode() for row in damaged)
        for named in (None, form.name):
            with suppress(TraceError):
                msgspec.json.encode(read_traces(write(text), named))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("form", "module"),
    [
        (form, module)
        for form in ALL
        for module in (claude_code, codex, pi)
        if module.__name__.endswith(form.name.replace("-", "_"))
    ],
    ids=lambda given: getattr(given, "name", None),
)
@pytest.mark.parametrize("times", [40, pytest.param(1000, marks=pytest.mark.slow)])
def test_records_say_what_mappings_say(write: Write, form: Format, module: Any, times: int) -> None:
    """Given a recording, whole and with any values replaced or gone, then what is decoded as records gives the same runs and tells
    the same flaws as what is decoded as mappings.
    """
    data = form.render([Asked(("Fix.", Image(), Odd("verdict", "x")), WORK, injected="x"), FIRST, SECOND])
    rows = [json.loads(line) for line in data.splitlines()]
    pickled, chance = pickle.dumps(rows), random.Random(23)  # noqa: S311 - damage, no secret
    for time in range(times):
        path = write(lines(_damaged(pickled, chance) if time else rows))
        notes, recording = Notes(path), Recording(path, form.name)  # type: ignore[arg-type]
        with path.open("rb") as file:
            mappings = [trace for _, trace in module.read(iter(Rows(file)), notes)]
        records: list[Trace] = []
        with suppress(TraceError):
            records.extend(recording)
        assert records == mappings
        assert (recording.notes.unreadable, recording.notes.parts) == (notes.unreadable, notes.parts)
        assert (recording.notes.passed, recording.notes.unknown) == (notes.passed, notes.unknown)


@every_format
def test_a_recording_that_is_cut_off_is_read_or_told(write: Write, form: Format) -> None:
    """Given the file cut anywhere, then what is whole is read, and what is not is named."""
    data = form.render([FIRST, *([] if form.whole else [SECOND])])
    for end in range(0, len(data), max(1, len(data) // 20)):
        with suppress(TraceError):
            reading = read_traces(write(data[:end]))
            shown = Counter(str(each) for trace in reading.traces for each in _told(trace, flags=form.flags))
            assert not [each for each, times in shown.items() if times > 1]


# What is otherwise than expected


_OPENS = (
    "<user_query> ", "<task> ", "<feedback>", "<command-name> ", "<command-name>/x</command-name><command-args> ",
    "<system-reminder>", "<attempt_completion>", "<attempt_completion><result> ", "[x for '", " ", "<a_b>",
)  # fmt: skip


@every_format
@pytest.mark.parametrize("end", ["", "</"])
def test_no_text_takes_long(write: Write, form: Format, end: str) -> None:
    """Given texts that open a tag over and over, or only once before many blanks, and never close it, then reading takes linear time."""
    for opens in _OPENS:
        for text in (opens * (20_000 // len(opens)) + end, opens + " " * 20_000 + end):
            start = process_time()
            with suppress(TraceError):
                read_traces(
                    write(form.render([Asked((text,), (Work(text, "bash", {"a": text}, text),), text)]))
                )
            # A quadratic pattern takes longer, a cubic one has no end.
            assert process_time() - start < 1, opens[:20]


def test_tags_that_nobody_closes_are_looked_for_once() -> None:
    """Given a megabyte of opening tags, then their end is looked for once, and not once for each."""
    text = "<skill>" * 150_000 + "</"
    start = process_time()
    assert without_tags(text) == (text, "")
    assert process_time() - start < 2


def _told_of(reading: Reading) -> Counter[str]:
    """All that a reading says beside its runs."""
    flaws = Counter(flaw.reason for flaw in (*reading.unreadable, *reading.left_out))
    return flaws + Counter(reading.unknown_keys) + Counter(reading.passed_over)


def _shown(reading: Reading) -> list[str]:
    found: list[str] = []
    for trace in reading.traces:
        for turn in (*trace.turns, *trace.context):
            found += [turn.text, *(f"{call.name} {call.arguments}" for call in turn.calls)]
        found += [trace.task, trace.reply, trace.failure, trace.next_message]
    return found


def _shown_twice(reading: Reading) -> set[str]:
    times = Counter[str]()
    for trace in reading.traces:
        for turn in trace.turns:
            times.update(marks_in(turn.text))
            times.update(mark for call in turn.calls for mark in marks_in(call.arguments))
    return {mark for mark, number in times.items() if number > 1}


def _see_nothing_lost(write: Write, form: Format, mutant: Mutant, before: Reading) -> None:
    # Gemini CLI writes a message again under its id when it grows: the later one counts, and one without its id is another message.
    if form.name == "gemini" and (mutant.done.endswith(" one later") or ".id " in mutant.done):
        return
    try:
        reading = read_traces(write(mutant.data))
    except TraceError:
        return
    lost = marks_in(mutant.data.decode()) - mutant.taken - marks_in("\n".join(_shown(reading)))
    assert not lost or _told_of(reading) - _told_of(before), mutant.done
    if mutant.done.endswith((" one later", " renamed")):
        assert not _shown_twice(reading), mutant.done


@every_format
@pytest.mark.parametrize("share", [149, pytest.param(1, marks=pytest.mark.slow)], ids=["some", "all"])
def test_what_is_otherwise_is_shown_or_told(write: Write, form: Format, share: int) -> None:
    """Given a recording with a key renamed, a value of another type, or a record gone, twice or elsewhere, then every text that is still
    in it is in a run, once, or the reading tells that something is missing.
    """
    rows = marked(form)
    before = read_traces(write(written(rows)))
    assert marks_in(rows) == marks_in("\n".join(_shown(before)))
    for _, make in islice(mutants(rows), 0, None, share):
        _see_nothing_lost(write, form, make(), before)


def test_events_of_codex_may_be_before_or_behind_their_items(write: Write) -> None:
    """Given events up to two lines away from where they are written, also beyond the user's message, then each text is shown once, in the
    turn that its item is in.
    """
    form = next(form for form in SESSIONS if form.name == "codex")
    rows = marked(form)
    before = [trace.turns for trace in read_traces(write(written(rows))).traces]
    for place, row in enumerate(rows):
        if row["payload"].get("type") not in ("agent_message", "user_message"):
            continue
        for steps in (-2, -1, 1, 2):
            moved = [*rows[:place], *rows[place + 1 :]]
            moved.insert(place + steps, row)
            assert [trace.turns for trace in read_traces(write(written(moved))).traces] == before
