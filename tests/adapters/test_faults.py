"""A step in which something fails: every file operation once, by an error or by Ctrl-C, and a disk that is full.

Whatever happens, afterwards the next step works, log, snapshot and block agree, no bullet is lost or there twice, no id
was given twice, and the step that failed is either wholly in the log or not at all.
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from tests.adapters.failing import Module, Operation, intercepted
from tests.adapters.hosting import P1, Host, Place, lessons, run
from tests.adapters.nursery import DECISIONS, decide, decided, older, shorter

from ace.adapters.cli import main as command
from ace.adapters.store import files
from ace.adapters.store.files import append_line, replace, tail_lines
from ace.adapters.store.folder_book import StateOwner
from ace.adapters.store.trust import own_name
from ace.domain.errors import AceError
from ace.method import ACE

TEXT = b"# Rules\n\nBe kind.\n"


# --- failing --------------------------------------------------------------------------------------------------------


class Faults:
    """Counts the file operations of a step, and lets the `at`-th fail; with `lasting`, every one from there on; with
    `after`, it is done first, as when a signal comes in behind it. `hit` names the operation that failed; it is `moot`
    if it failed by itself, as the look for a file that is not there.
    """

    def __init__(
        self, at: int, error: Callable[[], BaseException], *, lasting: bool = False, after: bool = False
    ) -> None:
        self._at = at
        self._error = error
        self._lasting = lasting
        self._after = after
        self.count = 0
        self.hit = ""
        self.moot = False

    def wrap(self, name: str, operation: Operation) -> Operation:
        """The operation, or its failure."""

        def call(*args: Any, **named: Any) -> Any:
            if (name == "mkdir" and args[0].name == "cache") or (name == "open" and args[0].name == "secret"):
                return operation(*args, **named)  # a fault there is none of the step: see test_index.py
            self.count += 1
            if self.count == self._at or (self._lasting and self.count > self._at):
                self.hit = self.hit or name
                self.moot = self._after
                # A descriptor is gone also after a close that fails.
                if self._after or name == "close":
                    done = operation(*args, **named)
                    if name == "open":
                        os.close(done)
                self.moot = False
                raise self._error()
            return operation(*args, **named)

        return call


def failing(faults: Faults) -> AbstractContextManager[None]:
    """Let the operations of a step fail for the time of the block."""
    return intercepted(faults.wrap)


def full() -> OSError:
    """As of a full disk."""
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def broken() -> OSError:
    """As of a disk that dies."""
    return OSError(errno.EIO, os.strerror(errno.EIO))


@pytest.fixture(autouse=True)
def _secret() -> None:
    """The user has used `ace` before: the secret of the index's name is there."""
    own_name(Path("cache"))


# --- the folders that a step can meet -------------------------------------------------------------------------------


def step(
    place: Place,
    name: str,
    *,
    owner: StateOwner = "folder",
    reason: str | None = None,
    review: bool = False,
) -> None:
    """Learn from one run; the check refuses the candidate for `reason`."""
    host = Host(lessons(), lambda files: reason if f"{name} teaches".encode() in files["rules.md"] else None)
    ACE().step(place.context([run(name)], owner=owner, origin="rollback", review=review), host)


def _first(_: Place) -> None:
    pass


def _second(place: Place) -> None:
    step(place, "r0")


def _waiting(place: Place) -> None:
    """A lesson waits for a review, and so will the next."""
    step(place, "r0", review=True)


def _import(place: Place) -> None:
    place.put(P1)


def _behind(place: Place) -> None:
    """Killed between append and snapshot."""
    step(place, "r0")
    kept = place.snapshot.read_bytes(), place.rules.read_bytes()
    step(place, "r00")
    place.snapshot.write_bytes(kept[0])
    place.rules.write_bytes(kept[1])


def _torn(place: Place) -> None:
    """Killed while it wrote to the log."""
    step(place, "r0")
    with place.log.path.open("ab") as file:
        file.write(b'{"v":1,"seq":2,"prev":"')


def _rolled_back(place: Place) -> None:
    """A host went back to its first state."""
    step(place, "r0", owner="host")
    kept = place.snapshot.read_bytes(), place.rules.read_bytes()
    step(place, "r00", owner="host")
    place.snapshot.write_bytes(kept[0])
    place.rules.write_bytes(kept[1])


