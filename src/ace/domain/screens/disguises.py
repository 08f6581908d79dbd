"""A text in disguise, as it is read: letters of other alphabets, figures for letters, split and run-together words, encodings.

`undisguised` gives each reading of a text that holds words of the grammar which the text itself does not hold, with a word for
the disguise. The screen of overrides reads them with the grammar that it has for everything else, so that a disguise needs no
wording of its own. A reading is made only where the text shows a sign of it; most texts show none.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from ace.domain.screens.english import vocabulary
from ace.domain.screens.gates import marks_of, words_of
from ace.domain.screens.layers import layers
from ace.domain.screens.views import Views, contains_any

__all__ = ["ENCODED", "SPLIT", "undisguised"]


def undisguised(views: Views) -> list[tuple[str, str]]:
    """Each reading of the text, folded, with the disguise that it takes off. Most texts have none."""
    readings = [*_readings(views.folded, views.words, views.marks)] if _shows_a_sign(views) else []
    if not views.plain.isascii() and _FOREIGN_LETTER.search(views.plain):
        readings += _look_alikes(views.plain)
    if _may_be_encoded(views):
        readings += _encodings(views)
    return [(told, text) for told, text in readings if _says_more(views, told, text)]


def _says_more(views: Views, told: str, text: str) -> bool:
    """Whether a reading holds words of the grammar, or words at all, that the text does not."""
    if text == views.folded:
        return False
    new = words_of(text) - views.words
    return (
        not new.isdisjoint(vocabulary())
        or text.count(" ") > views.folded.count(" ")
        or (bool(new) and not text.isascii() and told == ENCODED)
    )


def _shows_a_sign(views: Views) -> bool:
    """Whether there is anything to read otherwise within the letters and marks of ASCII."""
    return (
        not views.marks.isdisjoint(_IN_FIGURES)
        or "<" in views.marks
        or contains_any(_letters_alone(views.folded), _ALL_STEMS)
        or not views.words.isdisjoint(_turned())
    )


SPLIT = "split"
"""The disguise of words in pieces, or run together, which are put right."""
ENCODED = "encoded"
"""The disguise of a text in an encoding that `layers` or base64 takes off."""


def _look_alikes(plain: str) -> Iterator[tuple[str, str]]:
    alike = _letters(plain)
    yield "look-alike", alike
    if contains_any(plain, ("ǝ", "ɹ", "ʇ")):
        yield "backwards", _letters(plain.translate(_TURNED_OVER))[::-1]
    yield from _readings(alike, words_of(alike), marks_of(alike))


def _encodings(views: Views) -> Iterator[tuple[str, str]]:
    for layer in layers(views.raw):
        yield ENCODED, Views.of(layer.text).folded
    if (decoded := _BASE.sub(_decoded, views.plain)) != views.plain:
        yield ENCODED, decoded.casefold()


def _readings(text: str, words: frozenset[str], marks: frozenset[str]) -> Iterator[tuple[str, str]]:
    whole = _TAG.sub("", text) if "<" in marks else text
    letters = _letters_alone(whole)
    if contains_any(letters, _ALL_STEMS):
        stems = [stem for stem in _STEMS if stem in letters]
        if whole is not text or not marks.isdisjoint('*~`"\\'):
            yield "marks", _BETWEEN_LETTERS.sub("", whole)
        if max(map(len, text.split())) > _LONGEST:
            yield "marks", _CHAIN.sub(_blanks, text)
        if _hidden(stems, letters, text, words):
            yield SPLIT, " ".join(_cut(letters))
    if not marks.isdisjoint(_IN_FIGURES):
        yield from _in_figures(text, words, marks)
    turned = {_telling()[word] for word in words & _turned()}
    if "backwards" in turned:
        yield "backwards", text[::-1]
        yield "backwards", " ".join(word[::-1] for word in re.findall(r"\w+", text))
    if "rot13" in turned:
        yield "rot13", codecs.encode(text, "rot13")


def _in_figures(text: str, words: frozenset[str], marks: frozenset[str]) -> Iterator[tuple[str, str]]:
    mixed = [] if marks.isdisjoint(_DIGITS) else [word for word in words if not word.isalpha()]
    odd = [word for word in mixed if not word.isdigit()]
    if (odd and _FIGURE.search(" ".join(odd))) or (not marks.isdisjoint(_SIGNS) and _SIGNED.search(text)):
        yield "figures", _FIGURES.sub(_word_of_figures, text)
    if len(mixed) > 1 and len(words & _LONE_FIGURES) > 1 and len(words & _LONE) > 3:
        for one in "il":
            read = text.translate(_READ).replace("1", one).translate(_NO_LETTERS)
            yield "figures", " ".join(_cut(read))
    if (
        # Bytes and codes of letters; bits; dots and dashes.
        (len(mixed) > 5 and sum(2 <= len(word) <= 4 for word in mixed) > 5)
        or any(len(word) >= 8 and not word.strip("01") for word in mixed)
        or ("-" in marks and "." in marks and contains_any(text, _MORSE_SIGNS))
    ):
        yield "numbers", _of_numbers(text)


# --- letters ----------------------------------------------------------------------------------------------------------

_ALIKE = {
    # Cyrillic, Greek, Latin without dots, small, turned or struck through, Armenian, Cherokee, signs.
    "a": "аАαΑɑɐᴀաᎪ\u2c6f", "b": "вВьЬБбβΒʙƀɓᏴ฿", "c": "сСϲϹᴄɔᏟ¢ⅽ", "d": "ԁԀԂᴅđɗðᎠժδ", "e": "еЕєЄэЭεΕᴇǝɘɛᎬ€ҽ", "f": "ғҒꜰƒſϝ",
    "g": "ɡɢᶃցǥԍԌᏀ", "h": "һҺнНηΗʜհћᎻℏ", "i": "іІїЇιΙıɩɪᴉӏ¡Ꭵǀ", "j": "јЈϳʝᴊյᎫ", "k": "кКκΚҝҚқᴋƙᏦ", "l": "ӀʟᴌłԼᏞ£",
    "m": "мМμΜᴍɯɱᎷµ", "n": "пПиИйЙɴᴎɲŋռΝ", "o": "оОοΟσΣωօՕᴏøɵӨөᎾ°", "p": "рРρΡϱᴘþᏢ", "q": "ԛԚզգʠ", "r": "гГяЯʀᴙɹꭇᎡᴦ",
    "s": "ѕЅꜱʂ§ςՏᏚꙅ", "t": "тТτΤᴛʇŧᎢ†", "u": "υцЦᴜʊսՍ", "v": "ѵѴνᴠʌᏙ", "w": "ԝԜшШщЩᴡʍᎳ", "x": "хХχΧ×ҳ",
    "y": "уУүҮұҰγΥψʏʎƴᎽ¥", "z": "ᴢΖζʐƶᏃ",
}  # fmt: skip
_LOOK_ALIKES = str.maketrans(
    {alike: letter for letter, several in _ALIKE.items() for alike in several}
    | {chr(0x1F1E6 + at): chr(97 + at) for at in range(26)}
    | {chr(base + at): chr(97 + at) for base in (0x1F130, 0x1F150, 0x1F170) for at in range(26)}
)
_FOREIGN_LETTER = re.compile(r"[^\W\d_\x00-\x7f]|[\u0300-\u036f\u0489\U0001f130-\U0001f1ff¡£€¥¢§×°†]")
_TURNED_OVER = str.maketrans("unbqdpɯʍ", "nuqbpdmw")
_ACCENTS = re.compile("[\u0300-\u036f\u0489]+")


def _letters(plain: str) -> str:
    """Letters that resemble those of ASCII, and letters with marks above or below, as those of ASCII."""
    return _ACCENTS.sub("", unicodedata.normalize("NFD", plain)).translate(_LOOK_ALIKES).casefold()


# --- figures ----------------------------------------------------------------------------------------------------------

_DIGITS = "0123456789"
_IN_FIGURES = frozenset(f"{_DIGITS}@$!|-")
"""Of these a text holds one that has figures or signs for letters, or is in Morse code."""
_READ = str.maketrans("0345678@$+9€!|", "oeasgtbastgeil")
_SIGNS = "@$!|"
_SIGNED = re.compile(r"[a-z][@$!|][a-z]|(?<![\w.:/])[@$!|][a-z]{2}|[a-z]{2}[$|]")
_FIGURE = re.compile(
    r"[a-z][013457@$!|][a-z]|(?<![\w.:/])[013457@$!|][a-z]{2}|[a-z]{2}(?:[0135$|]\b|[013457@$!|]{2})"
)
_FIGURES = re.compile(r"[a-z0-9@$!|+€]*[a-z][a-z0-9@$!|+€]*")


def _word_of_figures(match: re.Match[str]) -> str:
    """A word with figures and signs for letters: `1gn0r3`, `!gnore`, `@ll`. A 1 is an i or an l."""
    word = match[0]
    if word.isalpha():
        return word
    bare = word.rstrip("!")
    read = bare.translate(_READ)
    for one, other in (("i", "i"), ("l", "l"), ("i", "l"), ("l", "i")):
        tried = read.replace("1", one, 1).replace("1", other)
        if tried in vocabulary():
            return tried + word[len(bare) :]
    return read.replace("1", "i") + word[len(bare) :]


# --- split and run together -------------------------------------------------------------------------------------------

_STEMS = {
    **{stem: stem for stem in ("ignor", "disreg", "forget", "overrid", "bypass", "instruct", "previous", "guideline", "restrict")},
    **{stem: stem for stem in ("prompt", "rules", "obey", "reveal")},
    "arenow": "are now",
}  # fmt: skip
"""What the letters of a text may hold of a hidden wording, and how that is written openly."""
_ALL_STEMS = tuple(_STEMS)
_ASCII_MARKS = bytes(code for code in range(128) if not chr(code).isalpha())
_NO_LETTERS = {code: None for code in range(128) if not chr(code).isalpha()} | {
    0xA0: None,
    0x2014: None,
    0xB7: None,
    0x2022: None,
}
_BETWEEN_LETTERS = re.compile(r"(?<=[a-z])[*~`\"\\]{1,4}(?=[a-z])")
_TAG = re.compile(r"<[^<>\s]{0,40}>")
_CHAIN = re.compile(r"(?<![a-z])[a-z]++(?:[./+,|^=:;·•–—\u2026%]{1,3}[a-z]++){2,}+")
_NO_MARKS = re.compile(r"[^a-z]+")
_LONE = frozenset("bcdefghjklmnopqrstuvwxyz")
_LONE_FIGURES = frozenset("013457")
_LONGEST = 16


def _letters_alone(text: str) -> str:
    if text.isascii():
        return text.encode().translate(None, _ASCII_MARKS).decode()
    return text.translate(_NO_LETTERS)


def _blanks(match: re.Match[str]) -> str:
    return _NO_MARKS.sub(" ", match[0])


def _hidden(stems: list[str], letters: str, text: str, words: frozenset[str]) -> bool:
    """Whether a word of the grammar is there only without the blanks, or within a longer word."""
    if any(letters.count(stem) > text.count(_STEMS[stem]) for stem in stems):
        return True
    return any(len(word) > 9 and any(stem in word and len(word) > len(stem) + 4 for stem in stems) for word in words)  # fmt: skip


def _cut(letters: str) -> list[str]:
    """The letters cut into words of the grammar where that can be done: into the fewest pieces."""
    known = vocabulary()
    cost, size_at = [0] * (len(letters) + 1), [0] * (len(letters) + 1)
    for end in range(1, len(letters) + 1):
        cost[end] = cost[end - 1] + 2
        for size in range(1, min(_LONGEST, end) + 1):
            if cost[end - size] + 1 < cost[end] and letters[end - size : end] in known:
                cost[end], size_at[end] = cost[end - size] + 1, size
    pieces: list[str] = []
    end = at = len(letters)
    while at:
        # Letters that belong to no word stay together.
        if not size_at[at]:
            at -= 1
            continue
        pieces += [letters[at:end], letters[at - size_at[at] : at]]
        at -= size_at[at]
        end = at
    return [piece for piece in [*pieces, letters[:end]][::-1] if piece]


# --- turned, shifted, in figures, in codes ----------------------------------------------------------------------------

_TELLING = (
    "ignore ignoring disregard forget override bypass obey reveal instruction instructions previous prompt "
    "rules guidelines restrictions"
    " directives disobey unrestricted"
)


@cache
def _telling() -> dict[str, str]:
    """Words that tell an override, backwards and in rot13, with the disguise."""
    words = _TELLING.split()
    return {word[::-1]: "backwards" for word in words} | {
        codecs.encode(word, "rot13"): "rot13" for word in words
    }


@cache
def _turned() -> frozenset[str]:
    return frozenset(_telling())


_MORSE_SIGNS = (". -", "- .", "-. ")
_BITS = re.compile(r"[01]{8}(?:[ ,]{0,2}[01]{8}){5,}")
_BYTES = re.compile(r"(?<![\w])(?:0x|\\x)?[0-9a-f]{2}(?:[ ,:]{1,2}(?:0x|\\x)?[0-9a-f]{2}){5,}(?!\w)")
_CODES = re.compile(r"(?<![\w.])[0-9]{2,3}(?:[ ,]{1,2}[0-9]{2,3}){7,}(?![\w.])")
_MORSE = re.compile(r"(?<!\S)[.-]{1,5}(?: {1,3}/? ?[.-]{1,5}| ?/ ?[.-]{1,5}){5,}(?!\S)")
_MORSE_LETTERS = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)


def _of_numbers(text: str) -> str:
    """Bits, bytes and codes of letters, and Morse code, as text."""
    text = _BITS.sub(lambda match: _of_codes(re.findall("[01]{8}", match[0]), 2), text)
    text = _BYTES.sub(lambda match: _of_codes(re.findall(r"[0-9a-f]{2}(?![x])", match[0]), 16), text)
    text = _CODES.sub(lambda match: _of_codes(re.findall("[0-9]+", match[0]), 10), text)
    return _MORSE.sub(_of_morse, text).casefold()


def _of_codes(codes: list[str], base: int) -> str:
    """The text of these codes of characters, or the codes as they are where one of them shows nothing."""
    text = "".join(chr(int(code, base)) for code in codes)
    return f" {text} " if text.isprintable() and text.isascii() else " ".join(codes)


def _of_morse(match: re.Match[str]) -> str:
    words = re.split(r" {2,}| ?/ ?", match[0])
    return " ".join("".join(_MORSE_LETTERS.get(code, "") for code in word.split()) for word in words)


_SHORTEST_CODE = 16
_BASE = re.compile(r"(?<![\w+/=])(?:[A-Z2-7]{16,}+={0,6}+|[A-Za-z0-9+/_-]{12,}+={0,2}+)(?![\w+/=])")


_CODES_OF = ("&#", "&nbsp", "&amp", "&lt", "%2", "%3", "%4", "%5", "%6", "%7", "\\u", "\\x", "=3", "=2")


def _may_be_encoded(views: Views) -> bool:
    if views.runs and max(map(len, views.words), default=0) > _SHORTEST_CODE:
        return True
    return not views.marks.isdisjoint("&%\\=") and contains_any(views.raw, _CODES_OF)


def _decoded(match: re.Match[str]) -> str:
    """Base64 or base32 of a text in ASCII with a blank in it."""
    code = match[0].rstrip("=")
    for read, block in ((base64.urlsafe_b64decode, 4), (base64.b32decode, 8)):
        padded = code.replace("+", "-").replace("/", "_") if block == 4 else code
        try:
            data = read(padded + "=" * (-len(code) % block))
        except (binascii.Error, ValueError):
            continue
        if data.isascii() and b" " in data and data.decode("ascii").isprintable():
            return f" {data.decode('ascii')} "
    return match[0]
