"""The way through one file: read it, recognise its format, convert what can be converted, name the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Literal

import msgspec

from ace.adapters.traces.lines import Flaw, Row, read_rows
from ace.adapters.traces.pi import pi_traces
from ace.adapters.traces.records import KEYS, Converted, ace_trace, openai_trace
from ace.domain.errors import TraceError
from ace.domain.trace import Trace, is_run
from ace.domain.unread import identity
from ace.events.types import Identity

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["FORMATS", "Format", "Reading", "Unreadable", "read_traces"]

type Format = Literal["ace", "openai", "pi"]
type _Found = list[tuple[int, Trace]]
type _Converted = tuple[_Found, list[Flaw], list[Flaw]]
type _Converter = Callable[[Iterable[Row]], _Converted]

FORMATS: tuple[Format, ...] = ("ace", "openai", "pi")
_NAMES = "ace, openai or pi"


class Unreadable(msgspec.Struct, frozen=True):
    """A line that gave no trace. `line` counts from 1 (in a JSON array, its objects); `reason` quotes nothing of it. One that is
    `repeated` could be read, and holds a run that the file held before.
    """

    file: str
    line: int
    reason: str
    repeated: bool = False


class Reading(msgspec.Struct, frozen=True):
    """What a file held: its traces and its unreadable lines, each in the order of the file.

    `left_out` names what of a line could not be read though the line gave a trace. `unknown_keys` counts the keys at the top
    of runs that nobody reads.
    """

    traces: tuple[Trace, ...]
    unreadable: tuple[Unreadable, ...]
    format: Format
    left_out: tuple[Unreadable, ...] = ()
    unknown_keys: dict[str, int] = {}


def read_traces(path: Path, format: Format | None = None) -> Reading:  # noqa: A002 -- the word users know
    """Read a file of recorded sessions: JSON Lines, one JSON array of objects, or one object.

    The format is that of the first object that has a known one, unless it is named. A line that cannot be read, or that holds a
    run that the file held before, is named and passed over. A trace need not be a run: see `is_run`.

    Raises `TraceError` if there is no such file, it cannot be read, no line of it can, or its format is unknown.
    """
    rows, flaws = read_rows(_content(path))
    chosen = _format(path, rows, flaws, format)
    found, misfits, left_out = _CONVERTERS[chosen](rows)
    if len(misfits) == len(rows):
        raise _nothing(path, sorted(flaws + misfits), f"as {chosen}")
    traces, repeats = _unique(found)
    file = str(path).encode(errors="replace").decode()  # a file's name need not be Unicode; the notes are
    unreadable = [Unreadable(file, *flaw) for flaw in flaws + misfits]
    unreadable += [Unreadable(file, *flaw, repeated=True) for flaw in repeats]
    return Reading(
        tuple(traces),
        tuple(sorted(unreadable, key=lambda one: (one.line, one.reason))),
        chosen,
        tuple(Unreadable(file, *flaw) for flaw in left_out),
        _unknown_keys(rows, chosen),
    )


def _unknown_keys(rows: Iterable[Row], chosen: Format) -> dict[str, int]:
    known = {"ace": frozenset(Trace.__struct_fields__), "openai": KEYS | {"messages"}}.get(chosen)
    if known is None:
        return {}  # a session holds many kinds of entries, and says itself what each is
    return dict(Counter(key for row in rows for key in row.value if key not in known))


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise TraceError(f"{path} does not exist: name a file of recorded runs") from None
    except IsADirectoryError:
        raise TraceError(f"{path} is a folder: name one file of recorded runs in it") from None
    except OSError as error:
        raise TraceError(
            f"{path} cannot be read ({error.strerror}): mend that, or name another file"
        ) from None
    except ValueError:  # a NUL in the path
        raise TraceError("the path of the traces is no path: name a file of recorded runs") from None


def _format(path: Path, rows: list[Row], flaws: list[Flaw], named: Format | None) -> Format:
    if named is not None and named not in FORMATS:
        raise TraceError(f"there is no format {named!r} of traces: name {_NAMES}")
    if not rows:
        raise _nothing(path, flaws, "as JSON")
    recognised = named or next(filter(None, (_recognise(row.value) for row in rows)), None)
    if recognised is None:
        place = f"{path}, line {rows[0].line}"
        raise TraceError(f"{place}, is in no format known here: name {_NAMES}, or convert the file")
    return recognised


def _recognise(value: Mapping[str, object]) -> Format | None:
    if "turns" in value:
        return "ace"
    if "messages" in value:
        return "openai"
    if value.get("type") == "session" or (value.get("type") == "message" and "message" in value):
        return "pi"
    return "ace" if "task" in value or "reply" in value else None


def _nothing(path: Path, flaws: list[Flaw], how: str) -> TraceError:
    seen = f"line {flaws[0].line}: {flaws[0].reason}" if flaws else "it is empty"
    return TraceError(f"{path} holds nothing to be read {how} ({seen}): give one run a line, as {_NAMES}")


def _one_a_row(convert: Callable[[Mapping[str, object]], Converted]) -> _Converter:
    def convert_all(rows: Iterable[Row]) -> _Converted:
        found: _Found = []
        flaws: list[Flaw] = []
        left_out: list[Flaw] = []
        for row in rows:
            try:
                trace, amiss = convert(row.value)
            except TraceError as error:
                flaws.append(Flaw(row.line, str(error)))
                continue
            found.append((row.line, trace))
            left_out += [Flaw(row.line, reason) for reason in amiss]
        return found, flaws, left_out

    return convert_all


def _session(rows: Iterable[Row]) -> _Converted:
    found, flaws = pi_traces(rows)
    return found, flaws, []


_CONVERTERS: dict[Format, _Converter] = {
    "ace": _one_a_row(ace_trace),
    "openai": _one_a_row(openai_trace),
    "pi": _session,
}


def _unique(found: _Found) -> tuple[list[Trace], list[Flaw]]:
    """Keep the first of the traces of one run; the others are named, since a run must never be lost in silence. A call in the
    middle of a run does not take the place of the run.
    """
    first: dict[tuple[Identity, bool], tuple[int, Trace]] = {}
    repeats: list[Flaw] = []
    for line, trace in found:
        earlier, kept = first.setdefault((identity(trace), is_run(trace)), (line, trace))
        if kept is not trace:
            how = "the same run as" if kept == trace else "its id and task are those of"
            repeats.append(Flaw(line, f"{how} line {earlier}"))
    return [trace for _, trace in first.values()], repeats
