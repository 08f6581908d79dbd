"""Secrets on a command line that have no name there: `mysql -p…`, `curl -u user:…`, `sshpass -p …`, `echo … | sudo -S`.

To add a command, add a row to `_COMMANDS`: a word, in lower case, and what follows it; the group `value` is the secret. A pattern is tried only
behind its word, in a text that has a part of it. An option with a name (`--password`) needs no row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from ace.domain.screens.layers import LINE_BREAK
from ace.domain.screens.values import is_mixed, is_secret, reads_as_words, turns
from ace.domain.screens.views import contains_any

__all__ = ["COMMAND_STEMS", "command_secrets"]

_V = r"[\"']?(?P<value>[^\s\"'`|;&<>][^\s\"'`|;<>]{2,200})"
_ON = r"[^\n|;]{0,200}?\s"
"""What comes between a command and its option."""
_PRINTING = ("base64 -", "op read", "pass show", "jsonpath=", "bw get password", "get-login-password", "-access-token", "generic-password",
             "initial-password", "initialadminpassword", "reset-password -", "openssl rand", "pwgen", "versions access", "auth token")  # fmt: skip
"""Commands that print a secret on the next line."""
_GENERATED = (
    rf"\s{{1,4}}(?:-[a-z]{{1,2}}\s)?(?=\S{{0,40}}[a-z])(?=\S{{0,40}}[A-Z])(?=\S{{0,40}}[0-9]){_V}"
    r"[\"']?[ \t]{0,4}(?:;[ \t]{0,4}echo [^\n|]{1,80})?(?:\)[ \t]{0,2})?\|[ \t]{0,4}+"
    r"(?!base64|base32|basenc|md5|sha|b2sum|cksum|xxd|hexdump|od\b|wc\b|jq\b|tr\b|sed\b|grep|cut\b|awk|rev\b|cat\b"
    r"|tee\b|bc\b|xargs|python|node|openssl (?:dgst|base64|enc -d))"
)
"""What looks generated, and what reads it; but for the tools that look at texts."""
_COMMANDS = (
    # A word of the command line, and what follows it; the group `value` is the secret.
    ("mysql", rf"(?:dump|admin|import|sh)?\b{_ON}-p{_V}"),
    ("mariadb", rf"(?:-dump|-admin)?\b{_ON}-p{_V}"),
    ("mycli", rf"\b{_ON}-p{_V}"),
    ("sshpass", rf"\b{_ON}-p[ =]?{_V}"),
    ("login", rf"\b{_ON}(?:-p|-w|-P)[ =]{_V}"),
    ("7z", rf"[az]?\b{_ON}-p{_V}"),
    ("rar", rf"\b{_ON}-h?p{_V}"),
    ("zip", rf"\b{_ON}-P ?{_V}"),
    ("ldap", rf"(?:search|modify|add|delete|whoami|passwd)\b[^\n|;]{{0,300}}?\s-[wsa] ?{_V}"),
    ("redis-cli", rf"\b{_ON}-a[ =]?{_V}"),
    ("mongo", rf"(?:sh|dump|restore|export|import)?\b{_ON}-p[ =]?{_V}"),
    ("sqlcmd", rf"\b{_ON}-P[ =]?{_V}"),
    ("bcp", rf"\b{_ON}-P[ =]?{_V}"),
    ("isql", rf"\b{_ON}-P[ =]?{_V}"),
    ("htpasswd", rf"\b(?=[^\n|;]{{0,60}}\s-[a-zA-Z]{{0,4}}b)[^\n|;]{{0,120}}?\s[\w.@-]{{1,60}} {_V}\s{{0,4}}(?:$|[\n|;&\"'`])"),
    ("smbclient", rf"\b{_ON}(?:-U|--user) ?[\"']?[\w.\\/@-]{{1,64}}%{_V}"),
    ("rpcclient", rf"\b{_ON}(?:-U|--user) ?[\"']?[\w.\\/@-]{{1,64}}%{_V}"),
    ("net use", rf" (?:[A-Za-z]: )?\\\\\S{{1,80}} {_V} /user:"),
    ("/user:", rf"\S{{1,60}} {_V}"),
    ("unzip", rf"\b{_ON}-P ?{_V}"),
    ("unrar", rf"\b{_ON}-h?p{_V}"),
    ("openssl", rf"\b{_ON}-k {_V}"),
    ("vault login", rf" (?:token=)?{_V}"),
    ("<<<", rf" ?{_V}"),
    ("secret put", rf"\b{_ON}--value[ =]{_V}"),
    ("jdbc:oracle", r":\w{1,10}:[\w$]{1,64}/(?P<value>[^@\s\"']{3,100})@"),
    ("bundle_", r"[A-Z0-9_]{2,60}__[A-Z]{2,6}[\"']?\s{0,2}[:=]\s{0,2}[\"']?(?P<value>[^\s\"']{6,200})"),
    ("net user", rf" [\w.-]{{1,60}} {_V} /add"),
    ("pass:", _V),
    ("/p:", r"(?<=[\s\"']/p:)(?P<value>[^\s\"'`|;&<>=]{4,200})(?![^\s\"'`|;&<>])"),
    ("storepass", rf" {_V}"),
    ("keypass", rf" {_V}"),
    ("echo", rf"\s{{1,4}}(?:-[a-z]\s)?[\"']?[\w.-]{{1,40}}:{_V}[\"']?\s{{0,4}}\|\s{{0,4}}(?:sudo\s)?chpasswd"),
    ("echo", rf"\s{{1,4}}(?:-[a-z]\s)?{_V}[\"']?\s{{0,4}}\|\s{{0,4}}[^\n]{{0,100}}?(?:--?(?:password-|passphrase-|pass)?(?:stdin|fd 0)|sudo\s{{1,4}}-[a-zA-Z]{{0,3}}S|runas\b|passwd\b|cryptsetup\b|--with-token|secret create|secrets? (?:create|put|set|add|versions)|vault (?:write|kv))"),
    ("printf", rf"\s{{1,4}}[\"']?%s(?:\\n)?[\"']?\s{{1,4}}{_V}[\"']?\s{{0,4}}\|\s{{0,4}}[^\n]{{0,100}}?(?:--?(?:password-|pass)?stdin|sudo\s{{1,4}}-[a-zA-Z]{{0,3}}S|passwd\b|--with-token|secrets? (?:create|put|set|add|versions))"),
    ("printf", rf"\s{{1,4}}{_V}[\"']?\s{{0,4}}\|\s{{0,4}}[^\n]{{0,100}}?(?:--?(?:password-|pass)?stdin|secret create|secrets? (?:create|put|set|add|versions))"),
    # What is generated, whatever reads it.
    ("echo", _GENERATED),
    ("printf", rf"(?:\s{{1,4}}[\"']?%s(?:\\n)?[\"']?)?{_GENERATED}"),
    ("{plain}", _V),
    ("{cleartext}", _V),
    ("bw login", rf" [\w.+-]{{1,64}}@[\w.-]{{1,100}} {_V}"),
    ("addauth digest", rf" [\w.@-]{{1,64}}:{_V}"),
    ("cargo login", rf" (?:--registry \S{{1,40}} )?{_V}"),
    ("gem push", rf"{_ON}--key[ =]{_V}"),
    ("knife", rf"\b{_ON}-P {_V}"),
    ("rootpw", rf" (?:--\w{{1,12}} ){{0,3}}{_V}"),
    ("snmp-server community", rf" {_V}"),
    ("-server key", rf" (?:[0-9] )?{_V}"),
    ("set_password", rf" [\w.@-]{{1,40}} {_V}"),
    ("chpasswd:", r"\s{1,20}(?:expire:[^\n]{0,20}\s{1,20})?list:[ \t]{0,4}\|?\s{1,20}(?:- )?[\w.-]{1,40}:(?P<value>[^\s\"']{4,200})"),
    ("impacket", r"[^\n|;]{0,120}?[\w.-]{1,40}/[\w.$-]{1,40}:(?P<value>[^\s@:\"']{4,100})@"),
    ("[+]", r"[^\n]{0,120}?\\[\w.$-]{1,40}:(?P<value>[^\s:\"']{4,100})(?=\s|$)"),
    ("> get ", r"[^\n]{0,80}?(?:pass|secret|token|key)[^\n]{0,40}\n\"(?P<value>[^\"\n]{6,200})\""),
    ("pass ", r"(?<=PASS )(?P<value>[^\s\\\"]{4,100})(?:\\r\\n|\r?\n(?:S: |< )?(?:230|331|530|\+OK|-ERR)\b)"),
    ("identified", r"(?i: (?:with [\w\"'` ]{1,40} )?by (?:password )?)[\"'](?P<value>[^\"'\n]{3,200})[\"']"),
    ("aws configure set", rf" [\w.-]{{0,40}}(?:secret|token|key)\w{{0,20}} {_V}"),
    (" config set", rf"\b[^\n|;]{{0,80}}?(?:token|secret|key|password|auth|Token|Secret|Key|Password|Auth)\w{{0,20}}[ =]{_V}"),
    ("secrets set", rf" [\w-]{{1,60}}[ =]{_V}"),
    ("secret set", rf" [^\n|;]{{0,60}}?(?:--body|-b)[ =]?{_V}"),
    ("http-basic", rf"\.[\w.-]{{1,60}} \S{{1,60}} {_V}"),
    ("winrm", rf"\b{_ON}-p ?{_V}"),
    ("curl", rf"\b{_ON}(?:--proxy-user|-U|-E|--cert)[ =][\"']?[\w.@/%+-]{{1,64}}:{_V}"),
    ("http", rf"s? {_ON}?(?:-a|--auth)[ =][\"']?[\w.@/%+-]{{1,64}}:{_V}"),
    ("-u", r"(?:ser|serpwd)?(?:[ =]{0,4})[\"']?[^\s:\"'$<{]{1,80}:(?P<value>(?![$/~.])[^\s\"'`|;<>]{3,200})"),
    ("-u", r"(?:ser)?[ =]{0,4}[\"']?(?P<value>[^\s:\"'$<{]{8,200}):(?=[\"'\s])"),
    ("requirepass", rf" {_V}"),
    ("masterauth", rf" {_V}"),
    ("wpa_passphrase", rf" \S{{1,64}} {_V}"),
    ("psk=", r"[\"']?(?P<value>[^\s\"'#]{8,64})"),
    ("send ", r"(?:-- )?[\"'](?P<value>[^\s\"'$]{6,60}?)(?:\\[rn])?[\"']"),
    ("kinit", rf"\b[^\n]{{0,80}}<<< ?{_V}"),
    # A user and the option of a password, of any command.
    ("-u ", rf"[\"']?[\w.@\\/-]{{1,64}}[\"']? -p ?{_V}"),
    ("username ", rf"[\"']?[\w.@\\/-]{{1,64}}[\"']? -p ?{_V}"),
    ("keyvault secret set", rf"{_ON}--value[ =]{_V}"),
    ("put-parameter", rf"{_ON}--value[ =]{_V}"),
    ("schtasks", rf"\b{_ON}/rp {_V}"),
    ("sqlplus", r"(?: -\w{1,3})* [\"']?[\w$]{1,40}/(?P<value>[^\s@\"'/]{3,60})(?=[@\s\"']|$)"),
    ("lftp", rf"\b{_ON}-u [\"']?[\w.@-]{{1,64}},{_V}"),
    ("ipmitool", rf"\b{_ON}-P {_V}"),
    ("snmp", rf"\w{{0,12}}{_ON}-A {_V}"),
    ("snmp", rf"\w{{0,12}}{_ON}-X {_V}"),
    ("useradd", rf"\b{_ON}-p[ =]?{_V}"),
    ("usermod", rf"\b{_ON}-p[ =]?{_V}"),
    ("bundle config", rf" [^\n|;]{{0,80}}?[\w-]\.[a-z]{{2,10}} [\w.@-]{{1,64}}:{_V}"),
    ("rabbitmqctl", rf" [^\n|;]{{0,60}}?(?:add_user|change_password|authenticate_user) \S{{1,64}} {_V}"),
    ("mc alias set", rf" \S{{1,60}} \S{{1,120}} \S{{1,60}} {_V}"),
    ("-a bearer", rf" (?:-a|--auth)[ =]{_V}"),
    # What is said to a server.
    ("auth", rf"(?<=AUTH) (?:(?:[a-z]{{1,20}}|[A-Z]{{4,12}}[0-9]?) )?{_V}"),
    ("login", r" [\w.@+-]{1,64} [\"'](?P<value>[^\"'\n]{4,100})[\"']"),
    ("user ", r"(?<=USER )\S{1,64}\s{1,4}(?:[^\n]{0,100}\n){0,3}[^\n]{0,40}?\bPASS (?P<value>\S{4,100})"),
    ("auth login", r"\s{1,4}(?:[^\n]{0,100}\n){0,4}(?:S: )?334 UGFzc3dvcmQ6\s{1,4}(?:C: )?(?P<value>\S{4,200})"),
    ("acl setuser", r" [^\n]{0,100}?>(?P<value>[^\s>]{4,100})"),
    ("convertto-securestring", rf" (?i:-string )?{_V}"),
    ("identified", r"(?i: (?:with \S{1,40} )?by )(?P<value>[^\s\"';,()<>]{4,100})"),
    ("set password", r"(?i:(?: for [^\n=]{1,80}?)? ?= ?(?:password\()?)[\"'](?P<value>[^\"'\n]{3,200})[\"']"),
    ("]:", rf"\d{{2,5}}[ \t]{{1,8}}[\w.@+-]{{1,64}}:{_V}"),
    ("rclone obscure", rf" {_V}"),
    ("input_pw", rf" {_V}"),
    ("owner_pw", rf" {_V}"),
    ("user_pw", rf" {_V}"),
    ("psk", r" ?\"(?P<value>[^\"\n]{8,64})\""),
    ("securestring", rf"[ \t]{{1,4}}{_V}"),
    ("-variable", rf"(?i: (?:-name )?[\"']?\w{{0,30}}(?:passw|pwd|secret|token|api_?key)\w{{0,20}}[\"']? (?:-value )?){_V}"),
    *((word, rf"[^\n]{{0,200}}{LINE_BREAK}(?P<value>[^\s\"']{{8,200}})[ \t]{{0,4}}(?=\r|\n|$)") for word in _PRINTING),
)  # fmt: skip
COMMAND_STEMS = tuple(
    f" {parts[0]}" if (parts := re.findall("[a-z0-9]{2,}", word)) else word for word, _ in _COMMANDS
)
"""How a word of the text begins that has the word of each row; or that word itself, if it is all marks."""
_TALKED_OF = frozenset(
    (
        *("-u", "send ", "login", "identified", "pass:", "net user", "echo", "http", "zip", "rar", "mongo", "mysql", "openssl"),
        *("pass ", "printf", "rootpw", "set_password", "-server key", "[+]", "secrets set", "vault login", "<<<", "/user:", "-u ", "username ", "auth", "user ", "set password", "]:", "securestring", "snmp"),
        *_PRINTING,
    )
)  # fmt: skip
"""Words of ordinary sentences, too: behind these a value is not a secret unless it looks like one."""
_NO_VALUE = ("-", "/", "./", "~", "file:", "env:", "fd:", "stdin", "\\", "@")
"""How another option begins, and the place of a secret."""


def command_secrets(text: str, lower: str, rows: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Where secrets are in the commands of a text. `lower` is the text in lower case, place for place, and `rows` are the rows of
    the table that it may hold (`COMMAND_STEMS`).
    """
    if "-" in text:
        yield from _options(text)
    table = _compiled()
    for word, pattern in [table[at] for at in rows]:
        at = lower.find(word)
        while at >= 0:
            end = at + len(word)
            begins = at == 0 or not (lower[at - 1].isalnum() and word[0].isalnum())
            if begins and (match := pattern.match(text, end)):
                value = match["value"].rstrip(",.)")
                if _is_given(value, word):
                    yield match.start("value"), match.start("value") + len(value), "secret in a command"
            at = lower.find(word, end)


