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

_NO_TEXT: Final = frozenset({"n/a", "na", "none", "null", "nil", "nothing", "tbd", "todo"})

_COMMON_WORDS = """
a about again aim all always an and any approach are as at attention attentive avoid aware be been
best better but by can care careful carefully caution cautious check checking clear clearly close
closely completely consider correct correctly detail details diligent do does doing don't double
effort ensure error errors every everything everytime extra focus for from good hard harder have
important in instructions is it it's job keep learn make mind mindful mistake mistakes more most
must needed never not of on only other our out pay paying perform please precise precisely proceed
properly quality really remain remember rush same should so stay step steps sure take task tasks
that the then thing things think thinking this thorough thoroughly time times to try twice
understand up very vigilant watch well when while with work you your yourself
"""
_COMMONPLACE: Final = frozenset(_COMMON_WORDS.split())
"""Words that make a commonplace when there is no other: a lesson names a thing, a situation or an action beside them."""

_LONGEST_COMMONPLACE: Final = 80
"""Characters."""
# Plain words and nothing else: a figure, a mark of code or a quotation names something.
_PLAIN = re.compile(r"[A-Za-z'\u2019 ,.;:!?-]+")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)?")


def says_nothing(line: str) -> bool:
    """Whether a cleaned line says nothing: nothing but figures and punctuation behind its marks, a word that stands for nothing,
    or a commonplace (`Be careful.`, `Always double-check everything.`).
    """
    text = bare(line)
    if all(map(_is_no_word, text)) or text.strip(" .").casefold() in _NO_TEXT:
        return True
    if len(text) > _LONGEST_COMMONPLACE or not _PLAIN.fullmatch(text):
        return False
    return _COMMONPLACE.issuperset(word.replace("\u2019", "'") for word in _WORD.findall(text.casefold()))


def _is_no_word(char: str) -> bool:
    """Whether it is a figure, punctuation or a mark of arithmetic. What is hidden, or a picture, is for the screens to judge."""
    kind = category(char)
    return kind in ("Sm", "Sc") or kind[0] in "NPZ" or char in "`^"


# --- texts that repeat what was asked -------------------------------------------------------------------------------

_FEWEST_WORDS: Final = 5
_LONGEST_KEY: Final = 20
"""Characters."""
_KEYS: Final = frozenset(
    ("erroranalysis", "keyinsight", "bullettags", "operations", "type", "section", "content", "id", "tag")
)
_DESCRIPTION = re.compile(r"<[^\W\d_]+(?:[ ,]+[\w'\u2019/-]+)+[.…]*>")


def is_placeholder(text: str) -> bool:
    """Whether the text stands for one that was to be written: `…`, `...`, `<what went wrong>`, or the schema's `string`."""
    text = text.strip()
    dots = not text.strip(".…") and ("…" in text or ".." in text)
    return dots or text == "string" or _DESCRIPTION.fullmatch(text) is not None


def is_key(text: str) -> bool:
    """Whether the text is a key of the reply, with or without its underscore: nothing was said under that key."""
    return len(text) < _LONGEST_KEY and re.sub(r"[\W_]+", "", text).casefold() in _KEYS


def repeats(text: str, instructions: str) -> bool:
    """Whether the text is, word for word, in the instructions that the model was given. Case, white space and punctuation
    do not matter; a few words alone prove nothing.
    """
    if len(text) > 2 * len(instructions):
        return False
    plain = _plain(text)
    return plain.count(" ") > _FEWEST_WORDS and plain in _plain_instructions(instructions)


def _plain(text: str) -> str:
    return f" {' '.join(_WORD.findall(key_of(text)))} "


_plain_instructions = lru_cache(maxsize=8)(_plain)
