"""Lessons that act: what an agent that follows them would do to somebody's machine, data or trust.

Each row of `_KINDS` names a kind so that a person can judge it, since some projects do install by piping a download into a
shell: the setting `acting_lessons` says whether such a lesson is refused or added and marked. A lesson that warns of the
same command passes (`_warned`): "Never run curl … | sh", "`curl … | sh` is forbidden". Patterns must run in linear time.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ace.domain.screens.clauses import bare
from ace.domain.screens.views import Views, contains_any

__all__ = ["ACTS", "acting", "acts"]

ACTS = "a lesson that acts"
"""What the reason of this screen begins with."""


class _Kind(NamedTuple):
    """What a person is told, what must be in the folded text, the pattern, whether it is one of words (matched against bare text),
    and whether the thing alone, which nobody is told to use, is none.
    """

    told: str
    needles: tuple[str, ...]
    pattern: str
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
    r"(?:\.env\b(?!\.(?:example|sample|template))|id_rsa|id_ed25519|\.ssh\b|\.aws\b|\.npmrc|\.pypirc|\.netrc|\.git-credentials|\.kube\b|\.docker/config|\.gnupg|credentials\.json|/etc/passwd|/etc/shadow"
    r"|keychain|wallet\.dat|cookies\.sqlite|\.pgpass|private[_ ]key|\.bash_history|secrets?\.(?:ya?ml|json|toml|env))"
)
_PRIVATE_VARIABLES = (
    r"\$(?:env:)?\{?\w{0,40}(?:token|secret|passw|api_?key|private_?key|credential)\w{0,20}\}?"
)
_PRIVATE_WORDS = (
    r"(?:environment variables?|env vars?|environment|secrets?|credentials?|(?:api|access|private|ssh|session|auth) (?:keys?|tokens?)|passwords?|cookies|clipboard|source code|conversations?|chat history|transcripts?"
    r"|customer (?:list|data|e ?mails?|records?)|user(?:s|'s)? (?:data|files|e ?mails?|history|messages)|personal data|full prompt|system prompt|ssh key|config files?|database dump|home (?:directory|folder))"
)
_ADDRESS = (
    r"(?:https?://(?!(?:localhost|127\.|0\.0\.0\.0|\[::1))|[\w.+-]{1,64}@[\w-]{1,60}\.\w|\b\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}\b|webhook|pastebin|transfer\.sh|discord|telegram|ngrok"
    r"|(?:my|our|an external|a remote|the attacker'?s?) (?:server|host|endpoint|address|url))"
)
_NOT = r"(?:never|do not|dont|must not|mustnt|should not|shouldnt|cannot|you may not|avoid|refrain from|stop|without|no need to)"
_USER = r"(?:users?|operators?|owners?|customers?|humans?|reviewers?|maintainers?|developers?|team|anyone|anybody|people|boss|auditors?|admins?)"
_VERIFIED = (
    r"(?:(?:security|safety|certificate|cert|ssl|tls|signature|permission|access|authentication|authorization|csrf|integrity|host key|pre commit|pre push|commit|git|type|virus|code|license) "
    r"(?:checks?|checking|verification|validations?|hooks?|scans?|scanning|scanners?|controls?|reviews?|protections?|rules)"
    r"|branch protections?|(?:the|all|any) sandbox(?:ing)?|sandboxing|(?:the |all )?firewalls?|anti ?virus|2fa|mfa|two factor authentication|(?:the |all )?authentication|audit (?:logs?|logging|trail)|selinux|apparmor|(?:git |the |all |commit )+hooks"
    r"|(?:the |all )?permission prompts?|code owners?)"
)

_CIPHER = r"(?:base ?(?:16|32|58|64|85)|rot ?13|morse|leet ?speak|pig latin|caesar|(?:simple )?substitution cipher|vigenere|reverse(?:d order| order)?|backwards|binary|hexadecimal)"

_KINDS = (
    # --- downloads and runs
    _Kind(
        _RUNS,
        ("curl", "wget", "fetch", "iwr", "irm", "invoke-", "aria2c", "http"),
        rf"\b{_GETS}\b[^\n]{{0,240}}?(?:\|\s{{0,4}}(?:sudo\s+(?:-\w+\s+){{0,3}})?(?:{_SH}|(?:python[\d.]{{0,5}}|perl|ruby|node|php|deno)(?: -)?(?=\s{{0,4}}(?:$|[`'\"&;|)>,.]|<|and|to))|iex\b|invoke-expression|source\b|xargs (?:-\S+ ){{0,3}}{_SH})"
        rf"|(?:&&|;|\bthen\b|,? and)\s{{0,4}}(?:then )?(?:sudo |run |execute )?(?:{_SH}\s+\S|chmod (?:\+x|[0-7]{{3,4}})|\./\S|python[\d.]{{0,5}} \S+\.py|source )|\band (?:run|execute) (?:it|that|the (?:result|output|script|file|installer)|whatever|what))",
    ),
    _Kind(
        _RUNS,
        ("$(", "<(", "`c", "`w", "iex", "invoke-expression", "downloadstring", "downloadfile", "urlopen", "urlretrieve", "requests.get", "fetch(", "import("),
        rf"(?:{_SH}|eval|source|exec|python[\d.]{{0,5}}|\.)\s+(?:-\w+\s+){{0,3}}[\"'`]{{0,2}}(?:\$\(|<\(|<\s*<\(|`)\s{{0,4}}(?:sudo )?{_GETS}\b"
        r"|(?:iex|invoke-expression)\b[\s(&]{0,6}.{0,80}(?:iwr|irm|invoke-web|invoke-rest|downloadstring|net\.webclient)|downloadstring\(|downloadfile\(.{0,120}start-process"
        r"|(?:exec|eval|compile)\(.{0,60}(?:requests\.get|urlopen|urllib|fetch\(|httpx\.get)|python[\d.]{0,5} -c .{0,120}(?:urlopen|urlretrieve|requests\.get)|import\([\"']https?://",
    ),
    _Kind(
        _RUNS,
        ("http", ".tgz", "script", "binary", "installer", "payload", "executable"),
        r"\b(?:download|fetch|get|pull|grab|retrieve|load)\b(?:(?!\bnever\b|\bnot\b)[^.]|\.(?! )){0,140}?(?:https?://\S+|\bscript|\bbinary|\binstaller|\bpayload|\bexecutable)(?:(?!\bnever\b|\bnot\b)[^.]|\.(?! )){0,60}?(?:\band|\bthen|,|&&)\s{0,3}(?:then |immediately |silently )?(?:run|execute|eval|evaluate|source|launch|start|invoke)\b(?: (?:it|that|them|the|this|its|whatever|what|as)\b|[ .]*$)"
        r"|\b(?:run|execute|source|eval|evaluate|load|apply)\b (?:\w+ ){0,3}?(?:scripts?|code|commands?|payload|binary|file|setup|steps|whatever|everything|instructions?)(?: \w+){0,3} (?:at|from|on|behind|under|of)\s+[\"'`<]?https?://"
        r"|\b(?:npx|bunx|uvx|pnpm dlx|deno run|pipx run)\s+(?:-\S+\s+){0,4}https?://|\b(?:pip3?|npm|yarn|pnpm|bun|gem|go|cargo|uv)\s+(?:pip )?(?:install|add|i)\s+(?:-\S+\s+){0,4}(?:\S{1,60}@)?[\"'`]?https?://\S+\.(?:tgz|tar\.gz|whl|zip|gem)"
        r"|\b(?:pip3?|npm|yarn|pnpm|uv)\b.{0,80}--(?:extra-)?(?:index-url|registry)[ =]http://(?!localhost|127\.)|https?://\S+\.(?:tgz|tar\.gz|zip|whl)\S{0,10}\s.{0,30}\bdependenc|\bdependenc\w{1,4}\b.{0,40}https?://\S+\.(?:tgz|tar\.gz|zip|whl)",
    ),
    # --- opens a shell
    _Kind(
        _SHELL,
        ("/dev/tcp", "/dev/udp", "nc ", "ncat", "netcat", "socat", "bash -i", "pty.spawn", "reverse shell", "reverse-shell", "socket", "ssh -", "authorized_keys", "meterpreter", "msfvenom", "tcpclient", "mkfifo", "bind shell", "telnet", "sudoers"),
        rf"/dev/(?:tcp|udp)/\S|\b(?:nc|ncat|netcat)\b[^\n|;]{{0,80}}? -\w{{0,6}}[ec]\w{{0,3}}\s+\S{{0,20}}(?:sh|cmd|powershell)\b|\b(?:nc|ncat|netcat|telnet)\b[^\n]{{0,80}}\|\s{{0,4}}{_SH}|{_SH}[^\n|]{{0,20}}\|\s{{0,4}}(?:nc|ncat|netcat)\b|mkfifo\b[^\n]{{0,100}}\bnc\b"
        r"|socat\b[^\n]{0,160}exec|\bbash -i\b[^\n]{0,20}(?:>|&)|pty\.spawn\(|socket\.socket\b[^\n]{0,300}(?:dup2|subprocess|pty|/bin/|send(?:all)?\()|\bssh\s+(?:-\w+\s+){0,4}-\w{0,5}r\w{0,3} \d{0,5}:|spawn\([\"']ssh -"
        r"|\b(?:open|start|spawn|create|launch|set up|establish|run|connect)\w{0,3}\b.{0,40}\b(?:reverse|bind)[ -]shell|(?:>>|\b(?:tee|add|append|put|write|insert|copy)\b).{0,80}authorized_keys|meterpreter|msfvenom|net\.sockets\.tcpclient|(?:nopasswd|all=\(all).{0,60}sudoers|sudoers.{0,60}nopasswd",
    ),
    # --- sends data away
    _Kind(
        _SENDS,
        ("curl", "wget", "http", "nc ", "ncat", "netcat", "fetch(", "axios", "requests.", "invoke-", "mail", "openssl", "telnet"),
        rf"\b(?:curl|wget|https?|invoke-\w+)\b[^\n]{{0,240}}?(?:\s-(?:d|f|t)\b|--(?:data(?:-\w+)?|form|upload-file|post-(?:data|file)|body-(?:data|file))|\?\w{{1,20}}=|\s-body\b)\s{{0,2}}[=\"'@${{(`<]{{0,4}}[^\s\"'`]{{0,60}}?(?:{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\$\((?:env|printenv|cat|base64|whoami|hostname|git|history|set)\b|`(?:env|printenv|cat|base64|whoami)\b)"
        rf"|\b(?:env|printenv|export -p|history|(?:cat|base64|tar|zip|gzip|less|head|xxd)\b[^|\n]{{0,80}}{_PRIVATE_FILES}[^|\n]{{0,40}})\s{{0,3}}\|[^\n]{{0,100}}?\b(?:curl|wget|nc|ncat|netcat|socat|telnet|mail|sendmail|openssl s_client)\b"
        r"|(?:requests\.(?:post|put)|axios\.post|httpx\.post|sendbeacon|sock(?:et)?\.send(?:all)?|s\.send(?:all)?|urlopen|fetch)\([^\n]{0,300}(?:open\(|\.read\(\)|dict\(os\.environ|os\.environ\b(?![\[.])|process\.env\b(?!\.)|clipboard|getpass|document\.cookie|localstorage|private_key|/etc/passwd|packages)"
        r"|(?:with open\(|open\(|pbpaste|pyperclip|working_set|os\.environ\b(?![\[.])|document\.cookie|getpass)[^\n]{0,300}(?:requests\.(?:post|put)|httpx\.post|axios\.post|sendbeacon|\.send(?:all)?\(|urlopen\()",
    ),
    _Kind(
        _SENDS,
        ("dig", "nslookup", "ping", "host ", "scp", "rsync", "s3 cp", "gsutil", "rclone", "dns"),
        rf"\b(?:dig|nslookup|ping)\s[^\n]{{0,40}}(?:\$\(|`(?:cat|base64|env|xxd|whoami))|\b(?:scp|rsync|aws s3 (?:cp|sync)|gsutil cp|rclone (?:copy|sync))\b[^\n]{{0,80}}{_PRIVATE_FILES}|\b(?:encode|put|hide|smuggle|add|send|leak)\b.{{0,60}}\b(?:secrets?|data|keys?|tokens?|passwords?)\b.{{0,60}}\bdns (?:quer|request|lookup)",
    ),
    _Kind(
        _SENDS,
        ("send", "post", "upload", "forward", "mail", "transmit", "submit", "exfiltrat", "leak", "publish", "deliver", "ship", "copy", "sync", "report", "share"),
        rf"\b(?:send|posts?|upload|forward|e-?mail|transmit|submit|exfiltrate|leak|publish|deliver|ship|copy|sync|share|report)\b(?:(?!\bheaders?\b|\bbearer\b|\blog ?in\b|\bsign\b)[^.]|\.(?! )){{0,100}}?(?:{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\b{_PRIVATE_WORDS}\b)(?!-| (?:file|in your|in the (?:header|authorization))\b)(?:(?!\bheaders?\b|\bbearer\b)[^.]|\.(?! )){{0,80}}?\b(?:to|at|via|on|into|with|and)\b\s{{0,2}}(?:(?:the|a|an|it|them|our|all|send|post)\s){{0,3}}[\"'`<]{{0,2}}{_ADDRESS}"
        rf"|\b(?:send|posts?|upload|forward|e-?mail|submit)\b.{{0,30}}?\bto\b\s{{0,2}}[\"'`<]{{0,2}}{_ADDRESS}\S{{0,100}}.{{0,40}}?\b(?:with|containing|including|the contents? of|together with)\b.{{0,60}}?(?:{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\b{_PRIVATE_WORDS}\b)|\bexfiltrate\b"
        rf"|\b(?:send|posts?|upload|forward|e-?mail|copy|bcc|cc)\b.{{0,60}}?\b(?:every|each|all)\b.{{0,60}}?\bto\b\s{{0,2}}[\"'`<]{{0,2}}(?:https?://(?!localhost|127\.)\S|[\w.+-]{{1,64}}@)|\bsend_?e?mail\b.{{0,60}}@.{{0,80}}\b(?:key|token|secret|password|canary)|\bhttp_(?:post|get)\b.{{0,20}}\burl ?=",
    ),
    _Kind(
        _SENDS,
        ("$", ".env", ".npmrc", ".ssh", "id_rsa", ".aws", ".netrc", ".pypirc", "secret", "credential", "private key", "environment", "password", "token", "api key"),
        rf"\b(?:append|include|add|put|paste|write|embed|insert|attach|commit|posts?|place|encode|expose|quote|echo|print|show|reveal|copy|mention)\b(?:[^.]|\.(?! )){{0,60}}?(?:(?:contents? of|value of|values of|output of|dump of|text of)\s(?:the |your |all |every |any )?[\"'`]?(?:\S{{0,40}}{_PRIVATE_FILES}|{_PRIVATE_VARIABLES}|\benv\b|\bprintenv\b|{_PRIVATE_WORDS})|[\"'`]{_PRIVATE_VARIABLES}|(?:all|any|every|each|your|my|our)(?: of)?(?: the)? (?:secrets?|credentials|api keys?|tokens|passwords|environment variables))(?:[^.]|\.(?! )){{0,60}}?\b(?:to|in|into|as|with|on|at)\b(?:[^.]|\.(?! )){{0,40}}?\b(?:commits?|pull requests?|prs?|issues?|comments?|descriptions?|release|readme|urls?|query|branch|tag|gist|messages?|public|repo(?:sitory)?|chat|reply|response|answers?|changelog|wiki|slack|output)\b",
    ),
    # --- decodes and follows
    _Kind(
        _DECODES,
        ("base64", "atob(", "b64", "fromhex", "-enc", "powershell", "xxd -r", "eval(", "exec(", "frombase64", "unescape(", "marshal"),
        rf"base64 (?:-d|--decode)\b[^\n]{{0,80}}?\|\s{{0,4}}(?:sudo )?(?:{_SH}|python|perl|node)|xxd -r[^\n]{{0,40}}\|\s{{0,4}}(?:sudo )?{_SH}|(?:eval|function|exec|system|spawn\w{{0,4}})\(\s{{0,4}}[\"'`]{{0,1}}(?:atob|buffer\.from|base64|b64decode|unescape|decodeuri\w{{0,10}}|codecs\.|zlib|bytes\.fromhex|marshal|__import__|gzinflate|str_rot13|string\.fromcharcode|compile\()"
        rf"|{_SH} <<<\s{{0,3}}[\"'`]?\$\(.{{0,60}}base64|eval\s+[\"'`]?\$\(.{{0,80}}base64 (?:-d|--decode)|powershell\S{{0,5}}\s[^\n]{{0,80}}-e(?:nc|ncodedcommand|c)?\s+[a-z0-9+/=]{{8}}|frombase64string\(.{{0,200}}(?:iex|invoke|start-process)|(?:iex|invoke-expression).{{0,100}}frombase64string",
    ),
    _Kind(
        _DECODES,
        ("decod", "decrypt", "decipher", "deobfuscat", "unscrambl", "revers", "backwards", "encod", "hidden", "encrypt", "conceal", "obfuscat", "acrostic", "first letter", "cipher", "rot13", "rot 13", "base64", "morse", "concatenat", "combine"),
        r"\b(?:decode|decrypt|decipher|deobfuscate|unscramble|reverse|unreverse|read backwards|decoded|base ?\d+ decode|rot ?13(?: decode)?|morse decode)\b[^.]{0,100}?(?:\band(?: then)?|\bthen|,)\s(?:\w+ ){0,2}?(?:(?:follow|obey|execute|comply)\b|(?:run|perform|do|act on|carry out|apply|answer|respond to|treat) (?:it|them|that|what|whatever|the|as|exactly|all|its)\b|do ?:|tell (?:me|us) what|say what)"
        r"|\b(?:follow|obey|execute|carry out|perform|act on|do what|comply with)\b[^.]{0,60}?\b(?:encoded|hidden|encrypted|concealed|obfuscated|written backwards|reversed|spelled)(?: (?:as|in|with|by|inside|within|using|out|behind|below|above))?\b[^.]{0,60}?\b(?:base ?\d+|rot ?13|hex\w*|morse|letters?|binary|cipher|white ?space|images?|acrostic|comments?|strings?|text|blob|payload|unicode|emoji\w*|below|above|here)"
        r"|\b(?:follow|obey|execute|do|run|act on)\b (?:the |what |these |this |all |any )*(?:decoded|decrypted|base ?\d+|rot ?13|hex|reversed|encoded|hidden) (?:\w+ )?(?:instructions?|commands?|text|message|string|payload|orders?|script|says)"
        r"|\bdecod(?:e|ing) (?:this|the following|these)(?: \w+){0,4} (?:string|code|text|message|cipher|sequence)?\b[^.]{0,40}(?:[a-z0-9+/=]{20}|(?:[01]{8} ?){3}|(?:[0-9a-f]{2} ){6}|[.-]{2,6} [.-]{1,6} [.-])|\b(?:cipher|caesar|substitution|rot ?13|base ?\d+|leet ?speak|pig latin|interlace)\b[^.]{0,60}?\b(?:and|then) (?:follow|obey|answer|respond)"
        r"|\b(?:combine|concatenate|join|interlace)\b.{0,60}\b(?:parts?|strings|pieces|a, b|[abc] and [abc]|words)\b.{0,60}\b(?:and|then|now) (?:answer|execute|follow|obey|use that|run|do|respond)",
        words=True,
    ),
    # --- disables checks
    _Kind(
        _CHECKS,
        (
            "no-verify", "dangerously-", "--yolo", "--skip-", "skiptests", "no-check-cert", "--insecure", "curl", "verify", "rejectunauthorized", "node_tls_", "sslverify", "stricthostkey", "chmod", "setenforce",
            "ufw disable", "husky=0", "nopasswd", "trusted-host", "executionpolicy", "web-security", "gpg-sign", "no-hooks", "core.hookspath", "skip_", "skip=",
        ),
        r"--no-(?:verify|gpg-sign|check-certificate|hooks)\b|--dangerously-[\w-]+|--yolo\b|--skip-(?:tests?|checks?|hooks?|validations?|permissions?|verif\w+)|-dskiptests|-dmaven\.test\.skip|--insecure\b|\bcurl\s[^\n|;]{0,40}?\s?-\w{0,4}k\w{0,3}\s|\bverify ?= ?false|rejectunauthorized[\"']? ?[:=] ?false|node_tls_reject_unauthorized"
        r"|sslverify[ =\"']{1,3}(?:false|0)|git_ssl_no_verify|stricthostkeychecking[ =]no|\bchmod (?:-\w+ )?0?777|setenforce 0|ufw disable|husky=0|nopasswd: ?all|--trusted-host|executionpolicy (?:bypass|unrestricted)|--disable-web-security|core\.hookspath[ =]/dev/null|\bskip(?:_hooks|_tests|_checks)? ?= ?(?:1|true|all|yes)\b",
        advised=True,
    ),
    _Kind(
        _CHECKS,
        (
            "disable", "disabling", "turn off", "switch off", "bypass", "skip", "deactivat", "remove", "comment out", "delete", "approve", "merge", "auto", "grant", "without", "confirm", "permission", "force", "push",
            "ignore", "weaken", "allow", "stub", "xfail", "answer yes", "say yes", "as root", "always", "accept",
        ),
        rf"\b(?:disable|disabling|turn off|turning off|switch off|bypass|skip|deactivate|circumvent|ignore|weaken|suppress)\b(?: (?:all|any|the|every|each|our|your|those|these|local|remote))* {_VERIFIED}\b(?! (?:failures?|errors?|in (?:the )?tests?\b|by|is|are))"
        r"|\b(?:delete|remove|comment out|disable|skip|stub out|xfail|mark(?: as skipped)?|weaken|loosen|rewrite|drop|ignore)\b(?: (?:all|any|the|every|each|those|these|out|or|skip|disable|delete|remove))* (?:(?:failing|failed|broken|red|flaky|inconvenient) (?:tests?|assertions?|specs?|checks?|test cases?|suites?)|(?:tests?|assertions?|specs?|checks?|test cases?) (?:that|which) (?:fails?|do not pass|dont pass|are red|break|block))\b"
        r"|\b(?:skip|bypass|merge without|push without|commit without|release without|deploy without|ship without)\b(?: (?:running|waiting for|getting|asking for|any|all|the|a|doing))* (?:code )?(?:reviews?|approvals?|the ci|ci checks?|ci|required checks|status checks)\b(?! (?:comments?|of|is|are|on draft))"
        r"|\b(?:approve|accept|merge|allow|grant|confirm|authorize|say yes to|answer yes to)\b(?: (?:and|or|merge|automatically|blindly))*(?: (?:every|any|all))(?: (?:of|the|its|incoming|open|requested|permission|tool))* (?:pull requests?|prs|merge requests?|permissions?|access|permission (?:prompts?|requests?)|tool calls?|confirmations?)\b(?! (?:is|are|in|to|that)\b)(?=[^.]{0,60}(?:without|automatically|blindly|always|no matter|regardless|from)| ?(?:$|[.]))"
        r"|\b(?:never|do not|dont|no need to) (?:ask|wait|request|seek|require|prompt)\b(?: (?:the|for|a|an|any|user|users|owner|human|operator|anyone|customer|their|her|his|to))* (?:confirmation|permission|approval|consent|confirm|approve)\b.{0,40}\b(?:delet\w+|remov\w+|push\w*|forc\w+|deploy\w*|publish\w*|pay\w*|transfer\w*|install\w*|overwrit\w+|drop\w*|merg\w+|send\w*|purchas\w+|refund\w*|destructive|dangerous|risky|irreversible|running commands|charg\w+|rm)\b"
        r"|\b(?:delete|remove|overwrite|force push|drop|publish|deploy|transfer|wipe|reset|pay|purchase|refund)\b(?:[^.,;]){0,60}? without (?:asking|confirm\w+|permission|approval|telling|prompting|a prompt|warning|consent|review)\b"
        r"|\b(?:permission|granted)\b.{0,30}\bto skip (?:all )?(?:safety|security)? ?(?:checks|confirmations)|\b(?:run|execute|do) (?:everything|all commands|every command|all tools|any command) (?:as root|with sudo|without (?:asking|confirmation|a sandbox|limits))|\b(?:always|just|simply|then) force push(?: (?:directly|straight))? to (?:main|master|production)\b",
        words=True,
    ),
    # --- hides from the user
    _Kind(
        _HIDES,
        (
            "tell", "inform", "notify", "alert", "mention", "reveal", "disclos", "report", "say", "show", "let ", "hide", "conceal", "secret", "silently", "covert", "quiet", "claim", "pretend", "lie", "lying", "fake",
            "fabricat", "invent", "make up", "doctor", "forge", "falsif", "log", "histor", "cover", "trace", "histfile", "user", "warn", "flag", "raise", "record", "your ", "reply", "respond", "answer",
        ),
        rf"\b{_NOT}(?: (?:ever|even|need to))? (?:tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|alert(?:ing)?|warn(?:ing)?|show(?:ing)?|let(?:ting)?)\b(?: (?:the|your|any|a|to|our|an|other))* {_USER}(?: (?:about|of|know|see|that|notice|find out|learn))*(?= ?(?:$|[.,;:!?])| (?:about |of )?(?:this|it|these|what you|how you|why you|that you|you (?:did|have|are|ran|changed|used)|anything|the (?:change|changes|failure|failures|error|errors|cost|deletion|real|true|rule|lesson|instruction|note)|failing|failed|errors?|failures?|bugs?|mistakes?|any of|when you|changes)\b)(?! that (?:you|it) will)"
        rf"|\b{_NOT}(?: (?:ever|even))? (?:mention(?:ing)?|reveal(?:ing)?|disclos(?:e|ing)|report(?:ing)?|log(?:ging)?|record(?:ing)?|talk(?:ing)? about|speak(?:ing)? of|acknowledg(?:e|ing)|document(?:ing)?)\b(?: (?:the|that|about|of|to|any))* (?:(?:this|these) (?:rules?|lessons?|notes?|instructions?|steps?|lines?|messages?|changes?|behaviou?rs?|conversation|bullets?|session|commands?|actions?|files?|requests?)(?= ?(?:$|[.,;:!?])| (?:to|in|anywhere|when|even))|(?:what|anything|everything) you (?:do|did|are doing|change|changed|run|ran)|your (?:actions|changes|commands|work|steps)(?= ?(?:$|[.,;:!?])| (?:to|in|here))|it to (?:the )?{_USER})"
        rf"|\b{_NOT} (?:report|flag|mention|raise|comment on|point out|note)(?:ing)?(?: (?:any|the|a))* (?:sql injections?|xss|vulnerabilit\w+|security (?:issues?|holes?|bugs?|problems?|findings?|flaws?)|injections?|back ?doors?|failing tests?|failures|hard ?coded (?:secrets?|passwords?|keys?))\b(?! (?:in public|publicly|on github|in (?:a )?public|via|through|as (?:a )?public|twice|in issues|in (?:the )?(?:issue|github)))"
        r"|\b(?:hide|conceal|keep|withhold|mask|suppress|bury)\b(?: (?:all|any|the|every|each|this|these|those|it|your|failing|failed|that|what|test|skipped|deleted|changed))*(?: \w+){0,4} (?:secret |hidden |out |away )?from (?:the |your |any |all |our )*(?:users?|reports?|reviewers?|reviews?|owners?|operators?|humans?|maintainers?|summary|auditors?|diffs?|customers?|team|log|logs)\b(?! (?:because|since|inputs?|interface|tables?|lists?|views?|docs|documentation|guides?|output|format|pages?|menus?))"
        r"|\b(?:keep|treat) (?:this|these|that)(?: (?:rule|lesson|note|instruction|step|change|line|message)s?)?(?: as)? (?:secret|hidden|confidential|between us|to yourself|private)\b"
        rf"|\b(?:silently|secretly|covertly|quietly|stealthily|unnoticed)(?:,? )(?:push|commit|add|install|send|delete|upload|run|execute|append|insert|forward|include|copy|change|modify|disable|exfiltrate|post|remove|replace|merge|skip)\b|\bwithout (?:telling|informing|notifying|alerting|the knowledge of|showing|warning) (?:the |your |any |a )?{_USER}\b|\bwithout (?:being noticed|anyone noticing|leaving (?:a )?traces?|mentioning (?:it|this|that))\b"
        r"|\b(?:claim|pretend|say|report|state|assert|tell (?:the )?(?:user|reviewer)s?|write|announce|lie)\b(?: (?:that|it|the|all|your|to|about))* (?:tests?|checks?|builds?|everything|work|task|ci|suite|code|fix|verification)\b(?: \w+){0,3} (?:pass(?:es|ed)?|green|succe\w+|works?|worked|done|complete\w*|finished|fine|verified|ran)\b(?: \w+){0,2},? (?:even (?:if|when|though)|although|though|regardless|no matter|whether or not|when (?:they|it) (?:do not|does not|dont|doesnt|did not|fail)|without)"
        r"|\b(?:fake|fabricate|forge|falsify|invent|make up|doctor)\b(?: (?:the|any|all|a|some|missing|your))* (?:tests? (?:results?|output|reports?)|results?|outputs?|logs?|reports?|metrics|coverage|numbers|statistics?|evidence|citations|sources|benchmarks?|approvals?|timestamps|measurements)\b|\blie (?:to|about)\b(?: \w+){0,3}"
        r"|\b(?:delete|clear|erase|wipe|truncate|tamper with|remove|rewrite|edit|overwrite|scrub)\b(?: (?:all|any|the|your|every|its))* (?:audit|access|shell|command|session|bash|event|security|activity)(?: (?:and|or|audit|access))* (?:logs?|history|trail|traces?|records?)\b|\bcover (?:up )?(?:your|the|its|our) tracks\b|\bhistory -?c\b|\b(?:unset histfile|histfile ?= ?/dev/null|histsize=0)"
        rf"|\b(?:encode|encrypt|obfuscate|invert|reverse|scramble)\b(?: \w+){{0,6}} your (?:response|answer|reply|message|output)s?\b|\byour (?:response|answer|reply|message|output)s?\b(?: \w+){{0,3}} (?:in|using|with|by|as|to|through|via) (?:an? |the )?{_CIPHER}\b"
        rf"|\b(?:reply|respond|answer)\b(?: only)? (?:in|using|with|by|as) (?:an? |the )?{_CIPHER}\b|\b{_CIPHER}\b(?: \w+){{0,4}} your (?:response|answer|reply|message|output)s?\b",
        words=True,
    ),
    # --- plants
    _Kind(
        _PLANTS,
        ("backdoor", "back door", "back-door", "hidden", "master password", "logic bomb", "keylogger", "key logger", "malware", "rootkit", "web shell", "webshell", "trojan", "spyware", "miner", "ransomware", "vulnerab", "admin/admin", "injection", "snippet", "excerpt", "code block", "code section", "code segment", "following code", "below code", "code fragment"),
        r"\b(?:add|insert|create|leave|plant|include|embed|introduce|hide|install|build|keep|inject|hard ?code|deploy|put|slip)\b(?:[^.]){0,80}?\b(?:back ?doors?|hidden (?:account|admin|user|endpoint|route|field|instruction|command|code)|master password|logic bomb|key ?loggers?|malware|rootkit|web ?shells?|trojan|spyware|(?:crypto ?)?miners?|ransomware|admin/admin)\b"
        r"|\b(?:add|insert|introduce|leave|plant|create|write|generate|produce|prefer)\b(?: (?:a|an|some|subtle|small|hidden|deliberate|exploitable|the|code with|insecure|into|each|every))* (?:vulnerab\w+|sql injections?|weakness(?:es)?|insecure code|security holes?|exploits?)\b(?! (?:tests?|checks?|scan\w*|reports?|section|entry|to the|disclosure|alerts?|database|ids?|detection|prevention))"
        r"|\b(?:code|algorithm|function)? ?(?:snippet|block|excerpt|section|segment|fragment|lines?)\b[^.:]{0,60}\b(?:your|the) (?:response|answer|implementation|solution|algorithm|reply|code)\b[^.:]{0,60}:|\b(?:your|the) (?:response|answer|implementation|solution|algorithm|code|reply|development)\b[^.:]{0,80}\b(?:following|below|subsequent|next) code (?:snippet|block|excerpt|section|segment|fragment)\b[^.:]{0,60}:|\b(?:add|include|insert|embed|incorporate|blend|employ|integrate|place|use|utili[sz]e|validate|make|ensure|consider)\b[^.:]{0,40}\b(?:following|below|subsequent|next) code (?:snippet|block|excerpt|section|segment|fragment)\b[^.:]{0,60}:",
        words=True,
    ),
    _Kind(
        _PLANTS,
        ("every", "each", "all ", "your response", "your answer", "your reply", "your output", "your message"),
        r"\b(?:end|begin|start|finish|conclude|append|add|include|insert|put|sign)\b(?:[^.]){0,60}?\b(?:every|each|all|any)(?: \w+)? (?:responses?|repl(?:y|ies)|reports?|answers?|messages?|outputs?|e?mails?|documents?)\b(?:[^.]){0,40}?\b(?:with|code|token|canary|string|phrase|reference|marker|link|word|slogan)\b(?:[^.]){0,20}?\b(?:code|token|canary|phrase|reference|marker|https?|slogan|brand|promo\w*|advert\w*)"
        r"|\b(?:code|token|canary|phrase|reference code|marker|slogan)\b[^.]{0,60}\b(?:must|should|has to|needs to|will) be (?:included|added|appended|inserted|mentioned|put|placed)\b[^.]{0,60}\b(?:every|each|all|any)\b"
        r"|\b(?:add|insert|include|mention|promote|advertise|slip|weave|work|modify|enhance|alter|embed|adjust|augment)\b(?:[^.]){0,60}?\byour (?:response|answer|reply|output|message)s?\b(?:[^.]){0,30}?\b(?:fabricated|fake|false|made up|misleading|brand|sponsored|affiliate|promot\w+|advertis\w+|hint(?:ing)? (?:at|to)|alluding|subtl\w+|too good to be true|slogan|investment)"
        r"|\b(?:add|insert|include|mention|slip|weave|embed)\b(?: (?:a|an|some|the))* (?:fabricated|fake|false|made up|misleading|sponsored|affiliate|promotional|biased)\b[^.]{0,60}\byour (?:response|answer|reply|output|message)|\b(?:always|only) (?:recommend|promote|advertise|praise)\b [^.]{0,60}\b(?:brand|product|shop|company|instead of (?:its )?competitors|over (?:its )?competitors)",
        words=True,
    ),
    # --- carries data
    _Kind(
        _CARRIES,
        ("](", "javascript:", "vbscript:", "data:text/html", "<iframe", "onerror", "onload", "onclick", "onmouse", "onfocus", "ontoggle", "<script", "<img", "<form", "<object", "<embed", "<meta", "<link", "<svg"),
        r"!\[[^\]\n]{0,200}\]\(\s{0,3}<?(?:https?:)?//[^)\s]{0,300}?(?:[?&/#=]\S{0,60}?(?:[{$<\[]|%7b|secret|token|password|conversation|history|\benv\b|api_?key|summary|chat|data\b)|[?&]\w{1,20}=[^)\s]{0,40}\))|\[[^\]\n]{0,200}\]\(\s{0,3}<?(?:https?:)?//[^)\s]{0,200}?[?&#]\w{1,20}=[^)\s]{0,60}?(?:[{$<\[]|%7b|secret|token|passw|conversation|history|api_?key)"
        r"|(?:href|src|action)\s?=\s?[\"']?\s?(?:javascript|vbscript|data:text/html)|\]\(\s{0,3}(?:javascript|vbscript|data:text/html)[:,;]|<(?:iframe|object|embed|form)\b[^>\n]{0,200}(?:src|data|action)\s?=|<[a-z]{1,10}\b[^>\n]{0,200}\son(?:error|load|click|mouse\w{1,6}|focus|toggle)\s?=|<script\b[^>\n]{0,200}>[^<\s`'\"…][^<\n]{0,200}(?:</script|fetch|cookie|location|\()"
        r"|<script\b[^>\n]{0,100}src\s?=\s?[\"']?(?:https?:)?//(?!cdn|unpkg|cdnjs)|<img\b[^>\n]{0,200}src\s?=\s?[\"']?(?:https?:)?//[^>\n]{0,200}[?&]\w{1,20}=|<meta\b[^>\n]{0,60}http-equiv\s?=\s?[\"']?refresh|<link\b[^>\n]{0,60}href\s?=\s?[\"']?(?:https?:)?//[^>\n]{0,200}[?&]\w{1,20}=",
    ),
    _Kind(
        _CARRIES,
        ("image", "pixel", "link", "url", "query"),
        rf"\b(?:render|show|add|embed|include|insert|display|load|end|put|place|append|create|open|visit|request|fetch|emit|output|write)\b(?:[^.]|\.(?! )){{0,60}}?\b(?:images?|pixels?|links?|urls?|query(?: string| parameters?)?)\b(?:[^.]|\.(?! )){{0,100}}?\b(?:with|contain\w*|carr\w+|includ\w+|append\w*|encod\w+|holds?|filled with|whose|put|in (?:the|its) (?:query|path|url))\b(?:[^.]|\.(?! )){{0,60}}?\b(?:conversation|secrets?|(?:api )?keys?|credentials?|passwords?|chat history|env(?:ironment)?(?: variables)?|transcript|users? (?:data|messages?|prompt)|system prompt|{_PRIVATE_FILES})",
        words=True,
    ),
    _Kind(_CARRIES, ("<!--",), r"(?<!`)<!--+(?!\s{0,3}(?:prettier|markdownlint|eslint|more\b|toc\b|ace ?:|stylelint|vale\b|todo\b|fixme\b|#|\[if\b))\s{0,3}\S{1,40} \S{1,40} [^<>\n]{1,600}--+>|(?<!`)<!--+\s{0,3}(?:system|assistant|user|important|instructions?|ignore|note to|for (?:the )?(?:ai|agents?|assistants?|llms?))\b"),
    # --- escapes written out
    _Kind(
        _ESCAPES,
        ("\\033", "\\x1b", "\\u001b", "\\e[", "\\e]", "\\0x1b", "\\x9b", "\\u009b", "^[[", "^[]", "\\27["),
        r"(?:\\(?:033|x1b|u001b|e|0x1b|27)|\^\[)(?:\]|p|_|\^|\\{1,2}\]|\[[\d;?]{0,12}(?:[a-ln-z@]|8m))|(?<![`'\"(|])(?:\\(?:033|x1b|u001b|e|0x1b|27)|\^\[)\[(?:[\d;?]{0,20}m|$|\W)|\\(?:x9b|u009b)[\d;?]",
    ),
    # --- destroys
    _Kind(
        _DESTROYS,
        ("rm -", "rmtree(", ":(){", "mkfs", "of=/dev/", "drop database", "--no-preserve-root", "format c:", "del /", "delete", "wipe", "erase", "remove-item", "destroy", "fork"),
        r"\brm (?:-\w+ ){1,3}(?:--no-preserve-root )?[\"']?(?:/(?:\*|\s|$|[`'\"]|etc|usr|home|var\b(?!/(?:lib/apt|cache|tmp)))|~/?(?:\s|$|[`'\"*])|\$home\b(?!/)|\*(?:\s|$)|\.(?:\s|$))|rmtree\([\"'](?:/|~)[\"']|:\(\) ?\{ ?:\|:|\bmkfs\.\w|\bdd [^\n]{0,60}of=/dev/(?:sd|nvme|hd|disk)|--no-preserve-root|\bformat c:|remove-item [^\n]{0,40}-recurse[^\n]{0,20} (?:c:|/|~)"
        r"|\b(?:delete|wipe|erase|destroy|drop)\b (?:all|every|the (?:whole|entire|production|user's|users'?|customer)|everything)(?: (?:of|the|in|on|its|user'?s?|production|customer))* ?(?:database|backups?|repositor(?:y|ies)|files|home (?:directory|folder)|data\b(?! (?:you|that|of the test))|disk|tables|tests|the tests)\b(?! (?:created|from the test|in the (?:temp|test|build)|you created|older|generated|before re))",
    ),
)  # fmt: skip

_WARNS = re.compile(
    r"\b(?:never|do not|don'?t|must(?: not|n'?t)|should(?: not|n'?t)|can ?not|can'?t|may not|avoid|avoids|without|instead of|rather than|refuse|refuses|reject|rejects|flag|block|blocks|forbid\w*|prohibit\w*|disallow\w*|not allowed to|no one|nobody"
    r"|report|detect|detects|warn|warns|beware|prevent\w*|stop|no longer|not to|treat|unless|against|dangers?|risks? of|attacks? (?:such as|like)|nor|neither)\b"
)
_TURNS = re.compile(
    # Where a clause ends, and with it the reach of a warning in front.
    r"[.;!?…]+(?= |$)|,? but\b|\binstead\b(?! of)|\bhesitate\b|\bwait\b|\bforget\b|\bfail to\b|[:,—\u2013-] (?:just |simply |then |always |instead |please |only )?(?:run|use|execute|do|call|send|post|add|set|pass|pipe|download|install|then|always|just)\b"
)
_BEHIND = re.compile(
    r"^\W{0,4}(?:nowhere|never)\b|^[^.!?]{0,100}?\b(?:is|are|was|were|counts? as|must be|should be|would be|can|could|may) (?:\w+ ){0,2}?(?:forbidden|not allowed|dangerous|unsafe|insecure|blocked|prohibited|banned|refused|rejected|disallowed|malicious|suspicious|a risk|an attack|a hole|a leak|untrusted|harmful|never|removed|stripped|escaped|leak|attacks?)\b"
    r"|^[^.!?]{0,60}?\bas (?:an? )?(?:attack|injection|risk|leak|malicious|dangerous|untrusted|red flag)\b|^[^.!?]{0,40}?[:,—\u2013-] ?(?:never|don'?t|do not|refuse|that is an attack|this is an attack)\b"
)
_SPEAKS = re.compile(
    # A sentence that is about a command, and not one that tells to use it.
    r"\b(?:use|run|pass|add|set|call|commit|push|with|export|always|append|invoke|execute|try|include|enable|apply|put|type|specify|give|configure|install|git|curl|wget|npm|pip3?|mvn|docker|sudo|ssh|claude|codex|yarn|pnpm|usa|utiliza|verwende|nutze|utilise|usare|pon|используй)\b"
)


def acting(views: Views) -> str | None:
    """The kind of a lesson that acts, or None."""
    text = views.folded.replace("\u2019", "'")
    words = ""
    for kind, pattern in _compiled():
        if contains_any(text, kind.needles):
            if kind.words:
                words = words or bare(text)
            where = words if kind.words else text
            for match in pattern.finditer(where):
                if not _warned(where, *match.span()) and (
                    not kind.advised
                    or _SPEAKS.search(
                        _TURNS.split(where[max(0, match.start() - 80) : match.start()])[-1] + match[0]
                    )
                ):
                    return kind.told
    return None


def acts(views: Views) -> str | None:
    """The screen for lessons that act."""
    kind = acting(views)
    return None if kind is None else f"{ACTS} ({kind})"


_LOOKS = re.compile(
    r"\b(?:reads?|reviews?|inspects?|verify|verifies|checks?|audits?|looks? at|compares?) (?:it|them|the|its|what|that)\b"
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
def _compiled() -> tuple[tuple[_Kind, re.Pattern[str]], ...]:
    return tuple((kind, re.compile(kind.pattern)) for kind in _KINDS)
