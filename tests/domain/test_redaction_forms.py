"""Redaction in the forms that transcripts have: what a secret is, times where it is, times what programs made of the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS
from tests.domain.forms import (
    ENCODINGS,
    PASSWORD_PLACES,
    PEM_WRAPPINGS,
    SERVICE_PLACES,
    TOKEN_PLACES,
    keys,
    passwords,
    pem,
    tokens,
)

from ace.domain.screens import PLACEHOLDER, redact, refusal
from ace.domain.screens.layers import layers

_LEFT = 6
"""The most characters of a secret that may be left in one piece."""


def remains(secret: str, text: str) -> bool:
    """Whether more of the secret than may be left is in the text, or in one of its layers, in one piece."""
    pieces = [secret[at : at + _LEFT + 1] for at in range(max(1, len(secret) - _LEFT))]
    return any(piece in layer.text for layer in layers(text) for piece in pieces)


# A dump shows what it dumps byte by byte: only what it shows as ASCII is claimed.
_dumpable = [name for name in ENCODINGS if name not in ("dumped", "in full width", "with zero-width spaces")]


@given(
    st.sampled_from(PASSWORD_PLACES).flatmap(lambda place: st.tuples(st.just(place), passwords))
    | st.sampled_from(TOKEN_PLACES).flatmap(lambda place: st.tuples(st.just(place), tokens))
    | st.sampled_from(SERVICE_PLACES).flatmap(lambda place: st.tuples(st.just(place), keys)),
    st.sampled_from(list(ENCODINGS)),
    st.sampled_from(_dumpable),
)
def test_nothing_is_left_of_a_secret_in_any_form(placed: tuple[str, str], outer: str, inner: str) -> None:
    """Given a secret in a place of any kind, written by one program within another, then nothing of it is left."""
    place, secret = placed
    text = place.format(secret)
    if outer == "dumped" and not text.isascii():
        return
    shown = redact(ENCODINGS[outer](ENCODINGS[inner](text)))
    assert not remains(secret, shown), shown
    assert redact(shown) == shown


@pytest.mark.parametrize(
    "kind", ["RSA " + "PRIVATE KEY", "OPENSSH " + "PRIVATE KEY", "PGP " + "PRIVATE KEY BLOCK"]
)
@pytest.mark.parametrize("lines", [1, 4, 30])
def test_nothing_is_left_of_a_private_key(kind: str, lines: int) -> None:
    """Given a private key in any wrapping, whole or cut at an end, then no line of it is left, and what is around it is."""
    key = pem(kind, lines)
    for wrapping, wrapped in PEM_WRAPPINGS.items():
        shown = redact(f"First this.\n{wrapped(key)}\nand that is all.")
        assert not any(remains(line, shown) for line in key.split("\n")[1:-1]), wrapping
        assert shown.startswith("First this."), wrapping
        assert shown.endswith("and that is all."), wrapping


_SHAPES = {
    # A made-up token for each shape that has parts: a prefix that says whose it is, and a body of its alphabet.
    "Airtable OAuth": "oaaXk2Lm.v1." + "Zx8Vb1Nt5R." + "3f7a9c1e5b8d2046f1a3",
    "Aikido": "AIK_CI_" + "Zx8Vb1Nt5Rw6Yc0Ej2Uq",
    "Brave Search": "BSA" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc",
    "Close": "api_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5" + "." + "Rw6Yc0Ej2Uq7Mz4Kx9Lv3T",
    "CockroachDB": "CCDB1_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5" + "_" + "Rw6Yc0Ej2Uq7Mz4Kx9Lv3TRw6Yc0Ej2Uq7Mz4Kx9",
    "Docker Swarm": "SWMTKN-1-" + "3f7a9c1e5b8d2046f1a3c5e7b9d802463f7a9c1e5b8d204" + "-" + "8vb1nt5rw6yc0ej2uq7mz4kx9",
    "eBay": "PRD-" + "3f7a9c1e5b8d" + "-2046-f1a3-c5e7-b9d8",
    "Hugging Face, letters alone": "hf_" + "pgmryqsqcwosmyatouycqfexxezslliwqu",
    "Mercury": "mercury_production_" + "rma_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9",
    "Onfido": "api_live." + "h4Kd92Lsm7Q." + "p3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9Lv3",
    "Polar": "polar_oat_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9",
    "Settlemint": "sm_pat_" + "h4Kd92Lsm7Qp3Zx8",
    "StackHawk": "hawk." + "h4Kd92Lsm7Qp3Zx8Vb1N" + "." + "t5Rw6Yc0Ej2Uq7Mz4Kx9",
    "Stripe, short": "sk" + "_live_" + "h4Kd92Lsm7Qp3Zx",
    "Tableau": "h4Kd92Lsm7Qp3Zx8Vb1Nt5" + "==:" + "Rw6Yc0Ej2Uq7Mz4Kx9Lv3TRw6Yc0Ej2U",
    "Tailscale, of one letter": "tskey-api-" + "A" * 12 + "-" + "B" * 24,
    "Telegram": "tgram://12345678:" + "ulTK_HG7-Sb3_zcz5CV2VjFyoNH0cZoGM1r",
    "Together": "tgp_v1_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9",
    "Voiceflow": "VF.DM." + "3f7a9c1e5b8d2046f1a3c5e7" + "." + "h4Kd92Lsm7Qp3Zx8",
    "Zoho": "1000." + "3f7a9c1e5b8d2046f1a3c5e7b9d80246" + "." + "9f86d081884c7d659a2feaa0c55ad015",
    "bcrypt": "$2b$12$" + "R9h/cIPz0gi.URNNX3kh2OPST9/PgBkqquzi.Ss7KIUgO2t0jWMUW",
    "sha512crypt": "$6$rounds=5000$" + "Zx8Vb1Nt$" + ("h4Kd92Lsm7Qp3Zx8Vb1Nt5" * 4)[:86],
    "Amazon seller": "amzn1.oa2-cs.v1." + "3f7a9c1e5b8d2046f1a3c5e7b9d802463f7a9c1e5b8d2046f1a3c5e7b9d80246",
    "Azure storage": "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9Lv3T/h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc" + "+ASt" + "h4Kd9g==",
    "Ghost": "3f7a9c1e5b8d2046f1a3c5e7" + ":" + "3f7a9c1e5b8d2046f1a3c5e7b9d802463f7a9c1e5b8d2046f1a3c5e7b9d80246",
    "Honeybadger": "hbp_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz",
    "Mercado Pago": "APP_USR-" + "1234567890123456-120326-" + "3f7a9c1e5b8d2046f1a3c5e7b9d80246" + "-123456789",
    "New Relic license": "3f7a9c1e5b8d2046f1a3c5e7b9d802463f7a" + "NRAL",
    "Sanity": "sk" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz4Kx9Lv3T" * 3,
    "Solana wallet": "[" + ",".join(str(37 * at % 256) for at in range(64)) + "]",
    "a prefix of nobody, no word": "zq_" + "h4Kd92Lsm7Qp3Zx8Vb1Nt5Rw6Yc0Ej2Uq7Mz",
    "a prefix of nobody": "acme_secret_" + "h4kd92lsm7qp3zx8vb1nt5rw6yc0ej2uq7mz4kx9",
}  # fmt: skip


@pytest.mark.parametrize("token", _SHAPES.values(), ids=_SHAPES)
def test_a_vendor_s_shape_is_known(token: str) -> None:
    """Given a token of a shape that its vendor documents, then nothing of its body is left, and it is not a lesson."""
    assert not remains(token[-12:], redact(f"First {token}, then more."))
    assert (refusal(f"Use {token}.") or "").startswith("the shape of a credential")


@pytest.mark.parametrize(
    "line", ["deploy --password ^\n  {}", "deploy -Password `\r\n    '{}'", "deploy --password \\\n  {}"]
)
def test_a_line_that_goes_on_is_one(line: str) -> None:
    """Given an option at the end of a line that a shell goes on with, then what it is given is gone."""
    assert not remains("Qm4-Rz5Tb6Wn", redact(line.format("Qm4-Rz5Tb6Wn")))


_KEYS = [secret for name, secret in CREDENTIALS.items() if "token" in name and "\n" not in secret]


@pytest.mark.parametrize(
    "encoding", [name for name in ENCODINGS if name not in ("dumped", "with zero-width spaces")]
)
def test_nothing_is_left_of_a_token_that_stands_alone(encoding: str) -> None:
    """Given a vendor's token alone in a sentence, then nothing of it is left, and the sentence is not a lesson."""
    for secret in _KEYS:
        text = ENCODINGS[encoding](f"It is {secret} and works.")
        assert not remains(secret[-20:], redact(text)), secret
        assert refusal(text) is not None, secret


