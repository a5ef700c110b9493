/** The network: links coloured by load, as it is and as other strategies would have it. */
import { get } from "../api.js";
import { h, put } from "../dom.js";
import { bytes, count, duration, perSecond, plural, share, strategyName } from "../format.js";
import { region } from "../live.js";
import { card, chip, choice, facts, head, show, table } from "../parts/frame.js";
import { empty } from "../parts/notices.js";
import { linkName, networkPicture } from "../pictures/network.js";
import { address } from "../router.js";

const STRATEGIES = ["sharing", "query-shipping", "data-shipping"];

export function networkPage(view, _, signal) {
  const look = { strategy: null, chosen: null };
  show(view, "Network",
    head({ title: "Network", lead: "What plans lay on links and peers. Switch to see what other strategies would." }),
    region({ signal, seconds: 4, load: () => load(signal), render: (found) => drawn(found, look) }));
}

const load = async (signal) => {
  const pages = await Promise.all(STRATEGIES.map((each) => get(`/v1/network?strategy=${each}`, signal)));
  return Object.fromEntries(pages.map((each) => [each.strategy, each]));
};

/** Everything below the head; choosing something draws it anew. */
function drawn(networks, look) {
  const own = STRATEGIES.find((each) => networks[each].actual);
  look.strategy ??= own;
  const element = h("div", { class: "stack" });
  const draw = () => put(element, content(networks, own, look, draw));
  draw();
  return element;
}

function content(networks, own, look, draw) {
  const network = networks[look.strategy];
  const most = Math.max(...STRATEGIES.flatMap((each) => networks[each].links.map((link) => link.traffic)), 0);
  const choose = (chosen) => { look.chosen = look.chosen === chosen ? null : chosen; draw(); };
  const actions = choice({ legend: "Strategy", name: "strategy", chosen: look.strategy, options: STRATEGIES.map((each) => [each, strategyName(each)]), onchange: (to) => { look.strategy = to; draw(); } });
  const state = network.actual ? chip("Running", "good", "good live") : chip("Planned only", "warn");
  return [
    h("div", { class: "split" },
      card({ title: "Links by load", actions: [state, actions], flush: true, id: "network" },
        network.links.length
          ? networkPicture(network, { most, chosen: look.chosen, choose })
          : empty("network", "Everything is in one place", "This mill has one peer. A network makes streams flow between several.")),
      h("div", { class: "stack" },
        card({ title: "Planned traffic" }, comparison(networks, own, look)),
        card({ title: "Chosen" }, details(network, look.chosen)))),
    flowCard(network, look, choose),
    network.links.length > 0 && card({ title: "Links", flush: true }, linkTable(network)),
    card({ title: "Peers", flush: true }, peerTable(network)),
  ];
}

const total = (network) => network.links.reduce((sum, each) => sum + each.traffic, 0);

function comparison(networks, own, look) {
  const most = Math.max(...STRATEGIES.map((each) => total(networks[each])), 1e-9);
  const best = total(networks.sharing);
  const worst = total(networks["data-shipping"]);
  return h("div", { class: "stack tight", id: "comparison" },
    STRATEGIES.map((each) => h("div", { class: each === look.strategy ? "bar chosen" : "bar" },
      h("span", {}, strategyName(each)),
      h("div", { class: "track" }, h("div", { class: "fill", style: { width: `${(100 * total(networks[each])) / most}%` } })),
      h("span", { class: "number" }, perSecond(total(networks[each]))))),
    worst > 0 && best < worst && h("p", { class: "muted small" }, `Sharing needs ${share(best / worst)} of what sending whole streams would.`),
    h("p", { class: "muted small" }, `What runs: ${strategyName(own).toLowerCase()}. All links together.`));
}

function details(network, chosen) {
  const link = network.links.find((each) => linkName(each) === chosen);
  if (link) {
    const over = network.flows.filter((flow) => flow.route.some((peer, index) => index && [peer, flow.route[index - 1]].sort().join() === [link.source, link.target].sort().join()));
    return facts([
      ["Link", linkName(link)], ["Planned", perSecond(link.traffic)], ["Bandwidth", perSecond(link.bandwidth)], ["Used", share(link.share)],
      ["So far", network.actual ? `${bytes(link.bytes)}, ${plural(link.items, "item")}` : null],
      ["Carries", over.map((each) => each.name).join(", ") || "nothing"]]);
  }
  const peer = network.peers.find((each) => each.name === chosen);
  if (peer) {
    return facts([
      ["Peer", peer.name], ["Planned work", `${duration(peer.load)} a second`], ["Used", share(peer.share)],
      ["So far", network.actual ? `${duration(peer.seconds)}, ${plural(peer.items, "item")}, ${plural(peer.steps, "step")}` : null],
      ["Flows here", network.flows.filter((each) => each.route.includes(peer.name)).map((each) => each.name).join(", ") || "none"]]);
  }
  const flow = network.flows.find((each) => `flow ${each.name}` === chosen);
  if (flow) {
    return facts([
      ["Flow", flow.name], ["Way", flow.route.join(" → ")], ["Made from", flow.made_from ?? "a source"],
      ["For", flow.subscription && h("a", { href: address("subscriptions", flow.subscription) }, flow.subscription)]]);
  }
  return h("p", { class: "muted" }, "Choose a link, a peer or a flow: by pointing at it, or with Tab and Enter.");
}

function flowCard(network, look, choose) {
  if (network.flows.length === 0) return null;
  return card({ title: "Flows" },
    h("div", { class: "tags" }, network.flows.map((flow) => {
      const name = `flow ${flow.name}`;
      return h("button", { type: "button", class: "compact", "aria-pressed": String(look.chosen === name), "data-key": name, onclick: () => choose(name) },
        flow.name, h("span", { class: "muted" }, flow.route.length > 1 ? `${flow.route[0]} → ${flow.route.at(-1)}` : `at ${flow.route[0]}`));
    })));
}

const linkTable = (network) =>
  table("Links", [
    ["Link", linkName],
    ["Planned", (each) => perSecond(each.traffic), "number"],
    ["Used", (each) => share(each.share), "number"],
    ["So far", (each) => (network.actual ? bytes(each.bytes) : "—"), "number"],
    ["Items", (each) => (network.actual ? count(each.items) : "—"), "number"],
  ], [...network.links].sort((one, other) => other.traffic - one.traffic), { tall: true });

const peerTable = (network) =>
  table("Peers", [
    ["Peer", (each) => each.name],
    ["Planned work", (each) => (each.load ? `${duration(each.load)} a second` : "none"), "number"],
    ["Used", (each) => share(each.share), "number"],
    ["Worked", (each) => (network.actual ? duration(each.seconds) : "—"), "number"],
    ["Items", (each) => (network.actual ? count(each.items) : "—"), "number"],
  ], network.peers);
