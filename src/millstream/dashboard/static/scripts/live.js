/** Parts of a page that keep themselves up to date. */
import { isAbort } from "./api.js";
import { h, put } from "./dom.js";
import { problemNotice } from "./parts/notices.js";

/** Do something now and again every so often, while the page is shown and looked at. */
export async function every(milliseconds, signal, deed) {
  while (!signal.aborted) {
    if (!document.hidden) await deed();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
  }
}

/**
 * An element that shows what is loaded, and shows it anew only when it has changed.
 * Its `refresh` loads at once.
 */
export function region({ load, render, signal, seconds = 3, tag = "div", ...attributes }) {
  const element = h(tag, { "aria-busy": "true", ...attributes }, skeleton());
  let shown = null;
  element.refresh = async () => {
    try {
      const data = await load(signal);
      if (signal.aborted) return;
      const text = JSON.stringify(data);
      if (text !== shown) put(element, render(data));
      shown = text;
    } catch (error) {
      if (isAbort(error) || signal.aborted) return;
      shown = null;
      put(element, problemNotice(error));
    }
    element.removeAttribute("aria-busy");
  };
  if (seconds === null) element.refresh();
  else every(seconds * 1000, signal, element.refresh);
  return element;
}

const skeleton = () => h("div", { class: "skeleton", "aria-label": "loading" }, h("i"), h("i"), h("i"));
