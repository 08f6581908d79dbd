"""The words by which a failure and a correction are known: what tools say who fail, and what people say who correct.

A tool's words are looked for at the ends of an output, a person's at the beginning of a message: in every output of every run, so
that it has to be quick. A phrase is looked for only where its longest word was met, by one look at the set of all words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ace.domain.trace import Turn

__all__ = ["HEAD", "SHORT", "corrects", "failure_in"]

_TO_BLANKS = {ord(mark): " " for mark in '!"#$%&()*+,./:;<=>?@[\\]^`{|}~„“”«»…。，、！？：；'} | {
    ord("’"): "'"
}
"""Marks that end a word; an apostrophe, a hyphen and an underscore are part of one."""


_ASCII = bytes(ord(" ") if mark < 128 and mark in _TO_BLANKS else mark for mark in range(256))


class _Kinds:
    """Kinds of texts, the first that fits before the others, and the phrases by which each is known.

    A phrase is of whole words; with `*` at its end, the last one may go on. What is behind `inside` is looked for within words,
    too: in scripts without blanks, and where words bend at their ends.
    """

    def __init__(self, *kinds: tuple[str, str, str]) -> None:
        self._by_word: dict[str, list[tuple[int, str]]] = {}
        self._names = [name for name, _, _ in kinds]
        self._inside = [(rank, list(_lines(inside))) for rank, (_, _, inside) in enumerate(kinds) if inside]
        for rank, (_, phrases, _) in enumerate(kinds):
            for phrase in _lines(phrases):
                words = phrase.removesuffix("*").split()
                whole = words[:-1] if phrase.endswith("*") else words
                found = f" {' '.join(words)}{'' if phrase.endswith('*') else ' '}"
                self._by_word.setdefault(max(whole, key=len), []).append((rank, found))
        self._known = frozenset(self._by_word)

    def kind_of(self, text: str) -> str:
        """The kind of a text without case; empty if it is of none."""
        words = _words_of(text)
        ranks: list[int] = []
        if hits := self._known.intersection(words):
            spaced = f" {' '.join(words)} "
            ranks = [rank for word in hits for rank, phrase in self._by_word[word] if phrase in spaced]
        if not text.isascii():
            ranks += [rank for rank, inside in self._inside if any(map(text.__contains__, inside))]
        return self._names[min(ranks)] if ranks else ""


def _lines(text: str) -> Iterator[str]:
    return filter(None, map(str.strip, text.splitlines()))


def _words_of(text: str) -> list[str]:
    if text.isascii():
        return text.encode().translate(_ASCII).decode().split()  # half the time of translating a text
    return text.translate(_TO_BLANKS).split()


# --- failures -------------------------------------------------------------------------------------------------------

HEAD = 200
_TAIL = 250
"""Characters of a failed output in which it says why."""
SHORT = 300
"""Characters of an output that may tell of a failure though the tool did not flag it: what is longer is what was asked for."""

_FAILURES = _Kinds(
    (
        "edit",
        """
        string to replace
        old_string
        old_str
        replace_all is false
        oldstring
        failed to find expected
        failed to find context
        no replacement was performed
        apply_patch verification failed
        failed to edit
        must match exactly
        not unique in
        was not unique
        found multiple matches
        multiple occurrences
        no match found for
        could not find the text
        could not find the string
        could not find the exact
        could not find occurrence
        did not match the file
        does not match any content
        does not match the file
        search block
        search pattern not found
        failed to apply*
        patch failed
        patch does not apply
        hunk failed
        hunks failed
        invalid patch
        context not found
        has not been read
        modified since read
        been modified since
        no changes to make
        """,
        "",
    ),
    (
        "not found",
        """
        command not found
        404 not found
        not found in path
        executable file not found
        module not found
        package not found
        commandnotfoundexception
        modulenotfounderror
        classnotfoundexception
        importerror
        not recognized
        no module named
        no package named
        cannot find module
        cannot find package
        cannot find name
        cannot resolve*
        can't resolve
        could not resolve
        unable to resolve
        cannot import name
        could not find a version
        could not find gem
        could not find package
        could not find executable
        no matching distribution
        no matching package
        unable to locate package
        no such command
        no such subcommand
        no such function
        no such plugin
        no such model
        no such tool
        no such option
        no such service
        no such target
        no such remote
        no such container
        no such image
        no such module
        no such table
        no such column
        no such method
        no such package
        unknown command*
        unknown option
        unknown flag
        unknown tool
        unknown argument*
        unknown subcommand
        unknown revision
        unknown shorthand
        unrecognized argument*
        unrecognized option
        unrecognized flag
        unrecognised flag
        unrecognized command
        unrecognized subcommand
        unrecognised
        unexpected argument
        invalid option
        invalid choice
        invalid subcommand
        invalid command
        illegal option
        missing script
        not installed
        no rule to make target
        is not a git command
        is not a docker command
        is not a valid command
        is not a known command
        is not in std
        befehl nicht gefunden
        kommando nicht gefunden
        commande introuvable
        introuvable dans
        orden no encontrada
        comando no encontrado
        comando não encontrado
        comando non trovato
        opdracht niet gevonden
        tool does not exist
        e404
        """,
        """
        não encontrad
        не найден
        не знайден
        未找到
        找不到
        見つかりません
        찾을 수 없
        bulunamadı
        nie znaleziono
        """,
    ),
    (
        "refused",
        """
        permission denied
        permissiondenied
        permissiondeniederror
        unauthorizedaccessexception
        permissionerror
        insufficient permission*
        not have permission
        lacks permission
        requires permission*
        not permitted
        access denied
        access is denied
        denied by
        was denied
        denied this
        user denied
        user declined
        user refused
        user rejected
        user cancelled
        user canceled
        user chose not
        user aborted
        by the user
        request denied
        eacces
        eperm
        forbidden
        unauthorized
        connection refused
        econnrefused
        doesn't want to proceed
        doesn't want to take
        not allowed
        disallowed
        read-only file system
        erofs
        protected branch
        authentication failed
        authentication required
        not authenticated
        not authorized
        authorization failed
        invalid credentials
        bad credentials
        could not read username
        requires approval
        approval required
        require approval
        not approved
        remote rejected
        rejected master
        rejected main
        updates were rejected*
        rejected by
        rejected the
        were rejected
        was rejected
        blocked by
        hook declined
        insufficient privileges
        must be root
        are you root
        a password is required
        requested access to the resource
        keine berechtigung
        zugriff verweigert
        acceso denegado
        permiso denegado
        permesso negato
        accesso negato
        permissao negada
        toegang geweigerd
        superuser
        violates policy
        against policy
        """,
        """
        berechtigung
        zugriff verweigert
        permission non accordée
        accès refusé
        denegado
        negada
        negado
        отказано
        відмовлено
        权限不够
        拒绝
        權限不足
        許可がありません
        拒否
        허가 거부
        거부
        """,
    ),
    (
        "wrong path",
        """
        no such file
        no such directory
        no such path
        enoent
        enotdir
        eisdir
        cannot access
        cannot stat
        cannot open
        can't open
        could not open
        can't cd to
        unable to open
        filenotfounderror
        filenotfoundexception
        file not found
        path not found
        directory not found
        couldn't find file
        could not find file
        could not find path
        unable to find file
        does not exist
        doesn't exist
        not a directory
        is a directory
        isadirectoryerror
        notadirectoryerror
        cannot find the path
        cannot find path
        cannot find the file
        outside the workspace
        outside of the workspace
        outside the project
        outside of the project
        outside the allowed
        outside of the allowed
        outside workspace
        outside allowed
        not within
        pathspec
        not a git repository
        no files found
        no match for
        no matches found
        no files were searched
        no files matched
        datei oder verzeichnis*
        datei nicht gefunden
        verzeichnis nicht gefunden
        aucun fichier ou dossier*
        no existe el fichero*
        no existe el archivo*
        arquivo ou diret*
        file o directory non esistente
        did not match any file
        """,
        """
        verzeichnis nicht
        inexistente
        нет такого файла
        немає такого файлу
        没有那个文件
        沒有此一檔案
        そのようなファイル
        그런 파일
        böyle bir dosya
        nie ma takiego pliku
        """,
    ),
    (
        "failing tests",
        """
        assertionerror
        assertionfailederror
        assertion failed
        assertion left*
        assert failed
        panicked at
        """,
        "",
    ),
    (
        "out of time",
        """
        timed out
        timeout
        timeouterror
        timeoutexpired
        time out
        deadline exceeded
        time limit
        etimedout
        took too long*
        """,
        "",
    ),
)

_FAIL = re.compile(r"fail(?P<end>ed|ing|ures?)?\b(?P<count>\s?[:=(] ?[1-9])?")
_COUNTED = re.compile(
    r"(?:\b[1-9]\d* (?:tests? |specs? |examples? |assertions? |checks? )?|tests? |test suite |tests?:[^\n]{0,40}|result: )$"
)
_FIRST = re.compile(r"(?:^|\n)[^\S\n]*(?:[-=#*✗✘×●❌│|>]+ ?)*(?:\[[^\S\n]*)?$")

_NOT_OK = re.compile(r"(?:^|\n)not ok \d")


def failure_in(turn: Turn) -> str:
    """The class of a tool's failure; empty if there is none. One that the tool did not flag has to be short."""
    text = turn.text
    if not turn.failed and len(text) > SHORT:
        return ""
    if len(text) > HEAD + _TAIL:
        text = text[:HEAD] + "\n" + text[-_TAIL:]
    text = text.casefold()
    kind = _FAILURES.kind_of(text)
    if kind in ("", "out of time"):
        if ": not found" in text:
            kind = "not found"
        elif ("fail" in text and _has_failing_tests(text)) or ("not ok " in text and _NOT_OK.search(text)):
            kind = "failing tests"
    if kind == "edit" and not turn.failed:
        kind = ""
    return kind or ("other" if turn.failed else "")


