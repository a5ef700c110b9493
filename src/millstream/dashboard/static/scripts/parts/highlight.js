/** Texts of the languages in colours. */
import { h } from "../dom.js";

const XQUERY = [
  ["comment", /\(:[\s\S]*?:\)/y],
  ["string", /"(?:[^"]|"")*"|'(?:[^']|'')*'/y],
  ["window", /\|[^|\n]*\b(?:diff|count|step)\b[^|\n]*\||\?\[[^\]]*\]|#\[[^\]]*\]/y],
  ["variable", /\$[\w.-]+/y],
  ["tag", /<\/?[A-Za-z_][\w.:-]*|\/>/y],
  ["number", /\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/y],
  ["keyword", /\b(?:for|let|where|return|in|if|then|else|order|by|ascending|descending|some|every|satisfies|and|or|div|mod|at|stream|declare|function|variable|now|start)\b/y],
];
const TAGQL = [
  ["comment", /--[^\n]*/y],
  ["string", /'(?:[^']|'')*'/y],
  ["window", /\[\s*\d[^\]]*\]/y],
  ["number", /\b\d+(?:\.\d+)?\b/y],
  ["keyword", /\b(?:select|tags|tagged|objects|from|where|group|by|with|attach|tag|continuously|to|as|and|or|not|in|like|between|is|null|within|one|of|equivalent|similar|cooccurs|jaccard|using|equality|dictionary|including|untagged|create|tagger|tag_sign|tag_lifespan|tag_mode|tag_type|tag_time|overwrite|combine|instant|object|rectangle|circle|square)\b/iy],
];
const XML = [
  ["comment", /<!--[\s\S]*?-->|<[!?][^>]*>/y],
  ["tag", /<\/?[A-Za-z_][\w.:-]*|\/?>/y],
  ["attribute", /\b[\w.:-]+(?==["'])/y],
  ["string", /"[^"<]*"(?=[\s/>])/y],
];
const SQL = [
  ["comment", /--[^\n]*/y],
  ["string", /'(?:[^']|'')*'/y],
  ["number", /\b\d+(?:\.\d+)?\b/y],
  ["keyword", /\b(?:select|from|where|group|by|order|join|left|right|full|inner|on|as|with|case|when|then|else|end|and|or|not|in|is|null|union|all|having|cast|try_cast|over|partition|rows|between|lateral|view|explode|distinct|values)\b/iy],
];
const RULES = { xquery: XQUERY, tagql: TAGQL, xml: XML, sql: SQL, text: [] };

/** Pieces of a text: [kind or null, start, end], without gaps. */
function pieces(text, language) {
  const rules = RULES[language] ?? [];
  const found = [];
  let plain = 0;
  let at = 0;
  while (at < text.length) {
    const hit = rules.map(([kind, rule]) => { rule.lastIndex = at; return [kind, rule.exec(text)?.[0]]; }).find(([, match]) => match);
    if (!hit) { at += /[\w$]/.test(text[at]) ? /[\w$]+/.exec(text.slice(at))[0].length : 1; continue; }
    if (plain < at) found.push([null, plain, at]);
    found.push([hit[0], at, at + hit[1].length]);
    plain = at += hit[1].length;
  }
  if (plain < text.length) found.push([null, plain, text.length]);
  return found;
}

/** A text as coloured nodes; what is wrong in it, from a start to an end, is marked. */
export function coloured(text, language, fault = null) {
  return pieces(text, language).flatMap(([kind, start, end]) => {
    const cuts = [start, ...(fault ? [fault.start, fault.end].filter((each) => each > start && each < end) : []), end];
    return cuts.slice(1).map((to, index) => {
      const from = cuts[index];
      const node = kind ? h("span", { class: `tok-${kind}` }, text.slice(from, to)) : text.slice(from, to);
      return fault && from >= fault.start && to <= fault.end && to > from ? h("mark", {}, node) : node;
    });
  });
}

/** A text to be read, in its colours. */
export const code = (text, language, kind = "") =>
  h("pre", { class: `code ${kind}`, tabindex: kind.includes("wrap") ? null : "0" }, h("code", {}, coloured(text, language)));

/** The language that a query is most likely written in. */
export const languageOf = (text) =>
  /^\s*(?:--[^\n]*\n\s*)*(?:select|attach|create)\b/i.test(text) ? "tagql" : "xquery";
