"""Nothing blocks a scenario, without a service: what raises is tried again by Reef, what waits is named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.evaluation import CandidateSelector, EvaluationResult, UpdateCandidate
from reef.evaluation.harness import FloorPlugin, ScoreComparisonPlugin
from reef.harness.episodes.model_binding import ModelBindingError
from reef.train.cordis_backend.backend import CordisBackend
from tests.reef.host import FIRST, SECOND, Host, entry, raising, sample, well
from tests.reef.upstream import curation, reflection

from ace.adapters.store.files import lock
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import Log
from ace.adapters.store.retention import Keep
from ace.method import ACE
from ace.reconciling import verify

OVERLOADED = ModelBindingError("overloaded", status=503)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A scenario that begins."""
    return Host(tmp_path / "root")


def tried_in_vain(host: Host, *samples: str, told: str = "overloaded") -> None:
    """The batch is brought three times, and each time the step raises and Reef loads the scenario again."""
    for _ in range(3):
        with pytest.raises(Exception, match=told):
            host.prepare(*map(sample, samples))
        host.reload()


class TestModels:
    """Calls that fail."""

    def test_a_batch_in_which_no_call_got_through_is_tried_again_three_times(self, host: Host) -> None:
        """Then its run waits; another batch starts its own count."""
        host.reflector = raising(OVERLOADED)
        tried_in_vain(host)
        with pytest.raises(Exception, match="overloaded"):
            host.prepare(sample("other"))
        tried_in_vain(host)
        metrics = host.step()
        assert "overloaded" in metrics["skipped"]
        assert (metrics["steps"], metrics["traces"]) == (1, 1)
        notes = metrics["proposal_notes"]
        assert (notes["outcome"], notes["waiting"]) == ("failed", ["r1"])
        assert Path(metrics["step_record"]).name == "1-8"
        assert (Path(metrics["step_record"]) / "output" / "summary.md").read_text() == notes["summary"]
        tried_in_vain(host)

    def test_what_is_passed_over_does_not_stop_the_next_batch(self, host: Host) -> None:
        """The next number, the same tree, the same playbook."""
        host.step()
        host.reflector = raising(OVERLOADED)
        tried_in_vain(host, "r2")
        host.step(sample("r2"))
        host.reflector, host.curator = well, lambda _: curation(SECOND)
        assert host.step(sample("r3"))["steps"] == 3
        assert [f"[ace-0000{n}]" in host.text for n in (1, 2, 3)] == [True, True, False]
        assert host.restored() == []

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_an_endpoint_that_refuses_every_call_is_tried_again_three_times(
        self, host: Host, status: int
    ) -> None:
        """A bad key, an unknown model: a person may fix it; then the runs wait. The first
        refusal of a try is its last call, but for 403, which may be about one prompt.
        """
        asked: list[str] = []

        def refuse(prompt: str) -> str:
            asked.append(prompt)
            raise ModelBindingError("no such model", status=status)

        host.reflector = refuse
        tried_in_vain(host, "r1", "r2", told="no such model")
        assert len(asked) == (6 if status == 403 else 3)
        notes = host.step(sample("r1"), sample("r2"))["proposal_notes"]
        assert notes["waiting"] == ["r1", "r2"]
        assert "no such model" in notes["reason"]
        assert "- r2" in (host.root / "steps" / "1-4" / "output" / "summary.md").read_text()

    @pytest.mark.parametrize(("status", "refused"), [(401, 2), (403, 1), (403, 2), (404, 2), (405, 3)])
    def test_one_refused_call_skips_its_run_alone(self, host: Host, status: int, refused: int) -> None:
        """Other calls are answered: it is not the endpoint. With 403 some reject a single prompt."""
        asked: list[str] = []

        def reflector(prompt: str) -> str:
            asked.append(prompt)
            if len(asked) == refused:
                raise ModelBindingError("refused", status=status)
            return reflection()

        host.reflector = reflector
        metrics = host.step(sample("r1"), sample("r2"), sample("r3"))
        assert len(asked) == 3
        assert (metrics["proposal_notes"]["outcome"], metrics["published"]) == ("committed", True)
        assert f"r{refused}: failed call (refused)" in metrics["proposal_notes"]["summary"]

    def test_a_spent_budget_skips_the_run(self, tmp_path: Path) -> None:
        """Reef raises a plain RuntimeError, which is named; the other run's lesson is kept."""
        host = Host(tmp_path / "root", max_model_calls_per_step=2)
        notes = host.step(sample("r1"), sample("r2"))["proposal_notes"]
        assert "r2: failed call (RuntimeError: model call budget of 2" in notes["summary"]
        assert FIRST in host.text

    @pytest.mark.parametrize(
        "error", [TypeError("x"), AttributeError("x"), ValueError("x"), RecursionError("x")]
    )
    def test_an_answer_that_breaks_reefs_client_skips_the_run(self, host: Host, error: Exception) -> None:
        """As any failed call."""
        host.curator = raising(error)
        assert "Curator's failed call" in host.step()["proposal_notes"]["summary"]


