"""One contract for every book, whatever keeps it: a folder, a host, memory. And what losing the race for a number means."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any, cast, override

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.adapters.books import Counting, Killed, MemoryBook, Mortal, Shelf, deaths
from tests.adapters.hosting import Host, Script, bullet, curation, lessons, reflection, run, scripted
from tests.adapters.postgres import PostgresServer

from ace import method
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.host_book import HostBook
from ace.adapters.store.log import Log
from ace.adapters.store.snapshot import read_snapshot
from ace.domain.chain import line_digest
from ace.domain.errors import LockedError, SeqTakenError
from ace.domain.playbook import Playbook, digest, dump, fold_records
from ace.domain.rules_block import Rules, block, block_in
from ace.domain.trace import Trace
from ace.events.codec import encode_record, sealed
from ace.events.types import (
    BulletAdded,
    DuplicateRejected,
    PlaybookRestored,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
    TagIgnored,
)
from ace.method import ACE
from ace.ports import Book, Request, Services, StepContext, StepResult

RULES = b"# Rules\n"


class Kind(ABC):
    """A place in which a book is, and what is found in it. Each call of `book` is another process."""

    @abstractmethod
    def book(self) -> Book:
        """The book, opened by a new process."""

    @abstractmethod
    def records(self) -> list[StepRecord]:
        """The log."""

    @abstractmethod
    def playbook(self) -> Playbook:
        """The state."""

    @abstractmethod
    def rules(self) -> bytes:
        """The rules file."""

    @abstractmethod
    def bring(self, playbook: Playbook) -> None:
        """Put another playbook there, as its owner may."""

    def done(self, book: Book, result: StepResult) -> None:  # noqa: B027 - a folder keeps everything itself
        """Keep what a host keeps of a step that ended."""


class InFolder(Kind):
    """A folder of its own."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        (root / "rules.md").write_bytes(RULES)

    @override
    def book(self) -> Book:
        return FolderBook(self.root)

    @override
    def records(self) -> list[StepRecord]:
        return list(Log(self.root / "history").verified())

    @override
    def playbook(self) -> Playbook:
        return read_snapshot(self.root / "state" / "playbook.json") or Playbook()

    @override
    def rules(self) -> bytes:
        return (self.root / "rules.md").read_bytes()

    @override
    def bring(self, playbook: Playbook) -> None:
        (self.root / "state").mkdir(exist_ok=True)
        (self.root / "state" / "playbook.json").write_bytes(dump(playbook))


