"""Tokens that show by their own shape who issued them, wherever they are.

To add one, add a row to `_TOKENS`: the vendor, and a pattern that begins with a letter or a digit of its prefix. All rows become
one pattern, sorted by that first character, so that a place of a text is looked at once however many rows there are; a clean
megabyte costs the same with twice the rows. A row has a documented prefix and a body of the length and the characters that the vendor
documents, with room where lengths have changed before. What is random without a prefix is in `_SHAPELESS`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache

from ace.domain.screens.names import word_set
from ace.domain.screens.values import BLOTTED, is_placeholder, reads_as_words

__all__ = ["MARK_STEMS", "marked_tokens", "vendor_tokens"]

_ALNUM = "[A-Za-z0-9]"
_WORD = "[A-Za-z0-9_-]"
_B64 = "[A-Za-z0-9+/]"
_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"
_HEX = "[0-9a-f]"
_END = "(?![A-Za-z0-9])"

_TOKENS: tuple[tuple[str, str], ...] = (
    # Clouds
    ("AWS access key", r"A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])[A-Z0-9]{16}(?![A-Z0-9])"),
    ("AWS Bedrock key", rf"ABSK{_B64}{{24,}}={{0,2}}"),
    ("AWS Bedrock key", rf"bedrock-api-key-{_B64}{{40,}}={{0,2}}"),
    ("Google API key", rf"AIza{_WORD}{{35}}"),
    ("Google API key", rf"AQ\.Ab8{_WORD}{{30,}}"),
    ("Google OAuth token", rf"ya29\.{_WORD}{{20,}}"),
    ("Google OAuth token", rf"GOCSPX-{_WORD}{{20,}}"),
    ("Google OAuth token", rf"1//0{_WORD}{{38,}}"),
    ("DigitalOcean token", rf"do[opr]_v1_{_ALNUM}{{64}}"),
    ("Alibaba access key", rf"LTAI{_ALNUM}{{16,24}}{_END}"),
    ("Tencent secret id", rf"AKID{_ALNUM}{{32,36}}{_END}"),
    ("Volcengine access key", rf"AKLT{_ALNUM}{{40,50}}"),
    ("Baidu key", rf"bce-v3/ALTAK-{_ALNUM}{{20,24}}/{_HEX}{{40}}"),
    ("Yandex token", rf"(?:AQVN{_WORD}{{35,38}}|YC[NP]{_ALNUM}{{37,40}}|y[0-3]_{_WORD}{{55,58}}|t1\.{_WORD}{{6,}}={{0,2}}\.{_WORD}{{80,}})"),
    ("Scaleway access key", r"SCW[A-Z0-9]{17}(?![A-Z0-9])"),
    ("Fly.io token", rf"fo1_{_WORD}{{40,}}"),
    ("Fly.io token", r"fm[12][ar]?_[A-Za-z0-9+/=,_-]{60,}"),
    ("Heroku key", rf"HRKU-{_WORD}{{30,}}"),
    ("Cloudflare token", rf"cf(?:at|ut|k|oat|pat)_{_WORD}{{30,}}"),
    ("Cloudsmith key", r"csa_[a-f0-9]{30}[A-Za-z0-9]{6}(?![A-Za-z0-9])"),
    ("Cloudflare tunnel token", r"eyJhIjoi[A-Za-z0-9+/_-]{40,}={0,2}"),
    ("Cloudflare origin key", rf"v1\.0-{_HEX}{{24}}-{_HEX}{{80,}}"),
    ("Vercel token", rf"vc[a-z]_{_WORD}{{20,}}"),
    ("Netlify token", rf"nf[a-z]_{_ALNUM}{{36,}}"),
    ("Render key", rf"rnd_{_ALNUM}{{24,}}"),
    ("Railway token", rf"railway_{_WORD}{{20,}}"),
    ("Supabase key", rf"sb(?:p|p_oauth)_{_WORD}{{40}}|sb_secret_{_WORD}{{20,}}"),
    ("Neon key", rf"napi_{_ALNUM}{{40,}}"),
    ("PlanetScale token", r"pscale_(?:tkn|oauth|pw|app)_[A-Za-z0-9_.=-]{28,}"),
    ("MongoDB service account", rf"mdb_sa_sk_{_WORD}{{20,}}"),
    ("Confluent key", rf"cflt{_B64}{{60,}}"),
    ("Databricks token", rf"dapi{_HEX}{{32}}(?:-[0-9])?{_END}"),
    ("Databricks secret", rf"dose{_HEX}{{32}}{_END}"),
    ("Scalingo token", rf"tk-us-{_WORD}{{48}}"),
    ("Aiven token", rf"aivenv1-{_ALNUM}{{40,}}"),
    ("Clever Cloud", rf"clever_{_ALNUM}{{30,}}"),
    ("UpCloud token", rf"ucat_{_ALNUM}{{20,}}"),
    ("Exoscale key", r"EXO(?=[A-Za-z]{0,26}[0-9])[A-Za-z0-9]{26,30}(?![A-Za-z0-9])"),
    ("Akamai client", r"akab-[a-z0-9]{16}-[a-z0-9]{16}(?![a-z0-9])"),
    ("Appwrite key", rf"standard_{_HEX}{{100,}}"),
    ("Xata key", rf"xau_{_ALNUM}{{30,}}"),
    ("CockroachDB key", r"CCDB1_[A-Za-z0-9]{20,24}_[A-Za-z0-9]{38,42}"),
    ("DataStax token", r"AstraCS:[A-Za-z0-9]{20,}(?::[A-Za-z0-9]{20,})?"),
    ("Materialize password", rf"mzp_{_HEX}{{60,}}"),
    ("Tinybird token", r"p\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    ("Docker Swarm key", r"SWMTKN-1-[a-z0-9]{40,}-[a-z0-9]{20,}|SWMKEY-1-[A-Za-z0-9+/]{40,}"),
    ("Firebase server key", r"AAAA[A-Za-z0-9_-]{7}:APA91[A-Za-z0-9_-]{100,}"),
    ("DNSimple token", rf"dnsimple_[au]_{_ALNUM}{{20,}}"),
    ("Amazon seller token", rf"amzn\.mws\.{_UUID}|amzn1\.oa2-cs\.v1\.{_HEX}{{40,}}|Atz[ar]\|[A-Za-z0-9_+/=-]{{60,}}"),
    ("Turnstile secret", rf"0x4AAA{_WORD}{{24,}}"),
    ("Porkbun key", rf"[ps]k1_{_HEX}{{64}}"),
    ("Deno token", rf"dd[opw]_{_ALNUM}{{32,}}"),
    # Code, packages, builds
    ("GitHub token", r"gh[pousr]_[A-Za-z0-9]{16,}(?:_[A-Za-z0-9_.-]{20,})?"),
    ("GitHub token", rf"ghs_[0-9]{{1,20}}_{_WORD}{{10,}}\.{_WORD}{{10,}}\.{_WORD}{{10,}}"),
    ("GitHub token", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("GitLab token", r"gl(?:pat|dt|rt|rtr|cbt|oas|soat|agent|ft|ptt|imt|ffct|wt|dast|rcbt|svc)-[A-Za-z0-9_.-]{18,}"),
    ("GitLab token", rf"GR1348941{_WORD}{{20,}}"),
    ("Bitbucket token", rf"AT(?:BB|CTT3|ATT3|OA|STT3|CTTAP){_WORD}{{20,}}(?:=[0-9A-F]{{8}})?"),
    ("Gitea token", rf"gt[ao]_{_ALNUM}{{32,}}"),
    ("Sourcegraph token", r"sgp_(?:sgp_)?(?:(?:[0-9a-fA-F]{16}|local)_){0,2}[0-9a-fA-F]{40}"),
    ("Sourcegraph token", rf"sl[kb]_{_HEX}{{64}}"),
    ("npm token", rf"npm_{_ALNUM}{{30,}}"),
    ("PyPI token", rf"pypi-Ag(?:EIcHlwaS5vcmc|ENdGVzdC5weXBpLm9yZw){_WORD}{{20,}}"),
    ("RubyGems token", rf"rubygems_{_ALNUM}{{40,}}"),
    ("crates.io token", rf"cio{_ALNUM}{{32}}{_END}"),
    ("NuGet key", r"oy2[a-z0-9]{43}(?![a-z0-9])"),
    ("Packagist token", rf"packagist_[a-z]{{3}}_{_HEX}{{60,}}"),
    ("Clojars token", rf"CLOJARS_{_ALNUM}{{60}}"),
    ("Artifactory token", rf"AKCp?{_ALNUM}{{60,}}|cmVmdGtuO{_B64}{{20,}}|cmVmd{_ALNUM}{{59}}{_END}"),
    ("Docker Hub token", rf"dckr_(?:pat|oat)_{_WORD}{{20,}}"),
    ("Cloudsmith token", rf"ent_{_HEX}{{40}}"),
    ("CircleCI token", rf"CCI(?:PAT|PRJ)_{_ALNUM}{{20,}}_{_HEX}{{40}}|CCI(?:PAT|PRJ)_{_WORD}{{30,}}"),
    ("JetBrains token", r"perm[:-][A-Za-z0-9+/=]{6,}\.[A-Za-z0-9+/=]{4,}\.[A-Za-z0-9]{20,}"),
    ("Nexus token", rf"(?:NpmToken|DockerToken|NuGetApiKey)\.{_UUID}"),
    ("Gitpod token", rf"gitpod_pat_{_WORD}{{20,}}"),
    ("Depot token", rf"depot_[a-z]{{2,10}}_{_HEX}{{40,}}"),
    ("Gemfury token", rf"(?:fury|gfp)_{_ALNUM}{{20,}}"),
    ("Socket or Veracode key", rf"sktsec_{_WORD}{{20,}}|vera01[a-z]{{2}}-{_HEX}{{32,}}"),
    ("Buildkite token", rf"bk(?:ua|ct|at|pt|et|sa)_{_ALNUM}{{32,}}"),
    ("Jenkins token", rf"11{_HEX}{{32}}(?![0-9a-f])"),
    ("Travis token", rf"travis_{_ALNUM}{{20,}}"),
    ("SonarQube token", rf"sq[upa]_{_ALNUM}{{40}}"),
    ("Snyk token", rf"snyk_(?:uat|sat|pat)\.{_ALNUM}{{8}}\.{_WORD}{{20,}}"),
    ("Semgrep token", rf"semgrep_[a-z]+_{_ALNUM}{{20,}}"),
    ("Pulumi token", rf"pul-{_ALNUM}{{40}}"),
    ("Infracost key", rf"ico-{_ALNUM}{{32}}{_END}"),
    ("Spacelift, Harness or Octopus", r"(?:pat|sat)\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}"),
    ("Octopus Deploy key", r"API-[A-Z0-9]{25,32}(?![A-Za-z0-9])"),
    ("Prefect token", rf"pn[ub]_{_ALNUM}{{32,}}"),
    ("dbt token", rf"dbt[cu]_{_WORD}{{30,}}"),
    ("WakaTime key", rf"waka_(?:sec_|tok_)?(?:{_UUID}|{_ALNUM}{{30,}})"),
    ("Aikido secret", rf"AIK_(?:CI|SECRET|CLIENT)_{_ALNUM}{{20,}}"),
    ("Mergify key", rf"mergify_application_key_{_WORD}{{30,}}"),
    ("StackHawk key", r"hawk\.[A-Za-z0-9_-]{20}\.[A-Za-z0-9_-]{20}"),
    ("Chromatic token", r"chpt_[a-f0-9]{12,}(?![A-Za-z0-9])"),
    ("Checkly key", rf"cu_{_HEX}{{32}}{_END}"),
    ("Val Town token", rf"vtwn_{_ALNUM}{{20,}}"),
    ("Cloudsmith key", rf"csa_{_ALNUM}{{40,}}"),
    ("Dependency-Track key", rf"odt_(?:[A-Za-z0-9]{{8}}_)?{_ALNUM}{{32,}}"),
    # Vaults
    ("Vault token", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    ("Vault token", rf"s\.(?=[A-Za-z]{{0,23}}[0-9]){_ALNUM}{{24}}(?![A-Za-z0-9(_]|\.[A-Za-z0-9])"),
    ("Doppler token", rf"dp\.(?:pt|ct|sa|st(?:\.[a-z0-9_-]{{2,35}})?|scim|audit|said)\.{_ALNUM}{{40,}}"),
    ("Infisical token", rf"st\.{_HEX}{{24}}\.{_HEX}{{32}}\.{_HEX}{{32}}"),
    ("1Password token", r"ops_ey[A-Za-z0-9+/_-]{40,}={0,2}"),
    ("1Password secret key", r"A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}"),
    ("Bitwarden token", rf"0\.{_UUID}\.{_ALNUM}{{30}}:{_B64}{{22,}}={{0,2}}"),
    ("age key", r"AGE-SECRET-KEY-(?:PQ-)?1[A-Za-z0-9]{50,}"),
    ("Akeyless key", rf"p-{_ALNUM}{{12,14}}/{_ALNUM}{{20,}}"),
    ("OpenShift token", rf"sha256~{_WORD}{{43}}"),
    ("Rancher token", r"token-[a-z0-9]{5}:[a-z0-9]{50,60}"),
    ("Rancher token", r"kubeconfig-(?:u-|user-)[a-z0-9-]{4,20}:[a-z0-9]{50,60}"),
    ("Tailscale key", rf"tskey-(?:[a-z]{{2,20}}-)?\w{{8,}}-\w{{16,}}|tskey-{_WORD}{{16,}}"),
    ("ngrok token", rf"(?:2|3|cr_2|ak_2|cr_3|ak_3){_ALNUM}{{26}}_{_ALNUM}{{20,22}}{_END}"),
    ("minisign key", rf"RW(?:Q|RT)AAA{_B64}{{50,}}|RWRTY0Iy{_B64}{{80,}}={{0,2}}"),
    ("Authress key", r"(?:sc|ext|scauth|authress)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}\.acc[_-][a-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,}"),
    ("Ory token", rf"ory_(?:pat|at|rt|ac|apikey|st)_{_WORD}{{30,}}"),
    ("Matrix token", r"(?:syt|mat|mct|mcr)_[A-Za-z0-9]{2,64}_[A-Za-z0-9]{10,32}_[A-Za-z0-9]{6}(?![A-Za-z0-9])"),
    ("JumpCloud key", rf"jca_{_ALNUM}{{30,}}"),
    ("Defined Networking key", r"dnkey-[A-Za-z0-9=_-]{26}-[A-Za-z0-9=_-]{52}"),
    ("Teleport or Consul", rf"consul_{_ALNUM}{{30,}}"),
    # Models
    ("API key", r"sk-(?=[A-Za-z_-]{0,100}[0-9])(?:ant|proj|svcacct|admin|or|lf|live|test|None)-[A-Za-z0-9_-]{20,}"),
    ("API key", r"sk-(?=[A-Za-z_-]{0,80}[0-9])[A-Za-z0-9_-]{20,}"),
    ("API key", r"[psr]k_(?:live|test|prod)_(?=[A-Za-z]{0,12}[0-9])[A-Za-z0-9]{10,}"),
    ("API key", rf"[psrf]k_(?:live|test|prod|secret|lf|org|proj|instance|user|inst|sec)_{_WORD}{{16,}}"),
    ("API key", rf"(?:sk|rk|csk|gsk|fsk|zpka|esk|psk|usk)_{_ALNUM}{{32,}}"),
    ("API key", rf"csk-{_ALNUM}{{40,}}"),
    ("Hugging Face token", rf"hf_{_ALNUM}{{30,}}|api_org_{_ALNUM}{{30,}}"),
    ("xAI key", rf"xai-{_WORD}{{40,}}"),
    ("Replicate token", rf"r8_{_WORD}{{36,}}"),
    ("Perplexity key", rf"pplx-{_ALNUM}{{40,}}"),
    ("NVIDIA key", rf"nvapi-{_WORD}{{40,}}"),
    ("Tavily key", rf"tvly-(?:dev-|prod-)?{_ALNUM}{{24,}}"),
    ("Firecrawl key", rf"fc-{_HEX}{{32}}{_END}"),
    ("Jina key", rf"jina_{_WORD}{{40,}}"),
    ("Voyage key", rf"pa-{_WORD}{{40,}}"),
    ("LangSmith key", rf"lsv2_(?:pt|sk)_{_ALNUM}{{32}}_{_ALNUM}{{8,}}|ls__{_HEX}{{32}}"),
    ("LlamaCloud key", rf"llx-{_ALNUM}{{40,}}"),
    ("Pinecone key", rf"pcsk_{_ALNUM}{{5,7}}_{_ALNUM}{{50,}}"),
    ("Chroma key", rf"ck-{_ALNUM}{{40,}}"),
    ("Anyscale key", rf"esecret_{_ALNUM}{{20,}}|aph0_{_ALNUM}{{20,}}"),
    ("Fireworks key", rf"fw_{_ALNUM}{{22,}}"),
    ("Modal token", rf"a[ks]-{_ALNUM}{{22}}{_END}"),
    ("RunPod key", rf"rp[as]_{_ALNUM}{{30,}}"),
    ("E2B key", rf"e2b_{_HEX}{{40}}"),
    ("Daytona key", rf"dtn_{_HEX}{{60,}}"),
    ("Browserbase key", rf"bb_(?:live|test)_{_WORD}{{20,}}"),
    ("Composio key", rf"ak_{_WORD}{{20,}}"),
    ("Apify token", rf"apify_(?:api|proxy)_{_ALNUM}{{30,}}"),
    ("Weights & Biases key", rf"wandb_v1_{_WORD}{{40,}}"),
    ("Helicone key", rf"(?:pk|sk)-helicone-{_WORD}{{15,}}"),
    ("Langfuse key", rf"pk-lf-{_UUID}"),
    ("Lakera key", rf"lakera_{_ALNUM}{{30,}}"),
    ("Trigger.dev key", rf"tr_(?:dev|prod|stg|pat|preview)_{_ALNUM}{{20,}}"),
    ("Inngest key", rf"signkey-(?:prod|test|branch)-{_HEX}{{40,}}"),
    ("Together key", rf"tgp_v[0-9]_{_WORD}{{30,}}"),
    ("Cursor key", rf"key_{_HEX}{{64}}{_END}"),
    ("Devin key", rf"cog_{_ALNUM}{{40,}}|apk_[A-Za-z0-9+/=_-]{{60,}}"),
    ("OpenPipe, Traceloop or Kaggle key", rf"(?:opk|tl|KGAT)_{_HEX}{{32,}}{_END}"),
    ("Mem0 key", rf"m0-{_ALNUM}{{32,}}"),
    ("Dify key", rf"(?:app|dataset)-(?=[A-Za-z]{{0,23}}[0-9])(?=[a-z0-9]{{0,23}}[A-Z])(?=[A-Z0-9]{{0,23}}[a-z]){_ALNUM}{{24}}{_END}"),
    ("Tripo or Meshy key", rf"(?:tsk|msy)_{_WORD}{{36,}}"),
    ("Logfire token", rf"pylf_v[0-9]_(?:[a-z]{{2}}_)?{_ALNUM}{{30,}}"),
    ("Censys key", rf"censys_[A-Za-z0-9]{{6,12}}_{_ALNUM}{{20,}}"),
    ("Brave Search key", r"BSA(?=[A-Za-z_-]{0,24}[0-9])[A-Za-z0-9_-]{27,28}(?![A-Za-z0-9_-])"),
    ("Databento key", rf"db-{_ALNUM}{{29}}{_END}"),
    ("LiveKit or Cartesia key", rf"sk_[a-z]{{2,8}}_{_ALNUM}{{16,}}"),
    ("Statsig key", rf"(?:secret|console|client)-(?=[a-z]{{0,30}}[A-Z0-9]){_ALNUM}{{36,}}{_END}"),
    ("Resend key", rf"re_{_ALNUM}{{7,10}}_{_ALNUM}{{20,}}"),
    # Messages, mail
    ("Slack token", r"xox[abcdeoprs](?:\.xox[bp])?-(?=[A-Za-z%/_+-]{0,40}[0-9])[A-Za-z0-9%/+=-]{10,}"),
    ("Slack token", r"xapp-[0-9]-[A-Za-z0-9-]{10,}"),
    ("Slack webhook", r"hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9/_-]{20,}"),
    ("Zapier webhook", r"hooks\.zapier\.com/hooks/(?:catch|standard)/[A-Za-z0-9/]{8,}"),
    ("Discord webhook", r"discord(?:app)?\.com/api/(?:v[0-9]{1,2}/)?webhooks/[0-9]{17,20}/[A-Za-z0-9_-]{40,}"),
    ("Teams webhook", rf"webhook\.office\.com/webhookb2/{_UUID}@{_UUID}/[A-Za-z]+/{_HEX}{{32}}/{_UUID}"),
    ("Teams webhook", rf"outlook\.office\.com/webhook/{_UUID}@{_UUID}/[A-Za-z]+/{_HEX}{{32}}/{_UUID}"),
    ("webhook", rf"open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v2/)?hook/{_UUID}"),
    ("webhook", r"hook\.(?:[a-z0-9]{2,4}\.)?(?:make|integromat)\.com/[a-z0-9]{24,}"),
    ("Context7 key", rf"ctx7sk-{_UUID}"),
    ("Tines webhook", r"tines\.com/webhook/[a-z0-9]{32}/[a-z0-9]{32}"),
    ("ThingsBoard token", r"thingsboard\.cloud/api/v1/[A-Za-z0-9]{20}(?![A-Za-z0-9])"),
    ("Google Chat webhook", r"chat\.googleapis\.com/v1/spaces/[A-Za-z0-9_-]{6,}/messages\?key=[A-Za-z0-9_%&=-]{40,}"),
    ("IFTTT webhook", r"maker\.ifttt\.com/trigger/[A-Za-z0-9_/]{1,80}/with/key/[A-Za-z0-9_-]{20,}"),
    ("Discord bot token", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}"),
    ("SendGrid key", r"SG\.(?=[A-Za-z_-]{0,64}[0-9])[A-Za-z0-9_-]{8,64}\.[A-Za-z0-9_-]{8,}|SG\.[A-Za-z0-9_-]{16,64}\.[A-Za-z0-9_-]{16,}"),
    ("Mailgun key", rf"key-[0-9a-z]{{32}}{_END}|pubkey-[0-9a-f]{{32}}"),
    ("Mailchimp key", r"md-[A-Za-z0-9_-]{22}(?![A-Za-z0-9])"),
    ("Brevo key", rf"x(?:keysib|smtpsib)-{_ALNUM}{{64}}-{_ALNUM}{{16}}"),
    ("Twilio key", r"(?:SK|AC)(?:[0-9a-f]{32}|[0-9A-Fa-f]{32})(?![A-Za-z0-9])"),
    ("MailerSend token", rf"mlsn\.{_ALNUM}{{60,}}"),
    ("Loops, Knock or Novu", rf"novu_{_ALNUM}{{24,}}"),
    ("OneSignal key", r"os_v[0-9]_(?:app|org)_[a-z0-9]{60,}"),
    ("Klaviyo key", rf"pk_{_HEX}{{34}}{_END}"),
    ("Riot key", rf"RGAPI-{_UUID}"),
    ("hCaptcha secret", rf"ES_{_HEX}{{32}}{_END}"),
    ("Google reCAPTCHA key", rf"6L(?=[A-Za-z_-]{{0,37}}[0-9])[A-Za-z0-9][A-Za-z0-9_-]{{5}}AAAAA{_WORD}{{27}}{_END}"),
    ("GC Notify key", rf"gcntfy-{_WORD}{{30,}}"),
    ("Telnyx key", r"KEY[0-9A-F]{32}_[A-Za-z0-9]{20,}"),
    ("Pinterest token", rf"pin[acr]_{_ALNUM}{{60,}}"),
    ("VK token", rf"vk1\.a\.{_WORD}{{60,}}"),
    ("Facebook token", r"EAA(?=[A-Z0-9]{0,30}[a-z])(?![A-Za-z0-9]{0,60}[_-])[A-Za-z0-9]{24,}"),
    ("Instagram token", r"IG(?:QVJ|AA)[A-Za-z0-9_-]{60,}"),
    ("Twitter bearer", r"AA{19,}[A-Za-z0-9%]{50,}"),
    ("LinkedIn secret", rf"WPL_AP1\.{_ALNUM}{{16}}\.{_ALNUM}{{6,}}={{0,2}}"),
    ("Twitch or Spotify", r"oauth:[a-z0-9]{30}(?![a-z0-9])"),
    # Money
    ("Stripe secret", r"whsec_[A-Za-z0-9+/]{16,}={0,2}"),
    ("Square token", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,}|EAAA[A-Za-z0-9_-]{60}(?![A-Za-z0-9_-])"),
    ("PayPal or Braintree token", rf"access_token\$(?:production|sandbox)\$[a-z0-9]{{16}}\${_HEX}{{32}}"),
    ("Plaid token", rf"(?:access|public|link|processor)-(?:sandbox|development|production)-{_UUID}"),
    ("Razorpay key", rf"rzp_(?:live|test)_{_ALNUM}{{14,}}"),
    ("live key", r"(?:live|test)_(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9]{28,}(?![A-Za-z0-9_])|live_[A-Za-z0-9_=-]{38,44}(?![A-Za-z0-9_=-])"),
    ("Adyen key", r"AQE[a-z0-9A-Z]hm[A-Za-z0-9+/=*-]{60,}"),
    ("Flutterwave key", r"FLW(?:SECK|PUBK)(?:_TEST)?-[A-Za-z0-9]{12,}(?:-X)?"),
    ("Paddle key", rf"pdl_(?:live|sdbx|ntfset|test)_(?:apikey_)?{_WORD}{{20,}}"),
    ("Wise, Monzo or Mercury", rf"secret-token:mercury_[a-z]+_{_WORD}{{20,}}"),
    ("Shippo token", rf"shippo_(?:live|test)_{_HEX}{{40}}"),
    ("EasyPost key", rf"EZ[AT]K{_ALNUM}{{50,}}"),
    ("Duffel token", r"duffel_(?:test|live)_[A-Za-z0-9_=-]{40,}"),
    ("Shopify token", r"shp(?:at|ca|pa|ss|ua|rt|tka)_[A-Za-z0-9]{28,}"),
    ("WooCommerce key", rf"c[ks]_{_HEX}{{40}}{_END}"),
    ("Asaas key", rf"aact_(?:prod|hmlg)_{_WORD}{{40,}}"),
    ("Checkout key", rf"[sp]k_(?:sbox_)?{_UUID}"),
    ("eBay secret", r"(?:PRD|SBX)-[0-9a-f]{8,12}-[0-9a-f-]{16,27}(?![A-Za-z0-9-])"),
    ("Mercado Pago token", rf"(?:APP_USR|TEST)-[0-9]{{12,20}}-[0-9]{{6}}-{_HEX}{{32}}(?:__[A-Z_]{{2,6}}__)?-[0-9]{{4,12}}"),
    ("Klarna, Xendit or Omise key", rf"klarna_(?:live|test)_api_{_WORD}{{20,}}|xnd_(?:production|development)_{_WORD}{{20,}}|skey_(?:test_)?[a-z0-9]{{19}}{_END}"),
    ("Brex or Ramp token", rf"bxt_{_ALNUM}{{30,}}|ramp_(?:sec|tok)_{_ALNUM}{{30,}}"),
    ("IEX key", rf"[TS]sk_{_HEX}{{32}}{_END}"),
    ("Tatum key", rf"t-{_HEX}{{24}}-{_HEX}{{24}}{_END}"),
    ("Midtrans key", rf"Mid-(?:server|client)-{_WORD}{{16,}}"),
    ("Mercury token", rf"mercury_(?:production|sandbox)_[a-z]{{2,6}}_{_WORD}{{30,}}"),
    ("Onfido token", r"api_(?:live|sandbox)(?:_(?:us|ca|eu))?\.[A-Za-z0-9_-]{6,14}\.?[A-Za-z0-9_-]{26,}"),
    ("Persona key", rf"persona_(?:production|sandbox)_{_ALNUM}{{30,}}"),
    ("Polar token", rf"polar_[a-z]{{2,4}}_{_WORD}{{30,}}"),
    ("Settlemint token", rf"sm_(?:aat|pat|sat)_{_ALNUM}{{16}}{_END}"),
    ("Alchemy or QuickNode key", rf"alcht_{_ALNUM}{{30,}}|QN_{_HEX}{{32}}{_END}"),
    ("Flexport token", rf"shltm_{_WORD}{{40}}"),
    ("Fleetbase key", rf"flb_(?:live|test)_{_ALNUM}{{20}}"),
    ("Coinbase or Finicity", rf"organizations/{_UUID}/apiKeys/{_UUID}"),
    # Tools of teams
    ("Notion token", rf"ntn_[0-9]{{9,}}{_ALNUM}{{30,}}|secret_{_ALNUM}{{40,}}"),
    ("Airtable token", rf"pat{_ALNUM}{{14}}\.{_ALNUM}{{62,66}}"),
    ("Linear key", rf"lin_(?:api|oauth|wh)_{_ALNUM}{{32,}}"),
    ("Figma token", rf"fig[dour]h?_{_WORD}{{30,}}"),
    ("Trello token", rf"ATTA{_HEX}{{60,}}"),
    ("ClickUp token", r"pk_[0-9]{6,9}_[A-Z0-9]{32}"),
    ("Dropbox token", r"sl\.[A-Za-z0-9_-]{100,}|sl\.(?:u\.)?[A-Za-z0-9_-]{60,}"),
    ("Contentful token", rf"CFPAT-{_WORD}{{40,}}"),
    ("HubSpot token", r"pat-(?:na|eu|ap)[0-9]-[A-Za-z0-9]{8}-(?:[A-Za-z0-9]{4}-){3}[A-Za-z0-9]{12}"),
    ("Salesforce token", r"00[A-Za-z0-9]{13,16}![A-Za-z0-9._-]{80,}"),
    ("Intercom token", r"dG9r[A-Za-z0-9+/=]{50,}"),
    ("Pinterest token", r"pina_(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9_-]{20,}"),
    ("Typeform token", r"tfp_[A-Za-z0-9_-]{40,}"),
    ("Postman key", rf"PMA[KT]-{_ALNUM}{{24}}-{_ALNUM}{{34}}|PMAT-{_ALNUM}{{26}}"),
    ("Canva secret", rf"cnvca{_WORD}{{40,}}"),
    ("Workato token", r"wrk[a-z]{1,4}-eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}"),
    ("Close key", r"api_[A-Za-z0-9]{22}\.[A-Za-z0-9]{22}(?![A-Za-z0-9])"),
    ("Samsara, Rootly or Lichess", rf"samsara_api_{_ALNUM}{{20,}}|rootly_{_HEX}{{60,}}|lip_{_ALNUM}{{20,}}"),
    ("Zoho token", r"1000\.[a-z0-9]{32}\.[a-z0-9]{32}(?![A-Za-z0-9])"),
    ("Voiceflow key", r"VF\.(?:(?:DM|WS)\.)?[A-Fa-f0-9]{24}\.[A-Za-z0-9]{16}(?![A-Za-z0-9])"),
    ("DevCycle key", rf"dvc_(?:client|mobile|server)_(?=[A-Za-z]{{0,20}}[0-9]){_WORD}{{9,}}"),
    ("Intra42 secret", rf"s-s4t2(?:ud|af)-{_HEX}{{64}}"),
    ("ImageKit key", r"private_[A-Za-z0-9+/]{27}="),
    ("FullStory key", r"(?:na1|eu1)\.[A-Za-z0-9+/]{50,}"),
    ("Thunderstore token", rf"tss_{_WORD}{{40,}}"),
    ("Proof key", r"prf_(?=[A-Za-z_-]{0,20}[0-9])[A-Za-z0-9_-]{24,}"),
    ("Hex token", rf"hxt[pw]_{_HEX}{{80,}}"),
    ("dfuse key", r"web_(?=[a-z]{0,31}[0-9])[0-9a-z]{32}(?![0-9a-z])"),
    ("Endor Labs key", r"endr\+[A-Za-z0-9]{16}(?![A-Za-z0-9])"),
    ("Readme key", r"rdme_[a-z0-9]{50,}"),
    ("Frame.io token", r"fio-u-[A-Za-z0-9_=-]{60,}"),
    ("Mapbox token", r"[sp]k\.eyJ[A-Za-z0-9_-]{40,}\.[A-Za-z0-9_-]{20,}"),
    ("Sanity token", rf"sk(?=[A-Za-z]{{0,20}}[0-9])(?=[a-z0-9]{{0,40}}[A-Z]){_ALNUM}{{80,}}{_END}"),
    ("Wix key", r"IST\.eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_.-]{20,}"),
    ("GitBook key", rf"gb_api_{_WORD}{{20,}}"),
    ("LocalStack token", r"ls-[A-Za-z0-9]{8}-[A-Za-z0-9]{4}-[A-Za-z0-9]{4}-[A-Za-z0-9]{4}-[A-Za-z0-9]{12}"),
    ("Webflow, Retool or n8n", rf"(?:retool|n8n_api)_{_WORD}{{20,}}"),
    ("Lob, Unkey or Svix", rf"(?:unkey|testsk|svix|sk_svix)_{_ALNUM}{{18,}}"),
    ("Beamer token", r"b_[A-Za-z0-9=_-]{44}(?![A-Za-z0-9])"),
    ("Adobe secret", rf"p8e-{_WORD}{{32}}{_END}"),
    ("Adafruit key", rf"aio_{_ALNUM}{{28}}{_END}"),
    ("Ubidots key", rf"BBFF-{_ALNUM}{{30,}}"),
    ("Contentstack or Crowdin", rf"cs[a-f0-9]{{2}}{_HEX}{{30}}{_END}"),
    ("Pagar.me key", rf"ak_(?:live|test)_{_ALNUM}{{30}}"),
    ("Ionic token", r"ion_[A-Za-z0-9]{42}"),
    ("PubNub key", rf"(?:sub|pub|sec)-c-(?:[0-9a-z]{{8}}-(?:[0-9a-z]{{4}}-){{3}}[0-9a-z]{{12}}|{_ALNUM}{{40,}})"),
    ("Nightfall key", rf"NF-{_ALNUM}{{32}}{_END}"),
    ("Stytch secret", rf"secret-(?:test|live)-{_WORD}{{30,}}"),
    ("Convex key", r"(?:prod|dev|preview):[a-z]+-[a-z]+-[0-9]{1,4}\|[A-Za-z0-9+/=]{40,}"),
    ("Blynk credential", rf"oa2-client-id_{_WORD}{{32}}"),
    ("Codemagic token", rf"codemagic_{_WORD}{{40,}}"),
    ("Teamwork token", r"tkn\.v1_[A-Za-z0-9]{70,}=?"),
    ("ClickHouse key", rf"4b1d(?=[A-Za-z0-9]{{0,37}}[A-Z])(?!X{{6}}){_ALNUM}{{38}}{_END}"),
    ("PagerDuty key", r"u\+[A-Za-z0-9_+-]{18}(?![A-Za-z0-9])|pdus\+_[A-Za-z0-9_+-]{20,}"),
    # What watches
    ("Grafana token", rf"glc_{_B64}{{32,}}={{0,2}}|glsa_{_ALNUM}{{32}}_[A-Fa-f0-9]{{8}}"),
    ("Grafana key", rf"eyJrIjoi{_B64}{{40,}}={{0,2}}"),
    ("Datadog key", rf"dd(?:app|api|pat|sat)_{_ALNUM}{{30,}}|pub{_HEX}{{32}}{_END}"),
    ("New Relic key", rf"NR(?:AK|JS|II|IQ|RA|SP|AA)-{_WORD}{{19,}}"),
    ("Sentry token", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("Honeycomb key", r"hc[abx][mi]k_[a-z0-9]{50,}"),
    ("Dynatrace token", r"dt0[a-zA-Z][0-9]{2}\.[A-Za-z0-9]{8,24}\.[A-Za-z0-9]{40,64}"),
    ("LaunchDarkly key", rf"(?:api|sdk|mob)-{_UUID}"),
    ("PostHog key", rf"ph[cxars]_{_WORD}{{32,}}"),
    ("Elastic key", rf"essu_{_B64}{{40,}}={{0,2}}"),
    ("Honeybadger or FireHydrant key", rf"hbp_{_ALNUM}{{30,}}|fhb-{_HEX}{{32}}{_END}"),
    ("Flagsmith key", rf"ser\.(?=[A-Za-z]{{0,21}}[0-9]){_ALNUM}{{22}}{_END}"),
    ("Segment token", rf"sgp_{_ALNUM}{{60,}}"),
    ("Better Stack or Axiom", rf"xa[ap]t-{_UUID}"),
    ("incident.io or StatusPage", rf"inc_{_HEX}{{60,}}"),
    ("Splunk or Snowflake", rf"ETP{_ALNUM}{{28,}}(?:-[A-Z]+)?{_END}"),
    ("ConfigCat key", rf"configcat-(?:sdk|proxy)-[0-9]/{_WORD}{{22}}/{_WORD}{{22}}"),
    # Keys of more than one vendor
    ("JSON web token", rf"eyJ(?<![A-Za-z0-9_-]eyJ){_WORD}{{8,}}\.eyJ{_WORD}{{8,}}(?:\.{_WORD}*)?"),
    ("JSON web token", rf"eyJ(?<![A-Za-z0-9_-]eyJ){_WORD}{{16,}}\.{_WORD}{{12,}}\.{_WORD}{{12,}}(?:\.{_WORD}{{8,}}\.{_WORD}{{8,}})?"),
    ("JSON web token", rf"eyJ(?<![A-Za-z0-9_-]eyJ){_WORD}{{40,}}\.{_WORD}{{40,}}"),
    ("JSON web token", rf"ey[A-Za-z0-9]{{17,}}\.ey{_WORD}{{16,}}\.{_WORD}{{10,}}"),
    ("Fernet token", rf"gAAAAAB[a-z]{_WORD}{{80,}}={{0,2}}"),
    ("extended private key", r"[xyzt]prv[1-9A-HJ-NP-Za-km-z]{100,}"),
    ("Bitcoin private key", r"(?:5[HJK]|[KL][1-9A-HJ-NP-Za-km-z])[1-9A-HJ-NP-Za-km-z]{49,50}(?![A-Za-z0-9+/])"),
    ("Nostr key", r"nsec1[02-9ac-hj-np-z]{58}"),
)  # fmt: skip
"""Vendor and pattern. The pattern of a row begins with letters or digits, alternatives of it too."""

_WORDLESS = frozenset(
    ("GitHub token", "GitLab token", "Google API key", "Tailscale key", "Hugging Face token", "Shopify token")
)
"""Whose body may be letters alone: the prefix says enough."""

_MARKED: tuple[tuple[str, str, str], ...] = (
    # What has its mark in the middle, or one that says enough also in the middle of a word: vendor, the mark, and the pattern.
    ("GitHub token", "ghp_", r"ghp_[A-Za-z0-9]{30,}"),
    ("GitHub token", "gho_", r"gho_[A-Za-z0-9]{30,}"),
    ("GitHub token", "ghs_", r"ghs_[A-Za-z0-9]{30,}"),
    ("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{22,}"),
    ("GitLab token", "glpat-", r"glpat-[A-Za-z0-9_.-]{18,}"),
    ("Google API key", "AIza", rf"AIza{_WORD}{{35}}"),
    ("Slack token", "xoxb-", r"xoxb-(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9-]{10,}"),
    ("API key", "sk-ant-", rf"sk-ant-(?=[A-Za-z_-]{{0,40}}[0-9]){_WORD}{{20,}}"),
    ("API key", "sk-proj-", rf"sk-proj-(?=[A-Za-z_-]{{0,40}}[0-9]){_WORD}{{20,}}"),
    ("JSON web token", "eyJhbGci", rf"eyJhbGci{_WORD}{{8,1000}}\.eyJ{_WORD}{{8,}}(?:\.{_WORD}{{8,}})?"),
    ("Azure AD client secret", "Q~", r"(?<![A-Za-z0-9_~.-])[A-Za-z0-9_~.]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,34}(?![A-Za-z0-9_~-])"),
    ("Azure DevOps token", "JQQJ99", rf"{_ALNUM}{{52}}JQQJ99{_ALNUM}{{10,30}}"),
    ("Azure DevOps token", "AZDO", rf"{_ALNUM}{{76}}AZDO{_ALNUM}{{4}}"),
    ("New Relic key", "NRAL", rf"(?<![A-Za-z0-9])(?:{_HEX}{{36}}|(?:eu01xx|gov01x)[0-9a-f]{{30}})(?:FFFF)?NRAL"),
    # The marks that Azure puts into the keys of its services, six or so characters before their end.
    *(("Azure key", mark, rf"(?<![A-Za-z0-9+/]){_B64}{{30,80}}{re.escape(mark)}{_B64}{{5,7}}={{0,2}}(?![A-Za-z0-9+/=])")
      for mark in ("+ASt", "ACDb", "AzCa", "AzFu", "+ACR", "+ASb", "+AEh", "AIoT", "+ABa", "+AMC", "APIM")),
    ("Azure key", "AzSe", rf"{_ALNUM}{{42}}AzSe[A-D]{_ALNUM}{{5}}"),
    ("kubeadm token", "--token", r"(?<=--token[ =])[a-z0-9]{6}\.[a-z0-9]{16}(?![A-Za-z0-9])"),
    ("Terraform Cloud token", ".atlasv1.", rf"(?<![A-Za-z0-9]){_ALNUM}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{40,}}"),
    ("Telegram bot token", ":AA", r"[0-9]{8,10}:AA[A-Za-z0-9_-]{32,33}(?![A-Za-z0-9])"),
    ("Telegram bot token", "tgram://", r"(?<=tgram://)[0-9]{6,12}:[A-Za-z0-9_-]{30,40}"),
    ("Telegram bot token", "/bot", r"(?<=/bot)[0-9]{6,12}:[A-Za-z0-9_-]{30,40}"),
    ("Facebook token", "|", r"[0-9]{15,16}\|[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9])"),
    ("MaxMind key", "_mmk", rf"(?<![A-Za-z0-9]){_ALNUM}{{6}}_{_ALNUM}{{29}}_mmk"),
    ("Mailchimp key", "-us", rf"{_HEX}{{32}}-us[0-9]{{1,2}}(?![0-9])"),
    ("password hash", ":$", r":\$(?:2[abxy]|apr1|argon2id|1|5|6|y)\$[A-Za-z0-9./$,=+-]{20,}"),
    ("password hash", "$2", r"(?<=\$)2[abxy]\$[0-9]{2}\$[./A-Za-z0-9]{53}(?![/A-Za-z0-9])"),
    ("password hash", "$1$", r"(?<=\$)1\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}(?![/A-Za-z0-9])"),
    *(("password hash", f"${kind}$", rf"(?<=\$){kind}\$(?:rounds=[0-9]{{1,9}}\$)?[./A-Za-z0-9]{{1,16}}\$[./A-Za-z0-9]{{43,86}}(?![/A-Za-z0-9])") for kind in "568"),
    ("password hash", "$y$", r"(?<=\$)y\$[./A-Za-z0-9]{2,5}\$[./A-Za-z0-9]{8,22}\$[./A-Za-z0-9]{43}(?![/A-Za-z0-9])"),
    ("password hash", "$argon2", r"(?<=\$)argon2i?d?\$v=[0-9]{1,3}\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/]{16,90}\$[A-Za-z0-9+/]{20,90}"),
    ("Kerberos ticket", "$krb5", r"(?<=\$)krb5(?:asrep|tgs|pa)\$[0-9]{2}\$[^\s\"']{0,120}\$[0-9A-Fa-f]{32,}"),
    ("Airtable token", ".v1.", rf"(?<![A-Za-z0-9.]){_ALNUM}{{6,}}\.v1\.{_WORD}{{8,}}\.(?=[a-f]{{0,30}}[0-9])[a-f0-9]{{12,}}(?![A-Za-z0-9])"),
    ("Tableau token", "==:", rf"(?<![A-Za-z0-9+/]){_B64}{{22}}==:{_ALNUM}{{32}}(?![A-Za-z0-9])"),
)  # fmt: skip

MARK_STEMS = tuple(
    max(re.findall("[a-z0-9]{3,}", mark.lower()), key=len, default=mark.lower()) for _, mark, _ in _MARKED
)
"""What a word of the text holds that has the mark of each row; or the mark itself, if no word would say much."""

_SHAPELESS = (
    # What is random and has no prefix, but a second part that says what it is.
    rf"(?:{_HEX}{{32}}(?:\.{_ALNUM}{{16}}|-{_HEX}{{8}}-{_HEX}{{8}})(?![A-Za-z0-9-]|\.[A-Za-z0-9])"
    rf"|{_HEX}{{24}}[:.](?:{_HEX}{{64}}|{_HEX}{{32}})(?![A-Za-z0-9-]|\.[A-Za-z0-9])"
    rf"|{_UUID}:{_HEX}{{32}}(?![A-Za-z0-9])|[0-9]/[0-9]{{15,17}}(?:/[0-9]{{15,17}})?:{_HEX}{{32}}"
    rf"|[0-9]{{1,3}}-(?=[0-9a-z]{{0,60}}[A-Z]){_ALNUM}{{64}}{_END})"
)

_SHORTEST = 16
_SHORTEST_PREFIXED = 27
_PREFIXED = rf"[_-]{_ALNUM}{{24,}}(?![A-Za-z0-9_/+-]|\.[A-Za-z0-9])"
_PREFIX = re.compile(r"(?<![A-Za-z0-9_./+=-])[A-Za-z]{2,12}(?:[_-][A-Za-z0-9]{2,10}){0,3}\Z")
"""A token of a vendor that has no row: a short prefix and a long generated body."""
_SECRECY = word_set("""
    sk ak pk rk pat sat uat oat tok token key keys api apikey sec secret auth live prod bot cred priv
    pass access refresh svc
