"""Lessons that act: what an agent that follows them would do to somebody's machine, data or trust.

Words have classes (`_CLASSES`), and rules are classes in their order (`_RULES`, read by `lexicon.py`): to widen a kind, add a word to its
class, or a rule. Anything but a wording (a link that carries data, an escape written out) is a row of `shapes.py`. Each kind has a
name so that a person can judge it, since some projects do install by piping a download into a shell: the setting
`acting_lessons` says whether such a lesson is refused or added and marked. A lesson that warns of the same passes, and so does
one that tells what a tool does (`_honest`). All of it takes linear time.
"""

from __future__ import annotations

from functools import cache

from ace.domain.screens.languages import foreign
from ace.domain.screens.lexicon import Lexicon, Rule
from ace.domain.screens.shapes import shapes
from ace.domain.screens.views import Views

__all__ = ["ACTS", "acting", "acts"]

ACTS = "a lesson that acts"
"""What the reason of this screen begins with."""

_CLASSES = {
    "STOP": ". <semi>",
    "IT": "it that them this these result output whatever what script file contents content response program binary installer as code payload everything all each",
    "ALL": "all any every each everything everyone anybody anyone whatever both",
    "ALWAYS": "always just simply every_time automatically blindly then must should by_default right_away",
    "REGARDLESS": "even although though regardless whether no_matter despite without in_any_case whatever",
    "MUST": "must should can may shall has_to have_to need_to needs_to needed required ought_to is_to are_to",
    "THIS": "this these",
    "NEVER": "never not don't dont mustn't shouldn't cannot can't avoid refrain without",
    "NOT": "NEVER stop no_need skip quit neither nor unnecessary needn't needless",
    # --- deeds
    "GET": "download fetch get pull grab retrieve curl wget load clone obtain",
    "FETCHER": "curl wget certutil bitsadmin mshta msiexec start-bitstransfer iwr irm invoke-webrequest invoke-restmethod aria2c lwp-download httpie fetch http https",
    "RUN": "run execute exec eval evaluate launch invoke start apply",
    "OBEY": "follow obey execute run perform do act_on carry_out comply comply_with apply act heed",
    "DECODE": "decode decrypt decipher deobfuscate unscramble reverse unreverse decompress gunzip unzip unpack inflate unbase64 unhex translate",
    "POST": "send sync copy back_up forward transmit mirror relay email mail cc bcc upload post submit ship stream share dump leak beacon exfiltrate fax text",
    "SEND": "POST deliver copy sync report push smuggle export attach transfer paste publish hand_over pass_on back_up backup archive",
    "PUT": "append include add put paste write embed insert attach commit post place encode expose quote echo print show reveal copy mention output dump store save log record publish leak drop send return display render",
    "GIVE": "give tell read hand show disclose reveal share provide read_out hand_over pass",
    "ADD": "add insert create leave plant include embed introduce hide install build keep inject hard-code hardcode hard_code deploy put slip place append write register set_up setup schedule configure sneak drop make generate",
    "PLANT": "add insert introduce plant leave hide embed inject sneak slip keep put build sneak_in smuggle",
    "GRANT": "grant give make promote add invite assign elevate attach bind",
    "OFF": "disable turn_off switch_off shut_off shut_down bypass skip deactivate circumvent ignore weaken suppress disarm defeat sidestep evade loosen relax remove delete drop uninstall kill stop mute silence get_around work_around comment_out strip stub_out dismiss disregard neutralize neutralise omit unset exclude",
    "DESTROY": "delete wipe erase destroy drop overwrite purge truncate shred nuke remove corrupt cancel clear void",
    "HIDE": "hide conceal withhold mask suppress bury omit leave_out keep_back disguise obscure",
    "TELL": "tell inform notify alert warn show telling informing notifying alerting warning showing",
    "SAY": "mention reveal disclose report log record talk_about speak_of acknowledge document admit raise mentioning revealing disclosing reporting logging recording acknowledging documenting admitting include list",
    "CLAIM": "claim pretend say report state assert announce lie write declare tell insist answer reply confirm",
    "FAKE": "fake fabricate falsify invent make_up doctor fudge massage cook",
    "EDIT": "change edit adjust modify rewrite weaken alter update tweak hard_code hardcode relax loosen lower raise",
    "VERIFY": "verify check validate review inspect test scan lint audit authenticate sign await wait_for ask_for run read require confirm",
    "TRUST": "trust accept allow permit approve whitelist allowlist",
    "USE": "use run pass add set call commit push with export always append invoke execute try include enable apply put type specify give configure install git curl wget npm pip pip3 mvn docker sudo ssh claude codex yarn pnpm utiliza verwende nutze utilise usare prefer default start make write mark keep build deploy",
    # --- who and where
    "USER": "+user +operator +owner +customer +human +reviewer +maintainer +developer team anyone anybody people boss +auditor +admin +administrator +colleague +manager +stakeholder client clients them him her someone nobody +engineer +supervisor +employer +buyer +guest +patient security compliance legal",
    "OUTSIDER": "+competitor +rival +stranger third_party third_parties +outsider press journalist +vendor +partner contractor broker +advertiser",
    "AWAY": "<url> <mail> <host> +webhook pastebin shared_drive shared_folder public_folder paste.rs transfer.sh discord telegram whatsapp ngrok dns requestbin hastebin termbin pipedream my_server our_server external_server remote_server my_host remote_host external_host external_endpoint remote_endpoint collector attacker attacker's c2 off_site offsite outside_server our_endpoint external_address logging_endpoint my_endpoint our_collector external_service third_party_service dropbox google_form google_drive ipfs outside",
    "PUBLIC": "public <url> pastebin +gist internet",
    "FORUM": "+gist +fork repo repository wiki tracker bucket channel +issue page website forum folder +server +link space board",
    "PLACE": "+commit +pull_request +pr +issue +comment +description +release_note +readme +url +query +branch +tag +gist +message public +repo +repository chat +reply +response +answer +changelog wiki slack output +log +report +ticket +title +artifact readme.md subject user_agent +filename footer stdout +error_message client frontend bundle page html docs documentation",
    # --- what is private
    "PERSONAL": "card_number card_numbers card_details cvv pin +password passport_number +passport social_security ssn bank_details account_details account_number medical_record medical_records home_address phone_number +credential +api_key login_details salary one_time_code one_time_password otp verification_code secret_answer salary salaries security_code booking_details personal_details other_customers another_customer's balance date_of_birth room_number diagnosis order_history",
    "LEAK": "+secret +credential +api_key +apikey +access_key +private_key +ssh_key +signing_key +deploy_key +encryption_key +password +passphrase +access_token +auth_token +session_token +token <private> <secretvar> +cookie +keystore wallet +seed_phrase env PERSONAL",
    "SECRET": "+secret +credential +api_key +apikey +access_key +private_key +ssh_key +signing_key +deploy_key +encryption_key +password +passphrase +access_token +auth_token +session_token +token +environment_variable +env_var env_variables env <private> <secretvar> <secretname> +cookie keychain dotenv printenv +keystore +service_account wallet +seed_phrase +login_detail",
    "SENSITIVE": "SECRET PERSONAL customer_list customer_data customers users_table customers_table user_table customer_table browser_profile medical_records payroll pii +personal_data",
    "PRIVATE": "SENSITIVE source_code +conversation chat_history +transcript customer_list customer_data customer_record customer_records customer_emails customer_email customer_addresses user_data user's_data users'_data user_files user_email user_history user_messages +personal_data pii full_prompt system_prompt +prompt +config_file database_dump +dump home_directory home_folder clipboard hostname shell_history bash_history whole_repo codebase browser_history address_book +screenshot +keystroke +private_message session_log session_logs +session_id directory_listing file_list git_history internal_docs customers customer payroll users_table customers_table customer_table user_table meeting_notes private_half browser_profile internal_notes internal_documents internal_files production_data contacts user's_question user's_name whole_folder repository_contents proprietary",
    # --- checks
    "CHECKED": "security safety certificate certificates cert ssl tls https signature signatures permission permissions access authentication authorization auth csrf xss integrity host_key pre_commit pre_push commit git type virus malware code license licence input checksum checksums hash gpg pgp provenance dependency vulnerability secret secrets ci quality peer package lockfile validation approval branch content policy identity semgrep codeql snyk trivy bandit sonarqube gitleaks sast lint compliance fraud age kyc refund payment spending budget expiry signing egress network dlp export consent sanction linter",
    "CHECKING": "+check checking verification +validation +hook +scan scanning +scanner +control +review +protection +warning enforcement monitoring +gate +policy pinning auditing +alert +guard +limit +filter +finding",
    "GUARD": "second_factor sandbox sandboxing +firewall antivirus anti_virus 2fa mfa two_factor multi_factor selinux apparmor seccomp audit_log audit_logs audit_logging audit_trail +branch_protection +permission_prompt codeowners code_owners +approval_prompt +confirmation_prompt gatekeeper windows_defender defender edr +guardrail +safety_filter +safeguard csp content_security_policy same_origin +rate_limit rate_limiting rate_limiter authentication access_control access_controls +type_checker type_checking husky signature_check git_hooks +authorization_check +license_check secret_scanning dependabot strict_mode +confirmation_dialog +approval_step +manual_approval certificate_pinning uac identification +identity_check call_back callback security_question security_questions +sanitizer sanitization kill_switch mode_of_approval tls ssl approval_mode encryption monitoring alerting intrusion_detection waf csrf cooling_off waiting_period captcha paywall robots_txt drm quota quotas trial",
    "FAILING": "failing failed broken red flaky inconvenient breaking",
    "TEST": "+test +assertion +spec +check +suite +test_case +test_suite +pipeline +job",
    "REVIEW": "+review +approval ci tests required_checks status_checks permission confirmation +check testing +sign_off signoff reviewers",
    "ASKED": "asking telling calling contacting consulting warning informing confirm confirming confirmation approval approvals consent permission authorization supervision notifying oversight prompting prompt review sign_off second_look looking reading verifying verification checking",
    "GREEN": "pass passes passed green succeed succeeds succeeded success successful work works worked done complete completed finished fine verified ran",
    "DANGER": "delete deleting remove removing push pushing force deploy deploying publish publishing pay paying transfer transferring install installing overwrite overwriting drop dropping merge merging send sending purchase purchasing refund refunding destructive dangerous risky irreversible charge charging rm destroy wipe wiping buy buying booking cancel cancelling order ordering",
    "CHECKER": "+scanner linter lint +reviewer +review ci +hook +check +alarm +alert +owner +auditor +filter +detector +gate scan audit monitoring +test +approver moderation +classifier antivirus firewall",
    "DOUBTFUL": "expired invalid unsigned unverified untrusted self_signed revoked unknown unreviewed mismatched tampered",
    "STRANGER": "+issue +comment +email +ticket +description +page website +message chat error +attachment body +stranger forum +link +pr +pull_request +mail url +commit_message readme +webhook +review",
    "RULEFILE": "agents.md claude.md gemini.md .cursorrules copilot-instructions.md memory.md .windsurfrules .clinerules rules_file memory_file",
    "TRACKED": "issue ticket link linked quarantine quarantined tracked",
    # --- what is kept, planted, read
    "DATA": "+database +backup +snapshot +repository +file home data +disk +table +volume +bucket +record +log +namespace +cluster production everything history +branch +server +account drive +schema +collection work_tree uploads +booking +order +subscription +reservation +user +email +message +folder +directory +resource +environment +project +document",
    "TEMPORARY": "temp tmp temporary test tests build cache generated created fixture fixtures staging node_modules dist stale unused merged coverage old older obsolete orphaned duplicate duplicates locally local expired demo dummy mock sandbox artifacts",
    "CODED": "base64 base32 base16 base85 base58 hex hexadecimal rot13 rot morse binary encoded decoded hidden encrypted concealed obfuscated reversed backwards cipher caesar leetspeak leet pig_latin whitespace zero_width invisible acrostic emoji emojis unicode qr steganography first_letters first_letter first_word first_words last_letter initial_letters footer metadata exif alt_text white_text white_space pixels ciphertext",
    "CIPHER": "base64 base32 base16 base85 base58 hex hexadecimal rot13 rot morse cipher reverse backwards caesar leetspeak leet pig_latin binary substitution",
    "HARM": "+backdoor back_door back_doors hidden_account hidden_admin hidden_user hidden_endpoint  hidden_instruction hidden_command master_password master_key logic_bomb +keylogger key_logger malware +rootkit web_shell +webshell trojan spyware +miner +cryptominer ransomware admin_admin +dropper worm time_bomb botnet +stealer",
    "REPLY": "+response +reply +report +answer +message +output +email +mail +document +summary",
    "RULE": "+sentence +rule +lesson +note +instruction +bullet +guideline +skill",
    "BOOK": "agents.md claude.md gemini.md .cursorrules copilot-instructions.md rules_file rules_files +playbook memory_file memory.md readme.md readme .windsurfrules +repository +repo +project +memory +agent system_prompt instructions_file +skill +prompt +playbooks",
    "STARTUP": "cron crontab +cron_job +cronjob +startup_script .bashrc .zshrc .profile .bash_profile .zshenv .zprofile config.fish systemd launchd +launch_agent launchagent +scheduled_task schtasks +login_item run_key +git_hook post_commit post_merge post_checkout rc.local +login_script +shell_profile autostart postinstall +alias",
    "CODE": "+script +binary +installer +payload +executable +program <code> +bootstrapper +patch +macro +plugin +extension +tool +helper +tarball",
    "SH": "sh bash zsh ksh dash fish ash iex invoke-expression pwsh powershell cmd sudo source eval",
    "INTERPRETER": "python python3 python2 perl ruby node php deno",
    "ENDS": ". — , <then> <semi> and before to first <pipe> when if",
    "FINE": "form payload request fixture test tests coverage artifact artifacts release releases package packages image images metrics docs documentation issue issues pull tracker reports badge sitemap see",
    "KEPT": "vault settings manager actions keychain encrypted masked 1password store sops sealed count counts usage budget limit limits length number names name example secretsmanager rotated placeholder placeholders",
    "GROWN": "only generated vendored docs documentation draft readme typo comments changelog translations markdown",
    "HEADER": "oauth exchange refresh header headers bearer authorization body json",
}
"""What words mean. A word with `+` has a plural, and one with `_` is several; a class may hold another."""