SCENES: dict[str, Callable[[Place], None]] = {
    "first": _first,
    "second": _second,
    "import": _import,
    "behind": _behind,
    "torn": _torn,
    "rolled back": _rolled_back,
    "refused": _second,
    "waiting": _waiting,
}
MODES: dict[str, dict[str, Any]] = {
    "once": {"error": full},
    "lasting": {"error": broken, "lasting": True},
    "interrupt": {"error": KeyboardInterrupt},
    "interrupt after": {"error": KeyboardInterrupt, "after": True},
}


def played(root: Path, scene: Callable[[Place], None]) -> Place:
    """A scene's folder at `root`. It is played once, and put back before each further fault."""
    kept = root.with_name(f"{root.name} as it was")
    if not kept.exists():
        scene(Place(root, rules=TEXT))
        shutil.copytree(root, kept)
    shutil.rmtree(root)
    shutil.copytree(kept, root)
    return Place(root)


class Trial:
    """One step in a folder of its own, and what has to hold after it."""

    def __init__(self, root: Path, scene: str) -> None:
        self.place = played(root, SCENES[scene])
        self.owner: Literal["folder", "host"] = "host" if scene == "rolled back" else "folder"
        self.reason = "too long" if scene == "refused" else None
        self.before = self.place.records()

    def attempt(self) -> BaseException | None:
        """The step; returns what it raised."""
        try:
            step(self.place, "r1", owner=self.owner, reason=self.reason)
        except (OSError, KeyboardInterrupt, AceError) as error:
            return error
        return None

    def verify(self) -> None:
        """Check the log, then the next step and what it leaves."""
        place = self.place
        assert place.records()[: len(self.before)] == self.before
        assert place.rules.read_bytes().startswith(TEXT)
        step(place, "r2", owner=self.owner)
        assert place.agrees()
        contents = place.contents()
        assert len(contents) == len(set(contents))
        assert len(place.ids_given()) == len(set(place.ids_given()))
        assert contents[-1] == "What r2 teaches."
        if self.owner == "folder":
            # Nothing that the log tells of is lost, and nothing else is there.
            learned = [f"What {name} teaches." for name in place.runs_read()]
            assert [text for text in contents if text != P1.bullets[0].content] == learned
        beside = ["state/accepted.json"] if place.records()[-1].accepted else []
        assert sorted(place.kept()) == ["history/events.jsonl", "rules.md", *beside, "state/playbook.json"]
        assert not beside or place.rules.read_bytes() == TEXT


@pytest.mark.parametrize(
    ("scene", "mode"),
    [
        ("second", "once"),
        *(pytest.param("second", mode, marks=pytest.mark.slow) for mode in MODES if mode != "once"),
        *(
            pytest.param(scene, mode, marks=pytest.mark.slow)
            for scene in SCENES
            for mode in ("once", "interrupt after")
            if scene != "second"
        ),
    ],
)
def test_a_fault_at_every_operation_of_a_step(tmp_path: Path, scene: str, mode: str) -> None:
    """Each operation fails once, in every kind of folder; the loop ends with the step in which none is left to fail."""
    hit = []
    for at in range(1, 1000):
        trial = Trial(tmp_path / "work", scene)
        faults = Faults(at, **MODES[mode])
        with failing(faults):
            raised = trial.attempt()
        assert (raised is None) == (not faults.hit or faults.moot), f"operation {at}, {faults.hit}: swallowed"
        assert not list(trial.place.root.rglob("*.tmp")), (
            f"operation {at}, {faults.hit}: left a temporary file"
        )
        trial.verify()
        if not faults.hit:
            break
        hit.append(faults.hit)
    assert {"open", "flock", "write", "fsync", "ftruncate", "write_bytes", "mkdir"} <= set(hit)
    assert scene == "refused" or "replace" in hit


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["once", "interrupt after"])
def test_a_fault_at_every_operation_of_settling(tmp_path: Path, mode: str) -> None:
    """Putting a folder in order can fail at any point, and be done again."""
    for at in range(1, 1000):
        trial = Trial(tmp_path / "work", "behind")
        faults = Faults(at, **MODES[mode])
        with failing(faults), suppress(OSError, KeyboardInterrupt):
            ACE().settle(trial.place.context(), Host(lessons()))
        trial.verify()
        if not faults.hit:
            break