class TestReleases:
    """A served release that cannot be read."""

    def test_it_is_tried_again_three_times(self, host: Host) -> None:
        """Then its runs wait: going on from the last state could bring back what was rolled back."""
        first = host.two()
        host.roll_back(first)
        host.releases.broken = True
        tried_in_vain(host, told="cannot be read: gone")
        metrics = host.step()
        assert metrics["proposal_notes"]["reason"] == "the served release cannot be read: gone"
        assert Path(metrics["step_record"]).name == "3"
        host.releases.broken = False
        host.curator = lambda _: curation()
        host.step()
        assert [FIRST in host.text, SECOND in host.text] == [True, False]
        assert host.restored() == [f"rolled back to release {first}"]

    def test_a_persons_proposal_waits_until_it_can_be_read(self, host: Host) -> None:
        """Applied to the last state, it would publish what was rolled back."""
        seed = host.releases.newest()
        host.step()
        host.roll_back(seed)
        host.releases.broken = True
        host.suggest("- Theirs.\n")
        tried_in_vain(host, told="cannot be read")
        assert "cannot be read" in host.step()["skipped"]
        host.releases.broken = False
        host.step()
        assert ["- Theirs." in host.text, FIRST in host.text] == [True, False]

    def test_a_batch_passed_over_after_a_rollback_leaves_the_tree_that_is_served(self, host: Host) -> None:
        """The state that Reef keeps is the one of that release from then on."""
        host.roll_back(host.two())
        host.reflector = raising(OVERLOADED)
        tried_in_vain(host, "r3")
        host.step(sample("r3"))
        assert [FIRST in host.text, SECOND in host.text] == [True, False]
        host.reflector, host.curator = well, lambda _: curation()
        host.step(sample("r4"))
        assert [FIRST in host.text, SECOND in host.text] == [True, False]


class TestTree:
    """Trees that a person has to repair."""

    def test_a_marker_in_another_entry_passes_the_batch_over(self, host: Host) -> None:
        """Before a model is asked; the notes name the entry."""
        host.bring(entry("a"), entry("<!-- ace:playbook:end -->", "more"))
        host.reflector = raising(AssertionError("no model is to be asked"))
        metrics = host.step()
        assert "entry `more`" in metrics["skipped"]
        assert not (host.root / "steps" / "1" / "calls.json").exists()

    def test_rules_that_no_agent_reads_pass_the_batch_over(self, host: Host) -> None:
        """A person's proposal may disable them, and nobody would notice."""
        host.bring({**entry("# Rules\n"), "disabled": True})
        host.reflector = raising(AssertionError("no model is to be asked"))
        assert "the entry `rules` is disabled" in host.step()["skipped"]

    def test_an_entry_that_reef_refuses_passes_the_batch_over(self, host: Host) -> None:
        """Before a model is asked, whatever its rule is: a newer Reef may have one that the tree was not held to."""
        host.bring(entry("key: sk-" + "a" * 20))
        host.reflector = raising(AssertionError("no model is to be asked"))
        metrics = host.step()
        assert "recovered state entry 'rules' rejected" in metrics["skipped"]
        assert (host.root / "steps" / "1" / "output" / "summary.md").exists()
        host.bring(entry("# Rules\n"))
        host.reflector = well
        host.step()
        assert FIRST in host.text


