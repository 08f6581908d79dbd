"""Which tree and which playbook a step goes on from: those of the release that is served.

Reef keeps a method's state with every commit and brings the last one, which is right after a publication, a rejected
candidate, a skipped step and a restart. It is not right where the served release was made otherwise:

    by a rollback                                  the last state is the one that was rolled back
    by promoting one that is older than what was   the same by another name
      served, or of a line that was rolled back
    no step yet, and the scenario was begun        the last state is empty, though the release that is served
      from a release of another scenario             holds the other scenario's playbook

There the state of the commit that made the release's content is read from the release itself, where Reef keeps it. (A
release that waited for a review and is promoted is newer than what was served: what came after it waits still, and the
last state stands.) Which release a step was prepared for stands in our part of the state, so that a rollback counts once;
so does where the playbook is from, until the method has written that into its log: a step may pass without the method
being asked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from reef.artifact.artifact import Artifact, ArtifactRef, decode_artifact_ref
from reef.artifact.repository import Repository
from reef.storage.commits import SCENARIO_METADATA_KEY
from reef.surface.base import ServingRuntime, Surface

from ace.adapters.reef.entries import Entry, block_of
from ace.domain.errors import AceError

__all__ = ["KEY", "Kept", "ReleaseError", "Releases", "Start", "WatchedSurface", "start", "tree_of"]

type _Object = Mapping[str, Any]

KEY: Final = "ace"
"""Our key in Reef's algorithm state."""


class ReleaseError(AceError):
    """A release that has to be known cannot be read: going on without it could bring back what was rolled back."""


@dataclass(frozen=True)
class Kept:
    """What stands under our key: the snapshot (decoded JSON, or None before the first step) and the release that was
    served when it was written.

    `proposed` is the digest of the block that was proposed last and `instead` that of the block which stood in the tree
    then: as long as it stands there, the proposal was turned down. `origin` says where a restored playbook is from, until
    the log says so, and `line` counts the restorations: states of one line are each made from the one before.
    """

    playbook: object = None
    release: str | None = None
    proposed: str = ""
    instead: str | None = None
    origin: str = ""
    line: int = 0

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
            _text(value.get("instead")),
            _text(value.get("origin")) or "",
            _number(value.get("line")),
        )

    def write(self) -> dict[str, object]:
        """What is to stand under our key."""
        return asdict(self)

    def rejected(self, block: str | None) -> str:
        """The digest of the block that was turned down, if this is the block of the tree; empty if there is none."""
        return self.proposed if self.instead is not None and self.instead == block else ""


@dataclass(frozen=True)
class Start:
    """What a step begins with: Reef's state, with the tree that is served, and what it keeps for us."""

    state: _Object
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

    def ref(self, name: str) -> ArtifactRef:
        """The release of that name. Raises what Reef does if there is none."""
        if self._repository is None:
            raise LookupError(f"no release {name} is known")
        return self._repository.backend.resolve_release(name)

    def commit(self, release: ArtifactRef | str) -> _Object:
        """What Reef keeps with a release of the commit that made it; empty for the release that everything began with.

        Raises what Reef does if there is no such release.
        """
        if self._repository is None:
            return {}
        ref = self.ref(release) if isinstance(release, str) else release
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
    """Where a step with this state of Reef's begins. `seed` is what the scenario began with. Raises `ReleaseError` if a
    release cannot be read.
    """
    try:
        begin = _start({"entries": seed, **state}, releases, seed)
    except Exception as error:  # whatever Reef's storage raises
        raise ReleaseError(f"the served release cannot be read: {error}") from error
    entries = [dict(entry) for entry in begin.state["entries"]]
    kept = begin.kept
    if block_of(entries) == kept.proposed:
        # It was published, or stands in a tree that waits for a review: nobody turned it down.
        kept = replace(kept, instead=None)
    return Start({**begin.state, "entries": entries}, kept)


def _start(state: _Object, releases: Releases, seed: Sequence[Entry]) -> Start:
    kept = Kept.read(state)
    begin = Start(state, kept or Kept())
    served = releases.served()
    if served is None:
        return begin
    base = _base(releases.commit(served)) if kept is None else None
    # Without a commit behind it, the base is the release that everything began with: there is the seed alone.
    if base is not None and (before := releases.commit(base)):
        origin = f"begun from release {_short(base)} of scenario {before.get('scenario')}"
        return _after(_state_behind(before, releases), origin, begin, served, seed)
    for release in _made_since(begin.kept.release, served, releases):
        begin = _follow(begin, release, releases, seed)
    return begin


def _made_since(known: str | None, served: ArtifactRef, releases: Releases) -> list[ArtifactRef]:
    """The releases that were served one after the other since the known one; the last alone, if there is no telling."""
    made: list[ArtifactRef] = []
    release = served
    while release.release_id != known:
        made.insert(0, release)
        if known is None or release.parent_release_id is None:
            return [served]
        release = releases.ref(release.parent_release_id)
    return made


def _follow(begin: Start, release: ArtifactRef, releases: Releases, seed: Sequence[Entry]) -> Start:
    """What a step begins with once this release is served too."""
    commit = releases.commit(release)
    target = commit.get("rollback_target_release_id")
    if isinstance(target, str):
        behind = _state_behind(commit, releases)
        if commit.get("operation") == "rollback":
            return _after(behind, f"rolled back to release {_short(target)}", begin, release, seed)
        if _goes_back(behind, begin.kept, releases):
            return _after(behind, f"release {_short(target)} was promoted", begin, release, seed)
    return replace(begin, kept=replace(begin.kept, release=release.release_id))


def _goes_back(promoted: _Object, known: Kept, releases: Releases) -> bool:
    """Whether what was promoted is no newer than what was served before, or of another line than the last state."""
    before = _state_behind(releases.commit(known.release), releases) if known.release else {}
    older = _number(promoted.get("steps")) <= _number(before.get("steps"))
    return older or (Kept.read(promoted) or Kept()).line != known.line


def tree_of(release: ArtifactRef, releases: Releases, seed: Sequence[Entry]) -> list[Entry]:
    """The tree of a release. Raises what Reef does if it cannot be read."""
    entries = _state_behind(releases.commit(release), releases).get("entries", seed)
    return [dict(entry) for entry in entries]


_OF_THE_TREE: Final = ("entries", "rollback_entries", "rollback_evaluation_context", "failure_manifest")
"""What of Reef's state is about the tree that is served: it goes back with it."""


def _after(behind: _Object, origin: str, begin: Start, release: ArtifactRef, seed: Sequence[Entry]) -> Start:
    """The start with the tree and the playbook of the state `behind` the release, after what is known so far."""
    known, kept = begin.kept, Kept.read(behind) or Kept()
    playbook = _numbered(kept.playbook, known.playbook)
    kept = replace(kept, playbook=playbook, release=release.release_id, origin=origin, line=known.line + 1)
    others = {key: value for key, value in begin.state.items() if key not in _OF_THE_TREE}
    tree = {key: behind[key] for key in _OF_THE_TREE if key in behind}
    return Start({**others, "entries": seed, **tree}, kept)


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


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _short(release: object) -> str:
    return str(release)[:12]
