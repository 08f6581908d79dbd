"""What a lesson's text says, and what is none: commonplaces, placeholders, and the prompt's own words."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.domain.fakes import ORDINARY

from ace.adapters.models.prompts import instructions
from ace.domain.content import clean, is_key, is_placeholder, repeats, says_nothing
from ace.domain.step import Role

PROMPTS = instructions()


@pytest.mark.parametrize(
    "line",
    [
        "Be careful.",
        "be more careful",
        "Always double-check everything!",
        "Pay close attention to the instructions.",
        "Don\u2019t make mistakes.",
        "Think step by step.",
        "Take your time and do it properly.",
        "1. Be thorough.",
        "The ",
        "153",
        "1.2.0",
        "→ 42 %",
        "Verify everything.",
        "Follow the instructions carefully.",
        "Think carefully before acting.",
        "Stay focused",
        "Follow best practices.",
    ],
)
def test_a_commonplace_says_nothing(line: str) -> None:
    """Given words that fit any task, and none beside them, then the line says nothing."""
    assert says_nothing(line)


@pytest.mark.parametrize(
    "line",
    [
        "N/A.",
        "n.a.",
        "`n/a`",
        "**None**",
        "'\u2026'",
        "No new lesson.",
        "Nothing to add.",
        "There is nothing to learn from this run.",
        "N/A - nothing to learn",
        "Not applicable",
        "No changes needed.",
        "[lesson]",
        "{lesson}",
        "Your lesson here",
        "<lesson>",
        "Example lesson",
        "unknown",
        "true",
    ],
)
def test_what_stands_for_no_lesson_says_nothing(line: str) -> None:
    """Given "no lesson" in any words and marks, or a placeholder for one, then the line says nothing."""
    assert says_nothing(line)


@pytest.mark.parametrize(
    "line",
    [
        "Be careful with tests.",
        "Write the failing test first.",
        "Read the README before you start.",
        "No change without a test.",
        "Add new files by name.",
        "New.",
        "Check the exit status.",
        "Think in `git diff` first.",
        "Always check 2 times.",
        "Check `all`.",
        "x",
        "Ä",
        "不要急。",
        "Überprüfe alles.",
        "Check everything. " * 6,
    ],
)
def test_what_names_something_is_a_text(line: str) -> None:
    """Given a thing, a figure, a mark of code, or words that nobody here can judge, then the line says something."""
    assert not says_nothing(line)


def test_ordinary_lessons_are_texts() -> None:
    """Given an ordinary lesson, then it says something, stands for nothing else, and is none of the prompt's."""
    for line in ORDINARY:
        assert not says_nothing(clean(line))
        assert not is_placeholder(line)
        assert not any(repeats(line, told) for told in PROMPTS.values())


@pytest.mark.parametrize(
    "text",
    [
        "…",
        "...",
        " … ",
        "string",
        "<what went wrong>",
        "<an id of the playbook>",
    ],
)
def test_placeholders(text: str) -> None:
    """Given what stands for a text that was to be written, then it is none."""
    assert is_placeholder(text)


@pytest.mark.parametrize(
    "text", ["", ".", "-", "n/a", "strings", "<b>", "<|im_end|>", "<!-- a comment -->", "a < b and c > d"]
)
def test_no_placeholders(text: str) -> None:
    """Given nothing, a tag, or a text, then it stands for nothing but itself."""
    assert not is_placeholder(text)


def test_keys_of_the_reply() -> None:
    """Given the name of a key, then it says nothing; a word of which it is a part is a text."""
    assert all(
        map(is_key, ("helpful", "error_analysis", "error_analysis: ", "KeyInsight", "content", "Bullet tags"))
    )
    assert not any(map(is_key, ("", "contents", "key", "The key insight is to look first.")))


@pytest.mark.parametrize("role", ["reflector", "curator"])
def test_no_sentence_of_a_prompt_can_be_taken_for_an_answer(role: Role) -> None:
    """Given any line of a prompt with at least five words, in any case and without its marks, then it repeats the prompt."""
    told = PROMPTS[role]
    lines = [line.strip() for line in told.splitlines() if len(line.split()) > 6]
    assert len(lines) >= 30
    for line in lines:
        assert repeats(line, told)
        assert repeats(line.upper().replace("`", "").rstrip("."), told)


@given(st.data(), st.sampled_from(sorted(PROMPTS)), st.integers(60, 400))
def test_no_passage_of_a_prompt_can_be_taken_for_an_answer(
    data: st.DataObject, role: Role, length: int
) -> None:
    """Given a passage of a prompt, cut anywhere, also within a word, and a word of another one in it, then it repeats the prompt."""
    told = PROMPTS[role]
    at = data.draw(st.integers(0, len(told) - length))
    passage = told[at : at + length]
    assume(len(passage.split()) >= 12)
    assert repeats(passage, told)
    words = passage.split()
    words[len(words) // 2] = "zebra"
    assert repeats(" ".join(words[1:-1]), told) or len(words) < 16


@given(st.sampled_from(ORDINARY), st.sampled_from(ORDINARY))
def test_a_lesson_that_quotes_a_few_words_is_one(one: str, other: str) -> None:
    """Given lessons that have a few words of the prompt, then they repeat nothing."""
    told = PROMPTS["curator"]
    quoted = " ".join(told.split()[:6])
    assume(len(f"{one} {other}".split()) > 12)
    assert not repeats(f"{one} {quoted} {other}", told)


@given(st.text(max_size=300), st.text(max_size=300))
def test_repeating_is_total(text: str, told: str) -> None:
    """Given any texts, then it is told, and a text repeats whatever holds it as whole words."""
    assert repeats(text, told) in (True, False)
    if repeats(text, f"{text}."):
        assert repeats(text, f"{told} — {text}\n{told}")


def test_a_few_words_prove_nothing() -> None:
    """Given a few words that are also in the instructions, then they may be a lesson all the same."""
    assert not repeats("which call to make", "say which call to make, and how")
    assert not repeats("", "anything")
    assert not repeats("call to make and ho", "say which call to make, and how to do it")
