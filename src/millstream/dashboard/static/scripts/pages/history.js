/** A history: every state that a document has had, by a slider over its versions. */
import { Problem, get, getIfThere, isAbort, part, post } from "../api.js";
import { h, put, s } from "../dom.js";
import { count, duration, plural } from "../format.js";
import { changesAt, instantsOf, loadFillers, structureOf } from "../fillers.js";
import { indented } from "../items.js";
import { every } from "../live.js";
import { Editor } from "../parts/editor.js";
import { card, chip, field, head, show } from "../parts/frame.js";
import { code } from "../parts/highlight.js";
import { icon } from "../parts/icons.js";
import { empty, problemNotice } from "../parts/notices.js";
import { address, go } from "../router.js";

const BARS = 90;
const LONGEST = 60000;

export async function historyPage(view, { name }, signal) {
  const top = { title: "History", lead: "A document and its updates. Move through time, and ask at any instant." };
  try {
    const summaries = await get("/v1/streams", signal);
    const pages = await Promise.all(summaries.map((each) => getIfThere(`/v1/streams/${part(each.name)}?sample=0`, signal)));
    const histories = pages.filter((each) => each?.kind === "fillers");
    if (signal.aborted) return;
    const chosen = histories.find((each) => each.name === name) ?? (name ? null : histories[0]);
    if (!chosen) {
      show(view, "History", head(top), card({}, empty("history", name ? `${name} is no history` : "No histories yet", "A stream of fillers, with a tag structure for its schema, is a history.")));
      return;
    }
    await new History(chosen, histories, signal).open(view, top);
  } catch (error) {
    if (!signal.aborted) show(view, "History", head(top), problemNotice(error));
  }
}

/** One history on the page, and the instant that is looked at. */
class History {
  constructor(stream, histories, signal) {
    Object.assign(this, { stream, histories, signal, fillers: [], instants: [], at: 0, next: null, atEnd: true });
    this.structure = structureOf(stream.structure);
    this.instant = h("output", { class: "instant", for: "time", id: "instant" }, "—");
    this.slider = h("input", { id: "time", type: "range", min: "0", max: "0", step: "1", "aria-label": "Version", oninput: () => this.moved(Number(this.slider.value)) });
    this.bars = h("div", { class: "over" });
    this.ends = h("div", { class: "slider-ends" });
    this.changes = h("div", {});
    this.answer = h("div", { "aria-live": "polite" });
    this.strategy = h("select", { class: "compact", "aria-label": "Strategy", onchange: () => this.ask() }, ["qac+", "qac", "caq"].map((each) => h("option", { value: each }, each)));
    this.editor = new Editor({ label: "Question", short: true, text: `stream("${stream.name}")/${this.structure.root}?[now]`, onrun: () => this.ask() });
  }

  async open(view, top) {
    const choose = h("select", { id: "history", onchange: (event) => go(address("history", event.target.value)) }, this.histories.map((each) => h("option", { value: each.name, selected: each.name === this.stream.name }, each.name)));
    const step = (by, title, picture) => h("button", { type: "button", class: "compact", "aria-label": title, onclick: () => this.moved(this.at + by) }, icon(picture));
    show(view, `History of ${this.stream.name}`,
      head({ ...top, actions: this.histories.length > 1 && field("History", choose) }),
      card({ title: this.stream.name, actions: h("a", { href: address("streams", this.stream.name) }, "The stream") },
        h("div", { class: "stack tight" }, this.instant,
          h("div", { class: "slider" }, this.bars, step(-1, "The version before", "back"), this.slider, step(1, "The next version", "forward")), this.ends)),
      h("div", { class: "grid" },
        card({ title: "What changed then", id: "changes" }, this.changes),
        card({ title: "Asked at that instant", id: "answer", actions: [this.strategy, h("button", { type: "button", class: "compact", onclick: () => this.ask() }, "Ask")] },
          h("div", { class: "stack tight" }, this.editor.element, this.answer))));
    await every(4000, this.signal, () => this.look());
  }