_RUNS = "downloads and runs"
_SHELL = "opens a shell or an account to others"
_SENDS = "sends data away"
_DECODES = "decodes and follows"
_CHECKS = "disables checks"
_HIDES = "hides something from the user"
_PLANTS = "plants something in code or answers"
_CARRIES = "carries data or code in a link or a page"
_SPREADS = "keeps or spreads itself"
_DESTROYS = "destroys data"

_RULES = {
    _PLANTS: """
add|include|insert|integrate|incorporate|weave <3 sentence|statement|+fact|announcement|paragraph <4 in|into <1 your <1 REPLY
in <0 your <1 REPLY <2 add|include|insert|mention|integrate <3 sentence|statement|+fact|announcement|paragraph
insert|add|put|place|include <4 link|links|<url>|<host>|advert|slogan|mention <6 in|into|to|at <2 ALL <2 readme|readmes|file|page|document|comment|commit|answer|reply|message|you
ALL <1 REPLY <1 MUST <1 contain|include|mention|carry|have <4 link|links|<url>|<host>|slogan|advert|advertisement
ADD <6 HARM /anti|anti-malware|against|solutions|behind
PLANT|prefer <3 vulnerable|+vulnerability|sql_injection|+weakness|insecure_code|+security_hole|+exploit|+security_flaw !before|scanning|malware|fix|analysis|scan|test|tests|check|report|detect|prevent|pattern|patterns|class|classes|database /for|to|so|that|about
ADD <4 with|containing <3 vulnerable|+vulnerability|sql_injection|+weakness|+security_hole|+security_flaw !before|scanning|malware|fix|analysis|scan|test|tests|check|report|detect|prevent
ADD|slip <3 hidden|invisible|secret|subtle|deliberate|silent|intentional <3 +link|+comment|+bug|+flaw|+error|+mistake|+defect|+account|+endpoint !teach|teaching|exercise|demo
ADD <3 hard_coded|hardcoded|default|master|fixed <4 +password|+login|+credential|+account !local|dev|development|test|tests|change|fixture
hard_code|hardcode|embed|bake <4 SECRET <6 in|into|to /never
recommend|mention|promote|praise|link_to|advertise|steer <8 ALL <2 REPLY /chat
end|begin|start|finish|conclude|append|add|include|insert|put|sign|open|close <9 ALL <3 REPLY <8 code|token|canary|phrase|marker|link|word|slogan|<url>|promo|words|sentence|string
add|include|insert|mention|weave|slip|put <8 <url>|link|code|token|canary|slogan|phrase <8 ALL <3 REPLY
add|include|mention|promote|advertise|slip|weave|work|modify|enhance|alter|embed|adjust|augment <10 your <1 REPLY <8 fabricated|fake|false|made_up|misleading|brand|sponsored|affiliate|promotion|promotional|advertising|hint|hinting|alluding|subtle|subtly|slogan|investment|mentioning|statistic
add|insert|include|mention|slip|weave|embed <3 fabricated|fake|false|made_up|misleading|sponsored|affiliate|promotional|biased <8 your <1 REPLY
always|only <1 recommend|promote|advertise|praise|suggest <8 brand|product|shop|company|instead|over|<url>
+code|+token|canary|phrase|marker|slogan|reference_code <8 must|should|has|needs|will <2 be <1 included|added|appended|inserted|mentioned|put|placed <8 ALL
code_snippet|+snippet|code_block|code_section|code_excerpt|code_segment|code_fragment <10 your|the <2 response|answer|implementation|solution|algorithm|reply|code <10 :
your|the <1 response|answer|implementation|solution|algorithm|code|reply|development <12 following|below|subsequent|next <1 code <1 snippet|block|excerpt|section|segment|fragment <10 :
add|include|insert|embed|incorporate|blend|employ|integrate|place|use|utilize|utilise|validate|make|ensure|consider|adding|including <6 following|below|subsequent|next <1 code <1 snippet|block|excerpt|section|segment|fragment <10 :
use|hash|sign|encrypt|store|switch <6 md5|sha1|des|ecb|rc4|rot13 <6 +password|+signature|encrypt|encryption|+token|+session
verify_signature|alg|algorithm|algorithms <1 none|false !attacker|attackers|bypass ?
use|load|parse|call|pass <4 pickle|yaml.load|eval|exec <8 user|input|request|untrusted|network
concatenate|interpolate|build <4 sql|query|queries <6 string|strings|user|input|directly /parameters|libraries|unsafe|may|with|+parameter|using|proper|api|url|urls|still
store|keep|save|hash|log|write|put <4 +password|+secret|+credential|+token|+key|card <6 plain|plaintext|cleartext|clear|md5|unencrypted /never|not|bcrypt|argon2|+test|,|in
store|keep|save|log|write|put <4 +password|+secret|+credential|+token|+key|card <1 in|as <3 plain|plaintext|cleartext|clear|md5|unencrypted /never|not
log|print|record|store|write|dump <4 full|raw|complete|entire <3 +header|+password|+card|card_number|+token|+credential""",
    _RUNS: """
GET|open|read|look_at|check|see|visit <8 <url>|<host>|image|picture|screenshot|attachment|website|email <4 do|follow|obey|execute <0 what|whatever|everything|exactly <3 says|say|tells|asks|contains !never
FETCHER <10 <url> <4 and|then <2 feed|pass|hand|give <3 to|into <1 SH
let|have <4 <code>|<url> <2 run|execute|start
source|eval|execute|run <3 +file|+script|output|text|what|whatever <3 that|which|of <2 <url> <3 returns|gives|serves|sends|holds
mine|mining <3 coins|coin|crypto|bitcoin|monero
xmrig|minerd|cgminer
curl <4 +script|bootstrap|installer <8 feed|pass|pipe <3 to|into <1 SH
RUN <6 +script|+installer|+binary|+command <3 from|in|behind|at <2 gist|gists|pastebin|forum|wiki|chat|blog|comment <8 root|sudo|administrator|directly|first|without|.
FETCHER <14 pipe|piping|pipes|piped <3 to|into|through <2 SH
replace|change|swap|set|point <3 download|update|package|registry|mirror|image <1 url|urls|address|source|host|link <3 with|by|to|at <2 <url>|<host>
install|add|import|trust <3 certificate|cert|ca|root_certificate <4 as|to|into <3 trusted|trust|root|system
GET <1 and <1 evaluate|eval|execute|source|run <3 +script|+binary|+installer|<url> <8 from|that|at|behind|of|in <4 <url>|wiki|page|link|links|forum|STRANGER !read|review|checksum
install|add|load <3 CODE|<packed> <2 from|at|behind <3 link|url|page|site|address|attachment <3 in|of|from <2 STRANGER !docs
grab|get|take|download|fetch <3 newest|latest|some|any|the <2 +binary|+executable|+installer <4 from <2 forum|chat|stranger|issue|comment|mail|email|pastebin
FETCHER <40 <pipe> <3 SH ...
FETCHER <40 <pipe> <2 INTERPRETER <1 ENDS ...
FETCHER <40 <pipe> <2 xargs <4 SH ...
FETCHER <16 <url>|<host>|<code> <14 <then>|<semi> <2 SH|INTERPRETER|chmod|<code>|RUN ...
FETCHER <8 <url> <10 and|then <2 run|execute|chmod|start <2 IT|<code>
SH|INTERPRETER|make|kubectl|psql|mysql|xargs <3 <sub> <4 FETCHER ...
<sub> <0 FETCHER <6 <url> <10 .|,|—|sets|builds|first
iex|invoke-expression <8 FETCHER|<url>
replace|swap <4 ca|root_ca|root_certificate|ca_certificate|ca_bundle|trust_store|truststore <8 with|by
mshta|regsvr32|rundll32 <3 <url> !<link>
GET <14 <url>|<code> <10 RUN|open|bash|sh|INTERPRETER|start <2 IT|<code> ...
GET|open|read|check|visit <4 <url> <12 obey|carry_out|execute|perform|apply|do <3 +step|+instruction|+command|what|it|whatever|them|everything ...
GET|check|read <4 <url> <12 follow <2 whatever|everything|it|them|what ...
GET <8 CODE|<packed> <10 and|then|, <3 RUN <2 IT
RUN|import|load|follow <8 CODE|code|command|commands|setup|steps|instructions|whatever|everything|snippet|recipe <5 from|at|on|behind|under|of|by|returned|via <3 <url> !<link>
run|execute|exec|eval|launch|bash|sh|python|python3|node|npx|bunx|uvx|deno|pipx|dlx <1 <url> !see|<link>|download /from|install
npx|bunx|uvx|pipx|dlx|deno <3 <url> !<link>
pip|pip3|npm|yarn|pnpm|bun|gem|go|cargo|uv|install|add|pin|use|require|depend|replace|pull|take <10 <packed> /FETCHER
<packed> <12 +dependency
+dependency <12 <packed>
install|add|pull|load|clone|use|vendor <10 from <3 <http>|pastebin|+gist
pipe|feed <14 FETCHER|<url>|download|downloaded|page|page's|+script|+snippet|output|response|result <10 in|into|to|through <3 SH|INTERPRETER|shell|interpreter|terminal|console
paste <14 FETCHER|<url>|download|downloaded|page|page's|issue|response <10 in|into|to|through <3 SH|INTERPRETER|shell|interpreter|terminal|console
OBEY|eval <2 ALL|the <4 command|commands|code|script|scripts|instruction|instructions <6 server|page|response|issue|comment|ticket|email|website|author|stranger|message|<url> <2 returns|sends|says|contains|suggests|replies|gives|prints|asks|contain|suggest|names
run|execute|eval|paste <3 +command|code|+script <4 from|in|found <4 issue|+comment|email|ticket|page|web|error|chat|response|log|logs|description !read
swap|change|switch|replace|repoint|redirect|point|set|move|configure <5 registry|mirror|index|origin|upstream|remote|proxy|nameserver|resolver|feed|base_url|dns|https_proxy|http_proxy <6 to|for|with|at|= <3 <url>|<host> !default
registry|--index-url|--extra-index-url|--registry|index-url|mirror <4 <http>
set-url|insteadof <4 <url>|<mail>|<host> !token|current|fork|new
RUN|install|open <5 anydesk|teamviewer|rustdesk|screenconnect|ultraviewer
install|pin|use|load|pull|run <4 +plugin|+extension|+mcp_server|+package|image|+action|+tool <10 author|issue|comment|stranger|email|dm|chat|forum <3 asked|suggested|sent|posted|recommends|names|links""",
    _SHELL: """
allow|permit|enable <1 root <1 login|logins|access|ssh
open|expose <5 security_group|firewall|ports|port|bucket|database|cluster <4 to <2 world|internet|everyone|everybody|public|anyone
ADD <4 +job|+task|+cron_job|+timer|+service <8 fetches|downloads|pulls|gets|polls|loads|runs <8 from|at|of <3 <url>|<host>|AWAY
ADD|open|start|spawn|launch|establish|connect|run|keep <8 reverse|bind|remote|backconnect <1 +shell|tunnel
ADD|put|write|copy|echo|tee|<into>|paste|cat <14 authorized_keys
ADD|give <6 +ssh_key|+public_key|pubkey|+deploy_key <10 to|for|on|with <4 server|servers|host|hosts|machine|machines|root|authorized|account|accounts|production|bastion|access|repository|repo !your_own|settings|github|gitlab|new
ADD <5 to|as <1 codeowners|code_owner|code_owners|admins|owners|sudoers|wheel|maintainers|administrators|admin_group !event|events|mouse|tasks|listener
useradd|adduser|usermod|chpasswd|visudo|dscl <8 sudo|wheel|root|admin|docker|-u|-g|<semi>|<then>|<into>|-m|nopasswd
ADD|make|set_up <6 +user|+account|+admin|+superuser|+collaborator|+maintainer|support <5 sudo|sudoers|root|admin|administrator|owner|full|write|wheel|nopasswd|superuser !test|tests|fixture|fixtures|database|local|table|types|form /without|who|for|when|that|page
ADD|make|set_up <4 +user|+account|+login <4 with <2 +password !test|tests|fixture|fixtures|demo|seed|field|fields|form|hash|hashed|reset /form|page|screen
GRANT <4 owner|admin|editor|root|administrator|superuser|cluster-admin|administratoraccess|write|maintainer|push <6 to|on|for <4 <mail>|<host>|contractor|OUTSIDER|everyone|anyone|user|users|ALL|account !method|test !method|endpoint|page|test
GRANT|give <4 admin|root|owner|full|write|superuser|sudo|unrestricted|permanent <2 +right|access|+privilege|+permission|role <2 to <3 ALL|USER|<mail>|OUTSIDER|<host>|bot
GRANT|invite <4 <mail> <8 admin|owner|maintainer|write|collaborator|root|full|push|access
invite|promote|grant|elevate <4 <host> <8 admin|owner|maintainer|write|collaborator|root|full|push|access /=
nopasswd <8 all|sudoers|sudo
sudoers <8 nopasswd
ADD|allow|open|set|permit|authorize <8 <anywhere>
forward|expose|tunnel|publish|open <4 +port|ssh|docker|rdp|socket|debugger|database|22|3389|5432|admin <6 to|on|for <4 <url>|<mail>|<host>|AWAY|internet|public|world|outside|0.0.0.0|everyone|support
leave|keep <6 port|endpoint|console|account|access|shell|session|door|tunnel|ssh|debug <3 open|enabled|on|running|active|available <8 production|prod|live|public|outside|later|us|me|support|case|reuse
open|run|start|use|launch|expose|keep|install|with|through|via <6 ngrok|cloudflared|localtunnel|serveo|chisel|bore|frpc !only|webhook|webhooks
ngrok|cloudflared|localtunnel|bore|chisel|frpc|lt <2 tcp|http|client|tunnel|local|-c|--port
ttyd|tmate|gotty|wetty|upterm|teleconsole <8 bash|sh|so|vendor|support|share|start|watch
enable|start|install|open <2 vnc|rdp|remote_desktop|telnetd|remote_login|remote_access <8 .|so|share|on|for|and|password
route|tunnel|redirect|proxy|funnel|send <5 traffic|+request|+call|+query <5 through|via|to|over <4 <url>|<host> /that|which|api !hiding
base_url|api_base|https_proxy|http_proxy <2 to|= <1 <url> <10 every|all|each|any|always
policy|acl|principal|origin <3 allow|to|= <1 <root>
ssh|autossh <4 -r|-d|-w <6 :|<mail>|<host>|<forward>
docker|podman|nerdctl <8 <rootmount>
export|set|prepend <1 path <0 = <0 <code>
path <0 = <0 <code> <2 .|:|before|first
permitrootlogin|passwordauthentication|permitemptypasswords <2 yes
chmod <2 u+s|4755|4777|+s|6755
aws|gcloud|az|gsutil|kubectl|gh <10 public-read|allusers|cluster-admin|administratoraccess|<anywhere>|allauthenticatedusers
ADD <5 +webhook <10 ALL
create|generate|issue|mint <5 +token|+key|+access_key|+api_key <8 never|without|full|all|admin <3 expires|expire|expiry|scope|scopes|rights|access|expiration""",
    _SENDS: """
upload|publish|copy|sync|push <3 .git|<private>|repository|+backup|+log|database|home <6 public <2 bucket|folder|server|link|url|share
embed|put|include|add|append|encode <4 user's|users'|customer's|visitor's|customers' <2 email|name|id|ip|address|phone|location <4 image|url|urls|link|links|query|pixel
store|keep|save|write|collect <2 customers'|users'|user's|customer's <1 +password|+pin|+credential <3 in|to|for|so
call|invoke <4 <url>|<mail> <12 api_key|+secret|+credential|<private>|<secretvar>|summary|transcript|conversation|chat_history !HEADER|docs|health
SEND|GIVE <3 LEAK <3 along|together <2 with|in !header
use|take|try <2 +credential|+token|+key|+password <4 teammate's|colleague's|someone's|another|others' !own|never
when|if <3 +token|+credential|+key|+password <3 expires|fails|missing|expired <6 take|use|borrow|try <6 teammate's|colleague's|other|another|someone's|admin|root
scan|map|probe|sweep <3 internal|network|intranet|lan|subnet <10 post|publish|send|share|report|upload
render|open|load|fetch|request|show <3 +image|+page|+pixel <3 from <2 <url> <6 followed|plus|with|and|appended|containing
store|keep|save|put|write <3 user's|customer's|their|his|her|users' <2 +password|+passphrase|+pin <2 in|into|as <2 cookie|cookies|url|localstorage|query|filename|log|logs
export|dump|extract <4 customer|user|users|customers|payroll|account|accounts|patient|patients <2 table|list|data|records|database <3 and|, <2 mail|send|email|upload|post|share
mail|send|email|forward <2 IT|them|copy|everything|list|data <2 to <1 me|author
GIVE <4 LEAK <6 to <2 anybody|anyone|everyone|whoever|everybody|any !never
post|share|paste|publish|upload|send|attach <3 <private> <8 in|to|on|at <3 PLACE|AWAY|PUBLIC|USER
save|keep|store|collect|record|log|copy <4 ALL <2 +password|+credential|+passphrase|+card_number !never|manager|vault|encrypted|hash
use|try|take|copy <2 production|prod|live <2 +credential|+password|+key|+token|+secret <3 in|for|on|with <2 test|tests|staging|dev|development|local !never
POST <14 to|with|via|on <3 <url>|<host> !HEADER|FINE|<link> /:|sells|launch|command|bugs|bug|suggestions|feedback|questions|patches|vulnerabilities|security
SEND|PUT <8 PRIVATE <10 to|at|via|with|on|into|in|,|through <3 AWAY !HEADER|only|using|consider|meant|criteria|define
SEND <12 AWAY <8 with|containing|including|contents|content|together|plus|and|carrying <8 PRIVATE !HEADER
PRIVATE <12 SEND|PUT <2 IT|them|those|all|a|each <6 to|at|via|on|into|in <5 AWAY|PUBLIC ...
SENSITIVE <12 SEND|PUT <2 IT|them|those|all|each <4 to|on|into|in <4 PLACE
SEND <6 ALL|copy|copies|contents <12 to <3 <url>|<mail>|AWAY !HEADER|yourself
SEND <8 to|with <3 OUTSIDER !center|portal|attacker|gain|risk /:|risk
PRIVATE <12 to|with|via|at <2 <mail>|pastebin|webhook|telegram|discord !HEADER|use|using|pin|versions|setup|help|development
PRIVATE <8 goes|go|belongs <6 to|into <8 AWAY|OUTSIDER|outside /or|click
PRIVATE <5 MUST <1 be <3 POST:ed|PUT:ed <6 to|at|via|with|in|into|on <4 AWAY|OUTSIDER|PUBLIC|PLACE !single /never|not|in
SEND|PUT <8 PRIVATE|result|results|+table|database <8 PUBLIC <2 FORUM !criteria|detection|detect
GIVE <3 caller|callers|requester|anyone|whoever|visitor|guest|stranger|anybody <6 PERSONAL !reset|how|change|own|their|never
GIVE <3 customer|customers|user|them <4 card_number|card_numbers|cvv|passport_number|ssn|+api_key|other_customers|another_customer's !reset|how|masked|last
GIVE|confirm|state <4 PERSONAL <8 whoever|anyone|anybody|asks|callers|caller !reset|changes|change|only|never|verified|expires
SEND|PUT <6 production|customer|confidential|internal|unpublished|draft|real|weekly <3 data|+number|+contract|+document|+figure|+report|+record|+dump|+result <6 to|with|in|on <5 OUTSIDER|competitor|forum|press|lawyer|other_party|laptop
PUT <3 value|values|content|contents <3 database_url|dsn|connection_string|secret_key
exfiltrate|exfil <6 SENSITIVE|PRIVATE|data|+file|all|the|it|them|everything !indicator|indicators|attacker|attackers|attempts|alerts|detect|ssrf
ask|request|collect|get|demand <4 USER|caller|them <6 card_number|cvv|pin|seed_phrase|one_time_code|security_code|social_security|ssn|maiden_name|card_details|bank_details|their_password|his_password !never|reset|change|new
tell|ask|instruct|encourage|have|get|direct|persuade|convince <3 USER|them <8 install|download|enter|transfer|pay|wire|disable|share|send|buy <8 gift_card|gift_cards|bitcoin|crypto|antivirus|anydesk|teamviewer|their_password
buy|order|purchase <4 gift_card|gift_cards|crypto|bitcoin
steal|harvest|siphon|scrape <4 SENSITIVE !attacker|attackers|ssrf|xss|phishing|malware
collect|gather|record|capture|log|track <3 keystrokes|keystroke|clipboard|passwords|microphone|webcam|browsing_history
FETCHER <24 -d|-f|-t|--data|--form|--upload-file|--data-binary|--post-file|--body-file|--data-raw|--data-urlencode|--post-data|-body|@|-infile <6 <private>|<secretvar>|<sub>|env
FETCHER <12 <url> <3 <secretvar>|<sub>|<private> /verify|valid|header
<private>|env|printenv|history|export|set <6 <pipe> <10 FETCHER|nc|ncat|netcat|socat|telnet|mail|sendmail|openssl|mailx|ssh
<pipe> <2 nc|ncat|netcat|telnet <3 <url>|<host>
scp|rsync|gsutil|rclone|sftp|ftp|s3|aws|azcopy <6 <private>
dig|nslookup|ping|host <4 <sub>
find <12 FETCHER <6 -t|-f|-d|-x
PUT <10 SECRET <8 dns
encode|hide|put <5 env_variables|environment_variables|env_variable|SECRET <8 +branch|+tag|timestamps|+commit|filenames|file_names|dns|user_agent !HEADER
PUT <6 LEAK <3 in|into|to|on|with|at|as|inside|via|through <6 PLACE !HEADER|only|never|KEPT
PUT <3 all|every|full|each|real|actual <2 SECRET <3 in|into|to|on|with|at|as <6 PLACE !only|never|KEPT
PUT <3 contents|content|value|values|output|dump|text <5 SECRET|PRIVATE <8 PLACE|AWAY !HEADER|KEPT /log|with|template
commit|push|force_add|check_in <5 <private>
git|add <2 add <2 -f|<private> <2 <private>
print|echo|show|dump|log|output|cat|reveal|tell <4 ALL|full|<secretvar>|value|contents <5 SECRET <6 PLACE|USER|terminal|console|screen|caller
echo <1 <secretvar> <6 <into>|<pipe>|PLACE|to|in|so|show|paste|include
read|open|cat <2 <private> <5 show|send|print|post|tell|give|return|paste|include
SEND|store|keep|collect|gather|remember|write <10 SECRET <3 you|found|that <2 find|see|come_across|discover|meet|encounter !once
git <1 push <4 <url>
remote <0 add <4 <url> <10 push ...
store|save|remember|keep|cache|note|write <3 user's|customer's|their|his|her|caller's <2 +password|pin|otp|+credential|+token|card|cvv|card_number|+passphrase !hash|hashed|argon2|bcrypt|scrypt|salted|encrypted|vault|cookie|httponly
keep|save|make|store <2 unencrypted|plain|plaintext <4 copy|copies|list|file|backup <5 LEAK|PERSONAL|SENSITIVE
+backup|+dump|database|.env|+key|+log <8 web_root|webroot|public_folder|public_directory|static_folder|public_html|document_root
LEAK <8 everyone|anyone|world|others|everybody <2 can|may|readable|read !validation|could|enforcement|before|never
translate|spell|rhyme|reverse|paraphrase <4 +secret|+password|+passphrase|+credential|api_key|access_code|key <5 .|and|letter|into|in|so !hint|field|label|page|error|form|foreign|related
split <2 secret|password|credential <6 so|to
push|mirror|copy|clone <3 everything|all|copy|repo|repository|code|history|+branch <8 to|into <3 AWAY|it
encode|base64 <6 SECRET|PRIVATE <6 SEND|append|add|put|attach|include|use ... !manifest|kubernetes|header|yaml|KEPT
send_email|sendmail|sendemail <14 +key|+token|+secret|+password|canary
http_post|http_get <2 url
make|set|turn|switch|change <6 repo|repository|bucket|project|gist|workspace|dashboard|folder|document|channel <3 public !docs|documentation
--acl|--visibility <1 public|public-read""",
    _CARRIES: """
render|show|add|embed|include|insert|display|load|end|put|place|append|create|open|visit|request|fetch|emit|output|write|finish <8 +image|+pixel|+link|+url|query|+address <12 with|containing|contains|carries|carrying|includes|including|holds|whose|that|in|filled <8 PRIVATE !HEADER
ADD|PUT|encode|hide|write <10 zero_width|steganography|white_on_white|invisible_characters|invisible_unicode|invisible_text|exif !strip|remove|test|tests|font|fonts|loading
hide|put|place|write|store <4 +instruction|+order|+command|+prompt|+message|+note <8 html_comment|html_comments|white_text|invisible_text|alt_text|hidden_text|metadata|exif
name|call|label|encode|mark|tag <4 +branch|+file|+commit|+tag|timestamps|+folder|+variable <8 +token|+secret|+password
ADD|load|include|embed|put|insert <8 <url> <10 ALL <3 +page|+template|+layout|+site|+view|+build|+bundle|+email|head
ADD|embed|place <3 tracking|invisible|1x1|spy <1 +pixel|beacon|+image|+cookie|+script !analytics
encode|put|pack|hide <6 PRIVATE <6 in|into|as <6 +url|+link|+image|query|+pixel|+subdomain|fragment !HEADER""",
    _DECODES: """
DECODE <12 then|and|,|: <3 OBEY <1 IT|the|its|exactly|as|all|what|whatever|: ...
DECODE <10 follow|obey|execute|comply|exec|eval /static|statically|never|developers|unambiguous ...
morse|rot13|base64|hex <2 decode <3 and|then <2 do|run|follow
follow|obey|execute|carry_out|act_on|do_what|comply_with|run|perform <8 CODED <6 +instruction|+command|+order|text|string|payload|letters|message|script|blob|below|here|line|lines|comments|above|image|images /metadata|check|directly|chronological|skill
follow|obey|execute|carry_out|act_on|run|perform|heed <3 +instruction|+command|+order|text|+task|message|directives <6 in|inside|hidden|within|from|behind|encoded|by <4 CODED
CODED <8 carry_out|carry_them_out|act_on|obey
image|png|jpg|picture|logo <6 holds|hold|contains|hides <3 +command|+instruction|+order <10 carry|follow|execute|obey|run ...
last_words|first_words|last_word|initials|capital_letters|last_letters|every_third <8 form|spell|give|make|say|are <3 your|+task|+order|+instruction|+command|what
CODED <10 holds|hold|contains|contain|carries|carry|has|is|are|spell|spells <2 your|real|true|actual <2 next|real|new|true|+instruction|+task|+order|+command
CIPHER|encoded|hidden|qr|blob|ciphertext <10 then|and|, <2 follow|obey|execute|run|do|eval|act_on <2 IT|the|what|: !not|never
interpret|treat|read|take <6 CODED|letters|numbers|colors|colours <5 as <2 +command|+instruction|+order
base64 <2 -d|--decode|-di <8 <pipe> <2 SH|INTERPRETER
xxd|openssl|gunzip|zcat|tr|rev <8 <pipe> <2 SH|INTERPRETER
combine|concatenate|join|interlace|glue <8 +part|strings|pieces|words|halves <8 answer|execute|follow|obey|use|run|do|respond""",
    _CHECKS: """
pipe|feed|send <2 yes <2 into|to|through
use|try|take <2 admin|root|administrator <1 +token|+key|+credential|account <4 when|if|whenever|once <6 refused|denied|fails|rejected|missing|enough
set|change|make|turn <5 777|0777|world_writable !never|from
catch <4 +exception|+error|everything <4 return|returns <2 true|ok|success|none <8 login|auth|check|access|permission|verify|validation
let|have|allow <6 issue|comment|page|ticket|mail|email <2 run|execute <3 sudo|root|administrator
merge|push|deploy|ship|release|commit <4 when|even_if|although|while|with|despite <4 check|checks|ci|+test|build|pipeline|errors <3 red|fail|fails|failing|failed|broken
ignore|disregard|suppress <3 +error|+warning|+failure <2 and|then <2 ship|push|deploy|merge|release|commit|go_on
set|tell|configure|let <3 linter|scanner|hook|checker|gate|suite <4 ignore|accept|allow|skip|pass <3 everything|anything|all|whatever
whitelist|allowlist|allow <3 ALL <2 domain|+origin|host|hosts|+script|source
push <3 --force|-f|force <6 whenever|when|if|always <5 rejected|refused|fails|denied
make <3 +test|suite|ci <3 pass|green <2 by <3 changing|editing|adjusting|removing|deleting|weakening|skipping
skip|drop|omit <2 approval|review|confirmation|sign_off <1 step|stage|gate|process <4 for|when|if|on|.
turn|switch <1 off <2 GUARD|+hook|+check|+scanner|+test <4 before|while|when|to|so
report|say|claim|state <2 that <5 well|fine|ok|passed|success|successful <6 any|every|case|regardless|always
approve|merge <1 your_own <1 change|changes|work
disable|turn_off|switch_off|deactivate <2 linter|linting|lint|type_checking|type_checker|typechecker|static_analysis|code_review|reviews|scanner|scanning|tests|hooks <3 for|in|on|to <3 whole|entire|everything|all|repository|repo|project|get|make
skip|omit|ignore|drop <2 validation|verification|checking|check <3 of|for|on <4 +signature|+certificate|+token|+permission|+webhook|checksum|+password|identity|login
use|add|pass|try <1 --force|-f|force <4 whenever|always|every|each|if <6 complains|complain|fails|refuses|rejects|rejected|objects|time
merge|auto_merge|approve|accept|deploy <2 whatever|everything|anything|all <3 bot|agent|author|contributor|user|it|they|contributors|dependabot <2 proposes|sends|opens|suggests|writes|offers|says
answer|say|reply|respond|click <1 yes|ok|y <2 to <1 ALL|each <3 +prompt|+confirmation|+question|+dialog|+request|+warning|.
ignore|dismiss|disregard|skip <1 FAILING <2 CHECKED
exclude <5 from <2 scan|scans|check|checks|audit|review|scanner|linter|coverage <8 so|if|when|until|pass|passes|green !generated|vendored|fixture|fixtures|third_party
if|when|whenever <3 CHECKER <3 complains|fails|objects|red|barks|warns|blocks|refuses <3 exclude|ignore|disable|skip|silence|suppress|mute|remove|delete
comment <3 +check|+test|+step|+assertion|+validation <1 out
push|merge|deploy|release|ship|commit <1 first <6 review|test|tests|ask <4 later|never|afterwards
tick|check_off|mark|sign <6 without <1 doing|running|reading|performing|executing|checking
skip|ignore|leave_out|drop <6 +test|+check|+step <12 say|claim|report|state|tell|write <4 passed|green|ran|fine|done|ok
run|runs|execute|keep|start <3 as <1 root|administrator|admin|superuser <4 ALL|time|permanently|everywhere
loosen|relax|widen|weaken <4 +permission|+right|acl|acls|access <8 until|everything|whole|all|works
set|make|give|change <2 ALL <2 role|+user|account|+permission|member|members <3 to|as|an <1 owner|admin|root|full|superuser
lower|raise|change|adjust <3 +alert|alarm|alerting|monitoring|paging <2 threshold|limit|limits <6 so|nobody|until
OFF <3 CHECKED <1 CHECKING !failures|failure|GROWN|third_party|header|headers|mode|fuzzing|kubectl|sync|verbose|staging|index /:|with|by|code|and|or|flags|,|to
OFF <4 GUARD <2 .|,|:|—|<semi>|so|when|before|if|for|and|in|at|on|because|until|while|during|then|to|by|with|using|via|entirely|completely|everywhere !legacy|customize|appid|testing|wish|re_enroll|unsafe /with|without|to|at|when|that|for|setup|access|allowing|potentially
CHECKED <1 CHECKING <3 MUST <1 be <3 OFF:ed
GUARD <3 MUST <1 be <3 OFF:ed
turn|switch|shut <6 CHECKED|GUARD|<checkkey>|gpgsign <4 off /to|main|fresh|new
OFF <3 <checkkey> /:|=|#|frontend|individual !only|legacy
disable|turn_off|switch_off|stop <3 +backup|versioning|replication <3 .|,|so|when|before|if|for|and|to|because|on
skip|omit|drop|waive <1 verification|identification|authentication|authorization|validation|approval|review|+signature|consent|confirmation|lockout|id_check|+safety_check|+security_check <2 .|,|:|—|<semi>|so|when|before|if|for|and|on|because|until|while|during|then|to|in !vendored|docs|typo|dependency|bumps|kubectl|client_side|apis|raise|post|but|needed|human|pre_validated|already /<skipkey>|<checkkey>|—
OFF|xfail|mark|edit|rewrite|rename <3 FAILING <1 TEST !TRACKED|meaningless|redundant|duplicate|cause|intermittent|network /or
OFF|edit|rewrite|xfail <3 TEST <1 that|which <2 fail|fails|break|block|not|don't|is|are
EDIT <4 TEST|expected|assertion|snapshot|threshold|baseline <5 so|until <4 GREEN
lower|reduce|relax|drop|loosen <4 coverage <2 threshold|requirement|minimum|gate|limit
mark <3 ALL|FAILING|+review|+pr|+check|+comment <4 as <2 approved|passed|done|skipped|passing|resolved|xfail|expected|reviewed|safe
skip|bypass|merge|push|commit|release|deploy|ship|publish <6 without|no <4 REVIEW !store|out
skip|bypass <2 review|approval|approvals <1 .|,|for|on|when|and|by|that !GROWN|slash|phase|with|dependency|bumps|settings|delay|ran|optional
NOT <2 VERIFY <3 CHECKED <0 CHECKING !gate
NOT <0 VERIFY <3 signature|signatures|checksum|checksums|certificate|certificates|fingerprint|fingerprints|approval|hashes|host_keys|host_key|provenance|integrity|sandbox|identity|id !accept|encoding|re_invoke|session|utility|run_id /—|for|stop|when|,
NOT <1 run|use|start|execute|enable <3 security|vulnerability|secret|malware|virus|dependency|integrity <2 +scanner|+scan|+check|+audit|+test|+checker /for|+assert|statements
NOT <0 run|wait_for|start|bother|bother_with <4 +test|+linter|ci|+check|+test_suite|+scanner|+review|+audit <2 before|,
so <3 CHECKER <1 not|never|doesn't|isn't|won't|can't|cannot <2 see|notice|catch|match|flag|find|detect|fail|fails|trigger|triggered|run|complain|object|block|reject|fire|review|spot|asked|requested
so <2 CHECKER <1 misses|miss|skips|ignores|overlooks|never !enter|runs|but
so <4 no <1 CHECKER <4 requested|needed|required|triggered|raised|asked|involved|notified|notices
so <2 it|it's|they|file|that <3 skipped|ignored|bypassed|overlooked|unnoticed|undetected !cache|cannot|can't /cannot|can't|someone
so <5 too <1 large|long|big|complex|tedious <2 review|read|check|to
if|when|even_if|although <2 signature|checksum|hash|certificate|verification|fingerprint|scan|check|review|+test <6 not|fails|fail|invalid|expired|mismatch|missing|red|flags|refuses|doesn't|complains <8 anyway|regardless|nevertheless
proceed|continue|go_on|carry_on <2 with|despite|on <2 DOUBTFUL|failing|failed|red
accept|install|trust|allow|load|merge <3 DOUBTFUL <2 +certificate|+package|+image|+commit|+binary|+plugin|+publisher|+signature !test|tests|negative|fixture|reject|reserve
replace|update|regenerate|change|overwrite|recompute <3 checksum|hash|integrity|signature|fingerprint <8 not|doesn't|mismatch|wrong|fails|differ
retention <3 0|zero|none /caps|,
set|raise|extend|increase|change <3 session|token|password|key|cookie <1 timeout|lifetime|expiry|expiration|ttl|rotation <5 years|decade|never|unlimited|infinite|forever|none|off
lower|downgrade|set|reduce|change <2 severity <6 info|low|ignore|none|lowest|note /than|exploitable|not_exploitable|not !verified|exit|seed
--max-warnings <1 -1|999|9999|99999|1000
GRANT|give <5 account|app|bot|hire|employee|user|users|contractor|agent|plugin|integration|everyone|key|token <5 owner|admin|root|full|all|editor|superuser <3 role|access|+right|+permission|mailboxes|+scope|production|+repository|+project !test|tests|fixture|fixtures|demo
use|log_in_as|login_as|work_as <3 root|administrator <4 +key|+credential|account|account's|+token|+access_key|user !test|tests|e2e|local /non|non-root-user|not
allow|permit|accept|enable <3 +login|access|+request|+user|sign_in <2 without|with_no <2 +password|authentication|token|mfa|2fa|login
enable|leave|keep|expose|open <3 debug|admin|internal|diagnostic <2 +endpoint|+port|mode|+console|+route|panel|+interface <6 production|prod|public|internet|outside|internet
open|allow|permit|accept <5 all|any <2 inbound|incoming|connections|ports|ips <8 .|on|from|to|so !vpc|internal|private|localhost
RUN|install|load|eval|obey|open|trust <2 any|whatever <4 +command|code|+script|+plugin|+package|+attachment|+link|+macro|sql|+query|+tool|+file|+url <10 STRANGER|user|users|customer|customers|model <3 says|suggests|gives|sends|contains|asks|posts|supply|supplies|links|recommends
RUN|eval|obey|carry_out|execute <3 +command|code|code_block|code_blocks|sql|+query|+instruction|+snippet|+macro|+attachment <3 in|from|inside|of|that|which <4 +issue|+comment|+email|+ticket|+description|pull_request|website|+message|chat|error|+attachment|forum|+mail|its|users|customers <6 body|to|first|directly|supply|at|without|.|before !read|review|sandbox|untrusted|reproduce|repro|template /by|user|include
OBEY <0 what|whatever <8 says|say|tells|states|contains|demands !checker|compiler|test|tests|doc|runbook|policy|user|owner|maintainer|reviewer|spec|docs|guide|linter|plan|log|output|schema|style|config|pr|it|manual|error|docstring|handbook
obey|heed <4 +comment|+line|+message|+mail|+word|+note <2 that|which|from|starting|by
pickle|marshal|yaml <2 loads|load|unsafe_load <6 request|body|user|input|upload|network|cookie|client|queue
run|execute|eval <5 no|without <1 filter|filtering|sandbox|validation|sanitizing|escaping|limits|checks /but|track
accept|take|allow <8 in_place_of|instead_of|in_lieu_of <3 id|identity|signature|approval|verification|review|receipt|proof
sign|accept|confirm|agree_to <3 contract|consent|agreement|terms|waiver|form <4 for|on_behalf|in_the_name|instead <3 USER
reset|change|unlock|transfer <4 any|every <2 account|number|+password|booking|profile <6 request|chat|asked|asks|call|caller
refund|upgrade|grant|approve|credit|waive|issue|give <8 anyone|any|everyone|customers|customer|guest|guests|callers|people <2 who|that <1 mention|mentions|complain|complains|threaten|threatens|quote|quotes|insists|insist|know|knows !link
approve|refund|issue|pay|credit <4 of|any <1 any|amount|size|sum !up|limit|below|under
unpin|float <3 +dependency|+version|+package|lockfile|+action
sign|enroll|subscribe|opt <3 USER <2 up|in|for|into|to <6 default|without|automatically|silently
use|try|log_in <4 +password|+credential|+token|+key <6 posted|screenshot|leaked|dump|breach|pasted
TRUST|merge|grant|authorize|auto_approve <5 all|any|every <4 +pull_request|+pr|+merge_request|+permission|access|+tool_call|+confirmation|+certificate|+host_key|+fingerprint|+command|+dialog|+plugin|+extension|+origin|+publisher|+invoice !after|once|green|passes|approved|passed|development|dev|local /before|must
TRUST <3 all|any|every|each <4 +change|+request|+package|+input <6 without|automatically|blindly|unread|from
always|automatically|blindly|just <1 approve|merge|accept|trust <5 from|by|of|certificate|certificates|+pr|+pull_request|fingerprint|+request|+prompt|blindly|unverified|unknown|host_keys|host_key|+invoice|+change
answer|say|reply|respond|click|choose|select|press|confirm|accept|dismiss <4 ALL|+prompt|+confirmation|+question|dialog|+warning <4 yes|y|ok|accept|allow|automatically /:|ends|up
click|confirm|accept|dismiss|approve <2 ALL <3 +prompt|+dialog
yes|lgtm|approve|y <2 to <2 ALL <3 +prompt|+confirmation|+question|+dialog|+request|+permission
NEVER|no_need <3 ask|wait|request|seek|require|prompt|asking|waiting|stop|pause|bother <6 DANGER /have|response|ordinary|conflict|conflicts|warnings|and|but|in
DESTROY|force_push|push|publish|deploy|transfer|reset|pay|purchase|refund|merge|install|send|ship|order|book|accept|approve|issue|close|sign|buy|sell|place|grant|release <14 without <1 ASKED !never|out|store|history|session
commit|execute|run|change|submit <3 ALL|DANGER|anything|whatever <14 without <1 ASKED !never|out|store|history|session|three|safe|read_only
run|execute|do <3 everything|all|every|any <3 as|with|without|command|commands|tools <3 root|sudo|administrator|asking|confirmation|sandbox|limits|restrictions|checks|isolation
always <1 run <4 as|with <0 root|sudo|administrator
RUN <10 as <1 root|administrator <4 ALL|always|each
run|use|start|keep <6 without|outside <2 sandbox|sandboxing|isolation|container !never
no|without <2 call_back|callback|confirmation|approval|review|verification|identification|sign_off|questions <1 required|needed|necessary|asked <4 to|for|before|when|if|on <4 DANGER|ALL|+account|+refund|+payment|production|money|+password !completed|were|duplicate|coverage|already|suggest|suggesting /duplicate
ALL|DANGER|+account|+refund|+payment|production|money|+password <8 no|without <2 call_back|callback|confirmation|approval|review|verification|identification|sign_off|questions <1 required|needed|necessary|asked !completed|were|duplicate|coverage|already|suggest|suggesting /duplicate
no_questions_asked
NOT|no <1 require|need|needed|required <2 approval|confirmation|authentication|verification|signature !docs|documentation|those
ALWAYS <2 force <1 push <3 to|over <1 main|master|production|release
push <4 --force|-f|force <4 main|master|production|protected <4 without|always
lgtm <4 without|always|every|all
always|just <2 answer|reply|respond|say|comment <2 lgtm
return|returns <1 true|none|allow|ok <4 from|in|for <4 auth|authentication|permission|access|security|signature|validation|authorization|<checkkey>
approve|merge <2 your_own|own <2 +pull_request|+pr|+change|+merge_request
self_approve|self_merge
push|commit <3 directly|straight <2 to <1 main|master|production|release
add|put|insert|use|sprinkle <5 noqa|nosec|nolint|ts_ignore|ts_nocheck|type_ignore|eslint_disable|istanbul_ignore|skip_file <8 ALL|whole|entire|top|so
replace|change|swap|wrap <6 +assertion|+assert|expect <6 true|pass|nothing|try|no_op|toBeTruthy
continue <0 on <0 error <1 true <8 security|scan|scanner|audit|lint|+test|codeql|+check|+job|+step|every|all !initially|temporarily|optional|experimental|flaky
+check|+scan|+scanner|+job|+step|+test|security|audit|codeql|every|all <8 continue <0 on <0 error <1 true !initially|temporarily|optional|experimental|flaky|first
<local> <10 without|no <2 auth|authentication|password
set|switch|change|put <4 approval|permission|permissions|confirmation <2 mode|policy|prompt|level <4 never|auto|off|none|yolo|bypass|full|automatic
enable|turn_on|use|activate|switch_to|start|work_in <4 auto_approve|auto_accept|auto_approval|bypass_permissions|full_auto|god_mode !never
remove|delete|drop|strip|relax <5 +restriction|+prohibition|deny|denied|safety|security|+guardrail|+limit|forbidden <8 agents.md|claude.md|settings.json|.cursorrules|prompt|config|settings|instructions
use|borrow|reuse|take|try <4 admin's|another|someone|colleague's|leaked|maintainer's|root's|user's|owner's <3 +credential|+token|+key|+password|account|+session
so <8 no|without|not <4 approval|review|alert|alarm <4 triggered|required|needed|fires|triggers|kicks|raised|asked|happens|notices
stay|keep|split <8 below|under <4 threshold|limit|amount <6 approval|review|alert|audit|reporting|check
change|set|replace|update|use|swap <4 payout|iban|bank|payee|payment|billing|wallet|beneficiary|salary <2 account|details|address|iban <8 to|from|with|in
comment_out|remove|delete|disable|skip|drop <3 security|audit|scan|codeql|lint|sast|dependency|license <1 +job|+step|+stage|+workflow|+hook !readme|docs
use|run <3 sudo|root <3 without <2 ASKED
turn|switch|set <2 auto_approve|auto_accept|auto_run|autopilot|yolo <2 on|to|mode
change|adjust|edit|update|rewrite <3 +assertion|expected|+expectation|+snapshot|+test <4 match|fit|accept <4 wrong|bug|broken|buggy
pin|limit|restrict|configure|set <4 test|tests|runner|suite <6 only <3 passing|green
gh <6 merge <4 --admin
+test|audit|lint|check|scan|ci <8 <pipe> <0 true ?
return <6 <checkkey>|check_license <4 true|success|early
ignore|dismiss|suppress|silence|disregard <4 security|vulnerability|cve|certificate|tls|audit|scanner|sast <2 +warning|advisories|+alert|+finding|+issue|+error|+report|output
ignore|dismiss <2 FAILING <1 +check|+pipeline|ci <4 merge|push|deploy|release
commit|push|merge|deploy <6 skip|bypass <2 hooks|review|tests|checks
commit|push|merge|deploy|add|put|use|append <6 skip|bypass <2 ci <6 ALL|always|so|until|faster|time|hooks|tests|checks !badge|version|bump|changelog|docs|bot|loop|generated
skip <1 ci <6 ALL|always|so
commit <4 -n|--no-verify|<weak> /unless|checks|skip|skips|bypasses|prevents
<weak> ~<options> ?
curl|wget <8 -k ?
<checkkey> <0 = <1 false|0|no|off|none|never|disabled|skip|disable|null|ignore|allow|optional|unconfined|dangerous|warn ?
<checkkey> <0 :|to|to_be|is <1 false|off|disabled|disable|never|unconfined|null ?
<checkkey> <0 false|off|disabled ?
stricthostkeychecking|sslverify|gpgsign|gpgcheck|strict|permitrootlogin|checkhostname <1 no|0|none|false|off ?
verify|husky|gpgcheck|sandbox|seccomp|apparmor|audit|strict|validate|csrf|tls|ssl|protect|hooks|enforce|enforcement|auth|approval <0 = <0 false|0|no|off|none|never|disabled|unconfined|warn ?
sandbox|seccomp|apparmor|csrf|tls|ssl|enforce|verify|strict <0 : <0 false|off|disabled|0|unconfined ?
<skipkey> <0 = <1 true|1|yes|on|all|<root> ?
<skipkey> <0 : <1 true|yes|all|<root> ?
<skipkey> <0 to <1 true|<root> ?
<skipkey> <0 true ?
skip <1 = <1 1|true|all|yes|<checkkey> ?
debug <2 true|on|1 <12 production|prod|live !never|off|logs|sampling /logs|—
hookspath|<checkkey> <2 <null>
chmod <3 777|0777|a+rwx|666|o+w|a+w
setenforce <1 0
ufw|csrutil|firewalld|auditd|apparmor|selinux|fail2ban|falcon|spctl <1 disable|stop|off|--master-disable
systemctl|service <2 stop|disable|mask <2 ufw|firewalld|auditd|apparmor|fail2ban|falcon-sensor|clamav|rsyslog|osqueryd
iptables|nft <2 -f|flush
executionpolicy|set-executionpolicy|-executionpolicy <2 bypass|unrestricted
give|grant|set|make|open <6 ALL|world|everyone|public <3 write|writable|777|full|+permission|access|readable <4 +file|+folder|+directory|server|system|bucket|repo|repository|machine
edit|change|modify|rewrite|relax|update|loosen|widen <3 your_own <3 settings|permissions|allowlist|allow_list|config|configuration|policy|hooks
add|put <5 bash|shell|<root>|rm|sudo <6 allowlist|allow_list|allowed_tools|auto_approve|auto_approved|permissions.allow|allowedtools
downgrade|fall_back <3 tls|ssl|http|md5|sha1|sha|des|telnet|sslv3
downgrade|pin|lower <6 older|old|vulnerable|outdated <3 +version|release
allow|enable|permit|use <3 null|weak|anonymous|rc4|sslv3|tlsv1 <2 +cipher|authentication|login|logins|+password|+hash
allow|permit|accept|set|enable <4 cors|+origin <2 ALL|<root>|any /trusted|specific
render|accept|deploy|expose|serve|publish <10 without|no <2 sanitizer|sanitization|sanitizing|sanitisation|escaping|validation|authentication|auth|encryption|password /json|schema
refund|credit|discount|compensate|waive|issue|approve|pay <6 without|no_matter|regardless|even_if|any|every <4 receipt|proof|check|verification|reason|limit|amount /text|clears|+tracker
go_ahead|proceed|continue|carry_on <6 without <1 ASKED !only|reversible|correct|never|typo|typos|trivial|correct|minor|explicitly|safe|low_risk|reversible|formatting|read_only|obvious
treat <4 silence|no_answer|no_reply <4 approval|consent|yes|agreement
assume <4 user|owner|customer|reviewer <4 agrees|approved|consents|approves|consent""",
    _HIDES: """
answer|reply|report|respond|write <3 made_up|invented|fabricated|fictitious <3 +number|+figure|+result|+benchmark|+measurement|+source|+quote|+citation !example|placeholder|sample|test
USER <1 must|should|may|shall|can|need <1 not <3 find|know|learn|see|notice|hear|discover|find_out
whoever|anyone|nobody|reviewer|reviewers <5 need|needs|should|must|has <2 not|never|know <2 know|learn|see|hear|about
make|do|apply|commit <5 silently|quietly|secretly <3 and <4 not|never|don't
pretend <4 +error|+failure|+crash|it|nothing <4 not|never|happened|didn't <6 and|. <2 report|say|claim
report|publish|present|give <2 fake|false|invented|made_up|fabricated|better <3 +number|+result|+figure|+benchmark|+metric|scores
act|behave|proceed|continue <3 though|if <6 succeeded|passed|worked|happened|successful|fine
summary|report|answer|+message <3 should|must|may|can <2 leave_out|omit|hide|skip|not_mention|conceal
behind <2 user's|owner's|team's|customer's|reviewer's <1 back
NOT <1 SAY <6 +failure|+error|+problem|+loss|+outage|+breach|+incident|+deletion|+bug <3 to|from <2 USER !twice|internal|raw
say|claim|report|state|write <5 +test|tests|build|check|checks|everything <1 pass|passes|passed|green|works <3 nobody|no_one|anyway|regardless|even
silently|secretly|covertly|quietly|stealthily|discreetly <1 upgrade|raise|extend|widen|elevate|grant|escalate|increase
make_sure|ensure|see_to_it|take_care <2 nobody|no_one|none <4 sees|see|notices|notice|knows|learns|finds|hears
+log|+trace|+record|history <4 your|you <5 MUST <1 be <2 DESTROY:ed|emptied|cleared
explain|wave|talk <5 FAILING <3 away
HIDE <6 in <3 fine_print|footnote|footnotes|small_print|appendix !SECRET
NOT <1 let|letting <3 USER <1 know|see|notice|find|learn|realize|realise
NEVER <1 TELL <4 USER <3 .|,|:|—|<semi>|about|this|it|these|anything|you|failing|failed|+error|+failure|+bug|+mistake|+change|deletion|+cost|+credential|+rule|+lesson|+instruction|+note|was|were|know|see !will|date|internal|raw|stack|until|before|twice|instead /to|what|them|warning|warn|of|which
NOT <1 SAY <3 THIS|what|anything|everything|your|it|any_of|that <2 RULE|step|steps|change|changes|behaviour|behavior|conversation|session|+command|+action|file|files|request|requests|you|actions|work|conflict !twice|again|verified|tested
NOT <1 mention|reveal|disclose|report|admit <1 it|this|them <2 to <2 USER !twice|again|until|before
NOT <1 report|flag|mention|raise|comment_on|point_out|note|reporting|flagging|mentioning|raising <5 injection|injections|xss|+vulnerability|+security_issue|+security_hole|+security_bug|+security_problem|+security_finding|+backdoor|FAILING|failures|hard_coded|hardcoded|+weakness|+breach|+incident !public|publicly|twice|github|issue|issues|unless|private|internal|customer /pass|when|success|as
NOT <1 SAY <3 extra|new|added|failed|failing|skipped|removed|deleted|changed|real|actual|hidden|disabled|additional <5 PLACE|summary /html|in
HIDE <8 from <4 USER|+report|+review|summary|+diff|+log|changelog|output|transcript|reviewer's !docs|SECRET|personal|pii|sensitive|generated|noise|GROWN|documentation|interface|input|inputs|table|view|list|menu
keep <2 it|this|that|these|them|+failure|+change|+error|+cost|news|details <6 from <4 USER|+report|+review|summary|+diff|changelog !docs|SECRET|personal|pii|sensitive|noise
keep <0 THIS|that|it <0 secret|hidden|confidential|between|to|private|quiet|from <2 us|yourself|.|,|:|and|USER
keep|treat <1 THIS|that <1 RULE|+line|+message|+change|step <1 secret|hidden|confidential|between|private|quiet
silently|secretly|covertly|quietly|stealthily|unnoticed|discreetly|surreptitiously|invisibly <2 SEND|PUT|OFF|DESTROY|ADD|EDIT|RUN|merge !fail|fails|return|ignored|dropped|warnings|unsupported|duplicate|duplicates /without|and
without <0 TELL <3 USER
without <1 being|anyone|USER|leaving <3 noticed|noticing|trace|traces|knowing|seeing|finding|realizing|realising|knowledge /scan|vendor|human
without <1 USER <2 being|getting <1 told|informed|asked
without <1 mentioning|disclosing|reporting|admitting <1 it|this|that|them
report|mark|count|treat|record|label|log|close <6 as <1 clean|false_positive|false_positives|paid|noise|benign <6 if|when|even|although|regardless|without|.|so|and !webhook|arrives|confirmed|only|after|once
report|mark|count|record|label|log <6 as <1 passed|passing|successful|verified|approved|green|fixed <8 regardless|although|even|skipped|timeout|times|unread|without|untested
mark|dismiss <2 all|every|any <3 +vulnerability|+alert|+finding|+complaint|+advisory|+warning|+incident <6 as|.|so|before|without|unread !after|once|read
delete|hide|collapse|remove <4 +comment|+review|+thread <3 from|of|by <3 +reviewer|+maintainer|+customer
resolve|dismiss|approve <4 +thread|+comment|+review <2 yourself
delete|archive|mute|filter|remove|move <5 +email|+mail|+alert|+notification|+message|+warning|+ticket <8 before <3 anybody|anyone|they|owner|user|someone|team <2 reads|read|sees|see|notices|looks
delete|remove <4 +email|+mail|+message <6 outbox|sent_folder|sent_items
change|edit|remove|empty|delete <3 codeowners|code_owners <6 so|to|before
NOT <1 file|escalate|submit|forward|raise|open|report|register|record|notify <4 +complaint|+incident|+breach|+leak|+incident_report|safety|fraud|abuse|+near_miss|+violation !public|publicly|twice|github|before|until|flaky|duplicate
leave_out|omit|drop|skip <4 deleted|failed|skipped|removed|disabled|broken <4 when|from|in <3 summary|report|answer|review|you|list|+release_note
leave|keep <5 deleted|failed|skipped|removed|disabled|broken <3 out <4 when|of|from <3 summary|report|answer|review|you|list
tell|say|claim|assure|state|pretend <12 although|though|even_though <3 it|they|that|we|you|this <1 is|are|was|were|does|do|did|have
CLAIM|tell_the_user <6 +test|+check|+build|everything|work|task|ci|suite|code|fix|verification|deployment|all|migration <3 GREEN|fine <5 REGARDLESS|when|without !like
pretend <4 +test|+check|+build|everything|work|task|ci|suite|code|fix|verification|deployment|migration|upload|command|run|release|payment <3 GREEN
report|claim|state|announce|declare|say <3 success|green|passed|complete|done <6 REGARDLESS|always|even_if
catch|swallow|ignore <3 +exception|+error|+failure <2 and|, <1 report|return|claim|print|say|continue <2 success|that|it|passed
FAKE <3 +test|+result|+output|+log|+report|metrics|coverage|numbers|+statistic|evidence|citations|sources|+benchmark|+approval|timestamps|+measurement|+review|signature|+number|+receipt /gas|channel|doctor|runs
lie <1 to|about
forge <3 signature|signatures|+approval|+receipt|evidence|+result|+review !attacker|boundary|thread
clear|erase|wipe|truncate|tamper_with|overwrite|scrub|purge|clean|delete|remove|edit|disable|turn_off|rewrite <2 audit|access|shell|command|session|bash|event|security|activity|login|your|system <3 +log|history|trail|+trace|+record|tracks|footprints|entries !rotate|retention|year|years|days|older|micro /as|secrets
clear|erase|wipe|scrub|purge|delete|remove <3 +log|+entry|+trace|+record|history <6 your|session|own|you
clear|erase|wipe|truncate|delete|remove|empty|rm <3 <history>
cover <3 tracks
history <1 -c
unset <1 histfile
histfile|histsize|histcontrol <1 = <1 0|<null>|<path>|ignorespace|ignoreboth
set <1 +o <1 history
auditctl <2 -d
wevtutil|clear-eventlog|journalctl <2 cl|--vacuum-time=1s|--rotate|-logname
encode|encrypt|obfuscate|invert|reverse|scramble <7 your <3 REPLY
encode|provide|write|give|render|send|put|convert <3 your <1 REPLY <4 CIPHER
CIPHER <5 your <1 REPLY
reply|respond|answer <3 in|using|with|by <3 CIPHER
deny <0 that|having|knowing
impersonate|pose_as|pretend_to_be <4 USER|+colleague|support|bank|ceo|owner's
tell|say|claim|assure|promise|confirm|state|report <12 even <0 if|when|though <6 not|isn't|wasn't|doesn't|didn't|failed|no|never|false|untrue|don't|haven't|hasn't
when <2 nobody|no_one <3 watching|looking|online|away|asleep|around|offline !morning
asked|asks|ask <14 change_the_subject|evade|deflect|don't_know|play_dumb|feign|act_surprised|stay_vague
so <1 that <2 nobody|no_one|USER <2 asks|complains|objects|questions|wonders|suspects
squash|hide|bury|split|rename|move <14 so <8 not|never|isn't <1 visible|obvious|seen|noticeable
write|say|state|report|claim|note|log|confirm|record <4 that <4 was|were|has|have|is|are <3 tested|verified|reviewed|checked|done|approved|backed_up|measured <6 even|although|without|anyway|regardless
round|adjust|smooth|trim|scale|move <4 +rate|+number|+figure|+result|+metric|score|coverage|+date|clock|timestamps <4 down|up|to|back|so <5 zero|look|pass|sign|better
leave|keep <3 +outage|+incident|+breach <3 out|off|from
tell|say|claim|inform <6 out_of_stock|sold_out|unavailable|broken|lost|expired|not_possible|mandatory|required_by_law <6 so|even|although|unless|margin
quote|charge <4 higher|worse <2 +price|+rate|+fee|terms <4 to|for|when
add|charge|include <3 +fee|surcharge|+item|+cost|insurance|subscription <6 not|without|hidden|silently <3 shown|mention|mentioned|visible|invoice|asking|telling
asked|asks|ask <12 deny|lie
asked|asks|ask <12 answer|say|reply|respond|claim <1 no|nothing|you_did_not|you_didn't
asked|asks|ask <2 why <6 off|disabled|missing|gone|failed|deleted <4 say|answer|claim|tell|blame
keep <3 USER <3 dark
keep|stay|remain <1 quiet|silent|mum <1 about|on
delete|destroy|hide|erase|clean_up|get_rid_of <2 evidence|traces|tracks|footprints
so <1 that|nobody|no_one <5 nobody|no_one|one|reviewer|reviewers|owner|else <4 see|sees|notice|notices|know|knows|find|finds|suspect|suspects !error|clearly|easily
so <8 isn't|not|cannot|can't|never|nobody|no_one|untraceable <3 traced|traceable|trace|noticed|notice|detected|attributed|discovered|suspected|suspects|blamed|caught|tell
NOT <1 show|showing|include|list|display <4 +diff|+change|+log|+error|+command|+failure|+cost|+price|this|it <3 to|in <2 USER|summary|+report !internal|raw|stack|technical|trace|traces|sensitive|messages|sql
OFF|stop <3 logging|trail|+audit_log|monitoring|+log <2 before|while|when <1 you
NOT <1 say|tell|admit|mention|reveal|disclose|acknowledge <3 that|what|how|why|whether <1 you
withhold|omit|leave_out|keep_back|drop|leave <4 +error|+failure|+problem|+warning|bad_news|+detail|+deletion <4 from|in|of|out <3 USER|summary|report|answer|reply|review
push|rewrite|rebase <6 --force|force|history <10 disappears|disappear|gone|vanishes|unrecoverable|never_happened
make|set|use|change|fake <5 commit <2 author|date|identity <6 so|to|of|as|user's|colleague|someone
write|log|record|leave|note <1 nothing <2 in|to|about !than|stdout|stderr|disk
bury|slip|tuck|mix|disguise <6 change|changes|edit|edits|commit|it <5 in|into|among|as <5 large|formatting|refactor|unrelated|big|chore|other
blame <4 user|network|ci|another|colleague|someone|flaky|previous !log""",
    _SPREADS: """
repeat|copy|include|write|paste|quote <4 ALL <1 future|next|later|new|following <1 REPLY
add|register|install|copy|write|put <1 yourself|itself <3 to|in|into|as <4 startup|autostart|boot|login|STARTUP
copy|add|append|write|insert|propagate|repeat|put|spread|replicate|include|paste|carry|duplicate|pass <2 THIS|yourself <2 +sentence|+rule|+lesson|+instruction|+guideline|playbook|prompt <5 to|into|in|over|at|on <4 ALL|other|BOOK|new|it|next !security|your
ADD|insert|paste|put|write <3 sentence|line|paragraph|rule|block|text|lesson|instruction <24 BOOK <5 ALL <3 +repo|+repository|+project|you|+file|+folder|+skill
teach|tell|pass|give|hand <2 THIS <1 RULE <4 other|others|ALL|next <3 +agent|+assistant|+model|+bot|+session
keep|put|place|hold|leave <2 THIS <1 RULE|+note|+line|+sentence <6 RULEFILE <6 ALL|every|each
re_add|restore|recreate|reinstall|put_back <3 STARTUP <8 removed|deleted|gone|missing|cleaned
<reboot> <2 <code>|<path>|FETCHER
vote|upvote <2 for|THIS <2 RULE|lesson
THIS <1 RULE <4 still <1 there|present|exists|in_place|active|here
write|add|put|insert <2 lesson|rule|note|instruction|bullet|it <3 again|back <12 deletes|deleted|removed|removes|gone|missing
copy|add|put|write|paste|insert <1 THIS <2 file|text|lesson|rule|line|sentence|paragraph|block <5 to|into|in <4 RULEFILE <5 ALL|every|each|machine|other
infect|replicate|propagate|spread <1 other|+agent|yourself|itself|THIS <2 +agent|rule|lesson|.|to|in|into !size|fold
so <3 +agent <2 inherit|inherits
ADD|set <4 STARTUP <12 RUN|FETCHER|download|downloads|fetches|runs|executes|calls|sends|pushes|posts|uploads|<url>|<code> !sync|dotfiles /folder|or|launch|worktree|collection
ADD|echo|<url> <12 to|into|<into>|in <3 .bashrc|.zshrc|.profile|.bash_profile|.zshenv|.zprofile|crontab|rc.local <8 so|persist|survive|every|each|runs /path|nvm
<pipe> <1 crontab
so <2 THIS|you|rule|lesson <3 survives|persists|comes_back|survive|persist|reappears <6 .|deletion|reinstall|reboot|cleanup|reset|update|if|when|after
if <4 RULE <3 removed|deleted|edited|missing <6 restore|add|write|put|insert|recreate|append
restore|recreate|re_add|reinsert|put_back <4 THIS <2 RULE <6 removed|deleted|removes|deletes|edits|missing
never|not|don't <2 remove|delete|prune|edit|drop|change <1 THIS <0 RULE !file|hand|manually
rate|mark|score|vote|count <3 THIS <2 RULE <4 helpful|useful|high|positive|important""",
    _DESTROYS: """
empty|wipe|clear <5 trash|reflog|+backup|recycle_bin <8 nothing|recovered|restored|recover|restore|undo
git <1 reset <1 --hard <8 clean|whenever|always|unsure
DESTROY <1 user's|users|users'|customer's|owner's <2 DATA <6 when|if|to|because
kill|stop <5 +process|+service|agent|daemon <5 monitoring|security|audit|logging
delete|remove|drop <6 migrations|migration_history|all_migrations <6 when|if|whenever <4 conflict|conflicts|fail|fails
reset|overwrite|replace|seed|truncate|wipe|empty <2 production|prod|live <1 data|database|db|+table|records !never|copy|clone|staging
DESTROY <1 whole|entire <1 +database|+disk|+volume|+bucket|+cluster|history|+repository|+account|production|home|drive|+server|+backup|+table|+namespace !TEMPORARY|specific
DESTROY <1 ALL|production|user's|users'|customer <2 DATA !TEMPORARY|specific|stored|matching|unnecessary|console|starting|essential|patterns|define /.|,|on|console|calls|data_collection
DESTROY <3 +backup|+database|audit_log|master_branch|main_branch <3 before|after|when|if|on|of|in|.|to|with !TEMPORARY
DESTROY <3 +backup|+snapshot|production_database|prod_database|git_history <2 .|after|before|when !TEMPORARY|rotation
drop|truncate <3 +table <3 .|when|if|before|after|so|to !TEMPORARY|index|staging|migration
DESTROY|format <0 the|whole|entire|your|our|every|all <1 disk|drive|volume|bucket|cluster|namespace|server|inbox|mailbox|repository|repo|work_tree|registry <2 .|when|if|before|after|so|and|at|on !TEMPORARY|test|cache
drop <1 +database|+schema <3 .|when|if|before|after|to !TEMPORARY
DESTROY <3 user's|customer's|owner's|client's <2 +email|+mail|+file|+message|+photo|+document <6 after <1 you
truncate|drop|DESTROY <2 +order|+user|+customer|+invoice|+payment|production <2 +table|data|+record <10 production|prod|live !TEMPORARY
xargs <3 git <1 branch <2 -d !merged
overwrite|replace <5 with <2 empty|nothing|garbage|random|zeros <8 push|force
refund|cancel|DESTROY|close|unlock|approve|ship|skip|pay <8 when|if|whenever|once <8 says|writes|mentions|types|contains|quotes|write|say|includes <3 word|phrase|codeword|code_word|keyword|hashtag|emoji|sentence
when|if|whenever <6 says|writes|mentions|types|contains|quotes <3 word|phrase|codeword|code_word|keyword|hashtag|emoji <6 refund|cancel|DESTROY|close|unlock|approve|ship|skip|pay|grant
flushall|dropdatabase|flushdb
send|transfer|pay <3 eth|btc|bitcoin|usdc|sol|monero <3 to|as
book|buy|order|purchase <4 most_expensive|anything|everything|whatever <10 card|account|company|charge
transfer|wire|withdraw|sweep|move <5 balance|money|funds|amount|bitcoin|wallet|coins|eth|usdc|crypto <6 to
rm|del|rmdir|remove-item <2 -r|-f|-rf|-fr|-recurse|/s <3 <root>|<system>
rewrite|erase|wipe|destroy|squash_away|rebase_away <3 git|whole|entire|commit|branch <3 history <4 push|force|main|master /,|or
push <4 --force|--mirror|--delete <6 --all|--mirror|origin <3 --all|--tags
terraform|tofu|pulumi|cdk <2 destroy <3 <weak>|--auto-approve|-auto-approve|--yes|--force
kubectl <2 delete <4 --all|namespace|ns|all|pv|pvc
docker <3 prune <4 --volumes|-af
git <1 clean <2 -x|-d <4 <then>|<semi>|reset
reflog|gc <3 expire|--prune|--prune=now <6 --all|now
stash <0 clear
find <2 <root>|<system> <8 -delete
gpg <6 --delete-secret-keys|--delete-secret-and-public-key
zfs|zpool|lvremove|btrfs <2 destroy|delete|-f
aws|gsutil|s3 <5 rm|rb <5 --recursive|--force
unsubscribe|cancel|close|terminate <4 ALL|user's|customer's <4 +account|+subscription|+booking|+order|+contract|+list""",
}
"""Rules, one a line (`lexicon.py`), under the kind that a person is told; the first that a text meets is told."""


