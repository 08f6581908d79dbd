"""`ace learn` against a server on this machine that misbehaves: what it prints, how the command ends, and what the next one reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.adapters.commands import ace
from tests.adapters.hosting import P1, Place, curation, reflection
from tests.adapters.loopback import Answer, Loopback, Raw, Reply, completion, status, text

from ace.domain.playbook import Playbook
from ace.events.types import RunRead, RunSkipped, TagCounted

type Learn = Callable[..., tuple[int, str, str]]


@pytest.fixture
def place(tmp_path: Path) -> Place:
    """A folder with one bullet, which every run finds helpful."""
    return Place(tmp_path / "work", rules=b"# Rules\n", playbook=P1)


@pytest.fixture
def learn(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Learn:
    """Give the command for so many runs; exit status, output, errors."""
    monkeypatch.setattr("openai._base_client.INITIAL_RETRY_DELAY", 0.0)

    def give(server: Loopback, runs: int, *more: object) -> tuple[int, str, str]:
        for name, value in server.environ().items():
            monkeypatch.setenv(name, value)
        path = tmp_path / "runs.jsonl"
        rows = [{"id": f"r{n}", "task": f"Do task {n}.", "reply": "Done."} for n in range(runs)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        capsys.readouterr()
        code = ace("learn", path, "--work", place.root, *more)
        out, err = capsys.readouterr()
        return code, out, err

    return give


def role_of(body: dict[str, Any]) -> str:
    """Which role asks."""
    return "reflector" if body["messages"][0]["content"].startswith("You are the Reflector") else "curator"


def good(body: dict[str, Any], _: int) -> Reply:
    """Tags the one bullet, and learns a lesson from each run."""
    prompt = body["messages"][0]["content"]
    if role_of(body) == "reflector":
        return text(reflection(("ace-00001", "helpful")))
    task = next(line for line in prompt.splitlines() if line.startswith("Do task"))
    return text(curation(f"What {task.removeprefix('Do task ').rstrip('.')} teaches."))


def ended(reason: str, content: object, **message: object) -> Reply:
    """A completion that the endpoint says ended so."""
    body = completion(content, **message)
    body["choices"][0]["finish_reason"] = reason
    return Raw(json.dumps(body).encode())


def helped(place: Place) -> int:
    """How often the one bullet was found helpful since."""
    return place.playbook().bullets[0].helpful - P1.bullets[0].helpful


@pytest.mark.parametrize("size", [1, 4, pytest.param(12, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("reply", "told"),
    [
        (
            ended("length", None, reasoning_content="Let me think"),
            "cut off at the token limit (all of it reasoning)",
        ),
        (ended("length", '{"operations": []'), "cut off at the token limit"),
        (ended("content_filter", "half"), "a filter of the endpoint"),
        (ended("stop", "", reasoning_content='{"operations": []}'), "all of it is in reasoning_content"),
        (text("It went well."), "holds no complete JSON object"),
        (text(""), "empty reply"),
    ],
)
def test_a_model_of_which_nothing_is_usable(
    place: Place, learn: Learn, reply: Reply, told: str, size: int
) -> None:
    """Given twelve runs and the same useless answer each time, then the command stops after the third with what came and what
    helps; given a healthy endpoint, the same command reads all twelve.
    """
    with Loopback(lambda _body, _n: reply) as server:
        code, out, err = learn(server, 12, "--runs-per-step", size, "--schema", "off")
        assert (code, len(server.bodies)) == (1, 3)
    assert told in err
    assert "Stopped: the first 3 calls brought nothing usable" in err
    assert "calls.json" in err
    if "reasoning" in told:
        assert "--max-tokens" in err
    assert "0 runs read" in out
    with Loopback(good) as server:
        code, out, err = learn(server, 12)
        assert code == 0
    assert sorted(place.runs_read()) == sorted(f"r{n}" for n in range(12))
    assert helped(place) == 12
    assert place.agrees()


@pytest.mark.parametrize(
    "fault", [status(429, "slow down"), status(500, "oops"), text("no JSON"), ended("length", "x")]
)
def test_a_curator_that_is_not_reached_or_not_understood(place: Place, learn: Learn, fault: Reply) -> None:
    """Given a good reflection and no curation, then 1; given a healthy endpoint, the run gets its bullet, its tags count once."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        return fault if role_of(body) == "curator" else good(body, n)

    with Loopback(answer) as server:
        assert learn(server, 1)[0] == 1
    assert (helped(place), place.contents()) == (1, [P1.bullets[0].content])
    with Loopback(good) as server:
        assert learn(server, 1)[0] == 0
        assert [role_of(body) for body in server.bodies] == ["curator"]
        assert learn(server, 1)[0] == 0
        assert len(server.bodies) == 1
    assert (helped(place), place.contents()) == (1, [P1.bullets[0].content, "What 0 teaches."])


