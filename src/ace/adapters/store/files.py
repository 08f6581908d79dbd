"""Files that survive a crash: replace whole, append and sync, lock. The one place that writes state and rules.

Every write goes through the names imported here from `os`, so that a test can make each of them fail. Every `OSError`
names its file, also those of a descriptor, which knows no name.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import glob
import math
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from ace.domain.errors import LockedError

__all__ = [
    "append_line",
    "lock",
    "open_file",
    "read_bytes",
    "remove",
    "replace",
    "replace_copy",
    "replace_if",
    "see_writable",
    "tail_lines",
    "write_new",
]

_CHUNK = 65_536
_LOOK_AGAIN_S = 0.2
"""The kernel has no lock with a time-out."""


@contextlib.contextmanager
def _named(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = str(path)
        raise


_MOST_BYTES = 256_000_000
"""Of a file that is read as a whole: a longer one is neither a rules file nor a playbook."""


def read_bytes(path: Path) -> bytes | None:
    """The file's bytes, or None if there is no such file. Raises `OSError`, also for what is not a file, such as a pipe, which
    would be waited for, or a device that never ends.
    """
    try:
        with _named(path), open_file(path) as file:
            data = file.read(_MOST_BYTES + 1)
            if len(data) > _MOST_BYTES:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
            return data
    except FileNotFoundError:
        return None


def open_file(path: Path) -> BinaryIO:
    """The file, open for reading. Raises `OSError`, also for what is not a file."""
    with _named(path):
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        mode = os.fstat(descriptor).st_mode
        if stat.S_ISREG(mode):
            return os.fdopen(descriptor, "rb")
        os.close(descriptor)
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        raise OSError(errno.EINVAL, "it is a pipe or a device, not a file")


def replace(path: Path, data: bytes) -> None:
    """Replace the file by `data` in one move; its mode is kept, and a symbolic link stays a link to the new content.

    After a crash the file holds either all of the old bytes or all of the new ones. Raises `OSError`; the old file is
    then still there.
    """
    with _prepared(path, data) as (temporary, target):
        os.replace(temporary, target)


def replace_copy(path: Path, data: bytes) -> None:
    """Replace a file that only shows what is kept elsewhere, as `replace` does, but not synced: a power cut may leave an empty one. Raises
    `OSError`.
    """
    with _prepared(path, data, synced=False) as (temporary, target):
        os.replace(temporary, target)


def remove(path: Path) -> None:
    """Remove the file, if it is there. Raises `OSError`."""
    with contextlib.suppress(FileNotFoundError), _named(path):
        os.unlink(path)


def replace_if(path: Path, expected: bytes, data: bytes) -> bool:
    """Replace the file by `data` as `replace` does, if it holds `expected` (no bytes: or is not there). Returns whether.

    It is looked at when the new content is safe on the disk, right before it takes its place: what somebody saves in the
    milliseconds that a disk takes is not lost.
    """
    with _prepared(path, data) as (temporary, target):
        if (read_bytes(target) or b"") != expected:
            temporary.unlink()
            return False
        os.replace(temporary, target)
        return True


def see_writable(path: Path) -> None:
    """See that the file could be replaced. Raises `OSError` if it could not; nothing is left behind."""
    with _prepared(path, b"") as (temporary, _):
        temporary.unlink()


@contextlib.contextmanager
def _prepared(path: Path, data: bytes, *, synced: bool = True) -> Iterator[tuple[Path, Path]]:
    """A temporary file with `data`, safe on the disk if it is `synced`, beside the file that it is to replace, and that file."""
    target = Path(os.path.realpath(path))
    target.parent.mkdir(parents=True, exist_ok=True)
    _sweep(target)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    with _named(path):
        try:
            _write(temporary, data, _mode_of(target), synced=synced)
            yield temporary, target
        except BaseException:
            with contextlib.suppress(OSError):
                temporary.unlink()
            raise
        if synced:
            _sync_folder(target.parent)


def _sweep(target: Path) -> None:
    """Remove what a writer of this file left that was killed."""
    for left in target.parent.glob(f".{glob.escape(target.name)}.[0-9]*.tmp"):
        with contextlib.suppress(OSError):
            if not _is_alive(left.name.split(".")[-2]):
                left.unlink()


def _is_alive(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ProcessLookupError, ValueError, OverflowError):
        return False
    return int(process) != os.getpid()  # what is left under our own number is of an earlier process


def write_new(path: Path, data: bytes) -> None:
    """Write a file that no one relies on yet, such as a step's record: no move, no sync. Raises `OSError`."""
    with _named(path):
        try:
            path.write_bytes(data)
        except FileNotFoundError:  # the first file of its folder
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _mode_of(path: Path) -> int | None:
    try:
        return stat.S_IMODE(path.stat().st_mode)
    except FileNotFoundError:
        return None


