"""What Reef recorded, into traces: calls joined, streams read, failures told, and nothing raised but `TraceError`."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from typing import Any, ClassVar

import pytest
from tests.reef.conftest import reef_is_installed

from ace.domain.errors import TraceError
from ace.domain.playbook import Playbook
from ace.domain.rules_block import block, digest_in
from ace.domain.trace import ToolCall, Turn, is_run, reply_of, task_of
from ace.events.types import Bullet

if not reef_is_installed():  # the package under test imports Reef
    pytest.skip("reef-infra is not installed", allow_module_level=True)

from reef.core.records_types import AgentRecord, RequestType
from reef.core.trajectories import make_trajectory
from reef.train.types import TrajectoryItem
from tests.reef.upstream import stream, tool_stream

from ace.adapters.reef.calls import read_call
from ace.adapters.reef.samples import calls_of, next_message, read_samples, trace_of
from ace.adapters.reef.streams import read_stream

USER = {"role": "user", "content": "Fix the bug."}
SYSTEM = {"role": "system", "content": "The rules."}


def record(
    messages: list[dict[str, Any]], response: dict[str, Any], *, name: str = "r1", **payload: Any
) -> AgentRecord:
    """One recorded call of Chat Completions or Messages."""
    return _record({"model": "m", "messages": messages, "response": response, **payload}, name)


def _record(payload: dict[str, Any], name: str) -> AgentRecord:
    return AgentRecord.create(
        scenario="s", request_type=RequestType.INFERENCE, payload=payload, agent_record_id=name
    )


def chat(content: str | None, **message: Any) -> dict[str, Any]:
    """A response of Chat Completions."""
    return {"choices": [{"message": {"role": "assistant", "content": content, **message}}]}


def streamed(body: bytes, **more: Any) -> dict[str, Any]:
    """A streamed response as Reef records it; of a stream of text it joins the text itself."""
    return {"stream": True, "status": 200, "complete": True, "body": body.decode(), **more}


def call(name: str, arguments: str, identity: str = "call_1") -> dict[str, Any]:
    """A tool's call as a client sends it back."""
    return {"id": identity, "type": "function", "function": {"name": name, "arguments": arguments}}


def delta(index: int = 0, **what: Any) -> dict[str, Any]:
    """One event of a stream of Chat Completions."""
    return {"choices": [{"index": index, "delta": what}]}


def part(identity: str, name: str, arguments: str) -> dict[str, Any]:
    """What such an event says of a tool's call."""
    return {"id": identity, "function": {"name": name, "arguments": arguments}}


def item(kind: str, arguments: str | None = None, **more: Any) -> dict[str, Any]:
    """An item of the Responses API that calls a tool."""
    return {"type": kind, "call_id": "c", "name": "look", "arguments": arguments, **more}


TWO = [("c1", "a", "{1}"), ("c2", "b", "{2}")]


