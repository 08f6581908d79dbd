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

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.scenarios import is_scenario
from ace.domain.chain import LogTail, next_line, next_seq
from ace.domain.content import bare, clean, says_nothing
from ace.domain.errors import AceError, ChangedError, SeqTakenError
from ace.domain.opening import OpenState
from ace.domain.playbook import Draft, Playbook, bullet_id, digest, fold, id_named, key_of
from ace.domain.rules_block import Line, block, block_in, line_key
from ace.domain.screens import ACTS, MARKING_SCREENS, acting_kind, refusal
from ace.domain.settings import DEFAULT_SECTIONS, section_key
from ace.domain.similar import alike_to
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
from ace.method import Check, now, objection, place_block

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
    if not why.strip():
        raise AceError("say why the lesson has to go, with --reason: whoever reads the log wants to know")
    desk = _Desk(folder, "remove", why)
    removed = [desk.bullet(name) for name in dict.fromkeys(map(id_named, ids))]
    return desk.decision([_removed(one, desk.why) for one in removed])


def reword(folder: FolderBook, identifier: str, text: str, *, why: str = "") -> Decision:
    """Give a lesson another text; its id and its counts stay, and the text before does not come back.

    Raises as `remove` does, and `AceError` for a text that says nothing, that a screen refuses, or that is there already.
    """
    desk = _Desk(folder, "reword", why)
    bullet = desk.bullet(id_named(identifier))
    content = desk.lesson(text, but=bullet.id)
    if content == bullet.content:
        raise AceError(f"{bullet.id} says that already, word for word: nothing was changed")
    return desk.decision([Reworded(bullet.id, bullet.content, content, "person", desk.why)])


def add(folder: FolderBook, text: str, *, section: str | None = None, why: str = "") -> Decision:
    """Add a lesson to a section (the last configured one, without), also one whose text was removed before. Raises as `reword` does,
    and `AceError` for a section that there is not.
    """
    desk = _Desk(folder, "add", why)
    return desk.decision([desk.added(desk.lesson(text), desk.section(section))])


def revert(folder: FolderBook, seq: int, *, why: str = "") -> Decision:
    """Take one step back: the fold of the log without line `seq`. What was read stays read. Raises as `remove` does, and `AceError`
    where it is not defined (see `ace.domain.undo`).
    """
    desk = _Desk(folder, "revert", why)
    return desk.undoing(reverting(desk.records(), seq))


def rewind(folder: FolderBook, seq: int, *, why: str = "") -> Decision:
    """Go back to the playbook as it was after line `seq` (0: an empty one). What was read stays read. Raises as `revert` does."""
    desk = _Desk(folder, "rewind", why)
    return desk.undoing(rewinding(desk.records(), seq))


def adopt_block(folder: FolderBook, file: Path | None = None, *, why: str = "") -> Decision:
    """Take up what a person changed in a block by hand (in the first rules file, without a name): another text is `Reworded`, a
    line that is gone `Removed`, and a line without an id becomes a lesson. Counts are the log's, and a lesson stays in its section.

    Raises as `reword` does, each text with its line, and `AceError` for a file without a block, or in which nothing differs.
    """
    desk = _Desk(folder, "adopt --from-block", why)
    file = folder.rules_files[0] if file is None else file
    data = read_bytes(file)
    text = block_in(data or b"").decode(errors="replace")
    if not text:
        raise AceError(f"{file} holds no block of a playbook, so there is nothing to take up")
    return desk.taken(text, file)


def waiting(folder: FolderBook) -> Waiting:
    """What waits for a review. Takes no lock. Raises `StateError` or `LogError` for files that are damaged or do not agree."""
    state = folder.look()
    return waiting_in(state.playbook, state.accepted)


def accept(
    folder: FolderBook,
    ids: Sequence[str] | None = None,
    *,
    reworded: Mapping[str, str] | None = None,
    rejected: Sequence[str] = (),
    leave: bool = False,
    why: str = "",
) -> Decision:
    """Let lessons that wait for a review into the rules: those with these ids, and those of `reworded` in another text; without ids
    all that are not `rejected`. The others are taken out, and their texts do not come back, or go on waiting with `leave`. Once no
    lesson waits, the rules show all of the playbook, with its counts.

    Raises as `reword` does, and `AceError` if nothing waits, or for an id that does not.
    """
    desk = _Desk(folder, "accept", why)
    return desk.accepting(ids, reworded or {}, rejected, leave=leave)


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
    _see_that_it_is_ours(folder)
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
        candidate = rules.with_block(block(decision.shown, sections))
        if candidate.changed and (reason := objection(check, candidate.files)) is not None:
            raise AceError(f"the check refuses the rules with this: {reason}. Nothing was changed")
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


