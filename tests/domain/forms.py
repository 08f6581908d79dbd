"""Forms that secrets have in transcripts, put together from three kinds of parts: what the secret is, where it is, and what
programs made of the text. Every secret is made up from pieces, so that no scanner takes it for a leak.
"""

from __future__ import annotations

import base64
import html
import json
import textwrap
from collections.abc import Callable
from typing import Final
from urllib.parse import quote

from hypothesis import strategies as st
from tests.domain.fakes import CREDENTIALS

__all__ = [
    "ENCODINGS",
    "PASSWORD_PLACES",
    "PEM_WRAPPINGS",
    "SERVICE_PLACES",
    "TOKEN_PLACES",
    "keys",
    "passwords",
    "pem",
    "tokens",
]

_UPPER: Final = "ABCDEFGHJKLMNPQRSTUVWYZ"
_LOWER: Final = _UPPER.lower()
_DIGITS: Final = "23456789"


def _text(alphabet: str, least: int, most: int) -> st.SearchStrategy[str]:
    return st.text(alphabet, min_size=least, max_size=most)


passwords: Final = st.builds(
    # Letters and digits in turns, as a generator of passwords makes them, with marks that no place gives a meaning.
    lambda parts, mark: mark.join(parts),
    st.lists(st.builds("".join, st.tuples(_text(_UPPER, 1, 1), _text(_DIGITS, 1, 1), _text(_LOWER, 1, 2), _text(_DIGITS, 1, 2))), min_size=2, max_size=4),
    st.sampled_from(["", "-", "_", "!", "."]),
).filter(lambda text: len(set(text.lower())) > 4)  # fmt: skip
tokens: Final = st.builds(
    "".join, st.lists(st.builds("".join, st.tuples(_text(_LOWER, 1, 2), _text(_DIGITS, 1, 1), _text(_UPPER, 1, 1))), min_size=8, max_size=14)
).filter(lambda text: len(set(text.lower())) > 4)  # fmt: skip

keys: Final = st.uuids(version=4).map(str) | _text("23456789abcdef", 32, 40).filter(
    lambda text: len(set(text)) > 8 and any(map(str.isdigit, text)) and not text.isdigit()
)
"""Keys that look like ids or digests."""

