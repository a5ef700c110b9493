/** All about one subscription: its results, its text, its plan and what it costs. */
import { getIfThere, get, part, remove } from "../api.js";
import { h, put } from "../dom.js";
import { duration, figure, perSecond, share, strategyName } from "../format.js";
import { region } from "../live.js";
import { card, chip, facts, head, show, tabs } from "../parts/frame.js";
import { code, languageOf } from "../parts/highlight.js";
import { empty, problemNotice, toast } from "../parts/notices.js";
import { resultsView } from "../parts/results-view.js";
import { address } from "../router.js";
import { subscriptionState } from "./subscriptions.js";

const STRATEGIES = ["sharing", "query-shipping", "data-shipping"];

export async function subscriptionPage(view, { name, tab = "results" }, signal) {
  const path = `/v1/subscriptions/${part(name)}`;
  const crumbs = h("a", { href: "#/subscriptions" }, "Subscriptions");
  let found;
  try {
    found = await get(path, signal);
  } catch (error) {
    if (!signal.aborted) show(view, name, head({ title: name, crumbs }), problemNotice(error));
    return;
  }
  if (signal.aborted) return;
  const at = (key) => address("subscriptions", name, ...(key === "results" ? [] : [key]));
  show(view, name,
    head({
      crumbs, title: name,
      lead: ["Reads ", found.streams.map((each, index) => [index ? ", " : "", h("a", { href: address("streams", each) }, each)]), `. Results at ${found.peer}.`],
      chips: [subscriptionState(found), found.owner && chip(`of ${found.owner}`)],
      actions: !found.cancelled && h("button", { class: "danger", type: "button", onclick: () => cancel(path, name) }, "Cancel it"),
    }),
    tabs("About this subscription", tab, [["results", "Results", at("results")], ["query", "Query", at("query")], ["plan", "Plan and cost", at("plan")]]),
    tabOf(tab, name, path, found, signal));
}

function tabOf(tab, name, path, found, signal) {
  if (tab === "query") return queryTab(found);
  if (tab === "plan") return region({ signal, seconds: 10, load: () => loadPlan(name, path, signal), render: planTab });
  return resultsView(`${path}/events`, signal);
}

const queryTab = (found) =>
  h("div", { class: "grid" },
    card({ title: "Text", actions: h("a", { href: `#/write?like=${part(found.name)}` }, "Write one like it") }, code(found.text, languageOf(found.text), "tall")),
    card({ title: "What it means" }, code(found.algebra, "text", "tall")));

async function loadPlan(name, path, signal) {
  const [plan, costs] = await Promise.all([getIfThere(`/v1/plans/${part(name)}`, signal), getIfThere(`${path}/costs`, signal)]);
  if (!plan) return { plan, costs, others: [] };
  const others = await Promise.all(STRATEGIES.map((each) => getIfThere(`/v1/plans/${part(name)}?strategy=${each}`, signal)));
  return { plan, costs, others: others.filter(Boolean).map(({ strategy, cost, traffic }) => ({ strategy, cost, traffic })) };
}

function planTab({ plan, costs, others }) {
  if (!plan) return card({}, empty("network", "It has no plan", "Cancelled subscriptions and those over histories take no part in plans of the network."));
  return h("div", { class: "split" },
    h("div", { class: "stack" }, plan.inputs.map(inputCard), card({ title: "The plan in words" }, code(plan.text, "text"))),
    h("div", { class: "stack" }, costs && costCard(plan, costs), savingsCard(plan, others), costs && endCard(costs)));
}

