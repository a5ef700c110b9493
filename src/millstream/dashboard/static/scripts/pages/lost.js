/** For addresses that lead nowhere. */
import { h } from "../dom.js";
import { head, show } from "../parts/frame.js";

export function lostPage(view) {
  show(view, "Nothing here",
    head({ title: "Nothing here", lead: "This address leads nowhere. It may be mistyped, or what it showed has gone." }),
    h("p", {}, h("a", { href: "#/" }, "Go to the overview")));
}