class TestOneCall:
    """A call by itself."""

    def test_a_plain_client(self) -> None:
        """Task, reply, score and feedback; the rules do not belong to the run."""
        trace = trace_of(make_trajectory([record([SYSTEM, USER], chat("Done."))], 0.5, "well done"))
        assert (trace.id, task_of(trace), reply_of(trace)) == ("r1", "Fix the bug.", "Done.")
        assert (trace.score, trace.feedback, trace.failure) == (0.5, "well done", "")
        assert [turn.role for turn in trace.turns] == ["user", "assistant"]

    def test_feedback_that_is_an_object_is_json(self) -> None:
        """Compact, with its letters as they are."""
        trace = trace_of(make_trajectory([record([USER], chat("Done."))], 1.0, {"why": "schön", "n": 2}))
        assert trace.feedback == '{"why":"schön","n":2}'

    def test_a_call_without_score_that_ends_on_a_tool_is_no_run(self) -> None:
        """It is the middle of one."""
        trace = trace_of(make_trajectory([record([USER], chat(None, tool_calls=[call("bash", "{}")]))]))
        assert not is_run(trace)

    def test_a_streamed_tool_call_is_read_from_its_events(self) -> None:
        """Reef itself keeps an empty step of it."""
        body = tool_stream("bash", {"command": "ls"}).body
        trace = trace_of(make_trajectory([record([USER], streamed(body))], 1.0))
        assert trace.turns[-1] == Turn("assistant", "", (ToolCall("bash", '{"command": "ls"}', "call_1"),))

    def test_a_broken_stream(self) -> None:
        """What came through is there, with the reason."""
        body = stream("Half and more").body[:-60]
        response = streamed(body, complete=False, error="upstream SSE ended without a terminal event")
        trace = trace_of(make_trajectory([record([USER], response)], 0.0))
        assert reply_of(trace).startswith("Half")
        assert trace.failure == "The reply broke off: upstream SSE ended without a terminal event"

    def test_a_stream_cut_within_a_letter(self) -> None:
        """Reef keeps it as bytes; what came through is there."""
        body = tool_stream("bash", {"command": "ls"}).body.partition(b"data: [DONE]")[0] + b"data: {\xc3"
        response = {"stream": True, "status": 200, "complete": False, "error": "client disconnected"}
        kept = {**response, "body_base64": base64.b64encode(body).decode()}
        trace = trace_of(make_trajectory([record([USER], kept)], 0.0))
        assert [call.name for call in trace.turns[-1].calls] == ["bash"]

    @pytest.mark.parametrize(
        "events",
        [
            [delta(content="Half"), {"error": {"message": "overloaded", "code": 502}, **delta()}],
            [delta(content="Half"), {"type": "error", "error": {"type": "x", "message": "overloaded"}}],
            [
                delta(content="Half"),
                {"type": "response.failed", "response": {"error": {"message": "overloaded"}}},
            ],
            [delta(content="Half"), {"error": "overloaded"}],
            [delta(content="Half"), {"type": "error", "code": "x", "message": "overloaded"}],
        ],
        ids=["chat", "messages", "responses", "text", "event of responses"],
    )
    def test_an_error_within_a_stream_that_ends_well(self, events: list[dict[str, Any]]) -> None:
        """It is a failure, by its own words."""
        body = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        trace = trace_of(make_trajectory([record([USER], streamed(body.encode()))], 0.0))
        assert trace.failure == "The reply broke off: overloaded"
        assert reply_of(trace) == "Half"

    def test_a_reply_that_came_to_its_end_did_not_break_off(self) -> None:
        """Some endpoints leave out what ends the stream."""
        body = stream("All of it.").body.replace(b"data: [DONE]", b"")
        response = streamed(body, complete=False, error="upstream SSE ended without a terminal event")
        trace = trace_of(make_trajectory([record([USER], response)], 0.0))
        assert (reply_of(trace), trace.failure) == ("All of it.", "")

    def test_an_object_where_a_stream_was_asked_for(self) -> None:
        """Is read as one."""
        body = json.dumps(chat("Done.")).encode()
        assert reply_of(trace_of(make_trajectory([record([USER], streamed(body))], 0.0))) == "Done."

    def test_other_tools_of_the_responses_api(self) -> None:
        """Each call, with what came of it."""
        items = [
            USER,
            {"type": "custom_tool_call", "call_id": "c1", "name": "patch", "input": "*** Begin"},
            {"type": "custom_tool_call_output", "call_id": "c1", "output": "ok"},
            {"type": "local_shell_call", "call_id": "c2", "action": {"command": ["ls"]}},
            {"type": "local_shell_call_output", "call_id": "c2", "output": "a.txt"},
        ]
        reply = {"type": "custom_tool_call", "call_id": "c3", "name": "patch", "input": "more"}
        payload = {"model": "m", "input": items, "response": {"output": [reply]}}
        assert trace_of(make_trajectory([_record(payload, "r1")])).turns == (
            Turn("user", "Fix the bug."),
            Turn("assistant", "", (ToolCall("patch", "*** Begin", "c1"),)),
            Turn("tool", "ok", call_id="c1"),
            Turn("assistant", "", (ToolCall("local_shell_call", '{"command":["ls"]}', "c2"),)),
            Turn("tool", "a.txt", call_id="c2"),
            Turn("assistant", "", (ToolCall("patch", "more", "c3"),)),
        )

    def test_a_stream_that_the_client_left_has_no_error(self) -> None:
        """It is not complete, which says it."""
        trace = trace_of(make_trajectory([record([USER], streamed(b"", complete=False))], 0.0))
        assert trace.failure == "The reply broke off."

    def test_an_error_as_the_reply_is_a_failure(self) -> None:
        """By its HTTP status."""
        trace = trace_of(make_trajectory([record([USER], streamed(b"no", status=503))], 0.0))
        assert trace.failure == "The model's endpoint answered with HTTP status 503."

    def test_an_anthropic_client(self) -> None:
        """Blocks of content; the system text beside the messages is left out."""
        messages = [
            {"role": "user", "content": [{"type": "text", "text": "Fix the bug."}]},
            {
                "role": "assistant",
                "content": [{"type": "tool_use", "id": "t1", "name": "look", "input": {"at": 1}}],
            },
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": "t1", "content": "seen", "is_error": True}
                ],
            },
        ]
        response = {"role": "assistant", "content": [{"type": "text", "text": "Done."}]}
        trace = trace_of(make_trajectory([record(messages, response, system="The rules.")]))
        assert trace.turns == (
            Turn("user", "Fix the bug."),
            Turn("assistant", "", (ToolCall("look", '{"at":1}', "t1"),)),
            Turn("tool", "seen", call_id="t1", failed=True),
            Turn("assistant", "Done."),
        )

    def test_a_client_of_the_responses_api(self) -> None:
        """Its items become messages, its reasoning is left out."""
        items = [
            USER,
            {"type": "reasoning", "summary": []},
            {"type": "function_call", "call_id": "c1", "name": "look", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "c1", "output": "seen"},
        ]
        said = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Done."}]}
        payload = {"model": "m", "input": items, "instructions": "The rules.", "response": {"output": [said]}}
        sample = make_trajectory([_record(payload, "r1")])
        assert trace_of(sample).turns == (
            Turn("user", "Fix the bug."),
            Turn("assistant", "", (ToolCall("look", "{}", "c1"),)),
            Turn("tool", "seen", call_id="c1"),
            Turn("assistant", "Done."),
        )


