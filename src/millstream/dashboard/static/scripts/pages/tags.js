/** Browsing by tag: a tag, what it is on, and the tags that are found with it. */
import { get, getIfThere, part } from "../api.js";
import { h } from "../dom.js";
import { count, plural } from "../format.js";
import { region } from "../live.js";
import { offers } from "../offers.js";
import { card, head, show, table } from "../parts/frame.js";
import { empty } from "../parts/notices.js";
import { cloud } from "../parts/tag-marks.js";
import { address } from "../router.js";
import { itemTable } from "./stream.js";

const NEWEST = 8;

export function tagsPage(view, { content = null }, signal) {
  const words = card({ title: "Tags of all streams" },
    region({ signal, seconds: 5, load: () => loadWords(signal), render: (found) => wordCloud(found, content) }));
  if (content === null) {
    show(view, "Tags", head({ title: "Tags", lead: "What people and queries say of items in flight. Choose a tag to see what it is on." }), words);
    return;
  }
  show(view, content,
    head({ title: `“${content}”`, crumbs: h("a", { href: "#/tags" }, "Tags"), lead: "What it is on, who says it, and what else is said of the same items." }),
    region({ signal, seconds: 5, load: () => loadTag(content, signal), render: (found) => tagDetails(found, content) }),
    words);
}

async function streamNames(signal) {
  return (await get("/v1/streams", signal)).map((each) => each.name);
}

/** What is asked of every stream, for those that have an answer. */
async function ofEach(names, path, signal) {
  const found = await Promise.all(names.map((name) => getIfThere(`/v1/streams/${part(name)}/tags${path}`, signal)));
  return names.flatMap((name, index) => (found[index] ?? []).map((each) => ({ ...each, stream: name })));
}

async function loadWords(signal) {
  const words = await ofEach(await streamNames(signal), "/cloud?limit=100", signal);
  const counts = new Map();
  for (const { content, count: times } of words) counts.set(content, (counts.get(content) ?? 0) + times);
  const most = Math.max(1, ...counts.values());
  return [...counts].map(([content, times]) => ({ content, count: times, size: sized(times, most) }));
}

/** From 1 to 9, growing with the logarithm. */
const sized = (times, most) => Math.max(1, Math.round((9 * Math.log(times + 1)) / Math.log(most + 1)));

const wordCloud = (words, chosen) =>
  (words.length ? cloud(words, chosen) : empty("tags", "No tags yet", "Open a stream and attach one, or register a TAG-QL query that attaches them."));

async function loadTag(content, signal) {
  const names = await streamNames(signal);
  const [deeds, items, related] = await Promise.all([
    ofEach(names, "/taggers", signal),
    loadIf("/v1/streams/{name}/tags/items", names, `/items?content=${part(content)}&limit=${NEWEST}`, signal),
    loadIf("/v1/streams/{name}/tags/related", names, `/related?content=${part(content)}`, signal)]);
  return { deeds, items, related: related ?? neighbours(deeds, content) };
}

const loadIf = async (offered, names, path, signal) => ((await offers(offered)) ? ofEach(names, path, signal) : null);

/** Tags on the same attributes, where the service does not tell which are on the same items. */
function neighbours(deeds, content) {
  const place = (deed) => `${deed.stream}\n${deed.object}`;
  const own = new Set(deeds.filter((each) => each.content === content).map(place));
  return deeds.filter((each) => each.content !== content && own.has(place(each))).map((each) => ({ content: each.content, items: each.tuples }));
}

function tagDetails({ deeds, items, related }, content) {
  const own = deeds.filter((each) => each.content === content);
  if (own.length === 0) return card({}, empty("tags", "It is on nothing yet", "The tag may wait for the next step, or is not kept any more."));
  return h("div", { class: "stack" },
    h("div", { class: "split" },
      card({ title: "What it is on", flush: true, id: "objects" }, objectTable(own)),
      card({ title: "Related tags", id: "related" }, relatedCloud(related))),
    (items ?? []).length > 0 && card({ title: "Newest items that have it", flush: true }, itemsByStream(items)));
}

const objectTable = (deeds) =>
  table("What it is on", [
    ["Stream", (each) => h("a", { href: address("streams", each.stream, "tags") }, each.stream)],
    ["Object", (each) => (each.object === null ? "whole items" : h("code", {}, each.object))],
    ["By", (each) => each.tagger],
    ["Tags", (each) => count(each.tags), "number"],
    ["Items", (each) => count(each.tuples), "number"],
  ], deeds);

function relatedCloud(related) {
  if (related.length === 0) return empty("tags", "It stands alone", "No other tag is on the same items.");
  const counts = new Map();
  for (const each of related) counts.set(each.content, (counts.get(each.content) ?? 0) + each.items);
  const most = Math.max(...counts.values());
  return cloud([...counts].map(([content, times]) => ({ content, count: times, size: sized(times, most) })));
}

function itemsByStream(items) {
  const streams = [...new Set(items.map((each) => each.stream))];
  return streams.map((stream) => {
    const own = items.filter((each) => each.stream === stream && each.value !== null).reverse();
    return h("div", {},
      streams.length > 1 && h("p", { class: "legend" }, `${plural(own.length, "item")} of ${stream}`),
      itemTable(own));
  });
}
