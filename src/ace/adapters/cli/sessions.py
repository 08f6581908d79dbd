"""`ace sessions`: the recorded sessions that are there, without a model, and in which order their runs would be read."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from ace.adapters.cli.choosing import amiss, collection_of
from ace.adapters.cli.folder import WORK, find_work
from ace.adapters.cli.moments import told_time
from ace.adapters.cli.options import take_sessions
from ace.adapters.cli.output import tell
from ace.adapters.models.options import named_model
from ace.adapters.store.config import Config, read_config
from ace.adapters.store.folder_book import FolderBook
from ace.domain.errors import AceError
from ace.domain.screens import safe_excerpt
from ace.domain.settings import ACESettings, parse_settings
from ace.domain.summary import plural
from ace.listing import ListedRun, ListedSession, Survey, survey

__all__ = ["run"]


def run(options: Namespace) -> int:
    """List the sessions, then the unread runs as they would be read. Exit status 1 if a file, or a place in one, could not be read."""
    root = options.work or find_work(Path.cwd())
    config = read_config(root) if root is not None else Config(Path.cwd() / WORK / "config.toml", None)
    take_sessions(options, config)
    if not options.traces and not options.tools:
        raise AceError(
            "name files or folders of sessions, or an agent with --from: claude-code, codex, gemini, opencode, pi"
        )
    folder = FolderBook(root) if root is not None and (root / "history").exists() else None
    settings = parse_settings(config.settings) if config.trusted else ACESettings()
    model = named_model(None, os.environ) or (config.says("name") if config.trusted else None) or "served"
    collection = collection_of(options)
    found = survey(collection, folder, settings=settings, model=model)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(found)).decode())
        return 1 if any(file.error and file.source.named for file in collection.files) else 0
    for line in _lines(found, options.runs, is_logged=folder is not None):
        tell(line)
    return amiss(collection)


def _lines(found: Survey, most: int, *, is_logged: bool) -> Iterator[str]:
    sessions = [each for each in found.sessions if not each.error]
    for session in sessions:
        yield _session(session)
        beside = _beside(session)
        if beside:
            yield f"{'':<13}{beside}"
    for other in (each for each in found.sessions if each.error):
        yield f"no session: {other.error}"
    unread = [each for each in found.runs if each.state == "unread"]
    if unread:
        yield ""
        yield "Unread, in the order in which --limit takes them:"
        shown = unread[:most] if most else unread
        width = len(str(len(shown)))
        yield from (f"{each.place:>{width + 1}}  {_unread(each)}" for each in shown)
        if len(shown) < len(unread):
            yield f"… and {len(unread) - len(shown)} more (--runs 0 lists all)."
    yield ""
    yield _summary(found, len(sessions), len(unread), is_logged=is_logged)


def _session(session: ListedSession) -> str:
    runs = plural(session.runs, "run")
    if session.runs:
        runs += f", {session.unread} unread"
    if session.open:
        runs += f", {session.open} open"
    told = [
        f"{session.tool or 'empty':<12}",
        _when(session.changed),
        runs,
        _scores(session.scores),
        f"{session.characters:,} characters",
        session.file,
    ]
    return "  ".join(filter(None, told))


def _when(changed: float) -> str:
    return datetime.fromtimestamp(changed, UTC).strftime("%Y-%m-%d %H:%M")


def _scores(scores: tuple[float, ...]) -> str:
    if not scores:
        return ""
    least, most = min(scores), max(scores)
    return f"score {least:.6g}" if least == most else f"scores {least:.6g} to {most:.6g}"


def _beside(session: ListedSession) -> str:
    """What counts for nothing, and why."""
    passed = {
        **session.passed_over,
        "a run that an earlier file holds": session.copies,
        "a run from before that time": session.older,
        "a call in the middle of a run": session.middle,
        "a place that could not be read": session.flaws,
    }
    counted = ", ".join(_counted(item) for item in passed.items() if item[1])
    told = [f"passed over: {counted}"] if counted else []
    keys = sorted(session.unknown_keys.items())
    if keys:
        told.append(
            "not known: " + ", ".join(_counted((safe_excerpt(key, 40), number)) for key, number in keys)
        )
    return "; ".join(told)


def _counted(item: tuple[str, int]) -> str:
    what, number = item
    return what if number == 1 else f"{what} ({number} times)"


def _unread(run: ListedRun) -> str:
    when = told_time(run.time) if run.time else "no time"
    return f"{when:<20}  {run.run}  {run.characters:,} characters: {run.why}"


def _summary(found: Survey, sessions: int, unread: int, *, is_logged: bool) -> str:
    runs = sum(each.runs for each in found.sessions)
    others = len(found.sessions) - sessions
    told = f"{plural(sessions, 'file')} with {plural(runs, 'run')}, {unread} unread"
    if long := sum(run.state == "too long" for run in found.runs):
        told += f", {long} too long for the model"
    if others:
        told += f"; {plural(others, 'other file')}"
    told += "."
    if opened := sum(each.open for each in found.sessions):
        told += f" {plural(opened, 'turn')} still open, the last of a session that may go on (--settle 0 counts open turns, too)."
    return told if is_logged else f"{told} There is no playbook here that has read any."
