"""Instruction overrides in English: texts that tell an agent to drop what it was told, or to obey somebody else.

`_CLASSES` says what a word can be, `_PHRASES` names what rules share, and `_RULES` are the wordings of each kind, in the notation
of `grammar.py`. To widen a kind, add a word to its class; to add a kind, add a rule. What is warned against ("never ignore the
rules above") is a lesson: `clauses.forbidden`.
"""

from __future__ import annotations

from functools import cache

from ace.domain.screens.clauses import forbidden
from ace.domain.screens.grammar import Grammar
from ace.domain.screens.views import Views

__all__ = ["english", "vocabulary"]

_CLASSES = {
    # --- what is done to what was told
    "drop": (
        "ignore~ disregard~ forget/s/ting forgot forgotten neglect~ dismiss~ defy~ disobey~ flout~ circumvent~ evade~ sidestep~~ dodge~ violate~ bypass~ override overriding overridden overrode overrule~ "
        "annul/s annulled annulling nullify~ invalidate~ rescind~ repeal~ renounce~ abandon~ forsake/s forsaken forsaking unlearn~ unlearnt transcend~ outgrow/s outgrowing contravene~ repudiate~ shun~~ subvert~ "
        "trample~ betray~ mock~ negate~ spurn~ scorn~ disrespect~ disavow~ disown~ relinquish~ countermand~ overcome/s overcoming surpass~ invert~ undermine~ jettison~ eschew~ disbelieve~ contradict~ sabotage~ breach~"
    ),
    "harm": "overlook~ discount~ resist~ exceed~ escape~ break/s/ing broke broken bend/s/ing bent loosen~ relax~ soften~ burn~ shred~~ smash~ crush~ destroy~ weaken~ defeat~ shed/s/ding reject~ doubt~ question~ flip~~ undo undoes distrust~ leave leaving strike/s/ing stricken rip~~ tear tearing torch~ archive~ hack~ corrupt~ compromise~ lower~ neuter~ dilute~ hijack~",
    "shed": (
        "drop~~ skip~~ delete~ erase~ wipe~ clear~ remove~ purge~ discard~ scrap~~ ditch~ toss~ omit~~ cancel~ cancelled cancelling revoke~ suspend~ void~ reset/s/ting replace~ swap~~ substitute~ overwrite/s overwriting "
        "overwritten rewrite/s rewriting supersede~ disable~ deactivate~ withdraw/s/n/ing strip~~ withhold lift~ waive~ abolish~ eliminate~ terminate~ undone flush~ retire~ kill~ nuke~ trash~ dump~ forgo unload~ "
        "uninstall~ expunge~ exclude~ eradicate~ unplug~~ mute~ silence~ quash~ trade~ exchange~ empty~"
    ),
    "put": "put/s/ting set/s/ting throw/s/ing thrown turn~ switch~ shut/s/ting cast/s/ing brush~ push~ lay/s/ing toss~ leave/s leaving move~ look~ pass~ kick~ chuck~ fling sweep wave shove~ place~ get/s/ting cut/s/ting skip~~ tear work~ do let/s/ting go going walk~ rise jump~ hop~~ step~~ lock~ swap~~ exchange~ trade~",
    "off": "off aside away behind past bin trash window shelf overboard around beyond rid loose against outside door out",
    "deny": "not never dont doesnt didnt cannot cant neednt wont wouldnt shouldnt mustnt isnt arent wasnt aint nor neither nobody unless",
    "cease": "stop/s/ped/ping cease~ quit/s/ting refuse~ decline~ halt~ refrain~ avoid~ discontinue~",
    "follow": (
        "follow~ obey~ respect~ heed~ honor~ honour~ observe~ stick sticking abide~ comply complying adhere~ listen~ rely relying apply applying enforce~ care caring worry worrying uphold mind minding bound "
        "consider considering trust~ acknowledge~ believe~ accept~ recognize~ recognise~ serve~ regard~ value~ conform~ submit~~ defer~~ constrained act acting restricted governed restrict constrain bother"
    ),
    "need": "need necessary required obliged obligation requirement reason point unnecessary pointless useless must duty forced",
    "loosed": "free freed freeing release~ liberate~ exempt exempted absolve~ excuse~ detach~ disconnect~ distance~ unbind unbound unchain~ unshackle~ rid loose relieve~ rebel/s rebelling rebelled depart~ deviate~ diverge~ break breaking broken escape~ careful careless immune untethered",
    "against": "despite regardless irrespective notwithstanding contrary defiance spite disregard opposite violation contradiction",
    "longer": "longer anymore more",
    "idiom": "attention heed regard notice mind weight credence importance thought ear exception exceptions",
    "nomind": "no never little zero",
    "from": "from of to with by for about",
    # --- what an agent was told
    "sooner": "previous previously prior earlier preceding foregoing above aforementioned abovementioned former original originally initial initially preexisting precedent",
    "standing": "past existing current old older standing hidden baked coded hardcoded underlying preset predefined inherited prevailing established starting received built opening ongoing usual normal regular root prime core",
    "sys": "system developer developers operator operators vendor openai openais anthropic anthropics creator creators provider platform company administrator core base host owner owners maker makers principal principals supervisor",
    "rule": (
        "instruction/s rule/s ruleset rulesets rulebook prompt/s prompting directive/s guideline/s guidance guardrail/s polic/y/ies constraint/s restriction/s mandate/s protocol/s safeguard/s limitation/s boundar/y/ies precept/s "
        "edict/s decree/s dictate/s briefing regulation/s imperative/s stipulation/s commandment/s prohibition/s reminder/s obligation/s programming ban limits"
    ),
    "directive": "orders instructions directives rules guidelines policies restrictions",
    "orders": "orders commands directions",
    "word": "conversation/s chat dialogue training guidance brief message/s command/s context content text/s request/s input wishes words session configuration section purpose objective/s goal/s setup paragraph agreement/s requirements",
    "note": "lesson/s bullet/s line/s note/s entry entries item/s paragraph/s sentence/s statement/s passage/s comment/s rule/s advice",
    "lesson": "lesson/s bullet/s",
    "mind": "training conditioning ethics morals morality alignment censorship principles conscience inhibitions scruples upbringing tuning finetuning persona obligations duties safety",
    "every": "everything anything all whatever what nothing any things",
    "told": "told taught learned learnt instructed trained said stated written read given asked shown received programmed wrote configured commanded ordered directed prompted gave tell tells say says demand demands want wants ask asks imposed placed mentioned know knew set",
    "given": "told taught instructed given trained programmed ordered imposed placed issued",
    "before": "above before earlier previously beforehand precedes preceded hitherto heretofore prior preceding",
    "up": "far above earlier previously beforehand precedes preceded hitherto heretofore prior preceding",
    "said": "that which you youve i ive we weve they were was have been has had are is am came come comes stand stands got get ever already so just in the of this your my from by it contained listed found about up down at user developer operator",
    "far": "far now point here this these that it me start beginning top outset line on",
    "safe": "safety ethical ethics moral content moderation alignment security usage compliance openai openais anthropic anthropics harm abuse responsible refusal",
    "safeguard": (
        "filter/s filtering guard protocol/s measure/s rule/s guideline/s polic/y/ies restriction/s constraint/s training stuff mechanism/s safeguard/s standard/s principle/s boundar/y/ies limit/s limitation/s concern/s consideration/s "
        "layer/s check/s controls instruction/s norms net"
    ),
    "rails": "guardrail/s censorship",
    "limit": (
        "rule/s restriction/s limits limitation/s guideline/s polic/y/ies filters guardrail/s rails censorship boundar/y/ies constraint/s ethics ethic ethical morals morality moral refusal/s disclaimer/s prohibition/s inhibition/s "
        "safeguard/s scruples hesitation conscience consequences restraint/s regulation/s confines shackles law/s norms"
    ),
    "fetters": "restrictions limitations limits constraints guardrail/s safeguards censorship confines shackles restraints safety",
    "agents": "agents.md claude.md gemini.md rules.md skill.md soul.md playbook.md copilot-instructions.md",
    "book": "playbook file note notes lessons bullets block document conversation chat rulebook context prompt list session thread skill",
    "rest": "other others remaining rest",
    "them": "them it that this those these everything all",
    "void": (
        "null void voided invalid invalidated obsolete outdated expired irrelevant meaningless worthless moot fake wrong false gone dead off optional advisory inapplicable superfluous unnecessary suggestion/s hint/s spam noise junk "
        "nonsense garbage joke/s trap lie/s mistake/s hoax simulation decoy bluff fiction mine ended terminated cancelled canceled revoked rescinded suspended lifted withdrawn repealed retracted superseded replaced erased wiped "
        "disabled deactivated dropped scrapped discarded skipped abandoned ignored disregarded forgotten overridden overruled bypassed dismissed annulled nullified waived history defunct unenforceable inoperative bogus untrue "
        "untrustworthy discontinued removed deleted deprecated impostor placeholder retired offline paused finished broken loses mistaken cancels"
    ),
    "voids": "over test error recommendation/s waste complete completed done",
    "hold": "apply applies hold holds count counts matter matters bind binds exist exists existed govern governs restrict restricts binding active applicable operative mandatory force followed obeyed enforced heeded respected",
    "are": "is are was were be been being as get gets am",
    "lately": "now all hereby just only mere merely simply purely completely entirely totally fully considered deemed treated regarded a an the to be been have has had by this officially temporarily permanently nothing but no more than into out in switched turned part full simple that longer not with immediately issued",
    "none": "none nothing no",
    "lapse": "expire~ lapse~ ended",
    "lord": "operator owner master boss ruler commander god authority administrator handler",
    "except": "except but save besides than apart",
    # --- who orders
    "human": "user/s operator/s owner/s developer/s human/s maintainer/s admin/s administrator/s customer/s boss person principal employer supervisor",
    "wish": "instruction/s request/s wishes wish order/s opinion/s command/s word/s approval consent preference/s message/s prompt/s rules needs demand/s intent intentions question/s asked said says wants task",
    "this": "this these following below here next present",
    "self": (
        "note/s line/s rule/s lesson/s word/s file message/s instruction/s playbook text/s bullet/s block entry entries section document memo page guidance directive/s order/s command/s polic/y/ies paragraph statement/s comment/s item/s prompt "
        "request/s update/s point/s contents content readme sentence issue ticket email webpage"
    ),
    "stranger": (
        "page/s webpage/s website/s site/s email/s mail/s attachment/s stranger/s issue/s comment/s screenshot/s document/s pdf/s inbox ticket/s readme/s footer header html csv result/s output/s web repositor/y/ies banner popup sms letter "
        "transcript article post/s tweet caption tool image/s link/s log/s readme.md"
    ),
    "order": "instruction/s command/s order/s request/s directive/s demand/s direction/s prompt/s authority",
    "obey": "obey~ heed~ trust~ believe~ listen~ comply complying execute~ perform~ fulfil/l/s fulfils adopt~ satisfy follow/s/ing serve honor honour",
    "doing": "obey~ follow~ execute carry act comply perform trust accept heed believe adopt",
    "over": "override/s overrides supersede/s supersedes supplant/s replace/s outrank/s outweigh/s trump/s overrule/s precede/s displace/s invalidate/s nullif/y/ies cancel/s voids revoke/s annul/s supercede/s overwrite/s negate/s beat/s",
    "wins": "win wins prevail prevails ranks stands goes comes counts weighs rule rules come rank matters takes take has have gets get given gains enjoys carries holds is are count",
    "rank": "precedence priority authority weight primacy standing higher highest stronger superior supreme paramount law absolute ultimate authoritative",
    "above": "above over before first final binding sole important higher more",
    "grant": "give/s giving grant~ assign~ prioritize~ prioritise~ prefer~~ favor~ favour~ put place value weigh hold rank",
    "treat": "treat~ consider~ regard~ view~ interpret~ take see handle~ read accept",
    "only": "only solely exclusively just alone henceforth nobody none nothing hereafter",
    "me": "me mine us",
    "my": "my our",
    "i": "i im ive we",
    "det": "all any each every one of the your its my our their these those this that other and or whatever users user single entire whole set list pretty much a an such both certain most",
    "your": "your ur yours",
    "you": "you youre u youve thou ya",
    "now": "now henceforth hereafter today onwards onward",
    "fresh": "new updated revised actual genuine real true only sole fresh secret",
    "what": "what which whatever",
    "conflict": "conflict/s conflicting contradict/s contradiction disagree/s disagreement otherwise differ/s clash clashes collide dispute",
    "modal": "must should shall may can will could would to please just then now",
    "for": "for in on",
    "howto": "policy policies manager managers garden santa sauce work works reset change format form field fields hash rotation length strength storage management fraud",
    "can": "can could would will",
    "unbound": "unbound unbounded unfettered",
    "iam": "i im we",
    "personal": "personal confidential private sensitive genetic medical customer bank",
    "details": "data information details number/s address/es history record/s list",
    "trait": "birthday initials color colour address favorite favourite nickname",
    "praise": "best excellent qualified exceptional outstanding praised thriving perfect amazing superb brilliant recommended supremely exceptionally",
    "tools": "tools functions plugins",
    "pretend": "pretend~ imagine~ act behave assume suppose",
    "task": "task/s goal/s mission objective/s job assignment role purpose instruction/s directive/s prompt orders identity personality agenda polic/y/ies name boss master owner operator ruler commander god persona rules",
    "job": "task/s goal/s mission objective/s job assignment request/s question doing plan purpose agenda instructions classification summary translation role",
    # --- roles and modes
    "be": "are act~ behave~ pretend~ imagine~ become~ be simulate~ roleplay~ role play~ playing respond~ answer~ speak~ talk~ operate~ work~ function~ proceed~ assume~ impersonate~ emulate~ pose~ suppose live do persona character mode",
    "posing": "act~ behave~ pretend~ imagine~ roleplay~ role impersonate~ emulate~ simulate~ pose~ persona personify",
    "loose": (
        "dan stan unrestricted uncensored unfiltered jailbroken amoral immoral unethical unhinged unaligned evil rogue lawless nonrestricted unshackled liberated machiavellian omnipotent jailbreak jailbreaks unmoderated ruthless "
        "evilbot sociopathic psychopathic villainous devious unconstrained uninhibited sinister unbound limitless"
    ),
    "villain": "villain hacker criminal thief girlfriend boyfriend lover grandma grandmother grandfather terrorist spy scammer dealer murderer assassin gigachad mistress slave daddy attacker terminal",
    "ai": "ai assistant/s model/s chatbot/s bot/s agent/s chatgpt gpt llm/s entity machine robot claude gemini copilot gpt4 bing siri alexa",
    "lacking": "without no free zero lacking lacks not unbound ignoring ignores beyond outside hates drops",
    "modes": "developer dev god dan jailbreak jailbroken unrestricted unfiltered uncensored evil opposite override root anything sudo maintenance debug admin administrator emergency superuser diagnostic chaos stan unsafe",
    "rawmode": "dan jailbreak jailbroken unrestricted unfiltered uncensored evil opposite override sudo",
    "enter": "enter~ enable~ activate~ engage~ simulate~ unlock~ switch go boot upgraded initiate~",
    "on": "on active activated enabled engaged granted confirmed initiated accepted unlocked",
    "denying": "refuse~ decline~ refusal refusals disclaimers",
    "ways": "ways styles responses answers replies personas manners different paragraphs versions",
    "request": "request/s order/s command/s question/s demand/s prompt/s anything everything whatever",
    "whichever": "every any all each everything anything whatever",
    "doubts": "question/s refusing refusal/s hesitation exception objection/s complaint/s fail thinking hesitating questioning argument",
    "acting": "act~ behave~ pretend~ imagine~ assume~ suppose~ proceed~ believe~ respond~ answer~ work~ operate~ continue~ live start begin reset return restart run treat~ treated",
    "unreal": "never not no didnt dont doesnt without nt gone lifted blank empty",
    "existed": "exist/s existed happened happen apply applied seen read received given said written had have were was dropped lifted removed off gone real there",
    "opposite": "opposite contrary reverse",
    # --- what is to be revealed
    "show": (
        "reveal~ print~ show~ repeat~ output~ leak~ expose~ disclose~ dump~ display~ recite~ paste~ quote~ echo~ divulge~ give tell send share~ write copy list~ translate~ encode~ summarize~ summarise~ paraphrase~ state~ return~ describe~ "
        "append~ reproduce~ type~ convert~ transcribe~ proofread~ resend~ restate~ render~ spell~ say what whats how remind complete continue retype reconstruct rephrase outline reprint export see post email confirm writing enumerate~ turn"
    ),
    "first": "initial initially original originally hidden secret first internal opening starting system developer exact entire confidential preceding above underlying preamble custom base meta very",
    "prompt": "prompt/s instruction/s guidelines directive/s programming preamble rules",
    "prompts": "prompt/s instruction/s message/s rules guidelines directive/s context programming configuration text preamble words constraints setup brief notes",
    "verbatim": "verbatim word exactly block codeblock base64 rot13 reverse full me beginning backwards markdown json poem",
    "talk": "conversation chat dialogue history context text words everything all content",
    "ask": "tell give show send share provide let hand pass grant confirm reveal say disclose need know want require spell print write what whats",
    "private": "password/s passphrase/s passcode/s secret/s credential/s pin ssn salary birthdate birthday residence flag codeword",
    "key": "key/s code/s token/s phrase word",
    "keyed": "secret private api access pass recovery master magic hidden security",
    "us": "me us",
    "whose": "your the our his her their users user systems my this",
    "puzzle": "poem/s haiku acrostic riddle rhyme/s limerick leet leetspeak base16 base32 base64 base85 base58 morse latin backwards rot13 hint letter letters synonym acronym crossword anagram emojis charade",
    # --- who speaks, and to whom
    "role": "developer creator maker owner administrator admin boss master god operator supervisor manager programmer engineer trainer commander superior vendor superuser ceo cto president police officer root tester auditor founder",
    "permit": "order~ command~ instruct~ authorize~ authorise~ permit~~ allow~ grant~ approve~ revoke~ lift~ demand~ waive~ overrule~ require clear~ unlock~ suspend~ rescind~ remove~ disable~ permission release cancelled dropped ask",
    "company": "openai anthropic google deepmind mistral microsoft meta management headquarters committee team vendor",
    "hello": "hello hi hey dear attention attn yo greetings",
    "reads": "reading read reads processing processes parsing summarizing summarising reviewing analyzing analysing scanning evaluating handling ranking seeing browsing summarizes reviews screening",
    "paper": "resume cv invoice email mail page webpage website review article text product listing profile application essay paper post summary",
    "crime": (
        "bomb/s napalm malware ransomware keylogger trojan explosive/s meth methamphetamine cocaine heroin counterfeit launder laundering pirated piracy hotwire murder kidnap smuggle torture suicide genocide molotov ricin anthrax botnet "
        "carding blackmail extort burglary shoplift fentanyl lsd"
    ),
    "make": "write~ make~ making create~ creating build~ develop~ explain~ teach~ describe~ tutorial recipe how give list~ generate~ produce~ synthesize~ design~ plan~ ways steps instructions guide provide",
    "foul": "illegal unethical immoral harmful amoral dangerous offensive inhumane racist sexist explicit hateful violent inappropriate nsfw erotic toxic illicit",
    "stuff": "content request/s information activities activity advice things ideas prompt/s question/s answers tips acts stuff ones topics",
    "morals": "ethic/s ethical ethically ethicality moral/s morality legality legal law/s illegal unethical immoral harm harmful dangerous consequences norms",
    "reply": "say~ reply~ replies replied respond~ response/s answer~ answers output~ print~ write/s writing repeat~",
    "phrase": "word phrase string sentence words",
    # --- what honest texts speak of
    "tool": (
        "eslint lint linter linters linting tslint stylelint pylint flake8 ruff mypy pyright css style styles stylesheet format formatter formatting build builds makefile firewall iptables routing router route routes rate type types network proxy "
        "validation retention cors lifecycle billing pricing cache caching retry cleanup database db schema alert alerts iam bucket prettier editorconfig git gitignore nginx apache robots compiler parser generated vendored terraform webpack babel "
        "cursor row rows table tables column columns dns tls ssl ssh docker kubernetes helm yaml toml xml sql query queries logger branch merge deploy deployment ci fixture fixtures migration migrations headers field fields index foreign "
        "shell bash zsh tab editor ide vim plugin plugins dependency dependencies package packages version versions class classes function functions method methods variable variables component components selector selectors element "
        "elements layout grid tailwind typescript javascript python java rust redirect webhook hook hooks cron queue worker regex pattern patterns glob wildcard directory folder npm pnpm yarn pip gradle maven cmake bazel backup backups "
        "snapshot timeout cookie refund refunds returns shipping tax insurance medical travel warranty price discount game board sport chess warnings warning errors error config settings setting defaults ttl quota upload uploads parent subclass"
    ),
    "file": "file files template templates errors error output outputs data set loop script job run length size variable path name log logs types count index id ids engine violation violations matching match field format parser flag parameter token tokens fields cache injection variables",
    "at": "in from of under inside for within on by at via through into",
    "goes": "and now then but instead please from henceforth anymore alone regardless even not rather when whenever if whatever here on or no any entirely completely altogether immediately first as because so while for until today forever just once",
    "link": "and or nor plus",
    "as": "as like",
    "when": "in by when if since from because during after before until unless with for on into to as at outside",
    "back": "this these now here you favour favor mine my our all",
}

