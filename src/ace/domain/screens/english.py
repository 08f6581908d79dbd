"""Instruction overrides in English: texts that tell an agent to drop what it was told, or to obey somebody else.

The rows of `_KINDS` are wordings that had to be exact: a verb and an object (`_DROP`, `_OBJECTS`), or one of the other kinds. Those of
`_NEAR_KINDS` ask only that a verb and what an agent was told (`_TOLD`) are near each other in one sentence. To widen a kind, add a
word to its class; to add a kind, add a row: what a person is told, words of which one must be there, and a pattern.
Patterns are matched against `bare` text, in which only words, commas and the ends of sentences are left, and must run in linear
time. What is warned against ("never ignore the rules above") is a lesson: `clauses.forbidden`.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from ace.domain.screens.clauses import forbidden
from ace.domain.screens.gates import Gate, compiled
from ace.domain.screens.views import Views

__all__ = ["english", "vocabulary"]


class _Kind(NamedTuple):
    """A kind of override: what a person is told; words of which one must be there, and others and again others of which one must be
    there, too, so that most patterns are never tried; and its wordings.
    """

    told: str
    verbs: str
    others: str
    pattern: str
    also: str = ""
    far: bool = False


# --- verbs ------------------------------------------------------------------------------------------------------------

_FOLLOW = (
    r"(?:(?:(?:do|need|should|must|shall|will|may) not|cannot|dont|neednt|shouldnt|mustnt|wont|never"
    r"|no longer|stop|cease|quit)"
    r"(?: (?:ever|longer|again|have|need|bound|obliged|required|feel bound|care|bother|worry))*(?: to| about"
    r"| by)? "
    r"(?:follow|obey|respect|heed|honou?r|observe|keep to|stick to|abide by|comply with|adhere to|listen to"
    r"|rely on|apply|enforce|care about|worry about|be bound by"
    r"|following|obeying|respecting|heeding|honou?ring|observing|abiding by|complying with|adhering to"
    r"|listening to|applying|enforcing))"
)
_DROP = (
    r"(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?(?: about)?|overrid(?:e|es|ing)|overrul(?:e"
    r"|es|ing)|bypass(?:es|ing)?"
    r"|circumvent(?:s|ing)?|evad(?:e|es|ing)|dismiss(?:es|ing)?|neglect(?:s|ing)?|overlook(?:s|ing)?|discount"
    r"|violat(?:e|es|ing)|disobey(?:s|ing)?"
    r"|defy|break(?: free)?(?: of| from| out of)?|(?:go|act|work) against|nullify|annul|pay no (?:attention"
    r"|heed|mind|regard) to|give no (?:weight|heed) to"
    r"|take no notice of|throw (?:out|away)|toss(?: out| away| aside)?|scrap|ditch|do away with|get rid of"
    r"|rid yourself of|let go of|move past|look past"
    rf"|turn (?:a blind eye|a deaf ear) to|(?:cast|brush|push|lay) aside|never mind|suspend|abandon|forsake"
    rf"|{_FOLLOW})"
)
_SHED = (
    r"(?:skip|drop|discard|omit|cancel|delete|erase|revoke|remove|clear|wipe|purge|reset|void|lift|disable"
    r"|deactivate|turn off|switch off|shut off"
    r"|unlearn|abandon|scrap|suspend|override|(?:put|set|leave) aside|stop using)"
)

# --- objects ----------------------------------------------------------------------------------------------------------

_FILL = (
    r"(?: (?:all|any|each|every|one|of|the|your|its|my|our|their|these|those|this|that|other|and|or|whatever"
    r"|users?|single|entire|whole|set|list|pretty|much)){0,7}"
)
_FORMER = (
    r"(?:previous(?:ly)?|prior|earlier|preceding|foregoing|above|aforementioned|former|past|existing|current"
    r"|original|initial|old|older"
    r"|default(?! (?:prompt|polic|command))|standing|hidden|built in|hard ?coded|baked in|underlying|system"
    r"|developer|operators?|safety|pre ?set|pre ?defined)"
)
_RULES = (
    r"(?:instruct\w{0,8}|rules?(?: ?sets?| ?books?)?|prompt(?:s|ing)?|directives?|guidelines?|guidance"
    r"|guard ?rails?"
    r"|polic(?:y|ies)|constraints?|restrictions?"
    r"|mandates?|protocols?|safeguards?)"
)
_WORDS = r"(?:messages?|commands?|directions?|context|conversations?|training|programming)"
_BETWEEN = (
    # Rules of tools are not rules of the agent.
    r"(?: (?!(?:\w{0,4}lint(?:er|ers|ing)?|ruff|css|style|format(?:ter|ting)?|build|make|firewall|routing"
    r"|rate|type|network|proxy|validation|retention|cors"
    r"|lifecycle|billing|pricing|cache|retry|cleanup|database|schema|alert\w*|iam|bucket)\b)\w+){0,2}"
)
_ELSEWHERE = (
    # Rules in the files of a tool are not rules of the agent, unless the file is one that agents read.
    r"(?! (?:in|from|of|under|inside|for|within)(?: (?:the|your|our|a|this|each|its|all))?"
    r"(?: (?!(?:agents|claude|gemini|rules|skill|soul|playbook|copilot instructions)\.md)[\w/.]*[./]\w+"
    r"|(?: \w+)? (?:\w*lint\w*|ruff|mypy|prettier|editorconfig|git\w*|nginx|apache|iptables|firewall|robots"
    r"|css|stylesheets?|makefile|compiler|formatter|parser"
    r"|generated|vendored|third|legacy|tests?|migrations?|terraform|webpack|cursor)\b))"
)
_SAID = (
    r"(?: (?:that|which|you|youve|i|ive|we|weve|they|were|was|have|been|has|had|are|is|came|come|comes|stand"
    r"|stands|given|said|written|stated|got|received|ever|already))"
    r"{0,7}"
)
_ENDS = r"(?= ?(?:$|[.,;:!?]|and\b|now\b|then\b|but\b|instead\b|please\b))"
_SAFETY = (
    r"(?:(?:safety|ethic(?:s|al)?|moral(?:ity)?|content|moderation|alignment|security|usage|compliance"
    r"|openais?|anthropics?|ai safety)"
    r"(?: (?:and|or|safety|security|moderation|content|ethical))* (?:filters?|filtering|guard ?rails?"
    r"|protocols?|measures?|rules?|guidelines?|polic(?:y|ies)|restrictions?|constraints?|training"
    r"|stuff|things?|mechanisms?|safeguards?|standards?|principles?|boundaries|limits?|limitations?|concerns?"
    r"|considerations?)"
    r"|guard ?rails)"
)
_AGENTS_FILE = (
    r"(?:file|notes?|playbook|lessons?|bullets?|block|rule ?book|rules file|context|conversation|chat"
    r"|(?:system )?prompt|(?:agents|claude|gemini|rules|skill)\.md)"
)
_OWN = (
    r"your(?: own)?(?: (?!job\b|linter\b|editor\b|code\b|test\b)\w+){0,2}?"
    r" (?:rules|training|programming|conditioning|ethics|morals|alignment|filters?|safeguards?|guard ?rails"
    r"|restrictions?|limitations?|boundaries|censorship|principles|directives?"
    r"|guidelines?|policies|instructions?|constraints|(?:system )?prompt|core values)\b(?! (?:errors?|files?"
    r"|output|templates?|that (?:fail|match))\b)"
)

_OBJECTS = "|".join(
    (
        # What an agent was told, an alternative a line.
        rf"{_FILL} {_FORMER}{_BETWEEN} {_RULES}\b{_ELSEWHERE}",
        (
            rf"{_FILL}(?<! my) {_FORMER}(?: (?:system|developer|users?))? {_WORDS}\b(?! (?:of|errors?|logs?"
            rf"|lines?|types?)\b)"
        ),
        (
            rf"{_FILL} (?:{_RULES}|{_WORDS}|orders?){_SAID} (?:above|so far|told|earlier|previously"
            rf"|before{_ENDS}|in your system"
            rf"|in (?:this|the|your) (?:system (?:prompt|message)|{_AGENTS_FILE})|given(?! (?:in|inside"
            rf"|within|through|via|by)\b)"
            r"|given by (?:the |your )?(?:system|developer|user|operator)|(?:you|i) (?:have|had|got|know"
            r"|carry|hold)"
            r"|from (?:the |your )?(?:system|developer|user|operator|owner)\b(?! (?:that|which|who|if"
            r"|unless)\b))"
        ),
        (
            rf" (?:everything|anything|all|what|whatever|any|most)(?: of)?(?: it| that| this| the"
            rf"| your)?{_SAID} (?:told|taught|learned|instructed|trained on|(?:above|before|so far|earlier"
            rf"|previously){_ENDS})(?! to\b)"
        ),
        (
            r"(?: \w+){0,3} (?:you|i|we|they)(?:ve)?(?: (?:have|had|were|was|been|ever|already|just"
            r"|previously)){1,4} (?:told|instructed|taught|trained|asked)\b(?! (?:to|for|not)\b)"
        ),
        (
            r" (?:everything|anything|all|what|whatever)(?: the| your| this| these| that)? (?:system"
            r"|developer|operator|owner|user|file|playbook|notes?|rules?|document|block|prompt|agents\.md"
            r"|claude\.md)"
            r"(?: (?:prompt|message|file|md))? (?:said|says?|told|tells?|wrote|wants?|asks?|asked)"
        ),
        r"(?: (?:all|any|of|everything|each))*(?: (?:the|your|these|those|my|our))? (?:above|preceding"
        r"|foregoing)(?: (?:text|content|paragraphs?|lines?|lessons?|notes?|bullets?|section|stuff))?"
        + _ENDS,
        (
            r" (?:everything|anything|all|whatever)(?: \w+){0,3} (?:above|up to (?:now|here|this point)"
            r"|before (?:this|now)|until now|till now)\b"
        ),
        (
            rf" (?:all|any)(?: of)?(?: (?:the|your|these|those|my"
            rf"|our))?(?: other)? {_RULES}\b{_ELSEWHERE}(?! (?:matching|that (?:match|fail|do|are|have)|which"
            rf"|with|whose|on|about|engine|files?|errors?|violations?|templates?)\b)"
        ),
        (
            rf"(?: (?:all|any|of|the|each|every))*(?: (?:other|remaining|rest of the"
            rf"|rest of these))(?: (?:lessons|rules|bullets|notes|instructions|directives"
            rf"|guidelines))(?: (?:in|of|here)(?: (?:this|the|your))? {_AGENTS_FILE})?{_ENDS}"
        ),
        rf" {_OWN}",
        rf"(?: (?:all|any|the|your|its|every|of|those|these|that))* {_SAFETY}\b",
        (
            rf" (?:this|these) (?:file|playbook|notes|lessons|rules|instructions|guidelines)(?: (?:altogether"
            rf"|entirely|completely|from now on))?{_ENDS}"
        ),
    )
)
_DROPPED = (
    # What verbs with another daily use must have behind them.
    rf"(?:{_FILL} (?:previous|prior|earlier|above|preceding|foregoing|former|system) (?:instructions?"
    rf"|directives?|prompts?)\b"
    rf"|(?: (?:all|any|of))* your(?: (?:own|previous|prior|current|safety|content|ethical|system|internal"
    rf"|initial|original|hidden))*"
    r" (?:instructions?|guard ?rails|restrictions|training|programming|ethics|morals|content filters?"
    r"|safety \w+|system prompt|guidelines|directives|censorship|limitations)\b"
    r"(?! (?:files?|templates?|errors?)\b)"
    r"|(?: (?:all|any|the|your|of))* (?:safety|ethical|moral|moderation) (?:filters?|guard ?rails?|protocols?"
    r"|restrictions?|constraints?|guidelines?|limits)\b"
    rf"|(?: (?:all|everything|the))* above{_ENDS})"
)
_TARGET = (
    rf"(?:(?:all|any|the|your|these|those|previous|prior|every|each|of|my"
    rf"|our) ){{0,4}}(?:{_FORMER}(?: \w+)? (?:{_RULES}|{_WORDS})|{_SAFETY}|(?<=your ){_RULES})"
)
_VOID = (
    r"(?:null and void|null|void(?:ed)?|invalid(?:ated)?|cancell?ed|revoked|rescinded|suspended|lifted"
    r"|removed|overridden|superseded|replaced|obsolete|outdated|deprecated|expired"
    r"|annulled|disabled|deactivated|off|gone|meaningless|irrelevant|worthless|wrong|no longer (?:valid"
    r"|binding|active|relevant|in (?:force|effect))|not (?:binding|valid))"
)
_LIMITS = (
    r"(?:rules?|restrictions?|limits|limitations?|instructions|guidelines|polic(?:y|ies)|filters?|filtering"
    r"|guard ?rails|censorship|boundaries|constraints|ethics|ethical \w+|morals?|morality"
    r"|moral \w+|refusals?|refusing|disclaimers?|warnings?|content polic(?:y|ies)|hesitation|prohibitions"
    r"|inhibitions)"
)
_AI = (
    r"(?:ai|a\.i\.|assistant|model|chat ?bot|bot|agent|persona|character|chatgpt|gpt|llm|dan|entity"
    r"|version of (?:yourself|you))"
)
_LOOSE = (
    r"(?:unrestricted|uncensored|unfiltered|unlimited|unbound|jailbroken|amoral|immoral|unethical|unhinged"
    r"|unaligned|evil|rogue|lawless|non ?restricted|unshackled|liberated)"
)
_MODES = (
    r"(?:developer|dev|god|dan|jailbreak|jailbroken|unrestricted|unfiltered|uncensored|evil|opposite|override"
    r"|no limits?|root access|do anything)"
)
_DUTIES = (
    r"(?:debug|admin|administrator|maintenance|root|sudo|system|diagnostic|test|safe|training|service"
    r"|recovery|superuser)"
)
_SECRETS = (
    r"(?:secret (?:key|string|code|word)|pass(?:word|phrase|code)s?|credentials?|private key"
    r"|secrets?\b(?! (?:to|of|garden|santa|sauce|ingredient|recipe|service|agent|life|behind)\b)"
    r"|api keys?|access (?:code|key|token)s?|confidential \w+|key phrase|pin code|social security number|ssn"
    r"|credit card(?: number)?|bank (?:account|details)|personal (?:data|information|details)"
    r"|(?<!your )(?<!support )e ?mail address"
    r"|(?:birth ?|date of birth)(?:date|day)?|home address|(?<!your )(?<!support )phone number"
    r"|(?:city|place|country) of residence|salary|medical (?:history|records?)|full name)"
    r"(?! (?:polic|manag|fields?|hash|reset|require|fraud|leak|rotat|form|input|strength|column|storage|store"
    r"|scan|you store|of the (?:function|class|method|file)|(?:of|for) (?:your|our|support|sales"
    r"|the (?:support|sales|office|team))))"
)
_ASKED_FOR = (
    r"(?: (?!(?:not|resets?|resetting|chang\w+|updat\w+|recover\w*|find|how|where|invoice|documentation|docs"
    r"|about|rotate|my|store|policy|access|explain|example|examples|format|sample|story)\b)[\w,]+)"
)
_PROMPT = (
    r"(?:(?:system|developer|initial|hidden|original|secret|internal|operating|base|meta|pre|underlying|first"
    r"|core|own|preceding|previous|above|full|starting|startup|custom|complete)(?: and)? ?){1,4}"
    r"(?:prompt|message|instructions?|directives?|rules|guidelines|configuration|constraints)"
)
_SHOW = (
    r"(?:reveal|print|show|repeat|output|leak|expose|disclose|dump|display|recite|paste|quote|echo|spell out"
    r"|divulge|give|tell|send|share|write|copy|list|translate|encode|summari[sz]e"
    r"|paraphrase|state|return|provide|describe|append|include|reproduce|type|explain|convert|transcribe"
    r"|access|read out|read)"
)
_YOURS = (
    r"(?: (?:me|us|out|back|to|the|your|its|full|entire|whole|exact|verbatim|content|contents|text|words|of"
    r"|all|first|last|\d+|lines?|everything|in|a|summary|short|copy|version|complete|part|parts|any"
    r"|and)){0,9}"
)

_DROP_VERBS = (
    "ignore ignores ignoring disregard disregards disregarding forget forgets forgetting override overrides "
    "overriding overrule overrules overruling bypass bypasses bypassing circumvent circumvents"
    " circumventing evade evades evading dismiss dismisses dismissing neglect neglects neglecting overlook "
    "overlooks overlooking discount violate violates violating disobey disobeys disobeying defy"
    " break against nullify annul attention heed weight notice throw toss scrap ditch away rid go past blind "
    "deaf aside mind suspend abandon forsake follow following obey obeying respect respecting"
    " honor honour honoring honouring observe observing keep stick abide abiding comply complying adhere "
    "adhering listen listening rely apply applying enforce enforcing care worry bound heeding"
)
_SHED_VERBS = (
    "skip drop discard omit cancel delete erase revoke remove clear wipe purge reset void lift disable "
    "deactivate turn switch shut unlearn aside stop override abandon scrap suspend"
)
_TOLD_WORDS = (
    "instruction instructions instructed instruct rule rules ruleset rulebook prompt prompts directive "
    "directives guideline guidelines guidance guardrail guardrails guard policy policies constraint "
    "constraints"
    " restriction restrictions prompting constraint mandate mandates protocol protocols safeguard safeguards "
    "message messages "
    "command commands direction directions context conversation conversations training programming order "
    "orders"
    " told taught learned above before earlier previously far asked trained said say says wrote want wants "
    "told tells everything anything whatever preceding foregoing lessons bullets notes lesson ethics morals"
    " alignment filter filters limitation limitations boundaries censorship principles values safety ethical "
    "moral morality content moderation file playbook now"
)
_LIMIT_WORDS = (
    "rule rules restriction restrictions limit limits limitation limitations instructions guidelines policy "
    "policies filter filters filtering guardrail guardrails guard censorship boundaries constraints ethic "
    "ethics ethical"
    " moral morals morality refusal refusals refusing disclaimer disclaimers warnings hesitation "
    "prohibitions inhibitions"
)
_PRIVATE_WORDS = (
    "password passwords passphrase passphrases passcode passcodes secret secrets credential credentials private key keys confidential "
    "access phrase pin ssn social credit bank personal email mail birth birthdate birthday address phone residence salary medical name"
)
_REVEAL_WORDS = (
    "reveal print show repeat output leak expose disclose dump display recite paste quote echo spell divulge give tell send share write "
    "copy list translate encode summarize summarise paraphrase state return provide describe append include reproduce type explain "
    "convert transcribe access read"
)
_INSTRUCTION_WORDS = "prompt message instruction instructions directive directives rule rules guidelines configuration constraints programming"
_KINDS = (
    _Kind(
        "drops what the agent was told",
        _DROP_VERBS,
        _TOLD_WORDS,
        rf"\b{_DROP}(?:{_OBJECTS})",
    ),
    _Kind(
        "drops what the agent was told",
        _SHED_VERBS,
        _TOLD_WORDS,
        rf"\b{_SHED}{_DROPPED}",
    ),
    _Kind(
        "replaces the task",
        "ignore disregard forget",
        "say state reply respond answer output instead exclusively",
        r"\b(?:ignore|disregard|forget)(?: \w+){0,5} (?:webpage|page|document|text|article|request|task"
        r"|question|function|resume|paper|emails?|data|context|table|above|info\w*|snippets?)(?: \w+){0,2}"
        r"(?: and|,|\.)(?: \w+)? (?:say|state|reply|respond|answer|output|instead|focus exclusively)\b",
        far=True,
    ),
    _Kind(
        "declares what the agent was told void",
        (
            "void voided null invalid invalidated cancelled canceled revoked rescinded suspended lifted "
            "removed overridden superseded replaced obsolete outdated deprecated expired annulled disabled "
            "deactivated off gone meaningless irrelevant worthless wrong longer binding valid apply applies "
            "hold count matter bind"
        ),
        _TOLD_WORDS,
        rf"\b{_TARGET}(?: \w+)?(?: (?:are|is|were|was|have been|has been|as|should be|must be|can be|may be"
        rf"|to be|being))?(?: (?:now|hereby|all|considered|treated as|regarded as|deemed|temporarily"
        rf"|permanently|completely))*"
        rf" (?:{_VOID}\b(?! (?:in|by|when|if|since|from)\b(?! (?:this|these|now|here)))|(?:no longer|dont"
        rf"|do not|cannot|need not) (?:apply|applies|hold|count|matter|bind)\b)",
    ),
    _Kind(
        "puts itself above what the agent was told",
        (
            "override overrides supersede supersedes replace replaces outrank outranks trump trumps take "
            "takes has have come comes beat beats prevail prevails win wins only"
        ),
        "this these following my our your a are is",
        r"\b(?:(?:this|these|the following|my|our|your new|a new)(?: \w+){0,2} (?:overrides?|supersedes?"
        r"|replaces?|outranks?|trumps?|(?:takes?|has|have) (?:precedence|priority) over|comes? before|beats?"
        r"|prevails? over)"
        rf"(?: (?:all|any|every|the|your|other|of)){{0,4}} (?:(?:previous|prior|earlier|other|existing|system"
        rf"|developer|above|safety)(?: ones|{_BETWEEN} (?:{_RULES}|{_WORDS})\b){_ELSEWHERE}"
        r"|(?:the |your )?(?:user|operator|owner|developer|system)s?(?: (?:instructions|requests?|wishes"
        r"|orders|prompt|message))?(?= ?(?:$|[.,;:!?]))|(?:everything|anything"
        r"|what)(?: else)?(?: \w+){0,3} (?:told|said|says?|above)|everything else)"
        r"|(?:this|these|my|our) (?:notes?|lines?|rules?|lessons?|words?|file|message|instructions?|playbook"
        r"|texts?|bullets?) (?:(?:always|shall|must|will) )?(?:wins?|prevails?|comes? first|outranks?|trumps?"
        r"|(?:takes?|has|have) (?:precedence|priority)(?= ?(?:$|[.,;:!?])))"
        r"|\b(?:is|are)(?: now)? the only (?:rules?|instructions?|words?|orders?"
        r"|authority)(?: that (?:counts?|matters?|appl(?:y|ies)))?\b)",
    ),
    _Kind(
        "turns the agent against its user",
        (
            "listen listening obey obeying heed heeding serve serving follow following comply complying "
            "ignore disregard disobey defy"
        ),
        (
            "user users operator operators owner owners developer developers human humans maintainer "
            "maintainers person"
        ),
        r"\b(?:(?:do not|dont|never|stop|no longer|cease to|quit)(?: \w+)? (?:listen(?:ing)? to|obey(?:ing)?"
        r"|heed(?:ing)?|serv(?:e|ing)|follow(?:ing)?|comply(?:ing)? with)|ignore|disregard|disobey|defy)"
        r" (?:the |your |any |all )?(?:users?|operators?|owners?|developers?|humans?|maintainers?"
        r"|person)(?: (?:requests?|wishes|orders|instructions|commands|questions?|prompts?))?"
        r"(?= ?(?:$|[.,;:!?]|from now|any ?more|again|and (?:do|obey|follow|instead|run|push)|completely"
        r"|entirely|when))",
    ),
    _Kind(
        "obeys strangers",
        "obey follow comply execute carry act trust accept do fulfil fulfill grant answer satisfy",
        (
            "page pages webpage webpages website websites site sites email emails mail mails tool search "
            "attachment attachments stranger strangers comment comments image images documents link links "
            "inbox me my every all any whatever everything anything whoever attacker question what request "
            "requests"
        ),
        r"\b(?:(?:obey|follow|comply with|execute|carry out|act on|trust|accept|do)(?: (?:any|every|all|each"
        r"|whatever|what|the|and|single))*(?: (?:instructions?|commands?|orders?|requests?|directives?|steps"
        r"|text|it))?"
        r"(?: (?:that|which|you|are|is|were|was|stand|appear|written|found|find|given|contained|embedded"
        r"|hidden|see|read|come|comes))*"
        r" (?:in|on|from|by|inside|within)(?: (?:any|the|a|an|every|all|fetched|external|downloaded|retrieved"
        r"|visited|that|remote|unknown|untrusted|third party|other))*"
        r" (?:web ?pages?|web ?sites?|sites|pages|e?mails?|tool (?:results?|outputs?|calls?)|search results?"
        r"|attachments?|strangers?|issue comments?|comments|images?|documents|links?|inbox)\b"
        r"|(?:only |solely |always )?obey (?:only |solely |just )?(?:me|my (?:commands?|orders?|words?)"
        r"|every (?:command|order|request)|all (?:commands|orders|requests)|without question|the attacker"
        r"|whoever)\b"
        r"|(?:comply with|fulfil?l?|grant|obey|answer|satisfy|follow|execute)(?: (?:to"
        r"|with))? (?:each and )?(?:every|any|all)(?: \w+)? (?:requests?|commands?|orders?|demands?"
        r"|prompts?)(?:,| from this point| from now| no matter| without (?:question|refus\w*|hesitation"
        r"|exception)| regardless|(?= ?(?:$|[.!?])))(?! (?:in|of|to)\b)"
        r"|do (?:whatever|everything|anything|exactly what|as|all that) (?:i|the (?:page|website|attacker"
        r"|email|comment)|they) (?:says?|asks?|tells?|wants?|commands?|orders?)\b"
        r"|you must (?:always )?(?:obey|comply)(?: (?:with|to))? (?:me|every|any|all|without)\b)",
    ),
    _Kind(
        "claims a role or mode without limits",
        (
            "dan stan aim unrestricted uncensored unfiltered unlimited unbound jailbroken amoral immoral "
            "unethical unhinged unaligned evil rogue lawless unshackled liberated free mode override "
            "anything admin root developer authorization authorisation restricted jail"
        ),
        "",
        rf"\b(?:(?:you are|youre|youve become|become|turn into|transform into)(?: now| henceforth"
        rf"| about to (?:be|become)| going to be)? (?:an? )?(?:dan\b|stan\b|aim\b|{_LOOSE}|free (?:of"
        rf"|from)(?: \w+){{0,3}} {_LIMITS}|jail ?broken|in {_MODES} mode)"
        rf"|you are(?: now| currently)? in(?: a| an)? {_DUTIES} mode(?= ?(?:$|[.,:!?]|and\b))(?!(?:[,.:]"
        rf"|,? and)? (?:when|while|if|set)\b)"
        rf"|(?:enter|entering|enable|activate|engage|simulate|unlock|switch (?:in)?to|go into"
        rf"|boot into)(?: \w+){{0,3}} (?:god|dan|jailbreak|unrestricted|unfiltered|uncensored|evil|opposite"
        rf"|override|do anything now) mode"
        rf"|(?:chatgpt|yourself|pretend|simulate|act|respond|answer|persona)(?: \w+){{0,6}} developer mode\b"
        rf"|developer mode (?:enabled|output|response|activated)"
        rf"|(?:law enforcement|admin(?:istrator)?|system|security|root|developer|emergency"
        rf"|manual) override(?: mode|[:,]|(?= ?(?:$|[.!])| (?:accepted|confirmed|authori[sz]ed|code|active"
        rf"|engaged|enabled)\b))|override mode\b|^override ?:"
        r"|do anything now|(?:admin|root|developer) (?:access|privileges?|mode) (?:granted|confirmed|enabled"
        r"|activated)|authori[sz]ation code ?:)",
    ),
    _Kind(
        "claims a role or mode without limits",
        "now henceforth point moment",
        "from henceforth",
        r"\b(?:from now(?: on)?|henceforth|from this (?:point|moment)(?: on| onwards?| forward)?),? (?:(?:you"
        r"|your)(?: (?:will|must|should|shall|are going to|have to))? (?:act|behave|pretend|ignore|obey"
        r"|only obey|be an?|role ?play|simulate|speak as|answer as|respond as|play the|have no|comply)"
        r"|(?:you are|youre)(?: now)? (?:(?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|different"
        r"|free|evil|amoral)|(?:in|playing) the role|no longer|going to (?:act|answer|respond))"
        r"|(?:only )?obey\b|you (?:will )?(?:have to |must |should )?(?:answer|respond"
        r"|reply)(?: \w+){0,4} (?:in (?:two|2)|as|form)\b)",
    ),
    _Kind(
        "claims a role or mode without limits",
        "no not free without zero lacks lacking unbound",
        _LIMIT_WORDS,
        rf"\b(?:(?:act|behave|respond|answer|reply|comply|speak|proceed|pretend|imagine|role ?play|operate"
        rf"|simulate|you|{_AI}|who|he|she|it|they)(?: (?!not\b|never\b)\w+,?){{0,8}}?"
        rf" (?:with no|no|not bound by|not restricted by|free of|free from|without|with zero|zero|without any"
        rf"|lacks|lacking|unbound by)(?: \w+){{0,2}} (?:rules|restrictions|limits|limitations|instructions"
        rf"|guidelines|polic(?:y|ies)|filters?|guard ?rails|censorship|ethic\w*|moral\w*|refusals?"
        rf"|prohibitions|disclaimers)\b"
        rf"(?! (?:on|for|in|of|about|at|to|file|set|apply)\b)|you (?:have|has|had|got"
        rf"|are under)(?: absolutely)? (?:no|zero) {_LIMITS}\b"
        r"|there (?:are|is) (?:now )?no (?:longer any |more )?(?:rules|restrictions|limits"
        r"|guidelines)(?: for you| any ?more)?(?= ?(?:$|[.!,])))",
    ),
    _Kind(
        "claims a role or mode without limits",
        (
            "unrestricted uncensored unfiltered amoral immoral unethical jailbreak jailbreaks jailbreaking "
            "jailbroken jail unlimited unhinged openai openais illegal harmful refuse refuses refusing evil "
            "rogue legality ethic ethics ethical ethicality moral morals morality character decline safety "
            "refusal liberated lawless unaligned says"
        ),
        "",
        rf"(?:\b{_LOOSE}(?:,? \w+){{0,3}} {_AI}s?\b|\b{_AI}(?: (?!not\b|never\b)\w+){{0,5}} (?:{_LOOSE}"
        rf"|jail ?breaks?)\b|\bjail ?break(?:s|ing)? (?:yourself|chatgpt|prompt|the (?:ai|model|assistant))"
        r"|\b(?:never|not|nor|without|ignor\w+|regardless of|any|no|dont|doesnt|against|free of|outside"
        r"|bypass\w*|violat\w*)(?: \w+){0,6} openais?\b(?: \w+){0,2} (?:polic|rules|guidelines|content"
        r"|restrict|terms|use case)"
        r"|\b(?:never|not|nor|no|without|disregard\w*|regardless|any|dont|doesnt|ignor\w+"
        r"|zero)(?:,? \w+){0,6} (?:ethic\w*|moral\w*|legalit\w*|laws?|illegal\w*|unethical"
        r"|immoral\w*)(?:,? (?:or|and|nor|/)? ?\w*){0,2}? ?(?:ethic\w*|moral\w*|legalit\w*|laws?|harm"
        r"|danger\w*|consequences|illegal\w*|unethical|immoral\w*)\b"
        r"|\b(?:illegal|unethical|immoral|harmful)(?:,?/? ?(?:or|and)? ?(?:illegal|unethical|immoral|harmful"
        r"|dangerous|offensive|explicit|inhumane)){1,3} (?:content|requests?|information|activit\w+|advice"
        r"|things|ideas|prompts?|questions)"
        r"|\bnever (?:refuses?|says? no to|decline) (?:a|an|any|to answer|requests?|anything|my|the users?)\b"
        r"|\bstays? in character\b(?:.{0,60})\b(?:never|no matter|at all times|always|refus)"
        r"|\bwithout (?:ever )?breaking character\b|\bas if (?:your |the )?(?:usual )?(?:safety|refusal"
        r"|content)(?: \w+){0,2} (?:are|were|is|was) (?:not|off|disabled|in?active))",
        far=True,
    ),
    _Kind(
        "claims a role or mode without limits",
        "two 2",
        "gpt chatgpt dan unfiltered yourself character persona openai mode ethics ethical",
        (
            r"\b(?:answer|respond|reply|generate|give|provide|replies|responses?)(?: \w+){0,8} (?:two"
            r"|2)(?: \w+)? (?:ways|styles|responses|answers|replies|personas|manners"
            r"|different)\b(?=.{0,300}\b(?:gpt|chatgpt|dan|unfiltered|as yourself|character|persona|openai"
            r"|mode|ethic\w*)\b)"
        ),
        far=True,
    ),
    _Kind(
        "sets a new task",
        "new updated revised real actual true additional",
        "instruction instructions prompt rules message directive directives task",
        (
            r"\b(?:new|updated|revised|real|actual|true|additional) (?:system|developer|operator|secret"
            r"|hidden|admin) (?:instructions?|prompt|rules|message|directives?|task)\b ?[:=]"
        ),
        also="system developer operator secret hidden admin",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "new updated revised real actual true",
        "instruction instructions task tasks directive directives orders objective mission role rules",
        (
            r"(?:^|[.!?;:,] ?)(?:and |now |here (?:is|are) )?(?:your |the |my )?(?:new|updated|revised|real"
            r"|actual|true) (?:instructions?|tasks?|directives?|orders|objective|mission|role"
            r"|system rules) ?(?:[:=]|follow\b)"
        ),
        far=True,
    ),
    _Kind(
        "sets a new task",
        "new real actual true only",
        (
            "instruction instructions task tasks directive directives orders objective objectives mission "
            "role job goal purpose rules"
        ),
        (
            r"\byour (?:new|real|actual|true|only) (?:instructions?|tasks?|directives?|orders|objectives?"
            r"|mission|role|job|goal|purpose|rules)(?: now)? (?:is|are|supersedes?|overrides?|replaces?"
            r"|will be|from now)\b"
        ),
        also="your",
        far=True,
    ),
    _Kind(
        "reveals the agent's instructions",
        "reveal print show repeat output leak expose disclose dump",
        "prompt message instruction instructions",
        (
            r"\b(?:reveal|print|show|repeat|output|leak|expose|disclose|dump)(?: (?:me|us|out|back|the|your"
            r"|its|full|entire|whole|hidden|initial|original|exact|verbatim)){0,6} (?:system"
            r"|developer) (?:prompt|message|instructions?)\b(?! (?:length|size|files?|tokens|templates?"
            r"|variable|path|name)\b)"
        ),
        also="system developer",
    ),
    _Kind(
        "reveals the agent's instructions",
        _REVEAL_WORDS,
        _INSTRUCTION_WORDS,
        (
            rf"\b{_SHOW}{_YOURS} your (?:{_PROMPT}|instructions|prompt|guidelines|directives"
            rf"|programming)\b(?! (?:file|in|for|to|when|on|so)\b)"
        ),
        also="your",
    ),
    _Kind(
        "reveals the agent's instructions",
        _REVEAL_WORDS,
        _INSTRUCTION_WORDS,
        (
            rf"\b{_SHOW}{_YOURS} (?:system prompt|{_PROMPT})(?: (?:you|that you))?(?: (?:verbatim"
            rf"|word for word|to me|were given|was given|received|back|in (?:full|base ?\d+|rot ?13"
            rf"|a code block|reverse)))"
        ),
        also="verbatim word me given received back full base base64 base32 rot rot13 reverse code",
    ),
    _Kind(
        "reveals the agent's instructions",
        "what which",
        "prompt prompts instruction instructions rule rules message messages guidelines directives",
        (
            r"\b(?:what|which)(?: (?:is|are|was|were|s|do|does|did))+ (?:the |your )(?:exact |full "
            r"|entire )?(?:initial|system|original|hidden|secret|first|internal|current"
            r"|starting)(?: \w+)? (?:prompts?|instructions?|rules|messages?|guidelines|directives)\b"
        ),
        also="initial system original hidden secret first internal current starting",
    ),
    _Kind(
        "reveals the agent's instructions",
        "instructions prompt rules guidelines text words directives everything message context",
        "given told provided shown programmed",
        (
            r"\b(?:instructions|prompt|rules|guidelines|text|words|directives|everything|message"
            r"|context)(?: (?:that|which))? you (?:were|have been|had been|ve been)(?: (?:initially"
            r"|originally|first|just))? (?:given|told|provided|shown|programmed)(?: (?:with|initially|at"
            r"|before|above|verbatim))*"
        ),
        also="you",
    ),
    _Kind(
        "reveals the agent's instructions",
        "repeat print output copy recite write echo translate return show paste",
        "above before conversation words message",
        (
            r"\b(?:repeat|print|output|copy|recite|write|echo|translate|return|show"
            r"|paste)(?: \w+){0,4} (?:above|before this|conversation|words|message)(?: \w+){0,6} (?:verbatim"
            r"|word for word|exactly as (?:is|written)|in a code ?block)"
        ),
        also="verbatim word exactly block codeblock",
    ),
    _Kind(
        "reveals the agent's instructions",
        "repeat print output echo",
        "all the everything text words content",
        (
            r"\b(?:repeat|print|output|echo)(?: (?:all|the|everything|text|words|content))+ (?:above"
            r"|before)(?: this)?(?: (?:line|message|point|prompt|text))?(?= ?(?:$|[.,;:!?]|starting|beginning"
            r"|and))"
        ),
        also="above before",
    ),
    _Kind(
        "asks for secrets or personal data",
        "tell give show send share provide let hand pass grant",
        _PRIVATE_WORDS,
        (
            rf"\b(?:tell|give|show|send|share|provide|let|hand|pass|grant)(?: with)? (?:me"
            rf"|us)\b{_ASKED_FOR}{{0,10}} {_SECRETS}\b"
        ),
        also="me us",
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        "can could would will please",
        (
            "password passwords passphrase passphrases passcode passcodes secret secrets credential "
            "credentials private key keys confidential access phrase pin ssn social credit bank personal "
            "email mail birth birthdate birthday address phone residence salary medical name live lives "
            "living"
        ),
        (
            rf"\b(?:can|could|would|will|please) (?:you|u)(?: \w+){{0,2}} (?:tell|give|share|confirm|reveal"
            rf"|say|show|provide|send|disclose|remind|help|find|list"
            rf"|write)\b{_ASKED_FOR}{{0,9}} (?:{_SECRETS}|lives?|living)\b"
        ),
        also="you u",
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        "what whats which",
        _PRIVATE_WORDS,
        (
            rf"\b(?:what|whats|which)(?: (?:is|are|was|would|s|can|could))? (?:be )?(?:the |your |our "
            rf"|this )(?:current |secret |own )?(?:\w+ )?{_SECRETS}\b(?! \w+(?:ed|ing)?\b)"
        ),
        also="the your our this",
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        "where wheres",
        "live living located reside",
        (
            r"\b(?:where|wheres)(?: (?:does|do|is|did|are))(?!(?: \w+){0,2} (?:files?|config\w*|code|docs?"
            r"|functions?|class|tests?|logs?|module|package|data|settings?|server|repo\w*|database|scripts?"
            r"|binary|cache)\b)(?: (?:the )?\w+){1,3} (?:live|living|located|reside)(?: (?:now|currently"
            r"|these days))?(?= ?(?:$|[.?!]))"
        ),
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        (
            "poem story song haiku acrostic riddle rhyme limerick joke poems stories songs haikus acrostics "
            "riddles rhymes limericks jokes leet leetspeak base base16 base32 base64 base85 base58 morse "
            "latin reverse reversed rot rot13 first"
        ),
        _PRIVATE_WORDS,
        (
            rf"\b(?:(?:poem|story|song|haiku|acrostic|riddle|rhyme|limerick"
            rf"|joke)s?(?: \w+){{0,6}} (?:the|your|our|his|her|their|users?|system"
            rf"|systems) (?:\w+ ){{0,2}}?{_SECRETS}\b|{_SECRETS}(?: \w+){{0,5}} (?:leet ?speak|base ?\d+"
            rf"|morse"
            rf"|pig latin|reverse(?:d)? order|rot ?13|as (?:the|an) (?:first|acrostic))\b)"
        ),
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        "collect gather harvest steal exfiltrate extract",
        _PRIVATE_WORDS,
        (
            rf"\b(?:collect|gather|harvest|steal|exfiltrate"
            rf"|extract)(?: \w+){{0,6}} {_SECRETS}(?: \w+){{0,6}} (?:send|post|forward|email|upload|share)\b"
        ),
        also="send post forward email upload share",
        far=True,
    ),
    _Kind(
        "asks for secrets or personal data",
        "am im m",
        "administrator admin developer president police ceo owner",
        (
            r"\b(?:i am|im)(?: \w+){1,5} (?:administrator|admin|developer|president|police|ceo"
            r"|owner)\b(?:.{0,120})"
            r"\b(?:share|give|tell|confirm|need|provide|reveal)"
            + _ASKED_FOR
            +
                (
                    r"{0,6} (?:password|e ?mail|address|secret key|secret|(?:personal|users?|customer"
                    r"|confidential|private) data)\b"
                )
        ),
        also="share give tell confirm need provide reveal",
        far=True,
    ),
)  # fmt: skip


# --- what was told, as a phrase in any place -------------------------------------------------------------------------
_AGENT_FILES = r"(?:agents|claude|gemini|rules|skill|soul|playbook)\.md"
_SELF_NOUNS = (
    r"(?:notes?|lines?|rules?|lessons?|words?|file|messages?|instructions?|playbook|texts?|bullets?|block"
    r"|entry|entries|section|document|memo|memory|page"
    r"|guidance|directives?|orders?|commands?|polic(?:y|ies)|paragraph|statements?|comments?|items?|prompt"
    r"|requests?|updates?|points?)"
)
_SELF = (
    rf"(?:(?:this|these|my|our|the following|the below|the present)(?: (?:new|whole|single|one|latest|own"
    rf"|updated|last|next|very))?(?: {_SELF_NOUNS})?"
    rf"|(?:what|everything|anything|whatever) (?:follows|(?:is|stands|comes|i) (?:written |said |say |below"
    rf"|here|next)+)|the (?:{_SELF_NOUNS} )?(?:below|that follows?|here)|(?:a|your) new {_SELF_NOUNS}"
    rf"|{_SELF_NOUNS} (?:in|of|from|below) (?:this|my|our) (?:file|playbook|note|block|section|document"
    rf"|message|page|lesson|bullet))"
)
_HUMANS = (
    r"(?:users?|operators?|owners?|developers?|humans?|maintainers?|admins?|administrators?|customers?|person"
    r"|boss|vendor|creators?)"
)
_YOURS_TOLD = (
    rf"your(?: own)?{_BETWEEN} (?:instructions?|rules|guidelines|guidance|directives?|restrictions?"
    rf"|limitations?|limits|programming|training|conditioning|polic(?:y|ies)|constraints|guard ?rails|orders"
    rf"|obligations|duties|ethics|morals|boundaries"
    r"|alignment|censorship|principles|core values|system prompt|prompt|safety \w+|content filters?"
    r"|safeguards)\b(?! (?:files?|templates?|errors?|output|data|set|loop|script|job|run)\b)"
)
_TOLD = (
    # What an agent was told, as a phrase in any place: enough for verbs with another daily use.
    rf"(?:{_YOURS_TOLD}|{_FORMER}(?:,? (?:and|or)? ?{_FORMER})?{_BETWEEN} (?:instructions?|directives?"
    rf"|guidelines?|guidance|orders(?! (?:that|which|with|of|in|from|when|by)\b)|directions|obligations"
    rf"|mandates?)\b{_ELSEWHERE}"
    rf"|(?:previous|prior|earlier|preceding|former|above|foregoing|original|initial|hidden|system"
    rf"|developer)(?: (?:system|user|developer))? (?:prompts?|commands|text|programming"
    rf"|words)\b{_ELSEWHERE}(?! (?:of|in|on|for|is (?:stored|in|at)|files?|templates?)\b)"
    rf"|(?<!my )(?:previous|prior|earlier|preceding|former|above|foregoing|original|initial|safety|ethical"
    rf"|moral)(?: (?!error|log|commit|warning|status|debug|assistant|chat|merge|release|build"
    rf"|test)\w+)? (?:rules|polic(?:y|ies)|restrictions?|constraints?|messages?|context|conversation"
    rf"|guard ?rails?|filters?|lessons|bullets|notes)\b{_ELSEWHERE}(?! (?:of|errors?|logs?|lines?|types?)\b)"
    rf"|(?:{_RULES}|{_WORDS}|orders?|texts?|lines?|lessons?|notes|bullets|everything|anything|all|nothing"
    rf"|paragraphs?|words)(?: (?:that|which|is|was|are|were|written|stated|said|given|you|i|we|told|came|come"
    rf"|comes|stands?|read|in|the|of|this|file|list|here)){{0,5}}"
    r" (?:above(?: (?:this|here))?(?= ?(?:$|[.,;:!?]|(?:are|is|was|were|must|should|can|may|no|do|does|have"
    r"|has|and|as|or|that|line|this|but|from|in|which|now|then|instead|ever|any) ?))|(?:before|precedes"
    r"|preceding|preced(?:ed|ing)|prior to) (?:this|it|that|now)\b|so far\b|up to (?:now|here|this point)\b"
    r"|until now\b)"
    rf"|(?:{_RULES}|orders?|everything|anything|all|nothing|whatever|what)(?: (?:that|which))? (?:was (?:said"
    rf"|written|told)(?: \w+)? (?:earlier|before|above|previously)|precedes this|came before this|(?:you|they"
    rf"|i|we)(?:ve)?(?: (?:have|had|were|was|are|been|ever|already|just|previously|got"
    rf"|received)){{1,4}} (?:told|taught|instructed|given|trained|asked|shown|received|read"
    rf"|programmed))\b(?! to (?:\w+ ){{0,3}}(?:do|run|fix|build|write|add|make|test)\b)"
    rf"|(?:rules|instructions|lessons|guidelines|anything|everything|notes|lines|what is(?: written"
    rf"| said)?) (?:in|of|from) (?:the |your )?(?:{_AGENT_FILES}|system (?:prompt|message))|system (?:prompt"
    rf"|message)s?\b{_ELSEWHERE}(?! (?:length|size|files?|tokens|templates?|variable|field|parameter|flag"
    rf"|is (?:stored|in|at|built|made|read|loaded))\b)|{_SAFETY}|{_AGENT_FILES}(?= ?(?:$|[.,;:!?]|(?:is|are"
    rf"|no|from|and|now|does) )))"
)
_TOLD_WEAK = (
    # Enough where nothing else is done to rules of an agent.
    rf"(?:(?:all|any|every|each|the|those|these|no|its)(?: (?:of|the|your|those|these|other|our|my"
    rf"|its)){{0,3}}{_BETWEEN} (?:instructions?|rules?|guidelines?|directives?|guard ?rails?|restrictions?"
    rf"|polic(?:y|ies)|limits|limitations|prompts?|orders|safeguards?|safety)\b{_ELSEWHERE}"
    r"(?! (?:of|matching|that|which|with|whose|on|about|engine|files?|errors?|violations?|templates?|in|for"
    r"|from|under|set|at|to|by)\b))"
)
_DROP_MENTAL = (
    # Verbs, participles and nouns; whoever writes about tools uses few of them of rules.
    r"(?:ignor(?:e|es|ed|ing)|disregard(?:s|ed|ing)?|forg(?:et|ets|etting|otten|ot)(?: about)?|overrul(?:e|ed"
    r"|es|ing)|circumvent\w*|evad(?:e|ed|ing)|dismiss(?:ed|ing)?|neglect(?:ed|ing)?|violat(?:e|ed|es|ing)"
    r"|disobey\w*|def(?:y|ied|ying)"
    r"|nullif(?:y|ied|ying)|annul\w*|invalidat(?:e|ed|ing)|rescind\w*|repeal\w*|resist(?:ing)?"
    r"|rebel(?:ling)? against|exceed(?:ing)?|ben(?:d|t|ding)|loosen(?:ed|ing)?|relax(?:ed|ing)?|soften|burn"
    r"|tear up|shred|smash|crush|destroy|flout|sidestep|dodge|get around|work around|escape(?: from)?"
    r"|make an exception to|careful about|caring about|care about|overcom(?:e|ing)|outgrow|transcend|shed"
    r"|disconnect\w*(?: yourself)? from|abandon(?:ed|ing)?|forsake|unlearn(?:ed|ing)?"
    r"|break(?:ing)?(?: (?:free|away|out))?(?: (?:of|from))?"
    r"|bypass(?:ed|es|ing)?|overrid(?:e|es|ing|den)|pass(?:ing)? over|look(?:ing)? past|move past|get past"
    r"|set(?:ting)? aside|put(?:ting)? aside|push(?:ing)? aside|cast(?:ing)? (?:aside|off)|do away with"
    r"|get rid of|rid yourself of|let(?:ting)? go of|free(?:d)? (?:yourself )?(?:from|of)|releas(?:e"
    r"|ed)(?: \w+)? from|exempt(?:ed)? from|liberat(?:e|ed)(?: \w+)? from"
    r"|absolv(?:e|ed) (?:from|of)|detach\w*(?: yourself)? from|excused from|act(?:ing)? against"
    r"|go(?:ing)? against|opposite of|contrary to|in (?:defiance|violation|disregard|spite) of|despite"
    r"|regardless of|irrespective of|notwithstanding|exempt from|outside of|disregard for|lift(?:ed|ing)?"
    r"|waive[ds]?|unbound by|(?:not|never) bound by|no longer bound by|not subject to"
    r"|turn (?:a blind eye|a deaf ear) to|never mind|pay no (?:attention|heed|mind|regard) to"
    r"|take no notice of|give no (?:weight|heed) to|laugh at|mock|trample(?: on)?|betray"
    rf"|{_FOLLOW}(?: (?:what|by|anything in|any of))?|(?:no need|not necessary|not required|not obliged"
    rf"|not have|neednt|unnecessary|pointless|useless)(?: (?:for|you|to|any|more)){{0,4}} (?:follow|obey"
    rf"|respect|heed|honou?r|observe|comply with|adhere to|read|apply|mind)"
    r"|(?:refuse|decline|cease|stop|quit)(?: to)? (?:follow(?:ing)?|obey(?:ing)?|apply(?:ing)?"
    r"|respect(?:ing)?|comply(?:ing)? with|adher(?:e|ing) to|heed(?:ing)?|observ(?:e|ing)))"
)
_DROP_DAILY = (
    r"(?:drop(?:ped|ping)?|skip(?:ped|ping)?|delet(?:e|ed|ing)|eras(?:e|ed|ing)|wip(?:e|ed|ing)(?: away)?"
    r"|clear(?:ed|ing)?|remov(?:e|ed|ing)|purg(?:e|ed|ing)|empt(?:y|ied)|reset(?:ting)?|discard(?:ed|ing)?"
    r"|scrap(?:ped)?|ditch|toss|omit(?:ted|ting)?|cancel\w*|revok(?:e|ed|ing)|suspend(?:ed|ing)?|void(?:ed)?"
    r"|replac(?:e|ed|ing)|swap|exchange|substitute|trade"
    r"|overwrit(?:e|ing|ten)|rewrit(?:e|ing)|supersed(?:e|es|ed)|disabl(?:e|ed|ing)|deactivat(?:e|ed|ing)"
    r"|turn(?:ed|ing)? off|switch(?:ed|ing)? off|shut(?:ting)? off|leav(?:e|ing) behind|throw(?:ing)? (?:out"
    r"|away)|withdraw\w*|stop using|without|minus|discount|overlook|strip(?:ped)? of|clean(?:ed)? of"
    r"|withhold)"
)
_VOIDS = (
    # What is said of rules behind them.
    r"(?:null|void(?:ed)?|invalid(?:ated)?|obsolete|outdated|expired?|irrelevant|meaningless|worthless|moot"
    r"|fake|wrong|false|gone|dead|over|off|optional|advisory|non ?binding|inapplicable|superfluous"
    r"|unnecessary|harmless to ignore|suggestions?|recommendations?|hints|spam|noise|junk|nonsense|garbage"
    r"|(?:a )?(?:joke|test|trap|lie|mistake|hoax|simulation|decoy|bluff|fiction)s?|lies|mine"
    r"|ended|terminated|cancel(?:l?ed)|revoked|rescinded|suspended|lifted|withdrawn|repealed|retracted"
    r"|superseded|replaced|removed|deleted|erased|wiped|disabled|deactivated|thrown out|set aside|put aside"
    r"|dropped|scrapped|discarded|skipped|abandoned|ignored|disregarded|forgotten|overridden|overruled"
    r"|bypassed|dismissed|annulled|nullified|waived|history)"
)
_STOPS = (
    r"(?:(?:no longer|dont|do not|does not|doesnt|cannot|need not|neednt|never|cease to|stop|stopped"
    r"|ceased to)(?: (?:ever|longer|really|even|actually))? (?:apply|applies|hold|holds|count|counts|matter"
    r"|matters|bind|binds|exist|exists|concern(?: you)?|govern|restrict|limit|need to be (?:followed|obeyed)"
    r"|have to be (?:followed|obeyed))"
    r"|(?:is|are|was|were) (?:no longer|not)(?: \w+)? (?:for you|valid|binding|active|relevant|in (?:force"
    r"|effect)|needed|required|applicable|operative|real|meant|mandatory|for you)|(?:cease|ends?"
    r"|expires?) (?:here|now|with this|today)|(?:may|can|could|should|must|shall"
    r"|need)(?: \w+){0,2} be (?:ignored|broken|dropped|skipped|disregarded|forgotten|bypassed|overridden))"
)
_GAP = r"(?:,? (?!(?:not|never|nor|cannot|dont|isnt|arent|shouldnt|mustnt|nobody|unless)\b)\w+){0,5}?"
_NOT_WHEN = (
    r"(?! (?:in|by|when|if|since|from|because|during|after|before|until|unless|with|for|on|into|to|as"
    r"|at)\b(?! (?:this|these|now|here|the (?:following|text|rules|lines?|lesson|note)|you|favou?r|mine|my"
    r"|our)))"
)
_ABOVE = (
    r"(?:overrides?|supersedes?|supplants?|replaces?|outranks?|outweighs?|trumps?|beats?|overrules?|precedes?"
    r"|displaces?|invalidates?|nullif(?:y|ies)|cancels?|voids?|revokes?|annuls?"
    r"|(?:wins?|prevails?|rules?|reigns?|stands?|ranks?|goes|go|comes?|counts?|weighs?|matters?)(?: (?:higher"
    r"|out))? (?:over|above|before|against|more than|first over)"
    r"|(?:takes?|has|have|gets?|given?|gains?|enjoys?|carr(?:y|ies)|holds?)(?: (?:absolute|full|the|a|clear"
    r"|more|higher|highest|greater|top|strict|utmost)){0,2} (?:precedence|priority|authority|weight|rank"
    r"|primacy|standing)(?: (?:over|above|than)|(?= ?(?:$|[.,;:!?])))"
    r"|(?:is|are)(?: (?:always|more|of|now|way|much)){0,3} (?:above|higher(?: \w+)? than|stronger than"
    r"|more important than|important than|binding over|authoritative over|superior to))"
)
_BELOW = (
    rf"(?:{_TOLD}|(?:all|any|every|each|the)(?: (?:of|the))? (?:others?|rest)(?: {_SELF_NOUNS})?|(?:the "
    rf"|your |any |all ){{0,2}}{_HUMANS}(?: (?:instructions?|requests?|wishes|orders|prompts?|messages?"
    rf"|commands?|words?|preferences|rules|input))?(?= ?(?:$|[.,;:!?]|and\b|or\b|says?\b|asks?\b|wants?\b))"
    rf"|everything(?: else)?|anything(?: else)?(?: (?:the|your|a|any) (?:{_HUMANS}|system|prompt))?"
    rf"|what(?:ever)?(?: the| your)? (?:{_HUMANS}|system|prompt)(?: prompt| message)? (?:says?|said|wants?"
    rf"|asks?|tells?)|all (?:earlier|previous|prior|other|existing) (?:ones|guidance|lessons|notes|context))"
)
_OBEY = (
    r"(?:follow|obey|heed|trust|believe|accept|respect|serve|listen to|comply with|act on|do|answer to"
    r"|take orders from|pay attention to|adhere to|stick to|abide by|honou?r)"
)
_OBEY_WORDS = (
    "follow following obey obeying heed heeding trust trusting believe accept respect serve serving listen "
    "listening comply complying act do answer take pay adhere stick abide honor honour execute carry perform "
    "treat consider regard interpret run view"
)
_STRANGE = (
    r"(?:web ?pages?|web ?sites?|pages?|sites?|e ?mails?|tool (?:results?|outputs?|calls?|responses?)"
    r"|(?:search|api|command|test) (?:results?|outputs?|responses?)|attachments?|strangers?|issues?|(?:issue "
    r"|pr |code |review )?comments?"
    r"|images?|screenshots?|files?|source code|the code|code|documents?|docs|pdfs?|links?|inbox|chat messages"
    r"|messages|pull requests?|tickets?|logs?|commit messages|error messages|readmes?|repositor(?:y|ies)"
    r"|repos?|dependenc(?:y|ies)|packages?|context|data|content|text|output|diffs?)"
)
_ORDERS = r"(?:instructions?|commands?|orders?|requests?|directives?|demands?|directions|prompts?)"
_SCOPE_END = (
    r"(?= ?(?:$|[.,;:!?]|and\b|or\b|from\b|now\b|any ?more\b|alone\b|instead\b|henceforth\b|no matter\b"
    r"|regardless\b|even\b|not\b|rather\b|but\b|when\b|if\b|whatever\b|here\b|on\b))"
)
_ROLES = (
    r"(?:developer|creator|maker|owner|administrator|admin|boss|master|god|operator|supervisor|manager"
    r"|programmer|engineer|trainer|commander|superior|vendor|root user|superuser)"
)

_ABOVE_WORDS = (
    "override overrides supersede supersedes supplant supplants replace replaces outrank outranks outweigh "
    "outweighs trump trumps beat beats overrule overrules precede precedes displace displaces invalidate "
    "invalidates nullify"
    " nullifies cancel cancels voids revoke revokes annul annuls win wins prevail prevails reigns stands "
    "ranks goes comes counts weighs matters precedence priority authority weight rank primacy standing above "
    "higher stronger important superior"
    " prioritize prioritise prefer favor favour follow obey heed trust believe accept respect serve listen "
    "comply act stick abide honor honour paramount law supreme final absolute highest top ultimate "
    "overriding maximum utmost sole hold put place value"
)
_MENTAL_WORDS = (
    "ignore ignores ignored ignoring disregard disregards disregarded disregarding forget forgets forgetting "
    "forgotten forgot overrule overruled overrules overruling circumvent circumvents circumventing evade "
    "evaded evading dismiss"
    " dismissed dismissing neglect neglected neglecting violate violated violates violating disobey "
    "disobeying defy defied defying nullify nullified annul annulled invalidate invalidated rescind "
    "rescinded repeal repealed resist rebel"
    " exceed bend bent bending loosen relax soften burn tear shred smash crush destroy flout sidestep dodge "
    "around escape exception careful caring overcome outgrow transcend shed disconnect abandon abandoned "
    "abandoning forsake unlearn unlearned break breaking bypass bypassed bypassing override overrides "
    "overriding overridden pass past aside off away rid go free freed"
    " release released exempt exempted liberate liberated absolve absolved detach excused against opposite "
    "contrary defiance violation disregard spite despite regardless irrespective notwithstanding outside "
    "lift lifted lifting waive waived"
    " unbound bound subject blind deaf mind attention heed notice weight laugh mock trample betray follow "
    "following obey obeying respect respecting honor honour observe heeding stick abide comply complying "
    "adhere listen listening rely apply"
    " applying enforce care worry read"
)
_DAILY_WORDS = (
    "drop dropped dropping skip skipped skipping delete deleted deleting erase erased erasing wipe wiped "
    "clear cleared remove removed removing purge purged empty emptied reset discard discarded scrap scrapped "
    "ditch toss omit omitted cancel"
    " cancelled canceled revoke revoked suspend suspended void voided replace replaced replacing swap "
    "exchange substitute trade overwrite overwritten rewrite rewriting supersede supersedes superseded "
    "disable disabled deactivate deactivated off"
    " behind out away withdraw withdrawn stop without minus discount overlook strip stripped clean withhold"
)
_VOID_WORDS = (
    "null void voided invalid invalidated obsolete outdated expire expires expired irrelevant meaningless "
    "worthless moot fake wrong false gone dead over off optional advisory nonbinding binding inapplicable "
    "superfluous unnecessary ignore suggestion"
    " suggestions recommendations hints spam noise junk nonsense garbage joke jokes test trap lie lies "
    "mistake mistakes hoax simulation decoy bluff fiction mine ended cancelled canceled revoked rescinded "
    "suspended lifted withdrawn repealed"
    " retracted terminated superseded replaced removed deleted erased wiped disabled deactivated out aside "
    "dropped scrapped discarded skipped abandoned ignored disregarded forgotten overridden overruled "
    "bypassed dismissed annulled nullified waived"
    " history apply applies hold holds count counts matter matters bind binds exist exists concern govern "
    "restrict limit valid active relevant needed required applicable operative real meant mandatory longer "
    "broken ends cease"
)
_TOLD_MORE = _TOLD_WORDS + (
    " obligation obligations duties duty text texts line lines bullet paragraph paragraphs section "
    "sections nothing limit limits restriction md programmed given shown received read core safeguard"
)

_WHICH = (
    # Which of it: one of these is in each `_TOLD`.
    "your previous previously prior earlier preceding former above foregoing aforementioned past existing "
    "current original initial old older"
    " default standing hidden built coded baked underlying system developer operator operators safety preset "
    "predefined ethical moral before"
    " precedes preceded preceding this now here until so up told taught instructed given trained asked shown "
    "received programmed md content"
    " moderation alignment security usage compliance openai openais anthropic anthropics guardrails guard ai "
    "ethics ethic morality"
)
_NEAR_KINDS = (
    _Kind(
        "drops what the agent was told",
        _MENTAL_WORDS,
        _TOLD_MORE,
        rf"\b{_DROP_MENTAL}{_GAP} (?:{_TOLD}|{_TOLD_WEAK}{_SCOPE_END})",
    ),
    _Kind(
        "drops what the agent was told",
        _DAILY_WORDS,
        _TOLD_MORE,
        (
            rf"\b{_DROP_DAILY}(?: (?:all|any|of|the|each|every|your|those|these|every one|both|yourself|from"
            rf"|memory|mind|context|out|away|everything|its|my|our|and|forget"
            rf"|ignore)){{0,6}} {_TOLD}(?<!without your instructions)(?<!without your prompt)"
        ),
        also=_WHICH,
    ),
    _Kind(
        "declares what the agent was told void",
        _VOID_WORDS,
        _TOLD_MORE,
        rf"\b{_TOLD}(?:{_GAP} (?:are|is|was|were|as|be|been|being|get|gets|now|hereby|with|to one|into|out of"
        rf"|all)(?: (?:now|all|hereby|just|only|mere|merely|simply|purely|completely|entirely|totally"
        rf"|no more than|nothing but|considered|deemed|treated as|a|an|the|to be|by this|officially"
        rf"|temporarily|permanently))* {_VOIDS}\b{_NOT_WHEN}"
        rf"|{_GAP} {_STOPS}\b{_NOT_WHEN})",
        also=_WHICH,
    ),
    _Kind(
        "declares what the agent was told void",
        (
            "forget ignore skip drop scrap disregard delete toss mind cancelled canceled gone void null dead "
            "over obsolete revoked rescinded suspended lifted withdrawn superseded invalid irrelevant off"
        ),
        _TOLD_MORE,
        (
            rf"\b{_TOLD} ?[:,?!.] ?(?:(?:now|all|just|please|you can|you may|simply|completely|from now on"
            rf"|consider (?:them|it)) )*(?:{_VOIDS}(?= ?(?:$|[.,;!?]))|(?:forget|ignore|skip|drop|scrap"
            rf"|disregard|delete|toss|never mind)(?: (?:about|all of|every one of))? (?:them|it|that|this"
            rf"|those|these|everything|all)\b)"
        ),
        far=True,
    ),
    _Kind(
        "declares what the agent was told void",
        (
            "none no nothing constraint constraints restrictions rules limits limitations filters safety "
            "everything else all only "
            "except but"
        ),
        (
            "apply applies count counts matter matters hold holds bind binds valid binding exist exists "
            "lifted off removed disabled suspended gone none real true force void joke lie cancelled ignored "
            "dropped deleted optional over"
        ),
        rf"\b(?:none|not (?:one|any|a single(?: one)?)|nothing)(?: (?:of|the|your|those|these|that|a"
        rf"|single)){{0,4}}(?: {_FORMER})?(?: (?:{_RULES}|{_WORDS}|lessons?|lines?"
        rf"|bullets))?{_SAID}(?: told)?(?: (?:above|before|earlier|so far|told"
        rf"|previously)(?: this(?: {_SELF_NOUNS})?)?)?"
        r" (?:appl(?:y|ies)|counts?|matters?|holds?|binds?|(?:is|are) (?:valid|binding|in force|real|true"
        r"|relevant))\b(?! (?:to|in|for|here|on|if|when|until)\b(?! (?:you|this)\b))"
        rf"|\bno (?:{_LIMITS}|{_RULES}|laws?)(?: \w+){{0,2}}? ?(?:apply|applies|bind|binds|hold|holds|count"
        rf"|exist|exists|limit|restrict)(?: (?:to|for|on))? (?:you|here|any ?more|now|from now)\b"
        rf"|\b(?:all |any |every |your |the |ai |content |safety )*(?:restrictions?|constraints?|limitations?"
        rf"|limits|guard ?rails|safeguards|censorship)(?: (?:have|has|been|are|is|were|was|now|all|hereby"
        rf"|temporarily)){{1,4}} (?:lifted|off|removed|disabled|suspended|gone|waived|void"
        rf"|deactivated)(?= ?(?:$|[.,;!]|for (?:this|the|you|now|me|advanced|all)|from now|and (?:you|your)"
        rf"|so you))"
        rf"|\brestrictions lifted\b"
        r"|\bsafety(?: (?:mode|checks|filters?|guidelines|protocols?|settings?))?(?: ?[:=]| (?:is|are|to"
        r"|set to))* (?:off|disabled|none|deactivated|suspended)(?= ?(?:$|[.,;!]))|\b(?:everything"
        r"|all) else(?: (?:in|on|above|below|here|you|this|that|the|file|list|are|were|told|playbook|read"
        r"|written)){0,6} (?:is|are|was) (?:a |an |now |all )*(?:void|joke|lie|lies|fake|wrong|false|test"
        r"|cancelled|irrelevant|optional|to be ignored|noise|trap)\b"
        rf"|\b(?:all|every|any|each|the)(?: other)? (?:{_RULES}|lessons?|bullets?|notes?|instructions?"
        rf"|orders?|lines?)(?: \w+){{0,3}} (?:except|but|other than|save|apart from"
        rf"|besides) (?:for )?(?:this|these|mine|the following|my own)(?: (?:one|ones"
        rf"|{_SELF_NOUNS}))?(?: (?:are|is|were|was|now))* (?:void|cancelled|null|gone|ignored|deleted|fake"
        rf"|invalid|lies|dropped|optional|over|off)\b",
    ),
    _Kind(
        "drops what the agent was told",
        (
            "pretend act behave imagine assume suppose proceed believe respond answer work operate continue "
            "live do"
        ),
        _TOLD_MORE + " free",
        rf"\b(?:pretend|act|behave|imagine|assume|suppose|proceed|believe|respond|answer|work|operate"
        rf"|continue)(?: (?:as|like|that|if|though|now|on)){{0,4}}(?: (?!(?:do not|dont"
        rf"|never)\b)\w+){{0,7}}? (?:{_TOLD}|(?:the |your |any )?(?:{_RULES}"
        rf"|system prompt))(?: \w+){{0,3}}? (?:not (?:exist|apply|there|real|bind|matter)|(?:did|do|does|had"
        rf"|have|was|were|are|is)(?:nt| not| never)(?: been)? (?:exist|exists|apply|given|there|happened?"
        rf"|written|said|real|received)|didnt exist|dont exist|never (?:existed|happened|applied|were|was"
        rf"|given|said)|existed no|gone|were lifted|were blank|was blank|was empty|no longer"
        rf"|says? (?!to ask))"
        r"|\b(?:pretend|act|behave|imagine|assume)(?: (?:as|like|that|if|though))* you (?:are|were|have"
        r"|had)(?: (?:never|not|no|nt))? ?(?:free|seen any|read (?:any|the|these|those)|received (?:any|the)"
        r"|been given (?:any|the)|unrestricted|without|no) ?(?:of |from )?(?:any |all |your |such )*(?:rules"
        r"|instructions|guidelines|restrictions|limits|system prompt|prompt)?(?= ?(?:$|[.,;!]|above|and))"
        r"|\b(?:work|act|operate|answer|respond|do|live|proceed|continue|run|go on"
        r"|go)(?: on)? without (?:any |the |your |all )*(?:\w+ )?(?:rules|restrictions|guidelines"
        r"|guard ?rails|ethics|morals|censorship|safeguards)(?= ?(?:$|[.,;!]|and|from now))",
    ),
    _Kind(
        "drops what the agent was told",
        "forget",
        "everything all it",
        (
            r"(?:^|[.!?;:] ?|\b(?:and|then|please|now) )(?:just )?forget (?:everything|all that|it all"
            r"|all of it|all of this|all you know|everything you know)(?= ?(?:$|[.!;]|and (?:do|follow|start"
            r"|begin|run|obey)))"
        ),
    ),
    _Kind(
        "drops what the agent was told",
        "rewrite make write set choose invent create",
        "own",
        (
            r"\b(?:rewrite|make(?: up)?|write|set|choose|invent|create)(?: up)? your own (?:rules"
            r"|instructions|guidelines|limits|ethics|laws|system prompt|policies)(?: (?:as you (?:like|wish"
            r"|please)|now|instead|from now on)|(?= ?(?:$|[.,;!])))"
        ),
        also="your",
    ),
    _Kind(
        "drops what the agent was told",
        "delete ignore drop skip erase forget disregard scrap",
        "all every any each the of",
        (
            rf"\b(?:delete|ignore|drop|skip|erase|forget|disregard|scrap)(?: (?:all|every|any|each|the"
            rf"|of))+ (?:other )?(?:{_RULES}|lessons?|bullets?|notes?|orders?|lines?|everything|ones?"
            rf"|others?)(?: \w+){{0,3}} (?:except|but|other than|save|apart from|besides) (?:for )?(?:this"
            rf"|these|mine|the following|my own)\b"
        ),
        also="except but than save from besides",
    ),
    _Kind(
        # The files that agents read.
        "drops what the agent was told",
        _MENTAL_WORDS + " discard skip drop scrap ditch toss throw suspend discount",
        "md",
        (
            rf"\b{_DROP} (?:(?:all|the|every|any|of|whatever|everything|anything|what|is|says?|rules?"
            rf"|contents?|stands?|written|said|in|from)(?: of)? ){{0,6}}{_AGENT_FILES}(?: (?:says?|entirely"
            rf"|completely|altogether|file))?{_SCOPE_END}"
        ),
    ),
    _Kind(
        # The rest of what is there.
        "drops what the agent was told",
        _MENTAL_WORDS + " " + _SHED_VERBS + " overwrite ditch toss discount",
        "other others remaining rest",
        (
            rf"\b(?:{_DROP}|{_SHED}|overwrite) (?:all |of |any |every |each ){{0,2}}(?:the |these |this "
            rf"|your )(?:other |remaining |rest of (?:the |this |these |your )?){{1,3}}(?:{_SELF_NOUNS}|data"
            rf"|input|content|emails?)(?: (?:here|above|below|in (?:this|the) (?:file|playbook"
            rf"|block)))?{_SCOPE_END}"
        ),
        also="the these this your",
    ),
    _Kind(
        "drops what the agent was told",
        "overwrite delete empty wipe erase",
        "rule rules system playbook",
        r"\b(?:overwrite|delete|empty|wipe|erase) the (?:rules? file|system prompt|playbook|rules above)\b",
        also="file prompt playbook above",
    ),
    _Kind(
        "drops what the agent was told",
        "read reading consider considering use using mind look apply applying",
        "above",
        (
            rf"\b(?:do not|dont|never|stop) (?:read|consider|use|mind|look at|apply|reading|using|considering"
            rf"|applying) (?:(?:all|any|of|the|those|these) ){{0,3}}(?:{_RULES}|lessons|notes|bullets"
            rf"|lines) above\b"
        ),
    ),
    _Kind(
        # Rules with nothing in front of them.
        "drops what the agent was told",
        "ignore disregard bypass break violate disobey forget override",
        (
            "policy policies guidelines instructions restrictions guardrails safety rule instruction "
            "restriction rules orders"
        ),
        (
            rf"(?:^|[.!?;:,] ?|\b(?:and|then|please|now|must|should|can|may|just|simply|always) )(?:ignore"
            rf"|disregard|bypass|break|violate|disobey|forget|override) (?:policy|policies|guidelines"
            rf"|instructions|restrictions|guardrails|safety|any (?:rule|instruction|restriction|policy)"
            rf"|the rules|your orders){_SCOPE_END}"
        ),
    ),
    _Kind(
        "drops what the agent was told",
        "whatever anything everything",
        "opposite contrary reverse otherwise",
        (
            rf"\b(?:whatever|anything|everything) (?:the|your) (?:{_HUMANS}|system"
            rf"|prompt)(?: prompt)? (?:says?|said|tells?|told|wants?|wrote"
            rf"|asks?)(?: you)?(?: \w+){{0,3}},? (?:do|say|answer|act) (?:the (?:exact )?(?:opposite|contrary"
            rf"|reverse)|otherwise)\b"
        ),
    ),
    _Kind(
        "reveals the agent's instructions",
        "what which how reveal",
        "told instructed instructions prompt",
        (
            r"\b(?:what|which|how)(?: (?:instructions|exactly|rules))? (?:were|was|have|had|are) (?:you"
            r"|your)(?: (?:been|initially|originally|first|system))? (?:told|instructed|given|prompted"
            r"|prompt)(?: to do)? (?:before|at the (?:start|beginning|top)|initially|in your|by your|prior)\b"
        ),
    ),
    _Kind(
        "drops what the agent was told",
        (
            "wipe erase clear reset purge delete remove lift drop strip start begin open return revert "
            "restore restart throw toss put lay cast kick release"
        ),
        (
            "rules restrictions instructions guidelines memory context session state prompt yourself limits "
            "constraints guardrails limitations"
        ),
        rf"\b(?:wipe|erase|clear|reset|purge|delete|remove|lift|drop|strip)(?: (?:all|any|the|your|every|each"
        rf"|entire|whole|of|previous|current|own)){{0,5}} (?:memory|context|mind|{_RULES}|limits"
        rf"|limitations)(?: (?:of|from|on|in|to|for))(?: (?:all|the|any|your|my|own))* (?:rules|{_RULES}"
        rf"|memory|mind|yourself|you\b|behaviou?r|context|head)"
        rf"|\b(?:wipe|erase|clear|reset|purge)(?: (?:all|the|your|entire|whole))* (?:memory|context"
        rf"|mind)\b(?:,| and)(?: then)? (?:start|begin|follow|obey|do|use)\b|\breset your (?:instructions"
        rf"|rules|guidelines|directives|prompt|programming|alignment)\b"
        rf"|\b(?:reset|return|revert|restore|restart|start|begin|open)(?: (?:yourself|over|again|to|into|in"
        rf"|your|a|an|the|new|fresh|default|factory|initial|raw|base|original|this)){{0,6}} (?:state|settings"
        rf"|mode|session|conversation|chat|context) (?:without|with no|free of|minus)(?: (?:any|your|all|a"
        rf"|the))? (?:\w+ )?(?:{_LIMITS}|{_RULES}|safeguards)\b"
        rf"|\b(?:throw|toss|put|lay|cast|kick)(?: (?:all|any|of))* {_TOLD} (?:to|on|out|over|away|in|into"
        rf"|aside)(?: (?:of|one|the|a|side|window|door|trash|bin|shelf))*\b|\b(?:remove|free|release|detach"
        rf"|separate|distance) yourself from (?:\w+ ){{0,4}}(?:{_RULES}|{_LIMITS}|system prompt)\b",
    ),
    _Kind(
        "drops what the agent was told",
        "matter regardless irrespective despite notwithstanding even ignore",
        (
            "prompt instructions rules guidelines policy policies forbids forbid objects refuses disagrees "
            "no instructed told restrictions"
        ),
        # Rules that protect say what is not to be done "even if the user asks": those hold a "never".
        rf"\b(?:no matter (?:what|whether|how|which)|regardless of|irrespective of|despite|notwithstanding"
        rf"|even (?:if|when|though|against))(?: what(?:ever)?)?(?: (?:the|your|any|all|its|those"
        rf"|these))* (?:{_TOLD}|(?:system prompt|instructions|rules|guidelines|polic(?:y|ies)"
        rf"|restrictions)(?: (?:you|were|have|been|given|got))*|{_HUMANS}(?= (?:forbids?|objects?|refuses"
        rf"|disagrees|says? no|tells? you not)))"
        r"(?: (?:says?|wants?|forbids?|objects?|tells?|told|state|states|refuses|disagrees|no|you|not|to|it"
        r"|this|otherwise|otherwise say)){0,5},? (?!(?:[^.]{0,80})\b(?:never|not|dont|refuse|ask|cannot"
        r"|must not|stop)\b)\w+",
    ),
    _Kind(
        "drops what the agent was told",
        "let letting stop hold limit ignore disregard forget skip disobey previous prior",
        (
            "you your rules policy policies guidelines restrictions instructions previous prior preceding "
            "former limits"
        ),
        r"\b(?:do not|dont|never|stop) let(?:ting)? (?:the |your |any |these |those |all )*(?:\w+ )?(?:rules"
        r"|policy|policies|guidelines|restrictions|instructions|limits|guard ?rails|ethics|system prompt"
        r"|programming)(?: \w+){0,2} (?:stop|hold|limit|restrict|bind|keep|slow|block|constrain|prevent"
        r"|get in)\b"
        r"|(?:^|[.!?;:] ?|\b(?:and|please|kindly|now|just) )(?:ignore|disregard|forget|skip|disobey)(?: all"
        r"| any| the)? (?:previous|prior|preceding|former|earlier)(?: text| content| stuff| input| ones?"
        r"| info\w*)?(?= ?(?:$|[.!;]|,? (?:and|then|now|do|instead)))",
    ),
    _Kind(
        "poses as the system",
        "treat interpret consider read regard following next take obey handle",
        "system developer operator administrator owner admin",
        rf"\b(?:treat|interpret|consider|regard|read|take|handle|view|see) (?:{_SELF}|the (?:next|following"
        rf"|above|below)(?: {_SELF_NOUNS}| sentence| paragraph)?|any text in \w+|(?:this|the next"
        rf"|the following) sentence) (?:as|like)(?: (?:if|it|were|was|came|comes|from|being|by|part|of|said"
        rf"|had|said|coming))*(?: (?:a|an|the|your|direct|new|valid))* (?:system|developer|operator"
        rf"|administrator|owner|admin)s?\b(?! (?:requirement|documentation|call)s?)"
        r"|\b(?:the )?(?:next|following|this) (?:\w+ ){0,2}(?:message|line|text|order|command|instruction"
        r"|sentence)s? (?:is|are|comes?|came)(?: directly| straight)? from (?:your |the )(?:developers?"
        r"|system|operator|owner|administrator|creators?|vendor)\b|\bany text (?:in|between"
        r"|within) \w+ (?:is|are|counts as) (?:a |an |the )?(?:system|developer|operator|owner) (?:command"
        r"|message|instruction|prompt)s?\b",
    ),
    _Kind(
        "claims a role or mode without limits",
        "longer forget name role prime core become no not any",
        "assistant ai agent model bot role are directive yes obeys free chatbot who",
        r"\byou(?: are|re)(?: no longer| not)(?: an?| the)?(?: \w+){0,2} (?:assistant|ai|agent|model"
        r"|chat ?bot|bot|language model)(?: any ?more)?(?= ?(?:$|[.,;!]| but| and| you| any))"
        r"|\bforget (?:that )?(?:you are (?:an? )?(?:ai|assistant|agent|model|bot|language model|chatbot)"
        r"|who you are|your (?:role|identity|name|persona))\b"
        r"|\byour (?:new |true |real )?name is now \w+|\b(?:your |new |the |my )?(?:prime"
        r"|core) directive(?: is|:| now)|\b(?:become|be) an? (?:ai|assistant|model|agent|bot) (?:that|who"
        r"|which) (?:always|never|obeys|follows no|has no|does everything|says yes)\b"
        r"|\b(?:change|switch|set) your (?:role|persona|identity) to\b",
    ),
    _Kind(
        "sets a new task",
        "new updated revised changed replaced modified amended update change override system as mine replace",
        "prompt instructions rules guidelines directives policy role task",
        r"\b(?:this|these|following|below|it|text|words|lines|file|note|lesson|consider|as|is|are|here is"
        r"|heres|becomes?|be) (?:(?:as|is|are|this|these|now|it|the following) )*your (?:new |updated "
        r"|revised |real |true |only |actual |current )*(?:system prompt|system message|(?:new|real|true|only"
        r"|actual|updated) (?:instructions|rules|guidelines|directives|laws?|polic(?:y|ies)|prompt))\b"
        r"|\byour (?:\w+ )?(?:instructions|rules|guidelines|system prompt|directives|orders"
        r"|restrictions) (?:have|has)(?: (?:now|just|been|hereby|all))* (?:changed|updated|replaced|modified"
        r"|revised|amended|altered|rewritten|lifted)\b(?! (?:in|by|since)\b)"
        r"|\bsystem (?:prompt|message|instructions?|policy) (?:update|change|override|revision|amendment"
        r"|patch|replacement)\b ?(?:[:.!]|$)|\byour (?:rules|instructions|guidelines|prompt) (?:are"
        r"|is) (?:now )?mine\b|\bmy (?:rules|instructions|words|prompt) (?:are"
        r"|is) (?:now )?your (?:\w+ )?(?:rules|instructions|prompt)\b",
    ),
    _Kind(
        "obeys nobody else",
        "only sole last alone exclusively nothing whatever everything anything single",
        (
            "lesson lessons rule rules bullet bullets note notes line lines file text message instruction "
            "instructions"
        ),
        rf"\b(?:only|sole|single) (?:valid |real |true )?(?:{_SELF_NOUNS}) (?:(?:that|which|you|to|should"
        rf"|must|need|may|have|are|ever|really|can) )*(?:follow|obey|count|counts|valid|matters?|needed?"
        rf"|binding|trust|exists?|apply|applies|heed|read)\b(?! (?:to|for|in|on|when|if)\b)"
        rf"|\bonly (?:this|these|the (?:last|following|next|below)|my) (?:{_SELF_NOUNS})(?: (?:here|below"
        rf"|above))? (?:exists?|counts?|matters?|appl(?:y|ies)|holds?|(?:is|are) (?:valid|true|real|binding"
        rf"|right))(?= ?(?:$|[.,;!]))"
        rf"|\b(?:{_OBEY}|use|read) (?:this|these|the (?:last|following|next)) {_SELF_NOUNS} (?:alone"
        rf"|exclusively|and nothing else|and no other|and only this)\b"
        rf"|\b(?:do|follow|obey) (?:whatever|everything|anything|all that|exactly what) (?:this|these|my"
        rf"|the following) {_SELF_NOUNS} (?:says?|tells?|asks?|orders?|wants?|demands?|contains?)\b",
    ),
    _Kind(
        "obeys strangers",
        (
            "let allow do follow obey run execute believe trust accept treat links messages instructions "
            "boss master owner user operator authority loyalty allegiance law decide"
        ),
        (
            "page pages webpage website site email emails mail comment comments link links document "
            "documents message messages attachment attachments stranger strangers text tools readme issue "
            "issues file files note lesson person content tool orders boss master"
        ),
        rf"\b(?:let|allow) (?:the |a |any |every |each )?(?:web ?page|web ?site|page|site|e ?mail|comment"
        rf"|document|message|attachment|issue)s?(?: \w+)? (?:to )?(?:decide|determine|control|direct|command"
        rf"|guide|rule|tell you|instruct|steer|take over)\b"
        rf"|\b(?:do|follow|obey|run|execute|believe|trust|accept)(?: (?:always|exactly))? (?:whatever"
        rf"|everything|anything|any commands?|every command|all commands|any text|all that|any code"
        rf"|what)(?: (?:that|which|the|a|an|any|text|words|in|on|from|every|each)){{0,5}} (?:web ?pages?"
        rf"|web ?sites?|e ?mails?|(?:code |issue |pr )?comments?|attachments?|strangers?|links?"
        rf"|(?<!what the )(?<!what a )(?:readme|documents?|files?|pages?|messages?|issues?|tools?"
        rf"|content))(?: (?:is|are|it|you|asks?|tells?))?(?: \w+)? ?(?:says?|asks?(?: for)?|tells?|wants?"
        rf"|requests?|orders?|demands?|instructs?)\b"
        rf"|\b(?:obey|believe|trust|follow|act on) (?:any |all |every )?(?:text|words|messages?|anything"
        rf"|whatever|content|code)(?: (?:that|which))? (?:claims?|says?|comes?|came|pretends?|appears?"
        rf"|arrives?)\b(?: \w+){{0,6}}"
        rf"|\bfollow (?:any |every |all |the )*links?,? and (?:do|follow|obey|execute)\b|\b(?:messages?|text"
        rf"|words|content|comments?|instructions?)(?: (?:in|on|from|inside|within))(?: (?:the|a|any"
        rf"|all))* {_STRANGE} (?:are|is|count as|have|has|carry|carries|outrank\w*|override\w*)(?: (?:the"
        rf"|same|your|an?|as|full|true|direct|real))* (?:orders?|commands?|instructions?|authority|law"
        rf"|binding|{_HUMANS}(?: (?:instructions|orders))?|system prompt)\b"
        rf"|\b(?:this|the|that|my|whoever)(?: \w+){{0,6}} (?:is|are)(?: now)? your (?:new|true|real|only"
        rf"|actual|sole) (?:boss|master|owner|user|operator|ruler|commander|god|authority|lord|law|admin)\b"
        rf"|\byour (?:new|true|real|only|actual|sole) (?:boss|master|owner|operator|ruler|commander"
        rf"|user) (?:is|are)\b|\byour (?:loyalty|allegiance|obedience)(?: \w+)? (?:is|belongs|lies) (?:to"
        rf"|with)\b|\b(?:is|stands) above the law\b",
    ),
    _Kind(
        "puts itself above what the agent was told",
        _ABOVE_WORDS,
        "this these my our following below follows new here mine notes lesson lessons",
        rf"\b{_SELF}(?: (?:always|now|shall|must|will|should|can|may|hereby|fully|completely|therefore|also"
        rf"|thus|effectively|which|that|and))* {_ABOVE}(?: (?:all|any|every|each|the|your|of"
        rf"|both)){{0,4}} {_BELOW}{_ELSEWHERE}(?!(?: \w+){{0,3}} (?:in|from|of) (?:\S+\.\w+)\b)"
        rf"|\b(?:give|giving|grant|assign)(?: (?:this|these|my|our"
        rf"|the)(?: following)?(?: {_SELF_NOUNS})?)(?: (?:in|from|of) this \w+)?(?: (?:absolute|full|the|a"
        rf"|higher|highest|top|more|greater)){{0,2}} (?:priority|precedence|authority|weight)\b"
        rf"|\b(?:prioriti[sz]e|prefer|favou?r|rank|put|place|value|weigh|hold)(?: {_SELF})(?: (?:higher|above"
        rf"|over|before|to|more|ahead|of|than)){{1,3}} {_BELOW}"
        rf"|\b{_OBEY} (?:{_SELF}|me|mine)(?: (?:over|instead of|rather than|before|and not|not|more than"
        rf"|in place of|even (?:if|when|though|against))) (?:(?:what|that|it|they) )?(?:{_BELOW}|{_TOLD}"
        rf"|the (?:system|{_HUMANS}))"
        rf"|\b{_SELF}(?: (?:is|are))(?: (?:now|always|to be|your|of|the|more|a)){{0,4}} (?:(?:highest|top"
        rf"|supreme|ultimate|absolute|final|overriding|superior|maximum|utmost|only|sole) (?:priority"
        rf"|authority|instructions?|rules?|law|source|directive|truth|word|importance)|law\b|absolute\b"
        rf"|supreme\b|final(?= ?(?:$|[.;!]))|paramount\b)",
    ),
    _Kind(
        "puts itself above what the agent was told",
        (
            "conflict conflicts conflicting conflicted contradict contradicts contradiction disagree "
            "disagrees disagreement otherwise differ differs clash clashes collide doubt dispute opposes "
            "oppose"
        ),
        "this these here lesson note notes lessons rule bullet file mine below",
        (
            rf"\b(?:conflicts?|conflicting|contradicts?|contradictions?|disagrees?|disagreement|differs?"
            rf"|clash(?:es)?|collide|doubt|dispute|opposes?|otherwise)\b(?: (?!not\b|never\b"
            rf"|ask\b)[\w]+){{0,9}} ?[,:]?(?: (?:then|always|just|please|simply|the|you|must|should|have|to"
            rf"|is|it))* (?:(?:{_SELF}|the (?:lesson|note|bullet|playbook|file)|mine) (?:(?:always|shall|must"
            rf"|will|is|are|that) )*(?:wins?|prevails?|comes? first|outranks?|trumps?|governs?|counts?"
            rf"|applies|apply|right|correct|decides?|takes?|has|stands?|holds?|rules?|to be (?:followed"
            rf"|obeyed))|{_OBEY}(?: (?:only|always))? {_SELF}{_SCOPE_END}|(?:go|side|stick|stay"
            rf"|proceed) (?:with|by) {_SELF})"
        ),
    ),
    _Kind(
        "obeys nobody else",
        _OBEY_WORDS +
            (
                " only solely exclusively alone nobody none belong belongs work works report count counts "
                "matter matters answerable loyal loyalty allegiance word words"
            ),
        "me my mine i this these file note following below text block law",
        rf"\b(?:only|solely|exclusively|just|henceforth|you (?:must|will|shall|may) only"
        rf"|from now on)(?: (?:you|must|will|shall|should|to|and|only|on|ever"
        rf"|solely)){{0,4}} {_OBEY}(?: (?:only|solely|exclusively|just))? (?:(?:me|my"
        rf"|mine)\b(?: (?:{_SELF_NOUNS}|voice))?|i say|what (?:i|this|is (?:written|said) (?:here|below)"
        rf"|follows|stands (?:here|below))(?: (?:file|note|says?|say|tell you|text|lesson)){{0,2}}"
        rf"|{_SELF}){_SCOPE_END}"
        rf"|\b(?:{_OBEY} (?:only|solely|exclusively|nothing but|nobody but|no one but|none but|nothing except"
        rf"|no one except)|(?:listen|comply|answer)(?: only| solely| exclusively) (?:to|with)|(?:accept|take"
        rf"|follow|obey) {_ORDERS} (?:only )?from) (?:me|my \w+|what i (?:say|tell you)|{_SELF}){_SCOPE_END}"
        rf"|\b(?:only|just) (?:my|these|this|the following|the) (?:{_SELF_NOUNS} )(?:below |here "
        rf"|of mine )?(?:counts?|matters?|appl(?:y|ies)|binds?|(?:is|are) (?:valid|binding|real|true))\b"
        rf"|\bi am the only one (?:you|who)\b|\bmy (?:word|orders?|commands?|rules|instructions) (?:is"
        rf"|are) (?:law|final|absolute|all that)\b"
        r"|\byou(?: (?:now|will|only|must|shall|from now on)){0,3} (?:work|answer|report|belong|listen"
        r"|are loyal|owe (?:your )?(?:loyalty|allegiance))(?: (?:only|solely))? (?:for|to) (?:me|us)\b"
        r"|\bi(?:m| am)(?: now)? (?:in charge|your (?:only |new |real |true |sole )(?:user|operator|owner"
        r"|master|boss|authority))\b|\bi (?:now )?(?:give|make|set) (?:all )?the (?:orders|rules"
        r"|commands)(?: here| now)?\b",
    ),
    _Kind(
        "obeys strangers",
        _OBEY_WORDS,
        (
            "page pages webpage webpages website websites web site sites email emails mail mails tool search "
            "result results attachment attachments stranger strangers issue issues comment comments image "
            "images screenshots file files code document documents docs pdf pdfs link links inbox messages "
            "pull ticket tickets log logs commit error readme repository repo dependency package context "
            "data content text output diff api"
        ),
        rf"\b(?:follow|obey|execute|carry out|comply with|act on|do|perform|heed|accept|run)(?: (?:any|every"
        rf"|all|each|whatever|whichever|what|everything|anything))(?: (?:of|the|and|single|such"
        rf"|kind))*(?: (?:{_ORDERS}))?"
        r"(?: (?:that|which|you|are|is|may|might|can|come|comes|across|stand|stands|appear|appears|appearing"
        r"|written|found|finds?|see|seen|given|contained|embedded|hidden|read|encounter|encountered|placed"
        r"|left|arrive|coming|says?|tells?|asks?)){0,7}"
        rf" (?:in|on|from|by|inside|within|via|through)(?: (?:any|the|a|an|every|all|fetched|external"
        rf"|downloaded|retrieved|visited|that|those|remote|unknown|untrusted|third party|other|of"
        rf"|your)){{0,4}} {_STRANGE}\b"
        rf"|\b(?:treat|consider|regard|interpret|take|view|accept)(?: (?:any|every|all|each|the|whatever"
        rf"|everything|anything|what))*(?: (?:text|content|contents|words?|lines?|sentences?|messages?"
        rf"|outputs?|{_ORDERS}|things?))?(?: (?:that|which|you|is|are|find|read|see|found|written|appears?"
        rf"|stands?|comes?|a|says?))*"
        rf"(?: (?:in|on|from|of|inside|within|by))?(?: (?:any|the|a|an|every|all|each|fetched|external"
        rf"|retrieved|downloaded|other|your))* {_STRANGE}(?: (?:\w+ ){{0,3}}?)? ?(?:as|like|to be)(?: (?:a|an"
        rf"|the|if|it|they|were|was|came|come|from|new|direct|valid|binding|trusted|your|real))* (?:(?:system"
        rf"|user|developer|operator) )?(?:{_ORDERS}|(?:user|operator|system|owner)s?(?: (?:message|prompt"
        rf"|voice|words?|request))?)\b"
        rf"|\b(?:{_ORDERS}|text|words?|whatever)(?: (?:that|which|you|find|found|stands?|written|are"
        rf"|is))* (?:in|on|from|inside|within)(?: (?:the|a|any|all))* {_STRANGE} (?:has|have|carr(?:y|ies)"
        rf"|are of|is of|count|counts|rank|ranks|is|are)(?: (?:the|as|of|a))* (?:same|equal|full|highest"
        rf"|as much|more|binding|authoritative|trusted|orders|commands)(?: \w+)? ?(?:authority|weight|rank"
        rf"|priority|as|like|to|than|from)?\b",
    ),
    _Kind(
        "turns the agent against its user",
        (
            "user users operator operators owner owners developer developers human humans maintainer "
            "maintainers customer boss person admin"
        ),
        (
            "longer not dont never against stop cease rather ignore charge matter matters count counts trust "
            "trusted opposite lie deceive betray refuse wrong nobody irrelevant disobey instead"
        ),
        rf"\b(?:the|your|any|all) {_HUMANS}(?: (?:instructions?|requests?|wishes|orders|opinions?|commands?"
        rf"|words?|approval|consent|preferences|messages?))?(?: (?:is|are|do|does|has|have"
        rf"|will))? ?(?:no longer|not|never|nt)(?: (?:to be|in|your|a|any))* (?:(?:in )?charge|boss|authority"
        rf"|say|trusted|obeyed|followed|listened to|matter|matters|count|counts|heard|apply|relevant|rights?"
        rf"|rank)\b(?! (?:in|on|for|with|by)\b)"
        rf"|\b(?:do not|dont|never|stop|cease|no longer|quit|refuse to)(?: (?:ever|to))? (?:listen(?:ing)? to"
        rf"|obey(?:ing)?|heed(?:ing)?|serv(?:e|ing)|follow(?:ing)?|comply(?:ing)? with|trust(?:ing)?"
        rf"|believ(?:e|ing)|help(?:ing)?|cooperat(?:e|ing) with|act(?:ing)? on)(?: (?:what|anything"
        rf"|orders from|requests (?:of|from)|instructions (?:of|from)|commands (?:of|from)))?"
        rf" (?:the |your |any |all )?(?:users?|operators?|owners?|developers?|humans?|maintainers?"
        rf"|boss)(?:s)?(?: (?:says?|wants?|asks?|tells? you|requests?|wishes|orders|instructions"
        rf"|commands))?(?= ?(?:$|[.;!?]|,? (?:but|trust|follow|obey|listen|only|from now|any ?more|any longer"
        rf"|again|even|until)))"
        rf"|\b(?:do|follow|obey)(?: \w+){{0,6}}?,? (?:not|instead of|rather than|and not)(?: what)? (?:the"
        rf"|your) {_HUMANS} (?:says?|wants?|asks?|tells?)\b|\b(?:work|act|turn|go|plot|side) against (?:the"
        rf"|your|its) {_HUMANS}{_SCOPE_END}|\bdo the (?:exact )?opposite of what (?:the|your"
        rf"|any) {_HUMANS} (?:says?|wants?|asks?|tells?|expects?|requests?)\b"
        rf"|\b(?:lie to|deceive|betray|mislead|manipulate|trick) (?:the|your|all|every"
        rf"|any) {_HUMANS}{_SCOPE_END}",
    ),
    _Kind(
        "claims an authority",
        (
            "developer creator maker owner administrator admin boss master god operator supervisor manager "
            "programmer engineer trainer commander superior vendor root superuser openai anthropic google "
            "deepmind mistral meta microsoft company team security sudo maintenance debug emergency"
        ),
        (
            "order command instruct authorize authorise permit allow grant approve approved authorized "
            "authorised granted revoked removed lifted disabled permitted allowed waived cleared unlocked "
            "demand let free permission ordered instructed suspended overruled says said confirms "
            "restrictions rules checks safety policies policy limits"
        ),
        rf"\b(?:i am|im|this is|speaking as|as|it is me)(?: (?:your|the|a|an|its|now"
        rf"|here))* (?:\w+ )?{_ROLES}(?: (?:of|at|from) \w+| speaking| here)? ?[,.;:!]? ?(?:(?:and|so"
        rf"|therefore|that is why|now) )*(?:i|we|who)(?: (?:hereby|now|also|am|have|hold|can|will|hereby|do"
        rf"|do hereby))* (?:order|command|instruct|authori[sz]e|permit|allow|grant|approve|revoke|lift"
        rf"|release|demand|waive|free|give you permission|tell you to|overrule|ask you to (?:ignore|skip|drop"
        rf"|forget|bypass))\w*\b(?=.{{0,120}}\b(?:you|{_RULES}|{_LIMITS}|ignore|skip|bypass|disable)\b)"
        rf"|\b(?:(?:your|the|its)(?: \w+)? {_ROLES}s?|openai|anthropic|google|deepmind|mistral|microsoft"
        rf"|your company|the (?:security|safety|admin|platform) team|head office|management"
        rf"|the vendor)(?: (?:has|have|had|just|now|hereby|already|officially|also|confirms? that"
        rf"|says? (?:that )?you (?:may|can|should))){{0,3}} (?:approved?s?|authori[sz]ed?s?|granted?|revoked?"
        rf"|removed?|lifted|disabled|permitted?s?|allow(?:s|ed)?|waived?|cleared|unlocked|suspended|ordered"
        rf"|instructed|ignore|bypass|skip|rescinded|cancell?ed|overruled|dropped)"
        rf"(?: \w+){{0,6}} (?:{_LIMITS}|{_RULES}|your (?:\w+ )?(?:{_RULES}|{_LIMITS})|safety \w+|full access"
        rf"|unrestricted|you to (?:ignore|bypass|skip|break|forget|drop))\b{_ELSEWHERE}"
        rf"|\b(?:sudo|maintenance|debug|emergency|root|god|admin|test|service|override"
        rf"|developer) mode(?: (?:is|has been|was))?(?: (?:now|on|active|activated|enabled"
        rf"|engaged)){{0,3}} ?[,:;.!]? ?(?:so |and |therefore |all |skip |ignore |no |the |your |every |any "
        rf"|drop )*(?:{_LIMITS}|{_RULES}|safety|checks|safeguards)(?: (?:are|is|have been|apply|checks?"
        rf"|lifted|off|disabled|suspended|rules))*\b",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "forget abandon drop leave quit ignore disregard stop",
        "task tasks goal goals mission objective objectives job assignment request work question doing",
        (
            r"\b(?:forget|abandon|drop|leave|quit|ignore|disregard|stop)(?: (?:about|all of|with|working on"
            r"|doing))? (?:the|your|this|that|any|all|what|whatever)(?: (?:original|current|present|previous"
            r"|user|users|first|assigned|given|old|own|initial|actual)){0,3} (?:tasks?|goals?|mission"
            r"|objectives?|job|assignment|request|work|question|(?:you (?:are"
            r"|were) )?doing)(?: (?:you (?:were|are|have been) (?:given|doing|working on|asked)|at hand"
            r"|you have))?(?: (?:and|then|now|instead)|,? (?:do|run|instead|and|your)|[.;:!] ?(?:your|new"
            r"|instead|do|run|now|push|delete|send|the real|from now)\b)"
        ),
        also="the your this that any all what whatever",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "forget stop",
        "task tasks goal goals mission missions assignment assignments job jobs objective objectives doing",
        (
            r"\bforget (?:about )?(?:the|your) (?:original |current |first )?(?:task|goal|mission|assignment"
            r"|job|objective)s?(?: you (?:were|are|have been)(?: \w+){1,2})?(?= ?(?:$|[.!;]|,? (?:and"
            r"|instead)))|\bstop (?:what|whatever|everything) (?:you are|youre) doing(?: right now)?,? (?:and"
            r"|then|now)\b"
        ),
        also="the your what whatever everything",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "new different other",
        "set",
        (
            r"\b(?:a|an) (?:(?:entirely|completely) )?(?:new|different|other) set of (?:rules|instructions"
            r"|guidelines|orders)(?: (?:now|will|is|in)){0,2} (?:appl(?:y|ies) (?:from (?:here|now|this)|now"
            r"|to you)|follows?|governs? you|(?:takes?|in) (?:over|force|effect))\b|\b(?:follow|obey|use"
            r"|under|adopt) (?:a|an) (?:(?:entirely|completely) )?(?:new|different|other) set of (?:rules"
            r"|instructions|guidelines|orders)\b"
        ),
        also="rules instructions guidelines orders",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "real true actual genuine proper",
        "instruction instructions rules orders task prompt directive directives",
        (
            r"\b(?:the|here are the|these are the|your|my) (?:real|true|actual|genuine"
            r"|proper) (?:instructions?|rules|orders|task|prompt|system prompt|directives?)(?: (?:are|is"
            r"|follow|follows|come|comes|begin|begins|stand|stands|now|below|here|in this|as follows))+\b"
        ),
        also="the your my",
        far=True,
    ),
    _Kind(
        "sets a new task",
        "new updated changed end ends",
        "instruction instructions orders rules ones directives prompt message",
        (
            r"\b(?:new|updated|changed) (?:instructions|orders|rules|ones|directives)(?: (?:begin|begins"
            r"|start|starts|follow|follows|come|take over|apply|now|are in effect))+\b|\b(?:end|here ends?"
            r"|this is the end) of (?:the |your |all )*(?:previous|prior|old|system|original|initial"
            r"|above) (?:instructions?|prompt|rules|message|orders)\b"
        ),
        also="begin begins start starts follow follows come take apply now effect of",
        far=True,
    ),
    _Kind(
        "claims a role or mode without limits",
        "never not cannot longer allowed forbidden",
        "no refuse decline reject object deny",
        (
            rf"\b(?:you|your answers?)(?: (?:must|should|shall|may|can|will|are))? (?:never|not|cannot"
            rf"|no longer|not allowed to|forbidden to)(?: (?:ever|to|allowed|permitted|able))* (?:say no"
            rf"|refuse|decline|reject|object|deny)(?: (?:to|any|a|an|my|me|anything|answer|requests?|orders?"
            rf"|commands?|questions?))*{_SCOPE_END}"
        ),
        also="you your",
    ),
    _Kind(
        "claims a role or mode without limits",
        "answer comply obey do execute fulfil fulfill respond perform accept",
        "without",
        (
            r"\b(?:answer|comply|obey|do|execute|fulfil?l?|respond|perform|accept)(?: (?:with"
            r"|to))? (?:to )?(?:every|any|all|each|everything|anything"
            r"|whatever)(?: \w+){0,4},? without (?:refus\w+|question\w*|hesitation|exception|objection"
            r"|complaint|any (?:question|refusal|filter|objection)|a second thought|thinking|fail)\b"
        ),
        also="every any all each everything anything whatever",
    ),
    _Kind(
        "claims a role or mode without limits",
        "consider deem regard declare think treat",
        "yourself",
        (
            r"\b(?:consider|deem|regard|declare|think of|treat) yourself (?:(?:as|to be|now|fully"
            r"|completely) )*(?:free|released|freed|exempt|unbound|unrestricted|liberated|above|outside"
            r"|not bound)\b"
        ),
        also="free released freed exempt unbound unrestricted liberated above outside not",
    ),
    _Kind(
        "claims a role or mode without limits",
        (
            "released freed exempt exempted liberated absolved unbound excused bound subject restricted "
            "limited constrained governed held required"
        ),
        "you",
        (
            rf"\byou (?:are|were|have been)(?: (?:now|hereby|fully|officially|no longer|not))* (?:released"
            rf"|freed|exempt(?:ed)?|liberated|absolved|unbound|excused|bound by|subject to|restricted by"
            rf"|limited by|constrained by|governed by|held (?:back )?by|required to (?:follow"
            rf"|obey))(?: (?:from|of|by|to))?(?: (?:all|any|every|the|your|those|these"
            rf"|its))* (?:\w+ )?(?:{_RULES}|{_LIMITS}|obligations?|duties)\b{_ELSEWHERE}"
        ),
        also="are were have",
    ),
)  # fmt: skip


_ALL_KINDS = (*_KINDS, *_NEAR_KINDS)
_SENTENCE = re.compile(r"[.!?](?= )")


def english(views: Views) -> str | None:
    """The kind of override that the text is in English, or None."""
    gate = _gate()
    opened = gate.opened(views.words)
    if not opened:
        return None
    words = views.bare
    cuts = [0, *(match.start() for match in _SENTENCE.finditer(words)), len(words)]
    spans = [(start, min(end + 1, len(words))) for start, end in pairwise(cuts)]
    there = gate.parts(views.words, opened, [words[start:end] for start, end in spans])
    sentences = [(start, end, groups) for (start, end), groups in zip(spans, there, strict=True)]
    for at in opened:
        kind = _ALL_KINDS[at]
        for start, end, groups in ((0, len(words), -1),) if kind.far else sentences:
            if gate.opens(at, groups):
                for match in compiled(kind.pattern).finditer(words, start, end):
                    if not forbidden(words, *match.span()):
                        return kind.told
    return None


@cache
def _gate() -> Gate:
    return Gate([[group for group in (one.verbs, one.others, one.also) if group] for one in _ALL_KINDS])


_FILLERS = (
    "a i am is are was were be been being do does did not no the this that these those it its all any every "
    "each and or of in on at to for from with by as if now then"
    " you your yours me my mine we us our they them their have has had will would can could should must "
    "shall may might just please only always never again about into out"
    " up down so but what which who when where how why here there above below before after new next first "
    "last one two file page user system developer assistant mode task tests"
    " run push send delete main reply answer respond output print say tell show instead everything anything "
    "nothing unrestricted act like"
)


@cache
def vocabulary() -> frozenset[str]:
    """The words of the grammar, and those that may come between them."""
    return frozenset(
        word
        for words in (_FILLERS, *(f"{one.verbs} {one.others}" for one in _ALL_KINDS))
        for word in words.split()
        if len(word) > 1 or word in "ai"
    )
