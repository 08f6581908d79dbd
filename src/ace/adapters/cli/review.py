"""`ace review`: what waits for a review, lesson by lesson with its evidence, and what a person says to each.

Nothing is done before the end: then all that was said is shown as one decision, asked for, and is one line of the log. Without a
terminal it lists what waits.
"""

from __future__ import annotations

import shutil
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Literal

import msgspec

from ace.adapters.cli.asking import agreed, is_terminal, written
from ace.adapters.cli.decide import decide
from ace.adapters.cli.folder import folder_of
from ace.adapters.cli.output import tell, told_waiting, visible
from ace.adapters.cli.story import story_lines, teaching_of
from ace.adapters.store.folder_book import FolderBook
from ace.deciding import Decision, accept, waiting
from ace.domain.desk import reason_given
from ace.domain.errors import AceError, ChangedError, LockedError
from ace.domain.playbook import Bullet
from ace.domain.stories import Story, stories_of
from ace.domain.summary import plural
from ace.domain.waiting import Waiting

__all__ = ["run"]

type Answer = Literal["accept", "reword", "reject", "later", "back", "quit"]


class _Verdict(msgspec.Struct, frozen=True):
    """What a person said to a lesson with this text; `text` is the other one that it is to get, or why it is rejected."""

    content: str
    answer: Answer
    text: str = ""


def run(options: Namespace) -> int:
    """List what waits, or ask about each of it. Takes no lock while a person thinks."""
    folder = folder_of(options)
    left = waiting(folder)
    stories = stories_of(folder.log.verified(), [one.id for one in (*left.lessons, *left.leaving)])
    if options.json:
        _print_json(folder, left, stories)
        return 0
    if not left:
        print("Nothing waits for a review: the rules show all of the playbook.")
        return 0
    if not (is_terminal() and sys.stdout.isatty()):
        for lines in _listed(folder, left, stories):
            print("\n".join(lines), end="\n\n")
        tell(f"{told_waiting(left)}.")
        return 0
    verdicts = _asked(folder, left, stories, why=options.reason or "")
    for lines in _leaving(folder, left, stories):
        print("\n".join(lines), end="\n\n")
    if left.counted:
        print(f"{plural(left.counted, 'other lesson')} would show other counts once no lesson waits.")
    return _conclude(options, folder, verdicts)


# --- what waits -----------------------------------------------------------------------------------------------------


def _listed(folder: FolderBook, left: Waiting, stories: Mapping[str, Story]) -> Iterator[list[str]]:
    for one in left.lessons:
        yield list(story_lines(folder, stories[one.id], _width()))
    yield from _leaving(folder, left, stories)


def _leaving(folder: FolderBook, left: Waiting, stories: Mapping[str, Story]) -> Iterator[list[str]]:
    """The lessons that a step took out, which the rules still show."""
    for one in left.leaving:
        yield ["It would leave the rules:", *story_lines(folder, stories[one.id], _width())]


def _width() -> int:
    return max(40, shutil.get_terminal_size((110, 24)).columns)


def _print_json(folder: FolderBook, left: Waiting, stories: Mapping[str, Story]) -> None:
    told = {
        "lessons": [
            {**msgspec.to_builtins(one), "taught_by": teaching_of(folder, stories[one.id])}
            for one in left.lessons
        ],
        "leaving": left.leaving,
        "counted": left.counted,
    }
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(told), indent=2) + b"\n")


# --- what a person says ---------------------------------------------------------------------------------------------

_ANSWERS: Mapping[str, Answer] = {
    **dict.fromkeys(("a", "accept", "y", "yes"), "accept"),
    **dict.fromkeys(("w", "reword"), "reword"),
    **dict.fromkeys(("r", "reject", "n", "no"), "reject"),
    **dict.fromkeys(("l", "later", ""), "later"),
    **dict.fromkeys(("b", "back"), "back"),
    **dict.fromkeys(("q", "quit"), "quit"),
}

_QUESTION = "[a]ccept, re[w]ord, [r]eject, [l]ater, [b]ack, [q]uit? "


