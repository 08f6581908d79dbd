"""A worker of a fleet, as a process of its own: learns from the runs 0 to COUNT - 1 until each is read, by it or by others.

    python -m tests.adapters.fleet ADDRESS WORK MODEL COUNT

The model is asked over HTTP, so that whoever runs the fleet knows what was paid for, also by workers that were killed.
"""

from __future__ import annotations

import json
import random
import sys
import time
from contextlib import suppress
from pathlib import Path
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

from tests.adapters.hosting import run

from ace.adapters.store.postgres.book import PostgresBook
from ace.domain.errors import AceError
from ace.learning import learn
from ace.ports import Completion, Request

__all__ = ["CLAIM_S", "names"]

CLAIM_S = 4.0
"""How long the claims of a dead worker are in the way."""


def names(count: int) -> list[str]:
    """What the runs are called."""
    return [f"run-{number:03d}" for number in range(count)]


class _Asked:
    def __init__(self, base_url: str) -> None:
        self._url = f"{base_url}/chat/completions"

    def complete(self, request: Request) -> Completion:
        body = {"model": "loopback", "messages": [], "trace": request.trace, "role": request.role}
        asked = HttpRequest(  # noqa: S310 - the loopback server's own address
            self._url, json.dumps(body).encode(), {"Content-Type": "application/json"}
        )
        with urlopen(asked, timeout=60) as response:  # noqa: S310
            told = json.load(response)
        return Completion(text=told["choices"][0]["message"]["content"], model="loopback")


def main(address: str, work: str, model: str, count: str) -> int:
    """Learn until nothing is left. Returns 1 if the server of the book could not be reached for too long, though it was before."""
    traces = [run(name) for name in names(int(count))]
    random.Random(work).shuffle(traces)  # noqa: S311 - an order of its own
    book = PostgresBook(Path(work), address, claim_s=CLAIM_S)
    while (
        True
    ):  # a first connection that is refused is an error at once, and the server may be restarting just now
        with suppress(AceError):
            if book.is_there():
                break
        time.sleep(0.1)
    try:
        while True:
            report = learn(book, traces, model=_Asked(model))
            if not report.runs or (report.is_done and not report.elsewhere):
                return 0
            time.sleep(0.1)  # for the claims of others, alive or dead
    except AceError as error:
        sys.stderr.write(f"{error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
