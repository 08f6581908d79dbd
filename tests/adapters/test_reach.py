"""Whether an agent reads the file that carries the block, and as far as the block."""

from __future__ import annotations

from pathlib import Path

import pytest

from ace.adapters.cli.reach import CODEX_READS, out_of_reach
from ace.domain.rules_block import BEGIN, END

BLOCK = f"{BEGIN}\n{END}\n"


def project(folder: Path, **files: str) -> Path:
    """A project with these files; `__` in a name stands for a slash."""
    for name, text in files.items():
        path = folder / f"{name.replace('__', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder


@pytest.mark.parametrize(
    ("tool", "files", "rules", "missed"),
    [
        ("claude-code", {"CLAUDE": ""}, "CLAUDE.md", 0),
        ("claude-code", {"AGENTS": ""}, "AGENTS.md", 1),
        ("claude-code", {"AGENTS": "", "CLAUDE": "See @AGENTS.md.\n"}, "AGENTS.md", 0),
        ("claude-code", {"AGENTS": "", "CLAUDE": "See AGENTS.md.\n"}, "AGENTS.md", 1),
        ("claude-code", {".claude__CLAUDE": ""}, ".claude/CLAUDE.md", 0),
        ("claude-code", {".claude__rules__lessons": ""}, ".claude/rules/lessons.md", 0),
        ("codex", {"AGENTS": ""}, "AGENTS.md", 0),
        ("codex", {"CLAUDE": ""}, "CLAUDE.md", 1),
        ("codex", {"AGENTS": "", "AGENTS.override": ""}, "AGENTS.md", 1),
        ("gemini", {"GEMINI": ""}, "GEMINI.md", 0),
        ("gemini", {"AGENTS": "", "GEMINI": "@./AGENTS.md"}, "AGENTS.md", 0),
        ("opencode", {"AGENTS": "", "CLAUDE": ""}, "CLAUDE.md", 1),
        ("opencode", {"CLAUDE": ""}, "CLAUDE.md", 0),
        ("pi", {"AGENTS": ""}, "AGENTS.md", 0),
        ("pi", {"rules": ""}, "rules.md", 1),
        ("another", {"rules": ""}, "rules.md", 0),
        ("claude-code", {}, "CLAUDE.md", 0),
        ("claude-code", {"CLAUDE": ""}, ".claude/CLAUDE.md", 0),
        ("codex", {}, "AGENTS.md", 0),
        ("codex", {"AGENTS.override": ""}, "AGENTS.md", 1),
        ("pi", {}, "AGENTS.md", 0),
        ("pi", {}, "rules.md", 1),
    ],
)
def test_a_file_that_the_agent_does_not_read_is_told(
    tmp_path: Path, tool: str, files: dict[str, str], rules: str, missed: int
) -> None:
    """Given the files of a project, then it is told if the agent reads none that carries the block, and which it reads. The file
    itself may be still to be written.
    """
    told = list(out_of_reach([tool], [project(tmp_path, **files) / rules]))
    assert len(told) == missed
    assert all(f"{tool} reads " in one and rules in one and "--rules" in one for one in told)


def test_a_link_is_the_file_that_it_leads_to(tmp_path: Path) -> None:
    """Given CLAUDE.md that is a link to AGENTS.md, then Claude Code reads the block in AGENTS.md."""
    project(tmp_path, AGENTS="")
    (tmp_path / "CLAUDE.md").symlink_to("AGENTS.md")
    assert not list(out_of_reach(["claude-code"], [tmp_path / "AGENTS.md"]))


@pytest.mark.parametrize("over", [0, 1])
def test_a_block_beyond_what_codex_reads_is_told(tmp_path: Path, over: int) -> None:
    """Given AGENTS.md whose block ends at 32 KiB, or a byte behind it, then the second is told, for whatever tool."""
    room = CODEX_READS - len(BLOCK) + 1 + over
    project(tmp_path, AGENTS="x" * (room - 1) + "\n" + BLOCK)
    told = list(out_of_reach([], [tmp_path / "AGENTS.md"]))
    assert [one.partition(":")[0] for one in told] == [
        f"Codex reads the first 32 KiB of {tmp_path / 'AGENTS.md'}, and the block ends behind 32 KiB"
    ] * over
