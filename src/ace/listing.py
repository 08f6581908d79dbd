"""What recorded sessions there are, without a model: which of their runs were read, and in which order the others would be.

survey(collection, folder, …)   all of it, as one struct; nothing is printed and nothing is written
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from typing import Literal

import msgspec

from ace.adapters.store.folder_book import FolderBook
from ace.adapters.traces.collection import Collection, Spot
from ace.domain.settings import ACESettings
from ace.domain.trace import Trace
from ace.domain.triage import why
from ace.domain.unread import Past, Place, Tried, unread

__all__ = ["ListedRun", "ListedSession", "Survey", "survey"]

type RunState = Literal["unread", "read", "open", "too long"]


class ListedRun(msgspec.Struct, kw_only=True):
    """A run, and the file that holds it: when it ended (RFC 3339, empty if nobody said), its score, its length in characters.

    `place` is its place among the unread ones if not all are to be read, from 1, and `why` says why; 0 for others.
    """

    run: str
    file: str
    time: str
    score: float | None
    characters: int
    state: RunState
    place: int = 0
    why: str = ""


class ListedSession(msgspec.Struct, frozen=True, kw_only=True):
    """A file of sessions: the tool or format, when it was last changed (seconds since 1970), how many runs there are and in which
    state, the scores that they have, and their characters.

    `copies` are runs that an earlier file holds, `older` those from before the time that was asked for, `middle` the calls in the
    middle of a run. `passed_over` counts what is not a run, by the reason, `unknown_keys` what nobody reads, and `flaws` the places
    that could not be read. `error` says why nothing of the file could be.
    """

    file: str
    tool: str
    changed: float
    runs: int
    unread: int
    open: int
    copies: int
    older: int
    middle: int
    scores: tuple[float, ...]
    characters: int
    passed_over: Mapping[str, int]
    unknown_keys: Mapping[str, int]
    flaws: int
    error: str = ""


class Survey(msgspec.Struct, frozen=True):
    """The files, in their order, and the runs: the unread ones first, as they would be read, then the others."""

    sessions: tuple[ListedSession, ...]
    runs: tuple[ListedRun, ...]


def survey(
    collection: Collection,
    folder: FolderBook | None,
    *,
    settings: ACESettings | None = None,
    model: str = "served",
) -> Survey:
    """What the collection holds, and what of it the folder's log has read; nothing, without a folder. A run that was too long for
    this model is told as that. Takes no lock and writes nothing. Raises `TraceError` if nothing can be read, `LogError` and
    `OSError`.
    """
    listed: dict[Spot, ListedRun] = {}
    with nullcontext() if folder is None else folder.index(in_memory=True) as index:

        def tried(trace: Trace) -> Tried | None:
            return None if index is None else index.tried(trace)

        def seen() -> Iterator[tuple[Place, Trace]]:
            for spot, trace, state in collection:
                if state in ("run", "open"):
                    last = tried(trace)
                    listed[spot] = ListedRun(
                        run=trace.id,
                        file=collection.files[spot.file].told,
                        time=trace.time,
                        score=trace.score,
                        characters=spot.length,
                        state="open" if state == "open" else "too long" if last and last.too_long else "read",
                    )
                if state == "run":
                    yield spot, trace

        traces = seen() if index is None else index.ahead(seen())
        past_of = (lambda _: Past()) if index is None else index.past
        left, _ = unread(traces, past_of, tried, settings or ACESettings(), model, again=False, triaged=True)
    for place, one in enumerate(left, 1):
        if isinstance(one.place, Spot) and one.signs is not None:
            run = listed[one.place]
            run.state, run.place = "unread", place
            run.why = why(one.signs) + (", tried without success before" if one.tried else "")
    runs = sorted(listed.values(), key=lambda run: (not run.place, run.place))
    return Survey(tuple(_sessions(collection, listed)), tuple(runs))


def _sessions(collection: Collection, listed: Mapping[Spot, ListedRun]) -> Iterator[ListedSession]:
    by_file: dict[int, list[ListedRun]] = {}
    for spot, run in listed.items():
        by_file.setdefault(spot.file, []).append(run)
    for number, file in enumerate(collection.files):
        runs = by_file.get(number, [])
        yield ListedSession(
            file=file.told,
            tool=file.format,
            changed=file.changed,
            runs=file.states["run"],
            unread=sum(run.state == "unread" for run in runs),
            open=file.states["open"],
            copies=file.states["a copy"],
            older=file.states["older"],
            middle=file.states["middle of a run"],
            scores=tuple(run.score for run in runs if run.score is not None),
            characters=sum(run.characters for run in runs),
            passed_over=dict(file.passed_over),
            unknown_keys=dict(file.unknown_keys),
            flaws=sum(not flaw.repeated for flaw in (*file.unreadable, *file.left_out)),
            error=file.error,
        )