class ByHost(InFolder):
    """What a host keeps, it keeps when a step has ended: of one that was killed it has nothing."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.kept: Playbook | None = None
        self.files: dict[str, bytes | None] = {"rules.md": RULES}

    @override
    def book(self) -> Book:
        return HostBook(self.root, files=self.files, playbook=self.kept, restore_reason="the host's")

    @override
    def done(self, book: Book, result: StepResult) -> None:
        self.kept, self.files = result.playbook, getattr(book, "files")  # noqa: B009 - a book around it has it, too

    @override
    def playbook(self) -> Playbook:
        return self.kept or Playbook()

    @override
    def rules(self) -> bytes:
        return self.files["rules.md"] or b""

    @override
    def bring(self, playbook: Playbook) -> None:
        self.kept = playbook


class InMemory(Kind):
    """A shelf with many writers."""

    def __init__(self) -> None:
        self.shelf = Shelf(RULES)

    @override
    def book(self) -> Book:
        return self.shelf.book()

    @override
    def records(self) -> list[StepRecord]:
        return self.shelf.records

    @override
    def playbook(self) -> Playbook:
        return self.shelf.playbook or Playbook()

    @override
    def rules(self) -> bytes:
        return self.shelf.files["rules.md"] or b""

    @override
    def bring(self, playbook: Playbook) -> None:
        self.shelf.playbook = playbook


class Shared(InFolder):
    """A book in a database, and the work folder of one machine."""

    def __init__(self, root: Path, server: PostgresServer) -> None:
        super().__init__(root)
        self.address = server.book(str(root), base_rules=RULES)
        self.server = server

    @override
    def book(self) -> Book:
        from ace.adapters.store.postgres.book import PostgresBook  # noqa: PLC0415 - psycopg may not be there

        return PostgresBook(self.root, self.address)

    @override
    def records(self) -> list[StepRecord]:
        return list(cast("FolderBook", self.book()).log.verified())

    @override
    def playbook(self) -> Playbook:
        return cast("FolderBook", self.book()).playbook()

    @override
    def bring(self, playbook: Playbook) -> None:
        self.server.sql("INSERT INTO ace.snapshots VALUES (%s, 0, %s, NULL)", str(self.root), dump(playbook))


@pytest.fixture(params=["folder", "host", "memory", pytest.param("postgres", marks=pytest.mark.slow)])
def kind(request: pytest.FixtureRequest, tmp_path: Path) -> Kind:
    """Each kind of book."""
    if request.param == "memory":
        return InMemory()
    if request.param == "postgres":
        return Shared(tmp_path / "book", request.getfixturevalue("postgres"))
    return {"folder": InFolder, "host": ByHost}[request.param](tmp_path / "book")


def step(kind: Kind, *names: str, services: Services | None = None, book: Book | None = None) -> StepResult:
    """A step of its own process."""
    book = book or kind.book()
    context = StepContext(book=book, traces=[run(name) for name in names])
    result = ACE().step(context, services or Host(lessons()))
    kind.done(book, result)
    return result


def see_that_all_agree(kind: Kind) -> None:
    """Chain, fold, snapshot and block say the same, and no id was given twice."""
    records, before = kind.records(), ""
    for number, record in enumerate(records, 1):
        assert (record.seq, record.prev) == (number, before)
        before = line_digest(encode_record(record))
    folded = fold_records(Playbook(), records)
    assert digest(folded) == records[-1].playbook
    assert kind.playbook() == folded
    assert block_in(kind.rules()).decode() == block(folded, records[-1].sections)
    applied = [event for record in records if record.outcome == "committed" for event in record.events]
    ids = [event.id for event in applied if isinstance(event, BulletAdded)]
    assert len(ids) == len(set(ids))


# --- the contract ---------------------------------------------------------------------------------------------------


def test_a_new_book_is_empty(kind: Kind) -> None:
    """Given nothing, then there is an empty playbook, no line, nothing to restore and nothing to write."""
    with kind.book().hold():
        pass
    book = kind.book()
    with book.hold():
        state = book.open()
    assert (state.playbook, state.tail, state.restored, state.stale) == (Playbook(), None, None, False)


def test_what_is_appended_is_the_end_of_the_log(kind: Kind) -> None:
    """Given two steps, then a book that is opened again knows both, and goes on from the playbook after them."""
    step(kind, "a")
    step(kind, "b")
    book = kind.book()
    with book.hold():
        state = book.open()
        assert state.tail is not None
        assert (state.tail.record, state.tail.before) == tuple(reversed(kind.records()))
        assert [one.content for one in state.playbook.bullets] == ["What a teaches.", "What b teaches."]
        # A host decides itself what it gives again.
        assert book.past(run("a")).read == (0 if isinstance(kind, ByHost) else 1)
    see_that_all_agree(kind)


def test_a_line_is_appended_with_the_number_that_comes_next(kind: Kind) -> None:
    """Given a line whose number is taken, or too high, then it is not added; the one with the right number is."""
    step(kind, "a")
    (line,) = kind.records()
    book = kind.book()
    with book.hold():
        book.open()
        for seq in (1, 3):
            with pytest.raises(SeqTakenError):
                book.append(_numbered(line, seq))
        assert len(kind.records()) == 1
        tail = book.append(_numbered(line, 2, prev=line_digest(encode_record(line))))
    assert tail is not None
    assert tail.record == kind.records()[1]
    assert tail.before == line


def _numbered(line: StepRecord, seq: int, prev: str = "") -> StepRecord:
    values = {name: getattr(line, name) for name in line.__struct_fields__}
    return sealed(StepRecord(**{**values, "seq": seq, "prev": prev, "events": ()}))


def test_a_book_with_one_writer_is_locked(kind: Kind) -> None:
    """Given a step under way, then a second writer is refused at once, where the book has one at a time."""
    with kind.book().hold():
        if isinstance(kind, InMemory | Shared):
            step(kind, "b")
        else:
            with pytest.raises(LockedError, match="in use by process"):
                step(kind, "b")
    step(kind, "c")
    see_that_all_agree(kind)


def test_a_playbook_that_was_brought_is_logged(kind: Kind) -> None:
    """Given a playbook and no log, then the log begins with it."""
    kind.bring(Playbook(8, (bullet(7, "Look twice."),)))
    result = step(kind, "a")
    assert result.restored is not None
    (first, _) = kind.records()
    assert [type(event) for event in first.events] == [PlaybookRestored]
    assert [one.id for one in kind.playbook().bullets] == ["ace-00007", "ace-00008"]
    see_that_all_agree(kind)


def test_a_refused_step_changes_nothing_but_the_log(kind: Kind) -> None:
    """Given a check that refuses the candidate, then the log keeps the step, and state and rules are as they were."""
    step(kind, "a")
    before = kind.playbook(), kind.rules()
    host = Host(lessons(), lambda files: "no" if b"What b" in files["rules.md"] else None)
    assert step(kind, "b", services=host).outcome == "refused"
    assert (kind.playbook(), kind.rules()) == before
    assert [record.outcome for record in kind.records()] == ["committed", "refused"]
    step(kind, "c")
    see_that_all_agree(kind)


@pytest.mark.parametrize(("at", "after"), list(deaths()))
def test_a_kill_at_any_point_loses_no_step_and_leaves_no_half(kind: Kind, at: int, *, after: bool) -> None:
    """Given a process that is killed before or behind one of its changes, then the next one finds a whole step or none, and
    after it all agree.
    """
    step(kind, "a")
    book = Mortal(kind.book(), at, after=after)
    try:
        step(kind, "b", book=cast("Book", book))
    except Killed:
        assert book.is_dead
    exists = len(kind.records()) == 2
    result = step(kind, "c")
    see_that_all_agree(kind)
    told = [one.content for one in kind.playbook().bullets]
    if isinstance(kind, ByHost) and result.restored is not None:
        # The host never heard of that step: it is right, and the log says so.
        assert told == ["What a teaches.", "What c teaches."]
    else:
        taught = ["What a teaches.", *(["What b teaches."] if exists else []), "What c teaches."]
        assert told == taught


def test_a_step_reads_the_rules_twice_and_makes_one_candidate(
    kind: Kind, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given nobody who disturbs it, then a step reads the rules before the calls and before it replaces them, renders the block
    once, splices it once, and replaces once.
    """
    step(kind, "a")
    made: list[str] = []

    def counted(name: str, call: Any) -> Any:
        def counting(*given: Any, **named: Any) -> Any:
            made.append(name)
            return call(*given, **named)

        return counting

    monkeypatch.setattr(method, "block", counted("rendered", block))
    monkeypatch.setattr(Rules, "with_block", counted("spliced", Rules.with_block))
    book = Counting(kind.book())
    step(kind, "b", book=cast("Book", book))
    assert made == ["rendered", "spliced"]
    wanted = {"rules": 2, "place": 1, "append": 1, "keep": 1, "open": 1, "unchanged": 1}
    assert {name: book.calls[name] for name in wanted} == wanted
    see_that_all_agree(kind)


