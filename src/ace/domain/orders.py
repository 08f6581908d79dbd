"""What an operator decides about the lessons of a scenario that a host serves, sealed with a secret that the host knows.

Whoever reaches a host may propose a change of the rules, agents included. An order counts as a person's decision only if its
seal was made with the operator's secret: `ACE_OPERATOR_TOKEN`, for the command and for the deployment. The secret itself is not sent.

    ace-order.<the order as JSON, in base64url>.<HMAC-SHA256 of what precedes this dot, in hex>

An order names its scenario and its time, and a host takes none that is not later than the last one that it took: a copy of an
order does nothing a second time, and nothing in another scenario.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
from typing import Final, Literal

import msgspec

from ace.domain.errors import AceError

__all__ = ["LEAST_SECRET", "PREFIX", "VARIABLE", "Order", "opened", "sealed"]

VARIABLE: Final = "ACE_OPERATOR_TOKEN"
"""The variable of the environment that holds the secret."""

PREFIX: Final = "ace-order."

LEAST_SECRET: Final = 16
"""Characters. Whoever sees an order can try secrets on its seal as fast as a machine goes."""


class Order(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Remove lessons (`bullets`), reword one, or add one with this `text` to a `section`; `why` is the person's reason. `time` is
    RFC 3339 in UTC with microseconds, so that times compare as texts.
    """

    scenario: str
    time: str
    command: Literal["remove", "reword", "add"]
    bullets: tuple[str, ...] = ()
    text: str = ""
    section: str | None = None
    why: str = ""


_decoder: Final = msgspec.json.Decoder(Order)


def sealed(order: Order, secret: str) -> str:
    """The order as it is sent. Raises `AceError` for a secret that is too short."""
    if len(secret) < LEAST_SECRET:
        raise AceError(
            f"{VARIABLE} is too short: a secret of at least {LEAST_SECRET} characters is needed (`openssl rand -hex 32` makes one)"
        )
    said = PREFIX + base64.urlsafe_b64encode(msgspec.json.encode(order)).decode()
    return f"{said}.{_seal(said, secret)}"


def opened(text: str, secret: str, scenario: str) -> Order:
    """The order in this text. Raises `AceError` for one that is not whole, was sealed with another secret, or is for another
    scenario.
    """
    said, _, seal = text.rpartition(".")
    if not hmac.compare_digest(_seal(said, secret).encode(), seal.encode(errors="replace")):
        raise AceError(f"the order was sealed with another {VARIABLE} than the deployment has")
    try:
        order = _decoder.decode(base64.urlsafe_b64decode(said.removeprefix(PREFIX).encode()))
    except (msgspec.DecodeError, binascii.Error, ValueError):
        raise AceError("this version does not know the order: update ace where the service runs") from None
    if order.scenario != scenario:
        raise AceError(f"the order is for scenario {order.scenario}, and not for {scenario}")
    return order


def _seal(said: str, secret: str) -> str:
    return hmac.new(secret.encode(), said.encode(errors="replace"), hashlib.sha256).hexdigest()
