"""What the site needs beyond the pages of docs/: pages that lie elsewhere in the repository, and links between all of them.

A hook of mkdocs. Links are written as they are right in the repository, so that each page can be read there too; on the way to
the site those that lead to a page of the site are led there, and those that lead to other files become their text.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

_ROOT = Path(__file__).parent.parent
_ELSEWHERE = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
    "benchmarks/lessons/README.md": "lessons.md",
}
"""Files of the repository, and which pages of the site they are."""

_LINK = re.compile(r"(?<!\\)\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^()\s]+)\)")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that lie elsewhere, and one that lists the decisions, the newest first."""
    for source, page in _ELSEWHERE.items():
        files.append(File.generated(config, page, content=(_ROOT / source).read_text()))
    lines = ["# Decisions", "", "Why things are as they are: context, decision, consequences.", ""]
    for path in sorted((_ROOT / "docs/decisions").glob("*.md"), reverse=True):
        title = path.read_text().partition("\n")[0].lstrip("# ")
        lines.append(f"- {path.name[:10]}: [{title}]({path.name})")
    files.append(File.generated(config, "decisions/index.md", content="\n".join(lines)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:  # noqa: ARG001 - mkdocs' names
    """Lead the page's links to where their pages are on the site."""
    here = page.file.src_uri
    source = next((path for path, name in _ELSEWHERE.items() if name == here), f"docs/{here}")

    def led(match: re.Match[str]) -> str:
        label, target = match[1], match[2]
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(source), path))
        to = _ELSEWHERE.get(path) or (path.removeprefix("docs/") if path.startswith("docs/") else None)
        if path == "docs/decisions":
            to = "decisions/index.md"
        if to is None:
            return label
        relative = posixpath.relpath(to, posixpath.dirname(here) or ".")
        return f"[{label}]({relative}{'#' * bool(anchor)}{anchor})"

    # A page's code is not its text.
    parts = re.split(r"(?ms)(^[ \t]*```.*?^[ \t]*```[ \t]*$)", markdown)
    return "".join(part if part.lstrip().startswith("```") else _LINK.sub(led, part) for part in parts)
