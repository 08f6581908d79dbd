"""Where a shared book is: a `postgresql://` address as libpq takes it, with the book's name as one more parameter.

    postgresql://writer@db.example:5432/ace?sslmode=verify-full&scenario=tests

The password is libpq's to find (`PGPASSWORD`, `~/.pgpass`, a service file, a certificate): one in the address would end up in
configurations, process lists and messages.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

import msgspec

from ace.domain.errors import ConfigError
from ace.domain.screens import safe_excerpt

__all__ = ["DEFAULT_SCENARIO", "Address", "parse_address"]

DEFAULT_SCENARIO: Final = "default"

_SCHEMES: Final = ("postgresql", "postgres")


class Address(msgspec.Struct, frozen=True):
    """`conninfo` is libpq's part, `scenario` the name of the book in that database, `told` what sentences call it, and `text` the
    whole of it.
    """

    conninfo: str
    scenario: str
    told: str

    @property
    def text(self) -> str:
        """The address, as it can be given again."""
        return (
            f"{self.conninfo}{'&' if '?' in self.conninfo else '?'}scenario={quote(self.scenario, safe='')}"
        )


def parse_address(text: str, scenario: str | None = None, *, default: str = DEFAULT_SCENARIO) -> Address:
    """The address in a text; `scenario` counts before the one in it, and `default` if there is none. Raises `ConfigError` for one that cannot be used, which never
    repeats a secret.
    """
    try:
        parts = urlsplit(text.strip())
    except ValueError:
        raise ConfigError(_NO_ADDRESS) from None
    if parts.scheme not in _SCHEMES or parts.fragment:
        raise ConfigError(_NO_ADDRESS)
    login, at, hosts = parts.netloc.rpartition("@")
    pairs = parse_qsl(parts.query, keep_blank_values=True)
    if ":" in login or any(key in ("password", "sslpassword") for key, _ in pairs):
        raise ConfigError(
            "the book's address holds a password: leave it out, and give it as libpq takes it (PGPASSWORD, ~/.pgpass, a service file)"
        )
    named = [value for key, value in pairs if key == "scenario"]
    if len(named) > 1:
        raise ConfigError("the book's address names two scenarios: leave one out")
    name = _scenario(scenario or (named[0] if named else default))
    rest = urlencode([pair for pair in pairs if pair[0] != "scenario"], quote_via=quote)
    conninfo = f"postgresql://{parts.netloc}{parts.path}" + (f"?{rest}" if rest else "")
    user = f"{safe_excerpt(unquote(login), 60)}@" if at and login else ""
    where = f"postgresql://{user}{hosts}{parts.path}?scenario={quote(name, safe='')}"
    return Address(conninfo, name, where)


def _scenario(name: str) -> str:
    if not name.strip() or len(name) > 200 or not name.isprintable():
        raise ConfigError(
            "the scenario in the book's address must be a name of 1 to 200 printable characters"
        )
    return name


_NO_ADDRESS: Final = "this is not the address of a shared book: give one such as postgresql://writer@db.example/ace?scenario=tests"
