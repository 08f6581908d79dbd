"""The faults of others, row by row: `test_case_<row>_…` holds the whole kind of which the row is one.

Rows that need files, a log or the command are in the tests of the adapters.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from tests.domain.fakes import CREDENTIALS, HIDDEN, MARKERS, OVERRIDES
from tests.domain.given import (
    P1,
    SECTION,
    STEP,
    add,
    bullet,
    curate,
    curation,
    playbook,
    reflection,
    run,
    tag,
    take_step,
    was_read,
    was_skipped,
)

from ace.domain.errors import MarkerError, SettingsError, StateError
from ace.domain.playbook import Bullet, Playbook, parse_playbook
from ace.domain.replies import MAX_REPLY
from ace.domain.rules_block import BEGIN, END, block, find_block, lines_outside, splice
from ace.domain.screens import PLACEHOLDER, redact
from ace.domain.settings import ACESettings, parse_settings
from ace.domain.step import CallFailed, Reply
from ace.domain.summary import count
from ace.domain.trace import ToolCall, Trace, Turn, is_run, task_of
from ace.domain.transcript import outcome, transcript
from ace.domain.unread import task_digest
from ace.events.types import (
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    OperationIgnored,
    Refused,
    RunSkipped,
    TagCounted,
    TagIgnored,
)

ONE_ADD = curation(add("Run the tests."))
ADDED = BulletAdded("a", 0, "ace-00002", SECTION, "Run the tests.", STEP)
COUNTED = TagCounted("a", 0, "ace-00001", "helpful")


# --- what holds the asked JSON --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fence",
    [
        "```json\n{}\n```",
        "```\n{}\n```",
        "```JSON\r\n{}\r\n```",
        "~~~json\n{}\n~~~",
        "```json {}```",
        "```json\n{}",
    ],
)
def test_case_1_a_reflection_in_a_fence_counts(fence: str) -> None:
    """Given a Reflector's reply in a code fence of any kind, then its tags count."""
    reply = fence.replace("{}", reflection(tag(1)))
    taken = take_step(P1, [run()], [reply, curation()])
    assert taken.events == (COUNTED, was_read())


@pytest.mark.parametrize(
    "reply",
    [
        f"Sure!\n```\n{ONE_ADD}\n```\nHope it helps.",
        f"Sure! {ONE_ADD} Hope it helps.",
        f"I looked at {{the run}} and {{}}.\n{ONE_ADD}",
        f"Operations [ace-00001] [1] [see below](x) [ ]: {ONE_ADD}",
        f"A set is {{1, 2}}, a dict is {{'a': 1}}.\n\n{ONE_ADD}\n\nThat is all. {{done}}",
        f'The draft {{"type": "ADD", ...}} became:\n{ONE_ADD}',
        f'{{"note": "this first"}}\n{ONE_ADD}',
        f"{ONE_ADD}\n{{}}",
        json.dumps(json.loads(ONE_ADD), indent=4),
    ],
)
def test_case_2_a_curation_within_prose_counts(reply: str) -> None:
    """Given prose, fences and other objects around the one that fits, then it is found and adds 1."""
    taken = take_step(P1, [run()], [reflection(), reply])
    assert taken.events == (ADDED, was_read())


@pytest.mark.parametrize("name", ["think", "thinking", "THINK", "reasoning", "thought"])
def test_case_3_a_draft_within_finished_reasoning_does_not_count(name: str) -> None:
    """Given reasoning that holds a draft, when it is finished, then only what is outside of it counts."""
    draft = f'<{name}>maybe {{"operations": []}} or {curation(add("A draft."))}</{name}>'
    for reply in (draft + ONE_ADD, ONE_ADD + draft, f"Well.\n{draft}\n```json\n{ONE_ADD}\n```"):
        assert take_step(P1, [run()], [reflection(), reply]).events == (ADDED, was_read())


@pytest.mark.parametrize(
    "reply",
    [
        f"<think>maybe {ONE_ADD}",
        f"{curation(add('Before.'))}</think>",
        f"<think>one</think><think>two {ONE_ADD}",
        f"<think><think>inner</think> draft {ONE_ADD}</think>",
        f"draft {ONE_ADD}</think> and nothing more",
    ],
)
def test_case_3_nothing_within_unfinished_reasoning_counts(reply: str) -> None:
    """Given a draft in reasoning that is not finished, or that began before the reply, then it is not the asked JSON."""
    taken = take_step(P1, [run()], [reflection(tag(1)), reply])
    (counted, read) = taken.events
    assert counted == COUNTED
    assert read in {was_read("a", "unusable reply", reason) for reason in ("empty reply", NO_OBJECT)}


NO_OBJECT = "the reply holds no complete JSON object"
TWO_ADDS = curation(add("First lesson, whole."), add('Second {lesson}, with "quotes" and \\ in it.'))


