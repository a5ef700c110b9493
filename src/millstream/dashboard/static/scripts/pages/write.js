/** Writing a subscription: tried first, registered then, with errors at their place. */
import { Problem, get, getIfThere, part, post } from "../api.js";
import { h, put } from "../dom.js";
import { figure } from "../format.js";
import { HINTS, LANGUAGES, example } from "../examples.js";
import { accepts } from "../offers.js";
import { Editor } from "../parts/editor.js";
import { card, chip, choice, facts, field, head, show } from "../parts/frame.js";
import { code, languageOf } from "../parts/highlight.js";
import { problemNotice, sentence, toast } from "../parts/notices.js";
import { address, go } from "../router.js";

const DRAFT = "millstream.draft";

export async function writePage(view, { query }, signal) {
  let streams;
  let peers;
  let told;
  try {
    [streams, peers, told] = await Promise.all([get("/v1/streams", signal), peerNames(signal), accepts("NewSubscription", "language")]);
  } catch (error) {
    if (!signal.aborted) show(view, "New subscription", head({ title: "New subscription" }), problemNotice(error));
    return;
  }
  const like = query.get("like") && (await getIfThere(`/v1/subscriptions/${part(query.get("like"))}`, signal));
  if (!signal.aborted) new Writing({ streams, peers, told, signal }).open(view, query.get("stream"), like?.text);
}

const peerNames = async (signal) => ((await getIfThere("/v1/network", signal))?.peers ?? []).map((each) => each.name);

/** The page, and what has been tried on it. */
class Writing {
  constructor(surroundings) {
    Object.assign(this, surroundings);
    this.language = "wxquery";
    this.told = surroundings.told;
    this.answer = h("div", { id: "answer", "aria-live": "polite", class: "stack" });
    this.hint = h("p", { class: "muted small" });
    this.name = h("input", { id: "sub-name", placeholder: "a name is made", pattern: "[A-Za-z0-9_][A-Za-z0-9_.\\-]*", autocomplete: "off" });
    this.stream = h("select", { id: "sub-stream", onchange: () => this.begin() }, this.streams.map((each) => h("option", { value: each.name }, each.name)));
    this.peer = h("select", { id: "sub-peer" }, h("option", { value: "" }, "the usual place"), this.peers.map((each) => h("option", { value: each }, each)));
    this.start = h("select", { id: "sub-start" }, h("option", { value: "now" }, "what comes from now on"), h("option", { value: "log" }, "the past too, as far as kept"));
    this.tryButton = h("button", { type: "button", onclick: () => this.send(true) }, "Dry run");
    this.makeButton = h("button", { type: "button", class: "primary", onclick: () => this.send(false) }, "Register");
    this.editor = new Editor({
      label: "Query", describedBy: "answer", language: () => (this.language === "tagql" ? "tagql" : "xquery"),
      onchange: () => this.changed(), onrun: () => this.send(true),
    });
  }

  open(view, stream, text) {
    const draft = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
    const languages = h("div", {});
    this.drawLanguages = () => put(languages, choice({ legend: "Language", name: "language", options: LANGUAGES, chosen: this.language, onchange: (to) => this.speak(to) }));
    show(view, "New subscription",
      head({ title: "New subscription", lead: "Write a query, try it without registering it, and see what it would reuse." }),
      h("div", { class: "split" },
        h("div", { class: "stack" },
          card({ title: "Query", actions: languages },
            h("div", { class: "stack tight" }, this.editor.element, this.hint,
              h("div", { class: "actions" }, this.tryButton, this.makeButton, h("span", { class: "muted small" }, h("kbd", {}, "Ctrl"), " + ", h("kbd", {}, "Enter"), " tries it")))),
          this.answer),
        card({ title: "Options" },
          h("div", { class: "stack tight" },
            field("Name", this.name),
            this.streams.length > 0 && field("Example over", this.stream, "Choosing a stream begins anew."),
            this.peers.length > 1 && field("Results at", this.peer, "The peer that you are at. Unless told: the first, or for tags where their stream is."),
            field("Answered from", this.start)))));
    if (text) this.put(text, languageOf(text) === "tagql" ? "tagql" : "wxquery");
    else if (stream) this.beginWith(stream);
    else if (draft?.text.trim()) this.put(draft.text, draft.language);
    else this.begin();
  }

  beginWith(stream) {
    this.stream.value = stream;
    this.begin();
  }

