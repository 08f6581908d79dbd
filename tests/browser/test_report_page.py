"""The report in a real browser: texts stay texts, filters work, nothing is loaded, and it can be used in either theme, at any
width, and with the keyboard alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from msgspec.structs import replace
from tests.domain.given import SECTION, bullet
from tests.domain.test_evidence import line

from ace.domain.evidence import NO_PROOF
from ace.domain.overview import overview_of
from ace.domain.playbook import Playbook, fold_records
from ace.events.types import (
    BulletAdded,
    Capped,
    DuplicateRejected,
    Event,
    OperationIgnored,
    PlaybookRestored,
    Pruned,
    Refused,
    Removed,
    Reworded,
    RunRead,
    RunSkipped,
    StepRecord,
    TagCounted,
)
from ace.reporting import page as report_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    type Tab = Page

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>window.pwned = 1</script>",
    "</script><script>window.pwned = 2</script>",
    "<!--<script>",
    '<img src="x" onerror="window.pwned = 3">',
    "<svg onload='window.pwned = 4'>",
    "<iframe srcdoc='<script>top.pwned = 5</script>'></iframe>",
    "<style>* { display: none !important }</style>",
    "\"'><a href='javascript:window.pwned = 6'>a</a>",
    "${window.pwned = 7} {{data}} %s &lt;b&gt; &amp;",
    "\u2028window.pwned = 8\u2029 \u202e reversed",
    "__proto__",
)


def lesson(number: int, text: str, section: str = SECTION, run: str = "a") -> BulletAdded:
    """An ADD that became the bullet of this number."""
    return BulletAdded(run, 0, f"ace-{number:05d}", section, text, 1)


def read(run: str, score: float | None, had: str = "", task: str = "Fix the test.") -> RunRead:
    """A run that was read."""
    return RunRead(run, score, task, f"Insight of {run}.", "used", task_digest=run, had=had)


LOG = [
    line(1, lesson(1, "Read the failing test first."), read("run-1", 0.0), block="b1"),
    line(
        2,
        lesson(2, "Quote the heredoc's delimiter.", "Code and commands", "run-2"),
        Refused("run-2", 1, "a credential"),
        DuplicateRejected("run-2", 2, "ace-00001", 0),
        OperationIgnored("run-2", 3, "it has no text"),
        read("run-2", 0.25, "b1"),
        block="b2",
    ),
    line(
        3,
        TagCounted("run-3", 0, "ace-00001", "helpful"),
        TagCounted("run-3", 1, "ace-00002", "harmful"),
        lesson(3, "Count the rows before and after.", "Code and commands", "run-3"),
        read("run-3", 1.0, "b2"),
        RunSkipped("run-4", "unusable reply", "no JSON"),
        block="b3",
    ),
    line(4, lesson(4, "Never in force."), read("run-5", 1.0), outcome="refused", block="b3"),
    line(5, Pruned("ace-00002", "Code and commands", "Quote the heredoc's delimiter.", 0, 2), block="b5"),
    line(
        6,
        Reworded("ace-00003", "Count the rows before and after.", "Count rows twice.", "person", "shorter"),
        block="b6",
    ),
    line(
        7,
        PlaybookRestored("reverted 6", 5, (bullet(1, "Read the failing test first.", helpful=1),)),
        block="b7",
    ),
]


@pytest.fixture
def seen() -> list[str]:
    """What the page did that no page should: messages, errors, requests, dialogs."""
    return []


@pytest.fixture
def tab(browser: Browser, seen: list[str]) -> Iterator[Tab]:
    """A tab of a wide window, of which nothing odd is seen by the end of the test."""
    context = browser.new_context(
        viewport={"width": 1100, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    tab = context.new_page()
    tab.on("console", lambda message: seen.append(f"{message.type}: {message.text}"))
    tab.on("pageerror", lambda error: seen.append(f"error: {error}"))
    tab.on("dialog", lambda dialog: seen.append(f"dialog: {dialog.message}"))
    tab.on(
        "request",
        lambda request: (
            seen.append(f"request: {request.url}") if not request.is_navigation_request() else None
        ),
    )
    tab.on("popup", lambda popup: seen.append(f"popup: {popup.url}"))
    yield tab
    context.close()
    assert seen == []


def show(tab: Tab, tmp_path: Path, log: list[StepRecord], *, at: str = "", max_bullets: int = 100) -> None:
    """Open the report of a log."""
    path = tmp_path / "report.html"
    path.write_bytes(
        report_page(overview_of(log, name="shop", made="2026-12-02T10:00:00.000Z", max_bullets=max_bullets))
    )
    tab.goto(path.as_uri() + at)


def ids(tab: Tab) -> list[str]:
    """The lessons in the list."""
    return tab.locator("#lesson-list > details .id").all_inner_texts()


def steps(tab: Tab) -> list[str]:
    """The steps in the list."""
    return tab.locator("#step-list > details strong").all_inner_texts()


def filled(tab: Tab) -> None:
    """Wait until everything that is open holds what it is to hold: the browser tells of the opening a moment later."""
    # By a selector: a function would be evaluated in the page, which its policy forbids.
    tab.wait_for_selector("details[open] > summary:only-child", state="detached")


def open_all(tab: Tab) -> None:
    """Open everything that can be opened."""
    tab.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    filled(tab)


def test_scripts_in_texts_do_nothing(tab: Tab, tmp_path: Path) -> None:
    """Given markup in every text that a log has, then all of it is shown as it is, and none of it becomes an element."""
    log = []
    for number, text in enumerate(HOSTILE, 1):
        events: list[Event] = [
            lesson(number, text, text, text),
            RunRead(text, 1.0, text, text, "failed call", text, task_digest=text),
            RunSkipped(text, "failed call", text),
            Refused(text, 1, text),
            TagCounted(text, 0, f"ace-{number:05d}", "helpful"),
        ]
        log.append(line(number, *events))
    odd = [BulletAdded("a", 0, name, text, text, 1) for name, text in zip(HOSTILE, HOSTILE, strict=True)]
    refused = line(len(log) + 1, *odd, outcome="refused")
    log += [refused, line(len(log) + 2, *odd)]
    show(tab, tmp_path, log)
    tab.select_option("#lesson-state", "all")
    open_all(tab)
    assert tab.evaluate("window.pwned") is None
    assert tab.evaluate("document.querySelectorAll('img, iframe, object, embed, link, base').length") == 0
    assert tab.evaluate("document.querySelectorAll('script').length") == 2
    assert tab.evaluate("document.querySelectorAll('style').length") == 1
    assert tab.evaluate(
        "[...document.querySelectorAll('a')].every((a) => a.getAttribute('href').startsWith('#'))"
    )
    texts = tab.locator("#lesson-list .text").evaluate_all("(all) => all.map((one) => one.textContent)")
    assert sorted(texts) == sorted(2 * HOSTILE)
    for link in tab.locator("#step-list a").all()[:4]:
        link.click()
    assert tab.evaluate("window.pwned") is None


def test_lessons_are_filtered_and_ordered(tab: Tab, tmp_path: Path) -> None:
    """By words, state and section; how many there are is told, and a search looks into stories, too."""
    show(tab, tmp_path, LOG)
    assert ids(tab) == ["ace-00001"]
    assert tab.inner_text("#lesson-count") == "1 lesson."
    tab.get_by_label("Show").first.select_option("no longer there")
    assert ids(tab) == ["ace-00002", "ace-00003"]
    tab.select_option("#lesson-state", "all")
    tab.select_option("#lesson-section", label="Code and commands")
    assert ids(tab) == ["ace-00002", "ace-00003"]
    tab.fill("#lesson-words", "HEREDOC quote")
    assert ids(tab) == ["ace-00002"]
    tab.fill("#lesson-words", "shorter")
    assert ids(tab) == ["ace-00003"]
    tab.fill("#lesson-words", "nowhere")
    assert ids(tab) == []
    assert tab.inner_text("#lesson-count") == "0 lessons."
    tab.fill("#lesson-words", "")
    tab.select_option("#lesson-section", "")
    tab.select_option("#lesson-order", "harmful")
    assert ids(tab) == ["ace-00002", "ace-00003", "ace-00001"]
    tab.select_option("#lesson-order", "used")
    assert ids(tab)[-1] == "ace-00003"


def test_lessons_by_what_they_lack(tab: Tab, tmp_path: Path) -> None:
    """Those that no run tagged, and those that the cap would take next."""
    show(tab, tmp_path, LOG[:4], max_bullets=3)
    tab.select_option("#lesson-state", "untagged")
    assert ids(tab) == ["ace-00003"]
    tab.select_option("#lesson-state", "cap")
    assert ids(tab) == ["ace-00002"]
    tab.select_option("#lesson-state", "harmful")
    assert ids(tab) == ["ace-00002"]


def test_what_waits_for_a_review(tab: Tab, tmp_path: Path) -> None:
    """It is marked, at lessons and at steps, and can be asked for; the head counts it."""
    waiting = replace(
        line(8, lesson(5, "Ask first."), Capped("ace-00001", SECTION, "Read the failing test first.", 1, 0)),
        v=2,
        accepted="0" * 64,
    )
    show(tab, tmp_path, [*LOG, waiting])
    assert "2 lessons wait for a review." in tab.inner_text("#about")
    tab.select_option("#lesson-state", "waiting")
    assert ids(tab) == ["ace-00001", "ace-00005"]
    marks = tab.locator("#lesson-list .badge").all_inner_texts()
    assert [one for one in marks if "review" in one] == [
        "still in the rules, until a review",
        "waits for a review",
    ]
    tab.select_option("#step-state", "waiting")
    assert steps(tab) == ["Step 8"]
    open_all(tab)
    assert "The rules do not show it before somebody accepts it." in tab.inner_text("#lesson-list")
    assert "After it something waits for a review" in tab.inner_text("#step-list")
    show(tab, tmp_path, LOG)
    assert "review" not in tab.inner_text("#about")


def test_a_lesson_with_its_story_and_evidence(tab: Tab, tmp_path: Path) -> None:
    """What brought it, what runs said of it, the runs with and without it, and that this proves nothing."""
    show(tab, tmp_path, LOG, at="#lesson:ace-00002")
    tab.wait_for_selector("summary:focus")
    filled(tab)
    told = tab.inner_text("[id='lesson:ace-00002']")
    rows = tab.locator("[id='lesson:ace-00002'] table tr").all_inner_texts()
    assert [row.split("\t") for row in rows[1:]] == [
        ["had this lesson", "1", "1", "1"],
        ["had it not", "1", "1", "0.25"],
    ]
    for words in (
        NO_PROOF,
        "step 2",
        "harmful for run-3",
        "Run run-3, score 1",
        "Insight of run-3.",
        "1 tag, from runs of 1 task",
    ):
        assert words in told
    assert tab.evaluate("document.activeElement.closest('details').id") == "lesson:ace-00002"
    tab.evaluate("location.hash = '#lesson:ace-00003'")
    tab.wait_for_selector("[id='lesson:ace-00003'][open]")
    filled(tab)
    assert "reverted 6: the playbook is now 1 bullet" in tab.inner_text("[id='lesson:ace-00003']")


def test_steps_are_filtered(tab: Tab, tmp_path: Path) -> None:
    """By words and by what they did, newest first or oldest first."""
    show(tab, tmp_path, LOG)
    assert steps(tab) == [f"Step {number}" for number in range(7, 0, -1)]
    expected = {
        "refused": ["Step 4"],
        "screened": ["Step 2"],
        "skipped": ["Step 3"],
        "removed": ["Step 6", "Step 5"],
        "changed": ["Step 7", "Step 6", "Step 5", "Step 3", "Step 2", "Step 1"],
    }
    for state, wanted in expected.items():
        tab.select_option("#step-state", state)
        assert steps(tab) == wanted, state
    tab.select_option("#step-state", "all")
    tab.fill("#step-words", "run-4 unusable")
    assert steps(tab) == ["Step 3"]
    tab.locator("#step-list summary").click()
    filled(tab)
    told = tab.inner_text("#step-list")
    for words in (
        "Passed over",
        "run-4: unusable reply (no JSON)",
        "Insight of run-3.",
        "Story of ace-00001",
    ):
        assert words in told
    tab.fill("#step-words", "")
    tab.select_option("#step-order", "oldest")
    assert steps(tab)[0] == "Step 1"


def test_the_playbook_at_any_step(tab: Tab, tmp_path: Path) -> None:
    """For each step, the lessons that the fold up to it holds, by number and by slider; the new ones are marked."""
    show(tab, tmp_path, LOG)
    for place in range(len(LOG) + 1):
        tab.fill("#moment-number", str(place))
        tab.press("#moment-number", "Enter")
        found = tab.locator("#moment-list li").all_text_contents()
        wanted = fold_records(Playbook(), LOG[:place]).bullets
        assert sorted(re.findall(r"ace-\d{5}", "".join(found))) == [one.id for one in wanted], place
        for one in wanted:
            assert any(
                f"helpful +{one.helpful} harmful \N{MINUS SIGN}{one.harmful}" in text and one.content in text
                for text in found
            ), place
    tab.focus("#moment")
    tab.keyboard.press("Home")
    assert tab.inner_text("#moment-told") == "Before the first step: 0 lessons."
    tab.keyboard.press("ArrowRight")
    assert "new" in tab.inner_text("#moment-list")
    tab.locator("[id='step:3'] summary").click()
    tab.get_by_role("button", name="Playbook after this step").click()
    assert tab.inner_text("#moment-told") == "After step 3, day 3: 3 lessons."


def test_charts_tell_what_they_show(tab: Tab, tmp_path: Path) -> None:
    """Each has a name and a sentence for those who do not see it, a table with its numbers, and under the pointer those of a point."""
    show(tab, tmp_path, LOG)
    charts = tab.get_by_role("img").all()
    assert [chart.locator("> title").text_content() for chart in charts] == [
        "Lessons in the playbook",
        "What became of proposed lessons",
        "Mean score of runs",
    ]
    assert [chart.locator("> desc").text_content() for chart in charts] == [
        "1 lesson after the first step, 1 after the last, 3 at most.",
        "3 added, 1 duplicate, 1 refused by a screen, 1 ignored.",
        "4 runs with a score, 0.562 on average; 0 at first, 1 at last.",
    ]
    tab.get_by_text("The charts as tables").click()
    sizes, outcomes, scores = tab.locator("#figures tbody").all()
    assert sizes.locator("tr").count() == 7
    assert outcomes.locator("tr").nth(1).inner_text().split("\t") == ["step 2", "1", "1", "1", "1"]
    assert scores.locator("tr").all_inner_texts()[1].split("\t") == ["step 2", "1", "0.25"]
    tips = tab.locator("#chart-outcomes .hit title").all_text_contents()
    assert tips[1] == "step 2: 1 added, 1 duplicate, 1 refused by a screen, 1 ignored"
    assert tips[3] == "step 4: nothing proposed"
    top = "document.elementFromPoint({x}, {y}).querySelector('title').textContent"
    box = tab.locator("#chart-size .hit").nth(2).bounding_box()
    assert box is not None
    found = tab.evaluate(top.format(x=box["x"] + box["width"] / 2, y=box["y"] + box["height"] / 2))
    assert found == "step 3: 3 lessons"


def test_charts_without_scripts(browser: Browser, tmp_path: Path) -> None:
    """They are there, with their tables, and the page says what is not."""
    context = browser.new_context(java_script_enabled=False)
    tab = context.new_page()
    show(tab, tmp_path, LOG)
    assert tab.locator("svg[role=img]").count() == 3
    assert tab.locator("#chart-scores circle").first.is_visible()
    tab.get_by_text("The charts as tables").click()
    assert tab.locator("#figures tbody tr").first.is_visible()
    assert "Scripts are turned off" in tab.inner_text("body")
    assert tab.locator("main > section:visible").count() == 1
    assert tab.locator("button:visible, input:visible, select:visible").count() == 0
    context.close()


def test_a_log_without_steps(tab: Tab, tmp_path: Path) -> None:
    """It is a page without entries, and says so."""
    show(tab, tmp_path, [])
    assert "The log has no step yet." in tab.inner_text("#growth")
    assert tab.inner_text("#lesson-count") == "0 lessons."


def test_ten_thousand_steps(tab: Tab, tmp_path: Path) -> None:
    """A long log shows some entries at a time, and finds and opens any of them; its charts have no more bars than room."""
    log = [
        line(number, lesson(number, f"Lesson {number} of the work."), read(f"run-{number}", number % 2))
        for number in range(1, 10_001)
    ]
    show(tab, tmp_path, log)
    assert len(steps(tab)) == len(ids(tab)) == 50
    assert tab.inner_text("#step-count") == "10,000 steps, of which 50 are shown."
    tab.get_by_role("button", name="Show more steps").click()
    assert len(steps(tab)) == 100
    assert tab.evaluate("document.activeElement.closest('details').id") == "step:9950"
    tab.fill("#step-words", "run-7777")
    assert steps(tab) == ["Step 7777"]
    tab.locator("#step-list summary").click()
    tab.get_by_role("link", name="Story of ace-07777").click()
    tab.wait_for_selector("[id='lesson:ace-07777'][open]")
    assert tab.locator("#chart-size .hit").count() == tab.locator("#chart-outcomes .hit").count() == 50
    assert "Each point is 200 steps" in tab.inner_text("#chart-size")
    assert tab.locator("#growth *").count() < 2_500


def test_with_the_keyboard_alone(tab: Tab, tmp_path: Path) -> None:
    """The first stop leads to the lessons; an entry opens with Enter, and every field has a name."""
    show(tab, tmp_path, LOG)
    tab.keyboard.press("Tab")
    assert tab.evaluate("document.activeElement.textContent") == "To the lessons"
    tab.focus("#lesson-list summary")
    assert tab.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    tab.keyboard.press("Enter")
    assert tab.locator("#lesson-list details").get_attribute("open") is not None
    nameless = "[...document.querySelectorAll('input, select')].filter((one) => !one.labels.length).length"
    assert tab.evaluate(nameless) == 0
    levels = tab.evaluate("[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))")
    assert levels[0] == 1
    assert all(deeper - level <= 1 for level, deeper in pairwise(levels))
    for role in ("banner", "navigation", "main"):
        assert tab.get_by_role(role).count() == 1


# The lowest contrast (WCAG 2) of a text that is shown to what is behind it, and that text.
_CONTRAST = """() => {
  const light = (rgb) => rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const behind = (one) => {
    for (; one; one = one.parentElement) {
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length < 4 || color[3] > 0) return color.slice(0, 3);
    }
  };
  let worst = [21, ""];
  for (const one of document.querySelectorAll("main *, header *")) {
    if (![...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim()) || !one.checkVisibility()) continue;
    const style = getComputedStyle(one);
    const ink = parse(one.tagName === "text" ? style.fill : style.color).slice(0, 3);
    const [a, b] = [light(ink), light(behind(one))].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < worst[0]) worst = [ratio, `${one.tagName}: ${one.textContent.slice(0, 40)}`];
  }
  return worst;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 400])
