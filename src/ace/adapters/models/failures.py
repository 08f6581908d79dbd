"""What can go wrong with one model call, and which error and sentence that becomes. No I/O, no SDK.

    a failure says                                         then                         because
    the prompt is longer than the model takes              `TooLongError`               the same prompt fails each time
    a key, quota, model or address is wrong                `EndpointError`              every further call ends so
    anything else                                          `CallError`                  the next call may pass

What is said of model and address is believed only until some call got through (`endpoint_answered`); a refused key and spent quota are
always believed. 403 is believed where it speaks of the key or the permission: some gateways use it to reject one prompt.
"""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from ace.domain.errors import CallError, EndpointError, TooLongError
from ace.domain.screens import redact, safe_excerpt

__all__ = [
    "Failure",
    "Kind",
    "error_of",
    "is_permanent",
    "is_too_long",
    "may_mean_schema",
    "names_schema",
    "says_limit_too_large",
    "says_too_long",
]

type Kind = Literal[
    "unreachable",
    "connection_lost",
    "timed_out",
    "status",
    "invalid_response",
    "refusal",
    "cut",
    "padded",
    "filtered",
    "ended",
    "elsewhere",
]


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """Why a call has no reply.

    `unreachable`: no connection came about. `connection_lost`: one did, and ended early. `timed_out`: the time-out. `status`: the
    endpoint answered with an error, `status` is its HTTP status. `invalid_response`: it answered with something that is not
    a completion. `refusal`: the model itself declined. `cut`: the reply ended at the token limit, `padded`: on blanks up to
    there. `filtered`, `ended`: the endpoint says that a filter or an error ended it. `elsewhere`: there is no text but in
    `found`. `message` and `code` are the other side's words, not redacted; of `cut`, where reasoning was if that is all that
    came, and empty otherwise. `finish` is the endpoint's word for how the reply ended.
    """

    kind: Kind
    message: str = ""
    status: int = 0
    code: str = ""
    finish: str = ""
    found: str = ""

    @property
    def words(self) -> str:
        """All that the other side says of the failure, by which its kind is known."""
        return f"{self.code} {self.message}"


# --- does it refuse the schema, or the call? ----------------------------------------------------------------------

_SCHEMA_WORDS = re.compile(
    r"response.?format|schema|structured.?output|grammar|requested parameters"
    r"|(?:unknown|unrecogni[sz]ed|extra|additional) (?:parameter|field|argument|input|propert)"
    r"|not (?:yet )?(?:supported|implemented)|unsupported|(?:does not|doesn't) support",
    re.IGNORECASE,
)
# An endpoint that does not know a field is as free in its status as in its words; these speak of something else.
_NEVER_SCHEMA = frozenset({401, 402, 403, 408, 429, 502, 503, 504})


def may_mean_schema(failure: Failure) -> bool:
    """Whether it may mean that the endpoint takes no `response_format`: many servers say so with a bare error."""
    if failure.kind != "status" or failure.status in _NEVER_SCHEMA or says_too_long(failure.words):
        return False
    return _SCHEMA_WORDS.search(failure.words) is not None or _SETUP_WORDS.search(failure.words) is None


def names_schema(failure: Failure) -> bool:
    """Whether the endpoint says, or nearly says, that it takes no `response_format`."""
    return may_mean_schema(failure) and _SCHEMA_WORDS.search(failure.message) is not None


# --- is the prompt too long? --------------------------------------------------------------------------------------