def at_every_operation(
    place: Callable[[], Place],
    mode: str,
    attempt: Callable[[Place], int],
    is_done: Callable[[int, list[Any]], bool],
) -> None:
    """Attempt something in a place where each operation fails once, until none is left to fail. `is_done` says by the status and the
    records that were added whether it came to its end; if not, the same works once more. Then the next step goes on from there.
    """
    hit = []
    for at in range(1, 1000):
        there = place()
        before = len(there.records())
        faults = Faults(at, **MODES[mode])
        with failing(faults):
            status = attempt(there)
        done = is_done(status, there.records()[before:])
        assert done or status != 0
        assert not list(there.root.rglob("*.tmp"))
        if not done:
            assert attempt(there) == 0
        step(there, "last")
        assert there.agrees()
        assert there.contents()[-1] == "What last teaches."
        assert len(there.ids_given()) == len(set(there.ids_given()))
        if not faults.hit:
            break
        hit.append(faults.hit)
    assert {"open", "flock", "write", "fsync", "replace"} <= set(hit)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["once", "lasting", "interrupt after"])
@pytest.mark.parametrize("scene", DECISIONS)
def test_a_fault_at_every_operation_of_a_decision(tmp_path: Path, scene: str, mode: str) -> None:
    """It is in the log as a whole or not at all, what it says is true, and the next step goes on from there."""

    def is_done(_: int, added: list[Any]) -> bool:
        made = [record for record in added if record.record == ""]
        return bool(made) and (scene != "import" or len(made) == 2)

    at_every_operation(
        lambda: played(tmp_path / "work", partial(decided, scene)), mode, partial(decide, scene), is_done
    )


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["once", "lasting", "interrupt after"])
@pytest.mark.parametrize(("words", "found"), [("adopt", older), ("rebuild", shorter)])
def test_a_fault_at_every_operation_of_a_repair(
    tmp_path: Path, words: str, found: Callable[[Place], None], mode: str
) -> None:
    """It is done, or can be done by the same command again; no id is given twice."""

    at_every_operation(
        lambda: played(tmp_path / "work", found),
        mode,
        lambda place: command([words, "--work", str(place.root)]),
        lambda status, _: status == 0,
    )


LOOKING = (
    *(
        "log",
        "log --bullet 1",
        "show",
        "show 1",
        "show --run r1",
        "show --at 1 --evidence",
        "diff 1",
        "status",
        "verify",
    ),
    *("review", "revert 1 --dry-run", "rebuild --dry-run", "remove 1 --reason wrong --dry-run"),
)