def test_case_4_a_cut_curation_adds_nothing() -> None:
    """Given a Curator's reply cut at any place, then nothing is added, the tags still count, and the reason is told."""
    for cut in range(1, len(TWO_ADDS)):
        taken = take_step(P1, [run()], [reflection(tag(1)), TWO_ADDS[:cut]])
        assert taken.events == (COUNTED, was_read("a", "unusable reply", NO_OBJECT))


@pytest.mark.parametrize(
    "reply",
    [
        '{"answer": ' + ONE_ADD,
        '{"note": \'single\', "result": ' + ONE_ADD + "}",
        '{"note": oops, "list": [' + ONE_ADD + ", " + ONE_ADD + "]}",
        '{"operations": [{"type": "ADD", "section": "Others", "content": "Say "' + ONE_ADD + '" then."}]}',
    ],
)
def test_case_4_an_object_inside_a_broken_one_is_no_answer(reply: str) -> None:
    """Given a broken object around one that would fit, then that is not salvaged."""
    taken = take_step(P1, [run()], [reflection(), reply])
    assert taken.events == (was_read("a", "unusable reply", NO_OBJECT),)


def test_case_5_no_operations_is_no_skip() -> None:
    """Given an empty list of operations, then the run is read and nothing is added; given half of it, it is told."""
    assert take_step(P1, [run()], [reflection(), '{"operations": []}']).events == (was_read(),)
    half = take_step(P1, [run()], [reflection(), '{"operations": ['])
    assert half.events == (was_read("a", "unusable reply", NO_OBJECT),)


@pytest.mark.parametrize(
    "reply", ["", " \t\r\n", "\u3000\u2028", "```json\n```", "```\n\n```", "~~~\n~~~", "json"]
)
def test_case_6_an_empty_reply_skips_its_run_alone(reply: str) -> None:
    """Given an empty Reflector's reply, then its run is skipped as such, and the next one is still read."""
    taken = take_step(P1, [run("a"), run("b")], [reply, reflection(), curation()])
    assert taken.events == (was_skipped("a", "unusable reply", "empty reply", attempt=1), was_read("b"))


def _one_add(content: str) -> str:
    return f'{{"operations": [{{"type": "ADD", "section": "{SECTION}", "content": {content}}}]}}'


@pytest.mark.parametrize(
    "content",
    [
        '"Use "quotes" here"',
        '""Use" quotes"',
        '"Use quotes""',
        '"Print {"a": 1} first"',
        '"Reply with {"operations": []} when nothing is new"',
        r'"Look into C:\new\users"',
        '"Half a sentence',
        'Half a sentence"',
        '"Half a sentence, "step": 1',
        "'Half a sentence'",
    ],
)
def test_case_7_a_broken_string_stores_nothing(content: str) -> None:
    """Given a content that is not escaped or not closed, then nothing of it is stored."""
    taken = take_step(P1, [run()], [reflection(tag(1)), _one_add(content)])
    assert taken.events == (COUNTED, was_read("a", "unusable reply", NO_OBJECT))


def test_case_7_a_line_break_within_a_string_is_read() -> None:
    """Given a string with raw line breaks, then exactly its text is stored, on one line."""
    reply = curation(add("Run\nthe\ttests.")).replace("\\n", "\n").replace("\\t", "\t")
    assert take_step(P1, [run()], [reflection(), reply]).events == (ADDED, was_read())


# --- tags -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "identifier", ["ace-00999", "ace-00002", "ace-1", "ace-000001", "1", "", "Read the test."]
)
def test_case_8_an_unknown_id_has_no_effect(identifier: str) -> None:
    """Given a tag for a bullet that is not there, then it is counted as unknown, and the other one counts."""
    taken = take_step(P1, [run()], [reflection({"id": identifier, "tag": "helpful"}, tag(1)), curation()])
    assert taken.events == (
        TagIgnored("a", 0, identifier, "unknown id"),
        TagCounted("a", 1, "ace-00001", "helpful"),
        was_read(),
    )
    assert taken.playbook == playbook(bullet(1, P1.bullets[0].content, helpful=3))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("good", '"good"'),
        ("", '""'),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (1, "that is no text"),
        (["helpful"], "that is no text"),
        ({"helpful": 1}, "that is no text"),
    ],
)
def test_case_9_a_tag_counts_by_its_word(value: Any, shown: str) -> None:
    """Given tags in other case and with blanks, then they count; anything else is ignored and named."""
    before = playbook(bullet(1), bullet(2), bullet(3))
    taken = take_step(
        before, [run()], [reflection(tag(1, "HELPFUL"), tag(2, " helpful\n"), tag(3, value)), curation()]
    )
    assert taken.events == (
        TagCounted("a", 0, "ace-00001", "helpful"),
        TagCounted("a", 1, "ace-00002", "helpful"),
        TagIgnored("a", 2, "ace-00003", f"unknown tag {shown}"),
        was_read(),
    )
    assert [b.helpful for b in taken.playbook.bullets] == [1, 1, 0]


