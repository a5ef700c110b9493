/** The fillers of a history: what changed when. */
import { get, part } from "./api.js";

const AT_ONCE = 5000;
const MOST = 50000;

/** All fillers of a stream in order of time, as many as can be looked at; those behind a position. */
export async function loadFillers(name, after, signal) {
  const found = [];
  let next = after;
  for (let more = true; more && found.length < MOST;) {
    const page = await get(`/v1/streams/${part(name)}/items?limit=${AT_ONCE}${next === null ? "" : `&after=${part(next)}`}`, signal);
    found.push(...page.items.map(fillerOf).filter(Boolean));
    next = page.next;
    more = page.more;
  }
  return { fillers: found, next, cut: found.length >= MOST };
}

function fillerOf(item) {
  const head = /^<filler\b([^>]*)>/.exec(item.value);
  if (!head) return null;
  const attribute = (name) => new RegExp(`\\b${name}="([^"]*)"`).exec(head[1])?.[1];
  const content = item.value.slice(head[0].length).replace(/<\/filler>\s*$/, "");
  return { id: attribute("id"), tsid: attribute("tsid"), time: attribute("validTime"), content, position: item.position };
}

/** Instants at which something changed, in order. */
export const instantsOf = (fillers) => [...new Set(fillers.map((each) => each.time))].sort();

/** What changed at an instant, each with what stood there before: events replace nothing. */
export function changesAt(fillers, instant, events) {
  const before = new Map();
  for (const each of fillers) {
    if (each.time < instant && !(before.get(each.id)?.time > each.time)) before.set(each.id, each);
  }
  return fillers.filter((each) => each.time === instant)
    .map((each) => ({ ...each, before: events.has(each.tsid) ? null : before.get(each.id)?.content ?? null }));
}

/** Names of tags, and which of them are events, by the structure of the history. */
export function structureOf(text) {
  const parsed = new DOMParser().parseFromString(text.replaceAll("stream:structure", "structure"), "text/xml");
  const tags = [...parsed.querySelectorAll("tag")];
  return {
    root: tags[0]?.getAttribute("name") ?? "*",
    names: new Map(tags.map((each) => [each.getAttribute("id"), each.getAttribute("name")])),
    events: new Set(tags.filter((each) => each.getAttribute("type") === "event").map((each) => each.getAttribute("id"))),
  };
}
