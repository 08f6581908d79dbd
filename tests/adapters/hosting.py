"""A host for steps in tests: scripted models and checks, and a folder with everything that a step needs.

    place = Place(tmp_path, rules=b"# Rules\\n")
    result = ACE().step(place.context([run("r1")]), Host(lessons()))
    assert place.agrees()

A script answers a request with a text, or raises. `lessons` is one that always learns something new.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, override

from ace.adapters.cli import main
from ace.adapters.store.folder_book import FolderBook, StateOwner
from ace.adapters.store.host_book import HostBook
from ace.adapters.store.log import Log
from ace.adapters.store.snapshot import read_snapshot
from ace.adapters.store.step_record import see_free
from ace.domain.chain import line_digest
from ace.domain.opening import OpenState
from ace.domain.playbook import Playbook, digest, dump, parse_playbook
from ace.domain.rules_block import BEGIN, END
from ace.domain.step import FailedCall
from ace.domain.trace import Trace
from ace.domain.unread import Past
from ace.events.codec import encode_record
from ace.events.types import Bullet, BulletAdded, Event, RunRead, StepRecord
from ace.ports import Book, Completion, Request, StepContext

__all__ = [
    "P1",
    "Host",
    "Place",
    "Script",
    "add",
    "bullet",
    "curation",
    "lessons",
    "record",
    "reflection",
    "run",
    "scripted",
]

type Script = Callable[[Request], str]
type Check = Callable[[Mapping[str, bytes]], str | None]

SECTION = "Others"


# --- traces, replies, playbooks -------------------------------------------------------------------------------------


def run(name: str, task: str = "Do it.", reply: str = "Done.", **more: Any) -> Trace:
    """A run without a trajectory."""
    return Trace(id=name, task=task, reply=reply, **more)


def reflection(*tags: tuple[str, str], insight: str = "Look first.", analysis: str = "It went well.") -> str:
    """A Reflector's reply."""
    rows = [{"id": name, "tag": tag} for name, tag in tags]
    return json.dumps({"error_analysis": analysis, "key_insight": insight, "bullet_tags": rows})


def add(content: str, section: str = SECTION) -> dict[str, str]:
    """One operation of a Curator."""
    return {"type": "ADD", "section": section, "content": content}


def curation(*contents: str) -> str:
    """A Curator's reply that adds these."""
    return json.dumps({"operations": [add(content) for content in contents]})


def bullet(number: int, content: str, helpful: int = 0, harmful: int = 0, step: int = 1) -> Bullet:
    """A bullet of the last section."""
    return Bullet(f"ace-{number:05d}", SECTION, content, helpful, harmful, step)


P1 = Playbook(2, (bullet(1, "Read the failing test before you edit the code.", helpful=2),))
"""The playbook of `cases/CASES.md`."""


# --- scripts --------------------------------------------------------------------------------------------------------


def lessons() -> Script:
    """Learns from each run a lesson that names it."""
    return scripted(reflection(), lambda request: curation(f"What {request.trace} teaches."))


def scripted(reflector: str | Script, curator: str | Script) -> Script:
    """One answer for each role, a text or a script."""

    def answer(request: Request) -> str:
        given = reflector if request.role == "reflector" else curator
        return given if isinstance(given, str) else given(request)

    return answer


class Host:
    """Services with a scripted model, which keeps the requests, and a check, which keeps what it was shown."""

    def __init__(self, script: Script, check: Check = lambda _files: None) -> None:
        self._script = script
        self._check = check
        self.requests: list[Request] = []
        self.checked: list[dict[str, bytes]] = []

    def model(self, name: str) -> Host:
        """This host is the model called `served`."""
        assert name == "served"
        return self

    def complete(self, request: Request) -> Completion:
        """The script's answer."""
        self.requests.append(request)
        return Completion(text=self._script(request), model="scripted")

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """The check's verdict."""
        self.checked.append(dict(files))
        return self._check(files)


# --- books ----------------------------------------------------------------------------------------------------------


class _Folder(FolderBook):
    """A folder whose next record has this name."""

    def __init__(self, root: Path, rules: Sequence[Path], record: str) -> None:
        super().__init__(root, rules)
        self._name = record

    @override
    def begin_record(self, seq: int) -> str:
        self._record_dir = self.root / "steps" / self._name
        see_free(self._record_dir)
        return self._name


