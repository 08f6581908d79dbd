"""Steps between the lines of which something happens: every file operation of `ace.adapters.store.files` can be intercepted."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

from ace.adapters.store import files

__all__ = ["METHODS", "Module", "Operation", "intercepted"]

type Operation = Callable[..., Any]

CALLS = (
    "open",
    "write",
    "pwrite",
    "pread",
    "lseek",
    "fsync",
    "ftruncate",
    "fchmod",
    "replace",
    "unlink",
    "close",
)
METHODS = ("mkdir", "write_bytes", "read_bytes")


class Module:
    """A module of which some functions are others."""

    def __init__(self, module: object, **functions: Operation) -> None:
        self._module = module
        self.__dict__.update(functions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._module, name)


@contextmanager
def intercepted(wrap: Callable[[str, Operation], Operation]) -> Iterator[None]:
    """Put `wrap(name, operation)` in the place of every operation for the time of the block."""
    calls = {name: wrap(name, getattr(os, name)) for name in CALLS}
    with ExitStack() as stack:
        stack.enter_context(patch.object(files, "os", Module(os, **calls)))
        stack.enter_context(patch.object(files, "fcntl", Module(fcntl, flock=wrap("flock", fcntl.flock))))
        for name in METHODS:
            stack.enter_context(patch.object(Path, name, _method(wrap(name, getattr(Path, name)))))
        yield


def _method(operation: Operation) -> Operation:
    def call(*args: Any, **named: Any) -> Any:
        return operation(*args, **named)

    return call
