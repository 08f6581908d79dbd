"""Programs of somebody who knows the package from outside: everything comes from `ace` itself, and mypy is strict about it.

a model of one's own, a host with a book of its own, a driver of a step, a replay of a log, and the use cases of a folder
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import ace

# --- a model --------------------------------------------------------------------------------------------------------


class Echo:
    """A model that finds the same in each run."""

    model = "echo"

    def complete(self, request: ace.Request) -> ace.Completion:
        """Answer in the schema of the role."""
        if request.role == "reflector":
            text = json.dumps(
                {"error_analysis": "", "key_insight": f"Of {request.trace}.", "bullet_tags": []}
            )
        elif "silent" in request.trace:
            raise ace.CallError("nobody is there")
        else:
            lesson = f"Lesson of {request.trace}."
            text = json.dumps({"operations": [{"type": "ADD", "section": "Others", "content": lesson}]})
        return ace.Completion(
            text=text, model=self.model, input_tokens=len(request.prompt) // 4, output_tokens=9
        )


# --- a host ---------------------------------------------------------------------------------------------------------


class Service:
    """A host that serves an agent: it keeps rules and playbook itself, and a log in a folder."""

    def __init__(self, root: Path, words: Iterable[str] = ()) -> None:
        self.root = root
        self.rules: bytes = b"# Rules\n"
        self.playbook: ace.Playbook | None = None
        self.steps = 0
        self._bad_words = tuple(words)
        self._method: ace.Method = ace.ACE(ace.ACESettings(max_bullets=50))

    def model(self, name: str) -> ace.Model:
        """The model of that name."""
        if name != "served":
            raise ace.EndpointError(f"no model {name}")
        return Echo()

    def check(self, files: Mapping[str, bytes]) -> str | None:
        """Why these files are refused."""
        found = [word for word in self._bad_words if word.encode() in files.get("rules.md", b"")]
        return f"a bad word: {found[0]}" if found else None

    def learn(self, traces: Iterable[ace.Trace]) -> ace.StepResult:
        """One step; what came of it is published."""
        self.steps += 1
        book: ace.Book = ace.HostBook(
            self.root, files={"rules.md": self.rules}, playbook=self.playbook, scenario="mine"
        )
        result = self._method.step(ace.StepContext(book=book, traces=tuple(traces), step=self.steps), self)
        if result.changed:
            self.rules = result.rules
        self.playbook = result.playbook
        return result


# --- a step by hand -------------------------------------------------------------------------------------------------


def driven(playbook: ace.Playbook, traces: Iterable[ace.Trace], model: ace.Model) -> ace.StepOutcome:
    """A step without any file, by `ace.drive`."""
    return ace.drive(ace.run_step(playbook, tuple(traces)), model)


def by_hand(trace: ace.Trace, answer: Callable[[str], str]) -> tuple[ace.StepOutcome, list[str]]:
    """The same by hand: a function from prompts to replies, which may fail."""
    step = ace.run_step(ace.Playbook(), (trace,))
    prompts: list[str] = []
    try:
        calls: tuple[ace.ModelCall, ...] = next(step)
        while True:
            replies: list[str | ace.CallFailed] = []
            for call in calls:
                request = ace.request_of(call)
                prompts.append(request.prompt)
                try:
                    replies.append(answer(request.prompt))
                except OSError as error:
                    replies.append(ace.CallFailed(str(error)))
            calls = step.send(tuple(replies))
    except StopIteration as stop:
        outcome: ace.StepOutcome = stop.value
        return outcome, prompts


# --- a replay -------------------------------------------------------------------------------------------------------


def replayed(history: str) -> tuple[ace.Playbook, list[str]]:
    """The playbook that a log folds to, and who taught each bullet, from the records alone."""
    log = ace.Log(history)
    playbook, taught = ace.Playbook(), list[str]()
    for record in log.verified():
        playbook = ace.fold(playbook, record.applied)
        taught += [event.trace for event in record.applied if isinstance(event, ace.BulletAdded)]
    assert playbook == log.playbook()
    return playbook, taught


# --- a folder -------------------------------------------------------------------------------------------------------


def looked_after(root: str, rules: Path, traces: Iterable[ace.Trace]) -> ace.Report:
    """A folder learned in, after a look at what it would cost, and looked after."""
    folder = ace.Folder(root, rules=[rules])
    known = tuple(traces)
    plan: ace.Plan = ace.dry_run(folder, known, limit=10)
    assert plan.calls == 2 * len(plan.runs)
    report = ace.learn(folder, known, model=Echo(), limit=10, max_tokens=1_000_000)
    found: ace.Verification = ace.verify(folder)
    assert found.agrees
    assert folder.playbook() == found.playbook
    rebuilt: ace.Rebuilt = ace.rebuild(folder)
    page: bytes = ace.report(folder, max_bullets=50)
    adopted: ace.Adopted = ace.adopt(folder)
    assert adopted.was_known
    assert rebuilt.playbook == adopted.playbook
    assert page.startswith(b"<!doctype html>")
    return report
