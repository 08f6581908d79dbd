"""Gates and stems say of every text what asking each row of the table on its own would say."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ace.domain.screens.gates import GROUPS, Fields, Gate, Stems, places, words_of

_WORDS = st.text("abc", min_size=1, max_size=4)
_TEXTS = st.lists(_WORDS, max_size=8).map(" ".join)


@given(
    st.lists(st.lists(st.lists(_WORDS, min_size=1, max_size=3).map(" ".join), max_size=3), max_size=6), _TEXTS
)
def test_a_row_is_opened_by_a_word_of_each_of_its_groups(needs: list[list[str]], text: str) -> None:
    """Given rows of any needs, then those are opened of whose groups each has a word in the text, in the order of the table."""
    there = set(text.split())
    expected = [at for at, groups in enumerate(needs) if all(there & set(group.split()) for group in groups)]
    gate = Gate(needs)
    assert gate.opened(words_of(text)) == expected
    assert [at for at in range(len(needs)) if gate.opens(at, gate.there(words_of(text)))] == expected


@given(
    st.lists(st.lists(st.lists(_WORDS, min_size=1, max_size=3), max_size=GROUPS), max_size=6),
    _TEXTS,
    st.integers(0, 7),
)
def test_fields_tell_each_row_of_whose_groups_each_has_a_word(
    rows: list[list[list[str]]], text: str, behind: int
) -> None:
    """Given rows of at most three groups, then the numbers of a text's words tell those that it meets, whatever lies behind the fields."""
    there = set(text.split())
    fields = Fields(rows)
    number = fields.always | behind << fields.size
    for word in there:
        number |= fields.of.get(word, 0)
    met = [at for at, groups in enumerate(rows) if all(there & set(group) for group in groups)]
    assert [*places(fields.met(number))] == met


@given(
    st.lists(st.lists(_WORDS, min_size=1, max_size=3), min_size=1, max_size=6), st.lists(_TEXTS, max_size=4)
)
def test_a_part_of_a_text_has_no_group_less_than_its_words_say(
    needs: list[list[str]], parts: list[str]
) -> None:
    """Given a text in parts, then no part is said to be without a group that has a word in it."""
    gate = Gate(needs)
    words = words_of(" ".join(parts))
    for part, groups in zip(parts, gate.parts(words, range(len(needs)), parts), strict=True):
        there = gate.there(words_of(part))
        assert there & groups == there


@given(st.lists(st.lists(_WORDS, min_size=1, max_size=3), min_size=1, max_size=6), _TEXTS)
def test_a_row_is_met_by_a_word_that_holds_a_stem_of_it(rows: list[list[str]], text: str) -> None:
    """Given stems that hold each other, then a row is met if any word holds any of its stems."""
    met = Stems(rows).met(words_of(text))
    assert list(places(met)) == [
        at for at, stems in enumerate(rows) if any(stem in word for stem in stems for word in text.split())
    ]


def test_a_stem_behind_a_blank_begins_a_word() -> None:
    """Given a stem that begins with a blank, then a word that holds it further on does not meet it."""
    stems = Stems([(" rar",), ("rar",)])
    assert list(places(stems.met(words_of("rarely")))) == [0, 1]
    assert list(places(stems.met(words_of("library")))) == [1]


@given(st.text())
def test_the_words_are_the_same_in_ascii_and_beyond(text: str) -> None:
    """Given any text, then a letter beyond ASCII changes nothing about the words of ASCII around it."""
    ascii_alone = "".join(char if char.isascii() else " " for char in text.lower())
    assert words_of(ascii_alone) == words_of(f"{ascii_alone} \u2014")