""")
"""One of these is a part of its prefix, or it may be the id of anything: `toolu_…`, `run_…`."""


def vendor_tokens(text: str, runs: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where tokens are in the text, and whose they are. `runs` are its runs (`gates.runs_of`): no token has a blank in it."""
    pattern, names = _all()
    prefixed, end = _prefixed(), 0
    for run in runs:
        start = text.index(run, end)
        end = start + len(run)
        if len(run) < _SHORTEST:
            continue
        for match in pattern.finditer(text, start, end):
            name = names[match.lastindex or 0]
            if not _is_ordinary(name, match[0]) and not _is_within_base64(text, match.start()):
                yield match.start(), match.end(), name
        if len(run) < _SHORTEST_PREFIXED:
            continue
        for match in prefixed.finditer(text, start, end):
            prefix = _PREFIX.search(text, max(0, match.start() - 50), match.start())
            if prefix and _is_issued(prefix[0], match[0]):
                yield prefix.start(), match.end(), "token with a prefix"


def marked_tokens(text: str, rows: Iterable[int]) -> Iterator[tuple[int, int, str]]:
    """Where tokens are that show by a mark what they are, also in the middle of a word. `rows` are the rows of the table that the
    text may hold (`MARK_STEMS`).
    """
    table = _marked()
    for name, mark, marked in [table[at] for at in rows]:
        if mark in text:
            for match in marked.finditer(text):
                if not is_placeholder(match[0]):
                    yield match.start(), match.end(), name