class TestSeveralCalls:
    """The calls of one report."""

    def test_they_become_one_run(self) -> None:
        """Though the client sends the streamed replies back in other words than they came."""
        tool, answer = tool_stream("bash", {"command": "ls"}).body, stream("Well?").body
        back = {
            "role": "assistant",
            "content": None,
            "tool_calls": [call("bash", '{"command":"ls"}')],
            "extra": 1,
        }
        result = {"role": "tool", "tool_call_id": "call_1", "content": "a.txt"}
        again = {"role": "assistant", "content": [{"type": "text", "text": "Well?"}]}
        more = {"role": "user", "content": "And?"}
        calls = [
            record([SYSTEM, USER], streamed(tool), name="r1"),
            record([SYSTEM, USER, back, result], streamed(answer), name="r2"),
            record(
                [{**SYSTEM, "content": "Later rules."}, USER, back, result, again, more],
                chat("Done."),
                name="r3",
            ),
        ]
        trace = trace_of(make_trajectory(calls, 1.0))
        assert trace.id == "r3"
        assert [(turn.role, turn.text) for turn in trace.turns] == [
            ("user", "Fix the bug."),
            ("assistant", ""),
            ("tool", "a.txt"),
            ("assistant", "Well?"),
            ("user", "And?"),
            ("assistant", "Done."),
        ]

    def test_a_call_beside_the_conversation_stands_beside_it(self) -> None:
        """The conversation that went on last comes last, so that the run's reply is its reply."""
        aside = {"role": "user", "content": "Look it up."}
        said = {"role": "assistant", "content": "Working."}
        calls = [
            record([USER], chat("Working."), name="r1"),
            record([aside], chat("Bugs."), name="r2"),
            record([USER, said, {"role": "user", "content": "Go on."}], chat("Done."), name="r3"),
        ]
        trace = trace_of(make_trajectory(calls, 1.0))
        assert [turn.text for turn in trace.turns] == [
            "Look it up.",
            "Bugs.",
            "Fix the bug.",
            "Working.",
            "Go on.",
            "Done.",
        ]

    def test_the_failure_of_an_earlier_call_is_told(self) -> None:
        """The client asked again, and had an answer."""
        broken = streamed(b"", complete=False, error="gone")
        calls = [record([USER], broken, name="r1"), record([USER], chat("Done."), name="r2")]
        trace = trace_of(make_trajectory(calls, 1.0))
        assert [turn.text for turn in trace.turns] == ["Fix the bug.", "Done."]
        assert trace.failure == "The reply broke off: gone"

    TOOL: ClassVar = {"role": "assistant", "content": None, "tool_calls": [call("ls", "{}", "c1")]}
    RESULT: ClassVar = {"role": "tool", "tool_call_id": "c1", "content": "a.txt"}

    def texts(self, *records: AgentRecord) -> list[str]:
        """What was said in the one run of these calls: its texts, and the names of the tools that were called."""
        turns = trace_of(make_trajectory(list(records), 1.0)).turns
        return [turn.text or turn.calls[0].name for turn in turns]

    def test_a_report_may_name_them_in_any_order(self) -> None:
        """They are joined in the order of time."""
        first = replace(record([USER], chat(None, tool_calls=self.TOOL["tool_calls"])), created_at=1.0)
        second = replace(record([USER, self.TOOL, self.RESULT], chat("Done."), name="r2"), created_at=2.0)
        assert (
            self.texts(second, first) == self.texts(first, second) == ["Fix the bug.", "ls", "a.txt", "Done."]
        )

    def test_a_note_that_is_taken_out_again(self) -> None:
        """What was said before the reply that came back is kept as it was first, once."""
        noted = {"role": "user", "content": "Fix the bug. (A note.)"}
        first = record([noted], chat(None, tool_calls=self.TOOL["tool_calls"]))
        second = record([USER, self.TOOL, self.RESULT], chat("Done."), name="r2")
        assert self.texts(first, second) == ["Fix the bug. (A note.)", "ls", "a.txt", "Done."]

    def test_a_result_that_is_cut_later(self) -> None:
        """Is kept whole."""
        cut = {**self.RESULT, "content": "[cleared]"}
        first = record([USER, self.TOOL, self.RESULT], chat("Done."))
        more = [{"role": "assistant", "content": "Done."}, {"role": "user", "content": "More."}]
        second = record([USER, self.TOOL, cut, *more], chat("OK."), name="r2")
        assert self.texts(first, second) == ["Fix the bug.", "ls", "a.txt", "Done.", "More.", "OK."]

    def test_the_half_of_a_reply_that_the_client_left_out(self) -> None:
        """Is put back where it broke off; where the client kept it, it is there once."""
        broken = streamed(stream("Half of it").body[:-300], complete=False, error="client disconnected")
        first = record([USER], broken)
        half = reply_of(trace_of(make_trajectory([first], 1.0)))
        assert half
        more = {"role": "user", "content": "Go on."}
        for kept in ([], [{"role": "assistant", "content": half}]):
            second = record([USER, *kept, more], chat("Done."), name="r2")
            assert self.texts(first, second) == ["Fix the bug.", half, "Go on.", "Done."]

    def test_a_reply_that_the_client_left_out(self) -> None:
        """Is put back, though it was whole: what comes next may be about it."""
        again = {"role": "user", "content": "Not valid, again."}
        first = record([USER], chat("{"))
        second = record([USER, again], chat("Done."), name="r2")
        assert self.texts(first, second) == ["Fix the bug.", "{", "Not valid, again.", "Done."]

    def test_a_client_may_write_arguments_in_its_own_way(self) -> None:
        """A call beside it with the same beginning is not taken for the one that goes on."""
        reply = chat(None, tool_calls=[call("ls", '{"p": 1}', "c1")])
        said = {"role": "assistant", "content": None, "tool_calls": [call("ls", '{"p":1}', "c1")]}
        first, title = record([USER], reply), record([USER], chat("A title"), name="r2")
        second = record([USER, said, self.RESULT], chat("Done."), name="r3")
        assert self.texts(first, title, second) == [
            "Fix the bug.",
            "A title",
            "Fix the bug.",
            "ls",
            "a.txt",
            "Done.",
        ]

    def test_the_same_id_in_another_conversation_joins_nothing(self) -> None:
        """Where one goes on as it was, a call of the same words in another is its own."""
        other = {"role": "user", "content": "Fix the other."}
        tool = chat(None, tool_calls=self.TOOL["tool_calls"])
        one, two = record([USER], tool), record([other], tool, name="r2")
        three = record([other, self.TOOL, self.RESULT], chat("Done."), name="r3")
        four = record([USER, self.TOOL, self.RESULT], chat("Well."), name="r4")
        assert self.texts(one, two, three, four) == [
            *("Fix the other.", "ls", "a.txt", "Done."),
            *("Fix the bug.", "ls", "a.txt", "Well."),
        ]

    def test_the_task_is_what_was_asked_first(self) -> None:
        """Not what an agent was asked that was called on the way, though its run comes first."""
        other = {"role": "user", "content": "Look it up."}
        records = [
            record([USER], chat(None, tool_calls=self.TOOL["tool_calls"])),
            record([other], chat("Found."), name="r2"),
            record([USER, self.TOOL, self.RESULT], chat("Done."), name="r3"),
        ]
        trace = trace_of(make_trajectory(records, 1.0))
        assert (task_of(trace), reply_of(trace)) == ("Fix the bug.", "Done.")

    def test_a_count_of_tokens_says_nothing(self) -> None:
        """It has the request of another call, and no reply."""
        count = record([USER], {"input_tokens": 3}, name="r2")
        assert self.texts(record([USER], chat("Done.")), count) == ["Fix the bug.", "Done."]

    def test_two_agents_with_the_same_words_are_two(self) -> None:
        """A reply that both gave joins nothing, where they were asked other things."""
        other = {"role": "user", "content": "Fix the other."}
        said = {"role": "assistant", "content": "Done."}
        first = record([USER], chat("Done."))
        second = record([other, said, {"role": "user", "content": "More."}], chat("OK."), name="r2")
        assert self.texts(first, second) == [
            "Fix the bug.",
            "Done.",
            "Fix the other.",
            "Done.",
            "More.",
            "OK.",
        ]

    def test_the_same_request_twice_is_two_runs_of_it(self) -> None:
        """An agent that asks two at once: no reply is lost, and the conversation goes on where it was."""
        one, two = record([USER], chat("One."), name="r1"), record([USER], chat("Two."), name="r2")
        said = [turn.text for turn in trace_of(make_trajectory([one, two], 1.0)).turns]
        assert said == ["Fix the bug.", "One.", "Fix the bug.", "Two."]
        more = [USER, {"role": "assistant", "content": "One."}, {"role": "user", "content": "Go on."}]
        third = record(more, chat("Three."), name="r3")
        said = [turn.text for turn in trace_of(make_trajectory([one, two, third], 1.0)).turns]
        assert said == ["Fix the bug.", "Two.", "Fix the bug.", "One.", "Go on.", "Three."]

    @pytest.mark.parametrize("reply", [chat(""), {"error": {"message": "overloaded"}, "status": 503}])
    def test_the_same_request_after_a_failure_takes_its_place(self, reply: dict[str, Any]) -> None:
        """A client that tries again: the run has the request once."""
        one, two = record([USER], reply, name="r1"), record([USER], chat("Two."), name="r2")
        turns = trace_of(make_trajectory([one, two], 1.0)).turns
        assert [turn.text for turn in turns] == ["Fix the bug.", "Two."]


