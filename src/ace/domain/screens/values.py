"""What the text behind a name, or the body of a token, is: a secret, or what people and programs write in its place.

Nothing here knows what a word means. Three things are told apart: a *placeholder* (`<token>`, `$TOKEN`, `your-key-here`, `ghp_xxxx`),
*words* (identifiers, paths, sentences: what is read aloud), and a *random* text, in which letters and digits alternate as they do
in no word. A password that a person chose is none of the three, so it takes a name in front of it to be seen.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal

from ace.domain.screens.names import Kind, word_set

__all__ = [
    "BLOTTED",
    "PLACEHOLDER",
    "Stands",
    "is_mixed",
    "is_placeholder",
    "is_random",
    "is_secret",
    "is_weak",
    "passes_for",
    "reads_as_words",
    "turns",
]

PLACEHOLDER = "[redacted credential]"
"""What takes the place of a credential."""

type Stands = Literal["quoted", "given", "bare", "said"]
"""How a value is written in a text: in quotes; given to an environment or an option, where anything is a value; bare, where code has
variables, too; in a sentence or a call, where most of what follows is another word.
"""


BLOTTED = re.compile(
    r"[xX]{5}|\*{3}|\.{3}|…|•{2}|#{4}|-{6}|0{12}|EXAMPLE(?:KEY)?=?$|\[redacted|<redacted|REDACTED|redacted"
)
"""What is blotted out already, or meant to be filled in."""
_TEMPLATE = re.compile(
    # A shell's, a template's or a formatter's variable; something in angle brackets; a call.
    r"\$(?:[A-Za-z_]\w*|[{(\[<]|[0-9@*?!#](?![A-Za-z0-9]))|\{\{|\{[A-Za-z_$%#][^}\n]{0,80}\}?|\[[A-Za-z_]|<[^>\n]{0,80}>?|\([A-Za-z_]|%[A-Za-z_]\w*%"
    r"|%[({<]|%[sdrvqi@](?![A-Za-z0-9])|#\{|@\{|\$$|<%|!\w+ |&[a-z]+;|`[^`\n]*`"
)
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_FILLERS = word_set("""
    your my the a an our this that some any new old enter insert put add replace change set use provide
    paste here example sample dummy fake placeholder todo tbd fixme none null nil undefined true false
    yes no string str text bool int number integer type hidden redacted masked removed required optional
    default unset empty changeme changeit changethis me it in with from of for is goes value values
    actual real secret secrets password passwords passwd pwd pass passphrase token tokens key keys
    apikey api auth access user username id client server name test testing service account private
    public foo bar baz qux abc xyz login credential credentials and or to env var variable random
    generated long super strong very file path db database admin root app bearer basic oauth session
    project
""")
_WEAK = word_set("""
    postgres postgresql root admin administrator guest test tests testing user username mysql mariadb
    mongo mongodb redis rabbitmq minio minioadmin example demo dev develop development local localhost
    password passwd pass pwd pw secret token changeme changeit default docker airflow neo4j elastic
    elasticsearch kibana grafana sa app db database foo bar baz qux x y xxx abc hidden required letmein
    tiger pass1 anonymous nobody empty blank none null string rootpassword rootpw mypassword
    yourpassword key value host port