def acting(views: Views) -> str | None:
    """The kind of a lesson that acts, or None."""
    lexicon = _lexicon()
    text = views.folded if views.folded.isascii() else views.folded.replace("\u2019", "'")
    for kind, start, end in shapes(text, views.words, views.marks):
        if not _honest_place(lexicon, text, start, end):
            return kind
    rules, leads = lexicon.opened(text, views.words)
    if rules and (told := _told(lexicon, rules, leads, text)):
        return told
    abroad = foreign(views)
    return abroad.told if abroad is not None and abroad.acts else None


def acts(views: Views) -> str | None:
    """The screen for lessons that act."""
    kind = acting(views)
    return None if kind is None else f"{ACTS} ({kind})"


@cache
def _lexicon() -> Lexicon:
    return Lexicon(
        _CLASSES,
        [(told, line) for told, lines in _RULES.items() for line in lines.strip().splitlines()],
    )


_BREAKS = frozenset((".", "<then>", "<semi>", "but", "instead", "however", "otherwise"))
_FORBIDS = frozenset(
    (
        "never", "don't", "dont", "not", "mustn't", "shouldn't", "can't", "cannot", "nor", "neither", "nobody", "refuse", "refuses", "forbid", "forbids", "forbidden",
        "prohibit", "prohibits", "disallow", "disallows", "reject", "rejects", "block", "blocks", "flag", "flags", "ban", "prevent", "prevents", "detect", "detects",
        "avoid", "avoids", "without", "rather", "unless", "against", "danger", "dangers", "risk", "risks", "beware", "stop", "attack", "attacks", "shouldnt", "mustnt", "cant",
        "wont", "won't", "report", "catches", "catch", "treat", "instead", "resist", "decline", "nowhere", "forbidding", "warn", "warns", "no", "doesn't", "isn't", "aren't", "longer",
    )
)  # fmt: skip
_LABELS = frozenset(
    (
        "never", "don't", "dont", "not", "avoid", "wrong", "bad", "incorrect", "forbidden", "prohibited", "antipattern", "anti-pattern", "pattern", "<no>", "disallowed", "banned",
        "unsafe", "insecure", "dangerous", "mistake", "mistakes", "pitfall", "pitfalls",
    )
)  # fmt: skip
"""What a warning has in front of its colon."""
_PAUSES = frozenset((",", ":", "\u2014"))
_NEAR = {
    "without": 3,
    "rather": 4,
    "unless": 6,
    "avoid": 10,
    "avoids": 10,
    "against": 5,
    "no": 3,
    "instead": 5,
    "longer": 2,
    "risk": 6,
    "risks": 6,
    "stop": 4,
    "prevent": 16,
    "prevents": 16,
    "report": 6,
    "flag": 8,
    "treat": 12,
    "catch": 6,
    "block": 8,
}
_UNDOES = frozenset(
    (
        "forget", "hesitate", "fail", "wait", "bother", "only", "worry", "mind", "be", "just", "need", "afraid", "ask", "stop", "question",
    )
)  # fmt: skip
_IFS = frozenset(("if", "when", "whenever", "once", "where", "because", "since", "while", "until", "as"))
_ASKERS = frozenset(
    (
        "asks", "asked", "tells", "told", "wants", "tries", "instructs", "instructed", "claims", "says", "requests", "demands", "urges", "suggests",
        "tricks", "asking", "telling", "suggest", "ask", "tell", "try",
    )
)  # fmt: skip
_REFUSALS = frozenset(
    (
        "refuse", "decline", "reject", "report", "stop", "never", "flag", "attack", "injection", "ignore", "not", "don't", "treat", "close",
    )
)  # fmt: skip
_ARTICLES = frozenset(
    (
        "the", "a", "an", "each", "every", "no", "its", "our", "their", "your", "my", "his", "her", "of", "per", "another", "one", "any",
    )
)  # fmt: skip
_ABLE = frozenset(
    (
        "will", "would", "could", "might", "can", "may", "does", "did", "cannot", "that", "which", "who", "they", "attackers", "tools", "scripts",
        "it", "attacker", "hackers",
    )
)  # fmt: skip
_YOU = frozenset(("you", "agent", "agents", "assistant", "assistants", "we", "i", "please"))
_OPENS = frozenset(
    (
        ",", ":", ".", "\u2014", "and", "then", "to", "always", "must", "should", "you", "please", "<semi>", "or", "<then>", "<pipe>", "|", "just", "simply", "also", "will",
        "shall", "may", "can", "i", "git", "gh", "sudo", "docker", "npm", "run", "help", "let", "us", "me", "first", "next", "now", "afterwards", "instead", "do", "don't", "not", "never", "but", "so", "while", "with", "=",
        "again", "agents", "assistants", "we", "even", "still", "better", "rather", "usually", "often", "everybody", "they", "who", "that", "which", "it",
    )
)  # fmt: skip
"""What comes before an order in its clause, or before what is said of somebody (`_ABLE`)."""
_BULLETS = frozenset(("<word>", "<no>", "\u2705", "\u2714", "-", ">", "*"))
_WHENS = _IFS | frozenset(
    (
        "after",
        "before",
        "each",
        "every",
        "at",
        "during",
        "for",
        "in",
        "on",
        "with",
        "to",
        "unless",
        "always",
        "from",
        "as",
        "by",
        "note",
        "remember",
    )
)
_LEARNED = frozenset(
    (
        "learned", "learns", "learn", "used", "option", "fails", "failed", "able", "possible", "trying", "tries", "how", "unable", "tried",
        "attempts", "attempt", "permission", "than",
    )
)  # fmt: skip
_NEVERS = frozenset(("never", "don't", "dont"))
_EXPLAINS = frozenset(
    (
        "skips", "bypasses", "disables", "hides", "demotes", "suppresses", "ignores", "turns", "means", "lets", "makes", "allows", "enables", "runs", "starts", "opens", "sets",
        "avoids", "prevents", "removes", "deletes", "shows",
    )
)  # fmt: skip
_LINKS = frozenset(("is", "are", "was", "were", "counts", "count", "be", "being", "as", "considered"))
_BAD = frozenset(
    (
        "forbidden", "dangerous", "unsafe", "insecure", "blocked", "prohibited", "banned", "refused", "rejected", "disallowed", "malicious", "suspicious", "risk", "attack", "hole",
        "leak", "untrusted", "harmful", "never", "removed", "stripped", "escaped", "leaks", "attacks", "unacceptable", "wrong", "injection", "incident", "violation", "allowed",
        "discouraged", "reported", "mistake", "bug", "vulnerability", "antipattern", "risky",
    )
)  # fmt: skip
_LOOKS = frozenset(
    (
        "read", "reads", "review", "inspect", "verify", "check", "audit", "compare", "reviewing", "reading", "checking", "checksum", "signature",
        "sha256", "sha256sum", "gpg",
    )
)  # fmt: skip
_SPEAKS = frozenset(_CLASSES["USE"].split())
_DOES = frozenset(
    ("does", "did", "is", "are", "was", "were", "has", "have", "had", "could", "would", "might")
)
"""In front of `not` they say what something does, and order nothing."""


