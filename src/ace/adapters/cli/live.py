"""The line at the bottom of a terminal while models are asked: runs, calls under way, tokens, time left.

It is there from the first call on, and moves although nothing ends. In a pipe, in a log, on a terminal that cannot move its
cursor, and without the package `tqdm` (an extra) there is none: the lines of progress say the same, later.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Final

from ace.adapters.cli.output import above
from ace.domain.summary import plural
from ace.learning import Learning

__all__ = ["live_line"]

_EVERY_S: Final = 0.5
_CALLS_A_RUN: Final = 2


@contextmanager
def live_line(learning: Learning) -> Iterator[Callable[[int], None]]:
    """Show the line while the steps are made; it is told how many runs are done."""
    if not _is_terminal() or not learning.runs:
        yield lambda _: None
        return
    try:
        from tqdm import tqdm  # type: ignore[import-untyped] # noqa: PLC0415 - an extra, and slow to import
    except ImportError:
        yield lambda _: None
        return
    begun, over = time.monotonic(), Event()
    line = tqdm(
        total=learning.runs,
        file=sys.stderr,
        bar_format="{n_fmt} of {total_fmt} runs |{bar:20}| {desc}",
        leave=False,
        dynamic_ncols=True,
    )

    def tick() -> None:
        while not over.wait(_EVERY_S):
            line.set_description_str(told(learning, time.monotonic() - begun))

    def done(runs: int) -> None:
        line.n = runs
        line.set_description_str(told(learning, time.monotonic() - begun))

    done(0)
    ticking = Thread(target=tick, daemon=True)
    ticking.start()
    try:
        with above(lambda: tqdm.external_write_mode(file=sys.stderr)):
            yield done
    finally:
        over.set()
        ticking.join()
        line.close()


def told(learning: Learning, seconds: float) -> str:
    """`2 calls under way, 12,345 tokens, 1:04, about 3:20 left`."""
    meter = learning.model
    ended = meter.calls - meter.under_way
    # A call that was not asked again took no time.
    left = _CALLS_A_RUN * learning.runs - ended - learning.reused
    parts = [f"{plural(meter.under_way, 'call')} under way"] if meter.under_way else []
    if tokens := meter.input_tokens + meter.output_tokens:
        parts.append(f"{tokens:,} tokens")
    parts.append(_clock(seconds))
    if ended and left > 0:
        parts.append(f"about {_clock(seconds / ended * left)} left")
    return ", ".join(parts)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def _is_terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
