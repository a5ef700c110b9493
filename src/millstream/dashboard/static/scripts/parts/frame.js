/** The parts that all pages have: a head, cards, tiles, tabs and tables. */
import { h, put } from "../dom.js";

/** Make a page anew: its title, and what stands below. */
export function show(view, title, ...children) {
  document.title = `${title} · Millstream`;
  put(view, h("div", { class: "page" }, ...children));
}

export const head = ({ title, lead, crumbs, chips, actions }) =>
  h("div", { class: "page-head" },
    h("div", { class: "titles" },
      crumbs && h("nav", { class: "crumbs", "aria-label": "Breadcrumb" }, crumbs),
      h("h1", {}, title),
      lead && h("p", { class: "lead" }, lead),
      chips && h("div", { class: "actions" }, chips)),
    actions && h("div", { class: "actions" }, actions));

export const card = ({ title, actions, flush, level = "h2", ...attributes }, ...children) =>
  h("section", { class: "card", ...attributes },
    title && h("header", {}, h(level, {}, title), actions),
    h("div", { class: flush ? "body flush" : "body" }, ...children));

export const tile = (name, value, note) =>
  h("dl", { class: "tile" }, h("dt", {}, name), h("dd", {}, value), note && h("div", { class: "note" }, note));

export const tiles = (...children) => h("div", { class: "tiles" }, ...children);

/** Ways to look at one thing, each with an address of its own. */
export const tabs = (label, chosen, entries) =>
  h("nav", { class: "tabs", "aria-label": label },
    entries.filter(Boolean).map(([key, name, address, count]) =>
      h("a", { href: address, "aria-current": key === chosen ? "page" : null, "data-key": `tab-${key}` },
        name, count ? h("span", { class: "count" }, count) : null)));

/**
 * A table. Columns are [title, cell of a row, class]; what is wider than its place scrolls.
 */
export const table = (label, columns, rows, { tall = false } = {}) =>
  h("div", { class: tall ? "scroll tall" : "scroll", tabindex: "0", role: "region", "aria-label": label },
    h("table", {},
      h("thead", {}, h("tr", {}, columns.map(([title, , kind]) => h("th", { class: kind, scope: "col" }, title)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, columns.map(([, cell, kind]) => h("td", { class: kind }, cell(row))))))));

/** A list of facts, each with its name. */
export const facts = (entries) =>
  h("dl", { class: "facts" },
    entries.filter((entry) => entry && entry[1] !== null && entry[1] !== undefined && entry[1] !== "")
      .map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));

/** One choice of a few, by mouse and by arrow keys. */
export function choice({ legend, name, options, chosen, onchange }) {
  return h("fieldset", { class: "switch", role: "radiogroup", "aria-label": legend },
    options.map(([value, title]) =>
      h("label", {},
        h("input", { type: "radio", name, value, checked: value === chosen, "data-key": `${name}-${value}`, onchange: () => onchange(value) }),
        title)));
}

export const field = (label, input, hint) =>
  h("div", { class: "field" }, h("label", { for: input.id }, label), input, hint && h("p", { class: "hint" }, hint));

export const chip = (text, kind = "", dot = null) =>
  h("span", { class: `chip ${kind}` }, dot && h("span", { class: `dot ${dot}` }), text);