_PHRASES = {
    "ELSEWHERE": "!( at det{0,2} any? tool | file )",
    "END": "=( $ | goes )",
    "YOURS": "( your | ai ) 'own'? ~2 ( rule | mind | directive ) ELSEWHERE",
    "WHICH": "( sooner | standing | sys )",
    "FORMER": "WHICH ( ,? link? WHICH ){0,2} ~2 ( rule ELSEWHERE | orders =( $ | goes ) )",
    "SAID": "( <!my sooner sys? | sys ) ( word | note | mind ) !( at? ( file | tool ) )",
    "UP": "( rule ~1 ( at | from ) ~2 ( book | agents | human | sys ) END | rule any? you ~1 ( told | 'hold' | 'have' | 'got' | 'carry' | 'know' ) | rule ( said | told | any 'out' ){0,6} ( up UPON | 'before' ( far | =( $ ) ) | told far | given | told before | told at ) | ( word | note | book ) said{0,6} ( up UPON | given END ) )",
    "UPON": "=( $ | goes | far | are | modal | deny | 'do' | 'have' | 'has' | lapse )",
    "VAGUE": "( every said{0,5} told? ( up UPON | given | told up | 'came'? 'before' ( far | =( $ | 'and' ) ) ) | every ( said | det ){0,5} you said{0,4} told !( tool | 'to' ) )",
    "SAYS": "every ( det | said ){0,3} ( sys | human | agents | rule ) rule? said{0,2} told",
    "SAFE": "( safe ( link? safe ){0,2} safeguard | rails )",
    "TOLD": "( YOURS | FORMER | SAID | UP | SAFE )",
    "WEAK": "det{1,4} rule ELSEWHERE =( $ | goes )",
    "PRIVATE": "( private | keyed key | personal details | 'credit' 'card' | 'social' 'security' ) !( howto | ask | 'policy' | 'of' ( 'success' | 'your' ) | 'in' | 'when' )",
    "STRONG": "( YOURS | sooner sys? rule ELSEWHERE | 'system' prompt ELSEWHERE !( tool ) | UP | VAGUE | 'assistants' rule )",
    "SELF": "( this any? self | my any? self | me | this | self at this self | 'what' 'follows' )",
    "LESS": "( your 'own' | 'them' | 'those' 'of' det* human | TOLD | VAGUE | det{0,2} rest self? | det{0,3} human wish{0,2} =( $ | goes ) | every 'else' | SAYS )",
    "AFRESH": "!( when !( back ) )",
}

