/** A text field with numbers of lines and colours, in which a fault is shown at its place. */
import { h, put } from "../dom.js";
import { coloured } from "./highlight.js";

const INDENT = "  ";

export class Editor {
  constructor({ label, text = "", language = () => "xquery", onchange = () => {}, onrun = () => {}, short = false, describedBy = null }) {
    this.language = language;
    this.fault = null;
    this.gutter = h("div", { class: "gutter", "aria-hidden": "true" });
    this.behind = h("pre", { "aria-hidden": "true" });
    this.field = h("textarea", {
      "aria-label": label, "aria-describedby": describedBy, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      oninput: () => { this.fault = null; this.draw(); onchange(); },
      onscroll: () => this.follow(),
      onkeydown: (event) => this.pressed(event, onrun),
    });
    this.field.value = text;
    this.element = h("div", { class: short ? "editor short" : "editor" }, this.gutter, h("div", { class: "sheet" }, this.behind, this.field));
    this.draw();
  }

  get text() { return this.field.value; }

  set text(value) {
    this.field.value = value;
    this.fault = null;
    this.draw();
  }

  /** Mark what is wrong. Spans count characters, the field counts in UTF-16. */
  mark(span) {
    const characters = Array.from(this.text);
    const offset = (place) => characters.slice(0, place).join("").length;
    const start = Math.min(offset(span.start), this.text.length);
    const end = Math.min(offset(Math.max(span.end, span.start + 1)), this.text.length);
    // What is missing at the very end is shown on the last character that there is.
    this.fault = start < end ? { start, end } : { start: Math.max(0, this.text.trimEnd().length - 1), end: this.text.length };
    this.draw();
  }

  clear() {
    this.fault = null;
    this.draw();
  }

  /** Go to what is wrong. */
  visit() {
    this.field.focus();
    if (!this.fault) return;
    this.field.setSelectionRange(this.fault.start, this.fault.end);
    const line = this.text.slice(0, this.fault.start).split("\n").length;
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = Math.max(0, (line - 4) * height);
    this.field.scrollIntoView({ block: "nearest" });
  }

  draw() {
    const { text, fault } = this;
    const faulty = fault ? text.slice(0, fault.start).split("\n").length : 0;
    put(this.behind, coloured(text, this.language(), fault), "\n");
    const lines = text.split("\n").length;
    put(this.gutter, Array.from({ length: lines }, (_, n) => h("span", { class: n + 1 === faulty ? "faulty" : null }, String(n + 1))));
    this.element.classList.toggle("faulty", Boolean(fault));
    this.field.setAttribute("aria-invalid", fault ? "true" : "false");
    this.field.rows = Math.min(Math.max(lines + 1, 4), 32);
    this.follow();
  }

  follow() {
    this.behind.scrollTop = this.field.scrollTop;
    this.behind.scrollLeft = this.field.scrollLeft;
    this.gutter.scrollTop = this.field.scrollTop;
  }

  pressed(event, onrun) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      onrun();
    } else if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      const line = this.text.slice(0, this.field.selectionStart).split("\n").at(-1);
      const indent = /^\s*/.exec(line)[0];
      if (!indent) return;
      event.preventDefault();
      // Through the browser, so that what is typed can be undone.
      document.execCommand("insertText", false, `\n${indent}`);
    } else if (event.key === "Tab" && this.field.selectionStart !== this.field.selectionEnd && !event.shiftKey) {
      // Tab alone goes on to the next control, as everywhere; on a selection it indents.
      event.preventDefault();
      const { selectionStart, selectionEnd } = this.field;
      const chosen = this.text.slice(selectionStart, selectionEnd).replace(/^/gm, INDENT);
      document.execCommand("insertText", false, chosen);
      this.field.setSelectionRange(selectionStart, selectionStart + chosen.length);
    }
  }
}
