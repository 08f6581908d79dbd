"""`ace remove`, `reword` and `add` with `--reef`: what an operator decides about the lessons of a scenario that a service hosts.

The order goes through Reef's own proposals, sealed with the operator's secret (`ace.domain.orders`). Then the service is woken,
which otherwise sleeps until the next run, and what came of the order is read from its commits.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.parse
import urllib.request
from argparse import Namespace
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, override

from ace.adapters.cli.asking import ended_before, see_that_somebody_is_asked, written
from ace.adapters.cli.output import tell
from ace.domain.desk import see_that_a_reason_is_given
from ace.domain.edited_block import lessons_in
from ace.domain.errors import AceError, MarkerError
from ace.domain.orders import VARIABLE, Order, sealed
from ace.domain.playbook import id_named
from ace.domain.rules_block import block_in

__all__ = ["run"]

_TIMEOUT: Final = 30.0
_PAUSE: Final = 0.3


def run(options: Namespace) -> int:
    """Send the order, and tell what came of it: 0 if it was done, 1 if that is not known yet."""
    if options.scenario is None:
        raise AceError("--reef goes with --scenario, the scenario's name")
    secret = os.environ.get(VARIABLE, "").strip()
    if not secret:
        raise AceError(
            f"{VARIABLE} is not set: it holds the operator's secret, the same as in the environment of `reef serve` "
            "(`openssl rand -hex 32` makes one). Nothing was sent"
        )
    see_that_somebody_is_asked(options)
    service = _Service(options.reef, options.scenario)
    release, served = service.served()
    order = _order(options, served)
    session = sealed(order, secret)
    for line in _told(order, served):
        tell(line)
    if (status := ended_before(options, "sent")) is not None:
        return status
    before = service.last_step()
    identifier = service.propose(session, f"ace {order.command}: {order.why or 'no reason given'}", release)
    service.wake()
    return _wait(service, identifier, before, options.wait)


def _order(options: Namespace, served: Mapping[str, str]) -> Order:
    now = datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")
    bullets: tuple[str, ...] = ()
    text, section = "", None
    match options.command:
        case "remove":
            bullets = tuple(dict.fromkeys(map(id_named, options.bullets)))
            see_that_a_reason_is_given(options.reason)
        case "reword":
            bullets = (id_named(options.bullet),)
            text = written("reword", served.get(bullets[0], ""), options.text)
        case _:
            text, section = written("add", "", options.text), options.section
    return Order(
        scenario=options.scenario,
        time=now,
        command=options.command,
        bullets=bullets,
        text=text,
        section=section,
        why=options.reason or "",
    )


def _told(order: Order, served: Mapping[str, str]) -> list[str]:
    unknown = "(not served now; the playbook may hold it)"
    match order.command:
        case "remove":
            return [f"- [{one}] {served.get(one, unknown)}" for one in order.bullets]
        case "reword":
            (one,) = order.bullets
            return [f"~ [{one}] {order.text.strip()}", f"    before: {served.get(one, unknown)}"]
        case _:
            return [f"+ {order.text.strip()}"]


def _wait(service: _Service, identifier: str, before: int, seconds: float) -> int:
    """Wait for the step that takes the order."""
    deadline = time.monotonic() + seconds
    while True:
        for commit in service.commits(before):
            before = max(before, int(commit.get("step", 0)))
            metrics = commit.get("metrics") or {}
            outcome = (metrics.get("orders") or {}).get(identifier)
            if outcome is None:
                continue
            if outcome != "done":
                raise AceError(f"the service refused it: {outcome}")
            tell(_came_of(commit, metrics))
            return 0
        if time.monotonic() >= deadline:
            tell(
                "The order waits: the scenario's next step takes it. Its summary says what came of it (`ace log --scenario`)."
            )
            return 1
        time.sleep(_PAUSE)


def _came_of(commit: Mapping[str, Any], metrics: Mapping[str, Any]) -> str:
    done = f"Done, in step {commit.get('step')}"
    release = str((commit.get("artifact_ref") or {}).get("release_id") or "")[:12]
    if commit.get("pending"):
        return f"{done}: release {release} waits until a person promotes it."
    if metrics.get("published"):
        return (
            f"{done}: release {release} is served. Agents have it after their next update (`reef-pi update`)."
        )
    if "selection" in metrics:
        reason = str((metrics["selection"] or {}).get("reason") or "")
        return f"{done}, and not served yet: the evaluation rejected the new rules ({reason})."
    return f"{done}. What is served stays as it is."


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would take the token along to another server."""

    @override
    def redirect_request(self, *_: Any) -> None:
        return None


