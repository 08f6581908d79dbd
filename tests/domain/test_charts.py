"""The charts of a report: what they draw of any log, and that no text of the log gets into them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.domain.strategies import records

from ace.domain.charts import charts
from ace.domain.overview import Happened, RunView, StepView, overview_of
from ace.events.types import StepRecord


def step(
    seq: int, size: int, *scores: float, added: int = 0, time: str = "", outcome: str = "committed"
) -> StepView:
    """A step of so many lessons, with runs of these scores."""
    return StepView(
        seq=seq,
        step=seq,
        time=time,
        record="",
        outcome=outcome,
        reason="",
        told="",
        size=size,
        waits=False,
        runs=tuple(RunView("r", score, "", "", "") for score in scores),
        skipped=(),
        events=(Happened("added", "", "r", ""),) * added,
    )


def drawn(steps: Sequence[StepView]) -> ElementTree.Element:
    """The charts, as a parser of XML reads them: what it takes is well-formed."""
    return ElementTree.fromstring(f"<div>{charts(steps)}</div>")  # noqa: S314 - the text is ours


def table(steps: Sequence[StepView], number: int) -> list[list[str]]:
    """The rows of a chart's table."""
    body = drawn(steps).findall(".//tbody")[number]
    return [[cell.text or "" for cell in row] for row in body]


@given(st.lists(records, max_size=4))
def test_no_text_of_a_log_is_in_them(log: list[StepRecord]) -> None:
    """For any texts: the charts are those of a log that has none, beside numbers and dates."""
    steps = overview_of(log, name="", made="", max_bullets=1).steps
    bare = [
        replace(
            one,
            time="2026-11-02T",
            runs=tuple(RunView("", run.score, "", "", "", run.again) for run in one.runs),
            events=tuple(Happened(event.kind, "", "r" if event.run else "", "") for event in one.events),
            **dict.fromkeys(("record", "reason", "told"), ""),
        )
        for one in steps
    ]
    odd = [replace(one, time="2026-11-02T<b>", told="<b>", record="<b>", reason="<b>") for one in steps]
    assert charts(odd) == charts(bare)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 300),
            st.lists(st.floats(allow_nan=False, allow_infinity=False), max_size=3),
            st.integers(0, 5),
        ),
        min_size=1,
        max_size=180,
    )
)
def test_each_chart_fits_its_frame_and_adds_up(given_steps: list[tuple[int, list[float], int]]) -> None:
    """For any numbers, each place is a number inside of the frame, there are at most fifty points, and the tables' sums are the log's."""
    steps = [
        step(seq, size, *scores, added=added) for seq, (size, scores, added) in enumerate(given_steps, 1)
    ]
    page = drawn(steps)
    for name, highest in [
        ("x", 360),
        ("x1", 360),
        ("x2", 360),
        ("cx", 360),
        ("y", 180),
        ("y1", 180),
        ("cy", 180),
    ]:
        assert all(-10 <= float(one.get(name, 0)) <= highest for one in page.iter())
    for one in page.iter():
        for place in one.get("points", "").split():
            x, y = map(float, place.split(","))
            assert 0 <= x <= 360
            assert 0 <= y <= 180
    rows = [one.findall(".//tbody/tr") for one in page.findall(".//table")]
    assert all(len(found) <= 50 for found in rows)
    assert sum(int(row[1]) for row in table(steps, 1)) == sum(added for _, _, added in given_steps)
    scored = [score for _, scores, _ in given_steps for score in scores]
    if scored:
        assert sum(int(row[1]) for row in table(steps, 2)) == len(scored)
        assert not any(row[2] in ("inf", "-inf", "nan") for row in table(steps, 2))


def test_a_run_of_which_the_curator_alone_was_asked_counts_once() -> None:
    """Its score is that of the line which read it."""
    again = replace(step(2, 1), runs=(RunView("r", 1.0, "", "", "", again=True),))
    assert table([step(1, 1, 0.0, 1.0), again], 2) == [["step 1", "1", "0"], ["step 1", "1", "1"]]


def test_steps_that_share_a_point() -> None:
    """A chart of many steps says how many are one point; the smallest and the largest number on the way are not lost."""
    steps = [step(seq, 90 if seq == 50 else 10, added=1) for seq in range(1, 121)]
    page = "".join(drawn(steps).itertext())
    assert "Each point is 3 steps: the number after the last of them, and the range on the way." in page
    assert "Each bar is 3 steps." in page
    assert table(steps, 0)[16] == ["steps 49 to 51", "10", "10", "90"]
    assert "steps 49 to 51: 10 lessons, between 10 and 90 on the way" in page
    assert table(steps, 1)[16][:2] == ["steps 49 to 51", "3"]
    many = "".join(drawn([step(seq, 1_200, 0.5) for seq in range(1, 1_201)]).itertext())
    assert "1,200 lessons after the first step" in many
    assert "1,200 runs with a score" in many
    assert "Each" not in "".join(drawn(steps[:50]).itertext())


def test_what_a_refused_step_proposed_is_not_counted() -> None:
    """It came to nothing; and a person's own lesson was not proposed."""
    mine = replace(step(3, 2), events=(Happened("added", "", "", "ace-00002"),))
    assert table([step(1, 1, added=1), mine], 1)[1] == ["step 3", "0", "0", "0", "0"]
    assert table([step(1, 0, added=3, outcome="refused"), step(2, 1, added=1)], 1) == [
        ["step 1", "0", "0", "0", "0"],
        ["step 2", "1", "0", "0", "0"],
    ]


@pytest.mark.parametrize(
    ("scores", "labels"),
    [
        ([0, 1, 0.5], ["0", "0.5", "1"]),
        ([0, 30_000], ["0", "10k", "20k", "30k"]),
        ([-1, 1], ["-1", "-0.5", "0", "0.5", "1"]),
        ([1e308, -1e308], ["-1e+308", "1e+308"]),
    ],
)
def test_the_scale(scores: list[float], labels: list[str]) -> None:
    """It has round numbers, from the least to the most."""
    picture = drawn([step(1, 1, *scores)]).findall(".//svg[@role='img']")[2]
    found: list[Any] = [one.text for one in picture.findall("text") if one.get("text-anchor") == "end"]
    assert [one for one in found if not one.startswith("step")] == labels


def test_dates_stand_beside_the_first_and_the_last_step() -> None:
    """Where the log has them."""
    steps = [step(1, 1, time="2026-11-02T08:00:00Z"), step(2, 1, time="day 2")]
    text = "".join(drawn(steps).itertext())
    assert "step 1, 2026-11-02" in text
    assert "day" not in text
    assert "No run that was read has a score." in text
    assert charts([]) == "<p>The log has no step yet.</p>"