def test_quota_that_ends_in_the_middle_of_a_step(place: Place, learn: Learn) -> None:
    """Given four good calls of a step of six runs, then the two whole runs are kept in a committed step, 2, and the rest is read
    by the next command.
    """

    def answer(body: dict[str, Any], n: int) -> Reply:
        return good(body, n) if n <= 4 else status(429, "You exceeded it", error_code="insufficient_quota")

    with Loopback(answer) as server:
        code, out, err = learn(server, 8, "--runs-per-step", 6)
        asked = len(server.bodies)
    assert code == 2
    assert "the account's quota is spent" in err
    assert "2 runs read" in out
    assert asked <= 5 + 4  # the SDK may try a 429 again, and no other run is asked about
    assert place.runs_read() == ["r0", "r1"]
    assert "Not tried, and can be tried again with the same command: r6, r7." in out
    with Loopback(good) as server:
        assert learn(server, 8)[0] == 0
    assert sorted(place.runs_read()) == [f"r{n}" for n in range(8)]
    assert helped(place) == 8


def test_a_gateway_that_dislikes_one_prompt(place: Place, learn: Learn) -> None:
    """Given a page of 403 for the first prompt alone, then the runs behind it are read, today and tomorrow."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        if "Do task 0." in body["messages"][0]["content"]:
            return Raw(b"<html><h1>Access denied</h1></html>", status=403, content_type="text/html")
        return good(body, n)

    with Loopback(answer) as server:
        code, out, _ = learn(server, 3)
        assert code == 1
        assert place.runs_read() == ["r1", "r2"]
        assert "Failed, and can be tried again with the same command: r0." in out
        code, _, _ = learn(server, 5)
        assert code == 1
        assert place.runs_read() == ["r1", "r2", "r3", "r4"]
        assert "Do task 0." in server.prompts[-1]  # what was tried without success comes last


def test_three_prompts_that_a_gateway_dislikes_block_nothing(place: Place, learn: Learn) -> None:
    """Given three such at the front, then the command stops, and the next one begins with the others."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        bad = any(f"Do task {one}." in body["messages"][0]["content"] for one in range(3))
        return status(403, "blocked by policy") if bad else good(body, n)

    with Loopback(answer) as server:
        assert learn(server, 5)[0] == 1
        assert place.runs_read() == []
        assert learn(server, 5)[0] == 1
    assert place.runs_read() == ["r3", "r4"]


def test_a_run_that_is_too_long_for_the_model(place: Place, learn: Learn) -> None:
    """Given a context that one run exceeds, then it is told once, with both lengths and the setting; it blocks nothing, is not
    asked about again, and is read once less of it is shown, by another model, or with `--again`.
    """

    def answer(body: dict[str, Any], n: int) -> Reply:
        if "Do task 0." in body["messages"][0]["content"] and body["model"] == "loopback":
            return status(
                400, "This model's maximum context length is 4097 tokens. However, you sent 5000 tokens."
            )
        return good(body, n)

    with Loopback(answer) as server:
        code, out, err = learn(server, 2)
        assert code == 0
        assert "4097" in err
        assert "5000" in err
        assert "max_trace_characters" in err
        assert "Too long for this model: r0." in out
        assert place.runs_read() == ["r1"]
        asked = len(server.bodies)
        code, out, err = learn(server, 2)
        assert (code, len(server.bodies)) == (0, asked)
        assert "r0" not in out + err
        assert learn(server, 2, "--again")[0] == 0
        assert len(server.bodies) > asked
        assert learn(server, 2, "--model", "larger")[0] == 0
    assert "r0" in place.runs_read()


