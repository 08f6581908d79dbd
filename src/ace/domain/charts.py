"""The history over time, as charts in SVG: they need no script, follow the page's theme, and can be printed.

They are made of numbers and dates alone: no text of a run or of a lesson gets into them. Each says in a sentence what it shows, and
has its numbers in a table, for those who do not see it. Colours are classes of the page's style.

A log may have more steps than a chart has room for. Then neighbours share a point, the same number of them in each (the last may have
fewer), and the chart says how many. What is counted is summed up; of sizes the last one is drawn, and a band from the smallest to the
largest; of scores the mean.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from statistics import mean
from typing import Final, NamedTuple

from ace.domain.overview import StepView

__all__ = ["charts"]

_POINTS: Final = 50
"""The most points of a chart."""

_WIDTH, _HEIGHT = 360, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 356, 10, 156

_SCORES: Final = "Mean score of runs"

_OUTCOMES: Final = {
    "added": "added",
    "duplicate": "duplicates",
    "refused": "refused by a screen",
    "ignored": "ignored",
}


class _Chart(NamedTuple):
    """A chart. `told` is the sentence about it, and `note` how its points come about; `marks` are drawn in the frame of `place`, from
    step `first` to step `last`; `tips` say for each point what is there, and `head` and `rows` are its table.
    """

    name: str
    title: str
    told: str
    note: str
    place: _Place
    marks: Sequence[str]
    first: StepView
    last: StepView
    tips: Sequence[str]
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    legend: str = ""


def charts(steps: Sequence[StepView]) -> str:
    """The charts of these steps as HTML: figures, and behind them their tables."""
    if not steps:
        return "<p>The log has no step yet.</p>"
    made = [_sizes(steps), _outcomes(steps)]
    scored = [
        (step, run.score) for step in steps for run in step.runs if run.score is not None and not run.again
    ]
    if scored:
        made.append(_scores(scored))
    figures = "".join(map(_figure, made))
    if not scored:
        figures += (
            f"<figure><figcaption>{_SCORES}</figcaption><p>No run that was read has a score.</p></figure>"
        )
    tables = "".join(map(_table, made))
    return (
        f'<div class="charts">{figures}</div>\n'
        f'<details id="figures"><summary>The charts as tables</summary><div>{tables}</div></details>'
    )


# --- the three of them ----------------------------------------------------------------------------------------------


def _sizes(steps: Sequence[StepView]) -> _Chart:
    """How many lessons the playbook had."""
    groups = _groups(steps, _POINTS)
    spans, size = [_span(group[0], group[-1]) for group in groups], len(groups[0])
    last = [group[-1].size for group in groups]
    lowest = [min(one.size for one in group) for group in groups]
    highest = [max(one.size for one in group) for group in groups]
    at = _Place(len(groups), _ticks(0, max(highest), whole=True))
    curve = at.points(last)
    marks = [_shape("area", [*curve, (curve[-1][0], at.y(0)), (curve[0][0], at.y(0))])]
    if size > 1:
        marks.append(_shape("area", [*at.points(highest), *reversed(at.points(lowest))]))
    marks += _curve(curve)
    head: tuple[str, ...] = ("Steps", "Lessons")
    rows: list[tuple[str, ...]] = [(span, f"{number:,}") for span, number in zip(spans, last, strict=True)]
    tips = [f"{span}: {_many(number, 'lesson')}" for span, number in zip(spans, last, strict=True)]
    note = ""
    if size > 1:
        between = list(zip(lowest, highest, strict=True))
        head = (*head, "Fewest", "Most")
        rows = [(*row, f"{low:,}", f"{high:,}") for row, (low, high) in zip(rows, between, strict=True)]
        tips = [
            f"{tip}, between {low:,} and {high:,} on the way" if low < high else tip
            for tip, (low, high) in zip(tips, between, strict=True)
        ]
        note = f"Each point is {size:,} steps: the number after the last of them, and the range on the way."
    return _Chart(
        name="size",
        title="Lessons in the playbook",
        told=f"{_many(steps[0].size, 'lesson')} after the first step, {steps[-1].size:,} after the last, "
        f"{max(highest):,} at most.",
        note=note,
        place=at,
        marks=marks,
        first=steps[0],
        last=steps[-1],
        tips=tips,
        head=head,
        rows=rows,
    )


def _outcomes(steps: Sequence[StepView]) -> _Chart:
    """What became of the lessons that were proposed after a run; what a refused step proposed came to nothing, and is not counted."""
    groups = _groups(steps, _POINTS)
    spans, size = [_span(group[0], group[-1]) for group in groups], len(groups[0])
    counts = [Counter(kind for step in group for kind in _proposed(step)) for group in groups]
    at = _Place(len(groups), _ticks(0, max(1, *(one.total() for one in counts)), whole=True))
    marks: list[str] = []
    for index, count in enumerate(counts):
        below = 0
        for kind in filter(count.get, _OUTCOMES):
            top, bottom = at.y(below + count[kind]), at.y(below)
            marks.append(_rectangle(kind, at.x(index) - 0.4 * at.width, top, 0.8 * at.width, bottom - top))
            below += count[kind]
    told = [", ".join(_counted(kind, one[kind]) for kind in _OUTCOMES if one[kind]) for one in counts]
    total = sum(counts, Counter[str]())
    keys = "".join(
        f'<li><svg viewBox="0 0 1 1" aria-hidden="true">{_rectangle(kind, 0, 0, 1, 1)}</svg>{words}</li>'
        for kind, words in _OUTCOMES.items()
    )
    return _Chart(
        name="outcomes",
        title="What became of proposed lessons",
        told=", ".join(_counted(kind, total[kind]) for kind in _OUTCOMES) + ".",
        note=f"Each bar is {size:,} steps." if size > 1 else "",
        place=at,
        marks=marks,
        first=steps[0],
        last=steps[-1],
        tips=[f"{span}: {one or 'nothing proposed'}" for span, one in zip(spans, told, strict=True)],
        head=("Steps", *_OUTCOMES.values()),
        rows=[
            (span, *(f"{one[kind]:,}" for kind in _OUTCOMES)) for span, one in zip(spans, counts, strict=True)
        ],
        legend=f'<ul class="legend" aria-hidden="true">{keys}</ul>',
    )


def _proposed(step: StepView) -> Iterator[str]:
    """What became of each lesson that the step proposed. One of a person's own comes from no run."""
    if step.outcome == "committed":
        yield from (event.kind for event in step.events if event.run and event.kind in _OUTCOMES)


