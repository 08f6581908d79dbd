"""Reef's tree of entries, as far as the method is concerned: the entry `rules`, which holds the block.

An entry is `{id, name, config}`; `name` is its kind. The entries of kind `rules` are joined into the file that the agent
reads, and the one with the id `rules` is the method's `rules.md`. It is created with the first block if a seed had none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec
from reef.harness.adapters.descriptor import AdapterDescriptor
from reef.harness.tree.mutations import Mutation, admit_mutations

from ace.domain.errors import MarkerError
from ace.domain.rules_block import block_in, bullets_in, digest_in, find_block

__all__ = [
    "ENTRY",
    "FILE",
    "Admission",
    "Entry",
    "block_of",
    "check_markers",
    "lessons_in",
    "mutation",
    "rules_text",
]

type Entry = Mapping[str, Any]

ENTRY: Final = "rules"
FILE: Final = "rules.md"


def rules_text(entries: Sequence[Entry]) -> str | None:
    """The text of the entry `rules`; None if there is no such entry. Raises `MarkerError` if it is of another kind, or the
    agent never gets it.
    """
    entry = _entry(entries)
    if entry is None:
        return None
    if entry.get("name") != "rules":
        raise MarkerError(f"the entry `{ENTRY}` is a {entry.get('name')}, and has to be of the kind rules")
    if entry.get("disabled"):
        raise MarkerError(
            f"the entry `{ENTRY}` is disabled, and the agent would never read the playbook: enable it"
        )
    text = _config(entry).get("text")
    return text if isinstance(text, str) else ""


def block_of(entries: Sequence[Entry]) -> str | None:
    """The digest of the block in the entry `rules`; None if there is no telling, since its markers are malformed."""
    try:
        return digest_in((rules_text(entries) or "").encode(errors="replace"))
    except MarkerError:
        return None


def lessons_in(entries: Sequence[Entry]) -> list[str]:
    """The ids of the lessons in the block of the entry `rules`; none if there is no telling."""
    try:
        return bullets_in(block_in((rules_text(entries) or "").encode(errors="replace")).decode())
    except MarkerError:
        return []


def mutation(entries: Sequence[Entry], text: str) -> Mutation:
    """The change that makes `text` the text of the entry `rules`. An update replaces the config whole, so that everything
    else in it is carried over.
    """
    entry = _entry(entries)
    if entry is None:
        return Mutation("create", ENTRY, {"name": "rules", "config": {"text": text}})
    return Mutation("update", ENTRY, {"config": {**_config(entry), "text": text}})


class Admission:
    """Reef's admission of one scenario's trees. Most steps begin with the tree with which the one before them ended: what Reef has admitted
    as a candidate is not rendered once more as the tree that is there.
    """

    def __init__(self, descriptor: AdapterDescriptor) -> None:
        self._descriptor = descriptor
        self._admitted = b""

    def refusal(self, entries: Sequence[Entry], text: str | None) -> str | None:
        """Why Reef does not admit the tree with `text` as its rules (None: as it is), or None if it does."""
        rules = _entry(entries)
        is_as_it_is = text is None or (rules is not None and _config(rules).get("text") == text)
        if is_as_it_is and msgspec.json.encode(entries) == self._admitted:
            return None
        changes = () if text is None else (mutation(entries, text),)
        admitted, reason = admit_mutations(entries, changes, self._descriptor)
        self._admitted = msgspec.json.encode(admitted) if reason is None else b""
        return reason


def check_markers(entries: Sequence[Entry]) -> None:
    """See that the entry `rules` holds sound markers and no other entry any. Raises `MarkerError` naming the entry."""
    for entry in entries:
        for text in _texts(entry.get("config")):
            _check_text(entry.get("id"), text)


def _check_text(identity: object, text: str) -> None:
    try:
        found = find_block(text.encode(errors="replace"))
    except MarkerError as error:
        raise MarkerError(f"entry `{identity}`: {error}") from None
    if found is not None and identity != ENTRY:
        raise MarkerError(
            f"entry `{identity}` holds the marker lines of the playbook's block, and only the entry `{ENTRY}` may: "
            "remove them"
        )


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        for item in value:
            yield from _texts(item)


def _entry(entries: Sequence[Entry]) -> Entry | None:
    return next((entry for entry in entries if entry.get("id") == ENTRY), None)


def _config(entry: Entry) -> Mapping[str, Any]:
    config = entry.get("config")
    return config if isinstance(config, Mapping) else {}
