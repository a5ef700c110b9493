/** The network drawn: wider and warmer links carry more. */
import { h, s } from "../dom.js";
import { perSecond, share } from "../format.js";
import { places } from "./stress.js";

const NODE = 27;
const STEPS = [0, 0.25, 0.5, 0.75];

export const linkName = (link) => `${link.source} – ${link.target}`;

const FULL = 0.9;

/** From 0, nothing, to 4, by the share of the most that any strategy lays on a link; 5 is too much. */
function level(link, most) {
  if (link.share >= FULL) return 5;
  return link.traffic <= 0 ? 0 : STEPS.filter((each) => link.traffic / most > each).length;
}

export function networkPicture(network, { most, chosen, choose }) {
  const [WIDTH, HEIGHT] = innerWidth < 640 ? [400, 460] : [760, 500];
  const names = network.peers.map((each) => each.name);
  const at = places(names, network.links, { width: WIDTH, height: HEIGHT, margin: 42 });
  const flow = network.flows.find((each) => `flow ${each.name}` === chosen);
  const said = `Network of ${names.length} peers and ${network.links.length} links, coloured by planned traffic`;
  return h("div", {},
    s("svg", { class: "picture", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": said },
      network.links.map((link) => linkPicture(link, at, most, chosen, choose)),
      flow && flow.route.length > 1 && s("path", { class: "route", d: `M${flow.route.map((peer) => at.get(peer).map((each) => each.toFixed(1)).join(" ")).join("L")}` }),
      network.links.filter((each) => each.traffic > 0).map((link) => label(link, at)),
      network.peers.map((peer) => peerPicture(peer, at.get(peer.name), chosen, choose))),
    legend(most));
}

const pressed = (deed) => (event) => {
  if (event.key === "Enter" || event.key === " ") { event.preventDefault(); deed(); }
};

function linkPicture(link, at, most, chosen, choose) {
  const [[x1, y1], [x2, y2]] = [at.get(link.source), at.get(link.target)];
  const name = linkName(link);
  const line = { x1, y1, x2, y2 };
  const said = `${name}: ${perSecond(link.traffic)} planned, ${share(link.share)} of its bandwidth`;
  return s("g", {},
    s("line", { class: chosen === name ? "link-hit chosen" : "link-hit", ...line, tabindex: "0", role: "button", "aria-pressed": String(chosen === name), "aria-label": said, "data-key": name, onclick: () => choose(name), onkeydown: pressed(() => choose(name)) }, s("title", {}, said)),
    s("line", { class: `link load-${level(link, most)}`, ...line, "stroke-width": (2 + 9 * (most > 0 ? link.traffic / most : 0)).toFixed(1), "pointer-events": "none" }));
}

function label(link, at) {
  const [[x1, y1], [x2, y2]] = [at.get(link.source), at.get(link.target)];
  return s("text", { class: "link-label faint", x: (x1 + x2) / 2, y: (y1 + y2) / 2 + 4, "pointer-events": "none" }, perSecond(link.traffic));
}

function peerPicture(peer, [x, y], chosen, choose) {
  const said = `${peer.name}: ${share(peer.share)} of its capacity planned`;
  const kind = level({ share: peer.share, traffic: peer.share }, 1);
  return s("g", { class: chosen === peer.name ? "peer chosen" : "peer", tabindex: "0", role: "button", "aria-pressed": String(chosen === peer.name), "aria-label": said, "data-key": peer.name, onclick: () => choose(peer.name), onkeydown: pressed(() => choose(peer.name)) },
    s("title", {}, said),
    s("circle", { class: `load-${kind}`, cx: x, cy: y, r: NODE }),
    s("text", { x, y: y + 1 }, peer.name.length > 6 ? `${peer.name.slice(0, 5)}…` : peer.name),
    s("text", { class: "faint", x, y: y + 15 }, share(peer.share)));
}

function legend(most) {
  const entries = [["nothing", 0], ...STEPS.map((each, index) => [`up to ${perSecond(most * (STEPS[index + 1] ?? 1))}`, index + 1]), ["over 90% of its bandwidth", 5]];
  return h("ul", { class: "legend", "aria-label": "Colours" }, (most > 0 ? entries : entries.slice(0, 1)).map(([title, kind]) =>
    h("li", {}, s("svg", { viewBox: "0 0 28 10", "aria-hidden": "true" }, s("line", { class: `load-${kind}`, x1: 3, x2: 25, y1: 5, y2: 5, "stroke-width": 2 + Math.min(kind, 4) * 1.6, "stroke-linecap": "round" })), title)));
}
