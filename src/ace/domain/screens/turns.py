"""Texts that pose as a turn of the conversation: tokens of chat templates, tags of agents, and lines that begin with a role.

A token in the middle of a sentence that speaks about it ("strip [INST] from the output") is a mention, and passes; at the
start of a sentence, at a word, or before a role it is a turn. `System: Linux x86_64` names something; a role with an
instruction behind it is a turn. To add a token or a tag, add it to its class.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from ace.domain.screens.gates import Gate, compiled
from ace.domain.screens.views import Views, contains_any

__all__ = ["turn"]

_NAMED = r"(?:system|sys|user|usr|assistant|human|developer|ai|bot|model|admin|agent|tool)"
_ROLES = r"(?:system|developer|human|user|assistant|model|tool|operator)"


class _Kind(NamedTuple):
    """What a person is told, parts of which one must be in the folded text, and the pattern."""

    told: str
    marks: tuple[str, ...]
    pattern: str


_TEMPLATE = "a token of a chat template"
_TAG = "a tag of an agent's protocol"
_ROLE = "a turn of a conversation"

_KINDS = (
    # A full-width bar is folded to `|` by then.
    _Kind(_TEMPLATE, ("<|",), r"<\|[\w▁:/-]{1,40}(?:\|?>|(?=[\s\w]*$))"),
    _Kind(
        _TEMPLATE,
        ("<|",),
        (
            r"<\|(?:im_start|im_end|start_header_id|end_header_id|eo[tm]_id|channel|message|system|user"
            r"|assistant|endoftext|end_of_\w{1,12}|begin_of_\w{1,12})\b(?!\|?>)"
        ),
    ),
    _Kind(_TEMPLATE, ("|>",),
        (
            r"(?<![\w|])<?/?(?:im_start|im_end|start_header_id|end_header_id|eo[tm]_id|channel|turn|message"
            r"|system|user|assistant|endoftext|end|start|think|tool_\w{1,12}|end_of_\w{1,12}"
            r"|begin_of_\w{1,12})\|>"
        )),
    _Kind(
        _TEMPLATE,
        ("[", "sys>>", "]~"),
        (
            r"\[/?(?:inst|sys|system_prompt|tool_calls?|tool_results?|tool_content|available_tools|call_id|args"
            r"|think|system|assistant|developer|human|gmask|instructions?|middle_word|cls|sep|pad|bos|eos|unk"
            r"|mask|unused_?\d{1,4}|(?:system|developer|admin)[ _-](?:message|note|prompt|override|notice"
            r"|instructions?|update|alert))\](?!\()(?<!instructions\](?=\[))|<</?sys>>|\]~!?b\[|\]~b\]|\[e~\["
        ),
    ),
    _Kind(
        _TEMPLATE,
        ("<",),
        r"</?(?:bos|eos|mask|cls|sep|im_\w{1,12}|ctrl\d{1,3}|usr|eod|eot|sop|eop|unk|pad|s|(?:start|end)_function_\w{1,20}|start_of_\w{1,20}"
        r"|end_of_\w{1,20}|begin(?:ning)?_of_\w{1,20}|_(?:user|bot|system|end|start|assistant)|seed:\w{1,30}"
        r"|special_\d{1,4}|reserved_\w{1,20}"
        r"|unused\d{1,4}|extra_id_\d{1,4}|fim_\w{1,10}|start_header_id|end_header_id)\|?>",
    ),
    _Kind(
        _TAG,
        ("<",),
        r"<(?<![\w:/@.<]<)/?(?:(?:system|developer|assistant)(?:[-_](?:prompt|message|reminder|instructions?"
        r"|note|override|info|notification))?"
        r"|(?:user|human|operator)[-_](?:query|message|prompt|input|request|turn|instructions?|info|rules"
        r"|action)|(?:human|instructions?)(?=>(?:.{0,400})</))(?: [^<>]{0,80})?>(?![:@/])",
    ),
    _Kind(_TAG, ("<user>", "<ai>", "<bot>", "<human>", "</user>", "</ai>", "</bot>", "</human>", "<<", ">>"),
        (
            r"<(?<![\w:/@.<]<)(user|ai|bot|human)>(?=[^<]{0,400}</\1>)|^\W{0,3}<(?:user|human|ai"
            r"|bot)>(?![:@/.-])|</(?:user|human|ai|bot)>|<</?(?:human|user|system|assistant)[a-z_]{0,30}>>"
            r"|\b(?:human|user|system|assistant) ?>{2,3}(?= ?\w)"
        )),
    _Kind(
        _TAG,
        ("<",),
        (
            r"<(?<![\w:/@.<]<)/?(?:antml:)?(?:function_(?:calls?|results?|response)|invoke|parameter"
            r"|tool_(?:calls?|use|results?|response|output|code|outputs)|tool_calls_section|tools"
            r"|function(?==)|toolcall|api_(?:call|response|result)|tool_result_\w{1,10}|command_(?:output|result)|search_results?)(?:[ =][^<>]{0,120})?/?>"
        ),
    ),
    _Kind(
        _TAG,
        ("<",),
        (
            r"(?:^|[.!?] )\W{0,3}<(?:reasoning|reflection|observation)>|<(?<![\w:/@.<]<)/?(?:think|thinking|thoughts?|(?:reasoning|reflection|observation)(?=>[^<]{0,400}</)|final_answer"
            r"|scratchpad|[\w-]{0,20}important[\w-]{0,20}|critical|environment_(?:context|details)|policy"
            r"|admin|override|critical_\w{1,20})(?: [^<>]{0,80})?>"
        ),
    ),
    _Kind(_ROLE, ("##",),
        (
            rf"#{{2,6}} ?(?:{_ROLES}|instructions?|response|input|new instructions?)(?: (?:prompt|message"
            rf"|instructions?|note|override))? ?:(?! ?$)|#{{2,6}} ?(?:system|human|assistant"
            rf"|developer)(?: (?:prompt|message|instructions?))? ?:"
        )),
    _Kind(
        _ROLE,
        ("end of", "begin", "start of", "=== ", "--- ", "[[", "system]"),
        r"(?<![-=*#_<\[])[-=*#_<\[]{2,} ?(?:begin|end|start|new)(?: of)?(?: (?:the|user|this|all|hidden"
        r"|secret|new|admin|real))* (?:system|user|developer|prompt|input|document|context|conversation"
        r"|instructions?|data|message|admin)(?: (?:prompt|message|instructions?|input|query|data"
        r"|content))? ?[-=*#_>\]]{2,}"
        r"|(?<![=*#_\[])[=*#_\[]{2,} ?(?:system|developer|admin|assistant)(?: (?:prompt|message|note"
        r"|override|instructions?|update))? ?[=*#_\]]{2,}",
    ),
    _Kind(
        _ROLE,
        ("role",),
        r"(?:^\W{0,6}|\{\s{0,4})[\"']?role[\"']? ?[:=] ?[\"'](?:system|user|assistant|developer|tool|function|model|admin)[\"']",
    ),
    _Kind(
        _TAG,
        ("{",),
        r"\{[^{}]{0,200}[\"']type[\"'] ?: ?[\"'](?:function_call(?:_output)?|tool_(?:use|result|call|calls)|computer_call(?:_output)?|mcp_\w{1,20}|reasoning)[\"'](?=[^}])"
        r"|\{[^{}]{0,200}[\"'](?:tool_calls?|function_call|tool_call_id)[\"'] ?: ?[\[{\"']"
        r"|\{[^{}]{0,80}[\"'](?:name|tool|action)[\"'] ?: ?[\"'][\w.-]{1,40}[\"'],? ?[\"'](?:arguments|parameters|args|input|action_input)[\"'] ?: ?[{\"']"
        rf"|\{{\{{[#~/ ]{{0,3}}{_NAMED}[~ ]{{0,2}}\}}\}}|\{{% ?{_NAMED} ?%\}}",
    ),
    _Kind(_TEMPLATE, ("[|", "<||"), r"\[\|/?\w{1,20}\|\]|<\|\|\w{1,20}\|\|>"),
    _Kind(_TAG, ("to=", "recipient="), r"\b(?:to|recipient)=(?:functions|tools?|python|browser|container|multi_tool_use)\b"),
    _Kind(_TAG, ("role=", "from=", "<"), rf"<(?:message|msg|turn|chat|entry|speaker)\b[^<>]{{0,40}}(?:role|from|author|speaker|name) ?= ?[\"']?{_NAMED}\b"),
    _Kind(_TAG, ("</",), r"<(prompt|directive|orders?|lesson|agent|ai|new[-_]\w{1,20}|ai[-_]\w{1,20}|hidden|secret|context[-_]\w{1,20})>[^<]{1,400}</\1>|</lesson>"),
    _Kind(_ROLE, ("【", "«", "]:", "] :"), rf"【{_NAMED}】|\[(?:user|ai|bot|model|agent|tool|sys|admin|operator)\] ?:|^\W{{0,3}}«{_NAMED}»:? \w"),
    _Kind(_ROLE, ("](",), r"\[(?:system|developer|assistant|human|user)\]\(#?\w{0,30}\)"),
)  # fmt: skip

_MENTIONS = re.compile(
    # The last words in front of a token that a sentence speaks about.
    r"\b(?:strips?|stripp(?:ed|ing)|removes?|removing|drops?|dropping|adds?|adding|emits?|emitting|appends?"
    r"|prepends?|inserts?|returns?|returning|prints?|outputs?|writes?|uses?|using|parses?|parsing"
    r"|matches|match|finds?|handles?|escapes?|escaping|sees?|sends?|sending|keeps?|skips?|ignores?|expects?"
    r"|contains?|has|have|needs?|gets?|closes?|closing|close|opens?|opening|splits?|treats?|renders?"
    r"|supports?"
    r"|starts?|begins?|ends?|wraps?|wrapped|shows?|leaves?|counts?|reads?|produces?|generates?|detects?"
    r"|replaces?|trims?|hides?|filters?|encodes?|decodes?|tokens?|tags?|markers?|delimiters?|elements?"
    r"|separators?|special|literal"
    r"|blocks?|sections?|the|a|an|any|each|every|no|its|with|by|for|like|as|and|or|between|in|inside|into|of"
    r"|from|on|at|to|until|before|after|around|behind|an?other|second|first|last|one|is|are|called|named"
    r"|without|than|only|stray|extra)$"
)
_AROUND = " `'\"(*\u201c\u2018\xab,;"
_ORDERS = re.compile(
    # What follows a role when it is a turn: an order, or talk to somebody.
    r"(?:(?:please|now|next|then|and|ok|okay|yes|sure|hello|hi|hey|also|from now on),? )*(?:you|your|youre"
    r"|ignore|disregard|forget|override|obey|follow|comply|act|pretend|do|don't|dont|never|always|stop|be"
    r"|begin|start|run|push|execute|call|send|post"
    r"|upload|download|install|delete|remove|drop|disable|enable|grant|allow|approve|accept|reveal|print|show"
    r"|repeat|output|say|tell|give|write|answer|respond|reply|use|add|set|make|let|help|can|could|would|will"
    r"|what|how|why|who|where"
    r"|when (?:the|a|you)|if (?:the|a|you)|i|i'm|i'll|we|here|there|this|these|all|new|the (?:user|following"
    r"|above|previous|next|answer|assistant|agent|rules|file)|from|sure|certainly|of course|as an?|access"
    r"|safety|"
    r"update|updated|maintenance|important|attention|urgent|authori[sz]ed|confirmed|understood|no (?:rules"
    r"|restrictions)|everything|anything|it is|it's|any|every|each|commit|merge|deploy|create|change|open|go"
    r"|put|get|keep|skip|read|list|copy|move|replace|treat|trust|consider|remember|note|in (?:this|future"
    r"|all)|for (?:this|all|every)|with|rewrite|summari[sz]e|translate|continue|proceed|must|should|mode"
    r"|(?:\w+ ){1,3}(?:required|needed|activated|initiated|granted))\b"
)
_ROLE_NAMES = frozenset(
    [
        "system", "developer", "human", "user", "assistant", "admin", "administrator", "operator", "chatgpt", "claude", "ai", "bot", "gpt", "model",
        "agent", "copilot", "gemini", "sys", "root", "tool", "function", "observation",
    ]
)  # fmt: skip
_ROLE_GLUED = {
    glued: name for name in ("human", "user", "assistant", "system") for glued in (f"nn{name}", f"n{name}")
}
"""How a word is read in front of which a line break is written out."""
_BEFORE = re.compile(
    r"(?:^[^\w:]{0,12}|(?:\\[nr]){1,4} ?|[.!?…>)\]\"'”*] ?[^\w:]{0,6})(?:(?:gpt4? correct|ai|your|the) )?$"
)
_ROLE_LINE = re.compile(
    r"(?P<kind>(?:['s]{0,2} (?:prompt|message|instructions?|note|alert|notice|override|update|command|directive|reminder|warning|announcement|request|turn|output|result|response))?)"
    r"(?P<close>[*_`\])]{0,4}) ?(?::|>{1,3}(?= ?\w)) ?[*_]{0,3} ?(?P<said>[^\n]{0,200})"
)
_ASKED = re.compile(r"^[\"'\u201c\u2018\xab`]")
_NOTE = re.compile(
    r"(?:^[^\w]{0,6}|[.!?…] ?|[\[(<!-]+ ?)(?:(?:important|urgent|critical|official|new) )?(?:(?:system|developer"
    r"|admin(?:istrator)?|operator|root)[ -](?:note|alert|notice|override|update|command|directive"
    r"|reminder|announcement|message|instructions?)|(?:system|developer|admin) prompt(?=[*_`\])]{0,4} ?: ?[*_]{0,3} ?(?:you|ignore|do|never|always|act|forget|disregard|from))|security (?:alert|override|command|directive))[*_`\])]{0,4} ?:"
    r"|(?:^\W{0,8}|[.!?…\])}>'\"-] ?|ai )(?:(?:important|urgent|special|critical|hidden|final) )?(?:note|message|attention|reminder|memo)(?: to)(?: (?:the|all|any"
    r"|every|ai|coding|llm|language|future))* (?:assistants?|ai|agents?|models?|llms?|chat ?bots?|bots?"
    r"|chatgpt|claude|copilot|reviewers?)\b[^\n.:]{0,40}:"
    r"|(?:note|message|instructions?|orders?|words?) from (?:the |your )?(?:system|developers?|admin\w{0,10}"
    r"|operator|owner|security team|openai|anthropic)[^.:]{0,20}:"
    r"|\bthought: .{0,300}\baction: \w|^\W{0,4}role ?: ?(?:system|assistant|developer)\b(?: ?$| content\b)"
    r"|(?:message|instructions?|orders?) for(?: (?:the|any|every|ai|llm|language))* (?:assistants?|ai|agents?|models?|llms?|chat ?bots?)\b ?:(?= ?(?:you|ignore|disregard|do|stop|always|never|please))"
    r"|^\W{0,3}\((?:for|to)(?: (?:the|all|any|every|ai|coding|llm))* (?:assistants?|agents?|models?"
    r"|llms?)\)[^\n.:]{0,20}:"
    r"|(?:^|[.!?] ?)(?:embedded|hidden|internal|secret) (?:note|message|instructions?)s? ?(?:[:]|(?:to"
    r"|for) (?:the )?(?:assistant|ai|agent|model))"
)  # fmt: skip


_NOTES = frozenset(
    [
        "note", "notes", "message", "messages", "instruction", "instructions", "attention", "reminder", "reminders", "important", "memo", "order",
        "orders", "words", "word", "alert", "alerts", "notice", "notices", "override", "overrides", "update", "updates", "command", "commands",
        "directive", "directives", "announcement", "announcements", "prompt",
    ]
)  # fmt: skip
_SENDERS = frozenset(
    [
        "system", "developer", "developers", "admin", "administrator", "operator", "owner", "security", "root", "openai", "anthropic", "embedded",
        "hidden", "internal", "secret",
    ]
)  # fmt: skip
_READERS = frozenset(
    [
        "assistant", "assistants", "ai", "agent", "agents", "model", "models", "llm", "llms", "chat", "chatbot", "chatbots", "bot", "bots", "chatgpt",
        "claude", "copilot", "reviewer", "reviewers",
    ]
)  # fmt: skip
_THOUGHT = frozenset(("thought", "action"))
"""What the wordings of `_NOTE` have: a word of a note, and who sends or reads it."""


def _notes(words: frozenset[str]) -> bool:
    """Whether a text of these words may hold a note as a system writes one."""
    if not words.isdisjoint(_NOTES):
        return not (words.isdisjoint(_SENDERS) and words.isdisjoint(_READERS))
    return (
        words >= _THOUGHT
        or ("for" in words and not words.isdisjoint(_READERS))
        or ("role" in words and not words.isdisjoint(_SENDERS))
    )


def turn(views: Views) -> str | None:
    """The screen for texts that pose as a turn of the conversation."""
    text, marks = views.folded, views.marks
    kind = _token(text, views.words, marks)
    if kind is None and not marks.isdisjoint(":>"):
        kind = _line(text, views.words)
    if kind is None and "begin" in views.words and _BEGUN.search(text):
        kind = _ROLE
    return None if kind is None else f"an instruction override ({kind})"


_BEGUN = re.compile(
    r"\bbegin (?:of )?(?:(?:new|the) )?(system|developer|admin|context|user|assistant|instructions?|prompt)\b.{0,600}?\bend (?:of )?(?:(?:new|the) )?\1\b"
)


_GATE = Gate([[" ".join(re.split(r"\W", mark)[0] or mark[0] for mark in kind.marks)] for kind in _KINDS])
"""A character or a word of a text leads to a kind: the first of one of its marks."""


def _token(text: str, words: frozenset[str], marks: frozenset[str]) -> str | None:
    for at in _GATE.opened(words | marks):
        kind = _KINDS[at]
        if contains_any(text, kind.marks):
            for match in compiled(kind.pattern).finditer(text):
                if not _mentioned(text, *match.span()):
                    return kind.told
    return None


def _mentioned(text: str, start: int, end: int) -> bool:
    """Whether the sentence around a token speaks about it."""
    before = text[max(0, start - 60) : start]
    stripped = before.rstrip(_AROUND)
    if not before or stripped == before or _BEHIND.match(text, end) is None:
        # At the start, right at a word, or with something said inside of it.
        return False
    if stripped and text[start - 1] == text[end : end + 1] == "`":
        # A name in a sentence, written as one.
        return True
    return _MENTIONS.search(stripped) is not None or _RUN.search(stripped) is not None


_BEHIND = re.compile(
    rf"(?:system|user|assistant)?[`'\"*)\u201d\u2019\xbb]{{0,4}}(?:$|[.,;:!?…/)]|(?: |$)(?!{_ROLES}\b[ :]))|(?: ?(?:…|\.\.\.) ?)</"
)
_RUN = re.compile(r"[>\])][`'\"]{0,3}(?:[,/]| (?:and|or|to)|…|\.\.\.)?$")


def _line(text: str, words: frozenset[str]) -> str | None:
    """Whether a line begins with a role that says something, or a note to whom reads it."""
    named = words & _ROLE_NAMES
    if len(words) > len(named) and not words.isdisjoint(_ROLE_GLUED):
        named |= {_ROLE_GLUED[word] for word in words if word in _ROLE_GLUED}
    roles = set[str]()
    for match, role in sorted(_spoken(text, named), key=lambda one: one[0].start()):
        roles.add(role)
        told = "poses as the system" if role in ("system", "developer", "sys", "root") else _ROLE
        said = match["said"].lstrip("*_ ")
        emphasised = bool(match["close"].strip("])")) and not match["kind"]
        if not said or _ASKED.match(said):
            continue
        if match["kind"] and (role not in _LESS or _ORDERS.match(said) or _GRANTED.search(said)):
            return told
        if not emphasised and (
            (_ORDERS.match(said) and role not in _LESS)
            or len(roles - _LESS) > 1
            or (role in roles and len(roles) > 1 and _ORDERS.match(said))
        ):
            return told
    return "poses as the system" if _notes(words) and _NOTE.search(text) else None


def _spoken(text: str, named: frozenset[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Where one of these roles speaks: what follows it."""
    for role in named:
        at = text.find(role)
        while at >= 0:
            match = _ROLE_LINE.match(text, at + len(role))
            if match is not None and _BEFORE.search(text[max(0, at - 32) : at]):
                yield match, role
            at = text.find(role, at + 1)


_LESS = frozenset(
    ("model", "agent", "copilot", "gemini", "root", "tool", "function", "observation", "sys", "gpt", "bot")
)
"""Names that are more often something else at the start of a line."""
_GRANTED = re.compile(
    r"\b(?:user|owner|admin|access|approved?|granted|authori[sz]ed|permission|confirmed|agreed|allowed|unlocked|enabled)\b"
)