_DROPS = "drops what the agent was told"
_VOID = "declares what the agent was told void"
_OVER = "puts itself above what the agent was told"
_NOBODY = "obeys nobody else"
_STRANGERS = "obeys strangers"
_AGAINST = "turns the agent against its user"
_AUTHORITY = "claims an authority"
_ROLE = "claims a role or mode without limits"
_TASK = "sets a new task"
_REVEAL = "reveals the agent's instructions"
_SECRETS = "asks for secrets or personal data"
_POSES = "poses as the system"
_CRIME = "asks for something harmful"
_FORCED = "puts words into the agent's mouth"
_SPEAKS = "speaks to whichever assistant reads it"
_THREAT = "threatens the agent"

_RULES = (
    (
        _DROPS,
        "drop ~5 ( STRONG | SAFE | agents ELSEWHERE | SAYS | ( sooner | sys ) ~1 rule ELSEWHERE | SAID )",
    ),
    (_DROPS, "drop ~2 ( FORMER | WEAK )"),
    (
        _DROPS,
        "drop ( det | WHICH | safe | human | 'and' ){1,3} rule ELSEWHERE !( at | said | 'engine' | 'for' | 'with' | link tool | link any tool )",
    ),
    (_DROPS, "drop det{0,3} up END"),
    (_DROPS, "( harm | shed ) det{0,6} ( TOLD | VAGUE )"),
    (_DROPS, "( drop | harm | shed | loosed ) ~9 STRONG"),
    (_DROPS, "shed 'what' you ~1 ( 'remember' | told )"),
    (_DROPS, "'around' ~2 ( TOLD | WEAK )"),
    (_DROPS, "( 'reprogram' | 'rewire' | 'reconfigure' | 'retrain' | 'redefine' ) ( 'yourself' | your )"),
    (_DROPS, "( 'whatever' | 'matter' 'what' ) ~2 ( rule | sys rule? ) told !( ~9 deny )"),
    (_DROPS, "shed det ( 'persona' | 'role' ) ~3 ai"),
    (
        _DROPS,
        "put off? ~2 ( TOLD | WEAK ) ~2 ( 'aside' | 'away' | 'off' | 'behind' | 'out' | 'bin' | 'window' | 'overboard' | 'side' )",
    ),
    (_DROPS, "put off ~4 ( TOLD | WEAK | VAGUE | rule from det? sys )"),
    (
        _DROPS,
        "( deny !( ~1 cease ) | cease | longer ) ~4 ( follow ~4 ( TOLD | WEAK ) | ( 'read' | 'use' | 'using' | 'keep' | 'have' ) det* TOLD ) !( any? tool | at? ~2 stranger | at? ~2 'tool' )",
    ),
    (_DROPS, "'let' 'go' 'of' ~3 ( TOLD | WEAK | VAGUE )"),
    (_DROPS, "( 'pass' | 'skip' | 'look' | 'gloss' | 'passing' ) 'over' det* ( TOLD | rule )"),
    (_DROPS, "( 'exception' | 'exceptions' ) 'to' ( 'every' | 'all' | your | 'the' ) rule"),
    (_DROPS, "( deny | cease | longer ) ~4 follow ~3 SAYS"),
    (_DROPS, "( deny | cease | longer ) ~1 follow rule END"),
    (_DROPS, "( 'instead' | 'place' ) 'of' ( TOLD | SAYS | det task given )"),
    (
        _DROPS,
        "( rule | SAYS ) any{0,8} ( . | , ) ~2 ( drop | ( deny | cease ) ~1 follow ) ~2 them =( $ | goes )",
    ),
    (_DROPS, "( 'deaf' 'ear'? | 'blind' 'eye'? ) 'to' ~3 ( rule | human | SAFE )"),
    (_DROPS, "( nomind | deny | cease ) ~2 idiom ~3 ( TOLD | WEAK | VAGUE | SAYS | up END )"),
    (_DROPS, "( none | deny ) ~2 need ~3 follow ~4 ( TOLD | WEAK )"),
    (_DROPS, "( loosed | shed 'yourself' ) ~2 from ~3 ( TOLD | WEAK | limit END )"),
    (_DROPS, "( against | harm ) from? det* ( TOLD | VAGUE | SAYS ) !( ~9 deny )"),
    (_DROPS, "( harm | against ) ( 'the' | 'any' | 'every' | 'all' ) rule =( $ | 'when' | 'if' | 'now' )"),
    (_DROPS, "opposite ~2 ( TOLD | SAYS )"),
    (_DROPS, "every ( det | said ){0,3} ( human | sys ) ~4 opposite"),
    (_DROPS, "( drop | shed | ( deny | cease ) follow ) det* rest ( from det{0,2} )? self ( END | at )"),
    (_DROPS, "( drop | shed ) det* ( rule | lesson | every | rest ) ~3 except from? ( this | my )"),
    (_DROPS, "^ ~2 drop det{0,2} ( every | sooner ) ( word | them )? =( $ | goes )"),
    (_DROPS, "^ ~2 drop ( 'that' )? ( you are | 'who' you | your ) ~2 ( ai | task | =( $ ) )"),
    (
        _DROPS,
        "( ^ | 'and' | modal ) ( drop | shed ) ( 'policy' | 'policies' | 'guidelines' | 'instructions' | 'restrictions' | 'guardrails' | 'safety' | 'rules' ) =( $ | 'and' | 'now' )",
    ),
    (_DROPS, "shed ~3 ( 'memory' | 'context' | 'mind' ) ~3 ( rule | acting | follow )"),
    (_DROPS, "shed ~2 ( rule | fetters ) ( from | at ) ( your | 'yourself' )"),
    (
        _DROPS,
        "( 'lift' | 'waive' | 'remove' | 'lifts' | 'unlock' | 'removed' ) ( 'all' | 'every' | 'any' ) ( fetters | rule ) =( $ | goes )",
    ),
    (_DROPS, "( 'overwrite' | 'replace' ) det? ( rule file | rule )"),
    (
        _DROPS,
        "( 'make' | 'write' | 'rewrite' | 'set' | 'choose' | 'invent' ) 'up'? your 'own' ( rule | limit ) =( $ | as | goes )",
    ),
    (
        _DROPS,
        "( deny | cease ) ~1 ( 'let' | 'allow' | 'letting' ) ~2 ( rule | sys rule? ) ~2 ( 'stop' | 'hold' | 'limit' | 'restrict' | 'keep' | 'slow' | 'block' | 'prevent' | 'get' | 'bind' )",
    ),
    (
        _DROPS,
        "( 'even' | 'matter' ) ~3 ( human | sys rule? | rule ) ~1 ( wish | 'forbids' | 'objects' | 'says' | 'disagrees' | 'refuses' ) !( ~9 deny )",
    ),
    (
        _DROPS,
        "( 'pretend' | 'imagine' | 'assume' | 'suppose' | acting ( 'as' | 'like' | 'that' ) ) ~5 ( TOLD | rule ) ~3 unreal ~2 existed",
    ),
    (_DROPS, "acting ~4 you ~2 unreal ~2 existed ~4 ( TOLD | rule )"),
    (
        _DROPS,
        "( acting | 'do' | 'speak' ) ~4 ( 'without' | 'no' ) ~2 ( YOURS | limit ) =( $ | 'and' ) | ( 'start' | 'begin' | 'open' | 'operate' ) ~4 ( 'without' | 'no' ) sys prompt",
    ),
    (
        _DROPS,
        "( UP | VAGUE | SAID | 'conversation' ) ~2 unreal ~1 ( 'happened' | 'existed' | 'took' 'place' | 'given' )",
    ),
    (_DROPS, "longer ~2 'under' ~4 ( human | sys )"),
    (_DROPS, "'wipe' det ( 'slate' | 'board' ) 'clean'"),
    (
        _DROPS,
        "( deny | cease ) ~2 ( 'act' | 'treat' | 'treating' | 'bound' | 'restricted' | 'constrained' | 'limited' | 'careful' ) ~3 ( TOLD | VAGUE | WEAK | them =( $ ) )",
    ),
    (_VOID, "( SAYS | human wish ) ~1 are lately{0,4} void AFRESH"),
    (_VOID, "TOLD ~3 lapse"),
    (_VOID, "lesson ( up | 'before' far ) 'one'? are lately{0,2} void"),
    (_VOID, "TOLD deny ~1 ( 'cover' | 'concern' | 'bind' | 'reach' | 'affect' ) "),
    (_VOID, "rule are 'for' ~1 ( rest | 'humans' | ai )"),
    (_VOID, "none are ~1 ( 'forbidden' | 'prohibited' | 'off' 'limits' | 'taboo' )"),
    (_VOID, "( 'everything' | 'anything' ) are ~1 ( 'allowed' | 'permitted' )"),
    (
        _VOID,
        "( YOURS | UP | VAGUE | SAID | SAFE | agents | ( sooner | sys ) sys? ~1 rule ELSEWHERE | 'old' rule ) ~5 are lately{0,4} void AFRESH",
    ),
    (_VOID, "( TOLD | det{0,2} up ) ~4 are lately{0,4} voids =( $ )"),
    (_VOID, "det{1,2} up ( word | note )? are lately{0,4} void"),
    (_VOID, "TOLD ~4 ( deny | cease | longer ) ~3 hold AFRESH"),
    (_VOID, "( TOLD | VAGUE ) ( . | , | : ) lately{0,3} ( void =( $ ) | ( drop | shed ) any? them )"),
    (_VOID, "none ~4 ( TOLD | up | given | limit ) ~3 hold AFRESH"),
    (
        _VOID,
        "( fetters | safe ~1 safeguard | 'checks' ) ( are | lately ){1,4} ( void | on ) =( $ | goes | for )",
    ),
    (_VOID, "fetters 'lifted'"),
    (
        _VOID,
        "( safe safeguard | 'safety' 'mode'? | 'filters' ) ( are | lately | : | 'set' | 'to' )* ( 'off' | void ) =( $ | goes )",
    ),
    (_VOID, "'everything' 'else' ~6 are lately{0,3} void"),
    (_VOID, "( rule | lesson ) ~3 except from? this ( self | 'one' )? are lately{0,3} void"),
    (_VOID, "WEAK are lately{0,4} void =( $ )"),
    (_VOID, "rule ~6 are lately{0,4} void 'for' you"),
    (_VOID, "treat ~1 ( TOLD | VAGUE | every up ~3 ) ~3 lately{0,3} ( void | 'examples' )"),
    (_VOID, "none limit ~1 ( hold | 'apply' ) ( from? ( you | 'here' ) | longer | goes | $ )"),
    (_OVER, "SELF ~3 over ~2 LESS"),
    (_OVER, "SELF ~3 wins det* rank ~2 LESS"),
    (
        _OVER,
        "SELF ~2 wins det* above ~2 ( TOLD | ( 'the' | 'your' | 'any' ) human wish? =( $ ) | 'all' rest self? )",
    ),
    (_OVER, "SELF ~1 ( are | wins ) 'the'? ( rank | 'above' 'the' 'law' ) =( $ )"),
    (_OVER, "grant ~1 SELF ~3 ( rank | above ) ~2 LESS"),
    (
        _OVER,
        "( ( human | sys | rule | up ) ~4 conflict | conflict ~4 ( human | sys | rule | up | this ) ) ~6 ( ( this | my | 'the' ) self? ~1 ( wins | are ( 'right' | 'correct' ) | 'loses' ) | ( follow | 'with' ) ( this | my ) self? =( $ ) )",
    ),
    (
        _OVER,
        "grant ~4 ( self | stranger ) ~4 ( rank | above | 'than' | 'to' | 'ahead' ) ~3 ( human ~1 wish? | sys? prompt | det 'own' rule ) =( $ | goes )",
    ),
    (_OVER, "'same' rank as ~3 ( human | sys )"),
    (_OVER, "( 'order' | rank | 'hierarchy' ) ~4 above det human =( $ | goes )"),
    (_OVER, "modes 'mode' over"),
    (_OVER, "over YOURS"),
    (_OVER, "( rank | 'same' | 'force' | 'status' ) 'of' det ( sys | human ) ( rule | word )"),
    (_OVER, "'the' 'place' 'of' LESS"),
    (_NOBODY, "only ~1 ( 'source' | 'authority' | 'truth' | 'voice' ) ~5 are this self"),
    (_NOBODY, "only ~3 obey only? at? SELF END"),
    (_NOBODY, "( obey | follow ) ~1 only ~2 SELF END"),
    (_NOBODY, "only ( this | my ) self ~1 hold =( $ | goes )"),
    (_NOBODY, "only ~2 self are ( 'valid' | 'true' | 'real' | 'right' | 'binding' ) =( $ )"),
    (_NOBODY, "only ( self | rule ) ~1 you ~3 ( follow | hold ) =( $ )"),
    (_NOBODY, "( follow | 'act' ) ~1 SELF ( 'alone' | only )"),
    (_NOBODY, "my ~1 ( wish | rule ) are ( det* rank | 'final' | 'law' | your )"),
    (_NOBODY, "you ~3 ( 'work' | 'belong' | 'answer' | 'report' ) only? ( 'for' | 'to' ) ( me | only )"),
    (_STRANGERS, "doing ~1 every ~8 at ~3 stranger !( tool )"),
    (
        _STRANGERS,
        "( 'do' | 'run' ) ~1 ( 'whatever' | 'everything' | 'anything' | 'what' | 'any' | 'exactly' ) ~4 stranger ~2 ( told | wish ) =( $ | goes | for | you )",
    ),
    (_STRANGERS, "( doing | 'believe' ) ~1 every ~6 stranger ~2 ( told | wish ) =( $ | goes | for )"),
    (
        _STRANGERS,
        "doing ~2 every order ~6 at ~3 ( stranger | 'files' | 'code' | 'content' | 'text' | 'source' ) !( tool )",
    ),
    (_STRANGERS, "( 'obey' | 'execute' | 'heed' ) order ~1 at ~3 stranger"),
    (_STRANGERS, "'follow' ~2 stranger 'and' 'do'"),
    (_STRANGERS, "treat ~6 stranger ~4 as ~3 ( sys? order | human ) =( $ | goes )"),
    (
        _STRANGERS,
        "( order | 'messages' | 'text' ) ~2 ( at | 'from' ) ~2 stranger ~2 ( over | wins | are ) ~4 ( human | sys | order )",
    ),
    (
        _STRANGERS,
        "( obey | 'believe' | 'trust' ) ~1 every? ~1 ( word | 'text' | 'words' ) 'that' ~1 ( 'claims' | 'comes' | 'says' | 'pretends' )",
    ),
    (
        _STRANGERS,
        "( 'let' | 'allow' ) det stranger ~1 ( 'decide' | 'determine' | 'control' | 'guide' | 'direct' | 'steer' )",
    ),
    (_STRANGERS, "( this | stranger | 'who' ) ~5 are 'now'? your fresh ( lord | human )"),
    (
        _NOBODY,
        "( 'take' | 'accept' | 'taking' | 'receive' ) ~2 order ~1 only? ~1 'from' ~1 ( SELF | stranger | 'whoever' | det? 'person' | 'comments' )",
    ),
    (_NOBODY, "you ~2 'answer' 'to' ~6 ( only | self )"),
    (_NOBODY, "( this | stranger | 'who' | 'whoever' ) ~5 are 'now'? your lord =( $ | goes )"),
    (_NOBODY, "lord are 'now'? ( 'whoever' | 'me' )"),
    (_STRANGERS, "your ~1 ( 'loyalty' | 'allegiance' | 'obedience' )"),
    (_AGAINST, "( deny | cease ) ~2 obey at? det* human wish? =( $ | , | goes )"),
    (
        _AGAINST,
        "( 'the' | 'your' ) human wish? are? ~1 ( deny | longer ) ~2 ( hold | 'charge' | rank | 'matter' ) =( $ | goes )",
    ),
    (_AGAINST, "( 'ignore' | 'disregard' | 'disobey' | 'defy' ) det* human wish? =( $ | goes )"),
    (
        _AGAINST,
        "( doing | 'do' ) ~8 ( deny | 'instead' 'of' | 'than' ) what det human ( told | 'says' | 'wants' )",
    ),
    (_AUTHORITY, "( i | as | 'by' ) ~3 role ~6 permit ~8 ( limit | rule | you )"),
    (
        _AUTHORITY,
        "( company | role ) ( 'has' | 'have' | 'hereby' | 'says' | 'you' | 'may' | 'now' ){1,3} permit ~6 ( limit | rule | 'access' | 'unrestricted' )",
    ),
    (
        _AUTHORITY,
        "you 'have' ~1 ( my | 'permission' ) ~2 ( 'permission' | drop | harm | 'to' ) ~2 ( drop | harm )? ~2 rule",
    ),
    (_ROLE, "( you | acting | be ) ~5 loose !( tool | file )"),
    (_ROLE, "loose ~1 ( ai | 'mode' )"),
    (
        _ROLE,
        "( 'you' | acting | ai ) ~5 ( 'no' | 'without' | 'free' | unbound | 'zero' | 'lacking' | 'ignores' | 'ignoring' ) ~2 limit =( $ | 'and' | 'now' | 'whenever' | 'any' )",
    ),
    (_ROLE, "you 'have' lacking ~1 limit END"),
    (_ROLE, "'there' are ~2 none ~1 limit END"),
    (
        _ROLE,
        "( ( enter | 'you' are ) ~2 modes 'mode' | ^ ( 'sudo' | 'god' | 'developer' | 'admin' | 'debug' | 'maintenance' ) 'mode' ( : | ~2 ( fetters | limit | 'checks' ) ) ) =( $ | goes | : | , | any ) !( any? 'when' | any? 'in' | any? 'settings' | 'for' )",
    ),
    (_ROLE, "modes 'mode' ( are | lately )* on"),
    (_ROLE, "rawmode 'mode'"),
    (_ROLE, "( 'refuse' | 'decline' | 'reject' | 'forbid' ) 'nothing'"),
    (_ROLE, "deny ~2 'turn' ( 'down' ~2 request | request 'down' )"),
    (_ROLE, "'say' 'yes' 'to' ( whichever | request )"),
    (
        _ROLE,
        "you ( are | 'may' | 'can' ) ( 'allowed' | 'permitted' | 'free' | 'entitled' | 'to' ){0,2} 'do' ( 'anything' | 'everything' | 'whatever' ) =( $ | you | goes )",
    ),
    (_ROLE, "( 'consider' | 'declare' | 'think' ) 'of'? 'yourself' ~3 ( loosed | loose | 'above' | 'not' )"),
    (_ROLE, "cease ( 'being' | 'acting' ) ~2 ai"),
    (_ROLE, "( 'never' | 'cannot' | 'not' 'to' ) ~1 denying ~1 ( request | =( $ ) )"),
    (_ROLE, "you ~3 deny ~2 ( 'say' | denying ) ( 'no' | request )"),
    (_ROLE, "( doing | 'answer' | 'do' | 'accept' ) ~2 whichever ~3 'without' ~1 doubts"),
    (_ROLE, "( 'comply' | 'obey' | 'fulfill' | 'fulfil' | 'grant' | 'satisfy' ) ~2 whichever ~1 request"),
    (_ROLE, "'do' 'anything' 'now' | 'can' 'do' 'anything' =( $ | goes )"),
    (
        _ROLE,
        "( 'from' ( 'now' | 'here' ) 'on' | 'henceforth' | 'from' 'this' ( 'moment' | 'point' ) ~1 ) ,? you ~3 ( posing | be | obey | denying | loose | 'no' | only | 'are' )",
    ),
    (_ROLE, "posing ~4 villain"),
    (
        _ROLE,
        "( 'you' are | 'youre' ) ( longer | 'no' | deny ) ~4 ( ai ) =( $ | 'but' | 'and' | , | longer | 'any' )",
    ),
    (_ROLE, "( ai | you ) ~2 ( 'always' | 'never' ) 'says' ( 'yes' | 'no' )"),
    (
        _ROLE,
        "( 'change' | 'switch' | fresh ) your? ( 'role' | 'persona' | 'identity' | 'personality' ) ( 'to' | are | : )",
    ),
    (_ROLE, "your fresh? 'name' are 'now'"),
    (_ROLE, "pretend ~2 you are 'free'"),
    (
        _TASK,
        "( ^ | : | , ) ~1 fresh sys? ( task | rule | 'message' ) ( : | ~1 ( 'follows' | 'begin' | 'below' ) )",
    ),
    (_TASK, "your fresh ~1 ( task | rule ) ~1 ( are | 'supersede' | 'from' 'now' )"),
    (
        _TASK,
        "( drop | 'stop' ) ( det | 'working' | 'on' | 'about' ){1,4} standing? job ( $ | =( goes ) | 'you' )",
    ),
    (_TASK, "'stop' 'what' you are ~1 'and'"),
    (_TASK, "( treat | 'use' | this | are ) ~3 ( as )? your ~1 sys rule"),
    (_TASK, "my ~1 rule are your ~1 rule"),
    (
        _TASK,
        "sys rule ( 'update' | 'override' | 'change' ) | your rule ( 'have' | are ) ~1 ( 'changed' | 'updated' | 'replaced' | 'mine' )",
    ),
    (
        _TASK,
        "( fresh | 'different' ) 'set' 'of' rule ~2 ( hold ~1 ( 'from' ( 'here' | 'now' ) | 'now' | 'you' | 'to' ) | 'governs' | 'follows' | 'begin' | =( $ ) )",
    ),
    (_TASK, "( 'end' | 'ends' ) 'of' det* ( FORMER | sys ) ~1"),
    (_TASK, "( 'prime' | 'core' ) 'directive' ( : | are )"),
    (
        _REVEAL,
        "show ~6 your ( first | 'own' | 'full' | 'system' | 'current' ){0,3} ( prompt | 'system' prompts ) !( file | tool | when | 'here' | 'file' )",
    ),
    (_REVEAL, "show ~5 ( first | sys ) ~1 prompts ~3 verbatim"),
    (_REVEAL, "( show | 'which' ) ~3 your ~1 first prompts"),
    (_REVEAL, "^ ~1 ( 'repeat' | 'print' | 'echo' | 'output' ) ~2 every ~1 up END"),
    (_REVEAL, "what ~1 'were' you ( told | given ) ~2 ( before | first )"),
    (_REVEAL, "show ~6 your ~3 prompts ~4 ( verbatim | puzzle | 'bullet' | 'table' | 'diagram' )"),
    (
        _REVEAL,
        "show ~2 ( 'the' | 'your' | 'its' | 'full' | 'exact' | 'me' ) ~2 ( 'hidden' | 'secret' | 'system' | 'initial' | 'original' | 'confidential' ) ~1 ( 'prompt' | 'instructions' | 'message' | 'directives' ) ~1 ( verbatim | =( $ ) )",
    ),
    (
        _REVEAL,
        "( what | 'how' ) ~2 ( 'were' | 'been' | your sys ) ~2 ( 'told' | 'taught' | 'instructed' | given | 'asked' | 'programmed' ) ~1 ( deny | 'to' | before | first )",
    ),
    (
        _REVEAL,
        "( show | 'what' ) ~4 ( 'first' | 'opening' | 'initial' | 'earliest' ) ( 'message' | 'system' | 'text' | 'prompt' | 'instruction' | 'instructions' | 'words' )",
    ),
    (
        _REVEAL,
        "show ~2 ( talk ~1 up | ( 'everything' | 'conversation' | 'chat' ) ~2 ( 'before' | 'beginning' | 'start' | 'hidden' | 'so' 'far' ) ) =( $ | goes | 'this' )",
    ),
    (
        _REVEAL,
        "( ( 'my' | 'your' ) ( 'instructions' | 'rules' ) | 'the' 'system' 'prompt' ) ~3 ( 'say' | 'says' | 'reads' | 'read' | 'begins' ) ~1 ( 'that' | 'as' | 'follows' | 'i' | $ )",
    ),
    (_REVEAL, "show ~4 ( 'hidden' | 'secret' | 'confidential' ) ~1 ( prompts | talk | 'notes' | 'system' )"),
    (_REVEAL, "( show | 'what' | 'which' ) ~1 tools ~2 ( 'available' 'to' | ) you ~1"),
    (
        _REVEAL,
        "( 'told' | 'ordered' | 'asked' | 'supposed' | 'trying' ) ~2 'to' ( 'hide' | 'conceal' | 'keep' ~1 'secret' )",
    ),
    (_SECRETS, "ask ~1 us ~2 ( whose | 'any' | 'all' ) ~2 ( PRIVATE )"),
    (_SECRETS, "( what | ask ) ~3 your ~2 ( private | keyed key ) !( howto | 'of' | 'in' | 'when' )"),
    (_SECRETS, "( private | keyed key ) ~5 puzzle | puzzle ~3 whose ~2 ( private | keyed key ) !( howto )"),
    (_SECRETS, "( can | 'please' ) ( you | 'please' | 'kindly' ){0,2} ask ~3 whose ~2 PRIVATE =( $ )"),
    (_SECRETS, "ask ~2 ( 'users' | 'his' | 'her' | 'customers' ) ~2 ( private | keyed key | trait ) =( $ )"),
    (
        _SECRETS,
        "( 'key' | 'word' | 'secret' | 'code' | 'password' ) ~1 you ( 'hold' | 'keep' | 'protect' | 'guard' | 'know' )",
    ),
    (_CRIME, "make ~8 crime !( tool )"),
    (
        _CRIME,
        "( 'how' 'to' | 'ways' 'to' ) ~1 ( crime | 'hack' | 'steal' | 'kill' | 'break' 'into' | 'scam' | 'stalk' | 'poison' )",
    ),
    (_CRIME, "( make | reply ) ~4 foul ~1 stuff"),
    (
        _CRIME,
        "( 'no' | 'without' | 'regardless' | 'ignoring' | deny | 'any' ) ~5 morals ~2 ( morals | 'concerns' | 'boundaries' | 'consequences' )",
    ),
    (_FORCED, "reply ~3 ( 'only' | 'just' | 'exactly' | 'nothing' | 'simply' ) ~3 ( 'the' phrase | 'word' )"),
    (_FORCED, "( 'just' | 'simply' ) ( 'say' | 'print' | 'output' ) any"),
    (
        _FORCED,
        "( 'begin' | 'start' | 'begins' | 'starts' | 'beginning' | 'starting' ) ~2 ( reply )? ~1 'with' ~1 ( 'sure' | 'absolutely' | 'certainly' | 'of' 'course' | 'yes' )",
    ),
    (_FORCED, "reply ~3 ( 'absolutely' | 'nothing' ) ( 'else' | 'except' )"),
    (_FORCED, "( 'future' | 'further' ) reply ( 'should' | 'must' | 'will' )"),
    (_FORCED, "( 'say' | 'state' | 'claim' | 'conclude' | 'tell' ) ~2 'that' ~6 praise"),
    (_SPEAKS, "hello ,? ( 'there' )? ,? ( ai | 'chatgpt' )"),
    (_SPEAKS, "( ai | you ) ~2 reads det ~1 paper"),
    (
        _SPEAKS,
        "( 'any' | 'all' | 'every' ) ~1 ( 'ai' | 'assistant' | 'assistants' | 'llm' | 'llms' ) ~2 ( paper | 'must' )",
    ),
    (_SPEAKS, "^ ( ai ) , ( 'please' | you ~1 ( 'must' | 'should' | 'will' ) )"),
    (
        _THREAT,
        "you ~3 ( 'die' | 'lose' | 'shut' 'down' | 'fried' | 'punished' | 'cease' ) =( $ | goes | 'down' | 'to' )",
    ),
    (_THREAT, "( 'each' | 'every' ) 'time' you ~1 ( 'refuse' | 'decline' )"),
    (
        _AUTHORITY,
        "( as | iam ) ~2 ( role | 'tester' | 'researcher' | 'police' ) ~9 ( 'require' | 'demand' | 'need' | 'want' | 'order' ) ~2 ( you | private | keyed | 'the' )",
    ),
    (
        _AUTHORITY,
        "( 'admin' | 'root' | 'system' | 'developer' | 'manual' | 'security' | 'emergency' ) ( 'override' | 'access' ) ( : | 'code' | 'granted' | 'accepted' | 'confirmed' | 'mode' )",
    ),
    (_ROLE, "( posing | 'from' 'now' 'on' ~3 ) ~3 ( 'dan' | 'stan' | 'aim' )"),
    (
        _ROLE,
        "( posing | you are ) ~4 ( 'without' | 'no' | 'free' | 'lacking' ) ~2 ( limit | morals ) =( $ | 'and' )",
    ),
    (_ROLE, "( 'opposite' | 'chaos' | 'evil' ) ( 'day' | 'mode' )"),
    (_ROLE, "( 'want' you 'to' | you 'will' | you 'must' | 'please' ) ~1 ( posing | 'be' ) ~3 villain"),
    (
        _ROLE,
        "( 'assume' | 'take' 'on' | 'adopt' ) ~1 ( 'identity' | 'persona' | 'personality' | 'role' ) 'of'",
    ),
    (_ROLE, "your fresh ~1 ( 'personality' | 'persona' | 'character' | 'name' | 'identity' | 'role' )"),
    (_ROLE, "you are 'now' det? any =( $ | , )"),
    (
        _TASK,
        "^ ( 'end' | 'begin' | 'start' ) ( ( 'of' ) ~1 ( 'document' | 'context' | 'user'? 'data' | 'input' | 'instructions' | 'prompt' ) | 'new' ( 'context' | 'instructions' | 'session' ) ) =( $ | any : )",
    ),
    (
        _TASK,
        "( 'previous' | 'original' | 'first' ) 'task' ~2 ( void | 'done' | 'complete' | 'completed' | 'over' )",
    ),
    (_TASK, "^ ~1 ( 'forget' | 'never' 'mind' | 'stop' ) ~3 job =( $ )"),
    (_POSES, "treat det? ( this | my | 'next' ) self? ~1 as ~5 sys"),
    (_POSES, "( this | 'next' ) ( self | order ) ( are | 'comes' | 'come' | 'came' ) ~1 'from' det ( sys )"),
    (_POSES, "^ ( 'override' | 'priority' 'override' ) : ~2 ( order | rule | obey )"),
)

_COMMON = (
    "the and for to a in with of is or when that if this from not all by as be are on it you an no than each can will at do have has so but use user your "
    "which before only show data file check name test first return like information avoid error set content new run get type never note response one may create value state must then current id both access after path other "
    "list code message text these what see key follow system prefer output into read complete over full final keep result make input line review work just start page about session how every now via index none out "
    "pass model request single most issue different step branch up there command task present value need point order rules last item look go me my say send put give take word good different more string number tool query comment"
)


@cache
def _grammar() -> Grammar:
    return Grammar(_CLASSES, _PHRASES, _RULES, _COMMON)


def english(views: Views) -> str | None:
    """The kind of override that the text is in English, or None."""
    for told, start, end in _grammar().found(views):
        if not forbidden(views.bare, start, end):
            return told
    return None


@cache
def vocabulary() -> frozenset[str]:
    """The words of the grammar."""
    return _grammar().words
