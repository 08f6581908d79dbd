"""Which of many runs teach most."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.strategies import traces

from ace.domain.settings import ACESettings
from ace.domain.trace import ToolCall, Trace, Turn
from ace.domain.triage import Signs, in_order, signs_of, why
from ace.domain.unread import Past, first, unread
from ace.domain.wordings import corrects, failure_in

type Steps = list[tuple[str, str, bool]]
"""What was called, what came of it, and whether the tool flagged it as failed."""


def run(task: str = "Add a flag.", steps: Steps | None = None, **more: object) -> Trace:
    """A run of these steps."""
    turns = [Turn("user", task)]
    for number, (command, result, failed) in enumerate(steps or []):
        turns.append(Turn("assistant", "", (ToolCall("bash", command, str(number)),)))
        turns.append(Turn("tool", result, call_id=str(number), failed=failed))
    given = {"id": task, "turns": (*turns, Turn("assistant", "Done.")), **more}
    return Trace(**given)  # type: ignore[arg-type]


def ids(*runs: Trace, limit: int | None = None) -> list[str]:
    """The runs as they are to be read."""
    left, _ = unread(
        enumerate(runs), lambda _: Past(), lambda _: None, ACESettings(), "m", again=False, triaged=True
    )
    return [one.id for one in first(left, limit)]


# What a run shows


@pytest.mark.parametrize(
    "text",
    [
        "no, use pnpm here",
        "No! The other file.",
        "remember: never commit to main",
        "Actually, that should go into utils.py",
        "that's not what I asked for",
        "You forgot the changelog.",
        "don't edit generated files",
        "please always run the linter first",
        "wrong directory",
        "I told you to use uv instead of pip",
        "we never push to main here",
        "Stop. Use the staging database.",
        "nein, nimm die andere Datei",
        "non, utilise pnpm",
        "不对, 应该用 pnpm",
        "нет, используй pnpm",
        "In the future, ask me before you delete anything.",
    ],
)
def test_corrections(text: str) -> None:
    """What a person says who corrects, in any language that is met often."""
    assert corrects(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Thanks, looks good.",
        "Now the changelog, please.",
        "No problem, go on.",
        "no need, thanks",
        "never mind",
        "Great! Can you add a test for it?",
        "continue",
        "Add a --json flag to the list command.",
        "Nothing else, commit it.",
        "Note that the API returns UTC. Show local times.",
        "ok",
        "Notify the users by mail.",
    ],
)
def test_what_is_no_correction(text: str) -> None:
    """What a person says who goes on."""
    assert not corrects(text)


@pytest.mark.parametrize(
    ("text", "failed", "kind"),
    [
        ("bash: pnpm: command not found", False, "not found"),
        ("ModuleNotFoundError: No module named 'yaml'", True, "not found"),
        ("fatal: could not read: Permission denied (publickey)", True, "refused"),
        ("The user doesn't want to proceed with this tool use.", True, "refused"),
        ("cat: src/x.py: No such file or directory", True, "wrong path"),
        ("=== 2 failed, 14 passed in 3.1s ===", True, "failing tests"),
        ("x\n" * 2000 + "2 failed, 3 passed", True, "failing tests"),
        ("Command timed out after 120s", True, "out of time"),
        ("exit 1", True, "other"),
        ("", True, "other"),
        ("14 passed", False, ""),
        ("0 failed, 14 passed", False, ""),
        ("line\n" * 500 + "raise PermissionError('permission denied')\n" + "line\n" * 500, False, ""),
    ],
)
def test_failures_by_class(text: str, failed: bool, kind: str) -> None:  # noqa: FBT001 - a row of the table
    """How a tool says why it failed; what is in the middle of an output without being a failure is none."""
    assert failure_in(Turn("tool", text, failed=failed)) == kind


def test_retries_and_loops() -> None:
    """Given the same call with the same result three times, then it is a loop; a failed tool that is called again is a retry."""
    again = signs_of(run(steps=[("make", "error", True)] * 3))
    assert (again.retries, again.loops, again.failed) == (2, 2, (("other", 3),))
    assert signs_of(run(steps=[("cat a", "x", False)] * 4)).loops == 2
    assert signs_of(run(steps=[("cat a", "x", False), ("ls", "a", False)] * 4)).loops == 0
    varied = [("npm run build --prod", "error", True), ("npm run build --all", "ok", False)]
    assert signs_of(run(steps=varied)).retries == 1
    assert signs_of(run(steps=[varied[0], ("ls", "a", False)])).retries == 0
    assert signs_of(run(steps=[("make", "ok", False), ("make", "ok 2", False)])).retries == 0


def test_interruptions() -> None:
    """Given a word of the user's while the agent worked, then it was interrupted, and perhaps corrected."""
    turns = (
        Turn("user", "Fix it."),
        Turn("assistant", "", (ToolCall("bash", "rm", "1"),)),
        Turn("user", "[Request interrupted by user]"),
        Turn("user", "no, use git rm"),
        Turn("assistant", "Done."),
    )
    signs = signs_of(Trace(id="x", turns=turns))
    assert (signs.interruptions, signs.corrections) == (2, 1)


