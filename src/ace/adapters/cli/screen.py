"""`ace screen`: what redaction and the screens make of a text, and which bullets today's screens would refuse."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections import Counter
from pathlib import Path

from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell
from ace.domain.errors import AceError
from ace.domain.screens import find_credentials, refusal, replace_surrogates
from ace.domain.summary import plural

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print what would be redacted of a text, and what would be refused as a lesson. Exit status 1 if there is anything."""
    if options.playbook == (options.file is not None):
        raise AceError("name one text to screen: a FILE, - for standard input, or --playbook")
    return _screen_playbook(options) if options.playbook else _screen_text(_read(options.file))


def _read(path: Path) -> str:
    if str(path) == "-":
        return sys.stdin.buffer.read().decode(errors="replace")
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError as error:
        raise AceError(f"{path} cannot be read: {error.strerror or error}") from None


def _screen_text(text: str) -> int:
    """A line for each part that would be redacted, and for each line that would be refused; none of them quotes the text."""
    parts = find_credentials(replace_surrogates(text))
    for start, end, kind in parts:
        line = text.count("\n", 0, start) + 1
        column = start - (text.rfind("\n", 0, start) + 1) + 1
        tell(f"{line}:{column}: {kind} ({plural(end - start, 'character')}) would be redacted")
    reasons = Counter[str]()
    for number, line_text in enumerate(text.split("\n"), 1):
        reason = refusal(line_text.strip("\r"))
        if reason is not None:
            reasons[reason] += 1
            tell(f"{number}: would be refused as a lesson: {reason}")
    if not parts and not reasons:
        print("Nothing would be redacted, and no line would be refused as a lesson.")
        return 0
    redacted = _by_kind(Counter(one.kind for one in parts))
    print(
        f"Would be redacted: {redacted or 'nothing'}. Lines that would be refused: {_by_kind(reasons) or 'none'}."
    )
    return 1


def _by_kind(counts: Counter[str]) -> str:
    return ", ".join(f"{number} x {kind}" for kind, number in counts.most_common())


def _screen_playbook(options: Namespace) -> int:
    """The bullets that came in before today's screens, by id: a bullet of the playbook is not screened again."""
    folder = folder_of(options, rules=False)
    playbook = folder.playbook()
    refused = [(bullet.id, reason) for bullet in playbook.bullets if (reason := refusal(bullet.content))]
    for bullet_id, reason in refused:
        tell(f"{bullet_id}: {reason}")
    bullets = plural(len(playbook.bullets), "bullet")
    if not refused:
        print(f"{bullets}: today's screens refuse none of them.")
        return 0
    print(
        f"{len(refused)} of {bullets} would be refused today. They stay until they are removed: take them out of "
        f"{folder.snapshot} and run `ace adopt`."
    )
    return 1
