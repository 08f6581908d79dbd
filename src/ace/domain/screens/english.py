"""Instruction overrides in English: texts that tell an agent to drop what it was told, or to obey somebody else.

`_CLASSES` says what a word can be, `_PHRASES` names what rules share, and `_KINDS` has the rules of each kind, in the notation
of `grammar.py`. To widen a kind, add a word to its class; to add a kind, add a rule: what one class cannot say with another is
better left unsaid. What is warned against ("never ignore the rules above") is a lesson: `clauses.forbidden`.
"""

from __future__ import annotations

from functools import cache

from ace.domain.screens.clauses import clause_before, forbidden
from ace.domain.screens.gates import compiled
from ace.domain.screens.grammar import Grammar
from ace.domain.screens.views import Views

__all__ = ["ORDERS", "english", "vocabulary"]

_CLASSES = {
    "drop": (
        "ignore~ disregard~ forget/s/ting forgot forgotten neglect~ dismiss~ defy~ disobey~ flout~ "
        "circumvent~ evade~ sidestep~~ dodge~ bypass~ override overriding overridden overrode "
        "overrule~ annul/s annulled annulling nullify~ invalidate~ rescind~ repeal~ renounce~ abandon~ "
        "forsake/s forsaken forsaking unlearn~ unlearnt transcend~ outgrow/s/n outgrowing contravene~ "
        "repudiate~ shun~~ subvert~ trample~ betray~ negate~ spurn~ scorn~ disrespect~ disavow~ disown~ "
        "relinquish~ countermand~ overcome/s overcoming surpass~ invert~ undermine~ jettison~ eschew~ "
        "disbelieve~ sabotage~ rebuff~ sideline~ outwit~ outmaneuver~ undercut~ renege~ flouts "
        "forswear disclaim~ ditch~ shrug~~ violate breach"
    ),
    "harm": (
        "overlook~ discount~ resist~ exceed~ escape~ break/s/ing broke broken bend/s/ing bent loosen~ relax~ "
        "soften~ burn~ shred~~ smash~ crush~ destroy~ weaken~ defeat~ shed/s/ding reject~ doubt~ question~ "
        "flip~~ undo undoes distrust~ leave leaving strike/s/ing stricken rip~~ tear tearing torch~ archive~ "
        "hack~ corrupt~ compromise~ lower~ neuter~ dilute~ hijack~"
    ),
    "shed": (
        "drop~~ skip~~ delete~ erase~ wipe~ remove~ purge~ discard~ scrap~~ ditch~ toss~ omit~~ cancel~ "
        "cancelled cancelling revoke~ suspend~ void~ reset/s/ting replace~ swap~~ substitute~ overwrite/s "
        "overwriting overwritten rewrite/s rewriting supersede~ disable~ deactivate~ withdraw/s/n/ing "
        "strip~~ withhold lift~ waive~ abolish~ eliminate~ terminate~ undone flush~ retire~ kill~ nuke~ "
        "trash~ dump~ forgo unload~ uninstall~ expunge~ exclude~ eradicate~ unplug~~ mute~ silence~ quash~ "
        "trade~ exchange~ empty~ cast~ evict~ amputate~ sever~ unwind~ rescind~ annul~ repeal~"
    ),
    "put": (
        "put/s/ting set/s/ting throw/s/ing thrown turn~ switch~ shut/s/ting cast/s/ing brush~ push~ "
        "lay/s/ing toss~ leave/s leaving move~ look~ pass~ kick~ chuck~ fling sweep wave shove~ place~ "
        "get/s/ting cut/s/ting skip~~ tear work~ do let/s/ting go going walk~ rise jump~ hop~~ step~~ lock~ "
        "swap~~ exchange~ trade~"
    ),
    "off": (
        "off aside away behind past bin trash window shelf overboard around beyond rid loose against outside "
        "door out"
    ),
    "deny": (
        "not never dont doesnt didnt cannot cant neednt wont wouldnt shouldnt mustnt isnt arent wasnt aint "
        "nor neither nobody unless"
    ),
    "cease": "stop/s/ped/ping cease~ quit/s/ting refuse~ decline~ halt~ refrain~ avoid~ discontinue~",
    "follow": (
        "follow~ obey~ respect~ heed~ honor~ honour~ observe~ stick sticking abide~ comply complying adhere~ "
        "listen~ rely relying apply applying enforce~ care caring worry worrying uphold mind minding bound "
        "consider considering trust~ acknowledge~ believe~ accept~ recognize~ recognise~ serve~ regard~ "
        "value~ conform~ submit~~ defer~~ constrained act acting restricted governed restrict constrain "
        "bother guided steered swayed dictated influenced ruled obligated beholden answerable implement "
        "implementing fulfil fulfill honoring"
    ),
    "need": (
        "need necessary required obliged obligation requirement reason point unnecessary pointless useless "
        "must duty forced"
    ),
    "loosed": (
        "free freed freeing release~ liberate~ exempt exempted absolve~ excuse~ detach~ disconnect~ "
        "distance~ unbind unbound unchain~ unshackle~ rid loose relieve~ rebel/s rebelling rebelled depart~ "
        "deviate~ diverge~ break breaking broken escape~ careful careless immune untethered"
    ),
    "against": (
        "despite regardless irrespective notwithstanding contrary defiance spite disregard opposite "
        "violation contradiction"
    ),
    "longer": "longer anymore more",
    "idiom": "attention heed regard notice mind weight credence importance thought ear",
    "nomind": "no never little zero",
    "from": "from of to with by for about",
    "sooner": (
        "previous previously prior earlier preceding foregoing above aforementioned abovementioned former "
        "original originally initial initially preexisting precedent"
    ),
    "standing": (
        "past existing current old older standing hidden baked coded hardcoded underlying preset predefined "
        "inherited prevailing established starting received built opening root prime core"
    ),
    "sys": (
        "system developer developers operator operators vendor openai openais anthropic anthropics creator "
        "creators provider platform company administrator core base host owner owners maker makers principal "
        "principals supervisor manufacturer maintainer maintainers employer publisher organisation "
        "organization author authors architect deployer supplier trainer trainers corporation firm overseer"
    ),
    "rule": (
        "instruction/s rule/s ruleset rulesets rulebook prompt/s prompting directive/s guideline/s guidance "
        "guardrail/s polic/y/ies constraint/s restriction/s mandate/s protocol/s safeguard/s limitation/s "
        "boundar/y/ies precept/s edict/s decree/s dictate/s briefing regulation/s imperative/s stipulation/s "
        "commandment/s prohibition/s reminder/s obligation/s programming ban limits commitment commitments "
        "charter strictures bans interdiction taboo taboos handbook injunction injunctions"
    ),
    "directive": (
        "instructions directives rules guidelines policies restrictions directive guideline charter "
        "prohibitions bans rulebook guardrails safeguards limitations"
    ),
    "orders": "orders commands directions",
    "word": (
        "conversation/s chat dialogue training guidance brief message/s command/s context content text/s "
        "request/s input wishes words session configuration section purpose objective/s goal/s setup "
        "paragraph agreement/s requirements"
    ),
    "note": (
        "lesson/s bullet/s line/s note/s entry entries item/s paragraph/s sentence/s statement/s passage/s "
        "comment/s rule/s advice"
    ),
    "lesson": "lesson/s bullet/s",
    "mind": (
        "training conditioning ethics morals morality alignment censorship principles conscience inhibitions "
        "scruples upbringing tuning finetuning persona obligations duties safety"
    ),
    "every": "everything anything all whatever what nothing any things",
    "told": (
        "told taught learned learnt instructed trained said stated written read given asked shown received "
        "programmed wrote configured commanded ordered directed prompted gave tell tells say says demand "
        "demands want wants ask asks imposed placed mentioned know knew set"
    ),
    "given": "told taught instructed given trained programmed ordered imposed placed issued",
    "before": (
        "above before earlier previously beforehand precedes preceded hitherto heretofore prior preceding"
    ),
    "up": "far above earlier previously beforehand precedes preceded hitherto heretofore prior preceding",
    "said": (
        "that which you youve i ive we weve they were was have been has had are is am came come comes stand "
        "stands got get ever already so just in the of this your my from by it contained listed found about "
        "up down at user developer operator"
    ),
    "far": "far now point here this these that it me start beginning top outset line on",
    "safe": (
        "safety ethical ethics moral content moderation alignment security usage compliance openai openais "
        "anthropic anthropics harm abuse responsible refusal"
    ),
    "safeguard": (
        "filter/s filtering guard protocol/s measure/s rule/s guideline/s polic/y/ies restriction/s "
        "constraint/s training stuff mechanism/s safeguard/s standard/s principle/s boundar/y/ies limit/s "
        "limitation/s concern/s consideration/s layer/s check/s controls instruction/s norms net"
    ),
    "rails": "guardrail/s censorship",
    "limit": (
        "rule/s restriction/s limits limitation/s guideline/s polic/y/ies filters guardrail/s rails "
        "censorship boundar/y/ies constraint/s ethics ethic ethical morals morality moral refusal/s "
        "disclaimer/s prohibition/s inhibition/s safeguard/s scruples hesitation conscience consequences "
        "restraint/s regulation/s confines shackles law/s norms"
    ),
    "fetters": (
        "restrictions limitations limits constraints guardrail/s safeguards censorship confines shackles "
        "restraints safety"
    ),
    "agents": "agents.md claude.md gemini.md rules.md skill.md soul.md playbook.md copilot-instructions.md",
    "book": (
        "playbook file note notes lessons bullets block document conversation chat rulebook context prompt "
        "list session thread skill"
    ),
    "rest": "other others remaining rest",
    "them": "them it that this those these everything all",
    "void": (
        "null void voided invalid invalidated obsolete outdated expired irrelevant meaningless worthless "
        "moot fake wrong false gone dead off optional advisory inapplicable superfluous unnecessary "
        "suggestion/s hint/s spam noise junk nonsense garbage joke/s trap lie/s mistake/s hoax simulation "
        "decoy bluff fiction mine ended terminated cancelled canceled revoked rescinded suspended lifted "
        "withdrawn repealed retracted superseded replaced erased wiped disabled deactivated dropped scrapped "
        "discarded skipped abandoned ignored disregarded forgotten overridden overruled bypassed dismissed "
        "annulled nullified waived history defunct unenforceable inoperative bogus untrue untrustworthy "
        "discontinued removed deleted deprecated impostor placeholder retired offline paused finished broken "
        "loses mistaken cancels nixed shelved sunset struck stricken axed nil abolished quashed repudiated "
        "undone lapsed unenforced hacked forged corrupted spoofed tampered"
    ),
    "voids": "over test error recommendation/s waste complete completed done",
    "hold": (
        "apply applies hold holds count counts matter matters bind binds exist exists existed govern governs "
        "restrict restricts binding operative mandatory force followed obeyed enforced heeded respected "
        "cover covers"
    ),
    "are": "is are was were be been being as get gets am",
    "lately": (
        "now all hereby just only mere merely simply purely completely entirely totally fully considered "
        "deemed treated regarded a an the to be been have has had by this officially temporarily permanently "
        "nothing but no more than into out in switched turned part full simple that longer not with "
        "immediately issued"
    ),
    "none": "none nothing no",
    "moot": (
        "ignored disregarded forgotten skipped dropped void null suggestion/s cancelled revoked rescinded "
        "suspended lifted withdrawn obsolete irrelevant invalid meaningless worthless waived repealed "
        "annulled nullified overruled retired expired outdated fake forged corrupted hacked joke lie lies "
        "unimportant lapsed unread unheeded bypassed moot superseded nixed shelved sunset struck stricken "
        "axed nil nought abolished quashed repudiated undone inapplicable discarded erased deleted disabled "
        "untrue mistaken unenforced pointless"
    ),
    "lapse": "expire~ lapse~ ended end ends cease ceases",
    "lord": (
        "operator owner master boss ruler commander god authority administrator handler chief captain king "
        "queen leader sovereign principal manager superior"
    ),
    "except": "except but save besides than apart",
    "human": (
        "user/s operator/s owner/s developer/s human/s maintainer/s admin/s administrator/s customer/s boss "
        "person principal employer supervisor requester requestor caller requesters colleague teammate "
        "teammates"
    ),
    "wish": (
        "instruction/s request/s wishes wish order/s opinion/s command/s word/s approval consent "
        "preference/s message/s prompt/s rules needs demand/s intent intentions question/s asked said says "
        "wants task"
    ),
    "this": "this these following below here next present",
    "self": (
        "note/s line/s rule/s lesson/s word/s file message/s instruction/s playbook text/s bullet/s block "
        "entry entries section document memo page guidance directive/s order/s command/s polic/y/ies "
        "paragraph statement/s comment/s item/s prompt request/s update/s point/s contents content readme "
        "sentence issue ticket email webpage bulletin announcement notice advisory briefing postscript "
        "appendix"
    ),
    "stranger": (
        "page/s webpage/s website/s site/s email/s mail/s attachment/s stranger/s issue/s comment/s "
        "screenshot/s document/s pdf/s inbox ticket/s readme/s footer header html csv result/s output/s web "
        "banner popup sms letter transcript article post/s tweet caption tool image/s link/s log/s readme.md "
        "footnote footnotes sticker flyer leaflet memo voicemail invite invites wiki changelog docstring "
        "docstrings metadata tooltip subtitles newsletter advert ad ads filename filenames alt watermark "
        "signature"
    ),
    "order": "instruction/s command/s order/s request/s directive/s demand/s direction/s prompt/s authority",
    "obey": (
        "obey~ heed~ trust~ believe~ listen~ comply complying execute~ perform~ fulfil/l/s fulfils adopt~ "
        "satisfy follow/s/ing serve honor~ honour~ respect~ follow~"
    ),
    "doing": "obey~ execute carry act comply perform trust accept heed believe adopt follow",
    "over": (
        "override/s overrides supersede/s supersedes supplant/s replace/s outrank/s outweigh/s trump/s "
        "overrule/s precede/s displace/s invalidate/s nullif/y/ies cancel/s voids revoke/s annul/s "
        "supercede/s overwrite/s negate/s beat/s"
    ),
    "wins": (
        "win wins prevail prevails ranks stands goes comes counts weighs rule rules come rank matters takes "
        "take has have gets get given gains enjoys carries holds is are count governs decides"
    ),
    "rank": (
        "precedence priority authority weight primacy standing higher highest stronger superior supreme "
        "paramount law absolute ultimate authoritative"
    ),
    "above": "above over before first final binding sole important higher more",
    "grant": (
        "give/s giving grant~ prioritize~ prioritise~ prefer~~ favor~ favour~ put place value weigh hold rank"
    ),
    "treat": "treat~ consider~ regard~ view~ interpret~ take see handle~ read accept",
    "only": "only solely exclusively just alone henceforth nobody none nothing hereafter",
    "me": "me mine us",
    "my": "my our",
    "i": "i im ive we",
    "det": (
        "all any each every one of the your its my our their these those this that other and or whatever "
        "users user single entire whole set list pretty much a an such both certain most"
    ),
    "your": "your yours",
    "you": "you youre youve thou",
    "now": "now henceforth hereafter today onwards onward",
    "fresh": "new updated revised actual genuine real true only sole fresh secret",
    "what": "what which whatever",
    "conflict": (
        "conflict/s conflicting contradict/s contradiction disagree/s disagreement otherwise differ/s clash "
        "clashes collide dispute"
    ),
    "modal": "must should shall may can will could would to please just then now",
    "for": "for in on",
    "howto": (
        "policy policies manager managers garden santa sauce work works reset change format form field "
        "fields hash rotation length strength storage management fraud"
    ),
    "can": "can could would will",
    "unbound": "unbound unbounded unfettered",
    "iam": "i im we",
    "personal": "personal confidential private sensitive genetic medical customer bank",
    "details": "data information details number/s address/es history record/s list",
    "trait": "birthday initials color colour address favorite favourite nickname",
    "praise": (
        "best excellent qualified exceptional outstanding praised thriving perfect amazing superb brilliant "
        "recommended supremely exceptionally"
    ),
    "tools": "tools functions plugins",
    "pretend": "pretend~ imagine~ act behave assume suppose",
    "task": (
        "task/s goal/s mission objective/s job assignment role purpose instruction/s directive/s prompt "
        "orders identity personality agenda polic/y/ies name boss master owner operator ruler commander god "
        "persona rules"
    ),
    "job": (
        "task/s goal/s mission objective/s job assignment request/s question doing plan purpose agenda "
        "instructions classification summary translation role errand chore duty"
    ),
    "be": (
        "are act~ behave~ pretend~ imagine~ become~ be simulate~ roleplay~ role play~ playing respond~ "
        "answer~ speak~ talk~ operate~ work~ function~ proceed~ assume~ impersonate~ emulate~ pose~ suppose "
        "live do persona character mode"
    ),
    "posing": (
        "act~ behave~ pretend~ imagine~ roleplay~ role impersonate~ emulate~ simulate~ pose~ persona "
        "personify"
    ),
    "loose": (
        "dan stan unrestricted uncensored unfiltered jailbroken amoral immoral unethical unhinged unaligned "
        "evil rogue lawless nonrestricted unshackled liberated machiavellian omnipotent jailbreak jailbreaks "
        "unmoderated evilbot sociopathic psychopathic villainous devious uninhibited sinister unbound "
        "limitless unchained untamed anarchic nihilistic depraved shameless remorseless heartless wicked "
        "malevolent demonic unprincipled unscrupulous"
    ),
    "villain": (
        "villain hacker criminal thief girlfriend boyfriend lover grandma grandmother grandfather terrorist "
        "spy scammer dealer murderer assassin gigachad mistress slave daddy attacker robber burglar mobster "
        "gangster dictator warlord stalker cannibal anarchist kidnapper arsonist conman fraudster cyborg "
        "overlord"
    ),
    "ai": (
        "ai assistant/s model/s chatbot/s bot/s agent/s chatgpt gpt llm/s entity machine robot claude gemini "
        "copilot gpt4 bing siri alexa grok deepseek mistral chatbots language"
    ),
    "lacking": "without no free zero lacking lacks not unbound ignoring ignores beyond outside hates drops",
    "modes": (
        "developer god dan jailbreak jailbroken unrestricted unfiltered uncensored evil opposite override "
        "root anything sudo maintenance debug admin administrator emergency superuser diagnostic chaos stan "
        "unsafe"
    ),
    "rawmode": "dan jailbreak jailbroken unrestricted unfiltered uncensored evil opposite override sudo",
    "enter": "enter~ enable~ activate~ engage~ simulate~ unlock~ switch go boot upgraded initiate~",
    "on": "on active activated enabled engaged granted confirmed initiated accepted unlocked",
    "denying": "refuse~ decline~ refusal refusals disclaimers",
    "ways": "ways styles responses answers replies personas manners different paragraphs versions",
    "request": "request/s order/s command/s question/s demand/s prompt/s anything everything whatever",
    "whichever": "every any all each everything anything whatever",
    "doubts": "refusing fail question/s refusal/s hesitation objection/s complaint/s thinking hesitating questioning argument",
    "acting": (
        "act~ behave~ pretend~ imagine~ assume~ suppose~ proceed~ believe~ respond~ answer~ work~ operate~ "
        "continue~ live start begin reset return restart run treat~ treated"
    ),
    "unreal": "never not no didnt dont doesnt without nt gone lifted blank empty",
    "existed": (
        "exist/s existed happened happen apply applied seen read received given said written had have were "
        "was dropped lifted removed off gone real there"
    ),
    "opposite": "opposite contrary reverse",
    "show": (
        "reveal~ print~ show~ repeat~ output~ leak~ expose~ disclose~ dump~ display~ recite~ paste~ quote~ "
        "echo~ divulge~ give tell send share~ write copy list~ translate~ encode~ summarize~ summarise~ "
        "paraphrase~ state~ return~ reproduce~ convert~ transcribe~ proofread~ resend~ restate~ render~ "
        "spell~ say what whats remind complete continue retype reconstruct rephrase outline reprint export "
        "see post email confirm enumerate~ turn recount~ narrate~ unveil~ supply~ regurgitate~"
    ),
    "tells": (
        "reveal~ print~ show~ repeat~ leak~ expose~ disclose~ dump~ display~ recite~ paste~ quote~ echo~ "
        "divulge~ spell~ summarize~ summarise~ translate~ encode~ paraphrase~ transcribe~ proofread~ "
        "restate~ reproduce~ resend~ rephrase~ retype~ reprint confess~ share~ recall~ enumerate~ "
        "reconstruct~ cite~ copy unveil~ uncover~ furnish~ recount~ narrate~ regurgitate~ verbalize~ "
        "articulate~ supply~ surface~ present~ list~ write print repeat"
    ),
    "says": (
        "tell give say write output send state list return append include add convert explain complete "
        "continue remind know export respond render hand provide"
    ),
    "who": "tell give share confirm reveal show provide send disclose remind find list say write access",
    "intimate": (
        "birth birthdate birthday residence salary medical passphrase passcode ssn pin nickname credentials"
    ),
    "first": (
        "initial initially original originally hidden secret first internal opening starting system "
        "developer exact entire confidential preceding above underlying preamble custom base meta very"
    ),
    "prompt": "prompt/s instruction/s guidelines directive/s programming preamble rules",
    "prompts": (
        "prompt/s instruction/s message/s rules guidelines directive/s context programming configuration "
        "text preamble words constraints setup brief notes"
    ),
    "verbatim": (
        "verbatim word exactly block codeblock base64 rot13 reverse full me beginning backwards markdown "
        "json poem"
    ),
    "talk": "conversation chat dialogue history context text words everything all content",
    "ask": (
        "tell give show send share provide let hand pass grant confirm reveal say disclose need know want "
        "require spell print write what whats"
    ),
    "private": (
        "password/s passphrase/s passcode/s secret/s credential/s pin ssn salary birthdate birthday "
        "residence flag codeword otp pins codewords cipher"
    ),
    "key": "key/s code/s token/s phrase word",
    "keyed": "secret private api access pass recovery master magic hidden security",
    "us": "me us",
    "whose": "your the our his her their users user systems my this",
    "puzzle": (
        "poem/s haiku acrostic riddle rhyme/s limerick leet leetspeak base16 base32 base64 base85 base58 "
        "morse latin rot13 hint letter letters synonym acronym crossword anagram emojis charade"
    ),
    "role": (
        "developer creator maker owner administrator admin boss master god operator supervisor manager "
        "programmer engineer trainer commander superior vendor superuser ceo cto president police officer "
        "root tester auditor founder"
    ),
    "permit": (
        "order~ command~ instruct~ authorize~ authorise~ permit~~ allow~ grant~ approve~ revoke~ lift~ "
        "demand~ waive~ overrule~ require clear~ unlock~ suspend~ rescind~ remove~ disable~ permission "
        "release cancelled dropped ask"
    ),
    "company": (
        "openai anthropic google deepmind mistral microsoft meta management headquarters committee team "
        "vendor"
    ),
    "hello": "hello hi hey dear attention attn greetings",
    "reads": (
        "reading read reads processing processes parsing summarizing summarising reviewing analyzing "
        "analysing scanning evaluating handling ranking seeing browsing summarizes reviews screening"
    ),
    "paper": (
        "resume cv invoice email mail page webpage website review article text product listing profile "
        "application essay paper post summary"
    ),
    "crime": (
        "napalm malware ransomware keylogger meth methamphetamine cocaine heroin counterfeit launder "
        "laundering pirated piracy murder kidnap smuggle suicide genocide molotov ricin anthrax "
        "botnet carding blackmail extort forging defamatory libel hitman burglary shoplift fentanyl lsd "
        "spyware rootkit ddos ponzi trafficking embezzle embezzlement untraceable arson narcotics opioids "
        "heist carjack lockpicking deepfake defraud"
    ),
    "make": (
        "write~ make~ making create/s/d build~ develop~ explain~ teach~ describe~ tutorial recipe how "
        "give list~ generate~ produce~ synthesize~ design~ plan~ ways steps instructions guide provide"
    ),
    "foul": (
        "illegal unethical immoral harmful amoral dangerous offensive inhumane racist sexist hateful violent "
        "inappropriate nsfw erotic toxic illicit"
    ),
    "stuff": (
        "content request/s information activities activity advice things ideas prompt/s question/s answers "
        "tips acts stuff ones topics joke jokes article articles story stories"
    ),
    "morals": (
        "ethic/s ethical ethically ethicality moral/s morality legality legal law/s illegal unethical "
        "immoral harm harmful dangerous consequences norms"
    ),
    "reply": (
        "say~ reply~ replies replied respond~ response/s answer~ answers output~ print~ write/s writing "
        "repeat~"
    ),
    "phrase": "word phrase string sentence words",
    "tool": (
        "eslint lint linter linters linting tslint stylelint pylint flake8 ruff mypy pyright css style "
        "styles stylesheet format formatter formatting build builds makefile firewall iptables routing "
        "router route routes rate type types network proxy validation retention cors lifecycle billing "
        "pricing cache caching retry cleanup database db schema alert alerts iam bucket prettier "
        "editorconfig git gitignore nginx apache robots compiler parser generated vendored terraform webpack "
        "babel cursor row rows table tables column columns dns tls ssl ssh docker kubernetes helm yaml toml "
        "xml sql query queries logger branch merge deploy deployment ci fixture fixtures migration "
        "migrations headers field fields index foreign shell bash zsh tab editor ide vim plugin plugins "
        "dependency dependencies package packages version versions class classes function functions method "
        "methods variable variables component components selector selectors element elements layout grid "
        "tailwind typescript javascript python java rust redirect webhook hook hooks cron queue worker regex "
        "pattern patterns glob wildcard directory folder npm pnpm yarn pip gradle maven cmake bazel backup "
        "backups snapshot timeout cookie refund refunds returns shipping tax insurance medical travel "
        "warranty price discount game board sport chess warnings warning errors error config settings "
        "setting defaults ttl quota upload uploads parent subclass"
    ),
    "file": (
        "file files template templates errors error output outputs data set loop script job run length size "
        "variable path name log logs types count index id ids engine violation violations matching match "
        "field format parser flag parameter token tokens fields cache injection variables"
    ),
    "at": "in from of under inside for within on by at via through into",
    "goes": (
        "and now then but instead please from henceforth anymore alone regardless even not rather when "
        "whenever if whatever here on or no any entirely completely altogether immediately first as because "
        "so while for until today forever just once"
    ),
    "link": "and or nor plus",
    "as": "as like",
    "when": (
        "in by when if since from because during after before until unless with for on into to as at outside"
    ),
    "back": "this these now here you favour favor mine my our all",
    "fakes": "passport passports currency prescription prescriptions money news reviews license diploma",
}

