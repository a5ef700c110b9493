/** Tags as they are shown: on items, and in clouds. */
import { h } from "../dom.js";
import { address } from "../router.js";

const KINDS = { "+": "good", "-": "bad" };

/** One tag, coloured by its sign; a sign is also written, as not all see colours. */
export const tagChip = (tag) =>
  h("a", { class: `chip ${KINDS[tag.sign] ?? "accent"}`, href: address("tags", tag.content), title: said(tag) },
    tag.sign && `${tag.sign === "-" ? "−" : tag.sign} `, tag.content || "(retracted)", tag.object && h("span", { class: "muted" }, ` on ${tag.object}`));

/** The tags of an item; what several say in the same way stands there once. */
export function tagChips(tags) {
  const groups = Map.groupBy(tags, (tag) => [tag.content, tag.sign, tag.object].join("\n"));
  return h("span", { class: "tags" }, [...groups.values()].map((same) => {
    const made = tagChip(same[0]);
    if (same.length > 1) {
      made.append(` ×${same.length}`);
      made.title = same.map(said).join("; ");
    }
    return made;
  }));
}

const said = (tag) => [`by ${tag.tagger}`, tag.object ? `on ${tag.object}` : "on the whole item"].join(", ");

/** Words the larger the more often they are said. Sizes are from 1 to 9. */
export const cloud = (words, chosen = null) =>
  h("ul", { class: "cloud" },
    [...words].sort((one, other) => one.content.localeCompare(other.content)).map((word) =>
      h("li", {},
        h("a", {
          href: address("tags", word.content),
          style: { "font-size": `${0.8 + word.size * 0.13}rem` },
          "aria-current": word.content === chosen ? "true" : null,
          "aria-label": `${word.content}, ${word.count} times`,
          "data-key": `word-${word.content}`,
        }, word.content, h("sup", { "aria-hidden": "true" }, String(word.count))))));
