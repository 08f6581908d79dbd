"""The log: append, read, recover; and what is said of each kind of damage."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.adapters import hosting

from ace.adapters.store.log import Log
from ace.domain.chain import line_digest
from ace.domain.errors import LogError
from ace.events.codec import encode_record
from ace.events.types import (
    BulletAdded,
    DuplicateRejected,
    Event,
    OperationIgnored,
    PlaybookRestored,
    Refused,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
)

BREAKS = "\u2028\u2029\u0085\x1c\x1d\x1e\x0b\x0c\r\n"
"""Everything that Python takes for a line break, of which the log must take LF alone."""


def added(number: int, content: str) -> BulletAdded:
    """A new bullet."""
    return BulletAdded("t1", 0, f"ace-{number:05d}", "Others", content, number)


def filled(log: Log, count: int = 4) -> list[StepRecord]:
    """So many steps in the log, with texts of every width."""
    records: list[StepRecord] = []
    for seq in range(1, count + 1):
        before = records[-1] if records else None
        texts = (f"lesson {seq} é € \U0001f642", f"breaks {BREAKS} within")
        events: list[Event] = [added(seq, text) for text in texts]
        records.append(hosting.record(seq, before, [*events, RunRead("t1", 0.5, "task", "insight", "used")]))
        log.append(records[-1])
    return records


def error_of(read: Callable[[], object]) -> str:
    """The sentence of the `LogError` that `read` raises."""
    with pytest.raises(LogError) as caught:
        read()
    return str(caught.value)


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """A log that does not exist yet."""
    return Log(tmp_path / "history")


# --- writing and reading --------------------------------------------------------------------------------------------


def test_no_file_is_an_empty_log(log: Log) -> None:
    """Reading creates nothing."""
    assert log.last() is None
    assert list(log.records()) == list(log.verified()) == []
    assert not log.path.parent.exists()


def test_a_step_is_one_line(log: Log) -> None:
    """Whatever the texts hold, there are as many LF as steps, and every line is JSON by itself."""
    filled(log, 3)
    data = log.path.read_bytes()
    assert data.count(b"\n") == 3
    assert data.endswith(b"\n")
    assert [json.loads(line)["seq"] for line in data.split(b"\n")[:-1]] == [1, 2, 3]


def test_what_was_appended_is_read_again(log: Log) -> None:
    """All three readers see the same records."""
    records = filled(log)
    assert list(log.records()) == records
    assert list(log.verified()) == records
    last = log.last()
    assert last is not None
    assert (last.record, last.before) == (records[-1], records[-2])


def test_the_digest_of_the_last_line_is_the_next_lines_prev(log: Log) -> None:
    """`prev` is the SHA-256 of the line before, without its line break; of the first it is empty."""
    records = filled(log, 3)
    lines = log.path.read_bytes().split(b"\n")
    last = log.last()
    assert last is not None
    assert [one.prev for one in records] == ["", line_digest(lines[0]), line_digest(lines[1])]
    assert last.digest == line_digest(lines[2])


def test_the_end_of_a_log_of_one_line_has_nothing_before(log: Log) -> None:
    """`before` is None for the first step."""
    (one,) = filled(log, 1)
    last = log.last()
    assert last is not None
    assert (last.record, last.before) == (one, None)


@pytest.mark.parametrize("size", [1, 65_535, 65_536, 65_537, 300_000])
def test_lines_longer_than_what_is_read_at_once(log: Log, size: int) -> None:
    """The end is found whatever the lines' lengths, also behind a torn line of that length."""
    first = hosting.record(1, None, [added(1, "x" * size)])
    second = hosting.record(2, first, [added(2, "y" * size)])
    for one in (first, second):
        log.append(one)
    with log.path.open("ab") as file:
        file.write(b"z" * size)
    last = log.last()
    assert last is not None
    assert (last.record, last.before) == (second, first)
    log.append(hosting.record(3, second))
    assert [one.seq for one in log.verified()] == [1, 2, 3]


_texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
_counts = st.integers(0, 10**12)
_bullets = st.builds(hosting.bullet, st.integers(1, 10**6), _texts, _counts, _counts, _counts)
_events: st.SearchStrategy[Event] = st.one_of(
    st.builds(
        TagCounted, _texts, _counts, st.just("ace-00001"), st.sampled_from(["helpful", "harmful", "neutral"])
    ),
    st.builds(BulletAdded, _texts, _counts, _texts, _texts, _texts, _counts),
    st.builds(DuplicateRejected, _texts, _counts, _texts, _counts),
    st.builds(Refused, _texts, _counts, _texts),
    st.builds(OperationIgnored, _texts, _counts, _texts),
    st.builds(
        RunRead,
        _texts,
        st.none() | st.floats(allow_nan=False, allow_infinity=False),
        _texts,
        _texts,
        st.sampled_from(["used", "unusable reply", "failed call"]),
        _texts,
    ),
    st.builds(RunSkipped, _texts, st.sampled_from(["middle of a run", "failed call"]), _texts),
    st.builds(PlaybookRestored, _texts, _counts, st.lists(_bullets, max_size=3).map(tuple)),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(steps=st.lists(st.lists(_events, max_size=5), min_size=1, max_size=4), reason=_texts)
def test_any_events_come_back_as_they_went_in(
    tmp_path_factory: pytest.TempPathFactory, steps: Sequence[Sequence[Event]], reason: str
) -> None:
    """Any text, score and count survives the way through the file."""
    log = Log(tmp_path_factory.mktemp("log"))
    records: list[StepRecord] = []
    for seq, events in enumerate(steps, 1):
        before = records[-1] if records else None
        records.append(hosting.record(seq, before, events, outcome="refused", reason=reason))
        log.append(records[-1])
    assert list(log.verified()) == records


# --- a torn last line -----------------------------------------------------------------------------------------------


def test_a_cut_at_every_byte_leaves_exactly_the_whole_steps(log: Log) -> None:
    """Whatever part of the last line was written: readers see the steps before, and the next append goes on there."""
    records = filled(log, 3)
    data = log.path.read_bytes()
    for cut in range(len(data) + 1):
        log.path.write_bytes(data[:cut])
        whole = data[:cut].count(b"\n")
        assert list(log.verified()) == list(log.records()) == records[:whole]
        last = log.last()
        assert (None if last is None else last.record) == (records[whole - 1] if whole else None)


def test_the_append_after_a_cut_at_every_byte_removes_the_torn_line(log: Log) -> None:
    """The file then holds the whole lines and the new one, and not a byte of the torn one."""
    records = filled(log, 2)
    data = log.path.read_bytes()
    for cut in range(len(data) + 1):
        log.path.write_bytes(data[:cut])
        whole = data[:cut].count(b"\n")
        new = hosting.record(whole + 1, records[whole - 1] if whole else None, [added(9, "new")])
        log.append(new)
        kept = b"".join(line + b"\n" for line in data.split(b"\n")[:whole])
        assert log.path.read_bytes() == kept + encode_record(new) + b"\n"


# --- damage ---------------------------------------------------------------------------------------------------------


def test_any_changed_byte_of_an_earlier_line_is_found(log: Log) -> None:
    """Every single byte of every line but the last is held by the chain; the error names the file and a line."""
    filled(log, 3)
    data = bytearray(log.path.read_bytes())
    for at in range(data.rindex(b"\n", 0, len(data) - 1)):
        data[at] ^= 1
        log.path.write_bytes(data)
        told = error_of(lambda: list(log.verified()))
        assert str(log.path) in told
        assert ", line " in told
        data[at] ^= 1


def test_a_damaged_line_in_the_middle_is_named_by_its_number(log: Log) -> None:
    """Both whole readers stop there, and say what to do."""
    filled(log, 4)
    lines = log.path.read_bytes().split(b"\n")
    lines[1] = lines[1][:40]
    log.path.write_bytes(b"\n".join(lines))
    for read in (log.records, log.verified):
        told = error_of(lambda read=read: list(read()))  # type: ignore[misc]
        assert told.startswith(f"{log.path}, line 2 is damaged (")
        assert "good copy" in told


def test_the_end_is_read_without_the_damage_before_it(log: Log) -> None:
    """`last` reads two lines alone, so that the cost of a step does not grow with the log."""
    records = filled(log, 4)
    data = log.path.read_bytes()
    start = sum(len(line) + 1 for line in data.split(b"\n")[:2])
    log.path.write_bytes(b"?" * (start - 1) + b"\n" + data[start:])
    last = log.last()
    assert last is not None
    assert last.record == records[-1]


@pytest.mark.parametrize(("line", "place"), [(-1, "the last line"), (-2, "line 3")])
def test_damage_at_the_end_is_an_error_for_the_next_step(log: Log, line: int, place: str) -> None:
    """A whole line that is damaged is not a torn line, and is not removed."""
    filled(log, 4)
    lines = log.path.read_bytes().split(b"\n")[:-1]
    lines[line] = b'{"v":1'
    data = b"\n".join(lines) + b"\n"
    log.path.write_bytes(data)
    assert f"{log.path}, {place} is damaged" in error_of(log.last)
    assert log.path.read_bytes() == data


@pytest.mark.parametrize(
    ("damage", "place"),
    [((b'"outcome":"c', b'"outcome":"k'), "line 2"), ((b'{"v":1', b'{"w":1'), "one of the lines")],
)
def test_damage_in_a_line_that_is_read_alone(log: Log, damage: tuple[bytes, bytes], place: str) -> None:
    """It is called by the number that it gives itself; where it lies is not known."""
    filled(log, 4)
    lines = log.path.read_bytes().split(b"\n")
    lines[1] = lines[1].replace(*damage)
    log.path.write_bytes(b"\n".join(lines))
    assert f"{log.path}, {place} is damaged" in error_of(lambda: log.record_at(len(lines[0]) + 1))


def test_a_changed_line_is_found_by_the_line_behind_it(log: Log) -> None:
    """Sound JSON that says something else breaks the chain, for the whole readers and at the end."""
    filled(log, 3)
    log.path.write_bytes(log.path.read_bytes().replace(b"lesson 2", b"lesson 7"))
    told = error_of(lambda: list(log.verified()))
    assert told.startswith(f"{log.path}, line 3 does not continue line 2")
    assert "line 3 does not continue line 2" in error_of(log.last)


def test_swapped_lines_are_found(log: Log) -> None:
    """Each line knows its number."""
    filled(log, 3)
    one, two, three = log.path.read_bytes().split(b"\n")[:-1]
    log.path.write_bytes(b"\n".join([two, one, three, b""]))
    for read in (log.records, log.verified):
        told = error_of(lambda read=read: list(read()))  # type: ignore[misc]
        assert told.startswith(f"{log.path}, line 1 says that it is line 2")


@pytest.mark.parametrize("missing", [0, 1])
def test_a_missing_line_is_found(log: Log, missing: int) -> None:
    """Neither the first nor a middle line can be taken out; the end of the log sees it where it is there."""
    filled(log, 3)
    lines = log.path.read_bytes().split(b"\n")
    del lines[missing]
    log.path.write_bytes(b"\n".join(lines))
    assert str(log.path) in error_of(lambda: list(log.verified()))


def test_a_log_cut_down_to_its_last_line_is_no_whole_log(log: Log) -> None:
    """A first line that continues another one is an error for a step too."""
    filled(log, 3)
    log.path.write_bytes(log.path.read_bytes().split(b"\n")[2] + b"\n")
    assert str(log.path) in error_of(log.last)


def test_a_line_twice_is_found(log: Log) -> None:
    """A repeated last line continues itself as little as another."""
    filled(log, 2)
    log.path.write_bytes(log.path.read_bytes() + log.path.read_bytes().split(b"\n")[1] + b"\n")
    assert "line 3 says that it is line 2" in error_of(lambda: list(log.verified()))
    assert str(log.path) in error_of(log.last)


@pytest.mark.parametrize("position", [1, 2])
def test_a_newer_version_is_called_newer(log: Log, position: int) -> None:
    """It is not called damaged, wherever it is: the way out is another one."""
    records = filled(log, 1)
    newer = hosting.record(2, records[0], v=3)
    with log.path.open("ab") as file:  # this version appends no line that it cannot read
        file.write(encode_record(newer) + b"\n")
        if position == 2:
            file.write(encode_record(hosting.record(3, newer)) + b"\n")
    for read in (log.last, lambda: list(log.records()), lambda: list(log.verified())):
        told = error_of(read)
        assert str(log.path) in told
        assert "newer ace" in told
        assert "version 3" in told
        assert "damaged" not in told


def test_a_newer_version_with_another_shape_is_called_newer_too(log: Log) -> None:
    """Also where nothing else of the line is known here."""
    filled(log, 1)
    with log.path.open("ab") as file:
        file.write(b'{"v":4,"steps":{"of":"another","shape":[]}}\n')
    assert "newer ace" in error_of(log.last)


def test_an_unknown_event_is_damage(log: Log) -> None:
    """Our own version has no such event: it is never passed over, or the fold would be wrong."""
    filled(log, 2)
    log.path.write_bytes(log.path.read_bytes().replace(b'"type":"RunRead"', b'"type":"RunSeen"'))
    assert "line 1 is damaged" in error_of(lambda: list(log.records()))
    assert "RunSeen" in error_of(log.last)


def test_an_unknown_field_of_an_event_is_passed_over(log: Log) -> None:
    """A newer writer may add one."""
    records = filled(log, 1)
    log.path.write_bytes(
        log.path.read_bytes().replace(b'"type":"RunRead"', b'"type":"RunRead","mood":"good"')
    )
    assert list(log.verified()) == records


@pytest.mark.parametrize("junk", [b"\xff\xfe", b"\x80abc", b"lesson \xc3("])
def test_what_is_not_utf_8_is_damage(log: Log, junk: bytes) -> None:
    """Inside a text or as a line of its own."""
    filled(log, 2)
    data = log.path.read_bytes()
    for changed in (data.replace(b"lesson 1", junk), data + junk + b"\n"):
        log.path.write_bytes(changed)
        assert "is damaged" in error_of(lambda: list(log.records()))
    assert "is damaged" in error_of(log.last)


@pytest.mark.parametrize("line", [b"", b"null", b"[]", b"{}", b"7", b'{"v":true}', b"[" * 100_000])
def test_a_line_that_is_no_record_is_damage(log: Log, line: bytes) -> None:
    """Blank lines and deep nesting among them."""
    filled(log, 1)
    with log.path.open("ab") as file:
        file.write(line + b"\n")
    assert f"{log.path}, line 2 is damaged" in error_of(lambda: list(log.records()))
    assert "is damaged" in error_of(log.last)


def test_a_cr_before_the_line_feed_breaks_the_chain(log: Log) -> None:
    """A log that went through a conversion of line ends is not the same log."""
    filled(log, 2)
    log.path.write_bytes(log.path.read_bytes().replace(b"\n", b"\r\n"))
    assert str(log.path) in error_of(lambda: list(log.verified()))
