/** Figures as people read them. */
const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

export const count = (number) => (Math.abs(number) < 100000 ? whole.format(number) : compact.format(number));
export const exact = (number) => whole.format(number);

/** A number of any size, with about three digits that matter. */
export function figure(number) {
  const size = Math.abs(number);
  if (size === 0) return "0";
  if (size < 0.001) return power(number);
  if (size < 1) return String(Number(number.toPrecision(3)));
  return size < 1000 ? short.format(number) : count(number);
}

const RAISED = { "-": "⁻", 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹" };

function power(number) {
  const [digits, exponent] = number.toExponential(1).split("e");
  return `${digits} × 10${[...exponent].map((each) => RAISED[each]).join("")}`;
}

const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function bytes(number) {
  let size = number;
  let unit = 0;
  while (size >= 1000 && unit < UNITS.length - 1) [size, unit] = [size / 1000, unit + 1];
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`;
}

export const perSecond = (number) => `${bytes(number)}/s`;

export function share(number) {
  const percent = 100 * number;
  if (percent === 0) return "0%";
  return percent < 0.1 ? "<0.1%" : `${percent < 10 ? percent.toFixed(1) : Math.round(percent)}%`;
}

export function duration(seconds) {
  if (seconds > 0 && seconds < 0.001) return `${figure(seconds * 1e6)} µs`;
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 90) return `${seconds < 10 ? short.format(seconds) : Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  if (seconds < 129600) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86400)} d`;
}

export const plural = (number, one, many = `${one}s`) => `${count(number)} ${number === 1 ? one : many}`;

const STRATEGIES = { sharing: "Sharing", "query-shipping": "Query shipping", "data-shipping": "Data shipping" };
export const strategyName = (name) => STRATEGIES[name] ?? name;