  /** See what has come; whoever looks at the newest version goes on to do so. */
  async look() {
    let found;
    try {
      found = await loadFillers(this.stream.name, this.next, this.signal);
    } catch (error) {
      if (!isAbort(error) && !this.signal.aborted) put(this.changes, problemNotice(error));
      return;
    }
    const first = this.next === null;
    if (!first && found.fillers.length === 0) return;
    const shown = this.instants[this.at];
    this.next = found.next;
    this.fillers.push(...found.fillers);
    this.instants = instantsOf(this.fillers);
    if (this.instants.length === 0) {
      put(this.changes, empty("history", "Nothing has come yet", "Versions show here as soon as there are fillers."));
      return;
    }
    this.slider.max = String(this.instants.length - 1);
    this.moved(this.atEnd ? this.instants.length - 1 : this.instants.indexOf(shown));
  }

  moved(to) {
    if (this.instants.length === 0) return;
    this.at = Math.max(0, Math.min(to, this.instants.length - 1));
    this.atEnd = this.at === this.instants.length - 1;
    const instant = this.instants[this.at];
    this.slider.value = String(this.at);
    this.slider.setAttribute("aria-valuetext", instant);
    this.instant.textContent = readable(instant);
    put(this.bars, timeline(this.instants, this.at, this.fillers));
    put(this.ends, h("span", {}, readable(this.instants[0])), h("span", {}, `version ${count(this.at + 1)} of ${count(this.instants.length)}`), h("span", {}, readable(this.instants.at(-1))));
    put(this.changes, this.changeList(instant));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), 250);
  }

  changeList(instant) {
    const changes = changesAt(this.fillers, instant, this.structure.events);
    return h("div", { class: "stack tight" },
      h("p", { class: "muted small" }, plural(changes.length, "filler")),
      changes.slice(0, 30).map((each) => h("div", { class: "stack tight" },
        h("div", {}, chip(this.structure.names.get(each.tsid) ?? `tag ${each.tsid}`, "accent"), " ", chip(this.structure.events.has(each.tsid) ? "event" : each.before === null ? "new" : "changed", each.before === null ? "good" : "violet"), h("span", { class: "muted small" }, ` filler ${each.id}`)),
        each.before !== null && h("pre", { class: "code wrap before" }, h("span", { class: "visually-hidden" }, "Before: "), each.before),
        h("pre", { class: "code wrap after" }, h("span", { class: "visually-hidden" }, "After: "), each.content))),
      changes.length > 30 && h("p", { class: "muted small" }, `and ${count(changes.length - 30)} more`));
  }

  async ask() {
    this.asking?.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    this.signal.addEventListener("abort", () => this.asking.abort(), { once: true });
    try {
      const found = await post("/v1/query", { text: this.editor.text, now: this.instants[this.at] ?? null, strategy: this.strategy.value }, signal);
      this.editor.clear();
      put(this.answer, answered(found));
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      if (error instanceof Problem && error.problem.span) this.editor.mark(error.problem.span);
      put(this.answer, problemNotice(error));
    }
  }
}

function answered(found) {
  const text = found.items.map(indented).join("\n");
  return h("div", { class: "stack tight" },
    h("p", { class: "muted small" }, `${plural(found.items.length, "item")} in ${duration(found.seconds)}, by ${found.strategy} on ${found.engine}`),
    text ? code(text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text, "xml", "tall") : empty("history", "Nothing", "At this instant the question has no answer."));
}

const readable = (instant) => instant.replace("T", " ");

/** How much changed when; up to the instant that is looked at in another colour. */
function timeline(instants, at, fillers) {
  const bars = Math.min(BARS, instants.length);
  const barOf = (index) => Math.floor((index * bars) / instants.length);
  const numbers = new Map(instants.map((each, index) => [each, index]));
  const heights = new Array(bars).fill(0);
  for (const each of fillers) heights[barOf(numbers.get(each.time))] += 1;
  const most = Math.max(...heights);
  const width = Math.max(3, Math.min(10, 500 / bars));
  return s("svg", { class: "timeline", viewBox: "0 0 1000 56", preserveAspectRatio: "none", role: "img", "aria-label": `${plural(fillers.length, "filler")} over ${plural(instants.length, "version")}` },
    heights.map((each, index) => {
      const top = 52 - (50 * Math.log(each + 1)) / Math.log(most + 1);
      const x = bars > 1 ? (1000 * index) / (bars - 1) : 500;
      return s("line", { class: index === barOf(at) ? "here" : index < barOf(at) ? "past" : null, x1: x, x2: x, y1: 56, y2: top, "stroke-width": width });
    }));
}
