"""What a scenario begins with: `evolution.seed`, a folder with a `rules.md`, or entries as Reef writes them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from reef.harness.adapters.descriptor import AdapterDescriptor
from reef.harness.tree.mutations import Mutation, MutationError, admit_mutations

from ace.adapters.reef.entries import ENTRY, FILE, Entry, check_markers, rules_text
from ace.domain.errors import MarkerError
from ace.domain.rules import find_block

__all__ = ["SeedError", "check_seed", "read_seed"]

_KEYS: Final = ("id", "name", "config", "group", "disabled", "inject", "intercept", "isolate")
"""What Reef's loader reads of an entry."""

_CONFIGS: Final[Mapping[str, tuple[str, ...]]] = {
    "rules": ("text",),
    "agent_command": ("name", "text"),
    "skill": ("name", "text"),
    "code_extension": ("name", "code"),
    "config": ("target", "data"),
}
"""What Reef reads of an entry's config, where it does not say so itself."""


class SeedError(ValueError):
    """The seed cannot be what a scenario begins with; the sentence names what is wrong."""


def read_seed(value: object) -> list[Any]:
    """The seed as the list that Reef takes: its entries, and references to sequences of entries (`module:name`).

    A text names a folder, relative to where `reef serve` is started. Raises `SeedError`.
    """
    if value is None:
        return []
    if isinstance(value, str):
        if not value.strip():
            raise SeedError("evolution.seed is empty: name a folder, or leave it out")
        return [_folder(Path(value).expanduser())]
    if not isinstance(value, Sequence):
        raise SeedError("evolution.seed must be a folder, or a list of entries {id, name, config}")
    return list(value)


def _folder(folder: Path) -> Entry:
    if not folder.is_dir():
        raise SeedError(f"evolution.seed: there is no folder {folder}")
    others = sorted(
        path.name for path in folder.iterdir() if path.name != FILE and not path.name.startswith(".")
    )
    if others:
        raise SeedError(
            f"evolution.seed: of {folder} only {FILE} is read, and there is also {', '.join(others)}"
        )
    try:
        text = (folder / FILE).read_bytes().decode()
    except FileNotFoundError:
        raise SeedError(f"evolution.seed: there is no {FILE} in {folder}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise SeedError(f"evolution.seed: {folder / FILE} cannot be read: {error}") from None
    return {"id": ENTRY, "name": "rules", "config": {"text": text}}


def check_seed(entries: Sequence[Entry], descriptor: AdapterDescriptor) -> None:
    """See that Reef admits the entries, and that markers stand only where the method's block is, which is empty.
    Raises `SeedError`.
    """
    for entry in entries:
        _check_shape(entry)
    try:
        refused = admit_mutations((), [_creation(entry) for entry in entries], descriptor)[1]
        check_markers(entries)
        text = rules_text(entries)
    except (MutationError, MarkerError) as error:
        raise SeedError(f"evolution.seed: {error}") from None
    except Exception as error:  # noqa: BLE001 - whatever Reef's loader makes of it
        # What an option of Reef's loader says that is none, it does not check.
        raise SeedError(f"evolution.seed: Reef cannot load it: {type(error).__name__}: {error}") from None
    if refused:
        raise SeedError(f"evolution.seed: Reef refuses it: {refused}")
    _check_block((text or "").encode(errors="replace"))


def _check_block(rules: bytes) -> None:
    """See that nothing stands in the block: a scenario begins with an empty playbook, and its first step would put that
    playbook's block in its place.
    """
    span = find_block(rules)
    inside = rules[span.start : span.end].splitlines()[1:-1] if span is not None else ()
    if any(line.strip() for line in inside):
        raise SeedError(
            f"evolution.seed: something stands in the playbook's block of the entry `{ENTRY}`, which the first step would "
            "remove: take it out of the block. To begin with what a scenario has learned, name its release when you "
            "make the new one (release_id)"
        )


def _check_shape(entry: Entry) -> None:
    for key in entry:
        if key not in _KEYS:
            raise SeedError(
                f"evolution.seed: the entry {entry.get('id')!r} has a key {key}, and there are {', '.join(_KEYS)}"
            )
    config = entry.get("config")
    keys = tuple(config) if isinstance(config, Mapping) else ()
    known = _CONFIGS.get(str(entry.get("name")), keys)
    for key in keys:
        if key not in known:
            raise SeedError(
                f"evolution.seed: the config of the entry {entry.get('id')!r} has a key {key}, and there is "
                f"{' and '.join(known)} alone"
            )
    for key in ("id", "name"):
        if not isinstance(entry.get(key), str) or not entry[key]:
            raise SeedError(f"evolution.seed: the entry {dict(entry)!r} needs a text as {key}")


def _creation(entry: Mapping[str, Any]) -> Mutation:
    return Mutation("create", str(entry["id"]), {key: value for key, value in entry.items() if key != "id"})
