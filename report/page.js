"use strict";
// Shows the data of this page; the charts are in it already. Every text goes in as text (`textContent`, `append`), never as HTML. Nothing is folded or decided here:
// what the playbook was after a step is looked up in the lessons' `stands`.

const data = JSON.parse(document.getElementById("data").textContent);
const { steps, lessons } = data;
const byId = (id) => document.getElementById(id);
const lessonOf = new Map(lessons.map((lesson) => [lesson.id, lesson]));
const placeOfSeq = new Map(steps.map((step, index) => [String(step.seq), index + 1]));
const PAGE = 50;

// What needs this script is not shown without it.
for (const part of document.querySelectorAll("main > section, nav")) part.hidden = false;

// A text of others is isolated: a mark in it that turns the direction of writing turns nothing around it.
const said = (text) => make("bdi", {}, text);

/** An element with properties (or attributes, where the name begins with "aria-") and children. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name.startsWith("aria-")) element.setAttribute(name, value);
    else element[name] = value;
  }
  element.append(...children.filter((child) => child !== null && child !== ""));
  return element;
}

const plural = (number, word) => `${number.toLocaleString("en")} ${word}${number === 1 ? "" : "s"}`;
const rounded = (value) => (Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3))));
const moment = (time) => (time ? make("time", { dateTime: time }, time.slice(0, 16).replace("T", " ")) : "");
const link = (id, text) => make("a", { href: `#${encodeURIComponent(id)}` }, text);
// No id of the page itself has a colon, whatever a log calls its lessons.
const lessonKey = (id) => `lesson:${id}`;
const stepKey = (seq) => `step:${seq}`;
const stepLink = (place) => link(stepKey(steps[place - 1].seq), `step ${steps[place - 1].seq}`);

/** The lesson after the step at this place, or null: stands are sorted by place. */
function standAt(lesson, place) {
  const { stands } = lesson;
  let low = 0, high = stands.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (stands[middle][0] <= place) low = middle + 1;
    else high = middle;
  }
  if (low === 0 || stands[low - 1][3] < 0) return null;
  const [at, helpful, harmful, wording] = stands[low - 1];
  const [text, section] = lesson.wordings[wording];
  return { id: lesson.id, at, helpful, harmful, text, section };
}

for (const lesson of lessons) {
  lesson.now = standAt(lesson, steps.length);
  // What is gone is shown as it last was.
  lesson.last = lesson.now ?? standAt(lesson, lesson.stands.findLast((stand) => stand[3] >= 0)[0]);
}
const here = lessons.filter((lesson) => lesson.now !== null);
const waiting = lessons.filter((lesson) => lesson.waits);

// --- head and theme ---------------------------------------------------------------------------------------------------

byId("title").textContent = data.name ? `Playbook of ${data.name}` : "Playbook report";
document.title = byId("title").textContent;
byId("about").append(
  `${plural(here.length, "lesson")} of ${lessons.length.toLocaleString("en")} that were ever in it, `
  + `from ${plural(data.runs, "run")} in ${plural(steps.length, "step")}. As of `, moment(data.made), " UTC.",
  waiting.length ? ` ${plural(waiting.length, "lesson")} ${waiting.length === 1 ? "waits" : "wait"} for a review.` : "",
);

const theme = byId("theme");
const isDark = () => (document.documentElement.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
const tellTheme = () => { theme.textContent = isDark() ? "Light theme" : "Dark theme"; };
theme.addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  tellTheme();
});
tellTheme();

function table(head, rows) {
  const cell = (tag, scope) => (value) => make(tag, scope ? { scope } : {}, String(value));
  return make("table", {},
    make("thead", {}, make("tr", {}, ...head.map(cell("th", "col")))),
    make("tbody", {}, ...rows.map(([first, ...rest]) => make("tr", {}, cell("th", "row")(first), ...rest.map(cell("td"))))));
}

// --- lists that are filtered ------------------------------------------------------------------------------------------

