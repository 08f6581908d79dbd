"""What a lesson's text says, if it says anything: cleaned of what a model copies in front of it, and compared with what the
model was told.

A model that has nothing to say, or that is too small for the task, says it in the words that it was given: a placeholder of the
example, a sentence of the instructions, a commonplace. None of these is a lesson.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final
from unicodedata import category

from ace.domain.playbook import key_of

__all__ = ["bare", "clean", "is_key", "is_placeholder", "repeats", "says_nothing"]

_MARKS = re.compile(r"(?:[-*•]\s+)++")
_COPIED_PREFIX = re.compile(
    rf"(?:(?:{_MARKS.pattern})?(?:\[ace-\d{{5,18}}\]|ace-\d{{5,18}})\s*"
    r"(?:helpful=\d{1,18}\s+harmful=\d{1,18}\s*)?+::\s*)++",
    re.IGNORECASE,
)
# What may come before a sentence without being part of it, taken widely: for comparing and screening, not for storing.
_ANY_MARKS = re.compile(
    r"(?:[-*+•]\s+(?:\[[ x]\]\s+)?|\d{1,3}[.)]\s+|(?:\[ace-\d{5,18}\]|ace-\d{5,18}(?=\s*(?:helpful=|::)))"
    r"(?:\s*helpful=\d{1,18}\s+harmful=\d{1,18})?(?:\s*::?)?\s*)+",
    re.IGNORECASE,
)


def clean(content: str) -> str:
    """The content as one trimmed line, without a copied `[ace-00012] helpful=3 harmful=0 ::` prefix, and without a list marker
    before what begins a sentence. Nothing that may be the sentence itself is taken away: `* matches any sequence`,
    `404. That page`, `[ace-00012] was wrong` and `[ace-00012] helpful=3 harmful=0 was pruned too early` stay.
    """
    line = " ".join(content.split())
    prefix = _COPIED_PREFIX.match(line)
    line = line[prefix.end() :] if prefix else line
    marks = _MARKS.match(line)
    return line[marks.end() :] if marks and _begins_a_sentence(line[marks.end() :][:1]) else line


def _begins_a_sentence(letter: str) -> bool:
    """Whether it is an upper-case letter, or one of a script that has no case."""
    return letter.isalpha() and not letter.islower()


def bare(line: str) -> str:
    """The line without any mark in front that may be one, a number included."""
    # With a blank behind it, a mark without a text is one, too.
    marks = _ANY_MARKS.match(f"{line} ")
    return line[marks.end() :] if marks else line


# --- texts that say nothing -----------------------------------------------------------------------------------------

_NO_TEXT: Final = frozenset(
    (
        "n/a",
        "n.a",
        "na",
        "none",
        "null",
        "nil",
        "nothing",
        "tbd",
        "todo",
        "ok",
        "yes",
        "no",
        "true",
        "false",
        "undefined",
        "no-op",
        "xxx",
    )
)
_WRAPPING: Final = " .`*_\"'\u2018\u2019\u201c\u201d()[]{}<>"
"""What may be set around a text without changing what it says."""

_COMMON_WORDS = """
a about accuracy accurate accurately act acting again ahead aim all always an and any approach are as
at attention attentive avoid aware be been before best better but by can care careful carefully
caution cautious check checking clear clearly close closely common completely consider correct
correctly detail details diligent do does doing don't double effort ensure error errors every
everything everytime extra focus focused follow for from good hard harder have important in
instruction instructions is it it's job keep learn make mind mindful mistake mistakes more most must
needed never not of on only other our out pay paying perform plan please practice practices precise
precisely proceed properly quality read reading really remain remember responsible result results
rush same sense should so stay step steps sure take task tasks that the then thing things think
thinking this thorough thoroughly time times to try twice understand up use verify very vigilant
watch well when while with work working you your yourself
"""
_COMMONPLACE: Final = frozenset(_COMMON_WORDS.split())
"""Words that make a commonplace when there is no other: a lesson names a thing, a situation or an action beside them."""

_WORDS_OF_NOTHING = """
add added apply applicable available bullet bullets change changes content empty example found goes
here improvement improvements insert insight insights issue issues learned learnt lesson lessons
n necessary new no none nothing one operation operations placeholder playbook required run sample
section sentence string text there unknown update updates value was were write
"""
_OF_NOTHING: Final = _COMMONPLACE | frozenset(_WORDS_OF_NOTHING.split())
_SIGNS: Final = frozenset(
    (
        "example",
        "here",
        "insert",
        "n",
        "no",
        "none",
        "not",
        "nothing",
        "placeholder",
        "sample",
        "unknown",
        "your",
    )
)
"""With one of these, a text of the words above says that there is no lesson (`Nothing to add.`), or stands for one (`Your lesson
here`); so it does in brackets (`[lesson]`).
"""

_LONGEST_COMMONPLACE: Final = 80
"""Characters."""
# Plain words and nothing else: a figure, a mark of code or a quotation names something.
_PLAIN = re.compile(r"[A-Za-z'\u2019 ,.;:!?/-]+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


def says_nothing(line: str) -> bool:
    """Whether a cleaned line says nothing: nothing but figures and punctuation behind its marks, a word that stands for nothing,
    a commonplace (`Be careful.`, `Always double-check everything.`), or that there is nothing to say.
    """
    text = bare(line)
    inner = text.strip(_WRAPPING)
    if all(map(_is_no_word, text)) or inner.casefold() in _NO_TEXT:
        return True
    if len(inner) > _LONGEST_COMMONPLACE or not _PLAIN.fullmatch(inner):
        return False
    words = {word.replace("\u2019", "'") for word in _WORD.findall(inner.casefold())}
    if is_placeholder(text):  # that is another reason
        return False
    is_of_nothing = text[0] in "[{<" or not words.isdisjoint(_SIGNS)
    return words <= (_OF_NOTHING if is_of_nothing else _COMMONPLACE)


def _is_no_word(char: str) -> bool:
    """Whether it is a figure, punctuation or a mark of arithmetic. What is hidden, or a picture, is for the screens to judge."""
    kind = category(char)
    return kind in ("Sm", "Sc") or kind[0] in "NPZ" or char in "`^"


# --- texts that repeat what was asked -------------------------------------------------------------------------------

_FEWEST_WORDS: Final = 5
_MOST_READ: Final = 20_000
"""Characters of a text that are compared: what a longer one begins with is enough."""
_LONGEST_KEY: Final = 20
"""Characters."""
_KEYS: Final = frozenset(
    ("erroranalysis", "keyinsight", "bullettags", "operations", "type", "section", "content", "id", "tag")
) | {"helpful", "harmful", "neutral"}
_DESCRIPTION = re.compile(r"<[^\W\d_]+(?:[ ,]+[\w'\u2019/-]+)+[.…]*>")


def is_placeholder(text: str) -> bool:
    """Whether the text stands for one that was to be written: `…`, `...`, `<what went wrong>`, or the schema's `string`."""
    text = text.strip()
    dots = not text.strip(".…") and ("…" in text or ".." in text)
    return dots or text == "string" or _DESCRIPTION.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Whether the text is a key of the reply, with or without its underscore, or a tag: nothing was said with it."""
    return len(text) < _LONGEST_KEY and re.sub(r"[\W_]+", "", text).casefold() in _KEYS


def repeats(text: str, instructions: str) -> bool:
    """Whether the text is made of the instructions that the model was given: half of its words or more are there in runs of at
    least five, in this order. Case, white space and punctuation do not matter. So a copy that is cut off within a word, that is
    altered a little, or that is put together from several sentences is one, too; a few words alone prove nothing.
    """
    words = _words(text[:_MOST_READ])
    runs = _runs_in(instructions)
    copied = [False] * len(words)
    for at in range(len(words) - _FEWEST_WORDS + 1):
        if tuple(words[at : at + _FEWEST_WORDS]) in runs:
            copied[at : at + _FEWEST_WORDS] = [True] * _FEWEST_WORDS
    return 0 < len(words) <= 2 * sum(copied)


def _words(text: str) -> list[str]:
    return _WORD.findall(key_of(text))


@lru_cache(maxsize=8)
def _runs_in(instructions: str) -> frozenset[tuple[str, ...]]:
    words = _words(instructions)
    return frozenset(tuple(words[at : at + _FEWEST_WORDS]) for at in range(len(words) - _FEWEST_WORDS + 1))
