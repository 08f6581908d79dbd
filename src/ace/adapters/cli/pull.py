"""`ace pull`: the block of a shared book, or of a log at an address, into this machine's rules files."""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path

from ace.adapters.cli.folder import new_folder, remember, tell_replaced
from ace.adapters.cli.output import say, tell, told_edits
from ace.adapters.store.download import downloaded
from ace.adapters.store.folder_book import FolderBook
from ace.adapters.store.log import NAME, Log
from ace.domain.errors import AceError
from ace.domain.summary import plural
from ace.domain.summary import tell as sentence_of
from ace.pulling import Pulled, pull, pull_log

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Render the block, and tell what changed; nothing is told if nothing did, and --quiet was given."""
    if options.log is not None:
        return _told(options, *_of_log(options))
    if options.sha256 is not None:
        raise AceError("--sha256 goes with the https address of a log: name one")
    folder, _ = new_folder(options)
    if not folder.is_shared:
        raise AceError(
            "name the shared book with --book, in ACE_BOOK, or as `book` in config.toml; or the https address of a log"
        )
    from ace.adapters.store.postgres.book import PostgresBook  # noqa: PLC0415 - psycopg is an extra

    assert isinstance(folder, PostgresBook)  # noqa: S101 - the only kind that is shared
    pulled = pull(folder, take_block=options.take_block)
    folder.close()
    return _told(options, folder, pulled)


def _of_log(options: Namespace) -> tuple[FolderBook, Pulled]:
    if options.sha256 is None:
        raise AceError(
            "a log from an address is taken by its digest: give --sha256 (`sha256sum events.jsonl` prints it)"
        )
    options.book = ""
    folder, _ = new_folder(options)
    data = downloaded(options.log, options.sha256)
    with tempfile.TemporaryDirectory() as temporary:
        (Path(temporary) / NAME).write_bytes(data)
        log = Log(temporary)
        log.name = options.log
        return folder, pull_log(folder, log, take_block=options.take_block)


def _told(options: Namespace, folder: FolderBook, pulled: Pulled) -> int:
    remember(folder, options.rules)
    tell_replaced(pulled.replaced)
    for line in told_edits(pulled.edited):
        say(line)
    for event in pulled.screened:
        tell(f"Not taken: {sentence_of(event)}.")
    if pulled.is_new:
        tell(f"{folder.told_rules()}: {plural(pulled.bullets, 'bullet')}, as after line {pulled.seq}.")
    elif not options.quiet:
        told = (
            f"shows what line {pulled.seq} says already"
            if pulled.seq
            else "was left alone: the book has no line yet"
        )
        tell(f"{folder.told_rules()} {told}.")
    return 0