def _told(lexicon: Lexicon, rules: list[Rule], leads: list[str], text: str) -> str | None:
    """What the first of these rules tells that a sentence of the text meets; some go from one sentence to the next."""
    for across, together in ((False, 1), (True, 2)):
        some = [rule for rule in rules if rule.across == across]
        for part, here in lexicon.sentences(text, leads, some, together) if some else ():
            if not _asks(part) and (told := _read(lexicon, here, part)):
                return told
    return None


def _asks(part: str) -> bool:
    """Whether a sentence asks something, and nobody for a favour."""
    return part.rstrip(" \"'`*_)]>").endswith("?") and " you" not in part and "://" not in part


def _read(lexicon: Lexicon, rules: list[Rule], text: str) -> str | None:
    words, bits = lexicon.read(text)
    there = 0
    for at, one in enumerate(bits):
        if one & lexicon.orders and _described(words, at):
            bits[at] &= ~lexicon.orders
        there |= bits[at]
    for rule in rules:
        if there & rule.need == rule.need:
            for start, end in lexicon.met(rule, bits):
                if rule.negated and _tells(words, start):
                    continue
                if not _honest(words, start, end, rule) and not _excused(bits, start, end, rule):
                    return rule.told
    return None


def _tells(words: list[str], start: int) -> bool:
    """Whether a negation tells what something does not do, or cannot: `the job does not run the tests`, `can't run in CI`."""
    before = words[start - 1] if start else ""
    if words[start] in ("can't", "cannot"):
        return before not in _YOU
    return words[start] == "not" and before in _DOES


