"""The Python of the pages runs, in a project with a playbook and recorded runs; an endpoint is answered by a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.commands import CALLS, RUNS, ace
from tests.adapters.hosting import Host, lessons
from tests.docs.pages import PAGES, ROOT, blocks

import ace as package
from ace.domain.playbook import Playbook, digest

NOT_RUN = {"docs/fleet.md": "it needs a database: tests/adapters/test_postgres.py runs the same"}
"""Pages whose programs are only compiled."""

_PROGRAMS = {
    str(page.relative_to(ROOT)): [block.code for block in blocks(page.read_text()) if block.kind == "python"]
    for page in PAGES
}
_RUN = [page for page, programs in _PROGRAMS.items() if programs and page not in NOT_RUN]


@pytest.fixture
def page(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """A page, in a project that has learned from most of the demo's runs: from as many as bring its lesson 12, or wait to bring it. A
    script answers for the others."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(package, "OpenAIModel", lambda *_, **__: Host(lessons()))
    runs = RUNS.read_text().splitlines(keepends=True)
    Path("learned.jsonl").write_text("".join(runs[: 11 if request.param == "docs/review.md" else 12]))
    Path("runs.jsonl").write_bytes(RUNS.read_bytes())
    for work, rules in ((".ace", "AGENTS.md"), ("my-playbook", "rules.md")):
        assert ace("learn", "learned.jsonl", "--replies", CALLS, "--work", work, "--rules", rules) in (0, 1)
    capsys.readouterr()
    return str(request.param)


def _given(page: str) -> dict[str, Any]:
    """The names that a page's sentences introduce."""
    traces = package.read_traces(Path("runs.jsonl")).traces
    return {"traces": traces, "model": Host(lessons())} if page in ("docs/review.md", "docs/host.md") else {}


def _learned_and_asked(names: dict[str, Any], said: str) -> None:
    assert names["report"].is_done
    assert "What " in Path("AGENTS.md").read_text()
    assert "True" in said
    assert package.request_of(names["call"]).role == "curator"


def _folded(names: dict[str, Any], _said: str) -> None:
    playbook: Playbook = names["playbook"]
    *_, last = package.Log(Path("my-playbook/history")).verified()
    assert digest(playbook) == last.playbook


def _removed(names: dict[str, Any], _said: str) -> None:
    assert "[ace-00012]" not in Path("AGENTS.md").read_text()
    assert len(names["decision"].after.bullets) == len(names["decision"].before.bullets) - 1


def _accepted(_names: dict[str, Any], said: str) -> None:
    assert "ace-00012 What " in said
    assert "[ace-00012]" in Path("AGENTS.md").read_text()


def _recorded(names: dict[str, Any], said: str) -> None:
    names["record"]("r", [{"role": "user", "content": "x"}], score=1)
    assert json.loads(Path("runs.jsonl").read_text().splitlines()[-1])["id"] == "r"
    assert "<!-- ace:playbook:begin -->" in names["system"]
    assert "True" in said


def _published(names: dict[str, Any], said: str) -> None:
    assert names["result"].changed
    assert ":: What run-1 teaches." in said
    assert ace("show", "--work", "service") == 0


_SHOWS: dict[str, Callable[[dict[str, Any], str], None]] = {
    "README.md": _learned_and_asked,
    "docs/events.md": _folded,
    "docs/history.md": _removed,
    "docs/host.md": _published,
    "docs/review.md": _accepted,
    "docs/start-your-own-loop.md": _recorded,
}


def test_every_page_with_a_program_is_run_or_named() -> None:
    """Given the pages, then each with Python is run, and shows what it says, or is named with a reason."""
    assert set(_RUN) == set(_SHOWS)
    assert all(_PROGRAMS[page] for page in NOT_RUN)


@pytest.mark.parametrize("page", _RUN, indirect=True)
def test_the_programs_of_a_page(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Given the programs of a page, when they are run in their order, then they end, and show what the page says."""
    names = _given(page)
    for program in _PROGRAMS[page]:
        exec(compile(program, page, "exec"), names)  # noqa: S102 - the page's own program
    _SHOWS[page](names, capsys.readouterr().out)
