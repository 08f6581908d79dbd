"""How long the records of steps are kept."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ace.adapters.store.retention import Keep, Records

NOW = 1_000_000_000.0
DAY = 86_400.0


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    """Five records of a megabyte each, one a day, the last of today; and what is not a record."""
    for number in range(1, 6):
        output = tmp_path / (f"{number}" if number != 3 else "3-2") / "output"
        output.mkdir(parents=True)
        (output / "calls.json").write_bytes(b"x" * 1_000_000)
        os.utime(output.parent, (NOW - (5 - number) * DAY,) * 2)
    (tmp_path / "notes").mkdir()
    os.utime(tmp_path / "notes", (1, 1))
    (tmp_path / "7").write_text("a file")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "8").symlink_to(tmp_path / "elsewhere")
    return tmp_path


@pytest.mark.parametrize(
    ("keep", "gone"),
    [
        (Keep(), []),
        (Keep(count=5), []),
        (Keep(count=2), ["1", "2", "3-2"]),
        (Keep(days=2), ["1", "2"]),
        (Keep(megabytes=3), ["1", "2"]),
        (Keep(count=4, days=1, megabytes=4), ["1", "2", "3-2"]),
        (Keep(days=1, count=1), ["1", "2", "3-2", "4"]),
    ],
)
def test_the_oldest_go_first(steps: Path, keep: Keep, gone: list[str]) -> None:
    """Whichever limit is met; nothing but records is touched."""
    others = {path.name for path in steps.iterdir()} - set(gone)
    records = Records(steps, keep)
    assert records.prune(NOW) == gone
    assert {path.name for path in steps.iterdir()} == others
    assert records.prune(NOW) == []


def test_the_newest_is_kept_in_any_case(steps: Path) -> None:
    """Also if it is too old and too large."""
    assert Records(steps, Keep(days=1, megabytes=1)).prune(NOW + 100 * DAY) == ["1", "2", "3-2", "4"]


def test_a_record_is_measured_once(steps: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step of a long history looks at the new one alone."""
    records = Records(steps, Keep(megabytes=100))
    records.prune(NOW)
    monkeypatch.setattr(os, "walk", lambda _: pytest.fail("measured again"))
    assert records.prune(NOW) == []


def test_what_cannot_be_read_or_removed_stops_nothing(
    tmp_path: Path, steps: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is tried again the next time."""
    assert Records(tmp_path / "none", Keep(count=1)).prune() == []
    records = Records(steps, Keep(count=4))
    with monkeypatch.context() as patch:
        patch.setattr("shutil.rmtree", lambda *_, **__: None)
        records.prune(NOW)
    assert records.prune(NOW) == ["1"]
