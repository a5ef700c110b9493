/** The tags of a stream: what they say, who says it, and saying something oneself. */
import { get, post } from "../api.js";
import { h, put } from "../dom.js";
import { count, plural } from "../format.js";
import { region } from "../live.js";
import { card, field, table } from "../parts/frame.js";
import { empty, problemNotice, toast } from "../parts/notices.js";
import { cloud, tagChip } from "../parts/tag-marks.js";

export function tagsTab(path, stream, signal) {
  const words = region({ signal, seconds: 2, load: () => get(`${path}/tags/cloud?limit=80`, signal), render: wordCloud });
  const alive = region({ signal, seconds: 2, load: () => get(`${path}/tags?live=true&limit=100`, signal), render: aliveTable });
  const refresh = () => { words.refresh(); alive.refresh(); };
  return h("div", { class: "split" },
    h("div", { class: "stack" },
      card({ title: "Tag cloud" }, words),
      card({ title: "In play", flush: true }, alive),
      card({ title: "Opinions", flush: true }, region({ signal, seconds: 5, load: () => get(`${path}/tags/opinion`, signal), render: opinionTable }))),
    card({ title: "Attach a tag" }, attachForm(path, stream, refresh)));
}

const wordCloud = (words) =>
  (words.length ? cloud(words) : empty("tags", "No tags yet", "A tag is a label on items in flight. Attach one, or let a query attach them."));

function aliveTable(tags) {
  if (tags.length === 0) return empty("tags", "No tag is in play", "Tags that can be on the next item show here, until their time is over.");
  return table("Tags in play", [
    ["Tag", tagChip],
    ["On", (tag) => h("code", {}, tag.applicability)],
    ["By", (tag) => tag.tagger],
    ["For", (tag) => tag.lifespan],
    ["", (tag) => (tag.number === null ? "waits for the next step" : `since ${tag.time ?? "the beginning"}`)],
  ], [...tags].reverse());
}

function opinionTable(opinions) {
  if (opinions.length === 0) return empty("tags", "No opinions yet", "Tags with a sign speak well or ill of what they are on.");
  return table("Opinions", [
    ["Of", (each) => (each.object === null ? "whole items" : h("code", {}, each.object))],
    ["Well", (each) => count(each.positive), "number"],
    ["Ill", (each) => count(each.negative), "number"],
    ["Neither", (each) => count(each.neutral), "number"],
  ], opinions);
}

function attachForm(path, stream, done) {
  const content = h("input", { id: "tag-content", required: true, maxlength: "4096", autocomplete: "off" });
  const object = h("select", { id: "tag-object" },
    h("option", { value: "" }, "the whole item"),
    // Tuples have the paths of an item without the item's own name.
    stream.leaves.map((leaf) => h("option", { value: withoutItem(leaf.path, stream.item) }, withoutItem(leaf.path, stream.item))));
  const tuples = h("input", { id: "tag-tuples", placeholder: "*" });
  const lifespan = h("select", { id: "tag-lifespan" },
    [["", "the next match only"], ["1 min", "1 minute"], ["30 min", "30 minutes"], ["2 h", "2 hours"], ["1 d", "1 day"]].map(([value, title]) => h("option", { value }, title)));
  const sign = h("select", { id: "tag-sign" }, [["", "neither way"], ["+", "well (+)"], ["-", "ill (−)"]].map(([value, title]) => h("option", { value }, title)));
  const mode = h("select", { id: "tag-mode" }, [["Combine", "stand beside them"], ["Overwrite", "replace them"]].map(([value, title]) => h("option", { value }, title)));
  const fault = h("div", { "aria-live": "polite" });
  const attach = async (event) => {
    event.preventDefault();
    const objects = object.value ? `{${object.value}}` : "{}";
    const body = { content: content.value, applicability: `*,${quoted(tuples.value.trim() || "*")},${objects}`, mode: mode.value };
    if (lifespan.value) body.lifespan = lifespan.value;
    if (sign.value) body.sign = sign.value;
    try {
      const tag = await post(`${path}/tags`, body);
      put(fault, h("p", { class: "notice good" }, `“${tag.content}” is attached; it enters with the next step.`));
      toast(`Tag ${tag.content} attached.`);
      content.value = "";
      done();
    } catch (error) {
      put(fault, problemNotice(error));
    }
  };
  return h("form", { class: "stack tight", onsubmit: attach },
    field("What it says", content),
    field("On", object),
    field("Of items whose key matches", tuples, stream.key ? `A pattern for ${stream.key}; * is every item.` : "* is every item."),
    field("For", lifespan),
    field("Speaks", sign),
    field("My earlier tags there", mode),
    fault,
    h("button", { class: "primary", type: "submit" }, "Attach"),
    h("p", { class: "muted small" }, "Tags are signed with your own name. Nobody overwrites another's."));
}

const withoutItem = (path, item) => (path.startsWith(`${item}/`) ? path.slice(item.length + 1) : path);
const quoted = (pattern) => (/[,"{}]/.test(pattern) ? `"${pattern.replaceAll('"', '""')}"` : pattern);
export const tuplesOf = (number) => plural(number, "item");