  /** An example of the language over the chosen stream; a history has a language of its own.
   * What is written while it is fetched stays. */
  async begin() {
    const before = this.editor.text;
    const found = this.stream.value ? await getIfThere(`/v1/streams/${part(this.stream.value)}?sample=0`, this.signal) : null;
    if (this.editor.text !== before) return;
    if (found?.kind === "fillers") this.language = "xcql";
    else if (this.language === "xcql" && found) this.language = "wxquery";
    this.put(example(this.language, found), this.language);
  }

  async speak(language) {
    const untouched = !this.touched;
    this.language = language;
    if (untouched && language === "xcql") await this.chooseHistory();
    const found = untouched && this.stream.value ? await getIfThere(`/v1/streams/${part(this.stream.value)}?sample=0`, this.signal) : null;
    this.put(untouched ? example(language, found) : this.editor.text, language, !untouched);
  }

  /** XCQL asks histories: the first there is, if the chosen stream is none. */
  async chooseHistory() {
    const pages = await Promise.all(this.streams.map((each) => getIfThere(`/v1/streams/${part(each.name)}?sample=0`, this.signal)));
    const history = pages.find((each) => each?.kind === "fillers");
    if (history) this.stream.value = history.name;
  }

  put(text, language, touched = false) {
    this.language = language;
    this.touched = touched;
    this.editor.text = text;
    this.hint.textContent = HINTS[language];
    this.drawLanguages();
    put(this.answer);
  }

  changed() {
    this.touched = true;
    sessionStorage.setItem(DRAFT, JSON.stringify({ text: this.editor.text, language: this.language }));
    put(this.answer);
  }

  async send(dry) {
    if (!this.name.reportValidity()) return;
    const body = { text: this.editor.text, start: this.start.value };
    if (this.name.value) body.name = this.name.value;
    if (this.peer.value) body.peer = this.peer.value;
    if (this.told) body.language = this.language === "tagql" ? "tagql" : "xquery";
    this.busy(true);
    try {
      const found = await post(`/v1/subscriptions${dry ? "?dry_run=true" : ""}`, body, this.signal);
      this.editor.clear();
      if (dry) put(this.answer, explained(found));
      else this.registered(found);
    } catch (error) {
      if (!this.signal.aborted) this.wrong(error);
    }
    this.busy(false);
  }

  busy(is) {
    this.tryButton.disabled = this.makeButton.disabled = is;
  }

  registered(found) {
    sessionStorage.removeItem(DRAFT);
    toast(`${found.name} is registered.`);
    go(address("subscriptions", found.name));
  }

  /** Show what is wrong, in the text itself if it has a place there. */
  wrong(error) {
    const problem = error instanceof Problem ? error.problem : null;
    if (!problem?.span) {
      put(this.answer, problemNotice(error));
      return;
    }
    this.editor.mark(problem.span);
    const place = problem.span.line ? `Line ${problem.span.line}, column ${problem.span.column}` : "In the query";
    put(this.answer, h("div", { class: "notice", role: "alert", id: "fault" },
      h("strong", {}, `${place}: ${problem.title}`),
      h("span", {}, sentence(problem.detail)),
      problem.help && h("span", {}, sentence(problem.help)),
      h("div", {}, h("button", { type: "button", class: "compact", onclick: () => this.editor.visit() }, "Go to the place"))));
  }
}

/** How a query would be answered. */
function explained(found) {
  const reuse = /tap stream (\S+)/.exec(found.sharing)?.[1];
  const saving = /not sharing would cost (\S+) instead of (\S+)/.exec(found.sharing);
  return [
    found.refusal
      ? h("div", { class: "notice", role: "alert" }, h("strong", {}, "It would be refused"), sentence(found.refusal))
      : h("div", { class: "notice good" }, h("strong", {}, "It can be registered"), "Nothing has been registered yet."),
    card({ title: "Dry run", id: "dry-run" },
      h("div", { class: "stack" },
        facts([
          ["Reads", found.streams.join(", ")],
          ["Would be made from", reuse && (found.streams.includes(reuse) ? ["the original stream ", chip(reuse, "accent")] : ["what already flows: ", chip(reuse, "violet")])],
          ["Cost", found.kind === "items" ? figure(found.cost) : null],
          ["Without sharing", saving && figure(Number(saving[1]))],
          ["Evaluated", found.evaluation]]),
        section("What it asks", found.properties, "text", true),
        section("What it would reuse, and why", found.sharing, "text", true),
        section("Algebra", found.algebra, "text"),
        section("Spark SQL of a step", found.sql, "sql"))),
  ];
}

const section = (title, text, language, open = false) =>
  (text ? h("details", { open }, h("summary", {}, title), code(text, language, "wrap tall")) : null);
