"""`ace relearn`: which runs a host is to read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.adapters.commands import fails, succeeds
from tests.adapters.hosting import Host, Place, lessons, run

from ace.adapters.store.backlog import Backlog, Waiting
from ace.adapters.store.scenarios import scenario_root
from ace.method import ACE


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A scenario that has read two runs whose ids begin alike."""
    place = Place(scenario_root(tmp_path, "s"), rules=b"# Rules\n")
    ACE().step(place.context([run("aaaaaa-1"), run("aaaaaa-2")]), Host(lessons()))
    return place


def test_runs_are_put_into_the_backlog(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By id or its beginning, each once; one that waits already keeps what is known of it."""
    backlog = Backlog(place.root)
    backlog.add([Waiting("bbbbbb-1", ("c1",), "report", tries=2)])
    out = succeeds(
        capsys,
        "relearn",
        "--work",
        tmp_path,
        "--scenario",
        "s",
        "aaaaaa-1",
        "aaaaaa-1",
        "bbbbbb",
        "unheard-of",
    )
    assert "unheard-of is not in the log" in out
    assert "3 runs of scenario s will be read by the next step" in out
    found = [entry.waiting for entry in Backlog(place.root).entries()]
    assert [one.run for one in found] == ["aaaaaa-1", "bbbbbb-1", "unheard-of"]
    assert (found[1].calls, found[1].report, found[1].tries, found[1].again) == (("c1",), "report", 0, True)


def test_a_beginning_that_means_several_is_an_error(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nothing is put anywhere."""
    assert "2 runs begin with aaaaaa" in fails(
        capsys, "relearn", "--work", tmp_path, "--scenario", "s", "aaaaaa"
    )
    assert Backlog(place.root).entries() == []


def test_a_damaged_log_is_no_hindrance(
    place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host has the runs."""
    (place.root / "history" / "events.jsonl").write_bytes(b"{}\n")
    succeeds(capsys, "relearn", "--work", tmp_path, "--scenario", "s", "aaaaaa-1")
    assert [entry.waiting.run for entry in Backlog(place.root).entries()] == ["aaaaaa-1"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--work", "."], "`ace learn --again` reads runs again"),
        (["--scenario", "s"], "--scenario goes with --work"),
        (
            ["--work", ".", "--scenario", "other"],
            "there is no scenario other in .: name one with a playbook (s)",
        ),
    ],
)
def test_where_there_is_no_scenario(
    place: Place,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    told: str,
) -> None:
    """The error says what to do."""
    monkeypatch.chdir(tmp_path)
    assert told in fails(capsys, "relearn", "r1", *arguments)
    assert Backlog(place.root).entries() == []


def test_status_tells_what_waits(place: Place, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing of `ace learn`, which is not for this folder."""
    assert "nothing that this folder knows of" in succeeds(
        capsys, "status", "--work", tmp_path, "--scenario", "s"
    )
    Backlog(place.root).add([Waiting("r1", reason="overloaded", since="2026-12-02T10:00:00Z")])
    out = succeeds(capsys, "status", "--work", tmp_path, "--scenario", "s")
    assert (
        "1 run for the next step that can read them; the oldest, r1, since 2026-12-02T10:00:00Z: overloaded"
        in out
    )