_TOO_LONG = re.compile(
    r"context.?(?:length|window).?exceeded|exceed_context_size|maximum (?:context|prompt|input) length"
    r"|context (?:length|window|size) (?:is|of|exceeds?) |context overflow|n_ctx|num_ctx"
    r"|exceed(?:s|ed)? (?:the |this |your )?(?:available |configured |model'?s? |max(?:imum)? |total )*"
    r"(?:context|input|prompt|length|tokens?\b)"
    r"|(?:input|prompt)s? tokens? (?:count )?[^.]{0,60}exceeds?|input token count is \d+ but"
    r"|(?:prompt|input|request|message|payload)s?\b[^.]{0,60}\btoo (?:long|large|big)|(?:string|content) too (?:long|large)"
    r"|too (?:long|large|many tokens) for (?:the|this) (?:model|context)|too many (?:input )?tokens"
    r"|(?:longer|larger|greater) than the (?:model|context|max)[^.]{0,40}(?:length|size|context|tokens)"
    r"|tokens? \+ `?max_new_tokens`? must be|must have less than \d+ tokens|tokens? (?:> |exceeds? )\d"
    r"|reduce the length of (?:the|your)|range of input length|expected maxlength|string_above_max_length",
    re.IGNORECASE,
)
# A limit of tokens a minute is a rate: the next minute takes the same prompt. What took too long is a time-out.
_ANOTHER_LIMIT = re.compile(
    r"per (?:second|min|minute|hour|day|month)\b|rate.?limit|\b[tr]p[md]\b|quota|took too long|timed out|time-?out",
    re.IGNORECASE,
)
# More than a minute's whole allowance.
_NEVER_FITS = re.compile(r"request too large for|must be reduced in order to run", re.IGNORECASE)
_LIMIT_TOO_LARGE = re.compile(r"max_(?:[a-z]+_)?tokens\W{0,3} is too large", re.IGNORECASE)


def says_too_long(words: str) -> bool:
    """Whether an endpoint's words say that the prompt is longer than the model takes."""
    if _NEVER_FITS.search(words):
        return True
    is_another = _ANOTHER_LIMIT.search(words) is not None or says_limit_too_large(words)
    return _TOO_LONG.search(words) is not None and not is_another


def says_limit_too_large(words: str) -> bool:
    """Whether an endpoint's words say that the asked limit of the reply is more than the model gives."""
    return _LIMIT_TOO_LARGE.search(words) is not None


def is_too_long(failure: Failure) -> bool:
    """Whether the failure is that the prompt is too long: by its words, for a status alone, 413 too, may mean anything."""
    return failure.kind == "status" and says_too_long(failure.words)


# --- does it last? --------------------------------------------------------------------------------------------------

_QUOTA = re.compile(
    r"insufficient[ _](?:quota|balance|credit|funds)|exceeded your current quota|quota.{0,20}(?:spent|exhausted)"
    r"|out of credits|credit balance is too low|billing.{0,20}(?:hard )?limit",
    re.IGNORECASE,
)
# Not every endpoint keeps to 401 and 404: some say 400 to a bad key or an unknown model.
_SETUP_WORDS = re.compile(
    r"api[ _-]?key|model_not_found|not a valid model|(?:unknown|invalid|no such) model"
    r"|model[^.]{0,80}(?:not exist|not found)",
    re.IGNORECASE,
)
_ACCESS_WORDS = re.compile(
    r"api[ _-]?key|not authori[sz]ed|unauthori[sz]ed|permission|access (?:is )?(?:denied|to (?:the |this )?model)"
    r"|(?:have|has|had) (?:no )?access|not allowed to (?:use|access|sample)|unsupported_country|invalid token"
    r"|billing|subscription|(?:country|region)[^.]{0,40}not supported",
    re.IGNORECASE,
)
# A gateway's filter says 403 to one prompt; the next may pass.
_FILTER_WORDS = re.compile(r"moderation|flagged|content.?(?:policy|filter)|safety", re.IGNORECASE)


def is_permanent(failure: Failure, *, endpoint_answered: bool) -> bool:
    """Whether every further call would fail like this; `endpoint_answered` says that some call has got through."""
    if failure.kind == "status":
        if "insufficient_quota" in failure.code:
            return True
        return _lasting_status(failure.status, failure.words, endpoint_answered=endpoint_answered)
    return failure.kind == "unreachable" and not endpoint_answered


def _lasting_status(status: int, words: str, *, endpoint_answered: bool) -> bool:
    if status in (401, 402) or (status in (200, 400, 403, 429) and _QUOTA.search(words) is not None):
        return True
    match status:
        case 403:
            is_access = _ACCESS_WORDS.search(words) is not None and _FILTER_WORDS.search(words) is None
            return not endpoint_answered and is_access
        case 404 | 405 | 410:
            return not endpoint_answered
        case 400 | 422:
            return not endpoint_answered and _SETUP_WORDS.search(words) is not None
        case _:
            return False