PASSWORD_PLACES: Final = (
    "DB_PASSWORD={}", "export DB_PASS='{}'", "SMTP_PW={}", "password: {}", 'password = "{}"', "'passwd': '{}',", '{{"user": "bot", "password": "{}"}}',
    "passphrase => '{}'", "const dbPassword = `{}`;", "spring.datasource.password={}", "<password>{}</password>", '<add key="DbPassword" value="{}"/>',
    "- name: DB_PASSWORD\n  value: {}\n", '{{"name": "DB_PASSWORD", "value": "{}"}}', "define('DB_PASSWORD', '{}');", "$env:DB_PASSWORD = '{}'",
    "machine x.example.com login bot password {}\n", "db.example.com:5432:app:bot:{}\n", "postgresql://bot:{}@db.example.com/app",
    "Set-Variable -Name Password -Value '{}'", "sshpass -p {} ssh bot@host", "mysql -u root -p{} app", "curl -u bot:{} https://example.com", "docker login -u bot -p {} registry",
    "gpg --batch --passphrase {} -d x.gpg", "deploy --password={} --now", "| password | {} |", "user,password\nbot,{}\n",
    # what tools print and are given
    '"db_password": {{\n  "sensitive": true,\n  "type": "string",\n  "value": "{}"\n}}', 'variable "db_password" {{\n  type = string\n  default = "{}"\n}}',
    '{{"Name": "/prod/db/password", "Type": "SecureString", "Value": "{}"}}', '"SecretString": "{}"', "password: !!str {}", "password: >-\n  {}\n",
    "password = <<EOT\n{}\nEOT\n", "password = '''{}'''", "password: Some(\"{}\")", '["password"]=>\n  string(15) "{}"', 's:8:"password";s:15:"{}";',
    "<password><![CDATA[{}]]></password>", '<property name="password"><value>{}</value></property>', "<td>Password</td><td>{}</td>", "<b>Password:</b> {}",
    "Password:\n```\n{}\n```\n", "A temporary password is generated for root@localhost: {}", "use {} as the password", "┃ Password ┃ {} ┃",
    "DefaultPassword    REG_SZ    {}", "ConvertTo-SecureString '{}' -AsPlainText -Force", "CREATE LOGIN bot WITH PASSWORD = N'{}';",
    "CREATE USER bot IDENTIFIED BY {};", "INSERT INTO users (name, password) VALUES ('bob', '{}');", "SET PASSWORD FOR 'bot'@'%' = '{}';",
    "new PDO('mysql:host=x', 'bot', '{}')", 'DriverManager.getConnection(url, "bot", "{}");', 'keyring.set_password("svc", "bot", "{}")',
    "echo {} | gcloud secrets create db-pass --data-file=-", "az keyvault secret set --vault-name kv --name dbpass --value {}", "twine upload -u bot -p {} x",
    "rabbitmqctl add_user bot {}", "sqlplus bot/{}@db", "lftp -u bot,{} ftp.example.com", "127.0.0.1:6379> AUTH {}", "USER bot\r\n+OK\r\nPASS {}\r\n",
    'password = "old1" -> "{}"', "$ kubectl get secret db -o jsonpath='{{.data.password}}' | base64 -d\n{}\n",
    "The password is {} for now", "Passwort: {}", "La contraseña es {}", "Le mot de passe est {}", "A senha é {}", "пароль: {}", "密码是{}", "パスワード: {}",
    # What test drivers fill in, what programs fall back to, what clients and debuggers show, and what switches and installers are given.
    'const pw = env.DB_PASSWORD ?? "{}";', "cy.get('input[name=password]').type('{}')", "page.get_by_label('Password').fill('{}')", 'find(By.NAME, "password").send_keys("{}")',
    'let password: &str = "{}";', "password: !plain '{}'", "snmp-server community {} RO", "tacacs-server key 0 {}", "rootpw --plaintext {}", "knife bootstrap x -U root -P {}",
    "Password for the elastic user (reset with x):\n  {}\n", "printf '%s' '{}' | docker secret create db -",
    # Options of one letter, lists of arguments, drivers' addresses, quotes of print, a table with a rule of its own.
    "mosquitto_pub -h x -u bot -P {} -t a", "ssh-keygen -y -P '{}' -f k", "beeline -n bot -p {}", '["sshpass", "-p", "{}", "ssh", "x"]', '["mysql", "-uroot", "-p{}"]',
    "+ mysql -u root '-p{}' app", 'sql.Open("mysql", "bot:{}@tcp(db:3306)/app")', "password: \u201c{}\u201d", "mot de passe : \xab{}\xbb", "password:\xa0{}",
    "| user | password |\n|------+----------|\n| bot | {} |", "rclone obscure {}",
    # What falls back, what a form holds, what is piped, accounts in other languages.
    '{{{{ db_password | default("{}") }}}}', '<input value="{}" type="password">', "fill_in 'Password', with: '{}'", "[\"password\":protected]=> string(16) \"{}\"",
    "echo {} | zfs load-key t", "Zugangsdaten: admin / {}", "password \u2013 {}", "bob:{{PLAIN}}{}",
    'client.username_pw_set("bot", "{}")', "password: [-old1-]{{+{}+}}", 'credentials += Credentials("Realm", "host", "bot", "{}")', "(Pdb) p password\n'{}'",
    "lozinka je {}", "heslo je {}", "geslo je {}", "parola este {}", "пароль до бази — {}", "\u03bf κωδικός είναι {}",
)  # fmt: skip
TOKEN_PLACES: Final = (
    'tokens = ["{}"]', "api_keys:\n  - {}\n", "Our API key ({}) expires.", "the key for staging: {}", "In [1]: api_token\nOut[1]: '{}'", "https://hooks.example.com/webhook/in/{}",
    "API_KEY={}", "OPENAI_KEY={}", "API_KEY_ALCHEMY={}", "INFLUX_TOKEN_RO={}", "GH_PAT={}", "SENTRY_AUTH={}", 'apiKey: "{}",', "api_key = '{}'",
    '{{"access_token": "{}"}}', "Authorization: Bearer {}", "authorization: token {}", "-H 'Authorization: ApiKey {}'", "X-Api-Key: {}",
    "PRIVATE-TOKEN: {}", "Cookie: sessionid={}; theme=dark", "https://api.example.com/v1?key={}&page=2", "https://{}@github.com/a/b.git",
    "//registry.npmjs.org/:_authToken={}", "aws configure set aws_secret_access_key {}", "--api-key {}", "AccountKey={};EndpointSuffix=x",
    "set -x API_KEY {}", "ENV API_KEY {}", "headers = {{'X-Api-Key': '{}'}}", 'os.environ["API_KEY"] = "{}"', "client_secret: {}",
    'const token = env.TOKEN || "{}";', "https://app.example.com/reset-password/{}", "cargo login {}", "echo {} | gh auth login --with-token",
)  # fmt: skip
SERVICE_PLACES: Final = (
    "HEROKU_KEY={}", 'const hubspotKey = "{}"', "shodan key {}", "snyk_token: {}", '"messagebird_access_id": "{}"', "weatherstack access_key={}",
    "sonar.login={}", "newrelic license key: {}", "postmark-server-token: {}", '<datadogApiKey>{}</datadogApiKey>', "mailgunSECRET-{}",
)  # fmt: skip


