"""Redaction: every credential gone, all else left, and no more to do the second time."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS, ORDINARY, SECRETS
from tests.domain.given import add, curation
from tests.domain.strategies import odd_texts

from ace.domain.replies import read_curation
from ace.domain.screens import PLACEHOLDER, redact, refusal

_BETWEEN = st.sampled_from(
    ["", "x", " ", "\n", " and ", ", ", '", "', "'; ", " | ", "\t", "\\n", "): ", "=", "&x="]
)
_mixed = st.lists(
    st.tuples(st.sampled_from([*CREDENTIALS.values(), *ORDINARY]) | odd_texts, _BETWEEN), max_size=6
).map(lambda parts: "".join(text + between for text, between in parts))
"""Texts with credentials among ordinary and odd ones."""


def test_nothing_of_a_credential_is_left() -> None:
    """Given a credential in a sentence, then the sentence stays, and no part of the secret does."""
    for secret in CREDENTIALS.values():
        text = redact(f"First {secret}; last")
        assert text.startswith("First ")
        assert text.endswith("; last") or "PuTTY" in secret  # whose lines end with a blank one
        assert text.count(PLACEHOLDER) == 1
        assert not any(part in text for part in SECRETS)


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("GitHub token", PLACEHOLDER),
        ("RSA key", PLACEHOLDER),
        ("Postgres URL", f"postgresql://admin:{PLACEHOLDER}@db.example.com:5432/app"),
        ("quoted password", f'password = "{PLACEHOLDER}"'),
        ("JSON in JSON", f'{{\\"api_key\\": \\"{PLACEHOLDER}\\"}}'),
        ("header in JSON", f'{{"Authorization": "Bearer {PLACEHOLDER}"}}'),
        ("password in an aligned file", f"password:                    {PLACEHOLDER}"),
        ("password of a mapping", f"config['password'] = '{PLACEHOLDER}'"),
        ("user of curl", f"curl -u admin:{PLACEHOLDER} https://example.com"),
    ],
)
def test_what_stands_around_the_secret_stays(name: str, left: str) -> None:
    """Given a secret in an assignment, a URL or a header, then only the secret is replaced."""
    assert redact(CREDENTIALS[name]) == left


@given(_mixed)
def test_redacting_twice_is_redacting_once(text: str) -> None:
    """Given any text with credentials, then what is redacted is not redacted further, and no screen sees a credential."""
    once = redact(text)
    assert redact(once) == once
    reason = refusal(once)
    assert reason is None or not reason.startswith("the shape of a credential")


def test_neighbours_are_seen_one_after_the_other() -> None:
    """Given credentials without a gap, of which one shows its shape only when the next is gone, then all are replaced."""
    glued = CREDENTIALS["AWS access key"] + CREDENTIALS["Google API key"]
    assert redact(glued) == PLACEHOLDER * 2


@given(st.lists(st.sampled_from([*CREDENTIALS.values(), *ORDINARY]), min_size=1, max_size=4))
def test_a_redacted_reply_is_read_as_the_original_was(contents: list[str]) -> None:
    """Given a Curator's reply with credentials, then its redacted record is JSON of as many operations, and the screens
    refuse the same ones.
    """
    reply = curation(*({**add(content), "why": f"It says {content}."} for content in contents))
    one, other = read_curation(reply).operations, read_curation(redact(reply)).operations
    assert [_refused(item) for item in one] == [_refused(item) for item in other]


def _refused(item: Any) -> bool:
    return refusal(item["content"]) is not None


@given(st.sampled_from(list(CREDENTIALS.values())), st.lists(st.text(max_size=5), max_size=3))
def test_redacted_json_is_json_still(secret: str, around: list[str]) -> None:
    """Given JSON with a credential in any of its strings, then it is JSON of the same shape after redaction."""
    value = {"list": [*around, secret], "text": secret, "more": {"x": f"a {secret}", "y": around}}
    again = json.loads(redact(json.dumps(value)))
    assert list(again) == list(value)
    assert (len(again["list"]), again["more"]["y"]) == (len(around) + 1, around)


def test_an_ordinary_lesson_is_left_as_it_is() -> None:
    """Given a lesson without a credential, then nothing of it is replaced."""
    for lesson in ORDINARY:
        assert redact(lesson) == lesson