class TestFolder:
    """The scenario's files."""

    def test_a_folder_in_use_is_tried_again(self, host: Host) -> None:
        """By another process, which will be done at some time."""
        with lock(host.root / "lock", "somebody"), pytest.raises(Exception, match="is in use by somebody"):
            host.prepare()
        host.step()
        assert FIRST in host.text

    def test_a_folder_in_use_is_not_written_to(self, host: Host) -> None:
        """Neither the rules nor the state, which the other step is reading."""
        host.step()
        kept = [host.root / "rules.md", host.root / "state" / "playbook.json"]
        for path in kept:
            path.write_text("of somebody else")
        with lock(host.root / "lock", "somebody"), pytest.raises(Exception, match="is in use by somebody"):
            host.prepare()
        assert [path.read_text() for path in kept] == ["of somebody else"] * 2

    def test_a_count_that_cannot_be_written_blocks_nothing(self, host: Host) -> None:
        """The count is in memory as well; a step that is in the log is handed over in any case."""
        (host.root / "attempts.json").mkdir(parents=True)
        host.reflector = raising(OVERLOADED)
        tried_in_vain(host)
        assert host.step()["proposal_notes"]["waiting"] == ["r1"]
        host.reflector = well
        host.step()
        assert FIRST in host.text

    def test_records_that_cannot_be_made_block_nothing(self, host: Host) -> None:
        """The commit's notes hold what the record would have."""
        (host.root / "steps").rmdir()
        (host.root / "steps").write_text("a file")
        for _ in range(3):
            with pytest.raises(OSError, match="steps"):
                host.prepare()
        assert host.step()["proposal_notes"]["waiting"] == ["r1"]


