"""A step behind Reef's interface, without a service: what is kept, what is tried again, what is passed over."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.records_types import AgentRecord, RequestType
from reef.core.trajectories import make_trajectory
from reef.harness.adapters import get_adapter
from reef.harness.episodes.model_binding import ModelBinding, ModelBindingError, ModelBindings
from reef.train.cordis_backend.strategies import StepProposal
from reef.train.types import TrajectoryItem
from tests.reef.upstream import curation, reflection

from ace.adapters.ace import ACE
from ace.adapters.files import lock
from ace.adapters.reef.proposer import ACEProposer, Place
from ace.adapters.reef.releases import KEPT, Kept, Start
from ace.domain.settings import ACESettings

FIRST = "Read the failing test before you edit the code."
SECOND = "Run the one test again after the edit."

type Answer = Callable[[str], str]


class Scripted(ModelBinding):
    """A binding that answers by a function."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("http://127.0.0.1:9", "m")
        object.__setattr__(self, "answer", answer)  # bindings are frozen

    def chat(self, messages: Sequence[Mapping[str, Any]], **_: Any) -> str:
        """Answer, or raise as Reef's client does."""
        answer: Answer = vars(self)["answer"]
        return answer(str(messages[0]["content"]))


class Host:
    """A scenario as Reef drives it: entries, state and steps."""

    def __init__(self, root: Path, settings: ACESettings | None = None) -> None:
        self.root = root
        self.proposer = ACEProposer(ACE(settings)).at(Place("s", root, get_adapter("pi")))
        self.start = Start(({"id": "rules", "name": "rules", "config": {"text": "# Rules\n"}},), Kept())
        self.number = 1
        self.curator: Answer = lambda _: curation(FIRST)
        self.reflector: Answer = lambda _: reflection()

    def propose(self, *samples: TrajectoryItem, record: str | None = None) -> StepProposal:
        """One step; nothing of it is kept before `commit`."""
        folder = self.root / "steps" / (record or str(self.number))
        self.proposer.begin(self.start, self.number, lambda: folder)
        models = ModelBindings(Scripted(self._answer))
        return self.proposer.propose((), samples or (sample("r1"),), models, entries=self.start.entries)

    def commit(self, proposal: StepProposal, *, publish: bool = True) -> None:
        """Keep the state, and the tree if it is published."""
        entries, proposed = self.start.entries, self.proposer.proposed
        if publish and proposal.mutations:
            (mutation,) = proposal.mutations
            entries = ({"id": "rules", "name": "rules", "config": dict(mutation.options["config"])},)
            proposed = ""  # the release that is served is another one now
        self.start = Start(entries, Kept(self.proposer.playbook, proposed=proposed))
        self.number += 1

    @property
    def text(self) -> str:
        """The rules that are served."""
        return str(self.start.entries[0]["config"]["text"])

    def lines(self) -> list[dict[str, Any]]:
        """The log."""
        return [
            json.loads(line) for line in (self.root / "history" / "events.jsonl").read_bytes().splitlines()
        ]

    def _answer(self, prompt: str) -> str:
        return self.reflector(prompt) if prompt.startswith("You are the Reflector") else self.curator(prompt)


@pytest.fixture
def host(tmp_path: Path) -> Host:
    """A scenario that begins."""
    return Host(tmp_path / "root")


def sample(name: str, task: str = "Do it.") -> TrajectoryItem:
    """One run with a score."""
    payload = {
        "model": "m",
        "messages": [{"role": "user", "content": task}],
        "response": {"choices": [{"message": {"role": "assistant", "content": "Done."}}]},
    }
    record = AgentRecord.create(
        scenario="s", request_type=RequestType.INFERENCE, payload=payload, agent_record_id=name
    )
    return make_trajectory([record], 1.0)


def raising(error: Exception) -> Answer:
    """A model that raises."""

    def answer(_: str) -> str:
        raise error

    return answer