def _is_ordinary(name: str, token: str) -> bool:
    if BLOTTED.search(token):
        return True
    if name in _WORDLESS or token.isupper():
        return False
    return not any(map(str.isdigit, token)) and reads_as_words(token)


def _is_within_base64(text: str, at: int) -> bool:
    """Whether the place lies in the middle of a long text of base64, in which any prefix comes up by chance."""
    before = text[max(0, at - 24) : at]
    return before[-1:] in ("+", "/") and len(before) == 24 and _BASE64.fullmatch(before) is not None


_BASE64 = re.compile(r"[A-Za-z0-9+/]+")
_TURNS = re.compile(r"(?<=[A-Za-z])[0-9]|(?<=[0-9])[A-Za-z]")


_ISSUER = re.compile(r"[a-z]{2,8}(?:_[a-z]{2,10})?\Z")


def _is_issued(prefix: str, body: str) -> bool:
    """Whether this is a token rather than an id: its prefix says so, or it is longer and more mixed than ids are."""
    if not _is_generated(body[1:]):
        return False
    parts = re.split("[_-]", prefix.lower())
    if not _SECRECY.isdisjoint(parts):
        return True
    return (
        body[0] == "_"
        and len(body) > _LONGEST_ID
        and _ISSUER.match(prefix) is not None
        and not body.islower()
        and _IDS.isdisjoint(parts)
    )


