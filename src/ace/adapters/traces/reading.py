"""The way through one file: read it line by line, recognise its format, and give out each run when it is whole.

Adding a format is one module with `recognises` and `read`, and one line in `_SHAPES`.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from io import BufferedReader, FileIO
from itertools import chain
from pathlib import Path
from typing import IO, Literal, NamedTuple

import msgspec

from ace.adapters.traces import (
    atif,
    claude_code,
    cline,
    codex,
    copilot,
    droid,
    gemini,
    opencode,
    openhands,
    pi,
    records,
    swe_agent,
)
from ace.adapters.traces.exchanges import Found
from ace.adapters.traces.lines import Flaw, Row, Rows, unpacked
from ace.adapters.traces.looks import looks_like, nearest
from ace.adapters.traces.notes import Notes
from ace.domain.errors import TraceError
from ace.domain.trace import JsonObject, Trace, is_run
from ace.domain.unread import identity
from ace.events.types import Identity

__all__ = ["FORMATS", "Format", "Reading", "Recording", "Unreadable", "content_mark", "read_traces"]

type Format = Literal[
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "droid",
    "pi",
    "cline",
    "copilot",
    "swe-agent",
    "mini-swe-agent",
    "openhands",
    "atif",
    "ace",
    "openai",
]


class _Shape(NamedTuple):
    """A format: whether an object is of it, and the runs in the objects of a file. The objects come as `record`, if there is one
    (`lines.Rows`).
    """

    name: Format
    recognises: Callable[[JsonObject], bool]
    read: Callable[[Iterator[Row], Notes], Iterator[Found]]
    record: type[msgspec.Struct] | None = None


_SHAPES = (
    _Shape("claude-code", claude_code.recognises, claude_code.read, claude_code.Record),
    _Shape("codex", codex.recognises, codex.read, codex.Record),
    _Shape("gemini", gemini.recognises, gemini.read),
    _Shape("opencode", opencode.recognises, opencode.read),
    _Shape("droid", droid.recognises, droid.read),
    _Shape("pi", pi.recognises, pi.read, pi.Record),
    _Shape("cline", cline.recognises, cline.read),
    _Shape("copilot", copilot.recognises, copilot.read),
    _Shape("mini-swe-agent", swe_agent.is_mini, swe_agent.read_mini),
    _Shape("swe-agent", swe_agent.recognises, swe_agent.read),
    _Shape("openhands", openhands.recognises, openhands.read),
    _Shape("atif", atif.recognises, atif.read),
    _Shape("ace", records.is_ace, records.read_ace),
    _Shape("openai", lambda value: records.is_chat(value) or records.is_message(value), records.read_chat),
)
"""The first that recognises one of a file's first objects reads it: those that are told by more come before those told by less."""

FORMATS: tuple[Format, ...] = tuple(shape.name for shape in _SHAPES)
_NAMES = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
_LOOKED_AT = 1000
"""How many objects are looked at until one is recognised."""