class TestState:
    """What Reef keeps is right."""

    def test_a_failed_commit_is_no_loss(self, host: Host) -> None:
        """The step is in the log and not in Reef's state: that is right, the log says so, and no id is used twice."""
        host.propose()
        host.commit(host.propose(record="1-2"))
        assert [line["events"][0]["type"] for line in host.lines()] == [
            "BulletAdded",
            "PlaybookRestored",
            "BulletAdded",
        ]
        assert host.lines()[1]["events"][0]["reason"] == KEPT
        assert f"[ace-00002] helpful=0 harmful=0 :: {FIRST}" in host.text
        assert "ace-00001" not in host.text

    def test_a_rejected_candidate_keeps_its_playbook(self, host: Host) -> None:
        """It is not proposed again as it is; the next one that changes a bullet carries it."""
        host.commit(host.propose(), publish=False)
        host.curator = lambda _: curation()
        unchanged = host.propose()
        assert unchanged.mutations == ()
        host.commit(unchanged)
        host.curator = lambda _: curation(SECOND)
        host.commit(host.propose())
        assert FIRST in host.text
        assert SECOND in host.text
        assert not any(
            event["type"] == "PlaybookRestored" for line in host.lines() for event in line["events"]
        )

    def test_what_a_person_takes_out_of_a_published_block_comes_back(self, host: Host) -> None:
        """Also if that makes it the block of the step before, which no one turned down."""
        host.commit(host.propose())
        before = host.start.entries
        host.curator = lambda _: curation(SECOND)
        host.commit(host.propose())
        host.start = replace(host.start, entries=before)
        host.curator = lambda _: curation()
        host.commit(host.propose())
        assert SECOND in host.text

    def test_a_restored_tree_is_no_rollback(self, host: Host) -> None:
        """Reef put an old tree back (a re-check under `compare`) and kept the state: the playbook goes on."""
        host.commit(host.propose())
        old = host.start.entries
        host.curator = lambda _: curation(SECOND)
        host.commit(host.propose())
        host.start = replace(host.start, entries=old)
        host.curator = lambda _: curation("A third one.")
        host.commit(host.propose())
        assert [text in host.text for text in (FIRST, SECOND, "A third one.")] == [True] * 3
        assert not any(
            event["type"] == "PlaybookRestored" for line in host.lines() for event in line["events"]
        )

    def test_a_damaged_state_is_never_replaced(self, host: Host) -> None:
        """The batch is passed over, the notes say where, and what Reef keeps stays as it is."""
        host.start = replace(host.start, kept=Kept({"next_number": 1, "bullets": "x"}))
        proposal = host.propose()
        assert (proposal.mutations, proposal.notes["outcome"]) == ((), "failed")
        assert "playbook.json" in str(proposal.notes["reason"])
        assert host.proposer.playbook == {"next_number": 1, "bullets": "x"}

    def test_without_a_seed_the_first_block_makes_the_entry(self, host: Host) -> None:
        """It is created."""
        host.start = replace(host.start, entries=())
        (mutation,) = host.propose().mutations
        assert (mutation.op, mutation.id, mutation.options["name"]) == ("create", "rules", "rules")
        assert FIRST in mutation.options["config"]["text"]

    def test_what_else_an_entry_holds_is_kept(self, host: Host) -> None:
        """Reef replaces a config whole."""
        host.start = replace(
            host.start, entries=({**host.start.entries[0], "config": {"text": "a", "more": 1}},)
        )
        (mutation,) = host.propose().mutations
        assert mutation.options["config"]["more"] == 1