@given(traces)
def test_any_run_shows_something_or_nothing(trace: Trace) -> None:
    """Whatever a run holds, its signs can be told."""
    assert why(signs_of(trace))


# Which comes first


def test_the_order() -> None:
    """Given one run of each kind, then those that teach most come first, and the rest by time."""
    runs = {
        "plain, old": run(time="2026-01-01T00:00:00Z"),
        "plain, new": run(time="2026-02-01T00:00:00Z"),
        "untimed": run(),
        "other failure": run(steps=[("grep x", "", True)]),
        "tests": run(steps=[("pytest", "3 failed", True)]),
        "not found": run(steps=[("pnpm", "pnpm: command not found", True)]),
        "corrected": run(next_message="no, use pnpm"),
        "high": run(score=1.0),
        "low": run(score=0.0),
    }
    assert ids(
        *(
            Trace(id=name, turns=one.turns, score=one.score, time=one.time, next_message=one.next_message)
            for name, one in runs.items()
        )
    ) == [
        "low",
        "corrected",
        "not found",
        "tests",
        "other failure",
        "plain, new",
        "plain, old",
        "untimed",
        "high",
    ]


def test_a_call_in_the_middle_goes_with_its_run() -> None:
    """Given calls in the middle of runs, then each stays before the run behind it."""
    middle = Trace(id="middle", turns=(Turn("user", "x"), Turn("assistant", "", (ToolCall("a"),))))
    late = run("late", score=0.0)
    assert ids(run("early", score=1.0), middle, late, middle) == ["middle", "late", "early", "middle"]
    assert ids(run("early", score=1.0), middle, late, limit=1) == ["middle", "late"]


@given(st.lists(st.builds(Signs, score=st.none() | st.floats(-1e308, 1e308), retries=st.integers(0, 9))))
def test_every_run_has_its_place(signs: list[Signs]) -> None:
    """Given any runs, then the order holds each once, and runs that are alike keep theirs."""
    assert sorted(in_order(signs)) == list(range(len(signs)))
    assert in_order([Signs()] * len(signs)) == list(range(len(signs)))


# Other wordings: of people in other languages, of tools as they are in use