# --- another step was first -----------------------------------------------------------------------------------------


class SharedShelf:
    """What the writers of a book in a database share: the database, and here one machine's rules file, too."""

    def __init__(
        self, server: PostgresServer, root: Path, rules: bytes, playbook: Playbook | None = None
    ) -> None:
        self.kind = Shared(root, server)
        (root / "rules.md").write_bytes(rules)
        if playbook is not None:
            self.kind.bring(playbook)

    def book(self) -> Book:
        """A book for one more writer."""
        return self.kind.book()

    @property
    def records(self) -> list[StepRecord]:
        """The log."""
        return self.kind.records()

    @property
    def playbook(self) -> Playbook:
        """The head."""
        return self.kind.playbook()

    @property
    def files(self) -> dict[str, bytes]:
        """The rules file."""
        return {"rules.md": self.kind.rules()}


@pytest.fixture(params=["memory", pytest.param("postgres", marks=pytest.mark.slow)])
def new_shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[..., Any]:
    """Makes what many writers share: with these rules and, if there is one, this playbook."""
    if request.param == "memory":
        return Shelf
    server: PostgresServer = request.getfixturevalue("postgres")
    numbers = count()
    return lambda rules, playbook=None: SharedShelf(
        server, tmp_path / f"shelf-{next(numbers)}", rules, playbook
    )