def user(text: str) -> dict[str, Any]:
    """What a user says."""
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    """What the agent says."""
    return {"role": "assistant", "content": text}


class TestWhatTheRunIs:
    """Where a run begins, and which calls do not belong to it."""

    EARLIER: ClassVar = [user("First question."), assistant("First answer.")]

    def test_a_report_on_the_second_turn_has_the_second_question(self) -> None:
        """The first is background."""
        trace = trace_of(make_trajectory([record([SYSTEM, *self.EARLIER, USER], chat("Done."))], 1.0))
        assert (task_of(trace), reply_of(trace)) == ("Fix the bug.", "Done.")
        assert [turn.text for turn in trace.turns] == ["Fix the bug.", "Done."]
        assert [turn.text for turn in trace.context] == ["First question.", "First answer."]

    def test_a_run_goes_on_over_all_its_calls(self) -> None:
        """It begins in the first of them, and what the user says in it belongs to it."""
        back = {"role": "assistant", "content": None, "tool_calls": [call("ls", "{}", "c1")]}
        result = {"role": "tool", "tool_call_id": "c1", "content": "a.txt"}
        calls = [
            record([*self.EARLIER, USER], chat(None, tool_calls=[call("ls", "{}", "c1")]), name="r1"),
            record([*self.EARLIER, USER, back, result], chat("Well?"), name="r2"),
            record(
                [*self.EARLIER, USER, back, result, assistant("Well?"), user("Go on.")],
                chat("Done."),
                name="r3",
            ),
        ]
        trace = trace_of(make_trajectory(calls, 1.0))
        assert task_of(trace) == "Fix the bug."
        assert [turn.text for turn in trace.turns] == [
            "Fix the bug.",
            "",
            "a.txt",
            "Well?",
            "Go on.",
            "Done.",
        ]
        assert [turn.text for turn in trace.context] == ["First question.", "First answer."]

    def test_of_a_session_each_turn_counts_once(self) -> None:
        """As traffic, where each call is a sample: the turns of all runs are those of the session."""
        said: list[dict[str, Any]] = []
        runs = []
        for turn in range(5):
            said.append(user(f"Question {turn}."))
            runs.append(
                trace_of(make_trajectory([record(list(said), chat(f"Answer {turn}."), name=f"r{turn}")]))
            )
            said.append(assistant(f"Answer {turn}."))
        assert [turn.text for run in runs for turn in run.turns] == [one["content"] for one in said]
        assert all(
            [t.text for t in run.context] == [m["content"] for m in said[: 2 * n]]
            for n, run in enumerate(runs)
        )

    def test_a_run_within_which_the_first_call_stands(self) -> None:
        """A report that leaves out the first calls of a run: what was asked is in the request."""
        back = {"role": "assistant", "content": None, "tool_calls": [call("ls", "{}", "c1")]}
        result = {"role": "tool", "tool_call_id": "c1", "content": "a.txt"}
        trace = trace_of(make_trajectory([record([*self.EARLIER, USER, back, result], chat("Done."))], 1.0))
        assert (task_of(trace), len(trace.turns), len(trace.context)) == ("Fix the bug.", 4, 2)

    TITLES: ClassVar = [
        ("Generate a short title for the following conversation.", "Fix the bug.", "Bug fix"),
        (
            "Analyze if this message indicates a new conversation topic. Extract a title.",
            "Fix the bug.",
            '{"isNewTopic": true}',
        ),
        (
            "You are a helper.",
            "### Task:\nSuggest 1-3 tags for the chat history below.\n\nUSER: Fix the bug.",
            '{"tags": ["bugs"]}',
        ),
        ("", "Write a branch name for this session: Fix the bug.", "fix-the-bug"),
        ("You are a helper.", "Suggest three follow-up questions for this chat.\n" + "x" * 9000, '["Why?"]'),
    ]

    @pytest.mark.parametrize(("rules", "asked", "reply"), TITLES)
    @pytest.mark.parametrize("place", [0, 1, 2])
    def test_what_names_the_conversation_is_no_part_of_it(
        self, rules: str, asked: str, reply: str, place: int
    ) -> None:
        """Titles, topic checks, tags: wherever among the calls they are, and also if they failed."""
        aside = record([{"role": "system", "content": rules}, user(asked)], chat(reply), name="aside")
        failed = record(
            [{"role": "system", "content": rules}, user(asked)],
            {"error": {"message": "no"}, "status": 503},
            name="aside",
        )
        for side in (aside, failed):
            calls = [
                record([SYSTEM, USER], chat("Working."), name="r1"),
                record([SYSTEM, USER, assistant("Working."), user("Go on.")], chat("Done."), name="r3"),
            ]
            trace = trace_of(make_trajectory([*calls[:place], side, *calls[place:]], 1.0))
            assert [turn.text for turn in trace.turns] == ["Fix the bug.", "Working.", "Go on.", "Done."]
            assert (task_of(trace), trace.failure) == ("Fix the bug.", "")

    def test_a_short_call_without_tools_beside_those_of_an_agent(self) -> None:
        """Whatever it asks, in whatever language; a long one may be a plan, and stays."""
        tools = [{"type": "function", "function": {"name": "ls"}}]
        run = [record([USER], chat("Done."), name="r1", tools=tools)]
        for said, kept in (("Kurz gesagt.", False), ("A plan. " * 100, True)):
            aside = record([user("Fasse zusammen: Fix the bug.")], chat(said), name="aside")
            turns = trace_of(make_trajectory([aside, *run], 1.0)).turns
            assert (said.strip() in [turn.text.strip() for turn in turns]) is kept

    def test_a_run_about_titles_is_one(self) -> None:
        """Where there is nothing beside it, or where it goes on."""
        asked = user("What is a good title for this chat message?")
        alone = record([asked], chat("Bugs."), name="r1")
        assert [turn.text for turn in trace_of(make_trajectory([alone], 1.0)).turns][1:] == ["Bugs."]
        more = record([asked, assistant("Bugs."), user("Another.")], chat("More bugs."), name="r2")
        other = record([USER], chat("Done."), name="r3")
        assert len(trace_of(make_trajectory([alone, other, more], 1.0)).turns) == 6

    def test_runs_that_were_interleaved_stay_apart(self) -> None:
        """Each as it went, one behind the other."""
        names = ("one", "two", "three")
        said: dict[str, list[dict[str, Any]]] = {name: [] for name in names}
        calls = []
        for turn in range(3):
            for name in names:
                said[name].append(user(f"{name} asks {turn}"))
                calls.append(record(list(said[name]), chat(f"{name} hears {turn}"), name=f"{name}{turn}"))
                said[name].append(assistant(f"{name} hears {turn}"))
        trace = trace_of(make_trajectory(calls, 1.0))
        assert [turn.text for turn in trace.turns] == [m["content"] for name in names for m in said[name]]
        assert task_of(trace) == "one asks 0"