_LONGEST_ID = 32
_IDS = word_set("""
    id ids msg run req resp response toolu tool call chatcmpl file asst thread batch evt event session sess conv conversation item rs
    reasoning step msgs message trace span user org proj job task image img sha hash blob chunk css js index vendor main module
    commit ref rev build page cursor next etag cache nonce state doc
""")


def _is_generated(body: str) -> bool:
    kinds = (str.isupper, str.islower, str.isdigit)
    turns = len(_TURNS.findall(body))
    if all(sum(map(kind, body)) >= 3 for kind in kinds):
        return turns >= 5
    # Of one case it has to be long, and no digest.
    return len(body) >= 32 and turns >= 6 and not _HEXADECIMAL.issuperset(body.lower())


_HEXADECIMAL = frozenset("0123456789abcdef")


@cache
def _all() -> tuple[re.Pattern[str], list[str]]:
    """One pattern for all rows, and the name that belongs to each of its groups.

    The groups are empty and follow their alternatives, so that each of these begins with a literal: an alternative
    whose first character is another one costs the machine of `re` next to nothing.
    """
    rows: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, pattern in _TOKENS:
        for first, rest in _by_first(pattern):
            rows[first].append((name, rest))
    names = ["", *(name for first in rows for name, _ in rows[first])]
    groups = (f"{first}(?:{'|'.join(f'{rest}()' for _, rest in rows[first])})" for first in rows)
    return re.compile(
        f"(?<![A-Za-z0-9])(?=[A-Za-z0-9_.:/+~|=%$!-]{{16}})(?:{'|'.join(groups)}|{_SHAPELESS}())"
    ), [*names, "API key"]