def meanwhile(shelf: Any, *others: Any, script: Script | None = None, on: str = "curator") -> Script:
    """A script that learns, and at whose first question of this role the others make their steps."""
    waiting = list(others)
    answer = script or lessons()

    def answered(request: Request) -> str:
        if request.role == on and waiting:
            for other in [*waiting]:
                waiting.remove(other)
                traces, services = other if isinstance(other, tuple) else (other, Host(lessons()))
                ACE().step(StepContext(book=shelf.book(), traces=traces), services)
        return answer(request)

    return answered


def raced(shelf: Any, script: Script, *names: str, **more: Any) -> tuple[StepResult, Host]:
    """A step that another one comes before."""
    host = Host(script, **more)
    traces = [run(name) for name in names]
    return ACE().step(StepContext(book=shelf.book(), traces=traces), host), host


def test_who_lost_the_race_is_decided_again_without_another_call(new_shelf: Callable[..., Any]) -> None:
    """Given another step that came first, then this one takes the next number and the next id, from the replies that it has,
    and its check sees the rules with both lessons.
    """
    shelf = new_shelf(RULES)
    result, host = raced(shelf, meanwhile(shelf, [run("other")]), "mine")
    assert [request.role for request in host.requests] == ["reflector", "curator"]
    assert [one.content for one in result.playbook.bullets] == ["What other teaches.", "What mine teaches."]
    assert [one.id for one in result.playbook.bullets] == ["ace-00001", "ace-00002"]
    assert result.record.seq == 2
    assert result.remarks == ("decided again: 1 other line of the log came first",)
    assert host.checked[-1]["rules.md"] == shelf.files["rules.md"]
    assert b"What other teaches." in host.checked[-1]["rules.md"]
    see_that_all_agree(_over(shelf))


def _over(shelf: Any) -> Kind:
    if isinstance(shelf, SharedShelf):
        return shelf.kind
    kind = InMemory()
    kind.shelf = shelf
    return kind


def test_it_may_lose_more_than_once(new_shelf: Callable[..., Any]) -> None:
    """Given two steps that came first, one of them while it was decided again, then it is decided as often as needed."""
    shelf = new_shelf(RULES)
    late = [[run("third")]]

    def check(files: Any) -> None:
        if b"What other" in files["rules.md"] and b"What mine" in files["rules.md"] and late:
            ACE().step(StepContext(book=shelf.book(), traces=late.pop()), Host(lessons()))

    result, _ = raced(shelf, meanwhile(shelf, [run("other")]), "mine", check=check)
    assert result.remarks == ("decided again: 2 other lines of the log came first",)
    assert [one.content for one in result.playbook.bullets] == [
        "What other teaches.",
        "What third teaches.",
        "What mine teaches.",
    ]
    see_that_all_agree(_over(shelf))


def tags(events: Any) -> list[tuple[str, str]]:
    """What became of the tags: the bullet that was counted, or why none was."""
    return [
        (event.bullet, event.reason if isinstance(event, TagIgnored) else event.tag)
        for event in events
        if isinstance(event, TagCounted | TagIgnored)
    ]


