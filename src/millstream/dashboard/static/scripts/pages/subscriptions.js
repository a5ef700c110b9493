/** All subscriptions of whoever looks. */
import { get } from "../api.js";
import { h } from "../dom.js";
import { region } from "../live.js";
import { card, chip, head, show, table } from "../parts/frame.js";
import { empty } from "../parts/notices.js";
import { address } from "../router.js";

export function subscriptionsPage(view, _, signal) {
  let ended = false;
  const list = region({ signal, load: () => get(`/v1/subscriptions?cancelled=${ended}`, signal), render: subscriptionTable });
  const check = h("label", { class: "check" }, h("input", { type: "checkbox", onchange: (event) => { ended = event.target.checked; list.refresh(); } }), "Show cancelled ones");
  show(view, "Subscriptions",
    head({ title: "Subscriptions", lead: "Continuous queries. Their results come as long as their streams flow.", actions: h("a", { class: "button", href: "#/write" }, "New subscription") }),
    card({ flush: true, title: "Yours", actions: check }, list));
}

export const subscriptionState = (subscription) =>
  (subscription.cancelled ? chip("Cancelled") : chip("Active", "good", "good live"));

export function subscriptionTable(subscriptions) {
  if (subscriptions.length === 0) return empty("subscriptions", "No subscriptions yet", "Write a query, try it, and register it: ", h("a", { href: "#/write" }, "new subscription"), ".");
  return table("Subscriptions", [
    ["Name", (each) => h("a", { href: address("subscriptions", each.name) }, each.name)],
    ["State", subscriptionState],
    ["Streams", (each) => each.streams.map((name, index) => [index ? ", " : "", h("a", { href: address("streams", name) }, name)])],
    ["Results at", (each) => each.peer],
    ["Owner", (each) => each.owner || "—"],
  ], subscriptions);
}