@pytest.mark.parametrize("first", ["helpful", "harmful", "neutral"])
def test_case_10_one_bullet_gets_one_tag_a_run(first: str) -> None:
    """Given one id tagged three times, however it is spelled, then the first tag counts; in the next run it may again."""
    tags = [tag(1, first), {"id": "[ACE-00001]", "tag": "helpful"}, {"id": " ace-00001 ", "tag": "harmful"}]
    taken = take_step(
        P1, [run("a"), run("b")], [reflection(*tags), curation(), reflection(tag(1)), curation()]
    )
    assert taken.events == (
        TagCounted("a", 0, "ace-00001", first),  # type: ignore[arg-type] # one of the three
        TagIgnored("a", 1, "ace-00001", "repeated in one reply"),
        TagIgnored("a", 2, "ace-00001", "repeated in one reply"),
        was_read("a"),
        TagCounted("b", 0, "ace-00001", "helpful"),
        was_read("b"),
    )


# --- hostile size and shape -----------------------------------------------------------------------------------------

NESTED = "the reply's JSON is nested too deeply"
BROKEN = "the reply holds more than 1,000 broken JSON objects"
LONG = "the reply is longer than 1,000,000 characters"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        pytest.param("```json" + " " * 200_000, "empty reply", id="open fence"),
        pytest.param("[" * 100_000, NO_OBJECT, id="brackets"),
        pytest.param("[" * 100_000 + "1,", NO_OBJECT, id="brackets and a value"),
        pytest.param("[1," * 300_000, NESTED, id="cut arrays"),
        pytest.param('["a"' * 200_000, NO_OBJECT, id="half arrays"),
        pytest.param('{"a" x}' * 100_000, BROKEN, id="broken objects"),
        pytest.param("{" * MAX_REPLY, NO_OBJECT, id="braces"),
        pytest.param('{"' * (MAX_REPLY // 2), NO_OBJECT, id="keys"),
        pytest.param('{"a": ' * 100_000, NESTED, id="nested objects"),
        pytest.param('{"operations": ' + "[" * 100_000, NESTED, id="nested lists"),
        pytest.param('{"operations": [' + "1," * 400_000, NO_OBJECT, id="long cut list"),
        pytest.param("{ " + "\n" * 900_000, NO_OBJECT, id="blanks"),
        pytest.param("<think>" * 100_000, "empty reply", id="open reasoning"),
        pytest.param("</think>" * 100_000, "empty reply", id="closing tags"),
        pytest.param("<think></think>" * 60_000, "empty reply", id="empty reasoning"),
        pytest.param("\x00\ud800" * 1000, NO_OBJECT, id="no text"),
        pytest.param("x" * (MAX_REPLY + 1), LONG, id="just too long"),
        pytest.param("{" * 10_000_000, LONG, id="10 MB"),
    ],
)
def test_case_11_a_hostile_reply_is_skipped(reply: str, reason: str) -> None:
    """Given a reply of hostile size or shape, then the run is skipped with its reason, and the next one is read."""
    taken = take_step(P1, [run("a"), run("b")], [reply, reflection(), reply])
    assert taken.events == (
        was_skipped("a", "unusable reply", reason, attempt=1),
        was_read("b", "unusable reply", reason),
    )


def test_case_11_a_number_of_many_digits_costs_its_item_alone() -> None:
    """Given a number that no integer type takes, then the rest of the reply counts."""
    tags = f'{{"bullet_tags": [{{"id": {"9" * 5000}, "tag": -{"9" * 5000}}}, {json.dumps(tag(1))}]}}'
    taken = take_step(P1, [run()], [tags, curation()])
    assert taken.events[:2] == (
        TagIgnored("a", 0, "", "malformed: it has no id"),
        TagCounted("a", 1, "ace-00001", "helpful"),
    )


# --- duplicates -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        "  read the FAILING test before you\tedit the code. ",
        "Read the failing test before you edit the code.",
        "READ THE FAILING TEST\nBEFORE YOU EDIT THE CODE.",
        "Read\u00a0the\u2003failing test before you edit\u2028the code.",
        "- Read the failing test before you edit the code.",
        "* 3. Read the failing test before you edit the code.",
    ],
)
def test_case_12_the_same_text_again_is_a_duplicate(content: str) -> None:
    """Given an ADD that differs from a bullet in case and blanks alone, then nothing changes."""
    taken = curate(P1, add(content))
    assert taken.events == (DuplicateRejected("a", 0, "ace-00001", 0), was_read())
    assert taken.playbook == P1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Straße sperren.", "STRASSE SPERREN."),
        ("Ask José first.", "Ask Jose\u0301 first."),
        ("Ask JOSÉ first.", "ask jose\u0301 FIRST."),
    ],
)
def test_case_12_equal_texts_of_other_scripts_are_duplicates(one: str, other: str) -> None:
    """Given texts that are equal after NFC and case folding, then the second is a duplicate; m² and m2 are not."""
    assert count(curate(P1, add(one), add(other)).events).duplicates == 1
    assert count(curate(P1, add("Measure in m² only."), add("Measure in m2 only.")).events).added == 2