def _has_failing_tests(text: str) -> bool:
    """Whether there is a count of failures, or a line begins with such a verdict."""
    return any(
        found["count"]
        or (found["end"] and _COUNTED.search(text[max(0, found.start() - 50) : found.start()]))
        or (found["end"] != "ing" and _FIRST.search(text[max(0, found.start() - 20) : found.start()]))
        for found in _FAIL.finditer(text)
    )


# --- corrections ----------------------------------------------------------------------------------------------------

_OPENING = re.compile(
    r"\W*(?:(?:ok|okay|hm+|hey|sorry|but|and|well|please|oh|ah|uh|ugh|yes|yeah|thanks|almost|close|bitte|also|por favor)\b\W*)*"
    r"(?:no(?!\s+(?:problem|worries|need|rush|issues?|thanks|idea|more|longer|other|changes?|further|comments?|one)\b)|nope|nah|wrong|"
    r"stop|wait|hold on|hang on|actually|not (?:quite|exactly|like|that|this|what|there|here|the|so|yet)|don'?t|do not|never(?!\s?mind)|always|"
    r"(?:that|it|this)(?:'?s| is| was| does| did| has| looks?)(?: still| just| again)? ?(?:not|n'?t|wrong|incorrect|broken|failing|missing|"
    r"an? (?:bad|terrible|wrong)|the (?:wrong|second|third|fourth))|"
    r"(?:that|it|this)(?: still)? (?:is|does|did|was|has|should)n'?t|(?:that|it|this) (?:still )?(?:fails?|broke|breaks|crash)|"
    r"(?:that|it|this|they|those|the [\w./-]+(?: [\w./-]+)?) (?:should|must|needs?|ha[sd] to|ought to|belongs?)\b|"
    r"still (?:fail|broken|not|wrong|does|get)|too (?:verbose|long|short|much|many|slow|complex|complicated|clever|big|general)|"
    r"undo|revert|roll (?:that|it|this) back|put (?:that|it|this) back|leave (?:that|it|the|this)|"
    r"i (?:\w+ly |already |just )?(?:meant|wanted|want|asked|said|told|prefer|did ?n'?t|never|don'?t)|i'?d (?:prefer|rather)|let'?s not|can you not|"
    r"you(?!\s+(?:can|could|may|might|guys|decide|choose)\b)|you can(?:'?t|not)|why (?:did|are|do|would|have) you|"
    r"nein|falsch|nicht|halt|stopp|so nicht|kein\w*|das (?:ist|war|stimmt) (?:nicht|falsch)|ich meinte|du (?:hast|solltest|sollst)|hör auf|"
    r"non|pas |faux|arrête|ce n'est pas|c'est (?:faux|pas)|tu as|n'|ne |mauvais|não|errado|isso não|está (?:mal|errad)|eso (?:no|está)|nunca|siempre|"
    r"falso|sbagliato|incorrecto|mal |quería|te dije|nee|niet|geen|fout|verkeerd|nej|nei|ikke|inte|fel|nie|źle|błąd|hayır|yanlış|"
    r"jangan|bukan|salah|không|sai |нет|не |ні |стоп|неверно|неправильно|ты |"
    r"不|别|別|错|錯|停|為什麼|为什么|你|違|いや|いいえ|だめ|ダメ|ちが|やめ|間違|아니|틀렸|하지 ?마|لا|خطأ|नहीं|गलत)(?:\b|(?=\W)|(?<=[^\x00-\x7f])|(?<=\s))",
    re.IGNORECASE,
)
_ACTS = (
    *("use", "run", "do", "add", "commit", "edit", "touch", "write"),
    *("call", "push", "change", "delete", "log", "put", "make", "merge"),
    *("check", "ask", "start", "keep", "modify", "hardcode", "mock", "install"),
)
_SAID = _Kinds(
    (
        "correction",
        """
        remember
        from now on
        from here on
        going forward
        next time
        in future
        in the future
        for future reference
        for the record
        keep in mind
        keep that in mind
        bear in mind
        don't forget
        i told you
        i asked
        i said
        i meant
        already told
        as i said
        as i told
        as i mentioned
        like i said
        i didn't ask
        i never asked
        explicitly
        specifically asked
        explicitly asked
        i didn't want
        i'd rather
        i would rather
        i prefer
        i'd prefer
        we prefer
        instead
        rather than
        should have
        shouldn't
        should not
        should always
        should never
        should be using
        must not
        must never
        must always
        mustn't
        you forgot
        you broke
        you missed
        you ignored
        you skipped
        you keep
        you removed
        you deleted
        you misunderstood
        you didn't
        you haven't
        you were supposed
        you were meant
        supposed to
        that's wrong
        that is wrong
        that was wrong
        is wrong
        isn't right
        not right
        not correct
        incorrect
        not what i
        that's not how
        that is not how
        still fail*
        still broken
        still not
        doesn't work
        didn't work
        does not work
        we always
        we never
        we don't
        we use
        we only
        our convention
        the convention
        our policy
        house rule
        in this repo
        in this project
        in this codebase
        make sure to
        make sure you
        please don't
        please do not
        please use
        please stop
        stop doing
        stop using
        stop adding
        don't ever
        do not ever
        not ever
        hands off
        leave it alone
        alone please
        off limits
        off-limits
        not necessary
        too much
        undo that
        put it back
        switch back
        change it back
        merk dir
        merke dir
        denk dran
        denk daran
        vergiss nicht
        vergeet niet
        glem ikke
        glöm inte
        não esqueça
        non dimenticare
        nie zapomnij
        następnym razem
        dahaki sefere
        acuérdate
        acuerdate
        n'oublie pas
        n'oubliez pas
        no olvides
        in zukunft
        beim nächsten mal
        ab jetzt
        ab sofort
        statt
        stattdessen
        lieber
        niemals
        habe ich gesagt
        ich habe doch
        souviens
        rappelle
        la prochaine fois
        toujours
        jamais
        au lieu
        recuerda
        la próxima vez
        en vez de
        en lugar de
        a partir de ahora
        siempre
        nunca
        olvides
        olvidaste
        lembre
        em vez de
        ao invés
        a partir de agora
        da próxima vez
        sempre
        esqueceu
        ricorda
        ricordati
        invece
        al posto
        d'ora in poi
        la prossima volta
        mai
        voortaan
        in plaats van
        onthoud
        volgende keer
        zamiast
        pamiętaj
        zawsze
        nigdy
        bundan sonra
        yerine
        unutma
        i stedet
        istället
        husk
        kom ihåg
        ingat
        jangan
        mulai sekarang
        lain kali
        lembre-se
        still failing
        souviens-toi
        rappelle-toi
        à la place
        à l'avenir
        désormais
        plutôt
        próxima vez
        não use
        não mexa
        nächsten mal
        künftig
        ab nun
        """
        + "".join(f"{often} {act}\n" for often in ("always", "never") for act in _ACTS),
        """
        запомни
        вместо
        в следующий раз
        впредь
        отныне
        всегда
        никогда
        больше не
        не надо
        не забудь
        не забывай
        забыл
        я же
        замість
        завжди
        ніколи
        记住
        記住
        以后
        以後
        下次
        而不是
        應該
        应该
        改用
        不要
        别再
        別再
        必须
        必須
        从现在
        從現在
        忘了
        忘记
        忘記
        我说
        我說
        请用
        請用
        覚えて
        じゃなく
        ではなく
        代わりに
        次回
        次から
        今後
        必ず
        絶対
        しないで
        ないでください
        忘れ
        기억
        대신
        말고
        아니라
        아니고
        앞으로
        다음부터
        항상
        절대
        하지 마
        잊지
        بدلا
        بدلاً
        تذكر
        دائما
        من الآن
        المرة القادمة
        याद रख
        की जगह
        हमेशा
        अगली बार
        कभी
        thay vì
        lần sau
        từ giờ
        đừng
        """,
    )
)
_NOT_THAT = re.compile(
    r" (?:use|in|is|be|with|to|on|it's|under|from|into) [^.?!]{1,60}(?:, ?| and | but )not "
)


def corrects(text: str) -> bool:
    """Whether a message of the user's corrects the agent, or tells it what to keep in mind."""
    if not text:
        return False
    head = text[:600].replace("\u2019", "'")
    if _OPENING.match(head):
        return True
    text = head.casefold()
    return bool(_SAID.kind_of(text)) or (" not " in text and _NOT_THAT.search(f" {text}") is not None)
