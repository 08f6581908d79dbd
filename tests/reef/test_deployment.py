"""The `evolution` section: every key is known, or an error that names it."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.inference.http import InferenceProxyRuntime

from ace.adapters.reef import config
from ace.adapters.reef.config import ACEConfigError, plan
from ace.adapters.reef.recipe import ACERecipe
from ace.adapters.store.files import lock
from ace.adapters.store.retention import Keep
from ace.adapters.store.scenarios import scenario_root

BEGIN, END = "<!-- ace:playbook:begin -->", "<!-- ace:playbook:end -->"
MODEL = {"url": "http://127.0.0.1:9", "model": "m"}


def entry(text: str, identity: str = "rules", kind: str = "rules", **config: Any) -> dict[str, Any]:
    """An entry of a seed."""
    return {"id": identity, "name": kind, "config": {"text": text, **config}}


def recipe(evolution: dict[str, Any]) -> ACERecipe:
    """The recipe of a deployment with this section."""
    made = ACERecipe.from_environment({}, config={"evolution": evolution})
    assert isinstance(made, ACERecipe)
    return made


def test_nothing_at_all_is_a_deployment() -> None:
    """The method by default, no evaluation, no seed."""
    read = plan({})
    assert read.method.settings.model == "served"
    assert read.work_dir == Path(".reef").resolve()
    assert read.section["seed"] == []
    assert read.section["proposals_dir"] == str(read.work_dir / "proposals")
    assert recipe({}).propose.reads_requests


def test_what_is_left_empty_is_left_out() -> None:
    """As YAML reads a key all of whose lines are commented out."""
    keys = ("method", "evaluation", "models", "seed", "work_dir", "review_kinds")
    assert plan(dict.fromkeys(keys)).section["seed"] == []
    plan({"method": {"config": None}, "models": {"m": {**MODEL, "url": " HTTPS://a.example "}}})


def test_how_long_records_are_kept() -> None:
    """As numbers, or as a variable of the environment gives them; all are kept if none is given."""
    assert plan({}).keep_steps == Keep()
    assert recipe({"keep_steps": {"count": "100", "megabytes": 5}}).keep_steps == Keep(100, 0, 5)


def test_a_second_service_on_one_work_folder_is_refused(tmp_path: Path) -> None:
    """It says who has the folder; what only reads the deployment, and serves nothing, is not a service."""
    section = {"evolution": {"work_dir": str(tmp_path)}}
    with lock(tmp_path / "service.lock", "process 12345"):
        ACERecipe.from_environment({}, config=section)
        with pytest.raises(ACEConfigError, match=r"evolution\.work_dir: .* is in use by process 12345"):
            ACERecipe.from_environment(
                {},
                config=section,
                runtime=InferenceProxyRuntime(model_path="m", base_url="http://127.0.0.1:9"),
            )


def test_the_founding_layout(tmp_path: Path) -> None:
    """Method, policy, models and a folder as the seed."""
    (tmp_path / "rules.md").write_bytes(b"# Regeln\r\n")
    read = plan(
        {
            "method": {"module": "ace:ACE", "config": {"model": "teacher", "max_bullets": 7}},
            "evaluation": {"policy": "none"},
            "models": {"teacher": MODEL},
            "seed": str(tmp_path),
            "adapter": "pi",
        }
    )
    assert (read.method.settings.model, read.method.settings.max_bullets) == ("teacher", 7)
    assert read.section["seed"] == [entry("# Regeln\r\n")]


@pytest.mark.parametrize(
    ("policy", "selection"), [("floor", "FloorPlugin"), ("compare", "ScoreComparisonPlugin")]
)
def test_the_policies_that_run_tasks(policy: str, selection: str) -> None:
    """They are Reef's own selections."""
    made = recipe(
        {"evaluation": {"policy": policy}, "tasks": ["t"], "evaluate": "ace.adapters.reef.policy:NoScorer"}
    )
    assert made.selection.plugin_class.__name__ == selection
    assert made.max_rejected_history == 0


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"methd": {}}, "there is no key evolution.methd: did you mean method?"),
    ({"xyz": 1}, "there is no key evolution.xyz: there are method, "),
    ({"method": {"modul": "ace:ACE"}}, "there is no key evolution.method.modul: did you mean module?"),
    ({"method": {"module": "ace:ACED"}}, "evolution.method.module 'ace:ACED' cannot be imported"),
    ({"method": {"module": "nothing.here:ACE"}}, "cannot be imported"),
    ({"method": {"module": "ace"}}, "cannot be imported"),
    ({"method": {"module": "pathlib:Path"}}, "is not ace:ACE nor made from it"),
    ({"method": {"module": "..ace:ACE"}}, "evolution.method.module '..ace:ACE' cannot be imported"),
    ({"method": {"module": 5}}, "evolution.method.module must be a class as module:name, not 5"),
    ({"method": []}, "evolution.method must be a section of keys"),
    ({"method": {"config": {"max_bulets": 1}}}, "did you mean max_bullets?"),
    (
        {"method": {"config": {"max_bullets": "7"}}},
        "max_bullets must be a whole number of at least 1, not '7'",
    ),
    ({"method": {"config": {"max_bullets": True}}}, "max_bullets must be a whole number"),
    (
        {"method": {"config": {"model": "techer"}}, "models": {"teacher": MODEL}},
        "names 'techer', and there is no such model: there are served, teacher: did you mean teacher?",
    ),
    ({"models": {"teacher": {**MODEL, "modle": "m"}}}, "there is no key evolution.models.teacher.modle"),
    (
        {"models": {"teacher": {"url": "http://x"}}},
        "evolution.models.teacher.model must be a non-empty string",
    ),
    ({"keep_steps": {"cuont": 1}}, "there is no key evolution.keep_steps.cuont: did you mean count?"),
    ({"keep_steps": {"days": -1}}, "evolution.keep_steps.days must be a whole number of at least 0, not -1"),
    ({"keep_steps": 5}, "evolution.keep_steps must be a section of keys, not 5"),
    ({"models": {"served": MODEL}}, "may not name a model 'served'"),
    ({"models": ["teacher"]}, "evolution.models must be a section of keys"),
    ({"evaluation": {"polcy": "none"}}, "there is no key evolution.evaluation.polcy: did you mean policy?"),
    ({"evaluation": {"policy": "always"}}, "evolution.evaluation.policy must be one of none, floor, compare"),
    (
        {"evaluation": {"policy": None}},
        "evolution.evaluation.policy must be one of none, floor, compare, not None",
    ),
    (
        {"method": {"config": {"drop_after_rejections": 3}}},
        "evolution.method.config.drop_after_rejections has no meaning under evolution.evaluation.policy: none",
    ),
    ({"tasks": ["t"]}, "evolution.tasks has no meaning under evolution.evaluation.policy: none"),
    ({"evaluation": {"policy": "floor"}, "min_win_margin": 1}, "evolution.min_win_margin has no meaning"),
    ({"evaluation": {"policy": "floor"}}, "evolution.tasks must be a non-empty list"),
    (
        {
            "evaluation": {"policy": "floor"},
            "evaluate": {"module": "examples.scorer:LastLine", "config": {"answers": {"wrod": "yes"}}},
            "tasks": ["[word] Say yes."],
            "binary": "/bin/true",
        },
        "evolution.evaluate: no answer is known for the task '[word] Say yes.'",
    ),
    ({"propose": "a:B"}, "evolution.propose is not read: evolution.method names what proposes"),
    ({"selection": "floor"}, "evolution.selection is not read"),
    ({"step_record_dir": "x"}, "evolution.step_record_dir is not read"),
    ({"work_dir": ""}, "evolution.work_dir must be a folder"),
    ({"adapter": "pie"}, "unknown harness adapter 'pie'"),
    ({"seed": ""}, "evolution.seed is empty: name a folder, or leave it out"),
    ({"seed": "no-such-folder"}, "evolution.seed: there is no folder no-such-folder"),
    ({"seed": [":"]}, "evolution: Empty module name"),
    ({"seed": {"rules": "x"}}, "evolution.seed must be a folder, or a list of entries"),
    ({"seed": [entry("")]}, "Reef refuses it: mutation create 'rules' rejected"),
    ({"seed": [entry("sk-" + "a" * 20)]}, "Reef refuses it"),
    ({"seed": [entry("a"), entry("b")]}, "entry 'rules' already exists"),
    ({"seed": [{"id": "rules", "config": {"text": "a"}}]}, "needs a text as name"),
    ({"seed": [entry("a", "s", "skill")]}, "Reef refuses it: mutation create 's' rejected"),
    (
        {"seed": [entry("a", kind="skill", name="a")]},
        "the entry `rules` is a skill, and has to be of the kind rules",
    ),
    ({"seed": [entry("a", "more", "ruels")]}, "unknown node kind 'ruels'"),
    ({"seed": [entry("a"), entry(f"{BEGIN}\n{END}\n", "more")]}, "entry `more` holds the marker lines"),
    ({"seed": [{**entry("a"), "diabled": True}]}, "the entry 'rules' has a key diabled"),
    (
        {"evaluation": {"policy": "floor"}, "sandbox": {"limits": {"cpu_second": 1}}},
        "there is no key evolution.sandbox.limits.cpu_second: did you mean cpu_seconds?",
    ),
    (
        {"seed": [entry(f"a\r\n{BEGIN}\r\n- [ace-00001] helpful=0 harmful=0 :: b\r\n{END}\r\n")]},
        "there is text in the playbook's block of the entry `rules`, which the first step would remove",
    ),
    ({"seed": [entry(f"a\n{BEGIN}\n1. b\n{END}\n")]}, "there is text in the playbook's block"),
    ({"seed": [entry("a"), entry("b", "more", txet="c")]}, "'more' has a key txet, and there is text alone"),
    (
        {"seed": [entry("a"), entry("b", "s", "skill", name="s", descripton="c")]},
        "'s' has a key descripton, and there is name and text alone",
    ),
    ({"seed": [{**entry("a"), "isolate": "zzz"}]}, "evolution.seed: Reef cannot load it"),
    ({"models": []}, "evolution.models must be a section of keys, not []"),
    ({"method": {"config": 0}}, "evolution.method.config must be a section of keys, not 0"),
    ({"models": {"m": {**MODEL, "url": "nonsense"}}}, "evolution.models.m.url must begin with http"),
    ({"models": {"m": {**MODEL, "timeout_s": True}}}, "evolution.models.m.timeout_s must be a finite number"),
    ({"models": {"m": {**MODEL, "timeout_s": float("nan")}}}, "timeout_s must be a finite number, not nan"),
    ({"models": {"m": {**MODEL, "timeout_s": "1e999"}}}, "timeout_s must be a finite number, not '1e999'"),
    ({"models": {"m": {**MODEL, "timeout_s": "soon"}}}, "evolution.models.m.timeout_s must be a number"),
    ({"models": {"m": None}}, "evolution.models.m must be a section of keys, not None"),
    (
        {"models": {"m": {**MODEL, "api_key": "a", "api_key_env": "PATH"}}},
        "evolution.models.m has an api_key and an api_key_env: give one of them",
    ),
    ({"work_dir": __file__}, "and nothing can be written in"),
    ({"work_dir": "~no-such-user/x"}, "evolution.work_dir cannot be the folder '~no-such-user/x'"),
    ({"work_dir": "x" * 300}, "evolution.work_dir cannot be the folder"),
    ({"work_dir": "a\0b"}, "evolution.work_dir cannot be the folder"),
    ({"work_dir": "a\ud800"}, "evolution.work_dir cannot be the folder"),
    ({"seed": "~no-such-user/x"}, "evolution.seed cannot be the folder '~no-such-user/x'"),
    ({"seed": "x" * 300}, "evolution.seed cannot be the folder"),
    ({"evaluation": {"policy": "\ud800"}}, "evolution.evaluation holds a text that is not valid Unicode"),
    ({"work_dir": f"{__file__}/x"}, "and nothing can be written in"),
    ({"evaluation": {"policy": "floor"}, "tasks": [{"a": 1}]}, "evolution.tasks must be a list of texts"),
    ({"evaluation": {"policy": "floor"}, "tasks": [" "]}, "evolution.tasks holds a task without a text"),
    ({"evaluation": {"policy": "floor"}, "binary": "/no/such"}, "there is no program /no/such"),
    (
        {"evaluation": {"policy": "floor"}, "episode_timeout_s": float("nan")},
        "evolution.episode_timeout_s must be a finite number",
    ),
    (
        {"evaluation": {"policy": "floor"}, "floor_score": float("nan")},
        "evolution.floor_score must be a finite number",
    ),
    ({"seed": [{**entry("a"), "disabled": True}]}, "the entry `rules` is disabled"),
    (
        {"seed": [{"id": "rules", "name": "rules", "config": {"text": "a", "txet": "b"}}]},
        "'rules' has a key txet, and there is text alone",
    ),
    (
        {"seed": [entry("a"), entry(f"{END}\n", "reef-requests", "skill", name="x")]},
        "entry `reef-requests`: the markers of the playbook's block",
    ),
    (
        {"seed": [entry("a", "reef-requests")], "requests": True, "version_check": True},
        "mutation create 'reef-requests' rejected",
    ),
    ({"review_kinds": ["ruels"]}, "evolution.review_kinds names 'ruels', and there is no such kind of entry"),
    ({"review_kinds": ["ruels"]}, "did you mean rules?"),
    ({"review_kinds": "rules"}, "evolution.review_kinds must be a list of texts, not 'rules'"),
    (
        {"evaluation": {"policy": "floor"}, "sandbox": {"limits": {"cpu_seconds": "x"}}},
        "evolution.sandbox.limits.cpu_seconds must be a whole number of at least 0, not 'x'",
    ),
    (
        {"evaluation": {"policy": "floor"}, "sandbox": {"egress_hosts": "a.example"}},
        "evolution.sandbox.egress_hosts must be a list of texts",
    ),
    (
        {"evaluation": {"policy": "floor"}, "sandbox": {"limits": {"cpu_seconds": 9}}},
        "evolution.sandbox is read with evolution.executor: sandbox or e2b alone",
    ),
    (
        {"evaluation": {"policy": "floor"}, "tasks": ["t"], "evaluate": {"module": "a:B", "confg": {}}},
        "confg",
    ),
    ({"model_metadata": {"m": {"context_windw": 1}}}, "evolution.model_metadata.m: "),
    ({"seed": [entry(f"a\n{BEGIN}\n")]}, "entry `rules`: the markers of the playbook's block must be"),
    ({"seed": [entry("a"), entry(f"x\n{END}", "s", "skill", name="s")]}, "entry `s`: the markers"),
]