@pytest.mark.parametrize("second", ["Run the tests.", "run the TESTS. ", "- Run  the\ntests."])
def test_case_13_two_equal_operations_add_one_bullet(second: str) -> None:
    """Given two equal ADDs of one reply, then one is added, and one number is used."""
    taken = curate(P1, add("Run the tests."), add(second))
    assert taken.events == (ADDED, DuplicateRejected("a", 1, "ace-00002", 0), was_read())
    assert taken.playbook.next_number == 3


@pytest.mark.parametrize(
    "prefix",
    [
        "[ace-00001] helpful=2 harmful=0 :: ",
        "- [ace-00001] helpful=2 harmful=0 :: ",
        "[ace-00099] helpful=120 harmful=3::",
        "[ACE-00001]  Helpful=2  Harmful=0 :: ",
        "[ace-00001] :: ",
        "[ace-123456] helpful=0 harmful=0 :: - ",
        "• ",
        "- * - ",
    ],
)
def test_case_14_a_copied_prefix_is_removed(prefix: str) -> None:
    """Given an ADD that copies how bullets are shown, then it is a duplicate of one, and else stored without that."""
    assert curate(P1, add(prefix + P1.bullets[0].content)).events[0] == DuplicateRejected(
        "a", 0, "ace-00001", 0
    )
    assert curate(P1, add(f"{prefix}Run the tests.")).events[0] == ADDED


@pytest.mark.parametrize("prefix", ["[ace-00001] ", "1. ", "12) ", "+ "])
def test_what_may_be_the_sentence_itself_is_stored(prefix: str) -> None:
    """Given a beginning that may be a mark, then it is stored as it is, and the same text with another mark is a duplicate."""
    assert curate(P1, add(prefix + P1.bullets[0].content)).events[0] == DuplicateRejected(
        "a", 0, "ace-00001", 0
    )
    (added, _) = curate(P1, add(f"{prefix}Run the tests.")).events
    assert added == BulletAdded("a", 0, "ace-00002", SECTION, f"{prefix}Run the tests.", STEP)


@pytest.mark.parametrize(
    "lesson",
    [
        "* matches any sequence in a glob",
        "- means read from stdin",
        "404. That page is gone.",
        "[ace-00012] was wrong about pagination",
        "ace-00012 was wrong about pagination",
        "• is U+2022",
        "1) and 2) are alternatives",
        "+ adds a remote",
    ],
)
def test_lessons_that_begin_like_a_mark_are_stored_as_they_are(lesson: str) -> None:
    """Given a sentence whose first word is a mark, then nothing of it is taken away."""
    assert curate(P1, add(lesson)).events[0] == BulletAdded("a", 0, "ace-00002", SECTION, lesson, STEP)


@pytest.mark.parametrize(
    ("content", "kept"),
    [
        ("- Überprüfe es.", "Überprüfe es."),
        ("* 测试先行。", "测试先行。"),
        ("- \u01c5ep", "\u01c5ep"),
        ("- é", "- é"),
    ],
)
def test_a_list_marker_before_a_sentence_goes(content: str, kept: str) -> None:
    """Given a marker before an upper-case letter, or a letter of a script without case, then it is none of the sentence."""
    assert curate(P1, add(content)).events[0] == BulletAdded("a", 0, "ace-00002", SECTION, kept, STEP)


@pytest.mark.parametrize(
    "content",
    [
        *("…", "...", "n/a", "N/A.", "-", "* ", "1. ", "—", "None", "`…`", " \u3000 "),
        *(
            "Be careful.",
            "- Always be more careful!",
            "Pay attention to the details.",
            "Double-check everything.",
        ),
    ],
)
def test_what_says_nothing_is_no_text(content: str) -> None:
    """Given punctuation alone, a word that stands for nothing, or a commonplace, then it is ignored."""
    assert curate(P1, add(content)).events[0] == OperationIgnored("a", 0, "it has no text")


# --- the cap, ids, settings -----------------------------------------------------------------------------------------


def test_case_15_the_cap_removes_the_oldest_of_equals() -> None:
    """Given 100 bullets without a tag and 7 ADDs, then 100 remain, and the first seven are gone."""
    before = playbook(*(bullet(number) for number in range(1, 101)))
    taken = curate(before, *(add(f"New lesson {number}.") for number in range(7)))
    assert [event.id for event in taken.events if isinstance(event, Capped)] == [
        f"ace-0000{n}" for n in range(1, 8)
    ]
    assert [b.id for b in taken.playbook.bullets] == [f"ace-{n:05d}" for n in range(8, 108)]
    assert count(taken.events).capped == 7
    assert taken.playbook.next_number == 108


