"""Which tree and which playbook a step goes on from: those of the release that is served.

Reef keeps a method's state with every commit, and gives a step the state of the last one. After a publication, a rejected
candidate, a skipped step and a restart that is the right one. In three cases the release that is served was made otherwise,
and Reef 0.1.3 gives the last state all the same. Below, `r2:B` is a release with the content B, and the line under it
is the playbook in its commit's state.

    1  A rollback makes a new release with the old content. The commit of it has the last state, which is that of what was
       rolled back.

           r1:A ── r2:B ── r3:A      served is r3, made from r1
            a       b       (b)      Reef gives b; the step goes on from a

    2  A promotion of a release that is not newer than what was served, or of another lineage than the last state, is a
       rollback by another name. A promotion of what waited for a review is none: what came after it waits still, and the
       last state holds it all.

           r1:A ── [r2:B] ── [r3:C] ── r4:B      r2 was promoted, and r3 waits: the step goes on from c
            a         b         c
           r1:A ── r2:B ── r3:A                  r1 was promoted over r2: the step goes on from a
            a       b

    3  A fork begins a scenario with a release of another one. There is no state yet, and Reef begins with the seed's tree.

           o1:A ── o2:B                          of the other scenario
            a  └─── s0:A                         the step goes on from a

In all three the state is read from the commit that made the content (`_state_behind`): a rollback can lead to a rollback,
and a fork can begin with one.

What is hard about it:

- A rollback must count once. So our part of the state names the release for which it was written (`release`), and a step
  follows only the releases that were served since (`_served_since`).
- Steps do not tell which of two states is the newer one after a rollback, since their numbers go on. So each restoration
  begins a new lineage (`lineage`): states of one lineage are each made from the one before.
- A step may pass without the method being asked (a person's proposal takes it). So the state says why a playbook was
  restored (`restore_reason`) until the method has written that into its log.
- No id may be used twice, although the restored playbook is an old one: its `next_number` goes on where the last one was.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from reef.artifact.artifact import Artifact, ArtifactRef, decode_artifact_ref
from reef.artifact.repository import Repository
from reef.storage.commits import SCENARIO_METADATA_KEY
from reef.surface.base import ServingRuntime, Surface

from ace.adapters.reef.rules_entry import Entry, block_of
from ace.adapters.reef.trials import NOT_TRIED, Trial
from ace.domain.errors import AceError
from ace.domain.trace import JsonObject

__all__ = [
    "KEY",
    "MethodState",
    "ReleaseError",
    "Releases",
    "Start",
    "WatchedSurface",
    "proposal_of",
    "start",
    "state_of",
    "tree_of",
]


KEY: Final = "ace"
"""Our key in Reef's algorithm state."""


class ReleaseError(AceError):
    """A release that has to be known cannot be read: going on without it could bring back what was rolled back."""


