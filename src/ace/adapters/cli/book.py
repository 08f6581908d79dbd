"""`ace book`: a shared book made, set, looked at, brought up to date, and a whole log put into one or taken out of it."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ace.adapters.cli.folder import address_of, find_work
from ace.adapters.cli.options import assignment
from ace.adapters.cli.output import tell
from ace.adapters.store.config import read_config
from ace.adapters.store.files import read_bytes
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.postgres.address import Address, parse_address
from ace.adapters.store.postgres.book import PostgresBook
from ace.adapters.store.postgres.schema import SHARED, BookSettings, make_book, set_book, shared_of, upgrade
from ace.adapters.store.postgres.transfer import export_book, import_book, rebuild_book
from ace.domain.errors import AceError, SettingsError
from ace.domain.rules_block import find_block
from ace.domain.settings import parse_settings
from ace.domain.summary import plural

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Run the action of that name."""
    address = _address(options)
    _see_options(options)
    match options.action:
        case "init":
            _init(address, options)
        case "set":
            _set(address, options)
        case "show":
            _show(address)
        case "upgrade":
            done = upgrade(address)
            tell(f"The tables of {address.told} are up to date ({plural(done, 'migration')} done now).")
        case "rebuild":
            book = PostgresBook(Path(), address)
            made = rebuild_book(book)
            book.close()
            tell(
                f"Made again from {plural(made.lines, 'line')} of the log: {plural(made.bullets, 'bullet')}."
            )
        case "export":
            _export(address, options.folder)
        case _:
            _import(address, options.folder)
    return 0


def _address(options: Namespace) -> Address:
    root = options.work or find_work(Path.cwd())
    config = None if root is None or not Path(root).is_dir() else read_config(Path(root))
    given = address_of(options, config)
    if not given:
        raise AceError(
            "name the book with --book postgresql://HOST/DATABASE?scenario=NAME, or in ACE_BOOK, or as `book` in config.toml"
        )
    return parse_address(given, options.scenario)


def _see_options(options: Namespace) -> None:
    """Raises `AceError` for options that say nothing to this action."""
    takes_folder = options.action in ("export", "import")
    if takes_folder != (options.folder is not None):
        raise AceError(
            f"`ace book {options.action}` "
            + ("needs a folder: name one" if takes_folder else "takes no folder: leave it out")
        )
    if options.action not in ("init", "set") and (options.set or options.rules or options.no_rules):
        raise AceError("--set, --rules and --no-rules go with `ace book init` and `ace book set`")
    if options.rules and options.no_rules:
        raise AceError("--rules and --no-rules are two answers to one question: leave one out")


def _values(options: Namespace) -> Mapping[str, Any]:
    values = dict(map(assignment, options.set))
    parse_settings(values)
    if odd := [key for key in values if key not in SHARED]:
        raise SettingsError(f"{odd[0]} is each worker's own setting: a book has {', '.join(SHARED)}")
    return values


def _base_rules(paths: Sequence[Path]) -> bytes:
    """The text of these files without their blocks."""
    texts: list[bytes] = []
    for path in paths:
        data = read_bytes(path)
        if data is None:
            raise AceError(
                f"{path} does not exist: name the rules whose lines are not to become lessons, or leave --rules out"
            )
        span = find_block(data)
        text = data if span is None else data[: span.start] + data[span.end :]
        texts.append(text.rstrip(b"\r\n") + b"\n" if text.strip() else b"")
    return b"".join(texts)


def _init(address: Address, options: Namespace) -> None:
    values, rules = shared_of(parse_settings(_values(options))), _base_rules(options.rules)
    if not make_book(address, BookSettings(values, rules)):
        tell(f"{address.told} is there already, and stays as it is: `ace book set` changes it.")
        return
    tell(f"Made {address.told}.")
    _tell_settings(BookSettings(values, rules))
    tell(
        "Whoever learns or decides needs the role ace_writer (GRANT ace_writer TO …), whoever looks or pulls ace_reader. "
        "`ace learn --book …` is next, or `ace book import FOLDER` for a log that you have."
    )


def _set(address: Address, options: Namespace) -> None:
    rules = b"" if options.no_rules else _base_rules(options.rules) if options.rules else None
    values = _values(options)
    if not values and rules is None:
        raise AceError("say what is to be set, with --set KEY=VALUE, --rules FILE or --no-rules")
    after = set_book(address, values, rules)
    tell(
        f"Set {address.told}. Workers that are under way stop at their next append, and start over with this:"
    )
    _tell_settings(after)


def _show(address: Address) -> None:
    book = PostgresBook(Path("."), address)
    settings, state = book.settings(), book.look()
    tell(address.told)
    _tell_settings(settings)
    seq = 0 if state.tail is None else state.tail.record.seq
    tell(f"log       {plural(seq, 'line')}, {plural(len(state.playbook.bullets), 'bullet')}")
    workers = book.shelf.workers()
    tell(f"workers   {plural(len(workers), 'worker')} reading {plural(sum(workers.values()), 'run')} now")
    book.close()


def _tell_settings(settings: BookSettings) -> None:
    for key, value in settings.shared.items():
        tell(f"{key:<18} {', '.join(value) if isinstance(value, list) else value}")
    lines = len([line for line in settings.base_rules.splitlines() if line.strip()])
    tell(f"{'base rules':<18} {plural(lines, 'line')} that make a duplicate")


def _export(address: Address, root: Path) -> None:
    book = PostgresBook(root, address)
    done = export_book(book, root)
    book.close()
    tell(f"Wrote {plural(done.lines, 'line')} and {plural(done.bullets, 'bullet')} into {root}.")
    tell(f"history/events.jsonl has the SHA-256 {done.sha256}")


def _import(address: Address, root: Path) -> None:
    folder = FolderBook(root)
    if not folder.is_there():
        raise AceError(f"there is no playbook in {root}: name the folder of one")
    done = import_book(address, folder)
    if not done.lines:
        tell(
            f"Put {plural(done.bullets, 'bullet')} into {address.told}: its first step logs them as imported."
        )
        return
    tell(
        f"Put {plural(done.lines, 'line')} of the log into {address.told}: {plural(done.bullets, 'bullet')}."
    )