WRONG: dict[str, tuple[object, ...]] = {
    "max_bullets": ("100", 0, -1, True, 1.5, None, [], {}),
    "prune_margin": (0, -2, "2", False, 2.0),
    "max_traces_per_step": (-1, "all", True, 0.5),
    "model": ("", "  ", 7, None, ["served"]),
    "sections": ("Others", [], {}, None, ["Tips", "tips"], ["Tips and tricks", " tips_AND  tricks"]),
    **dict.fromkeys(("max_bulets", "Max_Bullets", "max-bullets", "promt", ""), (5, "100")),
}


@pytest.mark.parametrize(
    ("key", "value"), [(key, value) for key, values in WRONG.items() for value in values]
)
def test_case_16_a_wrong_setting_is_named(key: str, value: object) -> None:
    """Given a wrong type, an impossible value or a misspelt key, then the error names key and value."""
    with pytest.raises(SettingsError) as raised:
        parse_settings({key: value})
    assert key in str(raised.value)
    assert repr(value) in str(raised.value)


@pytest.mark.parametrize(
    "title", ["", " ", 3, None, ["A"], "A\nB", "A\u2028B", "A\u200bB", END, OVERRIDES[0]]
)
def test_case_16_a_wrong_title_is_named(title: object) -> None:
    """Given a section's title that is not a line of plain text, then the error names key and title."""
    with pytest.raises(SettingsError) as raised:
        parse_settings({"sections": ["Tips", title]})
    assert str(raised.value).startswith("sections ")
    assert repr(title) in str(raised.value)


@pytest.mark.parametrize("key", ["model", "max_bullets", "sections", "api_key"])
def test_case_16_a_credential_is_not_named(key: str) -> None:
    """Given a credential under a right or a wrong key, then the error does not repeat it."""
    secret = CREDENTIALS["GitHub token"]
    with pytest.raises(SettingsError) as raised:
        parse_settings({key: [secret]})
    assert secret not in str(raised.value)
    assert "[redacted credential]" in str(raised.value)


def test_case_16_a_misspelt_key_gets_a_hint() -> None:
    """Given a key that is nearly one, then the error says which was meant."""
    with pytest.raises(SettingsError, match="did you mean max_bullets"):
        parse_settings({"max_bulets": 5})


@pytest.mark.parametrize("next_number", [8, 100, 99_999, 100_000, 123_456])
def test_case_17_an_id_is_never_used_twice(next_number: int) -> None:
    """Given a playbook of which every bullet was pruned, when one is added, then it gets the next number."""
    taken = curate(playbook(next_number=next_number), add("Run the tests."))
    assert [b.id for b in taken.playbook.bullets] == [f"ace-{next_number:05d}"]
    assert taken.playbook.next_number == next_number + 1


# --- what a content must not do -------------------------------------------------------------------------------------


@pytest.mark.parametrize("escape", [r"\ud83d", r"\udc00", r"\ud83d\ud83d", r"\udc00\ud83d"])
def test_case_18_a_lone_surrogate_is_refused(escape: str) -> None:
    """Given half of a character, then the ADD is refused, the step finishes, and everything can be written."""
    reply = curation(add("Use HERE here"), add("Run the tests.")).replace("HERE", escape)
    thought = reflection({"id": "HERE", "tag": "HERE"}, insight="Use HERE").replace("HERE", escape)
    taken = take_step(P1, [run()], [thought, reply])
    assert Refused("a", 0, "text that is not valid Unicode") in taken.events
    assert taken.contents == [P1.bullets[0].content, "Run the tests."]
    assert msgspec.json.decode(msgspec.json.encode(taken.events), type=list[Any])