_AT_ONCE = 1 << 16
"""Bytes that are read at once: lines are long, and Python's own 8 KiB cost twice the time."""


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
    of runs, and the kinds of a session's records, that nobody reads. `passed_over` counts what was read and is not a run, by
    the reason.
    """

    traces: tuple[Trace, ...]
    unreadable: tuple[Unreadable, ...]
    format: Format
    left_out: tuple[Unreadable, ...] = ()
    unknown_keys: dict[str, int] = {}
    passed_over: dict[str, int] = {}


def read_traces(path: str | Path, format: Format | None = None) -> Reading:  # noqa: A002 -- the word users know
    """Read a file of recorded sessions: JSON Lines, one JSON array of objects, or one object; also gzipped.

    Without a format, the first object that has the keys of one tells it. Of a run that is in a file twice the first is kept.
    Raises `TraceError` if the file cannot be opened, is in no known format, or holds nothing that can be read.
    """
    recording = Recording(Path(path), format)
    traces = tuple(recording)
    return Reading(
        traces,
        recording.unreadable(),
        recording.format,
        recording.left_out(),
        dict(recording.notes.unknown),
        dict(recording.notes.passed),
    )


class Recording:
    """A file of recorded sessions, which is read while it is iterated: once, and no further than the runs that are asked for.

    `told` is what the file is called, if not by its path. Of a database that holds the sessions of many projects those are given
    that were held `within` this folder. `format` and `notes` are complete when the iteration is.
    """

    def __init__(
        self,
        path: Path,
        format: Format | None = None,  # noqa: A002 -- as above
        *,
        told: str = "",
        within: Path | None = None,
    ) -> None:
        if format is not None and format not in FORMATS:
            raise TraceError(f"there is no format {format!r} of traces: name {_NAMES}")
        self.path = path
        self.notes = Notes(path)
        self._told_as = told or str(path)
        self._within = within
        self._named = format
        self._format = format
        self._rows: Rows | None = None
        self._repeats: list[Flaw] = []

    @property
    def format(self) -> Format:
        """What the file was recognised as. Raises `TraceError` before it was."""
        if self._format is None:
            raise TraceError(f"{self._told_as} was not looked at yet")
        return self._format

    @property
    def is_recognised(self) -> bool:
        """Whether the file's format is known by now."""
        return self._format is not None

    def __iter__(self) -> Generator[Trace, None, None]:
        """Yield the traces, each run once. Raises `TraceError` as `read_traces` does."""
        first: dict[tuple[Identity, bool], tuple[int, int]] = {}
        with _opened(self.path, self._told_as) as file:
            for line, trace in self._found(unpacked(file)):
                content = hash((content_mark(trace), trace.score, trace.feedback, trace.failure))
                key = (
                    identity(trace),
                    is_run(trace),
                )  # a call in the middle of a run does not take the place of the run
                if key not in first:
                    first[key] = line, content
                    yield trace
                    continue
                earlier, same = first[key]
                how = "the same run as" if content == same else "its id and task are those of"
                self._repeats.append(Flaw(line, f"{how} line {earlier}"))

    def unreadable(self) -> tuple[Unreadable, ...]:
        """The lines that gave no trace, in the order of the file."""
        named = [
            *map(self._told, self._rows.flaws if self._rows else ()),
            *map(self._told, self.notes.unreadable),
            *(msgspec.structs.replace(self._told(flaw), repeated=True) for flaw in self._repeats),
        ]
        return tuple(sorted(named, key=lambda one: (one.line, one.reason)))

    def left_out(self) -> tuple[Unreadable, ...]:
        """What of a line was left out though it gave a trace."""
        return tuple(map(self._told, self.notes.parts))

    def _told(self, flaw: Flaw) -> Unreadable:
        # A file's name need not be Unicode; the notes are.
        return Unreadable(self._told_as.encode(errors="replace").decode(), *flaw)

    def _found(self, file: IO[bytes]) -> Iterator[Found]:
        head = file.peek(64)[:64] if isinstance(file, BufferedReader) else b""
        if opencode.is_database(head):
            self._format = "opencode"
            yield from opencode.read(opencode.rows_of_database(self.path, self._within), self.notes)
            return
        self._rows = Rows(file)
        rows = iter(self._rows)
        looked_at: list[Row] = []
        gave = False  # a file that is one object may hold many records, of which some cannot be read
        shape = next((shape for shape in _SHAPES if shape.name == self._named), None)
        while shape is None and len(looked_at) < _LOOKED_AT and (row := next(rows, None)) is not None:
            looked_at.append(row)
            shape = next((shape for shape in _SHAPES if shape.recognises(row.value)), None)
        if shape is None and looked_at:
            raise self._unknown(looked_at[0])
        if shape is not None:
            self._format = shape.name
            if shape.record is not None:
                self._rows.use(shape.record)
            for found in shape.read(chain(looked_at, rows), self.notes):
                gave = True
                yield found
        if not self._rows.count:
            raise self._nothing(f"as JSON ({_first(self._rows.flaws)}{looks_like(head)})")
        if not gave and len(self.notes.unreadable) >= self._rows.count:
            flaws = sorted([*self._rows.flaws, *self.notes.unreadable])
            raise self._nothing(f"as {self._format} ({_first(flaws)})")

    def _unknown(self, row: Row) -> TraceError:
        return TraceError(
            f"{self._told_as}, line {row.line}, is in no format known here. {nearest(row.value)}"
        )

    def _nothing(self, why: str) -> TraceError:
        return TraceError(f"{self._told_as} holds nothing to be read {why}: give one run a line, as {_NAMES}")


def content_mark(trace: Trace) -> int:
    """What tells two runs of one name apart, nearly always: how long their turns are, and how they end. To take all of them in would
    cost as much as to decode them.
    """
    end = trace.turns[-1].text if trace.turns else trace.reply
    return hash((end[-80:], *[len(turn.text) for turn in trace.turns]))


def _first(flaws: Sequence[Flaw]) -> str:
    return f"line {flaws[0].line}: {flaws[0].reason}" if flaws else "it is empty"


def _opened(path: Path, told: str) -> BufferedReader:
    try:
        return BufferedReader(FileIO(path), _AT_ONCE)
    except FileNotFoundError:
        raise TraceError(f"{told} does not exist: name a file of recorded runs") from None
    except IsADirectoryError:
        raise TraceError(f"{told} is a folder: name one file of recorded runs in it") from None
    except OSError as error:
        raise TraceError(
            f"{told} cannot be read ({error.strerror}): fix that, or name another file"
        ) from None
    except ValueError:  # a NUL in the path
        raise TraceError("the traces have an impossible path: name a file of recorded runs") from None
