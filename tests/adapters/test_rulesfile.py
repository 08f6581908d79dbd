"""`rules.md` belongs to people too: what they save while a step is under way, and how their file looks, is kept."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.failing import Module, Operation, intercepted
from tests.adapters.hosting import Host, Place, Script, curation, lessons, reflection, run, scripted

from ace.adapters.store import files
from ace.domain.errors import AceError, CallError, MarkerError, StepError
from ace.domain.rules_block import BEGIN, END
from ace.method import ACE
from ace.ports import Request

TEXT = b"# Rules\n\nBe kind.\n"


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder in which one step was made: the block holds one bullet."""
    place = Place(tmp_path / "work", rules=TEXT)
    ACE().step(place.context([run("r0")]), Host(lessons()))
    return place


def while_asked(edit: Callable[[], object]) -> Script:
    """Learns as `lessons` does, and a person saves the file while the Curator thinks."""

    def curator(request: Request) -> str:
        edit()
        return lessons()(request)

    return scripted(reflection(), curator)


def rules_lines(place: Place) -> bytes:
    """The file without its block."""
    data = place.rules.read_bytes()
    start, end = data.index(BEGIN.encode()), data.index(END.encode()) + len(END)
    return data[:start] + data[end:]


# --- saved while a model is asked (33c) -----------------------------------------------------------------------------