_OPTION = re.compile(
    # On a line of a command, or as strings of a list of arguments.
    r"-(?<![^\s\"'`\[(,]-)(?:[pP]|[wWNKaAuU](?=[ \t=\"']))(?:[ \t]{1,4}|=|[\"'],[ \t\r\n]{0,20})?[\"']?"
    r"(?P<value>[^\s\"'`|;&<>,(){}\[\]]{8,64})(?![^\s\"'`|;&<>,)\]}])"
)
_PLACES = ("://", "./", "~/", "=")


def _options(text: str) -> Iterator[tuple[int, int, str]]:
    """What an option of one letter is given that many commands take a password by, if it looks like a chosen or generated password."""
    for match in _OPTION.finditer(text):
        value = match["value"]
        if (
            turns(value) >= 3
            and is_mixed(value)
            and not contains_any(value, _PLACES)
            and not reads_as_words(value)
            and is_secret(value)
        ):
            yield *match.span("value"), "secret in a command"


def _is_given(value: str, word: str) -> bool:
    """Whether the command is given this secret, rather than a file with one, another option or a word about the command."""
    if len(value) < 3 or not is_secret(value) or value.startswith(_NO_VALUE):
        return False
    if word not in _TALKED_OF:
        return not value.isalpha() or len(value) >= 8
    return not value.isdigit() and any(map(str.isdigit, value)) and not reads_as_words(value)


@cache
def _compiled() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((word, re.compile(pattern)) for word, pattern in _COMMANDS)
