"""No run is lost to its environment, without a service: what could not be read waits, and a later step reads it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.harness.episodes.model_binding import ModelBindingError
from tests.reef.host import FIRST, Host, entry, raising, sample, sample_again, well
from tests.reef.upstream import curation, reflection

from ace.adapters.reef.releases import KEY
from ace.adapters.reef.unread import AT_ONCE
from ace.adapters.store import backlog as store
from ace.adapters.store.backlog import MOST_TRIES, Backlog, Waiting
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import Log
from ace.domain.chain import next_line
from ace.domain.playbook import Playbook
from ace.domain.rules_block import digest_in
from ace.domain.settings import ACESettings
from ace.events.types import Bullet, Removed
from ace.method import ACE, now
from ace.reconciling import verify

OVERLOADED = ModelBindingError("overloaded", status=503)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A scenario that begins."""
    return Host(tmp_path / "root")


def waiting(host: Host) -> list[str]:
    """The runs that wait."""
    return [one.waiting.run for one in Backlog(host.root).entries()]


def read(host: Host) -> list[str]:
    """The runs that the log has read, in order."""
    return [e["trace"] for line in host.lines() for e in line["events"] if e["type"] == "RunRead"]


def fail_for_good(host: Host, *names: str) -> dict[str, Any]:
    """The batch is brought until its runs are put away; the commit's metrics."""
    for _ in range(3):
        with pytest.raises(Exception, match="overloaded"):
            host.prepare(*map(sample, names))
        host.reload()
    return host.step(*map(sample, names))


