"""A file from an https address, known by its digest."""

from __future__ import annotations

import hashlib
import re
from typing import Final, override
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ace.domain.errors import AceError
from ace.domain.screens import safe_excerpt

__all__ = ["downloaded"]

_MOST_BYTES: Final = 1_000_000_000
_TIMEOUT_S: Final = 60.0
_LOOPBACK: Final = ("localhost", "127.0.0.1", "::1")


class _HttpsOnly(HTTPRedirectHandler):
    @override
    def redirect_request(
        self, req: Request, fp: object, code: int, msg: str, headers: object, newurl: str
    ) -> Request | None:
        _see_address(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)  # type: ignore[arg-type]


def downloaded(address: str, sha256: str) -> bytes:
    """The file at the address, if it is the one with this digest. Raises `AceError` for an address that is not https (but this
    machine's own), for what cannot be fetched, and for a file with another digest.
    """
    wanted = sha256.strip().casefold()
    if not re.fullmatch(r"[0-9a-f]{64}", wanted):
        raise AceError(
            "--sha256 takes the file's SHA-256 as 64 hexadecimal digits (`sha256sum FILE` prints it)"
        )
    _see_address(address)
    try:
        with build_opener(_HttpsOnly).open(address, timeout=_TIMEOUT_S) as response:
            data: bytes = response.read(_MOST_BYTES + 1)
    except (URLError, OSError, ValueError) as error:
        raise AceError(
            f"{_told(address)} cannot be fetched ({safe_excerpt(str(error))}): check the address"
        ) from None
    if len(data) > _MOST_BYTES:
        raise AceError(f"{_told(address)} is longer than {_MOST_BYTES:,} bytes")
    if (found := hashlib.sha256(data).hexdigest()) != wanted:
        raise AceError(f"{_told(address)} has the SHA-256 {found}, not that of --sha256. Nothing was changed")
    return data


def _see_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise AceError(f"{_told(address)} must begin with https://: a log is fetched over https alone")


def _told(address: str) -> str:
    """The address without what may be a secret in it."""
    parts = urlsplit(address)
    return safe_excerpt(f"{parts.scheme}://{parts.hostname or ''}{parts.path}", 200)
