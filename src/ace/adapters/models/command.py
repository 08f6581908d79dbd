"""`CommandModel`: a command as the method's `Model`. It gets the prompt on standard input and gives the reply on standard output.

    the command                                    then
    ends with status 0                             its output is the reply, also if there is none
    ends with another status, or by a signal       the call failed; its last words say why, redacted
    … and these say that the prompt is too long    the prompt is too long for the model
    takes longer than the time-out, or prints on   it is killed, and the call failed
    is not there, or may not be run                every call would fail so

There is no shell. The command runs in an empty temporary folder, so that it finds no project, and in a process group of its own,
which is killed as a whole. `ACE_RUNNING=1` in its environment keeps an agent's hooks from starting `ace learn` again. What an
agent's command may do with what it reads is the business of its flags: see docs/models.md.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import tempfile
import time
import weakref
from contextlib import suppress
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import IO, Final, Self

from ace.adapters.models.failures import says_too_long
from ace.domain.errors import CallError, EndpointError, SettingsError, TooLongError
from ace.domain.screens import redact, replace_surrogates, safe_excerpt
from ace.ports import Completion, Request

__all__ = ["DEFAULT_TIMEOUT_S", "RUNNING", "CommandModel"]

RUNNING: Final = "ACE_RUNNING"
"""The environment variable under which every `ace learn` ends at once."""

DEFAULT_TIMEOUT_S: Final = 600.0
"""An agent's command starts slowly, and a model on one's own machine may think for minutes."""

_MOST_BYTES: Final = 4_000_000
"""Of a reply; what is longer than 1 MB is not understood anyway."""

_LOOK_S: Final = 0.25
_LAST_WORDS: Final = 20_000
_QUOTED: Final = 300
_COLOURS: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class CommandModel:
    """A model behind a command; several threads may call `complete` at once. `command` is split as a shell does it.

    A word `{schema}` of the command stands for the JSON schema of the asked reply, and `{schema_file}` for a file that holds it.
    `folder` is what a relative path of the program is relative to (the current folder, if it is not given).

    Raises `SettingsError` for what is not a command. Use it in a `with`, or call `close`.
    """

    def __init__(
        self, command: str, *, timeout_s: float = DEFAULT_TIMEOUT_S, folder: Path | None = None
    ) -> None:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise SettingsError(f"the model command cannot be split into words: {error}") from None
        if not words or not words[0]:
            raise SettingsError("the model command is empty: name a program, such as 'llm -m my-model'")
        if not 0 < timeout_s < float("inf"):
            raise SettingsError(f"--timeout must be a number of seconds above 0, not {timeout_s}")
        self.model = redact(command)
        self._words = [_program(words[0], folder or Path.cwd()), *words[1:]]
        self._timeout_s = timeout_s
        self._running: set[subprocess.Popen[bytes]] = set()
        self._lock = Lock()
        self._finalizer = weakref.finalize(self, _kill_all, self._running, self._lock)

    def __repr__(self) -> str:
        return f"CommandModel({self.model!r})"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Kill what is running. A call after that is a `CallError`."""
        self._finalizer()

    @property
    def asked_as(self) -> str:
        """The command: who has the same text here is asked the same."""
        return json.dumps(self._words)

    def complete(self, request: Request) -> Completion:
        """The reply to `request.prompt`. Raises `CallError`, or `EndpointError` if the command cannot be run at all."""
        with (
            tempfile.TemporaryDirectory(prefix="ace-", ignore_cleanup_errors=True) as folder,
            tempfile.NamedTemporaryFile(prefix="ace-", suffix=".json") as schema,
            tempfile.TemporaryFile() as prompt,
            tempfile.TemporaryFile() as reply,
            tempfile.TemporaryFile() as words,
        ):
            # Files in place of pipes: neither side ever waits for the other, and what is left running holds nothing up.
            prompt.write(replace_surrogates(request.prompt).encode())
            prompt.seek(0)
            schema.write(json.dumps(dict(request.schema)).encode())
            schema.flush()
            process = self._started(_filled(self._words, request, schema.name), folder, prompt, reply, words)
            try:
                self._wait(process, reply)
            except BaseException:
                _kill(process)
                raise
            finally:
                with self._lock:
                    self._running.discard(process)
            if process.returncode:
                raise self._failed(process.returncode, _tail(words) or _tail(reply))
            reply.seek(0)
            text = reply.read().decode(errors="replace")
        return Completion(text=text, model=self.model)

    def _started(
        self, words: list[str], folder: str, prompt: IO[bytes], reply: IO[bytes], errors: IO[bytes]
    ) -> subprocess.Popen[bytes]:
        environment = {**os.environ, RUNNING: "1", "PWD": folder}
        with self._lock:
            if not self._finalizer.alive:
                raise CallError("the model command was closed, and is not run any more")
            try:
                process = subprocess.Popen(  # noqa: S603 - the user's own command, run as the user
                    words,
                    stdin=prompt,
                    stdout=reply,
                    stderr=errors,
                    cwd=folder,
                    env=environment,
                    start_new_session=True,
                )
            except (OSError, ValueError) as error:
                told = getattr(error, "strerror", None) or str(error)
                raise EndpointError(
                    f"the model command {safe_excerpt(words[0], 100)!r} cannot be run ({told}): check its name and PATH"
                ) from None
            self._running.add(process)
            return process

    def _wait(self, process: subprocess.Popen[bytes], reply: IO[bytes]) -> None:
        """Wait until the process ends. Raises `CallError` if it takes or says too much."""
        deadline = time.monotonic() + self._timeout_s
        while (left := deadline - time.monotonic()) > 0:
            with suppress(subprocess.TimeoutExpired):
                process.wait(min(_LOOK_S, left))
            if os.fstat(reply.fileno()).st_size > _MOST_BYTES:
                raise CallError(f"the model command printed more than {_MOST_BYTES:,} bytes, and was killed")
            if process.returncode is not None:
                return
        raise CallError(f"the model command gave no reply within {self._timeout_s:g} s, and was killed")

    def _failed(self, status: int, words: str) -> CallError:
        ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        told = safe_excerpt(words if len(words) < _QUOTED else f"…{words[-_QUOTED + 1 :]}", _QUOTED)
        kind = TooLongError if says_too_long(words) else CallError
        return kind(f"the model command {ended}: {told or 'it said nothing'}")


def _program(word: str, folder: Path) -> str:
    """The program as it is to be found from an empty folder."""
    word = os.path.expanduser(word)
    return os.path.normpath(folder / word) if "/" in word else word


def _filled(words: list[str], request: Request, schema_file: str) -> list[str]:
    stand_for = {"{schema}": json.dumps(dict(request.schema)), "{schema_file}": schema_file}
    return [stand_for.get(word, word) for word in words]


def _tail(file: IO[bytes]) -> str:
    """The last words of an output, redacted. A tool may have repeated the prompt before them."""
    size = os.fstat(file.fileno()).st_size
    file.seek(max(0, size - _LAST_WORDS))
    text = _COLOURS.sub("", file.read().decode(errors="replace"))
    return " ".join(redact(text).split())


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _kill_all(running: set[subprocess.Popen[bytes]], lock: Lock) -> None:
    with lock:
        left = list(running)
    for process in left:
        if process.poll() is None:
            _kill(process)
