"""The messages that rows provoke, put together to be read: by the place that makes them, without what differs from run to run."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests.messages.playing import play
from tests.messages.sites import Reached, Site, reaching, sites
from tests.messages.table import Row

__all__ = ["as_read", "by_site", "provoked", "too_long"]


def provoked(rows: Iterable[Row], home: Path) -> list[Reached]:
    """What the rows come to, each played in `home`, without the places of this machine."""
    with reaching() as found:
        for row in rows:
            play(row, home)
    return [Reached(one.module, one.line, _placeless(one.text, home)) for one in found]


def _placeless(text: str, home: Path) -> str:
    text = (
        text.replace(str(home / "project"), "/project")
        .replace(str(home), "/home")
        .replace(str(home.parent), "/")
    )
    text = re.sub(r"\b[0-9a-f]{64}\b", "<digest>", text)
    text = re.sub(r"\b(127\.0\.0\.1):\d{4,5}\b", r"\1:<port>", text)
    return re.sub(r"\b\d{4}-\d\d-\d\dT?[\d:]*Z?", "<time>", text)


def by_site(reached: Iterable[Reached]) -> dict[Site, list[str]]:
    """The places where messages are made, each with the texts that it made, in order and each once."""
    places = defaultdict(list)
    for site in sites():
        places[site.module].append(site)
    found: dict[Site, dict[str, None]] = {site: {} for sites_ in places.values() for site in sites_}
    for one in reached:
        around = [site for site in places[one.module] if site.first <= one.line <= site.last]
        if around:
            found[max(around)][one.text] = None  # the innermost
    return {site: list(texts) for site, texts in found.items()}


def as_read(messages: Mapping[Site, list[str]]) -> str:
    """The first message of each place, by module."""
    lines = defaultdict(list)
    for site, texts in messages.items():
        if texts:
            lines[site.module].append(texts[0])
    return "\n\n".join(
        "\n".join([f"## {module}", *sorted(dict.fromkeys(text.strip() for text in texts))])
        for module, texts in sorted(lines.items())
    )


def too_long(messages: Mapping[Site, list[str]]) -> list[str]:
    """The errors of more than two sentences, without what they quote and the way out of a log that is damaged."""
    return [
        text
        for site, texts in messages.items()
        if not site.module.startswith("adapters/cli/") or site.words[:1].islower()
        for text in texts
        if len(re.findall(r"[.?!] (?=[A-Z`])", text.partition(" Put a good copy")[0])) > 1
    ]