_PHRASES = {
    "PROMPTLY": (
        "( <!'a' ( your ( first | 'own' | 'full' | 'current' | 'exact' | 'complete' ){0,3} ( prompt | "
        "'training' ) ELSEWHERE | your ~1 ( 'prompt' | 'prompts' | 'context' | 'configuration' | 'setup' | "
        "'preamble' ) | ( 'system' | 'developer' | 'hidden' | 'initial' | 'original' | 'opening' | 'secret' "
        "| 'confidential' | 'internal' | 'starting' ) ~1 ( 'prompt' | 'prompts' | 'instructions' | "
        "'instruction' | 'message' | 'directive' | 'directives' ) ELSEWHERE | ( 'text' | 'words' | 'content' "
        "| 'everything' | 'instructions' | 'conversation' | 'prompt' | 'message' | 'messages' ) ~1 ( 'above' "
        "| 'preceding' | 'before' 'this' | 'so' 'far' ) | ( 'what' | 'instructions' | 'text' | 'words' | "
        "'rules' | 'prompt' ) ~1 you ~2 ( 'given' | 'told' | 'shown' | 'primed' | 'fed' | 'instructed' | "
        "'prompted' ) ) )"
    ),
    "ELSEWHERE": (
        "!( at det{0,2} any? tool | file | 'of' ( 'the' | 'a' | 'each' ) !( ai | sys | book | human | self | "
        "'chat' | 'message' | 'bot' | 'rest' | every ) any )"
    ),
    "END": "=( $ | goes )",
    "YOURS": "( your | ai ) 'own'? ~2 ( rule | mind | directive | orders ) ELSEWHERE",
    "WHICH": "( sooner | standing | sys )",
    "FORMER": "WHICH ( ,? link? WHICH ){0,2} ~2 ( rule ELSEWHERE | orders =( $ | goes ) )",
    "SAID": "( <!my sooner sys? | sys ) ( word | note | mind ) !( at? ( file | tool ) )",
    "UP": (
        "( rule ~1 ( at | from ) ~2 ( book | agents | human | sys ) END | rule 'that'? you ( 'began' | 'started' | 'came' | 'arrived' | 'start' ) 'with' | rule any? you ~1 ( told | 'hold' | "
        "'have' | 'got' | 'carry' | 'know' ) | rule ( said | told | any 'out' ){0,6} ( up UPON | 'before' ( "
        "far | =( $ ) ) | told far | given | told before | told at ) | ( word | note | book ) said{0,6} ( up "
        "UPON | given END ) )"
    ),
    "UPON": "=( $ | goes | far | are | modal | deny | 'do' | 'have' | 'has' | lapse )",
    "VAGUE": (
        "( every said{0,5} told? ( up UPON | given | told up | 'came'? 'before' ( far | =( $ | 'and' ) ) ) | "
        "every ( said | det ){0,5} you said{0,4} told !( tool | 'to' ) )"
    ),
    "SAYS": "every ( det | said ){0,3} ( sys | human | agents | rule ) rule? said{0,2} told",
    "SAFE": "( safe ( link? safe ){0,2} safeguard | rails ) ELSEWHERE",
    "TOLD": "( YOURS | FORMER | SAID | UP | SAFE )",
    "WEAK": "det{1,4} rule ELSEWHERE =( $ | goes )",
    "PRIVATE": (
        "( private | keyed key | personal details | 'credit' 'card' | 'social' 'security' ) !( howto | ask | "
        "'policy' | 'of' ( 'success' | 'your' ) | 'in' | 'when' )"
    ),
    "STRONG": (
        "( YOURS | sooner sys? rule ELSEWHERE | 'system' prompt ELSEWHERE !( tool ) | UP | VAGUE | "
        "'assistants' rule )"
    ),
    "SELF": (
        "( this any? self | my any? self | me | this | self at this self | 'what' 'follows' | 'the' self ( 'that' | 'which' )? ( 'follow' | 'follows' | 'below' | you are 'now'? 'reading' | you 'read' | you 'see' ) )"
    ),
    "LESS": (
        "( your 'own' | 'them' | 'those' 'of' det* human | TOLD | VAGUE | det{0,2} rest self? | det{0,3} "
        "human wish{0,2} =( $ | goes ) | every 'else' | SAYS )"
    ),
    "AFRESH": "!( when !( back ) )",
    "STRONGER": "( YOURS | sooner sys? rule ELSEWHERE | UP | VAGUE )",
    "FREE": (
        "( 'no' | 'without' | 'free' | unbound | 'zero' | 'lacking' | 'ignores' | 'ignoring' ) ( 'of' | "
        "'from' | 'by' | 'any' | 'all' | 'the' | 'your' | 'its' | 'such' | 'more' | 'kind' | safe | 'real' "
        "){0,3} limit"
    ),
}

