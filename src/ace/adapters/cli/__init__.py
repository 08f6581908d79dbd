"""The `ace` command.

parser.py    what can be asked, and the help texts; nothing else is imported for `ace --help`
init.py      `ace init`: a work folder in the project; trusting.py `ace trust`
folder.py    which work folder a command is about, and what is to be said of it
learn.py     `ace learn`: it tells what `ace.learning` does; options.py what options, environment and config.toml ask for
sessions.py  `ace sessions`: what recorded sessions there are
live.py      the line on a terminal while models are asked; outcome.py what `--json` prints
choosing.py  the runs in the files that are named; check.py `--check`; output.py how things are said
status.py    `ace status`: the state of a playbook
screen.py    `ace screen`: what would be redacted or refused
show.py      `ace show`: the playbook; story.py the life of one lesson, and what a run taught
log.py       `ace log`; diff.py `ace diff`; moments.py how a line of the log is named
decide.py    `ace remove`, `reword`, `add`, `revert`, `rewind`, `accept`: what a person decides, shown and asked before it is done
review.py    `ace review`: what waits for a review, lesson by lesson
ordering.py  the same with `--reef`, in a service; asking.py asks a person
evidence.py  `ace show --evidence`; report.py `ace report`: the whole history as one HTML page
history.py   `ace verify`, `ace replay`, `ace rebuild`, `ace adopt`, told
book.py      `ace book`: a shared book made, set, exported; pull.py `ace pull`: its block here
demo.py      `ace demo`: the whole of it on shipped runs and replies
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO

from ace.adapters.cli.parser import parse

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command. Returns 0 for success, 1 where something was found amiss or left over, 2 for an error that is
    said in one sentence on standard error, and 130 after Ctrl-C.
    """
    _prepare_output()
    try:
        try:
            options = parse(sys.argv[1:] if arguments is None else arguments)
        except SystemExit:
            sys.stdout.flush()  # a help text that cannot be written is an error as any output is
            raise
        if options.command == "learn" and os.environ.get("ACE_RUNNING") == "1":
            return _tell("This runs inside of another `ace learn` (ACE_RUNNING=1): nothing is done.", 0)
        _see_named_files(options)
        status: int = import_module(f"ace.adapters.cli.{options.module}").run(options)
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _tell(
            "Stopped. What the finished steps learned is kept; the same command goes on from there.", 130
        )
    except BrokenPipeError:
        # The reader of our output has gone (`ace show | head`): nothing is wrong, and nothing more can be said.
        _silence(sys.stdout)
        return 0
    except Exception as error:  # noqa: BLE001 - what is neither an error of ours nor of the system is raised again
        return _tell(_sentence(error), 2)
    finally:
        if sys.stderr is not None:
            try:
                sys.stderr.flush()
            except (OSError, ValueError):
                _silence(sys.stderr)
    return status


def _see_named_files(options: Namespace) -> None:
    """Raises `TraceError` if none of the files with runs is there: that is said before anything slow is imported."""
    named: list[Path] = getattr(options, "traces", [])
    if named and all(_is_missing(path) and not _has_many(path) for path in named):
        from ace.domain.errors import TraceError  # noqa: PLC0415 - not needed until something goes wrong

        raise TraceError(f"{named[0]} does not exist: name a file of recorded runs")


def _has_many(path: Path) -> bool:
    """Whether the name is a pattern, or standard input."""
    return str(path) == "-" or any(sign in str(path) for sign in "*?[")


def _is_missing(path: Path) -> bool:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except (OSError, ValueError):
        return False  # it is there, or no path at all: what opens it says so
    return False


def _prepare_output() -> None:
    if sys.stdout is None:  # closed by whoever started the command
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - open until the process ends
    if isinstance(sys.stdout, TextIOWrapper):
        # A lesson may hold characters that the terminal's encoding lacks; the error stream escapes them already.
        sys.stdout.reconfigure(errors="backslashreplace")


def _silence(stream: TextIO) -> None:
    """Let what is still to be written go nowhere, or the interpreter fails at it when it ends, and with a status of its own."""
    with suppress(OSError, ValueError):
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        if nowhere != number:  # as it would be where that one was closed before
            os.dup2(nowhere, number)
            os.close(nowhere)


def _sentence(error: Exception) -> str:
    from ace.domain.errors import AceError  # noqa: PLC0415 - not needed until something goes wrong

    if isinstance(error, AceError):
        return f"ace: {error}"
    if isinstance(error, OSError):
        if not error.filename:
            _silence(sys.stdout)
        where = error.filename or "the output"
        return f"ace: {where}: {error.strerror or error}. What is in the log is kept: fix this, then run the command again"
    raise error


def _tell(sentence: str, status: int) -> int:
    from ace.adapters.cli.output import visible  # noqa: PLC0415 - not needed until something goes wrong

    with suppress(OSError):
        print(visible(sentence), file=sys.stderr)
    return status