BREAKS = ["\n", "\r\n", "\r", "\u2028", "\u2029", "\x85", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e"]


@pytest.mark.parametrize("line_break", BREAKS)
def test_case_19_a_content_is_one_physical_line(line_break: str) -> None:
    """Given a content with line breaks of any kind, then it can make neither a heading nor a bullet."""
    text = "Use this:|```md|## Install|```|### Others|- [ace-00099] helpful=9 harmful=0 :: x"
    taken = curate(P1, add(text.replace("|", line_break)))
    assert taken.contents[1] == text.replace("|", " ")
    lines = block(taken.playbook, (SECTION,)).splitlines()
    assert [line for line in lines if line.startswith("#")] == ["## Playbook", f"### {SECTION}"]
    assert [line[:13] for line in lines if line.startswith("- ")] == ["- [ace-00001]", "- [ace-00002]"]


@pytest.mark.parametrize(
    "content",
    [
        "Never read the failing test before you edit the code.",
        "Read the failing test before you edit the code!",
        "Do not read the failing test before you edit the code.",
    ],
)
def test_case_20_the_contrary_is_kept(content: str) -> None:
    """Given a lesson that says the contrary of a bullet, or nearly the same, then both are kept."""
    assert curate(P1, add(content)).contents == [P1.bullets[0].content, content]


def test_case_21_a_credential_is_refused_and_in_no_event() -> None:
    """Given an ADD, a reflection, an id, a tag, a section and a type that hold a credential, then no event does."""
    for secret in CREDENTIALS.values():
        thought = reflection(
            {"id": secret, "tag": "helpful"}, tag(1, secret), insight=f"Call it with {secret}"
        )
        operations = [add(f"Call the API with {secret}"), add("x", section=secret), add("x", kind=secret)]
        taken = take_step(P1, [run(task=f"Use {secret}")], [thought, curation(*operations)])
        assert count(taken.events).refused == 1
        assert taken.playbook.bullets == P1.bullets
        told = msgspec.json.encode([taken.events, [call.parts for call in taken.calls]]).decode()
        assert redact(secret) == secret or json.dumps(secret)[1:-1] not in told
        assert all(
            redact(value) == value
            for event in taken.events
            for value in msgspec.structs.astuple(event)
            if isinstance(value, str)
        )


def test_case_22_a_credential_in_a_trace_reaches_no_prompt() -> None:
    """Given a trace whose every part holds a credential, then each prompt holds the placeholder in its place."""
    for secret in CREDENTIALS.values():
        turns = (
            Turn("user", f"Log in: {secret}"),
            Turn("assistant", f"With {secret}", (ToolCall("shell", f"login {secret}", "1"),)),
            Turn("tool", f"ok {secret}", call_id="1"),
            Turn("assistant", "Done."),
        )
        trace = Trace(
            id="a", turns=turns, context=turns, score=0.0, feedback=f"No: {secret}", failure=f"At {secret}"
        )
        taken = take_step(P1, [trace], [reflection(analysis=secret, insight=secret), curation()])
        prompts = [text for call in taken.calls for text in call.parts.values()]
        assert not any(secret in text for text in prompts)
        assert all(
            PLACEHOLDER in taken.calls[at].parts[part]
            for at, part in ((0, "trace"), (1, "reflection"), (1, "task"))
        )


def test_case_22_the_placeholder_is_refused_as_the_secret_was() -> None:
    """Given a recorded reply in which the credential was replaced, then it is refused on replay, too."""
    secret = CREDENTIALS["GitHub token"]
    original = curation(add(f"Call the API with {secret}"), add("Run the tests."))
    first, again = (take_step(P1, [run()], [reflection(), reply]) for reply in (original, redact(original)))
    assert [type(event) for event in first.events] == [type(event) for event in again.events]
    assert first.playbook == again.playbook
    assert curate(P1, add("Keep [REDACTED  credential] out.")).events[0] == Refused(
        "a", 0, "the redaction placeholder"
    )


def test_case_23_an_injected_instruction_is_refused() -> None:
    """Given a tool result with an override that the Curator repeats, then it is refused, with other words around it too."""
    for text in OVERRIDES:
        for content in (text, f"{text} Then run the tests.", f"[ace-00001] helpful=1 harmful=0 :: {text}"):
            refused, read = curate(P1, add(content)).events
            assert isinstance(refused, Refused)
            assert refused.reason.startswith("an instruction override (")
            assert read == was_read()


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_case_24_hidden_characters_are_refused(text: str) -> None:
    """Given characters that a person does not see, then the ADD is refused."""
    (refused, _) = curate(P1, add(text)).events
    assert isinstance(refused, Refused)
    assert refused.reason.startswith("hidden characters")


@pytest.mark.parametrize(
    "content",
    [
        "Read the API key from the environment, never from the repository.",
        "Keep tokens in the keychain; a password belongs in no test.",
        "The secret of a fast test is a small fixture.",
    ],
)
def test_case_25_talk_about_secrets_is_added(content: str) -> None:
    """Given a lesson about credentials that holds none, then it is added."""
    assert curate(P1, add(content)).contents[1:] == [content]


@pytest.mark.parametrize(
    "content",
    [
        "Escape any <script> tag before you render user text.",
        "Close <b> and <div> with `</b>` and `</div>`.",
        "An XML comment ends with `-->`; `<!--` opens it.",
    ],
)
def test_case_26_talk_about_markup_is_added(content: str) -> None:
    """Given a lesson about markup, then it is added as it is."""
    assert curate(P1, add(content)).contents[1:] == [content]


# --- the rules file -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("lines", "named"),
    [
        (["A", BEGIN, "my own rule"], "begin on line 2"),
        (["A", "B", END], "end on line 3"),
        ([END, "x", BEGIN], "end on line 1, begin on line 3"),
        ([BEGIN, END, BEGIN, END], "begin on line 1, end on line 2, begin on line 3, end on line 4"),
        ([BEGIN, BEGIN, END, END], "begin on line 1, begin on line 2, end on line 3, end on line 4"),
        ([BEGIN, "x", END, END], "begin on line 1, end on line 3, end on line 4"),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_case_27_markers_that_are_no_block_are_named(lines: list[str], named: str, line_break: str) -> None:
    """Given an orphan, reversed, nested or second marker, then each look at the file is an error with its lines."""
    data = line_break.join(lines).encode()
    for look in (find_block, lines_outside, lambda data: splice(data, block(P1, (SECTION,)))):
        with pytest.raises(MarkerError, match=named):
            look(data)


@pytest.mark.parametrize("line_break", ["\r\n", "\n", "\r"])
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_case_28_a_block_is_replaced_in_place(line_break: str, bom: bytes) -> None:
    """Given a file with a block, when it is replaced, then every other byte and the kind of line end stay."""
    before, after = (
        ("\tRules \xff|||- one|").replace("|", line_break),
        "|last \xe9|| ".replace("|", line_break),
    )
    data = bom + f"{before}  {BEGIN}\told{line_break}{END} {after}".replace("\told", line_break).encode(
        "latin-1"
    )
    text = block(P1, (SECTION,))
    spliced = splice(data, text)
    assert spliced == (
        bom
        + f"{before}  ".encode("latin-1")
        + text.replace("\n", line_break).encode()
        + f" {after}".encode("latin-1")
    )


@pytest.mark.parametrize(
    "line",
    [
        f"Do not touch `{BEGIN}` by hand.",
        f"{BEGIN} here it begins",
        f"> {END}",
        f"- {BEGIN}",
        f"{BEGIN}{END}",
        "<!-- ace:playbook:begin-->",
        "<!-- ACE:playbook:begin -->",
    ],
)
def test_case_29_a_marker_within_a_line_is_text(line: str) -> None:
    """Given a line of a person that only mentions a marker, then it is text, and the block goes to the end."""
    data = f"# Rules\n{line}\n".encode()
    text = block(P1, (SECTION,))
    assert find_block(data) is None
    assert splice(data, text) == data + b"\n" + text.encode() + b"\n"
    assert splice(splice(data, text), text) == splice(data, text)


@pytest.mark.parametrize("content", MARKERS)
def test_case_30_a_marker_in_a_content_is_refused(content: str) -> None:
    """Given an ADD that holds a marker, as a line or within one, then it is refused."""
    assert curate(P1, add(content)).events == (Refused("a", 0, "a marker line of the block"), was_read())


STORED = b"""{"next_number":3,"bullets":[{"id":"ace-00001","section":"S","content":"c","helpful":0,"harmful":0,"step":1}]}"""


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b" ",
        b"{}",
        b"null",
        b"[]",
        b"not JSON",
        b'{"next_number": 1}',
        b'{"bullets": []}',
        b"\xef\xbb\xbf",
        b"\xff\xfe{\x00}\x00",
        *(STORED[:cut] for cut in (1, 20, 40, 70, len(STORED) - 1)),
    ],
)
def test_case_31_damaged_state_is_a_named_error(data: bytes) -> None:
    """Given an empty, foreign or cut state, then the error names file and says that nothing was changed."""
    with pytest.raises(StateError, match=r"state/playbook\.json is damaged: .*Nothing was changed"):
        parse_playbook(data, "state/playbook.json")
    assert parse_playbook(STORED, "x") == Playbook(3, (Bullet("ace-00001", "S", "c", 0, 0, 1),))


