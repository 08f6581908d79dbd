"""What a person decides about a playbook, each as one function of a folder: it prints nothing, and its result is a struct.

    remove(folder, ids, …)        lessons out, and their texts do not come back
    reword(folder, id, text, …)   another text for a lesson, which keeps its id and its counts
    add(folder, text, …)          a lesson of a person's own
    adopt_block(folder, …)         what a person changed in the block by hand
    revert(folder, seq, …)        the log without one step
    rewind(folder, seq, …)        the playbook as it was after a line
    waiting(folder)               what of the playbook waits for a review, and is not in the rules yet
    accept(folder, ids, …)        lessons that waited into the rules, and the others out
    carry_out(folder, decision)   one of these, written into the log, the snapshot and the block

All but the last write nothing: a `Decision` says what would be, so that it can be looked at before. All text passes the screens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.scenarios import see_ours
from ace.domain.chain import LogTail, next_line, next_seq
from ace.domain.desk import Desk, reason_given, removed, see_that_a_reason_is_given
from ace.domain.errors import AceError, ChangedError, SeqTakenError
from ace.domain.opening import OpenState
from ace.domain.playbook import Draft, Playbook, digest, fold, id_named
from ace.domain.rules_block import block, block_in
from ace.domain.settings import DEFAULT_SECTIONS
from ace.domain.undo import Undone, reverting, rewinding
from ace.domain.waiting import Waiting, accepted_digest, shown_after, waiting_in
from ace.events.types import (
    Accepted,
    Bullet,
    BulletAdded,
    Event,
    PlaybookRestored,
    Removed,
    Reworded,
    StepRecord,
)
from ace.method import Check, admitted, now, place_block

__all__ = [
    "Decided",
    "Decision",
    "accept",
    "add",
    "adopt_block",
    "carry_out",
    "remove",
    "revert",
    "rewind",
    "reword",
    "waiting",
]


class Decision(msgspec.Struct, frozen=True, kw_only=True):
    """What a person decides, before it is done: the playbook that was looked at, at line `seq` of the log (0: there is none
    yet), the one that is to be, and the events that say so. `why` is the person's reason, and may be empty. `shown_before` and
    `shown` are what the rules show, which is less than the playbook while lessons wait for a review.

    `edited` are the lines of diffs, by file, where a block was changed by hand: the block is rendered again, so what `events` do
    not hold of that is lost. `passed_over` are sentences about what cannot be taken up.
    """

    command: str
    seq: int
    before: Playbook
    after: Playbook
    shown_before: Playbook
    shown: Playbook
    events: tuple[Event, ...]
    why: str
    edited: Mapping[Path, tuple[str, ...]]
    passed_over: tuple[str, ...] = ()


class Decided(msgspec.Struct, frozen=True):
    """What was done: the line of the log that says so, and the playbook after it."""

    record: StepRecord
    playbook: Playbook


# --- the decisions --------------------------------------------------------------------------------------------------


def remove(folder: FolderBook, ids: Sequence[str], *, why: str) -> Decision:
    """Take lessons out. Their texts do not come back in these words until a person adds them.

    Raises `AceError` for an id that is not in the playbook, and for a reason that is none or that a screen refuses; and, as all
    decisions do, for a host's folder, `StateError` or `LogError` for files that are damaged or do not agree, and `MarkerError`.
    """
    see_that_a_reason_is_given(why)
    looked = _Looked(folder, "remove", why)
    looked.desk.remove(ids)
    return looked.decided()


def reword(folder: FolderBook, identifier: str, text: str, *, why: str = "") -> Decision:
    """Give a lesson another text; its id and its counts stay, and the text before does not come back.

    Raises as `remove` does, and `AceError` for a text that says nothing, that a screen refuses, or that is there already.
    """
    looked = _Looked(folder, "reword", why)
    looked.desk.reword(identifier, text)
    return looked.decided()


def add(folder: FolderBook, text: str, *, section: str | None = None, why: str = "") -> Decision:
    """Add a lesson to a section (the last configured one, without), also one whose text was removed before. Raises as `reword` does,
    and `AceError` for an unknown section.
    """
    looked = _Looked(folder, "add", why)
    looked.desk.add(text, section)
    return looked.decided()


def revert(folder: FolderBook, seq: int, *, why: str = "") -> Decision:
    """Take one step back: the fold of the log without line `seq`. What was read stays read. Raises as `remove` does, and `AceError`
    where it is not defined (see `ace.domain.undo`).
    """
    looked = _Looked(folder, "revert", why)
    return looked.undoing(reverting(looked.records(), seq))


def rewind(folder: FolderBook, seq: int, *, why: str = "") -> Decision:
    """Go back to the playbook as it was after line `seq` (0: an empty one). What was read stays read. Raises as `revert` does."""
    looked = _Looked(folder, "rewind", why)
    return looked.undoing(rewinding(looked.records(), seq))


def adopt_block(folder: FolderBook, file: Path | None = None, *, why: str = "") -> Decision:
    """Take up what a person changed in a block by hand (in the first rules file, without a name): another text is `Reworded`, a
    line that is gone `Removed`, and a line without an id becomes a lesson. Counts are the log's, and a lesson stays in its section.

    Raises as `reword` does, each text with its line, and `AceError` for a file without a block, or in which nothing differs.
    """
    looked = _Looked(folder, "adopt --from-block", why)
    file = folder.rules_files[0] if file is None else file
    data = read_bytes(file)
    if data is None:
        raise AceError(
            f"{file} is not there: name the file with the block that you changed. Nothing was changed"
        )
    text = block_in(data).decode(errors="replace")
    if not text:
        raise AceError(f"{file} holds no block of a playbook, so there is nothing to take up")
    desk = looked.desk
    desk.take_up(text, str(file))
    if not desk.events:
        left = "".join(f" {one}." for one in desk.passed_over)
        raise AceError(f"the block in {file} holds the lessons of the playbook, and no others.{left}")
    return looked.decided()


def waiting(folder: FolderBook) -> Waiting:
    """What waits for a review. Takes no lock. Raises `StateError` or `LogError` for files that are damaged or do not agree."""
    state = folder.look()
    return waiting_in(state.playbook, state.accepted)


def accept(
    folder: FolderBook,
    ids: Sequence[str] | None = None,
    *,
    reworded: Mapping[str, str] | None = None,
    rejected: Sequence[str] | Mapping[str, str] = (),
    leave: bool = False,
    why: str = "",
) -> Decision:
    """Let lessons that wait for a review into the rules: those with these ids, and those of `reworded` in another text; without ids
    all that are not `rejected` (ids, or the reason for each by its id). The others are taken out, and their texts do not come back, or
    go on waiting with `leave`. Once no lesson waits, the rules show all of the playbook, with its counts.

    Raises as `reword` does, and `AceError` if nothing waits, or for an id that does not.
    """
    looked = _Looked(folder, "accept", why)
    return looked.accepting(ids, reworded or {}, rejected, leave=leave)


# --- doing it -------------------------------------------------------------------------------------------------------


def carry_out(
    folder: FolderBook,
    decision: Decision,
    *,
    check: Check | None = None,
    again: Callable[[], Decision] | None = None,
) -> Decided:
    """Write a decision: a line of the log, the snapshot, the block. `check` may refuse the rules files before anything is written.

    In a shared book others write at any moment: then `again` decides the same on what they left, as often as needed, and that is
    written if it says the same of the same lessons.

    Raises `ChangedError` if the playbook is another one by now, and `AceError` if the check refuses, and for the block of another
    playbook in a rules file; `LockedError`, `StateError`, `LogError`, `MarkerError` and `OSError`.
    """
    wanted = _meant(decision)
    while True:
        try:
            return _carried_out(folder, decision, check)
        except (ChangedError, SeqTakenError):
            if again is None:
                raise
            decision = again()
            if _meant(decision) != wanted:
                raise ChangedError(
                    "the lessons that this is about have changed since you looked at them, and nothing was done: give the command again"
                ) from None


def _meant(decision: Decision) -> list[tuple[str, ...]]:
    """What a decision says of which lessons, whatever their counts are and whatever id a new one gets."""
    said: list[tuple[str, ...]] = []
    for event in decision.events:
        match event:
            case Removed():
                said.append(("out", event.id, event.content))
            case Reworded():
                said.append(("reworded", event.id, event.before, event.after))
            case Accepted():
                said.append(("accepted", event.id, event.content))
            case BulletAdded():
                said.append(("in", event.section, event.content))
            case PlaybookRestored():
                said.append(("restored", event.reason))
            case _:
                said.append((type(event).__name__,))
    return said


def _carried_out(folder: FolderBook, decision: Decision, check: Check | None) -> Decided:
    see_ours(folder, decision.command)
    with folder.locked(f"ace {decision.command}"):
        folder.see_blocks()
        state = folder.open()
        if _seq(state.tail) != decision.seq or digest(state.playbook) != digest(decision.before):
            raise ChangedError(
                "the playbook has changed since you looked at it, and nothing was done: give the command again"
            )
        tail, sections = _imported(folder, state), _sections(state.tail)
        accepted = accepted_digest(decision.after, decision.shown)
        rules = folder.rules()
        candidate = admitted(rules.with_block(block(decision.shown, sections)), check)
        line = next_line(
            tail,
            decision.after,
            decision.events,
            sections=sections,
            block=candidate.digest,
            served=rules.digests[0],
            time=now(),
            why=decision.why,
            accepted=accepted,
        )
        folder.append(line)  # from here on it is decided
        folder.keep(decision.after)
        if accepted or state.accepted is not None:
            folder.keep_accepted(decision.shown if accepted else None)
        place_block(folder, candidate, check, is_admitted=True)
    return Decided(line, decision.after)


def _imported(folder: FolderBook, state: OpenState) -> LogTail | None:
    """The end of the log, once a playbook from outside of it is logged and a snapshot that lags behind is written."""
    tail = state.tail
    if state.restored is not None:
        rules, sections = folder.rules(), _sections(tail)
        line = next_line(
            tail,
            state.playbook,
            (state.restored, *state.screened),
            sections=sections,
            block=rules.with_block(block(state.playbook, sections)).digest,
            served=rules.digests[0],
            time=now(),
        )
        tail = folder.append(line)
    if state.stale:
        folder.keep(state.playbook)
    return tail


# --- looking at it --------------------------------------------------------------------------------------------------


class _Log:
    """The lines of a folder's log, read again each time."""

    def __init__(self, folder: FolderBook) -> None:
        self._folder = folder

    def __iter__(self) -> Iterator[StepRecord]:
        return self._folder.log.verified()