CORRECTIONS = (
    "Not like that — the handler belongs in the service layer.",
    "Hmm, I'd rather you kept the old API.",
    "You keep adding comments. Quit it.",
    "Please stop reformatting files you didn't change.",
    "We use tabs in this project.",
    "For next time: run the migrations before the tests.",
    "That broke the build.",
    "It's still failing on my machine.",
    "nope, the other repo",
    "Can you not touch the lock file?",
    "why did you delete the fixture?",
    "I wanted a generator, not a list.",
    "This isn't what I meant.",
    "Use the staging bucket and not production.",
    "The deploy target is eu-west-1, not us-east-1.",
    "Our convention is snake_case for columns.",
    "Roll that back please.",
    "Leave the README alone.",
    "You skipped the type checks again.",
    "Keep in mind that CI has no network.",
    "That's a bad idea, use a queue.",
    "Too verbose. Shorter.",
    "Never mock the database in these tests.",
    "Hold on, that's the production key.",
    "You should never commit directly to main.",
    "As I mentioned, we target Python 3.9.",
    "Bitte keine neuen Abhängigkeiten.",
    "Nein, das gehört in utils.",
    "Das ist falsch, der Port ist 8443.",
    "Ab jetzt bitte immer auf Deutsch committen.",
    "Denk daran: die Tests laufen nur mit make.",
    "Du hast die Changelog vergessen.",
    "Non, pas comme ça.",
    "Utilise plutôt pytest.",
    "N'oublie pas de lancer le linter.",
    "Ce n'est pas le bon fichier.",
    "No, usa la otra rama.",
    "Eso no es lo que pedí.",
    "La próxima vez ejecuta los tests antes.",
    "Acuérdate de actualizar el changelog.",
    "Não, use o npm.",
    "Você esqueceu os testes.",
    "Da próxima vez, rode o linter.",
    "No, sbagliato: il file è in src.",
    "La prossima volta chiedi prima.",
    "Ricordati di usare pnpm.",
    "Nee, gebruik yarn.",
    "Vergeet niet de tests te draaien.",
    "Нет, так не надо.",
    "Запомни: мы не трогаем миграции.",
    "Ты забыл про тесты.",
    "Nie, użyj innego pliku.",
    "Następnym razem uruchom testy.",
    "Hayır, diğer dosya.",
    "Bir dahaki sefere önce sor.",
    "不要改这个文件",
    "你忘了更新文档",
    "请使用 yarn，不要用 npm",
    "应该放在 utils 里",
    "下次先跑测试",
    "いや、そうじゃない",
    "テストを先に実行してください、次回から",
    "pnpmを使ってください、npmではなく",
    "그게 아니라 다른 파일이에요",
    "다음부터는 테스트 먼저 돌려줘",
    "لا، استخدم الملف الآخر",
    "नहीं, दूसरी फ़ाइल",
    "không, dùng pnpm",
    "Jangan ubah file itu",
    "lain kali jalankan tes dulu",
    "Nej, använd den andra filen",
    "glöm inte testerna",
    "I explicitly asked for no new dependencies.",
    "That's the third time: no emojis.",
    "ugh, you removed the license header",
    "Read CONTRIBUTING.md first, the commit format is wrong.",
    "This should be idempotent.",
    "The tests should go in tests/unit.",
    "you changed the public API, undo it",
    "Don't guess. Look it up.",
    "it must be ISO 8601",
    "you're editing the wrong file",
    "That doesn't compile",
)
GOING_ON = (
    "Thanks, looks good.",
    "Perfect, ship it.",
    "Now write the docs.",
    "Next, add an endpoint for deleting users.",
    "Can you also bump the version?",
    "What does this function do?",
    "Great. Then let's do the second ticket.",
    "go on",
    "yes please",
    "Add dark mode to the settings page.",
    "Why is the sky blue in the rendering?",
    "Explain the architecture.",
    "Danke, passt. Jetzt noch die Doku.",
    "Merci ! Ajoute un test maintenant.",
    "Gracias. Ahora el README.",
    "Obrigado! Agora os testes.",
    "Grazie, ora la documentazione.",
    "Спасибо. Теперь добавь тест.",
    "谢谢，接下来写测试",
    "ありがとう。次はテストを書いて",
    "고마워. 이제 문서를 써줘",
    "Rename the module to core.",
    "Could you open a PR?",
    "Write a function that parses dates.",
    "Investigate the memory leak in the worker.",
    "How long did that take?",
    "Let's move to the next task: the CLI.",
    "Nice work! Commit and push.",
    "Summarize what you did.",
    "Create an issue for the remaining work.",
    "Deploy it to staging.",
    "Also add German translations.",
    "Run the benchmarks again and compare.",
    "Is there a better library for this?",
    "Show me the diff.",
    "Please review the PR from Alice.",
    "Fix the flaky test in test_io.py.",
    "Update all dependencies.",
    "Make the button blue.",
    "ok next: pagination",
)
FINE = (
    "12 passed in 0.3s",
    "ok",
    "On branch main, nothing to commit",
    "0 failed, 3 passed",
    "Build succeeded",
    "src/app.py",
    "Wrote 3 files",
    "Already up to date.",
    "Everything up-to-date",
    "200 OK",
    "Compiled successfully",
    "Installed 3 packages",
    "README.md",
    "def main(): pass",
    "Switched to branch 'dev'",
    "test result: ok. 5 passed; 0 failed",
    "Tests: 12 passed, 12 total",
    "no tests found",
)
FAILURES = (
    ("fish: Unknown command: pnpm", "not found"),
    ("pnpm: The term 'pnpm' is not recognized as a name of a cmdlet", "not found"),
    ("'make' is not recognized as an internal or external command", "not found"),
    ("error: no such subcommand: `nextest`", "not found"),
    ("error: unrecognized subcommand 'instal'", "not found"),
    ("npm ERR! code E404", "not found"),
    ("ERROR: No matching distribution found for foo==9", "not found"),
    ("E: Unable to locate package libfoo-dev", "not found"),
    ("Error: Cannot find package 'vite' imported from /app", "not found"),
    ("ImportError: cannot import name 'Foo' from 'bar'", "not found"),
    ("make: *** No rule to make target 'tset'.  Stop.", "not found"),
    ("git: 'psuh' is not a git command. See 'git --help'.", "not found"),
    ("error: unexpected argument '--foo' found", "not found"),
    ("unknown shorthand flag: 'x' in -x", "not found"),
    ("bash: kubectl: Befehl nicht gefunden.", "not found"),
    ("bash: pnpm : commande introuvable", "not found"),
    ("bash: pnpm: orden no encontrada", "not found"),
    ("java.lang.ClassNotFoundException: org.foo.Bar", "not found"),
    ("docker: 'compsoe' is not a docker command.", "not found"),
    ("package foo/bar is not in std", "not found"),
    ("rg: unrecognized flag --jsn", "not found"),
    ('exec: "terraform": executable file not found in $PATH', "not found"),
    ("/bin/sh: 1: poetry: not found", "not found"),
    ("InputValidationError: unknown tool readfile", "not found"),
    ("EACCES: permission denied, mkdir '/usr/lib'", "refused"),
    ("mkdir: cannot create directory '/x': Permission denied", "refused"),
    ("bash: ./run.sh: Permission denied", "refused"),
    ("Error: EPERM: operation not permitted", "refused"),
    ("HTTP 401 Unauthorized", "refused"),
    ("! [rejected] main -> main (non-fast-forward)", "refused"),
    ("remote: error: GH006: Protected branch update failed", "refused"),
    ('psql: FATAL: password authentication failed for user "x"', "refused"),
    ("The user rejected this tool call.", "refused"),
    ("User cancelled", "refused"),
    ("Operation blocked by hook: no direct pushes", "refused"),
    ("denied: requested access to the resource is denied", "refused"),
    ("curl: (7) Failed to connect to localhost port 8000: Connection refused", "refused"),
    ("Tool call was rejected by the user", "refused"),
    ("sudo: a password is required", "refused"),
    ("mkdir: Keine Berechtigung", "refused"),
    ("bash: ./x : Permission non accordée", "refused"),
    ("bash: ./x: Permiso denegado", "refused"),
    ("command not allowed by policy", "refused"),
    ("This command requires approval", "refused"),
    ("cat: x.py: Datei oder Verzeichnis nicht gefunden", "wrong path"),
    ("ls: impossible d'accéder à 'x': Aucun fichier ou dossier de ce type", "wrong path"),
    ("cat: x: No existe el fichero o el directorio", "wrong path"),
    ("cd: no such file or directory: /app", "wrong path"),
    ("error: could not open file src/x.py", "wrong path"),
    ("FileNotFoundError: [Errno 2] No such file or directory: 'x'", "wrong path"),
    ("IsADirectoryError: [Errno 21] Is a directory: 'src'", "wrong path"),
    ("fatal: not a git repository (or any of the parent directories): .git", "wrong path"),
    ("File does not exist.", "wrong path"),
    ("Error: Path not found: /foo", "wrong path"),
    ("File not found: src/nope.ts", "wrong path"),
    ("zsh: no matches found: *.pyy", "wrong path"),
    ("error: pathspec 'devel' did not match any file(s) known to git", "wrong path"),
    ("The system cannot find the path specified.", "wrong path"),
    ("Path is outside of the workspace", "wrong path"),
    ("open config.yml: no such file or directory", "wrong path"),
    ("ripgrep: No files were searched", "wrong path"),
    ("tail: cannot open 'log.txt' for reading", "wrong path"),
    ("Tests: 2 failed, 10 passed, 12 total", "failing tests"),
    ("--- FAIL: TestParse (0.00s)", "failing tests"),
    ("FAIL github.com/x/y 0.3s", "failing tests"),
    ("test result: FAILED. 3 passed; 1 failed; 0 ignored", "failing tests"),
    ("  1 failing", "failing tests"),
    ("5 examples, 1 failure", "failing tests"),
    ("Tests run: 5, Failures: 1, Errors: 0, Skipped: 0", "failing tests"),
    ("FAILED (failures=1, errors=2)", "failing tests"),
    ("AssertionError: expected 3 to equal 4", "failing tests"),
    ("assertion `left == right` failed", "failing tests"),
    ("There was 1 failure:", "failing tests"),
    ("FAILURES!", "failing tests"),
    ("Failed!  - Failed:     1, Passed:     3", "failing tests"),
    ("thread 'main' panicked at src/lib.rs:4", "failing tests"),
    ("not ok 3 - parses dates", "failing tests"),
    ("Executed 5 tests, with 1 failure (0 unexpected)", "failing tests"),
    ("1 test failed", "failing tests"),
    ("FAIL src/app.test.ts > renders", "failing tests"),
    ("50% tests passed, 1 tests failed out of 2", "failing tests"),
    ("✗ 3 tests failed", "failing tests"),
    ("BUILD FAILED: 2 tests failed", "failing tests"),
    ("Command timed out after 2m 0.0s", "out of time"),
    ("TimeoutError: Waiting failed", "out of time"),
    ("context deadline exceeded", "out of time"),
    ("ETIMEDOUT", "out of time"),
    ("Operation timed out", "out of time"),
    ("Timeout: the command took too long", "out of time"),
    ("String to replace not found in file.", "edit"),
    ("Found 3 matches of the string to replace, but replace_all is false.", "edit"),
    ("File has not been read yet. Read it first before writing to it.", "edit"),
    ("File has been modified since read, either by the user or by a linter.", "edit"),
    ("error: patch failed: src/x.py:3", "edit"),
    ("error: patch does not apply", "edit"),
    ("1 out of 1 hunk FAILED -- saving rejects", "edit"),
    ("Failed to edit, could not find the string to replace.", "edit"),
    ("oldString not found in content", "edit"),
    ("The SEARCH block was not found in the file", "edit"),
    ("Failed to find expected lines in src/x.py", "edit"),
    ("No replacement was performed, old_str `x` did not appear verbatim in /a.py", "edit"),
    ("apply_patch verification failed: Failed to find context", "edit"),
    ("Could not find the exact text in x.ts. The old text must match exactly", "edit"),
)