def _counted(kind: str, number: int) -> str:
    return "1 duplicate" if (kind, number) == ("duplicate", 1) else f"{number:,} {_OUTCOMES[kind]}"


def _scores(scored: Sequence[tuple[StepView, float]]) -> _Chart:
    """The scores of the runs, each with its step. A score is often 0 or 1: a point of several runs tells more than a zigzag."""
    groups = _groups(scored, min(_POINTS // 2, max(7, math.ceil(len(scored) / 5))))
    spans, size = [_span(group[0][0], group[-1][0]) for group in groups], len(groups[0])
    # The mean is exact: the sum of finite numbers need not be one.
    means = [mean([score for _, score in group]) for group in groups]
    counted = list(zip(spans, groups, means, strict=True))
    at = _Place(len(groups), _ticks(min(0, *means), max(1, *means)))
    return _Chart(
        name="scores",
        title=_SCORES,
        told=f"{_many(len(scored), 'run')} with a score, {mean([score for _, score in scored]):.3g} on average; "
        f"{means[0]:.3g} at first, {means[-1]:.3g} at last.",
        note=f"Each point is the mean of {size:,} runs in the order in which they were read."
        if size > 1
        else "",
        place=at,
        marks=list(_curve(at.points(means))),
        first=scored[0][0],
        last=scored[-1][0],
        tips=[f"{span}: mean {score:.3g} of {_many(len(group), 'run')}" for span, group, score in counted],
        head=("Steps", "Runs with score", "Mean score"),
        rows=[(span, f"{len(group):,}", f"{score:.3g}") for span, group, score in counted],
    )


def _groups[T](items: Sequence[T], most: int) -> list[Sequence[T]]:
    """The items in at most so many groups of neighbours."""
    size = math.ceil(len(items) / most)
    return [items[start : start + size] for start in range(0, len(items), size)]


def _span(first: StepView, last: StepView) -> str:
    return f"step {first.seq:,}" if first.seq == last.seq else f"steps {first.seq:,} to {last.seq:,}"


# --- drawing --------------------------------------------------------------------------------------------------------


class _Place:
    """Where things are in a picture: `x` is the middle of a point, by its index, and `y` the height of a value."""

    def __init__(self, points: int, ticks: Sequence[float]) -> None:
        self.ticks = ticks
        self.width = (_RIGHT - _LEFT) / points

    def x(self, index: int) -> float:
        return _LEFT + (index + 0.5) * self.width

    def y(self, value: float) -> float:
        # Halves, since the difference of two finite numbers need not be one; and a share before it is stretched.
        low, high = self.ticks[0] / 2, self.ticks[-1] / 2
        return _BOTTOM - (_BOTTOM - _TOP) * ((value / 2 - low) / (high - low))

    def points(self, values: Sequence[float]) -> list[tuple[float, float]]:
        return [(self.x(index), self.y(value)) for index, value in enumerate(values)]


def _ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Round numbers from `low` or below to `high` or above, some four steps apart; whole ones if it is asked."""
    high = max(high, low + 1)
    if not math.isfinite(high - low):
        return [low, high]
    unit = 10.0 ** math.floor(math.log10((high - low) / 4))
    step = next(unit * times for times in (1, 2, 5, 10) if (high - low) / (unit * times) <= 4)
    step = max(1, step) if whole else step
    ticks = [step * number for number in range(math.floor(low / step), math.ceil(high / step) + 1)]
    return ticks if all(map(math.isfinite, ticks)) else [low, high]


def _picture(chart: _Chart) -> str:
    """A frame with a scale, what is drawn in it, and for each point a strip that says what is there under the pointer."""
    at, name = chart.place, chart.name
    parts = [
        f'<svg role="img" aria-labelledby="{name}-title {name}-told" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        f'<title id="{name}-title">{chart.title}</title><desc id="{name}-told">{chart.told}</desc>',
    ]
    for tick in at.ticks:
        y = _figure_of(at.y(tick))
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{y}" y2="{y}"/>')
        parts.append(f'<text x="{_LEFT - 6}" y="{y}" dy="4" text-anchor="end">{_short(tick)}</text>')
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 6}">{_told_step(chart.first)}</text>')
    if len(chart.tips) > 1:
        parts.append(
            f'<text x="{_RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">{_told_step(chart.last)}</text>'
        )
    parts += chart.marks
    for index, tip in enumerate(chart.tips):
        strip = _rectangle("hit", at.x(index) - at.width / 2, _TOP, at.width, _BOTTOM - _TOP)
        parts.append(f"{strip.removesuffix('/>')}><title>{tip}</title></rect>")
    return "".join(parts) + "</svg>"


def _curve(line: Sequence[tuple[float, float]]) -> Iterator[str]:
    """A line, with a dot for each point where there is room."""
    yield _shape("curve", line)
    if len(line) <= 30:
        yield from (
            f'<circle class="dot" cx="{_figure_of(x)}" cy="{_figure_of(y)}" r="2.5"/>' for x, y in line
        )


def _shape(name: str, points: Sequence[tuple[float, float]]) -> str:
    tag = "polyline" if name == "curve" else "polygon"
    places = " ".join(f"{_figure_of(x)},{_figure_of(y)}" for x, y in points)
    return f'<{tag} class="{name}" points="{places}"/>'


def _rectangle(name: str, x: float, y: float, width: float, height: float) -> str:
    numbers = {"x": x, "y": y, "width": width, "height": height}
    return f'<rect class="{name}"{"".join(f' {key}="{_figure_of(number)}"' for key, number in numbers.items())}/>'


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _figure_of(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


def _short(number: float) -> str:
    return (
        f"{number / 1000:g}k"
        if 10_000 <= number < 1_000_000
        else f"{number:.3g}"
        if number % 1
        else f"{number:,.6g}"
    )


_DATE = re.compile(r"\d{4}-\d\d-\d\d(?=T)", re.ASCII)


def _told_step(step: StepView) -> str:
    date = _DATE.match(step.time)
    return f"step {step.seq:,}" + (f", {date[0]}" if date else "")


# --- HTML -----------------------------------------------------------------------------------------------------------


def _figure(chart: _Chart) -> str:
    note = f'<p class="note">{chart.note}</p>' if chart.note else ""
    return (
        f'<figure id="chart-{chart.name}"><figcaption>{chart.title}</figcaption>'
        f'<p class="note" aria-hidden="true">{chart.told}</p>{_picture(chart)}{chart.legend}{note}</figure>'
    )


def _table(chart: _Chart) -> str:
    head = "".join(f'<th scope="col">{escape(one)}</th>' for one in chart.head)
    rows = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{one}</td>" for one in rest)}</tr>'
        for first, *rest in chart.rows
    )
    return (
        f'<div class="scroll"><table><caption>{chart.title}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )
