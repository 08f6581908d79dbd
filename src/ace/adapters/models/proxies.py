"""The proxies that the environment names, as far as people have to be told of them. Values are never shown: they hold passwords."""

from __future__ import annotations

import os
from urllib.parse import urlsplit
from urllib.request import proxy_bypass

__all__ = ["proxy_in_use", "proxy_variables"]

_VARIABLES = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy")


def proxy_variables() -> list[str]:
    """The variables that name a proxy now."""
    return [name for name in _VARIABLES if os.environ.get(name, "").strip()]


def proxy_in_use(url: str) -> str:
    """The variable whose proxy a call to this URL goes through; empty if it goes through none."""
    parts = urlsplit(url)
    names = [name for name in proxy_variables() if name.casefold() in (f"{parts.scheme}_proxy", "all_proxy")]
    bypassed = proxy_bypass(parts.netloc.rpartition("@")[2])
    return names[0] if names and not bypassed else ""
