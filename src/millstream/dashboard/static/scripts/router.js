/** Addresses behind the hash: #/streams/photons/tags?x=1 */
const routes = [];
let leaving = new AbortController();

export function route(pattern, page) {
  routes.push({ parts: pattern.split("/").filter(Boolean), page });
}

/** Show the page of the address, and every page that is gone to from now on. */
export function start(view, before) {
  const show = () => {
    leaving.abort();
    leaving = new AbortController();
    const [path, query = ""] = location.hash.replace(/^#/, "").split("?");
    const given = path.split("/").filter(Boolean).map(decoded);
    const found = routes.map((each) => ({ ...each, values: matched(each.parts, given) })).find((each) => each.values);
    before(given);
    found.page(view, { ...found.values, query: new URLSearchParams(query) }, leaving.signal);
  };
  addEventListener("hashchange", () => {
    if (document.getElementById(location.hash.slice(1))) return;
    show();
    scrollTo(0, 0);
    if (!view.contains(document.activeElement)) view.focus({ preventScroll: true });
  });
  show();
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function matched(parts, given) {
  if (parts[0] === "*") return {};
  const optional = parts.filter((each) => each.endsWith("?")).length;
  if (given.length > parts.length || given.length < parts.length - optional) return null;
  const values = {};
  for (const [index, part] of parts.entries()) {
    if (part.startsWith(":")) values[part.slice(1).replace("?", "")] = given[index];
    else if (part !== given[index]) return null;
  }
  return values;
}

export const go = (address) => { location.hash = address; };
export const address = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;