def test_what_is_wrong_is_named() -> None:
    """By key and value."""
    for evolution, told in WRONG:
        with pytest.raises(ACEConfigError) as caught:
            recipe(evolution)
        assert told in str(caught.value)


KEYS = sorted({key for keys, _ in config._POLICIES.values() for key in keys.__struct_fields__})
ODD = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text()
    | st.sampled_from([10**400, "a\0b", MODEL, b"x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from([*KEYS, "limits", "url", "timeout_s", "module", "config"])
            | st.text()
            | st.integers(),
            inner,
            max_size=3,
        )
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from(KEYS), ODD, max_size=4), st.sampled_from(["none", "floor", "compare"]))
def test_whatever_a_section_says_is_read_or_named(section: dict[str, Any], policy: str) -> None:
    """Nothing that YAML can hold ends the service with a traceback."""
    with suppress(ACEConfigError):
        plan({"evaluation": {"policy": policy}, **section})


def test_a_variable_that_is_not_there_is_told(caplog: pytest.LogCaptureFixture) -> None:
    """Not every endpoint wants a key."""
    models = {"m": {**MODEL, "api_key_env": "NO_SUCH"}, "n": {**MODEL, "api_key_env": "THERE"}}
    ACERecipe.from_environment({"THERE": "x"}, config={"evolution": {"models": models}})
    assert [record.getMessage() for record in caplog.records] == [
        "evolution.models.m.api_key_env names NO_SUCH, and there is no such variable: its calls have no key"
    ]


def test_limits_may_come_from_the_environment() -> None:
    """As texts of digits."""
    sandbox = {"limits": {"cpu_seconds": "9", "processes": 3}}
    plan({"evaluation": {"policy": "floor"}, "executor": "sandbox", "sandbox": sandbox})


def test_what_reef_adds_to_a_seed_is_its_own() -> None:
    """Its notice and its extension are not entries of the seed."""
    made = recipe({"seed": [entry("a")], "requests": True, "version_check": True, "review_kinds": ["rules"]})
    assert [one["id"] for one in made.seed] == [
        "rules",
        "reef-version-check",
        "reef-requests",
        "reef-pi-extension-api",
    ]


def test_a_seed_may_say_where_the_block_is_to_stand() -> None:
    """An empty block is accepted, and so are lists outside of it."""
    recipe({"seed": [entry(f"- [a](b)\n{BEGIN}\n{END}\n- [ ] more\n")]})


def test_a_seed_folder_holds_rules_and_nothing_else(tmp_path: Path) -> None:
    """What would not be read is named; a hidden file is nobody's business."""
    with pytest.raises(ACEConfigError, match=r"there is no rules\.md"):
        plan({"seed": str(tmp_path)})
    (tmp_path / "rules.md").write_bytes(b"\xff")
    with pytest.raises(ACEConfigError, match="cannot be read"):
        plan({"seed": str(tmp_path)})
    (tmp_path / "rules.md").write_text("x")
    (tmp_path / ".hidden").write_text("x")
    plan({"seed": str(tmp_path)})
    (tmp_path / "skills.md").write_text("x")
    with pytest.raises(ACEConfigError, match=r"there is also skills\.md"):
        plan({"seed": str(tmp_path)})


@pytest.mark.parametrize(
    ("scenario", "folder"),
    [("one", "one"), ("a b/c", "a%20b%2Fc"), ("..", "%2E%2E"), ("v1.2", "v1.2"), ("übung", "%C3%BCbung")],
)
def test_a_scenarios_folder(scenario: str, folder: str) -> None:
    """A name that is not plain is quoted, so that no scenario leaves the work folder or meets another's."""
    assert scenario_root(Path("/w"), scenario) == Path("/w/harness") / folder / "harness"


def test_a_scenario_with_a_long_name_has_a_folder_of_its_own(tmp_path: Path) -> None:
    """A folder's name has at most 255 bytes: a long one is cut, and ends with what tells it from its like."""
    names = ["\N{LATIN SMALL LETTER U WITH DIAERESIS}" * 60, "x" * 250, "x" * 251, "x" * 200]
    roots = [scenario_root(tmp_path, name) for name in names]
    for root in roots:
        root.mkdir(parents=True)
    assert len(set(roots)) == 4
    assert roots[3].parent.name == "x" * 200
    # No name that is short looks like it: `=` would be quoted.
    assert scenario_root(tmp_path, roots[1].parent.name) != roots[1]