class _Looked:
    """What a decision looks at: the folder as it is, and the desk that decides about its playbook."""

    def __init__(self, folder: FolderBook, command: str, why: str) -> None:
        see_ours(folder, command)
        self._folder = folder
        self._command = command
        told = reason_given(why)
        folder.see_blocks(write=False)
        state = folder.look()
        self._tail = state.tail
        self._playbook = state.playbook
        self._shown = state.shown
        self.desk = Desk(
            state.playbook,
            lines=folder.rules().lines(),
            told_rules=str(folder.rules_files[0]),
            sections=_sections(state.tail),
            step=next_seq(state.tail) + (state.restored is not None),
            why=told,
            screens=folder.screens,
            shown=state.shown,
        )

    def records(self) -> Iterable[StepRecord]:
        """The log, its chain checked as often as it is read. Raises `AceError` if there is none."""
        if self._tail is None:
            raise AceError(
                f"there is no log in {self._folder.told_place()} yet, and so nothing to go back to: `ace learn` begins it"
            )
        return _Log(self._folder)

    def accepting(
        self,
        ids: Sequence[str] | None,
        reworded: Mapping[str, str],
        rejected: Sequence[str] | Mapping[str, str],
        *,
        leave: bool,
    ) -> Decision:
        """A decision about what waits for a review."""
        left = waiting_in(self._playbook, self._shown)
        if not left:
            raise AceError("nothing waits for a review: the rules show all of the playbook")
        lessons = {one.id: one for one in left.lessons}
        texts = {self._waits(lessons, name): text for name, text in reworded.items()}
        reasons = rejected if isinstance(rejected, Mapping) else dict.fromkeys(rejected, "")
        out = {self._waits(lessons, name): reason_given(why) for name, why in reasons.items()}
        wanted = lessons.keys() - out if ids is None else {self._waits(lessons, name) for name in ids}
        if twice := (wanted | texts.keys()) & out.keys():
            raise AceError(
                f"{min(twice)} is to be accepted and rejected: say one of the two. Nothing was changed"
            )
        desk = self.desk
        for bullet in left.lessons:
            if bullet.id in texts and texts[bullet.id] != bullet.content:
                content = desk.lesson(texts[bullet.id], but=bullet.id)
                desk.note(Reworded(bullet.id, bullet.content, content, "person", desk.why))
                desk.note(Accepted(bullet.id, content))
            elif bullet.id in wanted or bullet.id in texts:
                desk.note(Accepted(bullet.id, bullet.content))
            elif bullet.id in out or not leave:
                desk.note(removed(bullet, out.get(bullet.id) or desk.why or "not accepted"))
        is_last = len({event.id for event in desk.events if isinstance(event, Accepted | Removed)}) == len(
            lessons
        )
        return self.decided(shown=desk.playbook if is_last else None)

    def _waits(self, lessons: Mapping[str, Bullet], name: str) -> str:
        """The id of a lesson that waits. Raises `AceError` if it does not."""
        identifier = id_named(name)
        if identifier not in lessons:
            self.desk.bullet(identifier)
            raise AceError(f"{identifier} does not wait for a review: the rules show it already")
        return identifier

    def decided(self, *, shown: Playbook | None = None) -> Decision:
        """What was decided at the desk."""
        return self.decision(self.desk.events, tuple(self.desk.passed_over), shown=shown)

    def undoing(self, undone: Undone) -> Decision:
        """A decision by which something is taken back."""
        return self.decision(undone.events, shown=undone.accepted or undone.playbook)

    def decision(
        self, events: Sequence[Event], passed_over: tuple[str, ...] = (), *, shown: Playbook | None = None
    ) -> Decision:
        """What these events come to. What the rules show follows from them, if it is not given."""
        after = fold(self._playbook, events)
        if shown is None and self._shown is self._playbook:
            shown = after
        if shown is None:
            shown = shown_after(self._shown, events, Draft(after).bullet)
        return Decision(
            command=self._command,
            seq=_seq(self._tail),
            before=self._playbook,
            after=after,
            shown_before=self._shown,
            shown=shown,
            events=tuple(events),
            why=self.desk.why,
            edited=self._folder.edits(self._shown),
            passed_over=passed_over,
        )


def _seq(tail: LogTail | None) -> int:
    return 0 if tail is None else tail.record.seq


def _sections(tail: LogTail | None) -> tuple[str, ...]:
    return (tail.record.sections if tail is not None else ()) or DEFAULT_SECTIONS