def test_the_first_call_is_told_by_time() -> None:
    """In whatever order a report names them; of what is damaged nothing is told."""
    first = replace(record([USER], chat("One."), name="r1"), created_at=1.0)
    second = replace(record([USER], chat("Two."), name="r2"), created_at=2.0)
    sample = make_trajectory([second, first], 1.0)
    assert calls_of(sample)[0] == "r1"
    damaged: list[Any] = [[], "x", [1], [{}]]
    assert [calls_of(sample.with_metadata(records=odd)) for odd in damaged] == [[]] * 4
    assert calls_of(replace(sample, trajectory={**sample.trajectory, "extra": 5})) == []


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (("Q", "A", "N"), "N"),
        (("Q", "A in other words", "N", "B", "M"), "N"),
        (("Q", "A"), ""),
        (("Q",), ""),
        ((), ""),
        (("Other", "A", "N"), ""),
    ],
)
def test_what_the_user_said_next(said: tuple[str, ...], told: str) -> None:
    """Given what a later call sent, then it is the first message of the user behind the reply, if the conversation is the same."""
    run = read_call({"messages": [USER | {"content": "Q"}], "response": chat("A")})
    later = [{"role": ("user", "assistant")[at % 2], "content": text} for at, text in enumerate(said)]
    assert next_message(run, read_call({"messages": later}).said) == told


