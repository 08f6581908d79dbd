"""What was learned from Reef's source, against the Reef that is installed: which keys it reads, and of what version it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib.metadata import version
from inspect import getsource
from pathlib import Path
from typing import Any

import pytest
from tests.reef.conftest import reef_is_installed

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.errors import ReefError
from reef.harness.adapters import get_adapter
from reef.harness.compose import loader
from reef.harness.episodes.model_binding import ModelBinding
from reef.harness.tree import mutations, nodes
from reef.harness.tree.nodes import NODE_KINDS
from reef.harness.tree.render import render_composition, render_native_module
from reef.recipe.cordis import CordisRecipe
from reef.recipe.errors import RecipeConfigError
from reef.sandbox.config import build_executor
from reef.sandbox.e2b import E2BExecutor

from ace.adapters.reef import config
from ace.adapters.reef.policy import UNUSED
from ace.adapters.reef.proposer import ACEProposer
from ace.method import ACE

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGE = REPOSITORY / "src" / "ace" / "adapters" / "reef"


class Asked(dict[str, Any]):
    """A section that remembers which keys it was asked for."""

    def __init__(self, values: Mapping[str, Any] | None = None) -> None:
        super().__init__(values or {})
        self.keys_asked: set[str] = set()

    def get(self, key: str, default: Any = None) -> Any:
        """The value, remembered."""
        self.keys_asked.add(key)
        return super().get(key, default)

    def __getitem__(self, key: str) -> Any:
        self.keys_asked.add(key)
        return super().__getitem__(key)

    def __contains__(self, key: object) -> bool:
        self.keys_asked.add(str(key))
        return super().__contains__(key)


def fields(*sections: type[config._Section]) -> set[str]:
    """The keys of these sections."""
    return {key for section in sections for key in section.__struct_fields__}


def test_the_keys_of_the_section_are_those_that_reef_reads() -> None:
    """Under every policy; those that we do not pass on belong elsewhere."""
    asked: set[str] = set()
    stand_ins = {**UNUSED, "propose": ACEProposer(ACE())}
    for more in ({}, {"selection": "floor", "floor_score": 0.5}, {"executor": "sandbox"}):
        section = Asked({**stand_ins, **more})
        with suppress(RecipeConfigError):  # a machine without a sandbox
            CordisRecipe._recipe_kwargs({"evolution": section}, {})
        asked |= section.keys_asked
    ours = fields(*(keys for keys, _ in config._POLICIES.values()))
    assert asked == (ours - {"method", "evaluation", "work_dir", "keep_steps"}) | set(config._ELSEWHERE)


def test_the_keys_of_a_model_are_those_that_reef_reads() -> None:
    """Each of them."""
    section = Asked({"url": "http://127.0.0.1:9", "model": "m"})
    ModelBinding.from_config(section, {})
    assert section.keys_asked == fields(config._Model)


def test_the_keys_of_a_sandbox_are_those_that_reef_reads() -> None:
    """By its two kinds of sandbox, and of the limits."""
    limits = Asked({"processes": 1})
    local, remote = Asked({"limits": limits}), Asked()
    with suppress(ReefError):  # a machine without a sandbox: that is found after the keys were read
        build_executor({"executor": "sandbox", "sandbox": local}, environ={})
    E2BExecutor.from_config(remote, {"E2B_API_KEY": "k"})
    assert local.keys_asked | remote.keys_asked == fields(config._Sandbox)
    assert limits.keys_asked == fields(config._Limits)


def test_the_keys_of_an_entry_are_those_that_reef_reads() -> None:
    """Its loader and its admission copy an entry before they read it, so their source is looked through."""
    source = "".join(map(getsource, (loader, mutations, nodes.flat_entry_refusal)))
    read = set(re.findall(r"\boptions(?:\.get\(|\[)\"(\w+)\"", source))
    assert read == set(config._ENTRY_KEYS)


ENTRIES: dict[str, dict[str, Any]] = {
    "rules": {"text": "a"},
    "agent_command": {"name": "a", "text": "a"},
    "skill": {"name": "a", "text": "a"},
    "code_extension": {"name": "a", "code": "export default () => {}"},
    "config": {"data": {}},
    "native_tool": {"name": "a", "code": "def run(args, workdir): pass", "description": "a"},
    "native_hook": {"name": "a", "event": "pre_step", "code": "def listen(payload, next): pass"},
    "native_graph": {"name": "a"},
    "native_agent": {"name": "a", "prompt": "a"},
    "native_loop": {"name": "a", "code": "def run_turn(ctx): pass"},
}
"""A config of each kind, as far as Reef has to like it."""


@pytest.mark.parametrize("kind", NODE_KINDS)
def test_the_keys_of_an_entrys_config_are_those_that_reef_reads(kind: str) -> None:
    """Of the kinds for which Reef takes any key. The others refuse a key that they do not know."""
    if kind not in config._CONFIG_KEYS:
        with pytest.raises(ValueError, match="txet"):
            NODE_KINDS[kind](None, {**ENTRIES[kind], "txet": "a"})
        return
    NODE_KINDS[kind](None, {**ENTRIES[kind], "txet": "a"})
    section = Asked(ENTRIES[kind])
    NODE_KINDS[kind](None, section)
    if kind.startswith("native_"):
        render_native_module(kind, section)
    else:
        render_composition(((kind, section),), get_adapter("pi"))
    assert section.keys_asked == set(config._CONFIG_KEYS[kind])


def work_arounds() -> Iterable[tuple[Path, str]]:
    """Every place that names a version of Reef, with that version."""
    for path in sorted(PACKAGE.glob("*.py")):
        for named in re.findall(r"\bReef (\d+\.\d+\.\d+)", path.read_text()):
            yield path, named


def test_what_works_around_a_fault_of_reef_is_of_the_reef_that_is_installed() -> None:
    """With another Reef, look at each of these places: the fault may be gone, and what works around it with it."""
    found = list(work_arounds())
    assert {path.stem for path, _ in found} >= {"config", "stages", "samples", "releases", "retries"}
    assert [(path.name, named) for path, named in found if named != version("reef-infra")] == []