function inputCard(input) {
  const reused = Boolean(input.shared_with);
  const source = reused
    ? ["what was made for ", h("a", { href: address("subscriptions", input.shared_with) }, input.shared_with)]
    : ["the original stream ", h("a", { href: address("streams", input.stream) }, input.stream)];
  return card({ title: `Input ${input.stream}`, actions: reused ? chip("Reuses", "violet") : chip("From the source", "accent") },
    h("div", { class: "stack tight" },
      facts([
        ["Made from", source],
        ["Tapped at", input.tap],
        ["Done there", input.operators.length ? input.operators.map((each) => h("div", {}, h("code", {}, each))) : "nothing: it goes on as it is"],
        ["Way", input.route.length > 1 ? h("ol", { class: "hops", "aria-label": "Way through the network" }, input.route.map((each) => h("li", {}, chip(each)))) : "none: it is there already"],
        ["Left to do", input.post.map((each) => h("div", {}, h("code", {}, each)))]]),
      h("h3", {}, reused ? "Why it can be reused" : "Why it can serve"),
      h("ul", {}, input.conditions.map((each) => h("li", {}, each)))));
}

function costCard(plan, costs) {
  const links = Object.entries(costs.traffic);
  const peers = Object.entries(costs.work);
  return card({ title: "What it costs" }, facts([
    ["Cost", figure(costs.cost)],
    ["Planned by", strategyName(plan.strategy).toLowerCase()],
    ["On links", links.length ? links.map(([link, load]) => h("div", { class: "number" }, `${link}: ${perSecond(load)}`)) : "nothing more"],
    ["On peers", peers.length ? peers.map(([peer, load]) => h("div", { class: "number" }, `${peer}: ${duration(load)} a second`)) : "nothing more"]]));
}

const names = (list, none) => (list.length ? list.join(", ") : none);

const endCard = (costs) =>
  card({ title: "Who depends on it" }, facts([
    ["Others made from it", names(costs.dependents, "nobody")],
    ["Same results", costs.same_results.length ? `${names(costs.same_results)}: computed once` : "nobody else's"],
    ["Its end would end", names(costs.cancelling.ends ?? [], "nothing that flows")],
    ["and leave", costs.cancelling.lives_on?.length ? `${names(costs.cancelling.lives_on)}, for ${names(costs.cancelling.for ?? [], "others")}` : null]]));

/** What it costs by each strategy: the difference is what it saves. */
function savingsCard(plan, others) {
  const most = Math.max(...others.map((each) => each.cost), 1e-12);
  const dearest = others.find((each) => each.strategy === "data-shipping");
  return card({ title: "What it saves", id: "saves" },
    h("div", { class: "stack tight" },
      others.map((each) => h("div", { class: each.strategy === plan.strategy ? "bar chosen" : "bar", title: `${perSecond(each.traffic)} on links` },
        h("span", {}, strategyName(each.strategy)),
        h("div", { class: "track" }, h("div", { class: "fill", style: { width: `${(100 * each.cost) / most}%` } })),
        h("span", { class: "number" }, figure(each.cost)))),
      dearest && plan.cost < dearest.cost && h("p", { class: "muted small" }, `Its cost is ${share(plan.cost / dearest.cost)} of what sending it the whole stream would be: ${perSecond(plan.traffic)} on links instead of ${perSecond(dearest.traffic)}.`)));
}

function cancel(path, name) {
  const fault = h("div", {});
  const end = async (event) => {
    event.preventDefault();
    try {
      await remove(path);
      dialog.close();
      toast(`${name} is cancelled. Its results stay.`);
      dispatchEvent(new HashChangeEvent("hashchange"));
    } catch (error) {
      put(fault, problemNotice(error));
    }
  };
  const dialog = h("dialog", { "aria-labelledby": "cancel-title", onclose: () => dialog.remove() },
    h("form", { onsubmit: end },
      h("h2", { id: "cancel-title" }, `Cancel ${name}?`),
      h("p", {}, "It ends with the next step. Its results stay, and what others get from it goes on."),
      fault,
      h("div", { class: "actions" },
        h("button", { type: "button", onclick: () => dialog.close() }, "Keep it"),
        h("button", { class: "danger", type: "submit" }, "Cancel it"))));
  document.body.append(dialog);
  dialog.showModal();
}