class TestDamage:
    """Samples that are not what they should be."""

    def test_a_damaged_sample_is_named_and_the_others_are_read(self) -> None:
        """By its record, with nothing of what it holds."""
        good = make_trajectory([record([USER], chat("Done."), name="good")])
        bad = make_trajectory([record([{"role": "critic", "content": "SECRET"}], chat("Done."), name="bad")])
        traces, unreadable = read_samples([bad, good])
        assert [trace.id for trace in traces] == ["good"]
        assert [(one.trace, "SECRET" in one.reason) for one in unreadable] == [("bad", False)]

    @pytest.mark.parametrize("reward", [True, "1", float("nan"), [1]])
    def test_a_score_that_is_no_number(self, reward: Any) -> None:
        """No run is made up from it."""
        sample = make_trajectory([record([USER], chat("Done."))]).with_metadata(reward=reward)
        with pytest.raises(TraceError):
            trace_of(sample)

    @pytest.mark.parametrize("records", [[], "x", [{"payload": 1}]])
    def test_records_of_another_shape(self, records: Any) -> None:
        """The name of the sample is known all the same."""
        sample = make_trajectory([record([USER], chat("Done."))]).with_metadata(records=records)
        traces, (unreadable,) = read_samples([sample])
        assert (traces, unreadable.trace) == ([], "r1")

    def test_whatever_a_sample_does_it_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """A score without end, or a bug of ours: the others are read."""
        good = make_trajectory([record([USER], chat("Done."))], 1.0)
        endless = good.with_metadata(reward=10**400)
        traces, unreadable = read_samples([endless, good])
        assert (len(traces), [one.reason for one in unreadable]) == (1, ["damaged: OverflowError"])
        monkeypatch.setattr("ace.adapters.reef.samples.recorded_payloads", lambda _: 1 / 0)
        assert [one.reason for one in read_samples([good])[1]] == ["damaged: ZeroDivisionError"]

    def test_a_lone_surrogate_can_be_written(self) -> None:
        """JavaScript cuts strings so."""
        trace = trace_of(
            make_trajectory(
                [record([{"role": "user", "content": "a\ud800"}], chat("b\udfff"))], 1.0, "c\ud800"
            )
        )
        assert [trace.turns[0].text, trace.turns[1].text, trace.feedback] == ["a\ufffd", "b\ufffd", "c\ufffd"]