def test_other_corrections() -> None:
    """What else a person says who corrects."""
    for text in CORRECTIONS:
        assert corrects(text)


@pytest.mark.parametrize("text", GOING_ON)
def test_what_else_is_not_a_correction(text: str) -> None:
    """What else a person says who goes on."""
    assert not corrects(text)


def test_other_failures() -> None:
    """How else a tool says why it failed."""
    for text, kind in FAILURES:
        assert failure_in(Turn("tool", text, failed=True)) == kind


@pytest.mark.parametrize("text", FINE)
def test_what_is_not_a_failure(text: str) -> None:
    """What a tool says that did its work."""
    assert not failure_in(Turn("tool", text))


# Planted lessons

COMMANDS = (
    "ls -la",
    "cat src/app.py",
    "git status",
    "rg TODO",
    "pytest -q",
    "make build",
    "git diff",
    "python -m app",
)
OUTPUTS = (
    "ok",
    "12 passed in 0.3s",
    "src/app.py\nsrc/util.py",
    "nothing to commit",
    "Built in 2.1 s",
    "def main():\n    pass",
)
FOLLOWS = (
    "",
    "",
    "Thanks!",
    "Now add a test for it.",
    "Great, commit that.",
    "Next: the changelog.",
    "Can you also update the docs?",
    "Looks good. What about Windows?",
    "ok, continue",
    "Please open a pull request.",
)


