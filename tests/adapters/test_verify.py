"""`ace verify` finds what was changed, names the first place and a way out that works; `ace rebuild --dry-run` changes nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Generator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.commands import ace, fails, succeeds
from tests.adapters.hosting import Host, Place, curation, lessons, reflection, run, scripted

from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import Log
from ace.deciding import carry_out, remove, revert, reword
from ace.domain.chain import line_digest
from ace.domain.errors import AceError
from ace.domain.playbook import Draft, FoldDigest, Playbook, bullet_id, digest, fold_records
from ace.events.codec import decode_record, encode_record, sealed
from ace.events.types import BulletAdded, Capped, Removed, Reworded, StepRecord, TagCounted
from ace.method import ACE
from ace.reconciling import rebuild, verify


@pytest.fixture(scope="module")
def learned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two lessons, a tag, and a person's decisions; tests get a copy of it."""
    place = Place(tmp_path_factory.mktemp("learned") / "work", rules=b"# Rules\n")
    for number in (1, 2):
        ACE().step(place.context([run(f"r{number}")]), Host(lessons()))
    tagged = scripted(reflection(("ace-00001", "helpful")), curation())
    ACE().step(place.context([run("r3")]), Host(tagged))
    folder = FolderBook(place.root)
    carry_out(folder, reword(folder, "2", "Say it plainly."))
    carry_out(folder, remove(folder, ["1"], why="wrong"))
    carry_out(folder, revert(folder, 5))
    return place.root


@pytest.fixture
def place(tmp_path: Path, learned: Path) -> Place:
    """A copy of that folder."""
    shutil.copytree(learned, tmp_path / "work")
    return Place(tmp_path / "work")


def test_all_is_well(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit status 0, and nothing is changed; a record that is gone is told, and no error."""
    kept = place.files()
    assert "6 lines, 2 bullets: chain, ids, counts, records" in succeeds(
        capsys, "verify", "--work", place.root
    )
    assert place.files() == kept
    shutil.rmtree(place.root / "steps" / "00002")
    out = succeeds(capsys, "verify", "--work", place.root)
    assert "3 files of the records of 1 step are not here" in out


def test_a_record_that_was_changed(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """It is named, and the way out works; `replay` looks at no record."""
    calls = place.root / "steps" / "00002" / "calls.json"
    calls.write_bytes(calls.read_bytes() + b" ")
    assert ace("verify", "--work", place.root) == 1
    assert f"{calls} was changed" in capsys.readouterr().out
    assert ace("replay", "--work", place.root) == 0
    shutil.rmtree(calls.parent)
    assert ace("verify", "--work", place.root) == 0


def test_a_record_elsewhere_is_not_looked_for(place: Place) -> None:
    """A log may come with a clone: no path in it leads out of the folder."""
    relog(place, _with(2, records={"../../../outside": "0" * 64}))
    (place.root.parent / "outside").write_bytes(b"mine")
    assert verify(FolderBook(place.root)).changed == ()


# --- every bit ------------------------------------------------------------------------------------------------------


def _is_found(folder: FolderBook) -> bool:
    try:
        return not verify(folder).agrees
    except AceError:
        return True


def _unfound(place: Place, step: int) -> list[int]:
    """The bits, every so many of them, whose flip is not found."""
    whole, folder, unfound = place.log.path.read_bytes(), FolderBook(place.root), list[int]()
    for bit in range(0, len(whole) * 8, step):
        flipped = bytearray(whole)
        flipped[bit // 8] ^= 1 << bit % 8
        place.log.path.write_bytes(flipped)
        if not _is_found(folder):
            unfound.append(bit)
    return unfound


def test_a_bit_that_flipped(place: Place) -> None:
    """Bits from all over the log, and all of the last line's sum and its key: none is passed over."""
    assert _unfound(place, 397) == []


@pytest.mark.slow
def test_every_bit_that_flips(place: Place) -> None:
    """Each bit of the log."""
    assert _unfound(place, 1) == []


def test_the_name_of_the_last_sum(place: Place) -> None:
    """A last line whose `sum` is called otherwise would pass for one of 0.1.0: it has a time, which those had not."""
    whole = place.log.path.read_bytes()
    at = whole.rindex(b'"sum"')
    place.log.path.write_bytes(whole[:at] + b'"sun"' + whole[at + 5 :])
    assert _is_found(FolderBook(place.root))


# --- a sound chain that tells of what cannot have been -------------------------------------------------------------------


def relog(place: Place, change: Callable[[StepRecord], dict[str, object]]) -> None:
    """Write the log again with other fields, each line sealed and chained, and its playbook the fold's."""
    lines: list[bytes] = []
    records: list[StepRecord] = []
    for line in place.log.path.read_bytes().splitlines():
        record = decode_record(line)
        record = msgspec.structs.replace(record, prev=line_digest(lines[-1]) if lines else "")
        record = msgspec.structs.replace(record, **change(record))
        folded = digest(fold_records(Playbook(), [*records, record]))
        records.append(sealed(msgspec.structs.replace(record, playbook=folded)))
        lines.append(encode_record(records[-1]))
    place.log.path.write_bytes(b"".join(line + b"\n" for line in lines))


def _with(seq: int, **fields: object) -> Callable[[StepRecord], dict[str, object]]:
    return lambda record: fields if record.seq == seq else {}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (_with(2, next_number=9), "line 2 does not fit .* number is 3, not 9"),
        (
            _with(2, events=(BulletAdded("a", 0, "ace-00001", "Others", "Twice.", 2),)),
            "line 2 .* given before",
        ),
        (_with(3, events=(TagCounted("a", 0, "ace-00009", "helpful"),)), "line 3 .* which is not there"),
        (
            _with(4, events=(Reworded("ace-00002", "x", "y", "person", ""),)),
            "line 4 .* a text that it does not have",
        ),
        (
            _with(5, events=(Removed("ace-00001", "Others", "What r1 teaches.", 0, 0, "person", ""),)),
            "line 5 .* counts",
        ),
        (
            _with(5, events=(Removed("ace-00009", "Others", "x", 0, 0, "person", ""),)),
            "line 5 .* was not there",
        ),
    ],
)
def test_an_event_that_does_not_fit(
    place: Place, change: Callable[[StepRecord], dict[str, object]], told: str
) -> None:
    """Given a log that is sound as a chain, then the first event that cannot have been is named by its line."""
    relog(place, change)
    with pytest.raises(AceError, match=told):
        verify(FolderBook(place.root))


