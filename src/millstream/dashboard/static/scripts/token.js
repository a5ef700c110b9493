/** The dialog in which a token is given; however many ask, it is shown once. */
import { h } from "./dom.js";

let waiting = null;

export function askForToken(refusal) {
  waiting ??= show(refusal).finally(() => { waiting = null; });
  return waiting;
}

function show(refusal) {
  return new Promise((resolve) => {
    const input = h("input", { id: "token", type: "password", autocomplete: "current-password", required: true, spellcheck: "false", "aria-describedby": "token-hint" });
    const give = (event) => {
      event.preventDefault();
      dialog.close();
      dialog.remove();
      resolve(input.value.trim());
    };
    const dialog = h("dialog", { "aria-labelledby": "token-title" },
      h("form", { onsubmit: give },
        h("h2", { id: "token-title" }, "A token is needed"),
        refusal && h("p", { class: "notice", role: "alert" }, `${refusal[0].toUpperCase()}${refusal.slice(1)}.`),
        h("div", { class: "field" },
          h("label", { for: "token" }, "Token"),
          input,
          h("p", { class: "hint", id: "token-hint" }, "Whoever runs this service can make you one. It is kept until this tab is closed.")),
        h("div", { class: "actions" }, h("button", { class: "primary", type: "submit" }, "Enter"))));
    // Without a token there is nothing to go back to.
    dialog.addEventListener("cancel", (event) => event.preventDefault());
    document.body.append(dialog);
    dialog.showModal();
  });
}
