"""Which tree and which playbook a step goes on from: those of the release that is served.

Reef keeps a method's state with every commit and brings the last one, which is right after a publication, a rejected
candidate, a skipped step and a restart. It is not right in two cases, and here they are found:

    the served release was made by a rollback     the last state is the one that was rolled back
    no step yet, and the scenario was begun       the last state is empty, though the release that is served
      from a release of another scenario            holds the other scenario's playbook

In both, the state of the commit that made the release's content is read from the release itself, where Reef keeps it.
Which release a step was prepared for stands in our part of the state, so that a rollback counts once; so does where the
playbook is from, until the method has written that into its log: a step may pass without the method being asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from reef.artifact.artifact import Artifact, ArtifactRef, decode_artifact_ref
from reef.artifact.repository import Repository
from reef.storage.commits import SCENARIO_METADATA_KEY
from reef.surface.base import ServingRuntime, Surface

from ace.adapters.reef.entries import Entry
from ace.domain.errors import AceError

__all__ = ["KEY", "Kept", "ReleaseError", "Releases", "Start", "WatchedSurface", "start"]

type _Object = Mapping[str, Any]

KEY: Final = "ace"
"""Our key in Reef's algorithm state."""


class ReleaseError(AceError):
    """A release that has to be known cannot be read: going on without it could bring back what was rolled back."""


@dataclass(frozen=True)
class Kept:
    """What stands under our key: the snapshot (decoded JSON, or None before the first step), the release that was served
    when it was written, and the digest of the block that was proposed last, with the release `against` which it was.
    `origin` says where a restored playbook is from, until the log says so.
    """

    playbook: object = None
    release: str | None = None
    proposed: str = ""
    against: str | None = None
    origin: str = ""

    @property
    def rejected(self) -> str:
        """The digest of the block that was proposed, if what was served then is served still; empty otherwise."""
        return self.proposed if self.against == self.release else ""

    @classmethod
    def read(cls, state: _Object) -> Kept | None:
        """What a state keeps for us, or None if it is no state of ours."""
        value = state.get(KEY)
        if not isinstance(value, Mapping):
            return None
        return cls(
            value.get("playbook"),
            _text(value.get("release")),
            _text(value.get("proposed")) or "",
            _text(value.get("against")),
            _text(value.get("origin")) or "",
        )

    def write(self) -> dict[str, object]:
        """What is to stand under our key."""
        return asdict(self)


@dataclass(frozen=True)
class Start:
    """What a step begins with: Reef's tree, and what it keeps for us."""

    entries: tuple[Entry, ...]
    kept: Kept


class Releases:
    """The releases of one scenario, once it is served."""

    def __init__(self) -> None:
        self._repository: Repository | None = None

    def watch(self, artifact: Artifact) -> None:
        """Take note of where the releases are."""
        if isinstance(artifact.repository, Repository):
            self._repository = artifact.repository

    def served(self) -> ArtifactRef | None:
        """The release that is served; None if that is not known."""
        return None if self._repository is None else self._repository.require_current_artifact()

    def commit(self, release: ArtifactRef | str) -> _Object:
        """What Reef keeps with a release of the commit that made it; empty for the release that everything began with.

        Raises what Reef does if there is no such release.
        """
        if self._repository is None:
            return {}
        ref = self._repository.backend.resolve_release(release) if isinstance(release, str) else release
        commit = self._repository.resolve(ref).metadata.get(SCENARIO_METADATA_KEY)
        return commit if isinstance(commit, Mapping) else {}


class WatchedSurface(Surface):
    """Reef's surface of a scenario. It is told of each release before that is served: the one way to the releases."""

    releases: Releases

    def __init__(self, surface: Surface) -> None:
        super().__init__(surface.components, surface.harness, surface.validator)
        object.__setattr__(self, "releases", Releases())

    def activate(
        self,
        artifact: Artifact,
        runtime: ServingRuntime | None,
        *,
        source: Artifact | None = None,
        previous: Artifact | None = None,
    ) -> None:
        """Make the release servable, as Reef does it."""
        self.releases.watch(artifact)
        super().activate(artifact, runtime, source=source, previous=previous)


def start(state: _Object, releases: Releases, seed: Sequence[Entry]) -> Start:
    """Where a step with this state of Reef's begins. Raises `ReleaseError` if a release cannot be read."""
    try:
        return _start(state, releases, seed)
    except Exception as error:  # whatever Reef's storage raises
        raise ReleaseError(f"the served release cannot be read: {error}") from error


def _start(state: _Object, releases: Releases, seed: Sequence[Entry]) -> Start:
    kept = Kept.read(state)
    served = releases.served()
    known = kept or Kept()
    if served is None or served.release_id == known.release:
        return Start(_entries(state, seed), known)
    commit = releases.commit(served)
    if commit.get("operation") == "rollback":
        target = str(commit.get("rollback_target_release_id"))
        state = _state_behind(releases.commit(target), releases)
        return _after(state, known, f"rolled back to release {_short(target)}", served, seed)
    base = _base(commit)
    # Without a commit behind it, the base is the release that everything began with: there is the seed alone.
    if kept is None and base is not None and (before := releases.commit(base)):
        origin = f"begun from release {_short(base)} of scenario {before.get('scenario')}"
        return _after(_state_behind(before, releases), known, origin, served, seed)
    against = served.release_id if _took_back(commit) else known.against
    return Start(_entries(state, seed), replace(known, release=served.release_id, against=against))


def _took_back(commit: _Object) -> bool:
    """Whether a re-check made the release, which put back what was served before the block that was proposed last."""
    metrics = commit.get("metrics")
    return isinstance(metrics, Mapping) and metrics.get("rolled_back") is True


def _after(state: _Object, known: Kept, origin: str, served: ArtifactRef, seed: Sequence[Entry]) -> Start:
    """The start with the tree and playbook of `state`, after what is known so far."""
    playbook = _numbered((Kept.read(state) or Kept()).playbook, known.playbook)
    return Start(_entries(state, seed), Kept(playbook, served.release_id, origin=origin))


def _numbered(playbook: object, known: object) -> object:
    """The playbook, going on with the ids where the known one did. The log does that too, but the log can be lost."""
    number = _next_number(known)
    if number <= _next_number(playbook):
        return playbook
    if playbook is None:
        return {"next_number": number, "bullets": []}
    return {**playbook, "next_number": number} if isinstance(playbook, Mapping) else playbook


def _next_number(playbook: object) -> int:
    number = playbook.get("next_number") if isinstance(playbook, Mapping) else None
    return number if isinstance(number, int) else 1


def _state_behind(commit: _Object, releases: Releases) -> _Object:
    """The state with which the content of a commit's release was made; empty if that was the seed."""
    seen: set[str] = set()
    while True:
        before = commit.get("rollback_target_release_id") or _base(commit)
        if not isinstance(before, str) or before in seen:
            state = commit.get("algorithm_state")
            return state if isinstance(state, Mapping) else {}
        seen.add(before)
        commit = releases.commit(before)


def _base(commit: _Object) -> str | None:
    """The release that a scenario was begun from, if this is the commit of what it began with."""
    base = commit.get("base_artifact")
    if commit.get("scenario_step") != 0 or not isinstance(base, Mapping):
        return None
    return decode_artifact_ref(base).release_id


def _entries(state: _Object, seed: Sequence[Entry]) -> tuple[Entry, ...]:
    entries = state.get("entries", seed)
    return tuple(dict(entry) for entry in entries)


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _short(release: object) -> str:
    return str(release)[:12]