def _coloured(text: str) -> str:
    return "".join(f"\x1b[1;{31 + at % 6}m{part}\x1b[0m" for at, part in enumerate(_pieces(text)))


def _pieces(text: str) -> list[str]:
    """The text in parts of words and of marks, as highlighters colour it."""
    parts = [""]
    for char in text:
        if parts[-1] and parts[-1][-1].isalnum() != char.isalnum():
            parts.append("")
        parts[-1] += char
    return parts


def _escaped(text: str) -> str:
    return "".join(char if char.isalnum() or char in " -_" else f"\\u{ord(char):04x}" for char in text)


def _dumped(text: str) -> str:
    data = text.encode()
    lines = []
    for at in range(0, len(data), 16):
        row = data[at : at + 16]
        pairs = " ".join(row[i : i + 2].hex() for i in range(0, len(row), 2))
        shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in row)
        lines.append(f"{at:08x}: {pairs:<39}  {shown}")
    return "\n".join(lines)


def _wide(text: str) -> str:
    return "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text)


ENCODINGS: Final[dict[str, Callable[[str], str]]] = {
    "as it is": str,
    "in JSON": json.dumps,
    "in ASCII JSON within a key": lambda text: json.dumps({"output": text, "status": 0}),
    "with escaped slashes": lambda text: json.dumps(text).replace("/", "\\/"),
    "with escaped marks": _escaped,
    "coloured": _coloured,
    "for HTML": html.escape,
    "for an address": lambda text: quote(text, safe=""),
    "in full width": _wide,
    "with zero-width spaces": lambda text: "\u200b".join(_pieces(text)),
    "in base64": lambda text: base64.b64encode(f"{text} and what follows it".encode()).decode(),
    "dumped": _dumped,
    "in a diff": lambda text: textwrap.indent(text, "+", lambda _: True),
    "quoted": lambda text: textwrap.indent(text, "> ", lambda _: True),
    "with line numbers": lambda text: "\n".join(
        f"{at:6}\t{line}" for at, line in enumerate(text.split("\n"), 1)
    ),
    "found by grep": lambda text: "\n".join(
        f"src/.env:{at}:{line}" for at, line in enumerate(text.split("\n"), 1)
    ),
    "as Python shows it": repr,
}


def pem(kind: str, lines: int) -> str:
    """A private key of so many lines, and no real one."""
    body = CREDENTIALS["RSA key"].split("\n")[1]
    dashes = "-" * 5
    middle = [f"{body[:40]}{at:02}Qz7{body[at % 20 : at % 20 + 19]}" for at in range(lines)]
    return "\n".join((f"{dashes}BEGIN {kind}{dashes}", *middle, f"{dashes}END {kind}{dashes}"))


PEM_WRAPPINGS: Final[dict[str, Callable[[str], str]]] = {
    **{name: ENCODINGS[name] for name in ("as it is", "in JSON", "in a diff", "quoted", "with line numbers", "found by grep", "coloured")},
    "in JSON twice": lambda text: json.dumps(json.dumps(text)),
    "as a comment": lambda text: textwrap.indent(text, "# "),
    "as a list": lambda text: json.dumps(text.split("\n"), indent=1),
    "as strings of a program": lambda text: " +\n".join(f'  "{line}\\n"' for line in text.split("\n")),
    "on one line": lambda text: text.replace("\n", " "),
    "in a block of YAML": lambda text: "key: |\n" + textwrap.indent(text, "    "),
    "in base64": lambda text: "client-key-data: " + base64.b64encode(text.encode()).decode(),
    "without its beginning": lambda text: text[text.index("\n") + 20 :],
    "without its end": lambda text: text[: text.rindex("\n") - 20],
    "with CRLF": lambda text: text.replace("\n", "\r\n"),
}  # fmt: skip