class _Desk:
    """What a decision looks at: the playbook as it is, the rules around it, and what was said as the reason."""

    def __init__(self, folder: FolderBook, command: str, why: str) -> None:
        _see_that_it_is_ours(folder)
        self._folder = folder
        self._command = command
        self.why = " ".join(why.split())
        if self.why and (reason := refusal(self.why, MARKING_SCREENS)) is not None:
            raise AceError(f"the reason that you give cannot be kept in the log: {reason}. Say it otherwise")
        folder.see_blocks(write=False)
        state = folder.look()
        self._tail = state.tail
        self._step = next_seq(state.tail) + (state.restored is not None)
        self._playbook = state.playbook
        self._shown = state.shown
        self._draft = Draft(state.playbook)
        self._lines: Mapping[str, Line] = folder.rules().lines()

    def records(self) -> Iterable[StepRecord]:
        """The log, its chain checked as often as it is read. Raises `AceError` if there is none."""
        if self._tail is None:
            raise AceError(
                f"there is no log in {self._folder.told_place()} yet, and so nothing to go back to: `ace learn` begins it"
            )
        return _Log(self._folder)

    def bullet(self, identifier: str) -> Bullet:
        """The bullet with this id. Raises `AceError` if it is not there."""
        found = next((one for one in self._playbook.bullets if one.id == identifier), None)
        if found is None and any(one.id == identifier for one in self._shown.bullets):
            raise AceError(
                f"a step has taken {identifier} out of the playbook, and it leaves the rules once that is accepted: say `ace review`"
            )
        if found is None:
            raise AceError(
                f"the playbook has no bullet {identifier}: `ace show` lists its bullets, and "
                f"`ace show {identifier}` says what became of it, if the log knows it"
            )
        return found

    def section(self, name: str | None) -> str:
        """The section that is meant. Raises `AceError` if there is none."""
        known = [*_sections(self._tail), *(one.section for one in self._playbook.bullets)]
        if name is None:
            return _sections(self._tail)[-1]
        found = next((one for one in known if section_key(one) == section_key(name)), None)
        if found is None:
            raise AceError(f"there is no section of that name: {', '.join(dict.fromkeys(known))}")
        return found

    def lesson(self, text: str, *, but: str = "", where: str = "") -> str:
        """The text as a bullet has it. Raises `AceError` if it cannot be one: `but` is the bullet that it may be equal to."""
        content = clean(text)
        looks = dict.fromkeys((text, content, bare(content)))
        reason = next(
            (found for look in looks if (found := refusal(look, self._folder.screens)) is not None), None
        )
        if reason is not None and reason.startswith(ACTS):
            raise AceError(
                f'{where}this is {reason}, which the setting acting_lessons refuses: with acting_lessons = "mark" under [settings] '
                "of a trusted config.toml it is taken, and marked. Nothing was changed"
            )
        if reason is not None:
            raise AceError(f"{where}this text cannot be a lesson ({reason}). Nothing was changed")
        if says_nothing(content):
            raise AceError(f"{where}this text says nothing: name what to do, and when. Nothing was changed")
        same = self._draft.bullet_with(key_of(content))
        if same is not None and same != but:
            shown = {one.id for one in self._shown.bullets}
            waits = (
                "" if same in shown else f", and waits for a review (`ace accept {same} --leave` lets it in)"
            )
            raise AceError(f"{where}{same} says that already{waits}. Nothing was changed")
        if (line := self._lines.get(line_key(content))) is not None:
            file = line.file or str(self._folder.rules_files[0])
            raise AceError(f"{where}line {line.number} of {file} says that already. Nothing was changed")
        return content

    def added(self, content: str, section: str) -> BulletAdded:
        """The event by which a person adds this lesson."""
        rows = ((row.added_as.id, row.added_as.content) for row in self._draft.rows.values())
        return BulletAdded(
            trace="",
            item=0,
            id=bullet_id(self._draft.next_number),
            section=section,
            content=content,
            step=self._step,
            by="person",
            marked=acting_kind(content) if tuple(self._folder.screens) == MARKING_SCREENS else "",
            similar=alike_to(content, rows),
        )

    def taken(self, text: str, file: Path) -> Decision:
        """What differs in a block that a person changed. What was taken out counts first: its text may have moved to another."""
        shown, there = list(_lessons_in(text)), {one.id: one for one in self._playbook.bullets}
        listed = [one.id for one in shown if one.id]
        events: list[Event] = []
        passed: list[str] = []
        for bullet in there.values():
            if bullet.id not in listed and not self._not_taken(bullet.id):
                self._note(events, _removed(bullet, self.why or f"taken out of {file.name}"))
        for one in shown:
            where = f"{file}, line {one.number} of the block: "
            if listed.count(one.id) > 1:
                raise AceError(f"{where}{one.id} is there twice. Nothing was changed")
            if not one.id:
                content = self.lesson(one.text, where=where)
                self._note(events, self.added(content, self.section(one.section or None)))
            elif reason := self._not_taken(one.id):
                passed.append(f"{where}{one.id} {reason}")
            elif clean(one.text) != (before := there[one.id].content):
                content = self.lesson(one.text, but=one.id, where=where)
                self._note(events, Reworded(one.id, before, content, "person", self.why))
        passed += [
            f"{file}, line {line} of the block is not a lesson, and is removed" for line in _prose_in(text)
        ]
        if not events:
            left = "".join(f" {one}." for one in passed)
            raise AceError(f"the block in {file} holds the lessons of the playbook, and no others.{left}")
        return self.decision(events, tuple(passed))

    def _not_taken(self, identifier: str) -> str:
        """Why what a block says of a lesson is not taken up, as the rest of a sentence; nothing if it is."""
        there, shown = (
            any(one.id == identifier for one in book.bullets) for book in (self._playbook, self._shown)
        )
        if there:
            return "" if shown else "waits for a review: say `ace review`, or `ace accept`"
        if shown:
            return "waits for a review to leave the rules: say `ace review`"
        return "is not in the playbook. To add its text, write it without an id"

    def _note(self, events: list[Event], event: Event) -> None:
        events.append(event)
        self._draft.apply((event,))

    def accepting(
        self, ids: Sequence[str] | None, reworded: Mapping[str, str], rejected: Sequence[str], *, leave: bool
    ) -> Decision:
        """A decision about what waits for a review."""
        left = waiting_in(self._playbook, self._shown)
        if not left:
            raise AceError("nothing waits for a review: the rules show all of the playbook")
        lessons = {one.id: one for one in left.lessons}
        texts = {self._waits(lessons, name): text for name, text in reworded.items()}
        out = {self._waits(lessons, name) for name in rejected}
        wanted = set(lessons) - out if ids is None else {self._waits(lessons, name) for name in ids}
        if twice := (wanted | texts.keys()) & out:
            raise AceError(
                f"{min(twice)} is to be accepted and rejected: say one of the two. Nothing was changed"
            )
        events: list[Event] = []
        for bullet in left.lessons:
            if bullet.id in texts and texts[bullet.id] != bullet.content:
                content = self.lesson(texts[bullet.id], but=bullet.id)
                self._note(events, Reworded(bullet.id, bullet.content, content, "person", self.why))
                self._note(events, Accepted(bullet.id, content))
            elif bullet.id in wanted or bullet.id in texts:
                self._note(events, Accepted(bullet.id, bullet.content))
            elif bullet.id in out or not leave:
                self._note(events, _removed(bullet, self.why or "not accepted"))
        is_last = len({event.id for event in events if isinstance(event, Accepted | Removed)}) == len(lessons)
        return self.decision(events, shown=self._draft.freeze() if is_last else None)

    def _waits(self, lessons: Mapping[str, Bullet], name: str) -> str:
        """The id of a lesson that waits. Raises `AceError` if it does not."""
        identifier = id_named(name)
        if identifier not in lessons:
            self.bullet(identifier)
            raise AceError(f"{identifier} does not wait for a review: the rules show it already")
        return identifier

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
            why=self.why,
            edited=self._folder.edits(self._shown),
            passed_over=passed_over,
        )


