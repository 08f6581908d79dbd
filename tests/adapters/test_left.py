"""What a step left of its log, and what is found before the next one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, lessons, run

from ace.adapters.store.left import next_number_left, note_left, see_log, set_aside
from ace.adapters.store.log import Log
from ace.domain.errors import LogError
from ace.method import ACE


@pytest.fixture
def log(tmp_path: Path) -> Log:
    """A log of three lines, as a step left it."""
    place = Place(tmp_path / "root", rules=b"# Rules\n")
    for number in range(3):
        ACE().step(place.context([run(f"r{number}")]), Host(lessons()))
    log = Log(place.root / "history")
    tail = log.last()
    assert tail is not None
    note_left(log, tmp_path / "cache", tail)
    return log


def test_a_log_that_nobody_touched_is_not_read(
    log: Log, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it is."""
    monkeypatch.setattr(Log, "lines_from", lambda *_: pytest.fail("the log was read"))
    assert see_log(log, tmp_path / "cache") == ""
    assert next_number_left(tmp_path / "cache") > 1


def _copied(log: Log) -> None:
    shutil.copy(log.path, log.path.with_name("copy"))
    os.replace(log.path.with_name("copy"), log.path)


def _shortened(log: Log) -> None:
    log.path.write_bytes(b"".join(log.path.read_bytes().splitlines(keepends=True)[:2]))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda log: os.utime(log.path, (1, 1)), "all of its 3 lines are as they were written"),
        (_copied, "all of its 3 lines are as they were written"),
        (_shortened, "another one than the last step left: it had 3 lines, and now has 2 lines"),
        (lambda log: log.path.unlink(), "The log is gone: it had 3 lines"),
    ],
    ids=["touched", "copied", "shortened", "gone"],
)
def test_what_is_found_is_told(log: Log, tmp_path: Path, change: Callable[[Log], object], told: str) -> None:
    """By size, time and inode, and then by the lines."""
    change(log)
    assert told in see_log(log, tmp_path / "cache")


def test_lines_that_were_added_are_told(tmp_path: Path) -> None:
    """As by a step that was killed before it wrote down what it left."""
    place = Place(tmp_path / "root", rules=b"# Rules\n")
    log = Log(place.root / "history")
    ACE().step(place.context([run("r0")]), Host(lessons()))
    tail = log.last()
    assert tail is not None
    note_left(log, tmp_path, tail)
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert "1 line more than the last step left" in see_log(log, tmp_path)


@pytest.mark.parametrize("line", [0, 1, 2])
def test_damage_is_found_in_whatever_line(log: Log, tmp_path: Path, line: int) -> None:
    """Also where the size stays, and the last two lines are sound."""
    lines = log.path.read_bytes().splitlines(keepends=True)
    lines[line] = lines[line].replace(b"committed", b"commixxed")
    log.path.write_bytes(b"".join(lines))
    with pytest.raises(LogError, match=f"line {line + 1}"):
        see_log(log, tmp_path / "cache")


@pytest.mark.parametrize("data", [None, b"", b"{}", b"\xff", b"[1]"])
def test_where_nobody_knows_what_was_left_the_log_is_read(
    log: Log, tmp_path: Path, data: bytes | None
) -> None:
    """As after an update: nothing is told of a sound one."""
    left = tmp_path / "cache" / "log-left.json"
    if data is None:
        left.unlink()
    else:
        left.write_bytes(data)
    assert see_log(log, tmp_path / "cache") == ""
    assert next_number_left(tmp_path / "cache") == 1
    log.path.write_bytes(b"{}\n")
    with pytest.raises(LogError):
        see_log(log, tmp_path / "cache")


def test_no_log_that_was_set_aside_is_overwritten(log: Log) -> None:
    """Each has a number of its own."""
    data = log.path.read_bytes()
    for number in (1, 2):
        aside = set_aside(log)
        assert (aside.name, log.path.exists()) == (f"events.damaged-{number}.jsonl", False)
        assert aside.read_bytes() == data
        log.path.write_bytes(data)
