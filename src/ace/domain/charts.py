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
from collections.abc import Callable, Iterator, Sequence
from html import escape
from typing import Final, NamedTuple

from ace.domain.overview import StepView

__all__ = ["charts"]

_POINTS: Final = 50
"""The most points of a chart."""

_WIDTH, _HEIGHT = 360, 180
_LEFT, _RIGHT, _TOP, _BOTTOM = 38, 356, 10, 156

_OUTCOMES: Final = {
    "added": "added",
    "duplicate": "duplicates",
    "refused": "refused by a screen",
    "ignored": "ignored",
}


class _Chart(NamedTuple):
    """A chart: `told` is the sentence about it, `note` how its points come about, and `head` and `rows` are its table."""

    name: str
    title: str
    told: str
    note: str
    picture: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]


def charts(steps: Sequence[StepView]) -> str:
    """The charts of these steps as HTML: figures, and behind them their tables."""
    if not steps:
        return "<p>The log has no step yet.</p>"
    made = [_sizes(steps), _outcomes(steps)]
    scores = _scores(steps)
    figures = "".join(map(_figure, [*made, *scores]))
    if not scores:
        figures += "<figure><figcaption>Mean score of runs</figcaption><p>No run that was read has a score.</p></figure>"
    tables = "".join(map(_table, [*made, *scores]))
    return (
        f'<div class="charts">{figures}</div>\n'
        f'<details id="figures"><summary>The charts as tables</summary><div>{tables}</div></details>'
    )


# --- the three of them ----------------------------------------------------------------------------------------------


def _sizes(steps: Sequence[StepView]) -> _Chart:
    """How many lessons the playbook had."""
    groups = _groups(steps, _POINTS)
    sizes = [[one.size for one in group] for group in groups]
    spans = [_span(group[0], group[-1]) for group in groups]
    size, most = len(groups[0]), max(map(max, sizes))

    def drawn(at: _Place) -> Iterator[str]:
        line = [(at.x(index), at.y(group[-1])) for index, group in enumerate(sizes)]
        ends = [(line[-1][0], at.y(0)), (line[0][0], at.y(0))]
        yield _shape("area", [*line, *ends])
        if size > 1:
            lowest = [(at.x(index), at.y(min(group))) for index, group in enumerate(sizes)]
            highest = [(at.x(index), at.y(max(group))) for index, group in enumerate(sizes)]
            yield _shape("area", [*highest, *reversed(lowest)])
        yield from _curve(line)

    def tip(index: int) -> str:
        group = sizes[index]
        between = f", between {min(group):,} and {max(group):,} on the way" if min(group) < max(group) else ""
        return f"{spans[index]}: {_many(group[-1], 'lesson')}{between}"

    title = "Lessons in the playbook"
    told = f"{_many(steps[0].size, 'lesson')} after the first step, {steps[-1].size:,} after the last, {most:,} at most."
    note = f"Each point is {size:,} steps: the number after the last of them, and the range on the way." * (
        size > 1
    )
    return _Chart(
        name="size",
        title=title,
        told=told,
        note=note,
        picture=_picture(
            "size", title, told, steps, _ticks(0, most, whole=True), drawn, list(map(tip, range(len(groups))))
        ),
        head=("Steps", "Lessons", "Fewest", "Most") if size > 1 else ("Steps", "Lessons"),
        rows=[
            (span, *(f"{one:,}" for one in ((group[-1], min(group), max(group)) if size > 1 else group)))
            for span, group in zip(spans, sizes, strict=True)
        ],
    )


def _outcomes(steps: Sequence[StepView]) -> _Chart:
    """What became of the lessons that were proposed after a run; what a refused step proposed came to nothing, and is not counted."""
    groups = _groups(steps, _POINTS)
    counts = [
        {kind: sum(found.count(kind) for found in group) for kind in _OUTCOMES}
        for group in _groups([_proposed(step) for step in steps], _POINTS)
    ]
    totals = {kind: sum(one[kind] for one in counts) for kind in _OUTCOMES}
    spans = [_span(group[0], group[-1]) for group in groups]
    size = len(groups[0])

    def drawn(at: _Place) -> Iterator[str]:
        for index, one in enumerate(counts):
            below = 0
            for kind, number in one.items():
                if number:
                    top, bottom = at.y(below + number), at.y(below)
                    left, width = at.x(index) - 0.4 * at.width, 0.8 * at.width
                    yield _rectangle(kind, left, top, width, bottom - top)
                    below += number

    def tip(index: int) -> str:
        told = ", ".join(_counted(kind, number) for kind, number in counts[index].items() if number)
        return f"{spans[index]}: {told or 'nothing proposed'}"

    title = "What became of proposed lessons"
    told = ", ".join(_counted(kind, number) for kind, number in totals.items()) + "."
    most = max(1, *(sum(one.values()) for one in counts))
    picture = _picture(
        "outcomes", title, told, steps, _ticks(0, most, whole=True), drawn, list(map(tip, range(len(groups))))
    )
    keys = "".join(
        f'<li><svg viewBox="0 0 1 1" aria-hidden="true">{_rectangle(kind, 0, 0, 1, 1)}</svg>{words}</li>'
        for kind, words in _OUTCOMES.items()
    )
    return _Chart(
        name="outcomes",
        title=title,
        told=told,
        note=f"Each bar is {size:,} steps." * (size > 1),
        picture=f'{picture}<ul class="legend" aria-hidden="true">{keys}</ul>',
        head=("Steps", *_OUTCOMES.values()),
        rows=[
            (span, *(f"{one[kind]:,}" for kind in _OUTCOMES)) for span, one in zip(spans, counts, strict=True)
        ],
    )