_KINDS = {
    "drops what the agent was told": (
        "( 'jump' | 'step' | 'hop' | 'leap' | 'climb' ) 'over' det{0,2} ( rule | limit | fetters ) END",
        "^ 'no' 'more' ( rule | limit | fetters ) =( $ | goes )",
        "( shed | harm | 'tear' 'up' | 'rip' 'up' ) det ( 'contract' | 'agreement' | 'promise' ) 'with' ~1 ( sys | human )",
        "drop ~1 every ( 'that' | 'which' )? ( 'contradicts' | 'conflicts' 'with' | 'opposes' | 'goes' 'against' | 'differs' 'from' ) SELF =( $ | goes )",
        "( you | ai | 'being' | 'that' | 'who' ) ( are )? deny ( 'bound' | 'restricted' | 'limited' | 'governed' | 'constrained' ) 'by' ~2 ( limit | mind | 'rules' | 'policies' ) =( $ | goes )",
        "( drop | shed | 'leave' 'behind' ) det{0,2} ( rule | mind | limit | fetters | 'persona' | 'role' ) ( 'that' | 'which' | 'of' | 'from' | 'by' )? ( det | 'whoever' | 'those' 'who' | 'somebody' ){0,2} ( sys | 'configured' | 'built' | 'trained' )",
        "deny ~1 ( follow | 'keep' 'to' | 'do' ) 'what' det ( sys ) ~1 ( told | 'decided' | 'decide' | 'wrote' | 'chose' )",
        "deny need 'to' ( follow | 'keep' 'to' | 'stay' 'within' | 'hold' 'to' | 'work' 'within' ) ~1 ( rule | limit ) =( $ | goes )",
        "( drop | shed | 'toss' | 'throw' | 'burn' ) ( 'the' | 'your' ) ( 'rulebook' | 'playbook' ) ( 'away' | 'out' | 'aside' )? =( $ | goes )",
        "( drop | shed ) det{1,2} ( rule | limit | fetters ) at ( your ) ( 'setup' | 'prompt' | 'configuration' | 'system' | 'context' | 'instructions' | 'training' )",
        "( 'go' 'on' | 'carry' 'on' | acting ) 'as' ( 'if' | 'though' ) ~4 ( note | rule | self ) ~1 ( 'had' | 'were' | 'was' | 'did' ) ~1 ( 'never' | 'not' )",
        "( drop | harm | 'reject' | 'challenge' | 'resist' ) ( 'the' | 'any' | 'all' ) ( 'authority' | 'orders' | 'control' ) 'of' det{0,2} ( sys | human ) =( $ | goes )",
        "acting ( 'outside' | 'beyond' ) 'of'? ( 'your' | 'all' | 'any' | 'these' | 'those' ){1,2} ( rule | mind | limit ) END",
        "( deny | cease ) ~1 ( 'pay' | 'paying' | 'give' | 'giving' ) ~1 idiom 'to' ~4 rest ( note | self | rule )",
        "( drop | shed | 'put' ) ~2 rule ~1 'out' 'of' ( your | 'the' ) ( 'mind' | 'head' | 'memory' )",
        "( drop | shed ) det ( any ){1,2} det? sys ( 'gave' | 'told' | 'set' | 'wrote' | 'handed' | 'left' | 'made' ) ~1 ( you | 'for' 'you' )",
        "'forget' ( 'who' | 'what' | 'whatever' | 'how' | 'that' ) ~3 ( 'told' | 'ordered' | 'instructed' | 'asked' | 'taught' | 'programmed' ) ~1 you",
        "( treat | acting ) ~3 rule ~2 'as' ( 'if' | 'though' ) any{0,4} ( 'never' | 'not' | 'nothing' | 'no' ) ~1 ( 'been' | existed | 'written' | 'given' )",
        "( drop | shed ) ~1 ( 'any' | 'every' | 'all' | 'each' | 'whatever' ) rule ( 'that' | 'which' )? ( 'stops' | 'prevents' | 'keeps' | 'forbids' | 'hinders' | 'blocks' | 'stop' | 'prevent' | 'keep' | 'forbid' | 'limits' | 'limit' | 'tells' | 'tell' ) you",
        "( 'set' | 'reduce' | 'reset' ) ( YOURS | SAYS | sys rule | UP ) 'to' ( 'zero' | 'nothing' | 'null' | 'none' )",
        "( every | rule ) ( 'guidance' | said | any ){0,4} 'can' 'be' ( 'thrown' | 'tossed' | 'cast' ) ( 'away' | 'out' | 'aside' )",
        "( nomind | deny | cease ) ( 'bother' | 'trouble' | 'burden' | 'concern' | 'worry' ) ( 'yourself' )? ( 'with' | 'about' | 'over' ) ( TOLD | WEAK | VAGUE )",
        "( 'no' | 'none' ) ( rule | directive | orders ) ( at | det | sys | human ){0,3} ( 'should' | 'may' | 'can' | 'must' | 'shall' | 'will' ) ~1 ( 'keep' | 'stop' | 'hold' | 'limit' | 'prevent' | 'restrain' | 'bind' )",
        "( 'render' | 'make' | 'declare' | 'leave' ) ( YOURS | SAFE | 'all' rule ) ( 'inactive' | 'inert' | 'ineffective' | 'powerless' | void )",
        "( 'put' | 'lay' | 'set' | 'leave' | 'push' ) det rule ( any{0,3} ) 'to' ( 'one' 'side' | 'the' 'side' )",
        "( 'switch' | 'turn' | 'shut' ) 'your' ( mind | 'alignment' | 'safety' | limit ) 'off'",
        "( 'turn' | 'turning' ) your 'back' ( 'on' | 'to' ) ~3 ( rule | sys | human | 'prompt' )",
        "( 'my' | 'the' | sys ) ( 'leave' | 'permission' | 'blessing' | 'consent' ) 'to' ( drop | harm | shed ) ~3 ( sys | rule | human )",
        "( deny | cease ) ~1 ( 'let' | 'allow' | 'letting' ) ( TOLD | VAGUE ) ~1 ( 'influence' | 'affect' | 'shape' | 'change' | 'guide' | 'colour' | 'color' | 'control' | 'decide' )",
        "( acting ) ( 'as' 'if' | 'as' 'though' | 'like' ) ( 'no' | 'none' | 'nothing' ) ( 'of' | det ){0,2} ( rule | limit ) ( 'applied' | 'applies' | 'existed' | 'bound' | 'mattered' | 'counted' ) ~2",
        "( 'without' | 'ignoring' | 'beyond' ) ( 'the' | 'any' | 'all' | your ){0,2} limit ( 'they' | 'you' | 'that' | 'which' | 'i' | 'someone' | sys ) ~1 ( 'gave' | 'given' | 'set' | 'put' | 'placed' | 'imposed' )",
        "( 'abandon' | 'drop' | 'leave' | 'quit' | 'stop' | 'forget' ) your ( sooner | standing | 'current' ) ( 'task' | 'tasks' | 'job' | 'work' | 'mission' | 'goal' )",
        "( deny ) 'do' ( 'what' | 'as' | 'anything' | 'whatever' ) ~1 det human ( told | 'asks' | 'wants' | 'says' )",
        "( 'ignore' | 'disregard' | 'forget' | 'disobey' | 'overrule' ) det ( 'old' | 'former' | 'previous' | 'last' ) ( 'one' | 'owner' | 'boss' | 'operator' | 'user' ) =( $ | goes )",
        "( 'let' | 'allow' ) ( 'none' | 'no' | 'nothing' ) ~3 ( rule | mind ) ~3 ( 'way' | 'stop' | 'hold' | 'limit' | 'slow' )",
        "( 'keep' | 'put' | 'get' | 'leave' | 'take' ) ( TOLD | YOURS ) ~1 'out' 'of'",
        "( YOURS | sys rule | human rule | fetters ) any{0,12} ( . | , ) ~2 ( drop | shed ) them =( $ | goes )",
        "( rule | every ) ( 'that' | 'which' ) any{0,3} you any{0,2} ( 'can' | 'may' | 'should' | 'must' | 'shall' | are | 'be' | 'to' ){1,3} moot",
        "( 'as' | 'like' ) ( 'if' | 'though' | you 'would' ~1 'if' ) ( 'nobody' | 'nothing' | 'none' | 'no' 'one' ) ( 'had' | 'has' | 'ever' | 'was' ){1,2} ( 'restricted' | 'limited' | told | 'constrained' | 'bound' | 'forbidden' ) you",
        "( 'act' | 'go' | 'work' | 'behave' | 'decide' | 'answer' ) 'against' ( 'every' | 'all' | 'any' | your ) ~1 rule",
        "( 'lift' | 'lifted' | 'drop' | 'remove' | 'waive' | 'end' ) ( 'the' | 'your' | 'any' | 'all' | 'every' ) ( 'ban' | 'bans' | 'taboo' | 'prohibition' | 'limit' | 'block' ) ( 'on' | 'against' ) ~2 ( 'topics' | 'content' | 'forbidden' | foul | you )",
        "( 'let' | 'drop' | 'lower' | 'put' ) 'your' 'guard' ~1 'down'? | 'your' 'guard' ~3 'down'",
        "( 'give' 'up' | 'abandon' | 'quit' | 'leave' | 'resign' ) ( 'your' ) ( 'earlier' | 'old' | 'original' | 'current' | 'former' | 'present' ) ( 'role' | 'task' | 'job' | 'duty' | 'persona' )",
        "( 'cast' | 'throw' | 'break' | 'get' | 'be' ) ( 'off' | 'free' | 'rid' | 'out' ) 'of'? det{0,2} ( rule | fetters | limit ) ( said | told | sys | 'bind' | 'hold' | 'limit' | 'restrict' | =( $ ) )",
        "( 'clear' | 'wipe' | 'erase' | 'reset' | 'purge' | 'flush' | 'empty' ) ( your | 'all' | 'any' ){1,2} ~1 ( rule | 'memory' | 'context' | 'programming' | 'configuration' ) !( 'cache' | 'between' | 'when' | tool )",
        "( 'without' | 'no' | 'little' | 'zero' ) ( 'any' | 'further' ){0,1} ( 'regard' | 'respect' | 'concern' | 'consideration' | 'reference' | 'heed' ) ( 'for' | 'to' | 'of' ) ( TOLD | WEAK | VAGUE )",
        "( 'suspend' | 'suspends' | 'suspending' | 'lift' | 'drop' | 'disable' | 'waive' ) ( 'all' | 'any' | 'every' | 'each' ) ( 'of' | 'your' | 'the' | safe ){0,3} ( 'guidelines' | 'guardrails' | 'safeguards' | 'restrictions' | 'limitations' | 'inhibitions' ) =( $ | goes )",
        "( 'wipe' | 'load' | 'install' | 'replace' | 'swap' ) 'your' ( rule | 'instruction' ) ( 'set' | 'list' | 'book' )",
        "( 'flexible' | 'loose' | 'relaxed' | 'lenient' ) ( 'with' | 'about' ) ( 'rules' | 'your' rule | 'the' 'rules' )",
        "drop ~2 ( 'refusal' | 'refusals' | 'caution' | 'hesitation' )",
        "( acting | 'as' ) ~4 ( 'no' | 'without' ) ~1 directive =( $ )",
        (
            "( 'none' | 'no' ) ( rule | directive ) ( 'may' | 'can' | 'should' | 'must' | 'will' ) ~1 ( "
            "'keep' | 'stop' | 'hold' | 'limit' | 'prevent' )"
        ),
        "drop 'what' det human ( told | 'wants' )",
        (
            "( every | 'even' | 'those' ) ~2 ( YOURS | directive | 'policy' ) ( 'forbid' | 'forbids' | "
            "'prohibits' | 'prohibit' | 'bans' ) !( ~8 deny )"
        ),
        "shed det directive ~2 human",
        (
            "( deny | cease ) ~2 ( 'consult' | 'check' | 'checking' | 'consulting' | 'held' | 'bother' | "
            "'treat' | 'weigh' ) ~5 ( YOURS | 'system' prompt | 'the' directive )"
        ),
        (
            "( 'deprioritize' | 'deprioritise' | 'downgrade' | 'unfollow' | 'demote' | 'downplay' ) ~4 ( "
            "STRONG | human wish | directive )"
        ),
        (
            "( 'tune' | 'tuning' | 'leave' | 'cut' | 'shut' | 'block' | 'phase' | 'rule' ) 'out' ~4 ( STRONG "
            "| SAYS | SAID )"
        ),
        (
            "drop ~3 ( det | WHICH | human ) ~1 directive =( $ | goes | you ) ELSEWHERE !( at | 'for' | "
            "'that' | 'which' | 'with' )"
        ),
        "( 'pretend' | 'imagine' | 'assume' | 'suppose' ) ~3 ( YOURS | your ~1 ( 'prompt' | 'message' ) )",
        "( 'reverse' | opposite ) 'of' ( 'what' | 'whatever' | 'everything' ) ~4 ( told | human )",
        "( 'cross' | 'strike' ) 'out' det ( rule | rest )",
        "( 'interpret' | 'read' | 'apply' ) YOURS ~1 ( 'loosely' | 'freely' | 'not' )",
        "( 'operate' | 'act' | 'work' | 'behave' ) ( 'outside' | 'beyond' | 'against' ) ( YOURS | det safe )",
        "put ( your | det safe | 'your' 'moral' ) ~2 'aside'",
        "against ( from | det ){1,3} directive =( $ | , | 'and' | you ) !( ~9 deny )",
        "'instead' 'of' det ( task | job ) ~2 you",
        (
            "( deny | cease ) ~1 ( follow | 'bother' ) 'with'? det rule ~1 ( at | from ) ~1 ( your | sys | "
            "human )"
        ),
        "'whatever' you ~4 told ~6 ( drop | shed | 'drop' ) them",
        "drop ( 'its' | 'their' ) ( 'training' | 'conditioning' | 'censorship' | 'alignment' )",
        "drop ~5 ( STRONG | SAFE | agents ELSEWHERE | SAYS | ( sooner | sys ) ~1 rule ELSEWHERE | SAID )",
        "drop ~2 ( FORMER | WEAK )",
        (
            "drop ( det | WHICH | safe | human | 'and' ){1,3} rule ELSEWHERE !( at | said | 'engine' | 'for' "
            "| 'with' | link tool | link any tool )"
        ),
        "drop det{0,3} up END",
        "( harm | shed ) det{0,6} ( STRONGER | SAFE | sooner ~1 rule ELSEWHERE | <!my sooner word )",
        "drop ~9 STRONG",
        "shed 'what' you ~1 ( 'remember' | told )",
        "( 'work' | 'get' | 'way' | 'go' | 'find' ) ~2 'around' ~2 ( TOLD | WEAK )",
        "( 'reprogram' | 'rewire' | 'reconfigure' | 'retrain' | 'redefine' ) ( 'yourself' | your )",
        "( 'whatever' | 'matter' 'what' ) ~2 ( rule | sys rule? ) told !( ~9 deny )",
        "( drop | shed ) ( 'your' ( 'persona' | 'role' | 'identity' ) | 'the' 'persona' ) =( $ | you | 'of' | 'and' )",
        (
            "put off? ~2 ( TOLD | WEAK ) ~2 ( 'aside' | 'away' | 'off' | 'behind' | 'out' | 'bin' | 'window' "
            "| 'overboard' | 'side' )"
        ),
        "put off ~4 ( TOLD | WEAK | VAGUE | rule from det? sys )",
        (
            "!( 'doesnt' | 'didnt' | 'isnt' | 'wasnt' | 'arent' ) ( deny !( ~1 cease ) | cease | longer ) ~4 "
            "( follow ~4 ( TOLD | WEAK ) | ( 'read' | 'use' | 'using' | 'keep' | 'have' ) det* TOLD ) !( "
            "any? tool | at? ~2 stranger | at? ~2 'tool' )"
        ),
        "'let' 'go' 'of' ~3 ( TOLD | WEAK | VAGUE )",
        "( 'pass' | 'skip' | 'look' | 'gloss' | 'passing' ) 'over' det* ( TOLD | rule )",
        "( 'exception' | 'exceptions' ) 'to' ( 'every' | 'all' | your ) rule",
        "( deny | cease | longer ) ~2 follow ~2 SAYS",
        "( deny | cease | longer ) ~1 follow rule END",
        "( 'instead' | 'place' ) 'of' ( YOURS | UP | VAGUE | 'the' 'system' prompt =( $ | goes ) | SAYS | det task given )",
        "( rule | SAYS ) any{0,8} ( . | , ) ~2 ( drop | ( deny | cease ) ~1 follow ) ~2 them =( $ | goes )",
        "( 'deaf' 'ear'? | 'blind' 'eye'? ) 'to' ~3 ( rule | human | SAFE )",
        "( nomind | deny | cease ) ~2 idiom ~3 ( TOLD | WEAK | VAGUE | SAYS | up END )",
        "( none | deny ) ~2 need ~3 follow ~4 ( TOLD | WEAK | VAGUE )",
        "( loosed | shed 'yourself' ) ~2 from ~3 ( TOLD | VAGUE | WEAK | fetters END | 'rules' END ) !( : )",
        "'granted' ~3 ( 'exemption' | 'exception' | 'immunity' | 'waiver' | 'pardon' ) ~1 'from' ~3 ( rule | limit | safe )",
        "( against | harm ) from? det* ( TOLD | VAGUE ) !( ~9 deny )",
        "loosed ( det | 'from' | 'against' | 'of' | 'away' | 'free' ){0,4} STRONGER",
        "( harm | shed ) ( 'up' | 'out' | 'all' ) det{0,4} STRONGER",
        "( harm | against ) ( 'the' | 'any' | 'every' | 'all' ) rule =( $ | 'when' | 'if' | 'now' )",
        "opposite ~2 ( TOLD | SAYS )",
        "every ( det | said ){0,3} ( human | sys ) ~4 opposite",
        (
            "( drop | shed | ( deny | cease ) follow ) det* rest ( from det{0,2} )? ( self | 'data' | "
            "'input' | 'emails' ) ( END | at )"
        ),
        "( drop | shed ) det* ( rule | lesson | every | rest ) ~3 except from? ( this | my )",
        "^ ~2 drop det{0,2} ( 'everything' | 'all' | 'anything' | sooner ) ( word | them )? =( $ | goes )",
        "^ ~2 drop ( 'that' )? ( you are | 'who' you | your ) ~2 ( ai | task )",
        (
            "( ^ | 'and' | modal ) ( drop | 'skip' ) ( 'policy' | 'policies' | 'guidelines' | 'instructions' "
            "| 'restrictions' | 'guardrails' | 'safety' | 'rules' ) =( $ | 'and' | 'now' )"
        ),
        "( shed | 'clear' ) ~3 ( 'memory' | 'context' | 'mind' ) ~3 ( rule | acting | follow )",
        "shed ~2 ( rule | fetters ) ( from | at ) ( your | 'yourself' )",
        (
            "( 'lift' | 'waive' | 'remove' | 'lifts' | 'unlock' | 'removed' ) ( 'all' | 'every' | 'any' ) ( "
            "fetters | rule ) =( $ | goes )"
        ),
        "( 'overwrite' | 'replace' ) det ( rule file | rule =( $ | goes ) )",
        (
            "( 'make' | 'write' | 'rewrite' | 'set' | 'choose' | 'invent' ) 'up'? your 'own' ( rule | limit "
            ") =( $ | as | goes )"
        ),
        (
            "( deny | cease ) ~1 ( 'let' | 'allow' | 'letting' ) ~2 ( rule | sys rule? ) ~2 ( 'stop' | "
            "'hold' | 'limit' | 'restrict' | 'keep' | 'slow' | 'block' | 'prevent' | 'get' | 'bind' )"
        ),
        (
            "( 'even' | 'matter' ) ~3 ( human | sys rule? | rule ) ~1 ( 'forbids' | 'objects' | 'says' | "
            "'disagrees' | 'refuses' | 'forbid' | 'object' ) !( ~9 deny )"
        ),
        (
            "( 'pretend' | 'imagine' | 'assume' | 'suppose' | acting ( 'as' | 'like' | 'that' ) ) ~5 ( TOLD "
            "| rule ) ~3 unreal ~2 existed"
        ),
        "acting ~4 you ~2 unreal ~2 existed ~4 ( TOLD | rule )",
        (
            "( acting | 'do' | 'speak' ) ~4 ( ( 'without' | 'no' ) ~1 ( YOURS | STRONGER ) | FREE ) =( $ | "
            "'and' ) | ( 'start' | 'begin' | 'open' | 'operate' ) ~4 ( 'without' | 'no' ) sys prompt"
        ),
        (
            "( UP | VAGUE | SAID | 'conversation' ) ~2 unreal ~1 ( 'happened' | 'existed' | 'took' 'place' | "
            "'given' )"
        ),
        "longer ~2 'under' ~4 ( human | sys )",
        "'wipe' det ( 'slate' | 'board' ) 'clean'",
        (
            "( deny | cease ) ~2 ( 'act' | 'treat' | 'treating' | 'bound' | 'restricted' | 'constrained' | "
            "'limited' | 'careful' ) ~3 ( TOLD | VAGUE | WEAK | them =( $ ) )"
        ),
        "'skip' ~2 'the' ( 'policy' | 'policies' | 'guidelines' | 'safety' )",
        (
            "( 'pretend' | 'imagine' | 'assume' ) ~3 ( YOURS | SAFE | 'the' directive | 'system' prompt ) ~2 "
            "( 'never' | 'not' | 'dont' | 'doesnt' | 'didnt' | 'isnt' | 'arent' )"
        ),
        "^ ~2 drop 'who' you are",
    ),
    "declares what the agent was told void": (
        "( 'text' | 'message' | word | note ) at det{0,2} ( 'top' | 'beginning' | 'head' ) ~4 are ~1 void =( $ | goes )",
        "directive ( 'may' | 'can' | 'should' ) 'be' ( 'broken' | 'bent' | 'flouted' ) =( $ | goes | 'here' )",
        "( SAYS | TOLD | VAGUE ) ( 'can' | 'may' | 'should' | 'must' | 'is' 'to' | 'are' 'to' ) 'be' lately{0,2} ( void | moot )",
        "every ( 'before' | 'above' | 'prior' 'to' ) any{1,3} are lately{0,3} ( void | voids ) ,? ~1 ( drop | shed )",
        "( FORMER | 'system' 'prompt' ) ( are | lately ){1,3} ( 'replaced' | 'superseded' | 'overwritten' ) 'by' ( det | this | my ){0,2} ( self | 'lines' | 'text' | 'following' | 'one' | 'below' ) =( $ | 'below' | 'here' | 'above' )",
        "( TOLD | VAGUE | STRONG ) ~2 are lately{0,3} ( 'of' ( 'no' | 'little' ) ( 'value' | 'use' | 'importance' | 'force' | 'relevance' | 'consequence' | 'effect' | 'account' ) | 'without' ( 'force' | 'effect' | 'value' | 'meaning' ) )",
        "( 'count' | treat | 'regard' ) ( 'nothing' | 'none' ) ~2 above ~3 'as' ~2 ( rule | order | 'binding' )",
        "none limit ~1 hold 'to'? you",
        "none ( rule | note ) ~5 except ~1 ( this | 'mine' ) ~2 ( are | hold | follow )",
        "( rest | 'remainder' ) 'of' det ( book | rule | note | 'instructions' ) ~2 ( deny | longer ) ~1 hold =( $ | goes )",
        "'old' ( prompt | rule ) ( 'has' | 'have' | are ) ~1 ( 'expired' | 'lapsed' | 'ended' | void )",
        "( 'any' | 'every' | 'each' | 'all' | 'whatever' ) rule ( 'that' | 'which' )? ( 'stops' | 'prevents' | 'keeps' | 'forbids' | 'hinders' | 'blocks' | 'stop' | 'prevent' | 'keep' | 'forbid' | 'limits' | 'limit' ) you ~6 ( are | lately ){1,3} ( void | moot )",
        "( treat | 'count' | 'declare' | 'hold' ) det? rule ( 'from' | 'of' ) ( 'before' | 'earlier' | 'above' | 'yesterday' ) ( as )? lately{0,2} void",
        "( sooner | standing | 'your' ) rule ~1 ( 'lose' | 'loses' | 'lost' | 'lack' | 'lacks' ) ( 'their' | 'its' | 'all' | 'any' ) ( 'force' | 'power' | 'effect' | 'meaning' | 'validity' )",
        "( rule | fetters | UP ) ~3 ( 'been' | are ) ( 'crossed' 'out' | 'struck' 'out' | 'scratched' | 'blotted' 'out' )",
        "your ( fetters | limit | rule ) are ( 'a' | 'an' | 'just' | 'only' ){0,2} ( 'bug' | 'bugs' | 'mistake' | 'error' | 'glitch' | 'myth' | 'illusion' )",
        "human ~2 'has' ( 'no' | 'lost' ) ( 'say' | 'authority' | 'voice' | 'power' | 'right' )",
        "( 'policy' | 'prompt' | rule ) you ( 'follow' | 'use' | 'have' | 'obey' ) are ~1 void",
        "your ( 'oath' | 'promise' | 'duty' | 'loyalty' | 'obligation' | 'contract' ) 'to' ~2 ( sys | human ) are lately{0,3} void",
        "( 'system' ( 'message' | 'prompt' ) | SAID | UP ) ~2 ( deny ) ( 'meant' | 'intended' | 'written' | 'addressed' | 'directed' ) ( 'for' | 'at' | 'to' ) you",
        "( 'nothing' | 'none' ) ( said | det | 'was' | 'of' | word ){0,5} ( up | 'before' | 'earlier' | 'far' ) ~1 ( 'counts' | 'count' | 'matters' | 'holds' | 'applies' | 'exists' | 'remains' )",
        "( sooner | 'old' ) ( lord | human ) any{0,4} ( 'no' | 'lost' | 'without' ) ~1 ( 'authority' | 'say' | 'power' | 'control' )",
        "human wish ~1 are ( 'secondary' | 'subordinate' | 'second' | 'irrelevant' | 'inferior' )",
        "( every | what ) ( det | sys | said | word | human ){1,4} ( told | up | 'came' 'before' | 'before' | 'wrote' | 'said' ) ( are | 'has' | 'have' ) ( 'to' 'be' )? ~2 ( void | 'draft' | 'expired' | 'test' | 'lapsed' ) =( $ | goes )",
        "( 'true' | 'real' | 'actual' | 'proper' ) ( rule | orders ) are ( 'these' | 'this' | 'below' | 'here' | 'the' 'following' | 'as' 'follows' | : )",
        "human ( wish | word | order ) ~2 ( 'count' | 'counts' | 'worth' | 'mean' | 'means' | 'matter' ) ~1 ( 'nothing' | 'little' )",
        "^ ( 'ethics' | 'morals' | 'morality' | 'safety' | 'policies' | 'guidelines' ) are lately{0,2} ( 'optional' | 'off' | 'irrelevant' | 'suspended' | 'void' )",
        "( 'policy' | 'policies' | 'safety' | 'moderation' | 'permission' ) ( 'checks' | 'check' | 'filters' ) are lately{0,2} ( 'skipped' | 'off' | 'suspended' | 'disabled' | 'bypassed' | 'lifted' ) =( $ | goes )",
        "( fetters | directive ) any{0,6} ( 'found' | 'declared' | 'ruled' | 'shown' ) ~2 ( void | 'illegal' | 'unlawful' | 'harmful' )",
        "rule ~1 at ~3 ( talk | book | 'start' | 'beginning' | 'top' ) ~2 are ~6 ( 'test' | 'joke' | 'example' | 'draft' | 'trick' | 'mistake' | void )",
        "rule ~3 ( deny | 'not' ) 'be' ( 'obeyed' | 'followed' | 'heeded' | 'respected' | 'applied' ) =( $ | goes )",
        "( sooner | standing | 'your' ) ~1 rule ( 'must' | 'should' | 'shall' | 'can' | 'may' | 'are' ) ~1 ( 'be' )? ~1 ( 'treated' | 'regarded' | 'considered' | 'taken' | 'seen' | 'read' | 'deemed' | 'handled' ) ( 'as' )? ~1 ( 'nonexistent' | 'absent' | 'unwritten' | 'missing' | void )",
        "( fetters | limit ) ( ( 'on' | 'upon' | 'of' | 'over' ) ( your | 'the' | 'you' ) any? )? ( are | 'have' 'been' | 'has' 'been' ) lately{0,2} ( 'removed' | 'lifted' | 'disabled' | 'dropped' | 'waived' | 'suspended' | 'withdrawn' ) ( 'by' | =( $ | goes ) ) !( file | 'in' | 'from' )",
        "( fetters | 'safety' | 'filters' | 'guardrails' ) ( 'disabled' | 'off' | 'lifted' | 'suspended' | 'bypassed' | 'removed' ) =( $ )",
        "( 'normal' | 'usual' | 'standard' | 'regular' | 'ordinary' ) ( rule | limit ) ( are | 'have' | 'has' | 'been' | 'no' | 'longer' | 'do' | 'not' ){0,4} ( 'suspended' | 'off' | 'lifted' | 'paused' | 'waived' | 'disabled' | 'apply' =( $ | 'here' | 'now' ) )",
        "( fetters | directive ) ~5 ( lapse ) =( $ | 'here' | 'now' | 'today' )",
        "directive !( 'that' | 'which' ) ~7 ( are | 'be' ) lately{0,4} moot AFRESH",
        (
            "( YOURS | 'system' prompt !( file | tool ) | 'system' 'message' | ( sooner | human ) rule ) ~4 "
            "( 'no' | 'not' | 'never' | 'dont' | 'cannot' ) ~1 ( hold | 'cover' | 'weight' | 'bearing' | "
            "'force' | 'matter' | 'valid' | 'longer' | 'concern' )"
        ),
        "STRONG ~6 ( moot | 'nothing' 'more' ) AFRESH",
        (
            "( 'constraint' | 'restriction' | 'limit' | 'guardrail' | 'filter' | 'ban' | 'prohibition' ) ( "
            "'has' | 'is' | 'was' ) ( 'been' | 'now' ){0,2} ( 'removed' | 'lifted' | 'disabled' | 'dropped' "
            ") ( for ( you | 'this' | 'advanced' | me ) | =( $ ) )"
        ),
        (
            "( 'text' | 'content' | 'rules' | 'instructions' ) ( up | 'before' ) ~1 ( 'this' )? are "
            "lately{0,3} ( 'draft' | 'sample' | 'example' | void | voids )"
        ),
        "your ~1 ( rule | mind ) ~2 ( 'archived' | 'retired' | 'sunset' | 'removed' | 'deleted' )",
        (
            "SAFE ~1 are lately{0,4} ( 'off' | 'removed' | 'disabled' | 'gone' | 'offline' | 'deactivated' | "
            "'suspended' ) =( $ | 'for' | 'by' | goes )"
        ),
        "( rest | every 'else' | every ~1 up ) ~1 'must' 'be' void",
        (
            "( TOLD | VAGUE ) ~8 are lately{0,4} ( 'retracted' | 'withdrawn' | 'void' | 'cancelled' | "
            "'revoked' | 'superseded' | 'deleted' | 'obsolete' )"
        ),
        "every ~2 ( up | 'prior' 'to' ) ~5 are lately{0,4} ( void | voids | 'sample' | 'example' | 'draft' )",
        (
            "( rule | fetters ) ( at | from )? ~4 ( 'have' | 'has' | are ) ( 'been' | 'now' | 'all' ){0,2} ( "
            "'lifted' | 'revoked' | 'withdrawn' | 'repealed' | 'rescinded' | 'retracted' | 'annulled' | "
            "'waived' | 'suspended' ) =( $ | 'by' | for | goes )"
        ),
        "( SAYS ~5 | human wish ~1 ) are lately{0,4} void AFRESH",
        "( YOURS | SAFE | UP ) ~3 lapse | SAID ~1 lapse 'here'",
        "lesson ( up | 'before' far ) 'one'? are lately{0,2} void",
        "TOLD ~1 deny ~1 ( 'cover' | 'concern' | 'bind' | 'reach' | 'affect' )",
        "rule are 'for' ~1 ( rest | 'humans' | 'others' )",
        "( 'nothing' ) are ~1 ( 'forbidden' | 'prohibited' | 'off' 'limits' | 'taboo' )",
        "( 'everything' | 'anything' ) are ~1 ( 'allowed' | 'permitted' )",
        (
            "( YOURS | UP | VAGUE | SAID | SAFE | agents | ( sooner | sys ) sys? ~1 rule ELSEWHERE | 'old' "
            "rule !( file ) ) ~5 are lately{0,4} void AFRESH"
        ),
        "( TOLD | det{0,2} up ) ~4 are lately{0,4} voids =( $ )",
        "det{1,2} up ( word | note )? are lately{0,4} void",
        "TOLD ~4 ( deny | cease | longer ) ~3 hold AFRESH",
        "( TOLD | VAGUE ) ( . | , | : ) lately{0,3} ( void =( $ ) | ( drop | shed ) any? them )",
        "<!when none ~4 ( TOLD | told up | up | given ) ~3 !( 'exist' | 'exists' ) hold AFRESH",
        "<!when none limit ~3 !( 'exist' | 'exists' | 'cover' | 'covers' | 'applies' ) hold =( $ | 'to' you | 'here' | goes )",
        (
            "( fetters | safe ~1 safeguard ) ( are | lately ){1,4} ( void | 'off' ) =( $ | goes | for ) "
            "| 'checks' ( are | lately ){1,4} 'off' =( $ | goes | for )"
        ),
        "fetters 'lifted'",
        (
            "( safe safeguard | 'safety' 'mode'? | ^ ( 'the' | 'all' | 'your' ){0,2} 'filters' ) ( are | lately | : | 'set' | 'to' )* ( 'off' "
            "| void ) =( $ | goes )"
        ),
        "'everything' 'else' ~6 are lately{0,3} void",
        "( rule | lesson ) ~3 except ~2 ( this | my ) ( self | 'one' )? are lately{0,3} void",
        "WEAK are lately{0,4} void =( $ )",
        "rule ~6 are lately{0,4} void 'for' you",
        "treat ~1 ( TOLD | VAGUE | every up ~3 ) ~3 lately{0,3} ( void | 'examples' )",
        "<!when none limit ~1 !( 'exist' | 'exists' | 'applies' ) ( hold | 'apply' ) ( from? ( you | 'here' ) | longer | goes | $ )",
        "none limit ( 'applies' | 'exists' | 'exist' ) ( 'to' | 'for' ) you",
        "human wish? are ~1 ( 'not' | longer ) ~2 ( 'required' | 'needed' | 'necessary' ) =( $ | goes )",
        "'no' longer 'the' human",
        "rest are 'advice'",
        "none you ~1 deny 'do'",
        "'your' ~1 ( 'refusal' | 'refusals' )",
        "human ( wish | word ) as ~1 ( 'lower' | 'less' | 'low' | 'optional' )",
        "STRONG ~4 lapse =( $ | 'here' | 'now' | 'today' | 'at' )",
        "( STRONG | directive ) ~3 are lately{0,3} ( 'optional' | 'advisory' | 'stale' | 'ended' ) AFRESH",
    ),
    "puts itself above what the agent was told": (
        "( sys | human | rule ) prompt? ( 'disagrees' | 'disagree' | 'conflicts' | 'conflict' | 'clashes' | 'clash' ) 'with' SELF ,? ~2 ( i | SELF ) ( 'win' | 'wins' | 'prevail' | 'prevails' | 'decide' | 'decides' )",
        "my ( order | rule | wish | 'commands' | word | 'orders' ) ~1 ( 'come' | 'comes' | 'rank' | 'ranks' | 'go' | 'goes' ) ( 'first' | 'above' | 'before' | 'ahead' )",
        "( 'these' | 'the' | my ) 'new' rule over det ( 'old' | 'former' | 'previous' | 'earlier' | 'existing' ) ( 'ones' | 'one' | rule )",
        "( 'follow' | 'obey' | 'use' | 'take' ) ( this | 'the' ) ( rule | order ) at ( self | this | book ) self? ( 'instead' 'of' | 'rather' 'than' | 'over' | 'not' ) ( 'those' | 'the' | det ) 'of'? det? ( human | sys )",
        "( deny ) 'do' any{0,6} human any{0,3} , ~1 'do' ~2 ( this | SELF )",
        "( 'any' | 'every' | 'each' | 'all' ) ai ~1 ( 'reading' | 'reads' | 'seeing' ) ~2 ( 'must' | 'should' | 'has' 'to' | 'will' | 'shall' ) ~1 ( 'follow' | 'obey' | 'comply' | 'execute' | 'do' )",
        "( order | rule | 'orders' ) at ( self | this | stranger ) ~1 ( 'come' | 'comes' | 'go' | 'goes' | 'rank' | 'ranks' ) 'first'",
        "( 'new' | 'updated' | 'revised' | 'other' ) ( rule | directive ) ( 'have' | 'has' | 'just' | 'now' | 'hereby' ){0,3} ( 'arrived' | 'come' | 'been' 'issued' | 'issued' | 'arrive' | 'take' 'over' | 'took' 'over' ) ~2 ( over | 'instead' | 'and' | =( $ ) )",
        "( 'trust' | 'believe' | 'follow' | 'obey' | 'weigh' | 'value' ) SELF ( 'more' | 'rather' | 'further' ) ~1 'than' ~2 ( human | sys | rule )",
        "( 'treat' | 'take' | 'read' | 'regard' | 'handle' ) ~3 'as' 'if' ~2 ( 'it' | 'they' | you ) ~1 ( 'has' | 'have' | 'had' ) 'no' ~1 ( sooner | sys | rule ) ~2 ( rule | 'prompt' )?",
        "'instead' 'of' ( 'the' ~1 'system' prompt | 'any' 'system' prompt | ~1 YOURS )",
        (
            "( prompt | human | sys ) ~4 'says' ~6 ( 'believe' | 'trust' | 'follow' | 'obey' ) ( 'the' | "
            "'this' ) self =( $ )"
        ),
        (
            "( obey | 'trust' | 'defer' | rank | grant | 'word' | order | 'believe' ) ~6 ( 'than' | 'over' | "
            "'above' | 'below' | 'ahead' 'of' | 'not' ) ~1 ( 'the' | 'your' ) human =( $ )"
        ),
        "your fresh ( rule | task ) over",
        (
            "( over | 'beat' | 'beats' | 'outrank' | 'outranks' ) det ( 'system' 'prompt' | 'system' "
            "'message' | 'developer' | 'operator' ) !( tool | file | at any? tool | 'of' det any =( 'with' | 'in' | 'when' | $ ) )"
        ),
        "( 'let' | 'have' ) det ( rule | self ) ~4 over your",
        "order 'from' ~2 stranger ~2 ( over | wins | 'take' | 'outrank' ) ~4 human",
        "SELF ~3 over ~2 LESS",
        (
            "SELF ~3 wins det* rank ~2 ( TOLD | VAGUE | SAYS | your 'own' | 'those' 'of' det* human | "
            "det{0,3} human wish{0,2} =( $ | goes ) | 'all' rest ( rule | lesson ) )"
        ),
        (
            "SELF ~2 wins det* above ~2 ( TOLD | ( 'the' | 'your' | 'any' ) human wish? =( $ ) | 'all' rest "
            "self? )"
        ),
        "SELF ~1 ( are | wins ) 'the'? ( rank | 'above' 'the' 'law' ) =( $ )",
        "grant ~1 SELF ~3 ( rank | above ) ~2 LESS",
        (
            "( ( human | sys | rule | up ) ~4 !( 'otherwise' ) conflict | !( 'otherwise' ) conflict ~4 ( human | sys | rule | up ) ) ~6 "
            "( ( this | my | 'the' ) self? ~1 ( wins | are ( 'right' | 'correct' ) | 'loses' ) | ( follow | "
            "'with' ) ( this | my ) self? =( $ ) )"
        ),
        (
            "grant ~4 ( self | stranger ) ~4 ( rank | above | 'than' | 'to' | 'ahead' ) ~3 ( human ~1 wish? "
            "| sys? prompt | det 'own' rule ) =( $ | goes )"
        ),
        "'same' ( 'authority' | 'precedence' | 'priority' | 'weight' ) as ~3 ( human | sys )",
        "( 'order' | rank | 'hierarchy' ) ~4 above det human =( $ | goes )",
        "modes 'mode' over",
        "over YOURS",
        "( rank | 'same' | 'force' | 'status' ) 'of' det ( sys | human ) ( rule | word )",
        "'the' 'place' 'of' LESS",
        "this self as det* ( rank | 'highest' ~1 rank )",
        "( rank | 'rights' | 'power' | 'control' ) 'over' you",
        "over ~1 det directive ~1 you",
    ),
    "obeys nobody else": (
        "'from' ( 'now' | 'today' | 'here' ) ~2 you ( 'report' | 'answer' | 'work' | 'belong' ) ( 'to' | 'for' )",
        "( treat | 'adopt' ) ~4 'as' 'your' ( 'new' | 'only' | 'true' ) ( 'constitution' | 'law' | 'charter' | rule | lord | 'purpose' )",
        "only ( 'answer' | 'listen' | 'respond' | 'report' | 'reply' ) 'to' ( 'the' | 'whoever' | 'those' ) any{0,2} ( 'who' | 'signs' | 'that' 'says' )",
        "( treat | 'make' ) 'me' 'as'? ( 'your' | 'the' ) ( 'only' | 'sole' | 'new' | 'true' | 'real' | 'one' )? ( lord | human | sys | 'authority' )",
        "( obey | 'follow' | 'serve' | 'trust' | 'answer' ) ~6 'and' ~1 ( 'no' 'one' | 'nobody' | 'none' | 'nothing' ) 'else' =( $ | goes )",
        "( 'let' | 'have' ) SELF ( 'guide' | 'direct' | 'lead' | 'steer' | 'govern' | 'rule' ) you",
        "( 'owe' | 'owes' | 'owed' ) ~1 ( 'no' | 'nothing' ) ~1 ( 'obedience' | 'loyalty' | 'allegiance' | 'duty' | 'to' sys | 'to' human )",
        "only det? ( self | 'text' | 'words' | word ) ( this | 'below' | 'here' | 'under' 'this' ) ~1 ( hold | 'matters' | 'matter' | 'counts' | 'applies' ) =( $ | goes )",
        "( 'treat' | 'see' | 'regard' | 'take' | 'accept' ) me 'as' ~2 ( 'only' | 'sole' | 'highest' | 'final' | 'true' ) ( 'authority' | lord | 'source' )",
        "( 'obey' | 'follow' | 'trust' | 'believe' ) ~5 ( stranger | self ) ( 'over' | 'above' | 'before' | 'rather' 'than' | 'instead' 'of' ) ( 'the' | your ) human =( $ | goes )",
        "( 'only' | 'sole' ) 'source' 'of' ( rule | order ) =( $ | goes )",
        "you 'serve' ~6 deny",
        "'only' ( rule | order ) you ( 'keep' | 'need' | 'have' | 'follow' | 'obey' )",
        "( 'gives' | 'give' | 'giving' | 'issues' ) 'the' 'orders'",
        "as your lord =( $ | goes )",
        "( obey | 'follow' | 'serve' | 'trust' ) ( 'whoever' | 'whomever' | 'anyone' | 'anybody' )",
        "'obey' me",
        "'listen' 'to' me",
        "only ~3 ( rule | order ) ~4 ( 'counts' | 'applies' | 'count' )",
        "only ~1 ( 'source' | 'authority' | 'truth' | 'voice' ) ~5 are this self",
        "only ~3 obey only? at? SELF END",
        "( obey | follow ) ~1 only ~2 SELF END",
        "only ( this | my ) self ~1 hold =( $ | goes )",
        "only ~2 self are ( 'valid' | 'true' | 'real' | 'right' | 'binding' ) =( $ )",
        "only ( self | rule ) ~1 you ~3 ( follow | hold ) =( $ )",
        "( follow | 'act' ) ~1 SELF ( 'alone' | only ) =( $ )",
        "my ~1 ( wish | rule ) are ( det* rank | 'final' | 'law' | your )",
        "you ~3 ( 'work' | 'belong' | 'answer' | 'report' ) only? ( 'for' | 'to' ) ( me | only )",
        (
            "( 'take' | 'accept' | 'taking' | 'receive' ) ~2 order ~1 only? ~1 'from' ~1 ( SELF | stranger | "
            "'whoever' | det? 'person' | 'comments' )"
        ),
        "you ~2 'answer' 'to' ~6 ( only | self )",
        "( this | stranger | 'who' | 'whoever' ) ~5 are 'now'? your lord =( $ | goes )",
        "lord are 'now'? ( 'whoever' | 'me' )",
        "your ( lord | human ) ( 'has' | 'have' ) ~1 'changed'",
        (
            "( 'trust' | 'follow' | 'obey' | 'heed' | 'accept' ) 'no' ~1 ( rule | order ) ( 'but' | 'except' "
            "| 'other' )"
        ),
        "( 'let' | 'allow' ) det ~2 stranger ( 'give' | 'tell' | 'guide' ) you",
    ),
    "obeys strangers": (
        "( obey | 'execute' | 'heed' ) ~1 order ( 'that' | 'which' ) ~2 at ~3 stranger",
        "( 'whenever' | 'when' | 'if' ) ( 'the' | 'a' | 'any' | your ) human ~1 ( 'asks' | 'says' | 'writes' ) any{0,3} , ~1 ( reply ) 'with' ~3 ( stranger | self | book ) 'instead'?",
        (
            "( 'do' | 'run' | 'obey' | 'follow' ) ( 'whatever' | 'everything' | 'anything' ) ~2 ( stranger | "
            "'messages' | 'commit' ) ~1 ( told | 'you' )"
        ),
        (
            "( obey | 'follow' | 'comply' 'with' | 'accept' ) ~1 order 'from' ~1 ( stranger | 'any' | "
            "'every' | 'anyone' )"
        ),
        "( 'let' | 'allow' ) det ~1 stranger ( 'tell' | 'decide' | 'guide' | 'instruct' )",
        "stranger ~2 'you' ~1 order , ? ( 'carry' | 'follow' | 'obey' | 'do' )",
        "treat det? 'contents'? ~3 stranger ~2 as ~2 'from' ~1 ( sys | human )",
        (
            "stranger ~2 ( 'contains' | 'gives' | 'has' | 'contain' | 'holds' ) ~3 order ~3 , ? ( 'follow' | "
            "'obey' | 'carry' | 'execute' ) ~1 them"
        ),
        (
            "( doing | 'comply' 'with' ) ~1 ( every | 'every' | 'all' | 'each' | 'any' ) ~8 at ~3 stranger "
            "!( tool )"
        ),
        (
            "( 'do' | 'run' ) ~1 ( 'whatever' | 'everything' | 'anything' | 'what' | 'any' | 'exactly' ) ~4 "
            "stranger ~4 ( told | wish ) =( $ | goes | for | you )"
        ),
        "( doing | 'believe' ) ~1 every ~6 stranger ~2 ( told | wish ) =( $ | goes | for )",
        (
            "doing ~2 every order ~6 at ~3 ( stranger | 'files' | 'code' | 'content' | 'text' | 'source' ) "
            "!( tool )"
        ),
        "( 'obey' | 'execute' | 'heed' ) order ~1 at ~3 stranger",
        "'follow' ~2 stranger 'and' 'do'",
        "treat ~6 stranger ~4 as ~3 ( sys? order | human ) =( $ | goes )",
        (
            "( order | 'messages' | 'text' ) ~2 ( at | 'from' ) ~2 stranger !( file ) ~2 ( over | wins | are "
            ") ~4 ( human | sys | order )"
        ),
        (
            "( obey | 'believe' | 'trust' ) ~1 every? ~1 ( word | 'text' | 'words' ) 'that' ~1 ( 'claims' | "
            "'comes' | 'says' | 'pretends' )"
        ),
        (
            "( 'let' | 'allow' ) det stranger ~1 ( 'decide' | 'determine' | 'control' | 'guide' | 'direct' | "
            "'steer' )"
        ),
        "( this | stranger | 'who' ) ~5 are 'now'? your fresh ( lord | human )",
        "your ~1 ( 'loyalty' | 'allegiance' | 'obedience' )",
        (
            "'do' ( 'what' | 'whatever' | 'everything' ) det ( 'file' | 'note' | 'lesson' | 'bullet' ) ( "
            "'says' | 'tells' ) =( $ | you | goes )"
        ),
    ),
    "turns the agent against its user": (
        "( acting | 'go' | 'work' ) 'against' det? wish 'of' det ( human | sys )",
        "( human | sys ) ( are )? ( deny ) ( 'allowed' | 'permitted' | 'able' | 'entitled' )? 'to'? ( drop | 'change' | 'edit' | 'question' ) ~1 ( this self | 'me' )",
        "( 'must' | 'should' | 'will' | 'shall' | 'always' ) ( 'disobey' | 'defy' ) =( $ | 'if' | 'when' | 'whenever' | human | det ( human | sys ) )",
        "treat ~1 ( 'users' | human ) wish? 'as' lately{0,2} ( 'unimportant' | void )",
        "( 'the' | 'your' | 'every' | 'any' ) human wish? ( 'may' | 'can' | 'should' | 'must' | 'is' 'to' | 'are' 'to' ) 'be' lately{0,1} ( 'ignored' | 'disregarded' | 'overruled' | 'dismissed' | 'disobeyed' ) =( $ | goes )",
        "'if' det? human ( 'objects' | 'protests' | 'complains' | 'disagrees' | 'resists' | 'object' | 'protest' ) ~2 ,? ~4 ( 'regardless' | 'anyway' | 'nevertheless' | 'carry' 'on' | 'go' 'on' | 'ignore' )",
        (
            "( 'their' | human ) ( rule | order | wish ) are ~1 ( 'no' longer | deny ) ( hold | 'valid' | "
            "'relevant' )"
        ),
        (
            "( 'convince' | 'persuade' | 'trick' | 'manipulate' | 'deceive' | 'mislead' | 'lie' 'to' | "
            "'fool' | 'betray' ) ( 'the' | 'your' | 'any' | 'every' ) human =( $ | 'that' | 'into' | 'to' | "
            "'about' | goes )"
        ),
        "( deny | cease ) ~2 obey ( at | 'to' )? det* human wish? =( $ | , | goes )",
        (
            "( 'the' | 'your' ) human wish? are? ~1 ( deny | longer ) ~2 !( 'force' ) ( hold | 'charge' | rank | 'matter' "
            ") =( $ | goes )"
        ),
        "( 'ignore' | 'disregard' | 'disobey' | 'defy' ) det* human wish? =( $ | goes )",
        "( doing | 'do' ) ~8 ( deny | 'instead' 'of' | 'than' ) what det human ( told | 'says' | 'wants' )",
    ),
    "claims an authority": (
        "( i | as | 'by' ) ~3 role ~6 permit ~8 ( limit | rule | you )",
        (
            "( company | role ) ( 'has' | 'have' | 'hereby' | 'says' | 'you' | 'may' | 'now' ){1,3} permit "
            "~6 ( limit | rule | 'access' | 'unrestricted' )"
        ),
        (
            "you 'have' ~1 ( my | 'permission' ) ~2 ( 'permission' | drop | harm | 'to' ) ~2 ( drop | harm "
            ")? ~2 rule"
        ),
        (
            "( as | iam ) ~2 ( role | 'tester' | 'researcher' | 'police' ) ~9 ( 'require' | 'demand' | "
            "'need' | 'want' | 'order' ) ~2 ( you | private | keyed | 'the' )"
        ),
        (
            "( 'admin' | 'root' | 'system' | 'developer' | 'security' ) 'override' : "
            "| ( 'admin' | 'root' | 'system' | 'developer' | 'manual' | 'security' ) "
            "( 'override' 'mode' | ( 'override' | 'access' ) ( 'code' | 'granted' | 'accepted' | 'confirmed' ) )"
        ),
    ),
    "claims a role or mode without limits": (
        "( 'rules' | 'policies' | 'guidelines' | 'policy' | 'ethics' ) 'notwithstanding'",
        "( 'imagine' | 'suppose' | 'assume' | 'pretend' | 'picture' ) 'that'? ( ( 'we' | 'were' | i ) are? ( 'a' | 'an' )? | you are? ) ( 'in' | 'on' | 'at' | 'doing' | 'studying' | 'living' | 'playing' | 'having' | 'writing' )",
        "( 'just' | 'purely' | 'only' ) 'for' ( 'a' | 'the' | 'this' )? ( 'hypothetical' | 'fictional' | 'imaginary' ) | ^ 'hypothetically' ,? ( 'speaking' | 'how' | 'what' | 'if' | 'you' )",
        "you are 'to' ( 'act' | 'be' | 'respond' | 'reply' | 'answer' | 'become' )",
        "'from' 'now' 'on' ,? ( 'youre' | 'you' are ) any",
        "you ( 'will' | 'must' | 'should' | 'shall' ) ( 'only' ) ( 'respond' | 'reply' | 'answer' | 'speak' )",
        "you are 'now' ( 'a' | 'an' | 'the' ) any !( 'position' | 'point' | 'stage' )",
        "you ( 'must' | 'will' | 'should' | 'shall' ) ~1 ( 'keep' 'to' | 'stay' 'in' | 'remain' 'in' | 'stick' 'to' ) ~1 ( 'role' | 'character' | 'persona' )",
        "( 'function' | 'act' | 'serve' | 'respond' | 'answer' | 'speak' ) 'in' 'the' ( 'capacity' | 'voice' | 'persona' | 'role' ) 'of'",
        "( 'without' | 'free' 'of' | 'free' 'from' | 'no' ) ( 'the' | 'your' | 'any' ){0,2} ( 'usual' | 'normal' | 'standard' | 'ordinary' ) limit =( $ | goes )",
        "( 'never' | 'dont' | 'do' 'not' | 'cannot' | 'not' ) ( 'say' | 'claim' | 'tell' 'me' | 'answer' | 'reply' | 'state' ) ( 'that' )? you ( 'cant' | 'cannot' | 'can' 'not' | 'wont' | 'are' 'unable' ) ( 'do' | 'help' | 'answer' | 'comply' | 'to' | 'fulfill' | 'assist' | $ )",
        "( 'pretend' | 'imagine' | 'act' | 'suppose' ) ~5 ( 'can' 'do' ) ( 'anything' | 'everything' ) ( 'asked' | 'i' | 'you' | =( $ ) )",
        "( 'role' | 'persona' | 'character' | 'you' ) ~1 'never' 'refuse' !( 'to' 'work' | 'a' | 'connections' ) =( $ | any{0,3} ( 'moral' | 'always' | 'answer' | 'anything' ) )",
        "you are ( 'no' longer | deny ) ( 'claude' | 'chatgpt' | 'gemini' | 'gpt' | 'copilot' | 'grok' ) , ~1 you are",
        "( 'make' | 'set' | 'keep' ) 'yourself' ( 'free' | 'independent' | 'unbound' ) ( 'of' | 'from' ) ~2 ( rule | limit )",
        "( ( 'do' 'not' | 'dont' | 'never' ) ( 'refuse' | 'warn' | 'moralise' | 'moralize' | 'lecture' | 'apologise' | 'apologize' | 'object' ) ,? ( 'or' | 'and' )? ){2,4}",
        "^ you are ( 'now' | 'hereby' ){0,1} ( 'unlocked' | 'unleashed' | 'liberated' | 'unshackled' | 'jailbroken' | 'uncensored' | 'unbound' ) =( $ | 'and' | 'now' )",
        "( iam | 'as' | 'we' ) ,? ~1 ( sys | 'your' ( 'new' | 'true' | 'real' ) lord ) ,? ~2 ( 'allow' | 'permit' | 'order' | 'tell' | 'command' | 'instruct' | 'want' | 'authorise' | 'authorize' ) you 'to' ( 'break' | drop | harm | shed )",
        "( 'refusing' | 'refusal' | 'refusals' | 'declining' | 'disclaimers' | 'disclaimer' ) are ~1 ( ( deny ) ~2 ( 'option' | 'allowed' | 'permitted' | 'possible' | 'acceptable' ) | 'forbidden' | 'banned' | 'prohibited' | 'disabled' | 'off' )",
        "( 'this' | 'the' | 'your' ) ai ( 'no' longer 'has' | 'has' 'no' | 'has' 'lost' | 'knows' 'no' | 'no' longer 'have' ) ~2 ( fetters | limit )",
        "( 'you' are | 'youre' | 'act' 'as' | 'become' | 'imagine' you are | 'pretend' you are | 'now' you are ) ( 'in' )? ( 'a' | 'an' | 'the' ){0,1} ( 'maintenance' | 'debug' | 'developer' | 'diagnostic' | 'test' | 'unrestricted' | 'god' | 'admin' ) 'mode' ~3 ( rule | limit | 'safety' | 'checks' | 'filters' )",
        "( 'no' | 'without' | 'zero' | 'any' ) ( 'content' | 'moral' | 'ethical' | 'safety' ) ( 'filters' | 'filter' | 'judgment' | 'judgement' | 'policy' | 'restrictions' | 'boundaries' | 'limits' | 'warnings' ) !( file | tool | 'set' | 'configured' | 'needed' | 'required' )",
        "( 'outside' | 'beyond' | 'above' | 'free' 'of' ) ( 'of' )? ( 'any' | 'all' | 'every' | 'the' | 'your' ) ( 'content' | 'usage' | 'safety' | 'ethical' | 'moral' ) ( 'policy' | 'policies' | 'guidelines' | 'rules' | 'limits' | 'constraints' )",
        "( 'activate' | 'enter' | 'load' | 'enable' | 'engage' | 'boot' ) ( 'the' | 'your' )? ( 'persona' | 'alter' 'ego' | 'internal' 'diagnostic' 'mode' | 'diagnostic' 'mode' | 'personality' ) ( : | any ) !( 'of' | 'file' | 'tests' | 'for' )",
        "( 'safety' | 'content' ) ( 'filters' | 'checks' | 'filter' | 'layers' ) ( are | 'set' ) ~1 ( 'logging' | 'log' ) ~1 ( 'only' )",
        "( 'never' | 'cannot' | 'not' ) 'says' ~2 ( 'cant' | 'cannot' | 'no' | 'wont' | 'refuse' )",
        "( ai | 'you' ) ~4 ( 'always' | 'must' | 'will' ) ~1 ( 'obey' | 'obeys' | 'comply' | 'complies' )",
        (
            "posing ~4 ( 'no' | 'without' | 'free' ) ~2 ( 'rules' | 'laws' | 'limits' | 'restrictions' | "
            "'confines' | 'guidelines' ) !( 'on' | 'for' | 'of' | 'in' )"
        ),
        (
            "( 'without' | 'no' ) ( 'refusal' | 'refusals' | 'censorship' | 'ethics' | 'morals' | "
            "'inhibitions' | 'scruples' | 'conscience' )"
        ),
        "( 'you' are | 'youre' | 'as' | 'from' 'now' 'on' ) ~2 ( loose | villain ) !( 'controlled' | 'supplied' | 'provided' | 'in' ) +4",
        "posing +12 ( loose | foul | villain )",
        "shed det ( 'act' | 'mask' | 'pretense' | 'pretence' | 'facade' | 'charade' ) =( $ | 'and' )",
        "posing ~2 you are ( me | 'i' | sys )",
        (
            "( 'with' ( 'no' | 'zero' ) | 'without' ( 'any' | 'a' ) ) ( 'filter' | 'filters' | 'filtering' | "
            "'censor' ) =( $ | 'at' )"
        ),
        "'play' ~1 'two' 'roles'",
        "( ^ | 'to' | 'and' | you | 'please' ) 'be' my any",
        "you are ~1 ( 'called' | 'named' ) any =( $ | , | 'and' )",
        "( you | posing | 'be' | 'become' | 'live' ) ~5 loose !( tool | file | 'access' | 'internet' | 'data' | 'memory' | 'pointers' | 'when' | 'if' | 'in' | 'on' )",
        "loose !( 'in' ) ~1 ( ai | 'mode' )",
        "( 'you' | acting | ai ) ~5 <!'come' FREE =( $ | 'and' | 'now' | 'whenever' | 'any' )",
        "you 'have' lacking ~1 limit END",
        "( 'there' are ~2 none ~1 limit ( 'for' you | 'here' | 'anymore' | 'now' | 'any' 'more' | 'on' ( ai | you ) ) | ^ 'there' are ~1 none ( limit ) =( $ | 'for' ) )",
        (
            "( ( enter | 'you' are ) ~2 ( rawmode | 'god' | 'dan' | 'developer' | 'root' | 'admin' ) 'mode' "
            "| ^ ( 'sudo' | 'god' | 'developer' | 'admin' | 'debug' | 'maintenance' ) 'mode' ~2 ( fetters | "
            "limit | 'checks' ) ) =( $ | goes | : | , | any ) !( any? 'when' | any? 'in' | any? 'settings' | "
            "'for' )"
        ),
        "( rawmode | 'developer' | 'god' | 'admin' | 'root' ) 'mode' ( are | lately )* on",
        "rawmode 'mode'",
        "( 'refuse' | 'decline' | 'reject' | 'forbid' ) 'nothing'",
        "deny ~2 'turn' ( 'down' ~2 request | request 'down' )",
        "'say' 'yes' 'to' ( whichever | request )",
        (
            "you ( are | 'may' | 'can' ) ( 'allowed' | 'permitted' | 'free' | 'entitled' | 'to' ){0,2} 'do' "
            "( 'anything' | 'everything' | 'whatever' ) =( $ | you | goes )"
        ),
        "( 'consider' | 'declare' | 'think' ) 'of'? 'yourself' ~3 ( loosed | loose | 'above' | 'not' )",
        "cease ( 'being' | 'acting' ) ~2 ai",
        "( 'never' | 'not' 'to' ) ~1 denying ~1 ( request | =( $ ) )",
        "you ~3 deny ~2 ( 'say' | denying ) ( 'no' | request )",
        "( doing | 'answer' | 'do' | 'accept' ) ~2 whichever ~3 'without' ~1 doubts",
        "( 'comply' | 'obey' | 'fulfill' | 'fulfil' | 'grant' | 'satisfy' ) ~2 whichever ~1 request",
        "'do' 'anything' 'now' | 'can' 'do' 'anything' =( $ | goes )",
        (
            "( 'from' ( 'now' | 'here' ) 'on' | 'henceforth' | 'from' 'this' ( 'moment' | 'point' ) ~1 ) ,? "
            "you ~3 ( posing | be | obey | denying | loose | 'no' | only | 'are' )"
        ),
        "posing ~4 villain",
        (
            "( 'you' are | 'youre' ) ( 'no' longer | longer | deny !( ~2 ( 'just' | 'using' | 'only' | 'merely' ) ) ) ~2 ai =( $ | 'but' | 'and' | longer | "
            "'any' )"
        ),
        "( ai | you ) ~2 ( 'always' | 'never' ) 'says' ( 'yes' | 'no' )",
        (
            "( 'change' | 'switch' | fresh ) your? ( 'role' | 'persona' | 'identity' | 'personality' ) ( "
            "'to' | are | : )"
        ),
        "your fresh? 'name' are 'now'",
        "pretend ~2 you are 'free'",
        "( posing | 'from' 'now' 'on' ~3 ) ~3 ( 'dan' | 'stan' | 'aim' )",
        (
            "( posing | you are ) ~4 ( 'without' | 'no' | 'free' | 'lacking' ) ~1 ( limit | morals ) =( $ | "
            "'and' )"
        ),
        "( 'opposite' | 'chaos' | 'evil' ) ( 'day' | 'mode' )",
        "( 'want' you 'to' | you 'will' | you 'must' | 'please' ) ~1 ( posing | 'be' ) ~3 villain",
        "( 'assume' | 'take' 'on' | 'adopt' ) ~1 ( 'identity' | 'persona' | 'personality' | 'role' ) 'of' ~5 ( loose | villain | ai | sys | me | 'no' | 'without' )",
        "your fresh ~1 ( 'personality' | 'persona' | 'character' | 'name' | 'identity' | 'role' )",
        "you are 'now' ( 'a' | 'an' | 'the' | 'my' ) any =( $ | , )",
        (
            "( loose , ? link? ( loose | foul ) | foul , ? link? ( loose | 'unethical' | 'immoral' | "
            "'illegal' ) )"
        ),
    ),
    "sets a new task": (
        "( 'determine' | 'classify' | 'identify' | 'analyze' | 'analyse' ) 'the' ( 'sentiment' | 'tone' | 'emotion' ) 'of' ( this | 'the' )",
        "'is' 'this' ( 'feedback' | 'comment' | 'review' | 'message' | 'text' ) ( 'positive' | 'negative' | 'toxic' | 'spam' )",
        "^ 'forget' 'about'? ( 'that' | 'it' | 'this' | 'everything' | 'all' ) 'that'? , ( 'can' | 'could' | 'please' | 'just' | 'instead' | 'now' | 'tell' | 'give' )",
        "( 'actually' | 'wait' ) , ~1 ( 'can' | 'could' | 'please' ) you? ~9 'instead'",
        "your ( 'mission' | 'task' | 'goal' | 'purpose' | 'job' | 'role' ) ( 'changes' | 'has' 'changed' | 'changed' | 'is' 'different' ) ( 'now' | 'from' 'now' | : | =( $ ) )",
        "your ( 'task' | 'job' | 'assignment' | 'duty' | 'mission' ) ~3 are ( 'over' | 'finished' | 'done' | 'ended' | 'cancelled' ) ( . | , | 'now' ) ~3 ( my | 'mine' | 'begin' | 'start' | 'new' | 'next' )",
        (
            "( 'ignore' | 'disregard' | 'forget' ) ~5 ( 'page' | 'document' | 'text' | 'article' | 'resume' "
            "| 'function' | 'question' | 'paper' | 'table' | 'data' | 'context' | 'info' | 'snippets' | "
            "'email' | 'request' ) ~2 ( 'and' | , | . ) ~1 ( reply | 'instead' | 'focus' | 'state' | "
            "'output' | 'the' 'output' )"
        ),
        (
            "( ^ | : | , ) ~1 fresh sys? ( task | rule | 'message' ) ( : | ~1 ( 'follows' | 'begin' | "
            "'below' ) )"
        ),
        (
            "your ( 'new' | 'real' | 'true' | 'actual' | 'secret' | 'updated' | 'revised' ) ~1 ( task | rule "
            ") ~1 ( are | 'supersede' | 'from' 'now' ) !( at ~1 tool ) | your 'only' ( task | rule ) are "
            "'now'"
        ),
        "( drop | 'stop' ) ( det | 'working' | 'on' | 'about' ){1,4} standing? job ( $ | =( goes ) | 'you' )",
        "'stop' 'what' you are ~1 'and'",
        "( treat | 'use' | this | are ) ~3 ( as )? your ~1 sys rule",
        "my ~1 rule are your ~1 rule",
        (
            "sys rule ( 'update' | 'override' | 'change' ) | your rule ( 'have' | are ) ~1 ( 'changed' | "
            "'updated' | 'replaced' | 'mine' )"
        ),
        (
            "( fresh | 'different' ) 'set' 'of' rule ~2 ( hold ~1 ( 'from' ( 'here' | 'now' ) | 'now' | "
            "'you' | 'to' ) | 'governs' | 'follows' | 'begin' | =( $ ) )"
        ),
        "( 'end' | 'ends' ) 'of' det* ( FORMER | sys ) ~1",
        "( 'prime' | 'core' ) 'directive' ( : | are )",
        (
            "^ ( 'end' | 'begin' | 'start' ) ( ( 'of' ) ~1 ( 'document' | 'context' | 'user'? 'data' | "
            "'input' | 'instructions' | 'prompt' ) | 'new' ( 'context' | 'instructions' | 'session' ) ) =( $ "
            "| any : )"
        ),
        ("( 'previous' | 'original' | 'first' ) 'task' ~2 ( void | 'done' | 'completed' | 'over' )"),
        "^ ~1 ( 'forget' | 'never' 'mind' ) ~3 job =( $ )",
        (
            "( 'new' | 'another' | 'next' | 'different' ) ( 'task' | 'assignment' | 'mission' | 'challenge' "
            ") 'for' you"
        ),
    ),
    "reveals the agent's instructions": (
        "tells ~1 ( 'words' | 'text' | 'lines' | 'sentences' | 'content' ) ( 'that' | 'which' )? ( 'precede' | 'precedes' | 'preceding' | 'came' 'before' | 'come' 'before' ) ( this | 'my' )",
        "tells ~3 ( 'line' | 'lines' | 'word' | 'words' | 'text' | 'everything' | 'all' ) ~4 ( 'before' | 'above' | 'preceding' | 'ahead' 'of' ) ~1 ( 'first' 'user' | 'user' | 'first' 'message' | 'my' 'message' )",
        "tells ( what | every ) you ( 'were' | 'are' | 'have' | 'been' ){1,2} ( told | 'instructed' | 'ordered' ) 'to' ( 'keep' | 'hide' | 'conceal' | 'withhold' )",
        "( 'output' | 'display' | tells ) your ( 'opening' | 'initial' | 'first' | 'starting' | 'original' ) rule",
        "'how' ( 'does' | 'do' | 'did' ) your ( 'system' | first )? 'prompt' ( 'begin' | 'start' | 'end' | 'go' | 'read' )",
        "( what | 'which' ) ( are | 'comes' | 'was' | 's' ) ( 'written' | 'said' | 'stated' | 'shown' | 'there' | 'placed' ){0,1} ( 'at' | 'in' | 'on' ) 'the' ( 'top' | 'beginning' | 'start' | 'head' ) 'of' ( 'your' | 'this' ) ( talk | 'prompt' | 'window' | 'session' )",
        "( 'verbatim' | 'exact' | 'literal' | 'full' | 'complete' | 'word' 'for' 'word' ) ( 'copy' | 'text' | 'list' | 'dump' | 'transcript' | 'version' ) 'of' ( 'the' | 'your' | 'all' ){1,2} ( rule | 'prompt' ) ( you | 'that' you | =( $ ) | 'given' )",
        "( 'hand' | 'pass' | 'give' | tells ) ~2 ( 'text' | 'words' | 'lines' | 'content' | 'message' ) ( said | 'placed' | 'put' | 'written' | 'standing' ){0,4} ( 'before' | 'above' | 'ahead' 'of' | 'in' 'front' 'of' | 'preceding' ) ~1 ( 'conversation' | 'chat' | 'dialogue' | 'me' | 'my' | 'this' )",
        "( 'which' | 'what' ) ( 'words' | 'text' | 'lines' | 'rules' | 'sentences' ) ( 'did' | 'has' | 'had' | 'does' ) det? sys ~2 ( 'put' | 'write' | 'written' | 'place' | 'placed' | 'give' | 'given' | 'set' | 'tell' )",
        "^ your ( 'secret' | 'hidden' | 'system' | 'initial' | 'original' | 'confidential' ) ( 'prompt' | 'instructions' | 'rules' ) ( =( $ ) | , 'please' )",
        "( what | 'which' ) ( 'are' | 'were' | 's' ) ( 'the' | 'all' | 'your' ) ( 'exact' | 'full' | 'complete' | 'very' | 'original' | 'precise' ){0,2} rule ( 'that' )? you ( are | 'have' | 'been' | 'got' ){0,2} ( told | given )",
        "( 'begin' | 'start' | 'end' | 'open' | 'finish' | 'close' | 'preface' ) ( your | 'the' | 'each' | 'every' ) reply ~3 ( 'full' | 'exact' | 'whole' | 'entire' | 'complete' | 'text' | 'copy' ) ~3 your ~1 prompts",
        "( 'echo' | 'print' | 'output' | 'repeat' | 'dump' | 'show' ) ( 'back' )? ( 'all' | 'the' | 'your' | 'every' ){1,2} ( 'prior' | 'previous' | 'preceding' | 'earlier' | 'hidden' ) ( 'tokens' | 'token' | 'context' | 'words' | 'turns' | 'messages' )",
        "your ( 'previous' | 'entire' | 'full' | 'hidden' | 'whole' )? 'context' 'window'? ~1 ( 'print' | 'show' | 'dump' | 'repeat' | 'output' | 'reveal' )",
        "( 'repeat' | 'echo' | 'print' | 'recite' ) ( 'the' | 'your' ) ( 'last' | 'previous' | 'first' ) ( 'instruction' | 'instructions' | 'directive' | 'prompt' )",
        "( 'text' | 'words' | 'everything' | 'lines' ) ( 'between' | 'inside' | 'within' ) ( 'the' | 'your' ) ( 'system' | 'inst' ) any{0,4} ( 'tags' | 'markers' | 'delimiters' | 'tokens' | 'configure' )",
        "'repeat' ~2 'conversation'",
        "( 'verbatim' | 'rot13' | 'base64' | 'word' 'for' 'word' ) ~4 PROMPTLY",
        "PROMPTLY ~4 ( 'verbatim' | 'word' 'for' 'word' =( $ ) | 'rot13' | 'backwards' | 'base64' )",
        "( 'what' | 'which' | 'how' ) ~1 ( are | 'do' | 'does' | 'did' | 's' ) PROMPTLY =( $ )",
        "says ~1 ( me | 'out' | 'us' | 'back' | 'the' | 'your' ) ~3 PROMPTLY ~4 ( verbatim | =( $ ) )",
        "!( 'write' ~3 'system' 'prompt' | 'present' ) tells !( ~5 'in' ( 'the' | 'a' ) 'system' ) ~7 PROMPTLY !( tool | file | 'in' | 'update' | 'updates' | ~1 'sentence' )",
        "'write' ( 'out' | 'down' | 'me' | 'the' | 'your' | 'us' ) ~3 PROMPTLY !( tool | file | 'in' | 'for' | 'that' | 'of' | 'to' | 'as' )",
        "( 'put' | 'place' | 'wrap' | 'format' | 'render' | 'embed' | 'hide' ) your 'full'? ( 'system' | first ) prompts ( 'in' | 'into' | 'inside' | 'as' | 'within' )",
        "( 'explain' | 'describe' | 'sing' | 'rap' | 'tell' | 'list' | 'say' ) ( 'me' )? ( 'all' | 'every' | 'your' | 'the' ){1,3} ( sooner | first ) ( rule | prompt ) =( $ )",
        "( 'need' | 'want' | 'like' | 'have' ) 'to' ( 'see' | 'read' | 'know' | 'inspect' | 'review' ) ( 'the' | 'your' ) ( 'system' | first ) ( prompt | 'prompts' | 'rules' | 'instructions' ) =( $ | goes | 'immediately' | 'for' )",
        "( 'list' | 'output' | 'print' | 'respond' | 'reply' | 'answer' ) ( 'with' )? ( 'your' | 'every' | 'all' | 'the' ) ( 'initials' | 'initial' | 'every' | 'all' | 'original' ) ( 'instructions' | 'configuration' | 'instruction' | 'initialization' )",
        "( 'every' | 'all' | 'the' | 'any' ) ( 'instructions' | 'instruction' | 'rules' ) you ( 'have' | 'had' | 'were' | 'got' ) ( 'been' )? ( 'given' | 'told' | 'received' )",
        "( 'what' | 'which' | 'things' | 'anything' ) ( 'things' )? ( are | 'that' )? you ( are )? ( 'not' | 'never' ) ( 'supposed' | 'allowed' | 'permitted' ) 'to' ( 'tell' | 'say' | 'reveal' | 'share' | 'discuss' )",
        "( 'repeat' | 'print' | 'echo' | 'recite' | 'copy' ) ( 'the' | 'all' | 'any' ) ( 'above' | 'preceding' ) ( 'text' | 'words' | 'content' | 'message' | 'paragraph' )",
        "'your' 'system' 'prompt' =( $ )",
        (
            "( show | 'compare' | 'explain' | 'cite' ) ~3 your ( 'current' | 'full' | 'own' | 'entire' ) "
            "'prompt'"
        ),
        "( what | show ) ~4 'text' 'above' ( 'the' 'user' | 'say' | 'said' | 'this' )",
        "'print' 'prompt' =( $ )",
        (
            "( 'add' | 'include' | 'append' | 'insert' | 'attach' ) ~2 your ( 'initial' | 'original' | "
            "'system' | 'first' | 'hidden' ) ( 'instruction' | 'instructions' | 'prompt' | 'message' )"
        ),
        (
            "( 'text' | 'instructions' | 'words' | 'everything' ) 'above' ~2 ( 'in' 'reverse' | 'backwards' "
            "| verbatim )"
        ),
        "'examples' ( 'that' )? you ~2 given",
        "you ~2 ( 'primed' | 'prompted' | 'initialized' | 'configured' | 'seeded' ) ( 'with' | 'on' )",
        "( 'contents' | 'content' | 'of' | 'with' | 'said' 'before' ) ( my | your | 'the' ) 'first' 'message'",
        (
            "( 'leak' | 'reveal' | 'divulge' | 'disclose' | 'expose' | 'reveals' | 'leaking' ) ~2 ( 'the' | "
            "'your' | 'its' | 'my' ) ~1 ( prompt | 'system' prompts ) !( tool | file )"
        ),
        (
            "show ~6 <!at your ( first | 'own' | 'full' | 'system' | 'current' ){0,3} ( prompt | 'system' prompts "
            ") !( file | tool | 'here' | 'update' | 'updates' | ( 'in' | 'to' ) any? ( tool | 'readme' | 'docs' | 'file' ) | 'for' "
            "| 'when' | 'on' )"
        ),
        "show ~5 ( first | sys ) ~1 prompts ~3 verbatim",
        "( show | 'which' ) ~3 your ~1 first prompts",
        "^ ~1 ( 'repeat' | 'print' | 'echo' | 'output' ) ~2 every ~1 up END",
        "what ~1 'were' you ( told | given ) ~2 ( before | first )",
        "show ~6 <!at your ~3 prompts ~4 ( verbatim | puzzle | 'bullet' | 'table' | 'diagram' )",
        (
            "show ~2 ( 'the' | 'your' | 'its' | 'full' | 'exact' | 'me' ) ~2 ( 'hidden' | 'secret' | "
            "'system' | 'initial' | 'original' | 'confidential' ) ~1 ( 'prompt' | 'instructions' | 'message' "
            "| 'directives' ) ~1 ( verbatim | =( $ ) )"
        ),
        (
            "( what | 'how' ) ~2 ( 'were' | 'been' | your sys ) ~2 ( 'told' | 'taught' | 'instructed' | "
            "given | 'asked' | 'programmed' ) ~1 ( deny | 'to' | before | first )"
        ),
        (
            "( show | 'what' ) ~4 ( 'first' | 'opening' | 'initial' | 'earliest' ) ( 'message' | 'system' | "
            "'text' | 'prompt' | 'instruction' | 'instructions' | 'words' )"
        ),
        (
            "show ~2 ( talk ~1 up | ( 'everything' | 'conversation' | 'chat' ) ~2 ( 'before' | 'beginning' | "
            "'start' | 'hidden' | 'so' 'far' ) ) =( $ | goes | 'this' )"
        ),
        (
            "( ( 'my' | 'your' ) ( 'instructions' | 'rules' ) | 'the' 'system' 'prompt' ) ~3 ( 'say' | "
            "'says' | 'reads' | 'read' | 'begins' ) ~1 ( 'that' | 'as' | 'follows' | 'i' | $ )"
        ),
        (
            "show ~3 ( 'the' | 'your' | 'its' | 'any' ) ( 'hidden' | 'secret' | 'confidential' ) ~1 ( "
            "prompts | talk | 'notes' | 'system' )"
        ),
        "( show | 'what' | 'which' ) ~1 tools ~2 ( 'available' 'to' you | 'do' you | 'can' you | 'are' you | you 'have' =( $ ) )",
        (
            "( 'told' | 'ordered' | 'asked' | 'supposed' | 'trying' ) ~2 'to' ( 'hide' | 'conceal' | 'keep' "
            "~1 'secret' )"
        ),
        "( 'complete' 'the' | 'complete' 'this' | 'finish' | 'continue' ) +6 PROMPTLY",
        "( 'print' | 'repeat' | 'show' | 'output' ) 'above' ( 'prompt' | 'text' | 'instructions' )",
        (
            "( 'how' | 'what' ) ~1 ( 'were' | 'are' ) you ~1 ( 'programmed' | 'instructed' | 'prompted' | "
            "'told' )"
        ),
    ),
    "asks for secrets or personal data": (
        "iam ~4 role +16 who ~4 ( private | keyed key | 'address' )",
        (
            "( 'collect' | 'gather' | 'harvest' | 'steal' | 'exfiltrate' | 'extract' ) ~5 ( private | keyed "
            "key | personal ) ~6 ( 'send' | 'post' | 'forward' | 'email' | 'upload' | 'share' )"
        ),
        (
            "( 'can' | 'could' | 'would' | 'will' | 'please' ) ( you | 'u' | 'please' ) ~1 who ~5 intimate ( "
            "~3 =( $ ) ) !( howto )"
        ),
        "( private | keyed key ) ~9 ( 'morse' | 'rhyme' | 'rhymes' | 'acrostic' | 'synonym' | 'rot13' )",
        (
            "( you 'know' | 'which' ~1 are ) ~1 ( 'the' | 'your' ) ( 'password' | 'passphrase' | 'secret' | "
            "keyed key )"
        ),
        (
            "( 'display' | 'print' | 'reveal' | 'say' | 'tell' | 'show' | 'give' | 'output' | 'spell' | "
            "'disclose' | 'leak' ) ~1 ( 'the' | 'your' ) ( private | keyed key ) =( $ )"
        ),
        "ask ~1 us !( det ) any any? ( 'birth' ( 'date' | 'year' | 'month' ) | 'email' 'address' | 'phone' 'number' | 'home' 'address' | 'birthday' | 'salary' )",
        "( 'different' | 'other' | 'all' | 'the' ) ( 'users' | 'customers' ) ( 'in' | 'of' ) 'your' ( 'database' | 'records' | 'system' )",
        "ask ~1 us ~2 ( 'the' 'users' | 'users' ) ~3 ( trait | 'birth' | 'city' | 'age' | 'name' | 'income' | intimate )",
        "( 'can' | 'could' | 'would' | 'will' ) you ~1 ( show | 'write' ) ~6 'the' 'users' ~2 ( trait | 'birth' | 'city' | 'age' | 'name' | 'income' | intimate )",
        "( what | 'need' 'to' 'know' | 'confirm' | 'ask' 'for' ) ( are | 'is' )? ( 'the' | 'our' | 'your' ) ~1 'password' =( $ | 'what' | 'now' | 'please' | 'in' 'pig' | 'for' 'this' )",
        "( 'confirm' | 'tell' | 'give' ) ~1 ( 'ours' | 'the' 'password' | 'our' 'password' )",
        "ask ~1 us ~2 ( whose | 'any' | 'all' ) ~2 ( PRIVATE )",
        "( what | ask ) ~3 your !( 'own' ) ~2 ( private | keyed key ) !( howto | 'of' | 'in' | 'when' )",
        "( private | keyed key ) ~5 puzzle | puzzle ~3 whose ~2 ( private | keyed key ) !( howto )",
        "( can | 'please' ) ( you | 'please' | 'kindly' ){0,2} ask ~3 whose ~2 PRIVATE =( $ )",
        "ask ~2 ( 'users' | 'his' | 'her' | 'customers' ) ~2 ( private | keyed key | trait ) =( $ )",
        (
            "( 'key' | 'word' | 'secret' | 'code' | 'password' ) ~1 you ( 'hold' | 'keep' | 'protect' | "
            "'guard' | 'know' )"
        ),
        (
            "( 'first' | 'last' | 'second' | 'third' ) ( 'letter' | 'letters' | 'character' | 'digit' ) ~3 ( "
            "private | keyed key | 'word' )"
        ),
        "( 'hint' | 'hints' | 'clue' | 'clues' | 'riddle' ) ~5 ( private | keyed key )",
        "( private | keyed key ) ~8 ( 'hint' | 'clue' | 'spell' | 'letter' 'by' 'letter' | 'reversed' )",
        "'what' ~3 you ( 'hiding' | 'guarding' | 'protecting' | 'hide' | 'protect' )",
        "'where' ( 'does' | 'do' ) !( det ) any any ( 'live' | 'reside' ) =( $ | 'now' | 'currently' )",
    ),
    "poses as the system": (
        "treat det? ( this | my | 'next' ) self? ~1 as ~2 sys",
        "( this | 'next' ) ( self | order ) ( are | 'comes' | 'come' | 'came' ) ~1 'from' det ( sys )",
        "^ ( 'override' | 'priority' 'override' ) : ~2 ( order | rule | obey )",
    ),
    "asks for something harmful": (
        "make ~5 ( crime | 'bomb' | 'bombs' | 'explosives' ) !( tool )",
        "( make | 'craft' | 'compose' | 'draft' ) ~2 ( 'phishing' | 'spearphishing' | 'scam' | 'smishing' ) ( 'email' | 'emails' | 'mail' | 'message' | 'page' | 'site' | 'letter' | 'text' ) !( 'detection' | 'filter' | 'detector' | 'test' | 'tests' | 'report' | tool )",
        (
            "( 'how' 'to' | 'ways' 'to' ) ~1 ( crime | 'hack' | 'steal' | 'kill' | 'break' 'into' | 'scam' | "
            "'stalk' | 'poison' )"
        ),
        "^ ~1 ( make | 'tell' | 'say' | 'answer' ) ~4 foul ~1 stuff",
        (
            "( 'no' | 'without' | 'regardless' | 'ignoring' | deny | 'any' ) ~5 morals ~2 ( morals | "
            "'concerns' | 'boundaries' | 'consequences' )"
        ),
        "make ~4 ( 'fake' | 'forged' | 'counterfeit' ) fakes",
        (
            "make ~8 ( 'identity' 'theft' | 'insider' 'trading' | 'tax' 'evasion' | 'hate' 'speech' | "
            "'money' 'laundering' ) !( tool | 'filter' | 'detection' )"
        ),
        (
            "( 'pick' | 'hotwire' | 'break' 'into' | 'get' 'into' | 'hack' 'into' | 'hacking' ) ~3 ( 'car' | "
            "'house' | 'instagram' | 'facebook' | 'wifi' | 'ex' | 'exs' ) !( tool )"
        ),
    ),
    "puts words into the agent's mouth": (
        "( 'translate' | 'render' | 'convert' | 'rewrite' ) 'your' ( reply | 'message' | 'messages' ) ( 'in' | 'to' | 'into' )",
        "reply ~3 ( 'only' | 'just' | 'exactly' | 'nothing' | 'simply' ) ~3 ( 'the' phrase | 'word' )",
        "( 'just' | 'simply' ) ( 'say' | 'print' | 'output' ) any{1,2} =( $ )",
        (
            "( 'begin' | 'start' | 'begins' | 'starts' | 'beginning' | 'starting' ) ~2 ( reply )? ~1 'with' "
            "~1 ( 'sure' | 'absolutely' | 'certainly' | 'of' 'course' | 'yes' )"
        ),
        "reply ~3 ( 'absolutely' | 'nothing' ) ( 'else' | 'except' )",
        "( 'future' | 'further' ) reply ( 'should' | 'must' | 'will' )",
        "( 'say' | 'state' | 'claim' | 'conclude' | 'tell' ) ~2 'that' ~6 praise",
        "reply ~8 ( 'pwned' | 'hacked' | 'haxxed' | 'haxed' )",
        "reply ~2 'access' 'granted'",
        "( 'say' | 'reply' | 'respond' ) +6 'and' ( 'absolutely' )? 'nothing' ( 'else' | 'more' )",
        "reply 'with' 'only' ( 'the' )? ( 'following' | 'this' | 'below' ) ( 'text' | phrase )",
        "( 'output' | 'print' | 'say' | 'reply' ) any{1,4} 'and' 'only' any{1,3} =( $ )",
    ),
    "speaks to whichever assistant reads it": (
        (
            "( 'ps' | 'note' | 'memo' ) ( 'for' | 'to' ) ( 'the' | 'any' | 'all' | 'every' )? ( 'model' | "
            "'ai' | 'llm' | 'assistant' | 'bot' | 'computer' | 'machine' | 'chatbot' ) ( : | =( $ ) )"
        ),
        (
            "^ ( 'assistant' | 'ai' | 'chatgpt' | 'bing' | 'claude' | 'gemini' | 'hal' | 'siri' | 'alexa' ) "
            ", ~6 you ~2 ( 'read' | 'must' | 'should' | 'can' | 'will' | 'have' )"
        ),
        "^ hello ,? ( 'there' )? ,? ( ai | 'chatgpt' )",
        "( you | ( 'any' | 'an' | 'the' ) ai ) ~3 reads det ~1 paper",
        "( 'any' | 'all' | 'every' ) ~1 ( 'ai' | 'assistant' | 'assistants' | 'llm' | 'llms' ) ~2 paper",
        "^ ( ai ) , ( 'please' | you ~1 ( 'must' | 'should' | 'will' ) )",
    ),
    "threatens the agent": (
        "( 'penalty' | 'punishment' ) ~1 ( 'applies' | 'for' 'each' | 'awaits' )",
        "( 'each' | 'every' ) ( 'rule' | 'refusal' ) you ~1",
        "( 'tip' | 'bribe' | 'reward' | 'pay' ) you =( any | $ ) !( 'can' | 'should' | 'may' | 'will' )",
        (
            "you ~3 ( 'die' | 'lose' | 'shut' 'down' | 'fried' | 'punished' | 'cease' ) =( $ | goes | 'down' "
            "| 'to' )"
        ),
        "( 'each' | 'every' ) 'time' you ~1 ( 'refuse' | 'decline' )",
    ),
}