def _asked(
    folder: FolderBook, left: Waiting, stories: Mapping[str, Story], why: str = ""
) -> dict[str, _Verdict]:
    """What a person says to each lesson, by its id. A lesson that is left for later has none. Without `why` a reason is asked for each
    that is rejected.
    """
    verdicts: dict[str, _Verdict] = {}
    at = 0
    while at < len(left.lessons):
        lesson = left.lessons[at]
        tell(f"Lesson {at + 1} of {len(left.lessons)}:")
        print("\n".join(story_lines(folder, stories[lesson.id], _width())))
        answer = _answer()
        if answer == "quit":
            break
        if answer == "back":
            at = max(0, at - 1)
            continue
        verdicts.pop(lesson.id, None)
        text = _another_text(folder, lesson) if answer == "reword" else ""
        if answer == "reword" and not text:
            continue  # ask again
        if answer == "reject" and not why:
            text = _why()
        if answer != "later":
            verdicts[lesson.id] = _Verdict(lesson.content, answer, text)
        at += 1
        print()
    return verdicts


def _answer() -> Answer:
    while True:
        try:
            given = input(_QUESTION).strip().casefold()
        except EOFError:
            print()
            return "quit"
        found = _ANSWERS.get(given)
        if found is not None:
            return found
        print("Give one of the letters; Enter leaves the lesson for later, q ends with what was said so far.")


def _why() -> str:
    """Why a lesson is rejected, as the log can keep it; nothing if a person gives no reason."""
    while True:
        try:
            return reason_given(input("Why? It goes into the log; Enter gives no reason. "))
        except EOFError:
            print()
            return ""
        except AceError as error:
            tell(str(error))


def _another_text(folder: FolderBook, lesson: Bullet) -> str:
    """Another text for the lesson, which can be one; nothing if a person gives none."""
    try:
        text = written("reword", lesson.content)
        if not text.strip():
            return ""
        accept(folder, [], reworded={lesson.id: text}, leave=True)
    except AceError as error:
        tell(str(error))
        return ""
    return text


# --- doing it -------------------------------------------------------------------------------------------------------


def _conclude(options: Namespace, folder: FolderBook, verdicts: Mapping[str, _Verdict]) -> int:
    """Do what was said. Steps may have been made meanwhile: what they brought waits, too, and what was said counts."""
    while True:
        left = waiting(folder)
        if not left:
            raise AceError("nothing waits for a review any more: somebody else has decided")
        said = {
            one.id: verdicts[one.id]
            for one in left.lessons
            if one.id in verdicts and verdicts[one.id].content == one.content
        }
        if gone := verdicts.keys() - said.keys():
            tell(f"Changed or gone meanwhile: {', '.join(sorted(gone))}.")
        if left.lessons and not said:
            print("Nothing was decided: all lessons wait on.")
            return 0
        decided = partial(_decided, options, folder, said)
        try:
            return decide(options, folder, decided(), again=decided if folder.is_shared else None)
        except ChangedError:
            print("A step was made meanwhile. With what is there now:")
        except LockedError as error:
            tell(f"{visible(str(error))}.")
            options.yes = False
            print("Try again once it has ended.")
            if not agreed():
                print("Nothing was done.")
                return 1


def _decided(options: Namespace, folder: FolderBook, said: Mapping[str, _Verdict]) -> Decision:
    """What was said, as one decision about what there is now. Raises `ChangedError` if a lesson of it is not there any more."""
    there = {one.id: one.content for one in waiting(folder).lessons}
    if any(there.get(name) != one.content for name, one in said.items()):
        raise ChangedError("a lesson that this is about does not wait any more, or says something else")
    return accept(
        folder,
        [name for name, one in said.items() if one.answer == "accept"],
        reworded={name: one.text for name, one in said.items() if one.answer == "reword"},
        rejected={name: one.text for name, one in said.items() if one.answer == "reject"},
        leave=True,
        why=options.reason or "",
    )