def test_a_trace_without_a_trajectory_shows_task_and_reply() -> None:
    """The calls hold no message; Reef's steps hold what there is."""
    steps = [
        {"step_id": 1, "source": "user", "message": "Fix the bug."},
        {"step_id": 2, "source": "agent", "message": "Done."},
    ]
    reef: dict[str, Any] = {
        "source_agent_record_id": "r1",
        "reward": None,
        "feedback": None,
        "records": [{"payload": {"response": {}}}],
    }
    document = {"schema_version": "ATIF-v1.7", "agent": {}, "steps": steps, "extra": {"reef": reef}}
    trace = trace_of(TrajectoryItem(document))
    assert (trace.turns, task_of(trace), reply_of(trace)) == ((), "Fix the bug.", "Done.")


def test_an_imported_document_without_records_is_read_from_its_steps() -> None:
    """Tool calls and their results among them."""
    steps = [
        {"step_id": 1, "source": "user", "message": "Fix the bug."},
        {
            "step_id": 2,
            "source": "agent",
            "message": "",
            "tool_calls": [{"tool_call_id": "c1", "function_name": "look", "arguments": {}}],
            "observation": {"results": [{"source_call_id": "c1", "content": "seen"}]},
        },
        {"step_id": 3, "source": "agent", "message": "Done."},
    ]
    document = {"schema_version": "ATIF-v1.7", "agent": {}, "steps": steps, "trajectory_id": "t1"}
    trace = trace_of(TrajectoryItem(document))
    assert trace.id == "t1"
    assert [turn.role for turn in trace.turns] == ["user", "assistant", "tool", "assistant"]


