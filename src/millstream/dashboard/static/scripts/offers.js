/** What this service offers, by its own description: pages show what there is. */
import { get } from "./api.js";

let description = null;

async function described() {
  description ??= get("/openapi.json").catch((error) => { description = null; throw error; });
  return description;
}

/** True when an address, as the description writes it, can be asked. */
export async function offers(path, method = "get") {
  return Boolean((await described()).paths?.[path]?.[method]);
}

/** True when a request of some shape may have a property. */
export async function accepts(shape, property) {
  return Boolean((await described()).components?.schemas?.[shape]?.properties?.[property]);
}