def _write(path: Path, data: bytes, mode: int | None, *, synced: bool) -> None:
    # A new file is created with the umask's mode; one that takes the place of another with that one's.
    descriptor = os.open(
        path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o666 if mode is None else 0o600
    )
    try:
        if mode is not None:
            os.fchmod(descriptor, mode)
        _write_all(descriptor, data)
        if synced:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _write_all(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append_line(path: Path, line: bytes) -> None:
    """Append `line` and a line break durably: one write, one fsync. A torn last line is removed first.

    Raises `OSError`; the file then ends where it ended before, unless it could not even be cut back. In that case
    what is there is either a torn line, which readers pass over, or the whole one.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with _named(path):
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            end = _whole_end(descriptor)
            os.ftruncate(descriptor, end)
            os.lseek(descriptor, end, os.SEEK_SET)
            try:
                _write_all(descriptor, line + b"\n")
                os.fsync(descriptor)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.ftruncate(descriptor, end)
                raise
        finally:
            os.close(descriptor)
        if end == 0:
            # Also if it was a killed process that made the file: its name may not be on the disk yet.
            _sync_folder(path.parent)


def _whole_end(descriptor: int) -> int:
    """The offset behind the last line break."""
    at = os.lseek(descriptor, 0, os.SEEK_END)
    while at > 0:
        start = max(0, at - _CHUNK)
        found = os.pread(descriptor, at - start, start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        at = start
    return 0


def tail_lines(path: Path, count: int) -> list[bytes]:
    """The last `count` whole lines of the file without their breaks, oldest first; reads from the end only.

    A torn last line is passed over. Raises `OSError`, but not for a missing file, which has no lines.
    """
    try:
        file = open_file(path)
    except FileNotFoundError:
        return []
    with _named(path):
        descriptor = file.fileno()
        try:
            end = _whole_end(descriptor)
            data = b""
            start = end
            while start > 0 and data.count(b"\n") <= count:
                step = min(max(_CHUNK, len(data)), start)
                start -= step
                data = os.pread(descriptor, step, start) + data
        finally:
            file.close()
    lines = data.split(b"\n")[:-1]
    return lines[-count:]


@contextlib.contextmanager
def lock(path: Path, holder: str, *, wait_s: float = 0.0) -> Iterator[None]:
    """Hold the lock `path` for the time of the block; `holder` is what a second writer is told.

    The lock is the kernel's and ends with the process, however that ends. Raises `LockedError` if another process, or another
    step of this one, holds it, at once or after waiting for so many seconds (`math.inf`: never), and `OSError` if the file cannot be made.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        with _named(path):
            _wait_for(descriptor, path, wait_s)
            os.ftruncate(descriptor, 0)
            os.pwrite(descriptor, holder.encode() + b"\n", 0)
        yield
    finally:
        try:
            # Not by closing alone: a process that another thread is just starting has the descriptor too, for a moment.
            with _named(path):
                fcntl.flock(descriptor, fcntl.LOCK_UN)
        finally:
            os.close(descriptor)


def _wait_for(descriptor: int, path: Path, seconds: float) -> None:
    if seconds == math.inf:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        return
    deadline = time.monotonic() + seconds
    while True:
        with contextlib.suppress(BlockingIOError):
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if (left := deadline - time.monotonic()) <= 0:
            who = os.pread(descriptor, 300, 0).decode(errors="replace").strip()
            raise LockedError(
                f"{path.parent} is in use by {who or 'another process'}: wait until it is done, or use another folder"
            )
        time.sleep(min(_LOOK_AGAIN_S, left))