class TestHistory:
    """The log is the method's own, and long."""

    def test_a_step_reads_no_more_of_the_log_than_its_end(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Its cost does not grow with history."""
        host.step()
        monkeypatch.setattr(Log, "records", raising(AssertionError("the whole log was read")))
        host.curator = lambda _: curation(SECOND)
        host.step()
        assert len(host.lines()) == 2

    def test_nothing_of_the_log_is_in_a_commit(self, host: Host) -> None:
        """Neither in the state nor in the tree, which are as large after two steps as after one that did the same."""
        host.step()
        host.curator = lambda _: curation()
        host.reflector = lambda _: reflection(("ace-00001", "helpful"))
        sizes = []
        for _ in range(3):
            host.step()
            sizes.append(len(json.dumps(host.state)))
        assert set(host.kept) == {"playbook", "release", "proposed", "instead", "origin", "line"}
        assert len(set(sizes)) == 1
        assert "RunRead" not in json.dumps(host.state)


class TestRecords:
    """The records of steps."""

    def test_those_that_are_not_to_be_kept_are_removed(self, tmp_path: Path) -> None:
        """When a step is committed; what was learned stays, and can be verified."""
        host = Host(tmp_path / "root", keep_steps=Keep(count=2))
        for number in range(4):
            host.curator = lambda _, number=number: curation(f"Lesson number {number}.")  # type: ignore[misc]
            host.step(sample(f"r{number}"))
        assert sorted(path.name for path in (host.root / "steps").iterdir()) == ["3", "4"]
        assert host.text.count("Lesson number") == 4
        verified = verify(FolderBook(host.root, (), owner="host"))
        assert not verified.differences
        assert verified.gone

    def test_aces_numbers_are_numbers_of_the_commit(self, host: Host) -> None:
        """Of a step that failed there is how many runs wait."""
        host.step()
        host.reflector = raising(OVERLOADED)
        tried_in_vain(host, "r2")
        metrics = host.step(sample("r2"))
        assert {key: value for key, value in metrics.items() if key.startswith("ace/")} == {"ace/waiting": 1}
        host.reflector, host.curator = (
            lambda _: reflection(("ace-00001", "helpful")),
            lambda _: curation(FIRST, SECOND),
        )
        metrics = host.step(sample("r3"))
        numbers = {
            key.removeprefix("ace/"): value for key, value in metrics.items() if key.startswith("ace/")
        }
        assert all(type(value) in (int, float) for value in numbers.values())
        found = {
            name: numbers[name]
            for name in ("read", "helpful", "added", "duplicates", "bullets", "calls", "waiting")
        }
        assert found == {
            "read": 2,
            "helpful": 2,
            "added": 1,
            "duplicates": 3,
            "bullets": 2,
            "calls": 4,
            "waiting": 0,
        }


class TestRest:
    """Bugs, damaged samples, secrets."""

    def test_a_bug_passes_the_batch_over(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever it is, the scenario goes on."""
        monkeypatch.setattr(ACE, "step", lambda *_: 1 / 0)
        notes = host.step()["proposal_notes"]
        assert notes["reason"] == "ZeroDivisionError: division by zero"
        assert notes["waiting"] == ["r1"]

    def test_damaged_samples_are_named_beside_what_was_learned(self, host: Host) -> None:
        """The others are read."""
        bad = sample("bad").with_metadata(reward="high")
        metrics = host.step(bad, sample("good"))
        notes = metrics["proposal_notes"]
        assert notes["unreadable"] == [{"run": "bad", "reason": "its score is not a number"}]
        assert metrics["published"] is True
        output = host.root / "steps" / "1" / "output"
        assert "- bad: its score is not a number" in (output / "summary.md").read_text()
        assert (output / "summary.md").read_text() == notes["summary"]
        last = json.loads((output / "notes.jsonl").read_text().splitlines()[-1])
        assert (last["event"], last["run"], last["step"]) == ("Unreadable", "bad", 1)

    def test_the_record_of_a_failed_step_names_every_sample(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Those that wait and those that are damaged, in summary and notes."""
        monkeypatch.setattr(ACE, "step", lambda *_: 1 / 0)
        notes = host.step(sample("bad").with_metadata(reward=10**400), sample("good"))["proposal_notes"]
        output = host.root / "steps" / "1" / "output"
        assert (output / "summary.md").read_text() == notes["summary"]
        lines = [json.loads(line) for line in (output / "notes.jsonl").read_text().splitlines()]
        assert [(line["event"], line.get("run")) for line in lines] == [
            ("Step", None),
            ("Unreadable", "bad"),
            ("Waiting", "good"),
        ]

    def test_no_secret_reaches_the_notes(self, host: Host) -> None:
        """An endpoint may quote the key that it refuses."""
        key = "sk-" + "a1B2" * 6
        host.reflector = raising(ModelBindingError(f"wrong key {key}", status=401))
        for _ in range(3):
            with pytest.raises(Exception, match="wrong key") as caught:
                host.prepare()
            assert key not in str(caught.value)
        assert key not in json.dumps(host.step())

    def test_no_secret_reaches_the_log_of_the_service(
        self, host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A bug is logged with where it happened, as text and redacted."""
        key = "sk-" + "a1B2" * 6
        monkeypatch.setattr(ACE, "step", lambda *_: int(key))
        host.step()
        assert "Traceback" in caplog.text
        assert key not in caplog.text


class TestEvaluation:
    """An evaluation that raises: tried again three times, then the candidate is not published."""

    CANDIDATE = UpdateCandidate("c")
    SCORED = EvaluationResult("e", "1", {"candidate_scores": (1.0,), "current_scores": (0.0,)})

    @pytest.fixture(autouse=True)
    def _raising(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A scorer that raises."""

        def evaluate(
            _: CordisBackend, candidate: UpdateCandidate, *, sides: Sequence[str]
        ) -> EvaluationResult:
            name = candidate.candidate_id
            raise ValueError(f"no answer for {name} with {len(sides)} sides, sk-{'a1B2' * 6}")

        monkeypatch.setattr(CordisBackend, "evaluate", evaluate)

    def exhausted(self, host: Host) -> EvaluationResult:
        """The result, after three tries that raised and after which Reef loaded the scenario again."""
        for _ in range(3):
            with pytest.raises(ValueError, match="no answer for c"):
                host.backend.evaluate(self.CANDIDATE)
            host.reload()
        return host.backend.evaluate(self.CANDIDATE)

    @pytest.mark.parametrize("policy", [FloorPlugin, ScoreComparisonPlugin])
    def test_what_raises_again_and_again_is_not_selected(
        self, host: Host, policy: type[FloorPlugin | ScoreComparisonPlugin]
    ) -> None:
        """By neither policy; the metrics of the commit say why, without a secret."""
        result = self.exhausted(host)
        chooser: CandidateSelector = policy(host.backend)
        assert chooser.decide(self.CANDIDATE, result).selected is False
        assert "ValueError: no answer for c" in result.metrics["evaluation_error"]
        assert "a1B2" not in result.metrics["evaluation_error"]

    def test_the_next_failure_is_counted_anew(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        """After an evaluation that was given up, and after one that succeeded."""
        self.exhausted(host)
        with monkeypatch.context() as well_again:
            with pytest.raises(ValueError, match="no answer"):
                host.backend.evaluate(self.CANDIDATE)
            well_again.setattr(CordisBackend, "evaluate", lambda *_, **__: self.SCORED)
            assert host.backend.evaluate(self.CANDIDATE) is self.SCORED
        self.exhausted(host)

    def test_a_count_that_cannot_be_written_blocks_nothing(self, host: Host) -> None:
        """It is in memory as well."""
        (host.root / "evaluations.json").mkdir()
        assert "evaluation_error" in self.exhausted(host).metrics
