"""`ace show ID` and `ace show --run RUN`: the life of a lesson, and what a run taught, each on one screen."""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress

import msgspec

from ace.adapters.cli.folder import command_on
from ace.adapters.cli.moments import told_time
from ace.adapters.cli.output import tell, visible
from ace.adapters.models import RecordedCall, load_calls
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.step_record import CALLS
from ace.domain.errors import AceError, TraceError
from ace.domain.quoting import turns_about
from ace.domain.replies import UnusableReplyError, read_reflection
from ace.domain.stories import Chapter, Reading, Story, readings_of, story_of
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.domain.transcript import sanitize
from ace.events.types import BulletAdded, PlaybookRestored, RunRead, TagCounted

__all__ = ["print_run", "print_story", "story_lines", "teaching_of"]


def print_story(folder: FolderBook, bullet: str, *, as_json: bool, width: int) -> int:
    """Print the life of a lesson, also of one that is gone. Raises `AceError` for one that the log does not know."""
    story = story_of(folder.log.verified(), bullet)
    if not story.chapters:
        raise AceError(f"the log has no bullet {bullet}: {command_on(folder, 'show')} lists them")
    if as_json:
        _print_json([_row(one) for one in story.chapters])
        return 0
    for line in story_lines(folder, story, width):
        print(line)
    return 0


def story_lines(folder: FolderBook, story: Story, width: int) -> Iterator[str]:
    """The life of a lesson in lines for a terminal of this width, control characters shown."""
    return (_wrapped(line, width) for line in _told_story(folder, story))


def teaching_of(folder: FolderBook, story: Story) -> dict[str, object]:
    """The run that taught a lesson, for a program: its line, the run as it was read, the Reflector's words, and the turns of the run
    that have most words in common with them. Nothing for a lesson of a person's own.
    """
    added = next((one for one in story.chapters if isinstance(one.event, BulletAdded)), None)
    if added is None or added.run is None:
        return {}
    call = _reflector_call(folder, added, added.run)
    analysis = "" if call is None else _analysis(call)
    turns = _turns(added, added.run, call, analysis)
    return {"seq": added.seq, "time": added.time, "run": added.run, "analysis": analysis, "turns": turns}


def print_run(folder: FolderBook, run: str, *, as_json: bool, width: int) -> int:
    """Print what became of a run. Raises `AceError` for one that the log does not know."""
    readings = list(readings_of(folder.log.verified(), run))
    if not readings:
        raise AceError(f"the log has no run {run}: `ace log` lists its lines with their runs")
    if as_json:
        _print_json([msgspec.structs.asdict(one) for one in readings])
        return 0
    for reading in readings:
        tell(f"{_place(reading)}:")
        refused = " (refused by the check: none of it took effect)" if reading.outcome == "refused" else ""
        print(_wrapped(f"    {sentence_of(reading.run)}{refused}", width))
        for event in reading.events:
            print(_wrapped(f"    {sentence_of(event)}", width))
    return 0


def _print_json(rows: Sequence[object]) -> None:
    sys.stdout.buffer.write(msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n")


def _row(chapter: Chapter) -> dict[str, object]:
    return {
        "seq": chapter.seq,
        "step": chapter.step,
        "time": chapter.time,
        "record": chapter.record,
        "why": chapter.why,
        "event": chapter.event,
        "run": chapter.run,
        "after": chapter.after,
    }


def _wrapped(line: str, width: int) -> str:
    """A line with its control characters shown, in the width of the terminal, further lines indented a little more."""
    text = visible(line)
    indent = " " * (len(text) - len(text.lstrip()) + 2)
    return textwrap.fill(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


# --- a lesson ---------------------------------------------------------------------------------------------------------


def _told_story(folder: FolderBook, story: Story) -> Iterator[str]:
    lesson = story.lesson
    if lesson is not None:
        yield f"[{story.id}] helpful={lesson.helpful} harmful={lesson.harmful} :: {lesson.content}"
        yield f"In {lesson.section}." if story.is_there else "No longer in the playbook."
        yield ""
    for chapter in story.chapters:
        yield f"{_place(chapter)}: {_told(chapter)}"
        if isinstance(chapter.event, BulletAdded):
            yield from _teaching(folder, chapter)
        elif isinstance(chapter.event, TagCounted) and chapter.run is not None and chapter.run.insight:
            yield f"    insight: {chapter.run.insight}"
        if chapter.why and chapter.why not in sentence_of(chapter.event):
            yield f"    why: {chapter.why}"
    if story.tags:
        yield f"{plural(len(story.tags), 'tag')}, from runs of {plural(story.tasks, 'task')}."


def _place(one: Chapter | Reading) -> str:
    when = f", {told_time(one.time)}" if one.time else ""
    kept = f" (record steps/{one.record})" if one.record else ""
    return f"line {one.seq}{when}, step {one.step}{kept}"


def _told(chapter: Chapter) -> str:
    event, after = chapter.event, chapter.after
    if isinstance(event, BulletAdded):
        source = f"from run {event.trace}" if event.trace else "by a person"
        alike = f"; similar to {', '.join(event.similar)}" if event.similar else ""
        marked = f"; marked, it acts: {event.marked}" if event.marked else ""
        return f"added {source} to {event.section}{marked}{alike}: {event.content}"
    if isinstance(event, PlaybookRestored):
        if after is None:
            return f"{event.reason}: no longer in the playbook"
        return f"{event.reason} with helpful={after.helpful} harmful={after.harmful}: {after.content}"
    return sentence_of(event)


def _teaching(folder: FolderBook, chapter: Chapter) -> Iterator[str]:
    """The run that taught a lesson: its task and score, the Reflector's words, and the turns that they speak of."""
    run = chapter.run
    if run is None:
        return
    yield f"    task: {run.task or 'none'} ({_score(run)})"
    call = _reflector_call(folder, chapter, run)
    analysis = "" if call is None else _analysis(call)
    if analysis:
        yield f"    what went wrong or right: {analysis}"
    if run.insight:
        yield f"    insight: {run.insight}"
    turns = _turns(chapter, run, call, analysis)
    if turns:
        yield "    turns of the run that have most words in common with that:"
    for turn in turns:
        yield from (f"      | {line}" for line in turn.splitlines())


def _turns(chapter: Chapter, run: RunRead, call: RecordedCall | None, analysis: str) -> list[str]:
    if call is None or call.prompt is None:
        return []
    lesson = chapter.after.content if chapter.after is not None else ""
    found = turns_about(call.prompt, f"{lesson} {run.insight} {analysis}")
    return ["\n".join(map(sanitize, turn.splitlines())) for turn in found]


def _score(run: RunRead) -> str:
    return "no score" if run.score is None else f"score {run.score:.15g}"


def _reflector_call(folder: FolderBook, chapter: Chapter, run: RunRead) -> RecordedCall | None:
    """The call in the record of the step, where that is still there. A run may be tried twice: the last one counts."""
    name = chapter.record
    path = folder.root / "steps" / name / CALLS
    if not name or (folder.root / "steps" / name).name != name or path.parent.is_symlink():
        return None
    calls: list[RecordedCall] = []
    with suppress(TraceError, OSError):
        calls = [one for one in load_calls(path) if one.role == "reflector" and one.trace == run.trace]
    return calls[-1] if calls else None


def _analysis(call: RecordedCall) -> str:
    try:
        return sanitize(" ".join(read_reflection(call.reply or "").error_analysis.split()))
    except UnusableReplyError:
        return ""
