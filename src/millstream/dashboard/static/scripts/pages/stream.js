/** All about one stream. */
import { get, part } from "../api.js";
import { h } from "../dom.js";
import { bytes, count, figure, plural } from "../format.js";
import { isNumber, leaves } from "../items.js";
import { region } from "../live.js";
import { offers } from "../offers.js";
import { card, chip, facts, head, show, table, tabs, tile, tiles } from "../parts/frame.js";
import { code } from "../parts/highlight.js";
import { empty, problemNotice } from "../parts/notices.js";
import { sparkline } from "../parts/plot.js";
import { tagChips } from "../parts/tag-marks.js";
import { address } from "../router.js";
import { quarantineTab } from "./stream-quarantine.js";
import { tagsTab } from "./stream-tags.js";
import { streamState } from "./streams.js";

const MOST_COLUMNS = 9;

export async function streamPage(view, { name, tab = "items" }, signal) {
  const path = `/v1/streams/${part(name)}`;
  const crumbs = h("a", { href: "#/streams" }, "Streams");
  let first;
  let tagged;
  try {
    [first, tagged] = await Promise.all([get(`${path}?sample=0`, signal), offers("/v1/streams/{name}/tags")]);
  } catch (error) {
    if (!signal.aborted) show(view, name, head({ title: name, crumbs }), problemNotice(error));
    return;
  }
  if (signal.aborted) return;
  const rates = [];
  const at = (key) => address("streams", name, ...(key === "items" ? [] : [key]));
  const history = first.kind === "fillers";
  show(view, name,
    head({
      crumbs, title: name,
      lead: history ? "A document and its updates, in fillers." : ["Items ", h("code", {}, first.item), first.order_by && [", ordered by ", h("code", {}, first.order_by)], "."],
      actions: [
        history && h("a", { class: "button", href: address("history", name) }, "Open its history"),
        h("a", { class: "button", href: `#/write?stream=${part(name)}` }, "Subscribe to it")],
    }),
    region({ signal, seconds: 2, load: () => get(`${path}?sample=0`, signal), render: (found) => summary(found, rates) }),
    tabs("About this stream", tab, [
      ["items", "Items", at("items")],
      ["schema", "Schema", at("schema")],
      tagged && !history && ["tags", "Tags", at("tags")],
      ["quarantine", "Quarantine", at("quarantine"), first.quarantined || null]]),
    tabOf(tab, path, first, signal));
}

function tabOf(tab, path, first, signal) {
  if (tab === "schema") return schemaTab(path, first, signal);
  if (tab === "tags") return tagsTab(path, first, signal);
  if (tab === "quarantine") return quarantineTab(path, first, signal);
  return card({ title: "Newest items", flush: true },
    region({ signal, seconds: 2, load: () => get(`${path}?sample=25`, signal).then((found) => found.sample), render: (found) => itemTable([...found].reverse()) }));
}

function summary(stream, rates) {
  rates.push(stream.rate);
  if (rates.length > 60) rates.shift();
  const rate = tile("Items a second", figure(stream.rate));
  rate.append(sparkline(rates, "items a second, lately") ?? "");
  return h("div", { class: "stack" },
    stream.failure && h("div", { class: "notice", role: "alert" }, h("strong", {}, "This stream has stopped"), stream.failure),
    tiles(
      tile("State", streamState(stream), `at ${stream.peer}`),
      rate,
      tile("Items", count(stream.items), `in ${plural(stream.steps, "step")}`),
      tile("Size", bytes(stream.bytes), stream.items ? `${bytes(stream.bytes / stream.items)} an item` : null),
      tile("Set aside", count(stream.quarantined))));
}

/** Items as rows, a column for each leaf, with their tags. */
export function itemTable(items) {
  if (items.length === 0) return empty("streams", "No items yet", "They show here as soon as the first step has read some.");
  const rows = items.map((each) => ({ ...each, leaves: leaves(each.value) }));
  const names = [...new Set(rows.flatMap((row) => [...(row.leaves?.values.keys() ?? [])]))].slice(0, MOST_COLUMNS);
  const anyTags = rows.some((row) => row.tags?.length);
  return table("Items", [
    ["#", (row) => row.position, "place"],
    ...(anyTags ? [["Tags", (row) => tagChips(row.tags ?? [])]] : []),
    ...names.map((name) => [name, (row) => row.leaves?.values.get(name) ?? "", rows.some((row) => isNumber(row.leaves?.values.get(name))) ? "number" : null]),
    ...(names.length ? [] : [["Item", (row) => code(row.value, "xml", "wrap")]]),
  ], rows, { tall: true });
}

function schemaTab(path, stream, signal) {
  return h("div", { class: "split" },
    h("div", { class: "stack" },
      stream.structure
        ? card({ title: "Tag structure" }, code(stream.structure, "xml", "tall"))
        : card({ title: "Paths", flush: true },
          region({ signal, seconds: null, load: () => get(`${path}/statistics`, signal), render: (found) => paths(stream, found) }))),
    card({ title: "How it was made" }, facts([
      ["Owner", stream.owner],
      ["Source", stream.source && h("code", {}, stream.source)],
      ["Enters at", stream.peer],
      ["Ordered by", stream.order_by && h("code", {}, stream.order_by)],
      ["Key", stream.key && h("code", {}, stream.key)],
      ["Windows start at", stream.anchor],
      ["Lateness", stream.lateness ? plural(stream.lateness, "unit") : "none is allowed"],
      ["Inferred", stream.notes.length ? h("ul", {}, stream.notes.map((each) => h("li", {}, each))) : null]])));
}

function paths(stream, statistics) {
  const uses = new Map(statistics.elements.map((each) => [each.path, each]));
  const useOf = (leaf) => uses.get(leaf.path) ?? uses.get(leaf.path.split("/").slice(1).join("/"));
  return table("Paths of an item", [
    ["Path", (leaf) => h("code", {}, leaf.path)],
    ["Type", (leaf) => [leaf.type, leaf.repeated ? [" ", chip("several", "accent")] : null]],
    ["In an item", (leaf) => (useOf(leaf) ? figure(useOf(leaf).occurrence) : "—"), "number"],
    ["Bytes", (leaf) => (useOf(leaf) ? figure(useOf(leaf).size) : "—"), "number"],
  ], stream.leaves);
}
