"""The comparison of prompt sets: blind sheets, a table that invents no figure, sets that are filled and read."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.adapters.hosting import curation, reflection, run

from ace.adapters.shipped import shipped
from ace.domain.replies import REFLECTION_SCHEMA, curation_schema
from ace.domain.settings import DEFAULT_SECTIONS
from ace.ports import Completion, Request
from lessons.judging import Judgement, Key, Plan, sheet_of, table
from lessons.play import play, runs_of
from lessons.sets import AuthorsSet, FolderSet, open_set
from lessons.similar import Label, figures, sample
from lessons.small import START, ask, told, with_lengths

SETS = {"old": ["One.", "Two."], "new": ["Three."]}
PLAN = Plan(learn=("l1",), failed=("f1", "f2"), succeeded=("s1",))
HERE = Path(__file__).parents[2] / "benchmarks" / "lessons"


def judgement(key: Key, **changes: object) -> Judgement:
    """A judgement of everything: all true, none contradicted, the first run prevented in half."""
    letters = {letter: len(texts) for letter, texts in key.lessons.items()}
    said = {
        "model": "m",
        "sheet": key.sheet,
        "lessons": {
            f"{letter}{at}": "true" for letter, count in letters.items() for at in range(1, count + 1)
        },
        "contradictions": {letter: [] for letter in letters},
        "prevented": {letter: {"f1": 0.5, "f2": 0} for letter in letters},
        "worse": {letter: {"s1": 0} for letter in letters},
    }
    return msgspec.convert({**said, **changes}, type=Judgement)


# --- sheets ---------------------------------------------------------------------------------------------------------

_texts = st.lists(st.text("abc \n", min_size=1, max_size=20), max_size=5)


@given(st.dictionaries(st.sampled_from(["red", "green", "blue"]), _texts, min_size=1), st.integers(0, 50))
def test_a_sheet_tells_nothing_but_the_texts(sets: dict[str, list[str]], seed: int) -> None:
    """Whatever the sets: each text is there once under a letter, no name is, and the key finds each again."""
    sheet, key = sheet_of(sets, seed)
    assert not any(name in sheet for name in ("red", "green", "blue"))
    assert sorted(key.sets.values()) == sorted(sets)
    for letter, name in key.sets.items():
        assert sorted(key.lessons[letter]) == sorted(sets[name])
        for at, text in enumerate(key.lessons[letter], 1):
            assert f"- {letter}{at}: {text}" in sheet
    assert sheet_of(sets, seed) == (sheet, key)


def test_a_seed_chooses_the_order() -> None:
    """Other seeds give other letters and other orders, so that no place gives a set away."""
    sets = {"red": [f"Lesson {number}" for number in range(9)], "blue": ["x"]}
    keys = [sheet_of(sets, seed)[1] for seed in range(8)]
    assert {key.sets["A"] for key in keys} == {"red", "blue"}
    assert len({str(key.lessons) for key in keys}) > 4


# --- the table ------------------------------------------------------------------------------------------------------


def test_the_table_is_computed_from_what_was_judged() -> None:
    """The median of the judgements, and each of them in brackets."""
    judged = []
    for seed, prevented in ((1, 1), (2, 0), (3, 0.5)):
        _, key = sheet_of(SETS, seed)
        letters = {name: letter for letter, name in key.sets.items()}
        said = {letters["old"]: {"f1": prevented, "f2": 1}, letters["new"]: {"f1": 1, "f2": 1}}
        judged.append((key, judgement(key, prevented=said)))
    lines = table(SETS, judged, PLAN).splitlines()
    assert lines[0] == "| | old | new |"
    assert lines[2] == "| lessons; characters | 2; 8 | 1; 6 |"
    assert lines[3] == "| true | 2 (2, 2, 2) | 1 (1, 1, 1) |"
    assert lines[7] == "| failed runs plausibly prevented, of 2 | 1.5 (2, 1, 1.5) | 2 (2, 2, 2) |"
    assert lines[8].startswith("| prevented per 1,000 characters | 187.5 (250, 125, 187.5) |")


def test_what_was_not_judged_is_missing() -> None:
    """A verdict, a run, a list or a whole set that a judgement lacks makes a missing cell, and no figure."""
    _, key = sheet_of(SETS, 1)
    letters = {name: letter for letter, name in key.sets.items()}
    whole = judgement(key)
    part = judgement(
        key,
        lessons={label: "true" for label in whole.lessons if not label.endswith("2")},
        contradictions={letters["new"]: []},
        prevented={letters["old"]: {"f1": 1}, letters["new"]: {"f1": 1, "f2": 1}},
        worse={},
    )
    lines = table({**SETS, "other": ["Four."]}, [(key, part)], PLAN).splitlines()
    assert lines[3] == "| true | missing | 1 (1) | missing |"
    assert lines[6] == "| contradictions inside | missing | 0 (0) | missing |"
    assert lines[7] == "| failed runs plausibly prevented, of 2 | missing | 2 (2) | missing |"
    assert lines[9] == "| successful runs plausibly made worse, of 1 | missing | missing | missing |"
    both = table(SETS, [(key, part), (key, whole)], PLAN).splitlines()
    assert both[3] == "| true | 2 (missing, 2) | 1 (1, 1) |"
    assert "missing" in table(SETS, [], PLAN).splitlines()[3]


def test_a_judgement_of_another_sheet_is_an_error() -> None:
    """A judgement that was made of other lessons, or in another order, is not computed with."""
    _, key = sheet_of(SETS, 1)
    with pytest.raises(SystemExit, match="of another sheet"):
        table(SETS, [(key, judgement(key, sheet="0" * 64))], PLAN)
    with pytest.raises(msgspec.ValidationError):
        judgement(key, lessons={"A1": "maybe"})


# --- playing --------------------------------------------------------------------------------------------------------


def test_a_set_is_played_from_files(tmp_path: Path) -> None:
    """The step of the product, run by run; where a reply is not there, its prompt is written and the play stops."""
    runs = [run("r1", score=0.0), run("r2", "Another task.")]
    replies = tmp_path / "calls.json"
    rows = [
        {"role": "reflector", "trace": "r1", "reply": reflection(), "model": "someone"},
        {"role": "curator", "trace": "r1", "reply": curation("Look first."), "model": "someone"},
    ]
    replies.write_text(json.dumps(rows))
    played = play("ours", FolderSet(shipped("prompts")), runs, replies, "", "")
    assert (played.read, played.runs, played.lessons) == (1, 2, (("Others", "Look first."),))
    assert played.models == ("someone",)
    assert "no reply of the reflector for r2" in played.missing
    prompt = (tmp_path / "next-prompt.md").read_text()
    assert "Look first." in prompt
    assert "Another task." in prompt
    assert "{{" not in prompt


def test_the_files_that_are_kept_agree() -> None:
    """What was played has its replies, and what was judged is of the lessons that were played."""
    plan = msgspec.json.decode((HERE / "plan.json").read_bytes(), type=Plan)
    assert not set(plan.learn) & {*plan.failed, *plan.succeeded}
    texts = {
        folder.name: [text for _, text in json.loads((folder / "lessons.json").read_bytes())["lessons"]]
        for folder in (HERE / "played").iterdir()
    }
    for folder in (HERE / "judged").iterdir():
        key = msgspec.json.decode((folder / "key.json").read_bytes(), type=Key)
        names = key.sets.values()
        assert sheet_of({name: texts[name] for name in names}, key.seed) == (
            (folder / "sheet.md").read_text(),
            key,
        )
        for file in folder.glob("judgement*.json"):
            told_by = msgspec.json.decode(file.read_bytes(), type=Judgement)
            assert "missing" not in table({name: texts[name] for name in names}, [(key, told_by)], plan)


def test_runs_that_are_not_there(tmp_path: Path) -> None:
    """A plan that names other runs than the file has is an error that names them."""
    file = tmp_path / "runs.jsonl"
    file.write_text('{"id": "a", "messages": [{"role": "user", "content": "x"}], "score": 1}\n')
    assert [trace.id for trace in runs_of(file, ["a"])] == ["a"]
    with pytest.raises(SystemExit, match="has no run b, c"):
        runs_of(file, ["b", "a", "c"])


def test_prompts_of_a_checkout(tmp_path: Path) -> None:
    """They are read from the source without running it, filled, and their replies are brought to our keys and sections."""
    folder = tmp_path / "ace" / "prompts"
    folder.mkdir(parents=True)
    (folder / "reflector.py").write_text(
        'raise SystemExit\nREFLECTOR_PROMPT_NO_GT = """{} {} {} {} {} {{}}"""\n'
    )
    (folder / "curator.py").write_text(
        'CURATOR_PROMPT_NO_GT = """{current_playbook} {question_context} {{}}"""\n'
    )
    prompts = open_set(tmp_path)
    assert isinstance(prompts, AuthorsSet)
    replies = tmp_path / "calls.json"
    theirs = {"error_identification": "It failed.", "correct_approach": "Look.", "key_insight": "Look first."}
    operation = {"type": "ADD", "section": "code_and_commands", "content": "Look first."}
    other = {"type": "ADD", "section": "formulas", "content": "Look twice."}
    rows = [
        {"role": "reflector", "trace": "r1", "reply": f"Well. {json.dumps({**theirs, 'bullet_tags': []})}"},
        {"role": "curator", "trace": "r1", "reply": json.dumps({"operations": [operation, other]})},
    ]
    replies.write_text(json.dumps(rows))
    played = play("theirs", prompts, [run("r1", score=0.0), run("r2")], replies, "", "")
    assert played.lessons == (("Code and commands", "Look first."), ("Others", "Look twice."))
    prompt = (tmp_path / "next-prompt.md").read_text()
    assert "Score: none" in prompt
    assert prompt.endswith(" {}")


# --- small models ---------------------------------------------------------------------------------------------------


class Copier:
    """A small model: it copies sentences of its prompt, tags a bullet, and says something of its own now and then."""

    def complete(self, request: Request) -> Completion:
        """What such a model says."""
        sentence = next(line for line in request.prompt.splitlines() if len(line.split()) > 9)
        if request.role == "reflector":
            own = request.trace == "r2"
            insight = "Look at the names." if own else sentence
            return Completion(text=reflection(("ace-00001", "helpful"), insight=insight, analysis="…"))
        return Completion(text=curation(sentence, "Quote each file name that a loop goes through."))


def test_a_model_that_copies_is_measured() -> None:
    """Its copies are unusable or kept out, and counted; what passed is told beside them."""
    calls, events = ask(
        Copier(), [run("r1"), run("r2", "Other."), run("r3", "Third.")], 3, 2_000, lengths=True
    )
    assert [call.role for call in calls] == ["reflector", "reflector", "curator"]
    assert told("m", calls, events) == "| m | 3 | 2 (67%) | 0 | 1 | 1 | 0 | 1 | 1 | 0 |"
    assert len(START.bullets) == 3


def test_lengths_stand_beside_what_the_schema_says() -> None:
    """Each text that a model writes freely gets a `maxLength`; choices do not, and the schema itself stays as it is."""
    longer = with_lengths(REFLECTION_SCHEMA)
    assert longer["properties"]["key_insight"]["maxLength"] == 300
    item = longer["properties"]["bullet_tags"]["items"]["properties"]
    assert ("maxLength" in item["id"], "maxLength" in item["tag"]) == (True, False)
    assert "maxLength" not in json.dumps(REFLECTION_SCHEMA)
    operation = with_lengths(curation_schema(DEFAULT_SECTIONS))["properties"]["operations"]["items"][
        "properties"
    ]
    assert ("maxLength" in operation["content"], "maxLength" in operation["section"]) == (True, False)


# --- similar lessons ------------------------------------------------------------------------------------------------


def test_how_often_alike_is_right() -> None:
    """The figures follow from the labels, weighed by how many pairs there are of each share."""
    one = "quote each file name in loops of a shell script"
    lessons = [
        one,
        f"{one} always",
        "quote each file name in loops or lists",
        "read the failing test and its neighbours first",
    ]
    labels = [Label(1, 2, alike=True), Label(1, 3, alike=False), Label(2, 3, alike=False)]
    told_of = figures(lessons, labels)
    assert "| 0.8 to 1 | 1 | 1 | 1 |" in told_of
    assert "one lesson; of the pairs that are" in told_of
    assert sample(lessons, 1, seed=1).startswith("1 2\n")
