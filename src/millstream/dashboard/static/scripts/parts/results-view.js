/** Results as they arrive: a table, their XML, and a plot of their numbers. */
import { h, put } from "../dom.js";
import { count, plural } from "../format.js";
import { follow } from "../events.js";
import { indented, isNumber, leaves } from "../items.js";
import { card, chip, choice } from "./frame.js";
import { code } from "./highlight.js";
import { empty, problemNotice } from "./notices.js";
import { plot } from "./plot.js";

const KEPT = 400;
const SHOWN = 60;
const STATES = { asking: ["asking…", ""], live: ["Live", "good"], broken: ["Connecting again…", "warn"], ended: ["Ended", ""], refused: ["Refused", "bad"] };

/** Follow the results of a subscription for as long as the page is shown. */
export function resultsView(path, signal) {
  const results = [];
  const look = { total: 0, form: "table", x: null, y: null, chosen: {}, drawn: 0 };
  const state = h("span", {}, chip(...STATES.asking));
  const number = h("span", { class: "muted small number", "aria-live": "off" });
  const list = h("div", {}, empty("streams", "Waiting for results", "They show here by themselves, as soon as a step gives some."));
  const drawing = h("div", {});
  let due = false;
  const draw = () => {
    due = false;
    number.textContent = look.total > SHOWN ? `newest ${SHOWN} of ${count(look.total)}` : plural(look.total, "result");
    if (results.length) put(list, look.form === "xml" ? xmlList(results) : resultTable(results, look.drawn));
    look.drawn = look.total;
    put(drawing, results.length ? plotCard(results, look, draw) : null);
  };
  const later = () => { if (!due) { due = true; requestAnimationFrame(draw); } };
  const onItems = (items) => {
    for (const each of items) results.push({ ...each, number: ++look.total, leaves: leaves(each.value) });
    if (results.length > KEPT) results.splice(0, results.length - KEPT);
    later();
  };
  const onState = (name, error) => {
    const [title, kind] = STATES[name];
    put(state, chip(title, kind, name === "live" ? "good live" : null));
    if (name === "refused") put(list, problemNotice(error));
    if (name === "ended" && look.total === 0) put(list, empty("streams", "No results", "Everything that came has been looked at; nothing follows."));
  };
  follow(path, { signal, on: { items: onItems, state: onState } });
  const forms = choice({ legend: "How results are shown", name: "form", chosen: "table", options: [["table", "Table"], ["xml", "XML"]], onchange: (form) => { look.form = form; later(); } });
  return h("div", { class: "stack" }, drawing,
    card({ title: "Results", flush: true, actions: [state, number, forms], id: "results" }, list));
}

function columnsOf(results) {
  return [...new Set(results.flatMap((each) => [...(each.leaves?.values.keys() ?? [])]))].slice(0, 12);
}

/** Newest first; those that came since the last drawing are lit for a moment. */
function resultTable(results, drawn) {
  const shown = results.slice(-SHOWN).reverse();
  const names = columnsOf(shown);
  const numeric = new Set(names.filter((name) => shown.some((each) => isNumber(each.leaves?.values.get(name)))));
  const mixed = new Set(shown.map((each) => each.leaves?.name)).size > 1;
  const kind = (name) => (numeric.has(name) ? "number" : null);
  return h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Results", "data-key": "results" },
    h("table", {},
      h("thead", {}, h("tr", {}, h("th", { class: "place", scope: "col" }, "#"), mixed && h("th", { scope: "col" }, "element"), names.map((name) => h("th", { scope: "col", class: kind(name) }, name === "." ? shown[0].leaves.name : name)))),
      h("tbody", {}, shown.map((each) =>
        h("tr", { class: each.number > drawn ? "fresh" : null },
          h("td", { class: "place" }, count(each.number)),
          mixed && h("td", {}, each.leaves?.name ?? "text"),
          each.leaves ? names.map((name) => h("td", { class: kind(name) }, each.leaves.values.get(name) ?? "")) : h("td", { colspan: String(names.length || 1) }, each.value))))));
}

const xmlList = (results) =>
  h("div", { class: "scroll tall", tabindex: "0", role: "region", "aria-label": "Results as XML", "data-key": "results" },
    code(results.slice(-SHOWN).reverse().map((each) => indented(each.value)).join("\n"), "xml"));

/** A plot, if there are numbers. */
function plotCard(results, look, redraw) {
  const rows = results.filter((each) => each.leaves);
  const numeric = columnsOf(rows).filter((name) => rows.every((each) => !each.leaves.values.has(name) || isNumber(each.leaves.values.get(name))));
  if (numeric.length === 0 || rows.length < 2) return null;
  const grows = (name) => rows.every((each, index) => index === 0 || Number(each.leaves.values.get(name)) >= Number(rows[index - 1].leaves.values.get(name)));
  // Unless somebody chooses: what never decreases is taken for time, and something else is plotted over it.
  look.x = look.chosen.x ?? numeric.find((name) => numeric.length > 1 && grows(name)) ?? "";
  look.y = numeric.includes(look.chosen.y) ? look.chosen.y : numeric.filter((name) => name !== look.x).at(-1) ?? numeric.at(-1);
  const points = rows.filter((each) => each.leaves.values.has(look.y) && (!look.x || each.leaves.values.has(look.x)))
    .map((each) => [look.x ? Number(each.leaves.values.get(look.x)) : each.number, Number(each.leaves.values.get(look.y))]);
  if (points.length < 2) return null;
  const named = (name) => (name === "." ? rows[0].leaves.name : name);
  const pick = (label, key, options) =>
    h("label", { class: "check muted" }, label,
      h("select", { class: "compact", "data-key": `plot-${key}`, onchange: (event) => { look.chosen[key] = event.target.value; redraw(); } },
        options.map(([value, title]) => h("option", { value, selected: value === look[key] }, title))));
  const choices = [pick("Plot", "y", numeric.map((name) => [name, named(name)])), pick("over", "x", [["", "order of arrival"], ...numeric.map((name) => [name, named(name)])])];
  return card({ title: "Plot", actions: choices, id: "plot" }, plot(points, { x: look.x ? named(look.x) : "result", y: named(look.y) }));
}