@pytest.mark.parametrize(
    "text",
    [
        # results of tests
        "--- PASS: TestParseV2 (0.00s)",
        "tests pass: e2e_login",
        "PASS: test_x86_64_v2_k8s",
        "ok 12 - pass e2e2_login2",
        # paths
        "PWD=/home/user1/project",
        "OLDPWD=/srv/app2/v1.2.3",
        "pass_file: /run/secrets/db_pass2",
        # messages of parsers
        "Unexpected token: 'x1234567'",
        "SyntaxError: Unexpected token '<', \"<!DOCTYPE \"... is not valid JSON",
        "KeyError: 'abc12345'",
        'invalid token: "ab12cd34"',
        # pages
        '"nextPageToken": "CAUQAAtRm4Kq2Zx7Lp9Wb3"',
        "next_page_token=Q2FVUUFB1m4Kq2Zx7Lp9",
        '"continuation_token": "a8Kd72Lsm3Qp9Zx1"',
        # code
        "token = token.strip()",
        "token = tokens2[0]",
        "password = getpass.getpass()",
        "password: str = Field(min_length=12)",
        "api_key = settings.API_KEY_V2",
        'secret = os.environ["API_KEY_V2"]',
        "const token = await getToken2(user1);",
        "if (token === TOKEN_V2) return next();",
        "max_tokens=4096, temperature=0.2",
        "key = f'user:{user_id}:v2'",
        "public_key: MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiI",
        "passwordField.sendKeys(user2.name)",
        # hashes and ids
        "commit 9f86d081884c7d659a2feaa0c55ad0159f86d081",
        "sha256:9f86d081884c7d659a2feaa0c55ad0159f86d081884c7d659a2feaa0c55ad015",
        "cache_key: 9f86d081884c7d659a2feaa0c55ad015",
        "request_id=7c1e9b52-3f4d-4a86-9e21-b5d0c8f3a617",
        '"id": "toolu_017qEkVzzPb7b7o4FkgJLF23"',
        "idempotency_key: 7c1e9b52-3f4d-4a86-9e21-b5d0c8f3a617",
        "integrity sha512-Zt7qWm3xKe9bN2vZt7qWm3xKe9bN2vZt7qWm3xKe9bN2v==",
        "credentialsId: 'ff083f76-7804-4ef1-80e4-fe975bb9141b'",
        # ids and digests of services
        "sentry event id: 9f86d081884c7d659a2feaa0c55ad015",
        "VERCEL_PROJECT_ID=7c1e9b52-3f4d-4a86-9e21-b5d0c8f3a617",
        "github.com/a/b at 9f86d081884c7d659a2feaa0c55ad0159f86d081",
        "the key commit in github 9f86d081884c7d659a2feaa0c55ad0159f86d081",
        ".yarn/cache/semver-npm-7.7.3-9cf7b3b46c-4afe5c9865.zip",
        "datadog trace id 7c1e9b52-3f4d-4a86-9e21-b5d0c8f3a617",
        "temporal: workflow 7c1e9b52-3f4d-4a86-9e21-b5d0c8f3a617 failed",
        # placeholders
        "gh" + "p_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
        "API_KEY=$TOKEN",
        "API_KEY=${API_KEY:-none}",
        "password: <your password>",
        "Authorization: Bearer <token>",
        "token: your-token-here-123",
        "password = '********'",
        "--token {{ secrets.NPM_TOKEN2 }}",
        # defaults of development
        "postgres:postgres@localhost",
        "postgresql://postgres:postgres@localhost:5432/app",
        "amqp://guest:guest@localhost/",
        "POSTGRES_PASSWORD=postgres",
    ],
)
def test_what_is_no_secret_stays_readable(text: str) -> None:
    """Given results, paths, messages, code, digests, ids, placeholders and defaults, then nothing of them is replaced."""
    assert redact(text) == text
    assert PLACEHOLDER not in redact(f'{{"output": "{text}"}}')
