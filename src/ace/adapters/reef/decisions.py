"""What is decided about lessons outside of the method's steps, and is logged before the next one.

    the evaluation     lessons that it rejected alone are removed (`trials`)
    the operator       orders, sealed with the operator's secret (`inbox`)
    a person           who promoted a release that waited for a review, in which a proposal had changed the block: the change
                       counts, since that person looked at it

Whatever else changed the block is put back by the step, which says so (`put_back`): proposals come from agents, too. What a person
decides passes the screens, Reef's among them, and what cannot be done is reported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from reef.harness.tree.nodes import secret_shaped

from ace.adapters.reef.inbox import WaitingOrder
from ace.adapters.reef.rules_entry import FILE, Entry, rules_text
from ace.adapters.reef.trials import Trial
from ace.domain.desk import Desk, reason_given
from ace.domain.edited_block import lessons_in, prose_in
from ace.domain.errors import AceError
from ace.domain.orders import Order
from ace.domain.playbook import Playbook, fold
from ace.domain.rules_block import Line, block_in, bullet_line, lines_outside
from ace.domain.screens import safe_excerpt
from ace.domain.settings import ACESettings
from ace.events.types import BulletAdded, Event, Removed, Reworded

__all__ = ["Decisions", "edit_in", "events_of", "put_back"]

_SETTINGS: Final = "evolution.method.config"


@dataclass(frozen=True)
class Decisions:
    """What is to be decided: `trial` may hold lessons to be removed, `orders` are the operator's, none later than `last`, and
    `edit` what a promoted release changed.
    """

    trial: Trial
    orders: Sequence[WaitingOrder] = ()
    last: str = ""
    edit: Sequence[Order] = ()
    settings: ACESettings = field(default_factory=ACESettings)

    def made(self, playbook: Playbook, rules: bytes, step: int) -> tuple[tuple[Event, ...], dict[str, str]]:
        """The events that this comes to, and the reasons why some of it could not be done, by the id of the proposal."""
        events: list[Event] = list(self.trial.removals(playbook))
        refused: dict[str, str] = {}
        if not (self.edit or self.orders):
            return tuple(events), refused
        lines, last = lines_outside(rules), self.last
        for identifier, order in (*(("the promoted release", one) for one in self.edit), *self.orders):
            if order.time and order.time <= last:
                refused[identifier] = (
                    "an order of this time or a later one was done already: give the command again"
                )
                continue
            try:
                events += events_of(order, fold(playbook, events), lines, self.settings, step)
            except AceError as error:
                refused[identifier] = str(error)
            last = order.time or last
        return tuple(events), refused

    def latest(self) -> str:
        """The time of the last order that is known."""
        return max((self.last, *(one.order.time for one in self.orders)))


def events_of(
    order: Order, playbook: Playbook, lines: Mapping[str, Line], settings: ACESettings, step: int
) -> list[Event]:
    """The events that an order comes to. Raises `AceError` for what cannot be done as things are."""
    desk = _desk(playbook, lines, settings, step, reason_given(order.why))
    match order.command:
        case "remove":
            desk.remove(order.bullets)
        case "reword":
            for identifier in order.bullets:
                desk.reword(identifier, order.text)
        case "add":
            desk.add(order.text, order.section)
    for event in desk.events:
        text = event.content if isinstance(event, BulletAdded) else getattr(event, "after", "")
        if secret_shaped(bullet_line("ace-00001", 0, 0, text)):
            raise AceError(
                "this text cannot be a lesson: Reef takes a part of it for a credential. Nothing was changed"
            )
    return desk.events


def _desk(playbook: Playbook, lines: Mapping[str, Line], settings: ACESettings, step: int, why: str) -> Desk:
    return Desk(
        playbook,
        lines=lines,
        told_rules=FILE,
        sections=settings.sections,
        step=step,
        why=why,
        screens=settings.screens,
        told_settings=_SETTINGS,
    )


# --- a block that was changed ---------------------------------------------------------------------------------------


def edit_in(
    entries: Sequence[Entry],
    playbook: Playbook,
    trial: Trial,
    proposal: Mapping[str, Any],
    settings: ACESettings,
) -> list[Order]:
    """What the block in this tree, changed by a proposal, says otherwise than the playbook that was shown in it. Raises `AceError`
    for a text that cannot be taken up, and `MarkerError`.
    """
    rules = (rules_text(entries) or "").encode(errors="replace")
    shown = Playbook(
        playbook.next_number, tuple(one for one in playbook.bullets if one.id not in trial.unserved)
    )
    reason = safe_excerpt(str(proposal.get("reason") or ""), 200)
    why = f"in a release that was promoted: {reason}" if reason else "in a release that was promoted"
    desk = _desk(shown, lines_outside(rules), settings, 0, why)
    desk.take_up(block_in(rules).decode(errors="replace"), FILE)
    return [_as_order(event, why) for event in desk.events]


def _as_order(event: Event, why: str) -> Order:
    match event:
        case Removed():
            return Order(scenario="", time="", command="remove", bullets=(event.id,), why=why)
        case Reworded():
            return Order(
                scenario="", time="", command="reword", bullets=(event.id,), text=event.after, why=why
            )
        case BulletAdded():
            return Order(
                scenario="", time="", command="add", text=event.content, section=event.section, why=why
            )
        case _:
            raise TypeError(f"a block that was changed says no {type(event).__name__}")


_MOST_LINES: Final = 20


def put_back(rules: bytes, playbook: Playbook, unserved: Iterable[str]) -> list[str]:
    """The lines of a block that are none of this playbook's, as sentences; and which of its lessons are not there."""
    found = list(_foreign(block_in(rules).decode(errors="replace"), playbook, frozenset(unserved)))
    left = len(found) - _MOST_LINES
    return found if left <= 0 else [*found[:_MOST_LINES], f"and {left} more"]


def _foreign(text: str, playbook: Playbook, unserved: frozenset[str]) -> Iterator[str]:
    there = {one.id: one.content for one in playbook.bullets}
    named = {content: identifier for identifier, content in there.items()}
    lines, seen = text.splitlines(), set[str]()
    for one in lessons_in(text):
        # A line without an id may have become a lesson just now.
        identifier = one.id or named.get(one.text, "")
        is_known = there.get(identifier) == one.text and identifier not in seen
        seen.add(identifier)
        if is_known:
            continue
        yield f"line {one.number} of the block: {safe_excerpt(lines[one.number - 1].strip())}"
    for number in prose_in(text):
        yield f"line {number} of the block: {safe_excerpt(lines[number - 1].strip())}"
    for identifier in there:
        if identifier not in seen and identifier not in unserved:
            yield f"{identifier} had been taken out"