@pytest.mark.parametrize(
    ("events", "text", "calls"),
    [
        (
            [
                {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
                {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Look."}},
                {
                    "type": "content_block_start",
                    "index": 1,
                    "content_block": {"type": "tool_use", "id": "t", "name": "look"},
                },
                {
                    "type": "content_block_delta",
                    "index": 1,
                    "delta": {"type": "input_json_delta", "partial_json": '{"a"'},
                },
                {
                    "type": "content_block_delta",
                    "index": 1,
                    "delta": {"type": "input_json_delta", "partial_json": ":1}"},
                },
                {
                    "type": "content_block_delta",
                    "index": 2,
                    "delta": {"type": "thinking_delta", "thinking": "Hm."},
                },
            ],
            "Look.",
            [("t", "look", '{"a":1}')],
        ),
        (
            [
                {"type": "response.output_text.delta", "delta": "Look."},
                {
                    "type": "response.output_item.done",
                    "output_index": 1,
                    "item": {"type": "function_call", "call_id": "c", "name": "look", "arguments": "{}"},
                },
            ],
            "Look.",
            [("c", "look", "{}")],
        ),
        ([{"choices": []}, {"choices": [None]}, {"type": "ping"}], "", []),
        ([delta(content="A"), delta(1, content="B"), delta(content="C")], "AC", []),
        ([delta(tool_calls=[part("c1", "a", "{1}")]), delta(tool_calls=[part("c2", "b", "{2}")])], "", TWO),
        (
            [
                delta(
                    tool_calls=[
                        {**part("c1", "a", "{1}"), "index": 0},
                        {**part("c2", "b", "{2}"), "index": 0},
                    ]
                )
            ],
            "",
            TWO,
        ),
        (
            [
                delta(
                    tool_calls=[{**part("c1", "a", "{"), "index": 0}, {**part("c2", "b", "{"), "index": 1}]
                ),
                delta(tool_calls=[{**part("c1", "a", "1}"), "index": 0}]),
                delta(tool_calls=[{**part("", "", "2}"), "index": 1}]),
            ],
            "",
            TWO,
        ),
        ([{"choices": [{"index": 0, "text": "A"}]}, {"choices": [{"message": {"content": "B"}}]}], "AB", []),
        ([delta(tool_calls=[{**part("c1", "a", "{1}"), "index": [0]}])], "", TWO[:1]),
        (
            [
                {
                    "type": "content_block_start",
                    "index": 0,
                    "content_block": {
                        "type": "server_tool_use",
                        "id": "c",
                        "name": "look",
                        "input": {"a": 1},
                    },
                }
            ],
            "",
            [("c", "look", '{"a": 1}')],
        ),
        (
            [
                {
                    "type": "response.output_item.done",
                    "output_index": 0,
                    "item": {"type": "local_shell_call", "call_id": "c", "action": {"command": ["ls"]}},
                },
                {
                    "type": "response.output_item.done",
                    "output_index": 1,
                    "item": {"type": "message", "content": [{"type": "output_text", "text": "Done."}]},
                },
            ],
            "Done.",
            [("c", "local_shell_call", '{"command": ["ls"]}')],
        ),
        ([delta(refusal="I can"), delta(refusal="not.")], "I cannot.", []),
        ([{"type": "response.refusal.delta", "delta": "No."}], "No.", []),
        (
            [delta(function_call={"name": "a", "arguments": "{"}), delta(function_call={"arguments": "}"})],
            "",
            [("", "a", "{}")],
        ),
        (
            [
                {"type": "response.output_item.added", "output_index": 0, "item": item("function_call", "")},
                {"type": "response.function_call_arguments.delta", "output_index": 0, "delta": "{"},
            ],
            "",
            [("c", "look", "{")],
        ),
        (
            [
                {"type": "response.output_item.added", "output_index": 0, "item": item("custom_tool_call")},
                {"type": "response.custom_tool_call_input.delta", "output_index": 0, "delta": "a pa"},
                {
                    "type": "response.output_item.done",
                    "output_index": 0,
                    "item": item("custom_tool_call", input="a patch"),
                },
            ],
            "",
            [("c", "look", "a patch")],
        ),
    ],
    ids=[
        "messages",
        "responses",
        "nothing",
        "choices",
        "calls without an index",
        "calls at one index",
        "calls in turns",
        "completions",
        "an index that is none",
        "whole blocks",
        "whole items",
        "refusal",
        "refusal of responses",
        "function",
        "half a call",
        "custom tool",
    ],
)
def test_streams(events: list[dict[str, Any]], text: str, calls: list[tuple[str, str, str]]) -> None:
    """Of three APIs, with blank lines, names of events, halves of events and an end that is not JSON."""
    lines = [f"event: x\r\ndata: {json.dumps(event)}\r\n\r\n" for event in events]
    message = read_stream("".join([*lines, "data: [DONE]\n\n", 'data: {"choices"'])).message
    found = [
        (c["id"], c["function"]["name"], c["function"]["arguments"]) for c in message.get("tool_calls", [])
    ]
    assert (message["content"], found) == (text, calls)


class TestHad:
    """Which playbook the agent was given."""

    BLOCK = block(Playbook(2, (Bullet("ace-00001", "Others", "Look first.", 1, 0, 1),)), ("Others",))
    DIGEST = digest_in(BLOCK.encode())

    @pytest.mark.parametrize(
        ("messages", "more"),
        [
            ([{"role": "system", "content": f"Rules.\n\n{BLOCK}\n"}, USER], {}),
            ([{"role": "developer", "content": [{"type": "text", "text": BLOCK}]}, USER], {}),
            ([USER], {"system": f"Rules.\n\n{BLOCK}\n"}),
            ([USER], {"system": [{"type": "text", "text": BLOCK}]}),
        ],
    )
    def test_a_block_among_the_rules(self, messages: list[dict[str, Any]], more: dict[str, Any]) -> None:
        """It is found in a system message, or beside the messages, and no turn of the run shows it."""
        trace = trace_of(make_trajectory([record(messages, chat("Done."), **more)]))
        assert trace.had == self.DIGEST
        assert [turn.role for turn in trace.turns] == ["user", "assistant"]

    def test_a_release_tells_where_no_message_does(self) -> None:
        """What was read in a message is what the agent had."""
        other = "0" * 64
        plain = make_trajectory([record([USER], chat("Done."))]).with_metadata(ace_had=other)
        assert trace_of(plain).had == other
        told = make_trajectory([record([{"role": "system", "content": self.BLOCK}, USER], chat("Done."))])
        assert trace_of(told.with_metadata(ace_had=other)).had == self.DIGEST

    def test_the_first_call_tells(self) -> None:
        """Of several calls the first that holds one counts; without any, nothing is known."""
        first = record([{"role": "system", "content": self.BLOCK}, USER], chat("One."), name="r1")
        other = record([SYSTEM, {"role": "user", "content": "More."}], chat("Two."), name="r2")
        assert trace_of(make_trajectory([other, first])).had == self.DIGEST
        assert trace_of(make_trajectory([other])).had == ""