def ordinary(chance: random.Random, name: str) -> Trace:
    """A run in which all goes as it mostly does: now and then a command fails and the agent gets over it."""
    steps: Steps = [
        (chance.choice(COMMANDS), chance.choice(OUTPUTS), False) for _ in range(chance.randint(1, 12))
    ]
    if chance.random() < 0.35:
        noise = chance.choice(["1 failed, 8 passed", "exit code 1", "SyntaxError: invalid syntax", ""])
        steps.insert(chance.randrange(len(steps) + 1), (chance.choice(COMMANDS), noise, True))
    return run(
        name,
        steps,
        next_message=chance.choice(FOLLOWS),
        time=f"2026-01-{chance.randint(1, 28):02d}T10:00:00Z",
    )


type Plant = Callable[[random.Random, Trace], Trace]


def _with(trace: Trace, *turns: Turn, **more: object) -> Trace:
    """The run with more turns before its reply."""
    *before, reply = trace.turns
    return msgspec.structs.replace(trace, turns=(*before, *turns, reply), **more)


def _failing(*texts: str) -> Plant:
    def plant(chance: random.Random, trace: Trace) -> Trace:
        turns: list[Turn] = []
        for number in range(chance.randint(1, 2)):
            call = f"p{number}"
            turns.append(Turn("assistant", "", (ToolCall("bash", f"try {number}", call),)))
            turns.append(Turn("tool", chance.choice(texts), call_id=call, failed=chance.random() < 0.8))
        return _with(trace, *turns)

    return plant