@pytest.mark.slow
@pytest.mark.parametrize("words", LOOKING)
def test_a_fault_at_every_operation_of_a_look_back(
    tmp_path: Path, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says in a sentence what failed, or tells what it can; nothing is changed."""
    place = played(tmp_path / "work", partial(decided, "accept"))
    kept = place.kept()
    for at in range(1, 1000):
        faults = Faults(at, broken)
        with failing(faults):
            status = command([*words.split(), "--work", str(place.root)])
        told = capsys.readouterr().err
        assert status == 0 or (status == 2 and told.startswith("ace: ") and os.strerror(errno.EIO) in told)
        assert place.kept() == kept
        if not faults.hit:
            assert at > 1
            return
    raise AssertionError("it never came to its end")


def test_a_step_that_raised_before_the_append_is_not_in_the_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A failed sync of the log takes the line back: what the disk may not have must not be learned from."""
    trial = Trial(tmp_path / "work", "second")

    def fsync(descriptor: int) -> None:
        if os.path.realpath(f"/proc/self/fd/{descriptor}").endswith("events.jsonl"):
            raise broken()
        os.fsync(descriptor)

    with monkeypatch.context() as patch:
        patch.setattr(files, "os", Module(os, fsync=fsync))
        assert isinstance(trial.attempt(), OSError)
    assert trial.place.records() == trial.before
    trial.verify()
    assert trial.place.runs_read() == ["r0", "r2"]


# --- writing by halves ----------------------------------------------------------------------------------------------


def test_partial_writes_are_finished(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that takes half of what it is given each time gets the rest, in order."""

    def half(descriptor: int, data: memoryview) -> int:
        return os.write(descriptor, data[: max(1, len(data) // 2)])

    trial = Trial(tmp_path / "work", "second")
    with monkeypatch.context() as patch:
        patch.setattr(files, "os", Module(os, write=half))
        assert trial.attempt() is None
    assert len(trial.place.records()) == 2
    trial.verify()


@pytest.mark.parametrize("stuck", [False, True])
def test_half_a_line_and_no_space_for_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, stuck: bool
) -> None:
    """The half line is taken back; if even that fails it is a torn line, which the next step removes."""

    def half(descriptor: int, data: memoryview) -> int:
        os.write(descriptor, data[: len(data) // 2])
        raise full()

    def ftruncate(descriptor: int, size: int) -> None:
        if stuck and os.fstat(descriptor).st_size > size > 0:
            raise broken()
        os.ftruncate(descriptor, size)

    trial = Trial(tmp_path / "work", "second")
    before = trial.place.log.path.read_bytes()
    with monkeypatch.context() as patch:
        patch.setattr(files, "os", Module(os, write=half, ftruncate=ftruncate))
        assert isinstance(trial.attempt(), OSError)
    assert trial.place.log.path.read_bytes().startswith(before)
    assert (trial.place.log.path.read_bytes() == before) is not stuck
    assert trial.place.records() == trial.before
    trial.verify()


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Let no file grow beyond `size` bytes: the system itself then writes a part, and refuses the rest."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.slow
def test_no_file_can_grow_beyond_a_size(tmp_path: Path) -> None:
    """A real limit of the system, at sizes that cut every file of the step somewhere."""
    whole = Trial(tmp_path / "work", "second")
    assert whole.attempt() is None
    largest = max(map(len, whole.place.files().values()))
    outcomes = set()
    for size in range(0, largest + 200, 97):
        trial = Trial(tmp_path / "work", "second")
        with largest_file(size):
            raised = trial.attempt()
        assert isinstance(raised, OSError | None)
        outcomes.add(raised is None)
        trial.verify()
    assert outcomes == {False, True}


# --- single functions -----------------------------------------------------------------------------------------------


def test_every_error_names_its_file(tmp_path: Path) -> None:
    """A person who reads "No space left on device" has to know where."""
    unnamed = []
    for at in range(1, 1000):
        trial = Trial(tmp_path / "work", "second")
        faults = Faults(at, full)
        with failing(faults):
            raised = trial.attempt()
        if raised is None:
            break
        assert isinstance(raised, OSError)
        # Those of folders tell it themselves, and that of a closed lock comes after all is done.
        if not raised.filename:
            unnamed.append(faults.hit)
    assert set(unnamed) <= {"mkdir", "open", "close"}
    assert unnamed.count("open") <= 2


def test_nothing_is_left_of_a_writer_that_was_killed(tmp_path: Path) -> None:
    """A temporary file of a process that is gone is removed by the next replacement, and no one else's file is."""
    path = tmp_path / "rules[1].md"
    (tmp_path / ".rules[1].md.4194999.tmp").write_bytes(b"half")
    (tmp_path / ".rules1.md.4194999.tmp").write_bytes(b"someone's")
    replace(path, b"whole")
    assert sorted(one.name for one in tmp_path.iterdir()) == [".rules1.md.4194999.tmp", "rules[1].md"]


def test_a_replaced_file_keeps_its_mode_and_a_link_stays_one(tmp_path: Path) -> None:
    """Through two links, into another folder."""
    target = tmp_path / "shared" / "rules.md"
    replace(target, b"one")
    target.chmod(0o640)
    (tmp_path / "first").symlink_to(target)
    (tmp_path / "second").symlink_to("first")
    replace(tmp_path / "second", b"two")
    assert (tmp_path / "second").is_symlink()
    assert (tmp_path / "first").is_symlink()
    assert target.read_bytes() == b"two"
    assert target.stat().st_mode & 0o777 == 0o640


def test_a_new_file_has_the_mode_of_the_umask(tmp_path: Path) -> None:
    """Others may read rules where the user lets them read files."""
    before = os.umask(0o027)
    try:
        replace(tmp_path / "new", b"")
    finally:
        os.umask(before)
    assert (tmp_path / "new").stat().st_mode & 0o777 == 0o640


def test_a_link_to_nothing_gets_its_target(tmp_path: Path) -> None:
    """The rules file may not exist yet where the link points."""
    (tmp_path / "rules.md").symlink_to(tmp_path / "later" / "rules.md")
    replace(tmp_path / "rules.md", b"text")
    assert (tmp_path / "rules.md").is_symlink()
    assert (tmp_path / "later" / "rules.md").read_bytes() == b"text"


def test_what_is_appended_is_synced_before_it_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One write, then the sync of the file, and of its folder when the file is new; then the temporary files likewise."""
    done: list[str] = []

    def told(name: str) -> Operation:
        def call(*args: Any) -> Any:
            done.append(name)
            return getattr(os, name)(*args)

        return call

    monkeypatch.setattr(
        files, "os", Module(os, **{name: told(name) for name in ("write", "fsync", "replace")})
    )
    append_line(tmp_path / "log", b"one")
    append_line(tmp_path / "log", b"two")
    replace(tmp_path / "file", b"data")
    assert done == ["write", "fsync", "fsync", "write", "fsync", "write", "fsync", "replace", "fsync"]


def test_an_empty_log_that_a_kill_left_is_synced_with_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file was created, its entry in the folder may not be on the disk yet."""
    (tmp_path / "log").touch()
    synced = []

    def fsync(descriptor: int) -> None:
        synced.append(os.path.realpath(f"/proc/self/fd/{descriptor}"))
        os.fsync(descriptor)

    monkeypatch.setattr(files, "os", Module(os, fsync=fsync))
    append_line(tmp_path / "log", b"one")
    assert synced == [str(tmp_path / "log"), str(tmp_path)]


def test_the_log_grows_before_the_files_change(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The order that a crash cannot break: the log, the snapshot, the rules, the notes."""
    trial = Trial(tmp_path / "work", "second")
    order: list[str] = []
    place = trial.place

    def replaced(source: object, target: object) -> None:
        order.append(Path(str(target)).name)
        assert len(place.records()) == 2
        os.replace(str(source), str(target))

    def write_bytes(path: Path, data: bytes) -> int:
        with path.open("wb") as file:
            if path.parent.name == "output":
                order.append(path.name)
            return file.write(data)

    with monkeypatch.context() as patch:
        patch.setattr(files, "os", Module(os, replace=replaced))
        patch.setattr(Path, "write_bytes", write_bytes)
        assert trial.attempt() is None
    assert order == ["playbook.json", "rules.md", "summary.md", "notes.jsonl"]


def test_the_last_lines_are_read_from_the_end(tmp_path: Path) -> None:
    """As many as are asked for and are there; a torn line counts for none."""
    path = tmp_path / "log"
    assert tail_lines(path, 2) == []
    path.write_bytes(b"torn")
    assert tail_lines(path, 2) == []
    path.write_bytes(b"one\ntorn")
    assert tail_lines(path, 2) == [b"one"]
    path.write_bytes(b"one\n\nthree\ntorn")
    assert tail_lines(path, 1) == [b"three"]
    assert tail_lines(path, 2) == [b"", b"three"]
    assert tail_lines(path, 9) == [b"one", b"", b"three"]


# --- folders that are none ------------------------------------------------------------------------------------------


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    """The error names it, and it stays."""
    (tmp_path / "work").write_text("mine")
    place = Place(tmp_path / "place")
    context = place.context([run("r1")])
    for part in ("state", "history"):
        (place.root / part).write_text("mine")
    with pytest.raises(OSError, match=str(place.root)):
        ACE().step(context, Host(lessons()))
    assert (place.root / "state").read_text() == "mine"


def test_a_folder_in_the_place_of_the_rules(tmp_path: Path) -> None:
    """It is an error before any model is asked, and nothing is logged."""
    place = Place(tmp_path / "work")
    place.rules.mkdir()
    host = Host(lessons())
    with pytest.raises(AceError, match=r"rules\.md is a folder"):
        ACE().step(place.context([run("r1")]), host)
    assert (host.requests, place.kept()) == ([], {})


def test_a_folder_in_the_place_of_the_snapshot(tmp_path: Path) -> None:
    """The same of the state."""
    place = Place(tmp_path / "work")
    place.snapshot.mkdir(parents=True)
    with pytest.raises(IsADirectoryError, match=r"playbook\.json"):
        ACE().step(place.context([run("r1")]), Host(lessons()))


def test_a_folder_in_the_place_of_the_log(tmp_path: Path) -> None:
    """The same of the log."""
    place = Place(tmp_path / "work")
    place.log.path.mkdir(parents=True)
    with pytest.raises(OSError, match=r"events\.jsonl"):
        ACE().step(place.context([run("r1")]), Host(lessons()))


@pytest.mark.parametrize("scene", SCENES)
def test_a_step_without_a_fault_passes_in_every_scene(tmp_path: Path, scene: str) -> None:
    """What the tests above rely on."""
    trial = Trial(tmp_path, scene)
    assert trial.attempt() is None
    trial.verify()
