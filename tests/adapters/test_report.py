"""The report: a page whose data is what went in, with no tag but the template's, and the command that writes it."""

from __future__ import annotations

import base64
import errno
import hashlib
import json
import os
import re
import shutil
import webbrowser
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, override

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.commands import ace, fails, succeeds
from tests.adapters.failing import Operation, intercepted
from tests.adapters.hosting import Host, Place, lessons, run
from tests.domain.strategies import records

from ace import ACE, Folder, Turn, report
from ace.adapters.shipped import shipped
from ace.adapters.store.scenarios import scenario_root
from ace.domain.charts import charts
from ace.domain.evidence import Runs, evidence_in
from ace.domain.overview import Overview, overview_of
from ace.events.types import StepRecord
from ace.reporting import page


class _Page(HTMLParser):
    """The tags of a page with their attributes, its comments, and the text of its scripts and styles by their place."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, object]] = []
        self.blocks: list[str] = []
        self._open = ""
        self.feed(text)
        self.close()

    @override
    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, attrs))
        self._open = tag
        if tag in ("script", "style"):
            self.blocks.append("")

    @override
    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}", None))
        self._open = ""

    @override
    def handle_data(self, data: str) -> None:
        if self._open in ("script", "style"):
            self.blocks[-1] += data

    @override
    def handle_comment(self, data: str) -> None:
        self.tags.append(("comment", data))


EMPTY = page(overview_of([], name="", made="", max_bullets=1)).decode()


@given(st.lists(records, max_size=3), st.text(), st.text())
def test_the_data_is_what_went_in(log: list[StepRecord], name: str, made: str) -> None:
    """For any texts: a JSON parser reads out of the page what went in, and the page holds no tag that the template does not, beside
    those of the charts (see tests/domain/test_charts.py).
    """
    overview = overview_of(log, name=name, made=made, max_bullets=7)
    text = page(overview).decode().replace(charts(overview.steps), charts(()), 1)
    found = _Page(text)
    assert found.tags == _Page(EMPTY).tags
    _, data, _ = found.blocks
    assert "<" not in data
    assert msgspec.json.decode(data, type=Overview) == overview
    assert json.loads(data)["name"] == name
    # Around its data, the page is the same for all.
    assert text.replace(data, "") == EMPTY.replace(_Page(EMPTY).blocks[1], "")


def test_the_policy_lets_this_script_and_this_style_run_and_nothing_else() -> None:
    """Nothing may be loaded; script and style are named by their digests, and nothing is allowed for being inline."""
    found = _Page(EMPTY)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', EMPTY)
    style, _, script = found.blocks

    def digest(text: str) -> str:
        return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"

    assert policy.split("; ") == [
        "default-src 'none'",
        f"script-src {digest(script)}",
        f"style-src {digest(style)}",
        "base-uri 'none'",
        "form-action 'none'",
    ]


def test_the_template_names_no_other_place() -> None:
    """It loads nothing, and its script makes nothing of a text but text."""
    for name in ("page.html", "page.css", "page.js"):
        text = (shipped("report") / name).read_text(encoding="utf-8")
        assert set(re.findall(r"https?://[^\s\"]+", text)) <= {"http://www.w3.org/2000/svg"}
        assert not re.search(
            r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|@import|url\(", text
        )


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The demo's folder."""
    work = tmp_path_factory.mktemp("report") / "shop" / ".ace"
    ace("demo", "--work", work)
    return work


def data_in(written: bytes) -> Overview:
    """The data of a page."""
    return msgspec.json.decode(_Page(written.decode()).blocks[1], type=Overview)


def test_the_report_of_a_folder(learned: Path) -> None:
    """It is called after the project, and holds each step and each lesson, those that are gone, too."""
    view = data_in(report(Folder(learned), max_bullets=14))
    assert (view.name, view.max_bullets) == ("shop", 14)
    assert [step.seq for step in view.steps] == list(range(1, 15))
    assert len(view.lessons) == 15
    assert [one.id for one in view.lessons if one.stands[-1].wording < 0] == ["ace-00002"]
    assert sum(one.near_cap > 0 for one in view.lessons) == 1


