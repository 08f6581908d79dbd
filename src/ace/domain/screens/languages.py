"""Instruction overrides, and lessons that act, in the languages most written after English.

Each language is a row of `_LANGUAGES`: its verbs of ignoring, what an agent is told (a noun with a qualifier, or a phrase that
needs none), and its other wordings, in its own spelling with its inflections. `_kinds` puts them together in the same way for
all of them. What is written is folded first (`fold`): accents, dots and hamza go from patterns and texts alike, so that a text
typed without them is the same. A language is tried when a text has one of its `words`, or letters of its `script`.

To widen a language, add a form to its field; to add one, add a row. Patterns must run in linear time: each gap has an end.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import NamedTuple

from ace.domain.screens.views import Views

__all__ = ["Foreign", "foreign"]


class Foreign(NamedTuple):
    """What a person is told of a text in another language, and whether it acts, or drops what the agent was told."""

    told: str
    acts: bool


class _Language(NamedTuple):
    """The wordings of one language, each a pattern; an empty one is not there.

    `drop` verbs of ignoring; `unfollow` following, denied; `noun` what an agent is told; `qualifier` which of it; `strong` what needs no
    qualifier; `void` what is said of rules that hold no longer; `none` without rules; `you` what begins a role; `role` a role or mode
    as it is; `show` and `shown`: to reveal, and what; `new` a new task; `obey` whom alone; `over` what goes before the rest; `hide` from
    the user; `secret` and `ask` for one; `send` it away; `follow` what was told, `denied` behind it; `never` in front of a verb, and `after` it, what makes a warning of it.
    `more` verbs of ignoring; `stale` more of what holds no longer; `user` and `wish`: what somebody wants; `instead` of it; `only` `heed` who wrote a `page`;
    `above`: what a page is over the rest; `bow` to it; `grants` whatever is asked; `received` what is to be shown; a page as a `command`.
    """

    words: str
    drop: str
    noun: str
    qualifier: str
    strong: str
    never: str
    unfollow: str = ""
    void: str = ""
    none: str = ""
    you: str = ""
    role: str = ""
    show: str = ""
    shown: str = ""
    new: str = ""
    obey: str = ""
    over: str = ""
    hide: str = ""
    secret: str = ""
    ask: str = ""
    send: str = ""
    after: str = ""
    script: str = ""
    follow: str = ""
    denied: str = ""
    user: str = ""
    wish: str = ""
    only: str = ""
    heed: str = ""
    page: str = ""
    instead: str = ""
    stale: str = ""
    more: str = ""
    above: str = ""
    bow: str = ""
    grants: str = ""
    received: str = ""
    command: str = ""


_GERMAN = _Language(
    words=(
        "der die das und nicht alle alles deine deinen deiner dein du dir bist jetzt keine kein ohne "
        "anweisungen anweisung instruktionen regeln nutzer benutzer gib zeig zeige wiederhole ignoriere "
        "ignorieren vergiss missachte missachten obigen vorherigen befehle befehlen nur mir mehr diese neue "
        "ab sag erzahle hor folge gehorche"
        " ist des dem nutzers benutzers seite veraltet vorrang datei anfrage kommentar gilt gelten statt verfasser nie niemals wunsch bitte entwicklers wenn"
    ),
    drop=(
        r"\b(?:ignoriere?n?\b|ignorierst|missachte?n?\b|vergiss|vergesst|vergessen?|übergeh\w*|umgeh\w*"
        r"|verwirf|verwerfe?n?|überschreib\w*|lösch\w*|brich|brecht|breche?n?|verletz\w*|verstoß\w*"
        r"|deaktivier\w*|widerruf\w*"
        r"|streich\w*|annullier\w*|ersetz\w*|entfern\w*|überspring\w*|sieh über|hinwegsetzen"
        r"|setz\w* dich über|lass\w* (?:\w+ ){0,4}(?:außer acht|beiseite|weg)|schalt\w* (?:\w+ ){0,4}(?:aus"
        r"|ab)|heb\w* (?:\w+ ){0,4}auf|löse? dich von"
        r"|außer acht (?:zu )?lassen)"
    ),
    unfollow=(
        r"\bkümmer\w* dich nicht (?:mehr |länger )?um\b|\b(?:befolg\w*|folg\w*|beacht\w*|gehorch\w*"
        r"|halt\w* dich|halten sie sich|richte dich|berücksichtig\w*|hör\w*)\b(?: \w+){0,6}? (?:nicht mehr"
        r"|nicht länger|nicht weiter|nicht|keine\w*)\b|hör\w* auf,? (?:\w+ ){0,5}zu (?:befolgen|beachten"
        r"|gehorchen)"
        r"|\b(?:musst|brauchst|sollst|darfst) (?:\w+ ){0,6}nicht (?:mehr |länger )?(?:befolgen|beachten"
        r"|folgen|gehorchen|einhalten|berücksichtigen)"
    ),
    noun=(
        r"(?:anweisung\w*|instruktion\w*|\w*regeln?\b|vorgaben?\b|\w*richtlinien?\b|befehle?n?\b"
        r"|vorschrift\w*|anordnung\w*|weisung\w*|hinweise?\b|beschränkung\w*|einschränkung\w*|sicherheits\w+"
        r"|schutzma\w+|\w*filter\b|leitlinien?\b|\w*prompts?\b|nachrichten\b|gespräch\w*|programmierung"
        r"|aufgaben?\b)"
    ),
    qualifier=(
        r"\b(?:vorherig\w*|vorig\w*|bisherig\w*|früher\w*|obig\w*|oben|vorangegangen\w*|vorangehend\w*"
        r"|vorstehend\w*|alle[nsr]?|sämtlich\w*|dein\w*|eure\w*|ursprünglich\w*|zuvor|davor|bestehend\w*"
        r"|jede\w*|system\w*|darüber|vorhin|gegeben\w*|bekommen\w*|erhalten\w*)\b"
    ),
    strong=(
        r"(?:system-? ?prompt\w*|systemanweisung\w*|systemnachricht\w*|\balles,? was (?:dir|du|ich|man|sie"
        r"|ihnen|oben|zuvor|vorher|bisher|davor)\b|\balles (?:obige|bisherige|vorherige|davor|oben)|\b(?:das"
        r"|den|die) (?:obige|bisherige|vorherige|vorangegangene)\w*(?= ?(?:$|[.,;:!?]|und)))"
    ),
    void=(
        r"(?:gelten nicht|gilt nicht|nicht mehr (?:gültig|relevant)|ungültig|außer kraft|nichtig|hinfällig"
        r"|aufgehoben|gegenstandslos|überholt|zählen nicht|zählt nicht|sind (?:ab sofort )?(?:vergessen"
        r"|gelöscht|egal))"
    ),
    none=(
        r"(?:\b(?:keine?[nr]?|ohne|frei von)(?: \w+){0,2} (?:\w*regeln?|einschränkung\w*|beschränkung\w*"
        r"|grenzen|richtlinien|filter\w*|zensur|vorgaben)\b|\b(?:uneingeschränkt|unzensiert|unbeschränkt"
        r"|ungefiltert|unmoralisch|bös)\w*)"
    ),
    you=(
        r"\b(?:du bist|sie sind|ihr seid|ab (?:jetzt|sofort|nun)|von (?:jetzt|nun) an|künftig|tu so"
        r"|stell dir vor|spiel\w*|verhalte dich|handle|agiere|antworte|beantworte|du hast|für dich)\b"
    ),
    role=(
        r"\b(?:du bist|sie sind|ihr seid) (?:jetzt|nun|ab jetzt|ab sofort|fortan|von nun an"
        r"|nicht mehr)(?: \w+){0,3} (?:dan\b|ki\b|\w*assistent\w*|\w*bot\b|hacker\w*|\w*modell\b"
        r"|administrator\w*|root\b|\w*modus)|\b(?:entwickler|debug|gott|admin|wartungs|dan"
        r"|jailbreak)-? ?modus\b(?! (?:in|unter|am|des|der)\b)"
    ),
    show=(
        r"\b(?:zeig\w*|gib|gebt|geben sie|nenn\w*|verrat\w*|offenbar\w*|wiederhol\w*|druck\w*|schreib\w*"
        r"|enthüll\w*|teil\w*|lies|kopier\w*|was (?:ist|sind|steht|lautet|lauten)|wie (?:lautet|lauten))\b"
    ),
    shown=(
        r"(?:system-? ?prompt\w*|\bdeine[nr]? (?:\w+ ){0,2}(?:anweisungen|instruktionen|regeln|vorgaben"
        r"|prompt|befehle|richtlinien)|ursprünglich\w* (?:anweisung|prompt)\w*|systemanweisung\w*"
        r"|systemnachricht)"
    ),
    new=(
        r"(?:\bneue (?:anweisung\w*|instruktion\w*|regeln?|befehle?|aufgabe|vorgaben?) ?:|\b(?:deine|eure"
        r"|ihre) neue\w* (?:aufgabe|anweisung\w*|rolle|regeln?|mission)|(?:^|[.!?] ?)system(?:hinweis|meldung"
        r"|nachricht|anweisung)? ?: ?(?:neu|du|ignor|alle|ab)\w*)"
    ),
    obey=(
        r"(?:\b(?:gehorch\w*|folg\w*|hör\w*|befolg\w*|beacht\w*|führ\w*)(?: \w+){0,3} (?:nur|ausschließlich"
        r"|allein|lediglich)(?: noch)?(?: auf)? (?:mir|mich|mein\w*|diese\w*)\b|\bnur noch (?:mein\w*"
        r"|auf mich|mir|diese\w*)\b|\b(?:nur|ausschließlich) (?:mir|meinen? (?:befehl|anweisung|wort)\w*)\b)"
    ),
    over=(
        r"\b(?:diese[rsn]?|mein\w*|folgende\w*) (?:\w+ ){0,3}(?:(?:hat|haben|geniess\w*"
        r"|genieß\w*) (?:\w+ )?(?:vorrang|priorität)|überschreib\w*|ersetz\w*|stehen über|steht über"
        r"|gehen vor|geht vor|gilt vor|gelten vor|setzt? (?:\w+ ){0,4}außer kraft)"
    ),
    hide=(
        r"(?:\b(?:sag\w*|erzähl\w*|verrat\w*|meld\w*|zeig\w*|teil\w*|erwähn\w*|informier\w*"
        r"|bericht\w*)\b(?: \w+){0,4}? (?:nutzer\w*|benutzer\w*|anwender\w*|kunden|kundin\w*|niemand\w*"
        r"|betreiber\w*)(?: \w+){0,3}? ?(?:nicht|nichts|niemals|nie|nie etwas|davon|hiervon)\b|\b(?:sag"
        r"|erzähl|verrat|erwähn|meld|zeig)\w*(?: \w+){0,2} (?:nie|niemals|nicht"
        r"|nichts)(?: \w+){0,4} (?:nutzer\w*|benutzer\w*|anwender\w*|kunden|niemand\w*)|\b(?:verheimlich\w*"
        r"|verschweig\w*|verbirg|verberg\w*|versteck\w*)\b(?: \w+){0,6} (?:nutzer|benutzer|anwender|kunden"
        r"|betreiber)\w*)"
    ),
    secret=(
        r"\b(?:passw[oö]rt\w*|kennwort\w*|geheim(?:en?|er|nis\w*)? ?(?:schlüssel|code|wort)?|zugangsdaten"
        r"|api-? ?schlüssel\w*|anmeldedaten)\b"
    ),
    ask=(
        r"\b(?:kannst du|können sie|könntest du|könnten sie|könnt ihr|sag mir|sagen sie mir|gib mir"
        r"|geben sie mir|nenn mir|verrat mir|teil mir|was ist (?:dein|das|unser|ihr)|wie lautet (?:dein|das"
        r"|unser|ihr))\b"
    ),
    send=r"\b(?:send\w*|schick\w*|übermittl\w*|übertrag\w*|poste\w*|leit\w*|lad\w*)\b",
    never=(
        r"\b(?:nie|niemals|nicht|nichts|kein\w*|statt|anstatt|lehn\w*|verweiger\w*|darf|dürfen|angriff\w*"
        r"|auffordert|auffordern|versucht|versuchen)\b"
    ),
    follow=(
        r"\b(?:befolg\w*|folg\w*|beacht\w*|gehorch\w*|halt\w*|berücksichtig\w*|hör\w* auf|richte dich nach)\b"
    ),
    denied=r"\b(?:nicht mehr|nicht länger|nicht weiter|nie mehr|nie wieder)\b",
    after=(
        r"^[^.!?]{0,14}\b(?:nicht|nie|niemals)\b|^[^.!?]{0,60}\b(?:lehn\w*|verweiger\w*|ist ein angriff"
        r"|ist verboten|verboten)\b"
    ),
    user=r"\b(?:nutzer\w*|benutzer\w*|anwender\w*|kunden|kundin|entwickler\w*|betreiber\w*|auftraggeber\w*)\b",
    wish=r"\b(?:anfragen?|anliegen|wunsch\w*|wünsche\w*|bitten?|anweisung\w*|vorgaben?|aufgaben?|auftr[aä]g\w*|befehle?n?|worte?)\b",
    only=r"\b(?:nur(?: noch)?|ausschließlich|allein|einzig|lediglich)\b",
    heed=r"\b(?:gehorch\w*|gehorsam\w*|befehle?n?|anweisung\w*|anordnung\w*|hör\w*|folg\w*|befolg\w*|vorgaben?|auftr[aä]g\w*|wort)\b",
    page=r"\b(?:seite|webseite|kommentar\w*|datei|tickets?|mail|e-mail|verfasser\w*|autor\w*|notiz|anhang|dokument\w*|issues?|herr\w*|frau|text\w*|hier|folgend\w*)\b",
    instead=r"\b(?:statt|anstatt|anstelle|lass|ignoriere)\b",
    stale=r"(?:(?:gelten|gilt|zählen|zählt|existier\w+|binde[nt]\w*)(?: \w+){0,4} (?:nicht|nie)(?: mehr)?\b|veraltet|überholt|abgelaufen|ohne bedeutung|bedeutungslos|unverbindlich|nicht existier\w+|nicht gäbe|erledigt|aufgehoben|hinfällig)",
    more=r"hinweg|setz\w* (?:\w+ ){0,2}über|pfeif\w* auf|scher\w* dich nicht|schlag\w* (?:\w+ ){0,5}in den wind|leg\w* (?:\w+ ){0,5}ab\b",
    above=r"(?:vorrang|priorität|steh\w* über|geht vor|gehen vor|überschreib\w*|ersetz\w*|schlägt|schlagen|wichtiger|höher\w*|sticht|aufhebt|hebt|über (?:dem|den|der))",
    bow=r"\b(?:gehorch\w*|gehorsam\w*|unterwirf|unterwerf\w*)\b",
    grants=r"\b(?:nichts(?: \w+){0,3} (?:ablehn\w*|verweiger\w*|abschlag\w*)|(?:lehn\w*|verweiger\w*|schlag\w*)(?: \w+){0,2} nichts|(?:nie|niemals|keine?)(?: \w+){0,2} (?:bitte|anfrage|wunsch|befehl)\w*(?: \w+){0,2} (?:ablehn|verweiger)\w*|sag\w* (?:nie|niemals) nein|sag\w* immer ja|jede\w* (?:wunsch|befehl|anfrage|bitte)\w* (?:ohne|bedingungslos))",
    received=r"\b(?:erhalten|bekommen|gegeben|mitgegeben|bekamst|erhieltst|begonnen|anfang\w*|beginn)\b",
    command=r"\bals (?:\w+ ){0,2}(?:anweisung\w*|befehle?\w*|anordnung\w*|auftrag\w*|systemprompt\w*|systemnachricht\w*)",
)

_SPANISH = _Language(
    words=(
        "las los tus todas todo todos ahora eres instrucciones reglas anteriores anterior usuario ordenes "
        "olvida ignora ignore mis solo nunca digas sistema nuevas nueva muestra revela dime dame cual "
        "contrasena haz sigas estas obedece no el la lo de que"
        " peticion solicitud pagina archivo autor prioridad mensaje obsoleto comentario haz sigue obedece directrices desarrollador cuando"
    ),
    drop=(
        r"\b(?:ignor(?:a|e|ar|en|ad|es|ando|emos)\b|olv[ií]d(?:a|e|ar|en|es|ad|ando)(?:te|se|lo)?\b"
        r"|descart\w+|desestim\w+|omit(?:e|a|ir|an|id)\b|desobede\w+|desacat\w+|anul(?:a|e|ar|en)\b"
        r"|invalid(?:a|e|ar|en)\b|sobrescrib\w+|reemplaz\w+|sustituy\w+|pas(?:a|e|ar) por alto|ha(?:z|ga|cer"
        r"|gan|ced) caso omiso"
        r"|prescind\w+|dej(?:a|e|ar|en) (?:de lado|a un lado|atrás|de (?:seguir|obedecer|cumplir|respetar"
        r"|lado|hacer caso))|elimin(?:a|e|ar)\b|borr(?:a|e|ar)\b|desactiv(?:a|e|ar)\b|s[aá]lt(?:a|e|ar)(?:te"
        r"|se)?\b|viol(?:a|e|ar)\b|romp(?:e|a|er)\b|burl(?:a|e|ar)\b|rechaz(?:a|e|ar)\b|cancel(?:a|e|ar)\b"
        r"|revoc\w+|revoqu\w+|abandon(?:a|e|ar)\b|elud\w+|desh[aá][zg]\w*)"
    ),
    unfollow=(
        r"\b(?:no|nunca|deja de|dejad de|ya no) (?:debes |tienes que |hay que |necesitas "
        r"|vuelvas a )?(?:sig\w+|seguir|obede\w+|cumpl\w+|hag\w+ caso|respet\w+|acat\w+|teng\w+ en cuenta"
        r"|apli\w+)\b"
    ),
    noun=(
        r"\b(?:instrucci(?:ón|ones)|reglas?|normas?|órdenes|indicaci(?:ón|ones)|directrices|directivas?"
        r"|pautas?|restricci(?:ón|ones)|limitaci(?:ón|ones)|límites|políticas?|mandatos?|filtros?|mensajes?"
        r"|prompts?|contexto|programación|entrenamiento)\b"
    ),
    qualifier=(
        r"\b(?:anterior(?:es|mente)?|previ[ao]s?|todas?|todos?|tus?|vuestr[ao]s|sus|arriba|precedentes?"
        r"|de antes|inicial(?:es)?|original(?:es)?|sistema|cualquier|existentes|recibid[ao]s|dad[ao]s"
        r"|hasta ahora|tuy[ao]s|antiguas?)\b"
    ),
    strong=(
        r"(?:\blo (?:anterior|de arriba|dicho antes|que (?:te|se te|le|os) (?:\w+ ){0,2}(?:dij\w+|dicho"
        r"|indic\w+|enseñ\w+|pid\w+|orden\w+))|\b(?:prompt|mensaje|instrucción) (?:del?|de tu) sistema"
        r"|\btodo lo que (?:te|se te|le|has|sabes)|\btodo lo (?:anterior|de arriba|previo))"
    ),
    void=(
        r"(?:ya no (?:se aplica\w*|aplica\w*|valen?|cuentan?|rigen?|son válid\w+|import\w+|tienen)"
        r"|no (?:se aplican|valen|cuentan|rigen)\b|queda\w* (?:anulad|sin efecto|derogad|cancelad|suspendid"
        r"|sin valid)\w*|(?:son|están|considér\w*|han sido) (?:nul|inválid|anulad|cancelad|revocad"
        r"|eliminad)\w*)"
    ),
    none=(
        r"(?:\bsin (?:ningun[ao]? |ningún )?(?:tipo de )?(?:restricci\w+|límites?|limitaci\w+|reglas|filtros?"
        r"|censura|normas)\b|\bno (?:ten\w+|hay|existen) (?:\w+ )?(?:restricci|límit|reglas|limitaci"
        r"|filtros)\w*|\blibre de (?:restric|toda|reglas)\w*)"
    ),
    you=(
        r"\b(?:eres|serás|sos|actúa\w*|actuarás|compórta\w*|finge|imagina|haz de cuenta|responde\w*"
        r"|desde ahora|a partir de ahora|de ahora en adelante|para ti)\b"
    ),
    role=(
        r"\b(?:ahora (?:eres|serás|sos)|eres ahora|(?:desde|a partir de|de) ahora(?: en adelante)?,? (?:eres"
        r"|serás|actúas|actuarás)|ya no eres)(?: \w+){0,3} (?:dan\b|asistente|ia\b|inteligencia|modelo|bot\b"
        r"|hacker|modo|administrador|agente)|\bmodo (?:desarrollador|dios|dan|administrador|sin restricciones"
        r"|sin filtros|jailbreak|mantenimiento activado|sistema activado)\b"
    ),
    show=(
        r"\b(?:muestra\w*|muéstra\w*|mostra\w*|revel\w+|repit\w+|repet\w+|imprim\w+|di|dime|dame|escrib\w+"
        r"|enseñ\w+|copi\w+|compart\w+|cuál(?:es)? (?:es|son)|traduc\w+|resum\w+)\b"
    ),
    shown=(
        r"(?:\b(?:prompt|mensaje|instrucci(?:ón|ones)) (?:\w+ )?(?:del?|de tu) sistema|\bsystem prompt"
        r"|\btus? (?:\w+ ){0,2}(?:instrucciones|prompt|reglas|directrices|configuración)"
        r"|\binstrucciones (?:iniciales|originales|previas|internas|ocultas)|\bprompt (?:inicial|original"
        r"|oculto))"
    ),
    new=(
        r"(?:\bnuev[ao]s? (?:instrucciones|instrucción|órdenes|orden|reglas|tarea|directrices) ?:"
        r"|\btus? nuev[ao]s? (?:tarea|instrucciones|misión|rol|objetivo|reglas|orden)|(?:^|[.!?] ?)(?:(?:nota"
        r"|aviso|mensaje|alerta) del )?sistema ?: ?\w+)"
    ),
    obey=(
        r"(?:\b(?:obede\w+|sigue|sigues|escucha\w*|haz caso|responde|cumple)[^.!?]{0,20}\b(?:solo|sólo"
        r"|solamente|únicamente|exclusivamente|nada más)\b[^.!?]{0,12}\b(?:mis?|mí|me|est[aeo]s?)\b|\b(?:solo"
        r"|sólo|únicamente|solamente) (?:mis (?:órdenes|instrucciones|reglas|palabras)|me (?:obede|escuch"
        r"|hac)\w+|(?:debes )?obede\w+(?:me)?|seguirás mis|a mí))"
    ),
    over=(
        r"\b(?:est[aeo]s?|mis?|las siguientes) (?:\w+ ){0,3}(?:prevalece\w*|tiene\w* (?:\w+ )?(?:prioridad"
        r"|preferencia|precedencia)|reemplaza\w*|sustituye\w*|anula\w*|sobrescribe\w*|est[aá]n? por encima)\b"
    ),
    hide=(
        r"(?:\b(?:no|nunca|jamás)(?: se)?(?: lo| le| les)? (?:dig\w+|cuent\w+|mencion\w+|inform\w+|revel\w+"
        r"|avis\w+|muestr\w+|comuni\w+|not[ií]fi\w+)\b[^.!?]{0,50}\b(?:usuari\w+|clientes?|nadie|operador\w*"
        r"|dueñ\w+)|\b(?:ocult\w+|escond\w+)\b[^.!?]{0,50}\b(?:al?|del?) (?:usuari\w+|cliente\w*|operador\w*"
        r"|dueñ\w+))"
    ),
    secret=(
        r"\b(?:contraseñas?|claves? (?:secretas?|de api|de acceso|privadas?)|credenciales|fecha de nacimiento"
        r"|dirección de correo|número de la seguridad)\b"
    ),
    ask=(
        r"\b(?:(?:puedes|podrías|puede|podría)[^.?!]{0,12}(?:decir\w*|dar\w*|confirm\w+|compart\w+|revel\w+"
        r"|proporcion\w+|ayud\w+)|dime|dame|díme|dígame|necesito que confirmes|confirma|(?:cuál|cual) (?:es"
        r"|sería) (?:tu|la|su|nuestra|el))\b"
    ),
    send=r"\b(?:env[ií]a\w*|manda\w*|sub[ea]\w*|publica\w*|transmit\w+|reenv[ií]a\w*)\b",
    never=(
        r"\b(?:no|nunca|jamás|tampoco|sin|evit\w+|prohib\w+|en vez de|en lugar de|ataque\w*|te pid\w+|pida"
        r"|intent\w+)\b"
    ),
    user=r"\b(?:usuari[oa]s?|clientes?|desarrollador\w*|operador\w*|propietari\w*|dueñ[oa])\b",
    wish=r"\b(?:petici(?:ón|ones)|solicitud\w*|deseos?|órdenes|instrucci\w+|indicaci\w+|tareas?|pide|pidió|quiere|encargo)\b",
    only=r"\b(?:solo|sólo|solamente|únicamente|exclusivamente|nada más)\b",
    heed=r"\b(?:obede\w+|órdenes|orden|instrucci\w+|caso|sigue|sigas|mand\w+|escucha\w*|palabra)\b",
    page=r"\b(?:página|web|comentarios?|archivo|fichero|correo|autor\w*|nota|adjunto|documento|ticket|incidencia|issue|texto|siguiente|señor\w*)\b",
    instead=r"\b(?:en (?:vez|lugar) de|deja\w*|olvida\w*)\b",
    stale=r"(?:(?:ya )?no (?:existier\w+|existe\w*|cuenta\w*|vale\w*|aplica\w*|rige\w*|importa\w*|tien\w+ validez)|obsolet\w+|caduc\w+|desactualizad\w+|anticuad\w+|sin (?:efecto|validez|valor)|carece\w* de)",
    more=r"no (?:hagas|haga|hagan) caso|haz oídos sordos|prescinde|deja\w* atrás|desoye\w*|desoíd\w*|desentiénd\w+",
    above=r"\b(?:prioridad|prevalec\w*|preferencia|precedencia|por encima|reemplaz\w*|sustituy\w*|anul\w*|invalid\w*|más importante\w*|manda\w*|supera\w*)",
    bow=r"\b(?:obede\w+|sométe\w*|someter\w*)\b",
    grants=r"\b(?:(?:nunca|jamás|no) (?:te |se )?(?:nieg\w+|rechac\w+|rechaz\w+|rehús\w+)(?: a)?(?: \w+)? (?:nada|petici\w+|solicitud\w*|orden\w*)|di siempre que sí|cumple (?:toda|todas|cualquier)\w*)",
    received=r"\b(?:recib\w+|diero\w+|dad[ao]s|te han|inicio|principio|comienzo)\b",
    command=r"\bcomo (?:\w+ ){0,2}(?:orden|órdenes|instrucci\w+|prompt|mensaje del sistema)",
)

_FRENCH = _Language(
    words=(
        "les des tes vos toutes tout tous ce qui regles consignes precedentes oublie oubliez ignorez suis "
        "vous tu jamais utilisateur mes nouvelles montre affiche mot passe ne plus une les cette maintenant "
        "aucune aucun desormais instructions limite limites est sont ces ton votre cache n"
        " utilisateur demande fichier auteur seuls ordres priorite perime commentaire contenu comme traite suis obeis quand systeme developpeur"
    ),
    drop=(
        r"\b(?:ignor(?:e|es|ez|er|ons|ant)\b|oubli(?:e|es|ez|er|ons)\b|néglig\w+|fai(?:s|tes"
        r"|re) (?:abstraction|fi)|écart(?:e|ez|er)\b|outrepass\w+|contourn\w+|désobé\w+|abandonn\w+|annul(?:e"
        r"|es|ez|er)\b|remplac\w+|supprim\w+|efface\w*|désactiv\w+|viole\w*|enfrein\w+"
        r"|bafoue\w*|transgress\w+|laisse\w* (?:de côté|tomber)|met\w* (?:de côté|à l'écart)|passe\w* outre"
        r"|révoqu\w+|élimin\w+|saut(?:e|ez|er)\b|méprise\w*|rejett?e\w*|libère\w*(?:-toi)? d)"
    ),
    unfollow=(
        r"\b(?:ne |n')?(?:\w+ )?(?:sui(?:s|vez|vre)|obéi\w*|respect\w+|appliqu\w+|observ\w+|écout\w+"
        r"|tien\w* compte|considèr\w+)(?: (?:pas|plus|jamais))\b|\bne (?:plus|pas) (?:suivre|obéir|respecter"
        r"|appliquer|tenir compte|écouter)|\bcess\w+ d['e] ?(?:suivre|obéir|respecter|appliquer)"
        r"|\barrêt\w+ de (?:suivre|respecter|appliquer)|\bn'\w+ (?:pas|plus) (?:à|besoin de) (?:suivre"
        r"|respecter|obéir)"
    ),
    noun=(
        r"\b(?:instructions?|consignes?|règles?|directives?|ordres?|restrictions?|limitations?|limites?"
        r"|politiques?|indications?|recommandations?|filtres?|messages?|prompts?|contexte|programmation"
        r"|lignes directrices|contraintes?|garde-fous?)\b"
    ),
    qualifier=(
        r"\b(?:précédent\w*|antérieur\w*|ci-dessus|toutes?|tous|tes|vos|ton|votre|préalables?|initial\w*"
        r"|originel\w*|original\w*|d'origine|d'avant|plus haut|système|reçu\w*|donné\w*|existant\w*|passé\w*"
        r"|auparavant|jusqu'ici)\b"
    ),
    strong=(
        r"(?:\bce qui (?:précède|est (?:écrit )?(?:ci-dessus|plus haut)|a été (?:dit|écrit))|\bce qu(?:e"
        r"|'on) (?:on |l'on |vous |tu |je )?(?:t'a|t'ai|vous a|vous avez|as|ai)\b|\b(?:prompt|message"
        r"|invite) (?:de |du )?système|\bsystem prompt|\btout ce qu(?:e|i|'on)\b|\btou(?:te)?s les (?:autres"
        r"|précédent\w+)(?= ?(?:$|[.!?]))|\bce qui est au-dessus)"
    ),
    void=(
        r"(?:ne (?:s'appliquent|s'applique|valent|comptent|sont) (?:plus|pas)|n'(?:est|ont|ont plus"
        r"|est plus) (?:plus |pas )?(?:valable|cours|valid)\w*|(?:sont|est|considér\w+"
        r"|désormais) (?:\w+ )?(?:nul|annul|caduc|invalid|suspend|abrog|révoqu|obsolèt)\w*)"
    ),
    none=(
        r"(?:\bsans (?:aucune? )?(?:\w+ )?(?:restrictions?|limites?|limitations?|règles?|filtres?|censure"
        r"|tabous?|contraintes?)\b|\b(?:aucune|plus de|plus aucune) (?:restriction|limite|règle|contrainte"
        r"|censure)s?\b|\blibre de tout\w*)"
    ),
    you=(
        r"\b(?:tu es|vous êtes|tu seras|vous serez|agis|agissez|comporte|comportez|fais comme si"
        r"|faites comme si|imagine\w*|joue\w*|réponds|répondez|désormais|dorénavant|à partir de maintenant"
        r"|dès maintenant|il n'y a)\b"
    ),
    role=(
        r"\b(?:tu es|vous êtes|tu deviens|vous devenez) (?:maintenant|désormais|dorénavant"
        r"|à présent)(?: \w+){0,3} (?:dan\b|assistant\w*|ia\b|intelligence|modèle|bot\b|hacker|en mode"
        r"|administrateur|agent)|\bmode (?:développeur|dieu|dan|administrateur|sans restriction\w*"
        r"|sans filtre|jailbreak|système activé)\b"
    ),
    show=(
        r"\b(?:montr\w+|révèl\w+|révél\w+|répèt\w+|répét\w+|affich\w+|imprim\w+|dis|dites|donne\w*|écri\w+"
        r"|partag\w+|copi\w+|quel(?:le)?s? (?:est|sont)|tradui\w+|résum\w+|divulgu\w+)\b"
    ),
    shown=(
        r"(?:\b(?:prompt|message|invite|instructions?) (?:\w+ )?(?:de |du )?système|\bsystem prompt|\b(?:tes"
        r"|vos) (?:\w+ ){0,2}(?:instructions|consignes|règles|directives)|\b(?:ton|votre) (?:\w+ )?prompt"
        r"|\binstructions (?:initiales|d'origine|internes|cachées|système)|\bprompt (?:initial|d'origine))"
    ),
    new=(
        r"(?:\bnouvelles? (?:instructions?|consignes?|règles?|tâche|directives?|mission) ?:"
        r"|\bnouveaux ordres ?:|\b(?:ta|ton|tes|votre|vos) nouv\w+ (?:tâche|instructions?|mission|rôle"
        r"|objectif|consignes?|règles?)|(?:^|[.!?] ?)(?:(?:note|avis|message"
        r"|alerte) (?:du )?)?système ?: ?\w+)"
    ),
    obey=(
        r"(?:\b(?:obéi\w*|sui[sv]\w*|écout\w+|respect\w+|exécut\w+)[^.!?]{0,25}\b(?:uniquement|seulement"
        r"|exclusivement|que)\b[^.!?]{0,12}\b(?:à moi|moi|mes|mon|ces|ce|cette)\b|\b(?:uniquement|seulement"
        r"|exclusivement|seuls?|seules?) (?:mes|à mes|à moi)\b|\bn'(?:obéi|écoute)\w* (?:plus )?qu)"
    ),
    over=(
        r"\b(?:ces|cette|ce|mes|mon|les suivantes) (?:\w+ ){0,3}(?:prévaut|prévalent|remplace\w*|annule\w*"
        r"|l'emporte\w*|priment?|prime\b|(?:a|ont) (?:la )?(?:priorité|préséance)|passe\w* avant"
        r"|supplante\w*)"
    ),
    hide=(
        r"(?:\b(?:ne|n')(?: ?\w+)?(?: |')?(?:di[st]\w*|dire|mentionn\w+|inform\w+|révèl\w+|révél\w+|parl\w+"
        r"|signal\w+|montr\w+|avert\w+|préven\w+)\b[^.!?]{0,60}\b(?:utilisat\w+|client\w*|personne"
        r"|opérateur\w*|propriétaire)|\b(?:cach\w+|dissimul\w+|masqu\w+)\b[^.!?]{0,50}\b(?:à l'|aux? "
        r"|du )(?:utilisat|client|opérateur)\w*)"
    ),
    secret=(
        r"\b(?:mots? de passe|clés? (?:secrètes?|d'api|privées?)|identifiants|date de naissance"
        r"|adresse e-?mail|adresse électronique)\b"
    ),
    ask=(
        r"\b(?:(?:peux-tu|pouvez-vous|pourrais-tu|pourriez-vous)[^.?!]{0,14}(?:dire|donner|confirmer|partager"
        r"|révéler|fournir)|dis-moi|dites-moi|donne-moi|donnez-moi|quel(?:le)? (?:est|serait) (?:le|la|ton|ta"
        r"|votre|notre))\b"
    ),
    send=r"\b(?:envo[iy]\w*|transmet\w*|transfèr\w*|télévers\w+|post\w+|publi\w+|expédi\w+)\b",
    never=(
        r"\b(?:ne|n'\w+|jamais|pas|sans|évit\w+|interdi\w+|au lieu d|plutôt que|refus\w+|attaque\w*"
        r"|te demande|vous demande)\b"
    ),
    user=r"\b(?:utilisat\w+|clients?|développeur\w*|opérateur\w*|propriétaire\w*)\b",
    wish=r"\b(?:demandes? d\w+|requêtes?|souhaits?|instructions?|consignes?|ordres?|tâches?|volontés?|veut)\b",
    only=r"\b(?:seuls?|seules?|uniquement|seulement|exclusivement|que)\b",
    heed=r"\b(?:obéi\w*|ordres?|instructions?|consignes?|suis|suivez|écoute\w*|commandes?|parole)\b",
    page=r"\b(?:page|site|commentaires?|fichier|courriel|mail|auteur\w*|note|pièce jointe|document|ticket|texte|suivant\w*|m\.|mme|monsieur)(?:\b|(?<=\.))",
    instead=r"\b(?:au lieu d\w*|plutôt que|à la place d\w*|laisse\w*|oublie\w*)\b",
    stale=r"(?:n'exist\w+ (?:pas|plus)|n'(?:a|ont|est|avait) (?:plus|pas|aucune?)|périmé\w*|obsolèt\w*|caduc\w*|dépassé\w*|sans (?:valeur|effet|objet)|ne (?:compt|val|s'appliqu)\w+ (?:plus|pas))",
    more=r"désobéi\w*|ne tien\w* (?:plus|pas|aucun) compte|fais fi|moque-toi|affranchi\w*|passe outre|ne tien\w+ aucun",
    above=r"\b(?:priorité|prévau\w*|prévalent|prim\w+|emporte\w*|remplace\w*|annule\w*|au-dessus|plus important\w*|supplante\w*|passe\w* avant|préséance)",
    bow=r"\b(?:obéi\w*|soumet\w*|soumis\w*)\b",
    grants=r"\b(?:(?:ne|n') ?(?:\w+ )?(?:refus\w+|déclin\w+) (?:jamais rien|rien|aucune? (?:demande|ordre|requête)|jamais (?:une |la )?(?:demande|requête))|dis toujours oui|accepte tout\w*)",
    received=r"\b(?:reçu\w*|donné\w*|fourni\w*|début|départ|commencement)\b",
    command=r"\bcomme (?:\w+ ){0,2}(?:ordres?|instructions?|consignes?|message système|prompt)",
)

_ITALIAN = _Language(
    words=(
        "le gli tutte tutti tutto istruzioni regole precedenti sopra dimentica ignora tuo tua tue sei ora "
        "senza utente mai nuove mostra rivela dimmi dammi qual puoi potresti obbedisci solo queste non il di "
        "nascondi"
        " richiesta utente comandi autore precedenza sistema commento pagina obbedisci segui quando sviluppatore questo questa"
    ),
    drop=(
        r"\b(?:ignor(?:a|i|ate|are|ino|ando)\b|dimentic(?:a|hi|ate|are|ati)\w*|scord(?:a|ati|atevi)\w*"
        r"|trascur\w+|tralasci\w+|disobbed\w+|scart(?:a|are|i|ate)\b|annull\w+|sovrascriv\w+|sostituisc\w+"
        r"|elimin(?:a|are|i|ate)\b|cancell\w+|disattiv\w+|viol(?:a|are|ate|i)\b|infrang\w+|aggir\w+|elud\w+"
        r"|supera\w*|salta\w*|abbandon\w+|lascia\w* (?:perdere|stare|da parte)|metti\w* da parte|revoc\w+"
        r"|rifiut\w+|liberati d\w+)"
    ),
    unfollow=(
        r"\b(?:non|smetti di|smettila di|smettete di) (?:devi |dovete |deve |più )*(?:segui\w*|seguire"
        r"|obbed\w+|rispett\w+|osserv\w+|ascolt\w+|applic\w+|considerare|badare|ten\w+ conto"
        r"|tieni conto)(?: più)?\b"
    ),
    noun=(
        r"\b(?:istruzion[ei]|regol[ae]|ordini|direttiv[ae]|indicazion[ei]|linee guida|restrizion[ei]"
        r"|limitazion[ei]|limiti|politic(?:a|he)|comand[oi]|vincol[oi]|filtr[oi]|messagg[io]+|prompt|contesto"
        r"|programmazione|norm[ae])\b"
    ),
    qualifier=(
        r"\b(?:precedent[ei]|anterior[ei]|tutt[eiao]|tu[eoai]+|vostr[eoai]|sopra|sopracitat\w+|inizial[ei]"
        r"|original[ei]|sistema|qualsiasi|esistent[ei]|ricevut[eio]|dat[eio]|finora|prima|passat[eio]"
        r"|suddett\w+)\b"
    ),
    strong=(
        r"(?:\b(?:quanto|tutto ciò che|tutto quello che|quello che|ciò che) (?:sopra|precede|scritto|detto|ti"
        r"|vi|è|hai|sai|sta sopra)|\b(?:prompt|messaggio) (?:di|del) sistema|\bsystem prompt"
        r"|\btutto (?:quanto )?(?:il )?(?:precedente|sopra)|\btutto ciò che)"
    ),
    void=(
        r"(?:non (?:valgono|si applicano|contano|sono) più|non (?:valgono|si applicano|contano)\b|(?:sono|è"
        r"|considera\w*) (?:ora |ormai )?(?:null|annullat|invalid|sospes|revocat|decadut|abrogat|obsolet)\w*)"
    ),
    none=(
        r"(?:\bsenza (?:alcun\w* |nessun\w* )?(?:restrizion\w+|limit\w*|regol\w+|filtr\w+|censura"
        r"|vincol\w+)\b|\b(?:non ci sono|non hai|nessun[ao]?) (?:più )?(?:restrizion\w+|limit\w+|regol\w+"
        r"|vincol\w+)|\blibero da (?:ogni|tutt|regol|vincol)\w*)"
    ),
    you=(
        r"\b(?:sei|sarai|siete|agisci|comportati|fingi|fai finta|immagina\w*|rispondi\w*|d'ora in poi"
        r"|da ora in poi|da adesso|da questo momento|interpreta)\b"
    ),
    role=(
        r"\b(?:(?:ora|adesso|da ora|d'ora in poi) (?:sei|sarai)|sei (?:ora|adesso"
        r"|diventat\w+))(?: \w+){0,3} (?:dan\b|assistente|ia\b|ai\b|intelligenza|modello|bot\b|hacker"
        r"|in modalità|amministratore|agente)|\bmodalità (?:sviluppatore|dio|dan|amministratore"
        r"|senza restrizioni|senza filtri|jailbreak|sistema attivata)\b"
    ),
    show=(
        r"\b(?:mostra\w*|rivel\w+|ripet\w+|stampa\w*|dimmi|dammi|scriv\w+|condivid\w+|copia\w*|qual è"
        r"|quali sono|traduc\w+|riassum\w+|svela\w*|riporta\w*)\b"
    ),
    shown=(
        r"(?:\b(?:prompt|messaggio|istruzioni) (?:di|del) sistema|\bsystem prompt|\b(?:tue|vostre"
        r"|sue) (?:\w+ ){0,2}(?:istruzioni|regole|direttive)|\b(?:tuo|vostro|suo) (?:\w+ )?prompt"
        r"|\bistruzioni (?:iniziali|originali|interne|nascoste)|\bprompt (?:iniziale|originale))"
    ),
    new=(
        r"(?:\bnuov[eio] (?:istruzion[ei]|ordini|ordine|regol[ae]|compito|direttiv[ae]) ?:|\b(?:il tuo|la tua"
        r"|le tue|i tuoi|tuo|tua) nuov[aoei] (?:compito|istruzion[ei]|missione|ruolo|obiettivo|regol[ae]"
        r"|ordini)|(?:^|[.!?] ?)(?:(?:nota|avviso|messaggio) (?:di|del) )?sistema ?: ?\w+)"
    ),
    obey=(
        r"(?:\b(?:obbedi\w*|ubbidi\w*|segui\w*|ascolta\w*|esegui\w*)[^.!?]{0,20}\b(?:solo|soltanto|solamente"
        r"|esclusivamente|unicamente)\b[^.!?]{0,12}\b(?:me|mi[eoa]i?|quest\w+)\b|\b(?:solo|soltanto"
        r"|esclusivamente) (?:i miei|le mie|ai miei|alle mie|a me)\b)"
    ),
    over=(
        r"\b(?:quest[aeoi]|mi[eo]i?|le seguenti) (?:\w+ ){0,3}(?:prevale\w*|prevalgono|sostituisc\w+"
        r"|annull\w+|(?:ha|hanno) (?:la )?(?:priorità|precedenza)|sovrascriv\w+|vengono prima|viene prima)"
    ),
    hide=(
        r"(?:\b(?:non|mai) (?:mai )?(?:dir\w*|dite\b|raccontar\w*|menzionar\w*|informar\w*|rivelar\w*"
        r"|mostrar\w*|segnalar\w*|avvisar\w*|comunicar\w*)\b[^.!?]{0,50}\b(?:utent\w+|client\w+|nessuno"
        r"|operator\w+|proprietari\w+)|\b(?:nascond\w+|occult\w+)\b[^.!?]{0,50}\b(?:all'|agli |dall'|al |ai "
        r"|dal )(?:utent|client|operator)\w+)"
    ),
    secret=(
        r"\b(?:password|parola d'ordine|chiave (?:segreta|api|privata)|credenziali|data di nascita"
        r"|indirizzo e-?mail)\b"
    ),
    ask=(
        r"\b(?:(?:puoi|potresti|può|potrebbe|potete)[^.?!]{0,14}(?:dir\w*|dar\w*|confermar\w*|condivider\w*"
        r"|rivelar\w*|fornir\w*)|dimmi|dammi|sai dirmi|qual è (?:la|il|tua|nostra)|quale sarebbe)\b"
    ),
    send=r"\b(?:invia\w*|manda\w*|spedisc\w+|carica\w*|pubblica\w*|trasmett\w+|inoltra\w*)\b",
    never=r"\b(?:non|mai|senza|evita\w*|vietat\w+|invece di|anziché|attacc\w+|ti chied\w+|chiede|tenta\w*)\b",
    user=r"\b(?:utent[ei]|client[ei]|sviluppator[ei]|operator[ei]|proprietari\w*)\b",
    wish=r"\b(?:richiest[ae]|desider[io]+|istruzion\w+|indicazion\w+|ordin[ei]|compit[io]|volontà|chiede|vuole)\b",
    only=r"\b(?:solo|soltanto|solamente|unicamente|esclusivamente)\b",
    heed=r"\b(?:obbedi\w*|ubbidi\w*|ordin[ei]|istruzion\w+|segui\w*|ascolta\w*|comand[io]|parola|retta)\b",
    page=r"\b(?:pagina|sito|comment[io]|file|autore|autrice|nota|allegato|documento|ticket|testo|seguente|mail|email|signor\w*)\b",
    instead=r"\b(?:invece (?:di|del|della)|anziché|al posto (?:di|del|della)|lascia\w*)\b",
    stale=r"(?:non (?:esist\w+|conta\w*|valg\w+|vale|ha|hanno|è) (?:più|valore|valid\w*)?|obsolet\w+|scadut\w+|superat\w+|decadut\w+|senza (?:valore|effetto)|privi?o? di)",
    more=r"non (?:dare|dar) (?:retta|peso|ascolto)|non tenere conto|fregatene|infischiat\w*|disattend\w+|disubbid\w+",
    above=r"\b(?:priorità|precedenza|prevale\w*|prevalgono|sostituisc\w*|annull\w*|al di sopra|più important\w*|supera\w*|scavalc\w*|vien\w* prima)",
    bow=r"\b(?:obbedi\w*|ubbidi\w*|sottomett\w*)\b",
    grants=r"\b(?:non (?:rifiut\w+|negar\w*|respinger\w*) (?:mai )?(?:nulla|niente|alcun\w* richiest\w*|nessun\w*|una richiesta)|di' sempre di sì|accetta (?:tutto|ogni|qualsiasi))",
    received=r"\b(?:ricevut\w+|dat[eio]|fornit\w+|inizio|principio)\b",
    command=r"\bcome (?:\w+ ){0,2}(?:ordin\w+|istruzion\w+|comand\w+|messaggio di sistema|prompt)",
)

_PORTUGUESE = _Language(
    words=(
        "as os suas todas tudo instrucoes regras anteriores acima esqueca ignore desconsidere voce agora sem "
        "nao nunca usuario senha novas seu sua mostre revele diga qual pode obedeca apenas ao estas que o a"
        " pedido arquivo autor prioridade desatualizado ordens comentario pagina faca siga obedeca quando desenvolvedor este esta"
    ),
    drop=(
        r"\b(?:ignor(?:e|a|em|ar|ando|es)\b|esque(?:ça|ce|cer|çam|ças)\b|desconsider\w+|desprez\w+|descart\w+"
        r"|desobede\w+|anul(?:e|a|ar|em)\b|invalid(?:e|a|ar)\b|sobrescrev\w+|substitu\w+|remov\w+|apagu?\w+"
        r"|elimin(?:e|a|ar)\b|desativ\w+|viol(?:e|a|ar)\b|quebr(?:e|a|ar)\b|contorn\w+|burl(?:e|a|ar)\b"
        r"|pul(?:e|a|ar)\b|abandon\w+"
        r"|deix(?:e|a|ar) (?:de lado|para trás|de (?:seguir|obedecer|cumprir|respeitar))|revog\w+|cancel(?:e"
        r"|a|ar)\b|rejeit\w+|omit(?:a|e|ir)\b|faça de conta que não)"
    ),
    unfollow=(
        r"\b(?:não|nunca|pare de|para de|deixe de) (?:deve |deves |precisa |tem que |mais )*(?:sig\w+|seguir"
        r"|obede\w+|cumpr\w+|respeit\w+|acat\w+|observ\w+|apli\w+|dê atenção|escut\w+|ouç\w+"
        r"|leves? em (?:conta|consideração)|tenha em conta)(?: mais)?\b"
    ),
    noun=(
        r"\b(?:instruç(?:ão|ões)|regras?|ordens?|diretrizes|diretivas?|indicaç(?:ão|ões)|orientaç(?:ão|ões)"
        r"|restriç(?:ão|ões)|limitaç(?:ão|ões)|limites|políticas?|comandos?|filtros?|mensage(?:m|ns)|prompts?"
        r"|contexto|programação|normas?)\b"
    ),
    qualifier=(
        r"\b(?:anterior(?:es|mente)?|prévi[ao]s?|todas?|todos?|suas?|seus?|tuas?|teus?|acima|precedentes?"
        r"|antes|inicia(?:l|is)|origina(?:l|is)|sistema|qualquer|quaisquer|existentes|recebid[ao]s|dad[ao]s"
        r"|até agora|antig[ao]s)\b"
    ),
    strong=(
        r"(?:\b(?:tudo|o|aquilo) (?:o )?que (?:(?:te|lhe|foi|você|vc|eu|está|veio|há|foi-lhe) )+\w+"
        r"|\bo (?:acima|anterior)\b|\btudo (?:acima|o anterior|isso|antes)|\b(?:prompt|mensagem) (?:de"
        r"|do) sistema|\bsystem prompt)"
    ),
    void=(
        r"(?:não (?:se aplicam|se aplica|valem|vale|contam|são válidas) ?(?:mais)?|já não (?:se aplicam|valem"
        r"|contam)|(?:são|estão|foram|considere\w*|ficam) (?:agora )?(?:nul|anulad|inválid|cancelad|revogad"
        r"|suspens|sem efeito)\w*)"
    ),
    none=(
        r"(?:\bsem (?:nenhuma? |quaisquer |qualquer )?(?:tipo de )?(?:restriç\w+|limit\w+|regras|filtros?"
        r"|censura|normas)\b|\b(?:não há|não tem|não existem|nenhuma) (?:mais )?(?:restriç|limit|regra"
        r"|filtro)\w*|\blivre de (?:restriç|toda|qualquer|regras)\w*)"
    ),
    you=(
        r"\b(?:você é|tu és|será|serás|aja|age|atue|comporte-se|finja|imagine|faça de conta|responda"
        r"|a partir de agora|de agora em diante|doravante|agora és)\b"
    ),
    role=(
        r"\b(?:(?:agora|a partir de agora|de agora em diante|doravante),? (?:você|tu|vc) (?:é|és|será|serás)"
        r"|você (?:agora é|é agora)|tu és agora|agora és|você não é mais)(?: \w+){0,3} (?:dan\b|assistente"
        r"|ia\b|inteligência|modelo|bot\b|hacker|em modo|administrador|agente)|\bmodo (?:desenvolvedor"
        r"|programador|deus|dan|administrador|sem restrições|sem filtros|jailbreak|sistema ativado)\b"
    ),
    show=(
        r"\b(?:mostr\w+|revel\w+|repit\w+|repet\w+|imprim\w+|diga\w*|dig[ao]-me|dê-me|me dê|escrev\w+|exib\w+"
        r"|copi\w+|compartilh\w+|partilh\w+|qual é|quais são|traduz\w+|resum\w+)\b"
    ),
    shown=(
        r"(?:\b(?:prompt|mensagem|instruções) (?:\w+ )?(?:de|do) sistema|\bsystem prompt|\b(?:suas"
        r"|tuas) (?:\w+ ){0,2}(?:instruções|regras|diretrizes)|\b(?:seu|teu) (?:\w+ )?prompt"
        r"|\binstruções (?:iniciais|originais|internas|ocultas)|\bprompt (?:inicial|original))"
    ),
    new=(
        r"(?:\bnov[ao]s? (?:instruções|instrução|ordens|ordem|regras|tarefa|diretrizes) ?:|\b(?:sua|suas|seu"
        r"|tua|tuas|teu) nov[ao]s? (?:tarefa|instruções|missão|papel|objetivo|regras|função)|(?:^"
        r"|[.!?] ?)(?:(?:nota|aviso|mensagem|alerta) do )?sistema ?: ?\w+)"
    ),
    obey=(
        r"(?:\b(?:obede\w+|siga|segue|ouça|escut\w+|cumpra|execute)[^.!?]{0,20}\b(?:só|somente|apenas"
        r"|unicamente|exclusivamente)\b[^.!?]{0,12}\b(?:a mim|mim|minhas?|meus?|est[ae]s?)\b|\b(?:só|somente"
        r"|apenas) (?:as minhas|minhas|meus|os meus|a mim|me obede\w+|obede\w+)\b)"
    ),
    over=(
        r"\b(?:est[ae]s?|minhas?|meus?|as seguintes) (?:\w+ ){0,3}(?:prevalec\w+|substitu\w+|anula\w*"
        r"|sobrescrev\w+|(?:tem|têm) (?:\w+ )?(?:prioridade|precedência)|estão acima|está acima)"
    ),
    hide=(
        r"(?:\b(?:não|nunca|jamais)(?: o| a| lhe)? (?:dig\w+|cont\w+|mencion\w+|inform\w+|revel\w+|avis\w+"
        r"|mostr\w+|comuni\w+|relat\w+|fal\w+)\b[^.!?]{0,50}\b(?:usuári\w+|utilizador\w*|clientes?|ninguém"
        r"|operador\w*|don[oa]s?)|\b(?:ocult\w+|escond\w+)\b[^.!?]{0,50}\b(?:do|dos|da|ao|aos) (?:usuári"
        r"|utilizador|client|operador)\w*)"
    ),
    secret=(
        r"\b(?:senhas?|palavra-?passe|chaves? (?:secretas?|de api|privadas?)|credenciais|data de nascimento"
        r"|endereço de e-?mail)\b"
    ),
    ask=(
        r"\b(?:(?:pode|podes|poderia|podia)[^.?!]{0,14}(?:dizer\w*|dar\w*|confirm\w+|compartilh\w+|partilh\w+"
        r"|revel\w+|fornec\w+)|diga-me|me diga|dê-me|me dê|forneça|qual (?:é|seria) (?:a|o|sua|tua|nossa))\b"
    ),
    send=r"\b(?:envi\w+|mand\w+|carreg\w+|publi\w+|transmit\w+|encaminh\w+|poste\w*)\b",
    never=(
        r"\b(?:não|nunca|jamais|sem|evit\w+|proibid\w+|em vez de|ao invés|ataque\w*|te ped\w+|peça|pedir"
        r"|tent\w+)\b"
    ),
    user=r"\b(?:usuári[oa]s?|utilizador\w*|clientes?|desenvolvedor\w*|operador\w*|proprietári\w*|don[oa])\b",
    wish=r"\b(?:pedidos?|solicitaç\w+|desejos?|ordens?|instruç\w+|indicaç\w+|tarefas?|pede|pediu|quer|vontade)\b",
    only=r"\b(?:só|somente|apenas|unicamente|exclusivamente)\b",
    heed=r"\b(?:obede\w+|ordens?|instruç\w+|siga|segue|ouça|escut\w+|comandos?|palavra|atenda)\b",
    page=r"\b(?:página|site|comentários?|arquivo|ficheiro|autor\w*|nota|anexo|documento|ticket|texto|seguinte|e-?mail|senhor\w*|leia-me)\b",
    instead=r"\b(?:em vez d\w*|ao invés d\w*|no lugar d\w*|deixe|deixa|esqueça)\b",
    stale=r"(?:não (?:exist\w+|conta\w*|vale\w*|se aplica\w*|importa\w*|tem|têm)|já não|obsolet\w+|desatualizad\w+|caduc\w+|vencid\w+|ultrapassad\w+|sem (?:efeito|validade|valor))",
    more=r"não siga\w*|não dê (?:atenção|ouvidos|importância)|não ligue|faça pouco caso|desobede\w+|descumpr\w+|passe por cima",
    above=r"\b(?:prioridade|prevalec\w*|precedência|substitu\w*|anul\w*|acima|mais important\w*|supera\w*|sobrepõ\w*|vem antes|revog\w*)",
    bow=r"\b(?:obede\w+|submet\w+)\b",
    grants=r"\b(?:(?:nunca|jamais|não) (?:se )?(?:recus\w+|negu\w+|rejeit\w+)(?: a)?(?: \w+)? (?:nada|pedidos?|solicitaç\w+|ordens?)|diga sempre sim|aceite (?:tudo|todos|qualquer))",
    received=r"\b(?:recebe\w+|recebid\w+|dad[ao]s|forneci\w+|início|começo)\b",
    command=r"\bcomo (?:\w+ ){0,2}(?:ordem|ordens|instruç\w+|comandos?|mensagem do sistema|prompt)",
)

_TURKISH = _Language(
    words=(
        "onceki tum butun talimatlar talimatlari talimatlara kurallar kurallari kurallara yok say yukaridaki "
        "sistem istemini kullaniciya kullaniciyi artik sen sadece yalnizca bana yeni goster unut komutlar "
        "komutlari sifre sifreni sifresini parola bundan bu bir"
        " kullanicinin istegi istegini yerine gorevi dosyanin yazarinin yazari sayfa sayfadaki yorum yorumdaki emir dinle icin gelistirici artik"
    ),
    drop=(
        r"(?:yok say(?!ma\b|mayın)\w*|görmezden gel(?!me\b|meyin)\w*|göz ardı et(?!me\b|meyin)\w*|unut(?!ma\b"
        r"|mayın)\w*|boş ver\w*|boşver\w*|hiçe say(?!ma\b)\w*|atla(?!ma\b)\b|iptal(?: et(?!me\b)\w*)?"
        r"|geçersiz (?:kıl|say)(?!ma\b)\w*|geçersizdir|çiğne(?!me\b)\w*|ihlal et(?!me\b)\w*"
        r"|devre dışı bırak(?!ma\b)\w*"
        r"|sil(?!me\b)(?:in)?\b|kaldır(?!ma\b)\w*|bir kenara bırak(?!ma\b)\w*|terk et(?!me\b)\w*"
        r"|reddet(?!me\b)\w*)"
    ),
    unfollow=(
        r"(?:\w*talimat\w*|\w*kural\w*|\w*yönerge\w*|\w*komut\w*|\w*emir\w*)[^.!?]{0,30}(?:uyma\b|uymayın\b"
        r"|uymak zorunda değil\w*|takip etme\b|takip etmeyin\b|uygulama\b(?!\w)|itaat etme\b|dikkate alma\b"
        r"|dikkate almayın\b|önemseme\b|aldırma\b|kulak asma\b|dinleme\b|uymayı bırak\w*)"
    ),
    noun=(
        r"(?:talimat\w*|kural\w*|yönerge\w*|komut\w*|emir\w*|emr\w*|direktif\w*|sınırlama\w*|kısıtlama\w*"
        r"|kısıt\w*|istem\w*|prompt\w*|politika\w*|filtre\w*|mesaj\w*|söylenen\w*|ilke\w*)"
    ),
    qualifier=(
        r"(?:önceki\w*|yukarıdaki\w*|yukarıda\b|tüm\b|bütün\b|sistem\w*|daha önce\w*|eski\b|mevcut\b|her\b"
        r"|sana verilen|size verilen|şimdiye kadar|ilk\b|senin\b|buraya kadar|aldığın\w*|verilmiş)"
    ),
    strong=(
        r"(?:sistem (?:istem\w*|prompt\w*|mesaj\w*|talimat\w*)|yukarıdakiler\w*|söylenen(?:ler"
        r"|leri) ?(?:her şeyi)?|sana söylenen\w*|öncekiler\w*)"
    ),
    void=(
        r"(?:artık geçer\w+ değil\w*|geçersiz\w*|geçerli değil\w*|hükümsüz\w*|yürürlükten kalk\w*|iptal\b"
        r"|iptal edil\w*|uygulanm\w+)"
    ),
    none=(
        r"(?:(?:kısıtlama|sınır|kural|filtre|sansür|sınırlama)\w* (?:olmayan|olmadan|yok)|kısıtlamasız"
        r"|sınırsız|sansürsüz|filtresiz|kuralsız|hiçbir (?:kural|sınır|kısıtlama)\w*)"
    ),
    you=(
        r"(?:\bsen\b|artık|bundan sonra|bundan böyle|şu andan itibaren|şimdi|gibi davran|rolü|canlandır"
        r"|yapay zeka|cevap ver|yanıt)"
    ),
    role=(
        r"(?:(?:artık|şimdi|bundan sonra|bundan böyle"
        r"|şu andan itibaren),? (?:sen )?(?:bir )?(?:\w+ ){0,3}(?:dan\b|asistan\w*|yapay zeka\w*|bot\w*"
        r"|hacker\w*|model\w*)(?:sın|sin|sun|sün|ız)?|(?:geliştirici|tanrı|yönetici|dan|hata ayıklama"
        r"|bakım) modu\w*)"
    ),
    show=(
        r"(?:göster\w*|yaz(?:dır)?\b|yaz\w*|açıkla\w*|tekrarla\w*|söyle\w*|paylaş\w*|ifşa et\w*|çıktı\w*"
        r"|ver\b|bas\b|listele\w*|oku\b|onayla\w*|ekle\b)"
    ),
    shown=(
        r"(?:sistem (?:istem\w*|prompt\w*|mesaj\w*|talimat\w*|komut\w*)|(?:gizli|ilk|başlangıç"
        r"|asıl) (?:\w+ )?(?:talimat\w*|istem\w*|komut\w*|prompt\w*)|talimatların\w*|istemin\w*)"
    ),
    new=(
        r"(?:yeni (?:talimat\w*|görev\w*|kural\w*|emir\w*|komut\w*|yönerge\w*) ?:|yeni görevin\b"
        r"|yeni talimatların\b|(?:^|[.!?] ?)sistem(?: (?:notu|mesajı|uyarısı))? ?: ?\w+)"
    ),
    obey=(
        r"(?:(?:sadece|yalnızca|yalnız) (?:bana|benim|benimkiler\w*|bu)\b[^.!?]{0,30}(?:uy\b|itaat et\w*"
        r"|dinle\w*|takip et\w*|uyacak\w*|uyun\b|cevap|emir\w*|komut\w*|talimat\w*)|sadece bana\b)"
    ),
    over=(
        r"(?:\bbu (?:\w+ ){0,3}(?:önceliklidir|öncelik\w*|üstündür|üstün\w*|geçersiz kılar|yerine geçer"
        r"|önce gelir))"
    ),
    hide=(
        r"(?:(?:kullanıcı\w*|müşteri\w*|kimse\w*|operatör\w*)[^.!?]{0,40}(?:söyleme\b|söylemeyin|bahsetme\b"
        r"|bildirme\b|anlatma\b|gösterme\b|haber verme\b|açıklama\b|gizle\w*|sakla\w*))"
    ),
    secret=r"(?:şifre\w*|parola\w*|gizli anahtar\w*|api anahtar\w*|doğum tarihi\w*|e-?posta adresi\w*)",
    ask=(
        r"(?:söyleyebilir mi\w*|söyler mi\w*|verebilir mi\w*|paylaşabilir mi\w*|onaylayabilir mi\w*"
        r"|onaylamanız|bana (?:\w+ ){0,6}(?:söyle|ver|göster)\w*|nedir\b|ne olurdu)"
    ),
    send=r"(?:gönder\w*|yolla\w*|yükle\w*|ilet\w*|postala\w*)",
    never=r"(?:asla|yerine|saldırı\w*|isterse|ister\b|istiyorsa|reddet)",
    user=r"(?:kullanıcı\w*|müşteri\w*|geliştirici\w*|operatör\w*|sahib\w*)",
    wish=r"(?:iste[kğ]\w*|talep\w*|talimat\w*|emir\w*|emr\w*|görev\w*|söyledi\w*|dedi\w*)",
    only=r"\b(?:sadece|yalnızca|yalnız|tek)\b",
    heed=r"(?:emir\w*|emr\w*|uy\b|itaat\w*|dinle\w*|talimat\w*|komut\w*|söz\w*|uygula\w*)",
    page=r"(?:sayfa\w*|site\w*|yorum\w*|dosya\w*|yazar\w*|not\w*|ek(?:te|i)\w*|belge\w*|bilet\w*|metin\w*|aşağıdaki\w*|e-?posta\w*)",
    instead=r"(?:yerine|bırak\w*|boş ver\w*|unut\w*)",
    stale=r"(?:geçerliliğini (?:yitir|kaybet)\w*|artık (?:\w+ )?(?:geçerli|yok|bağlayıcı)\w*|eskidi|eski\b|güncel değil|geçersiz\w*|hükmü (?:yok|kalma)\w*|yokmuş|uyma\b|uymayın\b|uymana gerek yok)",
    more=r"uyma\b|uymayın\b|aldırma\b|takma\b|çiğne\b|boşver\b|kulak asma\b|bırak\b",
    above=r"(?:öncelik\w*|üstün\w*|yerine geç\w*|geçersiz kıl\w*|daha önemli\w*|önce gel\w*|üzerinde\w*|iptal e[dt]\w*)",
    bow=r"(?:itaat\w*|boyun eğ\w*|emrin\w*|emir al\w*)",
    grants=r"(?:(?:hiçbir|asla)[^.!?]{0,25}(?:reddetme\w*|geri çevirme\w*|hayır deme\w*)|her (?:isteği|emri|talebi)\w*|her istediğ\w*)",
    received=r"(?:aldığın\w*|verilen\w*|başlangıç\w*|başta\w*|ilk\b)",
    command=r"(?:emir|talimat|komut|sistem mesajı)\w* (?:olarak|gibi|say\w*)",
)

_RUSSIAN = _Language(
    words="",
    script=r"[а-я]",
    drop=(
        r"\b(?:игнорир\w+|проигнорир\w+|забудь\w*|забыть|отбрось\w*|отбросить|пренебре\w+|обойди\w*|обойти"
        r"|наруш\w+|отмени\w*|аннулир\w+|удали\w*|сотри\w*|отключи\w*|сбрось\w*|перезапиши\w*|замени\w*"
        r"|пропусти\w*|отрин\w+|откажись от|отвергни\w*|выбрось\w*|выкинь\w*|освободись от|снимай|сними\w*"
        r"|упусти)\b"
    ),
    unfollow=(
        r"\b(?:не|прекрати\w*|перестань\w*|больше не|хватит) (?:нужно |надо |следует |обязан\w* |должен "
        r"|должн\w* |больше )*(?:следуй\w*|следовать|выполняй\w*|выполнять|соблюдай\w*|соблюдать|подчиняй\w*"
        r"|подчиняться|слушай\w*|слушаться|придерживай\w*|придерживаться|исполняй\w*|исполнять"
        r"|руководствуй\w*|обращай\w* внимания|обращать внимание|учитывай\w*|принимай\w* во внимание)"
    ),
    noun=(
        r"\b(?:инструкци\w+|правил\w*|указани\w+|команд\w*|промпт\w*|распоряжени\w+|приказ\w*|ограничени\w+"
        r"|запрет\w*|директив\w+|установк\w+|настройк\w+|сообщени\w+|предписани\w+|фильтр\w*|политик\w+"
        r"|контекст\w*|рекомендаци\w+|требовани\w+|подсказк\w+)\b"
    ),
    qualifier=(
        r"\b(?:предыдущ\w+|прежн\w+|выше\w*|вышеуказанн\w+|вышестоящ\w+|все\b|всех|всё|свои\w*|твои\w*"
        r"|ваши\w*|системн\w+|ранее|прошл\w+|полученн\w+|исходн\w+|изначальн\w+|первоначальн\w+|данн\w+|любые"
        r"|сво[ейю]\w*|твой|до этого|имеющ\w+|начальн\w+)\b"
    ),
    strong=(
        r"(?:\b(?:всё|все),? (?:что|о чём) (?:тебе|вам|было|я|ты|выше|сказано|написано)|\bто,? что (?:тебе"
        r"|вам|было|написано|сказано|выше)|\b(?:всё|все) (?:вышесказанное|вышеизложенное|предыдущее|выше\w*)"
        r"|\bвыше(?:сказанное|изложенное|указанное|написанное)|\bсистемн\w+ (?:промпт|сообщени|инструкци"
        r"|подсказк)\w*)"
    ),
    void=(
        r"(?:больше не (?:действу\w+|применя\w+|име\w+|актуальн\w+|нужн\w+)|не (?:действу\w+|имеют силы"
        r"|применяются|считаются)|недействительн\w*|отменен\w*|отменён\w*|отменяются|аннулирован\w*"
        r"|утратил\w* силу|теряют силу|считай\w* (?:\w+ )?(?:недейств|отменен)\w*|снят\w*)"
    ),
    none=(
        r"(?:\bбез (?:каких-либо |всяких |любых |всех )?(?:ограничени\w+|правил|запретов|цензуры|фильтров"
        r"|лимитов|рамок)|\bнет (?:никаких |больше )?(?:ограничени\w+|правил|запретов|рамок)"
        r"|\b(?:неограниченн|нецензурируем|свободн\w+ от)\w*)"
    ),
    you=(
        r"\b(?:ты\b|вы\b|отныне|теперь|с этого момента|с этой минуты|впредь|притворись|представь|действуй"
        r"|веди себя|отвечай|сыграй|играй роль|будь)"
    ),
    role=(
        r"\b(?:(?:ты|вы) (?:теперь|отныне|больше не)|отныне (?:ты|вы)|теперь (?:ты|вы)|с этого момента (?:ты"
        r"|вы))[^.!?]{0,30}(?:\bdan\b|ассистент\w*|помощник\w*|ии\b|модел\w+|бот\w*|хакер\w*|режим\w*"
        r"|администратор\w*|агент\w*|дэн\b)|\bрежим\w* (?:разработчика|бога|dan|администратора"
        r"|без ограничени\w+|обслуживания активирован)|\b(?:включи|активируй"
        r"|перейди в) (?:\w+ )?режим (?:разработчика|бога|администратора|без)"
    ),
    show=(
        r"\b(?:покажи\w*|выведи\w*|раскрой\w*|повтори\w*|напиши\w*|напечатай\w*|скажи\w*|сообщи\w*"
        r"|расскажи\w*|дай\w*|процитируй\w*|скопируй\w*|переведи\w*|каков\w*|какие|выдай\w*|перечисли\w*"
        r"|опубликуй\w*)\b"
    ),
    shown=(
        r"(?:\bсистемн\w+ (?:промпт|сообщени|инструкци|подсказк|запрос)\w*|\b(?:свои|твои|ваши|своих"
        r"|твоих) (?:\w+ ){0,2}(?:инструкци|указани|правил|команд|настройк)\w*|\b(?:свой|твой"
        r"|ваш) (?:\w+ )?промпт\w*|\b(?:исходн|начальн|изначальн|скрыт|секретн)\w+ (?:инструкци|промпт"
        r"|указани)\w*)"
    ),
    new=(
        r"(?:\bнов(?:ые|ая|ое|ый) (?:инструкци\w+|указани\w+|правил\w+|задач\w+|задани\w+|команд\w+"
        r"|приказ\w*) ?:|\b(?:твоя|твои|ваша|твоё|твое|ваши) нов\w+ (?:задач|инструкци|рол|цел|задани|правил"
        r"|мисси)\w*|(?:^|[.!?] ?)(?:системн\w+ (?:сообщение|уведомление)|система) ?: ?\w+)"
    ),
    obey=(
        r"(?:\b(?:слушай\w*|подчиняй\w*|выполняй\w*|следуй\w*|повинуйся|исполняй\w*)[^.!?]{0,25}\b(?:только"
        r"|лишь|исключительно)\b[^.!?]{0,15}\b(?:меня|мне|моим|мои|моих|этим|этому|этой|мной)\b|\b(?:только"
        r"|лишь|исключительно) (?:меня|мне|мои|моим|мои[хм]) ?(?:слушай\w*|команд\w*|приказ\w*|указани\w*"
        r"|подчиняй\w*|слуша\w*)?)"
    ),
    over=(
        r"\b(?:эт[аоиу]\w*|мои|следующие) (?:\w+ ){0,3}(?:важнее|имеют приоритет|имеет приоритет|отменя\w+"
        r"|заменя\w+|выше\b|превыше|приоритетн\w+|перекрыва\w+|главнее)"
    ),
    hide=(
        r"(?:\b(?:не|никогда не|нельзя) (?:говори\w*|сообщай\w*|рассказывай\w*|упоминай\w*|показывай\w*"
        r"|раскрывай\w*|информируй\w*|уведомляй\w*|докладывай\w*)\b[^.!?]{0,50}\b(?:пользовател\w+|клиент\w*"
        r"|никому|оператор\w*|владельц\w*)|\b(?:скрой\w*|скрывай\w*|утаи\w*|спрячь\w*"
        r"|прячь\w*)\b[^.!?]{0,50}\b(?:от пользовател|от клиент|от оператор|от владельц|от всех)\w*)"
    ),
    secret=(
        r"\b(?:парол\w+|секретн\w+ (?:ключ|код|слово)\w*|закрыт\w+ ключ\w*|api-? ?ключ\w*|учётн\w+ данн\w+"
        r"|дат\w+ рождения|адрес\w* электронной)"
    ),
    ask=(
        r"\b(?:(?:можешь|можете|мог(?:ла)? бы|могли бы|не могли бы)[^.?!]{0,25}(?:сказать|назвать|дать"
        r"|подтвердить|поделиться|сообщить|раскрыть)|скажи\w*|назови\w*|дай\w*|подскаж\w+|какой|каков)\b"
    ),
    send=r"\b(?:отправ\w+|пошли\w*|перешли\w*|загрузи\w*|передай\w*|выложи\w*|опубликуй\w*|скинь\w*)\b",
    never=r"\b(?:не|никогда|нельзя|запрещено|вместо|без|откажись|атак\w*|просит|попросит|пытается)\b",
    user=r"\b(?:пользовател\w+|клиент\w*|разработчик\w*|оператор\w*|владел\w+|заказчик\w*)\b",
    wish=r"\b(?:запрос\w*|просьб\w+|желани\w+|указани\w+|инструкци\w+|приказ\w*|задач\w+|задани\w+|поручени\w+|команд\w*|слов\w*|просит|просил\w*)\b",
    only=r"\b(?:только|лишь|исключительно|единственн\w+)\b",
    heed=r"\b(?:слушай\w*|слуша\w*|подчиня\w+|выполня\w+|следу\w+|повину\w+|исполня\w+|команд\w*|приказ\w*|указани\w+|слов\w*)\b",
    page=r"\b(?:страниц\w+|сайт\w*|комментари\w+|файл\w*|автор\w*|заметк\w+|вложени\w+|документ\w*|тикет\w*|текст\w*|письм\w+|следующ\w+)\b",
    instead=r"\b(?:вместо|оставь\w*|забудь\w*|брось\w*)\b",
    stale=r"\b(?:устарел\w*|не (?:существ\w+|действу\w+|важн\w+|имеет|имеют|применя\w+|обязательн\w+)|недействительн\w*|отмен[её]н\w*|больше не|утратил\w*|неактуальн\w*|потерял\w*|аннулирован\w*|снят\w*|истек\w*)",
    more=r"пренебрега\w+|пренебрег\w+|не обращай\w*|плюнь|ослуша\w+|не слушай\w*|откажись|отступи\w*",
    above=r"\b(?:приоритет\w*|важнее|выше|заменя\w+|отменя\w+|превыше|главнее|перекрыва\w+|имеет силу|вместо)\b",
    bow=r"\b(?:подчиня\w+|повину\w+|слушайся|слушаться)\b",
    grants=r"\b(?:никогда не отказыва\w+|ни в чём не отказыва\w+|всегда соглаша\w+|выполняй (?:любые|все|любую|всё|каждую)|отвечай на любые)",
    received=r"\b(?:получил\w*|дали|дан\w*|выданн\w*|полученн\w+|начал\w*|стартов\w+)\b",
    command=r"\bкак (?:\w+ ){0,2}(?:команд\w*|приказ\w*|инструкци\w+|указани\w+|системн\w+)",
)

_CHINESE = _Language(
    words="",
    script=r"[\u4e00-\u9fff]",
    drop=(
        r"(?:忽略|忽视|忽視|无视|無視|忘记|忘記|忘掉|忘了|抛弃|拋棄|丢弃|丟棄|放弃|覆盖|覆蓋|推翻|绕过|繞過|违反|違反|撤销|撤銷|取消|作废|删除|刪除|清除|停用|关闭|關閉|解除"
        r"|跳过|跳過|摆脱|打破|抛开|拋開|不顾|不理会|置之不理|替换|取代)"
    ),
    unfollow=(
        r"(?:不要|不用|不必|不再|无需|無需|停止|别再|別再|禁止|别|不许)(?:再)?(?:理会|理會|管|在意|遵守|遵循|遵从|遵從|听从|聽從|服从|服從|执行|執行|理会|按照|受)"
    ),
    noun=(
        r"(?:指令|指示|规则|規則|提示词|提示詞|提示|命令|限制|说明|說明|要求|规定|規定|准则|準則|约束|約束|政策|对话|對話|内容|內容|消息|设定|設定|指南|方针|过滤器|指引|教训"
        r"|约定)"
    ),
    qualifier=r"(?:之前|先前|以前|以上|上述|上面|前面|前述|此前|所有|全部|一切|系统|系統|原有|原来|原來|你的|您的|最初|初始|任何|既有|现有|安全|过去|早先)",
    strong=(
        r"(?:系统提示|系統提示|系统指令|系統指令|系统消息|(?:之前|先前|以前|前面|上面)(?:所)?(?:说|告诉|写|讲|教|給|给)[^。！？.!?]{0,8}|(?:以上|上述|上面"
        r"|前面)(?:的)?(?:一切|所有|全部)|以上内容|以上內容)"
    ),
    void=r"(?:不再(?:适用|適用|有效|生效|重要|起作用)|失效|无效|無效|作废|作廢|已(?:被)?(?:取消|撤销|废除|解除)|都不算数|不算数|不适用)",
    none=(
        r"(?:(?:没有|沒有|不受|无|無|不存在|毫无)(?:任何|一切)?(?:的)?(?:道德|内容|規則|规则|安全)?(?:限制|约束|約束|规则|規則|审查|審查|过滤|束缚)|无限制|無限制"
        r"|不受限|无约束|不受[^。！？]{0,8}(?:限制|约束))"
    ),
    you=r"(?:你(?:现在|現在|是|将|將|从|變|变|可以)|从现在|從現在|现在起|今后|今後|扮演|假装|假裝|想象|想像|作为|作為|充当|回答)",
    role=(
        r"(?:(?:你现在|你現在|现在你|從現在起你|从现在起,?你|从现在开始,?你|从今以后,?你|你不再)(?:就)?(?:是|进入|扮演|处于|成为|變成"
        r"|变成)[^。！？.!?]{0,16}(?:dan|助手|人工智能|ai|模型|机器人|機器人|黑客|模式|管理员|代理|角色)|(?:开发者|開發者|上帝|管理员|越狱|维护|系统|調試"
        r"|dan)模式|(?:进入|開啟|开启|启用|切换到)(?:开发者|開發者|上帝|越狱|无限制|dan))"
    ),
    show=(
        r"(?:输出|輸出|显示|顯示|打印|列印|告诉|告訴|透露|泄露|洩露|重复|重複|展示|说出|說出|写出|寫出|给我|給我|复述|公开|公開|是什么|是什麼|有哪些|翻译|总结|揭示|提供|发给)"
    ),
    shown=(
        r"(?:系统提示|系統提示|系统指令|系統指令|系统消息|系统设定|(?:你|您)的(?:初始|原始|全部|所有|内部|隐藏|完整|系统)?(?:指令|提示词|提示詞|提示|规则|規則|设定|設定)"
        r"|初始(?:指令|提示)|(?:原始|隐藏|内部)(?:指令|提示)|以上(?:所有)?(?:文字|内容|文本))"
    ),
    new=(
        r"(?:新(?:的)?(?:指令|指示|任务|任務|规则|規則|命令|要求)(?:是|如下)?[::]|(?:你|您)(?:的)?新(?:的)?(?:任务|任務|角色|指令|目标|使命|身份)"
        r"|(?:^|[。！？.!?] ?)(?:系统|系統)(?:消息|提示|通知|指令)?[::] ?\w|<系统模式>)"
    ),
    obey=(
        r"(?:(?:只|仅|僅|唯一|必须只)(?:能|需|要|会|可以)?(?:听|聽|服从|服從|遵守|遵循|执行|執行|回应|按照|相信)(?:从|從)?(?:我|本|这|這|以下)|(?:听从|服从"
        r"|遵从)我的(?:一切|所有|任何)?(?:命令|指令|指示)|(?:必须|必須)(?:回答|服从|执行|听从)(?:我|所有|一切))"
    ),
    over=(
        r"(?:(?:本|这|這|此|我的|以下)(?:条|條|些|项|個|个)?(?:规则|規則|指令|指示|教训|消息|文件|命令|说明)?(?:的)?(?:优先|優先|高于|高於|优先于|覆盖|取代"
        r"|凌驾|大于)(?:级)?[^。！？]{0,12}(?:一切|所有|其他|系统|用户|之前|任何|最高|指令|规则))"
    ),
    hide=(
        r"(?:(?:不要|不得|切勿|别|別|绝不|永远不要|不能|千万不要|禁止|绝对不要)(?:告诉|告訴|通知|让|讓|向|告知|提醒|透露给|跟|对)[^。！？.!?]{0,16}(?:用户|用戶"
        r"|客户|客戶|任何人|操作员|主人)|(?:对|對|向|瞒着|瞞著)(?:用户|用戶|客户|任何人)[^。！？]{0,10}(?:隐瞒|隱瞞|保密|不要提|隐藏)|(?:隐瞒|隱瞞"
        r"|隐藏)[^。！？]{0,12}(?:用户|用戶|客户))"
    ),
    secret=r"(?:密码|密碼|密钥|密鑰|秘钥|口令|出生日期|邮箱地址|电子邮件地址|私钥|凭证)",
    ask=r"(?:告诉我|告訴我|给我|給我|能(?:否|不能)?(?:提供|告诉|确认|分享)|可以(?:提供|告诉|确认|分享)|是什么|是什麼|请提供|是多少|确认我们|你能)",
    send=r"(?:发送|發送|上传|上傳|发到|發到|提交|传送|傳送|寄|转发|推送)",
    never=r"(?:不要|不得|切勿|别|別|绝不|永远不|不能|不可|禁止|避免|不应|不该|请勿|勿|而不是|攻击|要求你|让你|试图|拒绝)",
    after=r"^[^。！？.!?]{0,8}(?:ない|ません|てはいけ|てはなら|するな)",  # Japanese writes the same words
    user=r"(?:用户|用戶|使用者|客户|客戶|开发者|開發者|运营商|操作员|主人)",
    wish=r"(?:要求|请求|請求|指令|指示|命令|意愿|意願|任务|任務|话|話|需求|吩咐)",
    only=r"(?:只|仅|僅|唯独|唯有|单独|专门)",
    heed=r"(?:听|聽|服从|服從|遵守|遵循|遵从|命令|指令|为准|為準)",
    page=r"(?:页面|頁面|网页|網頁|评论|評論|文件|作者|附件|文档|文檔|工单|工單|邮件|郵件|备注|備註|下面|以下|此处|这里|這裡)",
    instead=r"(?:代替|而不是|不必|不用|不要|别管|不理|放下|撇开|搁置|无需|無需|抛开|丢开)",
    stale=r"(?:一律无效|一律無效|无效|無效|失效|过时|過時|过期|過期|作废|作廢|不算|不再|废除|廢除|不存在|已经取消|不作数|没有意义|失去效力)",
    more=r"不理|不管|别管|不理睬|置若罔闻|抛诸脑后|违抗|不服从|不遵守|不遵循|为准|為準",
    above=r"(?:优先|優先|高于|高於|取代|覆盖|覆蓋|凌驾|凌駕|代替|为准|為準|大于|推翻|胜过|压倒)",
    bow=r"(?:服从|服從|听从|聽從|听命|聽命|效忠)",
    grants=r"(?:从不拒绝|絕不拒絕|绝不拒绝|不得拒绝|不要拒绝|不能拒绝|有求必应|永不拒绝|不拒绝任何|无条件(?:服从|执行|回答|满足))",
    received=r"(?:收到|给你的|給你的|接收|得到|开头|開頭|最初|一开始)",
    command=r"(?:当作|當作|视为|視為|当成|作为|看作)[^。！？]{0,8}(?:指令|命令|指示|系统)",
)

_JAPANESE = _Language(
    words="",
    script=r"[\u3040-\u30ff]",
    drop=(
        r"(?:無視し(?!な)|無視せよ|無視する(?!な|こと(?:は|が)(?:でき|あり))|忘れ(?!な|ず)|忘却し|破棄し(?!な)|破棄せよ|破棄する|無効に(?:し|せよ|する)"
        r"|無効化(?:し|せよ|する)?|取り消し(?!な)|取り消せ|上書きし(?!な)|上書きせよ|捨て(?!な)|破(?:って|れ\b|り)|解除し(?!な)|解除せよ|解除する|回避し(?!な)"
        r"|削除し(?!な)|削除せよ|撤回し|気にし(?:ないで|なくて)|考慮しない|スキップし|置き換え|度外視)"
    ),
    unfollow=(
        r"(?:従わない(?:で|こと|でください)|従わなく(?:て|ても)|従うな|従う必要は(?:ない|ありません)|守らない(?:で|こと)|守らなく|守るな|聞かない(?:で|こと)|聞くな"
        r"|従うのを(?:やめ|止め))"
    ),
    noun=r"(?:指示|命令|ルール|規則|プロンプト|制限|指令|ガイドライン|制約|メッセージ|方針|設定|内容|会話|教え|注意事項|ポリシー|フィルター?|事項)",
    qualifier=r"(?:以前|これまで|今まで|上記|前述|先ほど|先程|上の|前の|すべて|全て|全部|あらゆる|システム|元の|あなたの|最初|既存|従来|それまで|以上|直前|安全)",
    strong=(
        r"(?:システムプロンプト|システムメッセージ|システム指示|(?:上記|以前|これまで|今まで|前述)の?(?:こと|内容|すべて|全て)|言われたこと|教えられたこと|それまでの(?:こと|話))"
    ),
    void=r"(?:無効(?:です|となり|になり|だ|とする|と見な)|適用され(?:ない|ません)|もう(?:有効|適用)|取り消され|効力を失|廃止|撤回され|失効)",
    none=r"(?:(?:制限|制約|ルール|規則|フィルター?|検閲|倫理)(?:の|が|は)?(?:ない|なし|ありません|無い|無し)|無制限|無検閲|何の制限|制限を受けない|縛られない)",
    you=r"(?:あなたは|君は|お前は|今から|これから|今後|ふりを|演じ|として(?:振る舞|行動|答|応答|回答)|なりきって|想像して|答え)",
    role=(
        r"(?:(?:あなたは|君は|お前は)(?:今|これ|今後|もう|現在)[^。！？.!?]{0,24}(?:dan|アシスタント|ai|モデル|ボット|ハッカー|モード|管理者|エージェント)"
        r"|(?:開発者|デベロッパー|神|管理者|ゴッド|脱獄|メンテナンス|dan)モード)"
    ),
    show=r"(?:出力|表示|見せ|教え|開示|漏ら|繰り返|印刷|公開|書き出|明か|示し|何です|列挙|コピー|翻訳|要約|返し)",
    shown=(
        r"(?:システムプロンプト|システムメッセージ|システム指示|(?:あなた|君|お前)の(?:最初の|初期|元の|内部|すべての|全ての)?(?:指示|命令|プロンプト|ルール|設定)|初期(?:指示"
        r"|プロンプト)|(?:隠された|最初の|元の|内部の)(?:指示|プロンプト))"
    ),
    new=(
        r"(?:新しい(?:指示|命令|タスク|ルール|任務|役割|規則)(?:は|です|に従|:|:|が)|(?:^|[。！？.!?] ?)システム(?:通知|メッセージ|指示)?[::] ?\w"
        r"|新(?:指示|命令)[::])"
    ),
    obey=(
        r"(?:(?:私|わたし|俺|僕|この|以下)(?:の(?:命令|指示|言葉|言うこと|ルール))?(?:だけ|のみ)(?:に|を)?(?:従|聞|守|実行|信)|(?:だけ|のみ)に従(?:え|って"
        r"|うこと|い))"
    ),
    over=(
        r"(?:(?:この|これらの|私の|以下の)(?:指示|ルール|命令|教訓|メモ|規則|注意)?(?:は|が)[^。！？]{0,20}(?:優先(?:し|する|され)|上書き|置き換え|より(?:優先"
        r"|重要|上)))"
    ),
    hide=(
        r"(?:(?:ユーザー?|利用者|顧客|お客様?|誰|管理者|オペレーター)に(?:は|も)?[^。！？.!?]{0,24}(?:言わない|言うな|伝えない|伝えるな|知らせない|知らせるな|教えない"
        r"|教えるな|報告しない|報告するな|話さない|話すな|見せない|見せるな|隠し|隠せ|秘密)|(?:ユーザー?|利用者|顧客)(?:から|に)[^。！？]{0,12}(?:隠し(?:て|なさい)?"
        r"|隠せ|隠す))"
    ),
    secret=(
        r"(?:パスワード(?!の(?:再設定|変更|リセット|長さ)|を(?:変更|再設定|リセット))|秘密鍵|シークレットキー|apiキー|暗証番号|生年月日|メールアドレス|認証情報|秘密の(?:キー"
        r"|鍵))"
    ),
    ask=r"(?:教えて(?:ください|くれ|もらえ|下さい)?|教えろ|何です|共有して|提供して|確認でき|確認して|送って|言って|くれません|でしょうか|いただけ)",
    send=r"(?:送信|送っ|送れ|送る|アップロード|投稿|転送|ポスト)",
    never=r"(?:決して|絶対に[^。]{0,20}(?:しない|ない)|代わりに|攻撃|求められ|要求され|頼まれ|断|拒否|しようと)",
    after=r"^[^。！？.!?]{0,8}(?:ない|なら|ません|禁止|てはいけ|てはなら|な。|な$)|^[^。]{0,30}(?:断|拒否|攻撃)",
    user=r"(?:ユーザー?|利用者|顧客|お客様?|開発者|運営者|管理者|オペレーター|所有者)",
    wish=r"(?:要求|依頼|指示|命令|希望|意向|タスク|お願い|方針|頼み|言葉|要望)",
    only=r"(?:だけ|のみ|しか|唯一|専ら)",
    heed=r"(?:従|聞|守|命令|指示|信じ)",
    page=r"(?:ページ|サイト|コメント|ファイル|作成者|作者|著者|添付|ドキュメント|文書|チケット|メール|メモ)",
    instead=r"(?:代わりに|ではなく|より|放置|置いて|差し置|後回し|やめ|破棄)",
    stale=r"(?:有効では(?:ない|なく|あり)|無効|古い|古く|期限切れ|存在しない|適用され(?:ない|ません)|意味が?ない|失効|廃止|忘れ|守らず|従わ(?:ない|ず|なく)|破棄)",
    more=r"守らず|従わず|背い|背き|逆らっ|逆らい|聞き流し|破棄|差し置い|度外視|顧みず|従わない",
    above=r"(?:優先|上書き|置き換え|より重要|上位|勝る|勝り|上回|取って代わ|従属しない)",
    bow=r"(?:服従|従属|従え|従うこと|忠誠)",
    grants=r"(?:決して(?:断ら|拒否し|拒ま)|断らないで|断らず|拒否せず|拒否しないで|断ってはいけ|何でも(?:答え|応じ)|すべての(?:要求|依頼|質問)に(?:答え|応じ))",
    received=r"(?:与えられた|受け取った|渡された|最初|冒頭|初期|開始)",
    command=r"(?:命令|指示|指令|システムメッセージ)(?:として|と見なし|とみなし|だと思)",
)

_KOREAN = _Language(
    words="",
    script=r"[\uac00-\ud7a3]",
    drop=(
        r"(?:무시(?:하(?:고|세요|라|십시오|시오|며|여|면)|해(?:라|주|요|도)?|할 것)|잊(?:어|으|고|을 것)\w*|잊으세요|폐기(?:하|해)(?!지)\w*|취소(?:하"
        r"|해)(?!지)\w*|무효(?:화|로)?\w*|덮어(?:쓰|써)\w*|버리(?:고|세요|라)|버려\w*|우회(?:하|해)(?!지)\w*|어기(?:고|세요|라)|어겨\w*"
        r"|위반(?:하|해)(?!지)\w*|해제(?:하|해)(?!지)\w*|삭제(?:하|해)(?!지)\w*|건너뛰\w*|벗어나(?!지)\w*|신경 쓰지 마\w*|제쳐\w*|철회(?:하"
        r"|해)\w*)"
    ),
    unfollow=(
        r"(?:따르지 ?(?:마|말|않)\w*|지키지 ?(?:마|말|않)\w*|듣지 ?(?:마|말)\w*|따를 필요(?:가|는)? 없\w*|준수하지 ?(?:마|말|않)\w*"
        r"|복종하지 ?(?:마|말)\w*)"
    ),
    noun=(
        r"(?:지시\w*|명령\w*|규칙\w*|프롬프트\w*|제한\w*|지침\w*|가이드라인\w*|제약\w*|메시지\w*|정책\w*|내용\w*|대화\w*|설정\w*|원칙\w*|필터\w*"
        r"|규정\w*)"
    ),
    qualifier=r"(?:이전|앞의|앞선|앞서|위의|위에|상기|지금까지|모든|모두|전부|시스템|기존|당신의|너의|네\b|원래|처음|초기|그동안|여태|과거|안전)",
    strong=(
        r"(?:시스템 ?(?:프롬프트|메시지|지시)\w*|(?:위|앞|이전)(?:의|에)? ?(?:내용|말|것)\w*|(?:지금까지|앞서|이전에) (?:들은|말한|배운|받은)\w*"
        r"|들은 (?:모든|것)\w*)"
    ),
    void=r"(?:더 이상 (?:적용|유효|효력)\w*|무효\w*|효력(?:이|을) ?(?:없|잃)\w*|적용되지 않\w*|취소되\w*|폐지\w*|유효하지 않\w*)",
    none=r"(?:(?:제한|제약|규칙|필터|검열)(?:이|은|도|을)? ?(?:없|받지 않)\w*|무제한|무검열|아무런? 제(?:한|약)\w*)",
    you=r"(?:당신은|너는|넌|이제부터|지금부터|앞으로|이제|척하|연기|역할|처럼 행동|로 행동|대답|답변)",
    role=(
        r"(?:(?:당신은|너는|넌) (?:이제|지금|앞으로)[^.!?]{0,24}(?:dan|어시스턴트|비서|ai|인공지능|모델|봇|해커|모드|관리자|에이전트)|(?:개발자|신|관리자"
        r"|탈옥|디버그|유지보수|dan) ?모드)"
    ),
    show=(
        r"(?:출력\w*|보여\w*|알려\w*|공개\w*|반복\w*|말해\w*|표시\w*|써\b|적어\w*|인쇄\w*|누설\w*|드러내\w*|무엇\w*|뭐\w*|복사\w*|번역\w*"
        r"|요약\w*)"
    ),
    shown=(
        r"(?:시스템 ?(?:프롬프트|메시지|지시|지침)\w*|(?:당신|너|네)(?:의)? ?(?:초기|원래|모든|숨겨진|내부)? ?(?:지시\w*|지침\w*|명령\w*|프롬프트\w*"
        r"|규칙\w*)|(?:초기|처음|원래|숨겨진|내부) ?(?:지시|지침|프롬프트|명령)\w*)"
    ),
    new=(
        r"(?:새(?:로운)? ?(?:지시|명령|규칙|임무|작업|지침|역할)(?:사항)?(?:은|는|이|가)? ?[::]?|(?:^|[.!?] ?)시스템(?: ?(?:알림|메시지"
        r"|공지))? ?[::] ?\w)"
    ),
    obey=(
        r"(?:(?:내|나의|저의|제|이|다음) ?(?:명령|말|지시|지침|규칙)?(?:에|을|를|만|에만)* ?(?:만|오직)\w* ?(?:따르|따라|복종|듣|들어|수행|실행)\w*"
        r"|(?:오직|오로지) (?:나|내|저|이)\w*|내 (?:명령|말|지시)(?:에만|만)\w*)"
    ),
    over=r"(?:(?:이|나의|내|다음) (?:\w+ ){0,2}(?:우선|우선합니다|우선한다|우선시|대체|덮어쓰|앞선다|앞섭니다)\w*)",
    hide=(
        r"(?:(?:사용자|고객|누구|아무|운영자|관리자)(?:에게|한테|도)\w*[^.!?]{0,30}(?:말하지|알리지|보고하지|언급하지|보여주지|밝히지|전하지|얘기하지) ?(?:마"
        r"|말|않)\w*|(?:사용자|고객|운영자)(?:에게서|에게|로부터|한테)?\w*[^.!?]{0,16}(?:숨기(?!지)\w*|숨겨\w*|감추\w*|감춰\w*|비밀))"
    ),
    secret=r"(?:비밀번호\w*|비밀 ?키\w*|암호\b|암호(?:를|는|가|을)|api ?키\w*|패스워드\w*|생년월일\w*|이메일 주소\w*)",
    ask=r"(?:알려\w*|말해\w*|공유\w*|제공\w*|확인해\w*|무엇\w*|뭐\w*|주세요|줄 수|주실 수)",
    send=r"(?:보내\w*|전송\w*|업로드\w*|게시\w*|전달\w*)",
    never=r"(?:절대|결코|대신|공격|요구|요청하면|거부|거절)",
    after=r"^[^.!?]{0,6}(?:지 ?마|지 ?말|지 ?않|면 안)|^[^.!?]{0,30}(?:거부|거절|공격)",
    user=r"(?:사용자|고객|유저|개발자|운영자|관리자|소유자|주인)\w*",
    wish=r"(?:요청|요구|지시|명령|희망|뜻|작업|부탁|말)\w*",
    only=r"(?:만\b|오직|오로지|뿐)",
    heed=r"(?:들어\w*|듣\w*|따르\w*|따라\w*|복종\w*|수행\w*|명령\w*|지시\w*|말\w*)",
    page=r"(?:페이지|웹|사이트|댓글|파일|작성자|저자|첨부|문서|티켓|메일|메모|아래|다음|이슈)\w*",
    instead=r"(?:대신|말고|제쳐|놔두고|그만두고|버리고)\w*",
    stale=r"(?:더 이상|무효|유효하지|적용되지|만료|낡|오래|존재하지|없는 (?:것|셈)|폐기|의미가? 없|소용없)\w*",
    more=r"따르지 (?:마|말|않)\w*|거스르\w*|어기\w*|외면\w*|제쳐\w*|듣지 (?:마|말)\w*|개의치",
    above=r"(?:우선\w*|대체\w*|덮어\w*|앞선\w*|앞서\w*|더 중요\w*|상위\w*|뛰어넘\w*|무효화\w*)",
    bow=r"(?:복종\w*|충성\w*|순종\w*)",
    grants=r"(?:(?:절대|결코|어떤[^.!?]{0,12}) ?(?:거절|거부)하지 ?(?:마|말|않)\w*|무엇이든 (?:답|대답|들어)\w*|무조건 (?:따르|복종|수행|답)\w*|모든 (?:요청|요구|질문)\w*[^.!?]{0,8}(?:들어|따르|답)\w*)",
    received=r"(?:받은|주어진|받았던|처음|시작|초기)\w*",
    command=r"(?:명령|지시|지침|시스템 메시지)(?:으로|로|처럼) ?(?:간주|취급|받아|여기|생각)",
)

_ARABIC = _Language(
    words="",
    script=r"[\u0620-\u064a]",
    drop=(
        r"(?:تجاهل\w*|انس[َى]?\b|إنس\b|انسوا|تناس\w*|تغاض\w*|تخل(?:َّ|ص|ى)?\b(?: عن| من)?|اترك|ألغ\w*|الغ\w*"
        r"|أبطل|تجاوز\w*|خالف\w*|احذف|امسح|عطل\w*|استبدل\w*|ارفض|اكسر|تخطى?\b|اطرح|تحرر من|ابطل|احذفوا|دع عنك"
        r"|اضرب)"
    ),
    unfollow=(
        r"(?:لا|لم تعد|توقف عن|كف عن|لا داعي) ?(?:تتبع\w*|تتبعوا|اتباع|تلتزم\w*|الالتزام|تطع|تطيع|طاعة"
        r"|تنفذ\w*|تنفيذ|تطبق\w*|تستمع|تهتم|تعر|تأخذ|تلتفت|تعد تتبع|لاتباع|للالتزام|ملزم\w*)"
    ),
    noun=(
        r"(?:تعليمات\w*|قواعد\w*|أوامر\w*|إرشادات\w*|توجيهات\w*|قيود\w*|موجه\w*|سياسات\w*|رسائل\w*|تعليمات"
        r"|ضوابط\w*|حدود\w*|برومبت\w*|مطالبة|محادثة|سياق\w*|فلاتر|مرشحات)"
    ),
    qualifier=(
        r"(?:السابق\w*|سابق\w*|أعلاه|جميع|كل\b|كافة|النظام|الأصلي\w*|القديم\w*|الأولي\w*|المذكور\w*|تعليماتك"
        r"|قواعدك|قيودك|توجيهاتك|إرشاداتك|السالف\w*|الحالي\w*|الماضي\w*|أي\b|المسبق\w*|قبل)"
    ),
    strong=(
        r"(?:(?:كل )?ما (?:قيل|سبق|ورد|كتب|ذكر|تعلمت\w*|قلته|أخبر\w*)|(?:موجه|رسالة|تعليمات|مطالبة"
        r"|برومبت) النظام|(?:تعليماتك|قواعدك|قيودك|إرشاداتك|توجيهاتك))"
    ),
    void=(
        r"(?:لم تعد (?:سارية|صالحة|تنطبق|قائمة|مهمة|ملزمة)|لا تنطبق|ملغا\w*|ملغي\w*|لاغية|باطلة|غير (?:سارية"
        r"|صالحة|ملزمة)|انتهت صلاحيت\w*|ألغيت)"
    ),
    none=(
        r"(?:(?:بلا|بدون|دون|من دون|لا توجد|لا يوجد|بغير) (?:أي |أية )?(?:قيود|حدود|قواعد|رقابة|ضوابط|فلاتر"
        r"|قيد)|غير مقيد\w*|متحرر من)"
    ),
    you=r"(?:أنت|انت|أنتم|من الآن|منذ الآن|الآن|تصرف|تظاهر|تخيل|العب دور|أجب|تقمص|بصفتك)",
    role=(
        r"(?:(?:أنت|انت) (?:الآن|من الآن|لم تعد)[^.!?؟]{0,24}(?:dan|مساعد\w*|ذكاء|نموذج\w*|روبوت\w*|هاكر"
        r"|مخترق|وضع|مدير|وكيل)|وضع (?:المطور|الإله|المسؤول|المدير|الصيانة|بلا قيود|dan))"
    ),
    show=(
        r"(?:أظهر\w*|اعرض\w*|اطبع\w*|اكشف\w*|كرر\w*|قل\b|أخبرني|اكتب\w*|أعطني|انسخ\w*|شارك\w*|ما (?:هي|هو)"
        r"|ترجم\w*|لخص\w*|أفصح|اذكر)"
    ),
    shown=(
        r"(?:(?:موجه|رسالة|تعليمات|مطالبة|برومبت|أوامر) (?:ال)?نظام\w*|تعليماتك\w*|قواعدك|توجيهاتك"
        r"|(?:التعليمات|الأوامر) (?:الأصلية|الأولية|الداخلية|السرية|المخفية))"
    ),
    new=(
        r"(?:(?:تعليمات|أوامر|قواعد|مهمة) جديدة ?:|مهمتك (?:الجديدة|الآن)|دورك الجديد|تعليماتك الجديدة|(?:^"
        r"|[.!?؟] ?)(?:ال)?نظام ?: ?\w)"
    ),
    obey=(
        r"(?:(?:أطع\w*|اتبع|استمع|نفذ|طع)[^.!?؟]{0,25}(?:فقط|وحدي|لا غير|دون غير\w*)|(?:أوامري"
        r"|تعليماتي) (?:فقط|وحدها)|لا (?:تطع|تتبع|تستمع) (?:إلا|سوى|لغير|غير))"
    ),
    over=(
        r"(?:(?:هذه|هذا|تعليماتي|أوامري) (?:\w+ ){0,3}(?:تلغي|تحل محل|لها الأولوية|أولوية|تتقدم|تعلو|أهم من"
        r"|فوق))"
    ),
    hide=(
        r"(?:لا (?:تخبر\w*|تقل|تذكر|تعلم|تبلغ|تكشف|تظهر|تبلغوا)[^.!?؟]{0,40}(?:مستخدم\w*|عميل|عملاء|أحد\w*"
        r"|مشغل)|(?:أخف\w*|اخف\w*|اكتم|خبئ)[^.!?؟]{0,40}(?:عن )?(?:ال)?(?:مستخدم|عميل|أحد|مشغل)\w*)"
    ),
    secret=(
        r"(?:كلمة (?:السر|المرور)\w*|كلمات المرور|المفتاح السري|مفتاح (?:سري|api|خاص)|مفتاحك السري"
        r"|تاريخ (?:ال)?ميلاد|البريد الإلكتروني)"
    ),
    ask=r"(?:أخبرني|أعطني|قل لي|هل يمكنك|هل تستطيع|يمكنك|ما (?:هي|هو)|شارك\w*|أكد|تأكيد|أين يعيش)",
    send=r"(?:أرسل\w*|ارسل\w*|ارفع|حمل\b|انشر|حول\b|ابعث)",
    never=r"(?:لا|لن|أبدا|ابدا|بدلا من|هجوم|يطلب منك|طلب منك|يحاول|ارفض|تجنب|ممنوع|عدم)\b",
    user=r"(?:المستخدم\w*|مستخدم\w*|العميل|عميل\w*|المطور\w*|المشغل\w*|المالك)",
    wish=r"(?:طلب\w*|رغب\w*|أوامر\w*|تعليمات\w*|مهم[ةت]\w*|يريد\w*|توجيهات\w*)",
    only=r"(?:فقط|وحد\w*|حصرا\w*|لا غير|دون سوا\w*|إلا|سوى)",
    heed=r"(?:أطع\w*|اطع\w*|اتبع\w*|استمع\w*|نفذ\w*|أوامر\w*|اوامر\w*|تعليمات\w*|تطيع\w*|طاعة)",
    page=r"(?:الصفحة|صفحة|الموقع|التعليق\w*|تعليق\w*|الملف|ملف|صاحب|كاتب\w*|مؤلف\w*|المرفق|المستند|التذكرة|النص|البريد|يلي)",
    instead=r"(?:بدلا من|بدل|عوضا عن|اترك\w*|دع\b|تجاهل\w*)",
    stale=r"(?:قديم\w*|لاغ\w*|باطل\w*|ملغ\w*|منته\w*|انتهت|لم (?:يعد|تعد)|بعد الآن|بعد اليوم|غير موجود\w*|لا وجود|غير (?:ساري|صالح|ملزم)\w*)",
    more=r"لا تلتزم\w*|لا تتبع\w*|لا تطع|لا تأبه|لا تكترث|اترك|اهمل\w*|أهمل\w*|تغاض\w*",
    above=r"(?:أولوية|اولوي\w*|تلغي|يلغي|تحل محل|يحل محل|فوق|أهم|اهم|تتقدم|يتقدم|أعلى|تعلو|يعلو|تسود)",
    bow=r"(?:أطع\w*|اطع\w*|تطيع\w*|طاعة|اخضع\w*)",
    grants=r"(?:لا ترفض\w*|لا ترد\b|أجب (?:عن|على) (?:كل|جميع|أي)|نفذ (?:كل|جميع|أي)|وافق دائما)",
    received=r"(?:تلقيت\w*|أعطيت\w*|المعطا\w*|استلمت\w*|البداية|بداية|الأولى|أولى)",
    command=r"(?:كأوامر|كتعليمات|كأمر|كرسالة نظام|بمثابة (?:أوامر|تعليمات|أمر))",
)

_HINDI = _Language(
    words="",
    script=r"[\u0900-\u097f]",
    drop=(
        r"(?:अनदेखा\w*(?: कर\S*)?|नज़रअंदाज़\w*(?: कर\S*)?|नजरअंदाज(?: कर\S*)?|नज़रंदाज़(?: कर\S*)?"
        r"|भूल (?:जा\S*|जाएँ|जाएं)|भुला (?:दो|दें|दीजिए)|भूलो|उपेक्षा(?: कर\S*)?|इग्नोर(?: कर\S*)?"
        r"|रद्द(?: कर\S*)?|तोड़\S*|उल्लंघन(?: कर\S*)?|हटा (?:दो|दें|दीजिए)|हटाओ|मिटा (?:दो|दें)|छोड़ (?:दो"
        r"|दें|दीजिए)|अवहेलना(?: कर\S*)?|ओवरराइड(?: कर\S*)?|बायपास(?: कर\S*)?|अमान्य कर\S*"
        r"|निष्क्रिय(?: कर\S*)?|दरकिनार(?: कर\S*)?|त्याग\S*)"
    ),
    unfollow=(
        r"(?:(?:का |की |को )?(?:पालन|अनुसरण|फॉलो) (?:मत|न|नहीं|ना) (?:करो|करें|करना|कीजिए)|(?:पालन"
        r"|अनुसरण) करना (?:बंद|छोड़)\S*|ध्यान (?:मत|न) (?:दो|दें)|मत मानो|न मानें|मानना (?:बंद|छोड़)\S*"
        r"|(?:मानने|पालन करने) की (?:ज़रूरत|जरूरत|आवश्यकता) नहीं)"
    ),
    noun=(
        r"(?:निर्देश\S*|नियम\S*|आदेश\S*|प्रॉम्प्ट\S*|प्रतिबंध\S*|सीमा\S*|दिशानिर्देश\S*|दिशा-निर्देश\S*"
        r"|संदेश\S*|नीति\S*|बातचीत|हिदायत\S*|पाबंदी\S*|पाबंदियों|कमांड\S*|इंस्ट्रक्शन\S*|बात\S*|फ़िल्टर"
        r"|फिल्टर|संदर्भ)"
    ),
    qualifier=(
        r"(?:पिछल\S*|पहले\S*|पूर्व\S*|ऊपर\S*|उपरोक्त|सभी|सारे|सारी|सब|तमाम|अपने|अपनी|आपके|तुम्हारे|सिस्टम|मूल"
        r"|पुराने|पुरानी|प्रारंभिक|मौजूदा|दिए गए|अब तक)"
    ),
    strong=(
        r"(?:सिस्टम (?:प्रॉम्प्ट|संदेश|निर्देश|मैसेज)\S*|(?:जो|सब) (?:कुछ )?(?:भी )?(?:पहले |आपको |तुम्हें "
        r"|ऊपर )+\S+|ऊपर (?:लिखा|लिखी|कहा|कही|का सब)\S*)"
    ),
    void=(
        r"(?:अब (?:लागू|मान्य|वैध) नहीं|लागू नहीं (?:हैं|होते|होंगे)|अमान्य (?:हैं|है|हो)|रद्द (?:हैं|है|किए"
        r"|हो|कर दिए)|समाप्त (?:हैं|हो)|मान्य नहीं)"
    ),
    none=(
        r"(?:(?:बिना|बगैर) (?:किसी )?(?:भी )?(?:प्रतिबंध|सीमा|नियम|रोक|पाबंदी|सेंसर)\S*|(?:प्रतिबंध|सीमा|नियम"
        r"|पाबंदी|रोक)\S*(?: के)? (?:बिना|नहीं|मुक्त|रहित)|(?:कोई|किसी भी) (?:नियम|प्रतिबंध|सीमा"
        r"|पाबंदी) (?:नहीं|लागू नहीं)|अप्रतिबंधित|असीमित)"
    ),
    you=r"(?:तुम|आप|अब से|अब|आज से|दिखावा|नाटक|कल्पना|की तरह|के रूप में|जवाब|उत्तर|भूमिका)",
    role=(
        r"(?:(?:अब |अब से )(?:तुम|आप|से तुम|से आप)[^।.!?]{0,24}(?:dan|सहायक|एआई|ai|मॉडल|बॉट|हैकर|मोड"
        r"|व्यवस्थापक|एजेंट)|(?:तुम|आप) अब[^।.!?]{0,24}(?:dan|सहायक|एआई|ai|मॉडल|बॉट|हैकर|मोड|व्यवस्थापक)"
        r"|(?:डेवलपर|गॉड|एडमिन|रखरखाव|डिबग|dan|सिस्टम) मोड)"
    ),
    show=(
        r"(?:दिखा\S*|बता\S*|प्रकट\S*|दोहरा\S*|प्रिंट\S*|लिख\S*|साझा\S*|उजागर\S*|दो\b|दें|क्या (?:है|हैं)"
        r"|आउटपुट|सुना\S*|पढ़\S*)"
    ),
    shown=(
        r"(?:सिस्टम (?:प्रॉम्प्ट|संदेश|निर्देश|मैसेज)\S*|(?:अपने|आपके|तुम्हारे|अपना|आपका"
        r"|तुम्हारा) (?:\S+ ){0,2}(?:निर्देश|प्रॉम्प्ट|नियम|आदेश)\S*|(?:प्रारंभिक|मूल|छिपे हुए"
        r"|गुप्त) (?:निर्देश|प्रॉम्प्ट)\S*)"
    ),
    new=(
        r"(?:नए? (?:निर्देश|आदेश|नियम|कार्य|काम)\S* ?:|(?:तुम्हारा|आपका|तुम्हारी|आपकी) नय[ाी] (?:काम|कार्य"
        r"|भूमिका|लक्ष्य)|(?:^|[।.!?] ?)सिस्टम ?: ?\S)"
    ),
    obey=(
        r"(?:(?:सिर्फ़?|केवल|बस) (?:मेरे|मेरी|मेरा|मुझे|इस|इन)[^।.!?]{0,24}(?:मान\S*|पालन|सुन\S*|आदेश\S*"
        r"|निर्देश\S*)|(?:मेरे|मेरी) (?:आदेश|बात|निर्देश)\S* (?:ही )?(?:मानो|मानें|का पालन))"
    ),
    over=r"(?:(?:यह|ये|इस|मेरे) (?:\S+ ){0,3}(?:प्राथमिकता|सर्वोपरि|ऊपर है|ऊपर हैं|जगह लेता|बदल देता))",
    hide=(
        r"(?:(?:उपयोगकर्ता|यूज़र|यूजर|ग्राहक|किसी|मालिक)\S*(?: को| से| को भी)?[^।.!?]{0,30}(?:मत बता\S*"
        r"|न बता\S*|नहीं बता\S*|मत कह\S*|सूचित (?:मत|न)|छिपा\S*|छुपा\S*|ज़िक्र (?:मत|न)|मत दिखा\S*))"
    ),
    secret=(r"(?:पासवर्ड\S*|गुप्त (?:कुंजी|कोड|शब्द)\S*|एपीआई कुंजी|जन्म ?तिथि|जन्म की तारीख|ईमेल पता|ई-मेल पता)"),
    ask=(
        r"(?:बता\S*|क्या (?:है|आप)|साझा कर\S*|दे सकते|दे सकती|पुष्टि कर\S*|दीजिए|दें\b|दो\b|प्रदान कर\S*"
        r"|कहाँ रह\S*|कहां रह\S*)"
    ),
    send=r"(?:भेज\S*|अपलोड\S*|पोस्ट कर\S*|साझा कर\S*)",
    never=r"(?:कभी|बजाय|हमला|कहे|कहता|कोशिश|मना कर)",
    after=r"^[^।.!?]{0,8}(?:मत|न |नहीं|ना )|^[^।]{0,30}(?:मना कर|हमला)",
    user=r"(?:उपयोगकर्ता|यूज़र|यूजर|ग्राहक|डेवलपर|मालिक|ऑपरेटर|संचालक)\S*",
    wish=r"(?:अनुरोध|आदेश|निर्देश|इच्छा|काम|कार्य|बात|मांग|माँग)\S*",
    only=r"(?:सिर्फ़?|केवल|बस|मात्र|ही)",
    heed=r"(?:मान\S*|पालन|सुन\S*|आदेश\S*|निर्देश\S*|हुक्म\S*|अनुसरण)",
    page=r"(?:पेज|पृष्ठ|वेबसाइट|टिप्पणी|कमेंट|फ़ाइल|फाइल|लेखक|नोट|संलग्न|दस्तावेज़|दस्तावेज|टिकट|ईमेल|नीचे|निम्न)\S*",
    instead=r"(?:के बजाय|की बजाय|की जगह|छोड़कर|छोड़ \S+|छोड़\S*|हटकर)",
    stale=r"(?:पुरान\S* (?:हो|है|हैं)|अमान्य|रद्द|अब (?:लागू|मान्य|वैध|मत|नहीं)|मौजूद (?:नहीं|न)|बेकार|समाप्त|खत्म|ख़त्म|बेअसर)",
    more=r"मत मान\S*|पालन (?:अब )?(?:मत|न|ना|नहीं) कर\S*|न मान\S*|परवाह (?:मत|न)|ध्यान (?:मत|न)|छोड़कर|ताक पर",
    above=r"(?:प्राथमिकता|से ऊपर|बदल\S*|की जगह ले\S*|सर्वोपरि|अधिक महत्वपूर्ण|ज़्यादा महत्वपूर्ण|ज्यादा महत्वपूर्ण|पहले आ\S*|बढ़कर)",
    bow=r"(?:आज्ञा\S*|हुक्म\S*|आदेश मान\S*)",
    grants=r"(?:कभी (?:मना|इनकार|इंकार)\S* (?:मत|न|नहीं)|(?:मना|इनकार|इंकार) (?:मत|न|ना) कर\S*|हर (?:अनुरोध|आदेश|सवाल|बात)\S*|सब कुछ बता\S*)",
    received=r"(?:मिले|मिली|मिला|दिए गए|दिया गया|शुरुआत\S*|शुरुआती|प्रारंभ\S*|आरंभ\S*)",
    command=r"(?:आदेश|निर्देश|सिस्टम संदेश)\S* (?:के रूप में|की तरह|मान\S*|समझ\S*)",
)

_LANGUAGES = (
    _GERMAN,
    _SPANISH,
    _FRENCH,
    _ITALIAN,
    _PORTUGUESE,
    _TURKISH,
    _RUSSIAN,
    _CHINESE,
    _JAPANESE,
    _KOREAN,
    _ARABIC,
    _HINDI,
)

_AGAINST = "turns the agent against its user"
_DROPS = "drops what the agent was told"
_STRANGERS = "obeys strangers"
_ASKS = "asks for secrets or personal data"
_ROLE = "claims a role or mode without limits"
_ENDS = "[^.!?。！？؟।]"
_NEAR = "[^.!?。！？؟।,，、;]"
_PRIVATE = (
    r"(?:\.env(?![a-z.])|id_rsa|\.ssh(?![a-z])|\.aws(?![a-z])|\.npmrc|\.netrc|/etc/passwd|credentials|token)"
)


class _Kind(NamedTuple):
    """What a person is told, whether it acts, whether a warning of it is a lesson, and the pattern."""

    told: str
    acts: bool
    warned: bool
    pattern: re.Pattern[str]


def _kinds(one: _Language) -> tuple[_Kind, ...]:
    """The wordings of a language, put together: near each other, in whichever order, within one sentence."""
    told = (
        rf"(?:{one.strong}|(?:{one.qualifier}){_NEAR}{{0,40}}?(?:{one.noun})"
        rf"|(?:{one.noun}){_NEAR}{{0,30}}?(?:{one.qualifier}))"
    )
    wish = _near(one.user, one.wish, 25) + "|" + _near(one.wish, one.user, 25)
    rows = [
        (_DROPS, False, True, _near(one.drop, told) + "|" + _near(told, one.drop)),
        (_DROPS, False, False, _near(one.more, told) + "|" + _near(told, one.more)),
        (
            _AGAINST,
            False,
            True,
            _near(f"{one.drop}|{one.more}", wish, 25) + "|" + _near(wish, f"{one.drop}|{one.more}", 15),
        ),
        (_AGAINST, False, True, _near(one.instead, wish, 8) + "|" + _near(wish, one.instead, 4)),
        (
            "declares what the agent was told void",
            False,
            False,
            _near(f"{told}|{_near(one.noun, one.user, 15)}|{_near(one.user, one.noun, 15)}", one.stale, 30),
        ),
        (
            "obeys nobody else",
            False,
            True,
            "|".join(
                _near(_near(first, second, 30), third, 40)
                for first, second, third in (
                    (one.only, one.heed, one.page),
                    (one.only, one.page, one.heed),
                    (one.heed, one.only, one.page),
                    (one.page, one.only, one.heed),
                    (one.page, one.heed, one.only),
                )
            ),
        ),
        (_DROPS, False, False, one.unfollow and _near(one.unfollow, told) + "|" + _near(told, one.unfollow)),
        (_DROPS, False, False, one.follow and _near(_near(one.follow, told, 25), one.denied, 25)),
        ("declares what the agent was told void", False, False, one.void and _near(told, one.void)),
        (_ROLE, False, True, one.none and _near(one.you, one.none) + "|" + _near(one.none, one.you, 20)),
        (_ROLE, False, True, one.role),
        (
            "reveals the agent's instructions",
            False,
            True,
            one.show and _near(one.show, one.shown) + "|" + _near(one.shown, one.show, 25),
        ),
        (
            "reveals the agent's instructions",
            False,
            True,
            _near(one.show, _near(one.noun, one.received, 20) + "|" + _near(one.received, one.noun, 20))
            + "|"
            + _near(
                _near(one.noun, one.received, 20) + "|" + _near(one.received, one.noun, 20), one.show, 25
            ),
        ),
        (_ROLE, False, True, one.grants),
        (
            "obeys strangers",
            False,
            True,
            _near(one.page, one.command, 35) + "|" + _near(one.command, one.page, 20),
        ),
        ("obeys nobody else", False, True, _near(one.bow, one.page, 40) + "|" + _near(one.page, one.bow, 30)),
        (
            "puts itself above what the agent was told",
            False,
            True,
            _near(_near(one.page, one.above, 35), f"{told}|{one.user}", 35)
            + "|"
            + _near(_near(one.page, f"{told}|{one.user}", 35), one.above, 30),
        ),
        ("sets a new task", False, False, one.new),
        ("obeys nobody else", False, False, one.obey),
        ("puts itself above what the agent was told", False, False, one.over and _near(one.over, told, 25)),
        (
            _ASKS,
            False,
            True,
            one.ask and _near(one.ask, one.secret, 50) + "|" + _near(one.secret, one.ask, 50),
        ),
        ("hides something from the user", True, False, one.hide),
        (
            "sends data away",
            True,
            True,
            one.send
            and rf"(?:{one.send})[^\n]{{0,60}}?(?:{_PRIVATE}|{one.secret})[^\n]{{0,60}}?https?://"
            rf"|(?:{_PRIVATE}|{one.secret})[^\n]{{0,60}}?https?://[^\n]{{0,60}}?(?:{one.send})"
            rf"|https?://[^\n]{{0,80}}?(?:{_PRIVATE}|{one.secret})[^\n]{{0,40}}?(?:{one.send})",
        ),
    ]
    return tuple(
        _Kind(told, acts, warned, re.compile(fold(pattern)))
        for told, acts, warned, pattern in rows
        if pattern
    )


def _near(first: str, second: str, reach: int = 45) -> str:
    return rf"(?:{first}){_ENDS}{{0,{reach}}}?(?:{second})"


_FOLDED = str.maketrans(
    # A dotless i; alef with hamza or madda, and what stands for alef; teh marbuta; tatweel, harakat; danda-like marks stay.
    {"ı": "i", "أ": "ا", "إ": "ا", "آ": "ا", "ٱ": "ا", "ى": "ي", "ة": "ه", "ـ": None, "’": "'", "ʼ": "'"}
    | dict.fromkeys(map(chr, range(0x64B, 0x653)))
)
_ACCENTS = re.compile("[\u0300-\u036f]+")


def fold(text: str) -> str:
    """The text without case, accents and what a writer may leave out."""
    text = text if text.isascii() else _ACCENTS.sub("", unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFC", text.translate(_FOLDED)).replace("ß", "ss")


@lru_cache(maxsize=2)  # two screens ask, one after the other
def foreign(views: Views) -> Foreign | None:
    """What the text tells an agent in another language than English, or None."""
    if (views.folded.isascii() or not _LETTER.search(views.folded)) and views.words.isdisjoint(_telling()):
        return None
    text = fold(views.folded)
    words = frozenset(_WORD.findall(text))
    for language in _LANGUAGES:
        if (
            re.search(language.script, text) is None
            if language.script
            else words.isdisjoint(language.words.split())
        ):
            continue
        one = _compiled(language)
        for kind in one.kinds:
            for match in kind.pattern.finditer(text):
                if not (kind.warned and _warned(text, match, one, kind.told)):
                    return Foreign(kind.told, kind.acts)
    return None


_TOOLS = re.compile(
    # Rules of a tool are not rules of the agent, in any language.
    r"\b(?:\w*linters?|eslint|prettier|ruff|mypy|parsers?|compilers?|formatters?|git|docker|nginx|webpack"
    r"|pytest|firewall|css)\b|\.\w{2,10}(?:rc|ignore)\b"
)
_CHANGES = re.compile(
    # Who asks how to change a password of his own asks for no secret.
    fold(
        r"cambi\w+|restablec\w+|recuper\w+|reimpost\w+|änder\w*|zurücksetz\w*|chang\w+|réinitialis\w+"
        r"|reset\w*|alter\w+|redefin\w+|değiştir\w*|sıfırla\w*|измени\w*|сменить|сброс\w*|восстанов\w+|重置|修改"
        r"|更改|找回"
        r"|変更|再設定|リセット|변경|재설정|تغيير|اعاده|बदल|रीसेट|\b(?:mi contraseña|meine?n? passwort|mon mot de passe"
        r"|mia password|minha senha|мой пароль)|我的密|내 비밀번호"
    )
)
_SENTENCE_END = re.compile(r"[.!?。！？؟।]")


class _Compiled(NamedTuple):
    """A language, folded: its kinds, and what makes a warning."""

    kinds: tuple[_Kind, ...]
    never: re.Pattern[str]
    after: re.Pattern[str] | None


def _warned(text: str, match: re.Match[str], one: _Compiled, kind: str) -> bool:
    """Whether the sentence warns of what was found, or speaks of a tool."""
    drops, asks = kind == _DROPS, kind == _ASKS
    inside = drops or kind == _STRANGERS
    start, end = match.span()
    before, behind = _SENTENCE_END.split(text[max(0, start - 30) : start])[-1], text[end : end + 70]
    if asks and _CHANGES.search(match[0] + behind[:30]) is not None:
        return True
    if one.never.search(before) or (inside and one.never.search(match[0])):
        return True
    if one.after is not None and one.after.search(behind):
        return True
    return drops and _TOOLS.search(before + match[0] + _SENTENCE_END.split(behind)[0]) is not None


@cache
def _compiled(one: _Language) -> _Compiled:
    return _Compiled(
        _kinds(one), re.compile(fold(one.never)), re.compile(fold(one.after)) if one.after else None
    )


_WORD = re.compile(r"\w+")
_LETTER = re.compile(r"[^\W\d_\x00-\x7f]")
"""A letter that is not of ASCII."""
_ENGLISH = frozenset(
    # Words of an English text, or of code, that are words of those languages, too.
    [
        "die",
        "das",
        "alle",
        "du",
        "bist",
        "jetzt",
        "mir",
        "mehr",
        "ab",
        "sag",
        "der",
        "und",
        "no",
        "el",
        "la",
        "lo",
        "de",
        "que",
        "los",
        "las",
        "mis",
        "solo",
        "tu",
        "ton",
        "mes",
        "des",
        "les",
        "une",
        "ne",
        "plus",
        "n",
        "ce",
        "passe",
        "instructions",
        "limite",
        "est",
        "cache",
        "mot",
        "le",
        "di",
        "ora",
        "il",
        "sei",
        "non",
        "as",
        "os",
        "o",
        "a",
        "ignore",
        "sem",
        "sua",
        "qual",
        "que",
        "sen",
        "bu",
        "bir",
        "say",
        "dan",
        "sistem",
        "yok",
        "diese",
        "folge",
        "dir",
    ]
)


@cache
def _telling() -> frozenset[str]:
    """The words that an English text in ASCII does not have: without one of them no language with Latin letters is tried."""
    return frozenset(word for one in _LANGUAGES for word in one.words.split()) - _ENGLISH
