"""What a run is called: the id it came with, or the digest of what it holds.

The log remembers by id which runs were read, so an id has to be the same whenever the same run is read again.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:
    from ace.domain.trace import Trace

__all__ = ["with_id"]

_LONGEST = 200  # characters; ids stand in notes, one a line


def with_id(trace: Trace, given: object) -> Trace:
    """Return the trace under the given id if that is usable: one line of visible text or an integer; else a digest."""
    text = str(given) if isinstance(given, str | int) and not isinstance(given, bool) else ""
    return msgspec.structs.replace(trace, id=text if _is_usable(text) else _digest(trace))


def _is_usable(text: str) -> bool:
    # `isprintable` is false for control and format characters, for surrogates and for every line break.
    return 0 < len(text) <= _LONGEST and text.isprintable() and text == text.strip()


def _digest(trace: Trace) -> str:
    content = msgspec.to_builtins(trace)
    del content["id"]
    canonical = msgspec.json.encode(content, order="sorted")
    return "sha256-" + hashlib.sha256(canonical).hexdigest()[:16]
