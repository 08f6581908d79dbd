"""Keys that show by nothing but their surroundings whose they are: what is generated, behind the name of a service and a word for a secret.

    HEROKU_KEY = "7c1e9b52-…"    shodan key 9f86d081…    sonar.login=…    "messagebird access id": "…"

Half of all services issue keys without a prefix: a UUID, or so many letters and digits. Behind any other name these are ids and digests, and
stay readable. To add a service, add its name to `_SERVICES`, in one word of lower case. A name that is a word of its own (box,
front, line) is none: its keys are found behind names of secrets alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ace.domain.screens.names import word_set
from ace.domain.screens.values import is_random, is_secret, reads_as_words

__all__ = ["NEAR_STEMS", "service_keys"]

_SERVICES = word_set("""
    abuseipdb abyssale accuweather acoustid adafruit adobe adyen affirm ahrefs airbrake airship airtable airvisual aiven alchemy
    algolia alibaba aliyun alienvault allsports amadeus amplitude anthropic anypoint apideck apiflash apify apilayer apitemplate
    appcues appfollow appoptics appsflyer appveyor artifactory asana assemblyai atera atlassian audd auth0 autodesk
    autoklose avaza aviationstack axonaut aylien ayrshare azure bannerbear baremetrics baseten beebole besttime betterstack
    bigcommerce billomat binance bintray bitbar bitbucket bitcoinaverage bitfinex bitly bitmex bitrise bittrex blazemeter blockfrost
    blocknative boostnote borgbase brandfetch braintree braintrust branchio braze brevo browserstack browshot bscscan budibase bugherd bugsnag
    buildkite bulksms buttercms caflou calendarific calendly calorieninjas campayn canny capsulecrm captaindata cashfree censys
    cexio chargebee chartmogul checkly checkr cicero circleci civo clarifai clearbit clerk clickhouse clicksend clickup
    cliengo clockify cloudconvert cloudflare cloudimage cloudinary cloudmersive cloudsight cloudsmith cloverly cockroach codacy
    codeclimate codecov codemagic cohere coinapi coinbase coingecko coinlayer coinlib coinmarketcap commercejs confluence confluent
    contentful contentstack conversiontools convertapi convertkit convertio couchbase countrylayer courier coveralls craftmypdf crowdin
    cryptocompare currencyfreaks currencylayer currencyscoop currentsapi customerio cypress dailyco dandelion dareboost databento databricks
    datadog datagov debounce deepai deepgram deepl deepseek detectify detectlanguage diffbot digicert digitalocean discord discogs
    disqus docparser docraptor docusign documo dockerhub doppler dovico dronahq droneci dropbox duffel dwolla dynatrace dyspatch
    easypost ebay edamam edenai elasticemail elevenlabs endorlabs enigma envoy etherscan etsy eventbrite everhour exchangerate
    exchangeratesapi extractorapi facebook faceplusplus fastforex fastly feedier fibery figma finage finicity finnhub firebase
    fireworks fixer flagsmith flatio flickr flightapi flightaware flightlabs flightstats flowflu flutterwave foursquare frameio
    freshbooks freshdesk freshservice fullcontact fullstory fxmarket gcp geckoboard gemini gengo geoapify geocodify geocodio getgeo
    getresponse giphy github gitea gitlab gitter glassnode gocardless godaddy gofile goodreads google grafana graphcms
    graphhopper greenhouse greptile groq gtmetrix gumroad happyscribe harness hasura hellosign helpcrunch helpscout heroku hetzner
    hiveage holidayapi honeybadger honeycomb hotjar html2pdf hubspot huggingface hunterio hybiscus hypertrack iconfinder ibmcloud
    iexcloud imagekit imagga imgbb imgur infobip infura influxdb insightly instagram instamojo instatus intercom interseller intrinio
    ip2location ipapi ipgeolocation ipify ipinfo ipinfodb ipqualityscore ipstack jenkins jfrog jira jotform jumpcloud jupiterone
    kagi kaggle kickbox klaviyo klipfolio knapsackpro kraken kucoin kylas languagelayer larksuite lastfm launchdarkly lemlist
    lemonsqueezy lendflow lightspeed linkedin linkpreview linode livechat livestorm lobdotcom locationiq logdna loggly loginradius logzio lokalise
    looker loyverse lunchmoney magicbell mailboxlayer mailchimp mailerlite mailersend mailgun mailjet mailmodo mailsac mailtrap
    mandrill mapbox mapquest marketo marketstack mattermost mavenlink maxmind mediastack meistertask meraki messagebird metabase
    midtrans mindmeister mistral mixmax mixpanel mockaroo mollie mongodb monkeylearn moonclerk moralis myfatoorah nasdaqdatalink
    neutrino newrelic newsapi newscatcher nexmo nextdns nftport ngrok nightfall notion npm nuget numverify nutritionix nvidia nylas
    nytimes oanda okta omnisend onelogin onepagecrm onesignal onfleet onfido openai opencage opencagedata openrouter opensea
    openshift openuv openweather openweathermap opsgenie optimizely outreach overloop ovh packagecloud pagerduty pandadoc pandascore paperform
    paralleldots parsehub parseur partnerstack pastebin paydirt paymongo paypal paystack paytm pdflayer pdfshift peopledatalabs pepipost
    perplexity pexels phrase pinata pinecone pingdom pinterest pipedream pipedrive pivotaltracker pixabay plaid planetscale
    plivo poloniex polygonscan portainer positionstack postageapp posthog postman postmark prodpad proxycrawl pubnub pulumi
    purestake pushbullet pusher pushover qase qualaroo qualtrics quickbase quickbooks quickchart quora qubole rabbitmq rapidapi rapid7 raygun
    rawg razorpay readme rebrandly recaptcha recurly reddit redis remotebg replicate resend restpack revolut ringcentral ritekit rocketreach
    rollbar rootly route4me rubygems runpod salesblink salesflare salesforce salesloft samsara saucelabs scaleway scalr scrapeowl
    scraperapi scraperbox scrapestack scrapfly scrapingant scrapingbee screenshotapi screenshotlayer securitytrails selectpdf
    sendbird sendgrid sendinblue sentry serpapi serphouse serpstack serper shippo shipstation shodan shopify shotstack shutterstock
    sidekiq signalwire signaturit sinch sirv skrappio slack smartsheet smartystreets smsapi smugmug snipcart snowflake snyk solarwinds sonar
    sonarcloud sonarqube soundcloud sourcegraph sparkpost splunk spoonacular sportmonks spotify squarespace squareup sslmate
    stabilityai stackhawk statsig statuscake statuspage stitchdata stockdata storecove stormglass storyblok strava
    stripe stytch sumo sumologic supabase surveymonkey surveysparrow survicate swiftype tableau tailscale tatum tavily taxjar teamwork telegram
    telnyx temporal terraform thingspeak thinkific thousandeyes ticketmaster tiingo tiktok timezoneapi tmdb todoist toggl tomtom tradier
    transferwise travelpayouts travisci trello tumblr twelvedata twilio twitch twitter typeform ubidots udemy unbounce
    unsplash upcdatabase uploadcare upstash uptimerobot urlscan userstack vagrant vatlayer vbout vercel veriphone versioneye vimeo virustotal
    visualcrossing voiceflow vonage voyageai vpnapi vultr wakatime walkscore wandb weatherapi weatherbit weatherstack weaviate
    webex webflow webscraper websitepulse wepay whatsapp whoisxmlapi whoxy wistia wolframalpha woocommerce worldcoinindex wrike xero
    abstract agora apollo beamer box capsule chatbot close coda copper deno ditto float front fulcrum hunter impala
    linear lob magnetic mesibo miro monday mux nimble pem podio privacy raven refiner semaphore shipday shortcut signable square streak
    tefter unplugg upwave vouchery
    kontent karma
    yandex yelp youneedabudget yousign youtube zapier zendesk zenrows zenscrape zenserp zerobounce zerotier zhipu
    zillow zipcodeapi zoho zulip
