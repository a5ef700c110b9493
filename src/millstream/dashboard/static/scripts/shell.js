/** What stands beside every page: where one can go, and how the service is. */
import { forgetToken, get, getIfThere, hasToken } from "./api.js";
import { h, put } from "./dom.js";
import { count, duration } from "./format.js";
import { every } from "./live.js";
import { offers } from "./offers.js";
import { icon } from "./parts/icons.js";
import { switchTheme } from "./theme.js";

const GROUPS = [
  [null, [["", "Overview", "overview"], ["streams", "Streams", "streams"], ["subscriptions", "Subscriptions", "subscriptions"]]],
  ["Sharing", [["network", "Network", "network"], ["dependencies", "Dependencies", "dependencies"]]],
  ["Meaning and time", [
    ["tags", "Tags", "tags", "/v1/streams/{name}/tags/cloud"],
    ["history", "History", "history", "/v1/query"]]],
];

/** Draw it; what is returned tells it which page is shown. */
export function shell(element) {
  const links = new Map();
  const counts = new Map();
  const health = h("span", { class: "health" }, h("span", { class: "dot" }), "asking…");
  const who = h("span", {});
  const leave = h("button", { class: "plain compact", type: "button", hidden: true, onclick: forgetToken }, "Leave");
  const menu = h("nav", { class: "menu", id: "menu", "aria-label": "Main" },
    h("ul", {}, item(["write", "New subscription", "write"], links, counts, "primary-link")),
    GROUPS.map(([title, entries]) =>
      h("div", {}, title && h("h2", {}, title), h("ul", {}, entries.map((each) => item(each, links, counts))))),
    h("div", { class: "foot" },
      h("div", { class: "who" }, health,
        h("button", { class: "plain compact", type: "button", "aria-label": "Switch between light and dark", title: "Light or dark", onclick: switchTheme }, icon("theme"))),
      h("div", { class: "who" }, who,
        leave)));
  const button = h("button", { class: "menu-button", type: "button", "aria-expanded": "false", "aria-controls": "menu", onclick: () => open(!bar.classList.contains("open")) }, icon("menu"), "Menu");
  const bar = h("div", { class: "sidebar" }, h("a", { class: "brand", href: "#/" }, h("img", { src: "/dashboard/mark.svg", alt: "" }), "Millstream"), button, menu);
  const open = (is) => {
    bar.classList.toggle("open", is);
    button.setAttribute("aria-expanded", String(is));
  };
  bar.addEventListener("keydown", (event) => { if (event.key === "Escape") { open(false); button.focus(); } });
  put(element, bar);
  every(5000, new AbortController().signal, async () => {
    await look(health, who, counts);
    leave.hidden = !hasToken();
  });
  return ([first = ""]) => {
    open(false);
    for (const [name, link] of links) {
      if (name === first) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
  };
}

function item([name, title, picture, needed], links, counts, kind = null) {
  const number = h("span", { class: "count" });
  const link = h("a", { href: `#/${name}`, class: kind }, icon(picture), title, kind ? null : number);
  const entry = h("li", {}, link);
  links.set(name, link);
  counts.set(name, number);
  if (needed) offers(needed, needed === "/v1/query" ? "post" : "get").then((is) => { entry.hidden = !is; }, () => {});
  return entry;
}

async function look(health, who, counts) {
  try {
    const [state, totals, me] = await Promise.all([getIfThere("/v1/health"), get("/v1/statistics"), get("/v1/me")]);
    const failing = state?.status === "failing";
    put(health, h("span", { class: `dot ${failing ? "bad" : "good live"}` }), failing ? "Failing" : `Up ${duration(Math.max(1, Math.round(state?.seconds ?? 0)))}`);
    health.title = `Millstream ${state?.version ?? ""}`;
    put(who, me.name);
    counts.get("streams").textContent = count(totals.streams);
    counts.get("subscriptions").textContent = count(totals.subscriptions);
  } catch {
    put(health, h("span", { class: "dot bad" }), "Not reachable");
  }
}
