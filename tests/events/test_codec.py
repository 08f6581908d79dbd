"""Lines of the log: written once, read for good, and a newer line told from a broken one."""

from __future__ import annotations

import hashlib
import json
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import records

from ace.events import types
from ace.events.codec import (
    DamagedLineError,
    NewerFormatError,
    decode_record,
    decode_records,
    encode_record,
    is_whole,
    sealed,
)
from ace.events.types import FORMAT_VERSION, BulletAdded, RunRead, StepRecord, version_of

SUM = b"@"
LINE = (
    b'{"v":1,"seq":12,"prev":"p","step":7,"record":"r","outcome":"committed","sections":["Others"],"next_number":31,'
    b'"playbook":"x","block":"y","served":"z","events":[{"type":"BulletAdded","trace":"a","item":0,"id":"ace-00030",'
    b'"section":"Others","content":"Run the tests.","step":7},{"type":"RunRead","trace":"a","score":null,"task":"t",'
    b'"insight":"i","curation":"used"}],"reason":"","time":"2026-12-02T10:00:00Z","records":{"calls.json":"c"},"accepted":"","sum":"'
    b'%b"}'
) % SUM
RECORD = StepRecord(
    v=1,
    seq=12,
    prev="p",
    step=7,
    record="r",
    outcome="committed",
    sections=("Others",),
    next_number=31,
    playbook="x",
    block="y",
    served="z",
    events=(
        BulletAdded("a", 0, "ace-00030", "Others", "Run the tests.", 7),
        RunRead("a", None, "t", "i", "used"),
    ),
    time="2026-12-02T10:00:00Z",
    records={"calls.json": "c"},
    sum=SUM.decode(),
)

# Names and fields are the file format: what is here is never renamed, retyped or removed, only added to.
FORMAT = {
    "TagCounted": ["trace", "item", "bullet", "tag"],
    "TagIgnored": ["trace", "item", "bullet", "reason"],
    "BulletAdded": ["trace", "item", "id", "section", "content", "step", "by", "marked", "similar"],
    "DuplicateRejected": ["trace", "item", "bullet", "line", "file"],
    "Refused": ["trace", "item", "reason"],
    "OperationIgnored": ["trace", "item", "reason"],
    "RunRead": [
        *("trace", "score", "task", "insight", "curation", "reason"),
        *("task_digest", "aliases", "reflection", "of", "had"),
    ],
    "RunSkipped": ["trace", "reason", "detail", "task_digest", "aliases", "attempt"],
    "Pruned": ["id", "section", "content", "helpful", "harmful"],
    "Capped": ["id", "section", "content", "helpful", "harmful"],
    "Removed": ["id", "section", "content", "helpful", "harmful", "by", "reason"],
    "Reworded": ["id", "before", "after", "by", "reason"],
    "Accepted": ["id", "content"],
    "Forgotten": ["first_seq", "reason"],
    "PlaybookRestored": ["reason", "next_number", "bullets"],
    "RulesRestored": ["bullets"],
}


def _changed(**changed: Any) -> bytes:
    return json.dumps(json.loads(LINE) | changed).encode()


def test_the_format_of_the_log() -> None:
    """Given the event types, then their names and fields are those of the logs that exist."""
    kinds = get_args(types.Event.__value__)
    assert {kind.__name__: list(kind.__struct_fields__) for kind in kinds} == FORMAT
    assert all(kind.__struct_config__.tag == kind.__name__ for kind in kinds)
    assert list(json.loads(LINE)) == list(StepRecord.__struct_fields__)


def test_a_line_of_the_log() -> None:
    """Given a record, then its line is exactly this, and the line is that record."""
    assert encode_record(RECORD) == LINE
    assert decode_record(LINE) == RECORD


@given(records)
def test_a_record_is_read_back_equal(record: StepRecord) -> None:
    """Given any record, then it is one line of UTF-8, and read back equal, with its line break too."""
    line = encode_record(record)
    assert not {b"\n", b"\r"} & {line[at : at + 1] for at in range(len(line))}
    assert decode_record(line) == record
    assert decode_record(line + b"\n") == record
    assert list(decode_records([line, line + b"\n"])) == [record, record]
    assert encode_record(decode_record(line)) == line


@given(records)
def test_a_line_knows_its_own_digest(record: StepRecord) -> None:
    """Given any record that was sealed, then its line is whole, and no byte of it can be changed without that being seen."""
    line = encode_record(sealed(record))
    assert is_whole(line, decode_record(line))
    place = line.index(b'"seq":') + len(b'"seq":')
    other = line[:place] + (b"7" if line[place : place + 1] != b"7" else b"8") + line[place + 1 :]
    assert not is_whole(other, decode_record(other))


def test_a_digest_is_of_the_bytes() -> None:
    """Given a sealed line with a field that this version does not know, then its digest can be checked all the same."""
    text = encode_record(msgspec.structs.replace(RECORD, sum="")).replace(
        b'"sum":""', b'"mood":"good","sum":""'
    )
    line = text.replace(b'"sum":""', b'"sum":"%b"' % hashlib.sha256(text).hexdigest().encode())
    assert is_whole(line, decode_record(line))
    changed = line.replace(b"good", b"evil")
    assert not is_whole(changed, decode_record(changed))