# --- what is kept under our key --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class MethodState:
    """What Reef's state keeps for us.

    `playbook`: the snapshot, as decoded JSON; None before the first step. `release`: the release that was served when this
    was written. `proposed`: the digest of the last proposed block. `rejected_beside`: the digest of the tree's block at
    that time; while the tree still holds it, the proposal was rejected. `restore_reason`: why the playbook was restored,
    until the log says so. `lineage`: how many restorations there were. `trial`: which lessons are not served, and why. `done`: the
    entries of the backlog that the step read. `ahead`: the reports that were counted before Reef came to them (both: see
    `unread.Reading`). `ordered`: the time of the operator's last order that was done.
    `adopt`: a release that a person promoted, in which a proposal had changed the block, until that change is in the log.
    """

    playbook: object = None
    release: str | None = None
    proposed: str = ""
    rejected_beside: str | None = None
    restore_reason: str = ""
    lineage: int = 0
    ordered: str = ""
    adopt: str = ""
    trial: Trial = NOT_TRIED
    done: tuple[str, ...] = ()
    ahead: tuple[str, ...] = ()

    @classmethod
    def read(cls, state: JsonObject) -> MethodState | None:
        """What a state keeps for us, or None if the state is not ours."""
        stored = state.get(KEY)
        if not isinstance(stored, Mapping):
            return None
        return cls(
            playbook=stored.get("playbook"),
            release=_text(stored.get("release")),
            proposed=_text(stored.get("proposed")) or "",
            rejected_beside=_text(stored.get("instead")),
            restore_reason=_text(stored.get("origin")) or "",
            lineage=_number(stored.get("line")),
            ordered=_text(stored.get("ordered")) or "",
            adopt=_text(stored.get("adopt")) or "",
            trial=Trial.read(stored.get("trial")),
            done=_texts(stored.get("done")),
            ahead=_texts(stored.get("ahead")),
        )

    def write(self) -> dict[str, object]:
        """What is kept under our key. These names are a format: commits of years ago are read by them."""
        return {
            "playbook": self.playbook,
            "release": self.release,
            "proposed": self.proposed,
            "instead": self.rejected_beside,
            "origin": self.restore_reason,
            "line": self.lineage,
            **({"ordered": self.ordered} if self.ordered else {}),
            **({"adopt": self.adopt} if self.adopt else {}),
            **({} if self.trial == NOT_TRIED else {"trial": self.trial.write()}),
            **({"done": list(self.done)} if self.done else {}),
            **({"ahead": list(self.ahead)} if self.ahead else {}),
        }

    def lessons(self) -> list[str]:
        """The ids of the playbook's lessons."""
        bullets = self.playbook.get("bullets") if isinstance(self.playbook, Mapping) else None
        return [str(one.get("id")) for one in bullets or () if isinstance(one, Mapping)]

    def rejected(self, block: str | None) -> str:
        """The digest of the block that was rejected, if this is the block of the tree; empty if there is none."""
        return self.proposed if self.rejected_beside is not None and self.rejected_beside == block else ""


# --- where the releases are -----------------------------------------------------------------------------------------


class Releases:
    """The releases of one scenario, once it is served."""

    def __init__(self) -> None:
        self._repository: Repository | None = None
        self.on_activation: Callable[[ArtifactRef], None] = lambda _: None

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

    def commit(self, release: ArtifactRef | str) -> JsonObject:
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
        self.releases.on_activation(artifact.ref)


# --- where a step begins --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Start:
    """What a step begins with: Reef's state, with the tree that is served, and what it keeps for us."""

    state: JsonObject
    kept: MethodState


def start(state: JsonObject, releases: Releases, seed: Sequence[Entry]) -> Start:
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
        # It was published, or is in a tree that waits for a review: nobody rejected it.
        kept = replace(kept, rejected_beside=None)
    return Start({**begin.state, "entries": entries}, kept)


def _start(state: JsonObject, releases: Releases, seed: Sequence[Entry]) -> Start:
    kept = MethodState.read(state)
    begin = Start(state, kept or MethodState())
    served = releases.served()
    if served is None:
        return begin
    base = _base(releases.commit(served)) if kept is None else None
    # Without a commit behind it, the base is the release that everything began with: there is the seed alone.
    if base is not None and (commit := releases.commit(base)):
        reason = f"begun from release {_short(base)} of scenario {commit.get('scenario')}"
        return _start_from_release(begin, served, _state_behind(commit, releases), reason, seed)
    for release in _served_since(begin.kept.release, served, releases):
        commit = releases.commit(release)
        target = commit.get("rollback_target_release_id")  # of a promotion, too
        behind = _state_behind(commit, releases) if isinstance(target, str) else {}
        if isinstance(target, str) and commit.get("operation") == "rollback":
            reason = f"rolled back to release {_short(target)}"
            begin = _start_from_release(begin, release, behind, reason, seed)
        elif isinstance(target, str) and _is_rollback(behind, begin.kept, releases):
            reason = f"release {_short(target)} was promoted"
            begin = _start_from_release(begin, release, behind, reason, seed)
        else:
            kept = replace(begin.kept, release=release.release_id)
            if isinstance(target, str) and proposal_of(releases.commit(target)):
                kept = replace(kept, adopt=target)
            begin = replace(begin, kept=kept)
    return begin


