"""Which configurations the user trusts. A configuration can come with a clone, from anybody, and can name whom runs are sent
to and which command is run: so path and digest of what the user has looked at are kept in the user's own state folder.

    $XDG_STATE_HOME/ace/trusted/<SHA-256 of the path>      {"path": …, "sha256": …}, ~/.local/state by default

The path is the file's real one. A file that was moved or changed since is not trusted.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from ace.adapters.files import read_bytes, replace

__all__ = ["is_trusted", "revoke", "trust"]


class _Trusted(msgspec.Struct, frozen=True):
    path: str
    sha256: str


def is_trusted(path: Path, data: bytes) -> bool:
    """Whether the user trusts this content at this place. What cannot be read is no trust."""
    try:
        kept = msgspec.json.decode(read_bytes(_entry(path)) or b"", type=_Trusted)
    except (msgspec.DecodeError, OSError):
        return False
    return kept == _of(path, data)


def trust(path: Path, data: bytes) -> None:
    """Trust this content at this place, and no other there. Raises `OSError`."""
    entry = _entry(path)
    entry.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    replace(entry, msgspec.json.encode(_of(path, data)) + b"\n")


def revoke(path: Path) -> bool:
    """Trust nothing at this place any more; returns whether something was. Raises `OSError`."""
    entry = _entry(path)
    was = entry.exists()
    entry.unlink(missing_ok=True)
    return was


def _of(path: Path, data: bytes) -> _Trusted:
    real = os.path.realpath(path)
    return _Trusted(real.encode(errors="backslashreplace").decode(), hashlib.sha256(data).hexdigest())


def _entry(path: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(path))).hexdigest()
    return _state_home() / "ace" / "trusted" / name


def _state_home() -> Path:
    given = Path(os.environ.get("XDG_STATE_HOME", ""))
    # By the XDG base directory specification, a relative path is to be ignored.
    return given if given.is_absolute() else Path.home() / ".local" / "state"