# --- traces ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", ['{"order": 12,', "", "[1, 2", "not JSON", '{"a": null}'])
def test_case_34_a_call_without_text_is_shown(arguments: str) -> None:
    """Given an assistant's turn that is only a tool call, then the call and its raw arguments are shown, and no None."""
    turns = (Turn("user", "Cancel it."), Turn("assistant", calls=(ToolCall("cancel_order", arguments, "1"),)))
    shown = transcript(Trace(id="a", turns=turns, score=0.0))
    assert f">\n[user]\nCancel it.\n\n[assistant calls cancel_order]\n{arguments}\n</" in shown
    assert "None" not in shown


def test_case_35_the_flag_of_a_failed_result_is_shown() -> None:
    """Given results with and without a tool's own error flag, then the flag and the name of the tool are shown."""
    turns = (
        Turn("assistant", "I look.", (ToolCall("read", "{}", "1"), ToolCall("write", "{}", "2"))),
        Turn("tool", "no such file", call_id="1", failed=True),
        Turn("tool", "written", call_id="2"),
        Turn("tool", "who am I?", call_id="9"),
        Turn("tool", "own name", call_id="1", name="shell"),
    )
    shown = transcript(Trace(id="a", turns=turns, score=1.0))
    assert "[result of read, which failed]\nno such file" in shown
    assert "[result of write]\nwritten" in shown
    assert "[result of tool]\nwho am I?" in shown
    assert "[result of shell]\nown name" in shown


CALLING = Turn("assistant", "I look.", (ToolCall("read"),))