class Unlogged(HostBook):
    """The book of a host that keeps no log: what it brings is the state, and nothing is known of any run."""

    @override
    def open(self) -> OpenState:
        return OpenState(self._playbook or Playbook())

    @override
    def append(self, record: StepRecord) -> None:
        """Nothing is kept."""

    @override
    def past(self, trace: Trace) -> Past:
        return Past()

    @override
    def withdrawn(self) -> frozenset[str]:
        return frozenset()

    @override
    def remember(self, failed: FailedCall, *, time: str, model: str) -> None:
        """Nothing is kept."""

    @override
    def forget(self, trace: Trace) -> None:
        """Nothing is kept."""


# --- the folder -----------------------------------------------------------------------------------------------------


class Place:
    """The files of one playbook under `root`."""

    def __init__(self, root: Path, *, rules: bytes | None = None, playbook: Playbook | None = None) -> None:
        self.root = root
        self.rules = root / "rules.md"
        self.snapshot = root / "state" / "playbook.json"
        self.history = root / "history"
        self.log = Log(self.history)
        root.mkdir(parents=True, exist_ok=True)
        if rules is not None:
            self.rules.write_bytes(rules)
        if playbook is not None:
            self.put(playbook)

    def context(
        self,
        traces: Sequence[Trace] = (),
        *,
        owner: StateOwner = "folder",
        history: bool = True,
        rules: str = "rules.md",
        origin: str = "host",
        rejected: str = "",
        **more: Any,
    ) -> StepContext:
        """The context of the next step: in a folder of our own, or of a host that brings what lies there."""
        record = self.next_record()
        book: Book
        if owner == "folder" and history:
            book = _Folder(self.root, [self.root / rules], record.name)
        else:
            kind = HostBook if history else Unlogged
            path = self.root / rules
            book = kind(
                self.root,
                files={rules: path.read_bytes() if path.exists() else None},
                playbook=read_snapshot(self.snapshot),
                scenario="test",
                restore_reason=origin,
                rejected=rejected,
                record_dir=record,
            )
        return StepContext(book=book, traces=traces, **more)

    def next_record(self) -> Path:
        """The folder of the next step's record."""
        names = [path.name for path in (self.root / "steps").glob("*")]
        return self.root / "steps" / f"{len(names) + 1:05d}"

    def put(self, playbook: Playbook) -> None:
        """Write the snapshot, as a person or a host does."""
        self.snapshot.parent.mkdir(exist_ok=True)
        self.snapshot.write_bytes(dump(playbook))

    def playbook(self) -> Playbook:
        """What the snapshot holds."""
        return parse_playbook(self.snapshot.read_bytes(), "snapshot")

    def contents(self) -> list[str]:
        """The texts of the bullets."""
        return [one.content for one in self.playbook().bullets]

    def records(self) -> list[StepRecord]:
        """The log, its chain checked."""
        return list(self.log.verified())

    def events(self) -> list[Event]:
        """The events of the committed steps."""
        return [event for one in self.records() if one.outcome == "committed" for event in one.events]

    def runs_read(self) -> list[str]:
        """The runs that committed steps reflected on."""
        return [event.trace for event in self.events() if isinstance(event, RunRead)]

    def ids_given(self) -> list[str]:
        """Every id that a committed step gave to a new bullet."""
        return [event.id for event in self.events() if isinstance(event, BulletAdded)]

    def block(self) -> str:
        """The block in the rules file, with LF."""
        text = self.rules.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        return text[text.index(BEGIN) : text.index(END) + len(END)]

    def agrees(self) -> bool:
        """Whether `ace replay` finds log, snapshot and block to agree."""
        return main(["replay", "--work", str(self.root), "--rules", str(self.rules)]) == 0

    def files(self) -> dict[str, bytes]:
        """Every file under the root but the locks, by path."""
        paths = sorted(
            path for path in self.root.rglob("*") if path.is_file() and path.parent.name != "cache"
        )
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in paths
            if path.name not in ("lock", "learn.lock")
        }

    def kept(self) -> dict[str, bytes]:
        """The files that matter: rules, snapshot and log."""
        return {name: data for name, data in self.files().items() if not name.startswith("steps/")}


# --- a log by hand --------------------------------------------------------------------------------------------------


def record(
    seq: int = 1,
    before: StepRecord | None = None,
    events: Iterable[Event] = (),
    outcome: Literal["committed", "refused"] = "committed",
    **more: Any,
) -> StepRecord:
    """A line that continues the one of `before`."""
    fields: dict[str, Any] = {
        "v": 1,
        "seq": seq,
        "prev": "" if before is None else line_digest(encode_record(before)),
        "step": seq,
        "record": f"{seq:05d}",
        "outcome": outcome,
        "sections": (SECTION,),
        "next_number": 1,
        "playbook": digest(Playbook()),
        "block": "0" * 64,
        "served": "0" * 64,
        "events": tuple(events),
    }
    return StepRecord(**{**fields, **more})
