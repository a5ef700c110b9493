/** A query to begin with, in each language, over a stream as it is. */

const numeric = (leaf) => ["integer", "decimal", "double"].includes(leaf.type) && !leaf.repeated;

export const LANGUAGES = [["wxquery", "WXQuery"], ["xcql", "XCQL"], ["tagql", "TAG-QL"]];
export const HINTS = {
  wxquery: "XQuery over items, with windows such as |minute diff 15 step 5|.",
  xcql: "XQuery over histories, with intervals ?[…] and versions #[…].",
  tagql: "Selecting by tags, and attaching them.",
};

export function example(language, stream) {
  if (language === "tagql") return tagql(stream);
  return language === "xcql" ? xcql(stream) : wxquery(stream);
}

function wxquery(stream) {
  const item = stream?.item ?? "item";
  const root = stream?.layout?.root ?? "items";
  const leaves = stream?.leaves ?? [];
  const measure = leaves.filter(numeric).find((leaf) => leaf.path !== stream?.order_by) ?? leaves[0];
  const shown = [...new Set([stream?.order_by, measure?.path])].filter(Boolean);
  const variable = `$${item.replace(/\W/g, "").slice(0, 1) || "i"}`;
  const least = measure && numeric(measure) ? `\n    where ${variable}/${measure.path} >= 0` : "";
  const returned = shown.map((path) => `{ ${variable}/${path} }`).join(" ") || `{ ${variable} }`;
  return `<results>
  { for ${variable} in stream("${stream?.name ?? "items"}")/${root ? `${root}/` : ""}${item}${least}
    return <result> ${returned} </result> }
</results>
`;
}

function xcql(stream) {
  const tag = /<tag[^>]*type="temporal"[^>]*name="([^"]+)"|<tag[^>]*name="([^"]+)"[^>]*type="temporal"/.exec(stream?.structure ?? "");
  const name = tag?.[1] ?? tag?.[2] ?? "account";
  return `for $e in stream("${stream?.name ?? "history"}")//${name}?[now]
return <current> { $e } </current>
`;
}

function tagql(stream) {
  const measure = (stream?.leaves ?? []).find(numeric);
  const condition = measure ? `\nWHERE ${measure.path.replaceAll("/", ".")} >= 0` : "";
  return `SELECT *
FROM ${stream?.name ?? "items"}${condition}
WITH TAGS
`;
}
