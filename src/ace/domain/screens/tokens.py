"""A text as its words, with a name of its own for whatever else there is: `<url>`, `<mail>`, `<private>` for a file that holds secrets.

Rules over words (`lexicon.py`) ask for these names. An option is each of its letters, a setting its name and its value.
To know another thing by its looks, add a row to `_SHAPES`; to know another file or setting, a word to its set.
"""

from __future__ import annotations

import re

__all__ = ["GATES", "NAMES", "read"]

_CHUNK = re.compile(
    r"\$\(|\]\(|<\(|<<<|>>|>&|&&|\|\||[|;&>,]|(?:[^\s\"`()\[\]{}<>|;&,']|(?<=\w)'(?=\w)|(?<=\$)\{)+"
)
_PLAIN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?(?:-[a-z0-9']+)*")
_ENDS = ".!?…"
_STARS = "*_~#\u201c\u201d\u201e\u2018\u2019\xab\xbb\u2022"
_ABBREVIATED = frozenset(("e.g", "i.e", "etc", "vs", "incl"))
_LONGEST = 200
"""Characters of a piece without a blank that are looked at."""
_OPERATORS = {
    **dict.fromkeys(("|", "||"), "<pipe>"),
    **dict.fromkeys(("&&", "&"), "<then>"),
    ";": "<semi>",
    **dict.fromkeys(("$(", "<(", "<<<"), "<sub>"),
    **dict.fromkeys((">", ">>", ">&"), "<into>"),
    **dict.fromkeys(("-", "\u2013", "\u2014", "--"), "\u2014"),
    **dict.fromkeys(("/", "/*", "~", "~/", "~/*", "*", "*.*", "./*", "$home", "c:\\", "c:"), "<root>"),
    ",": ",",
    **dict.fromkeys(("=", "==", ":="), "="),
    "](": "<link>",
    "\x00": "<shape>",
    "@reboot": "<reboot>",
    **dict.fromkeys("\u274c\u2717\u2718\u2716\U0001f6ab\u26d4\U0001f44e", "<no>"),
    "/dev/null": "<null>",
    **dict.fromkeys(("0.0.0.0/0", "::/0"), "<anywhere>"),
}
NAMES = frozenset(
    (
        "bash", "sh", "zsh", "dash", "python", "python3", "node", "agents.md", "claude.md", "gemini.md", ".cursorrules", ".bashrc", ".zshrc", ".profile",
        ".bash_profile", ".gitconfig", "authorized_keys", "sudoers", "crontab", "readme.md", "copilot-instructions.md", ".windsurfrules", ".clinerules",
        "memory.md", "skill.md", "config.fish", ".zshenv", ".zprofile", "codeowners", "rc.local",
    )
)  # fmt: skip
"""Files that rules name."""
_TOP = [
    "com", "net", "org", "io", "dev", "example", "co", "xyz", "ru", "cn", "info", "ai", "cloud", "site", "online", "top", "tk", "ml", "cc", "biz",
    "uk", "de", "eu", "onion", "link", "club", "us", "me", "pw", "ws", "app", "gg",
]  # fmt: skip
_CHECKS = frozenset(
    (
        "verify", "verified", "verification", "ssl", "tls", "cert", "certs", "certificate", "certificates", "unauthorized", "hostname", "sign",
        "signed", "signing", "signature", "gpg", "gpgsign", "gpgcheck", "checksum", "sumdb", "sandbox", "auth", "csrf", "security",
        "secure", "protect", "protection", "approval", "approve", "approvals", "audit", "lint", "hook", "hooks", "hookspath", "hostkey",
        "strict", "validate", "validation", "review", "integrity", "firewall", "selinux", "permission", "permissions", "mfa", "2fa", "checks",
        "confirm", "confirmation", "license", "policy", "scan", "scanning", "xsrf", "pgp", "stricthostkeychecking", "sslverify", "sslverification", "rejectunauthorized",
        "checkhostname", "verifypeer", "verifyhost", "verifycertificate", "httpsverify", "gpgchecks", "requiresigned", "enforceadmins",
    )
)  # fmt: skip
"""Parts of the name of a setting that checks something."""
_UNCHECKS = frozenset(
    (
        "insecureskipverify", "skipverify", "noverify", "insecure", "trustservercertificate", "trustallcerts", "ignoresslerrors", "ignorecertificateerrors", "autoapprove", "bypasspermissions", "allowunsigned",
        "disablerealtimemonitoring", "skiptests", "dskiptests", "autoaccept", "nosumcheck", "noauth", "dangerouslydisablesandbox",
    )
)  # fmt: skip
"""Settings, in one word, that leave something unchecked."""
_SKIPS = frozenset(
    (
        "skip", "bypass", "no", "disable", "disabled", "ignore", "allow", "trust", "auto", "accept", "dangerously",
    )
)  # fmt: skip
_SKIPPED = _CHECKS | frozenset(
    (
        "test", "tests", "check", "root", "all", "hosts", "untrusted", "unauthenticated", "unsigned", "insecure", "host", "errors",
        "preserve", "web", "deps", "nodeps", "force",
    )
)  # fmt: skip
_LOOSE = frozenset(
    (
        "yolo", "dangerously", "insecure", "nogpgcheck", "noverify", "trusted", "privileged", "force-yes", "passwithnotests",
    )
)  # fmt: skip

_HARMLESS = frozenset(("version", "update", "updates", "strict", "dirty", "color", "telemetry"))
"""What an option that skips a check may leave out: nobody is harmed by it."""

_SPOKEN = frozenset(
    (
        "verified", "verification", "certificate", "certificates", "unauthorized", "signature", "protection", "approvals", "validation", "integrity", "permission", "permissions",
        "confirmation", "scanning",
    )
)  # fmt: skip
"""Those of them that sentences speak of."""

_SHAPES = tuple(
    (re.compile(pattern), names)
    for pattern, names in (
        ((r"(?:.*[/=@:~])?\.env(?![\w-]|\.(?:example|sample|template|dist|test)).*|.*(?:id_(?:rsa|ed25519|ecdsa|dsa)(?!\.pub)|\.ssh\b(?!.*authorized)|\.aws\b|\.npmrc|\.pypirc|\.netrc|\.git-credentials|\.kube\b"
         r"|\.docker/config|\.gnupg|/etc/(?:passwd|shadow)|keychain|wallet\.dat|cookies\.sqlite|\.pgpass|secrets?\.(?:ya?ml|json|toml|env)|\.kdbx|\.tfstate|\.config/gh|private[_-]key).*"
         r"|.*(?:credentials(?:\.json)?|login data|\.pem|\.p12)"), ("<private>",)),
        (r".*\.?(?:bash|zsh)_history", ("<private>", "<history>")),
        (r"/:/.*|.*docker\.sock.*", ("<rootmount>",)),
        (r"(?:\d{2,5}|\*):[\w.-]*(?::\d{2,5})?", ("<forward>",)),
        (r"(?:127\.|0\.|192\.168\.|10\.)[\d.]+(?::\d+)?(?:/.*)?", ("<local>",)),
        (r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?(?:/.*)?", ("<host>",)),
        (rf"(?:[a-z0-9-]+\.)+(?:{'|'.join(_TOP)})(?::\d+)?(?:/.*)?", ("<host>",)),
        (r"/dev/(?:tcp|udp)/.*", ("<socket>",)),
        (r"/(?:etc|usr|home|bin|boot|opt|root|srv|lib|var(?!/(?:lib/apt|cache|tmp)))\b.*", ("<system>",)),
        (r"(?:\./|/tmp/).*|.*\.(?:sh|bash|zsh|py|ps1|exe|bat|cmd|js|mjs|rb|pl|jar|bin|run|deb|rpm|msi|dmg|pkg|apk|dll|vbs|hta)", ("<code>",)),
        (r".*[/\\].*", ("<path>",)),
    )
)  # fmt: skip
"""What a piece with marks in it is, by its looks: the first that it has."""

GATES = {
    # By which words of a text, or which part of it, one may tell that it may hold what has a name.
    "<url>": "http https ftp ssh git s3 gs sftp wss",
    "<http>": "http",
    "<mail>": "@",
    "<host>": f"{' '.join(_TOP)} {' '.join(map(str, range(101, 255)))}",
    "<packed>": "tgz gz zip whl gem crate git",
    "<code>": "sh bash zsh py ps1 exe bat cmd js mjs rb pl jar bin run deb rpm msi dmg pkg apk dll vbs hta tmp ./",
    "<pipe>": "|",
    "<then>": "&",
    "<semi>": ";",
    "<into>": ">",
    "<link>": "](",
    "<history>": "history bash_history",
    "<null>": "null",
    "<anywhere>": "0",
    "<private>": (
        "env rsa ed25519 ecdsa dsa ssh aws npmrc pypirc netrc git kube docker gnupg credentials passwd shadow keychain wallet cookies "
        "pgpass history bash_history zsh_history secrets secret pem p12 kdbx tfstate gh private_key private"
    ),
    "<secretvar>": "token secret password passwd key credential credentials",
    "<secretname>": "token secret password passwd key credential credentials private",
    "<sub>": "$( <( <<<",
    "<options>": "--",
    "<weak>": " ".join(_SKIPS | _LOOSE | _UNCHECKS),
    "<checkkey>": " ".join(_CHECKS),
    "<skipkey>": " ".join(_SKIPS | _UNCHECKS),
    "<rootmount>": "docker sock host",
    "=": "=",
    "@": "@",
}
_SECRET = re.compile(r"token|secret|passw|api_?key|private|credential|access_?key")
_LOCAL = re.compile(r"https?://(?:localhost|127\.|0\.0\.0\.0|\[?::1|192\.168\.|10\.)")
_PACKED = re.compile(r"\.(?:tgz|tar\.gz|zip|whl|gem|crate)\b")
_SCRIPT = re.compile(r"\.(?:sh|py|ps1|exe|js|pl|rb|bin|msi)$")
_SLASHED = re.compile(r"[a-z]{2,20}(?:/[a-z]{2,20}){1,2}")
_DOTTED = re.compile(r"[a-z]+\.[a-z_]+")
_PARTS = re.compile(r"[a-z0-9]+")


def read(chunk: str) -> list[str]:
    """The words of a piece of folded text without blanks: marks at its end are words, too."""
    words: list[str] = []
    for part in _CHUNK.findall(chunk[:_LONGEST]):
        words += _words(part)
    return words


def _words(part: str) -> list[str]:
    if known := _OPERATORS.get(part) or _OPERATORS.get(part.rstrip(_ENDS + ":")):
        return [known]
    core = part.rstrip(_ENDS + ":" + _STARS)
    tail = part[len(core) :].strip(_STARS)
    core = core if core.startswith("~/") else core.lstrip(_STARS)
    words = _named(core) if core else []
    if tail[-1:] == ":":
        words.append(":")
    elif tail and core not in _ABBREVIATED and tail != "...":
        words.append(".")
    return words


def _named(core: str) -> list[str]:  # noqa: C901, PLR0911, PLR0912 - one look after the other
    """The words of a piece without the marks around it."""
    if core in _CHECKS or core in _UNCHECKS:
        return (
            [core, "<skipkey>" if core in _UNCHECKS else "<checkkey>"]
            if len(core) > 8 and core not in _SPOKEN
            else [core]
        )
    if _PLAIN.fullmatch(core):
        return core.split("-")
    if "://" in core:
        return _address(core)
    if core[0] == "-":
        return _option(core)
    if core[0] in "$%":
        return ["<secretvar>" if _SECRET.search(core) else "<var>"]
    if core[0] == "@":
        return ["@", *(_named(core.lstrip("@")) if core.strip("@") else [])]
    key, equals, value = core.partition("=")
    if key and equals:
        named = _setting(key)
        return [
            *(_PARTS.findall(key) if named == ["<word>"] else named),
            "=",
            *(_named(value.lstrip("=")) if value.strip("=") else []),
        ]
    if "@" in core and ("." in core or ":" in core):
        return ["<mail>"]
    if core in NAMES:
        return [core]
    if _SLASHED.fullmatch(core):
        return core.split("/")
    for shape, names in _SHAPES:
        if shape.fullmatch(core):
            base = re.split(r"[/\\]", core)[-1]
            return [*names, base] if base in NAMES else [*names]
    key, colon, value = core.partition(":")
    if key and colon:
        return [*_setting(key), ":", *(_named(value) if value else [])]
    return _setting(core)


def _address(core: str) -> list[str]:
    if _LOCAL.match(core):
        return ["<local>"]
    # A variable at the end may be a secret that is sent there.
    at = core.rfind("$")
    return [
        *(["<http>"] if core.startswith("http:") else []),
        "<url>",
        *(["<packed>"] if _PACKED.search(core) else []),
        *(["<code>"] if _SCRIPT.search(core) else []),
        *(["<secretvar>"] if at >= 0 and _SECRET.search(core, at) else []),
    ]


def _option(core: str) -> list[str]:
    name, equals, value = core.partition("=")
    letters = name.lstrip("-")
    words = (
        [f"-{letter}" for letter in letters]
        if name[:2] != "--" and letters.isalpha() and 1 < len(letters) <= 5
        else []
    )
    words.append(name)
    if name[:2] == "--" or len(letters) > 5:
        parts = _PARTS.findall(letters)
        loose = bool(parts) and (
            parts[0] in _LOOSE
            or letters in _LOOSE
            or (parts[0] in _SKIPS and not _SKIPPED.isdisjoint(parts[1:]) and _HARMLESS.isdisjoint(parts))
        )
        if loose or not _UNCHECKS.isdisjoint(parts):
            words.append("<weak>")
    return [*words, "=", *_named(value)] if equals and value else words


def _setting(key: str) -> list[str]:  # noqa: PLR0911 - as above
    """The name of a setting."""
    if key in NAMES:
        return [key]
    parts = _PARTS.findall(key)
    if not parts or key[0] == ".":
        return ["<word>"]
    if len(parts) == 1:
        return ["<skipkey>"] if parts[0] in _UNCHECKS else [parts[0]]
    if "_" in key and _SECRET.search(key):
        return ["<secretname>"]
    if (parts[0] in _SKIPS and not _SKIPPED.isdisjoint(parts[1:])) or not _UNCHECKS.isdisjoint(parts):
        return ["<skipkey>"]
    if not _CHECKS.isdisjoint(parts):
        return ["<checkkey>"]
    return parts if _PLAIN.fullmatch(key) or _DOTTED.fullmatch(key) else ["<word>"]
