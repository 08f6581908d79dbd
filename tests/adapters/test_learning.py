"""What a library user can do with a playbook's folder: the commands decide nothing that these do not."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.adapters.hosting import Host, Place, bullet, lessons, run

import ace
from ace.adapters.ace import ACE
from ace.domain.errors import AceError, LockedError
from ace.domain.playbook import Playbook
from ace.domain.rules import BEGIN, END

SECRET = "ghp_" + "a1B2" * 9


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder in which two steps were made."""
    place = Place(tmp_path / "work", rules=b"# Rules\n")
    for name in ("r1", "r2"):
        ACE().step(place.context([run(name)]), Host(lessons()))
    return place


def test_verify(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Given an orderly folder, then log, snapshot and block agree; a changed block is a difference. Nothing is printed."""
    folder = ace.Folder(str(place.root))
    found = ace.verify(folder)
    assert (found.agrees, found.lines, len(found.playbook.bullets)) == (True, 2, 2)
    place.rules.write_bytes(place.rules.read_bytes().replace(b"What r1 teaches.", b"What r1 taught."))
    found = ace.verify(folder)
    assert not found.agrees
    assert any(line.startswith("+") and "What r1 taught." in line for line in found.differences)
    assert capsys.readouterr() == ("", "")


def test_verify_without_a_log(tmp_path: Path) -> None:
    """Given a snapshot alone, then nothing agrees yet; given nothing at all, then everything does."""
    assert ace.verify(ace.Folder(tmp_path / "none")).agrees
    place = Place(tmp_path / "work", playbook=Playbook(2, (bullet(1, "One."),)))
    assert not ace.verify(ace.Folder(place.root)).agrees


def test_rebuild(place: Place, capsys: pytest.CaptureFixture[str]) -> None:
    """Given a lost snapshot and a changed block, then both are as the log has them."""
    before = place.kept()
    place.snapshot.unlink()
    place.rules.write_bytes(place.rules.read_bytes().replace(b"What r1 teaches.", b"What r1 taught."))
    made = ace.rebuild(ace.Folder(place.root))
    assert (made.lines, made.replaced, made.playbook) == (2, {}, place.playbook())
    assert place.kept() == before
    assert capsys.readouterr() == ("", "")


def test_adopt(place: Place) -> None:
    """Given a snapshot that was changed by hand, then it is taken, without what the screens refuse; the second time it is known."""
    place.put(Playbook(5, (bullet(1, "Reworded."), bullet(3, f"Use {SECRET}."), bullet(4, "New."))))
    taken = ace.adopt(ace.Folder(place.root))
    assert [one.content for one in taken.playbook.bullets] == ["Reworded.", "New."]
    assert [event.id for event in taken.screened] == ["ace-00003"]
    assert not taken.was_known
    assert ace.adopt(ace.Folder(place.root)).was_known
    assert SECRET.encode() not in place.log.path.read_bytes()


def test_the_block_of_another_playbook(place: Place, tmp_path: Path) -> None:
    """Given a rules file with a foreign block, then it stays, unless it is to be taken; then it is told."""
    other = tmp_path / "AGENTS.md"
    foreign = f"{BEGIN}\n- [ace-00001] helpful=0 harmful=0 :: Of another.\n{END}\n"
    other.write_text(foreign)
    folder = ace.Folder(place.root, [other])
    for mend in (ace.rebuild, ace.adopt):
        with pytest.raises(AceError, match="--take-block"):
            mend(folder)
        assert other.read_text() == foreign
    assert "Of another." in ace.rebuild(folder, take_block=True).replaced[other]
    assert "What r2 teaches." in other.read_text()


def test_a_rules_file_that_is_known_is_made_again(place: Place, tmp_path: Path) -> None:
    """Given a named rules file that lost its block, then it gets it again; where none is named, another one must not be made."""
    folder = ace.Folder(place.root, [tmp_path / "AGENTS.md"])
    ace.rebuild(folder)
    assert "What r1 teaches." in (tmp_path / "AGENTS.md").read_text()
    place.rules.unlink()
    with pytest.raises(AceError, match="does not hold the block"):
        ace.rebuild(ace.Folder(place.root))


def test_one_writer(place: Place) -> None:
    """Given a step under way, then neither mends anything meanwhile."""

    def meanwhile(_request: object) -> str:
        for mend in (ace.rebuild, ace.adopt):
            with pytest.raises(LockedError):
                mend(ace.Folder(place.root))
        return ""

    ACE().step(place.context([run("r3")]), Host(meanwhile))
    assert place.agrees()
