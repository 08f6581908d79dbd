"""The proxies that the environment names, as far as people have to be told of them: never with their passwords."""

from __future__ import annotations

import os
from urllib.parse import urlsplit

__all__ = ["is_socks", "named", "proxy_in_use", "proxy_variables"]

_VARIABLES = ("https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")
"""Of two spellings the first counts, as it does for Python's own `getproxies`."""


def proxy_variables() -> list[str]:
    """The variables that name a proxy now."""
    return [name for name in _VARIABLES if os.environ.get(name, "").strip()]


def proxy_in_use(url: str) -> str:
    """The proxy that a call to this URL goes through, as `named`; empty if it goes through none."""
    from urllib.request import proxy_bypass  # noqa: PLC0415 - slow to import, and asked for where a call failed

    parts = urlsplit(url)
    names = [name for name in proxy_variables() if name.casefold() in (f"{parts.scheme}_proxy", "all_proxy")]
    bypassed = proxy_bypass(parts.netloc.rpartition("@")[2])
    return named(names[0]) if names and not bypassed else ""


def is_socks(variable: str) -> bool:
    """Whether the variable names a SOCKS proxy."""
    return os.environ.get(variable, "").strip().casefold().startswith("socks")


def named(variable: str) -> str:
    """The variable and the address in it, without a user's name and password; the variable alone if that is not an address."""
    try:
        parts = urlsplit(os.environ.get(variable, "").strip())
        address = (
            f"{parts.scheme}://{parts.hostname}:{parts.port}"
            if parts.port
            else f"{parts.scheme}://{parts.hostname}"
        )
    except ValueError:
        return variable
    return f"{variable} ({address})" if parts.scheme and parts.hostname else variable