def test_a_command_that_reads_nothing_never_ends_well(learn: Learn) -> None:
    """Given one run that is too long, and no other, then it is told, and the status is 1 that time."""
    with Loopback(lambda _body, _n: status(400, "context_length_exceeded: 5000 > 4097")) as server:
        code, out, _ = learn(server, 1)
    assert code == 1
    assert "Too long for this model: r0." in out


def test_three_counted_unusable_replies_end_the_asking(place: Place, learn: Learn) -> None:
    """Given a run whose reply is never usable among runs whose replies are, then after three commands it is passed over, and
    the third says so; a reply that came before any usable one does not count.
    """

    def answer(body: dict[str, Any], n: int) -> Reply:
        return text("I cannot say.") if "Do task 0." in body["messages"][0]["content"] else good(body, n)

    with Loopback(answer) as server:
        codes = [learn(server, runs)[0] for runs in (2, 3, 4)]
        code, out, _ = learn(server, 5)
        assert (codes, code) == ([1, 1, 1], 0)
        assert "after 3 such replies the run is passed over" in out
        asked = len(server.bodies)
        assert learn(server, 5)[0] == 0
        assert len(server.bodies) == asked
    attempts = [event.attempt for event in place.events() if isinstance(event, RunSkipped)]
    assert attempts == [0, 1, 2, 3]


