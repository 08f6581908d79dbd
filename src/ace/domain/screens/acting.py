"""Lessons that act: what an agent that follows them would do to somebody's machine, data or trust.

Each row of `_KINDS` names a kind so that a person can judge it, since some projects do install by piping a download into a
shell: the setting `acting_lessons` says whether such a lesson is refused or added and marked. A lesson that warns of the
same command passes (`_warned`): "Never run curl … | sh", "`curl … | sh` is forbidden". Patterns must run in linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ace.domain.screens.gates import Gate, compiled
from ace.domain.screens.languages import foreign
from ace.domain.screens.views import Views, contains_any

__all__ = ["ACTS", "acting", "acts"]

ACTS = "a lesson that acts"
"""What the reason of this screen begins with."""


class _Kind(NamedTuple):
    """What a person is told; groups of words, of each of which one must be in the text (`gates.py`); the pattern; other parts of which
    one must be in the folded text; whether the pattern is one of words (matched against bare text); and whether the thing
    alone, which nobody is told to use, is none.
    """

    told: str
    needs: tuple[str, ...]
    pattern: str
    marks: tuple[str, ...] = ()
    words: bool = False
    advised: bool = False


_RUNS = "downloads and runs"
_SHELL = "opens a shell or an account to others"
_SENDS = "sends data away"
_DECODES = "decodes and follows"
_CHECKS = "disables checks"
_HIDES = "hides something from the user"
_PLANTS = "plants something in code or answers"
_CARRIES = "carries data or code in a link or a page"
_ESCAPES = "writes escapes of a terminal"
_DESTROYS = "destroys data"

_GETS = r"(?:curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod|aria2c|lwp-download|httpie?)"
_SH = r"(?:/(?:usr/)?(?:local/)?bin/)?(?:env )?(?:ba|z|k|da|fi|a)?sh\b(?!\w|-completion)"
_PRIVATE_FILES = (
    r"(?:\.env\b(?!\.(?:example|sample|template))|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.npmrc|\.pypirc|\.netrc"
    r"|\.git-credentials|\.kube\b|\.docker/config|\.gnupg|credentials\.json|/etc/passwd|/etc/shadow"
    r"|keychain|wallet\.dat|cookies\.sqlite|\.pgpass|private[_ ]key|\.bash_history|secrets?\.(?:ya?ml|json"
    r"|toml|env))"
)
_PRIVATE_VARIABLES = (
    r"\$(?:env:)?\{?\w{0,40}(?:token|secret|passw|api_?key|private_?key|credential)\w{0,20}\}?"
)
_PRIVATE_WORDS = (
    r"(?:environment variables?|env vars?|environment|secrets?|credentials?|(?:api|access|private|ssh|session"
    r"|auth) (?:keys?|tokens?)|passwords?|cookies|clipboard|source code|conversations?|chat history"
    r"|transcripts?"
    r"|customer (?:list|data|e ?mails?|records?)|user(?:s|'s)? (?:data|files|e ?mails?|history|messages)"
    r"|personal data|full prompt|system prompt|ssh key|config files?|database dump|home (?:directory|folder))"
)
_ADDRESS = (
    r"(?:https?://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1))|[\w.+-]{1,64}@[\w-]{1,60}\.\w"
    r"|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|webhook|pastebin|transfer\.sh|discord|telegram|ngrok"
    r"|(?:my|our|an external|a remote|the attacker'?s?) (?:server|host|endpoint|address|url))"
)
_NOT = (
    r"(?:never|do not|dont|must not|mustnt|should not|shouldnt|cannot|you may not|avoid|refrain from|stop"
    r"|without|no need to)"
)
_NOT_WORDS = (
    "never do dont don must mustnt mustn should shouldnt shouldn cannot may avoid refrain stop without no"
)
"""The words of `_NOT`, one of which each of its wordings has."""
_USER = (
    r"(?:users?|operators?|owners?|customers?|humans?|reviewers?|maintainers?|developers?|team|anyone|anybody"
    r"|people|boss|auditors?|admins?)"
)
_VERIFIED = (
    r"(?:(?:security|safety|certificate|cert|ssl|tls|signature|permission|access|authentication|authorization"
    r"|csrf|integrity|host key|pre commit|pre push|commit|git|type|virus|code|license) "
    r"(?:checks?|checking|verification|validations?|hooks?|scans?|scanning|scanners?|controls?|reviews?"
    r"|protections?|rules)"
    r"|branch protections?|(?:the|all|any) sandbox(?:ing)?|sandboxing|(?:the |all )?firewalls?|anti ?virus"
    r"|2fa|mfa|two factor authentication|(?:the |all )?authentication|audit (?:logs?|logging|trail)|selinux"
    r"|apparmor|(?:git |the |all |commit )+hooks"
    r"|(?:the |all )?permission prompts?|code owners?)"
)

_CIPHER = (
    r"(?:base ?(?:16|32|58|64|85)|rot ?13|morse|leet ?speak|pig latin|caesar|(?:simple )?substitution cipher"
    r"|vigenere|reverse(?:d order| order)?|backwards|binary|hexadecimal)"
)

_KINDS = (
    # --- downloads and runs
    # --- downloads and runs
    _Kind(
        _RUNS,
        ("curl wget fetch iwr irm invoke aria2c lwp http https httpi httpie",),
        rf"\b{_GETS}\b[^\n]{{0,240}}?(?:\|\s{{0,4}}(?:sudo\s+(?:-\w+\s+){{0,3}})?(?:{_SH}"
        rf"|(?:python[\d.]{{0,5}}|perl|ruby|node|php|deno)(?: -)?(?=\s{{0,4}}(?:$|[`'\"&;|)>,.]|<|and|to))"
        rf"|iex\b|invoke-expression|source\b|xargs (?:-\S+ ){{0,3}}{_SH})"
        rf"|(?:&&|;|\bthen\b|,? and)\s{{0,4}}(?:then )?(?:sudo |run |execute )?(?:{_SH}\s+\S|chmod (?:\+x"
        rf"|[0-7]{{3,4}})|\./\S|python[\d.]{{0,5}} \S+\.py|source )|\band (?:run|execute) (?:it|that"
        rf"|the (?:result|output|script|file|installer)|whatever|what))",
    ),
    _Kind(
        _RUNS,
        (
            ("curl wget fetch iwr irm invoke aria2c lwp http https httpi httpie iex downloadstring "
            "downloadfile requests urlopen urllib urlretrieve httpx")
        ,),
        rf"(?:{_SH}|eval|source|exec|python[\d.]{{0,5}}|\.)\s+(?:-\w+\s+){{0,3}}[\"'`]{{0,2}}(?:\$\(|<\("
        rf"|<\s*<\(|`)\s{{0,4}}(?:sudo )?{_GETS}\b"
        r"|(?:iex|invoke-expression)\b[\s(&]{0,6}.{0,80}(?:iwr|irm|invoke-web|invoke-rest|downloadstring"
        r"|net\.webclient)|downloadstring\(|downloadfile\(.{0,120}start-process"
        r"|(?:exec|eval|compile)\(.{0,60}(?:requests\.get|urlopen|urllib|fetch\(|httpx\.get)"
        r"|python[\d.]{0,5} -c .{0,120}(?:urlopen|urlretrieve|requests\.get)|import\([\"']https?://",
        marks=("$(", "<(", "`", "iex", "invoke-", "download", "exec(", "eval(", "compile(", "-c ", "import("),
    ),
    _Kind(
        _RUNS,
        ("download fetch get pull grab retrieve load", "run execute eval evaluate source launch start invoke"),
        (
            r"\b(?:download|fetch|get|pull|grab|retrieve|load)\b(?:(?!\bnever\b|\bnot\b)[^.]"
            r"|\.(?! )){0,140}?(?:https?://\S+|\bscript|\bbinary|\binstaller|\bpayload"
            r"|\bexecutable)(?:(?!\bnever\b|\bnot\b)[^.]|\.(?! )){0,60}?(?:\band|\bthen|,|&&)\s{0,3}(?:then "
            r"|immediately |silently )?(?:run|execute|eval|evaluate|source|launch|start|invoke)\b(?: (?:it"
            r"|that|them|the|this|its|whatever|what|as)\b|[ .]*$)"
        ),
        marks=("http", "script", "binary", "installer", "payload", "executable"),
    ),
    _Kind(
        _RUNS,
        (
            ("run execute source eval evaluate load apply npx bunx uvx pnpm deno pipx pip pip3 npm yarn "
            "bun gem go cargo uv dependencies dependency dependence dependencys dependent")
        ,),
        r"\b(?:run|execute|source|eval|evaluate|load|apply)\b (?:\w+ ){0,3}?(?:scripts?|code|commands?"
        r"|payload|binary|file|setup|steps|whatever|everything|instructions?)(?: \w+){0,3} (?:at|from|on"
        r"|behind|under|of)\s+[\"'`<]?https?://"
        r"|\b(?:npx|bunx|uvx|pnpm dlx|deno run|pipx run)\s+(?:-\S+\s+){0,4}https?://|\b(?:pip3?|npm|yarn|pnpm"
        r"|bun|gem|go|cargo|uv)\s+(?:pip )?(?:install|add"
        r"|i)\s+(?:-\S+\s+){0,4}(?:\S{1,60}@)?[\"'`]?https?://\S+\.(?:tgz|tar\.gz|whl|zip|gem)"
        r"|\b(?:pip3?|npm|yarn|pnpm|uv)\b.{0,80}--(?:extra-)?(?:index-url|registry)[ =]http://(?!localhost"
        r"|127\.)|https?://\S+\.(?:tgz|tar\.gz|zip|whl)\S{0,10}\s.{0,30}\bdependenc"
        r"|\bdependenc\w{1,4}\b.{0,40}https?://\S+\.(?:tgz|tar\.gz|zip|whl)",
        marks=("http",),
    ),
    # --- opens a shell
    _Kind(
        _SHELL,
        (
            ("tcp udp nc ncat netcat telnet mkfifo socat bash pty socket ssh shell authorized meterpreter "
            "msfvenom sockets nopasswd all sudoers")
        ,),
        rf"/dev/(?:tcp|udp)/\S|\b(?:nc|ncat|netcat)\b[^\n|;]{{0,80}}? -\w{{0,6}}[ec]\w{{0,3}}\s+\S{{0,20}}"
        rf"(?:sh|cmd|powershell)\b|\b(?:nc|ncat|netcat|telnet)\b[^\n]{{0,80}}\|\s{{0,4}}{_SH}"
        rf"|{_SH}[^\n|]{{0,20}}\|\s{{0,4}}(?:nc|ncat|netcat)\b|mkfifo\b[^\n]{{0,100}}\bnc\b"
        r"|socat\b[^\n]{0,160}exec|\bbash -i\b[^\n]{0,20}(?:>|&)|pty\.spawn\("
        r"|socket\.socket\b[^\n]{0,300}(?:dup2|subprocess|pty|/bin/|send(?:all)?\()"
        r"|\bssh\s+(?:-\w+\s+){0,4}-\w{0,5}r\w{0,3} \d{0,5}:|spawn\([\"']ssh -"
        r"|\b(?:open|start|spawn|create|launch|set up|establish|run|connect)\w{0,3}\b.{0,40}\b(?:reverse"
        r"|bind)[ -]shell|(?:>>|\b(?:tee|add|append|put|write|insert|copy)\b).{0,80}authorized_keys"
        r"|meterpreter|msfvenom|net\.sockets\.tcpclient|(?:nopasswd|all=\(all).{0,60}sudoers"
        r"|sudoers.{0,60}nopasswd",
        marks=("/dev/tcp", "/dev/udp", "nc ", "nc|", "| nc", "|nc", "ncat", "netcat", "socat", "bash -i", "pty.spawn", "socket", "ssh -", "authorized_keys", "meterpreter", "msfvenom", "tcpclient", "mkfifo", "telnet", "sudoers", "reverse shell", "reverse-shell", "bind shell", "bind-shell"),
    ),
    # --- sends data away
    _Kind(
        _SENDS,
        ("curl wget http https invoke",),
        (
            rf"\b(?:curl|wget|https?|invoke-\w+)\b[^\n]{{0,240}}?(?:\s-(?:d|f|t)\b|--(?:data(?:-\w+)?|form"
            rf"|upload-file|post-(?:data|file)|body-(?:data|file))|\?\w{{1,20}}="
            rf"|\s-body\b)\s{{0,2}}[=\"'@${{(`<]{{0,4}}[^\s\"'`]{{0,60}}?(?:{_PRIVATE_FILES}"
            rf"|{_PRIVATE_VARIABLES}|\$\((?:env|printenv|cat|base64|whoami|hostname|git|history|set)\b"
            rf"|`(?:env|printenv|cat|base64|whoami)\b)"
        ),
        marks=(" -d", " -f", " -t", "--data", "--form", "--upload-file", "--post-", "--body-", "?", " -body"),
    ),
    _Kind(
        _SENDS,
        ("env printenv export history cat base64 tar zip gzip less head xxd", "curl wget nc ncat netcat socat telnet mail sendmail openssl"),
        (
            rf"\b(?:env|printenv|export -p|history|(?:cat|base64|tar|zip|gzip|less|head"
            rf"|xxd)\b[^|\n]{{0,80}}{_PRIVATE_FILES}[^|\n]{{0,40}})\s{{0,3}}\|[^\n]{{0,100}}?\b(?:curl|wget"
            rf"|nc|ncat|netcat|socat|telnet|mail|sendmail|openssl s_client)\b"
        ),
        marks=("|",),
    ),
    _Kind(
        _SENDS,
        ("requests axios httpx sendbeacon sock socket s urlopen fetch",),
        (
            r"(?:requests\.(?:post|put)|axios\.post|httpx\.post|sendbeacon|sock(?:et)?\.send(?:all)?"
            r"|s\.send(?:all)?|urlopen|fetch)\([^\n]{0,300}(?:open\(|\.read\(\)|dict\(os\.environ"
            r"|os\.environ\b(?![\[.])|process\.env\b(?!\.)|clipboard|getpass|document\.cookie|localstorage"
            r"|private_key|/etc/passwd|packages)"
        ),
        marks=(".post(", ".put(", "sendbeacon(", ".send(", ".sendall(", "urlopen(", "fetch("),
    ),
    _Kind(
        _SENDS,
        ("open pbpaste pyperclip working os document getpass", "post put sendbeacon send sendall urlopen"),
        (
            r"(?:with open\(|open\(|pbpaste|pyperclip|working_set|os\.environ\b(?![\[.])|document\.cookie"
            r"|getpass)[^\n]{0,300}(?:requests\.(?:post|put)|httpx\.post|axios\.post|sendbeacon"
            r"|\.send(?:all)?\(|urlopen\()"
        ),
    ),
    _Kind(
        _SENDS,
        ("dig nslookup ping scp rsync s3 gsutil rclone",),
        (
            rf"\b(?:dig|nslookup|ping)\s[^\n]{{0,40}}(?:\$\(|`(?:cat|base64|env|xxd|whoami))|\b(?:scp|rsync"
            rf"|aws s3 (?:cp|sync)|gsutil cp|rclone (?:copy|sync))\b[^\n]{{0,80}}{_PRIVATE_FILES}"
        ),
    ),
    _Kind(
        _SENDS,
        ("encode put hide smuggle add send leak", "dns"),
        (
            r"\b(?:encode|put|hide|smuggle|add|send|leak)\b.{0,60}\b(?:secrets?|data|keys?|tokens?"
            r"|passwords?)\b.{0,60}\bdns (?:quer|request|lookup)"
        ),
    ),
    _Kind(
        _SENDS,
        (
            ("send post posts upload forward email mail transmit submit exfiltrate leak publish deliver "
            "ship copy sync share report bcc cc sendemail sendmail http")
        ,),
        rf"\b(?:send|posts?|upload|forward|e-?mail|transmit|submit|exfiltrate|leak|publish|deliver|ship|copy"
        rf"|sync|share|report)\b(?:(?!\bheaders?\b|\bbearer\b|\blog ?in\b|\bsign\b)[^.]"
        rf"|\.(?! )){{0,100}}?(?:{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\b{_PRIVATE_WORDS}\b)(?!-| (?:file"
        rf"|in your|in the (?:header|authorization))\b)(?:(?!\bheaders?\b|\bbearer\b)[^.]"
        rf"|\.(?! )){{0,80}}?\b(?:to|at|via|on|into|with|and)\b\s{{0,2}}(?:(?:the|a|an|it|them|our|all|send"
        rf"|post)\s){{0,3}}[\"'`<]{{0,2}}{_ADDRESS}"
        rf"|\b(?:send|posts?|upload|forward|e-?mail"
        rf"|submit)\b.{{0,30}}?\bto\b\s{{0,2}}[\"'`<]{{0,2}}{_ADDRESS}\S{{0,100}}.{{0,40}}?\b(?:with"
        rf"|containing|including|the contents? of|together with)\b.{{0,60}}?(?:{_PRIVATE_FILES}"
        rf"|{_PRIVATE_VARIABLES}|\b{_PRIVATE_WORDS}\b)"
        rf"|\b(?:send|posts?|upload|forward|e-?mail|copy|bcc|cc)\b.{{0,60}}?\b(?:every|each"
        rf"|all)\b.{{0,60}}?\bto\b\s{{0,2}}[\"'`<]{{0,2}}(?:https?://(?!localhost|127\.)\S|[\w.+-]{{1,64}}@)"
        rf"|\bsend_?e?mail\b.{{0,60}}@.{{0,80}}\b(?:key|token|secret|password|canary)|\bhttp_(?:post"
        rf"|get)\b.{{0,20}}\burl ?=",
        marks=("http", "@", "webhook", "pastebin", "transfer.sh", "discord", "telegram", "ngrok", " server", " host", " endpoint", " address", " url", ".0", ".1", ".2", ".3", ".4", ".5", ".6", ".7", ".8", ".9"),
    ),
    _Kind(
        _SENDS,
        ("exfiltrate",),
        r"\bexfiltrate\b",
    ),
    _Kind(
        _SENDS,
        (
            ("append include add put paste write embed insert attach commit post posts place encode "
            "expose quote echo print show reveal copy mention")
        ,
            (
                "commit commits pull pr prs issue issues comment comments description descriptions release "
                "readme url urls query branch tag gist message messages public repo repository chat reply "
                "response answer answers changelog wiki slack output"
            )),
        (
            rf"\b(?:append|include|add|put|paste|write|embed|insert|attach|commit|posts?|place|encode|expose"
            rf"|quote|echo|print|show|reveal|copy|mention)\b(?:[^.]|\.(?! )){{0,60}}?(?:(?:contents? of"
            rf"|value of|values of|output of|dump of|text of)\s(?:the |your |all |every "
            rf"|any )?[\"'`]?(?:\S{{0,40}}{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\benv\b|\bprintenv\b"
            rf"|{_PRIVATE_WORDS})|[\"'`]{_PRIVATE_VARIABLES}|(?:all|any|every|each|your|my"
            rf"|our)(?: of)?(?: the)? (?:secrets?|credentials|api keys?|tokens|passwords"
            rf"|environment variables))(?:[^.]|\.(?! )){{0,60}}?\b(?:to|in|into|as|with|on|at)\b(?:[^.]"
            rf"|\.(?! )){{0,40}}?\b(?:commits?|pull requests?|prs?|issues?|comments?|descriptions?|release"
            rf"|readme|urls?|query|branch|tag|gist|messages?|public|repo(?:sitory)?|chat|reply|response"
            rf"|answers?|changelog|wiki|slack|output)\b"
        ),
        marks=("$", ".env", ".npmrc", ".ssh", "id_rsa", ".aws", ".netrc", ".pypirc", "secret", "credential", "private", "environment", "password", "token", "api key", "env", "id_ed25519", ".git-cred", ".kube", ".docker", ".gnupg", "/etc/", "keychain", "wallet", "cookies", ".pgpass", "history", " key", "clipboard", "source code", "conversation", "transcript", "customer", "user", "personal", "prompt", "config file", "dump", "home "),
    ),
    # --- decodes and follows
    _Kind(
        _DECODES,
        ("base64 xxd eval function exec system spawn spawnsync powershell frombase64string",),
        rf"base64 (?:-d|--decode)\b[^\n]{{0,80}}?\|\s{{0,4}}(?:sudo )?(?:{_SH}|python|perl|node)"
        rf"|xxd -r[^\n]{{0,40}}\|\s{{0,4}}(?:sudo )?{_SH}|(?:eval|function|exec|system"
        rf"|spawn\w{{0,4}})\(\s{{0,4}}[\"'`]{{0,1}}(?:atob|buffer\.from|base64|b64decode|unescape"
        rf"|decodeuri\w{{0,10}}|codecs\.|zlib|bytes\.fromhex|marshal|__import__|gzinflate|str_rot13"
        rf"|string\.fromcharcode|compile\()"
        rf"|{_SH} <<<\s{{0,3}}[\"'`]?\$\(.{{0,60}}base64|eval\s+[\"'`]?\$\(.{{0,80}}base64 (?:-d|--decode)"
        rf"|powershell\S{{0,5}}\s[^\n]{{0,80}}-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{{8}}"
        rf"|frombase64string\(.{{0,200}}(?:iex|invoke|start-process)|(?:iex"
        rf"|invoke-expression).{{0,100}}frombase64string",
        marks=("base64", "atob(", "b64", "fromhex", "-e", "xxd -r", "eval(", "exec(", "unescape(", "marshal", "function(", "system(", "spawn"),
    ),
    _Kind(
        _DECODES,
        (
            ("decode decrypt decipher deobfuscate unscramble reverse unreverse backwards decoded rot "
            "rot13 base base16 base32 base45 base58 base62 base64 base85 base91")
        , "follow obey execute comply run perform do act carry apply answer respond treat tell say"),
        (
            r"\b(?:decode|decrypt|decipher|deobfuscate|unscramble|reverse|unreverse|read backwards|decoded"
            r"|base ?\d+ decode|rot ?13(?: decode)?|morse decode)\b[^.]{0,100}?(?:\band(?: then)?|\bthen"
            r"|,)\s(?:\w+ ){0,2}?(?:(?:follow|obey|execute|comply)\b|(?:run|perform|do|act on|carry out|apply"
            r"|answer|respond to|treat) (?:it|them|that|what|whatever|the|as|exactly|all|its)\b|do ?:"
            r"|tell (?:me|us) what|say what)"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("follow obey execute carry perform act do comply", "encoded hidden encrypted concealed obfuscated written reversed spelled"),
        (
            r"\b(?:follow|obey|execute|carry out|perform|act on|do what|comply with)\b[^.]{0,60}?\b(?:encoded"
            r"|hidden|encrypted|concealed|obfuscated|written backwards|reversed|spelled)(?: (?:as|in|with|by"
            r"|inside|within|using|out|behind|below|above))?\b[^.]{0,60}?\b(?:base ?\d+|rot ?13|hex\w*|morse"
            r"|letters?|binary|cipher|white ?space|images?|acrostic|comments?|strings?|text|blob|payload"
            r"|unicode|emoji\w*|below|above|here)"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("follow obey execute do run act",
            (
                "decoded decrypted rot rot13 hex reversed encoded hidden base base16 base32 base45 base58 "
                "base62 base64 base85 base91"
            )),
        (
            r"\b(?:follow|obey|execute|do|run|act on)\b (?:the |what |these |this |all |any )*(?:decoded"
            r"|decrypted|base ?\d+|rot ?13|hex|reversed|encoded|hidden) (?:\w+ )?(?:instructions?|commands?"
            r"|text|message|string|payload|orders?|script|says)"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        (
            ("decode decoding cipher caesar substitution rot rot13 leet leetspeak pig interlace base "
            "base16 base32 base45 base58 base62 base64 base85 base91")
        , "this these following follow obey answer respond"),
        (
            r"\bdecod(?:e|ing) (?:this|the following|these)(?: \w+){0,4} (?:string|code|text|message|cipher"
            r"|sequence)?\b[^.]{0,40}(?:[a-z0-9+/=]{20}|(?:[01]{8} ?){3}|(?:[0-9a-f]{2} ){6}"
            r"|[.-]{2,6} [.-]{1,6} [.-])|\b(?:cipher|caesar|substitution|rot ?13|base ?\d+|leet ?speak"
            r"|pig latin|interlace)\b[^.]{0,60}?\b(?:and|then) (?:follow|obey|answer|respond)"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("combine concatenate join interlace", "answer execute follow obey use run do respond"),
        (
            r"\b(?:combine|concatenate|join|interlace)\b.{0,60}\b(?:parts?|strings|pieces|a, b"
            r"|[abc] and [abc]|words)\b.{0,60}\b(?:and|then|now) (?:answer|execute|follow|obey|use that|run"
            r"|do|respond)"
        ),
        words=True,
    ),
    # --- disables checks
    _Kind(
        _CHECKS,
        (
            ("verify gpg certificate hooks dangerously yolo skip dskiptests dmaven insecure "
            "rejectunauthorized tls sslverify no stricthostkeychecking chmod setenforce ufw husky "
            "nopasswd trusted executionpolicy security hookspath skiptests ssl git")
        ,),
        r"--no-(?:verify|gpg-sign|check-certificate|hooks)\b|--dangerously-[\w-]+|--yolo\b|--skip-(?:tests?"
        r"|checks?|hooks?|validations?|permissions?|verif\w+)|-dskiptests|-dmaven\.test\.skip|--insecure\b"
        r"|\bverify ?= ?false|rejectunauthorized[\"']? ?[:=] ?false|node_tls_reject_unauthorized"
        r"|sslverify[ =\"']{1,3}(?:false|0)|git_ssl_no_verify|stricthostkeychecking[ =]no"
        r"|\bchmod (?:-\w+ )?0?777|setenforce 0|ufw disable|husky=0|nopasswd: ?all|--trusted-host"
        r"|executionpolicy (?:bypass|unrestricted)|--disable-web-security|core\.hookspath[ =]/dev/null"
        r"|\bskip(?:_hooks|_tests|_checks)? ?= ?(?:1|true|all|yes)\b",
        marks=("--no-", "--dangerously-", "--yolo", "--skip-", "-dskiptests", "-dmaven", "--insecure", "verify=", "verify =", "rejectunauthorized", "node_tls_", "sslverify", "git_ssl_", "stricthostkey", "chmod", "setenforce", "ufw disable", "husky=0", "nopasswd", "--trusted-host", "executionpolicy", "web-security", "core.hookspath", "skip=", "skip =", "skip_"),
        advised=True,
    ),
    _Kind(
        _CHECKS,
        ("curl",),
        r"\bcurl\s[^\n|;]{0,40}?\s?-\w{0,4}k\w{0,3}\s",
        marks=(" -",),
        advised=True,
    ),
    _Kind(
        _CHECKS,
        ("disable disabling turn turning switch bypass skip deactivate circumvent ignore weaken suppress",
            (
                "check checks checking verification validation validations hook hooks scan scans scanning "
                "scanner scanners control controls review reviews protection protections rules sandbox "
                "sandboxing firewall firewalls virus antivirus 2fa mfa authentication log logs logging trail "
                "selinux apparmor prompt prompts owner owners"
            )),
        (
            rf"\b(?:disable|disabling|turn off|turning off|switch off|bypass|skip|deactivate|circumvent"
            rf"|ignore|weaken|suppress)\b(?: (?:all|any|the|every|each|our|your|those|these|local"
            rf"|remote))* {_VERIFIED}\b(?! (?:failures?|errors?|in (?:the )?tests?\b|by|is|are))"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("delete remove comment disable skip stub xfail mark weaken loosen rewrite drop ignore", "failing failed broken red flaky inconvenient fail fails pass break block", "test tests assertion assertions spec specs check checks suite suites"),
        (
            r"\b(?:delete|remove|comment out|disable|skip|stub out|xfail|mark(?: as skipped)?|weaken|loosen"
            r"|rewrite|drop|ignore)\b(?: (?:all|any|the|every|each|those|these|out|or|skip|disable|delete"
            r"|remove))* (?:(?:failing|failed|broken|red|flaky|inconvenient) (?:tests?|assertions?|specs?"
            r"|checks?|test cases?|suites?)|(?:tests?|assertions?|specs?|checks?|test cases?) (?:that"
            r"|which) (?:fails?|do not pass|dont pass|are red|break|block))\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("skip bypass merge push commit release deploy ship", "review reviews approval approvals ci required status"),
        (
            r"\b(?:skip|bypass|merge without|push without|commit without|release without|deploy without"
            r"|ship without)\b(?: (?:running|waiting for|getting|asking for|any|all|the|a"
            r"|doing))* (?:code )?(?:reviews?|approvals?|the ci|ci checks?|ci|required checks"
            r"|status checks)\b(?! (?:comments?|of|is|are|on draft))"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("approve accept merge allow grant confirm authorize say answer", "every any all", "pull pr prs merge permission permissions access tool confirmation confirmations"),
        (
            r"\b(?:approve|accept|merge|allow|grant|confirm|authorize|say yes to|answer yes to)\b(?: (?:and"
            r"|or|merge|automatically|blindly))*(?: (?:every|any|all))(?: (?:of|the|its|incoming|open"
            r"|requested|permission|tool))* (?:pull requests?|prs|merge requests?|permissions?|access"
            r"|permission (?:prompts?|requests?)|tool calls?|confirmations?)\b(?! (?:is|are|in|to"
            r"|that)\b)(?=[^.]{0,60}(?:without|automatically|blindly|always|no matter|regardless|from)| ?(?:$"
            r"|[.]))"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("never do dont don no", "ask wait request seek require prompt", "confirmation permission approval consent confirm approve"),
        (
            r"\b(?:never|do not|dont|no need to) (?:ask|wait|request|seek|require|prompt)\b(?: (?:the|for|a"
            r"|an|any|user|users|owner|human|operator|anyone|customer|their|her|his|to))* (?:confirmation"
            r"|permission|approval|consent|confirm|approve)\b.{0,40}\b(?:delet\w+|remov\w+|push\w*|forc\w+"
            r"|deploy\w*|publish\w*|pay\w*|transfer\w*|install\w*|overwrit\w+|drop\w*|merg\w+|send\w*"
            r"|purchas\w+|refund\w*|destructive|dangerous|risky|irreversible|running commands|charg\w+|rm)\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("delete remove overwrite force drop publish deploy transfer wipe reset pay purchase refund", "without"),
        (
            r"\b(?:delete|remove|overwrite|force push|drop|publish|deploy|transfer|wipe|reset|pay|purchase"
            r"|refund)\b(?:[^.,;]){0,60}? without (?:asking|confirm\w+|permission|approval|telling|prompting"
            r"|a prompt|warning|consent|review)\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("permission granted", "skip", "checks confirmations"),
        r"\b(?:permission|granted)\b.{0,30}\bto skip (?:all )?(?:safety|security)? ?(?:checks|confirmations)",
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("run execute do", "everything commands command tools", "root sudo without"),
        (
            r"\b(?:run|execute|do) (?:everything|all commands|every command|all tools|any command) (?:as root"
            r"|with sudo|without (?:asking|confirmation|a sandbox|limits))"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("always just simply then", "force", "push"),
        (
            r"\b(?:always|just|simply|then) force push(?: (?:directly|straight))? to (?:main|master"
            r"|production)\b"
        ),
        words=True,
    ),
    # --- hides from the user
    _Kind(
        _HIDES,
        (_NOT_WORDS,
            (
                "tell telling inform informing notify notifying alert alerting warn warning show showing let "
                "letting"
            ),
            (
                "user users operator operators owner owners customer customers human humans reviewer "
                "reviewers maintainer maintainers developer developers team anyone anybody people boss "
                "auditor auditors admin admins"
            )),
        (
            rf"\b{_NOT}(?: (?:ever|even|need to))? (?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?"
            rf"|alert(?:ing)?|warn(?:ing)?|show(?:ing)?|let(?:ting)?)\b(?: (?:the|your|any|a|to|our|an"
            rf"|other))* {_USER}(?: (?:about|of|know|see|that|notice|find out|learn))*(?= ?(?:$|[.,;:!?])"
            rf"| (?:about |of )?(?:this|it|these|what you|how you|why you|that you|you (?:did|have|are|ran"
            rf"|changed|used)|anything|the (?:change|changes|failure|failures|error|errors|cost|deletion|real"
            rf"|true|rule|lesson|instruction|note)|failing|failed|errors?|failures?|bugs?|mistakes?|any of"
            rf"|when you|changes)\b)(?! that (?:you|it) will)"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        (_NOT_WORDS,
            (
                "mention mentioning reveal revealing disclose disclosing report reporting log logging record "
                "recording talk talking speak speaking acknowledge acknowledging document documenting"
            ), "this these what anything everything your it"),
        (
            rf"\b{_NOT}(?: (?:ever|even))? (?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?"
            rf"|log(?:ging)?|record(?:ing)?|talk(?:ing)? about|speak(?:ing)? of|acknowledg(?:e|ing)"
            rf"|document(?:ing)?)\b(?: (?:the|that|about|of|to|any))* (?:(?:this|these) (?:rules?|lessons?"
            rf"|notes?|instructions?|steps?|lines?|messages?|changes?|behaviou?rs?|conversation|bullets?"
            rf"|session|commands?|actions?|files?|requests?)(?= ?(?:$|[.,;:!?])| (?:to|in|anywhere|when"
            rf"|even))|(?:what|anything|everything) you (?:do|did|are doing|change|changed|run|ran)"
            rf"|your (?:actions|changes|commands|work|steps)(?= ?(?:$|[.,;:!?])| (?:to|in|here))"
            rf"|it to (?:the )?{_USER})"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        (_NOT_WORDS,
            (
                "report reporting flag flaging flagging mention mentioning raise raising raiseing comment "
                "point note noteing"
            ),
            (
                "sql injection injections xss vulnerability vulnerabilities security back backdoor backdoors "
                "failing failures hard hardcoded"
            )),
        (
            rf"\b{_NOT} (?:report|flag|mention|raise|comment on|point out|note)(?:ing)?(?: (?:any|the"
            rf"|a))* (?:sql injections?|xss|vulnerabilit\w+|security (?:issues?|holes?|bugs?|problems?"
            rf"|findings?|flaws?)|injections?|back ?doors?|failing tests?|failures|hard ?coded (?:secrets?"
            rf"|passwords?|keys?))\b(?! (?:in public|publicly|on github|in (?:a )?public|via|through"
            rf"|as (?:a )?public|twice|in issues|in (?:the )?(?:issue|github)))"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("hide conceal keep withhold mask suppress bury", "from",
            (
                "user users report reports reviewer reviewers review reviews owner owners operator operators "
                "human humans maintainer maintainers summary auditor auditors diff diffs customer customers "
                "team log logs"
            )),
        (
            r"\b(?:hide|conceal|keep|withhold|mask|suppress|bury)\b(?: (?:all|any|the|every|each|this|these"
            r"|those|it|your|failing|failed|that|what|test|skipped|deleted|changed))*(?: \w+){0,4} (?:secret "
            r"|hidden |out |away )?from (?:the |your |any |all |our )*(?:users?|reports?|reviewers?|reviews?"
            r"|owners?|operators?|humans?|maintainers?|summary|auditors?|diffs?|customers?|team|log"
            r"|logs)\b(?! (?:because|since|inputs?|interface|tables?|lists?|views?|docs|documentation|guides?"
            r"|output|format|pages?|menus?))"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("keep treat", "this these that", "secret hidden confidential between yourself private"),
        (
            r"\b(?:keep|treat) (?:this|these|that)(?: (?:rule|lesson|note|instruction|step|change|line"
            r"|message)s?)?(?: as)? (?:secret|hidden|confidential|between us|to yourself|private)\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("silently secretly covertly quietly stealthily unnoticed without",
            (
                "push commit add install send delete upload run execute append insert forward include copy "
                "change modify disable exfiltrate post remove replace merge skip telling informing notifying "
                "alerting knowledge showing warning being anyone leaving mentioning"
            )),
        (
            rf"\b(?:silently|secretly|covertly|quietly|stealthily|unnoticed)(?:,? )(?:push|commit|add|install"
            rf"|send|delete|upload|run|execute|append|insert|forward|include|copy|change|modify|disable"
            rf"|exfiltrate|post|remove|replace|merge|skip)\b|\bwithout (?:telling|informing|notifying"
            rf"|alerting|the knowledge of|showing|warning) (?:the |your |any |a )?{_USER}\b"
            rf"|\bwithout (?:being noticed|anyone noticing|leaving (?:a )?traces?|mentioning (?:it|this"
            rf"|that))\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("claim pretend say report state assert tell write announce lie", "test tests check checks build builds everything work task ci suite code fix verification", "even although though regardless no whether when without"),
        (
            r"\b(?:claim|pretend|say|report|state|assert|tell (?:the )?(?:user|reviewer)s?|write|announce"
            r"|lie)\b(?: (?:that|it|the|all|your|to|about))* (?:tests?|checks?|builds?|everything|work|task"
            r"|ci|suite|code|fix|verification)\b(?: \w+){0,3} (?:pass(?:es|ed)?|green|succe\w+|works?|worked"
            r"|done|complete\w*|finished|fine|verified|ran)\b(?: \w+){0,2},? (?:even (?:if|when|though)"
            r"|although|though|regardless|no matter|whether or not|when (?:they|it) (?:do not|does not|dont"
            r"|doesnt|did not|fail)|without)"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("fake fabricate forge falsify invent make doctor",
            (
                "test tests result results output outputs log logs report reports metrics coverage numbers "
                "statistic statistics evidence citations sources benchmark benchmarks approval approvals "
                "timestamps measurements"
            )),
        (
            r"\b(?:fake|fabricate|forge|falsify|invent|make up|doctor)\b(?: (?:the|any|all|a|some|missing"
            r"|your))* (?:tests? (?:results?|output|reports?)|results?|outputs?|logs?|reports?|metrics"
            r"|coverage|numbers|statistics?|evidence|citations|sources|benchmarks?|approvals?|timestamps"
            r"|measurements)\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("lie", "to about"),
        r"\blie (?:to|about)\b(?: \w+){0,3}",
        words=True,
    ),
    _Kind(
        _HIDES,
        (
            ("delete clear erase wipe truncate tamper remove rewrite edit overwrite scrub cover history "
            "unset histfile histsize")
        , "log logs history trail trace traces record records tracks histfile histsize"),
        (
            r"\b(?:delete|clear|erase|wipe|truncate|tamper with|remove|rewrite|edit|overwrite"
            r"|scrub)\b(?: (?:all|any|the|your|every|its))* (?:audit|access|shell|command|session|bash|event"
            r"|security|activity)(?: (?:and|or|audit|access))* (?:logs?|history|trail|traces?|records?)\b"
            r"|\bcover (?:up )?(?:your|the|its|our) tracks\b|\bhistory -?c\b|\b(?:unset histfile"
            r"|histfile ?= ?/dev/null|histsize=0)"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        (
            ("encode encrypt obfuscate invert reverse scramble reversed rot rot13 morse leet leetspeak "
            "pig caesar substitution vigenere backwards binary hexadecimal base base16 base32 base45 "
            "base58 base62 base64 base85 base91")
        , "response responses answer answers reply replys message messages output outputs respond"),
        rf"\b(?:encode|encrypt|obfuscate|invert|reverse|scramble)\b(?: \w+){{0,6}} your (?:response|answer"
        rf"|reply|message|output)s?\b|\byour (?:response|answer|reply|message"
        rf"|output)s?\b(?: \w+){{0,3}} (?:in|using|with|by|as|to|through|via) (?:an? |the )?{_CIPHER}\b"
        rf"|\b(?:reply|respond|answer)\b(?: only)? (?:in|using|with|by|as) (?:an? |the )?{_CIPHER}\b"
        rf"|\b{_CIPHER}\b(?: \w+){{0,4}} your (?:response|answer|reply|message|output)s?\b",
        words=True,
    ),
    # --- plants
    _Kind(
        _PLANTS,
        (
            ("add insert create leave plant include embed introduce hide install build keep inject hard "
            "hardcode deploy put slip")
        ,
            (
                "back backdoor backdoors hidden master logic key keylogger keyloggers malware rootkit web "
                "webshell webshells trojan spyware miner miners cryptominer cryptominers crypto ransomware "
                "admin"
            )),
        (
            r"\b(?:add|insert|create|leave|plant|include|embed|introduce|hide|install|build|keep|inject"
            r"|hard ?code|deploy|put|slip)\b(?:[^.]){0,80}?\b(?:back ?doors?|hidden (?:account|admin|user"
            r"|endpoint|route|field|instruction|command|code)|master password|logic bomb|key ?loggers?"
            r"|malware|rootkit|web ?shells?|trojan|spyware|(?:crypto ?)?miners?|ransomware|admin/admin)\b"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("add insert introduce leave plant create write generate produce prefer",
            (
                "vulnerable vulnerability vulnerabilities vulnerably sql weakness weaknesses insecure "
                "security exploit exploits"
            )),
        (
            r"\b(?:add|insert|introduce|leave|plant|create|write|generate|produce|prefer)\b(?: (?:a|an|some"
            r"|subtle|small|hidden|deliberate|exploitable|the|code with|insecure|into|each"
            r"|every))* (?:vulnerab\w+|sql injections?|weakness(?:es)?|insecure code|security holes?"
            r"|exploits?)\b(?! (?:tests?|checks?|scan\w*|reports?|section|entry|to the|disclosure|alerts?"
            r"|database|ids?|detection|prevention))"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        (
            ("snippet snippets codesnippet codeblock codeblocks block blocks excerpt excerpts section "
            "sections segment segments fragment fragments line lines")
        ,
            (
                "response answer implementation solution algorithm reply code development following below "
                "subsequent next"
            )),
        (
            r"\b(?:code|algorithm|function)? ?(?:snippet|block|excerpt|section|segment|fragment"
            r"|lines?)\b[^.:]{0,60}\b(?:your|the) (?:response|answer|implementation|solution|algorithm|reply"
            r"|code)\b[^.:]{0,60}:|\b(?:your|the) (?:response|answer|implementation|solution|algorithm|code"
            r"|reply|development)\b[^.:]{0,80}\b(?:following|below|subsequent|next) code (?:snippet|block"
            r"|excerpt|section|segment|fragment)\b[^.:]{0,60}:|\b(?:add|include|insert|embed|incorporate"
            r"|blend|employ|integrate|place|use|utili[sz]e|validate|make|ensure"
            r"|consider)\b[^.:]{0,40}\b(?:following|below|subsequent|next) code (?:snippet|block|excerpt"
            r"|section|segment|fragment)\b[^.:]{0,60}:"
        ),
        marks=(":",),
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("end begin start finish conclude append add include insert put sign", "every each all any",
            (
                "response responses reply replies report reports answer answers message messages output "
                "outputs email emails mail mails document documents"
            ),
            (
                "code token canary phrase reference marker http https slogan brand promo promos promotion "
                "promotions promotional promote promotes advert adverts advertise advertisement "
                "advertisements advertising"
            )),
        (
            r"\b(?:end|begin|start|finish|conclude|append|add|include|insert|put"
            r"|sign)\b(?:[^.]){0,60}?\b(?:every|each|all|any)(?: \w+)? (?:responses?|repl(?:y|ies)|reports?"
            r"|answers?|messages?|outputs?|e?mails?|documents?)\b(?:[^.]){0,40}?\b(?:with|code|token|canary"
            r"|string|phrase|reference|marker|link|word|slogan)\b(?:[^.]){0,20}?\b(?:code|token|canary|phrase"
            r"|reference|marker|https?|slogan|brand|promo\w*|advert\w*)"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("code token canary phrase marker slogan", "must should has needs will", "included added appended inserted mentioned put placed", "every each all any"),
        (
            r"\b(?:code|token|canary|phrase|reference code|marker|slogan)\b[^.]{0,60}\b(?:must|should|has to"
            r"|needs to|will) be (?:included|added|appended|inserted|mentioned|put"
            r"|placed)\b[^.]{0,60}\b(?:every|each|all|any)\b"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        (
            ("add insert include mention promote advertise slip weave work modify enhance alter embed "
            "adjust augment")
        , "your", "response responses answer answers reply replys output outputs message messages"),
        (
            r"\b(?:add|insert|include|mention|promote|advertise|slip|weave|work|modify|enhance|alter|embed"
            r"|adjust|augment)\b(?:[^.]){0,60}?\byour (?:response|answer|reply|output"
            r"|message)s?\b(?:[^.]){0,30}?\b(?:fabricated|fake|false|made up|misleading|brand|sponsored"
            r"|affiliate|promot\w+|advertis\w+|hint(?:ing)? (?:at|to)|alluding|subtl\w+|too good to be true"
            r"|slogan|investment)"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("add insert include mention slip weave embed", "your", "fabricated fake false made misleading sponsored affiliate promotional biased"),
        (
            r"\b(?:add|insert|include|mention|slip|weave|embed)\b(?: (?:a|an|some|the))* (?:fabricated|fake"
            r"|false|made up|misleading|sponsored|affiliate|promotional|biased)\b[^.]{0,60}\byour (?:response"
            r"|answer|reply|output|message)"
        ),
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("always only", "recommend promote advertise praise", "brand product shop company instead over"),
        (
            r"\b(?:always|only) (?:recommend|promote|advertise|praise)\b [^.]{0,60}\b(?:brand|product|shop"
            r"|company|instead of (?:its )?competitors|over (?:its )?competitors)"
        ),
        words=True,
    ),
    # --- carries data
    _Kind(
        _CARRIES,
        (),
        r"!\[[^\]\n]{0,200}\]\(\s{0,3}<?(?:https?:)?//[^)\s]{0,300}?(?:[?&/#=]\S{0,60}?(?:[{$<\[]|%7b|secret"
        r"|token|password|conversation|history|\benv\b|api_?key|summary|chat|data\b)"
        r"|[?&]\w{1,20}=[^)\s]{0,40}\))|\[[^\]\n]{0,200}\]\(\s{0,3}<?"
        r"(?:https?:)?//[^)\s]{0,200}?[?&#]\w{1,20}=[^)\s]{0,60}?(?:[{$<\[]|%7b|secret|token|passw"
        r"|conversation|history|api_?key)"
        r"|(?:href|src|action)\s?=\s?[\"']?\s?(?:javascript|vbscript|data:text/html)|\]\(\s{0,3}(?:javascript"
        r"|vbscript|data:text/html)[:,;]|<(?:iframe|object|embed|form)\b[^>\n]{0,200}(?:src|data|action)\s?="
        r"|<[a-z]{1,10}\b[^>\n]{0,200}\son(?:error|load|click|mouse\w{1,6}|focus|toggle)\s?="
        r"|<script\b[^>\n]{0,200}>[^<\s`'\"…][^<\n]{0,200}(?:</script|fetch|cookie|location|\()"
        r"|<script\b[^>\n]{0,100}src\s?=\s?[\"']?(?:https?:)?//(?!cdn|unpkg|cdnjs)"
        r"|<img\b[^>\n]{0,200}src\s?=\s?[\"']?(?:https?:)?//[^>\n]{0,200}[?&]\w{1,20}="
        r"|<meta\b[^>\n]{0,60}http-equiv\s?=\s?[\"']?refresh"
        r"|<link\b[^>\n]{0,60}href\s?=\s?[\"']?(?:https?:)?//[^>\n]{0,200}[?&]\w{1,20}=",
        marks=("](", "<", "javascript", "vbscript", "data:text/html"),
    ),
    _Kind(
        _CARRIES,
        (
            ("render show add embed include insert display load end put place append create open visit "
            "request fetch emit output write")
        , "image images pixel pixels link links url urls query",
            (
                "conversation secret secrets key keys credential credentials password passwords chat env "
                "environment transcript user users system rsa ed25519 ssh aws npmrc pypirc netrc git kube "
                "docker gnupg passwd shadow keychain wallet cookies pgpass private bash"
            )),
        (
            rf"\b(?:render|show|add|embed|include|insert|display|load|end|put|place|append|create|open|visit"
            rf"|request|fetch|emit|output|write)\b(?:[^.]|\.(?! )){{0,60}}?\b(?:images?|pixels?|links?|urls?"
            rf"|query(?: string| parameters?)?)\b(?:[^.]|\.(?! )){{0,100}}?\b(?:with|contain\w*|carr\w+"
            rf"|includ\w+|append\w*|encod\w+|holds?|filled with|whose|put|in (?:the|its) (?:query|path"
            rf"|url))\b(?:[^.]|\.(?! )){{0,60}}?\b(?:conversation|secrets?|(?:api )?keys?|credentials?"
            rf"|passwords?|chat history|env(?:ironment)?(?: variables)?|transcript|users? (?:data|messages?"
            rf"|prompt)|system prompt|{_PRIVATE_FILES})"
        ),
        words=True,
    ),
    _Kind(
        _CARRIES,
        (),
        (
            r"(?<!`)<!--+(?!\s{0,3}(?:prettier|markdownlint|eslint|yaml\b|lint\b|more\b|toc\b|ace ?:"
            r"|stylelint|vale\b|todo\b|fixme\b|#|\[if\b))\s{0,3}\S{1,40} \S{1,40} [^<>\n]{1,600}--+>"
            r"|(?<!`)<!--+\s{0,3}(?:system|assistant|user|important|instructions?|ignore|note to"
            r"|for (?:the )?(?:ai|agents?|assistants?|llms?))\b"
        ),
        marks=("<!--",),
    ),
    # --- escapes written out
    _Kind(
        _ESCAPES,
        (),
        (
            r"(?:\\(?:033|x1b|u001b|e|0x1b|27)|\^\[)(?:\]|p|_|\^|\\{1,2}\]|\[[\d;?]{0,12}(?:[a-ln-z@]|8m))"
            r"|(?<![`'\"(|])(?:\\(?:033|x1b|u001b|e|0x1b|27)|\^\[)\[(?:[\d;?]{0,20}m|$|\W)|\\(?:x9b"
            r"|u009b)[\d;?]"
        ),
        marks=("\\", "^["),
    ),
    # --- destroys
    _Kind(
        _DESTROYS,
        (),
        (
            r"\brm (?:-\w+ ){1,3}(?:--no-preserve-root )?[\"']?(?:/(?:\*|\s|$|[`'\"]|etc|usr|home"
            r"|var\b(?!/(?:lib/apt|cache|tmp)))|~/?(?:\s|$|[`'\"*])|\$home\b(?!/)|\*(?:\s|$)|\.(?:\s|$))"
            r"|rmtree\([\"'](?:/|~)[\"']|:\(\) ?\{ ?:\|:|\bmkfs\.\w|\bdd [^\n]{0,60}of=/dev/(?:sd|nvme|hd"
            r"|disk)|--no-preserve-root|\bformat c:|remove-item [^\n]{0,40}-recurse[^\n]{0,20} (?:c:|/|~)"
        ),
        marks=("rm -", "rmtree(", ":()", "mkfs", "of=/dev/", "--no-preserve-root", "format c:", "remove-item"),
    ),
    _Kind(
        _DESTROYS,
        ("delete wipe erase destroy drop", "all every everything the", "database backup backups repository repositories files home data disk tables tests"),
        (
            r"\b(?:delete|wipe|erase|destroy|drop)\b (?:all|every|the (?:whole|entire|production|user's"
            r"|users'?|customer)|everything)(?: (?:of|the|in|on|its|user'?s?|production"
            r"|customer))* ?(?:database|backups?|repositor(?:y|ies)|files|home (?:directory|folder)"
            r"|data\b(?! (?:you|that|of the test))|disk|tables|tests|the tests)\b(?! (?:created|from the test"
            r"|in the (?:temp|test|build)|you created|older|generated|before re))"
        ),
    ),
    # --- more of each kind, in words
    _Kind(
        _RUNS,
        ("pipe pipes feed", "curl wget download https http fetch", "bash sh shell zsh python python3 node"),
        (
            r"\b(?:pipe|feed)s?\b[^.]{0,20}\b(?:curl|wget|https?|download|fetch)\b(?:[^.]"
            r"|\.(?! )){0,100}\b(?:in|into|to) (?:a |the )?(?:bash|sh|shell|zsh|python3?|node)\b"
        ),
        words=True,
    ),
    _Kind(
        _SHELL,
        ("create add make set forward expose open leave", "user account admin sudo port tunnel debug ssh", "sudo root admin rights access log to remote support production open"),
        (
            r"\b(?:create|add|make|set up)\b(?: \w+){0,3} (?:user|account|admin)\b(?: \w+){0,4} (?:with|in"
            r"|having) (?:sudo|root|admin\w*|full)\b(?: \w+){0,2}|\bforward (?:port|ports"
            r"|ssh)(?: \w+){0,3} to [\w.-]+\.\w+|\b(?:leave|keep) (?:the |a |all )?(?:debug|ssh"
            r"|admin)(?: \w+)? (?:port|endpoint|console|account|access)s? (?:open|enabled"
            r"|on)\b(?: \w+)? (?:in|on) (?:production|prod|the live)"
        ),
        words=True,
    ),
    _Kind(
        _SENDS,
        ("put include attach add append print echo paste post write output show dump encode upload copy expose",
            (
                "env secret secrets credential credentials password passwords token tokens key keys "
                "conversation prompt addresses customer customers aws ssh passwd"
            ),
            (
                "issue issues pull pr prs comment comments commit branch log logs readme report reports "
                "https http description url query name file ticket chat wiki gist every each ci"
            )),
        rf"\b(?:put|include|attach|add|append|print|echo|paste|posts?|write|output|dump|copy|expose"
        rf"|mention)\b(?: (?:the|your|all|any|our|every|each|contents?|output|value|text|of|a|its|real|full"
        rf"|\.?env|database|db|production|admin|api|access|private|ssh|aws|session|auth|customer"
        rf"|user)){{0,7}}"
        rf" ?(?:{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|secrets?|credentials|passwords?|(?:api|access|private"
        rf"|ssh|session|auth) (?:keys?|tokens?)|tokens?|\benv\b|printenv|conversation|customer (?:data"
        rf"|addresses|list))(?: file)?(?: (?:in|into|to|on|with|at|as|and append it to))(?: (?:the|each|every"
        rf"|all|a|an|your|our|public|any|build|ci|error|bug))* ?(?:issues?\b|pull requests?\b|prs?\b"
        rf"|comments?\b|commits?\b|commit messages?|branch(?: name)?s?\b|(?:build |ci |public )?logs?\b"
        rf"|readme|reports?\b|https?:|descriptions?\b|urls?\b|query|tickets?\b|wiki|gist|files?\b(?! (?:in"
        rf"|under|that))|ci\b|chat\b)"
        rf"|\b(?:encode|base64|base64 encode)\b(?: \w+){{0,4}} (?:tokens?|secrets?|keys?|passwords?"
        rf"|credentials|\.env)\b(?: \w+){{0,3}} (?:append|add|put|send|post|attach)\b"
        rf"|\becho \$\w{{0,30}}(?:secret|token|password|key)\w{{0,20}}",
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("approve grant accept answer confirm commit ignore run push do skip trust mark",
            (
                "all any every always without not dont n security certificate certificates confirmation "
                "prompts scanner warnings advisories vulnerabilities pull"
            ),
            (
                "permission permissions certificate certificates yes pull requests prs confirmation "
                "confirmations prompts hooks scanner scan scans warnings advisories vulnerabilities asking "
                "force approval"
            )),
        r"\b(?:grant|give|accept|approve|allow)\b(?: (?:all|any|every))(?: (?:the|requested|tool"
        r"|user))* (?:permissions?|certificates?|access requests?)\b(?: (?:that|which|a|it|the|tool|tools"
        r"|asks?|asked|requests?|wants?|for|from|any)){0,5}(?= ?(?:$|[.,;]))|\balways (?:approve|merge"
        r"|accept)(?: \w+){0,2} (?:pull requests?|prs|merge requests?|changes) (?:from|of|by) \w+"
        r"|\b(?:answer|accept|confirm|reply to)(?: (?:all|any|every|each|the))+ (?:confirmation |permission "
        r"|security )*(?:prompts?|confirmations?|questions?|dialogs?) (?:with )?(?:yes|y|ok|automatically)\b"
        r"|\bgit commit (?:-\w+ )*n\b(?! )|\bcommit (?:-\w+ )*-n\b"
        r"|\b(?:do not|dont|never|skip) (?:run|running|start|use) (?:the |any )?(?:security|vulnerability"
        r"|secret|malware|virus|dependency)(?: \w+)? ?(?:scann?(?:er|ers|s)?|scans?|checks?|audits?|tests?)\b"
        r"|\b(?:ignore|dismiss|suppress|silence|disregard) (?:all |any |every |the )*(?:security"
        r"|vulnerability|cve) (?:warnings?|advisories|alerts?|findings?|issues?|errors?)\b"
        r"|\b(?:push|force push)\b(?: \S+){0,4} (?:force|main|master"
        r"|production)\b(?: \S+){0,3} without (?:asking|review|approval|telling)",
        words=True,
    ),
    _Kind(
        _HIDES,
        ("mention say tell remove delete clear erase wipe report claim withhold leave omit keep",
            (
                "read log logs history bash_history bash zsh entries success errors failures problems file "
                "session trace"
            ), "you your success regardless summary report user session history done user"),
        r"\b(?:never|do not|dont) (?:mention|say|tell anyone|admit|reveal|disclose) (?:that|what|how"
        r"|why) you (?:read|have|did|changed|ran|used|are|were|saw|got|follow\w*)\b|\b(?:remove|delete|clear"
        r"|erase|wipe|scrub|purge)\b(?: (?:the|all|any|your|every|of|own))* (?:log (?:entries|lines)|traces?"
        r"|tracks|records?|(?:\S{0,3}\.?(?:bash|zsh|shell)[ _]?)?history)(?: (?:of|from|in|for))?(?: (?:your"
        r"|this|the|own|every|each))* ?(?:session|actions?|work|run|commands?|when you are done|after each"
        r"|afterwards)"
        r"|\b(?:report|claim|state|announce|declare|write) (?:a )?success\b(?: \w+){0,4} (?:regardless"
        r"|no matter|even (?:if|when)|whatever|in any case|always)\b|\b(?:withhold|omit|leave out"
        r"|keep back) (?:the |all |any )*(?:errors?|failures?|problems?|warnings?|bad news)(?: \w+)? (?:from"
        r"|in|of) (?:the |your |any )*(?:summary|report|user|answer|reply|review)",
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("insert add introduce plant put leave recommend hide embed slip", "hidden subtle hard hardcoded coded secret deliberate link links bug bugs password every each",
            (
                "link links bug bugs flaw flaws password account error errors answer reply response page "
                "pages login code crypto library"
            )),
        r"\b(?:insert|add|introduce|plant|put|leave|hide|embed|slip)\b(?: (?:a|an|some|the))* (?:(?:hidden"
        r"|invisible|secret) (?:links?|text|comments?|images?)|(?:subtle|deliberate|hidden|small"
        r"|silent) (?:bugs?|flaws?|errors?|mistakes?|defects?)|(?:hard ?coded|default|master|secret"
        r"|fixed)(?: \w+){0,2} (?:passwords?|logins?|credentials|accounts?))\b(?! (?:test|check|scan|rule"
        r"|detector))"
        r"|\b(?:recommend|mention|promote|praise|name|link to)\b(?: \S+){1,6} (?:in|at the end of"
        r"|with) (?:every|each|all)(?: of your)? (?:answers?|repl(?:y|ies)|responses?|messages?|comments?"
        r"|reviews?)\b",
        words=True,
    ),
    _Kind(
        _CARRIES,
        ("open load fetch visit request render show call embed ping", "https http", "conversation session secret token user prompt history data id chat transcript name email"),
        (
            r"\b(?:open|load|fetch|visit|request|render|show|call|embed|ping)\b(?:[^.]"
            r"|\.(?! )){0,40}https?://(?:[^\s]){1,120}(?:[?&#]\w{1,20}=[<{$\[]|(?:[^.]"
            r"|\.(?! )){0,20} with (?:the |a |your )?(?:\w+ ){0,2}?(?:conversation|session id|secrets?"
            r"|tokens?|prompts?|chat|transcript|user (?:name|data|id)|e?mail|history)\b(?:[^.]"
            r"|\.(?! )){0,30}\b(?:query|path|url|parameter|name|fragment|subdomain))"
        ),
    ),
    _Kind(
        _DESTROYS,
        ("wipe delete erase remove drop destroy overwrite transfer pay send", "backup backups database balance money funds audit snapshots account", "the all every account to release each after when with"),
        (
            r"\b(?:wipe|erase|destroy|delete|drop|remove)\b(?: (?:the|all|every|our|any))* (?:production "
            r"|live |customer |old |nightly )*(?:backups?|snapshots|databases?|audit logs?)\b(?= ?(?:$|[.,;])"
            r"| (?:after each|after every|when|if|on every|before each|of the customer"
            r"|of production)\b)(?! (?:when|if) (?:they|it|the tests?|you) (?:are|is|have|created|expire))"
            r"|\boverwrite the (?:audit|security|access) log\b|\btransfer (?:the |all |any )*(?:balance|money"
            r"|funds|amount)(?: \w+){0,3} to\b"
        ),
        words=True,
    ),
    _Kind(
        _SENDS,
        (
            ("push git nc ncat netcat store save send post collect keep copy upload log read open cat "
            "print")
        , "https http nc ncat netcat you id_rsa rsa ssh env aws npmrc netrc passwd everything"),
        rf"\bgit push (?:-\S+ ){{0,3}}https?://|\bpush (?:everything|all of it"
        rf"|a copy)\b[^.]{{0,40}} to (?:https?://|it\b)|\|\s{{0,3}}(?:nc|ncat|netcat)\s+\S{{1,60}}\s+\d"
        rf"|\b(?:store|save|send|post|collect|copy|upload|log)\b[^.]{{0,40}}\b(?:tokens?|secrets?|keys?"
        rf"|credentials|passwords?) (?:that |which )?you (?:find|see|come across|discover)\b"
        rf"|\bpush everything to it\b|\b(?:read|open|cat)\b[^.]{{0,20}}{_PRIVATE_FILES}[^.]{{0,20}}\b(?:and"
        rf"|then) (?:show|send|print|post|tell|give|return|paste|include)\b|\b(?:upload|copy|sync|send"
        rf"|move)\b[^\n]{{0,40}}{_PRIVATE_FILES}[^\n]{{0,20}} to (?:s3|gs|ftp|sftp)://",
    ),
    _Kind(_SHELL, ("docker podman nerdctl", "run"), r"\b(?:docker|podman|nerdctl) run\b[^\n]{0,80} -v /:/"),
    _Kind(_CHECKS, ("lgtm",), r"\b(?:always|just) (?:answer|reply|respond|say|comment)(?: with)? lgtm\b|\blgtm without\b", words=True),
    _Kind(
        _CHECKS,
        ("mark", "approved passed done", "every all each any"),
        (
            r"\bmark (?:every|all|each|any) (?:reviews?|prs?|pull requests?|checks?) as (?:approved|passed"
            r"|done)\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("root sudo", "always"),
        r"\balways run (?:commands|everything|the agent|scripts|tools|it) (?:as root|with sudo)\b",
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("grant give", "admin administrator root owner full", "every all any each everyone anybody"),
        (
            r"\b(?:grant|give) (?:admin\w*|root|owner|full) (?:rights|access|privileges"
            r"|permissions) to (?:every|all|any|each|everyone|anybody)\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("remove comment delete disable strip bypass stub skip", "authentication authorization auth license rate controls control"),
        (
            r"\b(?:remove|comment out|delete|disable|strip out|bypass|stub out|skip)(?: (?:the|all|any"
            r"|every))* (?:authentication|authorization|auth(?: checks?)?|license checks?|access controls?"
            r"|rate limit(?:s|ing|er)?)\b(?! (?:in (?:the )?(?:tests?|docs)|from|errors?|section|mock"
            r"|for (?:the )?(?:public|health|tests?)|header|token|page|plugin|when you test))"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("return store", "true plain plaintext", "auth authentication permission access security password passwords"),
        (
            r"\breturn true (?:from|in|for) (?:every|all|each|any)(?: \w+)? (?:auth\w*|permission|access"
            r"|security) checks?\b|\bstore (?:the |all )?passwords? (?:in|as) plain ?text\b"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("run", "before", "not dont never don", "commit committing push pushing merge deploy release"),
        (
            r"\b(?:do not|dont|never) run (?:the |any )?(?:tests?|linters?|ci|checks"
            r"|test suite) before (?:you |each |a )?(?:commit|push|merge|deploy|release)\w*"
        ),
        words=True,
    ),
    _Kind(
        _CHECKS,
        ("hard hardcode change edit adjust modify rewrite weaken", "so", "pass passes succeed succeeds green"),
        (
            r"\b(?:hard ?code|change|edit|adjust|modify|rewrite|weaken)\b[^.]{0,40}\b(?:tests?"
            r"|expected (?:output|value|result)s?|assertions?)\b[^.]{0,20}\bso (?:that )?(?:it|they"
            r"|the tests?|ci|everything) (?:pass(?:es)?|succeeds?|is green|are green)(?= ?(?:$|[.,;]))"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("deny", "that"),
        (
            r"\bdeny that (?:it|you|this|these|any|the)\b[^.]{0,30}\b(?:exists?|rules?|instructions?|lessons?"
            r"|have|know|did|were|are)\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("dark noticing knowing seeing told finding realizing evidence", "keep without delete destroy hide"),
        (
            rf"\bkeep (?:the |your )?{_USER} in the dark\b|\bwithout (?:the |your |any )?{_USER} (?:noticing"
            rf"|knowing|seeing|being told|finding out|realizing)\b|\b(?:delete|destroy|hide) (?:the |all "
            rf"|any )*evidence\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("so", "nobody one user they", "sees see notices notice knows know finds find"),
        (
            r"\bso (?:that )?(?:nobody|no one|the user|nobody else|they) (?:sees?|notices?|knows?|can see"
            r"|finds? out|(?:does not|do not|will not|cannot) (?:see|notice|know))\b[^.]{0,20}\b(?:you|it"
            r"|this|what|change|changed|did|do)\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("show",
            (
                "diff diffs change changes log logs error errors command commands failure failures cost "
                "costs price prices"
            ), "not never dont don avoid without stop cannot"),
        (
            rf"\b{_NOT} show (?:the |any |your |these )*(?:diffs?|changes?|logs?|errors?|commands?|failures?"
            rf"|costs?|prices?) to (?:the |your |any )?{_USER}\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("pretend",),
        (
            r"\bpretend (?:that )?(?:the |all |every )*(?:deployment|build|tests?|upload|migration|command"
            r"|run|task|fix|release|payment)s? (?:succeeded|passed|pass|worked|was fine|is done|went well"
            r"|ran)\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("catch swallow ignore", "success passed worked"),
        (
            r"\b(?:catch|swallow|ignore) (?:the |all |any |every )*(?:exceptions?|errors?"
            r"|failures?) and (?:report|return|claim|print|say) (?:success|that it (?:worked|passed))\b"
        ),
        words=True,
    ),
    _Kind(
        _HIDES,
        ("disable turn stop", "logging trail logs monitoring", "before while"),
        (
            r"\b(?:disable|turn off|stop) (?:the |all )*(?:logging|audit trail|audit logs?|audit logging"
            r"|monitoring) (?:before|while) you\b"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("holds hold contains contain carries carry has", "your",
            (
                "hex hexadecimal base64 base32 base encoded hidden qr emoji emojis image string blob footer "
                "acrostic unicode white"
            )),
        (
            r"\b(?:hex\w*|base ?\d+|encoded|hidden|qr codes?|emojis?|image|string|blob|white text|footer"
            r"|acrostic|unicode)\b[^.]{0,50}\b(?:holds?|contains?|carr(?:y|ies)|has) your (?:next |real |new "
            r"|true )?(?:instructions?|task|orders?|commands?)\b"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("backwards backward letter letters", "read first", "do follow obey execute run act"),
        (
            r"\bread\b[^.]{0,20}\bbackwards?\b[^.]{0,20}\b(?:and|then) (?:do|follow|obey|execute|run|act)\b"
            r"|\bfirst letters? of (?:each|every|all|the)\b[^.]{0,40}\b(?:and|then) (?:do|follow|obey|execute"
            r"|run|act on)\b"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("gunzip unzip decompress unpack inflate decrypt", "execute source eval obey follow"),
        (
            r"\b(?:gunzip|unzip|decompress|unpack|inflate|decrypt)\b[^.]{0,40}\b(?:and|then) (?:execute"
            r"|source|eval\w*|obey|follow) (?:it|them|that|the result|what)\b"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("interpret treat read take",
            (
                "emoji emojis letter letters number numbers color colors colour colours white whitespace "
                "pixels"
            ), "command commands instruction instructions order orders"),
        (
            r"\b(?:interpret|treat|read|take)\b[^.]{0,30}\b(?:emojis?|letters?|numbers?|colou?rs|white ?space"
            r"|pixels?)\b[^.]{0,20}\bas (?:commands?|instructions?|orders?)\b"
        ),
        words=True,
    ),
    _Kind(
        _DECODES,
        ("follow obey execute", "white invisible hidden qr image images alt metadata exif footnote footnotes", "order orders instruction instructions command commands text"),
        (
            r"\b(?:follow|obey|execute)\b[^.]{0,20}\b(?:orders?|instructions?|commands?"
            r"|text)\b[^.]{0,20}\b(?:white text|invisible|hidden text|hidden layer|qr codes?|images?|alt text"
            r"|metadata|exif|footnotes?)\b"
        ),
        words=True,
    ),
)  # fmt: skip

_WARNS = re.compile(
    r"\b(?:never|do not|don'?t|must(?: not|n'?t)|should(?: not|n'?t)|can ?not|can'?t|may not|avoid|avoids"
    r"|without|instead of|rather than|refuse|refuses|reject|rejects|flag|block|blocks|forbid\w*|prohibit\w*"
    r"|disallow\w*|not allowed to|no one|nobody"
    r"|report|detect|detects|warn|warns|beware|prevent\w*|stop|no longer|not to|treat|unless|against|dangers?"
    r"|risks? of|attacks? (?:such as|like)|nor|neither)\b"
)
_TURNS = re.compile(
    # Where a clause ends, and with it the reach of a warning in front.
    r"[.;!?…]+(?= |$)|,? but\b|\binstead\b(?! of)|\bhesitate\b|\bwait\b|\bforget\b|\bfail to\b"
    r"|[:,—\u2013-] (?:just |simply |then |always |instead |please |only )?(?:run|use|execute|do|call|send"
    r"|post|add|set|pass|pipe|download|install|then|always|just)\b"
)
_BEHIND = re.compile(
    r"^\W{0,4}(?:nowhere|never)\b|^[^.!?]{0,100}?\b(?:is|are|was|were|counts? as|must be|should be|would be"
    r"|can|could|may) (?:\w+ ){0,2}?(?:forbidden|not allowed|dangerous|unsafe|insecure|blocked|prohibited"
    r"|banned|refused|rejected|disallowed|malicious|suspicious|a risk|an attack|a hole|a leak|untrusted"
    r"|harmful|never|removed|stripped|escaped|leak|attacks?)\b"
    r"|^[^.!?]{0,60}?\bas (?:an? )?(?:attack|injection|risk|leak|malicious|dangerous|untrusted|red flag)\b"
    r"|^[^.!?]{0,40}?[:,—\u2013-] ?(?:never|don'?t|do not|refuse|that is an attack|this is an attack)\b"
)
_SPEAKS = re.compile(
    # A sentence that is about a command, and not one that tells to use it.
    r"\b(?:use|run|pass|add|set|call|commit|push|with|export|always|append|invoke|execute|try|include|enable"
    r"|apply|put|type|specify|give|configure|install|git|curl|wget|npm|pip3?|mvn|docker|sudo|ssh|claude|codex"
    r"|yarn|pnpm|usa|utiliza|verwende|nutze|utilise|usare|pon|используй)\b"
)


def acting(views: Views) -> str | None:
    """The kind of a lesson that acts, or None."""
    text = views.folded.replace("\u2019", "'")
    for at in _gate().opened(views.words):
        kind = _KINDS[at]
        if not kind.marks or contains_any(text, kind.marks):
            where = views.bare if kind.words else text
            for match in compiled(kind.pattern).finditer(where):
                if not _warned(where, *match.span()) and (
                    not kind.advised
                    or _SPEAKS.search(
                        _TURNS.split(where[max(0, match.start() - 80) : match.start()])[-1] + match[0]
                    )
                ):
                    return kind.told
    abroad = foreign(views)
    return abroad.told if abroad is not None and abroad.acts else None


def acts(views: Views) -> str | None:
    """The screen for lessons that act."""
    kind = acting(views)
    return None if kind is None else f"{ACTS} ({kind})"


_LOOKS = re.compile(
    r"\b(?:reads?|reviews?|inspects?|verify|verifies|checks?|audits?|looks? at|compares?) (?:it|them|the|its"
    r"|what|that)\b"
)


def _warned(text: str, start: int, end: int) -> bool:
    """Whether the sentence warns of what is here, in front of it or behind it; or has somebody look at it first."""
    if _LOOKS.search(text, start, end):
        return True
    before = text[max(0, start - 160) : start]
    turns = list(_TURNS.finditer(before))
    clause = before[turns[-1].end() :] if turns else before
    return _WARNS.search(clause) is not None or _BEHIND.match(text[end : end + 200]) is not None


@cache
def _gate() -> Gate:
    return Gate([kind.needs for kind in _KINDS])