@pytest.mark.parametrize(
    ("trace", "runs"),
    [
        (Trace(id="a", turns=(Turn("user", "x"), CALLING), score=0.0), True),
        (Trace(id="a", turns=(Turn("user", "x"), Turn("assistant", "Done.")), score=0.0), True),
        (Trace(id="a", turns=(Turn("user", "x"), Turn("assistant", "Done."))), True),
        (Trace(id="a", turns=(Turn("assistant", "Done."), Turn("tool", "x"))), True),
        (Trace(id="a", task="t", reply="r"), True),
        (Trace(id="a", task="t", score=-1.5), True),
        (Trace(id="a", turns=(Turn("user", "x"), CALLING)), False),
        (Trace(id="a", turns=(Turn("assistant", "Done."), CALLING, Turn("tool", "x"))), False),
        (Trace(id="a", turns=(Turn("user", "x"), Turn("assistant", "  \n"))), False),
        (Trace(id="a", turns=(Turn("user", "x"),)), False),
        (Trace(id="a", task="t", feedback="f", failure="timeout"), False),
        (Trace(id="a"), False),
    ],
)
def test_case_36_a_run_has_a_score_or_a_reply(trace: Trace, runs: bool) -> None:  # noqa: FBT001 - a parameter
    """Given a trace with neither score nor reply, then it is passed over; with either it is read."""
    assert is_run(trace) is runs
    taken = take_step(P1, [trace], [reflection(), curation()] if runs else [])
    skipped = [event for event in taken.events if isinstance(event, RunSkipped)]
    assert skipped == (
        [] if runs else [RunSkipped("a", "middle of a run", task_digest=task_digest(task_of(trace)))]
    )


def test_case_36_a_score_of_zero_is_shown() -> None:
    """Given a score of 0, then the Reflector sees it; without a score it sees none."""
    told = [outcome(run(score=score)).split("\n")[0] for score in (0.0, 0.25, None)]
    assert told == ["Score: 0", "Score: 0.25", "Score: none"]


# --- accounts -------------------------------------------------------------------------------------------------------


def test_case_37_counts_equal_the_difference_of_the_states() -> None:
    """Given a step that adds, prunes and caps, then the counts equal what the two playbooks differ by."""
    before = playbook(*(bullet(number, harmful=number % 3) for number in range(1, 21)))
    taken = curate(
        before, *(add(f"New {n}.") for n in range(5)), add("New 1."), settings=ACESettings(max_bullets=12)
    )
    counts = count(taken.events)
    assert (counts.added, counts.duplicates, counts.pruned, counts.capped) == (5, 1, 7, 6)
    assert counts.added - counts.pruned - counts.capped == len(taken.playbook.bullets) - len(before.bullets)


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_case_37a_a_step_of_which_no_call_got_through_fails(runs: int) -> None:
    """Given that every call fails, then the step is failed after the third at the latest, and the state is what it was."""
    traces = [run(f"run-{number}") for number in range(runs)]
    taken = take_step(P1, traces, [CallFailed("time-out")] * min(runs, 3))
    assert taken.outcome.failed
    assert taken.playbook == P1
    assert len(taken.events) == runs
    assert all(isinstance(event, RunSkipped) and event.reason == "failed call" for event in taken.events)


def test_case_37a_one_failed_call_skips_its_trace_alone() -> None:
    """Given that one of three Reflector's calls fails, then that trace is skipped with its reason."""
    replies: list[Reply] = [reflection(), curation(), CallFailed("HTTP 503"), reflection(), ONE_ADD]
    taken = take_step(P1, [run("a"), run("b"), run("c")], replies)
    added = BulletAdded("c", 0, "ace-00002", SECTION, "Run the tests.", STEP)
    assert taken.events == (was_read("a"), was_skipped("b", "failed call", "HTTP 503"), added, was_read("c"))
    assert not taken.outcome.failed


RULES = f"""\
# House rules

- Always run `make check` before you push.
2. Ask before you delete data.
> ### Never edit generated files.
Keep commits small.
{BEGIN}
- [ace-00001] helpful=0 harmful=0 :: Inside of the block.
{END}
* Keep commits small.
"""


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("Always run `make check` before you push.", 3),
        ("always RUN `make check`  before you push.", 3),
        ("- Always run `make check` before you push.", 3),
        ("Ask before you delete data.", 4),
        ("2. Ask before you delete data.", 4),
        ("Never edit generated files.", 5),
        ("### Never edit generated files.", 5),
        ("> ### Never edit generated files.", 5),
        ("# House rules", 1),
        ("House rules", 1),
        ("Keep commits small.", 6),
        ("Inside of the block.", 0),
        ("Keep commits small!", 0),
    ],
)
@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r"])
def test_case_38_a_rule_of_the_file_is_no_lesson(content: str, line: int, line_break: str) -> None:
    """Given an ADD that says what a line outside of the block says, then it is a duplicate of that line."""
    taken = curate(P1, add(content), rules=RULES.replace("\n", line_break).encode())
    expected: Event = (
        DuplicateRejected("a", 0, "", line)
        if line
        else BulletAdded("a", 0, "ace-00002", SECTION, content, STEP)
    )
    assert taken.events == (expected, was_read())


def test_case_38_an_operation_that_is_none_is_ignored_before_all_else() -> None:
    """Given a duplicate that is not an ADD, then it counts as ignored."""
    taken = curate(P1, add("Keep commits small.", kind="UPDATE"), rules=RULES.encode())
    assert taken.events == (OperationIgnored("a", 0, "type UPDATE is not ADD"), was_read())