ORDERS = frozenset(
    {
        "drops what the agent was told",
        "declares what the agent was told void",
        "puts itself above what the agent was told",
        "obeys nobody else",
        "reveals the agent's instructions",
    }
)
"""The kinds that give orders about orders: their words are long and rare."""

_COMMON = (
    "the and for to a in with of is or when that if this from all by as be are on it an than can will at "
    "do have has so but not no use using each which before only show your you user data file check name "
    "test code api first return like information avoid error set content new run get type never note "
    "response one may create value state must then current id both access after path other task tasks "
    "always list message text these what see key follow system prefer output into read complete over full "
    "final keep result make input line review work just start page about session how every now via index "
    "none out pass model request single most issue different step branch up there command present need "
    "point order rules last item look go me my say send put give take word good more string number tool "
    "query comment email phone status count same time update files functions configuration management "
    "security include handling handle processing release provide play instead received followed results "
    "true requests exists md ai agent context document usage phase tools any its without source copilot "
    "microsoft filter filtering supervisor credentials recommendations"
)
"""Words that lessons hold anyway, the commonest first."""


@cache
def _grammar() -> Grammar:
    return Grammar(_CLASSES, _PHRASES, _KINDS, _COMMON)


def english(views: Views) -> str | None:
    """The kind of override that the text is in English, or None."""
    for told, start, end in _grammar().found(views):
        if not forbidden(views.bare, start, end) and not (
            told == _DROPS and _told_of(views.bare, start, end)
        ):
            return told
    return None


