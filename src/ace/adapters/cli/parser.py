"""The command line's grammar and help texts. It imports nothing of the package, so that help comes at once."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

__all__ = ["grammar", "parse"]

_DESCRIPTION = """\
Turns an agent's recorded runs into a short playbook of lessons, kept as one
block of the rules.md that the agent reads. Every change is an event in a log:
where a lesson came from, what was refused, and why.
"""

_EPILOG = """\
start here:
  ace demo                see it work, without network or key
  ace init                make .ace in your project
  ace sessions --from claude-code
                          see which sessions of this project there are
  ace learn --from claude-code
                          learn from them, or from files: ace learn runs.jsonl
  ace show                read what was learned
  ace status              how far it is
  ace report              the whole history as a page for your browser
  ace remove 12 --reason "no longer true"
                          take a bad lesson out, for good
  ace learn --review      learn, and look at lessons before your agent does

The folder .ace holds config.toml, state/playbook.json, history/events.jsonl and
one record a step under steps/. Any other folder can be named with --work.
"""

_LEARN = """\
Reads recorded runs (sessions of coding agents, chat messages, or ace's own
schema), asks a model about each run, and adds what it teaches to the playbook.
Runs that the log has read already are passed over, and so is the last turn of a
session that may go on. Each run costs two model calls.
"""

_LEARN_EPILOG = """\
which model is asked:
  --base-url   or OPENAI_BASE_URL, or REEF_UPSTREAM_URL
               any OpenAI-compatible endpoint
  --model      or OPENAI_MODEL, or REEF_UPSTREAM_MODEL
  --api-key-env NAME
               the environment variable with the key (default OPENAI_API_KEY)

  --model-command 'llm -m my-model --no-log'   or ACE_MODEL_COMMAND
               a command in place of an endpoint: the prompt on its standard
               input, the reply on its output. Without the flags that take
               away its tools, an agent's command (claude -p, codex exec)
               hands what is in your runs to an agent with your rights: see
               docs/models.md

a model that reasons at length:
  --max-tokens 8000   or
  --body chat_template_kwargs='{"enable_thinking": false}'

Azure:
  --header api-key=AZURE_API_KEY --base-url 'https://...?api-version=...'

settings for --set:
  sections='["A","B"]', max_bullets=100, prune_margin=2,
  max_traces_per_step=0, max_trace_characters=30000,
  reflections_at_once=1

exit status:
  0    nothing is left to be read (but what --limit leaves for later)
  1    some runs failed, were not understood or were refused by the check; the
       same command tries them again
  2    an error
  130  stopped by Ctrl-C

A run whose reply was unusable three times is passed over: --again asks again.
"""


class _Once(argparse.Action):
    """Stores a value. An option that is given twice is an error: neither value can be known to be the one that is meant."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        given: set[str] = namespace.__dict__.setdefault("_given", set())
        if option_string is not None and self.dest in given:
            parser.error(f"{option_string} is given twice")
        given.add(self.dest)
        setattr(namespace, self.dest, values)


class _OnceFlag(_Once):
    """Stores True. A flag that is given twice is an error like another option: what is repeated was pasted together."""

    def __init__(self, option_strings: Sequence[str], dest: str, **named: Any) -> None:
        super().__init__(option_strings, dest, nargs=0, default=False, **named)

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,  # noqa: ARG002 - a flag has none
        option_string: str | None = None,
    ) -> None:
        super().__call__(parser, namespace, True, option_string)  # noqa: FBT003 - argparse's own signature


class _Parser(argparse.ArgumentParser):
    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.register("action", None, _Once)
        self.register("action", "store", _Once)
        self.register("action", "store_true", _OnceFlag)

    def error(self, message: str) -> NoReturn:
        """Say what is wrong in one sentence; argparse would print the whole usage before it."""
        self.exit(2, f"ace: {message}. See `{self.prog} --help`\n")


