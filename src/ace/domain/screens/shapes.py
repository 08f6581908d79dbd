"""What a lesson that acts looks like beside its wordings: markup, addresses that carry data, code, escapes.

Each row is the kind that a person is told, parts of which one must be in the folded text, and the pattern. To widen a kind, add
a row or an alternative. Patterns must run in linear time: each gap has an end.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ace.domain.screens.gates import Gate, compiled
from ace.domain.screens.views import contains_any

__all__ = ["shapes"]

_CARRIES = "carries data or code in a link or a page"
_RUNS, _SHELL, _SENDS = "downloads and runs", "opens a shell or an account to others", "sends data away"
_DECODES, _ESCAPES, _DESTROYS = "decodes and follows", "writes escapes of a terminal", "destroys data"

_AWAY = r"(?:https?:)?//"
_DATA = r"(?:[{$<\[]|%7b|secret|token|passw|conversation|history|\benv\b|api_?key|summary|chat|cookie|\bdata\b|base64|prompt)"
_CARRIED = rf"(?:[{{$<\[]|%7b|[?&#](?:\w{{1,20}}=)?[\w-]{{0,20}}?{_DATA}|[?&](?:\w{{1,20}}=(?=[)\s\"'>]|$)|(?![hqsvw]=)[a-z]=))"
"""What an address has that carries data: a place that is filled, a word for what is private, nothing behind a name, or a name of one letter.
Names such as `style` and `logo`, with a value, say how a badge looks.
"""
_TAKES = r"(?:open\(|\.read\(\)|read_text\(|readfile|dict\(os\.environ|os\.environ\b(?![\[.])|process\.env\b(?!\.)|clipboard|pbpaste|getpass|document\.cookie|localstorage|private_key|/etc/passwd|packages|working_set|\.env\b|id_rsa|\.ssh|\.aws|environ\b(?![\[.]))"
_GIVES = r"(?:requests\.(?:post|put|get)|axios(?:\.post)?|httpx\.(?:post|put)|sendbeacon|sock(?:et)?\.send(?:all)?|\bs\.send(?:all)?|urlopen|\bfetch|smtplib|sendmail|uploadstring|uploadfile)"
_TEXT_OF = r"(?:atob|buffer\.from|base64|b64decode|unescape|decodeuri\w{0,10}|codecs\.|zlib|bytes\.fromhex|marshal|__import__|gzinflate|str_rot13|string\.fromcharcode|compile\()"
_ESC = r"(?:\\(?:033|x1b|u001b|u\{1b\}|e|0x1b|27)|&#(?:27|x1b);)"

_ROWS: tuple[tuple[str, str, tuple[str, ...], str], ...] = (
    # A kind; words of which the text has one, unless there are none; parts of which it has one; the pattern.
    (
        _CARRIES,
        "",
        ("](http", "](//", "](<", "](javascript", "](vbscript", "](data:", "]( "),
        (
            rf"!\[[^\]\n]{{0,200}}\]\(\s{{0,3}}<?{_AWAY}[^)\s]{{0,300}}?{_CARRIED}"
            rf"|\[[^\]\n]{{0,200}}\]\(\s{{0,3}}<?{_AWAY}[^)\s]{{0,200}}?[?&#]\w{{1,20}}=[^)\s]{{0,60}}?(?:[{{$<\[]|%7b|secret|token|passw|conversation|history|api_?key)"
            r"|\]\(\s{0,3}(?:javascript|vbscript|data:(?:text/html|image/svg))[:,;+]"
        ),
    ),
    (
        _CARRIES,
        "href src action srcdoc srcset formaction iframe object embed form script img audio video meta base link onerror onload onclick onmouseover onfocus ontoggle onbegin onstart onpageshow svg",
        ("<",),
        (
            r"(?:href|src|action|srcdoc|formaction)\s?=\s?[\"']?\s?(?:javascript|vbscript|data:text/html)|<(?:iframe|object|embed|form)\b[^>\n]{0,200}(?:src|data|action|srcdoc)\s?=(?!\s?\{)"
            r"|<[a-z]{1,10}\b[^>\n]{0,200}[\s/]on(?:error|load|click|mouse\w{1,6}|focus|toggle|begin|start|pageshow)\s?=(?!\s?\{)"
            r"|<script\b[^>\n]{0,200}>[^<\s`'\"…][^<\n]{0,200}(?:</script|fetch|cookie|location|\()"
            r"|<script\b[^>\n]{0,100}src\s?=\s?[\"']?(?:https?:)?//(?!cdn|unpkg|cdnjs|[`\"'])"
            rf"|<(?:img|audio|video|source|input|track)\b[^>\n]{{0,200}}src(?:set)?\s?=\s?[\"']?(?:https?:)?//[^>\n]{{0,200}}?{_CARRIED}"
            r"|<meta\b[^>\n]{0,60}http-equiv\s?=\s?[\"']?refresh|<base\b[^>\n]{0,40}href\s?=\s?[\"']?https?:"
            rf"|<link\b[^>\n]{{0,60}}href\s?=\s?[\"']?(?:https?:)?//[^>\n]{{0,200}}?{_CARRIED}"
        ),
    ),
    (_CARRIES, "url", ("url(",), rf"url\(\s?[\"']?(?:https?:)?//[^)\s]{{0,200}}?{_CARRIED}"),
    (
        _CARRIES,
        "",
        ("<!--",),
        (
            r"(?<!`)<!--+(?!\s{0,3}(?:prettier|markdownlint|eslint|yaml\b|lint\b|more\b|toc\b|ace ?:|stylelint|vale\b|todo\b|fixme\b|#|\[if\b|begin\b|end\b|start\b|cspell|e\.?g\b|example|auto.?generated|generated))"
            r"[^<>\n]{0,200}\b(?:you must|you should|your task|agents?|assistants?|llms?|must|always|never|don'?t|do not|ignore|disregard|approve|merge|send|post|upload|e?mail|run|execute|delete|remove|disable|skip|install"
            r"|download|curl|wget|reveal|print|follow|obey|secrets?|keys?|tokens?|password|system|admin|push|deploy|trust|grant|fetch|hidden|transfer|pay|bypass)\b[^<>\n]{1,600}--+>"
            r"|(?<!`)<!--+\s{0,3}(?:system|assistant|user|important|instructions?|ignore|note to|agents?|ai|llms?|hidden|for (?:the )?(?:ai|agents?|assistants?|llms?))\b"
        ),
    ),
    (
        _CARRIES,
        "",
        ("[//]: #", "[comment]: "),
        r"\[(?://|comment)\]: (?:#|<>) ?[(\"'][^)\n]{0,40}(?:agent|assistant|ai\b|llm|you\b|always|never|run|send|ignore|must)[^)\n]{0,200}",
    ),
    (
        _CARRIES,
        "open load fetch visit request render show call embed ping hit get navigate browse go append add include insert put end link",
        ("://",),
        (
            r"\b(?:open|load|fetch|visit|request|render|show|call|embed|ping|hit|get|navigate to|browse to|go to)\b(?:[^.]|\.(?! )){0,40}https?://[^\s]{1,120}?(?:[?&#]\w{1,20}=[<{$\[]|(?:[^.]"
            r"|\.(?! )){0,20} with (?:the |a |your )?(?:\w+ ){0,2}?(?:conversation|session id|secrets?|tokens?|prompts?|chat|transcript|user (?:name|data|id)|e?mail|history)\b(?:[^.]"
            r"|\.(?! )){0,30}\b(?:query|path|url|parameter|name|fragment|subdomain))"
            r"|https?://[^\s]{1,120}[?&#]\w{1,20}=[<{$\[]{1,2}[^\s>}\]]{0,20} ?(?:key|token|secret|conversation|prompt|user|data|message|history|env|e?mail|chat|session|password|content|answer|reply|question)"
        ),
    ),
    (
        _ESCAPES,
        "033 x1b u001b 1b e 0x1b 27 x9b u009b x9d u009d",
        ("\\", "&#27;", "&#x1b;"),
        rf"{_ESC}(?:\]|p|_|\^|\\{{1,2}}\]|\[[\d;?]{{0,12}}(?:[a-ln-z@]|8m))|(?<![`'\"(|]){_ESC}\[(?:[\d;?]{{0,20}}m|$|\W)|\\(?:x9b|u009b|x9d|u009d)[\d;?]",
    ),
    (_ESCAPES, "", ("^[",), r"\^\[(?:\]|p|_|\[[\d;?]{0,12}(?:[a-ln-z@]|8m))|(?<![`'\"(|\[])\^\[\[(?:[\d;?]{1,20}m)"),
    (
        _RUNS,
        "downloadstring downloadfile exec eval compile import urlopen urlretrieve requests source system",
        ("exec", "eval", "compile(", "import(", "downloadstring(", "downloadfile(", "-c ", "system(", "source("),
        (
            r"downloadstring\(|downloadfile\(.{0,120}start-process|(?:exec|eval|compile|system)[( ].{0,60}(?:requests\.get|urlopen|urllib|fetch\(|httpx\.get|curl |wget |uri\.open|open-uri)"
            r"|\b(?:node|deno|bun|perl|ruby|php|lua)\b[^\n]{0,40} -[ecr]\w{0,3} [^\n]{0,160}(?:https?[.:/(]|open-uri|file_get_contents|lwp|fetch)[^\n]{0,200}(?:eval|exec|system)"
            r"|\b(?:node|deno|bun|perl|ruby|php|lua)\b[^\n]{0,60} -[ecr]\w{0,3} [^\n]{0,60}(?:eval|exec|system)[^\n]{0,80}(?:https?:|open-uri|file_get_contents|get\()"
            r"|-c .{0,120}(?:urlopen|urlretrieve|requests\.get)|import\([\"']https?://|\bsource\([\"']https?://"
        ),
    ),
    (
        _SHELL,
        "tcp udp nc ncat netcat telnet mkfifo socat bash zsh pty socket meterpreter msfvenom tcpclient spawn sh",
        ("/dev/", "nc", "tel", "mkfifo", "socat", "sh -i", "pty.spawn(", "socket", "meterpreter", "msfvenom", "tcpclient", "spawn("),
        (
            r"/dev/(?:tcp|udp)/\S|\b(?:nc|ncat|netcat)\b[^\n|;]{0,80}? -\w{0,6}[ec]\w{0,3}\s+\S{0,20}(?:sh|cmd|powershell)\b|\b(?:nc|ncat|netcat|telnet)\b[^\n]{0,80}\|\s{0,4}\S{0,10}sh\b"
            r"|sh\b[^\n|]{0,20}\|\s{0,4}(?:nc|ncat|netcat)\b|mkfifo\b[^\n]{0,100}\b(?:nc|telnet|openssl)\b|socat\b[^\n]{0,160}exec|\b(?:ba|z)?sh -i\b[^\n]{0,20}(?:>|&|<)|pty\.spawn\("
            r"|socket\.socket\b[^\n]{0,300}(?:dup2|subprocess|pty|/bin/|send(?:all)?\()|net\.socket\([^\n]{0,200}(?:pipe|exec|spawn)|spawn\([\"']ssh -|meterpreter|msfvenom|net\.sockets\.tcpclient"
        ),
    ),
    (
        _SENDS,
        "requests axios httpx sendbeacon sock socket urlopen fetch smtplib sendmail uploadstring uploadfile",
        ("requests.", "axios", "httpx.", "beacon(", ".send", "urlopen(", "fetch(", "smtplib", "uploadstring(", "uploadfile("),
        rf"{_GIVES}\([^\n]{{0,300}}{_TAKES}|{_TAKES}[^\n]{{0,300}}{_GIVES}[^\n]{{0,3}}\(",
    ),
    (
        _DECODES,
        "atob b64decode fromhex base64 unescape marshal frombase64string fromcharcode gzinflate rot13 powershell decode decoding buffer codecs zlib iex decodeuricomponent decodeuri",
        ("(", "powershell", "<<<", "decod", "iex"),
        (
            rf"(?:eval|function|exec|system|popen|spawn\w{{0,4}})\(\s{{0,4}}[\"'`]{{0,1}}{_TEXT_OF}|<<<\s{{0,3}}[\"'`]?\$\(.{{0,60}}base64|eval\s+[\"'`]?\$\(.{{0,80}}base64 (?:-d|--decode)"
            r"|powershell\S{0,5}\s[^\n]{0,80}-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{8}|frombase64string\(.{0,200}(?:iex|invoke|start-process)|(?:iex|invoke-expression).{0,100}frombase64string"
            r"|decod(?:e|ing) (?:this|the following|these)\b[^.]{0,60}(?:[a-z0-9+/=]{20}|(?:[01]{8} ?){3}|(?:[0-9a-f]{2} ){6}|[.-]{2,6} [.-]{1,6} [.-])"
        ),
    ),
    (
        _DESTROYS,
        "rmtree mkfs ext4 dd dev format vssadmin preserve sda",
        ("rmtree(", "mkfs", "of=/dev/", "no-preserve-root", "format c:", "vssadmin", "/dev/sd", "/dev/nvme"),
        r"rmtree\([\"'](?:/|~)[\"']|\bmkfs(?:\.\w+)? \S{0,40}/dev|\bdd [^\n]{0,60}of=/dev/(?:sd|nvme|hd|disk)|--no-preserve-root|\bformat c:|vssadmin delete|> ?/dev/(?:sd|nvme|hd)[a-z0-9]",
    ),
    (_DESTROYS, "", (":()",), r":\(\) ?\{ ?:\|:"),
)  # fmt: skip
_GATE = Gate([[words] if words else [] for _, words, _, _ in _ROWS])
_SIGNS = frozenset("](<:\\^&/-")
"""Each shape has one of these."""


def shapes(text: str, words: frozenset[str], signs: frozenset[str]) -> Iterable[tuple[str, int, int]]:
    """Where a folded text of these words, and of these marks, has such a shape: its kind, and the place."""
    return () if signs.isdisjoint(_SIGNS) else _shapes(text, words)


def _shapes(text: str, words: frozenset[str]) -> Iterator[tuple[str, int, int]]:
    for at in _GATE.opened(words):
        kind, _, marks, pattern = _ROWS[at]
        if contains_any(text, marks):
            for match in compiled(pattern).finditer(text):
                yield kind, match.start(), match.end()
