"""What becomes of lessons that an evaluation rejects, without a service: told, carried along, and dropped one step at a time."""

from __future__ import annotations

import json
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.evaluation import EvaluationResult, SelectionDecision
from tests.reef.host import Host, reference, sample
from tests.reef.upstream import curation

from ace.adapters.cli import main
from ace.adapters.reef.trials import NOT_TRIED, Trial, Verdict, candidate
from ace.adapters.store.scenarios import scenario_root
from ace.domain.playbook import Playbook, bullet_id
from ace.domain.settings import ACESettings
from ace.events.types import Bullet

BAD = "Answer in verse."


class Floor:
    """A scenario whose candidates pass unless a bad lesson is in them. `tried` holds the lessons of each."""

    def __init__(self, root: Path, drop_after: int = 2) -> None:
        self.host = Host(root, ACESettings(drop_after_rejections=drop_after))
        self.tried: list[list[str]] = []
        self.broken = False
        self._runs = count(1)

    def learn(self, *lessons: str) -> dict[str, Any]:
        """One step that adds these lessons; the commit's metrics."""
        self.host.curator = lambda _: curation(*lessons)
        prepared = self.host.prepare(sample(f"r{next(self._runs)}"))
        if prepared.candidate is None:
            return self.host.commit(prepared)
        text = next(
            one["config"]["text"] for one in prepared.candidate.candidate_entries if one["id"] == "rules"
        )
        self.tried.append([line.partition(" :: ")[2] for line in text.splitlines() if " :: " in line])
        return self._settle(prepared, selected=BAD not in text)

    def _settle(self, prepared: Any, *, selected: bool) -> dict[str, Any]:
        host = self.host
        scores = [1.0 if selected else 0.0]
        metrics: dict[str, Any] = {"candidate_scores": scores, "evaluation_sides": ["candidate"]}
        if self.broken:
            selected, metrics = (
                False,
                {"evaluation_sides": [], "evaluation_error": "ValueError: no such task"},
            )
        reason = f"candidate {'met' if selected else 'missed'} the floor on 1 of 1 tasks"
        decision = SelectionDecision(selected, "floor", reason, EvaluationResult("t", "1", metrics))
        result = host.backend.settle_step(prepared, decision)
        host.state = dict(result.state)
        assert json.loads(json.dumps([host.state, dict(result.metrics)])) == [
            host.state,
            dict(result.metrics),
        ]
        if selected:
            host.releases.add(operation="training", algorithm_state=host.state, metrics=dict(result.metrics))
        host.backend.commit_applied(host.state)
        return dict(result.metrics)

    @property
    def served(self) -> list[str]:
        """The lessons of the tree."""
        return [line.partition(" :: ")[2] for line in self.host.text.splitlines() if " :: " in line]

    @property
    def kept(self) -> list[str]:
        """The lessons of the playbook."""
        return [one["content"] for one in self.host.kept["playbook"]["bullets"]]

    def removed(self) -> list[dict[str, Any]]:
        """What the log says was removed."""
        events = [event for line in self.host.lines() for event in line["events"]]
        return [event for event in events if event["type"] == "Removed"]


@pytest.fixture
def floor(tmp_path: Path) -> Floor:
    """A scenario that drops after two rejections."""
    return Floor(tmp_path / "root")


def test_a_bad_lesson_between_good_ones_is_named_and_dropped(floor: Floor) -> None:
    """After two rejections each step's lessons are tried alone, the oldest first; both good ones are served in the end."""
    floor.learn("One.")
    told = floor.learn(BAD)["proposal_notes"]
    assert "missed the floor on 1 of 1 tasks" in told["summary"]
    assert "Not served, and carried along by the next candidate: ace-00002" in told["summary"]
    assert (floor.served, floor.kept) == (["One."], ["One.", BAD])
    told = floor.learn("Two.", "Two and a half.")["proposal_notes"]
    assert "Step 2 was rejected: missed the floor on 1 of 1 tasks." in told["summary"]
    told = floor.learn("Three.")["proposal_notes"]
    assert "removed by the next step: ace-00002" in told["summary"]
    told = floor.learn()["proposal_notes"]
    assert "[ace-00002] removed by the host (tried alone and rejected in step 4" in told["summary"]
    assert BAD not in floor.kept
    floor.learn()
    assert floor.tried == [
        ["One."],
        ["One.", BAD],
        ["One.", BAD, "Two.", "Two and a half."],
        ["One.", BAD],
        ["One.", "Two.", "Two and a half."],
        ["One.", "Two.", "Two and a half.", "Three."],
    ]
    assert floor.served == floor.kept == ["One.", "Two.", "Two and a half.", "Three."]
    assert [(one["id"], one["by"]) for one in floor.removed()] == [("ace-00002", "host")]
    assert "trial" not in floor.host.kept
    # From here on it is as before: the next rejection is the first again.
    floor.learn(BAD)
    floor.learn("Four.")
    assert floor.tried[-1][-2:] == [BAD, "Four."]
    assert floor.host.restored() == []


