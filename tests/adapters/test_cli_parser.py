"""The grammar of the command line: an option that cannot be repeated is given once."""

from __future__ import annotations

import argparse

import pytest

from ace.adapters.cli.parser import grammar, parse
from ace.adapters.traces import FORMATS

REPEATABLE = {"--from", "--rules", "--set", "--body", "--header"}
NEEDED = {
    "book": ["show"],
    "diff": ["1"],
    "learn": ["runs.jsonl"],
    "relearn": ["r1"],
    "remove": ["ace-00001"],
    "reword": ["ace-00001"],
    "revert": ["1"],
    "rewind": ["1"],
}


def options() -> list[tuple[str, str, argparse.Action]]:
    """Each option of each command, with what comes before it."""
    commands = next(
        action.choices for action in grammar()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return [
        (name, action.option_strings[0], action)
        for name, parser in commands.items()
        for action in parser._actions
        if action.option_strings and action.dest != "help"
    ]


def value_of(action: argparse.Action) -> list[str]:
    """A value that the option takes; none for a flag."""
    if action.nargs == 0:
        return []
    return [next(iter(action.choices))] if action.choices else ["1"]


@pytest.mark.parametrize(("command", "option", "action"), options())
def test_an_option_that_is_given_twice(
    command: str, option: str, action: argparse.Action, capsys: pytest.CaptureFixture[str]
) -> None:
    """Given any option of any command twice, then that is an error that names it, unless it can be repeated."""
    needed = NEEDED.get(command, [])
    needed = [*needed, "--work", "w"] if command != "demo" and option != "--work" else needed
    twice = [command, *needed, *[option, *value_of(action)] * 2]
    if option in REPEATABLE:
        assert len(getattr(parse(twice), action.dest)) == 2
        return
    with pytest.raises(SystemExit) as ended:
        parse(twice)
    assert ended.value.code == 2
    assert f"{option} is given twice" in capsys.readouterr().err


def test_an_option_that_is_given_once() -> None:
    """Given any option of any command once, then it is taken, also by two command lines of one process."""
    for command, option, action in options():
        needed = NEEDED.get(command, [])
        needed = [*needed, "--work", "w"] if command != "demo" and option != "--work" else needed
        for _ in range(2):
            taken = getattr(parse([command, *needed, option, *value_of(action)]), action.dest)
            assert taken not in (None, False, [])


def test_both_spellings_of_an_option_are_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Given an option in full and shortened, with a blank and with an equals sign, then it is given twice."""
    with pytest.raises(SystemExit):
        parse(["learn", "runs.jsonl", "--work", "w", "--api-key=A", "--api-key-env", "B"])
    assert "--api-key-env is given twice" in capsys.readouterr().err


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "", "9" * 5_000])
def test_a_number_that_is_none(number: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Given no whole number, or one without end, then one short sentence names the option."""
    with pytest.raises(SystemExit):
        parse(["learn", "runs.jsonl", "--work", "w", f"--max-tokens={number}"])
    told = capsys.readouterr().err
    assert "--max-tokens" in told
    assert "is not a whole number of at least 1" in told
    assert len(told) < 200


def test_every_format_can_be_named() -> None:
    """Given the formats that are read, then `--format` takes each of them: the parser lists them itself, since a command that reads nothing
    need not load the readers.
    """
    found = {
        (action.choices and tuple(action.choices)) for _, name, action in options() if name == "--format"
    }
    assert {frozenset(choices) for choices in found if choices} == {frozenset(FORMATS)}
