"""Reef's inbox of proposals, in which an operator's orders go their own way.

Reef's route for proposals takes from anybody who reaches the service, and the next step publishes what it took. An order is a
proposal whose `session` is a sealed `ace.domain.orders.Order`; its mutation is one that changes nothing. It is looked at when it
comes, so that a wrong secret or an unknown lesson is reported at once, and waits in a folder of its own: not Reef's step takes
it, but the method's, which logs it as a person's decision and learns from the step's runs as well.

    <proposals>/<scenario>/orders/      waits
    <proposals>/<scenario>/settled/     was done
    <proposals>/<scenario>/refused/     could not be done, with the reason
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, override

from reef.train.cordis_backend.proposals import REFUSED_DIR, SETTLED_DIR, ProposalInbox

from ace.adapters.store.files import replace
from ace.domain.errors import AceError
from ace.domain.orders import PREFIX, VARIABLE, Order, opened

__all__ = ["Inbox", "WaitingOrder"]

_log: Final = logging.getLogger(__name__)

_ORDERS: Final = "orders"

_NO_SECRET: Final = f"this deployment takes no orders: start the service with {VARIABLE} in its environment, the same as yours"


class WaitingOrder(NamedTuple):
    """An order with the id of its proposal."""

    id: str
    order: Order


class Inbox(ProposalInbox):
    """The inbox of one scenario. `look` raises `AceError` for an order that cannot be done as things are."""

    def __init__(
        self,
        directory: Path,
        max_pending: int,
        *,
        scenario: str,
        secret: str,
        look: Callable[[Order], object],
    ) -> None:
        super().__init__(directory, max_pending)
        self._scenario = scenario
        self._secret = secret
        self._look = look
        self._taken: set[str] = set()

    @override
    def submit(self, proposal_id: str, body: Mapping[str, Any]) -> str | None:
        session = body.get("session")
        if not isinstance(session, str) or not session.startswith(PREFIX):
            refusal: str | None = super().submit(proposal_id, body)
            return refusal
        try:
            self._look(self._opened(session))
        except AceError as error:
            return str(error)
        if len(self._waiting()) >= self.max_pending:
            return "too many orders wait for the next step"
        folder = self.directory / _ORDERS
        folder.mkdir(parents=True, exist_ok=True)
        replace(folder / f"{proposal_id}.json", json.dumps({"session": session}).encode())
        return None

    def is_waited_for(self) -> bool:
        """Whether an order waits that no step has taken yet."""
        return any(path.stem not in self._taken for path in self._waiting())

    def take(self) -> list[WaitingOrder]:
        """The orders that wait, in the order of their times, for a step that has begun. One that cannot be read is refused."""
        orders: list[WaitingOrder] = []
        self._taken.clear()
        for path in self._waiting():
            try:
                orders.append(WaitingOrder(path.stem, self._opened(json.loads(path.read_bytes())["session"])))
            except (AceError, OSError, ValueError, KeyError, TypeError) as error:
                self.file(path.stem, str(error))
            self._taken.add(path.stem)
        return sorted(orders, key=lambda one: one.order.time)

    def untake(self) -> None:
        """The step came to nothing: the orders wait for the next one."""
        self._taken.clear()

    def file(self, identifier: str, refused: str | None) -> None:
        """Put an order away: it was done or, for this reason, refused. Raises nothing."""
        path = self.directory / _ORDERS / f"{identifier}.json"
        try:
            folder = self.directory / (SETTLED_DIR if refused is None else REFUSED_DIR)
            folder.mkdir(parents=True, exist_ok=True)
            told = {**json.loads(path.read_bytes()), **({} if refused is None else {"refused": refused})}
            replace(folder / path.name, json.dumps(told).encode())
            path.unlink()
        except (OSError, ValueError) as error:
            _log.warning("order %s cannot be put away: %s", identifier, error)

    def _opened(self, session: str) -> Order:
        if not self._secret:
            raise AceError(_NO_SECRET)
        return opened(session, self._secret, self._scenario)

    def _waiting(self) -> list[Path]:
        return sorted((self.directory / _ORDERS).glob("*.json"))
