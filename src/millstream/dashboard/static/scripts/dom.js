/** Elements made in one call; texts are always texts, never markup. */
const SVG = "http://www.w3.org/2000/svg";

export const h = (name, attributes, ...children) =>
  filled(document.createElement(name), attributes, children);

export const s = (name, attributes, ...children) =>
  filled(document.createElementNS(SVG, name), attributes, children);

/** Put other children into an element; whatever had the focus there keeps it. */
export function put(element, ...children) {
  const key = element.contains(document.activeElement) && document.activeElement.dataset.key;
  element.replaceChildren(...children.flat(Infinity).filter(shown));
  if (key) element.querySelector(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: true });
  return element;
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) assign(element, name, value);
  element.append(...children.flat(Infinity).filter(shown));
  return element;
}

const shown = (child) => child !== null && child !== undefined && child !== false;

function assign(element, name, value) {
  if (!shown(value)) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "style") {
    // By property: the page's own policy forbids style attributes.
    for (const [property, each] of Object.entries(value)) element.style.setProperty(property, each);
  } else if (name === "value" && "value" in element) element.value = value;
  else element.setAttribute(name, value === true ? "" : value);
}
