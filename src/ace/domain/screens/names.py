"""What a name says of the value behind it.

A name is taken apart into its words: `dbPassword2`, `API_KEY_ALCHEMY` and `X-Vault-Token` hold one of the words of `_KINDS`;
`max_tokens`, `password_length`, `publicKey` and `nextPageToken` hold another that says that it is something else. To add a name, add its word
to `_KINDS` or `_GLUED`, and to `_KEYWORDS` if nothing there is a part of it; to let one stay readable, to `_OTHERWISE_BEFORE` or
`_OTHERWISE_BEHIND`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from functools import cache, lru_cache

__all__ = ["KEYWORD_STEMS", "Kind", "keywords", "named_kind", "word_set"]

type Kind = str
"""How much a name says: `password` (any text), `bare pass` (that, if it is not a verb), `token` (no words), `key` and `bare key` (generated),
`pin` (digits), `cookie` (generated), `list` (generated, each of several).
"""


def word_set(words: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(words.split())


_KINDS: dict[str, Kind] = {
    **dict.fromkeys(
        ("password", "passwd", "passphrase", "passcode", "passwort", "pwd", "pw", "pass", "pswd", "passw", "psw", "pwrd", "userpw", "rootpw"), "password"
    ),
    **dict.fromkeys(
        ("token", "secret", "apikey", "credential", "credentials", "creds", "cred", "auth", "oauth", "authkey", "authtoken", "jwt", "bearer"
         , "salt", "pat", "dsn", "passkey", "pepper", "hmac", "psk", "seed", "accesskey", "secretkey", "privatekey"),
        "token",
    ),
    "key": "key",
    **dict.fromkeys(("tokens", "secrets", "passwords", "apikeys", "keys"), "list"),
    "pin": "pin",
    "otp": "pin",
    **dict.fromkeys(("session", "sessionid", "sid", "sess", "cookie", "phpsessid", "jsessionid", "sessid", "csrf"), "cookie"),
}  # fmt: skip
_GLUED = re.compile(
    # Words that people write together with another one: `dbpassword`, `clientsecret`, `apitoken`.
    r"(?P<password>password|passwd|passphrase|passwort|kennwort|(?:db|user|my|my?sql|pg|root|admin|smtp|ftp|mail|ldap|proxy|ssh|sudo|app|web|new|old"
    r"|test|bind|store|key|trust|redis|rabbit|http|rpc|auth|wifi|wlan|login|default|master|require)(?:pass|pwd|pw))\Z"
    r"|(?P<token>token|(?<!no)secret|(?:api|access|auth|secret|private|account|shared|storage|master|service|signing|encryption|license|app|client"
    r"|consumer|deploy|subscription|site|server|write|read|ingest|integration|user|admin|account|azure|webhook|openai|license)key|apisecret)\Z"
)
_STRONG_KEY = word_set("""
    api access secret private auth account shared storage master service signing encryption encrypt
    license consumer deploy subscription write read ingest integration client app openai anthropic
    gemini groq mistral cohere webhook hmac jwt aes cipher crypt session site sdk rest admin server bot
    user x functions function host licence root registration
""")
_AT_THE_END = word_set("""
    pass pw pat pin otp key auth salt seed session sid sess cookie cred csrf dsn
""")
"""Words that say little unless they end the name, or the name is one of an environment: `pass_fds`, `key_error`."""
_OTHERWISE_BEFORE = word_set("""
    max min num total count public pub primary foreign cache sort partition row group lookup object
    bucket hot shift page next prev previous cursor continuation sync csrf xsrf pad eos bos unk sep cls
    mask special stop input output prompt completion reasoning cached used per avg average lexer
    unexpected invalid should will must can to did does not forgot reset confirm no without has is show hide use needs require requires allow
    type first last index string current dict map json idempotency dedup deduplication routing
    translation locale i18n message thread sha sha1 sha256 sha512 md5 checksum digest parent child etag
    image chunk hash fingerprint host known trusted verify verification unique compound composite
    natural surrogate enum constant magic syntax word start end ast expected
