/** What a stream could not take: look at it, take it home, mend it, give it again. */
import { download, get, part, post } from "../api.js";
import { h, put } from "../dom.js";
import { count } from "../format.js";
import { region } from "../live.js";
import { card, chip, field, table } from "../parts/frame.js";
import { icon } from "../parts/icons.js";
import { code } from "../parts/highlight.js";
import { empty, problemNotice, toast } from "../parts/notices.js";

const AT_ONCE = 50;

export function quarantineTab(path, stream, signal) {
  let first = 0;
  const turn = (to) => { first = Math.max(0, to); list.refresh(); };
  const list = region({
    signal, seconds: 4,
    load: () => get(`${path}/quarantine?first=${first}&limit=${AT_ONCE}`, signal),
    render: (found) => entries(path, stream, found, first, turn, () => list.refresh()),
  });
  const save = async () => {
    try {
      await download(`${path}/quarantine/download`, `${stream.name}-quarantine.jsonl`);
    } catch (error) {
      toast(error.message);
    }
  };
  return card({ title: "Set aside", flush: true, actions: h("button", { type: "button", class: "compact", onclick: save }, icon("download"), "Download") }, list);
}

function entries(path, stream, found, first, turn, done) {
  if (found.total === 0) return empty("check", "Nothing was set aside", "What cannot be read as an item of this stream is kept here with the reason, never dropped.");
  return h("div", {},
    table("Set aside", [
      ["#", (each) => String(each.number), "place"],
      ["Why", (each) => [h("strong", {}, each.kind), h("div", { class: "muted reason" }, each.reason)]],
      ["Text", (each) => code(shortened(each.raw), "xml", "wrap")],
      ["Where", (each) => h("span", { class: "muted small" }, [each.file?.split("/").at(-1), each.offset !== null && each.offset !== undefined && `byte ${count(each.offset)}`, `step ${each.step}`].filter(Boolean).join(", "))],
      ["", (each) => (each.replayed ? chip("Given again", "good") : h("button", { type: "button", class: "compact", "data-key": `replay-${each.number}`, "aria-label": `Mend and replay entry ${each.number}`, onclick: () => mend(path, stream, each, done) }, "Mend and replay"))],
    ], found.entries),
    found.total > AT_ONCE && h("div", { class: "actions legend" },
      h("button", { type: "button", class: "compact", disabled: first === 0, onclick: () => turn(first - AT_ONCE) }, "Earlier"),
      h("button", { type: "button", class: "compact", disabled: found.next >= found.total, onclick: () => turn(first + AT_ONCE) }, "Later"),
      h("span", {}, `${first + 1}–${found.next} of ${count(found.total)}`)));
}

const shortened = (text) => (text.length > 600 ? `${text.slice(0, 600)}…` : text);

function mend(path, stream, entry, done) {
  const text = h("textarea", { id: "mended", class: "mono", rows: "8", spellcheck: "false", value: entry.raw });
  const fault = h("div", {});
  const give = async (event) => {
    event.preventDefault();
    try {
      await post(`${path}/quarantine/${part(entry.number)}/replay`, { text: text.value });
      dialog.close();
      toast("Given to the stream again; its next step reads it.");
      done();
    } catch (error) {
      put(fault, problemNotice(error));
    }
  };
  const dialog = h("dialog", { "aria-labelledby": "mend-title", onclose: () => dialog.remove() },
    h("form", { onsubmit: give },
      h("h2", { id: "mend-title" }, `Mend entry ${entry.number} of ${stream.name}`),
      h("p", { class: "notice warn" }, entry.reason),
      field("Text", text, "It is given to the stream once."),
      fault,
      h("div", { class: "actions" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Not now"),
        h("button", { class: "primary", type: "submit" }, "Replay"))));
  document.body.append(dialog);
  dialog.showModal();
}