/** A list that shows what the filters let through, some at a time. `show(key)` brings one entry to the front and opens it. */
function list({ container, more, status, word, inputs, select, entry, keyOf }) {
  let found = [], shown = 0;
  const add = (count) => {
    container.append(...found.slice(shown, shown + count).map(entry));
    shown = Math.min(found.length, shown + count);
    more.hidden = shown === found.length;
    status.textContent = `${plural(found.length, word)}${shown < found.length ? `, of which ${shown} are shown` : ""}.`;
  };
  const refresh = () => {
    found = select();
    shown = 0;
    container.replaceChildren();
    add(PAGE);
  };
  for (const input of inputs) input.addEventListener("input", refresh);
  for (const form of new Set(inputs.map((input) => input.form))) form.addEventListener("submit", (event) => event.preventDefault());
  more.addEventListener("click", () => {
    const next = container.children.length;
    add(PAGE);
    container.children[next]?.querySelector("summary")?.focus();
  });
  refresh();
  return {
    all: () => add(found.length),
    reveal(key, relax) {
      if (!found.some((item) => keyOf(item) === key)) { relax(); refresh(); }
      const at = found.findIndex((item) => keyOf(item) === key);
      if (at >= shown) add(at + 1 - shown);
      const element = byId(key);
      if (element === null) return;
      element.open = true;
      element.scrollIntoView();
      element.querySelector("summary").focus({ preventScroll: true });
    },
  };
}

/** Whether all words of the search are in a text that is made once for each item. */
function matcher(input, textOf) {
  const texts = new Map();
  return () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    return (item) => {
      if (!words.length) return true;
      if (!texts.has(item)) texts.set(item, textOf(item).toLowerCase());
      return words.every((word) => texts.get(item).includes(word));
    };
  };
}

/** A closed entry; what it holds is made when it is opened first. */
function entryOf(id, summary, body, className = "") {
  const element = make("details", { id, className }, make("summary", {}, ...summary));
  element.addEventListener("toggle", () => {
    if (element.open && element.children.length === 1) element.append(make("div", {}, ...body()));
  });
  return element;
}

const badge = (text) => make("span", { className: "badge" }, text);
const unseen = (text) => make("span", { className: "unseen" }, text);
const counts = ({ helpful, harmful }) => make("span", { className: "count" },
  make("span", { className: "up" }, unseen("helpful "), `+${helpful}`), " ",
  make("span", { className: "down" }, unseen("harmful "), `−${harmful}`));
const spaced = (items) => items.filter(Boolean).flatMap((item, index) => (index ? [" ", item] : [item]));

// --- lessons ----------------------------------------------------------------------------------------------------------

const WAITS = { in: "waits for a review", out: "still in the rules, until a review" };
const balance = (lesson) => lesson.last.helpful - lesson.last.harmful;
const STATES = {
  here: (lesson) => lesson.now,
  untagged: (lesson) => lesson.now && !lesson.evidence.tags,
  harmful: (lesson) => lesson.now && lesson.now.harmful,
  cap: (lesson) => lesson.near_cap,
  waiting: (lesson) => lesson.waits,
  gone: (lesson) => !lesson.now,
  all: () => true,
};
const ORDERS = {
  number: null,
  newest: (one, other) => other.evidence.since.at - one.evidence.since.at,
  helpful: (one, other) => balance(other) - balance(one),
  harmful: (one, other) => balance(one) - balance(other),
  used: (one, other) => (other.evidence.used?.at ?? 0) - (one.evidence.used?.at ?? 0),
};
for (const section of new Set([...data.sections, ...lessons.map((lesson) => lesson.last.section)])) {
  byId("lesson-section").append(make("option", { value: `=${section}` }, section));
}

const lessonWords = matcher(byId("lesson-words"), (lesson) =>
  [lesson.id, ...lesson.wordings.flat(), ...lesson.story.map(([place, event]) => steps[place - 1].events[event][1])].join("\n"));

const lessonList = list({
  container: byId("lesson-list"), more: byId("lesson-more"), status: byId("lesson-count"), word: "lesson",
  inputs: ["lesson-words", "lesson-state", "lesson-section", "lesson-order"].map(byId),
  keyOf: (lesson) => lessonKey(lesson.id),
  select() {
    const matches = lessonWords(), wanted = STATES[byId("lesson-state").value], order = ORDERS[byId("lesson-order").value];
    const section = byId("lesson-section").value;
    const found = lessons.filter((lesson) => wanted(lesson) && (!section || `=${lesson.last.section}` === section) && matches(lesson));
    return order ? found.sort(order) : found;
  },
  entry: (lesson) => entryOf(lessonKey(lesson.id), spaced([
    make("span", { className: "id" }, lesson.id), counts(lesson.last),
    lesson.now ? "" : badge("no longer there"), WAITS[lesson.waits] ? badge(WAITS[lesson.waits]) : "", lesson.evidence.tags ? "" : badge("never tagged"), lesson.near_cap ? badge("near the cap") : "", lesson.marked ? badge(`acts: ${lesson.marked}`) : "",
    make("span", { className: "text" }, lesson.last.text),
  ]), () => [...evidenceOf(lesson), ...storyOf(lesson)], lesson.now ? "" : "gone"),
});