def test_the_command_line_marks_what_is_served_and_tells_of_releases(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Which lessons are served, which were rejected and why, which wait; and each candidate, rollback and promotion."""
    floor = Floor(scenario_root(tmp_path, "s"))
    where = ["--work", str(tmp_path), "--scenario", "s"]
    for lesson in ("One.", BAD, "Two."):
        floor.learn(lesson)
    assert main(["show", "--json", *where]) == 0
    assert [row["stands"] for row in json.loads(capsys.readouterr().out)] == [
        "served",
        "rejected",
        "rejected",
    ]
    floor.learn("Three.")
    assert main(["show", *where]) == 0
    shown = capsys.readouterr().out
    assert [line.split()[4] for line in shown.splitlines()[1:5]] == [
        "served",
        "rejected",
        "waiting",
        "waiting",
    ]
    assert "Served: 1. Waiting: 2. Rejected: 1 (missed the floor on 1 of 1 tasks)." in shown
    assert main(["log", *where]) == 0
    told = capsys.readouterr().out
    assert told.count("rejected, with ace-00002") == 3
    assert "accepted, with ace-00001 (met the floor on 1 of 1 tasks)" in told
    floor.host.backend.releases.on_activation(reference(floor.host.roll_back("seed")))
    assert main(["show", "--json", *where]) == 0
    assert {row["stands"] for row in json.loads(capsys.readouterr().out)} == {"waiting"}
    assert main(["log", *where]) == 0
    assert "rolled back: release release-2 (to seed)" in capsys.readouterr().out


def test_without_the_setting_nothing_is_dropped(tmp_path: Path) -> None:
    """The founding document's way: each candidate carries all."""
    floor = Floor(tmp_path / "root", drop_after=0)
    for lesson in ("One.", BAD, "Two.", "Three.", "Four."):
        floor.learn(lesson)
    assert (floor.served, floor.tried[-1]) == (["One."], ["One.", BAD, "Two.", "Three.", "Four."])
    assert floor.removed() == []


def test_an_evaluation_that_fails_says_nothing_of_lessons(floor: Floor) -> None:
    """It is not a rejection, however often it fails, and nothing is removed."""
    floor.learn("One.")
    floor.broken = True
    for number in range(4):
        told = floor.learn(f"Lesson {number}.")["proposal_notes"]["summary"]
        assert "says nothing of what the rules bring" in told
    floor.broken = False
    floor.learn("Two.")
    assert len(floor.tried[-1]) == 6
    assert floor.removed() == []


def test_a_persons_proposal_in_between_loses_nothing(floor: Floor) -> None:
    """It takes a step in which the method is not asked: what is to be removed is removed in the one after it."""
    for lesson in ("One.", BAD, "Two.", "Three."):
        floor.learn(lesson)
    floor.host.suggest("- Theirs.\n")
    floor.learn()
    assert floor.host.kept["trial"]["dropped"] == ["ace-00002"]
    floor.learn()
    assert BAD not in floor.kept
    floor.learn()
    assert floor.served == ["One.", "Two.", "Three."]


def test_a_step_that_fails_behind_the_removal_does_not_log_it_twice(floor: Floor) -> None:
    """No model answers: the removal is in the log by then, and Reef brings the same batch again."""
    for lesson in ("One.", BAD, "Two.", "Three."):
        floor.learn(lesson)
    answers = floor.host.reflector

    def fail(_: str) -> str:
        raise RuntimeError("down")

    floor.host.reflector = fail
    for _ in range(3):
        with pytest.raises(Exception, match="down"):
            floor.host.prepare(sample("r9"))
        floor.host.reload()
    floor.host.commit(floor.host.prepare(sample("r9")))  # passed over
    assert [one["id"] for one in floor.removed()] == ["ace-00002"]
    assert BAD not in floor.kept
    floor.host.reflector = answers
    floor.learn()
    floor.learn()
    assert floor.served == ["One.", "Two.", "Three."]
    assert floor.host.restored() == []


def test_a_rollback_brings_back_what_was_tried_then(floor: Floor) -> None:
    """The lessons that waited beside the release that is served again wait again."""
    floor.learn("One.")
    first = floor.host.releases.newest()
    for lesson in (BAD, "Two.", "Three."):
        floor.learn(lesson)
    floor.host.roll_back(first)
    floor.learn("Four.")
    assert floor.served == floor.kept == ["One.", "Four."]
    assert "trial" not in floor.host.kept


# --- the rules of it ------------------------------------------------------------------------------------------------

_ids = st.integers(1, 9).map(bullet_id)


@st.composite
def _playbooks(draw: st.DrawFn) -> Playbook:
    numbers = sorted(draw(st.sets(st.integers(1, 20), max_size=12)))
    bullets = [Bullet(bullet_id(n), "Others", f"Lesson {n}.", 0, 0, draw(st.integers(1, 4))) for n in numbers]
    return Playbook(21, tuple(bullets))


@given(_playbooks(), st.data(), st.integers(0, 4), st.integers(0, 4))
def test_a_candidate_holds_what_is_accepted_and_at_most_one_step_more(
    playbook: Playbook, data: st.DataObject, rejections: int, drop_after: int
) -> None:
    """The oldest step of those that wait, whole; and everything as long as it was not rejected so often."""
    ids = [one.id for one in playbook.bullets]
    accepted = frozenset(data.draw(st.sets(st.sampled_from(ids)))) if ids else frozenset()
    tried = candidate(playbook, accepted, Trial(rejections=rejections), drop_after)
    shown = {one.id for one in tried.playbook.bullets}
    waiting = [one for one in playbook.bullets if one.id not in accepted]
    assert accepted <= shown
    if tried.alone:
        assert 0 < drop_after <= rejections
        oldest = min(one.step for one in waiting)
        assert set(tried.alone) == {one.id for one in waiting if one.step == oldest}
        assert shown == accepted | set(tried.alone)
    else:
        assert tried.playbook == playbook
        assert not (waiting and 0 < drop_after <= rejections)


_texts = st.lists(_ids, max_size=4).map(tuple)
_trials = st.builds(
    Trial,
    _texts,
    _texts,
    st.integers(0, 9),
    _texts,
    st.none()
    | st.builds(
        Verdict, st.integers(0, 99), st.sampled_from(["rejected", "accepted"]), st.just("so"), _texts
    ),
)


@given(_trials)
def test_what_is_kept_reads_back(trial: Trial) -> None:
    """Through JSON, as Reef keeps it."""
    assert Trial.read(json.loads(json.dumps(trial.write()))) == trial


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*NOT_TRIED.write(), "outcome", "step"]), inner, max_size=4)
    ),
)


@given(_json)
def test_what_is_none_counts_as_nothing(stored: object) -> None:
    """A state may have been written by anybody."""
    assert json.dumps(Trial.read(stored).write())


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.sampled_from(["good", "bad", "nothing"]), min_size=1, max_size=8))
def test_every_good_lesson_is_served_in_the_end(
    tmp_path_factory: pytest.TempPathFactory, kinds: list[str]
) -> None:
    """And every bad one is gone, whatever the order, if enough steps follow."""
    floor = Floor(tmp_path_factory.mktemp("any") / "root", drop_after=1)
    good: list[str] = []
    for number, kind in enumerate(kinds):
        text = f"{BAD if kind == 'bad' else 'Good.'} {number}"
        good += [text] if kind == "good" else []
        floor.learn(*([] if kind == "nothing" else [text]))
    # What was rejected is not proposed again as it is: something has to come that changes the playbook.
    floor.learn("Last.")
    for _ in range(2 * len(kinds) + 1):
        floor.learn()
    assert floor.served == floor.kept == [*good, "Last."]
    assert floor.host.restored() == []