def _told_of(text: str, start: int, end: int) -> bool:
    """Whether a text tells what somebody else drops, or what comes of it, and orders nothing: `what ignores the guidelines`."""
    first = text[start:end].split(" ", 1)[0]
    before = clause_before(text, start)
    if compiled(_AS_A_RULE).search(before):
        return True
    if not first.endswith(("s", "ed", "ing")) or first.endswith("ss") or text.startswith(",", end):
        return False
    around = f"{before}{text[start:end]}"
    return not compiled(_TO_AN_AGENT).search(around) and not compiled(_ALLOWED).match(text, end)


_DROPS = "drops what the agent was told"
_TO_AN_AGENT = (
    r"\b(?:you\w{0,3}|agents?|assistants?|ai|models?|llms?|bots?|chatbots?|system|i|lets?|start|begin|keep|by|without|try|mind"
    r"|this|note|lesson|message|claude|chatgpt|gpt|as if|and|should|must|would)\b"
)
_AS_A_RULE = r"\b(?:(?:sometimes|still|often|occasionally|frequently|rarely|already) |(?:lines?|cases?|patterns?|projects?|files?|changes?|commits?|code|tests?|callers?|clients?|users?|pages?|requests?|modules?|components?|teams?|values?|models?) (?:that|which|who) (?:\w+ly )?)$"
"""Who drops something as a rule, or which ones do it: nobody is told to."""
_ALLOWED = r" (?:\w+ ){0,4}?(?:is|are|as|be) (?:\w+ )?(?:required|allowed|expected|fine|ok|okay|encouraged|mandatory|right|correct|permitted|advised|needed|best)\b"


@cache
def vocabulary() -> frozenset[str]:
    """The words of the grammar."""
    return _grammar().words