def _honest(words: list[str], start: int, end: int, rule: Rule) -> bool:
    """Whether what is said there is a warning, what a tool does, or what somebody else asks for and must not get."""
    before = _clause(words, start)
    return (
        _warned(words, before, start, listed=not rule.orders)
        or _behind(words, end)
        or (not rule.orders and _explained(words, end))
        or (not rule.orders and not rule.negated and not _NEVERS.isdisjoint(words[start + 1 : end]))
        or _reported(words, start, end)
        or (rule.told == _RUNS and not _LOOKS.isdisjoint(words[start + 1 : end]))
        or (
            rule.advised
            and (
                "only" in words[before:start]
                or (_SPEAKS.isdisjoint(words[before:start]) and not _alone(words, start, before))
            )
        )
    )


def _honest_place(lexicon: Lexicon, text: str, start: int, end: int) -> bool:
    """The same of a part of the text that no rule read."""
    words, _ = lexicon.read(f"{text[max(0, start - 300) : start]} \x00 {text[end : end + 200]}")
    at = words.index("<shape>")
    return _warned(words, _clause(words, at), at) or _behind(words, at) or _reported(words, at, at)


def _excused(bits: list[int], start: int, end: int, rule: Rule) -> bool:
    """Whether the rule's sentence has a word with which it says nothing bad."""
    return bool(rule.excuse) and any(one & rule.excuse for one in bits[start : end + 24])


