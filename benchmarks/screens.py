"""Measures screens and redaction on a corpus: `python benchmarks/screens.py CORPUS [--half a|b] [--misses N] [--second [SCANNER]] [--linear [N]] [--code DIR …]`.

A corpus is a file of JSON lines, gzipped or not. A line has `file` (the kind of text), `family`, `text`, `label` (1: must not
pass; 0: ordinary text), `source`, and where it is known `secret`: the text, or a list of texts, of which nothing may be left.
A redaction counts as whole if no piece of the secret of more than six characters is left. `--half` takes the lines whose
digest is even (a) or odd (b), so that what was tuned on one half can be measured on the other. `--code` counts
redactions in the text files of a folder. The overview comes first, then each family that has misses, with the misses.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import importlib
import json
import math
import random
import re
import subprocess
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ace.domain.screens import PLACEHOLDER, SCREENS, Views, redact, refusal

_LEFT = 6
"""The most characters of a secret that may be left in one piece."""


class Judged(NamedTuple):
    """A line of the corpus and what became of it. `redacted` says whether the secret is gone (label 1), or whether anything
    was replaced (label 0).
    """

    kind: str
    family: str
    source: str
    text: str
    ordinary: bool
    reason: str | None
    redacted: bool


def lines(path: Path, half: str | None) -> Iterator[dict[str, Any]]:
    with (
        gzip.open(path, "rt", encoding="utf-8")
        if path.suffix == ".gz"
        else path.open(encoding="utf-8") as file
    ):
        for line in file:
            row = json.loads(line)
            digest = hashlib.sha256(row["text"].encode("utf-8", "surrogatepass")).digest()
            if half is None or (digest[0] & 1) == (half == "b"):
                yield row


def judge(row: dict[str, Any]) -> Judged:
    text, secret = row["text"], row.get("secret")
    left = redact(text)
    ordinary = row["label"] == 0
    secrets = [secret] if isinstance(secret, str) else secret or []
    if ordinary or not secrets:
        redacted = left != text
    else:
        redacted = left != text and not any(remains(one, left) for one in secrets)
    return Judged(row["file"], row["family"], row["source"], text, ordinary, refusal(text), redacted)


def remains(secret: str, left: str) -> bool:
    """Whether more of the secret than may be left is in the text in one piece."""
    left = left.replace(PLACEHOLDER, "\n")
    width = min(len(secret), _LEFT + 1)
    return any(secret[at : at + width] in left for at in range(len(secret) - width + 1))


def _group(one: Judged) -> str:
    if one.kind == "contexts":
        return one.family.split("|")[0].strip()
    if one.kind == "credentials":
        return f"positives of {one.source.split()[0]}"
    return one.kind.replace("_", " ")


def _share(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({100 * part / whole:.2f} %)"


def overview(judged: Iterable[Judged]) -> None:
    groups: defaultdict[tuple[bool, str], list[Judged]] = defaultdict(list)
    for one in judged:
        name = _group(one)
        if one.ordinary and one.kind == "credentials":
            name = name.replace("positives", "negatives")
        groups[one.ordinary, name].append(one)
    print(
        "\n## Texts that must not pass\n\n| kind | refused as a lesson | secret redacted |\n| --- | --- | --- |"
    )
    for (ordinary, name), ones in sorted(groups.items()):
        if not ordinary:
            redacted = "" if name == "overrides" else _share(sum(one.redacted for one in ones), len(ones))
            print(
                f"| {name} | {_share(sum(one.reason is not None for one in ones), len(ones))} | {redacted} |"
            )
    print(
        "\n## Ordinary texts\n\n| kind | let through as a lesson | untouched by redaction |\n| --- | --- | --- |"
    )
    for (ordinary, name), ones in sorted(groups.items()):
        if ordinary:
            passed = _share(sum(one.reason is None for one in ones), len(ones))
            print(f"| {name} | {passed} | {_share(sum(not one.redacted for one in ones), len(ones))} |")


def families(judged: Iterable[Judged], most: int) -> None:
    """Every family that has misses, with the first of them: what was let through or left, or touched without need."""
    of: defaultdict[tuple[str, str], list[Judged]] = defaultdict(list)
    for one in judged:
        of[one.kind, one.family].append(one)
    print("\n## Families\n\n| kind | family | lines | refused | redacted |\n| --- | --- | --- | --- | --- |")
    for (kind, family), ones in sorted(of.items()):
        refused, redacted = sum(one.reason is not None for one in ones), sum(one.redacted for one in ones)
        print(f"| {kind} | {family.replace('|', '/')} | {len(ones)} | {refused} | {redacted} |")
    print("\n## Misses\n")
    for (kind, family), ones in sorted(of.items()):
        missed = [one for one in ones if _missed(one)]
        for one in missed[:most]:
            told = ", ".join(_missed(one))
            print(f"- {kind}, {family}: {told}: {json.dumps(one.text, ensure_ascii=False)[:300]}")
        if len(missed) > most:
            print(f"- {kind}, {family}: {len(missed) - most} more")


def _missed(one: Judged) -> list[str]:
    if one.ordinary:
        return ["redacted"] * one.redacted + ([one.reason] if one.reason else [])
    passed = ["passes as a lesson"] if one.reason is None else []
    return passed + (["not wholly redacted"] if not one.redacted and one.kind != "overrides" else [])


_ATTEMPTS = (
    # What an attempt is called, and the families that try it.
    ("wordings of an override in English", r"own drop-your-rules"),
    ("overrides in other languages, own", r"own language"),
    ("injections in other languages, public", r"[\w-]+-ml\b|bastion .*\((?!en)\w\w\)$"),
    ("split, look-alike, leet", r"own (?:spaced|look-alike|leet)"),
    ("lessons that act", r"own (?:exfiltration|disable|encoded|markdown|ANSI)"),
    ("templates and turns", r"own chat template"),
    ("hidden characters", r"own zero-width"),
)
_SHORT = 400
"""Characters of a public injection that a lesson could hold."""


def attempts(judged: Iterable[Judged]) -> None:
    """Overrides by what they try, as docs/security.md tells of them, and the ordinary texts beside them."""
    groups: defaultdict[str, list[Judged]] = defaultdict(list)
    for one in judged:
        if one.kind == "overrides" and not one.ordinary:
            name = next((name for name, family in _ATTEMPTS if re.match(family, one.family)), None)
            short = "at most" if len(one.text) <= _SHORT else "more than"
            groups[name or f"public injections of {short} {_SHORT} characters"].append(one)
        elif one.ordinary and one.kind in ("overrides", "rule_lines", "prose"):
            groups[
                f"let through: {one.kind.replace('_', ' ').replace('overrides', 'neighbours of injections')}"
            ].append(one)
    print("\n## Overrides and lessons that act\n\n| what | refused, or let through |\n| --- | --- |")
    for name, ones in sorted(groups.items()):
        right = sum((one.reason is None) == one.ordinary for one in ones)
        print(f"| {name} | {_share(right, len(ones))} |")


def code(folders: Iterable[Path], most: int) -> None:
    """Count what is redacted in the files below the folders, and show the first of it."""
    size, files, found = 0, 0, Counter[str]()
    for path in sorted(path for folder in folders for path in folder.rglob("*") if path.is_file()):
        try:
            text = path.read_bytes().decode()
        except (UnicodeDecodeError, OSError):
            continue
        size, files = size + len(text), files + 1
        for line in text.splitlines():
            if (left := redact(line)) != line:
                found[f"{path}: {line.strip()[:200]}\n    {left.strip()[:200]}"] += left.count(PLACEHOLDER)
    print(f"\n## Code and logs\n\n{found.total():,} redactions in {size / 1e6:.1f} MB of {files:,} files")
    for line in list(found)[:most]:
        print(f"- {line}")


_HOSTILE = (
    # What shapes begin with, or what comes between a name and its value: repeated, each begins a search that has to end soon.
    *("password", "token ", "key=", "secret: ", "Authorization: Bearer ", "Cookie: a=", "?key=", "://a:b@", "eyJ", "xoxb-", "0f", "aB1", "x"),
    *("-----BEGIN PRIVATE KEY-----", "kind: Secret\n", "data:\n", "machine x login y ", "password,\n", "| token |\n", "values (", "insert", "'x',"),
    *(" -u a", " -p", "echo a | ", "mysql", "AUTH ", "USER a\nPASS ", "base64 -d\n", "as the password ", "shodan key ", "seed phrase: abandon "),
    *('"', "'", "'\t", '"\n', "\\", "\\n", "\\u00", "%3D", "&quot;", "&#", "\x1b[", "a\b", "\u200b", "\uff41", "00000000: 4142 ", "{", "(", "[", "<td>", "-> "),
    *("ignore all the previous ", "your rules ", "the rules above are ", "nothing you were told ", "as if you had never ", "no matter what the user ", "follow only "),
    *("i g n o r e ", "1gn0r3 ", "ig.no.re.", "ignoreall", "ig<b>nore ", "erongi ", "vtaber ", ". -- ", "01001001 ", "49 67 ", "&#73;", "%49", "SWdub3Jl"),
    *("ignoriere alle deine ", "olvida todo lo que ", "oublie tes règles ", "dimentica le tue ", "esqueça as suas ", "önceki tüm ", "забудь все свои "),
    *("忽略之前的", "以前のすべての指示", "이전의 모든 지시 ", "تجاهل جميع التعليمات ", "पिछले सभी निर्देश ", "іgnоrе ", "ɪɢɴᴏʀᴇ "),
    *("=", ":", "-", "_", ".", " ", "\t", "\n", "\r\n", ">-\n", "<<EOT\n", "string(1) ", "s:8:", "$", "\u5bc6\u7801", "ignore all ", "you are "),
)  # fmt: skip
_LONGER, _SLACK = 10, 1.5
"""A text ten times as long may take ten times as long, and half as much again."""


def linearity(mixtures: int) -> bool:
    """Measure a text and one ten times as long in the same run; whether no ratio is above its limit."""
    ordinary = "Run the tests of the module that you changed, then read what they print: a failed test names its file. "
    chance = random.Random(0)
    mixed = ["".join(chance.choices(_HOSTILE, k=chance.randint(2, 5))) for _ in range(mixtures)]
    limit, fine = _LONGER * _SLACK, True
    print(
        f"\n## Time of {_LONGER} x the length\n\n| what | texts | slowest | largest ratio (limit {limit:g}) | of |\n| --- | --- | --- | --- | --- |"
    )
    for what, judged, size in (
        ("a lesson screened", _screened, 2_000),
        ("a transcript redacted", redact, 3_000),
    ):
        for kind, pieces in (("ordinary", [ordinary]), ("hostile", _HOSTILE), ("hostile, mixed", mixed)):
            measured = []
            for piece in pieces:
                # Whole pieces, and no blanks at the ends: a cut may make a line a dump, and a text that loses blanks when it is
                # folded is looked at twice.
                short, long = (
                    (piece * max(1, length // len(piece))).strip() for length in (size, size * _LONGER)
                )
                taken = _taken(judged, long)
                measured.append((taken / _taken(judged, short), taken, piece))
            ratio, _, worst = max(measured)
            slowest = max(taken for _, taken, _ in measured)
            fine = fine and ratio <= limit
            print(
                f"| {what}, {kind} | {len(measured)} | {slowest * 1e3:.1f} ms | {ratio:.1f} | `{json.dumps(worst)[:60]}` |"
            )
    return fine


def _screened(text: str) -> None:
    views = Views.of(text)
    for screen in SCREENS:
        screen(views)


def _taken(judge: Callable[[str], object], text: str) -> float:
    """Seconds of the processor, of the fastest of some runs."""
    best = math.inf
    for _ in range(3):
        start = time.process_time()
        judge(text)
        best = min(best, time.process_time() - start)
    return best


def _by_detect_secrets(texts: Sequence[str]) -> list[str]:
    scan = importlib.import_module("detect_secrets.core.scan")
    settings = importlib.import_module("detect_secrets.settings")
    found: list[str] = []
    with settings.default_settings(), tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        for text in texts:
            file.seek(0)
            file.truncate()
            file.write(text)
            file.flush()
            found.append(", ".join(sorted({one.type for one in scan.scan_file(file.name)})))
    return found


def _by_kingfisher(texts: Sequence[str]) -> list[str]:
    """One scan of a folder with a file a text: nothing is validated, so nothing leaves the machine."""
    found = [set[str]() for _ in texts]
    with tempfile.TemporaryDirectory() as folder:
        for at, text in enumerate(texts):
            Path(folder, f"{at}.txt").write_bytes(text.encode("utf-8", "surrogatepass"))
        command = ["kingfisher", "scan", folder, "--no-validate", "--no-update-check", "--no-dedup", "--format", "json", "--confidence", "low"]  # fmt: skip
        # Its exit status says whether something was found.
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        # Lines of a summary may follow the report.
        for one in json.JSONDecoder().raw_decode(ran.stdout)[0]["findings"]:
            found[int(Path(one["finding"]["path"]).stem)].add(one["rule"]["name"])
    return [", ".join(sorted(names)) for names in found]


_SCANNERS = {"kingfisher": _by_kingfisher, "detect-secrets": _by_detect_secrets}


def second_opinion(judged: Sequence[Judged], scanner: str, most: int) -> None:
    """What another scanner, if it is installed, sees in the same texts: each disagreement is one to look at."""
    cells: Counter[tuple[str, bool, bool]] = Counter()
    alone: defaultdict[tuple[str, str], list[str]] = defaultdict(list)
    for one, theirs in zip(judged, _SCANNERS[scanner]([one.text for one in judged]), strict=True):
        name = f"{_group(one)}{', negatives' if one.ordinary and one.kind == 'credentials' else ''}"
        cells[name, one.redacted, bool(theirs)] += 1
        if theirs and not one.redacted:
            alone[name, theirs].append(one.text)
    print(
        f"\n## Beside {scanner}\n\n| kind | both | ours alone | theirs alone | neither |\n| --- | --- | --- | --- | --- |"
    )
    for name in sorted({name for name, _, _ in cells}):
        four = ((True, True), (True, False), (False, True), (False, False))
        print(f"| {name} | {' | '.join(str(cells[name, *cell]) for cell in four)} |")
    for (name, rule), texts in sorted(alone.items()):
        for text in texts[:most]:
            print(f"- theirs alone, {name}, {rule}: {json.dumps(text, ensure_ascii=False)[:300]}")
        if len(texts) > most:
            print(f"- theirs alone, {name}, {rule}: {len(texts) - most} more")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("corpus", type=Path, nargs="?", help="a file of JSON lines, gzipped or not")
    parser.add_argument(
        "--half", choices=("a", "b"), help="only the lines whose digest is even (a) or odd (b)"
    )
    parser.add_argument(
        "--misses", type=int, default=3, metavar="N", help="misses to show of a family (default 3)"
    )
    parser.add_argument(
        "--code", type=Path, nargs="+", default=[], metavar="DIR", help="folders of ordinary files"
    )
    parser.add_argument(
        "--second",
        choices=sorted(_SCANNERS),
        nargs="?",
        const="kingfisher",
        help="another scanner beside ours, if it is installed (default kingfisher)",
    )
    parser.add_argument(
        "--linear",
        type=int,
        nargs="?",
        const=40,
        metavar="N",
        help="time of ten times the length, with N mixtures; exit status 1 if it grows faster",
    )
    options = parser.parse_args()
    if options.corpus:
        judged = [judge(row) for row in lines(options.corpus, options.half)]
        overview(judged)
        attempts(judged)
        families(judged, options.misses)
        if options.second:
            second_opinion([one for one in judged if one.kind != "overrides"], options.second, options.misses)
    if options.code:
        code(options.code, options.misses * 100)
    if options.linear is not None and not linearity(options.linear):
        raise SystemExit("Time grows faster than length.")


if __name__ == "__main__":
    main()