def test_in_each_theme_and_width(tab: Tab, tmp_path: Path, scheme: Any, width: int) -> None:
    """Nothing sticks out at the side, and every text can be read on what is behind it."""
    tab.emulate_media(color_scheme=scheme)
    tab.set_viewport_size({"width": width, "height": 800})
    show(tab, tmp_path, [*LOG, line(8, lesson(5, "x" * 300), read("r" * 300, None, task="t" * 300))])
    tab.select_option("#lesson-state", "all")
    open_all(tab)
    assert tab.evaluate("document.documentElement.scrollWidth") <= width
    worst, where = tab.evaluate(_CONTRAST)
    assert worst >= 4.5, where


def test_the_theme_can_be_chosen(tab: Tab, tmp_path: Path) -> None:
    """The button says what it changes to, and changes it."""
    show(tab, tmp_path, LOG)
    paper = "getComputedStyle(document.body).backgroundColor"
    light = tab.evaluate(paper)
    tab.get_by_role("button", name="Dark theme").click()
    assert tab.evaluate(paper) != light
    tab.get_by_role("button", name="Light theme").click()
    assert tab.evaluate(paper) == light


def test_print(tab: Tab, tmp_path: Path) -> None:
    """On paper there is no button and no field, and it is black on white, whatever the theme; all lessons that match are there."""
    log = [line(number, lesson(number, f"Lesson {number}.")) for number in range(1, 121)]
    show(tab, tmp_path, [*log, line(121, Removed("ace-00001", SECTION, "Lesson 1.", 0, 0, "person", "no"))])
    tab.get_by_role("button", name="Dark theme").click()
    assert len(ids(tab)) == 50
    tab.emulate_media(media="print")
    assert tab.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    shown = "[...document.querySelectorAll('button, input, select, nav')].filter((one) => one.checkVisibility()).length"
    assert tab.evaluate(shown) == 0
    assert tab.pdf().startswith(b"%PDF")
    assert len(ids(tab)) == 119