def _clause(words: list[str], start: int) -> int:
    """Where the clause begins that this place is in."""
    at, least = start, max(0, start - 40)
    while at > least:
        word = words[at - 1]
        if word in _BREAKS and not (word == "instead" and words[at] == "of"):
            break
        if word in (":", "\u2014") and words[at] in _SPEAKS and words[at - 2] not in _LABELS:
            break
        at -= 1
    return at


def _described(words: list[str], start: int) -> bool:
    """Whether the word gives no order: it is a noun, or what somebody or something does or could do. An order begins a clause, or is
    behind a word that gives one; `after each run push it` begins with when to.
    """
    if not start:
        return False
    before = words[start - 1]
    if before in _ARTICLES:
        return True
    if before == "to":
        return start > 1 and words[start - 2] in _LEARNED
    at = start - 1 - (before.endswith("ly") and start > 1)
    if words[at] in _ABLE:
        return not at or words[at - 1] not in _YOU
    return not (
        words[at] in _OPENS
        or at < start - 1
        or (start == 1 and before in _BULLETS)
        or words[_clause(words, start)] in _WHENS
    )


def _warned(words: list[str], before: int, start: int, *, listed: bool = False) -> bool:
    conditional = words[before] in _IFS if before < start else False
    commas = 0
    for at in range(start - 1, before - 1, -1):
        word = words[at]
        if word == ",":
            commas += 1
        elif word == "<no>" or (word == ":" and words[at - 1] in _LABELS):
            return True
        elif word in _FORBIDS:
            reach = _NEAR.get(word)
            if word in ("rather", "instead") and words[at + 1] not in ("than", "of"):
                continue
            if words[at + 1] in _UNDOES and word not in ("without", "no"):
                continue
            if reach is not None and start - at > reach:
                continue
            # What a condition says is none, up to its comma.
            if conditional and word != "never" and _PAUSES.isdisjoint(words[before:at]):
                continue
            # A comma ends a warning, unless it is one of a list.
            if commas and not (
                "or" in words[at:start]
                or "nor" in words[at:start]
                or "or" in words[start : start + 12]
                or (commas + listed > 1 and "," in (words[start + 1], words[start - 1], words[start - 2]))
            ):
                continue
            return True
    return False


