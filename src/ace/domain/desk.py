"""What a person decides about single lessons, as events: each text passes the screens, and nothing is done here.

A desk holds the playbook as it is. Each of its decisions is an event, which it applies before the next one: what is taken out
counts first, since its text may have moved to another lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ace.domain.content import bare, clean, says_nothing
from ace.domain.edited_block import lessons_in, prose_in
from ace.domain.errors import AceError
from ace.domain.playbook import Draft, Playbook, bullet_id, id_named, key_of
from ace.domain.rules_block import Line, line_key
from ace.domain.screens import ACTS, MARKING_SCREENS, SCREENS, Screen, acting_kind, refusal
from ace.domain.settings import DEFAULT_SECTIONS, section_key
from ace.domain.similar import alike_to
from ace.events.types import Bullet, BulletAdded, Event, Removed, Reworded

__all__ = ["Desk", "reason_given", "removed", "see_that_a_reason_is_given"]


def see_that_a_reason_is_given(why: str | None) -> None:
    """Raises `AceError` if the lesson is to be removed without one."""
    if not (why or "").strip():
        raise AceError("give the reason with --reason: the log keeps why a lesson was removed")


def reason_given(why: str) -> str:
    """A reason as the log keeps it, on one line. Raises `AceError` for one that a screen refuses."""
    told = " ".join(why.split())
    if told and (reason := refusal(told, MARKING_SCREENS)) is not None:
        raise AceError(f"the reason that you give cannot be kept in the log: {reason}. Say it otherwise")
    return told


class Desk:
    """Decides about one playbook. `lines` are those of the rules around the block, by their `line_key`, and `told_rules` is what
    the file is called; `sections` are where a lesson can go, `step` is the number of the step that an added lesson is of, and `why`
    the person's reason. `screens` are those that a lesson has to pass, and `told_settings` is where to choose them. `shown` is what
    the rules show, where some of the playbook waits for a review.

    Every decision raises `AceError` where it cannot be, in a sentence that says that nothing was changed.
    """

    def __init__(
        self,
        playbook: Playbook,
        *,
        lines: Mapping[str, Line],
        told_rules: str,
        sections: Sequence[str] = DEFAULT_SECTIONS,
        step: int,
        why: str = "",
        screens: Sequence[Screen] = SCREENS,
        told_settings: str = "[settings] of a trusted config.toml",
        shown: Playbook | None = None,
    ) -> None:
        self.why = why
        self.events: list[Event] = []
        self.passed_over: list[str] = []
        self._draft = Draft(playbook)
        self._there = frozenset(one.id for one in playbook.bullets)
        self._shown = self._there if shown is None else frozenset(one.id for one in shown.bullets)
        self._lines = lines
        self._told_rules = told_rules
        self._sections = tuple(sections)
        self._step = step
        self._screens = tuple(screens)
        self._told_settings = told_settings

    @property
    def playbook(self) -> Playbook:
        """The playbook after what was decided so far."""
        return self._draft.freeze()

    def remove(self, names: Sequence[str]) -> None:
        """Take lessons out. Raises `AceError` for an id that is not there, and without a reason."""
        see_that_a_reason_is_given(self.why)
        for bullet in [self.bullet(name) for name in dict.fromkeys(map(id_named, names))]:
            self.note(removed(bullet, self.why))

    def reword(self, name: str, text: str) -> None:
        """Give a lesson another text; its id and its counts stay."""
        bullet = self.bullet(id_named(name))
        content = self.lesson(text, but=bullet.id)
        if content == bullet.content:
            raise AceError(f"{bullet.id} says that already, word for word: nothing was changed")
        self.note(Reworded(bullet.id, bullet.content, content, "person", self.why))

    def add(self, text: str, section: str | None = None) -> None:
        """Add a lesson to a section (the last one, without), also one whose text was removed before."""
        content = self.lesson(text)
        self.note(self._added(content, self.section(section)))

    def take_up(self, text: str, file: str) -> None:
        """Take up what a person changed in a block by hand: another text is `Reworded`, a line that is gone `Removed`, and a line
        without an id becomes a lesson. What cannot be taken up is in `passed_over`.
        """
        shown, there = list(lessons_in(text)), {one.id: one for one in self.playbook.bullets}
        listed = [one.id for one in shown if one.id]
        for bullet in there.values():
            if bullet.id not in listed and not self._not_taken(bullet.id):
                self.note(removed(bullet, self.why or f"taken out of {file.rpartition('/')[2]}"))
        for one in shown:
            where = f"{file}, line {one.number} of the block: "
            if listed.count(one.id) > 1:
                raise AceError(f"{where}{one.id} is there twice. Nothing was changed")
            if not one.id:
                content = self.lesson(one.text, where=where)
                self.note(self._added(content, self.section(one.section or None)))
            elif reason := self._not_taken(one.id):
                self.passed_over.append(f"{where}{one.id} {reason}")
            elif clean(one.text) != (before := there[one.id].content):
                content = self.lesson(one.text, but=one.id, where=where)
                self.note(Reworded(one.id, before, content, "person", self.why))
        self.passed_over += [
            f"{file}, line {line} of the block is not a lesson, and is removed" for line in prose_in(text)
        ]

    def _not_taken(self, identifier: str) -> str:
        """Why what a block says of a lesson is not taken up, as the rest of a sentence; nothing if it is."""
        if identifier in self._there:
            return (
                "" if identifier in self._shown else "waits for a review: say `ace review`, or `ace accept`"
            )
        if identifier in self._shown:
            return "waits for a review to leave the rules: say `ace review`"
        return "is not in the playbook. To add its text, write it without an id"

    def note(self, event: Event) -> None:
        """Take down a decision: the next one is about the playbook after it."""
        self.events.append(event)
        self._draft.apply((event,))

    def bullet(self, identifier: str) -> Bullet:
        """The lesson with this id. Raises `AceError` if it is not there."""
        found = self._draft.bullet(identifier)
        if found is None and identifier in self._shown - self._there:
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
        """The section that is meant; the last one, without a name. Raises `AceError` if there is none of that name."""
        known = [*self._sections, *(row.added_as.section for row in self._draft.rows.values())]
        if name is None:
            return self._sections[-1]
        found = next((one for one in known if section_key(one) == section_key(name)), None)
        if found is None:
            raise AceError(f"there is no section {name!r}: name one of {', '.join(dict.fromkeys(known))}")
        return found

    def lesson(self, text: str, *, but: str = "", where: str = "") -> str:
        """The text as a bullet has it. Raises `AceError` if it cannot be one: `but` is the bullet that it may be equal to."""
        content = clean(text)
        looks = dict.fromkeys((text, content, bare(content)))
        reason = next((found for look in looks if (found := refusal(look, self._screens)) is not None), None)
        if reason is not None and reason.startswith(ACTS):
            raise AceError(
                f'{where}this is {reason}, which the setting acting_lessons refuses: with acting_lessons = "mark" under '
                f"{self._told_settings} it is taken, and marked. Nothing was changed"
            )
        if reason is not None:
            raise AceError(f"{where}this text cannot be a lesson: {reason}. Nothing was changed")
        if says_nothing(content):
            raise AceError(f"{where}this text says nothing: name what to do, and when. Nothing was changed")
        same = self._draft.bullet_with(key_of(content))
        if same is not None and same != but:
            waits = (
                ""
                if same not in self._there - self._shown
                else f", and waits for a review (`ace accept {same} --leave` lets it in)"
            )
            raise AceError(f"{where}{same} says that already{waits}. Nothing was changed")
        if (line := self._lines.get(line_key(content))) is not None:
            file = line.file or self._told_rules
            raise AceError(f"{where}line {line.number} of {file} says that already. Nothing was changed")
        return content

    def _added(self, content: str, section: str) -> BulletAdded:
        rows = ((row.added_as.id, row.added_as.content) for row in self._draft.rows.values())
        return BulletAdded(
            trace="",
            item=0,
            id=bullet_id(self._draft.next_number),
            section=section,
            content=content,
            step=self._step,
            by="person",
            marked=acting_kind(content) if self._screens == MARKING_SCREENS else "",
            similar=alike_to(content, rows),
        )


def removed(bullet: Bullet, why: str) -> Removed:
    """The event by which a person takes this lesson out."""
    return Removed(bullet.id, bullet.section, bullet.content, bullet.helpful, bullet.harmful, "person", why)
