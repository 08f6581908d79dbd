"""The settings of the method, checked where they are made: a wrong one is an error that names key and value."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import Any

import msgspec

from ace.domain.errors import SettingsError
from ace.domain.screens import MARKING_SCREENS, SCREENS, Screen, redact, refusal

__all__ = ["DEFAULT_SECTIONS", "ACESettings", "parse_settings", "shown"]

DEFAULT_SECTIONS = ("Strategies and insights", "Code and commands", "Common mistakes to avoid", "Others")


class ACESettings(msgspec.Struct, frozen=True, kw_only=True):
    """What a deployment can set under `evolution.method.config`, or with `ace learn --set key=value`.

    `model` names the model of Reflector and Curator. `sections` are where a bullet can go, in the order in which they
    are shown. `max_bullets` is the most bullets kept (1 or more). A bullet is removed when its harmful count exceeds
    its helpful count by `prune_margin` (1 or more). `max_traces_per_step` is the most runs one step reads; 0 reads
    every run. Each run costs two model calls. `max_trace_characters` (1,000 or more) is the most characters of a
    trajectory that a prompt shows. `reflections_at_once` (1 or more) is how many runs are asked about at the same time; none of
    them sees the bullets of the others. `book` is the address of a shared book (`postgresql://…`, without a password); empty: the
    playbook is the host's own. `drop_after_rejections` is for hosts that evaluate: after so many rejections in a row the
    lessons that are not served are tried step by step, and those of a rejected step removed; 0: never. `acting_lessons` says what
    becomes of a lesson that acts: `refuse`, or `mark`. Raises `SettingsError`.
    """

    model: str = "served"
    sections: tuple[str, ...] = DEFAULT_SECTIONS
    max_bullets: int = 100
    prune_margin: int = 2
    max_traces_per_step: int = 0
    max_trace_characters: int = 30_000
    reflections_at_once: int = 1
    book: str = ""
    drop_after_rejections: int = 0
    acting_lessons: str = "refuse"

    def changed(self) -> dict[str, Any]:
        """The settings that are not the defaults."""
        default = ACESettings()
        values = ((key, getattr(self, key)) for key in self.__struct_fields__)
        return {key: value for key, value in values if value != getattr(default, key)}

    def __post_init__(self) -> None:
        """Check every value, whoever made the settings."""
        _text("model", self.model)
        _whole("max_bullets", self.max_bullets, 1)
        _whole("prune_margin", self.prune_margin, 1)
        _whole("max_traces_per_step", self.max_traces_per_step, 0)
        _whole("max_trace_characters", self.max_trace_characters, 1_000)
        _whole("reflections_at_once", self.reflections_at_once, 1)
        _whole("drop_after_rejections", self.drop_after_rejections, 0)
        if not isinstance(self.book, str):
            raise SettingsError(f"book must be the address of a shared book, not {shown(self.book)}")
        if self.acting_lessons not in ("refuse", "mark"):
            raise SettingsError(f"acting_lessons must be refuse or mark, not {shown(self.acting_lessons)}")
        msgspec.structs.force_setattr(self, "sections", _sections(self.sections))

    @property
    def screens(self) -> tuple[Screen, ...]:
        """The screens that a lesson has to pass."""
        return MARKING_SCREENS if self.acting_lessons == "mark" else SCREENS


def parse_settings(values: Mapping[str, Any]) -> ACESettings:
    """Settings from a mapping of plain values. Raises `SettingsError`, also for an unknown key."""
    known = ACESettings.__struct_fields__
    for key in values:
        if key not in known:
            close = difflib.get_close_matches(str(key), known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
            given = shown(values[key], f"{key}=")
            raise SettingsError(f"there is no setting {redact(str(key))} (given as {given}): {hint}")
    return ACESettings(**values)


def _whole(key: str, value: object, least: int) -> None:
    # A bool is an int to Python, and no number to a person.
    if type(value) is not int or value < least:
        raise SettingsError(f"{key} must be a whole number of at least {least}, not {shown(value)}")


def _text(key: str, value: object) -> None:
    if not isinstance(value, str) or not value.strip():
        raise SettingsError(f"{key} must be a name, not {shown(value)}")


def _sections(value: object) -> tuple[str, ...]:
    if value is DEFAULT_SECTIONS:  # they pass the screens, which an import would have to get ready for them
        return DEFAULT_SECTIONS
    if not isinstance(value, list | tuple) or not value:
        raise SettingsError(f"sections must be a list of at least one title, not {shown(value)}")
    for title in value:
        if not isinstance(title, str) or not title.strip() or len(title.splitlines()) != 1 or refusal(title):
            raise SettingsError(f"sections must hold titles of one line of plain text, not {shown(title)}")
    titles = tuple(" ".join(title.split()) for title in value)
    if len({section_key(title) for title in titles}) < len(titles):
        raise SettingsError(
            f"sections must differ by more than case, blanks and `_`, and two of {shown(value)} do not"
        )
    return titles


def shown(value: object, before: str = "") -> str:
    """The value as an error names it, in at most 200 characters: redacted as what follows `before`, since errors end up in logs."""
    try:
        text = repr(value)[:10_000]
    except RecursionError:
        return "a value nested too deeply"
    told = redact(f"{before}{text}").removeprefix(before)
    return told if len(told) <= 200 else told[:199] + "…"


def section_key(title: str) -> str:
    """What two spellings of a section's title have in common: case, outer blanks and `_` for a space do not matter."""
    return " ".join(title.replace("_", " ").casefold().split())
