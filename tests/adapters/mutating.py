"""Recordings in which one thing is otherwise than a reader expects: a key renamed, a value of another type, a record gone, there twice,
or in the wrong place. Each text of them has a mark, so that it can be found again, wherever it ends up.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import count
from typing import Any, NamedTuple

from tests.adapters.recordings import Asked, Format, Odd, Work

__all__ = ["Mutant", "marked", "marks_in", "mutants", "written"]

_MARK = re.compile(r"mark[a-z]+\d+q")


class Mutant(NamedTuple):
    """What was done to the objects of a file, the file, and the marks that this took away."""

    done: str
    data: bytes
    taken: frozenset[str]


def marked(form: Format) -> list[Any]:
    """The objects of a recording of two turns (one, where all that follows the task is an observation) with a mark in each text."""
    numbers = count()

    def text(what: str) -> str:
        return f"the {what} is mark{what}{next(numbers)}q here"

    def asked() -> Asked:
        works = (
            Work(text("says"), "bash", {"command": text("arg")}, text("result")),
            Work("", "read", {"path": text("arg")}, text("result"), failed=True),
            Work(text("says"), "edit", {"path": text("arg"), "to": text("arg")}, text("result")),
        )
        odd = (Odd("verdict", text("odd")),) if form.odd else ()
        return Asked((text("task"), *odd), works, text("reply"))

    data = form.render([asked()] if "swe-agent" in form.name else [asked(), asked()])
    return [json.loads(line) for line in data.splitlines()] if data.endswith(b"}\n") else [json.loads(data)]


def written(rows: list[Any]) -> bytes:
    """The file of these objects: a line each."""
    return b"\n".join(json.dumps(row).encode() for row in rows)


def marks_in(value: Any) -> frozenset[str]:
    """The marks in a value of JSON, or in a text."""
    return frozenset(_MARK.findall(value if isinstance(value, str) else json.dumps(value)))


_KINDS = frozenset({"type", "kind", "role", "action", "observation", "source", "message_type"})

_OF_KEYS: dict[str, Callable[[str], str]] = {
    "renamed": lambda key: f"{key}_x",
    "called otherwise": lambda _: "body",
}
_OF_VALUES: dict[str, Callable[[Any], Any]] = {
    "in a list": lambda value: [value],
    "in an object": lambda value: {"value": value},
    "in a text block": lambda value: {"type": "text", "text": value},
    "as JSON in a text": json.dumps,
    "null": lambda _: None,
    "a number": lambda _: 7,
}


def mutants(rows: list[Any]) -> Iterator[tuple[str, Callable[[], Mutant]]]:
    """Every mutant of these objects: its name, and how it is made. A mutant shares all but the changed place with them."""
    lines = {id(row): json.dumps(row).encode() for row in rows}

    def made(place: tuple[Any, ...], done: str, change: Callable[[Any, Any], None]) -> Callable[[], Mutant]:
        def make() -> Mutant:
            found, holder = _copied_to(rows, place[:-1])
            change(holder, place[-1])
            data = b"\n".join(lines.get(id(row)) or json.dumps(row).encode() for row in found)
            takes = done.endswith((" gone", " null", " a number"))
            # What was taken out is gone, though the format may have a copy of it elsewhere.
            return Mutant(done, data, marks_in(_at(rows, place)) if takes else frozenset())

        return make

    for place in _places(rows):
        key = place[-1]
        value = _at(rows, place)
        name = ".".join(map(str, place))
        if isinstance(key, str):
            for done, new in _OF_KEYS.items():
                yield f"{name} {done}", made(place, f"{name} {done}", _renaming(new(key)))
            if key in _KINDS and isinstance(value, str):
                yield f"{name} unknown", made(place, f"{name} unknown", _setting(lambda _: "verdict"))
        else:
            for done, change in (("gone", _remove), ("there twice", _repeat), ("one later", _swap)):
                if len(place) > 1 or len(rows) > 1:
                    yield f"{name} {done}", made(place, f"{name} {done}", change)
        for done, of_value in _OF_VALUES.items():
            yield f"{name} {done}", made(place, f"{name} {done}", _setting(of_value))


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if path:
        yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        yield from _places(item, (*path, key))


def _at(rows: Any, place: tuple[Any, ...]) -> Any:
    for key in place:
        rows = rows[key]
    return rows


def _copied_to(rows: list[Any], path: tuple[Any, ...]) -> tuple[list[Any], Any]:
    """The objects, and what is at the path in them: that, and what holds it, is copied; the rest is shared."""
    found = holder = rows[:]
    for key in path:
        inner = holder[key]
        holder[key] = inner.copy()
        holder = holder[key]
    return found, holder


def _renaming(new: str) -> Callable[[Any, Any], None]:
    def rename(holder: dict[str, Any], key: str) -> None:
        items = list(holder.items())
        holder.clear()
        holder.update({new if name == key else name: value for name, value in items})

    return rename


def _setting(made: Callable[[Any], Any]) -> Callable[[Any, Any], None]:
    def put(holder: Any, key: Any) -> None:
        holder[key] = made(holder[key])

    return put


def _remove(holder: list[Any], place: int) -> None:
    del holder[place]


def _repeat(holder: list[Any], place: int) -> None:
    holder.insert(place, holder[place])


def _swap(holder: list[Any], place: int) -> None:
    holder[place : place + 2] = holder[place : place + 2][::-1]