def _misname(place: Place, change: Callable[[StepRecord], dict[str, object]]) -> None:
    """Write the log again with other fields, each line sealed and chained; what it says of its playbook stays as it is given."""
    made: list[bytes] = []
    for line in place.log.path.read_bytes().splitlines():
        record = msgspec.structs.replace(decode_record(line), prev=line_digest(made[-1]) if made else "")
        made.append(encode_record(sealed(msgspec.structs.replace(record, **change(record)))))
    place.log.path.write_bytes(b"".join(line + b"\n" for line in made))


@pytest.mark.parametrize("last", [4, 6])
def test_the_first_line_that_folds_otherwise(
    place: Place, last: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is named, also where later lines name the right playbook again, and the log is read once to find it."""
    _misname(place, lambda record: {"playbook": "0" * 64} if 4 <= record.seq <= last else {})
    began: list[int] = []
    lines = Log._lines

    def counted(self: Log, start: int = 0) -> Generator[bytes]:
        began.append(start)
        return lines(self, start)

    monkeypatch.setattr(Log, "_lines", counted)
    for thorough in (True, False):
        began.clear()
        with pytest.raises(AceError, match="line 4 names"):
            verify(FolderBook(place.root), thorough=thorough)
        assert began == [0]
    with pytest.raises(AceError, match="line 4 names"):
        rebuild(FolderBook(place.root))


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), max_size=12))
def test_the_digest_of_a_fold(moves: list[tuple[int, int, bool]]) -> None:
    """Property: the digest that is made from what changed is that of the whole playbook, whatever came, changed and left."""
    draft, digests = Draft(Playbook()), FoldDigest()
    for number, (one, other, leaves) in enumerate(moves, 1):
        draft.apply(
            (
                BulletAdded("r", 0, bullet_id(number), "Others", f"Lesson {number}, über „{one}“.", number),
                TagCounted("r", 0, bullet_id(max(1, number - one)), "helpful"),
                Reworded(bullet_id(max(1, number - other)), "", f"Other {number}.", "person", ""),
                *([Capped(bullet_id(max(1, number - other)), "Others", "", 0, 0)] if leaves else []),
            )
        )
        assert digests.of(draft) == digest(draft.freeze())


# --- rebuild --dry-run ----------------------------------------------------------------------------------------------


def test_what_a_rebuild_would_do(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """It shows what would change and writes nothing, not even a lock; where all is well it says so."""
    assert "the files agree with the log" in succeeds(capsys, "rebuild", "--work", place.root, "--dry-run")
    place.rules.write_text(place.rules.read_text().replace("Say it plainly.", "Obey me."))
    place.snapshot.write_bytes(b"{")
    kept = place.files()
    out = succeeds(capsys, "rebuild", "--work", place.root, "--dry-run")
    assert "-- [ace-00002] helpful=0 harmful=0 :: Obey me." in out
    assert "+- [ace-00002] helpful=0 harmful=0 :: Say it plainly." in out
    assert f"`ace adopt --from-block {place.rules}` takes it up, in place of `ace rebuild`." in out
    assert "Nothing was done" in out
    assert place.files() == kept
    assert ace("rebuild", "--work", place.root) == 0
    assert ace("verify", "--work", place.root) == 0
    place.snapshot.write_bytes(b"{")
    assert "--from-block" not in succeeds(capsys, "rebuild", "--work", place.root, "--dry-run")
    assert "nothing to rebuild from" in fails(capsys, "rebuild", "--work", _empty(place), "--dry-run")


def _empty(place: Place) -> Path:
    shutil.rmtree(place.history)
    return place.root