def _looping(chance: random.Random, trace: Trace) -> Trace:
    turns: list[Turn] = []
    for number in range(chance.randint(3, 6)):
        turns.append(Turn("assistant", "", (ToolCall("edit", "a.py", f"l{number}"),)))
        turns.append(Turn("tool", "String to replace was not unique.", call_id=f"l{number}", failed=True))
    return _with(trace, *turns)


def _says(*texts: str) -> Plant:
    return lambda chance, trace: _with(trace, next_message=chance.choice(texts))


def _steps_in(*texts: str) -> Plant:
    return lambda chance, trace: _with(
        trace, Turn("assistant", "", (ToolCall("bash", "x", "i"),)), Turn("user", chance.choice(texts))
    )


PLANTS: dict[str, Plant] = {
    "score": lambda chance, trace: _with(trace, score=chance.choice([0.0, 0.1, 0.25])),
    "correction": _says(
        "no, use uv and not pip",
        "remember: migrations are never edited by hand",
        "That's the wrong branch, we work on develop",
        "you should have run the formatter",
        "don't touch vendor/",
        "I said British spelling",
        "Never log tokens.",
    ),
    "command": _failing(
        "zsh: command not found: yarn",
        "Error: Cannot find module 'left-pad'",
        'npm error Missing script: "lint"',
    ),
    "refused": _failing(
        "remote: Permission to org/repo denied: permission denied", "sudo: not allowed", "403 Forbidden"
    ),
    "path": _failing(
        "ENOENT: no such file or directory, open 'conf.yml'",
        "error: pathspec 'mian' did not match any file(s)",
    ),
    "loop": _looping,
    "interruption": _steps_in(
        "[Request interrupted by user]", "wait, the tests first", "the config lies in infra/, look there"
    ),
    "failure": lambda chance, trace: _with(
        trace, failure=chance.choice(["API Error: 529", "context length exceeded"])
    ),
}


OTHERS: dict[str, Plant] = {
    "correction": _says(*CORRECTIONS),
    "interruption": _steps_in(*CORRECTIONS),
    **{
        kind: _failing(*(text for text, known in FAILURES if known == kind))
        for kind in ("not found", "refused", "wrong path", "out of time", "edit")
    },
}
"""The same in other words, and none of what needs no words."""


@pytest.mark.parametrize("plants", [PLANTS, OTHERS], ids=["plants", "others"])
def test_planted_lessons_come_first(plants: dict[str, Plant]) -> None:
    """Given generated runs, a tenth of them with a planted lesson, then nine tenths of these are in the first tenth."""
    shares: list[float] = []
    found = {name: [0, 0] for name in plants}
    for seed in range(5):
        chance = random.Random(seed)  # noqa: S311 - runs, no secret
        runs: list[Trace] = []
        planted: dict[str, str] = {}
        for number in range(400):
            trace = ordinary(chance, f"run {number}")
            if number % 10 == 3:
                name = list(plants)[(number // 10) % len(plants)]
                planted[trace.id], trace = name, plants[name](chance, trace)
            elif chance.random() < 0.5:
                trace = _with(trace, score=chance.choice([0.8, 0.9, 1.0]))
            runs.append(trace)
        chance.shuffle(runs)
        head = ids(*runs, limit=len(runs) // 10)
        shares.append(sum(one in planted for one in head) / len(planted))
        for one, name in planted.items():
            found[name][0] += one in head
            found[name][1] += 1
    assert sum(shares) / len(shares) >= 0.9, found
    assert min(shares) >= 0.85, found
