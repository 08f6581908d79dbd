"""What can go wrong with one model call, and which error and sentence that becomes. No I/O, no SDK.

A failure is *lasting* if every further call would end the same way: a key, model or address that was wrong from the
start. Proof of the contrary is one call that got through (`proven`); after it, only a refused key and spent quota last.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from ace.domain.errors import CallError, EndpointError
from ace.domain.screens import excerpt, redact

__all__ = ["Failure", "error_of", "lasting", "may_mean_schema", "names_schema"]

type Kind = Literal["unreachable", "broken", "late", "status", "odd", "refusal"]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a call has no reply.

    `unreachable`: no connection came about. `broken`: one did, and ended early. `late`: the time-out. `status`: the
    endpoint answered with an error, `status` is its HTTP status. `odd`: it answered with something that is no
    completion. `refusal`: the model itself declined. `message` and `code` are the other side's words, not redacted.
    """

    kind: Kind
    message: str = ""
    status: int = 0
    code: str = ""


# --- does it refuse the schema, or the call? ----------------------------------------------------------------------

_SCHEMA_WORDS = re.compile(
    r"response.?format|schema|structured.?output|grammar|requested parameters"
    r"|(?:unknown|unrecogni[sz]ed|extra|additional) (?:parameter|field|argument|input|propert)"
    r"|not (?:yet )?(?:supported|implemented)|unsupported|(?:does not|doesn't) support",
    re.IGNORECASE,
)
# An endpoint that does not know a field is as free in its status as in its words; these four speak of something else.
_NEVER_SCHEMA = frozenset({401, 402, 403, 429})
_BAD_REQUEST = frozenset({400, 422})


def names_schema(failure: Failure) -> bool:
    """Whether the endpoint says, or nearly says, that it takes no `response_format`."""
    return (
        failure.kind == "status"
        and failure.status not in _NEVER_SCHEMA
        and _SCHEMA_WORDS.search(failure.message) is not None
    )


def may_mean_schema(failure: Failure) -> bool:
    """Whether it may mean that without saying so: many servers answer an unknown field with a bare 400 or 422."""
    return failure.kind == "status" and failure.status in _BAD_REQUEST


# --- does it last? --------------------------------------------------------------------------------------------------

_QUOTA = re.compile(r"insufficient[ _]quota|insufficient balance|exceeded your current quota", re.IGNORECASE)
# Not every endpoint keeps to 401 and 404: some say 400 to a bad key or an unknown model.
_SETUP_WORDS = re.compile(
    r"api[ _-]?key|model_not_found|not a valid model|(?:unknown|invalid|no such) model"
    r"|model[^.]{0,80}(?:not exist|not found)",
    re.IGNORECASE,
)
# A gateway's filter says 403 to one prompt; the next may pass.
_FILTER_WORDS = re.compile(r"moderation|flagged|content.?(?:policy|filter)|safety", re.IGNORECASE)


def lasting(failure: Failure, *, proven: bool) -> bool:
    """Whether every further call would fail like this; `proven` says that some call has got through."""
    if failure.kind == "status":
        return _lasting_status(failure.status, f"{failure.code} {failure.message}", proven=proven)
    return failure.kind == "unreachable" and not proven


def _lasting_status(status: int, words: str, *, proven: bool) -> bool:
    match status:
        case 401 | 402:
            return True
        case 429:
            return _QUOTA.search(words) is not None
        case 403:
            return not proven and _FILTER_WORDS.search(words) is None
        case 404:
            return not proven
        case 400 | 422:
            return not proven and _SETUP_WORDS.search(words) is not None
        case _:
            return False


# --- in words -------------------------------------------------------------------------------------------------------

_ADVICE = {
    400: "check the model's name and the key",
    401: "check the key",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    422: "check the model's name and the key",
    429: "the account's quota is spent",
}


def error_of(failure: Failure, *, url: str, model: str, timeout_s: float, proven: bool) -> CallError:
    """The error to raise. Its sentence quotes at most 200 characters of the other side, on one line, redacted."""
    told = redact(_sentence(failure, url=url, model=model, timeout_s=timeout_s))
    if not lasting(failure, proven=proven):
        return CallError(told)
    advice = _ADVICE.get(failure.status, "check the base URL, and that the server runs")
    return EndpointError(f"{told} ({advice})")


def _sentence(failure: Failure, *, url: str, model: str, timeout_s: float) -> str:
    words = excerpt(failure.message) or "no reason given"
    match failure.kind:
        case "unreachable":
            return f"no connection to {url}: {words}"
        case "broken":
            return f"the connection to {url} broke before the reply was whole: {words}"
        case "late":
            return f"no reply within {timeout_s:g} s"
        case "status":
            return f"{url} answered {failure.status} for the model {model}: {words}"
        case "odd":
            return f"{url} answered with no completion: {words}"
        case "refusal":
            return f"the model refused: {words}"