EDITS: dict[str, Callable[[bytes], bytes]] = {
    "a line at the end": lambda data: data + b"Mind the gap.\n",
    "a line at the start": lambda data: b"Mind the gap.\n" + data,
    "a changed line": lambda data: data.replace(b"Be kind.", b"Be quick."),
    "no last line break": lambda data: data.rstrip(b"\n"),
    "everything on both sides": lambda data: b"New.\n" + data[len(TEXT) :] + b"Newer.",
    "other line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "bytes that are no text": lambda data: b"\xff\xfe\n" + data + b"\x80",
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
def test_33c_what_a_person_saves_meanwhile_survives(place: Place, edit: Callable[[bytes], bytes]) -> None:
    """CASES 33c: to the byte, and the block is spliced into the text as it is now."""
    saved: list[bytes] = []

    def save() -> None:
        place.rules.write_bytes(edit(place.rules.read_bytes()))
        saved.append(rules_lines(place))

    result = ACE().step(place.context([run("r1")]), Host(while_asked(save)))
    assert rules_lines(place) == saved[0]
    assert result.rules == place.rules.read_bytes()
    assert b"What r1 teaches." in result.rules
    assert place.agrees()


def test_33c_a_save_by_an_editor_that_replaces_the_file(place: Place) -> None:
    """CASES 33c: many editors write a new file and move it there."""

    def save() -> None:
        new = place.rules.with_suffix(".new")
        new.write_bytes(b"Mind the gap.\n" + place.rules.read_bytes())
        new.chmod(0o600)
        new.replace(place.rules)

    ACE().step(place.context([run("r1")]), Host(while_asked(save)))
    assert rules_lines(place).startswith(b"Mind the gap.\n# Rules")
    assert place.rules.stat().st_mode & 0o777 == 0o600
    assert place.agrees()


def test_33c_the_file_is_removed_meanwhile(place: Place) -> None:
    """CASES 33c: then it holds the block alone."""
    ACE().step(place.context([run("r1")]), Host(while_asked(place.rules.unlink)))
    assert rules_lines(place) == b"\n"
    assert place.agrees()


def test_33c_the_block_is_edited_meanwhile(place: Place) -> None:
    """CASES 33c: the block is the playbook's; what is written into it is replaced."""

    def save() -> None:
        place.rules.write_bytes(place.rules.read_bytes().replace(b"What r0 teaches.", b"What I say."))

    ACE().step(place.context([run("r1")]), Host(while_asked(save)))
    assert b"What I say." not in place.rules.read_bytes()
    assert place.agrees()


def test_33c_a_save_at_every_question(place: Place) -> None:
    """CASES 33c: also the last one counts."""

    def edited(request: Request) -> str:
        with place.rules.open("ab") as file:
            file.write(f"{request.role} {request.trace}\n".encode())
        return lessons()(request)

    ACE().step(place.context([run("r1"), run("r2")]), Host(edited))
    assert rules_lines(place).endswith(b"reflector r1\ncurator r1\nreflector r2\ncurator r2\n")
    assert place.agrees()


def test_33c_a_lesson_that_a_person_wrote_down_meanwhile(place: Place) -> None:
    """The lines outside are those that the step began with: the bullet is added, and the next one would be a duplicate."""

    def curator(_: Request) -> str:
        place.rules.write_bytes(place.rules.read_bytes() + b"- Mind the gap.\n")
        return curation("Mind the gap.")

    result = ACE().step(place.context([run("r1")]), Host(scripted(reflection(), curator)))
    assert len(result.playbook.bullets) == 2
    assert place.agrees()


@pytest.mark.parametrize("malformed", [f"{BEGIN}\n", f"{END}\n", f"{BEGIN}\n{END}\n"])
def test_markers_that_are_broken_meanwhile(place: Place, malformed: str) -> None:
    """The step is an error: state and log stay, the file stays as the person left it, and the run can be tried again."""

    def save() -> None:
        place.rules.write_bytes(place.rules.read_bytes() + malformed.encode())

    before = place.kept()
    with pytest.raises(MarkerError, match=r"line 1[23]"):
        ACE().step(place.context([run("r1")]), Host(while_asked(save)))
    after = place.kept()
    assert after.pop("rules.md") == before.pop("rules.md") + malformed.encode()
    assert after == before
    place.rules.write_bytes(place.rules.read_bytes().removesuffix(malformed.encode()))
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert place.contents() == ["What r0 teaches.", "What r1 teaches."]
    assert place.agrees()


def test_markers_that_are_broken_in_a_step_that_learns_nothing(place: Place) -> None:
    """The same error, although there is nothing to write."""
    script = scripted(reflection(), lambda _: (place.rules.write_text(BEGIN), curation())[1])
    with pytest.raises(MarkerError):
        ACE().step(place.context([run("r1")]), Host(script))
    assert len(place.records()) == 1


# --- saved while the host checks ------------------------------------------------------------------------------------


class Saver:
    """A check in the middle of which a person saves the file, so many times."""

    def __init__(self, place: Place, times: int) -> None:
        self.place = place
        self.times = times

    def __call__(self, files: Mapping[str, bytes]) -> None:
        """Save, if the candidate is what is checked."""
        if b"What r1 teaches." in files["rules.md"] and self.times:
            self.times -= 1
            self.place.rules.write_bytes(b"Saved.\n" + self.place.rules.read_bytes())


def test_a_save_during_the_check_is_checked_too(place: Place) -> None:
    """The host sees the very bytes that are written in the end."""
    host = Host(lessons(), Saver(place, 2))
    ACE().step(place.context([run("r1")]), host)
    assert place.rules.read_bytes().startswith(b"Saved.\nSaved.\n# Rules")
    assert host.checked[-1] == {"rules.md": place.rules.read_bytes()}
    assert place.agrees()


def test_a_file_that_never_rests_fails_the_step(place: Place) -> None:
    """Nothing is in the log then, and the run can be tried again."""
    before = len(place.records())
    with pytest.raises(StepError, match="keeps being changed"):
        ACE().step(place.context([run("r1")]), Host(lessons(), Saver(place, 1000)))
    assert len(place.records()) == before
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert place.agrees()


# --- saved behind the append ----------------------------------------------------------------------------------------


def behind_the_append(edit: Callable[[], object]) -> Callable[[str, Operation], Operation]:
    """Lets a person save the file right after the snapshot was written."""

    def wrap(name: str, operation: Operation) -> Operation:
        def call(*args: Any, **named: Any) -> Any:
            done = operation(*args, **named)
            if name == "replace" and str(args[1]).endswith("playbook.json"):
                edit()
            return done

        return call

    return wrap


def test_a_save_behind_the_append_survives(place: Place) -> None:
    """The text is checked again, spliced and written."""
    host = Host(lessons())
    with intercepted(behind_the_append(lambda: place.rules.write_bytes(b"Late.\n" + TEXT))):
        ACE().step(place.context([run("r1")]), host)
    assert rules_lines(place) == b"Late.\n" + TEXT + b"\n\n"
    assert host.checked[-1] == {"rules.md": place.rules.read_bytes()}
    assert place.agrees()


def test_a_save_during_the_check_behind_the_append(place: Place) -> None:
    """Whoever saves twice has the second text checked, spliced and written too."""
    texts = [b"Later.\n" + TEXT]

    def check(files: Mapping[str, bytes]) -> None:
        if files["rules.md"].startswith(b"Late.") and texts:
            place.rules.write_bytes(texts.pop())

    host = Host(lessons(), check)
    with intercepted(behind_the_append(lambda: place.rules.write_bytes(b"Late.\n" + TEXT))):
        ACE().step(place.context([run("r1")]), host)
    assert rules_lines(place).startswith(b"Later.\n# Rules")
    assert host.checked[-1] == {"rules.md": place.rules.read_bytes()}
    assert place.agrees()


def test_a_save_behind_the_append_that_the_host_refuses(place: Place) -> None:
    """The step is in the log already: this is not a `StepError`, after which its runs would be tried again. The block is
    put there once the host admits the text.
    """
    host = Host(lessons(), lambda files: "bad word" if b"Late" in files["rules.md"] else None)
    late = b"Late.\n" + place.rules.read_bytes()
    with (
        intercepted(behind_the_append(lambda: place.rules.write_bytes(late))),
        pytest.raises(AceError, match="bad word") as caught,
    ):
        ACE().step(place.context([run("r1")]), host)
    assert not isinstance(caught.value, StepError)
    assert place.runs_read() == ["r0", "r1"]
    assert (
        (place.root / "steps" / "00002" / "output" / "summary.md")
        .read_text()
        .startswith("# Step 2: committed")
    )
    assert place.rules.read_bytes() == late
    place.rules.write_bytes(TEXT)
    assert ACE().settle(place.context(), host)
    assert place.contents() == ["What r0 teaches.", "What r1 teaches."]
    assert place.agrees()


def test_markers_that_are_broken_behind_the_append(place: Place) -> None:
    """The step is in the log; the block is put there once the markers are repaired."""
    with (
        intercepted(behind_the_append(lambda: place.rules.write_text(BEGIN))),
        pytest.raises(MarkerError),
    ):
        ACE().step(place.context([run("r1")]), Host(lessons()))
    assert place.runs_read() == ["r0", "r1"]
    assert place.rules.read_text() == BEGIN
    place.rules.write_bytes(TEXT)
    ACE().step(place.context([run("r2")]), Host(lessons()))
    assert place.contents() == ["What r0 teaches.", "What r1 teaches.", "What r2 teaches."]
    assert place.agrees()


# --- how the file looks ---------------------------------------------------------------------------------------------


def test_33c_a_link_stays_a_link_and_private_stays_private(tmp_path: Path) -> None:
    """CASES 33c: two steps through a symbolic link to a file of mode 0600."""
    shared = tmp_path / "shared.md"
    shared.write_bytes(TEXT)
    shared.chmod(0o600)
    place = Place(tmp_path / "work")
    place.rules.symlink_to("../shared.md")
    for name in ("r1", "r2"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    assert os.readlink(place.rules) == "../shared.md"
    assert shared.stat().st_mode & 0o777 == 0o600
    assert b"What r2 teaches." in shared.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["shared.md", "work"]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"A\r\nB\r\n", b"A\r\nB\r\n\r\n"),
        (b"\xef\xbb\xbfA\r\nB", b"\xef\xbb\xbfA\r\nB\r\n\r\n"),
        (b"\xef\xbb\xbf", b"\xef\xbb\xbf"),
        (b"A", b"A\n\n"),
        (b"A\rB\r", b"A\rB\r\r"),
        (b"\xff\x00A\n", b"\xff\x00A\n\n"),
        (b"", b""),
    ],
)
def test_what_stood_there_is_kept_to_the_byte(tmp_path: Path, before: bytes, after: bytes) -> None:
    """BOM, CRLF, CR, a missing last line break, bytes that are not text; the block takes the first line's end."""
    place = Place(tmp_path, rules=before)
    for name in ("r1", "r2"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    data = place.rules.read_bytes()
    start = data.index(BEGIN.encode())
    assert data[:start] == after
    ends = {b"\r\n": data.count(b"\r\n"), b"\n": data.count(b"\n") - data.count(b"\r\n")}
    assert (ends[b"\r\n"] > 0) == (b"\r\n" in before)
    assert (ends[b"\n"] > 0) == (b"\r" not in before)
    assert place.agrees()


def test_28_a_block_in_a_file_with_crlf_is_replaced_in_place(tmp_path: Path) -> None:
    """CASES 28: with text on both sides of it."""
    rules = f"A\r\n\r\n{BEGIN}\r\n{END}\r\n\r\nB\r\n".encode()
    place = Place(tmp_path, rules=rules)
    ACE().step(place.context([run("r1")]), Host(lessons()))
    data = place.rules.read_bytes()
    assert data.startswith(f"A\r\n\r\n{BEGIN}\r\n## Playbook\r\n\r\n".encode())
    assert data.endswith(f"teaches.\r\n{END}\r\n\r\nB\r\n".encode())
    assert data.count(b"\n") == data.count(b"\r\n")
    assert place.agrees()


def test_29_a_marker_within_a_sentence_is_text(tmp_path: Path) -> None:
    """CASES 29: the block goes to the end."""
    text = f"Do not touch `{BEGIN}` by hand.\n".encode()
    place = Place(tmp_path, rules=text)
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert place.rules.read_bytes().startswith(text + b"\n" + BEGIN.encode())


def test_rules_that_lie_elsewhere(tmp_path: Path) -> None:
    """The tree and the file's name in it are the context's; the folder is made where it is missing."""
    place = Place(tmp_path / "work")
    context = place.context([run("r1")], rules="AGENTS.md")
    ACE().step(context, Host(lessons()))
    assert b"What r1 teaches." in (place.root / "AGENTS.md").read_bytes()
    assert not place.rules.exists()
    assert (place.root / "steps" / "00001" / "harness" / "AGENTS.md").exists()


def test_a_block_edited_by_hand_stays_until_a_step_replaces_it(place: Place) -> None:
    """A step that fails has not touched it, the next one that is kept replaces it."""

    def down(_: Request) -> str:
        raise CallError("down")

    edited = place.rules.read_bytes().replace(b"What r0 teaches.", b"What I say.")
    place.rules.write_bytes(edited)
    with pytest.raises(StepError):
        ACE().step(place.context([run("r1")]), Host(down))
    assert place.rules.read_bytes() == edited
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert "What r0 teaches." in place.block()
    assert place.agrees()


def test_markers_broken_while_the_models_are_asked_leave_a_record_that_says_so(place: Place) -> None:
    """The calls were paid for; summary and notes beside them say why nothing came of it."""

    def breaking(request: Request) -> str:
        place.rules.write_text(BEGIN)
        return lessons()(request)

    record = place.next_record()
    context = place.context([run("r1")])
    with pytest.raises(MarkerError):
        ACE().step(context, Host(breaking))
    assert "# Step 2: failed\n\nthe markers" in (record / "output" / "summary.md").read_text()
    assert '"outcome":"failed"' in (record / "output" / "notes.jsonl").read_text()
    assert (record / "calls.json").exists()
    assert len(place.records()) == 1


def test_a_save_while_the_new_file_is_written_survives(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    """Given a person who saves the file in the milliseconds in which the new one is made safe on the disk, then what they saved
    is there, with the block, and nothing temporary is left.
    """
    saved = b"# Rules\n\nSaved in between.\n"
    saves = 0

    def fsync(descriptor: int) -> None:
        nonlocal saves
        os.fsync(descriptor)
        name = os.readlink(f"/proc/self/fd/{descriptor}")
        if ".rules.md." in name and os.fstat(descriptor).st_size and saves < 2:
            saves += 1
            place.rules.write_bytes(saved + b"x" * saves)

    monkeypatch.setattr(files, "os", Module(os, fsync=fsync))
    ACE().step(place.context([run("r1")]), Host(lessons()))
    assert saves == 2
    assert place.rules.read_bytes().startswith(saved + b"xx")
    assert "What r1 teaches." in place.block()
    assert place.agrees()
    assert not list(place.root.glob(".*.tmp"))


def test_a_rules_file_that_cannot_be_written_is_found_before_the_first_call(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a folder in which no file can be made, then no model is asked, and everything stays."""

    def refuse(path: object, *more: Any) -> int:
        if ".rules.md." in str(path):
            raise PermissionError(13, "Permission denied", str(path))
        return os.open(path, *more)  # type: ignore[arg-type]

    before = place.files()
    monkeypatch.setattr(files, "os", Module(os, open=refuse))
    host = Host(lessons())
    with pytest.raises(PermissionError):
        ACE().step(place.context([run("r1")]), host)
    assert host.requests == []
    assert place.files() == before
