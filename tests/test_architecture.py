"""docs/architecture.md and docs/reef-keys.md name functions on the way of a trace and of a report: they are there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def _ways() -> list[str]:
    """Each name in the numbered steps of both ways."""
    names = []
    for page in ("docs/architecture.md", "docs/reef-keys.md"):
        text = (ROOT / page).read_text()
        steps = re.findall(r"^\d+\. (?:.+\n(?:   .+\n)*)", text, re.MULTILINE)
        assert 10 <= len(steps) <= 15, page
        for step in steps:
            own = re.sub(r"\[`[^`]*`\]", "", step)  # what is in brackets is Reef's
            names += re.findall(r"`([A-Za-z_.]+)`", own)
    return names


@pytest.mark.parametrize("name", sorted(set(_ways())))
def test_what_a_page_names_is_there(name: str) -> None:
    """Given a name on one of the ways, then a module of that name defines what it names."""
    sources: dict[str, str] = {}
    for path in (ROOT / "src" / "ace").rglob("*.py"):
        sources[path.stem] = sources.get(path.stem, "") + path.read_text()
    *before, last = name.split(".")
    texts = [sources[part] for part in before if part in sources] or list(sources.values())
    defined = any(re.search(rf"(?:class|def) {last}\b|^    {last}: ", text, re.MULTILINE) for text in texts)
    assert defined or last in sources
