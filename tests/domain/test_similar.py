"""Lessons that say nearly the same are told by their words, and stay two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.given import P1, SECTION, STEP, add, bullet, curate, playbook
from tests.domain.strategies import odd_texts

from ace.domain import similar
from ace.domain.similar import ALIKE, Alike, alike_to, pairs_alike, share
from ace.events.types import BulletAdded

ONE = "Before a rename, list every use of the name with `grep -rnw NAME .` and read the list."
OTHER = "List every use of a name with `grep -rnw NAME .` before you rename it, and read the whole list."
FAR = "When a heredoc writes a script, quote its delimiter, or the shell expands every variable in it."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONE, OTHER),
        (ONE, ONE.upper()),
        ("Run the failing tests alone first.", "First run each failing test alone."),
        ("Ü" + ONE, "U\u0308" + ONE),
        ("在修改代码之前先阅读失败的测试。", "修改代码之前,先阅读失败的测试。"),
    ],
)
def test_lessons_that_say_nearly_the_same(one: str, other: str) -> None:
    """Given the same words in another order, case, number or form, then the lessons are alike."""
    assert share(one, other) >= ALIKE


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (ONE, FAR),
        ("Run the tests.", "Run the tests."),
        ("Lesson 1 on tests.", "Lesson 2 on tests."),
        ("在修改代码之前先阅读失败的测试。", "提交之前列出所有未跟踪的文件。"),
        ("", ONE),
    ],
)
def test_lessons_that_do_not(one: str, other: str) -> None:
    """Given other words, or too few to tell, then they are not."""
    assert share(one, other) < ALIKE


@given(odd_texts, odd_texts)
def test_the_share_is_a_share(one: str, other: str) -> None:
    """Given any texts, then the share is between 0 and 1, the same both ways, and 1 of a text with itself if it has words."""
    assert 0 <= share(one, other) == share(other, one) <= 1
    assert share(one, one) in (0, 1)


_few = st.lists(st.sampled_from([f"word{number}" for number in range(900)]), min_size=5, max_size=14)


@given(_few, st.lists(st.integers(0, 13), max_size=9), _few)
def test_the_quick_look_passes_over_no_pair(one: list[str], kept: list[int], more: list[str]) -> None:
    """Given texts with some words in common, then the share is what the words say, or below the limit."""
    other = [one[at] for at in kept if at < len(one)] + more[: 14 - len(kept)]
    first, second = set(one), set(other)
    exact = len(first & second) / len(first | second) if min(len(first), len(second)) >= 5 else 0
    assert share(" ".join(one), " ".join(other)) == exact
    assert alike_to(" ".join(one), [("a", " ".join(other))]) == (("a",) if exact >= ALIKE else ())


def test_a_similar_lesson_is_added_and_names_the_others() -> None:
    """Given an ADD that says nearly what a bullet says, then it is added, and its event names the bullet, the nearest first."""
    before = playbook(
        bullet(1, ONE), bullet(2, FAR), bullet(3, ONE.replace("read", "go through") + " Twice.")
    )
    (added, _) = curate(before, add(OTHER)).events
    assert added == BulletAdded("a", 0, "ace-00004", SECTION, OTHER, STEP, similar=("ace-00001", "ace-00003"))


def test_what_an_earlier_operation_added_counts() -> None:
    """Given two ADDs of one reply that are alike, then the second names the first."""
    first, second, _ = curate(P1, add(ONE), add(OTHER)).events
    assert isinstance(first, BulletAdded)
    assert isinstance(second, BulletAdded)
    assert (first.similar, second.similar) == ((), (first.id,))


def test_pairs_of_a_playbook() -> None:
    """Given a playbook, then each pair comes once, the most alike first."""
    lessons = [("a", ONE), ("b", FAR), ("c", OTHER), ("d", ONE + " Twice.")]
    assert [pair[:2] for pair in pairs_alike(lessons)] == [("a", "c"), ("a", "d"), ("c", "d")]
    assert pairs_alike(lessons)[0] == Alike("a", "c", share(ONE, OTHER))
    assert alike_to(OTHER, lessons[:2]) == ("a",)
    assert pairs_alike([]) == []


def test_words_are_looked_up_once() -> None:
    """Given the same playbook at every step, then its words are not counted again: a step compares with all of them."""
    similar._words.cache_clear()
    for _ in range(3):
        alike_to(ONE, [("b", FAR), ("c", OTHER)])
    assert similar._words.cache_info().misses == 3