def test_a_line_of_0_1_0_has_no_digest() -> None:
    """Given a line without a `sum` and a time, then there is nothing to check: it counts as whole. One with a time had a sum."""
    line = _changed(sum="", time="", records={})
    assert is_whole(line, decode_record(line))
    line = _changed(sum="")
    assert not is_whole(line, decode_record(line))


def test_the_version_is_the_lowest_that_does() -> None:
    """Given events, then the line is of the first version unless a reader of that one would get it wrong."""
    old = (types.RunRead("a", None, "t", "i", "failed call", "x", "d", reflection="r", of=3), *RECORD.events)
    assert version_of(()) == version_of(old) == 1
    for new in (
        types.Removed("ace-00001", "S", "c", 0, 0, "person", "r"),
        types.Reworded("ace-00001", "a", "b", "person", "r"),
        types.Forgotten(3, "r"),
        types.Accepted("ace-00001", "a"),
        types.RulesRestored(()),
        types.RunSkipped("a", "given twice"),
    ):
        assert version_of((*old, new)) == 2


def test_what_a_newer_writer_added_is_passed_over() -> None:
    """Given a line of this version with a field too many in the record or an event, then the rest is read."""
    value = json.loads(LINE)
    value["events"][0]["mood"] = "good"
    assert decode_record(json.dumps(value | {"host": "x"}).encode()) == RECORD


def test_what_an_older_writer_left_out_is_filled_in() -> None:
    """Given a line without the fields that have defaults, then they are those."""
    value = json.loads(LINE)
    for name in ("reason", "time", "records", "sum"):
        del value[name]
    assert decode_record(json.dumps(value).encode()) == msgspec.structs.replace(
        RECORD, time="", records={}, sum=""
    )


def test_a_bullet_with_a_field_too_many_is_damage() -> None:
    """Given a restored playbook whose bullet has a key that is not known, then it is not dropped."""
    bullet = {
        "id": "ace-00001",
        "section": "S",
        "content": "c",
        "helpful": 0,
        "harmful": 0,
        "step": 1,
        "mood": 1,
    }
    restored = {"type": "PlaybookRestored", "reason": "imported", "next_number": 2, "bullets": [bullet]}
    with pytest.raises(DamagedLineError, match="unknown field `mood`"):
        decode_record(_changed(events=[restored]))


@pytest.mark.parametrize(
    "line",
    [
        _changed(v=3),
        _changed(v=99),
        _changed(v=3, events=[{"type": "Renamed", "trace": "a"}]),
        _changed(v=3, events="elsewhere", playbook=None),
        b'{"v":3}',
        b'{"steps":[],"v":4}\n',
    ],
)
def test_a_newer_line_is_told_as_such(line: bytes) -> None:
    """Given a line of a newer version, whatever is in it, then the error says to update, not that it is damaged."""
    with pytest.raises(NewerFormatError, match="reads up to 2: update ace"):
        decode_record(line)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"\n",
        b"null",
        b"[]",
        b"{}",
        b"\xff\xfe",
        LINE[:-1],
        LINE[:80],
        LINE + LINE,
        LINE.replace(b"Others", b"\xff"),
        b"[" * 100_000,
        b'{"v":' * 100_000,
        b'{"v":' + b"9" * 5000 + b"}",
        b'{"v":"2"}',
        b'{"v":true}',
        _changed(v=0),
        _changed(v=-1),
        _changed(seq="12"),
        _changed(outcome="maybe"),
        _changed(sections="Others"),
        _changed(events=[{"type": "Renamed"}]),
        _changed(events=[{"trace": "a"}]),
        _changed(events=[{"type": "TagCounted", "trace": "a", "item": 0, "bullet": "ace-00001", "tag": "good"}]),
        _changed(events=[{"type": "RunSkipped", "trace": "a", "reason": "boredom"}]),
    ],
)  # fmt: skip
def test_a_damaged_line_is_told_as_such(line: bytes) -> None:
    """Given a line that is not a record of this version, then it is damaged, and no other error is raised."""
    with pytest.raises(DamagedLineError):
        decode_record(line)


@given(
    st.binary(max_size=80)
    | st.tuples(st.integers(0, len(LINE)), st.binary(max_size=4)).map(lambda cut: LINE[: cut[0]] + cut[1])
)
def test_any_line_is_a_record_or_one_of_two_errors(line: bytes) -> None:
    """Given any bytes, then they are a record, damaged, or newer."""
    try:
        record = decode_record(line)
    except (DamagedLineError, NewerFormatError):
        return
    assert 1 <= record.v <= FORMAT_VERSION


def test_events_cannot_be_changed() -> None:
    """Given an event, a record or a bullet, then its fields cannot be set: what happened has happened."""
    bullet = types.Bullet("ace-00001", "S", "c", 0, 0, 1)
    for value, field in ((RECORD, "seq"), (RECORD.events[0], "id"), (bullet, "helpful")):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(value, field, 1)
    assert isinstance(RECORD.events[0], msgspec.Struct)
