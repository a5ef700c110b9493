/** Items, which are XML texts, as rows of a table. */
const parser = new DOMParser();

/** The leaves of an item by their paths, in order; null for what is no XML. */
export function leaves(text) {
  const root = parser.parseFromString(text, "text/xml").documentElement;
  if (root === null || root.nodeName === "parsererror" || root.querySelector("parsererror")) return null;
  const found = new Map();
  collect(root, "", found);
  return { name: root.nodeName, values: found };
}

function collect(element, path, found) {
  for (const { name, value } of element.attributes) add(found, path ? `${path}/@${name}` : `@${name}`, value);
  const children = [...element.children];
  if (children.length === 0) {
    const text = element.textContent.trim();
    if (path || text) add(found, path || ".", text);
    return;
  }
  for (const child of children) collect(child, path ? `${path}/${child.nodeName}` : child.nodeName, found);
}

const add = (found, path, value) => found.set(path, found.has(path) ? `${found.get(path)}, ${value}` : value);

export const isNumber = (text) => text !== undefined && /^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$/.test(text);

/** XML with an element a line, indented; texts stay as they are. */
export function indented(text) {
  const parts = text.replace(/>\s+</g, "><").split(/(?<=>)(?=<)/);
  let depth = 0;
  return parts.map((part) => {
    if (part.startsWith("</")) depth -= 1;
    const line = `${"  ".repeat(Math.max(0, depth))}${part}`;
    if (/^<[^!?/]/.test(part) && !part.endsWith("/>") && !part.includes("</")) depth += 1;
    return line;
  }).join("\n");
}
