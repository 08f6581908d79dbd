"""Where the files are that the package ships: prompts, the demo's runs, the seed.

In a wheel they lie inside of the package, in a checkout beside `src`.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["shipped"]

_PACKAGE = Path(__file__).resolve().parent.parent


def shipped(name: str) -> Path:
    """The path of a shipped file or folder, such as `prompts` or `examples/demo`."""
    inside = _PACKAGE / "shipped" / name
    return inside if inside.exists() else _PACKAGE.parent.parent / name