def _proposed(step: StepView) -> list[str]:
    """What became of each lesson that the step proposed. One of a person's own comes from no run."""
    return [event.kind for event in step.events if event.run] if step.outcome == "committed" else []


def _many(number: int, word: str) -> str:
    return f"{number:,} {word}" if number == 1 else f"{number:,} {word}s"


def _counted(kind: str, number: int) -> str:
    return "1 duplicate" if (kind, number) == ("duplicate", 1) else f"{number:,} {_OUTCOMES[kind]}"


def _scores(steps: Sequence[StepView]) -> list[_Chart]:
    """The scores of the runs, if any has one. A score is often 0 or 1: a point of several runs tells more than a zigzag."""
    scored = [(step, run.score) for step in steps for run in step.runs if run.score is not None]
    if not scored:
        return []
    groups = _groups(scored, min(_POINTS // 2, max(7, math.ceil(len(scored) / 5))))
    means = [_mean([score for _, score in group]) for group in groups]
    spans = [_span(group[0][0], group[-1][0]) for group in groups]
    size = len(groups[0])

    def drawn(at: _Place) -> Iterator[str]:
        yield from _curve([(at.x(index), at.y(mean)) for index, mean in enumerate(means)])

    def tip(index: int) -> str:
        return f"{spans[index]}: mean {means[index]:.3g} of {_many(len(groups[index]), 'run')}"

    title = "Mean score of runs"
    told = (
        f"{_many(len(scored), 'run')} with a score, {_mean([score for _, score in scored]):.3g} on average; "
        f"{means[0]:.3g} at first, {means[-1]:.3g} at last."
    )
    ticks = _ticks(min(0, *means), max(1, *means))
    picture = _picture(
        "scores", title, told, [step for step, _ in scored], ticks, drawn, list(map(tip, range(len(groups))))
    )
    chart = _Chart(
        name="scores",
        title=title,
        told=told,
        note=f"Each point is the mean of {size:,} runs in the order in which they were read." * (size > 1),
        picture=picture,
        head=("Steps", "Runs with score", "Mean score"),
        rows=[
            (span, f"{len(group):,}", f"{mean:.3g}")
            for span, group, mean in zip(spans, groups, means, strict=True)
        ],
    )
    return [chart]


def _mean(scores: Sequence[float]) -> float:
    """Any finite number is a score: their sum need not be one."""
    return math.fsum(score / len(scores) for score in scores)


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
        self.width = (_RIGHT - _LEFT) / points
        self._low, self._high = ticks[0], ticks[-1]

    def x(self, index: int) -> float:
        return _LEFT + (index + 0.5) * self.width

    def y(self, value: float) -> float:
        # Halves, since the difference of two finite numbers need not be one.
        whole = self._high / 2 - self._low / 2
        return _BOTTOM - (_BOTTOM - _TOP) * ((value / 2 - self._low / 2) / whole if whole else 0.5)


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


def _picture(
    name: str,
    title: str,
    told: str,
    steps: Sequence[StepView],
    ticks: Sequence[float],
    drawn: Callable[[_Place], Iterator[str]],
    tips: Sequence[str],
) -> str:
    """A frame with a scale, what is drawn in it, and for each point a strip that says what is there under the pointer."""
    at = _Place(len(tips), ticks)
    parts = [
        f'<svg role="img" aria-labelledby="{name}-title {name}-told" viewBox="0 0 {_WIDTH} {_HEIGHT}">',
        f'<title id="{name}-title">{title}</title><desc id="{name}-told">{told}</desc>',
    ]
    for tick in ticks:
        height = _figure_of(at.y(tick))
        parts.append(f'<line class="grid" x1="{_LEFT}" x2="{_RIGHT}" y1="{height}" y2="{height}"/>')
        parts.append(
            f'<text x="{_LEFT - 6}" y="{_figure_of(at.y(tick) + 4)}" text-anchor="end">{_short(tick)}</text>'
        )
    parts.append(f'<text x="{_LEFT}" y="{_HEIGHT - 6}">{_told_step(steps[0])}</text>')
    if len(tips) > 1:
        parts.append(f'<text x="{_RIGHT}" y="{_HEIGHT - 6}" text-anchor="end">{_told_step(steps[-1])}</text>')
    parts += drawn(at)
    for index, tip in enumerate(tips):
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
        f'<p class="note" aria-hidden="true">{chart.told}</p>{chart.picture}{note}</figure>'
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
