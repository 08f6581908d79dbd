"""The settings: their defaults, what is made of what is given, and what is not a setting."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import json_values

from ace.domain.errors import AceError, SettingsError
from ace.domain.settings import DEFAULT_SECTIONS, ACESettings, parse_settings, section_key

KEYS = (
    "model",
    "sections",
    "max_bullets",
    "prune_margin",
    "max_traces_per_step",
    "max_trace_characters",
    "reflections_at_once",
)


def test_the_defaults() -> None:
    """Given nothing, then the settings are those of the table."""
    assert parse_settings({}) == ACESettings()
    assert msgspec.structs.asdict(ACESettings()) == {
        "model": "served",
        "sections": ("Strategies and insights", "Code and commands", "Common mistakes to avoid", "Others"),
        "max_bullets": 100,
        "prune_margin": 2,
        "max_traces_per_step": 0,
        "max_trace_characters": 30_000,
        "reflections_at_once": 1,
        "book": "",
        "drop_after_rejections": 0,
        "acting_lessons": "refuse",
    }


def test_every_setting_can_be_given() -> None:
    """Given each key, then its value is taken, and a list of sections becomes a tuple of trimmed titles."""
    values = {
        "model": "large",
        "sections": [" Tips ", "Do\tnot"],
        "max_bullets": 1,
        "prune_margin": 1,
        "max_traces_per_step": 3,
        "max_trace_characters": 1_000,
        "reflections_at_once": 8,
    }
    assert parse_settings(values) == ACESettings(
        model="large",
        sections=("Tips", "Do not"),
        max_bullets=1,
        prune_margin=1,
        max_traces_per_step=3,
        max_trace_characters=1_000,
        reflections_at_once=8,
    )


def test_settings_are_checked_whoever_makes_them() -> None:
    """Given settings made in Python, then a wrong value is the same error, an `AceError` and a `ValueError`."""
    with pytest.raises(
        SettingsError, match="max_bullets must be a whole number of at least 1, not 0"
    ) as raised:
        ACESettings(max_bullets=0)
    assert isinstance(raised.value, AceError)
    assert isinstance(raised.value, ValueError)
    with pytest.raises(SettingsError, match="prune_margin"):
        msgspec.structs.replace(ACESettings(), prune_margin=0)


@pytest.mark.parametrize("twice", [["A", "A"], ["A b", "a_B"], ["A b", " A  b"], ["Straße", "STRASSE"]])
def test_titles_must_differ_for_the_curator(twice: list[str]) -> None:
    """Given two titles that a Curator could not tell apart, then that is an error."""
    with pytest.raises(SettingsError, match="sections must differ"):
        ACESettings(sections=tuple(twice))


@given(
    st.sampled_from(KEYS) | st.text(max_size=12),
    json_values | st.integers(-3, 10) | st.lists(st.text(), max_size=3),
)
def test_any_value_is_a_setting_or_a_settings_error(key: str, value: Any) -> None:
    """Given any JSON value for any key, then there are valid settings that hold it, or a `SettingsError` that names the key."""
    try:
        settings = parse_settings({key: value})
    except SettingsError as error:
        told = str(error)
    else:
        assert key in KEYS
        assert settings.max_bullets >= 1 <= settings.prune_margin
        assert settings.max_traces_per_step >= 0
        assert settings.reflections_at_once >= 1
        assert len({section_key(title) for title in settings.sections}) == len(settings.sections) >= 1
        assert all(len(title.splitlines()) == 1 for title in settings.sections)
        told = key
    assert key in told or "[redacted credential]" in told
    assert told.encode(errors="surrogatepass")


@pytest.mark.parametrize("deep", [30, 900, 100_000])
@pytest.mark.parametrize("key", ACESettings.__struct_fields__)
def test_a_value_nested_deeply(key: str, deep: int) -> None:
    """Given lists in lists, as a configuration can hold them, then the error names the key, and is short."""
    value: Any = 1
    for _ in range(deep):
        value = [value]
    with pytest.raises(SettingsError, match=key) as raised:
        parse_settings({key: value})
    assert len(str(raised.value)) < 300


def test_the_sections_that_are_there_anyway_pass_the_screens() -> None:
    """Given the default titles, which are taken as they are, then no screen has anything against them."""
    assert ACESettings().sections == ACESettings(sections=list(DEFAULT_SECTIONS)).sections == DEFAULT_SECTIONS  # type: ignore[arg-type]


def test_an_import_screens_nothing() -> None:
    """Given a program that imports what makes steps, then no screen gets ready for it: that takes longer than all the imports."""
    code = "import ace.domain.step; from ace.domain.screens.english import _grammar; print(_grammar.cache_info().misses)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "0\n"