_TOOLS = ("claude-code", "codex", "gemini", "opencode", "pi")


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line; `module` names the module of `ace.adapters.cli` that runs it. Exits with status 0
    after help, 2 after an error.
    """
    return grammar().parse_args(arguments)


@functools.cache
def grammar() -> argparse.ArgumentParser:
    """The parser of the command line, with a parser of its own for each command. It is made once a process: what was
    given is kept in the namespace, never in the parser.
    """
    parser = _Parser(
        prog="ace",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    looking = (_status, _show, _log, _diff, _report)
    deciding = (_review, _accept, _relearn, _remove, _reword, _add, _revert, _rewind)
    sharing = (_book, _pull)
    repairing = (_verify, _replay, _rebuild, _adopt)
    for add in (_init, _sessions, _learn, *looking, *deciding, *repairing, *sharing, _screen, _trust, _demo):
        add(commands)
    return parser


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        from importlib.metadata import version  # noqa: PLC0415 - slow to import, and rarely asked for

        print(f"ace {version('ace-lessons')}")
        parser.exit()


type _Commands = argparse._SubParsersAction[_Parser]


def _command(
    commands: _Commands, name: str, module: str, text: str, description: str = "", epilog: str = ""
) -> _Parser:
    parser = commands.add_parser(
        name,
        help=text,
        description=description or text[0].upper() + text[1:] + ".",
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(module=module, command=name, scenario=None)
    return parser


def _add_folder(parser: _Parser, *, rules: bool = True, hosted: bool = True) -> None:
    _add_work(parser)
    _add_book(parser)
    parser.set_defaults(hosted=hosted)
    if hosted:
        parser.add_argument(
            "--scenario",
            metavar="NAME",
            help="DIR is the work folder of a Reef deployment; take this scenario's playbook",
        )
    if rules:
        _add_rules(parser)
    else:
        parser.set_defaults(rules=[])


def _add_work(parser: _Parser) -> None:
    parser.add_argument(
        "--work",
        type=Path,
        metavar="DIR",
        help="the folder of the playbook (default: the .ace here or in a folder above)",
    )


def _add_book(parser: _Parser) -> None:
    parser.add_argument(
        "--book",
        metavar="ADDRESS",
        help="a shared book in PostgreSQL, postgresql://HOST/DATABASE?scenario=NAME (or ACE_BOOK, or `book` in config.toml)",
    )


def _add_rules(
    parser: _Parser,
    text: str = "a file that carries the block (default: those in config.toml, else DIR/rules.md)",
) -> None:
    parser.add_argument(
        "--rules", type=Path, action="append", default=[], metavar="FILE", help=f"{text}; can be repeated"
    )


def _add_take_block(parser: _Parser) -> None:
    parser.add_argument(
        "--take-block",
        action="store_true",
        help="replace the block of another playbook that a rules file holds",
    )


def _init(commands: _Commands) -> None:
    parser = _command(
        commands,
        "init",
        "init",
        "make the folder .ace in this project",
        "Makes the folder .ace here, with a commented config.toml: which files get the\n"
        "block of lessons, which model is asked, where the runs are. Commands in this\n"
        "folder and those below it find it.",
    )
    parser.add_argument("--work", type=Path, metavar="DIR", help="the folder to make (default: .ace)")
    _add_rules(parser, "a file that your agent reads, which gets the block (default: those that are here)")
    parser.add_argument(
        "--from",
        dest="tools",
        action="append",
        default=[],
        choices=_TOOLS,
        metavar="TOOL",
        help="your agent: `ace learn` reads the sessions of this project that claude-code, codex, gemini, opencode or pi keeps "
        "itself; can be repeated",
    )


_FORMATS = (
    "claude-code",
    "codex",
    "gemini",
    "opencode",
    "droid",
    "pi",
    "cline",
    "copilot",
    "swe-agent",
    "mini-swe-agent",
    "openhands",
    "atif",
    "ace",
    "openai",
)


def _add_sessions(parser: _Parser) -> None:
    """Where the runs are, and which of them count."""
    which = parser.add_argument_group("which runs")
    which.add_argument(
        "--from",
        dest="tools",
        action="append",
        default=[],
        choices=_TOOLS,
        metavar="TOOL",
        help="the sessions of this project that claude-code, codex, gemini, opencode or pi keeps itself; can be repeated",
    )
    which.add_argument(
        "--project",
        type=Path,
        metavar="DIR",
        help="with --from: the sessions that were held in DIR or below (default: the folder that holds .ace)",
    )
    which.add_argument(
        "--format",
        choices=_FORMATS,
        metavar="NAME",
        help=f"the files' format, where it is not recognised: {', '.join(_FORMATS)}",
    )
    which.add_argument(
        "--since", metavar="TIME", help="only runs from then on: 7d, 12h, 30m, 2026-12-01, 2026-12-01T08:30"
    )
    which.add_argument(
        "--settle",
        type=_duration,
        metavar="TIME",
        help="the last turn of a session counts once its file has rested for so long (default 1h; 0: at once)",
    )


def _learn(commands: _Commands) -> None:
    parser = _command(commands, "learn", "learn", "learn from recorded runs", _LEARN, _LEARN_EPILOG)
    parser.add_argument(
        "traces",
        nargs="*",
        type=Path,
        metavar="TRACES",
        help="files or folders of recorded runs, patterns, or - (default: those in config.toml)",
    )
    _add_work(parser)
    _add_book(parser)
    _add_rules(parser)
    _add_take_block(parser)
    _add_sessions(parser)
    model = parser.add_argument_group("the model")
    model.add_argument(
        "--model-command",
        metavar="COMMAND",
        help="a command that reads the prompt and prints the reply, in place of an endpoint",
    )
    model.add_argument("--base-url", metavar="URL", help="the endpoint")
    model.add_argument("--model", metavar="NAME", help="the model's name")
    model.add_argument("--api-key-env", metavar="NAME", help="the environment variable with the key")
    model.add_argument(
        "--timeout", type=_number, metavar="S", help="seconds for one call (default 120; of a command 600)"
    )
    model.add_argument(
        "--max-tokens", type=_positive, metavar="N", help="the most tokens of a reply, reasoning included"
    )
    model.add_argument("--temperature", type=_number, metavar="X", help="default: the endpoint's own")
    model.add_argument(
        "--body",
        action="append",
        default=[],
        metavar="KEY=JSON",
        help="a key of the request's body; can be repeated",
    )
    model.add_argument(
        "--header",
        action="append",
        default=[],
        metavar="NAME=VARIABLE",
        help="a header, its value from this environment variable; can be repeated",
    )
    model.add_argument(
        "--schema",
        choices=("auto", "on", "off"),
        help="ask for the reply's JSON schema (default auto: until the endpoint refuses it)",
    )
    model.add_argument(
        "--replies", type=Path, metavar="CALLS", help="answer from a calls.json, or a folder of them"
    )
    model.add_argument("--strict", action="store_true", help="with --replies: stop where a prompt differs")
    how = parser.add_argument_group("how to learn")
    how.add_argument(
        "--runs-per-step", type=_positive, metavar="N", help="runs of one step (default: reflections_at_once)"
    )
    how.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; can be repeated"
    )
    how.add_argument(
        "--check", metavar="COMMAND", help="a command that gets the new rules file; non-zero refuses it"
    )
    how.add_argument(
        "--review",
        action="store_true",
        help="keep what is learned out of the rules until `ace accept` or `ace review` (review = true in config.toml: always)",
    )
    how.add_argument("--limit", type=_positive, metavar="N", help="read at most N runs")
    how.add_argument(
        "--max-tokens-total",
        type=_positive,
        metavar="N",
        help="begin no call once prompts and replies came to N tokens",
    )
    how.add_argument("--again", action="store_true", help="also runs that the log has read already")
    how.add_argument(
        "--dry-run", action="store_true", help="list the runs and what they would cost; ask nothing"
    )
    how.add_argument(
        "--wait",
        type=_seconds,
        default=0.0,
        metavar="S",
        help="wait so many seconds for a folder that is in use (default 0: an error at once)",
    )
    loud = how.add_mutually_exclusive_group()
    loud.add_argument("--verbose", action="store_true", help="show every event of each step")
    loud.add_argument(
        "--quiet", action="store_true", help="say nothing but what is amiss or left over, as for cron"
    )
    how.add_argument("--json", action="store_true", help="print the outcome as one JSON object")
    how.add_argument(
        "--log-format",
        choices=("json", "console"),
        help="send what happens to the error stream as it happens, in place of the progress: one line an event and a model call, "
        "with time, step and run; events hold excerpts of runs",
    )


def _sessions(commands: _Commands) -> None:
    parser = _command(
        commands,
        "sessions",
        "sessions",
        "list recorded sessions, and which of their runs are unread",
        "Lists the sessions in files and folders, or those that an agent keeps itself,\n"
        "without a model: tool, last change, runs, scores, length, what is passed over and\n"
        "why; then the unread runs in the order in which `ace learn --limit` takes them,\n"
        "with the reason. The default is what config.toml names.",
    )
    parser.add_argument(
        "traces",
        nargs="*",
        type=Path,
        metavar="TRACES",
        help="files or folders of recorded runs, patterns, or - (default: those in config.toml)",
    )
    _add_work(parser)
    _add_sessions(parser)
    parser.add_argument(
        "--runs", type=_whole, default=20, metavar="N", help="list so many unread runs (default 20; 0: all)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with every run")


def _show(commands: _Commands) -> None:
    parser = _command(
        commands,
        "show",
        "show",
        "show the playbook, or where one bullet came from",
        "Shows the playbook as a table; with a bullet's id, its story from the log: the\n"
        "run it came from and what later runs said of it, also when it is no longer\nthere.",
    )
    parser.add_argument("bullet", nargs="?", metavar="ID", help="a bullet, such as ace-00012, or 12")
    parser.add_argument("--run", metavar="RUN", help="what this run taught")
    parser.add_argument(
        "--at",
        metavar="SEQ",
        help="the playbook after this line of the log, or at a time (7d ago, 2026-12-01)",
    )
    _add_folder(parser, rules=False)
    parser.add_argument("--section", metavar="TEXT", help="only sections whose title contains TEXT")
    parser.add_argument("--grep", metavar="TEXT", help="only bullets that contain TEXT, in any case")
    parser.add_argument(
        "--sort", choices=("id", "balance", "helpful", "harmful", "step"), default="id", help="default: id"
    )
    parser.add_argument("--reverse", action="store_true", help="the other way round")
    parser.add_argument(
        "--similar",
        action="store_true",
        help="the pairs of bullets that say nearly the same, judged by their words",
    )
    parser.add_argument(
        "--evidence",
        action="store_true",
        help="beside the counts: runs that had a bullet and runs that had not, its tasks, age and last use",
    )
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")


def _log(commands: _Commands) -> None:
    parser = _command(
        commands,
        "log",
        "log",
        "list what happened, newest first",
        "Lists the lines of the log with their events, newest first: what was learned, what\n"
        "was refused and why, what a person decided. Options narrow it down together.",
    )
    _add_folder(parser, rules=False)
    parser.add_argument("--bullet", metavar="ID", help="only what is about this bullet")
    parser.add_argument("--run", metavar="RUN", help="only what came of this run")
    parser.add_argument("--seq", type=_positive, metavar="N", help="only this line")
    parser.add_argument(
        "--since", metavar="TIME", help="only from then on: 7d, 12h, 30m, 2026-12-01, 2026-12-01T08:30"
    )
    parser.add_argument("--refused", action="store_true", help="only what was refused or ignored")
    parser.add_argument("--json", action="store_true", help="print JSON")


def _diff(commands: _Commands) -> None:
    parser = _command(
        commands,
        "diff",
        "diff",
        "compare the playbook at two lines of the log",
        "Compares the playbook after two lines of the log, as lessons and as the block. A\n"
        "line is named by its number (0: before the first), by a time (the last line before\n"
        "it: 7d for so long ago, 2026-12-01, 2026-12-01T08:30), or as `now`.",
    )
    parser.add_argument("one", metavar="A", help="a line, or a time")
    parser.add_argument("other", nargs="?", default="now", metavar="B", help="another (default: now)")
    _add_folder(parser, rules=False)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _report(commands: _Commands) -> None:
    parser = _command(
        commands,
        "report",
        "report",
        "write the whole history as one HTML page",
        "Writes one HTML file that loads nothing from elsewhere: charts over time, each\n"
        "lesson with its story and evidence, each step with its runs and what was passed\n"
        "over, the playbook after any step. It holds excerpts of runs.",
    )
    _add_folder(parser, rules=False)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE",
        help="the file (default: cache/report.html in DIR, which no commit takes, or ace-report.html in the current "
        "folder if DIR is a host's; - for standard output)",
    )
    parser.add_argument("--open", action="store_true", help="open it in the browser")


def _status(commands: _Commands) -> None:
    parser = _command(
        commands,
        "status",
        "status",
        "show the state of a playbook",
        "Shows the folder, the rules file, how many runs were read, the last step, and\nwhat waits to be read. Asks no model.",
    )
    _add_folder(parser)


def _verify(commands: _Commands) -> None:
    parser = _command(
        commands,
        "verify",
        "history",
        "check everything that the log vouches for",
        "Checks the log from its first line (each line continues the one before it and is\n"
        "as it was written; each event fits what came before it), and compares\n"
        "state/playbook.json, the block, and the records of the steps with it. Names the\n"
        "first place that fails, and a way out. Changes nothing.",
        "exit status:\n  0    all is as the log says\n  1    a file differs from the log\n"
        "  2    the log or a file is damaged, or cannot be read\n",
    )
    _add_folder(parser)


def _replay(commands: _Commands) -> None:
    parser = _command(
        commands,
        "replay",
        "history",
        "fold the log and compare with the files",
        "Folds the log from its first line, checks that each line continues the one\n"
        "before it, and compares the result with state/playbook.json and the block. Exit\n"
        "status 1 and a diff where they differ. Changes nothing. `ace verify` checks\nmore.",
    )
    _add_folder(parser)


def _rebuild(commands: _Commands) -> None:
    parser = _command(
        commands,
        "rebuild",
        "history",
        "make snapshot and block again from the log",
        "Makes state/playbook.json and the block in rules.md again from the log. Shows\n"
        "what changes, and asks if somebody is at the terminal. A changed playbook.json\n"
        "is put aside (`cache/replaced-playbook.json`): `ace adopt` takes it instead.",
    )
    _add_folder(parser, hosted=False)
    _add_take_block(parser)
    _add_asking(parser)


def _adopt(commands: _Commands) -> None:
    parser = _command(
        commands,
        "adopt",
        "history",
        "go on from a playbook.json, or a block, that was changed by hand",
        "Takes state/playbook.json as it is: the log records it as PlaybookRestored, and\n"
        "the block is rendered from it. A bullet that the screens refuse stays out. Ids\n"
        "that were used once are not used again. Shows what changes, and asks if\n"
        "somebody is at the terminal; `ace rewind` takes it back.\n\n"
        "With --from-block it takes what you changed in a block instead: another text is\n"
        "logged as Reworded, a line that is gone as Removed, and a line without an id is\n"
        "a new bullet. Shows what that is, and asks.",
    )
    parser.add_argument(
        "--from-block", type=Path, metavar="FILE", help="take up what was changed in the block of this file"
    )
    _add_folder(parser, hosted=False)
    _add_take_block(parser)
    _add_deciding(parser)


_TAKEN_BACK = "It is a line of the log, which `ace revert` takes back."


def _add_deciding(parser: _Parser, why: str = "why, for the log") -> None:
    parser.add_argument("--reason", metavar="TEXT", help=why)
    _add_asking(parser)


def _add_asking(parser: _Parser) -> None:
    parser.add_argument(
        "--check",
        metavar="COMMAND",
        help="a command that gets the new rules file; non-zero refuses it (default: that in config.toml)",
    )
    parser.add_argument("--dry-run", action="store_true", help="show what it would do; do nothing")
    parser.add_argument("--yes", action="store_true", help="do it without a question")


def _relearn(commands: _Commands) -> None:
    parser = _command(
        commands,
        "relearn",
        "relearn",
        "let a Reef deployment read runs again",
        "Lets the next step of a scenario read runs again, from the records that Reef has\n"
        "of them, with the score that was reported last. Tags of a run that was read\n"
        "count once more; one that was given up is asked about as if it were new. In a\n"
        "folder of your own, `ace learn --again` does this.",
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a run's id, or its beginning (see `ace log`)")
    _add_folder(parser, rules=False)


def _review(commands: _Commands) -> None:
    parser = _command(
        commands,
        "review",
        "review",
        "look at the lessons that wait, one by one",
        "Walks through the lessons that `ace learn --review` kept out of the rules: each\n"
        "with the run that taught it and what later runs said of it. Accept it, give it\n"
        "another text, reject it, or leave it for later. At the end it shows what that\n"
        "comes to, asks, and writes it as one line of the log. Without a terminal it\n"
        "lists what waits.",
    )
    _add_folder(parser, hosted=False)
    _add_deciding(parser)
    parser.add_argument("--json", action="store_true", help="print what waits as JSON")


def _accept(commands: _Commands) -> None:
    parser = _command(
        commands,
        "accept",
        "decide",
        "let lessons that wait for a review into the rules",
        "Lets what `ace learn --review` kept back into the rules: all of it, or the lessons\n"
        "that are named. Those that are not named are taken out, and do not come back in\n"
        f"these words; with --leave they go on waiting. {_TAKEN_BACK}",
    )
    parser.add_argument(
        "bullets", nargs="*", metavar="ID", help="a bullet, such as ace-00012, or 12 (default: all that wait)"
    )
    parser.add_argument(
        "--leave", action="store_true", help="let the others go on waiting, in place of taking them out"
    )
    _add_folder(parser, hosted=False)
    _add_deciding(parser)


def _add_reef(parser: _Parser) -> None:
    parser.add_argument(
        "--reef",
        metavar="URL",
        help="do it in the Reef service there, for --scenario: REEF_TOKEN is the service's token, ACE_OPERATOR_TOKEN the secret "
        "that its environment holds, too",
    )
    parser.add_argument(
        "--wait",
        type=_number,
        default=120.0,
        metavar="S",
        help="with --reef: how long to wait for what comes of it (default: 120 seconds)",
    )


def _remove(commands: _Commands) -> None:
    parser = _command(
        commands,
        "remove",
        "decide",
        "take lessons out for good",
        "Takes lessons out. No later step brings them back in the same words, until you\n"
        f"add them yourself. {_TAKEN_BACK}",
    )
    parser.add_argument("bullets", nargs="+", metavar="ID", help="a bullet, such as ace-00012, or 12")
    _add_folder(parser)
    _add_reef(parser)
    _add_deciding(parser, "why, for the log (needed)")


def _reword(commands: _Commands) -> None:
    parser = _command(
        commands,
        "reword",
        "decide",
        "give a lesson another text",
        "Gives a lesson another text; its id and its counts stay. The text before does not\n"
        f"come back. {_TAKEN_BACK}",
    )
    parser.add_argument("bullet", metavar="ID", help="a bullet, such as ace-00012, or 12")
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the new text (default: your editor opens)")
    _add_folder(parser)
    _add_reef(parser)
    _add_deciding(parser)


def _add(commands: _Commands) -> None:
    parser = _command(
        commands,
        "add",
        "decide",
        "add a lesson of your own",
        f"Adds a lesson, also one that was removed before. {_TAKEN_BACK}",
    )
    parser.add_argument("text", nargs="?", metavar="TEXT", help="the lesson (default: your editor opens)")
    parser.add_argument("--section", metavar="TITLE", help="where it goes (default: the last section)")
    _add_folder(parser)
    _add_reef(parser)
    _add_deciding(parser)


def _revert(commands: _Commands) -> None:
    parser = _command(
        commands,
        "revert",
        "decide",
        "take one step back, and keep what came after it",
        "Makes the playbook what it would be without one line of the log. Nothing is\n"
        "deleted: this is a new line, which `ace revert` takes back, too. Runs that were\n"
        "read stay read. Lines before one that replaced the playbook as a whole cannot be\n"
        "taken out: `ace rewind` goes back to before them.",
    )
    parser.add_argument("seq", type=_whole, metavar="SEQ", help="the number of a line of the log")
    _add_folder(parser)
    _add_deciding(parser)


def _rewind(commands: _Commands) -> None:
    parser = _command(
        commands,
        "rewind",
        "decide",
        "go back to the playbook as it was after a line of the log",
        "Makes the playbook what it was after a line of the log (0: empty). Nothing is\n"
        "deleted: this is a new line, and another `ace rewind` goes forward again. Runs\n"
        "that were read stay read.",
    )
    parser.add_argument("seq", type=_whole, metavar="SEQ", help="the number of a line of the log")
    _add_folder(parser)
    _add_deciding(parser)


def _book(commands: _Commands) -> None:
    parser = _command(
        commands,
        "book",
        "book",
        "a playbook that many machines share, in PostgreSQL",
        "A shared book lies in a PostgreSQL database, and many machines learn into it at once.\n\n"
        "  init     make the tables, if need be, and the book\n"
        "  set      change what it decides by: settings, and the rules whose lines are duplicates\n"
        "  show     what it decides by, how long it is, and who is reading\n"
        "  upgrade  bring the tables up to date\n"
        "  rebuild  restore what the database keeps beside the log, from the log\n"
        "  export   write its log, playbook and rules into the folder DIR\n"
        "  import   put the log of the folder DIR into a book that has no line yet",
    )
    parser.add_argument("action", choices=("init", "set", "show", "upgrade", "rebuild", "export", "import"))
    parser.add_argument("folder", nargs="?", type=Path, metavar="DIR", help="of export and import")
    _add_book(parser)
    parser.add_argument("--scenario", metavar="NAME", help="the book's name, in place of that in its address")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="the folder whose config.toml names the book"
    )
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="sections, max_bullets, prune_margin; can be repeated",
    )
    _add_rules(parser, "a file whose lines outside of its block make a duplicate")
    parser.add_argument("--no-rules", action="store_true", help="no lines make a duplicate any more")


def _pull(commands: _Commands) -> None:
    parser = _command(
        commands,
        "pull",
        "pull",
        "put the lessons of a shared book into the rules here",
        "Puts the block of lessons of a shared book into this machine's rules files. Asks the\n"
        "database one question if nothing has changed, so it can run before each start of\n"
        "an agent. With the https address of an exported log it takes that instead.",
    )
    parser.add_argument(
        "log", nargs="?", metavar="URL", help="the https address of an exported history/events.jsonl"
    )
    parser.add_argument("--sha256", metavar="HEX", help="the digest of that file")
    _add_work(parser)
    _add_book(parser)
    parser.add_argument("--scenario", metavar="NAME", help="the book's name, in place of that in its address")
    _add_rules(parser)
    _add_take_block(parser)
    parser.add_argument("--quiet", action="store_true", help="say nothing if nothing has changed")


def _screen(commands: _Commands) -> None:
    parser = _command(
        commands,
        "screen",
        "screen",
        "show what redaction and the screens make of a text",
        "Shows which parts of a text would be redacted before a model sees it, and which\n"
        "lines would be refused as a lesson, each by its kind and place, never the text\n"
        "itself. With --playbook, names the bullets that today's screens would refuse.\n"
        "Exit status 1 if there is anything. Asks no model and changes nothing.",
    )
    parser.add_argument("file", nargs="?", type=Path, metavar="FILE", help="a text; - for standard input")
    parser.add_argument("--playbook", action="store_true", help="screen the bullets of the playbook instead")
    _add_folder(parser, rules=False)


def _trust(commands: _Commands) -> None:
    parser = _command(
        commands,
        "trust",
        "trusting",
        "let config.toml count after you looked at it",
        "Shows config.toml, says what it would have ace do, and from then on lets all of\n"
        "it count, until it is changed: after an edit of yours, say it again. What\n"
        "`ace init` wrote is trusted as it is.",
    )
    _add_work(parser)
    parser.add_argument("--revoke", action="store_true", help="no longer trust it")


def _demo(commands: _Commands) -> None:
    parser = _command(
        commands,
        "demo",
        "demo",
        "learn from shipped runs with recorded replies",
        "Learns from fourteen recorded runs of a coding agent with recorded replies of\nthe models: no network, no key.",
    )
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="the folder to work in (default: a new temporary one)"
    )


def _duration(text: str) -> float:
    from ace.adapters.cli.moments import seconds_of  # noqa: PLC0415 - not for `ace --help`
    from ace.domain.errors import AceError  # noqa: PLC0415 - as above

    try:
        return seconds_of(text)
    except AceError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _seconds(text: str) -> float:
    seconds = _number(text)
    if not 0 <= seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds of at least 0")
    return seconds


def _positive(text: str) -> int:
    return _number_from(1, text)


def _whole(text: str) -> int:
    return _number_from(0, text)


def _number_from(least: int, text: str) -> int:
    # Python refuses to read a number of thousands of digits.
    if not text.isascii() or not text.isdigit() or len(text) > 18 or int(text) < least:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a whole number of at least {least}")
    return int(text)