class TestFailures:
    """What raises is tried again by Reef; what is passed over names its traces."""

    def test_a_batch_in_which_no_call_got_through_is_tried_again_three_times(self, host: Host) -> None:
        """Then it is passed over; another batch begins to count anew."""
        host.reflector = raising(ModelBindingError("overloaded", status=503))
        for _ in range(3):
            with pytest.raises(Exception, match="overloaded"):
                host.propose()
        with pytest.raises(Exception, match="overloaded"):
            host.propose(sample("other"))
        for _ in range(3):
            with pytest.raises(Exception, match="overloaded"):
                host.propose()
        notes = host.propose().notes
        assert (notes["outcome"], notes["passed over"]) == ("failed", ["r1"])
        with pytest.raises(Exception, match="overloaded"):
            host.propose()

    @pytest.mark.parametrize("status", [401, 403, 404])
    def test_an_endpoint_that_refuses_every_call_is_tried_again_three_times(
        self, host: Host, status: int
    ) -> None:
        """A bad key, a model that there is not: a person may mend it; then the batch is passed over, run by run."""
        host.reflector = raising(ModelBindingError("no such model", status=status))
        for _ in range(3):
            with pytest.raises(Exception, match="no such model"):
                host.propose(sample("r1"), sample("r2"))
        notes = host.propose(sample("r1"), sample("r2")).notes
        assert notes["passed over"] == ["r1", "r2"]
        assert "no such model" in str(notes["reason"])
        assert "- r2" in (host.root / "steps" / "1" / "output" / "summary.md").read_text()

    @pytest.mark.parametrize(("status", "refused"), [(401, 2), (403, 1), (403, 2), (404, 2), (405, 3)])
    def test_one_refused_call_skips_its_run_alone(self, host: Host, status: int, refused: int) -> None:
        """Other calls are answered: it is not the endpoint. With 403 some answer a prompt that they will not have."""
        asked: list[str] = []

        def reflector(prompt: str) -> str:
            asked.append(prompt)
            if len(asked) == refused:
                raise ModelBindingError("refused", status=status)
            return reflection()

        host.reflector = reflector
        proposal = host.propose(sample("r1"), sample("r2"), sample("r3"))
        assert len(asked) == 3
        assert (proposal.notes["outcome"], len(proposal.mutations)) == ("committed", 1)
        assert f"r{refused}: failed call (refused)" in str(proposal.notes["summary"])

    def test_a_count_that_cannot_be_written_blocks_nothing(self, host: Host) -> None:
        """The count is in memory as well; a step that is in the log is handed over in any case."""
        (host.root / "attempts.json").mkdir(parents=True)
        host.reflector = raising(ModelBindingError("overloaded", status=503))
        for _ in range(3):
            with pytest.raises(Exception, match="overloaded"):
                host.propose()
        assert host.propose().notes["passed over"] == ["r1"]
        host.reflector = lambda _: reflection()
        host.commit(host.propose())
        assert FIRST in host.text

    def test_a_spent_budget_skips_the_run(self, host: Host) -> None:
        """Reef raises a plain RuntimeError; the other run's lesson is kept."""
        left = iter([reflection(), curation(FIRST)])

        def answer(_: str) -> str:
            for reply in left:
                return reply
            raise RuntimeError("model call budget of 2 per evolve step exhausted")

        host.reflector = host.curator = answer
        proposal = host.propose(sample("r1"), sample("r2"))
        assert "r2: failed call (model call budget of 2" in str(proposal.notes["summary"])
        host.commit(proposal)
        assert FIRST in host.text

    @pytest.mark.parametrize(
        "error", [TypeError("x"), AttributeError("x"), ValueError("x"), RecursionError("x")]
    )
    def test_an_answer_that_breaks_reefs_client_skips_the_run(self, host: Host, error: Exception) -> None:
        """As any failed call."""
        host.curator = raising(error)
        assert "Curator's failed call" in str(host.propose().notes["summary"])

    def test_a_marker_in_another_entry_passes_the_batch_over(self, host: Host) -> None:
        """Before a model is asked; the notes name the entry."""
        other = {"id": "more", "name": "rules", "config": {"text": "<!-- ace:playbook:end -->"}}
        host.start = replace(host.start, entries=(*host.start.entries, other))
        host.reflector = raising(AssertionError("no model is to be asked"))
        notes = host.propose().notes
        assert "entry `more`" in str(notes["reason"])
        assert not (host.root / "steps" / "1" / "calls.json").exists()

    def test_a_tree_that_reef_refuses_as_it_is_passes_the_batch_over(self, host: Host) -> None:
        """Before a model is asked."""
        text = "key: sk-" + "a" * 20
        host.start = replace(
            host.start, entries=({"id": "rules", "name": "rules", "config": {"text": text}},)
        )
        host.reflector = raising(AssertionError("no model is to be asked"))
        assert "refuses the tree as it is" in str(host.propose().notes["reason"])

    def test_a_served_release_that_cannot_be_read_is_tried_again_three_times(self, host: Host) -> None:
        """Then the batch is passed over: going on from the last state could bring back what was rolled back."""
        host.start = replace(host.start, failure="the served release cannot be read: gone")
        for _ in range(3):
            with pytest.raises(Exception, match="cannot be read: gone"):
                host.propose()
        assert host.propose().notes["reason"] == "the served release cannot be read: gone"

    def test_a_folder_in_use_is_tried_again(self, host: Host) -> None:
        """By another process, which will be done at some time."""
        with lock(host.root / "lock", "somebody"), pytest.raises(Exception, match="is in use by somebody"):
            host.propose()
        host.commit(host.propose())
        assert FIRST in host.text

    def test_a_folder_in_use_is_not_written_to(self, host: Host) -> None:
        """Neither the rules nor the state, which the other step is reading."""
        host.commit(host.propose())
        kept = [host.root / "rules.md", host.root / "state" / "playbook.json"]
        for path in kept:
            path.write_text("of somebody else")
        with lock(host.root / "lock", "somebody"), pytest.raises(Exception, match="is in use by somebody"):
            host.propose()
        assert [path.read_text() for path in kept] == ["of somebody else"] * 2

    def test_a_bug_passes_the_batch_over(self, host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
        """Whatever it is, the scenario goes on."""
        monkeypatch.setattr(ACE, "step", lambda *_: 1 / 0)
        notes = host.propose().notes
        assert notes["reason"] == "ZeroDivisionError: division by zero"
        assert notes["passed over"] == ["r1"]

    def test_damaged_samples_are_named_beside_what_was_learned(self, host: Host) -> None:
        """The others are read."""
        bad = sample("bad").with_metadata(reward="high")
        proposal = host.propose(bad, sample("good"))
        assert proposal.notes["unreadable"] == [{"run": "bad", "reason": "its score is not a number"}]
        assert len(proposal.mutations) == 1
        output = host.root / "steps" / "1" / "output"
        assert "- bad: its score is not a number" in (output / "summary.md").read_text()
        assert (output / "summary.md").read_text() == proposal.notes["summary"]
        last = json.loads((output / "notes.jsonl").read_text().splitlines()[-1])
        assert (last["event"], last["run"], last["step"]) == ("Unreadable", "bad", 1)

    def test_the_record_of_a_failed_step_names_every_sample(
        self, host: Host, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """Those that were passed over and those that are damaged, in summary and notes."""
        monkeypatch.setattr(ACE, "step", lambda *_: 1 / 0)
        proposal = host.propose(sample("bad").with_metadata(reward=10**400), sample("good"))
        output = host.root / "steps" / "1" / "output"
        assert (output / "summary.md").read_text() == proposal.notes["summary"]
        lines = [json.loads(line) for line in (output / "notes.jsonl").read_text().splitlines()]
        assert [(line["event"], line.get("run")) for line in lines] == [
            ("Step", None),
            ("PassedOver", "good"),
            ("Unreadable", "bad"),
        ]

    def test_no_secret_reaches_the_notes(self, host: Host) -> None:
        """An endpoint may quote the key that it refuses."""
        key = "sk-" + "a1B2" * 6
        host.reflector = raising(ModelBindingError(f"wrong key {key}", status=401))
        for _ in range(3):
            with pytest.raises(Exception, match="wrong key") as caught:
                host.propose()
            assert key not in str(caught.value)
        assert key not in json.dumps(dict(host.propose().notes))

    def test_no_secret_reaches_the_log_of_the_service(
        self, host: Host, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        """A bug is logged with where it happened, as text and redacted."""
        key = "sk-" + "a1B2" * 6
        monkeypatch.setattr(ACE, "step", lambda *_: int(key))
        host.propose()
        assert "Traceback" in caplog.text
        assert key not in caplog.text