# --- in words -------------------------------------------------------------------------------------------------------

_ADVICE = {
    400: "check the model's name and the key",
    401: "check the key",
    402: "the account has no credit left",
    403: "the key may not use this model",
    404: "check the model's name and the base URL",
    405: "check the base URL",
    410: "check the model's name and the base URL",
    422: "check the model's name and the key",
    429: "the account's quota is spent",
}
_NO_REASONING = "turn the model's reasoning off with --body, or give it more room with --max-tokens"
_OF_THE_REPLY = re.compile(r"completion|output tokens|max_(?:new_)?tokens", re.IGNORECASE)
_OR_LESS = ", or lower --max-tokens"
_SHORTER = "show less of a run (--set max_trace_characters=…), or give the model a larger context"


def error_of(
    failure: Failure,
    *,
    url: str,
    model: str,
    timeout_s: float,
    endpoint_answered: bool,
    prompt_characters: int = 0,
) -> CallError:
    """The error to raise. Its sentence quotes at most 200 characters of the other side, on one line, redacted."""
    told = redact(_sentence(failure, url=url, model=model, timeout_s=timeout_s))
    if is_too_long(failure):
        return TooLongError(
            f"the prompt of {prompt_characters:,} characters is too long for the model {model}: "
            f"{_lengths(failure)} ({_SHORTER}{_OR_LESS if _OF_THE_REPLY.search(failure.message) else ''})"
        )
    if not is_permanent(failure, endpoint_answered=endpoint_answered):
        return CallError(told, finish_reason=failure.finish, found=failure.found)
    advice = _ADVICE.get(failure.status, "check the base URL, and that the server runs")
    if failure.kind == "status" and failure.status != 402 and _QUOTA.search(failure.words):
        advice = _ADVICE[429]
    return EndpointError(f"{told} ({advice})")


def _sentence(  # noqa: C901, PLR0911 - one sentence for each kind
    failure: Failure, *, url: str, model: str, timeout_s: float
) -> str:
    words = safe_excerpt(failure.message) or "no reason given"
    match failure.kind:
        case "unreachable":
            return f"no connection to {url}: {words}"
        case "connection_lost":
            return f"the connection to {url} broke before the reply was whole: {words}"
        case "timed_out":
            return f"no reply within {timeout_s:g} s"
        case "status":
            lower = " (lower --max-tokens)" if says_limit_too_large(failure.message) else ""
            return f"{url} answered {failure.status} for the model {model}: {words}{lower}"
        case "invalid_response":
            return f"{url} answered with no completion: {words}"
        case "refusal":
            return f"the model refused: {words}"
        case "cut":
            return _cut(failure)
        case "padded":
            return (
                "the reply was padded with blanks until it was cut off at the token limit: ask without a schema, "
                "--schema off"
            )
        case "filtered":
            return f"a filter of the endpoint ended the reply ({safe_excerpt(failure.finish, 40)})"
        case "ended":
            return f"the endpoint says that the reply failed ({safe_excerpt(failure.finish, 40)})"
        case "elsewhere":
            return f"the reply has no text, all of it is in {failure.found}: {_NO_REASONING}"


def _cut(failure: Failure) -> str:
    if failure.message:
        return f"the reply was cut off at the token limit (all of it reasoning): {_NO_REASONING}"
    if "context" in failure.finish.casefold():
        return f"the reply was cut off at the end of the model's context: {_SHORTER}"
    return f"the reply was cut off at the token limit: {_NO_REASONING}"


def _lengths(failure: Failure) -> str:
    """The words that say how long the prompt is and may be: a router's own words may come first."""
    # Redacted before it is cut, or the rest of a credential would not look like one.
    words = redact(failure.message)
    # Of several places the one with a number behind it: a router names its own class first.
    places = list(_TOO_LONG.finditer(words))
    found = next((place for place in places if re.search(r"\d{3}", words[place.start() :][:140])), None)
    if found is not None and found.start() > 100:
        words = "…" + words[found.start() - 60 :].partition(" ")[2]
    return safe_excerpt(words) or failure.code