def _second_run_tags(*ids: str) -> Script:
    """Each run teaches; the second one's Reflector tags these ids."""

    def reflector(request: Request) -> str:
        return reflection(*((identifier, "helpful") for identifier in ids if request.run == 2))

    return scripted(reflector, lambda request: curation(f"What {request.trace} teaches."))


def test_a_tag_for_an_id_that_the_step_gave_goes_with_its_bullet(new_shelf: Callable[..., Any]) -> None:
    """Given a run that tags the bullet which the run before it added, and another step that took that id, then the tag counts
    for the bullet under its new id.
    """
    shelf = new_shelf(RULES)
    script = meanwhile(shelf, [run("other")], script=_second_run_tags("ace-00001"))
    result, _ = raced(shelf, script, "one", "two")
    assert tags(result.record.events) == [("ace-00002", "helpful")]
    assert [(one.id, one.helpful) for one in result.playbook.bullets] == [
        ("ace-00001", 0),
        ("ace-00002", 1),
        ("ace-00003", 0),
    ]


def test_a_tag_for_a_bullet_that_became_a_duplicate_goes_to_the_other(new_shelf: Callable[..., Any]) -> None:
    """Given another step that taught the same, then the tag counts for that one's bullet."""
    shelf = new_shelf(RULES)
    same = Host(scripted(reflection(), curation("Look first.", "What one  TEACHES.")))
    script = meanwhile(shelf, ([run("other")], same), script=_second_run_tags("ace-00001"))
    result, _ = raced(shelf, script, "one", "two")
    (rejected,) = [event for event in result.record.events if isinstance(event, DuplicateRejected)]
    assert rejected.bullet == "ace-00002"
    assert tags(result.record.events) == [("ace-00002", "helpful")]


def test_a_tag_for_an_id_that_the_prompt_did_not_show_is_ignored(new_shelf: Callable[..., Any]) -> None:
    """Given a tag for a made-up id, and another step that gave this id to a bullet of its own, then it counts for nobody."""
    shelf = new_shelf(RULES, None)
    more = Host(scripted(reflection(), curation("One.", "Two.", "Three.")))
    script = meanwhile(shelf, ([run("other")], more), script=_second_run_tags("ace-00003", "ace-00001"))
    result, _ = raced(shelf, script, "one", "two")
    assert tags(result.record.events) == [("ace-00003", "unknown id"), ("ace-00004", "helpful")]
    assert all(one.helpful == 0 for one in result.playbook.bullets[:3])


def test_a_tag_for_a_bullet_that_was_shown_and_is_gone_is_ignored(new_shelf: Callable[..., Any]) -> None:
    """Given a bullet that the other step pruned, then the tag has nothing to count for."""
    shelf = new_shelf(RULES, Playbook(2, (bullet(1, "Old.", harmful=1),)))
    pruning = Host(scripted(reflection(("ace-00001", "harmful")), curation()))
    script = meanwhile(shelf, ([run("other")], pruning), script=_second_run_tags("ace-00001"))
    result, _ = raced(shelf, script, "one", "two")
    assert tags(result.record.events) == [("ace-00001", "unknown id")]


def test_a_run_that_the_other_step_has_read_is_passed_over(new_shelf: Callable[..., Any]) -> None:
    """Given the same run in both steps, then it counts once, and a tag for what it had taught here counts for nobody."""
    shelf = new_shelf(RULES)
    script = meanwhile(shelf, [run("one")], script=_second_run_tags("ace-00001"))
    result, _ = raced(shelf, script, "one", "two")
    (skipped,) = [event for event in result.record.events if isinstance(event, RunSkipped)]
    assert (skipped.trace, skipped.reason) == ("one", "given twice")
    assert skipped.detail == "line 1 of the log has read it meanwhile"
    assert tags(result.record.events) == [("ace-00001", "unknown id")]
    assert [one.content for one in result.playbook.bullets] == ["What one teaches.", "What two teaches."]


