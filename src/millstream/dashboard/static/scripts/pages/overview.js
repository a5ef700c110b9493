/** Everything at a glance. */
import { get, getIfThere } from "../api.js";
import { h } from "../dom.js";
import { bytes, count, duration, figure, plural } from "../format.js";
import { region } from "../live.js";
import { card, head, show, tile, tiles } from "../parts/frame.js";
import { empty } from "../parts/notices.js";
import { sparkline } from "../parts/plot.js";
import { streamTable } from "./streams.js";
import { subscriptionTable } from "./subscriptions.js";

export function overviewPage(view, _, signal) {
  const rates = [];
  show(view, "Overview",
    head({ title: "Overview", lead: "Many continuous queries on the same streams, the common work done once." }),
    region({ signal, load: loadTotals, render: (found) => totals(found, rates) }),
    region({ signal, seconds: 10, load: () => get("/v1/savings", signal), render: savings }),
    card({ title: "Streams", flush: true, actions: h("a", { href: "#/streams" }, "All streams") },
      region({ signal, load: () => get("/v1/streams", signal), render: (found) => streamTable(found.slice(0, 8)) })),
    card({ title: "Subscriptions", flush: true, actions: h("a", { href: "#/write" }, "New subscription") },
      region({ signal, load: () => get("/v1/subscriptions", signal), render: (found) => subscriptionTable(found.slice(0, 8)) })));
}

const loadTotals = async (signal) => ({ ...(await get("/v1/statistics", signal)), health: await getIfThere("/v1/health", signal) });

function totals(found, rates) {
  rates.push(found.rate);
  if (rates.length > 60) rates.shift();
  const failed = Object.values(found.health?.streams ?? {}).filter((each) => each.state === "failed").length;
  const rate = tile("Items a second", figure(found.rate), null);
  rate.append(sparkline(rates, "items a second, lately") ?? "");
  return tiles(
    rate,
    tile("Items so far", count(found.items), bytes(found.bytes)),
    tile("Streams", count(found.streams), failed ? `${plural(failed, "stream has", "streams have")} failed` : "all well"),
    tile("Subscriptions", count(found.subscriptions), `step ${count(found.step)}`),
    tile("Set aside", count(found.quarantined), found.quarantined ? "in quarantine" : "nothing in quarantine"),
    tile("Readers", count(found.readers), "listening now"));
}

function savings(found) {
  if (!found.subscriptions) {
    return card({ title: "What sharing saves" }, empty("subscriptions", "Nothing is shared yet", "As soon as there are subscriptions, what they save each other is counted here."));
  }
  return card({ title: "What sharing saves" },
    h("div", { class: "stack tight" },
      saved("Items parsed", found.items_parsed, found.items_parsed_alone, count),
      found.bytes_moved_alone > 0 && saved("Bytes moved", found.bytes_moved, found.bytes_moved_alone, bytes),
      saved("Work", found.busy_seconds, found.busy_seconds_alone, duration),
      h("p", { class: "muted small" }, `Against ${plural(found.subscriptions, "subscription")}, each by itself. The work alone is an estimate.`)));
}

/** A bar of what was used, in one of what it would have been. */
export function saved(name, used, alone, unit) {
  const part = alone > 0 ? Math.min(1, used / alone) : 1;
  return h("div", { class: "bar wide" },
    h("span", {}, name),
    h("div", { class: "track", role: "img", "aria-label": `${Math.round(100 * part)}% of what it would have been` }, h("div", { class: "fill", style: { width: `${100 * part}%` } })),
    h("span", { class: "number" }, `${unit(used)} `, h("span", { class: "muted" }, `of ${unit(alone)}`)));
}