function evidenceOf(lesson) {
  const { had, lacked, reworded, tags, tasks, age, since, used } = lesson.evidence;
  const row = (told, runs) => [told, runs.count, runs.scored, runs.mean === null ? "–" : rounded(runs.mean)];
  const facts = make("ul", {},
    make("li", {}, `Section: ${lesson.last.section}.`),
    make("li", {}, `In the playbook for ${plural(age, "step")}, since `, stepLink(since.at), since.time ? ", " : "", moment(since.time), "."),
    make("li", {}, ...(used === null ? ["No run has tagged it yet."] : [`${plural(tags, "tag")}, from runs of ${plural(tasks, "task")}; the last one in `, stepLink(used.at), "."])),
    lesson.waits ? make("li", {}, lesson.waits === "in" ? "The rules do not show it before somebody accepts it." : "The rules show it until somebody accepts that it left.") : null,
    lesson.near_cap ? make("li", {}, `Number ${lesson.near_cap} of those that would leave first if the cap of ${data.max_bullets} were reached.`) : null,
    reworded ? make("li", {}, `${plural(reworded, "run")} had it in other words, and ${reworded === 1 ? "is" : "are"} in neither row below.`) : null);
  if (!data.known) return [make("h3", {}, "Evidence"), facts, make("p", { className: "note" }, "Of no run it is known which lessons it had.")];
  return [
    make("h3", {}, "Evidence"), facts,
    make("div", { className: "scroll" }, table(["", "Runs", "with score", "mean score"], [row("had this lesson", had), row("had it not", lacked)])),
    make("p", { className: "note" }, data.no_proof),
  ];
}

function storyOf(lesson) {
  return [make("h3", {}, "Story"), make("ol", { className: "story" }, ...lesson.story.map(([place, event]) => {
    const step = steps[place - 1], [, text, trace] = step.events[event];
    const run = step.runs.find(([id]) => id === trace && id !== "");
    return make("li", {}, stepLink(place), step.time ? ", " : "", moment(step.time), ": ", said(text), run ? aboutRun(run) : null);
  }))];
}

function aboutRun([id, score, task, insight, flaw]) {
  return make("span", { className: "run" },
    "Run ", said(id), `, ${score === null ? "no score" : `score ${rounded(score)}`}. Task: `, said(task || "none"), make("br"),
    "Insight: ", said(insight || "none"), flaw ? " " : "", said(flaw));
}

// --- the playbook after a step ----------------------------------------------------------------------------------------

const range = byId("moment"), number = byId("moment-number");
range.max = steps.length;

function playbookAfter(place) {
  range.value = place;
  number.value = place ? steps[place - 1].seq : 0;
  range.setAttribute("aria-valuetext", place ? `step ${steps[place - 1].seq}` : "before the first step");
  const stood = lessons.map((lesson) => standAt(lesson, place)).filter((lesson) => lesson !== null);
  const step = steps[place - 1];
  byId("moment-told").replaceChildren(
    place ? "After " : "Before the first step", place ? stepLink(place) : "", step?.time ? ", " : "", moment(step?.time), `: ${plural(stood.length, "lesson")}.`);
  const sections = new Map((data.sections).map((section) => [section, []]));
  for (const lesson of stood) {
    if (!sections.has(lesson.section)) sections.set(lesson.section, []);
    sections.get(lesson.section).push(lesson);
  }
  byId("moment-list").replaceChildren(...[...sections].filter(([, found]) => found.length).flatMap(([section, found]) => [
    make("h3", {}, section),
    make("ul", {}, ...found.map((lesson) => {
      const isNew = place > 0 && lesson.at === place && standAt(lessonOf.get(lesson.id), place - 1) === null;
      return make("li", { className: isNew ? "new" : "" }, ...spaced([link(lessonKey(lesson.id), lesson.id), counts(lesson), isNew ? badge("new") : "", said(lesson.text)]));
    })),
  ]));
}

/** The last step with at most this number. */
const placeUpTo = (seq) => steps.reduce((found, step, index) => (step.seq <= seq ? index + 1 : found), 0);
range.addEventListener("input", () => playbookAfter(Number(range.value)));
number.addEventListener("change", () => playbookAfter(placeUpTo(Number(number.value))));
number.max = steps.at(-1)?.seq ?? 0;
number.form.addEventListener("submit", (event) => event.preventDefault());
playbookAfter(steps.length);

// --- steps ------------------------------------------------------------------------------------------------------------

