"""The runs that a host has yet to read: what is in the folder, in which order, and how many."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ace.adapters.store import backlog as module
from ace.adapters.store.backlog import Backlog, Waiting


def runs(backlog: Backlog) -> list[str]:
    """The ids in their order."""
    return [entry.waiting.run for entry in backlog.entries()]


def test_what_was_added_is_there_in_order_also_for_another_process(tmp_path: Path) -> None:
    """With all that was said of it, and the time."""
    backlog = Backlog(tmp_path)
    assert runs(backlog) == []
    backlog.add([Waiting("a", ("c1", "c2"), "r", "overloaded"), Waiting("b")])
    backlog.add([Waiting("c")])
    (first, *_) = Backlog(tmp_path).entries()
    assert (first.waiting.calls, first.waiting.report, first.waiting.reason) == (
        ("c1", "c2"),
        "r",
        "overloaded",
    )
    assert first.waiting.since.endswith("Z")
    assert runs(backlog) == runs(Backlog(tmp_path)) == ["a", "b", "c"]


def test_what_another_process_adds_is_seen(tmp_path: Path) -> None:
    """Also once the folder has been looked at; and its run takes the place of the one that is there."""
    backlog = Backlog(tmp_path)
    backlog.add([Waiting("a"), Waiting("b")])
    assert runs(backlog) == ["a", "b"]
    Backlog(tmp_path).add([Waiting("a", again=True)])
    assert runs(backlog) == ["b", "a"]
    assert backlog.entries()[1].waiting.again


def test_a_run_that_is_dropped_by_an_old_name_stays_if_it_was_added_anew(tmp_path: Path) -> None:
    """A name is never used again: a host's state may speak of the earlier one."""
    backlog = Backlog(tmp_path)
    backlog.add([Waiting("a")])
    (old,) = backlog.entries()
    backlog.drop([old.name])
    backlog.add([Waiting("a")])
    backlog.drop([old.name])
    assert runs(backlog) == ["a"]
    assert backlog.entries()[0].name > old.name


def test_a_change_keeps_the_place(tmp_path: Path) -> None:
    """And is there for other processes."""
    backlog = Backlog(tmp_path)
    backlog.add([Waiting("a"), Waiting("b")])
    backlog.change(backlog.entries()[0], tries=2)
    assert runs(Backlog(tmp_path)) == ["a", "b"]
    assert Backlog(tmp_path).entries()[0].waiting.tries == 2


@settings(max_examples=20)
@given(st.lists(st.integers(0, 40), max_size=12), st.integers(1, 6), st.integers(60, 400))
def test_of_too_many_the_oldest_fall_out(
    tmp_path_factory: pytest.TempPathFactory, lengths: list[int], most: int, size: int
) -> None:
    """By number and by bytes; what is returned and what is there are all, in order."""
    backlog = Backlog(tmp_path_factory.mktemp("b"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_RUNS", most)
        patch.setattr(module, "MOST_BYTES", size)
        added = [Waiting(f"run-{at}", since="now", reason="x" * length) for at, length in enumerate(lengths)]
        out = backlog.add(added)
    left = [entry.waiting for entry in backlog.entries()]
    assert out + left == added
    assert len(left) <= most


@pytest.mark.parametrize("data", [b"", b"{", b"[]", b'{"run": 1}', b"\xff"])
def test_a_damaged_file_counts_as_none(tmp_path: Path, data: bytes) -> None:
    """The others are read."""
    backlog = Backlog(tmp_path)
    backlog.add([Waiting("a"), Waiting("b")])
    (tmp_path / "backlog" / f"{backlog.entries()[0].name}.json").write_bytes(data)
    assert runs(Backlog(tmp_path)) == ["b"]


def test_no_name_leads_out_of_the_folder(tmp_path: Path) -> None:
    """The names of what was read come from the state of a host."""
    (tmp_path / "x.json").touch()
    Backlog(tmp_path).drop(["../x", "../../x", "..", ""])
    assert (tmp_path / "x.json").exists()


def test_room_is_seen_before_it_is_needed(tmp_path: Path) -> None:
    """And nothing is left behind by looking."""
    backlog = Backlog(tmp_path)
    backlog.see_room()
    assert runs(backlog) == []
    assert list((tmp_path / "backlog").iterdir()) == []
    (tmp_path / "full").write_text("a file, and no folder")
    with pytest.raises(OSError, match="full"):
        Backlog(tmp_path / "full").see_room()