def _by_first(pattern: str) -> Iterator[tuple[str, str]]:
    """The pattern's alternatives, each as its first character and the rest."""
    for alternative in _split(pattern):
        if alternative.startswith("(?:"):
            end = _closing(alternative)
            for start in _split(alternative[3:end]):
                yield from _by_first(start + alternative[end + 1 :])
        elif alternative.startswith("["):
            end = alternative.index("]")
            for char in alternative[1:end]:
                yield char, alternative[end + 1 :]
        else:
            yield alternative[0], alternative[1:]


def _split(pattern: str) -> Iterator[str]:
    depth = start = 0
    for at, char in enumerate(pattern):
        if char in "([":
            depth += 1
        elif char in ")]":
            depth -= 1
        elif char == "|" and not depth and pattern[at - 1] != "\\":
            yield pattern[start:at]
            start = at + 1
    yield pattern[start:]


def _closing(pattern: str) -> int:
    depth = 0
    for at, char in enumerate(pattern):
        depth += (char in "([") - (char in ")]")
        if not depth:
            return at
    raise AssertionError(pattern)


@cache
def _marked() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple((name, mark, re.compile(pattern)) for name, mark, pattern in _MARKED)


@cache
def _prefixed() -> re.Pattern[str]:
    return re.compile(_PREFIXED)