class TestOutage:
    """An endpoint that is down."""

    def test_the_runs_of_a_night_are_read_in_the_morning(self, host: Host) -> None:
        """In the order in which they came, behind what Reef brings; and once."""
        host.reflector = raising(OVERLOADED)
        for night in range(5):
            notes = fail_for_good(host, f"r{night}")["proposal_notes"]
            assert notes["waiting"] == [f"r{night}"]
        assert waiting(host) == [f"r{night}" for night in range(5)]
        host.reflector = well
        host.step(sample("morning"))
        assert read(host) == ["morning", *(f"r{night}" for night in range(5))]
        assert waiting(host) == []
        host.step(sample("next"))
        assert read(host)[6:] == ["next"]

    def test_what_waits_is_told(self, host: Host) -> None:
        """In summary and notes, with the reason; and in what Reef keeps."""
        host.reflector = raising(OVERLOADED)
        metrics = fail_for_good(host, "r1", "r2")
        output = Path(metrics["step_record"]) / "output"
        assert (output / "summary.md").read_text() == metrics["proposal_notes"]["summary"]
        assert "## Waiting" in metrics["proposal_notes"]["summary"]
        assert "- r2: No model call got through, of 2: overloaded" in metrics["proposal_notes"]["summary"]
        last = json.loads((output / "notes.jsonl").read_text().splitlines()[-1])
        assert (last["event"], last["run"], last["step"]) == ("Waiting", "r2", 1)

    def test_a_commit_that_fails_loses_nothing(self, host: Host) -> None:
        """What the step had read of the backlog is dropped once Reef has kept it; the batch is brought again."""
        host.reflector = raising(OVERLOADED)
        fail_for_good(host, "r1")
        host.reflector = well
        host.prepare(sample("r2"))  # and Reef did not keep it
        host.reload()
        assert waiting(host) == ["r1"]
        host.step(sample("r2"))
        assert read(host)[-2:] == ["r2", "r1"]
        assert waiting(host) == []

    def test_a_kill_behind_the_commit_reads_nothing_twice(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Reef's state says what was read."""
        host.reflector = raising(OVERLOADED)
        fail_for_good(host, "r1")
        host.reflector = well
        monkeypatch.setattr(type(host.backend), "commit_applied", lambda *_: None)
        host.step(sample("r2"))
        assert waiting(host) == ["r1"]
        monkeypatch.undo()
        host.reload()
        host.step(sample("r3"))
        assert read(host) == ["r2", "r1", "r3"]

    def test_a_rollback_brings_no_run_back(self, host: Host) -> None:
        """Nor does it lose one."""
        host.two()
        first = host.releases.newest()
        host.reflector = raising(OVERLOADED)
        fail_for_good(host, "r3")
        host.reflector = well
        host.step(sample("r4"))
        host.roll_back(first)
        host.step(sample("r5"))
        assert read(host)[-3:] == ["r4", "r3", "r5"]

    def test_a_batch_that_comes_again_beside_its_own_runs_is_read_once(self, host: Host) -> None:
        """The commit that put them away was not kept."""
        host.reflector = raising(OVERLOADED)
        for _ in range(3):
            with pytest.raises(Exception, match="overloaded"):
                host.prepare(sample("r1"))
        host.prepare(sample("r1"))  # put away, and then the commit fails
        assert waiting(host) == ["r1"]
        host.reload()
        host.reflector = well
        host.step(sample("r1"))
        assert (read(host), waiting(host)) == (["r1"], [])

    def test_a_step_reads_no_more_than_it_can_lose(self, host: Host) -> None:
        """The rest is the next step's."""
        Backlog(host.root).add(
            [Waiting(f"r{at}", (f"r{at}",), f"report-on-r{at}") for at in range(AT_ONCE + 2)]
        )
        for at in range(AT_ONCE + 2):
            host.records.keep(sample(f"r{at}"))
        host.step(sample("next"))
        assert len(read(host)) == 1 + AT_ONCE
        host.step(sample("last"))
        assert waiting(host) == []

    @pytest.mark.parametrize(("limit", "brought"), [(1, 1), (2, 1), (2, 2), (3, 3), (4, 2)])
    def test_a_limit_of_runs_a_step_is_kept_and_starves_nobody(
        self, tmp_path: Path, limit: int, brought: int
    ) -> None:
        """What has no place because of runs that waited waits itself."""
        host = Host(tmp_path / "root", ACESettings(max_traces_per_step=limit))
        Backlog(host.root).add([Waiting("old", ("old",), "report-on-old")])
        host.records.keep(sample("old"))
        new = [f"n{at}" for at in range(brought)]
        host.step(*map(sample, new))
        assert "old" in read(host)
        assert len(read(host)) <= limit
        assert set(read(host)) | set(waiting(host)) == {"old", *new}

    def test_what_the_limit_passes_over_by_itself_is_passed_over(self, tmp_path: Path) -> None:
        """That is what it is for."""
        host = Host(tmp_path / "root", ACESettings(max_traces_per_step=1))
        host.step(sample("r1"), sample("r2"))
        assert (read(host), waiting(host)) == (["r1"], [])


class TestOneRun:
    """A run of which nothing came, in a step in which something came of others."""

    def test_a_failed_call_is_made_again(self, host: Host) -> None:
        """With the next batch."""
        host.reflector = lambda prompt: raising(OVERLOADED)(prompt) if "BAD" in prompt else reflection()
        notes = host.step(sample("good"), sample("bad", "BAD task"))["proposal_notes"]
        assert notes["waiting"] == ["bad"]
        host.reflector = well
        host.step(sample("next"))
        assert read(host) == ["good", "next", "bad"]

    def test_a_curator_that_was_not_reached_is_asked_alone(self, host: Host) -> None:
        """About the reflection that is in the log: the tags count once."""
        host.step()
        host.reflector = lambda _: reflection(("ace-00001", "helpful"))
        host.curator = raising(OVERLOADED)
        assert host.step(sample("r2"))["proposal_notes"]["waiting"] == ["r2"]
        host.reflector = lambda prompt: raising(AssertionError())(prompt) if "r2" in prompt else reflection()
        host.curator = lambda _: curation("A lesson of it.")
        host.step(sample("r3", "another"))
        assert "helpful=1 harmful=0 :: " in host.text
        assert "A lesson of it." in host.text
        last = host.lines()[-1]["events"]
        assert [e.get("of", 0) for e in last if e["type"] == "RunRead"] == [0, 2]

    def test_a_run_that_meets_a_bad_moment_again_and_again_is_not_given_up_soon(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The endpoint is why, though it answered others; after very many such steps it is named and passed over."""
        host.reflector = lambda prompt: raising(OVERLOADED)(prompt) if "BAD" in prompt else reflection()
        host.step(sample("good"), sample("bad", "BAD task"))
        for at in range(2 * MOST_TRIES):
            assert host.step(sample(f"r{at}"))["proposal_notes"]["waiting"] == ["bad"]
        monkeypatch.setattr("ace.adapters.reef.unread.MOST_DELAYS", 2 * MOST_TRIES + 2)
        assert host.step(sample("last"))["proposal_notes"]["passed over"] == ["bad"]

    @pytest.mark.parametrize("reply", ["I would rather not say.", ModelBindingError("filtered", status=400)])
    def test_a_run_that_never_works_is_passed_over(self, host: Host, reply: str | Exception) -> None:
        """After three steps in which others worked; and it is named."""

        def reflector(prompt: str) -> str:
            if "BAD" not in prompt:
                return reflection()
            if isinstance(reply, Exception):
                raise reply
            return reply

        host.reflector = reflector
        told = [host.step(sample("good"), sample("bad", "BAD task"))]
        told += [host.step(sample(f"r{at}")) for at in range(MOST_TRIES - 1)]
        assert [one["proposal_notes"].get("waiting") for one in told] == [["bad"]] * (MOST_TRIES - 1) + [None]
        assert "bad" in told[-1]["proposal_notes"]["summary"]
        assert "bad" not in host.step(sample("last"))["proposal_notes"]["summary"]
        assert (read(host)[-1], waiting(host)) == ("last", [])

    def test_a_run_that_was_not_asked_about_was_not_tried(self, host: Host) -> None:
        """The endpoint failed for others before it."""
        asked: list[str] = []

        def dying(prompt: str) -> str:
            asked.append(prompt)
            if len(asked) > 1:
                raise ModelBindingError("unusable", status=503)
            return "no JSON"

        host.reflector = dying
        host.step(sample("r1"), sample("r2"), sample("r3"), sample("r4"))
        assert waiting(host) == ["r1", "r2", "r3", "r4"]
        assert Backlog(host.root).entries()[3].waiting.tries == 0

    def test_a_run_for_which_the_budget_did_not_suffice_was_not_tried(self, tmp_path: Path) -> None:
        """It waits until there is room, however many steps that takes."""
        host = Host(tmp_path / "root", max_model_calls_per_step=2)
        host.step(sample("r0"), sample("late"))
        for at in range(1, MOST_TRIES + 2):
            assert host.step(sample(f"r{at}"))["proposal_notes"]["waiting"] == ["late"]
        host.reload(max_model_calls_per_step=0)
        host.step(sample("last"))
        assert (read(host)[-1], waiting(host)) == ("late", [])

    def test_a_bug_in_a_run_that_waits_does_not_stop_the_others(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The batch is tried again without it, and after three steps it is passed over."""
        step = ACE.step

        def buggy(self: ACE, context: Any, services: Any) -> Any:
            if any(trace.id == "bad" for trace in context.traces):
                raise ZeroDivisionError
            return step(self, context, services)

        monkeypatch.setattr(ACE, "step", buggy)
        assert host.step(sample("bad"))["proposal_notes"]["waiting"] == ["bad"]
        for at in range(MOST_TRIES - 1):
            with pytest.raises(ZeroDivisionError):
                host.prepare(sample(f"r{at}"))
            host.reload()
            host.step(sample(f"r{at}"))
        (told,) = (host.root / "steps").glob(f"{MOST_TRIES}-2/output/notes.jsonl")
        assert '"event": "PassedOver"' in told.read_text()
        host.step(sample("last"))
        assert (read(host), waiting(host)) == (["r0", "r1", "last"], [])


class TestSteps:
    """Steps in which the method is not asked, or cannot begin."""

    def test_a_step_that_a_proposal_took_loses_no_run(self, host: Host) -> None:
        """Reef hands its runs to nobody: the next step reads them."""
        host.suggest("- Theirs.\n")
        notes = host.step(sample("r1"))["proposal_notes"]
        assert notes["waiting"] == ["r1"]
        assert "somebody's proposal took the step" in notes["summary"]
        host.step(sample("r2"))
        assert read(host) == ["r2", "r1"]

    @pytest.mark.parametrize(
        "damage",
        [
            lambda host: (host.root / "history" / "events.jsonl").write_bytes(b'{"v":99}\n'),
            lambda host: host.bring(entry("a"), entry("<!-- ace:playbook:end -->", "more")),
            lambda host: setattr(host.releases, "broken", True),
        ],
    )
    def test_what_a_person_has_to_mend_loses_no_run(
        self, host: Host, damage: Callable[[Host], object]
    ) -> None:
        """A log of a newer version, malformed markers, a release that is gone."""
        host.step()
        log = (host.root / "history" / "events.jsonl").read_bytes()
        tree = host.state["entries"]
        damage(host)
        for _ in range(4):
            try:
                host.step(sample("r2"))
                break
            except Exception:  # noqa: BLE001 - some are tried again first
                host.reload()
        assert waiting(host) == ["r2"]
        (host.root / "history" / "events.jsonl").write_bytes(log)
        host.bring(*tree)
        host.releases.broken = False
        host.step(sample("r3"))
        assert read(host)[1:] == ["r3", "r2"]

    def test_a_full_disk_loses_no_run_and_costs_no_calls(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Reef keeps the batch, and brings it again until there is room; after the first tries no model is asked."""
        asked: list[str] = []

        def reflector(prompt: str) -> str:
            asked.append(prompt)
            return reflection()

        host.reflector = reflector

        def full(*_: object) -> int:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr("ace.adapters.store.files.os.write", full)
            patch.setattr(Path, "write_bytes", full)
            for _ in range(8):
                with pytest.raises(OSError, match="No space left"):
                    host.prepare(sample("r1"))
                host.reload()
        assert len(asked) <= 4
        host.step(sample("r1"))
        assert read(host) == ["r1"]
        assert FIRST in host.text

    def test_runs_of_which_reef_has_no_records_any_more_are_named(self, host: Host) -> None:
        """It drops the oldest when it has too many."""
        Backlog(host.root).add([Waiting("gone", ("gone",), "report-on-gone")])
        notes = host.step(sample("r1"))["proposal_notes"]
        assert notes["passed over"] == ["gone"]
        assert (read(host), waiting(host)) == (["r1"], [])

    def test_what_falls_out_of_the_backlog_is_named(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The oldest."""
        monkeypatch.setattr(store, "MOST_RUNS", 1)
        host.reflector = raising(OVERLOADED)
        fail_for_good(host, "r1")
        notes = fail_for_good(host, "r2")["proposal_notes"]
        assert (notes["waiting"], notes["passed over"]) == (["r2"], ["r1"])


class TestCorrections:
    """A score that is reported again for the same calls."""

    @staticmethod
    def score(host: Host, run: str) -> float:
        """The score with which the log has read a run."""
        (found,) = [
            e["score"]
            for line in host.lines()
            for e in line["events"]
            if e["type"] == "RunRead" and e["trace"] == run
        ]
        return float(found)

    def test_the_last_one_counts_for_a_run_that_reef_brings(self, host: Host) -> None:
        """Although Reef has not come to it yet; with its feedback."""
        host.records.keep(sample("r1"))
        host.records.report("r1", score=0.25, name="second", feedback="it was not")
        host.records.report("r1", score=0.5, name="third", feedback="CORRECTED")
        host.records.report("other", score=0.75, name="of another")
        seen: list[str] = []

        def reflector(prompt: str) -> str:
            seen.append(prompt)
            return reflection()

        host.reflector = reflector
        notes = host.step(sample("r1"))["proposal_notes"]
        assert self.score(host, "r1") == 0.5
        assert "CORRECTED" in seen[0]
        assert notes["corrected"] == ["r1"]

    def test_the_last_one_counts_for_a_run_that_waits(self, host: Host) -> None:
        """Whether Reef has come to it, and passed it over, or not."""
        host.reflector = raising(OVERLOADED)
        fail_for_good(host, "r1")
        fail_for_good(host, "r2")
        host.backend.late(host.records.report("r1", score=0.25, name="passed by"))
        host.records.report("r2", score=0.5, name="still to come")
        host.reflector = well
        notes = host.step(sample("r3"))["proposal_notes"]
        assert (self.score(host, "r1"), self.score(host, "r2")) == (0.25, 0.5)
        assert sorted(notes["corrected"]) == ["r1", "r2"]

    def test_what_was_counted_ahead_is_not_told_as_too_late(self, host: Host) -> None:
        """When Reef comes to it, the run has been read with it."""
        host.records.keep(sample("r1"))
        report = host.records.report("r1", score=0.25, name="second")
        host.step(sample("r1"))
        host.reload()
        host.backend.late(report)
        assert "too late" not in host.step(sample("r2"))["proposal_notes"]
        assert "ahead" not in host.kept

    def test_of_two_reports_in_one_batch_the_last_counts(self, host: Host) -> None:
        """The run is read once."""
        first = sample("r1")
        notes = host.step(first, sample_again(first, 0.5, "second"))["proposal_notes"]
        assert self.score(host, "r1") == 0.5
        assert notes["corrected"] == ["r1"]
        assert "ahead" not in host.kept

    def test_a_report_that_was_counted_ahead_brings_no_run_of_its_own(self, host: Host) -> None:
        """Reef holds both, and brings the second with a later batch."""
        first = sample("r1")
        second = sample_again(first, 0.5, "second")
        host.records.keep(first)
        host.records.keep(second)
        host.step(first, sample("r2"))
        assert self.score(host, "r1") == 0.5
        host.step(second, sample("r3"))
        assert read(host) == ["r1", "r2", "r3"]
        assert "ahead" not in host.kept

    def test_too_late_is_told(self, host: Host) -> None:
        """For a run that was read."""
        host.step(sample("r1"))
        host.backend.late(host.records.report("r1", score=0.0, name="second"))
        notes = host.step(sample("r2"))["proposal_notes"]
        assert notes["too late"] == ["r1"]
        assert self.score(host, "r1") == 1.0
        assert "too late" not in host.step(sample("r3"))["proposal_notes"]


class TestAgain:
    """Runs that a person asks for once more."""

    def test_a_run_is_read_again_with_its_last_report(self, host: Host) -> None:
        """By its id alone: its calls and its report are looked for in Reef's records."""
        host.step(sample("r1"))
        host.records.report("r1", score=0.0, name="second")
        Backlog(host.root).add([Waiting("r1", again=True)])
        host.step(sample("r2"))
        scores = [
            e["score"]
            for line in host.lines()
            for e in line["events"]
            if e["type"] == "RunRead" and e["trace"] == "r1"
        ]
        assert scores == [1.0, 0.0]
        assert waiting(host) == []

    def test_a_run_that_was_given_up_is_asked_about_again(self, host: Host) -> None:
        """After three unusable replies it would not be."""
        host.reflector = lambda prompt: "no JSON" if "BAD" in prompt else reflection()
        host.step(sample("good"), sample("bad", "BAD task"))
        for at in range(MOST_TRIES - 1):
            host.step(sample(f"r{at}"))
        host.reflector = well
        Backlog(host.root).add([Waiting("bad", again=True)])
        host.step(sample("last"))
        assert read(host)[-1] == "bad"

    def test_an_id_that_reef_does_not_know_is_named(self, host: Host) -> None:
        """And the step goes on."""
        Backlog(host.root).add([Waiting("nobody", again=True)])
        assert host.step()["proposal_notes"]["passed over"] == ["nobody"]


def test_the_release_of_a_run_tells_which_lessons_it_had(host: Host) -> None:
    """Those of the release that its client had, whatever is served by then; of one that is gone nothing is known."""
    first = host.two()
    for name, release in (("r1", first), ("r2", "seed"), ("r3", "gone")):
        host.records.keep(sample(name))
        host.records.came_with(name, host.releases.ref(release))
    host.step(sample("r1"), sample("r2"), sample("r3"))
    blocks = [line["block"] for line in host.lines()]
    had = [e.get("had", "") for e in host.lines()[-1]["events"] if e["type"] == "RunRead"]
    assert had == [blocks[0], digest_in(b""), ""]


class TestLog:
    """A log that is not what the last step left."""

    @staticmethod
    def log(host: Host) -> Path:
        """The file."""
        return host.root / "history" / "events.jsonl"

    @pytest.mark.parametrize("line", [0, 1, 2])
    def test_a_damaged_log_is_set_aside(self, host: Host, line: int) -> None:
        """Wherever the damage is, and before a model is asked. The step goes on with what Reef keeps, and gives no id twice."""
        host.two()
        host.step(sample("r3"))
        lines = self.log(host).read_bytes().splitlines(keepends=True)
        lines[line] = lines[line].replace(b"committed", b"commixxed")
        self.log(host).write_bytes(b"".join(lines))
        host.curator = lambda _: curation("A third lesson.")
        notes = host.step(sample("r4"))["proposal_notes"]
        assert "was set aside as events.damaged-1.jsonl" in notes["summary"]
        assert f"line {line + 1}" in notes["summary"]
        assert (host.root / "history" / "events.damaged-1.jsonl").read_bytes() == b"".join(lines)
        assert [f"[ace-0000{n}]" in host.text for n in (1, 2, 3)] == [True, True, True]
        assert host.restored() == [
            "the state that Reef keeps, since the log was damaged (events.damaged-1.jsonl)"
        ]
        assert read(host) == ["r4"]
        assert "## The log" not in host.step(sample("r5"))["proposal_notes"]["summary"]

    def test_an_id_of_a_step_that_reef_did_not_keep_is_not_given_again(self, host: Host) -> None:
        """Only the log knew of it, and what the step wrote down of the log."""
        host.step(sample("r1"))
        host.curator = lambda _: curation("A second lesson.")
        host.prepare(sample("r2"))  # its commit fails
        host.reload()
        self.log(host).write_bytes(b"{}\n")
        host.step(sample("r2"))
        assert "[ace-00003]" in host.text
        assert "[ace-00002]" not in host.text

    def test_what_a_person_removed_does_not_come_back(self, host: Host) -> None:
        """By the lines of the damaged log that are as they were written."""
        host.step(sample("r1"))
        log = Log(host.root / "history")
        tail = log.last()
        assert tail is not None
        (bullet,) = [Bullet(**one) for one in host.kept["playbook"]["bullets"]]
        gone = Removed(bullet.id, bullet.section, bullet.content, 0, 0, "person", "never true")
        log.append(
            next_line(
                tail, Playbook(2, ()), (gone,), sections=tail.record.sections, block="", served="", time=now()
            )
        )
        host.bring(entry("# Rules\n"))
        host.state[KEY]["playbook"] = {"next_number": 2, "bullets": []}
        lines = self.log(host).read_bytes().splitlines(keepends=True)
        self.log(host).write_bytes(lines[0].replace(b"committed", b"commixxed") + lines[1])
        notes = host.step(sample("r2"))["proposal_notes"]
        assert FIRST not in host.text
        assert "refused 1" in notes["summary"]
        verified = verify(FolderBook(host.root, (), owner="host"))
        assert not verified.differences

    def test_what_a_newer_version_wrote_is_left_as_it_is(self, host: Host) -> None:
        """It is not damaged: the runs wait until ace is brought up to date."""
        host.step(sample("r1"))
        newer = self.log(host).read_bytes() + b'{"v":99}\n'
        self.log(host).write_bytes(newer)
        notes = host.step(sample("r2"))["proposal_notes"]
        assert "written by a newer ace" in notes["reason"]
        assert (self.log(host).read_bytes(), waiting(host)) == (newer, ["r2"])

    def test_an_older_copy_is_told(self, host: Host) -> None:
        """Each of its lines is sound: Reef's state is right, and the log says so."""
        host.step(sample("r1"))
        older = self.log(host).read_bytes()
        host.curator = lambda _: curation("A second lesson.")
        host.step(sample("r2"))
        self.log(host).write_bytes(older)
        notes = host.step(sample("r3"))["proposal_notes"]
        assert "another one than the last step left: it had 2 lines, and now has 1 line" in notes["summary"]
        assert host.restored() == ["the state that Reef keeps"]


type Fault = Literal[
    "none",
    "down",
    "curator down",
    "one fails",
    "full",
    "commit lost",
    "proposal",
    "rollback",
    "damaged",
    "restart",
]


@settings(max_examples=8)
@given(
    faults=st.lists(st.sampled_from(get_args(Fault.__value__)), min_size=1, max_size=5),
    limit=st.sampled_from([0, 0, 2]),
)
def test_whatever_happens_each_run_is_read_or_named(
    tmp_path_factory: pytest.TempPathFactory, faults: list[Fault], limit: int
) -> None:
    """Given any faults one after the other, and then none, then each run was read, or a step has said that it is given up."""
    host = Host(tmp_path_factory.mktemp("s") / "root", ACESettings(max_traces_per_step=limit))
    named: set[str] = set()
    first = host.releases.newest()
    well_again: list[Fault] = ["none"] * (10 if limit else 2)  # a step of a limit of 2 reads one that waits
    brought: set[str] = set()
    for step, fault in enumerate((*faults, *well_again)):
        size = 1 + step % 2 if step < len(faults) else 1
        batch = [sample(f"r{step}-{at}", f"Task {step}.") for at in range(size)]
        brought |= {f"r{step}-{at}" for at in range(size)}
        for attempt in range(10):  # as Reef does: a batch comes again until its step is committed
            try:
                with _fault(host, fault if attempt < 5 else "none", first):
                    prepared = host.prepare(*batch)
                    if fault != "commit lost" or attempt:
                        notes = host.commit(prepared).get("proposal_notes", {})
                        named.update(notes.get("passed over", ()))
                        break
            except Exception:  # noqa: BLE001 - Reef takes any
                host.reload()
            else:
                host.reload()  # its commit was not kept
    assert _ever_read(host) | named == brought
    assert waiting(host) == []
    assert not named or {"one fails", "curator down"} & set(faults)


def _ever_read(host: Host) -> set[str]:
    """The runs that were read, by the log and by those that were set aside."""
    lines = [line for path in (host.root / "history").iterdir() for line in path.read_text().splitlines()]
    return {
        e["trace"] for line in lines for e in json.loads(line).get("events", ()) if e["type"] == "RunRead"
    }


@contextmanager
def _fault(host: Host, fault: Fault, first: str) -> Iterator[None]:
    """What goes wrong in a step; it is over with it."""
    host.reflector, host.curator = well, lambda _: curation()
    log = host.root / "history" / "events.jsonl"
    with pytest.MonkeyPatch.context() as patch:
        match fault:
            case "down":
                host.reflector = raising(OVERLOADED)
            case "curator down":
                host.curator = raising(OVERLOADED)
            case "one fails":
                host.reflector = lambda prompt: (
                    raising(OVERLOADED)(prompt) if "Task 1" in prompt else reflection()
                )
            case "full":
                patch.setattr("ace.adapters.store.files.os.write", _no_space)
                patch.setattr(Path, "write_bytes", _no_space)
            case "proposal":
                host.suggest("- Theirs.\n")
            case "rollback":
                host.roll_back(first)
            case "damaged" if log.exists():
                log.write_bytes(b"{}\n" + log.read_bytes())
            case "restart":
                host.reload()
            case _:
                pass
        yield


def _no_space(*_: object) -> int:
    raise OSError(28, "No space left on device")
