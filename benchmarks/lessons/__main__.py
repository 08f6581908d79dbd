"""`PYTHONPATH=benchmarks python -m lessons COMMAND`: see README.md beside this file."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import msgspec

from ace.adapters.models import OpenAIModel, RecordedModel, encode, load_calls
from ace.adapters.traces import read_traces
from ace.domain.trace import is_run
from ace.ports import Model
from lessons.judging import Judgement, Key, Plan, sheet_of, table
from lessons.play import Played, play, runs_of, written
from lessons.sets import open_set
from lessons.similar import Label, figures, sample
from lessons.small import HEAD, ask, told

HERE = Path(__file__).parent


def main() -> int:
    parser = argparse.ArgumentParser(prog="lessons", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("play", help="play a set of prompts on runs")
    one.add_argument("name", help="what the set is called in the table")
    one.add_argument("prompts", type=Path, help="a folder with two prompts, or a checkout of ace-agent/ace")
    one.add_argument("runs", type=Path, help="a file of recorded runs")
    one.add_argument(
        "--plan", type=Path, default=HERE / "plan.json", help="default: plan.json beside this file"
    )
    one.add_argument("--played", type=Path, default=HERE / "played", help="where replies and outcomes are")
    one.add_argument(
        "--base-url", default="", help="ask an endpoint; else replies come from PLAYED/NAME/calls.json"
    )
    one.add_argument("--model", default="", help="the endpoint's model")
    two = commands.add_parser("sheet", help="write a blind sheet and its key")
    two.add_argument("names", nargs="+", help="sets that were played")
    two.add_argument("--seed", type=int, required=True)
    two.add_argument("--played", type=Path, default=HERE / "played")
    two.add_argument(
        "--judged", type=Path, default=HERE / "judged", help="where sheets, keys and judgements are"
    )
    three = commands.add_parser("table", help="compute the table from what was judged")
    three.add_argument("names", nargs="+", help="sets that were played, in the order of columns")
    three.add_argument("--plan", type=Path, default=HERE / "plan.json")
    three.add_argument("--played", type=Path, default=HERE / "played")
    three.add_argument("--judged", type=Path, default=HERE / "judged")
    four = commands.add_parser("small", help="measure a small model's replies")
    four.add_argument("runs", type=Path, help="a file of recorded runs")
    four.add_argument("--base-url", default="", help="the endpoint")
    four.add_argument(
        "--replies", type=Path, help="measure replies again that --out wrote, instead of asking"
    )
    four.add_argument("--model", required=True)
    four.add_argument("--calls", type=int, default=50, help="the most calls (50)")
    four.add_argument("--max-tokens", type=int, default=1_000, help="the most tokens of a reply (1,000)")
    four.add_argument("--characters", type=int, default=8_000, help="the most characters of a run (8,000)")
    four.add_argument("--lengths", action="store_true", help="put maxLength into the schema")
    four.add_argument("--timeout", type=float, default=900)
    four.add_argument("--out", type=Path, help="where the calls are written")
    five = commands.add_parser("similar", help="how often two lessons that are called alike are one")
    five.add_argument("lessons", type=Path, help="a file with a lesson a line")
    five.add_argument("--labels", type=Path, default=HERE / "similar-labels.json")
    five.add_argument(
        "--sample", type=int, default=0, help="print so many pairs of each share to be labelled"
    )
    options = parser.parse_args()
    return {"play": _play, "sheet": _sheet, "table": _table, "small": _small, "similar": _similar}[
        options.command
    ](options)


def _play(options: argparse.Namespace) -> int:
    plan = msgspec.json.decode(options.plan.read_bytes(), type=Plan)
    folder = options.played / options.name
    runs = runs_of(options.runs, plan.learn)
    played = play(
        options.name, open_set(options.prompts), runs, folder / "calls.json", options.base_url, options.model
    )
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "lessons.json").write_text(written(played), encoding="utf-8")
    told = f"{played.set}: {played.read} of {played.runs} runs read, {len(played.lessons)} lessons"
    print(told + (f"; stopped: {played.missing}" if played.missing else ""))
    return 1 if played.missing else 0


def _small(options: argparse.Namespace) -> int:
    model: Model = OpenAIModel(
        options.model, base_url=options.base_url, timeout_s=options.timeout, max_tokens=options.max_tokens
    )
    if options.replies is not None:
        model = RecordedModel(load_calls(options.replies))
    runs = [trace for trace in read_traces(options.runs).traces if is_run(trace)]
    calls, events = ask(model, runs, options.calls, options.characters, lengths=options.lengths)
    if options.out is not None:
        # Without the prompts: they follow from the runs.
        options.out.write_bytes(encode([msgspec.structs.replace(call, prompt=None) for call in calls]))
    print(f"{HEAD}\n{told(options.model, calls, events)}")
    return 0


def _similar(options: argparse.Namespace) -> int:
    lessons = [line for line in options.lessons.read_text(encoding="utf-8").split("\n") if line]
    if options.sample:
        print(sample(lessons, options.sample, seed=1))
        return 0
    print(figures(lessons, msgspec.json.decode(options.labels.read_bytes(), type=list[Label])), end="")
    return 0


def _texts(options: argparse.Namespace, name: str) -> list[str]:
    file = options.played / name / "lessons.json"
    played = msgspec.json.decode(file.read_bytes(), type=Played)
    return [text for _, text in played.lessons]


def _sheet(options: argparse.Namespace) -> int:
    sheet, key = sheet_of({name: _texts(options, name) for name in options.names}, options.seed)
    folder = options.judged / str(options.seed)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "sheet.md").write_text(sheet, encoding="utf-8")
    (folder / "key.json").write_text(
        json.dumps(msgspec.to_builtins(key), ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
    )
    print(f"{folder}/sheet.md is for the judge, with judge.md; {folder}/key.json is not")
    return 0


def _table(options: argparse.Namespace) -> int:
    plan = msgspec.json.decode(options.plan.read_bytes(), type=Plan)
    judged: list[tuple[Key, Judgement]] = []
    for folder in sorted(options.judged.iterdir(), key=lambda folder: folder.name):
        key = msgspec.json.decode((folder / "key.json").read_bytes(), type=Key)
        files = sorted(folder.glob("judgement*.json"))
        judged += [(key, msgspec.json.decode(file.read_bytes(), type=Judgement)) for file in files]
    print(table({name: _texts(options, name) for name in options.names}, judged, plan))
    for key, judgement in judged:
        print(f"judged by {judgement.model} (seed {key.seed}): {judgement.notes}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