class _Service:
    """A Reef service, used in the name of one scenario. Every method raises `AceError` for what does not work."""

    def __init__(self, url: str, scenario: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise AceError(f"{url} is not the address of a service, such as http://127.0.0.1:8900")
        self._url = url.rstrip("/")
        self._scenario = scenario
        self._path = f"/reef/scenarios/{urllib.parse.quote(scenario, safe='')}"
        self._headers = {"content-type": "application/json", "x-reef-scenario": scenario}
        if token := os.environ.get("REEF_TOKEN", "").strip():
            self._headers["authorization"] = f"Bearer {token}"
        is_here = (
            parts.hostname == "localhost" or parts.hostname.startswith("127.") or parts.hostname == "::1"
        )
        proxies = [urllib.request.ProxyHandler({})] if is_here else []
        self._opener = urllib.request.build_opener(_NoRedirect(), *proxies)

    def served(self) -> tuple[str, dict[str, str]]:
        """The release that is served, and the texts of its lessons by their ids."""
        answer = self._ask("GET", "/reef/harness")
        lessons: dict[str, str] = {}
        for text in (answer.get("files") or {}).values():
            try:
                found = block_in(str(text).encode(errors="replace")).decode(errors="replace")
            except MarkerError:
                continue
            lessons |= {one.id: one.text for one in lessons_in(found) if one.id}
        return str(answer.get("release_id")), lessons

    def propose(self, session: str, reason: str, release: str) -> str:
        """Send the order; returns the id of its proposal."""
        # Reef wants a change, and this one is none: an entry that is disabled reaches no agent.
        name = f"ace-order-{os.urandom(6).hex()}"
        change = {
            "op": "create",
            "id": name,
            "options": {"name": "rules", "config": {"text": "An order."}, "disabled": True},
        }
        body = {"mutations": [change], "session": session, "reason": reason, "release_id": release}
        answer = self._ask("POST", "/reef/harness/proposals", body)
        if not answer.get("admitted"):
            raise AceError(f"the service refused it: {answer.get('reason')}")
        return str(answer.get("proposal_id"))

    def wake(self) -> None:
        """Let the scenario look whether there is something to do: setting the mode that it has changes nothing else."""
        mode = self._ask("GET", f"{self._path}/contract").get("training_mode")
        self._ask("POST", f"{self._path}/update", {"training_mode": mode})

    def commits(self, after: int, limit: int = 100) -> list[dict[str, Any]]:
        """The commits after this step, oldest first."""
        return list(
            self._ask("GET", f"{self._path}/commits?after_step={after}&limit={limit}").get("commits") or ()
        )

    def last_step(self) -> int:
        """The step of the last commit, found without reading all of them."""
        low, high = 0, 1
        while self.commits(high, 1):
            low, high = high, 2 * high
        while low < high:
            middle = (low + high) // 2
            if self.commits(middle, 1):
                low = middle + 1
            else:
                high = middle
        return low

    def _ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, self._headers, method=method)  # noqa: S310 - http alone, see above
        try:
            with self._opener.open(request, timeout=_TIMEOUT) as response:
                answer = json.loads(response.read())
        except urllib.error.HTTPError as error:
            raise AceError(self._why(error)) from None
        except (OSError, ValueError) as error:
            raise AceError(
                f"{self._url} does not answer as a Reef service does ({error}). Is it running, and is this its address?"
            ) from None
        if not isinstance(answer, dict):
            raise AceError(f"{self._url} does not answer as a Reef service does")
        return answer

    def _why(self, error: urllib.error.HTTPError) -> str:
        if error.code in (401, 403):
            return f"{self._url} refuses you ({error.code}): set REEF_TOKEN to the token that the service was started with"
        if error.code == 404:
            return (
                f"the service at {self._url} has no scenario {self._scenario}, or serves nothing for it yet"
            )
        said = error.read(500).decode(errors="replace")
        return f"{self._url} answers {error.code}: {said}"
