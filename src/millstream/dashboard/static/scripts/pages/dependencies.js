/** Who is made from whom. */
import { get, getIfThere } from "../api.js";
import { h, s } from "../dom.js";
import { plural } from "../format.js";
import { region } from "../live.js";
import { card, head, show } from "../parts/frame.js";
import { empty } from "../parts/notices.js";
import { layered } from "../pictures/layers.js";
import { address } from "../router.js";

export function dependenciesPage(view, _, signal) {
  show(view, "Dependencies",
    head({ title: "Dependencies", lead: "Which subscriptions are made from which streams, and from what was made for others." }),
    region({ signal, load: () => load(signal), render: picture }));
}

async function load(signal) {
  const [graph, streams] = await Promise.all([get("/v1/dependencies", signal), getIfThere("/v1/streams", signal)]);
  return { ...graph, streams: (streams ?? []).map((each) => each.name) };
}

function picture({ names, edges, streams }) {
  if (names.length === 0) return card({}, empty("dependencies", "Nothing flows yet", "Streams and subscriptions show here as soon as there are some."));
  const isStream = (name) => streams.includes(name) || !edges.some((each) => each.by === name);
  const { places, width, height } = layered(names, edges);
  const reused = edges.filter((each) => !isStream(each.shared)).length;
  const said = `${plural(names.length, "node")}, ${plural(edges.length, "edge")}; ${reused} made from another subscription`;
  return h("div", { class: "stack" },
    card({ title: "Who is made from whom", flush: true, actions: h("span", { class: "muted small" }, said) },
      h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Graph of dependencies" },
        s("svg", { class: "picture", viewBox: `0 0 ${width} ${height}`, style: { "min-width": `${Math.min(width, 900)}px`, "max-width": `${width * 1.4}px`, margin: "0 auto" }, role: "group", "aria-label": said },
          s("defs", {}, marker("head", "edge-head"), marker("head-shared", "edge-head shared")),
          edges.map((each) => edge(places.get(each.shared), places.get(each.by), !isStream(each.shared))),
          names.map((name) => node(name, places.get(name), isStream(name) ? "stream" : "subscription")))),
      h("ul", { class: "legend" },
        key("stream", "a stream"), key("subscription", "a subscription"),
        h("li", {}, "Violet lines are reuse: work done for one serves another."))),
    card({ title: "The same in words" },
      edges.length ? h("ul", {}, edges.map((each) => h("li", {}, h("strong", {}, each.by), " is made from ", h("strong", {}, each.shared)))) : h("p", { class: "muted" }, "Nothing is made from anything yet.")));
}

const marker = (id, kind) =>
  s("marker", { id, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto" }, s("path", { class: kind, d: "M0 0L8 4L0 8Z" }));

function edge(from, to, shared) {
  const [x1, y1, x2, y2] = [from.x + from.width, from.y + from.height / 2, to.x - 2, to.y + to.height / 2];
  const bend = Math.max(30, (x2 - x1) / 2);
  return s("path", { class: shared ? "edge shared" : "edge", "marker-end": shared ? "url(#head-shared)" : "url(#head)", d: `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}` });
}

function node(name, place, kind) {
  const short = name.length > 18 ? `${name.slice(0, 17)}…` : name;
  return s("g", { class: `node ${kind}` },
    s("a", { href: address(kind === "stream" ? "streams" : "subscriptions", name), "aria-label": `${kind} ${name}`, "data-key": `node-${name}` },
      s("rect", { x: place.x, y: place.y, width: place.width, height: place.height, rx: kind === "stream" ? 19 : 8 }, s("title", {}, name)),
      s("text", { x: place.x + place.width / 2, y: place.y + place.height / 2 + 4.5, "pointer-events": "none" }, short)));
}

const key = (kind, title) =>
  h("li", {}, s("svg", { viewBox: "0 0 28 12", "aria-hidden": "true", class: `node ${kind}` }, s("rect", { x: 1, y: 1, width: 26, height: 10, rx: kind === "stream" ? 5 : 2 })), title);