""")
_OTHERWISE_BEHIND = word_set("""
    repeat length len size count counts type types name names id ids uid url uri uris urls path paths
    file files filename dir folder field fields label labels hint hints reset policy prompt placeholder
    regex regexp pattern hash hashes hashed hasher hashing expiry expires expiration expire expired ttl
    timeout age valid validity validator validators validation strength manager managers provider
    providers store stores service services class classes handler handlers error errors required enabled
    disabled index idx position pos start end offset usage used input inputs output budget limit limits
    max min total page rotation format algorithm alg algo version info information status state change
    changed changes check checker confirm confirmation list lists map maps set sets dict table column
    columns view form button link icon title text message messages msg request requests response
    endpoint server host port scope scopes audience issuer mode method methods function fn func callback
    event events press down up board binding bindings code codes generator factory parser stream ring
    chain reference ref refs arn alias env var vars variable variables header headers prefix suffix
    separator bits bytes order metadata template exists missing present word words group groups pair
    pairs kind source tool module package helper helpers style char chars vocab screen dialog modal
    component filter selector vault owner holder protected encoder encoding decoder spec string strings
    test tests counter rate rates cost costs price per window estimate estimator ratio exchange revoked
    revocation rules rule mismatch wrapper storage agent aware based free less fixture fixtures mock
    stub regexes matcher detection detector scan scanner leak leaks required_properties properties
    property option options param params parameter argument arg args attribute schema model models
""")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")

_KEYWORDS = (
    *("pass", "pwd", "psw", "secret", "sess", "seed", "token", "key", "cred", "cookie", "csrf", "auth", "dsn", "jwt", "bearer", "hmac", "psk"),
    *("pepper", "kennwort"),
)  # fmt: skip
_WHOLE_KEYWORDS = ("pw", "pat", "pin", "salt", "sid", "signature", "sig", "otp")
"""Keywords that no letter follows."""
KEYWORD_STEMS = (*_KEYWORDS, *_WHOLE_KEYWORDS)


def keywords(lower: str) -> list[tuple[int, int]]:
    """Where the text, in lower case, has a word that a name of a secret may hold, in order."""
    return [found.span() for found in _keyword().finditer(lower)]


@cache
def _keyword() -> re.Pattern[str]:
    """One pattern, sorted by first letters: what begins with another one costs next to nothing."""
    rests: defaultdict[str, list[str]] = defaultdict(list)
    for word in _KEYWORDS:
        rests[word[0]].append(word[1:])
    for word in _WHOLE_KEYWORDS:
        rests[word[0]].append(f"{word[1:]}(?![a-z])")
    return re.compile("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in rests.items()))


@lru_cache(maxsize=4096)
def named_kind(name: str) -> Kind | None:
    """What the name says of its value, or None if that is not a secret."""
    words = [word.lower() for word in _WORDS.findall(name)]
    if words[-2:] == ["key", "base"]:
        words.pop()
    if words[-3:] == ["private", "key", "id"] or words == ["secret", "string"]:
        return "token"
    for at in range(len(words) - 1, -1, -1):
        word = words[at]
        if word in _OTHERWISE_BEHIND:
            return None
        kind = _kind_of_word(word)
        if kind is not None:
            # A word that says little has to end the name, but for a number, unless this is one of an environment.
            ends = name.isupper() or all(map(str.isdigit, words[at + 1 :]))
            return _in_company(word, kind, words[:at]) if ends or word not in _AT_THE_END else None
    return None


def _kind_of_word(word: str) -> Kind | None:
    if word in _KINDS:
        return _KINDS[word]
    glued = _GLUED.search(word)
    return glued.lastgroup if glued else None


def _in_company(word: str, kind: Kind, before: list[str]) -> Kind | None:
    """What the word says behind these others."""
    if not before:
        return {"pass": "bare pass", "key": "bare key", "keys": None}.get(word, kind)
    if kind == "key" and before[-1] in _STRONG_KEY:
        kind = "token"
    if word == "keys" and before[-1] not in _STRONG_KEY:
        return None
    return kind if _OTHERWISE_BEFORE.isdisjoint(before) else None
