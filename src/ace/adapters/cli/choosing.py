"""The files of recorded runs that a command names, and what is said of them: what could not be read, what is passed over, what is
still open.
"""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections import Counter

from ace.adapters.cli.moments import utc_of
from ace.adapters.cli.output import say, tell
from ace.adapters.traces.collection import Collection
from ace.adapters.traces.finding import Source, sources
from ace.adapters.traces.tools import TOOLS, sessions_of
from ace.domain.errors import TraceError
from ace.domain.summary import plural

__all__ = ["amiss", "collection_of", "tell_files", "tell_open", "unknown_keys"]

SETTLE = 3600.0
"""Seconds for which a file has to rest until its last turn counts, if nobody says otherwise."""


def collection_of(options: Namespace) -> Collection:
    """The recorded runs that the options name. Raises `TraceError` if there is no file."""
    settle = SETTLE if options.settle is None else options.settle
    return Collection(
        [*_of_tools(options), *sources(options.traces, options.format, by_hand=options.named)],
        rested=time.time() - settle if settle else float("inf"),
        since=None if options.since is None else utc_of(options.since).timestamp(),
    )


def _of_tools(options: Namespace) -> list[Source]:
    """The sessions that tools keep themselves; a tool without any is told if others have some."""
    found: list[Source] = []
    errors: list[TraceError] = []
    for tool in dict.fromkeys(options.tools):
        if tool not in TOOLS:
            raise TraceError(f"there is no tool {tool!r} whose sessions are found: name {', '.join(TOOLS)}")
        try:
            found += sessions_of(tool, options.project, os.environ)
        except TraceError as error:
            errors.append(error)
    if errors and not found and not options.traces:
        raise errors[0]
    for told in errors:
        say(f"{told}.")
    return found


def tell_files(collection: Collection) -> None:
    """Say what of the files could not be read, or counts for nothing."""
    no_sessions: list[str] = []
    for file in collection.files:
        if file.error:
            if file.source.named:
                say(f"{file.error}. The other files are read.")
            else:
                no_sessions.append(file.told)
            continue
        for flaw in file.unreadable:
            say(f"{flaw.file}, line {flaw.line} is passed over: {flaw.reason}")
        for flaw in file.left_out:
            say(f"{flaw.file}, line {flaw.line}: {flaw.reason}")
        for run in file.otherwise:
            say(
                f"{file.told}: run {run} is passed over: a file before it has the same run, recorded otherwise."
            )
        if file.source.named and not any(file.states[state] for state in ("run", "a copy", "older", "open")):
            say(f"{file.told} holds no run: nothing in it has a score or ends in a reply")
    if no_sessions:
        say(
            f"{plural(len(no_sessions), 'file')} in the folders {'is not a session' if len(no_sessions) == 1 else 'are not sessions'}, "
            f"such as {no_sessions[0]} (`ace sessions` names them)."
        )


def tell_open(collection: Collection, *, is_all: bool) -> None:
    """Say how many turns are still open, and how to read them all the same; `is_all` says that nothing else was there to be read."""
    count = collection.open_turns
    if not count:
        return
    if is_all:
        are = "is" if count == 1 else "are"
        tell(
            f"Nothing was read: {plural(count, 'turn')} {are} still open, the last of a session that may go on. "
            "--settle 0 reads open turns, too."
        )
    else:
        say(
            f"{plural(count, 'turn')} still open, the last of a session that may go on: left for later (--settle 0 reads open turns, too)."
        )


def unknown_keys(collection: Collection) -> Counter[str]:
    """The keys at the top of runs that nobody reads, with how often they are there."""
    found = Counter[str]()
    for file in collection.files:
        found.update(file.unknown_keys)
    return found


def amiss(collection: Collection) -> int:
    """Print what of the files could not be read; returns the exit status that says so."""
    unreadable = [file.error for file in collection.files if file.error and file.source.named]
    flaws = sum(
        sum(not flaw.repeated for flaw in (*file.unreadable, *file.left_out)) for file in collection.files
    )
    for told in unreadable:
        tell(f"Not read: {told}.")
    if flaws:
        tell(f"Not read: {plural(flaws, 'place')} in the files, named at the beginning.")
    return 1 if unreadable or flaws else 0
