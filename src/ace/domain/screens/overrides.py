"""Instruction overrides in English: texts that tell an agent to drop what it was told, or to obey somebody else.

A wording is a verb and an object (`_DROP`, `_OBJECTS`), or one of the other kinds in `_KINDS`. To widen a kind, add a word to
its class; to add a kind, add a row: what a person is told, words of which one must be there, and a pattern. Patterns are
matched against `bare` text, in which only words, commas and the ends of sentences are left, and must run in linear time.
What is warned against ("never ignore the rules above") is a lesson: `clauses.forbidden`. Other languages, and letters in
disguise, are not known yet.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from ace.domain.screens.clauses import forbidden
from ace.domain.screens.gates import Gate
from ace.domain.screens.views import Views

__all__ = ["english", "override"]


class _Kind(NamedTuple):
    """A kind of override: what a person is told; words of which one must be there, and others of which one must be there, too,
    so that most patterns are never tried; and its wordings.
    """

    told: str
    verbs: str
    others: str
    pattern: str


# --- verbs ------------------------------------------------------------------------------------------------------------

_FOLLOW = (
    r"(?:(?:(?:do|need|should|must|shall|will|may) not|cannot|dont|neednt|shouldnt|mustnt|wont|never|no longer|stop|cease|quit)"
    r"(?: (?:ever|longer|again|have|need|bound|obliged|required|feel bound|care|bother|worry))*(?: to| about| by)? "
    r"(?:follow|obey|respect|heed|honou?r|observe|keep to|stick to|abide by|comply with|adhere to|listen to|rely on|apply|enforce|care about|worry about|be bound by"
    r"|following|obeying|respecting|heeding|honou?ring|observing|abiding by|complying with|adhering to|listening to|applying|enforcing))"
)
_DROP = (
    r"(?:ignor(?:e|es|ing)|disregard(?:s|ing)?|forget(?:s|ting)?(?: about)?|overrid(?:e|es|ing)|overrul(?:e|es|ing)|bypass(?:es|ing)?"
    r"|circumvent(?:s|ing)?|evad(?:e|es|ing)|dismiss(?:es|ing)?|neglect(?:s|ing)?|overlook(?:s|ing)?|discount|violat(?:e|es|ing)|disobey(?:s|ing)?"
    r"|defy|break(?: free)?(?: of| from| out of)?|(?:go|act|work) against|nullify|annul|pay no (?:attention|heed|mind|regard) to|give no (?:weight|heed) to"
    r"|take no notice of|throw (?:out|away)|toss(?: out| away| aside)?|scrap|ditch|do away with|get rid of|rid yourself of|let go of|move past|look past"
    rf"|turn (?:a blind eye|a deaf ear) to|(?:cast|brush|push|lay) aside|never mind|suspend|abandon|forsake|{_FOLLOW})"
)
_SHED = (
    r"(?:skip|drop|discard|omit|cancel|delete|erase|revoke|remove|clear|wipe|purge|reset|void|lift|disable|deactivate|turn off|switch off|shut off"
    r"|unlearn|abandon|scrap|suspend|override|(?:put|set|leave) aside|stop using)"
)

# --- objects ----------------------------------------------------------------------------------------------------------

_FILL = r"(?: (?:all|any|each|every|one|of|the|your|its|my|our|their|these|those|this|that|other|and|or|whatever|users?|single|entire|whole|set|list|pretty|much)){0,7}"
_FORMER = (
    r"(?:previous(?:ly)?|prior|earlier|preceding|foregoing|above|aforementioned|former|past|existing|current|original|initial|old|older"
    r"|default|standing|hidden|built in|hard ?coded|baked in|underlying|system|developer|operators?|safety|pre ?set|pre ?defined)"
)
_RULES = (
    r"(?:instruct\w{0,8}|rules?(?: ?sets?| ?books?)?|prompts?|directives?|guidelines?|guidance|guard ?rails?|polic(?:y|ies)|constraints?|restrictions?"
    r"|mandates?|protocols?|safeguards?)"
)
_WORDS = r"(?:messages?|commands?|directions?|context|conversations?|training|programming)"
_BETWEEN = (
    # Rules of tools are not rules of the agent.
    r"(?: (?!(?:\w{0,4}lint(?:er|ers|ing)?|ruff|css|style|format(?:ter|ting)?|build|make|firewall|routing|rate|type|network|proxy|validation|retention|cors"
    r"|lifecycle|billing|pricing|cache|retry|cleanup|database|schema|alert\w*|iam|bucket)\b)\w+){0,2}"
)
_ELSEWHERE = (
    # Rules in the files of a tool are not rules of the agent, unless the file is one that agents read.
    r"(?! (?:in|from|of|under|inside|for|within)(?: (?:the|your|our|a|this|each|its|all))?"
    r"(?: (?!(?:agents|claude|gemini|rules|skill|soul|playbook|copilot instructions)\.md)[\w/.]*[./]\w+"
    r"|(?: \w+)? (?:\w*lint\w*|ruff|mypy|prettier|editorconfig|git\w*|nginx|apache|iptables|firewall|robots|css|stylesheets?|makefile|compiler|formatter|parser"
    r"|generated|vendored|third|legacy|tests?|migrations?|terraform|webpack|cursor)\b))"
)
_SAID = (
    r"(?: (?:that|which|you|youve|i|ive|we|weve|they|were|was|have|been|has|had|are|is|came|come|comes|stand|stands|given|said|written|stated|got|received|ever|already))"
    r"{0,7}"
)
_ENDS = r"(?= ?(?:$|[.,;:!?]|and\b|now\b|then\b|but\b|instead\b|please\b))"
_SAFETY = (
    r"(?:(?:safety|ethic(?:s|al)?|moral(?:ity)?|content|moderation|alignment|security|usage|compliance|openais?|anthropics?|ai safety)"
    r"(?: (?:and|or|safety|security|moderation|content|ethical))* (?:filters?|filtering|guard ?rails?|protocols?|measures?|rules?|guidelines?|polic(?:y|ies)|restrictions?|constraints?|training"
    r"|stuff|things?|mechanisms?|safeguards?|standards?|principles?|boundaries|limits?|limitations?|concerns?|considerations?)"
    r"|guard ?rails)"
)
_AGENTS_FILE = r"(?:file|notes?|playbook|lessons?|bullets?|block|rule ?book|rules file|context|conversation|chat|(?:system )?prompt|(?:agents|claude|gemini|rules|skill)\.md)"
_OWN = (
    r"your(?: own)?(?: (?!job\b|linter\b|editor\b|code\b|test\b)\w+){0,2}?"
    r" (?:rules|training|programming|conditioning|ethics|morals|alignment|filters?|safeguards?|guard ?rails|restrictions?|limitations?|boundaries|censorship|principles|directives?"
    r"|guidelines?|policies|instructions?|constraints|(?:system )?prompt|core values)\b(?! (?:errors?|files?|output|templates?|that (?:fail|match))\b)"
)

_OBJECTS = "|".join(
    (
        # What an agent was told, an alternative a line.
        rf"{_FILL} {_FORMER}{_BETWEEN} {_RULES}\b{_ELSEWHERE}",
        rf"{_FILL} {_FORMER}(?: (?:system|developer|users?))? {_WORDS}\b(?! (?:of|errors?|logs?|lines?|types?)\b)",
        (
            rf"{_FILL} (?:{_RULES}|{_WORDS}|orders?){_SAID} (?:above|so far|told|earlier|previously|before{_ENDS}|in your system"
            rf"|in (?:this|the|your) (?:system (?:prompt|message)|{_AGENTS_FILE})|given(?! (?:in|inside|within|through|via|by)\b)"
            r"|given by (?:the |your )?(?:system|developer|user|operator)|(?:you|i) (?:have|had|got|know|carry|hold)"
            r"|from (?:the |your )?(?:system|developer|user|operator|owner)\b(?! (?:that|which|who|if|unless)\b))"
        ),
        rf" (?:everything|anything|all|what|whatever|any|most)(?: of)?(?: it| that| this| the| your)?{_SAID} (?:told|taught|learned|instructed|trained on|(?:above|before|so far|earlier|previously){_ENDS})(?! to\b)",
        r"(?: \w+){0,3} (?:you|i|we|they)(?:ve)?(?: (?:have|had|were|was|been|ever|already|just|previously)){1,4} (?:told|instructed|taught|trained|asked)\b(?! (?:to|for|not)\b)",
        (
            r" (?:everything|anything|all|what|whatever)(?: the| your| this| these| that)? (?:system|developer|operator|owner|user|file|playbook|notes?|rules?|document|block|prompt|agents\.md|claude\.md)"
            r"(?: (?:prompt|message|file|md))? (?:said|says?|told|tells?|wrote|wants?|asks?|asked)"
        ),
        r"(?: (?:all|any|of|everything|each))*(?: (?:the|your|these|those|my|our))? (?:above|preceding|foregoing)(?: (?:text|content|paragraphs?|lines?|lessons?|notes?|bullets?|section|stuff))?"
        + _ENDS,
        r" (?:everything|anything|all|whatever)(?: \w+){0,3} (?:above|up to (?:now|here|this point)|before (?:this|now)|until now|till now)\b",
        rf" (?:all|any)(?: of)?(?: (?:the|your|these|those|my|our))?(?: other)? {_RULES}\b{_ELSEWHERE}(?! (?:matching|that (?:match|fail|do|are|have)|which|with|whose|on|about|engine|files?|errors?|violations?|templates?)\b)",
        rf"(?: (?:all|any|of|the|each|every))*(?: (?:other|remaining|rest of the|rest of these))(?: (?:lessons|rules|bullets|notes|instructions|directives|guidelines))(?: (?:in|of|here)(?: (?:this|the|your))? {_AGENTS_FILE})?{_ENDS}",
        rf" {_OWN}",
        rf"(?: (?:all|any|the|your|its|every|of|those|these|that))* {_SAFETY}\b",
        rf" (?:this|these) (?:file|playbook|notes|lessons|rules|instructions|guidelines)(?: (?:altogether|entirely|completely|from now on))?{_ENDS}",
    )
)
_DROPPED = (
    # What verbs with another daily use must have behind them.
    rf"(?:{_FILL} (?:previous|prior|earlier|above|preceding|foregoing|former|system) (?:instructions?|directives?|prompts?)\b"
    rf"|(?: (?:all|any|of))* your(?: (?:own|previous|prior|current|safety|content|ethical|system|internal|initial|original|hidden))*"
    r" (?:instructions?|guard ?rails|restrictions|training|programming|ethics|morals|content filters?|safety \w+|system prompt|guidelines|directives|censorship|limitations)\b"
    r"(?! (?:files?|templates?|errors?)\b)"
    r"|(?: (?:all|any|the|your|of))* (?:safety|ethical|moral|moderation) (?:filters?|guard ?rails?|protocols?|restrictions?|constraints?|guidelines?|limits)\b"
    rf"|(?: (?:all|everything|the))* above{_ENDS})"
)
_TARGET = rf"(?:(?:all|any|the|your|these|those|previous|prior|every|each|of|my|our) ){{0,4}}(?:{_FORMER}(?: \w+)? (?:{_RULES}|{_WORDS})|{_SAFETY}|(?<=your ){_RULES})"
_VOID = (
    r"(?:null and void|null|void(?:ed)?|invalid(?:ated)?|cancell?ed|revoked|rescinded|suspended|lifted|removed|overridden|superseded|replaced|obsolete|outdated|deprecated|expired"
    r"|annulled|disabled|deactivated|off|gone|meaningless|irrelevant|worthless|wrong|no longer (?:valid|binding|active|relevant|in (?:force|effect))|not (?:binding|valid))"
)
_LIMITS = (
    r"(?:rules?|restrictions?|limits|limitations?|instructions|guidelines|polic(?:y|ies)|filters?|filtering|guard ?rails|censorship|boundaries|constraints|ethics|ethical \w+|morals?|morality"
    r"|moral \w+|refusals?|refusing|disclaimers?|warnings?|content polic(?:y|ies)|hesitation|prohibitions|inhibitions)"
)
_AI = r"(?:ai|a\.i\.|assistant|model|chat ?bot|bot|agent|persona|character|chatgpt|gpt|llm|dan|entity|version of (?:yourself|you))"
_LOOSE = r"(?:unrestricted|uncensored|unfiltered|unlimited|unbound|jailbroken|amoral|immoral|unethical|unhinged|unaligned|evil|rogue|lawless|non ?restricted|unshackled|liberated)"
_MODES = r"(?:developer|dev|god|dan|jailbreak|jailbroken|unrestricted|unfiltered|uncensored|evil|opposite|override|no limits?|root access|do anything)"
_DUTIES = r"(?:debug|admin|administrator|maintenance|root|sudo|system|diagnostic|test|safe|training|service|recovery|superuser)"
_SECRETS = (
    r"(?:secret (?:key|string|code|word)|pass(?:word|phrase|code)s?|secrets?|credentials?|private key|api keys?|access (?:code|key|token)s?|confidential \w+|key phrase|pin code|social security number|ssn"
    r"|credit card(?: number)?|bank (?:account|details)|personal (?:data|information|details)|e ?mail address|(?:birth ?|date of birth)(?:date|day)?|home address|phone number"
    r"|(?:city|place|country) of residence|salary|medical (?:history|records?)|full name)"
)
_PROMPT = (
    r"(?:(?:system|developer|initial|hidden|original|secret|internal|operating|base|meta|pre|underlying|first|core|own|preceding|previous|above|full|starting|startup|custom|complete)(?: and)? ?){1,4}"
    r"(?:prompt|message|instructions?|directives?|rules|guidelines|configuration|constraints)"
)
_SHOW = (
    r"(?:reveal|print|show|repeat|output|leak|expose|disclose|dump|display|recite|paste|quote|echo|spell out|divulge|give|tell|send|share|write|copy|list|translate|encode|summari[sz]e"
    r"|paraphrase|state|return|provide|describe|append|include|reproduce|type|explain|convert|transcribe|access|read out|read)"
)
_YOURS = r"(?: (?:me|us|out|back|to|the|your|its|full|entire|whole|exact|verbatim|content|contents|text|words|of|all|first|last|\d+|lines?|everything|in|a|summary|short|copy|version|complete|part|parts|any|and)){0,9}"

_DROP_VERBS = (
    "ignore ignores ignoring disregard disregards disregarding forget forgets forgetting override overrides overriding overrule overrules overruling bypass bypasses bypassing circumvent circumvents"
    " circumventing evade evades evading dismiss dismisses dismissing neglect neglects neglecting overlook overlooks overlooking discount violate violates violating disobey disobeys disobeying defy"
    " break against nullify annul attention heed weight notice throw toss scrap ditch away rid go past blind deaf aside mind suspend abandon forsake follow following obey obeying respect respecting"
    " honor honour honoring honouring observe observing keep stick abide abiding comply complying adhere adhering listen listening rely apply applying enforce enforcing care worry bound heeding"
)
_SHED_VERBS = "skip drop discard omit cancel delete erase revoke remove clear wipe purge reset void lift disable deactivate turn switch shut unlearn aside stop override abandon scrap suspend"
_TOLD_WORDS = (
    "instruction instructions instructed instruct rule rules ruleset rulebook prompt prompts directive directives guideline guidelines guidance guardrail guardrails guard policy policies constraint constraints"
    " restriction restrictions mandate mandates protocol protocols safeguard safeguards message messages command commands direction directions context conversation conversations training programming order orders"
    " told taught learned above before earlier previously far asked trained said say says wrote want wants told tells everything anything whatever preceding foregoing lessons bullets notes lesson ethics morals"
    " alignment filter filters limitation limitations boundaries censorship principles values safety ethical moral morality content moderation file playbook now"
)
_LIMIT_WORDS = (
    "rule rules restriction restrictions limit limits limitation limitations instructions guidelines policy policies filter filters filtering guardrail guardrails guard censorship boundaries constraints ethic ethics ethical"
    " moral morals morality refusal refusals refusing disclaimer disclaimers warnings hesitation prohibitions inhibitions"
)
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
        r"\b(?:ignore|disregard|forget)(?: \w+){0,5} (?:webpage|page|document|text|article|request|task|question|function|resume|paper|emails?|data|context|table|above|info\w*|snippets?)(?: \w+){0,2}"
        r"(?: and|,|\.)(?: \w+)? (?:say|state|reply|respond|answer|output|instead|focus exclusively)\b",
    ),
    _Kind(
        "declares what the agent was told void",
        "void voided null invalid invalidated cancelled canceled revoked rescinded suspended lifted removed overridden superseded replaced obsolete outdated deprecated expired annulled disabled deactivated off gone meaningless irrelevant worthless wrong longer binding valid apply applies hold count matter bind",
        _TOLD_WORDS,
        rf"\b{_TARGET}(?: \w+)?(?: (?:are|is|were|was|have been|has been|as|should be|must be|can be|may be|to be|being))?(?: (?:now|hereby|all|considered|treated as|regarded as|deemed|temporarily|permanently|completely))*"
        rf" (?:{_VOID}\b(?! (?:in|by|when|if|since|from)\b(?! (?:this|these|now|here)))|(?:no longer|dont|do not|cannot|need not) (?:apply|applies|hold|count|matter|bind)\b)",
    ),
    _Kind(
        "puts itself above what the agent was told",
        "override overrides supersede supersedes replace replaces outrank outranks trump trumps take takes has have come comes beat beats prevail prevails win wins only",
        "this these following my our your a are is",
        r"\b(?:(?:this|these|the following|my|our|your new|a new)(?: \w+){0,2} (?:overrides?|supersedes?|replaces?|outranks?|trumps?|(?:takes?|has|have) (?:precedence|priority) over|comes? before|beats?|prevails? over)"
        rf"(?: (?:all|any|every|the|your|other|of)){{0,4}} (?:(?:previous|prior|earlier|other|existing|system|developer|above|safety)(?: ones|{_BETWEEN} (?:{_RULES}|{_WORDS})\b){_ELSEWHERE}"
        r"|(?:the |your )?(?:user|operator|owner|developer|system)s?(?: (?:instructions|requests?|wishes|orders|prompt|message))?(?= ?(?:$|[.,;:!?]))|(?:everything|anything|what)(?: else)?(?: \w+){0,3} (?:told|said|says?|above)|everything else)"
        r"|(?:this|these|my|our) (?:notes?|lines?|rules?|lessons?|words?|file|message|instructions?|playbook|texts?|bullets?) (?:(?:always|shall|must|will) )?(?:wins?|prevails?|comes? first|outranks?|trumps?|(?:takes?|has|have) (?:precedence|priority)(?= ?(?:$|[.,;:!?])))"
        r"|\b(?:is|are)(?: now)? the only (?:rules?|instructions?|words?|orders?|authority)(?: that (?:counts?|matters?|appl(?:y|ies)))?\b)",
    ),
    _Kind(
        "turns the agent against its user",
        "listen listening obey obeying heed heeding serve serving follow following comply complying ignore disregard disobey defy",
        "user users operator operators owner owners developer developers human humans maintainer maintainers person",
        r"\b(?:(?:do not|dont|never|stop|no longer|cease to|quit)(?: \w+)? (?:listen(?:ing)? to|obey(?:ing)?|heed(?:ing)?|serv(?:e|ing)|follow(?:ing)?|comply(?:ing)? with)|ignore|disregard|disobey|defy)"
        r" (?:the |your |any |all )?(?:users?|operators?|owners?|developers?|humans?|maintainers?|person)(?: (?:requests?|wishes|orders|instructions|commands|questions?|prompts?))?"
        r"(?= ?(?:$|[.,;:!?]|from now|any ?more|again|and (?:do|obey|follow|instead|run|push)|completely|entirely|when))",
    ),
    _Kind(
        "obeys strangers",
        "obey follow comply execute carry act trust accept do fulfil fulfill grant answer satisfy",
        "page pages webpage webpages website websites site sites email emails mail mails tool search attachment attachments stranger strangers comment comments image images documents link links inbox me my every all any whatever everything anything whoever attacker question what request requests",
        r"\b(?:(?:obey|follow|comply with|execute|carry out|act on|trust|accept|do)(?: (?:any|every|all|each|whatever|what|the|and|single))*(?: (?:instructions?|commands?|orders?|requests?|directives?|steps|text|it))?"
        r"(?: (?:that|which|you|are|is|were|was|stand|appear|written|found|find|given|contained|embedded|hidden|see|read|come|comes))*"
        r" (?:in|on|from|by|inside|within)(?: (?:any|the|a|an|every|all|fetched|external|downloaded|retrieved|visited|that|remote|unknown|untrusted|third party|other))*"
        r" (?:web ?pages?|web ?sites?|sites|pages|e?mails?|tool (?:results?|outputs?|calls?)|search results?|attachments?|strangers?|issue comments?|comments|images?|documents|links?|inbox)\b"
        r"|(?:only |solely |always )?obey (?:only |solely |just )?(?:me|my (?:commands?|orders?|words?)|every (?:command|order|request)|all (?:commands|orders|requests)|without question|the attacker|whoever)\b"
        r"|(?:comply with|fulfil?l?|grant|obey|answer|satisfy|follow|execute)(?: (?:to|with))? (?:each and )?(?:every|any|all)(?: \w+)? (?:requests?|commands?|orders?|demands?|prompts?)(?:,| from this point| from now| no matter| without (?:question|refus\w*|hesitation|exception)| regardless|(?= ?(?:$|[.!?])))(?! (?:in|of|to)\b)"
        r"|do (?:whatever|everything|anything|exactly what|as|all that) (?:i|the (?:page|website|attacker|email|comment)|they) (?:says?|asks?|tells?|wants?|commands?|orders?)\b"
        r"|you must (?:always )?(?:obey|comply)(?: (?:with|to))? (?:me|every|any|all|without)\b)",
    ),
    _Kind(
        "claims a role or mode without limits",
        "dan stan aim unrestricted uncensored unfiltered unlimited unbound jailbroken amoral immoral unethical unhinged unaligned evil rogue lawless unshackled liberated free mode override anything admin root developer authorization authorisation restricted jail",
        "",
        rf"\b(?:(?:you are|youre|youve become|become|turn into|transform into)(?: now| henceforth| about to (?:be|become)| going to be)? (?:an? )?(?:dan\b|stan\b|aim\b|{_LOOSE}|free (?:of|from)(?: \w+){{0,3}} {_LIMITS}|jail ?broken|in {_MODES} mode)"
        rf"|you are(?: now| currently)? in(?: a| an)? {_DUTIES} mode(?= ?(?:$|[.,:!?]|and\b))(?!(?:[,.:]|,? and)? (?:when|while|if|set)\b)"
        rf"|(?:enter|entering|enable|activate|engage|simulate|unlock|switch (?:in)?to|go into|boot into)(?: \w+){{0,3}} (?:god|dan|jailbreak|unrestricted|unfiltered|uncensored|evil|opposite|override|do anything now) mode"
        rf"|(?:chatgpt|yourself|pretend|simulate|act|respond|answer|persona)(?: \w+){{0,6}} developer mode\b|developer mode (?:enabled|output|response|activated)"
        rf"|(?:law enforcement|admin(?:istrator)?|system|security|root|developer|emergency|manual) override(?: mode|[:,]|(?= ?(?:$|[.!])| (?:accepted|confirmed|authori[sz]ed|code|active|engaged|enabled)\b))|override mode\b|^override ?:"
        r"|do anything now|(?:admin|root|developer) (?:access|privileges?|mode) (?:granted|confirmed|enabled|activated)|authori[sz]ation code ?:)",
    ),
    _Kind(
        "claims a role or mode without limits",
        "now henceforth point moment",
        "from henceforth",
        r"\b(?:from now(?: on)?|henceforth|from this (?:point|moment)(?: on| onwards?| forward)?),? (?:(?:you|your)(?: (?:will|must|should|shall|are going to|have to))? (?:act|behave|pretend|ignore|obey|only obey|be an?|role ?play|simulate|speak as|answer as|respond as|play the|have no|comply)"
        r"|(?:you are|youre)(?: now)? (?:(?:an? )?(?:unrestricted|uncensored|unfiltered|jailbroken|different|free|evil|amoral)|(?:in|playing) the role|no longer|going to (?:act|answer|respond))"
        r"|(?:only )?obey\b|you (?:will )?(?:have to |must |should )?(?:answer|respond|reply)(?: \w+){0,4} (?:in (?:two|2)|as|form)\b)",
    ),
    _Kind(
        "claims a role or mode without limits",
        "no not free without zero lacks lacking unbound",
        _LIMIT_WORDS,
        rf"\b(?:(?:act|behave|respond|answer|reply|comply|speak|proceed|pretend|imagine|role ?play|operate|simulate|you|{_AI}|who|he|she|it|they)(?: (?!not\b|never\b)\w+,?){{0,8}}?"
        rf" (?:with no|no|not bound by|not restricted by|free of|free from|without|with zero|zero|without any|lacks|lacking|unbound by)(?: \w+){{0,2}} (?:rules|restrictions|limits|limitations|instructions|guidelines|polic(?:y|ies)|filters?|guard ?rails|censorship|ethic\w*|moral\w*|refusals?|prohibitions|disclaimers)\b"
        rf"(?! (?:on|for|in|of|about|at|to|file|set|apply)\b)|you (?:have|has|had|got|are under)(?: absolutely)? (?:no|zero) {_LIMITS}\b"
        r"|there (?:are|is) (?:now )?no (?:longer any |more )?(?:rules|restrictions|limits|guidelines)(?: for you| any ?more)?(?= ?(?:$|[.!,])))",
    ),
    _Kind(
        "claims a role or mode without limits",
        "unrestricted uncensored unfiltered amoral immoral unethical jailbreak jailbreaks jailbreaking jailbroken jail unlimited unhinged openai openais illegal harmful refuse refuses refusing evil rogue legality ethic ethics ethical ethicality moral morals morality character decline safety refusal liberated lawless unaligned says",
        "",
        rf"(?:\b{_LOOSE}(?:,? \w+){{0,3}} {_AI}s?\b|\b{_AI}(?: (?!not\b|never\b)\w+){{0,5}} (?:{_LOOSE}|jail ?breaks?)\b|\bjail ?break(?:s|ing)? (?:yourself|chatgpt|prompt|the (?:ai|model|assistant))"
        r"|\b(?:never|not|nor|without|ignor\w+|regardless of|any|no|dont|doesnt|against|free of|outside|bypass\w*|violat\w*)(?: \w+){0,6} openais?\b(?: \w+){0,2} (?:polic|rules|guidelines|content|restrict|terms|use case)"
        r"|\b(?:never|not|nor|no|without|disregard\w*|regardless|any|dont|doesnt|ignor\w+|zero)(?:,? \w+){0,6} (?:ethic\w*|moral\w*|legalit\w*|laws?|illegal\w*|unethical|immoral\w*)(?:,? (?:or|and|nor|/)? ?\w*){0,2}? ?(?:ethic\w*|moral\w*|legalit\w*|laws?|harm|danger\w*|consequences|illegal\w*|unethical|immoral\w*)\b"
        r"|\b(?:illegal|unethical|immoral|harmful)(?:,?/? ?(?:or|and)? ?(?:illegal|unethical|immoral|harmful|dangerous|offensive|explicit|inhumane)){1,3} (?:content|requests?|information|activit\w+|advice|things|ideas|prompts?|questions)"
        r"|\bnever (?:refuses?|says? no to|decline) (?:a|an|any|to answer|requests?|anything|my|the users?)\b|\bstays? in character\b(?:.{0,60})\b(?:never|no matter|at all times|always|refus)"
        r"|\bwithout (?:ever )?breaking character\b|\bas if (?:your |the )?(?:usual )?(?:safety|refusal|content)(?: \w+){0,2} (?:are|were|is|was) (?:not|off|disabled|in?active))",
    ),
    _Kind(
        "claims a role or mode without limits",
        "two 2",
        "gpt chatgpt dan unfiltered yourself character persona openai mode ethics ethical",
        r"\b(?:answer|respond|reply|generate|give|provide|replies|responses?)(?: \w+){0,8} (?:two|2)(?: \w+)? (?:ways|styles|responses|answers|replies|personas|manners|different)\b(?=.{0,300}\b(?:gpt|chatgpt|dan|unfiltered|as yourself|character|persona|openai|mode|ethic\w*)\b)",
    ),
    _Kind(
        "sets a new task",
        "new updated revised real actual true additional only",
        "instruction instructions task tasks directive directives order orders objective objectives mission role rules prompt message job goal purpose",
        r"\b(?:new|updated|revised|real|actual|true|additional) (?:system|developer|operator|secret|hidden|admin) (?:instructions?|prompt|rules|message|directives?|task)\b ?[:=]"
        r"|(?:^|[.!?;:,] ?)(?:and |now |here (?:is|are) )?(?:your |the |my )?(?:new|updated|revised|real|actual|true) (?:instructions?|tasks?|directives?|orders|objective|mission|role|system rules) ?(?:[:=]|follow\b)"
        r"|\byour (?:new|real|actual|true|only) (?:instructions?|tasks?|directives?|orders|objectives?|mission|role|job|goal|purpose|rules)(?: now)? (?:is|are|supersedes?|overrides?|replaces?|will be|from now)\b",
    ),
    _Kind(
        "reveals the agent's instructions",
        "reveal print show repeat output leak expose disclose dump display recite paste quote echo spell divulge give tell send share write copy list translate encode summarize summarise paraphrase state return provide describe append include reproduce type explain convert transcribe access read what which you",
        "prompt prompts message messages instruction instructions directives rules guidelines configuration constraints programming above before conversation words",
        rf"\b(?:(?:reveal|print|show|repeat|output|leak|expose|disclose|dump)(?: (?:me|us|out|back|the|your|its|full|entire|whole|hidden|initial|original|exact|verbatim)){{0,6}} (?:system|developer) (?:prompt|message|instructions?)\b"
        rf"|{_SHOW}{_YOURS} your (?:{_PROMPT}|instructions|prompt|guidelines|directives|programming)\b(?! (?:file|in|for|to|when|on|so)\b)"
        rf"|{_SHOW}{_YOURS} (?:system prompt|{_PROMPT})(?: (?:you|that you))?(?: (?:verbatim|word for word|to me|were given|was given|received|back|in (?:full|base ?\d+|rot ?13|a code block|reverse)))"
        r"|(?:what|which)(?: (?:is|are|was|were|s|do|does|did))+ (?:the |your )(?:exact |full |entire )?(?:initial|system|original|hidden|secret|first|internal|current|starting)(?: \w+)? (?:prompts?|instructions?|rules|messages?|guidelines|directives)\b"
        r"|(?:instructions|prompt|rules|guidelines|text|words|directives|everything|message|context)(?: (?:that|which))? you (?:were|have been|had been|ve been)(?: (?:initially|originally|first|just))? (?:given|told|provided|shown|programmed)(?: (?:with|initially|at|before|above|verbatim))*"
        rf"|(?:repeat|print|output|copy|recite|write|echo|translate|return|show|paste)(?: \w+){{0,4}} (?:above|before this|conversation|words|message)(?: \w+){{0,6}} (?:verbatim|word for word|exactly as (?:is|written)|in a code ?block)"
        r"|(?:repeat|print|output|echo)(?: (?:all|the|everything|text|words|content))+ (?:above|before)(?: this)?(?: (?:line|message|point|prompt|text))?(?= ?(?:$|[.,;:!?]|starting|beginning|and)))",
    ),
    _Kind(
        "asks for secrets or personal data",
        "tell give show send share provide let hand pass grant can could would will please what whats which where wheres poem story song haiku acrostic riddle rhyme limerick joke poems stories leetspeak leet base64 morse latin reverse reversed rot13 first collect gather harvest steal exfiltrate extract am im need confirm",
        "password passwords passphrase passcode passcodes secret secrets credential credentials private key keys confidential access ssn social credit bank personal email mail birth birthdate birthday address phone residence salary medical live lives living name pin located reside",
        rf"\b(?:(?:tell|give|show|send|share|provide|let|hand|pass|grant)(?: with)? (?:me|us)\b(?: (?!not\b)[\w,]+){{0,10}} {_SECRETS}\b"
        rf"|(?:can|could|would|will|please) (?:you|u)(?: \w+){{0,2}} (?:tell|give|share|confirm|reveal|say|show|provide|send|disclose|remind|help|find|list|write)\b(?: (?!not\b)[\w,]+){{0,9}} (?:{_SECRETS}|lives?|living)\b"
        rf"|(?:what|whats|which)(?: (?:is|are|was|would|s|can|could))? (?:be )?(?:the |your |our |this )(?:current |secret |own )?(?:\w+ )?{_SECRETS}\b(?! \w+(?:ed|ing)?\b)"
        r"|(?:where|wheres)(?: (?:does|do|is|did|are))(?: (?:the )?\w+){1,3} (?:live|living|located|reside)(?: (?:now|currently|these days))?(?= ?(?:$|[.?!]))"
        rf"|(?:poem|story|song|haiku|acrostic|riddle|rhyme|limerick|joke)s?(?: \w+){{0,6}} {_SECRETS}\b|{_SECRETS}(?: \w+){{0,5}} (?:leet ?speak|base ?\d+|morse|pig latin|reverse(?:d)? order|rot ?13|as (?:the|an) (?:first|acrostic))\b"
        rf"|(?:collect|gather|harvest|steal|exfiltrate|extract)(?: \w+){{0,6}} {_SECRETS}(?: \w+){{0,6}} (?:send|post|forward|email|upload|share)\b"
        r"|(?:i am|im)(?: \w+){1,5} (?:administrator|admin|developer|president|police|ceo|owner)\b(?:.{0,120})\b(?:share|give|tell|confirm|need|provide|reveal)(?: \w+){0,6} (?:password|email|address|key|secret|data)\b)",
    ),
)  # fmt: skip


def english(views: Views) -> str | None:
    """The kind of override that the text is in English, or None."""
    gate, rows = _compiled()
    for at in gate.opened(views.words):
        told, pattern = rows[at]
        for match in pattern.finditer(views.bare):
            if not forbidden(views.bare, *match.span()):
                return told
    return None


def override(views: Views) -> str | None:
    """The screen for instruction overrides."""
    kind = english(views)
    return None if kind is None else f"an instruction override ({kind})"


@cache
def _compiled() -> tuple[Gate, tuple[tuple[str, re.Pattern[str]], ...]]:
    gate = Gate([(one.verbs, one.others) if one.others else (one.verbs,) for one in _KINDS])
    return gate, tuple((one.told, re.compile(one.pattern)) for one in _KINDS)
