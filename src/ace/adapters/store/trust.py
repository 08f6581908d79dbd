"""Which configurations the user trusts. A configuration can come with a clone, from anybody, and can name whom runs are sent
to and which command is run: so path and digest of what the user has looked at are kept in the user's own state folder.

    $XDG_STATE_HOME/ace/trusted/<SHA-256 of the path>      {"path": …, "sha256": …, "outside": […]}
    $XDG_STATE_HOME/ace/secret                             from which names are made that no clone can know

(`~/.local/state` by default.) The path is the file's real one. A file that was moved or changed since is not trusted.
"""

from __future__ import annotations

import errno
import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

import msgspec

from ace.adapters.store.files import read_bytes, replace

__all__ = ["Trusted", "home_folder", "own_name", "revoke", "trust", "trusted"]


class Trusted(msgspec.Struct, frozen=True):
    """A configuration that the user trusts: its real path, the digest of its content, and the real paths of the rules files
    outside of the project that it led to then.
    """

    path: str
    sha256: str
    rules_lines: tuple[str, ...] = ()


def trusted(path: Path, data: bytes) -> Trusted | None:
    """What the user trusts of this content at this place, or None. What cannot be read gives no trust."""
    try:
        kept = msgspec.json.decode(read_bytes(_entry(path)) or b"", type=Trusted)
    except (msgspec.DecodeError, OSError):
        return None
    return kept if (kept.path, kept.sha256) == _of(path, data) else None


def trust(path: Path, data: bytes, rules_lines: Sequence[str] = ()) -> None:
    """Trust this content at this place, and no other there. Raises `OSError`."""
    entry = _entry(path)
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace(entry, msgspec.json.encode(Trusted(*_of(path, data), tuple(rules_lines))) + b"\n")


def revoke(path: Path) -> bool:
    """Trust nothing at this place any more; returns whether something was. Raises `OSError`."""
    entry = _entry(path)
    was = entry.exists()
    entry.unlink(missing_ok=True)
    return was


def own_name(folder: Path, *, make: bool = True) -> str:
    """A name for a file in this folder that nobody but this user can know: what comes with a clone cannot have it. It is made
    of the folder's real path and of a secret in the user's state folder. Raises `OSError` if there is none, and none is to be made or can be kept.
    """
    path = _state_folder() / "secret"
    secret = read_bytes(path)
    if not secret and not make:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
    if not secret:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        secret = os.urandom(32).hex().encode()
        replace(path, secret)
        # Of two processes that made one at once, the last one's counts for both.
        secret = read_bytes(path) or secret
    return hashlib.sha256(secret + os.fsencode(os.path.realpath(folder))).hexdigest()[:24]


def _of(path: Path, data: bytes) -> tuple[str, str]:
    real = os.path.realpath(path)
    return real.encode(errors="backslashreplace").decode(), hashlib.sha256(data).hexdigest()


def _entry(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()
    return _state_folder() / "trusted" / name


def _state_folder() -> Path:
    """The user's own folder for what `ace` keeps. Raises `OSError` if the user has no home."""
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    # By the XDG base directory specification, a relative path is to be ignored; a relative home is none either.
    if given.is_absolute():
        return given / "ace"
    home = home_folder()
    if home is None:
        raise FileNotFoundError(errno.ENOENT, "there is no home folder: set XDG_STATE_HOME", "HOME")
    return home / ".local" / "state" / "ace"


def home_folder() -> Path | None:
    """The user's home folder, or None if there is none."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    return home if home.is_absolute() else None