""")
_SECRECY = word_set("""
    key keys apikey token tokens secret access private auth password pass pat credential login api signing
    crumb authtoken accesstoken accesskey secretkey apitoken apisecret clientsecret license bearer pw
""")
_OTHERWISE = word_set("""
    id ids uuid guid hash sha sha1 sha256 md5 digest checksum commit revision rev ref build version release tag etag name
    user account org project team workspace channel zone region host url uri path file image event request trace span run job
    public publishable expected actual fingerprint thumbprint integrity etag cursor page sitekey
""")
"""What the last word in front of a value calls it if that is not a secret."""

_VALUE = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z_-]{0,40}[0-9])[A-Za-z0-9][A-Za-z0-9_-]{13,4095}={0,2}")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+[0-9]?(?![A-Za-z]*[0-9])|[A-Za-z]+[0-9]*")
_NAME = re.compile(r"(?:[A-Za-z]{2,40}[_-]){1,4}(?=[A-Za-z]{0,12}[0-9])")
_GLUED = re.compile(r"(.{3,}?)(?:api|app)?(?:key|token|secret|access|private)\Z")
NEAR_STEMS = (
    "key",
    "token",
    "secret",
    "access",
    "private",
    "auth",
    "pass",
    "pat",
    "cred",
    "login",
    "api",
    "sign",
    "crumb",
    "license",
    "bearer",
    "pw",
)
_NEAR = re.compile("|".join(NEAR_STEMS))
"""What each word of `_SECRECY` holds: asked before anything else, since most ids have none of it in front of them."""
_DIGIT = re.compile("[0-9]")
_REACH = 72


def service_keys(text: str, lower: str, runs: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Where keys of services are in the text. `lower` is the text in lower case, place for place, and `runs` are its runs
    (`gates.runs_of`).
    """
    end = 0
    for run in runs:
        start = text.index(run, end)
        end = start + len(run)
        if _DIGIT.search(run):
            yield from _keys_in(text, lower, start, end)


def _keys_in(text: str, lower: str, start: int, end: int) -> Iterator[tuple[int, int, str]]:
    for match in _VALUE.finditer(text, start, end):
        if not _NEAR.search(lower, max(0, match.start() - _REACH), match.end()):
            continue
        # Some write name and key as one: `shodan-secret-9f86…`.
        name = _NAME.match(match[0])
        for at in (match.start(), match.start() + name.end()) if name else (match.start(),):
            value = text[at : match.end()]
            if _is_generated(value) and _is_named(text[max(0, at - _REACH) : at]) and is_secret(value):
                yield at, match.end(), "key of a service"
                break


def _is_generated(value: str) -> bool:
    return is_random(value) or (len(value) >= 20 and (value.isdigit() or not reads_as_words(value)))


def _is_named(before: str) -> bool:
    """Whether the last words in front of a value name a service, and behind that a secret."""
    words = [word.lower() for word in _WORDS.findall(before[before.rfind("\n") + 1 :])][-7:]
    if not words or (words[-1] in _OTHERWISE and words[-2:] != ["access", "id"]):
        return False
    secret = next((at for at in range(len(words) - 1, -1, -1) if words[at] in _SECRECY), -1)
    if secret < 0:
        glued = _GLUED.fullmatch(words[-1])
        return glued is not None and glued[1] in _SERVICES
    return any(words[at] in _SERVICES or "".join(words[at : at + 2]) in _SERVICES for at in range(secret + 1))
