/** A plot of numbers, and a small one without axes. */
import { s } from "../dom.js";
import { figure } from "../format.js";

const EDGE = { left: 64, right: 14, top: 14, bottom: 34 };

/** Numbers round which an axis can be read. */
export function ticks(least, most, about = 5) {
  const rough = (most - least) / about || 1;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((each) => each * power).find((each) => each >= rough);
  const first = Math.ceil(least / step) * step;
  const found = [];
  for (let at = first; at <= most + step * 1e-9; at += step) found.push(Number(at.toPrecision(12)));
  return found;
}

function spread(values) {
  const least = Math.min(...values);
  const most = Math.max(...values);
  const room = (most - least) * 0.08 || Math.abs(most) * 0.1 || 1;
  return [least - room, most + room];
}

/** Points [x, y] joined in order of x. */
export function plot(points, { x, y }) {
  // Texts keep their size on a small screen, as the drawing is narrower there.
  const [WIDTH, HEIGHT] = innerWidth < 640 ? [380, 240] : [960, 280];
  const sorted = [...points].sort((one, other) => one[0] - other[0]);
  const xs = sorted.map((each) => each[0]);
  const [left, right] = xs.length > 1 && xs[0] !== xs.at(-1) ? [xs[0], xs.at(-1)] : [xs[0] - 1, xs[0] + 1];
  const [low, high] = spread(sorted.map((each) => each[1]));
  const across = (value) => EDGE.left + ((value - left) / (right - left)) * (WIDTH - EDGE.left - EDGE.right);
  const down = (value) => HEIGHT - EDGE.bottom - ((value - low) / (high - low)) * (HEIGHT - EDGE.top - EDGE.bottom);
  const line = sorted.map(([a, b], index) => `${index ? "L" : "M"}${across(a).toFixed(1)} ${down(b).toFixed(1)}`).join("");
  const last = sorted.at(-1);
  const said = `${y} over ${x}: ${sorted.length} points, from ${figure(low)} to ${figure(high)}, the last ${figure(last[1])}`;
  return s("svg", { class: "picture plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": said },
    ticks(low, high).map((each) => [
      s("line", { class: "gridline", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: down(each), y2: down(each) }),
      s("text", { class: "faint", x: EDGE.left - 8, y: down(each) + 4, "text-anchor": "end" }, figure(each))]),
    s("line", { class: "axis", x1: EDGE.left, x2: WIDTH - EDGE.right, y1: HEIGHT - EDGE.bottom, y2: HEIGHT - EDGE.bottom }),
    ticks(left, right, WIDTH / 100).map((each) => s("text", { class: "faint", x: across(each), y: HEIGHT - EDGE.bottom + 18, "text-anchor": "middle" }, figure(each))),
    s("path", { class: "series", d: line }),
    sorted.length <= 150 && sorted.map(([a, b]) =>
      s("circle", { class: "point", cx: across(a), cy: down(b), r: 3 }, s("title", {}, `${x} ${figure(a)}, ${y} ${figure(b)}`))));
}

/** How a number went lately. */
export function sparkline(values, label) {
  if (values.length < 2) return null;
  const [low, high] = [Math.min(0, ...values), Math.max(...values) || 1];
  const at = values.map((value, index) => `${((index / (values.length - 1)) * 100).toFixed(2)} ${(26 - ((value - low) / (high - low || 1)) * 24).toFixed(2)}`);
  return s("svg", { viewBox: "0 0 100 28", preserveAspectRatio: "none", role: "img", "aria-label": label },
    s("path", { class: "spark-area", d: `M0 28L${at.join("L")}L100 28Z` }),
    s("path", { class: "spark", d: `M${at.join("L")}`, "vector-effect": "non-scaling-stroke" }));
}