""")
_UUID = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}")
_PIECES = re.compile(r"[^A-Za-z0-9+=]+")
_TURNS = re.compile(r"(?<=[A-Za-z])(?=[0-9])|(?<=[0-9])(?=[A-Za-z])")
_HUMPS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_LONGEST_WORD = 22
_HARD = re.compile(r"[bcdfghjklmnpqrstvwxzBCDFGHJKLMNPQRSTVWXZ]{6}")


def is_placeholder(value: str) -> bool:
    """Whether the value is what a text has in place of a secret."""
    if (
        BLOTTED.search(value)
        or (_TEMPLATE.match(value) and not _is_dollar(value))
        or not any(map(str.isalnum, value))
    ):
        return True
    if len(set(value.lower())) < 3:
        return True
    parts = [part.lower() for part in _PARTS.findall(value)]
    words = [part for part in parts if not part.isdigit()]
    if not words:
        return False
    if words[0] in (
        "your",
        "my",
        "the",
        "insert",
        "enter",
        "replace",
        "example",
        "dummy",
        "fake",
        "placeholder",
    ):
        return not is_random(value)
    return all(word in _FILLERS for word in words) and sum(map(len, parts)) - sum(map(len, words)) < 3


def _is_dollar(value: str) -> bool:
    """Whether the value is a password that begins with a dollar sign, and no variable: no shell has such a name."""
    name = value[1:]
    return value[0] == "$" and name.isalnum() and turns(name) >= 3 and not reads_as_words(name)


def is_weak(value: str) -> bool:
    """Whether the value is a default that everybody knows, as in `postgres:postgres@localhost`."""
    return value.lower().strip("'\"") in _WEAK


def _is_uuid(value: str) -> bool:
    return _UUID.fullmatch(value) is not None


def turns(value: str) -> int:
    """How often a letter follows a digit or a digit a letter."""
    return len(_TURNS.findall(value))


def reads_as_words(value: str) -> bool:
    """Whether the value is an identifier, a path or a sentence: words, perhaps with a number behind one of them."""
    pieces = [piece for piece in _PIECES.split(value) if piece]
    return all(map(_is_word, pieces))


def _is_word(piece: str) -> bool:
    if piece.isdigit():
        return True
    turns = len(_TURNS.findall(piece))
    humps = _HUMPS.findall(piece)
    long = bool(humps) and sum(map(len, humps)) >= 3.4 * len(humps) and not _HARD.search(piece)
    if long and any(len(hump) > _LONGEST_WORD and not hump.isupper() for hump in humps):
        return False
    if turns > (2 if len(piece) <= 5 else 1):
        # Numbers within a name in humps, as in OAuth2AuthorizationCode or sha256WithRSA.
        return long and turns <= 4 and len(humps) >= 2 and not piece.islower() and not piece.isupper()
    return len(piece) <= 5 or long


def is_random(value: str) -> bool:
    """Whether letters and digits alternate as in a generated text: twelve characters at least, or a UUID."""
    if len(value) < 12:
        return False
    if _is_uuid(value):
        return True
    return any(
        (len(piece) >= 8 and len(_TURNS.findall(piece)) >= 3) or (len(piece) >= 16 and not _is_word(piece))
        for piece in _PIECES.split(value)
    )


def is_secret(value: str) -> bool:
    """Whether the value is neither a placeholder nor a default that everybody knows."""
    return not is_placeholder(value) and not is_weak(value)


def passes_for(value: str, kind: Kind, stands: Stands) -> bool:
    """Whether the value passes for a secret behind a name of this kind."""
    if not is_secret(value) or _PUBLIC.match(value) or (value[0] in "/\\" and reads_as_words(value)):
        return False
    return _JUDGES[kind](value, stands)


_PUBLIC = re.compile(
    r"0x[0-9a-fA-F]{1,16}(?![0-9a-fA-F])|MFkw|MII|AAAA[BCE]|ssh-|(?:sha\d{1,3}|md5)(?:[-:$=_]|[0-9a-f]{32,}(?![0-9A-Za-z]))|https?:|v?\d{1,6}(?:\.\d{1,6}){1,3}$"
)
"""What is none: a number, a public key or a certificate, a digest, an address, a version."""
_MIXED = re.compile(
    r"(?<![^ ])(?=[^ ]{0,40}[A-Za-z])(?=[^ ]{0,40}[0-9])(?![^ ]{0,40}(?:[-/:]|[0-9](?:st|nd|rd|th|[kKmMsxX])(?![A-Za-z0-9])))[^ ]{3,}"
)
"""A word of letters and digits that is neither a number with a unit nor a range nor a time."""
_SECRET_WORD = re.compile(r"(?:pass|pwd|secret|token|key|cred|auth|test|version)", re.IGNORECASE)
_MARKED = re.compile(r"[a-zA-Z][!#%^][a-zA-Z]")
"""A mark within a word, where neither code nor prose has one."""
_APPLICATION = re.compile(r"[a-z]{4}(?:-[a-z]{4}){3}")
"""A password that an account has for one program."""
_COUNTED = ("1234", "12345", "123456", "12345678", "0000", "000000")
_LABELS = frozenset(
    (
        "password",
        "passwort",
        "contraseña",
        "senha",
        "mot de passe",
        "wachtwoord",
        "пароль",
        "密码",
        "パスワード",
    )
)


def _is_password(value: str, stands: Stands) -> bool:
    if " " in value:
        # A sentence is not a password, though some passwords are sentences.
        return stands in ("quoted", "given") and value.count(" ") < 6 and _MIXED.search(value) is not None
    digits = any(map(str.isdigit, value))
    if stands == "quoted":
        return len(value) >= 4 and value.lower() not in _LABELS
    if stands == "given" or _APPLICATION.fullmatch(value):
        return len(value) >= 4
    if len(value) < 6:
        return False
    mixed = digits and any(map(str.isalpha, value))
    if stands == "said":
        return (digits or not value.isalnum()) and (mixed or not reads_as_words(value))
    # A variable is called for what it holds: `password1`, `new_pwd2`.
    chosen = digits or (len(value) >= 8 and _MARKED.search(value) is not None)
    return chosen and not (mixed and reads_as_words(value) and _SECRET_WORD.search(value))


def _is_noun(value: str, stands: Stands) -> bool:
    # `pass` is a verb, a result and a part of names; where it is the noun, its value is not a word.
    return _is_password(value, stands) and (stands == "given" or not reads_as_words(value))


def _is_token(value: str, stands: Stands) -> bool:
    if " " in value or len(value) < 8:
        return False
    if stands == "said":
        return len(value) >= 16 and is_random(value) and not _is_uuid(value)
    if value.isdigit():
        return len(value) >= 12 and stands in ("quoted", "given")
    if any(map(str.isdigit, value)):
        # What an environment is given is a value, though it may read as a word: `API_KEY=tulip4711`.
        given = stands == "given" and (value.isalnum() or (len(value) >= 20 and is_mixed(value)))
        return is_random(value) or not reads_as_words(value) or given
    return len(value) >= 20 and value.isascii() and not reads_as_words(value)


def _is_key(value: str, stands: Stands) -> bool:
    # Cells, hashes and variables are called keys, too: what a sentence says has to be as mixed as nothing else.
    return (
        (stands != "said" or (len(value) >= 24 and turns(value) >= 6 and is_mixed(value)))
        and len(value) >= 16
        and " " not in value
        and is_random(value)
        and (stands == "given" or not _is_uuid(value))
    )


def _is_bare_key(value: str, stands: Stands) -> bool:
    return len(value) >= 20 and _is_key(value, stands) and is_mixed(value)


def is_mixed(value: str) -> bool:
    """Whether it has capitals, small letters and digits."""
    return all(any(map(kind, value)) for kind in (str.isupper, str.islower, str.isdigit))


def _is_pin(value: str, stands: Stands) -> bool:
    # A year is none.
    return (
        stands == "given"
        and value.isdigit()
        and 4 <= len(value) <= 12
        and value[:2] not in ("19", "20")
        and value not in _COUNTED
    )


def _is_cookie(value: str, _: Stands) -> bool:
    return len(value) >= 16 and is_random(value) and not _is_uuid(value) and " " not in value


def _is_listed(value: str, _: Stands) -> bool:
    return len(value) >= 16 and " " not in value and is_random(value) and not _is_uuid(value)


_JUDGES: dict[Kind, Callable[[str, Stands], bool]] = {
    "password": _is_password,
    "bare pass": _is_noun,
    "token": _is_token,
    "key": _is_key,
    "bare key": _is_bare_key,
    "pin": _is_pin,
    "cookie": _is_cookie,
    "list": _is_listed,
}