def test_the_command(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It writes the page where no commit takes it, tells where it is, and writes it again; nothing else of the folder changes."""
    monkeypatch.chdir(tmp_path)
    there = learned / "cache" / "report.html"
    before = sorted(path for path in learned.rglob("*"))
    for _ in range(2):
        assert succeeds(capsys, "report", "--work", learned) == f"The report is in {there}\n"
    assert len(data_in(there.read_bytes()).steps) == 14
    there.unlink()
    succeeds(capsys, "report", "--work", learned, "-o", "other.html")
    assert (tmp_path / "other.html").exists()
    assert succeeds(capsys, "report", "--work", learned, "-o", "-").startswith("<!doctype html>")
    assert sorted(path for path in learned.rglob("*")) == before


def test_a_scenario_of_a_deployment(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given the work folder of a host, then the report is of the scenario that is named, and is called so."""
    shutil.copytree(learned, scenario_root(tmp_path, "airline"))
    succeeds(capsys, "report", "--work", tmp_path, "--scenario", "airline", "-o", tmp_path / "r.html")
    view = data_in((tmp_path / "r.html").read_bytes())
    assert (view.name, len(view.steps)) == ("airline", 14)


def test_a_host_s_folder_is_the_host_s(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """There the page goes into the current folder."""
    shutil.copytree(learned, scenario_root(tmp_path / "work", "airline"))
    monkeypatch.chdir(tmp_path)
    out = succeeds(capsys, "report", "--work", tmp_path / "work", "--scenario", "airline")
    assert out == f"The report is in {tmp_path}/ace-report.html\n"


def test_the_cap_is_the_configuration_s_also_before_it_is_trusted(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a config.toml from somebody else that names a cap and a model, then the cap counts and the model is not needed."""
    (learned / "config.toml").write_text('[settings]\nmax_bullets = 14\nmodel = "theirs"\n')
    try:
        succeeds(capsys, "report", "--work", learned, "-o", tmp_path / "r.html")
    finally:
        (learned / "config.toml").unlink()
    assert data_in((tmp_path / "r.html").read_bytes()).max_bullets == 14


def test_a_file_that_is_no_report_is_left_as_it_is(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a rules file or a folder in the place of the report, then the command names another way."""
    rules = tmp_path / "AGENTS.md"
    rules.write_text("# Rules\n")
    assert "is not a report: name another file with -o" in fails(
        capsys, "report", "--work", learned, "-o", rules
    )
    assert rules.read_text() == "# Rules\n"
    assert "is a folder" in fails(capsys, "report", "--work", learned, "-o", tmp_path)


def test_a_damaged_log_makes_no_report(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is named, and no page is written."""
    log = learned / "history" / "events.jsonl"
    kept = log.read_bytes()
    log.write_bytes(kept.replace(b"helpful", b"harmful", 1))
    try:
        told = fails(capsys, "report", "--work", learned, "-o", tmp_path / "r.html")
    finally:
        log.write_bytes(kept)
    assert "was changed after it was written" in told
    assert not (tmp_path / "r.html").exists()


def test_a_fault_at_every_operation(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given a disk that fails at any one operation, then the report that was there is whole, or the new one is, and nothing else is
    left behind.
    """
    path = tmp_path / "r.html"
    old = b"<!doctype html>old"
    for at in range(1, 100):
        path.write_bytes(old)
        count = 0

        def wrap(_: str, operation: Operation, at: int = at) -> Operation:
            def call(*args: Any, **named: Any) -> Any:
                nonlocal count
                count += 1
                if count == at:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                return operation(*args, **named)

            return call

        with intercepted(wrap):
            status = ace("report", "--work", learned, "-o", path)
        assert status in (0, 2)
        assert status == 2 or len(data_in(path.read_bytes()).steps) == 14
        assert path.read_bytes() == old or len(data_in(path.read_bytes()).steps) == 14
        assert [one.name for one in tmp_path.iterdir()] == ["r.html"]
        capsys.readouterr()
        if count < at:
            return
    raise AssertionError("it never came to its end")


@pytest.mark.parametrize("found", [True, False])
def test_open(
    learned: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    *,
    found: bool,
) -> None:
    """`--open` opens the file in the browser; where there is none, the command says so, and the status is 1."""
    opened: list[str] = []

    def open_(address: str) -> bool:
        opened.append(address)
        return found

    monkeypatch.setattr(webbrowser, "open", open_)
    assert ace("report", "--work", learned, "-o", tmp_path / "r.html", "--open") == (0 if found else 1)
    assert opened == [(tmp_path / "r.html").as_uri()]
    assert ("No browser was found" in capsys.readouterr().out) is not found


# --- ace show --evidence ----------------------------------------------------------------------------------------------


def test_evidence_beside_the_counts(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each bullet that the other options choose, with what speaks for it; and that this proves nothing."""
    told = " ".join(succeeds(capsys, "show", "--work", learned, "--evidence", "--grep", "csv module").split())
    assert told.startswith("[ace-00003] Read CSV with the csv module")
    assert "1 tag, from runs of 1 task, last in line 10 (20" in told
    assert "in the playbook for 12 steps, since line 2 (20" in told
    assert "Of 13 runs read, it is known of 0 which lessons they had. This proves nothing" in told


def test_evidence_of_one_bullet_as_json(learned: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also of one that is gone, with its last words."""
    found = json.loads(succeeds(capsys, "show", "[ACE-00002]", "--work", learned, "--evidence", "--json"))
    (lesson,) = found["lessons"]
    assert (found["runs"], found["known"], lesson["id"], lesson["tags"]) == (13, 0, "ace-00002", 2)
    assert lesson["had"] == lesson["lacked"] == {"count": 0, "scored": 0, "mean": None}
    assert lesson["content"]
    assert "has no bullet ace-00099" in fails(capsys, "show", "ace-00099", "--work", learned, "--evidence")


def test_a_run_that_read_the_block_had_its_lessons(tmp_path: Path) -> None:
    """Given runs whose records hold the rules as they were, with Windows line ends, too, then it is known which lessons they had."""
    place = Place(tmp_path / "work", rules=b"# Rules\n")

    def learn(name: str, score: float, rules: str) -> None:
        turns = (Turn("system", f"You are an agent.\n\n{rules}"),) if rules else ()
        ACE().step(place.context([run(name, score=score, context=turns)]), Host(lessons()))

    learn("r1", 0.0, "")
    first = place.rules.read_text()
    learn("r2", 0.5, first)
    second = place.rules.read_text()
    learn("r3", 1.0, second.replace("\n", "\r\n"))
    learn("r4", 0.25, first)
    found = evidence_in(Folder(place.root).log.verified())
    assert (found.runs, found.known) == (4, 3)
    assert found.lessons["ace-00001"].had == Runs(3, 3, 1.75 / 3)
    assert found.lessons["ace-00002"].had == Runs(1, 1, 1.0)
    assert found.lessons["ace-00002"].lacked == Runs(2, 2, 0.375)
