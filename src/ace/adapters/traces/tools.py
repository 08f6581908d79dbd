"""Where coding agents keep their sessions on this machine, and which of them were held in a project.

    claude-code  $CLAUDE_CONFIG_DIR/projects, else ~/.claude/projects and ~/.config/claude/projects
    codex        $CODEX_HOME/sessions and archived_sessions, else below ~/.codex
    gemini       $GEMINI_CLI_HOME/.gemini/tmp/<project>/chats, else below ~/.gemini
    opencode     $OPENCODE_DB, and $XDG_DATA_HOME/opencode (opencode*.db, storage/session), else ~/.local/share/opencode
    pi           $PI_CODING_AGENT_SESSION_DIR, or $PI_CODING_AGENT_DIR/sessions, else ~/.pi/agent/sessions

A session belongs to a project if it was held in the project's folder or in one below it, by what its file says; Gemini CLI's say it
by the name of their folder.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, get_args

import msgspec

from ace.adapters.traces.finding import Source, files_below
from ace.adapters.traces.places import is_within, place_of
from ace.domain.errors import TraceError

__all__ = ["TOOLS", "Tool", "sessions_of"]

type Tool = Literal["claude-code", "codex", "gemini", "opencode", "pi"]
type _Environ = Mapping[str, str]

TOOLS: tuple[Tool, ...] = get_args(Tool.__value__)


def sessions_of(tool: Tool, project: Path, environ: _Environ) -> list[Source]:
    """The files with the tool's sessions of this project, the one that was changed last at the end.

    Raises `TraceError` if there is none, and says where it was looked.
    """
    places = list(_PLACES[tool](environ))
    found: dict[str, Source] = {}
    others = 0
    for place in places:
        for path in _files(place):
            if _belongs(tool, path, place, project):
                within = project if path.suffix == ".db" else None
                found[os.path.realpath(path)] = Source(path, within=within)
            else:
                others += 1
    if not found:
        looked = " or ".join(map(str, places)) or "the home folder, which there is not"
        raise TraceError(
            f"there is no session of {tool} in {looked}: name its files or its folder"
            if not others
            else f"{looked} holds {others} sessions of {tool}, and none was held in {project}: name another folder with --project"
        )
    return sorted(found.values(), key=lambda source: (_changed(source.path), str(source.path)))


# --- where they lie -------------------------------------------------------------------------------------------------


def _home(environ: _Environ, *below: str) -> Iterator[Path]:
    """A folder in the user's home, if there is one."""
    home = environ.get("HOME", "")
    if os.path.isabs(home):
        yield Path(home, *below)


def _set(environ: _Environ, name: str) -> Path | None:
    """The folder that a variable names; `~` is the home folder."""
    value = environ.get(name, "").strip()
    if value == "~" or value.startswith("~/"):
        value = environ.get("HOME", "~") + value[1:]
    return Path(value) if value else None


def _claude_code(environ: _Environ) -> Iterator[Path]:
    given = _set(environ, "CLAUDE_CONFIG_DIR")
    folders = [given] if given else [*_home(environ, ".claude"), *_home(environ, ".config", "claude")]
    yield from (folder / "projects" for folder in folders)


def _codex(environ: _Environ) -> Iterator[Path]:
    given = _set(environ, "CODEX_HOME")
    for folder in [given] if given else _home(environ, ".codex"):
        yield from (folder / "sessions", folder / "archived_sessions")


def _gemini(environ: _Environ) -> Iterator[Path]:
    given = _set(environ, "GEMINI_CLI_HOME")
    yield from [given / ".gemini" / "tmp"] if given else _home(environ, ".gemini", "tmp")


def _opencode(environ: _Environ) -> Iterator[Path]:
    given = _set(environ, "XDG_DATA_HOME")
    folders = [given / "opencode"] if given else list(_home(environ, ".local", "share", "opencode"))
    base = _set(environ, "OPENCODE_DB")
    if base is not None:
        yield from [base] if base.is_absolute() else (folder / base for folder in folders)
    yield from folders


def _pi(environ: _Environ) -> Iterator[Path]:
    sessions, agent = _set(environ, "PI_CODING_AGENT_SESSION_DIR"), _set(environ, "PI_CODING_AGENT_DIR")
    if sessions is not None:
        yield sessions
    elif agent is not None:
        yield agent / "sessions"
    else:
        yield from _home(environ, ".pi", "agent", "sessions")


_PLACES: dict[Tool, Callable[[_Environ], Iterator[Path]]] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "gemini": _gemini,
    "opencode": _opencode,
    "pi": _pi,
}


def _files(place: Path) -> Iterator[Path]:
    """The files in a place that may be sessions; what else a tool keeps there is none."""
    if place.is_file():
        yield place
        return
    for path in files_below(place):
        if place.name == "opencode" and "session" not in path.parts and path.suffix != ".db":
            continue
        if place.name == "tmp" and "chats" not in path.parts:
            continue
        yield path


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


# --- whose they are -------------------------------------------------------------------------------------------------


def _belongs(tool: Tool, path: Path, place: Path, project: Path) -> bool:
    if tool == "gemini":
        return _is_gemini_project(path.relative_to(place).parts[0], place, project)
    if path.suffix == ".db":
        return True  # its sessions are told apart when it is read
    held = place_of(path)
    if held:
        return is_within(held, project)
    return tool == "claude-code" and path.parent.name == _encoded(project)


def _encoded(project: Path) -> str:
    """What Claude Code calls the folder of a project's sessions."""
    return re.sub(r"[^A-Za-z0-9]", "-", os.path.abspath(project))


def _is_gemini_project(name: str, tmp: Path, project: Path) -> bool:
    """Whether a folder of Gemini CLI's is this project's: it is named by a digest of the path, or holds it, or a list of projects
    knows it.
    """
    if name in {_digest(os.path.abspath(project)), _digest(os.path.realpath(project))}:
        return True
    try:
        root = (tmp / name / ".project_root").read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        root = next((path for path, known in _gemini_projects(tmp).items() if known == name), "")
    return is_within(root, project)


def _digest(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()


def _gemini_projects(tmp: Path) -> Mapping[str, Any]:
    try:
        known = msgspec.json.decode((tmp.parent / "projects.json").read_bytes())
    except (OSError, msgspec.DecodeError, RecursionError):
        return {}
    projects = known.get("projects") if isinstance(known, dict) else None
    return projects if isinstance(projects, dict) else {}
