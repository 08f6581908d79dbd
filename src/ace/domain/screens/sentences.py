"""Secrets that people tell each other: `user: bot / hunter2`, the password in other languages, the words of a wallet.

To add a word for a password in another language, add it to `_FOREIGN`, and its stem to `_ASCII_STEMS` if it is written in ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from ace.domain.screens.values import Stands, is_random, passes_for, reads_as_words
from ace.domain.screens.views import contains_any

__all__ = ["FOREIGN_STEMS", "TOLD_MARKS", "TOLD_STEMS", "foreign_secrets", "told_secrets"]

_FOREIGN = (
    # The word for a password, and for a key or token of an interface, in the commonest languages.
    *("contraseñas?", "contrasena", "clave", "palabra clave", "senha", "palavra-passe", "mots? de passe", "mdp", "kennwort", "zugangscode"),
    *("wachtwoord", "parola", "hasło", "haslo", "heslo", "jelszó", "lösenord", "losenord", "adgangskode", "passord", "salasana", "şifre", "sifre"),
    *("contrasenya", "pasahitza", "lozinka", "lozinku", "geslo", "parool", "paroli", "slaptažodis", "slaptazodis", "parole", "lykilorð", "fjalëkalimi"),
    *("лозинка", "құпия сөз", "գաղտնաբառ", "گذرواژه", "پاس ورڈ", "پسورد", "கடவுச்சொல்", "పాస్‌వర్డ్", "પાસવર્ડ", "পাসওয়ার্ড", "सांकेतिक शब्द"),
    *("парол(?:[ьяюе]м?|(?:ат)?[\u0430]|и)", "κωδικός", "סיסמה", "סיסמא", "كلمة المرور", "كلمة السر", "رمز عبور", "密码", "密碼", "口令", "密钥", "密鑰", "令牌"),
    *("パスワード", "暗証番号", "トークン", "비밀번호", "암호", "토큰", "mật khẩu", "kata sandi(?:nya)?", "sandinya", "ang password", "รหัสผ่าน", "पासवर्ड"),
    *("clé (?:secrète|d'api|api)", "chave (?:secreta|de api|da api|api)", "chiave (?:segreta|api)", "clave (?:secreta|de api|api)"),
    *("api-schlüssel", "ключ api", "ключ", "токен", "apiキー", "api密钥", "geheimnis"),
)  # fmt: skip
_LETTERS = re.compile("[\u00c0-\u024f\u0370-\u0e7f\u1e00-\u1eff\u3040-\u9fff\uac00-\ud7af]")
"""Letters of the scripts that the other words are written in. Most texts beyond ASCII hold marks alone."""
_ASCII_STEMS = ("contrasena", "clave", "senha", " de passe", "mdp", "kennwort", "achtwoord", "parola", "haslo", "heslo", "losenord",
                "adgangskode", "passord", "salasana", "sifre", "kata sandi", "lozink", "geslo", "parool", "paroli", "slaptazodis", "parole", "contrasenya", "pasahitza", "sandinya", "ang password", "chave", "chiave", "geheimnis")  # fmt: skip
_LINKS = (
    # How a sentence goes on from the name to the value.
    r"(?:is|was|are|ist|lautet|war|es|está|est|era|è|é|és|será|jest|je|este|ir|yra|to|är|er|on|ay|olarak|это|є|\u0435|\u0458\u0435|είναι|היא|هي|است|है|हैं|হল|ஆகும்|adalah|là|bu|คือ|เป็น)(?!\w)"
    r"|は|が|是|为|為|는|은|가|→|—|\u2013|-|=|:"
)

_FOREIGN_LINK = re.compile(
    rf"[\"'`»”)\]*]{{0,3}}(?: (?:für|zu[mr]|von|de[lr]?|do|до|для|от|к|para|pour|per|till|til|för|voor|van|na|da|di|untuk)(?: [\w.@-]{{1,30}}){{1,3}}?)?[ \t]{{0,40}}(?:(?:{_LINKS})[ \t]{{0,8}}:?[ \t]{{0,40}})"
)
_QUOTED = re.compile(r"[\"'`«“](?P<value>[^\"'`»”\n]{1,200})[\"'`»”]")
_BARE = re.compile(r"[\w+/.~!?$@#%^&*=:-]{1,512}")
_TAIL = ".,:;!?。、\uff0c"
_SEED = re.compile(
    r"(?:seed|recovery|mnemonic|backup|secret)(?:[ _-]?(?:phrase|words|seed|mnemonic))?[\"'`]?[ \t]{0,8}(?:is|:|=|=>)[ \t]{0,8}[\"'`]?(?P<value>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})\b"
)
_ACCOUNTS = (
    *("auth", "login", "log in", "cred", "account", "user"),
    *("zugangsdaten", "anmeldedaten", "identifiants", "credenciales", "credenciais", "credenziali"),
)
TOLD_STEMS = (
    "wifi",
    "seed",
    "mnemonic",
    "recovery",
    "phrase",
    "auth",
    "log",
    "cred",
    "account",
    "user",
    "connect",
    "pdo",
    "pass",
    "bind",
    "zugang",
    "anmelde",
    "identifiant",
)
"""What one of the words of a text holds in which `told_secrets` finds anything."""
TOLD_MARKS = "(:=/0123456789"
"""Of these it holds one, too."""
FOREIGN_STEMS = tuple(stem.strip().split(" ")[-1] for stem in _ASCII_STEMS)
"""The same of `foreign_secrets`, if the text is of ASCII."""
_ACCOUNT = re.compile(
    r"(?:s|entials?|name:password|:pass(?:word)?)?(?: is| are| with|:|=| \(| as)[ \t]{0,4}[\"'`(]?[\w.@+-]{1,64} ?[:/] ?(?P<value>[^\s\"'`<>()/]{6,200})"
)
_PAIR = re.compile(
    r"\w{0,20}[\"']?\s{0,2}[=:]?\s{0,2}\(\s{0,4}[\"'][^\"'\n]{1,80}[\"']\s{0,2},\s{0,4}[\"'](?P<value>[^\"'\n]{4,200})[\"']"
)
"""What a call that signs in is given: a user and a password."""
_PLACE = re.compile(
    r"\w{0,12}\((?:\s{0,20}[\"'][^\"'\n]{0,200}[\"']\s{0,2},)?\s{0,20}(?:[\w.$\[\]>-]{1,60}|[\"'][^\"'\n]{0,200}[\"'])\s{0,2},"
    r"\s{0,20}[\"'][^\"'\n]{1,80}[\"']\s{0,2},\s{0,20}[\"'](?P<value>[^\"'\n]{4,200})[\"']"
)
"""What a call that connects is given: a place, a user and a password."""
_CALLS = (
    *((word, _PAIR) for word in ("auth", "login", "signin", "sign_in", "simple_bind", "username_pw_set", "wifi.begin")),
    *((word, _PLACE) for word in ("connect", "pdo", "setpassword", "set_password", "createpassword", "create_password", "authenticator", "credential")),
)  # fmt: skip
"""A part of the name of such a call, in lower case, and what follows it."""
_AS = re.compile(
    r" (?:the |your |a |my |its |our )?(?:[a-z-]{1,20} ){0,2}?(?:password|passphrase|passcode|pw)\b"
)


def told_secrets(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Where secrets are in sentences. `lower` is the text in lower case, place for place."""
    if "seed" in lower or "mnemonic" in lower or "recovery" in lower or "phrase" in lower:
        for match in _SEED.finditer(lower):
            yield *match.span("value"), "seed phrase"
    if "(" in text:
        yield from _calls(text, lower)
    if "pass" in lower and " as " in lower:
        yield from _used(text, lower)
    yield from _accounts(text, lower)