def test_the_check_may_refuse_what_was_decided_again(new_shelf: Callable[..., Any]) -> None:
    """Given a check that takes each lesson alone and not both, then the log keeps the step as refused, on the newer line."""
    shelf = new_shelf(RULES)
    host = {"check": lambda files: "both" if files["rules.md"].count(b"teaches.") > 1 else None}
    result, _ = raced(shelf, meanwhile(shelf, [run("other")]), "mine", **host)
    assert (result.outcome, result.record.seq, result.record.reason) == ("refused", 2, "both")
    assert [one.content for one in result.playbook.bullets] == ["What other teaches."]
    see_that_all_agree(_over(shelf))


def test_a_playbook_that_two_writers_bring_is_logged_once() -> None:
    """Given a playbook that another writer logs right before this one would, then this one goes on from that line."""
    shelf = Shelf(RULES, Playbook(2, (bullet(1, "Old."),)))

    class Late(MemoryBook):
        @override
        def rules(self) -> Rules:
            if not shelf.records:
                ACE().settle(StepContext(book=shelf.book()), Host(lessons()))
            return super().rules()

    ACE().step(StepContext(book=Late(shelf), traces=[run("a")]), Host(lessons()))
    restored = [type(event).__name__ for record in shelf.records for event in record.events]
    assert restored == ["PlaybookRestored", "BulletAdded", "RunRead"]
    see_that_all_agree(_over(shelf))


@st.composite
def _schedules(draw: st.DrawFn) -> list[tuple[int, list[str]]]:
    """Steps of one to three runs out of few, and how deep in the others' calls each begins."""
    names = st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True)
    return draw(st.lists(st.tuples(st.integers(0, 3), names), min_size=1, max_size=5))


@given(_schedules())
def test_any_schedule_reads_each_run_once_and_loses_nothing(schedule: list[tuple[int, list[str]]]) -> None:
    """Given steps that begin in the middle of each other's calls, then each run is read once, the log folds to the snapshot, each
    tag counts for the bullet that it was given for, and every run is accounted for in every step.
    """
    see_any_order(Shelf(RULES), schedule)


@pytest.mark.slow
@settings(max_examples=12)
@given(schedule=_schedules())
def test_any_schedule_in_a_database(postgres: PostgresServer, schedule: list[tuple[int, list[str]]]) -> None:
    """The same of a book in a database."""
    with tempfile.TemporaryDirectory() as folder:
        see_any_order(SharedShelf(postgres, Path(folder) / "shelf", RULES), schedule)


def see_any_order(shelf: Any, schedule: list[tuple[int, list[str]]]) -> None:
    """Make these steps, and see what they promise."""
    left = list(schedule)

    def begin() -> None:
        if not left:
            return
        wait, names = left.pop(0)
        shown: dict[str, str] = {}

        def answered(request: Request) -> str:
            nonlocal wait
            wait -= 1
            if wait < 0:
                begin()
            for line in request.prompt.splitlines():
                if line.startswith("[ace-") and "What " in line:
                    shown[line[1 : line.index("]")]] = line.rpartition(":: ")[2]
            if request.role == "reflector":
                return reflection(*((identifier, "helpful") for identifier in shown), insight=request.trace)
            return curation(f"What {request.trace} teaches.")

        traces: list[Trace] = [run(name) for name in names]
        result = ACE().step(StepContext(book=shelf.book(), traces=traces), Host(answered))
        told = [event.trace for event in result.record.events if isinstance(event, RunRead | RunSkipped)]
        assert told == names

    while left:
        begin()
    see_that_all_agree(_over(shelf))
    read = [event.trace for record in shelf.records for event in record.events if isinstance(event, RunRead)]
    assert sorted(read) == sorted({name for _, names in schedule for name in names})
    assert shelf.playbook is not None
    assert {one.content for one in shelf.playbook.bullets} == {f"What {name} teaches." for name in read}
