/** All streams, and making a new one. */
import { get, part, post } from "../api.js";
import { h, put } from "../dom.js";
import { bytes, count, figure } from "../format.js";
import { region } from "../live.js";
import { card, chip, field, head, show, table } from "../parts/frame.js";
import { empty, problemNotice, toast } from "../parts/notices.js";
import { address, go } from "../router.js";

export function streamsPage(view, _, signal) {
  const opened = h("button", { class: "primary", type: "button", hidden: true, onclick: () => newStream() }, "New stream");
  get("/v1/me", signal).then((me) => { opened.hidden = !me.rights.some((each) => ["create", "operate"].includes(each)); }, () => {});
  show(view, "Streams",
    head({ title: "Streams", lead: "What flows: read once, whoever and however many subscribe.", actions: opened }),
    card({ flush: true }, region({ signal, load: () => get("/v1/streams", signal), render: streamTable })));
}

export function streamState(stream) {
  if (stream.failure) return chip("Failed", "bad", "bad");
  if (stream.ended) return chip("Ended");
  return chip("Running", "good", "good live");
}

export function streamTable(streams) {
  if (streams.length === 0) return empty("streams", "No streams yet", "Files in a folder, or a stream that another Millstream serves, become a stream here.");
  return table("Streams", [
    ["Name", (each) => h("a", { href: address("streams", each.name) }, each.name)],
    ["State", streamState],
    ["Items", (each) => count(each.items), "number"],
    ["Per second", (each) => figure(each.rate), "number"],
    ["Size", (each) => bytes(each.bytes), "number"],
    ["Set aside", (each) => (each.quarantined ? h("a", { href: address("streams", each.name, "quarantine") }, count(each.quarantined)) : "0"), "number"],
    ["At", (each) => each.peer],
    ["Owner", (each) => each.owner || "—"],
  ], streams);
}

function newStream() {
  const name = h("input", { id: "new-name", required: true, pattern: "[A-Za-z0-9_][A-Za-z0-9_.\\-]*" });
  const source = h("input", { id: "new-source", required: true, placeholder: "readings/*.xml" });
  const order = h("input", { id: "new-order", placeholder: "minute" });
  const schema = h("textarea", { id: "new-schema", class: "mono", rows: "5" });
  const fault = h("div", {});
  const make = async (event) => {
    event.preventDefault();
    const given = { name: name.value, source: source.value, order_by: order.value || null, schema: schema.value.trim() || null };
    try {
      await post("/v1/streams", Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)));
      dialog.close();
      toast(`Stream ${name.value} flows.`);
      go(`#/streams/${part(name.value)}`);
    } catch (error) {
      put(fault, problemNotice(error));
    }
  };
  const dialog = h("dialog", { "aria-labelledby": "new-title", onclose: () => dialog.remove() },
    h("form", { onsubmit: make },
      h("h2", { id: "new-title" }, "New stream"),
      field("Name", name),
      field("Source", source, "A file, folder or pattern where the service runs, or the address of a stream elsewhere."),
      field("Ordered by", order, "The path that never decreases; needed for windows of time."),
      field("Schema", schema, "A DTD, a tag structure, a JSON Schema or Spark DDL. Left empty, it is inferred."),
      fault,
      h("div", { class: "actions" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Not now"),
        h("button", { class: "primary", type: "submit" }, "Make stream"))));
  document.body.append(dialog);
  dialog.showModal();
}