def _calls(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """The last string that a call is given which signs in or connects."""
    for word, given in _CALLS:
        at = lower.find(word)
        while at >= 0:
            at += len(word)
            if (match := given.match(text, at)) and passes_for(match["value"], "password", "said"):
                yield *match.span("value"), "password in a call"
            at = lower.find(word, at)


def _used(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """What comes before `as the password`."""
    at = lower.find(" as ")
    while at >= 0:
        if _AS.match(lower, at + 3):
            start = max(text.rfind(" ", max(0, at - 200), at), text.rfind("\n", max(0, at - 200), at)) + 1
            value = text[start:at].strip("\"'`.,:;()")
            if (
                value
                and passes_for(value, "password", "said")
                and (is_random(value) or not reads_as_words(value))
            ):
                start = text.index(value, start)
                yield start, start + len(value), "password in a sentence"
        at = lower.find(" as ", at + 1)


def _accounts(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    for word in _ACCOUNTS:
        at = lower.find(word)
        while at >= 0:
            if match_ := _ACCOUNT.match(text, at + len(word)):
                value = match_["value"].rstrip(_TAIL)
                if passes_for(value, "password", "said") and not reads_as_words(value):
                    yield match_.start("value"), match_.start("value") + len(value), "password in a sentence"
            at = lower.find(word, at + 1)


def foreign_secrets(text: str, lower: str) -> Iterator[tuple[int, int, str]]:
    """Where a secret follows its name in another language."""
    if not contains_any(lower, _ASCII_STEMS) and (lower.isascii() or not _LETTERS.search(lower)):
        return
    for found in _foreign_word().finditer(lower):
        if found[0].isascii() and found.start() and text[found.start() - 1].isalpha():
            continue
        link = _FOREIGN_LINK.match(text, found.end())
        if link is None and not text.startswith(" ", found.end()):
            continue
        at = link.end() if link else found.end() + 1
        if quoted := _QUOTED.match(text, at):
            at, value = quoted.start("value"), quoted["value"]
        else:
            bare = _BARE.match(text, at)
            value = bare[0].rstrip(_TAIL) if bare else ""
        marked = link is not None and link[0].strip(" \t\"'`»”)*]") in (":", "=")
        stands: Stands = "said" if not marked else "quoted" if quoted else "bare"
        if value and passes_for(value, "password", stands) and (link or is_random(value)):
            yield at, at + len(value), "password behind a name"


@cache
def _foreign_word() -> re.Pattern[str]:
    return re.compile(rf"(?:{'|'.join(_FOREIGN)})(?![a-z])")