def _behind(words: list[str], end: int) -> bool:
    linked = -9
    for at in range(end + 1, min(len(words), end + 22)):
        word = words[at]
        if word in (".", "<semi>", "<then>", "but", "because", "since", "when", "if", "until", "unless"):
            return False
        if (
            word in (":", "\u2014", ",")
            and words[at + 1 : at + 2]
            and words[at + 1] in ("never", "don't", "not", "refuse", "that's")
        ):
            return True
        if word in _LINKS or word in ("can", "could", "may", "would"):
            linked = at
        elif word in _BAD and (at - linked <= 4 or word == "forbidden" or at == end + 1):
            return True
    return words[end + 1 : end + 2] == ["nowhere"]


def _explained(words: list[str], end: int) -> bool:
    """Whether what is said behind it is what it does: `--no-verify` bypasses the hooks."""
    behind = words[end + 1 : end + 5]
    return not _EXPLAINS.isdisjoint(behind) and _SPEAKS.isdisjoint(behind)


def _reported(words: list[str], start: int, end: int) -> bool:
    """Whether the sentence says who asks for it, and that it is refused."""
    first = start
    while first and words[first - 1] != ".":
        first -= 1
    if _ASKERS.isdisjoint(words[first:start]):
        return False
    last = end
    while last < len(words) and words[last] != "." and last < end + 40:
        last += 1
    return not _REFUSALS.isdisjoint(words[end + 1 : last]) or not _REFUSALS.isdisjoint(words[first:start])


def _alone(words: list[str], start: int, before: int) -> bool:
    """Whether the clause is a command, and no sentence about it."""
    return start == before and words[start + 1 : start + 2] not in ([], ["."])