const has = (step, ...kinds) => step.outcome === "committed" && step.events.some(([kind]) => kinds.includes(kind));
const STEP_STATES = {
  all: () => true,
  changed: (step) => has(step, "added", "removed", "reworded", "accepted", "restored", "tag"),
  removed: (step) => has(step, "removed", "reworded"),
  screened: (step) => step.events.some(([kind]) => kind === "refused"),
  skipped: (step) => step.skipped.length,
  waiting: (step) => step.waits,
  refused: (step) => step.outcome !== "committed",
};
const stepWords = matcher(byId("step-words"), (step) => [
  `step ${step.seq}`, step.time, step.reason, step.told, ...step.runs.flatMap(([id, , task, insight, flaw]) => [id, task, insight, flaw]),
  ...step.skipped.flat(), ...step.events.map(([, text]) => text),
].join("\n"));

const stepList = list({
  container: byId("step-list"), more: byId("step-more"), status: byId("step-count"), word: "step",
  inputs: ["step-words", "step-state", "step-order"].map(byId),
  keyOf: (step) => stepKey(step.seq),
  select() {
    const matches = stepWords(), wanted = STEP_STATES[byId("step-state").value];
    const found = steps.filter((step) => wanted(step) && matches(step));
    return byId("step-order").value === "newest" ? found.reverse() : found;
  },
  entry: (step) => entryOf(stepKey(step.seq), spaced([
    make("strong", {}, `Step ${step.seq}`), moment(step.time), step.outcome === "committed" ? "" : badge("refused by the check"),
    step.waits ? badge("waits for a review") : "",
    make("span", { className: "text" }, step.told),
  ]), () => bodyOf(step)),
});

const CHAPTERS = [
  ["Restored", ["restored", "rules"]], ["Accepted", ["accepted"]], ["Added", ["added"]], ["Reworded", ["reworded"]], ["Removed", ["removed"]], ["Refused", ["refused"]],
  ["Duplicates", ["duplicate"]], ["Ignored", ["ignored", "tag ignored"]], ["Tags", ["tag"]], ["Forgotten", ["forgotten"]],
];

function bodyOf(step) {
  const parts = [];
  const about = [step.step === step.seq ? "" : `Number ${step.step} of the host.`, step.record ? `Its record is steps/${step.record}.` : ""].filter(Boolean);
  if (about.length) parts.push(make("p", { className: "quiet" }, about.join(" ")));
  if (step.outcome !== "committed") parts.push(make("p", {}, `The check refused the step, and none of it took effect: `, said(step.reason)));
  else if (step.reason) parts.push(make("p", {}, "Reason: ", said(step.reason)));
  if (step.waits) parts.push(make("p", {}, "After it something waits for a review: the rules show what was accepted, and not all of the playbook."));
  if (step.runs.length) parts.push(make("h3", {}, "Runs"), make("ul", {}, ...step.runs.map((run) => make("li", {}, aboutRun(run)))));
  if (step.skipped.length) parts.push(make("h3", {}, "Passed over"), make("ul", {}, ...step.skipped.map(([id, reason]) => make("li", {}, said(id), ": ", said(reason)))));
  for (const [title, kinds] of CHAPTERS) {
    const told = step.events.filter(([kind]) => kinds.includes(kind));
    if (!told.length) continue;
    parts.push(make("h3", {}, title), make("ul", {}, ...told.map(([, text, , lesson]) =>
      make("li", {}, said(text), ...(lessonOf.has(lesson) ? [" ", link(lessonKey(lesson), `Story of ${lesson}`)] : [])))));
  }
  const place = placeOfSeq.get(String(step.seq));
  const button = make("button", { type: "button" }, "Playbook after this step");
  button.addEventListener("click", () => {
    playbookAfter(place);
    byId("playbook").scrollIntoView();
    range.focus({ preventScroll: true });
  });
  return [...parts, button];
}

// --- links in the page, and print -------------------------------------------------------------------------------------

function follow() {
  let target = "";
  try {
    target = decodeURIComponent(location.hash.slice(1));
  } catch {
    return; // an address that somebody cut
  }
  if (lessonOf.has(target.replace(/^lesson:/, ""))) {
    lessonList.reveal(target, () => {
      byId("lesson-words").value = "";
      byId("lesson-section").value = "";
      byId("lesson-state").value = "all";
    });
  } else if (placeOfSeq.has(target.replace(/^step:/, ""))) {
    stepList.reveal(target, () => {
      byId("step-words").value = "";
      byId("step-state").value = "all";
    });
  }
}
addEventListener("hashchange", follow);
// A link to what the address names already changes no hash.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  if (!link || link.hash !== location.hash) return;
  event.preventDefault();
  follow();
});
addEventListener("beforeprint", lessonList.all);
// The browser goes to what the address names when the page is loaded, and would take the focus away again.
if (location.hash) addEventListener("load", () => setTimeout(follow));
