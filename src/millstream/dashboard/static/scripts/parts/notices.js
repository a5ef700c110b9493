/** What went wrong, what is not there yet, and what was done. */
import { Problem } from "../api.js";
import { h } from "../dom.js";
import { icon } from "./icons.js";

/** A problem document for people. */
export function problemNotice(error) {
  const problem = error instanceof Problem ? error.problem : { title: "the dashboard failed", detail: String(error?.message ?? error) };
  if (!(error instanceof Problem)) console.error(error);
  return h("div", { class: "notice", role: "alert" },
    h("strong", {}, sentence(problem.title)),
    h("span", {}, sentence(problem.detail)),
    problem.help && h("span", {}, sentence(problem.help)));
}

/** A sentence of the service, with a capital letter and a full stop. */
export function sentence(text) {
  const trimmed = String(text ?? "").trim();
  if (trimmed === "") return "";
  // What begins with a name in quotes keeps it.
  const begun = trimmed[0].toUpperCase() + trimmed.slice(1);
  return /[.!?]$/.test(begun) || begun.length < 24 ? begun : `${begun}.`;
}

export const empty = (name, title, ...text) =>
  h("div", { class: "empty" }, icon(name), h("strong", {}, title), text.length ? h("p", {}, ...text) : null);

/** Say something for a few seconds. */
export function toast(text) {
  const shown = h("div", { class: "toast" }, text);
  document.getElementById("toasts").append(shown);
  setTimeout(() => shown.remove(), 4000);
}