def _served_since(known: str | None, served: ArtifactRef, releases: Releases) -> list[ArtifactRef]:
    """The releases that were served one after the other since the known one; the last alone, if there is no telling."""
    since: list[ArtifactRef] = []
    release = served
    while release.release_id != known:
        since.insert(0, release)
        if known is None or release.parent_release_id is None:
            return [served]
        release = releases.ref(release.parent_release_id)
    return since


def _is_rollback(promoted: JsonObject, known: MethodState, releases: Releases) -> bool:
    """Whether this promotion goes back: what was promoted is not newer than what was served before, or of another lineage
    than the last state.
    """
    served = _state_behind(releases.commit(known.release), releases) if known.release else {}
    is_older = _number(promoted.get("steps")) <= _number(served.get("steps"))
    return is_older or (MethodState.read(promoted) or MethodState()).lineage != known.lineage


_OF_THE_TREE: Final = ("entries", "rollback_entries", "rollback_evaluation_context", "failure_manifest")
"""What of Reef's state is about the tree that is served: it goes back with it."""


def _start_from_release(
    begin: Start, release: ArtifactRef, behind: JsonObject, reason: str, seed: Sequence[Entry]
) -> Start:
    """The start with the tree and the playbook of the state `behind` this release, after what is known so far."""
    restored = MethodState.read(behind) or MethodState()
    kept = replace(
        restored,
        playbook=_numbered_on(restored.playbook, begin.kept.playbook),
        release=release.release_id,
        restore_reason=reason,
        lineage=begin.kept.lineage + 1,
        done=begin.kept.done,
        ahead=begin.kept.ahead,
        ordered=max(restored.ordered, begin.kept.ordered),
    )
    others = {key: value for key, value in begin.state.items() if key not in _OF_THE_TREE}
    tree = {key: behind[key] for key in _OF_THE_TREE if key in behind}
    return Start({**others, "entries": seed, **tree}, kept)


def _numbered_on(playbook: object, known: object) -> object:
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


def proposal_of(commit: JsonObject) -> JsonObject:
    """What Reef says of the proposal that this commit took; empty if it took none."""
    metrics = commit.get("metrics")
    proposal = metrics.get("proposal") if isinstance(metrics, Mapping) else None
    return proposal if isinstance(proposal, Mapping) else {}


def state_of(release: str, releases: Releases) -> JsonObject:
    """Reef's state with which the content of a release was made. Raises what Reef does if it cannot be read."""
    return _state_behind(releases.commit(release), releases)


def tree_of(release: ArtifactRef, releases: Releases, seed: Sequence[Entry]) -> list[Entry]:
    """The tree of a release. Raises what Reef does if it cannot be read."""
    entries = _state_behind(releases.commit(release), releases).get("entries", seed)
    return [dict(entry) for entry in entries]


def _state_behind(commit: JsonObject, releases: Releases) -> JsonObject:
    """The state with which the content of a commit's release was made; empty if that was the seed."""
    seen: set[str] = set()
    while True:
        before = commit.get("rollback_target_release_id") or _base(commit)
        if not isinstance(before, str) or before in seen:
            state = commit.get("algorithm_state")
            return state if isinstance(state, Mapping) else {}
        seen.add(before)
        commit = releases.commit(before)


def _base(commit: JsonObject) -> str | None:
    """The release that a scenario was begun from, if this is the commit of what it began with."""
    base = commit.get("base_artifact")
    if commit.get("scenario_step") != 0 or not isinstance(base, Mapping):
        return None
    return decode_artifact_ref(base).release_id


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _texts(value: object) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _short(release: object) -> str:
    return str(release)[:12]