def _removed(bullet: Bullet, why: str) -> Removed:
    return Removed(bullet.id, bullet.section, bullet.content, bullet.helpful, bullet.harmful, "person", why)


def _seq(tail: LogTail | None) -> int:
    return 0 if tail is None else tail.record.seq


def _sections(tail: LogTail | None) -> tuple[str, ...]:
    return (tail.record.sections if tail is not None else ()) or DEFAULT_SECTIONS


def _see_that_it_is_ours(folder: FolderBook) -> None:
    """Raises `AceError` for a host's folder: what was written there would be put back by the host's next step."""
    if folder.owner == "host" or is_scenario(folder.root):
        raise AceError(
            f"{folder.root} is a host's, which brings its playbook along and puts back what is changed here. Roll the scenario "
            'back to a release that was right (docs/reef.md, "Roll back"): the host\'s next step goes on from there'
        )


# --- a block that was edited ----------------------------------------------------------------------------------------


class _Shown(msgspec.Struct, frozen=True):
    """A lesson as a block shows it: the line of the block, from 1, its id (empty without one), its text and its section."""

    number: int
    id: str
    text: str
    section: str


_BULLET = re.compile(
    r"\s*[-*+•]\s+(?:\[(?P<id>ace-\d{5,18})\](?:\s*helpful=\d+\s+harmful=\d+)?\s*(?:::)?\s*)?(?P<text>.*)"
)
_HEADING = re.compile(r"\s*###\s+(?P<title>.*?)\s*")


def _lessons_in(text: str) -> Iterator[_Shown]:
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := _HEADING.fullmatch(line):
            section = heading["title"]
        elif (found := _BULLET.fullmatch(line)) and (found["text"].strip() or found["id"]):
            yield _Shown(number, found["id"] or "", found["text"].strip(), section)


def _prose_in(text: str) -> Iterator[int]:
    """The numbers of the lines that are neither a lesson nor what every block holds."""
    frame = {line for line in block(_ONE_BULLET, ()).splitlines() if not line.startswith(("-", "###"))}
    for number, line in enumerate(text.splitlines(), 1):
        known = line.strip() in frame or _HEADING.fullmatch(line) or _BULLET.fullmatch(line)
        if line.strip() and not known:
            yield number


_ONE_BULLET = Playbook(2, (Bullet(bullet_id(1), "A section", "A lesson.", 0, 0, 1),))
