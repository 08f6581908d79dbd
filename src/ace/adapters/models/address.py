"""The base URL taken apart: what is asked, what people are shown of it, and what in it is a secret."""

from __future__ import annotations

import re
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_plus, urlsplit, urlunsplit

__all__ = ["Address"]

_CALL = "/chat/completions"
"""The path of the call, which is put behind a base URL, and which people copy along with it."""

_SECRET_NAME = re.compile(r"key|token|sig|secret|code|auth|pass|cred", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"version", re.IGNORECASE)
_LONG = 16
"""From this length on, the value of any other name may be a secret, too."""


class Address(NamedTuple):
    """`url` is the base URL without its query, `query` what belongs at the end of the request's URL, byte for byte. `shown` is
    the URL without a user's name, password or query; `secrets` are the password and the values of the query that may be some.
    """

    url: str
    query: str
    shown: str
    secrets: tuple[str, ...]

    @classmethod
    def of(cls, base_url: str) -> Address:
        """The parts of a base URL that is one."""
        parts = urlsplit(base_url.strip())
        path = parts.path.rstrip("/")
        while path.casefold().endswith(_CALL):
            path = path[: -len(_CALL)].rstrip("/")
        host = parts.netloc.rpartition("@")[2]
        password = parts.password or ""
        return cls(
            url=urlunsplit((parts.scheme, parts.netloc, path, "", "")),
            # What is encoded already stays so; what no URL may hold is encoded.
            query=quote(parts.query, safe="%!$&'()*+,;=:@/?[]{}|\\^`-._~", errors="replace"),
            shown=f"{parts.scheme}://{host}{path}",
            secrets=(password, unquote(password), *_secrets(parts.query)),
        )


def _secrets(query: str) -> list[str]:
    """The values that may be secrets, as they are written and as a server reads them."""
    pairs = [pair.partition("=")[::2] for pair in query.split("&")]
    values = [
        value
        for name, value in pairs
        if _SECRET_NAME.search(name) or (len(value) >= _LONG and not _PLAIN_NAME.search(name))
    ]
    return [form for value in values for form in (value, unquote(value), unquote_plus(value))]
