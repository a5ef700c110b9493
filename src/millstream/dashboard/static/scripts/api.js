/** Asking the HTTP API: JSON in, JSON out; whatever goes wrong is a problem document. */
import { askForToken } from "./token.js";

const KEY = "millstream.token";

/** Something went wrong; `problem` says what, as the service told it. */
export class Problem extends Error {
  constructor(problem) {
    super(problem.detail);
    this.problem = problem;
  }
}

export const isAbort = (error) => error?.name === "AbortError";
export const hasToken = () => sessionStorage.getItem(KEY) !== null;

export function forgetToken() {
  sessionStorage.removeItem(KEY);
  location.reload();
}

export const get = async (path, signal) => (await ask(path, { signal })).json();

/** What an address answers, or null where there is nothing, or nothing for us. */
export async function getIfThere(path, signal) {
  try {
    return await get(path, signal);
  } catch (error) {
    if (error instanceof Problem && [403, 404, 409].includes(error.problem.status)) return null;
    throw error;
  }
}

export async function post(path, body, signal) {
  const content = { "Content-Type": "application/json" };
  return (await ask(path, { method: "POST", body: JSON.stringify(body), headers: content, signal })).json();
}

export const remove = (path) => ask(path, { method: "DELETE" });

/** A response that is a success; a token is asked for where one is needed. */
export async function ask(path, options = {}) {
  for (;;) {
    const token = sessionStorage.getItem(KEY);
    const response = await reach(path, options, token);
    if (response.ok) return response;
    const problem = await told(response);
    if (response.status !== 401) throw new Problem(problem);
    // Somebody else may have given a token while this was on its way.
    if (sessionStorage.getItem(KEY) === token) {
      sessionStorage.setItem(KEY, await askForToken(token === null ? null : problem.detail));
    }
  }
}

async function reach(path, options, token) {
  const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
  try {
    return await fetch(path, { ...options, headers });
  } catch (error) {
    if (isAbort(error)) throw error;
    throw new Problem({ title: "no connection", detail: "the service cannot be reached", status: 0, code: "offline" });
  }
}

async function told(response) {
  try {
    const found = await response.json();
    if (found.detail) return found;
  } catch { /* no JSON: told below */ }
  return { title: "unexpected answer", detail: `the service answered ${response.status}`, status: response.status };
}

/** A part of an address. */
export const part = encodeURIComponent;

/** Save what an address answers as a file: a link could not send the token. */
export async function download(path, name) {
  const address = URL.createObjectURL(await (await ask(path)).blob());
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