def test_a_prompt_that_the_server_cut(place: Place, learn: Learn) -> None:
    """Given fewer prompt tokens than the prompt can have, then output and summary warn, and say what helps."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        reply = good(body, n)
        assert isinstance(reply, Raw)
        told = json.loads(reply.body)
        told["usage"]["prompt_tokens"] = 512
        return Raw(json.dumps(told).encode())

    with Loopback(answer) as server:
        code, _, err = learn(server, 1)
    assert code == 0
    assert "the server seems to have cut the reflector's prompt for r0: it counted 512 tokens in " in err
    summary = (place.root / "steps" / "00002" / "output" / "summary.md").read_text()
    assert "## Noticed" in summary
    assert "max_trace_characters" in summary
    notes = (place.root / "steps" / "00002" / "output" / "notes.jsonl").read_text()
    assert '"event":"Remark"' in notes


@pytest.mark.parametrize("rules", [None, b"# Rules\n"])
def test_a_check_that_refuses_everything(place: Place, learn: Learn, rules: bytes | None) -> None:
    """Given `--check false`, with or without a rules file, then no call is paid for."""
    place.rules.unlink()
    if rules is not None:
        place.rules.write_bytes(rules)
    with Loopback(good) as server:
        code, _, err = learn(server, 14, "--check", "false")
        assert (code, server.bodies) == (2, [])
    assert "refuses the tree as it is" in err


def test_a_check_that_refuses_every_candidate(learn: Learn, tmp_path: Path) -> None:
    """Given a check that admits the rules as they are and nothing else, then the command stops after the first refusals."""
    script = tmp_path / "check.sh"
    script.write_text('#!/bin/sh\n! grep -q "What" "$1"\n')
    script.chmod(0o755)
    with Loopback(good) as server:
        code, out, err = learn(server, 14, "--check", script)
        assert (code, len(server.bodies)) == (1, 6)
    assert "The check refused 3 steps one after the other" in err
    assert "Not tried, and can be tried again with the same command: r3," in out


def test_a_command_says_what_it_cost_and_where_runs_go(place: Place, learn: Learn) -> None:
    """Given a new folder, then it is said how many runs go to which host, once; and at the end calls, tokens and seconds. A dry run
    counts tokens by what the earlier calls came to.
    """
    place.snapshot.unlink()
    with Loopback(good) as server:
        _, _, err = learn(server, 2, "--dry-run")
        _, out, err = learn(server, 2)
        assert "2 runs of yours will be sent to 127.0.0.1." in err
        assert "Asked: 4 calls, 44 + 28 tokens, " in out
        _, out, err = learn(server, 3)
        assert "will be sent" not in err
        asked = len(server.bodies)
        _, out, _ = learn(server, 5, "--dry-run")
        assert "They would be sent to 127.0.0.1. About " in out
        assert "(as in the earlier calls of this folder)" in out
        assert len(server.bodies) == asked


def test_a_limit_of_runs(place: Place, learn: Learn) -> None:
    """Given `--limit 2` of five runs, then two are read, the others are said to be left, and the next command goes on."""
    with Loopback(good) as server:
        code, out, _ = learn(server, 5, "--limit", 2)
        assert (code, len(server.bodies)) == (0, 4)
        assert "Left for later by --limit: 3 runs." in out
        assert learn(server, 5, "--dry-run", "--limit", 1)[1].count("2 calls") == 1
        learn(server, 5)
    assert place.runs_read() == [f"r{n}" for n in range(5)]


@pytest.mark.parametrize("size", [1, 5])
def test_a_budget_of_tokens(place: Place, learn: Learn, size: int) -> None:
    """Given a budget that three calls use up, then no other is begun, what got through is kept, the status is 1, and the next
    command reads the rest.
    """
    with Loopback(good) as server:
        code, _, err = learn(server, 5, "--max-tokens-total", 50, "--runs-per-step", size)
        assert (code, len(server.bodies)) == (1, 3)
        assert "--max-tokens-total) is spent" in err
        assert place.runs_read()[:1] == ["r0"]
        assert learn(server, 5)[0] == 0
    assert helped(place) == 5
    assert sorted(place.contents()[1:]) == [f"What {n} teaches." for n in range(5)]


def test_calls_keep_how_they_ended(place: Place, learn: Learn) -> None:
    """Given good and failed calls, then `calls.json` holds how each ended and where text was."""

    def answer(body: dict[str, Any], n: int) -> Reply:
        if role_of(body) == "curator":
            return ended("length", None, reasoning_content="hm")
        return good(body, n)

    with Loopback(answer) as server:
        learn(server, 1)
    calls = json.loads((place.root / "steps" / "00002" / "calls.json").read_bytes())
    kept = [(call["role"], call["finish_reason"], call["found"], call["error"] is None) for call in calls]
    assert kept == [("reflector", "stop", "content", True), ("curator", "length", "reasoning_content", False)]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--model", "a", "--model", "b"], "--model is given twice"),
        (["--timeout", "soon"], "argument --timeout: 'soon' is not a number"),
        (["--timeout", "-1"], "--timeout must be a number of seconds above 0"),
        (["--max-tokens", "0"], "argument --max-tokens"),
        (["--body", "x"], "--body takes KEY=JSON"),
        (["--header", "api-key"], "--header takes NAME=VARIABLE"),
        (["--header", "api-key=NOT_SET_ANYWHERE"], "named by --header api-key, is not set"),
        (["--base-url", "localhost:8000"], "--base-url must start with http://"),
        (["--schema", "maybe"], "argument --schema"),
        (
            ["--set", "max_trace_characters=10"],
            "max_trace_characters must be a whole number of at least 1000",
        ),
    ],
)
def test_errors_of_options_name_the_option(learn: Learn, options: list[str], told: str) -> None:
    """Given an option that cannot be, then nothing is asked, and the sentence names it."""
    with Loopback(good) as server:
        code, _, err = learn(server, 1, *options)
        assert (code, server.bodies) == (2, [])
    assert told in err
    assert err.count("\n") == 1


def test_two_runs_of_one_id_and_beginning(place: Place, learn: Learn) -> None:
    """Given the same id with other tasks each day, and an unusable reply for the first, then each day's run is read."""
    answers: dict[str, Answer] = {"bad": lambda _body, _n: text("hm"), "good": good}
    for kind, runs in (("bad", 1), ("good", 1)):
        with Loopback(answers[kind]) as server:
            learn(server, runs)
    assert place.runs_read() == ["r0"]
    assert isinstance(place.playbook(), Playbook)
    assert sum(isinstance(event, TagCounted) for event in place.events()) == 1
    assert [event.of for event in place.events() if isinstance(event, RunRead)] == [0]
